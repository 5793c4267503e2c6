//! Actions of keys on a screen: the screen's own first, then those of every screen.

use crossterm::event::KeyCode;

use crate::domain::customer::Customer;
use crate::domain::text::clean;
use crate::engine::ops::{ExtendCart, NameCustomer};
use crate::tui::app::App;
use crate::tui::app::demo_bar::DemoBar;
use crate::tui::data::msg::{Effect, Mouse};
use crate::tui::data::own_cart::{CartWish, OwnCart};
use crate::tui::dialogs::find::Finder;
use crate::tui::dialogs::open_carts::set_aside;
use crate::tui::dialogs::opened_by;
use crate::tui::dialogs::picker::{Picker, Shows};
use crate::tui::kit::action::Action;
use crate::tui::kit::context::Context;
use crate::tui::kit::input::Key;
use crate::tui::kit::keymap::KeyPlace;
use crate::tui::kit::prompt::{Prompt, PromptWords};
use crate::tui::kit::question::QuestionDialog;
use crate::tui::kit::screen::{Handled, Screen};
use crate::tui::widgets::cart_panel::count_words;
use crate::words;

const SET_ASIDE: PromptWords =
    ("set aside for", "a name, or nothing", &[("Enter", "set the cart aside"), ("Esc", "close")]);

impl App {
    pub(super) fn key(&mut self, key: Key) {
        if self.is_deaf(key) {
            return;
        }
        if self.is_too_small() {
            self.small_key(key);
        } else if self.modal.is_some() {
            self.modal_key(key);
        } else {
            self.screen_key(key);
        }
    }

    /// True while keys are ignored after a payment dialog was closed: they were meant for it.
    fn is_deaf(&mut self, key: Key) -> bool {
        let deaf = self.deaf_until.is_some_and(|until| self.shared.now < until);
        if !deaf || key.code == KeyCode::Esc {
            self.deaf_until = None;
            return false;
        }
        true
    }

    /// Below the minimum size only quitting works, because nothing else is visible.
    fn small_key(&mut self, key: Key) {
        if self.asks_to_quit() {
            self.modal_key(key);
        } else if self.shared.keymap.action(self.at.place(), key) == Some(Action::Quit) {
            self.put_by();
            self.covered = self.modal.take();
            self.quit();
        }
    }

    fn screen_key(&mut self, key: Key) {
        let place = self.screen_place();
        match self.shared.keymap.action(place, key) {
            Some(action) => self.act(action, key),
            None => self.means_nothing(key),
        }
    }

    /// Does an action of the help: in the dialog that was open below it, or on the screen.
    pub(super) fn act_on_top(&mut self, action: Action) {
        self.modal = self.modal.take().or_else(|| self.covered.take());
        if self.modal.is_some() {
            self.dialog_act(action);
        } else {
            self.act(action, Key::plain(KeyCode::Enter));
        }
    }

    /// Goes to the screen of an action and does it there; what would change something that nobody has seen yet, or needs
    /// more than the screen, is shown with its key instead.
    pub(super) fn act_at(&mut self, place: KeyPlace, action: Action) {
        if let Some(screen) = Screen::with(place) {
            self.show(screen);
        }
        if self.screen_place() == place && !changes_at_once(action) {
            self.act(action, Key::plain(KeyCode::Enter));
            return;
        }
        let keymap = &self.shared.keymap;
        let line = keymap.all(place).find(|line| line.action == action);
        let help = line.map_or_else(String::new, |line| keymap.fill(place, &line.help));
        let name = format!("{}.{}", place.word(), action.word());
        self.note(format!("{}: <{name}>  {help}", place.title()));
    }

