//! Calendars that are followed: what a file would change.

use std::collections::{BTreeMap, BTreeSet};

use crate::domain::booking::{Booking, Cause};
use crate::domain::followed::{Followed, Standing, Vanished, brought_as, imported_as, of_calendar};
use crate::domain::house::{Settings, WorkKind, WorklistItem};
use crate::domain::ids::BookingId;
use crate::domain::refusal::Refusal;
use crate::domain::text::clean;
use crate::domain::time::{Slot, Span};
use crate::engine::ops::{FOLLOWED_MAX, FollowCalendar, ForeignTime};
use crate::engine::reads::{Question, Snapshot, literal};
use crate::engine::work::Failure;
use crate::store::kinds::SETTINGS_KEY;

/// Time after which an ended booking is beside no file any more.
const ENDED: Span = Span::minutes(31 * 24 * 60);

/// Compares a file with what its calendar brought.
#[derive(Clone, Debug)]
pub struct ReadToFollow {
    pub calendar: String,
    /// All times of the file.
    pub times: Vec<ForeignTime>,
    /// Names in the file that could not be understood: what they brought stays.
    pub unread: Vec<String>,
}

/// Differences of a file from the house.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ToFollow {
    /// Times to bring or to move, by start.
    pub times: Vec<ForeignTime>,
    /// Bookings to free, each with its name in the file.
    pub freed: Vec<(BookingId, String)>,
    pub asked: Vec<(BookingId, String)>,
    /// Times left as they are, because they were changed here.
    pub own: Vec<Slot>,
    /// Number of its bookings that are not over.
    pub ahead: usize,
    /// Number of these that vanished from the file.
    pub gone: usize,
}

impl Question for ReadToFollow {
    type Answer = ToFollow;

    fn ask(&self, snapshot: &mut Snapshot<'_>) -> Result<ToFollow, Failure> {
        let settings: Settings = snapshot.find(SETTINGS_KEY)?.unwrap_or_default();
        let followed = settings.followed.get(&self.calendar);
        let followed = followed.ok_or_else(|| Refusal::not_found("followed calendar", &self.calendar))?;
        let brought = Self::named(snapshot, &of_calendar(&self.calendar))?;
        let imported = Self::named(snapshot, &imported_as(&followed.resource, ""))?;
        let now = snapshot.now();
        let known: BTreeMap<&str, &Booking> =
            brought.iter().filter_map(|booking| Some((booking.imported_as.as_deref()?, booking))).collect();
        let once: BTreeSet<&str> = imported.iter().filter_map(|booking| booking.imported_as.as_deref()).collect();
        let mut out = ToFollow::default();
        let mut there: BTreeSet<String> = self.unread.iter().map(|uid| brought_as(&self.calendar, uid)).collect();
        for time in &self.times {
            let stored = brought_as(&self.calendar, &clean(&time.uid));
            let booking = known.get(stored.as_str()).copied();
            if !there.insert(stored) {
                continue;
            }
            if booking.is_none() && once.contains(imported_as(&followed.resource, &clean(&time.uid)).as_str()) {
                out.times.push(time.clone());
                continue;
            }
            let cause = followed.cause(&time.title);
            match followed.standing(booking, (time.slot, &cause)) {
                Standing::Own => out.own.push(time.slot),
                Standing::New | Standing::Moved | Standing::Other | Standing::Agreed if time.slot.until() > now => {
                    out.times.push(time.clone());
                }
                Standing::Same | Standing::New | Standing::Moved | Standing::Other | Standing::Agreed => {}
            }
        }
        out.times.sort_by_key(|time| time.slot);
        let until = now + followed.ahead;
        let is_coming = |slot: Slot| slot.until() > now && slot.from() < until;
        let mine = brought.iter().filter(|booking| followed.is_as_brought(booking));
        for booking in mine.filter(|booking| booking.extent().is_some_and(is_coming)) {
            out.ahead += 1;
            let stored = booking.imported_as.as_deref().unwrap_or_default();
            if there.contains(stored) || self.is_unread(stored) {
                continue;
            }
            out.gone += 1;
            let has_begun = booking.checked_in_at.is_some() || booking.extent().is_some_and(|slot| slot.from() < now);
            vanished(followed, (booking, has_begun), &mut out);
        }
        Ok(out)
    }
}

