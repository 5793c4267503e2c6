//! Questions of the calendar, and what follows their answers.

use crate::domain::time::{Slot, Span};
use crate::engine::reads::calendar::{ReadCalendar, Words};
use crate::engine::reads::worklist::WorkView;
use crate::tui::data::compound::{READ_WHOLE_MAX, ReadAllResources, ReadDisplacedTime};
use crate::tui::kit::shared::Shared;
use crate::tui::screens::calendar::Calendar;
use crate::tui::screens::calendar::page::Page;
use crate::tui::screens::calendar::resource_lines::LineKey;

impl Calendar {
    /// Question for the calendars in view.
    pub(super) fn wanted_page(&self, shared: &Shared) -> Option<ReadCalendar> {
        let resources = self.resources.as_ref().filter(|all| !all.is_empty())?;
        let scale = self.scale(shared);
        // days of other zones begin up to this much earlier or later
        let zones = resources.iter().any(|one| one.zone() != shared.zone);
        let around = if zones { Span::minutes(26 * 60) } else { Span::default() };
        let window = Slot::new(scale.from() - around, scale.until() + around).ok()?;
        let ids = if resources.len() <= READ_WHOLE_MAX {
            resources.iter().map(|one| one.id.clone()).collect()
        } else {
            let first = self.first_line(shared);
            let room = Self::room(shared);
            let lines = self.lines.shown.iter().skip(first.saturating_sub(room));
            lines.take(room * 3).filter_map(LineKey::resource).cloned().collect()
        };
        Some(ReadCalendar { resources: ids, window, words: Words::Titles })
    }

    pub(super) fn resources_came(&mut self, shared: &Shared) {
        let Some(list) = shared.reads.get(&ReadAllResources) else {
            return;
        };
        self.currency = Some(list.currency);
        self.resources = Some(list.resources.clone());
        let is_first = self.line.key().is_none();
        self.relist(shared);
        if is_first {
            self.stand_on_time();
        }
        self.stand_where_wanted(shared);
    }

    pub(super) fn page_came(&mut self, page: &ReadCalendar, shared: &Shared) {
        let Some(views) = shared.reads.get(page) else {
            return;
        };
        self.page = Page::new(views.clone(), waiting(shared));
        if self.filter.needs_calendars() {
            self.relist(shared);
        }
    }
}

/// Displaced bookings.
pub(super) fn waiting(shared: &Shared) -> &[WorkView] {
    shared.reads.rows(&ReadDisplacedTime)
}
