//! The cart of this desk and the keypad: what an answer means for whoever waits on it; and other carts.

use crate::domain::cart::CartState;
use crate::domain::ids::CartId;
use crate::domain::time::Instant;
use crate::engine::ops::TakeFrom;
use crate::tui::app::{App, DEAF};
use crate::tui::data::msg::{Answer, ClockJump};
use crate::tui::data::own_cart::{CartOutcome, CartReply, CartWish, OwnCart};
use crate::tui::data::ticket::TicketOwner;
use crate::tui::dialogs::open_carts::take_to_desk;
use crate::tui::dialogs::reserve::Reserve;
use crate::tui::kit::action::Action;
use crate::tui::kit::context::Context;
use crate::tui::kit::dialog::Dialog;
use crate::tui::kit::screen::Screen;
use crate::tui::kit::shared::Tone;
use crate::words;

/// Message for a database that went away.
const AWAY: &str = "No database: what you asked waits, nothing is lost";

impl App {
    /// The machine's clock has jumped, or agrees with the desk's time again.
    pub(super) fn clock_jumped(&mut self, by: ClockJump) {
        let before = std::mem::replace(&mut self.shared.clock_jump, by);
        if by != ClockJump::None {
            let text = words::clock_jump(by, self.shared.now, self.shared.zone);
            let words = format!("{text}. <commands> {}", Action::ConfirmClock.word());
            self.say(Tone::Refused, words);
            if matches!(by, ClockJump::Apart { .. }) && self.modal.is_none() {
                self.ask_clock();
            }
        } else if before != by {
            self.note("The machine's clock and the desk agree again");
        }
    }

    /// The database went away, or is there again.
    pub(super) fn went_away(&mut self, since: Option<Instant>) {
        let before = std::mem::replace(&mut self.shared.away, since);
        match (before, since) {
            (None, Some(_)) => self.say(Tone::Refused, AWAY),
            (Some(_), None) => {
                self.note("The database is there again");
                // a cart that was opened just before may not have been told of
                if self.shared.cart.view().is_none() {
                    self.ask_left_open();
                }
            }
            (None, None) | (Some(_), Some(_)) => {}
        }
    }

    /// Asks whether this desk ended with a cart open: a terminal that was lost is no reason to lose it.
    pub(super) fn ask_left_open(&mut self) {
        let question = self.shared.open_carts();
        asking!(self, context, context.read(TicketOwner::LeftOpen, question));
    }

    /// Tells of the cart that this desk left open.
    pub(super) fn say_left_open(&mut self, answer: Answer) {
        let Answer::OpenCarts(Ok(rows)) = answer else {
            return;
        };
        let shared = &self.shared;
        let left = rows.iter().find(|row| {
            !row.set_aside && row.seats > 0 && row.operator == shared.operator && row.station == shared.station
        });
        if let Some(row) = left {
            let seats = words::count(row.seats, "seat");
            let until = words::clock(row.expires_at, shared.zone);
            self.note(format!("Your cart from before is held until {until}, {seats}: <open-carts> takes it"));
        }
    }

    /// Leaves an expired cart; one with a card payment begun stays, since its money may still come in.
    pub(super) fn cart_expired(&mut self) {
        self.with_dialog(Dialog::cart_ended);
        if !self.shared.cart.payment_began() {
            self.shared.cart.leave_expired();
        }
    }

    /// Does something with the cart, which is part of what every screen sees.
    pub(super) fn with_cart<R>(&mut self, act: impl FnOnce(&mut OwnCart, &mut Context<'_>) -> R) -> R {
        let mut cart = std::mem::take(&mut self.shared.cart);
        let mut context = Context::new(&mut self.shared);
        let result = act(&mut cart, &mut context);
        let asked = context.finish();
        self.shared.cart = cart;
        self.effects.extend(asked.effects);
        self.seats.follow_cart(&self.shared);
        result
    }

    pub(super) fn want(&mut self, wish: CartWish) {
        let number = self.shared.tickets.draw();
        self.with_cart(|cart, context| cart.want(number, wish, context));
    }

    /// The cart has answered: dialogs and screens follow.
    pub(super) fn after_cart(&mut self, reply: &CartReply) {
        self.with_dialogs(|dialog, context| dialog.wished(reply, context));
        self.pay_taken_over();
        self.calendar.cart_answered(reply);
        match reply.outcome {
            CartOutcome::Granted => {
                let is_taken_over = reply.wish.as_ref().is_some_and(CartWish::is_take_over);
                asking!(self, context, {
                    if is_taken_over {
                        self.seats.show_cart(context.shared);
                    }
                    self.seats.cart_answered(context);
                });
                let view = self.shared.cart.view();
                if view.is_some_and(|view| view.state == CartState::Expired) {
                    self.cart_expired();
                }
            }
            CartOutcome::Refused | CartOutcome::PaymentRefused => {}
            CartOutcome::Sold | CartOutcome::Unissued => {
                self.kept = None;
                self.show(if reply.outcome == CartOutcome::Sold { Screen::Seats } else { Screen::Tonight });
            }
        }
    }

    /// A payment was dropped because something went wrong, with what was typed behind it.
    pub(super) fn unpaid(&mut self, why: &str) {
        self.kept = None;
        self.with_cart(|cart, _| cart.drop_queue());
        self.deaf_until = Some(self.shared.now + DEAF);
        self.say(Tone::Refused, why);
    }

    pub(super) fn reserve(&mut self) {
        if self.shared.cart.has_seats() {
            let reserve = Reserve::own(&self.shared.cart);
            self.open(reserve);
        } else {
            self.note("The cart is empty; pick seats first");
        }
    }

    /// Opens the payment of a reservation that is at this desk now.
    pub(super) fn pay_taken_over(&mut self) {
        let own = self.shared.cart.view().map(|view| view.cart.id);
        if self.to_pay.is_some() && self.shared.cart.is_settled() {
            let mine = own == self.to_pay.take();
            if mine && self.modal.is_none() {
                self.open_pay();
            }
        }
    }

    /// Takes a reservation over to this desk and opens the keypad once it is there.
    pub(super) fn pay_reservation(&mut self, cart: CartId) {
        self.to_pay = Some(cart);
        asking!(self, context, take_to_desk(cart, TakeFrom::SetAside, context));
    }
}
