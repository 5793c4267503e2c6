//! Bookings in the model of money: rooms by the hour or at an agreed price, paid in carts, changed, and given back.

use std::collections::BTreeSet;

use proptest::option;
use proptest::prelude::{Just, Strategy, prop_oneof};
use willcall::domain::back::{Back, Share};
use willcall::domain::booking::{Booking, BookingState, Details, Taken};
use willcall::domain::house::WorkKind;
use willcall::domain::ids::{BookingId, ReceiptId};
use willcall::domain::money::{Currency, Price};
use willcall::domain::receipt::Receipt;
use willcall::domain::resource::ResourceId;
use willcall::domain::time::{Instant, Slot, Span, hull};
use willcall::engine::ops::{
    AddResource, BookSlot, CancelBooking, ChargeBooking, MoveBooking, Past, Reach, RefundBooking, ReleaseSlot,
    RestoreBooking, Whose,
};
use willcall::engine::reads::bookings::ReadBooking;
use willcall::engine::reads::worklist::ReadWorklist;

use super::super::calendar::{add, booking, resource};
use super::super::support::{House, NOON};
use super::{Ledger, Order, PRICES, Played, Way, price, way};

/// Prices of an hour of the rooms; one has none.
const RATES: [Option<i64>; 3] = [Some(700), Some(400), None];

/// Hours from one on which bookings start, so that they meet.
const HOURS: i64 = 6;

/// Length of an hour in milliseconds.
const HOUR: i64 = Span::minutes(60).millis();

#[derive(Clone, Debug)]
pub(super) enum BookingAct {
    /// Hours of a room, at an agreed price or by the hour.
    Book {
        room: usize,
        hours: (i64, i64),
        agreed: Option<i64>,
    },
    Pay(BookingPaid),
    Cancel,
    Restore,
    Shorten {
        hour: i64,
    },
    Move {
        room: usize,
        first: i64,
    },
    /// What was overpaid, or an amount.
    Refund {
        amount: Option<i64>,
        way: Way,
    },
}

/// A deposit or all that is open, perhaps with a seat in the same cart.
#[derive(Clone, Copy, Debug)]
pub(super) struct BookingPaid {
    amount: Option<i64>,
    seat: Option<(usize, u32)>,
    way: Way,
}

pub(super) fn act(seats: u32) -> impl Strategy<Value = BookingAct> {
    let room = || 0..RATES.len();
    let seat = move || option::of((0..PRICES.len(), 0..seats));
    let amount = || option::of(0..1500_i64);
    prop_oneof![
        4 => (room(), 0..HOURS, 1..4_i64, option::weighted(0.3, 1..3000_i64))
            .prop_map(|(room, first, count, agreed)| BookingAct::Book { room, hours: (first, count), agreed }),
        6 => (amount(), seat(), way()).prop_map(|(amount, seat, way)| BookingAct::Pay(BookingPaid { amount, seat, way })),
        1 => Just(BookingAct::Cancel),
        1 => Just(BookingAct::Restore),
        2 => (0..HOURS).prop_map(|hour| BookingAct::Shorten { hour }),
        3 => (room(), 0..HOURS).prop_map(|(room, first)| BookingAct::Move { room, first }),
        2 => (amount(), way()).prop_map(|(amount, way)| BookingAct::Refund { amount, way }),
    ]
}

/// A booking as the model has it.
#[derive(Clone, Debug)]
pub(super) struct Booked {
    id: BookingId,
    room: usize,
    /// Hours that it has, or had when it was canceled.
    hours: BTreeSet<i64>,
    price: Option<i64>,
    canceled: bool,
    /// Money that was paid and not given back, by receipt, oldest first.
    paid: Vec<(ReceiptId, i64)>,
}

impl Booked {
    fn paid(&self) -> i64 {
        self.paid.iter().map(|(_, minor)| minor).sum()
    }

