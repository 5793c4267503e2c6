//! A reservation: for whom, and by when it has to be paid. Enter goes on to the next stop; only the button reserves.

use ratatui::layout::Rect;
use ratatui::text::Line;

use crate::domain::cart::Customer;
use crate::domain::ids::CartId;
use crate::domain::text::{clean, fit};
use crate::domain::time::{Instant, typed};
use crate::engine::ops::{PayBy, ReserveCart};
use crate::engine::reads::carts::CartRow;
use crate::tui::canvas::{Canvas, Frame, centred, row};
use crate::tui::dialogs::dialog::{Dialog, Flow};
use crate::tui::dialogs::field_line::FieldLine;
use crate::tui::dialogs::{around, key_line};
use crate::tui::field::{Field, FieldEdit};
use crate::tui::input::Key;
use crate::tui::msg::{Answer, Trouble};
use crate::tui::own_cart::{CartWish, OwnCart};
use crate::tui::remote::Ticket;
use crate::tui::screens::Click;
use crate::tui::shared::{Context, Shared, Tone};
use crate::tui::targets::{List, Target};
use crate::tui::widgets::paragraph;
use crate::tui::wording;
use crossterm::event::KeyCode;

/// A reservation being made or moved.
#[derive(Clone, Debug)]
pub struct Reserve {
    whose: Whose,
    /// What it is about, in a few words.
    title: String,
    stop: Stop,
    name: Field,
    phone: Field,
    pay_by: Field,
    note: Option<String>,
    asked: Asked,
}

/// Which cart it is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Whose {
    /// This desk's.
    Own,
    /// One that is reserved already.
    Reserved(CartId),
}

/// Where the keys go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stop {
    Name,
    Phone,
    PayBy,
    Button,
}

/// Whether the house was asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Asked {
    No,
    /// For this desk's cart: the cart answers.
    Cart,
    /// For another: the answer comes with this ticket.
    Ticket(Ticket),
}

impl Stop {
    const ALL: [Self; 4] = [Self::Name, Self::Phone, Self::PayBy, Self::Button];

    fn step(self, by: isize) -> Self {
        around(&Self::ALL, self, by)
    }

    fn target(self) -> Target {
        let at = Self::ALL.iter().position(|stop| *stop == self);
        Target::Row(List::Dialog, at.unwrap_or(0))
    }
}

impl Reserve {
    /// For the cart of this desk, with the name and phone that it has.
    #[must_use]
    pub fn own(cart: &OwnCart) -> Self {
        let customer = cart.view().map(|view| view.cart.customer.clone());
        let customer = customer.unwrap_or_default();
        let seats = cart.view().map_or(0, |view| view.cart.seat_count());
        Self::new(Whose::Own, &customer, wording::count(seats, "seat"))
    }

    /// For a reservation whose pay-by is to be moved.
    #[must_use]
    pub fn later(of: &CartRow) -> Self {
        let title = format!(
            "{}, {}",
            clean(&of.customer.name),
            wording::count(of.seats, "seat")
        );
        let mut moved = Self::new(Whose::Reserved(of.id), &of.customer, title);
        moved.stop = Stop::PayBy;
        moved
    }

    fn new(whose: Whose, customer: &Customer, title: String) -> Self {
        Self {
            whose,
            title,
            stop: Stop::Name,
            name: Field::with(&customer.name),
            phone: Field::with(&customer.phone),
            pay_by: Field::default(),
            note: None,
            asked: Asked::No,
        }
    }

    fn field(&mut self) -> Option<&mut Field> {
        match self.stop {
            Stop::Name => Some(&mut self.name),
            Stop::Phone => Some(&mut self.phone),
            Stop::PayBy => Some(&mut self.pay_by),
            Stop::Button => None,
        }
    }

    /// The pay-by as typed; none when nothing is.
    fn typed(&self, shared: &Shared) -> Result<Option<Instant>, String> {
        if self.pay_by.is_empty() {
            return Ok(None);
        }
        let read = typed::deadline(&self.pay_by.text(), (shared.now, shared.zone));
        read.map(Some).map_err(|error| error.to_string())
    }

    fn ask(&mut self, context: &mut Context<'_>) {
        let customer = Customer {
            name: clean(&self.name.text()),
            phone: clean(&self.phone.text()),
        };
        if customer.name.is_empty() {
            self.stop = Stop::Name;
            self.note = Some("Type the customer's name".to_owned());
            return;
        }
        let pay_by = match self.typed(context.shared) {
            Ok(pay_by) => pay_by,
            Err(problem) => {
                self.stop = Stop::PayBy;
                self.note = Some(problem);
                return;
            }
        };
        self.note = None;
        self.asked = match self.whose {
            Whose::Own => {
                context.want(CartWish::of_cart(move |cart| {
                    reserve(cart, customer.clone(), pay_by)
                }));
                Asked::Cart
            }
            Whose::Reserved(cart) => Asked::Ticket(context.run(reserve(cart, customer, pay_by))),
        };
    }

    /// The house said no: what was typed stays, the sentence stands below it.
    pub fn refused(&mut self, sentence: String) {
        self.asked = Asked::No;
        self.stop = Stop::PayBy;
        self.note = Some(sentence);
    }

