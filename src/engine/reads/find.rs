//! Search across everything on the screens, by any remembered words.
//!
//! Each word must match one field: name, customer, phone, number, title, or a word of the day. Case and accents are
//! ignored, as are spaces and signs in a phone number. Reservations and open carts come first, then today's hits, then
//! the rest. Each kind is narrowed by the database and capped; see `matches` for the words. Where few are found, hits
//! follow whose texts only have the letters of the words in order, best match first.

use std::cmp::Reverse;

use chrono_tz::Tz;
use serde::{Deserialize, Serialize};

use crate::domain::cart::Cart;
use crate::domain::ids::{BookingId, CartId, PerformanceId, ReceiptId};
use crate::domain::performance::{Performance, PerformanceState};
use crate::domain::plan::SeatRef;
use crate::domain::resource::{Resource, ResourceId};
use crate::domain::text::clean;
use crate::domain::time::{Instant, Local, Span};
use crate::engine::reads::carts::PerformanceLabel;
use crate::engine::reads::{Question, Snapshot};
use crate::engine::work::Failure;

mod bookings;
mod goods;
mod matches;
mod receipts;

use matches::{Likes, TypedWords};

/// Most hits in an answer.
pub const HITS_MAX: usize = 40;
/// Hits from which none is looked for by its letters alone.
const ENOUGH: usize = 8;
/// Most rows examined per kind, after the database has narrowed them.
const LOOKED_AT: i64 = 100;
/// Most hits per kind.
const KIND_MAX: usize = 12;
/// Performances started within this span rank before those to come; earlier ones rank last.
const ON_NOW: Span = Span::minutes(12 * 60);
/// Most performances whose titles are compared.
const PERFORMANCES_MAX: i64 = 2000;
/// Most resources whose names are compared.
const RESOURCES_MAX: i64 = 20_000;

/// Finds anything shown on a screen, best match first.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct ReadFind {
    pub text: String,
    /// Performance on the screen: its seats are found by name.
    pub performance: Option<PerformanceId>,
    /// Time zone of carts, and of today.
    pub zone: Tz,
}

/// Search hit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Hit {
    pub target: HitTarget,
    /// Name: a customer, a title, a number.
    pub name: String,
    /// Distinguishing details: a phone, a number, a price.
    pub what: String,
    /// Time of the target, or its deadline.
    pub when: String,
    #[serde(skip)]
    rank: Rank,
}

/// Target of a hit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, strum::IntoStaticStr)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum HitTarget {
    Performance(PerformanceId),
    Seat(PerformanceId, SeatRef),
    Receipt(ReceiptId),
    Cart(CartId),
    Reservation(CartId),
    /// Booking, the first resource it takes, and its start.
    Booking(BookingId, ResourceId, Instant),
    Resource(ResourceId),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    /// Seat or number typed in full.
    Named,
    /// Reservation or open cart.
    Open,
    Today,
    ToCome,
    Past,
}

impl HitTarget {
    /// Kind of the target in a word.
    pub fn word(&self) -> &'static str {
        self.into()
    }

    /// Id as commands take it.
    pub fn id(&self) -> String {
        match self {
            Self::Performance(id) | Self::Seat(id, _) => id.to_string(),
            Self::Receipt(id) => id.to_string(),
            Self::Cart(id) | Self::Reservation(id) => id.to_string(),
            Self::Booking(id, ..) => id.to_string(),
            Self::Resource(id) => id.to_string(),
        }
    }
}

impl Question for ReadFind {
    type Answer = Vec<Hit>;

    fn ask(&self, snapshot: &mut Snapshot<'_>) -> Result<Vec<Hit>, Failure> {
        let words = TypedWords::of(&self.text);
        if words.is_empty() {
            return Ok(Vec::new());
        }
        let mut search = Search { now: snapshot.now(), zone: self.zone, words, snapshot };
        let mut hits = search.seats(self)?;
        hits.extend(search.anything()?);
        hits.sort_by_key(|hit| hit.rank);
        if hits.len() < ENOUGH && search.words.can_spread() {
            search.words = search.words.spread();
            let mut alike = search.anything()?;
            alike.retain(|hit| hits.iter().all(|found| found.target != hit.target));
            alike.sort_by_cached_key(|hit| {
                let text = [&*hit.name, &hit.what, &hit.when].join(" ");
                (hit.rank != Rank::Open, Reverse(search.words.score(&text)))
            });
            hits.extend(alike);
        }
        hits.truncate(HITS_MAX);
        Ok(hits)
    }
}

