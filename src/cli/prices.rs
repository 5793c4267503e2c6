//! Price lists: rules in their order, and what a time would cost by them.

use chrono_tz::Tz;
use clap::{Args, Subcommand};
use serde_json::{Value, json};

use crate::cli::answers::cart::part_json;
use crate::cli::answers::object;
use crate::cli::call::{Call, Done, Trial};
use crate::cli::out::Rendered;
use crate::cli::{times, values};
use crate::domain::house::Settings;
use crate::domain::money::{amount, priced};
use crate::domain::prices::PriceRule;
use crate::domain::refusal::Refusal;
use crate::domain::time::Instant;
use crate::domain::typed;
use crate::engine::ops::{ApplyPrices, NamedOfPrices, PricedNight, PricesChanged, RenamePrices, SetPrices};
use crate::engine::reads::prices::{ExplainedPart, ReadPrice, WorkedPrice};
use crate::words;

#[derive(Debug, Subcommand)]
pub(super) enum PricesVerb {
    /// Set the rules of a list, in their order: the first that fits a segment prices it
    Set(Set),
    /// Take a list away that nothing is priced by
    Remove {
        /// The list
        list: String,
        #[command(flatten)]
        trial: Trial,
    },
    /// Price the performances to come of a list by its rules as they are now; those that somebody has seats of stay
    Apply {
        /// The list
        list: String,
        #[command(flatten)]
        trial: Trial,
    },
    /// Give a list another name, or a ticket type; what is held or sold keeps its words
    Rename(Rename),
    /// Lists and their rules, in their order
    Show {
        /// Only this list
        list: Option<String>,
    },
    /// Price of a time, part by part, with the rule of each
    Explain(Explain),
}

#[derive(Debug, Args)]
pub(super) struct Set {
    /// The list; `resource change R --prices LIST` prices a resource by it
    list: String,
    /// A rule: "Weekend, Fri-Sun: EUR 14.00, USD 16.00". Conditions: Fri-Sun, 2027-06-01..2027-08-31, 18:00-02:00, for
    /// RESOURCE or KIND, by PROPERTY (the price times that number)
    #[arg(required = true)]
    rules: Vec<String>,
    #[command(flatten)]
    trial: Trial,
}

#[derive(Debug, Args)]
pub(super) struct Rename {
    /// The list, or the ticket type
    from: String,
    /// Its new name
    to: String,
    /// FROM is a ticket type
    #[arg(long)]
    ticket_type: bool,
    #[command(flatten)]
    trial: Trial,
}

#[derive(Debug, Args)]
pub(super) struct Explain {
    /// The resource: id or name
    resource: String,
    /// Start
    #[arg(long, value_name = "TIME")]
    from: String,
    /// End
    #[arg(long, value_name = "TIME")]
    until: String,
    /// The cart's currency (default: the house's, or the first of the rule)
    #[arg(long, value_name = "CODE")]
    currency: Option<String>,
}

impl PricesVerb {
    pub(super) fn run(&self, call: &mut Call<'_>) -> Done {
        match self {
            Self::Set(set) => {
                let rules = set.rules.iter().map(|text| text.parse().map_err(|error| values::bad("rule", error)));
                let rules: Vec<PriceRule> = rules.collect::<Result<_, Refusal>>()?;
                let settings = set.trial.run(call, SetPrices { list: set.list.clone(), rules })?;
                set.trial.answer(call, lists(&settings, Some(&set.list)))
            }
            Self::Remove { list, trial } => {
                let settings = trial.run(call, SetPrices { list: list.clone(), rules: Vec::new() })?;
                trial.answer(call, lists(&settings, None))
            }
            Self::Apply { list, trial } => {
                let done = trial.run(call, ApplyPrices { list: list.clone() })?;
                trial.answer(call, changed(&done, call.desk.now()))
            }
            Self::Rename(Rename { from, to, ticket_type, trial }) => {
                let what = if *ticket_type { NamedOfPrices::TicketType } else { NamedOfPrices::List };
                let done = trial.run(call, RenamePrices { what, from: from.clone(), to: to.clone() })?;
                trial.answer(call, changed(&done, call.desk.now()))
            }
            Self::Show { list } => {
                if let Some(list) = list.as_ref().filter(|list| !call.settings.prices.contains_key(list.trim())) {
                    return Err(Refusal::none_of("price list", list, call.settings.prices.keys()).into());
                }
                let answer = lists(&call.settings, list.as_deref());
                call.answer(&answer)
            }
            Self::Explain(explain) => explain.run(call),
        }
    }
}

impl Explain {
    fn run(&self, call: &mut Call<'_>) -> Done {
        let resource = call.resource(&self.resource)?;
        let slot = times::slot(&self.from, &self.until, call.now_in(resource.zone()))?;
        let currency = values::some(self.currency.as_ref(), typed::currency)?;
        let worked = call.read(ReadPrice { resource: resource.id.clone(), slot, currency })?;
        let wall = resource.grid.into();
        let part = |one: &ExplainedPart| {
            let also = if one.also.is_empty() {
                String::new()
            } else {
                format!(" ({} fits too, and comes later)", one.also.join(", "))
            };
            format!("{}{also}", words::prices::part(&one.part, wall, worked.currency))
        };
        let lines = worked.parts.iter().map(part);
        let total = format!("{} costs {}", resource.name, priced(worked.total, worked.currency));
        let people: Vec<String> = lines.chain([total]).collect();
        call.answer(&Rendered::new(explained(&worked, resource.zone()), people.join("\n")))
    }
}

fn changed(done: &PricesChanged, now: Instant) -> Rendered {
    let night = |one: &PricedNight| object!(one { title; in one.zone; start }, "id": one.performance);
    let nights = |all: &[PricedNight]| all.iter().map(night).collect::<Vec<_>>();
    let json = object! {
        ? "lists": done.lists,
        ? "settings": done.settings,
        ? "resources": done.resources,
        "performances": nights(&done.nights),
        "kept": nights(&done.kept),
    };
    Rendered::new(json, words::prices::changed(done, now).join("\n"))
}

fn explained(worked: &WorkedPrice, zone: Tz) -> Value {
    let part = |one: &ExplainedPart| object!(..part_json(&one.part, zone, worked.currency), "also": one.also);
    json!({
        "currency": worked.currency,
        "total": amount(worked.total, worked.currency),
        "parts": worked.parts.iter().map(part).collect::<Vec<_>>(),
    })
}

fn lists(settings: &Settings, only: Option<&str>) -> Rendered {
    let lists = settings.prices.iter().filter(|(list, _)| only.is_none_or(|only| only.trim() == list.as_str()));
    let lists: Vec<(&String, &Vec<PriceRule>)> = lists.collect();
    let json: Vec<Value> = lists.iter().map(|(list, rules)| json!({ "list": list, "rules": rules })).collect();
    let people = lists.iter().map(|(list, rules)| {
        let rules: Vec<String> = rules.iter().map(|rule| format!("  {rule}")).collect();
        format!("{list}\n{}", rules.join("\n"))
    });
    let people: Vec<String> = people.collect();
    let none =
        "No price list yet. Set one: willcall prices set Weekend \"Weekend, Fri-Sun: EUR 14.00\" \"Base: EUR 10.00\"";
    Rendered::new(json, if people.is_empty() { none.to_owned() } else { people.join("\n") })
}
