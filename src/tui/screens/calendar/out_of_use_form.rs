//! Time to be taken out of use: how, until when and why, with the list of whom it would displace before it is done.

use ratatui::layout::Rect;

use crate::domain::booking::Cause;
use crate::domain::calendar::{Period, State};
use crate::domain::resource::{Count, Resource, ResourceId};
use crate::domain::time::{Instant, Slot, Span};
use crate::engine::ops::{Displace, Past, TakeOut};
use crate::engine::reads::calendar::Check;
use crate::tui::data::compound::ReadChecks;
use crate::tui::data::desk_act::DeskAct;
use crate::tui::data::reads::Needs;
use crate::tui::kit::canvas::Canvas;
use crate::tui::kit::context::Context;
use crate::tui::kit::dialog::{Dialog, Flow};
use crate::tui::kit::form::{Form, FormRow};
use crate::tui::kit::input::Key;
use crate::tui::kit::keymap::KeyPlace;
use crate::tui::kit::shared::Shared;
use crate::tui::screens::calendar::times::{Clock, counted, ids, units};

mod effect;

const KIND: usize = 0;
const REASON: usize = 1;
const UNTIL: usize = 2;
/// Number of units of a counted resource.
const COUNT: usize = 3;
const DO: usize = 4;

/// Causes to choose from, with their words.
const CAUSES: [Cause; 4] = [Cause::Maintenance, Cause::Relocation, Cause::Disable, Cause::OutOfService];
const CAUSE_WORDS: [&str; 4] = ["maintenance", "relocation", "disable", "out of service"];

/// Window in which an endless outage looks for bookings: the longest of one question.
const AHEAD: Span = Span::minutes(3 * 365 * 24 * 60);

/// Dialog that takes resources out of use.
#[derive(Debug)]
pub(super) struct OutOfUseForm {
    resources: Vec<Resource>,
    clock: Clock,
    slot: Slot,
    form: Form,
    /// Until when; nothing means until further notice.
    end: Result<Option<Slot>, String>,
}

impl OutOfUseForm {
    pub(super) fn new(resources: Vec<Resource>, slot: Slot, shared: &Shared) -> Self {
        let clock = Clock::of(&resources, shared);
        let rows = vec![
            FormRow::Pick("How", &CAUSE_WORDS, 0),
            FormRow::text("Because", ""),
            FormRow::text("Until", &clock.until(slot, shared.now)),
            FormRow::text("How many", ""),
            FormRow::Button,
        ];
        let mut form = Self { resources, clock, slot, form: Form::new(rows, REASON), end: Ok(Some(slot)) };
        form.form.skip_unless(form.counted().is_some(), COUNT);
        form
    }

    /// The counted resource, where a number of its units can go out of use: until further notice all do.
    fn counted(&self) -> Option<&Count> {
        counted(&self.resources).filter(|_| self.has_end())
    }

    /// Number of units that is typed; none for all of them.
    fn count(&self) -> Result<Option<u32>, String> {
        match self.counted() {
            Some(count) => units(count, &self.form.text(COUNT)),
            None => Ok(None),
        }
    }

    /// Reason why the time or the number can't be read, with its row.
    fn problem(&self) -> Option<(usize, String)> {
        let end = self.end.as_ref().err().map(|problem| (UNTIL, problem.clone()));
        end.or_else(|| match (self.count(), &self.end) {
            (Err(problem), _) => Some((COUNT, problem)),
            (Ok(Some(_)), Ok(None)) => Some((UNTIL, "Type until when, or leave out how many".to_owned())),
            (Ok(_), _) => None,
        })
    }

    fn cause(&self) -> Cause {
        CAUSES.get(self.form.picked(KIND)).cloned().unwrap_or(Cause::Maintenance)
    }

