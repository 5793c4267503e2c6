//! Seats out of use and back into it, in one performance or in all of a theater.

use clap::Args;

use crate::cli::answers::seats_out::{self, Effects};
use crate::cli::call::{Call, Done};
use crate::cli::worklist::displaced;
use crate::cli::{times, values};
use crate::engine::ops::{DisableSeats, EnableSeats, Which};
use crate::engine::reads::catalog::ReadPlanned;

#[derive(Debug, Args)]
pub(in crate::cli) struct Disable {
    /// Id, end of an id, or title
    #[arg(required_unless_present = "theater", conflicts_with = "theater")]
    performance: Option<String>,
    /// All performances of this theater that have not started, and all to come
    #[arg(long)]
    theater: Option<String>,
    /// Only those from this date on (default: today)
    #[arg(long, value_name = "DATE", requires = "theater")]
    from: Option<String>,
    /// Seat names, parted by commas: C3,C4
    #[arg(long, required = true)]
    seats: Vec<String>,
    /// The reason
    #[arg(long)]
    reason: String,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct Enable {
    /// Id, end of an id, or title
    #[arg(required_unless_present = "theater", conflicts_with = "theater")]
    performance: Option<String>,
    /// All performances of this theater
    #[arg(long)]
    theater: Option<String>,
    /// Seat names, parted by commas: C3,C4
    #[arg(long, required = true)]
    seats: Vec<String>,
    /// Also seats that another operator took out of use
    #[arg(long = "override")]
    anybody: bool,
}

impl Disable {
    pub(super) fn run(&self, call: &mut Call<'_>) -> Done {
        let which = if let Some(performance) = &self.performance {
            Which::Performance(call.performance_id(performance)?)
        } else {
            let theater = call.theater(self.theater.as_deref().unwrap_or_default())?;
            let date = |text: &str| times::date("from", text, call.now_in(theater.time_zone));
            Which::Theater { theater: theater.id, from: values::some(self.from.as_ref(), date)? }
        };
        let done = call.run(DisableSeats { which, seats: values::seats(&self.seats)?, reason: self.reason.clone() })?;
        let nights = done.disables.iter().filter_map(|disable| Some(disable.seats.as_ref()?.performance));
        let nights = call.read(ReadPlanned(nights.collect()))?;
        let disables = done.disables.into_iter().filter(|disable| disable.seats.is_some());
        let effects = Effects {
            disables: disables.zip(nights).collect(),
            displaced: displaced(call, &done.displaced)?,
            carts: done.carts,
            unknown: done.unknown,
        };
        call.answer(&seats_out::disabled(&effects, call.out.zone))
    }
}

impl Enable {
    pub(super) fn run(&self, call: &mut Call<'_>) -> Done {
        let (id, which) = if let Some(performance) = &self.performance {
            let id = call.performance_id(performance)?;
            (id.to_string(), Which::Performance(id))
        } else {
            let theater = call.theater(self.theater.as_deref().unwrap_or_default())?.id;
            let from = None;
            (theater.to_string(), Which::Theater { theater, from })
        };
        let seats = values::seats(&self.seats)?;
        let still = call.run(EnableSeats { which, seats: seats.clone(), whose: values::whose(self.anybody) })?;
        call.answer(&seats_out::in_use(&id, seats, still.as_ref()))
    }
}
