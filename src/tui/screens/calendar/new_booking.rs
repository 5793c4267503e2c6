//! A booking to be made: what it is called, for whom, when, how it repeats, with a preview of every date.

use crossterm::event::KeyCode;

use ratatui::layout::Rect;

use crate::domain::booking::{AnyOf, Details};
use crate::domain::money::{Currency, Price, parse_amount};
use crate::domain::recurrence::without_hours;
use crate::domain::resource::{Resource, ResourceId};
use crate::domain::time::{Instant, Slot};
use crate::engine::ops::{BookSeries, BookSlot, Conflicts, Past, Want};
use crate::engine::reads::calendar::Check;
use crate::tui::data::compound::ReadChecks;
use crate::tui::data::desk_act::DeskAct;
use crate::tui::data::msg::Query;
use crate::tui::data::reads::Needs;
use crate::tui::kit::action::Action;
use crate::tui::kit::canvas::Canvas;
use crate::tui::kit::context::Context;
use crate::tui::kit::dialog::{Dialog, Flow};
use crate::tui::kit::form::{Form, FormRow};
use crate::tui::kit::input::Key;
use crate::tui::kit::keymap::KeyPlace;
use crate::tui::kit::screen::Click;
use crate::tui::kit::shared::Shared;
use crate::tui::kit::targets::Target;
use crate::tui::screens::calendar::geometry::Towards;
use crate::tui::screens::calendar::phrases::check_words;
use crate::tui::screens::calendar::places::{Clicked, FreePlaces, Place};
use crate::tui::screens::calendar::times::{Clock, counted, ids, units};

mod verdict;

const TITLE: usize = 0;
const CUSTOMER: usize = 1;
const CONTACT: usize = 2;
const FROM: usize = 3;
const UNTIL: usize = 4;
/// Number of units of a counted resource.
const COUNT: usize = 5;
const PRICE: usize = 6;
const NOTE: usize = 7;
/// The last field, above its preview of every date.
const REPEAT: usize = 8;
/// The fields; behind them comes the button.
const FIELDS: usize = 9;
const BOOK: usize = FIELDS;

const LABELS: [&str; FIELDS] = ["Title", "For", "Contact", "From", "Until", "How many", "Price", "Note", "Repeat"];

/// A booking to be made.
#[derive(Debug)]
pub(super) struct NewBooking {
    resources: Vec<Resource>,
    clock: Clock,
    form: Form,
    /// Checked slots, each for each resource.
    slots: Vec<Slot>,
    /// Row of what could not be read, and why.
    problem: Option<(usize, String)>,
    /// The nearest free places when this one is taken.
    places: FreePlaces,
    /// Currency of a typed price.
    currency: Currency,
}

impl NewBooking {
    /// For a slot of resources, which are all to be taken.
    pub(super) fn new(resources: Vec<Resource>, (slot, currency): (Slot, Currency), shared: &Shared) -> Self {
        let priced = resources.iter().find_map(|one| one.price.as_ref());
        let currency = priced.map_or(currency, |price| price.currency);
        let clock = Clock::of(&resources, shared);
        let rows = LABELS.iter().map(|label| FormRow::text(label, ""));
        let mut form = Self {
            resources,
            clock,
            form: Form::new(rows.chain([FormRow::Button]).collect(), TITLE),
            slots: vec![slot],
            problem: None,
            places: FreePlaces::default(),
            currency,
        };
        form.form.skip_unless(counted(&form.resources).is_some(), COUNT);
        form.show_times(slot, shared.now);
        form.read(shared.now);
        form
    }

    /// Number of units that is typed, one if nothing is; none where nothing is counted.
    fn count(&self) -> Result<Option<u32>, String> {
        let Some(count) = counted(&self.resources) else { return Ok(None) };
        let typed = units(count, &self.form.text(COUNT))?;
        Ok(Some(typed.unwrap_or(1)))
    }

