//! How a booking to be made looks: its fields, what the house says of it, and every date of a repeat.

use ratatui::layout::Rect;

use crate::domain::resource::Resource;
use crate::domain::text::clean;
use crate::domain::time::{Slot, Wall};
use crate::tui::action::Action;
use crate::tui::canvas::{Canvas, after, row};
use crate::tui::dialogs::form::draw_button;
use crate::tui::keymap::KeyPlace;
use crate::tui::screens::calendar::dialog::fields::{self, say};
use crate::tui::screens::calendar::dialog::form::{
    BOOK, CUSTOMER, Date, FROM, NOTE, NewBooking, PRICE, REPEAT, TITLE, UNTIL,
};
use crate::tui::screens::calendar::phrases::{length_words, price_words, way_words};
use crate::tui::shared::Shared;
use crate::tui::targets::Target;
use crate::tui::wording;

/// The line of the rule below the fields.
const RULE: u16 = 9;

impl NewBooking {
    /// Draws it.
    pub(in crate::tui::screens::calendar) fn draw(
        &self,
        shared: &Shared,
        body: Rect,
        canvas: &mut Canvas<'_>,
    ) {
        let dates = u16::try_from(self.slots.len().min(60)).unwrap_or(60);
        let list = if dates > 1 { dates.min(12) } else { 0 };
        let list = list + self.places_lines();
        let height = (RULE + 8 + list).min(body.height);
        let names: Vec<String> = self.resources.iter().map(|one| clean(&one.name)).collect();
        let title = format!("New booking   {}", wording::list(&names));
        let width = 74.min(body.width);
        let inner = fields::frame(
            (&title, KeyPlace::Form),
            (width, height),
            shared,
            (body, canvas),
        );
        for (line, stop) in (1..).zip(TITLE..BOOK) {
            let place = (row(inner, line), &mut *canvas);
            let (does, hint) = (self.book_words(), self.hint(stop));
            let hint = self.form.hint(stop, (&does, &hint), self.is_ready());
            self.form.draw((stop, &hint), shared, place);
        }
        canvas.text(
            row(inner, RULE),
            &shared.rule(inner.width),
            shared.theme.border,
        );
        let used = self.judge((inner, RULE + 1), shared, canvas);
        let at = (RULE + 1 + used + 1).min(inner.height.saturating_sub(1));
        let words = self.book_words();
        let place = (row(inner, at), &mut *canvas);
        let took = self.form.draw((BOOK, &words), shared, place);
        if let Some(other) = self.place() {
            let key = shared.keymap.key_text(KeyPlace::Calendar, Action::Accept);
            let words = format!("{key}  take {}", clean(&other.resource.name));
            let other = after(row(inner, at), took + 2);
            let button = (words.as_str(), Target::Act(Action::Accept));
            draw_button(button, shared.theme.button, (other, canvas));
        }
    }

    /// Lines of the offered places.
    fn places_lines(&self) -> u16 {
        u16::try_from(self.places.all().len()).unwrap_or(0)
    }

    pub(super) fn book_words(&self) -> String {
        if self.flight.is_some() {
            return "booking ...".to_owned();
        }
        let conflicts = self.conflicts();
        let free = conflicts.iter().filter(|(_, met)| met.is_none()).count();
        match (self.slots.len(), free) {
            (_, 0) if !conflicts.is_empty() => "not free, try again".to_owned(),
            (0 | 1, _) => "book it".to_owned(),
            (all, free) if all == free => format!("book all {all} dates"),
            (_, free) => format!("book the {free} free dates"),
        }
    }

    fn hint(&self, stop: usize) -> String {
        match stop {
            TITLE => "what it is".to_owned(),
            CUSTOMER => "who it is for".to_owned(),
            FROM if self.problem.is_none() => String::new(),
            FROM => "fri 14:00, 27 nov 18:30".to_owned(),
            UNTIL => match (self.resources.first(), self.slots.first()) {
                (Some(one), Some(slot)) => length_words(one, one.grid.normalise(*slot)),
                _ => String::new(),
            },
            PRICE => self.price_hint(),
            NOTE => "more about it".to_owned(),
            REPEAT => "weekly until 15 dec, tue thu 18-20 x10".to_owned(),
            _ => String::new(),
        }
    }

    /// Hint of the price: the cost by the hour, or the currency.
    fn price_hint(&self) -> String {
        let Some(slot) = self.slots.first() else {
            return String::new();
        };
        let priced: Vec<(&Resource, Slot)> = self
            .resources
            .iter()
            .map(|one| (one, one.grid.normalise(*slot)))
            .collect();
        match price_words(&priced) {
            Some(price) => format!("{} {price} for this time", self.currency),
            None => format!("{}, if it costs anything", self.currency),
        }
    }

