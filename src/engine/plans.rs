//! Cache of plans with their layouts. Plan versions are immutable, so entries never go stale.

use std::collections::HashMap;
use std::sync::Arc;

use parking_lot::Mutex;
use serde::Serialize;

use crate::domain::best::SeatSearch;
use crate::domain::ids::PlanId;
use crate::domain::layout::Layout;
use crate::domain::line::Line;
use crate::domain::performance::Performance;
use crate::domain::plan::{Plan, SeatRef, counted, range_ends};
use crate::domain::refusal::Refusal;
use crate::engine::failure::Failure;
use crate::store::Sql;
use crate::store::document;
use crate::store::kinds::PlanVersion;

/// Most plans in the cache; one more empties it.
const PLANS_MAX: usize = 64;

/// Plan version with its layout and seat names.
#[derive(Debug, Serialize)]
pub struct SeatingPlan {
    pub plan: Arc<Plan>,
    #[serde(skip)]
    pub layout: Layout,
    #[serde(skip)]
    names: HashMap<String, SeatRef>,
}

impl SeatingPlan {
    fn new(plan: Plan) -> Self {
        Self { layout: Layout::new(&plan), names: plan.by_name(), plan: Arc::new(plan) }
    }

    /// Search for best seats, given the free ones.
    pub(crate) fn search<'a>(&'a self, free: &'a dyn Fn(SeatRef) -> bool) -> SeatSearch<'a> {
        SeatSearch { plan: &self.plan, layout: &self.layout, free }
    }

    /// Finds a seat by name.
    pub fn seat(&self, name: &str) -> Option<SeatRef> {
        self.names.get(&name.trim().to_lowercase()).copied()
    }

    /// Finds the seats of a range in one row: `K13-K16`.
    pub fn range(&self, text: &str) -> Option<Vec<SeatRef>> {
        range_ends(text).find_map(|(first, last)| {
            let first = self.seat(first)?;
            let last = last.iter().find_map(|last| self.seat(last).filter(|last| last.row == first.row))?;
            let (low, high) = (first.seat.min(last.seat), first.seat.max(last.seat));
            Some((low..=high).map(|seat| SeatRef { row: first.row, seat }).collect())
        })
    }

    /// Finds seats by name or range, in the order given.
    ///
    /// # Errors
    /// Unknown names, or a repeated one.
    pub fn seats(&self, names: &[String]) -> Result<Vec<SeatRef>, Refusal> {
        let mut seats = Vec::with_capacity(names.len());
        let mut unknown = Vec::new();
        for name in names {
            let found = self.seat(name).map(|seat| vec![seat]).or_else(|| self.range(name));
            if found.is_none() {
                unknown.push(name.trim().to_owned());
            }
            for seat in found.unwrap_or_default() {
                if seats.contains(&seat) {
                    return Err(Refusal::RepeatedSeat { seat: self.plan.seat_name(seat).to_owned() });
                }
                seats.push(seat);
            }
        }
        if unknown.is_empty() { Ok(seats) } else { Err(Refusal::UnknownSeat { seats: unknown }) }
    }

    /// Returns whether a performance sells a seat as a ticket type.
    pub fn sells(&self, performance: &Performance, seat: SeatRef, ticket_type: &str) -> bool {
        let found = self.plan.seat(seat);
        found.is_some_and(|found| performance.sells(found.category, ticket_type))
    }

    /// Unique names of seats, in the order given; places of standing room as their number.
    pub fn names(&self, seats: &[SeatRef]) -> Vec<String> {
        counted(seats.iter().map(|seat| self.plan.seat_name(*seat)))
    }

    /// Seats as a wish names them, which also another performance of the plan finds: `B7`, `Floor=3`.
    pub(crate) fn wishes(&self, seats: &[SeatRef]) -> Vec<String> {
        let area = |seat: &SeatRef| self.plan.area_of(*seat);
        let same = seats.chunk_by(|one, next| area(one).is_some() && area(one) == area(next));
        let wish = |same: &[SeatRef]| {
            let first = same.first()?;
            let place = area(first).map(|area| format!("{area}={}", same.len()));
            Some(place.unwrap_or_else(|| self.plan.seat_name(*first).to_owned()))
        };
        same.filter_map(wish).collect()
    }

    /// Returns whether a line has more places of another's area, for the same ticket type and price.
    pub(crate) fn is_more_of(&self, line: &Line, other: &Line) -> bool {
        let area = |line: &Line| line.goods.seats().first().and_then(|place| self.plan.area_of(*place));
        let alike = (&line.kind, line.comp, line.unit_price, line.goods.performance())
            == (&other.kind, other.comp, other.unit_price, other.goods.performance());
        alike && area(line).is_some() && area(line) == area(other)
    }
}

#[derive(Debug, Default)]
pub(crate) struct PlanCache(Mutex<HashMap<PlanId, Arc<SeatingPlan>>>);

impl PlanCache {
    /// Returns a cached plan.
    pub(crate) fn known(&self, plan: PlanId) -> Option<Arc<SeatingPlan>> {
        self.0.lock().get(&plan).cloned()
    }

    pub(crate) fn get(&self, sql: &mut dyn Sql, plan: PlanId) -> Result<Arc<SeatingPlan>, Failure> {
        if let Some(known) = self.known(plan) {
            return Ok(known);
        }
        let key = plan.to_string();
        let version: Option<PlanVersion> = document::find(sql, &key)?;
        let version = version.ok_or_else(|| Refusal::not_found("plan", key))?;
        Ok(self.keep(plan, version))
    }

    /// Adds a plan that was read.
    pub(crate) fn keep(&self, plan: PlanId, version: PlanVersion) -> Arc<SeatingPlan> {
        let seating = Arc::new(SeatingPlan::new(version.plan));
        let mut kept = self.0.lock();
        if kept.len() >= PLANS_MAX {
            kept.clear();
        }
        kept.insert(plan, Arc::clone(&seating));
        seating
    }
}
