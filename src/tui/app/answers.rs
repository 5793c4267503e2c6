//! Answers of the engine, each handed to the place that asked.

use crate::tui::app::App;
use crate::tui::dialogs::dialog::Dialog;
use crate::tui::dialogs::prompt::Prompt;
use crate::tui::go::PromptPurpose;
use crate::tui::msg::{Answer, Changed};
use crate::tui::reads::Needs;
use crate::tui::screens::Screen;
use crate::tui::screens::calendar::Calendar;
use crate::tui::screens::jobs::Jobs;
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
        if let Answer::Ran(Ok(done)) = &answer {
            self.shared.reads.acted(done);
            if owner != TicketOwner::Cart {
                // the house tells of it as well, later
                self.shared.reads.changed(&Changed::Everything);
            }
        }
        match owner {
            TicketOwner::Reads => self.came(number, answer),
            TicketOwner::Cart => {
                let reply = self.with_cart(|cart, context| cart.answer(number, answer, context));
                self.after_cart(reply);
            }
            TicketOwner::Stations => self.shared.stations.answer(number, answer),
            TicketOwner::Settings => self.settings_came(answer),
            TicketOwner::LeftOpen => self.say_left_open(answer),
            TicketOwner::Dialog => {
                let done = answer.ran();
                self.with_dialogs(|dialog, context| dialog.ran(number, done.clone(), context));
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
            TicketOwner::Job(act) => asking!(self, Screen::Jobs, context, Jobs::done(&act, answer.ran(), context)),
            TicketOwner::Act(sent) => self.acted(number, *sent, answer.ran()),
            TicketOwner::Moving(moving) => asking!(self, Screen::Calendar, context, {
                Calendar::put_known(*moving, answer, context);
            }),
        }
    }

    /// Takes the answer to a question in, and shows it to what may have asked.
    fn came(&mut self, number: u64, answer: Answer) {
        let shared = &mut self.shared;
        if let Some(question) = shared.reads.settle(number, answer, shared.now) {
            self.with_dialogs(|dialog, context| dialog.came(&question, context));
            asking!(self, Screen::Calendar, context, self.calendar.came(&question, context));
            if self.at == Screen::Jobs {
                self.jobs.came(&question, &self.shared);
            }
        }
    }

    /// Asks what is needed now, and is not known.
    pub(super) fn ask_needed(&mut self) {
        let mut needs = Needs::default();
        let covers = self.shown().is_some_and(Dialog::covers);
        match self.at {
            _ if covers => {}
            Screen::Calendar => self.calendar.needs(&mut needs),
            Screen::Jobs => self.jobs.needs(&mut needs),
            Screen::Tonight | Screen::Seats | Screen::Orders => {}
        }
        for dialog in self.covered.iter().chain(&self.modal) {
            dialog.needs(&self.shared, &mut needs);
        }
        let shared = &mut self.shared;
        self.effects.extend(shared.reads.ask(needs, &mut shared.tickets, shared.now));
    }

    /// Follows the settings; in another zone, the screens read again.
    fn settings_came(&mut self, answer: Answer) {
        let Answer::Settings(Ok(settings)) = answer else {
            return;
        };
        self.shared.reasons = settings.reasons;
        if self.shared.zone != settings.time_zone {
            self.shared.zone = settings.time_zone;
            self.shared.reads.changed(&Changed::Everything);
            self.show(self.at);
        }
    }

    fn answer_screen(&mut self, screen: Screen, number: u64, answer: Answer) {
        match screen {
            Screen::Tonight => hand!(self.tonight, Tonight, answer(number, answer)),
            Screen::Seats => hand!(self.seats, Seats, answer(number, answer)),
            Screen::Calendar => hand!(self.calendar, Calendar, answer(number, answer)),
            Screen::Orders => hand!(self.orders, Orders, answer(number, answer)),
            Screen::Jobs => {}
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
