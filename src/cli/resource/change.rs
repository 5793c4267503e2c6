//! Resource, as it was entered: mended, retired, and brought back.

use clap::Args;

use crate::cli::answers::{changed::changed, resource};
use crate::cli::call::{Call, Done, Trial};
use crate::cli::resource::{around, count, open_hours, property, segment};
use crate::cli::values;
use crate::domain::refusal::Refusal;
use crate::domain::resource::ResourceId;
use crate::domain::time::Span;
use crate::engine::ops::{ChangeResource, Patched, ResourcePatch};

#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of its own on the line")]
pub(in crate::cli) struct ChangeResourceArgs {
    /// Id or name
    resource: String,
    /// Another name; the id stays
    #[arg(long)]
    name: Option<String>,
    /// hall, room, hotel, hotel-room, car, equipment, or any word
    #[arg(long)]
    kind: Option<String>,
    /// Another unit of time in minutes, while it has neither stored days nor parts
    #[arg(long, value_name = "MINUTES", allow_hyphen_values = true)]
    segment: Option<String>,
    /// Another time zone, while it has neither stored days nor parts
    #[arg(long, value_name = "ZONE")]
    time_zone: Option<String>,
    /// Hours that can be booked: 08:00-23:00
    #[arg(long, value_name = "HOURS")]
    open_hours: Option<String>,
    /// Taken home, as a van: the closed hours between hand-over and return are taken too
    #[arg(long, conflicts_with = "no_open_hours")]
    hire: bool,
    /// Taken in its open hours only
    #[arg(long, conflicts_with = "hire")]
    no_hire: bool,
    /// Always open
    #[arg(long, conflicts_with = "open_hours")]
    no_open_hours: bool,
    /// Setup time before each later booking: 30m, or 0
    #[arg(long, value_name = "TIME", allow_hyphen_values = true)]
    before: Option<String>,
    /// Setup time after each later booking: 15m, or 0
    #[arg(long, value_name = "TIME", allow_hyphen_values = true)]
    after: Option<String>,
    /// The price of one unit of time; what is booked or held keeps its own
    #[arg(long, allow_hyphen_values = true)]
    price: Option<String>,
    /// Without a price
    #[arg(long, conflicts_with = "price")]
    no_price: bool,
    /// Price list that prices it from now on
    #[arg(long, value_name = "LIST")]
    prices: Option<String>,
    /// Priced by no list
    #[arg(long, conflicts_with = "prices")]
    no_prices: bool,
    /// Another number of its equal things, not below what is booked: "250 chairs"
    #[arg(long, value_name = "COUNT", allow_hyphen_values = true)]
    count: Option<String>,
    /// A property to search by: beds=2; may come several times
    #[arg(long, value_name = "NAME=VALUE")]
    set: Vec<String>,
    /// A property that goes; may come several times
    #[arg(long, value_name = "NAME")]
    no_set: Vec<String>,
    /// Days from today that a job keeps open
    #[arg(long, value_name = "DAYS", allow_hyphen_values = true)]
    roll: Option<String>,
    /// Opened by hand only
    #[arg(long, conflicts_with = "roll")]
    no_roll: bool,
    /// Back into all lists
    #[arg(long)]
    no_retired: bool,
    #[command(flatten)]
    trial: Trial,
}

impl ChangeResourceArgs {
    pub(super) fn run(&self, call: &mut Call<'_>) -> Done {
        let resource = call.resource(&self.resource)?.id;
        let patch = self.patch(call)?;
        if patch == ResourcePatch::default() {
            return Err(Refusal::NothingChosen.into());
        }
        change(call, (resource, patch), self.trial)
    }

    fn patch(&self, call: &Call<'_>) -> Result<ResourcePatch, Refusal> {
        let hours = values::some(self.open_hours.as_ref(), open_hours)?;
        let price = values::own_price(self.price.as_ref(), call.settings.currency)?;
        let roll = values::some(self.roll.as_ref(), |text| values::count("roll", text))?;
        let span = |field, text: &Option<String>| -> Result<Option<Span>, Refusal> {
            text.as_deref().map(|text| around(field, Some(text))).transpose()
        };
        let set = self.set.iter().map(|text| property(text).map(|(name, value)| (name, Some(value))));
        let no_set = self.no_set.iter().map(|name| Ok((name.trim().to_owned(), None)));
        Ok(ResourcePatch {
            name: self.name.clone(),
            kind: self.kind.clone(),
            time_zone: values::some(self.time_zone.as_ref(), values::zone)?,
            segment: values::some(self.segment.as_ref(), segment)?,
            hours: Patched::of(hours, self.no_open_hours),
            hire: (self.hire || self.no_hire).then_some(self.hire),
            before: span("before", &self.before)?,
            after: span("after", &self.after)?,
            price: Patched::of(price, self.no_price),
            prices: Patched::of(self.prices.clone(), self.no_prices),
            count: values::some(self.count.as_ref(), count)?,
            properties: no_set.chain(set).collect::<Result<_, Refusal>>()?,
            roll_days: Patched::of(roll, self.no_roll),
            retired: self.no_retired.then_some(false),
        })
    }
}

pub(super) fn retire(call: &mut Call<'_>, text: &str) -> Done {
    let resource = call.resource(text)?.id;
    change(call, (resource, ResourcePatch { retired: Some(true), ..ResourcePatch::default() }), Trial::default())
}

fn change(call: &mut Call<'_>, (resource, patch): (ResourceId, ResourcePatch), trial: Trial) -> Done {
    let done = trial.run(call, ChangeResource { resource, patch })?;
    trial.answer(call, changed(&resource::resource(&done.before).json, resource::resource(&done.after)))
}
