//! Moves a booking to another time, or to other resources.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::domain::availability::Act;
use crate::domain::booking::{Booking, Taken, joined_units};
use crate::domain::calendar::State;
use crate::domain::ids::BookingId;
use crate::domain::refusal::{CellName, Fact, OwnerName, Purpose, Refusal, SlotAt, WantedCells};
use crate::domain::resource::{Resource, ResourceId};
use crate::domain::time::{Instant, Slot, hull};
use crate::engine::ops::booking::{
    Past, Reach, Whose, allowed, bookable, not_left, not_over, not_past, price, price_follows, reached, standing,
};
use crate::engine::ops::claims;
use crate::engine::ops::claims::wanted_for;
use crate::engine::ops::customers;
use crate::engine::ops::paying;
use crate::engine::ops::releases::give_back;
use crate::engine::ops::taking::{number, set_apart};
use crate::engine::ops::worklist::resolve_items_of;
use crate::engine::work::{Failure, Operation, UnitOfWork};

/// Moves a booking, or part of it, all or none; the new time may overlap the old one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MoveBooking {
    pub booking: BookingId,
    /// Resource to move from; all if `None`.
    pub from: Option<ResourceId>,
    /// Resource to move to; the same if `None`.
    pub to: Option<ResourceId>,
    /// Part of its slot to move; all if `None`.
    pub part: Option<Slot>,
    pub slot: Slot,
    /// Extent within its repeat; each booking moves by the same days and to the same time of day.
    #[serde(default)]
    pub reach: Reach,
    #[serde(default)]
    pub past: Past,
    /// Operators whose out-of-use time may be changed.
    pub whose: Whose,
}

impl Operation for MoveBooking {
    const VERB: &'static str = "move_booking";
    type Answer = Vec<Booking>;

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<Vec<Booking>, Failure> {
        let first = standing(work, self.booking)?;
        allowed(work, &first, self.whose)?;
        not_left(work, &first)?;
        self.not_past(work, &first)?;
        if let Some(part) = self.part {
            return Ok(vec![self.move_part(work, first, part)?]);
        }
        let Some(before) = self.meant(&first).find_map(|taken| hull(&taken.still_wanted())) else {
            return Err(Refusal::NothingChosen.into());
        };
        let mut bookings = reached(work, first, self.reach)?;
        let mut follow = Vec::new();
        // all are freed before the first is taken again, so that they may swap places
        for booking in &mut bookings {
            follow.push(price_follows(work, booking)?);
            self.leave(work, booking)?;
        }
        for (booking, follows) in bookings.iter_mut().zip(follow) {
            self.arrive(work, booking, before)?;
            if follows {
                booking.price = price(work, &booking.taken)?;
            }
            paying::put(work, booking)?;
            resolve_items_of(work, &booking.owner(), "moved")?;
        }
        Ok(bookings)
    }
}

impl MoveBooking {
    /// Requested resources that move.
    fn meant<'b>(&'b self, booking: &'b Booking) -> impl Iterator<Item = &'b Taken> {
        booking.asked().filter(|taken| self.from.as_ref().is_none_or(|from| taken.resource == *from))
    }

    /// Refuses a move into the past, except of time the booking had already begun: a running booking can be extended.
    fn not_past(&self, work: &mut UnitOfWork<'_>, booking: &Booking) -> Result<(), Failure> {
        let begins = self.slot.from();
        let had = self.part.into_iter();
        let mut had = had.chain(self.meant(booking).map(|taken| taken.wanted));
        if had.any(|slot| slot.from() <= begins && begins < slot.until()) {
            return match self.past {
                Past::Refuse | Past::Closed => not_over(work, self.slot),
                Past::Record => Ok(()),
            };
        }
        let goes: Vec<ResourceId> =
            self.meant(booking).map(|taken| self.to.clone().unwrap_or_else(|| taken.resource.clone())).collect();
        not_past(work, (&goes, self.slot), self.past)
    }

    fn moves(&self, taken: &Taken) -> bool {
        let asked = taken.part_of.as_ref().unwrap_or(&taken.resource);
        self.from.as_ref().is_none_or(|from| from == asked)
    }

    fn leave(&self, work: &mut UnitOfWork<'_>, booking: &Booking) -> Result<(), Failure> {
        let old: Vec<Taken> = booking.taken.iter().filter(|taken| self.moves(taken)).cloned().collect();
        claims::free(work, &old, &booking.owner())
    }

