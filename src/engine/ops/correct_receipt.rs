//! Corrects a receipt: refund, release, goodwill.

use serde::{Deserialize, Serialize};

use crate::domain::back::{Back, ReturnTerms, Share};
use crate::domain::cart::Cart;
use crate::domain::correction::{BackBy, ReceiptKind, price_of};
use crate::domain::ids::{PerformanceId, ReceiptId};
use crate::domain::loss::CellGroup;
use crate::domain::performance::{Performance, PerformanceState};
use crate::domain::plan::SeatRef;
use crate::domain::private;
use crate::domain::receipt::{Receipt, Tickets};
use crate::domain::refusal::{CorrectionRefusal, Problem, Refusal, VoidProblem};
use crate::engine::ops::carts::new_cart;
use crate::engine::ops::hand_over::TicketsTo;
use crate::engine::ops::keeps::KeepTerms;
use crate::engine::ops::receipts::{self, Due};
use crate::engine::ops::returns::{self, AskedBack};
use crate::engine::ops::{keeps, means, paying};
use crate::engine::work::{Failure, Operation, UnitOfWork};

/// Takes cells of a receipt back, gives money back, or both, by a correcting receipt of this station.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CorrectReceipt {
    pub receipt: ReceiptId,
    pub act: CorrectionAct,
    #[serde(with = "private")]
    pub reason: String,
    /// Terms on which the house keeps the seats that come back; on sale at once if `None`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub keep: Option<KeepTerms>,
}

/// Act on a sold receipt. Cells are those named, or all that are left.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CorrectionAct {
    /// Cells back, and their price or a share of it.
    Refund { cells: Option<Vec<CellGroup>>, back: Back, share: Share },
    /// Cells back without money.
    Release { cells: Option<Vec<CellGroup>> },
    /// Money back, and the cells stay with the customer.
    Goodwill { back: Back, amount: i64 },
    /// Lost cells are given up without money.
    Waive { cells: Vec<CellGroup> },
    /// A sale of this station and day is undone: all cells and all money back, by the means that it came by.
    Void,
    /// All that a canceled performance took away is given back.
    Settle { performance: PerformanceId, by: SettleBy },
}

/// Means by which the orders of a canceled performance are settled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SettleBy {
    /// By the means that paid; what was paid in cash becomes a credit.
    AsPaid,
    Owed,
}

impl CorrectionAct {
    const fn kind(&self) -> ReceiptKind {
        match self {
            Self::Refund { .. } | Self::Settle { .. } => ReceiptKind::Refund,
            Self::Release { .. } => ReceiptKind::Release,
            Self::Goodwill { .. } => ReceiptKind::Goodwill,
            Self::Waive { .. } => ReceiptKind::Waiver,
            Self::Void => ReceiptKind::Void,
        }
    }
}

impl Operation for CorrectReceipt {
    const VERB: &'static str = "correct_receipt";
    type Answer = Receipt;

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<Receipt, Failure> {
        self.of_line(work, None)
    }
}

impl CorrectReceipt {
    /// Corrects one line, or all that have the cells.
    pub(super) fn of_line(&self, work: &mut UnitOfWork<'_>, line: Option<u32>) -> Result<Receipt, Failure> {
        let receipt: Receipt = work.get(self.receipt)?;
        let settings = work.settings()?;
        let mut cart = new_cart(work, &settings, None);
        cart.customer = receipt.customer;
        cart.currency = Some(receipt.currency);
        let fee = self.bring(work, &mut cart, (&receipt, line))?;
        let currency = receipt.currency;
        let total = cart.total()? + fee;
        let back = if total < 0 { self.back() } else { Back::default() };
        let terms = ReturnTerms { reason: self.reason.clone(), back, ..ReturnTerms::default() };
        let terms = terms.checked(total, currency)?;
        let given = means::paid(work, &[receipt.id])?.give(-total, &terms.back, currency)?;
        let given = if self.is_settled_as_paid() { given.without_cash() } else { given };
        let mut correction = receipts::correction(&cart, self.act.kind(), fee, (given, terms.reason));
        correction.of = vec![receipt.id];
        if let CorrectionAct::Settle { performance, .. } = &self.act {
            correction.settles = Some(*performance);
        }
        let kept = self.live(&receipt, &cart)?;
        let due = Due { total, currency, payments: Vec::new(), correction: Some(correction), comp: String::new() };
        let issued = receipts::issue(work, &mut cart, (due, TicketsTo::Customer))?;
        if let Some(terms) = &self.keep {
            for seats in kept {
                keeps::keep(work, seats, terms)?;
            }
        }
        Ok(issued)
    }

    /// The seats that the house keeps: those that come back and that the customer still has.
    fn live(&self, receipt: &Receipt, cart: &Cart) -> Result<Vec<(PerformanceId, Vec<SeatRef>)>, Refusal> {
        if self.keep.is_none() {
            return Ok(Vec::new());
        }
        let mut kept: Vec<(PerformanceId, Vec<SeatRef>)> = Vec::new();
        for returned in &cart.returns {
            let live = receipt.live_of(returned.line);
            if let CellGroup::Seats { performance, seats } = &returned.cells {
                let seats = seats.iter().copied().filter(|seat| live.contains(seat));
                let seats: Vec<SeatRef> = seats.collect();
                match kept.iter_mut().find(|(id, _)| id == performance) {
                    Some((_, known)) => known.extend(seats),
                    None => kept.push((*performance, seats)),
                }
            }
        }
        kept.retain(|(_, seats)| !seats.is_empty());
        if kept.is_empty() {
            return Err(Refusal::NothingChosen);
        }
        Ok(kept)
    }

