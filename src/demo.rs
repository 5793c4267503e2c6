//! The demo house: a throw-away house with past sales, simulated customers and a guided tour.
//!
//! The furniture, the crowd and the tour are clients of the engine's desk: they hold and buy by the same operations
//! as an operator, and have no back door.

mod calendar;
mod clock;
pub(crate) mod crowd;
pub mod dice;
mod film;
mod furnish;
mod guide;
mod history;
mod house;
mod incidents;
mod opera;
mod programme;
mod promises;
mod room;
mod sales;
mod script;
mod staff;
mod submit;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
mod tour;

pub(crate) use clock::DemoClock;
pub(crate) use film::{Shot, animate, record};
pub(crate) use furnish::furnish;
pub(crate) use guide::Plays;
pub(crate) use house::{DemoError, DemoOptions, picture, run, zone};
pub(crate) use script::chapter;