/// Adds a booking that vanished: one that has begun is never freed.
fn vanished(followed: &Followed, (booking, has_begun): (&Booking, bool), out: &mut ToFollow) {
    let named = || (booking.id, uid_of(booking.imported_as.as_deref().unwrap_or_default()).to_owned());
    match (has_begun, followed.treatment(booking)) {
        (true, _) if booking.cause == Cause::Booking => out.asked.push(named()),
        (true, _) | (false, Vanished::Keep) => {}
        (false, Vanished::Ask) => out.asked.push(named()),
        (false, Vanished::Free) => out.freed.push(named()),
    }
}

impl ReadToFollow {
    /// Bookings whose stored name begins so, and that have not ended long ago.
    fn named(snapshot: &mut Snapshot<'_>, begins: &str) -> Result<Vec<Booking>, Failure> {
        let since = (snapshot.now() - ENDED).millis();
        let named =
            "WHERE imported_as <> '' AND imported_as LIKE $1 ESCAPE '!' AND until_at > $2 ORDER BY from_at, key";
        let mut found: Vec<Booking> =
            snapshot.select(named, &[format!("{}%", literal(begins)).into(), since.into()])?;
        // one database takes capitals for small letters
        found.retain(|booking| booking.imported_as.as_ref().is_some_and(|name| name.starts_with(begins)));
        Ok(found)
    }

    /// Returns whether a stored name is of a series that could not be understood.
    fn is_unread(&self, stored: &str) -> bool {
        let is_of = |uid: &String| {
            let rest = stored.strip_prefix(&brought_as(&self.calendar, uid));
            rest.is_some_and(|rest| rest.starts_with('/'))
        };
        self.unread.iter().any(is_of)
    }
}

impl ToFollow {
    /// Acts that make the house as the file has it: all in one, if it fits; else what only goes first, then by start, with
    /// all of an event in one.
    pub fn acts(&self, calendar: &str) -> Vec<FollowCalendar> {
        let bare = || FollowCalendar {
            calendar: calendar.to_owned(),
            times: Vec::new(),
            freed: Vec::new(),
            asked: Vec::new(),
        };
        let mut events: BTreeMap<&str, FollowCalendar> = BTreeMap::new();
        for time in &self.times {
            events.entry(event_of(&time.uid)).or_insert_with(bare).times.push(time.clone());
        }
        for (id, uid) in &self.freed {
            events.entry(event_of(uid)).or_insert_with(bare).freed.push(*id);
        }
        for (id, uid) in &self.asked {
            events.entry(event_of(uid)).or_insert_with(bare).asked.push(*id);
        }
        let mut events: Vec<FollowCalendar> = events.into_values().flat_map(FollowCalendar::parts).collect();
        events.sort_by_key(|event| event.times.first().map(|time| time.slot));
        let mut acts: Vec<FollowCalendar> = Vec::new();
        for event in events {
            match acts.last_mut() {
                Some(act) if act.size() + event.size() <= FOLLOWED_MAX => act.extend(event),
                _ => acts.push(event),
            }
        }
        acts
    }
}

/// Name in the file that a stored name has behind its calendar's.
fn uid_of(stored: &str) -> &str {
    stored.split_once('/').map_or(stored, |(_, uid)| uid)
}

/// Event of a name in the file: all dates of a series are of one.
fn event_of(uid: &str) -> &str {
    let is_date = |rest: &str| rest.len() >= 8 && rest.bytes().take(8).all(|byte| byte.is_ascii_digit());
    uid.rsplit_once('/').filter(|(_, rest)| is_date(rest)).map_or(uid, |(event, _)| event)
}

/// Reads which times of followed calendars differ from the house.
#[derive(Clone, Copy, Debug)]
pub struct ReadDiffering;

impl Question for ReadDiffering {
    /// Calendar and name of each.
    type Answer = Vec<(String, String)>;

    fn ask(&self, snapshot: &mut Snapshot<'_>) -> Result<Vec<(String, String)>, Failure> {
        let open: Vec<WorklistItem> =
            snapshot.select("WHERE state = 'open' AND kind = 'differs' ORDER BY since, key", &[])?;
        let named = open.into_iter().filter_map(|item| match item.what {
            WorkKind::Differs { calendar, name, .. } => Some((calendar, name)),
            WorkKind::Displaced { .. }
            | WorkKind::UnissuedPayment { .. }
            | WorkKind::Overpaid { .. }
            | WorkKind::Overridden { .. } => None,
        });
        Ok(named.collect())
    }
}
