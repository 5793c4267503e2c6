//! Credits: money that became owed with a correcting receipt, and payments with it.

use std::collections::BTreeMap;

use crate::domain::correction::BackBy;
use crate::domain::credit::{Credit, CreditCode, CreditEntry};
use crate::domain::money::{self, Currency};
use crate::domain::receipt::{Means, Receipt, Tender};
use crate::domain::refusal::{CreditRefusal, Refusal};
use crate::engine::work::{Failure, UnitOfWork};

/// Gives credits without an amount what they pay of a total; refuses those that can't pay their amount.
pub(super) fn tender(
    work: &mut UnitOfWork<'_>,
    tenders: &mut [Tender],
    (total, currency): (i64, Currency),
) -> Result<(), Failure> {
    let exact = tenders.iter().filter_map(|tender| match tender {
        Tender::Card { charged, .. } => *charged,
        Tender::Owed { amount, .. } => *amount,
        Tender::Cash { .. } => None,
    });
    let mut rest = total.saturating_sub(money::sum(exact)?).max(0);
    let mut spent: BTreeMap<CreditCode, i64> = BTreeMap::new();
    for tender in tenders {
        let Tender::Owed { credit, amount } = tender else {
            continue;
        };
        let known = valid(work, *credit, currency)?;
        let spent = spent.entry(*credit).or_default();
        let left = known.left() - *spent;
        let minor = amount.unwrap_or_else(|| left.min(rest));
        if minor > left || left == 0 {
            return Err(short(&known, left).into());
        }
        if amount.is_none() {
            rest -= minor;
        }
        *amount = Some(minor);
        *spent += minor;
    }
    Ok(())
}

/// Loads a credit that can pay in a currency.
fn valid(work: &mut UnitOfWork<'_>, code: CreditCode, currency: Currency) -> Result<Credit, Failure> {
    let Some(credit) = work.find::<Credit>(&code.to_string())? else {
        return Err(Refusal::not_found("credit", code.to_string()).into());
    };
    if credit.currency != currency {
        return Err(CreditRefusal::OtherCurrency { code, currency: credit.currency, due: currency }.into());
    }
    if let Some(until) = credit.until.filter(|_| credit.is_over(work.now())) {
        return Err(CreditRefusal::Expired { code, until }.into());
    }
    Ok(credit)
}

fn short(credit: &Credit, left: i64) -> CreditRefusal {
    CreditRefusal::Short { code: credit.code, left, currency: credit.currency }
}

/// Enters a receipt into the credits that it was paid with, and into those that it makes or gives back to.
pub(super) fn enter(work: &mut UnitOfWork<'_>, receipt: &mut Receipt) -> Result<(), Failure> {
    let id = receipt.id;
    for payment in &receipt.payments {
        if let Means::Owed { credit } = payment.means {
            let mut credit = valid(work, credit, receipt.currency)?;
            let left = credit.left();
            if payment.minor > left {
                return Err(short(&credit, left).into());
            }
            credit.entries.push(CreditEntry { receipt: id, minor: -payment.minor });
            work.put(&credit)?;
        }
    }
    let back = receipt.correction.iter_mut();
    for back in back.flat_map(|correction| &mut correction.paid_back) {
        if back.by != BackBy::Owed {
            continue;
        }
        let entry = CreditEntry { receipt: id, minor: back.minor };
        if let Some(code) = back.credit {
            let mut credit: Credit = work.get(code)?;
            // nothing could be paid with one that expired meanwhile
            if !credit.is_over(work.now()) {
                credit.entries.push(entry);
                work.put(&credit)?;
                continue;
            }
        }
        let life = work.settings()?.credit_life;
        let credit = Credit {
            code: CreditCode::random(),
            currency: receipt.currency,
            entries: vec![entry],
            until: (life.millis() > 0).then(|| work.now() + life),
        };
        back.credit = Some(credit.code);
        work.create(&credit)?;
    }
    Ok(())
}
