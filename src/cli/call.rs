//! One command at work: the desk it works at, and where its answer goes.

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
        let command = self.command.unwrap_or_else(CommandId::random);
        self.desk.run_as(command, operation)
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
        (self.desk.now(), zone)
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
