//! Waiting lists, as a dialog asks for them and changes them.

use crate::engine::ops::{AddWaiting, RemoveWaiting};
use crate::tui::msg::{Answer, WaitingCommand};
use crate::tui::remote::Ticket;
use crate::tui::runtime::Runtime;

impl Runtime {
    pub(super) fn run_waiting(&self, ticket: Ticket, command: WaitingCommand) {
        match command {
            WaitingCommand::Add {
                performance,
                customer,
                seats,
                category,
            } => {
                let add = AddWaiting {
                    performance,
                    customer,
                    seats,
                    category,
                };
                self.submit(ticket, add, |_, done| done.map(|_| Answer::Done));
            }
            WaitingCommand::Remove(waiting) => {
                let remove = RemoveWaiting { waiting };
                self.submit(ticket, remove, |_, done| done.map(|_| Answer::Done));
            }
        }
    }
}
