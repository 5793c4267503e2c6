//! Job checks: each job has its subject; carts, reservations, keeps and waiting lists have their jobs.

use std::collections::{HashMap, HashSet};

use super::report::{Invariant, Report};
use crate::domain::cart::{Cart, CartState};
use crate::domain::house::Keep;
use crate::domain::job::{JobKind, RunOutcome};
use crate::domain::line::seated;
use crate::domain::performance::{Performance, PerformanceState};
use crate::domain::receipt::{Receipt, Tickets};
use crate::domain::time::Instant;
use crate::domain::waiting::{WaitState, Waiting};
use crate::engine::Failure;
use crate::engine::reads::Snapshot;
use crate::engine::reads::jobs::runs::{self, RunView};
use crate::store::document;
use crate::store::walk::advance;
use crate::store::{Row, Value};

/// Checks the jobs of carts: the expiry of each active cart, and the alerts still due of a reservation.
pub(super) fn check(snapshot: &mut Snapshot<'_>, carts: &[Cart], report: &mut Report) -> Result<(), Failure> {
    let active = carts.iter().filter(|cart| cart.state == CartState::Active);
    let (mut ends, mut alerts) = (HashMap::new(), HashMap::new());
    for cart in active {
        ends.insert(cart.id.to_string(), cart.expires_at);
        let alert_at = cart.reservation.and_then(|made| made.next_at());
        alerts.extend(alert_at.map(|at| (cart.id.to_string(), at)));
    }
    of_kind(snapshot, (JobKind::CartExpiry, &ends), report)?;
    of_kind(snapshot, (JobKind::Reservation, &alerts), report)?;
    let kept: Vec<Keep> = snapshot.select("WHERE live > 0", &[])?;
    let kept = kept.iter().map(|keep| (keep.id.to_string(), keep.until));
    of_kind(snapshot, (JobKind::KeepRelease, &kept.collect()), report)?;
    of_sales(snapshot, report)?;
    of_lines(snapshot, carts, report)
}

/// Checks that the sales of each open performance close at its start, and that no ended one has a job for it.
fn of_sales(snapshot: &mut Snapshot<'_>, report: &mut Report) -> Result<(), Failure> {
    let kind = JobKind::SalesClose.word();
    // a job that ran by a clock ahead of this one is not missing
    let mut subjects = |sql: &str| -> Result<HashSet<String>, Failure> {
        let rows = snapshot.query(sql, &[kind.into()])?;
        Ok(rows.iter().map(|row| row.text(0).to_owned()).collect())
    };
    let known = subjects("SELECT subject FROM job WHERE kind = $1")?;
    let ran = subjects("SELECT DISTINCT subject FROM job_run WHERE kind = $1")?;
    let now = snapshot.now();
    let open: Vec<Performance> = snapshot.select("ORDER BY start_at, key", &[])?;
    let open =
        open.into_iter().filter(|one| one.state == PerformanceState::Open).map(|one| (one.id.to_string(), one.start));
    let closes = open.filter(|(key, start)| known.contains(key) || *start > now && !ran.contains(key));
    of_kind(snapshot, (JobKind::SalesClose, &closes.collect()), report)
}

/// Checks that every waiting line has a job, and every offer its one cart.
fn of_lines(snapshot: &mut Snapshot<'_>, carts: &[Cart], report: &mut Report) -> Result<(), Failure> {
    let line: Vec<Waiting> = snapshot.select("WHERE state IN ('waiting', 'offered') ORDER BY key", &[])?;
    report.checked += line.len();
    let rows = snapshot.query("SELECT subject FROM job WHERE kind = $1", &[JobKind::Waitlist.word().into()])?;
    let looked: HashSet<&str> = rows.iter().map(|row| row.text(0)).collect();
    let mut offers = HashMap::new();
    for waiting in &line {
        let subject = format!("waiting {}", waiting.id);
        let is_looked_at = looked.contains(waiting.performance.to_string().as_str());
        report.expect(is_looked_at, (Invariant::Jobs, &subject), || "no waitlist check waits for it".into());
        if let WaitState::Offered { cart, .. } = waiting.state {
            offers.insert(waiting.id, cart);
        }
    }
    // an offer lapses at its deadline, possibly before the job that ends its cart
    let now = snapshot.now();
    for cart in carts.iter().filter(|cart| cart.is_live(now)) {
        let Some(waiting) = cart.offered_to.filter(|_| cart.reservation.is_none()) else {
            continue;
        };
        let is_its = offers.get(&waiting) == Some(&cart.id);
        let subject = format!("cart {}", cart.id);
        report.expect(is_its, (Invariant::OneEnd, &subject), || {
            "it is offered to somebody who has another offer, or none".into()
        });
    }
    Ok(())
}

/// Checks that uncollected tickets have an alert before each start still to come, and no other alerts.
pub(super) struct UncollectedTickets {
    looked: HashSet<String>,
}

impl UncollectedTickets {
    const KIND: JobKind = JobKind::TicketsUncollected;

    pub(super) fn of(snapshot: &mut Snapshot<'_>, report: &mut Report) -> Result<Self, Failure> {
        let rows = snapshot.query("SELECT subject FROM job WHERE kind = $1", &[Self::KIND.word().into()])?;
        let looked: HashSet<String> = rows.iter().map(|row| row.text(0).to_owned()).collect();
        report.checked += looked.len();
        Ok(Self { looked })
    }

