//! The open seating-plan format of pretix, as JSON.
//!
//! Real files repeat guids and row letters, carry unknown keys, hold positions with float noise, and have no
//! version. Whatever can be understood is taken and reported with its place; a seat's identity is its place in the
//! file, never its guid. What a seat is made for is read from keys that files add to the format.

use std::collections::HashSet;

use serde_json::Value;

use crate::domain::plan::{Category, Plan, PlanRow, Point, Seat, Zone};
use crate::domain::text;

use super::{FILE_BYTES_MAX, ImportedPlan, Oddity, PlanError, ROW_SEATS_MAX, ROWS_MAX, SEATS_MAX, Strictness, names};

mod areas;
mod kinds;
mod node;

use node::{Node, Path};

/// The most categories of one plan.
const CATEGORIES_MAX: usize = 1_000;

/// The longest label of a row or a seat, and the longest name of a zone or a category, in columns.
const LABEL_MAX: usize = 16;
const NAME_MAX: usize = 60;

const CATEGORY: &str = "Standard";

/// Reads a plan.
///
/// # Errors
/// A file that is broken, foreign, empty or too large, a seat of an unknown category, a position that no house
/// has; under [`Strictness::Strict`] anything odd. Each names its place.
pub fn import(bytes: &[u8], strictness: Strictness) -> Result<ImportedPlan, PlanError> {
    let value = parse(bytes)?;
    let mut reader = Reader::default();
    let plan = reader.plan(&Node::root(&value))?;
    if let (Strictness::Strict, Some(first)) = (strictness, reader.oddities.first()) {
        return Err(PlanError::Odd { first: first.clone(), count: reader.oddities.len() });
    }
    Ok(ImportedPlan { plan, oddities: reader.oddities })
}

fn parse(bytes: &[u8]) -> Result<Value, PlanError> {
    if bytes.len() > FILE_BYTES_MAX {
        return Err(too_many("bytes", FILE_BYTES_MAX));
    }
    // Some editors put a byte order mark in front.
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    if bytes.trim_ascii().is_empty() {
        return Err(PlanError::Empty);
    }
    serde_json::from_slice(bytes).map_err(|error| {
        let reason = text::clean(&error.to_string());
        PlanError::NotJson {
            line: error.line(),
            column: error.column(),
            reason: match reason.rfind(" at line ") {
                Some(at) => reason.get(..at).unwrap_or(&reason).to_owned(),
                None => reason,
            },
        }
    })
}

fn too_many(what: &'static str, most: usize) -> PlanError {
    PlanError::TooMany { what, most }
}

#[derive(Default)]
struct Reader {
    oddities: Vec<Oddity>,
    categories: Vec<Category>,
    guids: HashSet<String>,
    spots: HashSet<Point>,
    /// Seats with guid, number and spot: a second one is a copy.
    chairs: HashSet<(String, String, Point)>,
    rows: usize,
    seats: usize,
    /// Standing room, which comes after all rows of seats.
    standing: Vec<Zone>,
}

impl Reader {
    fn odd(&mut self, path: &Path, what: impl Into<String>) {
        self.oddities.push(Oddity { place: path.to_string(), what: what.into() });
    }

    fn plan(&mut self, node: &Node) -> Result<Plan, PlanError> {
        self.known(node, &["name", "categories", "zones", "size"])?;
        self.read_categories(node)?;
        let name = self.name(node, "name", || "Seating plan".to_owned());
        let mut zones = Vec::new();
        let mut areas = Vec::new();
        for zone in node.list("zones")? {
            let (read, drawn) = self.zone(&zone, zones.len())?;
            areas.extend(drawn);
            zones.push(read);
        }
        if self.seats == 0 {
            return Err(PlanError::NoSeats);
        }
        let mut plan = Plan { name, categories: std::mem::take(&mut self.categories), zones, areas };
        self.report_repeats(&plan);
        names::name_seats(&mut plan);
        let stands = |zone: &Zone| zone.rows.is_empty() && self.standing.iter().any(|area| area.name == zone.name);
        plan.zones.retain(|zone| !stands(zone));
        plan.zones.append(&mut self.standing);
        Ok(plan)
    }

