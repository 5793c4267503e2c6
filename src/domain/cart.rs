//! A cart's life: active, then once and for ever done, canceled or expired.
//!
//! A line of an active cart claims exactly its seats; those of a paid one stay booked, and other ended carts have none. The deadline
//! decides: past it the cart is expired to everybody, whether its end is stored yet or not.

use serde::{Deserialize, Serialize};

use crate::domain::correction::{self, Returned};
use crate::domain::ids::{CartId, CustomerId, ReceiptId, WaitId, WorkId};
use crate::domain::is_default;
use crate::domain::line::Line;
use crate::domain::loss::{CellGroup, Loss};
use crate::domain::money::{self, Currency, MoneyError};
use crate::domain::plan::SeatRef;
use crate::domain::time::{Instant, Span};

/// Least remaining hold once a card payment has begun.
pub const PAYMENT_SPAN: Span = Span::minutes(5);

/// Time before the deadline at which an end of a cart is announced.
pub const WARNING_SPAN: Span = Span::minutes(2);

/// A cart: the seats and times that one customer is about to buy.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cart {
    pub id: CartId,
    pub state: CartState,
    pub operator: String,
    pub station: String,
    /// Set aside for the next customer; anybody may take it over.
    #[serde(default, skip_serializing_if = "is_default")]
    pub set_aside: bool,
    pub created_at: Instant,
    pub modified_at: Instant,
    /// Deadline: expired from this instant on.
    pub expires_at: Instant,
    /// Length of the hold that an add or an extension restarts.
    pub hold: Span,
    /// No add or extension moves the deadline beyond this.
    pub hold_cap_at: Instant,
    /// Start of the card payment; it moves the deadline once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub payment_began_at: Option<Instant>,
    /// The highest total since its card payment began, in minor units: what a card may have been charged with.
    #[serde(default, skip_serializing_if = "is_default")]
    pub payment_due: i64,
    /// The receipt or the work item that has its card payment, when that came in after its end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recorded: Option<Recorded>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub customer: Option<CustomerId>,
    /// Put under a customer's name, to be paid until its deadline.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reservation: Option<Reservation>,
    /// The waiting list entry that the cart was offered to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offered_to: Option<WaitId>,
    /// The currency of its lines; before the first the one it was opened in, or none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub currency: Option<Currency>,
    /// The currency it was opened in, if one was named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opened_in: Option<Currency>,
    pub next_line: u32,
    /// Seats and time, claimed while active; after its end, those it had.
    pub lines: Vec<Line>,
    /// Cells of receipts returned at checkout; until then the customer keeps them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub returns: Vec<Returned>,
    /// Exchange fee for each seat at the time of its return, in minor units.
    #[serde(default, skip_serializing_if = "is_default")]
    pub exchange_fee: i64,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lost: Vec<Loss>,
}

/// A cart that was put under a customer's name: its deadline is its pay-by, and nothing but a later pay-by or a
/// card payment moves it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reservation {
    /// Time of the reservation, or of its last new pay-by.
    pub made_at: Instant,
    /// Time of the first alert about the missing payment.
    pub alert_at: Instant,
    /// The time of the last alert; after the first one and before the pay-by.
    pub final_at: Instant,
    #[serde(default)]
    pub told: AlertRaised,
}

/// Alert raised for a reservation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[derive(strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum AlertRaised {
    #[default]
    Nothing,
    Alert,
    Final,
}

worded!(AlertRaised);

impl Reservation {
    /// Alert due by `now`.
    pub fn due(&self, now: Instant) -> AlertRaised {
        match now {
            now if self.final_at <= now => AlertRaised::Final,
            now if self.alert_at <= now => AlertRaised::Alert,
            _ => AlertRaised::Nothing,
        }
    }

    /// Due time of the next alert; `None` after the last.
    pub const fn next_at(&self) -> Option<Instant> {
        match self.told {
            AlertRaised::Nothing => Some(self.alert_at),
            AlertRaised::Alert => Some(self.final_at),
            AlertRaised::Final => None,
        }
    }
}

/// Record of a card payment that the cart could not use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Recorded {
    /// A late sale of the same cells.
    Receipt(ReceiptId),
    Unissued(WorkId),
}

/// State of a cart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
#[serde(rename_all = "lowercase")]
pub enum CartState {
    Active,
    Done(ReceiptId),
    Canceled,
    Expired,
}

worded!(CartState);

