//! Where the machine's clock stands.

use crate::domain::time::{Instant, Span};

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
    /// The house has another time, and nothing is written by this one before it is confirmed.
    Apart {
        /// The other time.
        seen: Instant,
    },
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

    /// The same to the minute, as often as it is told.
    #[must_use]
    pub const fn to_minutes(self) -> Self {
        const fn whole(span: Span) -> Span {
            Span::minutes(span.millis() / 60_000)
        }
        match self {
            Self::Ahead(by) => Self::Ahead(whole(by)),
            Self::Back(by) => Self::Back(whole(by)),
            Self::None | Self::Apart { .. } => self,
        }
    }
}
