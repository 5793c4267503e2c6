//! What operators get wrong at the desk: it is told where it was typed, and nothing is sold or lost.

use crate::ground::Ground;
use crate::support::{Desk, Quiet, size};

fn selling(house: &Quiet, cols: u16, rows: u16) -> Desk {
    let mut desk = house.desk(size(cols, rows));
    desk.shows("Hamlet").keys("2").shows("Space pick");
    desk
}

#[test]
fn wrong_seats_are_told_at_the_prompt_or_under_the_map() {
    let house = Quiet::small(Ground::file());
    let mut desk = selling(&house, 100, 30);
    desk.keys("gz99\r").shows("there is no seat").keys("\x1b");
    desk.keys("b99\r").shows("a cart has at most 20").keys("\x1b");
    desk.keys("b17\r").shows("the most is 16").keys("\x1b");
    desk.keys("bmany\r").shows("how many?").keys("\x1b");
    desk.keys("b2\r").shows("are yours until");
    desk.keys("q").shows("cart").keys("\x1b");
    assert_eq!(house.sold(), [0; 0]);
}

#[test]
fn wrong_money_is_told_in_pay_and_the_seats_stay() {
    let house = Quiet::small(Ground::file());
    let mut desk = selling(&house, 80, 24);
    desk.keys("b2\r").shows("are yours until").keys("p").shows("TO PAY");
    desk.keys("x").shows("x does nothing in Pay");
    desk.keys("9.999\r").shows("more decimals than");
    desk.keys("\x7f\x7f\x7f\x7f\x7f99999999999\r").shows("is too large an");
    assert_eq!(house.sold(), [0; 0]);
    desk.keys(&"\x7f".repeat(11)).keys("\r").shows("Sold: receipt");
    desk.keys("q").ends();
    assert_eq!(house.sold(), [2]);
}

#[test]
fn a_very_long_paste_is_one_name_and_presses_no_key() {
    let house = Quiet::small(Ground::file());
    let mut desk = selling(&house, 100, 30);
    desk.keys("/").shows("words of a name, a title");
    let paste = "q\rC\x1b[31m\u{202e}n".repeat(2000);
    desk.keys(&format!("\x1b[200~{paste}\x1b[201~")).keys("\x1b");
    desk.keys("b2\r").shows("are yours until").keys("p\r").shows("Sold: receipt");
    desk.keys("q").ends();
    assert_eq!(house.sold(), [2]);
}

/// Attack A2: a machine that starts by a clock behind the house's.
#[test]
fn a_desk_that_starts_behind_the_house_asks_and_sells_nothing_before_it_is_answered() {
    let ground = Ground::file();
    let file = ground.folder().unwrap().path().join("house.db");
    let house = Quiet::small(ground);
    let ahead = rusqlite::Connection::open(file).unwrap();
    ahead.execute_batch("UPDATE journal SET at = at + 3600000").unwrap();
    drop(ahead);
    let mut desk = house.desk(size(100, 30));
    desk.shows("Is the machine's clock right?").shows("the house's said").keys("n");
    desk.shows("clock?").keys("b2\r").shows("clock confirm");
    desk.keys("\u{1b}").keys(":confirm-clock\r");
    desk.shows("Is the machine's clock right?").keys("f");
    desk.shows("follows its machine's clock again").keys("b2\r");
    desk.shows("are yours until").keys("p\r");
    desk.shows("Sold: receipt till-2/1").keys("q").ends();
}

#[test]
fn a_house_whose_file_is_moved_away_sells_nothing_until_it_is_back() {
    let ground = Ground::file();
    let folder = ground.folder().unwrap().path().to_owned();
    let [file, aside] = ["house.db", "aside.db"].map(|name| folder.join(name));
    let house = Quiet::small(ground);
    let mut desk = selling(&house, 100, 30);
    desk.keys("b2\r").shows("are yours until").keys("p").shows("TO PAY");
    std::fs::rename(&file, &aside).unwrap();
    desk.keys("\r").shows("house.db was deleted or moved").shows("put it back");
    std::fs::rename(&aside, &file).unwrap();
    assert_eq!(house.sold(), [0; 0]);
    desk.keys("\r").shows("Sold: receipt");
    desk.keys("q").ends();
    assert_eq!(house.sold(), [2]);
}
