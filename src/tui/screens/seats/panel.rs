//! Panel beside the map: the cart of this desk, or the result of its last sale.

use ratatui::layout::Rect;
use ratatui::style::Style;

use crate::domain::cart::CartState;
use crate::domain::ids::PerformanceId;
use crate::domain::plan::SeatRef;
use crate::domain::receipt::{Means, Payment, Receipt};
use crate::domain::text::{clean, fit, width};
use crate::engine::reads::carts::{CartView, GoodsView, PerformanceLabel};
use crate::engine::reads::receipts::ReceiptView;
use crate::tui::kit::action::Action;
use crate::tui::kit::canvas::{Canvas, first_columns, first_rows, from_row, row};
use crate::tui::kit::keymap::KeyPlace;
use crate::tui::kit::shared::Shared;
use crate::tui::kit::targets::Target;
use crate::tui::widgets::cart_panel::{CartPanel, CartPlace};
use crate::tui::widgets::countdown::Countdown;
use crate::tui::widgets::lines::{CHANGE_LINES, draw_change};
use crate::words;

/// Minimum width inside the frame for full words.
const FULL_FROM: u16 = 24;

/// Cursor and focus in the panel.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Pointing<'a> {
    /// Focused seat or slot.
    pub(super) selected: Option<CartPlace>,
    /// Seat under the map's cursor.
    pub(super) cursor: Option<(PerformanceId, SeatRef)>,
    /// Summary of the carts set aside.
    pub(super) aside: Option<&'a str>,
}

/// Draws the panel, or a single line where it does not fit.
pub(super) fn view(shared: &Shared, at: Pointing<'_>, area: Rect, canvas: &mut Canvas<'_>) {
    let own = shared.cart.view();
    let cart = own.filter(|view| !view.is_empty());
    let open = own.filter(|view| view.state == CartState::Active);
    let lost = open.map_or(&[][..], |view| &view.lost);
    if let (None, [], Some(sold)) = (cart, lost, shared.cart.sold()) {
        if area.height == 1 {
            sold_line(sold, area, canvas);
        } else {
            sold_panel(sold, shared, area, canvas);
        }
        return;
    }
    let keys = keys(shared, (cart, at.selected), area.width);
    let key = |action| shared.keymap.key_text(KeyPlace::Map, action);
    let panel = CartPanel {
        now: shared.now,
        cart,
        lost,
        countdown: cart.and_then(|view| countdown(view, shared)),
        cursor: at.cursor,
        selected: at.selected,
        keys: &keys,
        aside: at.aside,
        extend: &key(Action::Extend),
        undo: &key(Action::Undo),
    };
    if area.height == 1 {
        panel.draw_line(area, canvas);
    } else {
        panel.draw(area, canvas);
    }
}

fn countdown(view: &CartView, shared: &Shared) -> Option<Countdown> {
    (view.state == CartState::Active).then(|| Countdown {
        now: shared.now,
        until: view.cart.expires_at,
        whole: view.cart.hold.max(view.cart.expires_at.since(shared.now)),
        zone: shared.zone,
    })
}

/// Keys for the cart in its state, most important first.
fn keys(
    shared: &Shared,
    (cart, selected): (Option<&CartView>, Option<CartPlace>),
    columns: u16,
) -> Vec<(String, String)> {
    let is_time = matches!(selected, Some(CartPlace::Slot(_)));
    let this = if is_time { "give this time back" } else { "give this seat back" };
    let full = columns > FULL_FROM;
    let only_brings_back = cart.is_some_and(|view| view.lines.is_empty() && !view.returns.is_empty());
    let entries: &[(Action, &str, &str)] = if only_brings_back {
        &[
            (Action::Best, "best seats: how many?", "best seats"),
            (Action::Pick, "pick the seat under the cursor", "pick"),
            (Action::Pay, "pay, to give money back", "give back"),
            (Action::Extend, "extend the hold", "extend"),
            (Action::NextCustomer, "next customer, this waits", "next customer"),
            (Action::CancelCart, "cancel, nothing comes back", "cancel"),
        ]
    } else if cart.is_some() {
        &[
            (Action::Pay, "pay", "pay"),
            (Action::Reserve, "reserve, to pay later", "reserve"),
            (Action::TicketType, "ticket type of this seat", "ticket type"),
            (Action::GiveBack, this, "give back"),
            (Action::Extend, "extend the hold", "extend"),
            (Action::NextCustomer, "next customer, this waits", "next customer"),
            (Action::CancelCart, "cancel, give all back", "cancel"),
        ]
    } else {
        &[
            (Action::Pick, "pick the seat under the cursor", "pick"),
            (Action::Best, "best seats: how many?", "best seats"),
            (Action::Mark, "mark a range", "mark"),
            (Action::OpenCarts, "open carts", "open carts"),
        ]
    };
    entries
        .iter()
        .map(|(action, long, short)| {
            let key = shared.keymap.key_text(KeyPlace::Map, *action);
            (key, (if full { *long } else { *short }).to_owned())
        })
        .collect()
}

fn sold_line(sold: &ReceiptView, area: Rect, canvas: &mut Canvas<'_>) {
    let receipt = &sold.receipt;
    let change = words::money(receipt.change(), receipt.currency);
    let cash = receipt.payments.iter().any(is_cash);
    let text = if receipt.back() > 0 {
        let back = words::money(receipt.back(), receipt.currency);
        format!(" receipt {}   GIVEN BACK {back}", receipt.number)
    } else if cash {
        format!(" sold: receipt {}   CHANGE {change}", receipt.number)
    } else {
        let total = words::money(receipt.total, receipt.currency);
        format!(" sold: receipt {}   {total} by card", receipt.number)
    };
    canvas.text(area, &text, canvas.look.theme.money);
}

