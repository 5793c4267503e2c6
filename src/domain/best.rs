//! The best seats that are left, and what a choice would leave behind.
//!
//! Seats are offered together: in one unbroken run of a row, with no aisle between, or at one table, where seats face each
//! other. Of all such choices
//! 1. one that leaves no single seat alone comes before any that does,
//! 2. one beside which the next party of its size leaves none before one beside which it has to, and needlessly; of
//!    pairs, all parties of two that may follow,
//! 3. one at an aisle before one further in, when an aisle was asked for,
//! 4. one with a clear view before one with a restricted view,
//! 5. and then the one nearest to the focal point, by the mean square of its seats' distances.
//!
//! The **focal point** lies on the line from the middle of the stage to the middle of what was asked for (the zone
//! and category; where they span several zones, the one with most of them), a third of the way from its first to
//! its last row. In a house all around it is the stage itself.
//!
//! A wish for a wheelchair ranks first by as few wheelchair places, and then as few ordinary seats, as can be.
//!
//! # Invariants
//! - Only free seats are offered, a wheelchair place or the seat beside one only to a wish for a wheelchair.
//! - A single seat is free and ordinary, and has no such seat on either side of it in its run.

use std::cmp::Ordering;

use crate::domain::layout::Layout;
use crate::domain::plan::{Plan, Seat, SeatKind, SeatRef};

mod wish;

pub use wish::{Access, Aisle, SeatWish};

/// The most alternatives that a refusal offers.
pub const ALTERNATIVES_MAX: usize = 3;

/// Fraction of the usual distance to the stage within which seats have no direction to it.
const ALL_AROUND: f64 = 0.25;

/// Input of a search for best seats: a plan, its layout, and which seats are free for the requester.
#[derive(Clone, Copy)]
pub struct SeatSearch<'a> {
    pub plan: &'a Plan,
    pub layout: &'a Layout,
    /// Returns true for a free seat.
    pub free: &'a dyn Fn(SeatRef) -> bool,
}

/// Seats that can be taken together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// In the order of their run, from left to right.
    pub seats: Vec<SeatRef>,
    /// True if a single seat is left alone beside them.
    pub leaves_single: bool,
}

/// The best choice; `None` when nowhere that many are free together.
pub fn best(house: &SeatSearch, wish: &SeatWish) -> Option<Choice> {
    choices(house, wish, 1).pop()
}

/// The best choices, best first, none sharing a seat with another.
pub fn choices(house: &SeatSearch, wish: &SeatWish, most: usize) -> Vec<Choice> {
    let survey = Survey::new(house, wish);
    let focal = survey.focal_point(house);
    apart(survey.candidates(house, (focal, most)), most)
}

/// Up to [`ALTERNATIVES_MAX`] other choices, nearest to the seats that were refused; none shares a seat with them
/// or with another.
pub fn alternatives(house: &SeatSearch, wish: &SeatWish, refused: &[SeatRef]) -> Vec<Choice> {
    let mut survey = Survey::new(house, wish);
    let places = refused.iter().filter_map(|seat| survey.at(house, *seat));
    let Some(near) = middle(places) else {
        return choices(house, wish, ALTERNATIVES_MAX);
    };
    for (found, place) in survey.seats.iter_mut().zip(&house.layout.places) {
        found.fits &= !refused.contains(&place.seat);
    }
    apart(survey.candidates(house, (near, ALTERNATIVES_MAX)), ALTERNATIVES_MAX)
}

/// The most seats that a wish could have together, whatever its count, at their best place.
pub fn most_together(house: &SeatSearch, wish: &SeatWish) -> Option<Choice> {
    let survey = Survey::new(house, wish);
    let found = |seat: &SeatRef| survey.get(house, *seat).filter(|found| found.fits);
    let longest = house.layout.together().flat_map(|run| {
        run.chunk_by(|one, next| found(one).is_some() == found(next).is_some())
            .filter(|seats| survey.suits(&seats.iter().filter_map(found).collect::<Vec<_>>()))
            .map(<[_]>::len)
    });
    let wish = SeatWish { count: u32::try_from(longest.max()?).ok()?, ..wish.clone() };
    best(house, &wish)
}

