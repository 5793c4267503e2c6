//! The desk in the terminal.
//!
//! The same shape as the engine, once more: `update(state, message) -> effects` is pure, sync and has no clock;
//! `view(state)` changes nothing; only the runtime names the engine's desk. Nothing is drawn as done before the
//! engine said so.

pub mod action;
pub mod app;
pub mod canvas;
pub mod dialogs;
pub mod field;
pub mod input;
pub mod keymap;
pub mod msg;
pub mod own_cart;
pub mod remote;
pub mod screens;
pub mod shared;
pub mod targets;
pub mod theme;
pub mod view;
pub mod widgets;
pub mod wording;
