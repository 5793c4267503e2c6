//! Printing to a file or a shell command, shared by the screen and the command line.

use std::fmt;
use std::path::PathBuf;

use crate::domain::paper::PaperForm;
use crate::domain::plan::SeatRef;
use crate::domain::receipt::Papers;
use crate::domain::ticket_code::TicketPlace;
use crate::engine::output::{Existing, OutputError, OutputFile};
use crate::engine::reads::carts::{GoodsView, LineView};
use crate::engine::reads::receipts::ReceiptView;
use crate::engine::{Location, output, pipe};
use crate::formats::receipt::{OnTicket, ReceiptSheet, SheetGoods, SheetLine};
use crate::formats::{receipt, ticket};

/// Output of printing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Printer {
    /// File to append to.
    File(PathBuf),
    /// File that is not there yet.
    NewFile(PathBuf),
    /// Shell command that reads the text.
    Command(String),
}

impl Printer {
    /// Parses a printer's name: `|lp` is a command, other text a file; empty text is none.
    pub(crate) fn named(text: &str) -> Option<Self> {
        let text = text.trim();
        match text.strip_prefix('|').map(str::trim) {
            Some("") => None,
            Some(command) => Some(Self::Command(command.to_owned())),
            None => (!text.is_empty()).then(|| Self::File(PathBuf::from(text))),
        }
    }

    /// Prints a text; waits for a command to end.
    ///
    /// # Errors
    /// The file cannot be written or the command fails, in a sentence.
    pub(crate) fn print(&self, text: &str, house: &Location) -> Result<(), String> {
        match self {
            Self::Command(command) => pipe(command, text),
            Self::File(path) => output::append(path, text.as_bytes(), house).map_err(|error| error.to_string()),
            Self::NewFile(path) => {
                let begun = OutputFile::begin(path, Existing::Keep, house);
                begun.and_then(|file| file.finish(text.as_bytes())).map_err(|error| match error {
                    OutputError::Exists(path) => format!("There is a file at {} already", path.display()),
                    OutputError::House(_)
                    | OutputError::Gone(_)
                    | OutputError::Busy(_)
                    | OutputError::Failed { .. } => error.to_string(),
                })
            }
        }
    }
}

impl fmt::Display for Printer {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path) | Self::NewFile(path) => write!(out, "{}", path.display()),
            Self::Command(command) => write!(out, "|{command}"),
        }
    }
}

/// Some papers of a receipt, as the printer of the station reads them.
pub(crate) fn for_printer(papers: Papers, view: &ReceiptView) -> String {
    match view.paper.form {
        PaperForm::Text => text(papers, view),
        PaperForm::Escpos => {
            let tickets = papers.tickets().then(|| ticket::escpos(&tickets(view)));
            let receipt = papers.receipt().then(|| receipt::escpos(&sheet(view)));
            tickets.into_iter().chain(receipt).collect()
        }
    }
}

/// Text of some papers of a receipt.
pub(crate) fn text(papers: Papers, view: &ReceiptView) -> String {
    let mut text = String::new();
    if papers.tickets() {
        text.push_str(&ticket::text(&tickets(view)));
    }
    if papers.receipt() {
        text.push_str(&receipt::text(&sheet(view)));
    }
    text
}

/// Print data of a receipt.
pub(crate) fn sheet(view: &ReceiptView) -> ReceiptSheet<'_> {
    let returned = view.returned.iter().map(|returned| {
        let line = SheetLine {
            title: returned.title.clone(),
            goods: SheetGoods::Words(returned.dated().join(", ")),
            kind: returned.kind.clone(),
            count: returned.count,
            unit_price: returned.unit_price,
            parts: returned.parts.clone(),
            total: -returned.total,
        };
        (returned.receipt.clone(), line)
    });
    ReceiptSheet {
        receipt: &view.receipt,
        customer: &view.customer,
        zone: view.zone,
        lines: view.lines.iter().map(|line| sheet_line(line, None, view)).collect(),
        returned: returned.collect(),
        of: view.of.clone(),
        booking: view.booking.as_deref(),
        paper: &view.paper,
    }
}

