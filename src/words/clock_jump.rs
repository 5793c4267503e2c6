//! Jumps of the machine's clock.

use crate::domain::time::{Instant, Span};

/// Jump of the machine's clock against the desk's time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ClockJump {
    /// No jump: clock and desk agree.
    #[default]
    None,
    /// The clock is ahead by this much.
    Ahead(Span),
    /// The clock is behind by this much.
    Back(Span),
    /// The house has another time; nothing is written by this clock until it is confirmed.
    Apart {
        /// Time of the house.
        seen: Instant,
    },
}

impl ClockJump {
    /// Jump by a number of milliseconds, negative when behind.
    #[must_use]
    pub const fn of_millis(millis: i64) -> Self {
        match millis {
            0 => Self::None,
            1.. => Self::Ahead(Span::from_millis(millis)),
            ..0 => Self::Back(Span::from_millis(millis.saturating_neg())),
        }
    }

    /// Rounds to minutes, so that the jump is shown without flicker.
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
