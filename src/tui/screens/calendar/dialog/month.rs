//! The month of one resource: a week below the other, drawn like the timeline.

use chrono::{Datelike, Days, Months, NaiveDate};
use crossterm::event::KeyCode;
use ratatui::layout::Rect;

use crate::domain::calendar::{CalendarView, Period, State};
use crate::domain::resource::Resource;
use crate::domain::text::clean;
use crate::domain::time::{Slot, Span, day_start};
use crate::engine::reads::calendar::{ReadCalendar, Words};
use crate::tui::canvas::Canvas;
use crate::tui::input::Key;
use crate::tui::msg::{Query, Trouble};
use crate::tui::remote::{Again, Remote};
use crate::tui::screens::calendar::dialog::Next;
use crate::tui::screens::calendar::dialog::fields::{self, say};
use crate::tui::screens::calendar::geometry::columns;
use crate::tui::screens::calendar::view::{bar_text, kind, look};
use crate::tui::screens::calendar::{Page, is_bar};
use crate::tui::shared::{Context, Shared};
use crate::tui::time::{TimeAnswer, TimeQuery};
use crate::tui::widgets::timeline::{
    Bar, Chosen, HeadLines, Kind, Line, LineKind, Scale, Timeline, Window, Zoom,
};

/// So many lines are kept for what it has, in words.
const WORDS_MIN: u16 = 8;
/// Columns of the weeks' names.
const NAMES: u16 = 9;

/// A month of one resource.
#[derive(Debug)]
pub(in crate::tui::screens::calendar) struct MonthOfOne {
    resource: Resource,
    /// Its first day.
    first: NaiveDate,
    pub(super) page: Remote<Page>,
}

impl MonthOfOne {
    /// The month that a date lies in.
    pub(super) fn new(resource: Resource, date: NaiveDate, context: &mut Context<'_>) -> Self {
        let mut month = Self {
            resource,
            first: date.with_day(1).unwrap_or(date),
            page: Remote::default(),
        };
        month.ask(context);
        month
    }

    fn next_month(&self) -> NaiveDate {
        self.first
            .checked_add_months(Months::new(1))
            .unwrap_or(self.first)
    }

    fn window(&self) -> Option<Slot> {
        let zone = self.resource.zone();
        Slot::new(
            day_start(self.first, zone),
            day_start(self.next_month(), zone),
        )
        .ok()
    }

    pub(super) fn ask(&mut self, context: &mut Context<'_>) {
        let (Some(window), resources) = (self.window(), vec![self.resource.id.clone()]) else {
            return;
        };
        if let Some(ticket) = self.page.want(&mut context.shared.tickets) {
            let query = ReadCalendar {
                resources,
                window,
                words: Words::Titles,
            };
            context.read_with(ticket, Query::Time(TimeQuery::Page(query)));
        }
    }

    pub(super) fn answer(
        &mut self,
        answer: Result<TimeAnswer, Trouble>,
        context: &mut Context<'_>,
    ) {
        let page = answer.and_then(TimeAnswer::page).map(Page::new);
        if self.page.settle(page) == Again::Yes {
            self.ask(context);
        }
    }

