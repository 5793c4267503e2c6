//! An order read in full: opened over the list, or shown beside it as a preview of the selected row.
//!
//! Import cycle with `orders` and `listed`: methods of the screen that owns both.

use ratatui::layout::{Constraint, Layout, Rect, Size};

use crate::tui::canvas::{Canvas, Focus};
use crate::tui::context::Context;
use crate::tui::msg::{Answer, Changed, Subject};
use crate::tui::screens::orders::listed::Chosen;
use crate::tui::screens::orders::order::Order;
use crate::tui::screens::orders::reserved::Reserved;
use crate::tui::shared::Shared;

/// Minimum width of a terminal that shows the selected order beside the list.
const PREVIEW_FROM: u16 = 120;
/// Minimum width of the preview.
const PREVIEW_MIN: u16 = 52;

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

    pub(super) const fn chosen(&self) -> Chosen {
        match self {
            Self::Receipt(order) => Chosen::Receipt(order.id),
            Self::Reservation(reserved) => Chosen::Reservation(reserved.id),
        }
    }

    pub(super) fn ask(&mut self, context: &mut Context<'_>) {
        match self {
            Self::Receipt(order) => order.ask(context),
            Self::Reservation(reserved) => reserved.ask(context),
        }
    }

    pub(super) fn answer(&mut self, number: u64, answer: Answer, context: &mut Context<'_>) {
        match (self, answer) {
            (Self::Receipt(order), Answer::Receipt(view)) => {
                context.settle(&mut order.view, number, view);
                order.seats.keep(order.view.value().map_or(&[], |view| &view.lines));
            }
            (Self::Reservation(reserved), Answer::Cart(view)) => {
                context.settle(&mut reserved.view, number, view);
                reserved.seats.keep(reserved.view.value().map_or(&[], |view| &view.lines));
            }
            (Self::Receipt(_) | Self::Reservation(_), _) => {}
        }
    }

    /// Reads the order again if the change touches it.
    pub(super) fn changed(&mut self, changed: &Changed, context: &mut Context<'_>) {
        let mine = match self.chosen() {
            Chosen::Receipt(receipt) => Subject::Receipt(receipt),
            Chosen::Reservation(cart) => Subject::Cart(cart),
        };
        if changed.touches(|subject| subject == mine) {
            self.ask(context);
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

    /// True once the order is read, or has failed to be.
    pub(super) fn is_read(&self) -> bool {
        match self {
            Self::Receipt(order) => !order.view.is_pending(),
            Self::Reservation(reserved) => !reserved.view.is_pending(),
        }
    }
}

/// True if the terminal has room for a preview.
pub(super) const fn has_preview(size: Size) -> bool {
    size.width >= PREVIEW_FROM
}

/// Splits the screen into list and preview.
pub(super) fn split(area: Rect) -> [Rect; 2] {
    let preview = (area.width * 2 / 5).max(PREVIEW_MIN);
    area.layout(&Layout::horizontal([Constraint::Fill(1), Constraint::Length(preview)]))
}
