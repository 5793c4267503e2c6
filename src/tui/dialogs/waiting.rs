//! Waiting list of a performance: its entries, the reason each still waits, what is held for it, and a form to add one.

use ratatui::layout::Rect;

use crate::domain::ids::{PerformanceId, WaitId};
use crate::domain::text::clean;
use crate::engine::Failure;
use crate::engine::ops::{AddWaiting, RemoveWaiting};
use crate::engine::reads::waitlist::{ReadWaitlist, WaitReason, WaitView, WhichWaiting};
use crate::tui::data::acts::DeskAct;
use crate::tui::data::msg::{Query, Readable as _};
use crate::tui::data::reads::Needs;
use crate::tui::kit::action::Action;
use crate::tui::kit::canvas::Canvas;
use crate::tui::kit::context::Context;
use crate::tui::kit::dialog::{Dialog, Flow};
use crate::tui::kit::form::{Form, FormRow};
use crate::tui::kit::go::Go;
use crate::tui::kit::keymap::KeyPlace;
use crate::tui::kit::list::Cursor;
use crate::tui::kit::screen::Click;
use crate::tui::kit::shared::Shared;
use crate::tui::kit::targets::Target;
use crate::words;

mod view;

const NAME: usize = 0;
const CONTACT: usize = 1;
const SEATS: usize = 2;
const CATEGORY: usize = 3;
const DO: usize = 4;
/// Words of the button.
const DOES: &str = "put on the list";
/// The list above the form.
const LIST: usize = 5;

/// The list of one performance.
#[derive(Debug)]
pub(crate) struct WaitingList {
    performance: PerformanceId,
    title: String,
    categories: Vec<String>,
    cursor: Cursor<WaitId>,
    form: Form,
    /// Entry removed when the key comes again.
    leaving: Option<WaitId>,
}

/// Subject of the list.
#[derive(Clone, Debug)]
pub(crate) struct WaitlistSubject {
    pub performance: PerformanceId,
    /// Its title and its start.
    pub title: String,
    /// The names of its categories.
    pub categories: Vec<String>,
    /// For how many seats somebody has asked in vain.
    pub wanted: Option<usize>,
}

impl WaitingList {
    /// The list of a performance, ready to put somebody on it.
    pub(crate) fn new(of: WaitlistSubject) -> Self {
        let seats = of.wanted.map_or_else(String::new, |count| count.to_string());
        Self {
            performance: of.performance,
            title: of.title,
            categories: of.categories,
            cursor: Cursor::default(),
            form: Form::new(
                vec![
                    FormRow::text("Name", ""),
                    FormRow::text("Contact", ""),
                    FormRow::text("Seats", &seats),
                    FormRow::text("Only in", ""),
                    FormRow::Button,
                    FormRow::Part,
                ],
                NAME,
            ),
            leaving: None,
        }
    }

    const fn question(&self) -> ReadWaitlist {
        ReadWaitlist { performance: Some(self.performance), which: WhichWaiting::Open }
    }

    fn rows<'s>(&self, shared: &'s Shared) -> &'s [WaitView] {
        shared.reads.get(&self.question()).map_or(&[], Vec::as_slice)
    }

    fn ids(&self, shared: &Shared) -> Vec<WaitId> {
        self.rows(shared).iter().map(|view| view.waiting.id).collect()
    }

    /// Entry that an act is meant for.
    fn aimed<'c>(&mut self, context: &'c mut Context<'_>) -> Option<&'c WaitView> {
        let aims = context.aims(&mut self.cursor);
        let is_it = |view: &&WaitView| aims && Some(&view.waiting.id) == self.cursor.key();
        self.rows(context.shared).iter().find(is_it)
    }

    /// Opens the cart held for the entry under the cursor.
    fn offer(&mut self, context: &mut Context<'_>) -> Flow {
        let Some(view) = self.aimed(context) else {
            return Flow::Stay;
        };
        if let WaitReason::Offered { cart, .. } = view.why {
            return Flow::Go(Go::OpenCarts(Some(cart)));
        }
        let words = format!("Nothing is held for {} yet; the list says why", clean(&view.customer.name));
        self.form.note = Some(words);
        Flow::Stay
    }

    /// Takes whoever is under the cursor off the list, when the key comes twice.
    fn leave(&mut self, context: &mut Context<'_>) {
        let Some(view) = self.aimed(context) else {
            return;
        };
        let (id, name) = (view.waiting.id, clean(&view.customer.name));
        if self.leaving == Some(id) {
            let act = DeskAct::worded(RemoveWaiting { waiting: id }, format!("{name} is off the list"));
            self.form.asked = Some(context.act(act));
        } else {
            self.leaving = Some(id);
            self.form.note =
                Some(context.shared.keyed(&format!("<waiting.give-back> again takes {name} off the list")));
        }
    }

    /// Number of seats as typed.
    fn seats(&self) -> Option<u32> {
        let seats = self.form.text(SEATS).trim().parse().ok();
        seats.filter(|seats| *seats > 0)
    }

    fn add(&mut self, context: &mut Context<'_>) {
        let customer = match self.form.customer([NAME, CONTACT]) {
            Ok(customer) => customer,
            Err((row, problem)) => return self.form.refuse(row, problem),
        };
        let Some(seats) = self.seats() else {
            self.form.refuse(SEATS, "Type for how many seats together: 2");
            return;
        };
        if customer.name.is_empty() {
            self.form.refuse(NAME, "Type the customer's name");
            return;
        }
        let category = Some(self.form.clean(CATEGORY)).filter(|name| !name.is_empty());
        let done = format!("{} is on the waiting list", customer.name);
        let add = AddWaiting { performance: self.performance, customer, seats, category, priority: None };
        (self.form.note, self.leaving) = (None, None);
        self.form.asked = Some(context.act(DeskAct::worded(add, done)));
    }
}

