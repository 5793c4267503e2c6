//! Wording of needs, and the snoozes of this screen.

use std::collections::HashMap;

use chrono_tz::Tz;

use crate::domain::cart::AlertRaised;
use crate::domain::customer::Customer;
use crate::domain::house::WorkKind;
use crate::domain::ids::{CartId, KeepId, PerformanceId, WorkId};
use crate::domain::money::priced;
use crate::domain::time::{Instant, Local, Span, day_start};
use crate::engine::reads::tonight::{CanceledNight, Need, NeedKind};
use crate::engine::reads::worklist::WorkView;
use crate::tui::kit::context::JobName;
use crate::words;

/// Need marked as seen, kept for undo.
#[derive(Debug)]
pub(super) struct Seen {
    pub(super) key: NeedKey,
    pub(super) words: String,
}

/// Remaining time below which seconds are counted down.
const COUNTED: Span = Span::minutes(2);
/// Lengths of the first and second snooze.
const PUT_OFF: [Span; 2] = [Span::minutes(10), Span::minutes(60)];

/// Key of a need that stays the same between two reads.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum NeedKey {
    Work(WorkId),
    /// By the first deadline: carts that run out later are another need.
    CartsRunOut(Option<Instant>),
    Cart(CartId),
    Keep(KeepId),
    Tickets(PerformanceId),
    /// Canceled performance with orders to settle.
    Night(PerformanceId),
    Job(JobName),
    Event(i64),
}

impl NeedKey {
    pub(super) fn of(need: &Need) -> Self {
        match &need.what {
            NeedKind::Work(work) => Self::Work(work.item.id),
            NeedKind::Canceled(night) => Self::Night(night.performance),
            NeedKind::CartsRunOut { .. } => Self::CartsRunOut(need.at),
            NeedKind::Unpaid { cart, .. } | NeedKind::Offered { cart, .. } => Self::Cart(*cart),
            NeedKind::KeepEnds { keep, .. } => Self::Keep(*keep),
            NeedKind::Uncollected { performance, .. } => Self::Tickets(*performance),
            NeedKind::Parked(job) => Self::Job(JobName::of(job)),
            NeedKind::Told(event) => Self::Event(event.seq),
        }
    }
}

/// Snoozed needs with their ends.
#[derive(Debug, Default)]
pub(super) struct PutOff(HashMap<NeedKey, Off>);

#[derive(Clone, Copy, Debug)]
struct Off {
    times: usize,
    until: Instant,
}

impl PutOff {
    /// Needs in list order: snoozed ones last, by the end of their snooze.
    pub(super) fn sorted<'a>(&self, needs: &'a [Need], now: Instant) -> Vec<&'a Need> {
        let mut sorted: Vec<&Need> = needs.iter().collect();
        sorted.sort_by_key(|need| self.until(need, now));
        sorted
    }

    /// End of a need's snooze.
    pub(super) fn until(&self, need: &Need, now: Instant) -> Option<Instant> {
        let off = self.0.get(&NeedKey::of(need))?;
        (off.until > now).then_some(off.until)
    }

    /// Snoozes a need: ten minutes, then an hour, then until tomorrow, then not at all.
    pub(super) fn later(&mut self, key: NeedKey, now: Instant, zone: Tz) -> Option<Instant> {
        let times = self.0.get(&key).map_or(0, |off| off.times);
        let until = match PUT_OFF.get(times) {
            Some(span) => now + *span,
            None if times == PUT_OFF.len() => {
                let tomorrow = now.in_zone(zone).date_naive() + chrono::Duration::days(1);
                day_start(tomorrow, zone)
            }
            None => {
                self.0.remove(&key);
                return None;
            }
        };
        let times = times + 1;
        self.0.insert(key, Off { times, until });
        Some(until)
    }

    /// Ends a need's snooze.
    pub(super) fn forget(&mut self, key: &NeedKey) {
        self.0.remove(key);
    }

    /// Hides a need that was seen, without end.
    pub(super) fn hide(&mut self, key: NeedKey) {
        let until = Instant::from_millis(i64::MAX);
        self.0.insert(key, Off { times: 0, until });
    }
}

/// True if a need is due so soon that its seconds are counted down.
pub(super) fn is_counted_down(need: &Need, now: Instant) -> bool {
    need.at.is_some_and(|at| at > now && at.since(now) <= COUNTED)
}

/// Due time of a need: `now`, `in 0:28`, `at 19:00`, `Tue 24`, and beyond the week `4 Dec`.
pub(super) fn when(need: &Need, here: Local) -> String {
    let Local { now, zone } = here;
    let Some(at) = need.at else {
        return "now".to_owned();
    };
    if matches!(need.what, NeedKind::Told(_)) {
        at.format(zone, "at %H:%M")
    } else if at <= now {
        "now".to_owned()
    } else if is_counted_down(need, now) {
        format!("in {}", at.since(now).clock())
    } else if at.in_zone(zone).date_naive() == here.today() {
        format!("at {}", at.format(zone, "%H:%M"))
    } else {
        here.format(at, if at.since(now) < words::jobs::WEEK { "%a %-d" } else { "%-d %b" })
    }
}

