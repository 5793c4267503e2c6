//! Drawing of the calendar: the timeline, with the foot below.

use ratatui::layout::Rect;
use ratatui::text::{Line as Text, Span as Words};

use crate::domain::calendar::{CalendarView, State};
use crate::domain::resource::{Resource, ResourceId};
use crate::domain::text::fit;
use crate::domain::time::{Instant, Local, Slot, Span};
use crate::tui::data::compound::ReadAllResources;
use crate::tui::kit::canvas::{Canvas, Focus, after, cells, from_row, row};
use crate::tui::kit::shared::Shared;
use crate::tui::kit::targets::Target;
use crate::tui::screens::calendar::Calendar;
use crate::tui::screens::calendar::calendar_questions::waiting;
use crate::tui::screens::calendar::geometry::{self, on_screen, parts};
use crate::tui::screens::calendar::period_bars::is_bar;
use crate::tui::screens::calendar::phrases::{length_words, price_words};
use crate::tui::screens::calendar::resource_lines::{Group, LineKey};
use crate::tui::screens::calendar::stretches::{LineData, Stretch};
use crate::tui::widgets::timeline::{
    HEAD_LINES, HeadLines, Kind, LineKind, Marked, Scale, TimeZoom, Timeline, TimelineRow,
};

/// Minimum width for a head with the screen's name and all zooms.
const WIDE_FROM: u16 = 96;
/// Lines that a form needs.
const FORM_LINES: u16 = 17;

impl Calendar {
    pub(super) fn draw(&self, shared: &Shared, area: Rect, canvas: &mut Canvas<'_>) {
        let titles = [self.title(shared), self.counts(shared)];
        let inner = canvas.frame(area, titles, Focus::Here);
        let parts = parts(shared, inner);
        if self.lines.shown.is_empty() {
            self.nothing(shared, inner, canvas);
            return;
        }
        canvas.hit(parts.time, Target::Map);
        let kinds = self.timeline(shared, parts.time, canvas);
        self.draw_ahead(shared, parts.time, canvas);
        self.side(shared, parts.side, canvas);
        self.foot((shared, &kinds), &parts, canvas);
    }

    /// Part of an area below or above the line under the cursor, which a form would hide, if it has the lines of one.
    pub(crate) fn beside_line(&self, shared: &Shared, area: Rect) -> Rect {
        let line = self.line.place(&self.lines.shown).saturating_sub(self.first_line(shared));
        let y = parts(shared, geometry::inside(shared)).time.y + HEAD_LINES + cells(line);
        let above = Rect { height: y.saturating_sub(area.y), ..area };
        let below = from_row(area, above.height + 1);
        let has_room = |part: &Rect| self.typed.is_some() && part.height >= FORM_LINES;
        [below, above].into_iter().find(has_room).unwrap_or(area)
    }

    /// Draws the timeline; returns the kinds of its bars, for the legend.
    fn timeline(&self, shared: &Shared, area: Rect, canvas: &mut Canvas<'_>) -> Vec<Kind> {
        let scale = self.scale(shared);
        let first = self.first_line(shared);
        let room = Self::room(shared);
        let lines: Vec<TimelineRow> =
            (first..self.lines.shown.len()).take(room).map(|number| self.line(number, (&scale, shared))).collect();
        let kinds = lines.iter().filter_map(|line| match &line.what {
            LineKind::Time(bars) => Some(bars),
            LineKind::Group(..) | LineKind::Sums(_) => None,
        });
        let kinds = kinds.flatten().map(|bar| bar.kind).collect();
        Timeline {
            scale: &scale,
            lines: &lines,
            first,
            names: self.names_columns(shared),
            indent: geometry::indent(shared),
            head: HeadLines::WordsAndRuler,
            now: scale.column_at(shared.now),
            tail: if self.zoom == TimeZoom::Nights { "free" } else { "" },
            cursor: Some((self.line.place(&self.lines.shown), self.cursor_columns(&scale, shared))),
            marked: self.marked_columns(&scale, shared),
            ghost: self.ghost_columns(&scale, shared),
            look: shared.look(),
        }
        .draw(area, canvas);
        kinds
    }

