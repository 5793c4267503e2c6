//! Wording of the period under the cursor, with the offered actions.

use ratatui::style::Style;

use crate::domain::calendar::{Period, State};
use crate::domain::operator::hands;
use crate::domain::resource::{Resource, ResourceId};
use crate::domain::text::clean;
use crate::domain::time::Slot;
use crate::tui::kit::action::Action;
use crate::tui::kit::keymap::KeyPlace;
use crate::tui::kit::shared::{Shared, Tone};
use crate::tui::screens::calendar::Calendar;
use crate::tui::screens::calendar::calendar_questions::waiting;
use crate::tui::screens::calendar::displaced::{Loss, loss};
use crate::tui::screens::calendar::phrases::{
    length_words, names_words, period_words, price_words, way_words, what_words,
};
use crate::tui::screens::calendar::resource_lines::LineKey;
use crate::tui::screens::calendar::state::Choice;
use crate::words;

/// Offered action with its label.
pub(super) type Offer = (Action, &'static str);

impl Calendar {
    /// Loss under the cursor.
    pub(super) fn loss_here<'s>(&self, shared: &'s Shared) -> Option<Loss<'s>> {
        let one = self.here()?;
        loss((self.bar(shared)?, &one.id), waiting(shared))
    }

    /// Foot of the cursor: a heading, phrases, and offered actions.
    pub(super) fn said(&self, shared: &Shared) -> (&'static str, Vec<(String, Style)>, Vec<Offer>) {
        let theme = &shared.theme;
        if let Some(ghost) = &self.ghost {
            let to = self.ghost_goal(shared);
            let to = to.map(|(id, slot)| self.place_words(&id, (slot, shared)));
            let phrases =
                vec![(clean(&ghost.title), theme.strong), (format!("to   {}", to.unwrap_or_default()), theme.asked)];
            let offers = vec![(Action::Main, "put it there"), (Action::Close, "leave it")];
            return ("Move", phrases, offers);
        }
        if let Some(marked) = self.marked(shared) {
            return ("Marked", self.choice_phrases(&marked, shared), self.free_offers(&marked, shared));
        }
        if let Some(period) = self.bar(shared) {
            return self.bar_words(period, shared);
        }
        match (self.line.key(), self.choice(shared)) {
            (Some(LineKey::Group(title)), _) => {
                ("", self.group_phrases(title, shared), vec![(Action::Pick, "fold or open")])
            }
            (_, Some(choice)) => {
                let free = self.is_free(&choice, shared);
                let head = if free == Some(true) { "Free" } else { "Here" };
                (head, self.choice_phrases(&choice, shared), self.free_offers(&choice, shared))
            }
            _ => ("", Vec::new(), Vec::new()),
        }
    }

    fn group_phrases(&self, title: &str, shared: &Shared) -> Vec<(String, Style)> {
        let phrases = self.lines.group(title).map(|group| {
            let title = (clean(&group.title), shared.theme.strong);
            vec![title, (self.group_words(group, shared), shared.theme.text)]
        });
        phrases.unwrap_or_default()
    }

    /// Resource and time: `Studio, Sat 21 Nov 20:00-22:00`.
    pub(super) fn place_words(&self, id: &ResourceId, (slot, shared): (Slot, &Shared)) -> String {
        let ids = std::slice::from_ref(id);
        format!("{}, {}", self.names(ids), slot.words(self.wall_of(ids, shared), shared.now))
    }

    fn free_offers(&self, choice: &Choice, shared: &Shared) -> Vec<Offer> {
        if self.is_free(choice, shared) == Some(false) {
            return vec![(Action::Book, "other places"), (Action::Best, "find free"), (Action::OutOfUse, "out of use")];
        }
        vec![
            (Action::Book, "book it"),
            (Action::Pick, "into cart"),
            (Action::Best, "find free"),
            (Action::OutOfUse, "out of use"),
        ]
    }

    /// True if all of a choice is free; none when that is unknown.
    pub(super) fn is_free(&self, choice: &Choice, shared: &Shared) -> Option<bool> {
        let mut all = true;
        for (one, slot) in choice.slots(shared) {
            let (_, taken) = one.taken(slot);
            let view = self.calendar(&one.id)?;
            let seen = taken.meet(&view.window)?;
            all &= view.periods_in(seen).ok()?.all(|period| {
                period.state == State::Free || period.state == State::Closed && !period.slot.overlaps(&slot)
            });
        }
        Some(all)
    }

    fn choice_phrases(&self, choice: &Choice, shared: &Shared) -> Vec<(String, Style)> {
        let theme = &shared.theme;
        let slots = choice.slots(shared);
        let Some((one, slot)) = slots.first() else {
            return Vec::new();
        };
        let mut phrases = vec![(what_words(&slots), theme.strong)];
        // money comes before what may be cut
        phrases.extend(price_words(&slots).map(|price| (price, theme.money)));
        phrases.push((slot.words(one.grid, shared.now), theme.text));
        phrases.push(match self.in_the_way(choice, shared) {
            Some(words) => (words, theme.warning),
            None if self.is_free(choice, shared).is_none() => (String::new(), theme.quiet),
            None if slots.len() > 1 => ("all free".to_owned(), theme.done),
            None => ("free".to_owned(), theme.done),
        });
        // nights are counted where they are named
        if !one.grid.segment.is_day() {
            phrases.push((length_words(one, *slot), theme.quiet));
        }
        if slots.len() > 1 {
            phrases.push((names_words(&slots), theme.text));
        }
        phrases
    }

    /// First conflict of a choice.
    pub(super) fn in_the_way(&self, choice: &Choice, shared: &Shared) -> Option<String> {
        if self.is_free(choice, shared) != Some(false) {
            return None;
        }
        let several = choice.resources.len() > 1;
        for (one, slot) in choice.slots(shared) {
            let (_, taken) = one.taken(slot);
            let view = self.calendar(&one.id)?;
            let mut periods = view.periods_in(taken.meet(&view.window)?).ok()?;
            let closes = |period: &Period| period.state == State::Closed && !period.slot.overlaps(&slot);
            if let Some(period) = periods.find(|period| period.state != State::Free && !closes(period)) {
                let name = if several { format!("{}: ", clean(&one.name)) } else { String::new() };
                return Some(format!("{name}{}", way_words(period, (one, slot), shared.now)));
            }
        }
        None
    }

    fn bar_words(&self, period: &Period, shared: &Shared) -> (&'static str, Vec<(String, Style)>, Vec<Offer>) {
        let theme = &shared.theme;
        let Some(one) = self.here() else {
            return ("", Vec::new(), Vec::new());
        };
        if let Some(loss) = loss((period, &one.id), waiting(shared)) {
            return lost_words(period, (one, &loss), shared);
        }
        let head = match period.state {
            State::Held => "Held",
            State::Booked => "Booked",
            State::Maintenance | State::Relocation | State::Occupied | State::Disabled | State::OutOfService => "Out",
            State::Free | State::Closed | State::NotOpen => "Here",
        };
        // time comes before customer and resource, which are visible beside it or may be cut
        let mut phrases =
            vec![(title_words(period), theme.strong), (period_words(period, one, shared.now), theme.text)];
        if !period.customer.is_empty() && period.customer != period.title {
            phrases.push((clean(&period.customer), theme.text));
        }
        let is_cause = matches!(period.state, State::Maintenance | State::Relocation);
        if is_cause && !period.title.is_empty() && period.title != period.state.word() {
            phrases.push((period.state.word().to_owned(), theme.text));
        }
        if !period.operator.is_empty() {
            phrases.push((format!("by {}", clean(&hands(&period.operator, period.approved.as_deref()))), theme.text));
        }
        if !period.calendar.is_empty() {
            phrases.push((format!("from {}", clean(&period.calendar)), theme.text));
        }
        phrases.push((clean(&one.name), theme.text));
        if period.is_buffer {
            phrases.push(("getting in or out".to_owned(), theme.quiet));
        } else if let Some(wanted) =
            period.wanted.filter(|wanted| !one.grid.segment.is_day() && *wanted != period.whole)
        {
            let zone = one.zone();
            let words = format!("wanted {}-{}", words::clock(wanted.from(), zone), words::clock(wanted.until(), zone));
            phrases.push((words, theme.quiet));
        }
        if let Some(until) = period.until.filter(|_| period.state == State::Held) {
            let left = until.since(shared.now).clock();
            phrases.push((format!("{left} left"), theme.held));
        }
        let offers = match period.state {
            State::Booked => vec![
                (Action::Main, "open"),
                (Action::Move, "move"),
                (Action::Series, "series"),
                (Action::CancelBooking, "cancel"),
            ],
            State::Held if self.own_line(shared).is_some() => {
                vec![(Action::Main, "open"), (Action::Pick, "give it back")]
            }
            State::Held => vec![(Action::Main, "open"), (Action::OpenCarts, "open carts")],
            State::Free | State::Closed | State::NotOpen => Vec::new(),
            State::Maintenance | State::Relocation | State::Occupied | State::Disabled | State::OutOfService => {
                vec![(Action::Main, "open"), (Action::OutOfUse, "back into use")]
            }
        };
        (head, phrases, offers)
    }

    /// Wording of the mark: `Marked 20:00-22:00: a click on it or n books it`, or its first conflict.
    pub(super) fn mark_words(&self, shared: &Shared) -> Option<(Tone, String)> {
        let marked = self.marked(shared)?;
        let slots = marked.slots(shared);
        let (one, slot) = slots.first()?;
        let key = shared.keymap.key_text(KeyPlace::Calendar, Action::Book);
        let when = slot.words(one.grid, shared.now);
        Some(match self.in_the_way(&marked, shared) {
            Some(words) => (Tone::Note, format!("Not free: {words}; {key} shows other places")),
            None => (Tone::Done, format!("Marked {when}: a click on it or {key} books it")),
        })
    }
}

