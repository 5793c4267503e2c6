//! Sums of receipts: of a business day, and of any time.

use chrono::{Days, NaiveDate};
use clap::Args;

use crate::cli::answers::sums;
use crate::cli::call::{Call, Done};
use crate::cli::out::AsCsv;
use crate::cli::{times, values};
use crate::domain::refusal::Refusal;
use crate::domain::time::Instant;
use crate::domain::time::typed::{self, Moment};
use crate::engine::reads::sums::ReadSums;

#[derive(Debug, Args)]
pub(super) struct Day {
    /// The business day: 2026-12-01 (default: the present one)
    date: Option<String>,
    #[command(flatten)]
    csv: AsCsv,
}

#[derive(Debug, Args)]
pub(super) struct Report {
    #[command(flatten)]
    bounds: Bounds,
    #[command(flatten)]
    csv: AsCsv,
}

// a time; a date is the start of its business day
#[derive(Debug, Args)]
pub(super) struct Bounds {
    /// From this time or business day on
    #[arg(long, value_name = "TIME")]
    from: Option<String>,
    /// Until this time or business day, which is not part of it
    #[arg(long, value_name = "TIME")]
    until: Option<String>,
}

impl Day {
    pub(super) fn run(&self, call: &mut Call<'_>) -> Done {
        let here = call.now_in(call.settings.time_zone);
        let today = call.settings.day_at(here.now);
        let date = values::some(self.date.as_ref(), |text| times::date("date", text, here))?.unwrap_or(today);
        let until = call.settings.day_from(date + Days::new(1));
        self.csv.choose(call.out);
        answer(call, (call.settings.day_from(date), until), Some(date))
    }
}

impl Report {
    pub(super) fn run(&self, call: &mut Call<'_>) -> Done {
        let (from, until) = self.bounds.of(call)?;
        let tomorrow = call.settings.day_at(call.present()) + Days::new(1);
        let until = until.unwrap_or_else(|| call.settings.day_from(tomorrow));
        let from = from.unwrap_or_default();
        times::of_bounds(from, until)?;
        self.csv.choose(call.out);
        answer(call, (from, until), None)
    }
}

impl Bounds {
    /// Its start and its end, where they are given.
    pub(super) fn of(&self, call: &Call<'_>) -> Result<(Option<Instant>, Option<Instant>), Refusal> {
        let here = call.now_in(call.settings.time_zone);
        let moment = |field: &str, text: &str| match typed::moment(text, here) {
            Ok(Moment::Day(date)) => Ok(call.settings.day_from(date)),
            Ok(Moment::At(at)) => Ok(at),
            Err(error) => Err(values::bad(field, error)),
        };
        let from = values::some(self.from.as_ref(), |text| moment("from", text))?;
        let until = values::some(self.until.as_ref(), |text| moment("until", text))?;
        if let (Some(from), Some(until)) = (from, until) {
            times::of_bounds(from, until)?;
        }
        Ok((from, until))
    }
}

/// Answers with the sums of a time, which may be a business day.
fn answer(call: &mut Call<'_>, (from, until): (Instant, Instant), day: Option<NaiveDate>) -> Done {
    let (operator, station) = call.named.clone();
    let list = call.read(ReadSums { from, until, station, operator })?;
    call.answer(&sums::list(&list, (from, until), (day, call.settings.time_zone)))
}
