//! Drags and forms on the calendar that are left half way, and a booking that is opened.

use super::{Till, actor, adding, calendar};
use crate::domain::money::{Currency, Price};
use crate::domain::time::{Grid, Segment};
use crate::engine::ops::{AddResource, CheckGuest, Happened, OpenAmount};
use crate::engine::reads::bookings::ReadBookings;

/// Screens B5: a drag that ends beside the lines is over.
#[test]
fn a_drag_over_time_ends_when_released_beside_the_lines() {
    use crate::tui::kit::input::PointerAct;
    let (mut till, _, _) = calendar();
    till.types("g19:00 today").keys("Enter");
    let from = till.cell_of("[+");
    till.mouse(from, &[PointerAct::Press]);
    let over = ratatui::layout::Position::new(from.x + 6, from.y);
    till.mouse(over, &[PointerAct::Drag]);
    till.mouse(ratatui::layout::Position::new(0, 0), &[PointerAct::Release]);
    let marked = till.draw();
    let on = ratatui::layout::Position::new(from.x + 12, from.y);
    till.mouse(on, &[PointerAct::Drag]);
    assert_eq!(till.draw(), marked);
}

/// A narrower terminal has other hours in its columns.
#[test]
fn a_drag_over_time_goes_on_where_a_resize_has_moved_the_hours() {
    use crate::tui::kit::input::PointerAct;
    for (width, height) in [(60, 18), (80, 24), (200, 60)] {
        let (mut till, _, _) = calendar();
        till.types("g16:00 today").keys("Enter");
        let y = till.cell_of("Rehearsal 1").y;
        let hour = |till: &mut crate::tui::app::tests::Till, hour| {
            ratatui::layout::Position::new(super::column(till, hour), y)
        };
        let (from, over) = (hour(&mut till, "16"), hour(&mut till, "18"));
        till.mouse(from, &[PointerAct::Press]).mouse(over, &[PointerAct::Drag]).resize(width, height);
        let line = till.cell_of("Yoga").y;
        let until = ratatui::layout::Position::new(super::column(&mut till, "17"), line);
        till.mouse(until, &[PointerAct::Drag, PointerAct::Release]).keys("n");
        till.types("Choir").keys("Enter").said("Booked: Choir");
        assert_eq!(till.titles()[1], "Choir Sat 21 Nov 16:00-17:15", "{width}x{height}");
    }
}

/// Screens B7: a verdict on the old time was drawn for the new one until the house had answered.
#[test]
fn an_availability_verdict_is_drawn_only_for_its_own_time() {
    use crate::tui::data::msg::Msg;
    let (mut till, _, _) = calendar();
    till.types("g19:00 today").keys("Enter n").types("Choir");
    till.shows("✓ free");
    till.keys("Tab Tab Tab Tab Backspace");
    // the answer to what is typed now is still under way
    till.send(Msg::Key("5".parse().unwrap()));
    till.hides("✓ free").shows("19:00-20:15");
    till.settle();
    till.shows("✓ free");
}

/// A form drew past time as free, and its button then answered that it is past.
#[test]
fn a_form_says_that_its_time_is_past_before_it_is_sent() {
    let (mut till, _, _) = calendar();
    till.types("g19:00 today").keys("Enter n").types("Choir");
    till.keys("Tab Tab Tab Ctrl-U").types("2026-11-21 09:00");
    till.keys("Tab Ctrl-U").types("2026-11-21 10:00");
    till.hides("✓ free").shows("is past. Choose a time to come.");
    till.shows("[ Not free, try again ]");
}

/// Guests that came were stored, and shown nowhere.
#[test]
fn a_booking_shows_that_its_guests_came() {
    let (mut till, _, _) = calendar();
    let desk = till.engine.desk(actor("ben", "till-1"));
    let yoga = desk.read(ReadBookings::default()).unwrap().remove(0);
    let came = CheckGuest { booking: yoga.id, happened: Happened::CheckedIn, unpaid: OpenAmount::Refuse };
    desk.run(came).unwrap();
    till.notice().keys("Tab Enter").shows("checked in  Sat 21 Nov 12:00");
}