/// Title of a period; without one, its kind.
fn title_words(period: &Period) -> String {
    match (period.title.is_empty(), period.state) {
        (true, State::Held) => "in a cart".to_owned(),
        (true, state) => state.word().replace('_', " "),
        (false, _) => clean(&period.title),
    }
}

/// Wording of lost time, or of what is left of a booking.
fn lost_words(
    period: &Period,
    (one, loss): (&Resource, &Loss<'_>),
    shared: &Shared,
) -> (&'static str, Vec<(String, Style)>, Vec<Offer>) {
    let theme = &shared.theme;
    let slots: Vec<String> = loss.slots.iter().map(|slot| slot.words(one.grid, shared.now)).collect();
    let what = format!("lost {}, {}", clean(&one.name), slots.join(", "));
    let mut phrases =
        vec![(clean(&loss.view.owner), theme.strong), (what, theme.warning), (clean(loss.reason), theme.text)];
    let deal = (Action::Displaced, "deal with it");
    if period.state == State::Booked {
        phrases.push((format!("left {}", period_words(period, one, shared.now)), theme.quiet));
        let offers =
            vec![deal, (Action::Main, "open"), (Action::Move, "move what is left"), (Action::CancelBooking, "cancel")];
        return ("Displaced", phrases, offers);
    }
    let offers = vec![deal, (Action::Main, "open what was displaced"), (Action::OutOfUse, "back into use")];
    ("Displaced", phrases, offers)
}
