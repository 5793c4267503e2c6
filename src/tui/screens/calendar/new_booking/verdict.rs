//! How a booking to be made looks: its fields, what the house says of it, and every date of a repeat.

use ratatui::layout::Rect;
use ratatui::text::Line;

use crate::domain::resource::Resource;
use crate::domain::text::clean;
use crate::domain::time::{Instant, Slot, Wall};
use crate::tui::kit::action::Action;
use crate::tui::kit::canvas::{Canvas, Focus, after, cells, from_row, row};
use crate::tui::kit::dialog::Dialog;
use crate::tui::kit::form::draw_button;
use crate::tui::kit::keymap::KeyPlace;
use crate::tui::kit::list::{HEADING, ListView};
use crate::tui::kit::shared::Shared;
use crate::tui::kit::targets::{RowList, Target};
use crate::tui::screens::calendar::fields;
use crate::tui::screens::calendar::new_booking::{
    BOOK, CONTACT, COUNT, CUSTOMER, Date, FROM, NOTE, NewBooking, PRICE, REPEAT, TITLE, UNTIL,
};
use crate::tui::screens::calendar::phrases::{length_words, price_words};
use crate::tui::screens::calendar::times::counted;
use crate::words;

impl NewBooking {
    pub(super) fn draw(&self, shared: &Shared, body: Rect, canvas: &mut Canvas<'_>) {
        let dates = cells(self.slots.len());
        let list = if dates > 1 { dates.min(12) } else { 0 };
        let list = list + self.places_lines(shared);
        let stops: Vec<usize> = (TITLE..BOOK).filter(|stop| !self.form.is_skipped(*stop)).collect();
        let rule = cells(stops.len()) + 1;
        let height = rule + 8 + list;
        let names: Vec<String> = self.resources.iter().map(|one| clean(&one.name)).collect();
        let title = format!("New booking   {}", words::list(&names));
        let inner = fields::frame((&title, KeyPlace::Form), (74, height.into()), shared, (body, canvas));
        for (line, stop) in (1..).zip(stops) {
            let place = (row(inner, line), &mut *canvas);
            let (does, hint) = (self.book_words(shared), self.hint(stop));
            let hint = self.form.hint(stop, (&does, &hint), self.is_ready(shared));
            self.form.draw((stop, &hint), shared, place);
        }
        canvas.text(row(inner, rule), &shared.rule(inner.width), shared.theme.border);
        let below = from_row(inner, rule + 1);
        let room = below.height.saturating_sub(3 + self.places_lines(shared));
        let lines = self.judge(shared, (inner.width, room.into()));
        let at = rule + 2 + cells(lines.len());
        let at = at.min(inner.height.saturating_sub(1));
        let view = ListView { list: RowList::Dialog, area: below, cursor: None, by: None, focus: Focus::Here };
        view.draw(canvas, lines, |line| line);
        let took = self.draw_book(shared, (row(inner, at), &mut *canvas));
        if let Some(other) = self.place(shared) {
            let key = shared.keymap.key_text(KeyPlace::Calendar, Action::Accept);
            let words = format!("{key}  take {}", clean(&other.resource.name));
            let other = after(row(inner, at), took + 2);
            let button = (words.as_str(), Target::Act(Action::Accept));
            draw_button(button, shared.theme.button, (other, canvas));
        }
    }

    /// Draws the button, quiet while something can't be read.
    fn draw_book(&self, shared: &Shared, (area, canvas): (Rect, &mut Canvas<'_>)) -> u16 {
        let words = self.book_words(shared);
        if self.problem.is_some() && self.form.at() != BOOK {
            let button = (&*words::capital(&words), Target::Row(RowList::Form, BOOK));
            return draw_button(button, shared.theme.quiet, (area, canvas));
        }
        self.form.draw((BOOK, &words), shared, (area, canvas))
    }

    /// Lines of the offered places.
    fn places_lines(&self, shared: &Shared) -> u16 {
        cells(self.places.all(shared).len())
    }

    pub(super) fn book_words(&self, shared: &Shared) -> String {
        if self.form.asked.is_some() {
            return "booking ...".to_owned();
        }
        match self.problem {
            Some((FROM, _)) => return "look at the times".to_owned(),
            Some((COUNT, _)) => return "look at how many".to_owned(),
            Some((PRICE, _)) => return "look at the price".to_owned(),
            Some(_) => return "look at the repeat".to_owned(),
            None => {}
        }
        let conflicts = self.conflicts(shared);
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
            CONTACT => "phone, mail".to_owned(),
            FROM if !self.times_are_unread() => String::new(),
            FROM => "fri 14:00, 27 nov 18:30".to_owned(),
            UNTIL | COUNT | PRICE if self.times_are_unread() => String::new(),
            UNTIL => match (self.resources.first(), self.slots.first()) {
                (Some(one), Some(slot)) => length_words(one, one.grid.normalise(*slot)),
                _ => String::new(),
            },
            COUNT => counted(&self.resources).map_or_else(String::new, |count| format!("of {count}")),
            PRICE => self.price_hint(),
            NOTE => "more about it".to_owned(),
            REPEAT => "weekly until 15 dec, tue thu 18-20 x10".to_owned(),
            _ => String::new(),
        }
    }