/// Look B7: a room for an hour took nine keys behind its title.
#[test]
fn enter_on_the_title_books_free_time_and_the_form_says_so() {
    let (mut till, _, _) = calendar();
    till.types("g19:00 today").keys("Enter n");
    till.shows("Enter next field").hides("Enter  book it");
    till.types("Choir").shows("Enter  book it");
    till.keys("Tab").shows("Enter next field");
    till.keys("Shift-Tab").shows("Enter book it").keys("Enter");
    till.hides("New booking").said("Booked: Choir");
}

#[test]
fn enter_on_the_title_moves_to_the_next_field_when_the_time_is_taken() {
    let (mut till, _, _) = calendar();
    till.types("g13:30 today").keys("Enter n").types("Choir");
    till.keys("Tab Tab Tab Tab Ctrl-U").types("14:30");
    till.keys("Shift-Tab Shift-Tab Shift-Tab Shift-Tab");
    till.shows(">Title").shows("Enter next field").shows("[ Not free, try again ]").hides("ook it");
    till.keys("Enter").shows("New booking").shows(">For");
}

#[test]
fn enter_on_the_reason_takes_only_free_time_out_of_use() {
    let (mut till, _, _) = calendar();
    till.types("g19:00 today").keys("Enter D").types("leak");
    till.shows("Enter  take it out of use").keys("Enter");
    till.hides("Because").shows("leak");
    till.types("g13:30 today").keys("Enter D").types("leak");
    till.keys("Tab Ctrl-U").types("14:30").keys("Shift-Tab");
    till.hides("Enter  ").keys("Enter").shows("Because");
}

/// From `tomorrow 10:00` until `tomorrow 12:00` was 26 hours.
#[test]
fn the_days_of_both_times_count_from_today() {
    let (mut till, _, _) = calendar();
    till.types("g19:00 today").keys("Enter n").types("Choir");
    till.keys("Tab Tab Tab Ctrl-U").types("tomorrow 10:00").keys("Tab Ctrl-U").types("tomorrow 12:00");
    till.shows("takes     Sun 22 Nov 10:00-12:00").keys("Ctrl-U").types("+90m");
    till.shows("takes     Sun 22 Nov 10:00-11:30").keys("Ctrl-U").types("1am");
    till.shows("takes     Sun 22 Nov 10:00 - Mon 23 Nov 01:00");
    till.keys("Shift-Tab Ctrl-U").types("27 nov").shows("when does it begin?");
    till.keys("Ctrl-U").types("fri 1 jan 2027 10:00").keys("Tab Ctrl-U").types("11:00");
    till.shows("Fri 1 Jan 2027 10:00-11:00");
    till.keys("Shift-Tab Ctrl-U").types("thu 27 nov 10:00").shows("27 Nov 2026 is a Friday");
}

/// The foot said "n book it" of a stay that ended outside the page of a day.
#[test]
fn nights_that_are_found_are_shown_on_a_page_of_nights() {
    let (mut till, _, _) = calendar();
    let night = AddResource {
        kind: "night".into(),
        grid: Grid { zone: chrono_tz::Tz::UTC, segment: Segment::of_minutes(1440).unwrap() },
        ..adding("Night 1")
    };
    till.engine.desk(actor("dora", "office")).run(night).unwrap();
    till.keys("1 3").types("g22 nov 12:00").keys("Enter b");
    till.types("3 nights").keys("Enter");
    till.shows("[nights]").shows("3 nights in Sun 22 Nov").shows("n book it");
    let line = till.line("Night 1");
    assert!(line.contains('[') && line.contains(']'), "{line}");
}

/// Lines below the viewport were cut without a sign.
#[test]
fn lines_below_the_viewport_are_counted() {
    let (mut till, _, _) = calendar();
    till.hides("more below");
    for number in 3..30 {
        super::room(&till, &format!("Rehearsal {number}"), 15);
    }
    till.notice().shows("more below").keys("PgDn PgDn PgDn");
    till.hides("more below");
}

