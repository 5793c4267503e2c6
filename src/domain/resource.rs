//! Resources: whatever is booked by time. A hall, a room, a hotel, a night's bed, a car, a piano.
//!
//! A resource says how its time is cut and what may be done with it; who has which of its time is in its
//! chunks, a day each. A decision about its time touches it, so what stands here holds for what is decided.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use chrono::NaiveDate;
use chrono_tz::Tz;
use serde::{Deserialize, Serialize};

use crate::domain::availability::{CellRange, Chunk, ChunkKey, CountedSegment};
use crate::domain::cause::Cause;
use crate::domain::ids::BookingId;
use crate::domain::is_default;
use crate::domain::money::Price;
use crate::domain::owner::Owner;
use crate::domain::time::{DayCells, Grid, Instant, Slot, Span, date_of, day_number, subtract};

mod count;
pub mod features;
mod hours;
mod likeness;

pub use count::Count;
pub use likeness::{Fit, Likeness};

/// The most characters of a resource's id.
pub const ID_CHARS_MAX: usize = 40;

/// A resource's id: a slug made once from its name, `room-7`, `малый-зал`. It is the first part of its chunks' keys.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ResourceId(String);

/// The text is no resource's id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("that is not a resource's id; it has small letters of any script, digits, - and _")]
pub struct NotASlug;

impl ResourceId {
    /// The id that a name gives: its small letters, digits, `-` and `_`; `None` when nothing of it is left.
    pub fn of_name(name: &str) -> Option<Self> {
        let mut slug = String::new();
        for letter in name.to_lowercase().chars() {
            if is_slug(letter) && letter != '-' {
                slug.push(letter);
            } else if !slug.is_empty() && !slug.ends_with('-') && !is_mark(letter) {
                slug.push('-');
            }
            if slug.chars().count() >= ID_CHARS_MAX {
                break;
            }
        }
        slug.trim_end_matches('-').parse().ok()
    }

    /// The id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The chunk of a day.
    pub fn chunk(&self, date: NaiveDate) -> ChunkKey {
        ChunkKey { resource: self.0.clone(), number: day_number(date) }
    }
}

impl fmt::Display for ResourceId {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

impl FromStr for ResourceId {
    type Err = NotASlug;

    fn from_str(text: &str) -> Result<Self, NotASlug> {
        let length = text.chars().count();
        let right = (1..=ID_CHARS_MAX).contains(&length) && text.chars().all(is_slug);
        // a performance is a resource too, and its id is a uuid
        if right && uuid::Uuid::parse_str(text).is_err() { Ok(Self(text.to_owned())) } else { Err(NotASlug) }
    }
}

/// Returns whether a slug may have a character: small letters of any script, or letters that are neither small nor large.
fn is_slug(letter: char) -> bool {
    letter.is_alphanumeric() && letter.to_lowercase().eq([letter]) || matches!(letter, '-' | '_')
}

/// Returns whether a character is a mark on the letter before it, like a combining accent.
fn is_mark(letter: char) -> bool {
    crate::domain::text::width(letter.encode_utf8(&mut [0; 4])) == 0
}

/// Whatever is booked by time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Resource {
    /// Unique id; never changes.
    pub id: ResourceId,
    pub name: String,
    /// Hall, room, hotel, hotel-room, car, equipment, or any word.
    pub kind: String,
    /// The parent; booking the parent books this too.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<ResourceId>,
    /// The parts; booking this books all of them, or none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub children: Vec<ResourceId>,
    /// Time zone and segment, shared by a family.
    #[serde(flatten)]
    pub grid: Grid,
    pub policy: Policy,
    /// Opening hours; always open when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hours: Option<OpenHours>,
    /// Taken with each booking before it: get-in.
    #[serde(default)]
    pub before: Span,
    /// Taken with each booking after it: cleaning.
    #[serde(default)]
    pub after: Span,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub price: Option<Price>,
    /// Price list whose rules price it; its own price is for what no rule fits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prices: Option<String>,
    /// Number of equal units, of which a booking takes some.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count: Option<Count>,
    /// Free properties: beds, guests, city.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub properties: BTreeMap<String, String>,
    /// From when it is out of use until further notice, and why.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub marks: Vec<Mark>,
    /// True if it is gone from all lists and can't be booked; then it is not among the parts of its parent.
    #[serde(default, skip_serializing_if = "is_default")]
    pub retired: bool,
}

