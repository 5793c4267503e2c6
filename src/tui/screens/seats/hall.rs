//! Drawing of Seats: the map above the row of the cursor, and beside it the cart, prices, signs and zones.

use ratatui::layout::Rect;

use crate::domain::plan::SeatRef;
use crate::domain::refusal::Refusal;
use crate::engine::reads::carts::LineView;
use crate::engine::reads::seat_map::{ReadSeatMap, SeatMap};
use crate::tui::kit::canvas::{
    Canvas, after, cells, first_columns, first_rows, from_row, inset, last_columns, last_row, row,
};
use crate::tui::kit::shared::Shared;
use crate::tui::kit::targets::Target;
use crate::tui::screens::seats::panel::{self, Pointing};
use crate::tui::screens::seats::{Seats, SeatsFocus, aside, programme};
use crate::tui::widgets::legend::{self, PriceChoice};
use crate::tui::widgets::lines::flow;
use crate::tui::widgets::seat_map::{MapZoom, Marks, SeatMapWidget, SignsSeen, Stand, stage_line};

/// Width of the panel with the cart, and least width of a terminal that has it.
const PANEL_COLUMNS: u16 = 34;
const PANEL_FROM: u16 = 96;
/// Width of the margin where the cart is a line at the foot, and least width of a terminal that has it.
const MARGIN_COLUMNS: u16 = 14;
const MARGIN_FROM: u16 = 76;
/// Least height of a screen with two lines about a seat.
const TALL_FROM: u16 = 25;
/// Lines of the seats near the cursor, beside a house whose seats are small, and their heading.
const LENS: usize = 6;
const NEAR: &str = "Near the cursor";
/// Least lines of the cart above prices.
const CART_LEAST: u16 = 11;
/// Columns of a stage named beside the title.
const STAGE: (u16, u16) = (19, 36);

/// Areas of the screen.
#[derive(Clone, Copy)]
struct Parts {
    head: Rect,
    map: Rect,
    /// Standing room below the seats.
    areas: Rect,
    /// Lines about the seat under the cursor.
    words: Rect,
    strip: Rect,
    /// Prices, signs and zones; the cart too where it has no line of its own.
    side: Rect,
    /// Cart in a line.
    cart: Option<Rect>,
}

impl Parts {
    /// Cart, prices, signs and zones in a panel at the right.
    fn with_panel(area: Rect) -> Self {
        let left = first_columns(area, area.width - PANEL_COLUMNS - 1);
        Self {
            side: last_columns(area, PANEL_COLUMNS),
            ..Self::lines(left, if area.height >= TALL_FROM { 2 } else { 1 })
        }
    }

    /// Cart in a line at the foot, the rest in a margin beside the map.
    fn with_margin(area: Rect, words: u16) -> Self {
        let cart = last_row(area);
        let parts = Self::lines(first_rows(area, area.height.saturating_sub(1)), words);
        let margin = if area.width >= MARGIN_FROM { MARGIN_COLUMNS } else { 0 };
        let inner = Rect { x: area.x, width: area.width, ..parts.map };
        let map = inset(first_columns(inner, area.width - margin));
        Self { map, side: last_columns(inner, margin), cart: Some(cart), ..parts }
    }

    fn lines(area: Rect, words: u16) -> Self {
        let strip = last_row(area);
        let end = area.height.saturating_sub(words + 1).max(1);
        let map = inset(first_rows(from_row(area, 1), end - 1));
        Self {
            head: row(area, 0),
            map,
            areas: Rect::default(),
            words: first_rows(from_row(area, end), words),
            strip,
            side: Rect::default(),
            cart: None,
        }
    }
}

impl Seats {
    pub(super) fn draw(&self, shared: &Shared, area: Rect, canvas: &mut Canvas<'_>) {
        let parts = self.parts(area);
        let aside = aside::words(shared, parts.side.width.saturating_sub(4));
        let pointing = Pointing {
            aside: aside.as_deref(),
            selected: self.in_cart.key().copied().filter(|_| self.stop == SeatsFocus::Cart),
            cursor: self.performance.zip(self.cursor),
        };
        let side = self.map_parts(shared, parts, canvas);
        match parts.cart {
            Some(line) if self.has_marks() && parts.words.height == 0 => self.seat_line(shared, line, canvas),
            Some(line) if self.refusal(shared).is_none() => panel::view(shared, pointing, line, canvas),
            Some(_) => {}
            None => panel::view(shared, pointing, side, canvas),
        }
    }

    /// Cells of the map in a terminal of this size.
    pub(crate) fn map_area(&self, shared: &Shared) -> Rect {
        self.parts(Rect::new(0, 1, shared.size.width, shared.size.height.saturating_sub(3))).map
    }

