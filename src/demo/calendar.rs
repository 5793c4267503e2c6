//! Bookings of the demo house from `assets/demo/calendar.toml`, and a lifelike month of them.
//!
//! Bookings go through the ordinary operations; independent ones are sent at once.

use std::collections::HashMap;

use chrono::{Datelike, Days, NaiveDate, NaiveTime};
use chrono_tz::Tz;

use crate::demo::submit::all;
use crate::domain::booking::{Cause, Details};
use crate::domain::customer::Customer;
use crate::domain::ids::BookingId;
use crate::domain::money::{Currency, Price, parse_amount};
use crate::domain::receipt::Tender;
use crate::domain::resource::{OpenHours, Policy, Resource, ResourceId};
use crate::domain::time::{Grid, Instant, Segment, Slot, Span, day_start, local_at};
use crate::engine::ops::{
    AddResource, BookSeries, BookSlot, ChargeBooking, Checkout, Conflicts, OpenHorizon, Past, TakeOut, Want,
};
use crate::engine::{Desk, Failure, Fault};

mod entries;

use entries::{Calendar, ResourceEntry, RoomsEntry};

#[expect(clippy::needless_pass_by_value, reason = "errors are mapped by value")]
fn broken(error: impl ToString) -> Fault {
    Fault::Broken(error.to_string())
}

/// Furnishes the calendar of a house.
///
/// # Errors
/// A refusal when resources of these names are there already; a fault of the store.
pub(super) fn furnish(desk: &Desk, (zone, currency): (Tz, Currency)) -> Result<(), Failure> {
    let calendar: Calendar = toml::from_str(include_str!("../../assets/demo/calendar.toml")).map_err(broken)?;
    let mut site = Site { desk, zone, currency, today: desk.now().in_zone(zone).date_naive(), ids: HashMap::new() };
    for entry in &calendar.resources {
        site.add(entry)?;
    }
    for rooms in &calendar.rooms {
        site.add_rooms(rooms, &calendar.resources)?;
    }
    site.open(&calendar)?;
    site.book(&calendar)?;
    site.take_out(&calendar)
}

/// The house's calendar while it is furnished.
struct Site<'a> {
    desk: &'a Desk,
    zone: Tz,
    currency: Currency,
    today: NaiveDate,
    ids: HashMap<String, ResourceId>,
}

