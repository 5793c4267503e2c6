//! Overlapping performances of one theater: one lost its time in the hall to a disable that ended, and the other took it.

use std::collections::HashMap;

use super::{Invariant, Remark, RemarkKind, Report};
use crate::domain::booking::{Booking, BookingState};
use crate::domain::ids::TheaterId;
use crate::domain::performance::{Performance, PerformanceState, Theater};
use crate::domain::resource::Resource;
use crate::domain::time::Slot;
use crate::engine::Failure;
use crate::engine::reads::Snapshot;

/// Checks that the hall of each open performance is booked for its time, and adds a remark for each overlap of performances still running or to come, get-in and get-out included.
pub(super) fn check(snapshot: &mut Snapshot<'_>, report: &mut Report) -> Result<(), Failure> {
    let performances: Vec<Performance> = snapshot.select("ORDER BY start_at, key", &[])?;
    let now = snapshot.now();
    let mut before: HashMap<TheaterId, Vec<(Performance, Slot)>> = HashMap::new();
    for performance in performances {
        if performance.state != PerformanceState::Open || performance.end <= now {
            continue;
        }
        let theater: Theater = snapshot.get(performance.theater)?;
        let hall: Resource = snapshot.get(&theater.hall)?;
        let Ok(slot) = Slot::new(performance.start, performance.end) else {
            continue;
        };
        if let Some(id) = performance.hall {
            let booking: Booking = snapshot.get(id)?;
            let is_its = booking.state != BookingState::Active || booking.asked().all(|taken| taken.wanted == slot);
            let subject = format!("performance {}", performance.id);
            report.expect(is_its, (Invariant::LiveCells, &subject), || "its hall is booked for another time".into());
        }
        let slot = hall.taken(slot).1;
        let earlier = before.entry(theater.id).or_default();
        for (other, _) in earlier.iter().filter(|(_, taken)| taken.overlaps(&slot)) {
            report.remarks.push(Remark {
                about: RemarkKind::Overlap,
                subject: format!("performance {}", performance.id),
                detail: overlap_detail(&theater, &performance, other),
            });
        }
        earlier.push((performance, slot));
    }
    Ok(())
}

fn overlap_detail(theater: &Theater, one: &Performance, other: &Performance) -> String {
    let when = |performance: &Performance| {
        let slot = Slot::new(performance.start, performance.end);
        let words = slot.map(|slot| slot.dated(theater.time_zone));
        format!("{} ({})", performance.title, words.unwrap_or_default())
    };
    format!(
        "{} overlaps {} in {}: a seat can be sold twice for the same time. Cancel one of them; until then both are on sale.",
        when(one),
        when(other),
        theater.name
    )
}
