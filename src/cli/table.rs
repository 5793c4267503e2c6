//! Tables for people: columns as wide as their widest cell on the screen, cleaned once more before they are
//! shown.

use crate::domain::text::{clean, fit, width};

/// No cell is wider than this on the screen.
const CELL_COLUMNS_MAX: usize = 100;

/// Between two columns.
const GAP: &str = "  ";

/// On which side of its column a text stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Left,
    Right,
}

/// The head of a column.
pub(super) struct Head(&'static str, Side);

/// A column of words.
pub(super) const fn words(title: &'static str) -> Head {
    Head(title, Side::Left)
}

/// A column of numbers.
pub(super) const fn numbers(title: &'static str) -> Head {
    Head(title, Side::Right)
}

/// A table: heads, and rows of as many cells.
pub(super) struct Table<const N: usize> {
    heads: [Head; N],
    rows: Vec<[String; N]>,
}

impl<const N: usize> Table<N> {
    pub(super) const fn new(heads: [Head; N]) -> Self {
        Self {
            heads,
            rows: Vec::new(),
        }
    }

    pub(super) fn row(&mut self, cells: [String; N]) {
        self.rows
            .push(cells.map(|cell| fit(&clean(&cell), CELL_COLUMNS_MAX)));
    }

    /// The table as text, or a sentence when it has no rows.
    pub(super) fn text_or(&self, empty: &str) -> String {
        if self.rows.is_empty() {
            empty.to_owned()
        } else {
            self.text()
        }
    }

    /// The table as text, without a line break at its end.
    pub(super) fn text(&self) -> String {
        let widths: Vec<usize> = self
            .heads
            .iter()
            .enumerate()
            .map(|(column, head)| self.column_width(column, head))
            .collect();
        let heads = self.heads.iter().map(|head| head.0);
        let mut lines = vec![self.line(heads, &widths)];
        for row in &self.rows {
            lines.push(self.line(row.iter().map(String::as_str), &widths));
        }
        lines.join("\n")
    }

    fn column_width(&self, column: usize, head: &Head) -> usize {
        let cells = self.rows.iter().filter_map(|row| row.get(column));
        cells
            .map(|cell| width(cell))
            .chain([width(head.0)])
            .max()
            .unwrap_or(0)
    }

    fn line<'a>(&self, cells: impl Iterator<Item = &'a str>, widths: &[usize]) -> String {
        let padded: Vec<String> = cells
            .zip(&self.heads)
            .zip(widths)
            .map(|((cell, head), columns)| {
                let blank = " ".repeat(columns.saturating_sub(width(cell)));
                match head.1 {
                    Side::Left => format!("{cell}{blank}"),
                    Side::Right => format!("{blank}{cell}"),
                }
            })
            .collect();
        padded.join(GAP).trim_end().to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::{Table, numbers, words};
    use crate::domain::text::width;

    #[test]
    fn columns_line_up_also_under_wide_text() {
        let mut table = Table::new([words("TITLE"), numbers("FREE"), words("AT")]);
        table.row(["劇場の席".into(), "7".into(), "x".into()]);
        table.row(["Hamlet\u{1b}[2J".into(), "1200".into(), "y".into()]);
        let text = table.text();
        let columns: Vec<usize> = text.lines().map(width).collect();
        assert_eq!(text.lines().next(), Some("TITLE      FREE  AT"));
        assert!(columns.iter().all(|wide| wide.abs_diff(18) <= 1), "{text}");
        assert!(!text.contains('\u{1b}'));
    }

    #[test]
    fn a_table_without_rows_says_what_to_do() {
        let table = Table::new([words("NAME")]);
        assert_eq!(table.text_or("Nothing yet."), "Nothing yet.");
    }
}
