//! Performances by the dozen: the dates of a repeat, and copies of one.

use clap::Args;

use crate::cli::answers::performance;
use crate::cli::call::{Call, Done, Trial};
use crate::cli::performance::OnePerformance;
use crate::cli::{times, values};
use crate::domain::performance::Theater;
use crate::domain::recurrence::{LocalSlot, slots};
use crate::domain::refusal::Refusal;
use crate::domain::time::{Instant, Slot};
use crate::engine::Operation;
use crate::engine::ops::{AddPerformance, AddPerformances, CopyPerformance, Nights};

/// Dates of a repeat.
#[derive(Debug, Args)]
pub(super) struct Dates {
    /// Repeat, all dates or none: "weekly until 15 dec", "fri sat x10", or a rule like FREQ=WEEKLY;COUNT=10
    #[arg(long, value_name = "REPEAT")]
    repeat: Option<String>,
    /// Dates of the repeat that are left out, parted by commas: 2026-12-25,2027-01-01
    #[arg(long, value_name = "DATES", value_delimiter = ',', requires = "repeat")]
    except: Vec<String>,
    #[command(flatten)]
    trial: Trial,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct Copy {
    #[command(flatten)]
    one: OnePerformance,
    /// Starts of the copies, in the theater's local time: 2026-12-04T19:30 2026-12-11T19:30
    #[arg(long, value_name = "TIME", required = true, num_args = 1..)]
    start: Vec<String>,
    #[command(flatten)]
    trial: Trial,
}

impl Dates {
    /// Returns whether only one performance is to be opened at once.
    pub(super) const fn is_one(&self) -> bool {
        self.repeat.is_none() && !self.trial.is_asked()
    }

    pub(super) fn run(&self, call: &mut Call<'_>, first: AddPerformance, theater: &Theater) -> Done {
        let dates = self.slots(call, (first.start, first.end), theater)?;
        let mut dates = dates.into_iter();
        let Some(start) = dates.next() else {
            return Err(Refusal::NothingChosen.into());
        };
        let first = AddPerformance { start: start.from(), end: start.until(), ..first };
        answer(call, AddPerformances { first, others: dates.collect() }, (theater, self.trial))
    }

    fn slots(
        &self,
        call: &Call<'_>,
        (start, end): (Instant, Instant),
        theater: &Theater,
    ) -> Result<Vec<Slot>, Refusal> {
        let here = call.now_in(theater.time_zone);
        let Some(repeat) = &self.repeat else {
            return Ok(vec![Slot::new(start, end).map_err(|_| Refusal::EndsBeforeStart)?]);
        };
        let wall = |at: Instant| at.in_zone(here.zone).naive_local();
        let except = self.except.iter().map(|text| times::date("except", text, here));
        let except = except.collect::<Result<Vec<_>, Refusal>>()?;
        let first = LocalSlot::Times(wall(start), wall(end));
        slots(repeat, &except, first, here).map_err(|error| values::bad("repeat", error))
    }
}

impl Copy {
    pub(super) fn run(&self, call: &mut Call<'_>) -> Done {
        let view = call.performance(&self.one.performance)?;
        let here = call.now_in(view.theater.time_zone);
        let starts = self.start.iter().map(|text| times::moment("start", text, here));
        let starts = starts.collect::<Result<_, Refusal>>()?;
        let copy = CopyPerformance { performance: view.performance.id, starts };
        answer(call, copy, (&view.theater, self.trial))
    }
}

fn answer<O>(call: &mut Call<'_>, open: O, (theater, trial): (&Theater, Trial)) -> Done
where
    O: Operation<Answer = Nights>,
{
    let nights = trial.run(call, open)?;
    let answer = performance::nights(&nights, theater, call.present());
    trial.answer(call, answer)
}
