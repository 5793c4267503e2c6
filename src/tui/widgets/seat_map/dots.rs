//! The map with several seats a cell: free seats stand out, sold ones only mark the outline.
//!
//! Import cycle with `labels`: both share the grain of the cells.

use std::ops::Range;

use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Color, Style};

use crate::domain::layout::{RowLabel, SeatPlace};
use crate::domain::plan::SeatRef;
use crate::domain::text;
use crate::tui::canvas::{Canvas, cells, first_rows, from_row};
use crate::tui::targets::Target;
use crate::tui::widgets::seat_map::view::View;
use crate::tui::widgets::seat_map::{Make, MapZoom, Marks, SeatMapWidget, SeatSign, labels, squares, zone_list};

/// Minimum lines of the seats around the cursor, with a blank above them.
const LOUPE_MIN: u16 = 5;

/// Maximum width of the margin at each side of a map.
const MARGIN_MAX: u16 = 6;

/// Braille dot bits by column and line.
const BRAILLE: [[u8; 4]; 2] = [[0x01, 0x02, 0x04, 0x40], [0x08, 0x10, 0x20, 0x80]];

/// Seats of a cell.
#[derive(Clone, Copy, Default)]
struct Heap {
    /// Bits of the free seats.
    free: u8,
    /// Bits of the positions with a seat.
    seats: u8,
    /// Category of a free seat.
    category: u16,
    /// Colours of the upper and the lower seat of a cell with two.
    halves: [Option<Color>; 2],
    /// Free places for wheelchairs and the like, of the same two.
    special: [Option<SeatSign>; 2],
    /// Sign of a seat that takes precedence over free ones, with the bits of all such seats.
    strong: Option<(SeatSign, u8)>,
    /// Sign of a seat that is neither free nor sold.
    other: Option<SeatSign>,
    /// Hit target of the mouse: a free seat if there is one.
    seat: Option<SeatPlace>,
}

pub(super) fn draw(widget: &SeatMapWidget<'_>, signs: &[(SeatSign, Make)], area: Rect, canvas: &mut Canvas<'_>) {
    let layout = widget.chart.layout();
    let cursor = widget.marks.cursor.and_then(|seat| layout.place(seat));
    let grain = Grain::new(widget, area.width);
    let counts = super::blocks::counts(widget, signs);
    let labels = labels::of_zones(widget, &grain, &counts);
    let has_unnamed = counts.len() > 1 && labels.len() < counts.len();
    let width = widget.zoom.size(layout).0;
    let (area, list) = match zone_list::columns(widget, &counts) {
        columns if has_unnamed && columns.saturating_add(width) <= area.width => {
            let [area, list] = area.layout(&Layout::horizontal([Constraint::Fill(1), Constraint::Length(columns)]));
            (area, Some(list))
        }
        _ => (area, None),
    };
    let grain = Grain::new(widget, area.width);
    let size = grain.size(widget);
    let view = widget.view(area, size, |place| grain.cell(place).0);
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
    let heaps = heaps(widget, signs, &grain);
    for (line, heaps) in (0..).zip(heaps.chunks(usize::from(size.0.max(1)))) {
        for (column, heap) in (0..).zip(heaps) {
            let Some(place) = heap.seat else { continue };
            let drawn = view.put(canvas.buffer, (column, line), grain.sign(widget, *heap));
            if let Some((x, y)) = drawn {
                canvas.hit(Rect::new(x, y, 1, 1), Target::Seat(place.seat));
            }
        }
    }
    labels::draw_rows(widget, &grain, (view, canvas));
    if let Some(place) = cursor.filter(|_| !widget.zoom.is_coloured(widget.look)) {
        let ((column, line), _) = grain.cell(place);
        let at = view.at(column, line);
        if let Some(cell) = at.and_then(|at| canvas.buffer.cell_mut(at)) {
            super::reverse(cell, widget.look.theme);
        }
    }
    view.bars(canvas);
    let at = |place: SeatPlace| grain.cell(place).0;
    super::minimap::draw((widget, signs), (view, area), at, canvas);
}

