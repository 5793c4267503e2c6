//! Answers of the engine, each handed to the place that asked.

use crate::tui::app::App;
use crate::tui::data::msg::{Answer, Changed};
use crate::tui::data::reads::Needs;
use crate::tui::data::ticket::{Ticket, TicketOwner};
use crate::tui::kit::dialog::Dialog;
use crate::tui::kit::go::PromptPurpose;
use crate::tui::kit::prompt::Prompt;
use crate::tui::kit::screen::Screen;
use crate::tui::screens::calendar::Calendar;
use crate::tui::screens::jobs::Jobs;
use crate::tui::screens::orders::Orders;

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
            TicketOwner::Screen(_) => {}
            owner @ (TicketOwner::OwnReceiptNumber(_) | TicketOwner::ReceiptNumber(_)) => {
                asking!(self, Screen::Orders, context, self.orders.number_came(owner, answer, context));
            }
            TicketOwner::Handover => {
                let done = answer.ran();
                self.print_collected(&done);
                asking!(self, Screen::Orders, context, Orders::handed_over(done, context));
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
            match self.at {
                Screen::Orders => self.orders.came(&question, &self.shared),
                Screen::Jobs => self.jobs.came(&question, &self.shared),
                Screen::Tonight => self.tonight.came(&question, &self.shared),
                Screen::Calendar => self.calendar.came(&question, &self.shared),
                Screen::Seats => {
                    asking!(self, Screen::Seats, context, self.seats.came(&question, context));
                    self.relight();
                }
            }
        }
    }

    /// Asks what is needed now, and is not known.
    pub(super) fn ask_needed(&mut self) {
        let mut needs = Needs::default();
        let covers = self.shown().is_some_and(Dialog::covers);
        needs.is_new = self.read != Some(self.at);
        self.read = Some(self.at).filter(|_| !covers);
        match self.at {
            _ if covers => {}
            Screen::Calendar => self.calendar.needs(&self.shared, &mut needs),
            Screen::Jobs => self.jobs.needs(&mut needs),
            Screen::Orders => self.orders.needs(&self.shared, &mut needs),
            Screen::Tonight => self.tonight.needs(&self.shared, &mut needs),
            Screen::Seats => self.seats.needs(&self.shared, &mut needs),
        }
        needs.is_new = false;
        if let Some(dialog) = &self.covered {
            dialog.needs(&self.shared, &mut needs);
        }
        needs.is_new = std::mem::take(&mut self.is_opened);
        if let Some(dialog) = &self.modal {
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

    /// Updates the suggested seats while `b` is typed, when the map arrives or another desk took one of them.
    pub(super) fn relight(&mut self) {
        let is_best = |prompt: &Prompt| prompt.purpose == PromptPurpose::Best;
        if self.dialog().is_some_and(is_best) && !self.seats.lit_stands() {
            self.prompt_changed();
        }
    }
}
