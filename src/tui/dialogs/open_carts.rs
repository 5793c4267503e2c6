//! Open carts: yours, set aside, other stations'. Enter takes one over.

use ratatui::layout::{Margin, Rect};
use ratatui::text::{Line, Span};

use crate::domain::ids::CartId;
use crate::domain::text::{clean, fit};
use crate::engine::reads::carts::{CartRow, GoodsView, ReadCart};
use crate::tui::data::msg::Query;
use crate::tui::data::reads::Needs;
use crate::tui::kit::action::Action;
use crate::tui::kit::canvas::{Canvas, centred, last_row, row};
use crate::tui::kit::context::Context;
use crate::tui::kit::dialog::{Dialog, Flow};
use crate::tui::kit::go::Go;
use crate::tui::kit::keymap::KeyPlace;
use crate::tui::kit::list::Cursor;
use crate::tui::kit::screen::Click;
use crate::tui::kit::shared::Shared;
use crate::tui::kit::targets::{List, Target};
use crate::words;

/// The list of open carts.
#[derive(Debug, Default)]
pub(crate) struct OpenCarts {
    cursor: Cursor<CartId>,
}

impl OpenCarts {
    /// The list with the cursor on a cart as soon as it is there.
    pub(crate) fn at(cart: Option<CartId>) -> Self {
        Self { cursor: cart.map_or_else(Cursor::default, Cursor::on) }
    }

    /// Seats of the cart under the cursor: `F9-F12: Hamlet Sat 21 Nov 19:30`.
    fn seats(&self, shared: &Shared) -> String {
        let here = shared.here();
        let shown = self.cursor.key().and_then(|cart| shared.reads.get(&ReadCart(*cart)));
        let lines = shown.map_or(&[][..], |view| view.lines.as_slice());
        let words = lines.iter().map(|line| match &line.goods {
            GoodsView::Seats { performance, .. } => {
                let when = words::day_time(performance.start, here.in_zone(performance.zone));
                let title = clean(&performance.title);
                format!("{}: {title} {when}", words::seats(line.named()))
            }
            GoodsView::Time(time) => format!("{} {}", clean(&time.name), time.when(here.now)),
        });
        words.collect::<Vec<_>>().join(", ")
    }

    /// Takes the cart under the cursor.
    fn take(&mut self, context: &mut Context<'_>) -> Flow {
        if !context.aims(&mut self.cursor) {
            return Flow::Stay;
        }
        let row = list(context.shared).iter().find(|row| Some(&row.id) == self.cursor.key());
        row.map_or(Flow::Stay, |row| Flow::Go(Go::TakeOver(Box::new(row.clone()))))
    }
}

/// The carts, by deadline.
fn list(shared: &Shared) -> &[CartRow] {
    shared.reads.get(&shared.open_carts()).map_or(&[], Vec::as_slice)
}

fn ids(shared: &Shared) -> Vec<CartId> {
    list(shared).iter().map(|row| row.id).collect()
}

/// Row of a cart: whose, the time left, seats, total, customer, and the performance.
fn cart_line(shared: &Shared, cart: &CartRow) -> Line<'static> {
    let own = cart.station == shared.station && cart.operator == shared.operator;
    let whose = match (cart.set_aside, own) {
        (true, _) if cart.reservation.is_some() => "reserved".to_owned(),
        (true, _) => format!("set aside {}", cart.station),
        (false, true) => "yours".to_owned(),
        (false, false) => format!("{}@{}", cart.operator, cart.station),
    };
    let total = cart.currency.map_or_else(String::new, |currency| words::money(cart.total, currency));
    let left = cart.expires_at.since(shared.now);
    Line::from(vec![
        Span::raw(format!("  {:<17} ", fit(&whose, 17))),
        Span::styled(format!("{:<9} ", left.clock()), shared.theme.countdown(left.millis() / 1000)),
        Span::raw(format!(
            "{:>5} {total:>10}  {:<10} {:<14}",
            cart.seats,
            fit(&cart.customer.name, 10),
            fit(&cart.title, 14)
        )),
    ])
}

impl Dialog for OpenCarts {
    fn place(&self) -> Option<KeyPlace> {
        Some(KeyPlace::Carts)
    }

    fn act(&mut self, action: Action, context: &mut Context<'_>) -> Flow {
        if action == Action::Main {
            self.take(context)
        } else if self.cursor.act(action, ids(context.shared)) {
            Flow::Stay
        } else {
            Flow::Close
        }
    }

    fn click(&mut self, target: &Target, click: Click, context: &mut Context<'_>) -> Flow {
        match target.dialog_row() {
            Some(index) if self.cursor.click((index, click), ids(context.shared)) => self.take(context),
            Some(_) | None => Flow::Stay,
        }
    }

    fn needs(&self, shared: &Shared, needs: &mut Needs) {
        needs.of(shared.open_carts());
        if let Some(cart) = self.cursor.key() {
            needs.of(ReadCart(*cart));
        }
    }

    fn came(&mut self, question: &Query, context: &mut Context<'_>) -> Flow {
        if matches!(question, Query::OpenCarts(_)) {
            self.cursor.keep(ids(context.shared));
        }
        Flow::Stay
    }

    fn view(&self, shared: &Shared, area: Rect, canvas: &mut Canvas<'_>) {
        let theme = &shared.theme;
        let rows = list(shared);
        let area = centred(area, 78, (rows.len() + 5).max(7));
        let keys = shared.keyed(" <carts.main> takes it  <carts.close> closes ");
        let inner = canvas.dialog(area, "Open carts", &keys);
        let none = rows.is_empty().then(|| "No cart is open".to_owned());
        if let Some(note) = shared.in_place_of(&shared.open_carts()).or(none) {
            canvas.text(row(inner, 1), &format!("  {note}"), theme.quiet);
            return;
        }
        let heading =
            format!("  {:<17} {:<9} {:>5} {:>10}  {:<10} {:<14}", "whose", "hold", "seats", "total", "customer", "for");
        canvas.text(row(inner, 0), &heading, theme.quiet);
        let list = inner.inner(Margin::new(0, 1));
        canvas.text(last_row(inner), &format!("  {}", self.seats(shared)), theme.text);
        let view = self.cursor.view(List::Dialog, list, ids(shared));
        view.draw(canvas, rows.iter().enumerate(), |cart| cart_line(shared, cart));
    }
}
