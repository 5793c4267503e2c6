//! Running acts of the calendar, with their success messages and undo entries.

use crate::engine::ops::{MoveBooking, Past, Reach, Whose};
use crate::tui::context::Context;
use crate::tui::go::Go;
use crate::tui::msg::{Answer, Answered, Query, Trouble, only};
use crate::tui::remote::Ticket;
use crate::tui::screens::calendar::Calendar;
use crate::tui::screens::calendar::questions::{asked_first, moved_words};
use crate::tui::screens::calendar::results::success;
use crate::tui::screens::calendar::state::{Cursor, Refused, Undoing, Wanted};
use crate::tui::shared::Tone;
use crate::tui::time::{ActDone, Moving, TimeAct, TimeAnswer, TimeQuery, Was};

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
        let ticket = context.read(Query::Time(TimeQuery::Booking(ghost.booking)));
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
        self.putting = Some((ticket, moving));
    }

    /// Continues a move once the booking is known: for a date of a series, asks how many dates move.
    pub(super) fn put_known(
        &mut self,
        answer: Result<TimeAnswer, Trouble>,
        context: &mut Context<'_>,
    ) {
        let Some((_, moving)) = self.putting.take() else {
            return;
        };
        match answer.and_then(TimeAnswer::booking) {
            Ok(view) => match asked_first(&view.booking, &moving, context.shared) {
                Some(question) => context.go(Go::Question(Box::new(question))),
                None => self.run(TimeAct::Move(Box::new(moving)), Undoing::Remember, context),
            },
            Err(trouble) => context.refuse(&trouble),
        }
    }

    /// Runs an act; its answer is told.
    pub(super) fn run(&mut self, act: TimeAct, undoing: Undoing, context: &mut Context<'_>) {
        self.refused = match &act {
            TimeAct::Move(moving) => Some(Refused::of(Wanted::Move((**moving).clone()))),
            TimeAct::Run(_) => None,
        };
        self.running = Some((self.submit(act, context), undoing));
    }

    /// Sends an act's operation, and keeps the act until the answer.
    pub(super) fn submit(&mut self, act: TimeAct, context: &mut Context<'_>) -> Ticket {
        let ticket = context.run(act.operation());
        self.acts.push((ticket, act));
        ticket
    }

    /// Handles the answer of an act's operation: success message and undo.
    pub(super) fn done(&mut self, ticket: Ticket, answer: Answered) -> Result<ActDone, Trouble> {
        let at = self.acts.iter().position(|(mine, _)| *mine == ticket);
        let act = at.map(|at| self.acts.swap_remove(at).1);
        let answer = only!(answer, Answer::Ran(answer) => answer)?;
        let act = act.ok_or_else(Trouble::wrong_answer)?;
        Ok(success(&act, answer))
    }

    /// Handles the answer to an act.
    pub(super) fn ran(&mut self, ticket: Ticket, answer: Answered, context: &mut Context<'_>) {
        let done = self.done(ticket, answer);
        let Some((_, undoing)) = self.running.take() else {
            return;
        };
        match done {
            Ok(done) => {
                self.refused = None;
                Self::tell(done, undoing, context);
            }
            Err(trouble) => self.say_refused(&trouble.sentence(context.shared.zone), context),
        }
        self.ask_all(context);
    }

    /// Shows the success message, and adds the undo entry.
    pub(super) fn tell(done: ActDone, undoing: Undoing, context: &mut Context<'_>) {
        context.say(Tone::Done, done.words);
        if let Some(back) = done.back.filter(|_| undoing == Undoing::Remember) {
            let now = context.shared.now;
            context.shared.cart.remember(back, now);
        }
    }

    /// Runs the act that a question was answered with.
    pub(crate) fn do_asked(&mut self, act: TimeAct, context: &mut Context<'_>) {
        self.run(act, Undoing::Remember, context);
    }

    /// Runs the undo of an act.
    pub(crate) fn undo(&mut self, act: TimeAct, context: &mut Context<'_>) {
        self.run(act, Undoing::Forget, context);
    }
}