/// Print data of the tickets of a receipt: of the seats and time that the customer still has.
pub(crate) fn tickets(view: &ReceiptView) -> ReceiptSheet<'_> {
    let mut sheet = sheet(view);
    let live = |line: &LineView| view.receipt.live_of(line.id.number);
    let lines = view.lines.iter().map(|line| (line, live(line)));
    let lines = lines.filter(|(line, live)| match line.time() {
        Some(time) => !time.kept.is_empty() && time.booking.is_none(),
        None => !live.is_empty(),
    });
    sheet.lines = lines.map(|(line, live)| sheet_line(line, Some(live), view)).collect();
    sheet
}

/// Print data of a line; of its seats only some, if given.
fn sheet_line(line: &LineView, only: Option<&[SeatRef]>, view: &ReceiptView) -> SheetLine {
    let goods = match &line.goods {
        GoodsView::Seats { performance, seats, on_ticket } => {
            let printed = |((seat, _), _): &(&(SeatRef, String), &String)| only.is_none_or(|only| only.contains(seat));
            let seats = seats.iter().zip(on_ticket).filter(printed);
            let code = |seat: SeatRef| {
                let is_its = |place: &TicketPlace| (place.line, place.seat) == (line.id.number, seat);
                view.codes.iter().find(|(place, _)| is_its(place)).map(|(_, code)| *code)
            };
            let on_ticket = |seat, words: &String| OnTicket { words: words.clone(), code: code(seat) };
            let (seats, on_ticket) = seats.map(|((seat, name), words)| (name.clone(), on_ticket(*seat, words))).unzip();
            SheetGoods::Seats {
                theater: performance.theater.clone(),
                start: performance.start,
                zone: performance.zone,
                seats,
                on_ticket,
            }
        }
        GoodsView::Time(time) => SheetGoods::Words(time.dated()),
    };
    SheetLine {
        title: line.title().to_owned(),
        goods,
        kind: line.kind.clone(),
        count: line.count,
        unit_price: line.unit_price,
        parts: line.parts.clone(),
        total: line.total,
    }
}

#[cfg(test)]
mod tests {
    use super::{Location, Printer, pipe};

    #[test]
    fn a_printer_is_a_command_or_a_file_to_append_to() {
        assert_eq!(Printer::named(" "), None);
        assert_eq!(Printer::named("|"), None);
        assert_eq!(Printer::named("| lp -d box").unwrap().to_string(), "|lp -d box");
        let folder = tempfile::tempdir().unwrap();
        let house = Location::File(folder.path().join("house.db"));
        let path = folder.path().join("tickets.txt");
        let printer = Printer::named(&path.display().to_string()).unwrap();
        for text in ["one ", "two"] {
            printer.print(text, &house).unwrap();
        }
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "one two");
        let command = Printer::named(&format!("|cat >> {}", path.display())).unwrap();
        command.print(" three", &house).unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "one two three");
        assert!(pipe("exit 3", "text").unwrap_err().contains("exit 3 ended with"));
        let long = "text ".repeat(1 << 18);
        let unread = pipe("true", &long).unwrap_err();
        assert_eq!(unread, "true did not read the text");
        let nowhere = folder.path().join("no").join("where");
        let refused = Printer::File(nowhere).print("text", &house).unwrap_err();
        assert!(refused.contains("cannot be written"), "{refused}");
        for name in ["house.db", "house.db-turn"] {
            std::fs::write(folder.path().join(name), "sold").unwrap();
            let printer = Printer::File(folder.path().join(name));
            let refused = printer.print("text", &house).unwrap_err();
            assert!(refused.contains("belongs to a house"), "{refused}");
            let kept = std::fs::read_to_string(folder.path().join(name)).unwrap();
            assert_eq!(kept, "sold");
        }
    }
}
