//! Queries of the calendar, and the handling of their answers.

use crate::domain::resource::ResourceId;
use crate::domain::time::{Slot, Span};
use crate::engine::reads::calendar::{ReadCalendar, Words};
use crate::tui::context::Context;
use crate::tui::msg::{Answer, Answered, Query, only};
use crate::tui::remote::{Again, Ticket};
use crate::tui::screens::calendar::Calendar;
use crate::tui::screens::calendar::lines::Shown;
use crate::tui::screens::calendar::page::Page;
use crate::tui::screens::calendar::state::READ_WHOLE_MAX;
use crate::tui::shared::Shared;
use crate::tui::time::{TimeAnswer, TimeQuery};

impl Calendar {
    pub(super) fn ask_all(&mut self, context: &mut Context<'_>) {
        self.ask_resources(context);
        self.ask_page(context);
        self.ask_displaced(context);
    }

    pub(super) fn ask_resources(&mut self, context: &mut Context<'_>) {
        context.load(&mut self.resources, Query::Time(TimeQuery::Resources));
    }

    pub(super) fn ask_displaced(&mut self, context: &mut Context<'_>) {
        context.load(&mut self.displaced, Query::Time(TimeQuery::Displaced));
    }

    /// Reads the calendars in view.
    pub(super) fn ask_page(&mut self, context: &mut Context<'_>) {
        let Some((resources, window)) = self.wanted_page(context.shared) else {
            return;
        };
        let Some(ticket) = self.page.want(&mut context.shared.tickets) else {
            return;
        };
        self.asked = Some((resources.clone(), window));
        let query = ReadCalendar {
            resources,
            window,
            words: Words::Titles,
        };
        context.read_with(ticket, Query::Time(TimeQuery::Page(query)));
    }

    /// Resources and window in view.
    fn wanted_page(&self, shared: &Shared) -> Option<(Vec<ResourceId>, Slot)> {
        let resources = self.resources.value().filter(|all| !all.is_empty())?;
        let scale = self.scale(shared);
        // days of other zones begin up to this much earlier or later
        let zones = resources.iter().any(|one| one.zone() != shared.zone);
        let around = if zones {
            Span::minutes(26 * 60)
        } else {
            Span::default()
        };
        let window = Slot::new(scale.from() - around, scale.until() + around).ok()?;
        let ids = if resources.len() <= READ_WHOLE_MAX {
            resources.iter().map(|one| one.id.clone()).collect()
        } else {
            let first = self.first_line(shared);
            let room = Self::room(shared);
            let lines = self.lines.shown.iter().skip(first.saturating_sub(room));
            lines
                .take(room * 3)
                .filter_map(|line| match line {
                    Shown::Resource(place) => Some(resources.get(*place)?.id.clone()),
                    Shown::Group(_) | Shown::Sums(_) => None,
                })
                .collect()
        };
        Some((ids, window))
    }

    /// Reads the page again when the view has moved beyond it.
    pub(super) fn keep_page(&mut self, context: &mut Context<'_>) {
        if self.wanted_page(context.shared) != self.asked {
            self.ask_page(context);
        }
    }

    /// True if this screen sent the request with this ticket.
    #[must_use]
    pub(crate) fn awaits(&self, ticket: Ticket) -> bool {
        self.resources.awaits(ticket)
            || self.page.awaits(ticket)
            || self.displaced.awaits(ticket)
            || self.ahead.page.awaits(ticket)
            || self.best.awaits(ticket)
            || self
                .running
                .as_ref()
                .is_some_and(|(mine, _)| *mine == ticket)
            || self
                .putting
                .as_ref()
                .is_some_and(|(mine, _)| *mine == ticket)
            || self
                .refused
                .as_ref()
                .is_some_and(|refused| refused.places.awaits(ticket))
            || self
                .dialog
                .as_ref()
                .is_some_and(|dialog| dialog.awaits(ticket))
    }

    /// Handles the answer to a ticket of this screen.
    pub(crate) fn answer(&mut self, ticket: Ticket, answer: Answered, context: &mut Context<'_>) {
        if self
            .running
            .as_ref()
            .is_some_and(|(mine, _)| *mine == ticket)
        {
            self.ran(ticket, answer, context);
            return;
        }
        if self.dialog_tried(ticket) {
            let done = self.done(ticket, answer);
            self.tried(done, context);
            return;
        }
        let answer = only!(answer, Answer::Time(answer) => *answer);
        if self.resources.awaits(ticket) {
            let furnished = answer.and_then(TimeAnswer::resources).map(|here| {
                self.currency = Some(here.currency);
                here.resources
            });
            if self.resources.settle(furnished) == Again::Yes {
                self.ask_resources(context);
            }
            self.resources_came(context);
        } else if self.page.awaits(ticket) {
            let page = answer.and_then(TimeAnswer::page);
            let page = page.map(|views| Page::new(views, self.waiting()));
            if self.page.settle(page) == Again::Yes {
                self.ask_page(context);
            }
            self.page_came(context.shared);
        } else if self.displaced.awaits(ticket) {
            if self
                .displaced
                .settle(answer.and_then(TimeAnswer::displaced))
                == Again::Yes
            {
                self.ask_displaced(context);
            }
            self.displaced_came();
        } else if self.ahead.page.awaits(ticket) {
            let page = answer.and_then(TimeAnswer::page);
            let page = page.map(|views| Page::new(views, self.waiting()));
            if self.ahead.page.settle(page) == Again::Yes {
                self.ask_ahead(context);
            }
        } else if self.best.awaits(ticket) {
            self.best_came(answer, context);
        } else if self
            .putting
            .as_ref()
            .is_some_and(|(mine, _)| *mine == ticket)
        {
            self.put_known(answer, context);
        } else if let Some(refused) = &mut self.refused
            && refused.places.awaits(ticket)
        {
            refused.places.came(answer);
        } else {
            self.dialog_answer(ticket, answer, context);
        }
    }

    fn resources_came(&mut self, context: &mut Context<'_>) {
        self.relist(context.shared);
        self.stand_on_time();
        self.ask_page(context);
        self.stand_where_wanted(context);
    }

    fn displaced_came(&mut self) {
        let waiting = self.waiting().to_vec();
        for page in [&mut self.page, &mut self.ahead.page] {
            if let Some(page) = page.value_mut() {
                page.cut_out(&waiting);
            }
        }
        self.dialog_displaced(waiting);
    }

    fn page_came(&mut self, shared: &Shared) {
        if self.filter.needs_calendars() {
            self.relist(shared);
        }
    }
}
