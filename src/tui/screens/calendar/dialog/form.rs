//! A booking to be made: what it is called, for whom, when, how it repeats, with a preview of every date.

use crossterm::event::KeyCode;

use crate::domain::calendar::Period;
use crate::domain::cart::Customer;
use crate::domain::resource::Resource;
use crate::domain::text::clean;
use crate::domain::time::Slot;
use crate::engine::reads::calendar::{Check, ReadCheck};
use crate::engine::reads::free_time::{FreeResource, ReadFree};
use crate::engine::reads::resources::Filter;
use crate::tui::field::{Field, Typed};
use crate::tui::input::Key;
use crate::tui::msg::{Query, Trouble};
use crate::tui::remote::{Again, Remote, Ticket};
use crate::tui::screens::calendar::dialog::fields::stepped;
use crate::tui::screens::calendar::dialog::times::{Clock, ids};
use crate::tui::screens::calendar::dialog::{Next, repeat};
use crate::tui::shared::Context;
use crate::tui::targets::{List, Target};
use crate::tui::time::{Conflicts, NewBooking, TimeAnswer, TimeCommand, TimeQuery};

mod view;

const TITLE: usize = 0;
const CUSTOMER: usize = 1;
const PHONE: usize = 2;
const FROM: usize = 3;
const UNTIL: usize = 4;
const REPEAT: usize = 5;
/// The fields; behind them come the buttons.
const FIELDS: usize = 6;
const BOOK: usize = FIELDS;
const OTHER: usize = FIELDS + 1;

const LABELS: [&str; FIELDS] = ["Title", "For", "Phone", "From", "Until", "Repeat"];

/// A booking to be made.
#[derive(Debug)]
pub(in crate::tui::screens::calendar) struct Form {
    resources: Vec<Resource>,
    clock: Clock,
    fields: [Field; FIELDS],
    stop: usize,
    checks: Remote<Vec<Check>>,
    /// What the checks are about: each slot for each resource.
    slots: Vec<Slot>,
    problem: Option<String>,
    refused: Option<String>,
    others: Remote<Vec<FreeResource>>,
    pub(super) flight: Option<Ticket>,
}

impl Form {
    /// For a slot of resources, which are all to be taken.
    pub(super) fn new(resources: Vec<Resource>, slot: Slot, context: &mut Context<'_>) -> Self {
        let clock = Clock::of(&resources, context.shared);
        let mut fields = std::array::from_fn(|_| Field::default());
        for (place, text) in [(FROM, clock.from(slot)), (UNTIL, clock.until(slot))] {
            if let Some(field) = fields.get_mut(place) {
                *field = Field::with(&text);
            }
        }
        let mut form = Self {
            resources,
            clock,
            fields,
            stop: TITLE,
            checks: Remote::default(),
            slots: vec![slot],
            problem: None,
            refused: None,
            others: Remote::default(),
            flight: None,
        };
        form.ask(context);
        form
    }

    pub(super) fn awaits(&self, ticket: Ticket) -> bool {
        self.checks.awaits(ticket) || self.others.awaits(ticket) || self.flight == Some(ticket)
    }

    fn text(&self, place: usize) -> String {
        self.fields.get(place).map(Field::text).unwrap_or_default()
    }

    /// Asks whether what is typed is free.
    pub(super) fn ask(&mut self, context: &mut Context<'_>) {
        let times = (&*self.text(FROM), &*self.text(UNTIL));
        let typed = self.clock.slot(times, context.shared.now);
        let slots = typed.and_then(|slot| repeat::slots(&self.text(REPEAT), slot, self.clock.zone));
        match slots {
            Ok(slots) => {
                self.problem = None;
                self.slots = slots;
            }
            Err(problem) => {
                self.problem = Some(problem);
                return;
            }
        }
        if let Some(ticket) = self.checks.want(&mut context.shared.tickets) {
            let check = |slot: &Slot| {
                let wanted = *slot;
                self.resources.iter().map(move |one| ReadCheck {
                    resource: one.id.clone(),
                    wanted,
                })
            };
            let checks = self.slots.iter().flat_map(check).collect();
            context.read_with(ticket, Query::Time(TimeQuery::Checks(checks)));
        }
    }

    pub(super) fn answer(
        &mut self,
        answer: Result<TimeAnswer, Trouble>,
        context: &mut Context<'_>,
    ) {
        match answer {
            Ok(TimeAnswer::Free(free)) => {
                self.others.settle(Ok(free));
            }
            other => {
                if self.checks.settle(other.and_then(TimeAnswer::checks)) == Again::Yes {
                    self.ask(context);
                }
                self.ask_others(context);
            }
        }
    }

