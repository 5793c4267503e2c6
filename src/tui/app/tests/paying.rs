//! Card payments that began, and what becomes of their cart before the slip is typed in.

use super::till::{Till, actor, desk};
use crate::domain::back::Share;
use crate::domain::correction::BackBy;
use crate::domain::ids::CartId;
use crate::engine::ops::{CancelCart, CorrectReceipt, CorrectionAct};
use crate::engine::reads::receipts::ReadReceipts;
use crate::engine::reads::worklist::ReadWorklist;

/// Ada's desk with two seats in the cart, and the card terminal at work.
fn at_the_terminal() -> Till {
    let mut till = desk();
    till.keys("2 b 2 Enter p d").shows("Charge 20.00 on the card");
    till
}

fn cart(till: &Till) -> CartId {
    till.app.shared.cart.view().unwrap().cart.id
}

fn waits(till: &Till) -> usize {
    let ben = till.engine.desk(actor("ben", "till-1"));
    ben.read(ReadWorklist).unwrap().len()
}

#[test]
fn pay_refuses_an_amount_as_the_card_reference() {
    let mut till = at_the_terminal();
    till.types("20.00").keys("Enter Enter").shows("20.00 reads as an amount");
    assert_eq!(till.sales(), 0);
    for _ in 0..5 {
        till.burst("Backspace");
    }
    till.types("X1").keys("Enter Enter").shows("Sold");
}

#[test]
fn a_card_that_was_charged_before_a_seat_was_lost_is_owed_the_rest() {
    let mut till = at_the_terminal();
    till.types("X1");
    let view = till.app.shared.cart.view().unwrap();
    let lost = view.lines[0].seats()[0].1.clone();
    till.disable(&[&lost]).notice().shows("The total has changed");
    till.keys("Up").types("25").keys("Enter");
    assert_eq!(till.sales(), 0, "so much was never due");
    till.burst("Backspace Backspace");
    till.types("20").keys("Enter").shows("Sold");
    till.said("The card was charged EUR 10.00 too much: it is first in Needs you");
    assert_eq!((till.sales(), waits(&till)), (1, 1));
    till.keys("1 Tab").shows("EUR 10.00 by card X1:").shows("find seats");
}

#[test]
fn a_cart_that_is_canceled_behind_an_open_pay_is_still_sold_by_card() {
    let mut till = at_the_terminal();
    let cart = cart(&till);
    let ben = till.engine.desk(actor("ben", "till-2"));
    ben.run(CancelCart { cart }).unwrap();
    till.notice().said("The cart was canceled").shows("If the card was charged");
    till.types("X1").keys("Enter Enter").shows("Sold");
    assert_eq!((till.sales(), waits(&till)), (1, 0));
}

#[test]
fn what_an_exchange_brings_back_is_refunded_elsewhere_while_the_card_is_charged() {
    let mut till = desk();
    till.keys("2 b 1 Enter p Enter").keys("4 Enter Space m b 3 Enter p d").shows("Charge 20.00 on the card");
    let ben = till.engine.desk(actor("ben", "till-1"));
    let receipt = ben.read(ReadReceipts::default()).unwrap()[0].id;
    let act = CorrectionAct::Refund { cells: None, back: BackBy::Cash.into(), share: Share::All };
    ben.run(CorrectReceipt { receipt, act, reason: "ill".into(), keep: None }).unwrap();
    till.notice().types("X1").keys("Enter Enter");
    till.said("The card was charged, but nothing could be sold for it").shows("EUR 20.00 by card X1");
    assert_eq!((till.sales(), waits(&till)), (2, 1));
    till.keys("2").shows("back B8").shows("TOTAL EUR 20.00");
}
