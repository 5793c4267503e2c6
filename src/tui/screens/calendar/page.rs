//! Loaded calendars, by resource.

use std::collections::HashMap;

use crate::domain::calendar::CalendarView;
use crate::domain::resource::ResourceId;
use crate::engine::reads::worklist::WorkView;
use crate::tui::screens::calendar::displaced;

/// Calendars in view.
#[derive(Debug, Default)]
pub(super) struct Page {
    /// Calendars as loaded.
    pub(super) views: Vec<CalendarView>,
    /// Calendars with losses, with periods split at these.
    cut: HashMap<ResourceId, CalendarView>,
    places: HashMap<ResourceId, usize>,
}

impl Page {
    pub(super) fn new(views: Vec<CalendarView>, displaced: &[WorkView]) -> Self {
        let places = views.iter().enumerate().map(|(place, view)| (view.resource.clone(), place)).collect();
        let mut page = Self { views, cut: HashMap::new(), places };
        page.cut_out(displaced);
        page
    }

    /// Splits the periods of displaced bookings.
    pub(super) fn cut_out(&mut self, displaced: &[WorkView]) {
        let cut = |view: &CalendarView| Some((view.resource.clone(), displaced::cut(view, displaced)?));
        self.cut = self.views.iter().filter_map(cut).collect();
    }

    pub(super) fn of(&self, resource: &ResourceId) -> Option<&CalendarView> {
        let whole = || self.views.get(*self.places.get(resource)?);
        self.cut.get(resource).or_else(whole)
    }
}
