//! Pending business of the demo house: a reservation with a short pay-by time, tickets to be collected, and a
//! waiting list.

use crate::domain::customer::Customer;
use crate::domain::ids::{CartId, PerformanceId};
use crate::domain::job::{JobKind, PolicyChange};
use crate::domain::performance::Performance;
use crate::domain::receipt::Tender;
use crate::domain::time::Span;
use crate::engine::ops::{
    AddWaiting, BestSeats, ChangeSettings, Checkout, HoldSeats, PayBy, ReserveCart, SeatChoice, TicketsTo,
};
use crate::engine::{Desk, Failure};

/// First alert, last alert and pay-by time of a reservation, counted from its making.
#[derive(Clone, Copy, Debug)]
pub(super) struct Times {
    pub(super) alert: Span,
    pub(super) last: Span,
    pub(super) pay_by: Span,
}

/// Times of the reservation on show: long enough to look around first.
const WATCHED: Times = Times { alert: Span::minutes(1), last: Span::minutes(2), pay_by: Span::minutes(3) };

/// Least time until the start of a reserved performance.
const STARTS_LATER: Span = Span::minutes(60);

/// Performance of the waiting list, and the seats of each entry.
const WAITED_FOR: &str = "Jazz trio";
const WAITING: [(&str, u32); 2] = [("Moreau", 6), ("Larsen", 5)];

/// Names under which tickets wait at the desk, and the slips of their cards.
const COLLECTING: [(&str, &str); 3] = [("Haddad", "004417"), ("Tanaka", "004425"), ("O'Brien", "004431")];

/// Makes the reservation, the tickets to collect and the waiting list.
pub(super) fn make(desk: &Desk, performances: &[Performance]) -> Result<(), Failure> {
    // minutes would be too coarse to watch
    let by_seconds = PolicyChange { slot: Some(Span::seconds(1)), ..PolicyChange::default() };
    desk.run(ChangeSettings::of_job(JobKind::Reservation, by_seconds))?;
    let office = desk.working_as("dora", "office");
    let later = desk.now() + STARTS_LATER;
    if let Some(show) = performances.iter().find(|show| show.start > later) {
        reserve(&office, show.id, ("Weber", WATCHED))?;
        for (name, slip) in COLLECTING {
            leave_tickets(&office, show.id, (name, slip))?;
        }
    }
    let waited_for = performances.iter().find(|show| show.title == WAITED_FOR);
    for (show, (name, seats)) in waited_for.iter().flat_map(|show| WAITING.map(|of| (*show, of))) {
        office.run(AddWaiting {
            performance: show.id,
            customer: person(name),
            seats,
            category: None,
            priority: None,
        })?;
    }
    Ok(())
}

/// Reserves two seats under a name, with a short pay-by time.
pub(super) fn reserve(desk: &Desk, show: PerformanceId, (name, times): (&str, Times)) -> Result<CartId, Failure> {
    let cart = two_seats(desk, show)?;
    let reserved = desk.run(ReserveCart {
        cart,
        customer: Some(person(name)),
        pay_by: PayBy::At(desk.now() + times.pay_by),
        alert: Some(times.alert),
        last: Some(times.last),
    })?;
    Ok(reserved.id)
}

fn two_seats(desk: &Desk, performance: PerformanceId) -> Result<CartId, Failure> {
    let best = BestSeats { count: 2, ..BestSeats::default() };
    let cart = desk.run(HoldSeats::new(performance, SeatChoice::Best(best)))?;
    Ok(cart.id)
}

/// Sells two tickets by phone, to be collected.
fn leave_tickets(desk: &Desk, show: PerformanceId, (name, slip): (&str, &str)) -> Result<(), Failure> {
    let cart = two_seats(desk, show)?;
    desk.run(Checkout {
        customer: Some(person(name)),
        tickets: TicketsTo::Desk,
        ..Checkout::new(cart, vec![Tender::Card { reference: slip.into(), charged: None }])
    })?;
    Ok(())
}

fn person(name: &str) -> Customer {
    Customer { name: name.into(), phone: "07700 900417".into(), ..Customer::default() }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use crate::demo::clock::DemoClock;
    use crate::demo::testing::{NOON, furnished_at};
    use crate::domain::cart::AlertRaised;
    use crate::domain::time::Span;
    use crate::engine::reads::tonight::NeedKind;
    use crate::engine::reads::tonight::{Need, ReadTonight};
    use crate::engine::verify::Verify;
    use crate::words;

    /// The front page's line about Weber's seats.
    fn weber(needs: &[Need]) -> Option<String> {
        needs.iter().find_map(|need| {
            if let NeedKind::Unpaid { customer, told, .. } = &need.what {
                return (customer.name == "Weber").then(|| format!("{told:?}"));
            }
            let NeedKind::Told(event) = &need.what else {
                return None;
            };
            Some(words::events::words(event)).filter(|words| words.contains("Weber"))
        })
    }

    #[test]
    fn a_reservation_can_be_watched_alerting_escalating_and_releasing() {
        let clock = Arc::new(DemoClock::from(NOON));
        let (house, _) = furnished_at(Arc::<DemoClock>::clone(&clock));
        let seen = |seconds: i64| {
            clock.run_ahead(Span::seconds(seconds));
            house.desk.sweep().unwrap();
            let (from, before) = (house.desk.now(), house.desk.now() + Span::minutes(60));
            let page = house.desk.read(ReadTonight { from, before }).unwrap();
            weber(&page.needs)
        };
        assert_eq!(seen(0), None);
        assert_eq!(seen(61), Some(format!("{:?}", AlertRaised::Alert)));
        assert_eq!(seen(60), Some(format!("{:?}", AlertRaised::Final)));
        let released = seen(60).unwrap();
        assert!(released.starts_with("2 seats of Weber went back"), "{released}");
        assert!(house.desk.read(Verify::default()).unwrap().violations.is_empty());
    }
}
