//! Timeline: resources from top to bottom, time from left to right, bookings and closures as bars.
//!
//! The timeline draws columns, not instants; the [`Scale`] maps one to the other. Shape tells state: a bar starts
//! with an edge and ends with a fill, so that ends and touching bars are readable without colour.

use std::ops::Range;

use ratatui::layout::Rect;
use ratatui::style::Style;

use crate::tui::kit::canvas::{Canvas, after, first_columns, from_row, row};
use crate::tui::kit::targets::{RowList, Target};
use crate::tui::widgets::{Look, padded};

mod bars;
mod groups;
mod scale;
mod sharing;
#[cfg(test)]
mod tests;

pub(in crate::tui) use bars::sample;
pub use scale::{Columns, Head, NIGHT_COLUMNS, Scale, TimeWindow, TimeZoom};
pub use sharing::shares;

/// Kind of a bar, which chooses its signs and styles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Booked by a customer.
    Booked,
    /// Booked by a customer, and not paid.
    Unpaid,
    /// Booked without a price, by the house itself.
    Ours,
    /// A performance in its hall.
    Show,
    /// In the cart of another desk.
    Held,
    /// In this desk's cart.
    Yours,
    /// The remaining time of a booking that lost part of it.
    Displaced,
    /// Out of use, with a displaced booking that waits for other time.
    Lost,
    /// Some units of a counted resource are taken, and others left.
    Partly,
    /// Turnaround before or after a booking.
    Turnaround,
    /// Out of use for any other reason.
    Out,
    /// Maintenance.
    Maintenance,
    /// Relocation: elsewhere meanwhile.
    Relocation,
    /// Outside the opening hours.
    Closed,
    /// Not open for booking yet.
    NotOpen,
}

/// Sign of maintenance.
pub const MAINTENANCE: char = '%';
/// Sign of a relocation.
pub const RELOCATION: char = '~';

impl Kind {
    /// True for kinds that only fill the time around bars.
    #[must_use]
    pub const fn is_ground(self) -> bool {
        matches!(self, Self::Partly | Self::Turnaround | Self::Closed | Self::NotOpen)
    }

    /// True for kinds of time out of use.
    #[must_use]
    pub const fn is_out(self) -> bool {
        matches!(self, Self::Out | Self::Maintenance | Self::Relocation)
    }
}

/// A bar in a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bar {
    /// Columns.
    pub columns: Columns,
    /// Kind.
    pub kind: Kind,
    /// Text, drawn as far as it fits.
    pub text: String,
    /// True for a date of a series, which has a sign at its end.
    pub repeats: bool,
    /// Selection.
    pub chosen: MarkedBar,
}

/// Marks the bar under the cursor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MarkedBar {
    /// Not under the cursor.
    #[default]
    No,
    /// Under the cursor.
    Yes,
}

/// A line of the timeline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimelineRow {
    /// Name.
    pub name: String,
    /// Content.
    pub what: LineKind,
    /// Text at the right end.
    pub tail: String,
}

/// Content of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LineKind {
    /// Head of a group: folded or open, and a summary of its lines.
    Group(Fold, String),
    /// Bars of a resource, in time order.
    Time(Vec<Bar>),
    /// Texts at columns, like numbers of free places.
    Sums(Vec<(u16, String)>),
}

/// Visibility of a group's lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fold {
    /// Lines are shown.
    Open,
    /// Lines are hidden.
    Folded,
}

/// Marked or moved columns on some lines.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Marked {
    /// Lines.
    pub lines: Vec<usize>,
    /// Columns.
    pub columns: Range<u16>,
    /// Length and price, parted by ` · `; the length alone where both do not fit.
    pub says: String,
    /// True where something of it is taken.
    pub collides: bool,
}

impl Marked {
    fn told(&self) -> (Range<u16>, &str) {
        (self.columns.clone(), &self.says)
    }
}

