//! How a form's fields and buttons look, and the frame of a dialog.

use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::domain::text::{fit, width};
use crate::tui::canvas::{Canvas, Frame, after, centred, row};
use crate::tui::field::Field;
use crate::tui::input::Key;
use crate::tui::shared::Shared;
use crate::tui::targets::{List, Target};
use crate::tui::widgets::paragraph;

/// The words that close a dialog whose keys are actions.
pub(super) const CLOSES: &str = "<close> closes";
/// Columns of a field's label.
const LABEL: u16 = 11;

/// Where the keys of a form go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Focus {
    /// Here.
    Here,
    /// Elsewhere.
    Elsewhere,
}

impl Focus {
    /// Whether the keys go to a stop, when they go to one of all.
    pub(super) const fn of(stop: usize, at: usize) -> Self {
        if stop == at {
            Self::Here
        } else {
            Self::Elsewhere
        }
    }
}

/// The stop that a key goes to from one of so many; none when it is no key for that.
pub(super) fn stepped(key: Key, (stop, stops): (usize, usize)) -> Option<usize> {
    let back = key.step()? < 0;
    Some(if back { stop + stops - 1 } else { stop + 1 } % stops)
}

/// The frame of a dialog, and the area inside it.
pub(super) fn frame(
    (title, right): (&str, &str),
    (columns, height): (u16, u16),
    shared: &Shared,
    (body, canvas): (Rect, &mut Canvas<'_>),
) -> Rect {
    let area = centred(body, columns, height);
    canvas.cover(area);
    let theme = &shared.theme;
    let closes = if right == CLOSES { "<close>" } else { "Esc" };
    let (closes, right) = (shared.keyed(closes), shared.keyed(right));
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
    // what closes it by key does so by a click
    if let Ok(key) = closes.parse() {
        canvas.hit(close, Target::Key(key));
    }
    Rect {
        x: inner.x + 1,
        width: inner.width.saturating_sub(2),
        ..inner
    }
}

/// Draws a labelled field; a click on it goes to it.
pub(super) fn field(
    (label, field, hint): (&str, &Field, &str),
    (stop, focus): (usize, Focus),
    shared: &Shared,
    (area, canvas): (Rect, &mut Canvas<'_>),
) {
    let theme = &shared.theme;
    let here = focus == Focus::Here;
    let mark = if here { ">" } else { " " };
    let style = if here { theme.strong } else { theme.text };
    canvas.text(area, &format!("{mark}{label}"), style);
    let right = after(area, LABEL);
    let mut spans = if here {
        let room = usize::from(right.width).saturating_sub(1);
        let typed = field.with_caret(shared.glyphs.caret, room);
        vec![Span::styled(format!("{typed} "), theme.field)]
    } else if field.is_empty() {
        vec![Span::styled("................ ", theme.quiet)]
    } else {
        vec![Span::styled(format!("{} ", field.text()), theme.text)]
    };
    let used: usize = spans.iter().map(Span::width).sum();
    let column = used.max(18) + 1;
    let room = usize::from(right.width).saturating_sub(column);
    if !hint.is_empty() && room > 3 {
        spans.push(Span::raw(" ".repeat(column - used)));
        spans.push(Span::styled(fit(hint, room), theme.quiet));
    }
    canvas.line(right, &Line::from(spans));
    canvas.hit(area, Target::Row(List::Dialog, stop));
}

/// Draws a button; says how many columns it took.
pub(super) fn button(
    words: &str,
    (stop, focus): (usize, Focus),
    shared: &Shared,
    (area, canvas): (Rect, &mut Canvas<'_>),
) -> u16 {
    let theme = &shared.theme;
    let style = if focus == Focus::Here {
        theme.selection
    } else {
        theme.strong
    };
    let took = canvas.text(area, &format!("[ {words} ]"), style);
    canvas.hit(
        Rect {
            width: took,
            ..area
        },
        Target::Row(List::Dialog, stop),
    );
    took
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
