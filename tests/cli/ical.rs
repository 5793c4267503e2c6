//! Calendars of others come in, once, and ours goes out.

use serde_json::{Value, json};

use crate::support::House;

const REHEARSALS: &str = "BEGIN:VCALENDAR\r
VERSION:2.0\r
BEGIN:VEVENT\r
UID:choir@google.com\r
DTSTART;TZID=W. Europe Standard Time:20990105T180500\r
DTEND;TZID=W. Europe Standard Time:20990105T193000\r
RRULE:FREQ=WEEKLY;COUNT=4\r
EXDATE;TZID=Europe/Berlin:20990112T180500\r
SUMMARY:Choir\\, both halves\r
END:VEVENT\r
BEGIN:VEVENT\r
UID:tuning\r
DTSTART:20990106T090000\r
DURATION:PT90M\r
SUMMARY:Piano\r
END:VEVENT\r
BEGIN:VEVENT\r
UID:old\r
DTSTART:20200106T090000\r
DURATION:PT90M\r
SUMMARY:Past\r
END:VEVENT\r
END:VCALENDAR\r
";

fn room() -> House {
    let house = House::empty();
    house.json("resource add 'Room 7' --kind room --segment 30 --time-zone Europe/Berlin").done();
    house
}

fn count(list: &Value) -> usize {
    list.as_array().unwrap().len()
}

#[test]
fn one_event_imported_before_is_one() {
    let house = room();
    let event = "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:a\nSUMMARY:Talk\nDTSTART:20990501T120000Z\nDURATION:PT1H\nEND:VEVENT\nEND:VCALENDAR\n";
    let file = house.write("one.ics", event);
    let import = format!("calendar import {file} --resource 'Room 7'");
    house.json(&import).done();
    let again = house.run(&import);
    assert!(again.text().contains("1 was imported before, and left alone."), "{again:?}");
}

#[test]
fn a_calendar_is_imported_once_however_often_it_is_read() {
    let house = room();
    let file = house.write("choir.ics", REHEARSALS);
    let import = format!("calendar import {file} --resource 'Room 7'");
    let done = house.json(&import).done();
    assert_eq!(count(&done["bookings"]), 4);
    let first = &done["bookings"][0];
    assert_eq!(first["title"], "Choir, both halves");
    assert_eq!(first["from"], "2099-01-05T18:00:00+01:00");
    assert_eq!(first["wanted_from"], "2099-01-05T18:05:00+01:00");
    assert_eq!(done["left_out"][0]["title"], "Past");
    let again = house.json(&import).done();
    assert_eq!((count(&again["bookings"]), &again["known"]), (0, &json!(4)));
    // what was canceled here does not come back
    house.json(&format!("calendar cancel {}", first["booking"].as_str().unwrap())).done();
    assert_eq!(house.json(&import).done()["known"], 4);
    assert_eq!(count(&house.json("calendar list").done()), 3);
    house.verified();
}

#[test]
fn what_is_not_free_stops_an_import_or_is_listed() {
    let house = room();
    let file = house.write("choir.ics", REHEARSALS);
    house.json("calendar book room-7 --from 2099-01-19T19:00 --until 2099-01-19T20:00 --title Fire").done();
    let import = format!("calendar import {file} --resource room-7 --as maintenance");
    let refused = house.json(&import).refused("slot_taken");
    assert_eq!(count(&refused["slots"]), 1);
    assert_eq!(count(&house.json("calendar list").done()), 1);
    let done = house.json(&format!("{import} --skip-conflicts")).done();
    assert_eq!((count(&done["bookings"]), count(&done["skipped"])), (3, 1));
    assert_eq!(done["skipped"][0]["skipped"]["kind"], "slot_taken");
    assert_eq!(done["bookings"][0]["cause"], "maintenance");
    let told = house.run(&format!("{import} --skip-conflicts"));
    assert!(told.text().contains("Not free: line 3 (Choir, both halves): "), "{told:?}");
    house.verified();
}

