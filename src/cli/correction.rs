//! Corrections of receipts: cells and money that come back.
//!
//! Import cycle with `cli::receipt`, whose verbs these are, and which names a receipt for them.

use clap::{ArgGroup, Args};

use crate::cli::answers::receipt;
use crate::cli::call::{Call, Done};
use crate::cli::cart::checkout::answer;
use crate::cli::cart::seats::places_of;
use crate::cli::means::Means;
use crate::cli::receipt::OneReceipt;
use crate::cli::stop::Stop;
use crate::cli::{times, values};
use crate::domain::back::ReturnTerms;
use crate::domain::correction::ExchangeFee;
use crate::domain::house::USUAL_REASON;
use crate::domain::ids::ReceiptId;
use crate::domain::loss::CellGroup;
use crate::domain::performance::ADULT;
use crate::domain::plan::{SeatRef, range_ends};
use crate::domain::refusal::{CorrectionRefusal, Problem, Refusal, Requirement};
use crate::engine::ops::{CorrectReceipt, CorrectionAct, Exchange, KeepTerms, SeatChoice, Take};
use crate::engine::reads::carts::{GoodsView, LineView};
use crate::engine::reads::receipts::{ReadAnsweredReceipt, ReadCorrection, ReadReceipt, ReceiptView};

// seats or time of a receipt; without them all that is left
#[derive(Debug, Default, Args)]
pub(super) struct Cells {
    /// Only these seats, parted by commas: F9,F10
    #[arg(long, conflicts_with = "resource")]
    seats: Vec<String>,
    /// The performance of the seats, where the receipt has several: id or title
    #[arg(long, requires = "seats")]
    performance: Option<String>,
    /// Only time of this resource: id or name
    #[arg(long, requires_all = ["from", "until"])]
    resource: Option<String>,
    /// Start of the time
    #[arg(long, value_name = "TIME", requires = "resource")]
    from: Option<String>,
    /// End of the time, or of --keep-seats
    #[arg(long, value_name = "TIME")]
    until: Option<String>,
}

// cells that are named, or all of them on purpose
#[derive(Debug, Args)]
#[command(group(ArgGroup::new("cells").args(["seats", "resource", "all"]).required(true).multiple(true)))]
struct ReturnedArgs {
    #[command(flatten)]
    cells: Cells,
    /// All that is left of the receipt
    #[arg(long, conflicts_with_all = ["seats", "resource"])]
    all: bool,
}

#[derive(Debug, Args)]
struct Terms {
    /// Why
    #[arg(long, value_name = "TEXT")]
    reason: String,
    /// Only show the receipt that this would issue
    #[arg(long)]
    dry_run: bool,
}

#[derive(Debug, Args)]
pub(super) struct Refund {
    #[command(flatten)]
    one: OneReceipt,
    #[command(flatten)]
    chosen: ReturnedArgs,
    /// Keep the seats for the house until --until, and for whom or why
    #[arg(long, value_name = "TEXT", requires = "until", conflicts_with = "resource")]
    keep_seats: Option<String>,
    #[command(flatten)]
    means: Means,
    /// Give back this much, not the whole price
    #[arg(long, conflicts_with = "keep")]
    amount: Option<String>,
    /// Keep this much of the price as a fee
    #[arg(long, value_name = "AMOUNT")]
    keep: Option<String>,
    #[command(flatten)]
    terms: Terms,
}

#[derive(Debug, Args)]
pub(super) struct Release {
    #[command(flatten)]
    one: OneReceipt,
    #[command(flatten)]
    chosen: ReturnedArgs,
    #[command(flatten)]
    terms: Terms,
}

#[derive(Debug, Args)]
pub(super) struct Goodwill {
    #[command(flatten)]
    one: OneReceipt,
    #[command(flatten)]
    means: Means,
    /// Give back this much
    #[arg(long)]
    amount: String,
    #[command(flatten)]
    terms: Terms,
}

#[derive(Debug, Args)]
pub(super) struct Void {
    #[command(flatten)]
    one: OneReceipt,
    #[command(flatten)]
    terms: Terms,
}

