//! Stories of what is done on the calendar and undone: repeats, moves, refusals, out of use.

use super::{at, book, calendar, room};
use crate::domain::calendar::State;
use crate::domain::time::{Slot, Span};
use crate::engine::reads::bookings::ReadBookings;
use crate::engine::reads::calendar::{ReadCalendar, Words};
use crate::tui::app::tests::{Till, actor};

impl Till {
    /// A repeat of three weeks, whose second date is Panto's.
    fn tango(&mut self) {
        self.types("g18:00 today")
            .keys("Enter n")
            .types("Tango")
            .keys("Shift-Tab Shift-Tab")
            .types("weekly x3")
            .keys("Enter Enter");
        assert_eq!(self.titles_of("Tango"), ["Sat 21 Nov 18:00-19:00", "Sat 5 Dec 18:00-19:00"]);
    }

    fn titles_of(&self, title: &str) -> Vec<String> {
        let all = self.titles().into_iter();
        all.filter_map(|line| Some(line.strip_prefix(title)?.trim().to_owned())).collect()
    }
}

const WEEK: i64 = 7 * 24;

#[test]
fn a_date_that_was_left_out_is_added_once_it_is_free() {
    let (mut till, one, _) = calendar();
    book(&till, &one, (WEEK + 6, WEEK + 8), "Panto");
    till.tango();
    let screen = till.keys("s").draw();
    assert!(screen.contains("Tango   2 of 3 dates"), "{screen}");
    assert!(screen.contains("left out   Panto has it"), "{screen}");
    let refused = till.keys("Down Space").draw();
    assert!(refused.contains("Nothing was booked"), "{refused}");
    let panto = till.engine.desk(actor("ben", "till-1"));
    let found = panto.read(ReadBookings { text: Some("panto".into()), ..ReadBookings::default() });
    let cancel = crate::engine::ops::CancelBooking {
        whose: crate::engine::ops::Whose::Mine,
        booking: found.unwrap()[0].id,
        reach: crate::engine::ops::Reach::This,
    };
    panto.run(cancel).unwrap();
    let screen = till.notice().draw();
    assert!(screen.contains("left out   free now"), "{screen}");
    till.keys("Space");
    assert_eq!(till.titles_of("Tango").len(), 3);
    // a date that is taken out can be added again too, by the same key or by u
    till.keys("Space");
    assert_eq!(till.titles_of("Tango").len(), 2);
    let screen = till.draw();
    assert!(screen.contains("taken out   free now"), "{screen}");
    till.keys("Space");
    assert_eq!(till.titles_of("Tango").len(), 3);
    till.keys("Space Esc u");
    assert_eq!(till.titles_of("Tango").len(), 3);
    till.keys("u");
    assert_eq!(till.titles_of("Tango").len(), 2, "the act before it is undone");
}

#[test]
fn a_single_booking_says_that_it_does_not_repeat() {
    let (mut till, _, _) = calendar();
    let screen = till.keys("Tab s").draw();
    assert!(screen.contains("It does not repeat"), "{screen}");
}

#[test]
fn u_undoes_a_move_and_a_booking() {
    let (mut till, _, _) = calendar();
    till.keys("Tab m Down Enter");
    assert!(till.line("Rehearsal 2").contains("Yoga"));
    assert!(till.draw().contains("u undo: move Yoga"));
    till.keys("u");
    assert!(till.line("Rehearsal 1").contains("-Yoga▒▒▒"));
    assert!(till.draw().contains("Yoga is back where it was"));
    till.types("g19:00 today").keys("Enter n").types("Choir").keys("Tab Tab Tab Tab Tab Tab Tab Tab Enter");
    assert_eq!(till.titles().len(), 2);
    let screen = till.draw();
    assert!(screen.contains("u undo: book Choir"), "{screen}");
    till.keys("u");
    assert_eq!(till.titles(), ["Yoga Sat 21 Nov 14:00-16:00"]);
    let screen = till.keys("u").draw();
    assert!(screen.contains("There is nothing to undo"), "{screen}");
}

#[test]
fn moving_a_date_of_a_series_asks_for_the_reach_of_the_move() {
    for (answer, moved) in [
        ("k", ["Sat 21 Nov 18:00-19:00", "Sat 28 Nov 18:00-19:00", "Sat 5 Dec 18:00-19:00"]),
        ("t", ["Sat 21 Nov 18:00-19:00", "Sat 28 Nov 18:15-19:15", "Sat 5 Dec 18:00-19:00"]),
        ("f", ["Sat 21 Nov 18:00-19:00", "Sat 28 Nov 18:15-19:15", "Sat 5 Dec 18:15-19:15"]),
        ("a", ["Sat 21 Nov 18:15-19:15", "Sat 28 Nov 18:15-19:15", "Sat 5 Dec 18:15-19:15"]),
    ] {
        let (mut till, _, _) = calendar();
        till.types("g18:00 today")
            .keys("Enter n")
            .types("Tango")
            .keys("Shift-Tab Shift-Tab")
            .types("weekly x3")
            .keys("Enter Enter");
        till.types("g28 nov 18:00").keys("Enter m Right Enter");
        let screen = till.draw();
        assert!(screen.contains("How much of it moves?"), "{screen}");
        till.keys(answer);
        assert_eq!(till.titles_of("Tango"), moved, "{answer}");
        if answer != "k" {
            till.keys("u");
            assert_eq!(till.titles_of("Tango")[1], "Sat 28 Nov 18:00-19:00");
        }
    }
}

