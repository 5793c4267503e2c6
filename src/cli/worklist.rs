//! The worklist: items that an operator has to deal with.

use clap::{Args, Subcommand, ValueEnum};

use crate::cli::answers::{receipt, worklist};
use crate::cli::call::{Call, Done};
use crate::cli::means::Means;
use crate::cli::out::{AsCsv, Format};
use crate::cli::stop::Stop;
use crate::cli::times::Window;
use crate::cli::{times, values};
use crate::domain::house::{WorkKind, WorklistItem};
use crate::domain::ids::WorkId;
use crate::domain::loss::CellGroup;
use crate::domain::refusal::{CorrectionRefusal, Problem, Refusal, Requirement};
use crate::engine::ops::{ItemAct, SeatChoice, SettleItem};
use crate::engine::reads::offers::{FreeEqual, ReadOffers, ReadOffersOfEach};
use crate::engine::reads::receipts::{ReadAnsweredReceipt, ReadCorrection};
use crate::engine::reads::worklist::{ReadItem, ReadWorkItem, ReadWorkItems, ReadWorklist, WorkView};

#[derive(Debug, Args)]
pub(super) struct Worklist {
    #[command(subcommand)]
    verb: Option<WorklistVerb>,
    /// Only items of a kind
    #[arg(long, value_enum)]
    kind: Option<Kind>,
    /// Only items of a performance: id or title
    #[arg(long)]
    performance: Option<String>,
    #[command(flatten)]
    since: Window,
    /// Only those after this one
    #[arg(long, value_name = "ID")]
    after: Option<String>,
    #[command(flatten)]
    csv: AsCsv,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
enum Kind {
    /// Seats that were taken from an order
    Seats,
    /// Time that was taken from a booking or an order
    Time,
    /// Card payments that bought nothing
    Unissued,
    /// Bookings that cost less than was paid
    Overpaid,
    /// Money that went back otherwise than it was paid, for a supervisor
    Overridden,
    /// Times of a followed calendar that differ from the house
    Differs,
}

#[derive(Debug, Subcommand)]
enum WorklistVerb {
    /// One item, with the nearest free equals of what was lost
    Show(OneItem),
    /// Give the first of the free equals instead, at no charge; or make the house as a followed calendar has it
    Accept(OneItem),
    /// Give these seats instead, at no charge; or sell them for a payment that bought nothing
    Reseat {
        #[command(flatten)]
        one: OneItem,
        /// Seat names, parted by commas: G8,G9
        #[arg(long, required = true)]
        seats: Vec<String>,
        /// Their performance: id or title (default: the item's)
        #[arg(long)]
        performance: Option<String>,
    },
    /// Give the same length of time instead, at no charge
    Move {
        #[command(flatten)]
        one: OneItem,
        /// The resource: id or name (default: the item's)
        #[arg(long, value_name = "RESOURCE")]
        to: Option<String>,
        /// Its start
        #[arg(long, value_name = "TIME")]
        from: String,
    },
    /// Give back the price of what was lost, a payment that bought nothing, or what was overpaid
    Refund {
        #[command(flatten)]
        one: OneItem,
        #[command(flatten)]
        means: Means,
        /// Keep this much of it as a fee
        #[arg(long, value_name = "AMOUNT")]
        keep: Option<String>,
        /// Why
        #[arg(long, value_name = "TEXT")]
        reason: String,
        /// Only show the receipts that this would issue
        #[arg(long)]
        dry_run: bool,
    },
    /// Find it right that money went back otherwise than it was paid
    Approve(OneItem),
    /// The customer gives up what was lost, without money
    Waive {
        #[command(flatten)]
        one: OneItem,
        /// Why
        #[arg(long, value_name = "TEXT")]
        reason: String,
    },
}

#[derive(Debug, Args)]
struct OneItem {
    /// Id or end of an id
    item: String,
}

impl Worklist {
    pub(super) fn run(&self, call: &mut Call<'_>) -> Done {
        let Some(verb) = &self.verb else {
            return self.list(call);
        };
        let view = verb.one().read(call)?;
        let (act, reason) = match verb {
            WorklistVerb::Show(_) => {
                let answer = worklist::with_offers(&view, &offers(call, &view)?, call.out.here());
                return call.answer(&answer);
            }
            WorklistVerb::Accept(_) if matches!(view.item.what, WorkKind::Differs { .. }) => (ItemAct::Agree, ""),
            WorklistVerb::Accept(_) => {
                let first = offers(call, &view)?.into_iter().next();
                let first = first.ok_or_else(|| Refusal::from(CorrectionRefusal::NothingEqualFree))?;
                (first.act, "")
            }
            WorklistVerb::Reseat { seats, performance, .. } => {
                (reseat(call, &view, (seats, performance.as_ref()))?, "")
            }
            WorklistVerb::Move { to, from, .. } => (move_to(call, &view, (to.as_ref(), from))?, ""),
            WorklistVerb::Refund { means, keep, reason, .. } => {
                let currency = view.price.map_or(call.settings.currency, |price| price.currency);
                let share = values::share((None, keep.as_ref()), currency)?;
                (ItemAct::Refund { back: means.of(currency)?, share }, reason.as_str())
            }
            WorklistVerb::Approve(_) => (ItemAct::Approve, ""),
            WorklistVerb::Waive { reason, .. } => (ItemAct::Waive, reason.as_str()),
        };
        let settle = SettleItem { item: view.item.id, act, reason: reason.to_owned() };
        if let WorklistVerb::Refund { dry_run: true, .. } = verb {
            let receipts = call.read(ReadCorrection::Item(settle))?;
            let answer = receipt::with_receipts(worklist::item(&view, call.out.zone), &receipts, call.out.here());
            return call.answer(&answer.noted(Some(receipt::REHEARSED)));
        }
        let settled = call.run(settle)?;
        let item = item_view(call, settled.item)?;
        let mut receipts = Vec::with_capacity(settled.receipts.len());
        for receipt in settled.receipts {
            receipts.push(call.read(ReadAnsweredReceipt(receipt))?);
        }
        let answer = receipt::with_receipts(worklist::item(&item, call.out.zone), &receipts, call.out.here());
        call.answer(&answer)
    }

