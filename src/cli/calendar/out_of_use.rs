//! Takes time out of use, and puts it back.

use clap::Args;

use crate::cli::answers::out_of_use;
use crate::cli::call::{Call, Done};
use crate::cli::find::named;
use crate::cli::stop::Stop;
use crate::cli::{times, values};
use crate::domain::booking::Cause;
use crate::domain::ids::BookingId;
use crate::domain::refusal::Refusal;
use crate::engine::Failure;
use crate::engine::ops::{Displace, EnableSlot, TakeOut, Whose};
use crate::engine::reads::names::ReadNamed;
use crate::engine::reads::resources::ReadResources;

use super::book::past;

#[derive(Debug, Args)]
pub(in crate::cli) struct Outage {
    /// Ids or names
    #[arg(required = true)]
    resources: Vec<String>,
    /// Start of the time
    #[arg(long, value_name = "TIME")]
    from: String,
    /// End of the time (default: until further notice)
    #[arg(long, value_name = "TIME")]
    until: Option<String>,
    /// Only so many units of a counted resource: 40, "40 chairs"
    #[arg(long, requires = "until", allow_hyphen_values = true)]
    count: Option<String>,
    /// The reason
    #[arg(long, default_value = "")]
    reason: String,
    /// Also past time, as a record
    #[arg(long)]
    past: bool,
}

impl Outage {
    /// Takes free time for a cause; without one, disables time, free or not.
    pub(super) fn run(&self, call: &mut Call<'_>, cause: Option<&str>) -> Done {
        let resources = named(call, &self.resources)?;
        let now = call.now_in(call.out.zone);
        let (from, until) = times::bounds(&self.from, self.until.as_ref(), now)?;
        let count = match (&self.count, self.resources.as_slice()) {
            (Some(count), [one]) => Some(values::units(&call.resource(one)?, count)?),
            (Some(_), _) => return Err(values::bad("count", "it is of one counted resource").into()),
            (None, _) => None,
        };
        let done = call.run(TakeOut {
            resources,
            count,
            from: Some(from),
            until,
            cause: cause.map_or(Cause::Disable, Cause::of_word),
            reason: self.reason.clone(),
            displace: Displace::Ask,
            past: past(self.past),
        })?;
        let answer = out_of_use::act(call, &done)?;
        call.answer(&answer)
    }
}

pub(super) fn enable(call: &mut Call<'_>, text: &str, whose: Whose) -> Done {
    let id = act(call, text)?;
    call.run(EnableSlot { id, whose })?;
    call.answer(&out_of_use::enabled(id))
}

/// Finds the act that a text names: one with a slot, or a mark until further notice.
fn act(call: &Call<'_>, text: &str) -> Result<BookingId, Stop> {
    match call.desk.read(ReadNamed::<BookingId>::new(text)) {
        Err(Failure::Refused(refusal @ Refusal::NotFound { .. })) => {
            let end = text.trim().trim_start_matches('.').to_lowercase();
            let resources = call.read(ReadResources::default())?;
            let mut marks = resources.iter().flat_map(|one| &one.marks).map(|mark| mark.id);
            let found = marks.find(|id| !end.is_empty() && id.to_string().ends_with(&end));
            found.ok_or_else(|| refusal.into())
        }
        other => Ok(other?),
    }
}
