//! Search for free time: `2h` finds the first free two hours, `any 8 for 5 nights` eight rooms for a stay.

use crate::domain::resource::{Resource, ResourceId};
use crate::domain::time::{Instant, Slot, Span, Wall, day_start};
use crate::engine::reads::free_time::{FreeResource, ReadFree};
use crate::engine::reads::resources::ResourceFilter;
use crate::tui::data::reads::Needs;
use crate::tui::kit::context::Context;
use crate::tui::kit::shared::Shared;
use crate::tui::screens::calendar::Calendar;
use crate::tui::screens::calendar::geometry::on_screen;
use crate::tui::screens::calendar::phrases::{names_words, price_words, what_words};
use crate::tui::screens::calendar::state::{Mark, TimelineSpot};
use crate::tui::widgets::timeline::TimeZoom;
use crate::words;

/// Length of the searched window.
const AHEAD: Span = Span::minutes(120 * 24 * 60);
/// Maximum number of results to step through.
const CHOICES_MAX: usize = 50;

/// Typed search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Wish {
    /// Number of resources needed at the same time.
    pub(super) count: usize,
    /// Length of the slot.
    pub(super) length: Length,
}

/// Length of the slot to find.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Length {
    Time(Span),
    /// Number of nights.
    Nights(u32),
}

/// Result: resources that are free in the same slot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FreeResources {
    pub(super) resources: Vec<ResourceId>,
    pub(super) slot: Slot,
}

/// Search while its prompt is open.
#[derive(Debug, Default)]
pub(super) struct Search {
    wish: Option<Wish>,
    question: Option<ReadFree>,
    choices: Vec<FreeResources>,
    at: usize,
}

impl Search {
    pub(super) fn needs(&self, needs: &mut Needs) {
        if let Some(question) = &self.question {
            needs.typed(question.clone());
        }
    }

    /// Free time, once the last question is answered.
    fn answered<'s>(&self, shared: &'s Shared) -> Option<&'s Vec<FreeResource>> {
        let question = self.question.as_ref().filter(|question| !shared.reads.awaits(*question))?;
        shared.reads.get(question)
    }

    /// Result to be marked on Enter.
    pub(super) fn choice(&self) -> Option<&FreeResources> {
        self.choices.get(self.at)
    }

    fn step(&mut self, back: bool) {
        let count = self.choices.len().max(1);
        self.at = (self.at + if back { count - 1 } else { 1 }) % count;
    }

    /// Number of the result: `choice 2 of 14`.
    pub(super) fn place(&self) -> String {
        format!("choice {} of {}", self.at + 1, self.choices.len())
    }
}

/// Parses `2h`, `90m`, `3 nights`, `any 8 for 5 nights`.
pub(super) fn parse(text: &str) -> Option<Wish> {
    let text = text.to_lowercase();
    let text = text.trim().trim_start_matches("any").trim();
    let (count, length) = match text.split_once(" for ") {
        Some((count, length)) => (count.trim().parse().ok()?, length.trim()),
        None => (1, text),
    };
    let nights = ["nights", "night"].iter().find_map(|word| length.strip_suffix(word));
    let length = match nights {
        Some(number) => Length::Nights(number.trim().parse().ok().filter(|nights| *nights > 0)?),
        None if length.ends_with(|last: char| last.is_ascii_digit()) => return None,
        None => Length::Time(Span::parse(length).ok()?),
    };
    (count > 0).then_some(Wish { count, length })
}

/// Slots in which enough resources are free at once, earliest first.
pub(super) fn choices(wish: Wish, room: &[FreeResource]) -> Vec<FreeResources> {
    let fitting = |free: &FreeResource, from: Instant| -> Option<Slot> {
        let slot = wanted(wish, &free.resource, from)?;
        let fits = |stretch: &Slot| stretch.covers(&slot);
        free.slots.iter().any(fits).then_some(slot)
    };
    let mut starts: Vec<Instant> = room
        .iter()
        .flat_map(|free| {
            let grid = &free.resource.grid;
            free.slots.iter().map(|slot| grid.border_from(slot.from()))
        })
        .collect();
    starts.sort_unstable();
    starts.dedup();
    let mut found: Vec<FreeResources> = Vec::new();
    for start in starts {
        let free: Vec<(ResourceId, Slot)> =
            room.iter().filter_map(|free| Some((free.resource.id.clone(), fitting(free, start)?))).collect();
        let slot = free.first().map(|(_, slot)| *slot);
        let Some(slot) = slot.filter(|_| free.len() >= wish.count) else {
            continue;
        };
        let ids: Vec<ResourceId> = free.into_iter().map(|(id, _)| id).collect();
        let sets = if wish.count == 1 { ids.len() } else { 1 };
        for first in 0..sets {
            let resources: Vec<ResourceId> = ids.iter().skip(first).take(wish.count).cloned().collect();
            found.push(FreeResources { resources, slot });
        }
        if found.len() >= CHOICES_MAX {
            break;
        }
    }
    found
}

