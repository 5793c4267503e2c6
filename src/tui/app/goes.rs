//! Where the operator goes: screens, what was found, what is pasted and clicked.

use crate::domain::money::priced;
use crate::tui::app::App;
use crate::tui::dialogs::Modal;
use crate::tui::dialogs::dialog::Flow;
use crate::tui::dialogs::find::Finder;
use crate::tui::dialogs::reserve::Reserve;
use crate::tui::dialogs::story::Story;
use crate::tui::go::{Go, PromptPurpose};
use crate::tui::screens::{Click, Screen};
use crate::tui::targets::Target;

impl App {
    pub(super) fn show(&mut self, screen: Screen) {
        self.at = screen;
        asking!(
            self,
            context,
            match screen {
                Screen::Tonight => self.tonight.enter(&mut context),
                Screen::Seats => self.seats.enter(&mut context),
                Screen::Calendar => self.calendar.enter(&mut context),
                Screen::Orders => self.orders.enter(&mut context),
                Screen::Jobs => self.jobs.enter(&mut context),
            }
        );
    }

    pub(super) fn go(&mut self, go: Go) {
        if let Go::Screen(screen) = go {
            self.show(screen);
            return;
        }
        self.go_to(&go);
        self.open_over(go);
    }

    /// The screen that shows it, and the place on it.
    fn go_to(&mut self, go: &Go) {
        asking!(
            self,
            context,
            match *go {
                Go::Sell(performance) | Go::SellBest(performance) => {
                    self.at = Screen::Seats;
                    self.seats.open(performance, &mut context);
                }
                Go::Seat(performance, seat) => {
                    self.at = Screen::Seats;
                    self.seats.show(performance, seat, &mut context);
                }
                Go::Time(ref resource, at) => {
                    self.at = Screen::Calendar;
                    self.calendar.show(resource.clone(), at, &mut context);
                }
                Go::Booking(booking, ref resource, at) => {
                    self.at = Screen::Calendar;
                    self.calendar.show(resource.clone(), at, &mut context);
                    self.calendar.show_booking(booking, &mut context);
                }
                Go::Receipt(receipt) => {
                    self.at = Screen::Orders;
                    self.orders.open(receipt, &mut context);
                }
                Go::Reservation(cart) => {
                    self.at = Screen::Orders;
                    self.orders.open_reservation(cart, &mut context);
                }
                Go::ToCollect => {
                    self.at = Screen::Orders;
                    self.orders.show_to_collect(&mut context);
                }
                Go::Job(ref job) => {
                    self.at = Screen::Jobs;
                    self.jobs.show(job.clone(), &mut context);
                }
                Go::Ask(_)
                | Go::Revive(..)
                | Go::Cart(_)
                | Go::OpenCarts
                | Go::TakeOver(_)
                | Go::Act(_)
                | Go::SellLine(_)
                | Go::Answered(_)
                | Go::PayReservation(_)
                | Go::PutOff(_)
                | Go::CancelReservation(_)
                | Go::Story(_)
                | Go::PrintAgain(_)
                | Go::Question(_)
                | Go::Typed(_)
                | Go::Series(_)
                | Go::Screen(_)
                | Go::GivenBack(..) => {}
            }
        );
    }

    /// The dialog that opens over a screen.
    fn open_over(&mut self, go: Go) {
        match go {
            Go::SellBest(_) => self.prompt(PromptPurpose::Best),
            Go::Cart(cart) => self.open_carts(Some(cart)),
            Go::OpenCarts => self.open_carts(None),
            Go::TakeOver(row) => self.take_over(&row),
            Go::Act(action) => self.act_on_top(action),
            Go::SellLine(text) => self.sell_line(&text),
            Go::Answered(then) => self.answered(*then),
            Go::PayReservation(cart) => self.pay_reservation(cart),
            Go::PutOff(of) => self.modal = Some(Modal::Reserve(Box::new(Reserve::later(&of)))),
            Go::CancelReservation(of) => self.ask_cancel_reservation(&of),
            Go::Story(query) => {
                asking!(
                    self,
                    context,
                    self.modal = Some(Modal::Story(Story::open(query, &mut context)))
                );
            }
            Go::PrintAgain(receipt) => self.prompt(PromptPurpose::Print(receipt)),
            Go::Question(question) => self.modal = Some(Modal::Question(*question)),
            Go::Typed(typed) => self.typed(typed),
            Go::Series(series) => {
                asking!(
                    self,
                    context,
                    self.calendar.show_series(series, &mut context)
                );
                self.keep_dialog();
            }
            Go::GivenBack(item, minor, currency) => {
                self.ask_given_back(item, &priced(minor, currency));
            }
            Go::Ask(purpose) => self.prompt(purpose),
            Go::Revive(cart, why) => self.ask_revive(cart, why),
            Go::Screen(_)
            | Go::Sell(_)
            | Go::Seat(..)
            | Go::Time(..)
            | Go::Booking(..)
            | Go::Receipt(_)
            | Go::Reservation(_)
            | Go::ToCollect
            | Go::Job(_) => self.keep_dialog(),
        }
    }

    pub(super) fn paste(&mut self, text: &str) {
        if self.modal.is_none() {
            self.modal = Some(Modal::Find(Finder::new(self.seats.performance())));
        }
        self.with_dialog(|dialog, context| {
            dialog.paste(text, context);
            Flow::Stay
        });
    }

    pub(super) fn click_screen(&mut self, target: &Target, click: Click) {
        asking!(
            self,
            context,
            match self.at {
                Screen::Tonight => self.tonight.click(target, click, &mut context),
                Screen::Seats => self.seats.click(target, click, &mut context),
                Screen::Calendar => self.calendar.click(target, click, &mut context),
                Screen::Orders => self.orders.click(target, click, &mut context),
                Screen::Jobs => self.jobs.click(target, click, &mut context),
            }
        );
        self.keep_dialog();
    }
}
