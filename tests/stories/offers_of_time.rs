//! Offers of time can be had: whatever a refusal or a question about free time offers is granted when it is asked for
//! at once, and no time on the grid between a wanted slot and the next one offered would be.

use chrono::{Days, NaiveDate};
use chrono_tz::Tz;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use proptest::test_runner::TestRunner;
use willcall::domain::booking::{AnyOf, Booking, Cause, Details};
use willcall::domain::refusal::{Alternative, Refusal, SlotAt};
use willcall::domain::resource::{OpenHours, Policy, Resource, ResourceId};
use willcall::domain::time::{Grid, Instant, Segment, Slot, Span, day_start, resolve};
use willcall::engine::Failure;
use willcall::engine::ops::{
    AddResource, BookSeries, BookSlot, CancelBooking, CancelCart, CloseDays, Conflicts, Displace, HoldSlot,
    MoveBooking, OpenHorizon, Past, Reach, SlotWanted, TakeOut, Want, WhatStands, Whose,
};
use willcall::engine::reads::alternatives::offer;
use willcall::engine::reads::catalog::ReadSettings;
use willcall::engine::reads::catalog::ReadTheater;
use willcall::engine::reads::free_time::{ReadCommonSlots, ReadFirstFree, ReadFree};
use willcall::engine::reads::instead::{ReadInstead, WantedTime};
use willcall::engine::reads::resources::{ReadResources, ResourceFilter};

use willcall::engine::clock::Clock;

use super::calendar::{add, booking, resource};
use super::support::House;

/// How many random houses are tried on each database.
const HOUSES: u32 = 16;

/// No more starts than these are tried between a wanted slot and the one offered.
const EARLIER_MAX: usize = 60;

/// A slot by its start and length, in five minutes from the first day's midnight.
type When = (u16, u16);

#[derive(Clone, Debug)]
struct Kind {
    segment: u32,
    before: i64,
    after: i64,
    hours: Option<&'static str>,
    /// Open for so many days from today; by itself where absent.
    days: Option<u64>,
}

#[derive(Clone, Debug)]
enum Before {
    Booked(Index, When),
    Held(Index, When),
    /// Held by a cart whose deadline has passed.
    Late(Index, When),
    Maintained(Index, When),
    Disabled(Index, When),
    /// Out of service from then on.
    Marked(Index, When),
    /// The house is closed to what repeats on this day.
    Closed(u64),
}

#[derive(Clone, Debug)]
enum Ask {
    Book(Vec<Index>, When),
    Hold(Index, When),
    Move(Index, Index, When),
    /// On the same days of so many weeks, or on so many days in a row.
    Repeat(Vec<Index>, Vec<Index>, When, (u64, u64)),
    Any(Vec<Index>, When),
    Free(When, Option<u16>),
}

