//! Furnishes a house with past sales, by many of the ordinary operations.

use std::collections::HashSet;
use std::sync::Arc;

use crate::demo::calendar;
use crate::demo::clock::DemoClock;
use crate::demo::dice::Dice;
use crate::demo::history;
use crate::demo::programme::{PerformanceEntry, Programme, TheaterEntry};
use crate::demo::promises;
use crate::demo::room::{Room, party};
use crate::demo::sales::{self, Sale};
use crate::domain::customer::Customer;
use crate::domain::ids::{CartId, TheaterId};
use crate::domain::money::Price;
use crate::domain::performance::{ADULT, Performance};
use crate::domain::plan::{Plan, SeatRef};
use crate::domain::receipt::Tender;
use crate::domain::time::{Instant, Span};
use crate::engine::ops::{
    AddPerformance, AddTheater, ChangeSettings, DisableSeats, HoldSeats, KeepSeats, NameCustomer, OpenCart, OpenTill,
    SeatChoice, SetAside, Which,
};
use crate::engine::{Desk, Failure, Fault};

const SEED: u64 = 0x57_11_1c_a1;

/// Parties that may find no seats before a performance has sold enough.
const IN_VAIN_MAX: usize = 40;

/// Cash in the drawer of the desk's till, in the smallest coin.
const FLOAT: i64 = 15_000;

/// Hold time of the cart that was set aside.
const SET_ASIDE_HOLD: Span = Span::minutes(20);

/// The demo house, ready to open.
#[derive(Clone, Debug)]
#[cfg_attr(not(test), expect(dead_code, reason = "only tests look at what was furnished"))]
pub(crate) struct Furnished {
    /// Performances, by start; the first is the next to begin.
    pub performances: Vec<Performance>,
    /// The cart set aside for a customer, if any.
    pub set_aside: Option<CartId>,
}

struct Site {
    id: TheaterId,
    name: String,
    plan: Arc<Plan>,
    room: Room,
}

struct Played<'a> {
    entry: &'a PerformanceEntry,
    site: &'a Site,
    performance: Performance,
    sales: Vec<Sale>,
    free: HashSet<SeatRef>,
}

/// Makes the demo house: theaters, a week's performances with past sales, kept and broken seats, and a cart that was
/// set aside. The till of the desk is open. The sales lie in the two weeks before the present. Equal times give an equal house.
///
/// # Errors
/// A refusal when theaters of these names are there already; a fault of the store.
pub(crate) fn furnish(desk: &Desk, clock: &DemoClock) -> Result<Furnished, Failure> {
    let programme = Programme::built_in()?;
    let mut work = Furnishing { desk, programme: &programme, now: desk.now(), dice: Dice(SEED), set_aside: None };
    clock.set_back(history::BEGIN);
    desk.run(
        ChangeSettings::to("hold", &programme.hold()?)
            .and("currency", &programme.currency)
            .and("time-zone", &programme.time_zone),
    )?;
    let mut sites = Vec::new();
    for theater in &programme.theaters {
        sites.push(work.theater(theater)?);
    }
    let mut played = Vec::new();
    for entry in &programme.performances {
        let site = sites.iter().find(|site| site.name == entry.theater);
        let site = site.ok_or_else(|| Fault::Broken(format!("no theater {}", entry.theater)))?;
        played.push(work.performance(entry, site)?);
    }
    let sales = played.iter().flat_map(|one| {
        let of = |sale| (one.performance.id, sale);
        one.sales.iter().map(of)
    });
    sales::sell(desk, sales.collect(), clock)?;
    clock.set_back(Span::default());
    for one in &played {
        work.mishaps(one)?;
    }
    calendar::furnish(desk, (programme.time_zone, programme.currency))?;
    let mut performances: Vec<_> = played.into_iter().map(|one| one.performance).collect();
    performances.sort_by_key(|performance| performance.start);
    promises::make(desk, &performances)?;
    desk.run(OpenTill { floats: vec![Price { minor: FLOAT, currency: programme.currency }] })?;
    Ok(Furnished { performances, set_aside: work.set_aside })
}

