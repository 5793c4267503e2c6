//! Line that is typed in a prompt.

use crate::domain::time::Instant;
use crate::tui::kit::field::Field;

/// Line that the screen takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PromptPurpose {
    Best,
    /// Somewhere on the map.
    GoTo,
    /// A day of the programme.
    Day,
    /// A receipt by number, or a day of receipts.
    Order,
    /// Free time on the calendar.
    FreeTime,
    /// A day or a resource of the calendar.
    Time,
    /// Filter of the calendar's resources.
    Filter,
}

/// Event of a prompt that its screen handles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Typed {
    Changed,
    Entered,
    /// Tab: the next suggestion.
    Next,
    /// Shift-Tab: the previous suggestion.
    Previous,
}

/// Line that is typed, with what is said about it.
#[derive(Debug)]
pub(crate) struct TypedLine {
    pub field: Field,
    /// Problem of the text.
    pub note: String,
    /// Preview of the effect of Enter.
    pub lit: String,
    /// Time of the last change.
    pub changed_at: Instant,
}
