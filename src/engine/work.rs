//! The unit of work: what one operation loaded and changed.
//!
//! An operation loads documents, decides, and puts back what changed; nothing is written before it returns.
//! Then its changes and its entry of the journal join the batch, each document on condition of the
//! version that was loaded. A refusal leaves nothing.
//!
//! # Invariants
//! - Each document is loaded once; loading it again gives what the operation has put.
//! - `now` is the present time of this process, read once per run; no document moves it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::domain::availability::{Chunk, ChunkKey, Chunks};
use crate::domain::house::Settings;
use crate::domain::ids::{CommandId, PlanId};
use crate::domain::owner::Owner;
use crate::domain::refusal::Refusal;
use crate::domain::time::Instant;
use crate::engine::cache::Known;
use crate::engine::chunks::chunk_key;
use crate::engine::documents::SETTINGS_KEY;
use crate::engine::houses::{Houses, SeatingPlan};
use crate::engine::transaction::{Beside, Transaction};
use crate::store::document::{By, ChangedDocument, DocKind, Document, spell};
use crate::store::job::{self, Aside};
use crate::store::journal::NewEntry;
use crate::store::{Fault, Reader, Row, Sql, Value, stamps};

mod aside;
mod source;

use source::Source;

/// One verb of the desk.
///
/// It may run again on fresh documents, so it keeps nothing of a run. What it needs of the world comes in
/// through its fields, which are also what the journal says was asked.
pub trait Operation: Serialize + Send + 'static {
    /// The verb, as the journal names it.
    const VERB: &'static str;

    /// Whether it confirms this process's clock, and so runs also while that is in doubt.
    const CONFIRMS_CLOCK: bool = false;

    /// What a done operation answers, now and whenever its command is sent again.
    type Answer: Serialize + DeserializeOwned + Send + 'static;

    /// Loads, decides, and puts back.
    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<Self::Answer, Failure>;
}

/// Why an operation or a question was not done.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    /// The desk says no; nothing has changed.
    #[error("refused: {}", .0.kind())]
    Refused(Refusal),
    /// Machinery failed.
    #[error(transparent)]
    Fault(#[from] Fault),
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

impl From<crate::domain::money::MoneyError> for Failure {
    fn from(error: crate::domain::money::MoneyError) -> Self {
        Self::Refused(Refusal::BadValue {
            field: "amount".into(),
            problem: error.to_string(),
        })
    }
}

/// Who asks, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Actor {
    /// The operator's name.
    pub operator: String,
    /// The station's name.
    pub station: String,
}

/// A document of an operation: as it was loaded, and as it was put.
struct Slot {
    loaded: Known,
    changed: Option<ChangedDocument>,
}

/// What an operation has loaded and changed so far.
pub struct UnitOfWork<'a> {
    source: Source<'a>,
    houses: &'a Houses,
    actor: &'a Actor,
    command: String,
    now: Instant,
    slots: BTreeMap<(DocKind, String), Slot>,
    aside: Aside,
    /// Owners whose deadline had passed where an act took cells: they end with the operation.
    ending: BTreeSet<Owner>,
    /// Whether the journal has an entry also where nothing changed.
    keeps_answer: bool,
    /// When its time limit ends.
    until: Option<std::time::Instant>,
}

