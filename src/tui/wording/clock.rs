//! The machine's clock, in a sentence.

use chrono_tz::Tz;

use crate::domain::time::Instant;
use crate::tui::msg::ClockJump;

/// How the machine's clock stands to the desk's time, in a sentence.
#[must_use]
pub fn clock_jump(jump: ClockJump, now: Instant, zone: Tz) -> String {
    let (by, way, its) = match jump {
        ClockJump::None => return String::new(),
        ClockJump::Ahead(by) => (by, "ahead", now + by),
        ClockJump::Back(by) => (by, "back", now - by),
    };
    format!(
        "Clock jumped {} min {way} ({}); this desk keeps {}",
        by.millis() / 60_000,
        its.format(zone, "%H:%M"),
        now.format(zone, "%H:%M")
    )
}
