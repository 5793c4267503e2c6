//! Time of resources: cases A1 to A18.

use std::collections::BTreeMap;

use chrono_tz::{Europe, Tz};
use willcall::domain::booking::{Booking, Cause, Details};
use willcall::domain::calendar::{CalendarView, Period, State};
use willcall::domain::ids::BookingId;
use willcall::domain::owner::Owner;
use willcall::domain::refusal::{Alternative, Refusal, WantedCells};
use willcall::domain::resource::{OpenHours, Policy, Resource, ResourceId};
use willcall::domain::time::{Grid, Segment, Slot, Span, TimeError, parse_date, parse_local};
use willcall::engine::Desk;
use willcall::engine::clock::Clock;
use willcall::engine::ops::{
    AddResource, BookSlot, CancelBooking, CloseHorizon, Displace, EnableSlot, HoldSlot, InService, MoveBooking,
    OpenHorizon, OutOfUse, Past, Reach, ReleaseSlot, SlotWanted, TakeOut, Want, Whose,
};
use willcall::engine::reads::alternatives::offer;
use willcall::engine::reads::calendar::{ReadCalendar, ReadCheck, Words};
use willcall::engine::reads::free_time::{ReadCommonSlots, ReadFirstFree, ReadFree};
use willcall::engine::reads::instead::ReadInstead;
use willcall::engine::reads::resources::{Condition, ReadChunks, ResourceFilter};
use willcall::engine::reads::worklist::ReadWorklist;

use super::support::{House, NOON, no};

/// A resource to be added, in UTC and open-ended unless it says otherwise.
pub(crate) fn resource(name: &str, minutes: u32) -> AddResource {
    AddResource {
        name: name.into(),
        kind: "room".into(),
        parent: None,
        grid: Grid { zone: Tz::UTC, segment: Segment::of_minutes(minutes).unwrap() },
        policy: Policy::OpenEnded,
        hours: None,
        before: Span::default(),
        after: Span::default(),
        price: None,
        prices: None,
        count: None,
        properties: BTreeMap::new(),
    }
}

pub(crate) fn add(house: &House, wanted: AddResource) -> ResourceId {
    house.desk.run(wanted).unwrap().id
}

pub(crate) fn room(house: &House, name: &str, minutes: u32) -> ResourceId {
    add(house, resource(name, minutes))
}

/// `2026-12-01 10:05 11:30`, `2026-12-01 22:00 2026-12-02 01:00`, or whole days `2026-12-01 2026-12-03`.
pub(crate) fn slot(text: &str) -> Slot {
    slot_in(text, Tz::UTC)
}

pub(crate) fn slot_in(text: &str, zone: Tz) -> Slot {
    let at = |date: &str, time: &str| parse_local(&format!("{date}T{time}"), zone).unwrap();
    match text.split(' ').collect::<Vec<_>>().as_slice() {
        [day, from, "24:00"] => {
            let next = parse_date(day).unwrap().succ_opt().unwrap().to_string();
            Slot::new(at(day, from), at(&next, "00:00"))
        }
        [day, from, until] => Slot::new(at(day, from), at(day, until)),
        [day, from, last, until] => Slot::new(at(day, from), at(last, until)),
        [from, until] => Slot::new(at(from, "00:00"), at(until, "00:00")),
        _ => panic!("{text:?} is no slot"),
    }
    .unwrap()
}

pub(crate) fn booking(room: &ResourceId, title: &str, slot: Slot) -> BookSlot {
    BookSlot {
        wants: vec![Want::all(vec![room.clone()], slot)],
        details: Details { title: title.into(), ..Details::default() },
        past: Past::Refuse,
    }
}

pub(crate) fn book(house: &House, room: &ResourceId, title: &str, when: &str) -> Booking {
    house.desk.run(booking(room, title, slot(when))).unwrap()
}

fn refuses(house: &House, room: &ResourceId, when: &str) -> Refusal {
    no(&house.desk, booking(room, "another", slot(when)))
}

pub(crate) fn views(desk: &Desk, rooms: &[ResourceId], window: Slot) -> Vec<CalendarView> {
    desk.read(ReadCalendar { resources: rooms.to_vec(), window, words: Words::Titles }).unwrap()
}

pub(crate) fn view(house: &House, room: &ResourceId, window: &str) -> CalendarView {
    views(&house.desk, std::slice::from_ref(room), slot(window)).pop().unwrap()
}

/// `00:00 free, 10:00 Yoga, 11:30 free`: from when it is what.
pub(crate) fn told(view: &CalendarView) -> String {
    let name = |period: &Period| {
        if matches!(period.state, State::Booked | State::Held) {
            period.title.clone()
        } else {
            period.state.word().to_owned()
        }
    };
    view.periods
        .iter()
        .map(|period| {
            let from = period.slot.from().format(Tz::UTC, "%H:%M");
            let mark = if period.is_buffer { "~" } else { "" };
            format!("{from} {mark}{}", name(period))
        })
        .collect::<Vec<_>>()
        .join(", ")
}

fn shows(house: &House, room: &ResourceId, window: &str, expected: &str) {
    assert_eq!(told(&view(house, room, window)), expected);
}

fn disable(house: &House, room: &ResourceId, when: &str) -> TakeOut {
    let when = slot(when);
    let _ = house;
    TakeOut { reason: "leak".into(), ..TakeOut::of(Cause::Disable, vec![room.clone()], when) }
}

fn occupy(room: &ResourceId, cause: Cause, when: &str) -> TakeOut {
    let when = slot(when);
    TakeOut { reason: "service".into(), ..TakeOut::of(cause, vec![room.clone()], when) }
}

fn id_of(out: &OutOfUse) -> BookingId {
    match out {
        OutOfUse::Slot { booking, .. } => booking.id,
        OutOfUse::Marked { mark, .. } => mark.id,
    }
}

const DAY: &str = "2026-12-01 2026-12-02";

fn taken_by(view: &CalendarView, owner: &Owner) -> Vec<Slot> {
    let periods = view.periods.iter();
    let of_owner = periods.filter(|period| period.owner.as_ref() == Some(owner));
    of_owner.map(|period| period.slot).collect()
}

