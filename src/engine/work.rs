//! Unit of work: the documents that one operation loads and changes.
//!
//! An operation loads documents, decides, and puts changed documents back; nothing is written
//! before it returns. Then its changes and its journal entry join the batch, each write conditional
//! on the loaded version. A refusal writes nothing.
//!
//! # Invariants
//! - Each document is loaded once; loading it again returns the operation's own change.
//! - `now` is read once per run from this process's clock; stored times do not affect it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::domain::availability::{Chunk, ChunkKey, Chunks};
use crate::domain::house::Settings;
use crate::domain::ids::{CommandId, CustomerId, PlanId};
use crate::domain::operator::{Hands, Operator};
use crate::domain::owner::Owner;
use crate::domain::refusal::Refusal;
use crate::domain::rights;
use crate::domain::time::Instant;
pub use crate::engine::failure::Failure;
use crate::engine::machine::cache::Known;
use crate::engine::plans::{PlanCache, SeatingPlan};
use crate::engine::transaction::{SideWrites, Transaction};
use crate::store::chunks::chunk_key;
use crate::store::document::{self, By, ChangedDocument, DocKind, Document, Salt, Spelled, Stored, spell};
use crate::store::job::{self, SideEffect};
use crate::store::journal::{Change, NewEntry, Said};
use crate::store::kinds::SETTINGS_KEY;
use crate::store::{Fault, Reader, Row, Sql, Value};

mod effects;
mod source;
mod told;

use source::Source;

/// Operation of the desk.
///
/// `run` may be called again on fresh documents, so it keeps no state of a run. All input is in the
/// fields, which are also the request in the journal.
pub trait Operation: Serialize + Send + 'static {
    /// Verb of the request in the journal.
    const VERB: &'static str;

    /// True for the operation that confirms this process's clock: runs although the clock is in
    /// doubt.
    const CONFIRMS_CLOCK: bool = false;

    /// Answer, returned again when the command is sent again.
    type Answer: Serialize + DeserializeOwned + Send + 'static;

    /// Loads documents, decides, and puts changes.
    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<Self::Answer, Failure>;
}

/// Operator and station of a command or a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Actor {
    /// Operator's name.
    pub operator: String,
    /// Station's name.
    pub station: String,
}

/// Proof of who acts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum Authority {
    /// A name that nobody has proven: enough in a house without operators.
    #[default]
    Named,
    /// The house itself, in its jobs.
    House,
    /// The operator typed a PIN of this number; another approves what that one may not do.
    SignedIn { pin: u32, approver: Option<Operator> },
}

/// Document of an operation: as loaded, and as changed.
struct WorkDocument {
    loaded: Known,
    changed: Option<ChangedDocument>,
}

impl WorkDocument {
    /// The document as the operation leaves it.
    fn present(&self) -> Option<&Arc<Stored>> {
        self.changed.as_ref().map(|changed| &changed.stored).or(self.loaded.as_ref())
    }
}

/// Documents loaded and changed by an operation.
pub struct UnitOfWork<'a> {
    source: Source<'a>,
    plans: &'a PlanCache,
    actor: &'a Actor,
    command: String,
    now: Instant,
    documents: BTreeMap<(DocKind, String), WorkDocument>,
    effects: Vec<SideEffect>,
    /// Expired owners of cells that the operation took: they end with it.
    late_owners: BTreeSet<Owner>,
    /// Customer whom the operation was told.
    customer: Option<CustomerId>,
    /// Write a journal entry even if nothing changed.
    keeps_answer: bool,
    authority: Authority,
    /// Operator whose approval the operation needed.
    approved: Option<String>,
    /// Time before which this process's clock ends nothing.
    ends_from: Option<Instant>,
    /// End of the time limit.
    until: Option<std::time::Instant>,
}

