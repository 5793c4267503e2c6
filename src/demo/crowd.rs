//! The crowd: simulated customers who arrive, hold seats, buy, hesitate or leave.
//!
//! The crowd has its own dice and its own clock, whose speed can be set, and works through ordinary desks. Carts that
//! customers leave behind are ended by the ticker, in the house's time.
//!
//! # Invariants
//! - Only carts that the crowd opened are touched.
//! - No house is ever filled: demand falls as seats sell, and the last seats stay free.

use std::collections::HashMap;
use std::sync::Arc;

use crate::demo::dice::Dice;
use crate::demo::programme::{Programme, StationEntry};
use crate::demo::room::{Room, party};
use crate::demo::staff;
use crate::domain::cart::Cart;
use crate::domain::ids::PlanId;
use crate::domain::receipt::Tender;
use crate::domain::time::{Instant, Span};
use crate::engine::ops::{BeginPayment, CancelCart, Checkout, ExtendCart, GiveBack, HoldSeats, SeatChoice};
use crate::engine::reads::seat_map::{ReadSeatMap, SeatMap};
use crate::engine::reads::tonight::{PerformanceRow, ReadPerformances};
use crate::engine::{Desk, Failure, Fault};

mod live;
mod speed;

pub(crate) use live::LiveCrowd;
pub(crate) use speed::{NotASpeed, Speed};

/// Interval between reads of the programme.
const LOOK_EVERY: Span = Span::seconds(30);

/// Weight of a free seat of the next performances, in order; the last weight holds for all later ones.
const DRAW: [u32; 4] = [12, 6, 3, 1];

/// Free seats counted for demand, at most.
const DRAWING_SEATS_MAX: u32 = 100;

/// Seats left for the operator, in percent; at least [`LEFT_LEAST`].
const LEFT_PERCENT: u32 = 6;
const LEFT_LEAST: u32 = 2;

/// Percentage of free seats below which nobody buys, and the range above it in which demand rises to the full.
const BUY_FROM_PERCENT: u32 = 10;
const BUY_FULLY_AFTER: u32 = 40;

pub(crate) struct Crowd {
    desk: Desk,
    dice: Dice,
    stations: Vec<Station>,
    on: Vec<PerformanceRow>,
    looked_at: Option<Instant>,
    rooms: HashMap<PlanId, Arc<Room>>,
}

/// A till, or a window of the web shop, with one customer at a time.
struct Station {
    desk: Desk,
    mood: Mood,
    due: Instant,
}

enum Mood {
    /// No customer; the next one comes at the due time.
    Away,
    /// A customer with seats in a cart, undecided; the weight is the chance of buying.
    Dithering(Box<Cart>, u32),
    /// A card payment in progress.
    Paying(Box<Cart>),
}

impl Crowd {
    /// A crowd for a furnished house; equal seeds decide alike.
    pub(crate) fn new(desk: &Desk, seed: u64) -> Result<Self, Fault> {
        let programme = Programme::built_in()?;
        let mut dice = Dice(seed);
        let station = |entry: &StationEntry| Station {
            desk: staff::at(desk, (&entry.operator, &entry.name)),
            mood: Mood::Away,
            due: Instant::default() + some(&mut dice, (0, 6)),
        };
        Ok(Self {
            desk: desk.clone(),
            stations: programme.crowd().map(station).collect(),
            dice,
            on: Vec::new(),
            looked_at: None,
            rooms: HashMap::new(),
        })
    }

    /// Lets every customer who is due do one thing. Times are the crowd's own, from zero; gives the next due time.
    pub(crate) fn step(&mut self, now: Instant) -> Instant {
        self.look_what_is_on(now);
        let mut stations = std::mem::take(&mut self.stations);
        for station in stations.iter_mut().filter(|station| station.due <= now) {
            let mood = std::mem::replace(&mut station.mood, Mood::Away);
            // after a failure too, the next customer comes
            let (mood, wait) =
                self.act(&station.desk, mood).unwrap_or_else(|_| (Mood::Away, some(&mut self.dice, (2, 6))));
            station.mood = mood;
            station.due = now + wait;
        }
        self.stations = stations;
        let next = self.stations.iter().map(|station| station.due).min();
        next.unwrap_or(now + LOOK_EVERY)
    }

