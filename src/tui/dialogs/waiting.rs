//! The waiting list of a performance: who waits, why they still do, what is held for whom; and one more in the line.
//! Enter goes on to the next stop; only the button puts somebody on the list.

use crossterm::event::KeyCode;
use ratatui::layout::Rect;

use crate::domain::cart::Customer;
use crate::domain::ids::{PerformanceId, WaitId};
use crate::domain::text::clean;
use crate::engine::ops::{AddWaiting, RemoveWaiting};
use crate::engine::reads::waitlist::{WaitReason, WaitView};
use crate::tui::action::Action;
use crate::tui::canvas::Canvas;
use crate::tui::dialogs::dialog::{Dialog, Flow};
use crate::tui::dialogs::{Cursor, around};
use crate::tui::field::{Field, FieldEdit};
use crate::tui::input::Key;
use crate::tui::keymap::KeyPlace;
use crate::tui::msg::{Answer, Changed, Query, Trouble, only};
use crate::tui::remote::{Again, Remote, Ticket};
use crate::tui::screens::Click;
use crate::tui::shared::{Context, Go, Shared, Tone};
use crate::tui::targets::{List, Target};
use crate::tui::wording;

mod view;

/// Fields and the button are hit as rows from here on.
const STOPS_FROM: usize = 10_000;

/// The list of one performance.
#[derive(Debug)]
pub struct WaitingList {
    performance: PerformanceId,
    title: String,
    categories: Vec<String>,
    line: Remote<Vec<WaitView>>,
    cursor: Cursor,
    stop: Stop,
    name: Field,
    phone: Field,
    seats: Field,
    category: Field,
    note: Option<String>,
    asked: Option<(Ticket, Asked)>,
    /// Who leaves the list when the key comes again.
    leaving: Option<WaitId>,
}

/// What the list is about.
#[derive(Clone, Debug)]
pub struct Of {
    /// The performance.
    pub performance: PerformanceId,
    /// Its title and its start.
    pub title: String,
    /// The names of its categories.
    pub categories: Vec<String>,
    /// For how many seats somebody has asked in vain.
    pub wanted: Option<usize>,
}

/// Where the keys go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stop {
    List,
    Name,
    Phone,
    Seats,
    Category,
    Button,
}

/// What the house was asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Asked {
    Add,
    Remove,
}

impl Stop {
    const ALL: [Self; 6] = [
        Self::Name,
        Self::Phone,
        Self::Seats,
        Self::Category,
        Self::Button,
        Self::List,
    ];

    fn step(self, by: isize) -> Self {
        around(&Self::ALL, self, by)
    }

    fn target(self) -> Target {
        let at = Self::ALL.iter().position(|stop| *stop == self);
        Target::Row(List::Dialog, STOPS_FROM + at.unwrap_or(0))
    }
}

impl WaitingList {
    /// The list of a performance, ready to put somebody on it.
    pub fn open(of: Of, context: &mut Context<'_>) -> Self {
        let seats = of
            .wanted
            .map_or_else(String::new, |count| count.to_string());
        let mut list = Self {
            performance: of.performance,
            title: of.title,
            categories: of.categories,
            line: Remote::default(),
            cursor: Cursor::default(),
            stop: Stop::Name,
            name: Field::default(),
            phone: Field::default(),
            seats: Field::with(&seats),
            category: Field::default(),
            note: None,
            asked: None,
            leaving: None,
        };
        list.ask(context);
        list
    }

    /// Reads the list again.
    fn ask(&mut self, context: &mut Context<'_>) {
        if let Some(ticket) = self.line.want(&mut context.shared.tickets) {
            context.read_with(ticket, Query::Waiting(self.performance));
        }
    }

    fn field(&mut self) -> Option<&mut Field> {
        match self.stop {
            Stop::Name => Some(&mut self.name),
            Stop::Phone => Some(&mut self.phone),
            Stop::Seats => Some(&mut self.seats),
            Stop::Category => Some(&mut self.category),
            Stop::Button | Stop::List => None,
        }
    }

    fn rows(&self) -> &[WaitView] {
        self.line.value().map_or(&[], Vec::as_slice)
    }

    /// What is held for whoever is under the cursor.
    fn offer(&mut self) -> Flow {
        match self.rows().get(self.cursor.0).map(|view| &view.why) {
            Some(WaitReason::Offered { cart, .. }) => Flow::Go(Go::Cart(*cart)),
            Some(_) => {
                self.note = Some("Nothing is held for them yet; the list says why".to_owned());
                Flow::Stay
            }
            None => Flow::Stay,
        }
    }