/// Policy by which a resource's days exist.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "policy", rename_all = "snake_case")]
pub enum Policy {
    /// A day without a chunk is free; the first claim makes it.
    OpenEnded,
    /// Only what was opened can be booked.
    Preallocated {
        /// The first day that is not open; none when nothing is.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        horizon: Option<NaiveDate>,
        /// Number of days from today that a job keeps open; `None` without such a job.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        roll_days: Option<u32>,
    },
}

/// The local times of day between which a resource can be booked; past midnight when `until` is not after `from`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpenHours {
    /// Minutes after midnight, below 24 hours.
    pub from: u32,
    /// Minutes after midnight, at most 24 hours.
    pub until: u32,
    /// True of what is taken home: begin and end lie in these hours, and the closed hours between are taken too.
    #[serde(default, skip_serializing_if = "is_default")]
    pub hire: bool,
}

/// Out of use until further notice.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mark {
    /// Names the act; a parent's mark stands under one id on all its descendants.
    pub id: BookingId,
    pub cause: Cause,
    /// From then on; a segment's border.
    pub from: Instant,
    /// The operator who marked it; only that operator ends it.
    pub operator: String,
    /// Operator who approved it, where that one alone may not do it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub approved: Option<String>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reason: String,
    /// Marked resource: this one, or a whole that contains it.
    pub of: ResourceId,
}

impl Mark {
    /// The owner that the calendar names.
    pub fn owner(&self) -> Owner {
        self.cause.owner(self.id, &self.operator)
    }
}

impl Resource {
    /// Part of a slot that is still bookable: from the running segment on; none of a slot that is over.
    pub fn to_come(&self, slot: Slot, now: Instant) -> Option<Slot> {
        if slot.from() >= now {
            return Some(slot);
        }
        let running = self.grid.border_until(now);
        let slot = Slot::new(slot.from().max(running), slot.until()).ok()?;
        (slot.until() > now).then_some(slot)
    }

    /// Cells of each segment: one, or room for the units of a counted resource, however many it will have.
    pub const fn stride(&self) -> u32 {
        if self.count.is_some() { Count::MOST } else { 1 }
    }

    /// Number of units; one of a resource that is not counted.
    pub fn units(&self) -> u32 {
        self.count.as_ref().map_or(1, |count| count.number)
    }

    /// Its name, with a number of its units where it is counted: `40 chairs`, `Stock, 40 chairs`.
    pub fn told(&self, number: impl fmt::Display) -> String {
        match &self.count {
            None => self.name.clone(),
            Some(count) if count.unit.eq_ignore_ascii_case(&self.name) => format!("{number} {}", count.unit),
            Some(count) => format!("{}, {number} {}", self.name, count.unit),
        }
    }

    /// A segment of a counted resource, for an act on a number of units.
    pub fn counted(&self, number: u32, wanted: u32) -> CountedSegment {
        CountedSegment { number, stride: self.stride(), units: self.units(), wanted }
    }

    /// The chunk of a day with every cell free.
    pub fn free_day(&self, date: NaiveDate) -> Chunk {
        Chunk::empty(self.id.chunk(date), self.grid.day(date).cells * self.stride())
    }

    /// The segments of a slot that lies on the grid, in this resource; they are its cells, unless it is counted.
    pub fn cells(&self, slot: Slot) -> Vec<CellRange> {
        let range = |cells: DayCells| CellRange { chunk: self.id.chunk(cells.date), from: cells.from, to: cells.to };
        self.grid.split(slot).into_iter().map(range).collect()
    }

