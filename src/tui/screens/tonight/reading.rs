//! Requests of Tonight to the engine, and the window of days they cover.

use chrono::NaiveDate;
use chrono_tz::Tz;

use crate::domain::time::{Instant, Span, day_start, typed};
use crate::engine::reads::receipts::ReadReceipts;
use crate::engine::reads::seat_map::ReadSeatMap;
use crate::engine::reads::tonight::{PerformanceRow, ReadPerformances, ReadTally, ReadTonight};
use crate::tui::context::Context;
use crate::tui::list::Cursor;
use crate::tui::msg::{Changed, Subject};
use crate::tui::screens::tonight::picture::has_picture;
use crate::tui::screens::tonight::{Panel, TonightScreen};

/// Time that a performance stays selected after its begin, for late comers.
const BEGUN: Span = Span::minutes(30);
/// Length of the list's window.
const WINDOW: Span = Span::minutes(7 * 24 * 60);

impl TonightScreen {
    pub(super) fn ask_page(&mut self, context: &mut Context<'_>) {
        self.stale.read(context.shared.now);
        self.ask_again(&Changed::Everything, context);
    }

    /// Reads the page again, and beside it what a change touches.
    pub(super) fn ask_again(&mut self, changed: &Changed, context: &mut Context<'_>) {
        let (from, before) = self.window(context.shared.now, context.shared.zone);
        context.load(&mut self.page, ReadTonight { from, before });
        if has_picture(context.shared) && changed.touches(|subject| matches!(subject, Subject::Receipt(_))) {
            context.load(&mut self.latest, ReadReceipts::default());
        }
        let selected = self.selected.key().copied();
        if changed.touches(|subject| {
            matches!(subject, Subject::Seats(id) | Subject::Performance(id) if Some(id) == selected)
                || subject == Subject::Worklist
        }) {
            self.ask_tally(context);
        }
    }

    /// Reads the next performances, when the window has none.
    pub(super) fn ask_beyond(&mut self, context: &mut Context<'_>) {
        let page = self.page.value();
        if page.is_some_and(|page| page.performances.is_empty()) {
            let (_, before) = self.window(context.shared.now, context.shared.zone);
            let query = ReadPerformances { from: Some(before), ..ReadPerformances::default() };
            context.load(&mut self.beyond, query);
        } else {
            self.beyond.forget();
        }
    }

    pub(super) fn ask_tally(&mut self, context: &mut Context<'_>) {
        let Some(performance) = self.selected.key().copied() else {
            return;
        };
        let question = ReadTally(performance);
        if self.tally.asked() != Some(&question) {
            self.tally.forget();
            self.map.forget();
        }
        if has_picture(context.shared) {
            context.load(&mut self.map, ReadSeatMap(performance));
        }
        context.load(&mut self.tally, question);
    }

    /// Seven local days, starting today or a number of weeks from today.
    pub(super) fn window(&self, now: Instant, zone: Tz) -> (Instant, Instant) {
        let today = now.in_zone(zone).date_naive();
        let first = today + chrono::Duration::days(self.weeks * 7);
        let from = day_start(first, zone);
        (from, day_start(first + chrono::Duration::days(7), zone).max(from + WINDOW - Span::minutes(60)))
    }

    pub(super) fn page_came(&mut self, context: &mut Context<'_>) {
        let now = context.shared.now;
        self.ask_beyond(context);
        let wanted = self.wanted.take();
        let rows = self.rows(now);
        let from = |day: NaiveDate| {
            let on = |row: &&&PerformanceRow| row.start.in_zone(row.zone).date_naive() >= day;
            rows.iter().find(on).map(|row| row.id)
        };
        let next = || {
            let is_next = |row: &&&PerformanceRow| !row.canceled && row.start + BEGUN > now;
            rows.iter().find(is_next).or(rows.first()).map(|row| row.id)
        };
        let first = || next().filter(|_| self.selected.key().is_none());
        if let Some(chosen) = wanted.and_then(from).or_else(first) {
            self.selected = Cursor::on(chosen);
        }
        self.selected.keep(self.ids(now));
        self.selected(context);
        self.need.keep(self.need_keys(now));
    }

    /// Handles Enter after `g`: opens the week of a day, at the first performance from that day on.
    pub(crate) fn go_to(&mut self, text: &str, context: &mut Context<'_>) -> Result<(), String> {
        let today = context.shared.here().today();
        let (day, _) = typed::date(text, today).map_err(|error| error.to_string())?;
        let weeks = (day - today).num_days().div_euclid(7);
        self.wanted = Some(day);
        self.panel = Panel::Performances;
        self.show_week(weeks, context);
        Ok(())
    }

    /// Turns a week back or forward; from an empty week, straight to that of the next performance.
    pub(super) fn turn(&mut self, by: i64, context: &mut Context<'_>) {
        let (from, _) = self.window(context.shared.now, context.shared.zone);
        let next = self.beyond.value().and_then(|rows| rows.first());
        let by = match next {
            Some(next) if by > 0 => (next.start.since(from).millis() / WINDOW.millis()).max(by),
            Some(_) | None => by,
        };
        self.show_week(self.weeks + by, context);
    }

    fn show_week(&mut self, weeks: i64, context: &mut Context<'_>) {
        self.weeks = weeks;
        self.beyond.forget();
        self.page.forget();
        self.selected = Cursor::default();
        self.tally.forget();
        self.map.forget();
        self.ask_page(context);
    }
}
