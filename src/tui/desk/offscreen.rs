//! The desk without a terminal: for pictures, recordings and tests.

use std::io;

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect, Size};

use crate::engine::Desk;
use crate::tui::app::App;
use crate::tui::app::frame;
use crate::tui::data::msg::{Effect, Msg};
use crate::tui::data::reads::TYPED_WAIT;
use crate::tui::data::runtime::blocking::BlockingRuntime;
use crate::tui::desk::setup::shared;
use crate::tui::desk::{ScreenOptions, TuiError};
use crate::tui::kit::shared::Shared;
use crate::tui::kit::theme::{Depth, Theme, ThemeName};

/// Desk that draws into a buffer, and waits for each answer.
pub(crate) struct Offscreen {
    pub app: App,
    runtime: BlockingRuntime,
}

impl Offscreen {
    /// # Errors
    /// No thread could be started.
    pub(crate) fn open(desk: Desk, shared: Shared) -> io::Result<Self> {
        let mut screen = Self { app: App::new(shared), runtime: BlockingRuntime::of(desk)? };
        let effects = screen.app.start();
        screen.carry_out(effects);
        Ok(screen)
    }

    /// State with which a desk of this size begins; in the dark theme, unless another was chosen.
    pub(crate) fn shared(desk: &Desk, (mut looks, size): (ScreenOptions, Size)) -> Result<Shared, TuiError> {
        if looks.theme.is_none() {
            let dark = Theme::named(ThemeName::Dark);
            looks.theme = Some(dark.map_err(|error| TuiError::Broken(error.to_string()))?);
        }
        Ok(Shared { size, ..shared(desk, &looks, Depth::Many)? })
    }

    /// Handles a message and all answers to it; returns the effects for a terminal.
    pub(crate) fn send(&mut self, msg: Msg) -> Vec<Effect> {
        let effects = self.app.update(msg);
        let mut left = self.carry_out(effects);
        if left.iter().any(|effect| matches!(effect, Effect::TickIn(TYPED_WAIT))) {
            left.extend(self.send(Msg::Tick(self.app.shared.now + TYPED_WAIT)));
        }
        left
    }

    fn carry_out(&mut self, effects: Vec<Effect>) -> Vec<Effect> {
        let mut left = self.runtime.carry_out(effects);
        while let Some(message) = self.runtime.answer() {
            let effects = self.app.update(message);
            left.extend(self.runtime.carry_out(effects));
        }
        left
    }

    pub(crate) fn draw(&mut self) -> Buffer {
        let area = Rect::from((Position::ORIGIN, self.app.shared.size));
        let mut buffer = Buffer::empty(area);
        let targets = frame::draw(&self.app, area, &mut buffer);
        self.app.drawn(targets);
        buffer
    }
}

impl Drop for Offscreen {
    fn drop(&mut self) {
        self.runtime.go_off();
    }
}
