//! Runtime of the screen: turns effects into calls of the desk, and answers into messages. No other file here names
//! the desk.

use std::sync::Arc;
use std::time::Duration;

use parking_lot::RwLock;
use tokio::runtime::Handle;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::mpsc::UnboundedSender;

use crate::domain::refusal::{OperatorRefusal, Refusal};
use crate::domain::time::{Instant, Span};
use crate::engine::ops::{AnyAnswer, AnyOperation, BePresent, CheckedOut, ControlJob, JobAct};
use crate::engine::reads::Preview;
use crate::engine::reads::alternatives::with_offers;
use crate::engine::reads::bookings::ReadTitled;
use crate::engine::reads::carts::ReadCart;
use crate::engine::reads::presence::ReadPresence;
use crate::engine::reads::receipts::{ReadAnsweredReceipt, ReadReceipt};
use crate::engine::{Desk, Failure, Fault};
use crate::tui::data::log::Log;
use crate::tui::data::msg::{Answer, Changed, ClockJump, Finished, Msg, Query};
use crate::tui::data::ticket::Ticket;
use crate::words;
use crate::words::printing::Printer;

pub(crate) mod blocking;
mod notices;

/// Handle to the desk and the screen's inbox.
#[derive(Clone)]
pub(crate) struct Runtime {
    /// Desk of who is signed in.
    desk: Arc<RwLock<Desk>>,
    inbox: UnboundedSender<Msg>,
    blocking: Handle,
    log: Log,
}

impl Runtime {
    /// Runtime for a desk; answers go to the inbox.
    pub(crate) fn new(desk: Desk, inbox: UnboundedSender<Msg>, blocking: Handle) -> Self {
        Self { desk: Arc::new(RwLock::new(desk)), inbox, blocking, log: Log::default() }
    }

    fn desk(&self) -> Desk {
        self.desk.read().clone()
    }

    /// This runtime with a log.
    pub(crate) fn logging(self, log: Log) -> Self {
        Self { log, ..self }
    }

    /// Logs words without names.
    pub(crate) fn log(&self, words: &str) {
        self.log.write(self.desk().now(), words);
    }

    /// Current time of the engine.
    pub(crate) fn now(&self) -> Instant {
        self.desk().now()
    }

    /// Difference of the machine's clock from the desk's time or the house's.
    pub(crate) fn clock_jump(&self) -> ClockJump {
        match self.desk().clock_doubt() {
            Some(doubt) => ClockJump::Apart { seen: doubt.seen },
            None => ClockJump::of_millis(self.desk().clock_doubt_millis()),
        }
    }

    /// Announces that this station goes off line; a lost announcement is made up for by the presence timeout.
    pub(crate) fn go_off(&self) {
        let _ = self.desk().run(BePresent::Off);
    }

    /// Forwards the loss and return of the database connection.
    pub(crate) async fn forward_away(self) {
        let mut away = self.desk().away();
        while away.changed().await.is_ok() {
            let since = *away.borrow_and_update();
            if self.inbox.send(Msg::Away(since)).is_err() {
                return;
            }
        }
    }

    /// Forwards change notices to the inbox, until that is closed.
    pub(crate) async fn forward_notices(self) {
        let mut notices = self.desk().watch();
        loop {
            let changed = match notices.recv().await {
                Ok(notice) => notices::changed(&notice),
                Err(RecvError::Lagged(_)) => Changed::Everything,
                Err(RecvError::Closed) => return,
            };
            if self.inbox.send(Msg::Changed(changed)).is_err() {
                return;
            }
        }
    }

    fn answer(&self, ticket: Ticket, answer: Answer) {
        // without a screen nobody waits for the answer
        let _ = self.inbox.send(Msg::Answer(ticket, answer));
    }

    fn read_now(&self, query: &Query) -> Answer {
        let answer = self.desk().read(Preview(query.clone()));
        answer.unwrap_or_else(|failure| query.failed(self.logged(failure)))
    }

    /// Sends a tick after some time.
    pub(crate) fn tick_in(&self, span: Span) {
        let runtime = self.clone();
        self.blocking.spawn(async move {
            tokio::time::sleep(Duration::from_millis(span.millis().unsigned_abs())).await;
            // without a screen nobody waits for it
            let _ = runtime.inbox.send(Msg::Tick(runtime.now()));
        });
    }

    /// Prints a text on a thread of its own.
    pub(crate) fn print(&self, ticket: Ticket, printer: Printer, text: String) {
        let runtime = self.clone();
        self.blocking.spawn_blocking(move || {
            let done = printer.print(&text, runtime.desk().place());
            let done = done.map(|()| Finished::Printed);
            let done = done.map_err(|why| Fault::Broken(why).into());
            runtime.answer(ticket, Answer::Ran(done));
        });
    }

