//! Running acts of the calendar, with their success messages and undo entries.

use crate::engine::Failure;
use crate::engine::ops::{MoveBooking, Past, Reach, Whose};
use crate::engine::reads::bookings::ReadBooking;
use crate::tui::data::msg::{Answer, Finished, wrong_answer};
use crate::tui::data::ticket::TicketOwner;
use crate::tui::data::time::{Moving, SentAct, TimeAct, Undoing, Was};
use crate::tui::kit::context::Context;
use crate::tui::kit::shared::Tone;
use crate::tui::screens::calendar::Calendar;
use crate::tui::screens::calendar::questions::{asked_first, moved_words};
use crate::tui::screens::calendar::results::{ActDone, success};
use crate::tui::screens::calendar::state::{Refused, Wanted};
use crate::words;

impl Calendar {
    /// Confirms the ghost's move; first reads whether the booking is part of a series.
    pub(super) fn put_ghost(&mut self, context: &mut Context<'_>) {
        let Some((to, slot)) = self.ghost_goal(context.shared) else {
            return;
        };
        let Some(ghost) = self.ghost.take() else {
            return;
        };
        if let Some(line) = self.lines.of_resources(std::slice::from_ref(&to)).first() {
            self.stand_on_line(*line);
        }
        self.at = ghost.from;
        if to == ghost.resource && slot == ghost.slot {
            context.note("It stays where it is");
            return;
        }
        let goal = self.place_words(&to, (slot, context.shared));
        let moving = Moving {
            operation: MoveBooking {
                booking: ghost.booking,
                from: Some(ghost.resource),
                to: Some(to),
                part: None,
                slot,
                reach: Reach::This,
                past: Past::Refuse,
                whose: Whose::Mine,
            },
            was: Some(Was::Here(ghost.slot)),
            words: moved_words(&ghost.title, &goal),
            title: ghost.title,
        };
        let owner = TicketOwner::Moving(Box::new(moving));
        context.on_behalf(owner, |context| context.read(ReadBooking(ghost.booking)));
    }

    /// Continues a move once the booking is known: for a date of a series, asks how many dates move.
    pub(crate) fn put_known(moving: Moving, answer: Answer, context: &mut Context<'_>) {
        let Answer::Booking(view) = answer else {
            return;
        };
        match view {
            Ok(view) => match asked_first(&view.booking, &moving, context.shared) {
                Some(question) => context.open(question),
                None => {
                    context.act(TimeAct::Move(Box::new(moving)));
                }
            },
            Err(failure) => context.refuse(&failure),
        }
    }

    /// Handles the answer to an act: with a message and its undo, or with alternatives.
    pub(crate) fn acted(&mut self, sent: SentAct, done: Result<ActDone, Failure>, context: &mut Context<'_>) {
        match done {
            Ok(done) => {
                self.refused = None;
                context.say(Tone::Done, done.words);
                if let (Some(undo), Undoing::Remember(on)) = (done.back, sent.undoing) {
                    let now = context.shared.now;
                    context.shared.cart.remember(undo, Some(on), now);
                }
            }
            Err(failure) => {
                self.refused = match sent.act {
                    TimeAct::Move(moving) => Some(Refused::of(Wanted::Move(*moving))),
                    TimeAct::Run(_) => None,
                };
                self.say_refused(&words::failure(&failure, context.shared.here()), context);
            }
        }
    }
}

/// Outcome of an act by its answer.
pub(crate) fn done_act(act: &TimeAct, answer: Result<Finished, Failure>) -> Result<ActDone, Failure> {
    let Finished::Ran(answer) = answer? else {
        return Err(wrong_answer());
    };
    Ok(success(act, answer))
}
