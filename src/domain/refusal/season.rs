//! Refusals of a season: the lines of a list that are wrong.

use chrono_tz::Tz;
use serde::{Deserialize, Serialize};

use crate::domain::customer::LineProblem;
use crate::domain::refusal::Refusal;

/// Line of a list that is wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WrongLine {
    pub line: u64,
    /// Column; empty for the whole line.
    pub column: String,
    pub why: WrongWhy,
    /// Zone of its theater, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub zone: Option<Tz>,
}

/// Reason why a line is wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WrongWhy {
    Unread(LineProblem),
    /// Line that has the same night.
    SameAs(u64),
    /// Theater of the night, which is not the one of the line.
    StaysIn(String),
    Refused(Box<Refusal>),
}

/// Refusal of a season.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum SeasonRefusal {
    /// Wrong lines of the list, by number: nothing of it was done.
    SeasonWrong { lines: Vec<WrongLine> },
}

impl From<SeasonRefusal> for Refusal {
    fn from(refusal: SeasonRefusal) -> Self {
        Self::Season(refusal)
    }
}