    const fn times_are_unread(&self) -> bool {
        matches!(self.problem, Some((FROM, _)))
    }

    /// Hint of the price: the cost by the hour, or the currency.
    fn price_hint(&self) -> String {
        let Some(slot) = self.slots.first() else {
            return String::new();
        };
        let priced: Vec<(&Resource, Slot)> =
            self.resources.iter().map(|one| (one, one.grid.normalise(*slot))).collect();
        match price_words(&priced) {
            Some(price) if counted(&self.resources).is_some() => {
                format!("{} {price} each for this time", self.currency)
            }
            Some(price) => format!("{} {price} for this time", self.currency),
            None => format!("{}, if it costs anything", self.currency),
        }
    }

    /// Lines of the verdict and of the offered places, each with its row among the hit targets; a repeat has this
    /// room for its dates.
    fn judge(&self, shared: &Shared, (columns, room): (u16, usize)) -> Vec<(usize, Line<'static>)> {
        let theme = &shared.theme;
        let dates = self.conflicts(shared);
        let mut lines = Vec::new();
        let problem = self.problem.as_ref().map(|(_, problem)| problem);
        if let Some(problem) = problem.or(self.form.note.as_ref()) {
            lines = fields::problem(problem, shared, columns);
            lines.resize(2, Line::default());
        } else if dates.len() > 1 {
            lines = self.preview(&dates, shared, room);
        } else if let (Some(one), Some(slot)) = (self.resources.first(), self.slots.first()) {
            lines.push(Line::styled(taken_line(one, *slot, shared.now), theme.text));
            lines.push(match dates.first() {
                Some((_, Some((one, words)))) => {
                    let (cross, name) = (shared.glyphs.cross, clean(&one.name));
                    Line::styled(format!("{cross} {name}: {words}"), theme.warning)
                }
                Some((_, None)) => Line::styled(format!("{} free", shared.glyphs.tick), theme.done),
                None => Line::styled("  ...", theme.quiet),
            });
        }
        let lines = lines.into_iter().map(|line| (HEADING, line));
        lines.chain(self.places.lines(shared)).collect()
    }

    /// Every date of a repeat, with what stands in its way.
    fn preview(&self, dates: &[Date<'_>], shared: &Shared, room: usize) -> Vec<Line<'static>> {
        let theme = &shared.theme;
        let first = self.resources.first();
        let wall = first.map_or(self.clock.zone.into(), |one| Wall::from(one.grid));
        let conflicts = dates.iter().filter(|(_, met)| met.is_some()).count();
        let others = if conflicts > 0 { ", the others are left out and told" } else { "" };
        let (all, free) = (dates.len(), dates.len() - conflicts);
        let head = format!(" {all} dates, {free} free{others}");
        let mut lines = vec![Line::styled(head, theme.strong)];
        // those in the way come into view first when there is no room for all
        let mut shown: Vec<&Date<'_>> = dates.iter().collect();
        if shown.len() > room {
            shown.sort_by_key(|(slot, met)| (met.is_none(), slot.from()));
            shown.truncate(room.saturating_sub(1));
            shown.sort_by_key(|(slot, _)| slot.from());
        }
        lines.extend(shown.iter().map(|(slot, met)| {
            let (sign, style, words) = match met {
                Some((_, words)) => (shared.glyphs.cross, theme.warning, words.as_str()),
                None => (shared.glyphs.tick, theme.text, ""),
            };
            let text = format!(" {sign} {}   {words}", slot.words(wall, shared.now));
            Line::styled(text, style)
        }));
        let more = dates.len() - shown.len();
        let met = shown.iter().filter(|(_, met)| met.is_some()).count();
        let hidden = conflicts.saturating_sub(met);
        if more > 0 {
            lines.push(Line::styled(more_words(more, hidden), theme.quiet));
        }
        lines
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
fn taken_line(one: &Resource, wanted: Slot, now: Instant) -> String {
    let (core, taken) = one.taken(wanted);
    let zone = one.zone();
    let from_to = |slot: Slot| {
        let until = slot.until().format(zone, "%H:%M");
        format!("{}-{until}", slot.from().format(zone, "%H:%M"))
    };
    let around = if taken == core { String::new() } else { format!(", with getting in and out {}", from_to(taken)) };
    if wanted == core || one.grid.segment.is_day() {
        format!(" takes     {}{around}", core.words(one.grid, now))
    } else {
        let words = wanted.words(one.grid, now);
        format!(" wanted    {words}   takes {}{around}", from_to(core))
    }
}
