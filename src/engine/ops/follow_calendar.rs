//! Follows a calendar of others: what its file brought is moved, ended and added to as the file has it now.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io;
use std::path::Path;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::domain::availability::Act;
use crate::domain::booking::{Booking, Brought, Cause, Details};
use crate::domain::followed::{Followed, Following, Standing, brought_as, imported_as};
use crate::domain::house::{WorkKind, WorkState, WorklistItem};
use crate::domain::ids::BookingId;
use crate::domain::job::PolicyChange;
use crate::domain::refusal::{JobRefusal, Limit, Problem, Refusal};
use crate::domain::resource::Resource;
use crate::domain::text::clean;
use crate::domain::time::{Instant, Slot, Span};
use crate::engine::Location;
use crate::engine::ops::booking::{Past, Request, Want, book, bookable};
use crate::engine::ops::foreign::{AGREED, forget, imported, own};
use crate::engine::ops::import_times::ForeignTime;
use crate::engine::ops::worklist::{put_on_worklist, resolve};
use crate::engine::ops::{AddJob, claims, paying};
use crate::engine::work::{Failure, Operation, UnitOfWork};

/// Most times of one act, so that nobody waits long for it.
pub const FOLLOWED_MAX: usize = 256;

/// Brings bookings to the times that a followed calendar has for them: first all that moves or goes is freed, then all is
/// taken. A time that is not free stays as it was, and is put on the worklist.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FollowCalendar {
    pub calendar: String,
    pub times: Vec<ForeignTime>,
    /// Bookings that vanished from the file, and are freed.
    pub freed: Vec<BookingId>,
    /// Bookings that vanished from the file, and are asked about.
    pub asked: Vec<BookingId>,
}

/// Result of following a part of a calendar.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CalendarFollowed {
    pub effects: Following,
    /// Stored names of the times that differ.
    pub names: Vec<String>,
    /// Times that are not free, each with the reason.
    pub taken: Vec<(String, Slot, Refusal)>,
}

/// Begins, changes or ends the following of a calendar; what differs no more leaves the worklist.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChangeFollowed {
    pub calendar: String,
    /// None ends it; its bookings stay.
    pub followed: Option<Followed>,
    /// Stored names of the times that differ, at the end of a reading, which begins none anew; `None` leaves the
    /// worklist alone.
    pub differing: Option<Vec<String>>,
    /// Job that reads its file, added unless there is one.
    #[serde(default)]
    pub job: Option<AddJob>,
}

impl ChangeFollowed {
    /// Job that reads a calendar's file; `run` is the command of its kind, where the house has none yet.
    pub fn reader(calendar: &str, due: Instant, run: Option<String>) -> AddJob {
        let (limit, retry) = (Some(Span::seconds(30)), Some(Span::minutes(5)));
        let policy = match run {
            Some(_) => PolicyChange { checks: Some(0), limit, retry, ..PolicyChange::default() },
            None => PolicyChange::default(),
        };
        AddJob { kind: Followed::JOB.to_owned(), subject: calendar.to_owned(), due, run, policy, ..AddJob::default() }
    }

    /// Command of the jobs that read files of a house at a place.
    ///
    /// # Errors
    /// The path of this program, or of the house, cannot be found.
    pub(crate) fn command(place: &Location) -> io::Result<String> {
        let quoted = |path: &Path| format!("'{}'", path.to_string_lossy().replace('\'', r"'\''"));
        let place = match place {
            Location::File(path) => format!("--db {} ", quoted(&std::path::absolute(path)?)),
            Location::Server(_) => String::new(),
        };
        Ok(format!("exec {} {place}calendar follow --job", quoted(&std::env::current_exe()?)))
    }
}

