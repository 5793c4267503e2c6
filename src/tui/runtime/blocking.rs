//! A runtime for tests, whose answers are waited for.

use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

use crate::engine::Desk;
use crate::tui::msg::{Effect, Msg};
use crate::tui::runtime::Runtime;

/// What a screen asked of a desk, and the answers that are still under way.
pub(crate) struct TestRuntime {
    runtime: Runtime,
    inbox: UnboundedReceiver<Msg>,
    under_way: usize,
    _tokio: tokio::runtime::Runtime,
}

impl TestRuntime {
    /// Nothing is asked of this desk yet.
    pub(crate) fn of(desk: Desk) -> Self {
        let (sender, inbox) = unbounded_channel();
        let tokio = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .build()
            .unwrap();
        Self {
            runtime: Runtime::new(desk, sender, tokio.handle().clone()),
            inbox,
            under_way: 0,
            _tokio: tokio,
        }
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

    /// The next message; none when everything asked is answered.
    pub(crate) fn answer(&mut self) -> Option<Msg> {
        if self.under_way == 0 {
            return None;
        }
        let msg = self.inbox.blocking_recv().unwrap();
        self.under_way -= usize::from(matches!(msg, Msg::Answer(..)));
        Some(msg)
    }
}
