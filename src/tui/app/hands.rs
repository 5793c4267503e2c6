//! Hands at this desk: signing in, locking, and approval in place.

use std::any::Any;

use crate::domain::operator::Operator;
use crate::domain::refusal::{OperatorRefusal, Refusal};
use crate::engine::Failure;
use crate::engine::ops::SetAside;
use crate::tui::app::App;
use crate::tui::data::msg::{Answer, Effect};
use crate::tui::data::own_cart::CartWish;
use crate::tui::data::ticket::{Refused, Ticket};
use crate::tui::dialogs::pin::PinDialog;
use crate::tui::kit::shared::Tone;
use crate::words;

impl App {
    /// Locks the desk if the house has operators, and none is signed in with the present PIN.
    pub(super) fn lock_if_unproven(&mut self) {
        let shared = &self.shared;
        let is_it = |one: &Operator| Some(one) == shared.signed_in.as_ref();
        if !shared.operators.is_empty() && !shared.operators.iter().any(is_it) {
            self.lock_now();
        }
    }

    /// Locks the desk after a while without a key.
    pub(super) fn lock_when_idle(&mut self) {
        if self.shared.signed_in.is_some() && self.shared.now.since(self.touched_at) >= self.shared.lock_after {
            self.lock_now();
        }
    }

    /// Locks the desk by its key.
    pub(super) fn lock(&mut self) {
        if self.shared.operators.is_empty() {
            self.note("The house has no operators: willcall operator add NAME --role office adds the first");
        } else {
            self.lock_now();
        }
    }

    fn lock_now(&mut self) {
        if self.shared.signed_in.take().is_some() {
            self.effects.push(Effect::SignOut);
        }
        if self.pin_dialog().is_some_and(|dialog| dialog.refused().is_none()) {
            return;
        }
        // an act that waits for an approval is given up with the one who asked for it
        if let Some(refused) = self.pin_dialog().and_then(|dialog| dialog.refused().cloned()) {
            self.modal = self.covered.take();
            self.unapproved(refused);
        }
        self.covered = self.covered.take().or_else(|| self.modal.take());
        self.open(PinDialog::sign_in());
    }

    /// The PIN that is typed.
    fn pin_dialog(&mut self) -> Option<&mut PinDialog> {
        let dialog: &mut dyn Any = self.modal.as_deref_mut()?;
        dialog.downcast_mut()
    }

    /// An act that nobody approved was refused.
    pub(super) fn unapproved(&mut self, refused: Refused) {
        self.hand_over_answer(refused.ticket, Answer::Ran(Err(refused.failure)));
    }

    /// An operator has signed in, or not.
    pub(super) fn signed_in(&mut self, done: Result<Operator, Failure>) {
        match done {
            Ok(operator) => {
                if self.pin_dialog().is_some() {
                    self.modal = self.covered.take();
                }
                let before = std::mem::replace(&mut self.shared.operator, operator.name.clone());
                let mut words = format!("{} is signed in", operator.name);
                self.shared.signed_in = Some(operator);
                self.touched_at = self.shared.now;
                if before != self.shared.operator && self.shared.cart.has_seats() {
                    self.put_by();
                    self.want(CartWish::of_cart(|cart| SetAside { cart }));
                    words = format!("{words}; the cart of {before} is set aside: <open-carts> lists it");
                }
                self.note(words);
            }
            Err(failure) => {
                let problem = words::failure(&failure, self.shared.here());
                if let Some(dialog) = self.pin_dialog() {
                    dialog.refuse(problem);
                }
            }
        }
    }

    /// Asks for an approval where an act was refused for a role; returns other answers.
    pub(super) fn approved(&mut self, ticket: &Ticket, answer: Answer) -> Option<Answer> {
        let here = self.shared.here();
        let is_covered = self.covered.is_some();
        let waits = self.pin_dialog().filter(|dialog| dialog.refused().is_some_and(|one| one.ticket == *ticket));
        match (waits, answer) {
            (Some(dialog), Answer::Unallowed(_, failure)) => dialog.refuse(words::failure(&failure, here)),
            (Some(dialog), Answer::Ran(Err(Failure::Refused(refusal @ Refusal::Operator(_))))) => {
                dialog.refuse(words::refusal(&refusal, here));
            }
            (Some(_), answer) => {
                self.modal = self.covered.take();
                return Some(answer);
            }
            (None, Answer::Unallowed(operation, failure)) if !is_covered => {
                self.covered = self.modal.take();
                self.open(PinDialog::approval(Refused { ticket: ticket.clone(), operation, failure }));
            }
            (None, Answer::Unallowed(_, failure)) => return Some(Answer::Ran(Err(failure))),
            (None, answer) => {
                if is_signed_out(&answer) {
                    self.say(Tone::Refused, "Your PIN was changed, or your rights ended");
                    self.lock_now();
                }
                return Some(answer);
            }
        }
        None
    }
}

/// True for an act that was refused because its operator is not signed in any more.
const fn is_signed_out(answer: &Answer) -> bool {
    matches!(answer, Answer::Ran(Err(Failure::Refused(Refusal::Operator(OperatorRefusal::SignInFirst { .. })))))
}