    /// The slot of neighbouring cells of one of its days; `None` when it has no such cells.
    pub fn slot_of(&self, range: &CellRange) -> Option<Slot> {
        let (from, to) = (range.from / self.stride(), range.to / self.stride());
        let cells = DayCells { date: date_of(range.chunk.number)?, from, to };
        self.grid.slot_of(cells).ok()
    }

    /// The slots taken for a wanted slot: without and with the buffers before and after.
    pub fn taken(&self, wanted: Slot) -> (Slot, Slot) {
        let core = self.grid.normalise(wanted);
        (core, self.around(core))
    }

    /// A slot on the grid with what is needed before and after it.
    pub fn around(&self, core: Slot) -> Slot {
        let around = Slot::new(core.from() - self.before, core.until() + self.after);
        around.map_or(core, |around| self.grid.normalise(around))
    }

    /// The mark that a slot runs into, the earliest first.
    pub fn marked(&self, slot: Slot) -> Option<&Mark> {
        self.marks.iter().filter(|mark| mark.from < slot.until()).min_by_key(|mark| mark.from)
    }

    /// Returns whether all of a slot lies in its opening hours; of a hire, its begin and its end.
    pub fn is_open(&self, slot: Slot) -> bool {
        self.hours.is_none_or(|hours| {
            let days: Vec<_> = self.grid.days(slot).collect();
            let open = hours.open(self.grid, &days);
            if hours.hire {
                let ends = |open: &Slot| open.from() <= slot.until() && slot.until() <= open.until();
                open.iter().any(|open| open.has(slot.from())) && open.iter().any(ends)
            } else {
                subtract(&[slot], &open).is_empty()
            }
        })
    }

    /// The first of the house's closed days that a slot falls on: a stay by each of its nights, other time by the day on
    /// which it begins, and a hire also by the day on which it ends.
    pub fn closed_on(&self, slot: Slot, closed: &[NaiveDate]) -> Option<NaiveDate> {
        if closed.is_empty() {
            return None;
        }
        let nights = self.grid.segment.is_day().then(|| self.grid.days(self.grid.normalise(slot)));
        let begin = nights.is_none().then_some(slot.from());
        let end = begin.filter(|_| self.is_hire()).map(|_| slot.until() - Span::from_millis(1));
        let days = nights.into_iter().flatten().map(|day| day.date);
        let mut days = days.chain(begin.into_iter().chain(end).map(|at| self.day_of(at)));
        days.find(|date| closed.contains(date))
    }

    /// Returns whether closed hours between begin and end are taken too.
    pub fn is_hire(&self) -> bool {
        self.hours.is_some_and(|hours| hours.hire)
    }

    /// The day that an instant belongs to: opening hours past midnight are of the day that they began on.
    pub fn day_of(&self, at: Instant) -> NaiveDate {
        let date = self.grid.day_at(at).date;
        let began = |date: &NaiveDate| self.open_on(*date).is_some_and(|open| open.has(at));
        date.pred_opt().filter(began).unwrap_or(date)
    }

    /// The time that belongs to a day: its opening hours, also past midnight, or else all of it.
    pub fn open_on(&self, date: NaiveDate) -> Option<Slot> {
        let day = self.grid.day(date);
        match self.hours {
            Some(hours) => hours.on(self.grid, date),
            None => Slot::new(day.start, day.end).ok(),
        }
    }

    /// Number of days from today that a job keeps open.
    pub const fn roll_days(&self) -> Option<u32> {
        match self.policy {
            Policy::OpenEnded => None,
            Policy::Preallocated { roll_days, .. } => roll_days,
        }
    }

    /// Time zone.
    pub const fn zone(&self) -> Tz {
        self.grid.zone
    }
}
