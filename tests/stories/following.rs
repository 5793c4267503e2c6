//! Calendars of portals that are followed, day by day.

use std::collections::BTreeMap;

use willcall::domain::booking::{Booking, BookingState};
use willcall::domain::followed::{Followed, Following, Vanished, brought_as};
use willcall::domain::ids::BookingId;
use willcall::domain::money::{Currency, Price};
use willcall::domain::refusal::Refusal;
use willcall::domain::resource::ResourceId;
use willcall::domain::time::{Instant, Slot, Span};
use willcall::engine::ops::{
    CalendarFollowed, CancelBooking, ChangeFollowed, ForeignTime, ItemAct, Reach, SettleItem, Whose,
};
use willcall::engine::reads::bookings::{ReadBooking, ReadBookings};
use willcall::engine::reads::catalog::ReadSettings;
use willcall::engine::reads::followed::{ReadDiffering, ReadToFollow, ToFollow};
use willcall::engine::reads::worklist::{ReadWorklist, WorkView};

use super::calendar::{booking, room};
use super::support::{House, NOON, no};

const DAYS: u64 = 60;

/// Numbers that come out the same each time.
struct Dice(u64);

impl Dice {
    fn below(&mut self, most: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % most
    }
}

/// Nights of a portal's own calendar by the name of their event: block or stay, from, until.
#[derive(Default)]
struct Portal {
    name: &'static str,
    events: BTreeMap<String, (bool, u64, u64)>,
    made: u64,
}

fn nights(from: u64, until: u64) -> Slot {
    let day = |number: u64| {
        let midnight = NOON - Span::minutes(12 * 60);
        midnight + Span::minutes(i64::try_from(number).unwrap() * 24 * 60)
    };
    Slot::new(day(from), day(until)).unwrap()
}

impl Portal {
    fn is_free(&self, (from, until): (u64, u64), but: &str) -> bool {
        self.events.iter().all(|(name, (_, first, last))| name == but || *last <= from || until <= *first)
    }

    fn put(&mut self, is_block: bool, (from, until): (u64, u64)) {
        if self.is_free((from, until), "") {
            self.made += 1;
            self.events.insert(format!("{}-{}", self.name, self.made), (is_block, from, until));
        }
    }

    /// A day at the portal: it sells, moves and loses stays, and blocks its next free week anew.
    fn pass(&mut self, today: u64, dice: &mut Dice) {
        for _ in 0..3 {
            let from = today + 1 + dice.below(40);
            self.put(false, (from, from + 1 + dice.below(5)));
        }
        let names: Vec<String> = self.events.keys().cloned().collect();
        for name in names {
            let (is_block, from, until) = *self.events.get(&name).unwrap();
            let to = match (is_block, dice.below(12)) {
                (true, _) | (false, 0) => {
                    self.events.remove(&name);
                    continue;
                }
                (false, 1) => (from + 2, until + 2),
                (false, 2) => (from, until + 1),
                (false, 3) if until - from > 1 => (from, until - 1),
                _ => continue,
            };
            if from > today && self.is_free(to, &name) {
                self.events.insert(name, (false, to.0, to.1));
            }
        }
        self.put(true, (today + 45 + dice.below(3), today + 50));
        self.events.retain(|_, (_, _, until)| *until + 2 > today);
    }

    fn times(&self) -> Vec<ForeignTime> {
        let time = |(name, (is_block, from, until)): (&String, &(bool, u64, u64))| ForeignTime {
            uid: name.clone(),
            title: if *is_block { "Not available" } else { "Reserved" }.into(),
            note: String::new(),
            slot: nights(*from, *until),
        };
        self.events.iter().map(time).collect()
    }
}

fn follow(house: &House, room: &ResourceId, portal: &Portal) {
    let followed = Followed {
        file: format!("/{}.ics", portal.name),
        resource: room.clone(),
        blocks: Some("not available".into()),
        gone: Some(Vanished::Free),
        price: Price { minor: 0, currency: Currency::EUR },
        ahead: Span::minutes(2 * 365 * 24 * 60),
        stamp: None,
        followed_at: None,
        every: None,
        last: Following::default(),
    };
    let calendar = portal.name.to_owned();
    house.desk.run(ChangeFollowed { calendar, followed: Some(followed), differing: None, job: None }).unwrap();
}

fn compare(house: &House, portal: &Portal, times: Vec<ForeignTime>) -> ToFollow {
    house.desk.read(ReadToFollow { calendar: portal.name.into(), times, unread: Vec::new() }).unwrap()
}

/// Follows a file to its end; killed before, all but what was acted on is still to be done.
fn read(house: &House, portal: &Portal, killed: bool) {
    let acts = compare(house, portal, portal.times()).acts(portal.name);
    let mut differing = Vec::new();
    for act in acts {
        let CalendarFollowed { names, .. } = house.desk.run(act).unwrap();
        differing.extend(names);
        if killed {
            return;
        }
    }
    let followed = house.desk.read(ReadSettings).unwrap().followed;
    let followed = followed.get(portal.name).cloned();
    house
        .desk
        .run(ChangeFollowed { calendar: portal.name.into(), followed, differing: Some(differing), job: None })
        .unwrap();
}

