//! Season of a house as a list: a line for each night.

use serde::{Deserialize, Serialize};

use crate::domain::customer::LineProblem;

/// Most nights of one list.
pub const NIGHTS_MAX: usize = 1000;

/// Line of a list of nights, as it is written; absent columns are `None`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeasonLine {
    /// Number in the list.
    pub number: u64,
    /// Reason why it can't be read.
    #[serde(default)]
    pub problem: Option<LineProblem>,
    pub title: String,
    /// Name of the theater; of the only one if it is empty.
    pub theater: String,
    /// Local time there.
    pub start: String,
    pub end: String,
    /// Prices, parted by `;` or `,`.
    pub price: String,
    /// Price list whose rules price what `price` does not name. An empty one takes a night off its list, which then has the
    /// prices that are named; `None` leaves that as it is.
    #[serde(default)]
    pub list: Option<String>,
    #[serde(default)]
    pub description: Option<String>,
    #[serde(default)]
    pub currency: Option<String>,
    /// Areas of standing room with another number of places than in the theater.
    #[serde(default)]
    pub capacity: Option<String>,
    /// Id of a night that the house has.
    #[serde(default)]
    pub id: Option<String>,
}
