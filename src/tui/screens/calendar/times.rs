//! Notation of times in the calendar's forms, and their resources.

use crate::domain::resource::{Count, Resource, ResourceId};
use crate::words;

pub(super) use crate::tui::kit::typed_times::WallClock as Clock;

/// The resources of a form, by id.
pub(super) fn ids(resources: &[Resource]) -> Vec<ResourceId> {
    resources.iter().map(|one| one.id.clone()).collect()
}

/// The counted resource of a form, if that is for it alone.
pub(super) fn counted(resources: &[Resource]) -> Option<&Count> {
    let [one] = resources else { return None };
    one.count.as_ref()
}

/// Number of units that is typed; nothing if none is.
pub(super) fn units(of: &Count, text: &str) -> Result<Option<u32>, String> {
    if text.trim().is_empty() {
        return Ok(None);
    }
    of.of_these(text).map(Some).map_err(|problem| words::capital(&problem))
}
