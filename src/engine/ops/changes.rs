//! Changes of what was entered: a patch names the fields that change, and the answer has both versions.
//!
//! A patch is made on what is stored now, whatever its maker saw: of two stations that change the same field the second
//! prevails, and its answer has the value of the first as the one before.

use serde::{Deserialize, Serialize};

use crate::domain::performance::{Performance, PerformanceState};
use crate::domain::refusal::{Ahead, ChangeRefusal, Refusal};
use crate::engine::work::{Failure, UnitOfWork};

/// Document before and after a change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Revised<T, P> {
    pub before: T,
    pub after: T,
    /// Patch that takes the change back.
    pub back: P,
}

/// Change of a field that may be empty: a value, or null, or absent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Patched<T> {
    Set(T),
    Clear,
    #[default]
    #[serde(skip)]
    Keep,
}

impl<T: Clone> Patched<T> {
    /// Field for a value that is given, or cleared, or neither.
    pub fn of(value: Option<T>, cleared: bool) -> Self {
        match (value, cleared) {
            (Some(value), _) => Self::Set(value),
            (None, true) => Self::Clear,
            (None, false) => Self::Keep,
        }
    }

    /// Field of a patch between two versions of a value.
    pub(super) fn between(before: Option<&T>, after: Option<&T>) -> Self
    where
        T: PartialEq,
    {
        if before == after { Self::Keep } else { Self::of(after.cloned(), true) }
    }

    /// Returns whether the field stays as it is.
    pub const fn is_kept(&self) -> bool {
        matches!(self, Self::Keep)
    }

    pub(super) fn apply(&self, to: &mut Option<T>) {
        match self {
            Self::Set(value) => *to = Some(value.clone()),
            Self::Clear => *to = None,
            Self::Keep => {}
        }
    }
}

/// Value after a change; none for one that stays.
pub(super) fn other<T: PartialEq + Clone>(before: &T, after: &T) -> Option<T> {
    (before != after).then(|| after.clone())
}

/// Refusal of the use of something that is retired.
pub(super) fn retired(what: &str, name: &str) -> Refusal {
    ChangeRefusal::Retired { what: what.to_owned(), name: name.to_owned() }.into()
}

/// Refuses a retired performance.
pub(super) fn in_use(performance: &Performance) -> Result<(), Refusal> {
    match performance.state {
        PerformanceState::Retired => Err(retired("performance", &performance.title)),
        PerformanceState::Open | PerformanceState::Canceled => Ok(()),
    }
}

/// Refuses to retire something while anything of it stands ahead.
pub(super) fn nothing_ahead(what: &str, name: &str, ahead: Vec<Ahead>) -> Result<(), Refusal> {
    if ahead.is_empty() {
        return Ok(());
    }
    let (what, name) = (what.to_owned(), name.to_owned());
    Err(ChangeRefusal::StandsAhead { what, name, ahead }.into())
}

/// Refuses a name that another document of the kind has.
pub(super) fn only_one(work: &mut UnitOfWork<'_>, what: &str, (name, key): (&str, &str)) -> Result<(), Failure> {
    let sql = format!("SELECT key FROM {what} WHERE name = $1 AND key <> $2 LIMIT 1");
    let known = work.query(&sql, &[name.to_lowercase().into(), key.into()])?;
    if known.is_empty() { Ok(()) } else { Err(Refusal::Exists { what: what.into(), name: name.to_owned() }.into()) }
}
