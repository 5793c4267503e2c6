//! Table: columns with names and widths, said once for the heading and for every row.

use std::ops::Range;

use ratatui::style::Style;
use ratatui::text::{Line, Span};

use crate::domain::text::{clean, fit};
use crate::tui::widgets::padded;

/// Column of a table.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Column {
    name: &'static str,
    least: usize,
    most: usize,
    /// True for numbers.
    is_right: bool,
}

impl Column {
    /// A text with this width.
    pub(crate) const fn text(name: &'static str, width: usize) -> Self {
        Self { name, least: width, most: width, is_right: false }
    }

    /// Numbers with this width.
    pub(crate) const fn number(name: &'static str, width: usize) -> Self {
        Self { is_right: true, ..Self::text(name, width) }
    }

    /// The column with another width where there is room.
    pub(crate) const fn up_to(self, most: usize) -> Self {
        Self { most, ..self }
    }
}

/// Columns with the widths that they have.
pub(crate) struct Table<const N: usize>([(Column, usize); N]);

impl<const N: usize> Table<N> {
    /// Gives every column what it needs, and then what it can use, the first one first.
    pub(crate) fn new(columns: [Column; N], room: usize) -> Self {
        let mut rest = room;
        let needed = columns.map(|column| {
            let width = column.least.min(rest);
            rest = rest.saturating_sub(if column.most == 0 { 0 } else { width + 1 });
            (column, width)
        });
        Self(needed.map(|(column, width)| {
            let more = column.most.saturating_sub(width).min(rest);
            rest -= more;
            (column, width + more)
        }))
    }

    /// A row; behind the place for the mark of a cursor.
    pub(crate) fn line(&self, cells: [(impl AsRef<str>, Style); N]) -> Line<'static> {
        let mut line = Line::raw("  ");
        line.extend(self.cells(0, cells));
        line
    }

    /// Cells from a column on, each with a blank behind it.
    pub(crate) fn cells(
        &self,
        from: usize,
        cells: impl IntoIterator<Item = (impl AsRef<str>, Style)>,
    ) -> impl Iterator<Item = Span<'static>> {
        let shown = self.0.iter().skip(from).zip(cells).filter(|((_, width), _)| *width > 0);
        shown.map(|((column, width), (text, style))| {
            let text = text.as_ref();
            let cell = if column.is_right {
                format!("{:>width$} ", fit(&clean(text), *width))
            } else {
                format!("{} ", padded(text, *width))
            };
            Span::styled(cell, style)
        })
    }

    /// Width of some columns, with a blank behind each.
    pub(crate) fn width(&self, of: Range<usize>) -> usize {
        let shown = self.0.iter().take(of.end).skip(of.start).filter(|(_, width)| *width > 0);
        shown.map(|(_, width)| width + 1).sum()
    }

    /// Names of the columns.
    pub(crate) fn heading(&self, style: Style) -> Line<'static> {
        self.line(self.0.map(|(column, _)| (column.name, style)))
    }
}