impl Operation for FollowCalendar {
    const VERB: &'static str = "follow_calendar";
    type Answer = CalendarFollowed;

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<CalendarFollowed, Failure> {
        if self.size() > FOLLOWED_MAX {
            return Err(Refusal::bad("times", Problem::AtMost(FOLLOWED_MAX, Limit::ImportTimes)).into());
        }
        let mut settings = Arc::unwrap_or_clone(work.settings()?);
        let followed = settings.followed.remove(&self.calendar);
        let followed = followed.ok_or_else(|| Refusal::not_found("followed calendar", &self.calendar))?;
        // times that were imported once are followed from now on
        let names =
            self.times.iter().flat_map(|time| [self.name(time), imported_as(&followed.resource, &clean(&time.uid))]);
        let known = imported(work, &names.collect::<Vec<_>>())?;
        let act = FileAct { follow: self, followed: &followed, known: &known };
        let mut left: BTreeMap<usize, Refusal> = BTreeMap::new();
        // a booking that keeps its old time may stand in the way of another
        let mut done = loop {
            let mut failed = BTreeMap::new();
            let done = work.attempt(|work| act.write(work, &left, &mut failed))?;
            match done {
                Ok(done) => break done,
                Err(refusal) if failed.is_empty() => return Err(refusal.into()),
                Err(_) => left.extend(failed),
            }
        };
        for (number, refusal) in left {
            act.left(work, (number, refusal), &mut done)?;
        }
        for id in &self.asked {
            act.ask(work, *id, &mut done)?;
        }
        done.effects.differing = u32::try_from(done.names.len()).unwrap_or(u32::MAX);
        Ok(done)
    }
}

impl FollowCalendar {
    /// Number of its changes.
    pub const fn size(&self) -> usize {
        self.times.len() + self.freed.len() + self.asked.len()
    }

    /// Adds the changes of another act.
    pub fn extend(&mut self, other: Self) {
        self.times.extend(other.times);
        self.freed.extend(other.freed);
        self.asked.extend(other.asked);
    }

    /// The act, or as many as it needs: what goes first.
    pub fn parts(self) -> Vec<Self> {
        if self.size() <= FOLLOWED_MAX {
            return vec![self];
        }
        let bare = Self { times: Vec::new(), freed: Vec::new(), asked: Vec::new(), calendar: self.calendar };
        let freed = self.freed.chunks(FOLLOWED_MAX).map(|part| Self { freed: part.to_vec(), ..bare.clone() });
        let times = self.times.chunks(FOLLOWED_MAX).map(|part| Self { times: part.to_vec(), ..bare.clone() });
        let asked = self.asked.chunks(FOLLOWED_MAX).map(|part| Self { asked: part.to_vec(), ..bare.clone() });
        freed.chain(times).chain(asked).collect()
    }

    fn name(&self, time: &ForeignTime) -> String {
        brought_as(&self.calendar, &clean(&time.uid))
    }
}

/// A file's times beside the bookings that they were brought as.
struct FileAct<'a> {
    follow: &'a FollowCalendar,
    followed: &'a Followed,
    known: &'a HashMap<String, Booking>,
}

