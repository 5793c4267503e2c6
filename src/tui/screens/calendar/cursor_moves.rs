//! Moves of the cursor over time and lines, and scrolling of the window.

use chrono::{Days, NaiveDateTime, NaiveTime};

use crate::domain::resource::{Resource, ResourceId};
use crate::domain::time::{Instant, Span, day_start, local_at, typed};
use crate::tui::kit::context::Context;
use crate::tui::kit::shared::Shared;
use crate::tui::screens::calendar::Calendar;
use crate::tui::screens::calendar::filter::CalendarFilter;
use crate::tui::screens::calendar::geometry::{Towards, on_screen, opens};
use crate::tui::screens::calendar::resource_lines::LineKey;
use crate::tui::widgets::timeline::{Columns, Scale, TimeZoom};

const TICK: Span = Span::from_millis(1);

impl Calendar {
    /// Moves the cursor to the current time, and scrolls it into view.
    pub(super) fn go_to_now(&mut self, shared: &Shared) {
        self.go_to_time(shared.now, shared);
    }

    pub(super) fn go_to_time(&mut self, at: Instant, shared: &Shared) {
        self.from = self.zoom.window_start(at, (shared.zone, opens()));
        self.at = at;
        self.align(shared);
    }

    /// Scrolls the cursor into view, and aligns it to the start of its column or of the bar drawn there.
    fn align(&mut self, shared: &Shared) {
        let scale = self.scroll_to_cursor(shared);
        if let Some(column) = scale.column_at(self.at) {
            self.at = self.stand_at((self.here(), column), (&scale, shared));
        }
    }

    /// Moves one step in time: to the edge of a bar, else by a cell.
    pub(super) fn step_time(&mut self, to: Towards, context: &mut Context<'_>) {
        let shared = &*context.shared;
        let scale = self.scale(shared);
        let over = self.over_bar((&scale, shared)).filter(|_| self.mark.is_none());
        let (from, until) = over.unwrap_or_else(|| {
            let cell = self.here().and_then(|one| self.cell(one, self.at, shared));
            let column = scale.column_at(self.at).unwrap_or(0);
            cell.map_or((scale.start_of(column), scale.start_of(column + 1)), |cell| (cell.from(), cell.until()))
        });
        let at = match to {
            Towards::Earlier => from - TICK,
            Towards::Later => until,
        };
        self.put_cursor(at, context);
    }

    /// Time of the columns of the bar under the cursor; beyond the window, the bar's own time.
    fn over_bar(&self, (scale, shared): (&Scale, &Shared)) -> Option<(Instant, Instant)> {
        let one = self.here()?;
        let here = self.bar(shared)?;
        let stretches = self.stretches(one, (scale, shared));
        let bar = stretches.into_iter().find(|one| one.period.slot == here.slot)?;
        let own = |at| on_screen(at, (one.zone(), shared.zone));
        let Columns { columns, from_before, until_after } = bar.columns;
        let from = if from_before { own(here.slot.from()) } else { scale.start_of(columns.start) };
        let until = if until_after { own(here.slot.until()) } else { scale.start_of(columns.end) };
        Some((from, until))
    }

    /// Moves the cursor to a time, and scrolls it into view.
    pub(super) fn put_cursor(&mut self, at: Instant, context: &mut Context<'_>) {
        self.at = at;
        self.align(context.shared);
    }

    /// Moves the window until the cursor's time is in view; returns its scale.
    fn scroll_to_cursor(&mut self, shared: &Shared) -> Scale {
        let step = match self.zoom {
            TimeZoom::Hours => Span::minutes(3 * 60),
            TimeZoom::Day => Span::minutes(6 * 60),
            TimeZoom::Week | TimeZoom::Nights | TimeZoom::Month => Span::minutes(7 * 24 * 60),
        };
        for _ in 0..8 {
            let scale = self.scale(shared);
            if self.at < scale.from() {
                self.shift(step, Towards::Earlier, shared);
            } else if self.at >= scale.until() {
                self.shift(step, Towards::Later, shared);
            } else {
                break;
            }
        }
        self.scale(shared)
    }