impl<'a> UnitOfWork<'a> {
    pub(crate) fn new(
        transaction: &'a mut Transaction,
        plans: &'a PlanCache,
        (actor, command): (&'a Actor, CommandId),
        now: Instant,
    ) -> Self {
        let source = Source::Transaction(transaction);
        Self::reading(source, plans, (actor, command.to_string()), now)
    }

    /// Runs an operation on a snapshot without writing, and returns the answer that its actor would get. It ends nothing
    /// before a time, as the operation itself would.
    pub(crate) fn rehearse<O: Operation>(
        (reader, plans): (&mut dyn Reader, &PlanCache),
        (actor, now): (&Actor, Instant),
        authority: Authority,
        (operation, ends_from): (&O, Option<Instant>),
    ) -> Result<O::Answer, Failure> {
        let source = Source::Snapshot(reader);
        let mut work = UnitOfWork::reading(source, plans, (actor, String::new()), now);
        work.end_nothing_until(ends_from);
        work.act_under(authority);
        work.perform(operation)
    }

    fn reading(source: Source<'a>, plans: &'a PlanCache, (actor, command): (&'a Actor, String), now: Instant) -> Self {
        Self {
            source,
            plans,
            actor,
            command,
            now,
            documents: BTreeMap::new(),
            effects: Vec::new(),
            late_owners: BTreeSet::new(),
            customer: None,
            keeps_answer: false,
            authority: Authority::Named,
            approved: None,
            ends_from: None,
            until: None,
        }
    }

    /// Present time, read once at the start of the run.
    #[must_use]
    pub const fn now(&self) -> Instant {
        self.now
    }

    /// Number that changes with each conflict of this writer with another: a choice that follows it meets others than before.
    pub(crate) const fn conflicts(&self) -> u32 {
        match &self.source {
            Source::Transaction(transaction) => transaction.conflicts(),
            Source::Snapshot(_) => 0,
        }
    }

    /// Forbids to end carts and keeps before a time, while this process's clock is unproven.
    pub(crate) const fn end_nothing_until(&mut self, time: Option<Instant>) {
        self.ends_from = time;
    }

    /// Acts under a proof of who acts.
    pub(crate) fn act_under(&mut self, authority: Authority) {
        self.authority = authority;
    }

    /// Runs an operation, if its operator may do that.
    pub(crate) fn perform<O: Operation>(&mut self, operation: &O) -> Result<O::Answer, Failure> {
        self.allow(O::VERB)?;
        operation.run(self)
    }

    /// Refuses an act that neither the operator nor the one who approves may do. The settings that say so are read by
    /// most operations anyway, and are cached as every document is.
    pub(crate) fn allow(&mut self, act: &str) -> Result<(), Failure> {
        let (pin, approver) = match &self.authority {
            Authority::House => return Ok(()),
            Authority::Named => (None, None),
            Authority::SignedIn { pin, approver } => (Some(*pin), approver.clone()),
        };
        let Some(needs) = rights::least(act) else { return Ok(()) };
        let settings = self.settings()?;
        if settings.operators.is_empty() {
            return Ok(());
        }
        let hands = Hands { operator: &self.actor.operator, pin, approver: approver.as_ref() };
        let by = hands.allowed(&settings.operators, (act, needs))?;
        self.approved = by.or(self.approved.take());
        Ok(())
    }

    /// Operator who approved the act, where the acting one alone may not do it.
    pub(crate) fn approved(&self) -> Option<&str> {
        self.approved.as_deref()
    }

    /// Refuses what ends something because its time has come by this process's clock.
    pub(crate) fn may_end(&self) -> Result<(), Refusal> {
        self.ends_from.map_or(Ok(()), |until| Err(Refusal::ClockAlone { until }))
    }

    /// Time against which deadlines count: now, or before all time while this process's clock is unproven.
    pub(crate) const fn late_at(&self) -> Instant {
        match self.ends_from {
            None => self.now,
            Some(_) => Instant::from_millis(i64::MIN),
        }
    }

    /// Stores the answer under the command id even if nothing changed.
    pub(crate) const fn keep_answer(&mut self) {
        self.keeps_answer = true;
    }

    /// Notes the customer whom the operation was told: his salt seals the request in the journal.
    pub(crate) const fn note_customer(&mut self, customer: CustomerId) {
        self.customer = Some(customer);
    }

    /// Salt that seals the private texts of the request: of the told customer, or else of the first document with such
    /// texts that was put.
    pub(crate) fn salt(&self) -> Option<Salt> {
        let of = |(place, document): (&(DocKind, String), &WorkDocument)| {
            let salt = document::salt(&document.present()?.words);
            let (kind, key) = place.clone();
            (!salt.is_empty()).then_some(Salt { kind, key, salt })
        };
        let told = self.customer.map(|id| (DocKind::Customer, id.to_string()));
        let told = told.and_then(|place| self.documents.get_key_value(&place)).and_then(of);
        told.or_else(|| self.documents.iter().filter(|(_, document)| document.changed.is_some()).find_map(of))
    }

    /// Places of private texts in documents, each as kind, key and number; empty for one that stands in none.
    fn places(&self, texts: &[String]) -> Vec<String> {
        if texts.is_empty() {
            return Vec::new();
        }
        let documents = self.documents.iter().filter_map(|(place, document)| Some((place, document.present()?)));
        let known: Vec<_> = documents.map(|(place, stored)| (place, document::texts(&stored.words).1)).collect();
        let find = |text: &String| {
            known.iter().find_map(|((kind, key), texts)| {
                let at = texts.iter().position(|known| known == text)?;
                Some(format!("{} {key} {}", kind.word(), at + 1))
            })
        };
        texts.iter().map(|text| find(text).unwrap_or_default()).collect()
    }

    /// Queues the end of expired owners whose cells were taken.
    pub(crate) fn queue_late_owners(&mut self, late: impl IntoIterator<Item = Owner>) {
        self.late_owners.extend(late);
    }

    /// Takes the queued owners.
    pub(crate) fn take_late_owners(&mut self) -> BTreeSet<Owner> {
        std::mem::take(&mut self.late_owners)
    }

    /// Operator and station of the command.
    #[must_use]
    pub const fn actor(&self) -> &'a Actor {
        self.actor
    }

    fn load(&mut self, kind: DocKind, keys: &[String]) -> Result<(), Fault> {
        self.in_time()?;
        let loaded = |key: &&String| self.documents.contains_key(&(kind, (*key).clone()));
        let missing: Vec<String> = keys.iter().filter(|key| !loaded(key)).cloned().collect();
        for (key, loaded) in self.source.load(kind, missing)? {
            let changed = None;
            self.documents.insert((kind, key), WorkDocument { loaded, changed });
        }
        Ok(())
    }

    /// Loads a document; `None` if it is absent.
    pub fn find<D: Document>(&mut self, key: &str) -> Result<Option<D>, Failure> {
        let place = (D::KIND, key.to_owned());
        self.load(D::KIND, std::slice::from_ref(&place.1))?;
        let stored = self.documents.get(&place).and_then(WorkDocument::present);
        Ok(stored.map(|stored| stored.parse()).transpose()?)
    }

    /// Loads a document; refuses if it is absent.
    #[expect(clippy::needless_pass_by_value, reason = "ids are small and read best by value")]
    pub fn get<D: Document>(&mut self, key: impl ToString) -> Result<D, Failure> {
        let key = key.to_string();
        let found = self.find(&key)?;
        found.ok_or_else(|| Refusal::not_found(D::KIND.word(), key).into())
    }

    /// Puts a new or changed document. An unchanged one is not written.
    ///
    /// # Errors
    /// A fault of the store while loading the present version.
    pub fn put<D: Document>(&mut self, value: &D) -> Result<(), Failure> {
        let (key, loaded) = self.loaded(value)?;
        let spelled = spell(value, loaded.as_deref())?;
        let same =
            loaded.as_ref().is_some_and(|stored| (&stored.body, &stored.words) == (&spelled.body, &spelled.words));
        self.change(value, key, (loaded, Some(spelled).filter(|_| !same)));
        Ok(())
    }

    /// Writes a document even if it is unchanged, because a decision rests on it.
    pub fn touch<D: Document>(&mut self, value: &D) -> Result<(), Failure> {
        let (key, loaded) = self.loaded(value)?;
        let spelled = spell(value, loaded.as_deref())?;
        self.change(value, key, (loaded, Some(spelled)));
        Ok(())
    }

    /// Puts a document under a freshly generated key, without looking for an older version.
    ///
    /// # Errors
    /// The value cannot be written as JSON.
    pub fn create<D: Document>(&mut self, value: &D) -> Result<(), Failure> {
        self.change(value, value.key(), (None, Some(spell(value, None)?)));
        Ok(())
    }

    /// Loads the present version of a document, by its key.
    fn loaded<D: Document>(&mut self, value: &D) -> Result<(String, Known), Fault> {
        let place = (D::KIND, value.key());
        self.load(D::KIND, std::slice::from_ref(&place.1))?;
        let document = self.documents.get(&place);
        let loaded = document.and_then(|document| document.loaded.clone());
        Ok((place.1, loaded))
    }

    fn change<D: Document>(&mut self, value: &D, key: String, (loaded, spelled): (Known, Option<Spelled>)) {
        let by = self.by();
        let of = |spelled| ChangedDocument::of(value, (key.clone(), spelled), loaded.clone(), by);
        let changed = spelled.map(of);
        let document = WorkDocument { loaded, changed };
        self.documents.insert((D::KIND, key), document);
    }

    /// Command and actor for the rows written.
    fn by(&self) -> By<'_> {
        By {
            command: &self.command,
            at: self.now.millis(),
            operator: &self.actor.operator,
            station: &self.actor.station,
        }
    }

