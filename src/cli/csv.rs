//! CSV: lists for spreadsheets, with the rows that JSON has.

use csv::Writer;
use serde_json::Value;

/// Rows as CSV behind a line of titles, also without rows.
pub(super) fn csv(columns: &str, rows: &Value) -> String {
    let columns: Vec<&str> = columns.split_whitespace().collect();
    let mut writer = Writer::from_writer(Vec::new());
    // writing into memory does not fail
    let _ = writer.write_record(&columns);
    for row in rows.as_array().into_iter().flatten() {
        let field = |column: &&str| row.pointer(&format!("/{}", column.replace('.', "/")));
        let _ = writer.write_record(columns.iter().map(|column| field(column).map_or_else(String::new, cell)));
    }
    let bytes = writer.into_inner().unwrap_or_default();
    String::from_utf8(bytes).unwrap_or_default()
}

/// A field as a cell: words of a list are parted by spaces, objects in it by commas, and an object is its values.
fn cell(field: &Value) -> String {
    let joined = |cells: Vec<String>, sign: &str| as_text(&cells.join(sign));
    match field {
        Value::Null => String::new(),
        Value::String(text) => as_text(text),
        Value::Array(list) if list.iter().any(Value::is_object) => joined(list.iter().map(cell).collect(), ", "),
        Value::Array(list) => joined(list.iter().map(cell).collect(), " "),
        Value::Object(fields) => joined(fields.values().map(cell).collect(), " "),
        Value::Bool(_) | Value::Number(_) => field.to_string(),
    }
}

/// A text that no spreadsheet runs as a formula, by an apostrophe before it; `+49 30 1234` and `-10.00` stay.
fn as_text(text: &str) -> String {
    let is_number = |rest: &str| rest.chars().all(|one| one.is_ascii_digit() || " -/().,".contains(one));
    match text.chars().next() {
        Some('=' | '@' | '\t' | '\r') => format!("'{text}"),
        Some('+' | '-') if !text.get(1..).is_some_and(is_number) => format!("'{text}"),
        _ => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::csv;

    #[test]
    fn cells_are_quoted_and_no_formula_is_run() {
        let rows = json!([
            { "name": "Doe, \"Jo\"", "customer": { "phone": "+49 30 1234" }, "seats": ["A1", "A2"], "total": "-10.00" },
            { "name": "=1+1", "customer": { "phone": "+1+A1" }, "total": 3, "types": [{ "seats": 2, "type": "Adult" }, { "seats": 1, "type": "Child" }] },
        ]);
        let text = csv("name customer.phone seats total types", &rows);
        let lines: Vec<&str> = text.lines().collect();
        let told = [
            "name,customer.phone,seats,total,types",
            "\"Doe, \"\"Jo\"\"\",+49 30 1234,A1 A2,-10.00,",
            "'=1+1,'+1+A1,,3,\"2 Adult, 1 Child\"",
        ];
        assert_eq!(lines, told);
        assert_eq!(csv("id name", &json!([])), "id,name\n");
    }
}
