//! What the calendar asks of the desk and has it do.

use crate::domain::booking::{Cause, Details};
use crate::domain::house::WorkKind;
use crate::engine::ops::{
    self, BookSeries, BookSlot, CancelBooking, DisableSlot, EnableSlot, MoveBooking, Occupy,
    OutOfUse, Past, Want, Whose,
};
use crate::engine::reads::Question;
use crate::engine::reads::bookings::ReadBooking;
use crate::engine::reads::resources::{Filter, ReadResources};
use crate::engine::reads::worklist::ReadWorklist;
use crate::engine::{Desk, Failure, Operation};
use crate::tui::msg::{Answer, EnableWhose};
use crate::tui::remote::Ticket;
use crate::tui::runtime::Runtime;
use crate::tui::time::{
    Conflicts, NewBooking, OutKind, Reach, TakeOut, TimeAnswer, TimeCommand, TimeQuery,
};
use crate::tui::wording::count;

impl Runtime {
    /// Asks the house about time.
    pub(super) fn read_time(&self, ticket: Ticket, query: TimeQuery) {
        let runtime = self.clone();
        self.blocking.spawn_blocking(move || {
            let answer = answer(&runtime.desk, query);
            runtime.answer(ticket, answer.map(|answer| Answer::Time(Box::new(answer))));
        });
    }

    /// Has the house do something about time.
    pub(super) fn run_time(&self, ticket: Ticket, command: TimeCommand) {
        match command {
            TimeCommand::Book(new) => self.book(ticket, new),
            TimeCommand::Move {
                booking,
                from,
                to,
                slot,
            } => self.told(
                ticket,
                MoveBooking {
                    booking,
                    from: Some(from),
                    to: Some(to),
                    part: None,
                    slot,
                    reach: ops::Reach::This,
                    past: Past::Refuse,
                },
                |_| "Moved".to_owned(),
            ),
            TimeCommand::Cancel(booking, reach) => self.told(
                ticket,
                CancelBooking {
                    booking,
                    reach: match reach {
                        Reach::This => ops::Reach::This,
                        Reach::FromHere => ops::Reach::FromHere,
                        Reach::All => ops::Reach::All,
                    },
                },
                |bookings| {
                    format!(
                        "{} canceled; the time is free",
                        count(bookings.len(), "booking")
                    )
                },
            ),
            TimeCommand::TakeOut(out) => self.take_out(ticket, out),
            TimeCommand::PutBack(id, whose) => {
                let whose = match whose {
                    EnableWhose::Mine => Whose::Mine,
                    EnableWhose::Anybody => Whose::Anybody,
                };
                self.told(ticket, EnableSlot { id, whose }, |()| {
                    "Back into use".to_owned()
                });
            }
        }
    }

    fn book(&self, ticket: Ticket, new: NewBooking) {
        let details = Details {
            title: new.title,
            customer: new.customer,
            note: String::new(),
            price: None,
        };
        if let [slot] = new.slots.as_slice() {
            let book = BookSlot {
                wants: vec![Want::all(new.resources, *slot)],
                details,
                past: Past::Refuse,
            };
            self.told(ticket, book, |booking| format!("Booked: {}", booking.title));
            return;
        }
        let book = BookSeries {
            resources: new.resources,
            slots: new.slots,
            details,
            conflicts: match new.conflicts {
                Conflicts::Refuse => ops::Conflicts::Refuse,
                Conflicts::Skip => ops::Conflicts::Skip,
            },
            past: Past::Refuse,
        };
        self.told(ticket, book, |done| {
            let booked = format!("Booked {}", count(done.bookings.len(), "date"));
            match done.skipped.len() {
                0 => booked,
                left_out => format!("{booked}, {left_out} left out"),
            }
        });
    }

    fn take_out(&self, ticket: Ticket, out: TakeOut) {
        let cause = match out.kind {
            OutKind::Maintenance => Cause::Maintenance,
            OutKind::Relocation => Cause::Relocation,
            OutKind::Disable => {
                let disable = DisableSlot {
                    resources: out.resources,
                    from: out.from,
                    until: out.until,
                    reason: out.reason,
                    past: Past::Refuse,
                };
                self.told(ticket, disable, |done| out_words(&done));
                return;
            }
        };
        let occupy = Occupy {
            resources: out.resources,
            from: out.from,
            until: out.until,
            cause,
            reason: out.reason,
            past: Past::Refuse,
        };
        self.told(ticket, occupy, |done| out_words(&done));
    }

    /// Submits an operation whose answer is told in a sentence.
    fn told<O: Operation>(
        &self,
        ticket: Ticket,
        operation: O,
        words: impl FnOnce(O::Answer) -> String + Send + 'static,
    ) {
        self.submit(ticket, operation, |_, done| {
            Ok(Answer::Time(Box::new(TimeAnswer::Done(words(done?)))))
        });
    }
}

fn out_words(done: &OutOfUse) -> String {
    match done.displaced().len() {
        0 => "Out of use; nobody is displaced".to_owned(),
        count => format!("Out of use; {count} displaced, d deals with it"),
    }
}

fn answer(desk: &Desk, query: TimeQuery) -> Result<TimeAnswer, Failure> {
    match query {
        TimeQuery::Resources => read(
            desk,
            ReadResources(Filter::default()),
            TimeAnswer::Resources,
        ),
        TimeQuery::Page(query) => read(desk, query, TimeAnswer::Page),
        TimeQuery::Displaced => {
            let items = desk.read(ReadWorklist)?;
            let of_time = items
                .into_iter()
                .filter(|view| matches!(view.item.what, WorkKind::DisplacedTime { .. }));
            Ok(TimeAnswer::Displaced(of_time.collect()))
        }
        TimeQuery::Checks(checks) => {
            let checks: Result<Vec<_>, Failure> =
                checks.into_iter().map(|check| desk.read(check)).collect();
            checks.map(TimeAnswer::Checks)
        }
        TimeQuery::Free(query) => read(desk, query, TimeAnswer::Free),
        TimeQuery::Booking(id) => read(desk, ReadBooking(id), |view| {
            TimeAnswer::Booking(Box::new(view))
        }),
        TimeQuery::Bookings(query) => read(desk, query, TimeAnswer::Bookings),
    }
}

fn read<Q: Question>(
    desk: &Desk,
    question: Q,
    wrap: impl FnOnce(Q::Answer) -> TimeAnswer,
) -> Result<TimeAnswer, Failure> {
    desk.read(question).map(wrap)
}
