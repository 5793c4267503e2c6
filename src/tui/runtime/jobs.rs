//! Jobs, as a screen asks for them and steers them.

use crate::engine::ops::{ParkJob, PostponeJob, RetryJob, RunJob};
use crate::tui::msg::{Answer, JobAct, JobCommand};
use crate::tui::remote::Ticket;
use crate::tui::runtime::Runtime;

impl Runtime {
    pub(super) fn run_job(&self, ticket: Ticket, command: JobCommand) {
        let JobCommand { kind, subject, act } = command;
        match act {
            JobAct::RunNow => {
                let runtime = self.clone();
                self.blocking.spawn_blocking(move || {
                    let ran = runtime.desk.run_job(RunJob { kind, subject });
                    runtime.answer(ticket, ran.map(|run| Answer::Runs(vec![run])));
                });
            }
            JobAct::Later(at) => {
                let postpone = PostponeJob { kind, subject, at };
                self.submit(ticket, postpone, |_, done| done.map(|_| Answer::Done));
            }
            JobAct::Park(reason) => {
                let park = ParkJob {
                    kind,
                    subject,
                    reason,
                };
                self.submit(ticket, park, |_, done| done.map(|()| Answer::Done));
            }
            JobAct::Retry => {
                let retry = RetryJob { kind, subject };
                self.submit(ticket, retry, |_, done| done.map(|()| Answer::Done));
            }
        }
    }
}
