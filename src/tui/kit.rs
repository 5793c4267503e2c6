//! Kit: parts that screens and dialogs are made of. Knows no screen.

pub(crate) mod action;
pub mod canvas;
pub(crate) mod context;
pub(crate) mod dialog;
pub(crate) mod field;
pub(crate) mod form;
pub(crate) mod hints;
pub(crate) mod input;
pub(crate) mod keymap;
pub(crate) mod line;
pub(crate) mod list;
pub(crate) mod prompt;
pub(crate) mod question;
pub(crate) mod roster;
pub(crate) mod screen;
pub(crate) mod screen_state;
pub(crate) mod shared;
pub(crate) mod sheet;
pub(crate) mod table;
pub mod targets;
pub mod theme;
pub(crate) mod typed_times;
