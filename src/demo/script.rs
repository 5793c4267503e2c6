//! Script of the tour, step by step.
//!
//! Keys are those an operator would press; the rival is a real one at another till. Captions fit two lines of a
//! terminal of 80 columns.

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
    /// Type the name of a seat: the first of two that are free side by side.
    TypeSeat,
    RivalTakes,
    Hush,
    GoOn,
    /// Run the house's clock ahead until the operator's cart is late.
    TimeRunsOut,
    /// Let another till reserve two seats, to be paid within a minute.
    RivalReserves,
    /// Run the house's clock ahead, second by second, until that reservation is over.
    TimePasses,
}

use Act::{GoOn, Hush, Key, RivalReserves, RivalTakes, TimePasses, TimeRunsOut, TypeSeat};

pub(super) const STEPS: &[Step] = &[
    Step {
        caption: "Tonight: what is on, and what needs you. Other tills are selling right now.",
        acts: &[Key("1"), Key("Home")],
        rest_seconds: 6,
    },
    Step {
        caption: "<tonight.main> opens a performance. Every sign is a seat; watch: the house is alive.",
        acts: &[Key("Enter")],
        rest_seconds: 7,
    },
    Step {
        caption: "Four seats, the best there are: <best>, then 4. They light up before anything is taken.",
        acts: &[Hush, Key("b"), Key("4")],
        rest_seconds: 5,
    },
    Step {
        caption: "Enter takes them. They are yours for three minutes; the countdown is always in sight.",
        acts: &[Key("Enter")],
        rest_seconds: 5,
    },
    Step {
        caption: "Two more, from the map: <go-to> goes to a seat, <mark> marks, the arrow adds its neighbour.",
        acts: &[Key("g"), TypeSeat, Key("Enter"), Key("v"), Key("Right")],
        rest_seconds: 4,
    },
    Step {
        caption: "<pick> picks them. But at this moment till-1 takes the same two ...",
        acts: &[RivalTakes, Key("Space")],
        rest_seconds: 6,
    },
    Step {
        caption: "... and no seat is sold twice: the desk says who was faster, and <accept> takes what it offers.",
        acts: &[Key("a")],
        rest_seconds: 6,
    },
    Step {
        caption: "Now the customer can't decide. Let three minutes pass in a few seconds ...",
        acts: &[TimeRunsOut],
        rest_seconds: 2,
    },
    Step {
        caption: "Time is up: the seats went back by themselves. Nothing forgotten ever blocks the house.",
        acts: &[],
        rest_seconds: 6,
    },
    Step {
        caption: "The customer wants them after all: <undo> brings the cart back while its seats are free.",
        acts: &[Key("u")],
        rest_seconds: 5,
    },
    Step {
        caption: "<pay> opens Pay. Empty is the exact amount; digits are what the customer gives.",
        acts: &[Key("p")],
        rest_seconds: 5,
    },
    Step {
        caption: "<pay.main> takes the money: a receipt with its number. A second press would do no harm.",
        acts: &[Key("Enter")],
        rest_seconds: 6,
    },
    Step {
        caption: "A customer swaps a seat: the order, <order.pick> marks one, <order.move> brings it back into a cart.",
        acts: &[Key("4"), Key("Home"), Key("Enter"), Key("Space"), Key("m")],
        rest_seconds: 5,
    },
    Step {
        caption: "Another seat, and <pay>: only the difference is paid, by one receipt. Or nothing of it is done.",
        acts: &[Key("b"), Key("1"), Key("Enter"), Key("p"), Key("Enter")],
        rest_seconds: 6,
    },
    Step {
        caption: "Ill after all: <order.refund> gives the money back as it was paid, once it is said why.",
        acts: &[
            Key("4"),
            Key("Esc"),
            Key("Home"),
            Key("Enter"),
            Key("R"),
            Key("Right"),
            Key("Right"),
            Key("Enter"),
            GoOn,
        ],
        rest_seconds: 6,
    },
    Step {
        caption: "<jobs>: what comes due, and why. Two seats were just reserved for Okafor, to be paid within a minute.",
        acts: &[RivalReserves, Key("5")],
        rest_seconds: 7,
    },
    Step {
        caption: "Nobody pays: a reminder, then the last reminder; then the seats go back by themselves.",
        acts: &[TimePasses],
        rest_seconds: 3,
    },
    Step {
        caption: "Needs you says so. What is promised here is kept or told of; nothing waits in somebody's head.",
        acts: &[Key("1"), Key("Tab"), Key("Home"), Key("Down"), Key("Down"), Key("Down")],
        rest_seconds: 7,
    },
    Step {
        caption: "<calendar>: halls, rooms and cars over time. <calendar.book> books what is marked, or drag the mouse.",
        acts: &[Key("Tab"), Key("3")],
        rest_seconds: 7,
    },
    Step {
        caption: "<calendar.zoom-out> shows weeks, then nights: hotel rooms, with how many are free each night.",
        acts: &[Key("-"), Key("-")],
        rest_seconds: 7,
    },
    Step {
        caption: "Amber is out of use. <out-of-use> takes a room out, <undo> puts it back; lost bookings need you.",
        acts: &[Key("+"), Key("+")],
        rest_seconds: 7,
    },
    Step {
        caption: "Your turn: <demo.leave> leaves the tour. <tonight> <tonight.main> <best> 4 <map.main> <pay> <pay.main> is a sale. <help> keys.",
        acts: &[Key("1")],
        rest_seconds: 0,
    },
];

#[cfg(test)]
mod tests {
    use super::{Act, STEPS};
    use crate::tui::kit::input::Key;
    use crate::tui::kit::keymap::{KeyPlace, Keymap};

    #[test]
    fn captions_fit_two_lines_and_keys_are_keys() {
        let keymap = Keymap::standard().unwrap();
        for step in STEPS {
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
