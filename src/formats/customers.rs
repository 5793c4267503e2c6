//! Lists of customers: CSV with a first line that names the columns, as box offices and spreadsheets write it.

use std::collections::HashMap;

use crate::domain::customer::{CustomerLine, LineProblem, LineRefused};
use crate::domain::text::{digits, folded};
use crate::formats::list::{self, ListError, ListText, text};
use crate::formats::text::Encoding;

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

/// First line of a list.
const EXAMPLE: &str = "name,phone,mail,note";

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

/// Most lines of a list, which take a minute or two.
const LINES_MAX: usize = 200_000;

/// Reads a list of customers.
///
/// # Errors
/// The list is no text, has more than 200,000 lines, or its first line does not name the columns.
pub fn read(bytes: &[u8]) -> Result<CustomerList, ListError> {
    let of = ListText::of(bytes)?;
    let (first, mut lines) = of.lines().ok_or(ListError::Empty(EXAMPLE))?;
    let columns = list::columns(&first, &COLUMNS)?;
    if ![Column::Name, Column::First, Column::Last].iter().any(|name| columns.contains(&Some(*name))) {
        return Err(ListError::NoColumn { column: "name", told: list::told(&first), example: EXAMPLE });
    }
    let unused = list::unused(&first, &columns);
    let mut list = CustomerList { unused, encoding: of.encoding, ..CustomerList::default() };
    let mut seen: HashMap<(String, String, String), u64> = HashMap::new();
    for (number, record) in lines.by_ref() {
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
        if seen.len() + list.refused.len() > LINES_MAX {
            return Err(ListError::TooMany(LINES_MAX));
        }
    }
    if let Some(number) = lines.left_open() {
        list.lines.retain(|line| line.number != number);
        list.refused.retain(|refused| refused.line != number);
        list.refused.push(LineRefused { line: number, problem: LineProblem::OpenQuote });
    }
    Ok(list)
}

fn line((number, record): (u64, &csv::StringRecord), columns: &[Option<Column>]) -> Result<CustomerLine, LineProblem> {
    list::whole(record, columns.len())?;
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

#[cfg(test)]
mod tests {
    use super::{EXAMPLE, Encoding, LineProblem, ListError, read};

    #[test]
    fn a_list_is_read_as_spreadsheets_write_it() {
        let list =
            read(b"\xef\xbb\xbfE-Mail;Name\r\na@b.c;\"Weber; Ada\"\r\n\r\n;\"Ida\r\nMaria\"\r\n;'=Ben\r\n").unwrap();
        let told: Vec<_> =
            list.lines.iter().map(|line| (line.number, line.name.as_str(), line.mail.as_str())).collect();
        assert_eq!(told, [(2, "Weber; Ada", "a@b.c"), (4, "Ida\r\nMaria", ""), (6, "=Ben", "")]);
        assert_eq!(read(b""), Err(ListError::Empty(EXAMPLE)));
        let told = "Ada, 0171".to_owned();
        assert_eq!(read(b"Ada,0171\n"), Err(ListError::NoColumn { column: "name", told, example: EXAMPLE }));
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
