//! Actions on a need: open its screen, mark it as seen, snooze it.

use crate::domain::event::Event;
use crate::domain::house::WorkKind;
use crate::domain::ids::CartId;
use crate::engine::ops::ReviveCart;
use crate::engine::reads::events::EventView;
use crate::engine::reads::find::HitTarget;
use crate::engine::reads::tonight::{Need, NeedKind};
use crate::tui::data::own_cart::CartWish;
use crate::tui::dialogs::give_back::GiveBackDialog;
use crate::tui::kit::action::Action;
use crate::tui::kit::context::{Context, Go, JobName, OrdersOf, Sent};
use crate::tui::kit::question::QuestionDialog;
use crate::tui::kit::shared::Tone;
use crate::tui::screens::tonight::needs::{self, NeedKey, Seen};
use crate::tui::screens::tonight::{Panel, TonightScreen};
use crate::words;

impl TonightScreen {
    /// Opens the dialog that settles an item of the worklist, or goes where another need can be settled.
    pub(super) fn open(need: &Need, context: &mut Context<'_>) {
        if let NeedKind::Work(work) = &need.what {
            context.open(GiveBackDialog::item(work, context.shared));
        } else {
            Self::mend(need, context);
        }
    }

    /// Goes where the chosen need can be settled.
    pub(super) fn inspect(&mut self, context: &mut Context<'_>) {
        if let Some(need) = self.aimed_need(context) {
            Self::mend(&need, context);
        }
    }

    /// Gives the first free equal instead of what the chosen need lost.
    pub(super) fn accept(&mut self, context: &mut Context<'_>) {
        match self.aimed_need(context).map(|need| need.what) {
            Some(NeedKind::Work(work)) => {
                context.open(GiveBackDialog::accepting(&work, context.shared));
            }
            Some(_) => context.note("Nothing was lost here that could be replaced"),
            None => {}
        }
    }

    /// Opens the screen where a need can be settled.
    pub(super) fn mend(need: &Need, context: &mut Context<'_>) {
        match &need.what {
            NeedKind::Work(work) => match (&work.item.what, work.performance) {
                (WorkKind::Displaced { loss, .. }, Some(performance)) => {
                    let seat = loss.cells.seats_of(performance).first();
                    let seat = seat.map(|seat| Go::Show(HitTarget::Seat(performance, *seat)));
                    let seat = seat.unwrap_or(Go::sell(performance));
                    context.go(work.order.map_or(seat, Go::order));
                }
                (WorkKind::Displaced { .. }, None) => {
                    context.note("Book them other time, or settle it with <needs.seen>");
                }
                (WorkKind::UnissuedPayment { .. } | WorkKind::Overpaid { .. }, Some(performance)) => {
                    context.note("Find seats for it, or give the money back with <needs.seen>");
                    context.go(Go::sell(performance));
                }
                (WorkKind::UnissuedPayment { .. } | WorkKind::Overpaid { .. }, None) => {
                    context.note("Give the money back with <needs.seen>");
                }
                (WorkKind::Differs { .. }, _) => {
                    context
                        .note("Choose one of both versions with <needs.seen>, or change the booking in the calendar");
                }
                (WorkKind::Overridden { receipt, .. }, _) => context.go(Go::Show(HitTarget::Receipt(*receipt))),
            },
            NeedKind::Canceled(_) => {
                context.note("<order.refund> on an order gives its money back");
                context.go(Go::Orders(OrdersOf::LostSeats));
            }
            NeedKind::CartsRunOut { .. } => context.go(Go::Act(Action::OpenCarts)),
            NeedKind::Unpaid { cart, .. } => context.go(Go::Show(HitTarget::Reservation(*cart))),
            NeedKind::Offered { cart, .. } => context.go(Go::cart(*cart)),
            NeedKind::KeepEnds { performance, .. } => context.go(Go::sell(*performance)),
            NeedKind::Uncollected { receipts, .. } => match receipts.as_slice() {
                [one] => context.go(Go::Show(HitTarget::Receipt(*one))),
                _ => context.go(Go::Orders(OrdersOf::ToCollect)),
            },
            NeedKind::Parked(job) => context.go(Go::Job(JobName::of(job))),
            NeedKind::Told(event) => Self::go_to_event(event, context),
        }
    }

    /// Opens the screen of an event.
    fn go_to_event(event: &EventView, context: &mut Context<'_>) {
        match event.event() {
            Some(Event::TakenOver { cart, .. }) => context.go(Go::cart(cart)),
            Some(Event::OfferLapsed(offer)) => context.go(Go::sell(offer.performance)),
            Some(Event::SalesClosed { performance, .. }) => context.go(Go::sell(performance)),
            Some(Event::CartExpired { cart, .. }) => revive(cart, words::events::words(event), context),
            _ => {
                let words = words::events::words(event);
                context.note(format!("{words}; <needs.seen>: seen"));
            }
        }
    }

    /// Opens the dialog that settles an item of the worklist; any other need is hidden on this desk.
    pub(super) fn seen(&mut self, context: &mut Context<'_>) {
        if self.panel != Panel::Needs {
            context.note("Go to Needs you with <next-stop>; <needs.seen> there deals with one");
            return;
        }
        let Some(need) = self.aimed_need(context) else {
            return;
        };
        if let NeedKind::Work(work) = &need.what {
            context.open(GiveBackDialog::item(work, context.shared));
            return;
        }
        let words = needs::words(&need, context.shared.now);
        let key = NeedKey::of(&need);
        let next = self.need.place(&self.need_keys(context.shared));
        self.put_off.hide(key.clone());
        self.need.stand(next, self.need_keys(context.shared));
        context.note(format!("{words}: seen on this desk"));
        self.seen = Some(Seen { key, words });
    }

    /// Description of the need that `u` would bring back.
    pub(crate) fn would_undo(&self) -> Option<String> {
        let seen = self.seen.as_ref().filter(|_| self.panel == Panel::Needs)?;
        Some(format!("seen, {}", seen.words))
    }

    /// Brings back the need last marked as seen.
    pub(super) fn undo(&mut self, context: &mut Context<'_>) {
        let Some(Seen { key, words }) = self.seen.take() else {
            return;
        };
        self.put_off.forget(&key);
        context.say(Tone::Done, format!("{words}: it needs you again"));
    }

    /// Snoozes the need: ten minutes, an hour, until tomorrow.
    pub(super) fn later(&mut self, context: &mut Context<'_>) {
        let now = context.shared.now;
        let Some(need) = self.aimed_need(context) else {
            return;
        };
        let key = NeedKey::of(&need);
        let zone = context.shared.zone;
        let until = self.put_off.later(key, now, zone);
        self.need.keep(self.need_keys(context.shared));
        let words = until.map_or_else(
            || "No longer put off".to_owned(),
            |until| {
                format!(
                    "Put off until {} on this desk; <put-off> again puts it off longer",
                    until.format(zone, "%a %H:%M")
                )
            },
        );
        context.note(words);
    }
}

/// Asks whether this desk takes the seats of an ended cart again.
fn revive(cart: CartId, why: String, context: &mut Context<'_>) {
    if context.shared.cart.has_seats() {
        context.note("Your cart has seats: <next-customer> on Seats sets it aside first");
        return;
    }
    let text = vec![why, "All of them or none, at today's price.".to_owned()];
    context.open(QuestionDialog::new("Take its seats again?", text, ('n', "no")).choice(
        't',
        "take them again",
        Go::Send(Sent::Want(CartWish::run(ReviveCart { cart }))),
    ));
}
