//! Success messages of acts outside the cart, with their undo; the cart tells of its own wishes.

use crate::domain::booking::Booking;
use crate::domain::money::priced;
use crate::domain::performance::Performance;
use crate::domain::receipt::Receipt;
use crate::domain::time::Local;
use crate::engine::ops::{
    AnyAnswer, AnyOperation, CancelBooking, ChangePerformance, ChangePerformances, ChangeResource, ChangeTheater,
    DisabledSeats, JobAct, MoveBooking, Nights, OutOfUse, PerformancePatch, Reach, ResourcePatch, RestoreBooking,
    Revised, SeriesBooked, TheaterPatch, UndoOutOfUse, UndoTicketCheck, UnkeepSeats, Whose,
};
use crate::tui::data::desk_act::{DeskAct, Moving, Was};
use crate::tui::data::msg::Finished;
use crate::tui::data::own_cart::UndoEntry;
use crate::tui::kit::shared::Tone;
use crate::words::{self, count};

/// Message about an act that was done.
#[derive(Debug)]
pub(crate) struct Told {
    pub tone: Tone,
    pub words: String,
    pub undo: Option<UndoEntry>,
}

impl Told {
    fn new(words: impl Into<String>, undo: Option<UndoEntry>) -> Self {
        Self { tone: Tone::Done, words: words.into(), undo }
    }

    /// Message without undo: the act is an undo itself, or is reverted by another act.
    fn for_good(words: impl Into<String>) -> Self {
        Self::new(words, None)
    }

    /// Message about an act that leaves something to do.
    fn note(words: String) -> Self {
        Self { tone: Tone::Note, ..Self::for_good(words) }
    }
}

/// Message about an act by its answer.
pub(crate) fn told(act: &DeskAct, done: &Finished, here: Local) -> Told {
    let operation = match (act, done) {
        (DeskAct::Move(moving), Finished::Ran(AnyAnswer::Bookings(bookings))) => return moved(bookings, moving),
        (DeskAct::Move(moving), _) => return Told::for_good(&moving.words),
        (DeskAct::Worded(AnyOperation::CheckGuest(_), words), _) => {
            let stands = format!("{words}. That is not undone; <cancel-booking> cancels the booking");
            return Told::new(words, Some(UndoEntry::stands(stands)));
        }
        (DeskAct::Worded(_, words), _) => return worded(words, done),
        (DeskAct::Run(operation), _) => operation,
    };
    match (operation, done) {
        (AnyOperation::ControlJob(_), Finished::JobRan(run)) => Told::for_good(words::jobs::ran(run, here.now)),
        (AnyOperation::ControlJob(job), _) => Told::for_good(match &job.act {
            JobAct::Later(at) => format!("It runs {} instead", words::day_time(*at, here)),
            JobAct::Park(_) => "Parked: it waits until somebody runs it".to_owned(),
            JobAct::End => "Ended".to_owned(),
            JobAct::Prioritize(_) => "It has another priority".to_owned(),
            JobAct::Retry | JobAct::RunNow => "It is in its turn again".to_owned(),
        }),
        (AnyOperation::HandOver(_), Finished::Receipt(view)) if view.receipt.tickets.wait() => {
            Told::for_good("The tickets wait here; you are told when nobody has come before the start")
        }
        (AnyOperation::KeepSeats(keep), _) => {
            let seats = words::span_of(&keep.seats);
            let release = UnkeepSeats { performance: keep.performance, seats: keep.seats.clone() };
            Told::new(format!("{seats} kept for {}", keep.reason), Some(undoing("keep", &seats, release)))
        }
        (AnyOperation::HandOver(_), _) => Told::for_good("Handed over"),
        (AnyOperation::ReserveCart(_), Finished::Cart(view)) => {
            let until = words::day_time(view.cart.expires_at, here);
            Told::for_good(format!("{} has to pay by {until} now", view.customer.name))
        }
        (AnyOperation::CorrectReceipt(_) | AnyOperation::RefundBooking(_) | AnyOperation::SettleItem(_), _) => {
            corrected(done)
        }
        (_, Finished::Ran(answer)) => planned(answer, here).unwrap_or_else(|| on_time(operation, answer, here)),
        _ => Told::for_good("Done"),
    }
}

