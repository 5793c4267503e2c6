//! Which cell of the screen is what, filled while drawing, so that the mouse hits what is seen.

use ratatui::layout::{Position, Rect};

use crate::domain::ids::LineId;
use crate::domain::plan::SeatRef;
use crate::tui::action::Action;
use crate::tui::input::Key;
use crate::tui::screens::Screen;

/// Something on the screen that the mouse can hit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// The tab of a screen.
    Tab(Screen),
    /// A seat on the map.
    Seat(SeatRef),
    /// A block of seats on the map, by its place in the layout.
    Block(usize),
    /// A seat in the cart panel.
    CartSeat(LineId, SeatRef),
    /// A line of time in the cart panel.
    CartTime(LineId),
    /// A row of a list, counted from its first, whether it is in view or not.
    Row(List, usize),
    /// A command named on the screen: clicking it is giving it.
    Act(Action),
    /// A key named on the screen, also in a dialog: clicking it is pressing it.
    Key(Key),
    /// An answer of the question, counted from the first.
    Choice(usize),
    /// The map beside its seats, the head of the timeline: the wheel zooms.
    Map,
    /// A cell of the timeline: its line, counted from the first of all, and its column.
    Time(usize, u16),
}

impl Target {
    /// The row of the open dialog, counted from the first.
    #[must_use]
    pub fn dialog_row(&self) -> Option<usize> {
        if let Self::Row(List::Dialog, index) = self {
            return Some(*index);
        }
        None
    }
}

/// Which list a row belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum List {
    /// Performances on Tonight.
    Performances,
    /// What needs somebody, on Tonight.
    Needs,
    /// Receipts on Orders.
    Receipts,
    /// Seats of one order.
    OrderSeats,
    /// Jobs or runs on Jobs.
    Jobs,
    /// Resources and groups of the calendar.
    Lines,
    /// The rows of the open dialog.
    Dialog,
}

/// The cells of one frame with what each hits.
#[derive(Clone, Debug, Default)]
pub struct Targets {
    area: Rect,
    cells: Vec<u32>,
    things: Vec<Target>,
}

impl Targets {
    /// Nothing hits anything, in a frame of this size.
    #[must_use]
    pub fn new(area: Rect) -> Self {
        let count = usize::from(area.width) * usize::from(area.height);
        Self {
            area,
            cells: vec![0; count],
            things: Vec::new(),
        }
    }

    /// From now on these cells hit this; what lies outside the frame is ignored.
    pub fn put(&mut self, area: Rect, target: Target) {
        let area = area.intersection(self.area);
        if area.is_empty() {
            return;
        }
        self.things.push(target);
        let number = u32::try_from(self.things.len()).unwrap_or(0);
        for y in area.top()..area.bottom() {
            let row = usize::from(y - self.area.y) * usize::from(self.area.width);
            let from = row + usize::from(area.x - self.area.x);
            if let Some(cells) = self.cells.get_mut(from..from + usize::from(area.width)) {
                cells.fill(number);
            }
        }
    }

    /// From now on these cells hit nothing: a dialog covers them.
    pub fn clear(&mut self, area: Rect) {
        let area = area.intersection(self.area);
        for position in area.positions() {
            if let Some(cell) = self.index(position).and_then(|at| self.cells.get_mut(at)) {
                *cell = 0;
            }
        }
    }

    /// What a cell hits.
    #[must_use]
    pub fn at(&self, position: Position) -> Option<&Target> {
        let number = *self.cells.get(self.index(position)?)?;
        self.things
            .get(usize::try_from(number).ok()?.checked_sub(1)?)
    }

    /// The first cell that hits what the caller looks for.
    #[must_use]
    pub fn find(&self, wanted: &Target) -> Option<Position> {
        self.area
            .positions()
            .find(|position| self.at(*position) == Some(wanted))
    }

    fn index(&self, position: Position) -> Option<usize> {
        if !self.area.contains(position) {
            return None;
        }
        let row = usize::from(position.y - self.area.y) * usize::from(self.area.width);
        Some(row + usize::from(position.x - self.area.x))
    }
}

#[cfg(test)]
mod tests {
    use ratatui::layout::{Position, Rect};

    use super::{Target, Targets};

    #[test]
    fn the_last_thing_drawn_is_hit_and_a_dialog_hides_what_it_covers() {
        let mut targets = Targets::new(Rect::new(0, 0, 10, 4));
        targets.put(Rect::new(0, 0, 10, 4), Target::Map);
        targets.put(Rect::new(3, 1, 2, 1), Target::Block(1));
        targets.put(Rect::new(8, 3, 9, 9), Target::Block(2));
        assert_eq!(targets.at(Position::new(4, 1)), Some(&Target::Block(1)));
        assert_eq!(targets.at(Position::new(5, 1)), Some(&Target::Map));
        assert_eq!(targets.at(Position::new(9, 3)), Some(&Target::Block(2)));
        assert_eq!(targets.at(Position::new(10, 3)), None);
        targets.clear(Rect::new(0, 0, 10, 2));
        assert_eq!(targets.at(Position::new(4, 1)), None);
        assert_eq!(targets.find(&Target::Map), Some(Position::new(0, 2)));
    }
}