    fn turn(&mut self, to: Option<NaiveDate>, context: &mut Context<'_>) {
        self.first = to.unwrap_or(self.first);
        self.ask(context);
    }

    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "keys that mean nothing here are many"
    )]
    pub(super) fn key(&mut self, key: Key, context: &mut Context<'_>) -> Next {
        match key.code {
            KeyCode::Esc | KeyCode::Enter | KeyCode::Char('i' | 'q') => return Next::Close,
            KeyCode::Left | KeyCode::PageUp | KeyCode::Char('<' | ',' | 'h') => {
                self.turn(self.first.checked_sub_months(Months::new(1)), context);
            }
            KeyCode::Right | KeyCode::PageDown | KeyCode::Char('>' | '.' | 'l') => {
                self.turn(Some(self.next_month()), context);
            }
            KeyCode::Char('t') => {
                let today = context
                    .shared
                    .now
                    .in_zone(self.resource.zone())
                    .date_naive();
                self.turn(today.with_day(1), context);
            }
            _ => {}
        }
        Next::Stay
    }

    /// Draws it.
    pub(super) fn view(&self, shared: &Shared, body: Rect, canvas: &mut Canvas<'_>) {
        let title = format!(
            "{} | {}",
            clean(&self.resource.name),
            self.first.format("%B %Y")
        );
        let size = (body.width, body.height);
        let keys = if body.width < 80 {
            "Esc closes"
        } else {
            "< > month  t this month  Esc closes"
        };
        let inner = fields::frame((&title, keys), size, shared, (body, canvas));
        let view = self
            .page
            .value()
            .and_then(|page| page.of(&self.resource.id));
        let Some(view) = view else {
            say((inner, 1), (" ...", shared.theme.quiet), canvas);
            return;
        };
        // what it has in words comes before rulers
        let weeks = u16::try_from(self.weeks().count()).unwrap_or(6);
        let head = if inner.height >= weeks * 3 + WORDS_MIN {
            HeadLines::WordsAndRuler
        } else {
            HeadLines::Words
        };
        let mut at = 0;
        for start in self.weeks() {
            let height = head.count() + 1;
            let area = Rect {
                y: inner.y + at,
                height: height.min(inner.height.saturating_sub(at)),
                ..inner
            };
            self.week((start, view, head), area, (shared, canvas));
            at += height;
        }
        canvas.targets.clear(body);
        self.sums((inner, at + 1), shared, canvas);
    }

    /// The Mondays of its weeks.
    fn weeks(&self) -> impl Iterator<Item = NaiveDate> {
        let monday = self.first - Days::new(u64::from(self.first.weekday().num_days_from_monday()));
        let next = self.next_month();
        (0..6)
            .map(move |week| monday + Days::new(week * 7))
            .take_while(move |start| *start < next)
    }

    fn week(
        &self,
        (start, view, head): (NaiveDate, &CalendarView, HeadLines),
        area: Rect,
        (shared, canvas): (&Shared, &mut Canvas<'_>),
    ) {
        let zone = self.resource.zone();
        let scale = Scale::new(Window {
            zoom: Zoom::Week,
            from: day_start(start, zone),
            zone,
            columns: area.width.saturating_sub(NAMES),
        });
        let bars = view.periods.iter().filter_map(|period| {
            Some(Bar {
                columns: columns(&scale, period.slot, zone)?,
                kind: kind(period, shared).filter(|kind| *kind != Kind::Closed)?,
                text: bar_text(period),
                chosen: Chosen::No,
            })
        });
        let line = Line {
            name: format!("week {}", start.iso_week().week()),
            what: LineKind::Time(bars.collect()),
            tail: String::new(),
        };
        Timeline {
            scale: &scale,
            lines: std::slice::from_ref(&line),
            first: 0,
            names: NAMES,
            indent: 0,
            head,
            now: scale.column_at(shared.now),
            tail: "",
            cursor: None,
            marked: None,
            ghost: None,
            look: look(shared),
        }
        .draw(area, canvas);
    }

    /// What it has in this month, in words: as many lines as there is room for; where all fits, what is free too.
    fn sums(&self, (inner, at): (Rect, u16), shared: &Shared, canvas: &mut Canvas<'_>) {
        let view = self
            .page
            .value()
            .and_then(|page| page.of(&self.resource.id));
        let (Some(view), Some(window)) = (view, self.window()) else {
            return;
        };
        let zone = self.resource.zone();
        let free: i64 = view.free().iter().map(|slot| slot.span().millis()).sum();
        let all = window.span().millis().max(1);
        let theirs = |period: &&Period| is_bar(period) && !period.is_buffer;
        let bars: Vec<_> = view.periods.iter().filter(theirs).collect();
        let words = format!(
            " {} bookings and causes, {}% free",
            bars.len(),
            free.saturating_mul(100) / all
        );
        say((inner, at), (&words, shared.theme.strong), canvas);
        let room = usize::from(inner.height.saturating_sub(at + 1));
        let listed = if view.periods.len() <= room {
            view.periods.iter().collect()
        } else {
            bars
        };
        let hidden = listed.len().saturating_sub(room);
        let shown = if hidden > 0 {
            room.saturating_sub(1)
        } else {
            room
        };
        for (line, period) in (at + 1..).zip(listed.iter().take(shown)) {
            let (words, style) = if period.state == State::Free {
                ("free".to_owned(), shared.theme.quiet)
            } else {
                (bar_text(period), shared.theme.text)
            };
            let text = format!(" {:<34} {words}", extent_words(period.slot, zone));
            say((inner, line), (&text, style), canvas);
        }
        if hidden > 0 {
            let words = format!(" and {} more", hidden + 1);
            let last = inner.height.saturating_sub(1);
            say((inner, last), (&words, shared.theme.quiet), canvas);
        }
    }
}

/// `Sat 21 Nov 18:00-20:00`, over midnight `Fri 1 Jan 00:00 - Sun 3 Jan 12:00`.
fn extent_words(slot: Slot, zone: chrono_tz::Tz) -> String {
    let date = |at: crate::domain::time::Instant| at.in_zone(zone).date_naive();
    let last = slot.until() - Span::from_millis(1);
    if date(last) == date(slot.from()) {
        return slot.words(zone);
    }
    let pattern = "%a %-d %b %H:%M";
    let until = slot.until().format(zone, pattern);
    format!("{} - {until}", slot.from().format(zone, pattern))
}
