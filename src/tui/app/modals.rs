//! Modals: how they open, what their keys do, what their answers mean.

use crossterm::event::KeyCode;

use crate::domain::cart::CartState;
use crate::domain::text::clean;
use crate::domain::time::Span;
use crate::engine::ops::CancelCart;
use crate::tui::action::Action;
use crate::tui::app::{App, Ending};
use crate::tui::dialogs::Modal;
use crate::tui::dialogs::dialog::{Dialog, Flow};
use crate::tui::dialogs::picker::{Picker, Shows};
use crate::tui::dialogs::prompt::{Prompt, PromptPurpose};
use crate::tui::dialogs::question::Then;
use crate::tui::field::FieldEdit;
use crate::tui::input::Key;
use crate::tui::msg::Effect;
use crate::tui::own_cart::CartWish;
use crate::tui::printing::Papers;
use crate::tui::screens::Screen;
use crate::tui::screens::pay::Pay;
use crate::tui::screens::seats::typed::Seen;
use crate::tui::shared::{Context, Go, Tone};

/// Suggested seats lit for less than this count as unseen.
const SEEN_AFTER: Span = Span::from_millis(120);

impl App {
    pub(super) fn modal_key(&mut self, key: Key) {
        let place = self.shown().and_then(Dialog::place);
        let action = place.and_then(|place| self.shared.keymap.action(place, key));
        if let Some(Modal::Prompt(_)) = &self.modal {
            self.prompt_key(key);
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
            let keys = Modal::Picker(Picker::new(Shows::Keys, place));
            let below = self.modal.replace(keys);
            self.covered = below.filter(|modal| !matches!(modal, Modal::Calendar));
            return;
        }
        self.with_dialog(|dialog, context| dialog.act(action, context));
    }

    /// The open dialog; none while a prompt or none is open.
    #[must_use]
    pub(crate) fn shown(&self) -> Option<&dyn Dialog> {
        self.modal.as_ref()?.shown(&self.calendar)
    }