#[test]
fn a1_one_hour_of_a_free_day_is_one_period_and_the_rest_is_free() {
    let house = House::royal();
    let hall = room(&house, "Hall", 15);
    let owner = book(&house, &hall, "O", "2026-12-01 00:00 01:00").owner();
    let view = view(&house, &hall, DAY);
    assert_eq!(taken_by(&view, &owner), [slot("2026-12-01 00:00 01:00")]);
    assert_eq!(view.free(), [slot("2026-12-01 01:00 24:00")]);
    house.verified();
}

#[test]
fn a2_what_is_released_another_may_book_and_nothing_else() {
    let house = House::royal();
    let hall = room(&house, "Hall", 15);
    let first = book(&house, &hall, "O1", DAY);
    let Refusal::Taken { facts, .. } = refuses(&house, &hall, "2026-12-01 00:00 00:15") else {
        panic!("another refusal")
    };
    assert_eq!((facts[0].by.to_string().as_str(), facts[0].state()), ("O1", "booked"));
    shows(&house, &hall, DAY, "00:00 O1");
    let give =
        ReleaseSlot { whose: Whose::Mine, booking: first.id, resource: None, slot: slot("2026-12-01 10:00 11:00") };
    house.desk.run(give).unwrap();
    book(&house, &hall, "O2", "2026-12-01 10:00 11:00");
    shows(&house, &hall, DAY, "00:00 O1, 10:00 O2, 11:00 O1");
    house.verified();
}

#[test]
fn a3_nobody_releases_what_is_not_theirs_and_a_refused_release_frees_nothing() {
    let house = House::royal();
    let hall = room(&house, "Hall", 60);
    let first = book(&house, &hall, "O1", DAY);
    book(&house, &hall, "O2", "2026-12-02 2026-12-03");
    let both =
        ReleaseSlot { whose: Whose::Mine, booking: first.id, resource: None, slot: slot("2026-12-01 2026-12-03") };
    let Refusal::NotYours { facts, .. } = no(&house.desk, both) else { panic!("another refusal") };
    assert_eq!(facts[0].by.to_string(), "O2");
    shows(&house, &hall, "2026-12-01 2026-12-03", "00:00 O1, 00:00 O2");
    house.verified();
}

#[test]
fn a4_a_disable_displaces_by_name_and_only_its_operator_enables() {
    let house = House::royal();
    let hall = room(&house, "Hall", 30);
    let yoga = book(&house, &hall, "Yoga", "2026-12-01 10:00 12:00");
    let out = house.desk.run(disable(&house, &hall, "2026-12-01 11:00 13:00")).unwrap();
    assert_eq!(out.displaced().len(), 1);
    let work = house.desk.read(ReadWorklist).unwrap();
    assert_eq!(
        (work[0].owner.as_str(), work[0].title.as_str(), work[0].seats.as_slice()),
        ("Yoga", "Hall", ["Tue 1 Dec 11:00-12:00".to_owned()].as_slice())
    );
    shows(&house, &hall, DAY, "00:00 free, 10:00 Yoga, 11:00 disabled, 13:00 free");
    let Refusal::Taken { facts, .. } = refuses(&house, &hall, "2026-12-01 12:00 13:00") else {
        panic!("who disabled books there as little as anybody")
    };
    assert_eq!(facts[0].state(), "disabled");
    let ben = house.at("till-2");
    let id = id_of(&out);
    let enable = |whose| EnableSlot { id, whose };
    assert!(matches!(no(&ben, enable(Whose::Mine)), Refusal::DisabledByAnother { .. }));
    assert!(matches!(no(&ben, disable(&house, &hall, "2026-12-01 11:00 13:00")), Refusal::DisabledByAnother { .. }));
    house.verified();
    house.desk.run(enable(Whose::Mine)).unwrap();
    shows(&house, &hall, DAY, "00:00 free, 10:00 Yoga, 11:00 free");
    // the displaced get other time, and are off the worklist
    let to = MoveBooking {
        whose: Whose::Mine,
        booking: yoga.id,
        from: None,
        to: None,
        part: None,
        slot: slot("2026-12-01 14:00 16:00"),
        reach: Reach::This,
        past: Past::Refuse,
    };
    house.desk.run(to).unwrap();
    shows(&house, &hall, DAY, "00:00 free, 14:00 Yoga, 16:00 free");
    assert!(house.desk.read(ReadWorklist).unwrap().is_empty());
    house.verified();
}

#[test]
fn a5_maintenance_and_relocation_ask_first() {
    let house = House::royal();
    let car = room(&house, "Car", 60);
    for cause in [Cause::Maintenance, Cause::Relocation, Cause::Other("cleaning".into())] {
        let yoga = book(&house, &car, "Yoga", "2026-12-01 10:00 12:00");
        let Refusal::Taken { facts, .. } = no(&house.desk, occupy(&car, cause.clone(), "2026-12-01 11:00 13:00"))
        else {
            panic!("another refusal")
        };
        assert_eq!(facts[0].by.to_string(), "Yoga");
        let cancel = CancelBooking { whose: Whose::Mine, booking: yoga.id, reach: Reach::This };
        house.desk.run(cancel).unwrap();
        let out = house.desk.run(occupy(&car, cause, "2026-12-01 11:00 13:00")).unwrap();
        assert!(matches!(refuses(&house, &car, "2026-12-01 12:00 14:00"), Refusal::Taken { .. }));
        let enable = EnableSlot { id: id_of(&out), whose: Whose::Mine };
        house.desk.run(enable).unwrap();
    }
    house.verified();
}

fn hotel(house: &House, rooms: u32, until: &str) -> (ResourceId, Vec<ResourceId>) {
    let night = |name: &str, kind: &str| AddResource {
        kind: kind.into(),
        policy: Policy::Preallocated { horizon: None, roll_days: None },
        ..resource(name, 1440)
    };
    let hotel = add(house, night("hotel_1", "hotel"));
    let rooms = (0..rooms)
        .map(|number| {
            let guests = (number + 1).to_string();
            add(
                house,
                AddResource {
                    parent: Some(hotel.clone()),
                    properties: [("guests".to_owned(), guests)].into(),
                    ..night(&format!("room_{number}"), "hotel-room")
                },
            )
        })
        .collect();
    house.desk.run(OpenHorizon { resource: hotel.clone(), until: parse_date(until).unwrap() }).unwrap();
    (hotel, rooms)
}

