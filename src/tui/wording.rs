//! Wording of refusals and seats, shared by the screen and the command line. A refusal names the facts (which seats,
//! held by whom, until when), then what to do.

use chrono_tz::Tz;

use crate::domain::refusal::Refusal;

pub(crate) use sentence::capital;

mod clock;
pub mod events;
pub mod jobs;
mod names;
mod numbers;
mod out_of_use;
mod payments;
mod problem;
mod reservations;
mod sentence;
mod taken;
pub mod time;
mod waiting;
mod when;

pub use crate::domain::money::grouped as money;
pub use clock::{clock_in_doubt, clock_jump};
use names::is_are;
pub use names::{list, seats, span_of};
pub use numbers::count;
pub use out_of_use::{loss, out_of_use, still_out};
pub use problem::problem;
pub use sentence::{fault, sentence};
pub use taken::in_the_way;
pub use waiting::waits;
pub use when::{clock, day_time, left, was_over};

/// Note after an extension up to the maximum.
pub const AT_CAP: &str = "This is the latest it can be held.";

/// Sentence for a refusal, with times local to `zone`.
#[must_use]
pub fn refusal(refusal: &Refusal, zone: Tz) -> String {
    about_seats(refusal, zone)
        .or_else(|| taken::refusal(refusal, zone))
        .or_else(|| about_the_cart(refusal, zone))
        .or_else(|| payments::refusal(refusal))
        .or_else(|| time::about_time(refusal))
        .unwrap_or_else(|| about_the_rest(refusal, zone))
}

fn not_together(count: u32, (free, most): (u32, u32)) -> String {
    if free == 0 {
        return "No such seat is free. Ask for others, or choose another performance.".to_owned();
    }
    format!(
        "No {count} free seats are together; the most is {most}, and {free} are free in all. Ask for {most}, or pick them one by one."
    )
}

fn about_seats(refusal: &Refusal, zone: Tz) -> Option<String> {
    let sentence = if let Refusal::NoSeatsTogether {
        count,
        most_together,
        free,
    } = refusal
    {
        not_together(*count, (*free, *most_together))
    } else if let Refusal::UnknownSeat { seats } = refusal {
        format!(
            "This plan has no seat {}. Write seats as the map names them.",
            list(seats)
        )
    } else if let Refusal::RepeatedSeat { seat } = refusal {
        format!("Seat {seat} is named twice. Name each seat once.")
    } else if let Refusal::NothingChosen = refusal {
        "Nothing is chosen. Name at least one.".to_owned()
    } else if let Refusal::TooManySeats { wanted, seats_max } = refusal {
        format!(
            "That would be {wanted} seats; a cart has at most {seats_max}. Take the rest separately."
        )
    } else if let Refusal::NotOnSale {
        seats,
        ticket_type,
        ticket_types,
    } = refusal
    {
        if ticket_types.is_empty() {
            format!("{} {} not on sale here.", list(seats), is_are(seats.len()))
        } else {
            format!(
                "{} {} no price for {ticket_type:?}. Choose {}.",
                list(seats),
                if seats.len() == 1 { "has" } else { "have" },
                ticket_types.join(", ")
            )
        }
    } else if let Refusal::SalesClosed {
        performance,
        start,
        canceled,
    } = refusal
    {
        if *canceled {
            format!("{performance} was canceled. Choose another performance.")
        } else {
            format!(
                "{performance} started at {}; its sales are closed. Choose a later one.",
                clock(*start, zone)
            )
        }
    } else {
        return None;
    };
    Some(sentence)
}

fn about_the_cart(refusal: &Refusal, zone: Tz) -> Option<String> {
    let sentence = if let Refusal::CartExpired { at } = refusal {
        format!(
            "The hold ended at {}; the seats went back. Revive the cart to take them again.",
            clock(*at, zone)
        )
    } else if let Refusal::CartCanceled = refusal {
        "The cart was canceled; its seats went back. Revive it to take them again.".to_owned()
    } else if let Refusal::CartDone { receipt } = refusal {
        format!("This cart is paid: receipt {receipt}. Open a new cart.")
    } else if let Refusal::CartActive = refusal {
        "This cart is open; only one that ended can be revived.".to_owned()
    } else if let Refusal::CartEmpty = refusal {
        "The cart is empty. Pick seats first.".to_owned()
    } else if let Refusal::CartElsewhere { operator, station } = refusal {
        format!(
            "{operator} at {station} works on this cart. Ask them to set it aside, or take it over first."
        )
    } else if let Refusal::HoldCap { until } = refusal {
        format!(
            "The hold can't go beyond {}. Sell it before then, or begin a card payment.",
            clock(*until, zone)
        )
    } else if let Some(said) = reservations::refusal(refusal, zone) {
        said
    } else if let Refusal::UnknownLine { line } = refusal {
        format!("The cart has no line {line:?}. Look at the cart to see its lines.")
    } else if let Refusal::OtherCurrency { cart, performance } = refusal {
        format!(
            "The cart is in {cart}, this performance in {performance}. Sell it in a cart of its own."
        )
    } else {
        return None;
    };
    Some(sentence)
}

