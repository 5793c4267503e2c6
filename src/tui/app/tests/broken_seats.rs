//! Seats taken out of use at the map, and the undo of that.

use super::keys::sold;
use super::reserving::reserved;
use super::{Till, desk};

impl Till {
    /// Takes a seat out of use by keys.
    fn breaks(&mut self, seat: &str) -> &mut Self {
        self.keys("2 g").types(seat).keys("Enter D").types("leak").keys("Enter d").notice()
    }
}

/// The one act on seats that hurts a customer was the one that `u` did not undo.
#[test]
fn u_undoes_a_sold_seat_out_of_use_and_its_order_has_it_again() {
    let mut till = sold();
    till.breaks("b8").newest("B8 out of use; 1 displaced, see Needs you").shows("u undo: B8 out of use");
    till.keys("u").newest("Undone: B8 out of use");
    let said = till.app.shared.says.newest_first().next().unwrap();
    assert!(!said.text.contains("displaced"), "{}", said.text);
    till.free(78);
    till.keys("4 Enter").shows("B8").hides("lost").keys("1").wait(super::Span::seconds(2)).shows("Nothing now.");
    till.keys("2 u").newest("There is nothing to undo");
}

#[test]
fn undo_says_what_it_did_not_bring_back() {
    let mut till = desk();
    till.ben_holds(&["A1"]).notice();
    till.breaks("a1").newest("A1 out of use; taken from 1 open cart");
    till.keys("u").newest("Undone: A1 out of use; what 1 open cart lost is free").free(80);
    let mut till = reserved();
    till.breaks("b8").newest("B8 out of use; 1 displaced, see Needs you");
    till.keys("u").newest("Undone: B8 out of use; 1 still displaced, see Needs you").free(79);
}

#[test]
fn a_seat_that_was_put_back_by_hand_and_sold_since_stays_sold() {
    let mut till = sold();
    till.breaks("b8").keys("D b").notice();
    till.keys("b 1 Enter").keys("g").types("b8").keys("Enter Space p Enter").notice();
    let free = till.app.seats.map().unwrap().free;
    till.keys("4 2 u u").notice();
    assert_eq!(till.app.seats.map().unwrap().free, free);
}