    /// Reads the slots that are typed.
    fn read(&mut self, now: Instant) {
        let (from, until) = (self.form.text(FROM), self.form.text(UNTIL));
        let typed = self.clock.slot([(FROM, &from), (UNTIL, &until)], now);
        let priced = typed.and_then(|slot| self.price().map(|_| slot).map_err(|problem| (PRICE, problem)));
        let priced = priced.and_then(|slot| self.count().map(|_| slot).map_err(|problem| (COUNT, problem)));
        let repeated = |slot| self.clock.repeated(&self.form.text(REPEAT), slot, now);
        match priced.and_then(|slot| repeated(slot).map_err(|problem| (REPEAT, problem))) {
            Ok(slots) => {
                self.problem = None;
                self.slots = slots;
            }
            Err(problem) => {
                self.problem = Some(problem);
                self.places.forget();
            }
        }
    }

    /// Each slot for each resource; none while something can't be read.
    fn wanted(&self) -> Option<ReadChecks> {
        let ids = self.resources.iter().map(|one| &one.id);
        let count = self.count().ok()?;
        self.problem.is_none().then(|| ReadChecks::of(self.slots.iter().copied(), &ids).count(|_| count))
    }

    /// Verdicts on the slots; none before the house has answered.
    fn checks<'s>(&self, shared: &'s Shared) -> Option<&'s Vec<Check>> {
        shared.reads.get(&self.wanted()?)
    }

    /// The price that is typed; none when nothing is.
    fn price(&self) -> Result<Option<Price>, String> {
        let text = self.form.text(PRICE);
        if text.trim().is_empty() {
            return Ok(None);
        }
        let minor = parse_amount(text.trim(), self.currency)
            .map_err(|_| format!("{text:?} is no price; write it like 24.00"))?;
        let currency = self.currency;
        Ok(Some(Price { minor, currency }))
    }

    /// One resource is taken: looks where else there is room, on all dates where it repeats.
    fn look(&mut self, shared: &Shared) {
        let taken = self.checks(shared).is_some_and(|checks| checks.iter().any(|check| !check.free));
        match (self.resources.as_slice(), self.slots.as_slice()) {
            ([one], dates) if taken && one.count.is_none() => self.places.look(one, dates),
            _ => self.places.forget(),
        }
    }

    /// The place that is offered instead.
    fn place(&self, shared: &Shared) -> Option<Place> {
        self.places.chosen(shared)
    }

    /// Dates with what stands in their way; none while something can't be read.
    fn conflicts(&self, shared: &Shared) -> Vec<Date<'_>> {
        let Some(checks) = self.checks(shared) else {
            return Vec::new();
        };
        let each = self.resources.len().max(1);
        self.slots
            .iter()
            .zip(checks.chunks(each))
            .map(|(slot, checks)| {
                let met = self.resources.iter().zip(checks).find_map(|(one, check)| {
                    let words = check_words(check, (one, *slot), shared.now)?;
                    Some((one, words))
                });
                (*slot, met)
            })
            .collect()
    }

    /// Takes the place that is offered; what else was typed stays.
    fn take_place(&mut self, context: &mut Context<'_>) {
        if self.problem.is_some() {
            return;
        }
        let Some(place) = self.places.take(context) else {
            return;
        };
        let wanted = self.slots.first().is_some_and(|slot| place.slot.covers(slot));
        self.resources = vec![place.resource];
        self.clock = Clock::of(&self.resources, context.shared);
        self.form.skip_unless(counted(&self.resources).is_some(), COUNT);
        if !wanted {
            self.show_times(place.slot, context.shared.now);
            // hours that are typed with the repeat would go before those of the place
            let repeat = without_hours(&self.form.text(REPEAT));
            self.form.set(REPEAT, &repeat);
        }
        self.form.note = None;
        self.form.focus(BOOK);
        self.places.forget();
        self.read(context.shared.now);
    }

    fn show_times(&mut self, slot: Slot, now: Instant) {
        let [from, until] = self.clock.texts(slot, now);
        self.form.set(FROM, &from);
        self.form.set(UNTIL, &until);
    }

    fn book(&mut self, context: &mut Context<'_>) {
        if let Some((row, problem)) = self.problem.clone() {
            self.form.refuse(row, problem);
        }
        let Some(price) = self.price().ok().filter(|_| self.problem.is_none() && self.form.asked.is_none()) else {
            return;
        };
        let customer = match self.form.customer([CUSTOMER, CONTACT]) {
            Ok(customer) => customer,
            Err((row, problem)) => return self.form.refuse(row, problem),
        };
        let details = Details { title: self.form.clean(TITLE), customer, note: self.form.clean(NOTE), price };
        let (of, past) = (ids(&self.resources), Past::Refuse);
        let any = self.count().ok().flatten();
        let act = match *self.slots.as_slice() {
            [slot] => DeskAct::run(BookSlot { wants: vec![Want { of, any, slot }], details, past }),
            _ => DeskAct::run(BookSeries {
                resources: if any.is_none() { of.clone() } else { Vec::new() },
                any: any.map(|count| AnyOf { of, count }),
                slots: self.slots.clone(),
                details,
                conflicts: Conflicts::Skip,
                past,
            }),
        };
        self.form.asked = Some(context.act(act));
    }
}

