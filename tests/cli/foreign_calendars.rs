//! Whole calendars as Google, Outlook and calcurse write them, each imported into a room of its own.

use serde_json::Value;

use crate::support::House;

const GOOGLE: &str = include_str!("../data/google.ics");
const OUTLOOK: &str = include_str!("../data/outlook.ics");
const CALCURSE: &str = include_str!("../data/calcurse.ics");

/// Lines as the big programs write them: folded after 75 bytes, also in the middle of a letter, and ended by CRLF.
fn folded(text: &str) -> Vec<u8> {
    let mut out = Vec::new();
    for line in text.lines() {
        let (mut rest, mut room) = (line.as_bytes(), 75);
        while rest.len() > room {
            let (head, tail) = rest.split_at(room);
            out.extend_from_slice(head);
            out.extend_from_slice(b"\r\n ");
            (rest, room) = (tail, 74);
        }
        out.extend_from_slice(rest);
        out.extend_from_slice(b"\r\n");
    }
    out
}

struct Room {
    house: House,
    file: String,
}

impl Room {
    fn with(bytes: &[u8]) -> Self {
        let house = House::empty();
        house.json("resource add Room --kind room --segment 30 --time-zone Europe/Berlin").done();
        let path = house.path("foreign.ics");
        std::fs::write(&path, bytes).unwrap();
        let file = path.display().to_string();
        Self { house, file }
    }

