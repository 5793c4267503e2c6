//! Finds free time of resources in a window, and anything by words.

use chrono_tz::Tz;
use clap::Args;

use crate::cli::answers::free::SlotWall;
use crate::cli::answers::{self, free};
use crate::cli::call::{Call, Done};
use crate::cli::resource::filter;
use crate::cli::settings::note_closed;
use crate::cli::stop::Stop;
use crate::cli::{times, values};
use crate::domain::refusal::Refusal;
use crate::domain::resource::{Count, Resource, ResourceId};
use crate::domain::time::{Slot, Span, Wall};
use crate::engine::reads::find::ReadFind;
use crate::engine::reads::free_time::{FreeResource, ReadCommonSlots, ReadFirstFree, ReadFree};
use crate::engine::reads::resources::{ReadResources, ResourceFilter};

/// Find free time in a window, or anything by words
#[derive(Debug, Args)]
pub(super) struct Find {
    /// A number of units of counted resources: 40, "40 chairs"
    #[arg(long, conflicts_with_all = ["all", "first", "text"])]
    count: Option<String>,
    /// Only of this kind
    #[arg(long)]
    kind: Option<String>,
    /// Only parts of this one: rooms of a hotel
    #[arg(long = "in", value_name = "RESOURCE")]
    within: Option<String>,
    /// Only those with these properties: guests>=3; may come several times
    #[arg(long = "where", value_name = "CONDITION")]
    conditions: Vec<String>,
    /// From a time, or the date of arrival
    #[arg(long, value_name = "TIME", required_unless_present = "text")]
    from: Option<String>,
    /// Until a time, or the date of departure
    #[arg(long, value_name = "TIME", required_unless_present = "text")]
    until: Option<String>,
    /// For how long (default: all of that time)
    #[arg(long = "for", value_name = "TIME", allow_hyphen_values = true)]
    length: Option<String>,
    /// Times at which all of these are free at once: ids or names, parted by commas
    #[arg(long, value_name = "RESOURCES", conflicts_with_all = ["kind", "within", "conditions", "first"])]
    all: Vec<String>,
    /// The local time of the window (default: that of each resource)
    #[arg(long, value_name = "ZONE")]
    time_zone: Option<String>,
    /// Only the first free time
    #[arg(long, requires = "length")]
    first: bool,
    /// Anything by words, as / does: customer, phone, booking, room, performance and day, receipt
    #[arg(long, value_name = "WORDS", conflicts_with_all = ["kind", "within", "conditions", "from", "until", "length", "all"])]
    text: Option<String>,
}

impl Find {
    pub(super) fn run(&self, call: &mut Call<'_>) -> Done {
        if let Some(text) = &self.text {
            let hits = call.read(ReadFind { text: text.clone(), performance: None, zone: call.out.zone })?;
            return call.answer(&answers::find::list(&hits));
        }
        let span = values::some(self.length.as_ref(), |text| values::span("for", text))?;
        let said = values::some(self.time_zone.as_ref(), values::zone)?;
        if !self.all.is_empty() {
            return self.common(call, (span, said));
        }
        let count =
            values::some(self.count.as_ref(), |text| Count::parse(text).map_err(|error| values::bad("count", error)))?;
        let count = count.map(|(number, _)| number);
        let conditions = (self.within.as_deref(), self.conditions.as_slice());
        let filter = filter(call, self.kind.as_deref(), conditions)?;
        let resources = call.read(ReadResources(filter.clone()))?;
        let zones = zones(&resources);
        note_closed(call, self.window(call, said.unwrap_or(call.out.zone))?);
        let mut found: Vec<FreeResource> = Vec::new();
        for zone in &zones {
            let window = self.window(call, said.unwrap_or(*zone))?;
            let filter = ResourceFilter { zone: Some(*zone), ..filter.clone() };
            found.extend(match span.filter(|_| self.first) {
                Some(span) => {
                    let here = call.read(ReadResources(filter))?;
                    first(call, &here, (span, window))?
                }
                None => call.read(ReadFree { filter, window, span, count })?,
            });
        }
        if self.first {
            found.sort_by_key(|free| free.slots.first().map(Slot::from));
            found.truncate(1);
        } else {
            let place = |free: &FreeResource| resources.iter().position(|one| one.id == free.resource.id);
            found.sort_by_key(place);
        }
        let named = said.is_some() || zones.len() > 1;
        let found = found.into_iter().map(|free| {
            let wall = Wall::from(free.resource.grid);
            let zone = said.unwrap_or(wall.zone);
            let wall = Wall { zone, ..wall };
            (free, SlotWall { wall, named })
        });
        call.answer(&free::resources(&found.collect::<Vec<_>>()))
    }

