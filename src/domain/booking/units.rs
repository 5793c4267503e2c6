//! Units of counted resources that a booking or a line loses for some hours: what loses them and what keeps them are
//! parted, and joined again once they have the same time.

use crate::domain::booking::{Booking, Taken};
use crate::domain::resource::{Resource, ResourceId};
use crate::domain::time::{Slot, common, joined, subtract};

/// Numbers of units in slots that do not overlap, as layers: the units that have the same slots.
pub fn layers(units: &[(Slot, u32)]) -> Vec<(u32, Vec<Slot>)> {
    let mut heights: Vec<u32> = units.iter().map(|(_, number)| *number).collect();
    heights.sort_unstable();
    heights.dedup();
    let mut below = 0;
    let mut out = Vec::with_capacity(heights.len());
    for height in heights.into_iter().filter(|height| *height > 0) {
        let slots = units.iter().filter(|(_, number)| *number >= height).map(|(slot, _)| *slot);
        out.push((height - below, joined(slots.collect())));
        below = height;
    }
    out
}

/// Joins time that is the same but for its number of units.
pub fn joined_units(all: Vec<Taken>) -> Vec<Taken> {
    let mut out: Vec<Taken> = Vec::with_capacity(all.len());
    for one in all {
        match out.iter_mut().find(|known| known.is_beside(&one)) {
            Some(known) => known.number += one.number,
            None => out.push(one),
        }
    }
    out
}

impl Taken {
    fn is_beside(&self, other: &Self) -> bool {
        Self { number: other.number, ..self.clone() } == *other
    }

    /// Takes from wanted units, by slot, as many as it can give or get in some slots.
    fn share(&self, slots: &[Slot], left: &mut Vec<(Slot, u32)>) -> Vec<(Slot, u32)> {
        let (mut mine, mut rest) = (Vec::new(), Vec::new());
        for (slot, units) in left.drain(..) {
            let here = common(&[slot], slots);
            rest.extend(subtract(&[slot], &here).into_iter().map(|slot| (slot, units)));
            for slot in here {
                mine.push((slot, units.min(self.number)));
                rest.extend((units > self.number).then(|| (slot, units - self.number)));
            }
        }
        *left = rest;
        mine
    }

    /// Parts units in layers; the others stay first. Each part gets its slots by `change`.
    fn parted(self, units: &[(Slot, u32)], change: fn(&[Slot], &[Slot]) -> Vec<Slot>) -> Vec<Self> {
        let layers = layers(units);
        let number = self.number - layers.iter().map(|(units, _)| units).sum::<u32>();
        let parts = layers
            .into_iter()
            .map(|(number, slots)| Self { number, live: change(&self.live, &slots), ..self.clone() })
            .collect::<Vec<_>>();
        let rest = (number > 0).then(|| Self { number, ..self.clone() });
        rest.into_iter().chain(parts).collect()
    }
}

impl Booking {
    /// Number of units of a resource that it asked for at once in a slot.
    pub fn units_in(&self, resource: &ResourceId, slot: Slot) -> u32 {
        let mine = self.taken.iter().filter(|taken| taken.resource == *resource);
        let mine = mine.flat_map(|taken| common(&taken.asked_for(), &[slot]).into_iter().map(|at| (at, taken.number)));
        let mine: Vec<(Slot, u32)> = mine.collect();
        let at_once = |at: &Slot| mine.iter().filter(|(slot, _)| slot.has(at.from())).map(|(_, units)| units).sum();
        mine.iter().map(|(slot, _)| at_once(slot)).max().unwrap_or(0)
    }

    /// Takes a number of units in some slots from the live ones; the last time taken loses first.
    pub fn lose_units(&mut self, resource: &ResourceId, slots: &[Slot], units: u32) {
        let mut left: Vec<(Slot, u32)> = slots.iter().map(|slot| (*slot, units)).collect();
        let mut out: Vec<Taken> = Vec::new();
        for taken in self.taken.drain(..).rev() {
            if taken.resource == *resource {
                let gone = taken.share(&taken.live, &mut left);
                out.extend(taken.parted(&gone, subtract).into_iter().rev());
            } else {
                out.push(taken);
            }
        }
        out.reverse();
        self.taken = joined_units(out);
    }

    /// Adds a number of units in some slots to the live ones; false, and nothing changed, if it asked for fewer there.
    pub fn regain_units(&mut self, resource: &Resource, slots: &[Slot], units: u32) -> bool {
        let mut left: Vec<(Slot, u32)> = slots.iter().map(|slot| (*slot, units)).collect();
        let mut out: Vec<Taken> = Vec::new();
        for taken in self.taken.iter().cloned() {
            if taken.resource == resource.id {
                let (_, all) = resource.taken(taken.wanted);
                let back = taken.share(&subtract(&[all], &taken.live), &mut left);
                out.extend(taken.parted(&back, |live, more| joined([live, more].concat())));
            } else {
                out.push(taken);
            }
        }
        if left.is_empty() {
            self.taken = joined_units(out);
        }
        left.is_empty()
    }
}
