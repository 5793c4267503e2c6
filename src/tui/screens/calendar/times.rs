//! Notation of times in the calendar's forms, and their resources.

use crate::domain::resource::{Resource, ResourceId};

pub(super) use crate::tui::kit::times::WallClock as Clock;

/// The resources of a form, by id.
pub(super) fn ids(resources: &[Resource]) -> Vec<ResourceId> {
    resources.iter().map(|one| one.id.clone()).collect()
}