/// Message about an act that has its words; some say more by the answer.
#[expect(clippy::wildcard_enum_match_arm, reason = "it does a few of all")]
fn worded(words: &str, done: &Finished) -> Told {
    let Finished::Ran(answer) = done else { return Told::for_good(words) };
    match answer {
        AnyAnswer::DisabledSeats(disabled) => {
            Told::new(words::out_of_use(words, disabled), back_into_use(words, disabled))
        }
        AnyAnswer::WorkItems(still) if !still.is_empty() => {
            Told::note(format!("{words}; {} still displaced, see Needs you", still.len()))
        }
        AnyAnswer::StillOut(Some(still)) => Told::note(words::still_out(still)),
        _ => Told::for_good(words),
    }
}

/// Undo of seats taken out of use; what it does not bring back, its message says.
fn back_into_use(words: &str, disabled: &DisabledSeats) -> Option<UndoEntry> {
    let id = disabled.disables.first()?.id;
    let displaced = disabled.displaced.iter().map(|item| item.id).collect();
    let done = words::in_use_again(words, disabled);
    Some(UndoEntry::act(words.to_owned(), DeskAct::worded(UndoOutOfUse { id, displaced }, done)))
}

/// Message about a correction; a sentence says to who wants to undo it what stands.
fn corrected(done: &Finished) -> Told {
    let (receipts, note): (Vec<&Receipt>, &str) = if let Finished::Receipt(view) = done {
        (vec![&view.receipt], "")
    } else if let Finished::Ran(AnyAnswer::ItemSettled(settled)) = done {
        (settled.receipts.iter().collect(), settled.item.state.note())
    } else if let Finished::Ran(AnyAnswer::Receipts(receipts)) = done {
        (receipts.iter().collect(), "")
    } else {
        (Vec::new(), "")
    };
    let Some(last) = receipts.last() else {
        let stands = "What was settled without a receipt is not undone; the journal has it".to_owned();
        return Told::new(format!("{}; the journal says so", words::capital(note)), Some(UndoEntry::stands(stands)));
    };
    let what = match receipts.iter().map(|receipt| receipt.back()).sum() {
        0 => words::issued(last.kind()).to_owned(),
        back => format!("{} given back", priced(back, last.currency)),
    };
    let numbers: Vec<&str> = receipts.iter().map(|receipt| receipt.number.as_str()).collect();
    let numbers = numbers.join(", ");
    let stands = format!("Receipt {numbers} is not undone; what came back can be sold again");
    Told::new(format!("{what}: receipt {numbers}"), Some(UndoEntry::stands(stands)))
}

/// Message about what was entered or changed; none for other answers.
#[expect(clippy::wildcard_enum_match_arm, reason = "it does a few of all")]
fn planned(answer: &AnyAnswer, here: Local) -> Option<Told> {
    Some(match answer {
        AnyAnswer::Nights(nights) => opened(nights, here)?,
        AnyAnswer::ChangedPerformance(changed) => {
            let (performance, patch) = (changed.after.id, changed.back.clone());
            let fields = fields(&patch).join(", ");
            let back = undoing("change", &changed.before.title, ChangePerformance { performance, patch });
            Told::new(format!("{} changed: {fields}", changed.after.title), Some(back))
        }
        AnyAnswer::ChangedPerformances(changed) => {
            let first = changed.first()?;
            let words = format!("{} changed: {}", count(changed.len(), "performance"), changes(changed));
            Told::new(words, Some(undoing("change", &first.before.title, ChangePerformances::back(changed))))
        }
        AnyAnswer::ChangedResource(changed) => {
            let (resource, patch) = (changed.after.id.clone(), changed.back.clone());
            let back = undoing("change", &changed.before.name, ChangeResource { resource, patch });
            Told::new(format!("{} changed", changed.after.name), Some(back))
        }
        AnyAnswer::ChangedTheater(changed) => {
            let (theater, patch) = (changed.after.id, changed.back.clone());
            let words = if changed.after.retired { "retired" } else { "changed" };
            let back = undoing("change", &changed.before.name, ChangeTheater { theater, patch });
            Told::new(format!("{} {words}", changed.after.name), Some(back))
        }
        AnyAnswer::Resource(added) => {
            let patch = ResourcePatch { retired: Some(true), ..ResourcePatch::default() };
            let retire = ChangeResource { resource: added.id.clone(), patch };
            Told::new(format!("{} added", added.name), Some(undoing("add", &added.name, retire)))
        }
        AnyAnswer::Theater(added) => {
            let patch = TheaterPatch { retired: Some(true), ..TheaterPatch::default() };
            let retire = ChangeTheater { theater: added.id, patch };
            let words = format!("{} added; <tonight.new-night> adds a performance", added.name);
            Told::new(words, Some(undoing("add", &added.name, retire)))
        }
        _ => return None,
    })
}