    fn import(&self) -> Value {
        let line = format!("calendar import {} --resource Room", self.file);
        self.house.json(&line).done()
    }
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// `10-06T18:00 10-06T20:00 Choir` of each booking, what was wanted of it.
fn booked(done: &Value) -> Vec<String> {
    let list = done["bookings"].as_array().unwrap().iter();
    let mut all: Vec<String> = list
        .map(|one| {
            format!(
                "{} {} {}",
                &text(&one["wanted_from"])[5..16],
                &text(&one["wanted_until"])[5..16],
                text(&one["title"]).split(' ').next().unwrap()
            )
        })
        .collect();
    all.sort();
    all
}

fn left_out(done: &Value) -> Vec<&str> {
    let list = done["left_out"].as_array().unwrap().iter();
    list.map(|one| text(&one["problem"])).collect()
}

#[test]
fn googles_calendar_keeps_its_moved_its_canceled_and_its_left_out_rehearsals() {
    let room = Room::with(&folded(GOOGLE));
    let done = room.import();
    assert_eq!(
        booked(&done),
        [
            "10-06T18:00 10-06T20:00 Chorprobe",
            "10-20T19:00 10-20T21:00 Chorprobe,",
            "11-03T18:00 11-03T20:00 Chorprobe",
            "11-17T18:00 11-17T20:00 Chorprobe",
            "12-01T10:00 12-01T11:30 UTC",
            "12-24T00:00 12-27T00:00 Weihnachten",
        ]
    );
    assert_eq!(left_out(&done), ["it is canceled"]);
    let first = &done["bookings"][0];
    assert_eq!(
        first["title"],
        "Chorprobe „Zauberflöte“ – Überlänge möglich, Öffnung durch die Königin der Nacht persönlich"
    );
    assert!(text(&first["note"]).starts_with("Probenraum Süd, 2. Stock · <b>Große Probe</b>, mit"));
    assert_eq!(first["from"], "2099-10-06T18:00:00+02:00");
    let again = room.import();
    assert_eq!((booked(&again).len(), &again["known"]), (0, &6.into()));
    // an exception that goes again is the time that it was: known, not booked twice, and told
    let without: Vec<&str> = GOOGLE.split("BEGIN:VEVENT").collect();
    let without: Vec<&str> = without.into_iter().filter(|part| !part.contains("America/New_York")).collect();
    let file = room.house.write("later.ics", &without.join("BEGIN:VEVENT"));
    let line = format!("calendar import {file} --resource Room");
    assert_eq!(room.house.json(&line).refused("times_differ")["times"].as_array().unwrap().len(), 1);
    room.house.verified();
}

#[test]
fn outlooks_calendar_is_read_with_its_zones_by_description_by_windows_and_by_a_path() {
    let mut bytes = b"\xef\xbb\xbf".to_vec();
    bytes.extend(folded(OUTLOOK));
    let room = Room::with(&bytes);
    let done = room.import();
    assert_eq!(
        booked(&done),
        [
            "07-02T10:05 07-02T11:30 Übergabe",
            "08-03T00:00 08-08T00:00 Betriebsferien",
            "09-01T10:00 09-01T11:00 Graph",
            "10-06T08:00 10-06T09:00 Jour",
            "12-01T08:00 12-01T09:00 Jour",
        ]
    );
    assert_eq!(left_out(&done), ["it is marked as free time"]);
    assert_eq!(done["bookings"][0]["note"], "Zeile 1 Zeile 2, mit Komma");
    room.house.verified();
    // as closed days also what Outlook marks as free, and what it writes as times from midnight until midnight
    let only: Vec<&str> = OUTLOOK.split("BEGIN:VEVENT").collect();
    let head = only[0];
    let days = only.iter().filter(|part| part.contains("ALLDAYEVENT:TRUE"));
    let mut parts = vec![head];
    parts.extend(days);
    let mut file = parts.join("BEGIN:VEVENT");
    if !file.contains("END:VCALENDAR") {
        file.push_str("END:VCALENDAR\n");
    }
    let file = room.house.write("days.ics", &file);
    let done = room.house.json(&format!("calendar import {file} --as closed-days --skip-conflicts")).done();
    let closed: Vec<&str> = done["closed_days"].as_array().unwrap().iter().map(text).collect();
    assert_eq!(
        closed,
        ["2099-08-03", "2099-08-04", "2099-08-05", "2099-08-06", "2099-08-07", "2099-10-05", "2099-10-06"]
    );
}

#[test]
fn calcurses_calendar_floats_over_the_end_of_summer_time() {
    let room = Room::with(CALCURSE.as_bytes());
    let done = room.import();
    assert_eq!(
        booked(&done),
        [
            "10-23T22:00 10-24T06:00 Night",
            "10-24T22:00 10-25T05:00 Night",
            "10-25T22:00 10-26T06:00 Night",
            "11-05T09:30 11-05T11:00 Piano",
            "11-11T12:11 11-11T12:56 UTC",
            "12-03T09:30 12-03T11:00 Piano",
            "12-24T00:00 12-25T00:00 Heiligabend",
            "12-24T00:00 12-25T00:00 Heiligabend",
        ]
    );
    let why = "it takes no time: it ends when it starts";
    assert_eq!(left_out(&done), [why, why]);
    room.house.verified();
}

#[test]
fn a_huge_or_never_ending_calendar_is_refused_at_once_and_changes_nothing() {
    let event = |rule: &str| {
        format!(
            "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:a\nSUMMARY:Tick\nDTSTART:20000101T000000Z\nDURATION:PT1S\nRRULE:{rule}\nEND:VEVENT\nEND:VCALENDAR\n"
        )
    };
    for (rule, said) in [
        ("FREQ=SECONDLY", "--until"),
        ("FREQ=SECONDLY;UNTIL=20991231T000000Z", "too often"),
        ("FREQ=DAILY;UNTIL=99991231T000000Z", "--until"),
    ] {
        let room = Room::with(event(rule).as_bytes());
        let line = format!("calendar import {} --resource Room", room.file);
        let ran = room.house.json(&line);
        ran.refused("bad_calendar");
        assert!(ran.err.contains(said), "{}", ran.err);
        let list = room.house.json("calendar list").done();
        assert_eq!(list.as_array().unwrap().len(), 0);
    }
    // a rule of rare days, in a zone whose onsets begin in 1601
    let onset = |kind: &str, month: u32, from: &str, to: &str| {
        format!(
            "BEGIN:{kind}\nDTSTART:16010101T020000\nRRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH={month}\nTZOFFSETFROM:{from}\nTZOFFSETTO:{to}\nEND:{kind}\n"
        )
    };
    let zone = [onset("STANDARD", 10, "+0200", "+0100"), onset("DAYLIGHT", 3, "+0100", "+0200")].concat();
    let rare = format!(
        "BEGIN:VCALENDAR\nBEGIN:VTIMEZONE\nTZID:Own\n{zone}END:VTIMEZONE\nBEGIN:VEVENT\nUID:a\nSUMMARY:Rare\nDTSTART;TZID=Own:20990105T100000\nDURATION:PT1H\nRRULE:FREQ=YEARLY;BYDAY=53MO;UNTIL=99991231T235959Z\nEND:VEVENT\nEND:VCALENDAR\n"
    );
    let rare = Room::with(rare.as_bytes());
    let line = format!("calendar import {} --resource Room", rare.file);
    let ran = rare.house.json(&line);
    ran.refused("bad_value");
    assert!(ran.err.contains("before the year 2500"), "{}", ran.err);
    let huge = Room::with(&vec![b'x'; 17 * 1024 * 1024]);
    let line = format!("calendar import {} --resource Room", huge.file);
    let ran = huge.house.json(&line);
    ran.refused("bad_calendar");
    assert!(ran.err.contains("more than 16 MB"), "{}", ran.err);
}
