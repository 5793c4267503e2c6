//! Policies of the kinds of job: slots, guards, and priority.

use serde::{Deserialize, Serialize};

use crate::domain::job::JobKind;
use crate::domain::time::Span;

/// Declares the policy of a kind of job, a house's changes to one, and the functions over all settings.
macro_rules! policy {
    ($($(#[$doc:meta])* $field:ident: $type:ty;)+) => {
        /// The policy of a kind of job.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
        pub struct JobPolicy {
            $($(#[$doc])* pub $field: $type,)+
        }

        /// A house's changes to the policy of a kind.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(default)]
        pub struct PolicyChange {
            $(
                $(#[$doc])*
                #[serde(skip_serializing_if = "Option::is_none")]
                pub $field: Option<$type>,
            )+
        }

        impl JobPolicy {
            /// Applies a house's changes.
            #[must_use]
            pub fn changed(self, change: &PolicyChange) -> Self {
                Self { $($field: change.$field.unwrap_or(self.$field),)+ }
            }

            /// Settings by name.
            pub fn facts(&self) -> impl Iterator<Item = (&'static str, String)> + use<> {
                [$((stringify!($field), self.$field.to_string()),)+].into_iter()
            }
        }

        impl PolicyChange {
            /// Changed settings by name.
            pub fn facts(&self) -> impl Iterator<Item = (&'static str, String)> + use<> {
                [$(self.$field.map(|value| (stringify!($field), value.to_string())),)+].into_iter().flatten()
            }

            /// Merges two changes; the other wins.
            #[must_use]
            pub fn and(self, other: Self) -> Self {
                Self { $($field: other.$field.or(self.$field),)+ }
            }
        }
    };
}

policy! {
    /// Grid of due times: each is rounded up to a multiple of it.
    slot: Span;
    /// Time limit of a run.
    limit: Span;
    /// Most checks of a job: the last one may not ask for another; without end if 0.
    checks: u32;
    /// Longest time from a check to the next.
    horizon: Span;
    /// Tries of a check before its job is parked.
    tries: u32;
    /// Wait before a failed check is tried again; doubled each time.
    retry: Span;
    /// Priority among due jobs: 0 before 9.
    priority: u8;
}

/// No wait for another try is longer.
const BACKOFF_MAX: Span = Span::minutes(60);

/// Slots and time limits that a house may set.
pub const SLOT_RANGE: (Span, Span) = (Span::seconds(1), Span::minutes(24 * 60));
/// See [`SLOT_RANGE`].
pub const LIMIT_RANGE: (Span, Span) = (Span::from_millis(10), Span::seconds(30));
/// Horizons that a house may set.
pub const HORIZON_RANGE: (Span, Span) = (Span::minutes(1), Span::minutes(366 * 24 * 60));
/// First retries that a house may set.
pub const RETRY_RANGE: (Span, Span) = (Span::seconds(1), BACKOFF_MAX);
/// Maximum of the settings `checks` and `tries`.
pub const COUNT_MAX: u32 = 100;
/// The last priority.
pub const PRIORITY_MAX: u8 = 9;

impl JobKind {
    /// Returns whether the kind has a setting. Built-in kinds look at times of their subjects, which no horizon binds, and
    /// only a reservation counts its checks, its alerts, and a listener its calls.
    pub fn has_setting(self, name: &str) -> bool {
        match name {
            "checks" => self.is_own() || matches!(self, Self::Reservation | Self::ListenerCall),
            "horizon" => self.is_own(),
            _ => true,
        }
    }

    /// The default policy of the kind.
    pub const fn policy(self) -> JobPolicy {
        let (slot, priority) = match self {
            Self::CartExpiry | Self::SalesClose => (Span::seconds(1), 0),
            Self::CartWarning | Self::Waitlist | Self::ListenerCall => (Span::seconds(1), 1),
            // before the ends of carts, so that after a pause no alert comes too late to be raised
            Self::Reservation => (Span::minutes(1), 0),
            Self::KeepRelease | Self::Own(_) | Self::TicketsUncollected => (Span::minutes(1), 1),
            Self::Horizon => (Span::minutes(15), 2),
            Self::Tidying | Self::Backup => (Span::minutes(1), 9),
        };
        let limit = if matches!(self, Self::Own(_)) {
            Span::seconds(10)
        } else if matches!(self, Self::Backup) {
            Span::minutes(60)
        } else {
            Span::seconds(2)
        };
        JobPolicy { slot, limit, checks: 5, horizon: Span::minutes(30 * 24 * 60), tries: 5, retry: slot, priority }
    }
}

impl JobPolicy {
    /// Wait after a number of failed tries.
    pub fn backoff(&self, tries: u32) -> Span {
        let doubled = 1_i64 << tries.saturating_sub(1).min(20);
        Span::from_millis(self.retry.millis().saturating_mul(doubled)).min(BACKOFF_MAX)
    }
}
