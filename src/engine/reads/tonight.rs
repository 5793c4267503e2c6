//! Front page: performances, their sales, and tasks for the operator.

use std::collections::HashMap;

use chrono::Days;
use chrono_tz::Tz;
use serde::{Deserialize, Serialize};

use crate::domain::cart::Cart;
use crate::domain::house::Keep;
use crate::domain::ids::PerformanceId;
use crate::domain::line::seated;
use crate::domain::money::Currency;
use crate::domain::performance::{Performance, PerformanceState, Theater};
use crate::domain::receipt::Receipt;
use crate::domain::time::{Instant, Span, day_start};
use crate::engine::reads::waitlist::{self, WaitlistLength};
use crate::engine::reads::{Listed, PAGE_MAX, Question, Snapshot};
use crate::engine::work::Failure;
use crate::store::chunks;
use crate::store::{Fault, Row, Value};

mod needs;
mod pace;
mod tally;

pub use needs::{CanceledNight, Need, NeedKind};
pub use pace::{PACE_DAYS, Pace, ReadPace};
pub use tally::{ReadTally, Tally};

/// Performance with its sales.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PerformanceRow {
    pub id: PerformanceId,
    pub title: String,
    pub theater: String,
    pub zone: Tz,
    pub start: Instant,
    pub end: Instant,
    pub canceled: bool,
    pub seats: u32,
    pub free: u32,
    pub waiting: WaitlistLength,
}

/// Lists performances by start.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub struct ReadPerformances {
    /// Starting at or after this.
    pub from: Option<Instant>,
    /// Starting before this.
    pub before: Option<Instant>,
    pub after: Option<PerformanceId>,
    pub listed: Listed,
}

/// Sales of a station since the start of the business day.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Takings {
    pub station: String,
    pub receipts: u32,
    /// Seats sold, less those that came back.
    pub seats: i64,
    pub money: Vec<MoneyTaken>,
}

/// Money taken less what was given back, in one currency and in minor units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoneyTaken {
    pub currency: Currency,
    pub cash: i64,
    pub card: i64,
}

impl MoneyTaken {
    /// Money by both means.
    pub const fn total(&self) -> i64 {
        self.cash + self.card
    }
}

/// Money of all stations by means of payment, in one currency and in minor units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoneyByMeans {
    pub currency: Currency,
    /// Paid in cash today.
    pub cash: i64,
    /// Paid by card today.
    pub card: i64,
    /// Owed for all unpaid reservations.
    pub owed: i64,
}

/// Days of the curve of sales.
pub const SOLD_DAYS: u16 = 14;

/// Seats sold in each hour since a time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SoldByHour {
    /// Start of the first hour: of a day, [`SOLD_DAYS`] days with today.
    pub from: Instant,
    /// Seats of each hour; the current one last.
    pub hours: Vec<u32>,
}

/// Front page, from one snapshot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tonight {
    pub at: Instant,
    /// Time zone of the house.
    pub zone: Tz,
    /// Performances of the requested window, by start.
    pub performances: Vec<PerformanceRow>,
    /// Tasks for the operator, soonest first, unissued payments before all else.
    pub needs: Vec<Need>,
    /// Sales of each station today.
    pub takings: Vec<Takings>,
    /// Money by means of payment, by currency.
    pub means: Vec<MoneyByMeans>,
    pub sold: SoldByHour,
    pub has_theater: bool,
}

/// Reads the front page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReadTonight {
    pub from: Instant,
    /// Performances starting before this.
    pub before: Instant,
}

impl Question for ReadPerformances {
    type Answer = Vec<PerformanceRow>;

    fn ask(&self, snapshot: &mut Snapshot<'_>) -> Result<Vec<PerformanceRow>, Failure> {
        let mut performances = Vec::new();
        let mut after = self.after.map(|id| snapshot.get(id)).transpose()?;
        loop {
            let page = self.after(snapshot, after.as_ref())?;
            let is_last = page.len() < PAGE_MAX;
            after = page.last().cloned();
            let is_listed = |one: &Performance| self.listed.has(one.state == PerformanceState::Retired);
            performances.extend(page.into_iter().filter(is_listed));
            if is_last || performances.len() >= PAGE_MAX {
                break;
            }
        }
        performances.truncate(PAGE_MAX);
        let late = late_cells(snapshot)?;
        let cells = cells(snapshot, &performances)?;
        let mut rows = snapshot.each(&performances, |snapshot, performance| {
            let theater: Theater = snapshot.get(performance.theater)?;
            Ok(row((performance, theater), &cells, &late))
        })?;
        for (performance, line) in waitlist::lines(snapshot, None)? {
            if let Some(row) = rows.iter_mut().find(|row| row.id == performance) {
                row.waiting = line;
            }
        }
        Ok(rows)
    }
}

