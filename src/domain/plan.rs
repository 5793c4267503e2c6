//! A theater's seating plan: zones, rows and seats as the house knows them.
//!
//! A plan is a template and never changes once it is stored; a performance names the version it sells.
//! This module never computes a layout (see [`super::layout`]) and never knows what is sold.
//!
//! # Invariants
//! - Every seat's [`Seat::name`] is unique in its plan; places of standing room share the name of their area.
//! - Standing room comes after all rows of seats, so that it changes no seat's place on a map.
//! - Rows are numbered through the whole plan; a row's number is its chunk's number, for ever.

use std::collections::{HashMap, HashSet};

use serde::{Deserialize, Serialize};

use crate::domain::is_default;
use crate::domain::refusal::{Limit, Problem, Requirement};
use crate::domain::text::{TEXT_LENGTH_MAX, clean};

/// One theater's seats: zones > rows > seats, and the areas that are only drawn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plan {
    /// The plan's own name, as its file gives it.
    pub name: String,
    /// Price categories, best first as the file lists them; [`Seat::category`] points here.
    pub categories: Vec<Category>,
    pub zones: Vec<Zone>,
    /// Stage, bar, pillars: drawn, never sold.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub areas: Vec<Area>,
}

/// A price category of the plan; a performance gives it its price.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Category {
    /// Name: `Category I`.
    pub name: String,
    /// The colour the file asks for, as `#rrggbb`; themes may overrule it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub color: Option<String>,
}

/// A named part of the house.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Zone {
    /// Name: `Stalls`.
    pub name: String,
    /// Rows in the order of the file.
    pub rows: Vec<PlanRow>,
}

/// A run of seats that is stored as one chunk of a performance.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlanRow {
    /// The letter or number at its ends.
    pub label: String,
    /// Seats in the order of the file, which is the order of their cells.
    pub seats: Vec<Seat>,
}

/// One seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seat {
    /// The number on the seat itself: `7`.
    pub label: String,
    /// Name, unique in this plan: `B7`, `Ground floor/A/12`.
    pub name: String,
    /// Words of its house for it, on a ticket: `Row B, Seat 7`; empty where the plan has none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub words: String,
    /// Index into [`Plan::categories`].
    pub category: u16,
    pub at: Point,
    #[serde(default, skip_serializing_if = "is_default")]
    pub kind: SeatKind,
}

/// The kind of a seat.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SeatKind {
    #[default]
    Standard,
    Wheelchair,
    Companion,
    Restricted,
    /// An unnumbered place of standing room.
    Standing,
}

/// Standing room: the unnumbered places of one name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StandingRoom<'p> {
    pub name: &'p String,
    /// Index into [`Plan::categories`].
    pub category: u16,
    /// Numbers of its rows.
    pub rows: Vec<u32>,
    pub places: u32,
}

/// The most seats of one plan.
pub const SEATS_MAX: usize = 100_000;

/// The most rows of one plan.
pub const ROWS_MAX: usize = 2_000;

/// The most seats of one row: a row is stored as one chunk.
pub const ROW_SEATS_MAX: usize = 2_000;

const _: () = assert!(ROW_SEATS_MAX <= SEATS_MAX && ROWS_MAX <= SEATS_MAX);

/// The most places of one row of standing room.
const STANDING_ROW_MAX: u32 = 64;

/// The least rows of standing room, so that stations seldom write the same one.
const STANDING_ROWS: u32 = 32;

/// End of the name of a place, after its area.
const STANDING: &str = ", standing";

/// A position in hundredths of the plan's unit (real files carry float noise below that).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Point {
    /// To the right.
    pub x: i32,
    /// Downwards.
    pub y: i32,
}

/// Something that is drawn and never sold.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Area {
    /// Centre, or position of its text.
    pub at: Point,
    /// Half width and half height; zero when only a text.
    pub extent: Point,
    /// The text on it (`Stage`); may be empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub text: String,
}

/// A seat as (row of the plan, index in the row): what chunks are made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(from = "(u32, u32)", into = "(u32, u32)")]
pub struct SeatRef {
    /// The row, counted through the whole plan.
    pub row: u32,
    /// The seat, counted in its row.
    pub seat: u32,
}

impl From<(u32, u32)> for SeatRef {
    fn from((row, seat): (u32, u32)) -> Self {
        Self { row, seat }
    }
}

