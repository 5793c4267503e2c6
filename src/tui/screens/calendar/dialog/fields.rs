//! The frame of a calendar dialog, its problems and its lines of text.

use ratatui::layout::Rect;
use ratatui::text::Line;

use crate::domain::text::{fit, width};
use crate::tui::action::Action;
use crate::tui::canvas::{Canvas, Frame, centred, inset, row};
use crate::tui::keymap::KeyPlace;
use crate::tui::shared::Shared;
use crate::tui::targets::Target;
use crate::tui::widgets::paragraph;

/// The frame of a dialog, and the area inside it.
pub(super) fn frame(
    (title, place): (&str, KeyPlace),
    (columns, height): (u16, u16),
    shared: &Shared,
    (body, canvas): (Rect, &mut Canvas<'_>),
) -> Rect {
    let area = centred(body, columns, height);
    canvas.cover(area);
    let theme = &shared.theme;
    let right = format!("{} closes", shared.keymap.key_text(place, Action::Close));
    let words = u16::try_from(width(&right) + 3)
        .unwrap_or(0)
        .min(area.width);
    let close = Rect {
        x: area.right().saturating_sub(words),
        width: words,
        ..row(area, 0)
    };
    let inner = canvas.panel(
        area,
        Frame {
            title: Line::styled(format!(" {title} "), theme.title),
            right: Line::styled(format!(" {right} "), theme.hint),
            set: shared.glyphs.dialog,
            style: theme.focus,
        },
    );
    canvas.hit(close, Target::Act(Action::Close));
    inset(inner)
}

/// Draws what is wrong, in two lines at most; gives the line below.
pub(super) fn problem(
    (inner, at): (Rect, u16),
    problem: &str,
    (shared, canvas): (&Shared, &mut Canvas<'_>),
) -> u16 {
    let lines = paragraph(problem, usize::from(inner.width).saturating_sub(3), 2);
    for (line, text) in (at..).zip(&lines) {
        let sign = if line == at { shared.glyphs.cross } else { ' ' };
        let words = format!("{sign} {text}");
        say((inner, line), (&words, shared.theme.warning), canvas);
    }
    at + u16::try_from(lines.len()).unwrap_or(1)
}

/// Draws what was refused at the bottom of a dialog, if anything was.
pub(super) fn refused(
    inner: Rect,
    refused: Option<&str>,
    (shared, canvas): (&Shared, &mut Canvas<'_>),
) {
    let Some(refused) = refused else {
        return;
    };
    let words = format!("{} {refused}", shared.glyphs.cross);
    let last = inner.height.saturating_sub(1);
    say((inner, last), (&words, shared.theme.warning), canvas);
}

/// Draws a line of text at a row of an area.
pub(super) fn say(
    (area, at): (Rect, u16),
    (text, style): (&str, ratatui::style::Style),
    canvas: &mut Canvas<'_>,
) {
    let text = fit(text, usize::from(area.width));
    canvas.text(row(area, at), &text, style);
}
