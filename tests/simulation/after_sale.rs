//! What clerks do after a sale: seats come back, at once or by a cart.

use willcall::domain::back::{Back, ReturnTerms, Share};
use willcall::domain::cart::CartState;

use willcall::domain::ids::{LineId, PerformanceId, ReceiptId};
use willcall::domain::line::Line;
use willcall::domain::loss::CellGroup;
use willcall::domain::plan::SeatRef;
use willcall::domain::receipt::Receipt;
use willcall::engine::ops::{CheckedOut, Checkout, CorrectReceipt, CorrectionAct, ReturnCells, Unreturn};

use crate::model::show_of;
use crate::world::{Step, World, same};

/// Seats of a paid line, with what they cost together.
struct PaidSeats {
    receipt: ReceiptId,
    line: LineId,
    show: PerformanceId,
    seats: Vec<SeatRef>,
    price: i64,
}

impl PaidSeats {
    fn cells(&self) -> Vec<CellGroup> {
        vec![CellGroup::Seats { performance: self.show, seats: self.seats.clone() }]
    }
}

impl World {
    /// Some seats of a paid line.
    fn paid_seats(&mut self) -> Option<PaidSeats> {
        let mut paid: Vec<(ReceiptId, LineId, Line)> = Vec::new();
        for cart in self.model.carts.values() {
            if let CartState::Done(receipt) = cart.state {
                let lines = cart.lines.iter();
                paid.extend(lines.map(|line| (receipt, line.id(cart.id), line.clone())));
            }
        }
        if paid.is_empty() {
            return None;
        }
        let (receipt, line, of) = self.one_of(&paid);
        let (show, all) = show_of(&of);
        let mut seats: Vec<SeatRef> = all.to_vec();
        seats.retain(|_| self.dice.below(2) == 0);
        if seats.is_empty() {
            seats.extend(all.first());
        }
        let price = of.unit_price * i64::try_from(seats.len()).unwrap();
        Some(PaidSeats { receipt, line, show, seats, price })
    }

    fn came_back(&self, paid: &PaidSeats) -> bool {
        let came_back = |seat: &SeatRef| self.model.returned.contains(&(paid.line, *seat));
        paid.seats.iter().any(came_back)
    }

    /// Some seats of a paid line come back for money; what came back before is refused.
    pub(crate) fn refund(&mut self) -> Step {
        let Some(paid) = self.paid_seats() else {
            return Ok(());
        };
        let ran = self.run(CorrectReceipt {
            receipt: paid.receipt,
            act: CorrectionAct::Refund { cells: Some(paid.cells()), back: Back::default(), share: Share::All },
            reason: "ill".into(),
            keep: None,
        });
        let station = ran.actor.station.clone();
        match ran.judge(!self.came_back(&paid))? {
            Some(issued) => self.given_back(&paid, station, issued),
            None => Ok(()),
        }
    }

    /// Some seats of a paid line come back by a cart, which may leave them out for a while.
    pub(crate) fn bring_back(&mut self) -> Step {
        let Some(paid) = self.paid_seats() else {
            return Ok(());
        };
        let desk = self.some_desk();
        let bring = |cart| ReturnCells { cart, receipt: paid.receipt, cells: Some(paid.cells()) };
        let ran = self.run_at(&desk, bring(None));
        let Some(cart) = ran.judge(!self.came_back(&paid))? else {
            return Ok(());
        };
        if self.chance(50) {
            let out = Unreturn { cart: cart.id, line: cart.returns[0].number };
            self.run_at(&desk, out.clone()).judge(true)?;
            self.run_at(&desk, out).judge(false)?;
            self.run_at(&desk, bring(Some(cart.id))).judge(true)?;
        }
        let ran = self.run_at(
            &desk,
            Checkout {
                seen: Some(-paid.price),
                returns: Some(ReturnTerms { reason: "ill".into(), ..ReturnTerms::default() }),
                ..Checkout::new(cart.id, Vec::new())
            },
        );
        let station = ran.actor.station.clone();
        match ran.judge(true)? {
            Some(CheckedOut::Receipt(issued)) => self.given_back(&paid, station, issued),
            other => Err(format!("{other:?}")),
        }
    }

    /// A receipt has taken seats back for their price.
    fn given_back(&mut self, paid: &PaidSeats, station: String, issued: Receipt) -> Step {
        same("the total of a refund", &issued.total, &-paid.price)?;
        let till = self.model.tills.entry(station).or_default();
        till.receipts += 1;
        till.total -= paid.price;
        till.numbers.push(issued.number);
        self.model.corrections += 1;
        self.model.bring_back(paid.show, (paid.line, &paid.seats));
        Ok(())
    }
}
