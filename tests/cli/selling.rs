//! Carts and receipts on the command line: cases T1, T2, T3, T5, T6 and T9.

use serde_json::json;

use crate::limit::until;
use crate::support::House;

#[test]
fn t1_three_seats_are_held_paid_and_on_one_receipt() {
    let house = House::royal();
    let cart = house.cart();
    let held = house.json(&format!("cart add {cart} --performance Movie --seats B6,B7,B8")).done();
    assert_eq!(held["total"], "30.00");
    assert_eq!(held["currency"], "EUR");
    assert_eq!(held["state"], "active");
    let line = &held["lines"][0];
    assert_eq!(line["seats"], json!(["B6", "B7", "B8"]));
    assert_eq!(line["unit_price"], "10.00");
    assert_eq!(line["type"], "Adult");
    assert_eq!(line["id"], format!("{cart}/1"));
    for field in ["created_at", "modified_at", "expires_at"] {
        let text = held[field].as_str().unwrap();
        assert!(chrono::DateTime::parse_from_rfc3339(text).is_ok(), "{text}");
    }

    let shown = house.json("performance show Movie").done();
    assert_eq!(shown["free"], 77);
    assert_eq!(shown["start"], "2099-12-01T19:30:00Z");
    assert_eq!(shown["holds"][0]["cart"], cart);
    assert_eq!(shown["holds"][0]["seats"], json!(["B6", "B7", "B8"]));
    assert_eq!(shown["holds"][0]["total"], "30.00");
    let seat = house.seat("B6");
    assert_eq!((&seat["state"], &seat["price"]), (&json!("held"), &json!("10.00")));
    assert_eq!(seat["until"], shown["holds"][0]["until"]);

    let receipt = house.json(&format!("cart checkout {cart} --pay cash=50.00 --total 30.00")).done();
    assert_eq!(receipt["number"], "till-1/1");
    assert_eq!(receipt["total"], "30.00");
    assert_eq!(receipt["change"], "20.00");
    assert_eq!(receipt["payments"][0]["amount"], "30.00");
    assert_eq!(receipt["lines"].as_array().unwrap().len(), 1);
    assert_eq!(house.seat("B7")["state"], "booked");
    assert_eq!(house.free(), 77);
    let done = house.json(&format!("cart show {cart}")).done();
    assert_eq!((&done["state"], &done["receipt"]), (&json!("done"), &json!("till-1/1")));
    assert_eq!(house.json("receipt list").done()[0]["number"], "till-1/1");
    house.verified();
}

#[test]
fn t2_what_another_has_is_refused_with_what_is_free_instead() {
    let house = House::royal();
    house.cart_with("B6,B7,B8");
    let cart = house.cart();
    let add = format!("cart add {cart} --performance Movie --seats B8,B9");
    let refused = house.json(&add).refused("seats_taken");
    assert_eq!(refused["seats"], json!(["B8"]));
    assert_eq!(refused["details"][0]["state"], "held");
    let until = refused["details"][0]["until"].as_str().unwrap();
    assert!(chrono::DateTime::parse_from_rfc3339(until).is_ok());
    let instead = refused["alternatives"][0].as_array().unwrap();
    assert_eq!(instead.len(), 2);
    let names: Vec<&str> = instead.iter().map(|seat| seat.as_str().unwrap()).collect();
    let cart_now = house.json(&format!("cart show {cart}")).done();
    assert_eq!((&cart_now["state"], &cart_now["lines"]), (&json!("active"), &json!([])));
    assert_eq!(house.free(), 77);
    house.json(&format!("cart add {cart} --performance Movie --seats {}", names.join(","))).done();
    let people = house.run(&add);
    assert_eq!((people.code, people.out.as_str()), (3, ""));
    assert!(people.err.contains("B8") && people.err.contains("Free instead:"));
    house.verified();
}

#[test]
fn t3_a_cart_that_was_canceled_elsewhere_is_not_paid() {
    let house = House::royal();
    let cart = house.cart_with("B6,B7");
    house.json(&format!("cart cancel {cart} --station till-2 --operator ben")).done();
    house.json(&format!("cart checkout {cart} --pay cash")).refused("cart_canceled");
    assert_eq!(house.free(), 80);
    let again = house.json(&format!("cart cancel {cart}")).done();
    assert_eq!(again["state"], "canceled");
    house.json(&format!("cart extend {cart}")).refused("cart_canceled");
    let revived = house.json(&format!("cart revive {cart}")).done();
    assert_eq!(revived["lines"][0]["seats"], json!(["B6", "B7"]));
    house.verified();
}

