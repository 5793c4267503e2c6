//! A resource that is added or changed.

use std::borrow::Cow;

use crate::domain::money::{Currency, Price, amount, parse_amount};
use crate::domain::resource::{OpenHours, Policy, Resource};
use crate::domain::time::{Grid, Segment, Span};
use crate::engine::ops::{AddResource, ChangeResource, ResourcePatch};
use crate::engine::reads::catalog::ReadSettings;
use crate::tui::data::compound::ReadAllResources;
use crate::tui::data::msg::Query;
use crate::tui::data::reads::Needs;
use crate::tui::data::told;
use crate::tui::kit::context::Context;
use crate::tui::kit::dialog::Flow;
use crate::tui::kit::form::{Form, FormRow};
use crate::tui::kit::shared::Shared;
use crate::tui::kit::sheet::{FormSheet, Sent, form_of};
use crate::words;

const NAME: usize = 0;
const KIND: usize = 1;
const SEGMENT: usize = 2;
const HOURS: usize = 3;
const BEFORE: usize = 4;
const AFTER: usize = 5;
const PRICE: usize = 6;
const FACTS: usize = 7;
const LISTS: usize = 8;

/// A resource being added or changed.
#[derive(Debug)]
pub(super) struct ResourceForm {
    /// The resource as the form was filled with it; none for a new one.
    base: Option<Resource>,
    form: Form,
}

impl ResourceForm {
    /// For a new resource, or for one that changes.
    pub(super) fn new(base: Option<Resource>) -> Self {
        let labels = ["Name", "Kind", "Segment", "Open", "Before", "After", "Price", "Facts"];
        let texts = base.as_ref().map_or_else(Default::default, texts);
        let rows = labels.iter().zip(&texts).map(|(label, text)| FormRow::text(label, text));
        let lists = FormRow::Pick("In lists", &["shown", "retired"], 0);
        let mut form = Form::new(rows.chain([lists, FormRow::Button]).collect(), NAME);
        form.skip_unless(base.is_some(), LISTS);
        Self { base, form }
    }

    fn currency(&self, shared: &Shared) -> Currency {
        let own = self.base.as_ref().and_then(|base| base.price).map(|price| price.currency);
        let house = || shared.reads.get(&ReadSettings).map_or(Currency::EUR, |settings| settings.currency);
        own.unwrap_or_else(house)
    }

    /// The resource as the form has it; a new one has no id yet.
    fn edited(&self, shared: &Shared) -> Result<AddResource, (usize, String)> {
        let text = |row| self.form.clean(row);
        let told = |row, problem: String| (row, words::capital(&problem));
        let segment = read(&text(SEGMENT), segment).map_err(|problem| told(SEGMENT, problem))?;
        let hours = read(&text(HOURS), |text| OpenHours::parse(text).map_err(|error| error.to_string()));
        let hire = self.base.as_ref().is_some_and(Resource::is_hire);
        let around = |row| read(&text(row), span).map(Option::unwrap_or_default).map_err(|problem| told(row, problem));
        let currency = self.currency(shared);
        let price = read(&text(PRICE), |text| parse_amount(text, currency).map_err(|error| error.to_string()));
        let minor = price.map_err(|problem| told(PRICE, problem))?;
        let facts = self.form.text(FACTS);
        let facts = facts.split(';').map(str::trim).filter(|fact| !fact.is_empty());
        let properties = facts.map(|fact| {
            let pair = fact.split_once('=').map(|(name, value)| (name.trim().to_lowercase(), value.trim().to_owned()));
            pair.ok_or_else(|| (FACTS, format!("{fact:?} is no fact; write it like beds=2")))
        });
        let (zone, policy) =
            self.base.as_ref().map_or((shared.zone, Policy::OpenEnded), |base| (base.zone(), base.policy));
        Ok(AddResource {
            name: self.form.needed(NAME, "Type the name")?,
            kind: self.form.needed(KIND, "Type the kind: room, hall, car")?.to_lowercase(),
            parent: None,
            grid: Grid {
                zone,
                segment: segment.ok_or_else(|| (SEGMENT, "Type the segment: 30m, 1h, night".to_owned()))?,
            },
            policy,
            hours: hours.map_err(|problem| told(HOURS, problem))?.map(|hours| OpenHours { hire, ..hours }),
            before: around(BEFORE)?,
            after: around(AFTER)?,
            price: minor.filter(|minor| *minor > 0).map(|minor| Price { minor, currency }),
            prices: None,
            count: None,
            properties: properties.collect::<Result<_, _>>()?,
        })
    }
}

/// Reads a text, of which an empty one means nothing.
fn read<T>(text: &str, parse: impl FnOnce(&str) -> Result<T, String>) -> Result<Option<T>, String> {
    if text.is_empty() { Ok(None) } else { parse(text).map(Some) }
}

