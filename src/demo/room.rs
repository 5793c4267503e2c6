//! Seats chosen by customers: small parties, side by side, near the front and beside others, seldom alone.

use std::sync::Arc;

use crate::demo::dice::Dice;
use crate::domain::best::{Access, Aisle, SeatSearch, SeatWish, best};
use crate::domain::layout::Layout;
use crate::domain::plan::{Plan, SeatKind, SeatRef};

/// Places that a party looks at before deciding.
const LOOKS: usize = 24;

/// Fitting places that are compared.
const COMPARED: usize = 5;

/// Percentage of parties that ask for the best seats; the others point at the map.
const ASK_FOR_BEST: u32 = 30;

#[derive(Debug)]
pub(super) struct Room {
    plan: Arc<Plan>,
    layout: Layout,
}

impl Room {
    pub(super) fn new(plan: Arc<Plan>) -> Self {
        let layout = Layout::new(&plan);
        Self { plan, layout }
    }

    /// Seats side by side for a party of this size; fewer when that many are not together, none when nothing is free.
    pub(super) fn choose(&self, free: &dyn Fn(SeatRef) -> bool, (count, dice): (usize, &mut Dice)) -> Vec<SeatRef> {
        (1..=count).rev().find_map(|count| self.ask(free, count, dice)).unwrap_or_default()
    }

    /// Free ordinary seats side by side, anywhere; none when none are found.
    pub(super) fn anywhere(&self, free: &dyn Fn(SeatRef) -> bool, (count, dice): (usize, &mut Dice)) -> Vec<SeatRef> {
        (0..LOOKS).find_map(|_| self.from(dice.pick(&self.layout.places)?.seat, count, free)).unwrap_or_default()
    }

    fn ask(&self, free: &dyn Fn(SeatRef) -> bool, count: usize, dice: &mut Dice) -> Option<Vec<SeatRef>> {
        let pointed = if dice.chance(ASK_FOR_BEST) { None } else { self.point(free, count, dice) };
        pointed.or_else(|| {
            let categories = u32::try_from(self.plan.categories.len()).unwrap_or(1);
            let category = u16::try_from(dice.below(categories)).ok();
            let wish = |category| SeatWish {
                access: Access::Ordinary,
                count: u32::try_from(count).unwrap_or(u32::MAX),
                category,
                zone: None,
                aisle: Aisle::Any,
            };
            let house = SeatSearch { plan: &self.plan, layout: &self.layout, free };
            best(&house, &wish(category)).or_else(|| best(&house, &wish(None))).map(|choice| choice.seats)
        })
    }

    /// Samples some places and takes the one nearest to the stage, preferably beside others.
    fn point(&self, free: &dyn Fn(SeatRef) -> bool, count: usize, dice: &mut Dice) -> Option<Vec<SeatRef>> {
        let mut found: Vec<(i64, Vec<SeatRef>)> = Vec::new();
        for _ in 0..LOOKS {
            let Some(place) = dice.pick(&self.layout.places) else {
                break;
            };
            if let Some(seats) = self.from(place.seat, count, free) {
                found.push((self.cost(&seats, free), seats));
            }
            if found.len() >= COMPARED {
                break;
            }
        }
        found.into_iter().min_by_key(|(cost, _)| *cost).map(|(_, seats)| seats)
    }

    /// Free ordinary seats along a row, from a first one on.
    fn from(&self, first: SeatRef, count: usize, free: &dyn Fn(SeatRef) -> bool) -> Option<Vec<SeatRef>> {
        let mut seats = vec![first];
        while seats.len() < count {
            let [_, right] = self.layout.beside(*seats.last()?);
            seats.push(right?);
        }
        seats.iter().all(|seat| free(*seat) && self.is_ordinary(*seat)).then_some(seats)
    }

    fn is_ordinary(&self, seat: SeatRef) -> bool {
        self.plan.seat(seat).is_some_and(|seat| matches!(seat.kind, SeatKind::Standard | SeatKind::Restricted))
    }

    /// Cost of seats: the distance to the stage, doubled with a gap beside them.
    fn cost(&self, seats: &[SeatRef], free: &dyn Fn(SeatRef) -> bool) -> i64 {
        let focus = self.layout.focus();
        let away = |seat: &SeatRef| {
            let at = self.plan.seat(*seat).map_or(focus, |seat| seat.at);
            let (x, y) = (i64::from(at.x - focus.x), i64::from(at.y - focus.y));
            x * x + y * y
        };
        let far = seats.first().map_or(0, away);
        let ends = [seats.first(), seats.last()].into_iter().flatten();
        let beside = ends.flat_map(|seat| self.layout.beside(*seat)).flatten();
        let gaps = beside.filter(|seat| !seats.contains(seat)).filter(|seat| free(*seat)).count();
        far * i64::try_from(1 + gaps).unwrap_or(1)
    }
}

/// Size of a party: mostly two, often four.
pub(super) fn party(dice: &mut Dice) -> usize {
    1 + dice.weighted(&[8, 46, 16, 22, 4, 4])
}
