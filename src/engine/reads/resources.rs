//! Resources: the list, one by name, and the stored chunks of a calendar.

use std::collections::{BTreeMap, HashMap, HashSet};

use chrono::NaiveDate;
use chrono_tz::Tz;
use serde::{Deserialize, Serialize};

use crate::domain::availability::Chunk;
use crate::domain::money::amount;
use crate::domain::refusal::{Problem, Refusal};
use crate::domain::resource::{Resource, ResourceId, features};
use crate::domain::time::day_number;
use crate::engine::reads::{Listed, Question, Snapshot, only};
use crate::engine::work::Failure;
use crate::store::chunks::{BETWEEN, chunk_key, days_of};

/// Filter of resources; empty selects all.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub struct ResourceFilter {
    pub kind: Option<String>,
    /// Only descendants of this one.
    pub within: Option<ResourceId>,
    pub properties: Vec<Condition>,
    pub zone: Option<Tz>,
    pub listed: Listed,
}

/// Property name for the price of a segment.
pub const PRICE: &str = "price";

/// Condition on a property: `guests>=3`, `city=Redmond`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Condition {
    /// Property.
    pub name: String,
    pub compare: Compare,
    /// Value; compared as a number if both sides are numbers.
    pub value: String,
}

/// Comparison operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Compare {
    /// `=`
    Equal,
    /// `!=`
    Other,
    /// `>=`
    AtLeast,
    /// `<=`
    AtMost,
    /// `>`
    Above,
    /// `<`
    Below,
}

impl Condition {
    /// Parses `guests>=3`.
    ///
    /// # Errors
    /// Missing operator or name.
    pub fn parse(text: &str) -> Result<Self, Refusal> {
        const SIGNS: [(&str, Compare); 6] = [
            (">=", Compare::AtLeast),
            ("<=", Compare::AtMost),
            ("!=", Compare::Other),
            ("=", Compare::Equal),
            (">", Compare::Above),
            ("<", Compare::Below),
        ];
        let found = SIGNS.iter().find_map(|(sign, compare)| {
            let (name, value) = text.split_once(sign)?;
            Some((name.trim(), *compare, value.trim()))
        });
        let is_sign = |letter: char| "<>=!".contains(letter);
        let is_whole = |name: &str, value: &str| {
            !name.is_empty() && !value.is_empty() && !name.contains(is_sign) && !value.contains(is_sign)
        };
        match found.filter(|(name, _, value)| is_whole(name, value)) {
            Some((name, compare, value)) => Ok(Self { name: name.to_lowercase(), compare, value: value.to_owned() }),
            None => Err(Refusal::bad("where", Problem::NoCondition(text.to_owned()))),
        }
    }

    /// Returns whether a resource meets the condition; the price of a segment counts as a property.
    pub fn holds(&self, resource: &Resource) -> bool {
        let price = resource.price.filter(|_| self.name == PRICE);
        let price = || price.map(|price| amount(price.minor, price.currency));
        let has = resource.properties.get(&self.name).cloned();
        let Some(has) = has.or_else(price) else {
            return self.compare == Compare::Other;
        };
        if self.name == "features" {
            let found = features::items(&has).any(|item| item.eq_ignore_ascii_case(&self.value));
            return found == (self.compare != Compare::Other);
        }
        let number = |text: &str| features::measure(text).or_else(|| text.parse().ok());
        let order = match (number(&has), number(&self.value)) {
            (Some(has), Some(value)) => has.partial_cmp(&value),
            _ => Some(has.to_lowercase().cmp(&self.value.to_lowercase())),
        };
        order.is_some_and(|order| match self.compare {
            Compare::Equal => order.is_eq(),
            Compare::Other => order.is_ne(),
            Compare::AtLeast => order.is_ge(),
            Compare::AtMost => order.is_le(),
            Compare::Above => order.is_gt(),
            Compare::Below => order.is_lt(),
        })
    }
}

/// Lists resources, each followed by its parts.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct ReadResources(pub ResourceFilter);

/// Finds a resource by id or name.
#[derive(Clone, Debug, Deserialize)]
pub struct ReadResource(pub String);

/// Reads the stored chunks of a resource in a range of days.
#[derive(Clone, Debug)]
pub struct ReadChunks {
    pub resource: ResourceId,
    pub from: NaiveDate,
    /// Day after the last.
    pub until: NaiveDate,
}

/// Stored chunk of a calendar.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChunkRow {
    /// Key: `{calendar}_{yyyy}_{mm}_{dd}`.
    pub key: String,
    pub version: i64,
    pub chunk: Chunk,
}

impl Question for ReadResources {
    type Answer = Vec<Resource>;

