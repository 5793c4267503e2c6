//! Answers of the engine, each handed to the place that asked.

use crate::tui::app::App;
use crate::tui::dialogs::prompt::Prompt;
use crate::tui::go::PromptPurpose;
use crate::tui::msg::Answer;
use crate::tui::screens::Screen;
use crate::tui::screens::calendar::Calendar;
use crate::tui::ticket::{Ticket, TicketOwner};

/// Hands an answer to a screen, and carries out what it asks for.
macro_rules! hand {
    ($app:ident.$to:ident, $screen:ident, $method:ident($($answer:expr),+)) => {
        asking!($app, Screen::$screen, context, $app.$to.$method($($answer,)+ context))
    };
}

impl App {
    /// Hands an answer to its owner.
    pub(super) fn answer(&mut self, Ticket { owner, number }: Ticket, answer: Answer) {
        self.shared.tickets.answered(number);
        match owner {
            TicketOwner::Cart => {
                let reply = self.with_cart(|cart, context| cart.answer(number, answer, context));
                self.after_cart(reply);
            }
            TicketOwner::Stations => self.shared.stations.answer(number, answer),
            TicketOwner::Settings => self.settings_came(answer),
            TicketOwner::LeftOpen => self.say_left_open(answer),
            TicketOwner::Dialog => {
                self.with_dialogs(|dialog, context| dialog.answer(number, answer.clone(), context));
            }
            TicketOwner::Decided(done) => self.say_decided(done, answer.ran()),
            TicketOwner::Counted(printer, papers) => self.counted((printer, papers), answer.ran()),
            TicketOwner::Printed(words) => self.printed(words, answer.ran()),
            TicketOwner::Screen(screen) => self.answer_screen(screen, number, answer),
            owner @ (TicketOwner::OwnReceiptNumber(_) | TicketOwner::ReceiptNumber(_)) => {
                hand!(self.orders, Orders, number_came(owner, answer));
            }
            TicketOwner::Handover => {
                let done = answer.ran();
                self.print_collected(&done);
                hand!(self.orders, Orders, handed_over(done));
            }
            TicketOwner::Job(act) => hand!(self.jobs, Jobs, done(&act, answer.ran())),
            TicketOwner::Act(sent) => self.acted(number, *sent, answer.ran()),
            TicketOwner::Moving(moving) => asking!(self, Screen::Calendar, context, {
                Calendar::put_known(*moving, answer, context);
            }),
        }
    }

    /// Follows the settings; in another zone, the screens read again.
    fn settings_came(&mut self, answer: Answer) {
        let Answer::Settings(Ok(settings)) = answer else {
            return;
        };
        self.shared.reasons = settings.reasons;
        if self.shared.zone != settings.time_zone {
            self.shared.zone = settings.time_zone;
            self.show(self.at);
        }
    }

    fn answer_screen(&mut self, screen: Screen, number: u64, answer: Answer) {
        match screen {
            Screen::Tonight => hand!(self.tonight, Tonight, answer(number, answer)),
            Screen::Seats => hand!(self.seats, Seats, answer(number, answer)),
            Screen::Calendar => hand!(self.calendar, Calendar, answer(number, answer)),
            Screen::Orders => hand!(self.orders, Orders, answer(number, answer)),
            Screen::Jobs => hand!(self.jobs, Jobs, answer(number, answer)),
        }
        self.relight();
    }

    /// Updates the suggested seats while `b` is typed, when the map arrives or another desk took one of them.
    pub(super) fn relight(&mut self) {
        let is_best = |prompt: &Prompt| prompt.purpose == PromptPurpose::Best;
        if self.dialog().is_some_and(is_best) && !self.seats.lit_stands() {
            self.prompt_changed();
        }
    }
}