impl Dialog for WaitingList {
    fn place(&self) -> Option<KeyPlace> {
        Some(match self.form.at() {
            LIST => KeyPlace::Waiting,
            _ => KeyPlace::Form,
        })
    }

    fn form(&mut self) -> Option<&mut Form> {
        self.form.asked.is_none().then_some(&mut self.form)
    }

    fn is_ready(&self, _shared: &Shared) -> bool {
        self.seats().is_some() && !self.form.clean(NAME).is_empty()
    }

    fn press(&mut self, context: &mut Context<'_>) -> Flow {
        self.add(context);
        Flow::Stay
    }

    fn act(&mut self, action: Action, context: &mut Context<'_>) -> Flow {
        if self.form.asked.is_some() {
            return Flow::Stay;
        }
        let ids = self.ids(context.shared);
        let at = self.cursor.place(&ids);
        match (self.form.at(), action) {
            (LIST, Action::Main) => return self.offer(context),
            (LIST, Action::GiveBack) => {
                self.leave(context);
                return Flow::Stay;
            }
            // at its ends the list is left
            (LIST, Action::NextStop) if at + 1 < ids.len() => self.cursor.step(1, ids),
            (LIST, Action::PreviousStop) if at > 0 => self.cursor.step(-1, ids),
            _ => {
                let ready = self.is_ready(context.shared);
                return self.edit(&|form| form.act(action, ready), context);
            }
        }
        Flow::Stay
    }

    fn enter(&self, shared: &Shared) -> Option<String> {
        self.form.enter(DOES.to_owned(), self.is_ready(shared))
    }

    fn click(&mut self, target: &Target, click: Click, context: &mut Context<'_>) -> Flow {
        if self.form.asked.is_some() {
            return Flow::Stay;
        }
        if let Some(index) = target.dialog_row() {
            self.form.focus(LIST);
            self.cursor.click((index, click), self.ids(context.shared));
        }
        self.edit(&|form| form.click(target, click), context)
    }

    fn needs(&self, _shared: &Shared, needs: &mut Needs) {
        needs.of(self.question());
    }

    fn came(&mut self, question: &Query, context: &mut Context<'_>) -> Flow {
        if self.question().is(question) {
            self.cursor.keep(self.ids(context.shared));
        }
        Flow::Stay
    }

    fn flight(&mut self) -> Option<&mut Option<u64>> {
        Some(&mut self.form.asked)
    }

    fn acted(&mut self, done: Result<(), &Failure>, context: &mut Context<'_>) -> Flow {
        let is_added = self.leaving.take().is_none() && done.is_ok();
        self.form.note = done.err().map(|failure| words::failure(failure, context.shared.here()));
        if is_added {
            self.form.set(NAME, "");
            self.form.set(CONTACT, "");
            self.form.focus(NAME);
        }
        Flow::Stay
    }

    fn view(&self, shared: &Shared, area: Rect, canvas: &mut Canvas<'_>) {
        self.draw(shared, area, canvas);
    }
}
