//! Bookings: cells taken by one act, for a customer or another purpose.
//!
//! A booking takes slots of resources; a disable takes these, or seats of a performance. Chunks hold only claims; who it
//! is for, why, what was wanted and what it costs live here. A booking's claims are exactly its live cells; ending it
//! keeps the requested slots, and no live cell.

use serde::{Deserialize, Serialize};

use crate::domain::customer::Customer;
use crate::domain::ids::{BookingId, CustomerId, PerformanceId, ReceiptId, SeriesId};
use crate::domain::is_default;
use crate::domain::loss::CellGroup;
use crate::domain::money::Price;
use crate::domain::owner::Owner;
use crate::domain::plan::SeatRef;
use crate::domain::private;
use crate::domain::resource::ResourceId;
use crate::domain::seat_runs;
use crate::domain::time::{Instant, Slot, common, hull, joined, subtract};

mod units;

pub use crate::domain::cause::Cause;
pub use units::{joined_units, layers};

/// Cells taken by one act.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Booking {
    pub id: BookingId,
    pub cause: Cause,
    pub state: BookingState,
    /// The title; for time out of use, the reason. Empty if its customer's name stands for it.
    #[serde(with = "private")]
    pub title: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub customer: Option<CustomerId>,
    #[serde(default, skip_serializing_if = "String::is_empty", with = "private")]
    pub note: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub price: Option<Price>,
    pub taken: Vec<Taken>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seats: Option<TakenSeats>,
    /// Later disables of the same operator on some of its cells, which get those when it ends.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub overlaps: Vec<BookingId>,
    /// Series of the booking.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub series: Option<SeriesId>,
    pub operator: String,
    /// Operator who approved it, where that one alone may not do it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub approved: Option<String>,
    pub created_at: Instant,
    /// Payments by receipts, less what was given back of each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub payments: Vec<BookingPayment>,
    /// Fee that the house keeps of what was paid, beside the price, in minor units.
    #[serde(default, skip_serializing_if = "is_default")]
    pub kept: i64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub checked_in_at: Option<Instant>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub checked_out_at: Option<Instant>,
    /// Name in the imported calendar, so that a second import does not add it again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub imported_as: Option<String>,
    /// Calendar that it follows, and its time there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub brought: Option<Brought>,
}

/// Time that a booking was brought for, by a calendar that is followed or was imported once.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Brought {
    /// Calendar that is followed; empty for a file that was imported once.
    pub calendar: String,
    /// As the file last gave it.
    pub slot: Slot,
}

/// Payment of a booking by a receipt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BookingPayment {
    pub receipt: ReceiptId,
    /// Amount in minor units, less what was given back of it.
    pub minor: i64,
}

/// Bookings that were made together by one repeat, with what a later one needs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Series {
    pub id: SeriesId,
    pub details: Details,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub customer: Option<CustomerId>,
    /// Resources that each booking takes; the slots differ.
    pub resources: Vec<ResourceId>,
    /// Further resources chosen per date from a set, those that are free on most dates first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub any: Option<AnyOf>,
    /// The slots that were left out, because something stood there; they can be added later.
    pub skipped: Vec<Slot>,
}

/// A number of resources to choose from a set.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AnyOf {
    /// The resources; of those that are equal, the first named is taken first.
    pub of: Vec<ResourceId>,
    pub count: u32,
}

/// Details of a booking, without its time.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Details {
    #[serde(default, with = "private")]
    pub title: String,
    /// The customer; stored in a record of its own.
    #[serde(default, skip_serializing_if = "Customer::is_unknown")]
    pub customer: Customer,
    #[serde(default, skip_serializing_if = "String::is_empty", with = "private")]
    pub note: String,
    /// The price; the sum of the segments' prices when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub price: Option<Price>,
}

/// State of a booking.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum BookingState {
    /// Active; a disable may have taken some or all of its slots.
    Active,
    /// Canceled, or enabled again; takes no time.
    Canceled,
}

