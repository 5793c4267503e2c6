//! Renders a buffer as SVG: backgrounds and block signs as shapes, so that fonts leave no gaps, and text as text.

use std::fmt::Write;
use std::ops::Range;
use std::time::Duration;

use ratatui::buffer::{Buffer, Cell};
use ratatui::style::{Color, Modifier, Style};
use unicode_width::UnicodeWidthStr;

/// Size of a cell, in pixels.
const CELL: (u16, u16) = (9, 18);
const FONT_SIZE: u16 = 15;
/// Distance from a cell's top to the baseline, in pixels.
const BASELINE: u16 = 14;
/// Margin around the cells, in pixels.
const MARGIN: u16 = 12;

const FONTS: &str = "ui-monospace, 'JetBrains Mono', 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace";

/// Time that the last frame of a moving picture stays.
const LAST_FRAME: Duration = Duration::from_secs(3);
/// Unchanged columns between two changed ones that are drawn with them.
const NEAR: u16 = 4;

/// Sixteen terminal colours, as in xterm.
const SIXTEEN: [[u8; 3]; 16] = [
    [0, 0, 0],
    [205, 0, 0],
    [0, 205, 0],
    [205, 205, 0],
    [0, 0, 238],
    [205, 0, 205],
    [0, 205, 205],
    [229, 229, 229],
    [127, 127, 127],
    [255, 0, 0],
    [0, 255, 0],
    [255, 255, 0],
    [92, 92, 255],
    [255, 0, 255],
    [0, 255, 255],
    [255, 255, 255],
];

/// Style of text.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Pen {
    ink: [u8; 3],
    ground: [u8; 3],
    modifiers: Modifier,
}

/// Cells of a row with the same style.
struct StyledRun {
    column: u16,
    columns: u16,
    text: String,
    pen: Pen,
}

/// Shape in 8ths of a cell: left, top, width, height.
type Eighths = (u16, u16, u16, u16);

/// Renders the buffer on the background of its theme.
pub(super) fn of(buffer: &Buffer, ground: Style) -> String {
    let colours = colours(ground);
    let mut svg = head(buffer, colours);
    for row in 0..buffer.area.height {
        write_row(&mut svg, (buffer, row), 0..buffer.area.width, colours);
    }
    svg.push_str("</svg>\n");
    svg
}

/// Renders frames that follow each other and begin again at the end. Each covers only what it changes; where nothing
/// moves, the first is seen.
pub(super) fn moving(frames: &[(Duration, Buffer)], ground: Style) -> String {
    let (Some((_, first)), Some((end, _))) = (frames.first(), frames.last()) else {
        return String::new();
    };
    let colours = colours(ground);
    let length = *end + LAST_FRAME;
    let mut svg = of(first, ground);
    svg.truncate(svg.len() - "</svg>\n".len());
    let _ = writeln!(svg, "<style>g{{opacity:0;animation:{}s step-end infinite}}</style>", length.as_secs_f32());
    for (place, pair) in frames.windows(2).enumerate() {
        let [(_, before), (at, after)] = pair else { continue };
        let part = at.as_secs_f32() / length.as_secs_f32() * 100.0;
        let _ = writeln!(svg, "<style>@keyframes f{place}{{{part:.2}%{{opacity:1}}}}</style>");
        let _ = writeln!(svg, "<g style=\"animation-name:f{place}\">");
        for row in 0..after.area.height {
            for columns in changed((before, after), row) {
                let (x, y) = (MARGIN + columns.start * CELL.0, MARGIN + row * CELL.1);
                let width = (columns.end - columns.start) * CELL.0;
                let fill = hex(colours.1);
                let _ = writeln!(
                    svg,
                    "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{}\" fill=\"{fill}\"/>",
                    CELL.1
                );
                write_row(&mut svg, (after, row), columns, colours);
            }
        }
        svg.push_str("</g>\n");
    }
    svg.push_str("</svg>\n");
    svg
}

/// Columns of a row that differ between two frames; those that are near each other are one part.
fn changed((before, after): (&Buffer, &Buffer), row: u16) -> Vec<Range<u16>> {
    let mut parts: Vec<Range<u16>> = Vec::new();
    for column in 0..after.area.width {
        if before.cell((column, row)) == after.cell((column, row)) {
            continue;
        }
        match parts.last_mut() {
            Some(last) if column < last.end + NEAR => last.end = column + 1,
            _ => parts.push(column..column + 1),
        }
    }
    parts
}

/// Ink and paper.
fn colours(ground: Style) -> ([u8; 3], [u8; 3]) {
    (rgb(ground.fg.unwrap_or_default(), [215, 218, 226]), rgb(ground.bg.unwrap_or_default(), [18, 18, 23]))
}

fn head(buffer: &Buffer, (_, paper): ([u8; 3], [u8; 3])) -> String {
    let width = buffer.area.width * CELL.0 + 2 * MARGIN;
    let height = buffer.area.height * CELL.1 + 2 * MARGIN;
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
         font-family=\"{FONTS}\" font-size=\"{FONT_SIZE}\">\n<rect width=\"100%\" height=\"100%\" rx=\"8\" fill=\"{}\"/>\n",
        hex(paper)
    )
}

