//! The till on Tonight: opened, cash moved in and out, counted and closed without a shell.

use super::till::{Till, actor, desk};
use crate::domain::money::{Currency, Price};
use crate::domain::time::Span;
use crate::engine::ops::{ChangeSettings, OpenTill};
use crate::engine::reads::receipts::ReadReceipts;
use crate::engine::reads::tills::ReadOpenTill;
use crate::words;

/// A desk whose till has 100.00 and a sale of 40.00 in it.
fn open() -> Till {
    let mut till = desk();
    till.keys("1 t").shows("Till of till-2   closed").shows("Every receipt of this station counts on it");
    till.types("100").keys("Enter").newest("Till till-2/1 has EUR 100.00 in it");
    till.keys("2 b 4 Enter p Enter").keys("1");
    till
}

#[test]
fn a_shift_is_worked_without_a_shell() {
    let mut till = open();
    till.keys("t").shows("Till till-2/1   open since").shows("Cash in the drawer");
    till.shows("140.00").shows("count and close").hides("meanwhile");
    till.keys("Shift-Tab Right")
        .shows("Take it out")
        .keys("Tab")
        .types("50")
        .keys("Enter")
        .shows("needed: to the bank");
    till.types("to the bank").keys("Enter Enter").newest("Till till-2/1 has EUR 90.00 in it");
    till.keys("t").shows("Taken out").types("89.50").keys("Enter");
    till.shows("What is missing or too much is said").keys("Enter");
    till.newest("Till till-2/1 counted and closed: EUR 0.50 is missing");
    till.keys("t").shows("Till of till-2   closed");
}

#[test]
fn a_till_that_another_desk_of_the_station_opens_is_not_closed_by_the_same_key() {
    let mut till = desk();
    till.keys("1 t").types("77").keys("Tab").shows("Open it");
    let other = till.engine.desk(actor("ben", "till-2"));
    other.run(OpenTill { floats: vec![Price { minor: 3300, currency: Currency::EUR }] }).unwrap();
    till.notice()
        .shows("The till was opened meanwhile")
        .hides("77")
        .keys("Enter Enter")
        .shows("Type how much cash it is");
    assert!(other.read(ReadOpenTill).unwrap().open.is_some());
}

#[test]
fn what_cannot_be_is_said_in_the_till_and_nothing_is_lost() {
    let mut till = desk();
    till.keys("1 t").types("x").keys("Enter Enter").shows("is not an amount").keys("Esc");
    let mut till = open();
    till.keys("t Shift-Tab Right Tab").types("500").keys("Enter").types("bank").keys("Enter Enter");
    till.shows("Only EUR 140.00 is in the till. Take out no more than that.").shows("500");
    till.keys("Esc 2 b 1 Enter 1 t").types("140").keys("Enter Enter").shows("A sale is under way at till-2");
}

#[test]
fn what_was_taken_today_is_told_by_means_and_station() {
    let mut till = open();
    till.resize(160, 45).keys("4 Enter R Right Enter 1").notice().wait(Span::seconds(2));
    till.shows("station").shows("seats").shows("cash").shows("card").shows("total");
    let screen = till.draw();
    let line = screen.lines().skip_while(|line| !line.contains("Taken today")).find(|line| line.contains("till-2"));
    let figures: Vec<&str> = line.unwrap_or_default().split_whitespace().rev().take(4).collect();
    let left = till.engine.desk(actor("ada", "till-2")).read(ReadReceipts::default()).unwrap();
    let money: i64 = left.iter().map(|row| row.total).sum();
    let seats = money / 1000;
    assert!(money < 4000, "something came back");
    let money = words::money(money, left[0].currency);
    assert_eq!(figures, [money.as_str(), "0.00", money.as_str(), seats.to_string().as_str()], "less what came back");
}

#[test]
fn a_comp_is_sold_for_a_reason_that_is_typed() {
    let mut till = desk();
    till.engine.desk(actor("ada", "till-2")).run(ChangeSettings::to("comps", "Child")).unwrap();
    till.notice().keys("2 b 1 Enter t").shows("Child").keys("p").shows("why it is given away");
    till.keys("Enter").shows("Type why it is given away").types("the Times").keys("Shift-Tab Enter");
    till.shows("receipt till-2/1");
    let sold = till.engine.desk(actor("ada", "till-2")).read(ReadReceipts::default()).unwrap();
    assert_eq!((sold[0].seats, sold[0].total), (1, 0));
}

#[test]
fn a_comp_in_exchange_for_a_ticket_wants_a_typed_reason_too() {
    let mut till = desk();
    let ada = till.engine.desk(actor("ada", "till-2"));
    ada.run(ChangeSettings::to("comps", "Child")).unwrap();
    ada.run(ChangeSettings::to("exchange-fee", "EUR 10.00")).unwrap();
    till.notice().keys("2 b 1 Enter p Enter").keys("4 Enter Space m b 1 Enter t").shows("Child");
    till.keys("p").shows("EUR 0.00").shows("why it is given away");
    till.keys("Enter").shows("Type why it is given away").types("the Times").keys("Shift-Tab Enter");
    till.newest("Exchanged: receipt till-2/2");
}
