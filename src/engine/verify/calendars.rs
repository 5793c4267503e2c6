//! Calendar checks: chunks against the grid of their resource, and every claim on time against the
//! live slots of its owner.

use std::collections::{HashMap, HashSet};

use super::carts::ACTIVE;
use super::claims::check_chunk;
use super::{Invariant, Report, each_page};
use crate::domain::availability::{Chunk, Claim, Grip};
use crate::domain::booking::{Booking, Taken};
use crate::domain::cart::{Cart, CartState};
use crate::domain::owner::Owner;
use crate::domain::receipt::Receipt;
use crate::domain::resource::{Policy, Resource, ResourceId};
use crate::domain::time::{date_of, day_number};
use crate::engine::Failure;
use crate::engine::reads::Snapshot;
use crate::store::chunks::{BETWEEN, IS_DAY, all_days};

/// Expected claims of a resource, by day number and cell.
type Cells = HashMap<(u32, u32), Vec<Claim>>;

/// Expected claims of all resources.
struct Times<'r> {
    resources: HashMap<&'r ResourceId, &'r Resource>,
    cells: HashMap<ResourceId, Cells>,
}

pub(super) fn check(snapshot: &mut Snapshot<'_>, report: &mut Report) -> Result<(), Failure> {
    let resources: Vec<Resource> = snapshot.select("ORDER BY key", &[])?;
    report.checked += resources.len();
    let mut times = Times {
        resources: resources.iter().map(|one| (&one.id, one)).collect(),
        cells: HashMap::new(),
    };
    expect_all(snapshot, &mut times, report)?;
    let Times {
        resources: by_id,
        mut cells,
    } = times;
    let mut shares: HashMap<Owner, (u32, u32)> = HashMap::new();
    for resource in &resources {
        check_family(resource, &by_id, report);
        let chunks: Vec<Chunk> = snapshot.select(
            &format!("WHERE {BETWEEN} ORDER BY key"),
            &all_days(resource.id.as_str()),
        )?;
        report.checked += chunks.len();
        let mut expected = cells.remove(&resource.id).unwrap_or_default();
        for chunk in &chunks {
            check_day(resource, chunk, report);
            check_marks(resource, chunk, report);
            check_claims(resource, chunk, &mut expected, (&mut shares, report));
        }
        for ((day, cell), claims) in expected {
            for claim in claims {
                shares.entry(claim.owner.clone()).or_default().1 += 1;
                let detail = format!(
                    "cell {cell} of {}, {day}, is not claimed for it",
                    resource.id
                );
                report.violation(Invariant::LiveCells, claim.owner.to_string(), detail);
            }
        }
    }
    for (resource, _) in cells {
        report.violation(
            Invariant::LiveCells,
            format!("resource {resource}"),
            "something is taken of it, but it is not there",
        );
    }
    for (owner, (has, lacks)) in shares {
        report.expect(
            has == 0 || lacks == 0,
            (Invariant::AllOrNone, &owner.to_string()),
            || format!("it has {has} of {} cells", has + lacks),
        );
    }
    check_strays(snapshot, &by_id, report)
}

/// Adds the expected claims of every owner of time.
fn expect_all(
    snapshot: &mut Snapshot<'_>,
    times: &mut Times<'_>,
    report: &mut Report,
) -> Result<(), Failure> {
    let bookings: Vec<Booking> = snapshot.select("ORDER BY key", &[])?;
    report.checked += bookings.len();
    for booking in &bookings {
        let grip = if matches!(booking.owner(), Owner::DisableTime(..)) {
            Grip::Disabled
        } else {
            Grip::Booked
        };
        let claim = Claim {
            owner: booking.owner(),
            grip,
            until: None,
        };
        times.expect(&booking.taken, &claim);
    }
    let carts: Vec<Cart> = snapshot.select(ACTIVE, &[])?;
    for cart in carts.iter().filter(|cart| cart.state == CartState::Active) {
        for line in &cart.lines {
            let claim = Claim {
                owner: line.owner(cart.id),
                grip: Grip::Held,
                until: Some(cart.expires_at),
            };
            times.expect(line.goods.taken(), &claim);
        }
    }
    each_page(snapshot, &mut |_, receipts: Vec<Receipt>| {
        for receipt in &receipts {
            for line in &receipt.lines {
                let claim = Claim {
                    owner: line.owner(receipt.cart),
                    grip: Grip::Booked,
                    until: None,
                };
                times.expect(line.goods.taken(), &claim);
            }
        }
        Ok(())
    })
}

