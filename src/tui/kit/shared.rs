//! State shared by all screens, and the requests a screen may make while it handles input.

use std::collections::HashMap;
use std::path::PathBuf;

use chrono_tz::Tz;
use ratatui::layout::Size;
use ratatui::style::Style;

use crate::domain::operator::Operator;
use crate::domain::time::{Instant, Local, Span};
use crate::engine::reads::carts::ReadOpenCarts;
use crate::tui::data::msg::{ClockJump, DemoState, Mouse, Readable};
use crate::tui::data::own_cart::OwnCart;
use crate::tui::data::reads::Reads;
use crate::tui::data::shown_list::ToCsv;
use crate::tui::data::stations::Stations;
use crate::tui::data::ticket::TicketCounter;
use crate::tui::kit::keymap::Keymap;
use crate::tui::kit::screen::Screen;
use crate::tui::kit::theme::{Glyphs, Theme};
use crate::tui::widgets::Look;
use crate::words;
use crate::words::printing::Printer;

/// Display time of a toast.
const TOAST: Span = Span::seconds(4);
/// Time that a message stays on the screen whatever key is pressed.
const READ_WITHIN: Span = Span::seconds(1);
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
    pub printer: Option<Printer>,
    /// Spelling of lists that are written into files.
    pub to_csv: Option<ToCsv>,
    /// Folder in which the desk was started.
    pub folder: PathBuf,
    /// Command of the jobs that read files of followed calendars.
    pub follows: String,
    /// Start of a database outage.
    pub away: Option<Instant>,
    /// Time zone of the house.
    pub zone: Tz,
    pub on: Screen,
    pub operator: String,
    /// Operators of the house, and the one who is signed in here.
    pub operators: Vec<Operator>,
    pub signed_in: Option<Operator>,
    /// Time without a key after which the desk locks.
    pub lock_after: Span,
    pub station: String,
    pub size: Size,
    pub theme: Theme,
    pub glyphs: Glyphs,
    pub keymap: Keymap,
    /// Cart of this desk.
    pub cart: OwnCart,
    /// Owner of the mouse.
    pub mouse: Mouse,
    /// Messages to the operator.
    pub says: Says,
    pub stations: Stations,
    /// Reasons of the house for giving back.
    pub reasons: Vec<String>,
    /// State of the demo; none outside the demo.
    pub demo: Option<DemoState>,
    /// Lines typed in prompts last time, by their labels.
    pub typed_before: HashMap<&'static str, String>,
    pub tickets: TicketCounter,
    pub reads: Reads,
}

impl Shared {
    /// Present time in the house's zone.
    pub(crate) const fn here(&self) -> Local {
        Local { now: self.now, zone: self.zone }
    }

    /// Styles and signs, for widgets.
    pub(crate) const fn look(&self) -> Look<'_> {
        Look { theme: &self.theme, glyphs: &self.glyphs }
    }

    /// Replaces action names in a text by keys of the current screen: `<open-carts> takes it back`.
    pub(crate) fn keyed(&self, text: &str) -> String {
        self.keymap.fill(self.on.place(), text)
    }

    /// Shows a message, with action names replaced by keys.
    pub(crate) fn say(&mut self, tone: Tone, text: impl Into<String>) {
        let text = self.keyed(&text.into());
        self.says.say(self.now, tone, text);
    }

    /// Time that a request has been pending; none without one, or while it is too short to show.
    pub(crate) fn waits(&self) -> Option<Span> {
        let waited = self.now.since(self.tickets.waiting_since()?);
        (waited >= WAIT_UNSEEN).then_some(waited)
    }

    /// Sign of the wait spinner; none while it is not shown.
    pub(crate) fn waiting_sign(&self) -> Option<char> {
        let turned = (self.waits()?.millis() - WAIT_UNSEEN.millis()) / TURN_STEP.millis();
        let signs = self.glyphs.turn;
        let at = usize::try_from(turned).ok()? % signs.len();
        signs.get(at).copied()
    }

    /// Sign and style of a tone.
    pub(crate) const fn tone(&self, tone: Tone) -> (char, Style) {
        match tone {
            Tone::Done => (self.glyphs.tick, self.theme.done),
            Tone::Note => (' ', self.theme.text),
            Tone::Refused => (self.glyphs.cross, self.theme.warning),
        }
    }

    /// Question for the open carts, as this station sees them.
    pub(crate) fn open_carts(&self) -> ReadOpenCarts {
        ReadOpenCarts { after: None, station: Some(self.station.clone()) }
    }

    pub(crate) fn rule(&self, columns: u16) -> String {
        self.glyphs.rule.to_string().repeat(usize::from(columns))
    }

    /// Words in the place of an answer that is not there: why it failed, or that it is being read; none for one that is.
    pub(crate) fn in_place_of<Q: Readable>(&self, question: &Q) -> Option<String> {
        if self.reads.get(question).is_some() {
            return None;
        }
        let problem = self.reads.failure(question).map(|failure| words::failure(failure, self.here()));
        Some(problem.unwrap_or_else(|| self.still_to_come()))
    }

    /// Placeholder for data not loaded yet: empty at first, then a note that it is being read.
    pub(crate) fn still_to_come(&self) -> String {
        self.waiting_sign().map_or_else(String::new, |sign| format!("{sign} loading"))
    }

    /// Time until the wait spinner appears or turns; none while no request is pending.
    pub(crate) fn turns_in(&self) -> Option<Span> {
        let waited = self.now.since(self.tickets.waiting_since()?).millis().max(0);
        let shown = waited - WAIT_UNSEEN.millis();
        Some(Span::from_millis(if shown < 0 { -shown } else { TURN_STEP.millis() - shown % TURN_STEP.millis() }))
    }
}

/// Tone of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tone {
    Done,
    Note,
    Refused,
}

/// Message to the operator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct StatusMessage {
    /// Number among all messages since the start.
    pub number: u64,
    pub at: Instant,
    pub tone: Tone,
    pub text: String,
}

/// Messages, newest last.
#[derive(Clone, Debug, Default)]
pub(crate) struct Says {
    messages: Vec<StatusMessage>,
    /// True if the operator went on after reading the latest message.
    read: bool,
}

impl Says {
    pub(crate) fn say(&mut self, at: Instant, tone: Tone, text: impl Into<String>) {
        if self.messages.len() >= MESSAGES_MAX {
            self.messages.remove(0);
        }
        self.read = false;
        let number = self.messages.last().map_or(1, |last| last.number + 1);
        self.messages.push(StatusMessage { number, at, tone, text: text.into() });
    }

    /// Takes the latest message off the screen, if it was there long enough to be read.
    pub(crate) fn go_on(&mut self, now: Instant) {
        let read = |message: &StatusMessage| now.since(message.at) >= READ_WITHIN;
        self.read |= self.messages.last().is_some_and(read);
    }

    pub(crate) fn newest_first(&self) -> impl Iterator<Item = &StatusMessage> {
        self.messages.iter().rev()
    }

    /// Latest message, while its toast is shown.
    pub(crate) fn toast(&self, now: Instant) -> Option<&StatusMessage> {
        self.messages.last().filter(|message| !self.read && now.since(message.at) < TOAST)
    }
}
