//! Wanted and taken time against a naive model: whatever is booked, moved in part, given back, disabled, enabled and
//! canceled on one resource, in any order, every minute that somebody still wants lies inside what that owner has.
//!
//! The model knows minutes and cells of one day, and nothing of slots, chunks or claims.

#![expect(clippy::indexing_slicing, reason = "a model that lacks what it should have fails at once")]

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::{Just, ProptestConfig, Strategy, any, prop_oneof, proptest};
use willcall::domain::booking::{Booking, Cause};
use willcall::domain::ids::BookingId;
use willcall::domain::resource::ResourceId;
use willcall::domain::time::{Instant, Slot, Span, joined};
use willcall::engine::Desk;
use willcall::engine::ops::{
    AddResource, CancelBooking, Displace, EnableSlot, MoveBooking, OutOfUse, Past, Reach, ReleaseSlot, TakeOut, Whose,
};
use willcall::engine::reads::bookings::ReadBookings;

use super::calendar::{add, booking, resource, slot, view};
use super::support::House;

const DAY: &str = "2026-12-01 00:00 24:00";
/// Random slots lie between these minutes, far enough from midnight that no buffer leaves the day.
const FIRST: usize = 6 * 60;
const LAST: usize = 15 * 60;
/// Bounds of what is tried are minutes of this.
const STEP: usize = 5;

type Minutes = BTreeSet<usize>;
type Cells = BTreeSet<usize>;

#[derive(Clone, Debug)]
enum Step {
    Book(usize, usize),
    Release(usize, usize, usize),
    MovePart(usize, (usize, usize), usize),
    Disable(usize, usize, usize),
    Enable(usize, usize),
    Cancel(usize),
}

/// A stretch of a booking: the minutes that are still wanted, and the cells that it has.
#[derive(Clone, Debug, Default)]
struct Part {
    wanted: Minutes,
    has: Cells,
}

#[derive(Clone, Debug)]
struct Act {
    id: BookingId,
    operator: usize,
    wants: Cells,
}

struct Model {
    segment: usize,
    before: usize,
    after: usize,
    bookings: BTreeMap<BookingId, Vec<Part>>,
    acts: Vec<Act>,
    out: Cells,
}

impl Model {
    fn cell(&self, cell: usize) -> Minutes {
        (cell * self.segment..(cell + 1) * self.segment).collect()
    }

    fn touched(&self, wanted: &Minutes) -> Cells {
        wanted.iter().map(|minute| minute / self.segment).collect()
    }

    /// The cells that some cells need before and after them, themselves among them.
    fn needed(&self, cells: &Cells) -> Cells {
        let of = |cell: &usize| {
            let from = (cell * self.segment - self.before) / self.segment;
            let until = ((cell + 1) * self.segment + self.after).div_ceil(self.segment);
            from..until
        };
        cells.iter().flat_map(of).collect()
    }

    fn is_free(&self, cells: &Cells) -> bool {
        let mut parts = self.bookings.values().flatten();
        self.out.is_disjoint(cells) && parts.all(|part| part.has.is_disjoint(cells))
    }

    fn book(&self, wanted: &Minutes) -> Option<Part> {
        let has = self.needed(&self.touched(wanted));
        let wanted = wanted.clone();
        self.is_free(&has).then_some(Part { wanted, has })
    }

    /// A cell that lies wholly in what is named, or of which all that is wanted is named, goes; of the others nothing.
    fn released(&self, id: BookingId, named: &Minutes) -> Option<Vec<Part>> {
        let parts = &self.bookings[&id];
        let owned: Cells = parts.iter().flat_map(|part| part.has.clone()).collect();
        let whole = |cell: &usize| self.cell(*cell).is_subset(named);
        if self.touched(named).iter().any(|cell| whole(cell) && !owned.contains(cell)) {
            return None;
        }
        let mut left = Vec::new();
        let mut freed = 0;
        for part in parts {
            let kept = self.kept(part);
            let goes = |cell: &&usize| {
                let wanted: Minutes = self.cell(**cell).intersection(&part.wanted).copied().collect();
                wanted.is_subset(named)
            };
            let given: Cells = kept.iter().filter(goes).copied().collect();
            if given.is_empty() {
                left.push(part.clone());
                continue;
            }
            let rest: Cells = kept.difference(&given).copied().collect();
            let has: Cells = part.has.intersection(&self.needed(&rest)).copied().collect();
            freed += part.has.len() - has.len();
            let gone: Minutes = given.iter().flat_map(|cell| self.cell(*cell)).collect();
            let wanted = part.wanted.difference(&gone).copied().collect();
            left.push(Part { wanted, has });
        }
        (freed > 0).then_some(left)
    }

