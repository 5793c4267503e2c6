//! Sums of receipts over a time: by station, operator, means, performance, resource, ticket type and tax.
//!
//! # Invariants
//! - In each currency the rows of a group sum up to the receipts' totals; performances, resources and fees do together.
//! - Comps count as seats, never as money.

use std::collections::{BTreeMap, BTreeSet};

use crate::domain::booking::Booking;
use crate::domain::correction::Correction;
use crate::domain::ids::{BookingId, PerformanceId};
use crate::domain::line::Goods;
use crate::domain::loss::CellGroup;
use crate::domain::money::Currency;
use crate::domain::performance::{Performance, Theater};
use crate::domain::receipt::Receipt;
use crate::domain::resource::{Resource, ResourceId};
use crate::domain::till::{MeansKind, MoneyFlow, flows};
use crate::domain::time::Instant;
use crate::engine::reads::{Question, Snapshot};
use crate::engine::work::Failure;
use crate::store::document::{self, DocKind};

/// Receipts that are read at once.
const RECEIPTS_TOGETHER: usize = 500;

/// Sums receipts that were issued in a time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadSums {
    pub from: Instant,
    pub until: Instant,
    /// Only those of a station.
    pub station: Option<String>,
    /// Only those of an operator.
    pub operator: Option<String>,
}

/// Group of sums, in the order in which they are told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, strum::IntoStaticStr, strum::VariantArray)]
#[strum(serialize_all = "snake_case")]
pub enum SumBy {
    Station,
    Operator,
    Means,
    Performance,
    Resource,
    Fee,
    TicketType,
    Tax,
}

/// Subject of a sum.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SumOf {
    /// Performance, by its start.
    Night(Instant, String),
    Named(String),
    /// Time of resources, and payments of bookings, which have no ticket type.
    Time,
    /// Fees that were kept, less what was given without return.
    Fees,
    Untaxed,
    Means(MeansKind),
}

/// Sum of a group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sum {
    pub by: SumBy,
    pub of: SumOf,
    pub currency: Currency,
    /// Number of receipts that are part of it.
    pub receipts: u32,
    /// Seats sold less those that came back, without comps.
    pub seats: i64,
    /// Seats given away less those that came back.
    pub comps: i64,
    /// Money in minor units.
    pub money: MoneyFlow,
    /// Tax within the money, in minor units.
    pub tax: i64,
}

impl Question for ReadSums {
    type Answer = Vec<Sum>;

    fn ask(&self, snapshot: &mut Snapshot<'_>) -> Result<Vec<Sum>, Failure> {
        let mut sums = Sums::default();
        let (mut at, mut key) = (self.from.millis(), String::new());
        loop {
            let condition = format!(
                "WHERE issued_at < $1 AND (issued_at > $2 OR (issued_at = $2 AND key > $3)) \
                 AND ($4 = '' OR station = $4) ORDER BY issued_at, key LIMIT {RECEIPTS_TOGETHER}"
            );
            let station = self.station.as_deref().unwrap_or_default();
            let params = [self.until.millis().into(), at.into(), key.as_str().into(), station.into()];
            let page = document::select(snapshot.sql(), DocKind::Receipt, &condition, &params)?;
            let receipts: Vec<Receipt> = document::parse_all(&page)?;
            let is_last = page.len() < RECEIPTS_TOGETHER;
            let Some(last) = receipts.last() else { break };
            (at, key) = (last.issued_at.millis(), last.id.to_string());
            let by = |receipt: &&Receipt| self.operator.as_ref().is_none_or(|operator| receipt.operator == *operator);
            for receipt in receipts.iter().filter(by) {
                sums.add(receipt, parts(snapshot, receipt)?);
            }
            if is_last {
                break;
            }
        }
        Ok(sums.0.into_values().collect())
    }
}

/// Part of a receipt that adds to a sum.
#[derive(Clone, Copy, Default)]
struct Part {
    seats: i64,
    comps: i64,
    money: MoneyFlow,
    tax: i64,
}

#[derive(Default)]
struct Sums(BTreeMap<(SumBy, Currency, SumOf), Sum>);

impl Sums {
    /// Adds the parts of a receipt, which counts once in each sum.
    fn add(&mut self, receipt: &Receipt, parts: Vec<(SumBy, SumOf, Part)>) {
        let mut counted = BTreeSet::new();
        for (by, of, part) in parts {
            let currency = receipt.currency;
            let empty = Sum {
                by,
                of: of.clone(),
                currency,
                receipts: 0,
                seats: 0,
                comps: 0,
                money: MoneyFlow::default(),
                tax: 0,
            };
            let sum = self.0.entry((by, currency, of.clone())).or_insert(empty);
            sum.receipts += u32::from(counted.insert((by, of)));
            sum.seats += part.seats;
            sum.comps += part.comps;
            sum.money.add(part.money);
            sum.tax += part.tax;
        }
    }
}