#[test]
fn t4_and_t6_past_its_deadline_a_cart_is_expired_to_everybody() {
    let house = House::royal();
    let cart = house.json("cart open --hold 1s").done();
    let cart = cart["id"].as_str().unwrap();
    house.json(&format!("cart add {cart} --performance Movie --seats B6")).done();
    until("the cart has expired", || house.json(&format!("cart show {cart}")).done()["state"] == "expired");
    assert_eq!(house.free(), 80);
    house.json(&format!("cart checkout {cart} --pay cash")).refused("cart_expired");
    house.cart_with("B6");
    house.verified();
}

#[test]
fn t5_a_line_given_back_frees_only_its_seats() {
    let house = House::royal();
    let cart = house.cart_with("B6,B7");
    house.json(&format!("cart add {cart} --performance Movie --seats C1,C2")).done();
    let left = house.json(&format!("cart remove {cart} --line 1")).done();
    assert_eq!(left["lines"][0]["seats"], json!(["C1", "C2"]));
    let left = house.json(&format!("cart remove {cart} --line {cart}/2 --seats C1")).done();
    assert_eq!(left["total"], "10.00");
    assert_eq!(house.free(), 79);
    house.json(&format!("cart remove {cart} --line 9")).refused("unknown_line");
    house.verified();
}

#[test]
fn t6_a_command_sent_again_gives_the_same_receipt() {
    let house = House::royal();
    let cart = house.cart_with("B6");
    let id = "01900000-0000-7000-8000-000000000001";
    let pay = format!("cart checkout {cart} --pay cash=10.00 --command-id {id}");
    let first = house.json(&pay).done();
    let again = house.json(&pay).done();
    assert_eq!(first, again);
    assert_eq!(house.json("receipt list").done().as_array().unwrap().len(), 1);
    let refused = house.json(&format!("cart checkout {cart} --pay cash=10.00")).refused("cart_done");
    assert_eq!(refused["receipt"], "till-1/1");
    house.json(&format!("cart cancel {cart} --command-id {id}")).refused("command_reused");
    house.verified();
}

#[test]
fn every_way_to_pay_is_counted_exactly() {
    let house = House::royal();
    let cart = house.cart_with("A1,A2,A3");
    let short = house.json(&format!("cart checkout {cart} --pay cash=29.99")).refused("payment_short");
    assert_eq!(short["missing"], "0.01");
    house.json(&format!("cart checkout {cart} --pay card=A7:30.01")).refused("card_over");
    house.json(&format!("cart checkout {cart} --pay card=:30.00")).refused("card_reference_missing");
    let changed = house.json(&format!("cart checkout {cart} --pay cash --total 20.00")).refused("total_changed");
    assert_eq!((&changed["total"], &changed["seen"]), (&json!("30.00"), &json!("20.00")));
    house.json(&format!("cart checkout {cart}")).refused("payment_short");
    house.json(&format!("cart begin-payment {cart}")).done();
    let receipt =
        house.json(&format!("cart checkout {cart} --pay card=A7:12.00 --pay cash=20 --name 'Ann Lee'")).done();
    assert_eq!(receipt["payments"][0]["reference"], "A7");
    assert_eq!(receipt["payments"][1]["amount"], "18.00");
    assert_eq!(receipt["change"], "2.00");
    assert_eq!(receipt["customer"]["name"], "Ann Lee");
    let empty = house.cart();
    house.json(&format!("cart checkout {empty} --pay cash")).refused("cart_empty");
    house.verified();
}

#[test]
fn ticket_types_best_seats_and_names_find_their_way() {
    let house = House::royal();
    let cart = house.cart();
    let best = house.json(&format!("cart add {cart} --performance Movie --best 4")).done();
    let seats = best["lines"][0]["seats"].as_array().unwrap().clone();
    assert_eq!(seats.len(), 4);
    let first = seats[0].as_str().unwrap();
    let cart_now = house.json(&format!("cart retype {cart} --line 1 --seats {first} --type child")).done();
    assert_eq!(cart_now["total"], "35.50");
    assert_eq!(cart_now["lines"][1]["type"], "Child");
    let named = house.json(&format!("cart name {cart} --name 'Ann Lee' --phone 555")).done();
    assert_eq!(named["customer"]["phone"], "555");
    let tail = &cart[cart.len() - 6..];
    let shown = house.json(&format!("cart show ..{tail}")).done();
    assert_eq!(shown["id"], cart);
    assert_eq!(house.json("cart list").done()[0]["customer"]["name"], "Ann Lee");
    house.json("settings set seats-max 10").done();
    let many = house.json(&format!("cart add {cart} --performance Movie --best 7")).refused("too_many_seats");
    assert_eq!((&many["wanted"], &many["seats_max"]), (&json!(11), &json!(10)));
    house.json("settings set seats-max 500").done();
    let together = house.json(&format!("cart add {cart} --performance Movie --best 100")).refused("no_seats_together");
    assert_eq!(together["free"], 76);
    let unsold = house.run(&format!("cart add {cart} --performance Movie --best 2 --type Student"));
    assert_eq!(unsold.code, 3);
    assert!(unsold.err.contains("No such seat has a price for \"Student\". Choose Adult, Child."), "{}", unsold.err);
    house.verified();
}

