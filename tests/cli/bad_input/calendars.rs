//! Calendars that come in and cannot be true: each told with its line and title, and nothing half of it done.

use chrono::{Days, NaiveDate};
use chrono_tz::Tz;
use serde_json::Value;
use willcall::engine::clock::{Clock, SystemClock};

use crate::support::House;

/// Day counted from one next month.
fn day(number: u64) -> NaiveDate {
    SystemClock::default().now().in_zone(Tz::UTC).date_naive() + Days::new(30 + number)
}

fn night(uid: &str, number: u64, more: &str) -> String {
    let [from, until] = [number, number + 1].map(|number| day(number).format("%Y%m%d").to_string());
    format!(
        "BEGIN:VEVENT\r\nUID:{uid}\r\nSUMMARY:Müller\r\nDTSTART;VALUE=DATE:{from}\r\nDTEND;VALUE=DATE:{until}\r\n{more}END:VEVENT\r\n"
    )
}

/// Event of one minute or day, with lines that may be wrong.
fn timed(title: &str, zone: &str, more: &str) -> String {
    let from = day(5).format("%Y%m%dT100000");
    format!("BEGIN:VEVENT\r\nUID:{title}\r\nSUMMARY:{title}\r\nDTSTART{zone}:{from}\r\n{more}END:VEVENT\r\n")
}

fn calendar(events: &str) -> String {
    format!("BEGIN:VCALENDAR\r\nVERSION:2.0\r\n{events}END:VCALENDAR\r\n")
}

fn latin1(text: &str) -> Vec<u8> {
    text.chars().map(|letter| u8::try_from(u32::from(letter)).unwrap()).collect()
}

fn utf16(text: &str) -> Vec<u8> {
    text.encode_utf16().flat_map(u16::to_le_bytes).collect()
}

/// Starts of all bookings of a house.
fn starts(house: &House) -> Vec<NaiveDate> {
    let list = house.json("calendar list").done();
    let start = |one: &Value| one["from"].as_str().unwrap()[..10].parse().unwrap();
    list.as_array().unwrap().iter().map(start).collect()
}

#[test]
fn files_that_cannot_be_the_truth() {
    let house = House::empty();
    for name in ["Nights", "Other"] {
        house.json(&format!("resource add {name} --kind room --segment 1440 --time-zone Europe/Berlin")).done();
    }
    let file = house.path("portal.ics").display().to_string();
    let write = |bytes: &[u8]| std::fs::write(house.path("portal.ics"), bytes).unwrap();
    let brought = night("a", 1, "");
    write(calendar(&brought).as_bytes());
    let follow = format!("calendar follow Portal {file} --resource Nights --gone free --until 730d");
    house.json(&follow).done();
    let zone = timed("Mars", ";TZID=Mars/Base", "DURATION:PT1H\r\n");
    let often = timed("Often", "", "DURATION:PT1M\r\nRRULE:FREQ=MINUTELY;COUNT=1000000000\r\n");
    let two = [night("b", 5, ""), night("b", 9, "")].concat();
    let whole = calendar(&(brought.clone() + &night("c", 11, "")));
    let cut = whole.rfind("DTEND").unwrap() + 9;
    let wrong = night("d", 5, "").replace("DTEND;VALUE=DATE:", "DTEND;VALUE=DATE:x");
    for (bytes, said) in [
        (
            calendar(&(brought.clone() + &two)).into_bytes(),
            "line 9 (Müller): its UID is that of the event on line 15 too",
        ),
        (calendar(&(brought.clone() + &zone)).into_bytes(), "line 12 (Mars): nobody knows the time zone 'Mars/Base'"),
        (calendar(&(brought.clone() + &often)).into_bytes(), "line 9 (Often): it comes more than 2000 times"),
        (calendar(&(brought.clone() + &wrong)).into_bytes(), "line 13 (Müller): 'x2"),
        (latin1(&calendar(&brought)), "Line 5 is no UTF-8 text. Export the calendar again, as UTF-8."),
        (utf16(&calendar(&brought)), "Export"),
        (whole.as_bytes()[..cut].to_vec(), "The VEVENT that begins on line 9 does not end: the file is cut off."),
        (b"PK\x03\x04\x00\x00".to_vec(), "is no line of a calendar"),
        (Vec::new(), "empty"),
    ] {
        write(&bytes);
        for line in [&follow, &format!("calendar import {file} --resource Nights")] {
            let ran = house.run(line);
            assert_eq!(ran.code, 3, "{line}: {ran:?}");
            assert!(ran.out.contains(said) || ran.err.contains(said), "{said}: {ran:?}");
            assert_eq!(starts(&house), [day(1)], "nothing half: {ran:?}");
        }
    }
    // a broken line that nothing hangs on is told, and the rest is read
    write(calendar(&(brought.clone() + &night("e", 20, "GEO;=;x\r\n"))).as_bytes());
    let ran = house.run(&follow);
    assert!(ran.code == 0 && ran.out.contains("Note: line 14 (Müller): 'GEO;=;x' is not read"), "{ran:?}");
    assert_eq!(starts(&house), [day(1), day(20)]);
    // the feed of another room, under the name of this one
    let other = house.write("other.ics", &calendar(&night("x", 25, "")));
    for line in [format!("calendar follow Portal {other}"), format!("calendar follow Portal {file} --resource Other")] {
        let facts = house.json(&line).refused("bad_value");
        assert!(facts["problem"].as_str().unwrap().contains("choose another name for another one"), "{facts}");
    }
    assert_eq!(starts(&house), [day(1), day(20)]);
    house.verified();
}
