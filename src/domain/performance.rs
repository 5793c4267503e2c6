//! Theaters and their performances, and what a seat costs.
//!
//! A performance names the plan version it sells; what is sold is in its chunks, never here. A price is
//! stamped on the line when a seat is held, so nothing here reaches back into a sale.

use chrono::NaiveDate;
use chrono_tz::Tz;
use serde::{Deserialize, Serialize};

use crate::domain::ids::{BookingId, PerformanceId, PlanId, TheaterId};
use crate::domain::is_default;
use crate::domain::money::Currency;
use crate::domain::resource::ResourceId;
use crate::domain::time::Instant;

/// The ticket type that is meant when nobody names one.
pub const ADULT: &str = "Adult";

/// A venue with one seating plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Theater {
    pub id: TheaterId,
    /// Name, unique in the house.
    pub name: String,
    pub time_zone: Tz,
    /// The plan that a performance opened today would sell.
    pub plan: PlanId,
    /// The hall that its performances take, with get-in and get-out.
    pub hall: ResourceId,
    /// Broken seats: taken out of use in every performance from a date on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub out_of_use: Vec<BrokenSeat>,
    /// True if it is gone from all lists, and nothing more is planned in it.
    #[serde(default, skip_serializing_if = "is_default")]
    pub retired: bool,
}

impl Theater {
    /// Date on which an instant falls there.
    pub fn day_of(&self, at: Instant) -> NaiveDate {
        at.in_zone(self.time_zone).date_naive()
    }
}

/// A seat that is out of use in every performance from a date on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BrokenSeat {
    /// The act that put it on the list; its disable of each performance names this.
    pub act: BookingId,
    /// Unique name in the plan.
    pub seat: String,
    /// The first local date.
    pub from: NaiveDate,
    pub reason: String,
    pub operator: String,
    /// Operator who approved it, where that one alone may not do it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub approved: Option<String>,
}

/// One showing in a theater.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Performance {
    /// Unique id, which is also the resource of its seats.
    pub id: PerformanceId,
    pub theater: TheaterId,
    /// The plan version it sells; it changes only for one with more standing room.
    pub plan: PlanId,
    pub title: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub description: String,
    /// Start; sales close then.
    pub start: Instant,
    pub end: Instant,
    pub currency: Currency,
    /// Prices, each for a category and a ticket type or for all.
    pub prices: Vec<TicketPrice>,
    /// Standing room that has another number of places than in its theater.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub capacity: Vec<Capacity>,
    /// The booking of its hall, where its theater has a hall.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hall: Option<BookingId>,
    /// Its moves to another start, oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub postponed: Vec<Postponed>,
    pub state: PerformanceState,
    /// State before it was retired.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retired_from: Option<PerformanceState>,
}

/// Number of places of standing room on one night.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Capacity {
    pub area: String,
    pub places: u32,
    /// Acts that took places out of use for it.
    pub acts: Vec<BookingId>,
}

/// Move of a performance to another start.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Postponed {
    /// Start before the move.
    pub from: Instant,
    pub reason: String,
    pub operator: String,
    pub at: Instant,
}

/// State of a performance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PerformanceState {
    Open,
    Canceled,
    /// Gone from all lists; nothing of it is sold.
    Retired,
}

/// A price of a performance.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TicketPrice {
    /// The plan's category, by index; all categories when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub category: Option<u16>,
    /// The ticket type; [`ADULT`] when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ticket_type: Option<String>,
    /// The price in minor units.
    pub minor: i64,
    /// Price list that priced it; none for a price of its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub list: Option<String>,
}

impl TicketPrice {
    fn ticket_type(&self) -> &str {
        self.ticket_type.as_deref().unwrap_or(ADULT)
    }

    /// Returns whether another price is for the same category and ticket type, so that only one of them can apply.
    pub fn is_for_the_same(&self, other: &Self) -> bool {
        self.category == other.category && self.ticket_type().eq_ignore_ascii_case(other.ticket_type())
    }
}

impl Performance {
    /// Price list that priced what has no price of its own.
    pub fn price_list(&self) -> Option<&str> {
        self.prices.iter().find_map(|price| price.list.as_deref())
    }

    /// Prices that its price list did not make.
    pub fn own_prices(&self) -> impl Iterator<Item = &TicketPrice> {
        let list = self.price_list();
        self.prices.iter().filter(move |price| price.list.is_none() || price.list.as_deref() != list)
    }

    /// The price of a seat of a category for a ticket type; `None` when not on sale.
    /// A price for the category beats one for all.
    pub fn price(&self, category: u16, ticket_type: &str) -> Option<i64> {
        let of = |wanted: Option<u16>| {
            self.prices
                .iter()
                .find(|price| price.category == wanted && price.ticket_type().eq_ignore_ascii_case(ticket_type))
                .map(|price| price.minor)
        };
        of(Some(category)).or_else(|| of(None))
    }

    /// Returns whether a category is sold as a ticket type: the one rule for what may be held, offered, or waited for.
    pub fn sells(&self, category: u16, ticket_type: &str) -> bool {
        self.price(category, ticket_type).is_some()
    }

    /// The ticket types that a category is sold as, or any, the adult first, then as they were given.
    pub fn ticket_types(&self, category: impl Into<Option<u16>>) -> Vec<&str> {
        let category = category.into();
        let mut types: Vec<&str> = Vec::new();
        for price in self.prices.iter().filter(|price| {
            let only = price.category.zip(category);
            only.is_none_or(|(only, category)| only == category)
        }) {
            if !types.iter().any(|known| known.eq_ignore_ascii_case(price.ticket_type())) {
                types.push(price.ticket_type());
            }
        }
        types.sort_by_key(|name| *name != ADULT);
        types
    }

    /// The ticket type as this performance spells it; `None` when no price names it.
    pub fn ticket_type(&self, wanted: &str) -> Option<&str> {
        self.prices.iter().map(TicketPrice::ticket_type).find(|known| known.eq_ignore_ascii_case(wanted))
    }

    /// Start shown by a ticket printed at a time; `None` if it is the present start.
    pub fn start_was(&self, printed_at: Instant) -> Option<Instant> {
        let moved = self.postponed.iter().find(|one| one.at >= printed_at)?;
        Some(moved.from).filter(|was| *was != self.start)
    }

    /// Returns whether seats can be taken at `now`: open, and not started.
    pub fn is_on_sale(&self, now: Instant) -> bool {
        self.state == PerformanceState::Open && now < self.start
    }
}
