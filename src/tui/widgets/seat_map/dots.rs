//! The map with several seats a cell: free seats stand out, sold ones only mark the outline.
//!
//! Import cycle with `labels`: both share the grain of the cells.

use std::ops::Range;

use ratatui::buffer::Cell;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Modifier, Style};

use crate::domain::layout::SeatPlace;
use crate::domain::text;
use crate::tui::canvas::{Canvas, cells, first_rows, from_row};
use crate::tui::targets::Target;
use crate::tui::widgets::Look;
use crate::tui::widgets::seat_map::view::View;
use crate::tui::widgets::seat_map::{
    Make, MapZoom, SeatMapWidget, SeatSign, labels, squares, zone_list,
};

/// Minimum lines of the seats around the cursor, with a blank above them.
const LOUPE_MIN: u16 = 5;

/// Braille dot bits by column and line.
const BRAILLE: [[u8; 4]; 2] = [[0x01, 0x02, 0x04, 0x40], [0x08, 0x10, 0x20, 0x80]];

/// State of a seat in half a cell.
#[derive(Clone, Copy)]
enum Half {
    /// Free, in a category.
    Free(u16),
    Taken,
    /// Marked, in a cart of this station, or refused.
    Strong,
}

/// Seats of a cell.
#[derive(Clone, Copy, Default)]
struct Heap {
    /// Bits of the free seats.
    free: u8,
    /// Bits of the positions with a seat.
    seats: u8,
    /// Category of a free seat.
    category: u16,
    /// Upper and lower seat of a cell with two.
    halves: [Option<Half>; 2],
    /// Sign of a seat that takes precedence over free ones, with the bits of all such seats.
    strong: Option<(SeatSign, u8)>,
    /// Hit target of the mouse: a free seat if there is one.
    seat: Option<SeatPlace>,
}

pub(super) fn draw(
    widget: &SeatMapWidget<'_>,
    signs: &[(SeatSign, Make)],
    area: Rect,
    canvas: &mut Canvas<'_>,
) {
    let layout = widget.chart.layout();
    let grain = Grain::new(widget);
    let cursor = widget.marks.cursor.and_then(|seat| layout.place(seat));
    let (width, height) = widget.zoom.size(layout);
    let counts = super::blocks::counts(widget, signs);
    let labels = labels::of_zones(widget, &grain, &counts);
    let named = labels.iter().filter(|label| label.is_named()).count();
    let has_unnamed = counts.len() > 1 && named < counts.len();
    let (area, list) = match zone_list::columns(widget, &counts) {
        columns if has_unnamed && columns.saturating_add(width) <= area.width => {
            let [area, list] = area.layout(&Layout::horizontal([
                Constraint::Fill(1),
                Constraint::Length(columns),
            ]));
            (area, Some(list))
        }
        _ => (area, None),
    };
    let view = widget.view(area, (width, height), |place| grain.cell(place).0);
    let mut heaps = vec![Heap::default(); usize::from(width) * usize::from(height)];
    let at =
        |(column, line): (u16, u16)| usize::from(line) * usize::from(width) + usize::from(column);
    for (place, (sign, make)) in layout.places.iter().zip(signs) {
        let (cell, bit) = grain.cell(*place);
        if let Some(heap) = heaps.get_mut(at(cell)) {
            heap.add(*place, bit, (*sign, make.category));
        }
    }
    for (seat, sign) in widget.overlays() {
        let place = layout.place(seat);
        let heap = place.and_then(|place| Some((place, heaps.get_mut(at(grain.cell(place).0))?)));
        if let Some((place, heap)) = heap {
            heap.add_strong(place, grain.cell(place).1, sign);
        }
    }
    draw_stage(widget, &grain, (view, canvas));
    match list {
        Some(list) => {
            // the seats around the cursor, where there is room below the zones
            let zones = cells(counts.len());
            let has_room = cursor.is_some() && list.height >= zones + LOUPE_MIN;
            let lines = if has_room { zones + 1 } else { list.height };
            zone_list::draw(widget, &counts, first_rows(list, lines), canvas);
            let zoom = MapZoom::Wide;
            let loupe = SeatMapWidget { zoom, ..*widget };
            squares::draw(&loupe, signs, from_row(list, lines), canvas);
        }
        None => labels::draw(widget, &labels, (view, canvas)),
    }
    for line in 0..height {
        for column in 0..width {
            let heap = heaps.get(at((column, line))).copied().unwrap_or_default();
            let Some(place) = heap.seat else { continue };
            let drawn = view.put(canvas.buffer, (column, line), grain.sign(widget, heap));
            if let Some((x, y)) = drawn {
                canvas.hit(Rect::new(x, y, 1, 1), Target::Seat(place.seat));
            }
        }
    }
    labels::draw_rows(widget, &grain, (view, canvas));
    if let Some(place) = cursor {
        let ((column, line), _) = grain.cell(place);
        let at = view.at(column, line);
        if let Some(cell) = at.and_then(|at| canvas.buffer.cell_mut(at)) {
            grain.cursor(place, widget.look, cell);
        }
    }
    view.bars(canvas);
    let at = |place: SeatPlace| grain.cell(place).0;
    super::minimap::draw((widget, signs), (view, area), at, canvas);
}

