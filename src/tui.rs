//! Terminal desk.
//!
//! Same architecture as the engine: `update(state, message) -> effects` is pure, synchronous and has no clock;
//! `view(state)` changes no state; only the runtime names the engine's desk. Nothing is drawn as done before the
//! engine has confirmed it.
//!
//! | Room | Purpose | Never does |
//! |---|---|---|
//! | [`desk`] | loop, terminal, pictures without one | rules of the house |
//! | [`app`] | hands keys, clicks and answers to screens and dialogs; draws the frame | names the desk |
//! | [`screens`] | a screen each, with the dialogs it alone opens | names another screen: it goes by [`kit::context`] |
//! | [`dialogs`] | dialogs that several screens open | names a screen |
//! | [`widgets`] | draw plain values | names a screen, a dialog, or data of the desk |
//! | [`kit`] | keys, lists, forms, sheets, themes: what screens are made of | names a screen |
//! | [`data`] | messages, reads, the own cart: what is known of the house | draws |

pub(crate) mod app;
pub(crate) mod data;
pub(crate) mod desk;
pub(crate) mod dialogs;
pub(crate) mod kit;
pub(crate) mod screens;
pub mod widgets;

pub(crate) use desk::{DemoControl, ScreenOptions, TuiError, key_table, run};