fn write_row(svg: &mut String, (buffer, row): (&Buffer, u16), columns: Range<u16>, colours: ([u8; 3], [u8; 3])) {
    let cells = columns.filter_map(|column| Some((column, buffer.cell((column, row))?)));
    let y = MARGIN + row * CELL.1;
    for run in runs(cells, colours) {
        run.write(svg, (y, colours.1));
    }
}

/// Splits a row into runs; the second cell of a wide letter belongs to the letter.
fn runs<'a>(cells: impl Iterator<Item = (u16, &'a Cell)>, (ink, paper): ([u8; 3], [u8; 3])) -> Vec<StyledRun> {
    let mut runs: Vec<StyledRun> = Vec::new();
    for (column, cell) in cells {
        let symbol = cell.symbol();
        let pen = Pen::of(cell, (ink, paper));
        let columns = u16::try_from(symbol.width()).unwrap_or(1).max(1);
        match runs.last_mut() {
            Some(last) if column < last.column + last.columns => {}
            Some(last) if last.pen == pen && is_text(symbol) && is_text(&last.text) => {
                last.text.push_str(symbol);
                last.columns += columns;
            }
            Some(last) if last.pen == pen && last.text.ends_with(symbol) && columns == 1 => {
                last.text.push_str(symbol);
                last.columns += 1;
            }
            _ => runs.push(StyledRun { column, columns, text: symbol.to_owned(), pen }),
        }
    }
    runs
}

/// True if a text is drawn with a font.
fn is_text(text: &str) -> bool {
    !text.chars().any(|sign| !shapes(sign).is_empty())
}

impl Pen {
    fn of(cell: &Cell, (ink, paper): ([u8; 3], [u8; 3])) -> Self {
        let (fg, bg) = (rgb(cell.fg, ink), rgb(cell.bg, paper));
        let is_reversed = cell.modifier.contains(Modifier::REVERSED);
        let (ink, ground) = if is_reversed { (bg, fg) } else { (fg, bg) };
        let kept = Modifier::BOLD | Modifier::DIM | Modifier::ITALIC | Modifier::UNDERLINED;
        Self { ink, ground, modifiers: cell.modifier & kept }
    }
}

impl StyledRun {
    /// Writes the run as SVG; `y` is its top, in pixels.
    fn write(&self, svg: &mut String, (y, paper): (u16, [u8; 3])) {
        let x = MARGIN + self.column * CELL.0;
        let width = self.columns * CELL.0;
        if self.pen.ground != paper {
            let fill = hex(self.pen.ground);
            let _ =
                writeln!(svg, "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{}\" fill=\"{fill}\"/>", CELL.1);
        }
        let ink = hex(self.pen.ink);
        let shapes = self.text.chars().next().map(shapes).unwrap_or_default();
        if !shapes.is_empty() {
            self.write_shapes(svg, (x, y), &shapes);
            return;
        }
        if self.text.trim().is_empty() {
            return;
        }
        let modifiers = [
            (Modifier::BOLD, " font-weight=\"bold\""),
            (Modifier::ITALIC, " font-style=\"italic\""),
            (Modifier::UNDERLINED, " text-decoration=\"underline\""),
            (Modifier::DIM, " opacity=\"0.6\""),
        ];
        let modifiers = modifiers.iter().filter(|(of, _)| self.pen.modifiers.contains(*of));
        let modifiers: String = modifiers.map(|(_, attribute)| *attribute).collect();
        let text = self.text.replace('&', "&amp;").replace('<', "&lt;");
        let _ = writeln!(
            svg,
            "<text x=\"{x}\" y=\"{}\" textLength=\"{width}\" lengthAdjust=\"spacingAndGlyphs\" xml:space=\"preserve\" \
             fill=\"{ink}\"{modifiers}>{text}</text>",
            y + BASELINE
        );
    }

    /// Writes the shapes of the run's sign, once for each cell, as one path.
    fn write_shapes(&self, svg: &mut String, (x, y): (u16, u16), shapes: &[Eighths]) {
        let mut path = String::new();
        // a line through whole cells is one shape
        let is_through = |shape: &Eighths| (shape.0, shape.2) == (0, 8);
        for shape @ (left, top, wide, high) in shapes {
            let (times, cells) = if is_through(shape) { (1, self.columns) } else { (self.columns, 1) };
            let eighth = |of: u16, cell: u16| f32::from(of) * f32::from(cell) / 8.0;
            for time in 0..times {
                let left = f32::from(x + time * CELL.0) + eighth(*left, CELL.0);
                let top = f32::from(y) + eighth(*top, CELL.1);
                let wide = eighth(*wide, CELL.0) * f32::from(cells);
                let high = eighth(*high, CELL.1);
                let _ = write!(path, "M{left} {top}h{wide}v{high}h-{wide}z");
            }
        }
        let ink = hex(self.pen.ink);
        let _ = writeln!(svg, "<path d=\"{path}\" fill=\"{ink}\"/>");
    }
}

