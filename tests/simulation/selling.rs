//! What clerks do with a cart until it is paid.

use std::sync::mpsc::channel;

use willcall::domain::best::{Access, Aisle};
use willcall::domain::cart::{Cart, CartState, PAYMENT_SPAN};
use willcall::domain::ids::{CartId, CommandId, PerformanceId};
use willcall::domain::line::Line;
use willcall::domain::plan::SeatRef;
use willcall::domain::time::{Instant, Span};
use willcall::engine::Desk;
use willcall::engine::ops::{
    BeginPayment, BestSeats, CancelCart, CartPart, ExtendCart, GiveBack, HoldSeats, HouseSeats, OpenCart, Retype,
    ReviveCart, SeatChoice, SetAside, TakeFrom, TakeOver,
};

use crate::model::{Sold, Stand, lines_of, name, show_of, sorted};
use crate::stations::Ran;
use crate::world::{Step, World, ensure, same};

impl World {
    pub(crate) fn open(&mut self) -> Step {
        let hold = self.one_of(&[None, Some(Span::minutes(10)), Some(Span::minutes(90)), Some(Span::default())]);
        let desk = self.some_desk();
        self.open_at(&desk, hold)
    }

    /// Opens a cart at a desk, which is refused only for a hold of no time.
    pub(crate) fn open_at(&mut self, desk: &Desk, hold: Option<Span>) -> Step {
        let ran = self.run_at(desk, OpenCart { hold, ..OpenCart::default() });
        let at = ran.at;
        let Some(cart) = ran.judge(hold != Some(Span::default()))? else {
            return Ok(());
        };
        let hold = hold.unwrap_or(self.model.hold);
        same("the deadline", &cart.expires_at, &(at + hold))?;
        same("the cap", &cart.hold_cap_at, &(at + hold.max(self.model.hold_cap)))?;
        self.model.carts.insert(cart.id, cart);
        Ok(())
    }

    fn holding(&mut self) -> HoldSeats {
        let performance = self.some_show();
        let rows = self.model.show(performance).rows.clone();
        let seats = self.some_seats(&rows);
        let seats = if self.chance(50) {
            SeatChoice::Seats(seats)
        } else {
            SeatChoice::Named(seats.into_iter().map(name).collect())
        };
        let cart = if self.chance(70) { self.some_cart() } else { None };
        HoldSeats {
            cart,
            performance,
            seats,
            ticket_type: self.one_of(&[None, None, Some("Child"), Some("Guest"), Some("Vip")]).map(Into::into),
            kept: if self.chance(20) { HouseSeats::Sell } else { HouseSeats::Refuse },
        }
    }

    pub(crate) fn hold(&mut self) -> Step {
        let hold = self.holding();
        let ran = self.run(hold.clone());
        self.held(&hold, ran)
    }

    /// Several holds that come at once to one engine, and are committed together.
    pub(crate) fn burst(&mut self) -> Step {
        let desk = self.some_desk();
        let (sender, received) = channel();
        let mut holds = Vec::new();
        for _ in 0..=self.dice.below(8) {
            let (hold, id, sender) = (self.holding(), CommandId::random(), sender.clone());
            holds.push((hold.clone(), id));
            desk.submit(id, hold, move |answer| sender.send(answer).unwrap());
        }
        drop(sender);
        let answers: Vec<_> = received.iter().collect();
        for ((hold, id), answer) in holds.into_iter().zip(answers) {
            let ran = self.stations.ran(answer, &desk, (id, &[desk.now()]));
            self.note(&format!("{:?} at once: {hold:?}: {:?}", ran.at, ran.answer.as_ref().err()));
            self.held(&hold, ran)?;
        }
        Ok(())
    }