#[test]
fn a6_what_is_not_open_is_refused_as_such_also_for_the_last_night_only() {
    let house = House::royal();
    let (hotel, rooms) = hotel(&house, 2, "2026-12-05");
    let room = &rooms[0];
    book(&house, room, "Ruiz", "2026-12-01 2026-12-03");
    let Refusal::NotOpen { resource, horizon, .. } = refuses(&house, room, "2026-12-03 2026-12-06") else {
        panic!("another refusal")
    };
    assert_eq!((resource.as_str(), horizon), ("room_0", parse_date("2026-12-05").ok()));
    let view = view(&house, room, "2026-12-01 2026-12-08");
    let states: Vec<State> = view.periods.iter().map(|period| period.state).collect();
    assert_eq!(states, [State::Booked, State::Free, State::NotOpen], "all or nothing");
    let shut = view.periods.last().unwrap();
    assert_eq!(shut.whole, shut.slot, "of several nights, not the first");
    // closing asks first; what is closed is not open
    let close = |from: &str| CloseHorizon { resource: hotel.clone(), from: parse_date(from).unwrap() };
    assert!(matches!(no(&house.desk, close("2026-12-02")), Refusal::Taken { .. }));
    house.desk.run(close("2026-12-03")).unwrap();
    assert!(matches!(refuses(&house, room, "2026-12-03 2026-12-04"), Refusal::NotOpen { .. }));
    house.verified();
    let open = OpenHorizon { resource: hotel.clone(), until: parse_date("2026-12-10").unwrap() };
    house.desk.run(open).unwrap();
    book(&house, room, "Weber", "2026-12-03 2026-12-10");
    house.verified();
}

#[test]
fn a7_slots_go_outward_to_the_grid_and_of_two_that_overlap_by_five_minutes_one_is_booked() {
    let house = House::royal();
    for (number, (minutes, wanted, taken)) in [
        (30, "2026-12-01 10:05 11:30", "2026-12-01 10:00 11:30"),
        (30, "2026-12-01 11:25 12:11", "2026-12-01 11:00 12:30"),
        (30, "2026-12-01 10:35 11:30", "2026-12-01 10:30 11:30"),
        (15, "2026-12-01 10:20 10:25", "2026-12-01 10:15 10:30"),
        (90, "2026-12-01 00:10 01:00", "2026-12-01 00:00 01:30"),
        (90, "2026-12-01 01:10 02:00", "2026-12-01 00:00 03:00"),
        (45, "2026-12-01 00:50 01:40", "2026-12-01 00:45 02:15"),
        (240, "2026-12-01 05:00 08:00", "2026-12-01 04:00 08:00"),
        (15, "2026-12-01 23:50 2026-12-02 00:10", "2026-12-01 23:45 2026-12-02 00:15"),
    ]
    .into_iter()
    .enumerate()
    {
        let room = room(&house, &format!("Room {number}"), minutes);
        let booked = book(&house, &room, "X", wanted);
        assert_eq!(booked.taken[0].core, slot(taken), "{wanted}");
        assert_eq!(booked.taken[0].wanted, slot(wanted), "both are kept");
    }
    let noon = slot(DAY).from();
    assert_eq!(Slot::new(noon, noon), Err(TimeError::EmptySlot));
    let meeting = room(&house, "Meeting", 30);
    book(&house, &meeting, "A", "2026-12-01 10:05 11:30");
    let Refusal::Taken { facts, .. } = refuses(&house, &meeting, "2026-12-01 11:25 12:11") else {
        panic!("another refusal")
    };
    let at = facts[0].slot().unwrap();
    let shared = Slot::new(at.from, at.until).unwrap();
    assert_eq!(shared, slot("2026-12-01 11:00 11:30"));
    house.verified();
}

#[test]
fn a8_a_booking_over_midnight_is_one_period_and_a_view_knows_its_bounds() {
    let house = House::royal();
    let hall = room(&house, "Hall", 15);
    let late = book(&house, &hall, "Late", "2026-12-01 23:00 2026-12-02 01:00");
    let view = view(&house, &hall, "2026-12-01 2026-12-03");
    assert_eq!(told(&view), "00:00 free, 23:00 Late, 01:00 free");
    let chunks = ReadChunks {
        resource: hall.clone(),
        from: parse_date("2026-12-01").unwrap(),
        until: parse_date("2026-12-05").unwrap(),
    };
    let keys = |house: &House| -> Vec<(String, u32)> {
        let rows = house.desk.read(chunks.clone()).unwrap();
        rows.into_iter().map(|row| (row.key, row.chunk.free)).collect()
    };
    assert_eq!(keys(&house), [("hall_2026_12_01".into(), 92), ("hall_2026_12_02".into(), 92)]);
    let first = self::view(&house, &hall, DAY);
    assert!(first.periods.last().unwrap().until_after, "it goes on");
    assert!(first.is_free(slot("2026-12-02 00:00 01:00")).is_err(), "a bounds error");
    assert_eq!(first.is_free(slot("2026-12-01 10:00 12:00")), Ok(true));
    let cancel = CancelBooking { whose: Whose::Mine, booking: late.id, reach: Reach::This };
    house.desk.run(cancel.clone()).unwrap();
    house.desk.run(cancel).unwrap();
    shows(&house, &hall, "2026-12-01 2026-12-03", "00:00 free");
    assert_eq!(keys(&house).len(), 2, "chunks are emptied, never deleted");
    house.verified();
}

