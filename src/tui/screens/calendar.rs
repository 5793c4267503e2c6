//! Calendar: bookings of halls, rooms, nights and cars over time.
//!
//! The screen owns the cursor, the mark and the ghost of a move; free and taken time come only from the engine. Each
//! line shows its resource's local time. Acts are those of [`time`](crate::tui::data::time).
//!
//! # Invariants
//! - Nothing is drawn as taken or free before the engine has said so.
//! - A slip of the mouse moves nothing: a dragged bar is a ghost until Enter confirms it.

use std::collections::BTreeSet;

use crate::domain::calendar::{CalendarView, Period};
use crate::domain::money::Currency;
use crate::domain::resource::{Resource, ResourceId};
use crate::domain::time::{Instant, Slot};
use crate::tui::data::compound::{ReadAllResources, ReadDisplacedTime};
use crate::tui::data::msg::{Query, Readable};
use crate::tui::data::reads::Needs;
use crate::tui::data::shown_list::ShownList;
use crate::tui::kit::action::Action;
use crate::tui::kit::canvas::Canvas;
use crate::tui::kit::context::Context;
use crate::tui::kit::keymap::KeyPlace;
use crate::tui::kit::list::Cursor;
use crate::tui::kit::screen::{Click, Handled};
use crate::tui::kit::screen_state::ScreenState;
use crate::tui::kit::shared::Shared;
use crate::tui::kit::targets::Target;
use crate::tui::screens::calendar::filter::CalendarFilter;
use crate::tui::screens::calendar::geometry::{TAIL, indent, inside, names_bounds, parts};
use crate::tui::screens::calendar::page::Page;
use crate::tui::screens::calendar::period_bars::is_bar;
use crate::tui::screens::calendar::resource_lines::{Group, LineKey, ResourceLines};
use crate::tui::screens::calendar::state::{Ghost, Mark, Press, Refused};
use crate::tui::widgets::timeline::{HEAD_LINES, Scale, TimeWindow, TimeZoom};
use ratatui::layout::Rect;

mod ahead;
mod booking;
mod booking_moves;
mod booking_questions;
mod calendar_keys;
mod calendar_mouse;
mod calendar_questions;
mod closed_days;
mod cursor_moves;
mod displaced;
mod displaced_list;
mod fields;
mod filter;
mod folded;
mod follow_form;
mod foot;
mod free_time;
mod geometry;
mod ghost;
mod guests;
mod marks;
mod month;
mod new_booking;
mod opening;
mod out_of_use_form;
mod page;
mod period_bars;
mod period_words;
mod phrases;
mod places;
mod refused;
mod resource_form;
mod resource_lines;
mod series;
mod side;
mod spread;
mod state;
mod stretches;
mod times;
mod timetable;

/// State of the screen Calendar.
#[derive(Debug, Default)]
pub(crate) struct Calendar {
    /// Resources of the lines; none before they are read.
    resources: Option<Vec<Resource>>,
    /// Calendars of the lines as they were read last.
    page: Page,
    lines: ResourceLines,
    /// Groups whose folding differs from the default.
    toggled: BTreeSet<String>,
    filter: CalendarFilter,
    zoom: TimeZoom,
    /// First instant in view; meaningless before the screen is opened.
    from: Instant,
    /// First line in view, if the cursor is in view with it.
    top: usize,
    /// Line under the cursor.
    line: Cursor<LineKey>,
    /// Time under the cursor, in the screen's zone.
    at: Instant,
    mark: Option<Mark>,
    press: Option<Press>,
    ghost: Option<Ghost>,
    /// Time that the open form would take of resources; true if something of it is taken.
    pub(crate) typed: Option<(Vec<ResourceId>, Slot, bool)>,
    best: free_time::Search,
    /// Last refusal, with its alternatives.
    refused: Option<Refused>,
    /// Resource and time to show once the resources are loaded.
    wanted: Option<(ResourceId, Instant)>,
    /// Default currency of prices.
    currency: Option<Currency>,
}

impl ScreenState for Calendar {
    fn place(&self, _shared: &Shared) -> KeyPlace {
        match self.ghost {
            Some(_) => KeyPlace::Moving,
            None => KeyPlace::Calendar,
        }
    }

    fn enter(&mut self, shared: &Shared) {
        if self.from == Instant::default() {
            self.go_to_now(shared);
        }
    }

