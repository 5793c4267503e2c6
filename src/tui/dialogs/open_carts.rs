//! Open carts: yours, set aside, other stations'. Enter takes one over.

use ratatui::layout::{Margin, Rect};
use ratatui::text::{Line, Span};

use crate::domain::ids::CartId;
use crate::domain::text::{clean, fit};
use crate::domain::time::Local;
use crate::engine::reads::carts::{CartRow, CartView, GoodsView, ReadCart, ReadOpenCarts};
use crate::tui::action::Action;
use crate::tui::canvas::{Canvas, centred, last_row, row};
use crate::tui::context::Context;
use crate::tui::dialogs::dialog::{Dialog, Flow};
use crate::tui::go::Go;
use crate::tui::keymap::KeyPlace;
use crate::tui::list::Cursor;
use crate::tui::msg::{Answer, Changed, Subject};
use crate::tui::remote::Remote;
use crate::tui::screens::Click;
use crate::tui::shared::Shared;
use crate::tui::stale::Stale;
use crate::tui::targets::{List, Target};
use crate::words;

/// The list of open carts.
#[derive(Debug, Default)]
pub(crate) struct OpenCarts {
    /// The carts, by deadline.
    rows: Remote<ReadOpenCarts, Vec<CartRow>>,
    stale: Stale,
    cursor: Cursor<CartId>,
    /// The cart under the cursor.
    shown: Remote<ReadCart, Box<CartView>>,
}

impl OpenCarts {
    /// The list with the cursor on a cart as soon as it is there.
    pub(crate) fn at(cart: Option<CartId>) -> Self {
        Self { cursor: cart.map_or_else(Cursor::default, Cursor::on), ..Self::default() }
    }

    pub(crate) fn ask(&mut self, context: &mut Context<'_>) {
        self.stale.read(context.shared.now);
        let question = context.shared.open_carts();
        context.load(&mut self.rows, question);
    }

    /// Reads the cart under the cursor, unless it is there.
    fn show(&mut self, context: &mut Context<'_>) {
        let Some(question) = self.cursor.key().copied().map(ReadCart) else {
            return;
        };
        if self.shown.value_for(&question).is_none() {
            self.shown.forget();
            context.load(&mut self.shown, question);
        }
    }

    /// Seats of the cart under the cursor: `F9-F12: Hamlet Sat 21 Nov 19:30`.
    fn seats(&self, here: Local) -> String {
        let lines = self.shown.value().map_or(&[][..], |view| view.lines.as_slice());
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
        let row = self.list().iter().find(|row| Some(&row.id) == self.cursor.key());
        row.map_or(Flow::Stay, |row| Flow::Go(Go::TakeOver(Box::new(row.clone()))))
    }

    fn list(&self) -> &[CartRow] {
        self.rows.value().map_or(&[], Vec::as_slice)
    }

    fn ids(&self) -> Vec<CartId> {
        self.list().iter().map(|row| row.id).collect()
    }
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
        } else if self.cursor.act(action, self.ids()) {
            self.show(context);
            Flow::Stay
        } else {
            Flow::Close
        }
    }

    fn click(&mut self, target: &Target, click: Click, context: &mut Context<'_>) -> Flow {
        if let Some(index) = target.dialog_row() {
            if self.cursor.click((index, click), self.ids()) {
                return self.take(context);
            }
            self.show(context);
        }
        Flow::Stay
    }

    fn answer(&mut self, number: u64, answer: Answer, context: &mut Context<'_>) -> Flow {
        if let Answer::Cart(view) = answer {
            context.settle(&mut self.shown, number, view);
            return Flow::Stay;
        }
        if let Answer::OpenCarts(rows) = answer {
            context.settle(&mut self.rows, number, rows);
        }
        self.cursor.keep(self.ids());
        self.show(context);
        Flow::Stay
    }

    /// Reads again what has changed, and the list when a hold in it has ended.
    fn tick(&mut self, context: &mut Context<'_>) {
        let now = context.shared.now;
        if self.rows.value().is_some_and(|rows| rows.iter().any(|row| row.expires_at <= now)) {
            self.stale.add(&Changed::Everything);
        }
        let Some(changed) = self.stale.due(now) else {
            return;
        };
        self.ask(context);
        let shown = self.shown.asked().copied();
        if let Some(question) = shown.filter(|shown| changed.touches(|subject| subject == Subject::Cart(shown.0))) {
            context.load(&mut self.shown, question);
        }
    }

    fn changed(&mut self, changed: &Changed, context: &mut Context<'_>) {
        if changed.touches(|subject| matches!(subject, Subject::Cart(_) | Subject::Customer)) {
            self.stale.add(changed);
            self.tick(context);
        }
    }

    fn view(&self, shared: &Shared, area: Rect, canvas: &mut Canvas<'_>) {
        let theme = &shared.theme;
        let rows = self.list();
        let area = centred(area, 78, (rows.len() + 5).max(7));
        let keys = shared.keyed(" <carts.main> takes it  <carts.close> closes ");
        let inner = canvas.dialog(area, "Open carts", &keys);
        let none = self.rows.value().filter(|rows| rows.is_empty());
        let none = none.map(|_| "No cart is open".to_owned());
        if let Some(note) = shared.placeholder(&self.rows).or(none) {
            canvas.text(row(inner, 1), &format!("  {note}"), theme.quiet);
            return;
        }
        let heading =
            format!("  {:<17} {:<9} {:>5} {:>10}  {:<10} {:<14}", "whose", "hold", "seats", "total", "customer", "for");
        canvas.text(row(inner, 0), &heading, theme.quiet);
        let list = inner.inner(Margin::new(0, 1));
        canvas.text(last_row(inner), &format!("  {}", self.seats(shared.here())), theme.text);
        let view = self.cursor.view(List::Dialog, list, self.ids());
        view.draw(canvas, rows.iter().enumerate(), |cart| cart_line(shared, cart));
    }
}
