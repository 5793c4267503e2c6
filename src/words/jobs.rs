//! Wording of jobs, shared by the screen and the command line: subject, time, reason, and outcome of a run.

use chrono::Datelike;

use crate::domain::cart::AlertRaised;
use crate::domain::job::{JobKind, RunOutcome};
use crate::domain::refusal::JobRefusal;
use crate::domain::time::{Instant, Local, Span};
use crate::engine::reads::carts::PerformanceLabel;
use crate::engine::reads::jobs::runs::RunView;
use crate::engine::reads::jobs::{CartFacts, JobSubject, JobView};
use crate::words::{capital, contents, count, day_time, span_of};

/// Remaining time below which seconds are counted down.
pub const COUNTED: Span = Span::minutes(60);

/// Distance from which a time has its date.
pub const WEEK: Span = Span::minutes(7 * 24 * 60);

/// Label of a job's kind; an unknown kind keeps its word.
#[must_use]
pub fn kind(word: &str) -> String {
    let said = match JobKind::from_word(word) {
        Some(JobKind::CartExpiry) => "cart expiry",
        Some(JobKind::CartWarning) => "cart warning",
        Some(JobKind::Reservation) => "not paid",
        Some(JobKind::TicketsUncollected) => "not collected",
        Some(JobKind::KeepRelease) => "house seats",
        Some(JobKind::SalesClose) => "sales close",
        Some(JobKind::Horizon) => "new days",
        Some(JobKind::Waitlist) => "waiting list",
        Some(JobKind::Tidying) => "tidying",
        Some(JobKind::ListenerCall) => "listener",
        Some(JobKind::Backup) => "backup",
        Some(JobKind::Own(_)) | None => return word.replace('_', " "),
    };
    said.to_owned()
}

/// Subject of a job: `cart of till-2, 3 seats`, `Hamlet, Sat 21 Nov 19:30`.
#[must_use]
pub fn about(about: &JobSubject, now: Instant) -> String {
    match about {
        JobSubject::Cart(cart) => of_cart(cart),
        JobSubject::Performance(performance) => of_performance(performance, now),
        JobSubject::Keep { performance, seats, reason } if seats.is_empty() => {
            format!("house seats, all released ({reason}): {}", of_performance(performance, now))
        }
        JobSubject::Keep { performance, seats, reason } => format!(
            "{}, {} ({reason}): {}",
            count(seats.len(), "house seat"),
            span_of(seats),
            of_performance(performance, now)
        ),
        JobSubject::Line { performance, people, seats } => {
            format!("{people} wait for {}: {}", count(*seats, "seat"), of_performance(performance, now))
        }
        JobSubject::Tickets { number, customer, seats, performance, .. } => {
            let of = if customer.is_empty() { number } else { customer };
            let show = performance.as_ref().map(|performance| of_performance(performance, now));
            let show = show.map_or_else(String::new, |show| format!(": {show}"));
            format!("{} of {of}{show}", count(*seats, "ticket"))
        }
        JobSubject::Resource { name, .. } => name.clone(),
        JobSubject::House => "the house".to_owned(),
        JobSubject::Own { subject, .. } => subject.clone(),
        JobSubject::Unknown => String::new(),
    }
}

fn of_performance(performance: &PerformanceLabel, now: Instant) -> String {
    let when = day_time(performance.start, Local { now, zone: performance.zone });
    format!("{}, {when}", performance.title)
}

fn of_cart(cart: &CartFacts) -> String {
    let of = match (cart.reservation, cart.set_aside) {
        (Some(_), _) => format!("reservation of {}", cart.customer),
        (None, true) => format!("cart set aside at {}", cart.station),
        (None, false) => format!("cart of {}", cart.station),
    };
    let of =
        if cart.customer.is_empty() || cart.reservation.is_some() { of } else { format!("{of} for {}", cart.customer) };
    format!("{of}, {}", contents(cart.seats, cart.slots))
}

/// Due time of a job: `in 4m12s`, `at 19:30`, `Tue 24 10:00`, `4 Dec 10:00`, `4 Dec 2030`, `now`; for a job that is
/// not scheduled, the reason.
#[must_use]
pub fn when(job: &JobView, here: Local) -> String {
    if job.parked.is_some() {
        "parked".to_owned()
    } else if job.known().is_none() {
        "left alone".to_owned()
    } else {
        due(job.next_check_at, here)
    }
}

/// Wording of a due time; `now` once it has passed.
#[must_use]
pub fn due(at: Instant, here: Local) -> String {
    let Local { now, zone } = here;
    if at <= now {
        "now".to_owned()
    } else if is_counted(at, now) {
        format!("in {}", at.since(now).clock())
    } else if at.in_zone(zone).date_naive() == here.today() {
        at.format(zone, "at %H:%M")
    } else {
        day(at, here)
    }
}