impl Cart {
    /// Creates an empty cart of an operator at a station, with a deadline that can't be extended.
    pub fn empty((operator, station): (&str, &str), now: Instant, hold: Span) -> Self {
        Self {
            id: CartId::random(),
            state: CartState::Active,
            operator: operator.to_owned(),
            station: station.to_owned(),
            set_aside: false,
            created_at: now,
            modified_at: now,
            expires_at: now + hold,
            hold,
            hold_cap_at: now + hold,
            payment_began_at: None,
            payment_due: 0,
            recorded: None,
            customer: None,
            reservation: None,
            offered_to: None,
            currency: None,
            opened_in: None,
            next_line: 1,
            lines: Vec::new(),
            returns: Vec::new(),
            exchange_fee: 0,
            lost: Vec::new(),
        }
    }

    /// Returns whether it can be changed and paid at `now`.
    pub fn is_live(&self, now: Instant) -> bool {
        self.state_at(now) == CartState::Active
    }

    /// The state that everybody sees at `now`: past its deadline an active cart is expired.
    pub fn state_at(&self, now: Instant) -> CartState {
        if self.state == CartState::Active && self.expires_at <= now { CartState::Expired } else { self.state }
    }

    /// Fee of the exchange, in minor units; none if nothing is taken for the seats that come back.
    pub fn fee(&self) -> Result<i64, MoneyError> {
        let takes = self.lines.iter().any(|line| !line.goods.is_payment());
        let seats = self.seats_back().filter(|one| takes && !one.moved);
        money::times(self.exchange_fee, seats.map(|one| one.count).sum())
    }

    /// Number of returned seats.
    pub fn returned_seats(&self) -> u32 {
        self.seats_back().map(|one| one.count).sum()
    }

    fn seats_back(&self) -> impl Iterator<Item = &Returned> {
        let returns = self.returns.iter();
        returns.filter(|one| matches!(one.cells, CellGroup::Seats { .. }))
    }

    /// The total of all lines and the fee less the returned cells, in minor units.
    pub fn total(&self) -> Result<i64, MoneyError> {
        let totals: Result<Vec<i64>, MoneyError> = self.lines.iter().map(Line::total).collect();
        let back = correction::price_of(&self.returns)?;
        money::sum(totals?.into_iter().chain([self.fee()?, -back]))
    }

    /// Returns whether it has no lines and brings nothing back.
    pub const fn is_empty(&self) -> bool {
        self.lines.is_empty() && self.returns.is_empty()
    }

    /// Number of seats.
    pub fn seat_count(&self) -> usize {
        self.lines.iter().map(|line| line.goods.seats().len()).sum()
    }

    /// Number of slots of time.
    pub fn slot_count(&self) -> usize {
        let slots = self.lines.iter().filter(|line| line.goods.is_time());
        slots.count()
    }

    /// Moves the deadline as an add or an extension does: to now + hold, at most to the cap, never back.
    pub fn renew(&mut self, now: Instant) {
        self.expires_at = (now + self.hold).min(self.hold_cap_at).max(self.expires_at);
    }

    /// Returns whether its deadline is at the cap, so that no extension moves it.
    pub fn is_at_cap(&self) -> bool {
        self.expires_at >= self.hold_cap_at
    }

    /// Puts it under its customer's name until `pay_by`, which is its deadline and its cap from now on; it waits
    /// aside, for anybody to be paid.
    pub fn reserve(&mut self, pay_by: Instant, reservation: Reservation) {
        self.expires_at = pay_by;
        self.hold_cap_at = pay_by;
        self.set_aside = true;
        self.reservation = Some(reservation);
    }

    /// Returns whether any station can take it over without an override.
    pub const fn is_takeable(&self) -> bool {
        self.set_aside || self.reservation.is_some()
    }

    /// Moves the deadline once, when a card payment begins: to now + [`PAYMENT_SPAN`] at least, beyond the cap.
    pub fn begin_payment(&mut self, now: Instant) {
        if self.payment_began_at.is_none() {
            self.payment_began_at = Some(now);
            self.expires_at = self.expires_at.max(now + PAYMENT_SPAN);
        }
        self.follow_total();
    }

    /// Returns whether a card may be being charged for it at `now`.
    pub fn is_charged(&self, now: Instant) -> bool {
        self.payment_began_at.is_some_and(|began| now < began + PAYMENT_SPAN)
    }

    /// Keeps the highest total since the card payment began.
    pub fn follow_total(&mut self) {
        if self.payment_began_at.is_some() {
            self.payment_due = self.payment_due.max(self.total().unwrap_or(0));
        }
    }

    /// Ends the card payment: it is recorded once.
    pub fn record(&mut self, recorded: Recorded) {
        self.payment_began_at = None;
        self.payment_due = 0;
        self.recorded = Some(recorded);
    }

