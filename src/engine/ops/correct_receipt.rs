//! Corrects a receipt: refund, release, goodwill.

use serde::{Deserialize, Serialize};

use crate::domain::cart::Cart;
use crate::domain::correction::{BackBy, ReceiptKind, ReturnTerms, price_of};
use crate::domain::ids::ReceiptId;
use crate::domain::loss::CellGroup;
use crate::domain::receipt::Receipt;
use crate::domain::refusal::{CorrectionRefusal, Problem, Refusal};
use crate::engine::ops::carts::new_cart;
use crate::engine::ops::hand_over::TicketsTo;
use crate::engine::ops::receipts::{self, Due};
use crate::engine::ops::returns;
use crate::engine::work::{Failure, Operation, UnitOfWork};

/// Takes cells of a receipt back, gives money back, or both, by a correcting receipt of this station.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CorrectReceipt {
    pub receipt: ReceiptId,
    pub act: CorrectionAct,
    pub reason: String,
}

/// Act on a sold receipt. Cells are those named, or all that are left.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CorrectionAct {
    /// Cells back, and their price or a smaller amount.
    Refund {
        cells: Option<Vec<CellGroup>>,
        by: BackBy,
        /// In minor units; the whole price if `None`.
        amount: Option<i64>,
    },
    /// Cells back without money.
    Release { cells: Option<Vec<CellGroup>> },
    /// Money back, and the cells stay with the customer.
    Goodwill { by: BackBy, amount: i64 },
    /// Lost cells are given up without money.
    Waive { cells: Vec<CellGroup> },
}

impl CorrectionAct {
    const fn kind(&self) -> ReceiptKind {
        match self {
            Self::Refund { .. } => ReceiptKind::Refund,
            Self::Release { .. } => ReceiptKind::Release,
            Self::Goodwill { .. } => ReceiptKind::Goodwill,
            Self::Waive { .. } => ReceiptKind::Waiver,
        }
    }
}

impl Operation for CorrectReceipt {
    const VERB: &'static str = "correct_receipt";
    type Answer = Receipt;

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<Receipt, Failure> {
        let receipt: Receipt = work.get(self.receipt)?;
        let settings = work.settings()?;
        let mut cart = new_cart(work, &settings, None);
        cart.customer = receipt.customer;
        cart.currency = Some(receipt.currency);
        let (by, fee) = self.terms(work, &mut cart, &receipt)?;
        let currency = receipt.currency;
        let total = cart.total()? + fee;
        let reason = self.reason.clone();
        let terms = ReturnTerms { reason, by, fee }.checked(total, currency)?;
        let mut correction = receipts::correction(&cart, self.act.kind(), (terms, total));
        correction.of = vec![receipt.id];
        let due = Due {
            total,
            currency,
            payments: Vec::new(),
            correction: Some(correction),
        };
        receipts::issue(work, &mut cart, (due, TicketsTo::Customer))
    }
}

impl CorrectReceipt {
    /// Adds the cells to the cart; returns the means of paying back, if anything is, and the fee.
    fn terms(
        &self,
        work: &mut UnitOfWork<'_>,
        cart: &mut Cart,
        receipt: &Receipt,
    ) -> Result<(Option<BackBy>, i64), Failure> {
        match &self.act {
            CorrectionAct::Refund { cells, by, amount } => {
                returns::add(work, cart, (receipt, cells.as_deref()))?;
                let price = price_of(&cart.returns)?;
                let amount = at_most(amount.unwrap_or(price), (price, receipt))?;
                Ok(((amount > 0).then(|| by.clone()), price - amount))
            }
            CorrectionAct::Release { cells } => {
                returns::add(work, cart, (receipt, cells.as_deref()))?;
                Ok((None, price_of(&cart.returns)?))
            }
            CorrectionAct::Goodwill { by, amount } => {
                let amount = at_most(*amount, (receipt.left()?, receipt))?;
                if amount == 0 {
                    return Err(Refusal::bad("amount", Problem::Amount).into());
                }
                Ok((Some(by.clone()), -amount))
            }
            CorrectionAct::Waive { cells } => {
                let is_live = |cells: &CellGroup| {
                    let live = receipt.lines.iter().filter_map(|line| line.goods.live());
                    live.map(|live| live.meet(cells)).any(|one| !one.is_empty())
                };
                if cells.iter().any(is_live) {
                    let receipt = receipt.number.clone();
                    return Err(CorrectionRefusal::NotLost { receipt }.into());
                }
                returns::add(work, cart, (receipt, Some(cells)))?;
                Ok((None, price_of(&cart.returns)?))
            }
        }
    }
}

/// Checks an amount to give back against the most that can be given.
fn at_most(amount: i64, (most, receipt): (i64, &Receipt)) -> Result<i64, Refusal> {
    if amount < 0 {
        return Err(Refusal::bad("amount", Problem::Negative));
    }
    if amount > most {
        return Err(CorrectionRefusal::MoreThanPaid {
            receipt: receipt.number.clone(),
            left: most,
            currency: receipt.currency,
        }
        .into());
    }
    Ok(amount)
}
