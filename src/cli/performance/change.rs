//! Performance, as it was entered: mended, retired, and brought back.

use clap::Args;

use crate::cli::answers::{changed::changed, performance};
use crate::cli::call::{Call, Done, Trial};
use crate::cli::performance::One;
use crate::cli::{times, values};
use crate::domain::ids::PerformanceId;
use crate::domain::refusal::Refusal;
use crate::domain::typed;
use crate::engine::ops::{ChangePerformance, NamedPrice, PerformancePatch, PriceName};
use crate::engine::reads::catalog::{PerformanceView, ReadPerformance};

#[derive(Debug, Args)]
pub(in crate::cli) struct Change {
    #[command(flatten)]
    one: One,
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

impl Change {
    pub(super) fn run(&self, call: &mut Call<'_>) -> Done {
        let view = call.performance(&self.one.performance)?;
        let patch = self.patch(call, &view)?;
        if patch == PerformancePatch::default() {
            return Err(Refusal::NothingChosen.into());
        }
        change(call, (view.performance.id, patch), self.trial)
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

pub(super) fn retire(call: &mut Call<'_>, one: &One) -> Done {
    let id = call.performance_id(&one.performance)?;
    change(call, (id, PerformancePatch { retired: Some(true), ..PerformancePatch::default() }), Trial::default())
}

fn change(call: &mut Call<'_>, (performance, patch): (PerformanceId, PerformancePatch), trial: Trial) -> Done {
    let done = trial.run(call, ChangePerformance { performance, patch })?;
    let view = call.read(ReadPerformance(performance))?;
    let told = |performance| performance::performance(&PerformanceView { performance, ..view.clone() }, call.present());
    trial.answer(call, changed(&told(done.before).json, told(done.after)))
}
