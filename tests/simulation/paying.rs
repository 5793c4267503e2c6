//! What clerks do with money: right, wrong, mixed, and too late.

use willcall::domain::cart::{Cart, CartState, Recorded};
use willcall::domain::customer::Customer;
use willcall::domain::house::{WorkKind, WorklistItem};
use willcall::domain::ids::{CartId, PerformanceId, ReceiptId};
use willcall::domain::receipt::{Means, Receipt, Tender};
use willcall::domain::time::Instant;
use willcall::engine::ops::{CheckedOut, Checkout, HoldSeats, HouseSeats, SeatChoice};
use willcall::engine::reads::receipts::ReadReceipt;
use willcall::engine::{Actor, Desk};

use crate::model::{Sold, lines_of, show_of, sold_lines, total};
use crate::world::{Step, World, ensure, same};

impl World {
    /// Tenders for a total: mostly right.
    fn tenders(&mut self, due: i64) -> Vec<Tender> {
        let cash = |given| Tender::Cash { given };
        let card = |charged| Tender::Card { reference: "4711".into(), charged };
        let part = due / 3;
        match self.dice.below(15) {
            0..=2 => vec![cash(None)],
            3 => vec![cash(Some(due + 500))],
            4 => vec![cash(Some(due - 1))],
            5..=7 => vec![card(None)],
            8 => vec![card(Some(due))],
            9 => vec![card(Some(due + 1))],
            10 => vec![cash(Some(due)), card(Some(part))],
            11 => vec![card(Some(part)), cash(None)],
            12 => vec![card(Some(-part - 1)), cash(None)],
            13 => vec![card(Some(part))],
            _ => vec![Tender::Card { reference: " ".into(), charged: None }],
        }
    }

    /// A cart whose card payment began and that has ended since.
    fn late_at_the_terminal(&mut self) -> Option<CartId> {
        let now = self.now();
        let late = |cart: &&Cart| {
            cart.payment_began_at.is_some()
                && matches!(cart.state_at(now), CartState::Expired | CartState::Canceled | CartState::Done(_))
        };
        let late: Vec<CartId> = self.model.carts.values().filter(late).map(|cart| cart.id).collect();
        (!late.is_empty() && self.chance(40)).then(|| self.one_of(&late))
    }

    /// Sells a free seat at a desk, which nothing may refuse.
    pub(crate) fn sell_at(&mut self, desk: &Desk, performance: PerformanceId) -> Step {
        let at = desk.now();
        let show = self.model.show(performance);
        let free = show.seats().find(|seat| self.model.is_free((performance, *seat), at));
        let Some(seat) = free else {
            return Ok(());
        };
        let hold = HoldSeats {
            cart: None,
            performance,
            seats: SeatChoice::Seats(vec![seat]),
            ticket_type: None,
            kept: HouseSeats::Refuse,
        };
        let cart = self.run_at(desk, hold).judge(true)?.ok_or("refused")?;
        self.model.meet((performance, &[seat]), at);
        self.model.carts.insert(cart.id, cart.clone());
        self.pay(desk, Checkout::new(cart.id, vec![Tender::Cash { given: None }]))
    }

    pub(crate) fn check_out(&mut self) -> Step {
        let Some(cart) = self.late_at_the_terminal().or_else(|| self.some_cart()) else {
            return Ok(());
        };
        let due = total(&lines_of(&self.model.carts[&cart]));
        let tenders = self.tenders(due);
        let seen = self.one_of(&[None, Some(due), Some(due), Some(due + 1)]);
        let customer = self.chance(10).then(|| Customer { name: "Mr Gray".into(), ..Customer::default() });
        let desk = self.some_desk();
        self.pay(&desk, Checkout { seen, customer, ..Checkout::new(cart, tenders) })
    }

