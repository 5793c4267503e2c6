//! Changes that cannot be, dates that are not there, and what is needed still.

use super::refused;
use crate::support::House;

#[test]
fn a_change_that_cannot_be() {
    let house = House::royal();
    house.json("resource add Studio --kind room --segment 60 --time-zone UTC").done();
    house.json("calendar book Studio --title Yoga --from 2099-12-01T10:00 --until 2099-12-01T11:00").done();
    house.cart_with("A1");
    let cart = house.cart();
    house.json(&format!("cart add {cart} --performance Movie --seats A2 --type Child")).done();
    for (line, kind, words) in [
        ("performance change Movie", "nothing_chosen", "Name at least one"),
        ("performance change Movie --price Gold=9", "not_found", "Choose Standard"),
        ("performance change Movie --price 9 --price 8", "bad_value", "give each once"),
        ("performance change Movie --no-price Standard", "bad_value", "Name one that is there: *"),
        ("performance change Movie --no-price Standard/Child", "type_stays", "A2 is taken as Child"),
        ("performance change Movie --price much", "bad_value", "Price: "),
        ("performance change Movie --title ''", "bad_value", "it needs a name"),
        ("performance change Movie --end 2099-12-01T19:00", "ends_before_start", "Choose a later end"),
        ("performance change Movie --start 2099-12-02T19:30", "start_stays", "Postpone it instead"),
        ("performance change Movie --currency GBP", "bad_value", "name each of them anew"),
        ("performance change Movie --currency GBP --price 9 --price Standard/Child=5", "currency_stays", "stays EUR"),
        ("performance change Movie --all-of Lear --title X", "not_found", "no performance to come"),
        ("performance change --all-of Movie", "nothing_chosen", "Name at least one"),
        ("performance retire Movie", "stands_ahead", "can't be retired yet: A1"),
        ("performance retire Lear", "not_found", "no performance"),
        ("theater change 'The Royal'", "nothing_chosen", "Name at least one"),
        ("theater change 'The Royal' --time-zone Europe/Berlin", "zone_stays", "Add another theater"),
        ("theater change 'The Royal' --name Studio", "exists", "Choose another name"),
        ("theater retire 'The Royal'", "stands_ahead", "Movie Tue 1 Dec 2099 19:30"),
        ("resource change Studio", "nothing_chosen", "Name at least one"),
        ("resource change Studio --segment 30", "grid_stays", "Add another resource, and retire this one"),
        ("resource change Studio --segment 7", "bad_value", "Segment"),
        ("resource change Studio --name 'the royal'", "exists", "Choose another name"),
        ("resource change Studio --before 9d", "bad_value", "at most a week"),
        ("resource change Studio --roll 30", "wrong_policy", "always open"),
        ("resource change Studio --open-hours late", "bad_value", "Open hours"),
        ("resource change Studio --set beds", "bad_value", "write it like beds=2"),
        ("resource retire Studio", "stands_ahead", "Studio Tue 1 Dec 2099 10:00-11:00: booked, Yoga"),
        ("resource retire the-royal", "stands_ahead", "it is the hall of The Royal"),
    ] {
        refused(&house, line, (kind, words));
    }
}

#[test]
fn dates_that_are_not_there() {
    let house = House::empty();
    house.json("theater add Berlin --rows 1x4 --time-zone Europe/Berlin").done();
    let add =
        "performance add --theater Berlin --title Night --price 5 --start 2099-03-01T02:30 --end 2099-03-01T03:30";
    for (more, words) in [
        ("--repeat 'daily x40'", "2099-03-29 02:30:00 does not exist in Europe/Berlin"),
        ("--repeat 'weekly x4' --except 2099-03-02", "is none of its dates"),
        ("--repeat sometimes", "write it like"),
        ("--repeat weekly", "say how long"),
        ("--repeat 'weekly x2' --except someday", "Except"),
    ] {
        refused(&house, &format!("{add} {more}"), ("bad_value", words));
    }
    assert_eq!(house.json("performance list").done(), serde_json::json!([]));
    house.verified();
}
