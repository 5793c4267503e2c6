//! Questions to the database, one per file or a few of one kind.
//!
//! A question reads one snapshot beside the writer, compares deadlines with the engine's time, and
//! changes nothing. Decisions never rest on its answer: operations load their documents themselves.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use serde::Deserialize;

use crate::domain::availability::{Chunk, ChunkKey};
use crate::domain::customer::{Customer, CustomerRecord, Gone};
use crate::domain::house::Settings;
use crate::domain::ids::{CustomerId, PerformanceId, PlanId};
use crate::domain::performance::Performance;
use crate::domain::plan::SeatRef;
use crate::domain::refusal::Refusal;
use crate::domain::time::Instant;
use crate::engine::clock::Clock;
use crate::engine::machine::cache::Documents;
use crate::engine::machine::guard::Guard;
use crate::engine::plans::{PlanCache, SeatingPlan};
use crate::engine::work::{Actor, Authority, Failure, Operation, UnitOfWork};
use crate::store::chunks;
use crate::store::document::{self, DocKind, Document, Stored};
use crate::store::kinds::SETTINGS_KEY;
use crate::store::{Fault, Reader, Row, Sql, Value};

pub mod alternatives;
pub mod any;
pub mod bookings;
pub mod calendar;
pub mod carts;
pub mod catalog;
pub mod credits;
pub mod customers;
pub mod events;
pub mod find;
pub mod followed;
pub mod free_time;
pub mod inspect;
pub mod instead;
pub mod jobs;
pub mod journal;
pub mod names;
pub mod offers;
pub mod presence;
pub mod prices;
pub mod receipts;
pub mod resources;
pub mod seat_map;
pub mod settling;
pub mod sizes;
pub mod stays;
pub mod sums;
pub mod taken;
pub mod tills;
pub mod tonight;
pub mod waitlist;
pub mod worklist;

/// Most rows in a list; the next page starts after the last row.
pub const PAGE_MAX: usize = 100;

/// Asks what an operation would answer its actor now; nothing is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rehearse<O>(pub O);

impl<O: Operation> Question for Rehearse<O> {
    type Answer = O::Answer;

    fn ask(&self, snapshot: &mut Snapshot<'_>) -> Result<O::Answer, Failure> {
        snapshot.rehearse(&self.0)
    }
}

/// Question whose rehearsals ask for no role: what an act would do can be seen before somebody approves it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Preview<Q>(pub Q);

impl<Q: Question> Question for Preview<Q> {
    type Answer = Q::Answer;

    fn ask(&self, snapshot: &mut Snapshot<'_>) -> Result<Q::Answer, Failure> {
        snapshot.authority = Authority::House;
        self.0.ask(snapshot)
    }
}

/// Members that a list has: those in use, or those that were retired.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Listed {
    #[default]
    InUse,
    Retired,
}

impl Listed {
    /// Returns whether the list has a member.
    pub fn has(self, is_retired: bool) -> bool {
        is_retired == (self == Self::Retired)
    }
}

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

/// Returns whether a seat is free, given the seat rows of its performance.
fn is_free(rows: &[Chunk], seat: SeatRef, now: Instant) -> bool {
    let row = usize::try_from(seat.row).ok().and_then(|row| rows.get(row));
    row.is_some_and(|row| row.is_free(seat.seat, now))
}

/// Returns the only one of the candidates for a name, each with a longer name that only this one has.
fn only<T>(what: &str, name: String, mut found: Vec<(String, T)>) -> Result<T, Refusal> {
    match (found.pop(), found.is_empty()) {
        (None, _) => Err(Refusal::not_found(what, name)),
        (Some((_, one)), true) => Ok(one),
        (Some(last), false) => {
            let all = found.into_iter().chain([last]).map(|(told, _)| told);
            Err(Refusal::ambiguous(what, name, all.collect()))
        }
    }
}

/// Question to the database.
pub trait Question {
    type Answer;

