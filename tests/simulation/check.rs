//! The house against the model: every seat, every open cart, every till, the worklist; and its own invariants.

use std::collections::{BTreeMap, BTreeSet};

use willcall::domain::cart::CartState;
use willcall::domain::house::WorkKind;
use willcall::domain::ids::{CartId, WorkId};
use willcall::domain::plan::SeatRef;
use willcall::domain::receipt::Receipt;
use willcall::engine::Desk;
use willcall::engine::reads::carts::{ReadCart, ReadOpenCarts};
use willcall::engine::reads::receipts::{ReadReceipt, ReadReceipts};
use willcall::engine::reads::seat_map::{ReadSeatMap, SeatState};
use willcall::engine::reads::tonight::{ReadPerformances, ReadTally};
use willcall::engine::reads::worklist::ReadWorklist;
use willcall::engine::verify::Verify;

use crate::model::{Stand, show_of};
use crate::world::{Step, World, ensure, same};

impl World {
    pub(crate) fn is_as_modelled(&mut self) -> Step {
        let desk = self.some_desk();
        self.check_seats(&desk)?;
        self.check_carts(&desk)?;
        self.check_tills(&desk)?;
        self.check_worklist(&desk)?;
        let report = desk.read(Verify::default()).map_err(|failure| format!("{failure:?}"))?;
        ensure(report.violations.is_empty(), || format!("{:#?}", report.violations))
    }

    fn check_seats(&self, desk: &Desk) -> Step {
        let listed: BTreeMap<_, u32> = desk
            .read(ReadPerformances::default())
            .map_err(|failure| format!("{failure:?}"))?
            .into_iter()
            .map(|row| (row.id, row.free))
            .collect();
        for show in &self.model.shows {
            let map = desk.read(ReadSeatMap(show.id)).map_err(|failure| format!("{failure:?}"))?;
            let mut free = 0;
            for seat in show.seats() {
                let stands = map.state(seat).map(stand).ok_or("a seat is missing")?;
                let expected = self.model.stand((show.id, seat), map.at);
                same(&format!("{seat:?} of {} at {:?}", map.performance.title, map.at), &stands, &expected)?;
                free += u32::from(expected == Stand::Free);
            }
            let tally = desk.read(ReadTally(show.id)).map_err(|failure| format!("{failure:?}"))?;
            let tallied: u32 = tally.iter().map(|(_, tally)| tally.free).sum();
            same("free seats: map, list, tally", &(map.free, listed[&show.id], tallied), &(free, free, free))?;
        }
        Ok(())
    }

    fn check_carts(&self, desk: &Desk) -> Step {
        let now = desk.now();
        let open: BTreeSet<CartId> = desk
            .read(ReadOpenCarts::default())
            .map_err(|failure| format!("{failure:?}"))?
            .into_iter()
            .map(|row| row.id)
            .collect();
        let live = self.model.carts.values().filter(|cart| cart.state_at(now) == CartState::Active);
        same("the open carts", &open, &live.map(|cart| cart.id).collect())?;
        for cart in self.model.carts.values() {
            let view = desk.read(ReadCart(cart.id)).map_err(|failure| format!("{failure:?}"))?;
            let lines = crate::model::lines_of(&view.cart);
            same(
                "a cart",
                &(view.cart.state, view.cart.expires_at, lines),
                &(cart.state, cart.expires_at, crate::model::lines_of(cart)),
            )?;
        }
        Ok(())
    }

    fn check_tills(&self, desk: &Desk) -> Step {
        for (station, till) in &self.model.tills {
            let receipts = receipts(desk, station)?;
            let numbers: Vec<&str> = receipts.iter().map(|receipt| receipt.number.as_str()).collect();
            let expected: BTreeSet<&str> = till.numbers.iter().map(String::as_str).collect();
            same("the receipts of a till", &numbers.into_iter().collect(), &expected)?;
            let money = |receipt: &Receipt| {
                let paid: i64 = receipt.payments.iter().map(|payment| payment.minor).sum();
                paid - receipt.back()
            };
            let money: i64 = receipts.iter().map(money).sum();
            same("the money of a till", &money, &till.total)?;
            for receipt in &receipts {
                self.check_live(receipt)?;
            }
        }
        let sold = self.model.carts.values().filter(|cart| matches!(cart.state, CartState::Done(_))).count();
        let receipts: u64 = self.model.tills.values().map(|till| till.receipts).sum();
        same("carts that are done", &(u64::try_from(sold).unwrap() + self.model.corrections), &receipts)
    }

    /// A receipt still has exactly the seats that nobody took from it.
    fn check_live(&self, receipt: &Receipt) -> Step {
        for line in &receipt.lines {
            let (show, live) = show_of(line);
            let id = line.id(receipt.cart);
            let still = |seat: &SeatRef| self.model.sold.get(&(show, *seat)) == Some(&id);
            let expected: BTreeSet<_> = line.goods.issued().into_iter().filter(still).collect();
            same("the live seats of a receipt", &live.iter().copied().collect(), &expected)?;
        }
        Ok(())
    }

    fn check_worklist(&self, desk: &Desk) -> Step {
        let items = desk.read(ReadWorklist).map_err(|failure| format!("{failure:?}"))?;
        let money = |item: &WorkKind| match item {
            WorkKind::UnissuedPayment { minor, .. } => *minor,
            WorkKind::Displaced { .. }
            | WorkKind::Overpaid { .. }
            | WorkKind::Overridden { .. }
            | WorkKind::Differs { .. } => 0,
        };
        let found: BTreeMap<WorkId, i64> = items.iter().map(|view| (view.item.id, money(&view.item.what))).collect();
        same("the worklist", &found, &self.model.work)
    }
}

fn receipts(desk: &Desk, station: &str) -> Result<Vec<Receipt>, String> {
    let mut found = Vec::new();
    let mut after = None;
    loop {
        let page = ReadReceipts { station: Some(station.into()), after, ..ReadReceipts::default() };
        let rows = desk.read(page).map_err(|failure| format!("{failure:?}"))?;
        let Some(last) = rows.last() else {
            return Ok(found);
        };
        after = Some(last.id);
        for row in &rows {
            found.push(desk.read(ReadReceipt(row.id)).map_err(|failure| format!("{failure:?}"))?.receipt);
        }
    }
}

fn stand(state: &SeatState) -> Stand {
    match state {
        SeatState::Free => Stand::Free,
        SeatState::Held(holder) => Stand::Held(holder.cart),
        SeatState::Kept { .. } => Stand::Kept,
        SeatState::Booked { line } => Stand::Sold(*line),
        SeatState::Disabled { operator, .. } => Stand::Disabled(operator.clone()),
    }
}