struct Search<'a, 'b> {
    snapshot: &'a mut Snapshot<'b>,
    words: TypedWords,
    now: Instant,
    zone: Tz,
}

impl Search<'_, '_> {
    /// Hits of every kind, unsorted.
    fn anything(&mut self) -> Result<Vec<Hit>, Failure> {
        self.words.look_up(self.snapshot)?;
        let (performances, shows) = self.performances()?;
        let (resources, names) = self.resources()?;
        let goods = [shows, names.clone()].concat();
        let mut hits = self.carts(&goods)?;
        hits.extend(performances);
        hits.extend(resources);
        hits.extend(self.bookings(&names)?);
        hits.extend(self.receipts(&goods)?);
        Ok(hits)
    }

    /// Ranks a time as today, to come, or past.
    fn rank(&self, from: Instant, until: Instant) -> Rank {
        let day = |at: Instant| at.in_zone(self.zone).date_naive();
        let today = day(self.now);
        if day(from) <= today && today <= day(until) {
            Rank::Today
        } else if from > self.now {
            Rank::ToCome
        } else {
            Rank::Past
        }
    }

    /// Formats a time in the search's zone; without the day if it is today.
    fn time(&self, at: Instant) -> String {
        let here = Local { now: self.now, zone: self.zone };
        let is_today = at.in_zone(self.zone).date_naive() == here.today();
        here.format(at, if is_today { "%H:%M" } else { "%a %-d %b %H:%M" })
    }

    /// Finds the seat of the performance on the screen whose name was typed.
    fn seats(&mut self, find: &ReadFind) -> Result<Vec<Hit>, Failure> {
        let Some(id) = find.performance else {
            return Ok(Vec::new());
        };
        let performance: Performance = self.snapshot.get(id)?;
        let seating = self.snapshot.seating(performance.plan)?;
        let Some(seat) = seating.seat(find.text.trim().to_lowercase().as_str()) else {
            return Ok(Vec::new());
        };
        let label = super::carts::label(self.snapshot, id)?;
        Ok(vec![Hit {
            target: HitTarget::Seat(id, seat),
            name: seating.plan.seat_name(seat).to_owned(),
            when: when(&label, self.now),
            what: label.title,
            rank: Rank::Named,
        }])
    }

    /// Finds reservations and open carts, by deadline.
    fn carts(&mut self, goods: &[String]) -> Result<Vec<Hit>, Failure> {
        let mut likes = Likes::after(vec![self.now.millis().into()]);
        let named = likes.but(&mut self.words, goods, &["customer", "station", "key"]);
        let condition =
            format!("WHERE state = 'active' AND expires_at > $1 AND ({named}) ORDER BY expires_at LIMIT {LOOKED_AT}");
        let carts: Vec<Cart> = self.snapshot.select(&condition, &likes.params)?;
        let told = self.snapshot.each(&carts, |snapshot, cart| {
            Ok((snapshot.customer(cart.customer)?, goods::goods(snapshot, &cart.lines)?))
        })?;
        let mut hits = Vec::new();
        for (cart, (customer, (goods, text))) in carts.into_iter().zip(told) {
            let tail = self.words.tail_of(&cart.id.to_string()).to_owned();
            let fields = [&*customer.name, &cart.station, &tail, &text];
            if hits.len() == KIND_MAX || !self.words.are_in(&fields, &customer.phone) {
                continue;
            }
            let times: Vec<String> = goods.iter().filter(|one| one.is_time).map(ToString::to_string).collect();
            let seats = match cart.seat_count() {
                0 if !times.is_empty() => String::new(),
                1 => "1 seat".to_owned(),
                count => format!("{count} seats"),
            };
            let until = self.time(cart.expires_at);
            let (target, when) = match cart.reservation {
                Some(_) => (HitTarget::Reservation(cart.id), format!("pay by {until}")),
                None if cart.set_aside => (HitTarget::Cart(cart.id), format!("aside until {until}")),
                None => (HitTarget::Cart(cart.id), format!("held until {until}")),
            };
            let name = Some(clean(&customer.name)).filter(|name| !name.is_empty());
            hits.push(Hit {
                target,
                name: name.unwrap_or_else(|| format!("{}@{}", cart.operator, cart.station)),
                what: joined(&[&customer.phone, &seats, &times.join(", ")]),
                when,
                rank: Rank::Open,
            });
        }
        Ok(hits)
    }

