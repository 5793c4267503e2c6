//! Lists of customers: CSV with a first line that names the columns, as box offices and spreadsheets write it.

use std::collections::HashMap;

use crate::domain::customer::{CustomerLine, LineProblem, LineRefused};
use crate::domain::text::{digits, folded};
use crate::formats::text::{Encoding, TextError, decode};

/// Meaning of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Column {
    Name,
    First,
    Last,
    Phone,
    Mail,
    Note,
}

/// Names of columns in the languages of box offices, small and bare.
const COLUMNS: [(Column, &[&str]); 6] = [
    (Column::Name, &["name", "fullname", "customer", "customername", "kunde", "nomcomplet", "nombrecompleto", "naam"]),
    (Column::First, &["firstname", "givenname", "forename", "vorname", "prenom", "nombre", "nome", "voornaam"]),
    (Column::Last, &["lastname", "surname", "familyname", "nachname", "nom", "apellidos", "cognome", "achternaam"]),
    (Column::Phone, &["phone", "telephone", "tel", "telefon", "telefono", "telefoon", "mobile", "mobil", "handy"]),
    (Column::Mail, &["mail", "email", "emailaddress", "mailadresse", "emailadresse", "courriel", "correo"]),
    (Column::Note, &["note", "notes", "comment", "remarks", "notiz", "bemerkung", "remarque", "nota", "opmerking"]),
];

/// Lines of a list, those that can't be read, and how many repeat an earlier one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CustomerList {
    pub lines: Vec<CustomerLine>,
    pub refused: Vec<LineRefused>,
    pub repeated: u32,
    /// Columns that no customer has a use for, as they are written.
    pub unused: Vec<String>,
    pub encoding: Encoding,
}

/// The list is no text, or its first line does not name the columns of a list.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ListError {
    #[error("it is empty; begin the list with a line like name,phone,mail,note")]
    Empty,
    #[error(
        "the first line names no column \"name\" (it has {0}); begin the list with a line like name,phone,mail,note"
    )]
    NoName(String),
    #[error("the first line names {0:?} twice; leave one of the columns out")]
    Twice(String),
    #[error(transparent)]
    NoText(#[from] TextError),
}

/// Reads a list of customers.
///
/// # Errors
/// The list is no text, or its first line does not name the columns.
pub fn read(bytes: &[u8]) -> Result<CustomerList, ListError> {
    let (text, encoding) = decode(bytes)?;
    let separator = separator(&text);
    let mut reader =
        csv::ReaderBuilder::new().flexible(true).has_headers(false).delimiter(separator).from_reader(text.as_bytes());
    // reading text from memory cannot fail
    let mut records = reader.records().map_while(Result::ok);
    // a spreadsheet may tell another its separator before all else
    let first = records.find(|record| record.get(0) != Some("sep=")).ok_or(ListError::Empty)?;
    let columns = columns(&first)?;
    let unused = first.iter().zip(&columns).filter(|(_, column)| column.is_none());
    let unused = unused.map(|(told, _)| told.trim().to_owned()).filter(|told| !told.is_empty()).collect();
    let mut list = CustomerList { unused, encoding, ..CustomerList::default() };
    let mut seen: HashMap<(String, String, String), u64> = HashMap::new();
    let (mut counted, mut number) = (0, 1);
    for record in records {
        // the reader leaves the end of a line, and blank lines, to the record behind them
        let at = record.position().map_or(0, csv::Position::byte);
        let at = usize::try_from(at).unwrap_or(usize::MAX);
        let rest = text.get(at..).unwrap_or_default();
        let start = at + (rest.len() - rest.trim_start_matches(['\r', '\n']).len());
        let passed = text.get(counted..start).unwrap_or_default();
        number += passed.bytes().filter(|byte| *byte == b'\n').map(|_| 1).sum::<u64>();
        counted = start;
        if record.iter().all(|field| field.trim().is_empty()) {
            continue;
        }
        match line((number, &record), &columns) {
            Ok(line) => {
                let key = (folded(&line.name), digits(&line.phone), folded(&line.mail));
                if seen.insert(key, number).is_some() {
                    list.repeated += 1;
                } else {
                    list.lines.push(line);
                }
            }
            Err(problem) => list.refused.push(LineRefused { line: number, problem }),
        }
    }
    list.end_open(text.get(counted..).unwrap_or_default(), number);
    Ok(list)
}

impl CustomerList {
    /// Refuses a last line with a quote that nothing closes: all behind it became one field.
    fn end_open(&mut self, last: &str, number: u64) {
        let begins =
            |at: usize| last.get(..at).is_some_and(|before| before.is_empty() || before.ends_with([',', ';', '\t']));
        let is_open = last.matches('"').count() % 2 == 1 && last.match_indices('"').any(|(at, _)| begins(at));
        if is_open {
            self.lines.retain(|line| line.number != number);
            self.refused.retain(|refused| refused.line != number);
            self.refused.push(LineRefused { line: number, problem: LineProblem::OpenQuote });
        }
    }
}

/// The separator of the first line: a comma, a semicolon or a tab, as spreadsheets write them.
fn separator(text: &str) -> u8 {
    let first = text.lines().next().unwrap_or_default().as_bytes();
    *[b';', b'\t'].iter().find(|sign| first.contains(sign)).unwrap_or(&b',')
}

