//! State of the terminal application, and its update by messages.
//!
//! `update` is pure and synchronous: no clock, no terminal, no engine; time comes as a message. A key goes to the
//! open dialog, else to the screen, else to the global key table; an unbound key is answered with a message.

use ratatui::layout::Size;

use crate::domain::ids::CartId;
use crate::domain::time::Span;
use crate::engine::reads::catalog::ReadSettings;
use crate::tui::app::demo_bar::DemoBar;
use crate::tui::data::left::LeftAt;
use crate::tui::data::msg::{Changed, Effect, Msg, Subject};
use crate::tui::data::own_cart::OwnCart;
use crate::tui::data::ticket::TicketOwner;
use crate::tui::kit::context::Asked;
use crate::tui::kit::dialog::Dialog;
use crate::tui::kit::input::PointerAct;
use crate::tui::kit::keymap::KeyPlace;
use crate::tui::kit::screen::Screen;
use crate::tui::kit::shared::{Shared, Tone};
use crate::tui::kit::targets::{Target, Targets};
use crate::tui::kit::theme::Depth;
use crate::tui::screens::calendar::Calendar;
use crate::tui::screens::jobs::Jobs;
use crate::tui::screens::orders::Orders;
use crate::tui::screens::seats::Seats;
use crate::tui::screens::tonight::TonightScreen;

/// Runs an expression with a [`Context`](crate::tui::kit::context::Context), and carries out what it asked for.
macro_rules! asking {
    ($app:ident, $context:ident, $does:expr) => {{
        let mut asking = crate::tui::kit::context::Context::new(&mut $app.shared);
        let $context = &mut asking;
        let done = $does;
        let asked = asking.finish();
        $app.follow(asked);
        done
    }};
}

/// The screen that is shown; a macro, as the rest of the app stays free to be borrowed.
macro_rules! screen {
    ($app:ident $(, $mut:tt)?) => {{
        let screen: &$($mut)? dyn crate::tui::kit::screen_state::ScreenState = match $app.at {
            crate::tui::kit::screen::Screen::Tonight => &$($mut)? $app.tonight,
            crate::tui::kit::screen::Screen::Seats => &$($mut)? $app.seats,
            crate::tui::kit::screen::Screen::Calendar => &$($mut)? $app.calendar,
            crate::tui::kit::screen::Screen::Orders => &$($mut)? $app.orders,
            crate::tui::kit::screen::Screen::Jobs => &$($mut)? $app.jobs,
        };
        screen
    }};
}

mod animation;
mod answers;
mod carts;
mod demo;
pub(crate) mod demo_bar;
mod doubled;
mod early;
pub(crate) mod frame;
mod goes;
mod hands;
mod lists;
mod modals;
mod mouse;
mod papers;
mod prompts;
mod questions;
mod screen_keys;
#[cfg(test)]
pub(crate) mod tests;

/// Minimum terminal size.
pub(crate) const SMALLEST: Size = Size { width: 60, height: 18 };
/// Time that keys are ignored for after a payment was dropped.
const DEAF: Span = Span::from_millis(400);

/// State of the terminal application.
#[derive(Debug)]
pub(crate) struct App {
    /// State shared by all screens.
    pub shared: Shared,
    pub at: Screen,
    pub tonight: TonightScreen,
    pub seats: Seats,
    pub calendar: Calendar,
    pub orders: Orders,
    pub jobs: Jobs,
    pub modal: Option<Box<dyn Dialog>>,
    /// Screen that has read what it shows; none for one that is to read it again.
    read: Option<Screen>,
    /// True if the dialog has just been opened.
    is_opened: bool,
    /// Dialog below the help of its keys, or below the question whether to quit a terminal that became too small.
    covered: Option<Box<dyn Dialog>>,
    /// Tour and crowd bar; while open, its keys take precedence.
    pub bar: DemoBar,
    /// Cursor in the list of the demo's chapters.
    pub chapter: usize,
    /// Keys that the tour pressed in its present step.
    pub pressed: Vec<String>,
    targets: Targets,
    /// Dialog that was put by.
    kept: Option<Box<dyn Dialog>>,
    last_press: Option<(Target, crate::domain::time::Instant)>,
    swallowing_release: bool,
    deaf_until: Option<crate::domain::time::Instant>,
    /// Time of the last key or click.
    touched_at: crate::domain::time::Instant,
    /// Keys that wait for their screen.
    early: Option<early::EarlyKeys>,
    /// Time until which another Enter counts as the previous one bounced.
    doubled_until: Option<crate::domain::time::Instant>,
    /// Reservation to pay as soon as this desk has taken it over.
    to_pay: Option<CartId>,
    ending: Ending,
    /// Colour depth, where the theme follows the terminal's background.
    ground_depth: Option<Depth>,
    effects: Vec<Effect>,
    dirty: bool,
}

