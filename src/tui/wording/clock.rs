//! Sentences about the machine's clock.

use chrono_tz::Tz;

use crate::domain::time::Instant;
use crate::tui::msg::clock::ClockJump;

/// Sentence for the machine's clock against the desk's time.
#[must_use]
pub fn clock_jump(jump: ClockJump, now: Instant, zone: Tz) -> String {
    let (by, way, its) = match jump {
        ClockJump::None => return String::new(),
        ClockJump::Ahead(by) => (by, "ahead", now + by),
        ClockJump::Back(by) => (by, "back", now - by),
        ClockJump::Apart { seen } => return apart((now, seen), "the house was written at", zone),
    };
    format!(
        "Clock jumped {} min {way} ({}); this desk keeps {}",
        by.millis() / 60_000,
        its.format(zone, "%H:%M"),
        now.format(zone, "%H:%M")
    )
}

/// Reason why nothing is written while the clock is in doubt, and what to do.
#[must_use]
pub fn clock_in_doubt(times: (Instant, Instant), station: &str, zone: Tz) -> String {
    format!(
        "{}. Set the clock, or confirm that it is right: willcall clock confirm",
        apart(times, &format!("{station} wrote at"), zone)
    )
}

fn apart((now, seen): (Instant, Instant), wrote: &str, zone: Tz) -> String {
    let told = |at: Instant| at.format(zone, "%-d %b %Y %H:%M");
    format!("This machine's clock says {}, but {wrote} {}", told(now), told(seen))
}
