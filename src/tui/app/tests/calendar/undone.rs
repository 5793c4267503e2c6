//! Stories of u on the calendar: a cancel, what went out of use, other time from the worklist.

use super::{book, calendar};

#[test]
fn u_undoes_a_cancel_while_the_time_is_free() {
    let (mut till, one, _) = calendar();
    till.keys("Tab C c").shows("u undo: cancel Yoga");
    assert!(till.titles().is_empty());
    till.keys("u").said("Yoga stands again");
    assert_eq!(till.titles(), ["Yoga Sat 21 Nov 14:00-16:00"]);
    assert!(till.line("Rehearsal 1").contains("Yoga"));
    till.keys("Tab Tab C c");
    book(&till, &one, (3, 5), "Choir");
    till.notice();
    till.keys("u").said("Nothing was booked");
    assert_eq!(till.titles(), ["Choir Sat 21 Nov 15:00-17:00"]);
    till.keys("u").said("There is nothing to undo");
}

#[test]
fn u_undoes_out_of_use_and_restores_the_displaced_booking() {
    for kind in ["m", "d", "o"] {
        let (mut till, _, _) = calendar();
        let from = if kind == "m" { "16:00" } else { "13:00" };
        till.types(&format!("g{from} today"))
            .keys("Enter v Right Right Right Right Right Right D")
            .types("leak")
            .keys("Up")
            .types(kind)
            .keys("Up Enter");
        till.shows("D back into use");
        till.shows("u undo: out of use, leak");
        till.keys("u").said("Back into use, as it was before");
        let line = till.line("Rehearsal 1");
        assert!(line.contains("Yoga▒▒") && !line.contains('✗'), "{kind}: {line}");
        assert_eq!(till.titles(), ["Yoga Sat 21 Nov 14:00-16:00"]);
    }
}

#[test]
fn u_undoes_other_time_from_the_worklist_and_the_item_is_back() {
    let (mut till, _, _) = calendar();
    till.types("g13:00 today")
        .keys("Enter v Right Right Right Right Right Right D")
        .types("leak")
        .keys("Up")
        .types("d")
        .keys("Up Enter d a Esc");
    assert!(till.line("Rehearsal 2").contains("Yoga"));
    till.keys("u").said("Yoga waits on the worklist again");
    assert!(!till.line("Rehearsal 2").contains("Yoga"));
    till.shows("1 displaced   Yoga lost Rehearsal 1");
    till.keys("u").said("Back into use, as it was before");
    assert!(till.line("Rehearsal 1").contains("Yoga▒▒"));
}
