//! A place reads again at a change that touches it, and at most once a second.

use super::calendar::calendar;
use super::till::Till;
use super::{NOON, desk};
use crate::domain::ids::{CartId, PerformanceId, ReceiptId};
use crate::domain::resource::Resource;
use crate::domain::time::Span;
use crate::tui::data::msg::{Changed, Msg, Subject};

fn told(till: &mut Till, subjects: Vec<Subject>) {
    till.send(Msg::Changed(Changed::These(subjects)));
    till.settle();
}

/// A seat of a performance goes into a cart of another till.
fn picked(till: &mut Till, performance: PerformanceId) {
    told(till, vec![Subject::Cart(CartId::random()), Subject::Seats(performance)]);
}

/// Each open list read again at every pick of a seat in the house.
#[test]
fn twelve_tills_at_work_make_a_place_read_once_a_second() {
    let places = [
        ("1", "Tonight"),
        ("4", "Reservations"),
        ("5", "Jobs"),
        ("2 b 2 Enter n Enter o", "OpenCarts"),
        ("2 W", "Waiting"),
    ];
    for (way, question) in places {
        let mut till = desk();
        till.keys(way).wait(Span::seconds(3));
        let show = till.show;
        let asked = till.questions(|till| {
            for pick in 0..36 {
                picked(till, show);
                if pick % 12 == 11 {
                    till.wait(Span::seconds(1));
                }
            }
        });
        let of_place = asked.iter().filter(|asked| *asked == question).count();
        assert_eq!(of_place, 4, "{way}: once at the first, then once a second: {asked:?}");
        let of_screen: &[&str] = if way == "1" { &["Tally", "Pace", "SeatMap"] } else { &["SeatMap"] };
        let others = asked.iter().filter(|asked| *asked != question && !of_screen.contains(&asked.as_str()));
        assert_eq!(others.collect::<Vec<_>>(), Vec::<&String>::new(), "{way}: nothing that is out of view");
        let idle = till.questions(|till| {
            till.wait(Span::seconds(1));
        });
        assert!(!idle.contains(&question.to_owned()), "{way}: all is read: {idle:?}");
    }
}

#[test]
fn a_change_that_does_not_touch_a_place_makes_it_read_nothing() {
    let other = || Subject::Seats(PerformanceId::random());
    let places = [
        ("1", vec![other(), Subject::Resource("hall".parse().unwrap())]),
        ("4", vec![other(), Subject::Worklist]),
        ("5", vec![other()]),
        ("2 o", vec![other(), Subject::Receipt(ReceiptId::random()), Subject::Worklist, Subject::Other]),
        ("2 W", vec![other(), Subject::Cart(CartId::random()), Subject::Receipt(ReceiptId::random())]),
    ];
    for (way, subjects) in places {
        let mut till = desk();
        till.keys("2").keys(way).wait(Span::seconds(3));
        // the map below a dialog has its own rule
        let asked = till.questions(|till| told(till, subjects));
        let asked: Vec<&String> = asked.iter().filter(|asked| *asked != "SeatMap").collect();
        assert!(asked.is_empty(), "{way}: {asked:?}");
    }
}

#[test]
fn only_what_is_in_view_is_read_of_a_stack_of_dialogs_and_the_screen_below() {
    let (mut till, one, two) = calendar();
    let day = |room: &Resource| Subject::Day(room.id.clone(), NOON.in_zone(chrono_tz::Tz::UTC).date_naive());
    till.keys("i").shows("November 2026").shows("Rehearsal 1");
    let asked = till.questions(|till| told(till, vec![day(&two)]));
    assert!(asked.is_empty(), "the month covers the calendar: {asked:?}");
    let asked = till.questions(|till| told(till, vec![day(&one)]));
    assert_eq!(asked, ["Page"]);

    let mut till = desk();
    till.ben_holds(&["A1"]).keys("2 o ?").shows("Keys").wait(Span::seconds(3));
    let show = till.show;
    let asked = till.questions(|till| picked(till, show));
    assert_eq!(asked, ["SeatMap", "OpenCarts"], "the map and the list below the keys");
}

/// The seats of the cart under the cursor stayed those of its first sight.
#[test]
fn the_seats_of_the_chosen_cart_are_read_again_when_it_changes() {
    let mut till = desk();
    till.ben_holds(&["A1"]);
    till.keys("2 o").shows("A1: Hamlet");
    let ben = till.engine.desk(super::actor("ben", "till-1"));
    let cart = ben.read(super::ReadOpenCarts::default()).unwrap()[0].id;
    let seats = super::SeatChoice::Named(vec!["A2".to_owned()]);
    ben.run(super::HoldSeats { cart: Some(cart), ..super::HoldSeats::new(till.show, seats) }).unwrap();
    told(&mut till, vec![Subject::Cart(cart)]);
    till.wait(Span::seconds(1)).shows("A2: Hamlet");
}

/// A hold that ended stayed in the list until something else changed.
#[test]
fn an_ended_hold_leaves_the_open_list_by_the_clock() {
    let mut till = desk();
    till.ben_holds(&["A1"]);
    till.keys("2 o").shows("ben@till-1");
    till.wait(Span::minutes(31)).hides("ben@till-1");
}
