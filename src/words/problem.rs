//! Problems of a value, and how to mend it.

use crate::domain::refusal::{Limit, Problem, Requirement};

/// Problem of a value, to follow its name: `it needs a name`.
#[must_use]
pub fn problem(problem: &Problem) -> String {
    let plain = match problem {
        Problem::Unread(said) => said,
        Problem::Between(least, most) => {
            return format!("it has to be between {least} and {most}");
        }
        Problem::AtMost(most, limit) => return at_most(*most, *limit),
        Problem::Missing(need) => missing(*need),
        Problem::Amount => "it is out of range",
        Problem::Nothing => "nothing would change; give an amount above zero",
        Problem::Negative => "an amount is not below zero",
        Problem::PaidIn(currency) => {
            return format!("the booking was paid in {currency}; give that back first");
        }
        Problem::PricedIn(currency) => {
            return format!("some are in {currency} still; name each of them anew, with --price or --no-price");
        }
        Problem::FeeIn(currency) => {
            return format!(
                "it is in {currency}, which is not the house's currency: no exchange would take it. Set it to 0, then anew"
            );
        }
        Problem::Numbered => "its seats have numbers; add seats by name, or take some out of the line",
        Problem::NoneLeft => "none would be left; take the line out instead",
        Problem::Twice(currency) => return format!("{currency} is given twice; add it up"),
        Problem::PriceTwice => "two prices are for the same category and ticket type; give each once",
        Problem::LongBuffer => "it is at most a week",
        Problem::LongReservation => "no reservation waits longer than a year; choose an earlier time",
        Problem::EarlySlot => "it starts in 1970 at the earliest; check the year",
        Problem::LateSlot => "it ends before the year 2500; check the year",
        Problem::LongSlot => "it lasts at most three years; check the years",
        Problem::LongCalendar => "a calendar shows at most three years at once",
        Problem::HoursOfDays => "a resource booked by the day has none",
        Problem::Over => "it has no seat of a performance that is still to come",
        Problem::CommonName => "too many resources have almost that name",
        Problem::NoMail => "it is no address of mail; write it like ada@example.org",
        Problem::NoSeal => "that is no seal; copy all 27 letters of one, as journal seal printed it",
        Problem::SealOfBefore => {
            "it is of before the house was moved to this version; check it with the older willcall, on the copy HOUSE.before-0.2.db"
        }
        Problem::TooDeep => "parts of parts go eight deep at most",
        Problem::OtherCause(_)
        | Problem::Booked(_)
        | Problem::OtherCells(_)
        | Problem::NoCondition(_)
        | Problem::SeatTwice(_)
        | Problem::NoCategory(_)
        | Problem::NoPrice(_)
        | Problem::OddArea(_)
        | Problem::PartOfItself(_)
        | Problem::PartOfPart { .. }
        | Problem::OtherGrid { .. }
        | Problem::TakenWhole(..) => return of_name(problem),
    };
    plain.to_owned()
}

fn of_name(problem: &Problem) -> String {
    if let Problem::OtherCause(cause) = problem {
        format!("{cause} has a command of its own")
    } else if let Problem::Booked(title) = problem {
        format!("{title} is a booking; cancel it instead")
    } else if let Problem::OtherCells(resource) = problem {
        format!("{resource} has other cells")
    } else if let Problem::NoCondition(text) = problem {
        format!("{text:?} is no condition; write it like guests>=3")
    } else if let Problem::SeatTwice(seat) = problem {
        format!("two of its seats are named {seat}; give each a name of its own")
    } else if let Problem::NoCategory(seat) = problem {
        format!("{seat} is of a category that it has not; count its categories from 0")
    } else if let Problem::NoPrice(names) = problem {
        let names = names.join(", ");
        format!(
            "such seats have no price of their own, but that of their category, or of all. Name one that is there: {names}"
        )
    } else if let Problem::OddArea(area) = problem {
        format!(
            "standing room like {area} comes last, in rows of its own; add it with theater add --area, or as a zone of seats"
        )
    } else if let Problem::PartOfItself(name) = problem {
        format!("{name} can't be a part of itself; name what it is a part of")
    } else if let Problem::PartOfPart { whole, part } = problem {
        format!("{whole} is a part of {part}, which can't be a part of it too; take another name, or another parent")
    } else if let Problem::OtherGrid { parent, zone, minutes } = problem {
        format!("{parent} is in {zone} with segments of {minutes} minutes; its parts are too")
    } else if let Problem::TakenWhole(parent, by) = problem {
        format!("{parent} as a whole is taken ({by}); add parts when nothing has all of it")
    } else {
        String::new()
    }
}

fn at_most(most: usize, limit: Limit) -> String {
    match limit {
        Limit::ClosedDays => format!("there are at most {most}"),
        Limit::CartSlots => format!("a cart has at most {most}"),
        Limit::Resources => format!("one booking takes at most {most}"),
        Limit::ImportTimes => {
            format!("one import takes at most {most} times; ask for a shorter window")
        }
        Limit::ImportCustomers => format!("one part of a list has at most {most} customers"),
        Limit::OpenDays => format!("at most {most} days open at once; choose an earlier day"),
        Limit::Repeats => format!("it makes more than {most} dates; give it an end"),
        Limit::Nights => format!("a list has at most {most} nights; part it"),
        Limit::Letters => format!("it has at most {most} letters"),
        Limit::Rows => format!("a plan has at most {most} rows"),
        Limit::RowSeats => format!("a row has at most {most} seats"),
        Limit::Seats => format!("a plan has at most {most} seats"),
        Limit::Choices => format!(
            "its dates times the resources to choose from are more than {most}; choose from fewer, or give it an earlier end"
        ),
    }
}

const fn missing(need: Requirement) -> &'static str {
    match need {
        Requirement::Name => "it needs a name",
        Requirement::Letter => "it needs a letter or a digit",
        Requirement::Reason => "it is empty; say why in a word or two, like broken",
        Requirement::Kind => "it needs one, like room, hall or car",
        Requirement::Cause => "it needs a word, like cleaning",
        Requirement::Id => "write an id, or the end of one",
        Requirement::Seats => "the plan has no seats",
        Requirement::Amount => "say how much cash it is, 0 for none",
        Requirement::End => "say until when; without an end all of it goes out of use",
        Requirement::Hours => "it needs open hours, like 08:00-18:00",
        Requirement::Price => "it needs at least one price",
    }
}
