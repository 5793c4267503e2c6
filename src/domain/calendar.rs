//! The calendar as people read it: neighbouring segments of one owner are one period, across midnights.
//!
//! A question outside the view's window returns [`OutOfBounds`]. A view covers its window without holes, every instant
//! being exactly one of the [`State`]s; two owners are always two periods.

use serde::Serialize;

use crate::domain::availability::Chunk;
use crate::domain::owner::Owner;
use crate::domain::resource::{Policy, Resource, ResourceId};
use crate::domain::time::{Day, Instant, Slot};

mod period;

pub use period::{OwnerFacts, Period, State};

/// One resource's time in a window.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CalendarView {
    pub resource: ResourceId,
    /// Parts whose bookings are included.
    pub parts: Vec<ResourceId>,
    pub window: Slot,
    /// In order, without holes.
    pub periods: Vec<Period>,
}

/// A view was asked about time outside its window.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the calendar was loaded for another window; load the days that you ask about")]
pub struct OutOfBounds {
    pub window: Slot,
    pub asked: Slot,
}

impl CalendarView {
    /// The view of a window, from the chunks of its days (`days` of the window, in order).
    pub fn new<'c>(
        resource: &Resource,
        (window, days): (Slot, &[Day]),
        chunk: impl Fn(&Day) -> Option<&'c Chunk>,
        now: Instant,
    ) -> Self {
        let mut periods = Vec::new();
        for day in days {
            match (chunk(day), resource.policy) {
                (Some(found), _) if found.cells > day.cells => counted(day, found, (resource, now), &mut periods),
                (Some(found), _) if found.cells > 0 => claimed(day, found, now, &mut periods),
                (None, Policy::OpenEnded) => {
                    push_cells(day, (0, day.cells), State::Free, &mut periods);
                    if let Some(period) = periods.last_mut() {
                        period.units = resource.count.as_ref().map(|count| count.number);
                        period.of_units = period.units;
                    }
                }
                (Some(_), _) | (None, Policy::Preallocated { .. }) => {
                    push_cells(day, (0, day.cells), State::NotOpen, &mut periods);
                }
            }
        }
        let mut view = Self { resource: resource.id.clone(), parts: Vec::new(), window, periods };
        view.clip();
        view.mark(resource);
        view.close(resource, days);
        view.merge();
        view
    }

    fn clip(&mut self) {
        let window = self.window;
        self.periods.retain_mut(|period| {
            period.slot.meet(&window).is_some_and(|slot| {
                period.slot = slot;
                true
            })
        });
    }

    /// Replaces the parts of periods that `hides` selects by the periods of `over` that overlap them.
    fn overlay(&mut self, over: &[Period], hides: impl Fn(State) -> bool) {
        let mut out = Vec::with_capacity(self.periods.len() + over.len());
        for period in self.periods.drain(..) {
            if !hides(period.state) {
                out.push(period);
                continue;
            }
            let mut left = vec![period.slot];
            for above in over {
                if let Some(slot) = above.slot.meet(&period.slot) {
                    out.extend(left.iter().filter_map(|part| part.meet(&slot)).map(|part| above.part(part)));
                    left = left.iter().flat_map(|part| part.without(&slot)).collect();
                }
            }
            out.extend(left.into_iter().map(|slot| period.part(slot)));
        }
        out.sort_by_key(|period| period.slot.from());
        self.periods = out;
    }

    fn mark(&mut self, resource: &Resource) {
        let Some(mark) = resource.marked(self.window) else {
            return;
        };
        let from = mark.from.max(self.window.from());
        let Ok(slot) = Slot::new(from, self.window.until()) else {
            return;
        };
        let mut period = Period::bare(slot, State::of_mark(mark));
        period.title.clone_from(&mark.reason);
        period.operator.clone_from(&mark.operator);
        period.approved.clone_from(&mark.approved);
        period.owner = Some(mark.owner());
        period.whole = Slot::new(mark.from, slot.until()).unwrap_or(slot);
        period.from_before = mark.from < self.window.from();
        period.until_after = true;
        self.overlay(&[period], |state| matches!(state, State::Free | State::NotOpen));
    }

    fn close(&mut self, resource: &Resource, days: &[Day]) {
        let Some(hours) = resource.hours else {
            return;
        };
        let mut closed = vec![self.window];
        for open in hours.open(resource.grid, days) {
            closed = closed.iter().flat_map(|slot| slot.without(&open)).collect();
        }
        let closed: Vec<Period> = closed.into_iter().map(|slot| Period::bare(slot, State::Closed)).collect();
        self.overlay(&closed, |state| state == State::Free);
    }

    fn merge(&mut self) {
        self.periods.dedup_by(|next, before| {
            let joins = before.goes_on_as(next);
            if joins && let Ok(slot) = Slot::new(before.slot.from(), next.slot.until()) {
                before.slot = slot;
                let (from, until) = (before.whole.from(), next.whole.until());
                before.whole = Slot::new(from, until).unwrap_or(slot);
                before.until_after |= next.until_after;
            }
            joins
        });
    }

    /// Overlays periods of the parts on the free and closed time of this resource: a taken part makes the whole not
    /// free. Opening hours of a part count only for a booking of the part alone.
    pub fn over_parts(&mut self, parts: &[Self]) {
        for part in parts {
            self.parts.push(part.resource.clone());
            let taken: Vec<Period> = part.periods.iter().filter(|period| !is_clear(period.state)).cloned().collect();
            self.stand_beside(&taken);
            self.overlay(&taken, is_clear);
        }
        self.merge();
    }

    /// Notes the owners of a part where another owner stands already.
    fn stand_beside(&mut self, taken: &[Period]) {
        let slots: Vec<Slot> = taken.iter().map(|period| period.slot).collect();
        *self = self.cut(&slots, |period| period.owner.is_some());
        for period in self.periods.iter_mut().filter(|period| period.owner.is_some()) {
            for above in taken.iter().filter(|above| above.slot.overlaps(&period.slot)) {
                let is_there = above.owner == period.owner || above.owner.iter().all(|one| period.beside.contains(one));
                period.beside.extend(above.owner.clone().filter(|_| !is_there));
            }
        }
    }

    /// Fills in title, customer and operator of each owner, flags buffers, and flags periods that the window cuts off.
    pub fn tell<'t>(&mut self, told: impl Fn(&Owner) -> Option<&'t OwnerFacts>) {
        let mut out = Vec::with_capacity(self.periods.len());
        for mut period in self.periods.drain(..) {
            let first = out.len();
            let beside = std::mem::take(&mut period.beside);
            match period.owner.as_ref().and_then(&told) {
                Some(words) => told_parts(&period, (words, self.window), &mut out),
                None => out.push(period),
            }
            for period in out.iter_mut().skip(first) {
                let others = beside.iter().filter_map(&told).map(|words| words.title.as_str());
                let titles = std::iter::once(period.title.as_str()).chain(others).filter(|title| !title.is_empty());
                period.title = titles.collect::<Vec<_>>().join(", ");
                period.beside.clone_from(&beside);
            }
        }
        out.sort_by_key(|period| period.slot.from());
        self.periods = out;
        self.merge();
    }

    /// A copy in which the given slots are cut out of matching periods and become periods themselves.
    #[must_use]
    pub fn cut(&self, slots: &[Slot], is_meant: impl Fn(&Period) -> bool) -> Self {
        let mut periods = Vec::with_capacity(self.periods.len() + 2 * slots.len());
        for period in &self.periods {
            if !is_meant(period) {
                periods.push(period.clone());
                continue;
            }
            let mut parts = vec![period.slot];
            for slot in slots.iter().filter(|slot| slot.overlaps(&period.slot)) {
                let apart = |part: Slot| part.without(slot).chain(part.meet(slot));
                parts = parts.into_iter().flat_map(apart).collect();
            }
            parts.sort_by_key(Slot::from);
            periods.extend(parts.into_iter().map(|part| period.part(part)));
        }
        Self { periods, ..self.clone() }
    }

    /// The periods that a slot touches.
    pub fn periods_in(&self, slot: Slot) -> Result<impl Iterator<Item = &Period>, OutOfBounds> {
        if self.window.covers(&slot) {
            Ok(self.periods.iter().filter(move |period| period.slot.overlaps(&slot)))
        } else {
            Err(OutOfBounds { window: self.window, asked: slot })
        }
    }

    /// Returns whether all of a slot is free.
    pub fn is_free(&self, slot: Slot) -> Result<bool, OutOfBounds> {
        Ok(self.periods_in(slot)?.all(|period| period.state == State::Free))
    }

    /// Takes time in which fewer units of a counted resource are left than a number for taken.
    pub fn need(&mut self, units: u32) {
        let lacks = |period: &&mut Period| period.state == State::Free && period.units.unwrap_or(1) < units;
        self.periods.iter_mut().filter(lacks).for_each(|period| period.state = State::Booked);
    }

    /// Free time as longest slots, in order.
    pub fn free(&self) -> Vec<Slot> {
        self.slots(|period| period.state == State::Free)
    }

    /// Time without an owner, open or closed, longest stretches, in order: preparation and cleaning may lie outside the
    /// opening hours.
    pub fn clear(&self) -> Vec<Slot> {
        self.slots(|period| is_clear(period.state))
    }

    fn slots(&self, of: impl Fn(&Period) -> bool) -> Vec<Slot> {
        let slots = self.periods.iter().filter(|period| of(period));
        crate::domain::time::joined(slots.map(|period| period.slot).collect())
    }
}

