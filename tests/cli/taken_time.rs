//! Calendars that go out say all time that is taken, and nothing else.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::support::House;

/// Minutes of December 2099 that are busy in a calendar file, by five.
fn busy(file: &str) -> BTreeSet<u32> {
    let mut out = BTreeSet::new();
    let at = |event: &str, key: &str| {
        let line = event.lines().find(|line| line.starts_with(key)).unwrap();
        let text = line.split(':').next_back().unwrap();
        let number =
            |from: usize, until: usize| -> u32 { text.get(from..until).map_or(0, |part| part.parse().unwrap()) };
        assert!(text.starts_with("209912"), "{event}");
        (number(6, 8) * 24 + number(9, 11)) * 60 + number(11, 13)
    };
    for event in file.split("BEGIN:VEVENT").skip(1) {
        out.extend((at(event, "DTSTART")..at(event, "DTEND")).filter(|minute| minute % 5 == 0));
    }
    out
}

/// The same of what `calendar show` says is taken.
fn taken(house: &House, resource: &str) -> BTreeSet<u32> {
    let shown = house.json(&format!("calendar show '{resource}' --from 2099-12-01 --until 2099-12-31"));
    let mut out = BTreeSet::new();
    let at = |period: &Value, key: &str| {
        let text = period[key].as_str().unwrap();
        let number = |from: usize, until: usize| text[from..until].parse::<u32>().unwrap();
        (number(8, 10) * 24 + number(11, 13)) * 60 + number(14, 16)
    };
    for period in shown.done()[0]["periods"].as_array().unwrap() {
        let state = period["state"].as_str().unwrap();
        if !["free", "closed", "not_open"].contains(&state) {
            let minutes = at(period, "from")..at(period, "until");
            out.extend(minutes.filter(|minute| minute % 5 == 0));
        }
    }
    out
}

/// A house in which everything that can take time has taken some.
fn busy_house() -> House {
    let house = House::royal();
    for line in [
        "resource add 'Room 1' --kind room --segment 30 --time-zone UTC --price 5 --open-hours 08:00-22:00",
        "resource add 'Room 2' --kind hotel-room --segment 1440 --time-zone UTC --price 80",
        "resource add Loft --kind room --segment 30 --time-zone UTC --before 1h --after 30m",
        "resource add Left --kind room --segment 30 --time-zone UTC --parent Loft --before 1h --after 30m",
        "calendar book 'Room 1' Loft --from 2099-12-01T10:05 --until 2099-12-01T11:30 --title Yoga --customer Ann",
        "calendar book Left --from 2099-12-03T23:00 --until 2099-12-04T01:00 --title Choir",
        "calendar maintain 'Room 1' --from 2099-12-01T15:00 --until 2099-12-01T16:00 --reason floor",
        "calendar disable 'Room 1' --from 2099-12-02T09:00 --until 2099-12-02T10:00 --reason leak",
        "calendar occupy 'Room 1' --cause cleaning --from 2099-12-03T09:00 --until 2099-12-03T10:00",
    ] {
        house.json(line).done();
    }
    let sold = house.cart();
    for add in [
        "--resource 'Room 2' --from 2099-12-05 --until 2099-12-07",
        "--resource 'Room 1' --from 2099-12-05T10:00 --until 2099-12-05T11:00",
    ] {
        house.json(&format!("cart add {sold} {add}")).done();
    }
    let total = house.json(&format!("cart show {sold}")).done()["total"].clone();
    let pay = format!("cart checkout {sold} --pay cash={}", total.as_str().unwrap());
    house.json(&pay).done();
    let held = house.cart();
    house.json(&format!("cart add {held} --resource 'Room 2' --from 2099-12-10 --until 2099-12-11")).done();
    house
}

#[test]
fn p1_what_goes_out_is_busy_exactly_when_the_calendar_says_so() {
    let house = busy_house();
    for resource in ["Room 1", "Room 2", "Loft", "Left", "The Royal"] {
        let taken = taken(&house, resource);
        assert!(!taken.is_empty(), "{resource}");
        let private = house.run(&format!("calendar export '{resource}' --private"));
        assert_eq!(busy(private.text()), taken, "{resource}");
        for word in ["Yoga", "Ann", "Choir", "Movie", "receipt", "floor"] {
            assert!(!private.out.contains(word), "{word} in {}", private.out);
        }
        // to friends a booking has the time that was asked for: 10:05, not 10:00
        let open = busy(house.run(&format!("calendar export '{resource}'")).text());
        assert!(open.is_subset(&taken), "{resource}");
        let asked: BTreeSet<u32> = taken.difference(&open).copied().collect();
        assert!(asked.len() <= 1, "{resource}: {asked:?}");
    }
    let private = house.run("calendar export --private");
    assert_eq!(private.text(), house.run("calendar export --private").text());
    let mut uids: Vec<&str> = private.out.lines().filter(|line| line.starts_with("UID:")).collect();
    let all = uids.len();
    uids.sort_unstable();
    uids.dedup();
    assert_eq!(uids.len(), all, "each event has a name of its own");
    house.verified();
}

/// An event's words and time of day: `Yoga 1005-1130`.
fn told(file: &str) -> Vec<String> {
    let value = |event: &str, key: &str| {
        let line = event.lines().find(|line| line.starts_with(key)).unwrap();
        line.rsplit(':').next().unwrap().to_owned()
    };
    let clock = |time: String| time[9..13].to_owned();
    let events = file.split("BEGIN:VEVENT").skip(1).map(|event| {
        let (from, until) = (clock(value(event, "DTSTART")), clock(value(event, "DTEND")));
        format!("{} {from}-{until}", value(event, "SUMMARY"))
    });
    events.collect()
}