    fn held(&mut self, hold: &HoldSeats, ran: Ran<Cart>) -> Step {
        let at = ran.at;
        let seats = match &hold.seats {
            SeatChoice::Seats(seats) => seats.clone(),
            SeatChoice::Named(names) => names.iter().map(|name| seat_named(name)).collect(),
            SeatChoice::Best(_) => Vec::new(),
        };
        let show = self.model.show(hold.performance);
        let open = hold.cart.is_none_or(|cart| self.model.is_live(cart, at)) && show.on_sale(at);
        let before = hold.cart.map(|cart| self.model.carts[&cart].clone());
        let own = |seat: &SeatRef| {
            let lines = before.iter().flat_map(|cart| &cart.lines);
            lines
                .filter(|line| line.goods.performance() == Some(hold.performance))
                .any(|line| line.goods.seats().contains(seat))
        };
        let new: Vec<SeatRef> = seats.into_iter().filter(|seat| !own(seat)).collect();
        if new.is_empty() && open {
            let answer = ran.judge(true)?.ok_or("refused")?;
            let seen = |cart: &Cart| (cart.id, cart.state, cart.expires_at, lines_of(cart));
            let before = before.as_ref().map(seen);
            return same("a cart that has the seats", &Some(seen(&answer)), &before);
        }
        let has = before.as_ref().map_or(0, Cart::seat_count);
        let free = |seat: &SeatRef| match self.model.stand((hold.performance, *seat), at) {
            Stand::Free => true,
            Stand::Kept => hold.kept == HouseSeats::Sell,
            Stand::Held(_) | Stand::Sold(_) | Stand::Disabled(_) => false,
        };
        let lines = show.priced(&new, hold.ticket_type.as_deref().unwrap_or("Adult"));
        let fits = has + new.len() <= self.model.seats_max;
        let may = open && fits && lines.is_some() && new.iter().all(free);
        let Some(cart) = ran.judge(may)? else {
            return Ok(());
        };
        if hold.kept == HouseSeats::Sell {
            self.model.unkeep((hold.performance, &new));
        }
        self.took((before, cart), (hold.performance, &new), (lines.unwrap_or_default(), at))
    }

    /// A cart has taken seats: they are its own now, late owners ended, and its deadline has moved.
    fn took(
        &mut self,
        (before, cart): (Option<Cart>, Cart),
        taken: (PerformanceId, &[SeatRef]),
        (new, at): (Vec<Sold>, Instant),
    ) -> Step {
        self.model.meet(taken, at);
        let mut lines = before.as_ref().map(lines_of).unwrap_or_default();
        lines.extend(new);
        same("the cart's lines", &lines_of(&cart), &sorted(lines))?;
        let hold = before.as_ref().map_or(self.model.hold, |before| before.hold);
        let cap = before.as_ref().map_or(at + self.model.hold_cap.max(hold), |before| before.hold_cap_at);
        let earliest = before.as_ref().map_or(at, |before| before.expires_at);
        same("the deadline", &cart.expires_at, &(at + hold).min(cap).max(earliest))?;
        same("when it changed", &cart.modified_at, &at)?;
        self.model.carts.insert(cart.id, cart);
        Ok(())
    }

    pub(crate) fn hold_best(&mut self) -> Step {
        let performance = self.some_show();
        let count = 1 + self.dice.below(4);
        let category = self.one_of(&[None, None, Some("Dear"), Some("standard")]).map(str::to_owned);
        let cart = if self.chance(60) { self.some_cart() } else { None };
        let seats = SeatChoice::Best(BestSeats {
            count,
            category: category.clone(),
            zone: None,
            aisle: self.one_of(&[Aisle::Any, Aisle::Near]),
            access: Access::Ordinary,
        });
        let hold = HoldSeats { cart, performance, seats, ticket_type: None, kept: HouseSeats::Refuse };
        let ran = self.run(hold);
        let at = ran.at;
        let before = cart.map(|cart| self.model.carts[&cart].clone());
        let live = |cart: &Cart| cart.state_at(at) == CartState::Active;
        let open = before.as_ref().is_none_or(live) && self.model.show(performance).on_sale(at);
        let fits =
            before.as_ref().map_or(0, Cart::seat_count) + usize::try_from(count).unwrap() <= self.model.seats_max;
        let single_free = count == 1
            && category.is_none()
            && self.model.show(performance).seats().any(|seat| self.model.is_free((performance, seat), at));
        let Ok(cart) = ran.answer else {
            return ensure(!(open && fits && single_free), || "a seat is free, but there is no best one".into());
        };
        ensure(open && fits, || "it may not be done".into())?;
        let old: Vec<SeatRef> = before
            .iter()
            .flat_map(|cart| &cart.lines)
            .filter(|line| line.goods.performance() == Some(performance))
            .flat_map(|line| line.goods.seats().to_vec())
            .collect();
        let lines = cart.lines.iter().filter(|line| line.goods.performance() == Some(performance));
        let new: Vec<SeatRef> =
            lines.flat_map(|line| line.goods.seats().to_vec()).filter(|seat| !old.contains(seat)).collect();
        same("how many seats it took", &new.len(), &usize::try_from(count).unwrap())?;
        let free = new.iter().all(|seat| self.model.is_free((performance, *seat), at));
        ensure(free, || format!("the best seats were not free: {new:?}"))?;
        let lines = self.model.show(performance).priced(&new, "Adult").unwrap();
        self.took((before, cart), (performance, &new), (lines, at))
    }