    /// Takes the new time; `before` is the original request of the chosen booking.
    fn arrive(&self, work: &mut UnitOfWork<'_>, booking: &mut Booking, before: Slot) -> Result<(), Failure> {
        let meant: Vec<Taken> = self.meant(booking).cloned().collect();
        let mut new = Vec::new();
        for old in &meant {
            let zone = work.get::<Resource>(&old.resource)?.zone();
            let to = self.to.as_ref().unwrap_or(&old.resource);
            for wanted in moved(&old.still_wanted(), (before, self.slot), zone) {
                let mut taken = bookable(work, (to, wanted), (&booking.cause, self.past))?;
                number(work, &mut taken, old.number)?;
                new.extend(taken);
            }
        }
        // units that lost some of the old time have the new one again
        new = joined_units(new);
        set_apart(&mut new);
        let act = Act::Book { until: None };
        claims::act(work, &new, (&booking.owner(), act)).map_err(wanted_for(Purpose::Move))?;
        booking.taken.retain(|taken| !self.moves(taken));
        booking.taken.extend(new);
        Ok(())
    }

    fn move_part(&self, work: &mut UnitOfWork<'_>, mut booking: Booking, part: Slot) -> Result<Booking, Failure> {
        let follows = price_follows(work, &booking)?;
        let asked: BTreeSet<ResourceId> = self.meant(&booking).map(|one| one.resource.clone()).collect();
        let asked: Vec<(ResourceId, u32)> =
            asked.into_iter().map(|id| (id.clone(), booking.units_in(&id, part).max(1))).collect();
        let left = give_back(work, &mut booking, (self.from.as_ref(), part))?;
        let meant = asked.into_iter().filter(|(id, _)| left.contains(id));
        let mut new = Vec::new();
        for (resource, units) in meant {
            let to = self.to.as_ref().unwrap_or(&resource);
            let mut taken = bookable(work, (to, self.slot), (&booking.cause, self.past))?;
            number(work, &mut taken, units)?;
            new.extend(taken);
        }
        for one in &new {
            apart(work, &booking, one)?;
        }
        let first = booking.taken.len();
        booking.taken.extend(new);
        // the time it needs before or after may already be its own
        set_apart(&mut booking.taken);
        let new = booking.taken.get(first..).unwrap_or_default();
        let act = Act::Book { until: None };
        claims::act(work, new, (&booking.owner(), act)).map_err(wanted_for(Purpose::Move))?;
        booking.taken.retain(|taken| !taken.live.is_empty());
        if follows {
            booking.price = price(work, &booking.taken)?;
        }
        paying::put(work, &booking)?;
        resolve_items_of(work, &booking.owner(), "moved")?;
        Ok(booking)
    }
}

/// Checks that a moved part does not overlap the rest of its booking.
fn apart(work: &mut UnitOfWork<'_>, booking: &Booking, part: &Taken) -> Result<(), Failure> {
    let mine = booking.taken.iter().filter(|taken| taken.resource == part.resource);
    let both: Vec<Slot> = mine.flat_map(Taken::kept).filter_map(|slot| slot.meet(&part.core)).collect();
    if both.is_empty() {
        return Ok(());
    }
    let resource: Resource = work.get(&part.resource)?;
    let title = customers::title(work, booking)?;
    let fact = |slot: &Slot| Fact {
        what: CellName::Slot(SlotAt::of(&resource, *slot)),
        state: State::Booked,
        by: OwnerName::Booking(title.clone()),
        until: None,
    };
    let facts = both.iter().map(fact).collect();
    Err(Refusal::taken(WantedCells::Time(Purpose::Move), facts).into())
}

/// Moves the stretches of a booking as another slot was moved: by the same days, and by the same difference of wall
/// time. The first stretch begins and the last ends with the whole; stretches beyond a shorter whole are dropped.
fn moved(stretches: &[Slot], change: (Slot, Slot), zone: chrono_tz::Tz) -> Vec<Slot> {
    let Some(old) = hull(stretches) else {
        return Vec::new();
    };
    let new = shifted(old, change, zone);
    let place = |at: Instant, (was, is): (Instant, Instant)| {
        if at == was { is } else { at.moved_on_wall((old.from(), new.from()), zone) }
    };
    let stretch = |slot: &Slot| {
        let from = place(slot.from(), (old.from(), new.from()));
        let until = place(slot.until(), (old.until(), new.until()));
        Slot::new(from, until).ok()?.meet(&new)
    };
    stretches.iter().filter_map(stretch).collect()
}

/// Moves a slot as another was moved.
fn shifted(slot: Slot, (before, after): (Slot, Slot), zone: chrono_tz::Tz) -> Slot {
    if slot == before {
        return after;
    }
    let from = slot.from().moved_on_wall((before.from(), after.from()), zone);
    let until = slot.until().moved_on_wall((before.until(), after.until()), zone);
    Slot::new(from, until).unwrap_or(slot)
}
