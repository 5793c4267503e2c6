//! Seats of an order or a reservation, one a line below their performance, then its slots.

use std::collections::BTreeSet;

use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use crate::domain::ids::LineId;
use crate::domain::loss::CellGroup;
use crate::domain::money::Currency;
use crate::domain::plan::SeatRef;
use crate::domain::text::{clean, fit, width};
use crate::domain::time::Local;
use crate::engine::reads::carts::{LineView, PerformanceLabel, TimeView};
use crate::engine::reads::find::HitTarget;
use crate::tui::kit::action::Action;
use crate::tui::kit::canvas::{Canvas, Focus};
use crate::tui::kit::context::{Context, Go};
use crate::tui::kit::list::{Cursor, HEADING};
use crate::tui::kit::screen::{Click, Handled};
use crate::tui::kit::shared::Shared;
use crate::tui::kit::targets::RowList;
use crate::tui::widgets::padded;
use crate::words;

/// Width of a ticket type.
const TYPE_COLUMNS: usize = 11;
/// Width of a price, and of the cursor with its blank.
const OTHER_COLUMNS: usize = 9 + 3;

/// Cursor in the list of seats, and the marked ones.
#[derive(Debug, Default)]
pub(super) struct SeatList {
    cursor: Cursor<SeatKey>,
    marked: BTreeSet<SeatKey>,
}

/// Seat in a line of the order.
type SeatKey = (LineId, SeatRef);

/// Data of the list to draw.
pub(super) struct Seats<'a> {
    /// Lines of the order; slots take no cursor.
    pub(super) lines: &'a [LineView],
    pub(super) currency: Option<Currency>,
    /// How a seat went away, in a word.
    pub(super) gone: &'a dyn Fn(&LineView, SeatRef) -> Option<&'static str>,
    /// Keyboard focus; elsewhere in a preview, which has no cursor.
    pub(super) focus: Focus,
}

/// Every seat of the lines, with its line, performance and name.
fn seats(lines: &[LineView]) -> impl Iterator<Item = (&LineView, &PerformanceLabel, SeatRef, &str)> {
    let of = lines.iter().filter_map(|line| Some((line, line.performance()?)));
    of.flat_map(|(line, label)| line.named().map(move |(seat, name)| (line, label, seat, name)))
}

fn keys(lines: &[LineView]) -> impl Iterator<Item = SeatKey> {
    seats(lines).map(|(line, _, seat, _)| (line.id, seat))
}

impl SeatList {
    pub(super) fn keep(&mut self, lines: &[LineView]) {
        self.cursor.keep(keys(lines));
    }

    pub(super) fn act(&mut self, action: Action, lines: &[LineView], context: &mut Context<'_>) -> Handled {
        if self.cursor.act(action, keys(lines)) {
            return Handled::Yes;
        }
        match Some(action) {
            Some(Action::Main) => self.show(lines, context),
            Some(Action::Pick) => self.mark(lines, context),
            Some(Action::Left | Action::Right) => {}
            _ => return Handled::No,
        }
        Handled::Yes
    }

    /// Marks the seat under the cursor or takes its mark away, and goes on to the next.
    fn mark(&mut self, lines: &[LineView], context: &mut Context<'_>) {
        let key = self.cursor.key().copied().filter(|_| context.aims(&mut self.cursor));
        let Some(key) = key else {
            return;
        };
        if !self.marked.remove(&key) {
            self.marked.insert(key);
        }
        self.cursor.step(1, keys(lines));
    }

    /// The marked seats, with their names.
    pub(super) fn marked(&self, lines: &[LineView]) -> (Vec<CellGroup>, Vec<String>) {
        let (mut cells, mut names): (Vec<CellGroup>, Vec<String>) = (Vec::new(), Vec::new());
        for (_, label, seat, name) in seats(lines).filter(|(line, _, seat, _)| self.marked.contains(&(line.id, *seat)))
        {
            names.push(name.to_owned());
            cells.push(CellGroup::Seats { performance: label.id, seats: vec![seat] });
        }
        (cells, names)
    }

    /// The marked seats, with their names, or the one under the cursor. Of an order without seats the first of several times;
    /// none means all that is left of it.
    pub(super) fn chosen(&self, lines: &[LineView]) -> (Vec<CellGroup>, Vec<String>) {
        if self.has_marks() {
            return self.marked(lines);
        }
        let under_cursor =
            |(line, _, seat, _): &(&LineView, _, SeatRef, _)| self.cursor.key() == Some(&(line.id, *seat));
        if let Some((_, label, seat, name)) = seats(lines).find(under_cursor) {
            let cells = CellGroup::Seats { performance: label.id, seats: vec![seat] };
            return (vec![cells], vec![name.to_owned()]);
        }
        let times: Vec<&TimeView> = lines.iter().filter_map(LineView::time).collect();
        let has_some = |time: &&&TimeView| times.len() > 1 && !time.kept.is_empty();
        let first = times.iter().find(has_some).map(|time| {
            let cells = CellGroup::Time { resource: time.resource.clone(), slots: time.kept.clone() };
            (vec![cells], vec![format!("{} {}", time.name, time.dated())])
        });
        first.unwrap_or_default()
    }

