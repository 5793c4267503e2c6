//! Jobs, as a screen asks for them and steers them.

use crate::engine::ops::{ControlJob, JobAct};
use crate::tui::msg::Answer;
use crate::tui::remote::Ticket;
use crate::tui::runtime::Runtime;

impl Runtime {
    pub(super) fn run_job(&self, ticket: Ticket, command: ControlJob) {
        if command.act != JobAct::RunNow {
            self.submit(ticket, command, |_, done| done.map(|_| Answer::Done));
            return;
        }
        let runtime = self.clone();
        self.blocking.spawn_blocking(move || {
            let ran = runtime.desk.run_job(command.kind, command.subject);
            runtime.answer(ticket, ran.map(|run| Answer::Runs(vec![run])));
        });
    }
}
