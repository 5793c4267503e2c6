//! Queries of the calendar, and the handling of their answers.

use crate::domain::time::{Slot, Span};
use crate::engine::reads::calendar::{ReadCalendar, Words};
use crate::tui::context::Context;
use crate::tui::msg::{Answer, Query};
use crate::tui::questions::{ReadAllResources, ReadDisplacedTime};
use crate::tui::reads::Needs;
use crate::tui::screens::calendar::Calendar;
use crate::tui::screens::calendar::lines::LineKey;
use crate::tui::screens::calendar::page::Page;
use crate::tui::screens::calendar::state::READ_WHOLE_MAX;
use crate::tui::shared::Shared;

impl Calendar {
    pub(super) fn ask_all(&mut self, context: &mut Context<'_>) {
        self.ask_resources(context);
        self.ask_page(context);
        self.ask_displaced(context);
    }

    pub(super) fn ask_resources(&mut self, context: &mut Context<'_>) {
        context.load(&mut self.resources, ReadAllResources);
    }

    pub(super) fn ask_displaced(&mut self, context: &mut Context<'_>) {
        context.load(&mut self.displaced, ReadDisplacedTime);
    }

    /// Reads the calendars in view.
    pub(super) fn ask_page(&mut self, context: &mut Context<'_>) {
        if let Some(question) = self.wanted_page(context.shared) {
            context.load(&mut self.page, question);
        }
    }

    /// Question for the calendars in view.
    fn wanted_page(&self, shared: &Shared) -> Option<ReadCalendar> {
        let resources = self.resources.value().filter(|all| !all.is_empty())?;
        let scale = self.scale(shared);
        // days of other zones begin up to this much earlier or later
        let zones = resources.iter().any(|one| one.zone() != shared.zone);
        let around = if zones { Span::minutes(26 * 60) } else { Span::default() };
        let window = Slot::new(scale.from() - around, scale.until() + around).ok()?;
        let ids = if resources.len() <= READ_WHOLE_MAX {
            resources.iter().map(|one| one.id.clone()).collect()
        } else {
            let first = self.first_line(shared);
            let room = Self::room(shared);
            let lines = self.lines.shown.iter().skip(first.saturating_sub(room));
            lines.take(room * 3).filter_map(LineKey::resource).cloned().collect()
        };
        Some(ReadCalendar { resources: ids, window, words: Words::Titles })
    }

    /// Reads the page again when the view has moved beyond it.
    pub(crate) fn keep_page(&mut self, context: &mut Context<'_>) {
        if self.wanted_page(context.shared).as_ref() != self.page.asked() {
            self.ask_page(context);
        }
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "it asks a few of all")]
    pub(crate) fn answer(&mut self, number: u64, answer: Answer, context: &mut Context<'_>) {
        match answer {
            Answer::Resources(list) => {
                let resources = list.map(|list| {
                    self.currency = Some(list.currency);
                    list.resources
                });
                if context.settle(&mut self.resources, number, resources) {
                    self.resources_came(context);
                }
            }
            Answer::Page(views) => {
                let page = views.map(|views| Page::new(views, self.waiting()));
                if self.ahead.awaits(number) {
                    context.settle(&mut self.ahead, number, page);
                } else if context.settle(&mut self.page, number, page) {
                    self.page_came(context.shared);
                }
            }
            Answer::Displaced(items) => {
                context.settle(&mut self.displaced, number, items);
                self.displaced_came();
            }
            Answer::Free(room) => {
                let came = context.settle(&mut self.best.room, number, room);
                if came {
                    self.best_came();
                }
            }
            _ => {}
        }
    }

    pub(crate) fn needs(&self, needs: &mut Needs) {
        if let Some(refused) = &self.refused {
            refused.places.needs(needs);
        }
    }

    pub(crate) fn came(&mut self, question: &Query, context: &mut Context<'_>) {
        if let Some(refused) = &mut self.refused {
            refused.places.came(question, context.shared);
        }
    }

    fn resources_came(&mut self, context: &mut Context<'_>) {
        let is_first = self.line.key().is_none();
        self.relist(context.shared);
        if is_first {
            self.stand_on_time();
        }
        self.ask_page(context);
        self.stand_where_wanted(context);
    }

    fn displaced_came(&mut self) {
        let waiting = self.waiting().to_vec();
        for page in [&mut self.page, &mut self.ahead] {
            if let Some(page) = page.value_mut() {
                page.cut_out(&waiting);
            }
        }
    }

    fn page_came(&mut self, shared: &Shared) {
        if self.filter.needs_calendars() {
            self.relist(shared);
        }
    }
}
