//! Theater, as it was entered: mended, retired, and brought back.

use clap::Args;

use crate::cli::answers::{changed::changed, theater};
use crate::cli::call::{Call, Done};
use crate::cli::values;
use crate::domain::ids::TheaterId;
use crate::domain::refusal::Refusal;
use crate::engine::ops::{ChangeTheater, TheaterPatch};
use crate::engine::reads::Rehearse;
use crate::engine::reads::catalog::ReadTheater;

#[derive(Debug, Args)]
pub(in crate::cli) struct Change {
    /// Id, end of an id, or name
    theater: String,
    /// Another name; a hall that has the old one gets it too
    #[arg(long)]
    name: Option<String>,
    /// Another time zone, while it has no performance
    #[arg(long, value_name = "TZ")]
    time_zone: Option<String>,
    /// Back into all lists
    #[arg(long)]
    no_retired: bool,
    /// Only show what would change
    #[arg(long)]
    dry_run: bool,
}

impl Change {
    pub(super) fn run(&self, call: &mut Call<'_>) -> Done {
        let patch = TheaterPatch {
            name: self.name.clone(),
            time_zone: values::some(self.time_zone.as_ref(), values::zone)?,
            retired: self.no_retired.then_some(false),
        };
        if patch == TheaterPatch::default() {
            return Err(Refusal::NothingChosen.into());
        }
        change(call, (&self.theater, patch), self.dry_run)
    }
}

pub(super) fn retire(call: &mut Call<'_>, theater: &str) -> Done {
    change(call, (theater, TheaterPatch { retired: Some(true), ..TheaterPatch::default() }), false)
}

fn change(call: &mut Call<'_>, (text, patch): (&str, TheaterPatch), dry_run: bool) -> Done {
    let theater: TheaterId = call.named(text)?;
    let change = ChangeTheater { theater, patch };
    let done = if dry_run { call.read(Rehearse(change))? } else { call.run(change)? };
    let (_, house) = call.read(ReadTheater(theater))?;
    let told = |one| theater::theater(one, &house.plan);
    let answer = changed(&told(&done.before).json, told(&done.after));
    call.answer(&answer.noted(dry_run.then_some(crate::cli::performance::NOTHING_DONE)))
}
