//! Values read from the engine, each with the question that it answers.
//!
//! An answer to a request that is not awaited any more is dropped, so that a slow answer never overwrites a newer one.
//! Only one request for a value is pending at a time; a question asked meanwhile is sent afterwards.
//! [`Context`](crate::tui::context::Context) sends the questions and takes the answers in.

use std::collections::HashMap;

use crate::domain::time::Instant;
use crate::engine::Failure;

/// Issues the numbers of requests, and tracks those waiting for an answer.
#[derive(Debug, Default)]
pub(crate) struct TicketCounter {
    last: u64,
    waiting: HashMap<u64, Instant>,
}

impl TicketCounter {
    /// Issues a new number.
    pub(crate) const fn draw(&mut self) -> u64 {
        self.last += 1;
        self.last
    }

    /// Notes that a request was sent.
    pub(crate) fn asked(&mut self, number: u64, now: Instant) {
        self.waiting.insert(number, now);
    }

    /// Notes that a request was answered.
    pub(crate) fn answered(&mut self, number: u64) {
        self.waiting.remove(&number);
    }

    /// Time of the oldest pending request; none when none is pending.
    pub(crate) fn waiting_since(&self) -> Option<Instant> {
        self.waiting.values().min().copied()
    }
}

/// Value of the engine for a question, with the state of its loading.
#[derive(Clone, Debug)]
pub(crate) struct Remote<Q, T> {
    /// Last answer, with its question.
    answer: Option<(Q, Result<T, Failure>)>,
    /// Question under way, with the number of its request.
    pending: Option<(u64, Q)>,
    /// Question to send after the pending answer.
    next: Option<Q>,
}

impl<Q, T> Default for Remote<Q, T> {
    fn default() -> Self {
        Self { answer: None, pending: None, next: None }
    }
}

impl<Q: Clone + PartialEq, T> Remote<Q, T> {
    /// Loaded value with its question, even if another question is pending.
    pub(crate) fn loaded(&self) -> Option<(&Q, &T)> {
        let (question, answer) = self.answer.as_ref()?;
        Some((question, answer.as_ref().ok()?))
    }

    /// Loaded value, even if another question is pending.
    pub(crate) fn value(&self) -> Option<&T> {
        self.loaded().map(|(_, value)| value)
    }

    /// Loaded value, to be changed.
    pub(crate) fn value_mut(&mut self) -> Option<&mut T> {
        self.answer.as_mut()?.1.as_mut().ok()
    }

    /// Loaded value, if it answers this question.
    pub(crate) fn value_for(&self, question: &Q) -> Option<&T> {
        let loaded = self.loaded().filter(|(of, _)| *of == question);
        loaded.map(|(_, value)| value)
    }

    /// Loaded value of the question asked last; none before its answer.
    pub(crate) fn current(&self) -> Option<&T> {
        self.value_for(self.asked()?)
    }

    /// Reason why nothing is loaded; none while a request is pending.
    pub(crate) fn problem(&self) -> Option<&Failure> {
        let (_, answer) = self.answer.as_ref().filter(|_| !self.is_pending())?;
        answer.as_ref().err()
    }

    pub(crate) fn asked(&self) -> Option<&Q> {
        let pending = self.pending.as_ref().map(|(_, question)| question);
        let answered = self.answer.as_ref().map(|(question, _)| question);
        self.next.as_ref().or(pending).or(answered)
    }

    /// True while an answer is awaited.
    pub(crate) const fn is_pending(&self) -> bool {
        self.pending.is_some()
    }

    /// True while the answer to the request with this number is awaited.
    pub(crate) fn awaits(&self, number: u64) -> bool {
        self.pending.as_ref().is_some_and(|(mine, _)| *mine == number)
    }

    /// Asks; returns the number of the request to send, or `None` when a pending answer has to come first.
    pub(crate) fn want(&mut self, question: &Q, tickets: &mut TicketCounter) -> Option<u64> {
        if self.is_pending() {
            self.next = Some(question.clone());
            return None;
        }
        let number = tickets.draw();
        self.pending = Some((number, question.clone()));
        Some(number)
    }

    /// Stores the answer to a request; false if the request is not awaited. A fault keeps the value of its question.
    pub(crate) fn settle(&mut self, number: u64, answer: Result<T, Failure>) -> bool {
        let Some((_, question)) = self.pending.take_if(|(mine, _)| *mine == number) else {
            return false;
        };
        if answer.is_ok() || self.value_for(&question).is_none() {
            self.answer = Some((question, answer));
        }
        true
    }

    /// Question to send now that the pending one is answered.
    pub(crate) const fn take_next(&mut self) -> Option<Q> {
        self.next.take()
    }

    /// Drops the value; a pending answer will be ignored.
    pub(crate) fn forget(&mut self) {
        *self = Self::default();
    }
}

#[cfg(test)]
mod tests {
    use super::{Remote, TicketCounter};
    use crate::engine::{Failure, Fault};

    #[test]
    fn a_second_question_waits_for_the_pending_answer() {
        let mut tickets = TicketCounter::default();
        let mut remote: Remote<char, u8> = Remote::default();
        let first = remote.want(&'a', &mut tickets).unwrap();
        assert!(remote.want(&'b', &mut tickets).is_none());
        assert!(!remote.settle(first + 1, Ok(9)));
        assert!(remote.settle(first, Ok(7)));
        assert_eq!(remote.value_for(&'a'), Some(&7));
        assert_eq!(remote.value_for(&'b'), None);
        assert_eq!(remote.current(), None, "b was asked last");
        let next = remote.take_next().unwrap();
        let second = remote.want(&next, &mut tickets).unwrap();
        assert_eq!(remote.value(), Some(&7), "it stays while it is read again");
        assert!(remote.settle(second, Ok(8)));
        assert_eq!(remote.current(), Some(&8));
        assert!(remote.take_next().is_none());
    }

    #[test]
    fn a_fault_keeps_the_value_of_its_own_question_only() {
        let mut tickets = TicketCounter::default();
        let mut remote: Remote<char, u8> = Remote::default();
        let mut ask = |remote: &mut Remote<char, u8>, question, answer| {
            let number = remote.want(&question, &mut tickets).unwrap();
            remote.settle(number, answer);
        };
        let fault = || Err(Failure::from(Fault::Broken("no database".into())));
        ask(&mut remote, 'a', Ok(7));
        ask(&mut remote, 'a', fault());
        assert_eq!((remote.value(), remote.problem()), (Some(&7), None));
        ask(&mut remote, 'b', fault());
        assert!(remote.value().is_none() && remote.problem().is_some());
    }
}