impl Dialog for NewBooking {
    fn place(&self) -> Option<KeyPlace> {
        Some(KeyPlace::Form)
    }

    fn form(&mut self) -> Option<&mut Form> {
        Some(&mut self.form)
    }

    /// Every date is free.
    fn is_ready(&self, shared: &Shared) -> bool {
        let dates = self.conflicts(shared);
        let free = !dates.is_empty() && dates.iter().all(|(_, met)| met.is_none());
        free && !self.form.clean(TITLE).is_empty()
    }

    fn press(&mut self, context: &mut Context<'_>) -> Flow {
        self.book(context);
        Flow::Stay
    }

    fn edited(&mut self, row: usize, context: &mut Context<'_>) {
        if matches!(row, FROM..=PRICE | REPEAT) {
            self.read(context.shared.now);
        }
    }

    fn enter(&self, shared: &Shared) -> Option<String> {
        self.form.enter(self.book_words(shared), self.is_ready(shared))
    }

    fn act(&mut self, action: Action, context: &mut Context<'_>) -> Flow {
        if self.form.asked.is_some() && action != Action::Close {
            return Flow::Stay;
        }
        if action == Action::Accept {
            self.take_place(context);
            return Flow::Stay;
        }
        let ready = self.is_ready(context.shared);
        self.edit(&|form| form.act(action, ready), context)
    }

    fn key(&mut self, key: Key, context: &mut Context<'_>) -> Flow {
        if self.form.asked.is_some() {
            return Flow::Stay;
        }
        if self.form.at() == BOOK {
            if accepts(key, context) {
                self.take_place(context);
                return Flow::Stay;
            }
            if key.code == KeyCode::Right {
                self.places.turn(Towards::Later, context.shared);
            } else if key.code == KeyCode::Left {
                self.places.turn(Towards::Earlier, context.shared);
            }
        }
        self.edit(&|form| form.key(key), context)
    }

    fn click(&mut self, target: &Target, click: Click, context: &mut Context<'_>) -> Flow {
        match self.places.click(target, context.shared) {
            Some(Clicked::Again) => self.take_place(context),
            Some(Clicked::First) => {
                self.form.focus(BOOK);
                return Flow::Stay;
            }
            None => {}
        }
        self.edit(&|form| form.click(target, click), context)
    }

    fn needs(&self, _shared: &Shared, needs: &mut Needs) {
        if let Some(wanted) = self.wanted() {
            needs.typed(wanted);
        }
        self.places.needs(needs);
    }

    fn came(&mut self, question: &Query, context: &mut Context<'_>) -> Flow {
        self.places.came(question, context.shared);
        if matches!(question, Query::Checks(_)) {
            self.look(context.shared);
        }
        Flow::Stay
    }

    fn would_take(&self, shared: &Shared) -> Option<(Vec<ResourceId>, Slot, bool)> {
        let slot = *self.slots.first().filter(|_| self.problem.is_none())?;
        let collides = self.conflicts(shared).first().is_some_and(|(_, met)| met.is_some());
        Some((ids(&self.resources), slot, collides))
    }

    fn view(&self, shared: &Shared, area: Rect, canvas: &mut Canvas<'_>) {
        self.draw(shared, area, canvas);
    }
}

/// A date, and what stands in its way.
type Date<'a> = (Slot, Option<(&'a Resource, String)>);

/// True for a key that accepts the offered place.
fn accepts(key: Key, context: &Context<'_>) -> bool {
    let action = context.shared.keymap.action(KeyPlace::Calendar, key);
    action == Some(Action::Accept)
}
