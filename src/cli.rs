//! The command line: `willcall NOUN VERB`, the same operations and questions as the screens.
//!
//! An answer is a table for people or JSON for programs. Exit codes: 0 done, 1 a fault, 2 a line that cannot be
//! parsed, 3 refused. Values (money, times, seats) are parsed after the line, so that a wrong one is refused with a
//! sentence of its own.
//!
//! # Invariants
//! - Standard output has the answer and nothing else; sentences go to standard error.
//! - Nothing here decides: a verb parses its arguments, asks the desk, and writes the answer.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{Write, stderr};
use std::path::{Path, PathBuf};
use std::process::{ExitCode, Termination};

use clap::error::{ContextKind, ContextValue};
use clap::parser::ValueSource;
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

pub(crate) mod answers;
mod bench;
pub(crate) mod calendar;
mod call;
mod cart;
mod clock;
mod config;
mod correction;
mod credit;
mod csv;
mod customer;
mod day;
mod find;
mod first;
mod help;
mod init;
mod job;
mod journal;
mod machine;
mod means;
mod moving;
mod operator;
mod options;
mod out;
mod performance;
mod picture;
mod prices;
mod printing;
mod reading;
mod receipt;
mod resource;
mod screen;
mod season;
mod serve;
mod server;
mod settings;
mod shell;
mod stop;
mod table;
mod theater;
mod ticket;
mod till;
mod times;
mod values;
mod verify;
mod waitlist;
mod work;
mod worklist;

use call::Call;
use config::UserConfig;
use options::Options;
use out::Out;
use screen::Look;
#[cfg(test)]
pub(crate) use screen::csv_of;
use stop::Stop;

use crate::domain::text::harmless;
use crate::engine::line_with_file;
use crate::formats::FILE_BYTES_MAX;

/// A booking desk in the terminal: sells theater seats from a live map.
///
/// Without a command it opens the desk. Theaters, performances, carts and receipts are named by id, by the
/// end of an id, or by name.
#[derive(Debug, Parser)]
#[command(name = "willcall", version, disable_help_subcommand = true, after_help = help::topics())]
struct CommandLine {
    #[command(flatten)]
    options: Options,
    #[command(flatten)]
    look: Look,
    /// Keep a calendar of each resource in this folder, with busy times only, for any web server to hand out
    #[arg(long, value_name = "FOLDER", help_heading = "The desk")]
    publish: Option<PathBuf>,
    #[command(subcommand)]
    command: Option<Command>,
}

impl CommandLine {
    fn of_arguments() -> Result<Self, clap::Error> {
        let matches = Self::command().try_get_matches()?;
        let mut line = Self::from_arg_matches(&matches).map_err(|error| error.format(&mut Self::command()))?;
        let is_there = |id: &str| matches.value_source(id) == Some(ValueSource::CommandLine);
        line.options.on_line = (is_there("operator"), is_there("station"));
        Ok(line)
    }

    /// A hash of the command as typed (without the options allowed anywhere) and one of its file; none for
    /// a file that can be read only once.
    fn typed(&self) -> Option<String> {
        let command = self.command.as_ref()?;
        let line = hash(&format!("{command:?}"));
        let Some(path) = command.file() else {
            return Some(line);
        };
        let is_file = fs::metadata(path).is_ok_and(|there| there.is_file());
        let contents = || reading::at_most(path, FILE_BYTES_MAX).ok().flatten();
        let contents = is_file.then(contents).flatten()?;
        Some(line_with_file(&line, &hash(&contents)))
    }
}

impl Command {
    /// The file that the command imports.
    fn file(&self) -> Option<&Path> {
        if let Self::Theater(theater::TheaterVerb::Import(import)) = self {
            return Some(&import.file);
        }
        if let Self::Calendar(verb) = self
            && let calendar::CalendarVerb::Import(import) = &**verb
        {
            return Some(&import.file);
        }
        if let Self::Customer(customer::CustomerVerb::Import(import)) = self {
            return Some(&import.file);
        }
        if let Self::Season(season::SeasonVerb::Import(import)) = self {
            return Some(&import.file);
        }
        None
    }
}

