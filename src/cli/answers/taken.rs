//! Time that is taken without a booking: by a cart, by a receipt, or until further notice.

use chrono_tz::Tz;
use serde::Serialize;

use crate::cli::answers::booking::Booked;
use crate::cli::answers::calendar::owner_id;
use crate::domain::calendar::State;
use crate::engine::reads::taken::TakenTime;

/// A stretch of a resource that is taken without a booking.
#[derive(Serialize)]
pub(in crate::cli) struct TakenAnswer {
    resource: String,
    from: String,
    until: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    wanted_from: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    wanted_until: Option<String>,
    title: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    customer: String,
    cause: &'static str,
    state: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    owner: Option<String>,
    #[serde(skip)]
    name: String,
    #[serde(skip)]
    when: String,
    #[serde(skip)]
    wanted: String,
}

impl TakenAnswer {
    pub(in crate::cli) fn booked(time: &TakenTime, zone: Tz) -> Booked {
        let period = &time.period;
        let wanted = period.wanted.filter(|wanted| *wanted != period.slot);
        Booked::Taken(Box::new(Self {
            resource: time.resource.0.to_string(),
            from: period.slot.from().rfc3339(zone),
            until: period.slot.until().rfc3339(zone),
            wanted_from: wanted.map(|wanted| wanted.from().rfc3339(zone)),
            wanted_until: wanted.map(|wanted| wanted.until().rfc3339(zone)),
            title: period.title.clone(),
            customer: period.customer.clone(),
            cause: match period.state {
                State::Held => "cart",
                State::OutOfService => "out of service",
                State::Free
                | State::Booked
                | State::Maintenance
                | State::Relocation
                | State::Occupied
                | State::Disabled
                | State::Closed
                | State::NotOpen => "receipt",
            },
            state: period.state.word(),
            owner: period.owner.as_ref().map(owner_id),
            name: time.resource.1.clone(),
            when: period.slot.dated(zone),
            wanted: wanted.map_or(String::new(), |wanted| wanted.dated(zone)),
        }))
    }

    /// Its line in a list of bookings, without a price and an id: neither is a booking's.
    pub(in crate::cli) fn row(&self) -> [String; 7] {
        let state = self.state.replace('_', " ");
        let (price, id) = (String::new(), String::new());
        let (when, wanted) = (self.when.clone(), self.wanted.clone());
        [
            self.name.clone(),
            when,
            wanted,
            self.title.clone(),
            state,
            price,
            id,
        ]
    }
}
