//! Modals: how they open, what their keys do, what their answers mean.

use crate::domain::cart::CartState;
use crate::engine::ops::CancelCart;
use crate::tui::action::Action;
use crate::tui::app::{App, Ending};
use crate::tui::context::Context;
use crate::tui::dialogs::Modal;
use crate::tui::dialogs::dialog::{Dialog, Flow};
use crate::tui::dialogs::picker::{Picker, Shows};
use crate::tui::go::Go;
use crate::tui::input::Key;
use crate::tui::keymap::KeyPlace;
use crate::tui::msg::Effect;
use crate::tui::own_cart::CartWish;
use crate::tui::question::Then;
use crate::tui::screens::Screen;
use crate::tui::screens::pay::Pay;
use crate::tui::screens::seats::typed::Seen;
use crate::tui::shared::Tone;
use crate::tui::ticket::TicketOwner;
use crate::tui::time::Undoing;

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
            let keys = Modal::Picker(Picker::new(Shows::Keys, place));
            let below = self.modal.replace(keys);
            self.covered = below.filter(|modal| !matches!(modal, Modal::Calendar));
            return;
        }
        self.with_dialog(|dialog, context| dialog.act(action, context));
    }

    /// The open dialog.
    #[must_use]
    pub(crate) fn shown(&self) -> Option<&dyn Dialog> {
        self.modal.as_ref()?.shown(&self.calendar)
    }

    /// Has the open dialog do something, and carries out what follows.
    pub(super) fn with_dialog(
        &mut self,
        does: impl FnOnce(&mut dyn Dialog, &mut Context<'_>) -> Flow,
    ) {
        let mut context = Context::new(&mut self.shared, TicketOwner::Dialog);
        let modal = self.modal.as_mut();
        let dialog = modal.and_then(|modal| modal.dialog(&mut self.calendar));
        let mut flow = dialog.map_or(Flow::Stay, |dialog| does(dialog, &mut context));
        if matches!(self.modal, Some(Modal::Calendar)) {
            flow = context.on_behalf(Screen::Calendar.into(), |context| {
                self.calendar.carry(flow, context)
            });
        }
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
        self.remember();
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
            let mut pay = kept.unwrap_or_else(|| Box::new(Pay::new(&self.shared)));
            pay.reopen(cart);
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
        let done = asking!(
            self,
            Screen::Seats,
            context,
            self.seats.take_best(text, Seen::No, context)
        );
        if let Err(problem) = done {
            self.say(Tone::Note, problem);
        }
    }

    pub(super) fn answered(&mut self, then: Then) {
        self.modal = None;
        match then {
            Then::Nothing => {}
            Then::Time(act) => self.run_time(act, Undoing::Remember),
            Then::Quit => self.effects.push(Effect::Quit),
            Then::GiveBackAndQuit => {
                self.want(CartWish::of_cart(|cart| CancelCart { cart }));
                self.ending = Ending::OnceSettled;
            }
            Then::Want(wish) => self.want(wish),
            Then::Undo(number) if self.shared.cart.is_newest(number) => self.undo_now(),
            Then::Undo(_) => self.say(Tone::Note, "That can't be undone any more"),
            Then::Run(operation, done) => {
                asking!(
                    self,
                    TicketOwner::Decided(done),
                    context,
                    context.run(operation)
                );
            }
        }
    }
}
