//! Moves back times that a wrong clock left in the future.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use crate::domain::availability::Act;
use crate::domain::cart::{Cart, PAYMENT_SPAN};
use crate::domain::house::WorklistItem;
use crate::domain::ids::{CartId, ReceiptId};
use crate::domain::receipt::Receipt;
use crate::domain::time::Instant;
use crate::domain::waiting::Waiting;
use crate::engine::clock::JUMP_MAX;
use crate::engine::ops::{cart_claims, ending};
use crate::engine::reads::journal::history_of;
use crate::engine::work::{Failure, Operation, UnitOfWork};
use crate::store::document::{DocKind, Document};
use crate::store::stamps::{self, BroughtBack};

/// Moves every stamp later than the present back to it, along with the holds, receipts and waiting list positions made
/// by the wrong clock. The answer, stored in the journal, has the previous time of each entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct RepairClock;

/// Repaired times.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClockRepaired {
    /// Journal entries, newest first.
    pub entries: Vec<EntryBefore>,
    /// Number of documents with a recorded time in the future.
    pub documents: usize,
    /// Number of events, runs and jobs in the future.
    pub beside: usize,
    /// Carts with a hold by the wrong clock.
    pub carts: Vec<CartId>,
    /// Receipts issued in the future.
    pub receipts: Vec<ReceiptId>,
}

/// Previous time of a journal entry.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EntryBefore {
    /// Position in the journal.
    pub seq: i64,
    pub command: String,
    /// Previous time.
    pub at: Instant,
    /// New time.
    pub to: Instant,
}

/// Replacement times, by command and by previous time.
#[derive(Default)]
struct Times {
    by_command: HashMap<String, i64>,
    by_time: HashMap<i64, i64>,
    /// New time of the end of a chain.
    ends: HashMap<String, i64>,
}

impl Times {
    fn of(&self, at: Instant, now: Instant) -> Instant {
        let back = self.by_time.get(&at.millis());
        back.map_or(now, |at| Instant::from_millis(*at))
    }
}

impl Operation for RepairClock {
    const VERB: &'static str = "repair_clock";
    type Answer = ClockRepaired;

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<ClockRepaired, Failure> {
        let (now, after) = (work.now(), work.now() + JUMP_MAX);
        let mut back = BroughtBack { now: now.millis(), after: after.millis(), ..BroughtBack::default() };
        let mut done = ClockRepaired::default();
        let times = entries(work, &mut back, &mut done)?;
        documents(work, &mut back, &times)?;
        done.documents = back.documents.len();
        done.beside = stamps::beside(work.sql()?, back.after)?.len();
        done.carts = carts(work, after)?;
        for mut receipt in later::<Receipt>(work, "receipt WHERE issued_at > $1", after)? {
            receipt.issued_at = times.of(receipt.issued_at, now);
            work.put(&receipt)?;
            done.receipts.push(receipt.id);
        }
        for mut waiting in later::<Waiting>(work, "waiting WHERE since > $1", after)? {
            waiting.since = times.of(waiting.since, now);
            work.put(&waiting)?;
        }
        for mut item in later::<WorklistItem>(work, "work WHERE since > $1", after)? {
            item.since = times.of(item.since, now);
            work.put(&item)?;
        }
        if done != ClockRepaired::default() {
            work.bring_back(back);
        }
        Ok(done)
    }
}

/// Gives each journal entry in the future the time of the next one that is not.
fn entries(work: &mut UnitOfWork<'_>, back: &mut BroughtBack, done: &mut ClockRepaired) -> Result<Times, Failure> {
    let mut times = Times::default();
    let mut next: Option<(i64, i64)> = None;
    for stamp in stamps::entries(work.sql()?, back.after)? {
        let at = match next {
            Some((seq, at)) if seq == stamp.seq + 1 => at,
            _ => stamps::next_entry(work.sql()?, stamp.seq, back.after)?.map_or(back.now, |at| at.min(back.now)),
        };
        next = Some((stamp.seq, at));
        back.entries.push((stamp.seq, at));
        times.by_time.insert(stamp.at, at);
        let end = times.ends.entry(stamp.chain).or_insert(at);
        *end = at.max(*end);
        done.entries.push(EntryBefore {
            seq: stamp.seq,
            command: stamp.command.clone(),
            at: Instant::from_millis(stamp.at),
            to: Instant::from_millis(at),
        });
        times.by_command.insert(stamp.command, at);
    }
    Ok(times)
}

/// Gives each document with a recorded time in the future the latest time of its changes.
fn documents(work: &mut UnitOfWork<'_>, back: &mut BroughtBack, times: &Times) -> Result<(), Failure> {
    for kind in DocKind::ALL.iter().copied() {
        for (key, _) in stamps::documents(work.sql()?, kind, back.after)? {
            let at = if kind == DocKind::Chain {
                let left = stamps::newest_entry(work.sql()?, &key, back.after)?;
                left.max(times.ends.get(&key).copied())
            } else {
                let changes = history_of(work.sql()?, (kind, &key), usize::MAX)?;
                let at = changes.iter().map(|change| {
                    let at = times.by_command.get(&change.version.command);
                    at.copied().unwrap_or(change.version.at)
                });
                at.max()
            };
            back.documents.push((kind, key, at.unwrap_or(back.now)));
        }
    }
    Ok(())
}

/// Loads documents by a condition on one of their times.
fn later<D: Document>(work: &mut UnitOfWork<'_>, which: &str, after: Instant) -> Result<Vec<D>, Failure> {
    let text = format!("SELECT key FROM {which} ORDER BY key");
    let rows = work.query(&text, &[after.millis().into()])?;
    rows.iter().map(|row| work.get(row.text(0))).collect()
}

/// Resets the holds of carts made by a wrong clock; a reservation keeps its agreed pay-by.
fn carts(work: &mut UnitOfWork<'_>, after: Instant) -> Result<Vec<CartId>, Failure> {
    let now = work.now();
    let longest = work.settings()?.hold_cap;
    let mut done = Vec::new();
    let active = "cart WHERE state = 'active' AND expires_at > $1";
    for mut cart in later::<Cart>(work, active, after)? {
        if !cart.is_held_after(after) {
            continue;
        }
        cart_claims::free_all(work, &cart)?;
        ending::end_jobs(work, &cart);
        cart.created_at = cart.created_at.min(now);
        cart.modified_at = now;
        cart.payment_began_at = cart.payment_began_at.map(|at| at.min(now));
        let hold = cart.hold.max(cart.payment_began_at.map_or(cart.hold, |_| PAYMENT_SPAN));
        cart.expires_at = cart.expires_at.min(now + hold);
        cart.hold_cap_at = cart.hold_cap_at.min(now + longest.max(cart.hold));
        let until = cart.expires_at;
        cart_claims::act_all(work, &cart, Act::Hold { until })?;
        ending::put_jobs(work, &cart)?;
        work.put(&cart)?;
        done.push(cart.id);
    }
    Ok(done)
}
