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
    #[arg(long, value_name = "RESOURCES", conflicts_with_all = ["kind", "within", "conditions", "first"])]
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
            let window = times::slot(&self.from, &self.until, call.now_in(call.out.zone))?;
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
        let window = times::slot(&self.from, &self.until, call.now_in(call.out.zone))?;
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
    let mut out: Vec<Resource> = Vec::new();
    for text in texts {
        let mut parts: Vec<&str> = text.split(',').collect();
        while !parts.is_empty() {
            let (resource, taken) = longest(call, &parts)?;
            out.extend(resource);
            parts.drain(..taken);
        }
    }
    let first = out.first().ok_or(Refusal::NothingChosen)?;
    call.out.zone = first.zone();
    Ok(out.into_iter().map(|one| one.id).collect())
}

/// The resource named by the most of the first parts, since a name may have commas itself, and how many parts it
/// took; none for an empty part.
fn longest(call: &mut Call<'_>, parts: &[&str]) -> Result<(Option<Resource>, usize), Stop> {
    let Some(first) = parts.first().map(|part| part.trim()) else {
        return Ok((None, 0));
    };
    for taken in (2..=parts.len()).rev() {
        let name = parts
            .iter()
            .take(taken)
            .copied()
            .collect::<Vec<_>>()
            .join(",");
        if let Ok(resource) = call.resource(&name) {
            return Ok((Some(resource), taken));
        }
    }
    if first.is_empty() {
        return Ok((None, 1));
    }
    Ok((Some(call.resource(first)?), 1))
}