/// Another day than today in 13 columns: `Tue 24 10:00`, beyond a week `4 Dec 10:00`, in another year `4 Dec 2030`.
#[must_use]
pub fn day(at: Instant, here: Local) -> String {
    if at.since(here.now).max(here.now.since(at)) < WEEK {
        at.format(here.zone, "%a %-d %H:%M")
    } else if at.in_zone(here.zone).year() == here.today().year() {
        here.format(at, "%-d %b %H:%M")
    } else {
        here.format(at, "%-d %b")
    }
}

/// True if a time is so near that its seconds are counted down.
#[must_use]
pub fn is_counted(at: Instant, now: Instant) -> bool {
    at > now && at.since(now) < COUNTED
}

/// Effect of a job's next run, if nothing changes before: `the hold ends`.
#[must_use]
pub fn then(job: &JobView) -> &'static str {
    let Some(kind) = job.known() else {
        return "known to a newer willcall only";
    };
    let told = match &job.about {
        JobSubject::Cart(cart) => cart.reservation.map(|made| made.told),
        JobSubject::Performance(_)
        | JobSubject::Keep { .. }
        | JobSubject::Line { .. }
        | JobSubject::Tickets { .. }
        | JobSubject::Resource { .. }
        | JobSubject::House
        | JobSubject::Own { .. }
        | JobSubject::Unknown => None,
    };
    match (kind, told) {
        (JobKind::CartExpiry, None) => "the hold ends",
        (JobKind::CartExpiry, Some(_)) => "unpaid: the hold ends",
        (JobKind::Reservation, None | Some(AlertRaised::Nothing)) => "reminder: not paid",
        (JobKind::Reservation, Some(AlertRaised::Alert | AlertRaised::Final)) => "last reminder",
        (JobKind::CartWarning | JobKind::TicketsUncollected, _) => "reminder",
        (JobKind::KeepRelease, _) => "they go on sale",
        (JobKind::SalesClose, _) => "sales close",
        (JobKind::Horizon, _) => "the next days open",
        (JobKind::Waitlist, _) => "free seats are offered",
        (JobKind::Tidying, _) => "history past its time goes",
        (JobKind::ListenerCall, _) => "the listener is called again",
        (JobKind::Backup, _) => "a backup is written",
        (JobKind::Own(_), _) => "the command looks",
    }
}

/// Reason for a job, in a sentence.
#[must_use]
pub fn why(job: &JobView) -> &'static str {
    let Some(kind) = job.known() else {
        return "A newer willcall wrote this kind. It is left alone here; that one runs it.";
    };
    match kind {
        JobKind::CartExpiry => {
            "When the cart is not paid or extended by its deadline, what it holds is free for anybody and the cart ends."
        }
        JobKind::CartWarning => {
            "Nobody sees the countdown of a cart that waits aside: two minutes before its end you are told."
        }
        JobKind::Reservation => {
            "When it is not paid by then you are told, later once more; at its pay-by the seats go back."
        }
        JobKind::TicketsUncollected => {
            "When paid tickets still lie at the desk shortly before the start, you are told. Nothing is taken back."
        }
        JobKind::KeepRelease => "What is not used of the house seats by their time goes on sale to everybody.",
        JobKind::SalesClose => "Once it starts nothing is sold any more, and who still waits for seats is told so.",
        JobKind::Horizon => "Days are opened ahead, so that they can be booked; a new one each day.",
        JobKind::Waitlist => "Seats that come free are held for the first in line whom they fit, for a limited time.",
        JobKind::Tidying => "History that is older than the house keeps it goes, a little at a time.",
        JobKind::ListenerCall => {
            "A listener is called. When its station never says how that ended, it is called again, and hears which call it is."
        }
        JobKind::Backup => "Each night the house is written into a file of the day, which is verified; old files go.",
        JobKind::Own(_) => "A command of the house looks whether it is done; if not, it may ask to look again later.",
    }
}