/// Key that does more for a need than to open it, and what it does.
pub(super) fn verb(need: &Need) -> &'static str {
    match &need.what {
        NeedKind::Work(work) if matches!(work.item.what, WorkKind::Displaced { .. }) && work.performance.is_some() => {
            "<needs.accept> accept"
        }
        NeedKind::Work(_) => "<needs.seen> settle",
        NeedKind::CartsRunOut { .. }
        | NeedKind::Unpaid { .. }
        | NeedKind::Offered { .. }
        | NeedKind::KeepEnds { .. }
        | NeedKind::Uncollected { .. }
        | NeedKind::Canceled(_)
        | NeedKind::Parked(_)
        | NeedKind::Told(_) => "",
    }
}

/// Sentence for a need.
pub(super) fn words(need: &Need, now: Instant) -> String {
    match &need.what {
        NeedKind::CartsRunOut { carts, seats } => {
            let runs = if *carts == 1 { "runs" } else { "run" };
            format!("{} {runs} out, {}", words::count(*carts, "cart"), words::count(*seats, "seat"))
        }
        NeedKind::Unpaid { customer, seats, told, .. } => format!(
            "{}{} reserved for {}, not paid, {} back {}",
            if *told == AlertRaised::Final { "last call: " } else { "" },
            words::count(*seats, "seat"),
            customer.name,
            if *seats == 1 { "goes" } else { "go" },
            customer.phone
        ),
        NeedKind::Offered { customer, seats, .. } => {
            format!("{} held for {}, who waited: call {}", words::count(*seats, "seat"), customer.name, customer.phone)
        }
        NeedKind::Uncollected { title, tickets, .. } => {
            format!("{} not collected: {title}", words::count(*tickets, "ticket"))
        }
        NeedKind::Parked(job) => {
            let kind = words::jobs::kind(&job.kind);
            let about = words::jobs::about(&job.about, now);
            let reason = job.parked.as_ref().map(ToString::to_string);
            let reason = reason.unwrap_or_default();
            format!("parked: {about}, {kind}: {reason}")
        }
        NeedKind::Told(event) => words::events::words(event),
        NeedKind::KeepEnds { title, seats, reason, .. } => format!(
            "{}, {}, {} on sale: {title} ({reason})",
            words::count(seats.len(), "house seat"),
            words::span_of(seats),
            if seats.len() == 1 { "goes" } else { "go" },
        ),
        NeedKind::Work(work) => of_work(work),
        NeedKind::Canceled(night) => canceled(night, now),
    }
}

/// Sentence for a canceled performance: `243 orders to settle, GBP 17,312.00: Hamlet, Sun 22 Nov, canceled`.
fn canceled(night: &CanceledNight, now: Instant) -> String {
    let paid = night.paid.iter().map(|paid| priced(paid.minor, paid.currency));
    let paid: Vec<String> = paid.collect();
    format!(
        "{} to settle, {}: {}, {}, canceled",
        words::count(night.orders, "order"),
        paid.join(", "),
        night.title,
        Local { now, zone: night.zone }.format(night.start, "%a %-d %b"),
    )
}

/// An order or booking with its customer, who may have given it the name.
fn who(of: &str, Customer { name, phone, .. }: &Customer) -> String {
    let [of, name, phone] = [of, name, phone].map(str::trim);
    let mut who = vec![name, phone, if of == name { "" } else { of }];
    who.retain(|words| !words.is_empty());
    who.join(", ")
}

/// Sentence for a worklist entry.
fn of_work(work: &WorkView) -> String {
    match &work.item.what {
        WorkKind::Displaced { loss, .. } if work.performance.is_none() => {
            format!("{} lost {}, {} ({})", work.owner, work.title, work.seats.join(", "), loss.reason)
        }
        WorkKind::Displaced { loss, .. } => {
            let who = who(&work.owner, &work.customer);
            format!("{} lost: {who}: {} ({})", words::span_of(&work.seats), work.title, loss.reason)
        }
        WorkKind::Overpaid { minor, currency, .. } => {
            format!("{} overpaid: {}", priced(*minor, *currency), who(&work.title, &work.customer))
        }
        WorkKind::Overridden { minor, currency, .. } => format!(
            "{} given back otherwise than it was paid, by {}: approve it ({})",
            priced(*minor, *currency),
            work.title,
            work.owner
        ),
        WorkKind::Differs { calendar, .. } => {
            format!("{} says otherwise of {}: {}", calendar, work.title, work.seats.join(", "))
        }
        WorkKind::UnissuedPayment { minor, currency, reference, .. } => {
            format!("{} by card {reference}: give back or find seats ({})", priced(*minor, *currency), work.owner)
        }
    }
}