#[test]
fn days_of_a_resource_whose_name_reads_like_a_month_of_another_stay_its_own() {
    let house = House::royal();
    let hotel = room(&house, "hotel", 15);
    let month = room(&house, "hotel_2026_12", 15);
    book(&house, &hotel, "Hotel", "2026-12-30 10:00 11:00");
    book(&house, &month, "Month", "2027-01-01 10:00 11:00");
    for (resource, expected) in [(&hotel, ["hotel_2026_12_30"]), (&month, ["hotel_2026_12_2027_01_01"])] {
        let chunks = ReadChunks {
            resource: resource.clone(),
            from: parse_date("2026-12-01").unwrap(),
            until: parse_date("2027-02-01").unwrap(),
        };
        let rows = house.desk.read(chunks).unwrap();
        let keys: Vec<String> = rows.into_iter().map(|row| row.key).collect();
        assert_eq!(keys, expected);
    }
    let both =
        ReadCalendar { resources: vec![hotel, month], window: slot("2026-12-01 2027-02-01"), words: Words::Titles };
    let views = house.desk.read(both).unwrap();
    let told: Vec<String> = views.iter().map(told).collect();
    assert_eq!(told, ["00:00 free, 10:00 Hotel, 11:00 free", "00:00 free, 10:00 Month, 11:00 free"]);
    house.verified();
}

#[test]
fn a9_the_january_of_apartment_x_reads_as_seven_periods() {
    let house = House::royal();
    let flat = room(&house, "Apartment X", 240);
    for when in ["2027-01-03 12:00 16:00", "2027-01-07 12:00 16:00", "2027-01-13 12:00 16:00"] {
        house.desk.run(occupy(&flat, Cause::Maintenance, when)).unwrap();
    }
    let john = book(&house, &flat, "John Smith", "2027-01-03 16:00 2027-01-07 12:00");
    book(&house, &flat, "Alice Johnson", "2027-01-07 16:00 2027-01-13 12:00");
    let view = view(&house, &flat, "2027-01-01 2027-02-01");
    let periods: Vec<(String, State)> =
        view.periods.iter().map(|period| (period.slot.from().format(Tz::UTC, "%-d %H:%M"), period.state)).collect();
    let (free, booked, care) = (State::Free, State::Booked, State::Maintenance);
    assert_eq!(
        periods,
        [
            ("1 00:00".into(), free),
            ("3 12:00".into(), care),
            ("3 16:00".into(), booked),
            ("7 12:00".into(), care),
            ("7 16:00".into(), booked),
            ("13 12:00".into(), care),
            ("13 16:00".into(), free),
        ]
    );
    let joined = view.periods.windows(2).all(|pair| pair[0].slot.until() == pair[1].slot.from());
    assert!(joined, "without holes");
    assert_eq!(taken_by(&view, &john.owner()).len(), 1);
    let nobody = Owner::Booking(willcall::domain::owner::Use::Booking, BookingId::random());
    assert!(taken_by(&view, &nobody).is_empty());
    house.verified();
}

#[test]
fn a10_any_of_three_rooms_gives_three_owners_three_rooms_and_the_fourth_none() {
    let house = House::royal();
    let rooms: Vec<ResourceId> = (1..=3).map(|n| room(&house, &format!("Room {n}"), 60)).collect();
    let any = |title: &str| BookSlot {
        wants: vec![Want { of: rooms.clone(), any: Some(1), slot: slot(DAY) }],
        ..booking(&rooms[0], title, slot(DAY))
    };
    // a room with one free segment is not free for the day
    book(&house, &rooms[1], "busy", "2026-12-02 2026-12-03");
    let mut taken: Vec<ResourceId> =
        ["O1", "O2", "O3"].iter().map(|title| house.desk.run(any(title)).unwrap().taken[0].resource.clone()).collect();
    taken.sort();
    taken.dedup();
    assert_eq!(taken.len(), 3);
    let Refusal::Taken { wanted: WantedCells::AnyOf { count, free }, facts, .. } = no(&house.desk, any("O4")) else {
        panic!("another refusal")
    };
    assert_eq!((count, free.len(), facts.len()), (1, 0, 3));
    house.verified();
}

#[test]
fn a10_two_of_three_are_taken_together_or_not_at_all() {
    let house = House::royal();
    let rooms: Vec<ResourceId> = (1..=3).map(|n| room(&house, &format!("Room {n}"), 60)).collect();
    book(&house, &rooms[0], "busy", "2026-12-01 12:00 13:00");
    let two = BookSlot {
        wants: vec![Want { of: rooms.clone(), any: Some(2), slot: slot(DAY) }],
        ..booking(&rooms[0], "pair", slot(DAY))
    };
    let taken = house.desk.run(two.clone()).unwrap().taken;
    assert_eq!(taken.iter().map(|one| &one.resource).collect::<Vec<_>>(), [&rooms[1], &rooms[2]]);
    assert!(matches!(no(&house.desk, two), Refusal::Taken { .. }));
    house.verified();
}

#[test]
fn a11_which_rooms_are_free_for_a_stay_is_answered_with_one_filter() {
    let house = House::royal();
    let (hotel, rooms) = hotel(&house, 10, "2027-11-21");
    let first = parse_date("2026-11-21").unwrap();
    for (number, room) in rooms.iter().enumerate() {
        for night in (0..365).step_by(25) {
            // room i's bookings are shifted by i nights
            let from = first + chrono::Days::new(night + u64::try_from(number).unwrap());
            if from >= parse_date("2027-11-21").unwrap() {
                continue;
            }
            let stay = slot(&format!("{from} {}", from.succ_opt().unwrap()));
            house.desk.run(booking(room, "guest", stay)).unwrap();
        }
    }
    let free = |from: &str, until: &str| -> Vec<String> {
        let question = ReadFree {
            count: None,
            filter: ResourceFilter {
                kind: Some("hotel-room".into()),
                within: Some(hotel.clone()),
                ..ResourceFilter::default()
            },
            window: slot(&format!("{from} {until}")),
            span: None,
        };
        let found = house.desk.read(question).unwrap();
        found.into_iter().map(|one| one.resource.name).collect()
    };
    let all_but =
        |gone: usize| -> Vec<String> { (0..10).filter(|n| *n != gone).map(|n| format!("room_{n}")).collect() };
    for number in 0..10_u64 {
        let night = first + chrono::Days::new(25 + number);
        let next = night.succ_opt().unwrap();
        assert_eq!(free(&night.to_string(), &next.to_string()), all_but(usize::try_from(number).unwrap()));
    }
    assert_eq!(free("2026-12-31", "2027-01-01").len(), 10, "31 December exists");
    let suites = ReadFree {
        count: None,
        filter: ResourceFilter {
            within: Some(hotel.clone()),
            properties: vec![Condition::parse("guests>=9").unwrap()],
            ..ResourceFilter::default()
        },
        window: slot("2026-12-31 2027-01-01"),
        span: None,
    };
    assert_eq!(house.desk.read(suites).unwrap().len(), 2);
    book(&house, &rooms[0], "stay", "2027-01-01 2027-01-04");
    assert_eq!(free("2027-01-02", "2027-01-03").len(), 9, "a stay blocks its second night");
    assert_eq!(free("2027-01-04", "2027-01-05").len(), 10, "and not the day of departure");
    house.verified();
}

