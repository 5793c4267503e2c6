//! Seats of performances beside the rooms: holds, waiting lists and their offers, reservations, tickets at the desk.

use std::collections::BTreeMap;

use willcall::domain::customer::Customer;
use willcall::domain::plan::SeatRef;
use willcall::domain::time::{Instant, Span};
use willcall::engine::Desk;
use willcall::engine::ops::{
    AddPerformance, AddTheater, AddWaiting, HandOver, HoldSeats, HouseSeats, NamedPrice, PayBy, RemoveWaiting,
    ReserveCart, SeatChoice, TicketsTo,
};
use willcall::engine::reads::carts::ReadCart;
use willcall::engine::reads::receipts::ReadReceipt;
use willcall::engine::reads::seat_map::{ReadSeatMap, SeatState};
use willcall::engine::reads::waitlist::{ReadWaitlist, WhichWaiting};
use willcall::formats::rows;

use super::cells::{Ends, InCart, Owner, ROOMS, SEATS, SHOWS, Show, Stretch, Waits};
use super::place::Rooms;
use crate::stations::NOON;
use crate::world::{Step, ensure, same};

const MINUTE: i64 = 60_000;

/// When the performances start, in minutes from noon.
const STARTS: [i64; SHOWS] = [75, 300];

pub(super) fn name(name: &str) -> Customer {
    Customer { name: name.into(), ..Customer::default() }
}

impl Rooms {
    pub(super) fn open_shows(&mut self, desk: &Desk) {
        let add =
            AddTheater { name: "The Royal".into(), plan: rows::parse(&SEATS.to_string()).unwrap(), time_zone: None };
        let theater = desk.run(add).unwrap().id;
        self.theater = Some(theater);
        for minutes in STARTS {
            let start = NOON + Span::minutes(minutes);
            let opened = desk.run(AddPerformance::new(
                theater,
                "Hamlet",
                (start, start + Span::minutes(120)),
                vec![NamedPrice::all(1000)],
            ));
            let id = opened.unwrap().performance.id;
            let start = start.millis();
            self.cells.shows.push(Show { id, start });
        }
    }

    fn is_on_sale(&self, show: usize, now: i64) -> bool {
        now < self.cells.shows[show].start
    }

    pub(super) fn hold_seats(&mut self) -> Step {
        let (show, count, operator) = (self.below(SHOWS), 1 + self.below(4), self.operator());
        let stretch = Stretch { room: ROOMS + show, from: self.below(SEATS - count + 1), count };
        let carts = self.cells.carts.len();
        let cart = (carts > 0 && self.chance(50)).then(|| self.below(carts));
        if cart.is_some_and(|cart| self.cells.cells_of(stretch).contains(&Owner::Cart(cart))) {
            // seats of its own are left out
            return Ok(());
        }
        let seats = stretch.from..stretch.from + count;
        let seats = seats.map(|seat| SeatRef { row: 0, seat: u32::try_from(seat).unwrap() });
        let held = self.ask(
            operator,
            &HoldSeats {
                cart: cart.map(|cart| self.cells.carts[cart].id),
                performance: self.cells.shows[show].id,
                seats: SeatChoice::Seats(seats.collect()),
                ticket_type: None,
                kept: HouseSeats::Refuse,
            },
        );
        let now = held.at.millis();
        let may = self.is_on_sale(show, now)
            && self.cells.is_free(stretch, now)
            && cart.is_none_or(|cart| self.cells.is_live(cart, now));
        if let Some(held) = held.judge(may)? {
            self.took(&held, (cart, stretch), now);
        }
        Ok(())
    }

