//! A timeline: resources below each other, time from left to right, who has which of it as bars.
//!
//! It draws columns, not instants: what a column stands for is the [`Scale`]'s. State is told by shape: a bar
//! starts with an edge and ends with a fill, so that ends and touching bars are read without colour.

use std::ops::Range;

use ratatui::layout::Rect;
use ratatui::style::Style;

use crate::tui::canvas::{Canvas, after, row};
use crate::tui::targets::{List, Target};
use crate::tui::widgets::{Look, padded};

mod bars;
mod groups;
mod scale;
mod sharing;
#[cfg(test)]
mod tests;

pub use scale::{Columns, Head, NIGHT_COLUMNS, Scale, TimeWindow, TimeZoom};
pub use sharing::shares;

/// What a stretch of a resource's time is, as it is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Booked by a customer.
    Booked,
    /// A performance has its hall.
    Show,
    /// In another's cart.
    Held,
    /// In this desk's cart.
    Yours,
    /// A booking that lost some of its time, where it still has some.
    Displaced,
    /// Out of use, and somebody who lost it waits for other time.
    Lost,
    /// Taken with a booking before or after it.
    Turnaround,
    /// Out of use for whatever cause.
    Out,
    /// Outside the opening hours.
    Closed,
    /// Not open for booking yet.
    NotOpen,
}

impl Kind {
    /// Whether it only fills the time around and between what is drawn as a bar.
    #[must_use]
    pub const fn is_ground(self) -> bool {
        matches!(self, Self::Turnaround | Self::Closed | Self::NotOpen)
    }
}

/// A stretch of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bar {
    /// Its columns.
    pub columns: Columns,
    /// What it is.
    pub kind: Kind,
    /// What it says, as far as there is room.
    pub text: String,
    /// Whether it is the one under the cursor.
    pub chosen: Chosen,
}

/// Whether a bar is the one under the cursor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Chosen {
    /// It is not.
    #[default]
    No,
    /// It is.
    Yes,
}

/// A line of the timeline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimelineRow {
    /// What it is called.
    pub name: String,
    /// What it is.
    pub what: LineKind,
    /// What stands at its right end.
    pub tail: String,
}

/// What a line is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LineKind {
    /// The head of a group: whether its lines are shown, and what it says of them.
    Group(Fold, String),
    /// A resource with what it is taken by, sorted.
    Time(Vec<Bar>),
    /// A word at some columns, like how many are free.
    Sums(Vec<(u16, String)>),
}

/// Whether a group's lines are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fold {
    /// They are.
    Open,
    /// They are not.
    Folded,
}

/// Marked or moved columns of some lines.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Marked {
    /// The lines.
    pub lines: Vec<usize>,
    /// The columns.
    pub columns: Range<u16>,
}

/// A timeline to be drawn.
#[derive(Debug)]
pub struct Timeline<'a> {
    /// What its columns are.
    pub scale: &'a Scale,
    /// All of its lines, from the first in view on.
    pub lines: &'a [TimelineRow],
    /// The number of the first of them.
    pub first: usize,
    /// How many columns the names have.
    pub names: u16,
    /// How many of them stand before a resource's name.
    pub indent: u16,
    /// What stands over the lines.
    pub head: HeadLines,
    /// The column of this moment.
    pub now: Option<u16>,
    /// What stands over the lines' right ends.
    pub tail: &'a str,
    /// The line of the cursor, and its columns where it stands on no bar.
    pub cursor: Option<(usize, Range<u16>)>,
    /// What is marked.
    pub marked: Option<Marked>,
    /// Where a booking would be moved to.
    pub ghost: Option<Marked>,
    /// How it looks.
    pub look: Look<'a>,
}

/// What stands over the lines of a timeline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HeadLines {
    /// Words, and a ruler below them.
    WordsAndRuler,
    /// Words only.
    Words,
}

impl HeadLines {
    /// How many lines that is.
    #[must_use]
    pub const fn count(self) -> u16 {
        match self {
            Self::WordsAndRuler => 2,
            Self::Words => 1,
        }
    }
}

/// Every so many hours a line stands in empty time.
const HOURS_BETWEEN_LINES: u16 = 4;

/// How many lines the whole head of a timeline has.
pub const HEAD_LINES: u16 = HeadLines::WordsAndRuler.count();