fn segment(text: &str) -> Result<Segment, String> {
    let minutes = match &*text.to_lowercase() {
        "night" | "day" => Some(Segment::DAY.minutes()),
        text => text.parse().ok().or_else(|| u32::try_from(Span::parse(text).ok()?.millis() / 60_000).ok()),
    };
    let minutes = minutes.ok_or_else(|| format!("{text:?} is no segment; write it like 30m, 1h or night"))?;
    Segment::of_minutes(minutes).map_err(|error| error.to_string())
}

fn span(text: &str) -> Result<Span, String> {
    if text == "0" { Ok(Span::default()) } else { Span::parse(text).map_err(|error| error.to_string()) }
}

/// Texts of a resource's fields, which read back as the same.
fn texts(one: &Resource) -> [String; 8] {
    let around = |span: Span| if span == Span::default() { String::new() } else { span.to_string() };
    let segment = one.grid.segment;
    let segment = if segment.is_day() { "night".to_owned() } else { format!("{}m", segment.minutes()) };
    let facts = one.properties.iter().map(|(name, value)| format!("{name}={value}"));
    [
        one.name.clone(),
        one.kind.clone(),
        segment,
        one.hours.map_or_else(String::new, |hours| hours.to_string()),
        around(one.before),
        around(one.after),
        one.price.map_or_else(String::new, |price| amount(price.minor, price.currency)),
        facts.collect::<Vec<_>>().join("; "),
    ]
}

/// Names of the fields that a patch changes.
fn resource_fields(patch: &ResourcePatch) -> Vec<&'static str> {
    let all = [
        (patch.name.is_some(), "name"),
        (patch.kind.is_some(), "kind"),
        (patch.time_zone.is_some(), "time zone"),
        (patch.segment.is_some(), "segment"),
        (!patch.hours.is_kept(), "open hours"),
        (patch.hire.is_some(), "hire"),
        (patch.before.is_some(), "time before"),
        (patch.after.is_some(), "time after"),
        (!patch.price.is_kept(), "price"),
        (!patch.properties.is_empty(), "facts"),
        (!patch.roll_days.is_kept(), "days kept open"),
    ];
    all.into_iter().filter(|(changes, _)| *changes).map(|(_, name)| name).collect()
}

/// Version of a resource with the fields of a form.
fn with(base: &Resource, fields: AddResource) -> Resource {
    let AddResource { name, kind, grid, hours, before, after, price, properties, .. } = fields;
    Resource { name, kind, grid, hours, before, after, price, properties, ..base.clone() }
}

impl FormSheet for ResourceForm {
    const SIZE: (u16, usize) = (74, 17);

    form_of!(form);

    fn title(&self, _shared: &Shared) -> String {
        let change = |base: &Resource| format!("Change   {}", base.name);
        self.base.as_ref().map_or_else(|| "New resource".to_owned(), change)
    }

    fn hints(&self, _shared: &Shared) -> Vec<(usize, Cow<'static, str>)> {
        [
            "needed",
            "room, hall, hotel-room, car, or any word",
            "30m, 1h, or night",
            "08:00-23:00; empty: always",
            "setup before each: 30m",
            "cleaning after each: 15m",
            "of one segment",
            "to search by: beds=2; view=sea",
            "",
        ]
        .into_iter()
        .enumerate()
        .map(|(row, hint)| (row, hint.into()))
        .collect()
    }

    fn does(&self) -> &'static str {
        if self.base.is_some() { "change it" } else { "add it" }
    }

    fn then(&self) -> &'static str {
        if self.base.is_some() {
            "What is booked or held keeps its time and its price."
        } else {
            "It can be booked from then on."
        }
    }

    fn operation(&self, shared: &Shared) -> Result<Sent, (usize, String)> {
        let fields = self.edited(shared)?;
        let Some(base) = &self.base else {
            return Ok(Sent::run(fields));
        };
        let edited = Resource { retired: self.form.picked(LISTS) == 1, ..with(base, fields) };
        let patch = ResourcePatch::between(base, &edited);
        if patch == ResourcePatch::default() {
            return Err((NAME, "Nothing has changed yet".to_owned()));
        }
        Ok(Sent::run(ChangeResource { resource: base.id.clone(), patch }))
    }

    fn needs(&self, _shared: &Shared, needs: &mut Needs) {
        needs.of(ReadSettings);
        if self.base.is_some() {
            needs.of(ReadAllResources);
        }
    }

    fn came(&mut self, question: &Query, context: &mut Context<'_>) -> Flow {
        if let (Query::Resources(of), Some(base), None) = (question, &self.base, self.form.asked)
            && let Some(list) = context.shared.reads.get(of)
        {
            let now = list.resources.iter().find(|one| one.id == base.id);
            self.form.note = now.and_then(|now| told::meanwhile(&resource_fields(&ResourcePatch::between(now, base))));
        }
        Flow::Stay
    }
}

#[cfg(test)]
mod tests {
    use super::segment;
    use crate::domain::time::Segment;

    #[test]
    fn a_segment_is_read_in_capitals_too() {
        assert_eq!(segment("Night"), Ok(Segment::DAY));
        assert_eq!(segment("30M"), segment("30m"));
    }
}
