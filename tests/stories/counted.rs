//! Counted equipment: chairs and projectors that are booked by number.

use std::collections::BTreeMap;

use willcall::domain::booking::{Booking, BookingState, Cause, Details};
use willcall::domain::calendar::State;
use willcall::domain::cart::Cart;
use willcall::domain::loss::CellGroup;
use willcall::domain::money::{Currency, Price};
use willcall::domain::refusal::{CountRefusal, Problem, Refusal};
use willcall::domain::resource::{Count, ResourceId};
use willcall::domain::time::{Instant, Slot, Span};
use willcall::engine::ops::{
    AddResource, BookSlot, CancelBooking, CancelCart, ChangeResource, EnableSlot, HoldSlot, MoveBooking, OutOfUse,
    Past, Patched, Reach, ReleaseSlot, ResourcePatch, RestoreBooking, ReturnCells, SetCount, SlotWanted, TakeOut, Want,
    Whose,
};
use willcall::engine::reads::bookings::ReadAnsweredBookings;
use willcall::engine::reads::calendar::{ReadCalendar, Words};
use willcall::engine::reads::free_time::ReadFree;
use willcall::engine::reads::resources::ResourceFilter;
use willcall::engine::reads::taken::ReadTaken;
use willcall::engine::reads::worklist::ReadWorklist;
use willcall::words;

use super::calendar::{add, resource, slot};
use super::support::{HERE, House, NOON, no};

const DAY: &str = "2026-12-01 2026-12-02";

pub(super) fn counted(house: &House, count: &str) -> ResourceId {
    let price = Some(Price { minor: 50, currency: Currency::EUR });
    add(house, AddResource { count: Some(count.parse().unwrap()), price, ..resource("Chairs", 60) })
}

pub(super) fn hours(from: u32, until: u32) -> Slot {
    slot(&format!("2026-12-01 {from:02}:00 {until:02}:00"))
}

pub(super) fn wanting(of: &ResourceId, number: u32, slot: Slot, title: &str) -> BookSlot {
    BookSlot {
        wants: vec![Want { of: vec![of.clone()], any: Some(number), slot }],
        details: Details { title: title.into(), ..Details::default() },
        past: Past::Refuse,
    }
}

pub(super) fn holding(of: &ResourceId, number: u32, slot: Slot) -> HoldSlot {
    let wants = vec![SlotWanted { resource: of.clone(), slot, count: Some(number) }];
    HoldSlot { cart: None, wants, past: Past::Refuse }
}

pub(super) fn less(of: &ResourceId, number: u32, slot: Slot) -> TakeOut {
    TakeOut { count: Some(number), reason: "leak".into(), ..TakeOut::of(Cause::Disable, vec![of.clone()], slot) }
}

fn recount(of: &ResourceId, count: &str) -> ChangeResource {
    let patch = ResourcePatch { count: Some(count.parse().unwrap()), ..ResourcePatch::default() };
    ChangeResource { resource: of.clone(), patch }
}

/// Number left at each time of a day, in longest stretches: `10:00 36`.
pub(super) fn left(house: &House, of: &ResourceId) -> String {
    let resources = vec![of.clone()];
    let views = house.desk.read(ReadCalendar { resources, window: slot(DAY), words: Words::Titles }).unwrap();
    let told = views.first().unwrap().periods.iter().map(|period| {
        let at = period.slot.from().format(chrono_tz::Tz::UTC, "%H:%M");
        let left = if period.state == State::Free { period.units.unwrap().to_string() } else { period.title.clone() };
        format!("{at} {left}")
    });
    told.collect::<Vec<_>>().join(", ")
}

/// Owners with their numbers: `10:00-12:00 40 chairs, Gala`.
pub(super) fn list(house: &House, of: &ResourceId) -> Vec<String> {
    let taken = house.desk.read(ReadTaken { resources: vec![of.clone()], window: None }).unwrap();
    let told = taken.iter().map(|one| {
        let at = |at: Instant| at.format(chrono_tz::Tz::UTC, "%H:%M");
        let (from, until) = (at(one.period.slot.from()), at(one.period.slot.until()));
        format!("{from}-{until} {}, {}", one.resource.1, one.period.title)
    });
    told.collect()
}