impl Timeline<'_> {
    /// Draws it into an area: its head, then a line each.
    pub fn draw(&self, area: Rect, canvas: &mut Canvas<'_>) {
        let time = self.time(area);
        self.head(time, canvas);
        let tail = after(row(area, 0), self.names + time.width + 1);
        canvas.text(tail, self.tail, self.look.theme.label);
        let lines = Rect {
            y: area.y + self.head.count().min(area.height),
            height: area.height.saturating_sub(self.head.count()),
            ..area
        };
        for ((line, number), at) in self.lines.iter().zip(self.first..).zip(0..lines.height) {
            let place = row(lines, at);
            let cells = row(
                Rect {
                    y: lines.y,
                    height: lines.height,
                    ..time
                },
                at,
            );
            self.line((line, number), place, (cells, canvas));
        }
    }

    /// The cells of time in an area.
    fn time(&self, area: Rect) -> Rect {
        let right = after(area, self.names);
        Rect {
            width: right.width.min(self.scale.columns()),
            ..right
        }
    }

    fn head(&self, area: Rect, canvas: &mut Canvas<'_>) {
        let (theme, glyphs) = (self.look.theme, self.look.glyphs);
        for head in self.scale.heads() {
            let style = if head.is_day {
                theme.strong
            } else {
                theme.label
            };
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
            if area.height > 1 {
                canvas.hit(cell(row(area, 1), column), Target::Map);
            }
        }
    }

    fn line(
        &self,
        (line, number): (&TimelineRow, usize),
        place: Rect,
        (time, canvas): (Rect, &mut Canvas<'_>),
    ) {
        let theme = self.look.theme;
        let here = self.cursor.as_ref().filter(|(at, _)| *at == number);
        canvas.hit(place, Target::Row(List::Lines, number));
        let names = usize::from(self.names);
        let indent = " ".repeat(usize::from(self.indent));
        let pointer = if here.is_some() { '>' } else { ' ' };
        let style = if here.is_some() {
            theme.strong
        } else {
            theme.text
        };
        match &line.what {
            LineKind::Group(fold, words) => {
                self.group((line, *fold, words), (place, canvas), here.is_some());
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

    /// The columns of the hour lines: days, and every fourth hour.
    fn hours(&self) -> impl Iterator<Item = u16> {
        let is_line = |head: &&Head| {
            let hour = head.text.parse::<u16>();
            head.is_day || hour.is_ok_and(|hour| hour % HOURS_BETWEEN_LINES == 0)
        };
        self.scale
            .heads()
            .iter()
            .filter(is_line)
            .map(|head| head.column)
    }

    /// This moment, over empty time and over the fill of a bar, never over its words.
    fn now_line(&self, (x, line): (u16, Rect), canvas: &mut Canvas<'_>) {
        let glyphs = self.look.glyphs;
        let is_empty = |sign: &str| {
            let fills = [
                ' ',
                glyphs.hour,
                glyphs.taken,
                glyphs.fill_rest,
                glyphs.closed_time,
            ];
            sign.chars().all(|sign| fills.contains(&sign))
        };
        let cell = canvas.buffer.cell((x, line.y));
        if cell.is_some_and(|cell| is_empty(cell.symbol())) {
            let style = Style {
                bg: None,
                ..self.look.theme.bar_full
            };
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
        let is_marked = |marked: &Option<Marked>| {
            let mine = marked
                .as_ref()
                .filter(|marked| marked.lines.contains(&number));
            mine.map(|marked| marked.columns.clone())
        };
        let marked = is_marked(&self.marked);
        if let Some(columns) = &marked {
            bars::brackets(
                columns,
                (self.look.glyphs.marked, theme.marked),
                time,
                canvas,
            );
        }
        if let Some(columns) = is_marked(&self.ghost) {
            bars::brackets(
                &columns,
                (self.look.glyphs.asked, theme.asked),
                time,
                canvas,
            );
        }
        if let Some((_, columns)) = cursor
            && marked.is_none()
            && !columns.is_empty()
        {
            bars::brackets(
                columns,
                (self.look.glyphs.marked, theme.cursor),
                time,
                canvas,
            );
        }
        if time.height > 0 {
            for column in 0..time.width {
                canvas.hit(cell(time, column), Target::Time(number, column));
            }
        }
    }
}

/// The one cell of a line at a column.
fn cell(line: Rect, column: u16) -> Rect {
    Rect {
        x: line.x + column,
        width: 1,
        ..line
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