/// Runs a verb at the house that the options name. A line repeated under its command id prints the journal's answer.
fn at_desk<T: Termination>(
    line: &CommandLine,
    out: &mut Out,
    verb: impl Fn(&mut Call<'_>) -> Result<T, Stop>,
) -> Result<ExitCode, Stop> {
    let mut call = Call::open(&line.options, out)?;
    call.sent_as(|| line.typed());
    Ok(verb(&mut call)?.report())
}

fn hash(value: &impl Hash) -> String {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Make a house
    Init(init::Init),
    /// Theaters and their seating plans
    #[command(subcommand)]
    Theater(theater::TheaterVerb),
    /// Performances: open, look at, cancel, keep seats, take seats out of use
    #[command(subcommand)]
    Performance(performance::PerformanceVerb),
    /// A whole season as a list: nights with their times and prices, in and out
    #[command(subcommand)]
    Season(season::SeasonVerb),
    /// Resources, booked by time: halls, rooms, nights, cars
    #[command(subcommand)]
    Resource(resource::ResourceVerb),
    /// The calendar of resources: look, book, cancel, move, take out of use
    #[command(subcommand)]
    Calendar(Box<calendar::CalendarVerb>),
    /// Free time in a window; with --text, anything by words
    Find(find::Find),
    /// Carts: seats in, seats out, pay
    #[command(subcommand)]
    Cart(cart::CartVerb),
    /// Receipts and their tickets
    #[command(subcommand)]
    Receipt(receipt::ReceiptVerb),
    /// Tickets by their codes: show, check at the door, undo
    #[command(subcommand)]
    Ticket(ticket::TicketVerb),
    /// Credits: money that is owed to customers
    #[command(subcommand)]
    Credit(credit::CreditVerb),
    /// The till of this station: open, put cash in, take it out, read, count and close
    Till(till::TillOf),
    /// Sums of a business day: by station, operator, means, performance, resource, ticket type and tax
    Day(day::Day),
    /// Sums of any time, as day has them
    Report(day::Report),
    /// Customers: find, look at, change, merge, import, forget
    #[command(subcommand)]
    Customer(customer::CustomerVerb),
    /// Operators: who may act, by role and PIN
    #[command(subcommand)]
    Operator(operator::OperatorVerb),
    /// Items that an operator has to deal with
    Worklist(worklist::Worklist),
    /// Waiting lists: customers who wait for seats, and why
    #[command(subcommand)]
    Waitlist(waitlist::WaitlistVerb),
    /// Jobs: due, parked, and finished runs
    #[command(subcommand)]
    Job(job::JobVerb),
    /// Run due jobs and call listeners without a desk, until stopped
    Work(work::Work),
    /// A door for other programs: JSON lines on standard input and output, or on a socket
    Serve(serve::Serve),
    /// Price lists: rules by day, date and hour, and what a time costs by them
    #[command(subcommand)]
    Prices(prices::PricesVerb),
    /// The house's settings
    #[command(subcommand)]
    Settings(settings::SettingsVerb),
    /// This user's configuration file
    #[command(subcommand)]
    Config(config::ConfigVerb),
    /// The machine's clock
    #[command(subcommand)]
    Clock(clock::ClockVerb),
    /// A house on several servers
    #[command(subcommand)]
    Server(server::ServerVerb),
    /// Check every invariant of the house; changes nothing
    Verify(verify::Verify),
    /// Copy a house into an empty place
    Copy(moving::Copy),
    /// Write the house, at work or not, into a file
    Backup(moving::Backup),
    /// Make a house again from a backup
    Restore(moving::Restore),
    /// The journal of every change
    Journal(journal::Journal),
    /// Measure this machine
    #[command(subcommand)]
    Bench(bench::BenchVerb),
    /// Try the desk on a throw-away house with simulated customers
    Demo(screen::Demo),
    /// Draw a screen into an SVG file
    Picture(picture::Picture),
    /// Help on a command or a topic
    Help(help::Help),
    /// Completions for a shell
    Completions(shell::Completions),
    /// The manual: the program's page, a command's, or all into a folder
    Man(shell::Manual),
}

/// The options allowed anywhere, for a usage line.
const EVERYWHERE: [&str; 5] =
    [" --db <PLACE>", " --json[=<VERSION>]", " --operator <NAME>", " --station <NAME>", " --command-id <UUID>"];

/// Runs the command of the process's arguments and gives its exit code.
pub fn run() -> ExitCode {
    let mut line = match CommandLine::of_arguments() {
        Ok(line) => line,
        Err(error) => return unparsed(error),
    };
    let mut out = Out::new(line.options.format());
    match done(&mut line, &mut out).and_then(|code| out.flush().map(|()| code)) {
        Ok(code) => code,
        Err(stop) => stop.tell(&mut out),
    }
}

/// Removes the options allowed anywhere: clap lists given ones as if the command needed them.
fn plain_usage(mut error: clap::Error) -> clap::Error {
    if let Some(ContextValue::StyledStr(usage)) = error.get(ContextKind::Usage) {
        let mut usage = usage.to_string();
        for everywhere in EVERYWHERE {
            usage = usage.replace(everywhere, "");
        }
        error.insert(ContextKind::Usage, ContextValue::StyledStr(usage.into()));
    }
    error
}

/// Reports a line that cannot be parsed, or prints help; typed text is cleaned of control characters.
fn unparsed(error: clap::Error) -> ExitCode {
    let error = plain_usage(error);
    let asked = !error.use_stderr();
    let typed = std::env::args_os().any(|argument| {
        let argument = argument.to_string_lossy();
        harmless(&argument) != argument
    });
    // the output may be closed
    let _ = if asked || !typed { error.print() } else { write!(stderr(), "{}", harmless(&error.render().to_string())) };
    ExitCode::from(if asked { 0 } else { stop::UNPARSED })
}

fn done(line: &mut CommandLine, out: &mut Out) -> Result<ExitCode, Stop> {
    if !matches!(line.command, Some(Command::Config(_))) {
        line.options.config = UserConfig::read()?;
    }
    let line = &*line;
    let Some(command) = &line.command else {
        let publish =
            |desk: &_| line.publish.as_deref().map_or(Ok(()), |folder| calendar::keep_published(desk, folder));
        return screen::desk((&line.options, &line.look), out, publish).map(|()| ExitCode::SUCCESS);
    };
    match command {
        Command::Init(init) => init.run(&line.options, out)?,
        Command::Demo(demo) => demo.run(&line.look, (&line.options, out))?,
        Command::Picture(picture) => picture.run(&line.look, (&line.options, out))?,
        Command::Help(help) => return help.run(out),
        Command::Config(verb) => verb.run(|config| line.options.over(config), out)?,
        Command::Completions(completions) => completions.run(CommandLine::command(), out)?,
        Command::Man(manual) => manual.run(CommandLine::command(), (&line.options, out))?,
        Command::Bench(verb) => return verb.run(&line.options, out),
        Command::Server(verb) => return verb.run(&line.options, out),
        Command::Copy(copy) => copy.run(out)?,
        Command::Backup(backup) => backup.run(&line.options, out)?,
        Command::Restore(restore) => restore.run(&line.options, out)?,
        Command::Verify(verify) => return at_desk(line, out, |call| verify.run(call)),
        Command::Theater(verb) => return at_desk(line, out, |call| verb.run(call)),
        Command::Performance(verb) => return at_desk(line, out, |call| verb.run(call)),
        Command::Season(verb) => return at_desk(line, out, |call| verb.run(call)),
        Command::Resource(verb) => return at_desk(line, out, |call| verb.run(call)),
        Command::Calendar(verb) => return at_desk(line, out, |call| verb.run(call)),
        Command::Find(find) => return at_desk(line, out, |call| find.run(call)),
        Command::Cart(verb) => return at_desk(line, out, |call| verb.run(call)),
        Command::Receipt(verb) => return at_desk(line, out, |call| verb.run(call)),
        Command::Credit(verb) => return at_desk(line, out, |call| verb.run(call)),
        Command::Ticket(verb) => return at_desk(line, out, |call| verb.run(call)),
        Command::Till(till) => return at_desk(line, out, |call| till.run(call)),
        Command::Day(day) => return at_desk(line, out, |call| day.run(call)),
        Command::Report(report) => return at_desk(line, out, |call| report.run(call)),
        Command::Customer(verb) => return at_desk(line, out, |call| verb.run(call)),
        Command::Operator(verb) => return at_desk(line, out, |call| verb.run(call)),
        Command::Worklist(worklist) => return at_desk(line, out, |call| worklist.run(call)),
        Command::Clock(verb) => return at_desk(line, out, |call| verb.run(call)),
        Command::Waitlist(verb) => return at_desk(line, out, |call| verb.run(call)),
        Command::Job(verb) => return at_desk(line, out, |call| verb.run(call)),
        Command::Work(work) => return work.run(&line.options, out),
        Command::Serve(serve) => return serve.run(&line.options, out),
        Command::Prices(verb) => return at_desk(line, out, |call| verb.run(call)),
        Command::Settings(verb) => return at_desk(line, out, |call| verb.run(call)),
        Command::Journal(journal) => {
            journal.run(&mut Call::open_as(journal.role(), (&line.options, out))?)?;
        }
    }
    Ok(ExitCode::SUCCESS)
}
