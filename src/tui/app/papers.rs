//! Tickets and receipts on paper: after a sale as Pay says, and again when somebody asks for it.

use crate::domain::receipt::Papers;
use crate::domain::refusal::{Refusal, TicketRefusal};
use crate::engine::Failure;
use crate::engine::ops::PrintPapers;
use crate::engine::reads::receipts::ReceiptView;
use crate::tui::app::App;
use crate::tui::data::msg::Finished;
use crate::tui::data::ticket::TicketOwner;
use crate::tui::kit::prompt::{Prompt, PromptWords};
use crate::tui::kit::screen::Screen;
use crate::tui::kit::shared::Tone;
use crate::words;
use crate::words::printing::{self, Printer};

const COPY: PromptWords =
    ("why a copy", "lost   left at home   the printer jammed", &[("Enter", "print, it is counted"), ("Esc", "close")]);

impl App {
    /// A print is counted in the house, and is now made.
    pub(super) fn counted(&mut self, (printer, print): (Printer, Box<PrintPapers>), done: Result<Finished, Failure>) {
        match done {
            Ok(Finished::Receipt(view)) => self.print(&view, print.papers, printer),
            Ok(_) => {}
            Err(Failure::Refused(Refusal::Ticket(TicketRefusal::CopyReason { .. }))) if self.modal.is_none() => {
                self.open(Prompt::new(COPY, "", &self.shared, move |why, context| {
                    if why.trim().is_empty() {
                        return Err("a copy has a reason".to_owned());
                    }
                    let print = PrintPapers { reason: why.to_owned(), ..PrintPapers::clone(&print) };
                    context.run(TicketOwner::Counted(printer.clone(), print.clone().into()), print);
                    Ok(())
                }));
            }
            Err(failure) => self.say(Tone::Refused, words::failure(&failure, self.shared.here())),
        }
    }

    /// Tells whether the printer took the papers.
    pub(super) fn printed(&mut self, words: String, done: Result<Finished, Failure>) {
        let Err(failure) = done else {
            self.say(Tone::Done, words);
            return;
        };
        let why = failure.to_string();
        let key = if self.at == Screen::Seats { "<ticket-type>" } else { "<tickets-again>" };
        let words = format!("Not printed: {why}; {key} prints again");
        self.say(Tone::Refused, words);
    }

    /// Prints tickets that were printed for the first time when they were collected.
    pub(super) fn print_collected(&mut self, done: &Finished) {
        if let (Finished::Receipt(view), Some(printer)) = (done, self.shared.printer.clone())
            && view.receipt.is_printed_at_collection()
        {
            self.print(view, Papers::Tickets, printer);
        }
    }

    fn print(&mut self, view: &ReceiptView, papers: Papers, printer: Printer) {
        let seats = view.receipt.seat_count();
        let what = match (papers.tickets(), papers.receipt()) {
            (true, true) => format!("{} and the receipt", words::count(seats, "ticket")),
            (true, false) => words::count(seats, "ticket"),
            (false, _) => "The receipt".to_owned(),
        };
        let words = format!("{what} of {} printed: {printer}", view.receipt.number);
        asking!(self, context, context.print((printer, printing::for_printer(papers, view)), words));
    }
}