    /// The cells with something wanted in them that a part still has.
    fn kept(&self, part: &Part) -> Cells {
        self.touched(&part.wanted).intersection(&part.has).copied().collect()
    }

    fn displace(&mut self, cells: &Cells) {
        for part in self.bookings.values_mut().flatten() {
            part.has = part.has.difference(cells).copied().collect();
        }
    }

    /// Takes the cells out of use that some act still wants.
    fn recount(&mut self) {
        self.out = self.acts.iter().flat_map(|act| act.wants.clone()).collect();
    }
}

struct Tried {
    house: House,
    operators: [Desk; 2],
    room: ResourceId,
    model: Model,
    ids: Vec<BookingId>,
}

fn at(minute: usize) -> Instant {
    slot(DAY).from() + Span::minutes(i64::try_from(minute).unwrap())
}

fn between(from: usize, until: usize) -> Slot {
    Slot::new(at(from), at(until)).unwrap()
}

fn minutes(slot: Slot) -> std::ops::Range<usize> {
    let minute = |at: Instant| usize::try_from(at.since(slot_start()).millis() / 60_000).unwrap();
    minute(slot.from())..minute(slot.until())
}

fn slot_start() -> Instant {
    slot(DAY).from()
}

impl Tried {
    fn new([segment, before, after]: [usize; 3]) -> Self {
        let house = House::royal();
        let span = |minutes: usize| Span::minutes(i64::try_from(minutes).unwrap());
        let room = add(
            &house,
            AddResource {
                before: span(before),
                after: span(after),
                ..resource("Room", u32::try_from(segment).unwrap())
            },
        );
        Self {
            operators: [house.desk.clone(), house.at("till-2")],
            room,
            model: Model { segment, before, after, bookings: BTreeMap::new(), acts: Vec::new(), out: Cells::new() },
            ids: Vec::new(),
            house,
        }
    }

    fn some(&self, number: usize) -> Option<BookingId> {
        let live: Vec<BookingId> =
            self.ids.iter().filter(|id| self.model.bookings.contains_key(*id)).copied().collect();
        (!live.is_empty()).then(|| live[number % live.len()])
    }

    fn step(&mut self, step: &Step) {
        match *step {
            Step::Book(from, until) => {
                let done = self.house.desk.run(booking(&self.room, "b", between(from, until)));
                let part = self.model.book(&(from..until).collect());
                assert_eq!(done.is_ok(), part.is_some(), "{step:?}: {done:?}");
                if let (Ok(done), Some(part)) = (done, part) {
                    self.ids.push(done.id);
                    self.model.bookings.insert(done.id, vec![part]);
                }
            }
            Step::Release(number, from, until) => {
                let Some(id) = self.some(number) else { return };
                let release =
                    ReleaseSlot { whose: Whose::Mine, booking: id, resource: None, slot: between(from, until) };
                let done = self.house.desk.run(release);
                let left = self.model.released(id, &(from..until).collect());
                assert_eq!(done.is_ok(), left.is_some(), "{step:?}: {done:?}");
                if let Some(left) = left {
                    self.keep(id, left);
                }
            }
            Step::MovePart(number, part, to) => self.move_part(number, part, to),
            Step::Disable(operator, from, until) => self.disable(operator, from, until),
            Step::Enable(operator, number) => self.enable(operator, number),
            Step::Cancel(number) => {
                let Some(booking) = self.some(number) else {
                    return;
                };
                let reach = Reach::This;
                self.house.desk.run(CancelBooking { whose: Whose::Mine, booking, reach }).unwrap();
                self.model.bookings.remove(&booking);
            }
        }
    }

