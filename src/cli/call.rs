//! A running command: its desk, and its output.

use std::fmt::Display;

use chrono_tz::Tz;
use clap::Args;

use crate::cli::options::Options;
use crate::cli::out::{Format, Out, Rendered};
use crate::cli::stop::Stop;
use crate::domain::house::Settings;
use crate::domain::ids::{CommandId, PerformanceId, TheaterId};
use crate::domain::performance::Theater;
use crate::domain::refusal::Refusal;
use crate::domain::resource::Resource;
use crate::domain::time::{Instant, Local};
use crate::engine::ops::AnyOperation;
use crate::engine::reads::alternatives::with_offers;
use crate::engine::reads::bookings::{BookingView, ReadBooking};
use crate::engine::reads::catalog::{PerformanceView, ReadPerformance, ReadSettings, ReadTheater};
use crate::engine::reads::names::{Named, ReadNamed, ReadNamedPerformance};
use crate::engine::reads::resources::ReadResource;
use crate::engine::reads::{PAGE_MAX, Question, Rehearse};
use crate::engine::{Config, Desk, Failure, Operation, Role};

pub(super) type Done = Result<(), Stop>;

// an act that can be tried
#[derive(Clone, Copy, Debug, Default, Args)]
pub(super) struct Trial {
    /// Only show what it would do
    #[arg(long)]
    dry_run: bool,
}

impl Trial {
    pub(super) const fn is_asked(self) -> bool {
        self.dry_run
    }

    /// Runs an operation, or only asks what it would answer.
    pub(super) fn run<O: Operation>(self, call: &Call<'_>, operation: O) -> Result<O::Answer, Stop> {
        if self.dry_run { call.read(Rehearse(operation)) } else { call.run(operation) }
    }

    /// Answers with what was done, or would be.
    pub(super) fn answer(self, call: &mut Call<'_>, answer: Rendered) -> Done {
        call.answer(&answer.noted(self.dry_run.then_some("Nothing was done: this is what it would do.")))
    }
}

pub(super) struct Call<'a> {
    /// The desk, acting as the operator of the command.
    pub(super) desk: Desk,
    /// Settings of the house at the start of the command.
    pub(super) settings: Settings,
    pub(super) out: &'a mut Out,
    command: Option<CommandId>,
    /// Operator and station that the line itself names: a list has only their rows.
    pub(super) named: (Option<String>, Option<String>),
    /// Hash of the command line and its file; none for a file that can be read only once.
    line: Option<String>,
}

impl<'a> Call<'a> {
    /// Opens the house that the options name. The engine does not sweep: late carts are refused without it.
    pub(super) fn open(options: &Options, out: &'a mut Out) -> Result<Self, Stop> {
        Self::open_as(Role::Command, (options, out))
    }

    /// Remembers the hash of its line, where the line has a command id.
    pub(super) fn sent_as(&mut self, typed: impl FnOnce() -> Option<String>) {
        self.line = self.command.and_then(|_| typed());
    }