/// Slot of the wished length on a resource's grid, starting at a time.
fn wanted(wish: Wish, one: &Resource, from: Instant) -> Option<Slot> {
    let slot = match wish.length {
        Length::Time(span) => Slot::new(from, from + span).ok()?,
        Length::Nights(nights) => {
            let zone = one.zone();
            let date = from.in_zone(zone).date_naive();
            let until = date + chrono::Days::new(u64::from(nights));
            Slot::new(from, day_start(until, zone)).ok()?
        }
    };
    let slot = one.grid.normalise(slot);
    // a start off the grid gives a cell that begins earlier: no result
    (slot.from() == from).then_some(slot)
}

impl Calendar {
    /// Runs the typed search; returns the message for the prompt.
    pub(crate) fn light(&mut self, text: &str, shared: &Shared) -> String {
        let Some(wish) = parse(text) else {
            self.best = Search::default();
            return "write it like 2h, 90m, 3 nights, or any 8 for 5 nights".to_owned();
        };
        if self.best.wish != Some(wish) {
            self.best = Search { wish: Some(wish), question: self.wanted_room(wish, shared), ..Search::default() };
        }
        String::new()
    }

    /// Goes to the next or previous result.
    pub(crate) fn next_free(&mut self, back: bool) {
        self.best.step(back);
    }

    fn wanted_room(&self, wish: Wish, shared: &Shared) -> Option<ReadFree> {
        let at = self.at.max(shared.now);
        let from = match wish.length {
            Length::Time(_) => at,
            // the first night has begun
            Length::Nights(_) => {
                let zone = shared.zone;
                day_start(at.in_zone(zone).date_naive(), zone)
            }
        };
        let window = Slot::new(from, from + AHEAD).ok()?;
        let span = match wish.length {
            Length::Time(span) => span,
            // a night is at least this long
            Length::Nights(nights) => Span::minutes(i64::from(nights) * 23 * 60),
        };
        Some(ReadFree { count: None, filter: ResourceFilter::default(), window, span: Some(span) })
    }

    /// Ends the search with its prompt.
    pub(crate) fn unlight(&mut self) {
        self.best = Search::default();
    }

    pub(super) fn best_came(&mut self, shared: &Shared) {
        let Some(wish) = self.best.wish else {
            return;
        };
        let candidates = self.candidates(wish);
        if let Some(room) = self.best.answered(shared) {
            let room: Vec<FreeResource> =
                candidates.iter().filter_map(|id| room.iter().find(|free| free.resource.id == *id).cloned()).collect();
            self.best.choices = choices(wish, &room);
            self.best.at = 0;
        }
    }

    /// Resources to search: the group of the cursor, or all resources with cells that match the wish.
    fn candidates(&self, wish: Wish) -> Vec<ResourceId> {
        let Some(resources) = self.resources.as_ref() else {
            return Vec::new();
        };
        let nights = matches!(wish.length, Length::Nights(_));
        let fits = |place: &usize| {
            let one = resources.get(*place);
            one.is_some_and(|one| one.grid.segment.is_day() == nights)
        };
        let here = self.lines.groups.iter().find(|group| {
            let on = |place: &usize| resources.get(*place).is_some_and(|one| self.is_here(one));
            group.members.iter().any(on) && group.members.iter().any(fits)
        });
        let places: Vec<usize> = match here {
            Some(group) => group.members.clone(),
            None => self.lines.groups.iter().flat_map(|group| group.members.clone()).collect(),
        };
        let places = places.iter().filter(|place| fits(place));
        places.filter_map(|place| Some(resources.get(*place)?.id.clone())).collect()
    }

