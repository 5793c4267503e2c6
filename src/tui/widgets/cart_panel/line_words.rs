//! Wording of a cart's lines in its panel.
//!
//! Import cycle with [`cart_panel`](super), whose columns it fits.

use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use crate::domain::money::{Currency, grouped, priced};
use crate::domain::text;
use crate::domain::time::{Instant, Local};
use crate::engine::reads::carts::{CartView, LineView, LossView, PerformanceLabel, TimeView};
use crate::tui::kit::canvas::{Canvas, row};
use crate::tui::widgets::paragraph;
use crate::words;

use super::{WIDE_COLUMNS, right_margin};

/// Maximum number of lines for one loss.
const LOST_LINES_MAX: usize = 3;

/// Time and price of a slot.
pub(super) fn slot_line(
    (line, when): (&LineView, String),
    currency: Option<Currency>,
    (area, canvas): (Rect, &mut Canvas<'_>),
) {
    let look = canvas.look;
    let price = currency.map_or(String::new(), |currency| grouped(line.total, currency));
    let room = usize::from(area.width).saturating_sub(text::width(&price) + 2);
    let words = format!(" {when}");
    canvas.text(area, &text::fit(&words, room), look.theme.text);
    canvas.text_right(area, &price, look.theme.money);
}

/// Contents of a cart: `2 seats, 1 slot`.
#[must_use]
pub fn count_words(cart: &CartView) -> String {
    match (seats(cart).count(), times(cart).count()) {
        (0, 0) => "no seats yet".to_owned(),
        (seats, slots) => words::contents(seats, slots),
    }
}

/// Draws number and total of a cart.
pub(super) fn foot_lines(area: Rect, cart: &CartView, canvas: &mut Canvas<'_>) {
    let look = canvas.look;
    let rule = right_margin(row(area, 0));
    let signs = look.glyphs.rule.to_string().repeat(rule.width.into());
    canvas.text(rule, &signs, look.theme.border);
    let total = right_margin(row(area, 1));
    let words = paragraph(&count_words(cart), usize::from(total.width), 1).concat();
    canvas.text(total, &words, look.theme.strong);
    let Some(currency) = cart.cart.currency else {
        return;
    };
    let long = format!("TOTAL {}", priced(cart.total, currency));
    let room = usize::from(total.width).saturating_sub(text::width(&words) + 1);
    let sum = if text::width(&long) <= room { long } else { grouped(cart.total, currency) };
    canvas.text_right(total, &sum, look.theme.money);
}

/// `Hamlet   Sat 21 Nov 19:30`, in short `Sat 21 19:30`.
pub(super) fn performance_words(performance: &PerformanceLabel, columns: u16, now: Instant) -> String {
    let columns = usize::from(columns);
    let start = |pattern| Local { now, zone: performance.zone }.format(performance.start, pattern);
    let when = start("%a %-d %b %H:%M");
    let title = text::clean(&performance.title);
    if columns >= usize::from(WIDE_COLUMNS) {
        let room = columns.saturating_sub(text::width(&when) + 3);
        format!("{}   {when}", text::fit(&title, room))
    } else {
        text::fit(&start("%a %-d %H:%M"), columns)
    }
}

/// Losses, wrapped to a number of columns.
pub(super) fn lost_lines(lost: &[LossView], columns: usize) -> Vec<String> {
    let told = lost.iter().flat_map(|one| {
        let words = format!("Lost: {}", words::loss(one));
        paragraph(&words, columns, LOST_LINES_MAX)
    });
    told.collect()
}

/// Cuts a line to its first columns.
pub(super) fn cut(line: Line<'_>, columns: usize) -> Line<'static> {
    let mut rest = columns;
    let mut spans: Vec<(String, Style)> = Vec::new();
    for span in line.spans {
        let text = text::fit(&span.content, rest);
        rest -= text::width(&text);
        spans.push((text, span.style));
    }
    let spans = spans.into_iter().map(|(text, style)| Span::styled(text, style));
    spans.collect::<Vec<_>>().into()
}

/// Width of the longest seat name, in columns.
pub(super) fn name_columns(cart: &CartView) -> usize {
    seats(cart).map(text::width).max().unwrap_or(0).max(3)
}

/// Names of the seats.
pub(super) fn seats(cart: &CartView) -> impl Iterator<Item = &str> {
    let named = cart.lines.iter().flat_map(LineView::named);
    named.map(|(_, name)| name)
}

/// Slots of the cart.
pub(super) fn times(cart: &CartView) -> impl Iterator<Item = (&LineView, &TimeView)> {
    let lines = cart.lines.iter();
    lines.filter_map(|line| Some((line, line.time()?)))
}
