//! Reservations: the dialog that makes and moves them, and how one is paid at this desk.

use crate::domain::ids::CartId;
use crate::engine::ops::{CancelCart, TakeFrom};
use crate::engine::reads::carts::CartRow;
use crate::tui::app::App;
use crate::tui::data::acts::DeskAct;
use crate::tui::dialogs::reserve::Reserve;
use crate::tui::kit::go::Go;
use crate::tui::kit::question::QuestionDialog;
use crate::words;

impl App {
    pub(super) fn reserve(&mut self) {
        if self.shared.cart.has_seats() {
            let reserve = Reserve::own(&self.shared.cart);
            self.open(reserve);
        } else {
            self.note("The cart is empty; pick seats first");
        }
    }

    /// Opens the payment of a reservation that is at this desk now.
    pub(super) fn pay_taken_over(&mut self) {
        let own = self.shared.cart.view().map(|view| view.cart.id);
        if self.to_pay.is_some() && self.shared.cart.is_settled() {
            let mine = own == self.to_pay.take();
            if mine && self.modal.is_none() {
                self.open_pay();
            }
        }
    }

    /// Takes a reservation over to this desk and opens the keypad once it is there.
    pub(super) fn pay_reservation(&mut self, cart: CartId) {
        self.to_pay = Some(cart);
        self.take_to_desk(cart, TakeFrom::SetAside);
    }

    pub(super) fn ask_cancel_reservation(&mut self, of: &CartRow) {
        let seats = words::count(of.seats, "seat");
        let name = &of.customer.name;
        let done = format!("{name}'s reservation is canceled; {seats} went back");
        let text = vec![format!("{seats} of {name} go back, for anybody to take.")];
        self.open(QuestionDialog::new("Cancel the reservation?", text, ('k', "keep it")).choice(
            'c',
            "cancel it",
            Go::Send(DeskAct::worded(CancelCart { cart: of.id }, done)),
        ));
    }
}
