//! Subject of a job, with the facts that identify it.

use serde::Serialize;

use crate::domain::cart::{Cart, Reservation};
use crate::domain::house::Keep;
use crate::domain::ids::{CartId, PerformanceId, ReceiptId};
use crate::domain::job::JobKind;
use crate::domain::line::seated;
use crate::domain::performance::Performance;
use crate::domain::receipt::Receipt;
use crate::domain::resource::{Resource, ResourceId};
use crate::domain::time::Instant;
use crate::engine::reads::Snapshot;
use crate::engine::reads::carts::{PerformanceLabel, label};
use crate::engine::reads::waitlist::WaitlistLength;
use crate::engine::work::Failure;
use crate::store::job;

/// Subject of a job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum JobSubject {
    Cart(Box<CartFacts>),
    Performance(PerformanceLabel),
    Keep {
        performance: PerformanceLabel,
        seats: Vec<String>,
        /// Reason or person they are kept for.
        reason: String,
    },
    Line {
        performance: PerformanceLabel,
        /// Parties still waiting.
        people: usize,
        /// Seats they wait for.
        seats: usize,
    },
    Tickets {
        receipt: ReceiptId,
        number: String,
        /// Customer; may be empty.
        customer: String,
        seats: usize,
        /// Performance of the first ticket.
        performance: Option<PerformanceLabel>,
    },
    Resource {
        id: ResourceId,
        name: String,
    },
    House,
    Own {
        /// Key, in the terms of the command.
        subject: String,
        command: String,
    },
    /// Absent subject, or one of an unknown kind.
    Unknown,
}

/// Cart in short form.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CartFacts {
    pub id: CartId,
    pub operator: String,
    pub station: String,
    pub set_aside: bool,
    pub reservation: Option<Reservation>,
    /// Customer; may be empty.
    pub customer: String,
    pub seats: usize,
    pub slots: usize,
    pub expires_at: Instant,
}

/// Lengths of the waiting lists.
pub(in crate::engine) type Lines = [(PerformanceId, WaitlistLength)];

/// Loads a subject: kinds whose subjects are documents are listed here.
pub(in crate::engine) fn read(
    snapshot: &mut Snapshot<'_>,
    (kind, subject): (&str, &str),
    lines: &Lines,
) -> Result<JobSubject, Failure> {
    let about = match JobKind::from_word(kind) {
        Some(JobKind::CartExpiry | JobKind::CartWarning | JobKind::Reservation) => {
            let cart = snapshot.find(subject)?;
            cart.map(|cart| facts(snapshot, cart)).transpose()?
        }
        Some(JobKind::SalesClose) => performance(snapshot, subject)?.map(JobSubject::Performance),
        Some(JobKind::TicketsUncollected) => {
            let receipt = snapshot.find(subject)?;
            receipt.map(|receipt| tickets(snapshot, receipt)).transpose()?
        }
        Some(JobKind::KeepRelease) => {
            let keep = snapshot.find(subject)?;
            keep.map(|keep| kept(snapshot, keep)).transpose()?
        }
        Some(JobKind::Waitlist) => {
            let performance = performance(snapshot, subject)?;
            performance.map(|performance| line(performance, lines))
        }
        Some(JobKind::Horizon) => {
            let found = snapshot.find(subject)?;
            found.map(|Resource { id, name, .. }| JobSubject::Resource { id, name })
        }
        Some(JobKind::Tidying | JobKind::Backup) => Some(JobSubject::House),
        Some(JobKind::Own(_)) => {
            let command = snapshot.settings()?.own_jobs.remove(kind);
            let subject = subject.to_owned();
            command.map(|command| JobSubject::Own { subject, command })
        }
        Some(JobKind::ListenerCall) => {
            let listeners = snapshot.settings()?.listeners;
            let heard = job::listener(snapshot.sql(), subject.parse().unwrap_or_default())?;
            heard.and_then(|(word, _)| {
                let command = listeners.get(&word)?.clone();
                Some(JobSubject::Own { subject: format!("{subject} {word}"), command })
            })
        }
        None => None,
    };
    Ok(about.unwrap_or(JobSubject::Unknown))
}

fn facts(snapshot: &mut Snapshot<'_>, cart: Cart) -> Result<JobSubject, Failure> {
    Ok(JobSubject::Cart(Box::new(CartFacts {
        customer: snapshot.customer(cart.customer)?.name,
        id: cart.id,
        seats: cart.seat_count(),
        slots: cart.slot_count(),
        operator: cart.operator,
        station: cart.station,
        set_aside: cart.set_aside,
        reservation: cart.reservation,
        expires_at: cart.expires_at,
    })))
}

fn performance(snapshot: &mut Snapshot<'_>, key: &str) -> Result<Option<PerformanceLabel>, Failure> {
    let found: Option<Performance> = snapshot.find(key)?;
    found.map(|found| label(snapshot, found.id)).transpose()
}

fn kept(snapshot: &mut Snapshot<'_>, keep: Keep) -> Result<JobSubject, Failure> {
    let performance: Performance = snapshot.get(keep.performance)?;
    let seats = snapshot.seating(performance.plan)?.names(&keep.live);
    Ok(JobSubject::Keep { performance: label(snapshot, keep.performance)?, seats, reason: keep.reason })
}

fn tickets(snapshot: &mut Snapshot<'_>, receipt: Receipt) -> Result<JobSubject, Failure> {
    let mut live = seated(&receipt.lines);
    let seats = live.clone().map(|(_, seats)| seats.len()).sum();
    let first = live.next().map(|(performance, _)| performance);
    Ok(JobSubject::Tickets {
        receipt: receipt.id,
        number: receipt.number,
        customer: snapshot.customer(receipt.customer)?.name,
        seats,
        performance: first.map(|id| label(snapshot, id)).transpose()?,
    })
}

/// Counts the people who wait for a performance, and their seats.
fn line(performance: PerformanceLabel, lines: &Lines) -> JobSubject {
    let line = lines.iter().find(|(id, _)| *id == performance.id);
    let line = line.map(|(_, line)| *line).unwrap_or_default();
    JobSubject::Line { performance, people: line.people, seats: line.seats }
}
