//! The whole state of the screen side, and how a message changes it.
//!
//! `update` is pure and sync: no clock, no terminal, no engine. Time comes in as a message. A key goes to what
//! stands over the screen, else to the screen, else to what holds everywhere; one that means nothing says so.

use std::collections::HashMap;

use ratatui::layout::Size;

use crate::domain::ids::CartId;
use crate::domain::time::Span;
use crate::engine::ops::AnyAnswer;
use crate::tui::dialogs::Modal;
use crate::tui::dialogs::demo_bar::{self, DemoBar};
use crate::tui::dialogs::dialog::Flow;
use crate::tui::dialogs::prompt::PromptPurpose;
use crate::tui::keymap::KeyPlace;
use crate::tui::msg::{Answer, Changed, Effect, Msg, Trouble};
use crate::tui::own_cart::OwnCart;
use crate::tui::remote::Ticket;
use crate::tui::screens::Screen;
use crate::tui::screens::calendar::Calendar;
use crate::tui::screens::jobs::Jobs;
use crate::tui::screens::orders::Orders;
use crate::tui::screens::pay::Pay;
use crate::tui::screens::seats::Seats;
use crate::tui::screens::tonight::TonightScreen;
use crate::tui::shared::{Asked, Context, Shared, Tone};
use crate::tui::targets::{Target, Targets};
use crate::tui::theme::Depth;
use crate::tui::wording;

mod acts;
mod asking;
mod calendar;
mod carts;
mod demo;
mod doubled;
mod goes;
mod known_keys;
mod modals;
mod mouse;
mod moving;
mod papers;
mod reserving;
#[cfg(test)]
mod tests;
mod waiting;

/// The smallest terminal that the desk can be used in.
pub const SMALLEST: Size = Size {
    width: 60,
    height: 18,
};
/// After a payment that was dropped, keys typed behind it are dropped for this long.
const DEAF: Span = Span::from_millis(400);

/// The whole state of the screen side.
#[derive(Debug)]
pub struct App {
    /// What every screen sees.
    pub shared: Shared,
    /// The screen on top.
    pub at: Screen,
    /// The front page.
    pub tonight: TonightScreen,
    /// The map.
    pub seats: Seats,
    /// Time of resources.
    pub calendar: Calendar,
    /// Receipts.
    pub orders: Orders,
    /// What comes due.
    pub jobs: Jobs,
    /// What stands over the screen.
    pub modal: Option<Modal>,
    /// What stood there before the desk, too small to show it, asked whether to quit.
    covered: Option<Modal>,
    /// The tour and crowd bar, whose keys come before all others while it is open.
    pub bar: DemoBar,
    targets: Targets,
    kept_pay: Option<Box<Pay>>,
    typed_before: HashMap<&'static str, String>,
    last_press: Option<(Target, crate::domain::time::Instant)>,
    swallowing_release: bool,
    deaf_until: Option<crate::domain::time::Instant>,
    /// Until then Enter is the one before, pressed twice.
    doubled_until: Option<crate::domain::time::Instant>,
    /// Commands that a question's answer has sent, each with what is said once it is done.
    decided: Vec<(Ticket, String)>,
    papers: papers::OnTheWay,
    /// The reservation that is paid as soon as it is this desk's.
    to_pay: Option<CartId>,
    /// The question at the start whether a cart of this desk was left open.
    left_open: Option<Ticket>,
    ending: Ending,
    /// How many colours there are, where the theme follows the terminal's ground.
    ground_depth: Option<Depth>,
    effects: Vec<Effect>,
    dirty: bool,
}

/// Whether the program is about to end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ending {
    No,
    /// As soon as the cart is settled.
    OnceSettled,
}

impl App {
    /// The desk as it opens: on Tonight.
    #[must_use]
    pub fn new(shared: Shared) -> Self {
        Self {
            shared,
            at: Screen::Tonight,
            tonight: TonightScreen::default(),
            seats: Seats::default(),
            calendar: Calendar::default(),
            orders: Orders::default(),
            jobs: Jobs::default(),
            modal: None,
            covered: None,
            bar: DemoBar::Closed,
            targets: Targets::default(),
            kept_pay: None,
            typed_before: HashMap::new(),
            last_press: None,
            swallowing_release: false,
            deaf_until: None,
            doubled_until: None,
            decided: Vec::new(),
            papers: papers::OnTheWay::default(),
            to_pay: None,
            left_open: None,
            ending: Ending::No,
            ground_depth: None,
            effects: Vec::new(),
            dirty: true,
        }
    }

