//! A connection that is cut behind any message of the server, while another station acts: no command is stored by half,
//! and no snapshot shows two moments.
//!
//! Behind every third message; behind each where `WILLCALL_ROUNDS` asks for more than usual.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};

use willcall::domain::booking::BookingState;
use willcall::domain::cart::CartState;
use willcall::domain::customer::Customer;
use willcall::domain::ids::{BookingId, CartId, CommandId, PerformanceId};
use willcall::domain::job::PolicyChange;
use willcall::domain::receipt::Tender;
use willcall::domain::resource::ResourceId;
use willcall::domain::time::{Slot, Span};
use willcall::engine::clock::ManualClock;
use willcall::engine::ops::{
    BookSlot, CancelBooking, ChangeBooking, Checkout, DisableSeats, GiveBack, HoldSeats, HouseSeats, MoveBooking,
    NameCustomer, OpenCart, Past, Reach, Which, Whose,
};
use willcall::engine::reads::carts::ReadCart;
use willcall::engine::reads::seat_map::ReadSeatMap;
use willcall::engine::verify::Verify;
use willcall::engine::{Config, Desk, Engine, Operation};
use willcall::store::Location;

use crate::cluster::Cluster;
use crate::ground::Ground;
use crate::on_a_server::calendar::{booking, room};
use crate::on_a_server::support::{House, NOON, actor, named, receipt, reserving_for_ida, seat};
use crate::proxy::Proxy;

/// The interfering command of the other station.
#[derive(Clone, Copy)]
enum Subject {
    None,
    /// Its customer.
    Cart(CartId),
    /// Its customer.
    Booking(BookingId),
    /// Whether a seat of a performance is in it.
    Seat(CartId, PerformanceId),
}

/// The other station's act before each cut; carts that have ended stay as they are.
fn meddle(desk: &Desk, subject: Subject, number: u32) {
    let customer = Customer { name: format!("Customer {number}"), ..Customer::default() };
    match subject {
        Subject::None => {}
        Subject::Cart(cart) => drop(desk.run(NameCustomer { cart, customer })),
        Subject::Booking(booking) => {
            drop(desk.run(ChangeBooking { booking, title: None, customer: Some(customer), note: None, price: None }));
        }
        Subject::Seat(cart, show) if number.is_multiple_of(2) => {
            drop(desk.run(holding(cart, show, "D1")));
        }
        Subject::Seat(cart, _) => drop(desk.run(GiveBack::line(cart, number.div_ceil(2), None))),
    }
}

fn holding(cart: CartId, performance: PerformanceId, seats: &str) -> HoldSeats {
    HoldSeats { cart: Some(cart), performance, seats: named(seats), ticket_type: None, kept: HouseSeats::Refuse }
}

/// A desk behind a proxy, and another station that reaches the server directly.
struct Wired {
    house: House,
    room: ResourceId,
    proxy: Proxy,
    subject: Arc<Mutex<Subject>>,
    desk: Desk,
    /// Whether the other station acts before each command's first COMMIT, too.
    contended: bool,
    /// Of how many messages one is cut behind.
    stride: u32,
    /// How many evenings there are.
    shows: AtomicU32,
    /// The commands that were done behind the proxy.
    commands: BTreeSet<CommandId>,
    _engine: Engine,
}

impl Wired {
    fn new(contended: bool) -> Option<Self> {
        let cluster = Cluster::shared()?;
        let house = crate::on_a_server::house();
        // a check beyond its limit, on a busy machine, would be repeated later
        house.guard(PolicyChange { limit: Some(Span::seconds(30)), ..PolicyChange::default() });
        let Ground::Server { schema, .. } = &house.ground else {
            return None;
        };
        let subject = Arc::new(Mutex::new(Subject::None));
        let (other, changed, count) = (house.at("till-1"), Arc::clone(&subject), AtomicU32::new(0));
        let meddle = move || {
            let subject = *changed.lock().unwrap();
            meddle(&other, subject, count.fetch_add(1, Ordering::Relaxed));
        };
        let proxy = Proxy::start(cluster, Box::new(meddle));
        let engine = Engine::open(Config {
            clock: Arc::<ManualClock>::clone(&house.clock),
            ..Config::new(Location::parse(&proxy.address(schema)).unwrap())
        })
        .unwrap();
        let desk = engine.desk(actor("ben", "till-2"));
        // a reader's connection that cannot be made is a fault; this one is kept from here on
        desk.read(ReadSeatMap(house.show)).unwrap();
        Some(Self {
            room: room(&house, "Room", 30),
            house,
            proxy,
            subject,
            desk,
            contended,
            stride: if std::env::var_os("WILLCALL_ROUNDS").is_some() { 1 } else { 3 },
            shows: AtomicU32::new(0),
            commands: BTreeSet::new(),
            _engine: engine,
        })
    }

