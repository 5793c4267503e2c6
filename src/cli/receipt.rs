//! Receipts: listed, shown, and printed with their tickets.

use clap::{Args, Subcommand};
use strum::VariantArray;

use crate::cli::answers::receipt;
use crate::cli::call::{Call, Done, Trial};
use crate::cli::day::Bounds;
use crate::cli::out::AsCsv;
use crate::cli::printing::{PrintTo, Target};
use crate::cli::stop::Stop;
use crate::cli::{correction, values};
use crate::domain::ids::ReceiptId;
use crate::domain::receipt::Papers;
use crate::domain::refusal::Refusal;
use crate::domain::till::MeansKind;
use crate::engine::ops::{HandOver, PrintPapers, ReissueTickets, TicketsTo};
use crate::engine::reads::receipts::{ReadAnsweredReceipt, ReadReceipt, ReadReceipts, ReceiptView};
use crate::words::printing;

#[derive(Debug, Subcommand)]
pub(super) enum ReceiptVerb {
    /// Receipts, newest first
    List(ListReceiptsArgs),
    /// One receipt
    Show(OneReceipt),
    /// Print a receipt and its tickets; a paper that was printed before says that it is a copy, and wants a --reason
    Print(Print),
    /// Keep its tickets at the desk until they are collected; an alert comes shortly before the start
    Keep(OneReceipt),
    /// Hand its tickets over, and print them if they never were
    Collect(Collect),
    /// Issue its tickets anew: those before are dead
    Reissue(Reissue),
    /// Take seats or time back, and give back their price
    Refund(correction::Refund),
    /// Take seats or time back; the money stays
    Release(correction::Release),
    /// Undo a sale of this station and day: all back, and the money by the means that it came by
    Void(correction::Void),
    /// Take seats back and sell others in their place, by one receipt
    Exchange(correction::Swap),
    /// Give money back; the customer keeps the seats
    Goodwill(correction::Goodwill),
}

#[derive(Debug, Args)]
pub(super) struct ListReceiptsArgs {
    #[command(flatten)]
    issued: Bounds,
    /// Only those that sell or take back seats of this performance: id, end of an id, or title
    #[arg(long)]
    performance: Option<String>,
    /// Only those with money by these means, taken or given back
    #[arg(long, value_parser = means)]
    means: Option<MeansKind>,
    /// Only those after (older than) this one
    #[arg(long, value_name = "ID")]
    after: Option<String>,
    #[command(flatten)]
    csv: AsCsv,
}

#[derive(Debug, Args)]
pub(super) struct OneReceipt {
    /// Number, number at this station, id, or end of an id
    receipt: String,
}

#[derive(Debug, Args)]
pub(super) struct Collect {
    #[command(flatten)]
    one: OneReceipt,
    #[command(flatten)]
    printer: PrintTo,
}

#[derive(Debug, Args)]
pub(super) struct Reissue {
    #[command(flatten)]
    one: OneReceipt,
    /// Why
    #[arg(long, value_name = "TEXT")]
    reason: String,
    #[command(flatten)]
    trial: Trial,
}

#[derive(Debug, Args)]
pub(super) struct Print {
    #[command(flatten)]
    one: OneReceipt,
    #[command(flatten)]
    printer: PrintTo,
    /// Only the tickets
    #[arg(long, conflicts_with = "receipt_only")]
    tickets_only: bool,
    /// Only the receipt
    #[arg(long)]
    receipt_only: bool,
    /// Why there is to be a copy of what was printed before
    #[arg(long, value_name = "TEXT", default_value = "")]
    reason: String,
}

impl ReceiptVerb {
    pub(super) fn run(&self, call: &mut Call<'_>) -> Done {
        match self {
            Self::List(list) => list.run(call),
            Self::Show(one) => one.show(call),
            Self::Print(print) => print.run(call),
            Self::Keep(one) => one.keep(call),
            Self::Collect(collect) => collect.run(call),
            Self::Reissue(reissue) => reissue.run(call),
            Self::Refund(refund) => refund.run(call),
            Self::Void(void) => void.run(call),
            Self::Exchange(swap) => swap.run(call),
            Self::Release(release) => release.run(call),
            Self::Goodwill(goodwill) => goodwill.run(call),
        }
    }
}

fn means(text: &str) -> Result<MeansKind, &'static str> {
    let found = MeansKind::VARIANTS.iter().find(|kind| kind.word() == text);
    found.copied().ok_or("write cash, card or owed")
}

