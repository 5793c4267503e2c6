//! A cart of another night than the map shows.

use super::mouse::place_of;
use super::with_wheelchairs;
use crate::tui::app::tests::Till;
use crate::tui::kit::theme::{Theme, ThemeName};

/// A desk in front of Hamlet, with a cart for Lear set aside.
fn of_lear() -> Till {
    let mut till = with_wheelchairs();
    till.keys("b 2 Enter n").types("Mbeki").keys("Enter");
    till.keys("1 End Enter").shows("Hamlet  Sat 21 Nov 19:30");
    till
}

/// The cart lay beside the map of another night, and the next pick sold that night into it.
#[test]
fn a_cart_of_another_night_is_taken_over_on_its_own_map() {
    let mut till = of_lear();
    till.keys("o Enter").shows("Lear  Sat 21 Nov 18:40").hides("Hamlet  ").hides("the cart is for");
    let seats: Vec<String> =
        till.app.shared.cart.view().unwrap().lines[0].seats().iter().map(|(_, name)| name.clone()).collect();
    let cursor = till.app.seats.map().unwrap().plan.seat_name(till.app.seats.cursor().unwrap()).to_owned();
    assert_eq!(cursor, seats[0]);
    till.keys("1 End Enter n o Enter").shows("Lear  Sat");
}

#[test]
fn a_cart_of_the_night_on_the_map_is_taken_over_there() {
    let mut till = of_lear();
    till.keys("b 2 Enter n").types("Okafor").keys("Enter g").types("a1").keys("Enter");
    till.keys("o Down Enter").shows("Hamlet  Sat").shows("B7  yours");
    let cursor = till.app.seats.cursor().unwrap();
    assert!(till.app.shared.cart.line_of(till.show, cursor).is_some(), "the cursor is on its first seat");
}

#[test]
fn a_cart_that_holds_another_night_than_the_map_says_so_in_the_colour_of_warnings() {
    for (size, warning) in [
        ((80, 24), "the cart is for Lear Sat 21 Nov 18:40"),
        ((60, 18), "cart: Lear Sat 21 Nov 18:40"),
        ((120, 36), "the cart is for Lear Sat 21 Nov 18:40"),
    ] {
        let mut till = of_lear();
        till.app.shared.theme = Theme::named(ThemeName::Dark).unwrap();
        till.keys("o Enter 1 End Enter").resize(size.0, size.1);
        till.shows("Hamlet  Sat 21 Nov 19:30").shows(warning);
        let at = place_of(&mut till, warning);
        assert_eq!(till.style_at(at).fg, till.app.shared.theme.warning.fg, "{size:?}");
        till.keys("Space").shows("also");
        till.keys("u n").hides(warning);
    }
}
