//! The desk itself, opened from the command line.

use std::path::PathBuf;

use clap::{Args, FromArgMatches};

use crate::cli::answers::{calendar, cart, job, performance, receipt, seats};
use crate::cli::config::{self, UserConfig};
use crate::cli::first::{self, Start};
use crate::cli::init::make_missing;
use crate::cli::options::{Options, PRINT};
use crate::cli::out::Out;
use crate::cli::printing::existing;
use crate::cli::stop::{Cannot, Stop};
use crate::cli::values;
use crate::demo::crowd::NotASpeed;
use crate::demo::{self, DemoError, Plays};
use crate::domain::money::Currency;
use crate::domain::time::Local;
use crate::engine::output::OutputFile;
use crate::engine::reads::Listed;
use crate::engine::reads::catalog::ReadSettings;
use crate::engine::{Config, Desk, Fault, Location, Ticker};
use crate::tui::data::msg::Mouse;
use crate::tui::data::shown_list::ShownList;
use crate::tui::desk::terminal::{self, NoTerminal};
use crate::tui::kit::theme::GlyphSet;
use crate::tui::{self, TuiError};
use crate::words::printing::Printer;

/// Look and input of the desk.
#[derive(Debug, Args)]
#[command(next_help_heading = "The desk")]
pub(super) struct Look {
    /// Colours: terminal, dark, light, mono or one of your own (default: what fits the terminal)
    #[arg(long, value_name = "NAME")]
    theme: Option<String>,
    /// Draw with letters and punctuation only
    #[arg(long)]
    ascii: bool,
    /// Printer for tickets: a file, or '|COMMAND' that reads the text from its standard input
    #[arg(long, env = PRINT, value_name = "TO")]
    print: Option<String>,
    /// Leave the mouse to the terminal
    #[arg(long)]
    no_mouse: bool,
}

impl Look {
    /// Options of the desk. Precedence: after the command, before the command, configuration file.
    pub(super) fn options(&self, before: Option<&Self>, config: &UserConfig) -> Result<tui::ScreenOptions, Stop> {
        let or = |flag: fn(&Self) -> bool| flag(self) || before.is_some_and(flag);
        let text = |field: fn(&Self) -> Option<&String>| field(self).or_else(|| before.and_then(field));
        let theme = text(|look| look.theme.as_ref()).or(config.theme.as_ref());
        let print = text(|look| look.print.as_ref()).or(config.print.as_ref());
        Ok(tui::ScreenOptions {
            glyphs: if or(|look| look.ascii) || config.ascii == Some(true) {
                GlyphSet::Ascii
            } else {
                GlyphSet::Unicode
            },
            theme: theme.map(|name| config::theme(name)).transpose()?,
            start: config.start,
            printer: print.and_then(|to| Printer::named(to)),
            to_csv: Some(csv_of),
            mouse: if or(|look| look.no_mouse) || config.mouse == Some(false) { Mouse::Off } else { Mouse::On },
            ..tui::ScreenOptions::default()
        })
    }
}

/// The desk on a throw-away house that is alive.
#[derive(Debug, Args)]
pub(super) struct Demo {
    /// Begin with the tour: picking, a lost race, an expiry and a sale, with captions
    #[arg(long)]
    tour: bool,
    /// Begin with this chapter of those that key 0 lists: 1, 2, ...
    #[arg(long, value_name = "N", conflicts_with = "tour")]
    chapter: Option<usize>,
    /// For a stand: the tour or chapter plays again and again; any key takes over, until a minute has passed without one
    #[arg(long = "loop")]
    again: bool,
    /// Record the tour or chapter into this file (asciicast v2) instead of showing it
    #[arg(long, value_name = "FILE.cast", conflicts_with = "again")]
    record: Option<PathBuf>,
    /// Columns and rows of the recording
    #[arg(long, value_name = "WxH", default_value = "100x30")]
    size: String,
    /// Write over the file that is there
    #[arg(long, requires = "record")]
    force: bool,
    /// Speed of the crowd: 0.25, 0.5, 1, 2, 4, 8 or 16
    #[arg(long, value_name = "N", default_value = "1", allow_hyphen_values = true)]
    speed: String,
    /// Seed of the crowd: equal seeds give equal crowds
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    look: Look,
}

