//! Where the machine's clock stands.

use crate::domain::time::Span;

/// Where the machine's clock stands, as seen from the desk's time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ClockJump {
    /// They agree.
    #[default]
    None,
    /// So far ahead.
    Ahead(Span),
    /// So far back.
    Back(Span),
}

impl ClockJump {
    /// Of milliseconds, below zero when it jumped back.
    #[must_use]
    pub const fn of_millis(millis: i64) -> Self {
        match millis {
            0 => Self::None,
            1.. => Self::Ahead(Span::from_millis(millis)),
            ..0 => Self::Back(Span::from_millis(millis.saturating_neg())),
        }
    }
}