#[test]
fn what_is_free_each_hour_is_booked_by_number_and_the_calendar_shows_what_is_left() {
    let house = House::royal();
    let chairs = counted(&house, "200 chairs");
    let book = |number, slot, title: &str| house.desk.run(wanting(&chairs, number, slot, title));
    let gala = book(164, hours(10, 12), "Gala").unwrap();
    assert_eq!(gala.price.unwrap().minor, 164 * 2 * 50);
    let refused = no(&house.desk, wanting(&chairs, 40, hours(9, 13), "Fair"));
    let Refusal::Count(CountRefusal::UnitsShort { free: 36, of: 200, wanted: 40, .. }) = &refused else {
        panic!("{refused:?}")
    };
    assert!(words::refusal(&refused, HERE).contains("40 chairs are not free: 36 of 200 are, Tue 1 Dec 10:00-12:00."));
    let fair = book(36, hours(9, 13), "Fair").unwrap();
    book(164, hours(12, 13), "Tea").unwrap();
    assert_eq!(left(&house, &chairs), "00:00 200, 09:00 164, 10:00 Gala, Fair, 12:00 Fair, Tea, 13:00 200");
    // free at nine and at ten, and of no chair at both
    house.desk.run(CancelBooking { booking: gala.id, reach: Reach::This, whose: Whose::Mine }).unwrap();
    book(100, hours(9, 10), "Early").unwrap();
    book(100, hours(10, 11), "Late").unwrap();
    book(64, hours(9, 12), "Both").unwrap();
    assert_eq!(
        left(&house, &chairs),
        "00:00 200, 09:00 Fair, Early, Both, 10:00 Late, Both, Fair, 11:00 100, 12:00 Fair, Tea, 13:00 200"
    );
    let expected = [
        "09:00-10:00 100 chairs, Early",
        "09:00-12:00 64 chairs, Both",
        "09:00-13:00 36 chairs, Fair",
        "10:00-11:00 100 chairs, Late",
        "12:00-13:00 164 chairs, Tea",
    ];
    let mut all = list(&house, &chairs);
    all.sort();
    assert_eq!(all, expected);
    let restored = no(&house.desk, RestoreBooking { bookings: vec![gala.id] });
    assert!(matches!(restored, Refusal::Count(CountRefusal::UnitsShort { free: 0, .. })), "{restored:?}");
    let to = |slot| MoveBooking {
        booking: fair.id,
        from: None,
        to: None,
        part: None,
        slot,
        reach: Reach::This,
        past: Past::Refuse,
        whose: Whose::Mine,
    };
    let moved = house.desk.run(to(hours(13, 15))).unwrap();
    assert_eq!((moved[0].taken[0].number, moved[0].price.unwrap().minor), (36, 36 * 2 * 50));
    let view = house.desk.read(ReadAnsweredBookings(moved)).unwrap();
    assert_eq!(view[0].taken[0].name, "36 chairs");
    let part = ReleaseSlot { booking: fair.id, resource: None, slot: hours(14, 15), whose: Whose::Mine };
    house.desk.run(part).unwrap();
    assert!(left(&house, &chairs).ends_with("12:00 36, 13:00 164, 14:00 200"), "{}", left(&house, &chairs));
    let free = |count| {
        let filter = ResourceFilter::default();
        let found =
            house.desk.read(ReadFree { filter, window: hours(11, 13), span: None, count: Some(count) }).unwrap();
        found.iter().any(|one| one.resource.id == chairs)
    };
    assert!(free(36) && !free(37));
    house.verified();
}

