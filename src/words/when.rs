//! Wording of times: time of day, date, and remaining time.

use chrono_tz::Tz;

use crate::domain::time::{Instant, Local, Slot, Span, Wall};

/// Time of day with seconds.
#[must_use]
pub fn clock(at: Instant, zone: Tz) -> String {
    at.format(zone, "%H:%M:%S")
}

/// Date and time: `Sat 21 Nov 19:30`, in another year `Sun 1 Dec 2030 19:30`.
#[must_use]
pub fn day_time(at: Instant, here: Local) -> String {
    here.format(at, "%a %-d %b %H:%M")
}

/// Interval in its resource's words; empty if it ends before it starts.
pub(super) fn interval((from, until): (Instant, Instant), wall: Wall, now: Instant) -> String {
    Slot::new(from, until).map_or_else(|_| String::new(), |slot| slot.words(wall, now))
}

/// Remaining time in one unit: `0:42`, `58 min`, `3 h`, `2 days`.
#[must_use]
pub fn left(span: Span) -> String {
    let minutes = span.millis() / 60_000;
    match minutes {
        0..=9 => format!("{minutes}:{:02}", span.millis() / 1000 % 60),
        10..=119 => format!("{minutes} min"),
        120..=2879 => format!("{} h", minutes / 60),
        _ => format!("{} days", minutes / 1440),
    }
}

/// Note on a canceled performance that it was over by then; none for one that was not.
#[must_use]
pub fn was_over(end: Instant, here: Local) -> Option<String> {
    (end <= here.now).then(|| format!("It was over when it was canceled: it ended {}.", day_time(end, here)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn canceling_a_performance_that_was_over_says_so() {
        let end = Instant::from_millis(1_795_262_400_000);
        let note = |now| was_over(end, Local { now, zone: Tz::UTC });
        let said = "It was over when it was canceled: it ended Sat 21 Nov 12:00.";
        assert_eq!(note(end).as_deref(), Some(said));
        assert_eq!(note(end - Span::minutes(1)), None);
    }
}
