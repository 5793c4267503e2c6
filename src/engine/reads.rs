//! Questions to the house, one per file, in the words of the screen.
//!
//! A question reads from one snapshot beside the writer, judges deadlines by the engine's time, and changes
//! nothing. Nothing it answers is ever a basis for a decision: operations load their documents themselves.

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

/// How many rows a list gives at most; it continues after the last.
pub const PAGE_MAX: usize = 100;

/// A text that stands for itself in a pattern of `LIKE ... ESCAPE '!'`.
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

/// A question to the house.
pub trait Question {
    /// What it answers.
    type Answer;

    /// Reads the answer from a snapshot.
    fn ask(&self, snapshot: &mut Snapshot<'_>) -> Result<Self::Answer, Failure>;
}

/// The house as it was at one moment.
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

    /// The engine's time when it was asked.
    #[must_use]
    pub const fn now(&self) -> Instant {
        self.now
    }

    /// Rows of a question in the common subset.
    pub fn query(&mut self, sql: &str, params: &[Value<'_>]) -> Result<Vec<Row>, Failure> {
        Ok(self.reader.query(sql, params)?)
    }

    /// The connection that it reads from.
    pub(crate) fn sql(&mut self) -> &mut dyn Sql {
        self.reader
    }

    /// Documents by a condition on their columns.
    pub fn select<D: Document>(
        &mut self,
        condition: &str,
        params: &[Value<'_>],
    ) -> Result<Vec<D>, Failure> {
        Ok(document::select(self.reader, condition, params)?)
    }

    /// Documents by key, as they are stored; those that are not there are left out.
    pub fn stored<D: Document>(&mut self, keys: &[String]) -> Result<Vec<Stored>, Failure> {
        Ok(document::load(self.reader, D::KIND, keys)?)
    }

    /// Documents by key; those that are not there are left out.
    pub fn all<D: Document>(&mut self, keys: &[String]) -> Result<Vec<D>, Failure> {
        self.stored::<D>(keys)?
            .iter()
            .map(|stored| Ok(stored.parse()?))
            .collect()
    }

    /// A document that has to be there.
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

    /// A plan version with its layout.
    pub fn house(&mut self, plan: PlanId) -> Result<Arc<SeatingPlan>, Failure> {
        self.houses.get(self.reader, plan)
    }

    /// The rows of a performance, in order.
    pub fn chunks(&mut self, performance: PerformanceId) -> Result<Vec<Chunk>, Failure> {
        self.select(
            &format!("WHERE {} ORDER BY key", chunks::BETWEEN),
            &chunks::rows_of(&performance.to_string()),
        )
    }

    /// Tries an operation: the answer that it would give here, with nothing written.
    pub fn rehearse<O: Operation>(&mut self, operation: &O) -> Result<O::Answer, Failure> {
        UnitOfWork::rehearse((self.reader, self.houses), self.now, operation)
    }

    /// Damaged pages, rows and indexes of the database's file.
    pub(crate) fn corruption(&mut self) -> Result<Vec<String>, Failure> {
        Ok(self.reader.corruption()?)
    }

    /// Tables whose rows have numbers without a gap, and the last number that was given.
    ///
    /// # Errors
    /// A fault of the store.
    pub(crate) fn numbered(&mut self) -> Result<Vec<(String, i64)>, Failure> {
        Ok(self.reader.numbered()?)
    }

    /// Promises that the database does not keep.
    pub(crate) fn damage(&mut self) -> Result<Vec<String>, Failure> {
        Ok(self.reader.damage()?)
    }

    /// The house's settings.
    pub fn settings(&mut self) -> Result<Settings, Failure> {
        Ok(self
            .all(&[SETTINGS_KEY.to_owned()])?
            .pop()
            .unwrap_or_default())
    }
}