/// Returns whether nothing is booked: free or closed.
fn is_clear(state: State) -> bool {
    matches!(state, State::Free | State::Closed)
}

/// Splits a period by its owner's slots: booked core, buffers, and a remainder outside all slots.
fn told_parts(period: &Period, (words, window): (&OwnerFacts, Slot), out: &mut Vec<Period>) {
    let mut left = vec![period.slot];
    for (wanted, core, all) in &words.slots {
        for slot in all {
            let around = slot.without(core).map(|whole| (whole, true));
            let pieces = around.chain(slot.meet(core).map(|whole| (whole, false)));
            for (whole, is_buffer) in pieces {
                for part in left.iter().filter_map(|part| part.meet(&whole)) {
                    out.push(Period {
                        title: words.title.clone(),
                        customer: words.customer.clone(),
                        operator: words.operator.clone(),
                        approved: words.approved.clone(),
                        calendar: words.calendar.clone(),
                        unpaid: words.unpaid,
                        ours: words.ours,
                        repeats: words.repeats,
                        wanted: Some(*wanted),
                        is_buffer,
                        whole,
                        from_before: part.from() == window.from() && whole.from() < window.from(),
                        until_after: part.until() == window.until() && whole.until() > window.until(),
                        ..period.part(part)
                    });
                }
            }
            left = left.iter().flat_map(|part| part.without(slot)).collect();
        }
    }
    out.extend(left.into_iter().map(|slot| Period {
        title: words.title.clone(),
        customer: words.customer.clone(),
        operator: words.operator.clone(),
        approved: words.approved.clone(),
        calendar: words.calendar.clone(),
        unpaid: words.unpaid,
        ours: words.ours,
        repeats: words.repeats,
        ..period.part(slot)
    }));
}

