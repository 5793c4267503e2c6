//! Questions of the calendar, and what follows their answers.

use crate::domain::time::{Slot, Span};
use crate::engine::reads::calendar::{ReadCalendar, Words};
use crate::engine::reads::worklist::WorkView;
use crate::tui::data::msg::{Query, Readable as _};
use crate::tui::data::questions::{READ_WHOLE_MAX, ReadAllResources, ReadDisplacedTime};
use crate::tui::data::reads::Needs;
use crate::tui::kit::shared::Shared;
use crate::tui::screens::calendar::Calendar;
use crate::tui::screens::calendar::lines::LineKey;
use crate::tui::screens::calendar::page::Page;

impl Calendar {
    /// Question for the calendars in view.
    fn wanted_page(&self, shared: &Shared) -> Option<ReadCalendar> {
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

    pub(crate) fn needs(&self, shared: &Shared, needs: &mut Needs) {
        needs.of(ReadAllResources);
        needs.of(ReadDisplacedTime);
        if let Some(page) = self.wanted_page(shared) {
            needs.typed(page);
        }
        if let Some(ahead) = self.wanted_ahead(shared) {
            needs.typed(ahead);
        }
        self.side_needs(shared, needs);
        self.best.needs(needs);
        if let Some(refused) = &self.refused {
            refused.places.needs(needs);
        }
    }

    pub(crate) fn is_unread(&self, shared: &Shared) -> bool {
        self.resources.is_none() && shared.reads.is_unread(&ReadAllResources)
            || self.page.views.is_empty() && self.wanted_page(shared).is_some_and(|page| shared.reads.is_unread(&page))
    }

    /// Follows what was read: the lines, the cursor, and what is found.
    pub(crate) fn came(&mut self, question: &Query, shared: &Shared) {
        if ReadAllResources.is(question) {
            self.resources_came(shared);
        } else if ReadDisplacedTime.is(question) {
            self.page.cut_out(waiting(shared));
        } else if let Some(page) = self.wanted_page(shared).filter(|page| page.is(question)) {
            self.page_came(&page, shared);
        } else if matches!(question, Query::Free(_)) {
            self.best_came(shared);
        } else if let Some(refused) = &mut self.refused {
            refused.places.came(question, shared);
        }
    }

    fn resources_came(&mut self, shared: &Shared) {
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

    fn page_came(&mut self, page: &ReadCalendar, shared: &Shared) {
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
    shared.reads.get(&ReadDisplacedTime).map_or(&[], Vec::as_slice)
}
