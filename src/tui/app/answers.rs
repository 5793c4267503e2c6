//! Answers of the engine, each handed to the place that asked.

use crate::engine::Failure;
use crate::engine::ops::AnyOperation;
use crate::tui::app::App;
use crate::tui::data::desk_act::{SentAct, Undoing};
use crate::tui::data::msg::{Answer, Changed, Finished};
use crate::tui::data::reads::Needs;
use crate::tui::data::ticket::{Ticket, TicketOwner};
use crate::tui::data::told::{Told, told};
use crate::tui::kit::dialog::{Dialog, Flow};
use crate::tui::kit::line::PromptPurpose;
use crate::tui::kit::shared::Tone;
use crate::tui::screens::calendar::Calendar;
use crate::words;

impl App {
    /// Hands an answer to its owner; one that comes again, or from a house that was left, is for nobody.
    pub(super) fn answer(&mut self, ticket: Ticket, answer: Answer) {
        if self.shared.tickets.answered(ticket.number)
            && let Some(answer) = self.approved(&ticket, answer)
        {
            self.hand_over_answer(ticket, answer);
        }
    }

    pub(super) fn hand_over_answer(&mut self, Ticket { owner, number }: Ticket, answer: Answer) {
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
                self.after_cart(&reply);
            }
            TicketOwner::Stations => self.shared.stations.answer(number, answer),
            TicketOwner::Settings => self.settings_came(answer),
            TicketOwner::SignIn => {
                if let Answer::SignedIn(done) = answer {
                    self.signed_in(done);
                }
            }
            TicketOwner::LeftOpen => self.say_left_open(answer),
            TicketOwner::Counted(printer, print) => self.counted((printer, print), answer.ran()),
            TicketOwner::Printed(words) => self.printed(words, answer.ran()),
            TicketOwner::Written(words) => self.written(words, answer.ran()),
            owner @ (TicketOwner::OwnReceiptNumber(_) | TicketOwner::ReceiptNumber(_)) => {
                asking!(self, context, self.orders.number_came(owner, answer, context));
            }
            TicketOwner::Act(sent) => self.acted(number, *sent, answer.ran()),
            TicketOwner::Moving(moving) => asking!(self, context, {
                Calendar::put_known(*moving, answer, context);
            }),
        }
    }

    /// Tells what an act did; one that was refused is told by the dialog that sent it.
    fn acted(&mut self, number: u64, SentAct { act, undoing }: SentAct, done: Result<Finished, Failure>) {
        let mut is_of_dialog = false;
        self.with_dialogs(|dialog, context| {
            let flight = dialog.flight();
            if flight.is_none_or(|flight| flight.take_if(|sent| *sent == number).is_none()) {
                return Flow::Stay;
            }
            is_of_dialog = true;
            dialog.acted(done.as_ref().map(|_| ()), context)
        });
        match done {
            Ok(done) => {
                let Told { tone, words, undo } = told(&act, &done, self.shared.here());
                if let (Some(undo), Undoing::Remember(on)) = (undo, undoing) {
                    self.shared.cart.remember(undo, Some(on), self.shared.now);
                }
                if let AnyOperation::HandOver(_) = act.operation() {
                    self.print_collected(&done);
                } else if let AnyOperation::CancelCart(canceled) = act.operation() {
                    self.shared.cart.forget(canceled.cart);
                }
                self.say(tone, words);
                self.calendar.acted(act, None);
            }
            Err(_) if is_of_dialog => {}
            Err(failure) => {
                let sentence = words::failure(&failure, self.shared.here());
                self.say(Tone::Refused, sentence.clone());
                self.calendar.acted(act, Some(&sentence));
            }
        }
    }

    /// Takes the answer to a question in, and shows it to what may have asked.
    fn came(&mut self, number: u64, answer: Answer) {
        let shared = &mut self.shared;
        if let Some(question) = shared.reads.settle(number, answer, shared.now) {
            self.with_dialogs(|dialog, context| dialog.came(&question, context));
            asking!(self, context, screen!(self, mut).came(&question, context));
            self.relight();
        }
    }

    /// Asks what is needed now, and is not known.
    pub(super) fn ask_needed(&mut self) {
        let mut needs = Needs::default();
        let covers = self.shown().is_some_and(Dialog::covers);
        needs.is_new = self.read != Some(self.at);
        self.read = Some(self.at).filter(|_| !covers);
        if !covers {
            screen!(self).needs(&self.shared, &mut needs);
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
        (self.shared.operators, self.shared.lock_after) = (settings.operators, settings.lock_after);
        self.lock_if_unproven();
        if self.shared.zone != settings.time_zone {
            self.shared.zone = settings.time_zone;
            self.shared.reads.changed(&Changed::Everything);
            self.show(self.at);
        }
    }

    /// Updates the suggested seats while `b` is typed, when the map arrives or another desk took one of them.
    pub(super) fn relight(&mut self) {
        if self.purpose() == Some(PromptPurpose::Best) && !self.seats.lit_stands() {
            self.prompt_changed();
        }
    }
}