impl ReadPerformances {
    /// A page of performances, retired ones too.
    fn after(&self, snapshot: &mut Snapshot<'_>, after: Option<&Performance>) -> Result<Vec<Performance>, Failure> {
        let from = self.from.map_or(i64::MIN, Instant::millis);
        let before = self.before.map_or(i64::MAX, Instant::millis);
        let mut params: Vec<Value<'_>> = vec![from.into(), before.into()];
        let mut condition = String::from("WHERE start_at >= $1 AND start_at < $2");
        if let Some(last) = after {
            params.extend([last.start.millis().into(), last.id.to_string().into()]);
            condition.push_str(" AND (start_at > $3 OR (start_at = $3 AND key > $4))");
        }
        condition.push_str(" ORDER BY start_at, key LIMIT 100");
        snapshot.select(&condition, &params)
    }
}

/// Cells by performance that are stored as taken although their deadline has passed.
fn late_cells(snapshot: &mut Snapshot<'_>) -> Result<HashMap<PerformanceId, usize>, Failure> {
    let now: Value<'_> = snapshot.now().millis().into();
    let mut late: HashMap<PerformanceId, usize> = HashMap::new();
    let carts: Vec<Cart> =
        snapshot.select("WHERE state = 'active' AND expires_at <= $1", std::slice::from_ref(&now))?;
    for (performance, seats) in carts.iter().flat_map(|cart| seated(&cart.lines)) {
        *late.entry(performance).or_default() += seats.len();
    }
    let keeps: Vec<Keep> = snapshot.select("WHERE live > 0 AND until_at <= $1", &[now])?;
    for keep in keeps {
        *late.entry(keep.performance).or_default() += keep.live.len();
    }
    Ok(late)
}

/// Seats of performances, and those stored as free, by key.
fn cells(snapshot: &mut Snapshot<'_>, performances: &[Performance]) -> Result<HashMap<String, (u32, u32)>, Failure> {
    if performances.is_empty() {
        return Ok(HashMap::new());
    }
    let sums = format!(
        "SELECT MIN(key), CAST(SUM(cells) AS BIGINT), CAST(SUM(free) AS BIGINT) FROM chunk {} GROUP BY span.column1",
        chunks::between_each(performances.len())
    );
    let rows = performances.iter().flat_map(|performance| chunks::rows_of(&performance.id.to_string()));
    let rows: Vec<Value<'_>> = rows.collect();
    let count = |row: &Row, column| u32::try_from(row.int(column)).unwrap_or_default();
    let sum = |row: &Row| Some((chunks::chunk_at(row.text(0))?.resource, (count(row, 1), count(row, 2))));
    Ok(snapshot.query(&sums, &rows)?.iter().filter_map(sum).collect())
}

fn row(
    (performance, theater): (&Performance, Theater),
    cells: &HashMap<String, (u32, u32)>,
    late: &HashMap<PerformanceId, usize>,
) -> PerformanceRow {
    let (seats, free) = cells.get(&performance.id.to_string()).copied().unwrap_or_default();
    let late = late.get(&performance.id).and_then(|late| u32::try_from(*late).ok()).unwrap_or_default();
    PerformanceRow {
        id: performance.id,
        title: performance.title.clone(),
        theater: theater.name,
        zone: theater.time_zone,
        start: performance.start,
        end: performance.end,
        canceled: performance.state == PerformanceState::Canceled,
        seats,
        free: free + late,
        waiting: WaitlistLength::default(),
    }
}

impl Question for ReadTonight {
    type Answer = Tonight;

    fn ask(&self, snapshot: &mut Snapshot<'_>) -> Result<Tonight, Failure> {
        let settings = snapshot.settings()?;
        let zone = settings.time_zone;
        let today = settings.day_from(settings.day_at(snapshot.now()));
        let (from, before) = (Some(self.from), Some(self.before));
        let performances = ReadPerformances { from, before, ..ReadPerformances::default() }.ask(snapshot)?;
        let needs = needs::read(snapshot)?;
        let takings = takings(snapshot, today)?;
        Ok(Tonight {
            at: snapshot.now(),
            zone,
            performances,
            needs,
            takings,
            means: means(snapshot, today)?,
            sold: sold(snapshot, zone)?,
            has_theater: has_theater(snapshot)?,
        })
    }
}

