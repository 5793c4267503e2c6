//! Presence of a station.

use serde::{Deserialize, Serialize};

use crate::domain::presence::Present;
use crate::domain::time::Instant;
use crate::engine::work::{Failure, Operation, UnitOfWork};

/// Records that this station is on or off. Not in the journal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum BePresent {
    /// On, with the description of its screen.
    At(String),
    Off,
}

impl Operation for BePresent {
    const VERB: &'static str = "be_present";
    type Answer = ();

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<(), Failure> {
        let actor = work.actor();
        let (place, seen_at) = match self {
            Self::At(place) => (place.clone(), work.now()),
            Self::Off => (String::new(), Instant::from_millis(0)),
        };
        work.present(Present { station: actor.station.clone(), operator: actor.operator.clone(), place, seen_at })
    }
}
