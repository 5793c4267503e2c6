//! One command at work: the desk it works at, and where its answer goes.

use std::cell::Cell;
use std::process::ExitCode;

use chrono_tz::Tz;

use crate::cli::options::Options;
use crate::cli::out::{Answer, Format, Out};
use crate::cli::stop::Stop;
use crate::cli::values::Local;
use crate::domain::house::Settings;
use crate::domain::ids::{CommandId, PerformanceId, TheaterId};
use crate::domain::performance::Theater;
use crate::domain::refusal::Refusal;
use crate::domain::resource::Resource;
use crate::domain::time::Instant;
use crate::engine::reads::asked::ReadAskedAt;
use crate::engine::reads::bookings::{BookingView, ReadBooking};
use crate::engine::reads::catalog::{PerformanceView, ReadPerformance, ReadSettings, ReadTheater};
use crate::engine::reads::instead::{ReadInstead, offer};
use crate::engine::reads::names::{Named, ReadNamed};
use crate::engine::reads::resources::ReadResource;
use crate::engine::reads::{PAGE_MAX, Question};
use crate::engine::{Config, Desk, Engine, Failure, Operation, Role};

/// What a verb gives when it is done.
pub(super) type Done = Result<(), Stop>;

/// One command at work.
pub(super) struct Call<'a> {
    /// The desk, in the name of who typed the command.
    pub(super) desk: Desk,
    /// The house's settings when the command began.
    pub(super) settings: Settings,
    /// Where the answer goes.
    pub(super) out: &'a mut Out,
    command: Option<CommandId>,
    /// The time by which this command's times were read when it was sent first.
    then: Option<Instant>,
    /// The time by which typed times are read, once one was.
    asked_at: Cell<Option<Instant>>,
    /// Stops when the command is done.
    _engine: Engine,
}

impl<'a> Call<'a> {
    /// Opens the house that the options name. It does not sweep: late carts are late without it.
    ///
    /// # Errors
    /// Everything that can be wrong with a house, or a nameless operator or station.
    pub(super) fn open(options: &Options, out: &'a mut Out) -> Result<Self, Stop> {
        Self::open_as(Role::Command, (options, out))
    }

