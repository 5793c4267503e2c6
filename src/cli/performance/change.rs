//! Performance, as it was entered: mended, retired, and brought back.

use clap::Args;

use crate::cli::answers::{changed, performance};
use crate::cli::call::{Call, Done, Trial};
use crate::cli::stop::Stop;
use crate::cli::{times, values};
use crate::domain::refusal::Refusal;
use crate::domain::typed;
use crate::engine::ops::{ChangePerformance, ChangePerformances, NamedPrice, PerformancePatch, PriceName};
use crate::engine::reads::catalog::{PerformanceView, ReadPerformance, ReadRun};

/// Performances that are changed in one act, all or none.
#[derive(Debug, Args)]
struct Several {
    /// Id, end of an id, or title; several are changed in one act, all or none, with starts and ends as the first one's
    #[arg(required_unless_present = "all_of", num_args = 1..)]
    performance: Vec<String>,
    /// All of a title that are to come
    #[arg(long, value_name = "TITLE")]
    all_of: Option<String>,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct Retire {
    #[command(flatten)]
    several: Several,
    #[command(flatten)]
    trial: Trial,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct ChangePerformanceArgs {
    #[command(flatten)]
    several: Several,
    /// Another title
    #[arg(long)]
    title: Option<String>,
    /// Another text about it
    #[arg(long)]
    description: Option<String>,
    /// No text about it
    #[arg(long, conflicts_with = "description")]
    no_description: bool,
    /// Another start, while nobody has seats; after that, postpone it
    #[arg(long, value_name = "TIME")]
    start: Option<String>,
    /// Another end, while the hall is free (default: as long after the start as before)
    #[arg(long, value_name = "TIME")]
    end: Option<String>,
    /// A price that is added, or replaces the one for the same category and type: "Category I/Child=27.00"; may come
    /// several times
    #[arg(long, allow_hyphen_values = true)]
    price: Vec<String>,
    /// The price list that prices it anew by its start, but for what --price names
    #[arg(long, value_name = "LIST", conflicts_with = "no_price")]
    prices: Option<String>,
    /// A price that goes: "Category I/Child", "*/Child" or "*"; may come several times
    #[arg(long, value_name = "PRICE")]
    no_price: Vec<String>,
    /// Another number of places of standing room: "Floor=250"; may come several times
    #[arg(long, value_name = "AREA=PLACES")]
    capacity: Vec<String>,
    /// Another currency, with all prices in it, while nobody has seats
    #[arg(long)]
    currency: Option<String>,
    /// Back into all lists
    #[arg(long)]
    no_retired: bool,
    #[command(flatten)]
    trial: Trial,
}

impl ChangePerformanceArgs {
    pub(super) fn run(&self, call: &mut Call<'_>) -> Done {
        let views = self.several.views(call)?;
        let first = views.first().ok_or(Refusal::NothingChosen)?;
        let patch = self.patch(call, first)?;
        if patch == PerformancePatch::default() {
            return Err(Refusal::NothingChosen.into());
        }
        change(call, &views, (patch, self.trial))
    }

    fn patch(&self, call: &Call<'_>, view: &PerformanceView) -> Result<PerformancePatch, Refusal> {
        let here = call.now_in(view.theater.time_zone);
        let currency = values::some(self.currency.as_ref(), values::currency)?;
        let (plan, in_currency) = (&view.seating.plan, currency.unwrap_or(view.performance.currency));
        let start = times::some_moment("start", self.start.as_ref(), here)?;
        let from = start.unwrap_or(view.performance.start);
        let prices = self.price.iter().map(|text| NamedPrice::read(text, in_currency, plan));
        let no_price = |text: &String| {
            let NamedPrice { category, ticket_type, .. } = NamedPrice::read(&format!("{text}=0"), in_currency, plan)?;
            Ok(PriceName { category, ticket_type })
        };
        Ok(PerformancePatch {
            title: self.title.clone(),
            description: self.description.clone().or_else(|| self.no_description.then(String::new)),
            start,
            end: values::some(self.end.as_ref(), |text| times::end("end", text, (from, here)))?,
            currency,
            capacity: self.capacity.iter().map(|text| typed::places("capacity", text)).collect::<Result<_, _>>()?,
            prices: prices.collect::<Result<_, Refusal>>()?,
            list: self.prices.clone(),
            no_prices: self.no_price.iter().map(no_price).collect::<Result<_, Refusal>>()?,
            retired: self.no_retired.then_some(false),
        })
    }
}

impl Retire {
    pub(super) fn run(&self, call: &mut Call<'_>) -> Done {
        let views = self.several.views(call)?;
        let patch = PerformancePatch { retired: Some(true), ..PerformancePatch::default() };
        change(call, &views, (patch, self.trial))
    }
}

impl Several {
    /// Those that are named, in their order, then those of the run.
    fn views(&self, call: &mut Call<'_>) -> Result<Vec<PerformanceView>, Stop> {
        let mut ids = Vec::new();
        if let Some(title) = &self.all_of {
            let run = call.read(ReadRun { title: title.clone(), theater: None })?;
            if run.is_empty() {
                return Err(Refusal::not_found("performance to come", title).into());
            }
            ids.extend(run.iter().map(|(night, ..)| night.id));
        }
        for (place, text) in self.performance.iter().enumerate() {
            let id = call.performance_id(text)?;
            ids.retain(|known| *known != id);
            ids.insert(place.min(ids.len()), id);
        }
        ids.into_iter().map(|id| call.read(ReadPerformance(id))).collect()
    }
}

/// Changes the first by a patch, and the others alike.
fn change(call: &mut Call<'_>, views: &[PerformanceView], (patch, trial): (PerformancePatch, Trial)) -> Done {
    let Some((first, others)) = views.split_first() else { return Err(Refusal::NothingChosen.into()) };
    call.out.zone = first.theater.time_zone;
    let done = if others.is_empty() {
        vec![trial.run(call, ChangePerformance { performance: first.performance.id, patch })?]
    } else {
        let others: Vec<_> = others.iter().map(|view| (&view.performance, view.theater.time_zone)).collect();
        trial.run(call, ChangePerformances::alike(&patch, &first.performance, &others))?
    };
    let mut each = Vec::new();
    for one in done {
        let view = call.read(ReadPerformance(one.after.id))?;
        let told =
            |performance| performance::performance(&PerformanceView { performance, ..view.clone() }, call.present());
        each.push((told(one.before).json, told(one.after)));
    }
    trial.answer(call, changed::performances(each))
}
