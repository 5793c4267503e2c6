//! A timeline: resources below each other, time from left to right, who has which of it as bars.
//!
//! It draws columns, not instants: what a column stands for is the [`Scale`]'s. State is told by shape: a bar
//! starts with an edge and ends with a fill, so that ends and touching bars are read without colour.

use std::ops::Range;

use ratatui::layout::Rect;
use ratatui::style::Style;

use crate::domain::text::{clean, fit, width};
use crate::tui::canvas::{Canvas, after, row};
use crate::tui::targets::{List, Target};
use crate::tui::widgets::{Look, padded};

mod bars;
mod scale;
mod sharing;
#[cfg(test)]
mod tests;

pub use scale::{Columns, Head, NIGHT_COLUMNS, Scale, TimeWindow, TimeZoom};
pub use sharing::shares;

/// What a stretch of a resource's time is, as it is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Somebody has it.
    Booked,
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

    /// Where the words of groups begin: behind the names, and behind the longest title that has words.
    fn words_from(&self) -> u16 {
        let titles = self.lines.iter().filter_map(|line| match &line.what {
            LineKind::Group(_, words) if !words.is_empty() => Some(width(&clean(&line.name)) + 5),
            LineKind::Group(..) | LineKind::Time(_) | LineKind::Sums(_) => None,
        });
        let longest = titles.max().and_then(|longest| u16::try_from(longest).ok());
        self.names.max(longest.unwrap_or(0))
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
                (glyphs.now, theme.warning)
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

    fn group(
        &self,
        (line, fold, words): (&TimelineRow, Fold, &str),
        (place, canvas): (Rect, &mut Canvas<'_>),
        here: bool,
    ) {
        let theme = self.look.theme;
        let sign = match fold {
            Fold::Open => '-',
            Fold::Folded => '+',
        };
        let pointer = if here { '>' } else { ' ' };
        let name = clean(&line.name);
        let style = if here { theme.strong } else { theme.label };
        let took = canvas.text(place, &format!("{pointer}{sign} {name}"), style);
        // no time stands on this line: a long name goes on, and the words behind it
        let right = after(place, self.words_from().max(took + 2));
        let room = usize::from(right.width).saturating_sub(1);
        canvas.text(right, &fit(words, room), theme.quiet);
    }

    fn cells(&self, (bars, number): (&[Bar], usize), (time, canvas): (Rect, &mut Canvas<'_>)) {
        let theme = self.look.theme;
        if let Some(column) = self.now.filter(|column| *column < time.width) {
            let sign = self.look.glyphs.now;
            put(canvas, (time.x + column, time), sign, theme.border);
        }
        for bar in bars {
            bars::draw(bar, self.look, time, canvas);
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
