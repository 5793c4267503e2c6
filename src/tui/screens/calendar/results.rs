//! Success messages of the calendar's acts, with their undo.

use crate::domain::booking::Booking;
use crate::engine::ops::{
    AnyAnswer, AnyOperation, CancelBooking, MoveBooking, OutOfUse, Reach, RestoreBooking, SeriesBooked, UndoOutOfUse,
    Whose,
};
use crate::tui::data::own_cart::UndoEntry;
use crate::tui::data::time::{Moving, TimeAct, Was};
use crate::words::count;

pub(crate) struct ActDone {
    /// Success message.
    pub(super) words: String,
    pub(super) back: Option<UndoEntry>,
}

/// Success message of an act by its answer, with the undo.
#[expect(clippy::wildcard_enum_match_arm, reason = "it does a few of all")]
pub(super) fn success(act: &TimeAct, answer: AnyAnswer) -> ActDone {
    let operation = match act {
        TimeAct::Move(moving) => {
            return match answer {
                AnyAnswer::Bookings(bookings) => moved(&bookings, moving),
                _ => for_good(&moving.words),
            };
        }
        TimeAct::Run(operation) => operation,
    };
    match (operation, answer) {
        (AnyOperation::BookSlot(_), AnyAnswer::Booking(booking)) => {
            ActDone { words: format!("Booked: {}", booking.title), back: Some(unbook("book", &booking, Reach::This)) }
        }
        (_, AnyAnswer::Series(done)) => booked(&done),
        (AnyOperation::AddToSeries(_), AnyAnswer::Booking(booking)) => ActDone {
            words: format!("{} has this date again", booking.title),
            back: Some(unbook("add a date of", &booking, Reach::This)),
        },
        (AnyOperation::ReturnToWorklist(_), AnyAnswer::Booking(booking)) => {
            for_good(&format!("{} waits on the worklist again", booking.title))
        }
        (AnyOperation::CancelBooking(_), AnyAnswer::Bookings(bookings)) => canceled(&bookings),
        (AnyOperation::RestoreBooking(_), AnyAnswer::Bookings(bookings)) => for_good(&restored(&bookings)),
        (AnyOperation::EnableSlot(_), _) => for_good("Back into use; <out-of-use> takes it out again"),
        (AnyOperation::UndoOutOfUse(_), AnyAnswer::WorkItems(still)) => for_good(&match still.len() {
            0 => "Back into use, as it was before".to_owned(),
            count => {
                format!("Back into use; {count} still displaced, <displaced> deals with it")
            }
        }),
        (_, AnyAnswer::OutOfUse(done)) => taken_out(&done),
        _ => for_good("Done"),
    }
}

/// Success message without undo: the act is an undo itself, or is reverted by another act.
fn for_good(words: &str) -> ActDone {
    ActDone { words: words.to_owned(), back: None }
}

/// Undo of a new booking: its cancellation.
fn unbook(verb: &str, booking: &Booking, reach: Reach) -> UndoEntry {
    let act = TimeAct::run(CancelBooking { booking: booking.id, reach, whose: Whose::Mine });
    UndoEntry::time(format!("{verb} {}", booking.title), act)
}

fn booked(done: &SeriesBooked) -> ActDone {
    let booked = format!("Booked {}", count(done.bookings.len(), "date"));
    let words = match done.skipped.len() {
        0 => booked,
        left_out => format!("{booked}, {left_out} left out; <series> adds them later"),
    };
    let first = done.bookings.first();
    ActDone { words, back: first.map(|booking| unbook("book", booking, Reach::All)) }
}

/// Success message of a cancellation; its undo restores the bookings while their time is free.
fn canceled(bookings: &[Booking]) -> ActDone {
    let title = bookings.first().map_or("it", |booking| &booking.title);
    let words = match bookings.len() {
        0 | 1 => format!("{title} canceled; the time is free"),
        dates => format!("{} of {title} canceled; the time is free", count(dates, "date")),
    };
    let act = TimeAct::run(RestoreBooking { bookings: bookings.iter().map(|booking| booking.id).collect() });
    let back = Some(UndoEntry::time(format!("cancel {title}"), act));
    ActDone { words, back: back.filter(|_| !bookings.is_empty()) }
}

/// Sentence `Yoga stands again`, `3 dates of Tango stand again`.
fn restored(bookings: &[Booking]) -> String {
    let title = bookings.first().map_or("it", |booking| &booking.title);
    match bookings.len() {
        0 | 1 => format!("{title} stands again"),
        dates => format!("{} of {title} stand again", count(dates, "date")),
    }
}

/// Success message of a move; its undo moves exactly the same dates back.
fn moved(bookings: &[Booking], moving: &Moving) -> ActDone {
    let (went, words) = (&moving.operation, moving.words.clone());
    let words = match bookings.len() {
        0 | 1 => words,
        dates => format!("{words}; {} moved", count(dates, "date")),
    };
    let title = bookings.first().map_or("it", |booking| &booking.title);
    let act = match &moving.was {
        Some(Was::Here(was)) if went.reach != Reach::FromHere || was.from() <= went.slot.from() => {
            Some(TimeAct::Move(Box::new(Moving {
                operation: MoveBooking { from: went.to.clone(), to: went.from.clone(), slot: *was, ..went.clone() },
                was: None,
                words: format!("{title} is back where it was"),
                title: title.to_owned(),
            })))
        }
        Some(Was::Waiting(waited)) => Some(TimeAct::run(waited.clone())),
        Some(Was::Here(_)) | None => None,
    };
    let back = act.map(|act| UndoEntry::time(format!("move {title}"), act));
    ActDone { words, back }
}

/// Success message of time taken out of use; its undo also restores the displaced bookings.
fn taken_out(done: &OutOfUse) -> ActDone {
    let (id, reason) = match done {
        OutOfUse::Slot { booking, .. } => (booking.id, &booking.title),
        OutOfUse::Marked { mark, .. } => (mark.id, &mark.reason),
    };
    let displaced = done.displaced().iter().map(|item| item.id).collect();
    let act = TimeAct::run(UndoOutOfUse { id, displaced });
    ActDone { words: out_words(done), back: Some(UndoEntry::time(format!("out of use, {reason}"), act)) }
}

fn out_words(done: &OutOfUse) -> String {
    match (done.displaced().len(), done.carts().len()) {
        (0, 0) => "Out of use; nobody is displaced".to_owned(),
        (0, carts) => format!("Out of use; taken from {}", count(carts, "open cart")),
        (count, _) => format!("Out of use; {count} displaced, <displaced> deals with it"),
    }
}
