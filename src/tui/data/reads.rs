//! Reads declared: after each update the open dialogs and screens say which answers they need, and this cache asks for
//! what it lacks, keeps the answers, and hands them to views.
//!
//! # Invariants
//! - One request a question. A change while it is under way asks once more afterwards.
//! - An answer is shown for its own question only; a fault keeps the answer that was there before it.
//! - A list is read page by page, from the first row on and as far as it is needed; the new rows take the place of the old
//!   ones when all are there.
//! - What is not needed is not read. A place that is opened reads anew, with the old answers shown meanwhile.

use std::mem::{Discriminant, discriminant};

use crate::domain::time::{Instant, Span};
use crate::engine::Failure;
use crate::engine::reads::PAGE_MAX;
use crate::engine::reads::carts::ReadCart;
use crate::engine::reads::receipts::ReadReceipt;
use crate::tui::data::msg::{Answer, Changed, Effect, Finished, Query, Readable};
use crate::tui::data::ticket::{Ticket, TicketCounter, TicketOwner};

mod holding;
#[cfg(test)]
mod tests;

use holding::READ_EVERY;

/// Time after a fault until its question is asked again without a change.
const AGAIN_AFTER: Span = Span::seconds(2);
/// Time that a typed question waits for the next key, which replaces it.
pub(crate) const TYPED_WAIT: Span = Span::from_millis(120);
/// Most answers kept that nothing needs.
const SPARE_MAX: usize = 64;
/// Most bytes of answers kept that nothing needs, roughly.
const SPARE_BYTES_MAX: usize = 16 << 20;

/// Questions that are needed now.
#[derive(Debug, Default)]
pub(crate) struct Needs {
    list: Vec<Needed>,
    /// True while a place declares that has just been opened: it hears of each answer.
    pub is_new: bool,
}

#[derive(Debug)]
struct Needed {
    query: Query,
    haste: Haste,
    is_new: bool,
}

/// Haste of a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Haste {
    AtOnce,
    /// Once no key has replaced it for a moment.
    Typed,
    /// As far as this many rows.
    Rows(usize),
}

impl Needs {
    /// Needs the answer to a question.
    pub(crate) fn of(&mut self, question: impl Into<Query>) {
        self.add(question.into(), Haste::AtOnce);
    }

    /// Needs a list from its first row on, as far as this many rows.
    pub(crate) fn list(&mut self, question: impl Into<Query>, rows: usize) {
        self.add(question.into(), Haste::Rows(rows));
    }

    /// Needs the answer to a question that changes with each key.
    pub(crate) fn typed(&mut self, question: impl Into<Query>) {
        self.add(question.into(), Haste::Typed);
    }

    fn add(&mut self, query: Query, haste: Haste) {
        self.list.push(Needed { query, haste, is_new: self.is_new });
    }
}

/// Questions with their answers, those needed last at the end.
#[derive(Debug, Default)]
pub(crate) struct Reads(Vec<Kept>);

/// A question with what is known of its answer.
#[derive(Debug)]
struct Kept {
    query: Query,
    answer: Option<Answer>,
    need: Need,
    /// Number of the request under way.
    pending: Option<u64>,
    /// Rows wanted of a list, which is read page by page.
    rows: usize,
    /// Pages read so far, until there are enough to take the place of the answer.
    pages: Option<Answer>,
    /// True if a list has more rows than those of the answer.
    goes_on: bool,
    /// True after a fault.
    has_failed: bool,
    /// True if the answer is missing or may have changed since it was asked for.
    stale: bool,
    /// Time of the last request since it is needed.
    asked_at: Option<Instant>,
    /// Time until which a typed question waits for the next key.
    rests_at: Instant,
    /// Time from which the answer does not hold any more.
    until: Option<Instant>,
}

/// Need of an answer at the last look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Need {
    No,
    /// Until this look; not seen among the needs yet.
    Before,
    Now,
}

impl Kept {
    const fn new(query: Query) -> Self {
        Self {
            query,
            answer: None,
            need: Need::No,
            pending: None,
            rows: 0,
            pages: None,
            goes_on: false,
            has_failed: false,
            stale: true,
            asked_at: None,
            rests_at: Instant::from_millis(0),
            until: None,
        }
    }