    pub(crate) fn read(&self, ticket: Ticket, query: Query) {
        let runtime = self.clone();
        self.blocking.spawn_blocking(move || runtime.answer(ticket, runtime.read_now(&query)));
    }

    fn logged(&self, failure: Failure) -> Failure {
        if let Failure::Fault(fault) = &failure {
            self.log(&format!("fault: {}", words::fault(fault)));
        }
        failure
    }

    /// Runs an operation. Every operation is answered; a refusal carries alternatives.
    ///
    /// The answer comes on the writer's thread, which must not block, so reads run on another thread.
    pub(crate) fn run(&self, ticket: Ticket, operation: AnyOperation) {
        let runtime = self.clone();
        if let AnyOperation::ControlJob(job) = &operation
            && job.act == JobAct::RunNow
        {
            let ControlJob { kind, subject, .. } = (**job).clone();
            self.blocking.spawn_blocking(move || {
                let ran = runtime.desk().run_job(kind, subject);
                let ran = ran.map(|run| Finished::JobRan(Box::new(run)));
                runtime.answer(ticket, Answer::Ran(ran.map_err(|failure| runtime.logged(failure))));
            });
            return;
        }
        self.run_at(&self.desk(), ticket, operation);
    }

    /// Signs in by a PIN.
    pub(crate) fn sign_in(&self, ticket: Ticket, pin: String) {
        let runtime = self.clone();
        self.blocking.spawn_blocking(move || {
            let signed_in = runtime.desk().signed_in(&pin, None).and_then(|desk| {
                let operator = desk.operator()?;
                *runtime.desk.write() = desk;
                Ok(operator)
            });
            runtime.answer(ticket, Answer::SignedIn(signed_in));
        });
    }

    /// Ends what was signed in.
    pub(crate) fn sign_out(&self) {
        let desk = self.desk();
        *self.desk.write() = desk.with_actor(desk.actor().clone());
    }

    /// Runs one operation that the operator with a PIN approves.
    pub(crate) fn approve(&self, ticket: Ticket, operation: AnyOperation, pin: String) {
        let runtime = self.clone();
        self.blocking.spawn_blocking(move || match runtime.desk().approved_by(&pin) {
            Ok(desk) => runtime.run_at(&desk, ticket, operation),
            Err(failure) => runtime.answer(ticket, Answer::Ran(Err(runtime.logged(failure)))),
        });
    }

    fn run_at(&self, desk: &Desk, ticket: Ticket, operation: AnyOperation) {
        let runtime = self.clone();
        let asked = operation.clone();
        desk.submit_any(operation, move |done| {
            let blocking = runtime.blocking.clone();
            blocking.spawn_blocking(move || {
                let finished = match done {
                    Ok(_) if matches!(asked, AnyOperation::BePresent(_)) => {
                        return runtime.answer(ticket, runtime.read_now(&ReadPresence.into()));
                    }
                    Ok(done) => shown(&runtime.desk(), done),
                    Err(failure @ Failure::Refused(Refusal::Operator(OperatorRefusal::NotAllowed { .. }))) => {
                        return runtime.answer(ticket, Answer::Unallowed(Box::new(asked), failure));
                    }
                    Err(failure) => Err(with_offers(&runtime.desk(), &asked, failure)),
                };
                runtime.answer(ticket, Answer::Ran(finished.map_err(|failure| runtime.logged(failure))));
            });
        });
    }
}

/// Answer of an operation, with a cart or receipt as the screen shows it.
#[expect(clippy::wildcard_enum_match_arm, reason = "the rest is shown as it is")]
fn shown(desk: &Desk, done: AnyAnswer) -> Result<Finished, Failure> {
    let receipt = |id| desk.read(ReadReceipt(id)).map(Box::new);
    Ok(match done {
        AnyAnswer::Cart(cart) => Finished::Cart(Box::new(desk.read(ReadCart(cart.id))?)),
        // copies that are counted one after the other have each their number
        AnyAnswer::Receipt(of) => Finished::Receipt(desk.read(ReadAnsweredReceipt(*of))?.into()),
        AnyAnswer::CheckedOut(sale) => match *sale {
            CheckedOut::Receipt(of) => Finished::Sold(receipt(of.id)?),
            CheckedOut::Owed(of, item) => Finished::Owed(receipt(of.id)?, *item),
            CheckedOut::Unissued(_) => Finished::Unissued,
        },
        AnyAnswer::Bookings(of) => Finished::Ran(AnyAnswer::Bookings(desk.read(ReadTitled(of))?)),
        AnyAnswer::Booking(of) => {
            let titled = desk.read(ReadTitled(vec![*of]))?.pop();
            Finished::Ran(titled.map_or(AnyAnswer::Nothing(()), AnyAnswer::from))
        }
        AnyAnswer::Series(mut of) => {
            of.bookings = desk.read(ReadTitled(of.bookings))?;
            Finished::Ran(AnyAnswer::Series(of))
        }
        other => Finished::Ran(other),
    })
}
