//! Receipts: a page of them, and one with what people read of it.

use chrono_tz::Tz;

use crate::domain::booking::Taken;
use crate::domain::ids::ReceiptId;
use crate::domain::money::Currency;
use crate::domain::performance::Performance;
use crate::domain::plan::SeatRef;
use crate::domain::receipt::Receipt;
use crate::domain::resource::Resource;
use crate::domain::time::{Instant, subtract};
use crate::engine::reads::carts::{LineView, SlotView, label, named, slot_view};
use crate::engine::reads::{Question, Snapshot};
use crate::engine::work::Failure;

/// A receipt in one row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReceiptRow {
    /// Its id.
    pub id: ReceiptId,
    /// Its number.
    pub number: String,
    /// When it was issued.
    pub issued_at: Instant,
    /// Where.
    pub station: String,
    /// By whom.
    pub operator: String,
    /// The customer's name, when known.
    pub customer: String,
    /// How many seats it was issued for.
    pub seats: usize,
    /// How many of them it no longer has.
    pub lost: usize,
    /// Whether its tickets lie at the desk.
    pub to_collect: bool,
    /// The title of the performance of its first line.
    pub title: String,
    /// What it cost, in minor units.
    pub total: i64,
    /// Its currency.
    pub currency: Currency,
}

/// A receipt with the names that people read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReceiptView {
    /// The receipt.
    pub receipt: Receipt,
    /// Its lines of seats as issued.
    pub lines: Vec<LineView>,
    /// Its lines of time as issued.
    pub slots: Vec<SlotView>,
    /// Names of the seats it no longer has.
    pub lost: Vec<String>,
    /// The house's local time.
    pub zone: Tz,
}

/// Asks for receipts, newest first.
#[derive(Clone, Debug, Default)]
pub struct ReadReceipts {
    /// Issued at or after this.
    pub from: Option<Instant>,
    /// Issued before this.
    pub before: Option<Instant>,
    /// Only those of this station.
    pub station: Option<String>,
    /// Only those after (older than) this one.
    pub after: Option<ReceiptId>,
}

/// Asks for one receipt.
#[derive(Clone, Copy, Debug)]
pub struct ReadReceipt(pub ReceiptId);

impl Question for ReadReceipt {
    type Answer = ReceiptView;

    fn ask(&self, snapshot: &mut Snapshot<'_>) -> Result<ReceiptView, Failure> {
        let receipt: Receipt = snapshot.get(self.0)?;
        ReadAnsweredReceipt(receipt).ask(snapshot)
    }
}

/// Asks what people read of a receipt that an operation answered.
#[derive(Clone, Debug)]
pub struct ReadAnsweredReceipt(pub Receipt);

impl Question for ReadAnsweredReceipt {
    type Answer = ReceiptView;

    fn ask(&self, snapshot: &mut Snapshot<'_>) -> Result<ReceiptView, Failure> {
        let receipt = self.0.clone();
        let mut lines = Vec::with_capacity(receipt.lines.len());
        let mut lost = Vec::new();
        for line in &receipt.lines {
            lines.push(LineView {
                id: line.id,
                performance: label(snapshot, line.performance)?,
                ticket_type: line.ticket_type.clone(),
                unit_price: line.unit_price,
                seats: named(snapshot, line.performance, &line.seats)?,
                total: line.total(),
            });
            let gone: Vec<SeatRef> = line
                .seats
                .iter()
                .copied()
                .filter(|seat| !line.live.contains(seat))
                .collect();
            lost.extend(
                named(snapshot, line.performance, &gone)?
                    .into_iter()
                    .map(|(_, name)| name),
            );
        }
        let mut slots = Vec::with_capacity(receipt.slots.len());
        for line in &receipt.slots {
            let price = (line.unit_price, line.segments, line.total());
            let view = slot_view(snapshot, (line.id, &line.taken), price)?;
            lost.extend(view.iter().flat_map(|view| lost_time(view, &line.taken)));
            slots.extend(view);
        }
        let zone = snapshot.settings()?.time_zone;
        Ok(ReceiptView {
            receipt,
            lines,
            slots,
            lost,
            zone,
        })
    }
}

/// The time that a line no longer has, in words.
fn lost_time(view: &SlotView, taken: &[Taken]) -> Vec<String> {
    let live = taken.first().map_or(&[][..], |asked| &asked.live);
    subtract(&[view.core], live)
        .iter()
        .map(|slot| format!("{} {}", view.name, slot.words(view.wall)))
        .collect()
}

impl Question for ReadReceipts {
    type Answer = Vec<ReceiptRow>;

    fn ask(&self, snapshot: &mut Snapshot<'_>) -> Result<Vec<ReceiptRow>, Failure> {
        let from = self.from.map_or(i64::MIN, Instant::millis);
        let before = self.before.map_or(i64::MAX, Instant::millis);
        let station = self.station.as_deref().unwrap_or_default();
        let mut last = (i64::MAX, String::new());
        if let Some(after) = self.after {
            last = (
                snapshot.get::<Receipt>(after)?.issued_at.millis(),
                after.to_string(),
            );
        }
        let condition = "WHERE issued_at >= $1 AND issued_at < $2 AND ($3 = '' OR station = $3) \
                         AND (issued_at < $4 OR (issued_at = $4 AND key < $5)) ORDER BY issued_at DESC, key DESC LIMIT 100";
        let params = [
            from.into(),
            before.into(),
            station.into(),
            last.0.into(),
            last.1.into(),
        ];
        let receipts: Vec<Receipt> = snapshot.select(condition, &params)?;
        receipts
            .into_iter()
            .map(|receipt| row(snapshot, receipt))
            .collect()
    }
}

fn row(snapshot: &mut Snapshot<'_>, receipt: Receipt) -> Result<ReceiptRow, Failure> {
    let time = receipt.slots.first().and_then(|line| line.taken.first());
    let title = match (receipt.lines.first(), time) {
        (Some(line), _) => snapshot.get::<Performance>(line.performance)?.title,
        (None, Some(asked)) => snapshot.get::<Resource>(&asked.resource)?.name,
        (None, None) => String::new(),
    };
    let seats = receipt.seat_count();
    let live: usize = receipt.lines.iter().map(|line| line.live.len()).sum();
    Ok(ReceiptRow {
        id: receipt.id,
        number: receipt.number,
        issued_at: receipt.issued_at,
        station: receipt.station,
        operator: receipt.operator,
        customer: receipt.customer.name,
        seats,
        lost: seats - live,
        to_collect: receipt.tickets.wait(),
        title,
        total: receipt.total,
        currency: receipt.currency,
    })
}
