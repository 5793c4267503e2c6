//! Line of Pay with the bought goods.

use crate::domain::text::{clean, fit, width};
use crate::domain::time::Instant;
use crate::engine::reads::carts::{LineView, PerformanceLabel};
use crate::tui::kit::canvas::row;
use crate::words;

use super::BillPainter;

impl BillPainter<'_, '_, '_> {
    /// Draws the bought goods: the first performance and its seats, or the first time of a resource, in two lines; where
    /// lines are few, in one.
    pub(super) fn what(&mut self) {
        let Some(view) = self.shared.cart.view() else {
            return;
        };
        let (style, room) = (self.shared.theme.text, usize::from(self.inner.width));
        let Some((label, seats)) = first_seats(&view.lines) else {
            let (name, when) = times_words(&view.lines, self.shared.now);
            if self.is_tall() {
                self.text(0, &fit(&name, room), self.shared.theme.strong);
                self.text(1, &fit(&when, room), style);
            } else {
                self.text(0, &fit(&format!("{}   {when}", fit(&name, 12)), room), style);
            }
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
        let seats = format!("{seats}{more}");
        if !self.is_tall() {
            let title = fit(&label.title, room.saturating_sub(width(&seats) + 3));
            return self.text(0, &format!("{title}   {seats}"), style);
        }
        let title = fit(&label.title, room.saturating_sub(width(&when) + 3));
        self.text(0, &format!("{title}   {when}"), self.shared.theme.strong);
        self.text(1, &fit(&seats, room), style);
        let types = ticket_types(&view.lines);
        if width(&seats) + width(&types) + 2 <= room {
            let area = row(self.inner, 1);
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

/// `Rehearsal 1` and `Sat 21 Nov 20:00-22:00  and 1 more`.
fn times_words(lines: &[LineView], now: Instant) -> (String, String) {
    let more = match lines.len() {
        0 | 1 => String::new(),
        all => format!("  and {} more", all - 1),
    };
    let first = lines.first().and_then(LineView::time);
    first.map_or_else(Default::default, |time| (clean(&time.name), format!("{}{more}", time.when(now))))
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
