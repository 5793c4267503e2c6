//! The oracle: rooms as cells of 15 minutes and performances as rows of seats, each with the number of its owner.

use std::collections::BTreeSet;

use willcall::domain::ids::{BookingId, CartId, PerformanceId, ReceiptId, SeriesId, WaitId};
use willcall::domain::time::Span;

use super::place::FIRST;

/// How many rooms there are, and cells of each.
pub(super) const ROOMS: usize = 3;
pub(super) const CELLS: usize = 96;

/// How many performances there are, which are rows of cells after the rooms, and seats of each.
pub(super) const SHOWS: usize = 2;
pub(super) const SEATS: usize = 10;

/// The owner of a cell, as a number in its list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Owner {
    Nobody,
    Booking(usize),
    Cart(usize),
}

/// The purpose of a booking.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum For {
    Customer,
    /// Maintenance, which asks first.
    Service,
    /// Out of use, which takes.
    Disable,
}

pub(super) struct Booked {
    pub(super) id: BookingId,
    pub(super) purpose: For,
    pub(super) operator: String,
    pub(super) stands: bool,
    /// Whether a part of it was given back or taken.
    pub(super) is_partial: bool,
    /// Its time when it was canceled.
    pub(super) was: Option<Stretch>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ends {
    /// At its deadline, in milliseconds.
    At(i64),
    Canceled,
    /// Ended after its deadline, which no clock that is behind undoes.
    Expired,
    Sold,
}

pub(super) struct InCart {
    pub(super) id: CartId,
    pub(super) ends: Ends,
    pub(super) reserved: bool,
    pub(super) receipt: Option<ReceiptId>,
    /// Whether its tickets lie at the desk.
    pub(super) kept: bool,
}

impl InCart {
    pub(super) fn new(id: CartId, ends: Ends) -> Self {
        Self { id, ends, reserved: false, receipt: None, kept: false }
    }
}

pub(super) struct Show {
    pub(super) id: PerformanceId,
    pub(super) start: i64,
}

/// An entry of a waiting list.
pub(super) struct Waits {
    pub(super) id: WaitId,
    pub(super) show: usize,
    pub(super) seats: usize,
    pub(super) since: i64,
    pub(super) offer: Option<usize>,
    /// Whether a station's jobs found its offer ended, by a clock that may be ahead.
    pub(super) was_late: bool,
    /// Whether it ended otherwise than by its offer.
    pub(super) is_over: bool,
}

/// A room whose days are opened, as days from the first.
#[derive(Default)]
pub(super) struct Days {
    pub(super) horizon: Option<i64>,
    pub(super) open: BTreeSet<i64>,
    pub(super) booked: BTreeSet<i64>,
}

impl Days {
    /// Opens the days from the horizon on, or from today.
    pub(super) fn open_until(&mut self, until: i64, today: i64) {
        let from = self.horizon.unwrap_or(today);
        self.open.extend(from..until);
        self.horizon = Some(from.max(until));
    }

    pub(super) fn close_from(&mut self, from: i64) {
        self.open.retain(|day| *day < from);
        self.horizon = self.horizon.map(|until| until.min(from));
    }
}

/// Cells of one room, or seats of one performance: the first, and how many.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stretch {
    pub(super) room: usize,
    pub(super) from: usize,
    pub(super) count: usize,
}

pub(super) struct Cells {
    owners: Vec<Vec<Owner>>,
    pub(super) bookings: Vec<Booked>,
    pub(super) carts: Vec<InCart>,
    /// For each room out of service, its operator and its first cell.
    pub(super) closed: [Option<(String, usize)>; ROOMS + SHOWS],
    pub(super) shows: Vec<Show>,
    pub(super) waits: Vec<Waits>,
    pub(super) days: Days,
    /// Repeats, with their rooms.
    pub(super) repeats: Vec<(SeriesId, usize)>,
    /// Whether the house is closed on the day of the cells.
    pub(super) is_closed_day: bool,
}

impl Cells {
    pub(super) fn new() -> Self {
        Self {
            owners: [[CELLS; ROOMS].as_slice(), &[SEATS; SHOWS]]
                .concat()
                .into_iter()
                .map(|cells| vec![Owner::Nobody; cells])
                .collect(),
            bookings: Vec::new(),
            carts: Vec::new(),
            closed: [const { None }; ROOMS + SHOWS],
            shows: Vec::new(),
            waits: Vec::new(),
            days: Days::default(),
            repeats: Vec::new(),
            is_closed_day: false,
        }
    }

    pub(super) fn is_live(&self, cart: usize, now: i64) -> bool {
        matches!(self.carts[cart].ends, Ends::At(end) if now < end)
    }

    /// The owner of a cell at a time.
    pub(super) fn owner(&self, room: usize, cell: usize, now: i64) -> Owner {
        match self.owners[room][cell] {
            Owner::Cart(cart) if !self.is_live(cart, now) && self.carts[cart].ends != Ends::Sold => Owner::Nobody,
            owner @ (Owner::Nobody | Owner::Booking(_) | Owner::Cart(_)) => owner,
        }
    }

