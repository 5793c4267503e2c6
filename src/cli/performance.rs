//! Performances: opened, listed, looked at and canceled.

use clap::{Args, Subcommand};

use crate::cli::answers::{performance, seats};
use crate::cli::calendar::past;
use crate::cli::call::{Call, Done};
use crate::cli::out::AsCsv;
use crate::cli::times::Window;
use crate::cli::worklist::displaced;
use crate::cli::{times, values};
use crate::domain::performance::PerformanceState;
use crate::domain::refusal::Refusal;
use crate::engine::ops::{AddPerformance, CancelPerformance, NamedPrice};
use crate::engine::reads::catalog::{ReadPerformance, ReadTheater};
use crate::engine::reads::customers::{ReadDoor, ReadPerformanceCustomers};
use crate::engine::reads::seat_map::ReadSeatMap;
use crate::engine::reads::tonight::ReadPerformances;
use crate::words;

mod change;
mod keeping;
mod out_of_use;
mod postpone;
mod settle;
mod several;

#[derive(Debug, Subcommand)]
pub(super) enum PerformanceVerb {
    /// Open a performance: its seats can be sold from now on
    Add(AddPerformanceArgs),
    /// Open performances like one, with its prices and kept seats, at other starts
    Copy(several::Copy),
    /// Change what was entered: title, description, times, prices. What is held or sold keeps its price
    Change(Box<change::ChangePerformanceArgs>),
    /// Take those that nobody has seats of out of all lists; their history stays
    Retire(change::Retire),
    /// Performances by start
    List {
        #[command(flatten)]
        start: Window,
        /// Only those after this one
        #[arg(long, value_name = "ID")]
        after: Option<String>,
        /// Those that were retired
        #[arg(long)]
        retired: bool,
        #[command(flatten)]
        csv: AsCsv,
    },
    /// One performance with its prices and holds
    Show(OnePerformance),
    /// Every seat of a performance
    Seats {
        #[command(flatten)]
        one: OnePerformance,
        #[command(flatten)]
        csv: AsCsv,
    },
    /// The customers of a performance, by name: those to call when it moves or is canceled
    Customers {
        #[command(flatten)]
        one: OnePerformance,
        #[command(flatten)]
        csv: AsCsv,
    },
    /// Customers who may come for tickets, by last name: seats, types, what is owed, and whether the tickets still wait
    Door {
        #[command(flatten)]
        one: OnePerformance,
        #[command(flatten)]
        csv: AsCsv,
    },
    /// Move a performance to another start: seats stay, the hall and what is due before it move along
    Postpone(postpone::Postpone),
    /// Cancel a performance: holds and reservations end, and what was sold goes to the worklist
    Cancel {
        #[command(flatten)]
        one: OnePerformance,
        /// Why
        #[arg(long, value_name = "TEXT")]
        reason: String,
    },
    /// Give back what was paid for a canceled performance, order by order
    Settle(settle::Settle),
    /// Keep seats for the house until a time
    Keep(keeping::Keep),
    /// Put kept seats on sale
    Unkeep(keeping::Unkeep),
    /// Take seats out of use, sold or not
    Disable(out_of_use::Disable),
    /// Put seats back into use
    Enable(out_of_use::Enable),
}

#[derive(Debug, Args)]
pub(super) struct AddPerformanceArgs {
    /// The theater: id, end of an id, or name
    #[arg(long)]
    theater: String,
    /// The title
    #[arg(long)]
    title: String,
    /// More about it
    #[arg(long, default_value = "")]
    description: String,
    /// Start in the theater's local time: 2026-12-01T19:30
    #[arg(long, value_name = "TIME")]
    start: String,
    /// End in the theater's local time
    #[arg(long, value_name = "TIME")]
    end: String,
    /// A price: 10.00, "Category I=54.00", "Category I/Child=27.00" or "*/Child=5.00"; may come several times
    #[arg(long, required_unless_present = "prices", allow_hyphen_values = true)]
    price: Vec<String>,
    /// The price list that prices it by its start, but for what --price names
    #[arg(long, value_name = "LIST")]
    prices: Option<String>,
    /// The currency of its prices (default: the house's)
    #[arg(long)]
    currency: Option<String>,
    /// Also in the past, as a record: its seats are not sold any more
    #[arg(long)]
    past: bool,
    #[command(flatten)]
    dates: several::Dates,
}

#[derive(Debug, Args)]
pub(super) struct OnePerformance {
    /// Id, end of an id, or title
    performance: String,
}

