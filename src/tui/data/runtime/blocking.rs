//! Runtime with blocking answers, for pictures and tests without a terminal.

use std::io;

use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

use crate::engine::Desk;
use crate::tui::data::msg::{Effect, Msg};
use crate::tui::data::runtime::Runtime;

/// Requests to a desk, and their pending answers.
pub(crate) struct BlockingRuntime {
    runtime: Runtime,
    inbox: UnboundedReceiver<Msg>,
    under_way: usize,
    _tokio: tokio::runtime::Runtime,
}

impl BlockingRuntime {
    /// # Errors
    /// No thread could be started.
    pub(crate) fn of(desk: Desk) -> io::Result<Self> {
        let (sender, inbox) = unbounded_channel();
        let tokio = tokio::runtime::Builder::new_multi_thread().worker_threads(1).build()?;
        Ok(Self { runtime: Runtime::new(desk, sender, tokio.handle().clone()), inbox, under_way: 0, _tokio: tokio })
    }

    /// Sends the requests among some effects; returns the other effects.
    pub(crate) fn carry_out(&mut self, effects: Vec<Effect>) -> Vec<Effect> {
        effects.into_iter().filter_map(|effect| self.ask(effect)).collect()
    }

    fn ask(&mut self, effect: Effect) -> Option<Effect> {
        match effect {
            Effect::Read(ticket, query) => self.runtime.read(ticket, query),
            Effect::Run(ticket, command) => self.runtime.run(ticket, command),
            Effect::Print(ticket, printer, text) => self.runtime.print(ticket, printer, text),
            Effect::SignIn(ticket, pin) => self.runtime.sign_in(ticket, pin),
            Effect::Approve(ticket, operation, pin) => self.runtime.approve(ticket, *operation, pin),
            Effect::SignOut => {
                self.runtime.sign_out();
                return None;
            }
            Effect::TickIn(_)
            | Effect::Copy(_)
            | Effect::Mouse(_)
            | Effect::Redraw
            | Effect::Suspend
            | Effect::Demo(_)
            | Effect::Quit => return Some(effect),
        }
        self.under_way += 1;
        None
    }

    /// Announces that this station goes off line.
    pub(crate) fn go_off(&self) {
        self.runtime.go_off();
    }

    /// Next message; none when every request is answered.
    pub(crate) fn answer(&mut self) -> Option<Msg> {
        if self.under_way == 0 {
            return None;
        }
        let msg = self.inbox.blocking_recv()?;
        self.under_way -= usize::from(matches!(msg, Msg::Answer(..)));
        Some(msg)
    }
}