struct Furnishing<'a> {
    desk: &'a Desk,
    programme: &'a Programme,
    /// The present, while the clock is set back.
    now: Instant,
    dice: Dice,
    set_aside: Option<CartId>,
}

impl Furnishing<'_> {
    fn theater(&mut self, entry: &TheaterEntry) -> Result<Site, Failure> {
        let plan = Arc::new(entry.plan()?);
        let theater =
            self.desk.run(AddTheater { name: entry.name.clone(), plan: Plan::clone(&plan), time_zone: None })?;
        if let Some(broken) = &entry.broken {
            self.desk.run(DisableSeats {
                which: Which::Theater { theater: theater.id, from: None },
                seats: broken.seats.clone(),
                reason: broken.reason.clone(),
            })?;
        }
        Ok(Site { id: theater.id, name: theater.name, room: Room::new(Arc::clone(&plan)), plan })
    }

    fn performance<'a>(&mut self, entry: &'a PerformanceEntry, site: &'a Site) -> Result<Played<'a>, Failure> {
        let (start, end) = self.programme.times(entry, self.now)?;
        let opened = self.desk.run(AddPerformance {
            description: entry.description.clone(),
            ..AddPerformance::new(site.id, &entry.title, (start, end), self.programme.prices(entry)?)
        })?;
        let performance = opened.performance;
        let mut free: HashSet<SeatRef> = site.plan.seats().map(|(seat, _)| seat).collect();
        self.take_broken(site, &mut free);
        for keep in &entry.keeps {
            let until = keep.until(start)?;
            if until > self.now {
                let kept = self.desk.run(KeepSeats {
                    performance: performance.id,
                    seats: keep.seats(&site.plan),
                    reason: keep.reason.clone(),
                    until,
                })?;
                free.retain(|seat| !kept.live.contains(seat));
            }
        }
        let overlooked = self.overlook(&entry.together, site, &mut free);
        let sales = self.sales(entry.sold, (site, &performance), &mut free);
        free.extend(overlooked);
        Ok(Played { entry, site, performance, sales, free })
    }

    fn take_broken(&self, site: &Site, free: &mut HashSet<SeatRef>) {
        let entries = &self.programme.theaters;
        let broken = entries.iter().filter(|entry| entry.name == site.name).filter_map(|entry| entry.broken.as_ref());
        for broken in broken {
            free.retain(|seat| {
                let name = site.plan.seat_name(*seat);
                !broken.seats.iter().any(|broken| broken == name)
            });
        }
    }

    /// Withdraws seats side by side from the customers' choice, so that they stay free together.
    fn overlook(&mut self, counts: &[usize], site: &Site, free: &mut HashSet<SeatRef>) -> Vec<SeatRef> {
        let mut overlooked = Vec::new();
        for count in counts {
            let is_free = |seat: SeatRef| free.contains(&seat);
            let seats = site.room.anywhere(&is_free, (*count, &mut self.dice));
            free.retain(|seat| !seats.contains(seat));
            overlooked.extend(seats);
        }
        overlooked
    }

    fn sales(
        &mut self,
        percent: u32,
        (site, performance): (&Site, &Performance),
        free: &mut HashSet<SeatRef>,
    ) -> Vec<Sale> {
        let wanted = usize::try_from(site.plan.seat_count() * percent / 100).unwrap_or_default();
        let (mut sales, mut sold, mut in_vain) = (Vec::new(), 0, 0);
        while sold < wanted && in_vain < IN_VAIN_MAX {
            let count = party(&mut self.dice).min(wanted - sold);
            let is_free = |seat: SeatRef| free.contains(&seat);
            let seats = site.room.choose(&is_free, (count, &mut self.dice));
            if seats.is_empty() {
                in_vain += 1;
                continue;
            }
            sold += seats.len();
            free.retain(|seat| !seats.contains(seat));
            sales.extend(self.sale(seats, (site, performance)));
        }
        sales
    }

    fn sale(&mut self, seats: Vec<SeatRef>, (site, performance): (&Site, &Performance)) -> Option<Sale> {
        let station = self.dice.pick(&self.programme.stations)?.clone();
        let category = site.plan.seat(*seats.last()?)?.category;
        let types = performance.ticket_types(category);
        let other = types.into_iter().find(|name| *name != ADULT);
        let last = other.filter(|_| seats.len() > 1 && self.dice.chance(20));
        let by_card = self.dice.chance(65) || station.name == "web";
        let tender = if by_card {
            Tender::Card { reference: format!("{:06}", self.dice.below(1_000_000)), charged: None }
        } else {
            Tender::Cash { given: None }
        };
        Some(Sale {
            customer: (station.name == "web" || self.dice.chance(25)).then(|| customer(self.programme, &mut self.dice)),
            last: last.map(str::to_owned),
            age: history::age(self.now.in_zone(self.programme.time_zone), &mut self.dice),
            station,
            seats,
            tender,
        })
    }

    /// Mishaps of a performance, and undecided customers.
    fn mishaps(&mut self, of: &Played<'_>) -> Result<(), Failure> {
        let Played { entry, site, performance, sales, free } = of;
        let first = sales.first().and_then(|sale| sale.seats.first());
        if let (Some(reason), Some(seat)) = (&entry.leak, first) {
            self.desk.run(DisableSeats {
                which: Which::Performance(performance.id),
                seats: vec![site.plan.seat_name(*seat).to_owned()],
                reason: reason.clone(),
            })?;
        }
        if let Some(count) = entry.set_aside {
            let is_free = |seat: SeatRef| free.contains(&seat);
            let seats = site.room.choose(&is_free, (count, &mut self.dice));
            let cart = self.desk.run(OpenCart { hold: Some(SET_ASIDE_HOLD), ..OpenCart::default() })?;
            let customer = customer(self.programme, &mut self.dice);
            let cart = self
                .desk
                .run(HoldSeats { cart: Some(cart.id), ..HoldSeats::new(performance.id, SeatChoice::Seats(seats)) })?;
            let cart = cart.id;
            self.desk.run(NameCustomer { cart, customer })?;
            self.set_aside = Some(self.desk.run(SetAside { cart })?.id);
        }
        Ok(())
    }
}