    /// Columns of the cursor where no bar is selected.
    fn cursor_columns(&self, scale: &Scale, shared: &Shared) -> std::ops::Range<u16> {
        if self.mark.is_some() || self.ghost.is_some() || self.typed.is_some() {
            return 0..0;
        }
        self.choice(shared)
            .and_then(|choice| scale.columns_of(choice.from, choice.until))
            .map_or(0..0, |columns| columns.columns)
    }

    fn marked_columns(&self, scale: &Scale, shared: &Shared) -> Option<Marked> {
        if self.typed.is_some() {
            return None;
        }
        let marked = self.marked(shared)?;
        let columns = scale.columns_of(marked.from, marked.until)?.columns;
        let ids: Vec<ResourceId> = marked.resources.iter().map(|one| one.id.clone()).collect();
        let slots = marked.slots(shared);
        let length = slots.first().map(|(one, slot)| length_words(one, *slot));
        let says: Vec<String> = length.into_iter().chain(price_words(&slots)).collect();
        Some(Marked { lines: self.lines.of_resources(&ids), columns, says: says.join(" · "), collides: false })
    }

    fn line(&self, number: usize, (scale, shared): (&Scale, &Shared)) -> TimelineRow {
        let empty = || TimelineRow { name: String::new(), what: LineKind::Time(Vec::new()), tail: String::new() };
        let row = match self.lines.shown.get(number) {
            Some(LineKey::Group(title)) => self.lines.group(title).map(|group| self.group_line(group, shared)),
            Some(LineKey::Sums(title)) => self.lines.group(title).map(|group| self.sums_line(group, (scale, shared))),
            Some(LineKey::Resource(id)) => self.resource(id).map(|one| self.time_line(one, (scale, shared))),
            None => None,
        };
        row.unwrap_or_else(empty)
    }

    fn time_line(&self, one: &Resource, (scale, shared): (&Scale, &Shared)) -> TimelineRow {
        let view = self.calendar(&one.id);
        let chosen =
            (self.is_here(one) && self.mark.is_none() && self.ghost.is_none()).then(|| self.bar(shared)).flatten();
        let data = self.line_data(one, chosen.map(|period| period.slot), shared);
        let mut bars = data.map_or_else(Vec::new, |data| data.bars((scale, shared)));
        bars.retain(|bar| self.draws(bar.kind));
        let tail = if self.zoom == TimeZoom::Nights && one.grid.segment.is_day() {
            view.map_or_else(String::new, |view| format!("{:>3}", Self::free_nights(one, view, (scale, shared))))
        } else {
            String::new()
        };
        TimelineRow { name: one.name.clone(), what: LineKind::Time(bars), tail }
    }

    /// True for kinds drawn at this zoom; opening hours are drawn where an hour is visible.
    fn draws(&self, kind: Kind) -> bool {
        kind != Kind::Closed || self.zoom <= TimeZoom::Day
    }

    fn free_nights(one: &Resource, view: &CalendarView, (scale, shared): (&Scale, &Shared)) -> usize {
        let nights = scale.dates();
        nights
            .iter()
            .filter(|(_, column)| {
                let at = on_screen(scale.start_of(*column), (shared.zone, one.zone()));
                view.periods.iter().any(|period| period.state == State::Free && period.slot.has(at))
            })
            .count()
    }

    fn sums_line(&self, group: &Group, (scale, shared): (&Scale, &Shared)) -> TimelineRow {
        let members: Vec<(&Resource, &CalendarView)> = group
            .members
            .iter()
            .filter_map(|place| self.resources.as_ref()?.get(*place))
            .filter_map(|one| Some((one, self.calendar(&one.id)?)))
            .collect();
        let sums = scale.dates().into_iter().map(|(_, column)| {
            let free = members.iter().filter(|(one, view)| {
                let at = on_screen(scale.start_of(column), (shared.zone, one.zone()));
                view.periods.iter().any(|period| period.state == State::Free && period.slot.has(at))
            });
            (column, free.count().to_string())
        });
        TimelineRow { name: "free".to_owned(), what: LineKind::Sums(sums.collect()), tail: String::new() }
    }

