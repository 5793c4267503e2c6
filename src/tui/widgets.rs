//! Widgets draw values and know no screen.
//!
//! Each takes plain values and a look, and draws into a rectangle of the canvas. None asks the engine, reads a
//! clock or keeps anything between two drawings. Text from outside is cleaned and cut by its width here again.

use crate::tui::theme::{Glyphs, Theme};

pub mod bar;
pub mod seat_map;
#[cfg(test)]
pub(crate) mod testing;

/// How widgets look: styles by role, and signs.
#[derive(Clone, Copy, Debug)]
pub struct Look<'a> {
    /// Styles by role.
    pub theme: &'a Theme,
    /// Signs.
    pub glyphs: &'a Glyphs,
}