/// Counts the seats that fit a wish, together or apart.
pub fn fitting(house: &SeatSearch, wish: &SeatWish) -> usize {
    let survey = Survey::new(house, wish);
    let fit: Vec<&SeatFacts> = survey.seats.iter().filter(|found| found.fits).collect();
    if survey.suits(&fit) { fit.len() } else { 0 }
}

/// The seats that stay single when `taken` are taken (or have been): beside them, free, and alone.
pub fn lone_seats(house: &SeatSearch, taken: &[SeatRef]) -> Vec<SeatRef> {
    let open = |seat: &SeatRef| {
        let found = house.plan.seat(*seat);
        let is_ordinary = found.is_some_and(|found| is_ordinary(found.kind));
        is_ordinary && !taken.contains(seat) && (house.free)(*seat)
    };
    let mut lone: Vec<SeatRef> = taken
        .iter()
        .flat_map(|seat| house.layout.beside(*seat))
        .flatten()
        .filter(open)
        .filter(|seat| !house.layout.beside(*seat).iter().flatten().any(open))
        .collect();
    lone.sort_unstable();
    lone.dedup();
    lone
}

/// For each seat of a run, and for its end, the number of open seats right before it.
fn open_before<'a>(run: impl Iterator<Item = &'a SeatFacts>) -> Vec<usize> {
    let before = run.scan(0, |open, seat| {
        *open = if seat.open { *open + 1 } else { 0 };
        Some(*open)
    });
    std::iter::once(0).chain(before).collect()
}

/// A place in the house, in the plan's positions.
#[derive(Clone, Copy)]
struct At {
    x: f64,
    y: f64,
}

impl At {
    fn of(seat: &Seat) -> Self {
        Self { x: f64::from(seat.at.x), y: f64::from(seat.at.y) }
    }

    fn square_to(self, other: Self) -> f64 {
        (self.x - other.x).powi(2) + (self.y - other.y).powi(2)
    }
}

/// The middle of some places; `None` when there are none.
fn middle(places: impl Iterator<Item = At>) -> Option<At> {
    let mut number = 0.0;
    let sum = places.fold(At { x: 0.0, y: 0.0 }, |sum, at| {
        number += 1.0;
        At { x: sum.x + at.x, y: sum.y + at.y }
    });
    (number > 0.0).then(|| At { x: sum.x / number, y: sum.y / number })
}

#[derive(Clone, Copy)]
struct SeatFacts {
    at: At,
    zone: usize,
    /// Free, and sold to anybody.
    open: bool,
    /// Of the zone and the category that were asked for.
    asked: bool,
    /// Free, and matching the wish.
    fits: bool,
    kind: SeatKind,
}

/// Every seat in chunk order, looked at once.
struct Survey {
    seats: Vec<SeatFacts>,
    count: usize,
    aisle: Aisle,
    access: Access,
}

#[derive(Clone, Copy, Default)]
struct Candidate<'a> {
    seats: &'a [SeatRef],
    /// True if a single seat is left alone beside them.
    leaves_single: bool,
    /// True if the next party of its size leaves a single seat in a stretch beside it, and need not.
    strands: bool,
    /// Wheelchair places, and then ordinary seats, of a wish for a wheelchair.
    spared: (usize, usize),
    to_aisle: u32,
    restricted: bool,
    /// Sum of the squares of its seats' distances: of choices with one number of seats it ranks as the mean does.
    distance: f64,
}

impl Candidate<'_> {
    /// Order by rank, the best first.
    fn rank(&self, other: &Self) -> Ordering {
        let rank = |one: &Self| (one.spared, one.leaves_single, one.strands, one.to_aisle, one.restricted);
        let distance = self.distance.total_cmp(&other.distance);
        rank(self).cmp(&rank(other)).then(distance)
    }
}

