//! Questions to the database, one per file.
//!
//! A question reads one snapshot beside the writer, compares deadlines with the engine's time, and
//! changes nothing. Decisions never rest on its answer: operations load their documents themselves.

use std::sync::Arc;

use crate::domain::availability::Chunk;
use crate::domain::house::Settings;
use crate::domain::ids::{PerformanceId, PlanId};
use crate::domain::refusal::Refusal;
use crate::domain::time::Instant;
use crate::engine::chunks;
use crate::engine::documents::SETTINGS_KEY;
use crate::engine::houses::{Houses, SeatingPlan};
use crate::engine::work::{Failure, Operation, UnitOfWork};
use crate::store::document::{self, Document, Stored};
use crate::store::{Reader, Row, Sql, Value};

pub mod alternatives;
pub mod asked;
pub mod bookings;
pub mod calendar;
pub mod carts;
pub mod catalog;
pub mod events;
pub mod find;
pub mod free_time;
pub mod inspect;
pub mod instead;
pub mod jobs;
pub mod journal;
pub mod names;
pub mod presence;
pub mod receipts;
pub mod resources;
pub mod seat_map;
pub mod sizes;
pub mod taken;
pub mod tonight;
pub mod waitlist;
pub mod worklist;

/// Most rows in a list; the next page starts after the last row.
pub const PAGE_MAX: usize = 100;

/// Escapes a text for `LIKE ... ESCAPE '!'`.
fn literal(text: &str) -> String {
    let mut pattern = String::with_capacity(text.len());
    for letter in text.chars() {
        if matches!(letter, '!' | '%' | '_') {
            pattern.push('!');
        }
        pattern.push(letter);
    }
    pattern
}

/// Question to the database.
pub trait Question {
    /// Type of the answer.
    type Answer;

    /// Computes the answer from a snapshot.
    fn ask(&self, snapshot: &mut Snapshot<'_>) -> Result<Self::Answer, Failure>;
}

/// Read snapshot of the database at one moment.
pub struct Snapshot<'a> {
    reader: &'a mut dyn Reader,
    houses: &'a Houses,
    now: Instant,
}

impl<'a> Snapshot<'a> {
    pub(crate) fn new(reader: &'a mut dyn Reader, houses: &'a Houses, now: Instant) -> Self {
        Self {
            reader,
            houses,
            now,
        }
    }

    /// Engine time at the start of the snapshot.
    #[must_use]
    pub const fn now(&self) -> Instant {
        self.now
    }

    /// Runs a query in the SQL subset common to both databases.
    pub fn query(&mut self, sql: &str, params: &[Value<'_>]) -> Result<Vec<Row>, Failure> {
        Ok(self.reader.query(sql, params)?)
    }

    /// Connection of the snapshot.
    pub(crate) fn sql(&mut self) -> &mut dyn Sql {
        self.reader
    }

    /// Loads documents by a condition on their columns.
    pub fn select<D: Document>(
        &mut self,
        condition: &str,
        params: &[Value<'_>],
    ) -> Result<Vec<D>, Failure> {
        Ok(document::select(self.reader, condition, params)?)
    }

    /// Loads documents in stored form by key; absent keys are left out.
    pub fn stored<D: Document>(&mut self, keys: &[String]) -> Result<Vec<Stored>, Failure> {
        Ok(document::load(self.reader, D::KIND, keys)?)
    }

    /// Loads documents by key; absent keys are left out.
    pub fn all<D: Document>(&mut self, keys: &[String]) -> Result<Vec<D>, Failure> {
        self.stored::<D>(keys)?
            .iter()
            .map(|stored| Ok(stored.parse()?))
            .collect()
    }

    /// Loads a document; refuses if it is absent.
    #[expect(
        clippy::needless_pass_by_value,
        reason = "ids are small and read best by value"
    )]
    pub fn get<D: Document>(&mut self, key: impl ToString) -> Result<D, Failure> {
        let key = key.to_string();
        let found = self.all(std::slice::from_ref(&key))?.pop();
        found.ok_or_else(|| {
            Refusal::NotFound {
                what: D::KIND.word().to_owned(),
                name: key,
            }
            .into()
        })
    }

    /// Loads a plan version with its layout.
    pub fn house(&mut self, plan: PlanId) -> Result<Arc<SeatingPlan>, Failure> {
        self.houses.get(self.reader, plan)
    }

    /// Loads the seat rows of a performance, in order.
    pub fn chunks(&mut self, performance: PerformanceId) -> Result<Vec<Chunk>, Failure> {
        self.select(
            &format!("WHERE {} ORDER BY key", chunks::BETWEEN),
            &chunks::rows_of(&performance.to_string()),
        )
    }

    /// Runs an operation without writing, and returns the answer it would give on this snapshot.
    pub fn rehearse<O: Operation>(&mut self, operation: &O) -> Result<O::Answer, Failure> {
        UnitOfWork::rehearse((self.reader, self.houses), self.now, operation)
    }

    /// Reports damaged pages, rows and indexes of the database file.
    pub(crate) fn corruption(&mut self) -> Result<Vec<String>, Failure> {
        Ok(self.reader.corruption()?)
    }

    /// Lists tables numbered without gaps, each with the last number assigned.
    ///
    /// # Errors
    /// A fault of the store.
    pub(crate) fn numbered(&mut self) -> Result<Vec<(String, i64)>, Failure> {
        Ok(self.reader.numbered()?)
    }

    /// Reports durability guarantees that the database violates.
    pub(crate) fn damage(&mut self) -> Result<Vec<String>, Failure> {
        Ok(self.reader.damage()?)
    }

    /// Loads the settings.
    pub fn settings(&mut self) -> Result<Settings, Failure> {
        Ok(self
            .all(&[SETTINGS_KEY.to_owned()])?
            .pop()
            .unwrap_or_default())
    }
}
