//! Lists of customers: CSV with a first line that names the columns name, phone, mail and note, in any order.

use std::collections::HashMap;

use crate::domain::customer::{CustomerLine, LineProblem, LineRefused};
use crate::domain::text::{digits, folded};

/// Columns of a list.
const COLUMNS: [&str; 4] = ["name", "phone", "mail", "note"];

/// Lines of a list, those that can't be read, and how many repeat an earlier one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CustomerList {
    pub lines: Vec<CustomerLine>,
    pub refused: Vec<LineRefused>,
    pub repeated: u32,
}

/// The first line does not name the columns of a list.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ListError {
    #[error("the first line names no column \"name\"; begin the list with a line like name,phone,mail,note")]
    NoName,
    #[error("the first line names {0:?}, which is no column; use name, phone, mail and note")]
    Unknown(String),
    #[error("the first line names {0:?} twice; leave one of the columns out")]
    Twice(String),
}

/// Reads a list of customers.
///
/// # Errors
/// The first line does not name the columns.
pub fn read(bytes: &[u8]) -> Result<CustomerList, ListError> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let mut reader =
        csv::ReaderBuilder::new().flexible(true).has_headers(false).delimiter(delimiter(bytes)).from_reader(bytes);
    let mut records = reader.byte_records();
    let first = records.next().and_then(Result::ok).unwrap_or_default();
    let columns = columns(&first)?;
    let mut list = CustomerList::default();
    let mut seen: HashMap<(String, String, String), u64> = HashMap::new();
    // reading from memory cannot fail
    let (mut counted, mut number) = (0, 1);
    for record in records.map_while(Result::ok) {
        // the reader leaves the end of a line, and blank lines, to the record behind them
        let at = record.position().map_or(0, csv::Position::byte);
        let at = usize::try_from(at).unwrap_or(usize::MAX);
        let rest = bytes.get(at..).unwrap_or_default();
        let blank = rest.iter().take_while(|byte| matches!(byte, b'\r' | b'\n'));
        let start = at + blank.count();
        let passed = bytes.get(counted..start).unwrap_or_default();
        number += passed.split(|byte| *byte == b'\n').skip(1).map(|_| 1).sum::<u64>();
        counted = start;
        if record.iter().all(|field| field.trim_ascii().is_empty()) {
            continue;
        }
        match line(number, &record, &columns) {
            Ok(line) => {
                let key = (folded(&line.name), digits(&line.phone), folded(&line.mail));
                if seen.insert(key, number).is_some() {
                    list.repeated += 1;
                } else {
                    list.lines.push(line);
                }
            }
            Err(problem) => {
                let line = number;
                list.refused.push(LineRefused { line, problem });
            }
        }
    }
    Ok(list)
}

/// The separator of the first line: a comma, a semicolon or a tab, as spreadsheets write them.
fn delimiter(bytes: &[u8]) -> u8 {
    let first = bytes.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let is_there = |sign: &u8| first.contains(sign);
    *[b';', b'\t'].iter().find(|sign| is_there(sign)).unwrap_or(&b',')
}

/// Column of each field.
fn columns(first: &csv::ByteRecord) -> Result<Vec<&'static str>, ListError> {
    let mut columns = Vec::new();
    for field in first {
        let told = String::from_utf8_lossy(field).trim().to_lowercase();
        let column = match told.as_str() {
            "email" | "e-mail" => "mail",
            other => other,
        };
        let known = COLUMNS.iter().find(|known| **known == column);
        let known = *known.ok_or_else(|| ListError::Unknown(told.clone()))?;
        if columns.contains(&known) {
            return Err(ListError::Twice(told));
        }
        columns.push(known);
    }
    if columns.contains(&"name") { Ok(columns) } else { Err(ListError::NoName) }
}

fn line(number: u64, record: &csv::ByteRecord, columns: &[&'static str]) -> Result<CustomerLine, LineProblem> {
    if record.len() != columns.len() {
        let count = |length| u64::try_from(length).unwrap_or(u64::MAX);
        return Err(LineProblem::Fields { fields: count(record.len()), columns: count(columns.len()) });
    }
    let mut line = CustomerLine { number, ..CustomerLine::default() };
    for (field, column) in record.iter().zip(columns) {
        let text = std::str::from_utf8(field).map_err(|_| LineProblem::NotUtf8)?;
        let place = match *column {
            "name" => &mut line.name,
            "phone" => &mut line.phone,
            "mail" => &mut line.mail,
            _ => &mut line.note,
        };
        text.trim().clone_into(place);
    }
    Ok(line)
}

#[cfg(test)]
mod tests {
    use super::{ListError, read};

    #[test]
    fn a_list_is_read_as_spreadsheets_write_it() {
        let list = read(b"\xef\xbb\xbfE-Mail;Name\r\na@b.c;\"Weber; Ada\"\r\n\r\n;Ida\r\n").unwrap();
        let told: Vec<_> =
            list.lines.iter().map(|line| (line.number, line.name.as_str(), line.mail.as_str())).collect();
        assert_eq!(told, [(2, "Weber; Ada", "a@b.c"), (4, "Ida", "")]);
        assert_eq!(read(b""), Err(ListError::NoName));
        assert_eq!(read(b"Ada,0171\n"), Err(ListError::Unknown("ada".into())));
        assert_eq!(read(b"name,phone,Phone"), Err(ListError::Twice("phone".into())));
        let odd = read(b"name,phone\nAda,1,2\n\xff,2\nAda,0171\nADA,01 71\n").unwrap();
        assert_eq!((odd.refused.len(), odd.lines.len(), odd.repeated), (2, 1, 1));
    }
}