#[test]
fn a_cart_holds_a_number_of_units_until_it_expires_or_pays_and_gives_them_back() {
    let house = House::royal();
    let chairs = counted(&house, "50 chairs");
    let held = house.desk.run(holding(&chairs, 40, hours(10, 12))).unwrap();
    assert_eq!((held.total().unwrap(), house.cart(held.id).lines[0].title().to_owned()), (4000, "40 chairs".into()));
    assert!(matches!(no(&house.desk, holding(&chairs, 11, hours(11, 13))), Refusal::Count(_)));
    house.pass(Span::minutes(31));
    let late = house.desk.run(holding(&chairs, 50, hours(11, 13))).unwrap();
    house.desk.run(CancelCart { cart: late.id }).unwrap();
    let paid = house.desk.run(holding(&chairs, 40, hours(10, 12))).unwrap();
    let receipt = house.pay(paid.id, 4000).unwrap();
    assert_eq!(left(&house, &chairs), "00:00 50, 10:00 10, 12:00 50");
    let hour = vec![CellGroup::Time { resource: chairs.clone(), slots: vec![hours(11, 12)] }];
    let back: Cart = house.desk.run(ReturnCells { cart: None, receipt: receipt.id, cells: Some(hour) }).unwrap();
    assert_eq!(back.total().unwrap(), -2000);
    house.verified();
}

#[test]
fn a_line_of_a_cart_has_more_or_fewer_units_at_the_price_of_the_line() {
    let house = House::royal();
    let chairs = counted(&house, "100 chairs");
    let cart = house.desk.run(holding(&chairs, 2, hours(10, 12))).unwrap().id;
    let set = |count| SetCount { cart, line: 1, count };
    let price = Patched::Set(Price { minor: 9900, currency: Currency::EUR });
    let patch = ResourcePatch { price, ..ResourcePatch::default() };
    house.desk.run(ChangeResource { resource: chairs.clone(), patch }).unwrap();
    let four = house.desk.run(set(4)).unwrap();
    assert_eq!((four.total().unwrap(), house.cart(cart).lines[0].title().to_owned()), (400, "4 chairs".into()));
    assert_eq!(left(&house, &chairs), "00:00 100, 10:00 96, 12:00 100");
    let refused = no(&house.desk, set(1000));
    assert!(matches!(refused, Refusal::Count(CountRefusal::UnitsShort { free: 100, wanted: 1000, .. })), "{refused:?}");
    assert_eq!(house.cart(cart).cart, four, "nothing changed");
    assert_eq!(no(&house.desk, set(0)), Refusal::bad("count", Problem::NoneLeft));
    assert_eq!(house.desk.run(set(1)).unwrap().total().unwrap(), 100);
    assert_eq!(left(&house, &chairs), "00:00 100, 10:00 99, 12:00 100");
    house.pass(Span::minutes(31));
    assert_eq!(no(&house.desk, set(2)).kind(), "cart_expired");
    let room = add(&house, resource("Studio", 60));
    let single = house.desk.run(holding(&room, 1, hours(10, 11))).unwrap().id;
    let refused = no(&house.desk, SetCount { cart: single, line: 1, count: 2 });
    assert!(matches!(refused, Refusal::Count(CountRefusal::NotCounted { .. })), "{refused:?}");
    house.verified();
}

#[test]
fn units_out_of_use_displace_the_newest_and_come_back() {
    let house = House::royal();
    let chairs = counted(&house, "100 chairs");
    let book = |number, slot, title: &str| house.desk.run(wanting(&chairs, number, slot, title)).unwrap();
    let (old, new) = (book(50, hours(10, 12), "Old"), book(40, hours(10, 13), "New"));
    house.desk.run(less(&chairs, 10, hours(10, 12))).unwrap();
    assert!(house.desk.read(ReadWorklist).unwrap().is_empty(), "ten are left");
    let done = house.desk.run(less(&chairs, 30, hours(11, 12))).unwrap();
    let OutOfUse::Slot { booking: act, displaced, .. } = done else { panic!("{done:?}") };
    assert_eq!(displaced.len(), 1);
    let live =
        |id| house.desk.read(willcall::engine::reads::bookings::ReadBooking(id)).unwrap().booking.taken[0].live.clone();
    assert_eq!(live(new.id), [hours(10, 13)], "it lost thirty of forty");
    assert_eq!(live(old.id), [hours(10, 12)]);
    assert_eq!(
        left(&house, &chairs),
        "00:00 100, 10:00 Old, New, leak, 11:00 Old, leak, New, leak, 12:00 60, 13:00 100"
    );
    assert!(matches!(no(&house.desk, wanting(&chairs, 1, hours(11, 12), "More")), Refusal::Count(_)));
    house.verified();
    house.desk.run(EnableSlot { id: act.id, whose: Whose::Mine }).unwrap();
    assert_eq!(left(&house, &chairs), "00:00 100, 10:00 Old, New, leak, 11:00 30, 12:00 60, 13:00 100");
    house.verified();
}