    /// True if it is to be asked now: it may have changed or holds no longer, and was not asked for just before.
    fn is_due(&self, now: Instant) -> bool {
        let is_needed = self.need == Need::Now && self.pending.is_none() && now >= self.rests_at;
        let waited = |span| self.asked_at.is_none_or(|at| now.since(at) >= span);
        let reads_on = self.pages.is_some() || self.goes_on && !self.has_failed && self.rows() < self.rows;
        let is_over = self.until.is_some_and(|until| until <= now) && waited(READ_EVERY);
        is_needed && (reads_on || is_over || self.stale && waited(self.query.pace()))
    }

    /// Question to send: for all of it, or for the page after those that are read.
    fn send(&mut self, now: Instant) -> Query {
        let is_again = self.stale || self.until.is_some_and(|until| until <= now);
        if self.pages.is_none() && !is_again {
            self.pages = self.answer.clone();
        }
        if let Some(page) = self.pages.as_ref().and_then(|pages| self.query.after(pages)) {
            return page;
        }
        (self.stale, self.until, self.asked_at) = (false, None, Some(now));
        self.query.clone()
    }

    /// Takes an answer in; false while pages are missing.
    fn take(&mut self, answer: Answer, now: Instant) -> bool {
        self.pending = None;
        let pages = self.pages.take();
        self.has_failed = matches!(answer.failure(), Some(Failure::Fault(_)));
        if self.has_failed {
            self.until = Some(now + AGAIN_AFTER);
            if self.answer.as_ref().is_none_or(|before| before.failure().is_some()) {
                self.answer = Some(answer);
            }
            return true;
        }
        let is_full = answer.rows() >= PAGE_MAX;
        let answer = if let Some(pages) = pages { pages.joined(&answer) } else { answer };
        if is_full && answer.rows() < self.rows {
            self.pages = Some(answer);
            return false;
        }
        self.until = self.query.holds_until(&answer, now);
        (self.answer, self.goes_on) = (Some(answer), is_full);
        true
    }

    /// Rows of the answer to a list.
    fn rows(&self) -> usize {
        self.answer.as_ref().map_or(0, Answer::rows)
    }

    fn bytes(&self) -> usize {
        self.answer.as_ref().map_or(0, Answer::bytes)
    }
}

impl Reads {
    /// Answer to a question, however old; none before the first, and for one that failed.
    pub(crate) fn get<Q: Readable>(&self, question: &Q) -> Option<&Q::Value> {
        self.result(question)?.as_ref().ok()
    }

    /// Rows of the answer to a question, however old.
    pub(crate) fn rows<Q: Readable<Value = Vec<R>>, R>(&self, question: &Q) -> &[R] {
        self.get(question).map_or(&[], Vec::as_slice)
    }

    /// Reason why there is no answer; none before it is known.
    pub(crate) fn failure<Q: Readable>(&self, question: &Q) -> Option<&Failure> {
        self.result(question)?.as_ref().err()
    }

    /// True while a question was never answered; a refusal is an answer, a fault is none.
    pub(crate) fn is_unread<Q: Readable>(&self, question: &Q) -> bool {
        !matches!(self.result(question), Some(Ok(_) | Err(Failure::Refused(_))))
    }

    /// True while the newest answer is still to come.
    pub(crate) fn awaits<Q: Readable>(&self, question: &Q) -> bool {
        self.kept(question).is_none_or(|kept| kept.stale || kept.pending.is_some())
    }

    /// True while a request is under way.
    pub(crate) fn is_reading<Q: Readable>(&self, question: &Q) -> bool {
        self.kept(question).is_none_or(|kept| kept.pending.is_some() || kept.pages.is_some())
    }

    /// True if a list has rows after those that are read.
    pub(crate) fn goes_on<Q: Readable>(&self, question: &Q) -> bool {
        self.kept(question).is_some_and(|kept| kept.goes_on)
    }

    fn result<Q: Readable>(&self, question: &Q) -> Option<&Result<Q::Value, Failure>> {
        Q::value(self.kept(question)?.answer.as_ref()?)
    }

    fn kept<Q: Readable>(&self, question: &Q) -> Option<&Kept> {
        self.0.iter().rev().find(|kept| question.is(&kept.query))
    }