    fn open(&self) -> i64 {
        let price = self.price.filter(|_| !self.canceled);
        price.unwrap_or(0) - self.paid()
    }

    fn overpaid(&self) -> i64 {
        (-self.open()).max(0)
    }

    fn by_the_hour(&self) -> Option<i64> {
        let count = i64::try_from(self.hours.len()).unwrap();
        RATES[self.room].map(|rate| rate * count)
    }

    /// Changes its time; the price follows unless it was agreed.
    fn change(&mut self, room: usize, hours: BTreeSet<i64>) {
        let follows = self.price == self.by_the_hour();
        self.room = room;
        self.hours = hours;
        if follows {
            self.price = self.by_the_hour();
        }
    }
}

/// The rooms, on the books of a house.
pub(super) fn rooms(house: &House) -> Vec<ResourceId> {
    let room = |(number, rate): (usize, &Option<i64>)| {
        let wanted = AddResource { price: rate.map(euros), ..resource(&format!("Room {number}"), 60) };
        add(house, wanted)
    };
    RATES.iter().enumerate().map(room).collect()
}

fn euros(minor: i64) -> Price {
    Price { minor, currency: Currency::EUR }
}

/// The hour that others are counted from.
fn first_hour() -> Instant {
    NOON + Span::minutes(90 * 24 * 60)
}

/// Some hours from one on.
fn slot(first: i64, count: i64) -> Slot {
    let from = first_hour() + Span::minutes(first * 60);
    Slot::new(from, from + Span::minutes(count * 60)).unwrap()
}

/// Number of the hour that a slot begins with.
fn hour(slot: Slot) -> i64 {
    slot.from().since(first_hour()).millis() / HOUR
}

/// The hours that a booking has.
fn hours(booking: &Booking) -> BTreeSet<i64> {
    let slots = booking.asked().flat_map(Taken::kept);
    let of = |slot: Slot| (0..slot.span().millis() / HOUR).map(move |after| hour(slot) + after);
    slots.flat_map(of).collect()
}

impl Played {
    pub(super) fn booking_step(&mut self, at: usize, (index, act): (usize, &BookingAct)) {
        if let BookingAct::Book { room, hours, agreed } = act {
            return self.book(at, (*room, *hours), *agreed);
        }
        if self.booked.is_empty() {
            return;
        }
        let index = index % self.booked.len();
        let id = self.booked[index].id;
        match act {
            BookingAct::Book { .. } => {}
            BookingAct::Pay(pay) => self.pay_booking(at, index, *pay),
            BookingAct::Cancel => {
                let cancel = CancelBooking { booking: id, reach: Reach::This, whose: Whose::Mine };
                self.run(at, cancel, true);
                self.booked[index].canceled = true;
            }
            BookingAct::Restore => self.restore(at, index),
            BookingAct::Shorten { hour } => self.shorten(at, index, *hour),
            BookingAct::Move { room, first } => self.move_booking(at, index, (*room, *first)),
            BookingAct::Refund { amount, way } => {
                let of = &self.booked[index];
                let minor = amount.unwrap_or(of.overpaid());
                let allowed = minor > 0 && minor <= of.paid();
                let (back, may) = self.back_of_booking(index, (*way, minor));
                let share = amount.map_or(Share::All, Share::Only);
                let refund = RefundBooking { booking: id, back, share, reason: "ill".into(), cancels: None };
                if let Some(issued) = self.run(at, refund, allowed && may) {
                    self.gave_of_booking(at, (index, minor), (*way, &issued));
                }
            }
        }
    }

