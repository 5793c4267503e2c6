//! Storage form of each domain value as a document: its key, and the indexed columns.

use crate::domain::availability::Chunk;
use crate::domain::booking::{Booking, Cause, Series};
use crate::domain::cart::Cart;
use crate::domain::customer::{Customer, CustomerRecord};
use crate::domain::house::{Disable, Keep, Settings, Station, WorkItem, WorkKind, WorkState};
use crate::domain::ids::{CustomerId, PlanId, TheaterId};
use crate::domain::performance::{Performance, Theater};
use crate::domain::plan::Plan;
use crate::domain::receipt::Receipt;
use crate::domain::resource::Resource;
use crate::domain::text::{digits, folded};
use crate::domain::waiting::Waiting;
use crate::engine::chunks::{chunk_at, chunk_key};
use crate::store::document::{self, DocKind, Document, Stored};
use crate::store::{Fault, Sql, Value};

use serde::{Deserialize, Serialize};

/// Key of the one settings document.
pub const SETTINGS_KEY: &str = "house";

/// Loads the settings, or their defaults.
pub(super) fn settings(sql: &mut dyn Sql) -> Result<Settings, Fault> {
    let stored = document::load(sql, DocKind::Settings, &[SETTINGS_KEY.to_owned()])?;
    let settings = stored.first().map(Stored::parse).transpose()?;
    Ok(settings.unwrap_or_default())
}

/// One immutable version of a theater's plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlanVersion {
    /// Id.
    pub id: PlanId,
    /// Theater the plan belongs to.
    pub theater: TheaterId,
    /// Plan.
    pub plan: Plan,
}

/// End of a journal chain: the newest entry, whose number is the document's version.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Chain {
    /// Name of the chain.
    pub name: String,
    /// Hash of the newest entry.
    pub hash: String,
}

/// Computes a document's key and columns from its body.
pub(crate) fn indexed(
    kind: DocKind,
    (key, body): (&str, &str),
) -> Result<(String, Vec<Value<'static>>), Fault> {
    fn of<D: Document>(key: &str, body: &str) -> Result<(String, Vec<Value<'static>>), Fault> {
        let value: D = document::parse(key, body)?;
        Ok((value.key(), value.columns()))
    }
    match kind {
        DocKind::Settings => of::<Settings>(key, body),
        DocKind::Theater => of::<Theater>(key, body),
        DocKind::Plan => of::<PlanVersion>(key, body),
        DocKind::Performance => of::<Performance>(key, body),
        DocKind::Resource => of::<Resource>(key, body),
        DocKind::Chunk => of::<Chunk>(key, body),
        DocKind::Customer => of::<CustomerRecord>(key, body),
        DocKind::Cart => of::<Cart>(key, body),
        DocKind::Receipt => of::<Receipt>(key, body),
        DocKind::Station => of::<Station>(key, body),
        DocKind::Keep => of::<Keep>(key, body),
        DocKind::Disable => of::<Disable>(key, body),
        DocKind::Booking => of::<Booking>(key, body),
        DocKind::Series => of::<Series>(key, body),
        DocKind::Waiting => of::<Waiting>(key, body),
        DocKind::Work => of::<WorkItem>(key, body),
        DocKind::Chain => of::<Chain>(key, body),
    }
}

fn count<T>(items: &[T]) -> Value<'static> {
    Value::Int(i64::try_from(items.len()).unwrap_or(i64::MAX))
}

impl Document for Settings {
    const KIND: DocKind = DocKind::Settings;

    fn key(&self) -> String {
        SETTINGS_KEY.to_owned()
    }

    fn columns(&self) -> Vec<Value<'static>> {
        Vec::new()
    }
}

impl Document for Theater {
    const KIND: DocKind = DocKind::Theater;

    fn key(&self) -> String {
        self.id.to_string()
    }

    fn columns(&self) -> Vec<Value<'static>> {
        vec![self.name.to_lowercase().into()]
    }
}

impl Document for PlanVersion {
    const KIND: DocKind = DocKind::Plan;

    fn key(&self) -> String {
        self.id.to_string()
    }

    fn columns(&self) -> Vec<Value<'static>> {
        vec![self.theater.to_string().into()]
    }
}

impl Document for Performance {
    const KIND: DocKind = DocKind::Performance;

    fn key(&self) -> String {
        self.id.to_string()
    }

    fn columns(&self) -> Vec<Value<'static>> {
        vec![
            self.theater.to_string().into(),
            self.start.millis().into(),
            self.title.to_lowercase().into(),
        ]
    }
}

impl Document for Resource {
    const KIND: DocKind = DocKind::Resource;

    fn key(&self) -> String {
        self.id.to_string()
    }

    fn columns(&self) -> Vec<Value<'static>> {
        let parent = self.parent.as_ref().map(ToString::to_string);
        vec![
            self.name.to_lowercase().into(),
            self.kind.clone().into(),
            parent.unwrap_or_default().into(),
            count(&self.marks),
        ]
    }
}

impl Document for Booking {
    const KIND: DocKind = DocKind::Booking;

    fn key(&self) -> String {
        self.id.to_string()
    }

