//! What is free: resources for a window, a time that all of some have, the first of any.

use clap::Args;

use crate::cli::answers::free::{FreeAnswer, FreeList, SlotAnswer, SlotList};
use crate::cli::call::{Call, Done};
use crate::cli::resource::filter;
use crate::cli::stop::Stop;
use crate::cli::{times, values};
use crate::domain::refusal::Refusal;
use crate::domain::resource::{Resource, ResourceId};
use crate::domain::time::{Slot, Span};
use crate::engine::reads::free_time::{FreeResource, ReadCommonSlots, ReadFirstFree, ReadFree};
use crate::engine::reads::resources::ReadResources;

/// What is free.
#[derive(Debug, Args)]
pub(super) struct Find {
    /// Only of this kind
    #[arg(long)]
    kind: Option<String>,
    /// Only parts of this one: rooms of a hotel
    #[arg(long = "in", value_name = "RESOURCE")]
    within: Option<String>,
    /// Only those whose properties are so: guests>=3; may come several times
    #[arg(long = "where", value_name = "CONDITION")]
    conditions: Vec<String>,
    /// From a time, or the date of arrival
    #[arg(long, value_name = "TIME")]
    from: String,
    /// Until a time, or the date of departure
    #[arg(long, value_name = "TIME")]
    until: String,
    /// For how long; all of that time unless said
    #[arg(long = "for", value_name = "TIME", allow_hyphen_values = true)]
    length: Option<String>,
    /// When all of these are free at once: ids or names, parted by commas
    #[arg(long, value_name = "RESOURCES", value_delimiter = ',', conflicts_with_all = ["kind", "within", "conditions", "first"])]
    all: Vec<String>,
    /// Only the first time at which any of them is
    #[arg(long, requires = "length")]
    first: bool,
}

impl Find {
    pub(super) fn run(&self, call: &mut Call<'_>) -> Done {
        let length = self.length.as_deref();
        let span = length.map(|text| values::span("for", text)).transpose()?;
        if !self.all.is_empty() {
            let resources = named(call, &self.all)?;
            let window = times::slot(&self.from, &self.until, call.out.zone)?;
            let span = span.unwrap_or_else(|| window.span());
            let slots = call.read(ReadCommonSlots {
                resources,
                span,
                window,
            })?;
            let zone = call.out.zone;
            let slots = slots.into_iter().map(|slot| SlotAnswer::new(slot, zone));
            return call.answer(&SlotList(slots.collect()));
        }
        let conditions = (self.within.as_deref(), self.conditions.as_slice());
        let filter = filter(call, self.kind.as_deref(), conditions)?;
        let resources = call.read(ReadResources(filter.clone()))?;
        // times are those of the resources that are meant
        if let Some(first) = resources.first() {
            call.out.zone = first.zone();
        }
        let window = times::slot(&self.from, &self.until, call.out.zone)?;
        let found = match span.filter(|_| self.first) {
            Some(span) => first(call, &resources, (span, window))?,
            None => call.read(ReadFree {
                filter,
                window,
                span,
            })?,
        };
        call.answer(&FreeList(found.iter().map(FreeAnswer::new).collect()))
    }
}

fn first(
    call: &Call<'_>,
    resources: &[Resource],
    (span, window): (Span, Slot),
) -> Result<Vec<FreeResource>, Stop> {
    let first = call.read(ReadFirstFree {
        resources: resources.iter().map(|one| one.id.clone()).collect(),
        span,
        window,
    })?;
    let found = first.and_then(|free| {
        let resource = resources.iter().find(|one| one.id == free.resource)?;
        Some(FreeResource {
            resource: resource.clone(),
            slots: vec![free.slot],
        })
    });
    Ok(found.into_iter().collect())
}

/// Resources by what was typed; times are the first one's local ones.
///
/// # Errors
/// None was named, or one that is not there.
pub(super) fn named(call: &mut Call<'_>, texts: &[String]) -> Result<Vec<ResourceId>, Stop> {
    let mut out = Vec::new();
    let mut zone = None;
    let texts = texts.iter().flat_map(|text| text.split(',')).map(str::trim);
    for text in texts.filter(|text| !text.is_empty()) {
        out.push(call.resource(text)?.id);
        zone.get_or_insert(call.out.zone);
    }
    if let Some(zone) = zone {
        call.out.zone = zone;
        Ok(out)
    } else {
        Err(Refusal::NothingChosen.into())
    }
}
