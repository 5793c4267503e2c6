//! How a stretch of time is drawn: an edge, its state, what it says, a fill, and an end that can be told.

use std::ops::Range;

use ratatui::layout::Rect;
use ratatui::style::Style;

use crate::domain::text::clean;
use crate::tui::canvas::{Canvas, after};
use crate::tui::widgets::Look;
use crate::tui::widgets::timeline::{Bar, Chosen, Kind, put};

/// The signs and styles of a kind of bar.
struct Dress {
    /// Its first cell.
    edge: char,
    /// Its state, behind the edge.
    state: Option<char>,
    /// What fills it.
    fill: char,
    /// The style of edge, state and text.
    front: Style,
    /// The style of the fill.
    back: Style,
}

fn dress(kind: Kind, look: Look<'_>) -> Dress {
    let (theme, glyphs) = (look.theme, look.glyphs);
    let bar = |state, front| Dress {
        edge: glyphs.edge,
        state,
        fill: glyphs.taken,
        front,
        back: theme.sold,
    };
    match kind {
        Kind::Booked => bar(None, theme.text),
        Kind::Held => Dress {
            back: theme.held,
            ..bar(Some(glyphs.held), theme.held)
        },
        Kind::Yours => Dress {
            back: theme.aside,
            ..bar(Some(glyphs.yours), theme.aside)
        },
        Kind::Displaced => bar(Some(glyphs.refused), theme.warning),
        Kind::Lost => Dress {
            edge: glyphs.disabled,
            fill: '/',
            back: theme.disabled,
            ..bar(Some(glyphs.refused), theme.warning)
        },
        Kind::Turnaround => Dress {
            edge: glyphs.fill_rest,
            fill: glyphs.fill_rest,
            ..bar(None, theme.sold)
        },
        Kind::Out => Dress {
            edge: glyphs.disabled,
            state: None,
            fill: '/',
            front: theme.disabled,
            back: theme.disabled,
        },
        Kind::Closed | Kind::NotOpen => Dress {
            edge: glyphs.closed_time,
            state: None,
            fill: glyphs.closed_time,
            front: theme.filtered,
            back: theme.filtered,
        },
    }
}

/// Draws a bar into the cells of its line.
pub(super) fn draw(bar: &Bar, look: Look<'_>, time: Rect, canvas: &mut Canvas<'_>) {
    let dress = dress(bar.kind, look);
    let columns = bar.columns.columns.start..bar.columns.columns.end.min(time.width);
    if columns.is_empty() {
        return;
    }
    let plain = bar.kind.is_ground();
    let mut signs: Vec<(char, Style)> = Vec::with_capacity(columns.len());
    if bar.columns.from_before && !plain {
        signs.push(('<', dress.front));
    }
    if !bar.columns.from_before || matches!(bar.kind, Kind::Out | Kind::Lost) {
        signs.push((dress.edge, dress.front));
    }
    signs.extend(dress.state.map(|state| (state, dress.front)));
    let text_from = u16::try_from(signs.len()).unwrap_or(u16::MAX);
    signs.resize(columns.len(), (dress.fill, dress.back));
    let ends = if bar.columns.until_after && !plain {
        ('>', dress.front)
    } else {
        (dress.fill, dress.back)
    };
    // where there is no room for both, the state is told rather than the end
    let told = dress.state.map_or(1, |_| 2);
    match signs.last_mut() {
        Some(last) if columns.len() > told => *last = ends,
        Some(last) if columns.len() == 1 => last.0 = dress.state.unwrap_or(last.0),
        Some(_) | None => {}
    }
    let is_chosen = bar.chosen == Chosen::Yes && !plain;
    if is_chosen {
        choose(&mut signs, look);
    }
    let line = Rect {
        x: time.x + columns.start,
        width: u16::try_from(columns.len().saturating_sub(1)).unwrap_or(u16::MAX),
        ..time
    };
    for (column, (sign, style)) in columns.zip(signs) {
        put(canvas, (time.x + column, time), sign, style);
    }
    let style = if is_chosen {
        look.theme.cursor
    } else {
        dress.front
    };
    canvas.text(after(line, text_from), &clean(&bar.text), style);
}

/// The bar under the cursor wears brackets, and stands out; where it has one cell, it keeps its sign.
fn choose(signs: &mut [(char, Style)], look: Look<'_>) {
    for (_, style) in signs.iter_mut() {
        *style = look.theme.cursor;
    }
    if let [(first, _), .., (last, _)] = signs {
        *first = '[';
        *last = ']';
    }
}

/// Draws what is marked: `[++++]`, where there is one cell only its sign.
pub(super) fn brackets(
    columns: &Range<u16>,
    (fill, style): (char, Style),
    time: Rect,
    canvas: &mut Canvas<'_>,
) {
    let last = columns.end.saturating_sub(1);
    for column in columns.start..columns.end.min(time.width) {
        let alone = columns.len() == 1;
        let sign = match column {
            at if at == columns.start && !alone => '[',
            at if at == last && !alone => ']',
            _ => fill,
        };
        put(canvas, (time.x + column, time), sign, style);
    }
}
