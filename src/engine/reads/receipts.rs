//! Receipts: a page of them, and one with its display names.

use chrono_tz::Tz;
use serde::{Deserialize, Serialize};

use crate::domain::booking::Booking;
use crate::domain::cart::Cart;
use crate::domain::correction::{ReceiptKind, Returned};
use crate::domain::credit::Credit;
use crate::domain::customer::Customer;
use crate::domain::ids::{BookingId, CartId, PerformanceId, ReceiptId};
use crate::domain::line::seated;
use crate::domain::loss::CellGroup;
use crate::domain::money::Currency;
use crate::domain::paper::Paper;
use crate::domain::performance::{Performance, Theater};
use crate::domain::receipt::Receipt;
use crate::domain::resource::ResourceId;
use crate::domain::ticket_code::{TicketCode, TicketKey, TicketPlace};
use crate::domain::till::{MeansKind, flows};
use crate::domain::time::{Instant, Slot, subtract};
use crate::engine::ops::{AnyOperation, CheckedOut, Checkout, CorrectReceipt, RefundBooking, SettleItem};
use crate::engine::reads::carts::{LineView, ReturnedView, lines, named, returns, title};
use crate::engine::reads::{PAGE_MAX, Question, Snapshot};
use crate::engine::work::Failure;
use crate::store::kinds::TICKET_KEY;

/// Receipt in one row.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ReceiptRow {
    pub id: ReceiptId,
    pub number: String,
    pub kind: ReceiptKind,
    pub issued_at: Instant,
    pub station: String,
    pub operator: String,
    /// Customer's name; may be empty.
    pub customer: String,
    /// Seats at issue.
    pub seats: usize,
    /// Seats lost since.
    pub lost: usize,
    /// Uncollected tickets.
    pub to_collect: bool,
    /// Title of the performance, or name of the resource, of its first line or of the first cells that it takes back.
    pub title: String,
    /// Price in minor units.
    pub total: i64,
    /// Money by each means, less what went back by them, in minor units.
    pub cash: i64,
    pub card: i64,
    pub owed: i64,
    pub currency: Currency,
}

/// Receipt with display names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ReceiptView {
    pub receipt: Receipt,
    pub customer: Customer,
    /// Lines at issue: seats, then time.
    pub lines: Vec<LineView>,
    /// Names of the seats and time that were taken from it.
    pub lost: Vec<String>,
    /// Cells of other receipts that it takes back.
    pub returned: Vec<ReturnedView>,
    /// Numbers of the receipts that it corrects.
    pub of: Vec<String>,
    /// The receipts that correct it, oldest first.
    pub corrected_by: Vec<CorrectionView>,
    /// Title of the booking whose payment it gives back.
    pub booking: Option<String>,
    /// Tickets that show a start which their performance no longer has.
    pub void: Vec<VoidTickets>,
    /// Codes of the tickets that it still has; none before the house has a key for them.
    pub codes: Vec<(TicketPlace, TicketCode)>,
    /// Time zone of the house.
    pub zone: Tz,
    /// Paper of the station that asks.
    pub paper: Paper,
}

/// Tickets of a performance that moved after they were printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct VoidTickets {
    pub performance: PerformanceId,
    /// Start that they show.
    pub start: Instant,
    /// Time zone of the theater.
    pub zone: Tz,
}

/// Correcting receipt in a line of the corrected one's history.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CorrectionView {
    pub id: ReceiptId,
    pub number: String,
    pub kind: ReceiptKind,
    pub issued_at: Instant,
    pub operator: String,
    /// Operator who approved it, where that one alone may not do it.
    pub approved: Option<String>,
    /// Names of the cells that came back.
    pub cells: Vec<String>,
    /// Money given back, in minor units.
    pub back: i64,
    pub reason: String,
}

