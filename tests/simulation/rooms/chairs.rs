//! Chairs that are booked by number: an array of counters, one for each cell.

use std::ops::Range;

use willcall::domain::ids::BookingId;
use willcall::domain::resource::{Count, ResourceId};
use willcall::domain::time::Slot;
use willcall::engine::Desk;
use willcall::engine::ops::{
    AddResource, BookSlot, CancelBooking, ChangeResource, Past, Reach, ResourcePatch, Want, Whose,
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
    parties: Vec<(BookingId, Stretch, u32)>,
}

fn chairs(number: u32) -> Count {
    Count { number, unit: "chairs".into() }
}

impl Chairs {
    pub(super) fn new(desk: &Desk) -> Self {
        let number = 12;
        let add = AddResource { count: Some(chairs(number)), ..room("Chairs") };
        Self { of: vec![desk.run(add).unwrap().id], number, parties: Vec::new() }
    }

    fn taken(&self, cell: usize) -> u32 {
        let has = |of: &Stretch| (of.from..of.from + of.count).contains(&cell);
        self.parties.iter().filter(|(_, of, _)| has(of)).map(|(_, _, units)| units).sum()
    }

    fn most(&self, cells: Range<usize>) -> u32 {
        cells.map(|cell| self.taken(cell)).max().unwrap_or_default()
    }
}

impl Rooms {
    /// Books some of the chairs, gives them back, or gives the house another number of them.
    pub(super) fn count_chairs(&mut self) -> Step {
        match self.below(6) {
            0..=3 => self.book_chairs(),
            4 => self.give_chairs_back(),
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
            self.chairs.parties.push((booking.id, stretch, units));
        }
        Ok(())
    }

    fn give_chairs_back(&mut self) -> Step {
        let (operator, count) = (self.operator(), self.chairs.parties.len());
        if count == 0 {
            return Ok(());
        }
        let place = self.below(count);
        let booking = self.chairs.parties[place].0;
        self.ask(operator, &CancelBooking { booking, reach: Reach::This, whose: Whose::Mine }).judge(true)?;
        self.chairs.parties.remove(place);
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
