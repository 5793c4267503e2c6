//! What comes due, as a desk shows it and steers it.

use super::desk;
use crate::domain::time::Span;

#[test]
fn the_cart_of_this_desk_counts_down_among_the_jobs_and_its_end_is_in_the_history() {
    let mut till = desk();
    till.keys("2 b 4 Enter 5");
    till.shows("[5 Jobs]")
        .shows("cart of till-2, 4 seats")
        .shows("its seats go back")
        .shows("Hamlet, Sat 21 Nov 19:30")
        .shows("in 30:00");
    till.keys("r").said("it is not time yet");
    till.keys("e").shows("run it later");
    till.types("+5m")
        .keys("Enter")
        .said("It runs Sat 21 Nov 12:");
    till.keys("D").types("till is closed").keys("Enter");
    till.said("Parked").notice().wait(Span::seconds(1));
    till.shows("Parked: each waits until you run it")
        .shows("ada parked it: till is closed");
    till.keys("D").said("in its turn again");
    till.wait(Span::minutes(31));
    till.engine
        .desk(super::actor("ben", "till-1"))
        .sweep()
        .unwrap();
    till.notice().wait(Span::seconds(1));
    till.hides("cart of till-2, 4 seats, in");
    till.keys("f f")
        .shows("Jobs | history")
        .shows("done        cart expiry");
    till.keys("f").shows("by hand     cart expiry");
}

#[test]
fn enter_on_a_job_goes_where_it_is_dealt_with() {
    let mut till = desk();
    till.keys("5 Home").shows("Hamlet, Sat 21 Nov 19:30");
    till.keys("Enter").shows("[2 Seats]").shows("Hamlet");
}