    /// The arrangement that lets the larger seats in: the cart at the side, which is enough where seats have their numbers,
    /// or as a line at the foot.
    fn parts(&self, area: Rect) -> Parts {
        let panel = (area.width >= PANEL_FROM).then(|| Parts::with_panel(area));
        let ways = panel.into_iter().chain([1, 0].map(|words| Parts::with_margin(area, words)));
        let opening = |parts: &Parts| {
            let chart = self.chart.as_ref().map(|(_, chart)| chart);
            let stand = chart.map(|chart| Stand { chart, area: parts.map, cursor: self.cursor });
            stand.map_or(MapZoom::default(), MapZoom::opening).max(MapZoom::Three)
        };
        let ways = ways.map(|parts| {
            let [map, areas] = self.with_areas(parts.map);
            Parts { map, areas, ..parts }
        });
        ways.min_by_key(opening).unwrap_or_else(|| Parts::with_margin(area, 1))
    }

    /// Draws everything but the cart; returns the area that is left for it at the side.
    fn map_parts(&self, shared: &Shared, parts: Parts, canvas: &mut Canvas<'_>) -> Rect {
        let (Some(map), Some((_, chart))) = (self.map(), &self.chart) else {
            self.no_map(shared, parts.map, canvas);
            return self.side(None, shared, (parts, canvas));
        };
        let asked: Vec<SeatRef> = self.performance.iter().flat_map(|id| shared.cart.asked(*id)).collect();
        let refused = if shared.cart.refused_blink(shared.now) { Vec::new() } else { self.refused_seats(map, shared) };
        let marks = Marks {
            cursor: self.cursor,
            by: self.stands_by(),
            typing: self.followed.or(self.lit.as_ref().and(self.cursor)),
            marked: self.lit.as_ref().map_or(&self.marked, |lit| lit_seats(lit)),
            asked: &asked,
            refused: &refused,
            lit: &[],
            bought: &self.bought(shared),
            mine: shared.cart.view().map(|view| view.cart.id),
            station: &shared.station,
            category: self.category,
            free: self.free,
        };
        self.draw_areas(parts.areas, shared, canvas);
        canvas.hit(parts.map, Target::Map);
        let zoom = self.zoom_in_area(parts.map, shared);
        let widget = SeatMapWidget { chart, map, free: &self.counted, marks, zoom, look: shared.look() };
        let seen = widget.draw(parts.map, canvas);
        self.title_line(shared, (parts, seen), canvas);
        self.foot(&widget, shared, (parts, canvas));
        self.side(Some((&widget, seen)), shared, (parts, canvas))
    }

    /// Draws title and free seats, and between them the stage where the map has no line for it.
    fn title_line(&self, shared: &Shared, (parts, seen): (Parts, SignsSeen), canvas: &mut Canvas<'_>) {
        let area = parts.head;
        let right = self.other_night(shared, area.width).unwrap_or_else(|| self.free_words(shared));
        canvas.line(last_columns(area, cells(right.width())), &right);
        let room = area.width.saturating_sub(cells(right.width()) + 1);
        let stage = self.layout().and_then(|layout| layout.stage.as_ref()).filter(|_| !seen.has_stage && !seen.is_cut);
        let least = stage.map_or(0, |_| STAGE.0 + 2);
        let title = self.title(shared, room.saturating_sub(least));
        canvas.line(first_columns(area, room), &title);
        let from = cells(title.width()) + 2;
        if let (Some(stage), Some(free)) = (stage, room.checked_sub(from).filter(|free| *free >= STAGE.0)) {
            let columns = free.min(STAGE.1);
            let middle = (parts.map.width.saturating_sub(columns) / 2).clamp(from, room - columns);
            let text = stage_line(&stage.text, columns, shared.glyphs.stage);
            canvas.text(after(area, middle), &text, shared.theme.stage);
        }
    }

