//! The unit of work: what one operation loaded and changed.
//!
//! An operation loads documents, decides, and puts back what changed; nothing is written before it returns.
//! Then every changed document is written once, in one order, on condition of the version that was loaded,
//! with the journal's entry. A refusal has written nothing.
//!
//! # Invariants
//! - Each document is loaded once; loading it again gives what the operation has put.
//! - `now` is the present time of this process, read once per run; no document moves it.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::domain::availability::{Chunk, ChunkKey, Chunks};
use crate::domain::house::Settings;
use crate::domain::ids::PlanId;
use crate::domain::refusal::Refusal;
use crate::domain::time::Instant;
use crate::engine::cache::{Cache, Kept, Known};
use crate::engine::chunks::chunk_key;
use crate::engine::documents::SETTINGS_KEY;
use crate::engine::houses::{House, Houses};
use crate::store::document::{self, DocKind, Document};
use crate::store::job::Aside;
use crate::store::{Fault, Row, Session, Sql, Value};

mod aside;
mod slot;
mod writing;

use slot::{New, Slot};

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
    ///
    /// # Errors
    /// A refusal or a fault; then nothing is written.
    fn run(&self, work: &mut Work<'_>) -> Result<Self::Answer, Failure>;
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

/// What became of a command's changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Written {
    /// There were none.
    Nothing,
    /// They are written.
    Stored,
    /// The command was done before; nothing is written.
    DoneBefore,
}

/// What an operation has loaded and changed so far.
pub struct Work<'a> {
    session: &'a mut dyn Session,
    cache: &'a mut Cache,
    houses: &'a Houses,
    actor: &'a Actor,
    now: Instant,
    slots: BTreeMap<(DocKind, String), Slot>,
    aside: Aside,
    /// Whether the journal has an entry also where nothing changed.
    keeps_answer: bool,
    /// When its time limit ends.
    until: Option<std::time::Instant>,
}

impl<'a> Work<'a> {
    pub(crate) fn new(
        session: &'a mut dyn Session,
        cache: &'a mut Cache,
        (houses, actor): (&'a Houses, &'a Actor),
        now: Instant,
    ) -> Self {
        Self {
            session,
            cache,
            houses,
            actor,
            now,
            slots: BTreeMap::new(),
            aside: Aside::default(),
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

    /// Who asked for this.
    #[must_use]
    pub const fn actor(&self) -> &'a Actor {
        self.actor
    }

    fn load(&mut self, kind: DocKind, keys: &[String]) -> Result<(), Fault> {
        self.in_time()?;
        let mut missing = Vec::new();
        for key in keys {
            let slot = (kind, key.clone());
            if self.slots.contains_key(&slot) {
                continue;
            }
            match self.cache.get(kind, key) {
                Known::Stored(stored) => self.loaded(slot, stored),
                Known::Nothing => missing.push(slot.1),
            }
        }
        if missing.is_empty() {
            return Ok(());
        }
        for stored in document::look_up(self.session, kind, &missing)? {
            let key = stored.key.clone();
            let kept = Arc::new(Kept::read(stored));
            self.cache.set(kind, key.clone(), Some(Arc::clone(&kept)));
            self.loaded((kind, key), Some(kept));
        }
        for key in missing {
            let slot = (kind, key);
            if !self.slots.contains_key(&slot) {
                self.cache.set(kind, slot.1.clone(), None);
                self.loaded(slot, None);
            }
        }
        Ok(())
    }

    fn loaded(&mut self, slot: (DocKind, String), stored: Option<Arc<Kept>>) {
        self.slots.insert(slot, Slot { stored, new: None });
    }

    /// A document by its key; `None` when there is none.
    ///
    /// # Errors
    /// A fault of the store.
    pub fn find<D: Document>(&mut self, key: &str) -> Result<Option<D>, Failure> {
        self.load(D::KIND, &[key.to_owned()])?;
        let Some(slot) = self.slots.get(&(D::KIND, key.to_owned())) else {
            return Ok(None);
        };
        if let Some(new) = &slot.new {
            return Ok(new.value.downcast_ref().cloned());
        }
        Ok(slot.stored.as_ref().map(|kept| kept.value()).transpose()?)
    }

    /// A document that has to be there.
    ///
    /// # Errors
    /// [`Refusal::NotFound`], or a fault of the store.
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
    /// A fault of the store, when a new one's place has to be looked at.
    pub fn put<D: Document>(&mut self, value: &D) -> Result<(), Failure> {
        let key = value.key();
        self.load(D::KIND, std::slice::from_ref(&key))?;
        let body =
            serde_json::to_string(value).map_err(|error| Fault::Broken(error.to_string()))?;
        if let Some(slot) = self.slots.get_mut(&(D::KIND, key)) {
            let same = slot
                .stored
                .as_ref()
                .is_some_and(|kept| kept.stored.body == body);
            slot.new = (!same).then(|| New::of(value, body));
        }
        Ok(())
    }

    /// Writes a document although nothing in it changed, because a decision rests on it.
    ///
    /// # Errors
    /// A fault of the store.
    pub fn touch<D: Document>(&mut self, value: &D) -> Result<(), Failure> {
        self.put(value)?;
        if let Some(Slot {
            stored: Some(kept),
            new: new @ None,
        }) = self.slots.get_mut(&(D::KIND, value.key()))
        {
            *new = Some(New::of(value, kept.stored.body.clone()));
        }
        Ok(())
    }

    /// Puts a document whose key was just made, so that nothing can be in its place.
    ///
    /// # Errors
    /// The value cannot be written as JSON.
    pub fn create<D: Document>(&mut self, value: &D) -> Result<(), Failure> {
        let body =
            serde_json::to_string(value).map_err(|error| Fault::Broken(error.to_string()))?;
        self.slots.insert(
            (D::KIND, value.key()),
            Slot {
                stored: None,
                new: Some(New::of(value, body)),
            },
        );
        Ok(())
    }

    /// Chunks by key, with one query; those that are not there are left out.
    ///
    /// # Errors
    /// A fault of the store.
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
    ///
    /// # Errors
    /// A fault of the store.
    pub fn put_chunks(&mut self, chunks: &Chunks) -> Result<(), Failure> {
        chunks.values().try_for_each(|chunk| self.put(chunk))
    }

    /// The house's settings, or what holds when nobody has set any.
    ///
    /// # Errors
    /// A fault of the store.
    pub fn settings(&mut self) -> Result<Settings, Failure> {
        Ok(self.find(SETTINGS_KEY)?.unwrap_or_default())
    }

    /// A plan version with its layout; it never changes, so it is kept in memory.
    ///
    /// # Errors
    /// [`Refusal::NotFound`], or a fault of the store.
    pub fn house(&mut self, plan: PlanId) -> Result<Arc<House>, Failure> {
        self.houses.get(self.session, plan)
    }

    /// The connection, for questions whose answers are no basis for a decision about documents.
    pub(crate) fn sql(&mut self) -> &mut dyn Sql {
        self.session
    }

    /// Rows of a question that helps to find documents. What it answers is no basis for a decision: load them.
    ///
    /// # Errors
    /// A fault of the store.
    pub fn query(&mut self, sql: &str, params: &[Value<'_>]) -> Result<Vec<Row>, Failure> {
        self.in_time()?;
        Ok(self.session.query(sql, params)?)
    }
}
