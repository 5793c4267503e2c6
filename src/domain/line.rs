//! Lines: some cells of one resource at one price, the same in a cart, on a receipt and in what is read of them.
//!
//! A line's claims are exactly what its goods still have: [`Goods::seats`], and the live slots of [`Goods::taken`].

use serde::{Deserialize, Serialize};

use crate::domain::booking::Taken;
use crate::domain::ids::{BookingId, CartId, LineId, PerformanceId};
use crate::domain::is_default;
use crate::domain::loss::CellGroup;
use crate::domain::money::{self, MoneyError};
use crate::domain::owner::Owner;
use crate::domain::plan::SeatRef;
use crate::domain::prices::{self, PricePart};
use crate::domain::resource::ResourceId;
use crate::domain::seat_runs;
use crate::domain::tax::Rate;
use crate::domain::time::{Slot, subtract};

/// Some cells of one resource at one price.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Line {
    /// Counted from 1, never used twice in a cart; with the cart it is the line's id.
    pub number: u32,
    pub goods: Goods,
    /// The ticket type; time has none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub kind: String,
    /// Given away: its ticket type was one of the comps at the time of the hold.
    #[serde(default, skip_serializing_if = "is_default")]
    pub comp: bool,
    /// Price of one seat, or of the first segment, at the time of the hold, in minor units.
    pub unit_price: i64,
    /// Number of charged seats or segments; on a receipt those that were issued.
    pub count: u32,
    /// Parts of the price, where rules of a list made it at the time of the hold.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<PricePart>,
    /// Rate of the tax within its price, since it was sold; none if the house has no rates.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tax: Option<Rate>,
    /// Time that had come back before these units got a line of their own.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub given_before: Vec<Slot>,
}

/// The cells of a line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Goods {
    Seats {
        performance: PerformanceId,
        /// The seats that the line has, sorted.
        #[serde(with = "seat_runs")]
        seats: Vec<SeatRef>,
        /// The seats that were taken from it after they were paid.
        #[serde(default, skip_serializing_if = "Vec::is_empty", with = "seat_runs")]
        lost: Vec<SeatRef>,
        /// The seats that came back to the desk after they were paid.
        #[serde(default, skip_serializing_if = "Vec::is_empty", with = "seat_runs")]
        returned: Vec<SeatRef>,
    },
    Time {
        resource: ResourceId,
        wanted: Slot,
        /// Time taken: of the requested resource first, then of each of its parts; never empty.
        taken: Vec<Taken>,
    },
    /// A payment for a booking, which has the time itself.
    Booking { booking: BookingId },
}

impl Goods {
    /// The performance of seats.
    pub const fn performance(&self) -> Option<PerformanceId> {
        match self {
            Self::Seats { performance, .. } => Some(*performance),
            Self::Time { .. } | Self::Booking { .. } => None,
        }
    }

    /// Seats of the line; empty for time.
    pub fn seats(&self) -> &[SeatRef] {
        match self {
            Self::Seats { seats, .. } => seats,
            Self::Time { .. } | Self::Booking { .. } => &[],
        }
    }

    /// The seats that were taken from it after they were paid.
    pub fn lost(&self) -> &[SeatRef] {
        match self {
            Self::Seats { lost, .. } => lost,
            Self::Time { .. } | Self::Booking { .. } => &[],
        }
    }

    /// The seats that came back to the desk after they were paid.
    pub fn returned(&self) -> &[SeatRef] {
        match self {
            Self::Seats { returned, .. } => returned,
            Self::Time { .. } | Self::Booking { .. } => &[],
        }
    }

    /// The cells that can come back: those it has and those it lost; of time only the requested resource's.
    pub fn returnable(&self) -> Option<CellGroup> {
        let seats = [self.seats(), self.lost()].concat();
        self.cells(seats, Taken::asked_for)
    }

    /// Cells of the line; for time, those of the requested resource.
    pub fn live(&self) -> Option<CellGroup> {
        self.cells(self.seats().to_vec(), Taken::kept)
    }

    /// The cells that came back to the desk after they were paid; of time only the requested resource's.
    pub fn came_back(&self) -> Option<CellGroup> {
        let given = |asked: &Taken| asked.given.clone();
        self.cells(self.returned().to_vec(), given)
    }

    /// Some of its seats, or some slots of its requested resource; none for a payment of a booking.
    fn cells(&self, seats: Vec<SeatRef>, slots: impl FnOnce(&Taken) -> Vec<Slot>) -> Option<CellGroup> {
        match self {
            Self::Seats { performance, .. } => Some(CellGroup::Seats { performance: *performance, seats }),
            Self::Time { resource, taken, .. } => {
                Some(CellGroup::Time { resource: resource.clone(), slots: taken.first().map_or_else(Vec::new, slots) })
            }
            Self::Booking { .. } => None,
        }
    }

    /// The seats that were issued, sorted: those it has, those it lost, and those that came back.
    pub fn issued(&self) -> Vec<SeatRef> {
        let mut issued = [self.seats(), self.lost(), self.returned()].concat();
        issued.sort_unstable();
        issued
    }

    /// Time of the line; empty for seats.
    pub fn taken(&self) -> &[Taken] {
        match self {
            Self::Seats { .. } | Self::Booking { .. } => &[],
            Self::Time { taken, .. } => taken,
        }
    }

    /// True for a payment of a booking.
    pub fn pays(&self, wanted: BookingId) -> bool {
        matches!(self, Self::Booking { booking } if *booking == wanted)
    }

    /// True for a payment for a booking.
    pub const fn is_payment(&self) -> bool {
        matches!(self, Self::Booking { .. })
    }

