//! Where the operator goes: screens, what was found, what is pasted and clicked.

use crate::engine::ops::CancelCart;
use crate::engine::reads::find::HitTarget;
use crate::engine::reads::worklist::OrderId;
use crate::tui::app::{App, Ending};
use crate::tui::data::msg::Effect;
use crate::tui::data::own_cart::CartWish;
use crate::tui::dialogs::find::Finder;
use crate::tui::dialogs::open_carts::OpenCarts;
use crate::tui::kit::context::{Go, Leaving};
use crate::tui::kit::dialog::Flow;
use crate::tui::kit::screen::{Click, Screen};
use crate::tui::kit::targets::Target;
use crate::tui::screens::calendar::Calendar;

impl App {
    pub(super) fn show(&mut self, screen: Screen) {
        (self.at, self.read) = (screen, None);
        screen!(self, mut).enter(&self.shared);
    }

    pub(super) fn go(&mut self, go: Go) {
        match go {
            Go::Screen(screen) => self.show(screen),
            Go::Show(target) => self.show_target(target),
            Go::Time(resource, at) => {
                self.at = Screen::Calendar;
                self.calendar.show(resource, at, &self.shared);
            }
            Go::Orders(which) => {
                self.at = Screen::Orders;
                self.orders.show_only(which, &self.shared);
            }
            Go::Job(job) => {
                self.at = Screen::Jobs;
                self.jobs.show(job);
            }
            Go::Act(action) => self.act_on_top(action),
            Go::ActAt(place, action) => self.act_at(place, action),
            Go::SellLine(text) => self.sell_line(&text),
            Go::Undo(number) if self.shared.cart.is_newest(number) => self.undo_now(),
            Go::Undo(_) => self.note("That can't be undone any more"),
            Go::Send(sent) => {
                asking!(self, context, context.send_off(sent));
            }
            Go::Unpaid(why) => self.unpaid(why),
            Go::Unapproved(refused) => self.unapproved(*refused),
            Go::Quit(Leaving::Held) => self.effects.push(Effect::Quit),
            Go::Quit(Leaving::GivenBack) => {
                self.want(CartWish::of_cart(|cart| CancelCart { cart }));
                self.ending = Ending::OnceSettled;
            }
            Go::PayReservation(cart) => self.pay_reservation(cart),
            Go::Open(dialog) => self.show_dialog(dialog),
            Go::Typed(typed) => self.typed(typed),
        }
    }

    /// Shows something that can be found, where it lives.
    fn show_target(&mut self, target: HitTarget) {
        match target {
            HitTarget::Performance(performance) => {
                self.at = Screen::Seats;
                self.seats.open(performance);
            }
            HitTarget::Seat(performance, seat) => {
                self.at = Screen::Seats;
                self.seats.show(performance, seat);
            }
            HitTarget::Receipt(receipt) => {
                self.at = Screen::Orders;
                self.orders.open(OrderId::Receipt(receipt), &self.shared);
            }
            HitTarget::Reservation(cart) => {
                self.at = Screen::Orders;
                self.orders.open(OrderId::Reservation(cart), &self.shared);
            }
            HitTarget::Cart(cart) => self.open(OpenCarts::at(Some(cart))),
            HitTarget::Booking(booking, resource, at) => {
                self.go(Go::Time(resource, at));
                asking!(self, context, Calendar::open_booking(booking, context));
            }
            HitTarget::Resource(resource) => self.go(Go::Time(resource, self.shared.now)),
        }
    }

    pub(super) fn paste(&mut self, text: &str) {
        if self.modal.is_none() {
            self.open(Finder::new(self.seats.performance()));
        }
        self.with_dialog(|dialog, context| {
            dialog.paste(text, context);
            Flow::Stay
        });
    }

    pub(super) fn click_screen(&mut self, target: &Target, click: Click) {
        asking!(self, context, screen!(self, mut).click(target, click, context));
    }
}