    fn act(&mut self, action: Action, context: &mut Context<'_>) -> Handled {
        if self.ghost.is_some()
            && let Some(handled) = self.act_on_ghost(action, context)
        {
            return handled;
        }
        if calendar_keys::is_on_line(action) && !context.aims(&mut self.line) {
            return Handled::Yes;
        }
        if let Some(handled) = self.act_on_cursor(action, context) {
            return handled;
        }
        self.act_on_time(action, context)
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "the rest is always of use")]
    fn offers(&self, action: Action, shared: &Shared) -> bool {
        let (is_bar, is_marking) = (self.bar(shared).is_some(), self.mark.is_some());
        match action {
            _ if self.ghost.is_some() => true,
            Action::Main => is_bar && !is_marking || self.is_on_group(),
            Action::Move | Action::Series => is_bar && !is_marking,
            Action::Book | Action::Pick => is_marking || !is_bar && self.here().is_some(),
            Action::Mark | Action::Best => !is_marking,
            _ => true,
        }
    }

    /// Acts that the panel at the side lists where there is one.
    fn of_moment(&self, shared: &Shared) -> Vec<(Action, &'static str)> {
        let has_side = !geometry::parts(shared, geometry::inside(shared)).side.is_empty();
        if has_side || self.ghost.is_some() { Vec::new() } else { self.said(shared).2 }
    }

    fn click(&mut self, target: &Target, click: Click, context: &mut Context<'_>) {
        self.clicked(target, click, context);
    }

    fn needs(&self, shared: &Shared, needs: &mut Needs) {
        needs.of(ReadAllResources);
        needs.of(ReadDisplacedTime);
        if let Some(page) = self.wanted_page(shared) {
            needs.typed(page);
        }
        if let Some(ahead) = self.wanted_ahead(shared) {
            needs.typed(ahead);
        }
        self.side_needs(shared, needs);
        self.best.needs(needs);
        if let Some(refused) = &self.refused {
            refused.places.needs(needs);
        }
    }

    fn is_unread(&self, shared: &Shared) -> bool {
        self.resources.is_none() && shared.reads.is_unread(&ReadAllResources)
            || self.page.views.is_empty() && self.wanted_page(shared).is_some_and(|page| shared.reads.is_unread(&page))
    }

    fn came(&mut self, question: &Query, context: &mut Context<'_>) {
        let shared = &*context.shared;
        if ReadAllResources.is(question) {
            self.resources_came(shared);
        } else if ReadDisplacedTime.is(question) {
            self.page.cut_out(calendar_questions::waiting(shared));
        } else if let Some(page) = self.wanted_page(shared).filter(|page| page.is(question)) {
            self.page_came(&page, shared);
        } else if matches!(question, Query::Free(_)) {
            self.best_came(shared);
        } else if let Some(refused) = &mut self.refused {
            refused.places.came(question, shared);
        }
    }

    fn as_list(&self, _shared: &Shared) -> Option<ShownList> {
        Some(Self::as_list(self))
    }

    fn view(&self, shared: &Shared, area: Rect, canvas: &mut Canvas<'_>) {
        self.draw(shared, area, canvas);
    }
}

impl Calendar {
    /// Opens the screen with a time of a resource under the cursor.
    pub(crate) fn show(&mut self, resource: ResourceId, at: Instant, shared: &Shared) {
        self.mark = None;
        self.ghost = None;
        self.wanted = Some((resource, at));
        self.enter(shared);
        self.stand_where_wanted(shared);
    }

    /// Moves to the requested time, as soon as the resources are loaded.
    fn stand_where_wanted(&mut self, shared: &Shared) {
        if self.resources.is_none() {
            return;
        }
        let Some((id, at)) = self.wanted.take() else {
            return;
        };
        self.stand_on(&id, shared);
        let zones = (self.wall_of(std::slice::from_ref(&id), shared).zone, shared.zone);
        self.go_to_time(geometry::on_screen(at, zones), shared);
        self.top = self.first_line(shared);
    }

    /// Moves the cursor to a line of a resource, if there is one.
    fn stand_on_time(&mut self) {
        if self.here().is_none() {
            let is_time = |line: &LineKey| line.resource().is_some();
            self.stand_on_line(self.lines.shown.iter().position(is_time).unwrap_or(0));
        }
    }

