//! Screens, each with a state, an `act` that changes it, and a `view` that draws it.
//!
//! Screens have like-named methods, which `app` matches by screen: `act` (a key's action), `click` (on one of its
//! targets), `needs` (questions whose answers it shows), `came` (an answer), `counts` (true if it counts down), `place`
//! (key table in force) and `view` (draws it).

pub(crate) mod calendar;
pub(crate) mod jobs;
pub(crate) mod orders;
pub(crate) mod seats;
pub(crate) mod tonight;