    /// Computes the answer from a snapshot.
    fn ask(&self, snapshot: &mut Snapshot<'_>) -> Result<Self::Answer, Failure>;
}

/// Most documents that a snapshot keeps; one more empties it.
const KEPT_MAX: usize = 16_384;

/// Rows of a list whose documents are loaded together.
const ROWS_TOGETHER: usize = 400;

/// Most rounds of loading for rows of a list; what they lack then is loaded one by one.
const ROUNDS_MAX: usize = 12;

/// Read snapshot of the database at one moment, for one actor. Caches what it read.
pub struct Snapshot<'a> {
    reader: &'a mut dyn Reader,
    plans: &'a PlanCache,
    actor: &'a Actor,
    now: Instant,
    authority: Authority,
    /// The clock guard, which admits a rehearsal as it does the act.
    guard: Option<(&'a Guard, &'a dyn Clock)>,
    documents: Documents,
    selected: HashMap<Condition, Vec<Arc<Stored>>>,
    /// Keys of documents that rows of a list wait for, within [`each`](Self::each).
    awaited: Option<BTreeMap<DocKind, BTreeSet<String>>>,
}

/// Condition on the documents of a kind, with its parameters.
type Condition = (DocKind, String, Vec<Value<'static>>);

impl<'a> Snapshot<'a> {
    pub(crate) fn new(reader: &'a mut dyn Reader, plans: &'a PlanCache, (actor, now): (&'a Actor, Instant)) -> Self {
        let (documents, selected) = (Documents::default(), HashMap::new());
        let authority = Authority::Named;
        Self { reader, plans, actor, now, authority, guard: None, documents, selected, awaited: None }
    }

    /// Rehearses under a proof of who acts.
    pub(crate) fn under(self, authority: Authority) -> Self {
        Self { authority, ..self }
    }

    /// Admits rehearsals by the clock of this process.
    pub(crate) fn guarded(self, guard: &'a Guard, clock: &'a dyn Clock) -> Self {
        Self { guard: Some((guard, clock)), ..self }
    }

    /// Operator and station of the question.
    pub const fn actor(&self) -> &'a Actor {
        self.actor
    }

    /// Engine time at the start of the snapshot.
    pub const fn now(&self) -> Instant {
        self.now
    }

    /// Runs a query in the SQL subset common to both databases.
    pub fn query(&mut self, sql: &str, params: &[Value<'_>]) -> Result<Vec<Row>, Failure> {
        Ok(self.reader.query(sql, params)?)
    }

    /// Begins the snapshot anew, at the present moment.
    pub(crate) fn renew(&mut self) -> Result<(), Fault> {
        self.documents.clear();
        self.selected.clear();
        if !self.reader.end() {
            return Err(Fault::Unreachable("the connection was lost".into()));
        }
        self.reader.begin()
    }

    /// Opens another connection on this snapshot, from which nothing was read yet, if the database can.
    pub(crate) fn beside(&mut self) -> Result<Option<Box<dyn Reader>>, Fault> {
        self.reader.beside()
    }

    /// Snapshot of the same moment on another connection.
    pub(crate) fn on<'b>(&self, reader: &'b mut dyn Reader) -> Snapshot<'b>
    where
        'a: 'b,
    {
        Snapshot::new(reader, self.plans, (self.actor, self.now))
    }

    /// Connection of the snapshot.
    pub(crate) fn sql(&mut self) -> &mut dyn Sql {
        self.reader
    }

    /// Loads documents by a condition on their columns.
    pub fn select<D: Document>(&mut self, condition: &str, params: &[Value<'_>]) -> Result<Vec<D>, Failure> {
        let values = params.iter().cloned().map(Value::into_owned).collect();
        let asked: Condition = (D::KIND, condition.to_owned(), values);
        if let Some(known) = self.selected.get(&asked) {
            return Ok(document::parse_all(known)?);
        }
        let found = document::select(self.reader, D::KIND, condition, params)?;
        let parsed = found.iter().map(|stored| stored.read()).collect::<Result<_, Fault>>()?;
        if self.makes_room(found.len()) {
            for stored in &found {
                let known = Some(Arc::clone(stored));
                self.documents.set(D::KIND, stored.key.clone(), known);
            }
            self.selected.insert(asked, found);
        }
        Ok(parsed)
    }

    /// Loads documents without private texts by a condition that is asked once: keeps none of them.
    pub(crate) fn pass<D: Document>(&mut self, condition: &str, params: &[Value<'_>]) -> Result<Vec<D>, Failure> {
        let text = format!("SELECT key, body FROM {} {condition}", D::KIND.word());
        let rows = self.reader.query(&text, params)?;
        Ok(rows.iter().map(|row| document::parse(row.text(0), (row.text(1), ""))).collect::<Result<_, Fault>>()?)
    }

    /// Empties the cache if it would overflow; returns whether this many documents fit at all.
    fn makes_room(&mut self, more: usize) -> bool {
        if self.documents.len() + more > KEPT_MAX {
            self.documents.clear();
            self.selected.clear();
        }
        more <= KEPT_MAX
    }

    /// Views of the rows of a list, in their order. What the views lack is loaded for all rows at once, and they are made
    /// anew, so that the statements are as many as the steps from a row to its farthest document, not as the rows.
    ///
    /// A view loads by key and keeps nothing: it runs several times.
    pub fn each<T, V>(
        &mut self,
        rows: &[T],
        view: impl Fn(&mut Self, &T) -> Result<V, Failure>,
    ) -> Result<Vec<V>, Failure> {
        let mut views = Vec::with_capacity(rows.len());
        if self.awaited.is_some() {
            views.extend(rows.iter().map(|row| view(self, row)));
            return views.into_iter().collect();
        }
        for some in rows.chunks(ROWS_TOGETHER) {
            self.makes_room(KEPT_MAX / 4);
            for round in 0.. {
                self.awaited = (round < ROUNDS_MAX).then(BTreeMap::new);
                let found: Vec<_> = some.iter().map(|row| view(self, row)).collect();
                let awaited = self.awaited.take().unwrap_or_default();
                if awaited.is_empty() {
                    views.extend(found);
                    break;
                }
                for (kind, keys) in awaited {
                    self.load(kind, keys.into_iter().collect())?;
                }
            }
        }
        views.into_iter().collect()
    }

    /// Loads documents in stored form by key; absent keys are left out.
    pub fn stored<D: Document>(&mut self, keys: &[String]) -> Result<Vec<Arc<Stored>>, Failure> {
        let keys: BTreeSet<&String> = keys.iter().collect();
        let mut found: Vec<Arc<Stored>> = Vec::with_capacity(keys.len());
        let mut missing: Vec<String> = Vec::new();
        for key in keys {
            match self.documents.get(D::KIND, key) {
                Some(known) => found.extend(known.clone()),
                None => missing.push(key.clone()),
            }
        }
        if missing.is_empty() {
            return Ok(found);
        }
        if let Some(awaited) = &mut self.awaited {
            awaited.entry(D::KIND).or_default().extend(missing);
            return Err(Fault::Broken("read with the other rows of its list".to_owned()).into());
        }
        found.extend(self.load(D::KIND, missing)?);
        Ok(found)
    }

    fn load(&mut self, kind: DocKind, missing: Vec<String>) -> Result<Vec<Arc<Stored>>, Failure> {
        let loaded = document::load(self.reader, kind, &missing)?;
        let loaded: Vec<Arc<Stored>> = loaded.into_iter().map(Arc::new).collect();
        if self.makes_room(missing.len()) {
            for key in missing {
                self.documents.set(kind, key, None);
            }
            for stored in &loaded {
                let known = Some(Arc::clone(stored));
                self.documents.set(kind, stored.key.clone(), known);
            }
        }
        Ok(loaded)
    }

    /// Loads documents by key; absent keys are left out.
    pub fn all<D: Document>(&mut self, keys: &[String]) -> Result<Vec<D>, Failure> {
        Ok(document::parse_all(&self.stored::<D>(keys)?)?)
    }

    /// Loads a document; refuses if it is absent.
    #[expect(clippy::needless_pass_by_value, reason = "ids are small and read best by value")]
    pub fn get<D: Document>(&mut self, key: impl ToString) -> Result<D, Failure> {
        let key = key.to_string();
        let found = self.find(&key)?;
        found.ok_or_else(|| Refusal::not_found(D::KIND.word(), key).into())
    }

    /// Loads a document; `None` if it is absent.
    pub fn find<D: Document>(&mut self, key: &str) -> Result<Option<D>, Failure> {
        Ok(self.all(&[key.to_owned()])?.pop())
    }

    /// Loads the customers of a list at once, so that [`customer`](Self::customer) takes no statement for each row.
    pub fn load_customers(&mut self, customers: impl Iterator<Item = Option<CustomerId>>) -> Result<(), Failure> {
        let customers: Vec<Option<CustomerId>> = customers.collect();
        self.each(&customers, |snapshot, customer| snapshot.customer(*customer)).map(drop)
    }

    /// Loads a customer's name and phone as shown; empty without a customer.
    pub fn customer(&mut self, customer: Option<CustomerId>) -> Result<Customer, Failure> {
        let Some(id) = customer else {
            return Ok(Customer::default());
        };
        let mut record: Option<CustomerRecord> = self.find(&id.to_string())?;
        if let Some(Gone::Merged(into)) = record.as_ref().and_then(|record| record.gone) {
            record = self.find(&into.to_string())?;
        }
        Ok(record.map(|record| record.shown()).unwrap_or_default())
    }

    /// Loads a plan version with its layout.
    pub fn seating(&mut self, plan: PlanId) -> Result<Arc<SeatingPlan>, Failure> {
        match self.plans.known(plan) {
            Some(known) => Ok(known),
            None => Ok(self.plans.keep(plan, self.get(plan)?)),
        }
    }

    /// Returns whether a row of a list is viewed, whose documents are loaded by key.
    pub(super) const fn is_in_a_list(&self) -> bool {
        self.awaited.is_some()
    }

    /// Loads the seat rows of a performance, in order.
    pub fn chunks(&mut self, performance: PerformanceId) -> Result<Vec<Chunk>, Failure> {
        if self.is_in_a_list() {
            let plan = self.get::<Performance>(performance)?.plan;
            let seating = self.seating(plan)?;
            let resource = performance.to_string();
            let rows = seating.plan.rows().map(|(number, ..)| ChunkKey { resource: resource.clone(), number });
            return self.all(&rows.map(|row| chunks::chunk_key(&row)).collect::<Vec<_>>());
        }
        self.select(&format!("WHERE {} ORDER BY key", chunks::BETWEEN), &chunks::rows_of(&performance.to_string()))
    }

    /// Runs an operation without writing, and returns the answer that who asks would get on this snapshot.
    pub fn rehearse<O: Operation>(&mut self, operation: &O) -> Result<O::Answer, Failure> {
        let sql: &mut dyn Sql = self.reader;
        let admitted = self.guard.map(|(guard, clock)| guard.admit(|| Ok(sql), self.now, clock.machine()));
        let ends_from = admitted.transpose()?.flatten();
        let (authority, asked) = (self.authority.clone(), (operation, ends_from));
        UnitOfWork::rehearse((self.reader, self.plans), (self.actor, self.now), authority, asked)
    }

    /// Reports damaged pages, rows and indexes of the database file.
    pub(crate) fn corruption(&mut self) -> Result<Vec<String>, Failure> {
        Ok(self.reader.corruption()?)
    }

    /// Lists tables numbered without gaps, each with the last number assigned.
    pub(crate) fn numbered(&mut self) -> Result<Vec<(String, i64)>, Failure> {
        Ok(self.reader.numbered()?)
    }

    /// Reports durability guarantees that the database violates.
    pub(crate) fn damage(&mut self) -> Result<Vec<String>, Failure> {
        Ok(self.reader.damage()?)
    }

    /// Loads the settings.
    pub fn settings(&mut self) -> Result<Settings, Failure> {
        Ok(self.find(SETTINGS_KEY)?.unwrap_or_default())
    }
}
