//! Dialogs of the calendar: forms, lists, a booking as it is.

mod booking;
mod displaced_list;
mod fields;
mod form;
mod month;
mod opening;
mod out_of_use;
mod series;
mod times;

pub(super) use booking::After;