/// Success message of opened performances, which are retired by its undo.
fn opened(nights: &Nights, here: Local) -> Option<Told> {
    let first = &nights.opened.first()?.performance;
    let when = words::day_time(first.start, here);
    let words = match nights.opened.len() {
        1 => format!("{} opened, {when}", first.title),
        dates => format!("{} opened on {dates} dates, from {when}", first.title),
    };
    let retire = ChangePerformances::retiring(nights.opened.iter().map(|one| one.performance.id));
    Some(Told::new(words, Some(undoing("open", &first.title, retire))))
}

/// Undo of a change by another.
fn undoing(verb: &str, what: &str, by: impl Into<AnyOperation>) -> UndoEntry {
    let words = format!("{verb} {what}");
    let done = format!("Undone: {words}");
    UndoEntry::act(words, DeskAct::worded(by, done))
}

/// Words about fields that another station changed since a form was filled; only those typed over are sent.
pub(crate) fn meanwhile(fields: &[&str]) -> Option<String> {
    (!fields.is_empty()).then(|| format!("Changed at another station meanwhile: {}", fields.join(", ")))
}

/// Names of the fields that changes of several performances changed.
pub(crate) fn changes(of: &[Revised<Performance, PerformancePatch>]) -> String {
    let mut names: Vec<&str> = Vec::new();
    for one in of.iter().flat_map(|one| fields(&one.back)) {
        if !names.contains(&one) {
            names.push(one);
        }
    }
    names.join(", ")
}

/// Names of the fields that were changed, by the patch that changes them back.
pub(crate) fn fields(patch: &PerformancePatch) -> Vec<&'static str> {
    let prices = !patch.prices.is_empty() || !patch.no_prices.is_empty();
    let all = [
        (patch.title.is_some(), "title"),
        (patch.description.is_some(), "text"),
        (patch.start.is_some(), "start"),
        (patch.end.is_some(), "end"),
        (prices, "prices"),
        (patch.retired == Some(false), "retired"),
        (patch.retired == Some(true), "in lists again"),
    ];
    all.into_iter().filter(|(changes, _)| *changes).map(|(_, name)| name).collect()
}

/// Message about an operation on time.
fn on_time(operation: &AnyOperation, answer: &AnyAnswer, here: Local) -> Told {
    match (operation, answer) {
        (AnyOperation::BookSlot(_), AnyAnswer::Booking(booking)) => {
            Told::new(format!("Booked: {}", booking.title), Some(unbook("book", booking, Reach::This)))
        }
        (_, AnyAnswer::Series(done)) => booked(done),
        (AnyOperation::AddToSeries(_), AnyAnswer::Booking(booking)) => Told::new(
            format!("{} has this date again", booking.title),
            Some(unbook("add a date of", booking, Reach::This)),
        ),
        (AnyOperation::ReturnToWorklist(_), AnyAnswer::Booking(booking)) => {
            Told::for_good(format!("{} waits on the worklist again", booking.title))
        }
        (AnyOperation::CancelBooking(_), AnyAnswer::Bookings(bookings)) => canceled(bookings),
        (AnyOperation::RestoreBooking(_), AnyAnswer::Bookings(bookings)) => Told::for_good(restored(bookings)),
        (AnyOperation::EnableSlot(_), _) => Told::for_good("Back into use; <out-of-use> takes it out again"),
        (AnyOperation::UndoOutOfUse(_), AnyAnswer::WorkItems(still)) => Told::for_good(match still.len() {
            0 => "Back into use, as it was before".to_owned(),
            count => format!("Back into use; {count} still displaced, <displaced> deals with it"),
        }),
        (_, AnyAnswer::OutOfUse(done)) => taken_out(done),
        (AnyOperation::CheckTicket(check), AnyAnswer::Admitted(done)) => {
            let undo = DeskAct::run(UndoTicketCheck { code: check.code });
            let undo = UndoEntry::act(format!("admit {}", done.seat), undo);
            Told::new(words::tickets::admitted(done, here), Some(undo))
        }
        (AnyOperation::UndoTicketCheck(_), AnyAnswer::Admitted(done)) => {
            Told::for_good(format!("{} is not admitted any more", done.seat))
        }
        (_, AnyAnswer::Till(till)) => Told::for_good(words::tills::told(till)),
        _ => Told::for_good("Done"),
    }
}