#[test]
fn a_cart_and_the_worklist_say_how_many_units_were_lost() {
    let house = House::royal();
    let chairs = counted(&house, "100 chairs");
    let booked = house.desk.run(wanting(&chairs, 30, hours(10, 12), "Gala")).unwrap();
    let cart = house.desk.run(holding(&chairs, 40, hours(10, 12))).unwrap();
    house.desk.run(less(&chairs, 40, hours(11, 12))).unwrap();
    let told = |cart| house.cart(cart).lost.iter().map(words::loss).collect::<Vec<_>>();
    assert_eq!(told(cart.id), ["10 of 40 chairs Tue 1 Dec 2026 11:00-12:00 (leak)"]);
    house.desk.run(less(&chairs, 60, hours(11, 12))).unwrap();
    assert_eq!(told(cart.id).last().unwrap(), "30 chairs Tue 1 Dec 2026 11:00-12:00 (leak)");
    let items: Vec<String> = house.desk.read(ReadWorklist).unwrap().iter().map(|item| item.title.clone()).collect();
    assert_eq!((items, booked.taken[0].number), (vec!["30 chairs".to_owned()], 30));
    house.verified();
}

#[test]
fn the_number_is_raised_and_not_lowered_below_what_is_claimed() {
    let house = House::royal();
    let chairs = counted(&house, "100 chairs");
    house.desk.run(wanting(&chairs, 60, hours(10, 12), "Gala")).unwrap();
    house.desk.run(wanting(&chairs, 20, hours(11, 12), "Fair")).unwrap();
    let refused = no(&house.desk, recount(&chairs, "79 chairs"));
    assert!(words::refusal(&refused, HERE).contains("80 chairs are taken Tue 1 Dec 11:00-12:00."), "{refused:?}");
    let refused = words::refusal(&no(&house.desk, recount(&chairs, "300 tables")), HERE);
    assert_eq!(
        refused,
        "80 chairs are taken Tue 1 Dec 11:00-12:00, so they stay chairs. Add another resource instead."
    );
    house.desk.run(recount(&chairs, "80 chairs")).unwrap();
    assert_eq!(left(&house, &chairs), "00:00 80, 10:00 20, 11:00 Gala, Fair, 12:00 80");
    let raised = house.desk.run(recount(&chairs, "300 chairs")).unwrap();
    house.desk.run(wanting(&chairs, 220, hours(9, 13), "All")).unwrap();
    let back = ChangeResource { resource: chairs.clone(), patch: raised.back };
    assert!(matches!(no(&house.desk, back), Refusal::Count(CountRefusal::UnitsClaimed { claimed: 300, .. })));
    house.verified();
}

#[test]
fn nonsense_is_refused_and_nothing_changes() {
    let house = House::royal();
    let chairs = counted(&house, "100 chairs");
    let studio = add(&house, resource("Studio", 60));
    let when = hours(10, 11);
    let kinds = [
        no(&house.desk, wanting(&chairs, 101, when, "x")).kind(),
        no(&house.desk, wanting(&chairs, 0, when, "x")).kind(),
        no(&house.desk, wanting(&chairs, 1_000_000_000, when, "x")).kind(),
        no(&house.desk, holding(&studio, 2, when)).kind(),
        no(&house.desk, holding(&chairs, 0, when)).kind(),
        no(&house.desk, less(&studio, 2, when)).kind(),
        no(&house.desk, less(&chairs, 101, when)).kind(),
        no(&house.desk, AddResource { parent: Some(chairs.clone()), ..resource("Leg", 60) }).kind(),
        no(
            &house.desk,
            AddResource { parent: Some(studio.clone()), count: Some("2 legs".parse().unwrap()), ..resource("Leg", 60) },
        )
        .kind(),
    ];
    assert_eq!(
        kinds,
        [
            "units_short",
            "nothing_chosen",
            "bad_value",
            "not_counted",
            "bad_value",
            "not_counted",
            "units_short",
            "counted_part",
            "counted_part"
        ]
    );
    house.desk.run(super::calendar::booking(&studio, "x", when)).unwrap();
    assert_eq!(no(&house.desk, recount(&studio, "2 rooms")).kind(), "count_stays");
    assert_eq!(left(&house, &chairs), "00:00 100");
    house.verified();
    let marked = TakeOut { until: None, ..less(&chairs, 2, when) };
    let refusal = words::refusal(&no(&house.desk, marked), HERE);
    assert!(refusal.contains("say until when; without an end all of it goes out of use"), "{refusal}");
}

