//! State shared by all screens, and the requests a screen may make while it handles input.

use chrono_tz::Tz;
use ratatui::layout::Size;

use crate::domain::ids::{BookingId, CartId, PerformanceId, ReceiptId, SeriesId, WorkId};
use crate::domain::money::Currency;
use crate::domain::plan::SeatRef;
use crate::domain::resource::ResourceId;
use crate::domain::time::{Instant, Span};
use crate::engine::ops::AnyOperation;
use crate::engine::reads::carts::CartRow;
use crate::engine::reads::inspect::ReadSeatStory;
use crate::engine::reads::worklist::OrderId;
use crate::tui::action::Action;
use crate::tui::dialogs::prompt::{PromptPurpose, Typed};
use crate::tui::dialogs::question::{QuestionDialog, Then};
use crate::tui::keymap::Keymap;
use crate::tui::msg::{ClockJump, DemoState, Effect, Mouse, Query};
use crate::tui::own_cart::{CartWish, OwnCart};
use crate::tui::printing::Printer;
use crate::tui::remote::{Ticket, TicketCounter};
use crate::tui::screens::Screen;
use crate::tui::screens::jobs::JobName;
use crate::tui::stations::Stations;
use crate::tui::theme::{Glyphs, Theme};

/// Display time of a toast.
const TOAST: Span = Span::seconds(4);
/// Maximum number of stored messages.
const MESSAGES_MAX: usize = 200;

/// Wait that is too short to be shown.
const WAIT_UNSEEN: Span = Span::from_millis(150);
/// Display time of each sign of the wait spinner; a turn takes a second.
const TURN_STEP: Span = Span::from_millis(125);

/// State shared by all screens.
#[derive(Debug)]
pub(crate) struct Shared {
    /// Time of the engine at the last tick.
    pub now: Instant,
    /// Jump of the machine's clock.
    pub clock_jump: ClockJump,
    /// Printer.
    pub printer: Option<Printer>,
    /// Start of a database outage.
    pub away: Option<Instant>,
    /// Time zone of the house.
    pub zone: Tz,
    /// Current screen.
    pub on: Screen,
    /// Operator.
    pub operator: String,
    /// Station.
    pub station: String,
    /// Terminal size.
    pub size: Size,
    /// Lines used by the tour and crowd bar.
    pub bar_lines: u16,
    /// Styles.
    pub theme: Theme,
    /// Signs.
    pub glyphs: Glyphs,
    /// Keys.
    pub keymap: Keymap,
    /// Cart of this desk.
    pub cart: OwnCart,
    /// Owner of the mouse.
    pub mouse: Mouse,
    /// Messages to the operator.
    pub says: Says,
    /// Stations on line.
    pub stations: Stations,
    /// State of the demo; none outside the demo.
    pub demo: Option<DemoState>,
    /// Ticket counter.
    pub tickets: TicketCounter,
}

impl Shared {
    /// Replaces action names in a text by keys of the current screen: `<open-carts> takes it back`.
    #[must_use]
    pub(crate) fn keyed(&self, text: &str) -> String {
        self.keymap.fill(self.on.place(), text)
    }

    /// Shows a message, with action names replaced by keys.
    pub(crate) fn say(&mut self, tone: Tone, text: impl Into<String>) {
        let text = self.keyed(&text.into());
        self.says.say(self.now, tone, text);
    }

    /// Time that a request has been pending; none without one, or while it is too short to show.
    #[must_use]
    pub(crate) fn waits(&self) -> Option<Span> {
        let waited = self.now.since(self.tickets.waiting_since()?);
        (waited >= WAIT_UNSEEN).then_some(waited)
    }

    /// Sign of the wait spinner; none while it is not shown.
    #[must_use]
    pub(crate) fn waiting_sign(&self) -> Option<char> {
        let turned = (self.waits()?.millis() - WAIT_UNSEEN.millis()) / TURN_STEP.millis();
        let signs = self.glyphs.turn;
        let at = usize::try_from(turned).ok()? % signs.len();
        signs.get(at).copied()
    }

    /// Placeholder for data not loaded yet: empty at first, then a note that it is being read.
    #[must_use]
    pub(crate) fn still_to_come(&self) -> String {
        self.waiting_sign()
            .map_or_else(String::new, |sign| format!("{sign} the house is asked"))
    }

    /// Time until the wait spinner appears or turns; none while no request is pending.
    #[must_use]
    pub(crate) fn turns_in(&self) -> Option<Span> {
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

/// Tone of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tone {
    /// Success.
    Done,
    /// Information.
    Note,
    /// Refusal or failure.
    Refused,
}

/// Message to the operator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct StatusMessage {
    /// Time.
    pub at: Instant,
    /// Tone.
    pub tone: Tone,
    /// Text.
    pub text: String,
}

/// Messages, newest last.
#[derive(Clone, Debug, Default)]
pub(crate) struct Says {
    messages: Vec<StatusMessage>,
}

impl Says {
    /// Adds a message.
    pub(crate) fn say(&mut self, at: Instant, tone: Tone, text: impl Into<String>) {
        if self.messages.len() >= MESSAGES_MAX {
            self.messages.remove(0);
        }
        self.messages.push(StatusMessage {
            at,
            tone,
            text: text.into(),
        });
    }

