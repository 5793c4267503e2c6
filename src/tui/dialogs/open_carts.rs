//! Open carts: yours, set aside, other stations'. Enter takes one over.

use ratatui::layout::{Margin, Rect};
use ratatui::text::Line;

use crate::domain::ids::CartId;
use crate::domain::text::clean;
use crate::engine::ops::{SetAside, TakeFrom};
use crate::engine::reads::carts::{CartRow, GoodsView, ReadCart};
use crate::tui::data::msg::Query;
use crate::tui::data::own_cart::CartWish;
use crate::tui::data::reads::Needs;
use crate::tui::kit::action::Action;
use crate::tui::kit::canvas::{Canvas, centred, last_row, row};
use crate::tui::kit::context::{Context, Go, Sent};
use crate::tui::kit::dialog::{Dialog, Flow};
use crate::tui::kit::keymap::KeyPlace;
use crate::tui::kit::list::Cursor;
use crate::tui::kit::question::QuestionDialog;
use crate::tui::kit::screen::{Click, Screen};
use crate::tui::kit::shared::Shared;
use crate::tui::kit::table::{Column, Table};
use crate::tui::kit::targets::{RowList, Target};
use crate::words;

const COLUMNS: [Column; 6] = [
    Column::text("whose", 17),
    Column::text("hold", 9),
    Column::number("seats", 5),
    Column::number("total", 10),
    Column::text("customer", 10).up_to(14),
    Column::text("for", 14).up_to(30),
];

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
        let carts = context.shared.open_carts();
        let row = context.aimed(&mut self.cursor, &carts, |row| row.id);
        row.map_or(Flow::Stay, |row| take_over(&row, context))
    }
}

/// Takes a cart over; asks first if another station works on it.
fn take_over(row: &CartRow, context: &mut Context<'_>) -> Flow {
    let shared = &context.shared;
    if shared.cart.view().is_some_and(|view| view.cart.id == row.id) {
        return Flow::Go(Go::Screen(Screen::Seats));
    }
    let own = row.station == shared.station && row.operator == shared.operator;
    if !row.set_aside && !own {
        let whose = match row.customer.name.as_str() {
            "" => "it".to_owned(),
            name => format!("{name}'s cart"),
        };
        let text = vec![
            format!("{} at {} works on {whose} now.", row.operator, row.station),
            "It leaves their screen; that is written down.".to_owned(),
        ];
        let take = Sent::Want(CartWish::take_over(row.id, TakeFrom::Anybody));
        let question = QuestionDialog::new("Take it over?", text, ('n', "no, leave it to them"));
        return Flow::open(question.choice('t', "take it over", Go::Send(take)));
    }
    let from = if row.set_aside { TakeFrom::SetAside } else { TakeFrom::Anybody };
    take_to_desk(row.id, from, context);
    Flow::Close
}

/// Takes a cart over to this desk; the one there is set aside.
pub(crate) fn take_to_desk(cart: CartId, from: TakeFrom, context: &mut Context<'_>) {
    set_aside(context);
    context.want(CartWish::take_over(cart, from));
    context.go(Go::Screen(Screen::Seats));
}

/// Sets the cart at this desk aside; `false` without seats in it.
pub(crate) fn set_aside(context: &mut Context<'_>) -> bool {
    let has_seats = context.shared.cart.has_seats();
    if has_seats {
        context.want(CartWish::of_cart(|cart| SetAside { cart }));
    }
    has_seats
}

/// The carts, by deadline.
fn list(shared: &Shared) -> &[CartRow] {
    shared.reads.rows(&shared.open_carts())
}

fn ids(shared: &Shared) -> Vec<CartId> {
    list(shared).iter().map(|row| row.id).collect()
}

/// Row of a cart: whose, the time left, seats, total, customer, and the performance.
fn cart_line(shared: &Shared, cart: &CartRow, table: &Table<6>) -> Line<'static> {
    let own = cart.station == shared.station && cart.operator == shared.operator;
    let whose = match (cart.set_aside, own) {
        (true, _) if cart.reservation.is_some() => "reserved".to_owned(),
        (true, _) => format!("set aside {}", cart.station),
        (false, true) => "yours".to_owned(),
        (false, false) => format!("{}@{}", cart.operator, cart.station),
    };
    let total = cart.currency.map_or_else(String::new, |currency| words::money(cart.total, currency));
    let left = cart.expires_at.since(shared.now);
    let (text, hold) = (shared.theme.text, shared.theme.countdown(left.millis() / 1000));
    table.line([
        (whose, text),
        (left.clock(), hold),
        (cart.seats.to_string(), text),
        (total, text),
        (cart.customer.name.clone(), text),
        (cart.title.clone(), text),
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
        let table = Table::new(COLUMNS, usize::from(inner.width).saturating_sub(3));
        canvas.line(row(inner, 0), &table.heading(theme.quiet));
        let list = inner.inner(Margin::new(0, 1));
        canvas.text(last_row(inner), &format!("  {}", self.seats(shared)), theme.text);
        let view = self.cursor.view(RowList::Dialog, list, ids(shared));
        view.draw(canvas, rows.iter().enumerate(), |cart| cart_line(shared, cart, &table));
    }
}