impl Times<'_> {
    fn expect(&mut self, taken: &[Taken], claim: &Claim) {
        for one in taken {
            let cells = self.cells.entry(one.resource.clone()).or_default();
            let ranges = self
                .resources
                .get(&one.resource)
                .map(|resource| one.live.iter().flat_map(|slot| resource.cells(*slot)));
            for range in ranges.into_iter().flatten() {
                for cell in range.cells() {
                    cells
                        .entry((range.chunk.number, cell))
                        .or_default()
                        .push(claim.clone());
                }
            }
        }
    }
}

/// Checks that each part names its parent, shares its grid, and is not its own ancestor.
fn check_family(resource: &Resource, by_id: &HashMap<&ResourceId, &Resource>, report: &mut Report) {
    let subject = format!("resource {}", resource.id);
    for child in &resource.children {
        let fits = by_id.get(child).is_some_and(|child| {
            child.parent.as_ref() == Some(&resource.id) && child.grid == resource.grid
        });
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
        above = parent
            .filter(|_| sound)
            .and_then(|parent| parent.parent.as_ref());
    }
    if let Some(parent) = resource.parent.as_ref().and_then(|id| by_id.get(id)) {
        let listed = parent.children.contains(&resource.id);
        report.expect(listed, (Invariant::Cells, &subject), || {
            format!("{} does not list it", parent.id)
        });
    }
}

/// Checks that a day has the cells of its grid, or none if it was closed or lies beyond the
/// horizon.
fn check_day(resource: &Resource, chunk: &Chunk, report: &mut Report) {
    let subject = format!("chunk {} {}", chunk.resource, chunk.number);
    let Some(date) = date_of(chunk.number) else {
        report.violation(Invariant::Counts, subject, "its number is no day");
        return;
    };
    let cells = match resource.policy {
        Policy::OpenEnded => resource.grid.day(date).cells,
        Policy::Preallocated { horizon, .. } => {
            if horizon.is_some_and(|horizon| date < horizon) {
                resource.grid.day(date).cells
            } else {
                0
            }
        }
    };
    check_chunk(chunk, cells, report);
}

/// Checks that only disables claim cells from the resource's earliest mark on.
fn check_marks(resource: &Resource, chunk: &Chunk, report: &mut Report) {
    let Some(from) = resource.marks.iter().map(|mark| mark.from).min() else {
        return;
    };
    let day = resource.grid.day_at(from);
    let number = day_number(day.date);
    let least = day.cell_at(from);
    for run in &chunk.runs {
        let after = chunk.number > number || (chunk.number == number && run.to >= least);
        let stands = after && run.claim.grip != Grip::Disabled;
        report.expect(
            !stands,
            (Invariant::Cells, &format!("resource {}", resource.id)),
            || {
                format!(
                    "{} stands in {} behind a mark",
                    run.claim.owner, chunk.number
                )
            },
        );
    }
}

fn check_claims(
    resource: &Resource,
    chunk: &Chunk,
    expected: &mut Cells,
    (shares, report): (&mut HashMap<Owner, (u32, u32)>, &mut Report),
) {
    for run in &chunk.runs {
        for cell in run.from..=run.to.min(chunk.cells) {
            let claims = expected.get_mut(&(chunk.number, cell));
            let found = claims.and_then(|claims| {
                let at = claims.iter().position(|claim| *claim == run.claim)?;
                Some(claims.swap_remove(at))
            });
            if found.is_some() {
                shares.entry(run.claim.owner.clone()).or_default().0 += 1;
            } else {
                let detail = format!(
                    "it has cell {cell} of {}, {}, which is not among its live slots",
                    resource.id, chunk.number
                );
                report.violation(Invariant::LiveCells, run.claim.owner.to_string(), detail);
            }
        }
    }
}

/// Checks that every day belongs to a resource, and every seat row to a performance.
fn check_strays(
    snapshot: &mut Snapshot<'_>,
    by_id: &HashMap<&ResourceId, &Resource>,
    report: &mut Report,
) -> Result<(), Failure> {
    let days = format!(
        "SELECT DISTINCT SUBSTR(key, 1, LENGTH(key) - LENGTH('_yyyy_mm_dd')) FROM chunk WHERE {IS_DAY}"
    );
    for row in snapshot.query(&days, &[])? {
        let known = row
            .text(0)
            .parse::<ResourceId>()
            .is_ok_and(|id| by_id.contains_key(&id));
        report.expect(
            known,
            (Invariant::Counts, &format!("chunk {}", row.text(0))),
            || "its resource is not there".into(),
        );
    }
    let rows = format!(
        "SELECT key FROM chunk WHERE NOT ({IS_DAY}) \
         AND SUBSTR(key, 1, LENGTH(key) - LENGTH('_00000')) NOT IN (SELECT key FROM performance)"
    );
    for row in snapshot.query(&rows, &[])? {
        let subject = format!("chunk {}", row.text(0));
        report.violation(
            Invariant::Counts,
            subject,
            "it is no row of a performance that is there",
        );
    }
    Ok(())
}
