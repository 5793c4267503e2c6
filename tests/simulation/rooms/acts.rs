//! What clerks do with rooms, and what the cells say of it.

use willcall::domain::booking::{Booking, Cause, Details};
use willcall::domain::cart::{Cart, CartState};
use willcall::domain::receipt::Tender;
use willcall::domain::time::{Slot, Span};
use willcall::engine::clock::JUMP_MAX;
use willcall::engine::ops::{
    BeginTidying, BookSeries, BookSlot, CancelBooking, CancelCart, CheckedOut, Checkout, Conflicts, Displace,
    EnableSlot, HoldSlot, InService, MoveBooking, OutOfUse, Past, Reach, ReleaseSlot, SlotWanted, TakeOut, TicketsTo,
    Want, Whose,
};
use willcall::engine::reads::carts::ReadCart;
use willcall::engine::{Desk, Failure};

use super::cells::{Booked, CELLS, Ends, For, InCart, Owner, ROOMS, Stretch, cell_at, is_over, is_past};
use super::place::{FIRST, Rooms};
use super::shows::name;
use crate::stations::{Clocks, Ran};
use crate::world::{Step, ensure};

pub(super) fn details() -> Details {
    Details { title: "Yoga".into(), ..Details::default() }
}

impl Rooms {
    pub(super) fn act(&mut self) -> Step {
        match self.dice.below(154) {
            0..=14 => self.hold(),
            15..=18 => self.check_out(),
            19..=22 => self.cancel_cart(),
            23..=25 => self.reserve(),
            26..=40 => self.book(),
            41..=46 => self.repeat(),
            47..=55 => self.move_booking(),
            56..=62 => self.cancel(),
            63..=67 => self.release(),
            68..=73 => self.occupy(),
            74..=77 => self.disable(),
            78..=82 => self.enable(),
            83..=85 => self.close(),
            86..=87 => self.reopen(),
            88..=90 => self.race(),
            91 => self.restart(),
            92 => self.come_or_go(),
            93..=94 | 144..=146 => self.sweep(),
            95 => self.book_the_past(),
            96..=107 => self.hold_seats(),
            108..=112 => self.wait(),
            113 => self.remove_waiting(),
            114..=117 => self.hand_over(),
            118..=119 => self.close_day(),
            120..=121 => self.open_days(),
            122..=125 => self.book_opened(),
            126..=128 => self.restore(),
            129..=131 => self.displace_and_undo(),
            132..=133 => self.import(),
            134..=135 => self.add_date(),
            136..=137 => self.change(),
            138..=139 => self.control(),
            140..=141 => self.nothing_there(),
            142 => self.small_things(),
            143 => {
                let minutes = 40 + self.dice.below(60);
                self.pass(minutes.into());
                Ok(())
            }
            147..=148 => self.warn(),
            150..=153 => self.count_chairs(),
            _ => {
                let minutes = self.dice.below(25);
                self.pass(minutes.into());
                Ok(())
            }
        }
    }

    /// Runs due jobs by the clock of a station: they end carts, offer seats and open days; nothing else changes.
    pub(super) fn sweep(&mut self) -> Step {
        let desk = self.some_desk("ada");
        let swept = desk.sweep();
        self.note("sweep", &swept);
        swept.map_err(|failure| format!("{failure:?}"))?;
        self.expire_late(&desk)?;
        self.offers(&desk)?;
        self.rolled(&desk)
    }

    /// Late carts may have ended, whether their checks are due or were run by hand.
    fn expire_late(&mut self, desk: &Desk) -> Step {
        for cart in 0..self.cells.carts.len() {
            if self.cells.is_late(cart, desk.now().millis()) {
                let view = desk.read(ReadCart(self.cells.carts[cart].id));
                let view = view.map_err(|failure| format!("{failure:?}"))?;
                if view.cart.state == CartState::Expired {
                    self.cells.expire(cart);
                }
            }
        }
        Ok(())
    }

    pub(super) fn stretch(&mut self) -> Stretch {
        let count = 1 + self.below(8);
        Stretch { room: self.below(ROOMS), from: self.below(CELLS / 2 - count), count }
    }

    pub(super) fn wants(&self, stretch: Stretch) -> Vec<Want> {
        vec![Want::all(vec![self.ids[stretch.room].clone()], Self::slot(stretch))]
    }

