//! Waiting checks: each belongs to a subject that is there, and each subject that needs one has it.

use std::collections::{HashMap, HashSet};

use super::{Invariant, Report};
use crate::domain::cart::{Cart, CartState};
use crate::domain::job::JobKind;
use crate::domain::time::Instant;
use crate::engine::Failure;
use crate::engine::reads::Snapshot;

/// Checks the jobs of carts: the end of each that is active, and the alerts of a reservation still to be raised.
pub(super) fn check(
    snapshot: &mut Snapshot<'_>,
    carts: &[Cart],
    report: &mut Report,
) -> Result<(), Failure> {
    let active = carts.iter().filter(|cart| cart.state == CartState::Active);
    let (mut ends, mut alerts) = (HashMap::new(), HashMap::new());
    for cart in active {
        ends.insert(cart.id.to_string(), cart.expires_at);
        let alert_at = cart.reservation.and_then(|made| made.next_at());
        alerts.extend(alert_at.map(|at| (cart.id.to_string(), at)));
    }
    of_kind(snapshot, (JobKind::CartExpiry, &ends), report)?;
    of_kind(snapshot, (JobKind::Reservation, &alerts), report)
}

/// Whether each subject has its one check, in time, and no check is without a subject.
fn of_kind(
    snapshot: &mut Snapshot<'_>,
    (kind, subjects): (JobKind, &HashMap<String, Instant>),
    report: &mut Report,
) -> Result<(), Failure> {
    let rows = snapshot.query(
        "SELECT subject, first_check_at, next_check_at, failures, parked FROM job WHERE kind = $1",
        &[kind.word().into()],
    )?;
    let slot = snapshot.settings()?.policy(kind).slot;
    let mut waiting = HashSet::new();
    for row in &rows {
        let subject = format!("job {} {}", kind.word(), row.text(0));
        report.expect(
            row.int(1) <= row.int(2),
            (Invariant::Jobs, &subject),
            || "its next check is before its first".into(),
        );
        if let Some(at) = subjects.get(row.text(0)) {
            let failed = row.int(3) > 0 || !row.text(4).is_empty();
            let due = at.round_up(slot).millis().max(row.int(1));
            let in_time = failed || row.int(2) <= due;
            report.expect(in_time, (Invariant::Jobs, &subject), || {
                "it looks too late".into()
            });
        } else {
            let gone = "it waits for a cart that is not active, or has told everything";
            report.violation(Invariant::Jobs, subject, gone);
        }
        waiting.insert(row.text(0).to_owned());
    }
    for cart in subjects.keys().filter(|cart| !waiting.contains(*cart)) {
        let detail = format!("no {} check waits for it", kind.word());
        report.violation(Invariant::Jobs, format!("cart {cart}"), detail);
    }
    Ok(())
}
