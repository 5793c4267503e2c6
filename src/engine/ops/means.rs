//! Money paid by the means of receipts, together with the receipts that they were exchanged from or for.

use std::collections::BTreeMap;

use crate::domain::back::{Paid, Share};
use crate::domain::ids::ReceiptId;
use crate::domain::money::Currency;
use crate::domain::receipt::Receipt;
use crate::domain::refusal::CorrectionRefusal;
use crate::engine::work::{Failure, UnitOfWork};

/// Money that the means of some receipts paid and did not get back. Money of an exchange was paid by the receipts that it corrects.
pub(super) fn paid(work: &mut UnitOfWork<'_>, of: &[ReceiptId]) -> Result<Paid, Failure> {
    Ok(Paid::of(&family(work, of)?))
}

/// Some receipts with all that correct them or that they correct, oldest first.
pub(super) fn family(work: &mut UnitOfWork<'_>, of: &[ReceiptId]) -> Result<Vec<Receipt>, Failure> {
    let mut known: BTreeMap<ReceiptId, Receipt> = BTreeMap::new();
    let mut next = of.to_vec();
    while let Some(id) = next.pop() {
        if known.contains_key(&id) {
            continue;
        }
        let receipt: Receipt = work.get(id)?;
        next.extend(&receipt.corrected_by);
        next.extend(receipt.correction.iter().flat_map(|correction| &correction.of));
        known.insert(id, receipt);
    }
    let mut family: Vec<Receipt> = known.into_values().collect();
    // of one instant, those of a station are in the order of their numbers
    family.sort_by_cached_key(|one| (one.issued_at, one.number.len(), one.number.clone()));
    Ok(family)
}

/// Refuses a fee beyond what can go back.
pub(super) fn kept_of(left: i64, share: Share, currency: Currency) -> Result<(), CorrectionRefusal> {
    if (0..=left).contains(&share.kept()) { Ok(()) } else { Err(CorrectionRefusal::KeptOver { left, currency }) }
}
