//! Calendar checks: families of resources, and chunks against the grid and the marks of their resource.
//!
//! Import cycle with [`super::claims`], whose sums it fills.

use std::collections::{HashMap, HashSet};

use super::claims::{ClaimSums, check_chunk};
use super::{Invariant, Report};
use crate::domain::availability::{Chunk, Grip};
use crate::domain::resource::{Policy, Resource, ResourceId};
use crate::domain::time::{Instant, date_of, day_number};
use crate::engine::Failure;
use crate::engine::reads::Snapshot;
use crate::store::chunks::{BETWEEN, IS_DAY, all_days};

pub(super) fn check(
    snapshot: &mut Snapshot<'_>,
    resources: &[Resource],
    (stored, report): (&mut ClaimSums, &mut Report),
) -> Result<(), Failure> {
    let by_id: HashMap<&ResourceId, &Resource> = resources.iter().map(|one| (&one.id, one)).collect();
    for resource in resources {
        check_family(resource, &by_id, report);
        let chunks: Vec<Chunk> =
            snapshot.select(&format!("WHERE {BETWEEN} ORDER BY key"), &all_days(resource.id.as_str()))?;
        report.checked += chunks.len();
        for chunk in &chunks {
            check_day(resource, chunk, report);
            check_marks(resource, chunk, report);
            check_units((resource, chunk), snapshot.now(), report);
        }
        stored.add_all(&chunks, resource.stride());
    }
    check_strays(snapshot, &by_id, report)
}

/// Checks that each part names its parent, shares its grid, and is not its own ancestor.
fn check_family(resource: &Resource, by_id: &HashMap<&ResourceId, &Resource>, report: &mut Report) {
    let subject = format!("resource {}", resource.id);
    for child in &resource.children {
        let fits = by_id
            .get(child)
            .is_some_and(|child| child.parent.as_ref() == Some(&resource.id) && child.grid == resource.grid);
        report.expect(fits, (Invariant::Cells, &subject), || {
            format!("its part {child} is another's, or on another grid")
        });
    }
    let mut above = resource.parent.as_ref();
    let mut seen: HashSet<&ResourceId> = HashSet::new();
    while let Some(id) = above {
        let parent = by_id.get(id);
        let sound = parent.is_some() && seen.insert(id) && *id != resource.id;
        report.expect(sound, (Invariant::Cells, &subject), || {
            format!("what it is a part of goes round at {id}, or is not there")
        });
        above = parent.filter(|_| sound).and_then(|parent| parent.parent.as_ref());
    }
    if let Some(parent) = resource.parent.as_ref().and_then(|id| by_id.get(id)) {
        let listed = parent.children.contains(&resource.id);
        report.expect(listed != resource.retired, (Invariant::Cells, &subject), || {
            format!("{} {} it", parent.id, if listed { "still lists" } else { "does not list" })
        });
    }
}

/// Checks that a day has the cells of its grid, or none if it was closed or lies beyond the horizon.
fn check_day(resource: &Resource, chunk: &Chunk, report: &mut Report) {
    let subject = format!("chunk {} {}", chunk.resource, chunk.number);
    let Some(date) = date_of(chunk.number) else {
        report.violation(Invariant::Counts, subject, "its number is no day");
        return;
    };
    let cells = match resource.policy {
        Policy::OpenEnded => resource.free_day(date).cells,
        Policy::Preallocated { horizon, .. } => {
            if horizon.is_some_and(|horizon| date < horizon) {
                resource.free_day(date).cells
            } else {
                0
            }
        }
    };
    check_chunk(chunk, cells, report);
}

/// Checks that no more units of a counted resource are claimed than it has; a lowered number binds what is to come.
fn check_units((resource, chunk): (&Resource, &Chunk), now: Instant, report: &mut Report) {
    let Some(count) = resource.count.as_ref().filter(|_| date_of(chunk.number) >= Some(resource.grid.day_at(now).date))
    else {
        return;
    };
    for (segment, claims) in chunk.counted(resource.stride(), now).iter().enumerate() {
        let claimed: u32 = claims.iter().map(|(_, units)| units).sum();
        report.expect(claimed <= count.number, (Invariant::Cells, &format!("resource {}", resource.id)), || {
            format!("{claimed} of {count} are claimed in segment {segment} of {}", chunk.number)
        });
    }
}

/// Checks that only disables claim cells from the resource's earliest mark on.
fn check_marks(resource: &Resource, chunk: &Chunk, report: &mut Report) {
    let Some(from) = resource.marks.iter().map(|mark| mark.from).min() else {
        return;
    };
    let day = resource.grid.day_at(from);
    let number = day_number(day.date);
    let least = day.cell_at(from) * resource.stride();
    for run in &chunk.runs {
        let after = chunk.number > number || (chunk.number == number && run.to >= least);
        let stands = after && run.claim.grip != Grip::Disabled;
        report.expect(!stands, (Invariant::Cells, &format!("resource {}", resource.id)), || {
            format!("{} stands in {} behind a mark", run.claim.owner, chunk.number)
        });
    }
}

/// Checks that every day belongs to a resource, and every seat row to a performance.
fn check_strays(
    snapshot: &mut Snapshot<'_>,
    by_id: &HashMap<&ResourceId, &Resource>,
    report: &mut Report,
) -> Result<(), Failure> {
    let days = format!("SELECT DISTINCT SUBSTR(key, 1, LENGTH(key) - LENGTH('_yyyy_mm_dd')) FROM chunk WHERE {IS_DAY}");
    for row in snapshot.query(&days, &[])? {
        let known = row.text(0).parse::<ResourceId>().is_ok_and(|id| by_id.contains_key(&id));
        report.expect(known, (Invariant::Counts, &format!("chunk {}", row.text(0))), || {
            "its resource is not there".into()
        });
    }
    let rows = format!(
        "SELECT key FROM chunk WHERE NOT ({IS_DAY}) \
         AND SUBSTR(key, 1, LENGTH(key) - LENGTH('_00000')) NOT IN (SELECT key FROM performance)"
    );
    for row in snapshot.query(&rows, &[])? {
        let subject = format!("chunk {}", row.text(0));
        report.violation(Invariant::Counts, subject, "it is no row of a performance that is there");
    }
    Ok(())
}
