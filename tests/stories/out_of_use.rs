//! Time out of use: each act keeps its own time, its cause and its operator.

use willcall::domain::booking::{Booking, Cause, Details};
use willcall::domain::calendar::State;
use willcall::domain::event::Event;
use willcall::domain::ids::{BookingId, CartId};
use willcall::domain::owner::Owner;
use willcall::domain::refusal::{Fact, Refusal};
use willcall::domain::resource::{Policy, ResourceId};
use willcall::engine::ops::{
    AddResource, BookSeries, BookSlot, CancelBooking, CancelPerformance, Conflicts, DisableSeats, Displace, EnableSlot,
    HoldSlot, InService, MoveBooking, OpenHorizon, OutOfUse, Past, Reach, ReleaseSlot, SlotWanted, TakeOut, Want,
    Which, Whose,
};
use willcall::engine::reads::bookings::ReadBookings;
use willcall::engine::reads::carts::LostWhat;
use willcall::engine::reads::events::{EventView, ReadEvents};
use willcall::words;

use super::calendar::{add, booking, resource, room, slot, told, view};
use super::support::{HERE, House, NOON, no};

const DAY: &str = "2026-12-01 00:00 24:00";

fn disable(room: &ResourceId, when: &str, reason: &str) -> TakeOut {
    let when = slot(when);
    TakeOut { reason: reason.into(), ..TakeOut::of(Cause::Disable, vec![room.clone()], when) }
}

fn out(house: &House, room: &ResourceId, when: &str, reason: &str) -> BookingId {
    match house.desk.run(disable(room, when, reason)).unwrap() {
        OutOfUse::Slot { booking, .. } => booking.id,
        OutOfUse::Marked { mark, .. } => mark.id,
    }
}

const fn enable(id: BookingId) -> EnableSlot {
    EnableSlot { id, whose: Whose::Mine }
}

fn hold(house: &House, room: &ResourceId) -> CartId {
    let hold = HoldSlot {
        cart: None,
        wants: vec![SlotWanted { count: None, resource: room.clone(), slot: slot("2026-12-01 08:00 12:00") }],
        past: Past::Refuse,
    };
    house.desk.run(hold).unwrap().id
}

/// The resources of which it was told that they were taken over.
fn taken_over(house: &House) -> Vec<String> {
    let told = house.desk.read(ReadEvents::default()).unwrap();
    let events = told.iter().filter_map(EventView::event);
    let taken = events
        .filter_map(|event| if let Event::ResourceTakenOver { resource, .. } = event { Some(resource) } else { None });
    taken.collect()
}

fn maintenance(room: &ResourceId, from: &str, until: Option<&str>) -> TakeOut {
    let at = |text: &str| slot(&format!("{text} 23:00")).from();
    TakeOut {
        resources: vec![room.clone()],
        count: None,
        from: Some(at(from)),
        until: until.map(at),
        cause: Cause::Maintenance,
        reason: "oil".into(),
        displace: Displace::Ask,
        past: Past::Refuse,
    }
}

/// F6: the reproduction.
#[test]
fn ending_one_of_two_acts_of_an_operator_leaves_the_others_time() {
    let house = House::royal();
    let car = room(&house, "Car", 60);
    let paint = out(&house, &car, "2026-12-01 00:00 24:00", "paint");
    let inspection = out(&house, &car, "2026-12-01 05:00 06:00", "inspection");
    let of_the_car = || ReadBookings { resource: Some(car.clone()), ..ReadBookings::default() };
    let listed = house.desk.read(of_the_car()).unwrap();
    let titles = |all: &[Booking]| all.iter().map(|one| one.title.clone()).collect::<Vec<_>>();
    assert_eq!(titles(&listed), ["paint", "inspection"]);
    house.desk.run(enable(paint)).unwrap();
    let drives = booking(&car, "drives", slot("2026-12-01 05:00 06:00"));
    assert!(matches!(no(&house.desk, drives), Refusal::Taken { facts, .. }
        if facts[0].by.to_string() == "ada (inspection)"));
    assert_eq!(told(&view(&house, &car, DAY)), "00:00 free, 05:00 disabled, 06:00 free");
    house.verified();
    house.desk.run(enable(inspection)).unwrap();
    assert_eq!(told(&view(&house, &car, DAY)), "00:00 free");
    assert_eq!(house.desk.read(of_the_car()).unwrap(), []);
    house.verified();
}