fn customer(programme: &Programme, dice: &mut Dice) -> Customer {
    Customer {
        name: dice.pick(&programme.names).cloned().unwrap_or_default(),
        phone: if dice.chance(50) { format!("07700 900{:03}", dice.below(1000)) } else { String::new() },
        ..Customer::default()
    }
}

#[cfg(test)]
mod tests {
    use chrono_tz::Tz;

    use super::furnish;
    use crate::demo::staff;
    use crate::demo::testing::house;
    use crate::domain::receipt::Tickets;
    use crate::domain::rights::StaffRole;
    use crate::domain::time::{Slot, Span};
    use crate::engine::ops::{BestSeats, HoldSeats, SeatChoice};
    use crate::engine::reads::bookings::ReadBookings;
    use crate::engine::reads::carts::ReadOpenCarts;
    use crate::engine::reads::customers::ReadDoor;
    use crate::engine::reads::seat_map::ReadSeatMap;
    use crate::engine::reads::stays::{ReadStays, WhichStays};
    use crate::engine::reads::tills::ReadOpenTill;
    use crate::engine::reads::tonight::{ReadPace, ReadPerformances, ReadTonight};
    use crate::engine::reads::worklist::ReadWorklist;
    use crate::engine::verify::Verify;

    #[test]
    fn the_furnished_house_is_sound_and_lifelike() {
        let house = house();
        let furnished = furnish(&house.desk, &house.past).unwrap();
        let report = house.desk.read(Verify::default()).unwrap();
        assert!(report.violations.is_empty(), "{:#?}", report.violations);

        let now = house.desk.now();
        let tonight = house.desk.read(ReadTonight { from: now, before: now + Span::minutes(7 * 24 * 60) }).unwrap();
        assert_eq!(tonight.performances.len(), 10);
        let left = |place: usize| {
            let row = &tonight.performances[place];
            (row.title.as_str(), row.free, row.seats)
        };
        assert_eq!(left(0), ("Hamlet", 116, 652));
        assert_eq!(left(4), ("Action Movie 5", 80, 80), "an empty one");
        assert!(tonight.takings.iter().any(|takings| takings.station == "till-3"));
        let paces = house.desk.read(ReadPace).unwrap();
        let today: i64 = paces.iter().filter_map(|one| one.days.last()).sum();
        let taken: i64 = tonight.takings.iter().map(|one| one.seats).sum();
        assert_eq!(today, taken, "the pace of today adds up to what was taken");
        let before = paces.iter().filter(|one| one.days.iter().rev().skip(1).any(|seats| *seats > 0)).count();
        assert!(before > 3, "{paces:?}");
        let hours = tonight.sold.hours.iter().rev().take(24);
        let hours = hours.filter(|seats| **seats > 0).count();
        assert!(hours > 6, "sales of many hours: {:?}", tonight.sold);
        let waiting = house.desk.read(ReadWorklist).unwrap().len();
        assert_eq!(waiting, 2, "a leaking seat, and a dance class that lost its room");
        let mut carts = house.desk.read(ReadOpenCarts::default()).unwrap();
        carts.retain(|cart| cart.reservation.is_none());
        assert_eq!((carts.len(), carts[0].set_aside, carts[0].seats), (1, true, 3));
        assert_eq!(Some(carts[0].id), furnished.set_aside);
        assert!(house.desk.read(ReadOpenTill).unwrap().open.is_some(), "cash can be taken at once");
        let best = BestSeats { count: 4, ..BestSeats::default() };
        let first = furnished.performances[0].id;
        let four = house.desk.run(HoldSeats::new(first, SeatChoice::Best(best)));
        assert_eq!(four.unwrap().seat_count(), 4, "tonight has four together");
    }

