//! Standing room on the map: below the seats, or all there is.

use super::Till;
use super::till::desk_of;
use crate::formats::rows;

fn standing(seats: Option<&str>) -> Till {
    desk_of(rows::with_areas(seats, &[("Floor".into(), 100)]).unwrap())
}

#[test]
fn a_floor_below_the_seats_is_sold_by_the_number() {
    let mut till = standing(Some("3x8"));
    till.keys("2").shows("Floor, standing").shows("100 of 100 left");
    till.keys("b").types("3 floor").keys("Enter").said("Floor, 3 standing");
    till.hides("no single seat").shows("97 of 100 left").shows("3 Adult");
    till.keys("b").types("2 floor").keys("Enter").shows("95 of 100 left").shows("Floor, 5 standing");
    till.keys("b").types("99 floor").shows("Floor has 95 places left; ask for fewer").keys("Esc");
    till.keys("u").shows("97 of 100 left").keys("Space").said("is yours");
}

/// Both stood in one line of the cart, "…oor, 2 standing 4 Adult": the seats were cut off.
#[test]
fn seats_and_standing_room_have_a_line_each_in_the_cart() {
    let mut till = standing(Some("3x8"));
    till.keys("2 b 2 Enter b").types("2 floor").keys("Enter").said("Floor, 2 standing");
    till.shows(">B3-B4 ").shows("2 Adult 20.00").shows("Floor, 2 standing 2 Adult").hides("4 Adult");
}

/// The name was cut, "…lery, 2 standing 2 Adult": the number that comes twice gives way to it.
#[test]
fn an_area_stands_in_the_cart_with_its_whole_name() {
    let mut till = desk_of(rows::parse("12x16, Gallery=60").unwrap());
    till.keys("2 b").types("2 gallery").keys("Enter").shows(" Gallery, 2 standing Adult 20.00");
}

#[test]
fn where_all_stand_enter_asks_for_the_number() {
    let mut till = standing(None);
    till.keys("2").shows("100 of 100 left").keys("Enter").types("4").keys("Enter").said("Floor, 4 standing are yours");
    till.shows("96 of 100 left").keys("p").shows("40.00");
}