    pub(super) fn has_marks(&self) -> bool {
        !self.marked.is_empty()
    }

    pub(super) fn unmark(&mut self) {
        self.marked.clear();
    }

    /// Handles a click on a seat.
    pub(super) fn click(&mut self, (index, click): (usize, Click), lines: &[LineView], context: &mut Context<'_>) {
        if self.cursor.click((index, click), keys(lines)) {
            self.show(lines, context);
        }
    }

    /// Shows the seat under the cursor on its map.
    fn show(&mut self, lines: &[LineView], context: &mut Context<'_>) {
        let aims = context.aims(&mut self.cursor);
        let mut seats = seats(lines).filter(|(line, _, seat, _)| aims && Some(&(line.id, *seat)) == self.cursor.key());
        if let Some((_, label, seat, _)) = seats.next() {
            context.go(Go::Show(HitTarget::Seat(label.id, seat)));
        }
    }

    pub(super) fn draw(&self, shared: &Shared, (area, shown): (Rect, &Seats<'_>), canvas: &mut Canvas<'_>) {
        let mut view = self.cursor.view(RowList::OrderSeats, area, keys(shown.lines));
        view.cursor = view.cursor.filter(|_| shown.focus == Focus::Here);
        let lines = lines_of(shared, (shown, &self.marked), area.width.into());
        view.draw(canvas, lines, |line| line);
    }
}

/// Number of lines that the list takes at this width.
pub(super) fn height(shared: &Shared, lines: &[LineView], columns: u16) -> usize {
    let shown = Seats { lines, currency: None, gone: &|_, _| None, focus: Focus::Elsewhere };
    lines_of(shared, (&shown, &BTreeSet::new()), columns.into()).len()
}

fn lines_of(
    shared: &Shared,
    (shown, marked): (&Seats<'_>, &BTreeSet<SeatKey>),
    room: usize,
) -> Vec<(usize, Line<'static>)> {
    let mut lines = Vec::new();
    let mut before = None;
    let longest = seats(shown.lines).map(|(.., name)| width(name)).max();
    let columns = longest.unwrap_or(0).clamp(3, 24);
    let columns = columns.min(room.saturating_sub(TYPE_COLUMNS + OTHER_COLUMNS).max(3));
    for (index, (line, label, seat, name)) in seats(shown.lines).enumerate() {
        if before.replace(label.id) != Some(label.id) {
            let heading = heading(label, room.saturating_sub(2), shared.here());
            lines.extend(heading.into_iter().map(|text| {
                let text = format!(" {text}");
                (HEADING, Line::styled(text, shared.theme.title))
            }));
        }
        let name = format!(" {} ", padded(name, columns));
        let style = if marked.contains(&(line.id, seat)) { shared.theme.marked } else { shared.theme.strong };
        let mut spans = vec![Span::styled(name, style)];
        spans.extend(type_and_price(shared, shown, (line, seat)));
        lines.push((index, Line::from(spans)));
    }
    for line in shown.lines.iter().filter(|line| line.time().is_some()) {
        let [name, when] = time(shared, (line, shown.currency), room);
        lines.push((HEADING, name));
        lines.push((HEADING, when));
    }
    lines
}

/// A resource, with time and price below it.
fn time(shared: &Shared, (line, currency): (&LineView, Option<Currency>), room: usize) -> [Line<'static>; 2] {
    let theme = &shared.theme;
    let name = format!(" {}", fit(&clean(line.title()), room.saturating_sub(2)));
    let price = currency.map_or(String::new(), |currency| words::money(line.total, currency));
    let when = line.time().map_or(String::new(), |time| time.when(shared.now));
    let when = padded(&when, room.saturating_sub(OTHER_COLUMNS));
    [
        Line::styled(name, theme.title),
        Line::from(vec![
            Span::styled(format!("  {when}"), theme.text),
            Span::styled(format!("{price:>8}"), theme.money),
        ]),
    ]
}

/// Title and time of a performance, on one line if they fit.
fn heading(performance: &PerformanceLabel, room: usize, here: Local) -> Vec<String> {
    let title = clean(&format!("{}, {}", performance.title, performance.theater));
    let when = words::day_time(performance.start, here.in_zone(performance.zone));
    let one = format!("{title}  {when}");
    if width(&one) <= room { vec![one] } else { vec![fit(&title, room), fit(&when, room)] }
}

fn type_and_price(shared: &Shared, shown: &Seats<'_>, (line, seat): (&LineView, SeatRef)) -> [Span<'static>; 2] {
    let theme = &shared.theme;
    let price = shown.currency.map_or(String::new(), |currency| words::money(line.unit_price, currency));
    let (state, style): (&str, Style) = match (shown.gone)(line, seat) {
        Some(word) => (word, theme.danger),
        None => (&line.kind, theme.text),
    };
    [Span::styled(padded(state, TYPE_COLUMNS), style), Span::styled(format!("{price:>8}"), theme.money)]
}
