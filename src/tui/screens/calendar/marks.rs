//! Marks: a span of time on one or several resources, by keys or by dragging.

use crate::domain::resource::{Resource, ResourceId};
use crate::domain::text::clean;
use crate::domain::time::{Instant, Slot, Span};
use crate::tui::kit::context::Context;
use crate::tui::kit::shared::Shared;
use crate::tui::screens::calendar::Calendar;
use crate::tui::screens::calendar::geometry::{of_resource, on_screen, slot_on_screen};
use crate::tui::screens::calendar::period_bars::is_bar;
use crate::tui::screens::calendar::resource_lines::LineKey;
use crate::tui::screens::calendar::state::{Choice, Mark, TimelineSpot};

/// Length chosen without a mark, unless a segment is longer.
const USUAL: Span = Span::minutes(60);

impl Calendar {
    /// Cell at a time of a resource: a segment, or a column where that is longer.
    pub(super) fn cell(&self, one: &Resource, at: Instant, shared: &Shared) -> Option<Slot> {
        let scale = self.scale(shared);
        let column = scale.column_at(at);
        let (from, until) = match column {
            Some(column) => (scale.start_of(column), scale.start_of(column + 1)),
            None => (at, at + Span::from_millis(1)),
        };
        let zones = (one.zone(), shared.zone);
        let slot = Slot::new(of_resource(from, zones), of_resource(until, zones)).ok()?;
        let slot = one.grid.normalise(slot);
        slot_on_screen(slot, zones)
    }

    /// Marked time and resources.
    pub(super) fn marked(&self, shared: &Shared) -> Option<Choice> {
        let mark = self.mark.as_ref()?;
        let resources: Vec<Resource> = mark.resources.iter().filter_map(|id| self.resource(id)).cloned().collect();
        let ends = [(Some(&mark.anchor.line), mark.anchor.at), (self.line.key(), self.at)];
        let cells = ends.map(|(line, at)| {
            let one = line.and_then(|line| self.resource(line.resource()?));
            let cell = one.and_then(|one| self.cell(one, at, shared));
            cell.map_or((at, at), |cell| (cell.from(), cell.until()))
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
        let one = self.here()?;
        let here = self.period(one, self.at, shared);
        if here.is_some_and(is_bar) {
            return None;
        }
        let cell = self.cell(one, self.at, shared)?;
        let free_until = here.map(|period| on_screen(period.slot.until(), (one.zone(), shared.zone)));
        let usual = (cell.from() + USUAL).max(cell.until());
        let until = free_until.map_or(usual, |end| end.min(usual)).max(cell.until());
        Some(Choice { resources: vec![one.clone()], from: cell.from(), until })
    }

    /// Window for `free` in the filter: the mark, else the cursor's cell.
    pub(super) fn mark_window(&self, shared: &Shared) -> Option<Slot> {
        match self.marked(shared) {
            Some(marked) => Slot::new(marked.from, marked.until).ok(),
            None => Slot::new(self.at, self.at + Span::minutes(15)).ok(),
        }
    }

    /// Starts a mark at the cursor, or drops it.
    pub(super) fn toggle_mark(&mut self) {
        self.mark = match (self.mark.take(), self.line.key().cloned()) {
            (None, Some(line)) => {
                let anchor = TimelineSpot { line, at: self.at };
                Some(Mark { anchor, resources: Vec::new(), only: None })
            }
            (Some(_), _) | (None, None) => None,
        };
        self.mark_lines();
    }

    /// Starts a mark at the cursor unless there is one.
    pub(super) fn go_on_marking(&mut self) {
        match &mut self.mark {
            Some(mark) => {
                mark.only = None;
                self.mark_lines();
            }
            None => self.toggle_mark(),
        }
    }

    /// Marks the resources from the anchor's line to the cursor's.
    pub(super) fn mark_lines(&mut self) {
        let Some(mark) = &mut self.mark else {
            return;
        };
        let place = |key: &LineKey| self.lines.shown.iter().position(|line| line == key);
        let ends = (place(&mark.anchor.line), self.line.key().and_then(place));
        let (Some(anchor), Some(here)) = ends else {
            return;
        };
        let between = self.lines.shown.iter().take(anchor.max(here) + 1).skip(anchor.min(here));
        let is_meant = |id: &&ResourceId| mark.only.as_ref().is_none_or(|only| only.contains(id));
        mark.resources = between.filter_map(LineKey::resource).filter(is_meant).cloned().collect();
    }

    /// Drops the mark or the carried booking if a line of theirs is shown no longer, and says so.
    pub(crate) fn keep_marked(&mut self, context: &mut Context<'_>) {
        let is_gone = |id: &&ResourceId| self.lines.of_resources(std::slice::from_ref(*id)).is_empty();
        let marked = self.mark.iter().flat_map(|mark| &mark.resources).find(is_gone);
        let carried = self.ghost.as_ref().filter(|ghost| is_gone(&&ghost.to));
        let (gone, what) = match (marked, carried) {
            (Some(gone), _) => (gone, "the mark is dropped".to_owned()),
            (None, Some(ghost)) => (&ghost.to, format!("{} stays where it is", clean(&ghost.title))),
            (None, None) => return,
        };
        context.note(format!("{} is no longer shown here: {what}", self.names(std::slice::from_ref(gone))));
        (self.mark, self.ghost) = (None, None);
        self.line.miss();
    }
}