/// All parts of a receipt, by each group.
fn parts(snapshot: &mut Snapshot<'_>, receipt: &Receipt) -> Result<Vec<(SumBy, SumOf, Part)>, Failure> {
    let mut parts = Vec::new();
    let mut whole = Part::default();
    for (means, money) in flows(receipt) {
        whole.money.add(money);
        parts.push((SumBy::Means, SumOf::Means(means), Part { money, ..Part::default() }));
    }
    for line in &receipt.lines {
        let money = MoneyFlow { taken: line.total()?, back: 0 };
        match &line.goods {
            Goods::Seats { performance, .. } => {
                let part = seats(line.comp, (line.count.into(), money));
                parts.extend(of_night(snapshot, *performance, (&line.kind, part))?);
            }
            Goods::Time { resource, .. } => parts.extend(of_resource(snapshot, resource, money)?),
            Goods::Booking { booking } => parts.extend(of_booking(snapshot, *booking, money)?),
        }
    }
    for returned in receipt.correction.iter().flat_map(|one| &one.returned) {
        let money = MoneyFlow { taken: 0, back: returned.total()? };
        match &returned.cells {
            CellGroup::Seats { performance, .. } => {
                let part = seats(returned.comp, (-i64::from(returned.count), money));
                parts.extend(of_night(snapshot, *performance, (&returned.kind, part))?);
            }
            CellGroup::Time { resource, .. } => parts.extend(of_resource(snapshot, resource, money)?),
        }
    }
    for (_, _, part) in parts.iter().filter(|(by, ..)| *by == SumBy::Performance) {
        whole.seats += part.seats;
        whole.comps += part.comps;
    }
    if let Some(correction) = &receipt.correction {
        parts.extend(fee(snapshot, correction)?);
    }
    parts.extend(taxes(receipt));
    parts.push((SumBy::Station, SumOf::Named(receipt.station.clone()), whole));
    parts.push((SumBy::Operator, SumOf::Named(receipt.operator.clone()), whole));
    Ok(parts)
}

/// Part of seats, by whether they were given away.
fn seats(comp: bool, (count, money): (i64, MoneyFlow)) -> Part {
    let (seats, comps) = if comp { (0, count) } else { (count, 0) };
    Part { seats, comps, money, ..Part::default() }
}

/// Fee of a correction; money given back for a booking is of the booking's resource.
fn fee(snapshot: &mut Snapshot<'_>, correction: &Correction) -> Result<Vec<(SumBy, SumOf, Part)>, Failure> {
    let money = signed(correction.fee);
    if money == MoneyFlow::default() {
        return Ok(Vec::new());
    }
    if let Some(booking) = correction.booking {
        return of_booking(snapshot, booking, money);
    }
    let part = Part { money, ..Part::default() };
    Ok([SumBy::Fee, SumBy::TicketType].map(|by| (by, SumOf::Fees, part)).into())
}

/// Parts by rate of tax, and what is not taxed.
fn taxes(receipt: &Receipt) -> Vec<(SumBy, SumOf, Part)> {
    let rated = receipt.taxes.iter().map(|one| {
        let part = Part { money: signed(one.gross), tax: one.tax, ..Part::default() };
        (SumBy::Tax, SumOf::Named(one.rate.to_string()), part)
    });
    let untaxed = receipt.total - receipt.taxes.iter().map(|one| one.gross).sum::<i64>();
    let untaxed = (untaxed != 0).then(|| {
        let part = Part { money: signed(untaxed), ..Part::default() };
        (SumBy::Tax, SumOf::Untaxed, part)
    });
    rated.chain(untaxed).collect()
}

/// Money in, or back where it is below zero.
fn signed(minor: i64) -> MoneyFlow {
    MoneyFlow { taken: minor.max(0), back: (-minor).max(0) }
}

fn of_night(
    snapshot: &mut Snapshot<'_>,
    id: PerformanceId,
    (kind, part): (&str, Part),
) -> Result<[(SumBy, SumOf, Part); 2], Failure> {
    let performance: Performance = snapshot.get(id)?;
    let theater: Theater = snapshot.get(performance.theater)?;
    let start = performance.start.format(theater.time_zone, "%a %-d %b %Y %H:%M");
    let night = SumOf::Night(performance.start, format!("{}, {start}", performance.title));
    Ok([(SumBy::Performance, night, part), (SumBy::TicketType, SumOf::Named(kind.to_owned()), part)])
}

fn of_resource(
    snapshot: &mut Snapshot<'_>,
    id: &ResourceId,
    money: MoneyFlow,
) -> Result<Vec<(SumBy, SumOf, Part)>, Failure> {
    let resource: Resource = snapshot.get(id)?;
    let part = Part { money, ..Part::default() };
    Ok(vec![(SumBy::Resource, SumOf::Named(resource.name), part), (SumBy::TicketType, SumOf::Time, part)])
}

fn of_booking(
    snapshot: &mut Snapshot<'_>,
    id: BookingId,
    money: MoneyFlow,
) -> Result<Vec<(SumBy, SumOf, Part)>, Failure> {
    let booking: Booking = snapshot.get(id)?;
    match booking.taken.first() {
        Some(taken) => of_resource(snapshot, &taken.resource, money),
        None => Ok(Vec::new()),
    }
}
