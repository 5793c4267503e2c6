//! A database that goes away under an open cart: it is said, and what was typed stays.

use super::{actor, desk};
use crate::domain::time::Span;
use crate::engine::ops::{HoldSeats, HouseSeats, SeatChoice};
use crate::tui::data::msg::Msg;

#[test]
fn the_header_says_that_the_database_is_away_and_since_when_and_always_what_time_it_is() {
    let mut till = desk();
    till.keys("2 Space p").types("20");
    till.send(Msg::Away(Some(till.app.shared.now)));
    till.wait(Span::seconds(8));
    till.shows("no database 8s").shows(">Given     20_");
    till.shows(" 12:00");
    till.said("what you asked waits, nothing is lost");
    till.resize(80, 24).shows("no database  ").shows(" 12:00");
    till.resize(60, 18).shows("no database  ").shows(" 12:00");
    till.resize(200, 60).shows("no database for 8s");
    till.shows("ada@till-2  Sat 21 Nov 12:00");
    till.send(Msg::Away(None));
    till.hides("no database").shows(">Given     20_");
    till.said("The database is there again");
    till.keys("Enter").shows("Sold   receipt");
}

#[test]
fn a_cart_with_an_answer_lost_in_an_outage_is_reported_after_it() {
    let mut till = desk();
    till.send(Msg::Away(Some(till.app.shared.now)));
    let show = till.show;
    let own = till.engine.desk(actor("ada", "till-2"));
    own.run(HoldSeats {
        cart: None,
        performance: show,
        seats: SeatChoice::Named(vec!["B7".into(), "B8".into()]),
        ticket_type: None,
        kept: HouseSeats::Refuse,
    })
    .unwrap();
    till.send(Msg::Away(None));
    till.settle();
    till.said("Your cart from before is held until 12:30:00, 2 seats: o takes it");
    till.keys("o Enter").shows("2 seats").shows("cart 29m59s");
}
