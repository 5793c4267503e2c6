//! Marks: a span of time on one or several resources, by keys or by dragging.

use crate::domain::resource::Resource;
use crate::domain::time::{Slot, Span};
use crate::tui::screens::calendar::Calendar;
use crate::tui::screens::calendar::bars::is_bar;
use crate::tui::screens::calendar::geometry::{of_resource, on_screen, slot_on_screen};
use crate::tui::screens::calendar::state::{Choice, Cursor, Mark};
use crate::tui::shared::Shared;

/// Length chosen without a mark, unless a segment is longer.
const USUAL: Span = Span::minutes(60);

impl Calendar {
    /// Cell at a time of a line: a segment, or a column where that is longer.
    pub(super) fn cell(&self, at: Cursor, shared: &Shared) -> Option<Slot> {
        let one = self.line_resource(at.line)?;
        let scale = self.scale(shared);
        let column = scale.column_at(at.at);
        let (from, until) = match column {
            Some(column) => (scale.start_of(column), scale.start_of(column + 1)),
            None => (at.at, at.at + Span::from_millis(1)),
        };
        let zones = (one.zone(), shared.zone);
        let slot = Slot::new(of_resource(from, zones), of_resource(until, zones)).ok()?;
        let slot = one.grid.normalise(slot);
        slot_on_screen(slot, zones)
    }

    /// Marked time and resources.
    pub(super) fn marked(&self, shared: &Shared) -> Option<Choice> {
        let mark = self.mark.as_ref()?;
        let (first, last) = (mark.anchor.line.min(self.cursor.line), mark.anchor.line.max(self.cursor.line));
        let is_meant = |one: &Resource| mark.only.as_ref().is_none_or(|only| only.contains(&one.id));
        let resources: Vec<Resource> =
            (first..=last).filter_map(|line| self.line_resource(line)).filter(|one| is_meant(one)).cloned().collect();
        let cells = [mark.anchor, self.cursor].map(|at| {
            let cell = self.cell(at, shared);
            cell.map_or((at.at, at.at), |cell| (cell.from(), cell.until()))
        });
        let from = cells.iter().map(|(from, _)| *from).min()?;
        let until = cells.iter().map(|(_, until)| *until).max()?;
        (!resources.is_empty()).then_some(Choice { resources, from, until })
    }

    /// Time and resources that an act applies to: the mark, else free time at the cursor of the usual length.
    pub(super) fn choice(&self, shared: &Shared) -> Option<Choice> {
        if let Some(marked) = self.marked(shared) {
            return Some(marked);
        }
        let one = self.line_resource(self.cursor.line)?;
        let here = self.period(self.cursor.line, self.cursor.at, shared);
        if here.is_some_and(is_bar) {
            return None;
        }
        let cell = self.cell(self.cursor, shared)?;
        let free_until = here.map(|period| on_screen(period.slot.until(), (one.zone(), shared.zone)));
        let usual = (cell.from() + USUAL).max(cell.until());
        let until = free_until.map_or(usual, |end| end.min(usual)).max(cell.until());
        Some(Choice { resources: vec![one.clone()], from: cell.from(), until })
    }

    /// Window for `free` in the filter: the mark, else the cursor's cell.
    pub(super) fn mark_window(&self, shared: &Shared) -> Option<Slot> {
        match self.marked(shared) {
            Some(marked) => Slot::new(marked.from, marked.until).ok(),
            None => Slot::new(self.cursor.at, self.cursor.at + Span::minutes(15)).ok(),
        }
    }

    pub(crate) fn drop_mark(&mut self) {
        self.mark = None;
    }

    /// Starts a mark at the cursor, or drops it.
    pub(super) fn toggle_mark(&mut self) {
        self.mark = match self.mark.take() {
            Some(_) => None,
            None => Some(Mark { anchor: self.cursor, only: None }),
        };
    }

    /// Starts a mark at the cursor unless there is one.
    pub(super) fn go_on_marking(&mut self) {
        match &mut self.mark {
            Some(mark) => mark.only = None,
            None => self.toggle_mark(),
        }
    }
}
