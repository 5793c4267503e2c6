//! CSV: lists for spreadsheets.

use csv::Writer;

/// Lists as CSV with a line of titles. A text that a spreadsheet would run as a formula gets an apostrophe before it.
pub(super) fn csv<const N: usize>(titles: [&str; N], rows: impl IntoIterator<Item = [String; N]>) -> String {
    let mut writer = Writer::from_writer(Vec::new());
    let rows = rows.into_iter().map(|row| row.map(as_text));
    for row in std::iter::once(titles.map(str::to_owned)).chain(rows) {
        // writing into memory does not fail
        let _ = writer.write_record(&row);
    }
    let bytes = writer.into_inner().unwrap_or_default();
    String::from_utf8(bytes).unwrap_or_default()
}

/// A cell that no spreadsheet runs; `+49 30 1234` stays.
fn as_text(cell: String) -> String {
    let is_number = |rest: &str| rest.chars().all(|one| one.is_ascii_digit() || " -/().,".contains(one));
    match cell.chars().next() {
        Some('=' | '@' | '\t' | '\r') => format!("'{cell}"),
        Some('+' | '-') if !cell.get(1..).is_some_and(is_number) => format!("'{cell}"),
        _ => cell,
    }
}

#[cfg(test)]
mod tests {
    use super::csv;

    #[test]
    fn cells_are_quoted_and_no_formula_is_run() {
        let rows = [["Doe, \"Jo\"".to_owned(), "+49 30 1234".to_owned()], ["=1+1".to_owned(), "+1+A1".to_owned()]];
        let text = csv(["name", "phone"], rows);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines, ["name,phone", "\"Doe, \"\"Jo\"\"\",+49 30 1234", "'=1+1,'+1+A1"]);
    }
}
