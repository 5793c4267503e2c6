//! Other time to offer when some was refused: the same time elsewhere, then the next time in the same place.

use crate::domain::refusal::{FreeFact, Refusal};
use crate::domain::resource::{Likeness, Resource, ResourceId};
use crate::domain::time::{Instant, Slot, Span, common, day_start};
use crate::engine::Desk;
use crate::engine::reads::calendar::in_order;
use crate::engine::reads::free_time::{ReadFree, free_of};
use crate::engine::reads::resources::Filter;
use crate::engine::reads::{Question, Snapshot};
use crate::engine::work::Failure;

/// How many resources are offered for the same time, and how many other times.
const OFFERS_EACH: usize = 2;

/// How far ahead other times are looked for; nights farther than hours.
const AHEAD: Span = Span::minutes(28 * 24 * 60);
const NIGHTS_AHEAD: Span = Span::minutes(120 * 24 * 60);

/// Asks what is free instead of a slot of some resources, best first.
#[derive(Clone, Debug)]
pub struct ReadInstead {
    /// The resources that were wanted, all of them.
    pub resources: Vec<ResourceId>,
    /// When.
    pub slot: Slot,
}

impl Question for ReadInstead {
    type Answer = Vec<FreeFact>;

    fn ask(&self, snapshot: &mut Snapshot<'_>) -> Result<Vec<FreeFact>, Failure> {
        let wanted = in_order(snapshot, &self.resources)?;
        let mut out = Vec::new();
        for one in &wanted {
            if wanted.len() == 1 || !is_free(snapshot, one, self.slot)? {
                out.extend(self.elsewhere(snapshot, one)?);
            }
        }
        out.extend(self.later(snapshot, wanted)?);
        Ok(out)
    }
}

impl ReadInstead {
    /// Resources that stand in for one and are free all that time.
    fn elsewhere(
        &self,
        snapshot: &mut Snapshot<'_>,
        one: &Resource,
    ) -> Result<Vec<FreeFact>, Failure> {
        let free = ReadFree {
            filter: Filter {
                kind: Some(one.kind.clone()),
                ..Filter::default()
            },
            window: self.slot,
            span: None,
        };
        let like = |other: &Resource| -> Option<Likeness> {
            one.likeness(other)
                .filter(|_| !self.resources.contains(&other.id))
        };
        let mut found: Vec<(Likeness, FreeFact)> = Vec::new();
        for free in free.ask(snapshot)? {
            if let (Some(likeness), Some(slot)) = (like(&free.resource), free.slots.first()) {
                let fact = fact(free.resource.name.clone(), (*slot, &free.resource));
                found.push((likeness, fact));
            }
        }
        // as they come where they are alike: by name
        found.sort_by_key(|(likeness, _)| *likeness);
        let best = found.into_iter().map(|(_, fact)| fact);
        Ok(best.take(OFFERS_EACH).collect())
    }

    /// The next times at which all that was wanted is free for as long.
    fn later(
        &self,
        snapshot: &mut Snapshot<'_>,
        wanted: Vec<Resource>,
    ) -> Result<Vec<FreeFact>, Failure> {
        let Some(first) = wanted.first().cloned() else {
            return Ok(Vec::new());
        };
        let names: Vec<&str> = wanted.iter().map(|one| one.name.as_str()).collect();
        let names = names.join(" and ");
        let core = first.grid.normalise(self.slot);
        let ahead = if first.grid.segment.is_day() {
            NIGHTS_AHEAD
        } else {
            AHEAD
        };
        let Ok(window) = Slot::new(core.from(), core.until() + ahead) else {
            return Ok(Vec::new());
        };
        let mut free = vec![window];
        for (_, of_one) in free_of(snapshot, wanted, window)? {
            free = common(&free, &of_one);
        }
        let next = free
            .iter()
            .filter_map(|stretch| begin(&first, *stretch, core));
        Ok(next
            .take(OFFERS_EACH)
            .map(|slot| fact(names.clone(), (slot, &first)))
            .collect())
    }
}

fn fact(resource: String, (slot, of): (Slot, &Resource)) -> FreeFact {
    FreeFact {
        resource,
        from: slot.from(),
        until: slot.until(),
        zone: of.zone(),
    }
}

fn is_free(snapshot: &mut Snapshot<'_>, one: &Resource, slot: Slot) -> Result<bool, Failure> {
    let free = free_of(snapshot, vec![one.clone()], slot)?;
    Ok(free
        .iter()
        .flat_map(|(_, slots)| slots)
        .any(|free| free.covers(&slot)))
}

/// The first slot of a free stretch that is as long as another; nights count by their number.
fn begin(one: &Resource, stretch: Slot, like: Slot) -> Option<Slot> {
    let border = one
        .grid
        .normalise(Slot::new(stretch.from(), stretch.from() + Span::from_millis(1)).ok()?);
    let from = if border.from() == stretch.from() {
        border.from()
    } else {
        border.until()
    };
    let until: Instant = if one.grid.segment.is_day() {
        let nights = u64::try_from(one.grid.days(like).count()).ok()?;
        let arrival = from.in_zone(one.zone()).date_naive();
        day_start(arrival + chrono::Days::new(nights), one.zone())
    } else {
        from + like.span()
    };
    let slot = one.grid.normalise(Slot::new(from, until).ok()?);
    stretch.covers(&slot).then_some(slot)
}

/// A refusal with what is free instead, where it is one that can offer some.
#[must_use]
pub fn offer(desk: &Desk, refusal: Refusal, (resources, slot): (&[ResourceId], Slot)) -> Refusal {
    let Refusal::SlotTaken { slots, .. } = refusal else {
        return refusal;
    };
    let question = ReadInstead {
        resources: resources.to_vec(),
        slot,
    };
    Refusal::SlotTaken {
        slots,
        alternatives: desk.read(question).unwrap_or_default(),
    }
}
