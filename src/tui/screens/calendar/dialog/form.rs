//! A booking to be made: what it is called, for whom, when, how it repeats, with a preview of every date.

use crossterm::event::KeyCode;

use crate::domain::booking::{Details, Price};
use crate::domain::calendar::Period;
use crate::domain::cart::Customer;
use crate::domain::money::{Currency, parse_amount};
use crate::domain::resource::Resource;
use crate::domain::text::clean;
use crate::domain::time::Slot;
use crate::engine::ops::{BookSeries, BookSlot, Conflicts, Past, Want};
use crate::engine::reads::calendar::ReadCheck;
use crate::tui::action::Action;
use crate::tui::field::{Field, FieldEdit};
use crate::tui::input::Key;
use crate::tui::keymap::KeyPlace;
use crate::tui::msg::Trouble;
use crate::tui::remote::{Again, Ticket};
use crate::tui::screens::calendar::dialog::fields::stepped;
use crate::tui::screens::calendar::dialog::times::{Clock, ids};
use crate::tui::screens::calendar::dialog::verdicts::Verdicts;
use crate::tui::screens::calendar::dialog::{Next, repeat};
use crate::tui::screens::calendar::moves::Towards;
use crate::tui::screens::calendar::places::{Clicked, Place, Places};
use crate::tui::shared::Context;
use crate::tui::targets::{List, Target};
use crate::tui::time::{TimeAct, TimeAnswer};

mod view;

const TITLE: usize = 0;
const CUSTOMER: usize = 1;
const PHONE: usize = 2;
const FROM: usize = 3;
const UNTIL: usize = 4;
const REPEAT: usize = 5;
const PRICE: usize = 6;
const NOTE: usize = 7;
/// The fields; behind them come the buttons.
const FIELDS: usize = 8;
const BOOK: usize = FIELDS;
const OTHER: usize = FIELDS + 1;

const LABELS: [&str; FIELDS] = [
    "Title", "For", "Phone", "From", "Until", "Repeat", "Price", "Note",
];

/// A booking to be made.
#[derive(Debug)]
pub(in crate::tui::screens::calendar) struct Form {
    resources: Vec<Resource>,
    clock: Clock,
    fields: [Field; FIELDS],
    stop: usize,
    checks: Verdicts,
    /// What the checks are about: each slot for each resource.
    slots: Vec<Slot>,
    problem: Option<String>,
    refused: Option<String>,
    /// The nearest free places when this one is taken.
    places: Places,
    /// What a price is in that is typed.
    currency: Currency,
    pub(super) flight: Option<Ticket>,
}

impl Form {
    /// For a slot of resources, which are all to be taken.
    pub(super) fn new(
        resources: Vec<Resource>,
        (slot, currency): (Slot, Currency),
        context: &mut Context<'_>,
    ) -> Self {
        let priced = resources.iter().find_map(|one| one.price.as_ref());
        let currency = priced.map_or(currency, |price| price.currency);
        let clock = Clock::of(&resources, context.shared);
        let mut form = Self {
            resources,
            clock,
            fields: std::array::from_fn(|_| Field::default()),
            stop: TITLE,
            checks: Verdicts::default(),
            slots: vec![slot],
            problem: None,
            refused: None,
            places: Places::default(),
            currency,
            flight: None,
        };
        form.show_times(slot);
        form.ask(context);
        form
    }

    pub(super) fn awaits(&self, ticket: Ticket) -> bool {
        self.checks.awaits(ticket) || self.places.awaits(ticket) || self.flight == Some(ticket)
    }

    fn text(&self, place: usize) -> String {
        self.fields.get(place).map(Field::text).unwrap_or_default()
    }

    /// Asks whether what is typed is free.
    pub(super) fn ask(&mut self, context: &mut Context<'_>) {
        let times = (&*self.text(FROM), &*self.text(UNTIL));
        let typed = self.clock.slot(times, context.shared.now);
        let priced = typed.and_then(|slot| self.price().map(|_| slot));
        let slots =
            priced.and_then(|slot| repeat::slots(&self.text(REPEAT), slot, self.clock.zone));
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
        self.checks.ask(self.wanted(), context);
    }

    /// Each slot for each resource.
    fn wanted(&self) -> Vec<ReadCheck> {
        let check = |slot: &Slot| {
            let wanted = *slot;
            self.resources.iter().map(move |one| ReadCheck {
                resource: one.id.clone(),
                wanted,
            })
        };
        self.slots.iter().flat_map(check).collect()
    }

    pub(super) fn answer(
        &mut self,
        ticket: Ticket,
        answer: Result<TimeAnswer, Trouble>,
        context: &mut Context<'_>,
    ) {
        if self.places.awaits(ticket) {
            self.places.came(answer);
            return;
        }
        if self.checks.settle(answer) == Again::Yes {
            self.ask(context);
        }
        self.ask_places(context);
    }

    /// The price that is typed; none when nothing is.
    fn price(&self) -> Result<Option<Price>, String> {
        let text = self.text(PRICE);
        if text.trim().is_empty() {
            return Ok(None);
        }
        let minor = parse_amount(text.trim(), self.currency)
            .map_err(|_| format!("{text:?} is no price; write it like 24.00"))?;
        let currency = self.currency;
        Ok(Some(Price { minor, currency }))
    }