#[derive(Debug, Args)]
pub(super) struct Swap {
    #[command(flatten)]
    one: OneReceipt,
    /// The seats that come back, parted by commas: F9,F10
    #[arg(long)]
    seats: Vec<String>,
    /// All that is left of the receipt comes back
    #[arg(long, required_unless_present = "seats", conflicts_with = "seats")]
    all: bool,
    /// The seats to take instead, parted by commas: G8
    #[arg(long = "for", value_name = "SEATS", required = true)]
    take: Vec<String>,
    /// The performance of the seats to take: id or title (default: the one of the receipt)
    #[arg(long)]
    performance: Option<String>,
    /// The ticket type of the seats to take (default: Adult)
    #[arg(long = "type", value_name = "TYPE")]
    ticket_type: Option<String>,
    /// A payment of the difference: cash=30.00, card=REF:12.00, owed=CODE
    #[arg(long, value_name = "MEANS=AMOUNT")]
    pay: Vec<String>,
    #[command(flatten)]
    means: Means,
    /// Exchange without the house's fee, and why
    #[arg(long, value_name = "TEXT")]
    no_fee: Option<String>,
    /// Why; tickets are given away only if it is said (default: customer's wish)
    #[arg(long, value_name = "TEXT")]
    reason: Option<String>,
}

impl Refund {
    pub(super) fn run(&self, call: &mut Call<'_>) -> Done {
        let view = self.one.read(call)?;
        let currency = view.receipt.currency;
        let act = CorrectionAct::Refund {
            cells: self.chosen.cells.of(call, &view)?,
            back: self.means.of(currency)?,
            share: values::share((self.amount.as_ref(), self.keep.as_ref()), currency)?,
        };
        let keep = self.keep(call, &view)?;
        self.terms.correct(call, (view.receipt.id, act), keep)
    }
}

impl Refund {
    /// Terms on which the house keeps the seats, in the time of their theater.
    fn keep(&self, call: &Call<'_>, view: &ReceiptView) -> Result<Option<KeepTerms>, Stop> {
        let until = self.chosen.cells.until.as_ref();
        let Some((reason, until)) = self.keep_seats.as_ref().zip(until) else {
            return Ok(None);
        };
        let zone = view.lines.iter().find_map(|line| Some(line.performance()?.zone));
        let now = call.now_in(zone.unwrap_or(view.zone));
        Ok(Some(KeepTerms { reason: reason.clone(), until: times::moment("until", until, now)? }))
    }
}

impl Void {
    pub(super) fn run(&self, call: &mut Call<'_>) -> Done {
        let receipt = self.one.id(call)?;
        self.terms.correct(call, (receipt, CorrectionAct::Void), None)
    }
}

impl Swap {
    pub(super) fn run(&self, call: &mut Call<'_>) -> Done {
        let view = self.one.read(call)?;
        let cells = Cells { seats: self.seats.clone(), ..Cells::default() };
        let cells = cells.of(call, &view)?;
        let only = self.performance.as_ref();
        let only = only.map(|text| call.performance_id(text)).transpose()?;
        let of = view.lines.iter().find_map(|line| Some(line.performance()?.id));
        let Some(performance) = only.or(of) else {
            return Err(Refusal::bad("performance", Problem::Missing(Requirement::Name)).into());
        };
        let currency = view.receipt.currency;
        let tenders = self.pay.iter().map(|text| values::tender(text, currency));
        let exchanged = call.run(Exchange {
            receipt: view.receipt.id,
            cells,
            take: Take::Seats {
                performance,
                seats: SeatChoice::Named(values::seats(&self.take)?),
                ticket_type: self.ticket_type.clone(),
            },
            tenders: tenders.collect::<Result<_, Refusal>>()?,
            terms: ReturnTerms {
                reason: self.reason(call),
                back: self.means.of(currency)?,
                fee: ExchangeFee::waived(self.no_fee.clone()),
            },
        })?;
        answer(call, exchanged)
    }
}

impl Swap {
    /// The reason, or the usual one; nothing is given away for that.
    fn reason(&self, call: &Call<'_>) -> String {
        let gives_away = call.settings.is_comp(self.ticket_type.as_deref().unwrap_or(ADULT));
        let usual = if gives_away { "" } else { USUAL_REASON };
        self.reason.clone().unwrap_or_else(|| usual.to_owned())
    }
}

impl Release {
    pub(super) fn run(&self, call: &mut Call<'_>) -> Done {
        let view = self.one.read(call)?;
        let cells = self.chosen.cells.of(call, &view)?;
        let act = CorrectionAct::Release { cells };
        self.terms.correct(call, (view.receipt.id, act), None)
    }
}

impl Goodwill {
    pub(super) fn run(&self, call: &mut Call<'_>) -> Done {
        let view = self.one.read(call)?;
        let currency = view.receipt.currency;
        let act = CorrectionAct::Goodwill {
            back: self.means.of(currency)?,
            amount: values::money("amount", &self.amount, currency)?,
        };
        self.terms.correct(call, (view.receipt.id, act), None)
    }
}