impl PerformanceVerb {
    pub(super) fn run(&self, call: &mut Call<'_>) -> Done {
        match self {
            Self::Add(add) => add.run(call),
            Self::Copy(copy) => copy.run(call),
            Self::Change(change) => change.run(call),
            Self::Retire(retire) => retire.run(call),
            Self::List { start, after, retired, csv } => {
                csv.choose(call.out);
                let (from, before) = start.bounds(call.now_in(call.settings.time_zone))?;
                let (after, listed) =
                    (values::some(after.as_ref(), |text| call.named(text))?, values::listed(*retired));
                let rows = call.pages(after, |after| ReadPerformances { from, before, after, listed }, |row| row.id)?;
                call.answer(&performance::list(&rows, listed))
            }
            Self::Show(one) => one.show(call),
            Self::Seats { one, csv } => one.seats(call, csv),
            Self::Customers { one, csv } => one.customers(call, csv),
            Self::Door { one, csv } => one.door(call, csv),
            Self::Postpone(postpone) => postpone.run(call),
            Self::Cancel { one, reason } => one.cancel(call, reason),
            Self::Settle(settle) => settle.run(call),
            Self::Keep(keep) => keep.run(call),
            Self::Unkeep(unkeep) => unkeep.run(call),
            Self::Disable(disable) => disable.run(call),
            Self::Enable(enable) => enable.run(call),
        }
    }
}

impl AddPerformanceArgs {
    fn run(&self, call: &mut Call<'_>) -> Done {
        let theater = call.theater(&self.theater)?;
        let (_, house) = call.read(ReadTheater(theater.id))?;
        let said = values::some(self.currency.as_ref(), values::currency)?;
        let currency = said.unwrap_or(call.settings.currency);
        let price = |text: &String| NamedPrice::read(text, currency, &house.plan);
        let here = call.now_in(theater.time_zone);
        let start = times::moment("start", &self.start, here)?;
        let prices: Result<Vec<NamedPrice>, Refusal> = self.price.iter().map(price).collect();
        let add = AddPerformance {
            theater: theater.id,
            title: self.title.clone(),
            description: self.description.clone(),
            start,
            end: times::end("end", &self.end, (start, here))?,
            currency: said,
            prices: prices?,
            list: self.prices.clone(),
            past: past(self.past),
        };
        if !self.dates.is_one() {
            return self.dates.run(call, add, &theater);
        }
        let opened = call.run(add)?;
        let view = call.read(ReadPerformance(opened.performance.id))?;
        if !opened.lacking.is_empty() {
            call.out.note(&format!(
                "These broken seats of {} are not in its plan: {}.",
                theater.name,
                opened.lacking.join(", ")
            ));
        }
        call.answer(&performance::with_lacking(&view, &opened.lacking, call.present()))
    }
}

impl OnePerformance {
    fn show(&self, call: &mut Call<'_>) -> Done {
        let view = call.performance(&self.performance)?;
        call.answer(&performance::performance(&view, call.present()))
    }

    fn seats(&self, call: &mut Call<'_>, csv: &AsCsv) -> Done {
        csv.choose(call.out);
        let view = call.performance(&self.performance)?;
        let map = call.read(ReadSeatMap(view.performance.id))?;
        call.answer(&seats::seats(&map, &view.seating.layout))
    }

    fn door(&self, call: &mut Call<'_>, csv: &AsCsv) -> Done {
        csv.choose(call.out);
        let performance = call.performance_id(&self.performance)?;
        let door = call.read(ReadDoor(performance))?;
        call.answer(&performance::door(&door))
    }

    fn customers(&self, call: &mut Call<'_>, csv: &AsCsv) -> Done {
        csv.choose(call.out);
        let performance = call.performance_id(&self.performance)?;
        let customers = call.read(ReadPerformanceCustomers(performance))?;
        call.answer(&performance::customers(&customers))
    }

    fn cancel(&self, call: &mut Call<'_>, reason: &str) -> Done {
        let before = call.performance(&self.performance)?;
        let (end, zone) = (before.performance.end, before.theater.time_zone);
        let note =
            words::was_over(end, call.now_in(zone)).filter(|_| before.performance.state == PerformanceState::Open);
        let canceled = call.run(CancelPerformance { performance: before.performance.id, reason: reason.to_owned() })?;
        let displaced = displaced(call, &canceled.displaced)?;
        let view = call.read(ReadPerformance(canceled.performance.id))?;
        let answer = performance::canceled(&view, (&displaced, &canceled.carts), call.present());
        call.answer(&answer.noted(note.as_deref()))
    }
}
