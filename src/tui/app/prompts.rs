//! Opening of prompts, and dispatch of the typed line to its screen.

use crate::domain::time::Span;
use crate::tui::app::App;
use crate::tui::kit::context::Context;
use crate::tui::kit::line::{PromptPurpose, Typed, TypedLine};
use crate::tui::screens::seats::typed::Seen;

/// Least time that suggested seats are on the screen before Enter takes them.
const SEEN_AFTER: Span = Span::from_millis(120);

/// Time after the last key in which typing rests.
const RESTS_AFTER: Span = Span::from_millis(250);

impl App {
    pub(super) fn typed(&mut self, typed: Typed) {
        match typed {
            Typed::Changed => self.prompt_changed(),
            Typed::Entered => self.enter_prompt(),
            Typed::Next | Typed::Previous => self.next_choice(typed == Typed::Previous),
        }
    }

    fn next_choice(&mut self, back: bool) {
        let seen = self.shared.now - SEEN_AFTER;
        let Some((purpose, line)) = self.line() else {
            return;
        };
        line.changed_at = seen;
        if purpose == PromptPurpose::FreeTime {
            self.calendar.next_free(back);
            return;
        }
        if purpose == PromptPurpose::GoTo {
            self.sell_typed();
            return;
        }
        if let Some(lit) = self.seats.lit_mut() {
            lit.step(back);
        }
        self.seats.follow_lit();
        self.relight();
    }

    /// Takes the typed seats and opens Pay, if the cart gets all of them.
    fn sell_typed(&mut self) {
        let text = self.line().map_or_else(String::new, |(_, line)| line.field.text());
        let names_seats = self.seats.names_seats(&text);
        if let Some((_, line)) = self.line().filter(|_| !names_seats) {
            "no seats to take: type f9, or f9-12".clone_into(&mut line.note);
            return;
        }
        self.enter_prompt();
        let all = asking!(self, context, self.seats.take_chosen(context));
        if all {
            self.open_pay();
        }
    }

    /// Scrolls the map to the suggested seats once typing rests: a scroll sends the whole map to the terminal.
    pub(super) fn follow_typed(&mut self) {
        let resting = self.shared.now - RESTS_AFTER;
        let rests = |(purpose, line): (_, &mut TypedLine)| purpose == PromptPurpose::Best && line.changed_at <= resting;
        if self.line().is_some_and(rests) {
            self.dirty |= self.seats.follow_lit();
        }
    }

    pub(super) fn prompt_changed(&mut self) {
        let now = self.shared.now;
        let Some((purpose, line)) = self.line() else {
            return;
        };
        line.changed_at = now;
        let text = line.field.text();
        let note = asking!(self, context, {
            if purpose == PromptPurpose::Best {
                context.tick_in(RESTS_AFTER);
                self.seats.light(&text).unwrap_or_default()
            } else if purpose == PromptPurpose::FreeTime {
                self.calendar.light(&text, context.shared)
            } else {
                String::new()
            }
        });
        if let Some((_, line)) = self.line() {
            line.note = note;
        }
    }

    /// Keeps the preview of a prompt in step with what is found.
    pub(super) fn keep_lit(&mut self) {
        let lit = match self.purpose() {
            Some(PromptPurpose::FreeTime) => self.calendar.best_words(&self.shared),
            Some(PromptPurpose::Best) => self.seats.lit_words(),
            _ => return,
        };
        if let Some((_, line)) = self.line() {
            line.lit = lit;
        }
    }

    /// Drops what the prompt that closes has lit.
    pub(super) fn unlight(&mut self) {
        self.seats.unlight();
        self.calendar.unlight();
    }

    fn enter_prompt(&mut self) {
        let Some((purpose, line)) = self.line() else {
            return;
        };
        let (text, changed_at) = (line.field.text(), line.changed_at);
        let mut context = Context::new(&mut self.shared);
        let done = match purpose {
            PromptPurpose::Best => {
                let seen = context.shared.now >= changed_at + SEEN_AFTER;
                let seen = if seen { Seen::Yes } else { Seen::No };
                self.seats.take_best(&text, seen, &mut context)
            }
            PromptPurpose::GoTo => self.seats.go_to(&text, &mut context),
            PromptPurpose::Day => self.tonight.go_to(&text, &mut context),
            PromptPurpose::Order => self.orders.go_to(&text, &mut context),
            PromptPurpose::FreeTime => self.calendar.take_best(&mut context),
            PromptPurpose::Time => self.calendar.go_to(&text, &mut context),
            PromptPurpose::Filter => {
                self.calendar.set_filter(&text, &mut context);
                Ok(())
            }
        };
        let asked = context.finish();
        match done {
            Ok(()) => self.close_dialog(),
            Err(problem) => {
                if let Some((_, line)) = self.line() {
                    line.note = problem;
                }
            }
        }
        self.follow(asked);
    }
}