    pub(super) fn reserve(&mut self) -> Step {
        let (Some(cart), operator) = (self.cart(), self.operator()) else {
            return Ok(());
        };
        let now = self.now();
        let first = self.cells.shows_of(cart).map(|show| show.start).min();
        // half an hour before the first performance
        let latest = first.map_or(i64::MAX, |start| start - 30 * MINUTE);
        let at = match self.below(6) {
            0 => Some(now - MINUTE),
            1 => first,
            2..=3 => Some(now + i64::from(10 + self.dice.below(90)) * MINUTE),
            _ => None,
        };
        let (named, in_order) = (self.chance(90), self.chance(90));
        let reserved = self.ask(
            operator,
            &ReserveCart {
                cart: self.cells.carts[cart].id,
                customer: Some(name(if named { "Weber" } else { " " })),
                pay_by: at.map_or(PayBy::Usual, |at| PayBy::At(Instant::from_millis(at))),
                alert: (!in_order).then(|| Span::minutes(5)),
                last: (!in_order).then(|| Span::minutes(4)),
            },
        );
        let now = reserved.at.millis();
        let may = self.can_pay(cart, now)
            && now < latest
            && at.is_none_or(|at| (now + 1..=latest).contains(&at))
            && named
            && in_order;
        if let Some(reserved) = reserved.judge(may)? {
            let until = reserved.expires_at.millis();
            let usual = (now + 24 * 60 * MINUTE).min(latest);
            if at.is_some() || first.is_some() {
                same("the time to pay by", &until, &at.unwrap_or(usual))?;
            }
            let cart = &mut self.cells.carts[cart];
            (cart.ends, cart.reserved) = (Ends::At(until), true);
        }
        Ok(())
    }

    /// Whether tickets of a cart may wait at the desk: a performance of it is still to come.
    pub(super) fn can_keep(&self, cart: usize, now: i64) -> bool {
        let mut shows = self.cells.shows_of(cart);
        shows.any(|show| now < show.start)
    }

    pub(super) fn hand_over(&mut self) -> Step {
        let carts = self.cells.carts.iter().enumerate();
        let sold: Vec<_> = carts.filter_map(|(place, cart)| Some((place, cart.receipt?))).collect();
        if sold.is_empty() {
            return Ok(());
        }
        let (cart, receipt) = sold[self.below(sold.len())];
        let keeps = !self.cells.carts[cart].kept;
        let to = if keeps { TicketsTo::Desk } else { TicketsTo::Customer };
        let operator = self.operator();
        let handed = self.ask(operator, &HandOver::new(receipt, to));
        let may = !keeps || self.can_keep(cart, handed.at.millis());
        if let Some(receipt) = handed.judge(may)? {
            same("tickets at the desk", &receipt.tickets.wait(), &keeps)?;
            self.cells.carts[cart].kept = keeps;
        }
        Ok(())
    }

    pub(super) fn wait(&mut self) -> Step {
        let (show, seats) = (self.below(SHOWS), self.below(7));
        let (operator, named) = (self.operator(), self.chance(90));
        let waits = self.ask(
            operator,
            &AddWaiting {
                performance: self.cells.shows[show].id,
                customer: name(if named { "Ida" } else { "" }),
                seats: u32::try_from(seats).unwrap(),
                category: None,
                priority: None,
            },
        );
        let since = waits.at.millis();
        let may = self.is_on_sale(show, since) && seats > 0 && named;
        if let Some(waiting) = waits.judge(may)? {
            self.cells.waits.push(Waits {
                id: waiting.id,
                show,
                seats,
                since,
                offer: None,
                was_late: false,
                is_over: false,
            });
        }
        Ok(())
    }

