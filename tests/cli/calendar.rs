//! Time on the command line: the published examples, every verb, and what is free.

use serde_json::{Value, json};

use crate::support::House;

/// What people type, one line each, all of them done.
fn done(house: &House, lines: &[&str]) -> Vec<Value> {
    lines.iter().map(|line| house.json(line).done()).collect()
}

fn room() -> House {
    let house = House::empty();
    house.json("resource add 'Room 7' --kind room --segment 30 --time-zone Europe/Berlin").done();
    house
}

/// `from until state title` of each period, times without their date's year.
fn periods(house: &House, line: &str) -> Vec<String> {
    let shown = house.json(&format!("calendar show {line}")).done();
    let periods = shown[0]["periods"].as_array().unwrap().clone();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    periods
        .iter()
        .map(|period| {
            let time = |name: &str| text(&period[name])[5..16].to_owned();
            let words = [time("from"), time("until"), text(&period["state"]), text(&period["title"])];
            words.join(" ").trim().to_owned()
        })
        .collect()
}

#[test]
fn a7_a_meeting_room_refuses_what_shares_five_minutes() {
    let house = room();
    let booked = house
        .json("calendar book 'Room 7' --from 2099-12-01T10:05 --until 2099-12-01T11:30 --title Talk --customer Ann")
        .done();
    assert_eq!(booked["resource"], "room-7");
    assert_eq!(booked["from"], "2099-12-01T10:00:00+01:00");
    assert_eq!(booked["until"], "2099-12-01T11:30:00+01:00");
    assert_eq!(booked["wanted_from"], "2099-12-01T10:05:00+01:00");
    let second = "calendar book room-7 --from 2099-12-01T11:25 --until 2099-12-01T12:11 --title Late";
    let refused = house.json(second).refused("slot_taken");
    let stands = &refused["slots"][0];
    assert_eq!(stands["from"], "2099-12-01T11:00:00+01:00");
    assert_eq!(stands["until"], "2099-12-01T11:30:00+01:00");
    assert_eq!(stands["state"], "booked");
    let said = house.run(second);
    assert!(said.err.contains("Talk"), "{}", said.err);
    let check = house.json("calendar check room-7 --from 2099-12-01T11:25 --until 2099-12-01T12:11").done();
    assert_eq!((&check["free"], &check["in_the_way"][0]["title"]), (&json!(false), &json!("Talk")));
    let day = "room-7 --from 2099-12-01 --until 2099-12-02";
    assert_eq!(
        periods(&house, day),
        ["12-01T00:00 12-01T10:00 free", "12-01T10:00 12-01T11:30 booked Talk", "12-01T11:30 12-02T00:00 free"]
    );
    let id = booked["booking"].as_str().unwrap();
    assert_eq!(periods(&house, &format!("{day} --owner {id}")).len(), 1);
    assert_eq!(periods(&house, &format!("{day} --owner talk")), ["12-01T10:00 12-01T11:30 booked Talk"]);
    assert_eq!(periods(&house, &format!("{day} --owner late")).len(), 0);
    assert_eq!(periods(&house, &format!("{day} --free")).len(), 2);
    assert_eq!(periods(&house, &format!("{day} --state booked")).len(), 1);
    assert!(house.run(&format!("calendar show {day}")).text().contains("Talk"));
    house.verified();
}

#[test]
fn a9_apartment_x_has_seven_periods_in_january() {
    let house = House::empty();
    done(
        &house,
        &[
            "resource add 'Apartment X' --kind apartment --segment 240 --time-zone UTC",
            "calendar maintain 'Apartment X' --from 2099-01-03T12:00 --until 2099-01-03T16:00",
            "calendar book 'Apartment X' --from 2099-01-03T16:00 --until 2099-01-07T12:00 --title 'John Smith'",
            "calendar maintain 'Apartment X' --from 2099-01-07T12:00 --until 2099-01-07T16:00",
            "calendar book 'Apartment X' --from 2099-01-07T16:00 --until 2099-01-13T12:00 --title 'Alice Johnson'",
            "calendar maintain 'Apartment X' --from 2099-01-13T12:00 --until 2099-01-13T16:00",
        ],
    );
    assert_eq!(
        periods(&house, "apartment-x --from 2099-01-01 --until 2099-02-01"),
        [
            "01-01T00:00 01-03T12:00 free",
            "01-03T12:00 01-03T16:00 maintenance maintenance",
            "01-03T16:00 01-07T12:00 booked John Smith",
            "01-07T12:00 01-07T16:00 maintenance maintenance",
            "01-07T16:00 01-13T12:00 booked Alice Johnson",
            "01-13T12:00 01-13T16:00 maintenance maintenance",
            "01-13T16:00 02-01T00:00 free",
        ]
    );
    house.verified();
}

#[test]
fn a15_the_keys_of_a_night_follow_from_resource_and_date() {
    let house = room();
    house.json("calendar book room-7 --from 2099-12-31T23:00 --until 2100-01-01T02:00 --title Party").done();
    let chunks = house.json("resource chunks room-7 --from 2099-12-30 --until 2100-01-05").done();
    let keys: Vec<&str> = chunks.as_array().unwrap().iter().map(|chunk| chunk["key"].as_str().unwrap()).collect();
    assert_eq!(keys, ["room-7_2099_12_31", "room-7_2100_01_01"]);
    assert_eq!((&chunks[0]["cells"], &chunks[0]["free"]), (&json!(48), &json!(46)));
    assert_eq!(chunks[0]["runs"][0]["from"], 46);
    assert_eq!(periods(&house, "room-7 --from 2099-12-31 --until 2100-01-02").len(), 3);
    house.verified();
}

