//! The map with several seats a cell: quadrants at the house's real curves, and dots.
//!
//! A cell collects the parts of its seats. Free ones win over taken ones, in the colour of most of them; what is chosen
//! here wins over both. In quadrants a cell without a free seat has the letter of one that is held or reserved.

use std::cell::RefCell;

use ratatui::layout::Rect;
use ratatui::style::Style;

use crate::domain::ids::CartId;
use crate::domain::plan::SeatRef;
use crate::tui::kit::canvas::{self, Canvas};
use crate::tui::kit::targets::Target;
use crate::tui::widgets::seat_map::chart::{Chart, FINE};
use crate::tui::widgets::seat_map::grid::unsigned;
use crate::tui::widgets::seat_map::signs::{SeatSign, SignsSeen, number};
use crate::tui::widgets::seat_map::zoom::MapZoom;
use crate::tui::widgets::seat_map::{Marks, SeatMapWidget, squares};

/// Half columns from a seat to the next in quadrants, widest first, and half columns of a seat.
const PITCHES: [(i32, u16); 3] = [(4, 2), (3, 2), (2, 1)];
/// Columns of the word on a stage with its strokes.
const STAGE_LEAST: u16 = 9;

/// Bits of a cell's parts by column and line.
const BRAILLE: [[u8; 4]; 2] = [[0x01, 0x02, 0x04, 0x40], [0x08, 0x10, 0x20, 0x80]];
const QUADRANTS: [[u8; 2]; 2] = [[1, 4], [2, 8]];
/// Block elements by the bits of their quadrants.
const BLOCKS: [char; 16] = [' ', '▘', '▝', '▀', '▖', '▌', '▞', '▛', '▗', '▚', '▐', '▜', '▄', '▙', '▟', '█'];

/// Seats of a cell.
#[derive(Clone, Copy, Debug, Default)]
struct Heap {
    /// Parts of the free seats, and of all.
    free: u8,
    seats: u8,
    /// Category of most free seats, by their votes against all others.
    category: u16,
    votes: u8,
    /// Sign of a seat that takes precedence over free ones, with the parts of all such seats.
    strong: Option<(SeatSign, u8)>,
    /// Sign of a taken seat that is told by a letter.
    told: Option<SeatSign>,
    /// Target of the mouse: the seat whose sign takes precedence, else a free one if there is one.
    seat: Option<SeatRef>,
    /// True on the row of the cursor.
    is_lit: bool,
}

impl Heap {
    fn add(&mut self, (seat, bit): (SeatRef, u8), (sign, category): (SeatSign, u16)) {
        if self.seat.is_none() || self.strong.is_none() && sign.is_free() && self.free == 0 {
            self.seat = Some(seat);
        }
        self.seats |= bit;
        if sign.is_free() {
            self.free |= bit;
            match self.votes {
                0 => (self.category, self.votes) = (category, 1),
                votes if self.category == category => self.votes = votes.saturating_add(1),
                votes => self.votes = votes - 1,
            }
        } else if sign.is_strong() {
            self.mark((seat, bit), sign);
        }
    }

    /// Puts the letter of a seat into the cell of its first part, where it would look sold.
    fn tell(&mut self, seat: SeatRef, sign: SeatSign) {
        if self.told.is_none() && sign.is_promised() {
            self.told = Some(sign);
            if self.strong.is_none() && self.free == 0 {
                self.seat = Some(seat);
            }
        }
    }

    fn mark(&mut self, (seat, bit): (SeatRef, u8), sign: SeatSign) {
        self.seat = Some(seat);
        let before = self.strong.map_or(0, |(_, bits)| bits);
        self.strong = Some((sign, before | bit));
    }
}

/// Cells of a map as it was drawn last, without cursor and marks: a key that changes no seat passes over none.
#[derive(Clone, Debug, Default)]
pub(super) struct CellCache(RefCell<Option<(CellKey, Vec<Heap>)>>);

/// Dependencies of the cells, beside the states of the seats.
#[derive(Clone, Debug, PartialEq, Eq)]
struct CellKey {
    grain: Grain,
    /// Categories on sale.
    on_sale: Vec<bool>,
    category: Option<u16>,
    mine: Option<CartId>,
    station: String,
}

/// Parts of the cells that a seat takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Grain {
    is_dots: bool,
    /// Half columns from a seat to the next; columns of dots.
    pitch: i32,
    /// Parts of a seat side by side.
    wide: u16,
    /// Hundredths of a seat by which every other row moves.
    turn: i32,
    /// Lines above the seats, for the stage.
    above: u16,
    /// Line of the stage: above the seats, or among them in a house all around.
    stage: Option<u16>,
    /// Columns and lines.
    pub(super) size: (u16, u16),
}