fn about_the_rest(refusal: &Refusal, zone: Tz) -> String {
    if let Refusal::BadValue { field, problem } = refusal {
        let problem = problem::problem(problem);
        format!("{}: {problem}.", capital(&field.replace('-', " ")))
    } else if let Refusal::EndsBeforeStart = refusal {
        "It ends before it starts, or with it. Choose a later end.".to_owned()
    } else if let Refusal::InThePast { at } = refusal {
        format!(
            "{} is past. Choose a time to come.",
            at.format(zone, "%a %-d %b %Y %H:%M")
        )
    } else if let Refusal::NotFound { what, name } = refusal {
        format!("There is no {what} {name:?}. List them to see what there is.")
    } else if let Refusal::Ambiguous { name, which, .. } = refusal {
        let which = which.join("; ");
        format!("{name:?} means more than one: {which}. Write one of these.")
    } else if let Refusal::Exists { what, name } = refusal {
        format!("A {what} named {name:?} exists. Choose another name.")
    } else if let Refusal::ClockInDoubt { at, seen, station } = refusal {
        clock_in_doubt((*at, *seen), station, zone)
    } else if let Refusal::CommandReused { command } = refusal {
        format!(
            "The command id {command} was used for something else. Leave it out, or make a new one."
        )
    } else if let Refusal::AlreadyResolved { operator } = refusal {
        format!("{operator} has dealt with it already. Nothing is left to do.")
    } else if let Refusal::Job(refusal) = refusal {
        jobs::refusal(refusal, zone)
    } else if let Refusal::OutOfRange { field, least, most } = refusal {
        let field = capital(&field.replace('-', " "));
        format!("{field} has to be from {least} to {most}.")
    } else {
        refusal.kind().replace('_', " ")
    }
}

#[cfg(test)]
mod tests {
    use chrono_tz::Tz;

    use super::{money, refusal, seats, span_of};
    use crate::domain::calendar::State;
    use crate::domain::money::Currency;
    use crate::domain::plan::SeatRef;
    use crate::domain::refusal::{CellName, Fact, OwnerName, Refusal, WantedCells};
    use crate::domain::time::Instant;

    #[test]
    fn a_refusal_names_the_seats_their_holder_and_the_end_of_the_hold() {
        let gone = Refusal::Taken {
            wanted: WantedCells::Seats,
            facts: vec![Fact {
                what: CellName::Seat("F10".into()),
                state: State::Held,
                by: OwnerName::Station("till-1".into()),
                until: Some(Instant::from_millis(3_600_000)),
            }],
            instead: vec![],
        };
        assert_eq!(
            refusal(&gone, Tz::UTC),
            "F10 is gone: till-1 holds it until 01:00:00. Nothing was taken."
        );
    }

    #[test]
    fn every_refusal_has_a_sentence() {
        for plain in [
            Refusal::NothingChosen,
            Refusal::CartCanceled,
            Refusal::CartActive,
            Refusal::CartEmpty,
            Refusal::CardReferenceMissing,
            Refusal::EndsBeforeStart,
            Refusal::NameMissing,
        ] {
            let sentence = refusal(&plain, Tz::UTC);
            assert!(
                sentence.ends_with('.') && sentence.contains(' '),
                "{sentence}"
            );
        }
    }

    #[test]
    fn neighbouring_seats_are_joined_to_a_run() {
        let at = |row, seat| SeatRef { row, seat };
        let named = [
            (at(5, 8), "F9"),
            (at(5, 9), "F10"),
            (at(5, 10), "F11"),
            (at(6, 2), "G3"),
        ];
        assert_eq!(seats(named), "F9-F11, G3");
        let long = [(at(0, 0), "Stalls/A/1"), (at(0, 1), "Stalls/A/2")];
        assert_eq!(seats(long), "Stalls/A/1-2");
        let even = [(at(0, 0), "P2"), (at(0, 1), "P4"), (at(0, 2), "P6")];
        assert_eq!(seats(even), "P2, P4, P6", "no five seats");
        let all = |names: &[&str]| {
            names
                .iter()
                .map(|name| (*name).to_owned())
                .collect::<Vec<_>>()
        };
        assert_eq!(span_of(&all(&["R4", "R6", "R8", "R10"])), "R4, R6, R8, R10");
        assert_eq!(
            span_of(&all(&["K9", "K10", "K13", "L1"])),
            "K9-K10, K13, L1"
        );
        let serpentine = [(at(0, 0), "A3"), (at(0, 1), "A2"), (at(0, 2), "A1")];
        assert_eq!(seats(serpentine), "A3-A1");
        let around = [
            (at(0, 0), "A3"),
            (at(0, 1), "A1"),
            (at(0, 2), "A2"),
            (at(0, 3), "A4"),
        ];
        assert_eq!(seats(around), "A3, A1-A2, A4");
        let apart = [(at(0, 0), "A1"), (at(0, 3), "A2")];
        assert_eq!(seats(apart), "A1, A2", "others sit between");
        assert_eq!(
            seats([(at(0, 0), "Box a"), (at(0, 1), "Box b")]),
            "Box a, Box b"
        );
    }

    #[test]
    fn thousands_are_separated() {
        assert_eq!(money(1_841_250, Currency::EUR), "18,412.50");
        assert_eq!(money(-123_456, Currency::EUR), "-1,234.56");
        assert_eq!(money(5, Currency::EUR), "0.05");
    }
}