#[test]
fn a11_a_hotel_is_open_as_far_as_it_was_opened() {
    let house = hotel();
    let near = "--from 2027-12-30 --until 2028-01-01";
    let book = format!("calendar book room_1 {near} --title Smith");
    house.json(&book).refused("not_open");
    assert!(free_rooms(&house, near).is_empty());
    house.json("resource open room_0 --until 9999-12-31").refused("bad_value");
    let opened = house.json("resource open hotel-1 --until 2027-12-31").done();
    assert_eq!(opened.as_array().unwrap().len(), 3);
    // the last night of the stay is missing: all or nothing
    house.json(&book).refused("not_open");
    house.json("resource open hotel-1 --until 2028-01-31").done();
    let booked = house.json(&book).done();
    assert_eq!((&booked["price"], &booked["currency"]), (&json!("180.00"), &json!("EUR")));
    house.json("resource close hotel-1 --from 2027-12-31").refused("slot_taken");
    house.json("resource close hotel-1 --from 2028-01-15").done();
    assert_eq!(house.json("resource show room_0").done()["open_until"], "2028-01-15");
    house.verified();
}

#[test]
fn a10_free_rooms_of_a_hotel_are_named_and_any_of_them_booked() {
    let house = hotel();
    let near = "--from 2027-12-30 --until 2028-01-01";
    house.json("resource open hotel-1 --until 2028-01-31").done();
    house.json(&format!("calendar book room_1 {near} --title Smith")).done();
    assert_eq!(free_rooms(&house, near), ["room_0", "room_2"]);
    assert_eq!(free_rooms(&house, &format!("{near} --where guests>=3")), ["room_2"]);
    assert_eq!(free_rooms(&house, "--from 2028-01-01 --until 2028-01-02").len(), 3);
    let any = format!("calendar book --any room_0,room_1,room_2 {near} --title Group");
    let booked = house.json(&format!("{any} --count 2")).done();
    let rooms: Vec<&Value> = booked.as_array().unwrap().iter().map(|one| &one["resource"]).collect();
    assert_eq!(rooms, ["room_0", "room_2"]);
    house.json(&any).refused("too_few_free");
    house.verified();
}

/// A hotel of three rooms, nothing open.
fn hotel() -> House {
    let house = House::empty();
    house.json("resource add 'Hotel 1' --kind hotel --segment 1440 --time-zone UTC --set city=Redmond").done();
    for room in 0..3 {
        house
            .json(&format!(
                "resource add 'room_{room}' --kind hotel-room --segment 1440 --parent hotel-1 --policy preallocated --set guests={} --price 90.00",
                room + 2
            ))
            .done();
    }
    house
}