#[test]
fn three_acts_over_one_another_end_in_any_order() {
    for order in [[0, 1, 2], [1, 0, 2], [2, 0, 1], [0, 2, 1]] {
        let house = House::royal();
        let hall = room(&house, "Hall", 60);
        let part = add(&house, AddResource { parent: Some(hall.clone()), ..resource("Part", 60) });
        let times = ["2026-12-01 08:00 14:00", "2026-12-01 10:00 16:00", "2026-12-01 12:00 18:00"];
        let acts: Vec<BookingId> = times.iter().map(|when| out(&house, &hall, when, "works")).collect();
        for (ended, at) in order.iter().enumerate() {
            house.desk.run(enable(acts[*at])).unwrap();
            house.verified();
            for stands in &order[ended + 1..] {
                for room in [&hall, &part] {
                    let inside = view(&house, room, times[*stands]);
                    assert_eq!(inside.free(), [], "{order:?}: {stands} of {room} after {at}");
                }
            }
        }
        assert_eq!(told(&view(&house, &part, DAY)), "00:00 free");
    }
}

/// F10: a day that is not open yet is no reason to say that it is free.
#[test]
fn a_refusal_tells_days_that_are_not_open_as_what_they_are() {
    let house = House::royal();
    let nights = |name: &str| {
        let policy = Policy::Preallocated { horizon: None, roll_days: None };
        let nights = AddResource { policy, ..resource(name, 24 * 60) };
        add(&house, nights)
    };
    let (room, shut) = (nights("room_0"), nights("pre2"));
    let open = OpenHorizon { resource: room.clone(), until: "2027-01-01".parse().unwrap() };
    house.desk.run(open).unwrap();
    house.desk.run(booking(&room, "NYE", slot("2026-12-31 2027-01-01"))).unwrap();
    let states = |refusal: Refusal| {
        let Refusal::Taken { facts, .. } = &refusal else { panic!("another refusal: {refusal:?}") };
        let states = facts.iter().map(Fact::state);
        states.collect::<Vec<_>>()
    };
    let over = booking(&room, "over", slot("2026-12-30 2027-01-02"));
    assert_eq!(states(no(&house.desk, over.clone())), ["booked", "not_open"]);
    let any = BookSlot {
        wants: vec![Want { of: vec![shut, room], any: Some(1), slot: slot("2027-01-01 2027-01-02") }],
        ..over
    };
    assert_eq!(states(no(&house.desk, any)), ["not_open", "not_open"]);
    house.verified();
}

/// F8: an open cart that loses time is told of, in the answer, at the cart and to listeners.
#[test]
fn a_disable_that_takes_held_time_says_so() {
    let house = House::royal();
    let car = room(&house, "Car", 60);
    let held = house
        .desk
        .run(HoldSlot {
            cart: None,
            wants: vec![SlotWanted { count: None, resource: car.clone(), slot: slot("2026-12-01 08:00 12:00") }],
            past: Past::Refuse,
        })
        .unwrap();
    let done = house.at("office").run(disable(&car, "2026-12-01 10:00 11:00", "paint")).unwrap();
    assert_eq!((done.displaced().len(), done.carts()), (0, &[held.id][..]));
    let cart = house.cart(held.id);
    let time = cart.lines[0].time().unwrap();
    assert_eq!(time.when(NOON), "Tue 1 Dec 08:00-10:00, Tue 1 Dec 11:00-12:00");
    let told = house.desk.read(ReadEvents::default()).unwrap();
    let events: Vec<Event> = told.iter().filter_map(EventView::event).collect();
    assert!(
        matches!(&events[..], [Event::ResourceTakenOver { resource, owners, slot: lost }]
            if resource == "car" && owners.len() == 1 && *lost == slot("2026-12-01 10:00 11:00")),
        "{events:?}"
    );
    house.verified();
}