#[test]
fn a12_days_have_as_many_hours_as_they_have() {
    let house = House::royal();
    let berlin = |minutes| AddResource {
        grid: Grid { zone: Europe::Berlin, segment: Segment::of_minutes(minutes).unwrap() },
        ..resource(&format!("Berlin {minutes}"), 15)
    };
    let studio = add(&house, berlin(15));
    let wide = add(&house, berlin(240));
    let bed = add(&house, berlin(1440));
    let in_berlin = |text: &str| slot_in(text, Europe::Berlin);
    let day = |room: &ResourceId, text: &str| {
        let booked = house.desk.run(booking(room, "day", in_berlin(text))).unwrap();
        let cells: Resource =
            house.desk.read(willcall::engine::reads::resources::ReadResource(room.to_string())).unwrap();
        cells.grid.segments(booked.taken[0].core)
    };
    assert_eq!(day(&studio, "2027-10-31 2027-11-01"), 100);
    assert_eq!(day(&studio, "2027-03-28 2027-03-29"), 92);
    assert_eq!(day(&wide, "2027-10-31 2027-11-01"), 7);
    assert_eq!(day(&bed, "2027-10-31 2027-11-01"), 1, "a night is a night");
    assert!(matches!(parse_local("2027-03-28T02:30", Europe::Berlin), Err(TimeError::Gap { .. })));
    let fold = parse_local("2027-10-31T02:30", Europe::Berlin);
    assert!(matches!(fold, Err(TimeError::Fold { .. })));
    let chosen = |text: &str| parse_local(text, Europe::Berlin).unwrap();
    let first = chosen("2027-10-31T02:30+02:00");
    let second = chosen("2027-10-31T02:30+01:00");
    assert_eq!(second.since(first), Span::minutes(60));
    house.verified();
}

#[test]
fn a13_two_bookings_of_one_customer_are_two_owners() {
    let house = House::royal();
    let hall = room(&house, "Hall", 60);
    let first = book(&house, &hall, "Ruiz", "2026-12-01 10:00 11:00");
    book(&house, &hall, "Ruiz", "2026-12-01 11:00 12:00");
    assert_eq!(view(&house, &hall, DAY).periods.len(), 4, "two owners are two periods");
    let cancel = CancelBooking { whose: Whose::Mine, booking: first.id, reach: Reach::This };
    house.desk.run(cancel).unwrap();
    shows(&house, &hall, DAY, "00:00 free, 11:00 Ruiz, 12:00 free");
    house.verified();
}

fn divisible(house: &House) -> (ResourceId, ResourceId, ResourceId) {
    let hall = room(house, "Hall", 60);
    let wing = |name: &str| AddResource { parent: Some(hall.clone()), ..resource(name, 60) };
    let (left, right) = (add(house, wing("Left")), add(house, wing("Right")));
    (hall, left, right)
}

#[test]
fn a14_the_hall_blocks_its_halves_and_a_half_the_hall() {
    let house = House::royal();
    let (hall, left, right) = divisible(&house);
    book(&house, &hall, "Gala", "2026-12-01 10:00 12:00");
    for half in [&left, &right] {
        assert!(matches!(refuses(&house, half, "2026-12-01 11:00 13:00"), Refusal::Taken { .. }));
        shows(&house, half, DAY, "00:00 free, 10:00 Gala, 12:00 free");
    }
    book(&house, &left, "Yoga", "2026-12-01 14:00 15:00");
    let Refusal::Taken { facts, .. } = refuses(&house, &hall, "2026-12-01 13:00 15:00") else {
        panic!("another refusal")
    };
    assert_eq!((facts[0].slot().unwrap().resource.as_str(), facts[0].by.to_string().as_str()), ("Left", "Yoga"));
    shows(&house, &right, DAY, "00:00 free, 10:00 Gala, 12:00 free");
    shows(&house, &hall, DAY, "00:00 free, 10:00 Gala, 12:00 free, 14:00 Yoga, 15:00 free");
    let other_grid = AddResource { parent: Some(hall.clone()), ..resource("Corner", 30) };
    assert!(matches!(no(&house.desk, other_grid), Refusal::BadValue { .. }));
    let twice = BookSlot {
        wants: vec![Want::all(vec![hall, left], slot("2026-12-05 10:00 11:00"))],
        ..booking(&right, "twice", slot(DAY))
    };
    assert!(matches!(no(&house.desk, twice), Refusal::RepeatedResource { .. }));
    house.verified();
}

#[test]
fn a15_the_keys_of_a_range_follow_from_the_resource_and_its_days() {
    let house = House::royal();
    let seven = room(&house, "Room 7", 60);
    assert_eq!(seven.to_string(), "room-7");
    let empty = ReadChunks {
        resource: seven.clone(),
        from: parse_date("2026-12-30").unwrap(),
        until: parse_date("2027-01-03").unwrap(),
    };
    assert!(house.desk.read(empty.clone()).unwrap().is_empty(), "a free day has no document");
    book(&house, &seven, "New Year", "2026-12-31 23:00 2027-01-01 02:00");
    let keys: Vec<String> = house.desk.read(empty).unwrap().into_iter().map(|row| row.key).collect();
    assert_eq!(keys, ["room-7_2026_12_31", "room-7_2027_01_01"]);
    house.verified();
}