    /// Requests for what is needed and not known, and for a tick where a typed question waits for one.
    pub(crate) fn ask(&mut self, needs: Needs, tickets: &mut TicketCounter, now: Instant) -> Vec<Effect> {
        let mut effects = Vec::new();
        for (query, haste) in self.note(needs) {
            let is_replacing = haste == Haste::Typed && self.had(discriminant(&query));
            let Some(kept) = self.0.iter_mut().find(|kept| kept.query == query) else {
                continue;
            };
            (kept.stale, kept.asked_at) = (true, None);
            kept.pages.take_if(|_| kept.pending.is_none());
            if is_replacing {
                kept.rests_at = now + TYPED_WAIT;
                effects.push(Effect::TickIn(TYPED_WAIT));
            }
        }
        for kept in self.0.iter_mut().filter(|kept| kept.is_due(now)) {
            let number = tickets.draw();
            kept.pending = Some(number);
            effects.push(Effect::Read(Ticket { owner: TicketOwner::Reads, number }, kept.send(now)));
        }
        let mut has_left = false;
        for kept in self.0.iter_mut().filter(|kept| kept.need == Need::Before) {
            kept.need = Need::No;
            has_left = true;
        }
        if has_left {
            self.leave_spare();
        }
        effects
    }

    /// Notes what is needed, the most recent last; returns what was not needed before, or is by a place just opened.
    fn note(&mut self, needs: Needs) -> Vec<(Query, Haste)> {
        for kept in self.0.iter_mut().filter(|kept| kept.need == Need::Now) {
            kept.need = Need::Before;
        }
        let mut begun = Vec::new();
        for Needed { query, haste, is_new } in needs.list {
            let place = self.0.iter().position(|kept| kept.query == query);
            let mut kept = place.map_or_else(|| Kept::new(query.clone()), |place| self.0.remove(place));
            if kept.need == Need::No || is_new {
                begun.push((query, haste));
            }
            kept.need = Need::Now;
            kept.rows = if let Haste::Rows(rows) = haste { rows } else { 0 };
            self.0.push(kept);
        }
        begun
    }

    /// True if a question of a kind was needed until this look.
    fn had(&self, kind: Discriminant<Query>) -> bool {
        self.0.iter().any(|kept| kept.need == Need::Before && discriminant(&kept.query) == kind)
    }

    /// Drops the oldest answers that nothing needs, beyond what may be kept.
    fn leave_spare(&mut self) {
        let (mut count, mut bytes) = (0, 0);
        let mut stays = Vec::with_capacity(self.0.len());
        for kept in std::mem::take(&mut self.0).into_iter().rev() {
            let is_spare = kept.need == Need::No;
            if is_spare && kept.answer.is_none() && kept.pending.is_none() {
                continue;
            }
            count += usize::from(is_spare);
            bytes += if is_spare { kept.bytes() } else { 0 };
            if !is_spare || count <= SPARE_MAX && bytes <= SPARE_BYTES_MAX {
                stays.push(kept);
            }
        }
        stays.reverse();
        self.0 = stays;
    }

    /// Takes the answer to a request in; returns its question, or none where nothing waits for it, or pages are missing.
    pub(crate) fn settle(&mut self, number: u64, answer: Answer, now: Instant) -> Option<Query> {
        let kept = self.0.iter_mut().find(|kept| kept.pending == Some(number))?;
        kept.take(answer, now).then(|| kept.query.clone())
    }

    /// Notes a change in the house.
    pub(crate) fn changed(&mut self, changed: &Changed) {
        for kept in &mut self.0 {
            kept.stale |= kept.query.is_touched(changed, kept.answer.as_ref());
        }
    }

    /// Takes the answer to an act in: it is newer than what is read of the same document.
    pub(crate) fn acted(&mut self, done: &Finished) {
        if let Finished::Cart(view) = done {
            for kept in self.0.iter_mut().filter(|kept| matches!(kept.query, Query::Aside(_))) {
                kept.stale = true;
            }
            self.put(&ReadCart(view.cart.id), Answer::Cart(Ok(view.clone())));
        } else if let Finished::Receipt(view) = done {
            self.put(&ReadReceipt(view.receipt.id), Answer::Receipt(Ok(view.clone())));
        }
    }

    fn put<Q: Readable>(&mut self, question: &Q, answer: Answer) {
        if let Some(kept) = self.0.iter_mut().find(|kept| question.is(&kept.query)) {
            // a request from before the act does not know of it
            kept.stale |= kept.pending.take().is_some();
            kept.answer = Some(answer);
        }
    }
}