#[test]
fn a_cart_moves_between_stations_only_on_purpose() {
    let house = House::royal();
    let cart = house.cart_with("B6");
    let over = format!("cart take-over {cart} --station till-2 --operator ben");
    let refused = house.json(&over).refused("cart_elsewhere");
    assert_eq!(refused["station"], "till-1");
    let taken = house.json(&format!("{over} --override")).done();
    assert_eq!(taken["station"], "till-2");
    house.json(&format!("cart set-aside {cart}")).done();
    let back = house.json(&format!("cart take-over {cart}")).done();
    assert_eq!((&back["station"], &back["set_aside"]), (&json!("till-1"), &json!(false)));
    house.verified();
}

#[test]
fn tickets_go_to_the_screen_a_file_or_a_command_and_each_copy_is_counted() {
    let house = House::royal();
    let cart = house.cart_with("B6,B7");
    let sold = house.run(&format!("cart checkout {cart} --pay cash=20"));
    assert!(sold.text().contains("RECEIPT till-1/1") && !sold.text().contains("COPY"));
    let screen = house.run("receipt print 1");
    assert!(screen.text().contains("Seat B7") && screen.text().contains("RECEIPT") && !screen.text().contains("COPY"));
    assert!(screen.text().lines().all(|line| line.chars().count() <= 48));
    let file = house.path("tickets.txt");
    let answer =
        house.json(&format!("receipt print till-1/1 --to {} --tickets-only --reason lost", file.display())).done();
    assert_eq!(answer["reprints"], 1);
    let printed = std::fs::read_to_string(&file).unwrap();
    assert!(printed.contains("Seat B6") && printed.contains("COPY 1") && !printed.contains("TOTAL"));
    let copy = house.path("copy.txt");
    house.json(&format!("receipt print 1 --reason lost --command 'cat > {}'", copy.display())).done();
    let copies = std::fs::read_to_string(&copy).unwrap();
    assert_eq!((copies.matches("COPY 2").count(), copies.matches("COPY 1").count()), (2, 1), "tickets, receipt");
    house.json("receipt print 1 --reason lost --command 'exit 7'").refused("print_failed");
    house.json("receipt print 1 --to /nowhere/tickets.txt").refused("unwritable");
    assert_eq!(house.json("receipt show 1").done()["reprints"], 3);
    house.json("receipt show 9").refused("not_found");
    house.verified();
}

#[test]
fn tickets_kept_at_the_desk_are_printed_once_when_they_are_collected() {
    let house = House::royal();
    for (number, seats) in [(1, "B6,B7"), (2, "C1"), (3, "C2")] {
        let cart = house.cart_with(seats);
        house.json(&format!("cart checkout {cart} --pay cash --name Ida --collect")).done();
        assert_eq!(house.json(&format!("receipt show {number}")).done()["tickets"], "waiting");
    }
    let screen = house.run("receipt collect 1");
    assert!(screen.text().contains("Seat B7") && !screen.text().contains("COPY"), "{screen:#?}");
    let again = house.run("receipt collect 1");
    assert!(!again.text().contains("Seat B7"), "{again:#?}");
    let file = house.path("tickets.txt");
    let answer = house.json(&format!("receipt collect 2 --to {}", file.display())).done();
    assert_eq!((&answer["tickets"], answer.get("text")), (&json!("collected"), None));
    let tickets = std::fs::read_to_string(&file).unwrap();
    assert!(tickets.contains("Seat C1") && !tickets.contains("COPY"), "{tickets}");
    house.json("receipt print 3").done();
    let late = house.run("receipt collect 3 --command 'exit 7'");
    assert!(late.text().contains("RECEIPT till-1/3") && late.err.contains("printed before"), "{late:#?}");
    house.json("receipt print 1").refused("copy_reason");
    let copy = house.run("receipt print 1 --reason 'left at home'");
    assert_eq!(house.json("receipt show 1").done()["copies"][0]["reason"], "left at home");
    assert_eq!(copy.text().matches("COPY 1").count(), 2, "{copy:#?}");
    house.verified();
}

