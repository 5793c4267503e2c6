//! Conditions on resources as people type them.

use std::collections::BTreeSet;

use crate::cli::call::Call;
use crate::cli::stop::Stop;
use crate::cli::values;
use crate::domain::refusal::Refusal;
use crate::domain::resource::Resource;
use crate::engine::reads::resources::{Condition, PRICE, ReadResources, ResourceFilter};

pub(in crate::cli) fn filter(
    call: &mut Call<'_>,
    kind: Option<&str>,
    (within, conditions): (Option<&str>, &[String]),
) -> Result<ResourceFilter, Stop> {
    let within = within.map(|text| call.resource(text)).transpose()?;
    let properties = conditions.iter().map(|text| Condition::parse(text));
    let filter = ResourceFilter {
        kind: kind.map(|kind| kind.trim().to_lowercase()),
        within: within.map(|whole| whole.id),
        properties: properties.collect::<Result<_, Refusal>>()?,
        ..ResourceFilter::default()
    };
    if filter.kind.is_some() || !filter.properties.is_empty() {
        known(&filter, &call.read(ReadResources::default())?)?;
    }
    Ok(filter)
}

/// Checks that some resource has each kind and property of the filter.
fn known(filter: &ResourceFilter, all: &[Resource]) -> Result<(), Refusal> {
    let kinds: BTreeSet<&str> = all.iter().map(|one| one.kind.as_str()).collect();
    let mut names: BTreeSet<&str> = BTreeSet::new();
    for one in all {
        names.extend(one.properties.keys().map(String::as_str));
        names.extend(one.price.map(|_| PRICE));
    }
    let list = |words: BTreeSet<&str>| match words.into_iter().collect::<Vec<_>>().as_slice() {
        [] => "there is none yet".to_owned(),
        words => format!("there are {}", words.join(", ")),
    };
    if let Some(kind) = filter.kind.as_deref().filter(|kind| !kinds.contains(kind)) {
        let problem = format!("no resource is of kind {kind:?}; {}", list(kinds));
        return Err(values::bad("kind", problem));
    }
    let unknown = |one: &&Condition| !names.contains(one.name.as_str());
    if let Some(condition) = filter.properties.iter().find(unknown) {
        let problem = format!("no resource has {:?}; {}", condition.name, list(names));
        return Err(values::bad("where", problem));
    }
    Ok(())
}