impl FileAct<'_> {
    /// Frees, then takes; refused, with the reasons, if a time is not free that is not left alone.
    fn write(
        &self,
        work: &mut UnitOfWork<'_>,
        left: &BTreeMap<usize, Refusal>,
        failed: &mut BTreeMap<usize, Refusal>,
    ) -> Result<CalendarFollowed, Failure> {
        let mut done = CalendarFollowed::default();
        for id in &self.follow.freed {
            let booking: Booking = work.get(*id)?;
            if self.followed.is_as_brought(&booking) {
                forget(work, booking)?;
                done.effects.freed += 1;
            } else {
                done.effects.own += 1;
            }
        }
        let mut places = Vec::new();
        for (number, time) in self.follow.times.iter().enumerate().filter(|(number, _)| !left.contains_key(number)) {
            if own(work, &time.uid)? {
                done.effects.echoes += 1;
                continue;
            }
            let cause = self.followed.cause(&time.title);
            let booking = self.booking(time);
            let standing = self.followed.standing(booking, (time.slot, &cause));
            match (standing, booking) {
                (Standing::Moved, Some(booking)) => claims::free(work, &booking.taken, &booking.owner())?,
                (Standing::Other, Some(booking)) => forget(work, booking.clone())?,
                _ => {}
            }
            places.push((number, time, cause, booking, standing));
        }
        for (number, time, cause, booking, standing) in places {
            let count = match standing {
                Standing::Same | Standing::Agreed => None,
                Standing::Own => Some(&mut done.effects.own),
                Standing::New | Standing::Other => Some(&mut done.effects.brought),
                Standing::Moved => Some(&mut done.effects.moved),
            };
            if let Some(count) = count {
                *count += 1;
            }
            let outcome = match (standing, booking) {
                (Standing::New | Standing::Other, _) => self.bring(work, time, cause),
                (Standing::Moved, Some(booking)) => self.move_to(work, booking.clone(), time),
                (Standing::Same | Standing::Agreed, Some(booking)) => {
                    let (imported_as, brought) = (Some(self.follow.name(time)), Some(self.brought(time.slot)));
                    work.put(&Booking { imported_as, brought, ..booking.clone() })
                }
                _ => Ok(()),
            };
            match outcome {
                Ok(()) => {}
                Err(Failure::Refused(refusal)) => drop(failed.insert(number, refusal)),
                Err(fault @ Failure::Fault(_)) => return Err(fault),
            }
        }
        failed.values().next().cloned().map_or(Ok(done), |refusal| Err(refusal.into()))
    }

    /// Booking that a time was brought as, or imported.
    fn booking(&self, time: &ForeignTime) -> Option<&'_ Booking> {
        let imported = || self.known.get(&imported_as(&self.followed.resource, &clean(&time.uid)));
        self.known.get(&self.follow.name(time)).or_else(imported)
    }

    fn brought(&self, slot: Slot) -> Brought {
        Brought { calendar: self.follow.calendar.clone(), slot }
    }

    fn bring(&self, work: &mut UnitOfWork<'_>, time: &ForeignTime, cause: Cause) -> Result<(), Failure> {
        let price = (cause == Cause::Booking).then_some(self.followed.price);
        let details = Details { title: time.title.clone(), note: time.note.clone(), price, ..Details::default() };
        let wants = [Want::all(vec![self.followed.resource.clone()], time.slot)];
        let mut booking = book(work, &wants, &Request::new(cause, &details, Past::Record))?;
        booking.imported_as = Some(self.follow.name(time));
        booking.brought = Some(self.brought(time.slot));
        work.put(&booking)
    }

    fn move_to(&self, work: &mut UnitOfWork<'_>, mut booking: Booking, time: &ForeignTime) -> Result<(), Failure> {
        let taken = bookable(work, (&self.followed.resource, time.slot), (&booking.cause, Past::Record))?;
        claims::act(work, &taken, (&booking.owner(), Act::Book { until: None }))?;
        booking.taken = taken;
        booking.imported_as = Some(self.follow.name(time));
        booking.brought = Some(self.brought(time.slot));
        paying::put(work, &booking)
    }

    /// Tells of a time that is not free: as our own that came back, or as one that differs.
    fn left(
        &self,
        work: &mut UnitOfWork<'_>,
        (number, refusal): (usize, Refusal),
        done: &mut CalendarFollowed,
    ) -> Result<(), Failure> {
        let Some(time) = self.follow.times.get(number) else {
            return Ok(());
        };
        if self.is_echo(work, time.slot)? {
            done.effects.echoes += 1;
            return Ok(());
        }
        let name = self.follow.name(time);
        let here = self.booking(time).and_then(Booking::extent);
        let title = if here.is_none() { clean(&time.title) } else { String::new() };
        let what = self.item((name.clone(), title), (here, Some(time.slot)));
        differs(work, what, done)?;
        done.taken.push((name, time.slot, refusal));
        Ok(())
    }

    fn ask(&self, work: &mut UnitOfWork<'_>, id: BookingId, done: &mut CalendarFollowed) -> Result<(), Failure> {
        let booking: Booking = work.get(id)?;
        let name = booking.imported_as.clone().filter(|_| self.followed.is_as_brought(&booking));
        let here = booking.brought.map(|brought| brought.slot);
        let what = name.map(|name| self.item((name, String::new()), (here, None)));
        what.map_or(Ok(()), |what| differs(work, what, done))
    }

    /// Returns whether another booking has just this time of the resource.
    fn is_echo(&self, work: &mut UnitOfWork<'_>, slot: Slot) -> Result<bool, Failure> {
        let resource: Resource = work.get(&self.followed.resource)?;
        let (core, _) = resource.taken(slot);
        let near = [(core.from() - Span::DAY).millis().into(), (core.from() + Span::DAY).millis().into()];
        let near: Vec<Booking> = work.select("WHERE from_at >= $1 AND from_at <= $2 AND live > 0", &near)?;
        let foreign = |booking: &&Booking| {
            let calendar = booking.brought.as_ref().map(|brought| &brought.calendar);
            calendar != Some(&self.follow.calendar)
        };
        let is_there = |booking: &Booking| {
            let mut asked = booking.asked();
            asked.any(|taken| taken.resource == resource.id && taken.kept() == [core])
        };
        Ok(near.iter().filter(foreign).any(is_there))
    }

    fn item(&self, (name, title): (String, String), (here, there): (Option<Slot>, Option<Slot>)) -> WorkKind {
        let (calendar, resource) = (self.follow.calendar.clone(), self.followed.resource.clone());
        WorkKind::Differs { calendar, name, resource, here, there, title }
    }
}