type Case = ((&'static str, (i32, u32, u32)), (Vec<Kind>, Kind), Vec<Before>, Vec<Ask>);

fn kind() -> impl Strategy<Value = Kind> {
    let hours = select(vec![None, Some("08:00-20:00"), Some("08:15-21:40"), Some("18:00-02:00")]);
    let segment = prop_oneof![
        6 => select(vec![15_u32, 30, 60, 90, 240]),
        1 => Just(24 * 60),
    ];
    let around = || select(vec![0_i64, 0, 15, 20, 30, 45, 90]);
    let days = prop_oneof![3 => Just(None), 1 => (2_u64..9).prop_map(Some)];
    (segment, around(), around(), hours, days).prop_map(|(segment, before, after, hours, days)| Kind {
        hours: hours.filter(|_| segment < 24 * 60),
        segment,
        before,
        after,
        days,
    })
}

fn when() -> impl Strategy<Value = When> {
    let step = prop_oneof![3 => Just(6_u16), 1 => Just(1)];
    (0_u16..2 * 288, 1_u16..60, step).prop_map(|(from, long, step)| {
        let whole = |number: u16| number.div_ceil(step) * step;
        (whole(from), whole(long))
    })
}

fn some() -> impl Strategy<Value = Vec<Index>> {
    prop::collection::vec(any::<Index>(), 1..3)
}

fn before() -> impl Strategy<Value = Before> {
    let one = || (any::<Index>(), when());
    prop_oneof![
        6 => one().prop_map(|(of, when)| Before::Booked(of, when)),
        2 => one().prop_map(|(of, when)| Before::Held(of, when)),
        1 => one().prop_map(|(of, when)| Before::Late(of, when)),
        1 => one().prop_map(|(of, when)| Before::Maintained(of, when)),
        1 => one().prop_map(|(of, when)| Before::Disabled(of, when)),
        1 => one().prop_map(|(of, when)| Before::Marked(of, when)),
        1 => (0_u64..9).prop_map(Before::Closed),
    ]
}

fn ask() -> impl Strategy<Value = Ask> {
    let repeat = (2_u64..4, select(vec![1_u64, 7]));
    let length = prop::option::of(1_u16..40);
    prop_oneof![
        4 => (some(), when()).prop_map(|(of, when)| Ask::Book(of, when)),
        1 => (any::<Index>(), when()).prop_map(|(of, when)| Ask::Hold(of, when)),
        2 => (any::<Index>(), any::<Index>(), when()).prop_map(|(of, to, when)| Ask::Move(of, to, when)),
        3 => (some(), prop::collection::vec(any::<Index>(), 0..3), when(), repeat)
            .prop_map(|(of, any, when, repeat)| Ask::Repeat(of, any, when, repeat)),
        1 => (some(), when()).prop_map(|(of, when)| Ask::Any(of, when)),
        2 => (when(), length).prop_map(|(when, length)| Ask::Free(when, length)),
    ]
}

struct Tried {
    house: House,
    zone: Tz,
    first: NaiveDate,
    rooms: Vec<Resource>,
}

impl Tried {
    /// A house in which something has happened.
    fn new((zone, (year, month, day)): (&str, (i32, u32, u32)), (rooms, family): (Vec<Kind>, Kind)) -> Self {
        let house = House::royal();
        let zone: Tz = zone.parse().unwrap();
        let first = NaiveDate::from_ymd_opt(year, month, day).unwrap();
        let start = day_start(first, zone);
        // the morning of the first day, but never before the house was made
        let now = super::support::NOON;
        if start > now {
            house.pass((start + Span::minutes(9 * 60 + 7)).since(now));
        }
        let mut tried = Self { house, zone, first, rooms: Vec::new() };
        for (number, room) in rooms.iter().enumerate() {
            tried.add(&format!("Room {number}"), room, None);
        }
        let whole = tried.add("Hall", &family, None);
        for (half, hours) in [("Left", family.hours), ("Right", None)] {
            tried.add(half, &Kind { hours, ..family.clone() }, Some(whole.clone()));
        }
        let (theater, _) = tried.house.desk.read(ReadTheater(tried.house.theater)).unwrap();
        let all = tried.house.desk.read(ReadResources(ResourceFilter::default())).unwrap();
        let hall = all.into_iter().find(|one| one.id == theater.hall);
        tried.rooms.extend(hall);
        tried
    }

    fn add(&mut self, name: &str, kind: &Kind, parent: Option<ResourceId>) -> ResourceId {
        let policy = match kind.days {
            Some(_) => Policy::Preallocated { horizon: None, roll_days: None },
            None => Policy::OpenEnded,
        };
        let wanted = AddResource {
            parent,
            grid: Grid { zone: self.zone, segment: Segment::of_minutes(kind.segment).unwrap() },
            policy,
            hours: kind.hours.map(|hours| OpenHours::parse(hours).unwrap()),
            before: Span::minutes(kind.before),
            after: Span::minutes(kind.after),
            ..resource(name, kind.segment)
        };
        let id = add(&self.house, wanted);
        if let Some(days) = kind.days {
            let until = self.first + Days::new(days);
            let open = OpenHorizon { resource: id.clone(), until };
            self.house.desk.run(open).unwrap();
        }
        let all = self.house.desk.read(ReadResources(ResourceFilter::default())).unwrap();
        self.rooms.extend(all.into_iter().find(|one| one.id == id));
        id
    }

    fn slot(&self, (from, long): When) -> Slot {
        let at = |number: u16| day_start(self.first, self.zone) + Span::minutes(i64::from(number) * 5);
        Slot::new(at(from), at(from + long)).unwrap()
    }

    fn one(&self, of: Index) -> ResourceId {
        of.get(&self.rooms).id.clone()
    }

    /// Some resources, each once.
    fn all(&self, of: &[Index]) -> Vec<ResourceId> {
        let mut out: Vec<ResourceId> = Vec::new();
        for id in of.iter().map(|of| self.one(*of)) {
            if !out.contains(&id) {
                out.push(id);
            }
        }
        out
    }

    fn hold(&self, of: Index, when: When) -> HoldSlot {
        HoldSlot {
            cart: None,
            wants: vec![SlotWanted { count: None, resource: self.one(of), slot: self.slot(when) }],
            past: Past::Refuse,
        }
    }

    /// Whatever is refused has not happened.
    fn happens(&self, before: &Before) {
        let desk = &self.house.desk;
        let reason = String::from("leak");
        match before {
            Before::Booked(of, when) => {
                let _ = desk.run(booking(&self.one(*of), "b", self.slot(*when)));
            }
            Before::Held(of, when) | Before::Late(of, when) => {
                let _ = desk.run(self.hold(*of, *when));
            }
            Before::Maintained(of, when) => {
                let _ = desk
                    .run(TakeOut { reason, ..TakeOut::of(Cause::Maintenance, vec![self.one(*of)], self.slot(*when)) });
            }
            Before::Disabled(of, when) => {
                let _ =
                    desk.run(TakeOut { reason, ..TakeOut::of(Cause::Disable, vec![self.one(*of)], self.slot(*when)) });
            }
            Before::Marked(of, when) => {
                let from = self.slot(*when).from() + Span::minutes(2 * 24 * 60);
                let _ = desk.run(TakeOut {
                    resources: vec![self.one(*of)],
                    count: None,
                    from: Some(from),
                    until: None,
                    cause: Cause::OutOfService,
                    reason,
                    displace: Displace::Take,
                    past: Past::Refuse,
                });
            }
            Before::Closed(days) => {
                let _ = desk.run(CloseDays {
                    close: vec![self.first + Days::new(*days)],
                    open: Vec::new(),
                    stands: WhatStands::Stays,
                });
            }
        }
    }

    /// Books and gives it back.
    fn granted(&self, wants: Vec<Want>) -> Result<Booking, Failure> {
        let done = self.house.desk.run(BookSlot { wants, details: Details::default(), past: Past::Refuse })?;
        self.cancel(&done);
        Ok(done)
    }

    fn cancel(&self, booking: &Booking) {
        let cancel = CancelBooking { booking: booking.id, reach: Reach::All, whose: Whose::Mine };
        self.house.desk.run(cancel).unwrap();
    }

    /// The resources that are named: `Room 1 and Hall`.
    fn named(&self, fact: &SlotAt) -> Vec<ResourceId> {
        let of = |name: &str| self.rooms.iter().find(|one| one.name == name).unwrap();
        let names = fact.resource.split(" and ");
        names.map(|name| of(name).id.clone()).collect()
    }

    /// What is offered instead of a wish that was refused.
    fn offers(&self, refused: Failure, wanted: ReadInstead) -> Vec<(SlotAt, Option<u32>)> {
        let Failure::Refused(refusal) = refused else {
            panic!("{refused:?}");
        };
        let told = offer(&self.house.desk, refusal, wanted);
        let Refusal::Taken { instead, .. } = told else {
            return Vec::new();
        };
        let slot = |free| match free {
            Alternative::Slot { at, dates } => (at, dates),
            Alternative::Seats(names) => panic!("{names:?} of a resource"),
        };
        instead.into_iter().map(slot).collect()
    }

    fn asked(&self, ask: &Ask) -> Result<(), TestCaseError> {
        match ask {
            Ask::Book(of, when) => self.books(&self.all(of), self.slot(*when)),
            Ask::Hold(of, when) => self.holds(*of, *when),
            Ask::Move(of, to, when) => self.moves((*of, *to), self.slot(*when)),
            Ask::Repeat(of, any, when, dates) => {
                let any = (!any.is_empty()).then(|| AnyOf { of: self.all(any), count: 1 });
                self.repeats((&self.all(of), any), self.slot(*when), *dates)
            }
            Ask::Any(of, when) => self.any((&self.all(of), self.slot(*when))),
            Ask::Free(when, length) => self.finds(self.slot(*when), *length),
        }
    }

    fn books(&self, of: &[ResourceId], slot: Slot) -> Result<(), TestCaseError> {
        let want = |of: &[ResourceId], slot| vec![Want::all(of.to_vec(), slot)];
        let Err(refused) = self.granted(want(of, slot)) else {
            return Ok(());
        };
        let offers = self.offers(refused, ReadInstead::of(of, slot));
        let mut is_first = true;
        for (fact, _) in &offers {
            let (named, free) = (self.named(fact), Slot::new(fact.from, fact.until).unwrap());
            let done = self.granted(want(&named, free));
            prop_assert!(done.is_ok(), "{of:?} {slot:?} is offered {fact:?}: {done:?}");
            if named == of && is_first {
                is_first = false;
                self.is_next((of, slot), free)?;
            } else if named.len() == 1 && named != of {
                self.stands_in(of, (&named, free))?;
            }
        }
        Ok(())
    }

    /// No start on the first one's grid is granted from the wanted one to that which is offered.
    fn is_next(&self, (of, slot): (&[ResourceId], Slot), free: Slot) -> Result<(), TestCaseError> {
        let first = self.rooms.iter().find(|one| Some(&one.id) == of.first()).unwrap();
        let core = first.grid.normalise(slot);
        if first.grid.segment.is_day() {
            return Ok(());
        }
        let mut from = core.from();
        for _ in 0..EARLIER_MAX {
            if from >= free.from() {
                break;
            }
            let wanted = Slot::new(from, from + core.span()).unwrap();
            if first.grid.normalise(wanted) == wanted {
                let done = self.granted(vec![Want::all(of.to_vec(), wanted)]);
                prop_assert!(done.is_err(), "{of:?} {slot:?} is offered {free:?}, after {wanted:?}");
            }
            let cell = Slot::new(from, from + Span::minutes(1)).unwrap();
            from = first.grid.normalise(cell).until();
        }
        Ok(())
    }

    /// Where only one of several is taken, another in its place makes the whole wish granted.
    fn stands_in(&self, of: &[ResourceId], (named, free): (&[ResourceId], Slot)) -> Result<(), TestCaseError> {
        let alone = |id: &ResourceId| {
            let want = Want::all(vec![id.clone()], free);
            self.granted(vec![want]).is_ok()
        };
        let (stay, taken): (Vec<_>, Vec<_>) = of.iter().cloned().partition(alone);
        if taken.len() == 1 && of.len() > 1 {
            let both = [stay, named.to_vec()].concat();
            let done = self.granted(vec![Want::all(both.clone(), free)]);
            prop_assert!(done.is_ok(), "{named:?} for {taken:?} of {of:?} at {free:?}: {done:?}");
        }
        Ok(())
    }

    fn holds(&self, of: Index, when: When) -> Result<(), TestCaseError> {
        let hold = self.hold(of, when);
        let give_back = |cart| self.house.desk.run(CancelCart { cart }).unwrap();
        let refused = match self.house.desk.run(hold) {
            Ok(cart) => {
                give_back(cart.id);
                return Ok(());
            }
            Err(refused) => refused,
        };
        let wanted = ReadInstead::of(&[self.one(of)], self.slot(when));
        for (fact, _) in self.offers(refused, wanted) {
            let wants = self.named(&fact).into_iter().map(|resource| SlotWanted {
                count: None,
                resource,
                slot: Slot::new(fact.from, fact.until).unwrap(),
            });
            let done = self.house.desk.run(HoldSlot { cart: None, wants: wants.collect(), past: Past::Refuse });
            prop_assert!(done.is_ok(), "{of:?} {when:?} is offered {fact:?}: {done:?}");
            give_back(done.unwrap().id);
        }
        Ok(())
    }

    fn moves(&self, (of, to): (Index, Index), slot: Slot) -> Result<(), TestCaseError> {
        let free = self.house.desk.read(ReadFirstFree {
            resources: vec![self.one(of)],
            span: Span::minutes(60),
            window: self.slot((0, 288)),
        });
        let Some(free) = free.unwrap() else {
            return Ok(());
        };
        let moved = booking(&free.resource, "moved", free.slot);
        let moved = self.house.desk.run(moved).unwrap();
        let moving = |to: ResourceId, slot| MoveBooking {
            booking: moved.id,
            from: None,
            to: Some(to),
            part: None,
            slot,
            reach: Reach::This,
            past: Past::Refuse,
            whose: Whose::Mine,
        };
        if let Err(refused) = self.house.desk.run(moving(self.one(to), slot)) {
            for (fact, _) in self.offers(refused, ReadInstead::of(&[self.one(to)], slot)) {
                let named = self.named(&fact).remove(0);
                let to = Slot::new(fact.from, fact.until).unwrap();
                let done = self.house.desk.run(moving(named, to));
                prop_assert!(done.is_ok(), "{slot:?} is offered {fact:?}: {done:?}");
                let back = MoveBooking { past: Past::Record, ..moving(self.one(of), free.slot) };
                self.house.desk.run(back).unwrap();
            }
        }
        self.cancel(&moved);
        Ok(())
    }

    fn repeats(
        &self,
        (of, any): (&[ResourceId], Option<AnyOf>),
        slot: Slot,
        (times, every): (u64, u64),
    ) -> Result<(), TestCaseError> {
        // dates are those of the first one's wall
        let first = self.rooms.iter().find(|one| Some(&one.id) == of.first());
        let wanted_in = first.unwrap().zone();
        let dates = |slot: Slot, zone: Tz| -> Option<Vec<Slot>> {
            let later = |at: Instant, days| resolve(at.in_zone(zone).naive_local() + Days::new(days), zone).ok();
            let dates = (0..times).map(|time| {
                let days = time * every;
                Slot::new(later(slot.from(), days)?, later(slot.until(), days)?).ok()
            });
            dates.collect()
        };
        let Some(slots) = dates(slot, wanted_in) else {
            return Ok(());
        };
        let series = |resources: &[ResourceId], any: &Option<AnyOf>, slots: &[Slot]| BookSeries {
            resources: resources.to_vec(),
            any: any.clone(),
            slots: slots.to_vec(),
            details: Details::default(),
            conflicts: Conflicts::Refuse,
            past: Past::Refuse,
        };
        let refused = match self.house.desk.run(series(of, &any, &slots)) {
            Ok(done) => {
                self.cancel(done.bookings.first().unwrap());
                return Ok(());
            }
            Err(refused) => refused,
        };
        let wanted = ReadInstead::Time(WantedTime { resources: of.to_vec(), any: any.clone(), slots: slots.clone() });
        for (fact, told_dates) in self.offers(refused, wanted) {
            let free = Slot::new(fact.from, fact.until).unwrap();
            // a date on which the house is closed is none of those that are told
            let closed = self.house.desk.read(ReadSettings).unwrap().closed_days;
            let at = slots.iter().position(|one| !closed.contains(&one.from().in_zone(wanted_in).date_naive()));
            let Some(all) = dates(free, fact.zone) else {
                continue;
            };
            let all: Vec<Slot> = all.into_iter().take(slots.len() - at.unwrap_or(0)).collect();
            let done = self.house.desk.run(series(&self.named(&fact), &None, &all));
            prop_assert!(done.is_ok(), "{of:?} {any:?} {slots:?} is offered {fact:?}: {done:?}");
            let done = done.unwrap();
            self.cancel(done.bookings.first().unwrap());
            prop_assert_eq!(
                u32::try_from(done.bookings.len()).ok(),
                told_dates.or(Some(1)),
                "{:?} {:?} is offered {:?}",
                of,
                slots,
                fact
            );
        }
        Ok(())
    }

    fn any(&self, (of, slot): (&[ResourceId], Slot)) -> Result<(), TestCaseError> {
        let any = AnyOf { of: of.to_vec(), count: 1 };
        let Err(refused) = self.granted(vec![Want::any(&any, slot)]) else {
            return Ok(());
        };
        let wanted = ReadInstead::Time(WantedTime { resources: Vec::new(), any: Some(any), slots: vec![slot] });
        for (fact, _) in self.offers(refused, wanted) {
            let free = Slot::new(fact.from, fact.until).unwrap();
            let done = self.granted(vec![Want::all(self.named(&fact), free)]);
            prop_assert!(done.is_ok(), "any of {of:?} {slot:?} is offered {fact:?}: {done:?}");
        }
        Ok(())
    }

    /// All of what is said to be free for so long, its first and its last part, and the first of all.
    fn finds(&self, window: Slot, length: Option<u16>) -> Result<(), TestCaseError> {
        let span = length.map(|length| Span::minutes(i64::from(length) * 5));
        let read = ReadFree { count: None, filter: ResourceFilter::default(), window, span };
        for found in self.house.desk.read(read).unwrap() {
            for slot in found.slots {
                let ends = span.into_iter().flat_map(|span| {
                    [
                        Slot::new(slot.from(), slot.from() + span).unwrap(),
                        Slot::new(slot.until() - span, slot.until()).unwrap(),
                    ]
                });
                let now = self.house.clock.now();
                for part in ends.chain([slot]).filter(|part| part.until() > now) {
                    let want = Want::all(vec![found.resource.id.clone()], part);
                    let done = self.granted(vec![want]);
                    prop_assert!(
                        done.is_ok(),
                        "{} is free at {part:?} of {slot:?} in {window:?}: {done:?}",
                        found.resource.name
                    );
                }
            }
        }
        let Some(span) = span else { return Ok(()) };
        let resources: Vec<ResourceId> = self.rooms.iter().map(|one| one.id.clone()).collect();
        let first = self.house.desk.read(ReadFirstFree { resources: resources.clone(), span, window });
        if let Some(first) = first.unwrap() {
            let done = self.granted(vec![Want::all(vec![first.resource.clone()], first.slot)]);
            prop_assert!(done.is_ok(), "{first:?} is the first free: {done:?}");
        }
        let both = resources.into_iter().take(2).collect::<Vec<_>>();
        let slots = self.house.desk.read(ReadCommonSlots { resources: both.clone(), span, window });
        for slot in slots.unwrap() {
            let done = self.granted(vec![Want::all(both.clone(), slot)]);
            prop_assert!(done.is_ok(), "both are free at {slot:?}: {done:?}");
        }
        Ok(())
    }
}

#[test]
fn every_offer_of_time_is_granted_when_asked_at_once() {
    let places = vec![
        ("UTC", (2026, 11, 21)),
        ("Europe/Berlin", (2027, 3, 27)),
        ("Europe/Berlin", (2027, 10, 30)),
        ("Australia/Lord_Howe", (2027, 4, 3)),
    ];
    let case = (
        select(places),
        (prop::collection::vec(kind(), 3..5), kind()),
        prop::collection::vec(before(), 8..20),
        prop::collection::vec(ask(), 10),
    );
    let config = ProptestConfig { cases: HOUSES, failure_persistence: None, ..ProptestConfig::default() };
    let run = |(place, rooms, happened, asks): Case| {
        let tried = Tried::new(place, rooms);
        let (late, others): (Vec<Before>, Vec<Before>) =
            happened.into_iter().partition(|before| matches!(before, Before::Late(..)));
        for before in &late {
            tried.happens(before);
        }
        tried.house.pass(Span::minutes(61));
        for before in &others {
            tried.happens(before);
        }
        for ask in &asks {
            tried.asked(ask)?;
        }
        tried.house.verified();
        Ok(())
    };
    TestRunner::new(config).run(&case, run).unwrap();
}
