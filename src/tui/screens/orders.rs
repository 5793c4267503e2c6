//! Orders: reservations that are not paid, by pay-by, then receipts, newest first; and one of them opened.
//!
//! A receipt never changes once it is issued; what changes is which seats it still has, and how often its tickets
//! were printed. The list is read a hundred at a time; going down past its end reads older ones.

use crate::domain::ids::{CartId, ReceiptId};
use crate::engine::reads::carts::CartRow;
use crate::engine::reads::receipts::{ReadReceipts, ReceiptRow};
use crate::tui::action::Action;
use crate::tui::keymap::Place;
use crate::tui::msg::{Answer, Changed, Effect, Query, Subject, Trouble, only};
use crate::tui::remote::{Again, Remote, Ticket};
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
/// The house answers so many receipts at once.
const READ_AT_ONCE: usize = 100;

/// State of the screen Orders.
#[derive(Debug, Default)]
pub struct Orders {
    rows: Remote<Vec<ReceiptRow>>,
    reservations: Remote<Vec<CartRow>>,
    older: Remote<Vec<ReceiptRow>>,
    /// Nothing older is left to read.
    ended: Option<Ended>,
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

/// The list has its last receipt.
#[derive(Clone, Copy, Debug)]
struct Ended;

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
    pub const fn place(&self) -> Place {
        match self.open {
            Some(Opened::Receipt(_)) => Place::Order,
            Some(Opened::Reservation(_)) => Place::Reservation,
            None => Place::Orders,
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
        open || going
            || self.rows.awaits(ticket)
            || self.older.awaits(ticket)
            || self.reservations.awaits(ticket)
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
        let rows = only!(answer, Answer::Receipts(rows) => rows);
        if self.rows.awaits(ticket) {
            self.newest_came(rows, context);
        } else {
            self.older_came(rows, context);
        }
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
        if let Some(ticket) = self.rows.want(&mut context.shared.tickets) {
            let query = self.query(context.shared, None);
            context.read_with(ticket, Query::Receipts(query));
        }
    }

    fn ask_older(&mut self, context: &mut Context<'_>) {
        let last = self
            .rows
            .value()
            .and_then(|rows| rows.last())
            .map(|row| row.id);
        let is_waiting = matches!(self.older, Remote::Waiting(..));
        if last.is_none() || is_waiting || self.ended.is_some() {
            return;
        }
        if let Some(ticket) = self.older.want(&mut context.shared.tickets) {
            let query = self.query(context.shared, last);
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

    /// The newest came: what was read of older ones stays below them.
    fn newest_came(&mut self, rows: Result<Vec<ReceiptRow>, Trouble>, context: &mut Context<'_>) {
        let before: Vec<ReceiptRow> = self.rows.value().cloned().unwrap_or_default();
        let rows = rows.map(|mut rows| {
            let last = rows.last().map(|row| row.id);
            let known = before.iter().position(|row| Some(row.id) == last);
            match known {
                Some(at) => rows.extend(before.into_iter().skip(at + 1)),
                None => {
                    self.ended = (rows.len() < READ_AT_ONCE).then_some(Ended);
                }
            }
            rows
        });
        if self.rows.settle(rows) == Again::Yes {
            self.ask(context);
        }
        self.select_listed();
    }

    fn older_came(&mut self, rows: Result<Vec<ReceiptRow>, Trouble>, context: &mut Context<'_>) {
        self.older.forget();
        match rows {
            Ok(older) => {
                self.ended = (older.len() < READ_AT_ONCE).then_some(Ended);
                if let Some(rows) = self.rows.value_mut() {
                    rows.extend(older);
                }
            }
            Err(trouble) => context.say(Tone::Refused, trouble.sentence()),
        }
    }

    /// The receipts as listed.
    fn receipts(&self) -> Vec<&ReceiptRow> {
        let rows = self.rows.value().map_or(&[][..], Vec::as_slice);
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
            self.ask_older(context);
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