fn booked(house: &House) -> Vec<Booking> {
    house.desk.read(ReadBookings::default()).unwrap()
}

struct Play {
    house: House,
    room: ResourceId,
    by_hand: BTreeMap<BookingId, Slot>,
}

impl Play {
    /// A day at the desk: somebody walks in, somebody cancels.
    fn pass(&mut self, today: u64, dice: &mut Dice) {
        let from = today + 1 + dice.below(30);
        let slot = nights(from, from + 1 + dice.below(3));
        if let Ok(done) = self.house.desk.run(booking(&self.room, "Walk-in", slot)) {
            self.by_hand.insert(done.id, slot);
        }
        if let Some(id) = self.by_hand.keys().next().copied().filter(|_| dice.below(4) == 0) {
            self.by_hand.remove(&id);
            let cancel = CancelBooking { booking: id, reach: Reach::This, whose: Whose::Anybody };
            self.house.desk.run(cancel).unwrap();
        }
    }

    fn check(&self, now: Instant, portals: &[Portal]) {
        for (id, slot) in &self.by_hand {
            let booking = self.house.desk.read(ReadBooking(*id)).unwrap().booking;
            assert_eq!((booking.state, booking.extent()), (BookingState::Active, Some(*slot)), "made by hand");
        }
        let all = booked(&self.house);
        let slots: Vec<Slot> = all.iter().filter_map(Booking::extent).collect();
        for (at, one) in slots.iter().enumerate() {
            assert!(!slots.iter().skip(at + 1).any(|other| one.overlaps(other)), "a night is taken twice");
        }
        let differing = self.house.desk.read(ReadDiffering).unwrap();
        for portal in portals {
            let times = portal.times();
            for time in times.iter().filter(|time| time.slot.from() > now) {
                let name = brought_as(portal.name, &time.uid);
                let stands = all.iter().any(|booking| booking.extent() == Some(time.slot));
                let differs = differing.iter().any(|(_, differs)| *differs == name);
                assert!(stands || differs, "{} {:?} is neither booked nor asked about", time.uid, time.slot);
            }
            let mine =
                |booking: &&Booking| booking.brought.as_ref().is_some_and(|brought| brought.calendar == portal.name);
            for booking in
                all.iter().filter(mine).filter(|booking| booking.extent().is_some_and(|slot| slot.from() > now))
            {
                let is_there = times.iter().any(|time| Some(brought_as(portal.name, &time.uid)) == booking.imported_as);
                assert!(is_there, "a night that the portal freed is taken: {booking:?}");
            }
        }
    }
}

#[test]
fn two_portals_and_a_desk_sell_one_room_for_sixty_days() {
    for seed in 0..3 {
        let house = House::royal();
        let room = room(&house, "Nights", 1440);
        let mut dice = Dice(seed);
        let mut portals = ["Airbnb", "Booking"].map(|name| Portal { name, ..Portal::default() });
        for portal in &portals {
            follow(&house, &room, portal);
        }
        let mut play = Play { house, room, by_hand: BTreeMap::new() };
        for today in 0..DAYS {
            let now = NOON + Span::minutes(i64::try_from(today).unwrap() * 24 * 60);
            play.pass(today, &mut dice);
            for portal in &mut portals {
                portal.pass(today, &mut dice);
                let cut_off = compare(&play.house, portal, Vec::new());
                assert_eq!(cut_off.gone, cut_off.ahead, "nobody follows a file that has nothing left");
                if dice.below(3) == 0 {
                    read(&play.house, portal, true);
                }
                read(&play.house, portal, false);
            }
            // what one freed, the other may have waited for
            for portal in &portals {
                read(&play.house, portal, false);
            }
            play.check(now, &portals);
            let before = booked(&play.house);
            for portal in &portals {
                read(&play.house, portal, false);
            }
            assert_eq!(booked(&play.house), before, "the same file changes nothing");
            play.house.pass(Span::minutes(24 * 60));
        }
        play.house.verified();
    }
}

#[test]
fn a_large_file_is_followed_in_acts_that_part_no_event() {
    let house = House::royal();
    let room = room(&house, "Nights", 1440);
    let portal = Portal { name: "Airbnb", ..Portal::default() };
    follow(&house, &room, &portal);
    let time = |uid: String, day: u64| ForeignTime {
        uid,
        title: "Reserved".into(),
        note: String::new(),
        slot: nights(day, day + 1),
    };
    // a series between the others, so that its dates lie in many acts by their start
    let series = (0..40).map(|week| time(format!("s/202611{week:02}"), 10 + week * 15));
    let others = (0..560).map(|number| time(format!("o/{number}"), 10 + number + number / 14 + 1));
    let times: Vec<ForeignTime> = series.chain(others).collect();
    let acts = compare(&house, &portal, times.clone()).acts("Airbnb");
    assert!(acts.len() > 2 && acts.iter().all(|act| act.times.len() <= 256), "{}", acts.len());
    let with = acts.iter().filter(|act| act.times.iter().any(|time| time.uid.starts_with("s/")));
    assert_eq!(with.count(), 1, "all dates of a series are in one act");
    for act in acts {
        house.desk.run(act).unwrap();
    }
    assert!(compare(&house, &portal, times).acts("Airbnb").is_empty());
    house.verified();
}

