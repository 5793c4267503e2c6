//! Alternatives for a refused slot: the same time on similar resources before other times.

use std::fmt::Write;

use ratatui::text::Line;

use crate::domain::resource::{Fit, Resource, ResourceId};
use crate::domain::text::clean;
use crate::domain::time::{Instant, Slot, Span};
use crate::engine::reads::free_time::FreeResource;
use crate::tui::data::compound::ReadElsewhere;
use crate::tui::data::msg::{Query, Readable as _};
use crate::tui::data::reads::Needs;
use crate::tui::kit::action::Action;
use crate::tui::kit::context::Context;
use crate::tui::kit::keymap::KeyPlace;
use crate::tui::kit::list::Cursor;
use crate::tui::kit::shared::Shared;
use crate::tui::kit::targets::{RowList, Target};
use crate::tui::screens::calendar::geometry::Towards;

/// Maximum number of alternatives.
pub(super) const PLACES_MAX: usize = 4;
/// First row number of alternatives among the hit targets.
const HIT_FROM: usize = 10_000;

/// Alternative resource and slot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) resource: Resource,
    pub(super) slot: Slot,
    /// Similarity to the wanted slot and resource.
    fit: Fit,
    /// Number of dates of a series that it is free on, this being the first.
    dates: Option<usize>,
}

impl Place {
    /// Wording `Rehearsal 2   Sat 21 Nov 14:00-16:00`.
    pub(super) fn words(&self, now: Instant) -> String {
        format!("{}   {}", clean(&self.resource.name), self.slot.words(self.resource.grid, now))
    }

    /// Wording with the facts to know before accepting.
    pub(super) fn offer(&self, now: Instant) -> String {
        let mut words = self.words(now);
        if let Some(dates) = self.dates {
            let _ = write!(words, "   all {dates} dates");
        }
        if self.fit.likeness.is_smaller() {
            words.push_str("   smaller");
        }
        words
    }
}

/// Key of an alternative.
type PlaceKey = (ResourceId, Slot);

/// Search for alternatives, with the selected one.
#[derive(Debug, Default)]
pub(super) struct FreePlaces {
    question: Option<ReadElsewhere>,
    at: Cursor<PlaceKey>,
}

impl FreePlaces {
    /// Searches alternatives for a resource in a slot, or on all dates of a series.
    pub(super) fn look(&mut self, one: &Resource, slots: &[Slot]) {
        let Some(first) = slots.first() else {
            return;
        };
        let question = ReadElsewhere {
            resource: Box::new(one.clone()),
            slot: *first,
            dates: match slots {
                [_] => Vec::new(),
                dates => dates.to_vec(),
            },
        };
        if self.question.as_ref() != Some(&question) {
            *self = Self { question: Some(question), at: Cursor::default() };
        }
    }

    pub(super) fn forget(&mut self) {
        *self = Self::default();
    }

    pub(super) fn needs(&self, needs: &mut Needs) {
        if let Some(question) = &self.question {
            needs.of(question.clone());
        }
    }

    /// Keeps the selected alternative when the search is answered.
    pub(super) fn came(&mut self, question: &Query, shared: &Shared) {
        if self.question.as_ref().is_some_and(|mine| mine.is(question)) {
            self.at.keep(self.keys(shared));
        }
    }