/// F8: a mark that takes over tells whom it took from, and the cart keeps what it lost.
#[test]
fn out_of_service_that_displaces_tells_of_the_carts_that_it_took_from() {
    let house = House::royal();
    let car = room(&house, "Car", 60);
    let held = hold(&house, &car);
    let done = house
        .at("office")
        .run(TakeOut {
            resources: vec![car.clone()],
            count: None,
            from: None,
            until: None,
            cause: Cause::OutOfService,
            reason: "brakes".into(),
            displace: Displace::Take,
            past: Past::Refuse,
        })
        .unwrap();
    assert_eq!((done.displaced().len(), done.carts()), (0, &[held][..]));
    let cart = house.cart(held);
    assert!(cart.lines.is_empty(), "its only line is gone");
    let lost: Vec<_> = cart.lost.iter().map(|lost| lost.reason.as_str()).collect();
    assert_eq!(lost, ["brakes"]);
    let LostWhat::Time(of, _, _, slots) = &cart.lost[0].what else { panic!("{:?}", cart.lost) };
    assert_eq!((of, &slots[..]), (&car, &[slot("2026-12-01 08:00 12:00")][..]));
    assert_eq!(taken_over(&house), ["car"]);
    house.verified();
}

/// F8: a canceled performance takes its seats from open carts too, and tells listeners so.
#[test]
fn a_disable_of_seats_and_a_canceled_performance_tell_whom_they_took_from() {
    let house = House::royal();
    let cart = house.cart_with("A1 A2 A3");
    let out = DisableSeats { which: Which::Performance(house.show), seats: vec!["A2".into()], reason: "broken".into() };
    let done = house.at("office").run(out).unwrap();
    assert_eq!((done.displaced.len(), &done.carts[..]), (0, &[cart][..]));
    assert_eq!(taken_over(&house), [house.show.to_string()]);
    let performance = house.show;
    house.desk.run(CancelPerformance { performance, reason: "flooded".into() }).unwrap();
    assert_eq!(taken_over(&house).len(), 2);
    let told: Vec<(Vec<String>, String)> = house
        .cart(cart)
        .lost
        .into_iter()
        .map(|lost| match lost.what {
            LostWhat::Seats(_, seats) => (seats.into_iter().map(|(_, name)| name).collect(), lost.reason),
            LostWhat::Time(..) => panic!("they were seats"),
        })
        .collect();
    let names = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(
        told,
        [(names("A2"), "broken".to_owned()), (names("A1 A3"), "the performance was canceled: flooded".to_owned())]
    );
    house.verified();
}

/// F16: of two operators' marks each ends their own, and a maintenance belongs to its operator.
#[test]
fn each_operator_ends_their_own_mark_and_their_own_maintenance() {
    let house = House::royal();
    let car = room(&house, "Car", 60);
    let ben = house.at("office");
    let mark = || TakeOut {
        resources: vec![car.clone()],
        count: None,
        from: None,
        until: None,
        cause: Cause::OutOfService,
        reason: "brakes".into(),
        displace: Displace::Ask,
        past: Past::Refuse,
    };
    let back = || InService { resource: car.clone(), whose: Whose::Mine };
    house.desk.run(mark()).unwrap();
    ben.run(mark()).unwrap();
    let left = house.desk.run(back()).unwrap();
    assert_eq!(left.marks.len(), 1);
    assert_eq!(left.marks[0].operator, "ben");
    assert!(matches!(no(&house.desk, back()), Refusal::DisabledByAnother { .. }));
    assert_eq!(ben.run(back()).unwrap().marks, []);
    let when = slot("2026-12-01 10:00 11:00");
    let care = house
        .desk
        .run(TakeOut { reason: "oil".into(), ..TakeOut::of(Cause::Maintenance, vec![car.clone()], when) })
        .unwrap();
    let OutOfUse::Slot { booking, .. } = care else { panic!("it has an end") };
    assert!(matches!(no(&ben, enable(booking.id)), Refusal::DisabledByAnother { .. }));
    house.desk.run(enable(booking.id)).unwrap();
    house.verified();
}

