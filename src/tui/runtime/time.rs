//! What the calendar asks of the desk and has it do.

use crate::domain::booking::{Booking, BookingState, Cause, Details};
use crate::domain::house::WorkKind;
use crate::domain::ids::SeriesId;
use crate::domain::refusal::FreeFact;
use crate::domain::time::Slot;
use crate::engine::ops::{
    AddToSeries, BookSeries, BookSlot, CancelBooking, DisableSlot, EnableSlot, HoldSlot,
    MoveBooking, Occupy, OutOfService, Past, Reach, RestoreBooking, ReturnToWorklist, UndoOutOfUse,
    Want, Whose,
};
use crate::engine::reads::Question;
use crate::engine::reads::bookings::{ReadBooking, ReadSeries};
use crate::engine::reads::catalog::ReadSettings;
use crate::engine::reads::free_time::FreeResource;
use crate::engine::reads::instead::{ReadInstead, offer};
use crate::engine::reads::resources::{Filter, ReadResources};
use crate::engine::reads::worklist::ReadWorklist;
use crate::engine::{Desk, Failure, Operation};
use crate::tui::msg::{Answer, EnableWhose};
use crate::tui::remote::Ticket;
use crate::tui::runtime::{Runtime, read_cart};
use crate::tui::time::{
    Back, Done, Furnished, Moving, NewBooking, OutKind, TakeOut, TimeAnswer, TimeCommand,
    TimeQuery, Waited,
};
use crate::tui::wording::count;

mod told;