fn draw_stage(widget: &SeatMapWidget<'_>, grain: &Grain, (view, canvas): (View, &mut Canvas<'_>)) {
    if let (Some(stage), Some((line, columns))) =
        (&widget.chart.layout().stage, grain.stage(widget))
    {
        let width = cells(columns.len());
        let text = squares::stage_line(&stage.text, width, widget.look.glyphs.stage);
        let text = (&*text, widget.look.theme.stage);
        view.write(canvas.buffer, (columns.start, line), text);
    }
}

impl Heap {
    fn add(&mut self, place: SeatPlace, bit: u8, (sign, category): (SeatSign, u16)) {
        self.seats |= bit;
        if let Some(half) = self.halves.get_mut(usize::from(place.line % 2)) {
            *half = Some(if sign.is_free() {
                Half::Free(category)
            } else {
                Half::Taken
            });
        }
        if sign.is_free() {
            if self.free == 0 {
                self.category = category;
                self.seat = Some(place);
            }
            self.free |= bit;
        }
        if matches!(sign, SeatSign::Mine | SeatSign::Aside | SeatSign::Refused) {
            self.add_strong(place, bit, sign);
            self.seat = Some(place);
        }
        self.seat = self.seat.or(Some(place));
    }

    fn add_strong(&mut self, place: SeatPlace, bit: u8, sign: SeatSign) {
        let before = self.strong.map_or(0, |(_, bits)| bits);
        self.strong = Some((sign, before | bit));
        if let Some(half) = self.halves.get_mut(usize::from(place.line % 2)) {
            *half = Some(Half::Strong);
        }
    }

    /// True if a seat without a strong sign shares the cell with one that has it.
    fn is_mixed(&self) -> bool {
        let mut halves = self.halves.iter().flatten();
        self.strong.is_some() && halves.any(|half| !matches!(half, Half::Strong))
    }
}

/// Seats a cell, in columns and lines, and the line of cells where the seats begin.
pub(super) struct Grain {
    pub(super) columns: u16,
    pub(super) lines: u16,
    pub(super) first: u16,
}

impl Grain {
    fn new(widget: &SeatMapWidget<'_>) -> Self {
        let layout = widget.chart.layout();
        let top = layout.line_range().map(|(top, _)| top);
        let above = layout
            .stage
            .as_ref()
            .is_some_and(|stage| top.is_none_or(|top| stage.line < top));
        let (columns, lines) = if widget.zoom == MapZoom::Dots {
            (2, 4)
        } else {
            (1, 2)
        };
        Self {
            columns,
            lines,
            first: u16::from(above),
        }
    }

    /// Cell of a seat, and the seat's bit in it.
    pub(super) fn cell(&self, place: SeatPlace) -> ((u16, u16), u8) {
        // columns and lines are powers of two, and shifts are far cheaper than divisions
        let [across, down] = [self.columns, self.lines].map(u16::trailing_zeros);
        let cell = (place.column >> across, (place.line >> down) + self.first);
        let bit = BRAILLE
            .get(usize::from(place.column & (self.columns - 1)))
            .and_then(|dots| dots.get(usize::from(place.line & (self.lines - 1))));
        (cell, bit.copied().unwrap_or(0))
    }

