//! Running acts of the calendar, with their success messages and undo entries.

use crate::engine::ops::{MoveBooking, Past, Reach, Whose};
use crate::engine::reads::bookings::ReadBooking;
use crate::tui::context::Context;
use crate::tui::msg::{Answer, Finished, Trouble};
use crate::tui::screens::calendar::Calendar;
use crate::tui::screens::calendar::questions::{asked_first, moved_words};
use crate::tui::screens::calendar::results::success;
use crate::tui::screens::calendar::state::{Cursor, Refused, Wanted};
use crate::tui::shared::Tone;
use crate::tui::ticket::TicketOwner;
use crate::tui::time::{ActDone, Moving, SentAct, TimeAct, Undoing, Was};

impl Calendar {
    /// Confirms the ghost's move; first reads whether the booking is part of a series.
    pub(super) fn put_ghost(&mut self, context: &mut Context<'_>) {
        let Some((to, slot)) = self.ghost_goal(context.shared) else {
            return;
        };
        let Some(ghost) = self.ghost.take() else {
            return;
        };
        self.cursor = Cursor {
            line: ghost.line,
            at: ghost.from,
        };
        if to == ghost.resource && slot == ghost.slot {
            context.say(Tone::Note, "It stays where it is");
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
    pub(crate) fn put_known(&mut self, moving: Moving, answer: Answer, context: &mut Context<'_>) {
        let Answer::Booking(view) = answer else {
            return;
        };
        match view {
            Ok(view) => match asked_first(&view.booking, &moving, context.shared) {
                Some(question) => context.open(|_| question),
                None => self.run(TimeAct::Move(Box::new(moving)), Undoing::Remember, context),
            },
            Err(trouble) => context.refuse(&trouble),
        }
    }

    /// Runs an act; its answer is told.
    pub(crate) fn run(&mut self, act: TimeAct, undoing: Undoing, context: &mut Context<'_>) {
        self.refused = None;
        context.act(act, undoing);
    }

    /// Handles the answer to an act: with a message and its undo, or with alternatives.
    pub(crate) fn acted(
        &mut self,
        sent: SentAct,
        done: Result<ActDone, Trouble>,
        context: &mut Context<'_>,
    ) {
        match done {
            Ok(done) => {
                self.refused = None;
                context.say(Tone::Done, done.words);
                if let Some(back) = done.back.filter(|_| sent.undoing == Undoing::Remember) {
                    let now = context.shared.now;
                    context.shared.cart.remember(back, now);
                }
            }
            Err(trouble) => {
                self.refused = match sent.act {
                    TimeAct::Move(moving) => Some(Refused::of(Wanted::Move(*moving))),
                    TimeAct::Run(_) => None,
                };
                self.say_refused(&trouble.sentence(context.shared.zone), context);
            }
        }
        self.ask_all(context);
    }
}

/// Outcome of an act by its answer.
pub(crate) fn done_act(
    act: &TimeAct,
    answer: Result<Finished, Trouble>,
) -> Result<ActDone, Trouble> {
    let Finished::Ran(answer) = answer? else {
        return Err(Trouble::wrong_answer());
    };
    Ok(success(act, answer))
}
