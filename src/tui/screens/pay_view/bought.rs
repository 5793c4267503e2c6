//! What is bought, as Pay says it in one line.

use crate::domain::text::{clean, fit, width};
use crate::engine::reads::carts::{LineView, SlotView};
use crate::tui::canvas::row;
use crate::tui::wording;

use super::Sheet;

impl Sheet<'_, '_, '_> {
    /// What is bought, in one line: the first performance, or the first time of a resource.
    pub(super) fn what(&mut self) {
        let Some(view) = self.shared.cart.view() else {
            return;
        };
        let Some(first) = view.lines.first() else {
            self.text(0, &times_words(&view.slots), self.shared.theme.text);
            return;
        };
        let label = &first.performance;
        let seats = view
            .lines
            .iter()
            .filter(|line| line.performance.id == label.id)
            .flat_map(|line| &line.seats)
            .map(|(seat, name)| (*seat, name.as_str()));
        let seats = wording::seats(seats);
        let other = view
            .lines
            .iter()
            .filter(|line| line.performance.id != label.id)
            .count();
        let more = match (other + view.slots.len(), view.slots.first()) {
            (0, _) => String::new(),
            (1, Some(slot)) => format!("  and {}", clean(&slot.name)),
            (more, _) => format!("  and {}", wording::count(more, "more line")),
        };
        let when = wording::day_time(label.start, label.zone);
        let text = format!("{}   {when}   {seats}{more}", fit(&label.title, 20));
        self.text(0, &text, self.shared.theme.text);
        let types = ticket_types(&view.lines);
        if width(&text) + width(&types) + 2 <= usize::from(self.inner.width) {
            let area = row(self.inner, 0);
            let style = self.shared.theme.text;
            self.canvas.text_right(area, &types, style);
        }
    }
}

/// `Rehearsal 1   Sat 21 Nov 20:00-22:00  and 1 more`.
fn times_words(slots: &[SlotView]) -> String {
    let more = match slots.len() {
        0 | 1 => String::new(),
        all => format!("  and {} more", all - 1),
    };
    slots.first().map_or(String::new(), |slot| {
        format!("{}   {}{more}", fit(&clean(&slot.name), 24), slot.when())
    })
}

/// How many seats there are of each ticket type: `2 Adult  2 Child`.
fn ticket_types(lines: &[LineView]) -> String {
    let mut counts: Vec<(&str, usize)> = Vec::new();
    for line in lines {
        match counts
            .iter_mut()
            .find(|(name, _)| *name == line.ticket_type)
        {
            Some((_, count)) => *count += line.seats.len(),
            None => counts.push((&line.ticket_type, line.seats.len())),
        }
    }
    let texts = counts.iter().map(|(name, count)| format!("{count} {name}"));
    texts.collect::<Vec<_>>().join("  ")
}
