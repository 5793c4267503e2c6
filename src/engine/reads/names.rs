//! Resolution of typed names to ids, and of seats to names.

use chrono_tz::Tz;
use serde::Deserialize;

use crate::domain::ids::{BookingId, CartId, PerformanceId, ReceiptId, TheaterId, WaitId, WorkId};
use crate::domain::performance::{Performance, Theater};
use crate::domain::plan::SeatRef;
use crate::domain::refusal::Refusal;
use crate::engine::reads::{Question, Snapshot, only};
use crate::engine::work::Failure;
use crate::store::Row;
use crate::store::document::DocKind;

mod performances;

/// Finds seats of a performance's plan by name.
#[derive(Clone, Debug, Deserialize)]
pub struct ReadSeats {
    pub performance: PerformanceId,
    pub names: Vec<String>,
}

impl Question for ReadSeats {
    type Answer = Vec<SeatRef>;

    fn ask(&self, snapshot: &mut Snapshot<'_>) -> Result<Self::Answer, Failure> {
        let performance: Performance = snapshot.get(self.performance)?;
        Ok(snapshot.seating(performance.plan)?.seats(&self.names)?)
    }
}

/// Resolves a text to an id: an id, the tail of one, or a name.
#[derive(Clone, Debug)]
pub struct ReadNamed<T> {
    text: String,
    kind: std::marker::PhantomData<T>,
}

impl<T: Named> ReadNamed<T> {
    /// Creates the question for a text.
    pub fn new(text: &str) -> Self {
        Self { text: text.trim().to_owned(), kind: std::marker::PhantomData }
    }
}

/// Candidate for a name.
pub struct Meant {
    pub key: String,
    /// Longer name that only this document has.
    pub told: String,
}

/// Id of a document that can be named.
pub trait Named: std::str::FromStr + std::fmt::Display {
    const KIND: DocKind;
    /// Column with the lowercase name; `None` if the kind has no names.
    const NAME: Option<&'static str> = None;

    /// Finds the documents with a name.
    fn by_name(text: &str, snapshot: &mut Snapshot<'_>) -> Result<Vec<Meant>, Failure> {
        let Some(column) = Self::NAME else {
            return Ok(Vec::new());
        };
        let sql =
            format!("SELECT key FROM {} WHERE {column} = $1 OR {column} = $2 ORDER BY key LIMIT 9", Self::KIND.word());
        let rows = snapshot.query(&sql, &[text.to_lowercase().into(), text.into()])?;
        Ok(rows.iter().map(Meant::of_key).collect())
    }
}

impl Meant {
    fn of_key(row: &Row) -> Self {
        let key = row.text(0).to_owned();
        let told = key.clone();
        Self { key, told }
    }
}

impl Named for TheaterId {
    const KIND: DocKind = DocKind::Theater;
    const NAME: Option<&'static str> = Some("name");
}

impl Named for PerformanceId {
    const KIND: DocKind = DocKind::Performance;
    fn by_name(text: &str, snapshot: &mut Snapshot<'_>) -> Result<Vec<Meant>, Failure> {
        performances::by_name(text, snapshot)
    }
}

impl Named for CartId {
    const KIND: DocKind = DocKind::Cart;
}

impl Named for ReceiptId {
    const KIND: DocKind = DocKind::Receipt;
    const NAME: Option<&'static str> = Some("number");
}

impl Named for WaitId {
    const KIND: DocKind = DocKind::Waiting;
}

impl Named for BookingId {
    const KIND: DocKind = DocKind::Booking;
}

impl Named for WorkId {
    const KIND: DocKind = DocKind::Work;
}

/// Shortest tail that is accepted.
pub(super) const TAIL_LEAST: usize = 4;

impl<T: Named> Question for ReadNamed<T> {
    type Answer = T;

    fn ask(&self, snapshot: &mut Snapshot<'_>) -> Result<T, Failure> {
        let what = T::KIND.word();
        let meant = self.meant(snapshot)?.into_iter();
        let meant = meant.map(|one| (one.told, one.key)).collect();
        let key = only(what, self.text.clone(), meant)?;
        key.parse().map_err(|_| Refusal::not_found(what, &self.text).into())
    }
}

/// Resolves a text to a performance, with the time zone of its theater.
#[derive(Clone, Debug, Deserialize)]
pub struct ReadNamedPerformance(pub String);

impl Question for ReadNamedPerformance {
    type Answer = (PerformanceId, Tz);

    fn ask(&self, snapshot: &mut Snapshot<'_>) -> Result<Self::Answer, Failure> {
        let id = ReadNamed::<PerformanceId>::new(&self.0).ask(snapshot)?;
        let performance: Performance = snapshot.get(id)?;
        let theater: Theater = snapshot.get(performance.theater)?;
        Ok((id, theater.time_zone))
    }
}

impl<T: Named> ReadNamed<T> {
    fn meant(&self, snapshot: &mut Snapshot<'_>) -> Result<Vec<Meant>, Failure> {
        let what = T::KIND.word();
        let keys = |rows: &[Row]| rows.iter().map(Meant::of_key).collect();
        if let Ok(id) = self.text.parse::<T>() {
            let sql = format!("SELECT key FROM {what} WHERE key = $1");
            return Ok(keys(&snapshot.query(&sql, &[id.to_string().into()])?));
        }
        let named = T::by_name(&self.text, snapshot)?;
        let tail = self.text.trim_start_matches('.').to_lowercase();
        let is_tail = tail.chars().all(|c| c.is_ascii_hexdigit() || c == '-');
        if !named.is_empty() || tail.len() < TAIL_LEAST || !is_tail {
            return Ok(named);
        }
        let sql = format!("SELECT key FROM {what} WHERE key LIKE $1 ORDER BY key LIMIT 9");
        Ok(keys(&snapshot.query(&sql, &[format!("%{tail}").into()])?))
    }
}
