//! Guests: checked in and out, and the lists of a day.

use clap::Args;

use crate::cli::answers::stays;
use crate::cli::calendar::change::answer;
use crate::cli::call::{Call, Done};
use crate::cli::out::AsCsv;
use crate::cli::times;
use crate::engine::ops::{CheckGuest, Happened, OpenAmount};
use crate::engine::reads::stays::{ReadStays, WhichStays};

/// Day of a list.
#[derive(Debug, Args)]
pub(in crate::cli) struct Day {
    /// The day (default: today)
    date: Option<String>,
    #[command(flatten)]
    csv: AsCsv,
}

impl Day {
    pub(super) fn list(&self, call: &mut Call<'_>, which: WhichStays) -> Done {
        let here = call.now_in(call.settings.time_zone);
        let date = self.date.as_ref().map(|text| times::date("date", text, here)).transpose()?;
        let stays = call.read(ReadStays { date: date.unwrap_or(here.today()), which })?;
        self.csv.choose(call.out);
        call.answer(&stays::list(&stays, here))
    }
}

pub(super) fn check(call: &mut Call<'_>, booking: &str, (happened, unpaid): (Happened, OpenAmount)) -> Done {
    let booking = call.booking(booking)?.booking.id;
    let checked = call.run(CheckGuest { booking, happened, unpaid })?;
    answer(call, vec![checked])
}