/// Below a repeat that was not understood stood a preview and a button; Enter on it did nothing, and said nothing.
#[test]
fn a_repeat_that_cannot_be_read_has_no_preview_and_enter_leads_back_to_it() {
    let (mut till, one, _) = calendar();
    super::book(&till, &one, (7 * 24 + 6, 7 * 24 + 8), "Panto");
    till.types("g18:00 today").keys("Enter n").types("Tango").keys("Shift-Tab Shift-Tab").types("weekly x3");
    till.shows("3 dates, 2 free").shows("all 3 dates").shows("[ Book the 2 free dates ]");
    till.types(" excpt");
    till.shows("\"excpt\" is no repeat").hides("3 dates").hides("Book").shows("[ Look at the repeat ]");
    till.keys("Enter").shows("Enter look at the repeat").keys("Enter").shows(">Repeat");
    assert_eq!(till.titles().len(), 2, "nothing was booked");
    for _ in "excpt".chars() {
        till.keys("Backspace");
    }
    till.types("except 28 nov").shows("2 dates, 2 free").keys("Enter Enter").said("Booked 2 dates");
}

#[test]
fn times_and_a_price_that_cannot_be_read_take_enter_back_to_them() {
    let (mut till, _, _) = calendar();
    till.types("g18:00 today").keys("Enter n").types("Tango").keys("Tab Tab Tab Ctrl-U").types("never");
    till.shows("[ Look at the times ]").hides("1 h ").keys("Shift-Tab Shift-Tab Shift-Tab Shift-Tab");
    till.keys("Enter").shows(">From").keys("Ctrl-U").types("sat 18:00").keys("Tab Tab").types("x");
    till.shows("is no price").shows("[ Look at the price ]").keys("Tab Tab Tab Enter").shows(">Price");
}

/// The names of eight rooms took the line, and what they cost was cut away.
#[test]
fn the_price_of_many_rooms_is_said_before_their_names() {
    let (mut till, _, _) = calendar();
    for number in 1..=8 {
        let room = AddResource {
            kind: "room".into(),
            grid: Grid { zone: chrono_tz::Tz::UTC, segment: Segment::of_minutes(1440).unwrap() },
            price: Some(Price { minor: 9000, currency: Currency::EUR }),
            ..adding(&format!("Room of the garden wing {number}"))
        };
        till.engine.desk(actor("dora", "office")).run(room).unwrap();
    }
    for (width, height) in [(80, 24), (120, 36)] {
        till.resize(width, height).keys("1 3").notice().keys("b").types("any 8 for 3 nights");
        till.shows("8 rooms   2,160.00   3 nights").keys("Enter");
        let said = till.line(" Marked ");
        for words in ["8 rooms", "2,160.00", "3 nights"] {
            assert!(said.contains(words), "{said}");
        }
        till.keys("Esc Esc");
    }
    till.keys("v Up");
    assert!(till.line(" Marked ").contains("2 rooms"), "{}", till.draw());
}

/// The form hid its line, and its hours were seen nowhere until they were booked.
#[test]
fn the_time_of_a_form_is_drawn_on_its_line_as_it_is_typed() {
    let (mut till, _, _) = calendar();
    till.resize(160, 45).types("g19:00 today").keys("Enter n").types("Choir").shows("✓ free");
    let screen = till.draw();
    let line = |name: &str| screen.lines().any(|line| line.contains(name) && line.contains('['));
    assert!(line("Rehearsal 1"), "{screen}");
    till.keys("Tab Tab Tab Tab Ctrl-U").types("22:00").shows("[ 3 h");
    till.keys("Esc").hides("[ 3 h");
}

/// A desk where the form of 200 chairs is open, in the afternoon of today.
fn reserving_chairs() -> Till {
    let (mut till, _, _) = calendar();
    let chairs = AddResource {
        kind: "equipment".into(),
        count: Some("200 chairs".parse().unwrap()),
        price: Some(Price { minor: 50, currency: Currency::EUR }),
        ..adding("Chairs")
    };
    till.engine.desk(actor("dora", "office")).run(chairs).unwrap();
    till.notice();
    open_chairs(&mut till);
    till
}

fn open_chairs(till: &mut Till) {
    till.types("gchairs").keys("Enter").types("g19:00 today").keys("Enter n").shows("New booking   Chairs");
    till.keys("Tab Tab Tab Tab Ctrl-U").types("22:00").keys("Tab").shows("of 200 chairs").shows("each for this time");
}

