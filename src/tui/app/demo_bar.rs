//! The tour and crowd bar of the demo: what the tour says, over the screen.
//!
//! Import cycle with `app`, which owns the bar and is what its buttons act on.

use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Widget, Wrap};

use crate::tui::app::App;
use crate::tui::data::msg::DemoState;
use crate::tui::kit::canvas::{Canvas, after, cells, first_rows, from_row, last_columns, row};
use crate::tui::kit::keymap::KeyPlace;

/// The most columns that a caption with its number takes; in fewer it takes two lines.
const CAPTION_COLUMNS: u16 = 112;

/// Text of the bar while no tour plays.
const NO_TOUR: &str = "<demo.step> starts the tour, <demo.pause> stops the crowd, <demo.faster> and <demo.slower> make it faster and slower";

/// State of the bar: open or closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DemoBar {
    /// Open; its keys come first.
    Open,
    /// Closed; a tour goes on.
    Closed,
}

/// State of the demo in a few words.
pub(crate) fn words(state: &DemoState) -> String {
    if state.paused { "demo stands".to_owned() } else { format!("crowd {}", state.crowd) }
}

fn caption(app: &App) -> Option<String> {
    let state = app.shared.demo.as_ref()?;
    let idle = (app.bar == DemoBar::Open).then_some(NO_TOUR);
    let text = state.caption.as_deref().or(idle)?;
    Some(app.shared.keymap.fill(KeyPlace::Map, text))
}

/// Draws what the tour says over the screen, which keeps its size, with the keys that it pressed.
pub(crate) fn view(app: &App, area: Rect, canvas: &mut Canvas<'_>) {
    let (Some(text), Some(state)) = (caption(app), &app.shared.demo) else {
        return;
    };
    let theme = &app.shared.theme;
    let lines = if area.width >= CAPTION_COLUMNS { 1 } else { 2 };
    // a dialog's title says what happened
    let foot = from_row(area, area.height.saturating_sub(lines));
    let area = if app.modal.is_some() { foot } else { first_rows(area, lines) };
    canvas.blank(area);
    canvas.style(area, theme.raised);
    let title = match state.step {
        Some((at, of)) => format!(" tour {at}/{of} "),
        None => " demo ".to_owned(),
    };
    let took = canvas.text(area, &title, theme.tab_on);
    let keys = app.pressed.join(" ");
    let keys = Line::from(Span::styled(keys, theme.key));
    let pressed = cells(keys.width());
    canvas.line(last_columns(row(area, 0), pressed + 1), &keys);
    let mut beside = after(area, took + 1);
    beside.width = beside.width.saturating_sub(pressed + 2);
    let words = Line::from(Span::styled(text, theme.demo));
    Paragraph::new(words).wrap(Wrap { trim: true }).render(beside, canvas.buffer);
}