    /// True for time of a resource, and for a payment of a booking.
    pub const fn is_time(&self) -> bool {
        matches!(self, Self::Time { .. } | Self::Booking { .. })
    }

    /// Takes cells from what it has.
    pub fn take(&mut self, cells: &CellGroup) {
        match (self, cells) {
            (Self::Seats { seats, .. }, CellGroup::Seats { seats: gone, .. }) => {
                seats.retain(|seat| !gone.contains(seat));
            }
            (Self::Time { taken, .. }, CellGroup::Time { resource, slots }) => {
                for one in taken {
                    one.lose(resource, slots);
                }
            }
            (Self::Seats { .. }, CellGroup::Time { .. })
            | (Self::Time { .. }, CellGroup::Seats { .. })
            | (Self::Booking { .. }, _) => {}
        }
    }

    /// Takes cells that were paid: seats among them are its lost ones then.
    pub fn lose(&mut self, cells: &CellGroup) {
        self.take(cells);
        if let (Self::Seats { lost, .. }, CellGroup::Seats { seats, .. }) = (self, cells) {
            lost.extend(seats);
        }
    }

    /// Has seats again that it lost; false, and nothing changed, if it has not lost all of these.
    pub fn regain(&mut self, cells: &CellGroup) -> bool {
        let (Self::Seats { performance, seats, lost, .. }, CellGroup::Seats { performance: of, seats: again }) =
            (self, cells)
        else {
            return false;
        };
        let all = performance == of && again.iter().all(|seat| lost.contains(seat));
        if all {
            lost.retain(|seat| !again.contains(seat));
            seats.extend(again);
            seats.sort_unstable();
        }
        all
    }
}

impl Line {
    /// Seats of one ticket type and price.
    pub fn of_seats(performance: PerformanceId, (kind, unit_price): (&str, i64), mut seats: Vec<SeatRef>) -> Self {
        seats.sort_unstable();
        Self {
            number: 0,
            count: count(&seats),
            goods: Goods::Seats { performance, seats, lost: Vec::new(), returned: Vec::new() },
            kind: kind.to_owned(),
            comp: false,
            unit_price,
            parts: Vec::new(),
            tax: None,
            given_before: Vec::new(),
        }
    }

    /// Its id in a cart and on the cart's receipt.
    pub const fn id(&self, cart: CartId) -> LineId {
        LineId { cart, number: self.number }
    }

    /// The owner of its cells.
    pub const fn owner(&self, cart: CartId) -> Owner {
        Owner::Line(self.id(cart))
    }

    /// The price of all that is charged, in minor units.
    pub fn total(&self) -> Result<i64, MoneyError> {
        if self.parts.is_empty() { money::times(self.unit_price, self.count) } else { prices::total(&self.parts) }
    }

    /// Number of units of a counted resource; one of any other.
    pub fn units(&self) -> u32 {
        self.goods.taken().first().map_or(1, |asked| asked.number)
    }

    /// Gives it another number of units at the same price of one.
    pub fn set_units(&mut self, units: u32) -> Result<(), MoneyError> {
        let before = i64::from(self.units().max(1));
        let each = |minor: i64| money::times(minor / before, units);
        self.unit_price = each(self.unit_price)?;
        for part in &mut self.parts {
            part.each = each(part.each)?;
        }
        if let Goods::Time { taken, .. } = &mut self.goods {
            for one in taken {
                one.number = units;
            }
        }
        Ok(())
    }

    /// The cells that came back to the desk as this line's.
    pub fn came_back(&self) -> Option<CellGroup> {
        let mut cells = self.goods.came_back()?;
        if let CellGroup::Time { slots, .. } = &mut cells {
            *slots = subtract(slots, &self.given_before);
        }
        Some(cells)
    }

    /// Adds seats to a line that is not paid yet; returns its number.
    pub fn gain(&mut self, seats: &[SeatRef]) -> u32 {
        if let Goods::Seats { seats: mine, .. } = &mut self.goods {
            mine.extend(seats);
            mine.sort_unstable();
        }
        self.count = self.seat_count();
        self.number
    }

    /// Takes seats out of a line that is not paid yet.
    pub fn give_up(&mut self, seats: &[SeatRef]) {
        if let Goods::Seats { seats: mine, .. } = &mut self.goods {
            mine.retain(|seat| !seats.contains(seat));
        }
        self.count = self.seat_count();
    }

    /// Number of seats; 0 for time.
    pub fn seat_count(&self) -> u32 {
        count(self.goods.seats())
    }
}

/// Ticket type of an owner's line; none of time, and of an owner that has none of these lines.
pub fn ticket_type(lines: &[Line], owner: &Owner) -> Option<String> {
    let Owner::Line(id) = owner else {
        return None;
    };
    let line = lines.iter().find(|line| line.number == id.number)?;
    Some(line.kind.clone()).filter(|kind| !kind.is_empty())
}

/// The performance and the seats of each line that still has seats.
pub fn seated(lines: &[Line]) -> impl Iterator<Item = (PerformanceId, &[SeatRef])> + Clone {
    lines
        .iter()
        .filter(|line| !line.goods.seats().is_empty())
        .filter_map(|line| Some((line.goods.performance()?, line.goods.seats())))
}

/// The line that a list names an order by: the first one of seats, else the first.
pub fn leading(lines: &[Line]) -> Option<&Line> {
    lines.iter().min_by_key(|line| line.goods.is_time())
}

fn count(seats: &[SeatRef]) -> u32 {
    u32::try_from(seats.len()).unwrap_or(u32::MAX)
}
