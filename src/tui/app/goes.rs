//! Where the operator goes: screens, what was found, what is pasted and clicked.

use crate::domain::ids::PerformanceId;
use crate::engine::ops::CancelCart;
use crate::tui::app::{App, Ending};
use crate::tui::data::msg::Effect;
use crate::tui::data::own_cart::CartWish;
use crate::tui::dialogs::find::Finder;
use crate::tui::dialogs::open_carts::OpenCarts;
use crate::tui::kit::dialog::Flow;
use crate::tui::kit::go::Go;
use crate::tui::kit::line::PromptPurpose;
use crate::tui::kit::prompt::Prompt;
use crate::tui::kit::screen::{Click, Screen};
use crate::tui::kit::targets::Target;
use crate::tui::screens::calendar::Calendar;

impl App {
    pub(super) fn show(&mut self, screen: Screen) {
        (self.at, self.read) = (screen, None);
        if screen == Screen::Calendar {
            self.calendar.enter(&self.shared);
        }
    }

    pub(super) fn go(&mut self, go: Go) {
        match go {
            Go::Screen(screen) => self.show(screen),
            Go::Sell(performance) => self.sell(performance),
            Go::SellBest(performance) => {
                self.sell(performance);
                asking!(self, context, Prompt::ask(PromptPurpose::Best, "", context));
            }
            Go::Seat(performance, seat) => {
                self.at = Screen::Seats;
                self.seats.show(performance, seat);
            }
            Go::Time(resource, at) => {
                self.at = Screen::Calendar;
                self.calendar.show(resource, at, &self.shared);
            }
            Go::Booking(booking, resource, at) => {
                self.go(Go::Time(resource, at));
                asking!(self, context, Calendar::open_booking(booking, context));
            }
            Go::Receipt(receipt) => {
                self.at = Screen::Orders;
                self.orders.open(receipt, &self.shared);
            }
            Go::Reservation(cart) => {
                self.at = Screen::Orders;
                self.orders.open_reservation(cart, &self.shared);
            }
            Go::ToCollect => {
                self.at = Screen::Orders;
                self.orders.show_to_collect(&self.shared);
            }
            Go::LostSeats => {
                self.at = Screen::Orders;
                self.orders.show_lost(&self.shared);
            }
            Go::Job(job) => {
                self.at = Screen::Jobs;
                self.jobs.show(job);
            }
            Go::OpenCarts(cart) => self.open(OpenCarts::at(cart)),
            Go::TakeOver(row) => self.take_over(&row),
            Go::Act(action) => self.act_on_top(action),
            Go::ActAt(place, action) => self.act_at(place, action),
            Go::SellLine(text) => self.sell_line(&text),
            Go::Want(wish) => self.want(wish),
            Go::Undo(number) if self.shared.cart.is_newest(number) => self.undo_now(),
            Go::Undo(_) => self.note("That can't be undone any more"),
            Go::Send(act) => {
                asking!(self, context, context.act(act));
            }
            Go::Unpaid(why) => self.unpaid(why),
            Go::Pin(pin) => self.pin_typed(pin),
            Go::Unapproved(refused) => self.unapproved(*refused),
            Go::Quit => self.effects.push(Effect::Quit),
            Go::GiveBackAndQuit => {
                self.want(CartWish::of_cart(|cart| CancelCart { cart }));
                self.ending = Ending::OnceSettled;
            }
            Go::PayReservation(cart) => self.pay_reservation(cart),
            Go::PrintAgain(receipt) => self.print_again(receipt),
            Go::Open(dialog) => self.show_dialog(dialog),
            Go::Typed(typed) => self.typed(typed),
        }
    }

    /// The map of a performance.
    fn sell(&mut self, performance: PerformanceId) {
        self.at = Screen::Seats;
        self.seats.open(performance);
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
        asking!(self, context, on_screen!(self, [mut] screen, screen.click(target, click, context)));
    }
}