    /// Draws the verdict; returns its number of lines.
    fn judge(&self, (inner, at): (Rect, u16), shared: &Shared, canvas: &mut Canvas<'_>) -> u16 {
        let theme = &shared.theme;
        if let Some(problem) = self.problem.as_ref().or(self.form.note.as_ref()) {
            fields::problem((inner, at), problem, (shared, &mut *canvas));
            return self.places.view((inner, at + 2), shared, canvas) - at;
        }
        let dates = self.conflicts();
        if dates.len() > 1 {
            return self.preview((inner, at), (&dates, shared), canvas);
        }
        let (Some(one), Some(slot)) = (self.resources.first(), self.slots.first()) else {
            return 1;
        };
        say((inner, at), (&taken_line(one, *slot), theme.text), canvas);
        match dates.first() {
            Some((_, Some((one, period)))) => {
                let words = format!(
                    "{} {}: {}",
                    shared.glyphs.cross,
                    clean(&one.name),
                    way_words(period, one, *slot)
                );
                say((inner, at + 1), (&words, theme.warning), canvas);
                return self.places.view((inner, at + 2), shared, canvas) - at;
            }
            Some((_, None)) => {
                let words = format!("{} free", shared.glyphs.tick);
                say((inner, at + 1), (&words, theme.done), canvas);
            }
            None => say((inner, at + 1), ("  ...", theme.quiet), canvas),
        }
        2
    }

    /// Every date of a repeat, with what stands in its way.
    fn preview(
        &self,
        (inner, at): (Rect, u16),
        (dates, shared): (&[Date<'_>], &Shared),
        canvas: &mut Canvas<'_>,
    ) -> u16 {
        let theme = &shared.theme;
        let first = self.resources.first();
        let wall = first.map_or(self.clock.zone.into(), |one| Wall::from(one.grid));
        let room = inner.height.saturating_sub(at + 3 + self.places_lines());
        let conflicts = dates.iter().filter(|(_, met)| met.is_some()).count();
        let head = format!(
            " {} dates, {} free{}",
            dates.len(),
            dates.len() - conflicts,
            if conflicts > 0 {
                ", the others are left out and told"
            } else {
                ""
            }
        );
        say((inner, at), (&head, theme.strong), canvas);
        // those in the way come into view first when there is no room for all
        let mut shown: Vec<&Date<'_>> = dates.iter().collect();
        if shown.len() > usize::from(room) {
            shown.sort_by_key(|(slot, met)| (met.is_none(), slot.from()));
            shown.truncate(usize::from(room).saturating_sub(1));
            shown.sort_by_key(|(slot, _)| slot.from());
        }
        let mut line = at + 1;
        for (slot, met) in &shown {
            let (sign, style, words) = match met {
                Some((one, period)) => (
                    shared.glyphs.cross,
                    theme.warning,
                    way_words(period, one, *slot),
                ),
                None => (shared.glyphs.tick, theme.text, String::new()),
            };
            let text = format!(" {sign} {}   {words}", slot.words(wall));
            say((inner, line), (&text, style), canvas);
            line += 1;
        }
        let more = dates.len() - shown.len();
        let met = shown.iter().filter(|(_, met)| met.is_some()).count();
        let hidden = conflicts.saturating_sub(met);
        if more > 0 {
            say(
                (inner, line),
                (&more_words(more, hidden), theme.quiet),
                canvas,
            );
            line += 1;
        }
        self.places.view((inner, line), shared, canvas) - at
    }
}

/// `and 5 more, free`, `and 5 more, 4 of them free`.
fn more_words(more: usize, taken: usize) -> String {
    match taken {
        0 => format!("   and {more} more, free"),
        taken => format!("   and {more} more, {} of them free", more - taken),
    }
}

/// Line of the time taken, where that exceeds the wanted slot.
fn taken_line(one: &Resource, wanted: Slot) -> String {
    let (core, taken) = one.taken(wanted);
    let zone = one.zone();
    let from_to = |slot: Slot| {
        let until = slot.until().format(zone, "%H:%M");
        format!("{}-{until}", slot.from().format(zone, "%H:%M"))
    };
    let around = if taken == core {
        String::new()
    } else {
        format!(", with getting in and out {}", from_to(taken))
    };
    if wanted == core || one.grid.segment.is_day() {
        format!(" takes     {}{around}", core.words(one.grid))
    } else {
        let words = wanted.words(one.grid);
        format!(" wanted    {words}   takes {}{around}", from_to(core))
    }
}
