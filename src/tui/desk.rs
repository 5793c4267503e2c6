//! The desk on a terminal: its loop from start to end.
//!
//! All input goes through one inbox, which is drained before each frame.

use std::io;
use std::path::PathBuf;
use std::sync::mpsc::Sender;
use std::time::{Duration, Instant};

use tokio::runtime::Handle;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::task::JoinSet;

use crate::engine::{Desk, Failure};
use crate::tui::app::App;
use crate::tui::data::left::{self, LeftAt};
use crate::tui::data::log::Log;
use crate::tui::data::msg::{DemoCommand, Effect, Mouse, Msg};
use crate::tui::data::runtime::Runtime;
use crate::tui::data::shown_list::ToCsv;
use crate::tui::desk::setup::{depth, shared, state_folder};
use crate::tui::desk::terminal::{NoTerminal, Screen};
use crate::tui::kit::screen;
use crate::tui::kit::theme::{Depth, GlyphSet, Theme};
use crate::words::printing::Printer;

mod batch;
mod forward;
pub(crate) mod offscreen;
pub(crate) mod picture;
pub(crate) mod recording;
mod setup;
pub(crate) mod terminal;
mod wire;

pub(crate) use setup::key_table;

/// Minimum time between two frames.
const FRAME: Duration = Duration::from_millis(16);
/// Minimum time between two frames over ssh, where bytes are slow.
const FRAME_OVER_SSH: Duration = Duration::from_millis(66);
/// Time that the first frame waits for the terminal's answer about its background.
const GROUND: Duration = Duration::from_millis(60);
/// Time that the first frame waits for that answer over ssh.
const GROUND_OVER_SSH: Duration = Duration::from_millis(300);
/// Maximum time for a suspension to begin.
const STOP_WITHIN: Duration = Duration::from_secs(1);

/// Options and data sources of the desk.
#[derive(Debug, Default)]
pub(crate) struct ScreenOptions {
    /// Glyphs; Unicode by default.
    pub glyphs: GlyphSet,
    /// Theme; by default the one that fits the terminal.
    pub theme: Option<Theme>,
    /// First screen; by default the one that the station left.
    pub start: Option<screen::Screen>,
    /// Owner of the mouse at the start.
    pub mouse: Mouse,
    /// Printer.
    pub printer: Option<Printer>,
    /// Spelling of lists that are written into files.
    pub to_csv: Option<ToCsv>,
    /// Channels of the demo; none outside the demo.
    pub demo: Option<DemoControl>,
}

/// Channels between the demo and the desk.
#[derive(Debug)]
pub(crate) struct DemoControl {
    /// State of the demo, and keys played by its tour.
    pub messages: UnboundedReceiver<Msg>,
    /// Houses to go on in, each for a chapter that begins.
    pub houses: UnboundedReceiver<Desk>,
    /// Commands of the operator.
    pub commands: Sender<DemoCommand>,
}

