//! Orders: unpaid reservations by pay-by time, then receipts, newest first, with an opened order beside them.
//!
//! A receipt never changes once issued; only its remaining seats and its number of prints do. The list is read in
//! pages of a hundred; moving past the last row reads the next page.

use crate::domain::ids::{CartId, ReceiptId};
use crate::engine::Failure;
use crate::engine::reads::carts::ReadReservations;
use crate::engine::reads::receipts::{ReadReceipts, ReceiptRow};
use crate::tui::action::Action;
use crate::tui::context::Context;
use crate::tui::go::{Go, PromptPurpose};
use crate::tui::keymap::KeyPlace;
use crate::tui::list::Cursor;
use crate::tui::msg::{Answer, Changed, Finished, Subject};
use crate::tui::pages::Pages;
use crate::tui::screens::{Click, Handled};
use crate::tui::shared::{Shared, Tone};
use crate::tui::stale::Stale;
use crate::tui::targets::{List, Target};

mod goto;
mod listed;
mod opened;
mod order;
mod order_view;
mod reserved;
mod seat_list;
#[cfg(test)]
mod tests;
mod view;

use listed::{Chosen, Listed};
use opened::{OpenOrder, has_preview};

/// State of the screen Orders.
#[derive(Debug, Default)]
pub(crate) struct Orders {
    rows: Pages<ReadReceipts>,
    reservations: Pages<ReadReservations>,
    stale: Stale,
    /// Local day to list, as an offset from today; none for all days.
    day: Option<i64>,
    filter: Filter,
    sort: Sort,
    selected: Cursor<Chosen>,
    open: Option<OpenOrder>,
    /// Selected order, shown beside the list on a wide terminal.
    preview: Option<OpenOrder>,
}

/// Filter of the list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Filter {
    #[default]
    All,
    /// Reservations only.
    Unpaid,
    /// Receipts of this station.
    Station,
    /// Receipts that lost a seat.
    Lost,
    /// Receipts whose tickets wait at the desk.
    ToCollect,
}

/// Sort order of receipts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Sort {
    #[default]
    Newest,
    Customer,
    Largest,
}

impl Orders {
    pub(crate) fn enter(&mut self, context: &mut Context<'_>) {
        match &mut self.open {
            Some(open) => open.ask(context),
            None => self.ask(context),
        }
        self.preview(context);
    }

    pub(crate) fn open(&mut self, receipt: ReceiptId, context: &mut Context<'_>) {
        self.open_chosen(Chosen::Receipt(receipt), context);
    }

    pub(crate) fn open_reservation(&mut self, cart: CartId, context: &mut Context<'_>) {
        self.open_chosen(Chosen::Reservation(cart), context);
    }

    fn open_chosen(&mut self, chosen: Chosen, context: &mut Context<'_>) {
        self.selected = Cursor::on(chosen);
        let mut open = OpenOrder::new(chosen);
        open.ask(context);
        self.open = Some(open);
    }

    /// Reads the selected order for the preview, one order at a time: while one is on its way, the cursor may move on.
    pub(crate) fn preview(&mut self, context: &mut Context<'_>) {
        let selected = self.selected.key().copied();
        let Some(chosen) = selected.filter(|_| has_preview(context.shared.size)) else {
            self.preview = None;
            return;
        };
        let shown = self.preview.as_ref();
        if shown.is_some_and(|shown| shown.chosen() == chosen || !shown.is_read()) {
            return;
        }
        let mut preview = OpenOrder::new(chosen);
        preview.ask(context);
        self.preview = Some(preview);
    }

    /// Opens the screen with the filter for tickets that wait at the desk.
    pub(crate) fn show_to_collect(&mut self, context: &mut Context<'_>) {
        self.show_only(Filter::ToCollect, context);
    }

    pub(crate) fn show_lost(&mut self, context: &mut Context<'_>) {
        self.show_only(Filter::Lost, context);
    }

    fn show_only(&mut self, filter: Filter, context: &mut Context<'_>) {
        self.open = None;
        self.day = None;
        self.filter = filter;
        self.anew(context);
    }

    pub(crate) fn place(&self) -> KeyPlace {
        match &self.open {
            Some(OpenOrder::Receipt(_)) => KeyPlace::Order,
            Some(OpenOrder::Reservation(reserved)) if reserved.has_ended() => KeyPlace::Ended,
            Some(OpenOrder::Reservation(_)) => KeyPlace::Reservation,
            None => KeyPlace::Orders,
        }
    }

    pub(crate) fn act(&mut self, action: Action, context: &mut Context<'_>) -> Handled {
        if action == Action::GoTo {
            context.go(Go::Ask(PromptPurpose::Order));
            return Handled::Yes;
        }
        match &mut self.open {
            None => {
                let handled = self.act_on_list(action, context);
                self.preview(context);
                return handled;
            }
            Some(_) if matches!(action, Action::Close | Action::ShowOrders) => {}
            Some(OpenOrder::Receipt(order)) => return order.act(action, context),
            Some(OpenOrder::Reservation(reserved)) => return reserved.act(action, context),
        }
        self.open = None;
        self.ask(context);
        Handled::Yes
    }

    fn act_on_list(&mut self, action: Action, context: &mut Context<'_>) -> Handled {
        if self.selected.act(action, self.keys()) {
            self.moved(context);
            return Handled::Yes;
        }
        match Some(action) {
            Some(Action::Main | Action::Copy) if !context.aims(&mut self.selected) => {}
            Some(Action::Main) => match self.selected.key().copied() {
                Some(chosen) => self.open_chosen(chosen, context),
                None => context.note("No order is listed"),
            },
            Some(Action::Filter) => self.refilter(context),
            Some(Action::Sort) => self.resort(context),
            Some(Action::Earlier) => self.turn(-1, context),
            Some(Action::Later) => self.turn(1, context),
            Some(Action::Copy) => self.copy(context),
            Some(Action::Left | Action::Right) => {}
            _ => return Handled::No,
        }
        Handled::Yes
    }