#[test]
fn a16_out_of_service_asks_first_and_only_its_operator_puts_it_back() {
    let house = House::royal();
    let car = room(&house, "Car", 60);
    book(&house, &car, "Ruiz", "2026-12-01 10:00 12:00");
    let out = |displace| TakeOut {
        resources: vec![car.clone()],
        count: None,
        from: None,
        until: None,
        cause: Cause::OutOfService,
        reason: "clutch".into(),
        displace,
        past: Past::Refuse,
    };
    let Refusal::Taken { facts, .. } = no(&house.desk, out(Displace::Ask)) else { panic!("another refusal") };
    assert_eq!(facts[0].by.to_string(), "Ruiz");
    let done = house.desk.run(out(Displace::Take)).unwrap();
    assert_eq!(done.displaced().len(), 1);
    assert_eq!(house.desk.read(ReadWorklist).unwrap()[0].owner, "Ruiz");
    assert!(matches!(refuses(&house, &car, "2028-12-01 10:00 12:00"), Refusal::OutOfService { .. }));
    shows(&house, &car, DAY, "00:00 out_of_service");
    house.verified();
    let back = |whose| InService { resource: car.clone(), whose };
    let ben = house.at("till-2");
    assert!(matches!(no(&ben, back(Whose::Mine)), Refusal::DisabledByAnother { .. }));
    ben.run(back(Whose::Anybody)).unwrap();
    shows(&house, &car, DAY, "00:00 free");
    // maintenance without an end is the same, until it is released
    let care = TakeOut { until: None, ..occupy(&car, Cause::Maintenance, "2026-12-03 10:00 12:00") };
    let marked = house.desk.run(care).unwrap();
    shows(&house, &car, "2026-12-03 2026-12-04", "00:00 free, 10:00 maintenance");
    book(&house, &car, "before", "2026-12-03 08:00 10:00");
    assert!(matches!(refuses(&house, &car, "2026-12-03 09:00 11:00"), Refusal::OutOfService { .. }));
    let enable = EnableSlot { id: id_of(&marked), whose: Whose::Mine };
    assert!(matches!(no(&ben, enable.clone()), Refusal::DisabledByAnother { .. }));
    house.desk.run(enable).unwrap();
    book(&house, &car, "after", "2026-12-03 10:00 12:00");
    house.verified();
}

#[test]
fn what_is_needed_before_and_after_is_taken_and_told_apart() {
    let house = House::royal();
    let stage =
        add(&house, AddResource { before: Span::minutes(60), after: Span::minutes(20), ..resource("Stage", 30) });
    book(&house, &stage, "Jazz", "2026-12-01 10:05 12:00");
    shows(&house, &stage, DAY, "00:00 free, 09:00 ~Jazz, 10:00 Jazz, 12:00 ~Jazz, 12:30 free");
    assert!(matches!(refuses(&house, &stage, "2026-12-01 13:00 14:00"), Refusal::Taken { .. }));
    book(&house, &stage, "Folk", "2026-12-01 13:30 14:00");
    let check =
        house.desk.read(ReadCheck { resource: stage.clone(), wanted: slot("2026-12-01 14:30 15:00"), count: None });
    assert!(!check.unwrap().free, "it would need 13:30 on");
    house.verified();
}

#[test]
fn opening_hours_close_a_room_to_bookings_only() {
    let house = House::royal();
    let bar = add(&house, AddResource { hours: OpenHours::parse("18:00-02:00").ok(), ..resource("Bar", 60) });
    shows(&house, &bar, DAY, "00:00 free, 02:00 closed, 18:00 free");
    assert!(matches!(refuses(&house, &bar, "2026-12-01 17:00 19:00"), Refusal::OutsideHours { .. }));
    book(&house, &bar, "Party", "2026-12-01 22:00 2026-12-02 02:00");
    house.desk.run(occupy(&bar, Cause::Other("cleaning".into()), "2026-12-01 10:00 12:00")).unwrap();
    house.verified();
}

#[test]
fn the_past_is_refused_unless_it_is_written_down() {
    let house = House::royal();
    let hall = room(&house, "Hall", 60);
    assert!(matches!(refuses(&house, &hall, "2026-11-20 10:00 12:00"), Refusal::InThePast { .. }));
    let happened = BookSlot { past: Past::Record, ..booking(&hall, "was", slot("2026-11-20 10:00 12:00")) };
    house.desk.run(happened).unwrap();
    // the clock says noon and twenty minutes: the hour that runs can be booked, none before it
    house.pass(Span::minutes(20));
    assert!(matches!(refuses(&house, &hall, "2026-11-21 11:59 14:00"), Refusal::InThePast { .. }));
    let now = book(&house, &hall, "Walk-in", "2026-11-21 12:00 14:00");
    let cart = no(
        &house.desk,
        HoldSlot {
            cart: None,
            wants: vec![SlotWanted { count: None, resource: hall.clone(), slot: slot("2026-11-21 11:00 12:10") }],
            past: Past::Refuse,
        },
    );
    assert!(matches!(cart, Refusal::InThePast { .. }), "{cart:?}");
    let since = no(
        &house.desk,
        TakeOut {
            resources: vec![hall.clone()],
            count: None,
            from: Some(slot("2026-11-20 10:00 12:00").from()),
            until: None,
            cause: Cause::OutOfService,
            reason: String::new(),
            displace: Displace::Take,
            past: Past::Refuse,
        },
    );
    assert!(matches!(since, Refusal::InThePast { .. }), "{since:?}");
    // what runs can become longer, and nothing goes back to before it began
    house.pass(Span::minutes(90));
    let moved = |to: &str| MoveBooking {
        whose: Whose::Mine,
        booking: now.id,
        from: None,
        to: None,
        part: None,
        slot: slot(to),
        reach: Reach::This,
        past: Past::Refuse,
    };
    let back = no(&house.desk, moved("2026-11-21 11:00 16:00"));
    assert!(matches!(back, Refusal::InThePast { .. }), "{back:?}");
    house.desk.run(moved("2026-11-21 12:00 16:00")).unwrap();
    house.verified();
}

