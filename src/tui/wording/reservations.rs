//! Sentences about refused reservations.

use chrono_tz::Tz;

use crate::domain::refusal::Refusal;
use crate::tui::wording::day_time;

pub(super) fn refusal(refusal: &Refusal, zone: Tz) -> Option<String> {
    let sentence = if let Refusal::PayByTooLate {
        until,
        performance,
        start,
    } = refusal
    {
        format!(
            "{performance} starts {}; a reservation is paid by {} at the latest. Choose that, or an earlier time.",
            day_time(*start, zone),
            day_time(*until, zone)
        )
    } else if let Refusal::TooLateToReserve { performance, start } = refusal {
        format!(
            "{performance} starts {}: too soon to reserve. Sell it now, or keep the cart.",
            day_time(*start, zone)
        )
    } else if let Refusal::AlertsOutOfOrder { alert, last, until } = refusal {
        format!(
            "Alerts after {alert} and {last} don't both come, in this order, before it has to be paid, {}. Choose shorter ones.",
            day_time(*until, zone)
        )
    } else if let Refusal::NameMissing = refusal {
        "A name is needed. Say who it is for.".to_owned()
    } else {
        return None;
    };
    Some(sentence)
}