/// Shapes of a block, box or braille sign; none for signs drawn with a font.
fn shapes(sign: char) -> Vec<Eighths> {
    let code = u32::from(sign);
    let eighths = |from: u32| u16::try_from(code - from).unwrap_or(0);
    match sign {
        '▀' => vec![(0, 0, 8, 4)],
        '▁'..='█' => vec![(0, 8 - eighths(0x2580), 8, eighths(0x2580))],
        '▉'..='▏' => vec![(0, 0, 8 - eighths(0x2588), 8)],
        '▐' => vec![(4, 0, 4, 8)],
        '▔' => vec![(0, 0, 8, 1)],
        '■' => vec![(1, 2, 6, 4)],
        '▖'..='▟' => quadrants(sign),
        '\u{2801}'..='\u{28ff}' => braille(code - 0x2800),
        _ => arms(sign).map_or_else(Vec::new, |[up, down, left, right]| {
            let across = (u16::from(!left) * 4, u16::from(left) * 4 + u16::from(right) * 4);
            let upright = (u16::from(!up) * 4, u16::from(up) * 4 + u16::from(down) * 4);
            let lines = [(across.0, 4, across.1, 1), (4, upright.0, 1, upright.1)];
            lines.into_iter().filter(|line| line.2 > 0 && line.3 > 0).collect()
        }),
    }
}

/// Quarters of a cell: upper left and right, lower left and right.
fn quadrants(sign: char) -> Vec<Eighths> {
    let bits = " ▘▝▀▖▌▞▛▗▚▐▜▄▙▟█".chars().position(|known| known == sign).unwrap_or(0);
    let quarters = [(0, 0, 4, 4), (4, 0, 4, 4), (0, 4, 4, 4), (4, 4, 4, 4)];
    quarters.into_iter().enumerate().filter(|(at, _)| (bits >> at) & 1 == 1).map(|(_, quarter)| quarter).collect()
}

/// Arms of a box sign: up, down, left, right.
const fn arms(sign: char) -> Option<[bool; 4]> {
    Some(match sign {
        '─' | '━' => [false, false, true, true],
        '│' | '┃' => [true, true, false, false],
        '┌' | '╭' => [false, true, false, true],
        '┐' | '╮' => [false, true, true, false],
        '└' | '╰' => [true, false, false, true],
        '┘' | '╯' => [true, false, true, false],
        '├' => [true, true, false, true],
        '┤' => [true, true, true, false],
        '┬' => [false, true, true, true],
        '┴' => [true, false, true, true],
        '┼' => [true, true, true, true],
        _ => return None,
    })
}

/// Dots of a braille sign: its bits go down the left column, down the right one, then along the last line.
fn braille(bits: u32) -> Vec<Eighths> {
    const DOTS: [(u16, u16); 8] = [(1, 0), (1, 2), (1, 4), (5, 0), (5, 2), (5, 4), (1, 6), (5, 6)];
    let is_set = |(bit, _): &(u32, (u16, u16))| bits >> bit & 1 == 1;
    let dots = (0u32..).zip(DOTS).filter(is_set);
    dots.map(|(_, (left, top))| (left, top, 2, 1)).collect()
}

/// Colour as RGB; the terminal's default is the background's.
fn rgb(colour: Color, default: [u8; 3]) -> [u8; 3] {
    let indexed = |index: u8| SIXTEEN.get(usize::from(index)).copied().unwrap_or_else(|| cube(index));
    match colour {
        Color::Reset => default,
        Color::Rgb(red, green, blue) => [red, green, blue],
        Color::Indexed(index) => indexed(index),
        Color::Black => indexed(0),
        Color::Red => indexed(1),
        Color::Green => indexed(2),
        Color::Yellow => indexed(3),
        Color::Blue => indexed(4),
        Color::Magenta => indexed(5),
        Color::Cyan => indexed(6),
        Color::Gray => indexed(7),
        Color::DarkGray => indexed(8),
        Color::LightRed => indexed(9),
        Color::LightGreen => indexed(10),
        Color::LightYellow => indexed(11),
        Color::LightBlue => indexed(12),
        Color::LightMagenta => indexed(13),
        Color::LightCyan => indexed(14),
        Color::White => indexed(15),
    }
}

/// Colour of the xterm palette from index 16 on: a cube of six steps, then 24 greys.
const fn cube(index: u8) -> [u8; 3] {
    const fn step(at: u8) -> u8 {
        match at % 6 {
            0 => 0,
            step => 55 + 40 * step,
        }
    }
    if index >= 232 {
        let grey = 8 + (index - 232) * 10;
        return [grey, grey, grey];
    }
    let at = index.saturating_sub(16);
    [step(at / 36), step(at / 6), step(at)]
}

fn hex([red, green, blue]: [u8; 3]) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}