/// Lists receipts, newest first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub struct ReadReceipts {
    /// Issued at or after this.
    pub from: Option<Instant>,
    /// Issued before this.
    pub before: Option<Instant>,
    pub station: Option<String>,
    pub operator: Option<String>,
    /// Selling or taking back seats of this performance.
    pub performance: Option<PerformanceId>,
    /// With money by these means, taken or given back.
    pub means: Option<MeansKind>,
    /// Only those older than this one.
    pub after: Option<ReceiptId>,
}

/// Reads the receipts that an act which gives back would issue, without the numbers and the codes of credits that only
/// issued ones have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReadCorrection {
    Receipt(CorrectReceipt),
    Item(SettleItem),
    Booking(RefundBooking),
    /// The checkout of a cart that brings something back.
    Cart(Checkout),
}

impl From<ReadCorrection> for AnyOperation {
    fn from(act: ReadCorrection) -> Self {
        match act {
            ReadCorrection::Receipt(correct) => correct.into(),
            ReadCorrection::Item(settle) => settle.into(),
            ReadCorrection::Booking(refund) => refund.into(),
            ReadCorrection::Cart(checkout) => checkout.into(),
        }
    }
}

impl Question for ReadCorrection {
    type Answer = Vec<ReceiptView>;

    fn ask(&self, snapshot: &mut Snapshot<'_>) -> Result<Vec<ReceiptView>, Failure> {
        let receipts = match self {
            Self::Receipt(correct) => vec![snapshot.rehearse(correct)?],
            Self::Item(settle) => snapshot.rehearse(settle)?.receipts,
            Self::Booking(refund) => snapshot.rehearse(refund)?,
            Self::Cart(checkout) => match snapshot.rehearse(checkout)? {
                CheckedOut::Receipt(receipt) | CheckedOut::Owed(receipt, _) => vec![receipt],
                CheckedOut::Unissued(_) => Vec::new(),
            },
        };
        receipts.into_iter().map(|receipt| rehearsed(snapshot, receipt)).collect()
    }
}

/// A receipt that was not issued.
fn rehearsed(snapshot: &mut Snapshot<'_>, mut receipt: Receipt) -> Result<ReceiptView, Failure> {
    receipt.number.clear();
    let correction = receipt.correction.as_mut();
    for back in correction.map_or(&mut [][..], |one| &mut one.paid_back) {
        let is_known = match back.credit {
            Some(code) => snapshot.find::<Credit>(&code.to_string())?.is_some(),
            None => true,
        };
        back.credit = back.credit.filter(|_| is_known);
    }
    ReadAnsweredReceipt(receipt).ask(snapshot)
}

/// Reads one receipt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub struct ReadReceipt(pub ReceiptId);

impl Question for ReadReceipt {
    type Answer = ReceiptView;

    fn ask(&self, snapshot: &mut Snapshot<'_>) -> Result<ReceiptView, Failure> {
        let receipt: Receipt = snapshot.get(self.0)?;
        ReadAnsweredReceipt(receipt).ask(snapshot)
    }
}

/// Adds display names to a receipt returned by an operation.
#[derive(Clone, Debug)]
pub struct ReadAnsweredReceipt(pub Receipt);

impl Question for ReadAnsweredReceipt {
    type Answer = ReceiptView;