    /// Draws the row of the cursor with the words about its seat above or beside it; a refusal takes their place.
    fn foot(&self, widget: &SeatMapWidget<'_>, shared: &Shared, (parts, canvas): (Parts, &mut Canvas<'_>)) {
        if let Some(refusal) = self.refusal(shared) {
            let lines = parts.words.height + 1 + u16::from(parts.cart.is_some());
            let y = if parts.words.height > 0 { parts.words.y } else { parts.strip.y };
            let area = after(Rect { y, height: lines, ..parts.strip }, 1);
            refusal.draw(area, canvas);
            return;
        }
        let used = widget.draw_strip(parts.strip, canvas);
        if parts.words.height > 0 {
            self.seat_lines(widget.map, shared, (after(parts.words, 1), canvas));
        } else if !self.has_marks() {
            self.seat_line(shared, after(parts.strip, used + 1), canvas);
        }
    }

    /// Draws as many phrases about the marked seats, or the one under the cursor, as one line holds.
    fn seat_line(&self, shared: &Shared, area: Rect, canvas: &mut Canvas<'_>) {
        let Some(map) = self.map() else { return };
        let phrases = if self.marked.is_empty() {
            self.cursor.map_or_else(Vec::new, |seat| self.seat_phrases(map, seat, shared))
        } else {
            self.marked_phrases(map, shared)
        };
        // the phrases that the strip has already come last
        flow(after(first_rows(area, 1), u16::from(self.has_marks())), &phrases, canvas);
    }

    /// Draws prices, zones, where seats are small those near the cursor in squares, and signs in view; returns the area
    /// above them, for the cart.
    fn side(
        &self,
        drawn: Option<(&SeatMapWidget<'_>, SignsSeen)>,
        shared: &Shared,
        (parts, canvas): (Parts, &mut Canvas<'_>),
    ) -> Rect {
        if parts.side.width > 0 && parts.cart.is_none() {
            let side = shared.glyphs.side.to_string();
            for cell in (Rect { x: parts.side.x - 1, width: 1, ..parts.side }).rows() {
                canvas.text(cell, &side, shared.theme.border);
            }
        }
        let area = after(parts.side, 1);
        let Some((widget, seen)) = drawn.filter(|_| area.width > 0) else {
            return area;
        };
        let left = legend::left(widget.map);
        let offered = left.iter().filter(|one| one.free > 0 || self.category == Some(one.category)).count();
        let signs = seen.words(shared.look()).count();
        let zones = Some(widget.map.plan.zones.len()).filter(|zones| *zones > 1).unwrap_or_default();
        let is_margin = parts.cart.is_some();
        let (gap, signs) = if is_margin { (1, signs) } else { (2, signs.div_ceil(2)) };
        let room = area.height.saturating_sub(if is_margin { 0 } else { CART_LEAST });
        let mut used = u16::from(!is_margin);
        let is_small = matches!(widget.zoom, MapZoom::Quadrants | MapZoom::Dots);
        let lens = if is_small && !is_margin { LENS } else { 0 };
        // lists that fit, by their worth
        let lists = [("Prices", offered), ("Zones", zones), (NEAR, lens), ("Signs", signs)].map(|(name, lines)| {
            let lines =
                Some(cells(lines) + gap).filter(|wanted| lines > 0 && used + wanted <= room + u16::from(is_margin));
            used += lines.unwrap_or_default();
            (name, lines)
        });
        let top = if is_margin { 0 } else { area.height - used };
        let mut rest = from_row(area, if is_margin { 0 } else { top + 1 });
        for (name, lines) in lists {
            let Some(lines) = lines else { continue };
            let list = first_rows(rest, lines);
            rest = from_row(rest, lines);
            if !is_margin {
                canvas.text(row(list, 0), name, shared.theme.title);
                if name == "Prices" || name == "Zones" {
                    canvas.text_right(first_columns(row(list, 0), list.width - 1), "free", shared.theme.quiet);
                }
            }
            let list = first_rows(from_row(list, gap - 1), lines - gap);
            match name {
                "Prices" => {
                    let chosen = PriceChoice { category: self.category, free: self.free };
                    legend::prices(list, (&left, widget.map.performance.currency), chosen, canvas);
                }
                "Zones" => {
                    widget.draw_zones(list, canvas);
                }
                NEAR => {
                    SeatMapWidget { zoom: MapZoom::Squares, ..*widget }.draw(list, canvas);
                }
                _ => {
                    legend::signs(list, seen, canvas);
                }
            }
        }
        first_rows(area, top)
    }

    fn no_map(&self, shared: &Shared, area: Rect, canvas: &mut Canvas<'_>) {
        let empty = shared.reads.get(&programme(shared)).is_some_and(Vec::is_empty);
        let missing = self.performance.and_then(|performance| shared.in_place_of(&ReadSeatMap(performance)));
        let how = shared.keyed("<tonight.new-night> on Tonight adds one.");
        let lines: &[&str] = if empty && self.performance.is_none() {
            &["No performance is planned.", &how]
        } else {
            &[&missing.unwrap_or_else(|| shared.still_to_come())]
        };
        for (line, text) in (1..).zip(lines) {
            canvas.text(after(row(area, line), 2), text, shared.theme.quiet);
        }
    }

    fn refused_seats(&self, map: &SeatMap, shared: &Shared) -> Vec<SeatRef> {
        let Some(refused) = shared.cart.refused().filter(|refused| refused.performance == self.performance) else {
            return Vec::new();
        };
        let Refusal::Taken { facts, .. } = &refused.refusal else {
            return Vec::new();
        };
        let named = |name: &str| facts.iter().any(|gone| gone.seat() == Some(name));
        map.plan.seats().filter(|(_, seat)| named(&seat.name)).map(|(at, _)| at).collect()
    }

    /// Seats of the last sale, for as long as the panel shows it.
    fn bought(&self, shared: &Shared) -> Vec<SeatRef> {
        let lines = shared.cart.sold().map_or(&[][..], |sold| &sold.lines);
        let here = |line: &&LineView| self.performance.is_some_and(|id| line.is_of(id));
        let seats = lines.iter().filter(here).flat_map(LineView::seats);
        seats.map(|(seat, _)| *seat).collect()
    }
}

fn lit_seats(lit: &super::best_seats::SuggestedSeats) -> &[SeatRef] {
    lit.seats()
}
