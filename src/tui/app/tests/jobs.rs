//! Due jobs, as a desk shows and steers them.

use super::desk;
use crate::domain::time::Span;

#[test]
fn the_cart_of_this_desk_counts_down_among_the_jobs_and_its_end_is_in_the_history() {
    let mut till = desk();
    till.keys("2 b 4 Enter 5");
    till.shows("[5 Jobs]").shows("cart of till-2, 4 seats").shows("the hold ends").shows("in 30m00s");
    till.keys("r").said("looked just now, nothing to do yet");
    till.keys("e").shows("run it later");
    till.types("+5m").keys("Enter").said("It runs Sat 21 Nov 12:");
    till.keys("D").types("till is closed").keys("Enter");
    till.said("Parked").notice().wait(Span::seconds(1));
    till.shows("PARKED: each waits until you run it").shows("ada parked it: till is closed");
    till.keys("D").said("in its turn again");
    till.wait(Span::minutes(31));
    till.engine.desk(super::actor("ben", "till-1")).sweep().unwrap();
    till.notice().wait(Span::seconds(1));
    till.hides("cart of till-2, 4 seats, in");
    till.keys("f f").shows("Jobs | history").shows("done        cart expiry");
    till.keys("f").shows("by hand     cart expiry");
}

#[test]
fn every_screen_reports_once_that_this_desks_cart_expires_soon_and_has_expired() {
    let mut till = desk();
    till.keys("2 b 4 Enter 3").wait(Span::minutes(27));
    till.hides("runs out in");
    till.wait(Span::seconds(60));
    till.shows("Your cart, 4 seats, runs out in 1m5");
    till.wait(Span::seconds(10)).hides("runs out in");
    till.wait(Span::seconds(110)).shows("The hold has ended");
}

#[test]
fn tonight_lists_an_expired_reservation_and_takes_its_seats_again() {
    let mut till = desk();
    till.keys("2 b 2 Enter r").types("Weber");
    till.keys("Tab Tab").types("+1h").keys("Enter Enter");
    till.wait(Span::minutes(61));
    till.engine.desk(super::actor("ben", "till-1")).sweep().unwrap();
    till.keys("1").notice().wait(Span::seconds(1));
    till.shows("2 seats of Weber went");
    till.keys("Tab Enter").shows("Take its seats again?");
    till.keys("t").shows("cart 30m00s").keys("2").free(78);
}

#[test]
fn enter_on_a_job_opens_its_performance() {
    let mut till = desk();
    till.keys("5 Home").shows("Hamlet, Sat 21 Nov 19:30");
    till.keys("Enter").shows("[2 Seats]").shows("Hamlet");
}
