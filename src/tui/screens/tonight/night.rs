//! Night: a performance moves to another start, or is canceled. The customers to call are listed first.

use std::borrow::Cow;

use ratatui::style::Style;

use crate::domain::text::fit;
use crate::domain::time::typed::{Moment, moment};
use crate::domain::time::{Instant, Local};
use crate::engine::ops::{CancelPerformance, PostponePerformance};
use crate::engine::reads::customers::{PerformanceCustomer, ReadPerformanceCustomers};
use crate::engine::reads::tonight::PerformanceRow;
use crate::tui::data::reads::Needs;
use crate::tui::kit::form::{Form, FormRow};
use crate::tui::kit::shared::Shared;
use crate::tui::kit::sheet::{FormSheet, Sent, form_of};
use crate::words;

const START: usize = 0;
const REASON: usize = 1;

/// Act on a performance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NightAct {
    Postpone,
    Cancel,
}

/// A performance being postponed or canceled.
#[derive(Debug)]
pub(crate) struct NightDialog {
    act: NightAct,
    performance: PerformanceRow,
    form: Form,
}

impl NightDialog {
    pub(crate) fn new(act: NightAct, performance: PerformanceRow) -> Self {
        let rows = vec![FormRow::text("New start", ""), FormRow::text("Reason", ""), FormRow::Button];
        let (first, skipped): (usize, &[usize]) = match act {
            NightAct::Postpone => (START, &[]),
            NightAct::Cancel => (REASON, &[START]),
        };
        let mut form = Form::new(rows, first);
        form.skip(skipped);
        Self { act, performance, form }
    }

    /// The new start as typed; a day without a time keeps the time of day.
    fn start(&self, here: Local) -> Result<Instant, String> {
        let text = self.form.clean(START);
        if text.is_empty() {
            return Err("Type the new start, such as fri 20:00".to_owned());
        }
        let read = |text: &str| moment(text, here).map_err(|error| error.to_string());
        match read(&text)? {
            Moment::At(at) => Ok(at),
            Moment::Day(date) => {
                let time = self.performance.start.format(here.zone, "%H:%M");
                match read(&format!("{date} {time}"))? {
                    Moment::At(at) => Ok(at),
                    Moment::Day(_) => Err("Type the time as well".to_owned()),
                }
            }
        }
    }

    /// Customers to call: how many, then each with phone and seats.
    fn whom(&self, shared: &Shared, room: usize) -> Vec<String> {
        let question = ReadPerformanceCustomers(self.performance.id);
        let Some(customers) = shared.reads.get(&question) else {
            return shared.in_place_of(&question).into_iter().collect();
        };
        let seats = customers.iter().map(|one| one.seats.len()).sum();
        let mut lines = vec![match customers.len() {
            0 => "Nobody has seats.".to_owned(),
            orders => format!("To call: {}, {}", words::count(orders, "order"), words::count(seats, "seat")),
        }];
        let shown = if customers.len() < room { customers.len() } else { room.saturating_sub(2) };
        let mut named = customers.iter();
        lines.extend(named.by_ref().take(shown).map(customer_words));
        let rest = named.len();
        if rest > 0 {
            lines.push(format!("  and {}", words::count(rest, "other order")));
        }
        lines
    }
}

fn customer_words(one: &PerformanceCustomer) -> String {
    let name = match one.customer.name.as_str() {
        "" => "no name",
        name => name,
    };
    let phone = match one.customer.phone.as_str() {
        "" => "no phone",
        phone => phone,
    };
    let seats = words::span_of(&one.seats);
    format!("  {}  {}  {seats}", fit(name, 24), fit(phone, 18))
}

impl FormSheet for NightDialog {
    const SIZE: (u16, usize) = (66, 20);

    form_of!(form);

    fn title(&self, shared: &Shared) -> String {
        let act = match self.act {
            NightAct::Postpone => "Postpone",
            NightAct::Cancel => "Cancel",
        };
        let row = &self.performance;
        let when = words::day_time(row.start, self.here(shared));
        format!("{act}   {}, {when}", fit(&row.title, 30))
    }

    fn hints(&self, shared: &Shared) -> Vec<(usize, Cow<'static, str>)> {
        let here = self.here(shared);
        let start = self.start(here).map(|start| words::day_time(start, here).into());
        let start = start.unwrap_or("fri 20:00, 27 nov 19:30".into());
        vec![(START, start), (REASON, "why? customers are told".into())]
    }

    fn does(&self) -> &'static str {
        match self.act {
            NightAct::Postpone => "postpone it",
            NightAct::Cancel => "cancel it",
        }
    }

    fn then(&self) -> &'static str {
        match self.act {
            NightAct::Postpone => {
                "Seats stay; hall, pay-by times and kept seats move along. Tickets printed before are void."
            }
            NightAct::Cancel => "Holds and reservations end; what was paid waits in Needs you to be given back.",
        }
    }

    fn operation(&self, shared: &Shared) -> Result<Sent, (usize, String)> {
        let start = match self.act {
            NightAct::Postpone => Some(self.start(self.here(shared)).map_err(|problem| (START, problem))?),
            NightAct::Cancel => None,
        };
        let reason = self.form.needed(REASON, "Type why")?;
        let (performance, title) = (self.performance.id, &self.performance.title);
        Ok(match start {
            Some(start) => {
                let when = words::day_time(start, self.here(shared));
                let done = format!("{title} moved to {when}; tickets printed before are void");
                Sent::worded(PostponePerformance { performance, start, end: None, reason }, done)
            }
            None => Sent::worded(CancelPerformance { performance, reason }, format!("{title} canceled")),
        })
    }

    /// Only its button does what nobody takes back.
    fn is_ready(&self, _shared: &Shared) -> bool {
        false
    }

    /// The present at its theater.
    fn here(&self, shared: &Shared) -> Local {
        shared.here().in_zone(self.performance.zone)
    }

    fn needs(&self, _shared: &Shared, needs: &mut Needs) {
        needs.of(ReadPerformanceCustomers(self.performance.id));
    }

    fn below(&self, shared: &Shared, (_, room): (usize, usize)) -> Option<(Vec<String>, Style)> {
        Some((self.whom(shared, room), shared.theme.text))
    }
}
