//! An opened receipt: purchase, payment, remaining seats, and tickets to print again.

use crate::domain::ids::ReceiptId;
use crate::engine::ops::{HandOver, TicketsTo};
use crate::engine::reads::receipts::{ReadReceipt, ReceiptView};
use crate::formats::{receipt, ticket};
use crate::tui::action::Action;
use crate::tui::context::Context;
use crate::tui::dialogs::give_back::GiveBack;
use crate::tui::go::Go;
use crate::tui::printing::{sheet, tickets};
use crate::tui::remote::Remote;
use crate::tui::screens::orders::seat_list::SeatList;
use crate::tui::screens::{Click, Handled};
use crate::tui::ticket::TicketOwner;
use crate::tui::wording;

/// Lines of paper a page.
const PAGE: usize = 8;

#[derive(Debug)]
pub(super) struct Order {
    pub(super) id: ReceiptId,
    pub(super) view: Remote<ReadReceipt, Box<ReceiptView>>,
    pub(super) seats: SeatList,
    pub(super) paper: Paper,
    /// First line of paper in view.
    pub(super) scrolled: usize,
}

/// Paper on the screen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Paper {
    #[default]
    Receipt,
    Tickets,
}

impl Order {
    pub(super) fn new(id: ReceiptId) -> Self {
        Self {
            id,
            view: Remote::default(),
            seats: SeatList::default(),
            paper: Paper::default(),
            scrolled: 0,
        }
    }

    pub(super) fn ask(&mut self, context: &mut Context<'_>) {
        context.load(&mut self.view, ReadReceipt(self.id));
    }

    pub(super) fn act(&mut self, action: Action, context: &mut Context<'_>) -> Handled {
        match Some(action) {
            Some(Action::PageUp) => self.scrolled = self.scrolled.saturating_sub(PAGE),
            Some(Action::PageDown) => {
                let lines = self.paper_lines().len();
                self.scrolled = (self.scrolled + PAGE).min(lines.saturating_sub(PAGE));
            }
            Some(Action::NextStop | Action::PreviousStop) => self.turn_paper(),
            Some(Action::TicketsAgain) => self.print(context),
            Some(Action::Collect) => self.hand_over(context),
            Some(Action::Refund) => self.give_back(context),
            Some(Action::Copy) => self.copy(context),
            _ => {
                let lines = self.view.value().map_or(&[][..], |view| &view.lines);
                return self.seats.act(action, lines, context);
            }
        }
        Handled::Yes
    }

    pub(super) fn click(&mut self, index: usize, click: Click, context: &mut Context<'_>) {
        let lines = self.view.value().map_or(&[][..], |view| &view.lines);
        self.seats.click((index, click), lines, context);
    }

    fn turn_paper(&mut self) {
        self.scrolled = 0;
        self.paper = match self.paper {
            Paper::Receipt => Paper::Tickets,
            Paper::Tickets => Paper::Receipt,
        };
    }

    /// Shows the tickets, and opens the choice of a printer.
    fn print(&mut self, context: &mut Context<'_>) {
        self.paper = Paper::Tickets;
        self.scrolled = 0;
        context.go(Go::PrintAgain(self.id));
    }

    /// Keeps the tickets at the desk until they are collected; tickets already waiting there are handed over.
    fn hand_over(&mut self, context: &mut Context<'_>) {
        let Some(view) = self.view.value() else {
            return;
        };
        let to = if view.receipt.tickets.wait() {
            TicketsTo::Customer
        } else {
            TicketsTo::Desk
        };
        let receipt = self.id;
        context.run_for(TicketOwner::Handover, HandOver { receipt, to });
    }

    /// Opens the dialog that gives back the marked seats, or all that is left.
    fn give_back(&mut self, context: &mut Context<'_>) {
        let Some(view) = self.view.value() else {
            return;
        };
        let (cells, names) = self.seats.marked(&view.lines);
        let what = if names.is_empty() {
            "all".to_owned()
        } else {
            wording::span_of(&names)
        };
        let title = format!("{what} of {}", view.receipt.number);
        let cells = (!cells.is_empty()).then_some(cells);
        let id = self.id;
        context.open(|context| GiveBack::order((id, cells), title, context));
        self.seats.unmark();
    }

    fn copy(&self, context: &mut Context<'_>) {
        if let Some(view) = self.view.value() {
            let number = view.receipt.number.clone();
            context.copy(number);
        }
    }

    /// Lines of the paper on the screen.
    pub(super) fn paper_lines(&self) -> Vec<String> {
        let Some(view) = self.view.value() else {
            return Vec::new();
        };
        let text = match self.paper {
            Paper::Receipt => receipt::text(&sheet(view)),
            Paper::Tickets => ticket::text(&tickets(view)),
        };
        text.lines().map(str::to_owned).collect()
    }
}