    /// Asks for what the first screen shows.
    pub fn start(&mut self) -> Vec<Effect> {
        self.show(self.at);
        self.ask_left_open();
        self.remember_asked();
        std::mem::take(&mut self.effects)
    }

    /// What happened; what is to be done about it.
    pub fn update(&mut self, msg: Msg) -> Vec<Effect> {
        let tick = matches!(msg, Msg::Tick(_));
        let before = self.before(&msg);
        self.shared.on = self.at;
        match msg {
            Msg::Key(key) if self.bar == DemoBar::Open => self.demo_key(key),
            Msg::Key(key) if self.is_doubled(key) => {}
            Msg::Key(key) => self.key(key),
            Msg::Played(key) => self.played(key),
            Msg::Paste(text) => self.paste(&text),
            Msg::Pointer(pointer) => self.pointer(pointer),
            Msg::Resize(size) => self.shared.size = size,
            Msg::Ground(ground) => self.ground_is(ground),
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
        self.after(before);
        self.remember_asked();
        self.shared.bar_lines = demo_bar::height(self, self.shared.size.width);
        std::mem::take(&mut self.effects)
    }

    /// Whether there is something new to draw; asking forgets it.
    pub fn take_dirty(&mut self) -> bool {
        std::mem::take(&mut self.dirty)
    }

    /// What was drawn, so that the mouse hits it.
    pub fn drawn(&mut self, targets: Targets) {
        self.targets = targets;
    }

    /// Where a thing was drawn; for tests.
    #[must_use]
    pub const fn targets(&self) -> &Targets {
        &self.targets
    }

    /// Whether the terminal is too small to be used.
    #[must_use]
    pub const fn is_too_small(&self) -> bool {
        self.shared.size.width < SMALLEST.width || self.shared.size.height < SMALLEST.height
    }

    /// Whether the desk asks if it is to be quit.
    #[must_use]
    pub fn asks_to_quit(&self) -> bool {
        matches!(&self.modal, Some(Modal::Question(question)) if question.asks_to_quit())
    }

    /// Whose keys hold on the screen below any dialog.
    #[must_use]
    pub fn screen_place(&self) -> KeyPlace {
        match self.at {
            Screen::Tonight => self.tonight.place(),
            Screen::Seats => self.seats.place(),
            Screen::Calendar => self.calendar.place(),
            Screen::Orders => self.orders.place(),
            Screen::Jobs => self.jobs.place(),
        }
    }

    fn tick(&mut self, now: crate::domain::time::Instant) {
        let before = self.shared.now;
        self.shared.now = now;
        let second = now.millis() / 1000;
        if before.millis() / 1000 == second {
            return;
        }
        let toast_went =
            self.shared.says.toast(before).is_some() && self.shared.says.toast(now).is_none();
        let minute = before.millis() / 60_000 != now.millis() / 60_000;
        let on_screen = match self.at {
            Screen::Tonight => self.tonight.counts(&self.shared),
            Screen::Seats => self.seats.counts(&self.shared),
            Screen::Jobs => self.jobs.counts(&self.shared),
            Screen::Calendar | Screen::Orders => false,
        };
        let counting = on_screen || self.shared.cart.left(now).is_some();
        self.dirty |= toast_went || minute || counting;
        if self.with_cart(OwnCart::tick) {
            self.dirty = true;
            self.cart_expired();
        }
        self.be_present();
        let mut context = Context::new(&mut self.shared);
        self.seats.tick(&mut context);
        match self.at {
            Screen::Tonight => self.tonight.tick(&mut context),
            Screen::Calendar => self.calendar.tick(&mut context),
            Screen::Jobs => self.jobs.tick(&mut context),
            Screen::Seats | Screen::Orders => {}
        }
        let asked = context.finish();
        self.follow(asked);
    }

    /// Says, when it is time to, that this station is on and what is on its screen.
    fn be_present(&mut self) {
        let name = self.at.name();
        let place = match self.at {
            Screen::Seats => self.seats.showing(),
            Screen::Tonight | Screen::Calendar | Screen::Orders | Screen::Jobs => None,
        };
        let place = place.unwrap_or_else(|| name.to_owned());
        let shared = &mut self.shared;
        let effect = shared.stations.tick(shared.now, place, &mut shared.tickets);
        self.effects.extend(effect);
    }

    fn changed(&mut self, changed: &Changed) {
        let shared = &mut self.shared;
        let effect = shared.stations.changed(changed, &mut shared.tickets);
        self.effects.extend(effect);
        self.with_cart(|cart, context| cart.changed(changed, context));
        let mut context = Context::new(&mut self.shared);
        match self.at {
            Screen::Tonight => self.tonight.changed(changed, &mut context),
            Screen::Seats => self.seats.changed(changed, &mut context),
            Screen::Calendar => self.calendar.changed(changed, &mut context),
            Screen::Orders => self.orders.changed(changed, &mut context),
            Screen::Jobs => self.jobs.changed(changed, &mut context),
        }
        let asked = context.finish();
        self.follow(asked);
        self.with_dialog(|dialog, context| {
            dialog.changed(changed, context);
            Flow::Stay
        });
    }

    fn answer(&mut self, ticket: Ticket, answer: Result<Answer, Trouble>) {
        self.shared.tickets.answered(ticket);
        if self.shared.cart.awaits(ticket) {
            let outcome = self.with_cart(|cart, context| cart.answer(ticket, answer, context));
            self.after_cart(outcome);
            return;
        }
        if self.shared.stations.awaits(ticket) {
            self.shared.stations.answer(answer);
            return;
        }
        if self.left_open == Some(ticket) {
            self.say_left_open(answer);
            return;
        }
        if self.awaits_paper(ticket) {
            self.paper_came(answer);
            return;
        }
        if let Some(at) = self.decided.iter().position(|(mine, _)| *mine == ticket) {
            let (_, done) = self.decided.remove(at);
            self.say_decided(done, answer);
            return;
        }
        let mut context = Context::new(&mut self.shared);
        if self.tonight.awaits(ticket) {
            self.tonight.answer(ticket, answer, &mut context);
        } else if self.seats.awaits(ticket) {
            self.seats.answer(ticket, answer, &mut context);
        } else if self.calendar.awaits(ticket) {
            self.calendar.answer(ticket, answer, &mut context);
        } else if self.orders.awaits(ticket) {
            self.orders.answer(ticket, answer, &mut context);
        } else if self.jobs.awaits(ticket) {
            self.jobs.answer(ticket, answer, &mut context);
        } else {
            let asked = context.finish();
            self.follow(asked);
            self.with_dialog(|dialog, context| dialog.answer(ticket, answer, context));
            return;
        }
        let asked = context.finish();
        self.follow(asked);
        self.keep_dialog();
        self.relight();
    }

    /// The map came while somebody types after `b`: lights up what is typed, and what is best now where somebody else
    /// took a seat that was lit.
    pub(super) fn relight(&mut self) {
        if matches!(&self.modal, Some(Modal::Prompt(prompt)) if prompt.purpose == PromptPurpose::Best)
            && !self.seats.lit_stands()
        {
            self.prompt_changed();
        }
    }

    /// Says that a command which was asked about is done, or why it is not.
    fn say_decided(&mut self, done: String, answer: Result<Answer, Trouble>) {
        let (tone, words) = match answer {
            Ok(Answer::Ran(AnyAnswer::DisabledSeats(disabled))) => {
                (Tone::Done, wording::out_of_use(&done, &disabled))
            }
            Ok(Answer::Cart(view)) => {
                self.shared.cart.forget(view.cart.id);
                (Tone::Done, done)
            }
            Ok(Answer::Ran(AnyAnswer::StillOut(Some(still)))) => {
                (Tone::Note, wording::still_out(&still))
            }
            Ok(_) => (Tone::Done, done),
            Err(trouble) => (Tone::Refused, trouble.told(self.shared.zone)),
        };
        self.say(tone, words);
    }

    fn say(&mut self, tone: Tone, text: impl Into<String>) {
        self.shared.say(tone, text);
    }

    fn follow(&mut self, asked: Asked) {
        self.effects.extend(asked.effects);
        for wish in asked.wishes {
            self.want(wish);
        }
        for go in asked.goes {
            self.go(go);
        }
    }
}
