//! Pictures of a screen without a terminal: the app draws into a buffer, which is written as SVG.

use std::time::Duration;

use ratatui::buffer::Buffer;
use ratatui::layout::Size;
use ratatui::style::Style;

use crate::domain::time::Span;
use crate::engine::Desk;
use crate::tui::data::msg::Msg;
use crate::tui::desk::offscreen::Offscreen;
use crate::tui::desk::{ScreenOptions, TuiError};
use crate::tui::kit::input::Key;
use crate::tui::kit::screen::Screen;

mod svg;

/// Time between two keys, longer than a double press.
const PAUSE: Span = Span::seconds(1);

/// Content of a picture.
#[derive(Debug)]
pub(crate) struct Picture {
    pub screen: Screen,
    pub size: Size,
    /// Keys to press, each after the answer to the previous one.
    pub keys: Vec<Key>,
    /// Glyphs and theme; the dark theme by default.
    pub looks: ScreenOptions,
}

/// Draws frames as an SVG that moves.
pub(crate) fn moving(frames: &[(Duration, Buffer)], ground: Style) -> String {
    svg::moving(frames, ground)
}

impl Picture {
    /// Draws the screen as SVG.
    ///
    /// # Errors
    /// A thread could not be started, or the house or the user's keymap cannot be read.
    pub(crate) fn draw(self, desk: Desk) -> Result<String, TuiError> {
        let shared = Offscreen::shared(&desk, (self.looks, self.size))?;
        let place = crate::tui::kit::keymap::KeyPlace::Everywhere;
        let tab = shared.keymap.key_text(place, self.screen.action());
        let mut screen = Offscreen::open(desk, shared)?;
        for key in tab.parse().into_iter().chain(self.keys) {
            screen.draw();
            screen.send(Msg::Key(key));
            screen.send(Msg::Tick(screen.app.shared.now + PAUSE));
        }
        let buffer = screen.draw();
        let ground = screen.app.shared.theme.ground;
        Ok(svg::of(&buffer, ground))
    }
}