    /// Finds performances by title, theater and words of their day; also returns every title that has one of the words.
    fn performances(&mut self) -> Result<(Vec<Hit>, Vec<String>), Failure> {
        let since = (self.now - ON_NOW).millis();
        let to_come = format!(
            "SELECT key, title FROM performance WHERE start_at > $1 ORDER BY start_at LIMIT {PERFORMANCES_MAX}"
        );
        let past = format!(
            "SELECT key, title FROM performance WHERE start_at <= $1 ORDER BY start_at DESC LIMIT {PERFORMANCES_MAX}"
        );
        let (mut hits, mut shows) = (Vec::new(), Vec::new());
        for sql in [to_come, past] {
            let rows = self.snapshot.query(&sql, &[since.into()])?;
            let keys: Vec<String> =
                rows.iter().filter(|row| self.words.any_in(row.text(1))).map(|row| row.text(0).to_owned()).collect();
            let found: Vec<Performance> = self.snapshot.all(&keys)?;
            let in_use = found.into_iter().filter(|one| one.state != PerformanceState::Retired);
            let found: Vec<Performance> = in_use.take(KIND_MAX * 4).collect();
            let labels = self.snapshot.each(&found, |snapshot, one| super::carts::label(snapshot, one.id))?;
            for (performance, label) in found.iter().zip(labels) {
                let day = days(label.start, label.zone);
                if self.words.are_in(&[&label.title, &label.theater, &day], "") {
                    hits.push(Hit {
                        target: HitTarget::Performance(label.id),
                        name: clean(&label.title),
                        what: clean(&label.theater),
                        when: when(&label, self.now),
                        rank: self.rank(performance.start, performance.end),
                    });
                }
                shows.push(format!("{} {day}", label.title));
            }
        }
        hits.sort_by_key(|hit| hit.rank);
        hits.truncate(KIND_MAX);
        Ok((hits, shows))
    }

    /// Finds resources by name and kind; also returns every name that has one of the words.
    fn resources(&mut self) -> Result<(Vec<Hit>, Vec<String>), Failure> {
        let sql = format!("SELECT key, name, kind FROM resource ORDER BY name LIMIT {RESOURCES_MAX}");
        let rows = self.snapshot.query(&sql, &[])?;
        let keys: Vec<String> = rows
            .iter()
            .filter(|row| self.words.are_in(&[row.text(1), row.text(2)], ""))
            .map(|row| row.text(0).to_owned())
            .take(KIND_MAX)
            .collect();
        let found: Vec<Resource> = self.snapshot.all(&keys)?;
        let hits = found.into_iter().filter(|one| !one.retired).map(|one| Hit {
            name: clean(&one.name),
            what: clean(&one.kind),
            when: String::new(),
            rank: Rank::Today,
            target: HitTarget::Resource(one.id),
        });
        let alike = rows.iter().map(|row| row.text(1));
        let alike = alike.filter(|name| self.words.any_in(name));
        let alike = alike.map(str::to_owned).collect();
        Ok((hits.collect(), alike))
    }
}

/// Day of an instant in the words people type: `fri friday 27 nov 2026-11-27 19:30`.
fn days(at: Instant, zone: Tz) -> String {
    at.format(zone, "%A %-d %B %Y-%m-%d %H:%M")
}

fn when(label: &PerformanceLabel, now: Instant) -> String {
    Local { now, zone: label.zone }.format(label.start, "%a %-d %b %H:%M")
}

fn joined(parts: &[&String]) -> String {
    let known = parts.iter().map(|part| clean(part));
    let known = known.filter(|part| !part.is_empty());
    known.collect::<Vec<_>>().join(", ")
}