fn has_theater(snapshot: &mut Snapshot<'_>) -> Result<bool, Failure> {
    let theaters: Vec<Theater> = snapshot.select("ORDER BY key", &[])?;
    Ok(theaters.iter().any(|theater| !theater.retired))
}

/// Seats sold in each hour of the last days.
fn sold(snapshot: &mut Snapshot<'_>, zone: Tz) -> Result<SoldByHour, Failure> {
    let hour = Span::minutes(60).millis();
    let today = snapshot.now().in_zone(zone).date_naive();
    let from = day_start(today - Days::new(u64::from(SOLD_DAYS) - 1), zone);
    let current = usize::try_from(snapshot.now().since(from).millis() / hour).unwrap_or(0);
    let mut hours = vec![0; current + 1];
    let sums = "SELECT (issued_at - $1) / $2, CAST(SUM(seats) AS BIGINT) FROM receipt WHERE issued_at >= $1 GROUP BY 1";
    for row in snapshot.query(sums, &[from.millis().into(), hour.into()])? {
        let hour = usize::try_from(row.int(0)).unwrap_or(0).min(current);
        if let Some(seats) = hours.get_mut(hour) {
            *seats += u32::try_from(row.int(1)).unwrap_or(u32::MAX);
        }
    }
    Ok(SoldByHour { from, hours })
}

/// Money of today and of unpaid reservations, by means of payment.
fn means(snapshot: &mut Snapshot<'_>, today: Instant) -> Result<Vec<MoneyByMeans>, Failure> {
    let sums = "SELECT currency, CAST(SUM(cash) AS BIGINT), CAST(SUM(card) AS BIGINT), CAST(SUM(owed) AS BIGINT) FROM ( \
                SELECT currency, cash, card, 0 AS owed FROM receipt WHERE issued_at >= $1 UNION ALL \
                SELECT currency, 0 AS cash, 0 AS card, owed FROM cart WHERE state = 'active' AND reserved = 1 AND owed > 0 AND expires_at > $2 \
                ) AS money GROUP BY currency ORDER BY currency";
    let times = [today.millis().into(), snapshot.now().millis().into()];
    let rows = snapshot.query(sums, &times)?;
    let means = rows.iter().map(|row| {
        let currency = row.text(0).parse::<Currency>();
        Ok(MoneyByMeans {
            currency: currency.map_err(|error| Fault::Broken(error.to_string()))?,
            cash: row.int(1),
            card: row.int(2),
            owed: row.int(3),
        })
    });
    means.collect()
}

/// Sales of each station since a time.
fn takings(snapshot: &mut Snapshot<'_>, today: Instant) -> Result<Vec<Takings>, Failure> {
    let sums = "SELECT station, currency, COUNT(*), CAST(SUM(seats) AS BIGINT), CAST(SUM(cash) AS BIGINT), \
                CAST(SUM(card) AS BIGINT) FROM receipt \
                WHERE issued_at >= $1 GROUP BY station, currency ORDER BY station, currency";
    let mut stations: Vec<Takings> = Vec::new();
    for row in snapshot.query(sums, &[today.millis().into()])? {
        let (station, currency) = (row.text(0), row.text(1).parse::<Currency>());
        let currency = currency.map_err(|error| Fault::Broken(error.to_string()))?;
        if stations.last().is_none_or(|last| last.station != station) {
            stations.push(Takings { station: station.to_owned(), receipts: 0, seats: 0, money: Vec::new() });
        }
        if let Some(takings) = stations.last_mut() {
            takings.receipts += u32::try_from(row.int(2)).unwrap_or(u32::MAX);
            takings.seats += row.int(3);
            takings.money.push(MoneyTaken { currency, cash: row.int(4), card: row.int(5) });
        }
    }
    let corrections = "WHERE issued_at >= $1 AND body LIKE '%\"correction\"%' ORDER BY key";
    for receipt in snapshot.select::<Receipt>(corrections, &[today.millis().into()])? {
        if let Some(takings) = stations.iter_mut().find(|one| one.station == receipt.station) {
            takings.seats -= receipt.returned_seats();
        }
    }
    Ok(stations)
}