    /// Takes seats out of the lines that have them; a line left with none goes. An empty cart has the currency it
    /// was opened in, save where a card may have been charged.
    pub fn give_up(&mut self, number: u32, seats: &[SeatRef]) {
        for line in self.lines.iter_mut().filter(|line| line.number == number) {
            line.give_up(seats);
        }
        self.lines.retain(|line| line.count > 0);
        self.forget_currency();
    }

    /// A cart that is empty has the currency it was opened in, or none.
    pub fn forget_currency(&mut self) {
        if self.is_empty() && self.payment_began_at.is_none() {
            self.currency = self.opened_in;
        }
    }

    /// Returns whether its hold began after a time; a reservation's pay-by was agreed, so it does not count.
    pub fn is_held_after(&self, at: Instant) -> bool {
        self.reservation.is_none() && self.modified_at > at
    }

    /// Adds a line under the next number and gives that number.
    pub fn add_line(&mut self, line: Line) -> u32 {
        let number = self.next_number();
        self.lines.push(Line { number, ..line });
        number
    }

    /// Adds cells to bring back, under the next number.
    pub fn add_return(&mut self, returned: Returned) {
        let number = self.next_number();
        self.returns.push(Returned { number, ..returned });
    }

    /// Number for another line.
    pub const fn next_number(&mut self) -> u32 {
        let number = self.next_line;
        self.next_line += 1;
        number
    }
}

#[cfg(test)]
mod tests {
    use super::{AlertRaised, Cart, CartState, PAYMENT_SPAN, Reservation};
    use crate::domain::ids::PerformanceId;
    use crate::domain::line::Line;
    use crate::domain::plan::SeatRef;
    use crate::domain::time::{Instant, Span};

    fn cart() -> Cart {
        let zero = Instant::from_millis(0);
        Cart { hold_cap_at: zero + Span::minutes(60), ..Cart::empty(("ada", "till-1"), zero, Span::minutes(30)) }
    }

    #[test]
    fn adding_renews_the_deadline_up_to_the_cap_and_never_back() {
        let mut cart = cart();
        let at = |minutes| Instant::from_millis(0) + Span::minutes(minutes);
        cart.renew(at(10));
        assert_eq!(cart.expires_at, at(40));
        cart.renew(at(39));
        assert_eq!(cart.expires_at, at(60));
        cart.begin_payment(at(59));
        assert_eq!(cart.expires_at, at(59) + PAYMENT_SPAN);
        cart.begin_payment(at(60));
        cart.renew(at(60));
        assert_eq!(cart.expires_at, at(64), "once, and beyond the cap");
    }

    #[test]
    fn a_reservation_waits_until_its_pay_by_and_is_told_of_twice() {
        let mut cart = cart();
        let at = |minutes| Instant::from_millis(0) + Span::minutes(minutes);
        let mut reservation =
            Reservation { made_at: at(0), alert_at: at(180), final_at: at(360), told: AlertRaised::Nothing };
        cart.reserve(at(600), reservation);
        assert!(cart.is_takeable());
        cart.renew(at(590));
        assert_eq!(cart.expires_at, at(600), "an add moves no pay-by");
        let millis = |minutes, less| at(minutes) - Span::from_millis(less);
        for (now, due) in [
            (millis(180, 1), AlertRaised::Nothing),
            (at(180), AlertRaised::Alert),
            (millis(360, 1), AlertRaised::Alert),
            (at(360), AlertRaised::Final),
        ] {
            assert_eq!(reservation.due(now), due);
        }
        assert_eq!(reservation.next_at(), Some(at(180)));
        reservation.told = AlertRaised::Alert;
        assert_eq!(reservation.next_at(), Some(at(360)));
    }

    #[test]
    fn past_its_deadline_a_cart_is_expired_to_everybody() {
        let cart = cart();
        assert_eq!(cart.state_at(Instant::from_millis(Span::minutes(30).millis() - 1)), CartState::Active);
        assert_eq!(cart.state_at(Instant::from_millis(Span::minutes(30).millis())), CartState::Expired);
    }

    #[test]
    fn a_line_number_is_never_used_twice() {
        let mut cart = cart();
        let seats: Vec<SeatRef> = (0..2).map(|seat| SeatRef { row: 0, seat }).collect();
        let line = Line::of_seats(PerformanceId::random(), ("Adult", 1000), seats.clone());
        let first = cart.add_line(line.clone());
        assert_eq!(cart.total(), Ok(2000));
        cart.give_up(first, &seats);
        assert!(cart.lines.is_empty());
        assert_ne!(cart.add_line(line), first);
    }
}