/// Refusal about a job, in a sentence.
pub(super) fn refusal(refusal: &JobRefusal, here: Local) -> String {
    let said = |at: &Instant| at.format(here.zone, "%a %-d %b %Y %H:%M:%S");
    match refusal {
        JobRefusal::JobNotParked { at } => {
            let at = said(at);
            format!("It is not parked: it runs at {at}. Run it now, or leave it.")
        }
        JobRefusal::JobExists { subject, at, .. } => {
            let at = said(at);
            format!("A job for {subject} waits already: it runs at {at}. Move that one, or leave it.")
        }
        JobRefusal::JobRunning { station, until } => {
            let until = until.format(here.zone, "%H:%M:%S");
            format!("It is running at {station}. Wait for its end: {until} at the latest.")
        }
        JobRefusal::SettingNotOfKind { job, field } => {
            format!("The kind {job} has no setting {field}. willcall job kinds lists those that it has.")
        }
        JobRefusal::OtherJobKind { job, field, present } => {
            let kind = capital(&kind(job));
            format!(
                "{kind} has another {field}: {present}. Leave it out, or change it with the setting job.{job}.{field}."
            )
        }
    }
}

/// Outcome of a run, in a word or two.
#[must_use]
pub fn outcome(word: &str) -> String {
    let said = match word.parse() {
        Ok(RunOutcome::Done) => "done",
        Ok(RunOutcome::Gone) => "was gone",
        Ok(RunOutcome::Again) => "looks again",
        Ok(RunOutcome::Told) => "told",
        Ok(RunOutcome::Moved) => "not yet",
        Ok(RunOutcome::Failed) => "failed",
        Ok(RunOutcome::Parked) => "parked",
        Ok(RunOutcome::ByHand) => "by hand",
        Err(_) => return word.replace('_', " "),
    };
    said.to_owned()
}

/// Outcome of a run started by hand, in a sentence.
#[must_use]
pub fn ran(run: &RunView, now: Instant) -> String {
    let named = format!("{} {}", kind(&run.kind), about(&run.about, now));
    let named = named.trim_end();
    match run.outcome.parse() {
        Ok(RunOutcome::Done) => format!("Done: {named}"),
        Ok(RunOutcome::Gone) => format!("{named}: there was nothing left to do"),
        Ok(RunOutcome::Told) => format!("Told: {named}"),
        Ok(RunOutcome::Again | RunOutcome::Moved) => {
            format!("{named}: looked just now, nothing to do yet")
        }
        Ok(RunOutcome::Failed | RunOutcome::Parked) => {
            format!("{named} failed: {}", run.detail)
        }
        Ok(RunOutcome::ByHand) | Err(_) => format!("{named}: {}", outcome(&run.outcome)),
    }
}

#[cfg(test)]
mod tests {
    use chrono_tz::Europe::London;

    use super::{about, due, kind, then};
    use crate::domain::ids::CartId;
    use crate::domain::job::JobKind;
    use crate::domain::time::{Local, Span};
    use crate::engine::reads::jobs::{CartFacts, JobSubject, JobView};
    use crate::tui::widgets::testing::now;

    fn cart() -> CartFacts {
        CartFacts {
            id: CartId::random(),
            operator: "ada".into(),
            station: "till-2".into(),
            set_aside: false,
            reservation: None,
            customer: String::new(),
            seats: 3,
            slots: 0,
            expires_at: now(),
        }
    }

    #[test]
    fn a_cart_is_described_by_place_customer_and_content() {
        let said = |facts: CartFacts| about(&JobSubject::Cart(Box::new(facts)), now());
        assert_eq!(said(cart()), "cart of till-2, 3 seats");
        let aside = CartFacts { set_aside: true, customer: "Ann".into(), slots: 1, ..cart() };
        let words = "cart set aside at till-2 for Ann, 3 seats, 1 slot";
        assert_eq!(said(aside), words);
    }

    #[test]
    fn a_time_is_counted_down_within_the_hour_and_dated_beyond_the_week() {
        let said = |minutes: i64| due(now() + Span::minutes(minutes), Local { now: now(), zone: London });
        assert_eq!(said(0), "now");
        assert_eq!(said(4), "in 4m00s");
        assert_eq!(said(90), "at 19:30");
        assert_eq!(said(60 * 24 * 3), "Tue 24 18:00");
        assert_eq!(said(60 * 24 * 13), "4 Dec 18:00");
        assert_eq!(said(60 * 24 * 60), "20 Jan 2027");
    }

    #[test]
    fn every_kind_has_a_label_and_an_unknown_one_keeps_its_word() {
        let mut said: Vec<String> = JobKind::built_in().map(|of| kind(of.word())).collect();
        said.sort();
        said.dedup();
        assert_eq!(said.len(), JobKind::built_in().count());
        assert_eq!(kind("moon_phase"), "moon phase");
        let of_a_newer_one = JobView {
            kind: "moon_phase".into(),
            subject: "x".into(),
            first_check_at: now(),
            next_check_at: now(),
            check_count: 0,
            failures: 0,
            parked: None,
            priority: 1,
            about: JobSubject::Unknown,
        };
        assert!(then(&of_a_newer_one).contains("newer"));
    }
}
