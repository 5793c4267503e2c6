//! The map with a square for each seat, its number where three columns have room; folded zones in half blocks.

use ratatui::buffer::{Buffer, Cell};
use ratatui::layout::{Margin, Rect};
use ratatui::style::{Color, Style};

use crate::domain::layout::{Block, SeatPlace};
use crate::domain::text;
use crate::tui::kit::canvas::{Canvas, cells};
use crate::tui::kit::targets::Target;
use crate::tui::widgets::seat_map::grid::{BlockSpot, Grid};
use crate::tui::widgets::seat_map::signs::{Face, SeatSign, SignsSeen};
use crate::tui::widgets::seat_map::viewport::View;
use crate::tui::widgets::seat_map::{SeatMapWidget, gutters, zones};

/// Maximum distance of a zone's title from the middle of the zone.
const TITLE_SHIFT: u16 = 6;

pub(super) fn draw((widget, grid): (&SeatMapWidget<'_>, &Grid), area: Rect, canvas: &mut Canvas<'_>) -> SignsSeen {
    let layout = widget.chart.layout();
    let gutter = gutters::columns(layout, (grid.size.0, area));
    let at = |place: SeatPlace| first_cell(widget, grid, place);
    let view = widget.view(area.inner(Margin::new(gutter, 0)), grid.size, at);
    let row = widget.marks.cursor.map(|seat| seat.row);
    let is_whole = grid.spots.iter().flatten().all(|spot| spot.half.is_none());
    let sheet = MapPainter { widget, grid, view, row, is_whole };
    // a stage amid the seats is not named above them
    let has_stage = grid.stage.is_some() || widget.chart.stage_within.is_some();
    let mut seen = SignsSeen { is_cut: view.is_cut(), has_stage, ..SignsSeen::default() };
    sheet.labels(canvas.buffer);
    sheet.stage(canvas.buffer);
    sheet.seats(&mut seen, canvas);
    let cursor = widget.marks.cursor.and_then(|seat| layout.place(seat));
    let mut under = cursor.map(|place| widget.sign_at(place.seat, &widget.free_sign()).0);
    for (seat, sign) in widget.overlays() {
        if let Some(place) = layout.place(seat)
            && sheet.seat(canvas.buffer, &place, (sign, 0)).is_some()
        {
            seen.add(sign);
        }
        under = if Some(seat) == widget.marks.cursor { Some(sign) } else { under };
    }
    if let Some((place, sign)) = cursor.zip(under) {
        sheet.cursor(canvas.buffer, place, sign);
    }
    sheet.titles(canvas);
    view.bars(canvas);
    if gutter > 0 {
        let labels = grid.labels(widget.chart).filter_map(|(column, line, index)| {
            layout.labels.get(index).map(|label| (column, line, label.text.as_str()))
        });
        let seats = sheet.places().map(|place| at(*place));
        gutters::draw((widget, view), (area, gutter), labels, (seats, &mut *canvas));
    }
    seen
}

/// First cell of a seat on the map; of a folded one the cell with its half.
fn first_cell(widget: &SeatMapWidget<'_>, grid: &Grid, place: SeatPlace) -> (u16, u16) {
    let block = widget.chart.layout().blocks.get(usize::from(place.block));
    let found = grid.spot(place).zip(block);
    found.map_or((0, 0), |(spot, block)| match spot.half {
        Some(half) => {
            let (column, half) = half_cell((widget, block), place, (spot, half));
            (column, half / 2)
        }
        None => grid.cell(place, (spot, block)),
    })
}

/// Column and half line of a folded seat.
fn half_cell(
    (widget, block): (&SeatMapWidget<'_>, &Block),
    place: SeatPlace,
    (spot, half): (BlockSpot, u16),
) -> (u16, u16) {
    let ranks = &widget.chart.ranks;
    let rank = |line: u16| ranks.get(usize::from(line)).copied().unwrap_or_default();
    (spot.left + place.column - block.left, half + rank(place.line) - rank(block.top))
}

/// State of drawing one map.
struct MapPainter<'a> {
    widget: &'a SeatMapWidget<'a>,
    grid: &'a Grid,
    view: View,
    /// Row of the cursor.
    row: Option<u32>,
    /// True if no block is folded.
    is_whole: bool,
}

impl MapPainter<'_> {
    fn labels(&self, buf: &mut Buffer) {
        let (layout, theme) = (self.widget.chart.layout(), self.widget.look.theme);
        let here = self.widget.marks.cursor.and_then(|seat| layout.place(seat));
        let row = here.and_then(|here| self.widget.map.plan.row(here.seat.row));
        let is_here = |line: u16, text: &str| {
            here.is_some_and(|here| here.line == line) && row.is_some_and(|(_, row)| row.label.ends_with(text))
        };
        for (column, line, index) in self.grid.labels(self.widget.chart) {
            if let Some(label) = layout.labels.get(index) {
                let style = if is_here(label.line, &label.text) { theme.label_on } else { theme.label };
                self.view.write(buf, (column, line), (&label.text, style));
            }
        }
    }

    fn stage(&self, buf: &mut Buffer) {
        let look = self.widget.look;
        if let (Some((column, line, width)), Some(stage)) = (self.grid.stage, &self.widget.chart.layout().stage) {
            let signs = stage_line(&stage.text, width, look.glyphs.stage);
            self.view.write(buf, (column, line), (&signs, look.theme.stage));
        }
    }

    fn seats(&self, seen: &mut SignsSeen, canvas: &mut Canvas<'_>) {
        let (step, rise) = self.grid.step;
        let free = self.widget.free_sign();
        for place in self.places() {
            let (sign, category) = self.widget.sign_at(place.seat, &free);
            let Some((x, y)) = self.seat(canvas.buffer, place, (sign, category)) else {
                continue;
            };
            let is_folded = self.grid.spot(*place).is_some_and(|spot| spot.half.is_some());
            if is_folded {
                canvas.hit(Rect::new(x, y, 1, 1), Target::Block(place.block.into()));
            } else {
                seen.add(sign);
                canvas.hit(self.view.clipped(Rect::new(x, y, step, rise)), Target::Seat(place.seat));
            }
        }
    }

    /// Seats but those on lines out of view.
    fn places(&self) -> impl Iterator<Item = &SeatPlace> {
        let chart = self.widget.chart;
        let rows = chart.rows.iter().filter(|row| row.lines.clone().any(|line| !self.is_beyond(line)));
        let seats = rows.filter_map(|row| chart.layout().places.get(row.seats.clone())).flatten();
        seats.filter(|place| !self.is_beyond(place.line))
    }

    /// True for a line of the layout that is out of view, where each has one line of the map.
    fn is_beyond(&self, line: u16) -> bool {
        self.is_whole && self.grid.line(line).is_some_and(|line| self.view.line(line).is_none())
    }

    /// Draws a seat if it is in view; returns its first cell.
    fn seat(&self, buf: &mut Buffer, place: &SeatPlace, (sign, category): (SeatSign, u16)) -> Option<(u16, u16)> {
        let block = self.widget.chart.layout().blocks.get(usize::from(place.block))?;
        let spot = self.grid.spot(*place)?;
        let look = self.widget.look;
        if let Some(half) = spot.half {
            let (column, half) = half_cell((self.widget, block), *place, (spot, half));
            let at = self.view.at(column, half / 2)?;
            self.half(buf.cell_mut(at)?, half % 2 == 0, (sign, category));
            return Some(at);
        }
        let (column, line) = self.grid.cell(*place, (spot, block));
        // a seat with nothing but its blank in view is out of view
        let pad = self.grid.step.0.saturating_sub(2) / 2;
        let first = self.view.at(column, line).filter(|_| self.view.at(column + pad, line).is_some());
        let at = first.or_else(|| {
            // its second column is in view
            let (x, y) = self.view.at(column + 1, line)?;
            Some((x.saturating_sub(1), y))
        })?;
        let ink = Ink { place, cell: (column, line), floor: self.floor(place) };
        self.face(buf, ink, (sign, sign.face(category, look)));
        Some(at)
    }

    fn floor(&self, place: &SeatPlace) -> Style {
        let theme = self.widget.look.theme;
        if Some(place.seat.row) == self.row { theme.lit } else { theme.floor }
    }

    /// Draws a seat in its columns; a free one with its number where three have room.
    fn face(&self, buf: &mut Buffer, ink: Ink<'_>, (sign, face): (SeatSign, Face)) {
        let look = self.widget.look;
        // half a number is another's
        let pad = self.grid.step.0.saturating_sub(2) / 2;
        let is_whole = [pad, pad + 1].iter().all(|at| self.view.at(ink.cell.0 + at, ink.cell.1).is_some());
        let is_wide = self.grid.step.0 > 2 && !look.is_plain() && is_whole;
        let (text, style) = match face {
            Face::Name(style) if !is_whole => ([' ', ' '], style),
            Face::Square(style) if is_wide && sign.is_free() => (self.number(ink.place), look.theme.number_on(style)),
            Face::Square(style) => (look.glyphs.seat, style),
            Face::Letter(letter, style) => ([letter, ' '], style),
            Face::Name(style) if ink.place.seat.seat % 2 == 1 => (self.number(ink.place), look.theme.in_turn(style)),
            Face::Name(style) => (self.number(ink.place), style),
        };
        self.put(buf, ink, (text, style));
    }

    fn put(&self, buf: &mut Buffer, ink: Ink<'_>, ([first, second], style): ([char; 2], Style)) {
        let (step, rise) = self.grid.step;
        let (column, line) = ink.cell;
        let seat = ink.floor.patch(style);
        let pad = step.saturating_sub(2) / 2;
        let [_, above, _] = self.widget.look.glyphs.halves;
        for at in 0..step {
            let (sign, own) = match at.checked_sub(pad) {
                Some(0) => (first, seat),
                Some(1) => (second, seat),
                Some(_) | None => (' ', ink.floor),
            };
            self.view.put(buf, (column + at, line), (sign, own));
            if rise > 1 {
                // on a ground of its own a seat is a line and a half high
                let ground = style.bg.filter(|_| sign != ' ' || own == seat);
                let below = ground.map_or((' ', ink.floor), |ground| (above, ink.floor.fg(ground)));
                self.view.put(buf, (column + at, line + 1), below);
            }
        }
    }

    /// The last two signs of a seat's number.
    fn number(&self, place: &SeatPlace) -> [char; 2] {
        let seat = self.widget.map.plan.seat(place.seat);
        let mut signs = seat.map_or("", |seat| seat.label.trim()).chars().rev();
        let plain = |sign: char| if text::width(sign.encode_utf8(&mut [0; 4])) == 1 { sign } else { '·' };
        let last = signs.next().map_or(' ', plain);
        [signs.next().map_or(' ', plain), last]
    }

    /// Draws a folded seat in its half of a cell.
    fn half(&self, cell: &mut Cell, is_upper: bool, (sign, category): (SeatSign, u16)) {
        let look = self.widget.look;
        if look.is_plain() {
            let letter = sign.glyph(look.glyphs);
            if sign.is_free() || cell.symbol() == " " {
                cell.set_char(letter).set_style(sign.style(category, look.theme));
            }
            return;
        }
        let Some(colour) = sign.half(category, look.theme) else {
            return;
        };
        let [_, above, below] = look.glyphs.halves;
        let is = |cell: &Cell, sign: char| cell.symbol().starts_with(sign);
        match (is_upper, is(cell, above), is(cell, below)) {
            (true, _, true) => {
                let lower = cell.fg;
                cell.set_char(above).set_fg(colour).set_bg(lower);
            }
            (false, true, _) => {
                cell.set_bg(colour);
            }
            (true, ..) => {
                cell.set_char(above).set_fg(colour);
            }
            (false, ..) => {
                cell.set_char(below).set_fg(colour);
            }
        }
    }

    /// Draws the seat under the cursor on a ground of its own: free ones with their number.
    fn cursor(&self, buf: &mut Buffer, place: SeatPlace, sign: SeatSign) {
        let look = self.widget.look;
        let spot = self.grid.spot(place).filter(|spot| spot.half.is_none());
        let Some((spot, block)) = spot.zip(self.widget.chart.layout().blocks.get(usize::from(place.block))) else {
            return;
        };
        let text = match sign.face(0, look) {
            Face::Square(_) if !sign.is_free() => look.glyphs.seat,
            Face::Square(_) | Face::Name(_) => self.number(&place),
            Face::Letter(letter, _) => [letter, ' '],
        };
        let ink = Ink { place: &place, cell: self.grid.cell(place, (spot, block)), floor: self.floor(&place) };
        self.put(buf, ink, (text, look.theme.here));
    }

    /// Names of the zones with their free seats above their first rows, or beside them: whole or not at all.
    fn titles(&self, canvas: &mut Canvas<'_>) {
        let (chart, theme) = (self.widget.chart, self.widget.look.theme);
        let counts = zones::counts(self.widget);
        let blocks = &chart.layout().blocks;
        for zone in &chart.zones {
            let most = zone.iter().filter_map(|index| blocks.get(*index)).map(|block| block.seats).max();
            // smaller parts of a zone stand beside the part with its name
            let named = zone.iter().filter(|index| blocks.get(**index).map(|block| block.seats) == most);
            let named: Vec<usize> = named.copied().collect();
            for index in &named {
                let whole = if named.len() > 1 { std::slice::from_ref(index) } else { zone.as_slice() };
                let free: u32 = whole.iter().filter_map(|index| counts.get(*index)).map(|count| count.free).sum();
                let Some(block) = blocks.get(*index) else { continue };
                let name = text::clean(&block.zone).to_uppercase();
                for (words, tail) in [(format!("{free}"), " free"), (format!("{free}"), "")] {
                    let columns = cells(text::width(&name) + words.len() + tail.len() + 1);
                    if let Some((column, line)) = self.title_place((*index, block), columns, canvas.buffer) {
                        let after = column + cells(text::width(&name)) + 1;
                        self.view.write(canvas.buffer, (column, line), (&name, theme.label));
                        self.view.write(canvas.buffer, (after, line), (&(words + tail), theme.strong));
                        break;
                    }
                }
            }
        }
    }

    /// First cell of a title where nothing is in its way: above the middle of a block, else at the left of its first row.
    fn title_place(&self, (index, block): (usize, &Block), columns: u16, buf: &Buffer) -> Option<(u16, u16)> {
        let spot = self.grid.spots.get(index).copied().flatten()?;
        let (line, width) = match spot.half {
            Some(half) => (half / 2, block.width),
            None => (self.grid.line(block.top)?, block.width * self.grid.step.0),
        };
        let is_blank = |from: u16, line: u16| {
            let beside = from.saturating_sub(1)..=from + columns;
            from + columns <= self.grid.size.0
                && self.view.at(from, line).is_some()
                && beside.filter_map(|column| self.view.at(column, line)).all(|at| {
                    let ground = self.widget.look.theme.ground.bg;
                    let is_ground = |cell: &Cell| cell.bg == Color::Reset || Some(cell.bg) == ground;
                    buf.cell(at).is_some_and(|cell| cell.symbol() == " " && is_ground(cell))
                })
        };
        let wanted = (spot.left + width / 2).saturating_sub(columns / 2);
        let near = wanted.saturating_sub(TITLE_SHIFT)..=wanted + TITLE_SHIFT;
        let above = line.checked_sub(1).and_then(|line| {
            let found = near.filter(|from| is_blank(*from, line)).min_by_key(|from| from.abs_diff(wanted));
            found.map(|from| (from, line))
        });
        above.or_else(|| {
            let from = spot.left.checked_sub(columns + 2)?;
            (spot.half.is_some() && is_blank(from, line)).then_some((from, line))
        })
    }
}

/// Seat being drawn.
#[derive(Clone, Copy)]
struct Ink<'a> {
    place: &'a SeatPlace,
    /// Its first cell on the map.
    cell: (u16, u16),
    floor: Style,
}

/// `└──── S T A G E ────┘` in a number of columns, cut to fit.
pub(in crate::tui) fn stage_line(name: &str, columns: u16, [left, stroke, right]: [char; 3]) -> String {
    let name = text::clean(name).to_uppercase();
    let spaced: String = name.chars().flat_map(|letter| [letter, ' ']).collect();
    let columns = usize::from(columns);
    let spaced = spaced.trim_end();
    let (name, air) = if text::width(spaced) + 4 <= columns {
        (spaced.to_owned(), " ")
    } else if text::width(&name) + 4 <= columns {
        (name, " ")
    } else {
        (text::fit(&name, columns.saturating_sub(2)), "")
    };
    let rest = columns.saturating_sub(text::width(&name) + 2 + 2 * air.len());
    let strokes = |count| std::iter::repeat_n(stroke, count).collect::<String>();
    let (before, after) = (strokes(rest / 2), strokes(rest - rest / 2));
    format!("{left}{before}{air}{name}{air}{after}{right}")
}
