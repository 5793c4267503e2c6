//! Crashes: whatever happens, all of a command is there or none of it. Case T8 lives in the real binary's tests too.

use willcall::engine::reads::tonight::ReadPerformances;

use super::support::House;

#[test]
fn what_was_answered_is_there_after_a_restart() {
    let mut house = House::royal();
    let cart = house.cart_with("A1 A2");
    let receipt = house.sold("B1");
    house.restart();
    assert_eq!(house.free(), 77);
    assert_eq!(house.cart(cart).cart.seat_count(), 2);
    assert_eq!(house.desk.read(ReadPerformances::default()).unwrap().len(), 1);
    assert_eq!(house.sold("B2").number, "till-1/2", "numbers go on");
    assert_eq!(receipt.number, "till-1/1");
    house.verified();
}
