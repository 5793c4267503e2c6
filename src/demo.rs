//! The demo house: a throw-away house that is furnished, alive, and shows itself.
//!
//! Everything here is a client of the engine's desk like any other: the furniture, the crowd and the tour hold
//! and buy by the same operations as an operator, and know no back door.

mod calendar;
mod clock;
pub mod crowd;
mod dice;
mod furnish;
mod guide;
mod house;
mod programme;
mod promises;
mod room;
mod script;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
mod tour;

pub use clock::DemoClock;
pub use furnish::{Furnished, furnish};
pub use house::{DemoError, DemoOptions, Opening, picture, run, zone};
