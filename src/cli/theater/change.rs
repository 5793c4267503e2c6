//! Theater, as it was entered: mended, retired, and brought back.

use clap::Args;

use crate::cli::answers::{changed::changed, theater};
use crate::cli::call::{Call, Done, Trial};
use crate::cli::values;
use crate::domain::ids::TheaterId;
use crate::domain::refusal::Refusal;
use crate::engine::ops::{ChangeTheater, TheaterPatch};
use crate::engine::reads::catalog::ReadTheater;

#[derive(Debug, Args)]
pub(in crate::cli) struct ChangeTheaterArgs {
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
    #[command(flatten)]
    trial: Trial,
}

impl ChangeTheaterArgs {
    pub(super) fn run(&self, call: &mut Call<'_>) -> Done {
        let patch = TheaterPatch {
            name: self.name.clone(),
            time_zone: values::some(self.time_zone.as_ref(), values::zone)?,
            retired: self.no_retired.then_some(false),
        };
        if patch == TheaterPatch::default() {
            return Err(Refusal::NothingChosen.into());
        }
        change(call, (&self.theater, patch), self.trial)
    }
}

pub(super) fn retire(call: &mut Call<'_>, theater: &str) -> Done {
    change(call, (theater, TheaterPatch { retired: Some(true), ..TheaterPatch::default() }), Trial::default())
}

fn change(call: &mut Call<'_>, (text, patch): (&str, TheaterPatch), trial: Trial) -> Done {
    let theater: TheaterId = call.named(text)?;
    let done = trial.run(call, ChangeTheater { theater, patch })?;
    let (_, house) = call.read(ReadTheater(theater))?;
    let told = |one| theater::theater(one, &house.plan);
    trial.answer(call, changed(&told(&done.before).json, told(&done.after)))
}