    /// Reports keys that the format doesn't have; the node must be an object.
    fn known(&mut self, node: &Node, keys: &[&str]) -> Result<(), PlanError> {
        for key in node.keys()? {
            if !keys.contains(&key.as_str()) {
                let key = text::fit(&text::clean(key), NAME_MAX);
                self.odd(&node.path, format!("the key '{key}' is unknown and was left out"));
            }
        }
        Ok(())
    }

    /// A cleaned text; a stand-in where it is missing or empty.
    fn name(&mut self, node: &Node, key: &str, stand_in: impl Fn() -> String) -> String {
        let longest = if key == "name" { NAME_MAX } else { LABEL_MAX };
        let found = match node.get(key).map(|field| field.value) {
            Some(Value::String(found)) => {
                let cleaned = text::fit(&text::clean(found), longest);
                if cleaned != *found && !cleaned.is_empty() {
                    self.odd(&node.path, format!("{key} was cleaned to '{cleaned}'"));
                }
                cleaned
            }
            Some(Value::Number(number)) => {
                if !number.is_u64() {
                    self.odd(&node.path, format!("{key} is a number, not a text"));
                }
                text::fit(&number.to_string(), longest)
            }
            _ => String::new(),
        };
        if !found.is_empty() {
            return found;
        }
        let given = stand_in();
        self.odd(&node.path, format!("{key} is missing; it is called '{given}'"));
        given
    }

    fn read_categories(&mut self, plan: &Node) -> Result<(), PlanError> {
        if plan.get("categories").is_none() {
            self.odd(&plan.path, "categories are missing");
            return Ok(());
        }
        for node in plan.list("categories")? {
            self.known(&node, &["name", "color"])?;
            let number = self.categories.len() + 1;
            let name = self.name(&node, "name", || format!("Category {number}"));
            if self.categories.iter().any(|known| known.name == name) {
                self.odd(&node.path, format!("category '{name}' is there twice"));
                continue;
            }
            let color = node.get("color").and_then(|field| field.value.as_str());
            self.categories.push(Category { name, color: color.filter(|color| is_color(color)).map(str::to_owned) });
            if self.categories.len() > CATEGORIES_MAX {
                return Err(too_many("categories", CATEGORIES_MAX));
            }
        }
        Ok(())
    }

    fn zone(&mut self, node: &Node, index: usize) -> Result<(Zone, Vec<crate::domain::plan::Area>), PlanError> {
        let keys = ["name", "zone_id", "uuid", "position", "rows", "areas", "standing", "category"];
        self.known(node, &keys)?;
        let name = self.name(node, "name", || format!("Zone {}", index + 1));
        let origin = self.origin(node)?;
        let mut zone = Zone { name: name.replace('/', "-"), rows: Vec::new() };
        let stands = node.get("rows").is_none() && node.get("standing").is_some();
        let rows = if stands { None } else { Some(node.list("rows")?) };
        for row in rows.into_iter().flatten() {
            let read = self.row(&row, origin)?;
            if read.seats.is_empty() {
                self.odd(&row.path, "the row has no seats and was left out");
            } else {
                zone.rows.push(read);
            }
        }
        if let Some(given) = node.get("standing") {
            self.add_standing(node, (&zone.name, given.value))?;
        }
        let mut areas = Vec::new();
        if node.get("areas").is_some() {
            for area in node.list("areas")? {
                areas.push(self.area(&area, origin)?);
            }
        }
        Ok((zone, areas))
    }