#[test]
fn a_refused_move_offers_the_nearest_free_place() {
    let (mut till, one, two) = calendar();
    book(&till, &two, (2, 6), "Casting");
    room(&till, "Rehearsal 3", 15);
    till.keys("1 3 Tab m Down Enter");
    let screen = till.draw();
    assert!(screen.contains("Nothing was moved"), "{screen}");
    assert!(screen.contains("a  Rehearsal 3   Sat 21 Nov 14:00-16:00"), "{screen}");
    till.keys("a");
    assert!(till.line("Rehearsal 3").contains("Yoga"));
    till.keys("u");
    let (id, window) = (one.id, Slot::new(at(2), at(4)).unwrap());
    let view = till.engine.desk(actor("ben", "till-1")).read(ReadCalendar {
        resources: vec![id],
        window,
        words: Words::Titles,
    });
    assert_eq!(view.unwrap()[0].periods[0].title, "Yoga");
}

#[test]
fn taken_time_is_offered_elsewhere_for_the_cart() {
    let (mut till, _, _) = calendar();
    till.types("g14:00 today").keys("Enter v Right Space");
    let screen = till.draw();
    assert!(screen.contains("Not free: taken by Yoga"), "{screen}");
    assert!(screen.contains("a  Rehearsal 2   Sat 21 Nov 14:00"), "{screen}");
    till.keys("a").notice();
    let line = till.line("Rehearsal 2");
    assert!(line.contains("[✓") || line.contains("▎✓"), "{line}");
    till.keys("u").notice();
    assert!(!till.line("Rehearsal 2").contains('✓'));
    till.keys("Esc");
    assert!(!till.draw().contains("Not free"));
}

#[test]
fn a_booking_has_a_price_and_a_note_and_a_takes_the_offer_elsewhere() {
    let (mut till, _, _) = calendar();
    till.types("g13:30 today").keys("Enter Down v");
    for _ in 0..7 {
        till.keys("Right");
    }
    till.keys("Up n").types("Choir");
    till.keys("Esc Esc");
    till.types("g13:30 today").keys("Enter n").types("Choir");
    till.keys("Tab Tab Tab Tab");
    for _ in 0..5 {
        till.keys("Backspace");
    }
    till.types("15:10").keys("Tab").types("24.5o");
    let screen = till.draw();
    assert!(screen.contains("is no price"), "{screen}");
    till.keys("Backspace").types("0").keys("Tab").types("bring stands");
    let screen = till.draw();
    assert!(screen.contains("taken by Yoga"), "{screen}");
    assert!(screen.contains("wanted    Sat 21 Nov 13:30-15:10   takes 13:30-15:15"), "{screen}");
    till.keys("Tab Tab a Enter");
    let found = till
        .engine
        .desk(actor("ben", "till-1"))
        .read(ReadBookings { text: Some("choir".into()), ..ReadBookings::default() });
    let choir = found.unwrap().remove(0);
    assert_eq!(choir.taken[0].resource.to_string(), "rehearsal-2");
    assert_eq!(choir.extent(), Slot::new(at(1) + Span::minutes(30), at(3) + Span::minutes(10)).ok());
    assert_eq!(choir.price.unwrap().minor, 2450);
    assert_eq!(choir.note, "bring stands");
}

#[test]
fn an_empty_end_is_until_further_notice_and_asks_first() {
    let (mut till, one, _) = calendar();
    book(&till, &one, (40 * 24, 40 * 24 + 2), "Ball");
    till.types("g17:00 today").keys("Enter D").types("lamp");
    till.keys("Tab");
    for _ in 0..20 {
        till.keys("Backspace");
    }
    let screen = till.draw();
    assert!(screen.contains("1 booking in the way"), "it lists what comes later: {screen}");
    assert!(screen.contains("taken by Ball"), "{screen}");
    let screen = till.keys("Tab Enter").draw();
    assert!(screen.contains("Nothing was"), "maintenance asks first: {screen}");
    assert_eq!(till.titles().len(), 2);
    // disable takes over
    till.keys("Tab").types("d");
    till.keys("Tab Tab Tab Enter");
    assert!(till.titles_of("Ball").is_empty());
    let ahead = |from: i64| ReadCalendar {
        resources: vec![one.id.clone()],
        window: Slot::new(at(from), at(from + 1)).unwrap(),
        words: Words::Titles,
    };
    let desk = till.engine.desk(actor("ben", "till-1"));
    let state = |from| desk.read(ahead(from)).unwrap()[0].periods[0].state;
    assert_eq!(state(4), State::Free);
    assert_eq!(state(6), State::Disabled);
    assert_eq!(state(24 * 900), State::Disabled, "it has no end");
}

