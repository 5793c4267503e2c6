//! Hit targets: maps each cell of the screen to a target, filled while drawing, so that the mouse hits what is shown.

use ratatui::layout::{Position, Rect};

use crate::domain::ids::LineId;
use crate::domain::plan::SeatRef;
use crate::tui::kit::action::Action;
use crate::tui::kit::input::Key;
use crate::tui::kit::screen::Screen;

/// Hit target of the mouse.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// Tab of a screen.
    Tab(Screen),
    /// Seat on the map.
    Seat(SeatRef),
    /// Block of seats on the map, by its index in the layout.
    Block(usize),
    /// Seat in the cart panel.
    CartSeat(LineId, SeatRef),
    /// Slot in the cart panel.
    CartTime(LineId),
    /// Row of a list, by its index, in view or not.
    Row(RowList, usize),
    /// Command named on the screen; a click runs it.
    Act(Action),
    /// Key named on the screen or in a dialog; a click presses it.
    Key(Key),
    /// Answer to a question, by its index.
    Choice(usize),
    /// Word of a choice in a form, by its row and its index.
    Word(usize, usize),
    /// Map beside its seats, or head of the timeline; the wheel zooms.
    Map,
    /// Cell of the timeline, by the index of its line and its column.
    Time(usize, u16),
}

impl Target {
    /// Index of the row in the open dialog.
    #[must_use]
    pub fn dialog_row(&self) -> Option<usize> {
        if let Self::Row(RowList::Dialog, index) = self {
            return Some(*index);
        }
        None
    }
}

/// List of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowList {
    /// Performances on Tonight.
    Performances,
    /// Needs on Tonight.
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
    /// The rows of the open form.
    Form,
}

/// Hit targets of a frame's cells.
#[derive(Clone, Debug, Default)]
pub struct Targets {
    area: Rect,
    cells: Vec<u32>,
    things: Vec<Target>,
}

impl Targets {
    /// Frame of this size without targets.
    #[must_use]
    pub fn new(area: Rect) -> Self {
        let count = usize::from(area.width) * usize::from(area.height);
        Self { area, cells: vec![0; count], things: Vec::new() }
    }

    /// Sets the target of an area; cells outside the frame are ignored.
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

    /// Clears the targets of an area that a dialog covers.
    pub fn clear(&mut self, area: Rect) {
        let area = area.intersection(self.area);
        for position in area.positions() {
            if let Some(cell) = self.index(position).and_then(|at| self.cells.get_mut(at)) {
                *cell = 0;
            }
        }
    }

    /// Target of a cell.
    #[must_use]
    pub fn at(&self, position: Position) -> Option<&Target> {
        let number = *self.cells.get(self.index(position)?)?;
        self.things.get(usize::try_from(number).ok()?.checked_sub(1)?)
    }

    /// First cell with a target.
    #[must_use]
    pub fn find(&self, wanted: &Target) -> Option<Position> {
        self.area.positions().find(|position| self.at(*position) == Some(wanted))
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
    fn the_topmost_target_is_hit_and_a_dialog_hides_those_below() {
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
