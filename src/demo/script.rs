//! Script of the tour and of the chapters, step by step.
//!
//! Keys are those an operator would press; the rival is a real one at another till. Captions fit two lines of a
//! terminal of 80 columns. Each chapter begins in the furnished house, and tells one thing.

mod steps;

use steps::{
    ACCEPT, AMBER, APARTMENT, APPROVED, ASKED, BEST, BUDGET, CALENDAR, CALLED_OFF, COUNTED, DISPLACED, DOOR, DRAWER,
    EXPIRED, FROM_MAP, HALF, HALF_HOURS, HOTEL_TAKEN, HOTEL_THEN_ROOM, JANUARY, LATE, LEAK, MOVED, NEEDS, NIGHTS,
    NO_ROOM, NOBODY, NOT_SOLD, OFFICE_ASKED, OPEN, OPERA, OPERA_BEST, PAID, PAY, RACE, REFUND, REFUND_BELOW, RESERVED,
    ROOM_TAKEN, ROOM_THEN_HOTEL, SWAP, SWAP_BELOW, SWAPPED, SWITCHED, TAKE, TONIGHT, TWICE, UNDO, WHOM_TO_CALL, YOURS,
};

/// Steps that tell one thing.
pub(super) struct Chapter {
    pub(super) title: &'static str,
    pub(super) steps: &'static [Step],
}

pub(super) struct Step {
    pub(super) caption: &'static str,
    pub(super) acts: &'static [Act],
    /// Rest after the acts, in seconds.
    pub(super) rest_seconds: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Act {
    /// Press a key, written as in a keymap.
    Key(&'static str),
    /// Type a text into the field or prompt that is open.
    Type(&'static str),
    /// Type the name of a seat: the first of two that are free side by side.
    TypeSeat,
    /// Type the code of a ticket of the next performance.
    TypeCode,
    RivalTakes,
    Hush,
    GoOn,
    /// Run the house's clock ahead until the operator's cart is late.
    TimeRunsOut,
    /// Let another till reserve two seats, to be paid within a minute.
    RivalReserves,
    /// Run the house's clock ahead, second by second, until that reservation is over.
    TimePasses,
    /// Let the office book the whole of a hotel for a night, so many days from today; a refusal joins the caption.
    OfficeWants(u64),
    /// Open an opera of 3,006 seats, on sale.
    OperaOpens,
}

/// The tour through everything, and the chapters.
pub(super) const CHAPTERS: &[Chapter] = &[
    Chapter {
        title: "The whole tour",
        steps: &[
            TONIGHT, OPEN, BEST, TAKE, FROM_MAP, RACE, ACCEPT, LATE, EXPIRED, UNDO, PAY, PAID, SWAP, SWAPPED, REFUND,
            RESERVED, NOBODY, NEEDS, CALENDAR, NIGHTS, AMBER, YOURS,
        ],
    },
    Chapter { title: "A sale", steps: &[TONIGHT, OPEN, BEST, TAKE, PAY, PAID] },
    Chapter { title: "A lost race", steps: &[TONIGHT, OPEN, FROM_MAP, RACE, ACCEPT] },
    Chapter { title: "Expiry and undo", steps: &[TONIGHT, OPEN, BEST, TAKE, LATE, EXPIRED, UNDO] },
    Chapter { title: "A reservation nobody pays", steps: &[RESERVED, NOBODY, NEEDS] },
    Chapter {
        title: "Swap and refund",
        steps: &[TONIGHT, OPEN, BEST, TAKE, PAY, PAID, SWAP_BELOW, SWAPPED, REFUND_BELOW],
    },
    Chapter { title: "A canceled night", steps: &[CALLED_OFF, OFFICE_ASKED, WHOM_TO_CALL, NOT_SOLD] },
    Chapter { title: "A till's close", steps: &[TONIGHT, OPEN, BEST, TAKE, PAY, PAID, DRAWER, COUNTED] },
    Chapter { title: "A scan at the door", steps: &[DOOR, TWICE, HALF] },
    Chapter { title: "An approval", steps: &[TONIGHT, OPEN, BEST, TAKE, PAY, PAID, SWITCHED, ASKED, APPROVED] },
    Chapter { title: "Rooms: 10:05 against 11:25", steps: &[BUDGET, HALF_HOURS, NO_ROOM] },
    Chapter { title: "January of Apartment X", steps: &[APARTMENT, JANUARY] },
    Chapter { title: "The hotel, both ways", steps: &[ROOM_THEN_HOTEL, HOTEL_TAKEN, HOTEL_THEN_ROOM, ROOM_TAKEN] },
    Chapter { title: "A leak", steps: &[LEAK, DISPLACED, MOVED] },
    Chapter { title: "An opera of 3,006 seats", steps: &[OPERA, OPERA_BEST, TAKE] },
];

/// Place of a chapter by its number, of which the tour has none.
pub(crate) fn chapter(number: usize) -> Result<usize, String> {
    let last = CHAPTERS.len() - 1;
    let known = (1..=last).contains(&number).then_some(number);
    known.ok_or_else(|| {
        let titles = CHAPTERS.iter().enumerate().skip(1).map(|(at, chapter)| format!("{at} {}", chapter.title));
        format!("there are {}", titles.collect::<Vec<_>>().join(", "))
    })
}

#[cfg(test)]
mod tests {
    use super::{Act, CHAPTERS};
    use crate::tui::kit::input::Key;
    use crate::tui::kit::keymap::{KeyPlace, Keymap};

    #[test]
    fn captions_fit_two_lines_and_keys_are_keys() {
        let keymap = Keymap::standard().unwrap();
        for step in CHAPTERS.iter().flat_map(|chapter| chapter.steps) {
            let caption = keymap.fill(KeyPlace::Map, step.caption);
            assert!(caption.len() <= 2 * 60, "{caption}");
            for act in step.acts {
                if let Act::Key(key) = act {
                    assert_eq!(key.parse::<Key>().unwrap().to_string(), *key);
                }
            }
        }
    }
}
