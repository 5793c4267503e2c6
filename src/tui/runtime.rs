//! Effects become calls to the desk, answers become messages. The only file here that names the desk.

use tokio::runtime::Handle;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::mpsc::UnboundedSender;

use crate::domain::cart::Cart;
use crate::domain::ids::CommandId;
use crate::domain::time::Instant;
use crate::engine::ops::{
    BePresent, BeginPayment, CancelCart, Checkout, ConfirmClock, DisableSeats, EnableSeats,
    ExtendCart, GiveBack, HandOver, HoldSeats, HoldSlot, Kept, NameCustomer, PayBy, ReopenWork,
    Reprint, ReserveCart, ResolveWork, Retype, ReviveCart, SetAside, TakeFrom, TakeOver, Which,
    Whose,
};
use crate::engine::reads::Question;
use crate::engine::reads::alternatives::offer;
use crate::engine::reads::carts::{ReadCart, ReadOpenCarts, ReadReservations};
use crate::engine::reads::jobs::{ReadJobs, WhichJobs};
use crate::engine::reads::presence::ReadPresence;
use crate::engine::reads::receipts::ReadReceipt;
use crate::engine::reads::seat_map::ReadSeatMap;
use crate::engine::reads::tonight::ReadTally;
use crate::engine::reads::waitlist::{ReadWaitlist, WhichWaiting};
use crate::engine::{Desk, Failure, Operation};
use crate::tui::msg::{Answer, Changed, ClockJump, Command, EnableWhose, Msg, Query, Trouble};
use crate::tui::printing::Printer;
use crate::tui::remote::Ticket;

mod jobs;
mod notices;
mod sales;
mod seats;
#[cfg(test)]
pub(crate) mod testing;
mod time;
mod waiting;

/// Turns effects into calls and answers into messages.
#[derive(Clone)]
pub(crate) struct Runtime {
    desk: Desk,
    inbox: UnboundedSender<Msg>,
    blocking: Handle,
}

impl Runtime {
    /// For a desk; answers go to the inbox.
    pub(crate) const fn new(desk: Desk, inbox: UnboundedSender<Msg>, blocking: Handle) -> Self {
        Self {
            desk,
            inbox,
            blocking,
        }
    }

    /// The engine's time.
    pub(crate) fn now(&self) -> Instant {
        self.desk.now()
    }

    /// How the machine's clock disagrees with the desk's time, or with the house.
    pub(crate) fn clock_jump(&self) -> ClockJump {
        match self.desk.clock_doubt() {
            Some(doubt) => ClockJump::Apart { seen: doubt.seen },
            None => ClockJump::of_millis(self.desk.clock_doubt_millis()),
        }
    }

    /// Says that this station goes off; should that fail, it is seen to be off a little later.
    pub(crate) fn go_off(&self) {
        let _ = self.desk.run(BePresent::Off);
    }

    /// Forwards that the database went away, or came back.
    pub(crate) async fn forward_away(self) {
        let mut away = self.desk.away();
        while away.changed().await.is_ok() {
            let since = *away.borrow_and_update();
            if self.inbox.send(Msg::Away(since)).is_err() {
                return;
            }
        }
    }

