//! Screens: each is a state with [`ScreenState`](crate::tui::kit::screen_state::ScreenState), in a file of its own beside the
//! parts that only it has.

pub(crate) mod calendar;
pub(crate) mod jobs;
pub(crate) mod orders;
pub(crate) mod seats;
pub(crate) mod tonight;