    pub(super) fn booked(booking: &Booking, purpose: For) -> Booked {
        Booked {
            id: booking.id,
            purpose,
            operator: booking.operator.clone(),
            stands: true,
            is_partial: false,
            was: None,
        }
    }

    fn hold(&mut self) -> Step {
        let (stretch, operator) = (self.stretch(), self.operator());
        let count = self.cells.carts.len();
        let cart = (count > 0 && self.chance(60)).then(|| self.below(count));
        let wanted = HoldSlot {
            cart: cart.map(|cart| self.cells.carts[cart].id),
            wants: vec![SlotWanted {
                count: None,
                resource: self.ids[stretch.room].clone(),
                slot: Self::slot(stretch),
            }],
            past: Past::Closed,
        };
        let held = self.ask(operator, &wanted);
        let now = held.at.millis();
        let may = self.cells.can_book(stretch, now) && cart.is_none_or(|cart| self.cells.is_live(cart, now));
        if let Some(held) = held.judge(may)? {
            self.took(&held, (cart, stretch), now);
        }
        Ok(())
    }

    /// A cart, or a new one, has taken cells.
    pub(super) fn took(&mut self, held: &Cart, (cart, stretch): (Option<usize>, Stretch), now: i64) {
        let ends = Ends::At(held.expires_at.millis());
        let cart = cart.unwrap_or_else(|| {
            self.cells.carts.push(InCart::new(held.id, ends));
            self.cells.carts.len() - 1
        });
        self.cells.carts[cart].ends = ends;
        self.cells.take(stretch, (Owner::Cart(cart), now));
    }

    pub(super) fn cart(&mut self) -> Option<usize> {
        let count = self.cells.carts.len();
        (count > 0).then(|| self.below(count))
    }

    /// Whether a cart is live and has time.
    pub(super) fn can_pay(&self, cart: usize, now: i64) -> bool {
        self.cells.is_live(cart, now) && self.cells.count(Owner::Cart(cart)) > 0
    }

    fn check_out(&mut self) -> Step {
        let (Some(cart), operator) = (self.cart(), self.operator()) else {
            return Ok(());
        };
        let keeps = self.chance(40);
        let tickets = if keeps { TicketsTo::Desk } else { TicketsTo::Customer };
        let paid = self.ask(
            operator,
            &Checkout {
                tickets,
                customer: keeps.then(|| name("Ida")),
                ..Checkout::new(self.cells.carts[cart].id, vec![Tender::Cash { given: None }])
            },
        );
        let now = paid.at.millis();
        let may = self.can_pay(cart, now) && (!keeps || self.can_keep(cart, now));
        let Some(paid) = paid.judge(may)? else {
            return Ok(());
        };
        let CheckedOut::Receipt(receipt) = paid else {
            return Err(format!("{paid:?}"));
        };
        let sold = &mut self.cells.carts[cart];
        (sold.ends, sold.receipt, sold.kept) = (Ends::Sold, Some(receipt.id), keeps);
        Ok(())
    }

    fn cancel_cart(&mut self) -> Step {
        let (Some(cart), operator) = (self.cart(), self.operator()) else {
            return Ok(());
        };
        let ends = self.cells.carts[cart].ends;
        if ends == Ends::Canceled {
            // it is answered as done, and writes nothing
            return Ok(());
        }
        let id = self.cells.carts[cart].id;
        let canceled = self.ask(operator, &CancelCart { cart: id });
        let may = self.cells.is_live(cart, canceled.at.millis());
        if canceled.judge(may)?.is_some() {
            self.cells.carts[cart].ends = Ends::Canceled;
            self.cells.free(Owner::Cart(cart));
        }
        Ok(())
    }

    fn book(&mut self) -> Step {
        let (stretch, operator) = (self.stretch(), self.operator());
        let booked =
            self.ask(operator, &BookSlot { wants: self.wants(stretch), details: details(), past: Past::Closed });
        self.booked_free(booked, stretch)
    }

    /// Notes a booking of a customer, which needs free time.
    pub(super) fn booked_free(&mut self, ran: Ran<Booking>, stretch: Stretch) -> Step {
        let now = ran.at.millis();
        let may = self.cells.can_book(stretch, now);
        if let Some(booking) = ran.judge(may)? {
            self.cells.book(Self::booked(&booking, For::Customer), (&[stretch], now));
        }
        Ok(())
    }

