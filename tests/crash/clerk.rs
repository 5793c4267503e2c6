//! A clerk who sells seats and time in a seeded order, and notes the answer to each command.

use std::sync::Arc;

use chrono_tz::Tz;
use willcall::bench::Dice;
use willcall::domain::booking::{Cause, Details};
use willcall::domain::customer::Customer;
use willcall::domain::ids::{BookingId, CartId, CommandId, PerformanceId};
use willcall::domain::money::{Currency, Price};
use willcall::domain::plan::SeatRef;
use willcall::domain::receipt::Tender;
use willcall::domain::resource::{Policy, ResourceId};
use willcall::domain::till::CashWay;
use willcall::domain::time::{Grid, Instant, Segment, Slot, Span};
use willcall::engine::ops::{
    AddPerformance, AddResource, AddTheater, AddWaiting, BookSeries, BookSlot, CancelBooking, CancelCart, Checkout,
    CloseTill, Conflicts, DisableSeats, Displace, EnableSeats, HoldSeats, HoldSlot, HouseSeats, InService, KeepSeats,
    MoveBooking, MoveCash, NamedPrice, OfferSeats, OpenCart, OpenTill, OutOfUse, Past, PayBy, Reach, ReserveCart,
    SeatChoice, SlotWanted, TakeOut, UndoOutOfUse, UnkeepSeats, Want, Which, Whose,
};
use willcall::engine::reads::journal::{EntryView, ReadJournal};
use willcall::engine::verify::Verify;
use willcall::engine::{Actor, Desk, Engine, Failure, Operation};
use willcall::formats::rows;
use willcall::store::Fault;

/// Rows, and seats of a row.
const ROWS: u32 = 10;
const SEATS: u32 = 20;

/// How many commands are sent at once in a burst.
const BURST: u32 = 12;

/// The answer to a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Told {
    Done,
    Refused,
    Fault(Fault),
}

/// Called with each answer, before the next command is sent.
pub(crate) type Heard = Arc<dyn Fn(CommandId, Told) + Send + Sync>;

/// The house of all proofs: one performance of 200 seats, and three rooms.
#[derive(Clone)]
pub(crate) struct Premises {
    show: PerformanceId,
    rooms: Vec<ResourceId>,
    /// When the performance starts, and the day of the rooms begins.
    start: Instant,
}

pub(crate) struct Clerk {
    pub(crate) desk: Desk,
    dice: Dice,
    house: Premises,
    heard: Heard,
    carts: Vec<CartId>,
    bookings: Vec<BookingId>,
    outs: Vec<BookingId>,
}

pub(crate) fn desk_of(engine: &Engine, station: &str) -> Desk {
    engine.desk(Actor { operator: "ada".into(), station: station.into() })
}

fn told<A>(answer: &Result<A, Failure>) -> Told {
    match answer {
        Ok(_) => Told::Done,
        Err(Failure::Refused(_)) => Told::Refused,
        Err(Failure::Fault(fault)) => Told::Fault(fault.clone()),
    }
}

impl Premises {
    pub(crate) fn build(desk: &Desk) -> Self {
        let theater = desk
            .run(AddTheater {
                name: named("The Royal"),
                plan: rows::parse(&format!("{ROWS}x{SEATS}")).unwrap(),
                time_zone: Some(Tz::UTC),
            })
            .unwrap();
        let day = Span::minutes(24 * 60).millis();
        let start = Instant::from_millis((desk.now().millis() / day + 2) * day);
        let add =
            AddPerformance::new(theater.id, "Movie", (start, start + Span::minutes(120)), vec![NamedPrice::all(1000)]);
        let show = desk.run(add).unwrap().performance.id;
        let rooms = ["Studio", "Gym", "Loft"].map(|name| desk.run(room(name)).unwrap().id);
        Self { show, rooms: rooms.to_vec(), start }
    }
}

/// A name that no other process has given.
fn named(name: &str) -> String {
    format!("{name} {}", CommandId::random())
}

fn room(name: &str) -> AddResource {
    AddResource {
        name: named(name),
        kind: "room".into(),
        parent: None,
        grid: Grid { zone: Tz::UTC, segment: Segment::of_minutes(15).unwrap() },
        policy: Policy::OpenEnded,
        hours: None,
        before: Span::default(),
        after: Span::default(),
        price: Some(Price { minor: 500, currency: Currency::EUR }),
        prices: None,
        count: None,
        properties: std::collections::BTreeMap::default(),
    }
}

fn details() -> Details {
    Details { title: "Yoga".into(), ..Details::default() }
}

impl Clerk {
    pub(crate) fn new(desk: Desk, house: &Premises, (seed, heard): (u64, Heard)) -> Self {
        Self {
            desk,
            dice: Dice(seed),
            house: house.clone(),
            heard,
            carts: Vec::new(),
            bookings: Vec::new(),
            outs: Vec::new(),
        }
    }