impl Grain {
    /// Parts of a house at a zoom: quadrants as far apart as fit, and the stage where it has a line.
    pub(super) fn new(chart: &Chart, zoom: MapZoom, area: Rect) -> Self {
        let layout = chart.layout();
        let is_dots = zoom == MapZoom::Dots;
        let ((pitch, wide), turn, size) = if is_dots {
            let height = chart.tight.last().map_or(0, |last| last + 1);
            ((1, 1), 0, (layout.width.div_ceil(2).max(STAGE_LEAST), height.div_ceil(4)))
        } else {
            let (across, lines) = chart.bent_size;
            let size = |((pitch, wide), turn): ((i32, u16), i32)| {
                let halves = across.saturating_add(turn).saturating_mul(pitch) / FINE + i32::from(wide);
                let columns = unsigned(halves / 2 + 1).max(STAGE_LEAST);
                ((pitch, wide), turn, (columns, lines.div_ceil(2)))
            };
            let [.., least] = PITCHES;
            // half a seat less where rows in turn do not fit
            let ways = PITCHES.into_iter().flat_map(|pitch| [FINE / 2, 0].map(|turn| (pitch, turn)));
            let fitting = ways.map(size).find(|(_, _, (columns, _))| *columns <= area.width);
            fitting.unwrap_or_else(|| size((least, 0)))
        };
        let around = chart.stage_within.map(|line| line / if is_dots { 4 } else { 2 });
        let above = u16::from(layout.stage.is_some() && around.is_none() && size.1 < area.height);
        let stage = around.or_else(|| (above > 0).then_some(0));
        Self { is_dots, pitch, wide, turn, above, stage, size: (size.0, size.1 + above) }
    }

    /// First part of a seat by its index in the layout, in columns and lines of parts.
    fn part(&self, chart: &Chart, index: usize) -> (u16, u16) {
        if self.is_dots {
            let place = chart.layout().places.get(index);
            let line = |line: u16| chart.tight.get(usize::from(line)).copied().unwrap_or_default();
            return place.map_or((0, 0), |place| (place.column, line(place.line)));
        }
        let (across, line) = chart.bent.get(index).copied().unwrap_or_default();
        let turn = if chart.turned.get(index) == Some(&true) { self.turn } else { 0 };
        (unsigned(((across + turn) * self.pitch + FINE / 2) / FINE), line)
    }

    /// Cell of a part, and its bit there.
    fn cell(&self, (across, down): (u16, u16)) -> ((u16, u16), u8) {
        let column = usize::from(across % 2);
        let (lines, bit) = if self.is_dots {
            (4, BRAILLE.get(column).and_then(|bits| bits.get(usize::from(down % 4))))
        } else {
            (2, QUADRANTS.get(column).and_then(|bits| bits.get(usize::from(down % 2))))
        };
        ((across / 2, down / lines + self.above), bit.copied().unwrap_or_default())
    }

    /// Cells of a seat with their bits.
    fn cells(&self, chart: &Chart, index: usize) -> impl Iterator<Item = ((u16, u16), u8)> {
        let (across, down) = self.part(chart, index);
        let grain = *self;
        (across..across.saturating_add(self.wide)).map(move |across| grain.cell((across, down)))
    }
}

pub(super) fn draw(widget: &SeatMapWidget<'_>, area: Rect, canvas: &mut Canvas<'_>) -> SignsSeen {
    let (chart, look) = (widget.chart, widget.look);
    let layout = chart.layout();
    let grain = Grain::new(chart, widget.zoom, area);
    let index_of = |seat: SeatRef| layout.position(seat);
    let view = widget.view(area, grain.size, |place| {
        index_of(place.seat).map_or((0, 0), |index| grain.cell(grain.part(chart, index)).0)
    });
    let mut seen = SignsSeen { is_cut: view.is_cut(), has_stage: grain.stage.is_some(), ..SignsSeen::default() };
    let heaps = heaps(widget, &grain);
    if let Some((stage, line)) = layout.stage.as_ref().zip(grain.stage) {
        let columns = if grain.above > 0 { grain.size.0 } else { blanks_amid(&heaps, (grain.size.0, line)) };
        let width = (columns / 2).max(STAGE_LEAST).min(columns);
        if width >= STAGE_LEAST {
            let text = squares::stage_line(&stage.text, width, look.glyphs.stage);
            view.write(canvas.buffer, ((grain.size.0 - width) / 2, line), (&text, look.theme.stage));
        }
    }
    let cursor = widget.marks.cursor.and_then(index_of);
    let is_told = !look.is_plain() && look.theme.tells_apart(widget.map.plan.categories.len());
    for (line, heaps) in (0..).zip(heaps.chunks(usize::from(grain.size.0.max(1)))) {
        for (column, heap) in (0..).zip(heaps) {
            let Some(seat) = heap.seat else { continue };
            if let Some(sign) = heap.strong.map(|(sign, _)| sign).or_else(|| grain.letter(heap)) {
                seen.add(sign);
            }
            let drawn = view.put(canvas.buffer, (column, line), grain.sign(widget, heap, is_told));
            if let Some((x, y)) = drawn {
                canvas.hit(Rect::new(x, y, 1, 1), Target::Seat(seat));
            }
        }
    }
    for ((column, line), bit) in cursor.into_iter().flat_map(|index| grain.cells(chart, index)) {
        if let Some(cell) = view.at(column, line).and_then(|at| canvas.buffer.cell_mut(at)) {
            if look.is_plain() {
                super::reverse(cell, look.theme);
            } else if let Some(ink) = look.theme.here.bg {
                cell.set_char(grain.glyph(bit)).set_fg(ink);
            }
        }
    }
    view.bars(canvas);
    seen
}

