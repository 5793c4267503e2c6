//! Performances by title, or by title and day: `Hamlet`, `Hamlet fri`, `Hamlet 27 nov 19:30`,
//! `Hamlet@2026-11-27T19:30`.
//!
//! A title alone means the next performance when only one is to come.

use chrono_tz::Tz;

use crate::domain::performance::{Performance, PerformanceState, Theater};
use crate::domain::refusal::{NightRefusal, Play};
use crate::domain::time::{Instant, parse_local, typed};
use crate::engine::reads::Snapshot;
use crate::engine::reads::names::Meant;
use crate::engine::work::Failure;

/// Performance with its theater, in whose zone times are typed.
struct Titled {
    performance: Performance,
    theater: String,
    zone: Tz,
}

impl Titled {
    fn is_to_come(&self, now: Instant) -> bool {
        self.performance.state == PerformanceState::Open && self.performance.end > now
    }

    /// Returns whether it starts at a typed time: an instant, a day, a day and a time, or a time of day. None for a text
    /// that is no time.
    fn starts(&self, when: &str, now: Instant) -> Option<bool> {
        let start = self.performance.start.in_zone(self.zone).naive_local();
        if let Ok(at) = parse_local(when, self.zone) {
            return Some(at == self.performance.start);
        }
        if let Some(time) = typed::time_of_day(when) {
            return Some(start.time() == time);
        }
        let today = now.in_zone(self.zone).date_naive();
        let (day, time) = typed::date(when, today).ok()?;
        Some(start.date() == day && time.is_none_or(|time| start.time() == time))
    }
}

/// Finds performances by title, or by title and start.
pub(super) fn by_name(text: &str, snapshot: &mut Snapshot<'_>) -> Result<Vec<Meant>, Failure> {
    let now = snapshot.now();
    let named = titled(text, snapshot)?;
    if !named.is_empty() {
        return Ok(distinguished(narrowed(living(named), |one| one.is_to_come(now))));
    }
    let mut refusal = None;
    let ends = text.rmatch_indices(|sign: char| sign == '@' || sign.is_whitespace());
    for (end, _) in ends {
        let (title, when) = text.split_at(end);
        let when = when.trim_start_matches(|sign: char| sign == '@' || sign.is_whitespace());
        let named = titled(title.trim_end(), snapshot)?;
        let is_time = named.iter().any(|one| one.starts(when, now).is_some());
        let (then, others): (Vec<Titled>, _) = named.into_iter().partition(|one| one.starts(when, now) == Some(true));
        if !then.is_empty() {
            let is_open = |one: &Titled| one.performance.state == PerformanceState::Open;
            return Ok(distinguished(narrowed(living(then), is_open)));
        }
        if is_time && refusal.is_none() {
            refusal = plays_then(when, living(others), now);
        }
    }
    refusal.map_or_else(|| Ok(Vec::new()), |refusal| Err(refusal.into()))
}

/// Refusal for performances of a title, none at the typed time: those to come, or all if none is.
fn plays_then(when: &str, named: Vec<Titled>, now: Instant) -> Option<NightRefusal> {
    let performance = named.first()?.performance.title.clone();
    let plays = narrowed(named, |one| one.is_to_come(now));
    let plays = plays.iter().map(|one| Play { start: one.performance.start, zone: one.zone }).collect();
    Some(NightRefusal::PlaysThen { performance, when: when.to_owned(), plays })
}

/// Keeps the candidates that meet a condition; all of them if none does.
fn narrowed(named: Vec<Titled>, holds: impl Fn(&Titled) -> bool) -> Vec<Titled> {
    let (kept, rest): (Vec<Titled>, Vec<Titled>) = named.into_iter().partition(holds);
    if kept.is_empty() { rest } else { kept }
}

/// Performances in use; the retired if there are no others.
fn living(named: Vec<Titled>) -> Vec<Titled> {
    narrowed(named, |one| one.performance.state != PerformanceState::Retired)
}

fn titled(title: &str, snapshot: &mut Snapshot<'_>) -> Result<Vec<Titled>, Failure> {
    let condition = "WHERE title = $1 ORDER BY start_at, key";
    let performances: Vec<Performance> = snapshot.select(condition, &[title.to_lowercase().into()])?;
    let mut named = Vec::with_capacity(performances.len());
    for performance in performances {
        let theater: Theater = snapshot.get(performance.theater)?;
        named.push(Titled { theater: theater.name, zone: theater.time_zone, performance });
    }
    Ok(named)
}

/// Names that distinguish performances: by start, and by theater or id if the start is the same.
fn distinguished(named: Vec<Titled>) -> Vec<Meant> {
    let starts: Vec<Instant> = named.iter().map(|one| one.performance.start).collect();
    let meant = named.into_iter().map(|one| {
        let Performance { id, title, start, .. } = one.performance;
        let when = start.format(one.zone, "%Y-%m-%dT%H:%M");
        let alone = starts.iter().filter(|other| **other == start).count() == 1;
        let told =
            if alone { format!("{title}@{when}") } else { format!("{} ({title}, {}, {when})", id.tail(), one.theater) };
        Meant { key: id.to_string(), told }
    });
    meant.collect()
}