/// Meaning of each column; none of one that no customer has a use for.
fn columns(first: &csv::StringRecord) -> Result<Vec<Option<Column>>, ListError> {
    let bare = |told: &str| folded(told).replace(|letter: char| !letter.is_alphanumeric(), "");
    let names: Vec<String> = first.iter().map(bare).collect();
    let known = |name: &String| COLUMNS.iter().find(|(_, names)| names.contains(&name.as_str()));
    let columns: Vec<Option<Column>> = names.iter().map(|name| known(name).map(|(column, _)| *column)).collect();
    for (at, name) in names.iter().enumerate() {
        if known(name).is_some() && names.iter().take(at).any(|before| before == name) {
            return Err(ListError::Twice(name.clone()));
        }
    }
    if [Column::Name, Column::First, Column::Last].iter().any(|name| columns.contains(&Some(*name))) {
        Ok(columns)
    } else {
        Err(ListError::NoName(first.iter().map(str::trim).collect::<Vec<_>>().join(", ")))
    }
}

fn line((number, record): (u64, &csv::StringRecord), columns: &[Option<Column>]) -> Result<CustomerLine, LineProblem> {
    if record.len() != columns.len() {
        let count = |length| u64::try_from(length).unwrap_or(u64::MAX);
        return Err(LineProblem::Fields { fields: count(record.len()), columns: count(columns.len()) });
    }
    // the first of several columns that has a text
    let field = |column: Column| {
        let fields = record.iter().zip(columns).filter(|(_, of)| **of == Some(column));
        fields.map(|(field, _)| text(field)).find(|field| !field.is_empty()).unwrap_or_default()
    };
    let (name, first) = (field(Column::Name), field(Column::First));
    // beside a first name, a name is the last one, unless it has both
    let name = match (name, field(Column::Last)) {
        ("", last) => format!("{first} {last}"),
        (name, "") if !name.contains(first) => format!("{first} {name}"),
        (name, _) => name.to_owned(),
    };
    let [phone, mail, note] = [Column::Phone, Column::Mail, Column::Note].map(|column| field(column).to_owned());
    Ok(CustomerLine { number, name: name.trim().to_owned(), phone, mail, note })
}

/// A field without the apostrophe that keeps a spreadsheet from running it.
fn text(field: &str) -> &str {
    let field = field.trim();
    field.strip_prefix('\'').filter(|rest| rest.starts_with(['=', '@', '+', '-'])).unwrap_or(field)
}

#[cfg(test)]
mod tests {
    use super::{Encoding, LineProblem, ListError, read};

    #[test]
    fn a_list_is_read_as_spreadsheets_write_it() {
        let list =
            read(b"\xef\xbb\xbfE-Mail;Name\r\na@b.c;\"Weber; Ada\"\r\n\r\n;\"Ida\r\nMaria\"\r\n;'=Ben\r\n").unwrap();
        let told: Vec<_> =
            list.lines.iter().map(|line| (line.number, line.name.as_str(), line.mail.as_str())).collect();
        assert_eq!(told, [(2, "Weber; Ada", "a@b.c"), (4, "Ida\r\nMaria", ""), (6, "=Ben", "")]);
        assert_eq!(read(b""), Err(ListError::Empty));
        assert_eq!(read(b"Ada,0171\n"), Err(ListError::NoName("Ada, 0171".into())));
        assert_eq!(read(b"name,phone,Phone"), Err(ListError::Twice("phone".into())));
        let odd = read(b"name,phone\nAda,1,2\nBen\nAda,0171\nADA,01 71\n").unwrap();
        assert_eq!((odd.refused.len(), odd.lines.len(), odd.repeated), (2, 1, 1));
    }

    #[test]
    fn names_of_columns_are_known_in_several_languages_and_others_are_told() {
        for (first, line) in [
            ("Order #,First Name,Last Name,Email,Seat", "1001,Ada,Weber,a@b.c,A1"),
            ("Nachname;Vorname;E-Mail;Telefon", "Weber;Ada;a@b.c;"),
            ("sep=;\nName;Vorname;E-Mail", "Weber;Ada;a@b.c"),
            ("Prénom\tNom\tCourriel", "Ada\tWeber\ta@b.c"),
            ("Name,First name,Last name,Mail", "Ada Weber,Ada,Weber,a@b.c"),
            ("Full name,First name,E-mail address,Tel", "Ada Weber,Ada,a@b.c,"),
        ] {
            let list = read(format!("{first}\n{line}\n").as_bytes()).unwrap();
            let [one] = list.lines.as_slice() else { panic!("{list:?}") };
            assert_eq!((one.name.as_str(), one.mail.as_str()), ("Ada Weber", "a@b.c"), "{first}");
            let unused: &[&str] = if first.starts_with("Order") { &["Order #", "Seat"] } else { &[] };
            assert_eq!(list.unused, unused, "{first}");
        }
    }

    #[test]
    fn a_quote_that_nothing_closes_takes_no_line_with_it_in_silence() {
        for list in ["name,phone\nAda,0171\n\"Ben,0172\nIda,0173\n", "name,phone\nAda,0171\nIda,\"0173"] {
            let read = read(list.as_bytes()).unwrap();
            let problems: Vec<_> = read.refused.iter().map(|one| (one.line, &one.problem)).collect();
            assert_eq!(problems, [(3, &LineProblem::OpenQuote)], "{list}");
            assert_eq!((read.lines.len(), read.encoding), (1, Encoding::Utf8));
        }
        assert_eq!(read(b"name\nBen 5\" tall\n").unwrap().lines.len(), 1);
    }
}