    /// The cart that the other station acts on from now on.
    fn about(&self, subject: Subject) {
        *self.subject.lock().unwrap() = subject;
    }

    /// An evening with free seats.
    fn show(&self) -> PerformanceId {
        let number = i64::from(self.shows.fetch_add(1, Ordering::Relaxed));
        // one after another, for they share a hall
        let start = NOON + Span::minutes(600 + number * 180);
        let title = format!("Evening {number}");
        self.house.performance_at(start, &title, &[(None, None, 1000)])
    }

    /// A cart with three seats of an evening, on which the other station acts.
    fn cart(&self, hold: Option<Span>) -> (CartId, PerformanceId) {
        let show = self.show();
        let cart = self.house.desk.run(OpenCart { hold, ..OpenCart::default() }).unwrap().id;
        self.house.desk.run(holding(cart, show, "B6 B7 B8")).unwrap();
        self.about(Subject::Cart(cart));
        (cart, show)
    }

    fn want(&self) -> BookSlot {
        self.house.pass(Span::seconds(1));
        let number = i64::try_from(self.commands.len()).unwrap();
        let from = self.house.desk.now() + Span::minutes(60 + number * 180);
        let slot = Slot::new(from, from + Span::minutes(30)).unwrap();
        booking(&self.room, "Yoga", slot)
    }

    fn booked(&self) -> (BookingId, Slot) {
        let want = self.want();
        let slot = want.wants.first().unwrap().slot;
        let booking = self.house.desk.run(want).unwrap().id;
        self.about(Subject::Booking(booking));
        (booking, slot)
    }

    /// Does one thing behind the proxy until it is over before its k-th message; the connection is cut behind that.
    fn step(&mut self, name: &str, mut act: impl FnMut(&mut Self, Cut)) {
        let mut message = 1;
        loop {
            self.about(Subject::None);
            act(self, Cut { message });
            if !self.proxy.was_cut() {
                break;
            }
            message += self.stride;
        }
        assert!(message > 8, "{name} was over after {message} messages");
        self.is_told_once(name);
        let violations = self.house.desk.read(Verify::default()).unwrap().violations;
        assert!(violations.is_empty(), "{name}: {violations:#?}");
    }

    /// Each command is in the journal exactly once.
    fn is_told_once(&self, name: &str) {
        let Ground::Server { cluster, schema } = &self.house.ground else {
            return;
        };
        let told = cluster.ask(schema, "SELECT command FROM journal WHERE station = 'till-2' AND operator = 'ben'");
        let told: BTreeSet<CommandId> = told.iter().map(|id| id.parse().unwrap()).collect();
        let missing: Vec<_> = self.commands.difference(&told).collect();
        assert!(missing.is_empty(), "{name}: {missing:?} were not stored");
    }
}

/// Behind which message the connection is cut.
#[derive(Clone, Copy)]
struct Cut {
    message: u32,
}

impl Cut {
    fn act<O: Operation>(self, wired: &mut Wired, operation: O) -> O::Answer {
        let id = CommandId::random();
        if wired.contended {
            wired.proxy.contend();
        }
        wired.proxy.cut_behind(self.message);
        let answer = wired.desk.run_as(id, operation);
        wired.commands.insert(id);
        answer.unwrap_or_else(|failure| panic!("{} at {}: {failure:?}", O::VERB, self.message))
    }
}