/// A timeline with its cursor and marks.
#[derive(Debug)]
pub struct Timeline<'a> {
    /// Time scale of the columns.
    pub scale: &'a Scale,
    /// Lines from the first in view on, including those that do not fit.
    pub lines: &'a [TimelineRow],
    /// Index of the first line in view.
    pub first: usize,
    /// Width of the names, in columns.
    pub names: u16,
    /// Columns of `names` that indent a resource's name.
    pub indent: u16,
    /// Head above the lines.
    pub head: HeadLines,
    /// Column of the current time.
    pub now: Option<u16>,
    /// Head of the lines' right ends.
    pub tail: &'a str,
    /// Line under the cursor, and the cursor's columns when no bar is selected.
    pub cursor: Option<(usize, Range<u16>)>,
    /// Marked columns.
    pub marked: Option<Marked>,
    /// Target of a move.
    pub ghost: Option<Marked>,
    /// Styles and signs.
    pub look: Look<'a>,
}

/// Head above the lines of a timeline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HeadLines {
    /// Labels with a ruler below.
    WordsAndRuler,
    /// Labels only.
    Words,
    /// No head: the line above has it.
    None,
}

impl HeadLines {
    /// Number of lines.
    #[must_use]
    pub const fn count(self) -> u16 {
        match self {
            Self::WordsAndRuler => 2,
            Self::Words => 1,
            Self::None => 0,
        }
    }
}

/// Hours between two vertical lines in empty time.
const HOURS_BETWEEN_LINES: u16 = 4;

/// Number of lines of the full head.
pub const HEAD_LINES: u16 = HeadLines::WordsAndRuler.count();