impl Demo {
    /// Shows the demo house until the operator leaves it, or records what it shows.
    pub(super) fn run(&self, before: &Look, (options, out): (&Options, &mut Out)) -> Result<(), Stop> {
        let speed = self.speed.parse();
        let speed = speed.map_err(|error: NotASpeed| values::bad("speed", error))?;
        let chapter = self.chapter.map(demo::chapter).transpose().map_err(|error| values::bad("chapter", error))?;
        let looks = self.look.options(Some(before), &options.config)?;
        if let Some(file) = &self.record {
            let size = values::size(&self.size)?;
            let kept = OutputFile::begin(file, existing(self.force), &options.place()?.house());
            let kept = kept.map_err(Cannot::Output)?;
            let shot = demo::Shot { chapter: chapter.unwrap_or_default(), at: None, seed: self.seed, looks, size };
            kept.finish(demo::record(shot)?.as_bytes()).map_err(Cannot::Output)?;
            out.note(&format!("The recording is in {}.", file.display()));
            return Ok(());
        }
        terminal::needed()?;
        demo::run(demo::DemoOptions {
            chapter: chapter.or_else(|| (self.tour || self.again).then_some(0)),
            plays: if self.again { Plays::Forever } else { Plays::Once },
            speed,
            seed: self.seed,
            looks,
        })?;
        out.note("That was a demo. willcall init makes your house.");
        Ok(())
    }

    /// The demo as it is without an option.
    fn usual() -> Result<Self, Stop> {
        let matches = Self::augment_args(clap::Command::new("demo")).try_get_matches_from(["demo"]);
        let usual = matches.and_then(|matches| Self::from_arg_matches(&matches));
        usual.map_err(|error| Stop::Fault(Fault::Broken(error.to_string())))
    }
}

impl From<DemoError> for Stop {
    fn from(error: DemoError) -> Self {
        let sentence = error.to_string();
        match error {
            DemoError::Folder(_) => Cannot::DemoFolder(sentence).into(),
            DemoError::Thread(_) => Self::Fault(Fault::Broken(sentence)),
            DemoError::Open(error) => error.into(),
            DemoError::Furnish(failure) => failure.into(),
            DemoError::Tui(error) => error.into(),
        }
    }
}

/// Opens the desk on the house that the options name, with what begins beside it; without the usual house it is asked for.
pub(super) fn desk(
    (options, look): (&Options, &Look),
    out: &mut Out,
    begin: impl FnOnce(&Desk) -> Result<(), Stop>,
) -> Result<(), Stop> {
    let looks = look.options(None, &options.config)?;
    terminal::needed()?;
    let house = match first::start(options, out)? {
        Start::House(house) => house,
        Start::Demo => return Demo::usual()?.run(look, (options, out)),
        Start::Left => return Ok(()),
    };
    let desk = at(options, house, Ticker::On)?;
    begin(&desk)?;
    let shown = tui::run(desk.clone(), looks);
    desk.close();
    Ok(shown?)
}

/// Opens the house that the options name; the usual one is made when it is missing.
pub(super) fn open(options: &Options, ticker: Ticker) -> Result<Desk, Stop> {
    let place = options.place()?;
    make_missing(&place, &options.actor()?)?;
    at(options, place.house(), ticker)
}

/// Opens a house, signed in by the PIN of the environment if there is one.
fn at(options: &Options, house: Location, ticker: Ticker) -> Result<Desk, Stop> {
    let actor = options.actor()?;
    let desk = Desk::open_with(Config { ticker, station: actor.station.clone(), ..Config::new(house) })?;
    let desk = desk.with_actor(actor);
    let settings = desk.read(ReadSettings)?;
    options.sign_in(desk, &settings)
}

/// A list of the screens with the columns that the command line gives it.
pub(crate) fn csv_of(list: &ShownList, here: Local) -> String {
    match list {
        ShownList::Performances(rows) => performance::list(rows, Listed::InUse),
        ShownList::Receipts(rows) => receipt::list(rows, here.zone),
        ShownList::Reservations(rows) => cart::list(rows, here, Currency::EUR),
        ShownList::Jobs(rows) => job::list(rows, here),
        ShownList::Runs(rows) => job::history(rows, here),
        ShownList::Seats(map) => seats::list(map),
        ShownList::Calendars(rows) => calendar::list(rows),
    }
    .csv()
}

impl From<NoTerminal> for Stop {
    fn from(lack: NoTerminal) -> Self {
        Cannot::NoTerminal(lack).into()
    }
}

impl From<TuiError> for Stop {
    fn from(error: TuiError) -> Self {
        let sentence = error.to_string();
        match error {
            TuiError::NoTerminal(lack) => lack.into(),
            TuiError::Keymap { path, .. } => Cannot::Keymap { path, sentence }.into(),
            TuiError::House(failure) => failure.into(),
            TuiError::Terminal(_) | TuiError::Broken(_) => Self::Fault(Fault::Broken(sentence)),
        }
    }
}
