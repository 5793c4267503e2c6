//! Contents of `assets/demo/calendar.toml`.

use std::collections::BTreeMap;

use serde::Deserialize;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Calendar {
    #[serde(rename = "resource")]
    pub(super) resources: Vec<ResourceEntry>,
    pub(super) rooms: Vec<RoomsEntry>,
    #[serde(rename = "use")]
    pub(super) uses: Vec<UseEntry>,
    #[serde(rename = "stay")]
    pub(super) stays: Vec<StayEntry>,
    #[serde(rename = "out")]
    pub(super) outs: Vec<OutEntry>,
    pub(super) january: Vec<JanuaryEntry>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ResourceEntry {
    pub(super) name: String,
    pub(super) kind: String,
    pub(super) segment: u32,
    pub(super) parent: Option<String>,
    pub(super) hours: Option<String>,
    pub(super) before: Option<String>,
    pub(super) after: Option<String>,
    pub(super) price: Option<String>,
    pub(super) open_days: Option<u64>,
    #[serde(default)]
    pub(super) set: BTreeMap<String, String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RoomsEntry {
    pub(super) of: String,
    pub(super) name: String,
    pub(super) numbers: Vec<u32>,
    pub(super) price: String,
    pub(super) every: Option<usize>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct UseEntry {
    pub(super) of: Vec<String>,
    pub(super) title: String,
    #[serde(rename = "for")]
    pub(super) customer: String,
    pub(super) days: Vec<i64>,
    pub(super) at: String,
    /// Not paid yet.
    #[serde(default)]
    pub(super) owes: bool,
    /// True for time of the house itself, which costs nothing.
    #[serde(default)]
    pub(super) ours: bool,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct StayEntry {
    pub(super) of: Vec<String>,
    pub(super) title: String,
    #[serde(rename = "for", default)]
    pub(super) customer: String,
    pub(super) day: i64,
    pub(super) nights: u64,
    /// Not paid yet.
    #[serde(default)]
    pub(super) owes: bool,
    #[serde(default)]
    pub(super) ours: bool,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct OutEntry {
    pub(super) of: Vec<String>,
    pub(super) cause: String,
    pub(super) reason: String,
    pub(super) day: i64,
    pub(super) at: Option<String>,
    pub(super) nights: Option<u64>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct JanuaryEntry {
    pub(super) of: String,
    pub(super) uses: Vec<[String; 3]>,
}