fn push_cells(day: &Day, (from, end): (u32, u32), state: State, periods: &mut Vec<Period>) {
    if let Ok(slot) = Slot::new(day.cell_start(from), day.cell_start(end)) {
        periods.push(Period::bare(slot, state));
    }
}

/// The periods of a day of a counted resource: free while units are left, and theirs who have the last ones.
fn counted(day: &Day, chunk: &Chunk, (resource, now): (&Resource, Instant), periods: &mut Vec<Period>) {
    for (segment, claims) in (0..).zip(chunk.counted(resource.stride(), now)) {
        let left = resource.units().saturating_sub(claims.iter().map(|(_, units)| units).sum());
        let first = claims.first().map(|(claim, _)| *claim).filter(|_| left == 0);
        push_cells(day, (segment, segment + 1), first.map_or(State::Free, State::of), periods);
        if let Some(period) = periods.last_mut() {
            period.units = Some(left);
            period.of_units = Some(resource.units());
            period.owner = first.map(|claim| claim.owner.clone());
            period.until = first.and_then(|claim| claim.until);
            let others = claims.iter().skip(1).filter(|_| first.is_some());
            period.beside = others.map(|(claim, _)| claim.owner.clone()).collect();
        }
    }
}

/// The periods of a day that has a chunk.
fn claimed(day: &Day, chunk: &Chunk, now: Instant, periods: &mut Vec<Period>) {
    let mut next = 0;
    for run in &chunk.runs {
        if run.claim.is_late(now) {
            continue;
        }
        push_cells(day, (next, run.from), State::Free, periods);
        push_cells(day, (run.from, run.to + 1), State::of(&run.claim), periods);
        if let Some(period) = periods.last_mut() {
            period.owner = Some(run.claim.owner.clone());
            period.until = run.claim.until;
        }
        next = run.to + 1;
    }
    push_cells(day, (next, chunk.cells), State::Free, periods);
}