impl ListReceiptsArgs {
    fn run(&self, call: &mut Call<'_>) -> Done {
        self.csv.choose(call.out);
        let zone = call.settings.time_zone;
        let (from, before) = self.issued.of(call)?;
        let (operator, station) = call.named.clone();
        let only = ReadReceipts {
            from,
            before,
            station,
            operator,
            performance: values::some(self.performance.as_ref(), |text| call.performance_id(text))?,
            means: self.means,
            after: None,
        };
        let after = values::some(self.after.as_ref(), |text| named(call, text))?;
        let rows = call.pages(after, |after| ReadReceipts { after, ..only.clone() }, |row| row.id)?;
        call.answer(&receipt::list(&rows, zone))
    }
}

/// A receipt by what was typed; a bare number is one of this station's.
pub(super) fn named(call: &Call<'_>, text: &str) -> Result<ReceiptId, Stop> {
    let here = format!("{}/{}", call.desk.actor().station, text.trim());
    let is_number = text.trim().bytes().all(|byte| byte.is_ascii_digit());
    match call.named(text) {
        Err(Stop::Refused(Refusal::NotFound { .. })) if is_number => {
            call.named(&here).map_err(|_| Refusal::not_found("receipt", here).into())
        }
        found => found,
    }
}

impl OneReceipt {
    pub(super) fn id(&self, call: &Call<'_>) -> Result<ReceiptId, Stop> {
        named(call, &self.receipt)
    }

    fn keep(&self, call: &mut Call<'_>) -> Done {
        let receipt = self.id(call)?;
        let receipt = call.run(HandOver::new(receipt, TicketsTo::Desk))?;
        let view = call.read(ReadAnsweredReceipt(receipt))?;
        call.answer(&receipt::receipt(&view, None, call.present()))
    }

    fn show(&self, call: &mut Call<'_>) -> Done {
        let id = self.id(call)?;
        let view = call.read(ReadReceipt(id))?;
        call.answer(&receipt::receipt(&view, None, call.present()))
    }
}

impl Reissue {
    fn run(&self, call: &mut Call<'_>) -> Done {
        let receipt = self.one.id(call)?;
        let receipt = self.trial.run(call, ReissueTickets { receipt, reason: self.reason.clone() })?;
        let issue = receipt.issue();
        let view = call.read(ReadAnsweredReceipt(receipt))?;
        let answer = receipt::receipt(&view, None, call.present());
        let note =
            format!("Its tickets are of issue {issue}; those before are dead. Print them: willcall receipt print");
        self.trial.answer(call, answer.noted((!self.trial.is_asked()).then_some(&note)))
    }
}

impl Collect {
    fn run(&self, call: &mut Call<'_>) -> Done {
        let receipt = self.one.id(call)?;
        let target = self.printer.begin(call)?;
        let waited = call.read(ReadReceipt(receipt))?.receipt.tickets.wait();
        let receipt = call.run(HandOver { prints: true, ..HandOver::new(receipt, TicketsTo::Customer) })?;
        let view = call.read(ReadAnsweredReceipt(receipt))?;
        if waited && view.receipt.is_printed_at_collection() {
            return printed(call, &view, (Papers::Tickets, target));
        }
        if target.is_some() {
            call.out.note("Its tickets were printed before; willcall receipt print --reason prints copies");
        }
        call.answer(&receipt::receipt(&view, None, call.present()))
    }
}

/// Prints counted papers, and answers with the receipt.
fn printed(call: &mut Call<'_>, view: &ReceiptView, (papers, target): (Papers, Option<Target>)) -> Done {
    match target {
        None => {
            let text = printing::text(papers, view);
            call.answer(&receipt::receipt(view, Some(&text), call.present()))
        }
        Some(target) => {
            target.print(&printing::for_printer(papers, view))?;
            call.answer(&receipt::receipt(view, None, call.present()))
        }
    }
}

impl Print {
    const fn papers(&self) -> Papers {
        match (self.tickets_only, self.receipt_only) {
            (false, false) => Papers::Both,
            (true, _) => Papers::Tickets,
            (false, true) => Papers::Receipt,
        }
    }

    fn run(&self, call: &mut Call<'_>) -> Done {
        let receipt = self.one.id(call)?;
        let target = self.printer.begin(call)?;
        let receipt = call.run(PrintPapers { receipt, papers: self.papers(), reason: self.reason.clone() })?;
        let view = call.read(ReadAnsweredReceipt(receipt))?;
        printed(call, &view, (self.papers(), target))
    }
}
