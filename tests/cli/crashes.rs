//! Case T8 with the real binary: killed at any moment of a hold or a checkout, all of it is there or none of it.

use std::time::{Duration, Instant};

use crate::support::House;

/// How many moments of a command are tried.
const MOMENTS: u32 = 12;

/// Kills a command some time after it started.
fn killed(house: &House, line: &str, after: Duration) {
    let mut child = house
        .on(line)
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    std::thread::sleep(after);
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn t8_killed_at_any_moment_all_of_a_command_is_there_or_none() {
    let house = House::royal();
    let started = Instant::now();
    let measured = house.cart_with("E1,E2");
    let whole = started.elapsed() / 2;
    house.json(&format!("cart cancel {measured}")).done();
    let mut sold = 0;
    for moment in 0..MOMENTS {
        let after = whole * moment / MOMENTS;
        let (row, first) = (
            ["A", "B", "C", "D"][usize::try_from(moment % 4).unwrap()],
            moment / 4 * 4 + 1,
        );
        let seats = format!("{row}{first},{row}{},{row}{}", first + 1, first + 2);
        let cart = house.cart();
        let add = format!("cart add {cart} --performance Movie --seats {seats}");
        killed(&house, &add, after);
        let held = house.json(&format!("cart show {cart}")).done();
        let lines = held["lines"].as_array().unwrap();
        assert!(
            lines.is_empty() || lines[0]["seats"].as_array().unwrap().len() == 3,
            "{held}"
        );
        if lines.is_empty() {
            house.json(&add).done();
        }
        killed(&house, &format!("cart checkout {cart} --pay cash"), after);
        let state = house.json(&format!("cart show {cart}")).done()["state"].clone();
        sold += u32::from(state == "done");
        assert!(state == "done" || state == "active", "{state}");
        let receipts = house.json("receipt list").done();
        assert_eq!(
            receipts.as_array().unwrap().len(),
            usize::try_from(sold).unwrap()
        );
    }
    house.verified();
    assert_eq!(house.free(), 80 - u64::from(MOMENTS) * 3);
}