#[test]
fn a_holiday_calendar_closes_days_for_what_repeats() {
    let house = room();
    let file = house.write(
        "holidays.ics",
        "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:x\nDTSTART;VALUE=DATE:20991224\nDTEND;VALUE=DATE:20991227\nRRULE:FREQ=YEARLY\nTRANSP:TRANSPARENT\nSUMMARY:Christmas\nEND:VEVENT\nEND:VCALENDAR\n",
    );
    let import = format!("calendar import {file} --as closed-days");
    let endless = house.json(&import).refused("bad_calendar");
    assert_eq!(endless["place"], "line 6");
    let done = house.json(&format!("{import} --until 2101-01-01")).done();
    assert_eq!(count(&done["closed_days"]), 6);
    house.json(&format!("{import} --until 2101-01-01")).done();
    assert_eq!(count(&house.json("settings closed-days").done()), 6);
    let list = house
        .json("calendar book room-7 --from 2099-12-23T10:00 --until 2099-12-23T11:00 --title X --repeat FREQ=DAILY;COUNT=5")
        .done();
    let booked = list.as_array().unwrap().iter().filter(|one| one["booking"].is_string());
    assert_eq!(booked.count(), 2);
    house.verified();
}

#[test]
fn a_wrong_file_is_refused_with_its_line_and_changes_nothing() {
    let house = room();
    let import = |name: &str, text: &str, rest: &str| {
        let file = house.write(name, text);
        house.json(&format!("calendar import {file} --resource room-7 {rest}"))
    };
    let wrap = |lines: &str| {
        format!("BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:a\nSUMMARY:Talk\n{lines}\nEND:VEVENT\nEND:VCALENDAR\n")
    };
    let late = "DTSTART:20990105T180500\nDURATION:PT1H";
    for (text, place, part) in [
        (String::new(), None, "empty"),
        ("hello\n".to_owned(), Some("line 1"), "no line of a calendar"),
        (wrap(late).replace("END:VEVENT\n", ""), Some("line 7"), "END"),
        (wrap("DTSTART;TZID=Mars/Base:20990105T180500\nDURATION:PT1H"), Some("line 5"), "Mars/Base"),
        (wrap("DTSTART:20990329T023000\nDURATION:PT1H"), Some("line 2"), "does not exist"),
        (wrap(&format!("{late}\nRRULE:FREQ=DAILY")), Some("line 7"), "--until"),
    ] {
        let ran = import("wrong.ics", &text, "");
        let facts = ran.refused("bad_calendar");
        assert_eq!(facts["place"].as_str(), place, "{text}");
        let said = facts["problem"].as_str().unwrap().to_uppercase();
        assert!(said.contains(&part.to_uppercase()), "{part}: {said}");
    }
    let two = wrap(late).replace("END:VCALENDAR\n", "BEGIN:VEVENT\nUID:b\nDTSTART:soon\nEND:VEVENT\nEND:VCALENDAR\n");
    import("two.ics", &two, "").refused("bad_calendar");
    assert_eq!(house.json("calendar list").done(), json!([]));
    let done = import("two.ics", &two, "--skip-conflicts").done();
    assert_eq!((count(&done["bookings"]), count(&done["problems"])), (1, 1));
    assert_eq!(done["problems"][0]["line"], 10);
    house.json("calendar import /nowhere.ics --resource room-7").refused("unreadable_file");
    let file = house.write("right.ics", &wrap(late));
    house.json(&format!("calendar import {file}")).refused("bad_value");
    house.json(&format!("calendar import {file} --resource room-7 --as performance")).refused("bad_value");
    house.verified();
}

#[test]
fn what_goes_out_comes_back_as_itself_and_private_shows_only_busy() {
    let house = room();
    house.json("resource add Hall --kind hall --segment 30 --time-zone Europe/Berlin").done();
    house
        .json("calendar book room-7 Hall --from 2099-12-01T10:05 --until 2099-12-01T11:30 --title 'Talk; with Ann, and others' --customer Ann --note 'a\u{1b}[2J secret'")
        .done();
    house.json("calendar maintain Hall --from 2099-12-02 --until 2099-12-03 --reason floor").done();
    let path = house.path("hall.ics");
    let answer = house.json(&format!("calendar export Hall --to {}", path.display())).done();
    assert_eq!(answer["bookings"], 2);
    let file = std::fs::read_to_string(&path).unwrap();
    assert_eq!(file.matches("BEGIN:VEVENT").count(), 2);
    assert!(file.contains("SUMMARY:Talk\\; with Ann\\, and others\r\n"), "{file}");
    assert!(file.contains("DTSTART:20991201T090500Z\r\n"), "{file}");
    assert!(file.lines().all(|line| line.len() <= 75));
    let again = house.run("calendar export Hall");
    assert_eq!(again.text(), file);
    let back = house.json(&format!("calendar import {} --resource Hall", path.display())).done();
    assert_eq!((count(&back["bookings"]), &back["known"], &back["own"]), (0, &json!(0), &json!(2)));
    // whoever has read it before sees by the sequence that it is newer
    assert!(!file.contains("SEQUENCE:1"), "{file}");
    let talk = house.json("calendar list --text Talk").done()[0]["booking"].clone();
    let talk = talk.as_str().unwrap();
    house.json(&format!("calendar move {talk} --from 2099-12-01T12:05")).done();
    let moved = house.run("calendar export Hall").text().to_owned();
    assert!(moved.contains("DTSTART:20991201T110500Z"), "{moved}");
    let uid = format!("UID:{talk}@willcall");
    let event = moved.split("BEGIN:VEVENT").find(|event| event.contains(&uid));
    assert!(event.unwrap().contains("SEQUENCE:1"), "{moved}");
    let private = house.run("calendar export --private");
    for word in ["Talk", "Ann", "secret", "floor", "Hall"] {
        assert!(!private.text().contains(word), "{}", private.out);
    }
    house.verified();
}

