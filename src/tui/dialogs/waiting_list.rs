//! Waiting list of a performance: its entries, the reason each still waits, what is held for it, and a form to add one.

use std::borrow::Cow;

use ratatui::layout::Rect;
use ratatui::text::Line;

use crate::domain::ids::{PerformanceId, WaitId};
use crate::domain::text::{clean, fit};
use crate::engine::ops::{AddWaiting, RemoveWaiting};
use crate::engine::reads::waitlist::{ReadWaitlist, WaitReason, WaitView, WhichWaiting};
use crate::tui::data::desk_act::DeskAct;
use crate::tui::data::msg::{Query, Readable as _};
use crate::tui::data::reads::Needs;
use crate::tui::kit::action::Action;
use crate::tui::kit::canvas::{Canvas, first_rows, row};
use crate::tui::kit::context::{Context, Go};
use crate::tui::kit::dialog::Flow;
use crate::tui::kit::form::{Form, FormRow};
use crate::tui::kit::keymap::KeyPlace;
use crate::tui::kit::list::Cursor;
use crate::tui::kit::screen::Click;
use crate::tui::kit::shared::Shared;
use crate::tui::kit::sheet::{FormSheet, Sent, form_of};
use crate::tui::kit::table::{Column, Table};
use crate::tui::kit::targets::RowList;
use crate::words;

const NAME: usize = 0;
const CONTACT: usize = 1;
const SEATS: usize = 2;
const CATEGORY: usize = 3;
/// Rows of the list in view.
const ROWS: u16 = 7;
const COLUMNS: [Column; 4] =
    [Column::text("", 3), Column::text("", 18), Column::text("", 8), Column::text("", 0).up_to(usize::MAX)];
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
        shared.reads.rows(&self.question())
    }

    fn ids(&self, shared: &Shared) -> Vec<WaitId> {
        self.rows(shared).iter().map(|view| view.waiting.id).collect()
    }

    /// Entry that an act is meant for.
    fn aimed(&mut self, context: &mut Context<'_>) -> Option<WaitView> {
        let question = self.question();
        context.aimed(&mut self.cursor, &question, |view| view.waiting.id)
    }

    /// Opens the cart held for the entry under the cursor.
    fn offer(&mut self, context: &mut Context<'_>) -> Flow {
        let Some(view) = self.aimed(context) else {
            return Flow::Stay;
        };
        if let WaitReason::Offered { cart, .. } = view.why {
            return Flow::Go(Go::cart(cart));
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

    /// Draws the list, or why it is empty.
    fn draw_line(&self, shared: &Shared, area: Rect, canvas: &mut Canvas<'_>) {
        let rows = self.rows(shared);
        if rows.is_empty() {
            let words = shared.in_place_of(&self.question()).unwrap_or_else(|| {
                "Nobody waits. What comes free is held for the first in line whom it fits.".to_owned()
            });
            canvas.text(area, &format!(" {words}"), shared.theme.quiet);
            return;
        }
        let mut view = self.cursor.view(RowList::Dialog, area, self.ids(shared));
        view.cursor = view.cursor.filter(|_| self.form.at() == LIST);
        view.draw(canvas, rows.iter().enumerate(), |row| wait_line(shared, row, area.width));
    }
}

impl FormSheet for WaitingList {
    const SIZE: (u16, usize) = (76, 18);
    const FIRST: u16 = ROWS + 1;

    form_of!(form);

    fn title(&self, shared: &Shared) -> String {
        let count = match self.rows(shared).len() {
            0 => String::new(),
            count => format!("   {count}"),
        };
        format!("Waiting list  {}{count}", clean(&self.title))
    }

    fn hints(&self, _shared: &Shared) -> Vec<(usize, Cow<'static, str>)> {
        let categories = fit(&clean(&format!("any, or {}", self.categories.join(", "))), 40);
        let hints = ["needed".into(), "phone, mail: to tell them".into(), "together".into(), categories.into()];
        (NAME..).zip(hints).collect()
    }

    fn does(&self) -> &'static str {
        "put on the list"
    }

    fn operation(&self, _shared: &Shared) -> Result<Sent, (usize, String)> {
        let customer = self.form.customer([NAME, CONTACT])?;
        let seats = self.form.text(SEATS).trim().parse().ok().filter(|seats| *seats > 0);
        let seats = seats.ok_or_else(|| (SEATS, "Type for how many seats together: 2".to_owned()))?;
        if customer.name.is_empty() {
            return Err((NAME, "Type the customer's name".to_owned()));
        }
        let category = Some(self.form.clean(CATEGORY)).filter(|name| !name.is_empty());
        let done = format!("{} is on the waiting list", customer.name);
        let add = AddWaiting { performance: self.performance, customer, seats, category, priority: None };
        Ok(Sent::worded(add, done))
    }

    fn place(&self) -> KeyPlace {
        if self.form.at() == LIST { KeyPlace::Waiting } else { KeyPlace::Form }
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "few actions are of the list")]
    fn own_act(&mut self, action: Action, context: &mut Context<'_>) -> Option<Flow> {
        if self.form.at() != LIST {
            self.leaving = None;
            return None;
        }
        let ids = self.ids(context.shared);
        let at = self.cursor.place(&ids);
        match action {
            Action::Main => return Some(self.offer(context)),
            Action::GiveBack => self.leave(context),
            // at its ends the list is left
            Action::NextStop if at + 1 < ids.len() => self.cursor.step(1, ids),
            Action::PreviousStop if at > 0 => self.cursor.step(-1, ids),
            _ => return None,
        }
        Some(Flow::Stay)
    }

    fn click_row(&mut self, row: (usize, Click), context: &mut Context<'_>) {
        self.form.focus(LIST);
        self.cursor.click(row, self.ids(context.shared));
    }

    fn done(&mut self) -> Flow {
        if self.leaving.take().is_none() {
            self.form.set(NAME, "");
            self.form.set(CONTACT, "");
            self.form.focus(NAME);
        }
        Flow::Stay
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

    fn draw_head(&self, area: Rect, shared: &Shared, canvas: &mut Canvas<'_>) {
        self.draw_line(shared, first_rows(area, ROWS), canvas);
        canvas.text(row(area, ROWS), &shared.rule(area.width), shared.theme.border);
    }
}

/// Line of an entry: place, name, seats, and state.
fn wait_line(shared: &Shared, view: &WaitView, columns: u16) -> Line<'static> {
    let theme = &shared.theme;
    let why = if matches!(view.why, WaitReason::Offered { .. }) { theme.warning } else { theme.text };
    let seats = usize::try_from(view.waiting.seats).unwrap_or(usize::MAX);
    let table = Table::new(COLUMNS, usize::from(columns).saturating_sub(3));
    table.line([
        (view.place.map_or_else(String::new, |place| place.to_string()), theme.quiet),
        (view.customer.name.clone(), theme.strong),
        (words::count(seats, "seat"), theme.text),
        (words::waits(view, shared.here()), why),
    ])
}