/// What is offered instead of a slot: `Room 2 10:00-12:00, ...`.
fn instead(house: &House, rooms: &[ResourceId], when: &str) -> String {
    let book = BookSlot {
        wants: vec![Want::all(rooms.to_vec(), slot(when))],
        details: Details::default(),
        past: Past::Refuse,
    };
    let refusal = offer(&house.desk, no(&house.desk, book), ReadInstead::of(rooms, slot(when)));
    let Refusal::Taken { instead, .. } = refusal else { panic!("{refusal:?}") };
    let told = |free: &Alternative| {
        let at = free.slot().unwrap();
        let slot = Slot::new(at.from, at.until).unwrap();
        format!("{} {}", at.resource, slot.words(at.wall(), NOON))
    };
    instead.iter().map(told).collect::<Vec<_>>().join(", ")
}

#[test]
fn time_that_is_taken_is_refused_with_the_same_time_elsewhere_and_the_next_times() {
    let house = House::royal();
    let with = |name: &str, guests: u32| AddResource {
        properties: [("guests".to_owned(), guests.to_string())].into(),
        hours: OpenHours::parse("08:00-20:00").ok(),
        ..resource(name, 30)
    };
    let rooms: Vec<ResourceId> = [("Blue", 4), ("Red", 12), ("Green", 6), ("Tiny", 2)]
        .into_iter()
        .map(|(name, guests)| add(&house, with(name, guests)))
        .collect();
    book(&house, &rooms[0], "Yoga", "2026-12-01 10:00 12:00");
    book(&house, &rooms[0], "Choir", "2026-12-01 12:30 19:30");
    let offered = instead(&house, &rooms[..1], "2026-12-01 10:05 11:30");
    assert_eq!(
        offered,
        "Green Tue 1 Dec 10:00-11:30, Red Tue 1 Dec 10:00-11:30, \
         Blue Wed 2 Dec 08:00-09:30, Blue Thu 3 Dec 08:00-09:30"
    );
    // of several that are wanted together: another for the one that is taken, and when all are free
    book(&house, &rooms[2], "Tea", "2026-12-02 08:30 09:30");
    let offered = instead(&house, &[rooms[0].clone(), rooms[2].clone()], "2026-12-01 11:00 12:00");
    assert_eq!(
        offered,
        "Red Tue 1 Dec 11:00-12:00, Tiny Tue 1 Dec 11:00-12:00, \
         Blue and Green Wed 2 Dec 09:30-10:30, Blue and Green Thu 3 Dec 08:00-09:00"
    );
    house.verified();
}

#[test]
fn a_stay_is_offered_other_rooms_and_the_next_nights() {
    let house = House::royal();
    let night = |name: &str| AddResource { kind: "hotel-room".into(), ..resource(name, 24 * 60) };
    let rooms: Vec<ResourceId> =
        ["room 1", "room 2", "room 3"].into_iter().map(|name| add(&house, night(name))).collect();
    book(&house, &rooms[0], "Guest", "2026-12-01 2026-12-03");
    book(&house, &rooms[1], "Guest", "2026-12-02 2026-12-03");
    let offered = instead(&house, &rooms[..1], "2026-12-01 2026-12-03");
    assert_eq!(offered, "room 3 2 nights in Tue 1 Dec out Thu 3 Dec, room 1 2 nights in Thu 3 Dec out Sat 5 Dec");
    house.verified();
}

#[test]
fn a_stay_offered_over_a_clock_change_keeps_its_number_of_nights() {
    let house = House::royal();
    let night = AddResource {
        kind: "hotel-room".into(),
        grid: Grid { zone: Europe::London, segment: Segment::of_minutes(24 * 60).unwrap() },
        ..resource("room 1", 24 * 60)
    };
    let room = add(&house, night);
    let stay = |text: &str| slot_in(text, Europe::London);
    let taken = stay("2027-03-27 2027-03-29");
    house.desk.run(booking(&room, "Guest", taken)).unwrap();
    // Sunday 28 March 2027 has 23 hours; the next nights have 24
    let offered = house.desk.read(ReadInstead::of(&[room], taken)).unwrap();
    let first = offered.first().and_then(Alternative::slot);
    let first = first.map(|at| (at.from, at.until));
    let next = stay("2027-03-29 2027-03-31");
    assert_eq!(first, Some((next.from(), next.until())));
}

#[test]
fn a_stay_is_offered_after_a_booking_of_forty_nights() {
    let house = House::royal();
    let night = AddResource { kind: "hotel-room".into(), ..resource("room 1", 24 * 60) };
    let room = add(&house, night);
    book(&house, &room, "Guest", "2026-12-01 2027-01-10");
    assert_eq!(
        instead(&house, &[room], "2026-12-01 2026-12-03"),
        "room 1 2 nights in Sun 10 Jan 2027 out Tue 12 Jan 2027"
    );
}

#[test]
fn free_time_is_found_in_one_in_all_and_in_any() {
    let house = House::royal();
    let rooms: Vec<ResourceId> = (1..=2).map(|n| room(&house, &format!("Room {n}"), 30)).collect();
    book(&house, &rooms[0], "A", "2026-12-01 08:00 12:00");
    book(&house, &rooms[1], "B", "2026-12-01 11:00 14:00");
    let window = slot("2026-12-01 08:00 18:00");
    let first = ReadFirstFree { resources: rooms.clone(), span: Span::minutes(120), window };
    let found = house.desk.read(first).unwrap().unwrap();
    assert_eq!((&found.resource, found.slot), (&rooms[1], slot("2026-12-01 08:00 10:00")));
    let common = ReadCommonSlots { resources: rooms.clone(), span: Span::minutes(120), window };
    assert_eq!(house.desk.read(common).unwrap(), [slot("2026-12-01 14:00 18:00")]);
    let all_day = ReadFree {
        count: None,
        filter: ResourceFilter { kind: Some("room".into()), ..ResourceFilter::default() },
        window: slot("2026-12-01 09:00 11:00"),
        span: None,
    };
    let names: Vec<String> = house.desk.read(all_day).unwrap().into_iter().map(|one| one.resource.name).collect();
    assert_eq!(names, ["Room 2"]);
}