#[test]
fn t9_a_line_keeps_its_price_and_prices_go_by_category() {
    let house = House::royal();
    house.json("performance add --theater 'The Royal' --title Dear --start 2099-12-02T19:30 --end 2099-12-02T21:30 --price Standard=54.00 --price 'Standard/Child=27.00' --currency GBP").done();
    let cart = house.cart();
    let held = house.json(&format!("cart add {cart} --performance Dear --seats A1,A2 --type Child")).done();
    assert_eq!((&held["total"], &held["currency"]), (&json!("54.00"), &json!("GBP")));
    house.json(&format!("cart add {cart} --performance Movie --seats A1")).refused("other_currency");
    house.json("resource add Studio --kind room --segment 60 --price 20 --time-zone UTC").done();
    let room =
        house.run(&format!("cart add {cart} --resource Studio --from 2099-12-03T10:00 --until 2099-12-03T11:00"));
    assert!(room.err.contains("The cart is in GBP, and this in EUR."), "{room:?}");
    let refused =
        house.json(&format!("cart add {cart} --performance Dear --seats A3 --type Senior")).refused("not_on_sale");
    assert_eq!(refused["ticket_types"], json!(["Adult", "Child"]));
    house.verified();
}

#[test]
fn a_card_charged_before_a_seat_was_lost_is_sold_as_far_as_it_goes_and_the_rest_is_owed() {
    let house = House::royal();
    let cart = house.cart_with("A1,A2");
    house.json(&format!("cart begin-payment {cart}")).done();
    house.json("performance disable Movie --seats A2 --reason broken").done();
    let unsaid = house.json(&format!("cart checkout {cart} --pay card=X1"));
    assert_eq!(unsaid.refused("charge_unsaid")["due"], "20.00");
    let pay = format!("cart checkout {cart} --pay card=X1:20.00");
    let sold = house.json(&pay).done();
    assert_eq!(sold["total"], "10.00");
    assert_eq!(sold["payments"][0]["amount"], "10.00");
    assert_eq!(sold["owed"]["amount"], "10.00");
    assert_eq!(sold["owed"]["kind"], "unissued");
    let list = house.json("worklist").done();
    assert_eq!(list[0]["id"], sold["owed"]["id"]);
    assert_eq!(list[0]["order"], "receipt till-1/1");
    house.json(&pay).refused("cart_done");
    house.verified();
}

#[test]
fn a_cart_at_a_card_terminal_is_canceled_by_another_station_only_when_it_has_taken_it_over() {
    let house = House::royal();
    let cart = house.cart_with("A1,A2");
    house.json(&format!("cart begin-payment {cart}")).done();
    let cancel = format!("cart cancel {cart} --station till-2");
    let refused = house.run(&cancel);
    assert_eq!(refused.code, 3);
    assert!(refused.err.contains("ada at till-1"), "{}", refused.err);
    house.json(&format!("cart take-over {cart} --override --station till-2")).done();
    house.json(&cancel).done();
    let pay = format!("cart checkout {cart} --pay card=X2:20.00");
    let sold = house.json(&pay).done();
    assert_eq!((&sold["total"], &sold["number"]), (&json!("20.00"), &json!("till-1/1")));
    let again = house.run(&pay);
    assert_eq!(again.code, 3);
    assert!(again.err.contains("receipt till-1/1"), "{}", again.err);
    house.verified();
}

#[test]
fn amounts_that_people_read_have_their_thousands_parted_and_those_of_programs_have_not() {
    let house = House::royal();
    house
        .json("performance add --theater 'The Royal' --title Gala --start 2099-12-02T19:30 --end 2099-12-02T21:30 --price 1200")
        .done();
    let cart = house.cart();
    let add = format!("cart add {cart} --performance Gala --seats A1,A2,A3");
    assert_eq!(house.json(&add).done()["total"], "3600.00");
    let says = |line: &str, words: &[&str]| {
        let said = house.run(line);
        for word in words {
            assert!(said.text().contains(word), "{line}: {}", said.text());
        }
    };
    says(&format!("cart show {cart}"), &["1,200.00", "Total EUR 3,600.00"]);
    says("performance show Gala", &["EUR 1,200.00", "3,600.00"]);
    let sold = house.json(&format!("cart checkout {cart} --pay cash=4000 --name Ida"));
    assert_eq!(sold.done()["total"], "3600.00");
    says("receipt show 1", &["1,200.00", "EUR 3,600.00", "4,000.00"]);
    says("receipt list", &["EUR 3,600.00"]);
    says("find --text ida", &["3,600.00"]);
    house.verified();
}
