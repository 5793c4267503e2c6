//! Calendar: who has which time of halls, rooms, nights and cars.
//!
//! The screen knows where the cursor is, what is marked and what would be moved where; what is free it only
//! ever learns from the house. A line tells its resource's own local time. Everything that it asks and does
//! about time is in [`time`](crate::tui::time)'s words.
//!
//! # Invariants
//! - Nothing is drawn as taken or free before the house said so.
//! - A slip moves nothing: a dragged bar is a ghost until Enter puts it.

use std::collections::BTreeSet;

use crate::domain::calendar::{CalendarView, Period, State};
use crate::domain::money::Currency;
use crate::domain::resource::{Resource, ResourceId};
use crate::domain::time::{Instant, Slot};
use crate::engine::reads::worklist::WorkView;
use crate::tui::keymap::KeyPlace;
use crate::tui::msg::{Changed, Subject};
use crate::tui::remote::{Remote, Ticket};
use crate::tui::screens::calendar::asking::READ_WHOLE_MAX;
use crate::tui::screens::calendar::dialog::Dialog;
use crate::tui::screens::calendar::doing::Undoing;
use crate::tui::screens::calendar::filter::Filter;
use crate::tui::screens::calendar::ghost::Ghost;
use crate::tui::screens::calendar::lines::{Group, Lines, Nights, Showing, Shown, Sums};
use crate::tui::screens::calendar::marks::{Mark, Press};
use crate::tui::screens::calendar::page::{Page, is_bar};
use crate::tui::screens::calendar::refused::Refused;
use crate::tui::shared::{Context, Shared};
use crate::tui::time::{Moving, TimeAct};
use crate::tui::widgets::timeline::TimeZoom;

mod acts;
mod asking;
mod best;
mod clicks;
mod dialog;
mod displaced;
mod doing;
mod filter;
mod folded;
mod foot;
mod geometry;
mod ghost;
mod lines;
mod marks;
mod moves;
mod page;
mod phrases;
mod places;
mod refused;
mod results;
mod stretches;
mod view;
mod words;

pub use dialog::Typing;

/// State of the screen Calendar.
#[derive(Debug, Default)]
pub struct Calendar {
    resources: Remote<Vec<Resource>>,
    page: Remote<Page>,
    /// What the page under way or here was asked for.
    asked: Option<(Vec<ResourceId>, Slot)>,
    displaced: Remote<Vec<WorkView>>,
    lines: Lines,
    /// Groups that are not as they are by themselves: folded or open.
    toggled: BTreeSet<String>,
    filter: Filter,
    zoom: TimeZoom,
    /// The first instant in view; nothing before the screen was entered.
    from: Instant,
    /// The first line in view, where the cursor leaves a choice.
    top: usize,
    cursor: Cursor,
    mark: Option<Mark>,
    press: Option<Press>,
    ghost: Option<Ghost>,
    best: best::Search,
    /// What was refused, and where else there is room for it.
    refused: Option<Refused>,
    running: Option<(Ticket, Undoing)>,
    /// Acts that are not answered yet.
    acts: Vec<(Ticket, TimeAct)>,
    /// A booking that was moved before it was known whether it repeats.
    putting: Option<(Ticket, Moving)>,
    /// What is to be shown once the resources are here.
    wanted: Option<(ResourceId, Instant)>,
    /// What prices are in where nothing else is said.
    currency: Option<Currency>,
    dialog: Option<Dialog>,
}

/// Where the cursor stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Cursor {
    /// The line, counted from the first of all.
    line: usize,
    /// The time, on the screen's clock.
    at: Instant,
}

impl Calendar {
    /// The screen comes to the top: asks for what it shows.
    pub fn enter(&mut self, context: &mut Context<'_>) {
        if self.from == Instant::default() {
            self.go_to_now(context.shared);
        }
        self.ask_all(context);
    }

    /// The screen comes to the top with a time of a resource under the cursor.
    pub fn show(&mut self, resource: ResourceId, at: Instant, context: &mut Context<'_>) {
        self.mark = None;
        self.ghost = None;
        self.wanted = Some((resource, at));
        self.enter(context);
        self.stand_where_wanted(context);
    }

    /// Goes to the time that was to be shown, as soon as it is known which resources there are.
    fn stand_where_wanted(&mut self, context: &mut Context<'_>) {
        if self.resources.value().is_none() {
            return;
        }
        let Some((id, at)) = self.wanted.take() else {
            return;
        };
        self.stand_on(&id, context.shared);
        let zones = (
            self.wall_of(std::slice::from_ref(&id), context.shared).zone,
            context.shared.zone,
        );
        self.go_to_time(geometry::on_screen(at, zones), context.shared);
        self.top = self.first_line(context.shared);
        self.keep_page(context);
    }

    /// Whose keys hold now.
    #[must_use]
    pub const fn place(&self) -> KeyPlace {
        match self.ghost {
            Some(_) => KeyPlace::Moving,
            None => KeyPlace::Calendar,
        }
    }