/// Found free in a window, as `find` tells it.
fn found(house: &House, kind: &str, (window, span): (&str, Option<i64>)) -> Vec<Slot> {
    let read = ReadFree {
        count: None,
        filter: ResourceFilter { kind: Some(kind.into()), ..ResourceFilter::default() },
        window: slot(window),
        span: span.map(Span::minutes),
    };
    let found = house.desk.read(read).unwrap();
    found.into_iter().flat_map(|one| one.slots).collect()
}

#[test]
fn what_is_free_goes_up_to_the_last_minute_that_is_granted() {
    let house = House::royal();
    let studio = AddResource {
        kind: "studio".into(),
        hours: OpenHours::parse("08:15-22:00").ok(),
        before: Span::minutes(60),
        after: Span::minutes(60),
        ..resource("Studio", 30)
    };
    let studio = add(&house, studio);
    // what is needed before and after may lie outside the opening hours, and a segment may reach beyond them
    let day = "2026-12-02 08:15 22:00";
    assert_eq!(found(&house, "studio", (day, None)), [slot(day)]);
    let all = "2026-12-02 00:00 24:00";
    assert_eq!(found(&house, "studio", (all, Some(60))), [slot(day)]);
    book(&house, &studio, "all day", day);
    // what is needed after a stay ends with its last day
    let cabin = AddResource { kind: "cabin".into(), after: Span::minutes(4 * 60), ..resource("Cabin", 24 * 60) };
    let cabin = add(&house, cabin);
    book(&house, &cabin, "later", "2026-12-04 2026-12-06");
    let nights = "2026-12-01 2026-12-04";
    let week = found(&house, "cabin", ("2026-12-01 2026-12-08", Some(24 * 60)));
    assert_eq!(week.first(), Some(&slot(nights)));
    book(&house, &cabin, "before it", nights);
    // the segment that runs can still be booked
    let van = AddResource { kind: "van".into(), ..resource("Van", 60) };
    let van = add(&house, van);
    house.pass(Span::minutes(20));
    let now = house.clock.now();
    let hour = Slot::new(now - Span::minutes(20), now + Span::minutes(40)).unwrap();
    let first = ReadFirstFree { resources: vec![van.clone()], span: hour.span(), window: hour };
    let first = house.desk.read(first).unwrap().unwrap();
    assert_eq!(first.slot, hour);
    house.desk.run(booking(&van, "at once", hour)).unwrap();
    house.verified();
}

/// Elsewhere is looked for only what is taken of several that were wanted.
#[test]
fn what_is_free_of_several_resources_is_offered_nowhere_else() {
    let house = House::royal();
    let of = |name: &str, kind: &str| {
        let kind = kind.into();
        let wanted = AddResource { kind, ..resource(name, 30) };
        add(&house, wanted)
    };
    let [hall, _, van, _] =
        [("Hall", "hall"), ("Barn", "hall"), ("Van", "van"), ("Bus", "van")].map(|(name, kind)| of(name, kind));
    let when = slot("2026-12-01 10:00 12:00");
    house.desk.run(booking(&van, "taken", when)).unwrap();
    let instead = ReadInstead::of(&[hall, van], when);
    let offered = house.desk.read(instead).unwrap();
    let names: Vec<&str> = offered.iter().map(|one| one.slot().unwrap().resource.as_str()).collect();
    assert_eq!(names.first(), Some(&"Bus"));
    assert!(!names.contains(&"Barn"), "{names:?}");
}

#[test]
fn a_show_night_is_one_act_over_many_resources() {
    let house = House::royal();
    let (_, beds) = hotel(&house, 3, "2027-01-01");
    let stage = room(&house, "Stage", 30);
    let van = room(&house, "Van", 60);
    let night = |title: &str| BookSlot {
        wants: vec![
            Want::all(vec![stage.clone()], slot("2026-12-01 14:00 23:30")),
            Want { of: beds.clone(), any: Some(2), slot: slot("2026-12-01 2026-12-02") },
            Want::all(vec![van.clone()], slot("2026-12-01 12:00 14:00")),
        ],
        ..booking(&stage, title, slot(DAY))
    };
    let booked = house.desk.run(night("Show")).unwrap();
    assert_eq!(booked.taken.len(), 4);
    let second = BookSlot { wants: night("x").wants.into_iter().skip(1).collect(), ..night("Other show") };
    assert!(matches!(no(&house.desk, second), Refusal::Taken { .. }));
    shows(&house, &beds[2], "2026-12-01 2026-12-02", "00:00 free");
    let cancel = CancelBooking { whose: Whose::Mine, booking: booked.id, reach: Reach::This };
    house.desk.run(cancel).unwrap();
    house.desk.run(night("Other show")).unwrap();
    house.verified();
}

#[test]
fn a_part_of_a_booking_moves_and_what_it_leaves_is_free() {
    let house = House::royal();
    let rooms: Vec<ResourceId> = (1..=2).map(|n| room(&house, &format!("Room {n}"), 60)).collect();
    let booked = book(&house, &rooms[0], "Course", "2026-12-01 09:00 17:00");
    book(&house, &rooms[1], "Other", "2026-12-01 15:00 16:00");
    let part = |slot_text: &str| MoveBooking {
        whose: Whose::Mine,
        booking: booked.id,
        from: Some(rooms[0].clone()),
        to: Some(rooms[1].clone()),
        part: Some(slot("2026-12-01 13:00 15:00")),
        slot: slot(slot_text),
        reach: Reach::This,
        past: Past::Refuse,
    };
    assert!(matches!(no(&house.desk, part("2026-12-01 14:00 16:00")), Refusal::Taken { .. }));
    shows(&house, &rooms[0], DAY, "00:00 free, 09:00 Course, 17:00 free");
    house.desk.run(part("2026-12-01 13:00 15:00")).unwrap();
    shows(&house, &rooms[0], DAY, "00:00 free, 09:00 Course, 13:00 free, 15:00 Course, 17:00 free");
    shows(&house, &rooms[1], DAY, "00:00 free, 13:00 Course, 15:00 Other, 16:00 free");
    house.verified();
}
