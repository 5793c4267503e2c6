//! Steps of the tour and of the chapters, named by what they show.
//!
//! Import cycle with `script`: what a step is made of.

use crate::demo::script::Act::{
    GoOn, Hush, Key, OfficeWants, OperaOpens, RivalReserves, RivalTakes, TimePasses, TimeRunsOut, Type, TypeCode,
    TypeSeat,
};
use crate::demo::script::Step;

pub(super) const TONIGHT: Step = Step {
    caption: "Tonight: what is on, and what needs you. Other tills are selling right now.",
    acts: &[Key("1"), Key("Home")],
    rest_seconds: 6,
};

pub(super) const OPEN: Step = Step {
    caption: "<tonight.main> opens a performance. Every sign is a seat; watch: the house is alive.",
    acts: &[Key("Enter")],
    rest_seconds: 7,
};

pub(super) const BEST: Step = Step {
    caption: "Four seats, the best there are: <best>, then 4. They light up before anything is taken.",
    acts: &[Hush, Key("b"), Key("4")],
    rest_seconds: 5,
};

pub(super) const TAKE: Step = Step {
    caption: "Enter takes them. They are yours for three minutes; the countdown is always in sight.",
    acts: &[Key("Enter")],
    rest_seconds: 5,
};

pub(super) const FROM_MAP: Step = Step {
    caption: "Two from the map: <go-to> goes to a seat, <mark> marks, the arrow adds its neighbour.",
    acts: &[Hush, Key("g"), TypeSeat, Key("Enter"), Key("v"), Key("Right")],
    rest_seconds: 4,
};

pub(super) const RACE: Step = Step {
    caption: "<pick> picks them. But at this moment till-1 takes the same two ...",
    acts: &[RivalTakes, Key("Space")],
    rest_seconds: 6,
};

pub(super) const ACCEPT: Step = Step {
    caption: "... and no seat is sold twice: the desk says who was faster, and <accept> takes what it offers.",
    acts: &[Key("a")],
    rest_seconds: 6,
};

pub(super) const LATE: Step = Step {
    caption: "Now the customer can't decide. Let three minutes pass in a few seconds ...",
    acts: &[TimeRunsOut],
    rest_seconds: 2,
};

pub(super) const EXPIRED: Step = Step {
    caption: "Time is up: the seats went back by themselves. Nothing forgotten ever blocks the house.",
    acts: &[],
    rest_seconds: 6,
};

pub(super) const UNDO: Step = Step {
    caption: "The customer wants them after all: <undo> brings the cart back while its seats are free.",
    acts: &[Key("u")],
    rest_seconds: 5,
};

pub(super) const PAY: Step = Step {
    caption: "<pay> opens Pay. Empty is the exact amount; digits are what the customer gives.",
    acts: &[Key("p")],
    rest_seconds: 5,
};

pub(super) const PAID: Step = Step {
    caption: "<pay.main> takes the money: a receipt with its number. A second press would do no harm.",
    acts: &[Key("Enter")],
    rest_seconds: 6,
};

pub(super) const SWAP: Step = Step {
    caption: "A customer swaps a seat: the order, <order.pick> marks one, <order.move> brings it back into a cart.",
    acts: &[Key("4"), Key("Home"), Key("Enter"), Key("Space"), Key("m")],
    rest_seconds: 5,
};

pub(super) const SWAPPED: Step = Step {
    caption: "Another seat, and <pay>: only the difference is paid, by one receipt. Or nothing of it is done.",
    acts: &[Key("b"), Key("1"), Key("Enter"), Key("p"), Key("Enter")],
    rest_seconds: 6,
};

pub(super) const REFUND: Step = Step {
    caption: "Ill after all: <order.refund> gives the money back as it was paid, once it is said why.",
    acts: &[Key("4"), Key("Esc"), Key("Home"), Key("Enter"), Key("R"), Key("Right"), Key("Right"), Key("Enter"), GoOn],
    rest_seconds: 6,
};

pub(super) const RESERVED: Step = Step {
    caption: "<jobs>: what comes due, and why. Okafor just reserved two seats, to be paid within a minute.",
    acts: &[RivalReserves, Key("5")],
    rest_seconds: 7,
};

pub(super) const NOBODY: Step = Step {
    caption: "Nobody pays: a reminder, then the last reminder; then the seats go back by themselves.",
    acts: &[TimePasses],
    rest_seconds: 3,
};

pub(super) const NEEDS: Step = Step {
    caption: "Needs you says so. What is promised is kept or told of; nothing waits in somebody's head.",
    acts: &[Key("1"), Key("Tab"), Key("Home"), Key("Down"), Key("Down"), Key("Down")],
    rest_seconds: 7,
};

