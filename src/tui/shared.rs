//! What every screen sees, and what it may ask for while it deals with something.

use chrono_tz::Tz;
use ratatui::layout::Size;

use crate::domain::ids::{BookingId, CartId, PerformanceId, ReceiptId, WorkId};
use crate::domain::money::Currency;
use crate::domain::plan::SeatRef;
use crate::domain::resource::ResourceId;
use crate::domain::time::{Instant, Span};
use crate::engine::ops::AnyOperation;
use crate::engine::reads::carts::CartRow;
use crate::engine::reads::inspect::ReadSeatStory;
use crate::engine::reads::worklist::OrderId;
use crate::tui::action::Action;
use crate::tui::dialogs::prompt::PromptPurpose;
use crate::tui::dialogs::question::Then;
use crate::tui::keymap::Keymap;
use crate::tui::msg::{ClockJump, DemoState, Effect, Mouse, Query};
use crate::tui::own_cart::{CartWish, OwnCart};
use crate::tui::printing::Printer;
use crate::tui::remote::{Ticket, TicketCounter};
use crate::tui::screens::Screen;
use crate::tui::screens::jobs::JobName;
use crate::tui::stations::Stations;
use crate::tui::theme::{Glyphs, Theme};

/// How long a toast stands.
const TOAST: Span = Span::seconds(4);
/// How many messages are kept.
const MESSAGES_MAX: usize = 200;

/// A wait as short as this is not shown.
const WAIT_UNSEEN: Span = Span::from_millis(150);
/// How long each sign of a wait's turn stands: a turn takes a second.
const TURN_STEP: Span = Span::from_millis(125);

/// What every screen sees.
#[derive(Debug)]
pub struct Shared {
    /// The engine's time as of the last tick.
    pub now: Instant,
    /// By how much the machine's clock has jumped without being followed.
    pub clock_jump: ClockJump,
    /// Where the desk prints.
    pub printer: Option<Printer>,
    /// Since when the database is away.
    pub away: Option<Instant>,
    /// The house's local time.
    pub zone: Tz,
    /// The screen on top.
    pub on: Screen,
    /// Who works here.
    pub operator: String,
    /// At which station.
    pub station: String,
    /// The terminal's size.
    pub size: Size,
    /// How many of its lines the tour and crowd bar has.
    pub bar_lines: u16,
    /// Styles.
    pub theme: Theme,
    /// Signs.
    pub glyphs: Glyphs,
    /// Keys.
    pub keymap: Keymap,
    /// The cart that this desk works on.
    pub cart: OwnCart,
    /// Who has the mouse.
    pub mouse: Mouse,
    /// What was said.
    pub says: Says,
    /// Which stations are on.
    pub stations: Stations,
    /// Where the demo stands; none when this is no demo.
    pub demo: Option<DemoState>,
    /// Tickets for questions.
    pub tickets: TicketCounter,
}

impl Shared {
    /// A text about the screen on top with keys in the place of actions: `<open-carts> takes it back`.
    #[must_use]
    pub fn keyed(&self, text: &str) -> String {
        self.keymap.fill(self.on.place(), text)
    }

    /// Says something, with keys in the place of actions.
    pub fn say(&mut self, tone: Tone, text: impl Into<String>) {
        let text = self.keyed(&text.into());
        self.says.say(self.now, tone, text);
    }

    /// How long the house has been asked for something without an answer; none while it is not, or not long.
    #[must_use]
    pub fn waits(&self) -> Option<Span> {
        let waited = self.now.since(self.tickets.waiting_since()?);
        (waited >= WAIT_UNSEEN).then_some(waited)
    }

    /// The sign of a wait that goes on; none for one that nobody should see.
    #[must_use]
    pub fn waiting_sign(&self) -> Option<char> {
        let turned = (self.waits()?.millis() - WAIT_UNSEEN.millis()) / TURN_STEP.millis();
        let signs = self.glyphs.turn;
        let at = usize::try_from(turned).ok()? % signs.len();
        signs.get(at).copied()
    }

    /// What stands where an answer will be: nothing at first, and soon that the house is asked.
    #[must_use]
    pub fn still_to_come(&self) -> String {
        self.waiting_sign()
            .map_or_else(String::new, |sign| format!("{sign} the house is asked"))
    }

    /// How long until the sign of a wait comes or turns; none while nothing is asked.
    #[must_use]
    pub fn turns_in(&self) -> Option<Span> {
        let waited = self
            .now
            .since(self.tickets.waiting_since()?)
            .millis()
            .max(0);
        let shown = waited - WAIT_UNSEEN.millis();
        Some(Span::from_millis(if shown < 0 {
            -shown
        } else {
            TURN_STEP.millis() - shown % TURN_STEP.millis()
        }))
    }
}

/// How a message is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// It went well.
    Done,
    /// For knowing.
    Note,
    /// It was refused or failed.
    Refused,
}

/// Something that was said to the operator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StatusMessage {
    /// When.
    pub at: Instant,
    /// How it is meant.
    pub tone: Tone,
    /// What.
    pub text: String,
}

/// What was said, newest last.
#[derive(Clone, Debug, Default)]
pub struct Says {
    messages: Vec<StatusMessage>,
}