    fn ask(&self, snapshot: &mut Snapshot<'_>) -> Result<Vec<Resource>, Failure> {
        let all: Vec<Resource> = match &self.0.within {
            Some(whole) => {
                let whole: Resource = snapshot.get(whole)?;
                parts(snapshot, std::slice::from_ref(&whole))?
            }
            None => snapshot.select("ORDER BY name, key", &[])?,
        };
        let is_meant = |one: &Resource| {
            self.0.listed.has(one.retired)
                && self.0.kind.as_ref().is_none_or(|kind| *kind == one.kind)
                && self.0.zone.is_none_or(|zone| zone == one.zone())
                && self.0.properties.iter().all(|condition| condition.holds(one))
        };
        Ok(in_families(all).into_iter().filter(is_meant).collect())
    }
}

/// Sorts resources by name, each followed by its parts.
fn in_families(mut all: Vec<Resource>) -> Vec<Resource> {
    all.sort_by_cached_key(|one| natural(&one.name));
    let mut out = Vec::with_capacity(all.len());
    let known: HashSet<ResourceId> = all.iter().map(|one| one.id.clone()).collect();
    let mut parts: HashMap<Option<ResourceId>, Vec<Resource>> = HashMap::new();
    for one in all.into_iter().rev() {
        parts.entry(one.parent.clone().filter(|parent| known.contains(parent))).or_default().push(one);
    }
    let mut stack = parts.remove(&None).unwrap_or_default();
    while let Some(next) = stack.pop() {
        stack.extend(parts.remove(&Some(next.id.clone())).unwrap_or_default());
        out.push(next);
    }
    out
}

/// Natural sort key of a name, text and numbers in turn: `room 2` before `room 10`.
fn natural(name: &str) -> Vec<(String, u64)> {
    let mut out: Vec<(String, u64)> = vec![(String::new(), 0)];
    let mut in_number = false;
    for letter in name.to_lowercase().chars() {
        let digit = letter.to_digit(10).map(u64::from);
        if digit.is_none() && in_number {
            out.push((String::new(), 0));
        }
        in_number = digit.is_some();
        if let Some((letters, number)) = out.last_mut() {
            match digit {
                Some(digit) => *number = number.saturating_mul(10).saturating_add(digit),
                None => letters.push(letter),
            }
        }
    }
    out
}

pub(super) fn parts(snapshot: &mut Snapshot<'_>, of: &[Resource]) -> Result<Vec<Resource>, Failure> {
    let mut out: Vec<Resource> = Vec::new();
    let mut keys = children(of);
    while !keys.is_empty() {
        let found: Vec<Resource> = snapshot.all(&keys)?;
        keys = children(&found);
        out.extend(found);
    }
    Ok(out)
}

fn children(of: &[Resource]) -> Vec<String> {
    of.iter().flat_map(|one| &one.children).map(ToString::to_string).collect()
}

impl Question for ReadResource {
    type Answer = Resource;

    fn ask(&self, snapshot: &mut Snapshot<'_>) -> Result<Resource, Failure> {
        let text = self.0.trim();
        if let Some(found) = snapshot.find(text)? {
            return Ok(found);
        }
        let named: Vec<Resource> =
            snapshot.select("WHERE name = $1 ORDER BY key LIMIT 10", &[text.to_lowercase().into()])?;
        let in_use: Vec<Resource> = named.iter().filter(|one| !one.retired).cloned().collect();
        let named = if in_use.is_empty() { named } else { in_use };
        let named = named.into_iter().map(|one| (one.id.to_string(), one));
        Ok(only("resource", text.to_owned(), named.collect())?)
    }
}

impl Question for ReadChunks {
    type Answer = Vec<ChunkRow>;

    fn ask(&self, snapshot: &mut Snapshot<'_>) -> Result<Vec<ChunkRow>, Failure> {
        let last = self.until.pred_opt().unwrap_or(self.until);
        let days: Vec<Chunk> = snapshot.select(
            &format!("WHERE {BETWEEN} ORDER BY key"),
            &days_of(self.resource.as_str(), (day_number(self.from), day_number(last))),
        )?;
        let keys: Vec<String> = days.iter().map(|chunk| chunk_key(&chunk.key())).collect();
        let stored = snapshot.stored::<Chunk>(&keys)?;
        let versions: BTreeMap<&str, i64> = stored.iter().map(|one| (one.key.as_str(), one.version)).collect();
        Ok(keys
            .iter()
            .zip(days)
            .map(|(key, chunk)| ChunkRow {
                key: key.clone(),
                version: versions.get(key.as_str()).copied().unwrap_or_default(),
                chunk,
            })
            .collect())
    }
}