    /// The means by which money goes back.
    fn back(&self) -> Back {
        match &self.act {
            CorrectionAct::Refund { back, .. } | CorrectionAct::Goodwill { back, .. } => back.clone(),
            CorrectionAct::Settle { by: SettleBy::Owed, .. } => BackBy::Owed.into(),
            CorrectionAct::Settle { by: SettleBy::AsPaid, .. }
            | CorrectionAct::Release { .. }
            | CorrectionAct::Waive { .. }
            | CorrectionAct::Void => Back::default(),
        }
    }

    /// Returns whether it settles an order of customers who are not there.
    const fn is_settled_as_paid(&self) -> bool {
        matches!(self.act, CorrectionAct::Settle { by: SettleBy::AsPaid, .. })
    }

    /// Adds the cells to the cart; returns the fee.
    fn bring(
        &self,
        work: &mut UnitOfWork<'_>,
        cart: &mut Cart,
        (receipt, only): (&Receipt, Option<u32>),
    ) -> Result<i64, Failure> {
        let asked = |cells| AskedBack { line: only, cells };
        match &self.act {
            CorrectionAct::Refund { cells, share, .. } => {
                refund(work, cart, (receipt, asked(cells.as_deref())), *share)
            }
            CorrectionAct::Release { cells } => {
                returns::add(work, cart, (receipt, asked(cells.as_deref())))?;
                Ok(price_of(&cart.returns)?)
            }
            CorrectionAct::Goodwill { amount, .. } => {
                let amount = at_most(*amount, (paying::left(work, receipt)?, receipt))?;
                if amount == 0 {
                    return Err(Refusal::bad("amount", Problem::Nothing).into());
                }
                Ok(-amount)
            }
            CorrectionAct::Waive { cells } => {
                let is_live = |cells: &CellGroup| {
                    let lines = receipt.lines.iter().filter(|one| only.is_none_or(|number| one.number == number));
                    let live = lines.filter_map(|one| one.goods.live());
                    live.map(|live| live.meet(cells)).any(|one| !one.is_empty())
                };
                if cells.iter().any(is_live) {
                    let receipt = receipt.number.clone();
                    return Err(CorrectionRefusal::NotLost { receipt }.into());
                }
                returns::add(work, cart, (receipt, asked(Some(cells))))?;
                Ok(price_of(&cart.returns)?)
            }
            CorrectionAct::Settle { performance, .. } => {
                let cells = lost_by(work, receipt, *performance)?;
                refund(work, cart, (receipt, asked(Some(&[cells]))), Share::All)
            }
            CorrectionAct::Void => {
                if let Some(why) = void_problem(work, receipt)? {
                    let receipt = receipt.number.clone();
                    return Err(CorrectionRefusal::NotVoidable { receipt, why }.into());
                }
                returns::add(work, cart, (receipt, asked(None)))?;
                Ok(0)
            }
        }
    }
}

/// Adds cells to the cart, to be given back for a share of as much of their price as is left; returns the fee.
fn refund(
    work: &mut UnitOfWork<'_>,
    cart: &mut Cart,
    of: (&Receipt, AskedBack<'_>),
    share: Share,
) -> Result<i64, Failure> {
    returns::add(work, cart, of)?;
    let price = price_of(&cart.returns)?;
    let most = price.min(paying::left(work, of.0)?);
    means::kept_of(most, share, of.0.currency)?;
    Ok(price - at_most(share.of(most), (most, of.0))?)
}

/// The seats that a canceled performance took away from a receipt.
fn lost_by(work: &mut UnitOfWork<'_>, receipt: &Receipt, performance: PerformanceId) -> Result<CellGroup, Failure> {
    let night: Performance = work.get(performance)?;
    if night.state != PerformanceState::Canceled {
        let title = night.title;
        return Err(CorrectionRefusal::TakesPlace { title }.into());
    }
    let seats = receipt.lost_of(performance);
    if seats.is_empty() {
        let receipt = receipt.number.clone();
        return Err(CorrectionRefusal::Settled { receipt }.into());
    }
    Ok(CellGroup::Seats { performance, seats })
}

/// Reason why a receipt can't be voided by this station now.
fn void_problem(work: &mut UnitOfWork<'_>, receipt: &Receipt) -> Result<Option<VoidProblem>, Failure> {
    let settings = work.settings()?;
    let is_printed = receipt.reprints() > 0 || matches!(receipt.tickets, Tickets::Collected { .. });
    let problem = if receipt.kind() != ReceiptKind::Sale {
        VoidProblem::NoSale
    } else if receipt.station != work.actor().station {
        VoidProblem::Station(receipt.station.clone())
    } else if settings.day_at(receipt.issued_at) != settings.day_at(work.now()) {
        VoidProblem::Day
    } else if !receipt.corrected_by.is_empty() {
        VoidProblem::Corrected
    } else if is_printed {
        VoidProblem::Printed
    } else if receipt.lines.iter().any(|line| line.goods.is_payment()) {
        VoidProblem::Booking
    } else {
        return Ok(None);
    };
    Ok(Some(problem))
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
