//! Line of Pay with the bought goods.

use crate::domain::text::{clean, fit, width};
use crate::domain::time::Instant;
use crate::engine::reads::carts::{LineView, PerformanceLabel};
use crate::tui::kit::canvas::row;
use crate::words;

use super::Sheet;

impl Sheet<'_, '_, '_> {
    /// Draws the bought goods in one line: the first performance, or the first time of a resource.
    pub(super) fn what(&mut self) {
        let Some(view) = self.shared.cart.view() else {
            return;
        };
        let Some((label, seats)) = first_seats(&view.lines) else {
            self.text(0, &times_words(&view.lines, self.shared.now), self.shared.theme.text);
            return;
        };
        let mut others = view.lines.iter().filter(|line| !line.is_of(label.id));
        let time = others.clone().find(|line| line.time().is_some());
        let more = match (others.by_ref().count(), time) {
            (0, _) => String::new(),
            (1, Some(line)) => format!("  and {}", clean(line.title())),
            (more, _) => format!("  and {}", words::count(more, "more line")),
        };
        let when = words::day_time(label.start, self.shared.here().in_zone(label.zone));
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

/// The first performance, with its seats in words.
fn first_seats(lines: &[LineView]) -> Option<(&PerformanceLabel, String)> {
    let label = lines.first()?.performance()?;
    let mine = lines.iter().filter(|line| line.is_of(label.id));
    Some((label, words::seats(mine.flat_map(LineView::named))))
}

/// `Rehearsal 1   Sat 21 Nov 20:00-22:00  and 1 more`.
fn times_words(lines: &[LineView], now: Instant) -> String {
    let more = match lines.len() {
        0 | 1 => String::new(),
        all => format!("  and {} more", all - 1),
    };
    let first = lines.first().and_then(LineView::time);
    first.map_or(String::new(), |time| format!("{}   {}{more}", fit(&clean(&time.name), 24), time.when(now)))
}

/// Number of seats by ticket type: `2 Adult  2 Child`.
fn ticket_types(lines: &[LineView]) -> String {
    let mut counts: Vec<(&str, usize)> = Vec::new();
    for line in lines.iter().filter(|line| line.time().is_none()) {
        match counts.iter_mut().find(|(name, _)| *name == line.kind) {
            Some((_, count)) => *count += line.seats().len(),
            None => counts.push((&line.kind, line.seats().len())),
        }
    }
    let texts = counts.iter().map(|(name, count)| format!("{count} {name}"));
    texts.collect::<Vec<_>>().join("  ")
}