impl From<SeatRef> for (u32, u32) {
    fn from(at: SeatRef) -> Self {
        (at.row, at.seat)
    }
}

impl Zone {
    /// Standing room with a number of places.
    pub fn standing(name: &str, category: u16, places: u32) -> Self {
        let rows = places.div_ceil(STANDING_ROW_MAX).max(STANDING_ROWS.min(places)).max(1);
        let seat = Seat {
            label: String::new(),
            name: format!("{name}{STANDING}"),
            words: format!("{name}{STANDING}"),
            category,
            at: Point::default(),
            kind: SeatKind::Standing,
        };
        let row = |row| {
            let count = places / rows + u32::from(row < places % rows);
            PlanRow { label: String::new(), seats: (0..count).map(|_| seat.clone()).collect() }
        };
        Self { name: name.to_owned(), rows: (0..rows).map(row).collect() }
    }

    /// Returns whether its places have no numbers.
    pub fn is_standing(&self) -> bool {
        self.rows.first().is_some_and(PlanRow::is_standing)
    }
}

impl PlanRow {
    /// Returns whether its places have no numbers.
    pub fn is_standing(&self) -> bool {
        self.seats.first().is_some_and(|seat| seat.kind == SeatKind::Standing)
    }
}

/// The area in the name of one of its places.
pub fn area_in(name: &str) -> Option<&str> {
    name.strip_suffix(STANDING)
}

/// Names with equal neighbours, which only places of standing room are, as one: `B7`, `Floor, 3 standing`.
pub fn counted(names: impl IntoIterator<Item = impl Into<String>>) -> Vec<String> {
    let names: Vec<String> = names.into_iter().map(Into::into).collect();
    let one = |same: &[String]| {
        let name = same.first()?;
        let area = area_in(name).filter(|_| same.len() > 1);
        Some(area.map_or_else(|| name.clone(), |area| format!("{area}, {} standing", same.len())))
    };
    names.chunk_by(PartialEq::eq).filter_map(one).collect()
}

