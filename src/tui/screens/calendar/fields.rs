//! The frame of a calendar dialog, its problems and its lines of text.

use ratatui::layout::Rect;
use ratatui::text::Line;

use crate::tui::kit::action::Action;
use crate::tui::kit::canvas::{Canvas, centred, inset, last_row};
use crate::tui::kit::keymap::KeyPlace;
use crate::tui::kit::shared::Shared;
use crate::tui::widgets::paragraph;

/// The frame of a dialog, and the area inside it.
pub(super) fn frame(
    (title, place): (&str, KeyPlace),
    (columns, height): (u16, usize),
    shared: &Shared,
    (body, canvas): (Rect, &mut Canvas<'_>),
) -> Rect {
    let area = centred(body, columns, height);
    let right = format!(" {} closes ", shared.keymap.key_text(place, Action::Close));
    inset(canvas.dialog(area, title, &right))
}

/// Lines of a problem, two at most.
pub(super) fn problem(problem: &str, shared: &Shared, columns: u16) -> Vec<Line<'static>> {
    let lines = paragraph(problem, usize::from(columns).saturating_sub(3), 2);
    let signs = [shared.glyphs.cross, ' '].into_iter();
    let lines = signs.zip(lines);
    lines.map(|(sign, text)| Line::styled(format!("{sign} {text}"), shared.theme.warning)).collect()
}

/// Draws what was refused at the bottom of a dialog, if anything was.
pub(super) fn refused(inner: Rect, refused: Option<&str>, (shared, canvas): (&Shared, &mut Canvas<'_>)) {
    let Some(refused) = refused else {
        return;
    };
    let words = format!("{} {refused}", shared.glyphs.cross);
    canvas.text(last_row(inner), &words, shared.theme.warning);
}
