//! Sentences of refusals, events and jobs, names of seats, and papers: shared by the screen and the command line. A refusal names the facts (which seats,
//! held by whom, until when), then what to do.

pub(crate) use sentence::capital;

mod changes;
mod clock;
mod clock_jump;
mod corrections;
mod counts;
mod customers;
pub mod events;
pub mod jobs;
mod names;
mod nights;
mod numbers;
pub mod operators;
mod out_of_use;
pub mod prices;
pub(crate) mod printing;
mod problem;
mod refusals;
mod season;
mod sentence;
pub mod servers;
mod stays;
mod taken;
pub mod tickets;
pub mod tills;
mod waiting;
mod when;

pub use crate::domain::money::grouped as money;
pub use clock::{clock_alone, clock_in_doubt, clock_jump};
pub use clock_jump::ClockJump;
pub use corrections::{back_by, history, issued, kind_of_receipt, nothing_equal_free, paid_back, titled};
pub use customers::line_problem;
pub use names::{list, seats, span_of};
pub use nights::{door_state, postponed, void_tickets};
pub use numbers::{contents, count, followed};
pub use out_of_use::{in_use_again, loss, out_of_use, still_out};
pub use problem::problem;
pub use refusals::{failure, refusal};
pub use sentence::{fault, sentence};
pub use stays::presence;
pub use taken::{in_the_way, offer};
pub use waiting::waits;
pub use when::{clock, day_time, left, was_over};

/// Note after an extension up to the maximum.
pub const AT_CAP: &str = "This is the latest it can be held.";

#[cfg(test)]
mod tests {
    use chrono_tz::Tz;

    use super::{money, refusal, seats, span_of};
    use crate::domain::calendar::State;
    use crate::domain::money::Currency;
    use crate::domain::plan::SeatRef;
    use crate::domain::refusal::{CellName, Fact, OwnerName, Refusal, WantedCells};
    use crate::domain::time::{Instant, Local};

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
        let here = Local { now: Instant::from_millis(0), zone: Tz::UTC };
        assert_eq!(refusal(&gone, here), "F10 is gone: till-1 holds it until 01:00:00. Nothing was taken.");
    }

    #[test]
    fn neighbouring_seats_are_joined_to_a_run() {
        let at = |row, seat| SeatRef { row, seat };
        let named = [(at(5, 8), "F9"), (at(5, 9), "F10"), (at(5, 10), "F11"), (at(6, 2), "G3")];
        assert_eq!(seats(named), "F9-F11, G3");
        let long = [(at(0, 0), "Stalls/A/1"), (at(0, 1), "Stalls/A/2")];
        assert_eq!(seats(long), "Stalls/A/1-2");
        let even = [(at(0, 0), "P2"), (at(0, 1), "P4"), (at(0, 2), "P6")];
        assert_eq!(seats(even), "P2, P4, P6", "no five seats");
        let all = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        assert_eq!(span_of(&all(&["R4", "R6", "R8", "R10"])), "R4, R6, R8, R10");
        assert_eq!(span_of(&all(&["K9", "K10", "K13", "L1"])), "K9-K10, K13, L1");
        let serpentine = [(at(0, 0), "A3"), (at(0, 1), "A2"), (at(0, 2), "A1")];
        assert_eq!(seats(serpentine), "A3-A1");
        let around = [(at(0, 0), "A3"), (at(0, 1), "A1"), (at(0, 2), "A2"), (at(0, 3), "A4")];
        assert_eq!(seats(around), "A3, A1-A2, A4");
        let apart = [(at(0, 0), "A1"), (at(0, 3), "A2")];
        assert_eq!(seats(apart), "A1, A2", "others sit between");
        assert_eq!(seats([(at(0, 0), "Box a"), (at(0, 1), "Box b")]), "Box a, Box b");
    }

    #[test]
    fn thousands_are_separated() {
        assert_eq!(money(1_841_250, Currency::EUR), "18,412.50");
        assert_eq!(money(-123_456, Currency::EUR), "-1,234.56");
        assert_eq!(money(5, Currency::EUR), "0.05");
    }
}
