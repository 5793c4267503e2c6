//! Items of the worklist in the model of money: lost seats and what was overpaid, settled by other seats or money.

use willcall::domain::back::{Back, Share};
use willcall::domain::house::{WorkKind, WorklistItem};
use willcall::domain::loss::CellGroup;
use willcall::engine::ops::{ItemAct, SeatChoice, SettleItem};
use willcall::engine::reads::offers::ReadOffers;
use willcall::engine::reads::receipts::ReadReceipt;
use willcall::engine::reads::worklist::{ReadWorklist, WorkView};

use super::{Order, Played, Way, number, price};

impl Played {
    /// One of the items of the worklist.
    fn item(&self, index: usize) -> Option<WorkView> {
        let items = self.house.desk.read(ReadWorklist).unwrap();
        items.get(index % items.len().max(1)).cloned()
    }

    /// The order and the seats that an item is about.
    fn lost(&self, view: &WorkView, cells: &CellGroup) -> Option<(usize, Vec<u32>)> {
        let numbers = |performance| -> Vec<u32> {
            let seats = cells.seats_of(performance);
            seats.iter().copied().map(number).collect()
        };
        let order = self.orders.iter().position(|order| {
            let lost = numbers(self.nights[order.night]);
            let has = |number| order.seats.get(number) == Some(&true);
            !lost.is_empty() && lost.iter().all(has) && view.owner == self.owner_of(order)
        })?;
        let lost = numbers(self.nights[self.orders[order].night]);
        Some((order, lost))
    }

    fn owner_of(&self, order: &Order) -> String {
        let receipt = self.house.desk.read(ReadReceipt(order.receipt)).unwrap();
        format!("receipt {}", receipt.receipt.number)
    }

    /// Gives the first offer for lost seats.
    pub(super) fn replace(&mut self, at: usize, index: usize) {
        let Some(view) = self.item(index) else {
            return;
        };
        let offers = self.house.desk.read(ReadOffers(view.item.clone())).unwrap();
        let WorkKind::Displaced { loss, .. } = &view.item.what else {
            assert_eq!(offers, [], "nothing is offered for money");
            return;
        };
        let (Some(first), Some((order, numbers))) = (offers.into_iter().next(), self.lost(&view, &loss.cells)) else {
            return;
        };
        let ItemAct::Reseat { seats: SeatChoice::Named(names), .. } = &first.act else {
            panic!("{first:?}");
        };
        let of = self.orders[order].clone();
        let price = price(of.night, &numbers).min(of.left);
        let seat = |name: &String| {
            let row = u32::from(name.as_bytes()[0] - b'A');
            100 * row + name[1..].parse::<u32>().unwrap() - 1
        };
        let take = names.iter().map(seat).collect();
        let act = settling(&view.item, first.act);
        if let Some(done) = self.run(at, act, true) {
            self.orders[order].left -= price;
            self.take_out(order, &numbers);
            let receipt = done.receipts.first().unwrap().id;
            let new = self.order(receipt, (of.night, take), price);
            self.orders.push(Order { ledger: of.ledger, ..new });
        }
    }

    /// Gives money back for an item.
    pub(super) fn settle_item(&mut self, at: usize, index: usize, way: Way) {
        let Some(view) = self.item(index) else {
            return;
        };
        let refund = |back| settling(&view.item, ItemAct::Refund { back, share: Share::All });
        match &view.item.what {
            WorkKind::Displaced { loss, .. } => {
                let Some((order, numbers)) = self.lost(&view, &loss.cells) else {
                    return;
                };
                let of = &self.orders[order];
                let minor = price(of.night, &numbers).min(of.left);
                let (back, allowed) = self.ledgers[of.ledger].by(way, minor);
                if let Some(done) = self.run(at, refund(back), allowed) {
                    self.gave(at, (order, minor), (way, done.receipts.first().unwrap()));
                    self.take_out(order, &numbers);
                }
            }
            WorkKind::Overpaid { booking, .. } => {
                let booking = self.booking_of(*booking);
                let over = self.overpaid(booking);
                let (back, allowed) = self.back_of_booking(booking, (way, over));
                if let Some(done) = self.run(at, refund(back), allowed) {
                    self.gave_of_booking(at, (booking, over), (way, &done.receipts));
                }
            }
            WorkKind::Differs { .. } => panic!("no calendar is followed: {view:?}"),
            WorkKind::Overridden { .. } => {
                let money = refund(Back::default());
                self.run(at, money, false);
                self.run(at, settling(&view.item, ItemAct::Approve), true);
            }
            WorkKind::UnissuedPayment { .. } => panic!("{view:?}"),
        }
    }
}

fn settling(item: &WorklistItem, act: ItemAct) -> SettleItem {
    SettleItem { item: item.id, act, reason: "leak".into() }
}
