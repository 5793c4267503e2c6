//! Times of the demo's past sales: two weeks with more each day, by the hours at which people buy.

use chrono::{DateTime, Days, NaiveTime, Timelike};
use chrono_tz::Tz;

use crate::demo::dice::Dice;
use crate::domain::time::{Instant, Span, local_at};

/// Time before the present at which the house and its performances are made.
pub(super) const BEGIN: Span = Span::minutes(15 * 24 * 60);

/// Sales of a day, from today back.
const DAYS: [u32; 14] = [14, 16, 13, 11, 9, 10, 7, 6, 6, 5, 4, 4, 3, 2];

/// Sales of each hour of a day.
const HOURS: [u32; 24] = [1, 0, 0, 0, 0, 0, 1, 2, 4, 7, 10, 11, 12, 10, 9, 9, 10, 12, 14, 13, 10, 7, 5, 3];

/// Moments of a day that is over: its sales are made together, because a demo must start fast.
const MOMENTS: [u32; 4] = [10, 13, 17, 20];

/// Minutes between the newest past sale and the present.
const NEWEST: i64 = 2;

/// A time between the present and a past sale, whole minutes.
pub(super) fn age(now: DateTime<Tz>, dice: &mut Dice) -> Span {
    let (back, hour) = (dice.weighted(&DAYS), dice.weighted(&HOURS));
    let mut back = u64::try_from(back).unwrap_or_default();
    let mut hour = u32::try_from(hour).unwrap_or_default();
    let mut minute = dice.below(60);
    if hour * 60 + minute >= now.hour() * 60 + now.minute() {
        // later than now: on the day before
        back += 1;
    }
    if back > 1 {
        hour = MOMENTS.into_iter().rfind(|at| *at <= hour).unwrap_or(MOMENTS[0]);
        minute = (hour * 7 + u32::try_from(back).unwrap_or_default() * 11) % 60;
    }
    let day = now.date_naive().checked_sub_days(Days::new(back));
    let time = NaiveTime::from_hms_opt(hour, minute, 0);
    let at = day.zip(time).map(|(day, time)| day.and_time(time));
    let present = Instant::from_millis(now.timestamp_millis());
    let sold = at.map_or(present, |at| local_at(at, now.timezone()));
    present.since(sold).max(Span::minutes(NEWEST))
}

#[cfg(test)]
mod tests {
    use super::{BEGIN, age};
    use crate::demo::dice::Dice;
    use crate::domain::time::{Span, parse_local};

    #[test]
    fn past_sales_spread_over_two_weeks_and_their_days() {
        let zone = chrono_tz::Europe::London;
        for at in ["2026-11-21T12:00", "2026-10-25T23:59", "2026-03-29T03:10"] {
            let now = parse_local(at, zone).unwrap().in_zone(zone);
            let mut dice = Dice(3);
            let ages: Vec<Span> = (0..500).map(|_| age(now, &mut dice)).collect();
            assert!(ages.iter().all(|age| *age < BEGIN), "after the begin");
            assert!(ages.iter().all(|age| *age > Span::default()), "before now");
            let on = |day: i64| {
                let of = |age: &&Span| age.millis() / Span::DAY.millis() == day;
                ages.iter().filter(of).count()
            };
            assert!((0..12).all(|day| on(day) > 0), "on each of the last days");
            assert!(on(0) < 150 && on(0) > on(10), "{at}: more each day, {}", on(0));
        }
    }
}
