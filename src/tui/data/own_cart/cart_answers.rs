//! Effect of answers, notices and the clock on the cart.

use crate::domain::cart::{CartState, WARNING_SPAN};
use crate::domain::money::priced;
use crate::domain::refusal::Refusal;
use crate::engine::Failure;
use crate::engine::ops::{HoldSeats, ReviveCart, SeatChoice};
use crate::engine::reads::carts::{CartView, ReadCart};
use crate::engine::reads::receipts::ReceiptView;
use crate::tui::data::desk_act::Undoing;
use crate::tui::data::msg::{Answer, Changed, Finished, Subject};
use crate::tui::data::own_cart::granted::owed;
use crate::tui::data::own_cart::undo::UndoEntry;
use crate::tui::data::own_cart::wish::CartWish;
use crate::tui::data::own_cart::{CartOutcome, CartRefused, CartReply, OwnCart};
use crate::tui::data::ticket::TicketOwner;
use crate::tui::kit::context::Context;
use crate::tui::kit::shared::Tone;
use crate::words;

impl OwnCart {
    /// Handles an answer to the cart.
    pub(crate) fn answer(&mut self, number: u64, answer: Answer, context: &mut Context<'_>) -> CartReply {
        let ran = matches!(answer, Answer::Ran(_));
        let Some((wished, wish, undoing)) = self.flight.take_if(|_| ran) else {
            let newest = self.reading.take_if(|mine| *mine == number).is_some();
            if let (true, Answer::Cart(Ok(view))) = (newest, answer) {
                self.read_again(*view, context);
            }
            return CartReply { number: 0, wish: None, outcome: CartOutcome::Granted, sentence: String::new() };
        };
        let (outcome, sentence) = match answer.ran() {
            Ok(done) => {
                // an earlier read does not know of this
                self.reading = None;
                let outcome = self.granted((&wish, undoing), done, context);
                (outcome, String::new())
            }
            Err(failure) => {
                let sentence = words::failure(&failure, context.shared.here());
                context.say(Tone::Refused, sentence.clone());
                (self.not_granted(&wish, failure, context), sentence)
            }
        };
        self.advance(context);
        CartReply { number: wished, wish: Some(wish), outcome, sentence }
    }

    fn granted(
        &mut self,
        (wish, undoing): (&CartWish, Undoing),
        done: Finished,
        context: &mut Context<'_>,
    ) -> CartOutcome {
        match done {
            Finished::Cart(view) => {
                self.granted_cart((wish, undoing), *view, context);
                CartOutcome::Granted
            }
            Finished::Sold(receipt) => {
                let of = &receipt.receipt;
                let words = match (of.back(), words::issued(of.kind())) {
                    (0, issued) => format!("{issued}: receipt {}", of.number),
                    (back, issued) => {
                        format!("{issued}, {} given: receipt {}", priced(back, of.currency), of.number)
                    }
                };
                context.say(Tone::Done, words);
                self.has_sold(*receipt)
            }
            Finished::Owed(receipt, item) => {
                context.say(Tone::Refused, owed(&receipt, &item));
                self.has_sold(*receipt)
            }
            Finished::Unissued => {
                context.say(
                    Tone::Refused,
                    "The card was charged, but nothing could be sold for it. See Needs you: find seats, or give the money back.",
                );
                // an active cart stays at this desk with the rest
                self.read(context);
                self.view = self.view.take().filter(|view| view.state == CartState::Active && !view.is_empty());
                self.forget_wishes();
                CartOutcome::Unissued
            }
            Finished::Receipt(_) | Finished::JobRan(_) | Finished::Ran(_) | Finished::Printed => CartOutcome::Granted,
        }
    }

    fn has_sold(&mut self, receipt: ReceiptView) -> CartOutcome {
        self.view = None;
        self.forget_wishes();
        self.sold = Some(receipt);
        CartOutcome::Sold
    }

    fn granted_cart(&mut self, (wish, undoing): (&CartWish, Undoing), view: CartView, context: &mut Context<'_>) {
        let (words, undo) = self.words(wish, &view, context);
        if let (Some(undo), Undoing::Remember(screen)) = (undo, undoing) {
            self.remember(undo, Some(screen), context.shared.now);
        }
        if !words.is_empty() {
            context.say(Tone::Done, words);
        }
        if wish.takes_seats() {
            self.refused = None;
        }
        if let CartWish::Hold(HoldSeats { performance, seats: SeatChoice::Best(_) | SeatChoice::Named(_), .. }) = wish {
            let (seats, _) = self.gained(*performance, &view);
            self.chosen = Some((*performance, seats));
        }
        let kept = view.state == CartState::Active && !view.cart.set_aside;
        self.view = kept.then_some(view);
    }

