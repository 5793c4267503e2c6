//! One resource over some weeks: its time in strips, one below the other, and its bookings in words.

use std::borrow::Cow;

use chrono::NaiveDate;
use chrono_tz::Tz;
use ratatui::layout::Rect;
use ratatui::style::Style;

use crate::domain::calendar::{CalendarView, Period};
use crate::domain::resource::Resource;
use crate::domain::text::{clean, width};
use crate::domain::time::{Instant, Local, Slot, Span, day_start};
use crate::engine::reads::worklist::WorkView;
use crate::tui::kit::canvas::{Canvas, last_row};
use crate::tui::kit::shared::Shared;
use crate::tui::screens::calendar::displaced::{cut, drawn_as, loss};
use crate::tui::screens::calendar::period_bars::{bar_text, is_bar};
use crate::tui::screens::calendar::phrases::period_words;
use crate::tui::screens::calendar::stretches::LineData;
use crate::tui::widgets::padded;
use crate::tui::widgets::timeline::{HeadLines, Kind, LineKind, Scale, TimeWindow, TimeZoom, Timeline, TimelineRow};
use crate::words;

/// A resource with its calendar for a window.
pub(super) struct Spread<'a> {
    resource: &'a Resource,
    /// Calendar as loaded.
    whole: &'a CalendarView,
    /// Calendar with displaced bookings cut out.
    view: Cow<'a, CalendarView>,
    displaced: &'a [WorkView],
    window: Slot,
}

/// Stretch of time drawn on one line.
pub(super) struct Strip {
    pub(super) name: String,
    pub(super) zoom: TimeZoom,
    pub(super) start: NaiveDate,
    /// Columns of the name.
    pub(super) names: u16,
    pub(super) head: HeadLines,
    /// True if the name is marked.
    pub(super) marked: bool,
}

impl<'a> Spread<'a> {
    pub(super) fn new(
        resource: &'a Resource,
        whole: &'a CalendarView,
        displaced: &'a [WorkView],
        window: Slot,
    ) -> Self {
        let view = cut(whole, displaced).map_or(Cow::Borrowed(whole), Cow::Owned);
        Self { resource, whole, view, displaced, window }
    }

    fn zone(&self) -> Tz {
        self.resource.zone()
    }

    /// Draws a strip, below its head.
    pub(super) fn strip(&self, strip: Strip, area: Rect, (shared, canvas): (&Shared, &mut Canvas<'_>)) {
        let zone = self.zone();
        let scale = Scale::new(TimeWindow {
            zoom: strip.zoom,
            from: day_start(strip.start, zone),
            zone,
            columns: area.width.saturating_sub(strip.names),
            weeks: 1,
        });
        let data = LineData { view: &self.view, zone, only: None, displaced: self.displaced, chosen: None };
        let mut bars = data.bars((&scale, shared));
        bars.retain(|bar| bar.kind != Kind::Closed || strip.zoom <= TimeZoom::Day);
        let line = TimelineRow { name: strip.name, what: LineKind::Time(bars), tail: String::new() };
        Timeline {
            scale: &scale,
            lines: std::slice::from_ref(&line),
            first: 0,
            names: strip.names,
            indent: 0,
            head: strip.head,
            now: scale.column_at(shared.now),
            tail: "",
            cursor: strip.marked.then_some((0, 0..0)),
            marked: None,
            ghost: None,
            look: shared.look(),
        }
        .draw(area, canvas);
    }

    /// `12 bookings and closures, 71% free`.
    pub(super) fn summary(&self) -> String {
        let free: i64 = self.view.free().iter().map(|slot| slot.span().millis()).sum();
        let all = self.window.span().millis().max(1);
        // lost time is a part of the time that took it
        let taken = match theirs(&self.whole.periods).len() {
            1 => "1 booking or closure".to_owned(),
            count => format!("{count} bookings and closures"),
        };
        format!("{taken}, {}% free", free.saturating_mul(100) / all)
    }

    /// Draws the periods in words, as many as fit, on two lines each where one would cut them; free time too where all fits.
    pub(super) fn in_words(&self, area: Rect, shared: &Shared, canvas: &mut Canvas<'_>) {
        // the year of the window's end is in the title, or beside its days
        let here = Local { now: self.window.until() - Span::from_millis(1), zone: self.zone() };
        let room = usize::from(area.height);
        let all: Vec<_> = self.view.periods.iter().collect();
        let listed = if all.len() <= room { all } else { theirs(all) };
        let hidden = listed.len().saturating_sub(room);
        let shown = room.saturating_sub(usize::from(hidden > 0));
        let told = listed.iter().take(shown).map(|period| {
            let extent = if period.is_endless() {
                period_words(period, self.resource, here.now)
            } else {
                extent_words(period.whole, here)
            };
            (extent, self.said_of(period, shared))
        });
        let told: Vec<(String, (String, Style))> = told.collect();
        let columns = told.iter().map(|(extent, _)| width(extent)).max().unwrap_or_default();
        let is_cut = told.iter().any(|(_, (words, _))| columns + 1 + width(words) > usize::from(area.width));
        if is_cut && hidden == 0 && told.len() * 2 <= room {
            let lines = told
                .iter()
                .flat_map(|(extent, (words, style))| [(extent.clone(), style), (format!("  {words}"), style)]);
            for (line, (text, style)) in area.rows().zip(lines) {
                canvas.text(line, &text, *style);
            }
            return;
        }
        for (line, (extent, (words, style))) in area.rows().zip(&told) {
            canvas.text(line, &format!("{} {words}", padded(extent, columns)), *style);
        }
        if hidden > 0 {
            let more = format!("and {} more", hidden + 1);
            canvas.text(last_row(area), &more, shared.theme.quiet);
        }
    }

    /// Words and style of a period.
    fn said_of(&self, period: &Period, shared: &Shared) -> (String, Style) {
        let of = (period, &self.resource.id);
        match (drawn_as(of, self.displaced, shared), loss(of, self.displaced)) {
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

/// Bars without turnaround; one that others on parts of the resource split is listed once.
fn theirs<'p>(periods: impl IntoIterator<Item = &'p Period>) -> Vec<&'p Period> {
    let mut bars: Vec<&Period> = Vec::new();
    for period in periods {
        let is_same = |bar: &&Period| bar.owner == period.owner && bar.whole == period.whole;
        if is_bar(period) && !period.is_buffer && !bars.iter().any(is_same) {
            bars.push(period);
        }
    }
    bars
}

/// `Sat 21 Nov 18:00-20:00`, over midnight `Fri 1 Jan 00:00 - Sun 3 Jan 12:00`.
fn extent_words(slot: Slot, here: Local) -> String {
    let date = |at: Instant| at.in_zone(here.zone).date_naive();
    let last = slot.until() - Span::from_millis(1);
    if date(last) == date(slot.from()) {
        return slot.words(here.zone, here.now);
    }
    format!("{} - {}", words::day_time(slot.from(), here), words::day_time(slot.until(), here))
}
