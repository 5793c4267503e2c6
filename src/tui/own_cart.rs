//! The cart that this desk works on: what is asked, what is answered, what can be undone.
//!
//! Wishes wait in a queue and go to the house one at a time, so that a wish always knows the cart as the wish
//! before left it; keys may come faster than answers. A line is looked up when a wish is sent, not when it is
//! made.
//!
//! # Invariants
//! - Nothing counts as the desk's own before the house has answered so.
//! - What a refusal says stands until seats are this desk's, or somebody closes it.

use std::collections::VecDeque;

use crate::domain::cart::{CartState, Customer};
use crate::domain::ids::{CartId, PerformanceId};
use crate::domain::money::Currency;
use crate::domain::plan::SeatRef;
use crate::domain::receipt::Tender;
use crate::domain::refusal::Refusal;
use crate::domain::time::{Instant, Span};
use crate::engine::reads::carts::{CartView, LineView};
use crate::engine::reads::receipts::ReceiptView;
use crate::tui::msg::{Answer, Changed, Command, Query, Subject, Trouble, WantedSeats};
use crate::tui::remote::Ticket;
use crate::tui::shared::{Context, Tone};
use crate::tui::wording;

/// No desk remembers more to undo.
const UNDO_MAX: usize = 50;

/// Something the desk wants of the house for its cart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wish {
    /// Take seats.
    Hold {
        /// The performance.
        performance: PerformanceId,
        /// Which.
        seats: WantedSeats,
        /// As which ticket type; an adult when absent.
        ticket_type: Option<String>,
    },
    /// Give seats back.
    GiveBack {
        /// The performance.
        performance: PerformanceId,
        /// Which.
        seats: Vec<SeatRef>,
    },
    /// Sell seats as another ticket type.
    Retype {
        /// The performance.
        performance: PerformanceId,
        /// Which.
        seats: Vec<SeatRef>,
        /// The ticket type.
        ticket_type: String,
    },
    /// Move the deadline.
    Extend,
    /// Give up the cart.
    Cancel,
    /// Bring a cart that ended back.
    Revive(CartId),
    /// Set the cart aside.
    SetAside,
    /// Take over a cart that was set aside.
    TakeOver(CartId),
    /// Take over a cart that somebody works on.
    TakeOverAnyway(CartId),
    /// The customer pays by card now.
    BeginPayment,
    /// Take the money.
    Checkout {
        /// What was paid.
        tenders: Vec<Tender>,
        /// The total on the screen, in minor units.
        seen: i64,
        /// For whom, when that was asked.
        customer: Option<Customer>,
    },
}

/// Whether a wish can be undone once it is granted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Undoing {
    /// It is remembered.
    Remember,
    /// It was an undo itself.
    Forget,
}

/// Something that can be undone.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Undo {
    words: String,
    wish: Wish,
}

/// A refusal as it stands under the map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// What the house said.
    pub refusal: Refusal,
    /// The performance whose seats were wanted.
    pub performance: Option<PerformanceId>,
    /// As which ticket type.
    pub ticket_type: Option<String>,
}

/// What came of an answer, for whoever waits on the cart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// A wish was granted.
    Granted,
    /// A wish was refused or failed.
    Refused,
    /// The payment was refused, and the cart is as it was.
    PaymentRefused,
    /// The sale is done.
    Sold,
    /// The money was taken, but there is no sale.
    Unissued,
}

/// The cart of this desk.
#[derive(Debug, Default)]
pub struct OwnCart {
    view: Option<CartView>,
    queue: VecDeque<(Wish, Undoing)>,
    flight: Option<(Ticket, Wish, Undoing)>,
    reading: Option<Ticket>,
    undo: Vec<Undo>,
    refused: Option<Refused>,
    sold: Option<ReceiptView>,
}

impl OwnCart {
    /// The cart as the house last answered it; none before the first pick.
    #[must_use]
    pub const fn view(&self) -> Option<&CartView> {
        self.view.as_ref()
    }

    /// What the last sale left; stays until the next pick.
    #[must_use]
    pub const fn sold(&self) -> Option<&ReceiptView> {
        self.sold.as_ref()
    }

    /// The refusal that stands.
    #[must_use]
    pub const fn refused(&self) -> Option<&Refused> {
        self.refused.as_ref()
    }

    /// Closes the refusal; says whether there was one.
    pub fn close_refusal(&mut self) -> bool {
        self.refused.take().is_some()
    }

    /// Whether every wish has been answered.
    #[must_use]
    pub fn is_settled(&self) -> bool {
        self.flight.is_none() && self.queue.is_empty()
    }