    pub(super) fn remove_waiting(&mut self) -> Step {
        let now = self.now();
        let waits = self.cells.waits.iter().enumerate();
        let open: Vec<usize> = waits
            .filter(|(_, waits)| {
                let offered = |cart: usize| self.cells.is_live(cart, now) && !self.cells.carts[cart].reserved;
                !waits.is_over && !waits.was_late && waits.offer.is_none_or(offered)
            })
            .map(|(place, _)| place)
            .collect();
        if open.is_empty() {
            return Ok(());
        }
        let place = open[self.below(open.len())];
        let waiting = self.cells.waits[place].id;
        let operator = self.operator();
        let removed = self.ask(operator, &RemoveWaiting { waiting });
        removed.judge(true)?;
        self.cells.waits[place].is_over = true;
        // an offer that has lapsed by this station's clock only ends, too
        let stands = |cart: &usize| {
            let cart = &self.cells.carts[*cart];
            matches!(cart.ends, Ends::At(_)) && !cart.reserved
        };
        if let Some(cart) = self.cells.waits[place].offer.filter(stands) {
            self.cells.carts[cart].ends = Ends::Canceled;
            self.cells.free(Owner::Cart(cart));
        }
        Ok(())
    }

    /// Takes up the offers that jobs have made: seats side by side that were free, first come first served.
    pub(super) fn offers(&mut self, desk: &Desk) -> Step {
        let now = desk.now().millis();
        for (place, (word, cart)) in self.on_the_lists(desk)? {
            let waits = &self.cells.waits[place];
            let (show, seats, since) = (waits.show, waits.seats, waits.since);
            if let Some(cart) = waits.offer {
                let is_open = self.cells.is_live(cart, now) || self.cells.carts[cart].ends == Ends::Sold;
                self.cells.waits[place].was_late |= !is_open;
                continue;
            }
            if waits.is_over {
                continue;
            }
            if word == "closed" {
                ensure(!self.is_on_sale(show, now), || "a list ended too early".into())?;
                self.cells.waits[place].is_over = true;
            }
            let Some(cart) = cart else { continue };
            let passed = self.cells.waits.iter().find(|other| {
                let waits = !other.is_over && other.offer.is_none() && other.show == show;
                waits && other.since < since && other.seats <= seats
            });
            ensure(passed.is_none(), || "somebody was passed over".into())?;
            let view = desk.read(ReadCart(cart)).unwrap().cart;
            let [line] = view.lines.as_slice() else {
                return Err(format!("an offer of {:?}", view.lines));
            };
            let offered = line.goods.seats();
            let from = usize::try_from(offered[0].seat).unwrap();
            let side_by_side = (offered[0].seat..).zip(offered);
            let side_by_side = side_by_side.into_iter().all(|(at, seat)| seat.seat == at);
            let stretch = Stretch { room: ROOMS + show, from, count: seats };
            let right = offered.len() == seats && side_by_side;
            ensure(right && self.cells.is_free(stretch, now), || format!("{offered:?} was offered for {seats}"))?;
            let ends = Ends::At(view.expires_at.millis());
            self.cells.waits[place].offer = Some(self.cells.carts.len());
            let owner = Owner::Cart(self.cells.carts.len());
            self.cells.take(stretch, (owner, now));
            self.cells.carts.push(InCart::new(cart, ends));
            self.met.meet("waiting", "offered".into());
        }
        Ok(())
    }

    /// An offer is about to end.
    pub(super) fn warn(&mut self) -> Step {
        let now = self.now();
        let offers = self.cells.waits.iter().filter_map(|waits| waits.offer);
        let mut ends = offers.filter_map(|cart| match self.cells.carts[cart].ends {
            Ends::At(end) if !self.cells.carts[cart].reserved && now < end => Some(end),
            Ends::At(_) | Ends::Canceled | Ends::Expired | Ends::Sold => None,
        });
        if let Some(end) = ends.next() {
            self.pass(((end - now) / MINUTE - 1).max(0));
        }
        self.sweep()
    }