/// Puts a time that differs on the worklist, unless it stands there, or was settled for just these times.
fn differs(work: &mut UnitOfWork<'_>, what: WorkKind, done: &mut CalendarFollowed) -> Result<(), Failure> {
    let name = what.owner_key();
    let before: Vec<WorklistItem> =
        work.select("WHERE owner <> '' AND owner = $1 ORDER BY since, key", &[name.as_str().into()])?;
    let is_settled = |item: &&WorklistItem| match &item.state {
        WorkState::Open => false,
        WorkState::Resolved { note, .. } => untitled(item.what.clone()) == untitled(what.clone()) && note != AGREED,
    };
    if before.iter().any(|item| is_settled(&item)) {
        return Ok(());
    }
    done.names.push(name);
    match before.into_iter().find(|item| item.state == WorkState::Open) {
        Some(item) => work.put(&WorklistItem { what, ..item }),
        None => put_on_worklist(work, what).map(drop),
    }
}

/// An item without the title that the file has: another title is no other time.
fn untitled(mut what: WorkKind) -> WorkKind {
    if let WorkKind::Differs { title, .. } = &mut what {
        title.clear();
    }
    what
}

impl Operation for ChangeFollowed {
    const VERB: &'static str = "change_followed";
    type Answer = ();

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<(), Failure> {
        let mut settings = Arc::unwrap_or_clone(work.settings()?);
        let before = settings.followed.remove(&self.calendar);
        if let Some(followed) = &self.followed {
            let is_other = |before: &Followed| (&before.file, &before.resource) != (&followed.file, &followed.resource);
            if before.as_ref().is_some_and(is_other) {
                let (what, name) = ("followed calendar".to_owned(), self.calendar.clone());
                return Err(Refusal::Exists { what, name }.into());
            }
            if before.is_none() && self.differing.is_some() {
                return Err(Refusal::not_found("followed calendar", &self.calendar).into());
            }
            settings.followed.insert(self.calendar.clone(), followed.clone());
        }
        work.put(&settings)?;
        match self.job.as_ref().map(|job| job.run(work)) {
            None | Some(Ok(_) | Err(Failure::Refused(Refusal::Job(JobRefusal::JobExists { .. })))) => {}
            Some(Err(failure)) => return Err(failure),
        }
        let Some(differing) = &self.differing else {
            return Ok(());
        };
        let differing: BTreeSet<&String> = differing.iter().collect();
        let open: Vec<WorklistItem> =
            work.select("WHERE state = 'open' AND kind = 'differs' ORDER BY since, key", &[])?;
        for mut item in open {
            let is_past = matches!(&item.what, WorkKind::Differs { calendar, name, .. }
                if *calendar == self.calendar && !differing.contains(name));
            if is_past {
                resolve(work, &mut item, AGREED)?;
            }
        }
        Ok(())
    }
}