    /// Forwards what changed in the house to the inbox, for as long as somebody reads it.
    pub(crate) async fn forward_notices(self) {
        let mut notices = self.desk.watch();
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

    fn answer(&self, ticket: Ticket, answer: Result<Answer, Failure>) {
        let answer = answer.map_err(trouble);
        if self.inbox.send(Msg::Answer(ticket, answer)).is_err() {
            // the screen is gone, and with it whoever asked
        }
    }

    fn ask<Q>(&self, ticket: Ticket, question: Q, wrap: fn(Q::Answer) -> Answer)
    where
        Q: Question + Send + 'static,
    {
        let runtime = self.clone();
        self.blocking.spawn_blocking(move || {
            let answer = runtime.desk.read(question).map(wrap);
            runtime.answer(ticket, answer);
        });
    }

    /// Prints a text beside everything else.
    pub(crate) fn print(&self, ticket: Ticket, printer: Printer, text: String) {
        let runtime = self.clone();
        self.blocking.spawn_blocking(move || {
            let done = printer
                .print(&text, runtime.desk.place())
                .map(|()| Answer::Done);
            let answer = Msg::Answer(ticket, done.map_err(Trouble::Fault));
            if runtime.inbox.send(answer).is_err() {
                // the screen is gone, and with it whoever asked
            }
        });
    }

    /// Asks the house.
    pub(crate) fn read(&self, ticket: Ticket, query: Query) {
        match query {
            Query::SeatMap(id) => self.ask(ticket, ReadSeatMap(id), |map| {
                Answer::SeatMap(Box::new(map))
            }),
            Query::Cart(id) => self.ask(ticket, ReadCart(id), |cart| Answer::Cart(Box::new(cart))),
            Query::OpenCarts => {
                let station = Some(self.desk.actor().station.clone());
                let query = ReadOpenCarts {
                    after: None,
                    station,
                };
                self.ask(ticket, query, Answer::OpenCarts);
            }
            Query::Reservations(after) => {
                self.ask(ticket, ReadReservations { after }, Answer::OpenCarts);
            }
            Query::Tonight(query) => {
                self.ask(ticket, query, |page| Answer::Tonight(Box::new(page)));
            }
            Query::Performances(query) => self.ask(ticket, query, Answer::Performances),
            Query::Receipts(query) => self.ask(ticket, query, Answer::Receipts),
            Query::Receipt(id) => self.ask(ticket, ReadReceipt(id), |receipt| {
                Answer::Receipt(Box::new(receipt))
            }),
            Query::Story(query) => self.ask(ticket, query, Answer::Story),
            Query::Find(query) => self.ask(ticket, query, Answer::Hits),
            Query::Presence => self.ask(ticket, ReadPresence, Answer::Present),
            Query::Tally(id) => self.ask(ticket, ReadTally(id), Answer::Tally),
            Query::Jobs(kind) => {
                let which = WhichJobs::All;
                self.ask(ticket, ReadJobs { which, kind }, Answer::Jobs);
            }
            Query::Waiting(id) => {
                let query = ReadWaitlist {
                    performance: Some(id),
                    which: WhichWaiting::Open,
                };
                self.ask(ticket, query, Answer::Waiting);
            }
            Query::Runs(query) => self.ask(ticket, query, Answer::Runs),
            Query::Time(query) => self.read_time(ticket, query),
        }
    }

    /// Has the house do something; every command is answered.
    #[expect(clippy::too_many_lines, reason = "one arm for each command")]
    pub(crate) fn run(&self, ticket: Ticket, command: Command) {
        match command {
            Command::Hold {
                cart,
                performance,
                seats,
                ticket_type,
            } => self.hold(
                ticket,
                HoldSeats {
                    cart,
                    performance,
                    seats: seats::wanted(seats),
                    ticket_type,
                    kept: Kept::Refuse,
                },
            ),
            Command::GiveBack { cart, line, seats } => {
                self.submit_cart(ticket, GiveBack { cart, line, seats });
            }
            Command::Retype {
                cart,
                line,
                seats,
                ticket_type,
            } => self.submit_cart(
                ticket,
                Retype {
                    cart,
                    line,
                    seats,
                    ticket_type,
                },
            ),
            Command::BePresent(place) => {
                self.submit(ticket, BePresent::At(place), |desk, done| {
                    done?;
                    desk.read(ReadPresence).map(Answer::Present)
                });
            }
            Command::HoldTime { cart, wants } => self.hold_time(ticket, HoldSlot { cart, wants }),
            Command::HandOver(receipt, to) => {
                self.submit_receipt(ticket, HandOver { receipt, to });
            }
            Command::Waiting(command) => self.run_waiting(ticket, *command),
            Command::Job(command) => self.run_job(ticket, *command),
            Command::Time(command) => self.run_time(ticket, *command),
            Command::Extend(cart) => self.submit_cart(ticket, ExtendCart { cart }),
            Command::Reserve {
                cart,
                customer,
                pay_by,
            } => self.submit_cart(
                ticket,
                ReserveCart {
                    cart,
                    customer: Some(customer),
                    pay_by: pay_by.map_or(PayBy::Usual, PayBy::At),
                    alert: None,
                    last: None,
                },
            ),
            Command::Cancel(cart) => self.submit_cart(ticket, CancelCart { cart }),
            Command::Revive(cart) => self.submit_cart(ticket, ReviveCart { cart }),
            Command::SetAside(cart) => self.submit_cart(ticket, SetAside { cart }),
            Command::TakeOver(cart) => self.submit_cart(
                ticket,
                TakeOver {
                    cart,
                    from: TakeFrom::SetAside,
                },
            ),
            Command::TakeOverAnyway(cart) => self.submit_cart(
                ticket,
                TakeOver {
                    cart,
                    from: TakeFrom::Anybody,
                },
            ),
            Command::BeginPayment(cart) => self.submit_cart(ticket, BeginPayment { cart }),
            Command::Name(cart, customer) => {
                self.submit_cart(ticket, NameCustomer { cart, customer });
            }
            Command::Checkout {
                cart,
                tenders,
                seen,
                customer,
                tickets,
            } => self.check_out(
                ticket,
                Checkout {
                    cart,
                    tenders,
                    seen: Some(seen),
                    customer,
                    tickets,
                },
            ),
            Command::Disable {
                performance,
                seats,
                reason,
            } => self.disable(
                ticket,
                DisableSeats {
                    which: Which::Performance(performance),
                    seats,
                    reason,
                },
            ),
            Command::Enable {
                performance,
                seats,
                whose,
            } => {
                let enable = EnableSeats {
                    which: Which::Performance(performance),
                    seats,
                    whose: match whose {
                        EnableWhose::Mine => Whose::Mine,
                        EnableWhose::Anybody => Whose::Anybody,
                    },
                };
                self.submit(ticket, enable, |_, done| {
                    Ok(done?.map_or(Answer::Done, Answer::StillOut))
                });
            }
            Command::Reprint(receipt) => self.submit_receipt(ticket, Reprint { receipt }),
            Command::Resolve(item, note) => {
                self.submit(ticket, ResolveWork { item, note }, |_, done| {
                    done.map(|_| Answer::Resolved)
                });
            }
            Command::Reopen(item) => {
                self.submit(ticket, ReopenWork { item }, |_, done| {
                    done.map(|_| Answer::Done)
                });
            }
            Command::ConfirmClock => {
                self.submit(ticket, ConfirmClock, |_, done| {
                    done.map(|_| Answer::ClockConfirmed)
                });
            }
        }
    }

    /// Holds seats; a refusal offers others.
    fn hold(&self, ticket: Ticket, hold: HoldSeats) {
        let wanted = hold.clone();
        self.submit(ticket, hold, move |desk, held| match held {
            Ok(cart) => read_cart(desk, &cart),
            Err(Failure::Refused(refusal)) => Err(Failure::Refused(offer(desk, refusal, &wanted))),
            Err(fault @ Failure::Fault(_)) => Err(fault),
        });
    }

    /// A command about a cart is answered with the cart as people read it.
    fn submit_cart<O: Operation<Answer = Cart>>(&self, ticket: Ticket, operation: O) {
        self.submit(ticket, operation, |desk, cart| read_cart(desk, &cart?));
    }

    /// The answer comes on the writer's thread, which must not wait: what has to be read goes to another.
    fn submit<O: Operation>(&self, ticket: Ticket, operation: O, then: impl Then<O::Answer>) {
        let runtime = self.clone();
        self.desk
            .submit(CommandId::random(), operation, move |done| {
                let blocking = runtime.blocking.clone();
                blocking.spawn_blocking(move || {
                    let answer = then(&runtime.desk, done);
                    runtime.answer(ticket, answer);
                });
            });
    }
}

/// What an operation's answer means for the screen; it may read what the screen shows of it.
trait Then<A>: FnOnce(&Desk, Result<A, Failure>) -> Result<Answer, Failure> + Send + 'static {}

impl<A, F> Then<A> for F where
    F: FnOnce(&Desk, Result<A, Failure>) -> Result<Answer, Failure> + Send + 'static
{
}

fn read_cart(desk: &Desk, cart: &Cart) -> Result<Answer, Failure> {
    Ok(Answer::Cart(Box::new(desk.read(ReadCart(cart.id))?)))
}

fn trouble(failure: Failure) -> Trouble {
    match failure {
        Failure::Refused(refusal) => Trouble::Refused(refusal),
        Failure::Fault(fault) => Trouble::Fault(crate::tui::wording::fault(&fault)),
    }
}