fn free_rooms(house: &House, rest: &str) -> Vec<String> {
    let found = house.json(&format!("find --kind hotel-room --in hotel-1 {rest}")).done();
    let list = found.as_array().unwrap().iter();
    list.map(|one| one["resource"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_car_asks_before_maintenance_and_is_withdrawn_only_when_free() {
    let house = House::empty();
    house.json("resource add 'Car 1' --kind car --segment 60 --time-zone UTC").done();
    let noon = "--from 2099-05-01T12:00 --until 2099-05-01T14:00";
    let work = house.json(&format!("calendar maintain 'Car 1' {noon} --reason brakes")).done();
    house.json(&format!("calendar book 'Car 1' {noon} --title Ann")).refused("slot_taken");
    house.json(&format!("calendar enable {}", work["id"].as_str().unwrap())).done();
    let trip = house.json(&format!("calendar book 'Car 1' {noon} --title Ann")).done();
    house.json(&format!("calendar maintain 'Car 1' {noon}")).refused("slot_taken");
    house.json("calendar relocate 'Car 1' --from 2099-05-01T14:00 --until 2099-05-01T16:00").done();
    house.json(&format!("calendar occupy 'Car 1' {noon} --cause cleaning")).refused("slot_taken");
    house.json("calendar occupy 'Car 1' --from 2099-05-01T16:00 --until 2099-05-01T17:00 --cause cleaning").done();
    let states = periods(&house, "car-1 --from 2099-05-01T12:00 --until 2099-05-01T18:00");
    assert_eq!(
        states,
        [
            "05-01T12:00 05-01T14:00 booked Ann",
            "05-01T14:00 05-01T16:00 relocation relocation",
            "05-01T16:00 05-01T17:00 occupied cleaning",
            "05-01T17:00 05-01T18:00 free"
        ]
    );
    let list = house.json("resource out-of-service 'Car 1' --from 2099-05-01").refused("slot_taken");
    assert_eq!(list["slots"].as_array().unwrap().len(), 3);
    let out = house.json("resource out-of-service 'Car 1' --from 2099-05-01 --displace --reason sold").done();
    assert_eq!(out["displaced"].as_array().unwrap().len(), 3);
    assert_eq!(house.json("worklist").done().as_array().unwrap().len(), 3);
    house
        .json("calendar book car-1 --from 2099-06-01T12:00 --until 2099-06-01T14:00 --title Ben")
        .refused("out_of_service");
    house.json("resource in-service car-1 --operator ben").refused("time_disabled_by_another");
    house.json("resource in-service car-1 --operator ben --override").done();
    house.json(&format!("calendar move {} --from 2099-06-01T12:00", trip["booking"].as_str().unwrap())).done();
    house.verified();
}

#[test]
fn a_refusal_says_what_was_not_done_and_what_to_do() {
    let house = House::empty();
    let slot = "--from 2099-05-01T12:00 --until 2099-05-01T14:00";
    done(
        &house,
        &[
            "resource add Car --kind car --segment 60 --time-zone UTC",
            "resource add Bed --kind hotel-room --segment 1440 --time-zone UTC --policy preallocated",
            "resource open Bed --until 2027-05-01",
            "calendar book Bed --from 2027-04-01 --until 2027-04-03 --title Ann",
            &format!("calendar book Car {slot} --title Trip"),
            "calendar book Car --from 2099-05-02T12:00 --until 2099-05-02T14:00 --title Other",
        ],
    );
    let other = house.json("calendar list --text Other").done();
    let other = other[0]["booking"].as_str().unwrap();
    let file = house.write(
        "a.ics",
        "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:a\nDTSTART:20990501T120000Z\nDURATION:PT1H\nEND:VEVENT\nEND:VCALENDAR\n",
    );
    let out = "Nothing was taken out of use. Move or cancel what stands there first, or d";
    for (line, purpose, said) in [
        (format!("calendar book Car {slot} --title X"), "book", "Nothing was booked. Free instead: Car"),
        (format!("calendar move {other} --from 2099-05-01T12:00"), "move", "Nothing was moved. Free instead: Car"),
        (format!("calendar maintain Car {slot}"), "take_out", out),
        (format!("calendar relocate Car {slot}"), "take_out", out),
        (format!("calendar occupy Car --cause cleaning {slot}"), "take_out", out),
        ("calendar maintain Car --from 2099-05-01".to_owned(), "take_out", out),
        ("resource out-of-service Car --from 2099-05-01".to_owned(), "out_of_service", out),
        ("resource close Bed --from 2027-04-01".to_owned(), "close", "Nothing was closed. Move or cancel"),
        (format!("calendar import {file} --resource Car"), "import", "Nothing was imported."),
    ] {
        let ran = house.json(&line);
        assert_eq!(ran.refused("slot_taken")["purpose"], purpose, "{line}");
        assert!(ran.err.contains(said), "{line}: {}", ran.err);
    }
    house.verified();
}

#[test]
fn a4_a_disable_displaces_and_only_its_operator_enables() {
    let house = room();
    let booked =
        house.json("calendar book room-7 --from 2099-12-01T10:00 --until 2099-12-01T12:00 --title Talk").done();
    let out =
        house.json("calendar disable room-7 --from 2099-12-01T11:00 --until 2099-12-01T13:00 --reason leak").done();
    assert_eq!(out["displaced"][0]["resource"], "room-7");
    let work = house.json("worklist").done();
    assert_eq!(work[0]["reason"], "leak");
    house.json("calendar book room-7 --from 2099-12-01T12:00 --until 2099-12-01T13:00 --title X").refused("slot_taken");
    let id = out["id"].as_str().unwrap();
    house.json(&format!("calendar enable {id} --operator ben")).refused("time_disabled_by_another");
    house.json(&format!("calendar enable {}", &id[id.len() - 6..])).done();
    let moved =
        house.json(&format!("calendar move {} --from 2099-12-02T10:00", booked["booking"].as_str().unwrap())).done();
    assert_eq!(moved["from"], "2099-12-02T10:00:00+01:00");
    assert_eq!(moved["until"], "2099-12-02T12:00:00+01:00");
    assert_eq!(house.json("worklist").done(), json!([]));
    house.verified();
}

#[test]
fn what_repeats_lists_its_conflicts_and_is_changed_from_here_on() {
    let house = room();
    house.json("calendar book room-7 --from 2099-12-15T10:00 --until 2099-12-15T11:00 --title Fire").done();
    house.json("settings closed-days --close 2099-12-22").done();
    let book = "calendar book room-7 --from 2099-12-01T10:00 --until 2099-12-01T11:00 --title Choir --repeat FREQ=WEEKLY;COUNT=5";
    let refused = house.json(book).refused("slot_taken");
    assert_eq!(refused["slots"].as_array().unwrap().len(), 1);
    let list = house.json(&format!("{book} --skip-conflicts")).done();
    let list = list.as_array().unwrap();
    let booked: Vec<&Value> = list.iter().filter(|one| one["booking"].is_string()).collect();
    let skipped: Vec<&Value> = list.iter().filter(|one| !one["skipped"].is_null()).collect();
    let day = |one: &Value| one["wanted_from"].as_str().unwrap()[5..10].to_owned();
    assert_eq!(booked.iter().map(|one| day(one)).collect::<Vec<_>>(), ["12-01", "12-08", "12-29"]);
    assert_eq!(skipped.iter().map(|one| day(one)).collect::<Vec<_>>(), ["12-15", "12-22"]);
    assert_eq!(skipped[0]["skipped"]["kind"], "slot_taken");
    assert_eq!(skipped[1]["skipped"], "closed_day");
    let id = |at: usize| booked[at]["booking"].as_str().unwrap().to_owned();
    let moved = house.json(&format!("calendar move {} --from 2099-12-08T12:00 --from-here", id(1))).done();
    assert_eq!(moved.as_array().unwrap().len(), 2);
    assert_eq!(moved[1]["from"], "2099-12-29T12:00:00+01:00");
    house.json(&format!("calendar cancel {}", id(1))).done();
    assert_eq!(house.json("calendar list --text choir").done().as_array().unwrap().len(), 2);
    house.json(&format!("calendar cancel {} --all", id(0))).done();
    assert_eq!(house.json("calendar list --text choir").done(), json!([]));
    house.verified();
}

/// Three rooms: one is taken on the second Monday, one on the third.
fn three_rooms() -> House {
    let house = House::empty();
    for name in ["Blue", "Red", "Green"] {
        house.json(&format!("resource add {name} --kind room --segment 30 --time-zone Europe/Berlin")).done();
    }
    let busy = [("Blue", "2099-12-14"), ("Red", "2099-12-21")];
    for (name, day) in busy {
        house.json(&format!("calendar book {name} --from {day}T18:00 --until {day}T19:00 --title Tea")).done();
    }
    house
}

const YOGA: &str = "--from 2099-12-07T18:05 --until 2099-12-07T20:00 --title Yoga --repeat FREQ=WEEKLY;COUNT=3";

/// `12-07 green` of each that was booked.
fn dated(list: &Value) -> Vec<String> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let booked = list.as_array().unwrap().iter();
    booked
        .filter(|one| one["booking"].is_string())
        .map(|one| format!("{} {}", &text(&one["wanted_from"])[5..10], text(&one["resource"])))
        .collect()
}

#[test]
fn any_of_a_set_repeats_in_the_same_room_where_one_is_free_on_all_dates() {
    let house = three_rooms();
    let any = format!("calendar book --any Blue,Red,Green {YOGA}");
    let list = house.json(&any).done();
    assert_eq!(dated(&list), ["12-07 green", "12-14 green", "12-21 green"]);
    let refused = house.json(&format!("{any} --count 3")).refused("too_few_free");
    assert_eq!(refused["free"], json!([]));
    let first = list[0]["booking"].as_str().unwrap();
    house.json(&format!("calendar cancel {first} --all")).done();
    let two = house.json(&format!("{any} --count 2")).done();
    assert_eq!(dated(&two), ["12-07 green", "12-07 blue", "12-14 green", "12-14 red", "12-21 green", "12-21 blue"]);
    house.json(&format!("{any} --count 0")).refused("nothing_chosen");
    house.verified();
}

#[test]
fn a_refused_repeat_says_what_is_free_on_all_its_dates() {
    let house = three_rooms();
    let book = format!("calendar book Blue {YOGA}");
    let refused = house.json(&book).refused("slot_taken");
    let told = |free: &Value| {
        let from = free["from"].as_str().unwrap().to_owned();
        format!("{} {} {}", free["resource"], from, free["dates"])
    };
    let free: Vec<String> = refused["alternatives"].as_array().unwrap().iter().map(told).collect();
    assert_eq!(
        free,
        [
            "\"Green\" 2099-12-07T18:05:00+01:00 3",
            "\"Blue\" 2099-12-07T19:05:00+01:00 3",
            "\"Blue\" 2099-12-07T16:05:00+01:00 3"
        ]
    );
    let said = house.run(&book).err;
    assert!(said.contains("Free on all 3 dates instead: Green from Mon 7 Dec 2099 18:05-20:00; Blue from"), "{said}");
    assert_eq!(house.json("calendar list --text yoga").done(), json!([]));
    house.verified();
}

#[test]
fn a_date_that_was_left_out_is_listed_and_added_when_it_is_free() {
    let house = three_rooms();
    let book = format!("calendar book Blue {YOGA} --skip-conflicts");
    let said = house.run(&book).text().to_owned();
    assert!(
        said.contains("Left out: Mon 14 Dec 2099 18:05-20:00: Blue Mon 14 Dec 2099 18:00-19:00: booked, Tea.\n"),
        "{said}"
    );
    let hint = said.lines().last().unwrap();
    assert!(hint.ends_with(" --from 2099-12-14T18:05"), "{said}");
    let add = hint.split("willcall ").nth(1).unwrap();
    house.json(add).refused("slot_taken");
    let booked = house.json("calendar list --text yoga").done();
    let series = format!("calendar series {}", booked[0]["booking"].as_str().unwrap());
    let dates = house.json(&series).done();
    assert_eq!(dated(&dates), ["12-07 blue", "12-21 blue"]);
    assert_eq!(dates[2]["wanted_from"], "2099-12-14T18:05:00+01:00");
    assert_eq!(dates[2]["skipped"], "left_out");
    let tea = house.json("calendar list --text tea").done();
    house.json(&format!("calendar cancel {}", tea[0]["booking"].as_str().unwrap())).done();
    let added = house.json(add).done();
    assert_eq!(added["wanted_until"], "2099-12-14T20:00:00+01:00");
    assert_eq!(added["series"], booked[0]["series"]);
    // a date that it never had is as long as the others
    let more = house
        .json(&format!("calendar add-date {} --from 2099-12-28T18:05", booked[0]["series"].as_str().unwrap()))
        .done();
    assert_eq!(more["wanted_until"], "2099-12-28T20:00:00+01:00");
    let dates = house.json(&series).done();
    assert_eq!(dated(&dates), ["12-07 blue", "12-14 blue", "12-21 blue", "12-28 blue"]);
    assert_eq!(dates.as_array().unwrap().len(), 4);
    assert!(house.run(&series).text().contains("Mon 28 Dec 2099"));
    let alone = house.json("calendar list --text tea").done();
    house.json(&format!("calendar series {}", alone[0]["booking"].as_str().unwrap())).refused("bad_value");
    house.verified();
}

/// Guests that came were stored, and shown nowhere.
#[test]
fn a_guest_is_checked_in_and_out_and_is_on_the_lists_of_the_day() {
    let house = House::royal();
    let lines = [
        "settings set time-zone UTC",
        "resource add Room --kind room --segment 1440 --time-zone UTC --price 100",
        "calendar book Room --from today --until +2d --customer 'Ida Weber' --phone '0171 555'",
        "calendar book Room --from 2099-12-01 --until 2099-12-03 --title Later",
    ];
    done(&house, &lines);
    let arrivals = house.json("calendar arrivals").done();
    let id = arrivals[0]["booking"].as_str().unwrap();
    assert_eq!((&arrivals[0]["name"], &arrivals[0]["open"]), (&json!("Weber, Ida"), &json!("200.00")));
    let early = house.json("calendar arrivals 2099-12-01").done()[0]["booking"].as_str().unwrap().to_owned();
    let refused = house.run(&format!("calendar check-in {early}"));
    assert!(refused.err.contains("Later begins Tue 1 Dec 2099. Check in from that day on."), "{refused:?}");
    house.json(&format!("calendar check-out {id}")).refused("not_checked_in");
    let came = house.run(&format!("calendar check-in {id}"));
    assert!(came.text().contains("checked in"), "{}", came.text());
    let listed = house.run("calendar in-house");
    assert!(listed.text().contains("Weber, Ida") && listed.text().contains("checked in"), "{}", listed.text());
    let unpaid = house.run(&format!("calendar check-out {id}"));
    assert_eq!(unpaid.code, 3);
    assert!(unpaid.err.contains("EUR 100.00 of Ida Weber is not paid"), "{unpaid:?}");
    let left = house.json(&format!("calendar check-out {id} --unpaid")).done();
    assert!(left["checked_out_at"].is_string() && left["price"] == "100.00", "{left}");
    assert_eq!(house.json("calendar in-house").done(), json!([]));
    let csv = house.run("calendar departures --csv");
    assert!(csv.text().starts_with("name,phone,room,from,until,open,currency,state,booking,"), "{csv:?}");
    assert!(csv.text().contains("100.00,EUR,checked_out,"), "{csv:?}");
    for line in ["calendar arrivals soon", "calendar in-house '30 feb'"] {
        house.json(line).refused("bad_value");
    }
    house.verified();
}

#[test]
fn a_repeat_in_the_gap_of_spring_is_told_with_the_reason() {
    let house = room();
    let book = "calendar book room-7 --from 2027-03-27T02:30 --until 2027-03-27T03:30 --title Rounds --repeat FREQ=DAILY;COUNT=3";
    let refused = house.json(book).refused("bad_value");
    assert!(refused["problem"].as_str().unwrap().contains("does not exist in Europe/Berlin"));
    let list = house.json(&format!("{book} --skip-conflicts")).done();
    assert_eq!(list.as_array().unwrap().len(), 3);
    assert_eq!(list[2]["wanted_from"], "2027-03-28T02:30");
    assert_eq!(list[1]["wanted_from"], "2027-03-29T02:30:00+02:00");
    house
        .json("calendar book room-7 --from 2027-03-27T02:30 --until 2027-03-27T03:30 --title X --repeat FREQ=DAILY")
        .refused("bad_value");
    house.verified();
}

#[test]
fn a_show_night_is_all_or_nothing() {
    let house = House::empty();
    done(
        &house,
        &[
            "resource add Hall --kind hall --segment 30 --time-zone UTC --before 2h --after 30m",
            "resource add 'Hall left' --kind hall --segment 30 --time-zone UTC --parent hall",
            "resource add 'Dressing room' --kind room --segment 30 --time-zone UTC",
            "resource add Van --kind car --segment 60 --time-zone UTC",
        ],
    );
    let night = "--from 2099-12-01T19:30 --until 2099-12-01T22:00 --title Premiere";
    house.json("calendar book Van --from 2099-12-01T21:00 --until 2099-12-01T22:00 --title Ben").done();
    house.json(&format!("calendar book Hall 'Dressing room' Van {night}")).refused("slot_taken");
    let booked = house.json(&format!("calendar book Hall 'Dressing room' {night}")).done();
    assert_eq!(booked.as_array().unwrap().len(), 2);
    assert_eq!(booked[0]["booking"], booked[1]["booking"]);
    let hall = house.json("calendar show hall --from 2099-12-01T17:00 --until 2099-12-01T23:00").done();
    let get_in = &hall[0]["periods"][1];
    assert_eq!((&get_in["from"], &get_in["buffer"]), (&json!("2099-12-01T17:30:00Z"), &json!(true)));
    // a half is taken with the whole
    house.json(&format!("calendar book hall-left {night}")).refused("slot_taken");
    let id = booked[0]["booking"].as_str().unwrap();
    house
        .json(&format!(
            "calendar release {id} --from 2099-12-01T21:00 --until 2099-12-01T22:00 --resource dressing-room"
        ))
        .done();
    house.json(&format!("calendar change {id} --title Gala --customer Ann")).done();
    let common = house.json("find --all Hall,Van --from 2099-12-01T12:00 --until 2099-12-01T20:00 --for 90m").done();
    assert_eq!(common.as_array().unwrap().len(), 1);
    let first = house.json("find --kind room --from 2099-12-01T20:00 --until 2099-12-02T00:00 --for 2h --first").done();
    assert_eq!(first[0]["slots"][0]["from"], "2099-12-01T21:00:00Z");
    house.verified();
}

#[test]
fn a17_a_performance_takes_its_hall_and_shows_what_it_lost_of_it() {
    let house = House::empty();
    done(
        &house,
        &[
            "resource add Stage --kind hall --segment 30 --time-zone UTC --before 2h --after 1h",
            "theater add Royal --rows 5x16 --time-zone UTC",
        ],
    );
    let theater = house.json("theater hall Royal stage").done();
    assert_eq!(theater["hall"], "stage");
    let open = |title: &str, start: &str, end: &str| {
        house.json(&format!("performance add --theater Royal --title {title} --start 2099-12-01T{start} --end 2099-12-01T{end} --price 10"))
    };
    let hamlet = open("Hamlet", "19:30", "21:30").done();
    assert_eq!(hamlet["hall"]["from"], "2099-12-01T17:30:00Z");
    let lear = open("Lear", "22:00", "23:00");
    assert_eq!(lear.refused("slot_taken")["purpose"], "perform");
    assert!(lear.err.contains("Choose another time"), "{}", lear.err);
    let out =
        house.json("calendar disable stage --from 2099-12-01T20:00 --until 2099-12-01T21:00 --reason smoke").done();
    let lost = json!([{"from": "2099-12-01T20:00:00Z", "until": "2099-12-01T21:00:00Z"}]);
    assert_eq!(out["displaced"][0]["slots"], lost);
    assert_eq!(house.json("performance show Hamlet").done()["hall"]["lost"], lost);
    let said = house.run("performance show Hamlet").text().to_owned();
    assert!(said.contains("Hall: Stage, Tue 1 Dec 2099 17:30-22:30; OUT OF USE Tue 1 Dec 2099 20:00-21:00"), "{said}");
    house.json("performance cancel Hamlet --reason flooded").done();
    let evening = "stage --from 2099-12-01T17:00 --until 2099-12-01T23:00 --state booked";
    assert!(periods(&house, evening).is_empty());
    open("Lear", "20:00", "21:00").refused("slot_taken");
    house.json("theater hall Royal royal").done();
    open("Lear", "20:00", "21:00").done();
    house.json("theater hall Royal attic").refused("not_found");
    house.verified();
}

#[test]
fn t13_a_cart_holds_time_beside_seats_on_one_receipt() {
    let house = House::royal();
    house.json("resource add Box --kind room --segment 30 --time-zone UTC --price 12.50").done();
    let cart = house.cart_with("B6");
    let add = format!("cart add {cart} --resource Box --from 2099-12-01T19:00 --until 2099-12-01T19:50");
    let held = house.json(&add).done();
    assert_eq!(held["total"], "35.00");
    assert_eq!(held["slots"][0]["resource"], "box");
    assert_eq!(held["slots"][0]["until"], "2099-12-01T20:00:00Z");
    house.json(&format!("cart remove {cart} --line 2 --seats B7")).refused("bad_value");
    house.json("calendar book Box --from 2099-12-01T19:30 --until 2099-12-01T20:00 --title X").refused("slot_taken");
    assert!(house.run(&format!("cart show {cart}")).text().contains("Box"));
    let sold = house.run(&format!("cart checkout {cart} --pay cash=40"));
    assert!(sold.text().contains("Box"), "{}", sold.out);
    assert_eq!(periods(&house, "box --from 2099-12-01T19:00 --until 2099-12-01T20:00").len(), 1);
    house.verified();
}

#[test]
fn every_wrong_time_has_its_own_sentence_and_changes_nothing() {
    let house = room();
    let slot = "--from 2099-12-01T10:00 --until 2099-12-01T11:00";
    let book = "calendar book room-7 --title X";
    let wrong = [
        (format!("{book} --from 2099-12-01T11:00 --until 2099-12-01T10:00"), "bad_value"),
        (format!("{book} --from 2099-12-01T11:00 --until 2099-12-01T11:00"), "bad_value"),
        (format!("{book} --from 2020-12-01T11:00 --until 2020-12-01T12:00"), "in_the_past"),
        (format!("{book} --from 2027-03-28T02:30 --until 2027-03-28T04:00"), "bad_value"),
        (format!("{book} --from 2027-10-31T02:30 --until 2027-10-31T04:00"), "bad_value"),
        (format!("{book} --from tomorrow --until 2099-12-01T10:00"), "bad_value"),
        (format!("{book} {slot} --price cheap"), "bad_value"),
        (format!("{book} {slot} --repeat often"), "bad_value"),
        (format!("calendar book attic {slot}"), "not_found"),
        ("calendar cancel 0000ff".to_owned(), "not_found"),
        ("calendar show room-7 --from 2099-01-01 --until 2199-01-01".to_owned(), "bad_value"),
        ("calendar show room-7 --from 2099-01-01 --until 2099-01-02 --state asleep".to_owned(), "bad_value"),
    ];
    each_has_its_own_sentence(&house, &wrong);
    assert_eq!(house.json("calendar list").done(), json!([]));
    house.verified();
}

#[test]
fn every_wrong_resource_has_its_own_sentence_and_changes_nothing() {
    let house = room();
    let add = "resource add Wrong --kind room --segment";
    let wrong = [
        (format!("{add} 7 --time-zone UTC"), "bad_value"),
        (format!("{add} half --time-zone UTC"), "bad_value"),
        (format!("{add} 30 --time-zone Mars/Base"), "bad_value"),
        (format!("{add} 30 --parent attic"), "not_found"),
        (format!("{add} 60 --parent room-7"), "bad_value"),
        (format!("{add} 30 --open-hours always"), "bad_value"),
        (format!("{add} 30 --policy closed"), "bad_value"),
        (format!("{add} 30 --set beds"), "bad_value"),
        ("resource add 'Room 7' --kind room --segment 30".to_owned(), "exists"),
        ("resource open room-7 --until 2099-01-01".to_owned(), "wrong_policy"),
        ("resource in-service room-7".to_owned(), "in_service"),
        ("find --where guests --from 2099-01-01 --until 2099-01-02".to_owned(), "bad_value"),
    ];
    each_has_its_own_sentence(&house, &wrong);
    assert_eq!(house.json("resource list").done().as_array().unwrap().len(), 1);
    house.verified();
}

#[test]
fn nothing_is_a_part_of_itself_or_of_what_is_a_part_of_it() {
    let house = House::empty();
    let add = |name: &str, parent: &str| {
        house.json(&format!("resource add '{name}' --kind hall --segment 30 --parent '{parent}'"))
    };
    let refused = |name: &str, parent: &str, part: &str| {
        let ran = add(name, parent);
        assert_eq!(ran.refused("bad_value")["field"], "parent");
        assert!(ran.err.contains(part), "{}", ran.err);
    };
    let itself = "can't be a part of itself";
    refused("Big hall", "Big hall", itself);
    refused("Big hall", "big-hall", itself);
    house.json("resource add 'Big hall' --kind hall --segment 30").done();
    refused("Big hall", "Big hall", itself);
    refused("BIG HALL", "big-hall", itself);
    add("Left", "Big hall").done();
    refused("Big hall", "Left", "Left is a part of Big hall, which can't be a part of it too");
    add("Corner", "Left").done();
    add("Seat", "corner").done();
    refused("Big hall", "Seat", "Seat is a part of Big hall");
    refused("left", "Seat", "Seat is a part of Left");
    add("Seat", "Big hall").refused("exists");
    let list = house.json("resource list").done();
    assert_eq!(list.as_array().unwrap().len(), 4);
    house.verified();
}

fn each_has_its_own_sentence(house: &House, wrong: &[(String, &str)]) {
    let mut sentences = std::collections::HashSet::new();
    for (line, kind) in wrong {
        let ran = house.json(line);
        ran.refused(kind);
        sentences.insert(ran.err.clone());
    }
    assert_eq!(sentences.len(), wrong.len(), "{sentences:#?}");
}

#[test]
fn an_offset_chooses_in_the_fold_and_what_is_past_can_be_written_down() {
    let house = room();
    let book = |rest: &str| house.json(&format!("calendar book room-7 --title X {rest}"));
    let fold = book("--from 2027-10-31T02:30 --until 2027-10-31T04:00").refused("bad_value");
    let problem = fold["problem"].as_str().unwrap();
    assert!(problem.contains("+02:00") && problem.contains("+01:00"), "{problem}");
    let done = book("--from 2027-10-31T02:30+02:00 --until 2027-10-31T04:00").done();
    assert_eq!(done["from"], "2027-10-31T02:30:00+02:00");
    book("--from 2020-12-01T11:00 --until 2020-12-01T12:00 --past").done();
    house.verified();
}

#[test]
fn only_what_is_booked_by_the_night_says_nights() {
    let house = House::empty();
    for (name, segment) in [("Hall", "30"), ("Bed", "1440")] {
        house.json(&format!("resource add {name} --kind room --segment {segment} --time-zone UTC")).done();
    }
    let days = "--from 2099-12-01 --until 2099-12-03";
    let says = |line: &str, words: &str| {
        let said = house.run(&format!("{line} {days}"));
        // a table closes up what it wraps
        let all = format!("{}{}", said.out, said.err).replace("  ", " ");
        assert!(all.contains(words), "{line}: {all}");
    };
    let nights = "2 nights in Tue 1 Dec 2099 out Thu 3 Dec 2099";
    let whole_days = "Tue 1 Dec 2099 - Wed 2 Dec 2099, 2 days";
    says("find --kind room", nights);
    says("find --kind room", whole_days);
    says("calendar book Bed --title Guest", nights);
    says("calendar book Hall --title Fair", whole_days);
    says("calendar list", nights);
    says("calendar list", whole_days);
    says("calendar book Bed --title Other", "2 nights in Tue 1 Dec 2099 out Thu 3 Dec 2099");
    says("calendar book Hall --title Other", "Tue 1 Dec 2099 - Wed 2 Dec 2099, 2 days");
    says("calendar disable Hall --reason paint", whole_days);
    says("calendar disable Bed --reason paint", nights);
    house.verified();
}

/// A check said that past time was free, which a booking of it refused.
#[test]
fn a_check_of_time_that_is_past_or_too_late_says_so() {
    let house = House::empty();
    house.json("resource add Van --kind car --segment 60 --time-zone UTC").done();
    for (from, until, kind, said) in [
        (
            "2026-01-05T09:00",
            "2026-01-05T10:00",
            "in_the_past",
            "No: Mon 5 Jan 2026 09:00 is past. Choose a time to come.",
        ),
        ("2500-01-01T09:00", "2500-01-01T10:00", "bad_value", "check the year"),
    ] {
        let line = format!("calendar check Van --from {from} --until {until}");
        let check = house.json(&line).done();
        assert_eq!(check["free"], json!(false));
        assert_eq!(check["refusal"]["kind"], kind);
        let text = house.run(&line).text().to_owned();
        assert!(text.contains(said), "{text}");
    }
}

#[test]
fn a_day_that_closes_names_what_stands_on_it_and_is_closed_to_what_comes() {
    let house = House::empty();
    house.json("resource add Studio --kind room --segment 30 --time-zone Europe/London").done();
    house.json("calendar book Studio --from 2030-12-24T10:00 --until 2030-12-24T12:00 --title Ida").done();
    let close = "settings closed-days --close 2030-12-24 --close 2030-12-25";
    let refused = house.run(close);
    assert_eq!(refused.code, 3);
    assert!(
        refused.err.contains("Studio Tue 24 Dec 2030 10:00-12:00: booked, Ida. Nothing was closed."),
        "{refused:?}"
    );
    assert_eq!(house.json(close).refused("slot_taken")["purpose"], "close_days");
    assert_eq!(house.json("settings closed-days").done(), json!([]));
    assert_eq!(house.run(&format!("{close} --force")).text(), "Closed on 2030-12-24, 2030-12-25.\n");
    let said = "The house is closed on Tue 24 Dec 2030.";
    let find = house.run("find --from 2030-12-24T14:00 --until 2030-12-24T16:00");
    assert!(find.err.contains(said), "{find:?}");
    assert_eq!(house.json("find --from 2030-12-24T14:00 --until 2030-12-24T16:00").done(), json!([]));
    let slot = "--from 2030-12-24T14:00 --until 2030-12-24T16:00";
    let check = house.json(&format!("calendar check Studio {slot}")).done();
    assert_eq!((&check["free"], &check["refusal"]["kind"]), (&json!(false), &json!("house_closed")));
    let cart = house.cart();
    let weekly = "calendar book Studio --from 2030-12-17T18:00 --until 2030-12-17T19:00 --title Choir --repeat";
    let choir = house.json(&format!("{weekly} 'weekly x1'")).done()[0]["booking"].as_str().unwrap().to_owned();
    for line in [
        format!("calendar book Studio {slot} --title Bo"),
        format!("cart add {cart} --resource Studio --from 2030-12-24T16:00 --until 2030-12-24T17:00"),
        format!("calendar add-date {choir} --from 2030-12-24T18:00"),
        format!("calendar move {choir} --from 2030-12-24T20:00"),
    ] {
        let refused = house.run(&line);
        assert_eq!(refused.code, 3, "{line}: {refused:?}");
        assert!(refused.err.contains(said) && refused.err.contains("--closed"), "{refused:?}");
        assert_eq!(house.json(&line).refused("house_closed")["day"], "2030-12-24");
        house.json(&format!("{line} --closed")).done();
    }
    house.verified();
}

#[test]
fn a_van_is_hired_over_the_night_and_a_hall_is_not() {
    let house = House::empty();
    let add = "--segment 60 --time-zone Europe/Berlin --open-hours 08:00-18:00";
    house.json(&format!("resource add Van --kind car {add} --hire --price 5.00")).done();
    house.json(&format!("resource add Hall --kind hall {add}")).done();
    assert_eq!(house.json("resource show Van").done()["hire"], true);
    assert!(house.run("resource show Van").text().contains("08:00-18:00 for hire"));
    let weekend = "--from 2030-12-06T10:00 --until 2030-12-08T12:00 --title Move";
    let hall = house.run(&format!("calendar book Hall {weekend}"));
    assert!(hall.err.contains("Hall is open 08:00-18:00. Choose a time within."), "{hall:?}");
    let late = house.run("calendar book Van --from 2030-12-06T10:00 --until 2030-12-08T19:00 --title Late");
    assert!(late.err.contains("Choose a hand-over and a return within."), "{late:?}");
    let booked = house.json(&format!("calendar book Van {weekend}")).done();
    assert_eq!(booked["price"], "250.00");
    house.verified();
}

#[test]
fn hire_is_changed_by_itself_and_stays_with_other_hours() {
    let house = House::empty();
    let add = "--segment 60 --time-zone Europe/Berlin";
    house.json(&format!("resource add Van --kind car {add} --open-hours 08:00-18:00 --hire")).done();
    let hours = |line: &str| {
        let done = house.json(&format!("resource change Van {line}")).done();
        (done["open_hours"].as_str().map(str::to_owned), done["hire"] == true)
    };
    assert_eq!(hours("--open-hours 10:00-12:00"), (Some("10:00-12:00".to_owned()), true));
    assert_eq!(hours("--no-hire"), (Some("10:00-12:00".to_owned()), false));
    assert_eq!(hours("--hire --dry-run"), (Some("10:00-12:00".to_owned()), true));
    assert_eq!(hours("--hire"), (Some("10:00-12:00".to_owned()), true));
    assert_eq!(hours("--no-open-hours"), (None, false));
    let always = house.run("resource change Van --hire");
    assert!(always.code == 3 && always.err.contains("it needs open hours, like 08:00-18:00"), "{always:?}");
    assert_eq!(house.run("resource change Van --hire --no-hire").code, 2);
    house.verified();
}

#[test]
fn a_hall_shows_all_bookings_of_its_parts() {
    let house = House::empty();
    house.json("resource add Halle --kind hall --segment 60 --time-zone UTC").done();
    for part in ["Nord", "Sued", "West"] {
        house.json(&format!("resource add {part} --kind hall --segment 60 --time-zone UTC --parent Halle")).done();
    }
    let book = |part: &str, from: &str, until: &str, title: &str| {
        let line = format!("calendar book {part} --from 2099-12-01T{from} --until 2099-12-01T{until} --title {title}");
        house.json(&line).done()["booking"].as_str().unwrap().to_owned()
    };
    book("Nord", "10:00", "12:00", "n");
    let s = book("Sued", "11:00", "13:00", "s");
    book("West", "11:00", "12:00", "w");
    let day = "Halle --from 2099-12-01T09:00 --until 2099-12-01T14:00";
    let titles = |at: usize| {
        let shown = periods(&house, day);
        let (slot, title) = shown[at].split_once(" booked ").unwrap();
        let mut titles: Vec<String> = title.split(", ").map(str::to_owned).collect();
        titles.sort();
        (slot.to_owned(), titles.join(" "))
    };
    assert_eq!(titles(1), ("12-01T10:00 12-01T11:00".into(), "n".into()));
    assert_eq!(titles(2), ("12-01T11:00 12-01T12:00".into(), "n s w".into()));
    assert_eq!(titles(3), ("12-01T12:00 12-01T13:00".into(), "s".into()));
    assert_eq!(periods(&house, &format!("{day} --owner w")).len(), 1);
    house.json(&format!("calendar cancel {s}")).done();
    assert_eq!(titles(2), ("12-01T11:00 12-01T12:00".into(), "n w".into()));
    assert_eq!(periods(&house, day).len(), 4);
    house.verified();
}