    /// Takes whoever is under the cursor off the list, when the key comes twice.
    fn leave(&mut self, context: &mut Context<'_>) {
        let Some(view) = self.rows().get(self.cursor.0) else {
            return;
        };
        let (id, name) = (view.waiting.id, clean(&view.waiting.customer.name));
        if self.leaving == Some(id) {
            self.asked = Some((context.run(RemoveWaiting { waiting: id }), Asked::Remove));
        } else {
            self.leaving = Some(id);
            self.note = Some(
                context
                    .shared
                    .keyed(&format!("<cart.give-back> again takes {name} off the list")),
            );
        }
    }

    fn add(&mut self, context: &mut Context<'_>) {
        let customer = Customer {
            name: clean(&self.name.text()),
            phone: clean(&self.phone.text()),
        };
        let seats: Option<u32> = self.seats.text().trim().parse().ok();
        let Some(seats) = seats.filter(|seats| *seats > 0) else {
            self.stop = Stop::Seats;
            self.note = Some("Type for how many seats together: 2".to_owned());
            return;
        };
        if customer.name.is_empty() {
            self.stop = Stop::Name;
            self.note = Some("Type the customer's name".to_owned());
            return;
        }
        let category = Some(clean(&self.category.text())).filter(|name| !name.is_empty());
        let add = AddWaiting {
            performance: self.performance,
            customer,
            seats,
            category,
        };
        self.note = None;
        self.asked = Some((context.run(add), Asked::Add));
    }
}

impl Dialog for WaitingList {
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "keys that mean nothing here are many"
    )]
    fn key(&mut self, key: Key, context: &mut Context<'_>) -> Flow {
        if self.asked.is_some() {
            return Flow::Stay;
        }
        let on_list = self.stop == Stop::List;
        let leaves = context.shared.keymap.action(KeyPlace::Cart, key) == Some(Action::GiveBack);
        let count = self.rows().len();
        match key.code {
            KeyCode::Esc => return Flow::Close,
            KeyCode::Up if on_list && self.cursor.0 > 0 => self.cursor.step(-1, count),
            KeyCode::Down if on_list && self.cursor.0 + 1 < count => self.cursor.step(1, count),
            KeyCode::Enter if on_list => return self.offer(),
            _ if on_list && leaves => self.leave(context),
            KeyCode::Enter if self.stop == Stop::Button => self.add(context),
            KeyCode::Enter => self.stop = self.stop.step(1),
            _ if key.step().is_some() => self.stop = self.stop.step(key.step().unwrap_or(1)),
            _ => {
                let typed = self.field().map(|field| field.key(key));
                if typed.is_some_and(|typed| typed != FieldEdit::Foreign) {
                    self.note = None;
                }
            }
        }
        Flow::Stay
    }

    fn paste(&mut self, text: &str, _context: &mut Context<'_>) {
        if let Some(field) = self.field() {
            field.paste(text);
        }
    }

    fn click(&mut self, target: &Target, click: Click, context: &mut Context<'_>) -> Flow {
        let Some(index) = target.dialog_row() else {
            return Flow::Stay;
        };
        if self.asked.is_some() || click == Click::Double {
            return Flow::Stay;
        }
        let stop = index.checked_sub(STOPS_FROM);
        if let Some(stop) = stop.and_then(|at| Stop::ALL.get(at)) {
            self.stop = *stop;
        } else {
            self.stop = Stop::List;
            self.cursor = Cursor(index);
        }
        if self.stop == Stop::Button {
            self.add(context);
        }
        Flow::Stay
    }

    fn answer(
        &mut self,
        ticket: Ticket,
        answer: Result<Answer, Trouble>,
        context: &mut Context<'_>,
    ) -> Flow {
        if self.line.awaits(ticket) {
            if self
                .line
                .settle(only!(answer, Answer::Waiting(line) => line))
                == Again::Yes
            {
                self.ask(context);
            }
            self.cursor.step(0, self.rows().len());
            return Flow::Stay;
        }
        let Some((_, asked)) = self.asked.take_if(|(mine, _)| *mine == ticket) else {
            return Flow::Stay;
        };
        match (asked, answer) {
            (Asked::Add, Ok(_)) => {
                let words = format!("{} is on the waiting list", self.name.text());
                context.say(Tone::Done, words);
                self.name.clear();
                self.phone.clear();
                self.stop = Stop::Name;
            }
            (Asked::Remove, Ok(_)) => {
                self.note = None;
                context.say(Tone::Done, "Taken off the list");
            }
            (_, Err(Trouble::Refused(refusal))) => {
                self.note = Some(wording::refusal(&refusal, context.shared.zone));
            }
            (_, Err(Trouble::Fault(text))) => self.note = Some(text),
        }
        self.leaving = None;
        self.ask(context);
        Flow::Stay
    }

    fn changed(&mut self, _changed: &Changed, context: &mut Context<'_>) {
        self.ask(context);
    }

    fn view(&self, shared: &Shared, area: Rect, canvas: &mut Canvas<'_>) {
        self.draw(shared, area, canvas);
    }
}