/// The seats that a disable takes of one performance.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TakenSeats {
    pub performance: PerformanceId,
    /// Seats kept out of use, sorted.
    #[serde(with = "seat_runs")]
    pub wanted: Vec<SeatRef>,
    /// Seats claimed by this disable; other acts of its operator claim the rest.
    #[serde(with = "seat_runs")]
    pub live: Vec<SeatRef>,
    /// The entry of the theater's list of broken seats that made it; none for an act on this performance alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub standing: Option<BookingId>,
}

/// The time that a booking takes of one resource.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Taken {
    pub resource: ResourceId,
    pub wanted: Slot,
    /// The requested slot on the resource's grid, without buffers.
    pub core: Slot,
    /// Number of units, of a counted resource.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub number: u32,
    /// Claimed slots, buffers included, sorted.
    pub live: Vec<Slot>,
    /// The resource that was asked for, when this one was taken as a part of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub part_of: Option<ResourceId>,
    /// Parts of the core that were given back; their cells stay claimed only as buffers of the rest.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub given: Vec<Slot>,
}

const fn one() -> u32 {
    1
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands it on so")]
const fn is_one(number: &u32) -> bool {
    *number == 1
}

impl Taken {
    /// Claimed time without its buffers: the time that is listed and priced.
    pub fn kept(&self) -> Vec<Slot> {
        common(&self.asked_for(), &self.live)
    }

    /// Removes slots of its resource from the live ones.
    pub fn lose(&mut self, resource: &ResourceId, slots: &[Slot]) {
        if self.resource == *resource {
            self.live = subtract(&self.live, slots);
        }
    }

    /// The core without slots given back: live slots, and slots that a disable took.
    pub fn asked_for(&self) -> Vec<Slot> {
        subtract(&[self.core], &self.given)
    }

    /// The requested slots that a move takes elsewhere.
    pub fn still_wanted(&self) -> Vec<Slot> {
        let stretches = self.asked_for().into_iter();
        stretches.map(|stretch| self.as_wanted(stretch)).collect()
    }

    /// Stretches that were not given back, each with the requested time of all, and with the live slots up to the next
    /// stretch, which include its buffers.
    pub fn stretches(&self) -> Vec<(Slot, Slot, Vec<Slot>)> {
        let asked = self.asked_for();
        let Some(all) = hull(&self.live) else {
            return Vec::new();
        };
        let next = asked.iter().skip(1).map(Slot::from).chain([all.until()]);
        let wanted = hull(&self.still_wanted()).unwrap_or(self.wanted);
        let mut from = all.from();
        let mut out = Vec::with_capacity(asked.len());
        for (stretch, until) in asked.iter().zip(next) {
            let here = Slot::new(from, until).map_or_else(|_| Vec::new(), |here| vec![here]);
            out.push((wanted, *stretch, common(&self.live, &here)));
            from = until;
        }
        out
    }

    /// Requested time of a part of the core: at the edges of the core, the requested start and end.
    pub fn as_wanted(&self, stretch: Slot) -> Slot {
        let from = if stretch.from() == self.core.from() { self.wanted.from() } else { stretch.from() };
        let until = if stretch.until() == self.core.until() { self.wanted.until() } else { stretch.until() };
        Slot::new(from, until).unwrap_or(stretch)
    }
}

impl Series {
    /// The resource whose local time it is in.
    pub fn first(&self) -> Option<&ResourceId> {
        let any = self.any.iter().flat_map(|any| &any.of);
        self.resources.iter().chain(any).next()
    }
}

impl Booking {
    /// The owner of its cells.
    pub fn owner(&self) -> Owner {
        self.cause.owner(self.id, &self.operator)
    }

    /// Amount paid and not given back, in minor units.
    pub fn paid(&self) -> i64 {
        self.payments.iter().map(|payment| payment.minor).sum()
    }

    /// Price and fee less what was paid, in minor units; below zero if too much was. A canceled one costs its fee alone.
    pub fn open(&self) -> i64 {
        let stands = self.price.filter(|_| self.state == BookingState::Active);
        stands.map_or(0, |price| price.minor) + self.kept - self.paid()
    }

    /// Amount paid beyond price and fee, in minor units.
    pub fn overpaid(&self) -> i64 {
        (-self.open()).max(0)
    }

    /// All seats that a disable keeps out of use, sorted.
    pub fn wanted_seats(&self) -> &[SeatRef] {
        self.seats.as_ref().map_or(&[], |seats| &seats.wanted)
    }

    /// Returns whether a disable keeps a seat out of use.
    pub fn wants(&self, seat: SeatRef) -> bool {
        self.wanted_seats().contains(&seat)
    }

    /// The entry of the theater's list that made a disable.
    pub fn standing(&self) -> Option<BookingId> {
        self.seats.as_ref().and_then(|seats| seats.standing)
    }

    /// Adds cells to the live ones of a disable.
    pub fn gain(&mut self, cells: CellGroup) {
        match cells {
            CellGroup::Seats { seats, .. } => {
                self.seats.iter_mut().for_each(|mine| mine.live.extend(&seats));
            }
            CellGroup::Time { resource, slots } => {
                let mine = self.taken.iter_mut().filter(|one| one.resource == resource);
                for taken in mine {
                    taken.live = joined([taken.live.as_slice(), &slots].concat());
                }
            }
        }
    }

    /// Ends it: no cell is live, and no seat wanted.
    pub fn end(&mut self) {
        self.state = BookingState::Canceled;
        self.taken.iter_mut().for_each(|taken| taken.live.clear());
        if let Some(seats) = &mut self.seats {
            (seats.wanted, seats.live) = (Vec::new(), Vec::new());
        }
    }

    /// Ends a disable on some of its seats.
    pub fn end_on(&mut self, ended: &[SeatRef]) {
        if let Some(seats) = &mut self.seats {
            seats.wanted.retain(|seat| !ended.contains(seat));
            seats.live.retain(|seat| !ended.contains(seat));
        }
        if self.wanted_seats().is_empty() {
            self.end();
        }
    }

    /// Title, or the name of its customer where it has none.
    pub fn title_for<'a>(&'a self, customer: &'a Customer) -> &'a str {
        [self.title.as_str(), customer.name.as_str()]
            .into_iter()
            .find(|title| !title.is_empty())
            .unwrap_or_else(|| self.cause.word())
    }

    /// The time taken of the requested resources, without their parts.
    pub fn asked(&self) -> impl Iterator<Item = &Taken> {
        self.taken.iter().filter(|taken| taken.part_of.is_none())
    }

    /// Requested resource of a lost one (itself, or the whole it is a part of), with the time still wanted of it.
    pub fn asked_for(&self, lost: &ResourceId) -> Option<(ResourceId, Slot)> {
        let mut taken = self.taken.iter();
        let taken = taken.find(|taken| taken.resource == *lost)?;
        let asked = taken.part_of.as_ref().unwrap_or(lost);
        let mut all = self.asked();
        let wanted = all.find(|taken| taken.resource == *asked)?.still_wanted();
        Some((asked.clone(), hull(&wanted)?))
    }

    /// Requested time from its first instant to its last, without parts given back at the ends; `None` if it took nothing.
    pub fn extent(&self) -> Option<Slot> {
        let still: Vec<Slot> = self.taken.iter().flat_map(Taken::still_wanted).collect();
        hull(&still).or_else(|| {
            let wanted: Vec<Slot> = self.taken.iter().map(|taken| taken.wanted).collect();
            hull(&wanted)
        })
    }

    /// Time of a resource to list, without its buffers: the time the booking still has. A canceled booking lists the time it
    /// had; a disable lists all time it keeps out of use, also under another act of its operator.
    pub fn listed(&self, taken: &Taken) -> Vec<Slot> {
        if self.state == BookingState::Canceled || self.cause == Cause::Disable {
            taken.asked_for()
        } else {
            taken.kept()
        }
    }

    /// Returns whether it takes time: it has a slot left, or is a disable of time that has not ended.
    pub fn stands(&self) -> bool {
        let wants = self.cause == Cause::Disable && self.state == BookingState::Active;
        self.is_live() || (wants && self.seats.is_none())
    }

    /// Returns whether it has any slot left.
    pub fn is_live(&self) -> bool {
        self.taken.iter().any(|taken| !taken.live.is_empty())
    }
}
