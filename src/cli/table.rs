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

/// Rows, written column by column.
pub(super) struct Table<'a, R> {
    rows: &'a [R],
    /// The line of titles, then one for each row.
    lines: Vec<String>,
}

impl<'a, R> Table<'a, R> {
    pub(super) fn of(rows: &'a [R]) -> Self {
        let lines = vec![String::new(); rows.len() + 1];
        Self { rows, lines }
    }

    pub(super) fn words<C: ToString>(self, title: &str, cell: impl Fn(&R) -> C) -> Self {
        self.column(title, Side::Left, cell)
    }

    pub(super) fn numbers<C: ToString>(self, title: &str, cell: impl Fn(&R) -> C) -> Self {
        self.column(title, Side::Right, cell)
    }

    fn column<C: ToString>(mut self, title: &str, side: Side, cell: impl Fn(&R) -> C) -> Self {
        let cells = self.rows.iter().map(|row| cell(row).to_string());
        let cells = cells.map(|cell| fit(&clean(&cell), CELL_COLUMNS_MAX));
        let cells: Vec<String> = std::iter::once(title.to_owned()).chain(cells).collect();
        let widest = cells.iter().map(|cell| width(cell)).max().unwrap_or(0);
        for (line, cell) in self.lines.iter_mut().zip(&cells) {
            if !line.is_empty() {
                line.push_str(GAP);
            }
            let blank = " ".repeat(widest.saturating_sub(width(cell)));
            let (left, right) = match side {
                Side::Left => (cell, &blank),
                Side::Right => (&blank, cell),
            };
            line.extend([left.as_str(), right]);
        }
        self
    }

    /// The table without a line break at its end, or a sentence when it has no rows.
    pub(super) fn text_or(&self, empty: &str) -> String {
        if self.rows.is_empty() { empty.to_owned() } else { self.text() }
    }

    /// The table without a line break at its end.
    pub(super) fn text(&self) -> String {
        let lines: Vec<&str> = self.lines.iter().map(|line| line.trim_end()).collect();
        lines.join("\n")
    }
}

#[cfg(test)]
mod tests {
    use super::Table;
    use crate::domain::text::width;

    #[test]
    fn columns_line_up_also_under_wide_text() {
        let rows = [("劇場の席", 7, "x"), ("Hamlet\u{1b}[2J", 1200, "y")];
        let text =
            Table::of(&rows).words("TITLE", |row| row.0).numbers("FREE", |row| row.1).words("AT", |row| row.2).text();
        let columns: Vec<usize> = text.lines().map(width).collect();
        assert_eq!(text.lines().next(), Some("TITLE      FREE  AT"));
        assert!(columns.iter().all(|wide| wide.abs_diff(18) <= 1), "{text}");
        assert!(!text.contains('\u{1b}'));
    }

    #[test]
    fn a_table_without_rows_says_what_to_do() {
        let table = Table::<u8>::of(&[]).words("NAME", |_| "");
        assert_eq!(table.text_or("Nothing yet."), "Nothing yet.");
    }
}