    /// All messages, newest first.
    pub(crate) fn newest_first(&self) -> impl Iterator<Item = &StatusMessage> {
        self.messages.iter().rev()
    }

    /// Latest message, while its toast is shown.
    #[must_use]
    pub(crate) fn toast(&self, now: Instant) -> Option<&StatusMessage> {
        self.messages
            .last()
            .filter(|message| now.since(message.at) < TOAST)
    }
}

/// Navigation requested by a screen.
#[derive(Clone, Debug)]
pub(crate) enum Go {
    /// Show a screen.
    Screen(Screen),
    /// Show the map of a performance, to sell.
    Sell(PerformanceId),
    /// Show the map of a performance with the prompt for best seats.
    SellBest(PerformanceId),
    /// Show a seat on the map.
    Seat(PerformanceId, SeatRef),
    /// Show a time of a resource on the calendar.
    Time(ResourceId, Instant),
    /// Show a booking at a time of a resource.
    Booking(BookingId, ResourceId, Instant),
    /// Show a receipt.
    Receipt(ReceiptId),
    /// Show a reservation among the orders.
    Reservation(CartId),
    /// Show the orders whose tickets wait at the desk.
    ToCollect,
    /// Show a job in the list of jobs.
    Job(JobName),
    /// Open a prompt for one line.
    Ask(PromptPurpose),
    /// Take over a reservation, and open its payment.
    PayReservation(CartId),
    /// Open the dialog that postpones a reservation's pay-by time.
    PutOff(Box<CartRow>),
    /// Ask whether to take an ended cart again, with the reason of its end.
    Revive(CartId, String),
    /// Ask whether to cancel a reservation.
    CancelReservation(Box<CartRow>),
    /// Show a cart in the list of open carts.
    Cart(CartId),
    /// Show the list of open carts.
    OpenCarts,
    /// Take over an open cart.
    TakeOver(Box<CartRow>),
    /// Run an action, as if its key were pressed.
    Act(Action),
    /// Pick seats by a line, as after `best`.
    SellLine(String),
    /// Ask a question.
    Question(Box<QuestionDialog>),
    /// Handle the line of the open prompt.
    Typed(Typed),
    /// Show all dates of a repeat on the calendar.
    Series(SeriesId),
    /// Follow up a question's answer.
    Answered(Box<Then>),
    /// Show the history of a seat.
    Story(ReadSeatStory),
    /// Choose a printer for a receipt's tickets.
    PrintAgain(ReceiptId),
    /// Ask whether money taken for lost seats is given back.
    GivenBack(WorkId, i64, Currency),
}

impl Go {
    /// Show an order.
    #[must_use]
    pub(crate) const fn order(order: OrderId) -> Self {
        match order {
            OrderId::Receipt(receipt) => Self::Receipt(receipt),
            OrderId::Reservation(cart) => Self::Reservation(cart),
        }
    }
}

/// Shared state and pending requests while a screen handles input.
#[derive(Debug)]
pub(crate) struct Context<'a> {
    /// Shared state.
    pub shared: &'a mut Shared,
    asked: Asked,
}

/// Requests made while input was handled.
#[derive(Debug, Default)]
pub(crate) struct Asked {
    /// Effects outside the screen.
    pub effects: Vec<Effect>,
    /// Navigation.
    pub goes: Vec<Go>,
    /// Wishes for the cart.
    pub wishes: Vec<CartWish>,
}

impl<'a> Context<'a> {
    /// Context without requests.
    pub(crate) fn new(shared: &'a mut Shared) -> Self {
        Self {
            shared,
            asked: Asked::default(),
        }
    }

    /// Sends a query; the answer has the returned ticket.
    pub(crate) fn read(&mut self, query: Query) -> Ticket {
        let ticket = self.shared.tickets.draw();
        self.read_with(ticket, query);
        ticket
    }

    /// Sends a query with an issued ticket.
    pub(crate) fn read_with(&mut self, ticket: Ticket, query: Query) {
        self.asked.effects.push(Effect::Read(ticket, query));
    }

    /// Sends an operation; the answer has the returned ticket.
    pub(crate) fn run(&mut self, operation: impl Into<AnyOperation>) -> Ticket {
        let ticket = self.shared.tickets.draw();
        let run = Effect::Run(ticket, operation.into());
        self.asked.effects.push(run);
        ticket
    }

    /// Requests an effect.
    pub(crate) fn effect(&mut self, effect: Effect) {
        self.asked.effects.push(effect);
    }

    /// Requests navigation.
    pub(crate) fn go(&mut self, go: Go) {
        self.asked.goes.push(go);
    }

    /// Shows a message.
    pub(crate) fn say(&mut self, tone: Tone, text: impl Into<String>) {
        self.shared.say(tone, text);
    }

    /// Queues a wish for the cart.
    pub(crate) fn want(&mut self, wish: CartWish) {
        self.asked.wishes.push(wish);
    }

    /// Returns the collected requests.
    #[must_use]
    pub(crate) fn finish(self) -> Asked {
        self.asked
    }
}