    fn title(&self, shared: &Shared) -> Text<'static> {
        let scale = self.scale(shared);
        let (from, last) = (scale.from(), scale.until() - Span::from_millis(1));
        let zone = shared.zone;
        let when = match self.zoom {
            TimeZoom::Hours | TimeZoom::Day => from.format(zone, "%a %-d %b %Y"),
            TimeZoom::Week | TimeZoom::Nights | TimeZoom::Month => {
                let from_there = Local { now: last, zone };
                format!("{} - {}", from_there.format(from, "%-d %b"), last.format(zone, "%-d %b %Y"))
            }
        };
        let theme = &shared.theme;
        let name = if shared.size.width < WIDE_FROM { " " } else { " Calendar  " };
        let mut words = vec![Words::styled(name, theme.title), Words::styled(format!("{when}  "), theme.strong)];
        for zoom in TimeZoom::ALL.iter().copied() {
            let is_on = zoom == self.zoom;
            if is_on || shared.size.width >= WIDE_FROM {
                let style = if is_on { theme.title } else { theme.quiet };
                let word = if is_on && theme.tab_on.bg.is_none() {
                    format!(" [{}]", zoom.word())
                } else {
                    format!(" {}", zoom.word())
                };
                words.push(Words::styled(word, style));
            }
        }
        words.push(Words::raw(" "));
        Text::from(words)
    }

    fn counts(&self, shared: &Shared) -> Text<'static> {
        let all: usize = self.resources.as_ref().map_or(0, Vec::len);
        let shown = self.lines.shown.iter().filter_map(LineKey::resource).count();
        let filter = self.filter.text();
        let filter = if filter.is_empty() {
            String::new()
        } else {
            format!("{} {}   ", shared.keyed("<filter>"), fit(filter, 16))
        };
        let count = match all.saturating_sub(shown) {
            0 => String::new(),
            _ if !filter.is_empty() => format!("{shown} of {all}   "),
            hidden => format!("{hidden} folded away   "),
        };
        let zone = if shared.size.width >= 80 { shared.zone.name() } else { "" };
        let words = format!(" {filter}{count}{zone}");
        let words = format!("{} ", words.trim_end());
        Text::styled(words, shared.theme.strong)
    }

    fn nothing(&self, shared: &Shared, area: Rect, canvas: &mut Canvas<'_>) {
        let none = self.resources.as_ref().is_some_and(Vec::is_empty);
        let filtered = !self.filter.text().is_empty();
        let lines: Vec<String> = if none {
            vec![shared.keyed("Nothing can be booked by time yet. <new-resource> adds a room.")]
        } else if let Some(words) = shared.in_place_of(&ReadAllResources) {
            vec![words]
        } else if filtered {
            vec![format!(
                "Nothing is {:?}. {}.",
                self.filter.text(),
                shared.keyed("An empty <filter> shows everything")
            )]
        } else {
            vec![shared.still_to_come()]
        };
        for (at, text) in (1..).zip(&lines) {
            canvas.text(after(row(area, at), 2), text, shared.theme.quiet);
        }
    }
}

impl Calendar {
    /// Data of a resource's line.
    pub(super) fn line_data<'s>(
        &'s self,
        one: &Resource,
        chosen: Option<Slot>,
        shared: &'s Shared,
    ) -> Option<LineData<'s>> {
        let only = Some((&self.filter, self.resource(&one.id)?));
        Some(LineData { view: self.calendar(&one.id)?, zone: one.zone(), only, displaced: waiting(shared), chosen })
    }

    /// Periods of a resource that the cursor can select; the bar under the cursor always has a column.
    pub(super) fn stretches<'s>(&'s self, one: &Resource, (scale, shared): (&Scale, &'s Shared)) -> Vec<Stretch<'s>> {
        let here = self.bar(shared).filter(|_| self.is_here(one));
        let data = self.line_data(one, here.map(|period| period.slot), shared);
        let mut stretches = data.map_or_else(Vec::new, |data| data.stretches((scale, shared)));
        stretches.retain(|one| is_bar(one.period));
        stretches
    }

    /// Time of the cursor at a column of a resource's line: in the column's bar, else at the column's start.
    pub(super) fn stand_at(
        &self,
        (one, column): (Option<&Resource>, u16),
        (scale, shared): (&Scale, &Shared),
    ) -> Instant {
        let start = scale.start_of(column);
        let Some(one) = one else {
            return start;
        };
        let stretches = self.stretches(one, (scale, shared));
        // the bar drawn last is the visible one
        let whose = stretches.iter().rfind(|one| one.columns.columns.contains(&column));
        whose.map_or(start, |bar| on_screen(bar.period.slot.from(), (one.zone(), shared.zone)).max(start))
    }
}