#[test]
fn an_event_that_has_changed_since_it_was_imported_is_refused_with_both_times() {
    let house = House::empty();
    house.json("resource add Nights --kind room --segment 1440 --time-zone Europe/Berlin").done();
    let event = |from: &str, until: &str| {
        let lines = format!("DTSTART;VALUE=DATE:{from}\nDTEND;VALUE=DATE:{until}");
        format!("BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:p1@portal\nSUMMARY:Reserved\n{lines}\nEND:VEVENT\nEND:VCALENDAR\n")
    };
    let file = house.write("portal.ics", &event("20991201", "20991204"));
    let import = format!("calendar import {file} --resource Nights");
    let done = house.json(&import).done();
    // what was moved here is no change of the calendar
    let booking = done["bookings"][0]["booking"].as_str().unwrap();
    house.json(&format!("calendar move {booking} --from 2099-12-10 --until 2099-12-13")).done();
    assert_eq!(house.json(&import).done()["known"], 1);
    house.write("portal.ics", &event("20991202", "20991206"));
    for import in [import.clone(), format!("{import} --skip-conflicts")] {
        let refused = house.json(&import).refused("times_differ");
        assert_eq!(refused["times"][0]["there"]["until"], "2099-12-06T00:00:00+01:00");
        let told = house.run(&import);
        assert!(
            format!("{told:?}")
                .contains("out Fri 4 Dec 2099 here, 4 nights in Wed 2 Dec 2099 out Sun 6 Dec 2099 there"),
            "{told:?}"
        );
        assert!(format!("{told:?}").contains("calendar follow NAME FILE --resource Nights"), "{told:?}");
    }
    house.verified();
}

#[test]
fn only_what_an_earlier_import_booked_was_imported_before() {
    let house = room();
    let event = "BEGIN:VEVENT\nUID:a\nSUMMARY:Talk\nDTSTART:20990501T120000Z\nDURATION:PT1H\nEND:VEVENT\n";
    let file = house.write("twice.ics", &format!("BEGIN:VCALENDAR\n{event}{event}END:VCALENDAR\n"));
    let done = house.json(&format!("calendar import {file} --resource 'Room 7'")).done();
    assert_eq!((count(&done["bookings"]), &done["known"]), (1, &json!(0)));
    assert!(done["left_out"][0]["problem"].as_str().unwrap().contains("twice in the file"), "{done}");
    let export = house.path("own.ics");
    house.json(&format!("calendar export 'Room 7' --to {}", export.display())).done();
    let own = house.json(&format!("calendar import {} --resource 'Room 7'", export.display())).done();
    assert_eq!((&own["known"], &own["own"]), (&json!(0), &json!(1)));
}

/// `2099-10-24T18:00:00+02:00 2099-10-24T20:00:00+02:00` of each booking of a house, by its start.
fn hours(house: &House) -> Vec<String> {
    let list = house.json("calendar list").done();
    let said = |one: &Value| format!("{} {}", one["from"].as_str().unwrap(), one["until"].as_str().unwrap());
    list.as_array().unwrap().iter().map(said).collect()
}