/// Seats of each cell, line by line.
fn heaps(widget: &SeatMapWidget<'_>, signs: &[(SeatSign, Make)], grain: &Grain) -> Vec<Heap> {
    let layout = widget.chart.layout();
    let (width, height) = grain.size(widget);
    let mut heaps = vec![Heap::default(); usize::from(width) * usize::from(height)];
    let at = |(column, line): (u16, u16)| usize::from(line) * usize::from(width) + usize::from(column);
    let (theme, is_coloured) = (widget.look.theme, widget.zoom.is_coloured(widget.look));
    for (place, (sign, make)) in layout.places.iter().zip(signs) {
        let (cell, bit) = grain.cell(*place);
        if let Some(heap) = heaps.get_mut(at(cell)) {
            heap.add(*place, bit, (*sign, make.category));
            if is_coloured {
                heap.colour(*place, sign.half(make.category, theme));
                heap.mark_special(*place, *sign);
            }
        }
    }
    for (seat, sign) in widget.overlays() {
        let place = layout.place(seat);
        let heap = place.and_then(|place| Some((place, heaps.get_mut(at(grain.cell(place).0))?)));
        if let Some((place, heap)) = heap {
            heap.add_strong(grain.cell(place).1, sign);
            heap.colour(place, sign.half(0, theme));
        }
    }
    // while a suggestion changes with each key, all of its seats are seen
    let Marks { typing, marked, .. } = widget.marks;
    let is_shown = |seat: &SeatRef| typing.is_none() || !marked.contains(seat);
    let cursor = widget.marks.cursor.filter(is_shown);
    if let Some(place) = cursor.and_then(|seat| layout.place(seat))
        && let Some(heap) = heaps.get_mut(at(grain.cell(place).0))
    {
        heap.colour(place, theme.half_cursor.bg.or(theme.cursor.bg));
    }
    heaps
}

fn draw_stage(widget: &SeatMapWidget<'_>, grain: &Grain, (view, canvas): (View, &mut Canvas<'_>)) {
    if let (Some(stage), Some((line, columns))) = (&widget.chart.layout().stage, grain.stage(widget)) {
        let width = cells(columns.len());
        let text = squares::stage_line(&stage.text, width, widget.look.glyphs.stage);
        let text = (&*text, widget.look.theme.stage);
        view.write(canvas.buffer, (columns.start, line), text);
    }
}

impl Heap {
    fn add(&mut self, place: SeatPlace, bit: u8, (sign, category): (SeatSign, u16)) {
        self.seats |= bit;
        if sign.is_free() {
            if self.free == 0 {
                self.category = category;
                self.seat = Some(place);
            }
            self.free |= bit;
        } else if sign.is_strong() {
            self.add_strong(bit, sign);
            self.seat = Some(place);
        } else if sign != SeatSign::Sold {
            self.other = Some(sign);
        }
        self.seat = self.seat.or(Some(place));
    }

    fn add_strong(&mut self, bit: u8, sign: SeatSign) {
        let before = self.strong.map_or(0, |(_, bits)| bits);
        self.strong = Some((sign, before | bit));
    }

    fn colour(&mut self, place: SeatPlace, colour: Option<Color>) {
        let at = usize::from(place.line % 2);
        let halves = self.halves.get_mut(at).zip(self.special.get_mut(at));
        if let Some((half, special)) = halves {
            (*half, *special) = (colour, None);
        }
    }

    fn mark_special(&mut self, place: SeatPlace, sign: SeatSign) {
        if let Some(special) = self.special.get_mut(usize::from(place.line % 2)) {
            *special = Some(sign).filter(|sign| sign.is_special());
        }
    }

    /// The special place of a cell that no other kind of seat shares, with its colour.
    fn only_special(&self) -> Option<(SeatSign, Color)> {
        let mut seats = self.halves.iter().zip(self.special).filter_map(|(half, special)| Some(((*half)?, special)));
        let (colour, first) = seats.next()?;
        let sign = first?;
        seats.all(|(_, special)| special == Some(sign)).then_some((sign, colour))
    }
}

