//! Widgets draw values and know no screen.
//!
//! Each widget takes plain values and a [`Look`], and draws into a rectangle of the canvas. No widget asks the
//! engine,
//! reads a clock or keeps state between two frames. Text from outside is cleaned and cut to its display width here.

use ratatui::style::Style;
use ratatui::text::Line;

use crate::domain::customer::Customer;
use crate::domain::text::{clean, fit, width, wrap};
pub use crate::tui::kit::theme::Look;

pub mod bar;
pub mod cart_panel;
pub mod countdown;
pub mod legend;
pub mod lines;
pub mod refusal_box;
pub mod seat_map;
#[cfg(test)]
pub(crate) mod testing;
pub mod timeline;

/// Wraps a text between words to a width in columns; text beyond `lines_max` lines is cut with `…`.
#[must_use]
pub fn paragraph(text: &str, columns: usize, lines_max: usize) -> Vec<String> {
    let mut lines = wrap(text, columns);
    if lines.len() > lines_max {
        lines.truncate(lines_max);
        if let Some(last) = lines.last_mut() {
            *last = ended(last, columns);
        }
    }
    lines
}

/// Lines of facts that are told, each between words in a number of lines at most.
#[must_use]
pub fn facts(
    facts: impl IntoIterator<Item = (String, Style)>,
    (columns, lines_max): (u16, usize),
) -> Vec<Line<'static>> {
    let columns = usize::from(columns).saturating_sub(2);
    let told = facts.into_iter().filter(|(text, _)| !text.trim().is_empty());
    told.flat_map(|(text, style)| {
        let lines = paragraph(&clean(&text), columns, lines_max).into_iter();
        lines.map(move |line| Line::styled(format!(" {line}"), style))
    })
    .collect()
}

/// Name and phone of a customer: one fact where two lines have room for both, else two.
pub(crate) fn contact(of: &Customer, columns: u16) -> [String; 2] {
    let whole = of.to_string();
    if width(&whole) + width(&of.phone) < 2 * usize::from(columns.saturating_sub(2)) {
        [whole, String::new()]
    } else {
        [of.name.clone(), of.phone.clone()]
    }
}

/// A line with `…` after its last whole word that fits, so that no number is cut into another number.
fn ended(line: &str, columns: usize) -> String {
    let mut whole = line;
    while width(whole) >= columns {
        match whole.rsplit_once(' ') {
            Some((before, _)) => whole = before,
            None => return fit(&format!("{whole}…"), columns),
        }
    }
    format!("{}…", whole.trim_end_matches('…'))
}

/// The viewport's first line. It scrolls by half a viewport at a time, so that most cursor steps redraw nothing else.
#[must_use]
pub fn first_in_view(cursor: usize, size: usize, room: usize) -> usize {
    let step = (room / 2).max(1);
    (cursor / step * step).saturating_sub(step / 2).min(size.saturating_sub(room))
}

/// Cleans a text from outside, then pads or cuts it to exactly `columns`.
#[must_use]
pub fn padded(text: &str, columns: usize) -> String {
    let text = fit(&clean(text), columns);
    let blanks = columns.saturating_sub(width(&text));
    format!("{text}{}", " ".repeat(blanks))
}
