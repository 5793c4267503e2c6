//! Seats that the house keeps back, and lets go.

use clap::Args;

use crate::cli::answers::seats_out;
use crate::cli::call::{Call, Done};
use crate::cli::{times, values};
use crate::engine::ops::{KeepSeats, UnkeepSeats};

#[derive(Debug, Args)]
pub(in crate::cli) struct Keep {
    /// Id, end of an id, or title
    performance: String,
    /// Seat names, parted by commas: D9,D10
    #[arg(long, required = true)]
    seats: Vec<String>,
    /// The reason, or the guests they are kept for
    #[arg(long)]
    reason: String,
    /// Time at which they become free, in the theater's local time
    #[arg(long, value_name = "TIME")]
    until: String,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct Unkeep {
    /// Id, end of an id, or title
    performance: String,
    /// Seat names, parted by commas: D9,D10
    #[arg(long, required = true)]
    seats: Vec<String>,
}

impl Keep {
    pub(super) fn run(&self, call: &mut Call<'_>) -> Done {
        let view = call.performance(&self.performance)?;
        let keep = call.run(KeepSeats {
            performance: view.performance.id,
            seats: values::seats(&self.seats)?,
            reason: self.reason.clone(),
            until: times::deadline("until", &self.until, call.now_in(view.theater.time_zone))?,
        })?;
        call.answer(&seats_out::kept(&keep, &view))
    }
}

impl Unkeep {
    pub(super) fn run(&self, call: &mut Call<'_>) -> Done {
        let view = call.performance(&self.performance)?;
        let seats = values::seats(&self.seats)?;
        call.run(UnkeepSeats { performance: view.performance.id, seats: seats.clone() })?;
        let performance = view.performance.id.to_string();
        call.answer(&seats_out::on_sale(&performance, &seats))
    }
}