impl Survey {
    fn new(house: &SeatSearch, wish: &SeatWish) -> Self {
        let zone_asked = wish.zone.as_ref().map(|zone| zone.to_lowercase());
        let mut seats = Vec::new();
        for (index, zone) in house.plan.zones.iter().enumerate() {
            let zone_fits = zone_asked.as_ref().is_none_or(|asked| zone.name.to_lowercase() == *asked);
            seats.extend(zone.rows.iter().flat_map(|row| &row.seats).map(|seat| SeatFacts {
                at: At::of(seat),
                zone: index,
                open: is_ordinary(seat.kind),
                asked: seat.kind != SeatKind::Standing
                    && zone_fits
                    && wish.category.is_none_or(|asked| asked == seat.category),
                fits: false,
                kind: seat.kind,
            }));
        }
        for (found, place) in seats.iter_mut().zip(&house.layout.places) {
            let free = (house.free)(place.seat);
            let access = found.open || wish.access == Access::Wheelchair;
            found.fits = free && found.asked && access;
            found.open = found.open && free;
        }
        Self { seats, count: usize::try_from(wish.count).unwrap_or(usize::MAX), aisle: wish.aisle, access: wish.access }
    }

    /// Returns whether seats that fit satisfy the whole wish.
    fn suits(&self, seats: &[&SeatFacts]) -> bool {
        let of_kind = |seat: &&SeatFacts| seat.kind == SeatKind::Wheelchair;
        !seats.is_empty() && (self.access == Access::Ordinary || seats.iter().any(of_kind))
    }

    fn get(&self, house: &SeatSearch, seat: SeatRef) -> Option<&SeatFacts> {
        self.seats.get(house.layout.position(seat)?)
    }

    fn at(&self, house: &SeatSearch, seat: SeatRef) -> Option<At> {
        self.get(house, seat).map(|found| found.at)
    }

