//! Moves of bookings, and what the answers of acts change on the calendar.

use crate::engine::ops::{AnyOperation, MoveBooking, Past, Reach, Whose};
use crate::engine::reads::bookings::ReadBooking;
use crate::tui::data::desk_act::{DeskAct, Moving, Was};
use crate::tui::data::msg::Answer;
use crate::tui::data::ticket::TicketOwner;
use crate::tui::kit::context::Context;
use crate::tui::screens::calendar::Calendar;
use crate::tui::screens::calendar::booking_questions::{asked_first, moved_words};
use crate::tui::screens::calendar::state::{Refused, Wanted};

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
        context.read(TicketOwner::Moving(Box::new(moving)), ReadBooking(ghost.booking));
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
                    context.act(DeskAct::Move(Box::new(moving)));
                }
            },
            Err(failure) => {
                context.refuse(&failure);
            }
        }
    }

    /// Handles the answer to an act: a refused move shows alternatives, and a new booking or outage ends its mark.
    pub(crate) fn acted(&mut self, act: DeskAct, refusal: Option<&str>) {
        let uses_mark = matches!(
            act.operation(),
            AnyOperation::BookSlot(_) | AnyOperation::BookSeries(_) | AnyOperation::TakeOut(_)
        );
        self.mark.take_if(|_| uses_mark && refusal.is_none());
        self.refused = match (act, refusal) {
            (DeskAct::Move(moving), Some(_)) => Some(Refused::of(Wanted::Move(*moving))),
            _ => None,
        };
        self.look_elsewhere(refusal.unwrap_or_default());
    }
}