#[test]
fn a_number_of_chairs_is_reserved_by_the_form_and_their_line_says_how_many_are_left() {
    let mut till = reserving_chairs();
    for (typed, said) in
        [("half", "is no whole number"), ("0", "It has to be from 1 to"), ("40 tables", "These are chairs, not tables")]
    {
        till.keys("Ctrl-U").types(typed).shows(said).shows("Look at how many");
    }
    till.keys("Ctrl-U").types("201").shows("[ Not free, try again ]");
    till.keys("Ctrl-U").types("40").shows("✓ free");
    till.keys("Shift-Tab Shift-Tab Shift-Tab Shift-Tab Shift-Tab")
        .types("Wedding")
        .keys("Enter")
        .newest("Booked: Wedding");
    till.types("g12:00 today").keys("Enter");
    assert!(till.line("Chairs").contains("160 left"), "{}", till.draw());
    till.shows("some taken");
    // the rest is for others, and no more
    open_chairs(&mut till);
    till.keys("Ctrl-U").types("161").shows("160 of 200 are free").shows("[ Not free, try again ]");
    till.keys("Ctrl-U").types("160 chairs").shows("✓ free");
    till.keys("Shift-Tab Shift-Tab Shift-Tab Shift-Tab Shift-Tab").types("Ball").keys("Enter").newest("Booked: Ball");
    till.types("g12:00 today").keys("Enter");
    assert!(!till.line("Chairs").contains("left"), "{}", till.draw());
    // a repeat takes them on each of its dates
    till.types("gchairs").keys("Enter").types("g19:00 sun").keys("Enter n").types("Choir");
    till.keys("Tab Tab Tab Tab Tab").types("50").keys("Tab Tab Tab").types("weekly x3").shows("3 dates, 3 free");
    till.keys("Enter Enter").said("Booked 3 dates");
    let desk = till.engine.desk(actor("ada", "till-1"));
    let all = desk.read(ReadBookings::default()).unwrap();
    let units = all.iter().filter(|one| one.title == "Choir").map(|one| one.taken[0].number);
    assert_eq!(units.collect::<Vec<_>>(), [50; 3]);
}

#[test]
fn a_number_of_chairs_goes_out_of_use_by_the_form_and_the_newest_bookings_lose_theirs() {
    let mut till = reserving_chairs();
    till.keys("Ctrl-U").types("150");
    till.keys("Shift-Tab Shift-Tab Shift-Tab Shift-Tab Shift-Tab").types("Wedding").keys("Enter");
    let out = |till: &mut Till| {
        till.keys("Esc").types("gchairs").keys("Enter").types("g19:00 today").keys("Enter D");
        till.shows("Out of use   Chairs").types("broken").keys("Tab Ctrl-U").types("22:00").keys("Tab");
        till.shows("How many").shows("of 200 chairs, all of them if empty");
    };
    out(&mut till);
    till.shows("50 of 200 are free").shows("too few are free");
    for (typed, said) in [("half", "is no whole number"), ("0", "It has to be from 1 to"), ("4 tables", "not tables")] {
        till.keys("Ctrl-U").types(typed).shows(said).keys("Enter Enter").shows("Out of use   Chairs");
    }
    till.keys("Ctrl-U").types("40").shows("✓ nothing booked").keys("Enter Enter");
    till.types("g13:00 today").keys("Enter");
    assert!(till.line("Chairs").contains("10 left"), "{}", till.draw());
    // maintenance is refused where fewer are left, and a disable takes the rest from who came last
    out(&mut till);
    till.types("30")
        .shows("10 of 200 are free")
        .shows("disable displaces the newest")
        .keys("Enter Enter")
        .shows("30 chairs are not free: 10 of 200 are");
    till.keys("Tab").types("d").shows("the newest bookings lose theirs").keys("Tab Tab Tab Tab Enter");
    till.shows("1 displaced   broken lost 20 of 40 chairs");
    till.types("g13:00 today").keys("Enter");
    assert!(!till.line("Chairs").contains(" left"), "{}", till.draw());
    // for ever goes out of use only what is whole
    out(&mut till);
    till.types("30").keys("Shift-Tab Ctrl-U").shows("until further notice").keys("Enter Enter Enter");
    till.shows("Type until when, or leave out how many");
    till.keys("Shift-Tab Shift-Tab").types("o");
    till.hides("How many");
}
