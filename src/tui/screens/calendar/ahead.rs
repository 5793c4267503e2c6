//! Two weeks of the resource under the cursor, a day below the other, where the timeline leaves room.

use chrono::{Days, NaiveDate, Weekday};
use ratatui::layout::Rect;

use crate::domain::resource::Resource;
use crate::domain::text::{clean, width};
use crate::domain::time::{Slot, day_start};
use crate::engine::reads::calendar::{ReadCalendar, Words};
use crate::tui::kit::canvas::{Canvas, Focus, after, cells, first_columns, first_rows, from_row};
use crate::tui::kit::shared::Shared;
use crate::tui::screens::calendar::Calendar;
use crate::tui::screens::calendar::calendar_questions::waiting;
use crate::tui::screens::calendar::geometry::{inside, of_resource, parts};
use crate::tui::screens::calendar::spread::{Spread, Strip};
use crate::tui::widgets::timeline::{HEAD_LINES, HeadLines, TimeZoom};

/// Minimum width of the screen.
const WIDE_FROM: u16 = 120;
/// Minimum height of the pane: its title, the hours, and a week.
const LINES_MIN: u16 = 9;
/// Days from the Monday of the cursor's week on.
const DAYS: u8 = 14;
/// Columns of the days' names.
const NAMES: u16 = 12;
/// Columns of a day, with a quarter hour each.
const DAY_COLUMNS: u16 = 96;
/// Minimum width of the bookings in words.
const WORDS_MIN: u16 = 40;

impl Calendar {
    /// Area below the lines; none where it is too small.
    fn ahead_area(&self, shared: &Shared, time: Rect) -> Option<Rect> {
        let lines = cells(self.lines.shown.len());
        let area = from_row(time, HEAD_LINES.saturating_add(lines).saturating_add(1));
        let fits = shared.size.width >= WIDE_FROM && area.height >= LINES_MIN;
        // wider zooms show weeks by themselves
        (fits && self.zoom <= TimeZoom::Day).then_some(area)
    }

    /// Question for the two weeks of the resource under the cursor.
    pub(super) fn wanted_ahead(&self, shared: &Shared) -> Option<ReadCalendar> {
        self.ahead_area(shared, parts(shared, inside(shared)).time)?;
        let one = self.here()?;
        let date = self.cursor_date(one, shared);
        let monday = date.week(Weekday::Mon).first_day();
        let start = |date| day_start(date, one.zone());
        Some(ReadCalendar {
            resources: vec![one.id.clone()],
            window: Slot::new(start(monday), start(monday + Days::new(DAYS.into()))).ok()?,
            words: Words::Titles,
        })
    }

    fn cursor_date(&self, one: &Resource, shared: &Shared) -> NaiveDate {
        let at = of_resource(self.at, (one.zone(), shared.zone));
        at.in_zone(one.zone()).date_naive()
    }

    /// Draws the pane into the room that the timeline leaves.
    pub(super) fn draw_ahead(&self, shared: &Shared, time: Rect, canvas: &mut Canvas<'_>) {
        let Some(area) = self.ahead_area(shared, time) else {
            return;
        };
        let (Some(of), Some(one)) = (self.wanted_ahead(shared), self.here()) else {
            return;
        };
        let whole = shared.reads.get(&of).and_then(|views| views.first());
        let spread = whole.map(|whole| Spread::new(one, whole, waiting(shared), of.window));
        let right = spread.as_ref().map_or_else(String::new, Spread::summary);
        let titles = [format!("{}, two weeks", clean(&one.name)), right];
        let inner = canvas.panel(area, titles, Focus::Elsewhere);
        let Some(spread) = spread else {
            return;
        };
        let here = shared.here();
        let monday = of.window.from().in_zone(one.zone()).date_naive();
        let dates = || monday.iter_days().take(usize::from(DAYS));
        // a day of another year needs more room
        let names = dates().map(|date| cells(width(&here.date(date))) + 2).max().unwrap_or(0).max(NAMES);
        let mut days = first_columns(inner, names + DAY_COLUMNS);
        let mut head = HeadLines::Words;
        for date in dates() {
            let strip = Strip {
                name: here.date(date),
                zoom: TimeZoom::Day,
                start: date,
                names,
                head,
                marked: date == self.cursor_date(one, shared),
            };
            let lines = head.count() + 1;
            spread.strip(strip, first_rows(days, lines), (shared, canvas));
            days = from_row(days, lines);
            head = HeadLines::None;
        }
        canvas.targets.clear(inner);
        let words = after(from_row(inner, 1), names + DAY_COLUMNS + 2);
        if words.width >= WORDS_MIN {
            spread.in_words(words, shared, canvas);
        }
    }
}
