//! Stored times more than two minutes in the future, left by a clock that was ahead.
//!
//! Checked are the stamps of journal entries, documents, events, runs and jobs, and the times that
//! decided something: holds, receipts, places in the waiting line, worklist items.

use chrono_tz::Tz;

use super::{Remark, RemarkKind, Report};
use crate::domain::cart::Cart;
use crate::domain::time::Instant;
use crate::engine::Failure;
use crate::engine::clock::JUMP_MAX;
use crate::engine::reads::Snapshot;
use crate::store::document::DocKind;
use crate::store::stamps;

/// Adds a remark for each time in the future.
pub(super) fn check(snapshot: &mut Snapshot<'_>, report: &mut Report) -> Result<(), Failure> {
    let zone = snapshot.settings()?.time_zone;
    let remarks = find(snapshot)?.into_iter().map(|(subject, at)| remark(subject, at, zone));
    report.remarks.extend(remarks);
    Ok(())
}

fn remark(subject: String, at: i64, zone: Tz) -> Remark {
    let at = Instant::from_millis(at).format(zone, "%-d %b %Y %H:%M:%S");
    Remark {
        about: RemarkKind::Ahead,
        detail: format!("The time of {subject} is to come: {at}. Bring it back: willcall clock repair"),
        subject,
    }
}

fn find(snapshot: &mut Snapshot<'_>) -> Result<Vec<(String, i64)>, Failure> {
    let after = snapshot.now() + JUMP_MAX;
    let millis = after.millis();
    let mut found = Vec::new();
    let entries = stamps::entries(snapshot.sql(), millis)?;
    let named = |stamp: stamps::Stamp| (format!("journal {}", stamp.seq), stamp.at);
    found.extend(entries.into_iter().rev().map(named));
    for kind in DocKind::ALL.iter().copied() {
        let documents = stamps::documents(snapshot.sql(), kind, millis)?;
        let named = |(key, at)| (format!("{} {key}", kind.word()), at);
        found.extend(documents.into_iter().map(named));
    }
    let beside = stamps::beside(snapshot.sql(), millis)?;
    let named = |(what, place, at)| (format!("{what} {place}"), at);
    found.extend(beside.into_iter().map(named));
    let active = "WHERE state = 'active' AND expires_at > $1 ORDER BY key";
    let carts: Vec<Cart> = snapshot.select(active, &[millis.into()])?;
    let counted = carts.iter().filter(|cart| cart.is_held_after(after));
    let named = |cart: &Cart| (format!("the end of cart {}", cart.id), cart.expires_at.millis());
    found.extend(counted.map(named));
    for text in [
        "SELECT 'the issue of receipt ' || number, issued_at FROM receipt WHERE issued_at > $1 ORDER BY number",
        "SELECT 'the place in line of waiting ' || key, since FROM waiting WHERE since > $1 ORDER BY key",
        "SELECT 'the beginning of work ' || key, since FROM work WHERE since > $1 ORDER BY key",
    ] {
        let rows = snapshot.query(text, &[millis.into()])?;
        found.extend(rows.iter().map(|row| (row.text(0).to_owned(), row.int(1))));
    }
    Ok(found)
}
