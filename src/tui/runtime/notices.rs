//! The engine's notices in the screen's words.

use std::sync::Arc;

use crate::domain::ids::{CartId, PerformanceId, ReceiptId};
use crate::engine::notice::Notice;
use crate::store::document::DocKind;
use crate::tui::msg::{Changed, Subject};

/// A notice in the screen's words: chunks are seats of their performance.
pub(super) fn changed(notice: &Arc<Notice>) -> Changed {
    if notice.everything {
        return Changed::Everything;
    }
    let mut subjects: Vec<Subject> = Vec::new();
    for (kind, key) in &notice.changed {
        let subject = subject(*kind, key);
        if !subjects.contains(&subject) {
            subjects.push(subject);
        }
    }
    Changed::These(subjects)
}

fn subject(kind: DocKind, key: &str) -> Subject {
    let performance = |key: &str| {
        key.get(..36)
            .and_then(|id| id.parse::<PerformanceId>().ok())
    };
    let found = match kind {
        DocKind::Chunk => performance(key).map(Subject::Seats),
        DocKind::Performance => performance(key).map(Subject::Performance),
        DocKind::Cart => key.parse::<CartId>().ok().map(Subject::Cart),
        DocKind::Receipt => key.parse::<ReceiptId>().ok().map(Subject::Receipt),
        DocKind::Work | DocKind::Waiting => Some(Subject::Worklist),
        DocKind::Settings
        | DocKind::Theater
        | DocKind::Plan
        | DocKind::Station
        | DocKind::Resource
        | DocKind::Booking
        | DocKind::Series
        | DocKind::Keep
        | DocKind::Disable => None,
    };
    found.unwrap_or(Subject::Other)
}
