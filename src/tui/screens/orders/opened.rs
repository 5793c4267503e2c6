//! An order read in full: opened over the list, or shown beside it as a preview of the selected row.

use ratatui::layout::{Constraint, Layout, Rect, Size};

use crate::domain::plan::SeatRef;
use crate::domain::text::clean;
use crate::engine::reads::carts::{LineView, PerformanceLabel};
use crate::engine::reads::seat_map::ReadSeatMap;
use crate::engine::reads::worklist::OrderId;
use crate::tui::data::msg::Query;
use crate::tui::data::reads::Needs;
use crate::tui::kit::canvas::{Canvas, Focus, inset};
use crate::tui::kit::shared::Shared;
use crate::tui::screens::orders::order::Order;
use crate::tui::screens::orders::reserved::Reserved;
use crate::tui::widgets::seat_map::{Marks, WholeHouse};
use crate::words;

/// Minimum width of a terminal that shows the selected order beside the list.
const PREVIEW_FROM: u16 = 100;
/// Minimum width of the preview, and of one with a paper in it, which a wide terminal has.
const PREVIEW_MIN: u16 = 42;
const WITH_PAPER: u16 = 52;
const PAPER_FROM: u16 = 120;
/// Minimum size of a preview with the house in it, and the most lines of that house.
const WITH_HOUSE: (u16, u16) = (60, 36);
const HOUSE_LINES: u16 = 26;

#[derive(Debug)]
pub(super) enum OpenOrder {
    Receipt(Order),
    Reservation(Reserved),
}

impl OpenOrder {
    pub(super) fn new(chosen: OrderId) -> Self {
        match chosen {
            OrderId::Receipt(receipt) => Self::Receipt(Order::new(receipt)),
            OrderId::Reservation(cart) => Self::Reservation(Reserved::new(cart)),
        }
    }

    pub(super) fn question(&self) -> Query {
        match self {
            Self::Receipt(order) => order.question().into(),
            Self::Reservation(reserved) => reserved.question().into(),
        }
    }

    /// Keeps the cursor on its seat.
    pub(super) fn came(&mut self, question: &Query, shared: &Shared) {
        if *question != self.question() {
            return;
        }
        match self {
            Self::Receipt(order) => order.seats.keep(order.lines(shared)),
            Self::Reservation(reserved) => reserved.seats.keep(reserved.lines(shared)),
        }
    }

    fn lines<'s>(&self, shared: &'s Shared) -> &'s [LineView] {
        match self {
            Self::Receipt(order) => order.lines(shared),
            Self::Reservation(reserved) => reserved.lines(shared),
        }
    }

    /// Performance of its seats, the first of several.
    fn night<'s>(&self, shared: &'s Shared) -> Option<&'s PerformanceLabel> {
        self.lines(shared).iter().find_map(LineView::performance)
    }

    /// Needs the house that is drawn beside or below it, where the terminal has room.
    pub(super) fn needs_house(&self, shared: &Shared, needs: &mut Needs) {
        if let Some(night) = self.night(shared).filter(|_| has_preview(shared.size)) {
            needs.typed(ReadSeatMap(night.id));
        }
    }

    /// Draws the order: at the left seats, acts and paper, at the right its seats lit on the house.
    pub(super) fn draw(&self, shared: &Shared, (area, house): (Rect, &WholeHouse), canvas: &mut Canvas<'_>) {
        let has_house = has_preview(shared.size) && self.night(shared).is_some();
        let [order, hall] = area.layout(&Layout::horizontal([
            Constraint::Length(if has_house { WITH_PAPER } else { area.width }),
            Constraint::Fill(1),
        ]));
        match self {
            Self::Receipt(order_of) if has_house => order_of.draw_column(shared, (order, Focus::Here), canvas),
            Self::Receipt(order_of) => order_of.draw(shared, order, canvas),
            Self::Reservation(reserved) => reserved.draw(shared, (order, Focus::Here), canvas),
        }
        if has_house {
            self.draw_house(shared, (hall, house), canvas);
        }
    }

    /// Draws the order beside the list; in a wide terminal with its seats lit on the house, below them.
    pub(super) fn draw_preview(&self, shared: &Shared, (area, house): (Rect, &WholeHouse), canvas: &mut Canvas<'_>) {
        let has_house = area.width >= WITH_HOUSE.0 && area.height >= WITH_HOUSE.1 && self.night(shared).is_some();
        let lines = if has_house { (area.height / 2).min(HOUSE_LINES) } else { 0 };
        let [order, hall] = area.layout(&Layout::vertical([Constraint::Fill(1), Constraint::Length(lines)]));
        match self {
            Self::Receipt(of) => of.draw_column(shared, (order, Focus::Elsewhere), canvas),
            Self::Reservation(reserved) => reserved.draw(shared, (order, Focus::Elsewhere), canvas),
        }
        if has_house {
            self.draw_house(shared, (hall, house), canvas);
        }
    }

    fn draw_house(&self, shared: &Shared, (area, house): (Rect, &WholeHouse), canvas: &mut Canvas<'_>) {
        let Some(night) = self.night(shared) else { return };
        let when = words::day_time(night.start, shared.here().in_zone(night.zone));
        let titles = [clean(&format!("{}, {}", night.title, night.theater)), when];
        let inner = inset(canvas.panel(area, titles, Focus::Elsewhere));
        let question = ReadSeatMap(night.id);
        let Some(map) = shared.reads.get(&question).filter(|map| house.knows(map)) else {
            canvas.note(inner, &shared.in_place_of(&question).unwrap_or_default());
            return;
        };
        let gone = |line: &LineView, seat| match self {
            Self::Receipt(order) => {
                order.view(shared).is_some_and(|view| view.receipt.gone(line.id.number, seat).is_some())
            }
            Self::Reservation(_) => false,
        };
        let lines = self.lines(shared).iter().filter(|line| line.is_of(night.id));
        let seats = lines.flat_map(|line| line.named().map(move |(seat, _)| (line, seat)));
        let lit: Vec<SeatRef> = seats.filter(|(line, seat)| !gone(line, *seat)).map(|(_, seat)| seat).collect();
        let marks = Marks { station: &shared.station, lit: &lit, ..Marks::default() };
        house.draw((map, marks), inner, canvas);
    }
}

/// True if the terminal has room for a preview.
pub(super) const fn has_preview(size: Size) -> bool {
    size.width >= PREVIEW_FROM
}

/// Splits the screen into list and preview.
pub(super) fn split(area: Rect) -> [Rect; 2] {
    let preview = (area.width * 2 / 5).max(if area.width < PAPER_FROM { PREVIEW_MIN } else { WITH_PAPER });
    area.layout(&Layout::horizontal([Constraint::Fill(1), Constraint::Length(preview)]))
}