    /// One resource is taken: looks where else there is room, on all dates where it repeats.
    fn ask_places(&mut self, context: &mut Context<'_>) {
        let taken = self
            .checks
            .on(&self.wanted())
            .is_some_and(|checks| checks.iter().any(|check| !check.free));
        match (self.resources.as_slice(), self.slots.as_slice()) {
            ([one], [slot]) if taken => self.places.look(one, *slot, context),
            ([one], dates) if taken => self.places.look_on_all(one, dates, context),
            _ => self.places.forget(),
        }
    }

    /// The place that is offered instead.
    fn place(&self) -> Option<Place> {
        self.places.chosen().filter(|_| self.problem.is_none())
    }

    pub(super) fn refused(&mut self, sentence: String, context: &mut Context<'_>) {
        self.flight = None;
        self.refused = Some(sentence);
        self.ask(context);
    }

    /// Dates with what stands in their way.
    fn conflicts(&self) -> Vec<Date<'_>> {
        let Some(checks) = self.checks.on(&self.wanted()) else {
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

    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "keys that mean nothing here are many"
    )]
    pub(super) fn key(&mut self, key: Key, context: &mut Context<'_>) -> Next {
        if self.flight.is_some() && key.code != KeyCode::Esc {
            return Next::Stay;
        }
        if let Some(stop) = stepped(key, (self.stop, FIELDS + 1)) {
            self.stop = stop;
            return Next::Stay;
        }
        match key.code {
            KeyCode::Esc => return Next::Close,
            KeyCode::Enter if self.stop == BOOK => return self.book(),
            KeyCode::Enter => self.stop = (self.stop + 1).min(BOOK),
            _ if self.stop == BOOK && accepts(key, context) => self.take_place(context),
            KeyCode::Right if self.stop == BOOK => self.places.turn(Towards::Later),
            KeyCode::Left if self.stop == BOOK => self.places.turn(Towards::Earlier),
            _ => {
                let stop = self.stop;
                let changed = self.fields.get_mut(stop).map(|field| field.key(key));
                if changed == Some(FieldEdit::Changed) {
                    self.refused = None;
                    if (FROM..=PRICE).contains(&stop) {
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
        match self.places.click(target) {
            Some(Clicked::Again) => self.take_place(context),
            Some(Clicked::First) => {
                self.stop = BOOK;
                return Next::Stay;
            }
            None => {}
        }
        match target {
            Target::Row(List::Dialog, BOOK) => {
                self.stop = BOOK;
                self.book()
            }
            Target::Row(List::Dialog, OTHER) => {
                self.take_place(context);
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

    /// Takes the place that is offered; what else was typed stays.
    fn take_place(&mut self, context: &mut Context<'_>) {
        let Some(place) = self.place() else {
            return;
        };
        let wanted = self
            .slots
            .first()
            .is_some_and(|slot| place.slot.covers(slot));
        self.resources = vec![place.resource];
        self.clock = Clock::of(&self.resources, context.shared);
        if !wanted {
            self.show_times(place.slot);
            // hours that are typed with the repeat would go before those of the place
            if let Some(field) = self.fields.get_mut(REPEAT) {
                *field = Field::with(&repeat::without_hours(&field.text()));
            }
        }
        self.refused = None;
        self.stop = BOOK;
        self.places.forget();
        self.ask(context);
    }

    fn show_times(&mut self, slot: Slot) {
        let times = [
            (FROM, self.clock.from(slot)),
            (UNTIL, self.clock.until(slot)),
        ];
        for (place, text) in times {
            if let Some(field) = self.fields.get_mut(place) {
                *field = Field::with(&text);
            }
        }
    }

    fn book(&mut self) -> Next {
        let Ok(price) = self.price() else {
            return Next::Stay;
        };
        if self.problem.is_some() || self.slots.is_empty() || self.flight.is_some() {
            return Next::Stay;
        }
        let details = Details {
            title: clean(&self.text(TITLE)),
            customer: Customer {
                name: clean(&self.text(CUSTOMER)),
                phone: clean(&self.text(PHONE)),
            },
            note: clean(&self.text(NOTE)),
            price,
        };
        let (resources, past) = (ids(&self.resources), Past::Refuse);
        Next::Try(match *self.slots.as_slice() {
            [slot] => TimeAct::run(BookSlot {
                wants: vec![Want::all(resources, slot)],
                details,
                past,
            }),
            _ => TimeAct::run(BookSeries {
                resources,
                any: None,
                slots: self.slots.clone(),
                details,
                conflicts: Conflicts::Skip,
                past,
            }),
        })
    }
}

/// A date, and what stands in its way.
type Date<'a> = (Slot, Option<(&'a Resource, &'a Period)>);

/// Whether a key accepts the place that is offered.
fn accepts(key: Key, context: &Context<'_>) -> bool {
    let action = context.shared.keymap.action(KeyPlace::Calendar, key);
    action == Some(Action::Accept)
}
