//! The till of this station: opened, moved cash in and out of, read, counted and closed.

use clap::{Args, Subcommand};

use crate::cli::answers::till;
use crate::cli::call::{Call, Done};
use crate::cli::day::Bounds;
use crate::cli::out::AsCsv;
use crate::cli::values;
use crate::domain::money::Price;
use crate::domain::refusal::{Problem, Refusal, Requirement, TillRefusal};
use crate::domain::till::CashWay;
use crate::domain::typed;
use crate::engine::ops::{CloseTill, MoveCash, OpenTill};
use crate::engine::reads::tills::{ReadOpenTill, ReadTill, ReadTills};

#[derive(Debug, Args)]
pub(super) struct TillOf {
    #[command(subcommand)]
    verb: Option<TillVerb>,
}

#[derive(Debug, Subcommand)]
enum TillVerb {
    /// Open it with the cash that is in the drawer
    Open {
        /// The cash: 100.00, or "USD 20.00"; once for each currency
        #[arg(long, value_name = "AMOUNT", allow_hyphen_values = true)]
        float: Vec<String>,
    },
    /// Put cash in
    Add(Moved),
    /// Take cash out, to the bank or the safe
    Drop(Moved),
    /// Count and close it; what is missing is said, and stands on its paper
    Close {
        /// The cash that was counted: 180.00, or "USD 20.00"; once for each currency
        #[arg(long, value_name = "AMOUNT", allow_hyphen_values = true)]
        counted: Vec<String>,
    },
    /// Tills by their opening, newest first
    List(ListTillsArgs),
    /// A till by its number: 3, or of another station till-2/3
    Show {
        /// Its number
        number: String,
    },
}

#[derive(Debug, Args)]
struct Moved {
    /// How much: 50.00, or "USD 20.00"
    #[arg(allow_hyphen_values = true)]
    amount: String,
    /// Why
    #[arg(long, value_name = "TEXT")]
    reason: String,
}

#[derive(Debug, Args)]
struct ListTillsArgs {
    #[command(flatten)]
    bounds: Bounds,
    #[command(flatten)]
    csv: AsCsv,
}

impl TillOf {
    pub(super) fn run(&self, call: &mut Call<'_>) -> Done {
        match &self.verb {
            None => {
                let closed = || TillRefusal::TillClosed { station: call.desk.actor().station.clone() };
                let open = call.read(ReadOpenTill)?.open.ok_or_else(|| Refusal::from(closed()))?;
                call.answer(&till::paper(&open))
            }
            Some(TillVerb::Open { float }) => {
                let opened = call.run(OpenTill { floats: prices(call, "float", float)? })?;
                told(call, opened.number)
            }
            Some(TillVerb::Add(moved)) => moved.run(call, CashWay::Add),
            Some(TillVerb::Drop(moved)) => moved.run(call, CashWay::Drop),
            Some(TillVerb::Close { counted }) => {
                let closed = call.run(CloseTill { counted: prices(call, "counted", counted)? })?;
                told(call, closed.number)
            }
            Some(TillVerb::List(list)) => list.run(call),
            Some(TillVerb::Show { number }) => {
                let (station, number) = number.rsplit_once('/').map_or_else(
                    || (call.desk.actor().station.clone(), number.as_str()),
                    |(station, number)| (station.to_owned(), number),
                );
                let number = values::count("number", number)?.into();
                let view = call.read(ReadTill { station, number })?;
                call.answer(&till::paper(&view))
            }
        }
    }
}

/// Answers with a till of this station.
fn told(call: &mut Call<'_>, number: u64) -> Done {
    let station = call.desk.actor().station.clone();
    let view = call.read(ReadTill { station, number })?;
    call.answer(&till::paper(&view))
}

impl Moved {
    fn run(&self, call: &mut Call<'_>, way: CashWay) -> Done {
        let amount = typed::price("amount", &self.amount, call.settings.currency)?;
        let moved = call.run(MoveCash { way, amount, reason: self.reason.clone() })?;
        told(call, moved.number)
    }
}

impl ListTillsArgs {
    fn run(&self, call: &mut Call<'_>) -> Done {
        let (from, before) = self.bounds.of(call)?;
        let views = call.read(ReadTills { from, before, station: call.named.1.clone() })?;
        self.csv.choose(call.out);
        call.answer(&till::list(&views))
    }
}

/// Amounts, at least one.
fn prices(call: &Call<'_>, field: &str, texts: &[String]) -> Result<Vec<Price>, Refusal> {
    if texts.is_empty() {
        return Err(Refusal::bad(field, Problem::Missing(Requirement::Amount)));
    }
    texts.iter().map(|text| typed::price(field, text, call.settings.currency)).collect()
}