impl Plan {
    /// The standing room, by name: a later zone of one name holds the places that were added.
    pub fn standing(&self) -> Vec<StandingRoom<'_>> {
        let mut areas: Vec<StandingRoom<'_>> = Vec::new();
        for (number, zone, row) in self.rows().filter(|(_, _, row)| row.is_standing()) {
            let places = u32::try_from(row.seats.len()).unwrap_or(u32::MAX);
            let category = row.seats.first().map_or(0, |place| place.category);
            match areas.iter_mut().find(|area| *area.name == zone.name) {
                Some(area) => {
                    area.rows.push(number);
                    area.places += places;
                }
                None => areas.push(StandingRoom { name: &zone.name, category, rows: vec![number], places }),
            }
        }
        areas
    }

    /// The standing room of a name, without regard to case.
    pub fn area(&self, name: &str) -> Option<StandingRoom<'_>> {
        self.standing().into_iter().find(|area| area.name.eq_ignore_ascii_case(name.trim()))
    }

    /// Name of the standing room that a place lies in; none of a seat.
    pub fn area_of(&self, at: SeatRef) -> Option<&str> {
        self.row(at.row).filter(|(_, row)| row.is_standing()).map(|(zone, _)| zone.name.as_str())
    }

    /// Every row with its number and its zone, in chunk order.
    pub fn rows(&self) -> impl Iterator<Item = (u32, &Zone, &PlanRow)> {
        self.zones
            .iter()
            .flat_map(|zone| zone.rows.iter().map(move |row| (zone, row)))
            .zip(0u32..)
            .map(|((zone, row), number)| (number, zone, row))
    }

    /// Every seat with its reference, in chunk order.
    pub fn seats(&self) -> impl Iterator<Item = (SeatRef, &Seat)> {
        self.rows().flat_map(|(number, _, row)| {
            row.seats.iter().zip(0u32..).map(move |(seat, index)| (SeatRef { row: number, seat: index }, seat))
        })
    }

    /// The seat at a reference; `None` outside the plan.
    pub fn seat(&self, at: SeatRef) -> Option<&Seat> {
        self.row(at.row)?.1.seats.get(usize::try_from(at.seat).ok()?)
    }

    /// The row with a number, and its zone; `None` outside the plan.
    pub fn row(&self, number: u32) -> Option<(&Zone, &PlanRow)> {
        let mut at = usize::try_from(number).ok()?;
        for zone in &self.zones {
            if let Some(row) = zone.rows.get(at) {
                return Some((zone, row));
            }
            at -= zone.rows.len();
        }
        None
    }

    /// Checks what holds for every plan, whoever made it.
    ///
    /// # Errors
    /// Too many rows or seats, texts that are no names, a name that two seats have, a category that there is not, or
    /// standing room that is not as [`Zone::standing`] makes it, behind all rows of seats.
    pub fn checked(&self) -> Result<(), Problem> {
        let rows: Vec<&PlanRow> = self.rows().map(|(.., row)| row).collect();
        for (count, most, limit) in [
            (rows.len(), ROWS_MAX, Limit::Rows),
            (rows.iter().map(|row| row.seats.len()).max().unwrap_or_default(), ROW_SEATS_MAX, Limit::RowSeats),
            (self.seats().count(), SEATS_MAX, Limit::Seats),
        ] {
            if count > most {
                return Err(Problem::AtMost(most, limit));
            }
        }
        let names = self.zones.iter().map(|zone| &zone.name);
        let names = names.chain(self.categories.iter().map(|category| &category.name)).chain([&self.name]);
        let words = rows.iter().map(|row| &row.label);
        let words = words.chain(self.seats().flat_map(|(_, seat)| [&seat.label, &seat.name, &seat.words]));
        if names.chain(words).any(|text| text.chars().count() > TEXT_LENGTH_MAX || clean(text) != *text) {
            return Err(Problem::AtMost(TEXT_LENGTH_MAX, Limit::Letters));
        }
        self.checked_seats()
    }

    fn checked_seats(&self) -> Result<(), Problem> {
        let mut names = HashSet::new();
        for (_, seat) in self.seats() {
            let is_known = usize::from(seat.category) < self.categories.len();
            if seat.name.is_empty() {
                return Err(Problem::Missing(Requirement::Name));
            } else if !is_known {
                return Err(Problem::NoCategory(seat.name.clone()));
            } else if seat.kind != SeatKind::Standing && !names.insert(seat.name.to_lowercase()) {
                return Err(Problem::SeatTwice(seat.name.clone()));
            }
        }
        let mut was_standing = false;
        for zone in &self.zones {
            let first = zone.rows.first().and_then(|row| row.seats.first());
            let places = zone.rows.iter().map(|row| u32::try_from(row.seats.len()).unwrap_or(u32::MAX)).sum();
            let standing = |seat: &Seat| *zone == Zone::standing(&zone.name, seat.category, places);
            let has_places = zone.rows.iter().flat_map(|row| &row.seats).any(|seat| seat.kind == SeatKind::Standing);
            if has_places && !first.is_some_and(standing) || was_standing && !has_places {
                return Err(Problem::OddArea(zone.name.clone()));
            }
            was_standing |= has_places;
        }
        Ok(())
    }

    /// Counts the seats.
    pub fn seat_count(&self) -> u32 {
        self.rows().map(|(_, _, row)| u32::try_from(row.seats.len()).unwrap_or(u32::MAX)).sum()
    }

    /// A seat on a ticket: in the words of its house, or `Seat B7`.
    pub fn ticket_words(&self, at: SeatRef) -> String {
        let words = self.seat(at).map(|seat| seat.words.as_str());
        let words = words.filter(|words| !words.is_empty()).map(str::to_owned);
        words.unwrap_or_else(|| format!("Seat {}", self.seat_name(at)))
    }

    /// The unique name of a seat, or `?` outside the plan.
    pub fn seat_name(&self, at: SeatRef) -> &str {
        self.seat(at).map_or("?", |seat| seat.name.as_str())
    }

    /// Numbered seats by their unique name, compared without regard to case.
    pub fn by_name(&self) -> HashMap<String, SeatRef> {
        let numbered = self.seats().filter(|(_, seat)| seat.kind != SeatKind::Standing);
        numbered.map(|(at, seat)| (seat.name.to_lowercase(), at)).collect()
    }
}

/// Names at the ends of a range of seats, the last one in full or without what both share: `K13-K16`, `Floor/A/1-4`.
pub fn range_ends(text: &str) -> impl Iterator<Item = (&str, [String; 2])> {
    text.match_indices('-').filter_map(|(at, _)| {
        let (first, last) = (text.get(..at)?.trim(), text.get(at + 1..)?.trim());
        let shared = first.trim_end_matches(|letter: char| letter.is_ascii_digit());
        Some((first, [last.to_owned(), format!("{shared}{last}")]))
    })
}
