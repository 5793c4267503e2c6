//! An opened receipt: purchase, payment, remaining seats, and tickets to print again.

use crate::domain::ids::ReceiptId;
use crate::domain::loss::CellGroup;
use crate::engine::ops::{HandOver, ReturnCells, TicketsTo};
use crate::engine::reads::carts::LineView;
use crate::engine::reads::receipts::{ReadReceipt, ReceiptView};
use crate::formats::{receipt, ticket};
use crate::tui::data::desk_act::DeskAct;
use crate::tui::data::own_cart::CartWish;
use crate::tui::dialogs::give_back::GiveBackDialog;
use crate::tui::kit::action::Action;
use crate::tui::kit::context::{Context, Go};
use crate::tui::kit::prompt::Prompt;
use crate::tui::kit::screen::{Click, Handled};
use crate::tui::kit::shared::Shared;
use crate::tui::screens::orders::seat_list::SeatList;
use crate::words;
use crate::words::printing::{sheet, tickets};

/// Lines of paper a page.
const PAGE: usize = 8;

#[derive(Debug)]
pub(super) struct Order {
    pub(super) id: ReceiptId,
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

/// Chosen cells, none for all that is left; words for them, and for all if no seat was marked.
type ChosenCells = (Option<Vec<CellGroup>>, (String, Option<String>));

impl Order {
    pub(super) fn new(id: ReceiptId) -> Self {
        Self { id, seats: SeatList::default(), paper: Paper::default(), scrolled: 0 }
    }

    pub(super) const fn question(&self) -> ReadReceipt {
        ReadReceipt(self.id)
    }

    pub(super) fn view<'s>(&self, shared: &'s Shared) -> Option<&'s ReceiptView> {
        shared.reads.get(&self.question()).map(|view| &**view)
    }

    pub(super) fn lines<'s>(&self, shared: &'s Shared) -> &'s [LineView] {
        self.view(shared).map_or(&[], |view| &view.lines)
    }

    pub(super) fn act(&mut self, action: Action, context: &mut Context<'_>) -> Handled {
        match Some(action) {
            Some(Action::PageUp) => self.scrolled = self.scrolled.saturating_sub(PAGE),
            Some(Action::PageDown) => {
                let lines = self.paper_lines(context.shared).len();
                self.scrolled = (self.scrolled + PAGE).min(lines.saturating_sub(PAGE));
            }
            Some(Action::NextStop | Action::PreviousStop) => self.turn_paper(),
            Some(Action::TicketsAgain) => self.print(context),
            Some(Action::Collect) => self.hand_over(context),
            Some(Action::Refund) => self.give_back(context),
            Some(Action::Move) => self.exchange(context),
            Some(Action::Copy) => self.copy(context),
            _ => {
                let lines = self.lines(context.shared).to_vec();
                return self.seats.act(action, &lines, context);
            }
        }
        Handled::Yes
    }

    pub(super) fn click(&mut self, index: usize, click: Click, context: &mut Context<'_>) {
        let lines = self.lines(context.shared).to_vec();
        self.seats.click((index, click), &lines, context);
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
        context.open(Prompt::tickets_again(self.id, context.shared));
    }

    /// Keeps the tickets at the desk until they are collected; tickets already waiting there are handed over,
    /// and printed if they never were.
    fn hand_over(&mut self, context: &mut Context<'_>) {
        let Some(view) = self.view(context.shared) else {
            return;
        };
        let to = if view.receipt.tickets.wait() { TicketsTo::Customer } else { TicketsTo::Desk };
        let prints = context.shared.printer.is_some();
        context.act(DeskAct::run(HandOver { prints, ..HandOver::new(self.id, to) }));
    }

    /// The marked seats, or the one under the cursor, with words for them, and for all that is left if none was marked; the
    /// marks are taken away.
    fn take_chosen(&mut self, shared: &Shared) -> Option<ChosenCells> {
        let view = self.view(shared)?;
        let number = &view.receipt.number;
        let whole = (!self.seats.has_marks()).then(|| format!("all of {number}"));
        let (cells, names) = self.seats.chosen(&view.lines);
        self.seats.unmark();
        let words = match names.as_slice() {
            [] => format!("all of {number}"),
            names => format!("{} of {number}", words::span_of(names)),
        };
        Some((Some(cells).filter(|cells| !cells.is_empty()), (words, whole)))
    }

    /// Opens the dialog that gives back the marked seats, or the one under the cursor.
    fn give_back(&mut self, context: &mut Context<'_>) {
        let id = self.id;
        if let Some((cells, words)) = self.take_chosen(context.shared) {
            context.open(GiveBackDialog::order((id, cells), words, context.shared));
        }
    }

    /// Brings the marked seats, or the one under the cursor, back with this desk's cart, and opens the map for others.
    fn exchange(&mut self, context: &mut Context<'_>) {
        let Some((cells, (words, _))) = self.take_chosen(context.shared) else {
            return;
        };
        let bring = ReturnCells { cart: None, receipt: self.id, cells };
        context.want(CartWish::Return(bring, words));
        let night = self.lines(context.shared).iter().find_map(LineView::performance);
        let go = night.map_or(Go::Act(Action::ShowSeats), |night| Go::sell(night.id));
        context.go(go);
    }

    fn copy(&self, context: &mut Context<'_>) {
        if let Some(view) = self.view(context.shared) {
            let number = view.receipt.number.clone();
            context.copy(number);
        }
    }

    /// Lines of the paper on the screen.
    pub(super) fn paper_lines(&self, shared: &Shared) -> Vec<String> {
        let Some(view) = self.view(shared) else {
            return Vec::new();
        };
        let text = match self.paper {
            Paper::Receipt => receipt::text(&sheet(view)),
            Paper::Tickets => ticket::text(&tickets(view)),
        };
        text.lines().map(str::to_owned).collect()
    }
}