/// Columns in the middle of a line with no seat, the line above and the one below as well.
fn blanks_amid(heaps: &[Heap], (columns, line): (u16, u16)) -> u16 {
    let lines = heaps.chunks(usize::from(columns.max(1))).skip(usize::from(line.saturating_sub(1))).take(3);
    let free = lines.map(|heaps| {
        let is_free = |at: u16| heaps.get(usize::from(at)).is_some_and(|heap| heap.seats == 0);
        let half = (0..columns / 2)
            .take_while(|off| is_free(columns / 2 + off) && (columns / 2).checked_sub(off + 1).is_some_and(is_free));
        canvas::cells(half.count() * 2)
    });
    free.min().unwrap_or_default()
}

/// Seats of each cell, line by line.
fn heaps(widget: &SeatMapWidget<'_>, grain: &Grain) -> Vec<Heap> {
    let chart = widget.chart;
    let Marks { cursor, category, mine, station, .. } = widget.marks;
    let key = CellKey { grain: *grain, on_sale: widget.on_sale(), category, mine, station: station.to_owned() };
    let mut kept = widget.free.cells.0.borrow_mut();
    let mut heaps = match &*kept {
        Some((of, heaps)) if *of == key => heaps.clone(),
        Some(_) | None => kept.insert((key, states(widget, grain))).1.clone(),
    };
    let cursor = cursor.and_then(|seat| chart.layout().position(seat));
    let row = cursor.and_then(|at| chart.rows.iter().find(|row| row.seats.contains(&at)));
    for (cell, _) in row.into_iter().flat_map(|row| row.seats.clone()).flat_map(|index| grain.cells(chart, index)) {
        if let Some(heap) = heaps.get_mut(cell_index(grain, cell)) {
            heap.is_lit = true;
        }
    }
    for (seat, sign) in widget.overlays() {
        for (cell, bit) in chart.layout().position(seat).into_iter().flat_map(|index| grain.cells(chart, index)) {
            if let Some(heap) = heaps.get_mut(cell_index(grain, cell)) {
                heap.mark((seat, bit), sign);
            }
        }
    }
    heaps
}

/// Seats of each cell by their own states.
fn states(widget: &SeatMapWidget<'_>, grain: &Grain) -> Vec<Heap> {
    let (width, height) = grain.size;
    let mut heaps = vec![Heap::default(); usize::from(width) * usize::from(height)];
    let free = widget.free_sign();
    let mut index = 0;
    widget.chart.each_seat(widget.map, |place, state, make| {
        let sign = state.map_or(SeatSign::NotOnSale, |state| widget.sign(make, state, &free));
        for (part, (cell, bit)) in grain.cells(widget.chart, index).enumerate() {
            if let Some(heap) = heaps.get_mut(cell_index(grain, cell)) {
                heap.add((place.seat, bit), (sign, make.category));
                if part == 0 {
                    heap.tell(place.seat, sign);
                }
            }
        }
        index += 1;
    });
    heaps
}

fn cell_index(grain: &Grain, (column, line): (u16, u16)) -> usize {
    usize::from(line) * usize::from(grain.size.0) + usize::from(column)
}

impl Grain {
    fn glyph(&self, bits: u8) -> char {
        if self.is_dots {
            return char::from_u32(0x2800 + u32::from(bits)).unwrap_or('.');
        }
        BLOCKS.get(usize::from(bits)).copied().unwrap_or(' ')
    }

    /// Sign whose letter stands in a cell; cells of dots have too many seats for one.
    fn letter(&self, heap: &Heap) -> Option<SeatSign> {
        heap.told.filter(|_| !self.is_dots && heap.strong.is_none() && heap.free == 0)
    }

    /// Sign of a cell; the categories are told by their colours, or by their digits.
    fn sign(&self, widget: &SeatMapWidget<'_>, heap: &Heap, is_told: bool) -> (char, Style) {
        let (theme, glyphs) = (widget.look.theme, widget.look.glyphs);
        let floor = if heap.is_lit { theme.lit } else { theme.floor };
        let is_plain = widget.look.is_plain();
        if let Some((sign, bits)) = heap.strong {
            return match sign.style(heap.category, theme) {
                style if is_plain => (sign.glyph(glyphs), style),
                // the colour of a ground is too dark for a sign on the floor
                style => (self.glyph(bits), floor.patch(Style { fg: style.fg, bg: style.bg, ..Style::new() })),
            };
        }
        if let Some(sign) = self.letter(heap) {
            return (sign.glyph(glyphs), floor.patch(sign.style(heap.category, theme)));
        }
        if heap.free == 0 {
            let sign = if is_plain { glyphs.sold } else { self.glyph(heap.seats) };
            return (sign, floor.patch(theme.sold));
        }
        let digit = number(heap.category).filter(|_| !is_told);
        (digit.unwrap_or_else(|| self.glyph(heap.free)), floor.patch(theme.category(heap.category)))
    }
}
