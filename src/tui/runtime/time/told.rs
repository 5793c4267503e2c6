//! What the calendar is told of what was done, and how that is undone.

use crate::domain::booking::Booking;
use crate::engine::ops::{OutOfUse, Reach};
use crate::tui::time::{Back, Done, Moving, TimeCommand, Was};
use crate::tui::wording::count;

/// Something that `u` does not undo: it is an undo itself, or another act takes it back.
pub(super) fn for_good(words: &str) -> Done {
    Done {
        words: words.to_owned(),
        back: None,
    }
}

/// What was canceled can stand again, as long as its time is free.
pub(super) fn canceled(bookings: &[Booking]) -> Done {
    let words = format!(
        "{} canceled; the time is free",
        count(bookings.len(), "booking")
    );
    let title = bookings.first().map_or("it", |booking| &booking.title);
    let back = Back {
        words: format!("cancel {title}"),
        command: TimeCommand::Restore(bookings.iter().map(|booking| booking.id).collect()),
    };
    Done {
        words,
        back: (!bookings.is_empty()).then_some(back),
    }
}

/// `Yoga stands again`, `3 dates of Tango stand again`.
pub(super) fn restored(bookings: &[Booking]) -> String {
    let title = bookings.first().map_or("it", |booking| &booking.title);
    match bookings.len() {
        0 | 1 => format!("{title} stands again"),
        dates => format!("{} of {title} stand again", count(dates, "date")),
    }
}

/// A move goes back the way it came, as long as exactly the same dates would go back.
pub(super) fn moved(bookings: &[Booking], moving: Moving) -> Done {
    let words = match bookings.len() {
        0 | 1 => moving.words,
        dates => format!("{}; {} moved", moving.words, count(dates, "date")),
    };
    let title = bookings.first().map_or("it", |booking| &booking.title);
    let command = match moving.was {
        Some(Was::Here(was))
            if moving.reach != Reach::FromHere || was.from() <= moving.slot.from() =>
        {
            Some(TimeCommand::Move(Moving {
                booking: moving.booking,
                from: moving.to,
                to: moving.from,
                slot: was,
                was: None,
                reach: moving.reach,
                whose: moving.whose,
                words: format!("{title} is back where it was"),
                title: title.to_owned(),
            }))
        }
        Some(Was::Waiting(waited)) => Some(TimeCommand::WaitAgain(waited)),
        Some(Was::Here(_)) | None => None,
    };
    let back = command.map(|command| Back {
        words: format!("move {title}"),
        command,
    });
    Done { words, back }
}

/// What went out of use comes back by `u`, and with it whom it displaced.
pub(super) fn taken_out(done: &OutOfUse) -> Done {
    let (id, reason) = match done {
        OutOfUse::Slot { booking, .. } => (booking.id, &booking.title),
        OutOfUse::Marked { mark, .. } => (mark.id, &mark.reason),
    };
    let displaced = done.displaced().iter().map(|item| item.id).collect();
    Done {
        words: out_words(done),
        back: Some(Back {
            words: format!("out of use, {reason}"),
            command: TimeCommand::UndoOut(id, displaced),
        }),
    }
}

pub(super) fn out_words(done: &OutOfUse) -> String {
    match done.displaced().len() {
        0 if !done.carts().is_empty() => {
            format!(
                "Out of use; taken from {}",
                count(done.carts().len(), "open cart")
            )
        }
        0 => "Out of use; nobody is displaced".to_owned(),
        count => format!("Out of use; {count} displaced, <displaced> deals with it"),
    }
}
