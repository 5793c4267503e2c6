//! Stretches of time, `[from, until)`, never empty.

use std::cmp::Ordering;

use chrono_tz::Tz;
use serde::{Deserialize, Serialize};

use crate::domain::time::{Instant, Span, TimeError, day_start};

/// A stretch of time, `[from, until)`, never empty. Slots that only touch do not overlap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Slot {
    from: Instant,
    until: Instant,
}

impl Slot {
    /// A slot from its bounds.
    ///
    /// # Errors
    /// It is empty, or ends before it starts.
    pub fn new(from: Instant, until: Instant) -> Result<Self, TimeError> {
        match from.cmp(&until) {
            Ordering::Less => Ok(Self { from, until }),
            Ordering::Equal => Err(TimeError::EmptySlot),
            Ordering::Greater => Err(TimeError::Backwards),
        }
    }

    /// Its first instant.
    #[must_use]
    pub const fn from(&self) -> Instant {
        self.from
    }

    /// The first instant after it.
    #[must_use]
    pub const fn until(&self) -> Instant {
        self.until
    }

    /// How long it is.
    #[must_use]
    pub fn span(&self) -> Span {
        self.until.since(self.from)
    }

    /// Whether an instant lies in it.
    #[must_use]
    pub fn has(&self, at: Instant) -> bool {
        self.from <= at && at < self.until
    }

    /// Whether all of another lies in it.
    #[must_use]
    pub fn covers(&self, other: &Self) -> bool {
        self.from <= other.from && other.until <= self.until
    }

    /// Whether they have an instant in common.
    #[must_use]
    pub fn overlaps(&self, other: &Self) -> bool {
        self.from < other.until && other.from < self.until
    }

    /// In words of a zone: `Sat 21 Nov 09:00-12:00`, over midnight `Sat 21 Nov 22:00 - Sun 22 Nov 02:00`, whole days
    /// `Sat 21 Nov - Sun 22 Nov`.
    #[must_use]
    pub fn words(&self, zone: Tz) -> String {
        self.told(zone, "%a %-d %b")
    }

    /// Formats with the year, where any year is possible: `Sat 21 Nov 2026 09:00-12:00`.
    #[must_use]
    pub fn dated(&self, zone: Tz) -> String {
        self.told(zone, "%a %-d %b %Y")
    }

    fn told(&self, zone: Tz, date: &str) -> String {
        let (from, until) = (self.from.in_zone(zone), self.until.in_zone(zone));
        let last = (self.until - Span::from_millis(1)).in_zone(zone);
        let day = from.format(date);
        if day_start(from.date_naive(), zone) == self.from
            && day_start(until.date_naive(), zone) == self.until
        {
            return if from.date_naive() == last.date_naive() {
                format!("{day}")
            } else {
                format!("{day} - {}", last.format(date))
            };
        }
        if from.date_naive() == last.date_naive() {
            let ends_day = until.date_naive() != last.date_naive();
            let end = if ends_day {
                "24:00".to_owned()
            } else {
                until.format("%H:%M").to_string()
            };
            format!("{day} {}-{end}", from.format("%H:%M"))
        } else {
            format!(
                "{day} {} - {} {}",
                from.format("%H:%M"),
                until.format(date),
                until.format("%H:%M")
            )
        }
    }

    /// The intersection.
    #[must_use]
    pub fn meet(&self, other: &Self) -> Option<Self> {
        Self::new(self.from.max(other.from), self.until.min(other.until)).ok()
    }

    /// The parts of `self` before and after another slot.
    pub fn without(&self, other: &Self) -> impl Iterator<Item = Self> + use<> {
        let before = Self::new(self.from, self.until.min(other.from)).ok();
        let after = Self::new(self.from.max(other.until), self.until).ok();
        before.into_iter().chain(after)
    }
}

/// The slots without the others, sorted.
#[must_use]
pub fn subtract(slots: &[Slot], others: &[Slot]) -> Vec<Slot> {
    let mut left = slots.to_vec();
    for other in others {
        left = left.iter().flat_map(|slot| slot.without(other)).collect();
    }
    left.sort_unstable();
    left
}

/// Merges touching and overlapping slots, sorted.
#[must_use]
pub fn joined(mut slots: Vec<Slot>) -> Vec<Slot> {
    slots.sort_unstable();
    let mut out: Vec<Slot> = Vec::with_capacity(slots.len());
    for slot in slots {
        match out.last_mut() {
            Some(last) if slot.from <= last.until => last.until = last.until.max(slot.until),
            _ => out.push(slot),
        }
    }
    out
}

/// From the first instant of some slots to the last; `None` when there are none.
#[must_use]
pub fn hull(slots: &[Slot]) -> Option<Slot> {
    let from = slots.iter().map(|slot| slot.from).min()?;
    let until = slots.iter().map(|slot| slot.until).max()?;
    Slot::new(from, until).ok()
}

/// The intersection of two sorted lists of slots.
#[must_use]
pub fn common(left: &[Slot], right: &[Slot]) -> Vec<Slot> {
    let (mut a, mut b) = (left.iter().peekable(), right.iter().peekable());
    let mut out = Vec::new();
    while let (Some(one), Some(two)) = (a.peek(), b.peek()) {
        out.extend(one.meet(two));
        if one.until <= two.until {
            a.next();
        } else {
            b.next();
        }
    }
    out
}
