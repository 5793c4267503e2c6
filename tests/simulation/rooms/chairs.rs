//! Chairs that are booked by number: an array of counters, one for each cell.

use std::collections::BTreeMap;
use std::ops::Range;

use willcall::domain::booking::Cause;
use willcall::domain::ids::BookingId;
use willcall::domain::resource::{Count, ResourceId};
use willcall::domain::time::Slot;
use willcall::engine::Desk;
use willcall::engine::ops::{
    AddResource, BookSlot, CancelBooking, ChangeResource, EnableSlot, OutOfUse, Past, Reach, ResourcePatch, TakeOut,
    UndoOutOfUse, Want, Whose,
};
use willcall::engine::reads::calendar::{ReadCalendar, Words};

use super::acts::details;
use super::cells::{CELLS, Stretch, cell_at, is_past};
use super::place::{Rooms, room};
use crate::stations::Clocks;
use crate::world::{Step, ensure};

/// Chairs of the house, and who has some.
#[derive(Default)]
pub(super) struct Chairs {
    /// The resource that they are, alone.
    of: Vec<ResourceId>,
    number: u32,
    parties: Vec<Party>,
    /// Acts that took some out of use.
    out: Vec<Party>,
}

/// Chairs by cell that a booking, or an act, has.
#[derive(Clone)]
struct Party {
    id: BookingId,
    has: BTreeMap<usize, u32>,
}

impl Party {
    fn new(id: BookingId, of: Stretch, units: u32) -> Self {
        Self { id, has: (of.from..of.from + of.count).map(|cell| (cell, units)).collect() }
    }
}

fn sum(parties: &[Party], cell: usize) -> u32 {
    parties.iter().filter_map(|party| party.has.get(&cell)).sum()
}

fn chairs(number: u32) -> Count {
    Count { number, unit: "chairs".into() }
}

impl Chairs {
    pub(super) fn new(desk: &Desk) -> Self {
        let number = 12;
        let add = AddResource { count: Some(chairs(number)), ..room("Chairs") };
        Self { of: vec![desk.run(add).unwrap().id], number, parties: Vec::new(), out: Vec::new() }
    }

    fn taken(&self, cell: usize) -> u32 {
        sum(&self.parties, cell) + sum(&self.out, cell)
    }

    /// Takes what is not free from the newest parties, one chair after another.
    fn displace(&mut self, of: Stretch, units: u32) {
        self.parties.sort_by_cached_key(|party| party.id.to_string());
        for cell in of.from..of.from + of.count {
            for _ in self.number.saturating_sub(self.taken(cell))..units {
                let newest =
                    self.parties.iter_mut().rev().find_map(|party| party.has.get_mut(&cell).filter(|has| **has > 0));
                *newest.unwrap() -= 1;
            }
        }
    }

    fn most(&self, cells: Range<usize>) -> u32 {
        cells.map(|cell| self.taken(cell)).max().unwrap_or_default()
    }
}

impl Rooms {
    /// Books some of the chairs, gives them back, or gives the house another number of them.
    pub(super) fn count_chairs(&mut self) -> Step {
        match self.below(9) {
            0..=3 => self.book_chairs(),
            4 => self.give_chairs_back(),
            5..=6 => self.break_chairs(),
            7 => self.mend_chairs(),
            _ => self.buy_or_sell_chairs(),
        }
    }

    fn book_chairs(&mut self) -> Step {
        let (stretch, operator) = (self.stretch(), self.operator());
        let units = 1 + self.dice.below(7);
        let want = Want { of: self.chairs.of.clone(), any: Some(units), slot: Self::slot(stretch) };
        let booked = self.ask(operator, &BookSlot { wants: vec![want], details: details(), past: Past::Closed });
        let most = self.chairs.most(stretch.from..stretch.from + stretch.count);
        let may = most + units <= self.chairs.number && !is_past(stretch, booked.at.millis());
        if let Some(booking) = booked.judge(may)? {
            self.chairs.parties.push(Party::new(booking.id, stretch, units));
        }
        Ok(())
    }

