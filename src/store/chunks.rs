//! Keys of chunks, and the SQL conditions that select ranges of them.
//!
//! A key is the resource and the row or the day, and sorts like them, so the chunks of a resource
//! are contiguous and need no other index. Keys of another resource may lie between
//! (`hotel_2026_12` among the days of `hotel`): they differ in length, which the conditions check.

use chrono::NaiveDate;

use crate::domain::availability::ChunkKey;
use crate::domain::time::{date_of, day_number};
use crate::store::Value;

/// Condition for the chunks of one resource between two keys, both included: parameters by [`rows_of`] or [`days_of`].
pub const BETWEEN: &str = "key >= $1 AND key <= $2 AND LENGTH(key) = LENGTH($1)";

/// Condition for a chunk that is a day, not a seat row: the key ends with a two-digit day of the month.
pub const IS_DAY: &str = "SUBSTR(key, LENGTH(key) - 2, 1) = '_'";

/// Range of seat row numbers.
const ROWS: (u32, u32) = (0, 99_999);

/// Range of day numbers: the year has four digits.
const DAYS: (u32, u32) = (10_000_101, 99_991_231);

/// Selects all seat rows of a performance: parameters of [`BETWEEN`].
pub fn rows_of(performance: &str) -> [Value<'static>; 2] {
    between(performance, ROWS)
}

/// Selects a resource's days in a range, both ends included: parameters of [`BETWEEN`].
pub fn days_of(resource: &str, (first, last): (u32, u32)) -> [Value<'static>; 2] {
    between(resource, (first.max(DAYS.0), last.min(DAYS.1)))
}

/// Selects a resource's days from a number on.
pub fn days_from(resource: &str, first: u32) -> [Value<'static>; 2] {
    days_of(resource, (first, DAYS.1))
}

/// Selects all days of a resource.
pub fn all_days(resource: &str) -> [Value<'static>; 2] {
    between(resource, DAYS)
}

fn between(resource: &str, (first, last): (u32, u32)) -> [Value<'static>; 2] {
    let key = |number| chunk_key(&ChunkKey { resource: resource.to_owned(), number });
    [key(first).into(), key(last).into()]
}

/// Join for the chunks of several resources, each between two keys as in [`BETWEEN`]; the first of them is `span.column1`.
/// The lengths are no equality, by which PostgreSQL would join each resource with all chunks.
pub fn between_each(count: usize) -> String {
    let spans: Vec<String> = (1..=count).map(|at| format!("(${}, ${})", 2 * at - 1, 2 * at)).collect();
    format!(
        "JOIN (VALUES {}) AS span ON key >= span.column1 AND key <= span.column2 \
         AND LENGTH(key) - LENGTH(span.column1) = 0",
        spans.join(", ")
    )
}

/// Key of a chunk: the resource, then the row number or the day as `yyyy_mm_dd`.
pub fn chunk_key(key: &ChunkKey) -> String {
    let ChunkKey { resource, number } = key;
    if date_of(*number).is_none() {
        return format!("{resource}_{number:05}");
    }
    let (year, month, day) = (number / 10_000, number / 100 % 100, number % 100);
    format!("{resource}_{year:04}_{month:02}_{day:02}")
}

/// Parses a chunk key; `None` if it is not one.
pub fn chunk_at(text: &str) -> Option<ChunkKey> {
    let (rest, last) = text.rsplit_once('_')?;
    if last.len() > DAY_CHARS {
        return Some(ChunkKey { resource: rest.to_owned(), number: last.parse().ok()? });
    }
    let (rest, month) = rest.rsplit_once('_')?;
    let (resource, year) = rest.rsplit_once('_')?;
    let date = NaiveDate::from_ymd_opt(year.parse().ok()?, month.parse().ok()?, last.parse().ok()?)?;
    Some(ChunkKey { resource: resource.to_owned(), number: day_number(date) })
}

/// Characters of the day of the month at the end of a key; a row number has more.
const DAY_CHARS: usize = 2;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chunk_key_is_parsed_back() {
        for (resource, number) in [
            ("room_7", 20_261_231),
            ("hotel_2026_12", 20_270_101),
            ("019aa0e2-e8bb-7c2b-a5ec-d8e5bc2dbb60", 0),
            ("019aa0e2-e8bb-7c2b-a5ec-d8e5bc2dbb60", 1_000),
        ] {
            let key = ChunkKey { resource: resource.to_owned(), number };
            assert_eq!(chunk_at(&chunk_key(&key)), Some(key));
        }
        assert_eq!(chunk_at("room_2026_13_01"), None);
        assert_eq!(chunk_at("nonsense"), None);
    }
}