    /// Whether the cart has seats, or has asked for some.
    #[must_use]
    pub fn has_seats(&self) -> bool {
        !self.is_settled()
            || self
                .view
                .as_ref()
                .is_some_and(|view| !view.lines.is_empty())
    }

    /// How long the cart's seats are still held; none without a cart that has any.
    #[must_use]
    pub fn left(&self, now: Instant) -> Option<Span> {
        let view = self.view.as_ref().filter(|view| !view.lines.is_empty())?;
        (view.state == CartState::Active).then(|| view.cart.expires_at.since(now))
    }

    /// The currency of the cart.
    #[must_use]
    pub fn currency(&self) -> Option<Currency> {
        self.view.as_ref()?.cart.currency
    }

    /// Whether its card payment has begun: then money may come in after the deadline.
    #[must_use]
    pub fn payment_began(&self) -> bool {
        self.view
            .as_ref()
            .is_some_and(|view| view.cart.payment_began_at.is_some())
    }

    /// The line that has a seat of a performance.
    #[must_use]
    pub fn line_of(&self, performance: PerformanceId, seat: SeatRef) -> Option<&LineView> {
        self.view.as_ref()?.lines.iter().find(|line| {
            line.performance.id == performance && line.seats.iter().any(|(mine, _)| *mine == seat)
        })
    }

    /// Whether a seat will be this desk's when everything asked is granted.
    #[must_use]
    pub fn will_have(&self, performance: PerformanceId, seat: SeatRef) -> bool {
        let flight = self.flight.iter().map(|(_, wish, _)| wish);
        flight
            .chain(self.queue.iter().map(|(wish, _)| wish))
            .filter_map(|wish| wish.changes(performance, seat))
            .last()
            .unwrap_or_else(|| self.line_of(performance, seat).is_some())
    }