    /// One act: a command, a burst of them, or what has come due.
    pub(crate) fn act(&mut self) {
        match self.dice.below(100) {
            0..=17 => self.hold_seats(),
            18..=27 => self.check_out(),
            28..=32 => self.end_cart(),
            33..=36 => self.reserve(),
            37..=44 => self.keep_or_disable(),
            45..=48 => self.wait(),
            49..=60 => self.book(),
            61..=66 => self.hold_time(),
            67..=72 => self.repeat(),
            73..=79 => self.move_booking(),
            80..=83 => self.cancel_booking(),
            84..=90 => self.put_out_of_use(),
            91..=92 => self.till(),
            93 => {
                // a fault of a job is told in the history
                let _ = self.desk.sweep();
            }
            _ => self.burst(),
        }
    }

    fn ask<O: Operation>(&self, operation: O) -> Option<O::Answer> {
        let id = CommandId::random();
        let answer = self.desk.run_as(id, operation);
        (self.heard)(id, told(&answer));
        answer.ok()
    }

    fn one_of<T: Clone>(&mut self, from: &[T]) -> Option<T> {
        let place = self.dice.below(u32::try_from(from.len()).unwrap());
        from.get(usize::try_from(place).unwrap()).cloned()
    }

    fn seats(&mut self) -> Vec<SeatRef> {
        let (row, first) = (self.dice.below(ROWS), self.dice.below(SEATS - 2));
        let count = 1 + self.dice.below(3);
        (first..first + count).map(|seat| SeatRef { row, seat }).collect()
    }

    fn names(&mut self) -> Vec<String> {
        let row = |row: u32| char::from(b'A' + u8::try_from(row).unwrap());
        let seats = self.seats().into_iter();
        seats.map(|seat| format!("{}{}", row(seat.row), seat.seat + 1)).collect()
    }

    fn slot(&mut self) -> Slot {
        let from = i64::from(self.dice.below(92)) * 15;
        let minutes = i64::from(1 + self.dice.below(4)) * 15;
        let from = self.house.start + Span::minutes(from);
        Slot::new(from, from + Span::minutes(minutes)).unwrap()
    }

    fn room(&mut self) -> ResourceId {
        let rooms = self.house.rooms.clone();
        self.one_of(&rooms).unwrap()
    }

    fn cart(&mut self) -> Option<CartId> {
        let place = self.dice.below(u32::try_from(self.carts.len()).unwrap());
        let place = usize::try_from(place).unwrap();
        (place < self.carts.len()).then(|| self.carts.swap_remove(place))
    }

    fn holding(&mut self, cart: Option<CartId>) -> HoldSeats {
        HoldSeats {
            cart,
            performance: self.house.show,
            seats: SeatChoice::Seats(self.seats()),
            ticket_type: None,
            kept: HouseSeats::Refuse,
        }
    }

    fn hold_seats(&mut self) {
        let cart = self.cart();
        let wanted = self.holding(cart);
        let held = self.ask(wanted).map(|cart| cart.id);
        self.carts.extend(held.or(cart));
    }

    fn hold_time(&mut self) {
        let cart = self.cart();
        let wants = vec![SlotWanted { count: None, resource: self.room(), slot: self.slot() }];
        let held = self.ask(HoldSlot { cart, wants, past: Past::Refuse }).map(|cart| cart.id);
        self.carts.extend(held.or(cart));
    }

    fn check_out(&mut self) {
        let Some(cart) = self.cart() else { return };
        self.ask(Checkout::new(cart, vec![Tender::Cash { given: None }]));
    }

    /// Opens the till, moves cash in it, or counts and closes it.
    fn till(&mut self) {
        let price = Price { minor: i64::from(self.dice.below(5000)), currency: Currency::EUR };
        match self.dice.below(4) {
            0 => drop(self.ask(OpenTill { floats: vec![price] })),
            1 => drop(self.ask(CloseTill { counted: vec![price] })),
            2 => drop(self.ask(MoveCash { way: CashWay::Add, amount: price, reason: "change".into() })),
            _ => drop(self.ask(MoveCash { way: CashWay::Drop, amount: price, reason: "bank".into() })),
        }
    }

    fn end_cart(&mut self) {
        if let Some(cart) = self.cart() {
            self.ask(CancelCart { cart });
        }
    }

    fn reserve(&mut self) {
        let Some(cart) = self.cart() else { return };
        self.ask(ReserveCart { cart, customer: Some(weber()), pay_by: PayBy::Usual, alert: None, last: None });
        self.carts.push(cart);
    }