    /// Line and columns of the stage.
    pub(super) fn stage(&self, widget: &SeatMapWidget<'_>) -> Option<(u16, Range<u16>)> {
        let layout = widget.chart.layout();
        let stage = layout.stage.as_ref()?;
        let bottom = layout.line_range().map(|(_, bottom)| bottom);
        let line = match bottom {
            _ if self.first > 0 => stage.line / self.lines,
            Some(bottom) if stage.line > bottom => bottom / self.lines + 1,
            _ => stage.line / self.lines,
        };
        let least = u16::try_from(text::width(&stage.text))
            .unwrap_or(0)
            .saturating_add(4);
        let width = (stage.width / self.columns).max(least);
        let middle = (stage.column + stage.width / 2) / self.columns;
        let room = widget.zoom.size(layout).0;
        let from = middle
            .saturating_sub(width / 2)
            .min(room.saturating_sub(width));
        Some((line, from..from + width))
    }

    /// True if a cell shows its two seats in a colour each.
    fn is_coloured(&self, look: Look<'_>) -> bool {
        self.columns == 1 && look.glyphs.dots.is_none() && look.theme.taken.bg.is_some()
    }

    /// Draws the cursor: in the other half of the cell where each half has its colour, else in all of it.
    fn cursor(&self, place: SeatPlace, look: Look<'_>, cell: &mut Cell) {
        let [_, upper, lower] = look.glyphs.halves;
        let [is_upper, is_lower] = [upper, lower].map(|half| cell.symbol().starts_with(half));
        let ground = look.theme.cursor.bg.filter(|_| is_upper || is_lower);
        let Some(ground) = ground.filter(|_| self.is_coloured(look)) else {
            return super::reverse(cell, look.theme);
        };
        if is_upper && place.line % 2 == 1 {
            let own = cell.bg;
            cell.set_char(lower).set_fg(own);
        }
        cell.set_bg(ground).set_style(Modifier::UNDERLINED);
    }

    fn sign(&self, widget: &SeatMapWidget<'_>, heap: Heap) -> (char, Style) {
        let look = widget.look;
        let is_coloured = self.is_coloured(look);
        if let Some((sign, bits)) = heap.strong.filter(|_| !is_coloured || !heap.is_mixed()) {
            let style = sign.style(heap.category, look.theme);
            // on a background of its own, each seat is a dot
            return match (self.columns, look.glyphs.dots, style.bg) {
                (2.., None, Some(_)) => (braille(bits), style),
                _ => (sign.glyph(look.glyphs), style),
            };
        }
        if is_coloured {
            return coloured(heap.halves, look);
        }
        let style = if heap.free == 0 {
            look.theme.taken.patch(look.theme.sold)
        } else {
            look.theme.taken.patch(look.theme.category(heap.category))
        };
        let sign = if self.columns == 1 {
            halves(heap, look.glyphs.halves)
        } else {
            dots(heap, look.glyphs.dots)
        };
        (sign, style)
    }
}

/// Two seats, one above the other, in their own colours: one as foreground, the other as background.
fn coloured([upper, lower]: [Option<Half>; 2], look: Look<'_>) -> (char, Style) {
    let [_, upper_sign, lower_sign] = look.glyphs.halves;
    let colour = |half: Half| match half {
        Half::Free(category) => look.theme.category(category).fg,
        Half::Taken => look.theme.taken.bg,
        // no category has the colour of strong text
        Half::Strong => look.theme.strong.fg,
    };
    let colour = |half: Option<Half>| half.and_then(colour);
    let style = |front, back| Style {
        fg: front,
        bg: back,
        ..Style::new()
    };
    match (colour(upper), colour(lower)) {
        (Some(upper), lower) => (upper_sign, style(Some(upper), lower)),
        (None, lower) => (lower_sign, style(lower, None)),
    }
}

/// Sign for two seats, one above the other.
fn halves(heap: Heap, [both, upper, lower]: [char; 3]) -> char {
    let [[first, second, ..], _] = BRAILLE;
    match (heap.free & first != 0, heap.free & second != 0) {
        (true, true) => both,
        (true, false) => upper,
        (false, true) => lower,
        (false, false) => match (heap.seats & first != 0, heap.seats & second != 0) {
            (true, true) => ':',
            (true, false) => '\'',
            (false, _) => '.',
        },
    }
}

/// Sign with these dots.
fn braille(bits: u8) -> char {
    char::from_u32(0x2800 + u32::from(bits)).unwrap_or('.')
}

/// Sign for eight seats: dots, or their number in the plain glyphs.
fn dots(heap: Heap, plain: Option<[char; 3]>) -> char {
    if heap.free == 0 {
        return '.';
    }
    let Some([few, some, most]) = plain else {
        return braille(heap.free);
    };
    match heap.free.count_ones() {
        0..=2 => few,
        3..=5 => some,
        _ => most,
    }
}