    fn room<'s>(&self, shared: &'s Shared) -> Option<&'s Vec<FreeResource>> {
        shared.reads.get(self.question.as_ref()?)
    }

    /// True if the search is answered.
    pub(super) fn is_here(&self, shared: &Shared) -> bool {
        self.room(shared).is_some()
    }

    /// Alternatives, nearest in time first, then most similar.
    pub(super) fn all(&self, shared: &Shared) -> Vec<Place> {
        let (Some(of), Some(room)) = (&self.question, self.room(shared)) else {
            return Vec::new();
        };
        let mut places: Vec<Place> = Vec::new();
        for free in room {
            let Some(likeness) = of.resource.likeness(&free.resource) else {
                continue;
            };
            let nearest = free.slots.iter().filter_map(|stretch| near(&free.resource, *stretch, of.slot));
            if let Some((away, slot)) = nearest.min_by_key(|(away, _)| *away) {
                places.push(Place {
                    resource: free.resource.clone(),
                    slot,
                    fit: Fit { away, likeness },
                    dates: Some(of.dates.len()).filter(|dates| *dates > 0),
                });
            }
        }
        places.sort_by_key(|place| (place.fit, place.resource.name.clone()));
        places.truncate(PLACES_MAX);
        places
    }

    fn keys(&self, shared: &Shared) -> Vec<PlaceKey> {
        self.all(shared).into_iter().map(|place| (place.resource.id, place.slot)).collect()
    }

    /// Selected alternative.
    pub(super) fn chosen(&self, shared: &Shared) -> Option<Place> {
        self.all(shared).into_iter().nth(self.at.place(&self.keys(shared)))
    }

    /// Alternative that is accepted; none, and told so, after the selected one has gone.
    pub(super) fn take(&mut self, context: &mut Context<'_>) -> Option<Place> {
        self.chosen(context.shared).filter(|_| context.aims(&mut self.at))
    }

    /// Selects the next or previous alternative.
    pub(super) fn turn(&mut self, to: Towards, shared: &Shared) {
        let keys = self.keys(shared);
        let count = keys.len().max(1);
        let step = match to {
            Towards::Later => 1,
            Towards::Earlier => count - 1,
        };
        self.at.stand((self.at.place(&keys) + step) % count, keys);
    }

    /// Handles a click: selects an alternative, or reports a click on the selected one.
    pub(super) fn click(&mut self, target: &Target, shared: &Shared) -> Option<Clicked> {
        let Target::Row(RowList::Dialog, index) = target else {
            return None;
        };
        let at = index.checked_sub(HIT_FROM)?;
        let keys = self.keys(shared);
        if keys.get(at) == self.at.key() {
            return Some(Clicked::Again);
        }
        self.at.stand(at, keys);
        Some(Clicked::First)
    }

    /// Row number of the selected alternative among the hit targets; none without alternatives.
    pub(super) fn row(&self, shared: &Shared) -> Option<usize> {
        let keys = self.keys(shared);
        (!keys.is_empty()).then(|| HIT_FROM + self.at.place(&keys))
    }

    /// Lines of the alternatives, each with its row number among the hit targets.
    pub(super) fn lines(&self, shared: &Shared) -> Vec<(usize, Line<'static>)> {
        let chosen = self.at.place(&self.keys(shared));
        let line = |(index, place): (usize, &Place)| {
            let (key, style) = if index == chosen {
                let key = shared.keymap.key_text(KeyPlace::Calendar, Action::Accept);
                (format!("{key} "), shared.theme.selection)
            } else {
                ("  ".to_owned(), shared.theme.text)
            };
            let words = format!("    {key} {}", place.offer(shared.now));
            (HIT_FROM + index, Line::styled(words, style))
        };
        self.all(shared).iter().enumerate().map(line).collect()
    }
}

/// Effect of a click on an alternative.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Clicked {
    /// Selected by this click.
    First,
    /// Selected before: take it.
    Again,
}

/// Slot in a free span nearest to a wanted one, with its distance.
fn near(one: &Resource, stretch: Slot, wanted: Slot) -> Option<(Span, Slot)> {
    let length = wanted.span();
    let latest = stretch.until() - length;
    let from = wanted.from().clamp(stretch.from(), latest.max(stretch.from()));
    let slot = one.grid.normalise(Slot::new(from, from + length).ok()?);
    let away =
        if slot.from() > wanted.from() { slot.from().since(wanted.from()) } else { wanted.from().since(slot.from()) };
    stretch.covers(&slot).then_some((away, slot))
}