    /// A booking that has nothing left is over.
    fn keep(&mut self, id: BookingId, parts: Vec<Part>) {
        if parts.iter().all(|part| part.has.is_empty()) {
            self.model.bookings.remove(&id);
        } else {
            self.model.bookings.insert(id, parts);
        }
    }

    fn move_part(&mut self, number: usize, (from, until): (usize, usize), to: usize) {
        let Some(id) = self.some(number) else { return };
        let wanted: Minutes = (to..to + (until - from)).collect();
        let moving = MoveBooking {
            whose: Whose::Mine,
            booking: id,
            from: None,
            to: None,
            part: Some(between(from, until)),
            slot: between(to, to + (until - from)),
            reach: Reach::This,
            past: Past::Refuse,
        };
        let done = self.house.desk.run(moving);
        let moved = self.moved(id, &(from..until).collect(), &wanted);
        assert_eq!(done.is_ok(), moved.is_some(), "{number} {from}-{until} to {to}: {done:?}");
        if let Some(moved) = moved {
            self.model.bookings.insert(id, moved);
        }
    }

    fn moved(&self, id: BookingId, named: &Minutes, wanted: &Minutes) -> Option<Vec<Part>> {
        let model = &self.model;
        let mut parts = model.released(id, named)?;
        let core = model.touched(wanted);
        if parts.iter().any(|part| !model.kept(part).is_disjoint(&core)) {
            return None;
        }
        let mine: Cells = parts.iter().flat_map(|part| part.has.clone()).collect();
        let all = model.needed(&core);
        let others = model.bookings.iter().filter(|(other, _)| **other != id);
        let mut others = others.flat_map(|(_, parts)| parts);
        if !model.out.is_disjoint(&all) || others.any(|part| !part.has.is_disjoint(&all)) {
            return None;
        }
        for part in &mut parts {
            part.has = part.has.difference(&core).copied().collect();
        }
        let theirs: Cells = mine.difference(&core).copied().collect();
        parts.push(Part { wanted: wanted.clone(), has: all.difference(&theirs).copied().collect() });
        parts.retain(|part| !part.has.is_empty());
        Some(parts)
    }

    fn disable(&mut self, operator: usize, from: usize, until: usize) {
        let wants = self.model.touched(&(from..until).collect());
        let done = self.operators[operator].run(TakeOut {
            resources: vec![self.room.clone()],
            count: None,
            from: Some(at(from)),
            until: Some(at(until)),
            cause: Cause::Disable,
            reason: format!("act {}", self.model.acts.len()),
            displace: Displace::Ask,
            past: Past::Refuse,
        });
        let mut others = self.model.acts.iter().filter(|act| act.operator != operator);
        let foreign = others.any(|act| !act.wants.is_disjoint(&wants));
        assert_eq!(done.is_err(), foreign, "{done:?}");
        if let Ok(OutOfUse::Slot { booking, .. }) = done {
            self.model.displace(&wants);
            let id = booking.id;
            self.model.acts.push(Act { id, operator, wants });
            self.model.recount();
        }
    }

    fn enable(&mut self, operator: usize, number: usize) {
        if self.model.acts.is_empty() {
            return;
        }
        let at = number % self.model.acts.len();
        let act = self.model.acts[at].clone();
        let done = self.operators[operator].run(EnableSlot { id: act.id, whose: Whose::Mine });
        assert_eq!(done.is_ok(), act.operator == operator, "{done:?}");
        if done.is_ok() {
            self.model.acts.remove(at);
            self.model.recount();
        }
    }

    /// The cells that each owner has by the calendar.
    fn claimed(&self) -> BTreeMap<BookingId, Cells> {
        let mut out: BTreeMap<BookingId, Cells> = BTreeMap::new();
        for period in view(&self.house, &self.room, DAY).periods {
            if let Some(id) = period.owner.and_then(|owner| owner.booking()) {
                let cells = minutes(period.slot).map(|minute| minute / self.model.segment);
                out.entry(id).or_default().extend(cells);
            }
        }
        out
    }

