//! The yardsticks of time that a benchmark sets beside the desk: other ways to keep the same bookings, each as
//! durable, with nothing around them: no journal, no details, no answers to repeat.

pub use crate::store::sqlite::{Pages, pages_of};

use crate::store::Fault;

/// A stretch of time of a resource, by numbers: which resource, from which minute, until which minute.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Stretch {
    /// The resource.
    pub resource: u32,
    /// The first minute, since 1970.
    pub from: i64,
    /// The minute after the last.
    pub until: i64,
}

/// Another way to keep time.
pub trait Control {
    /// Books stretches one after the other, those that are free, in one durable transaction; gives how many.
    ///
    /// # Errors
    /// A fault of the database.
    fn book(&mut self, wanted: &[Stretch]) -> Result<usize, Fault>;

    /// What is taken of the resources below a number in a window, by resource and time, each booking once.
    ///
    /// # Errors
    /// A fault of the database.
    fn taken(&mut self, below: u32, window: (i64, i64)) -> Result<Vec<Stretch>, Fault>;

    /// How large all of it is, in bytes.
    ///
    /// # Errors
    /// A fault of the database.
    fn size(&mut self) -> Result<i64, Fault>;
}
