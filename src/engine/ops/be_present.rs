//! A station is on.

use serde::Serialize;

use crate::domain::presence::Present;
use crate::domain::time::Instant;
use crate::engine::work::{Failure, Operation, UnitOfWork};

/// Says that this station is on, or goes off. It leaves nothing in the journal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub enum BePresent {
    /// On, with this on its screen.
    At(String),
    /// Off.
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
        work.present(Present {
            station: actor.station.clone(),
            operator: actor.operator.clone(),
            place,
            seen_at,
        })
    }
}