impl Terms {
    fn correct(
        &self,
        call: &mut Call<'_>,
        (receipt, act): (ReceiptId, CorrectionAct),
        keep: Option<KeepTerms>,
    ) -> Done {
        let correct = CorrectReceipt { receipt, act, reason: self.reason.clone(), keep };
        if self.dry_run {
            let views = call.read(ReadCorrection::Receipt(correct))?;
            let [view] = views.as_slice() else { return Err(Refusal::NothingChosen.into()) };
            return call.answer(&receipt::receipt(view, None, call.present()).noted(Some(receipt::REHEARSED)));
        }
        let issued = call.run(correct)?;
        let view = call.read(ReadAnsweredReceipt(issued))?;
        call.answer(&receipt::receipt(&view, None, call.present()))
    }
}

impl OneReceipt {
    fn read(&self, call: &mut Call<'_>) -> Result<ReceiptView, Stop> {
        let id = self.id(call)?;
        call.read(ReadReceipt(id))
    }
}

impl Cells {
    /// The named cells; `None` means all that are left.
    pub(super) fn of(&self, call: &mut Call<'_>, view: &ReceiptView) -> Result<Option<Vec<CellGroup>>, Stop> {
        if let Some(name) = &self.resource {
            let said = |text: &Option<String>| text.clone().unwrap_or_default();
            let resource = call.resource(name)?;
            let now = call.now_in(resource.zone());
            let slot = times::slot(&said(&self.from), &said(&self.until), now)?;
            return Ok(Some(vec![CellGroup::Time { resource: resource.id, slots: vec![slot] }]));
        }
        if self.seats.is_empty() {
            return Ok(None);
        }
        let only = self.performance.as_ref();
        let only = only.map(|text| call.performance_id(text)).transpose()?;
        let meant = |line: &&LineView| only.is_none_or(|id| line.is_of(id));
        let lines: Vec<&LineView> = view.lines.iter().filter(meant).collect();
        let mut cells: Vec<CellGroup> = Vec::new();
        for name in values::seats(&self.seats)? {
            if let Some(places) = standing((&lines, view), &name)? {
                cells.push(places);
                continue;
            }
            match range(&lines, &name) {
                Some(names) => {
                    cells.extend(names.iter().map(|name| named((&lines, view), name)).collect::<Result<Vec<_>, _>>()?);
                }
                None => cells.push(named((&lines, view), &name)?),
            }
        }
        Ok(Some(cells))
    }
}

/// Places of standing room that a receipt still has, as many as a text wants: `Floor=3`; none for other texts.
fn standing((lines, view): (&[&LineView], &ReceiptView), text: &str) -> Result<Option<CellGroup>, Refusal> {
    for line in lines {
        let Some(performance) = line.performance() else { continue };
        let live = view.receipt.live_of(line.id.number);
        let seats = line.named().filter(|(seat, _)| live.contains(seat));
        if let Some(seats) = places_of(seats, text)? {
            return Ok(Some(CellGroup::Seats { performance: performance.id, seats }));
        }
    }
    Ok(None)
}

/// Names of a receipt's seats in a range of one row: `K13-K16`; none for the name of one seat.
fn range<'v>(lines: &[&'v LineView], text: &str) -> Option<Vec<&'v str>> {
    let seats = || lines.iter().flat_map(|line| line.named());
    let seat = |name: &str| seats().find(|(_, known)| known.eq_ignore_ascii_case(name)).map(|(seat, _)| seat);
    if seat(text).is_some() {
        return None;
    }
    let (first, last) = range_ends(text).find_map(|(first, last)| {
        let first = seat(first)?;
        Some((first, last.iter().find_map(|last| seat(last).filter(|last| last.row == first.row))?))
    })?;
    let (low, high) = (first.min(last), first.max(last));
    Some(seats().filter(|(seat, _)| (low..=high).contains(seat)).map(|(_, name)| name).collect())
}

/// The seat of a receipt with a name; refuses one that it does not have, or has of two performances.
fn named((lines, view): (&[&LineView], &ReceiptView), name: &str) -> Result<CellGroup, Refusal> {
    let seat_of = |line: &&LineView| {
        let GoodsView::Seats { performance, seats, .. } = &line.goods else {
            return None;
        };
        let is_it = |(_, known): &&(SeatRef, String)| known.eq_ignore_ascii_case(name.trim());
        let (seat, _) = seats.iter().find(is_it)?;
        Some((performance.clone(), *seat))
    };
    let mut found = lines.iter().filter_map(seat_of);
    let Some((performance, seat)) = found.next() else {
        return Err(CorrectionRefusal::NotOnReceipt {
            receipt: view.receipt.number.clone(),
            cells: vec![name.to_owned()],
        }
        .into());
    };
    if let Some((other, _)) = found.find(|(other, _)| other.id != performance.id) {
        let which = vec![performance.title, other.title];
        return Err(Refusal::ambiguous("seat", name, which));
    }
    Ok(CellGroup::Seats { performance: performance.id, seats: vec![seat] })
}