    /// The cursor stands on a line with time, where there is one.
    fn stand_on_time(&mut self) {
        if self.line_resource(self.cursor.line).is_none() {
            let is_time = |line: &Shown| matches!(line, Shown::Resource(_));
            self.cursor.line = self.lines.shown.iter().position(is_time).unwrap_or(0);
        }
    }

    /// Makes the lines anew; the cursor stays on its resource.
    fn relist(&mut self, shared: &Shared) {
        let on = self
            .line_resource(self.cursor.line)
            .map(|one| one.id.clone());
        let lines = {
            let Some(resources) = self.resources.value() else {
                return;
            };
            let window = self.mark_window(shared);
            let passes = |one: &Resource| {
                let view = self.page.value().and_then(|page| page.of(&one.id));
                self.filter.passes(one, (view, window))
            };
            let sums = if self.zoom == TimeZoom::Nights {
                Sums::Shown
            } else {
                Sums::Hidden
            };
            Lines::of(
                resources,
                &Showing {
                    folded: &|group| self.is_folded(group),
                    passes: &passes,
                    sums,
                },
            )
        };
        self.lines = lines;
        let place = on.and_then(|on| {
            let resources = self.resources.value()?;
            self.lines.shown.iter().position(|line| match line {
                Shown::Resource(place) => resources.get(*place).is_some_and(|one| one.id == on),
                Shown::Group(_) | Shown::Sums(_) => false,
            })
        });
        let last = self.lines.shown.len().saturating_sub(1);
        self.cursor.line = place.unwrap_or(self.cursor.line).min(last);
    }

    /// Groups of nights are folded where hours are shown, the others where nights are; unless somebody wants
    /// them otherwise.
    fn is_folded(&self, group: &Group) -> bool {
        let nights = |one: &Resource| one.grid.segment.is_day();
        let any_nights = self
            .resources
            .value()
            .is_some_and(|all| all.iter().any(nights));
        let by_itself = match (self.zoom, group.nights) {
            (TimeZoom::Hours | TimeZoom::Day, Nights::All) => true,
            (TimeZoom::Nights, Nights::Not) => any_nights,
            (_, Nights::All)
            | (TimeZoom::Hours | TimeZoom::Day | TimeZoom::Week | TimeZoom::Month, Nights::Not) => {
                false
            }
        };
        by_itself != self.toggled.contains(&group.title)
    }

    /// Something in the house changed; asks again for what it shows when that is touched.
    pub fn changed(&mut self, changed: &Changed, context: &mut Context<'_>) {
        let few = self
            .resources
            .value()
            .is_none_or(|all| all.len() <= READ_WHOLE_MAX);
        let unknown = |id: &ResourceId| few || self.resource(id).is_none();
        if changed.touches(|subject| matches!(&subject, Subject::Resource(id) if unknown(id))) {
            self.ask_resources(context);
        }
        if changed.touches(|subject| subject == Subject::Worklist) {
            self.ask_displaced(context);
        }
        let in_view = |resource: &ResourceId, date: chrono::NaiveDate| {
            self.asked.as_ref().is_some_and(|(ids, window)| {
                let zone = context.shared.zone;
                let (from, until) = (window.from().in_zone(zone), window.until().in_zone(zone));
                ids.contains(resource) && from.date_naive() <= date && date <= until.date_naive()
            })
        };
        let touched = changed.touches(
            |subject| matches!(&subject, Subject::Day(resource, date) if in_view(resource, *date)),
        );
        if touched {
            self.ask_page(context);
        }
        self.dialog_changed(changed, context);
    }

    /// Time went on: a hold whose end has come is free, and the page is read again.
    pub fn tick(&mut self, context: &mut Context<'_>) {
        let now = context.shared.now;
        let ended = |period: &Period| {
            period.state == State::Held && period.until.is_some_and(|until| until <= now)
        };
        let ended = self
            .page
            .value()
            .is_some_and(|page| page.views.iter().any(|view| view.periods.iter().any(ended)));
        if ended {
            self.ask_page(context);
        }
    }

    /// The resource of a line.
    fn line_resource(&self, line: usize) -> Option<&Resource> {
        let Shown::Resource(place) = self.lines.shown.get(line)? else {
            return None;
        };
        self.resources.value()?.get(*place)
    }

    /// The calendar of a resource, when it is here.
    fn calendar(&self, resource: &ResourceId) -> Option<&CalendarView> {
        self.page.value()?.of(resource)
    }

    /// What stands at a time of a line, on the screen's clock.
    fn period(&self, line: usize, at: Instant, shared: &Shared) -> Option<&Period> {
        let one = self.line_resource(line)?;
        let theirs = geometry::of_resource(at, (one.zone(), shared.zone));
        let periods = &self.calendar(&one.id)?.periods;
        periods.iter().find(|period| period.slot.has(theirs))
    }

    /// The bar under the cursor.
    fn bar(&self, shared: &Shared) -> Option<&Period> {
        self.period(self.cursor.line, self.cursor.at, shared)
            .filter(|period| is_bar(period))
    }
}
