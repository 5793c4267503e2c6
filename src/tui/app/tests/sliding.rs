//! Nothing slides under the finger: while another station changes the rows above it, the cursor stays on its row; once
//! the row is gone, the first act is told so and hits nothing in its place.

use std::collections::BTreeSet;
use std::path::Path;

use super::calendar::{at, calendar, room};
use super::counter::{self, kept};
use super::dialogs::sources;
use super::till::{Till, actor, desk};
use super::waiting::sell_out;
use crate::domain::booking::{Booking, Cause, Details};
use crate::domain::customer::Customer;
use crate::domain::ids::CartId;
use crate::domain::resource::ResourceId;
use crate::domain::time::{Slot, Span};
use crate::engine::Desk;
use crate::engine::clock::Clock;
use crate::engine::ops::{
    AddToSeries, AddWaiting, BookSlot, CancelBooking, CancelCart, DisableSeats, HoldSeats, ItemAct, MoveBooking,
    NameCustomer, Past, PayBy, Reach, RemoveWaiting, ReserveCart, SeatChoice, SetAside, SettleItem, TakeFrom, TakeOut,
    TakeOver, Want, Which, Whose,
};
use crate::engine::reads::bookings::ReadBookings;
use crate::engine::reads::carts::ReadOpenCarts;
use crate::engine::reads::journal::ReadJournal;
use crate::engine::reads::seat_map::ReadSeatMap;
use crate::engine::reads::tonight::ReadPerformances;
use crate::engine::reads::waitlist::{ReadWaitlist, WhichWaiting};
use crate::engine::reads::worklist::ReadWorklist;

/// Start of the message about an act whose row is gone.
const GONE: &str = "What the cursor stood on is gone";

/// Lists that another station does not change while they are open.
const READ_ONCE: [&str; 3] = ["dialogs/picker.rs", "dialogs/find.rs", "screens/seats/story.rs"];

/// Way to a list, and what another station does to its rows.
struct Way {
    /// Source of the list, below `src/tui`.
    list: &'static str,
    /// A desk with the cursor on the second row.
    stands: fn() -> Till,
    /// Words of that row.
    row: &'static str,
    /// Changes the rows above.
    above: fn(&Till),
    /// Keys of an act on the row, and what it shows; none where a row is only read.
    act: Option<(&'static str, &'static str)>,
    /// Takes the row away; none where a row stays for good.
    gone: Option<fn(&Till)>,
}