    /// The means of giving an amount of a booking back in a way; returns whether they may give that.
    pub(super) fn back_of_booking(&self, index: usize, (way, minor): (Way, i64)) -> (Back, bool) {
        // of each receipt no more goes back than it paid for the booking
        let mut all = Ledger::default();
        let mut to_card = if way == Way::Both { minor / 2 } else { 0 };
        for (receipt, part) in self.booked[index].paid.iter().rev() {
            let order = self.orders.iter().find(|order| order.receipt == *receipt).unwrap();
            let ledger = &self.ledgers[order.ledger];
            let cards = ledger.cards.iter().map(|(reference, left)| (reference.clone(), *left.min(part)));
            let has_latest = all.cards.is_empty() && !ledger.cards.is_empty();
            all.cards.splice(0..0, cards);
            let to_card = if has_latest { std::mem::take(&mut to_card) } else { 0 };
            all.cash += ledger.cash.min((part - to_card).max(0));
        }
        all.by(way, minor)
    }

    /// Returns whether no other booking has one of the hours.
    fn are_free(&self, mine: Option<usize>, (room, hours): (usize, &BTreeSet<i64>)) -> bool {
        let others = self.booked.iter().enumerate();
        let mut others = others.filter(|(index, one)| Some(*index) != mine && !one.canceled);
        !others.any(|(_, one)| one.room == room && !one.hours.is_disjoint(hours))
    }

    fn book(&mut self, at: usize, (room, (first, count)): (usize, (i64, i64)), agreed: Option<i64>) {
        let hours: BTreeSet<i64> = (first..first + count).collect();
        let allowed = self.are_free(None, (room, &hours));
        let wanted = booking(&self.rooms[room], "Rehearsal", slot(first, count));
        let wanted = BookSlot { details: Details { price: agreed.map(euros), ..wanted.details }, ..wanted };
        if let Some(booking) = self.run(at, wanted, allowed) {
            let mut booked = Booked { id: booking.id, room, hours, price: agreed, canceled: false, paid: Vec::new() };
            booked.price = agreed.or_else(|| booked.by_the_hour());
            self.booked.push(booked);
        }
    }

    fn pay_booking(&mut self, at: usize, index: usize, BookingPaid { amount, seat, way }: BookingPaid) {
        let of = &self.booked[index];
        let minor = amount.unwrap_or(of.open());
        let allowed = !of.canceled && of.price.is_some() && minor > 0 && minor <= of.open();
        let charge = ChargeBooking { cart: None, booking: of.id, amount };
        let Some(cart) = self.run(at, charge, allowed) else {
            return;
        };
        let mut bought = (0, Vec::new());
        if let Some((night, number)) = seat {
            let free = self.is_free(night, number) && !self.canceled[night];
            let hold = self.holding(Some(cart.id), (night, &[number]));
            if self.run(at, hold, free).is_some() {
                bought = (night, vec![number]);
            }
        }
        let seats = price(bought.0, &bought.1);
        let (receipt, ledger) = self.check_out(at, (cart.id, seats + minor), way);
        self.orders.push(Order { booked: minor, ..self.order(receipt, bought, seats) });
        self.ledgers.push(ledger);
        self.booked[index].paid.push((receipt, minor));
    }

    fn restore(&mut self, at: usize, index: usize) {
        let of = &self.booked[index];
        let free = self.are_free(Some(index), (of.room, &of.hours));
        let allowed = !of.canceled || (free && !of.hours.is_empty());
        let restore = RestoreBooking { bookings: vec![of.id] };
        if self.run(at, restore, allowed).is_some() {
            self.booked[index].canceled = false;
        }
    }

    fn shorten(&mut self, at: usize, index: usize, hour: i64) {
        let of = &self.booked[index];
        let allowed = !of.canceled && of.hours.contains(&hour);
        let release = ReleaseSlot { booking: of.id, resource: None, slot: slot(hour, 1), whose: Whose::Mine };
        if self.run(at, release, allowed).is_some() {
            let of = &mut self.booked[index];
            let mut rest = of.hours.clone();
            rest.remove(&hour);
            if rest.is_empty() {
                of.canceled = true;
                of.hours = rest;
            } else {
                of.change(of.room, rest);
            }
        }
    }

