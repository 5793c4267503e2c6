//! Refusal on the calendar, shown until the next success or Esc, with alternatives; `a` takes the first.

use crate::engine::ops::{HoldSlot, Reach, SlotWanted};
use crate::tui::data::desk_act::DeskAct;
use crate::tui::data::own_cart::{CartOutcome, CartReply, CartWish};
use crate::tui::kit::context::Context;
use crate::tui::screens::calendar::Calendar;
use crate::tui::screens::calendar::booking_questions::moved_words;
use crate::tui::screens::calendar::state::{Refused, Wanted};

impl Calendar {
    /// Shows a refusal, and searches alternatives.
    pub(super) fn look_elsewhere(&mut self, sentence: &str) {
        let Some(mut refused) = self.refused.take() else {
            return;
        };
        sentence.clone_into(&mut refused.sentence);
        match &refused.wanted {
            Wanted::Move(moving) if moving.operation.reach == Reach::This => {
                let to = moving.operation.to.as_ref();
                if let Some(one) = to.and_then(|to| self.resource(to)) {
                    refused.places.look(one, &[moving.operation.slot]);
                }
            }
            Wanted::Move(_) => {}
            Wanted::Hold(one, slot) => refused.places.look(one, &[*slot]),
        }
        self.refused = Some(refused);
    }

    /// Handles the cart's answer: shows why time was refused.
    pub(crate) fn cart_answered(&mut self, reply: &CartReply) {
        let Some(CartWish::HoldTime(hold, _)) = &reply.wish else {
            return;
        };
        self.refused = match (reply.outcome, hold.wants.as_slice()) {
            (CartOutcome::Refused, [one]) => {
                self.resource(&one.resource).map(|resource| Refused::of(Wanted::Hold(resource.clone(), one.slot)))
            }
            _ => None,
        };
        self.look_elsewhere(&reply.sentence);
    }

    /// Takes the selected alternative.
    pub(super) fn accept(&mut self, context: &mut Context<'_>) {
        let Some(mut refused) = self.refused.take().filter(|refused| refused.places.chosen(context.shared).is_some())
        else {
            context.note("Nothing is offered; <best> finds free time");
            return;
        };
        let Some(place) = refused.places.take(context) else {
            self.refused = Some(refused);
            return;
        };
        let words = place.words(context.shared.now);
        match refused.wanted {
            Wanted::Move(moving) => {
                let mut moving = moving;
                moving.words = moved_words(&moving.title, &words);
                moving.operation.to = Some(place.resource.id);
                moving.operation.slot = place.slot;
                context.act(DeskAct::Move(Box::new(moving)));
            }
            Wanted::Hold(..) => {
                self.mark = None;
                let wants = vec![SlotWanted { count: None, resource: place.resource.id, slot: place.slot }];
                context.want(CartWish::HoldTime(
                    HoldSlot { cart: None, wants, past: crate::engine::ops::Past::Refuse },
                    words,
                ));
            }
        }
    }
}