    /// Returns whether the operation has put a document.
    pub(crate) fn is_put(&self, kind: DocKind, key: &str) -> bool {
        let document = self.documents.get(&(kind, key.to_owned()));
        document.is_some_and(|document| document.changed.is_some())
    }

    /// Loads chunks with one query; absent ones are left out.
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

    /// Loads the settings, or their defaults. They are shared: each act asks them several times.
    pub fn settings(&mut self) -> Result<Arc<Settings>, Failure> {
        let place = (DocKind::Settings, SETTINGS_KEY.to_owned());
        self.load(place.0, std::slice::from_ref(&place.1))?;
        let stored = self.documents.get(&place).and_then(WorkDocument::present);
        Ok(stored.map(|stored| stored.shared()).transpose()?.unwrap_or_default())
    }

    /// Returns a plan version with its layout, cached because it never changes.
    pub fn seating(&mut self, plan: PlanId) -> Result<Arc<SeatingPlan>, Failure> {
        if let Some(known) = self.plans.known(plan) {
            return Ok(known);
        }
        self.plans.get(self.source.sql()?, plan)
    }

    /// Runs a part of the operation. If it is refused, nothing of it is left but what it loaded, which the refusal rests on.
    pub(crate) fn attempt<T>(
        &mut self,
        part: impl FnOnce(&mut Self) -> Result<T, Failure>,
    ) -> Result<Result<T, Refusal>, Failure> {
        let documents = self.documents.iter();
        let mut changed: BTreeMap<_, _> = documents.map(|(place, one)| (place.clone(), one.changed.clone())).collect();
        let (effects, late_owners) = (self.effects.clone(), self.late_owners.clone());
        match part(self) {
            Ok(done) => Ok(Ok(done)),
            Err(Failure::Refused(refusal)) => {
                for (place, document) in &mut self.documents {
                    document.changed = changed.remove(place).flatten();
                }
                (self.effects, self.late_owners) = (effects, late_owners);
                Ok(Err(refusal))
            }
            Err(fault @ Failure::Fault(_)) => Err(fault),
        }
    }