    /// Seats of a performance that something was asked about and not answered yet.
    pub fn asked(&self, performance: PerformanceId) -> impl Iterator<Item = SeatRef> + '_ {
        let flight = self.flight.iter().map(|(_, wish, _)| wish);
        flight
            .chain(self.queue.iter().map(|(wish, _)| wish))
            .flat_map(move |wish| wish.seats_of(performance).iter().copied())
    }

    /// What `u` would undo, in words.
    #[must_use]
    pub fn would_undo(&self) -> Option<&str> {
        self.undo.last().map(|undo| undo.words.as_str())
    }

    /// Wants something; it is sent as soon as what was wanted before is answered.
    pub fn want(&mut self, wish: Wish, context: &mut Context<'_>) {
        self.want_with(wish, Undoing::Remember, context);
    }

    /// Undoes what was granted last; says whether there was anything.
    pub fn undo(&mut self, context: &mut Context<'_>) -> bool {
        let Some(undo) = self.undo.pop() else {
            return false;
        };
        self.want_with(undo.wish, Undoing::Forget, context);
        true
    }

    /// Drops what waits to be sent; what is under way will be answered.
    pub fn drop_queue(&mut self) {
        self.queue.clear();
    }

    fn want_with(&mut self, wish: Wish, undoing: Undoing, context: &mut Context<'_>) {
        if wish.takes_seats() {
            self.sold = None;
        }
        self.queue.push_back((wish, undoing));
        self.advance(context);
    }

    fn advance(&mut self, context: &mut Context<'_>) {
        while self.flight.is_none() {
            let Some((wish, undoing)) = self.queue.pop_front() else {
                return;
            };
            let (now, rest) = self.split(wish);
            if let Some(rest) = rest {
                self.queue.push_front((rest, undoing));
            }
            if let Some(command) = self.command(&now) {
                let ticket = context.run(command);
                self.flight = Some((ticket, now, undoing));
            }
        }
    }

    /// A wish about seats of several lines is one command for each line.
    fn split(&self, wish: Wish) -> (Wish, Option<Wish>) {
        let (Wish::GiveBack { performance, seats }
        | Wish::Retype {
            performance, seats, ..
        }) = &wish
        else {
            return (wish, None);
        };
        let first = seats
            .iter()
            .find_map(|seat| self.line_of(*performance, *seat));
        let (now, rest): (Vec<SeatRef>, Vec<SeatRef>) = seats.iter().partition(|seat| {
            first.is_some_and(|line| line.seats.iter().any(|(mine, _)| mine == *seat))
        });
        let rest = (!rest.is_empty() && !now.is_empty()).then(|| wish.about(rest));
        (wish.about(now), rest)
    }

    /// The command that a wish is now; none when there is nothing it could be about.
    fn command(&self, wish: &Wish) -> Option<Command> {
        let cart = self.view.as_ref().map(|view| view.cart.id);
        let line = |performance: PerformanceId, seats: &[SeatRef]| {
            Some(self.line_of(performance, *seats.first()?)?.id.number)
        };
        match wish.clone() {
            Wish::Hold {
                performance,
                seats,
                ticket_type,
            } => Some(Command::Hold {
                cart: self.live_cart(),
                performance,
                seats,
                ticket_type,
            }),
            Wish::GiveBack { performance, seats } => Some(Command::GiveBack {
                cart: cart?,
                line: line(performance, &seats)?,
                seats: Some(seats),
            }),
            Wish::Retype {
                performance,
                seats,
                ticket_type,
            } => Some(Command::Retype {
                cart: cart?,
                line: line(performance, &seats)?,
                seats: Some(seats),
                ticket_type,
            }),
            Wish::Extend => cart.map(Command::Extend),
            Wish::Cancel => cart.map(Command::Cancel),
            Wish::Revive(cart) => Some(Command::Revive(cart)),
            Wish::SetAside => cart.map(Command::SetAside),
            Wish::TakeOver(cart) => Some(Command::TakeOver(cart)),
            Wish::TakeOverAnyway(cart) => Some(Command::TakeOverAnyway(cart)),
            Wish::BeginPayment => cart.map(Command::BeginPayment),
            Wish::Checkout {
                tenders,
                seen,
                customer,
            } => Some(Command::Checkout {
                cart: cart?,
                tenders,
                seen,
                customer,
            }),
        }
    }

    fn live_cart(&self) -> Option<CartId> {
        self.view
            .as_ref()
            .filter(|view| view.state == CartState::Active)
            .map(|view| view.cart.id)
    }

    /// Whether the cart asked with this ticket.
    #[must_use]
    pub fn awaits(&self, ticket: Ticket) -> bool {
        self.reading == Some(ticket)
            || self
                .flight
                .as_ref()
                .is_some_and(|(mine, ..)| *mine == ticket)
    }

    /// An answer to a ticket that it awaits.
    pub fn answer(
        &mut self,
        ticket: Ticket,
        answer: Result<Answer, Trouble>,
        context: &mut Context<'_>,
    ) -> Outcome {
        if self.reading == Some(ticket) {
            self.reading = None;
            if let Ok(Answer::Cart(view)) = answer {
                self.read_again(*view, context);
            }
            return Outcome::Granted;
        }
        let Some((_, wish, undoing)) = self.flight.take() else {
            return Outcome::Granted;
        };
        let outcome = match answer {
            Ok(answer) => self.granted(&wish, undoing, answer, context),
            Err(trouble) => self.not_granted(&wish, trouble, context),
        };
        self.advance(context);
        outcome
    }

    fn granted(
        &mut self,
        wish: &Wish,
        undoing: Undoing,
        answer: Answer,
        context: &mut Context<'_>,
    ) -> Outcome {
        match answer {
            Answer::Cart(view) => {
                self.granted_cart(wish, undoing, *view, context);
                Outcome::Granted
            }
            Answer::Sold(receipt) => {
                context.say(
                    Tone::Done,
                    format!("Sold: receipt {}", receipt.receipt.number),
                );
                self.view = None;
                self.undo.clear();
                self.sold = Some(*receipt);
                Outcome::Sold
            }
            Answer::Unissued(_) => {
                context.say(
                    Tone::Refused,
                    "The money was taken, but the seats were gone. It is first in Needs you: find seats or give it back.",
                );
                self.view = None;
                self.undo.clear();
                Outcome::Unissued
            }
            Answer::SeatMap(_)
            | Answer::OpenCarts(_)
            | Answer::Tonight(_)
            | Answer::Performances(_)
            | Answer::Receipts(_)
            | Answer::Receipt(_)
            | Answer::Story(_)
            | Answer::Hits(_)
            | Answer::Tally(_)
            | Answer::Disabled(_)
            | Answer::Done => Outcome::Granted,
        }
    }

    fn granted_cart(
        &mut self,
        wish: &Wish,
        undoing: Undoing,
        view: CartView,
        context: &mut Context<'_>,
    ) {
        let (words, undo) = self.words(wish, &view, context);
        if let Some(undo) = undo.filter(|_| undoing == Undoing::Remember) {
            if self.undo.len() >= UNDO_MAX {
                self.undo.remove(0);
            }
            self.undo.push(undo);
        }
        if !words.is_empty() {
            context.say(Tone::Done, words);
        }
        if wish.takes_seats() {
            self.refused = None;
        }
        let kept = view.state == CartState::Active && !view.cart.set_aside;
        self.view = kept.then_some(view);
    }

    /// What to say about a granted wish, and how to undo it.
    fn words(&self, wish: &Wish, view: &CartView, context: &Context<'_>) -> (String, Option<Undo>) {
        let until = wording::clock(view.cart.expires_at, context.shared.zone);
        let undo = |words: String, wish: Wish| Some(Undo { words, wish });
        match wish {
            Wish::Hold { performance, .. } => {
                let (seats, names) = self.gained(*performance, view);
                let verb = if seats.len() == 1 { "is" } else { "are" };
                (
                    format!("{names} {verb} yours until {until}"),
                    undo(
                        format!("pick {names}"),
                        Wish::GiveBack {
                            performance: *performance,
                            seats,
                        },
                    ),
                )
            }
            Wish::GiveBack { performance, seats } => {
                let names = self.names(*performance, seats);
                (
                    format!("{names} given back"),
                    undo(
                        format!("give back {names}"),
                        Wish::Hold {
                            performance: *performance,
                            seats: WantedSeats::Seats(seats.clone()),
                            ticket_type: self.ticket_type_of(*performance, seats),
                        },
                    ),
                )
            }
            Wish::Retype {
                performance,
                seats,
                ticket_type,
            } => {
                let names = self.names(*performance, seats);
                let before = self.ticket_type_of(*performance, seats);
                (
                    format!("{names}: {ticket_type}"),
                    before.and_then(|before| {
                        undo(
                            format!("{names} to {ticket_type}"),
                            Wish::Retype {
                                performance: *performance,
                                seats: seats.clone(),
                                ticket_type: before,
                            },
                        )
                    }),
                )
            }
            Wish::Extend => (format!("Held until {until}"), None),
            Wish::Cancel => (
                "The cart is canceled; its seats went back".to_owned(),
                undo("cancel".to_owned(), Wish::Revive(view.cart.id)),
            ),
            Wish::Revive(_) => (format!("The cart is back; held until {until}"), None),
            Wish::SetAside => (
                format!("Set aside, held until {until}; o takes it back"),
                undo("set aside".to_owned(), Wish::TakeOver(view.cart.id)),
            ),
            Wish::TakeOver(_) | Wish::TakeOverAnyway(_) => {
                (format!("The cart is yours; held until {until}"), None)
            }
            Wish::BeginPayment => (format!("The seats wait for the card until {until}"), None),
            Wish::Checkout { .. } => (String::new(), None),
        }
    }

    /// Seats of a performance that a cart has and the one before had not, with their names.
    fn gained(&self, performance: PerformanceId, view: &CartView) -> (Vec<SeatRef>, String) {
        let mut gained: Vec<(SeatRef, &str)> = view
            .lines
            .iter()
            .filter(|line| line.performance.id == performance)
            .flat_map(|line| &line.seats)
            .filter(|(seat, _)| self.line_of(performance, *seat).is_none())
            .map(|(seat, name)| (*seat, name.as_str()))
            .collect();
        gained.sort_unstable();
        let names = wording::seats(gained.iter().copied());
        (gained.into_iter().map(|(seat, _)| seat).collect(), names)
    }

    fn names(&self, performance: PerformanceId, seats: &[SeatRef]) -> String {
        let named = seats.iter().filter_map(|seat| {
            let line = self.line_of(performance, *seat)?;
            let (_, name) = line.seats.iter().find(|(mine, _)| mine == seat)?;
            Some((*seat, name.as_str()))
        });
        wording::seats(named)
    }

    fn ticket_type_of(&self, performance: PerformanceId, seats: &[SeatRef]) -> Option<String> {
        let line = self.line_of(performance, *seats.first()?)?;
        Some(line.ticket_type.clone())
    }

    fn not_granted(&mut self, wish: &Wish, trouble: Trouble, context: &mut Context<'_>) -> Outcome {
        let payment = matches!(wish, Wish::Checkout { .. });
        let refusal = match trouble {
            Trouble::Fault(text) => {
                context.say(Tone::Refused, text);
                return if payment {
                    Outcome::PaymentRefused
                } else {
                    Outcome::Refused
                };
            }
            Trouble::Refused(refusal) => refusal,
        };
        let sentence = wording::refusal(&refusal, context.shared.zone);
        context.say(Tone::Refused, sentence);
        if matches!(
            refusal,
            Refusal::CartExpired { .. }
                | Refusal::CartCanceled
                | Refusal::CartDone { .. }
                | Refusal::CartElsewhere { .. }
        ) {
            self.read(context);
        }
        let over_money = matches!(
            refusal,
            Refusal::TotalChanged { .. }
                | Refusal::PaymentShort { .. }
                | Refusal::CardOver { .. }
                | Refusal::CardReferenceMissing
        );
        if payment && over_money {
            self.read(context);
            return Outcome::PaymentRefused;
        }
        if let Wish::Hold {
            performance,
            ticket_type,
            ..
        } = wish
        {
            self.refused = Some(Refused {
                refusal,
                performance: Some(*performance),
                ticket_type: ticket_type.clone(),
            });
        }
        Outcome::Refused
    }

    /// Something in the house changed: reads the cart again when it was touched.
    pub fn changed(&mut self, changed: &Changed, context: &mut Context<'_>) {
        let Some(id) = self.view.as_ref().map(|view| view.cart.id) else {
            return;
        };
        if self.flight.is_none() && changed.touches(|subject| subject == Subject::Cart(id)) {
            self.read(context);
        }
    }

    fn read(&mut self, context: &mut Context<'_>) {
        if let Some(view) = &self.view {
            self.reading = Some(context.read(Query::Cart(view.cart.id)));
        }
    }

    fn read_again(&mut self, view: CartView, context: &mut Context<'_>) {
        let (station, operator) = (&context.shared.station, &context.shared.operator);
        let elsewhere = view.cart.station != *station || view.cart.operator != *operator;
        match view.state {
            CartState::Active if elsewhere => {
                let text = format!("{} took this cart over", view.cart.station);
                context.say(Tone::Refused, text);
                self.view = None;
            }
            CartState::Active if view.cart.set_aside => self.view = None,
            CartState::Active => {
                let before = self.view.as_ref().map_or(0, |view| view.cart.seat_count());
                if view.cart.seat_count() < before && self.is_settled() {
                    context.say(
                        Tone::Refused,
                        "Seats were taken out of this cart: they are out of use",
                    );
                }
                self.view = Some(view);
            }
            CartState::Expired => {
                self.view = Some(view);
                self.expire(context);
            }
            CartState::Canceled | CartState::Done(_) => self.view = None,
        }
    }

    /// The deadline has passed: the seats are free to everybody; `u` brings the cart back.
    /// A cart whose card payment has begun stays, since its money may still come in.
    pub fn tick(&mut self, context: &mut Context<'_>) -> bool {
        let now = context.shared.now;
        let ended = self
            .view
            .as_ref()
            .is_some_and(|view| view.state == CartState::Active && view.cart.expires_at <= now);
        if ended {
            self.expire(context);
        }
        ended
    }

    fn expire(&mut self, context: &mut Context<'_>) {
        let Some(view) = &mut self.view else {
            return;
        };
        view.state = CartState::Expired;
        if view.lines.is_empty() {
            self.view = None;
            return;
        }
        let words = format!(
            "the end of the hold ({})",
            wording::count(view.cart.seat_count(), "seat")
        );
        let wish = Wish::Revive(view.cart.id);
        if self.undo.last().is_none_or(|last| last.wish != wish) {
            self.undo.clear();
            self.undo.push(Undo { words, wish });
            context.say(
                Tone::Refused,
                "The hold has ended, the seats went back; u takes them again",
            );
        }
    }

    /// Forgets a cart whose hold has ended; `u` still brings it back.
    pub fn leave_expired(&mut self) {
        if self
            .view
            .as_ref()
            .is_some_and(|view| view.state == CartState::Expired)
        {
            self.view = None;
        }
    }
}

