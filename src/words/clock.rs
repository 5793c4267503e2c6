//! Sentences about the machine's clock.

use chrono_tz::Tz;

use crate::domain::time::Instant;
use crate::words::ClockJump;

/// Sentence for the machine's clock against the desk's time.
#[must_use]
pub fn clock_jump(jump: ClockJump, now: Instant, zone: Tz) -> String {
    let (by, way, its) = match jump {
        ClockJump::None => return String::new(),
        ClockJump::Ahead(by) => (by, "ahead", now + by),
        ClockJump::Back(by) => (by, "back", now - by),
        ClockJump::Apart { seen } => return apart((now, seen), "the house's said", zone),
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
        apart(times, &format!("{station}'s said"), zone)
    )
}

/// Reason why nothing is ended by a clock that nothing agrees with yet, and what to do.
#[must_use]
pub fn clock_alone(until: Instant, zone: Tz) -> String {
    format!(
        "This machine was switched on a short time ago, and nothing tells yet whether its clock is right: until {} it takes \
         nothing whose hold has ended, and runs no jobs. Wait, or confirm that it is right: willcall clock confirm",
        until.format(zone, "%H:%M")
    )
}

fn apart((now, seen): (Instant, Instant), said: &str, zone: Tz) -> String {
    let told = |at: Instant| at.format(zone, "%-d %b %Y %H:%M");
    format!("This machine's clock says {}, but {said} {}", told(now), told(seen))
}
