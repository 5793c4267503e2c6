//! Modals: how they open, what their keys do, what their answers mean.

use std::any::{Any, TypeId};

use crate::domain::cart::CartState;
use crate::tui::app::App;
use crate::tui::dialogs::pay::Pay;
use crate::tui::dialogs::picker::{Picker, Shows};
use crate::tui::kit::action::Action;
use crate::tui::kit::context::{Context, Go};
use crate::tui::kit::dialog::{Dialog, Flow};
use crate::tui::kit::input::Key;
use crate::tui::kit::keymap::KeyPlace;
use crate::tui::kit::line::{PromptPurpose, TypedLine};
use crate::tui::kit::screen::Screen;
use crate::tui::kit::shared::Tone;
use crate::tui::screens::seats::typed::Seen;

impl App {
    pub(super) fn modal_key(&mut self, key: Key) {
        let keymap = &self.shared.keymap;
        let everywhere = keymap.action(KeyPlace::Everywhere, key);
        let of_terminal = everywhere
            .filter(|action| [Action::Redraw, Action::Suspend].contains(action))
            .filter(|_| key.text().is_none());
        let place = self.shown().and_then(Dialog::place);
        let action = place.and_then(|place| keymap.action(place, key));
        if let Some(action) = of_terminal {
            self.act_on_desk(action);
        } else if let Some(action) = action {
            self.dialog_act(action);
        } else {
            self.with_dialog(|dialog, context| dialog.key(key, context));
        }
    }

    /// Does an action in the open dialog; help lists the keys of its place, and the dialog stays under the list.
    pub(super) fn dialog_act(&mut self, action: Action) {
        let place = self.shown().and_then(Dialog::place);
        if let (Action::Help, Some(place)) = (action, place) {
            self.covered = self.modal.take();
            self.open(Picker::new(Shows::Keys, place));
            return;
        }
        self.with_dialog(|dialog, context| dialog.act(action, context));
    }

    pub(super) fn open(&mut self, dialog: impl Dialog) {
        self.show_dialog(Box::new(dialog));
    }

    pub(super) fn show_dialog(&mut self, dialog: Box<dyn Dialog>) {
        (self.modal, self.is_opened) = (Some(dialog), true);
    }

    /// The open dialog.
    pub(crate) fn shown(&self) -> Option<&dyn Dialog> {
        self.modal.as_deref()
    }

    /// Type of the open dialog.
    pub(crate) fn dialog_type(&self) -> Option<TypeId> {
        self.shown().map(Any::type_id)
    }

    /// Line that the screen takes, while one is typed.
    pub(super) fn line(&mut self) -> Option<(PromptPurpose, &mut TypedLine)> {
        self.modal.as_deref_mut()?.line()
    }

    /// Purpose of that line.
    pub(super) fn purpose(&mut self) -> Option<PromptPurpose> {
        Some(self.line()?.0)
    }

    /// Has the open dialog and the one below it do something, and carries out what follows.
    pub(super) fn with_dialogs(&mut self, mut does: impl FnMut(&mut dyn Dialog, &mut Context<'_>) -> Flow) {
        if let Some(below) = self.covered.take() {
            let above = self.modal.replace(below);
            self.with_dialog(&mut does);
            self.covered = std::mem::replace(&mut self.modal, above);
        }
        self.with_dialog(does);
    }

    /// Has the open dialog do something, and carries out what follows.
    pub(super) fn with_dialog(&mut self, does: impl FnOnce(&mut dyn Dialog, &mut Context<'_>) -> Flow) {
        let mut context = Context::new(&mut self.shared);
        let dialog = self.modal.as_deref_mut();
        let flow = dialog.map_or(Flow::Stay, |dialog| does(dialog, &mut context));
        let asked = context.finish();
        if !matches!(flow, Flow::Stay) {
            self.close_dialog();
        }
        self.follow(asked);
        if let Flow::Go(go) = flow {
            self.go(go);
        }
    }

    pub(super) fn close_dialog(&mut self) {
        self.unlight();
        if let Some(dialog) = &self.modal {
            dialog.closed(&mut self.shared);
        }
        if self.put_by() {
            self.shared.cart.leave_expired();
        }
        self.modal = None;
    }

    pub(super) fn open_pay(&mut self) {
        let cart = &self.shared.cart;
        let ended = cart.view().is_some_and(|view| view.state != CartState::Active) && !cart.payment_began();
        if !cart.has_seats() {
            self.note("The cart is empty; pick seats first");
        } else if ended {
            self.say(Tone::Refused, "The hold has ended; <undo> takes the seats again");
        } else {
            let kept = self.kept.take().map(|mut kept| (kept.reopen(&self.shared), kept));
            match kept {
                Some((true, kept)) => self.show_dialog(kept),
                Some((false, _)) | None => self.open(Pay::new(&self.shared)),
            }
        }
    }

    /// Puts the open dialog by, with what was typed, if it is of that kind.
    pub(super) fn put_by(&mut self) -> bool {
        let kept = self.modal.take_if(|dialog| dialog.is_kept());
        let is_kept = kept.is_some();
        self.kept = kept.or_else(|| self.kept.take());
        is_kept
    }

    /// Holds best seats by one typed line, as after `best`.
    pub(super) fn sell_line(&mut self, text: &str) {
        self.go(Go::Screen(Screen::Seats));
        let done = asking!(self, context, { self.seats.take_best(text, Seen::No, context) });
        if let Err(problem) = done {
            self.note(problem);
        }
    }
}
