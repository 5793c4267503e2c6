//! What a job is about, with the facts that people tell it by.

use crate::domain::cart::{Cart, Reservation};
use crate::domain::house::Keep;
use crate::domain::ids::{CartId, ReceiptId};
use crate::domain::job::JobKind;
use crate::domain::line::seated;
use crate::domain::performance::Performance;
use crate::domain::receipt::Receipt;
use crate::domain::resource::{Resource, ResourceId};
use crate::domain::time::Instant;
use crate::engine::reads::carts::{PerformanceLabel, label};
use crate::engine::reads::{Snapshot, waitlist};
use crate::engine::work::Failure;

/// What a job is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JobSubject {
    /// A cart or a reservation.
    Cart(Box<CartFacts>),
    /// A performance.
    Performance(PerformanceLabel),
    /// Seats that the house keeps back.
    Keep {
        /// The performance.
        performance: PerformanceLabel,
        /// The seats' names.
        seats: Vec<String>,
        /// For whom or why they are kept.
        reason: String,
    },
    /// The waiting list of a performance.
    Line {
        /// The performance.
        performance: PerformanceLabel,
        /// How many still wait.
        people: usize,
        /// For how many seats.
        seats: usize,
    },
    /// Paid tickets that lie at the desk.
    Tickets {
        /// Their receipt.
        receipt: ReceiptId,
        /// Its number.
        number: String,
        /// For whom; empty when nobody said.
        customer: String,
        /// How many tickets.
        seats: usize,
        /// The performance of the first of them.
        performance: Option<PerformanceLabel>,
    },
    /// Something that is booked by time.
    Resource {
        /// Its id.
        id: ResourceId,
        /// Its name.
        name: String,
    },
    /// The house itself.
    House,
    /// Something that is gone, or that this program does not know.
    Unknown,
}

/// A cart as people tell it from others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CartFacts {
    /// The cart.
    pub id: CartId,
    /// Who works on it.
    pub operator: String,
    /// Where.
    pub station: String,
    /// Whether it waits aside.
    pub set_aside: bool,
    /// Its alerts, when it is reserved.
    pub reservation: Option<Reservation>,
    /// For whom; empty when nobody said.
    pub customer: String,
    /// How many seats it has.
    pub seats: usize,
    /// How many slots of time it has.
    pub slots: usize,
    /// Its deadline.
    pub expires_at: Instant,
}

/// What a subject is: kinds whose subjects are documents name them here.
pub(in crate::engine) fn read(
    snapshot: &mut Snapshot<'_>,
    kind: &str,
    subject: &str,
) -> Result<JobSubject, Failure> {
    let key = [subject.to_owned()];
    let about = match JobKind::from_word(kind) {
        Some(JobKind::CartExpiry | JobKind::CartWarning | JobKind::Reservation) => {
            let found = snapshot.all::<Cart>(&key)?.pop();
            found.map(|cart| JobSubject::Cart(Box::new(facts(cart))))
        }
        Some(JobKind::SalesClose) => performance(snapshot, &key)?.map(JobSubject::Performance),
        Some(JobKind::TicketsUncollected) => match snapshot.all::<Receipt>(&key)?.pop() {
            Some(receipt) => Some(tickets(snapshot, receipt)?),
            None => None,
        },
        Some(JobKind::KeepRelease) => match snapshot.all::<Keep>(&key)?.pop() {
            Some(keep) => Some(kept(snapshot, keep)?),
            None => None,
        },
        Some(JobKind::Waitlist) => match performance(snapshot, &key)? {
            Some(performance) => Some(line(snapshot, performance)?),
            None => None,
        },
        Some(JobKind::Horizon) => {
            let found = snapshot.all::<Resource>(&key)?.pop();
            found.map(|Resource { id, name, .. }| JobSubject::Resource { id, name })
        }
        Some(JobKind::Tidying) => Some(JobSubject::House),
        None => None,
    };
    Ok(about.unwrap_or(JobSubject::Unknown))
}

fn facts(cart: Cart) -> CartFacts {
    CartFacts {
        id: cart.id,
        seats: cart.seat_count(),
        slots: cart
            .lines
            .iter()
            .filter(|line| line.goods.is_time())
            .count(),
        operator: cart.operator,
        station: cart.station,
        set_aside: cart.set_aside,
        reservation: cart.reservation,
        customer: cart.customer.name,
        expires_at: cart.expires_at,
    }
}

fn performance(
    snapshot: &mut Snapshot<'_>,
    key: &[String],
) -> Result<Option<PerformanceLabel>, Failure> {
    let found = snapshot.all::<Performance>(key)?.pop();
    found.map(|found| label(snapshot, found.id)).transpose()
}

fn kept(snapshot: &mut Snapshot<'_>, keep: Keep) -> Result<JobSubject, Failure> {
    let performance: Performance = snapshot.get(keep.performance)?;
    let seats = snapshot.house(performance.plan)?.names(&keep.live);
    Ok(JobSubject::Keep {
        performance: label(snapshot, keep.performance)?,
        seats,
        reason: keep.reason,
    })
}

fn tickets(snapshot: &mut Snapshot<'_>, receipt: Receipt) -> Result<JobSubject, Failure> {
    let mut live = seated(&receipt.lines);
    let seats = live.clone().map(|(_, seats)| seats.len()).sum();
    let first = live.next().map(|(performance, _)| performance);
    Ok(JobSubject::Tickets {
        receipt: receipt.id,
        number: receipt.number,
        customer: receipt.customer.name,
        seats,
        performance: first.map(|id| label(snapshot, id)).transpose()?,
    })
}

/// The end of a line: how many stand in it, and for how many seats.
fn line(snapshot: &mut Snapshot<'_>, performance: PerformanceLabel) -> Result<JobSubject, Failure> {
    let lines = waitlist::lines(snapshot, Some(performance.id))?;
    let line = lines.first().map(|(_, line)| *line).unwrap_or_default();
    Ok(JobSubject::Line {
        performance,
        people: line.people,
        seats: line.seats,
    })
}