    /// Does what a key, the palette or a click means on this screen.
    pub(super) fn act(&mut self, action: Action, key: Key) {
        let handled = asking!(self, context, screen!(self, mut).act(action, context));
        if handled == Handled::No && !self.act_on_cart(action) && !self.act_on_desk(action) {
            self.means_nothing(key);
        }
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "the rest is passed on")]
    fn act_on_cart(&mut self, action: Action) -> bool {
        match action {
            Action::Pay => self.open_pay(),
            Action::Extend => self.extend(),
            Action::Reserve => self.reserve(),
            Action::NextCustomer => self.next_customer(),
            Action::CancelCart => self.ask_cancel(),
            Action::Undo => self.undo(),
            _ => return false,
        }
        true
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "the rest is passed on")]
    pub(super) fn act_on_desk(&mut self, action: Action) -> bool {
        if let Some(screen) = Screen::shown_by(action) {
            self.show(screen);
            return true;
        }
        if let Some(dialog) = opened_by(action, &self.shared) {
            self.show_dialog(dialog);
            return true;
        }
        match action {
            Action::Close => self.close(),
            Action::Find => self.open(Finder::new(self.seats.performance())),
            Action::Palette => {
                let sale = self.seats.sale_line(&self.shared);
                self.open(Picker::new(Shows::Commands(sale), self.screen_place()));
            }
            Action::Help => {
                self.open(Picker::new(Shows::Keys, self.screen_place()));
            }
            Action::WriteList => self.ask_where(),
            Action::Mouse => self.toggle_mouse(),
            Action::Quit => self.quit(),
            Action::Demo => self.open_demo_bar(),
            Action::ConfirmClock => self.ask_clock(),
            Action::Lock => self.lock(),
            Action::Redraw => self.effects.push(Effect::Redraw),
            Action::Interrupt => self.interrupt(),
            Action::Suspend => self.effects.push(Effect::Suspend),
            _ => return false,
        }
        true
    }

    /// A key that means nothing here says so, so that nobody thinks the desk hangs.
    pub(super) fn means_nothing(&mut self, key: Key) {
        let place = self.screen_place();
        let capital = key.text().filter(char::is_ascii_uppercase);
        let small = capital.map(|letter| Key::plain(KeyCode::Char(letter.to_ascii_lowercase())));
        let caps = small.is_some_and(|small| self.shared.keymap.action(place, small).is_some());
        let hint = if caps { " (Caps Lock?)" } else { "" };
        self.note(format!("{key} does nothing here{hint}; <help> shows keys"));
    }

    fn close(&mut self) {
        self.shared.cart.close_refusal();
    }

    /// Stops a wait that can be stopped: what was not sent yet. What was sent will be answered.
    fn interrupt(&mut self) {
        if self.shared.cart.has_queued() {
            self.with_cart(|cart, _| cart.drop_queue());
            self.note("What waited is dropped; what the house was asked for, it will answer");
        } else {
            self.note("<quit> quits");
        }
    }

    fn extend(&mut self) {
        if self.shared.cart.has_seats() {
            self.want(CartWish::of_cart(|cart| ExtendCart { cart }));
        } else {
            self.note("There is no hold to extend; pick seats first");
        }
    }

    /// Sets the cart aside for the next customer, and asks for a name unless it has one.
    fn next_customer(&mut self) {
        let cart = self.shared.cart.view();
        let has_name = cart.is_some_and(|view| !view.customer.name.is_empty());
        if self.shared.cart.has_seats() && !has_name {
            self.open(Prompt::new(SET_ASIDE, "", &self.shared, |name, context| {
                set_aside_for(clean(name), context);
                Ok(())
            }));
        } else if self.shared.cart.put_sold_away() {
            self.note("Ready for the next customer");
        } else if !asking!(self, context, set_aside(context)) {
            self.note("The cart is empty: it is ready for the next customer");
        }
    }

    /// Undoes the newest act; asks where it was done on another screen or long ago.
    fn undo(&mut self) {
        match self.shared.cart.undo_doubt(self.at, self.shared.now) {
            Some(doubt) => self.ask_undo(&doubt),
            None => self.undo_now(),
        }
    }

    pub(super) fn undo_now(&mut self) {
        self.with_cart(OwnCart::undo);
    }

    fn cart_words(&self) -> String {
        let cart = self.shared.cart.view();
        cart.map_or_else(|| words::count(0, "seat"), count_words)
    }

    fn ask_cancel(&mut self) {
        if self.shared.cart.has_seats() {
            self.open(QuestionDialog::cancel(&self.cart_words()));
        } else {
            self.note("The cart is empty; there is nothing to cancel");
        }
    }

    pub(super) fn quit(&mut self) {
        let cart = &self.shared.cart;
        if cart.has_seats() && (cart.live_cart().is_some() || !cart.is_settled()) {
            self.open(QuestionDialog::quit(&self.cart_words()));
        } else {
            self.effects.push(Effect::Quit);
        }
    }

    fn toggle_mouse(&mut self) {
        self.shared.mouse = match self.shared.mouse {
            Mouse::On => Mouse::Off,
            Mouse::Off => Mouse::On,
        };
        let words = match self.shared.mouse {
            Mouse::On => "The mouse is on: click a seat to pick it",
            Mouse::Off => "The mouse is the terminal's: it selects text; <mouse> turns it on",
        };
        self.effects.push(Effect::Mouse(self.shared.mouse));
        self.note(words);
    }

    /// Key table of the key bar; none for a dialog with keys of its own.
    pub(crate) fn bar_place(&self) -> Option<KeyPlace> {
        match &self.modal {
            _ if self.bar == DemoBar::Open => Some(KeyPlace::Demo),
            Some(_) => self.shown()?.place(),
            None => Some(self.screen_place()),
        }
    }
}

/// Sets the cart aside, under a name if one is given.
fn set_aside_for(name: String, context: &mut Context<'_>) {
    if !name.is_empty() {
        let view = context.shared.cart.view();
        let phone = view.map_or_else(String::new, |view| view.customer.phone.clone());
        let customer = Customer { name, phone, ..Customer::default() };
        context.want(CartWish::of_cart(move |cart| NameCustomer { cart, customer: customer.clone() }));
    }
    set_aside(context);
}

/// True for an act on what is under the cursor, or on the cart, that asks nothing first.
const fn changes_at_once(action: Action) -> bool {
    matches!(
        action,
        Action::Pick
            | Action::Main
            | Action::Mark
            | Action::GiveBack
            | Action::TicketType
            | Action::Accept
            | Action::Seen
            | Action::PutOff
            | Action::RunNow
            | Action::Park
            | Action::Extend
            | Action::NextCustomer
            | Action::Collect
            | Action::Move
            | Action::Undo
    )
}