pub(super) const CALENDAR: Step = Step {
    caption: "<calendar>: halls, rooms and cars over time. <calendar.book> books what is marked, or drag the mouse.",
    acts: &[Key("Tab"), Key("3")],
    rest_seconds: 7,
};

pub(super) const NIGHTS: Step = Step {
    caption: "<calendar.zoom-out> shows weeks, then nights: hotel rooms, with how many are free each night.",
    acts: &[Key("-"), Key("-")],
    rest_seconds: 7,
};

pub(super) const AMBER: Step = Step {
    caption: "Amber is out of use. <out-of-use> takes a room out, <undo> puts it back; lost bookings need you.",
    acts: &[Key("+"), Key("+")],
    rest_seconds: 7,
};

pub(super) const YOURS: Step = Step {
    caption: "Your turn: <demo.leave> leaves the tour. <tonight> <tonight.main> <best> 4 <map.main> <pay> <pay.main> is a sale. <help> keys.",
    acts: &[Key("1")],
    rest_seconds: 0,
};

/// Swap where a reservation that is not paid yet stands above all orders.
pub(super) const SWAP_BELOW: Step =
    Step { acts: &[Key("4"), Key("Home"), Key("Down"), Key("Enter"), Key("Space"), Key("m")], ..SWAP };

/// Refund where one does.
pub(super) const REFUND_BELOW: Step = Step {
    acts: &[
        Key("4"),
        Key("Esc"),
        Key("Home"),
        Key("Down"),
        Key("Enter"),
        Key("R"),
        Key("Right"),
        Key("Right"),
        Key("Enter"),
        GoOn,
    ],
    ..REFUND
};

pub(super) const CALLED_OFF: Step = Step {
    caption: "The lead is ill. <tonight.cancel-night> cancels the night: it asks why, and lists whom to call.",
    acts: &[Hush, Key("1"), Key("Home"), Key("C"), Type("the lead is ill")],
    rest_seconds: 7,
};

pub(super) const WHOM_TO_CALL: Step = Step {
    caption: "What was paid for it waits in Needs you, to be given back order by order. Nobody is forgotten.",
    acts: &[Type("8642"), Key("Enter"), Key("Tab"), Key("Down"), Key("Down")],
    rest_seconds: 7,
};

pub(super) const OFFICE_ASKED: Step = Step {
    caption: "This is the office's, and ada a supervisor. dora types her PIN, 8642, in place; both are named.",
    acts: &[Key("Enter"), Key("Enter")],
    rest_seconds: 7,
};

pub(super) const DRAWER: Step = Step {
    caption: "Closing time: <tonight.till> says what came into the drawer, and what should be in it.",
    acts: &[Hush, Key("1"), Key("t")],
    rest_seconds: 7,
};

pub(super) const COUNTED: Step = Step {
    caption: "It is counted and typed. What is missing is said, and stands on the paper of this closing for ever.",
    acts: &[Type("365.50"), Key("Enter"), Key("Enter")],
    rest_seconds: 8,
};

pub(super) const DOOR: Step = Step {
    caption: "The doors open: <tonight.scan>. A ticket's code is scanned, and the answer is read from afar.",
    acts: &[Hush, Key("1"), Key("Home"), Key("d"), TypeCode, Key("Enter")],
    rest_seconds: 6,
};

pub(super) const TWICE: Step = Step {
    caption: "The same ticket again, by a friend with a copy: nobody else goes in with it.",
    acts: &[TypeCode, Key("Enter")],
    rest_seconds: 6,
};

pub(super) const HALF: Step = Step {
    caption: "Half a code is none, and says so. Another house's never passes: it lacks this one's secret.",
    acts: &[Type("4K7Q-9C2M"), Key("Enter")],
    rest_seconds: 6,
};

pub(super) const SWITCHED: Step = Step {
    caption: "ben takes over: <lock> locks the desk, and his PIN, 1357, signs him in. He is a seller.",
    acts: &[Hush, Key("L"), Type("1357"), Key("Enter")],
    rest_seconds: 6,
};

pub(super) const ASKED: Step = Step {
    caption: "A customer is ill. A seller may not give money back, and is not stopped: a supervisor is asked.",
    acts: &[Key("4"), Key("Home"), Key("Down"), Key("Enter"), Key("R"), Key("Right"), Key("Right"), Key("Enter")],
    rest_seconds: 7,
};

pub(super) const APPROVED: Step = Step {
    caption: "ada types her PIN, 2468, over his shoulder: this one act is done, and the journal names both.",
    acts: &[Type("2468"), Key("Enter"), GoOn],
    rest_seconds: 7,
};

pub(super) const NOT_SOLD: Step = Step {
    caption: "And nobody sells it by mistake: <best>, 2 is refused, and says why.",
    acts: &[Key("Tab"), Key("Home"), Key("Enter"), Key("b"), Key("2"), Key("Enter")],
    rest_seconds: 7,
};