/// Draws the last sale. A panel, not a dialog, so that no key can hide the change.
fn sold_panel(sold: &ReceiptView, shared: &Shared, area: Rect, canvas: &mut Canvas<'_>) {
    let issued = words::issued(sold.receipt.kind());
    let title = if area.width > FULL_FROM { &format!("{issued}   receipt {}", sold.receipt.number) } else { issued };
    canvas.text(area, title, shared.theme.title);
    let inner = first_columns(from_row(area, 1), area.width.saturating_sub(1));
    SoldPainter { shared, inner, canvas, line: u16::from(inner.height > 18) }.sold(sold);
}

struct SoldPainter<'a, 'b, 'c> {
    shared: &'a Shared,
    inner: Rect,
    canvas: &'b mut Canvas<'c>,
    line: u16,
}

impl SoldPainter<'_, '_, '_> {
    fn text(&mut self, text: &str, style: Style) {
        self.canvas.text(row(self.inner, self.line), text, style);
        self.line += 1;
    }

    fn pair(&mut self, left: &str, right: &str, style: Style) {
        let area = row(self.inner, self.line);
        self.text(left, style);
        self.canvas.text_right(area, &format!(" {right}"), style);
    }

    fn sold(&mut self, view: &ReceiptView) {
        let theme = &self.shared.theme;
        let receipt = &view.receipt;
        let money = |minor| words::money(minor, receipt.currency);
        if self.inner.width < FULL_FROM {
            self.text(&receipt.number, theme.strong);
        }
        self.lines(view);
        for returned in &view.returned {
            let words = format!("back {}", returned.names(self.shared.now).join(", "));
            self.pair(&words, &money(-returned.total), theme.warning);
        }
        let rule = self.shared.rule(self.inner.width);
        self.text(&rule, theme.border);
        match receipt.back() {
            0 => self.pair("TOTAL", &money(receipt.total), theme.money),
            back => self.pair("GIVEN BACK", &money(back), theme.money),
        }
        for payment in &receipt.payments {
            match &payment.means {
                Means::Cash { given } => self.pair("cash", &money(*given), theme.text),
                Means::Owed { credit } => {
                    self.pair(&format!("credit {credit}"), &money(payment.minor), theme.text);
                }
                Means::Card { reference } => {
                    let words = format!("card {reference}");
                    let amount = money(payment.minor);
                    if width(&words) + width(&amount) < usize::from(self.inner.width) {
                        self.pair(&words, &amount, theme.text);
                    } else {
                        self.pair("card", &amount, theme.text);
                        self.text(&format!("  {reference}"), theme.quiet);
                    }
                }
            }
        }
        let gap = u16::from(self.inner.height > 18);
        if receipt.payments.iter().any(is_cash) {
            let change = money(receipt.change());
            if receipt.change() == 0 {
                self.pair("CHANGE", &change, theme.quiet);
            } else {
                self.line += gap;
                let room = first_rows(from_row(self.inner, self.line), CHANGE_LINES);
                self.line += draw_change(&change, room, self.canvas);
            }
        }
        self.line += gap;
        self.after(receipt);
    }

    fn lines(&mut self, view: &ReceiptView) {
        let theme = &self.shared.theme;
        let mut shown = None;
        for line in &view.lines {
            match &line.goods {
                GoodsView::Seats { performance, seats, .. } => {
                    if shown != Some(performance.id) {
                        self.heading(performance);
                        shown = Some(performance.id);
                    }
                    let count = format!("{} {}", seats.len(), line.kind);
                    self.pair(&words::seats(line.named()), &count, theme.text);
                }
                GoodsView::Time(time) => {
                    self.text(&clean(&time.name), theme.strong);
                    let money = words::money(line.total, view.receipt.currency);
                    self.pair(&time.when(self.shared.now), &money, theme.text);
                }
            }
        }
    }

    fn heading(&mut self, label: &PerformanceLabel) {
        let here = self.shared.here().in_zone(label.zone);
        let when = words::day_time(label.start, here);
        let theme = &self.shared.theme;
        if self.inner.width >= FULL_FROM {
            let room = usize::from(self.inner.width).saturating_sub(when.len() + 3);
            self.text(&format!("{}   {when}", fit(&label.title, room)), theme.strong);
        } else {
            let short = here.format(label.start, "%a %-d %H:%M");
            self.text(&label.title, theme.strong);
            self.text(&short, theme.text);
        }
    }

    fn after(&mut self, receipt: &Receipt) {
        let again = match receipt.tickets_printed {
            0 => "tickets".to_owned(),
            1 => "print again".to_owned(),
            count => format!("print again, {}x", count - 1),
        };
        for (action, words) in [(Action::NextCustomer, "next customer"), (Action::TicketType, &again)] {
            let key = self.shared.keymap.key_text(KeyPlace::Map, action);
            let area = row(self.inner, self.line);
            self.canvas.key(area, (&key, &format!(" {words}")), Target::Act(action));
            self.line += 1;
        }
    }
}

const fn is_cash(payment: &Payment) -> bool {
    matches!(payment.means, Means::Cash { .. })
}