    fn agrees(&self) {
        let claimed = self.claimed();
        let mut wanted_by_all = Minutes::new();
        for (id, parts) in &self.model.bookings {
            let has: Cells = parts.iter().flat_map(|part| part.has.clone()).collect();
            let claims = claimed.get(id).cloned().unwrap_or_default();
            assert_eq!(claims, has, "what {id} has");
            for part in parts {
                let lost = |minute: &&usize| part.has.contains(&(**minute / self.model.segment));
                let kept: Vec<usize> = part.wanted.iter().filter(lost).copied().collect();
                for minute in kept {
                    assert!(claims.contains(&(minute / self.model.segment)), "{minute} of {id}");
                    assert!(wanted_by_all.insert(minute), "{minute} is wanted twice");
                }
            }
        }
        let mut out = Cells::new();
        for act in &self.model.acts {
            let has = claimed.get(&act.id).cloned().unwrap_or_default();
            assert!(has.is_subset(&act.wants), "an act has what it wants");
            out.extend(has);
        }
        assert_eq!(out, self.model.out, "what is out of use");
        self.told();
    }

    /// Lists and exports tell the wanted time that is left.
    fn told(&self) {
        let listed: Vec<Booking> = self
            .house
            .desk
            .read(ReadBookings { resource: Some(self.room.clone()), ..ReadBookings::default() })
            .unwrap();
        let mut told: BTreeMap<BookingId, Minutes> = BTreeMap::new();
        for one in &listed {
            let slots = one.asked().flat_map(|taken| {
                let stretches = one.listed(taken).into_iter();
                stretches.map(|stretch| taken.as_wanted(stretch)).collect::<Vec<_>>()
            });
            let slots = joined(slots.collect());
            told.insert(one.id, slots.into_iter().flat_map(minutes).collect());
        }
        for (id, parts) in &self.model.bookings {
            let kept = parts.iter().flat_map(|part| {
                let has = |minute: &&usize| part.has.contains(&(**minute / self.model.segment));
                part.wanted.iter().filter(has).copied().collect::<Vec<_>>()
            });
            let kept: Minutes = kept.collect();
            assert_eq!(told.remove(id).unwrap_or_default(), kept, "what is told of {id}");
        }
        let acts: BTreeSet<BookingId> = self.model.acts.iter().map(|act| act.id).collect();
        assert_eq!(told.into_keys().collect::<BTreeSet<_>>(), acts, "every act is listed");
    }
}

fn stretch() -> impl Strategy<Value = (usize, usize)> {
    (FIRST / STEP..LAST / STEP, 1..48_usize).prop_map(|(from, steps)| {
        let until = (from * STEP + steps * STEP).min(LAST);
        (from * STEP, until)
    })
}

fn step() -> impl Strategy<Value = Step> {
    let part = (any::<usize>(), stretch(), stretch());
    prop_oneof![
        4 => stretch().prop_map(|(from, until)| Step::Book(from, until)),
        4 => (any::<usize>(), stretch()).prop_map(|(number, (from, until))| Step::Release(number, from, until)),
        3 => part.prop_map(|(number, (from, until), (to, _))| {
            Step::MovePart(number, (from, until), to.min(LAST - (until - from)))
        }),
        4 => (0..2_usize, stretch()).prop_map(|(operator, (from, until))| Step::Disable(operator, from, until)),
        3 => (0..2_usize, any::<usize>()).prop_map(|(operator, number)| Step::Enable(operator, number)),
        1 => any::<usize>().prop_map(Step::Cancel),
    ]
}

fn grid() -> impl Strategy<Value = [usize; 3]> {
    prop_oneof![Just([30, 0, 0]), Just([60, 0, 0]), Just([90, 0, 0]), Just([30, 30, 30]), Just([60, 15, 45]),]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn whatever_is_done_wanted_time_is_taken_once_by_its_owner(
        grid in grid(),
        steps in proptest::collection::vec(step(), 1..40),
    ) {
        let mut tried = Tried::new(grid);
        for step in &steps {
            tried.step(step);
            tried.agrees();
        }
        tried.house.verified();
    }
}
