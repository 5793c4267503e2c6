//! Desks of a house in New York, where it is seven in the morning, whatever screen they begin on.

use chrono_tz::{America::New_York, Asia::Tokyo, Tz};

use super::calendar::adding;
use super::till::price;
use super::{Till, actor, desk};
use crate::domain::time::{Grid, Instant, Segment, Span, parse_local};
use crate::engine::ops::{AddPerformance, AddResource, ChangeSettings};
use crate::engine::reads::bookings::ReadBookings;
use crate::engine::reads::carts::ReadReservations;
use crate::engine::reads::catalog::ReadPerformance;
use crate::tui::data::left::LeftAt;
use crate::tui::data::msg::{Changed, Msg, Subject};
use crate::tui::kit::screen::Screen;

fn move_to(till: &Till, zone: Tz) {
    let change = ChangeSettings::to("time-zone", &zone);
    till.engine.desk(actor("dora", "office")).run(change).unwrap();
}

/// The desk of [`desk`], whose theater is in UTC, with a studio.
fn new_york() -> Till {
    let till = desk();
    move_to(&till, New_York);
    let grid = Grid { zone: New_York, segment: Segment::of_minutes(30).unwrap() };
    till.engine.desk(actor("dora", "office")).run(AddResource { grid, ..adding("Studio") }).unwrap();
    till
}

fn at(screen: Screen) -> LeftAt {
    LeftAt { screen, ..LeftAt::default() }
}

fn local(at: Instant) -> String {
    at.rfc3339(New_York)
}

#[test]
fn the_clock_is_the_houses_from_the_first_frame_on_and_on_each_screen() {
    let mut till = new_york();
    for screen in [Screen::Tonight, Screen::Seats, Screen::Calendar, Screen::Orders, Screen::Jobs] {
        let first = till.first_frame(at(screen));
        assert!(first.contains("Sat 21 Nov 07:00"), "{screen:?} begins with\n{first}");
        till.settle();
        till.shows("Sat 21 Nov 07:00").keys("1 2 3 4 5").shows("Sat 21 Nov 07:0");
    }
    till.restart(at(Screen::Calendar)).shows("America/New_York");
}

#[test]
fn a_desk_that_begins_on_the_calendar_books_the_time_on_the_wall() {
    let mut till = new_york();
    till.restart(at(Screen::Calendar)).types("gstudio").keys("Enter n").types("Rehearsal");
    till.keys("Tab Tab Tab Ctrl-U").types("today 19:00").keys("Tab Ctrl-U").types("9pm");
    till.shows("takes     Sat 21 Nov 19:00-21:00").keys("Shift-Tab Shift-Tab Shift-Tab Shift-Tab Enter");
    till.said("Booked: Rehearsal");
    let bookings = till.engine.desk(actor("ben", "till-1")).read(ReadBookings::default()).unwrap();
    let booked = bookings.iter().find(|booking| booking.title == "Rehearsal").unwrap().extent().unwrap();
    assert_eq!([booked.from(), booked.until()].map(local), ["2026-11-21T19:00:00-05:00", "2026-11-21T21:00:00-05:00"]);
}

#[test]
fn a_desk_that_begins_on_seats_reserves_and_one_on_orders_extends_by_the_clock_on_the_wall() {
    let mut till = new_york();
    let pay_by = |till: &Till| {
        let carts = till.engine.desk(actor("ben", "till-1")).read(ReadReservations::default()).unwrap();
        local(carts[0].expires_at)
    };
    till.restart(at(Screen::Seats)).keys("b 2 Enter r").types("Weber");
    till.keys("Tab Tab").types("12:00").shows("Sat 21 Nov 12:00").keys("Enter Enter");
    till.said("Reserved for Weber until Sat 21 Nov 12:00");
    assert_eq!(pay_by(&till), "2026-11-21T12:00:00-05:00");
    till.restart(at(Screen::Orders)).keys("Enter e").types("13:00").keys("Enter");
    till.said("Weber has to pay by Sat 21 Nov 13:00 now");
    assert_eq!(pay_by(&till), "2026-11-21T13:00:00-05:00");
    till.restart(at(Screen::Jobs)).shows("13:00");
}

#[test]
fn a_desk_follows_the_house_to_another_zone() {
    let mut till = new_york();
    till.restart(at(Screen::Orders)).shows("Sat 21 Nov 07:00");
    move_to(&till, Tokyo);
    till.send(Msg::Changed(Changed::These(vec![Subject::Settings])));
    till.settle();
    till.shows("Sat 21 Nov 21:00").keys("3").shows("Asia/Tokyo");
}

/// A night in four years stood on the screens as one of this December.
#[test]
fn a_date_of_another_year_has_its_year() {
    let mut till = desk();
    let dora = till.engine.desk(actor("dora", "office"));
    let hamlet = dora.read(ReadPerformance(till.show)).unwrap().performance;
    let start = parse_local("2030-12-01T19:30", Tz::UTC).unwrap();
    let lear =
        AddPerformance::new(hamlet.theater, "Lear", (start, start + Span::minutes(150)), vec![price(None, 1000)]);
    dora.run(lear).unwrap();
    till.resize(200, 60).keys("1 g").types("5 dec").keys("Enter");
    till.shows("Sun 1 Dec 2030 19:30 Lear");
    till.keys("g").types("1 dec 2030").keys("Enter").shows("30 Nov 2030 to 6 Dec 2030");
    till.shows("Sun 1 Dec 2030 19:30 Lear");
    till.shows("Lear  Sun 1 Dec 2030 19:30").keys("Enter").shows("Sun 1 Dec 2030 19:30 ");
    till.resize(100, 30).keys("b 2 Enter").shows("Lear   Sun 1 Dec 2030 19:30");
    till.keys("5").shows("1 Dec 2030");
    till.resize(200, 60).keys("3 g").types("31 dec").keys("Enter").shows("Thu 31 Dec  ").shows("Fri 1 Jan 2027 ");
    till.resize(100, 30).shows("Fr 1 2027");
    till.keys("/").types("lear").shows("Sun 1 Dec 2030 19:30").keys("Esc");
    till.keys("2 r").types("Weber").keys("Tab Tab").types("1 may 2028 10:00").shows("Mon 1 May 2028 10:00");
}