use told::{canceled, for_good, moved, restored, taken_out};

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
            TimeCommand::Move(moving) => self.move_booking(ticket, moving),
            TimeCommand::Cancel(booking, reach, whose) => {
                let cancel = CancelBooking {
                    booking,
                    reach,
                    whose: whose_of(whose),
                };
                self.told(ticket, cancel, |bookings| canceled(&bookings));
            }
            TimeCommand::AddDate(series, slot) => {
                let add = AddToSeries {
                    series,
                    slot,
                    past: Past::Refuse,
                };
                self.told(ticket, add, move |booking| Done {
                    words: format!("{} has this date again", booking.title),
                    back: Some(Back {
                        words: format!("add a date of {}", booking.title),
                        command: TimeCommand::DropDate(series, slot),
                    }),
                });
            }
            TimeCommand::DropDate(series, slot) => self.drop_date(ticket, (series, slot)),
            TimeCommand::TakeOut(out) => self.take_out(ticket, out),
            TimeCommand::PutBack(id, whose) => {
                let whose = whose_of(whose);
                self.told(ticket, EnableSlot { id, whose }, |()| {
                    for_good("Back into use; <out-of-use> takes it out again")
                });
            }
            TimeCommand::Restore(bookings) => {
                self.told(ticket, RestoreBooking { bookings }, |bookings| {
                    for_good(&restored(&bookings))
                });
            }
            TimeCommand::UndoOut(id, displaced) => {
                self.told(ticket, UndoOutOfUse { id, displaced }, |still| {
                    for_good(&match still.len() {
                        0 => "Back into use, as it was before".to_owned(),
                        count => format!(
                            "Back into use; {count} still displaced, <displaced> deals with it"
                        ),
                    })
                });
            }
            TimeCommand::WaitAgain(waited) => {
                let Waited {
                    booking,
                    taken,
                    items,
                } = *waited;
                let operation = ReturnToWorklist {
                    booking,
                    taken,
                    items,
                };
                self.told(ticket, operation, |booking| {
                    for_good(&format!("{} waits on the worklist again", booking.title))
                });
            }
        }
    }

    fn book(&self, ticket: Ticket, new: NewBooking) {
        let details = Details {
            title: new.title,
            customer: new.customer,
            note: new.note,
            price: new.price,
        };
        let back = |title: &str, id, reach| {
            Some(Back {
                words: format!("book {title}"),
                command: TimeCommand::Cancel(id, reach, EnableWhose::Mine),
            })
        };
        if let [slot] = *new.slots.as_slice() {
            let book = BookSlot {
                wants: vec![Want::all(new.resources.clone(), slot)],
                details,
                past: Past::Refuse,
            };
            let wanted = ReadInstead::of(&new.resources, slot);
            self.told_or_offered(ticket, (book, wanted), move |booking| Done {
                words: format!("Booked: {}", booking.title),
                back: back(&booking.title, booking.id, Reach::This),
            });
            return;
        }
        let wanted = ReadInstead {
            resources: new.resources.clone(),
            any: None,
            slots: new.slots.clone(),
        };
        let book = BookSeries {
            resources: new.resources,
            any: None,
            slots: new.slots,
            details,
            conflicts: new.conflicts,
            past: Past::Refuse,
        };
        self.told_or_offered(ticket, (book, wanted), move |done| {
            let booked = format!("Booked {}", count(done.bookings.len(), "date"));
            let words = match done.skipped.len() {
                0 => booked,
                left_out => format!("{booked}, {left_out} left out; <series> adds them later"),
            };
            let first = done.bookings.first();
            let back = first.and_then(|booking| back(&booking.title, booking.id, Reach::All));
            Done { words, back }
        });
    }

    fn move_booking(&self, ticket: Ticket, moving: Moving) {
        let operation = MoveBooking {
            booking: moving.booking,
            from: Some(moving.from.clone()),
            to: Some(moving.to.clone()),
            part: None,
            slot: moving.slot,
            reach: moving.reach,
            past: Past::Refuse,
            whose: whose_of(moving.whose),
        };
        let wanted = ReadInstead::of(std::slice::from_ref(&moving.to), moving.slot);
        self.told_or_offered(ticket, (operation, wanted), move |bookings| {
            moved(&bookings, moving)
        });
    }

    /// Holds time; where it is taken, tells what is free instead.
    pub(super) fn hold_time(&self, ticket: Ticket, hold: HoldSlot) {
        let instead = match hold.wants.as_slice() {
            [one] => Some(ReadInstead::of(
                std::slice::from_ref(&one.resource),
                one.slot,
            )),
            _ => None,
        };
        self.submit(ticket, hold, move |desk, held| {
            let cart = match instead {
                Some(instead) => offered(desk, held, instead)?,
                None => held?,
            };
            read_cart(desk, &cart)
        });
    }

    /// Takes a date out of a repeat; where nothing stands there is nothing to do.
    fn drop_date(&self, ticket: Ticket, (series, slot): (SeriesId, Slot)) {
        let runtime = self.clone();
        self.blocking.spawn_blocking(move || {
            let is_it = |booking: &&Booking| {
                booking.state == BookingState::Active && booking.extent() == Some(slot)
            };
            let date = runtime.desk.read(ReadSeries(series)).map(|view| {
                let date = view.bookings.iter().find(is_it);
                date.map(|booking| booking.id)
            });
            let nothing = || {
                let done = TimeAnswer::Done(for_good("It has no such date"));
                Answer::Time(Box::new(done))
            };
            match date {
                Ok(Some(id)) => {
                    let cancel = TimeCommand::Cancel(id, Reach::This, EnableWhose::Mine);
                    runtime.run_time(ticket, cancel);
                }
                Ok(None) => runtime.answer(ticket, Ok(nothing())),
                Err(failure) => runtime.answer(ticket, Err(failure)),
            }
        });
    }

    fn take_out(&self, ticket: Ticket, out: TakeOut) {
        let cause = match out.kind {
            OutKind::Maintenance => Cause::Maintenance,
            OutKind::Relocation => Cause::Relocation,
            OutKind::OutOfService => {
                let operation = OutOfService {
                    resources: out.resources,
                    from: Some(out.from),
                    reason: out.reason,
                    displace: out.displace,
                };
                self.told(ticket, operation, |done| taken_out(&done));
                return;
            }
            OutKind::Disable => {
                let disable = DisableSlot {
                    resources: out.resources,
                    from: out.from,
                    until: out.until,
                    reason: out.reason,
                    past: Past::Refuse,
                };
                self.told(ticket, disable, |done| taken_out(&done));
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
        self.told(ticket, occupy, |done| taken_out(&done));
    }

    /// Submits an operation whose answer is told in a sentence.
    fn told<O: Operation>(
        &self,
        ticket: Ticket,
        operation: O,
        words: impl FnOnce(O::Answer) -> Done + Send + 'static,
    ) {
        self.submit(ticket, operation, |_, done| {
            Ok(Answer::Time(Box::new(TimeAnswer::Done(words(done?)))))
        });
    }

    /// The same for an operation that wants a slot of resources: a refusal offers others.
    fn told_or_offered<O: Operation>(
        &self,
        ticket: Ticket,
        (operation, wanted): (O, ReadInstead),
        words: impl FnOnce(O::Answer) -> Done + Send + 'static,
    ) {
        self.submit(ticket, operation, move |desk, done| {
            let done = words(offered(desk, done, wanted)?);
            Ok(Answer::Time(Box::new(TimeAnswer::Done(done))))
        });
    }
}

/// What was done; where a slot of resources is taken, its refusal tells what is free instead.
fn offered<A>(desk: &Desk, done: Result<A, Failure>, wanted: ReadInstead) -> Result<A, Failure> {
    done.map_err(|failure| match failure {
        Failure::Refused(refusal) => offer(desk, refusal, wanted).into(),
        fault @ Failure::Fault(_) => fault,
    })
}

fn answer(desk: &Desk, query: TimeQuery) -> Result<TimeAnswer, Failure> {
    match query {
        TimeQuery::Resources => Ok(TimeAnswer::Resources(Furnished {
            resources: desk.read(ReadResources(Filter::default()))?,
            currency: desk.read(ReadSettings)?.currency,
        })),
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
        TimeQuery::Instead(query) => Ok(TimeAnswer::Free(instead(desk, query)?)),
        TimeQuery::Booking(id) => read(desk, ReadBooking(id), |view| {
            TimeAnswer::Booking(Box::new(view))
        }),
        TimeQuery::Series(id) => read(desk, ReadSeries(id), |view| {
            TimeAnswer::Series(Box::new(view))
        }),
    }
}

/// What is free instead, with the one resource that it is of.
fn instead(desk: &Desk, query: ReadInstead) -> Result<Vec<FreeResource>, Failure> {
    let facts = desk.read(query)?;
    let all = desk.read(ReadResources(Filter::default()))?;
    let free = |fact: FreeFact| {
        let resource = all.iter().find(|one| one.name == fact.resource)?.clone();
        let slots = vec![Slot::new(fact.from, fact.until).ok()?];
        Some(FreeResource { resource, slots })
    };
    Ok(facts.into_iter().filter_map(free).collect())
}

fn read<Q: Question>(
    desk: &Desk,
    question: Q,
    wrap: impl FnOnce(Q::Answer) -> TimeAnswer,
) -> Result<TimeAnswer, Failure> {
    desk.read(question).map(wrap)
}

const fn whose_of(whose: EnableWhose) -> Whose {
    match whose {
        EnableWhose::Mine => Whose::Mine,
        EnableWhose::Anybody => Whose::Anybody,
    }
}