    /// Returns the connection, for queries that no decision about documents rests on.
    pub(crate) fn sql(&mut self) -> Result<&mut dyn Sql, Failure> {
        self.in_time()?;
        Ok(self.source.sql()?)
    }

    /// Loads documents by a condition on their columns, with one query and in its order. A document that the operation
    /// has put comes as it was put, though the condition saw it as it is stored.
    pub fn select<D: Document>(&mut self, condition: &str, params: &[Value<'_>]) -> Result<Vec<D>, Failure> {
        self.in_time()?;
        let mut keys = Vec::new();
        for stored in self.source.select(D::KIND, condition, params)? {
            keys.push(stored.key.clone());
            let document = self.documents.entry((D::KIND, stored.key.clone()));
            document.or_insert(WorkDocument { loaded: Some(stored), changed: None });
        }
        keys.into_iter().map(|key| self.get(key)).collect()
    }

    /// Runs a query that helps to find documents. A decision must not rest on its rows: load the
    /// documents.
    pub fn query(&mut self, sql: &str, params: &[Value<'_>]) -> Result<Vec<Row>, Failure> {
        Ok(self.sql()?.query(sql, params)?)
    }

    /// Adds every loaded version to the read set, because a refusal rests on all of them.
    pub(crate) fn expect_loaded(&mut self) {
        let Source::Transaction(transaction) = &mut self.source else {
            return;
        };
        for ((kind, key), document) in &self.documents {
            transaction.expect(*kind, key, document.loaded.as_deref());
        }
    }

    /// Adds the changes and the journal entry to the batch; returns whether there is anything to
    /// write.
    pub(crate) fn finish(mut self, request: String, (answer, texts): (String, Vec<String>)) -> Result<bool, Fault> {
        let places = self.places(&texts);
        let mut changes = Vec::new();
        let transaction = self.source.writable()?;
        for ((kind, key), document) in std::mem::take(&mut self.documents) {
            match document.changed {
                // its write is conditional on the version
                Some(next) => changes.push(Arc::new(next)),
                None => transaction.expect(kind, &key, document.loaded.as_deref()),
            }
        }
        let effects = std::mem::take(&mut self.effects);
        if changes.is_empty() && effects.is_empty() && !self.keeps_answer {
            return Ok(false);
        }
        let side = SideWrites { jobs: job::job_writes(&effects, self.by()), writes: job::writes(&effects, self.by())? };
        let (mut events, mut forgets) = (Vec::new(), None);
        for effect in effects {
            match effect {
                SideEffect::Event(event) => events.push(event.told()),
                SideEffect::Forget(before) => forgets = Some(before.millis()),
                SideEffect::Job(_)
                | SideEffect::Checked(_)
                | SideEffect::Heard(..)
                | SideEffect::Present(..)
                | SideEffect::Erased(_) => {}
            }
        }
        let is_kept = self.keeps_answer || self.approved.is_some();
        let is_told = !(changes.is_empty() && events.is_empty() && forgets.is_none()) || is_kept;
        let entry = is_told.then(|| NewEntry {
            command: std::mem::take(&mut self.command),
            at: self.now.millis(),
            operator: self.actor.operator.clone(),
            station: self.actor.station.clone(),
            said: Said {
                request,
                answer,
                places,
                changes: changes.iter().map(|changed| Change::of(changed)).collect(),
                events,
                forgets,
                approved: self.approved.take(),
            },
        });
        self.source.writable()?.add(changes, side, entry);
        Ok(true)
    }
}
