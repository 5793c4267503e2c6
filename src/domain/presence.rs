//! Which stations are on, and where.
//!
//! Operators are told of each other by it, and a clock that is apart from that of a station that is on writes nothing.

use crate::domain::time::{Instant, Span};

/// A station that is on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Present {
    pub station: String,
    pub operator: String,
    /// The place on the station's screen, in words: `Hamlet Fri 19:30`.
    pub place: String,
    pub seen_at: Instant,
}

impl Present {
    /// Interval of a station's presence signal.
    pub const SAYS_EVERY: Span = Span::seconds(10);
    /// A station that has said nothing for this long is off.
    pub const OFF_AFTER: Span = Span::seconds(35);
}

const _: () = assert!(
    Present::OFF_AFTER.millis() > 3 * Present::SAYS_EVERY.millis(),
    "a station may be late twice before it is taken for off"
);
