//! Change notices of the engine, translated for the screen.

use std::sync::Arc;

use crate::domain::ids::{BookingId, CartId, PerformanceId, ReceiptId};
use crate::domain::resource::ResourceId;
use crate::domain::time::date_of;
use crate::engine::notice::{DocKind, Notice, chunk_at};
use crate::tui::data::msg::{Changed, Subject};

/// Translates a notice; chunks become seats of their performance or days of a resource.
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
    let performance = |key: &str| key.get(..36).and_then(|id| id.parse::<PerformanceId>().ok());
    let found = match kind {
        DocKind::Chunk => performance(key).map(Subject::Seats).or_else(|| day(key)),
        DocKind::Performance => performance(key).map(Subject::Performance),
        DocKind::Cart => key.parse::<CartId>().ok().map(Subject::Cart),
        DocKind::Receipt => key.parse::<ReceiptId>().ok().map(Subject::Receipt),
        DocKind::Work | DocKind::Waiting => Some(Subject::Worklist),
        DocKind::Resource => key.parse::<ResourceId>().ok().map(Subject::Resource),
        DocKind::Booking => key.parse::<BookingId>().ok().map(Subject::Booking),
        DocKind::Customer => Some(Subject::Customer),
        DocKind::Settings => Some(Subject::Settings),
        DocKind::Credit
        | DocKind::Theater
        | DocKind::Plan
        | DocKind::Station
        | DocKind::TicketKey
        | DocKind::Till
        | DocKind::Series
        | DocKind::Keep
        | DocKind::Pins
        | DocKind::Chain => None,
    };
    found.unwrap_or(Subject::Other)
}

/// Day of a resource named by a chunk's key: `room-7_2026_12_31`.
fn day(key: &str) -> Option<Subject> {
    let at = chunk_at(key)?;
    Some(Subject::Day(at.resource.parse().ok()?, date_of(at.number)?))
}

#[cfg(test)]
mod tests {
    use super::subject;
    use crate::engine::notice::DocKind;
    use crate::tui::data::msg::Subject;

    #[test]
    fn a_chunk_is_a_day_of_its_resource_or_a_row_of_its_performance() {
        let Subject::Day(resource, date) = subject(DocKind::Chunk, "room_7_2026_12_31") else { panic!("not a day") };
        assert_eq!((resource.as_str(), date.to_string().as_str()), ("room_7", "2026-12-31"));
        let row = format!("{}/0003", crate::domain::ids::PerformanceId::random());
        assert!(matches!(subject(DocKind::Chunk, &row), Subject::Seats(_)));
        assert_eq!(subject(DocKind::Chunk, "nonsense"), Subject::Other);
    }
}