#[test]
fn series_moved_dates_and_nights_go_out_and_come_in_at_the_same_hours() {
    for zone in ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata"] {
        let [from, to] = [House::empty(), House::empty()];
        for house in [&from, &to] {
            house.json(&format!("resource add Room --kind room --segment 15 --time-zone {zone}")).done();
            house.json(&format!("resource add Nights --kind room --segment 1440 --time-zone {zone}")).done();
        }
        let book = "calendar book Room --from 2099-10-10T18:00 --until 2099-10-10T20:00 --title Choir --repeat";
        let rows = from.json(&format!("{book} 'weekly x8 except 31 oct 2099'")).done();
        let third = rows[2]["booking"].as_str().unwrap();
        from.json(&format!("calendar move {third} --from 2099-10-25T01:45 --until 2099-10-25T05:15")).done();
        from.json(&format!("calendar cancel {}", rows[4]["booking"].as_str().unwrap())).done();
        from.json("calendar book Nights --from 2099-10-24 --until 2099-10-27 --title Guest").done();
        for resource in ["Room", "Nights"] {
            let file = from.path("out.ics");
            from.json(&format!("calendar export {resource} --to {} --force", file.display())).done();
            to.json(&format!("calendar import {} --resource {resource}", file.display())).done();
        }
        assert_eq!(hours(&to), hours(&from), "{zone}");
        to.verified();
    }
}

#[test]
fn calendars_are_published_into_a_folder() {
    let house = room();
    house.json("calendar book room-7 --from 2099-01-05T18:00 --until 2099-01-05T20:00 --title Secret").done();
    let folder = house.path("web");
    let publish = format!("calendar publish {}", folder.display());
    assert_eq!(house.json(&publish).done()["written"], json!(["room-7.ics"]));
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap();
    assert!(read("room-7.ics").contains("SUMMARY:busy") && !read("room-7.ics").contains("Secret"));
    // nothing has changed: no file is touched
    assert_eq!(house.json(&publish).done()["written"], json!([]));
    let written = house.json(&format!("{publish} --titles")).done();
    assert_eq!(written["written"], json!(["room-7.ics", "room-7-busy.ics"]));
    assert!(read("room-7.ics").contains("SUMMARY:Secret") && !read("room-7-busy.ics").contains("Secret"));
}

#[test]
fn each_event_takes_a_number_of_chairs_once() {
    let house = room();
    house
        .json("resource add Chairs --kind equipment --segment 30 --time-zone Europe/Berlin --count '200 chairs'")
        .done();
    let file = house.write("choir.ics", REHEARSALS);
    let import = format!("calendar import {file} --resource Chairs");
    for (count, kind) in [("201", "too_few_units"), ("'40 tables'", "bad_value"), ("half", "bad_value")] {
        let refused = house.json(&format!("{import} --count {count}"));
        assert_eq!(refused.code, 3, "{kind}: {refused:?}");
    }
    house.json(&format!("calendar import {file} --resource 'Room 7' --count 2")).refused("not_counted");
    let left = || {
        let shown = house.json("calendar show Chairs --from 2099-01-06T09:00 --until 2099-01-06T10:30").done();
        shown[0]["periods"][0]["left"].clone()
    };
    assert_eq!(count(&house.json(&format!("{import} --count 40")).done()["bookings"]), 4);
    assert_eq!(left(), 160);
    let again = house.json(&format!("{import} --count 40")).done();
    assert_eq!((count(&again["bookings"]), &again["known"]), (0, &json!(4)));
    assert_eq!(left(), 160);
    // what goes out names the number, and nothing where it only says busy
    let event = |feed: String| -> Vec<String> {
        let told = feed.lines().skip_while(|line| *line != "BEGIN:VEVENT").take_while(|line| *line != "END:VEVENT");
        told.filter(|line| !line.starts_with("DTSTAMP:") && !line.starts_with("UID:")).map(str::to_owned).collect()
    };
    let export = "calendar export Chairs --from 2099-01-06 --until 2099-01-07";
    let golden = [
        "BEGIN:VEVENT",
        "CATEGORIES:BOOKING",
        "DTEND:20990106T093000Z",
        "DTSTART:20990106T080000Z",
        "LOCATION:40 chairs",
        "SEQUENCE:0",
        "SUMMARY:Piano",
        "TRANSP:OPAQUE",
    ];
    assert_eq!(event(house.run(export).out), golden);
    let private = house.run(&format!("{export} --private")).out;
    assert!(private.contains("SUMMARY:busy") && !private.contains("chairs"), "{private}");
    house.verified();
}
