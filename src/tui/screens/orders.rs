//! Orders: unpaid reservations by pay-by time, then receipts, newest first, with an opened order beside them.
//!
//! A receipt never changes once issued; only its remaining seats and its number of prints do. The list is read in
//! pages of a hundred; moving past the last row reads the next page.

use crate::domain::ids::{CartId, ReceiptId};
use crate::engine::reads::carts::CartRow;
use crate::engine::reads::receipts::{ReadReceipts, ReceiptRow};
use crate::tui::action::Action;
use crate::tui::context::Context;
use crate::tui::keymap::KeyPlace;
use crate::tui::msg::{Answer, Answered, Changed, Effect, Query, Subject, Trouble, only};
use crate::tui::pages::{Ask, NextPage, Pages};
use crate::tui::remote::Ticket;
use crate::tui::screens::{Click, Handled};
use crate::tui::shared::{Shared, Tone};
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
use opened::{Opened, has_preview};

/// Rows a page of the list.
const PAGE: isize = 10;

/// State of the screen Orders.
#[derive(Debug, Default)]
pub(crate) struct Orders {
    rows: Pages<ReceiptRow>,
    reservations: Pages<CartRow>,
    /// Local day to list, as an offset from today; none for all days.
    day: Option<i64>,
    filter: Filter,
    sort: Sort,
    selected: Option<Chosen>,
    open: Option<Opened>,
    /// Selected order, shown beside the list on a wide terminal.
    preview: Option<Opened>,
    /// Number of a receipt being looked up.
    going: Option<(Ticket, String)>,
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
    /// Opens the screen and reads its data.
    pub(crate) fn enter(&mut self, context: &mut Context<'_>) {
        match &mut self.open {
            Some(open) => open.ask(context),
            None => self.ask(context),
        }
        self.preview(context);
    }

    /// Opens a receipt.
    pub(crate) fn open(&mut self, receipt: ReceiptId, context: &mut Context<'_>) {
        self.open_chosen(Chosen::Receipt(receipt), context);
    }

    /// Opens a reservation.
    pub(crate) fn open_reservation(&mut self, cart: CartId, context: &mut Context<'_>) {
        self.open_chosen(Chosen::Reservation(cart), context);
    }

    fn open_chosen(&mut self, chosen: Chosen, context: &mut Context<'_>) {
        self.selected = Some(chosen);
        let mut open = Opened::new(chosen);
        open.ask(context);
        self.open = Some(open);
    }

    /// Reads the selected order for the preview, one order at a time: while one is on its way, the cursor may move on.
    pub(crate) fn preview(&mut self, context: &mut Context<'_>) {
        let Some(chosen) = self.selected.filter(|_| has_preview(context.shared.size)) else {
            self.preview = None;
            return;
        };
        let shown = self.preview.as_ref();
        if shown.is_some_and(|shown| shown.chosen() == chosen || !shown.is_read()) {
            return;
        }
        let mut preview = Opened::new(chosen);
        preview.ask(context);
        self.preview = Some(preview);
    }

    /// Opens the screen with the filter for tickets that wait at the desk.
    pub(crate) fn show_to_collect(&mut self, context: &mut Context<'_>) {
        self.open = None;
        self.day = None;
        self.filter = Filter::ToCollect;
        self.anew(context);
    }

    /// Key table in force.
    #[must_use]
    pub(crate) fn place(&self) -> KeyPlace {
        match &self.open {
            Some(Opened::Receipt(_)) => KeyPlace::Order,
            Some(Opened::Reservation(reserved)) if reserved.has_ended() => KeyPlace::Ended,
            Some(Opened::Reservation(_)) => KeyPlace::Reservation,
            None => KeyPlace::Orders,
        }
    }

    /// Handles a key's action.
    pub(crate) fn act(&mut self, action: Action, context: &mut Context<'_>) -> Handled {
        match &mut self.open {
            None => {
                let handled = self.act_on_list(action, context);
                self.preview(context);
                return handled;
            }
            Some(_) if action == Action::Close => {}
            Some(Opened::Receipt(order)) => return order.act(action, context),
            Some(Opened::Reservation(reserved)) => return reserved.act(action, context),
        }
        self.open = None;
        self.ask(context);
        Handled::Yes
    }