    fn stand_on_line(&mut self, index: usize) {
        self.line.stand(index, self.lines.shown.clone());
    }

    /// Rebuilds the lines; the cursor stays on its own.
    fn relist(&mut self, shared: &Shared) {
        let lines = {
            let Some(resources) = self.resources.as_ref() else {
                return;
            };
            let window = self.mark_window(shared);
            let passes = |one: &Resource| self.filter.passes(one, (self.page.of(&one.id), window));
            let is_folded = |group: &Group| self.is_folded(group);
            let sums = self.zoom == TimeZoom::Nights;
            ResourceLines::of(resources, passes, is_folded, sums)
        };
        self.lines = lines;
        self.line.keep(self.lines.shown.clone());
    }

    /// True if a group is folded: by default groups of nights at zooms of hours, other groups at zooms of nights,
    /// with the operator's changes.
    fn is_folded(&self, group: &Group) -> bool {
        let nights = |one: &Resource| one.grid.segment.is_day();
        let any_nights = self.resources.as_ref().is_some_and(|all| all.iter().any(nights));
        let by_itself = match self.zoom {
            TimeZoom::Hours | TimeZoom::Day => group.nights,
            TimeZoom::Nights => !group.nights && any_nights,
            TimeZoom::Week | TimeZoom::Month => false,
        };
        by_itself != self.toggled.contains(&group.title)
    }

    /// Resource under the cursor.
    fn here(&self) -> Option<&Resource> {
        self.resource(self.line.key()?.resource()?)
    }

    /// True for the resource under the cursor.
    fn is_here(&self, one: &Resource) -> bool {
        self.line.key().and_then(LineKey::resource) == Some(&one.id)
    }

    /// Loaded calendar of a resource.
    fn calendar(&self, resource: &ResourceId) -> Option<&CalendarView> {
        self.page.of(resource)
    }

    /// Period at a time of a resource, in the screen's zone.
    fn period(&self, one: &Resource, at: Instant, shared: &Shared) -> Option<&Period> {
        let theirs = geometry::of_resource(at, (one.zone(), shared.zone));
        let periods = &self.calendar(&one.id)?.periods;
        periods.iter().find(|period| period.slot.has(theirs))
    }

    /// Time that is taken on this page, of the resources that are shown.
    pub(crate) fn as_list(&self) -> ShownList {
        let shown = self.lines.shown.iter().filter_map(|line| self.resource(line.resource()?));
        let taken = |one: &Resource| {
            let mut view = self.calendar(&one.id)?.clone();
            view.periods.retain(|period| is_bar(period) && !period.is_buffer);
            Some((one.clone(), view))
        };
        ShownList::Calendars(shown.filter_map(taken).collect())
    }

    /// Period of the bar under the cursor.
    fn bar(&self, shared: &Shared) -> Option<&Period> {
        self.period(self.here()?, self.at, shared).filter(|period| is_bar(period))
    }
}

impl Calendar {
    /// Number of lines in view.
    pub(super) fn room(shared: &Shared) -> usize {
        let time = parts(shared, inside(shared)).time;
        usize::from(time.height.saturating_sub(HEAD_LINES))
    }

    /// Width of the names: that of the longest, within bounds.
    pub(super) fn names_columns(&self, shared: &Shared) -> u16 {
        let (least, most) = names_bounds(shared);
        // the cursor before it, a blank after it
        (self.lines.longest + indent(shared) + 2).clamp(least, most)
    }

    /// Time scale of the columns.
    pub(super) fn scale(&self, shared: &Shared) -> Scale {
        let width = parts(shared, inside(shared)).time.width.saturating_sub(self.names_columns(shared));
        let columns = match self.zoom {
            TimeZoom::Nights => width.saturating_sub(TAIL),
            TimeZoom::Hours | TimeZoom::Day | TimeZoom::Week | TimeZoom::Month => width,
        };
        Scale::new(TimeWindow { zoom: self.zoom, from: self.from, zone: shared.zone, columns, weeks: 2 })
    }

    /// First line in view, such that the cursor's line is in view.
    pub(super) fn first_line(&self, shared: &Shared) -> usize {
        let room = Self::room(shared).max(1);
        let furthest = self.lines.shown.len().saturating_sub(room);
        let line = self.line.place(&self.lines.shown);
        let least = (line + 1).saturating_sub(room);
        self.top.clamp(least, line.max(least)).min(furthest)
    }
}