impl Timeline<'_> {
    /// Draws the head, then the lines.
    pub fn draw(&self, area: Rect, canvas: &mut Canvas<'_>) {
        let time = self.time(area);
        self.head(time, canvas);
        let tail = after(row(area, 0), self.names + time.width + 1);
        canvas.text(tail, self.tail, self.look.theme.label);
        let places = from_row(area, self.head.count()).rows();
        for ((line, number), place) in self.lines.iter().zip(self.first..).zip(places) {
            self.line((line, number), place, canvas);
        }
    }

    /// Cells of the time columns in an area.
    fn time(&self, area: Rect) -> Rect {
        first_columns(after(area, self.names), self.scale.columns())
    }

    fn head(&self, area: Rect, canvas: &mut Canvas<'_>) {
        if self.head == HeadLines::None {
            return;
        }
        let (theme, glyphs) = (self.look.theme, self.look.glyphs);
        for head in self.scale.heads() {
            let style = if head.is_day { theme.strong } else { theme.label };
            canvas.text(after(row(area, 0), head.column), &head.text, style);
        }
        if self.head == HeadLines::Words {
            return;
        }
        let [rule, tick] = glyphs.ruler;
        let mut ticks = self.scale.ticks().iter().peekable();
        for column in 0..area.width {
            let is_tick = ticks.next_if(|tick| **tick == column).is_some();
            let (sign, style) = if self.now == Some(column) {
                (tick, theme.danger)
            } else if is_tick {
                (tick, theme.border)
            } else {
                (rule, theme.border)
            };
            put(canvas, (area.x + column, row(area, 1)), sign, style);
        }
        canvas.hit(row(area, 1), Target::Map);
    }

    fn line(&self, (line, number): (&TimelineRow, usize), place: Rect, canvas: &mut Canvas<'_>) {
        let (theme, time) = (self.look.theme, self.time(place));
        let here = self.cursor.as_ref().filter(|(at, _)| *at == number);
        canvas.hit(place, Target::Row(RowList::Lines, number));
        let names = usize::from(self.names);
        let indent = " ".repeat(usize::from(self.indent));
        let pointer = if here.is_some() { '>' } else { ' ' };
        let style = if here.is_some() { theme.strong } else { theme.text };
        match &line.what {
            LineKind::Group(fold, words) => {
                self.group((line, here.is_some()), (*fold, words), (place, canvas));
            }
            LineKind::Time(bars) => {
                let name = padded(&line.name, names.saturating_sub(2 + indent.len()));
                canvas.text(place, &format!("{pointer}{indent}{name}"), style);
                self.cells((bars, number), (time, canvas));
            }
            LineKind::Sums(sums) => {
                let name = padded(&line.name, names.saturating_sub(2 + indent.len()));
                canvas.text(place, &format!(" {indent}{name}"), theme.quiet);
                for (column, text) in sums {
                    canvas.text(after(time, *column), text, theme.strong);
                }
            }
        }
        if !line.tail.is_empty() {
            let tail = after(place, self.names + time.width + 1);
            canvas.text(tail, &line.tail, theme.quiet);
        }
    }

    /// Columns of the vertical lines: day starts, and every fourth hour.
    fn hours(&self) -> impl Iterator<Item = u16> {
        let is_line = |head: &&Head| {
            let hour = head.text.parse::<u16>();
            head.is_day || hour.is_ok_and(|hour| hour % HOURS_BETWEEN_LINES == 0)
        };
        self.scale.heads().iter().filter(is_line).map(|head| head.column)
    }

    /// Draws the current time over empty time and a bar's fill, never over its text.
    fn now_line(&self, (x, line): (u16, Rect), canvas: &mut Canvas<'_>) {
        let glyphs = self.look.glyphs;
        let is_empty = |sign: &str| {
            let fills = [' ', glyphs.hour, glyphs.taken, glyphs.fill_rest, glyphs.closed_time];
            sign.chars().all(|sign| fills.contains(&sign))
        };
        let cell = canvas.buffer.cell((x, line.y));
        if cell.is_some_and(|cell| is_empty(cell.symbol())) {
            let style = Style { bg: None, ..self.look.theme.bar_full };
            put(canvas, (x, line), glyphs.now, style);
        }
    }

    fn cells(&self, (bars, number): (&[Bar], usize), (time, canvas): (Rect, &mut Canvas<'_>)) {
        let theme = self.look.theme;
        for column in self.hours().filter(|column| *column < time.width) {
            let sign = self.look.glyphs.hour;
            put(canvas, (time.x + column, time), sign, theme.hour);
        }
        for bar in bars {
            bars::draw(bar, self.look, time, canvas);
        }
        if let Some(column) = self.now.filter(|column| *column < time.width) {
            self.now_line((time.x + column, time), canvas);
        }
        let cursor = self.cursor.as_ref().filter(|(at, _)| *at == number);
        let on_line = |marked: &&Marked| marked.lines.contains(&number);
        let [marked, ghost] = [&self.marked, &self.ghost].map(|one| one.as_ref().filter(on_line).map(Marked::told));
        let cursor = cursor.filter(|(_, columns)| marked.is_none() && !columns.is_empty());
        let cursor = cursor.map(|(_, columns)| (columns.clone(), ""));
        let (mark, asked) = (self.look.glyphs.marked, self.look.glyphs.asked);
        let collides = self.ghost.as_ref().is_some_and(|ghost| ghost.collides);
        let ghost_style = if collides { theme.danger } else { theme.asked };
        let brackets = [(marked, (mark, theme.marked)), (ghost, (asked, ghost_style)), (cursor, (mark, theme.cursor))];
        for (mark, sign) in brackets {
            if let Some(mark) = mark {
                bars::brackets(mark, sign, time, canvas);
            }
        }
        for (column, cell) in (0..).zip(time.columns()) {
            canvas.hit(cell, Target::Time(number, column));
        }
    }
}

/// Sets one cell.
fn put(canvas: &mut Canvas<'_>, (x, line): (u16, Rect), sign: char, style: Style) {
    if line.height > 0
        && let Some(cell) = canvas.buffer.cell_mut((x, line.y))
    {
        cell.set_char(sign).set_style(style);
    }
}