    /// Moves a booking; its first stretch goes to the new time, and the others keep their distance.
    fn move_booking(&mut self, at: usize, index: usize, (room, first): (usize, i64)) {
        let of = &self.booked[index];
        let stretch = self.read(of.id).asked().find_map(|one| hull(&one.kept()));
        let (start, count) = stretch.map_or((0, 1), |one| (hour(one), one.span().millis() / HOUR));
        let hours: BTreeSet<i64> = of.hours.iter().map(|hour| hour - start + first).collect();
        let allowed = !of.canceled && self.are_free(Some(index), (room, &hours));
        let moving = MoveBooking {
            booking: of.id,
            from: None,
            to: Some(self.rooms[room].clone()),
            part: None,
            slot: slot(first, count),
            reach: Reach::This,
            past: Past::Refuse,
            whose: Whose::Mine,
        };
        if self.run(at, moving, allowed).is_some() {
            self.booked[index].change(room, hours);
        }
    }

    fn read(&self, id: BookingId) -> Booking {
        self.house.desk.read(ReadBooking(id)).unwrap().booking
    }

    /// The booking of an item of the worklist.
    pub(super) fn booking_of(&self, id: BookingId) -> usize {
        let mut booked = self.booked.iter();
        booked.position(|one| one.id == id).unwrap()
    }

    /// What was overpaid for a booking.
    pub(super) fn overpaid(&self, index: usize) -> i64 {
        self.booked[index].overpaid()
    }

    /// Notes money of a booking that was given back, by a receipt for each that paid.
    pub(super) fn gave_of_booking(
        &mut self,
        at: usize,
        (index, minor): (usize, i64),
        (way, issued): (Way, &[Receipt]),
    ) {
        let mut rest = minor;
        for receipt in issued {
            let of = receipt.correction.as_ref().unwrap().of[0];
            let order = self.orders.iter().position(|order| order.receipt == of).unwrap();
            let part = self.paid_back(at, order, (way, receipt));
            let paid = &mut self.booked[index].paid;
            let (_, left) = paid.iter_mut().find(|(receipt, _)| *receipt == of).unwrap();
            *left -= part;
            assert!(*left >= 0, "more than it paid for the booking");
            paid.retain(|(_, left)| *left > 0);
            self.orders[order].booked -= part;
            rest -= part;
        }
        assert_eq!(rest, 0, "not given back");
    }

    /// The bookings are as the model has them, and what was overpaid is on the worklist.
    pub(super) fn bookings_hold(&self) {
        for booked in &self.booked {
            let booking = self.read(booked.id);
            let payments = booking.payments.iter();
            let paid: Vec<_> = payments.map(|one| (one.receipt, one.minor)).collect();
            assert_eq!(paid, booked.paid, "paid for a booking");
            let price = booking.price.map(|price| price.minor);
            let is_canceled = booking.state == BookingState::Canceled;
            assert_eq!((price, is_canceled), (booked.price, booked.canceled), "its price");
            let expected = if is_canceled { BTreeSet::new() } else { booked.hours.clone() };
            assert_eq!(hours(&booking), expected, "its hours");
        }
        let items = self.house.desk.read(ReadWorklist).unwrap();
        let listed = |view: willcall::engine::reads::worklist::WorkView| match view.item.what {
            WorkKind::Overpaid { booking, minor, .. } => Some((booking, minor)),
            WorkKind::Displaced { .. }
            | WorkKind::UnissuedPayment { .. }
            | WorkKind::Overridden { .. }
            | WorkKind::Differs { .. } => None,
        };
        let listed: BTreeSet<_> = items.into_iter().filter_map(listed).collect();
        let over = self.booked.iter().filter(|one| one.overpaid() > 0);
        let over: BTreeSet<_> = over.map(|one| (one.id, one.overpaid())).collect();
        assert_eq!(listed, over, "overpaid");
    }
}