    fn act_on_list(&mut self, action: Action, context: &mut Context<'_>) -> Handled {
        match Some(action) {
            Some(Action::Up) => self.step(-1, context),
            Some(Action::Down) => self.step(1, context),
            Some(Action::PageUp) => self.step(-PAGE, context),
            Some(Action::PageDown) => self.step(PAGE, context),
            Some(Action::First) => self.step(isize::MIN, context),
            Some(Action::Last) => self.step(isize::MAX, context),
            Some(Action::Main) => match self.selected {
                Some(chosen) => self.open_chosen(chosen, context),
                None => context.say(Tone::Note, "No order is listed"),
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

    /// Handles a click on one of the screen's targets.
    pub(crate) fn click(&mut self, target: &Target, click: Click, context: &mut Context<'_>) {
        let Target::Row(list, index) = target else {
            return;
        };
        match (list, click, &mut self.open) {
            (List::OrderSeats, _, Some(Opened::Receipt(order))) => {
                order.click(*index, click, context);
            }
            (List::OrderSeats, _, Some(Opened::Reservation(reserved))) => {
                reserved.click(*index, click, context);
            }
            (List::Receipts, Click::Single, _) => {
                self.selected = self.listed().get(*index).map(Listed::chosen);
            }
            (List::Receipts, Click::Double, _) | (List::OrderSeats, Click::Single, None) => {
                self.act_on_list(Action::Main, context);
            }
            (List::Receipts, Click::WheelUp, _) => self.step(-1, context),
            (List::Receipts, Click::WheelDown, _) => self.step(1, context),
            _ => {}
        }
        self.preview(context);
    }

    /// True if this screen sent the request with this ticket.
    #[must_use]
    pub(crate) fn awaits(&self, ticket: Ticket) -> bool {
        let mut read = self.open.iter().chain(&self.preview);
        let open = read.any(|order| order.awaits(ticket));
        let going = self.going.as_ref().is_some_and(|(mine, _)| *mine == ticket);
        open || going || self.rows.awaits(ticket) || self.reservations.awaits(ticket)
    }

    /// Handles the answer to a ticket of this screen.
    pub(crate) fn answer(&mut self, ticket: Ticket, answer: Answered, context: &mut Context<'_>) {
        let mut read = self.open.iter_mut().chain(&mut self.preview);
        if let Some(order) = read.find(|order| order.awaits(ticket)) {
            order.answer(ticket, answer, context);
        } else if self.reservations.awaits(ticket) {
            self.reservations_came(answer, context);
        } else if let Some((_, text)) = self.going.take_if(|(mine, _)| *mine == ticket) {
            self.number_came(&text, answer, context);
        } else {
            self.receipts_came(only!(answer, Answer::Receipts(rows) => rows), context);
        }
        self.preview(context);
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
        if changed.touches(|subject| matches!(subject, Subject::Receipt(_))) {
            self.ask(context);
        } else if changed.touches(|subject| matches!(subject, Subject::Cart(_))) {
            self.ask_reservations(context);
        }
    }

    fn ask(&mut self, context: &mut Context<'_>) {
        self.ask_reservations(context);
        let ask = self.rows.want(&mut context.shared.tickets);
        self.ask_receipts(ask, context);
    }

    /// Reads the next page of the list's last kind of row.
    fn read_on(&mut self, context: &mut Context<'_>) {
        let tickets = &mut context.shared.tickets;
        if self.lists_reservations() && self.reservations.goes_on() {
            let ask = self.reservations.want_more(tickets);
            Self::ask_reserved(ask, context);
        } else if self.filter != Filter::Unpaid {
            let ask = self.rows.want_more(tickets);
            self.ask_receipts(ask, context);
        }
    }

    fn ask_receipts(&self, ask: Option<Ask<ReceiptId>>, context: &mut Context<'_>) {
        if let Some(Ask { ticket, after }) = ask {
            let query = self.query(context.shared, after);
            context.read_with(ticket, Query::Receipts(query));
        }
    }

    fn query(&self, shared: &Shared, after: Option<ReceiptId>) -> ReadReceipts {
        let day = self.day_bounds(shared);
        ReadReceipts {
            from: day.map(|(from, _)| from),
            before: day.map(|(_, before)| before),
            station: (self.filter == Filter::Station).then(|| shared.station.clone()),
            after,
        }
    }

    fn receipts_came(&mut self, rows: Result<Vec<ReceiptRow>, Trouble>, context: &mut Context<'_>) {
        match self.rows.came(rows, &mut context.shared.tickets) {
            Ok(NextPage::Ask(ask)) => self.ask_receipts(Some(ask), context),
            Ok(NextPage::Again) => self.ask(context),
            Ok(NextPage::Nothing) => {}
            Err(trouble) => context.refuse(&trouble),
        }
        self.select_listed();
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

    fn step(&mut self, by: isize, context: &mut Context<'_>) {
        let listed = self.listed();
        let last = listed.len().saturating_sub(1);
        let at = listed
            .iter()
            .position(|row| Some(row.chosen()) == self.selected);
        let next = at.unwrap_or(0).saturating_add_signed(by).min(last);
        self.selected = listed.get(next).map(Listed::chosen);
        if next == last && by > 0 {
            self.read_on(context);
        }
    }

    fn copy(&self, context: &mut Context<'_>) {
        let listed = self.listed();
        let on = listed
            .iter()
            .find(|row| Some(row.chosen()) == self.selected);
        if let Some(row) = on {
            let text = row.name();
            context.say(Tone::Note, format!("{text} is on the clipboard"));
            context.effect(Effect::Copy(text));
        }
    }
}