impl Says {
    /// Says something.
    pub fn say(&mut self, at: Instant, tone: Tone, text: impl Into<String>) {
        if self.messages.len() >= MESSAGES_MAX {
            self.messages.remove(0);
        }
        self.messages.push(StatusMessage {
            at,
            tone,
            text: text.into(),
        });
    }

    /// Everything that was said, newest first.
    pub fn newest_first(&self) -> impl Iterator<Item = &StatusMessage> {
        self.messages.iter().rev()
    }

    /// What was said last, while its toast stands.
    #[must_use]
    pub fn toast(&self, now: Instant) -> Option<&StatusMessage> {
        self.messages
            .last()
            .filter(|message| now.since(message.at) < TOAST)
    }
}

/// Somewhere that a screen wants the operator to be.
#[derive(Clone, Debug)]
pub enum Go {
    /// A screen.
    Screen(Screen),
    /// The map of a performance, to sell.
    Sell(PerformanceId),
    /// The same with the prompt for best seats open.
    SellBest(PerformanceId),
    /// A seat on the map.
    Seat(PerformanceId, SeatRef),
    /// A time of a resource, on the calendar.
    Time(ResourceId, Instant),
    /// A booking, and the time of the resource that it stands at.
    Booking(BookingId, ResourceId, Instant),
    /// A receipt.
    Receipt(ReceiptId),
    /// A reservation, among the orders.
    Reservation(CartId),
    /// The orders whose tickets lie at the desk.
    ToCollect,
    /// A job, among the others.
    Job(JobName),
    /// A prompt for one line.
    Ask(PromptPurpose),
    /// The keypad, for a reservation that is taken over to this desk.
    PayReservation(CartId),
    /// The dialog that moves a reservation's pay-by.
    PutOff(Box<CartRow>),
    /// Whether a cart that ended, and why, is taken again.
    Revive(CartId, String),
    /// Whether a reservation is canceled.
    CancelReservation(Box<CartRow>),
    /// An open cart, in the list of open carts.
    Cart(CartId),
    /// The list of open carts.
    OpenCarts,
    /// An open cart, taken over to this desk.
    TakeOver(Box<CartRow>),
    /// An action, as if its key were pressed.
    Act(Action),
    /// Seats picked by one line, as after `best`.
    SellLine(String),
    /// The follow-up to a question's answer.
    Answered(Box<Then>),
    /// The keypad.
    Pay,
    /// A seat with its history.
    Story(ReadSeatStory),
    /// Where the tickets of a receipt are to be printed again.
    PrintAgain(ReceiptId),
    /// Whether money that was taken for seats that were gone is given back.
    GivenBack(WorkId, i64, Currency),
}

impl Go {
    /// To an order.
    #[must_use]
    pub const fn order(order: OrderId) -> Self {
        match order {
            OrderId::Receipt(receipt) => Self::Receipt(receipt),
            OrderId::Reservation(cart) => Self::Reservation(cart),
        }
    }
}

/// What a screen may see and ask for while it deals with something.
#[derive(Debug)]
pub struct Context<'a> {
    /// What every screen sees.
    pub shared: &'a mut Shared,
    asked: Asked,
}

/// What was asked for while something was dealt with.
#[derive(Debug, Default)]
pub struct Asked {
    /// To be done outside the screen.
    pub effects: Vec<Effect>,
    /// Where the operator is to be.
    pub goes: Vec<Go>,
    /// For the cart.
    pub wishes: Vec<CartWish>,
}

impl<'a> Context<'a> {
    /// Nothing asked for yet.
    pub fn new(shared: &'a mut Shared) -> Self {
        Self {
            shared,
            asked: Asked::default(),
        }
    }

    /// Asks the house; the answer comes to the caller with this ticket.
    pub fn read(&mut self, query: Query) -> Ticket {
        let ticket = self.shared.tickets.draw();
        self.read_with(ticket, query);
        ticket
    }

    /// Asks the house with a ticket that was handed out already.
    pub fn read_with(&mut self, ticket: Ticket, query: Query) {
        self.asked.effects.push(Effect::Read(ticket, query));
    }

    /// Has the house do something; the answer comes to the caller with this ticket.
    pub fn run(&mut self, operation: impl Into<AnyOperation>) -> Ticket {
        let ticket = self.shared.tickets.draw();
        let run = Effect::Run(ticket, operation.into());
        self.asked.effects.push(run);
        ticket
    }

    /// Wants something done outside the screen.
    pub fn effect(&mut self, effect: Effect) {
        self.asked.effects.push(effect);
    }

    /// Sends the operator somewhere.
    pub fn go(&mut self, go: Go) {
        self.asked.goes.push(go);
    }

    /// Tells the operator something.
    pub fn say(&mut self, tone: Tone, text: impl Into<String>) {
        self.shared.say(tone, text);
    }

    /// Wants something for the cart.
    pub fn want(&mut self, wish: CartWish) {
        self.asked.wishes.push(wish);
    }

    /// What was asked for.
    #[must_use]
    pub fn finish(self) -> Asked {
        self.asked
    }
}
