//! Answers for tests of a screen alone.

use crate::tui::data::msg::{Answer, Effect, Query};
use crate::tui::data::reads::Needs;
use crate::tui::kit::shared::Shared;

/// Requests for what a screen needs now; a typed question is sent after its wait.
pub(crate) fn asked(shared: &mut Shared, declare: impl Fn(&Shared, &mut Needs)) -> Vec<(u64, Query)> {
    let mut needs = Needs::default();
    declare(shared, &mut needs);
    let mut asked = Vec::new();
    let mut waits = false;
    for effect in shared.reads.ask(needs, &mut shared.tickets, shared.now) {
        match Some(effect) {
            Some(Effect::Read(ticket, query)) => asked.push((ticket.number, query)),
            Some(Effect::TickIn(span)) => {
                shared.now = shared.now + span;
                waits = true;
            }
            other => panic!("asked for {other:?}"),
        }
    }
    if waits && asked.is_empty() { self::asked(shared, declare) } else { asked }
}

/// Takes an answer in; returns the question that is answered now.
pub(crate) fn answered(shared: &mut Shared, number: u64, answer: Answer) -> Option<Query> {
    shared.reads.settle(number, answer, shared.now)
}
