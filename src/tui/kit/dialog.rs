//! Dialog: the one interface between the app and a dialog over a screen.
//!
//! Collaborators: `app/modals.rs` hands over keys, clicks, pastes and answers, and carries out the [`Flow`]; a
//! dialog says which answers it needs, and sends commands through its [`Context`].
//!
//! A new dialog is a type with this trait in a file of its own, and the action that opens it.
//!
//! Import cycle with `context`: see there.

use std::any::Any;
use std::fmt::Debug;

use crossterm::event::KeyCode;
use ratatui::layout::Rect;

use crate::domain::resource::ResourceId;
use crate::domain::time::Slot;
use crate::engine::Failure;
use crate::tui::data::msg::Query;
use crate::tui::data::own_cart::CartReply;
use crate::tui::data::reads::Needs;
use crate::tui::kit::action::Action;
use crate::tui::kit::canvas::Canvas;
use crate::tui::kit::context::{Context, Go};
use crate::tui::kit::form::{Form, FormEvent};
use crate::tui::kit::input::Key;
use crate::tui::kit::keymap::KeyPlace;
use crate::tui::kit::line::{PromptPurpose, TypedLine};
use crate::tui::kit::screen::Click;
use crate::tui::kit::shared::Shared;
use crate::tui::kit::targets::Target;

/// Outcome of an event for a dialog.
#[derive(Debug)]
pub(crate) enum Flow {
    Stay,
    Close,
    /// Closes, and the operator goes there.
    Go(Go),
}

impl Flow {
    /// Closes, and opens another dialog.
    pub(crate) fn open(dialog: impl Dialog) -> Self {
        Self::Go(Go::Open(Box::new(dialog)))
    }
}

/// A dialog over a screen.
pub(crate) trait Dialog: Any + Debug {
    /// Its place in the key table; none where every key is text or an answer.
    fn place(&self) -> Option<KeyPlace> {
        None
    }

    /// Its form, while that can be changed.
    fn form(&mut self) -> Option<&mut Form> {
        None
    }

    /// True if nothing is missing in its form, so that Enter on the first row presses the button.
    fn is_ready(&self, _shared: &Shared) -> bool {
        false
    }

    /// The button of its form.
    fn press(&mut self, _context: &mut Context<'_>) -> Flow {
        Flow::Stay
    }

    /// A row of its form has another value.
    fn edited(&mut self, _row: usize, _context: &mut Context<'_>) {}

    /// Passes an event to its form, and follows up the effect.
    fn edit(&mut self, event: &dyn Fn(&mut Form) -> FormEvent, context: &mut Context<'_>) -> Flow {
        match self.form().map(event) {
            Some(FormEvent::Close) => return Flow::Close,
            Some(FormEvent::Pressed(_)) => return self.press(context),
            Some(FormEvent::Changed(row)) => self.edited(row, context),
            Some(FormEvent::Nothing) | None => {}
        }
        Flow::Stay
    }

    /// An action of its place.
    fn act(&mut self, action: Action, context: &mut Context<'_>) -> Flow {
        let ready = self.is_ready(context.shared);
        self.edit(&|form| form.act(action, ready), context)
    }

    /// Key bar of a dialog without a place: keys, and their effect.
    fn key_bar(&self) -> &'static [(&'static str, &'static str)] {
        &[("Enter", "chooses"), ("Esc", "closes")]
    }

    /// True if it is drawn at the foot of the screen.
    fn at_foot(&self) -> bool {
        false
    }

    /// True if it leaves nothing of the screen below in view.
    fn covers(&self) -> bool {
        false
    }

    /// Time that it would take of resources, in their zone, and true if something of it is taken: drawn on the calendar.
    fn would_take(&self, _shared: &Shared) -> Option<(Vec<ResourceId>, Slot, bool)> {
        None
    }

    /// Columns that it takes at the right, or at the left where they would cover seats of the cart.
    fn beside(&self) -> u16 {
        0
    }

    /// Words of Enter on the key bar, where they differ from the line's.
    fn enter(&self, _shared: &Shared) -> Option<String> {
        None
    }

    /// A key that no action of its place has.
    fn key(&mut self, key: Key, context: &mut Context<'_>) -> Flow {
        self.edit(&|form| form.key(key), context)
    }

    /// A single or double click.
    fn click(&mut self, target: &Target, click: Click, context: &mut Context<'_>) -> Flow {
        self.edit(&|form| form.click(target, click), context)
    }

    fn wheel(&mut self, code: KeyCode, context: &mut Context<'_>) -> Flow {
        match self.place() {
            Some(_) if code == KeyCode::Up => self.act(Action::Up, context),
            Some(_) => self.act(Action::Down, context),
            None => self.key(Key::plain(code), context),
        }
    }

    fn paste(&mut self, text: &str, context: &mut Context<'_>) {
        self.edit(&|form| form.paste(text), context);
    }

    /// Questions whose answers it shows or acts on now.
    fn needs(&self, _shared: &Shared, _needs: &mut Needs) {}

    /// An answer of the house to a question has come.
    fn came(&mut self, _question: &Query, _context: &mut Context<'_>) -> Flow {
        Flow::Stay
    }

    /// A wish for the cart was granted, or refused.
    fn wished(&mut self, _reply: &CartReply, _context: &mut Context<'_>) -> Flow {
        Flow::Stay
    }

    /// The cart has ended.
    fn cart_ended(&mut self, _context: &mut Context<'_>) -> Flow {
        Flow::Stay
    }

    /// True if it is put by when it closes, with what was typed.
    fn is_kept(&self) -> bool {
        false
    }

    /// Shows it as it was left; false if it was about something else.
    fn reopen(&mut self, _shared: &Shared) -> bool {
        false
    }

    /// Line that the screen takes, while one is typed.
    fn line(&mut self) -> Option<(PromptPurpose, &mut TypedLine)> {
        None
    }

    /// Remembers what it leaves for the next of its kind.
    fn closed(&self, _shared: &mut Shared) {}

    /// True if one of its answers ends the program.
    fn asks_to_quit(&self) -> bool {
        false
    }

    /// Number of its act under way, in a dialog that sends acts.
    fn flight(&mut self) -> Option<&mut Option<u64>> {
        self.form().map(|form| &mut form.asked)
    }

    /// Its act is done, or was refused, which nobody else tells.
    fn acted(&mut self, done: Result<(), &Failure>, context: &mut Context<'_>) -> Flow {
        match (self.form(), done) {
            (Some(form), Err(failure)) => form.note = Some(context.refuse(failure)),
            (Some(_) | None, _) => return Flow::Close,
        }
        Flow::Stay
    }

    /// Draws it over the body of a screen.
    fn view(&self, shared: &Shared, area: Rect, canvas: &mut Canvas<'_>);
}