#[test]
fn p1_what_is_taken_before_and_after_goes_out_apart_from_the_time_that_was_asked_for() {
    let house = busy_house();
    let day = "--from 2099-12-01 --until 2099-12-02";
    let open = house.run(&format!("calendar export Loft {day}"));
    assert_eq!(
        told(open.text()),
        ["Yoga (before and after) 0900-1000", "Yoga 1005-1130", "Yoga (before and after) 1130-1200",]
    );
    let private = house.run(&format!("calendar export Loft {day} --private"));
    assert_eq!(told(private.text()), ["busy 0900-1200"]);
}

#[test]
fn p1_a_name_stays_when_a_cart_becomes_a_receipt() {
    let house = busy_house();
    let uids = || -> Vec<String> {
        let file = house.run("calendar export 'Room 2'").text().to_owned();
        let uids = file.lines().filter(|line| line.starts_with("UID:"));
        uids.map(str::to_owned).collect()
    };
    let before = uids();
    assert_eq!(before.len(), 2, "{before:?}");
    let carts = house.json("cart list").done();
    let cart = carts[0]["id"].as_str().unwrap();
    house.json(&format!("cart checkout {cart} --pay card=X1")).done();
    assert_eq!(uids(), before);
    let file = house.path("again.ics");
    house.json(&format!("calendar export 'Room 2' --to {}", file.display())).done();
    let back = house.json(&format!("calendar import {} --resource 'Room 2'", file.display())).done();
    assert_eq!(back["own"], 2, "{back}");
    house.verified();
}

#[test]
fn p1_a_mark_is_busy_from_its_start_on() {
    let house = busy_house();
    house.json("resource out-of-service 'Room 1' --from 2099-12-20 --reason roof").done();
    let window = "--from 2099-12-20 --until 2099-12-31";
    let file = house.run(&format!("calendar export 'Room 1' --private {window}"));
    assert!(file.text().contains("DTSTART;VALUE=DATE:20991220"), "{}", file.out);
    let listed = house.json("calendar list --text roof").done();
    assert_eq!(listed[0]["state"], "out_of_service", "{listed}");
}

#[test]
fn p1_a_list_has_time_in_carts_and_on_receipts() {
    let house = busy_house();
    let listed = house.json("calendar list --resource 'Room 2'").done();
    let states: Vec<(&str, &str)> = listed
        .as_array()
        .unwrap()
        .iter()
        .map(|one| (one["state"].as_str().unwrap(), one["from"].as_str().unwrap()))
        .collect();
    assert_eq!(states, [("booked", "2099-12-05T00:00:00Z"), ("held", "2099-12-10T00:00:00Z")], "{listed}");
    let found = house.json("calendar list --text 'receipt'").done();
    assert_eq!(found.as_array().unwrap().len(), 2, "{found}");
    let people = house.run("calendar list").text().to_owned();
    for word in ["Yoga", "Movie", "floor", "leak", "cleaning", "Choir"] {
        assert!(people.contains(word), "{word} in {people}");
    }
}

#[test]
fn the_price_of_a_booking_is_told_once_whatever_it_takes() {
    let house = House::empty();
    for name in ["Blue", "Red", "Green"] {
        let add = format!("resource add {name} --kind room --segment 30 --time-zone UTC");
        house.json(&add).done();
    }
    let booked = house
        .run("calendar book Blue Red Green --from 2099-12-01T10:00 --until 2099-12-01T11:00 --title Fair --price 100");
    let text = booked.text();
    assert_eq!(text.matches("100.00").count(), 1, "{text}");
    for name in ["Blue", "Red", "Green"] {
        assert!(text.contains(name), "{text}");
    }
    let stay = house.run("calendar list --from 2099-12-01 --until 2099-12-02");
    assert_eq!(stay.text().matches("100.00").count(), 1, "{stay:?}");
}

#[test]
fn p1_time_in_a_cart_a_reservation_and_a_receipt_is_found_by_words() {
    let house = House::empty();
    house.json("resource add 'Room 2' --kind room --segment 60 --time-zone UTC --price 8").done();
    let cart = |from: &str, until: &str| {
        let cart = house.json("cart open").done()["id"].as_str().unwrap().to_owned();
        house
            .json(&format!("cart add {cart} --resource 'Room 2' --from 2099-12-01T{from} --until 2099-12-01T{until}"))
            .done();
        cart
    };
    let found = |words: &str| {
        let hits = house.json(&format!("find --text '{words}'")).done();
        hits[0].clone()
    };
    let weber = cart("10:00", "12:00");
    assert_eq!(found(&weber[weber.len() - 6..])["what"], "Room 2 Tue 1 Dec 2099 10:00-12:00");
    house.json(&format!("cart reserve {weber} --customer Weber --phone 900417 --pay-by +3h")).done();
    let reserved = found("weber room 2");
    assert_eq!(reserved["kind"], "reservation");
    assert_eq!(reserved["what"], "900417, Room 2 Tue 1 Dec 2099 10:00-12:00");
    house.json(&format!("cart checkout {weber} --pay cash")).done();
    let sold = found("weber dec");
    assert_eq!(sold["kind"], "receipt");
    assert_eq!(sold["when"], "Room 2 Tue 1 Dec 2099 10:00-12:00");
}