    fn columns(&self) -> Vec<Value<'static>> {
        let extent = self.extent();
        let series = self.series.map(|series| series.to_string());
        let performance = match self.cause {
            Cause::Performance(id) => id.to_string(),
            Cause::Booking
            | Cause::Maintenance
            | Cause::Relocation
            | Cause::Other(_)
            | Cause::Disable
            | Cause::OutOfService => String::new(),
        };
        vec![
            extent.map_or(0, |slot| slot.from().millis()).into(),
            extent.map_or(0, |slot| slot.until().millis()).into(),
            folded(&self.title).into(),
            named(self.customer).into(),
            series.unwrap_or_default().into(),
            performance.into(),
            i64::from(self.stands()).into(),
            self.imported_as.clone().unwrap_or_default().into(),
        ]
    }
}

impl Document for Series {
    const KIND: DocKind = DocKind::Series;

    fn key(&self) -> String {
        self.id.to_string()
    }

    fn columns(&self) -> Vec<Value<'static>> {
        Vec::new()
    }
}

impl Document for Chunk {
    const KIND: DocKind = DocKind::Chunk;

    fn key(&self) -> String {
        chunk_key(&Self::key(self))
    }

    fn stored_at(&mut self, key: &str) -> Result<(), Fault> {
        let broken = || Fault::Broken(format!("{key} is no place of a chunk"));
        self.stand_at(chunk_at(key).ok_or_else(broken)?);
        Ok(())
    }

    fn columns(&self) -> Vec<Value<'static>> {
        vec![self.cells.into(), self.free.into()]
    }
}

impl Document for CustomerRecord {
    const KIND: DocKind = DocKind::Customer;

    fn key(&self) -> String {
        self.id.to_string()
    }

    fn columns(&self) -> Vec<Value<'static>> {
        vec![searched(&self.customer).into()]
    }
}

impl Document for Cart {
    const KIND: DocKind = DocKind::Cart;

    fn key(&self) -> String {
        self.id.to_string()
    }

    fn columns(&self) -> Vec<Value<'static>> {
        let currency = self.currency.map(|currency| currency.to_string());
        // a total beyond all numbers is refused when it is to be paid
        let owed = self.reservation.as_ref().and(self.total().ok());
        vec![
            self.state.word().into(),
            self.expires_at.millis().into(),
            named(self.customer).into(),
            i64::from(self.reservation.is_some()).into(),
            self.station.clone().into(),
            i64::from(self.set_aside).into(),
            currency.unwrap_or_default().into(),
            owed.unwrap_or_default().into(),
        ]
    }
}

impl Document for Receipt {
    const KIND: DocKind = DocKind::Receipt;

    fn key(&self) -> String {
        self.id.to_string()
    }

    fn columns(&self) -> Vec<Value<'static>> {
        vec![
            self.number.clone().into(),
            self.cart.to_string().into(),
            self.issued_at.millis().into(),
            self.station.clone().into(),
            named(self.customer).into(),
            self.currency.to_string().into(),
            i64::try_from(self.seat_count()).unwrap_or(i64::MAX).into(),
            self.total.into(),
            self.by_card().into(),
        ]
    }
}

impl Document for Station {
    const KIND: DocKind = DocKind::Station;

    fn key(&self) -> String {
        self.name.clone()
    }

    fn columns(&self) -> Vec<Value<'static>> {
        Vec::new()
    }
}

impl Document for Keep {
    const KIND: DocKind = DocKind::Keep;

    fn key(&self) -> String {
        self.id.to_string()
    }

    fn columns(&self) -> Vec<Value<'static>> {
        vec![
            self.performance.to_string().into(),
            self.until.millis().into(),
            count(&self.live),
        ]
    }
}

impl Document for Disable {
    const KIND: DocKind = DocKind::Disable;

    fn key(&self) -> String {
        self.id.to_string()
    }

    fn columns(&self) -> Vec<Value<'static>> {
        vec![self.performance.to_string().into(), count(&self.live)]
    }
}

impl Document for Waiting {
    const KIND: DocKind = DocKind::Waiting;

    fn key(&self) -> String {
        self.id.to_string()
    }

    fn columns(&self) -> Vec<Value<'static>> {
        vec![
            self.performance.to_string().into(),
            self.state.word().into(),
            self.since.millis().into(),
            self.seats.into(),
        ]
    }
}

impl Document for Chain {
    const KIND: DocKind = DocKind::Chain;

    fn key(&self) -> String {
        self.name.clone()
    }

    fn columns(&self) -> Vec<Value<'static>> {
        Vec::new()
    }
}

impl Document for WorkItem {
    const KIND: DocKind = DocKind::Work;

    fn key(&self) -> String {
        self.id.to_string()
    }

    fn columns(&self) -> Vec<Value<'static>> {
        let state = match self.state {
            WorkState::Open => "open",
            WorkState::Resolved { .. } => "resolved",
        };
        let kind = match self.what {
            WorkKind::UnissuedPayment { .. } => "unissued_payment",
            WorkKind::Displaced { .. } => "displaced",
        };
        let owner = match &self.what {
            WorkKind::Displaced { owner, .. } => owner.to_string(),
            WorkKind::UnissuedPayment { .. } => String::new(),
        };
        vec![
            state.into(),
            kind.into(),
            self.since.millis().into(),
            owner.into(),
        ]
    }
}

/// Id of a customer as a column; empty for none.
fn named(customer: Option<CustomerId>) -> String {
    customer.map(|id| id.to_string()).unwrap_or_default()
}

/// Search form of a customer: the name without case and accents, then the digits of the phone.
pub(crate) fn searched(customer: &Customer) -> String {
    let phone = digits(&customer.phone);
    let both = format!("{} {phone}", folded(&customer.name));
    both.trim().to_owned()
}