    fn give_chairs_back(&mut self) -> Step {
        let (operator, count) = (self.operator(), self.chairs.parties.len());
        if count == 0 {
            return Ok(());
        }
        let place = self.below(count);
        let booking = self.chairs.parties[place].id;
        self.ask(operator, &CancelBooking { booking, reach: Reach::This, whose: Whose::Mine }).judge(true)?;
        self.chairs.parties.remove(place);
        Ok(())
    }

    /// Takes some out of use, from whoever has them; at times undone at once.
    fn break_chairs(&mut self) -> Step {
        let (stretch, operator) = (self.stretch(), self.operator());
        let units = 1 + self.dice.below(5);
        let cells = stretch.from..stretch.from + stretch.count;
        if cells.map(|cell| sum(&self.chairs.out, cell)).any(|out| out + units > self.chairs.number) {
            return Ok(());
        }
        let act = TakeOut::of(Cause::Disable, self.chairs.of.clone(), Self::slot(stretch));
        let out = self.ask(operator, &TakeOut { count: Some(units), past: Past::Closed, reason: "legs".into(), ..act });
        let may = !is_past(stretch, out.at.millis());
        let Some(OutOfUse::Slot { booking, displaced, .. }) = out.judge(may)? else {
            return Ok(());
        };
        let before = self.chairs.parties.clone();
        self.chairs.displace(stretch, units);
        if self.chance(50) {
            let undo = UndoOutOfUse { id: booking.id, displaced: displaced.iter().map(|item| item.id).collect() };
            let still = self.ask(operator, &undo).judge(true)?;
            self.chairs.parties = before;
            return ensure(still.is_some_and(|still| still.is_empty()), || "some chairs did not come back".into());
        }
        self.chairs.parties.retain(|party| party.has.values().any(|units| *units > 0));
        self.chairs.out.push(Party::new(booking.id, stretch, units));
        Ok(())
    }

    /// Puts chairs back into use; who lost them has them no more.
    fn mend_chairs(&mut self) -> Step {
        let (operator, count) = (self.operator(), self.chairs.out.len());
        if count == 0 {
            return Ok(());
        }
        let place = self.below(count);
        let id = self.chairs.out.remove(place).id;
        self.ask(operator, &EnableSlot { id, whose: Whose::Anybody }).judge(true)?;
        Ok(())
    }

    /// To as many as are claimed at most, or one less than are claimed at a time to come.
    fn buy_or_sell_chairs(&mut self) -> Step {
        let from = |at: i64| usize::try_from(cell_at(at)).unwrap_or_default().min(CELLS);
        let (all, to_come) = (self.chairs.most(0..CELLS), self.chairs.most(from(self.now())..CELLS));
        // a clock that is years ahead would take these claims for over, and let them exceed the number
        let may_lower = !matches!(self.stations.clocks, Clocks::Skewed) && to_come > 1;
        let number = if self.chance(50) && may_lower { to_come - 1 } else { all.max(8) };
        let patch = ResourcePatch { count: Some(chairs(number)), ..ResourcePatch::default() };
        let changed = self.ask("ada", &ChangeResource { resource: self.chairs.of[0].clone(), patch });
        // the cell that runs counts or not
        let now = from(changed.at.millis());
        let [surely, perhaps] = [now + 2, now].map(|next| self.chairs.most(next.min(CELLS)..CELLS) > number);
        let may = if surely == perhaps { !surely } else { changed.answer.is_ok() };
        if changed.judge(may)?.is_some() {
            self.chairs.number = number;
        }
        Ok(())
    }

    pub(super) fn check_chairs(&self, desk: &Desk) -> Step {
        let window: Slot = Self::slot(Stretch { room: 0, from: 0, count: CELLS });
        let resources = self.chairs.of.clone();
        let views = desk.read(ReadCalendar { resources, window, words: Words::Titles });
        let views = views.map_err(|failure| format!("{failure:?}"))?;
        for cell in 0..CELLS {
            let at = Self::slot(Stretch { room: 0, from: cell, count: 1 }).from();
            let period = views.iter().flat_map(|view| &view.periods).find(|period| period.slot.has(at));
            let left = period.ok_or("a hole in the calendar")?.units;
            let expected = self.chairs.number.saturating_sub(self.chairs.taken(cell));
            ensure(left == Some(expected), || format!("{left:?} chairs are left in cell {cell}, not {expected}"))?;
        }
        Ok(())
    }
}