    fn look_what_is_on(&mut self, now: Instant) {
        let fresh = |at: Instant| now.since(at) < LOOK_EVERY;
        if self.looked_at.is_some_and(fresh) {
            return;
        }
        self.looked_at = Some(now);
        let from = Some(self.desk.now());
        let question = ReadPerformances { from, ..ReadPerformances::default() };
        if let Ok(rows) = self.desk.read(question) {
            self.on = rows.into_iter().filter(|row| !row.canceled).collect();
        }
    }

    fn act(&mut self, desk: &Desk, mood: Mood) -> Result<(Mood, Span), Failure> {
        match mood {
            Mood::Away => self.arrive(desk),
            Mood::Dithering(cart, buys) => self.decide(desk, (cart, buys)),
            Mood::Paying(cart) => {
                let reference = format!("{:06}", self.dice.below(1_000_000));
                let charged = None;
                pay(desk, &cart, Tender::Card { reference, charged })?;
                Ok(self.leave())
            }
        }
    }

    /// Lets a party arrive for one of the performances, and hold seats if there are enough.
    fn arrive(&mut self, desk: &Desk) -> Result<(Mood, Span), Failure> {
        let draws = DRAW.iter().chain(std::iter::repeat(&1));
        let draw = |(draw, row): (&u32, &PerformanceRow)| draw * row.free.min(DRAWING_SEATS_MAX);
        let weights: Vec<u32> = draws.zip(&self.on).map(draw).collect();
        let Some(performance) = self.on.get(self.dice.weighted(&weights)).map(|row| row.id) else {
            return Ok(self.leave());
        };
        let map = desk.read(ReadSeatMap(performance))?;
        let seats = self.room(&map).choose(&|seat| map.is_free(seat), (party(&mut self.dice), &mut self.dice));
        let wanted = u32::try_from(seats.len()).unwrap_or(u32::MAX);
        if seats.is_empty() || map.free.saturating_sub(wanted) < left(&map) {
            return Ok(self.leave());
        }
        let cart = desk.run(HoldSeats::new(performance, SeatChoice::Seats(seats)))?;
        let wait = some(&mut self.dice, (4, 14));
        Ok((Mood::Dithering(Box::new(cart), buys(&map)), wait))
    }

    fn room(&mut self, map: &SeatMap) -> Arc<Room> {
        let room = self.rooms.entry(map.performance.plan).or_insert_with(|| Arc::new(Room::new(Arc::clone(&map.plan))));
        Arc::clone(room)
    }

    /// Buys, extends the deadline, gives back one seat, gives up the cart, or leaves without a word.
    fn decide(&mut self, desk: &Desk, (cart, buys): (Box<Cart>, u32)) -> Result<(Mood, Span), Failure> {
        let id = cart.id;
        match self.dice.weighted(&[buys, 10, 12, 22, 12]) {
            0 if self.dice.chance(60) => {
                let cart = desk.run(BeginPayment { cart: id })?;
                Ok((Mood::Paying(Box::new(cart)), some(&mut self.dice, (3, 8))))
            }
            0 => {
                pay(desk, &cart, Tender::Cash { given: None })?;
                Ok(self.leave())
            }
            1 => {
                let cart = desk.run(ExtendCart { cart: id })?;
                Ok(self.dither(cart, buys))
            }
            2 if cart.seat_count() > 1 => {
                let cart = desk.run(one_less(&cart))?;
                Ok(self.dither(cart, buys))
            }
            2 | 3 => {
                desk.run(CancelCart { cart: id })?;
                Ok(self.leave())
            }
            _ => Ok(self.leave()),
        }
    }

