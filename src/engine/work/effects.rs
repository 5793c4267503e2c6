//! Writes of an operation other than documents: jobs, events, presence; and its time limit.

use std::time::{Duration, Instant as Moment};

use crate::domain::event::Event;
use crate::domain::job::{Job, JobKind};
use crate::domain::presence::Present;
use crate::domain::private;
use crate::domain::time::{Instant, Span};
use crate::engine::work::{Failure, UnitOfWork};
use crate::store::Fault;
use crate::store::job::{self, Checked, EmittedEvent, Heard, JobChange, Output, SideEffect};
use crate::store::presence;

impl UnitOfWork<'_> {
    /// Creates or moves the job of a subject: due at the given time, rounded up to a slot of its
    /// kind. Its count of checks stays; a parked job runs again.
    #[expect(clippy::needless_pass_by_value, reason = "ids are small and read best by value")]
    pub fn put_job(&mut self, kind: JobKind, subject: impl ToString, due: Instant) -> Result<(), Failure> {
        let policy = self.settings()?.policy(kind);
        self.put_prioritized(Job::new(kind, subject.to_string(), due, &policy));
        Ok(())
    }

    /// Creates a job that may have a priority of its own.
    pub(in crate::engine) fn put_prioritized(&mut self, job: Job) {
        self.effects.push(SideEffect::Job(JobChange::Put(job)));
    }

    /// Ends the job of an ended subject, if there is one.
    #[expect(clippy::needless_pass_by_value, reason = "ids are small and read best by value")]
    pub fn end_job(&mut self, kind: JobKind, subject: impl ToString) {
        let subject = subject.to_string();
        self.effects.push(SideEffect::Job(JobChange::End { kind, subject }));
    }

    /// Loads a job.
    pub fn job(&mut self, kind: JobKind, subject: &str) -> Result<Option<Job>, Failure> {
        Ok(job::find(self.sql()?, kind, subject)?)
    }

    /// Records an event with the command; its listener is called after the commit.
    pub fn tell(&mut self, event: &Event) -> Result<(), Failure> {
        let spell = || serde_json::to_string(event).map_err(|error| Fault::Broken(error.to_string()));
        let (body, (told, _)) = (spell()?, private::apart(spell));
        let word = event.word();
        let heard = if self.settings()?.listeners.contains_key(word) { Heard::Waits } else { Heard::Nobody };
        self.effects.push(SideEffect::Event(EmittedEvent { word, body, told: told?, heard }));
        Ok(())
    }

    /// Records that a station is on or off.
    pub(crate) fn present(&mut self, present: Present) -> Result<(), Failure> {
        let said_at = self.sql()?.steady_millis()?;
        self.effects.push(SideEffect::Present(present, said_at));
        Ok(())
    }

    /// Returns whether a station's desk is on now.
    pub(crate) fn is_on(&mut self, station: &str) -> Result<bool, Failure> {
        let after = self.now() - Present::OFF_AFTER;
        let on = presence::since(self.sql()?, after)?;
        Ok(on.iter().any(|present| present.station == station))
    }

    /// Erases the output of a command.
    pub(crate) fn erase(&mut self, output: Output) {
        self.effects.push(SideEffect::Erased(output));
    }

    /// Deletes a batch of runs and events older than a time; returns whether more remain.
    pub(crate) fn forget_history(&mut self, before: Instant) -> Result<bool, Failure> {
        let rest = job::is_long(self.sql()?, before)?;
        self.effects.push(SideEffect::Forget(before));
        Ok(rest)
    }

    /// Word of an event, and the state of its listener.
    pub(crate) fn listener(&mut self, number: i64) -> Result<Option<(String, Heard)>, Failure> {
        Ok(job::listener(self.sql()?, number)?)
    }

    /// Takes an event for its listener, and a lease of the call.
    pub(crate) fn take_call(&mut self, number: i64) -> Result<(), Failure> {
        let (kind, settings) = (JobKind::ListenerCall, self.settings()?);
        let due = self.now() + settings.call_lease();
        let job = Job::new(kind, number.to_string(), due, &settings.policy(kind));
        self.effects.extend([SideEffect::Heard(number, Heard::Called), SideEffect::Job(JobChange::Lease(job))]);
        Ok(())
    }

    /// Gives an event back to its listener, which is called again.
    pub(crate) fn give_back_call(&mut self, number: i64) {
        self.effects.push(SideEffect::Heard(number, Heard::Waits));
    }

    /// Records the run of a job's check, or an intervention by hand.
    pub(crate) fn checked(&mut self, checked: Checked) {
        self.effects.push(SideEffect::Checked(Box::new(checked)));
    }

    /// Sets a time limit; beyond it every further statement fails.
    pub(crate) fn limit(&mut self, limit: Span) -> Result<(), Failure> {
        let limit = Duration::from_millis(limit.millis().unsigned_abs());
        self.until = Some(Moment::now() + limit);
        Ok(self.source.writable()?.session()?.limit(Some(limit))?)
    }

    /// Lifts the time limit.
    ///
    /// # Errors
    /// The limit has passed, or a fault of the store.
    pub(crate) fn unlimited(&mut self) -> Result<(), Failure> {
        let in_time = self.in_time();
        self.until = None;
        self.source.writable()?.session()?.limit(None)?;
        Ok(in_time?)
    }

    /// Fails if the time limit has passed.
    pub(super) fn in_time(&self) -> Result<(), Fault> {
        if self.until.is_some_and(|until| Moment::now() > until) {
            return Err(Fault::TooLong);
        }
        Ok(())
    }
}