impl<'a> UnitOfWork<'a> {
    pub(crate) fn new(
        transaction: &'a mut Transaction,
        houses: &'a Houses,
        (actor, command): (&'a Actor, CommandId),
        now: Instant,
    ) -> Self {
        let source = Source::Transaction(transaction);
        Self::reading(source, houses, (actor, command.to_string()), now)
    }

    /// Tries an operation on a snapshot: the answer it would give there, with nothing written.
    pub(crate) fn rehearse<O: Operation>(
        (reader, houses): (&mut dyn Reader, &Houses),
        now: Instant,
        operation: &O,
    ) -> Result<O::Answer, Failure> {
        let nobody = Actor {
            operator: String::new(),
            station: String::new(),
        };
        let source = Source::Snapshot(reader);
        operation.run(&mut UnitOfWork::reading(
            source,
            houses,
            (&nobody, String::new()),
            now,
        ))
    }

    fn reading(
        source: Source<'a>,
        houses: &'a Houses,
        (actor, command): (&'a Actor, String),
        now: Instant,
    ) -> Self {
        Self {
            source,
            houses,
            actor,
            command,
            now,
            slots: BTreeMap::new(),
            aside: Aside::default(),
            ending: BTreeSet::new(),
            keeps_answer: false,
            until: None,
        }
    }

    /// The present time, read once when the operation began.
    #[must_use]
    pub const fn now(&self) -> Instant {
        self.now
    }

    /// Has the command answered again by its id, also where nothing changed.
    pub(crate) const fn keep_answer(&mut self) {
        self.keeps_answer = true;
    }

    /// Queues the end of owners whose deadline had passed where an act took cells.
    pub(crate) fn end_later(&mut self, late: impl IntoIterator<Item = Owner>) {
        self.ending.extend(late);
    }

    /// Takes the queued owners.
    pub(crate) fn take_ending(&mut self) -> BTreeSet<Owner> {
        std::mem::take(&mut self.ending)
    }

    /// Who asked for this.
    #[must_use]
    pub const fn actor(&self) -> &'a Actor {
        self.actor
    }

    fn load(&mut self, kind: DocKind, keys: &[String]) -> Result<(), Fault> {
        self.in_time()?;
        let loaded = |key: &&String| self.slots.contains_key(&(kind, (*key).clone()));
        let missing: Vec<String> = keys.iter().filter(|key| !loaded(key)).cloned().collect();
        for (key, loaded) in self.source.load(kind, missing)? {
            let changed = None;
            self.slots.insert((kind, key), Slot { loaded, changed });
        }
        Ok(())
    }

    /// A document by its key; `None` when there is none.
    pub fn find<D: Document>(&mut self, key: &str) -> Result<Option<D>, Failure> {
        self.load(D::KIND, &[key.to_owned()])?;
        let slot = self.slots.get(&(D::KIND, key.to_owned()));
        let stored = slot.and_then(|slot| match &slot.changed {
            Some(changed) => Some(&changed.stored),
            None => slot.loaded.as_ref(),
        });
        Ok(stored.map(|stored| stored.parse()).transpose()?)
    }

    /// A document that has to be there.
    #[expect(
        clippy::needless_pass_by_value,
        reason = "ids are small and read best by value"
    )]
    pub fn get<D: Document>(&mut self, key: impl ToString) -> Result<D, Failure> {
        let key = key.to_string();
        let found = self.find(&key)?;
        found.ok_or_else(|| {
            Refusal::NotFound {
                what: D::KIND.word().to_owned(),
                name: key,
            }
            .into()
        })
    }

    /// Puts a document: a changed one back, or a new one in. One that is as it was is not written.
    ///
    /// # Errors
    /// A fault of the store, when the place of a new one has to be read.
    pub fn put<D: Document>(&mut self, value: &D) -> Result<(), Failure> {
        self.load(D::KIND, &[value.key()])?;
        let body = spell(value)?;
        let loaded = self.loaded(value);
        let same = loaded.as_ref().is_some_and(|stored| stored.body == body);
        self.change(value, loaded, Some(body).filter(|_| !same));
        Ok(())
    }

    /// Writes a document although nothing in it changed, because a decision rests on it.
    pub fn touch<D: Document>(&mut self, value: &D) -> Result<(), Failure> {
        self.load(D::KIND, &[value.key()])?;
        let loaded = self.loaded(value);
        self.change(value, loaded, Some(spell(value)?));
        Ok(())
    }

    /// Puts a document whose key was just made, so that none can have it.
    ///
    /// # Errors
    /// The value cannot be written as JSON.
    pub fn create<D: Document>(&mut self, value: &D) -> Result<(), Failure> {
        self.change(value, None, Some(spell(value)?));
        Ok(())
    }

    fn loaded<D: Document>(&self, value: &D) -> Known {
        self.slots.get(&(D::KIND, value.key()))?.loaded.clone()
    }

    fn change<D: Document>(&mut self, value: &D, loaded: Known, body: Option<String>) {
        let by = self.by();
        let changed = body.map(|body| ChangedDocument::of(value, body, loaded.clone(), by));
        let slot = Slot { loaded, changed };
        self.slots.insert((D::KIND, value.key()), slot);
    }

    /// The command, as the rows that it writes name it.
    fn by(&self) -> By<'_> {
        By {
            command: &self.command,
            at: self.now.millis(),
            operator: &self.actor.operator,
            station: &self.actor.station,
        }
    }

    /// Chunks by key, with one query; those that are not there are left out.
    pub fn chunks(&mut self, keys: &[ChunkKey]) -> Result<Chunks, Failure> {
        let texts: Vec<String> = keys.iter().map(chunk_key).collect();
        self.load(DocKind::Chunk, &texts)?;
        let mut chunks = Chunks::new();
        for (key, text) in keys.iter().zip(&texts) {
            if let Some(chunk) = self.find::<Chunk>(text)? {
                chunks.insert(key.clone(), chunk);
            }
        }
        Ok(chunks)
    }

    /// Puts chunks back.
    pub fn put_chunks(&mut self, chunks: &Chunks) -> Result<(), Failure> {
        chunks.values().try_for_each(|chunk| self.put(chunk))
    }

    /// The house's settings, or what holds when nobody has set any.
    pub fn settings(&mut self) -> Result<Settings, Failure> {
        Ok(self.find(SETTINGS_KEY)?.unwrap_or_default())
    }

    /// A plan version with its layout; it never changes, so it is kept in memory.
    pub fn house(&mut self, plan: PlanId) -> Result<Arc<SeatingPlan>, Failure> {
        if let Some(known) = self.houses.known(plan) {
            return Ok(known);
        }
        self.houses.get(self.source.sql()?, plan)
    }

    /// The connection, for questions whose answers are no basis for a decision about documents.
    pub(crate) fn sql(&mut self) -> Result<&mut dyn Sql, Failure> {
        self.in_time()?;
        Ok(self.source.sql()?)
    }

    /// Rows of a question that helps to find documents. What it answers is no basis for a decision: load them.
    pub fn query(&mut self, sql: &str, params: &[Value<'_>]) -> Result<Vec<Row>, Failure> {
        Ok(self.sql()?.query(sql, params)?)
    }

    /// Adds everything that was loaded to the read set: a refusal rests on all of it.
    pub(crate) fn expect_loaded(&mut self) {
        let Source::Transaction(transaction) = &mut self.source else {
            return;
        };
        for ((kind, key), slot) in &self.slots {
            transaction.expect(*kind, key, slot.loaded.as_deref());
        }
    }

    /// Hands what changed to the batch, with the journal's entry; whether there is anything to write.
    pub(crate) fn finish(mut self, request: &str, answer: &str) -> Result<bool, Fault> {
        let mut changes = Vec::new();
        let transaction = self.source.writable()?;
        for ((kind, key), slot) in std::mem::take(&mut self.slots) {
            match slot.changed {
                // written on condition of its version
                Some(next) => changes.push(next),
                None => transaction.expect(kind, &key, slot.loaded.as_deref()),
            }
        }
        let mut aside = std::mem::take(&mut self.aside);
        if changes.is_empty() && aside.is_empty() && !self.keeps_answer {
            return Ok(false);
        }
        if let Some(back) = &aside.back {
            stamps::write(transaction.session()?, back)?;
        }
        let told = !aside.events.is_empty() || aside.back.is_some() || aside.forget.is_some();
        let is_told = !changes.is_empty() || told || self.keeps_answer;
        let entry = is_told.then(|| NewEntry::of(self.by(), (request, answer), (&changes, &aside)));
        let beside = Beside {
            jobs: job::job_writes(&mut aside, self.by()),
            writes: job::writes(&aside, self.by())?,
        };
        self.source.writable()?.add(changes, beside, entry)?;
        Ok(true)
    }
}