    /// Moves the window by whole days, from the start of a day.
    fn shift(&mut self, step: Span, to: Towards, shared: &Shared) {
        self.from = match (self.zoom, to) {
            (TimeZoom::Hours | TimeZoom::Day, Towards::Earlier) => self.from - step,
            (TimeZoom::Hours | TimeZoom::Day, Towards::Later) => self.from + step,
            (TimeZoom::Week | TimeZoom::Nights | TimeZoom::Month, _) => self.paged(to, shared).unwrap_or(self.from),
        };
    }

    /// Start of the previous or next page.
    fn paged(&self, to: Towards, shared: &Shared) -> Option<Instant> {
        let local = self.from.in_zone(shared.zone).naive_local();
        let days = |count: u64| match to {
            Towards::Earlier => local.checked_sub_days(Days::new(count)),
            Towards::Later => local.checked_add_days(Days::new(count)),
        };
        let next: NaiveDateTime = match self.zoom {
            TimeZoom::Hours => {
                let scale = self.scale(shared);
                let span = scale.until().since(scale.from());
                let hours = Span::minutes((span.millis() / 3_600_000 - 1).max(1) * 60);
                return Some(match to {
                    Towards::Earlier => self.from - hours,
                    Towards::Later => self.from + hours,
                });
            }
            TimeZoom::Day => days(1)?,
            TimeZoom::Week | TimeZoom::Nights => days(7)?,
            TimeZoom::Month => days(28)?,
        };
        if next.time() == NaiveTime::MIN {
            return Some(day_start(next.date(), shared.zone));
        }
        Some(local_at(next, shared.zone))
    }

    /// Turns to the previous or next page; the cursor keeps its column.
    pub(super) fn turn(&mut self, to: Towards, context: &mut Context<'_>) {
        let column = self.scale(context.shared).column_at(self.at);
        if let Some(from) = self.paged(to, context.shared) {
            self.from = from;
        }
        let scale = self.scale(context.shared);
        let last = scale.columns().saturating_sub(1);
        self.at = scale.start_of(column.unwrap_or(0).min(last));
        self.mark = None;
    }

    /// Zooms by a step; a resource of nights has no week of hours.
    pub(super) fn zoom_by(&mut self, step: fn(TimeZoom) -> TimeZoom, context: &mut Context<'_>) {
        let has_hours = self.here().is_none_or(|one| !one.grid.segment.is_day());
        let next = step(self.zoom);
        let next = if next == TimeZoom::Week && !has_hours { step(next) } else { next };
        self.set_zoom(next, context);
    }

    /// Zooms around the cursor.
    pub(super) fn set_zoom(&mut self, zoom: TimeZoom, context: &mut Context<'_>) {
        if zoom == self.zoom {
            let edge = format!(
                "This is the {} there is: {}",
                if zoom == TimeZoom::Hours { "closest" } else { "widest" },
                zoom.word()
            );
            context.note(edge);
            return;
        }
        if self.zoom > TimeZoom::Day && zoom <= TimeZoom::Day {
            self.at = waking(self.at, context.shared);
        }
        let on = self.here().map(|one| one.id.clone());
        self.zoom = zoom;
        self.from = zoom.window_start(self.at, (context.shared.zone, opens()));
        self.mark = None;
        self.toggled.clear();
        self.relist(context.shared);
        // the cursor stays on its resource, even if its group would be folded
        if let Some(on) = on {
            self.stand_on(&on, context.shared);
        }
        self.stand_on_time();
        self.align(context.shared);
        self.top = self.first_line(context.shared);
    }

    /// Moves some lines up or down, over heads of groups but not over sums.
    pub(super) fn step_lines(&mut self, by: isize, context: &mut Context<'_>) {
        let last = self.lines.shown.len().saturating_sub(1);
        let mut line = self.line.place(&self.lines.shown).saturating_add_signed(by).min(last);
        let marking = self.mark.is_some();
        let skips = |line: usize| match self.lines.shown.get(line) {
            Some(LineKey::Sums(_)) => true,
            Some(LineKey::Group(_)) => marking,
            Some(LineKey::Resource(_)) | None => false,
        };
        while skips(line) {
            let next = line.saturating_add_signed(by.signum()).min(last);
            if next == line {
                return;
            }
            line = next;
        }
        self.top = self.first_line(context.shared);
        self.stand_on_line(line);
        self.mark_lines();
        self.top = self.first_line(context.shared);
    }