fn sell(wired: &mut Wired) {
    wired.step("open cart", |wired, cut| {
        cut.act(wired, OpenCart::default());
    });
    wired.step("hold", |wired, cut| {
        let (cart, show) = wired.cart(None);
        let held = cut.act(wired, holding(cart, show, "A1"));
        assert_eq!(held.seat_count(), 4);
    });
    wired.step("give back", |wired, cut| {
        let (cart, show) = wired.cart(None);
        let seats = Some(vec![seat(1, 5)]);
        let line = 1;
        let left = cut.act(wired, GiveBack::line(cart, line, seats));
        assert_eq!(left.seat_count(), 2);
        assert_eq!(wired.house.desk.read(ReadSeatMap(show)).unwrap().free, 78);
    });
    wired.step("reserve", |wired, cut| {
        let (cart, _) = wired.cart(None);
        assert!(cut.act(wired, reserving_for_ida(cart)).reservation.is_some());
    });
    wired.step("checkout", |wired, cut| {
        let (cart, _) = wired.cart(None);
        let pay = Checkout::new(cart, vec![Tender::Cash { given: None }]);
        assert_eq!(receipt(cut.act(wired, pay)).total, 3000);
        let state = wired.house.state(cart);
        assert!(matches!(state, CartState::Done(_)), "{state:?}");
    });
}

fn book(wired: &mut Wired) {
    wired.step("book", |wired, cut| {
        let want = wired.want();
        cut.act(wired, want);
    });
    wired.step("move", |wired, cut| {
        let (booking, slot) = wired.booked();
        let later = |at| at + Span::minutes(60);
        let to = MoveBooking {
            whose: Whose::Mine,
            booking,
            from: None,
            to: None,
            part: None,
            slot: Slot::new(later(slot.from()), later(slot.until())).unwrap(),
            reach: Reach::This,
            past: Past::Refuse,
        };
        cut.act(wired, to);
    });
    wired.step("cancel", |wired, cut| {
        let (booking, _) = wired.booked();
        let reach = Reach::This;
        let ended = cut.act(wired, CancelBooking { whose: Whose::Mine, booking, reach });
        let state = &ended.first().unwrap().state;
        assert_eq!(*state, BookingState::Canceled);
    });
}

fn keep_house(wired: &mut Wired) {
    wired.step("disable", |wired, cut| {
        let (_, show) = wired.cart(None);
        let broken = DisableSeats {
            which: Which::Performance(show),
            seats: vec!["A1".into(), "B6".into()],
            reason: "broken".into(),
        };
        assert_eq!(cut.act(wired, broken).disables.len(), 1);
    });
    wired.step("expire", |wired, cut| {
        let (cart, show) = wired.cart(Some(Span::seconds(2)));
        wired.house.pass(Span::seconds(3));
        wired.proxy.cut_behind(cut.message);
        wired.desk.sweep().unwrap();
        assert_eq!(wired.house.cart(cart).cart.state, CartState::Expired);
        assert_eq!(wired.house.desk.read(ReadSeatMap(show)).unwrap().free, 80);
    });
}

/// A day's work at a desk behind the proxy.
fn day(contended: bool) {
    let Some(mut wired) = Wired::new(contended) else {
        return;
    };
    sell(&mut wired);
    book(&mut wired);
    keep_house(&mut wired);
}

#[test]
fn a_connection_cut_behind_any_message_stores_each_command_once() {
    day(false);
}

#[test]
fn a_connection_cut_behind_any_message_after_another_station_wrote_stores_each_command_once() {
    day(true);
}

#[test]
fn a_snapshot_whose_connection_is_cut_behind_any_message_is_read_again_as_a_whole() {
    let Some(mut wired) = Wired::new(false) else {
        return;
    };
    let (cart, show) = (wired.house.cart_with("B6 B7"), wired.house.show);
    let moving = wired.house.open_cart();
    wired.step("seat map and cart", |wired, cut| {
        wired.about(Subject::Seat(moving, show));
        wired.proxy.cut_behind(cut.message);
        let map = wired.desk.read(ReadSeatMap(show)).unwrap();
        assert!((77..=78).contains(&map.free), "{}", map.free);
        let view = wired.desk.read(ReadCart(cart)).unwrap();
        assert_eq!(view.cart.seat_count(), 2);
    });
    // a hundred questions: every fourth message, or it would take as long as all the rest
    wired.stride = 4;
    wired.step("verify", |wired, cut| {
        wired.about(Subject::Seat(moving, show));
        wired.proxy.cut_behind(cut.message);
        let violations = wired.desk.read(Verify::default()).unwrap().violations;
        assert!(violations.is_empty(), "{}: {violations:#?}", cut.message);
    });
}