    /// What is wrong, or what will happen.
    fn draw_note(&self, shared: &Shared, inner: Rect, canvas: &mut Canvas<'_>) {
        let theme = &shared.theme;
        let (text, style) = match &self.note {
            Some(note) => (note.as_str(), theme.warning),
            None => (
                "Nobody else gets the seats until then. You are told when they are not paid; then they go back.",
                theme.quiet,
            ),
        };
        let columns = usize::from(inner.width.saturating_sub(2));
        for (line, text) in (6..).zip(paragraph(text, columns, 3)) {
            canvas.text(row(inner, line), &format!(" {text}"), style);
        }
    }
}

impl Dialog for Reserve {
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "keys that mean nothing here are many"
    )]
    fn key(&mut self, key: Key, context: &mut Context<'_>) -> Flow {
        if self.asked != Asked::No {
            return Flow::Stay;
        }
        if let Some(step) = key.step() {
            self.stop = self.stop.step(step);
            return Flow::Stay;
        }
        match key.code {
            KeyCode::Esc => return Flow::Close,
            KeyCode::Enter if self.stop == Stop::Button => self.ask(context),
            KeyCode::Enter => self.stop = self.stop.step(1),
            _ => {
                if self
                    .field()
                    .is_some_and(|field| field.key(key) != FieldEdit::Foreign)
                {
                    self.note = None;
                }
            }
        }
        Flow::Stay
    }

    fn click(&mut self, target: &Target, click: Click, context: &mut Context<'_>) -> Flow {
        let Some(index) = target.dialog_row() else {
            return Flow::Stay;
        };
        if click == Click::Double {
            return Flow::Stay;
        }
        let Some(stop) = Stop::ALL.get(index).filter(|_| self.asked == Asked::No) else {
            return Flow::Stay;
        };
        self.stop = *stop;
        if *stop == Stop::Button {
            self.ask(context);
        }
        Flow::Stay
    }

    fn paste(&mut self, text: &str, _context: &mut Context<'_>) {
        if let Some(field) = self.field() {
            field.paste(text);
        }
    }

    /// Another desk's reservation was moved, or not.
    fn answer(
        &mut self,
        ticket: Ticket,
        answer: Result<Answer, Trouble>,
        context: &mut Context<'_>,
    ) -> Flow {
        if self.asked != Asked::Ticket(ticket) {
            return Flow::Stay;
        }
        let zone = context.shared.zone;
        match answer {
            Ok(Answer::Cart(view)) => {
                let until = wording::day_time(view.cart.expires_at, zone);
                let name = &view.cart.customer.name;
                context.say(Tone::Done, format!("{name} has to pay by {until} now"));
                Flow::Close
            }
            Ok(_) => Flow::Close,
            Err(trouble) => {
                self.refused(trouble.told(zone));
                Flow::Stay
            }
        }
    }

    fn view(&self, shared: &Shared, area: Rect, canvas: &mut Canvas<'_>) {
        let theme = &shared.theme;
        let area = centred(area, 62, 12);
        canvas.cover(area);
        let title = match self.whose {
            Whose::Own => " Reserve ",
            Whose::Reserved(_) => " Later pay-by ",
        };
        let inner = canvas.panel(
            area,
            Frame {
                title: Line::styled(format!("{title}  {} ", fit(&self.title, 34)), theme.title),
                right: Line::default(),
                set: shared.glyphs.dialog,
                style: theme.focus,
            },
        );
        let means = match self.typed(shared) {
            Ok(Some(at)) => wording::day_time(at, shared.zone),
            Ok(None) => "nothing typed: the house's time".to_owned(),
            Err(_) => "thu   27 nov 18:00   +3h".to_owned(),
        };
        let fields = [
            (1, "Name", &self.name, Stop::Name, "needed"),
            (2, "Phone", &self.phone, Stop::Phone, "optional"),
            (3, "Pay by", &self.pay_by, Stop::PayBy, means.as_str()),
        ];
        for (line, label, field, stop, hint) in fields {
            let on = self.stop == stop;
            let shown = FieldLine {
                label,
                field,
                hint,
                on,
                target: stop.target(),
            };
            shown.draw(shared, row(inner, line), canvas);
        }
        let on = self.stop == Stop::Button;
        let button = match self.whose {
            Whose::Own => "[ Reserve ]",
            Whose::Reserved(_) => "[ Move the pay-by ]",
        };
        let text = format!(" {}{button}", if on { ">" } else { " " });
        let style = if on { theme.selection } else { theme.strong };
        let took = canvas.text(row(inner, 5), &text, style);
        let cells = Rect {
            width: took,
            ..row(inner, 5)
        };
        canvas.hit(cells, Stop::Button.target());
        self.draw_note(shared, inner, canvas);
        let last = row(inner, inner.height.saturating_sub(1));
        let verb = match (on, self.whose) {
            (false, _) => "next",
            (true, Whose::Own) => "reserve",
            (true, Whose::Reserved(_)) => "move it",
        };
        let keys: &[(&str, &str)] = &[("Enter", verb), ("Esc", "back, nothing is done")];
        if self.asked == Asked::No {
            key_line((last, keys), shared, canvas);
        } else {
            canvas.text(last, " ...  the house is asked", theme.key);
        }
    }
}

fn reserve(cart: CartId, customer: Customer, pay_by: Option<Instant>) -> ReserveCart {
    ReserveCart {
        cart,
        customer: Some(customer),
        pay_by: pay_by.map_or(PayBy::Usual, PayBy::At),
        alert: None,
        last: None,
    }
}
