//! Who waits for seats, and how it stands with them.

use serde::Serialize;

use crate::cli::answers::{day_time, tail};
use crate::cli::out::Answer;
use crate::cli::table::{Table, numbers, words};
use crate::engine::reads::waitlist::{WaitView, Why};
use crate::tui::wording;

/// Entries of waiting lists in rows.
#[derive(Serialize)]
#[serde(transparent)]
pub(in crate::cli) struct WaitList(pub(in crate::cli) Vec<WaitAnswer>);

/// Somebody on a waiting list.
#[derive(Serialize)]
pub(in crate::cli) struct WaitAnswer {
    id: String,
    performance: String,
    title: String,
    start: String,
    name: String,
    phone: String,
    seats: u32,
    category: Option<String>,
    place: Option<usize>,
    state: &'static str,
    since: String,
    why: String,
    cart: Option<String>,
    offered: Vec<String>,
    until: Option<String>,
    #[serde(skip)]
    when: String,
}

impl WaitAnswer {
    pub(in crate::cli) fn new(view: &WaitView) -> Self {
        let (waiting, performance) = (&view.waiting, &view.performance);
        let zone = performance.zone;
        let (cart, offered, until) = match &view.why {
            Why::Offered { cart, seats, until } => (
                Some(cart.to_string()),
                seats.clone(),
                Some(until.rfc3339(zone)),
            ),
            Why::NothingFree | Why::NotTogether { .. } | Why::AboutToBeOffered | Why::Ended => {
                (None, Vec::new(), None)
            }
        };
        Self {
            id: waiting.id.to_string(),
            performance: performance.id.to_string(),
            title: performance.title.clone(),
            start: performance.start.rfc3339(zone),
            name: waiting.customer.name.clone(),
            phone: waiting.customer.phone.clone(),
            seats: waiting.seats,
            category: view.category.clone(),
            place: view.place,
            state: waiting.state.word(),
            since: waiting.since.rfc3339(zone),
            why: wording::waits(view, zone),
            cart,
            offered,
            until,
            when: day_time(performance.start, zone),
        }
    }
}

impl Answer for WaitList {
    fn people(&self) -> String {
        let mut table = Table::new([
            words("WHO"),
            numbers("PLACE"),
            words("PERFORMANCE"),
            words("START"),
            words("NAME"),
            words("PHONE"),
            numbers("SEATS"),
            words("CATEGORY"),
            words("HOW IT STANDS"),
        ]);
        for row in &self.0 {
            table.row([
                tail(&row.id),
                row.place
                    .map_or_else(String::new, |place| place.to_string()),
                row.title.clone(),
                row.when.clone(),
                row.name.clone(),
                row.phone.clone(),
                row.seats.to_string(),
                row.category.clone().unwrap_or_else(|| "any".to_owned()),
                row.why.clone(),
            ]);
        }
        table.text_or("Nobody waits. Put somebody on a list: willcall waitlist add")
    }
}