/// Undo of a new booking: its cancellation.
fn unbook(verb: &str, booking: &Booking, reach: Reach) -> UndoEntry {
    let act = DeskAct::run(CancelBooking { booking: booking.id, reach, whose: Whose::Mine });
    UndoEntry::act(format!("{verb} {}", booking.title), act)
}

fn booked(done: &SeriesBooked) -> Told {
    let booked = format!("Booked {}", count(done.bookings.len(), "date"));
    let words = match done.skipped.len() {
        0 => booked,
        left_out => format!("{booked}, {left_out} left out; <series> adds them later"),
    };
    let first = done.bookings.first();
    Told::new(words, first.map(|booking| unbook("book", booking, Reach::All)))
}

/// Success message of a cancellation; its undo restores the bookings while their time is free.
fn canceled(bookings: &[Booking]) -> Told {
    let title = bookings.first().map_or("it", |booking| &booking.title);
    let words = match bookings.len() {
        0 | 1 => format!("{title} canceled; the time is free"),
        dates => format!("{} of {title} canceled; the time is free", count(dates, "date")),
    };
    let act = DeskAct::run(RestoreBooking { bookings: bookings.iter().map(|booking| booking.id).collect() });
    let back = Some(UndoEntry::act(format!("cancel {title}"), act));
    Told::new(words, back.filter(|_| !bookings.is_empty()))
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
fn moved(bookings: &[Booking], moving: &Moving) -> Told {
    let (went, words) = (&moving.operation, moving.words.clone());
    let words = match bookings.len() {
        0 | 1 => words,
        dates => format!("{words}; {} moved", count(dates, "date")),
    };
    let title = bookings.first().map_or("it", |booking| &booking.title);
    let act = match &moving.was {
        Some(Was::Here(was)) if went.reach != Reach::FromHere || was.from() <= went.slot.from() => {
            Some(DeskAct::Move(Box::new(Moving {
                operation: MoveBooking { from: went.to.clone(), to: went.from.clone(), slot: *was, ..went.clone() },
                was: None,
                words: format!("{title} is back where it was"),
                title: title.to_owned(),
            })))
        }
        Some(Was::Waiting(waited)) => Some(DeskAct::run(waited.clone())),
        Some(Was::Here(_)) | None => None,
    };
    let back = act.map(|act| UndoEntry::act(format!("move {title}"), act));
    Told::new(words, back)
}

/// Success message of time taken out of use; its undo also restores the displaced bookings.
fn taken_out(done: &OutOfUse) -> Told {
    let (id, reason) = match done {
        OutOfUse::Slot { booking, .. } => (booking.id, &booking.title),
        OutOfUse::Marked { mark, .. } => (mark.id, &mark.reason),
    };
    let displaced = done.displaced().iter().map(|item| item.id).collect();
    let act = DeskAct::run(UndoOutOfUse { id, displaced });
    Told::new(out_words(done), Some(UndoEntry::act(format!("out of use, {reason}"), act)))
}

fn out_words(done: &OutOfUse) -> String {
    match (done.displaced().len(), done.carts().len()) {
        (0, 0) => "Out of use; nobody is displaced".to_owned(),
        (0, carts) => format!("Out of use; taken from {}", count(carts, "open cart")),
        (count, _) => format!("Out of use; {count} displaced, <displaced> deals with it"),
    }
}
