//! What was refused stands until something is granted or Esc, with the nearest free places: `a` takes the first.

use crate::domain::resource::Resource;
use crate::domain::time::Slot;
use crate::engine::ops::{Reach, SlotWanted};
use crate::tui::own_cart::{Outcome, Reply, Wish};
use crate::tui::screens::calendar::Calendar;
use crate::tui::screens::calendar::doing::{Undoing, moved_words};
use crate::tui::screens::calendar::places::Places;
use crate::tui::shared::{Context, Tone};
use crate::tui::time::{Moving, TimeCommand};

/// Something that the house, or what is seen of it, refused.
#[derive(Debug)]
pub(super) struct Refused {
    /// What was said; nothing before it is answered.
    pub(super) sentence: String,
    wanted: Wanted,
    /// Where else there is room for it.
    pub(super) places: Places,
}

/// What was wanted.
#[derive(Debug)]
pub(super) enum Wanted {
    /// A booking at another place.
    Move(Moving),
    /// Time in the cart.
    Hold(Resource, Slot),
}

impl Refused {
    /// Not refused yet: what it will be about.
    pub(super) fn of(wanted: Wanted) -> Self {
        Self {
            sentence: String::new(),
            wanted,
            places: Places::default(),
        }
    }
}

impl Calendar {
    /// Says what was refused, and looks where else there is room for what was wanted.
    pub(super) fn say_refused(&mut self, sentence: &str, context: &mut Context<'_>) {
        context.say(Tone::Refused, sentence);
        self.look_elsewhere(sentence, context);
    }

    /// Shows what was refused, and looks where else there is room for what was wanted.
    fn look_elsewhere(&mut self, sentence: &str, context: &mut Context<'_>) {
        let Some(mut refused) = self.refused.take() else {
            return;
        };
        sentence.clone_into(&mut refused.sentence);
        match &refused.wanted {
            Wanted::Move(moving) if moving.reach == Reach::This => {
                if let Some(one) = self.resource(&moving.to) {
                    refused.places.look(one, moving.slot, context);
                }
            }
            Wanted::Move(_) => {}
            Wanted::Hold(one, slot) => refused.places.look(one, *slot, context),
        }
        self.refused = Some(refused);
    }

    /// The cart has answered: shows why time that was wanted for it was refused.
    pub fn cart_answered(&mut self, reply: &Reply, context: &mut Context<'_>) {
        let Some(Wish::HoldTime { wants, .. }) = &reply.wish else {
            return;
        };
        self.refused = match (reply.outcome, wants.as_slice()) {
            (Outcome::Refused, [one]) => self
                .resource(&one.resource)
                .map(|resource| Refused::of(Wanted::Hold(resource.clone(), one.slot))),
            _ => None,
        };
        self.look_elsewhere(&reply.sentence, context);
    }

    /// Takes the place that is offered instead of what was refused.
    pub(super) fn accept(&mut self, context: &mut Context<'_>) {
        let refused = self.refused.take();
        let place = refused.as_ref().and_then(|refused| refused.places.chosen());
        let (Some(refused), Some(place)) = (refused, place) else {
            context.say(Tone::Note, "Nothing is offered; <best> finds free time");
            return;
        };
        let words = place.words();
        match refused.wanted {
            Wanted::Move(moving) => {
                let moving = Moving {
                    words: moved_words(&moving.title, &words),
                    to: place.resource.id,
                    slot: place.slot,
                    ..moving
                };
                self.run(TimeCommand::Move(moving), Undoing::Remember, context);
            }
            Wanted::Hold(..) => {
                self.mark = None;
                context.want(Wish::HoldTime {
                    wants: vec![SlotWanted {
                        resource: place.resource.id,
                        slot: place.slot,
                    }],
                    words,
                });
            }
        }
    }
}