    /// Effect on others' time.
    fn hint(&self) -> &'static str {
        if self.has_end() && self.takes_over() {
            "takes over: bookings in the way go to the worklist"
        } else if self.takes_over() {
            "has no end; bookings in the way go to the worklist"
        } else {
            "only where nothing is booked"
        }
    }

    /// True if the outage takes over booked time.
    fn takes_over(&self) -> bool {
        matches!(self.cause(), Cause::Disable | Cause::OutOfService)
    }

    /// Until when may be typed.
    fn has_end(&self) -> bool {
        self.cause() != Cause::OutOfService
    }

    /// Reads until when.
    fn read(&mut self, now: Instant) {
        let text = self.form.text(UNTIL);
        self.end = if text.trim().is_empty() || !self.has_end() {
            Ok(None)
        } else {
            self.clock.ending((self.slot.from(), &text), now).map(Some)
        };
    }

    /// The time that goes out of use, of each resource; nothing while its end can't be read.
    fn wanted(&self) -> ReadChecks {
        let window = match &self.end {
            Ok(Some(slot)) => Some(*slot),
            Ok(None) => Slot::new(self.slot.from(), self.slot.from() + AHEAD).ok(),
            Err(_) => None,
        };
        // of each counted resource all go out of use, unless a number is typed
        let typed = self.count().ok().flatten();
        let all = |id: &ResourceId| {
            let found = self.resources.iter().find(|one| one.id == *id);
            found.and_then(|one| one.count.as_ref()).map(|count| count.number)
        };
        ReadChecks::of(window, &self.resources.iter().map(|one| &one.id)).count(|id| typed.or_else(|| all(id)))
    }

    /// The verdicts on that; none before the house has answered.
    fn verdicts<'s>(&self, shared: &'s Shared) -> Option<&'s Vec<Check>> {
        shared.reads.get(&self.wanted())
    }

    fn take_out(&mut self, context: &mut Context<'_>) {
        let reason = self.form.clean(REASON);
        if reason.is_empty() {
            self.form.refuse(REASON, "Say why, so that others know");
            return;
        }
        if let Some((row, problem)) = self.problem() {
            self.form.refuse(row, problem);
            return;
        }
        let (Ok(end), Ok(count)) = (&self.end, self.count()) else { return };
        if self.form.asked.is_some() {
            return;
        }
        // displaced bookings were listed; one that came since is not displaced unasked
        let listed = !self.has_end() && !self.hits(context.shared).is_empty();
        let act = DeskAct::run(TakeOut {
            resources: ids(&self.resources),
            count,
            from: Some(self.slot.from()),
            until: end.map(|slot| slot.until()),
            cause: self.cause(),
            reason,
            displace: if listed { Displace::Take } else { Displace::Ask },
            past: Past::Refuse,
        });
        self.form.asked = Some(context.act(act));
    }

    /// Bookings that would be displaced, each once for a resource.
    fn hits<'s>(&'s self, shared: &'s Shared) -> Vec<(&'s Resource, &'s Period)> {
        let Some(checks) = self.verdicts(shared) else {
            return Vec::new();
        };
        let hit = |period: &&Period| !matches!(period.state, State::Closed | State::NotOpen) && !period.is_buffer;
        let mut hits: Vec<(&Resource, &Period)> = Vec::new();
        for (one, check) in self.resources.iter().zip(checks) {
            for period in check.in_the_way.iter().filter(hit) {
                let told = |(other, before): &(&Resource, &Period)| {
                    other.id == one.id && period.owner.is_some() && before.owner == period.owner
                };
                if !hits.iter().any(told) {
                    hits.push((one, period));
                }
            }
        }
        hits
    }
}

impl Dialog for OutOfUseForm {
    fn place(&self) -> Option<KeyPlace> {
        Some(KeyPlace::Form)
    }

    fn form(&mut self) -> Option<&mut Form> {
        Some(&mut self.form)
    }

    /// Nobody is displaced by it.
    fn is_ready(&self, shared: &Shared) -> bool {
        let known = self.problem().is_none() && self.verdicts(shared).is_some();
        known && self.hits(shared).is_empty() && !self.form.clean(REASON).is_empty()
    }

    fn press(&mut self, context: &mut Context<'_>) -> Flow {
        self.take_out(context);
        Flow::Stay
    }

    fn edited(&mut self, row: usize, context: &mut Context<'_>) {
        if row != REASON {
            self.read(context.shared.now);
            self.form.skip_unless(self.counted().is_some(), COUNT);
        }
    }

    fn enter(&self, shared: &Shared) -> Option<String> {
        self.form.enter(self.button(shared), self.is_ready(shared))
    }

    fn key(&mut self, key: Key, context: &mut Context<'_>) -> Flow {
        // a time that has no end takes no text
        if self.form.at() == UNTIL && !self.has_end() && key.text().is_some() {
            return Flow::Stay;
        }
        self.edit(&|form| form.key(key), context)
    }

    fn paste(&mut self, text: &str, context: &mut Context<'_>) {
        if self.form.at() != UNTIL || self.has_end() {
            self.edit(&|form| form.paste(text), context);
        }
    }

    fn needs(&self, _shared: &Shared, needs: &mut Needs) {
        if self.problem().is_none() {
            needs.typed(self.wanted());
        }
    }

    fn would_take(&self, shared: &Shared) -> Option<(Vec<ResourceId>, Slot, bool)> {
        let slot = self.end.as_ref().ok()?.unwrap_or(self.slot);
        Some((ids(&self.resources), slot, !self.hits(shared).is_empty()))
    }

    fn view(&self, shared: &Shared, area: Rect, canvas: &mut Canvas<'_>) {
        self.draw(shared, area, canvas);
    }
}
