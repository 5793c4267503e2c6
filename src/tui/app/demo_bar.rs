//! The demo over the screen: what the tour says, or the list of its chapters.
//!
//! Import cycle with `app`, which owns the bar and is what its buttons act on.

use ratatui::layout::Rect;
use ratatui::text::Line;

use crate::domain::text::{width, wrap};
use crate::tui::app::App;
use crate::tui::data::msg::DemoState;
use crate::tui::kit::canvas::{Canvas, after, cells, centred, first_rows, from_row, row};
use crate::tui::kit::keymap::KeyPlace;
use crate::tui::kit::screen::Screen;
use crate::tui::kit::targets::Target;
use crate::tui::widgets::paragraph;

/// Columns of the list of chapters.
const LIST_COLUMNS: u16 = 44;
/// The most lines of a caption.
const LINES_MOST: usize = 3;

/// State of the bar: open or closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DemoBar {
    /// Open, as a list of chapters or with a caption; its keys come first.
    Open,
    /// Closed; a tour goes on.
    Closed,
}

/// State of the demo in a few words.
pub(crate) fn words(state: &DemoState) -> String {
    if state.paused { "demo stands".to_owned() } else { format!("crowd {}", state.crowd) }
}

fn caption(app: &App) -> Option<String> {
    let text = app.shared.demo.as_ref()?.caption.as_deref()?;
    Some(app.shared.keymap.fill(KeyPlace::Map, text))
}

/// Lists the chapters, with a cursor.
fn chapters(app: &App, state: &DemoState, (area, canvas): (Rect, &mut Canvas<'_>)) {
    let lines = state.chapters.len();
    canvas.targets.clear(area);
    let inner = canvas.dialog_with(
        centred(area, LIST_COLUMNS, lines + 2),
        "Chapters of the demo",
        Line::styled(format!(" {} ", words(state)), app.shared.theme.hint),
    );
    let first = (app.chapter + 1).saturating_sub(usize::from(inner.height));
    for ((at, title), line) in state.chapters.iter().enumerate().skip(first).zip(0..inner.height) {
        let row = row(inner, line);
        let number = if at == 0 { String::new() } else { at.to_string() };
        canvas.text(row, &format!(" {number:>2}  {title}"), app.shared.theme.text);
        if at == app.chapter {
            canvas.select(row);
        }
        canvas.hit(row, Target::Choice(at));
    }
}

/// The chapter's name and step with the caption beside it, or the step alone where the caption would be cut.
fn titled(state: &DemoState, text: &str, columns: u16) -> (String, Vec<String>) {
    let Some((at, of)) = state.step else {
        let title = " demo ".to_owned();
        let room = usize::from(columns).saturating_sub(title.len() + 1);
        return (title, paragraph(text, room, LINES_MOST));
    };
    let named = format!(" {} {at}/{of} ", state.chapter.unwrap_or("tour"));
    let room = |title: &str| usize::from(columns).saturating_sub(width(title) + 1);
    let title = if wrap(text, room(&named)).len() <= LINES_MOST { named } else { format!(" {at}/{of} ") };
    let words = paragraph(text, room(&title), LINES_MOST);
    (title, words)
}

/// The last of some keys that fit.
fn last_keys(pressed: &[String], columns: usize) -> String {
    let fitting = (0..pressed.len()).filter_map(|from| Some(pressed.get(from..)?.join(" ")));
    fitting.map(|keys| format!(" {keys} ")).find(|keys| width(keys) <= columns).unwrap_or_default()
}

/// Draws what the demo says over the screen, which keeps its size, with the keys that the tour pressed; the last lines of
/// the area have the status.
pub(crate) fn view(app: &App, (area, status): (Rect, u16), canvas: &mut Canvas<'_>) {
    let Some(state) = &app.shared.demo else { return };
    let Some(text) = caption(app) else {
        if app.lists_chapters() {
            chapters(app, state, (area, canvas));
        }
        return;
    };
    let theme = &app.shared.theme;
    let (title, words) = titled(state, &text, area.width);
    let indent = cells(width(&title)) + 1;
    let lines = cells(words.len());
    let above = |below: u16| first_rows(from_row(area, area.height.saturating_sub(lines + below)), lines);
    let (top, foot) = (first_rows(area, lines), above(status));
    let is_free = |part: &Rect| {
        let mut cells = part.positions().filter_map(|at| canvas.buffer.cell(at));
        cells.all(|cell| Some(cell.bg) != theme.raised.bg)
    };
    // a dialog's title says what happened, and its button stands at its end; the cart of Seats stands at the foot
    let area = if app.shown().is_some_and(|dialog| !dialog.at_foot()) {
        [foot, top].into_iter().find(is_free).unwrap_or_else(|| above(0))
    } else if app.at == Screen::Seats {
        top
    } else {
        foot
    };
    canvas.blank(area);
    canvas.style(area, theme.raised);
    canvas.text(area, &title, theme.tab_on);
    for (line, words) in (0..).zip(&words) {
        canvas.text(after(row(area, line), indent), words, theme.demo);
    }
    // keys stand below the number, or at the right of a single line
    let free = if lines == 1 {
        usize::from(area.width.saturating_sub(indent)).saturating_sub(width(&text) + 1)
    } else {
        width(&title)
    };
    let keys = last_keys(&app.pressed, free);
    if lines == 1 {
        canvas.text_right(area, &keys, theme.key);
    } else {
        canvas.text(row(area, 1), &keys, theme.key);
    }
}