    fn pay(&mut self, desk: &Desk, checkout: Checkout) -> Step {
        let ran = self.run_at(desk, checkout.clone());
        let Checkout { cart, tenders, seen, .. } = checkout;
        let due = total(&lines_of(&self.model.carts[&cart]));
        let (at, actor, old) = (ran.at, ran.actor.clone(), self.model.carts[&cart].clone());
        let lines = lines_of(&old);
        let began = old.payment_began_at.is_some() && charged(&tenders, due).is_some();
        let unsaid = seen.is_none() && due < old.payment_due && leaves_it_open(&tenders);
        let took = taken(&tenders, seen.unwrap_or(due)).filter(|_| !unsaid);
        let covered = covers(&tenders, due) && seen.is_none_or(|seen| seen == due);
        let over = |most| {
            let over = took.filter(|took| (due + 1..=most).contains(took))? - due;
            seen.is_none_or(|seen| seen >= due).then_some(over)
        };
        let (owed, kept) = (over(i64::MAX).unwrap_or_default(), took.filter(|minor| *minor > 0));
        let known = matches!(old.recorded, Some(Recorded::Unissued(_))) && has_slip(&tenders);
        match old.state_at(at) {
            CartState::Active if known => ran.judge(false).map(|_| ()),
            CartState::Active if lines.is_empty() => {
                let Some(answer) = ran.judge(began && kept.is_some())? else {
                    return Ok(());
                };
                self.waits(&old, answer, kept)
            }
            CartState::Active => {
                let fell = began && old.payment_due > due;
                let over = over(old.payment_due).filter(|_| fell);
                let sells = over.is_some() || covered && (!fell || took.is_some());
                let Some(answer) = ran.judge(sells)? else {
                    return Ok(());
                };
                let receipt = self.receipt_of(answer, over.unwrap_or_default())?;
                self.receipted(&receipt, &lines, (&actor, at))?;
                self.end(cart, CartState::Done(receipt.id));
                same("whose it is", &receipt.cart, &cart)
            }
            state @ (CartState::Expired | CartState::Canceled) => {
                let free = !lines.is_empty() && self.free_again(&old, at);
                let sells = free && took.is_some() && (owed > 0 || covered);
                let may = began && (sells || kept.is_some());
                let Some(answer) = ran.judge(may)? else {
                    return Ok(());
                };
                self.end(old.id, state);
                if sells { self.paid_late(&old, (answer, owed), (&actor, at)) } else { self.waits(&old, answer, kept) }
            }
            CartState::Done(receipt) => {
                let known = self.has_card(receipt);
                let Some(answer) = ran.judge(began && !known && kept.is_some())? else {
                    return Ok(());
                };
                self.waits(&old, answer, kept)
            }
        }
    }

    /// Whether a receipt was paid by the one card there is.
    fn has_card(&self, receipt: ReceiptId) -> bool {
        let view = self.any_desk().read(ReadReceipt(receipt)).unwrap();
        let mut payments = view.receipt.payments.iter();
        payments.any(|payment| matches!(payment.means, Means::Card { .. }))
    }

    /// Whether every seat of a late cart can be had again.
    fn free_again(&self, old: &Cart, at: Instant) -> bool {
        old.lines.iter().all(|line| {
            let (show, seats) = show_of(line);
            let free = |seat: &_| self.model.is_free((show, *seat), at);
            !self.model.show(show).canceled && seats.iter().all(free)
        })
    }

    fn paid_late(&mut self, old: &Cart, (answer, owed): (CheckedOut, i64), (actor, at): (&Actor, Instant)) -> Step {
        self.recorded(old.id);
        let receipt = self.receipt_of(answer, owed)?;
        for line in &old.lines {
            self.model.meet(show_of(line), at);
        }
        self.receipted(&receipt, &lines_of(old), (actor, at))?;
        ensure(receipt.cart != old.id, || "a late cart was paid".into())?;
        let paid = self.any_desk().read(willcall::engine::reads::carts::ReadCart(receipt.cart)).unwrap();
        self.model.carts.insert(receipt.cart, paid.cart);
        Ok(())
    }

    /// The money waits on the worklist.
    fn waits(&mut self, old: &Cart, answer: CheckedOut, card: Option<i64>) -> Step {
        self.recorded(old.id);
        let CheckedOut::Unissued(item) = answer else {
            return Err(format!("{answer:?}"));
        };
        if let Some(cart) = self.model.carts.get_mut(&old.id) {
            cart.recorded = Some(Recorded::Unissued(item.id));
        }
        self.unissued(&item, card)
    }

    /// A receipt, beside what its card was charged too much.
    fn receipt_of(&mut self, answer: CheckedOut, owed: i64) -> Result<Receipt, String> {
        match answer {
            CheckedOut::Receipt(receipt) if owed == 0 => Ok(receipt),
            CheckedOut::Owed(receipt, item) => {
                self.unissued(&item, Some(owed))?;
                Ok(receipt)
            }
            other @ (CheckedOut::Receipt(_) | CheckedOut::Unissued(_)) => Err(format!("owed {owed}, but {other:?}")),
        }
    }

