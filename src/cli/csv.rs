//! Lists as CSV, for spreadsheets: headers, then one record a row.

use crate::cli::call::{Call, Done};
use crate::cli::stop::Stop;
use crate::domain::text::harmless;

/// Writes a list to standard output. Fields that a spreadsheet would take for a formula begin with an apostrophe.
pub(super) fn write(
    call: &mut Call<'_>,
    headers: &[&str],
    rows: impl IntoIterator<Item = Vec<String>>,
) -> Done {
    let mut lines = csv::Writer::from_writer(Vec::new());
    lines.write_record(headers).map_err(broken)?;
    for row in rows {
        let fields: Vec<String> = row.iter().map(|field| plain(field)).collect();
        lines.write_record(&fields).map_err(broken)?;
    }
    let bytes = lines
        .into_inner()
        .map_err(|error| broken(error.into_error().into()))?;
    call.out.bytes(&bytes)
}

/// A field without control characters, that no spreadsheet computes. Signed numbers and phones stay as they are.
fn plain(field: &str) -> String {
    let text = harmless(field).replace('\n', " ");
    let is_number = |letter: char| letter.is_ascii_digit() || " +-./()".contains(letter);
    let is_formula = text.starts_with(['=', '+', '-', '@']) && !text.chars().all(is_number);
    if is_formula { format!("'{text}") } else { text }
}

fn broken(error: csv::Error) -> Stop {
    std::io::Error::from(error).into()
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn a_name_is_never_a_formula_and_a_phone_stays_a_phone() {
        assert_eq!(plain("=HYPERLINK(\"x\")"), "'=HYPERLINK(\"x\")");
        assert_eq!(plain("@ada"), "'@ada");
        assert_eq!(plain("+49 30 1234"), "+49 30 1234");
        assert_eq!(plain("-12.00"), "-12.00");
        assert_eq!(plain("Ada, Countess"), "Ada, Countess");
    }
}
