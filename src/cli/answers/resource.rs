//! Resources, how far they are open, and their days as they are stored.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::cli::out::Answer;
use crate::cli::table::{Table, numbers, words};
use crate::domain::money::amount;
use crate::domain::resource::{Policy, Resource};
use crate::engine::ops::Horizon;
use crate::engine::reads::resources::ChunkRow;

/// A resource.
#[derive(Serialize)]
pub(in crate::cli) struct ResourceAnswer {
    id: String,
    name: String,
    kind: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    parent: Option<String>,
    children: Vec<String>,
    time_zone: String,
    segment: u32,
    policy: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    open_until: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    roll_days: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    open_hours: Option<String>,
    before: String,
    after: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    price: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    currency: Option<String>,
    properties: BTreeMap<String, String>,
    out_of_service: Vec<MarkAnswer>,
}

#[derive(Serialize)]
struct MarkAnswer {
    id: String,
    cause: String,
    from: String,
    operator: String,
    reason: String,
}

impl ResourceAnswer {
    pub(in crate::cli) fn new(resource: &Resource) -> Self {
        let (policy, open_until, roll_days) = match resource.policy {
            Policy::OpenEnded => ("open-ended", None, None),
            Policy::Preallocated { horizon, roll_days } => (
                "preallocated",
                horizon.map(|day| day.to_string()),
                roll_days,
            ),
        };
        let marks = resource.marks.iter().map(|mark| MarkAnswer {
            id: mark.id.to_string(),
            cause: mark.cause.word().to_owned(),
            from: mark.from.rfc3339(resource.zone()),
            operator: mark.operator.clone(),
            reason: mark.reason.clone(),
        });
        Self {
            id: resource.id.to_string(),
            name: resource.name.clone(),
            kind: resource.kind.clone(),
            parent: resource.parent.as_ref().map(ToString::to_string),
            children: resource.children.iter().map(ToString::to_string).collect(),
            time_zone: resource.zone().to_string(),
            segment: resource.grid.segment.minutes(),
            policy,
            open_until,
            roll_days,
            open_hours: resource.hours.map(|hours| hours.to_string()),
            before: resource.before.to_string(),
            after: resource.after.to_string(),
            price: resource
                .price
                .map(|price| amount(price.minor, price.currency)),
            currency: resource.price.map(|price| price.currency.to_string()),
            properties: resource.properties.clone(),
            out_of_service: marks.collect(),
        }
    }

    /// What it is like, in a few words.
    fn like(&self) -> String {
        let open = self
            .open_until
            .as_ref()
            .map(|day| format!("open until {day}"));
        let shut = (self.policy == "preallocated" && open.is_none()).then(|| "not open".to_owned());
        let hours = self.open_hours.clone();
        let price = self
            .price
            .as_ref()
            .map(|price| format!("{} {price}", self.currency.as_deref().unwrap_or_default()));
        let properties = self
            .properties
            .iter()
            .map(|(name, value)| format!("{name}={value}"));
        let marks = self
            .out_of_service
            .iter()
            .map(|mark| format!("{} from {}", mark.cause, mark.from));
        let around = |word: &str, span: &str| (span != "0m").then(|| format!("{span} {word}"));
        let before = around("before", &self.before);
        let after = around("after", &self.after);
        let parts = match self.children.len() {
            0 => None,
            1 => Some("1 part".to_owned()),
            parts => Some(format!("{parts} parts")),
        };
        let said: Vec<String> = [open, shut, hours, before, after, price, parts]
            .into_iter()
            .flatten()
            .chain(properties)
            .chain(marks)
            .collect();
        said.join(", ")
    }
}

impl Answer for ResourceAnswer {
    fn people(&self) -> String {
        ResourceList::table(std::slice::from_ref(self))
    }
}

/// Resources, parts after what they are a part of.
#[derive(Serialize)]
#[serde(transparent)]
pub(in crate::cli) struct ResourceList(pub(in crate::cli) Vec<ResourceAnswer>);