    /// A part of a cart: a line or one that it does not have, whole or a seat of it, or seats wherever they stand.
    fn some_part(&mut self, cart: CartId) -> CartPart {
        let lines = self.model.carts[&cart].lines.clone();
        if lines.is_empty() || self.chance(5) {
            return CartPart::of(99, None);
        }
        let line = self.one_of(&lines);
        if self.chance(60) {
            let some = self.chance(50).then(|| vec![self.one_of(line.goods.seats())]);
            return CartPart::of(line.number, some);
        }
        let performance = show_of(&line).0;
        let of_show = |line: &&Line| show_of(line).0 == performance;
        let own: Vec<SeatRef> = lines.iter().filter(of_show).flat_map(|line| show_of(line).1.to_vec()).collect();
        let mut seats: Vec<SeatRef> = own.into_iter().filter(|_| self.chance(50)).collect();
        if self.chance(10) {
            let rows = self.model.show(performance).rows.clone();
            seats.extend(self.some_seats(&rows));
            seats.sort_unstable();
            seats.dedup();
        }
        CartPart::Seats { performance, seats }
    }

    /// Seats of a part line by line, without lines of a ticket type, and what is left of the cart's lines; nothing when
    /// the part is not the cart's.
    fn meant(&self, cart: CartId, part: &CartPart, but: Option<&str>) -> Option<(Vec<Sold>, Vec<Sold>)> {
        let mut rest = self.model.carts[&cart].clone();
        let is_meant = |line: &Line, seat: &SeatRef| match part {
            CartPart::Lines(numbers) => numbers.contains(&line.number),
            CartPart::SeatsOf { line: number, seats } => line.number == *number && seats.contains(seat),
            CartPart::Seats { performance, seats } => show_of(line).0 == *performance && seats.contains(seat),
        };
        let (mut meant, mut found) = (Vec::new(), 0);
        for line in &mut rest.lines {
            let (show, seats) = show_of(line);
            let seats: Vec<SeatRef> = seats.iter().copied().filter(|seat| is_meant(line, seat)).collect();
            found += seats.len();
            if !seats.is_empty() && but != Some(line.kind.as_str()) {
                line.give_up(&seats);
                meant.push((show, line.kind.clone(), line.unit_price, seats));
            }
        }
        rest.lines.retain(|line| line.count > 0);
        let is_all = match part {
            CartPart::Lines(_) => found > 0,
            CartPart::SeatsOf { seats, .. } | CartPart::Seats { seats, .. } => found > 0 && found == seats.len(),
        };
        is_all.then(|| (meant, lines_of(&rest)))
    }

    pub(crate) fn give_back(&mut self) -> Step {
        let Some(cart) = self.some_cart() else {
            return Ok(());
        };
        let part = self.some_part(cart);
        let ran = self.run(GiveBack { cart, part: part.clone() });
        let meant = self.meant(cart, &part, None);
        let may = self.model.is_live(cart, ran.at) && meant.is_some();
        let Some(answer) = ran.judge(may)? else {
            return Ok(());
        };
        let rest = meant.map(|meant| meant.1).unwrap_or_default();
        same("the lines that are left", &lines_of(&answer), &rest)?;
        self.changed(answer)
    }

    pub(crate) fn retype(&mut self) -> Step {
        let Some(cart) = self.some_cart() else {
            return Ok(());
        };
        let part = self.some_part(cart);
        let ticket_type = self.one_of(&["Adult", "Child", "Guest", "Vip"]).to_owned();
        let ran = self.run(Retype { cart, part: part.clone(), ticket_type: ticket_type.clone() });
        let meant = self.meant(cart, &part, Some(&ticket_type));
        let price = |one: &Sold| self.model.show(one.0).priced(&one.3, &ticket_type);
        let new = meant.as_ref().and_then(|(meant, _)| meant.iter().map(price).collect::<Option<Vec<_>>>());
        let may = self.model.is_live(cart, ran.at) && new.is_some();
        let Some(answer) = ran.judge(may)? else {
            return Ok(());
        };
        let (meant, mut rest) = meant.ok_or("a part that is not there")?;
        if meant.is_empty() {
            // what was taken from it has stories of its own
            let mut expected = self.model.carts[&cart].clone();
            expected.lost.clone_from(&answer.lost);
            return same("a cart with the type", &answer, &expected);
        }
        rest.extend(new.into_iter().flatten().flatten());
        same("the lines", &lines_of(&answer), &sorted(rest))?;
        self.changed(answer)
    }

    /// A cart that changed in its lines only: all else is as it was.
    fn changed(&mut self, answer: Cart) -> Step {
        let before = &self.model.carts[&answer.id];
        same("the deadline", &answer.expires_at, &before.expires_at)?;
        same("the state", &answer.state, &CartState::Active)?;
        self.model.carts.insert(answer.id, answer);
        Ok(())
    }

