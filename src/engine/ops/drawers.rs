//! Drawers: the open till of a station, on which its receipts count.

use crate::domain::house::Station;
use crate::domain::receipt::Receipt;
use crate::domain::refusal::{Refusal, TillRefusal};
use crate::domain::till::{MeansKind, Till, flows};
use crate::engine::work::{Failure, UnitOfWork};

/// This station; a new one if nothing was issued at it yet.
pub(super) fn station(work: &mut UnitOfWork<'_>) -> Result<Station, Failure> {
    let name = work.actor().station.clone();
    Ok(work.find(&name)?.unwrap_or(Station { name, receipts: 0, tills: 0 }))
}

/// The open till of a station.
pub(super) fn open_of(work: &mut UnitOfWork<'_>, station: &Station) -> Result<Option<Till>, Failure> {
    if station.tills == 0 {
        return Ok(None);
    }
    let newest: Option<Till> = work.find(&Till::key_of(&station.name, station.tills))?;
    Ok(newest.filter(|till| till.closed.is_none()))
}

/// The open till of this station; refuses if it is closed.
pub(super) fn open(work: &mut UnitOfWork<'_>) -> Result<Till, Failure> {
    let station = station(work)?;
    let till = open_of(work, &station)?;
    till.ok_or_else(|| TillRefusal::TillClosed { station: station.name }.into())
}

/// Refuses money at this station where the house wants an open till and there is none.
pub(super) fn ready(work: &mut UnitOfWork<'_>) -> Result<(), Failure> {
    if work.settings()?.till_required {
        open(work)?;
    }
    Ok(())
}

/// Counts a receipt of this station on its open till, which gives no more cash than is in it. Where the house wants one,
/// nothing is sold, and no cash moves, without it.
pub(super) fn count(work: &mut UnitOfWork<'_>, station: &Station, receipt: &Receipt) -> Result<(), Failure> {
    match open_of(work, station)? {
        Some(mut till) => {
            till.count(receipt);
            enough(&till, receipt)?;
            work.put(&till)
        }
        None if needs_till(receipt) => ready(work),
        None => Ok(()),
    }
}

/// Refuses a receipt by which more cash went back than was in the till that counted it.
fn enough(till: &Till, receipt: &Receipt) -> Result<(), Refusal> {
    let currency = receipt.currency;
    let cash = flows(receipt).filter(|(means, _)| *means == MeansKind::Cash).map(|(_, flow)| flow.net()).sum::<i64>();
    match till.drawers.iter().find(|drawer| drawer.currency == currency) {
        Some(drawer) if cash < 0 && drawer.expected() < 0 => {
            let (left, back) = ((drawer.expected() - cash).max(0), -cash);
            Err(TillRefusal::TillShort { station: till.station.clone(), left, back, currency }.into())
        }
        Some(_) | None => Ok(()),
    }
}

/// Returns whether a receipt takes money, or gives cash back.
fn needs_till(receipt: &Receipt) -> bool {
    flows(receipt).any(|(means, flow)| flow.taken > 0 || means == MeansKind::Cash)
}