/// Claim of the naive counter: its number in each hour.
struct Claim {
    hours: BTreeMap<usize, u32>,
    /// True once it lost some of its units.
    parted: bool,
    of: Owner,
}

enum Owner {
    Booking(Booking),
    Cart(Cart, Instant),
    Disable(Booking),
}

/// An array of counters, against which the house is played.
struct Naive {
    count: u32,
    claims: Vec<Claim>,
}

impl Naive {
    fn left(&self, hour: usize) -> i64 {
        let taken = self.claims.iter().filter_map(|claim| claim.hours.get(&hour)).sum::<u32>();
        i64::from(self.count) - i64::from(taken)
    }

    fn has(&self, (from, until): (usize, usize), number: u32) -> bool {
        (from..until).all(|hour| self.left(hour) >= i64::from(number))
    }

    fn claim(&mut self, (from, until): (usize, usize), number: u32, of: Owner) {
        self.claims.push(Claim { hours: (from..until).map(|hour| (hour, number)).collect(), parted: false, of });
    }

    /// Makes room by the newest claims that are not out of use: one unit after another.
    fn displace(&mut self, (from, until): (usize, usize), number: u32) {
        for hour in from..until {
            while self.left(hour) < i64::from(number) {
                let mut newest = self.claims.iter_mut().rev().filter(|claim| !matches!(claim.of, Owner::Disable(_)));
                let Some(claim) = newest.find(|claim| claim.hours.contains_key(&hour)) else { break };
                claim.parted = true;
                let units = claim.hours.remove(&hour).unwrap() - 1;
                claim.hours.extend((units > 0).then_some((hour, units)));
            }
        }
    }
}

/// A house that is played against the counters.
struct Play<'h> {
    house: &'h House,
    chairs: ResourceId,
    naive: Naive,
    now: Instant,
    dice: usize,
}

fn small(number: usize) -> u32 {
    u32::try_from(number).unwrap()
}