    fn unissued(&mut self, item: &WorklistItem, card: Option<i64>) -> Step {
        let WorkKind::UnissuedPayment { minor, .. } = item.what else {
            return Err(format!("{item:?}"));
        };
        same("the money that waits", &Some(minor), &card)?;
        self.model.work.insert(item.id, minor);
        self.model.unissued += minor;
        Ok(())
    }

    /// A payment that came too late is recorded once.
    fn recorded(&mut self, cart: CartId) {
        if let Some(cart) = self.model.carts.get_mut(&cart) {
            cart.payment_began_at = None;
            cart.payment_due = 0;
        }
    }

    fn end(&mut self, cart: CartId, state: CartState) {
        if let Some(cart) = self.model.carts.get_mut(&cart) {
            cart.state = state;
        }
    }

    /// A receipt is right: its lines, its sums, its number; and its seats are sold from now on.
    fn receipted(&mut self, receipt: &Receipt, lines: &[Sold], (actor, at): (&Actor, Instant)) -> Step {
        let sold = sold_lines(&receipt.lines);
        same("the receipt's lines", &sold.as_slice(), &lines)?;
        same("its total", &receipt.total, &total(lines))?;
        same("its payments", &receipt.payments.iter().map(|payment| payment.minor).sum(), &receipt.total)?;
        let right = |payment: &willcall::domain::receipt::Payment| match &payment.means {
            Means::Cash { given } => 0 <= payment.minor && payment.minor <= *given,
            Means::Card { .. } | Means::Owed { .. } => 0 <= payment.minor,
        };
        ensure(receipt.payments.iter().all(right), || format!("{:?}", receipt.payments))?;
        same("when it was issued", &receipt.issued_at, &at)?;
        let till = self.model.tills.entry(actor.station.clone()).or_default();
        till.receipts += 1;
        till.total += receipt.total;
        till.numbers.push(receipt.number.clone());
        same("its number", &receipt.number, &format!("{}/{}", actor.station, till.receipts))?;
        for line in &receipt.lines {
            let (show, seats) = show_of(line);
            for seat in seats {
                let id = line.id(receipt.cart);
                let before = self.model.sold.insert((show, *seat), id);
                ensure(before.is_none(), || format!("{seat:?} was sold to {before:?} already"))?;
            }
        }
        Ok(())
    }
}

/// What the cards are charged with; `None` when there is no card.
fn charged(tenders: &[Tender], due: i64) -> Option<i64> {
    let card = |tender: &Tender| match tender {
        Tender::Cash { .. } | Tender::Owed { .. } => None,
        Tender::Card { charged, .. } => Some(charged.unwrap_or(due)),
    };
    tenders.iter().filter_map(card).reduce(|left, right| left + right)
}

/// Whether one is by the one card there is.
fn has_slip(tenders: &[Tender]) -> bool {
    let has = |tender: &Tender| matches!(tender, Tender::Card { reference, .. } if !reference.trim().is_empty());
    tenders.iter().any(has)
}

/// Whether a card has no amount.
fn leaves_it_open(tenders: &[Tender]) -> bool {
    let open = |tender: &Tender| matches!(tender, Tender::Card { charged: None, .. });
    tenders.iter().any(open)
}

/// The charges of the cards, when each has its slip.
fn taken(tenders: &[Tender], due: i64) -> Option<i64> {
    let said = |tender: &Tender| match tender {
        Tender::Cash { given } => *given,
        Tender::Card { charged, .. } => *charged,
        Tender::Owed { amount, .. } => *amount,
    };
    let rest = (due - tenders.iter().filter_map(said).sum::<i64>()).max(0);
    let mut cards = Vec::new();
    for tender in tenders {
        if let Tender::Card { reference, charged } = tender {
            let known = Some(charged.unwrap_or(rest)).filter(|minor| *minor >= 0);
            cards.push(known.filter(|_| !reference.trim().is_empty())?);
        }
    }
    Some(cards.into_iter().sum())
}

/// Whether tenders pay what is due: cards exactly or less, cash the rest or more.
fn covers(tenders: &[Tender], due: i64) -> bool {
    let blank = |tender: &Tender| matches!(tender, Tender::Card { reference, .. } if reference.trim().is_empty());
    let card = charged(tenders, due).unwrap_or_default();
    let cash = |tender: &Tender| match tender {
        Tender::Cash { given } => Some(given.unwrap_or(due - card)),
        Tender::Card { .. } | Tender::Owed { .. } => None,
    };
    let given: i64 = tenders.iter().filter_map(cash).sum();
    !tenders.iter().any(blank) && (0..=due).contains(&card) && card + given >= due
}
