//! Dialogs of the calendar: forms, lists, a booking as it is.

mod deal;
mod fields;
mod form;
mod month;
mod opened;
mod opening;
mod out;
mod repeat;
mod series;
mod times;

pub(super) use opened::After;