    pub(crate) fn extend(&mut self) -> Step {
        let Some(cart) = self.some_cart() else {
            return Ok(());
        };
        let ran = self.run(ExtendCart { cart });
        let before = &self.model.carts[&cart];
        let at = ran.at;
        let may = before.state_at(at) == CartState::Active && before.expires_at < before.hold_cap_at;
        let Some(answer) = ran.judge(may)? else {
            return Ok(());
        };
        let expected = (at + before.hold).min(before.hold_cap_at).max(before.expires_at);
        same("the deadline", &answer.expires_at, &expected)?;
        self.model.carts.insert(cart, answer);
        Ok(())
    }

    pub(crate) fn begin_payment(&mut self) -> Step {
        let Some(cart) = self.some_cart() else {
            return Ok(());
        };
        let ran = self.run(BeginPayment { cart });
        let before = &self.model.carts[&cart];
        let at = ran.at;
        let may = before.state_at(at) == CartState::Active && !before.lines.is_empty();
        let Some(answer) = ran.judge(may)? else {
            return Ok(());
        };
        let first = before.payment_began_at.is_none();
        let expected = if first { before.expires_at.max(at + PAYMENT_SPAN) } else { before.expires_at };
        same("the deadline", &answer.expires_at, &expected)?;
        ensure(answer.payment_began_at.is_some(), || "no payment began".into())?;
        self.model.carts.insert(cart, answer);
        Ok(())
    }

    pub(crate) fn cancel(&mut self) -> Step {
        let Some(cart) = self.some_cart() else {
            return Ok(());
        };
        let ran = self.run(CancelCart { cart });
        let before = &self.model.carts[&cart];
        let began = before.payment_began_at;
        let at_the_terminal =
            began.is_some_and(|began| ran.at < began + PAYMENT_SPAN) && before.station != ran.actor.station;
        let may = match before.state_at(ran.at) {
            CartState::Active => !at_the_terminal,
            CartState::Canceled => true,
            CartState::Done(_) | CartState::Expired => false,
        };
        let Some(answer) = ran.judge(may)? else {
            return Ok(());
        };
        same("the state", &answer.state, &CartState::Canceled)?;
        self.model.carts.insert(cart, answer);
        Ok(())
    }

    pub(crate) fn set_aside_or_take_over(&mut self) -> Step {
        let Some(cart) = self.some_cart() else {
            return Ok(());
        };
        if self.chance(50) {
            let ran = self.run(SetAside { cart });
            let may = self.model.is_live(cart, ran.at);
            let Some(answer) = ran.judge(may)? else {
                return Ok(());
            };
            ensure(answer.set_aside, || "it is not set aside".into())?;
            return self.changed(answer);
        }
        let from = self.one_of(&[TakeFrom::SetAside, TakeFrom::Anybody]);
        let ran = self.run(TakeOver { cart, from });
        let before = &self.model.carts[&cart];
        let free = before.set_aside || before.station == ran.actor.station || from == TakeFrom::Anybody;
        let (may, station) = (before.state_at(ran.at) == CartState::Active && free, ran.actor.station.clone());
        let Some(answer) = ran.judge(may)? else {
            return Ok(());
        };
        same("where it is and whether aside", &(answer.station.clone(), answer.set_aside), &(station, false))?;
        self.changed(answer)
    }

    pub(crate) fn revive(&mut self) -> Step {
        let Some(cart) = self.some_cart() else {
            return Ok(());
        };
        let ran = self.run(ReviveCart { cart });
        let (at, old) = (ran.at, self.model.carts[&cart].clone());
        let ended = matches!(old.state_at(at), CartState::Expired | CartState::Canceled);
        let mut lines = Some(Vec::new());
        let mut free = old.seat_count() <= self.model.seats_max;
        for line in &old.lines {
            let (performance, seats) = show_of(line);
            let show = self.model.show(performance);
            free &= show.on_sale(at) && seats.iter().all(|seat| self.model.is_free((show.id, *seat), at));
            let priced = show.priced(seats, &line.kind);
            lines = lines.and_then(|mut lines| {
                lines.extend(priced?);
                Some(lines)
            });
        }
        let Some(answer) = ran.judge(ended && free && !old.lines.is_empty())? else {
            return Ok(());
        };
        for line in &old.lines {
            self.model.meet(show_of(line), at);
        }
        same("the lines", &lines_of(&answer), &sorted(lines.unwrap_or_default()))?;
        same("the deadline", &answer.expires_at, &(at + old.hold))?;
        ensure(answer.id != cart, || "it is the same cart".into())?;
        self.model.carts.insert(answer.id, answer);
        Ok(())
    }
}

fn seat_named(name: &str) -> SeatRef {
    let row = u32::from(name.as_bytes()[0] - b'A');
    let seat = name[1..].parse::<u32>().unwrap() - 1;
    SeatRef { row, seat }
}