#[test]
fn out_of_service_lists_displaced_bookings_and_ends_only_when_put_back() {
    let (mut till, one, _) = calendar();
    till.types("g13:00 today").keys("Enter D").types("clutch");
    till.keys("Up").types("o");
    let screen = till.draw();
    assert!(screen.contains("further notice"), "{screen}");
    assert!(screen.contains("displaces 1"), "{screen}");
    assert!(screen.contains("taken by Yoga"), "{screen}");
    assert_eq!(till.titles().len(), 1, "nothing is done before the button");
    let button = till.cell_of("[ Displace 1");
    till.click_at(button);
    assert!(till.titles().is_empty());
    let screen = till.draw();
    assert!(screen.contains("1 displaced   Yoga lost Rehearsal 1"), "{screen}");
    let desk = till.engine.desk(actor("ben", "till-1"));
    let refused = desk.run(crate::engine::ops::BookSlot {
        wants: vec![crate::engine::ops::Want::all(vec![one.id.clone()], Slot::new(at(9000), at(9001)).unwrap())],
        details: crate::domain::booking::Details::default(),
        past: crate::engine::ops::Past::Refuse,
    });
    assert!(refused.is_err());
    till.types("g15:00 today").keys("Enter D");
    let screen = till.draw();
    assert!(screen.contains("Back into use?"), "{screen}");
    till.keys("b");
    book(&till, &one, (5, 8), "Choir");
    till.notice();
    assert!(till.line("Rehearsal 1").contains("Choir"));
}

#[test]
fn the_wanted_time_in_a_smaller_room_is_offered_before_a_larger_one_later() {
    let (mut till, _, _) = calendar();
    let seats = |name: &str, count: &str| crate::engine::ops::AddResource {
        kind: "suite".into(),
        properties: [("seats".to_owned(), count.to_owned())].into(),
        ..super::adding(name)
    };
    let dora = till.engine.desk(actor("dora", "office"));
    let [green, red, _] =
        [("Green", "20"), ("Red", "40"), ("Blue", "8")].map(|(name, count)| dora.run(seats(name, count)).unwrap());
    book(&till, &green, (2, 4), "Yoga class");
    book(&till, &red, (1, 4), "Jazz class");
    till.keys("1 3").types("ggreen").keys("Enter");
    till.types("g14:00 today").keys("Enter v Right Space");
    till.shows("a  Blue   Sat 21 Nov 14:00-14:30   smaller");
    till.keys("Esc v Right n");
    let screen = till.draw();
    let place = |of: &str| screen.find(of).unwrap_or_else(|| panic!("no {of} in\n{screen}"));
    assert!(place("Blue   Sat 21 Nov 14:15") < place("Red   Sat 21 Nov"), "{screen}");
}

#[test]
fn a_conflicting_repeat_is_offered_where_all_its_dates_are_free() {
    let (mut till, one, _) = calendar();
    book(&till, &one, (WEEK + 6, WEEK + 8), "Panto");
    till.types("g18:00 today").keys("Enter n").types("Tango").keys("Shift-Tab Shift-Tab").types("weekly x3");
    till.shows("3 dates, 2 free").shows("a  Rehearsal 2   Sat 21 Nov 18:00-19:00   all 3 dates");
    till.keys("Tab a").shows("3 dates, 3 free");
    till.keys("Enter");
    let dates = till.titles_of("Tango");
    assert_eq!(dates.len(), 3, "{dates:?}");
    assert!(till.line("Rehearsal 2").contains("-▒▒▒"));
    // another hour of the same room: the typed times go with it
    let (mut till, one, two) = calendar();
    book(&till, &one, (WEEK + 6, WEEK + 8), "Panto");
    book(&till, &two, (6, 8), "Choir");
    till.types("g18:00 today").keys("Enter n").types("Tango").keys("Shift-Tab Shift-Tab").types("sat 18-19 x3");
    till.shows("a  Rehearsal 1   Sat 21 Nov 17:00-18:00   all 3 dates");
    till.keys("Tab a").shows("3 dates, 3 free").keys("Enter");
    let dates = till.titles_of("Tango");
    assert!(dates.iter().all(|date| date.ends_with("17:00-18:00")), "{dates:?}");
}

/// Screens B10: the title was taken out of the sentence again, up to its first "moved to".
#[test]
fn a_title_that_reads_like_a_move_is_shown_whole() {
    let (mut till, _, two) = calendar();
    book(&till, &two, (2, 9), "Casting");
    room(&till, "Rehearsal 3", 15);
    till.types("g18:00 today").keys("Enter n");
    till.types("Choir moved to tears").keys("Shift-Tab Enter");
    till.keys("m Down Enter").shows("Nothing was moved");
    till.keys("a").newest("Choir moved to tears moved to Rehearsal 3");
}