impl Site<'_> {
    fn price(&self, text: Option<&String>) -> Result<Option<Price>, Failure> {
        let price = |text: &String| {
            let minor = parse_amount(text, self.currency).map_err(broken)?;
            let currency = self.currency;
            Ok(Price { minor, currency })
        };
        text.map(price).transpose()
    }

    /// Price of time that the house takes itself, or that belongs to a contract.
    const fn nothing(&self) -> Price {
        Price { minor: 0, currency: self.currency }
    }

    fn keep(&mut self, resource: Resource) {
        self.ids.insert(resource.name, resource.id);
    }

    fn add(&mut self, entry: &ResourceEntry) -> Result<(), Failure> {
        let span = |text: &Option<String>| {
            let span = text.as_deref().map(Span::parse).transpose();
            Ok::<Span, Failure>(span.map_err(broken)?.unwrap_or_default())
        };
        let hours = entry.hours.as_deref().map(OpenHours::parse).transpose();
        let parent = entry.parent.as_ref().map(|name| self.id(name));
        let add = AddResource {
            name: entry.name.clone(),
            kind: entry.kind.clone(),
            parent: parent.transpose()?,
            grid: Grid { zone: self.zone, segment: Segment::of_minutes(entry.segment).map_err(broken)? },
            policy: policy(entry.open_days),
            hours: hours.map_err(broken)?,
            before: span(&entry.before)?,
            after: span(&entry.after)?,
            price: self.price(entry.price.as_ref())?,
            prices: None,
            count: None,
            properties: entry.set.clone(),
        };
        let added = self.desk.run(add)?;
        self.keep(added);
        Ok(())
    }

    fn add_rooms(&mut self, rooms: &RoomsEntry, resources: &[ResourceEntry]) -> Result<(), Failure> {
        let parent = self.id(&rooms.of)?;
        let whole = resources.iter().find(|entry| entry.name == rooms.of);
        let open_days = whole.and_then(|entry| entry.open_days);
        for number in &rooms.numbers {
            let beds = number % 3 + 1;
            let properties = [("beds".to_owned(), beds.to_string()), ("guests".to_owned(), (beds + 1).to_string())];
            let added = self.desk.run(AddResource {
                name: rooms.name.replace("{}", &number.to_string()),
                kind: "hotel-room".to_owned(),
                parent: Some(parent.clone()),
                grid: Grid { zone: self.zone, segment: Segment::DAY },
                policy: policy(open_days),
                hours: None,
                before: Span::default(),
                after: Span::default(),
                price: self.price(Some(&rooms.price))?,
                prices: None,
                count: None,
                properties: properties.into_iter().collect(),
            })?;
            self.keep(added);
        }
        Ok(())
    }

    fn id(&self, name: &str) -> Result<ResourceId, Failure> {
        let found = self.ids.get(name).cloned();
        Ok(found.ok_or_else(|| Fault::Broken(format!("no resource {name}")))?)
    }

    fn all_ids(&self, names: &[String]) -> Result<Vec<ResourceId>, Failure> {
        names.iter().map(|name| self.id(name)).collect()
    }

    fn day(&self, days: i64) -> NaiveDate {
        let count = Days::new(days.unsigned_abs());
        if days < 0 { self.today - count } else { self.today + count }
    }

    /// Hours of a day, past midnight when they end before they begin.
    fn hours(&self, day: i64, text: &str) -> Result<Slot, Failure> {
        let date = self.day(day);
        let (from, until) = text.split_once('-').ok_or_else(|| broken("no hours"))?;
        let start = time(from)?;
        let next = until == "24:00" || time(until)? <= start;
        let end = if until == "24:00" { NaiveTime::MIN } else { time(until)? };
        let last = if next { date + Days::new(1) } else { date };
        let at = |date: NaiveDate, time| local_at(date.and_time(time), self.zone);
        Ok(Slot::new(at(date, start), at(last, end)).map_err(broken)?)
    }

    fn nights(&self, day: i64, nights: u64) -> Result<Slot, Failure> {
        let first = self.day(day);
        let at = |date| day_start(date, self.zone);
        Ok(Slot::new(at(first), at(first + Days::new(nights))).map_err(broken)?)
    }

    fn open(&self, calendar: &Calendar) -> Result<(), Failure> {
        for entry in &calendar.resources {
            if let Some(days) = entry.open_days {
                self.desk.run(OpenHorizon { resource: self.id(&entry.name)?, until: self.today + Days::new(days) })?;
            }
        }
        Ok(())
    }

    fn book(&self, calendar: &Calendar) -> Result<(), Failure> {
        let mut once = Vec::new();
        let mut series = Vec::new();
        for entry in &calendar.uses {
            let slots: Result<Vec<Slot>, Failure> = entry.days.iter().map(|day| self.hours(*day, &entry.at)).collect();
            let (resources, slots) = (self.all_ids(&entry.of)?, slots?);
            let is_free = entry.ours || (slots.len() != 1 && !entry.owes);
            let price = is_free.then(|| self.nothing());
            let details = Details { price, ..details(&entry.title, &entry.customer) };
            match slots.as_slice() {
                [slot] => once.push((booking(resources, *slot, details), entry.owes)),
                _ => series.push(repeat(resources, slots, details)),
            }
        }
        for entry in &calendar.stays {
            let slot = self.nights(entry.day, entry.nights)?;
            let price = entry.ours.then(|| self.nothing());
            let details = Details { price, ..details(&entry.title, &entry.customer) };
            once.push((booking(self.all_ids(&entry.of)?, slot, details), entry.owes));
        }
        for rooms in &calendar.rooms {
            series.extend(self.each(rooms)?);
        }
        let mut outs = Vec::new();
        for entry in &calendar.january {
            for [what, from, until] in &entry.uses {
                let slot = self.january((from, until))?;
                let resources = vec![self.id(&entry.of)?];
                if what == "maintenance" {
                    outs.push(TakeOut {
                        reason: what.clone(),
                        past: Past::Record,
                        ..TakeOut::of(Cause::Maintenance, resources, slot)
                    });
                } else {
                    once.push((booking(resources, slot, details(what, "")), false));
                }
            }
        }
        let here = || self.desk.clone();
        let (once, owing): (Vec<BookSlot>, Vec<bool>) = once.into_iter().unzip();
        let booked = all(once.into_iter().map(|one| (here(), one)))?;
        let paid = booked.iter().zip(owing).filter(|(booking, owes)| !owes && booking.open() > 0);
        self.pay(paid.map(|(booking, _)| booking.id))?;
        all(series.into_iter().map(|one| (here(), one)))?;
        all(outs.into_iter().map(|one| (here(), one)))?;
        Ok(())
    }

    /// Takes the whole price of some bookings, by card.
    fn pay(&self, bookings: impl Iterator<Item = BookingId>) -> Result<(), Failure> {
        let office = || self.desk.working_as("dora", "office");
        let charge = |booking| (office(), ChargeBooking { cart: None, booking, amount: None });
        let carts = all(bookings.map(charge))?;
        let by_card = |slip: usize| vec![Tender::Card { reference: format!("0051{slip:02}"), charged: None }];
        let paying = carts.iter().enumerate();
        all(paying.map(|(slip, cart)| (office(), Checkout::new(cart.id, by_card(slip)))))?;
        Ok(())
    }

    /// Books one night at a regular interval, in each of some rooms.
    fn each(&self, rooms: &RoomsEntry) -> Result<Vec<BookSeries>, Failure> {
        let Some(every) = rooms.every else {
            return Ok(Vec::new());
        };
        let mut series = Vec::new();
        for number in &rooms.numbers {
            let name = rooms.name.replace("{}", &number.to_string());
            let days = (i64::from(*number)..365).step_by(every);
            let slots: Result<Vec<Slot>, Failure> = days.map(|day| self.nights(day, 1)).collect();
            let details = Details { price: Some(self.nothing()), ..details("a guest", "") };
            series.push(repeat(vec![self.id(&name)?], slots?, details));
        }
        Ok(series)
    }

    /// Days of the current January, or of the next one.
    fn january(&self, (from, until): (&str, &str)) -> Result<Slot, Failure> {
        let year = if self.today.month() == 1 { self.today.year() } else { self.today.year() + 1 };
        let at = |text: &str| -> Result<Instant, Failure> {
            let (day, hour) = text.split_once(' ').ok_or_else(|| broken("no day"))?;
            let day = day.parse().map_err(broken)?;
            let date = NaiveDate::from_ymd_opt(year, 1, day).ok_or_else(|| broken("no day"))?;
            Ok(local_at(date.and_time(time(hour)?), self.zone))
        };
        Ok(Slot::new(at(from)?, at(until)?).map_err(broken)?)
    }

    fn take_out(&self, calendar: &Calendar) -> Result<(), Failure> {
        for entry in &calendar.outs {
            let slot = match (&entry.at, entry.nights) {
                (Some(at), _) => self.hours(entry.day, at)?,
                (None, nights) => self.nights(entry.day, nights.unwrap_or(1))?,
            };
            let cause = if entry.cause == "disable" { Cause::Disable } else { Cause::of_word(&entry.cause) };
            let out = TakeOut::of(cause, self.all_ids(&entry.of)?, slot);
            self.desk.run(TakeOut { reason: entry.reason.clone(), past: Past::Record, ..out })?;
        }
        Ok(())
    }
}

const fn policy(open_days: Option<u64>) -> Policy {
    match open_days {
        Some(_) => Policy::Preallocated { horizon: None, roll_days: None },
        None => Policy::OpenEnded,
    }
}

fn time(text: &str) -> Result<NaiveTime, Failure> {
    Ok(NaiveTime::parse_from_str(text, "%H:%M").map_err(broken)?)
}

fn details(title: &str, customer: &str) -> Details {
    Details {
        title: title.to_owned(),
        customer: Customer { name: customer.to_owned(), ..Customer::default() },
        ..Details::default()
    }
}

fn booking(resources: Vec<ResourceId>, slot: Slot, details: Details) -> BookSlot {
    BookSlot { wants: vec![Want::all(resources, slot)], details, past: Past::Record }
}

fn repeat(resources: Vec<ResourceId>, slots: Vec<Slot>, details: Details) -> BookSeries {
    BookSeries { resources, any: None, slots, details, conflicts: Conflicts::Refuse, past: Past::Record }
}