    /// One date of one resource is taken: asks what else of its kind is free then.
    fn ask_others(&mut self, context: &mut Context<'_>) {
        let ([one], [slot]) = (self.resources.as_slice(), self.slots.as_slice()) else {
            return;
        };
        let taken = self
            .checks
            .value()
            .is_some_and(|checks| checks.iter().any(|check| !check.free));
        if !taken {
            self.others.forget();
            return;
        }
        let query = ReadFree {
            filter: Filter {
                kind: Some(one.kind.clone()),
                ..Filter::default()
            },
            window: *slot,
            span: None,
        };
        if let Some(ticket) = self.others.want(&mut context.shared.tickets) {
            context.read_with(ticket, Query::Time(TimeQuery::Free(query)));
        }
    }

    /// The resource that is offered instead.
    fn other(&self) -> Option<&Resource> {
        let free = self.others.value()?;
        let taken = self.checks.value()?.iter().any(|check| !check.free);
        free.first().map(|free| &free.resource).filter(|_| taken)
    }

    pub(super) fn refused(&mut self, sentence: String, context: &mut Context<'_>) {
        self.flight = None;
        self.refused = Some(sentence);
        self.ask(context);
    }

    /// Dates with what stands in their way.
    fn conflicts(&self) -> Vec<Date<'_>> {
        let Some(checks) = self.checks.value() else {
            return Vec::new();
        };
        let each = self.resources.len().max(1);
        self.slots
            .iter()
            .zip(checks.chunks(each))
            .map(|(slot, checks)| {
                let met = self.resources.iter().zip(checks).find_map(|(one, check)| {
                    let period = check.in_the_way.first().filter(|_| !check.free)?;
                    Some((one, period))
                });
                (*slot, met)
            })
            .collect()
    }

    fn stops(&self) -> usize {
        FIELDS + 1 + usize::from(self.other().is_some())
    }

    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "keys that mean nothing here are many"
    )]
    pub(super) fn key(&mut self, key: Key, context: &mut Context<'_>) -> Next {
        if self.flight.is_some() && key.code != KeyCode::Esc {
            return Next::Stay;
        }
        if let Some(stop) = stepped(key, (self.stop, self.stops())) {
            self.stop = stop;
            return Next::Stay;
        }
        match key.code {
            KeyCode::Esc => return Next::Close,
            KeyCode::Enter if self.stop == BOOK => return self.book(),
            KeyCode::Enter if self.stop == OTHER => self.take_other(context),
            KeyCode::Enter => self.stop = (self.stop + 1).min(BOOK),
            KeyCode::Char('a') if self.stop >= FIELDS => self.take_other(context),
            _ => {
                let stop = self.stop;
                let changed = self.fields.get_mut(stop).map(|field| field.key(key));
                if changed == Some(Typed::Changed) {
                    self.refused = None;
                    if stop >= FROM {
                        self.ask(context);
                    }
                }
            }
        }
        Next::Stay
    }

    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "a dialog has few targets of its own"
    )]
    pub(super) fn click(&mut self, target: &Target, context: &mut Context<'_>) -> Next {
        match target {
            Target::Row(List::Dialog, BOOK) => {
                self.stop = BOOK;
                self.book()
            }
            Target::Row(List::Dialog, OTHER) => {
                self.take_other(context);
                Next::Stay
            }
            Target::Row(List::Dialog, stop) if *stop < FIELDS => {
                self.stop = *stop;
                Next::Stay
            }
            Target::Choice(_) => Next::Close,
            _ => Next::Stay,
        }
    }

    pub(super) fn paste(&mut self, text: &str, context: &mut Context<'_>) {
        if let Some(field) = self.fields.get_mut(self.stop) {
            field.paste(text);
            self.ask(context);
        }
    }

    fn take_other(&mut self, context: &mut Context<'_>) {
        if let Some(other) = self.other().cloned() {
            self.resources = vec![other];
            self.refused = None;
            self.stop = BOOK;
            self.others.forget();
            self.ask(context);
        }
    }

    fn book(&mut self) -> Next {
        if self.problem.is_some() || self.slots.is_empty() || self.flight.is_some() {
            return Next::Stay;
        }
        let skips = self.slots.len() > 1;
        Next::Try(Box::new(TimeCommand::Book(NewBooking {
            resources: ids(&self.resources),
            slots: self.slots.clone(),
            title: clean(&self.text(TITLE)),
            customer: Customer {
                name: clean(&self.text(CUSTOMER)),
                phone: clean(&self.text(PHONE)),
            },
            conflicts: if skips {
                Conflicts::Skip
            } else {
                Conflicts::Refuse
            },
        })))
    }
}

/// A date, and what stands in its way.
type Date<'a> = (Slot, Option<(&'a Resource, &'a Period)>);