    pub(super) fn check(
        &mut self,
        snapshot: &mut Snapshot<'_>,
        receipt: &Receipt,
        report: &mut Report,
    ) -> Result<(), Failure> {
        let Tickets::Waiting { told } = receipt.tickets else {
            return Ok(());
        };
        let is_looked_at = self.looked.remove(&receipt.id.to_string());
        let has_seats = seated(&receipt.lines).next().is_some();
        let job = format!("job {} {}", Self::KIND.word(), receipt.id);
        report.expect(has_seats || !is_looked_at, (Invariant::Jobs, &job), || {
            "it waits for tickets without a seat".into()
        });
        let is_told = is_looked_at || !is_to_come(snapshot, receipt, told)?;
        let subject = format!("receipt {}", receipt.number);
        report.expect(is_told, (Invariant::Jobs, &subject), || format!("no {} check waits for it", Self::KIND.word()));
        Ok(())
    }

    pub(super) fn check_rest(self, report: &mut Report) {
        for subject in self.looked {
            let subject = format!("job {} {subject}", Self::KIND.word());
            report.violation(Invariant::Jobs, subject, "it waits for tickets that do not lie at the desk");
        }
    }
}

/// Returns whether a receipt has seats of a future performance without an alert yet.
fn is_to_come(snapshot: &mut Snapshot<'_>, receipt: &Receipt, told: Option<Instant>) -> Result<bool, Failure> {
    for (performance, _) in seated(&receipt.lines) {
        let show: Performance = snapshot.get(performance)?;
        let is_open = show.state == PerformanceState::Open && show.start > snapshot.now();
        if is_open && told.is_none_or(|told| show.start > told) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Checks that each subject has one job at the right time, and no job lacks a subject.
fn of_kind(
    snapshot: &mut Snapshot<'_>,
    (kind, subjects): (JobKind, &HashMap<String, Instant>),
    report: &mut Report,
) -> Result<(), Failure> {
    let rows = snapshot.query(
        "SELECT subject, first_check_at, next_check_at, failures, parked FROM job WHERE kind = $1",
        &[kind.word().into()],
    )?;
    let slot = snapshot.settings()?.policy(kind).slot;
    let steered = steered(snapshot, kind)?;
    let mut waiting = HashSet::new();
    for row in &rows {
        let subject = format!("job {} {}", kind.word(), row.text(0));
        let by_hand = steered.contains(row.text(0));
        if let Some(at) = subjects.get(row.text(0)) {
            let failed = row.int(3) > 0 || !row.text(4).is_empty();
            let due = at.round_up(slot).millis().max(row.int(1));
            let in_time = failed || by_hand || row.int(2) <= due;
            report.expect(in_time, (Invariant::Jobs, &subject), || "it looks too late".into());
        } else {
            let gone = "its subject needs no job any more";
            report.violation(Invariant::Jobs, subject, gone);
        }
        waiting.insert(row.text(0).to_owned());
    }
    for key in subjects.keys().filter(|key| !waiting.contains(*key)) {
        let subject = format!("job {} {key}", kind.word());
        report.violation(Invariant::Jobs, subject, "it is missing");
    }
    Ok(())
}

/// Subjects whose jobs an operator has postponed or run early.
fn steered(snapshot: &mut Snapshot<'_>, kind: JobKind) -> Result<HashSet<String>, Failure> {
    let rows = snapshot.query(
        "SELECT DISTINCT subject FROM job_run WHERE kind = $1 AND outcome = $2",
        &[kind.word().into(), RunOutcome::ByHand.word().into()],
    )?;
    Ok(rows.iter().map(|row| row.text(0).to_owned()).collect())
}

/// Runs read per query.
const PAGE: i64 = 5000;

/// Operators and stations of the journal's entries of runs, by command.
fn actors(snapshot: &mut Snapshot<'_>, runs: &[RunView]) -> Result<HashMap<String, (String, String)>, Failure> {
    let commands: Vec<Value<'_>> = runs.iter().map(|run| run.command.as_str().into()).collect();
    let select = "SELECT command, operator, station FROM journal WHERE command IN ";
    let rows = document::by_keys(&mut |text, params| snapshot.sql().query(text, params), select, &commands)?;
    let text = |row: &Row, column| row.text(column).to_owned();
    Ok(rows.iter().map(|row| (text(row, 0), (text(row, 1), text(row, 2)))).collect())
}

/// Checks the history of runs: by whom the journal says, none started before it was due, and each check was made once.
pub(super) fn history(snapshot: &mut Snapshot<'_>, report: &mut Report) -> Result<(), Failure> {
    let text = format!("SELECT {} FROM job_run WHERE seq > $1 ORDER BY seq LIMIT {PAGE}", runs::COLUMNS);
    let mut after = 0;
    loop {
        let rows = snapshot.query(&text, &[after.into()])?;
        let Some(end) = rows.last() else { break };
        advance("job_run", &mut after, end.int(0))?;
        report.checked += rows.len();
        let runs: Vec<RunView> = rows.iter().map(RunView::from_row).collect();
        let actors = actors(snapshot, &runs)?;
        for run in runs {
            let subject = format!("run {} of {} {}", run.seq, run.kind, run.subject);
            let by_hand = run.outcome == RunOutcome::ByHand.word();
            let in_time = by_hand || run.started_at >= run.due_at;
            report.expect(in_time, (Invariant::Jobs, &subject), || {
                format!("it started at {:?}, due {:?}", run.started_at, run.due_at)
            });
            let is_its = actors.get(&run.command).is_none_or(|by| *by == (run.operator, run.station));
            report.expect(is_its, (Invariant::Jobs, &subject), || {
                "the journal says that another operator or station ran it".into()
            });
        }
    }
    let twice = "SELECT kind, subject, MAX(seq) FROM job_run GROUP BY subject, kind, checked HAVING COUNT(*) > 1";
    for row in snapshot.query(twice, &[])? {
        let subject = format!("run {} of {} {}", row.int(2), row.text(0), row.text(1));
        report.violation(Invariant::Jobs, subject, "this check was made before");
    }
    Ok(())
}