    fn ask(&self, snapshot: &mut Snapshot<'_>) -> Result<ReceiptView, Failure> {
        let receipt = self.0.clone();
        let lines = lines(snapshot, receipt.cart, &receipt.lines)?;
        let mut lost = Vec::new();
        for line in &receipt.lines {
            if let Some(performance) = line.goods.performance() {
                let gone = named(snapshot, performance, line.goods.lost())?;
                lost.extend(gone.into_iter().map(|(_, name)| name));
            }
        }
        for (time, line) in lines
            .iter()
            .filter_map(|line| Some((line.time()?, line.id.number)))
            .filter(|(time, _)| time.booking.is_none())
        {
            let mut gone = subtract(&[time.core], &time.kept);
            let sold = receipt.lines.iter().find(|one| one.number == line);
            if let Some(CellGroup::Time { slots, .. }) = sold.and_then(|one| one.goods.came_back()) {
                gone = subtract(&gone, &slots);
            }
            if !gone.is_empty() {
                gone = subtract(&gone, &unpaid(snapshot, (receipt.cart, &time.resource))?);
            }
            let now = snapshot.now();
            lost.extend(gone.iter().map(|slot| format!("{} {}", time.name, slot.words(time.wall, now))));
        }
        let settings = snapshot.settings()?;
        let (zone, paper) = (settings.time_zone, settings.letterhead.paper(&snapshot.actor().station));
        let key = snapshot.find::<TicketKey>(TICKET_KEY)?;
        let correction = receipt.correction.as_ref();
        let returned = correction.map_or(&[][..], |correction| &correction.returned);
        let of = correction.map_or(&[][..], |correction| &correction.of);
        let number = |snapshot: &mut Snapshot<'_>, id: &ReceiptId| -> Result<String, Failure> {
            Ok(snapshot.get::<Receipt>(*id)?.number)
        };
        let corrected_by = receipt.corrected_by.iter();
        let corrected_by = corrected_by.map(|by| correction_view(snapshot, *by, receipt.id));
        let corrected_by = corrected_by.collect::<Result<_, Failure>>()?;
        let booking = correction.and_then(|correction| correction.booking);
        let booking = booking.map(|id| title_of(snapshot, id)).transpose()?;
        Ok(ReceiptView {
            customer: snapshot.customer(receipt.customer)?,
            booking,
            lines,
            lost,
            returned: returns(snapshot, returned)?,
            of: of.iter().map(|id| number(snapshot, id)).collect::<Result<_, Failure>>()?,
            corrected_by,
            codes: key.map_or_else(Vec::new, |key| receipt.codes(&key)),
            void: void(snapshot, &receipt)?,
            zone,
            paper,
            receipt,
        })
    }
}

/// Time of a resource that a cart lost before it was paid.
fn unpaid(snapshot: &mut Snapshot<'_>, (cart, of): (CartId, &ResourceId)) -> Result<Vec<Slot>, Failure> {
    let lost = snapshot.get::<Cart>(cart)?.lost.into_iter();
    let slots = lost.filter_map(|loss| match loss.cells {
        CellGroup::Time { resource, slots } if resource == *of => Some(slots),
        CellGroup::Time { .. } | CellGroup::Seats { .. } => None,
    });
    Ok(slots.flatten().collect())
}

fn title_of(snapshot: &mut Snapshot<'_>, booking: BookingId) -> Result<String, Failure> {
    let booking: Booking = snapshot.get(booking)?;
    let customer = snapshot.customer(booking.customer)?;
    Ok(booking.title_for(&customer).to_owned())
}

fn void(snapshot: &mut Snapshot<'_>, receipt: &Receipt) -> Result<Vec<VoidTickets>, Failure> {
    let mut void: Vec<VoidTickets> = Vec::new();
    for (id, _) in seated(&receipt.lines) {
        let performance: Performance = snapshot.get(id)?;
        let start = performance.start_was(receipt.tickets_of());
        if let Some(start) = start.filter(|_| void.iter().all(|one| one.performance != id)) {
            let theater: Theater = snapshot.get(performance.theater)?;
            void.push(VoidTickets { performance: id, start, zone: theater.time_zone });
        }
    }
    Ok(void)
}

