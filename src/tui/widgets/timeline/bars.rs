//! Bars of a timeline: an edge, a state sign, a text, a fill and an end.

use std::ops::Range;

use ratatui::layout::Rect;
use ratatui::style::Style;

use crate::domain::text::{clean, width};
use crate::tui::kit::canvas::{Canvas, after};
use crate::tui::widgets::Look;
use crate::tui::widgets::timeline::{Bar, Kind, MAINTENANCE, MarkedBar, RELOCATION, put};

/// Columns from which a bar has letters; those of a shorter one would tell nothing.
const LETTERS_FROM: usize = 6;
/// Edge of a booking without a price where no ground tells it.
const NO_CHARGE: char = '-';

/// Signs and styles of a kind of bar.
struct Dress {
    /// First cell.
    edge: (char, Style),
    /// State sign, after the edge.
    state: Option<char>,
    /// Fill.
    fill: (char, Style),
    /// Style of state and text.
    text: Style,
}

/// Signs and styles of a kind. A theme with backgrounds fills a bar with its background, any other with a sign, and tells
/// kinds without a state sign by their edge.
fn dress(kind: Kind, look: Look<'_>) -> Dress {
    let (theme, glyphs) = (look.theme, look.glyphs);
    let told = [(Kind::Unpaid, '!'), (Kind::Ours, NO_CHARGE), (Kind::Show, '*')];
    let told = told.into_iter().find(|(told, _)| *told == kind && theme.booking.bg.is_none());
    let edge = told.map_or(glyphs.edge, |(_, sign)| sign);
    let taken = if kind == Kind::Partly { glyphs.fill_rest } else { glyphs.taken };
    let bar = |state, style: Style, body: Style| Dress {
        edge: (edge, style),
        state,
        fill: (if body.bg.is_some() { ' ' } else { taken }, body),
        text: body,
    };
    let flat = |sign: char, style: Style| Dress { edge: (sign, style), state: None, fill: (sign, style), text: style };
    let warned = |dress: Dress| Dress { text: dress.text.patch(Style { bg: None, ..theme.warning }), ..dress };
    match kind {
        Kind::Booked => bar(None, theme.booking_edge, theme.booking),
        Kind::Unpaid => bar(None, Style { bg: theme.booking.bg, ..theme.warning }, theme.booking),
        Kind::Ours => bar(None, theme.own_edge, theme.own),
        Kind::Show => bar(None, theme.show_edge, theme.show),
        Kind::Held => bar(Some(glyphs.held), theme.hold_edge, theme.hold),
        Kind::Yours => bar(Some(glyphs.yours), theme.yours, theme.yours),
        Kind::Displaced => warned(bar(Some(glyphs.refused), theme.booking_edge, theme.booking)),
        Kind::Lost => Dress {
            edge: (glyphs.disabled, theme.out_edge),
            state: Some(glyphs.refused),
            ..warned(flat(glyphs.out, theme.out))
        },
        Kind::Out => Dress { edge: (glyphs.disabled, theme.out_edge), ..flat(glyphs.out, theme.out) },
        Kind::Maintenance => Dress { edge: (MAINTENANCE, theme.out_edge), ..flat(glyphs.out, theme.out) },
        Kind::Relocation => Dress { edge: (RELOCATION, theme.out_edge), ..flat(glyphs.out, theme.out) },
        Kind::Partly => bar(None, theme.booking_edge, theme.own),
        Kind::Turnaround => flat(glyphs.fill_rest, theme.turnaround),
        Kind::Closed | Kind::NotOpen => flat(glyphs.closed_time, theme.shut),
    }
}

/// First two cells of a bar.
pub(in crate::tui) fn sample(kind: Kind, look: Look<'_>) -> [(char, Style); 2] {
    let Dress { edge, state, fill, text } = dress(kind, look);
    [edge, state.map_or(fill, |sign| (sign, text))]
}

/// Draws a bar into the cells of its line, its text cut at its end.
pub(super) fn draw(bar: &Bar, look: Look<'_>, time: Rect, canvas: &mut Canvas<'_>) {
    let dress = dress(bar.kind, look);
    let columns = bar.columns.columns.start..bar.columns.columns.end.min(time.width);
    if columns.is_empty() {
        return;
    }
    let plain = bar.kind.is_ground();
    let mut signs: Vec<(char, Style)> = Vec::with_capacity(columns.len());
    if bar.columns.from_before && !plain {
        signs.push(('<', dress.text));
    }
    if !bar.columns.from_before || bar.kind.is_out() || bar.kind == Kind::Lost {
        signs.push(dress.edge);
    }
    signs.extend(dress.state.map(|state| (state, dress.text)));
    let text_from = u16::try_from(signs.len()).unwrap_or(u16::MAX);
    signs.resize(columns.len(), dress.fill);
    let repeats = bar.repeats && columns.len() >= LETTERS_FROM && !plain;
    let ends = if bar.columns.until_after && !plain {
        ('>', dress.text)
    } else if repeats {
        (look.glyphs.repeats, dress.text)
    } else {
        dress.fill
    };
    // where state and end do not both fit, the state is drawn
    let told = dress.state.map_or(1, |_| 2);
    match signs.last_mut() {
        Some(last) if columns.len() > told => *last = ends,
        Some(last) if columns.len() == 1 => last.0 = dress.state.unwrap_or(last.0),
        Some(_) | None => {}
    }
    let is_chosen = bar.chosen == MarkedBar::Yes && !plain;
    if is_chosen {
        choose(&mut signs, look);
    }
    let end = u16::from(dress.fill.0 != ' ' || bar.columns.until_after || repeats || is_chosen);
    let line =
        Rect { x: time.x + columns.start, width: u16::try_from(columns.len()).unwrap_or(u16::MAX) - end, ..time };
    let has_letters = columns.len() >= LETTERS_FROM;
    for (column, (sign, style)) in columns.zip(signs) {
        put(canvas, (time.x + column, time), sign, style);
    }
    let style = if is_chosen { look.theme.cursor } else { dress.text };
    if has_letters {
        canvas.text(after(line, text_from), &clean(&bar.text), style);
    }
}

/// Puts brackets around the bar under the cursor; a bar of one cell keeps its sign.
fn choose(signs: &mut [(char, Style)], look: Look<'_>) {
    for (_, style) in signs.iter_mut() {
        *style = look.theme.cursor;
    }
    if let [(first, _), .., (last, _)] = signs {
        *first = '[';
        *last = ']';
    }
}

/// Draws a mark as `[ 2 h · 24.00 ]`, as `[++++]` where no words fit, and in one cell only its sign.
pub(super) fn brackets(
    (columns, says): (Range<u16>, &str),
    (fill, style): (char, Style),
    time: Rect,
    canvas: &mut Canvas<'_>,
) {
    let inside = columns.len().saturating_sub(2);
    let length = says.split(" · ").next().unwrap_or_default();
    let words = [says, length].map(|words| format!(" {words} "));
    let words = words.iter().find(|words| width(words) > 2 && width(words) <= inside);
    let fill = if words.is_some() { ' ' } else { fill };
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
    if let Some(words) = words {
        canvas.text(after(time, columns.start + 1), words, style);
    }
}