    /// The entries by their place in the oracle's list, each with its state and the cart of its offer.
    #[expect(clippy::type_complexity, reason = "asked for here alone")]
    fn on_the_lists(
        &self,
        desk: &Desk,
    ) -> Result<Vec<(usize, (String, Option<willcall::domain::ids::CartId>))>, String> {
        let list = ReadWaitlist { performance: None, which: WhichWaiting::All };
        let views = desk.read(list).map_err(|failure| format!("{failure:?}"))?;
        let mut found = Vec::new();
        for view in views {
            let id = view.waiting.id;
            let place = self.cells.waits.iter().position(|waits| waits.id == id);
            let facts = serde_json::to_value(&view.waiting.state).unwrap();
            let cart = facts["cart"].as_str().map(|cart| cart.parse().unwrap());
            let word = view.waiting.state.word().to_owned();
            found.push((place.ok_or("an entry of nobody")?, (word, cart)));
        }
        same("entries", &found.len(), &self.cells.waits.len())?;
        // first come, first served; in one moment by chance
        found.sort_by_key(|(place, _)| self.cells.waits[*place].since);
        Ok(found)
    }

    /// Nobody still waits for seats that are free together.
    pub(super) fn nobody_waits_in_vain(&self) -> Step {
        let now = self.now();
        for waits in &self.cells.waits {
            let is_open = !waits.is_over && waits.offer.is_none() && self.is_on_sale(waits.show, now);
            let free = self.cells.run_of(ROOMS + waits.show, (waits.seats, now));
            ensure(!is_open || free.is_none(), || format!("{free:?} is free, and somebody waits for {}", waits.seats))?;
        }
        Ok(())
    }

    pub(super) fn check_shows(&self, desk: &Desk) -> Step {
        let now = desk.now().millis();
        for (number, show) in self.cells.shows.iter().enumerate() {
            let map = desk.read(ReadSeatMap(show.id));
            let map = map.map_err(|failure| format!("{failure:?}"))?;
            for seat in 0..SEATS {
                let place = SeatRef { row: 0, seat: u32::try_from(seat).unwrap() };
                let word = match map.state(place).ok_or("a seat is missing")? {
                    SeatState::Free => "free",
                    SeatState::Held(_) => "held",
                    SeatState::Booked { .. } => "sold",
                    SeatState::Kept { .. } | SeatState::Disabled { .. } => "out",
                };
                let expected = match self.cells.owner(ROOMS + number, seat, now) {
                    Owner::Nobody => "free",
                    Owner::Cart(cart) if self.cells.carts[cart].ends == Ends::Sold => "sold",
                    Owner::Cart(_) => "held",
                    Owner::Booking(_) => "out",
                };
                same(&format!("seat {seat} of {number}"), &word, &expected)?;
            }
        }
        for cart in &self.cells.carts {
            if let Some(receipt) = cart.receipt {
                let view = desk.read(ReadReceipt(receipt));
                let view = view.map_err(|failure| format!("{failure:?}"))?;
                same("tickets at the desk", &view.receipt.tickets.wait(), &cart.kept)?;
            }
        }
        self.check_waiting(desk)
    }

    fn check_waiting(&self, desk: &Desk) -> Step {
        let now = desk.now().millis();
        let found: BTreeMap<usize, (String, _)> = self.on_the_lists(desk)?.into_iter().collect();
        for (place, waits) in self.cells.waits.iter().enumerate() {
            let (word, _) = &found[&place];
            let expected: &[&str] = match waits.offer {
                _ if waits.is_over => &["removed", "closed"],
                None => &["waiting"],
                Some(cart) => {
                    let (cart, live) = (&self.cells.carts[cart], self.cells.is_live(cart, now));
                    match (cart.ends, live) {
                        (Ends::Sold, _) => &["served"],
                        (_, true) if cart.reserved => &["served"],
                        (_, true) => &["offered"],
                        // a reservation that ran out may have been seen to before
                        (_, false) if cart.reserved => &["served", "lapsed"],
                        (_, false) => &["lapsed"],
                    }
                }
            };
            let may_be = waits.was_late && word == "lapsed";
            ensure(may_be || expected.contains(&word.as_str()), || {
                format!("entry {place} is {word}, and should be {expected:?}")
            })?;
        }
        Ok(())
    }
}
