//! Orders: reservations that are not paid, by pay-by, then receipts, newest first; and one of them opened.
//!
//! A receipt never changes once it is issued; what changes is which seats it still has, and how often its tickets
//! were printed. The list is read a hundred at a time; going down past its end reads older ones.

use crate::domain::ids::{CartId, ReceiptId};
use crate::engine::reads::carts::CartRow;
use crate::engine::reads::receipts::{ReadReceipts, ReceiptRow};
use crate::tui::action::Action;
use crate::tui::keymap::KeyPlace;
use crate::tui::msg::{Answer, Changed, Effect, Query, Subject, Trouble, only};
use crate::tui::pages::{Ask, NextPage, Pages};
use crate::tui::remote::Ticket;
use crate::tui::screens::{Click, Handled};
use crate::tui::shared::{Context, Shared, Tone};
use crate::tui::targets::{List, Target};

mod goto;
mod listed;
mod order;
mod order_view;
mod reserved;
mod seat_list;
#[cfg(test)]
mod tests;
mod view;

use listed::{Chosen, Listed};
use order::Order;
use reserved::Reserved;

/// How many rows a page of the list has.
const PAGE: isize = 10;

/// State of the screen Orders.
#[derive(Debug, Default)]
pub struct Orders {
    rows: Pages<ReceiptRow>,
    reservations: Pages<CartRow>,
    /// One local day, counted from today; none for all.
    day: Option<i64>,
    filter: Filter,
    sort: Sort,
    selected: Option<Chosen>,
    open: Option<Opened>,
    /// A receipt's number that is looked up.
    going: Option<(Ticket, String)>,
}

/// What is opened.
#[derive(Debug)]
enum Opened {
    Receipt(Order),
    Reservation(Reserved),
}

/// Which receipts are listed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Filter {
    #[default]
    All,
    /// Reservations only.
    Unpaid,
    /// Receipts of this station.
    Station,
    /// Those that lost a seat.
    Lost,
    /// Those whose tickets lie at the desk.
    ToCollect,
}

/// The order of receipts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Sort {
    #[default]
    Newest,
    Customer,
    Largest,
}

impl Orders {
    /// The screen comes to the top: asks for what it shows.
    pub fn enter(&mut self, context: &mut Context<'_>) {
        match &mut self.open {
            Some(Opened::Receipt(order)) => order.ask(context),
            Some(Opened::Reservation(reserved)) => reserved.ask(context),
            None => self.ask(context),
        }
    }

    /// Opens one receipt.
    pub fn open(&mut self, receipt: ReceiptId, context: &mut Context<'_>) {
        self.selected = Some(Chosen::Receipt(receipt));
        let mut order = Order::new(receipt);
        order.ask(context);
        self.open = Some(Opened::Receipt(order));
    }

    /// Opens one reservation.
    pub fn open_reservation(&mut self, cart: CartId, context: &mut Context<'_>) {
        self.selected = Some(Chosen::Reservation(cart));
        let mut reserved = Reserved::new(cart);
        reserved.ask(context);
        self.open = Some(Opened::Reservation(reserved));
    }

    /// Comes to the top with the receipts whose tickets lie at the desk.
    pub fn show_to_collect(&mut self, context: &mut Context<'_>) {
        self.open = None;
        self.day = None;
        self.filter = Filter::ToCollect;
        self.anew(context);
    }

    /// Whose keys hold now.
    #[must_use]
    pub fn place(&self) -> KeyPlace {
        match &self.open {
            Some(Opened::Receipt(_)) => KeyPlace::Order,
            Some(Opened::Reservation(reserved)) if reserved.has_ended() => KeyPlace::Ended,
            Some(Opened::Reservation(_)) => KeyPlace::Reservation,
            None => KeyPlace::Orders,
        }
    }

    /// Does what a key means.
    pub fn act(&mut self, action: Action, context: &mut Context<'_>) -> Handled {
        match &mut self.open {
            None => return self.act_on_list(action, context),
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
                Some(Chosen::Receipt(receipt)) => self.open(receipt, context),
                Some(Chosen::Reservation(cart)) => self.open_reservation(cart, context),
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

    /// A click on one of its targets.
    pub fn click(&mut self, target: &Target, click: Click, context: &mut Context<'_>) {
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
            (List::Receipts, Click::Double, _) => {
                self.act_on_list(Action::Main, context);
            }
            (List::Receipts, Click::WheelUp, _) => self.step(-1, context),
            (List::Receipts, Click::WheelDown, _) => self.step(1, context),
            _ => {}
        }
    }

    /// Whether it asked with this ticket.
    #[must_use]
    pub fn awaits(&self, ticket: Ticket) -> bool {
        let open = match &self.open {
            Some(Opened::Receipt(order)) => order.awaits(ticket),
            Some(Opened::Reservation(reserved)) => reserved.awaits(ticket),
            None => false,
        };
        let going = self.going.as_ref().is_some_and(|(mine, _)| *mine == ticket);
        open || going || self.rows.awaits(ticket) || self.reservations.awaits(ticket)
    }

    /// An answer to a ticket that it awaits.
    pub fn answer(
        &mut self,
        ticket: Ticket,
        answer: Result<Answer, Trouble>,
        context: &mut Context<'_>,
    ) {
        match &mut self.open {
            Some(Opened::Receipt(order)) if order.awaits(ticket) => {
                order.answer(ticket, answer, context);
                return;
            }
            Some(Opened::Reservation(reserved)) if reserved.awaits(ticket) => {
                reserved.answer(answer, context);
                return;
            }
            _ => {}
        }
        if self.reservations.awaits(ticket) {
            self.reservations_came(answer, context);
            return;
        }
        if let Some((_, text)) = self.going.take_if(|(mine, _)| *mine == ticket) {
            self.number_came(&text, answer, context);
            return;
        }
        self.receipts_came(only!(answer, Answer::Receipts(rows) => rows), context);
    }

    /// Something in the house changed; asks again for what it shows when that is touched.
    pub fn changed(&mut self, changed: &Changed, context: &mut Context<'_>) {
        match &mut self.open {
            Some(Opened::Receipt(order)) => {
                let id = order.id();
                if changed.touches(|subject| subject == Subject::Receipt(id)) {
                    order.ask(context);
                }
            }
            Some(Opened::Reservation(reserved)) => {
                let id = reserved.id();
                if changed.touches(|subject| subject == Subject::Cart(id)) {
                    reserved.ask(context);
                }
            }
            None => {
                if changed.touches(|subject| matches!(subject, Subject::Receipt(_))) {
                    self.ask(context);
                } else if changed.touches(|subject| matches!(subject, Subject::Cart(_))) {
                    self.ask_reservations(context);
                }
            }
        }
    }

    fn ask(&mut self, context: &mut Context<'_>) {
        self.ask_reservations(context);
        let ask = self.rows.want(&mut context.shared.tickets);
        self.ask_receipts(ask, context);
    }

    /// The next page, of what stands last in the list.
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
            Err(trouble) => context.say(Tone::Refused, trouble.sentence()),
        }
        self.select_listed();
    }

    /// The receipts as listed.
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
