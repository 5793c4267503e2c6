//! The calendars in view, by their resources.

use std::collections::HashMap;

use crate::domain::calendar::{CalendarView, Period, State};
use crate::domain::resource::ResourceId;
use crate::engine::reads::worklist::WorkView;
use crate::tui::screens::calendar::displaced;

/// The calendars in view.
#[derive(Debug, Default)]
pub(super) struct Page {
    /// As the house told them.
    pub(super) views: Vec<CalendarView>,
    /// Those in which somebody lost time, with periods of their own for that.
    cut: HashMap<ResourceId, CalendarView>,
    places: HashMap<ResourceId, usize>,
}

impl Page {
    pub(super) fn new(views: Vec<CalendarView>, displaced: &[WorkView]) -> Self {
        let places = views
            .iter()
            .enumerate()
            .map(|(place, view)| (view.resource.clone(), place))
            .collect();
        let mut page = Self {
            views,
            cut: HashMap::new(),
            places,
        };
        page.cut_out(displaced);
        page
    }

    /// Tells apart what somebody lost and waits for.
    pub(super) fn cut_out(&mut self, displaced: &[WorkView]) {
        let cut =
            |view: &CalendarView| Some((view.resource.clone(), displaced::cut(view, displaced)?));
        self.cut = self.views.iter().filter_map(cut).collect();
    }

    pub(super) fn of(&self, resource: &ResourceId) -> Option<&CalendarView> {
        let whole = || self.views.get(*self.places.get(resource)?);
        self.cut.get(resource).or_else(whole)
    }
}

/// Whether a period is drawn as a bar that a cursor can stand on.
pub(super) const fn is_bar(period: &Period) -> bool {
    !matches!(period.state, State::Free | State::Closed | State::NotOpen)
}