    fn window(&self, call: &Call<'_>, zone: Tz) -> Result<Slot, Refusal> {
        let said = |time: &Option<String>| time.clone().unwrap_or_default();
        times::slot(&said(&self.from), &said(&self.until), call.now_in(zone))
    }

    /// Finds times at which all of the resources are free, each within its own window.
    fn common(&self, call: &mut Call<'_>, (span, said): (Option<Span>, Option<Tz>)) -> Done {
        let resources = resources_named(call, &self.all)?;
        let ids = resources.iter().map(|one| one.id.clone()).collect();
        let zones = zones(&resources);
        let zone = said.unwrap_or(call.out.zone);
        let mut window = self.window(call, zone)?;
        for other in zones.iter().filter(|_| said.is_none()) {
            let here = self.window(call, *other)?;
            window = window.meet(&here).ok_or_else(|| {
                let problem = "they are in several time zones that share no such time; say --time-zone";
                values::bad("until", problem)
            })?;
        }
        let slots =
            call.read(ReadCommonSlots { resources: ids, span: span.unwrap_or_else(|| window.span()), window })?;
        let named = said.is_some() || zones.len() > 1;
        call.answer(&free::common(&slots, SlotWall { wall: Wall { zone, ..call.out.wall() }, named }))
    }
}

/// The time zones of resources, each once.
fn zones(resources: &[Resource]) -> Vec<Tz> {
    let mut zones: Vec<Tz> = Vec::new();
    for one in resources {
        if !zones.contains(&one.zone()) {
            zones.push(one.zone());
        }
    }
    zones
}

fn first(call: &Call<'_>, resources: &[Resource], (span, window): (Span, Slot)) -> Result<Vec<FreeResource>, Stop> {
    let first =
        call.read(ReadFirstFree { resources: resources.iter().map(|one| one.id.clone()).collect(), span, window })?;
    let found = first.and_then(|free| {
        let resource = resources.iter().find(|one| one.id == free.resource)?;
        Some(FreeResource { resource: resource.clone(), slots: vec![free.slot] })
    });
    Ok(found.into_iter().collect())
}

/// Ids of resources by what was typed; times are the first one's local ones.
pub(super) fn named(call: &mut Call<'_>, texts: &[String]) -> Result<Vec<ResourceId>, Stop> {
    Ok(resources_named(call, texts)?.into_iter().map(|one| one.id).collect())
}

/// Resources by what was typed; times are the first one's local ones.
pub(super) fn resources_named(call: &mut Call<'_>, texts: &[String]) -> Result<Vec<Resource>, Stop> {
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
    call.out.tell_by(first.grid);
    Ok(out)
}

/// Finds the resource named by the longest run of first parts (a name may contain commas), and the number of parts
/// used; none for an empty part.
fn longest(call: &mut Call<'_>, parts: &[&str]) -> Result<(Option<Resource>, usize), Stop> {
    let Some(first) = parts.first().map(|part| part.trim()) else {
        return Ok((None, 0));
    };
    for taken in (2..=parts.len()).rev() {
        let name = parts.iter().take(taken).copied().collect::<Vec<_>>().join(",");
        if let Ok(resource) = call.resource(&name) {
            return Ok((Some(resource), taken));
        }
    }
    if first.is_empty() {
        return Ok((None, 1));
    }
    Ok((Some(call.resource(first)?), 1))
}