impl Play<'_> {
    fn throw(&mut self, below: usize) -> usize {
        self.dice = self.dice.wrapping_mul(1_103_515_245).wrapping_add(12_345) % 2_147_483_648;
        (self.dice >> 8) % below
    }

    /// Does something; an act is refused exactly where the counters have too little.
    fn step(&mut self) {
        let from = 8 + self.throw(6);
        let span = (from, from + 1 + self.throw(3));
        let (number, when) = (small(1 + self.throw(6)), hours(small(span.0), small(span.1)));
        let fits = self.naive.has(span, number);
        let house = self.house;
        match self.throw(8) {
            0 | 1 => match house.desk.run(wanting(&self.chairs, number, when, "b")) {
                Ok(booking) if fits => self.naive.claim(span, number, Owner::Booking(booking)),
                done => assert!(!fits && done.is_err(), "{done:?}"),
            },
            2 => match house.desk.run(holding(&self.chairs, number, when)) {
                Ok(cart) if fits => {
                    let until = cart.expires_at;
                    self.naive.claim(span, number, Owner::Cart(cart, until));
                }
                done => assert!(!fits && done.is_err(), "{done:?}"),
            },
            3 => self.less(span, number),
            4 if !self.naive.claims.is_empty() => self.end(),
            5 => {
                self.house.pass(Span::minutes(20));
                self.now = self.now + Span::minutes(20);
                let now = self.now;
                self.naive.claims.retain(|claim| !matches!(&claim.of, Owner::Cart(_, until) if *until <= now));
                self.house.desk.sweep().unwrap();
            }
            6 => self.set_count(number),
            _ => self.recount(),
        }
    }

    /// Gives the line of the newest cart another number.
    fn set_count(&mut self, count: u32) {
        let mut claims = self.naive.claims.iter();
        let Some(at) = claims.rposition(|one| matches!(one.of, Owner::Cart(..)) && !one.parted) else { return };
        let Some(Claim { hours, .. }) = self.naive.claims.get(at) else { return };
        let fits = |(hour, number): (&usize, &u32)| self.naive.left(*hour) + i64::from(*number) >= i64::from(count);
        let fits = hours.iter().all(fits);
        let Some(claim) = self.naive.claims.get_mut(at) else { return };
        let Owner::Cart(cart, until) = &mut claim.of else { return };
        match self.house.desk.run(SetCount { cart: cart.id, line: 1, count }) {
            Ok(changed) if fits => {
                *until = changed.expires_at;
                claim.hours.values_mut().for_each(|number| *number = count);
            }
            done => assert!(!fits && done.is_err(), "{done:?}"),
        }
    }

    /// Takes units out of use, no more than there are.
    fn less(&mut self, span: (usize, usize), number: u32) {
        let out = |hour: usize| {
            let disabled = self.naive.claims.iter().filter(|claim| matches!(claim.of, Owner::Disable(_)));
            disabled.filter_map(|claim| claim.hours.get(&hour)).sum::<u32>()
        };
        if (span.0..span.1).any(|hour| out(hour) + number > self.naive.count) {
            return;
        }
        let when = hours(small(span.0), small(span.1));
        let done = self.house.desk.run(less(&self.chairs, number, when)).unwrap();
        let OutOfUse::Slot { booking, .. } = done else { panic!("{done:?}") };
        self.naive.displace(span, number);
        self.naive.claim(span, number, Owner::Disable(*booking));
    }

    /// Ends any claim; a booking that lost all of its time has nothing to end.
    fn end(&mut self) {
        let at = self.throw(self.naive.claims.len());
        let Claim { of, hours, .. } = self.naive.claims.remove(at);
        let desk = &self.house.desk;
        match of {
            Owner::Booking(booking) if booking.state == BookingState::Active && !hours.is_empty() => {
                let cancel = CancelBooking { booking: booking.id, reach: Reach::This, whose: Whose::Mine };
                desk.run(cancel).unwrap();
            }
            Owner::Booking(_) => {}
            Owner::Cart(cart, _) => {
                desk.run(CancelCart { cart: cart.id }).unwrap();
            }
            Owner::Disable(act) => {
                desk.run(EnableSlot { id: act.id, whose: Whose::Mine }).unwrap();
            }
        }
    }

    fn recount(&mut self) {
        let count = small(6 + self.throw(8));
        let lowest = (0..24).map(|hour| self.naive.left(hour)).min().unwrap();
        let may = i64::from(self.naive.count) - lowest <= i64::from(count);
        let done = self.house.desk.run(recount(&self.chairs, &format!("{count} chairs")));
        assert_eq!(done.is_ok(), may, "{count} {done:?}");
        if may {
            self.naive.count = count;
        }
    }

    fn agree(&self) {
        let resources = vec![self.chairs.clone()];
        let question = ReadCalendar { resources, window: slot(DAY), words: Words::Owners };
        let views = self.house.desk.read(question).unwrap();
        for hour in 8..17 {
            let periods = views.first().unwrap().periods_in(hours(small(hour), small(hour + 1))).unwrap();
            let left: Vec<Option<u32>> = periods.map(|period| period.units).collect();
            assert_eq!(left, [Some(u32::try_from(self.naive.left(hour)).unwrap())], "at {hour}");
        }
    }
}

#[test]
fn any_sequence_of_acts_agrees_with_an_array_of_counters() {
    for seed in 0..4 {
        let house = House::royal();
        let chairs = counted(&house, "10 chairs");
        let naive = Naive { count: 10, claims: Vec::new() };
        let mut play = Play { house: &house, chairs, naive, now: NOON, dice: seed * 7919 + 41 };
        for _ in 0..60 {
            play.step();
            play.agree();
        }
        house.verified();
    }
}

#[test]
fn a_count_is_text_wherever_it_is_stored() {
    let count: Count = "3 projectors".parse().unwrap();
    assert_eq!(serde_json::to_string(&count).unwrap(), "\"3 projectors\"");
}