    pub(super) fn open_as(role: Role, (options, out): (&Options, &'a mut Out)) -> Result<Self, Stop> {
        let actor = options.actor()?;
        let place = options.place()?;
        if options.shows_password() {
            out.note("Everybody on this machine can read a password in --db; put it into the passfile, ~/.pgpass.");
        }
        let desk = Desk::open_with(Config { role, ..Config::new(place.house()) })?;
        let desk = desk.with_actor(actor);
        let settings = desk.read(ReadSettings)?;
        let desk = options.sign_in(desk, &settings)?;
        (out.now, out.zone) = (desk.now(), settings.time_zone);
        Ok(Self { desk, settings, out, command: options.command(), named: options.named_actor(), line: None })
    }

    pub(super) fn run<O: Operation>(&self, operation: O) -> Result<O::Answer, Stop> {
        Ok(self.try_run(operation)?)
    }

    /// Runs an operation under the command's id, and leaves the failure to the caller.
    pub(super) fn try_run<O: Operation>(&self, operation: O) -> Result<O::Answer, Failure> {
        let Some(command) = self.command else {
            return self.desk.run(operation);
        };
        self.desk.run_typed(command, self.line.as_deref(), operation)
    }

    /// Time by which times are parsed and told, one for the whole command.
    pub(super) const fn present(&self) -> Instant {
        self.out.now
    }

    /// Runs an operation that takes time of resources; its refusal offers free times instead.
    pub(super) fn run_or_offer<O>(&self, operation: O) -> Result<O::Answer, Stop>
    where
        O: Operation + Clone + Into<AnyOperation>,
    {
        let done = self.try_run(operation.clone());
        done.map_err(|failure| with_offers(&self.desk, &operation.into(), failure).into())
    }

    pub(super) fn read<Q: Question>(&self, question: Q) -> Result<Q::Answer, Stop> {
        Ok(self.desk.read(question)?)
    }

    pub(super) fn named<T: Named>(&self, text: &str) -> Result<T, Stop> {
        self.read(ReadNamed::<T>::new(text))
    }

    /// The present time, and a zone for parsing typed times.
    pub(super) const fn now_in(&self, zone: Tz) -> Local {
        self.out.here().in_zone(zone)
    }

    /// Resolves a theater, and shows later times in its zone.
    pub(super) fn theater(&mut self, text: &str) -> Result<Theater, Stop> {
        let id: TheaterId = self.named(text)?;
        let (theater, _) = self.read(ReadTheater(id))?;
        self.out.zone = theater.time_zone;
        Ok(theater)
    }

    /// Resolves a performance, and shows later times in its theater's zone.
    pub(super) fn performance(&mut self, text: &str) -> Result<PerformanceView, Stop> {
        let id = self.performance_id(text)?;
        self.read(ReadPerformance(id))
    }

    /// Resolves only the id of a performance, and shows later times in its zone.
    pub(super) fn performance_id(&mut self, text: &str) -> Result<PerformanceId, Stop> {
        let (id, zone) = self.read(ReadNamedPerformance(text.to_owned()))?;
        self.out.zone = zone;
        Ok(id)
    }

    /// Resolves a resource, and shows later times in its zone.
    pub(super) fn resource(&mut self, text: &str) -> Result<Resource, Stop> {
        let resource = self.read(ReadResource(text.to_owned()))?;
        self.out.tell_by(resource.grid);
        Ok(resource)
    }

    /// Resolves a booking with its names, and shows later times in its first resource's zone.
    pub(super) fn booking(&mut self, text: &str) -> Result<BookingView, Stop> {
        let view = self.read(ReadBooking(self.named(text)?))?;
        if let Some(taken) = view.taken.first() {
            self.out.tell_by(taken.wall);
        }
        Ok(view)
    }

    pub(super) fn answer(&mut self, answer: &Rendered) -> Done {
        self.out.answer(answer)
    }

    /// A page of a list behind one of its members; as CSV, all that are behind it.
    pub(super) fn pages<Q: Question<Answer = Vec<R>>, R, I: Display>(
        &self,
        after: Option<I>,
        page: impl Fn(Option<I>) -> Q,
        id: impl Fn(&R) -> I,
    ) -> Result<Vec<R>, Stop> {
        let mut rows = self.read(page(after))?;
        let mut is_full = rows.len() >= PAGE_MAX;
        while is_full && self.out.format == Format::Csv {
            let more = self.read(page(rows.last().map(&id)))?;
            is_full = more.len() >= PAGE_MAX;
            rows.extend(more);
        }
        self.more(&rows, id);
        Ok(rows)
    }

    /// The part of a list behind one of its members, at most a page; as CSV, all of it.
    pub(super) fn page<R, I: Display>(
        &self,
        mut list: Vec<R>,
        after: Option<&str>,
        id: impl Fn(&R) -> I,
    ) -> Result<Vec<R>, Stop> {
        if let Some(after) = after {
            let place = list.iter().position(|one| id(one).to_string() == after);
            let unknown = || Refusal::not_found("item of this list", after);
            list.drain(..=place.ok_or_else(unknown)?);
        }
        if self.out.format != Format::Csv {
            list.truncate(PAGE_MAX);
        }
        self.more(&list, id);
        Ok(list)
    }

    /// Writes the command for the next page of a list.
    fn more<R, I: Display>(&self, rows: &[R], id: impl Fn(&R) -> I) {
        if let (PAGE_MAX.., Some(last), Format::People) = (rows.len(), rows.last(), self.out.format) {
            self.out.note(&format!("These are {}; more with --after {}", rows.len(), id(last)));
        }
    }
}