    fn dither(&mut self, cart: Cart, buys: u32) -> (Mood, Span) {
        let wait = some(&mut self.dice, (3, 10));
        (Mood::Dithering(Box::new(cart), buys), wait)
    }

    fn leave(&mut self) -> (Mood, Span) {
        (Mood::Away, some(&mut self.dice, (2, 9)))
    }
}

/// Seats that the crowd leaves free.
fn left(map: &SeatMap) -> u32 {
    (map.plan.seat_count() * LEFT_PERCENT / 100).max(LEFT_LEAST)
}

/// Chance of buying, which falls as the house fills.
fn buys(map: &SeatMap) -> u32 {
    let seats = map.plan.seat_count().max(1);
    let percent = map.free * 100 / seats;
    percent.saturating_sub(BUY_FROM_PERCENT).min(BUY_FULLY_AFTER)
}

/// A random time between two numbers of seconds.
fn some(dice: &mut Dice, (least, most): (i64, i64)) -> Span {
    let range = u32::try_from((most - least) * 1000).unwrap_or_default();
    Span::from_millis(least * 1000 + i64::from(dice.below(range)))
}

/// Gives back the last seat of a cart's last line.
fn one_less(cart: &Cart) -> GiveBack {
    let line = cart.lines.last();
    let seats = line.map(|line| line.goods.seats().last().copied().into_iter().collect());
    GiveBack::line(cart.id, line.map_or(0, |line| line.number), seats)
}

fn pay(desk: &Desk, cart: &Cart, tender: Tender) -> Result<(), Failure> {
    let checkout = Checkout { seen: cart.total().ok(), ..Checkout::new(cart.id, vec![tender]) };
    desk.run(checkout)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{Crowd, left};

    use crate::demo::testing::{Stepped, drawn, furnished};
    use crate::domain::ids::PerformanceId;
    use crate::domain::time::{Instant, Span};
    use crate::engine::reads::carts::{ReadCart, ReadOpenCarts};
    use crate::engine::reads::seat_map::ReadSeatMap;
    use crate::engine::verify::Verify;

    /// Runs a crowd for a time on both clocks; gives how often a map changed.
    fn live(house: &Stepped, span: Span, watched: PerformanceId) -> usize {
        let mut crowd = Crowd::new(&house.desk, 42).unwrap();
        let (began, mut now) = (house.desk.now(), Instant::default());
        let (mut changes, mut before) = (0, String::new());
        while now < Instant::default() + span {
            house.clock.set(began + now.since(Instant::default()));
            house.desk.sweep().unwrap();
            now = crowd.step(now);
            let map = drawn(&house.desk.read(ReadSeatMap(watched)).unwrap());
            changes += usize::from(map != before);
            before = map;
        }
        changes
    }

    #[test]
    fn at_its_normal_speed_tonights_map_changes_a_few_times_every_ten_seconds() {
        let (house, furnished) = furnished();
        let changes = live(&house, Span::minutes(5), furnished.performances[0].id);
        assert!((30..180).contains(&changes), "{changes} in 30 times 10 s");
    }

    #[test]
    fn a_crowd_never_fills_a_house_and_leaves_other_carts_alone() {
        let (house, furnished) = furnished();
        let cart = furnished.set_aside.unwrap();
        let before = house.desk.read(ReadCart(cart)).unwrap().cart;
        live(&house, Span::minutes(19), furnished.performances[1].id);
        assert_eq!(house.desk.read(ReadCart(cart)).unwrap().cart, before);
        for performance in &furnished.performances {
            let map = house.desk.read(ReadSeatMap(performance.id)).unwrap();
            assert!(map.free >= left(&map), "{} {}", performance.title, map.free);
        }
        let stations = house.desk.read(ReadOpenCarts::default()).unwrap();
        assert!(stations.iter().any(|cart| cart.station == "web"), "{stations:?}");
        let report = house.desk.read(Verify::default()).unwrap();
        assert!(report.violations.is_empty(), "{:#?}", report.violations);
    }
}