    #[test]
    fn names_wait_guests_arrive_most_is_paid_and_the_staff_has_its_roles() {
        let house = house();
        let furnished = furnish(&house.desk, &house.past).unwrap();
        let rows = house.desk.read(ReadDoor(furnished.performances[0].id)).unwrap();
        let waiting = rows.iter().filter(|row| row.tickets.as_ref().is_some_and(Tickets::wait));
        assert_eq!(waiting.count(), 3);
        let now = house.desk.now();
        let arriving = ReadStays { date: now.in_zone(Tz::Europe__London).date_naive(), which: WhichStays::Arrivals };
        let arriving = house.desk.read(arriving).unwrap();
        assert!(arriving.iter().any(|stay| stay.name() == "Lotus Company"), "{arriving:?}");
        let window = Slot::new(now, now + Span::minutes(10 * 24 * 60)).ok();
        let booked = house.desk.read(ReadBookings { window, ..ReadBookings::default() }).unwrap();
        let open = booked.iter().filter(|booking| booking.open() > 0).count();
        assert!(open > 0 && open * 8 < booked.len(), "{open} of {} are not paid", booked.len());
        staff::employ(&house.desk).unwrap();
        let ada = staff::at(&house.desk, ("ada", "till-2")).operator().unwrap();
        assert_eq!((ada.role, staff::pins().contains("ada 2468 (supervisor)")), (StaffRole::Supervisor, true));
        assert!(!house.desk.working_as("ada", "till-2").is_signed_in());
        let report = house.desk.read(Verify::default()).unwrap();
        assert!(report.violations.is_empty(), "{:#?}", report.violations);
    }

    #[test]
    fn the_same_house_comes_twice() {
        let sold = || {
            let house = house();
            furnish(&house.desk, &house.past).unwrap();
            let rows = house.desk.read(ReadPerformances::default()).unwrap();
            let last = house.desk.read(ReadSeatMap(rows[0].id)).unwrap();
            crate::demo::testing::drawn(&last)
        };
        assert_eq!(sold(), sold());
    }
}