    fn list(&self, call: &mut Call<'_>) -> Done {
        self.csv.choose(call.out);
        let (from, before) = self.since.bounds(call.now_in(call.out.zone))?;
        let after = values::some(self.after.as_ref(), |text| call.named::<WorkId>(text))?;
        let after = after.map(|id| id.to_string());
        let performance = self.performance.as_ref();
        let performance = performance.map(|text| call.performance_id(text)).transpose()?;
        let mut items = call.read(ReadWorklist)?;
        items.retain(|view| {
            let kind = view.item.what.word();
            self.kind.is_none_or(|only| <&str>::from(only) == kind)
                && performance.is_none_or(|only| view.performance == Some(only))
                && from.is_none_or(|from| view.item.since >= from)
                && before.is_none_or(|before| view.item.since < before)
        });
        let items = call.page(items, after.as_deref(), |view| view.item.id)?;
        let answer = match call.out.format {
            Format::People => worklist::list(&items, call.out.zone),
            Format::Json | Format::Csv => {
                let free = call.read(ReadOffersOfEach(items.iter().map(|view| view.item.clone()).collect()))?;
                worklist::list_with_offers(&items, &free, call.out.zone)
            }
        };
        call.answer(&answer)
    }
}

impl WorklistVerb {
    const fn one(&self) -> &OneItem {
        match self {
            Self::Show(one)
            | Self::Accept(one)
            | Self::Approve(one)
            | Self::Reseat { one, .. }
            | Self::Move { one, .. }
            | Self::Refund { one, .. }
            | Self::Waive { one, .. } => one,
        }
    }
}

impl OneItem {
    fn read(&self, call: &Call<'_>) -> Result<WorkView, Stop> {
        let id: WorkId = call.named(&self.item)?;
        call.read(ReadItem(id))
    }
}

fn offers(call: &Call<'_>, view: &WorkView) -> Result<Vec<FreeEqual>, Stop> {
    call.read(ReadOffers(view.item.clone()))
}

fn reseat(
    call: &mut Call<'_>,
    view: &WorkView,
    (seats, performance): (&[String], Option<&String>),
) -> Result<ItemAct, Stop> {
    let named = performance.map(|text| call.performance_id(text));
    let performance = named.transpose()?.or(view.performance);
    let missing = || Refusal::bad("performance", Problem::Missing(Requirement::Name));
    Ok(ItemAct::Reseat {
        performance: performance.ok_or_else(missing)?,
        seats: SeatChoice::Named(values::seats(seats)?),
    })
}

fn move_to(call: &mut Call<'_>, view: &WorkView, (to, from): (Option<&String>, &str)) -> Result<ItemAct, Stop> {
    let WorkKind::Displaced { loss, .. } = &view.item.what else {
        return Err(Refusal::from(CorrectionRefusal::NoTimeLost).into());
    };
    let CellGroup::Time { resource, .. } = &loss.cells else {
        return Err(Refusal::from(CorrectionRefusal::NoTimeLost).into());
    };
    let there = match to {
        Some(name) => call.resource(name)?,
        None => call.resource(&resource.to_string())?,
    };
    Ok(ItemAct::Move { from: times::moment("from", from, call.now_in(there.zone()))?, to: to.map(|_| there.id) })
}

/// An item with the names shown to people.
pub(super) fn item_view(call: &Call<'_>, item: WorklistItem) -> Result<WorkView, Stop> {
    call.read(ReadWorkItem(item))
}

/// The items of displaced orders, with the names shown to people.
pub(super) fn displaced(call: &Call<'_>, items: &[WorklistItem]) -> Result<Vec<WorkView>, Stop> {
    call.read(ReadWorkItems(items.to_vec()))
}