    /// The same, with what the role needs beside the command.
    ///
    /// # Errors
    /// As [`Call::open`].
    pub(super) fn open_as(
        role: Role,
        (options, out): (&Options, &'a mut Out),
    ) -> Result<Self, Stop> {
        let actor = options.actor()?;
        let place = options.place()?;
        let engine = Engine::open(Config {
            role,
            ..Config::new(place.house())
        })?;
        let desk = engine.desk(actor);
        let settings = desk.read(ReadSettings)?;
        out.zone = settings.time_zone;
        Ok(Self {
            desk,
            settings,
            out,
            command: options.command(),
            then: None,
            asked_at: Cell::new(None),
            _engine: engine,
        })
    }

    /// Runs an operation under the command's id.
    ///
    /// # Errors
    /// A refusal or a fault.
    pub(super) fn run<O: Operation>(&self, operation: O) -> Result<O::Answer, Stop> {
        Ok(self.try_run(operation)?)
    }

    /// The same, for who has something to say to a refusal.
    ///
    /// # Errors
    /// A refusal or a fault.
    pub(super) fn try_run<O: Operation>(&self, operation: O) -> Result<O::Answer, Failure> {
        match self.command {
            Some(command) => self.desk.run_asked(command, self.asked_at.get(), operation),
            None => self.desk.run(operation),
        }
    }

    /// Whether a refused command was done before by its id, with times that were read by another present: then those
    /// are read as they were, and the command is tried once more.
    ///
    /// # Errors
    /// A fault.
    pub(super) fn is_sent_again(&mut self, stop: &Stop) -> Result<bool, Stop> {
        let (Stop::Refused(_), Some(command), None) = (stop, self.command, self.then) else {
            return Ok(false);
        };
        self.then = self.read(ReadAskedAt(command))?;
        self.out.zone = self.settings.time_zone;
        Ok(self.then.is_some())
    }

    /// The present time for times that are said from now on. It is one for the whole command, also when that is sent
    /// again by its id.
    pub(super) fn present(&self) -> Instant {
        let now = self.then.or(self.asked_at.get());
        let now = now.unwrap_or_else(|| self.desk.now());
        self.asked_at.set(Some(now));
        now
    }

    /// Runs an operation that wants time of resources; where that is taken, its refusal tells what is free instead.
    ///
    /// # Errors
    /// A refusal or a fault.
    pub(super) fn run_or_offer<O: Operation>(
        &self,
        operation: O,
        wanted: ReadInstead,
    ) -> Result<O::Answer, Stop> {
        self.try_run(operation).map_err(|failure| match failure {
            Failure::Refused(refusal) => offer(&self.desk, refusal, wanted).into(),
            Failure::Fault(fault) => fault.into(),
        })
    }

    /// Asks a question.
    ///
    /// # Errors
    /// A refusal or a fault.
    pub(super) fn read<Q: Question>(&self, question: Q) -> Result<Q::Answer, Stop> {
        Ok(self.desk.read(question)?)
    }

    /// What a text names.
    ///
    /// # Errors
    /// Nothing, or several things.
    pub(super) fn named<T: Named>(&self, text: &str) -> Result<T, Stop> {
        self.read(ReadNamed::<T>::new(text))
    }

    /// The present time and a zone, which typed times are read in.
    pub(super) fn now_in(&self, zone: Tz) -> Local {
        (self.present(), zone)
    }

    /// A theater by what was typed; from now on times are its local ones.
    ///
    /// # Errors
    /// There is none, or several.
    pub(super) fn theater(&mut self, text: &str) -> Result<Theater, Stop> {
        let id: TheaterId = self.named(text)?;
        let (theater, _) = self.read(ReadTheater(id))?;
        self.out.zone = theater.time_zone;
        Ok(theater)
    }

    /// A performance by what was typed; from now on times are its theater's local ones.
    ///
    /// # Errors
    /// There is none, or several.
    pub(super) fn performance(&mut self, text: &str) -> Result<PerformanceView, Stop> {
        let id: PerformanceId = self.named(text)?;
        let view = self.read(ReadPerformance(id))?;
        self.out.zone = view.theater.time_zone;
        Ok(view)
    }

    /// A resource by its id or name; from now on times are its local ones.
    ///
    /// # Errors
    /// There is none, or several.
    pub(super) fn resource(&mut self, text: &str) -> Result<Resource, Stop> {
        let resource = self.read(ReadResource(text.to_owned()))?;
        self.out.zone = resource.zone();
        Ok(resource)
    }

    /// A booking by its id or the end of it, with its names; from now on times are its first resource's local ones.
    ///
    /// # Errors
    /// There is none, or several.
    pub(super) fn booking(&mut self, text: &str) -> Result<BookingView, Stop> {
        let view = self.read(ReadBooking(self.named(text)?))?;
        if let Some(taken) = view.taken.first() {
            self.out.zone = taken.zone;
        }
        Ok(view)
    }

    /// Writes the answer.
    ///
    /// # Errors
    /// Nobody reads any more, or the stream failed.
    pub(super) fn answer(&mut self, answer: &impl Answer) -> Done {
        self.out.answer(answer)
    }

    /// Writes an answer whose exit code is its own.
    ///
    /// # Errors
    /// Nobody reads any more, or the stream failed.
    pub(super) fn answer_with(
        &mut self,
        answer: &impl Answer,
        code: ExitCode,
    ) -> Result<ExitCode, Stop> {
        self.answer(answer).map(|()| code)
    }

    /// Says how a list that was cut continues.
    pub(super) fn more(&self, shown: usize, last: Option<&str>) {
        if let (true, Some(last), Format::People) = (shown >= PAGE_MAX, last, self.out.format()) {
            self.out
                .note(&format!("These are {shown}; more with --after {last}"));
        }
    }
}

/// Runs a verb at the house that the options name. One that was done before by its command id is asked as it was then.
///
/// # Errors
/// A refusal or a fault.
pub(super) fn at_desk<T>(
    options: &Options,
    out: &mut Out,
    verb: impl Fn(&mut Call<'_>) -> Result<T, Stop>,
) -> Result<T, Stop> {
    let mut call = Call::open(options, out)?;
    match verb(&mut call) {
        Err(stop) if call.is_sent_again(&stop)? => verb(&mut call),
        ended => ended,
    }
}

/// The part of a list after one of its members, at most a page.
///
/// # Errors
/// The list has no such member.
pub(super) fn page<T>(
    list: Vec<T>,
    after: Option<&str>,
    is: impl Fn(&T, &str) -> bool,
) -> Result<Vec<T>, Stop> {
    let skip = match after {
        None => 0,
        Some(after) => {
            let place = list.iter().position(|item| is(item, after));
            place.map(|place| place + 1).ok_or(Refusal::NotFound {
                what: "item of this list".into(),
                name: after.to_owned(),
            })?
        }
    };
    Ok(list.into_iter().skip(skip).take(PAGE_MAX).collect())
}