    fn book_the_past(&mut self) -> Step {
        let (operator, room) = (self.operator(), self.ids[0].clone());
        let from = FIRST - Span::minutes(24 * 60);
        let slot = Slot::new(from, from + Span::minutes(15)).unwrap();
        let booked = self.ask(
            operator,
            &BookSlot { wants: vec![Want::all(vec![room], slot)], details: details(), past: Past::Closed },
        );
        booked.judge(false).map(|_| ())
    }

    fn repeat(&mut self) -> Step {
        let (mut first, operator) = (self.stretch(), self.operator());
        first.from /= 2;
        let stretches = [0, 20, 40].map(|later| Stretch { from: first.from + later, ..first });
        let skips = self.chance(50);
        let booked = self.ask(
            operator,
            &BookSeries {
                resources: vec![self.ids[first.room].clone()],
                any: None,
                slots: stretches.map(Self::slot).to_vec(),
                details: details(),
                conflicts: if skips { Conflicts::Skip } else { Conflicts::Refuse },
                past: Past::Refuse,
            },
        );
        let now = booked.at.millis();
        let free: Vec<Stretch> = stretches.into_iter().filter(|stretch| self.cells.can_book(*stretch, now)).collect();
        // a repeat leaves out the days on which the house is closed
        let may = !self.cells.is_closed_day && (free.len() == stretches.len() || skips && !free.is_empty());
        let Some(booked) = booked.judge(may)? else {
            return Ok(());
        };
        ensure(booked.bookings.len() == free.len(), || format!("{} were booked of {free:?}", booked.bookings.len()))?;
        self.cells.repeats.push((booked.series.id, first.room));
        for (booking, stretch) in booked.bookings.iter().zip(free) {
            self.cells.book(Self::booked(booking, For::Customer), (&[stretch], now));
        }
        Ok(())
    }

    /// A booking of the clerks that is wanted.
    pub(super) fn one_of(&mut self, wanted: impl Fn(&Booked) -> bool) -> Option<usize> {
        let bookings = self.cells.bookings.iter().enumerate();
        let wanted: Vec<usize> = bookings.filter(|(_, booking)| wanted(booking)).map(|(place, _)| place).collect();
        (!wanted.is_empty()).then(|| wanted[self.below(wanted.len())])
    }

    fn move_booking(&mut self) -> Step {
        let (stretch, operator) = (self.stretch(), self.operator());
        let movable = |booking: &Booked| booking.purpose == For::Customer && !booking.is_partial;
        let Some(booking) = self.one_of(movable) else {
            return Ok(());
        };
        let owner = Owner::Booking(booking);
        let moved = self.ask(
            operator,
            &MoveBooking {
                booking: self.cells.bookings[booking].id,
                from: None,
                to: Some(self.ids[stretch.room].clone()),
                part: None,
                slot: Self::slot(stretch),
                reach: Reach::This,
                past: Past::Closed,
                whose: Whose::Mine,
            },
        );
        let now = moved.at.millis();
        // where it begins in the time that the booking had, it may have begun
        let had = self.cells.stretch_of(owner);
        let had = had.is_some_and(|had| (had.from..had.from + had.count).contains(&stretch.from));
        let may = self.cells.bookings[booking].stands
            && self.cells.is_free_for(stretch, (owner, now))
            && !if had { is_over(stretch, now) } else { is_past(stretch, now) };
        if moved.judge(may)?.is_some() {
            self.cells.free(owner);
            self.cells.take(stretch, (owner, now));
            self.cells.bookings[booking].is_partial = false;
        }
        Ok(())
    }

    fn cancel(&mut self) -> Step {
        let operator = self.operator();
        // one that is canceled is answered as done, and writes nothing
        let Some(booking) = self.one_of(|booking| booking.stands) else {
            return Ok(());
        };
        let booked = &self.cells.bookings[booking];
        let may = match booked.purpose {
            For::Customer => true,
            For::Service => booked.operator == operator,
            For::Disable => false,
        };
        let (id, whose) = (booked.id, Whose::Mine);
        let reach = Reach::This;
        let canceled = self.ask(operator, &CancelBooking { booking: id, reach, whose });
        if canceled.judge(may)?.is_some() {
            let booked = &self.cells.bookings[booking];
            let was = (!booked.is_partial && booked.purpose == For::Customer)
                .then(|| self.cells.stretch_of(Owner::Booking(booking)));
            self.cells.bookings[booking].was = was.flatten();
            self.end(booking);
        }
        Ok(())
    }

