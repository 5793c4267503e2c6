//! The month of one resource: a week below the other, drawn like the timeline.

use chrono::{Datelike, Days, Months, NaiveDate};
use ratatui::layout::Rect;
use ratatui::style::Style;

use crate::domain::calendar::{CalendarView, Period};
use crate::domain::resource::Resource;
use crate::domain::text::clean;
use crate::domain::time::{Slot, Span, day_start};
use crate::engine::reads::calendar::{ReadCalendar, Words};
use crate::engine::reads::worklist::WorkView;
use crate::tui::action::Action;
use crate::tui::canvas::Canvas;
use crate::tui::context::Context;
use crate::tui::dialogs::dialog::{Dialog, Flow};
use crate::tui::keymap::KeyPlace;
use crate::tui::msg::{Query, Trouble};
use crate::tui::remote::{Again, Remote};
use crate::tui::screens::calendar::bars::{bar_text, is_bar};
use crate::tui::screens::calendar::dialog::fields::{self, say};
use crate::tui::screens::calendar::displaced::{drawn_as, loss};
use crate::tui::screens::calendar::page::Page;
use crate::tui::screens::calendar::phrases::period_words;
use crate::tui::screens::calendar::stretches::LineData;
use crate::tui::shared::Shared;
use crate::tui::time::{TimeAnswer, TimeQuery};
use crate::tui::widgets::timeline::{
    HeadLines, Kind, LineKind, Scale, TimeWindow, TimeZoom, Timeline, TimelineRow,
};

/// Lines reserved for the month in words.
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
    /// Bookings that wait for other time.
    displaced: Vec<WorkView>,
}

impl MonthOfOne {
    /// The month that a date lies in.
    pub(super) fn new(
        (resource, date): (Resource, NaiveDate),
        displaced: Vec<WorkView>,
        context: &mut Context<'_>,
    ) -> Self {
        let mut month = Self {
            resource,
            first: date.with_day(1).unwrap_or(date),
            page: Remote::default(),
            displaced,
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
        let query = ReadCalendar {
            resources,
            window,
            words: Words::Titles,
        };
        context.load(&mut self.page, Query::Time(TimeQuery::Page(query)));
    }

    pub(super) fn answer(
        &mut self,
        answer: Result<TimeAnswer, Trouble>,
        context: &mut Context<'_>,
    ) {
        let page = answer.and_then(TimeAnswer::page);
        let page = page.map(|views| Page::new(views, &self.displaced));
        if self.page.settle(page) == Again::Yes {
            self.ask(context);
        }
    }

    /// Others wait now.
    pub(super) fn displaced(&mut self, displaced: Vec<WorkView>) {
        self.displaced = displaced;
        if let Some(page) = self.page.value_mut() {
            page.cut_out(&self.displaced);
        }
    }

    fn turn(&mut self, to: Option<NaiveDate>, context: &mut Context<'_>) {
        self.first = to.unwrap_or(self.first);
        self.page.forget();
        self.ask(context);
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
        (start, area): (NaiveDate, Rect),
        (view, head): (&CalendarView, HeadLines),
        (shared, canvas): (&Shared, &mut Canvas<'_>),
    ) {
        let zone = self.resource.zone();
        let scale = Scale::new(TimeWindow {
            zoom: TimeZoom::Week,
            from: day_start(start, zone),
            zone,
            columns: area.width.saturating_sub(NAMES),
            weeks: 1,
        });
        let data = LineData {
            view,
            zone,
            displaced: &self.displaced,
            chosen: None,
        };
        let mut bars = data.bars((&scale, shared));
        bars.retain(|bar| bar.kind != Kind::Closed);
        let line = TimelineRow {
            name: format!("week {}", start.iso_week().week()),
            what: LineKind::Time(bars),
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
            look: shared.look(),
        }
        .draw(area, canvas);
    }

    /// Draws the month in words, as many lines as fit; free time too where all fits.
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
        // lost time is a part of the time that took it
        let whole = self.page.value().map_or(&[][..], |page| &page.views);
        let whole = whole.iter().flat_map(|view| &view.periods).filter(theirs);
        let taken = match whole.count() {
            1 => "1 booking or closure".to_owned(),
            count => format!("{count} bookings and closures"),
        };
        let words = format!(" {taken}, {}% free", free.saturating_mul(100) / all);
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
            let (words, style) = self.said_of(period, shared);
            let extent = if period.is_endless() {
                period_words(period, &self.resource)
            } else {
                extent_words(period.whole, zone)
            };
            let text = format!(" {extent:<34} {words}");
            say((inner, line), (&text, style), canvas);
        }
        if hidden > 0 {
            let words = format!(" and {} more", hidden + 1);
            let last = inner.height.saturating_sub(1);
            say((inner, last), (&words, shared.theme.quiet), canvas);
        }
    }

    /// Words and style of a period.
    fn said_of(&self, period: &Period, shared: &Shared) -> (String, Style) {
        let of = (period, &self.resource.id);
        let loss = loss(of, &self.displaced);
        match (drawn_as(of, &self.displaced, shared), loss) {
            (None, _) => ("free".to_owned(), shared.theme.quiet),
            (Some(Kind::Lost), Some(loss)) => {
                let (who, why) = (clean(&loss.view.owner), clean(loss.reason));
                let sign = shared.glyphs.refused;
                (format!("{sign} {who} lost it: {why}"), shared.theme.warning)
            }
            (Some(Kind::Displaced), _) => {
                let sign = shared.glyphs.refused;
                let words = format!("{sign} {}, displaced from a part", bar_text(period));
                (words, shared.theme.warning)
            }
            (Some(_), _) => (bar_text(period), shared.theme.text),
        }
    }
}

impl Dialog for MonthOfOne {
    fn place(&self) -> Option<KeyPlace> {
        Some(KeyPlace::Month)
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "few actions are of a month")]
    fn act(&mut self, action: Action, context: &mut Context<'_>) -> Flow {
        match action {
            Action::Close | Action::Quit | Action::Main | Action::Inspect => return Flow::Close,
            Action::Earlier | Action::Left | Action::PageUp => {
                self.turn(self.first.checked_sub_months(Months::new(1)), context);
            }
            Action::Later | Action::Right | Action::PageDown => {
                self.turn(Some(self.next_month()), context);
            }
            Action::Today => {
                let zone = self.resource.zone();
                let today = context.shared.now.in_zone(zone).date_naive();
                self.turn(today.with_day(1), context);
            }
            _ => {}
        }
        Flow::Stay
    }

    /// Draws it.
    fn view(&self, shared: &Shared, body: Rect, canvas: &mut Canvas<'_>) {
        let title = format!(
            "{} | {}",
            clean(&self.resource.name),
            self.first.format("%B %Y")
        );
        let size = (body.width, body.height);
        let inner = fields::frame((&title, KeyPlace::Month), size, shared, (body, canvas));
        let view = self
            .page
            .value()
            .and_then(|page| page.of(&self.resource.id));
        let Some(view) = view else {
            say((inner, 1), (" ...", shared.theme.quiet), canvas);
            return;
        };
        // words come before rulers
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
            self.week((start, area), (view, head), (shared, canvas));
            at += height;
        }
        canvas.targets.clear(inner);
        self.sums((inner, at + 1), shared, canvas);
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