    pub(crate) fn click(&mut self, target: &Target, click: Click, context: &mut Context<'_>) {
        let Target::Row(list, index) = target else {
            return;
        };
        match (list, click, &mut self.open) {
            (List::OrderSeats, _, Some(OpenOrder::Receipt(order))) => {
                order.click(*index, click, context);
            }
            (List::OrderSeats, _, Some(OpenOrder::Reservation(reserved))) => {
                reserved.click(*index, click, context);
            }
            (List::Receipts, _, _) => {
                let opens = self.selected.click((*index, click), self.keys());
                self.moved(context);
                if opens {
                    self.act_on_list(Action::Main, context);
                }
            }
            (List::OrderSeats, Click::Single, None) => {
                self.act_on_list(Action::Main, context);
            }
            _ => {}
        }
        self.preview(context);
    }

    pub(crate) fn answer(&mut self, number: u64, answer: Answer, context: &mut Context<'_>) {
        if let Answer::Reservations(rows) = answer {
            context.settle_page(&mut self.reservations, number, rows);
            self.keep_selected();
        } else if let Answer::Receipts(rows) = answer {
            context.settle_page(&mut self.rows, number, rows);
            self.keep_selected();
        } else {
            for order in self.open.iter_mut().chain(&mut self.preview) {
                order.answer(number, answer.clone(), context);
            }
        }
        self.preview(context);
    }

    /// Tells whether tickets were handed over, or wait at the desk.
    pub(crate) fn handed_over(&mut self, done: Result<Finished, Failure>, context: &mut Context<'_>) {
        match done {
            Ok(Finished::Receipt(view)) if view.receipt.tickets.wait() => {
                let words = "The tickets wait here; you are told when nobody has come before the start";
                context.say(Tone::Done, words);
            }
            Ok(_) => context.say(Tone::Done, "Handed over"),
            Err(failure) => context.refuse(&failure),
        }
        if let Some(open) = &mut self.open {
            open.ask(context);
        }
    }

    /// Handles a change in the house: reads the shown data again if the change touches them.
    pub(crate) fn changed(&mut self, changed: &Changed, context: &mut Context<'_>) {
        if let Some(open) = &mut self.open {
            open.changed(changed, context);
            return;
        }
        if let Some(preview) = &mut self.preview {
            preview.changed(changed, context);
        }
        if changed.touches(|subject| matches!(subject, Subject::Receipt(_) | Subject::Cart(_) | Subject::Customer)) {
            self.stale.add(changed);
            self.tick(context);
        }
    }

    /// Handles the one-second tick: reads again what has changed.
    pub(crate) fn tick(&mut self, context: &mut Context<'_>) {
        let due = self.stale.due(context.shared.now);
        match due {
            Some(changed) if changed.touches(|subject| matches!(subject, Subject::Receipt(_) | Subject::Customer)) => {
                self.ask(context);
            }
            Some(_) => self.ask_reservations(context),
            None => {}
        }
    }

    fn ask(&mut self, context: &mut Context<'_>) {
        self.stale.read(context.shared.now);
        self.ask_reservations(context);
        let question = self.question(context.shared);
        context.load_pages(&mut self.rows, question);
    }

    /// Reads the next page of the list's last kind of row.
    fn read_on(&mut self, context: &mut Context<'_>) {
        if self.lists_reservations() && self.reservations.goes_on() {
            context.load_more(&mut self.reservations);
        } else if self.filter != Filter::Unpaid {
            context.load_more(&mut self.rows);
        }
    }

    fn question(&self, shared: &Shared) -> ReadReceipts {
        let day = self.day_bounds(shared);
        ReadReceipts {
            from: day.map(|(from, _)| from),
            before: day.map(|(_, before)| before),
            station: (self.filter == Filter::Station).then(|| shared.station.clone()),
            after: None,
        }
    }

    /// Receipts, filtered and sorted.
    fn receipts(&self) -> Vec<&ReceiptRow> {
        let rows = self.rows.rows();
        let lets = |row: &&ReceiptRow| match self.filter {
            Filter::All | Filter::Station => true,
            Filter::Unpaid => false,
            Filter::Lost => row.lost > 0,
            Filter::ToCollect => row.to_collect,
        };
        let mut rows: Vec<&ReceiptRow> = rows.iter().filter(lets).collect();
        match self.sort {
            Sort::Newest => {}
            Sort::Customer => {
                rows.sort_by_key(|row| (row.customer.is_empty(), row.customer.to_lowercase()));
            }
            Sort::Largest => rows.sort_by_key(|row| std::cmp::Reverse(row.total)),
        }
        rows
    }

    /// Keys of the rows.
    fn keys(&self) -> Vec<Chosen> {
        self.listed().iter().map(Listed::chosen).collect()
    }

    /// Keeps the cursor on its order, once all that is asked for is read.
    fn keep_selected(&mut self) {
        if !self.rows.is_reading() && !self.reservations.is_reading() {
            self.selected.keep(self.keys());
        }
    }

    /// Reads on at the last row.
    fn moved(&mut self, context: &mut Context<'_>) {
        if self.selected.key() == self.keys().last() {
            self.read_on(context);
        }
    }

    fn copy(&self, context: &mut Context<'_>) {
        let listed = self.listed();
        let on = |row: &&Listed<'_>| Some(&row.chosen()) == self.selected.key();
        if let Some(row) = listed.iter().find(on) {
            let text = row.name();
            context.copy(text);
        }
    }
}
