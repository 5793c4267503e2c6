//! Job of uncollected paid tickets: one alert before each start.

use serde::{Deserialize, Serialize};

use crate::domain::event::{Event, Uncollected};
use crate::domain::ids::ReceiptId;
use crate::domain::job::Outcome;
use crate::domain::receipt::{Receipt, Tickets};
use crate::engine::ops::tickets::{self, Show};
use crate::engine::work::{Failure, Operation, UnitOfWork};

/// Sends the alert of uncollected tickets.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AlertTickets {
    pub receipt: ReceiptId,
}

impl Operation for AlertTickets {
    const VERB: &'static str = "alert_tickets";
    type Answer = Outcome;

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<Outcome, Failure> {
        let found = work.find::<Receipt>(&self.receipt.to_string())?;
        let Some(mut receipt) = found else {
            return Ok(Outcome::Gone);
        };
        let Tickets::Waiting { told } = receipt.tickets else {
            return Ok(Outcome::Gone);
        };
        let now = work.now();
        let shows = tickets::shows(work, &receipt, receipt.issued_at)?;
        let is_told = |show: &Show| told.is_some_and(|told| show.performance.start <= told);
        let untold = shows.into_iter().filter(|show| !is_told(show));
        let (open, over): (Vec<_>, Vec<_>) = untold.partition(|show| show.performance.end > now);
        let Some(first) = open.first() else {
            if let Some(last) = over.last() {
                // by another clock it may be still to come: the mark says that no check waits for it
                let told = Some(last.performance.start);
                receipt.tickets = Tickets::Waiting { told };
                work.put(&receipt)?;
            }
            return Ok(Outcome::Gone);
        };
        if first.tell_at > now {
            return Ok(Outcome::Deadline(first.tell_at));
        }
        let start = first.performance.start;
        receipt.tickets = Tickets::Waiting { told: Some(start) };
        work.put(&receipt)?;
        // shows of one start share the mark on the receipt, so all of them are told of now
        let (due, later): (Vec<_>, Vec<_>) = open.iter().partition(|show| show.performance.start == start);
        for show in due {
            work.tell(&Event::TicketsUncollected(uncollected(&receipt, show)))?;
        }
        let next = later.first().map(|show| show.tell_at.max(now));
        Ok(next.map_or(Outcome::Done, Outcome::Deadline))
    }
}

fn uncollected(receipt: &Receipt, show: &Show) -> Uncollected {
    Uncollected {
        receipt: receipt.id,
        number: receipt.number.clone(),
        customer: receipt.customer,
        performance: show.performance.id,
        title: show.performance.title.clone(),
        start: show.performance.start,
        seats: show.seats,
    }
}
