//! Days on which the house is closed: added, and opened again.

use std::borrow::Cow;

use chrono::NaiveDate;
use ratatui::style::Style;

use crate::domain::time::typed;
use crate::engine::ops::{CloseDays, WhatStands};
use crate::engine::reads::catalog::ReadSettings;
use crate::tui::data::reads::Needs;
use crate::tui::kit::form::{Form, FormRow};
use crate::tui::kit::shared::Shared;
use crate::tui::kit::sheet::{FormSheet, Sent, form_of};
use crate::tui::widgets::paragraph;
use crate::words;

const ACT: usize = 0;
const DAYS: usize = 1;
const STANDS: usize = 2;

/// Days being closed or opened.
#[derive(Debug)]
pub(super) struct ClosedDays(Form);

impl ClosedDays {
    pub(super) fn new() -> Self {
        let rows = vec![
            FormRow::Pick("Do", &["close", "open again"], 0),
            FormRow::text("Days", ""),
            FormRow::Pick("Bookings", &["refuse it", "stay"], 0),
            FormRow::Button,
        ];
        Self(Form::new(rows, DAYS))
    }

    fn opens(&self) -> bool {
        self.0.picked(ACT) == 1
    }

    /// Days as typed, parted by commas.
    fn days(&self, shared: &Shared) -> Result<Vec<NaiveDate>, String> {
        let (text, today) = (self.0.clean(DAYS), shared.here().today());
        let parts = text.split([',', ';']).map(str::trim).filter(|part| !part.is_empty());
        let days = parts.map(|part| match typed::date(part, today) {
            Ok((day, None)) => Ok(day),
            Ok((_, Some(_))) => Err(format!("{part:?} has a time of day; a day is closed as a whole")),
            Err(error) => Err(words::capital(&error.to_string())),
        });
        let days = days.collect::<Result<Vec<_>, _>>()?;
        if days.is_empty() { Err("Type a day, such as 24 dec".to_owned()) } else { Ok(days) }
    }
}

impl FormSheet for ClosedDays {
    const SIZE: (u16, usize) = (66, 17);

    form_of!(0);

    fn title(&self, _shared: &Shared) -> String {
        "Closed days".to_owned()
    }

    fn hints(&self, _shared: &Shared) -> Vec<(usize, Cow<'static, str>)> {
        vec![(ACT, "".into()), (DAYS, "24 dec, 2026-12-25".into()), (STANDS, "".into())]
    }

    fn does(&self) -> &'static str {
        if self.opens() { "open them" } else { "close them" }
    }

    fn then(&self) -> &'static str {
        "Repeats leave closed days out; anything else is booked then only if it is said."
    }

    fn operation(&self, shared: &Shared) -> Result<Sent, (usize, String)> {
        let days = self.days(shared).map_err(|problem| (DAYS, problem))?;
        let names: Vec<String> = days.iter().copied().map(day_words).collect();
        let stands = if self.0.picked(STANDS) == 0 { WhatStands::Refuse } else { WhatStands::Stays };
        let (close, open, word) = if self.opens() { (Vec::new(), days, "open") } else { (days, Vec::new(), "closed") };
        let done = format!("The house is {word} on {}", words::list(&names));
        Ok(Sent::worded(CloseDays { close, open, stands }, done))
    }

    fn refused_at(&self) -> usize {
        DAYS
    }

    fn edited(&mut self, row: usize) {
        if row == ACT {
            let skipped: &[usize] = if self.opens() { &[STANDS] } else { &[] };
            self.0.skip(skipped);
        }
    }

    fn needs(&self, _shared: &Shared, needs: &mut Needs) {
        needs.of(ReadSettings);
    }

    fn below(&self, shared: &Shared, (columns, lines): (usize, usize)) -> Option<(Vec<String>, Style)> {
        let today = shared.here().today();
        let ahead = shared.reads.get(&ReadSettings).map(|settings| {
            let days = settings.closed_days.iter().filter(|day| **day >= today);
            days.copied().map(day_words).collect::<Vec<_>>()
        });
        let names = |days: Vec<NaiveDate>| words::list(&days.iter().copied().map(day_words).collect::<Vec<_>>());
        let meant = self.days(shared).map(|days| format!("Meant: {}. ", names(days)));
        let closed = match ahead.as_deref() {
            None => shared.in_place_of(&ReadSettings).unwrap_or_default(),
            Some([]) => "No day to come is closed.".to_owned(),
            Some(days) => format!("Closed: {}.", days.join(", ")),
        };
        let said = meant.unwrap_or_default() + &closed;
        Some((paragraph(&said, columns, lines), shared.theme.text))
    }
}

fn day_words(day: NaiveDate) -> String {
    day.format("%a %-d %b %Y").to_string()
}