/// Reason why the desk cannot be shown.
#[derive(Debug, thiserror::Error)]
pub(crate) enum TuiError {
    /// No usable terminal.
    #[error(transparent)]
    NoTerminal(#[from] NoTerminal),
    /// Terminal failure.
    #[error("the terminal cannot be used: {0}; everything the desk confirmed is kept")]
    Terminal(#[from] io::Error),
    /// Unusable keymap of the user.
    #[error("{path}: {problem}; mend it or remove it")]
    Keymap {
        /// File.
        path: PathBuf,
        /// Problem.
        problem: String,
    },
    /// House that cannot be read.
    #[error(transparent)]
    House(#[from] Failure),
    /// Broken built-in file.
    #[error("this program is broken: {0}")]
    Broken(String),
}

/// Shows the desk until the operator quits, the terminal goes away, or the system asks to stop.
///
/// # Errors
/// There is no terminal, the terminal fails, or the house or the user's keymap cannot be read.
pub(crate) fn run(desk: Desk, options: ScreenOptions) -> Result<(), TuiError> {
    terminal::needed()?;
    let depth = depth();
    let mut app = App::new(shared(&desk, &options, depth)?);
    // the demo's house is thrown away
    let folder = state_folder().filter(|_| options.demo.is_none());
    let left = folder.as_deref().map(|folder| left::file(folder, desk.place(), &app.shared.station));
    if let Some(left) = &left {
        app.restore(LeftAt::read(left));
    }
    app.at = options.start.unwrap_or(app.at);
    if options.theme.is_none() && depth != Depth::None {
        app.follow_ground(depth);
    }
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
    let log = folder.as_deref().map(Log::open).unwrap_or_default();
    log.write(desk.now(), concat!("start, willcall ", env!("CARGO_PKG_VERSION")));
    let done = runtime.block_on(show(desk, (app, left), (log.clone(), options)));
    runtime.shutdown_timeout(Duration::from_millis(100));
    done
}

async fn show(
    desk: Desk,
    (app, left): (App, Option<PathBuf>),
    (log, mut options): (Log, ScreenOptions),
) -> Result<(), TuiError> {
    let (inbox, messages) = unbounded_channel();
    let runtime = Runtime::new(desk, inbox.clone(), Handle::current()).logging(log);
    let screen = Screen::enter(app.shared.mouse)?;
    let mut tasks = JoinSet::new();
    tasks.spawn(forward::events(inbox.clone()));
    tasks.spawn(forward::signals(inbox.clone()));
    let (_never, no_house) = unbounded_channel();
    let (commands, houses) = match options.demo.take() {
        Some(DemoControl { messages, houses, commands }) => {
            tasks.spawn(forward::demo(inbox.clone(), messages));
            (Some(commands), houses)
        }
        None => (None, no_house),
    };
    let mut desk = TerminalDesk {
        of_house: forward::of_house(&inbox, &runtime),
        app,
        runtime,
        screen,
        inbox,
        options,
        commands,
        last_frame: None,
        ground_by: None,
    };
    desk.app.shared.size = Screen::size()?;
    desk.runtime.log(&format!("screen {}", desk.app.shared.size));
    let shown = desk.show((messages, houses)).await;
    let runtime = desk.runtime.clone();
    let left_at = desk.app.left_at();
    drop(desk);
    if let Some(file) = left {
        left_at.keep(&file);
    }
    runtime.log(&match &shown {
        Ok(()) => "end".to_owned(),
        Err(error) => format!("end: {error}"),
    });
    tokio::task::spawn_blocking(move || runtime.go_off()).await.map_err(io::Error::other)?;
    shown
}

/// Desk on a terminal.
struct TerminalDesk {
    app: App,
    runtime: Runtime,
    screen: Screen,
    inbox: UnboundedSender<Msg>,
    /// Tasks that forward what happens in the house.
    of_house: JoinSet<()>,
    options: ScreenOptions,
    commands: Option<Sender<DemoCommand>>,
    last_frame: Option<Instant>,
    /// Time until which the first frame waits for the terminal's answer about its background.
    ground_by: Option<Instant>,
}

/// Tells whether the desk goes on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Life {
    On,
    Over,
}

impl TerminalDesk {
    async fn show(
        &mut self,
        (mut messages, mut houses): (UnboundedReceiver<Msg>, UnboundedReceiver<Desk>),
    ) -> Result<(), TuiError> {
        let (frame, ground) = if std::env::var_os("SSH_CONNECTION").is_some() {
            (FRAME_OVER_SSH, GROUND_OVER_SSH)
        } else {
            (FRAME, GROUND)
        };
        let effects = self.app.start();
        self.carry_out(effects).await?;
        if self.app.follows_ground() {
            self.screen.ask_ground()?;
            self.ground_by = Some(Instant::now() + ground);
        }
        let mut dirty = true;
        loop {
            let due = match (self.last_frame, self.ground_by) {
                (Some(last), _) => last + frame,
                (None, Some(by)) => by,
                (None, None) => Instant::now(),
            };
            if dirty && due <= Instant::now() {
                self.screen.draw(&mut self.app)?;
                self.last_frame = Some(Instant::now());
                dirty = false;
            }
            let moves = self.app.moves_in().map(|span| Duration::from_millis(span.millis().unsigned_abs()));
            let moves_at = Instant::now() + moves.unwrap_or_default().max(FRAME);
            tokio::select! {
                biased;
                Some(house) = houses.recv() => {
                    self.move_to(house).await?;
                    dirty = true;
                }
                message = messages.recv() => {
                    let Some(message) = message else { return Ok(()) };
                    if self.drain(message, &mut messages).await? == Life::Over {
                        return Ok(());
                    }
                    dirty |= self.app.take_dirty();
                }
                () = tokio::time::sleep_until(due.into()), if dirty => {}
                () = tokio::time::sleep_until(moves_at.into()), if moves.is_some() => {
                    let effects = self.app.update(Msg::Tick(self.runtime.now()));
                    self.carry_out(effects).await?;
                    dirty = true;
                }
            }
        }
    }

    /// Goes on in another house, on the screen as it is.
    async fn move_to(&mut self, house: Desk) -> Result<(), TuiError> {
        let shared = shared(&house, &self.options, Depth::None)?;
        self.runtime = Runtime::new(house, self.inbox.clone(), Handle::current());
        self.of_house = forward::of_house(&self.inbox, &self.runtime);
        let effects = self.app.move_to(shared);
        self.carry_out(effects).await?;
        Ok(())
    }

    /// Handles the messages in the inbox at one moment of the engine's time; after [`batch::DRAIN_MOST`] messages or
    /// [`batch::DRAIN_FOR`] the rest waits for the next frame.
    async fn drain(&mut self, first: Msg, messages: &mut UnboundedReceiver<Msg>) -> Result<Life, TuiError> {
        let effects = self.app.update(Msg::Tick(self.runtime.now()));
        let mut life = self.carry_out(effects).await?;
        let mut batch = batch::Batch::from(Instant::now());
        let mut next = Some(first);
        while let Some(message) = next {
            if matches!(message, Msg::Background(_)) {
                self.ground_by = None;
            }
            self.log(&message);
            if matches!(message, Msg::Key(_) | Msg::Paste(_) | Msg::Pointer(_)) {
                self.tell_demo(DemoCommand::Touched);
            }
            let effects = self.app.update(message);
            if self.carry_out(effects).await? == Life::Over {
                life = Life::Over;
            }
            next = batch.next(Instant::now(), messages);
        }
        Ok(life)
    }

    /// Logs sizes of the screen and outages of the database.
    fn log(&self, message: &Msg) {
        if let Msg::Resize(size) = message {
            self.runtime.log(&format!("screen {size}"));
        } else if let Msg::Away(since) = message {
            let words = since.map_or("database back", |_| "database away");
            self.runtime.log(words);
        }
    }

    async fn carry_out(&mut self, effects: Vec<Effect>) -> Result<Life, TuiError> {
        let mut life = Life::On;
        for effect in effects {
            match effect {
                Effect::Read(ticket, query) => self.runtime.read(ticket, query),
                Effect::Run(ticket, command) => self.runtime.run(ticket, command),
                Effect::SignIn(ticket, pin) => self.runtime.sign_in(ticket, pin),
                Effect::SignOut => self.runtime.sign_out(),
                Effect::Approve(ticket, operation, pin) => self.runtime.approve(ticket, *operation, pin),
                Effect::Print(ticket, printer, text) => self.runtime.print(ticket, printer, text),
                Effect::TickIn(span) => self.runtime.tick_in(span),
                Effect::Copy(text) => self.screen.copy(&text)?,
                Effect::Mouse(mouse) => self.screen.mouse(mouse)?,
                Effect::Redraw => self.screen.clear()?,
                Effect::Suspend => self.suspend().await?,
                Effect::Demo(command) => self.tell_demo(command),
                Effect::Quit => life = Life::Over,
            }
        }
        Ok(life)
    }

    fn tell_demo(&self, command: DemoCommand) {
        if let Some(commands) = &self.commands
            && commands.send(command).is_err()
        {
            // the demo has ended; the house stays open
        }
    }

    async fn suspend(&mut self) -> Result<(), TuiError> {
        let mut continued = signal(SignalKind::from_raw(rustix::process::Signal::CONT.as_raw()))?;
        Screen::suspend();
        if tokio::time::timeout(STOP_WITHIN, continued.recv()).await.is_err() {
            // without a suspension the desk goes on at once
        }
        self.screen.resume(self.app.shared.mouse)?;
        if self.app.follows_ground() {
            self.screen.ask_ground()?;
        }
        self.app.shared.size = Screen::size()?;
        self.last_frame = None;
        Ok(())
    }
}