    fn of(&self, stretch: Stretch, now: i64) -> impl Iterator<Item = Owner> + '_ {
        let cells = stretch.from..stretch.from + stretch.count;
        cells.map(move |cell| self.owner(stretch.room, cell, now))
    }

    /// Whether anybody may book it: it is free, and none of it is over.
    pub(super) fn can_book(&self, stretch: Stretch, now: i64) -> bool {
        !is_past(stretch, now) && self.is_free(stretch, now)
    }

    /// Whether the room is out of service before its end.
    pub(super) fn is_closed(&self, stretch: Stretch) -> bool {
        let from = self.closed[stretch.room].as_ref().map(|(_, from)| *from);
        from.is_some_and(|from| from < stretch.from + stretch.count)
    }

    /// Whether anybody may take it: all of it is free, and the room is in service.
    pub(super) fn is_free(&self, stretch: Stretch, now: i64) -> bool {
        self.is_free_for(stretch, (Owner::Nobody, now))
    }

    /// Whether an owner may take it, who may have some of it.
    pub(super) fn is_free_for(&self, stretch: Stretch, (owner, now): (Owner, i64)) -> bool {
        !self.is_closed(stretch) && self.of(stretch, now).all(|other| other == Owner::Nobody || other == owner)
    }

    /// Whether some of it is out of use by an act.
    pub(super) fn has_act(&self, stretch: Stretch, now: i64) -> bool {
        let is_act = |owner| match owner {
            Owner::Booking(booking) => self.bookings[booking].purpose != For::Customer,
            Owner::Nobody | Owner::Cart(_) => false,
        };
        self.of(stretch, now).any(is_act)
    }

    /// Whether a room has no owner from a cell on.
    pub(super) fn is_empty(&self, room: usize, (from, now): (usize, i64)) -> bool {
        (from..CELLS).all(|cell| self.owner(room, cell, now) == Owner::Nobody)
    }

    /// Gives cells to an owner; late carts that it meets there end whole.
    pub(super) fn take(&mut self, stretch: Stretch, (owner, now): (Owner, i64)) {
        self.meet(stretch, now);
        self.set(stretch, owner);
    }

    /// Ends the late carts that have some of it.
    pub(super) fn meet(&mut self, stretch: Stretch, now: i64) {
        for owner in self.cells_of(stretch).to_vec() {
            if let Owner::Cart(cart) = owner
                && self.is_late(cart, now)
            {
                self.expire(cart);
            }
        }
    }

    pub(super) fn is_late(&self, cart: usize, now: i64) -> bool {
        matches!(self.carts[cart].ends, Ends::At(end) if end <= now)
    }

    pub(super) fn expire(&mut self, cart: usize) {
        self.carts[cart].ends = Ends::Expired;
        self.free(Owner::Cart(cart));
    }

    pub(super) fn set(&mut self, stretch: Stretch, owner: Owner) {
        for cell in stretch.from..stretch.from + stretch.count {
            if let Owner::Booking(lost) = self.owners[stretch.room][cell] {
                self.bookings[lost].is_partial = true;
            }
            self.owners[stretch.room][cell] = owner;
        }
    }

    /// Frees every cell of an owner.
    pub(super) fn free(&mut self, owner: Owner) {
        for cell in self.owners.iter_mut().flatten() {
            if *cell == owner {
                *cell = Owner::Nobody;
            }
        }
    }

    /// The first free cells side by side, so many.
    pub(super) fn run_of(&self, room: usize, (count, now): (usize, i64)) -> Option<Stretch> {
        let last = (self.owners[room].len() + 1).checked_sub(count)?;
        (0..last).map(|from| Stretch { room, from, count }).find(|stretch| self.is_free(*stretch, now))
    }

    /// Performances that a cart has seats of.
    pub(super) fn shows_of(&self, cart: usize) -> impl Iterator<Item = &Show> {
        let seats = self.shows.iter().zip(&self.owners[ROOMS..]);
        seats.filter(move |(_, cells)| cells.contains(&Owner::Cart(cart))).map(|(show, _)| show)
    }

    pub(super) fn cells_of(&self, stretch: Stretch) -> &[Owner] {
        &self.owners[stretch.room][stretch.from..stretch.from + stretch.count]
    }

    pub(super) fn count(&self, owner: Owner) -> usize {
        let cells = self.owners.iter().flatten();
        cells.filter(|other| **other == owner).count()
    }

    /// The first cells that an owner has side by side.
    pub(super) fn stretch_of(&self, owner: Owner) -> Option<Stretch> {
        let (room, cells) = (0..).zip(&self.owners).find(|(_, cells)| cells.contains(&owner))?;
        let from = cells.iter().position(|other| *other == owner)?;
        let rest = cells.iter().skip(from);
        let count = rest.take_while(|other| **other == owner).count();
        Some(Stretch { room, from, count })
    }

    pub(super) fn book(&mut self, booked: Booked, (stretches, now): (&[Stretch], i64)) {
        let owner = Owner::Booking(self.bookings.len());
        self.bookings.push(booked);
        for stretch in stretches {
            self.take(*stretch, (owner, now));
        }
    }
}

/// The number of the cell that an instant lies in.
pub(super) fn cell_at(now: i64) -> i64 {
    (now - FIRST.millis()).div_euclid(15 * 60_000)
}

/// Whether its first cell is over; the one that runs may be taken.
pub(super) fn is_past(stretch: Stretch, now: i64) -> bool {
    i64::try_from(stretch.from).unwrap() < cell_at(now)
}

/// Whether all of a stretch is over.
pub(super) fn is_over(stretch: Stretch, now: i64) -> bool {
    let end = FIRST + Span::minutes(15 * i64::try_from(stretch.from + stretch.count).unwrap());
    end.millis() <= now
}