/// F16: a maintenance without an end is told as one, and out of service asks before it stands beside it.
#[test]
fn maintenance_without_an_end_keeps_its_cause_and_its_owner() {
    let house = House::royal();
    let car = room(&house, "Car", 60);
    let ben = house.at("office");
    let care = house.desk.run(maintenance(&car, "2026-12-01 10:00", None));
    let OutOfUse::Marked { mark, .. } = care.unwrap() else { panic!("it has no end") };
    let periods = view(&house, &car, DAY).periods;
    let period = &periods[1];
    let owner = period.owner.as_ref().and_then(Owner::booking);
    assert_eq!((period.state, owner, period.operator.as_str()), (State::Maintenance, Some(mark.id), "ada"));
    assert_eq!((period.title.as_str(), period.is_endless()), ("oil", true));
    let out = |displace| TakeOut {
        resources: vec![car.clone()],
        count: None,
        from: None,
        until: None,
        cause: Cause::OutOfService,
        reason: "sold".into(),
        displace,
        past: Past::Refuse,
    };
    assert_eq!(
        words::refusal(&no(&ben, out(Displace::Ask)), HERE),
        "Car from Tue 1 Dec 10:00 until further notice: maintenance, ada (oil). Nothing was taken out of use. Move or cancel what stands there first, or displace it."
    );
    let drive = booking(&car, "drive", slot("2026-12-01 11:00 12:00"));
    assert_eq!(
        words::refusal(&no(&house.desk, drive), HERE),
        "Car is out of use from Tue 1 Dec 2026 10:00 until further notice: maintenance, by ada (oil). Take another, or put it back into use."
    );
    ben.run(out(Displace::Take)).unwrap();
    house.desk.run(enable(mark.id)).unwrap();
    let back = InService { resource: car.clone(), whose: Whose::Mine };
    assert_eq!(ben.run(back).unwrap().marks, []);
    house.verified();
}

/// F16: what another operator took out of use is changed only on purpose.
#[test]
fn another_operators_maintenance_is_canceled_moved_and_given_back_only_on_purpose() {
    let house = House::royal();
    let car = room(&house, "Car", 60);
    let ben = house.at("office");
    let until = Some("2026-12-01 14:00");
    let care = house.desk.run(maintenance(&car, "2026-12-01 10:00", until));
    let OutOfUse::Slot { booking, .. } = care.unwrap() else { panic!("it has an end") };
    let booking = booking.id;
    let cancel = |whose| CancelBooking { booking, reach: Reach::This, whose };
    let later = |whose| MoveBooking {
        booking,
        from: None,
        to: None,
        part: None,
        slot: slot("2026-12-01 12:00 16:00"),
        reach: Reach::This,
        past: Past::Refuse,
        whose,
    };
    let part = |whose| ReleaseSlot { booking, resource: None, slot: slot("2026-12-01 12:00 13:00"), whose };
    let words = "Car was taken out of use by ada; they put it back, or you override it.";
    for refused in [no(&ben, cancel(Whose::Mine)), no(&ben, later(Whose::Mine)), no(&ben, part(Whose::Mine))] {
        assert_eq!(words::refusal(&refused, HERE), words);
    }
    assert_eq!(told(&view(&house, &car, DAY)), "00:00 free, 10:00 maintenance, 14:00 free");
    ben.run(later(Whose::Anybody)).unwrap();
    ben.run(part(Whose::Anybody)).unwrap();
    house.desk.run(cancel(Whose::Mine)).unwrap();
    assert_eq!(told(&view(&house, &car, DAY)), "00:00 free");
    house.verified();
}

/// F11: a repeat that meets itself is refused with its own dates.
#[test]
fn a_repeat_whose_dates_overlap_says_so() {
    let house = House::royal();
    let room = room(&house, "R", 30);
    let dates = ["2026-12-01 10:00 11:30", "2026-12-01 11:00 12:30"].map(slot);
    let repeat = BookSeries {
        resources: vec![room],
        any: None,
        slots: dates.to_vec(),
        details: Details::default(),
        conflicts: Conflicts::Refuse,
        past: Past::Refuse,
    };
    let refused = no(&house.desk, repeat);
    assert_eq!(
        words::refusal(&refused, HERE),
        "Its dates overlap one another: R Tue 1 Dec 10:00-11:30 and Tue 1 Dec 11:00-12:30. Make them shorter, or repeat it less often. Nothing was booked."
    );
    house.verified();
}
