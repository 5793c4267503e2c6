//! Pictures of a screen without a terminal: the app draws into a buffer, which is written as SVG.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect, Size};

use crate::domain::time::Span;
use crate::engine::Desk;
use crate::tui::app::App;
use crate::tui::app::view;
use crate::tui::data::msg::{Effect, Msg};
use crate::tui::data::runtime::blocking::BlockingRuntime;
use crate::tui::desk::setup::shared;
use crate::tui::desk::{ScreenOptions, TuiError};
use crate::tui::kit::input::Key;
use crate::tui::kit::screen::Screen;
use crate::tui::kit::theme::{Depth, Theme, ThemeName};

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

impl Picture {
    /// Draws the screen as SVG.
    ///
    /// # Errors
    /// A thread could not be started, or the house or the user's keymap cannot be read.
    pub(crate) fn draw(mut self, desk: Desk) -> Result<String, TuiError> {
        if self.looks.theme.is_none() {
            let dark = Theme::named(ThemeName::Dark);
            self.looks.theme = Some(dark.map_err(|error| TuiError::Broken(error.to_string()))?);
        }
        let mut shared = shared(&desk, &self.looks, Depth::Many)?;
        shared.size = self.size;
        let place = crate::tui::kit::keymap::KeyPlace::Everywhere;
        let tab = shared.keymap.key_text(place, self.screen.action());
        let mut screen = Offscreen { app: App::new(shared), runtime: BlockingRuntime::of(desk)? };
        let effects = screen.app.start();
        screen.carry_out(effects);
        for key in tab.parse().into_iter().chain(self.keys) {
            screen.press(key);
        }
        let buffer = screen.draw();
        screen.runtime.go_off();
        let ground = screen.app.shared.theme.ground;
        Ok(svg::of(&buffer, ground))
    }
}

/// Desk without a terminal.
struct Offscreen {
    app: App,
    runtime: BlockingRuntime,
}

impl Offscreen {
    /// Carries out effects; those for the terminal are ignored.
    fn carry_out(&mut self, effects: Vec<Effect>) {
        self.runtime.carry_out(effects);
        while let Some(message) = self.runtime.answer() {
            let effects = self.app.update(message);
            self.runtime.carry_out(effects);
        }
    }

    fn press(&mut self, key: Key) {
        self.draw();
        let now = self.app.shared.now + PAUSE;
        for message in [Msg::Key(key), Msg::Tick(now)] {
            let effects = self.app.update(message);
            self.carry_out(effects);
        }
    }

    fn draw(&mut self) -> Buffer {
        let area = Rect::from((Position::ORIGIN, self.app.shared.size));
        let mut buffer = Buffer::empty(area);
        let targets = view::draw(&self.app, area, &mut buffer);
        self.app.drawn(targets);
        buffer
    }
}
