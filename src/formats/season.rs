//! Lists of nights: CSV with a first line that names the columns.

use crate::domain::customer::LineProblem;
use crate::domain::season::{NIGHTS_MAX, SeasonLine};
use crate::formats::list::{self, ListError, ListText, text};
use crate::formats::text::Encoding;

/// Meaning of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Column {
    Title,
    Theater,
    Start,
    End,
    Price,
    List,
    Description,
    Currency,
    Capacity,
    Id,
}

/// First line of a list.
const EXAMPLE: &str = "title;theater;start;end;price";

/// Names of columns in the languages of box offices, small and bare.
const COLUMNS: [(Column, &[&str]); 10] = [
    (Column::Title, &["title", "performance", "show", "titel", "vorstellung", "titre", "titulo", "titolo"]),
    (Column::Theater, &["theater", "theatre", "venue", "hall", "saal", "spielort", "salle", "sala", "teatro", "zaal"]),
    (Column::Start, &["start", "begin", "from", "beginn", "debut", "inicio", "inizio", "aanvang"]),
    (Column::End, &["end", "until", "ende", "fin", "fine", "einde"]),
    (Column::Price, &["price", "prices", "preis", "preise", "prix", "precio", "prezzo", "prijs"]),
    (Column::List, &["list", "pricelist", "preisliste", "tarif", "tarifa", "listino", "prijslijst"]),
    (Column::Description, &["description", "text", "beschreibung", "descripcion", "descrizione", "omschrijving"]),
    (Column::Currency, &["currency", "wahrung", "devise", "moneda", "valuta"]),
    (Column::Capacity, &["capacity", "places", "platze"]),
    (Column::Id, &["id"]),
];

/// Columns that each list has.
const NEEDED: [(Column, &str); 4] =
    [(Column::Title, "title"), (Column::Start, "start"), (Column::End, "end"), (Column::Price, "price")];

/// Lines of a list of nights.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeasonList {
    pub lines: Vec<SeasonLine>,
    /// Columns that no night has a use for, as they are written.
    pub unused: Vec<String>,
    pub encoding: Encoding,
}

/// Reads a list of nights.
///
/// # Errors
/// The list is no text, has too many lines, or its first line does not name the columns.
pub fn read(bytes: &[u8]) -> Result<SeasonList, ListError> {
    let of = ListText::of(bytes)?;
    let (first, mut records) = of.lines().ok_or(ListError::Empty(EXAMPLE))?;
    let columns = list::columns(&first, &COLUMNS)?;
    if let Some((_, column)) = NEEDED.iter().find(|(needed, _)| !columns.contains(&Some(*needed))) {
        return Err(ListError::NoColumn { column, told: list::told(&first), example: EXAMPLE });
    }
    let mut lines: Vec<SeasonLine> =
        records.by_ref().take(NIGHTS_MAX + 1).map(|(number, record)| line((number, &record), &columns)).collect();
    if lines.len() > NIGHTS_MAX {
        return Err(ListError::TooMany(NIGHTS_MAX));
    }
    if let Some(number) = records.left_open()
        && let Some(last) = lines.iter_mut().find(|line| line.number == number)
    {
        last.problem = Some(LineProblem::OpenQuote);
    }
    if lines.is_empty() {
        return Err(ListError::Empty(EXAMPLE));
    }
    Ok(SeasonList { lines, unused: list::unused(&first, &columns), encoding: of.encoding })
}

fn line((number, record): (u64, &csv::StringRecord), columns: &[Option<Column>]) -> SeasonLine {
    if let Err(problem) = list::whole(record, columns.len()) {
        return SeasonLine { number, problem: Some(problem), ..SeasonLine::default() };
    }
    let field = |column: Column| {
        let mut fields = record.iter().zip(columns).filter(|(_, of)| **of == Some(column));
        fields.next().map(|(field, _)| text(field).to_owned())
    };
    let needed = |column| field(column).unwrap_or_default();
    SeasonLine {
        number,
        problem: None,
        title: needed(Column::Title),
        theater: needed(Column::Theater),
        start: needed(Column::Start),
        end: needed(Column::End),
        price: needed(Column::Price),
        list: field(Column::List),
        description: field(Column::Description),
        currency: field(Column::Currency),
        capacity: field(Column::Capacity),
        id: field(Column::Id),
    }
}

#[cfg(test)]
mod tests {
    use super::{EXAMPLE, ListError, NIGHTS_MAX, read};
    use crate::domain::customer::LineProblem;

    #[test]
    fn a_season_is_read_as_spreadsheets_write_it() {
        let list =
            read(b"Preis;Titel;Beginn;Ende;Saal;Regie\r\n18,00;K\xf6nig;01.12.2026 19:30;22:00;Royal;X\r\n").unwrap();
        let [one] = list.lines.as_slice() else { panic!("{list:?}") };
        assert_eq!((one.title.as_str(), one.price.as_str(), one.theater.as_str()), ("König", "18,00", "Royal"));
        assert_eq!((list.unused.as_slice(), &one.description), (&["Regie".to_owned()][..], &None));
    }

    #[test]
    fn half_a_line_an_open_quote_and_no_first_line_are_told() {
        let list = read(b"title,start,end,price\nLear,2026-12-01 19:30\n\n\"Lear,2026-12-01 19:30,22:00,9\n").unwrap();
        let told: Vec<_> = list.lines.iter().map(|line| (line.number, line.problem.clone())).collect();
        let half = LineProblem::Fields { fields: 2, columns: 4 };
        assert_eq!(told, [(2, Some(half)), (4, Some(LineProblem::OpenQuote))]);
        let told = "Lear, 2026-12-01 19:30, 22:00, 9".to_owned();
        let none = Err(ListError::NoColumn { column: "title", told, example: EXAMPLE });
        assert_eq!(read(b"Lear,2026-12-01 19:30,22:00,9\n"), none);
        assert_eq!(read(b"title,start,end,price\n"), Err(ListError::Empty(EXAMPLE)));
        let line = "Lear,2026-12-01 19:30,22:00,9\n";
        let many = format!("title,start,end,price\n{}", line.repeat(NIGHTS_MAX + 1));
        assert_eq!(read(many.as_bytes()), Err(ListError::TooMany(NIGHTS_MAX)));
    }
}