const WAYS: [Way; 21] = [
    Way {
        list: "kit/roster.rs",
        stands: || standing(counter::waiting(), "1 w Down"),
        row: "Weber, Ida",
        above: |till| kept(till, "Abe Aaron", ["C1", "C2"]),
        act: Some(("Enter", "Handed over: Weber, Ida, A1-A2")),
        gone: None,
    },
    Way {
        list: "dialogs/open_carts.rs",
        stands: || standing(named_carts(), "2 o Down"),
        row: "Bob",
        above: |till| taken_over(till, "Ada"),
        act: Some(("Enter", "Bob's cart is yours; held until 12:")),
        gone: Some(|till| canceled(till, "Bob")),
    },
    Way {
        list: "screens/calendar/displaced_list.rs",
        stands: || standing(displaced(), "3 d Down"),
        row: "Bob   lost Room A",
        above: |till| waived(till, "Ada"),
        act: Some(("a", "Bob moved to Room B")),
        gone: Some(|till| waived(till, "Bob")),
    },
    Way {
        list: "screens/calendar/places.rs",
        stands: || standing(displaced(), "3 d Tab"),
        row: "a  Room C",
        above: |till| waived(till, "Bob"),
        act: Some(("a", "Ada moved to Room C")),
        gone: None,
    },
    Way {
        list: "screens/calendar/places.rs",
        stands: || standing(taken_room(), "3 v Right n Shift-Tab Right"),
        row: "a  Room C",
        above: |till| book(till, "Room B", (2, 4), "Dora"),
        act: Some(("a", "New booking   Room C")),
        gone: Some(|till| book(till, "Room C", (2, 4), "Dora")),
    },
    Way {
        list: "dialogs/waiting_list.rs",
        stands: || standing(waiting(), "2 W Shift-Tab Down"),
        row: "Bob                2 seats",
        above: |till| left_the_line(till, "Ada"),
        act: Some(("x x", "Bob is off the list")),
        gone: Some(|till| left_the_line(till, "Bob")),
    },
    Way {
        list: "screens/calendar/series.rs",
        stands: || standing(series(), "3 s Down"),
        row: "Sat 28 Nov 18:00-19:00",
        above: add_a_date,
        act: Some(("Space", "> Sat 28 Nov 18:00-19:00      taken out")),
        gone: Some(move_the_second_date),
    },
    Way {
        list: "dialogs/messages.rs",
        stands: || standing(desk(), "2 Space F7 F8 ! Down"),
        row: "F7 does nothing here",
        above: |till| taken_over(till, ""),
        act: None,
        gone: None,
    },
    Way {
        list: "screens/seats/story.rs",
        stands: || standing(desk(), "2 Space Space i Down"),
        row: "held",
        above: |till| {
            hold(till, &["A1"]);
        },
        act: None,
        gone: None,
    },
    Way {
        list: "dialogs/find.rs",
        stands: || {
            let mut till = named_carts();
            till.keys("2 /").types("till-1").keys("Down");
            till
        },
        row: "Bob",
        above: |till| canceled(till, "Ada"),
        act: Some(("Enter Enter", "Bob's cart is yours")),
        gone: None,
    },
    Way {
        list: "dialogs/picker.rs",
        stands: || {
            let mut till = desk();
            till.keys("2 :").types("zoom").keys("Down");
            till
        },
        row: "zoom out  ",
        above: |till| {
            hold(till, &["A1"]);
        },
        act: Some(("Enter", "A ◔ 1 1 1")),
        gone: None,
    },
    Way {
        list: "screens/orders/seat_list.rs",
        stands: || {
            let till = desk();
            reserve(&till, "Ada", &["C8", "C9", "C10"]);
            standing(till, "2 4 Enter Down")
        },
        row: "C9",
        above: |till| disable(till, &["C8"]),
        act: Some(("Enter", "C9 is reserved")),
        gone: Some(|till| disable(till, &["C9"])),
    },
    Way {
        list: "screens/tonight.rs",
        stands: || {
            let mut till = desk();
            super::key_counts::lear(&mut till);
            standing(till, "2 1 f Down")
        },
        row: "Lear",
        above: |till| disable(till, &whole_house()),
        act: Some(("Enter", "[2 Seats]")),
        gone: Some(sell_lear_out),
    },
    Way {
        list: "screens/tonight.rs",
        stands: || standing(needing(), "2 1 Tab Down"),
        row: ">at 19:00  1 seat reserved for Bob",
        above: |till| canceled(till, "Ada"),
        act: Some(("Enter", "Reservation Bob")),
        gone: Some(|till| canceled(till, "Bob")),
    },
    Way {
        list: "screens/orders.rs",
        stands: || standing(needing(), "4 Down"),
        row: "Bob",
        above: |till| canceled(till, "Ada"),
        act: Some(("Enter", "Reservation Bob")),
        gone: Some(|till| canceled(till, "Bob")),
    },
    Way {
        list: "screens/jobs.rs",
        stands: || standing(named_carts(), "5 Home Down Down"),
        row: "for Bob",
        above: |till| canceled(till, "Ada"),
        act: Some(("Enter Enter", "Bob's cart is yours")),
        gone: Some(|till| canceled(till, "Bob")),
    },
    Way {
        list: "screens/calendar.rs",
        stands: || on_free_rooms("Down"),
        row: "Room B",
        above: |till| book(till, "Room A", (7, 8), "Ada"),
        act: Some(("Space", "Room B Sat 21 Nov 19:00-20:00 is yours")),
        gone: Some(|till| book(till, "Room B", (7, 8), "Ada")),
    },
    // a mark, whose anchor is below the cursor
    Way {
        list: "screens/calendar.rs",
        stands: || on_free_rooms("Down Down v Up"),
        row: "Room B",
        above: |till| book(till, "Room A", (7, 8), "Ada"),
        act: Some(("Space", "Room B, Room C Sat 21 Nov 19:00-20:00 are yours")),
        gone: Some(|till| book(till, "Room C", (7, 8), "Ada")),
    },
    // a mark that a new line comes into
    Way {
        list: "screens/calendar.rs",
        stands: || on_free_rooms("Down v Down"),
        row: "Room C",
        above: |till| drop(room(till, "Room BB", 60)),
        act: Some(("Space", "Room B, Room C Sat 21 Nov 19:00-20:00 are yours")),
        gone: Some(|till| book(till, "Room C", (7, 8), "Ada")),
    },
    // a booking that is carried from A to B
    Way {
        list: "screens/calendar.rs",
        stands: carrying,
        row: "Room B",
        above: |till| called_off(till, "Early"),
        act: Some(("Enter", "Room B Sat 21 Nov 14:00-16:00: booked, Late")),
        gone: Some(|till| called_off(till, "Late")),
    },
    Way {
        list: "screens/seats.rs",
        stands: || {
            let mut till = desk();
            till.keys("2 g").types("c8-10").keys("Enter Space Tab Down");
            till
        },
        row: ">C9 ",
        above: |till| disable(till, &["C8"]),
        act: Some(("x", "C9 given back")),
        gone: Some(|till| disable(till, &["C9"])),
    },
];

