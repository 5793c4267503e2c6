//! Settling of a canceled performance: each paid order by a transaction of its own.

use clap::{Args, ValueEnum};

use crate::cli::answers::settling;
use crate::cli::call::{Call, Done};
use crate::cli::out::{AsCsv, Format};
use crate::cli::performance::OnePerformance;
use crate::domain::ids::{CommandId, PerformanceId};
use crate::domain::receipt::Receipt;
use crate::domain::refusal::Refusal;
use crate::engine::Failure;
use crate::engine::ops::{CorrectReceipt, CorrectionAct, SettleBy};
use crate::engine::reads::receipts::{ReadCorrection, ReceiptView};
use crate::engine::reads::settling::{CanceledOrder, ReadCanceledOrders};
use crate::words;

#[derive(Debug, Args)]
pub(in crate::cli) struct Settle {
    #[command(flatten)]
    one: OnePerformance,
    /// How the money goes back
    #[arg(long, value_enum, value_name = "HOW", default_value_t = Back::AsPaid)]
    back: Back,
    /// Only show what would be given back
    #[arg(long, conflicts_with = "csv")]
    dry_run: bool,
    /// Settle at most so many orders
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
    /// Answer with all that is to go back to cards, also of earlier runs, as CSV
    #[command(flatten)]
    csv: AsCsv,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Back {
    /// Credits and cards get back what they paid, cards by hand at the terminal; what was paid in cash becomes credits
    AsPaid,
    /// All becomes credits
    Owed,
}

impl Settle {
    pub(super) fn run(&self, call: &mut Call<'_>) -> Done {
        let performance = call.performance_id(&self.one.performance)?;
        let mut open = call.read(ReadCanceledOrders(performance))?;
        open.retain(|order| !order.seats.is_empty());
        let all = open.len();
        open.truncate(self.limit.unwrap_or(all));
        let asked = open.iter().map(|order| {
            let command = CommandId::of(performance, order.receipt.id);
            (command, self.correction(order, performance))
        });
        let outcomes: Vec<Result<Receipt, Failure>> = if self.dry_run {
            let rehearse = |(_, correction)| call.desk.read(ReadCorrection::Receipt(correction));
            let receipt = |views: Vec<ReceiptView>| views.into_iter().next().map(|view| view.receipt);
            let receipt = |views| receipt(views).ok_or_else(|| Refusal::NothingChosen.into());
            asked.map(|one| rehearse(one).and_then(receipt)).collect()
        } else {
            call.desk.run_each(asked)
        };
        let mut done = Vec::with_capacity(open.len());
        for (order, outcome) in open.into_iter().zip(outcomes) {
            match outcome {
                Err(Failure::Fault(fault)) => return Err(fault.into()),
                Err(Failure::Refused(refusal)) => call.out.note(&refused(&order, &refusal, call)),
                Ok(receipt) => done.push((order, receipt)),
            }
        }
        self.csv.choose(call.out);
        if call.out.format == Format::Csv {
            let orders = call.read(ReadCanceledOrders(performance))?;
            return call.answer(&settling::cards(&orders));
        }
        let left = all - done.len();
        let answer = settling::settled(&done, left);
        let note = "Nothing was done: this is what it would give back.";
        call.answer(&answer.noted(self.dry_run.then_some(note)))
    }

    fn correction(&self, order: &CanceledOrder, performance: PerformanceId) -> CorrectReceipt {
        let by = match self.back {
            Back::AsPaid => SettleBy::AsPaid,
            Back::Owed => SettleBy::Owed,
        };
        CorrectReceipt {
            receipt: order.receipt.id,
            act: CorrectionAct::Settle { performance, by },
            reason: order.reason.clone(),
            keep: None,
        }
    }
}

/// Sentence of an order that was not settled.
fn refused(order: &CanceledOrder, refusal: &Refusal, call: &Call<'_>) -> String {
    let why = words::refusal(refusal, call.out.here());
    format!("Receipt {} is not settled: {why}", order.receipt.number)
}
