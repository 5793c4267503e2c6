//! Sheet: a form that ends in one operation, drawn and followed up in one way.
//!
//! A sheet says what stands in its rows and what its button does; what was done is told as of every act. A refusal
//! stands below, and what was typed stays.

use std::borrow::Cow;
use std::fmt::Debug;

use ratatui::layout::Rect;
use ratatui::style::Style;

use crate::domain::time::Local;
use crate::engine::Failure;
use crate::tui::data::msg::Query;
use crate::tui::data::own_cart::{CartOutcome, CartReply};
use crate::tui::data::reads::Needs;
use crate::tui::kit::action::Action;
use crate::tui::kit::canvas::{Canvas, after, cells, centred, first_rows, from_row, inset, last_row, row};
use crate::tui::kit::context::Context;
pub(crate) use crate::tui::kit::context::Sent;
use crate::tui::kit::dialog::{Dialog, Flow};
use crate::tui::kit::form::Form;
use crate::tui::kit::keymap::KeyPlace;
use crate::tui::kit::screen::Click;
use crate::tui::kit::shared::Shared;
use crate::tui::kit::targets::Target;
use crate::words;

/// Methods of a sheet that lend the form in one of its fields.
macro_rules! form_of {
    ($field:tt) => {
        fn form(&self) -> &Form {
            &self.$field
        }

        fn form_mut(&mut self) -> &mut Form {
            &mut self.$field
        }
    };
}
pub(crate) use form_of;