    /// Standing room of a zone: its number of places, in its category or one of its own name.
    fn add_standing(&mut self, node: &Node, (name, given): (&str, &Value)) -> Result<(), PlanError> {
        let places = given.as_u64().and_then(|places| usize::try_from(places).ok());
        let Some(places) = places.filter(|places| *places > 0) else {
            self.odd(&node.path, "standing is no number of places and was left out");
            return Ok(());
        };
        self.seats = self.seats.saturating_add(places);
        if self.seats > SEATS_MAX {
            return Err(too_many("seats", SEATS_MAX));
        }
        let category = if node.get("category").is_some() {
            self.category(node)?
        } else {
            let known = self.categories.iter().position(|known| known.name == name);
            let at = known.unwrap_or_else(|| {
                self.categories.push(Category { name: name.to_owned(), color: None });
                self.categories.len() - 1
            });
            u16::try_from(at).unwrap_or(u16::MAX)
        };
        let name = name.replace([',', '='], " ");
        if self.standing.iter().any(|other| other.name.eq_ignore_ascii_case(&name)) {
            return Err(PlanError::AreaTwice { name });
        }
        self.standing.push(Zone::standing(&name, category, u32::try_from(places).unwrap_or(u32::MAX)));
        Ok(())
    }

    /// The position of a zone, at the corner of the plan where it is missing.
    fn origin(&mut self, node: &Node) -> Result<(f64, f64), PlanError> {
        if node.get("position").is_none() {
            self.odd(&node.path, "position is missing; taken as 0, 0");
            return Ok((0.0, 0.0));
        }
        node.position((0.0, 0.0))
    }

    fn row(&mut self, node: &Node, origin: (f64, f64)) -> Result<PlanRow, PlanError> {
        let keys = ["row_number", "row_label", "row_number_position", "seat_label", "position", "uuid", "seats"];
        self.known(node, &keys)?;
        self.rows += 1;
        if self.rows > ROWS_MAX {
            return Err(too_many("rows", ROWS_MAX));
        }
        let number = self.rows;
        let words = RowWords::of(node);
        let label = self.name(node, "row_number", || match words.row.as_str() {
            label if label.is_empty() || label.contains(RowWords::LABEL) => number.to_string(),
            label => text::fit(label, LABEL_MAX),
        });
        let origin = match node.get("position") {
            Some(_) => node.position(origin)?,
            None => origin,
        };
        let mut seats = Vec::new();
        for seat in node.list("seats")? {
            let read = self.seat(&seat, origin, seats.len())?;
            seats.extend(read.map(|read| Seat { words: words.of_seat(&label, &read.label), ..read }));
            if seats.len() > ROW_SEATS_MAX {
                return Err(PlanError::LongRow { row: format!("Row {label} at {}", node.path) });
            }
        }
        Ok(PlanRow { label, seats })
    }

    /// Reports a seat that is sold or blocked where the file comes from: a plan has seats, no sales.
    fn unsold(&mut self, node: &Node) {
        let status = node.get("status").and_then(|field| field.value.as_str()).unwrap_or("available");
        if !["available", "free"].contains(&status) {
            let status = text::fit(&text::clean(status), NAME_MAX);
            self.odd(&node.path, format!("its status '{status}' was left out; it is free here"));
        }
    }

    /// A seat; none for a copy of another.
    fn seat(&mut self, node: &Node, origin: (f64, f64), index: usize) -> Result<Option<Seat>, PlanError> {
        let keys = ["seat_number", "seat_guid", "uuid", "position", "category", "radius", "start_direction", "status"];
        self.known(node, &[&keys[..], &kinds::KEYS].concat())?;
        self.unsold(node);
        self.seats += 1;
        if self.seats > SEATS_MAX {
            return Err(too_many("seats", SEATS_MAX));
        }
        let label = self.name(node, "seat_number", || (index + 1).to_string());
        let at = point(&node.path, node.position(origin)?)?;
        if let Some(guid) = node.get("seat_guid").and_then(|field| field.value.as_str()) {
            if !self.chairs.insert((guid.to_owned(), label.clone(), at)) {
                self.odd(
                    &node.path,
                    format!("seat {label} is there twice, on one spot and with one guid: the copy was left out"),
                );
                return Ok(None);
            }
            if !self.guids.insert(guid.to_owned()) {
                let guid = text::fit(&text::clean(guid), NAME_MAX);
                self.odd(&node.path, format!("seat_guid '{guid}' is there more than once"));
            }
        }
        if !self.spots.insert(at) {
            self.odd(&node.path, "it stands on the spot of another seat");
        }
        let (name, words, category) = (String::new(), String::new(), self.category(node)?);
        Ok(Some(Seat { label, name, words, category, at, kind: self.kind(node) }))
    }