#[test]
fn the_cursor_stays_on_its_row_while_another_station_changes_the_rows_above() {
    let mut wrong = Vec::new();
    for (way, number) in WAYS.iter().zip(1..) {
        let of = format!("{number} {}", way.list);
        let mut till = (way.stands)();
        let before = till.draw();
        assert!(till.stands_on(way.row), "{of}: the cursor does not begin on {:?}\n{before}", way.row);
        (way.above)(&till);
        let after = told(&mut till).draw();
        if before == after && !READ_ONCE.contains(&way.list) {
            wrong.push(format!("{of}: nothing was changed above\n{after}"));
        }
        if !till.stands_on(way.row) {
            wrong.push(format!("{of}: {:?} was under the cursor before\n{after}", way.row));
        }
        let Some((keys, done)) = way.act else { continue };
        let after = till.keys(keys).draw();
        let said = till.app.shared.says.newest_first().next().map_or("", |said| &said.text);
        if !after.contains(done) && !said.contains(done) {
            wrong.push(format!("{of}: {keys} shows no {done:?}, it says {said:?}\n{after}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn the_first_act_after_a_row_has_gone_is_told_so_and_hits_nothing() {
    let mut hit = Vec::new();
    for (way, number) in WAYS.iter().zip(1..) {
        let (Some(gone), Some((keys, done))) = (way.gone, way.act) else { continue };
        let of = format!("{number} {}", way.list);
        let mut till = (way.stands)();
        gone(&till);
        told(&mut till);
        let (before, key) = (till.written(), keys.split(' ').next().unwrap());
        let after = till.keys(key).draw();
        if till.written() != before || after.contains(done) {
            hit.push(format!("{of}: {key} did something\n{after}"));
        }
        let said = till.app.shared.says.newest_first().next().map_or("", |said| &said.text);
        if !said.starts_with(GONE) {
            hit.push(format!("{of}: {key} says {said:?}\n{after}"));
        }
    }
    assert!(hit.is_empty(), "{}", hit.join("\n\n"));
}

#[test]
fn a_mark_or_a_carried_booking_whose_room_is_shown_no_longer_says_so() {
    let mut till = on_free_rooms("Down Down v Up");
    book(&till, "Room C", (7, 8), "Ada");
    told(&mut till).newest("Room C is no longer shown here: the mark is dropped").hides("Marked");
    let mut till = carrying();
    called_off(&till, "Late");
    told(&mut till).newest("Room B is no longer shown here: Yoga stays where it is").hides("put it there");
}

/// The second click opened the order that had come under the pointer.
#[test]
fn a_double_click_opens_no_row_that_came_under_it_between_its_clicks() {
    let mut till = standing(needing(), "4");
    till.resize(96, 30).wait(Span::seconds(1));
    let cell = till.cell_of("Bob");
    till.click_at(cell);
    canceled(&till, "Ada");
    till.notice().click_at(cell).hides("Reservation Cyd");
    assert!(till.stands_on("Cyd"), "{}", till.draw());
    till.click_at(cell).shows("Reservation Cyd");
}

/// Of three seats, `t` twice made two children: the line was split, and the cursor had come to another seat.
#[test]
fn the_cursor_in_the_cart_stays_on_a_seat_whose_ticket_type_is_changed() {
    let mut till = desk();
    till.keys("2 g").types("c8-10").keys("Enter Space Tab Down t").shows(">C9  Child");
    till.keys("t").shows(">C9  Adult").newest("C9: Adult");
}

/// A list that is not in the table would be tried by nobody, and a row's number is no key.
#[test]
fn every_cursor_has_a_way_in_the_table_and_a_key_that_is_no_number() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/tui");
    let mut lists = BTreeSet::new();
    for path in sources(&root).into_iter().filter(|path| !path.to_string_lossy().contains("tests")) {
        let text = std::fs::read_to_string(&path).unwrap();
        let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap();
        assert!(!code.contains("Cursor<usize>"), "{} keeps an index", path.display());
        if code.lines().any(|line| line.contains(": Cursor<") && !line.contains("fn ")) {
            lists.insert(path.strip_prefix(&root).unwrap().to_string_lossy().into_owned());
        }
    }
    let tried: BTreeSet<String> = WAYS.iter().map(|way| way.list.to_owned()).collect();
    assert_eq!(lists, tried);
}

/// A row that goes by an act of this desk makes room for the next one.
#[test]
fn acts_of_this_desk_may_follow_one_another_down_a_list() {
    let mut till = desk();
    till.keys("2 g").types("c8-10").keys("Enter Space Tab x x x").newest("C10 given back");
    let mut till = standing(displaced(), "3 d a a");
    till.newest("Bob moved to Room B").shows(">Cyd   lost Room A");
}

impl Till {
    /// True if a row with these words has the sign of the cursor, or of an offer that its key accepts.
    fn stands_on(&mut self, words: &str) -> bool {
        let screen = self.draw();
        let mut rows = screen.lines().flat_map(|line| line.split('│')).map(str::trim);
        let is_chosen = |row: &str| row.starts_with('>') || row.starts_with("a  ");
        rows.any(|row| is_chosen(row) && row.contains(words)) || words.starts_with('>') && screen.contains(words)
    }

    /// Number of commands that were carried out.
    fn written(&self) -> usize {
        ben(self).read(ReadJournal::default()).unwrap().len()
    }
}

fn standing(mut till: Till, keys: &str) -> Till {
    till.keys(keys);
    till
}

/// Hands the notice of a change over, and waits until the slowest screen has read it.
fn told(till: &mut Till) -> &mut Till {
    till.notice().wait(Span::seconds(1)).wait(Span::seconds(1))
}

fn ben(till: &Till) -> Desk {
    till.engine.desk(actor("ben", "till-1"))
}

fn customer(name: &str) -> Customer {
    Customer { name: name.to_owned(), ..Customer::default() }
}

fn hold(till: &Till, seats: &[&str]) -> CartId {
    let seats = SeatChoice::Named(seats.iter().map(|seat| (*seat).to_owned()).collect());
    ben(till).run(HoldSeats::new(till.show, seats)).unwrap().id
}

fn disable(till: &Till, seats: &[impl AsRef<str>]) {
    let seats = seats.iter().map(|seat| seat.as_ref().to_owned()).collect();
    let disable = DisableSeats { which: Which::Performance(till.show), seats, reason: "leak".into() };
    ben(till).run(disable).unwrap();
}

/// Carts of Ada, Bob and Cyd, set aside at till-1 one after the other.
fn named_carts() -> Till {
    let till = desk();
    for (name, seat) in [("Ada", "A1"), ("Bob", "B1"), ("Cyd", "C1")] {
        let cart = hold(&till, &[seat]);
        ben(&till).run(NameCustomer { cart, customer: customer(name) }).unwrap();
        ben(&till).run(SetAside { cart }).unwrap();
        till.clock.set(till.clock.now() + Span::minutes(5));
    }
    till
}

fn cart_of(till: &Till, name: &str) -> CartId {
    let carts = ben(till).read(ReadOpenCarts::default()).unwrap();
    carts.iter().find(|cart| cart.customer.name == name).unwrap().id
}

/// The office takes a cart over.
fn taken_over(till: &Till, name: &str) {
    let dora = till.engine.desk(actor("dora", "office"));
    dora.run(TakeOver { cart: cart_of(till, name), from: TakeFrom::Anybody }).unwrap();
}

fn canceled(till: &Till, name: &str) {
    ben(till).run(CancelCart { cart: cart_of(till, name) }).unwrap();
}

fn reserve(till: &Till, name: &str, seats: &[&str]) {
    let reserve = ReserveCart {
        cart: hold(till, seats),
        customer: Some(customer(name)),
        pay_by: PayBy::Usual,
        alert: Some(Span::minutes(5)),
        last: None,
    };
    ben(till).run(reserve).unwrap();
}

/// Reservations of Ada, Bob and Cyd that need somebody.
fn needing() -> Till {
    let mut till = desk();
    for (name, seat) in [("Ada", "A1"), ("Bob", "B1"), ("Cyd", "C1")] {
        reserve(&till, name, &[seat]);
        till.clock.set(till.clock.now() + Span::minutes(1));
    }
    till.wait(Span::minutes(10));
    ben(&till).sweep().unwrap();
    told(&mut till);
    till
}

fn whole_house() -> Vec<String> {
    let rows = ["A", "B", "C", "D", "E"];
    rows.iter().flat_map(|row| (1..=16).map(move |seat| format!("{row}{seat}"))).collect()
}

/// Every seat of "Lear" is kept from sale.
fn sell_lear_out(till: &Till) {
    let office = till.engine.desk(actor("dora", "office"));
    let rows = office.read(ReadPerformances::default()).unwrap();
    let lear = rows.iter().find(|row| row.title == "Lear").unwrap().id;
    let map = office.read(ReadSeatMap(lear)).unwrap();
    let seats = map.plan.seats().map(|(_, seat)| seat.name.clone()).collect();
    office.run(DisableSeats { which: Which::Performance(lear), seats, reason: "leak".into() }).unwrap();
}

/// Ada, Bob and Cyd lost their time in Room A, one after the other; rooms B to D are free.
fn displaced() -> Till {
    let mut till = rooms();
    for (name, from) in [("Ada", 2), ("Bob", 4), ("Cyd", 6)] {
        book(&till, "Room A", (from, from + 1), name);
        let slot = Slot::new(at(from), at(from + 1)).unwrap();
        let leak = TakeOut { reason: "leak".into(), ..TakeOut::of(Cause::Disable, vec![resource("Room A")], slot) };
        ben(&till).run(leak).unwrap();
        till.clock.set(till.clock.now() + Span::seconds(1));
    }
    till.notice();
    till
}

fn waived(till: &Till, owner: &str) {
    let items = ben(till).read(ReadWorklist).unwrap();
    let item = items.iter().find(|view| view.owner == owner).unwrap().item.id;
    ben(till).run(SettleItem { item, act: ItemAct::Waive, reason: "gave up".into() }).unwrap();
}

/// Ada, Bob and Cyd wait for seats of a house that is sold out.
fn waiting() -> Till {
    let mut till = desk();
    sell_out(&mut till);
    for name in ["Ada", "Bob", "Cyd"] {
        let add =
            AddWaiting { performance: till.show, customer: customer(name), seats: 2, category: None, priority: None };
        ben(&till).run(add).unwrap();
        till.clock.set(till.clock.now() + Span::seconds(1));
    }
    till
}

fn left_the_line(till: &Till, name: &str) {
    let line = ben(till).read(ReadWaitlist { performance: Some(till.show), which: WhichWaiting::Open }).unwrap();
    let waiting = line.iter().find(|view| view.customer.name == name).unwrap().waiting.id;
    ben(till).run(RemoveWaiting { waiting }).unwrap();
}

/// Tango on three Saturdays, with the cursor on the first.
fn series() -> Till {
    let (mut till, _, _) = calendar();
    till.types("g18:00 today").keys("Enter n").types("Tango").keys("Shift-Tab Shift-Tab");
    till.types("weekly x3").keys("Enter Enter");
    till
}

fn bookings(till: &Till, text: &str) -> Vec<Booking> {
    ben(till).read(ReadBookings { text: Some(text.into()), ..ReadBookings::default() }).unwrap()
}

fn add_a_date(till: &Till) {
    let series = bookings(till, "tango")[0].series.unwrap();
    ben(till).run(AddToSeries { series, slot: hours((9, 10)), past: Past::Refuse }).unwrap();
}

fn move_the_second_date(till: &Till) {
    let week = 7 * 24;
    let second = bookings(till, "tango").into_iter().find(|one| one.extent().unwrap().from() == at(week + 6));
    let later = MoveBooking {
        booking: second.unwrap().id,
        from: None,
        to: None,
        part: None,
        slot: hours((week + 9, week + 10)),
        reach: Reach::This,
        past: Past::Refuse,
        whose: Whose::Mine,
    };
    ben(till).run(later).unwrap();
}

fn resource(name: &str) -> ResourceId {
    ResourceId::of_name(name).unwrap()
}

/// Hours from today's noon on.
fn hours((from, until): (i64, i64)) -> Slot {
    Slot::new(at(from), at(until)).unwrap()
}

fn book(till: &Till, room: &str, time: (i64, i64), title: &str) {
    let details = Details { title: title.into(), ..Details::default() };
    let wants = vec![Want::all(vec![resource(room)], hours(time))];
    ben(till).run(BookSlot { wants, details, past: Past::Refuse }).unwrap();
}

fn called_off(till: &Till, title: &str) {
    let booking = bookings(till, title)[0].id;
    ben(till).run(CancelBooking { booking, reach: Reach::This, whose: Whose::Mine }).unwrap();
}

/// A desk at the calendar of rooms A to D.
fn rooms() -> Till {
    let mut till = desk();
    for name in ["Room A", "Room B", "Room C", "Room D"] {
        room(&till, name, 60);
    }
    till.keys("3");
    till
}

/// A desk with a mark on time in Room A that is taken.
fn taken_room() -> Till {
    let mut till = rooms();
    book(&till, "Room A", (2, 4), "Ada");
    till.notice().types("groom a").keys("Enter").types("g14:00 today").keys("Enter");
    till
}

/// A desk at 19:00 of Room A among the rooms that are free then.
fn on_free_rooms(keys: &str) -> Till {
    let mut till = rooms();
    till.types("groom a").keys("Enter").types("g19:00 today").keys("Enter f Ctrl-u").types("free room").keys("Enter");
    standing(till, keys)
}

/// A desk that carries Yoga from Room C to Room B, among the rooms that are booked at 14:00.
fn carrying() -> Till {
    let mut till = rooms();
    for (name, title) in [("Room A", "Early"), ("Room B", "Late"), ("Room C", "Yoga")] {
        book(&till, name, (2, 4), title);
    }
    till.notice().types("groom c").keys("Enter").types("g14:00 today").keys("Enter f Ctrl-u");
    till.types("booked room").keys("Enter m Up");
    till
}