    /// Message about the search's results.
    pub(crate) fn best_words(&self, shared: &Shared) -> String {
        let Some(found) = self.best.choice() else {
            let none = self.best.wish.is_some() && self.best.answered(shared).is_some();
            return if none { "nothing is free for so long in the next 120 days".to_owned() } else { String::new() };
        };
        let wall = self.wall_of(&found.resources, shared);
        let slots = found.resources.iter().filter_map(|id| Some((self.resource(id)?, found.slot)));
        let slots: Vec<_> = slots.collect();
        let names = Some(names_words(&slots)).filter(|_| slots.len() > 1);
        let head = [what_words(&slots)].into_iter().chain(price_words(&slots));
        let rest = [found.slot.words(wall, shared.now), self.best.place()].into_iter().chain(names);
        head.chain(rest).collect::<Vec<_>>().join("   ")
    }

    /// Clock for the times of resources: that of the first.
    pub(super) fn wall_of(&self, resources: &[ResourceId], shared: &Shared) -> Wall {
        let one = resources.first().and_then(|id| self.resource(id));
        one.map_or(shared.zone.into(), |one| one.grid.into())
    }

    pub(super) fn resource(&self, id: &ResourceId) -> Option<&Resource> {
        self.resources.as_ref()?.iter().find(|one| one.id == *id)
    }

    /// Names of resources: `Studio`, `Room 11, Room 12 and 3 more`.
    pub(super) fn names(&self, resources: &[ResourceId]) -> String {
        let names: Vec<String> = resources.iter().filter_map(|id| Some(self.resource(id)?.name.clone())).collect();
        words::list(&names)
    }

    /// Marks the current result.
    pub(crate) fn take_best(&mut self, context: &mut Context<'_>) -> Result<(), String> {
        let found = self.best.choice().cloned().ok_or("nothing is found yet")?;
        let nights = |wish: Wish| matches!(wish.length, Length::Nights(_));
        if self.best.wish.is_some_and(nights) && self.zoom < TimeZoom::Nights {
            // a page of a day would show the first night, with the cursor on the last
            self.at = found.slot.from();
            self.set_zoom(TimeZoom::Nights, context);
        }
        self.unfold(&found.resources, context.shared);
        let lines = self.lines.of_resources(&found.resources);
        let first = lines.first().and_then(|first| self.lines.shown.get(*first)).cloned();
        let (Some(line), Some(last)) = (first, lines.last()) else {
            return Err(context.shared.keyed("what was found is not shown; an empty <filter> shows everything"));
        };
        let zones = (self.wall_of(&found.resources, context.shared).zone, context.shared.zone);
        let from = on_screen(found.slot.from(), zones);
        let until = on_screen(found.slot.until(), zones);
        self.stand_on_line(*last);
        self.top = self.first_line(context.shared);
        self.put_cursor(from, context);
        self.at = until - Span::from_millis(1);
        let (anchor, only) = (TimelineSpot { line, at: from }, Some(found.resources));
        self.mark = Some(Mark { anchor, resources: Vec::new(), only });
        self.mark_lines();
        if let Some((tone, words)) = self.mark_words(context.shared) {
            context.say(tone, words);
        }
        Ok(())
    }

    /// Opens the folded groups of some resources.
    pub(super) fn unfold(&mut self, ids: &[ResourceId], shared: &Shared) {
        let has = |place: &usize| {
            let one = self.resources.as_ref().and_then(|all| all.get(*place));
            one.is_some_and(|one| ids.contains(&one.id))
        };
        let folded: Vec<String> = self
            .lines
            .groups
            .iter()
            .filter(|group| group.members.iter().any(has) && self.is_folded(group))
            .map(|group| group.title.clone())
            .collect();
        for title in folded {
            self.toggle(title);
        }
        self.relist(shared);
    }
}

#[cfg(test)]
mod tests {
    use super::{Length, Wish, parse};
    use crate::domain::time::Span;

    #[test]
    fn typed_searches_are_parsed() {
        let time = |count, minutes| Some(Wish { count, length: Length::Time(Span::minutes(minutes)) });
        let nights = |count, nights| Some(Wish { count, length: Length::Nights(nights) });
        assert_eq!(parse("2h"), time(1, 120));
        assert_eq!(parse("90m"), time(1, 90));
        assert_eq!(parse("any 3 for 2h"), time(3, 120));
        assert_eq!(parse("any 8 for 5 nights"), nights(8, 5));
        assert_eq!(parse("1 night"), nights(1, 1));
        for wrong in ["", "2", "any", "0 for 2h", "x for 2h", "0 nights", "8 for"] {
            assert_eq!(parse(wrong), None, "{wrong}");
        }
    }
}
