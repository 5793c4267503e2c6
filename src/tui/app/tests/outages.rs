//! A database that goes away under an open cart: it is said, and what was typed stays.

use super::desk;
use crate::domain::time::Span;
use crate::tui::msg::Msg;

#[test]
fn the_header_says_that_the_database_is_away_and_since_when_and_always_what_time_it_is() {
    let mut till = desk();
    till.keys("2 Space p").types("20");
    till.send(Msg::Away(Some(till.app.shared.now)));
    till.wait(Span::seconds(8));
    till.shows("no database 00:08").shows(">Given      20_");
    till.shows(" 12:00");
    till.said("what you asked waits, nothing is lost");
    till.resize(80, 24).shows("no database  ").shows(" 12:00");
    till.resize(60, 18).shows("no database  ").shows(" 12:00");
    till.resize(200, 60).shows("no database for 00:08");
    till.shows("ada@till-2  Sat 21 Nov 12:00");
    till.send(Msg::Away(None));
    till.hides("no database").shows(">Given      20_");
    till.said("The database is there again");
    till.keys("Enter").shows("Sold   receipt");
}
