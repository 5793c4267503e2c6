//! Questions of Tonight, and the window of days they cover.

use chrono::NaiveDate;
use chrono_tz::Tz;

use crate::domain::time::{Instant, Span, day_start, typed};
use crate::engine::reads::receipts::ReadReceipts;
use crate::engine::reads::seat_map::{ReadSeatMap, SeatMap};
use crate::engine::reads::tonight::{PerformanceRow, ReadPerformances, ReadTally, ReadTonight, Tally, Tonight as Page};
use crate::tui::kit::context::Context;
use crate::tui::kit::list::Cursor;
use crate::tui::kit::shared::Shared;
use crate::tui::screens::tonight::{Panel, TonightScreen};

/// Time that a performance stays selected after its begin, for late comers.
const BEGUN: Span = Span::minutes(30);
/// Question for the latest receipts, read where the terminal has room for them.
pub(super) const LATEST: ReadReceipts = ReadReceipts {
    from: None,
    before: None,
    station: None,
    operator: None,
    performance: None,
    means: None,
    after: None,
};
/// Length of the list's window.
const WINDOW: Span = Span::minutes(7 * 24 * 60);

impl TonightScreen {
    pub(super) fn question(&self, shared: &Shared) -> ReadTonight {
        let (from, before) = self.window(shared.now, shared.zone);
        ReadTonight { from, before }
    }

    /// Question for the performances after the window.
    pub(super) fn beyond(&self, shared: &Shared) -> ReadPerformances {
        let (_, before) = self.window(shared.now, shared.zone);
        ReadPerformances { from: Some(before), ..ReadPerformances::default() }
    }

    pub(super) fn page<'s>(&self, shared: &'s Shared) -> Option<&'s Page> {
        shared.reads.get(&self.question(shared)).map(|page| &**page)
    }

    /// First performance after a window without one.
    pub(super) fn next<'s>(&self, shared: &'s Shared) -> Option<&'s PerformanceRow> {
        shared.reads.get(&self.beyond(shared)).and_then(|rows| rows.first())
    }

    /// True if no performance is in the window, and the next ones are listed.
    pub(super) fn lists_next(&self, shared: &Shared) -> bool {
        self.page(shared).is_some_and(|page| page.performances.is_empty()) && self.next(shared).is_some()
    }

    /// Performances of the window; of an empty one, the next after it.
    pub(super) fn listed<'s>(&self, shared: &'s Shared) -> &'s [PerformanceRow] {
        match self.page(shared) {
            Some(page) if page.performances.is_empty() => shared.reads.rows(&self.beyond(shared)),
            Some(page) => &page.performances,
            None => &[],
        }
    }

    pub(super) fn tally<'s>(&self, shared: &'s Shared) -> Option<&'s Vec<(String, Tally)>> {
        shared.reads.get(&ReadTally(*self.selected.key()?))
    }

    /// Seats of the selected performance, read where the terminal has room for a picture of the house.
    pub(super) fn map<'s>(&self, shared: &'s Shared) -> Option<&'s SeatMap> {
        shared.reads.get(&ReadSeatMap(*self.selected.key()?)).map(|map| &**map)
    }

    /// Seven local days, starting today or a number of weeks from today.
    pub(super) fn window(&self, now: Instant, zone: Tz) -> (Instant, Instant) {
        let today = now.in_zone(zone).date_naive();
        let first = today + chrono::Duration::days(self.weeks * 7);
        let from = day_start(first, zone);
        (from, day_start(first + chrono::Duration::days(7), zone).max(from + WINDOW - Span::minutes(60)))
    }

    pub(super) fn page_came(&mut self, shared: &Shared) {
        let wanted = self.wanted.take();
        let rows = self.rows(shared);
        let from = |day: NaiveDate| {
            let on = |row: &&&PerformanceRow| row.start.in_zone(row.zone).date_naive() >= day;
            rows.iter().find(on).map(|row| row.id)
        };
        let next = || {
            let is_next = |row: &&&PerformanceRow| !row.canceled && row.start + BEGUN > shared.now;
            rows.iter().find(is_next).or(rows.first()).map(|row| row.id)
        };
        let first = || next().filter(|_| self.selected.key().is_none());
        if let Some(chosen) = wanted.and_then(from).or_else(first) {
            self.selected = Cursor::on(chosen);
        }
        self.selected.keep(self.ids(shared));
        self.need.keep(self.need_keys(shared));
    }

    /// Handles Enter after `g`: opens the week of a day, at the first performance from that day on.
    pub(crate) fn go_to(&mut self, text: &str, context: &mut Context<'_>) -> Result<(), String> {
        let today = context.shared.here().today();
        let (day, _) = typed::date(text, today).map_err(|error| error.to_string())?;
        let weeks = (day - today).num_days().div_euclid(7);
        self.wanted = Some(day);
        self.panel = Panel::Performances;
        self.show_week(weeks, context.shared);
        Ok(())
    }

    /// Turns a week back or forward; from an empty week, straight to that of the next performance.
    pub(super) fn turn(&mut self, by: i64, context: &mut Context<'_>) {
        let (from, _) = self.window(context.shared.now, context.shared.zone);
        let next = self.next(context.shared);
        let by = match next {
            Some(next) if by > 0 => (next.start.since(from).millis() / WINDOW.millis()).max(by),
            Some(_) | None => by,
        };
        self.show_week(self.weeks + by, context.shared);
    }

    fn show_week(&mut self, weeks: i64, shared: &Shared) {
        self.weeks = weeks;
        self.selected = Cursor::default();
        if self.page(shared).is_some() {
            self.page_came(shared);
        }
    }
}
