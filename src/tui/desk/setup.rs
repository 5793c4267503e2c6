//! State that a desk begins with: options, the terminal's colours, the user's keymap and folders.
//!
//! Import cycle with `desk`: its options and errors.

use std::io;
use std::path::PathBuf;

use etcetera::BaseStrategy;

use crate::domain::house::Settings;
use crate::engine::Desk;
use crate::engine::ops::ChangeFollowed;
use crate::engine::reads::catalog::ReadSettings;
use crate::tui::data::msg::{ClockJump, DemoState};
use crate::tui::data::own_cart::OwnCart;
use crate::tui::data::reads::Reads;
use crate::tui::data::stations::Stations;
use crate::tui::data::ticket::TicketCounter;
use crate::tui::desk::{ScreenOptions, TuiError};
use crate::tui::kit::keymap::Keymap;
use crate::tui::kit::screen::Screen;
use crate::tui::kit::shared::{Says, Shared};
use crate::tui::kit::theme::{Background, Depth, Glyphs, Theme, ThemeName};

/// The user's folder for what programs keep between runs; none where the user has no folders.
pub(super) fn state_folder() -> Option<PathBuf> {
    let folders = etcetera::choose_base_strategy().ok()?;
    Some(folders.state_dir()?.join("willcall"))
}

/// Colour depth of the terminal.
pub(super) fn depth() -> Depth {
    let variable = |name: &str| std::env::var(name).ok();
    Depth::of(variable("NO_COLOR").as_deref(), variable("COLORTERM").as_deref(), variable("TERM").as_deref())
}

/// State that all screens see, before the first message.
pub(super) fn shared(desk: &Desk, options: &ScreenOptions, depth: Depth) -> Result<Shared, TuiError> {
    let ground = std::env::var("COLORFGBG").ok();
    let ground = ground.as_deref().and_then(Background::of_variable);
    let theme = match &options.theme {
        Some(theme) => theme.clone(),
        None => Theme::named(ThemeName::fitting(depth, ground)).map_err(|error| TuiError::Broken(error.to_string()))?,
    };
    let Settings { time_zone, reasons, operators, lock_after, .. } = desk.read(ReadSettings)?;
    Ok(Shared {
        now: desk.now(),
        clock_jump: ClockJump::None,
        printer: options.printer.clone(),
        to_csv: options.to_csv,
        folder: std::env::current_dir().unwrap_or_default(),
        follows: ChangeFollowed::command(desk.place()).map_err(|error| TuiError::Broken(error.to_string()))?,
        away: None,
        zone: time_zone,
        on: Screen::default(),
        operator: desk.actor().operator.clone(),
        operators,
        lock_after,
        signed_in: desk.is_signed_in().then(|| desk.operator()).transpose()?,
        station: desk.actor().station.clone(),
        size: ratatui::layout::Size::default(),
        theme: theme.in_depth(depth),
        glyphs: Glyphs::of(options.glyphs),
        keymap: keymap()?,
        cart: OwnCart::default(),
        mouse: options.mouse,
        says: Says::default(),
        stations: Stations::default(),
        reasons,
        demo: options.demo.as_ref().map(|_| DemoState::default()),
        typed_before: std::collections::HashMap::new(),
        tickets: TicketCounter::default(),
        reads: Reads::default(),
    })
}

/// Every key of every place, those of `keymap.toml` included.
///
/// # Errors
/// `keymap.toml` cannot be read.
pub(crate) fn key_table() -> Result<String, TuiError> {
    Ok(keymap()?.table())
}

/// Built-in keymap, remapped by `keymap.toml` in the configuration folder if there is one.
fn keymap() -> Result<Keymap, TuiError> {
    let standard = Keymap::standard().map_err(|error| TuiError::Broken(error.to_string()))?;
    let Ok(folders) = etcetera::choose_base_strategy() else {
        return Ok(standard);
    };
    let path = folders.config_dir().join("willcall").join("keymap.toml");
    match std::fs::read_to_string(&path) {
        Ok(own) => standard.remapped(&own).map_err(|error| TuiError::Keymap { path, problem: error.to_string() }),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(standard),
        Err(error) => Err(TuiError::Keymap { path, problem: error.to_string() }),
    }
}
