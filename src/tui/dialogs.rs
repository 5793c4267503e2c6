//! Dialogs over a screen: at most one is open, and it has the keyboard focus.

pub(crate) mod demo_bar;
pub(crate) mod dialog;
pub(crate) mod find;
pub(crate) mod form;
pub(crate) mod give_back;
pub(crate) mod messages;
pub(crate) mod night;
pub(crate) mod open_carts;
pub(crate) mod picker;
pub(crate) mod prompt;
pub(crate) mod question;
pub(crate) mod reserve;
pub(crate) mod sheet;
pub(crate) mod story;
pub(crate) mod waiting;