    fn keep_or_disable(&mut self) {
        let performance = self.house.show;
        let (seats, reason) = (self.names(), String::from("press"));
        let which = Which::Performance(performance);
        match self.dice.below(4) {
            0 => {
                let until = self.desk.now() + Span::minutes(60);
                self.ask(KeepSeats { performance, seats, reason, until });
            }
            1 => {
                self.ask(UnkeepSeats { performance, seats });
            }
            2 => {
                self.ask(DisableSeats { which, seats, reason });
            }
            _ => {
                let whose = Whose::Mine;
                self.ask(EnableSeats { which, seats, whose });
            }
        }
    }

    fn wait(&mut self) {
        let performance = self.house.show;
        if self.dice.below(2) == 0 {
            self.ask(OfferSeats { performance });
            return;
        }
        self.ask(AddWaiting { performance, customer: weber(), seats: 2, category: None, priority: None });
    }

    fn book(&mut self) {
        let booked =
            BookSlot { wants: vec![Want::all(vec![self.room()], self.slot())], details: details(), past: Past::Refuse };
        let id = self.ask(booked).map(|booking| booking.id);
        self.bookings.extend(id);
    }

    fn repeat(&mut self) {
        let first = self.slot();
        let later = |slot: Slot, days: i64| {
            let by = Span::minutes(days * 24 * 60);
            Slot::new(slot.from() + by, slot.until() + by).unwrap()
        };
        let booked = BookSeries {
            resources: vec![self.room()],
            any: None,
            slots: (0..3).map(|day| later(first, day)).collect(),
            details: details(),
            conflicts: Conflicts::Skip,
            past: Past::Refuse,
        };
        if let Some(booked) = self.ask(booked) {
            let ids = booked.bookings.iter().map(|booking| booking.id);
            self.bookings.extend(ids);
        }
    }

    fn move_booking(&mut self) {
        let bookings = self.bookings.clone();
        let Some(booking) = self.one_of(&bookings) else {
            return;
        };
        let moving = MoveBooking {
            booking,
            from: None,
            to: Some(self.room()),
            part: None,
            slot: self.slot(),
            reach: Reach::This,
            past: Past::Refuse,
            whose: Whose::Mine,
        };
        self.ask(moving);
    }

    fn cancel_booking(&mut self) {
        let bookings = self.bookings.clone();
        if let Some(booking) = self.one_of(&bookings) {
            self.ask(CancelBooking { booking, reach: Reach::This, whose: Whose::Mine });
        }
    }

    fn put_out_of_use(&mut self) {
        let (resource, slot) = (self.room(), self.slot());
        match self.dice.below(4) {
            0 | 1 => {
                let out = self
                    .ask(TakeOut { reason: "service".into(), ..TakeOut::of(Cause::Maintenance, vec![resource], slot) });
                if let Some(OutOfUse::Slot { booking, .. }) = out {
                    self.outs.push(booking.id);
                }
            }
            2 => {
                let out = self.ask(TakeOut {
                    resources: vec![resource.clone()],
                    count: None,
                    from: None,
                    until: None,
                    cause: Cause::OutOfService,
                    reason: "leak".into(),
                    displace: Displace::Ask,
                    past: Past::Refuse,
                });
                if out.is_some() {
                    let whose = Whose::Mine;
                    self.ask(InService { resource, whose });
                }
            }
            _ => {
                if let Some(id) = self.outs.pop() {
                    let displaced = Vec::new();
                    self.ask(UndoOutOfUse { id, displaced });
                }
            }
        }
    }

    /// Commands that do not wait for each other, so that they commit together and beside the next.
    fn burst(&mut self) {
        let (sender, receiver) = std::sync::mpsc::channel();
        for number in 0..BURST {
            let (id, heard, sender) = (CommandId::random(), Arc::clone(&self.heard), sender.clone());
            if number % 3 == 0 {
                self.desk.submit(id, OpenCart::default(), move |answer| {
                    heard(id, told(&answer));
                    sender.send(answer.ok().map(|cart| cart.id)).unwrap();
                });
            } else {
                let hold = self.holding(None);
                self.desk.submit(id, hold, move |answer| {
                    heard(id, told(&answer));
                    sender.send(answer.ok().map(|cart| cart.id)).unwrap();
                });
            }
        }
        drop(sender);
        self.carts.extend(receiver.iter().flatten());
    }
}

fn weber() -> Customer {
    Customer { name: "Weber".into(), phone: "030 1234".into(), ..Customer::default() }
}

/// The journal from an entry on.
pub(crate) fn journal(desk: &Desk, mut after: i64) -> Vec<EntryView> {
    let mut all = Vec::new();
    loop {
        let page = desk.read(ReadJournal { after, ..ReadJournal::default() }).unwrap();
        let Some(last) = page.last() else { return all };
        after = last.seq;
        all.extend(page);
    }
}

/// The house is whole, and takes another command.
pub(crate) fn is_whole(desk: &Desk) {
    desk.run(OpenCart::default()).unwrap();
    let report = desk.read(Verify::default()).unwrap();
    assert!(report.violations.is_empty(), "{:#?}", report.violations);
}
