//! A runtime whose answers are waited for: for pictures and tests, where no terminal runs.

use std::io;

use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

use crate::engine::Desk;
use crate::tui::msg::{Effect, Msg};
use crate::tui::runtime::Runtime;

/// What a screen asked of a desk, and the answers that are still under way.
pub(crate) struct BlockingRuntime {
    runtime: Runtime,
    inbox: UnboundedReceiver<Msg>,
    under_way: usize,
    _tokio: tokio::runtime::Runtime,
}

impl BlockingRuntime {
    /// # Errors
    /// No thread for it.
    pub(crate) fn of(desk: Desk) -> io::Result<Self> {
        let (sender, inbox) = unbounded_channel();
        let tokio = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .build()?;
        Ok(Self {
            runtime: Runtime::new(desk, sender, tokio.handle().clone()),
            inbox,
            under_way: 0,
            _tokio: tokio,
        })
    }

    /// Asks what a screen wants; what it wants of its surroundings comes back.
    pub(crate) fn carry_out(&mut self, effects: Vec<Effect>) -> Vec<Effect> {
        effects
            .into_iter()
            .filter_map(|effect| self.ask(effect))
            .collect()
    }

    fn ask(&mut self, effect: Effect) -> Option<Effect> {
        match effect {
            Effect::Read(ticket, query) => self.runtime.read(ticket, query),
            Effect::Run(ticket, command) => self.runtime.run(ticket, command),
            Effect::Print(ticket, printer, text) => self.runtime.print(ticket, printer, text),
            Effect::Copy(_)
            | Effect::Mouse(_)
            | Effect::Redraw
            | Effect::Suspend
            | Effect::Demo(_)
            | Effect::Quit => return Some(effect),
        }
        self.under_way += 1;
        None
    }

    /// Tells the other stations that this one is off.
    pub(crate) fn go_off(&self) {
        self.runtime.go_off();
    }

    /// The next message; none when everything asked is answered.
    pub(crate) fn answer(&mut self) -> Option<Msg> {
        if self.under_way == 0 {
            return None;
        }
        let msg = self.inbox.blocking_recv()?;
        self.under_way -= usize::from(matches!(msg, Msg::Answer(..)));
        Some(msg)
    }
}
