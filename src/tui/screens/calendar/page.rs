//! The calendars in view, by their resources.

use std::collections::HashMap;

use crate::domain::calendar::{CalendarView, Period, State};
use crate::domain::resource::ResourceId;

/// The calendars in view.
#[derive(Debug, Default)]
pub(super) struct Page {
    pub(super) views: Vec<CalendarView>,
    places: HashMap<ResourceId, usize>,
}

impl Page {
    pub(super) fn new(views: Vec<CalendarView>) -> Self {
        let places = views
            .iter()
            .enumerate()
            .map(|(place, view)| (view.resource.clone(), place))
            .collect();
        Self { views, places }
    }

    pub(super) fn of(&self, resource: &ResourceId) -> Option<&CalendarView> {
        self.views.get(*self.places.get(resource)?)
    }
}

/// Whether a period is drawn as a bar that a cursor can stand on.
pub(super) const fn is_bar(period: &Period) -> bool {
    !matches!(period.state, State::Free | State::Closed | State::NotOpen)
}