    fn category(&mut self, node: &Node) -> Result<u16, PlanError> {
        let given = node.get("category").and_then(|field| field.value.as_str());
        let cleaned = text::fit(&text::clean(given.unwrap_or_default()), NAME_MAX);
        let name = if cleaned.is_empty() { CATEGORY } else { &cleaned };
        let known = self.categories.iter().position(|known| known.name == name);
        if cleaned.is_empty() {
            self.odd(&node.path, format!("category is missing; taken as '{CATEGORY}'"));
        } else if known.is_none() {
            return Err(PlanError::UnknownCategory { place: node.path.to_string(), name: cleaned });
        }
        let index = known.unwrap_or_else(|| {
            self.categories.push(Category { name: name.to_owned(), color: None });
            self.categories.len() - 1
        });
        Ok(u16::try_from(index).unwrap_or(u16::MAX))
    }

    /// Reports rows in which a zone has a row letter and seat number more than once.
    fn report_repeats(&mut self, plan: &Plan) {
        for (index, zone) in plan.zones.iter().enumerate() {
            let mut seen = HashSet::new();
            for row in &zone.rows {
                let fresh = row.seats.iter().filter(|seat| seen.insert((&row.label, &seat.label)));
                let repeated = row.seats.len() - fresh.count();
                if repeated > 0 {
                    self.oddities.push(Oddity {
                        place: format!("zones[{index}]"),
                        what: format!(
                            "{repeated} seats of a row '{}' repeat the numbers of another such row of '{}'",
                            row.label, zone.name
                        ),
                    });
                }
            }
        }
    }
}

/// Words of a row for its seats on a ticket.
#[derive(Default)]
struct RowWords {
    /// `Row %s`
    row: String,
    /// `Seat %s`
    seat: String,
}

impl RowWords {
    /// Stands for the label of the row or seat.
    const LABEL: &str = "%s";

    fn of(row: &Node) -> Self {
        let words = |key| row.get(key).and_then(|field| field.value.as_str()).unwrap_or_default();
        let [row, seat] = ["row_label", "seat_label"].map(|key| text::fit(&text::clean(words(key)), NAME_MAX));
        Self { row, seat }
    }

    /// `Row B, Seat 7`; empty if the row has no words.
    fn of_seat(&self, row: &str, seat: &str) -> String {
        let filled = |words: &str, usual: &str, label: &str| match words {
            "" => usual.replace(Self::LABEL, label),
            words => words.replace(Self::LABEL, label),
        };
        if self.row.is_empty() && self.seat.is_empty() {
            return String::new();
        }
        format!("{}, {}", filled(&self.row, "Row %s", row), filled(&self.seat, "Seat %s", seat))
    }
}

/// `#rrggbb`, which is all that a theme takes from a file.
fn is_color(color: &str) -> bool {
    color
        .strip_prefix('#')
        .is_some_and(|digits| digits.len() == 6 && digits.chars().all(|digit| digit.is_ascii_hexdigit()))
}

fn point(path: &Path, (x, y): (f64, f64)) -> Result<Point, PlanError> {
    match (node::hundredths(x), node::hundredths(y)) {
        (Some(x), Some(y)) => Ok(Point { x, y }),
        _ => Err(PlanError::FarAway { place: path.to_string() }),
    }
}

#[cfg(test)]
mod tests;
