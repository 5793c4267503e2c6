//! Stored times more than two minutes in the future, left by a clock that was ahead.
//!
//! Checked are the stamps of journal entries, documents, events, runs and jobs, and the times that
//! decided something: holds, receipts, places in the waiting line, worklist items.

use super::{Remark, RemarkKind, Report};
use crate::domain::cart::Cart;
use crate::domain::time::Instant;
use crate::engine::Failure;
use crate::engine::clock::JUMP_MAX;
use crate::engine::reads::Snapshot;
use crate::store::document::DocKind;

/// Subjects and times later than a limit, beside those of documents.
const LATER: [&str; 7] = [
    "SELECT 'journal ' || CAST(seq AS TEXT), at FROM journal WHERE at > $1 ORDER BY seq",
    "SELECT 'event ' || CAST(seq AS TEXT), at FROM event WHERE at > $1 ORDER BY seq",
    "SELECT 'run ' || CAST(seq AS TEXT), started_at FROM job_run WHERE started_at > $1 ORDER BY seq",
    "SELECT 'job ' || kind || ' ' || subject, recorded_at FROM job WHERE recorded_at > $1 ORDER BY kind, subject",
    "SELECT 'the issue of receipt ' || number, issued_at FROM receipt WHERE issued_at > $1 ORDER BY number",
    "SELECT 'the place in line of waiting ' || key, since FROM waiting WHERE since > $1 ORDER BY key",
    "SELECT 'the beginning of work ' || key, since FROM work WHERE since > $1 ORDER BY key",
];

/// Adds a remark for each time in the future.
pub(super) fn check(snapshot: &mut Snapshot<'_>, report: &mut Report) -> Result<(), Failure> {
    let zone = snapshot.settings()?.time_zone;
    let after = snapshot.now() + JUMP_MAX;
    let mut remark = |subject: &str, at: Instant, advice: &str| {
        let at = at.format(zone, "%-d %b %Y %H:%M:%S");
        let detail = format!("The time of {subject} is to come: {at}. A clock was ahead{advice}.");
        report.remarks.push(Remark { about: RemarkKind::Ahead, subject: subject.to_owned(), detail });
    };
    let documents = DocKind::ALL.iter().map(|kind| {
        let table = kind.word();
        format!("SELECT '{table} ' || key, recorded_at FROM {table} WHERE recorded_at > $1 ORDER BY key")
    });
    for text in documents.chain(LATER.map(str::to_owned)) {
        for row in snapshot.query(&text, &[after.millis().into()])? {
            remark(row.text(0), Instant::from_millis(row.int(1)), "");
        }
    }
    let active = "WHERE state = 'active' AND expires_at > $1 ORDER BY key";
    let carts: Vec<Cart> = snapshot.select(active, &[after.millis().into()])?;
    for cart in carts.iter().filter(|cart| cart.is_held_after(after)) {
        let advice = format!("; to free what the cart holds: willcall cart cancel {}", cart.id);
        remark(&format!("the end of cart {}", cart.id), cart.expires_at, &advice);
    }
    Ok(())
}