    fn not_granted(&mut self, wish: &CartWish, failure: Failure, context: &mut Context<'_>) -> CartOutcome {
        let payment = wish.pays();
        let refusal = match failure {
            Failure::Fault(_) => {
                return if payment { CartOutcome::PaymentRefused } else { CartOutcome::Refused };
            }
            Failure::Refused(refusal) => refusal,
        };
        if matches!(
            refusal,
            Refusal::CartExpired { .. }
                | Refusal::CartCanceled
                | Refusal::CartDone { .. }
                | Refusal::PaymentRecorded { .. }
                | Refusal::CartElsewhere { .. }
        ) {
            self.read(context);
        }
        let over_money = matches!(
            refusal,
            Refusal::TotalChanged { .. }
                | Refusal::PaymentShort { .. }
                | Refusal::CardOver { .. }
                | Refusal::ChargeUnsaid { .. }
                | Refusal::CardReferenceMissing
        );
        if payment && over_money {
            self.read(context);
            return CartOutcome::PaymentRefused;
        }
        if let CartWish::Hold(HoldSeats { performance, ticket_type, .. }) = wish {
            self.refused = Some(CartRefused {
                refusal,
                performance: Some(*performance),
                ticket_type: ticket_type.clone(),
                at: context.shared.now,
            });
        }
        CartOutcome::Refused
    }

    /// Handles a change in the house: reads the cart again if the change touches it.
    pub(crate) fn changed(&mut self, changed: &Changed, context: &mut Context<'_>) {
        let Some(id) = self.view.as_ref().map(|view| view.cart.id) else {
            return;
        };
        if self.flight.is_none() && changed.touches(|subject| subject == Subject::Cart(id)) {
            self.read(context);
        }
    }

    fn read(&mut self, context: &mut Context<'_>) {
        if let Some(view) = &self.view {
            self.reading = Some(context.read(TicketOwner::Cart, ReadCart(view.cart.id)));
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
                    context.say(Tone::Refused, "Seats were taken out of this cart: they are out of use");
                }
                self.view = Some(view);
            }
            CartState::Canceled if view.cart.payment_began_at.is_none() => self.view = None,
            // the card of a canceled cart may have been charged: keep the cart like an expired one
            CartState::Expired | CartState::Canceled => {
                self.view = Some(view);
                self.expire(context);
            }
            CartState::Done(_) => self.view = None,
        }
    }

    /// Handles the passage of time: past the deadline the seats are free for all, and undo brings the cart
    /// back. Returns whether the cart ended.
    pub(crate) fn tick(&mut self, context: &mut Context<'_>) -> bool {
        let now = context.shared.now;
        let ended =
            self.view.as_ref().is_some_and(|view| view.state == CartState::Active && view.cart.expires_at <= now);
        if ended {
            self.expire(context);
        } else {
            self.warn(context);
        }
        ended
    }

    /// Warns once for each deadline, unless the whole hold is shorter than the warning time.
    fn warn(&mut self, context: &mut Context<'_>) {
        let Some(left) = self.left(context.shared.now) else {
            return;
        };
        let Some(cart) = self.view.as_ref().map(|view| &view.cart) else {
            return;
        };
        let is_near = left <= WARNING_SPAN && cart.hold > WARNING_SPAN;
        if is_near && self.warned != Some(cart.expires_at) {
            self.warned = Some(cart.expires_at);
            let contents = words::contents(cart.seat_count(), cart.slot_count());
            context.note(format!(
                "Your cart, {contents}, runs out in {}: <map.extend> extends, <map.pay> pays",
                left.clock()
            ));
        }
    }

    fn expire(&mut self, context: &mut Context<'_>) {
        let Some(view) = &mut self.view else {
            return;
        };
        view.state = CartState::Expired;
        if view.is_empty() {
            self.view = None;
            return;
        }
        let contents = words::contents(view.cart.seat_count(), view.cart.slot_count());
        let why = if view.cart.state == CartState::Canceled { "The cart was canceled" } else { "The hold has ended" };
        let words = format!("expiry of {contents}");
        let cart = view.cart.id;
        if !self.would_revive(cart) {
            self.forget_wishes();
            let undo = UndoEntry::wish(words, CartWish::run(ReviveCart { cart }));
            self.remember(undo, None, context.shared.now);
            context.say(Tone::Refused, format!("{why}; <undo> takes the {contents} again"));
        }
    }

    /// Drops a cart whose hold has ended; `u` still brings it back.
    pub(crate) fn leave_expired(&mut self) {
        if self.view.as_ref().is_some_and(|view| view.state == CartState::Expired) {
            self.view = None;
        }
    }
}
