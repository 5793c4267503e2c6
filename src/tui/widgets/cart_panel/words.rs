//! What a cart's panel says of its lines.

use ratatui::layout::Rect;

use crate::domain::money::{amount, priced};
use crate::domain::text;
use crate::engine::reads::carts::{CartView, LineView, SlotView};
use crate::tui::canvas::Canvas;
use crate::tui::widgets::Look;
use crate::tui::wording;

use super::{WIDE_COLUMNS, seats};

/// When a slot is, and what it costs.
pub(super) fn slot_line(
    area: Rect,
    (slot, cart): (&SlotView, &CartView),
    look: Look<'_>,
    canvas: &mut Canvas<'_>,
) {
    let currency = cart.cart.currency;
    let price = currency.map_or(String::new(), |currency| amount(slot.total, currency));
    let room = usize::from(area.width).saturating_sub(text::width(&price) + 2);
    let words = format!(" {}", slot.when());
    canvas.text(area, &text::fit(&words, room), look.theme.text);
    canvas.text_right(area, &price, look.theme.money);
}

/// What is in a cart: `2 seats, 1 slot`.
#[must_use]
pub fn count_words(cart: &CartView) -> String {
    let seats = seats(cart).count();
    match (seats, cart.slots.len()) {
        (_, 0) => wording::count(seats, "seat"),
        (0, slots) => wording::count(slots, "slot"),
        (_, slots) => format!(
            "{}, {}",
            wording::count(seats, "seat"),
            wording::count(slots, "slot")
        ),
    }
}

pub(super) fn total_words(cart: &CartView) -> String {
    let total = cart
        .cart
        .currency
        .map_or(String::new(), |currency| priced(cart.total, currency));
    format!("{}  {total}", count_words(cart))
}

/// `Hamlet   Sat 21 Nov 19:30`, in short `Sat 21 19:30`.
pub(super) fn performance_words(line: &LineView, columns: u16) -> String {
    let performance = &line.performance;
    let columns = usize::from(columns);
    let start = |pattern| performance.start.format(performance.zone, pattern);
    let when = start("%a %-d %b %H:%M");
    let title = text::clean(&performance.title);
    if columns >= usize::from(WIDE_COLUMNS) {
        let room = columns.saturating_sub(text::width(&when) + 3);
        format!("{}   {when}", text::fit(&title, room))
    } else {
        text::fit(&start("%a %-d %H:%M"), columns)
    }
}