/// Shutdown in progress.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ending {
    No,
    /// End once the cart is settled.
    OnceSettled,
}

impl App {
    /// Opens the application on Tonight.
    pub(crate) fn new(shared: Shared) -> Self {
        Self {
            touched_at: shared.now,
            shared,
            at: Screen::Tonight,
            tonight: TonightScreen::default(),
            seats: Seats::default(),
            calendar: Calendar::default(),
            orders: Orders::default(),
            jobs: Jobs::default(),
            modal: None,
            read: None,
            is_opened: false,
            covered: None,
            bar: DemoBar::Closed,
            chapter: 0,
            pressed: Vec::new(),
            targets: Targets::default(),
            kept: None,
            last_press: None,
            swallowing_release: false,
            deaf_until: None,
            early: None,
            doubled_until: None,
            to_pay: None,
            ending: Ending::No,
            ground_depth: None,
            effects: Vec::new(),
            dirty: true,
        }
    }

    /// Begins anew in another house; the terminal, the demo and the numbers of requests go on.
    pub(crate) fn move_to(&mut self, mut house: Shared) -> Vec<Effect> {
        let before = &mut self.shared;
        house.size = before.size;
        house.mouse = before.mouse;
        house.tickets = before.tickets.anew();
        std::mem::swap(&mut house.theme, &mut before.theme);
        std::mem::swap(&mut house.demo, &mut before.demo);
        let (bar, chapter, ground_depth) = (self.bar, self.chapter, self.ground_depth);
        *self = Self { bar, chapter, ground_depth, ..Self::new(house) };
        self.start()
    }

    /// Reads the data of the first screen.
    pub(crate) fn start(&mut self) -> Vec<Effect> {
        self.show(self.at);
        self.lock_if_unproven();
        self.ask_left_open();
        self.ask_needed();
        self.remember_asked();
        std::mem::take(&mut self.effects)
    }

    /// Handles a message, and then the keys that waited for it; returns the effects to carry out.
    pub(crate) fn update(&mut self, msg: Msg) -> Vec<Effect> {
        let mut effects = self.step(msg);
        for key in self.keys_due() {
            effects.extend(self.step(Msg::Key(key)));
        }
        effects
    }

    fn step(&mut self, msg: Msg) -> Vec<Effect> {
        let tick = matches!(msg, Msg::Tick(_));
        let before = self.before(&msg);
        self.shared.on = self.at;
        let pressed = matches!(&msg, Msg::Pointer(pointer) if pointer.what == PointerAct::Press);
        if pressed || matches!(msg, Msg::Key(_) | Msg::Paste(_)) {
            self.shared.says.go_on(self.shared.now);
            self.touched_at = self.shared.now;
        }
        if pressed || matches!(msg, Msg::Paste(_)) {
            self.drop_early("Dropped: ");
        }
        match msg {
            Msg::Key(key) if self.bar == DemoBar::Open => self.demo_key(key),
            Msg::Key(key) if self.is_doubled(key) || self.is_early(key) => {}
            Msg::Key(key) => self.key(key),
            Msg::Played(key) => self.played(key),
            Msg::Typed(key) => self.typed_by_tour(key),
            Msg::Paste(text) => self.paste(&text),
            Msg::Pointer(pointer) => self.pointer(pointer),
            Msg::Resize(size) => {
                // the target that was pressed stands elsewhere now
                (self.shared.size, self.last_press) = (size, None);
            }
            Msg::Background(ground) => self.ground_is(ground),
            Msg::Tick(now) => self.tick(now),
            Msg::ClockJumped(by) => self.clock_jumped(by),
            Msg::Away(since) => self.went_away(since),
            Msg::Answer(ticket, answer) => self.answer(ticket, answer),
            Msg::Changed(changed) => self.changed(&changed),
            Msg::Demo(state) => self.demo_moved(state),
            Msg::Stop => self.effects.push(Effect::Quit),
        }
        self.dirty |= !tick;
        if self.ending == Ending::OnceSettled && self.shared.cart.is_settled() {
            self.effects.push(Effect::Quit);
        }
        if self.modal.is_none() {
            self.modal = self.covered.take();
        }
        self.keep_lit();
        self.calendar.typed = self.shown().and_then(|dialog| dialog.would_take(&self.shared));
        if self.at == Screen::Calendar {
            asking!(self, context, {
                self.calendar.keep_marked(context);
            });
        }
        self.after(before);
        self.ask_needed();
        self.remember_asked();
        std::mem::take(&mut self.effects)
    }

