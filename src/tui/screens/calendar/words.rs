//! What the calendar says of the time under the cursor, and what can be done with it.

use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span as Text};

use crate::domain::calendar::{Period, State};
use crate::domain::resource::ResourceId;
use crate::domain::text::{clean, fit, width};
use crate::domain::time::Slot;
use crate::tui::action::Action;
use crate::tui::canvas::{Canvas, after, row};
use crate::tui::keymap::Place;
use crate::tui::screens::calendar::Calendar;
use crate::tui::screens::calendar::lines::Shown;
use crate::tui::screens::calendar::marks::Choice;
use crate::tui::screens::calendar::phrases::{length_words, period_words, price_words, way_words};
use crate::tui::screens::calendar::view::look;
use crate::tui::shared::Shared;
use crate::tui::targets::Target;
use crate::tui::wording;

/// How far what is said stands from the left.
const INDENT: u16 = 10;

/// Whether something was drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Drawn {
    Yes,
    No,
}

/// What can be done, as it is offered: an action and its words.
type Offer = (Action, &'static str);

impl Calendar {
    /// Draws what stands below the timeline.
    pub(super) fn foot(&self, shared: &Shared, area: Rect, canvas: &mut Canvas<'_>) {
        let theme = &shared.theme;
        let rule = shared.glyphs.rule.to_string();
        let rule = rule.repeat(usize::from(area.width));
        canvas.text(row(area, 0), &rule, theme.border);
        let inset = Rect {
            x: area.x + 1,
            width: area.width.saturating_sub(2),
            ..area
        };
        let (head, phrases, offers) = self.said(shared);
        let line = |at| row(inset, at);
        canvas.text(line(1), head, theme.label);
        phrase_line(after(line(1), INDENT), &phrases, shared, canvas);
        offer_line(after(line(2), INDENT), &offers, shared, canvas);
        if self.refused_line(line(3), shared, canvas) == Drawn::No {
            cart_line(line(3), shared, canvas);
        }
        self.displaced_line(line(4), shared, canvas);
        let below = Rect {
            y: inset.y + 5,
            height: inset.height.saturating_sub(5),
            ..inset
        };
        legend(below, shared, canvas);
    }

    /// What was refused, and what is offered instead.
    fn refused_line(&self, area: Rect, shared: &Shared, canvas: &mut Canvas<'_>) -> Drawn {
        let refused = self.refused.as_ref();
        let Some(refused) = refused.filter(|refused| !refused.sentence.is_empty()) else {
            return Drawn::No;
        };
        let key = shared.keymap.key_text(Place::Calendar, Action::Accept);
        let offer = refused.places.chosen();
        let offer = offer.map_or(String::new(), |place| format!("{key}  {}", place.words()));
        let room = usize::from(area.width).saturating_sub(width(&offer) + 3);
        let words = format!("{} {}", shared.glyphs.cross, refused.sentence);
        let took = canvas.text(area, &fit(&words, room), shared.theme.warning);
        let right = after(area, took + 3);
        canvas.text(right, &offer, shared.theme.key);
        canvas.hit(right, Target::Act(Action::Accept));
        Drawn::Yes
    }

    /// The first displaced booking, and how many there are.
    fn displaced_line(&self, area: Rect, shared: &Shared, canvas: &mut Canvas<'_>) {
        let Some(first) = self.displaced.value().and_then(|items| items.first()) else {
            return;
        };
        let count = self.displaced.value().map_or(0, Vec::len);
        let key = shared.keymap.key_text(Place::Calendar, Action::Displaced);
        let words = format!(
            "! {count} displaced   {} lost {}, {}",
            clean(&first.owner),
            clean(&first.title),
            first.seats.join(", "),
        );
        let deal = format!("{key}  deal with it");
        let room = usize::from(area.width).saturating_sub(width(&deal) + 3);
        let took = canvas.text(area, &fit(&words, room), shared.theme.warning);
        canvas.text(after(area, took + 3), &deal, shared.theme.key);
        canvas.hit(area, Target::Act(Action::Displaced));
    }

    /// What is said of the cursor: a word, what it is, what can be done.
    fn said(&self, shared: &Shared) -> (&'static str, Vec<(String, Style)>, Vec<Offer>) {
        let theme = &shared.theme;
        if let Some(ghost) = &self.ghost {
            let to = self.ghost_goal(shared);
            let to = to.map(|(id, slot)| self.place_words(&id, (slot, shared)));
            let phrases = vec![
                (clean(&ghost.title), theme.strong),
                (format!("to   {}", to.unwrap_or_default()), theme.asked),
            ];
            let offers = vec![(Action::Main, "put it there"), (Action::Close, "leave it")];
            return ("Move", phrases, offers);
        }
        if let Some(marked) = self.marked(shared) {
            return (
                "Marked",
                self.choice_phrases(&marked, shared),
                self.free_offers(&marked, shared),
            );
        }
        if let Some(period) = self.bar(shared) {
            return self.bar_words(period, shared);
        }
        match (self.lines.shown.get(self.cursor.line), self.choice(shared)) {
            (Some(Shown::Group(_)), _) => (
                "",
                vec![("A group".to_owned(), theme.text)],
                vec![(Action::Pick, "fold or open")],
            ),
            (_, Some(choice)) => {
                let free = self.is_free(&choice, shared);
                let head = if free == Some(true) { "Free" } else { "Here" };
                (
                    head,
                    self.choice_phrases(&choice, shared),
                    self.free_offers(&choice, shared),
                )
            }
            _ => ("", Vec::new(), Vec::new()),
        }
    }

    /// Time of a resource: `Studio, Sat 21 Nov 20:00-22:00`.
    pub(super) fn place_words(&self, id: &ResourceId, (slot, shared): (Slot, &Shared)) -> String {
        let ids = std::slice::from_ref(id);
        format!(
            "{}, {}",
            self.names(ids),
            slot.words(self.zone_of(ids, shared))
        )
    }

    fn free_offers(&self, choice: &Choice, shared: &Shared) -> Vec<Offer> {
        if self.is_free(choice, shared) == Some(false) {
            return vec![
                (Action::Best, "find free time"),
                (Action::OutOfUse, "take it out of use"),
            ];
        }
        vec![
            (Action::Book, "book it"),
            (Action::Pick, "put it in the cart"),
            (Action::Best, "find free time"),
            (Action::OutOfUse, "take it out of use"),
        ]
    }

    /// Whether all of a choice is free; none when that is not known.
    pub(super) fn is_free(&self, choice: &Choice, shared: &Shared) -> Option<bool> {
        let mut all = true;
        for (one, slot) in choice.slots(shared) {
            let (_, taken) = one.taken(slot);
            let view = self.calendar(&one.id)?;
            let seen = taken.meet(&view.window)?;
            all &= view.periods_in(seen).ok()?.all(|period| {
                period.state == State::Free
                    || period.state == State::Closed && !period.slot.overlaps(&slot)
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
        let names: Vec<String> = slots.iter().map(|(one, _)| clean(&one.name)).collect();
        let name = if names.len() == 1 {
            names.concat()
        } else {
            format!("{} ({})", names.len(), wording::list(&names))
        };
        let mut phrases = vec![(name, theme.strong), (slot.words(one.zone()), theme.text)];
        phrases.push(match self.in_the_way(choice, shared) {
            Some(words) => (words, theme.warning),
            None if self.is_free(choice, shared).is_none() => (String::new(), theme.quiet),
            None if slots.len() > 1 => ("all free".to_owned(), theme.done),
            None => ("free".to_owned(), theme.done),
        });
        if let Some(price) = price_words(&slots) {
            phrases.push((price, theme.money));
        }
        phrases.push((length_words(one, *slot), theme.quiet));
        phrases
    }

    /// What stands in the way of a choice, the first of it.
    pub(super) fn in_the_way(&self, choice: &Choice, shared: &Shared) -> Option<String> {
        if self.is_free(choice, shared) != Some(false) {
            return None;
        }
        let several = choice.resources.len() > 1;
        for (one, slot) in choice.slots(shared) {
            let (_, taken) = one.taken(slot);
            let view = self.calendar(&one.id)?;
            let mut periods = view.periods_in(taken.meet(&view.window)?).ok()?;
            let closes =
                |period: &Period| period.state == State::Closed && !period.slot.overlaps(&slot);
            if let Some(period) =
                periods.find(|period| period.state != State::Free && !closes(period))
            {
                let name = if several {
                    format!("{}: ", clean(&one.name))
                } else {
                    String::new()
                };
                return Some(format!("{name}{}", way_words(period, one, slot)));
            }
        }
        None
    }

    fn bar_words(
        &self,
        period: &Period,
        shared: &Shared,
    ) -> (&'static str, Vec<(String, Style)>, Vec<Offer>) {
        let theme = &shared.theme;
        let Some(one) = self.line_resource(self.cursor.line) else {
            return ("", Vec::new(), Vec::new());
        };
        let head = match period.state {
            State::Held => "Held",
            State::Booked => "Booked",
            State::Maintenance
            | State::Relocation
            | State::Occupied
            | State::Disabled
            | State::OutOfService => "Out",
            State::Free | State::Closed | State::NotOpen => "Here",
        };
        let title = match (period.title.is_empty(), period.state) {
            (true, State::Held) => "in a cart".to_owned(),
            (true, state) => state.word().replace('_', " "),
            (false, _) => clean(&period.title),
        };
        let mut phrases = vec![(title, theme.strong)];
        if !period.customer.is_empty() && period.customer != period.title {
            phrases.push((clean(&period.customer), theme.text));
        }
        phrases.push((clean(&one.name), theme.text));
        phrases.push((period_words(period, one), theme.text));
        if period.is_buffer {
            phrases.push(("getting in or out".to_owned(), theme.quiet));
        } else if let Some(wanted) = period.wanted.filter(|wanted| {
            !one.grid.segment.is_day()
                && *wanted != period.slot
                && !period.from_before
                && !period.until_after
        }) {
            let zone = one.zone();
            let words = format!(
                "wanted {}-{}",
                wording::clock(wanted.from(), zone),
                wording::clock(wanted.until(), zone)
            );
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
            State::Held => vec![
                (Action::Main, "open"),
                (Action::Pick, "give it back, if it is yours"),
                (Action::OpenCarts, "open carts"),
            ],
            State::Free | State::Closed | State::NotOpen => Vec::new(),
            State::Maintenance
            | State::Relocation
            | State::Occupied
            | State::Disabled
            | State::OutOfService => {
                vec![(Action::Main, "open"), (Action::OutOfUse, "back into use")]
            }
        };
        (head, phrases, offers)
    }

    /// `Marked 20:00-22:00: n books it`.
    pub(super) fn mark_words(&self, shared: &Shared) -> Option<String> {
        let marked = self.marked(shared)?;
        let slots = marked.slots(shared);
        let (one, slot) = slots.first()?;
        let key = shared.keymap.key_text(Place::Calendar, Action::Book);
        Some(format!("Marked {}: {key} books it", slot.words(one.zone())))
    }
}

/// Phrases one after the other, as many as there is room for; the last is cut.
pub(super) fn phrase_line(
    area: Rect,
    phrases: &[(String, Style)],
    shared: &Shared,
    canvas: &mut Canvas<'_>,
) {
    let mut at = 0;
    for (text, style) in phrases.iter().filter(|(text, _)| !text.is_empty()) {
        let room = after(area, at);
        if room.width < 4 {
            break;
        }
        let text = fit(text, usize::from(room.width));
        at += canvas.text(room, &text, *style) + if shared.size.width < 96 { 2 } else { 3 };
    }
}

/// What can be done, each with its key; a click on it does it.
pub(super) fn offer_line(area: Rect, offers: &[Offer], shared: &Shared, canvas: &mut Canvas<'_>) {
    let mut at = 0;
    for (action, words) in offers {
        let key = shared.keymap.key_text(Place::Calendar, *action);
        let line = Line::from(vec![
            Text::styled(key, shared.theme.key),
            Text::styled(format!(" {words}"), shared.theme.hint),
        ]);
        let columns = u16::try_from(line.width()).unwrap_or(0);
        let cells = after(area, at);
        if cells.width < columns {
            break;
        }
        canvas.line(cells, &line);
        canvas.hit(
            Rect {
                width: columns,
                ..cells
            },
            Target::Act(*action),
        );
        at += columns + 3;
    }
}

/// The cart in a line: its time, its seats, what it costs.
fn cart_line(area: Rect, shared: &Shared, canvas: &mut Canvas<'_>) {
    let theme = &shared.theme;
    let Some(view) = shared.cart.view().filter(|view| !view.is_empty()) else {
        return;
    };
    canvas.text(area, "Cart", theme.label);
    let slots = view.slots.iter();
    let mut phrases: Vec<(String, Style)> = slots
        .map(|slot| (format!("{} {}", clean(&slot.name), slot.when()), theme.text))
        .collect();
    let seats = view.cart.seat_count();
    if seats > 0 {
        phrases.push((wording::count(seats, "seat"), theme.text));
    }
    if let Some(currency) = view.cart.currency {
        let total = crate::domain::money::priced(view.total, currency);
        phrases.insert(0, (total, theme.money));
    }
    let pay = shared.keymap.key_text(Place::Calendar, Action::Pay);
    phrases.insert(1.min(phrases.len()), (format!("{pay} pay"), theme.key));
    phrase_line(after(area, INDENT), &phrases, shared, canvas);
    canvas.hit(area, Target::Act(Action::Pay));
}

/// What the signs mean, in as many lines as there are.
fn legend(area: Rect, shared: &Shared, canvas: &mut Canvas<'_>) {
    let look = look(shared);
    let (glyphs, theme) = (look.glyphs, look.theme);
    let sign = |signs: &[char]| signs.iter().collect::<String>();
    let held = if shared.size.width < 96 {
        "held"
    } else {
        "held by another"
    };
    let entries = [
        (sign(&[glyphs.edge, glyphs.taken]), theme.text, "booked"),
        (sign(&[glyphs.held]), theme.held, held),
        (sign(&[glyphs.yours]), theme.aside, "in your cart"),
        (sign(&[glyphs.marked]), theme.marked, "marked"),
        (sign(&[glyphs.fill_rest]), theme.sold, "turnaround"),
        (sign(&[glyphs.disabled]), theme.disabled, "out of use"),
        (sign(&[glyphs.closed_time]), theme.filtered, "closed"),
        ("<>".to_owned(), theme.text, "goes on"),
        (sign(&[glyphs.now]), theme.warning, "now"),
    ];
    let (mut at, mut line) = (0, 0);
    for (sign, style, words) in entries {
        let text = Line::from(vec![
            Text::styled(sign, style),
            Text::styled(format!(" {words}"), theme.quiet),
        ]);
        let columns = u16::try_from(text.width()).unwrap_or(0);
        if at + columns > area.width {
            (at, line) = (0, line + 1);
        }
        canvas.line(after(row(area, line), at), &text);
        at += columns + 2;
    }
}
