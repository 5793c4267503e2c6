//! Till checks: numbers without gaps, at most the newest of a station open, and sums that are those of the receipts.

use std::collections::BTreeMap;

use super::each_page;
use super::report::{Invariant, Report};
use crate::domain::house::Station;
use crate::domain::receipt::Receipt;
use crate::domain::till::Till;
use crate::engine::Failure;
use crate::engine::reads::Snapshot;

pub(super) fn check(snapshot: &mut Snapshot<'_>, report: &mut Report) -> Result<(), Failure> {
    let mut tills: BTreeMap<String, Vec<Till>> = BTreeMap::new();
    each_page(snapshot, &mut |_, page: Vec<Till>| {
        for till in page {
            tills.entry(till.station.clone()).or_default().push(till);
        }
        Ok(())
    })?;
    if tills.is_empty() {
        return Ok(());
    }
    for tills in tills.values_mut() {
        tills.sort_by_key(|till| till.number);
    }
    let mut counted = tills.clone();
    for till in counted.values_mut().flatten() {
        till.last = till.after;
        for drawer in &mut till.drawers {
            (drawer.cash, drawer.card, drawer.owed) = Default::default();
        }
    }
    each_page(snapshot, &mut |_, page: Vec<Receipt>| {
        for receipt in page {
            let number = receipt.number.rsplit('/').next().and_then(|number| number.parse::<u64>().ok());
            let (Some(number), Some(on)) = (number, tills.get(&receipt.station)) else {
                continue;
            };
            let place = on.partition_point(|till| till.last < number);
            let till = counted.get_mut(&receipt.station).and_then(|counted| counted.get_mut(place));
            if let Some(till) = till.filter(|till| till.after < number) {
                till.count(&receipt);
            }
        }
        Ok(())
    })?;
    for (station, tills) in &tills {
        let known = snapshot.find::<Station>(station)?.map_or(0, |station| station.tills);
        let numbers: Vec<u64> = tills.iter().map(|till| till.number).collect();
        report.checked += tills.len();
        report.expect(
            numbers.iter().copied().eq(1..=known),
            (Invariant::Money, &format!("tills of {station}")),
            || format!("their numbers are {numbers:?}, and the last is {known}"),
        );
        for (place, till) in tills.iter().enumerate() {
            let subject = format!("till {}", till.key());
            let sums = counted.get(station).and_then(|counted| counted.get(place));
            report.expect(sums == Some(till), (Invariant::Money, &subject), || {
                format!("it has {:?}, its receipts say {:?}", till.drawers, sums.map(|sums| &sums.drawers))
            });
            report.expect(till.number == known || till.closed.is_some(), (Invariant::Money, &subject), || {
                "it is open, and not the newest".to_owned()
            });
        }
    }
    Ok(())
}