/// A reading that ended later than the following itself began it anew, and a second office took over the name.
#[test]
fn two_offices_end_and_begin_a_calendar_and_neither_is_overwritten() {
    let house = House::royal();
    let (one, other) = (room(&house, "One", 1440), room(&house, "Other", 1440));
    let portal = Portal { name: "Airbnb", ..Portal::default() };
    follow(&house, &one, &portal);
    let followed = || house.desk.read(ReadSettings).unwrap().followed.remove("Airbnb");
    let change = |followed: Option<Followed>, differing: Option<Vec<String>>| ChangeFollowed {
        calendar: "Airbnb".into(),
        followed,
        differing,
        job: None,
    };
    let begun = followed();
    let for_other = begun.clone().map(|followed| Followed { resource: other, ..followed });
    let refusal = no(&house.desk, change(for_other, None));
    assert_eq!(refusal, Refusal::Exists { what: "followed calendar".into(), name: "Airbnb".into() });
    assert_eq!(followed(), begun);
    house.desk.run(change(None, Some(Vec::new()))).unwrap();
    let refusal = no(&house.desk, change(begun, Some(Vec::new())));
    assert!(matches!(refusal, Refusal::NotFound { .. }), "{refusal:?}");
    assert_eq!(followed(), None);
    house.verified();
}

#[test]
fn a_time_that_differs_is_settled_as_the_calendar_has_it() {
    let house = House::royal();
    let room = room(&house, "Nights", 1440);
    let mut portal = Portal { name: "Airbnb", ..Portal::default() };
    follow(&house, &room, &portal);
    portal.events = [("moves", (10, 12)), ("goes", (20, 22))]
        .map(|(name, (from, until))| (name.to_owned(), (false, from, until)))
        .into();
    read(&house, &portal, false);
    let walk_in = house.desk.run(booking(&room, "Walk-in", nights(12, 14))).unwrap();
    house.desk.run(booking(&room, "Walk-in", nights(30, 31))).unwrap();
    let followed = house.desk.read(ReadSettings).unwrap().followed.remove("Airbnb").unwrap();
    let asks = Followed { gone: Some(Vanished::Ask), ..followed };
    house
        .desk
        .run(ChangeFollowed { calendar: "Airbnb".into(), followed: Some(asks), differing: None, job: None })
        .unwrap();
    portal.events =
        [("moves", (10, 13)), ("new", (29, 31))].map(|(name, at)| (name.to_owned(), (false, at.0, at.1))).into();
    read(&house, &portal, false);
    let items = house.desk.read(ReadWorklist).unwrap();
    assert_eq!(items.len(), 3, "{items:?}");
    let titled = items.iter().filter(|view| view.seats.iter().any(|words| words.ends_with(" Reserved")));
    let titled: Vec<String> = titled.map(|view| view.item.what.owner_key()).collect();
    assert_eq!(titled, [brought_as("Airbnb", "new")], "what was never booked has the title of the file");
    let settle = |name: &str| {
        let is_it = |view: &&WorkView| view.item.what.owner_key() == brought_as("Airbnb", name);
        let item = items.iter().find(is_it).unwrap().item.id;
        SettleItem { item, act: ItemAct::Agree, reason: String::new() }
    };
    for name in ["moves", "new"] {
        let taken = no(&house.desk, settle(name));
        assert!(matches!(taken, Refusal::Taken { .. }), "{taken:?}");
    }
    let cancel = |booking| CancelBooking { booking, reach: Reach::This, whose: Whose::Mine };
    house.desk.run(cancel(walk_in.id)).unwrap();
    house.desk.run(settle("moves")).unwrap();
    house.desk.run(settle("goes")).unwrap();
    let other = booked(&house).into_iter().find(|one| one.title == "Walk-in").unwrap();
    house.desk.run(cancel(other.id)).unwrap();
    house.desk.run(settle("new")).unwrap();
    let brought: Vec<Booking> = booked(&house).into_iter().filter(|one| one.brought.is_some()).collect();
    let extents: Vec<_> = brought.iter().filter_map(Booking::extent).collect();
    assert_eq!(extents, [nights(10, 13), nights(29, 31)]);
    assert!(brought.iter().all(|one| one.title == "Reserved"), "{brought:?}");
    // the file says the same now, and later what it brought so goes with it
    assert!(compare(&house, &portal, portal.times()).acts("Airbnb").is_empty());
    assert_eq!(compare(&house, &portal, Vec::new()).asked.len(), 2);
    house.verified();
}