    /// The place to open at the next start.
    pub(crate) const fn left_at(&self) -> LeftAt {
        LeftAt { screen: self.at, performance: self.seats.performance(), zoom: self.seats.zoom() }
    }

    /// Opens the place that this station left.
    pub(crate) const fn restore(&mut self, left: LeftAt) {
        self.at = left.screen;
        if let Some(performance) = left.performance {
            self.seats.restore(performance, left.zoom);
        }
    }

    /// True if a redraw is due; clears the flag.
    pub(crate) fn take_dirty(&mut self) -> bool {
        std::mem::take(&mut self.dirty)
    }

    /// Stores the hit targets of the frame just drawn.
    pub(crate) fn drawn(&mut self, targets: Targets) {
        self.targets = targets;
    }

    /// Hit targets of the last frame.
    #[cfg(test)]
    pub(crate) const fn targets(&self) -> &Targets {
        &self.targets
    }

    /// True if the terminal is below the minimum size.
    pub(crate) const fn is_too_small(&self) -> bool {
        self.shared.size.width < SMALLEST.width || self.shared.size.height < SMALLEST.height
    }

    /// True while the question whether to quit is open.
    pub(crate) fn asks_to_quit(&self) -> bool {
        self.shown().is_some_and(Dialog::asks_to_quit)
    }

    /// Key table of the screen below any dialog.
    pub(crate) fn screen_place(&self) -> KeyPlace {
        screen!(self).place(&self.shared)
    }

    fn tick(&mut self, now: crate::domain::time::Instant) {
        let before = self.shared.now;
        self.shared.now = now;
        self.follow_typed();
        let second = now.millis() / 1000;
        if before.millis() / 1000 == second {
            return;
        }
        let toast_went = self.shared.says.toast(before).is_some() && self.shared.says.toast(now).is_none();
        let minute = before.millis() / 60_000 != now.millis() / 60_000;
        let counting = screen!(self).counts(&self.shared) || self.shared.cart.left(now).is_some();
        self.dirty |= toast_went || minute || counting;
        if self.with_cart(OwnCart::tick) {
            self.dirty = true;
            self.cart_expired();
        }
        self.be_present();
        self.lock_when_idle();
    }

    /// Announces this station and its screen, when that is due.
    fn be_present(&mut self) {
        let place = screen!(self).showing(self.shared.now).unwrap_or_else(|| self.at.name().to_owned());
        let shared = &mut self.shared;
        let effect = shared.stations.tick(shared.now, place, &mut shared.tickets);
        self.effects.extend(effect);
    }

    fn changed(&mut self, changed: &Changed) {
        let shared = &mut self.shared;
        let effect = shared.stations.changed(changed, &mut shared.tickets);
        self.effects.extend(effect);
        if changed.touches(|subject| subject == Subject::Settings) {
            asking!(self, context, context.read(TicketOwner::Settings, ReadSettings));
        }
        self.with_cart(|cart, context| cart.changed(changed, context));
        self.shared.reads.changed(changed);
    }

    fn say(&mut self, tone: Tone, text: impl Into<String>) {
        self.shared.say(tone, text);
    }

    fn note(&mut self, text: impl Into<String>) {
        self.say(Tone::Note, text);
    }

    fn follow(&mut self, asked: Asked) {
        self.effects.extend(asked.effects);
        for (number, wish) in asked.wishes {
            self.with_cart(|cart, context| cart.want(number, wish, context));
        }
        for go in asked.goes {
            self.go(go);
        }
    }
}