impl ResourceList {
    fn table(list: &[ResourceAnswer]) -> String {
        let mut table = Table::new([
            words("ID"),
            words("NAME"),
            words("KIND"),
            numbers("SEGMENT"),
            words("TIME ZONE"),
            words("IN"),
            words("MORE"),
        ]);
        for one in list {
            table.row([
                one.id.clone(),
                one.name.clone(),
                one.kind.clone(),
                segment(one.segment),
                one.time_zone.clone(),
                one.parent.clone().unwrap_or_default(),
                one.like(),
            ]);
        }
        table.text_or(
            "No resource yet. Add one: willcall resource add 'Room 1' --kind room --segment 30",
        )
    }
}

/// Minutes as people say them: `30m`, `1h`, `1 day`.
fn segment(minutes: u32) -> String {
    match (minutes, minutes % 60) {
        (1440, _) => "1 day".to_owned(),
        (60.., 0) => format!("{}h", minutes / 60),
        _ => format!("{minutes}m"),
    }
}

impl Answer for ResourceList {
    fn people(&self) -> String {
        Self::table(&self.0)
    }
}

/// How far a resource is open.
#[derive(Serialize)]
pub(in crate::cli) struct HorizonAnswer {
    resource: String,
    open_until: Option<String>,
    days: u32,
}

impl HorizonAnswer {
    pub(in crate::cli) fn new(horizon: &Horizon) -> Self {
        Self {
            resource: horizon.resource.to_string(),
            open_until: horizon.horizon.map(|day| day.to_string()),
            days: horizon.days,
        }
    }
}

/// How far a resource and its parts are open.
#[derive(Serialize)]
#[serde(transparent)]
pub(in crate::cli) struct HorizonList(pub(in crate::cli) Vec<HorizonAnswer>);

impl Answer for HorizonList {
    fn people(&self) -> String {
        let mut table = Table::new([
            words("RESOURCE"),
            words("OPEN UNTIL"),
            numbers("DAYS CHANGED"),
        ]);
        for one in &self.0 {
            let until = one
                .open_until
                .clone()
                .unwrap_or_else(|| "not open".to_owned());
            table.row([one.resource.clone(), until, one.days.to_string()]);
        }
        table.text()
    }
}

/// A day as it is stored.
#[derive(Serialize)]
pub(in crate::cli) struct ChunkAnswer {
    key: String,
    version: i64,
    cells: u32,
    free: u32,
    runs: Vec<RunAnswer>,
}

#[derive(Serialize)]
struct RunAnswer {
    from: u32,
    to: u32,
    grip: String,
    owner: String,
}

impl ChunkAnswer {
    pub(in crate::cli) fn new(row: ChunkRow) -> Self {
        let runs = row.chunk.runs.iter().map(|run| RunAnswer {
            from: run.from,
            to: run.to,
            grip: run.claim.grip.word().to_owned(),
            owner: run.claim.owner.to_string(),
        });
        Self {
            key: row.key,
            version: row.version,
            cells: row.chunk.cells,
            free: row.chunk.free,
            runs: runs.collect(),
        }
    }
}

/// Days as they are stored, in order.
#[derive(Serialize)]
#[serde(transparent)]
pub(in crate::cli) struct ChunkList(pub(in crate::cli) Vec<ChunkAnswer>);

impl Answer for ChunkList {
    fn people(&self) -> String {
        let mut table = Table::new([
            words("KEY"),
            numbers("VERSION"),
            numbers("CELLS"),
            numbers("FREE"),
            words("RUNS"),
        ]);
        for one in &self.0 {
            let runs = one
                .runs
                .iter()
                .map(|run| format!("{}-{} {} {}", run.from, run.to, run.grip, run.owner));
            let runs: Vec<String> = runs.collect();
            table.row([
                one.key.clone(),
                one.version.to_string(),
                one.cells.to_string(),
                one.free.to_string(),
                runs.join("; "),
            ]);
        }
        table.text_or("No day is stored: all of them are free.")
    }
}