    pub(super) fn end(&mut self, booking: usize) {
        self.cells.free(Owner::Booking(booking));
        self.cells.bookings[booking].stands = false;
    }

    /// Gives back a part of a booking, or more than it has.
    fn release(&mut self) -> Step {
        let operator = self.operator();
        let whole = |booking: &Booked| booking.stands && booking.purpose == For::Customer && !booking.is_partial;
        let Some(booking) = self.one_of(whole) else {
            return Ok(());
        };
        let owner = Owner::Booking(booking);
        let Some(mut part) = self.cells.stretch_of(owner) else {
            return Ok(());
        };
        let had = part.count;
        part.count = 1 + self.below(had + 2);
        let may = part.count <= had;
        let released = self.ask(
            operator,
            &ReleaseSlot {
                booking: self.cells.bookings[booking].id,
                resource: None,
                slot: Self::slot(part),
                whose: Whose::Mine,
            },
        );
        if released.judge(may)?.is_some() {
            self.cells.set(part, Owner::Nobody);
            if part.count == had {
                self.end(booking);
            }
        }
        Ok(())
    }

    fn occupy(&mut self) -> Step {
        let (stretch, operator) = (self.stretch(), self.operator());
        let slot = Self::slot(stretch);
        let occupied = self.ask(
            operator,
            &TakeOut {
                reason: "service".into(),
                past: Past::Closed,
                ..TakeOut::of(Cause::Maintenance, vec![self.ids[stretch.room].clone()], slot)
            },
        );
        let now = occupied.at.millis();
        let may = self.cells.can_book(stretch, now);
        self.out(occupied.judge(may)?, (stretch, For::Service), now)
    }

    /// Notes an act that takes time out of use.
    fn out(&mut self, out: Option<OutOfUse>, (stretch, purpose): (Stretch, For), now: i64) -> Step {
        match out {
            None => Ok(()),
            Some(OutOfUse::Slot { booking, .. }) => {
                let booked = Self::booked(&booking, purpose);
                self.cells.book(booked, (&[stretch], now));
                Ok(())
            }
            Some(OutOfUse::Marked { .. }) => Err("a mark instead of a slot".into()),
        }
    }

    /// Takes a stretch out of use for a leak.
    pub(super) fn leak(&self, stretch: Stretch) -> TakeOut {
        let slot = Self::slot(stretch);
        TakeOut {
            reason: "leak".into(),
            past: Past::Closed,
            ..TakeOut::of(Cause::Disable, vec![self.ids[stretch.room].clone()], slot)
        }
    }

    fn disable(&mut self) -> Step {
        let (stretch, operator) = (self.stretch(), self.operator());
        if self.cells.has_act(stretch, self.now()) {
            // acts over acts have rules of their own
            return Ok(());
        }
        let disabled = self.ask(operator, &self.leak(stretch));
        let now = disabled.at.millis();
        let may = !self.cells.is_closed(stretch) && !is_past(stretch, now);
        self.out(disabled.judge(may)?, (stretch, For::Disable), now)
    }

    fn enable(&mut self) -> Step {
        let operator = self.operator();
        let is_act = |booking: &Booked| booking.stands && booking.purpose != For::Customer;
        let Some(act) = self.one_of(is_act) else {
            return Ok(());
        };
        let (id, whose) = (self.cells.bookings[act].id, Whose::Mine);
        let may = self.cells.bookings[act].operator == operator;
        let enabled = self.ask(operator, &EnableSlot { id, whose });
        if enabled.judge(may)?.is_some() {
            self.end(act);
        }
        Ok(())
    }