    /// Moves to the first or last column in view.
    pub(super) fn edge(&mut self, to: Towards, context: &mut Context<'_>) {
        let scale = self.scale(context.shared);
        let at = match to {
            Towards::Earlier => scale.from(),
            Towards::Later => scale.start_of(scale.columns().saturating_sub(1)),
        };
        self.put_cursor(at, context);
    }

    /// Moves to the next or previous booking: along the line, then on the lines below or above.
    pub(super) fn next_booking(&mut self, to: Towards, context: &mut Context<'_>) {
        let shared = &*context.shared;
        let scale = self.scale(shared);
        let mut bars: Vec<(usize, Instant)> = Vec::new();
        for (line, key) in self.lines.shown.iter().enumerate() {
            let Some(one) = key.resource().and_then(|id| self.resource(id)) else {
                continue;
            };
            let stretches = self.stretches(one, (&scale, shared));
            let starts = stretches
                .iter()
                .filter(|bar| !bar.kind.is_ground())
                .map(|bar| self.stand_at((Some(one), bar.columns.columns.start), (&scale, shared)));
            bars.extend(starts.map(|at| (line, at)));
        }
        let here = (self.line.place(&self.lines.shown), self.at);
        let next = match to {
            Towards::Later => bars.iter().find(|bar| **bar > here).or(bars.first()),
            Towards::Earlier => bars.iter().rev().find(|bar| **bar < here).or(bars.last()),
        };
        match next.copied() {
            Some((line, at)) => {
                self.stand_on_line(line);
                self.mark_lines();
                self.top = self.first_line(context.shared);
                self.put_cursor(at, context);
            }
            None => context.note("Nothing is booked in this window"),
        }
    }

    /// Goes to a typed date, time or resource name.
    pub(crate) fn go_to(&mut self, text: &str, context: &mut Context<'_>) -> Result<(), String> {
        let zone = context.shared.zone;
        if let Ok((date, time)) = typed::date(text, context.shared.here().today()) {
            let local = self.at.in_zone(zone).time();
            let time = time.unwrap_or(if self.zoom <= TimeZoom::Day { local } else { NaiveTime::MIN });
            self.mark = None;
            self.go_to_time(local_at(date.and_time(time), zone), context.shared);
            return Ok(());
        }
        let wanted = text.trim().to_lowercase();
        let is_it = |one: &Resource| !wanted.is_empty() && one.name.to_lowercase().contains(&wanted);
        let shown = self.lines.shown.iter().filter_map(|line| self.resource(line.resource()?)).find(|one| is_it(one));
        // folded and filtered resources are found too
        let all = self.resources.as_ref().into_iter().flatten();
        let found = shown.or_else(|| all.into_iter().find(|one| is_it(one)));
        let id = found.map(|one| one.id.clone());
        let id = id.ok_or("no such day or name; write it like fri, 27 nov 14:00, or studio")?;
        self.mark = None;
        self.stand_on(&id, context.shared);
        self.top = self.first_line(context.shared);
        Ok(())
    }

    /// Moves the cursor to a resource's line, unfolding its group or dropping the filter if needed.
    pub(super) fn stand_on(&mut self, id: &ResourceId, shared: &Shared) {
        let id = std::slice::from_ref(id);
        if self.lines.of_resources(id).is_empty() {
            self.unfold(id, shared);
        }
        if self.lines.of_resources(id).is_empty() {
            self.filter = CalendarFilter::default();
            self.unfold(id, shared);
        }
        if let Some(line) = self.lines.of_resources(id).first() {
            self.stand_on_line(*line);
        }
    }

    /// Folds an open group, or opens a folded one.
    pub(super) fn toggle(&mut self, title: String) {
        if !self.toggled.remove(&title) {
            self.toggled.insert(title);
        }
    }

    /// Folds or opens the group under the cursor.
    pub(super) fn fold(&mut self, context: &mut Context<'_>) {
        let Some(LineKey::Group(title)) = self.line.key() else {
            return;
        };
        self.toggle(title.clone());
        self.mark = None;
        self.relist(context.shared);
    }
}

/// Time to zoom in on from a day's column: the current time on today's, else the column's start, but not before the
/// start of the house's day.
fn waking(at: Instant, shared: &Shared) -> Instant {
    let zone = shared.zone;
    let date = at.in_zone(zone).date_naive();
    if date == shared.now.in_zone(zone).date_naive() {
        return shared.now;
    }
    at.max(local_at(date.and_time(opens()), zone))
}