pub(super) const BUDGET: Step = Step {
    caption: "The meeting room goes by half hours. Tomorrow Budget has it from 10:05 to 11:30.",
    acts: &[Key("3"), Key("g"), Type("meeting"), Key("Enter"), Key("g"), Type("tomorrow 10:30"), Key("Enter")],
    rest_seconds: 6,
};

pub(super) const HALF_HOURS: Step = Step {
    caption: "Reviews wants 11:25 to 12:11 and takes 11:00-12:30: the form says so before it is sent.",
    acts: &[
        Key("g"),
        Type("tomorrow 13:00"),
        Key("Enter"),
        Key("n"),
        Type("Reviews"),
        Key("Tab"),
        Key("Tab"),
        Key("Tab"),
        Key("Ctrl-U"),
        Type("tomorrow 11:25"),
        Key("Tab"),
        Key("Ctrl-U"),
        Type("12:11"),
    ],
    rest_seconds: 6,
};

pub(super) const NO_ROOM: Step = Step {
    caption: "Half an hour is shared, so nothing is booked; <accept> takes the place that is offered instead.",
    acts: &[Key("Tab"), Key("Tab"), Key("Tab"), Key("Tab"), Key("Enter")],
    rest_seconds: 8,
};

pub(super) const APARTMENT: Step = Step {
    caption: "Apartment X: stays with a cleaning of four hours between them.",
    acts: &[Key("3"), Key("g"), Type("apartment x"), Key("Enter"), Key("g"), Type("1 jan"), Key("Enter")],
    rest_seconds: 6,
};

pub(super) const JANUARY: Step = Step {
    caption: "<calendar.inspect> shows its January in seven periods: free, out, John Smith, out, Alice Johnson, out, free.",
    acts: &[Key("i")],
    rest_seconds: 8,
};

pub(super) const ROOM_THEN_HOTEL: Step = Step {
    caption: "A hotel is its rooms. room_3 is booked for a night in twelve days ...",
    acts: &[
        Key("3"),
        Key("-"),
        Key("-"),
        Key("g"),
        Type("room_3"),
        Key("Enter"),
        Key("g"),
        Type("+12d"),
        Key("Enter"),
        Key("n"),
        Type("Smith"),
        Key("Enter"),
    ],
    rest_seconds: 5,
};

pub(super) const HOTEL_TAKEN: Step = Step {
    caption: "... and the office asks for the whole of hotel_1 that night.",
    acts: &[OfficeWants(12)],
    rest_seconds: 8,
};

pub(super) const HOTEL_THEN_ROOM: Step = Step {
    caption: "The other way: a night later the office takes the whole hotel ...",
    acts: &[OfficeWants(13)],
    rest_seconds: 6,
};

pub(super) const ROOM_TAKEN: Step = Step {
    caption: "... and none of its ten rooms can be had that night: <calendar.book> on room_5 says so.",
    acts: &[Key("g"), Type("room_5"), Key("Enter"), Key("Right"), Key("n")],
    rest_seconds: 8,
};

pub(super) const LEAK: Step = Step {
    caption: "A pipe leaks over the Dance loft: <out-of-use>. A ballet class is in the way, so maintenance is refused.",
    acts: &[
        Hush,
        Key("3"),
        Key("g"),
        Type("dance loft"),
        Key("Enter"),
        Key("g"),
        Type("tomorrow 16:30"),
        Key("Enter"),
        Key("D"),
        Type("a pipe leaks"),
    ],
    rest_seconds: 7,
};

pub(super) const DISPLACED: Step = Step {
    caption: "Disable takes it out all the same. The class lost its room, and waits here until it has another one.",
    acts: &[
        Key("Shift-Tab"),
        Key("Right"),
        Key("Right"),
        Key("Tab"),
        Key("Tab"),
        Key("Tab"),
        Key("Enter"),
        Key("Enter"),
        Key("d"),
        Key("Down"),
    ],
    rest_seconds: 7,
};

pub(super) const MOVED: Step = Step {
    caption: "<accept> takes the nearest free place that fits. <undo> would bring it back.",
    acts: &[Key("a")],
    rest_seconds: 7,
};

pub(super) const OPERA: Step = Step {
    caption: "An opera of 3,006 seats has just opened. The same keys, at the same speed.",
    acts: &[OperaOpens, Hush, Key("1"), Key("Home"), Key("Enter")],
    rest_seconds: 6,
};

pub(super) const OPERA_BEST: Step = Step {
    caption: "The best four of 3,006, side by side: <best>, then 4.",
    acts: &[Key("b"), Key("4")],
    rest_seconds: 5,
};
