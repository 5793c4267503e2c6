//! Lists of others: CSV with a first line that names the columns, as spreadsheets write it.

use crate::domain::customer::LineProblem;
use crate::domain::text::folded;
use crate::formats::text::{Encoding, TextError, decode};

/// Meanings of columns, each with its names in several languages, small and bare; the first one is ours.
pub(super) type Names<C> = [(C, &'static [&'static str])];

/// The list is no text, or its first line does not name the columns of a list.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ListError {
    #[error("it is empty; begin the list with a line like {0}")]
    Empty(&'static str),
    #[error("the first line names no column {column:?} (it has {told}); begin the list with a line like {example}")]
    NoColumn { column: &'static str, told: String, example: &'static str },
    #[error("the first line names {0:?} twice; leave one of the columns out")]
    Twice(String),
    #[error("it has more than {0} lines; part the list, and begin each part with the first line")]
    TooMany(usize),
    #[error(transparent)]
    NoText(#[from] TextError),
}

/// Text of a list.
pub(super) struct ListText {
    text: String,
    pub(super) encoding: Encoding,
}

/// Lines of a list behind its first one, each with its number; blank ones are left out.
pub(super) struct ListLines<'t> {
    text: &'t str,
    records: csv::StringRecordsIntoIter<&'t [u8]>,
    /// End of the text whose lines were counted, and the number of the line there.
    counted: (usize, u64),
}

impl ListText {
    pub(super) fn of(bytes: &[u8]) -> Result<Self, TextError> {
        let (text, encoding) = decode(bytes)?;
        Ok(Self { text, encoding })
    }

    /// The first line, and those behind it; none of an empty list.
    pub(super) fn lines(&self) -> Option<(csv::StringRecord, ListLines<'_>)> {
        let text = self.text.as_str();
        let mut reader = csv::ReaderBuilder::new();
        reader.flexible(true).has_headers(false).delimiter(separator(text));
        let mut records = reader.from_reader(text.as_bytes()).into_records();
        // a spreadsheet may tell another its separator before all else
        let first = records.by_ref().map_while(Result::ok).find(|record| record.get(0) != Some("sep="))?;
        Some((first, ListLines { text, records, counted: (0, 1) }))
    }
}

impl Iterator for ListLines<'_> {
    type Item = (u64, csv::StringRecord);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            // reading text from memory cannot fail
            let record = self.records.next()?.ok()?;
            // the reader leaves the end of a line, and blank lines, to the record behind them
            let at = record.position().map_or(0, csv::Position::byte);
            let at = usize::try_from(at).unwrap_or(usize::MAX);
            let rest = self.text.get(at..).unwrap_or_default();
            let start = at + (rest.len() - rest.trim_start_matches(['\r', '\n']).len());
            let (counted, number) = self.counted;
            let passed = self.text.get(counted..start).unwrap_or_default();
            let number = number + passed.bytes().filter(|byte| *byte == b'\n').map(|_| 1).sum::<u64>();
            self.counted = (start, number);
            if record.iter().any(|field| !field.trim().is_empty()) {
                return Some((number, record));
            }
        }
    }
}

impl ListLines<'_> {
    /// Number of the last line, if a quote in it is never closed: all behind it became one field.
    pub(super) fn left_open(&self) -> Option<u64> {
        let (start, number) = self.counted;
        let last = self.text.get(start..).unwrap_or_default();
        let begins =
            |at: usize| last.get(..at).is_some_and(|before| before.is_empty() || before.ends_with([',', ';', '\t']));
        let is_open = last.matches('"').count() % 2 == 1 && last.match_indices('"').any(|(at, _)| begins(at));
        is_open.then_some(number)
    }
}

/// The separator of the first line: a comma, a semicolon or a tab, as spreadsheets write them.
fn separator(text: &str) -> u8 {
    let first = text.lines().next().unwrap_or_default().as_bytes();
    *[b';', b'\t'].iter().find(|sign| first.contains(sign)).unwrap_or(&b',')
}

/// Meaning of each column; none of one that has no use.
pub(super) fn columns<C: Copy>(first: &csv::StringRecord, known: &Names<C>) -> Result<Vec<Option<C>>, ListError> {
    let bare = |told: &str| folded(told).replace(|letter: char| !letter.is_alphanumeric(), "");
    let names: Vec<String> = first.iter().map(bare).collect();
    let meaning = |name: &String| known.iter().find(|(_, names)| names.contains(&name.as_str())).map(|(of, _)| *of);
    for (at, name) in names.iter().enumerate() {
        if meaning(name).is_some() && names.iter().take(at).any(|before| before == name) {
            return Err(ListError::Twice(name.clone()));
        }
    }
    Ok(names.iter().map(meaning).collect())
}

/// Columns without a use, as they are written.
pub(super) fn unused<C>(first: &csv::StringRecord, columns: &[Option<C>]) -> Vec<String> {
    let unused = first.iter().zip(columns).filter(|(_, column)| column.is_none());
    unused.map(|(told, _)| told.trim().to_owned()).filter(|told| !told.is_empty()).collect()
}

/// Refuses a line that has not as many fields as there are columns.
pub(super) fn whole(record: &csv::StringRecord, columns: usize) -> Result<(), LineProblem> {
    if record.len() == columns {
        return Ok(());
    }
    let count = |length| u64::try_from(length).unwrap_or(u64::MAX);
    Err(LineProblem::Fields { fields: count(record.len()), columns: count(columns) })
}

/// The first line, as a sentence tells it.
pub(super) fn told(first: &csv::StringRecord) -> String {
    first.iter().map(str::trim).collect::<Vec<_>>().join(", ")
}

/// A field without the apostrophe that keeps a spreadsheet from running it.
pub(super) fn text(field: &str) -> &str {
    let field = field.trim();
    field.strip_prefix('\'').filter(|rest| rest.starts_with(['=', '@', '+', '-'])).unwrap_or(field)
}
