//! Tickets and receipts on paper: after a sale as Pay says, and again when somebody asks for it.

use crate::domain::ids::ReceiptId;
use crate::engine::ops::Reprint;
use crate::engine::reads::receipts::ReceiptView;
use crate::tui::app::App;
use crate::tui::msg::{Answer, Answered, Effect};
use crate::tui::printing::{Papers, Printer};
use crate::tui::remote::Ticket;
use crate::tui::screens::Screen;
use crate::tui::shared::Tone;
use crate::tui::wording;

/// Printing that is under way.
#[derive(Debug, Default)]
pub(super) enum OnTheWay {
    #[default]
    Nothing,
    /// The house counts the copy first.
    Counted(Ticket, Printer),
    /// The printer has it; what is said once it is done.
    Printing(Ticket, String),
}

impl App {
    pub(super) fn awaits_paper(&self, ticket: Ticket) -> bool {
        matches!(&self.papers, OnTheWay::Counted(mine, _) | OnTheWay::Printing(mine, _) if *mine == ticket)
    }

    pub(super) fn paper_came(&mut self, answer: Answered) {
        let way = std::mem::take(&mut self.papers);
        match (way, answer) {
            (OnTheWay::Counted(_, printer), Ok(Answer::Receipt(view))) => {
                self.print(&view, Papers::Tickets, printer);
            }
            (OnTheWay::Printing(_, words), Ok(_)) => self.say(Tone::Done, words),
            (OnTheWay::Printing(..), Err(trouble)) => {
                let why = trouble.sentence(self.shared.zone);
                let key = match self.at {
                    Screen::Seats => "<ticket-type>",
                    Screen::Tonight | Screen::Calendar | Screen::Orders | Screen::Jobs => {
                        "<tickets-again>"
                    }
                };
                let words = format!("Not printed: {why}; {key} prints again");
                self.say(Tone::Refused, words);
            }
            (_, Err(trouble)) => self.say(Tone::Refused, trouble.sentence(self.shared.zone)),
            (OnTheWay::Counted(..) | OnTheWay::Nothing, Ok(_)) => {}
        }
    }

    /// Prints the papers chosen in Pay.
    pub(super) fn print_sale(&mut self, papers: Papers) {
        let Some(printer) = self.shared.printer.clone() else {
            return;
        };
        if let Some(view) = self
            .shared
            .cart
            .sold()
            .cloned()
            .filter(|_| papers != Papers::None)
        {
            self.print(&view, papers, printer);
        }
    }

    fn print(&mut self, view: &ReceiptView, papers: Papers, printer: Printer) {
        let seats = view.receipt.seat_count();
        let what = match (papers.tickets(), papers.receipt()) {
            (true, true) => format!("{} and the receipt", wording::count(seats, "ticket")),
            (true, false) => wording::count(seats, "ticket"),
            (false, _) => "The receipt".to_owned(),
        };
        let words = format!("{what} of {} printed: {printer}", view.receipt.number);
        let ticket = self.shared.tickets.draw();
        self.papers = OnTheWay::Printing(ticket, words);
        self.effects
            .push(Effect::Print(ticket, printer, papers.text(view)));
    }

    /// Prints tickets again, which is counted; without a printer they are only shown.
    pub(super) fn print_again(&mut self, receipt: ReceiptId, to: &str) {
        let Some(printer) = Printer::named(to) else {
            self.say(Tone::Note, "Shown, not printed; that is not counted");
            return;
        };
        let ticket = self.shared.tickets.draw();
        self.papers = OnTheWay::Counted(ticket, printer);
        self.effects
            .push(Effect::Run(ticket, Reprint { receipt }.into()));
    }
}