/// The correction of a receipt by another one, with the cells that came back of the former.
fn correction_view(snapshot: &mut Snapshot<'_>, by: ReceiptId, of: ReceiptId) -> Result<CorrectionView, Failure> {
    let receipt: Receipt = snapshot.get(by)?;
    let correction = receipt.correction.as_ref();
    let returned = correction.map_or(&[][..], |correction| &correction.returned);
    let mine: Vec<Returned> = returned.iter().filter(|one| one.receipt == of).cloned().collect();
    let (cells, now) = (returns(snapshot, &mine)?, snapshot.now());
    Ok(CorrectionView {
        id: by,
        kind: receipt.kind(),
        issued_at: receipt.issued_at,
        cells: cells.iter().flat_map(|one| one.names(now)).collect(),
        back: correction.map_or(0, |correction| correction.back()),
        reason: correction.map_or_else(String::new, |correction| correction.reason.clone()),
        number: receipt.number,
        operator: receipt.operator,
        approved: receipt.approved,
    })
}

impl Question for ReadReceipts {
    type Answer = Vec<ReceiptRow>;

    fn ask(&self, snapshot: &mut Snapshot<'_>) -> Result<Vec<ReceiptRow>, Failure> {
        let from = self.from.map_or(i64::MIN, Instant::millis);
        let before = self.before.map_or(i64::MAX, Instant::millis);
        let station = self.station.as_deref().unwrap_or_default();
        let mut last = (i64::MAX, String::new());
        if let Some(after) = self.after {
            last = (snapshot.get::<Receipt>(after)?.issued_at.millis(), after.to_string());
        }
        let condition = "WHERE issued_at >= $1 AND issued_at < $2 AND ($3 = '' OR station = $3) \
                         AND (issued_at < $4 OR (issued_at = $4 AND key < $5)) ORDER BY issued_at DESC, key DESC LIMIT 100";
        let mut found: Vec<Receipt> = Vec::new();
        let mut is_full = true;
        while is_full && found.len() < PAGE_MAX {
            let params = [from.into(), before.into(), station.into(), last.0.into(), last.1.into()];
            let page: Vec<Receipt> = snapshot.select(condition, &params)?;
            is_full = page.len() >= PAGE_MAX;
            last = page.last().map_or_else(Default::default, |one| (one.issued_at.millis(), one.id.to_string()));
            found.extend(page.into_iter().filter(|receipt| self.has(receipt)));
        }
        found.truncate(PAGE_MAX);
        snapshot.each(&found, row)
    }
}

impl ReadReceipts {
    /// Returns whether a receipt is among those that no column tells.
    fn has(&self, receipt: &Receipt) -> bool {
        self.operator.as_ref().is_none_or(|operator| receipt.operator == *operator)
            && self.performance.is_none_or(|performance| receipt.is_of(performance))
            && self.means.is_none_or(|means| flows(receipt).any(|(kind, _)| kind == means))
    }
}

pub(in crate::engine::reads) fn row(snapshot: &mut Snapshot<'_>, receipt: &Receipt) -> Result<ReceiptRow, Failure> {
    let mut title = title(snapshot, &receipt.lines)?;
    if title.is_empty()
        && let Some(correction) = &receipt.correction
    {
        let first = correction.returned.first().map(std::slice::from_ref);
        let first = returns(snapshot, first.unwrap_or_default())?;
        title = first.into_iter().next().map_or(title, |first| first.title);
    }
    let seats = receipt.seat_count();
    let lost = receipt.lines.iter().map(|line| line.goods.lost().len());
    let lost = lost.sum();
    Ok(ReceiptRow {
        id: receipt.id,
        kind: receipt.kind(),
        number: receipt.number.clone(),
        issued_at: receipt.issued_at,
        station: receipt.station.clone(),
        operator: receipt.operator.clone(),
        customer: snapshot.customer(receipt.customer)?.name,
        seats,
        lost,
        to_collect: receipt.tickets.wait(),
        title,
        total: receipt.total,
        cash: receipt.in_cash(),
        card: receipt.by_card(),
        owed: flows(receipt).filter(|(kind, _)| *kind == MeansKind::Owed).map(|(_, flow)| flow.net()).sum(),
        currency: receipt.currency,
    })
}
