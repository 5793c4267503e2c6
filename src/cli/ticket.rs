//! Tickets by their codes: shown, checked at the door, and an admission undone.

use clap::{Args, Subcommand};

use crate::cli::answers::ticket;
use crate::cli::call::{Call, Done, Trial};
use crate::cli::receipt::named;
use crate::domain::refusal::Refusal;
use crate::domain::ticket_code::TicketCode;
use crate::engine::Failure;
use crate::engine::ops::{CheckTicket, MakeTicketKey, UndoTicketCheck};
use crate::engine::reads::Rehearse;
use crate::engine::reads::receipts::ReadReceipt;

#[derive(Debug, Subcommand)]
pub(super) enum TicketVerb {
    /// Codes of a receipt's tickets, to be scanned from the screen; of a code, whether it would be admitted
    Show {
        /// Receipt: number, number at this station, id, or end of an id; or the code of a ticket
        of: String,
    },
    /// Admit the one who has a ticket: each is admitted once
    Check(Check),
    /// Take an admission back: the ticket admits again
    Undo(Undo),
}

#[derive(Debug, Args)]
pub(super) struct Check {
    /// Code of the ticket: in large or small letters, in groups or not
    code: String,
    /// The performance at this door: id, end of an id, or title; without it any that starts within 12 hours or runs
    #[arg(long)]
    performance: Option<String>,
    #[command(flatten)]
    trial: Trial,
}

#[derive(Debug, Args)]
pub(super) struct Undo {
    /// Code of the ticket
    code: String,
    #[command(flatten)]
    trial: Trial,
}

impl TicketVerb {
    pub(super) fn run(&self, call: &mut Call<'_>) -> Done {
        match self {
            Self::Show { of } => show(call, of),
            Self::Check(Check { code, performance, trial }) => {
                let code = read(code)?;
                let performance = performance.as_ref().map(|text| call.performance_id(text)).transpose()?;
                let admitted = trial.run(call, CheckTicket { code, performance })?;
                let answer = ticket::admitted(&admitted, call.out.here());
                trial.answer(call, answer)
            }
            Self::Undo(Undo { code, trial }) => {
                let undone = trial.run(call, UndoTicketCheck { code: read(code)? })?;
                let answer = ticket::undone(&undone, call.out.here());
                trial.answer(call, answer)
            }
        }
    }
}

fn read(code: &str) -> Result<TicketCode, Refusal> {
    code.parse::<TicketCode>().map_err(|error| Refusal::unread("code", &error))
}

fn show(call: &mut Call<'_>, of: &str) -> Done {
    if let Ok(code) = of.parse::<TicketCode>() {
        let here = call.out.here();
        let answer = match call.desk.read(Rehearse(CheckTicket { code, performance: None })) {
            Ok(admitted) => ticket::good(&admitted, here),
            Err(Failure::Refused(Refusal::Ticket(refusal))) => ticket::dead(&Refusal::Ticket(refusal), here),
            Err(failure) => return Err(failure.into()),
        };
        return call.answer(&answer);
    }
    let receipt = named(call, of)?;
    let mut view = call.read(ReadReceipt(receipt))?;
    if view.codes.is_empty() {
        call.run(MakeTicketKey)?;
        view = call.read(ReadReceipt(receipt))?;
    }
    call.out.on_white(&ticket::codes(&view)?)
}