impl Wish {
    /// The same wish about other seats.
    fn about(&self, seats: Vec<SeatRef>) -> Self {
        match self.clone() {
            Self::GiveBack { performance, .. } => Self::GiveBack { performance, seats },
            Self::Retype {
                performance,
                ticket_type,
                ..
            } => Self::Retype {
                performance,
                seats,
                ticket_type,
            },
            other => other,
        }
    }

    /// Whether it brings seats into the cart.
    const fn takes_seats(&self) -> bool {
        matches!(
            self,
            Self::Hold { .. } | Self::Revive(_) | Self::TakeOver(_) | Self::TakeOverAnyway(_)
        )
    }

    /// The seats of a performance that it names.
    fn seats_of(&self, of: PerformanceId) -> &[SeatRef] {
        match self {
            Self::Hold {
                performance,
                seats: WantedSeats::Seats(seats),
                ..
            }
            | Self::GiveBack { performance, seats }
                if *performance == of =>
            {
                seats
            }
            _ => &[],
        }
    }

    /// Whether the cart will have a seat after it; none when it does not name the seat.
    fn changes(&self, performance: PerformanceId, seat: SeatRef) -> Option<bool> {
        self.seats_of(performance)
            .contains(&seat)
            .then_some(matches!(self, Self::Hold { .. }))
    }
}