/// Seats a cell, in columns and lines, and the column and the line of cells where the seats begin: a blank margin for
/// the names of zones at the sides, and the stage above.
pub(super) struct Grain {
    pub(super) columns: u16,
    pub(super) lines: u16,
    pub(super) left: u16,
    pub(super) first: u16,
}

impl Grain {
    fn new(widget: &SeatMapWidget<'_>, room: u16) -> Self {
        let layout = widget.chart.layout();
        let margin = room.saturating_sub(widget.zoom.size(layout).0) / 2;
        let top = layout.line_range().map(|(top, _)| top);
        let above = layout.stage.as_ref().is_some_and(|stage| top.is_none_or(|top| stage.line < top));
        let (columns, lines) = if widget.zoom == MapZoom::Dots { (2, 4) } else { (1, 2) };
        Self { columns, lines, left: margin.min(MARGIN_MAX), first: u16::from(above) }
    }

    /// Columns and lines of the map, its margins included.
    pub(super) fn size(&self, widget: &SeatMapWidget<'_>) -> (u16, u16) {
        let (width, height) = widget.zoom.size(widget.chart.layout());
        (width + 2 * self.left, height)
    }

    /// Cell of a seat, and the seat's bit in it.
    pub(super) fn cell(&self, place: SeatPlace) -> ((u16, u16), u8) {
        // columns and lines are powers of two, and shifts are far cheaper than divisions
        let [across, down] = [self.columns, self.lines].map(u16::trailing_zeros);
        let cell = ((place.column >> across) + self.left, (place.line >> down) + self.first);
        let bit = BRAILLE
            .get(usize::from(place.column & (self.columns - 1)))
            .and_then(|dots| dots.get(usize::from(place.line & (self.lines - 1))));
        (cell, bit.copied().unwrap_or(0))
    }

    /// Line of cells of a row's label.
    pub(super) const fn line(&self, label: &RowLabel) -> u16 {
        label.line / self.lines + self.first
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
        let least = u16::try_from(text::width(&stage.text)).unwrap_or(0).saturating_add(4);
        let width = (stage.width / self.columns).max(least);
        let middle = (stage.column + stage.width / 2) / self.columns + self.left;
        let room = self.size(widget).0;
        let from = middle.saturating_sub(width / 2).min(room.saturating_sub(width));
        Some((line, from..from + width))
    }

    fn sign(&self, widget: &SeatMapWidget<'_>, heap: Heap) -> (char, Style) {
        let look = widget.look;
        if widget.zoom.is_coloured(look) {
            // its letter takes the whole cell, so that no seat of another kind is under it
            if let Some((sign, colour)) = heap.only_special() {
                let style = Style::new().bg(colour);
                let ink = look.theme.ground.bg.map_or(style, |ink| style.fg(ink));
                return (sign.glyph(look.glyphs), ink);
            }
            return coloured(heap.halves, look.glyphs.halves);
        }
        if let Some((sign, bits)) = heap.strong {
            let style = sign.style(heap.category, look.theme);
            // on a background of its own, each seat is a dot
            return match (self.columns, look.glyphs.dots, style.bg) {
                (2.., None, Some(_)) => (braille(bits), style),
                _ => (sign.glyph(look.glyphs), style),
            };
        }
        if let Some(sign) = heap.other.filter(|_| self.columns == 1 && heap.free == 0) {
            let style = sign.style(heap.category, look.theme);
            return (sign.glyph(look.glyphs), style);
        }
        let style = if heap.free == 0 {
            look.theme.taken.patch(look.theme.sold)
        } else {
            look.theme.taken.patch(look.theme.category(heap.category))
        };
        let sign = if self.columns == 1 { halves(heap, look.glyphs.halves) } else { dots(heap, look.glyphs.dots) };
        (sign, style)
    }
}

/// Two seats, one above the other, in their own colours: one as foreground, the other as background.
fn coloured([upper, lower]: [Option<Color>; 2], [_, above, below]: [char; 3]) -> (char, Style) {
    let (sign, fg, bg) = match upper {
        Some(_) => (above, upper, lower),
        None => (below, lower, None),
    };
    let style = Style::new();
    (sign, Style { fg, bg, ..style })
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
