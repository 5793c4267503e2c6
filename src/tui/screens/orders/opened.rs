//! An order read in full: opened over the list, or shown beside it as a preview of the selected row.
//!
//! Import cycle with `orders` and `listed`: methods of the screen that owns both.

use ratatui::layout::{Constraint, Layout, Rect, Size};

use crate::tui::data::msg::Query;
use crate::tui::kit::canvas::{Canvas, Focus};
use crate::tui::kit::shared::Shared;
use crate::tui::screens::orders::listed::Chosen;
use crate::tui::screens::orders::order::Order;
use crate::tui::screens::orders::reserved::Reserved;

/// Minimum width of a terminal that shows the selected order beside the list.
const PREVIEW_FROM: u16 = 100;
/// Minimum width of the preview, and of one with a paper in it, which a wide terminal has.
const PREVIEW_MIN: u16 = 42;
const WITH_PAPER: u16 = 52;
const PAPER_FROM: u16 = 120;

#[derive(Debug)]
pub(super) enum OpenOrder {
    Receipt(Order),
    Reservation(Reserved),
}

impl OpenOrder {
    pub(super) fn new(chosen: Chosen) -> Self {
        match chosen {
            Chosen::Receipt(receipt) => Self::Receipt(Order::new(receipt)),
            Chosen::Reservation(cart) => Self::Reservation(Reserved::new(cart)),
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

    pub(super) fn draw(&self, shared: &Shared, area: Rect, canvas: &mut Canvas<'_>) {
        match self {
            Self::Receipt(order) => order.draw(shared, area, canvas),
            Self::Reservation(reserved) => reserved.draw(shared, (area, Focus::Here), canvas),
        }
    }

    pub(super) fn draw_preview(&self, shared: &Shared, area: Rect, canvas: &mut Canvas<'_>) {
        match self {
            Self::Receipt(order) => order.draw_preview(shared, area, canvas),
            Self::Reservation(reserved) => {
                reserved.draw(shared, (area, Focus::Elsewhere), canvas);
            }
        }
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