    /// Has the open dialog do something, and carries out what follows.
    pub(super) fn with_dialog(
        &mut self,
        does: impl FnOnce(&mut dyn Dialog, &mut Context<'_>) -> Flow,
    ) {
        let mut context = Context::new(&mut self.shared);
        let modal = self.modal.as_mut();
        let dialog = modal.and_then(|modal| modal.dialog(&mut self.calendar));
        let flow = dialog.map_or(Flow::Stay, |dialog| does(dialog, &mut context));
        let asked = context.finish();
        if !matches!(flow, Flow::Stay) {
            self.close_dialog();
        }
        self.keep_dialog();
        self.follow(asked);
        if let Flow::Go(go) = flow {
            self.go(go);
        }
    }

    fn close_dialog(&mut self) {
        if matches!(self.modal, Some(Modal::Pay(_))) {
            self.put_pay_by();
            let view = self.shared.cart.view();
            if view.is_some_and(|view| view.state == CartState::Expired) {
                self.shared.cart.leave_expired();
            }
        }
        self.modal = None;
    }

    pub(super) fn open_pay(&mut self) {
        let cart = &self.shared.cart;
        let ended = cart
            .view()
            .is_some_and(|view| view.state != CartState::Active)
            && !cart.payment_began();
        if !cart.has_seats() {
            self.say(Tone::Note, "The cart is empty; pick seats first");
        } else if ended {
            self.say(
                Tone::Refused,
                "The hold has ended; <undo> takes the seats again",
            );
        } else {
            let kept = self.kept_pay.take().filter(|kept| kept.is_for(cart));
            let pay = if let Some(mut kept) = kept {
                kept.reopen(cart);
                kept
            } else {
                let mut pay = Pay::open(cart);
                if self.shared.printer.is_some() {
                    pay.papers = Papers::Tickets;
                }
                Box::new(pay)
            };
            self.modal = Some(Modal::Pay(pay));
        }
    }

    /// Pay makes room for a question; what was typed is there when it opens again.
    pub(super) fn put_pay_by(&mut self) {
        self.modal = match self.modal.take() {
            Some(Modal::Pay(pay)) => {
                self.kept_pay = Some(pay);
                None
            }
            other => other,
        };
    }

    /// One line sells: what `b` would pick, on the performance that Seats shows.
    pub(super) fn sell_line(&mut self, text: &str) {
        self.go(Go::Screen(Screen::Seats));
        let mut context = Context::new(&mut self.shared);
        let done = self.seats.take_best(text, Seen::No, &mut context);
        let asked = context.finish();
        self.follow(asked);
        if let Err(problem) = done {
            self.say(Tone::Note, problem);
        }
    }

    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "keys that mean nothing here are many"
    )]
    fn prompt_key(&mut self, key: Key) {
        let Some(Modal::Prompt(prompt)) = &mut self.modal else {
            return;
        };
        let best = prompt.purpose == PromptPurpose::Best;
        match key.code {
            KeyCode::Esc => self.close_prompt(),
            KeyCode::Enter => self.enter_prompt(),
            KeyCode::Tab if best => {
                let back = key
                    .modifiers
                    .contains(crossterm::event::KeyModifiers::SHIFT);
                let seen = self.shared.now - SEEN_AFTER;
                prompt.changed_at = seen;
                if let Some(lit) = self.seats.lit_mut() {
                    if back {
                        lit.previous_choice();
                    } else {
                        lit.next_choice();
                    }
                }
                self.relight();
            }
            KeyCode::Up if prompt.field.is_empty() => {
                let before = prompt.before.clone();
                prompt.field.paste(&before);
                self.prompt_changed();
            }
            _ => {
                if prompt.field.key(key) == FieldEdit::Changed {
                    self.prompt_changed();
                }
            }
        }
    }

    pub(super) fn prompt_changed(&mut self) {
        if let Some(Modal::Prompt(prompt)) = &mut self.modal {
            prompt.changed_at = self.shared.now;
            prompt.note = match prompt.purpose {
                PromptPurpose::Best => self.seats.light(&prompt.field.text()).unwrap_or_default(),
                PromptPurpose::GoTo
                | PromptPurpose::Day
                | PromptPurpose::Order
                | PromptPurpose::Print(_)
                | PromptPurpose::OutOfUse(_)
                | PromptPurpose::Job(_)
                | PromptPurpose::Calendar(_) => String::new(),
            };
        }
    }

    fn close_prompt(&mut self) {
        self.seats.unlight();
        if let Some(Modal::Prompt(prompt)) = self.modal.take() {
            self.remember(&prompt);
        }
    }

    fn remember(&mut self, prompt: &Prompt) {
        if !prompt.field.is_empty() {
            self.typed_before
                .insert(prompt.label(), prompt.field.text());
        }
    }

    fn enter_prompt(&mut self) {
        let Some(Modal::Prompt(prompt)) = &self.modal else {
            return;
        };
        let prompt = prompt.clone();
        let text = prompt.field.text();
        let mut context = Context::new(&mut self.shared);
        let done = match &prompt.purpose {
            PromptPurpose::Best => {
                let seen = context.shared.now >= prompt.changed_at + SEEN_AFTER;
                self.seats
                    .take_best(&text, if seen { Seen::Yes } else { Seen::No }, &mut context)
            }
            PromptPurpose::GoTo => self.seats.go_to(&text, &mut context),
            PromptPurpose::Day => self.tonight.go_to(&text, &mut context),
            PromptPurpose::Order => self.orders.go_to(&text, &mut context),
            PromptPurpose::Job(wish) => self.jobs.typed(wish, &text, &mut context),
            PromptPurpose::OutOfUse(_) if clean(&text).is_empty() => {
                Err("say why, so that others know".to_owned())
            }
            PromptPurpose::OutOfUse(_) | PromptPurpose::Print(_) | PromptPurpose::Calendar(_) => {
                Ok(())
            }
        };
        let asked = context.finish();
        match done {
            Ok(()) => {
                self.remember(&prompt);
                self.modal = None;
                self.seats.unlight();
                if let PromptPurpose::Print(receipt) = prompt.purpose {
                    self.print_again(receipt, &text);
                } else if let PromptPurpose::OutOfUse(choice) = prompt.purpose {
                    self.ask_disable(*choice, clean(&text));
                }
            }
            Err(problem) => {
                if let Some(Modal::Prompt(prompt)) = &mut self.modal {
                    prompt.note = problem;
                }
            }
        }
        self.follow(asked);
    }

    pub(super) fn answered(&mut self, then: Then) {
        self.modal = None;
        match then {
            Then::Nothing => {}
            Then::Time(act) => self.run_time(act),
            Then::Quit => self.effects.push(Effect::Quit),
            Then::GiveBackAndQuit => {
                self.want(CartWish::of_cart(|cart| CancelCart { cart }));
                self.ending = Ending::OnceSettled;
            }
            Then::Want(wish) => self.want(wish),
            Then::Undo(number) if self.shared.cart.is_newest(number) => self.undo_now(),
            Then::Undo(_) => self.say(Tone::Note, "That can't be undone any more"),
            Then::Run(operation, done) => {
                let ticket = self.shared.tickets.draw();
                self.decided.push((ticket, done));
                self.effects.push(Effect::Run(ticket, operation));
            }
        }
    }
}