    fn close(&mut self) -> Step {
        let (room, operator) = (self.below(ROOMS), self.operator());
        if self.cells.closed[room].is_some() {
            return Ok(());
        }
        let closed = self.ask(
            operator,
            &TakeOut {
                resources: vec![self.ids[room].clone()],
                count: None,
                from: None,
                until: None,
                cause: Cause::OutOfService,
                reason: "leak".into(),
                displace: Displace::Ask,
                past: Past::Refuse,
            },
        );
        let now = closed.at.millis();
        let from = usize::try_from(cell_at(now)).unwrap_or(0);
        let may = self.cells.is_empty(room, (from, now));
        if closed.judge(may)?.is_some() {
            self.cells.closed[room] = Some((operator.into(), from));
            let count = CELLS.saturating_sub(from);
            if count > 0 {
                self.cells.meet(Stretch { room, from, count }, now);
            }
        }
        Ok(())
    }

    fn reopen(&mut self) -> Step {
        let operator = self.operator();
        let closed = (0..ROOMS).find(|room| self.cells.closed[*room].is_some());
        let Some(room) = closed else { return Ok(()) };
        let by = self.cells.closed[room].as_ref().map(|(by, _)| by.as_str());
        let may = by == Some(operator);
        let resource = self.ids[room].clone();
        let whose = Whose::Mine;
        let opened = self.ask(operator, &InService { resource, whose });
        if opened.judge(may)?.is_some() {
            self.cells.closed[room] = None;
        }
        Ok(())
    }

    /// Desks of all engines want the same at once, or in turn where all has to be the same again: one of them gets it,
    /// if it is free.
    fn race(&mut self) -> Step {
        let stretch = self.stretch();
        let wanted = BookSlot { wants: self.wants(stretch), details: details(), past: Past::Closed };
        let desks: Vec<_> = (0..self.stations.count()).map(|place| self.desk(place, "ada")).collect();
        let answers: Vec<Result<Booking, Failure>> = if self.in_turn {
            desks.iter().map(|desk| desk.run(wanted.clone())).collect()
        } else {
            std::thread::scope(|scope| {
                let wanted = &wanted;
                let started: Vec<_> = desks.iter().map(|desk| scope.spawn(move || desk.run(wanted.clone()))).collect();
                let answers = started.into_iter().map(|thread| thread.join().unwrap());
                answers.collect()
            })
        };
        let mut times = desks.iter().map(|desk| desk.now().millis());
        let any = times.any(|now| self.cells.can_book(stretch, now));
        let mut won = None;
        for (desk, answer) in desks.iter().zip(answers) {
            self.note("book_slot", &answer);
            match answer {
                Err(Failure::Fault(fault)) => return Err(format!("a race ends with {fault}")),
                Err(Failure::Refused(_)) => {}
                Ok(booking) => {
                    let now = desk.now().millis();
                    let may = won.is_none() && self.cells.can_book(stretch, now);
                    ensure(may, || format!("{stretch:?} went to {won:?} and {booking:?}"))?;
                    won = Some((booking, now));
                }
            }
        }
        let Some((booking, now)) = won else {
            return ensure(!any, || format!("{stretch:?} is free, and nobody got it"));
        };
        self.cells.book(Self::booked(&booking, For::Customer), (&[stretch], now));
        Ok(())
    }

    /// All clocks are right, and what recurs by wrong ones recurs: two seconds after the last fault every engine takes
    /// a booking, and nobody waits for seats that are free.
    pub(super) fn sells_everywhere(&mut self) -> Step {
        self.stations.set_right();
        self.tell(&BeginTidying)?;
        if self.stations.clocks != Clocks::Forward {
            // what is less ahead comes by itself
            self.pass_seconds(JUMP_MAX.millis() / 1000);
        }
        for _ in 0..3 {
            self.pass_seconds(2);
            self.sweep()?;
        }
        self.nobody_waits_in_vain()?;
        for place in 0..self.stations.count() {
            let room = (0..ROOMS).find(|room| self.cells.closed[*room].is_none());
            let Some(room) = room else { return Ok(()) };
            let stretch = Stretch { room, from: CELLS - 1 - place, count: 1 };
            let desk = self.desk(place, "ada");
            let booked = desk.run(BookSlot { wants: self.wants(stretch), details: details(), past: Past::Closed });
            let booking = booked.map_err(|failure| format!("the end: {failure:?}"))?;
            let now = desk.now().millis();
            self.cells.book(Self::booked(&booking, For::Customer), (&[stretch], now));
        }
        let desk = self.desk(0, "ada");
        self.met.meet_runs(&desk);
        self.is_as_modelled()
    }
}