    /// The choices that can be among the best `most` that share no seat: each shares a seat with fewer than four times
    /// its length of others, half of them at a table.
    fn candidates<'a>(&self, house: &SeatSearch<'a>, (focal, most): (At, usize)) -> Vec<Candidate<'a>> {
        if self.count == 0 {
            return Vec::new();
        }
        let kept = most.saturating_mul(4).saturating_mul(self.count);
        let mut candidates: Vec<Candidate<'a>> = Vec::new();
        let mut last: Option<Candidate<'a>> = None;
        let is_kept = |one: &Candidate<'a>, last: Option<Candidate<'a>>| {
            last.is_none_or(|last| one.rank(&last) == Ordering::Less)
        };
        for run in house.layout.together() {
            let found: Vec<&SeatFacts> = run.iter().filter_map(|seat| self.get(house, *seat)).collect();
            let squares: Vec<f64> = found.iter().map(|seat| seat.at.square_to(focal)).collect();
            let (before, after) = (open_before(found.iter().copied()), open_before(found.iter().rev().copied()));
            for (start, window) in found.windows(self.count).enumerate() {
                let seats = run.get(start..start + self.count).unwrap_or_default();
                let distance = squares.get(start..start + self.count).unwrap_or_default().iter().sum();
                // at its best it ranks like this
                let ideal = Candidate { seats, distance, ..Candidate::default() };
                if is_kept(&ideal, last) && window.iter().all(|seat| seat.fits) && self.suits(window) {
                    let rest = found.len() - start - self.count;
                    let beside = [before.get(start), after.get(rest)].map(|open| open.copied().unwrap_or_default());
                    let one = self.candidate((seats, window), (beside, start.min(rest)), distance);
                    candidates.extend(Some(one).filter(|one| is_kept(one, last)));
                }
            }
            if candidates.len() > kept.saturating_mul(2) {
                // stable: of equals the first stays
                candidates.sort_by(Candidate::rank);
                candidates.truncate(kept);
                last = candidates.last().copied();
            }
        }
        candidates
    }

    fn candidate<'a>(
        &self,
        (seats, window): (&'a [SeatRef], &[&SeatFacts]),
        ([before, after], to_end): ([usize; 2], usize),
        distance: f64,
    ) -> Candidate<'a> {
        let to_aisle = match self.aisle {
            Aisle::Any => 0,
            Aisle::Near => u32::try_from(to_end).unwrap_or(u32::MAX),
        };
        let spared = match self.access {
            Access::Ordinary => (0, 0),
            Access::Wheelchair => {
                let wheelchairs = window.iter().filter(|seat| seat.kind == SeatKind::Wheelchair);
                let ordinary = window.iter().filter(|seat| seat.open);
                (wheelchairs.count(), ordinary.count())
            }
        };
        Candidate {
            seats,
            leaves_single: before == 1 || after == 1,
            strands: window.iter().all(|seat| seat.open) && strands(window.len(), (before, after)),
            spared,
            to_aisle,
            restricted: window.iter().any(|seat| seat.kind == SeatKind::Restricted),
            distance,
        }
    }

    /// The focal point of the requested area, sold or not; see the head of this module.
    fn focal_point(&self, house: &SeatSearch) -> At {
        let focus = house.layout.focus();
        let stage = At { x: f64::from(focus.x), y: f64::from(focus.y) };
        let mut numbers = vec![0; house.plan.zones.len()];
        for seat in self.seats.iter().filter(|seat| seat.asked) {
            if let Some(number) = numbers.get_mut(seat.zone) {
                *number += 1;
            }
        }
        // Of equals the first, which max_by_key alone would not give.
        let most = numbers.iter().enumerate().rev().max_by_key(|(_, number)| **number);
        let zone = most.map_or(0, |(zone, _)| zone);
        let asked = || self.seats.iter().filter(|seat| seat.asked && seat.zone == zone).map(|seat| seat.at);
        let Some(centre) = middle(asked()) else {
            return stage;
        };
        let (x, y) = (centre.x - stage.x, centre.y - stage.y);
        let length = x.hypot(y);
        let depth = |at: At| ((at.x - stage.x) * x + (at.y - stage.y) * y) / length.max(1.0);
        let usual =
            asked().map(|at| at.square_to(stage).sqrt()).sum::<f64>() / asked().fold(0.0, |number, _| number + 1.0);
        if length <= ALL_AROUND * usual {
            return stage;
        }
        let first = asked().map(depth).fold(f64::INFINITY, f64::min);
        let last = asked().map(depth).fold(f64::NEG_INFINITY, f64::max);
        let third = (first + (last - first) / 3.0) / length;
        At { x: stage.x + x * third, y: stage.y + y * third }
    }
}

/// Returns whether the free seats before or after a party are one more than another party of its size takes, or than any
/// number of pairs, and would not be if it sat elsewhere in its stretch.
fn strands(size: usize, (before, after): (usize, usize)) -> bool {
    let single = |seats: usize| match size {
        0 | 1 => 0,
        2 => seats % 2,
        _ => usize::from(seats == size + 1),
    };
    let rest = before + after;
    let least = (0..=rest.min(size)).map(|before| single(before) + single(rest - before)).min();
    least.is_some_and(|least| single(before) + single(after) > least)
}

fn is_ordinary(kind: SeatKind) -> bool {
    match kind {
        SeatKind::Standard | SeatKind::Restricted => true,
        SeatKind::Wheelchair | SeatKind::Companion | SeatKind::Standing => false,
    }
}

/// The best of the candidates that share no seat with one another.
fn apart(mut candidates: Vec<Candidate>, most: usize) -> Vec<Choice> {
    candidates.sort_by(Candidate::rank);
    let mut chosen: Vec<Choice> = Vec::new();
    for one in candidates {
        let is_chosen = |seat| chosen.iter().any(|choice| choice.seats.contains(seat));
        if chosen.len() < most && !one.seats.iter().any(is_chosen) {
            chosen.push(Choice { seats: one.seats.to_vec(), leaves_single: one.leaves_single });
        }
    }
    chosen
}

#[cfg(test)]
mod tests;