/// A form that ends in one operation.
pub(crate) trait FormSheet: Debug + 'static {
    /// Columns and lines.
    const SIZE: (u16, usize);
    /// Line of the first row.
    const FIRST: u16 = 1;

    fn form(&self) -> &Form;

    fn form_mut(&mut self) -> &mut Form;

    fn title(&self, shared: &Shared) -> String;

    /// Its rows with their hints, in the order of their lines.
    fn hints(&self, shared: &Shared) -> Vec<(usize, Cow<'static, str>)>;

    /// Words of the button.
    fn does(&self) -> &'static str;

    /// Consequence, below the button.
    fn then(&self) -> &'static str {
        ""
    }

    /// The operation; or the row with a problem.
    fn operation(&self, shared: &Shared) -> Result<Sent, (usize, String)>;

    /// True if Enter on the first row presses the button.
    fn is_ready(&self, shared: &Shared) -> bool {
        self.operation(shared).is_ok()
    }

    /// Row that a refusal is about.
    fn refused_at(&self) -> usize {
        self.form().at()
    }

    /// Place and time of its words.
    fn here(&self, shared: &Shared) -> Local {
        shared.here()
    }

    /// Key table in force: the form's, or that of a list beside it.
    fn place(&self) -> KeyPlace {
        KeyPlace::Form
    }

    /// Does an action that is not the form's.
    fn own_act(&mut self, _action: Action, _context: &mut Context<'_>) -> Option<Flow> {
        None
    }

    /// A row of a list beside the form was clicked.
    fn click_row(&mut self, _row: (usize, Click), _context: &mut Context<'_>) {}

    /// Its act is done.
    fn done(&mut self) -> Flow {
        Flow::Close
    }

    /// A row has another value.
    fn edited(&mut self, _row: usize) {}

    /// Questions whose answers it shows or acts on.
    fn needs(&self, _shared: &Shared, _needs: &mut Needs) {}

    /// An answer to a question has come.
    fn came(&mut self, _question: &Query, _context: &mut Context<'_>) -> Flow {
        Flow::Stay
    }

    /// Draws its headline, above the first row.
    fn draw_head(&self, _area: Rect, _shared: &Shared, _canvas: &mut Canvas<'_>) {}

    /// Lines below the button and its consequence, for so many columns and lines at most: the sheet is no taller than
    /// they need. `None` where it draws there by itself, and is as tall as its size.
    fn below(&self, _shared: &Shared, _most: (usize, usize)) -> Option<(Vec<String>, Style)> {
        None
    }

    /// Draws what stands below the button and its consequence.
    fn draw_below(&self, area: Rect, shared: &Shared, canvas: &mut Canvas<'_>) {
        let (lines, style) = self.below(shared, (area.width.into(), area.height.into())).unwrap_or_default();
        for (at, text) in area.rows().zip(&lines) {
            canvas.text(at, text, style);
        }
    }
}

/// Lines of the consequence or note below the button, at most.
const NOTE: u16 = 3;
/// Lines of a sheet below them that are worth dropping blank lines for.
const BELOW_LEAST: u16 = 3;

/// Places of a sheet's parts.
struct SheetParts {
    /// All of it, with its frame.
    all: Rect,
    button: u16,
    below: u16,
}

/// Places the parts of a sheet; in a small terminal blank lines go before lines of its own.
fn lines<S: FormSheet>(sheet: &S, shared: &Shared, area: Rect) -> SheetParts {
    let (columns, most) = S::SIZE;
    let all = centred(area, columns, most);
    let (wide, high) = (usize::from(all.width.saturating_sub(4)), all.height.saturating_sub(2));
    let form = FormSheet::form(sheet);
    let rows = sheet.hints(shared).iter().filter(|(field, _)| !form.is_skipped(*field)).count();
    let ends = S::FIRST + cells(rows);
    let (button, below) = (ends + 1, ends + 3 + NOTE);
    let Some((own, _)) = sheet.below(shared, (wide, most)) else {
        return SheetParts { all, button: if button < high { button } else { ends }, below };
    };
    let own = cells(own.len());
    if own > 0 && below + own.min(BELOW_LEAST) > high {
        let note = cells(form.note_lines((sheet.then(), shared), wide).len());
        return SheetParts { all, button: ends, below: ends + 1 + note };
    }
    let needed = if own == 0 { below } else { below + own + 1 };
    SheetParts { all: first_rows(all, needed + 2), button, below }
}

impl<S: FormSheet> Dialog for S {
    fn place(&self) -> Option<KeyPlace> {
        Some(FormSheet::place(self))
    }

    fn form(&mut self) -> Option<&mut Form> {
        let form = self.form_mut();
        form.asked.is_none().then_some(form)
    }

    fn is_ready(&self, shared: &Shared) -> bool {
        FormSheet::is_ready(self, shared)
    }

    fn press(&mut self, context: &mut Context<'_>) -> Flow {
        match self.operation(context.shared) {
            Ok(sent) => {
                let number = context.send_off(sent);
                let form = self.form_mut();
                (form.note, form.asked) = (None, Some(number));
            }
            Err((row, problem)) => self.form_mut().refuse(row, problem),
        }
        Flow::Stay
    }

    fn act(&mut self, action: Action, context: &mut Context<'_>) -> Flow {
        let is_asked = FormSheet::form(self).asked.is_some();
        if !is_asked && let Some(flow) = FormSheet::own_act(self, action, context) {
            return flow;
        }
        let ready = FormSheet::is_ready(self, context.shared);
        self.edit(&|form| form.act(action, ready), context)
    }

    fn click(&mut self, target: &Target, click: Click, context: &mut Context<'_>) -> Flow {
        if let (Some(index), None) = (target.dialog_row(), FormSheet::form(self).asked) {
            self.click_row((index, click), context);
        }
        self.edit(&|form| form.click(target, click), context)
    }

    fn edited(&mut self, row: usize, _context: &mut Context<'_>) {
        FormSheet::edited(self, row);
    }

    fn enter(&self, shared: &Shared) -> Option<String> {
        FormSheet::form(self).enter(self.does().to_owned(), FormSheet::is_ready(self, shared))
    }

    fn needs(&self, shared: &Shared, needs: &mut Needs) {
        FormSheet::needs(self, shared, needs);
    }

    fn came(&mut self, question: &Query, context: &mut Context<'_>) -> Flow {
        FormSheet::came(self, question, context)
    }

    fn flight(&mut self) -> Option<&mut Option<u64>> {
        Some(&mut self.form_mut().asked)
    }

    fn acted(&mut self, done: Result<(), &Failure>, context: &mut Context<'_>) -> Flow {
        let Err(failure) = done else { return self.done() };
        let (row, sentence) = (self.refused_at(), words::failure(failure, self.here(context.shared)));
        self.form_mut().refuse(row, sentence);
        Flow::Stay
    }

    fn wished(&mut self, reply: &CartReply, _context: &mut Context<'_>) -> Flow {
        if self.form_mut().asked.take_if(|mine| *mine == reply.number).is_none() {
            return Flow::Stay;
        }
        match reply.outcome {
            CartOutcome::Granted | CartOutcome::Sold | CartOutcome::Unissued => Flow::Close,
            CartOutcome::Refused | CartOutcome::PaymentRefused => {
                let row = self.refused_at();
                self.form_mut().refuse(row, reply.sentence.clone());
                Flow::Stay
            }
        }
    }

    fn view(&self, shared: &Shared, area: Rect, canvas: &mut Canvas<'_>) {
        let SheetParts { all, button, below } = lines(self, shared, area);
        let inner = inset(canvas.dialog(all, &self.title(shared), ""));
        let (form, does) = (FormSheet::form(self), self.does());
        let ready = FormSheet::is_ready(self, shared);
        let mut line = S::FIRST;
        for (field, hint) in self.hints(shared) {
            if !form.is_skipped(field) {
                let hint = form.hint(field, (does, &hint), ready);
                form.draw((field, &hint), shared, (row(inner, line), &mut *canvas));
                line += 1;
            }
        }
        form.draw((form.button(), does), shared, (after(row(inner, button), 1), &mut *canvas));
        form.draw_note(self.then(), shared, (from_row(inner, button + 1), &mut *canvas));
        self.draw_head(inner, shared, canvas);
        self.draw_below(from_row(inner, below), shared, canvas);
        if form.asked.is_some() {
            canvas.text(last_row(inner), " ...  the house is asked", shared.theme.key);
        }
    }
}
