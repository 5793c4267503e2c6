//! Files as Google, Outlook and calcurse write them, and worse ones.

use chrono_tz::Europe;

use super::*;
use crate::domain::time::{Instant, Span, day_start, parse_date, parse_local};

fn at(text: &str) -> Instant {
    parse_local(text, Europe::Berlin).unwrap()
}

fn reading(from: Option<&str>, until: Option<&str>) -> Reading {
    let day = |text: &str| day_start(parse_date(text).unwrap(), Europe::Berlin);
    Reading {
        zone: Europe::Berlin,
        window: Window { from: from.map(day), until: until.map(day) },
        free: FreeTime::LeaveOut,
    }
}

fn open(text: &str) -> ImportedCalendar {
    read(text.as_bytes(), &reading(None, None)).unwrap()
}

/// A calendar of events.
fn calendar(events: &str) -> String {
    format!("BEGIN:VCALENDAR\r\nVERSION:2.0\r\n{events}END:VCALENDAR\r\n")
}

fn event(lines: &str) -> String {
    calendar(&format!("BEGIN:VEVENT\r\nUID:a@b\r\nSUMMARY:Talk\r\n{lines}\r\nEND:VEVENT\r\n"))
}

fn starts(read: &ImportedCalendar) -> Vec<String> {
    let entries = read.entries.iter();
    entries.map(|entry| entry.slot.from().rfc3339(Europe::Berlin)).collect()
}

fn slot(from: &str, until: &str) -> Slot {
    Slot::new(at(from), at(until)).unwrap()
}

const GOOGLE: &str = "BEGIN:VCALENDAR\r
PRODID:-//Google Inc//Google Calendar 70.9054//EN\r
VERSION:2.0\r
CALSCALE:GREGORIAN\r
METHOD:PUBLISH\r
X-WR-CALNAME:Rehearsals\r
X-WR-TIMEZONE:Europe/Berlin\r
BEGIN:VTIMEZONE\r
TZID:Europe/Berlin\r
X-LIC-LOCATION:Europe/Berlin\r
BEGIN:DAYLIGHT\r
TZOFFSETFROM:+0100\r
TZOFFSETTO:+0200\r
TZNAME:GMT+2\r
DTSTART:19700329T020000\r
RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU\r
END:DAYLIGHT\r
BEGIN:STANDARD\r
TZOFFSETFROM:+0200\r
TZOFFSETTO:+0100\r
TZNAME:GMT+1\r
DTSTART:19701025T030000\r
RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU\r
END:STANDARD\r
END:VTIMEZONE\r
BEGIN:VEVENT\r
DTSTART;TZID=Europe/Berlin:20261019T180000\r
DTEND;TZID=Europe/Berlin:20261019T203000\r
RRULE:FREQ=WEEKLY;WKST=MO;UNTIL=20261109T225959Z;BYDAY=MO\r
EXDATE;TZID=Europe/Berlin:20261102T180000\r
DTSTAMP:20261001T080000Z\r
UID:5v1c3@google.com\r
DESCRIPTION:Strings\\, brass\\; and a very long line that Google folds in the m\r
 iddle of a word\\nsecond line\r
SUMMARY:Rehearsal\r
TRANSP:OPAQUE\r
BEGIN:VALARM\r
ACTION:DISPLAY\r
DESCRIPTION:This is an event reminder\r
TRIGGER:-P0DT0H30M0S\r
END:VALARM\r
END:VEVENT\r
BEGIN:VEVENT\r
DTSTART;TZID=Europe/Berlin:20261026T190000\r
DTEND;TZID=Europe/Berlin:20261026T210000\r
UID:5v1c3@google.com\r
RECURRENCE-ID;TZID=Europe/Berlin:20261026T180000\r
SUMMARY:Rehearsal\\, late\r
END:VEVENT\r
BEGIN:VEVENT\r
DTSTART;VALUE=DATE:20261224\r
DTEND;VALUE=DATE:20261227\r
UID:xmas@google.com\r
SUMMARY:Christmas\r
TRANSP:TRANSPARENT\r
END:VEVENT\r
END:VCALENDAR\r
";

#[test]
fn a_google_calendar_has_its_rehearsals_without_the_exception_and_with_the_changed_one() {
    let read = open(GOOGLE);
    assert_eq!(starts(&read), ["2026-10-19T18:00:00+02:00", "2026-11-09T18:00:00+01:00", "2026-10-26T19:00:00+01:00"]);
    assert_eq!(read.problems, []);
    let first = &read.entries[0];
    assert_eq!(first.uid, "5v1c3@google.com/20261019T180000");
    assert_eq!(first.line, 26);
    assert!(
        first.note.starts_with("Strings, brass; and a very long line that Google folds in the middle of a word second")
    );
    let changed = &read.entries[2];
    assert_eq!((changed.title.as_str(), changed.uid.as_str()), ("Rehearsal, late", "5v1c3@google.com/20261026T180000"));
    assert_eq!((read.left_out[0].title.as_str(), read.left_out[0].line), ("Christmas", 50));
}

const OUTLOOK: &str = "\u{feff}BEGIN:VCALENDAR\r
METHOD:PUBLISH\r
PRODID:Microsoft Exchange Server 2010\r
VERSION:2.0\r
BEGIN:VTIMEZONE\r
TZID:Customized Time Zone\r
BEGIN:STANDARD\r
DTSTART:16010101T030000\r
TZOFFSETFROM:+0200\r
TZOFFSETTO:+0100\r
RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=10\r
END:STANDARD\r
BEGIN:DAYLIGHT\r
DTSTART:16010101T020000\r
TZOFFSETFROM:+0100\r
TZOFFSETTO:+0200\r
RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=3\r
END:DAYLIGHT\r
END:VTIMEZONE\r
BEGIN:VEVENT\r
UID:040000008200E00074C5B7101A82E008\r
SUMMARY;LANGUAGE=de-DE:Sitzung\r
DTSTART;TZID=W. Europe Standard Time:20261201T100500\r
DTEND;TZID=W. Europe Standard Time:20261201T113000\r
CLASS:PUBLIC\r
X-MICROSOFT-CDO-BUSYSTATUS:BUSY\r
X-ALT-DESC;FMTTYPE=text/html:<html><body>\\n</body></html>\r
ORGANIZER;CN=\"Lee; Ann\":mailto:ann@example.com\r
END:VEVENT\r
BEGIN:VEVENT\r
UID:summer\r
SUMMARY:Summer\r
DTSTART;TZID=\"Customized Time Zone\":20260701T100000\r
DURATION:PT90M\r
END:VEVENT\r
BEGIN:VEVENT\r
UID:winter\r
SUMMARY:Winter\r
DTSTART;TZID=Customized Time Zone:20261201T100000\r
DURATION:PT1H\r
END:VEVENT\r
END:VCALENDAR\r
";

#[test]
fn an_outlook_calendar_is_read_with_windows_zones_and_with_its_own() {
    let read = open(OUTLOOK);
    assert_eq!(read.problems, []);
    let slots: Vec<Slot> = read.entries.iter().map(|entry| entry.slot).collect();
    assert_eq!(
        slots,
        [
            slot("2026-12-01T10:05", "2026-12-01T11:30"),
            slot("2026-07-01T10:00", "2026-07-01T11:30"),
            slot("2026-12-01T10:00", "2026-12-01T11:00"),
        ]
    );
}

const CALCURSE: &str = "BEGIN:VCALENDAR
PRODID:-//calcurse//NONSGML v4.6.0//EN
VERSION:2.0
BEGIN:VEVENT
DTSTART:20261201T093000
DURATION:P0DT1H30M0S
RRULE:FREQ=DAILY;INTERVAL=1;UNTIL=20261203T235959
SUMMARY:Piano tuning
END:VEVENT
BEGIN:VEVENT
DTSTART;VALUE=DATE:20261224
SUMMARY:Closed
END:VEVENT
BEGIN:VTODO
PRIORITY:1
SUMMARY:Buy rosin
END:VTODO
END:VCALENDAR
";

#[test]
fn a_calcurse_calendar_floats_and_its_nameless_events_keep_their_names() {
    let read = open(CALCURSE);
    assert_eq!(read.entries.len(), 4);
    assert_eq!(read.entries[0].slot, slot("2026-12-01T09:30", "2026-12-01T11:00"));
    assert_eq!(read.entries[3].slot, slot("2026-12-24T00:00", "2026-12-25T00:00"));
    let names = |read: &ImportedCalendar| read.entries.iter().map(|entry| entry.uid.clone()).collect::<Vec<_>>();
    assert_eq!(names(&read), names(&open(CALCURSE)));
    let mut different = names(&read);
    different.dedup();
    assert_eq!(different.len(), 4);
}

#[test]
fn what_never_ends_asks_until_when() {
    let file = event("DTSTART:20200106T100000Z\r\nDTEND:20200106T110000Z\r\nRRULE:FREQ=WEEKLY");
    let error = read(file.as_bytes(), &reading(None, None)).unwrap_err();
    assert_eq!(error, IcalError::Endless { line: 8, title: "Talk".into() });
    assert!(error.to_string().contains("--until"));
    let window = reading(Some("2026-12-01"), Some("2026-12-15"));
    let read = read(file.as_bytes(), &window).unwrap();
    assert_eq!(starts(&read), ["2026-12-07T11:00:00+01:00", "2026-12-14T11:00:00+01:00"]);
}

#[test]
fn what_is_wrong_with_one_event_is_told_with_its_line_and_the_others_are_read() {
    for (lines, line, part) in [
        ("DTEND:20261201T100000", 3, "no DTSTART"),
        ("DTSTART:tomorrow", 6, "'tomorrow' is no date"),
        ("DTSTART:20261301T100000", 6, "no date"),
        ("DTSTART:20261201T1000", 6, "no date"),
        ("DTSTART;TZID=Mars/Base:20261201T100000", 6, "'Mars/Base'"),
        ("DTSTART:20261201T100000\r\nDTEND:20261201T090000", 7, "ends before"),
        ("DTSTART:20261201T100000\r\nDURATION:90", 7, "'90' is no length"),
        ("DTSTART:20261201T100000\r\nDURATION:P99999999W", 7, "no length"),
        ("DTSTART:20261201T100000\r\nDURATION:-PT1H", 7, "no length"),
        ("DTSTART:20261201T100000\r\nDURATION:PT1H\r\nRRULE:FREQ=NEVER", 8, "no rule"),
        ("DTSTART:20261201T100000\r\nDURATION:PT1H\r\nEXDATE:x", 8, "no date"),
        ("DTSTART:20260329T023000\r\nDURATION:PT1H", 3, "does not exist"),
        ("DTSTART:20261201T100000\r\nDURATION:PT1H\r\nRRULE:FREQ=MINUTELY;COUNT=9999", 3, "2000 times"),
    ] {
        let read = open(&event(lines));
        assert_eq!(read.entries, [], "{lines}");
        let problem = &read.problems[0];
        assert!(problem.what.contains(part), "{lines}: {}", problem.what);
        assert_eq!((problem.line, problem.title.as_str()), (line, "Talk"), "{lines}");
    }
}

#[test]
fn a_broken_file_is_refused_with_the_line() {
    let cases: [(&[u8], &str); 6] = [
        (b" \r\n", "empty"),
        (b"<html>\n<body>", "Line 1 is no line"),
        (b"BEGIN:VCARD\nEND:VCARD\n", "BEGIN:VCALENDAR"),
        (b"BEGIN:VCALENDAR\nEND:VEVENT\n", "Line 2 ends VEVENT where VCALENDAR is open"),
        (b"END:VCALENDAR\n", "Line 1 ends VCALENDAR"),
        (b"BEGIN:VCALENDAR\nSUMMARY:a\xffb\nEND:VCALENDAR\n", "Line 2 is no UTF-8"),
    ];
    for (bytes, part) in cases {
        let error = read(bytes, &reading(None, None)).unwrap_err().to_string();
        assert!(error.contains(part), "{error}");
    }
    let deep = "BEGIN:X\n".repeat(50);
    assert!(matches!(read(deep.as_bytes(), &reading(None, None)), Err(IcalError::TooDeep { line: 9 })));
    let huge = vec![b' '; BYTES_MAX + 1];
    assert_eq!(read(&huge, &reading(None, None)), Err(IcalError::TooLarge));
}

#[test]
fn a_letter_that_was_folded_in_its_middle_is_whole() {
    let mut bytes = event("DTSTART:20261201T100000\r\nDURATION:PT1H").into_bytes();
    let at = bytes.windows(4).position(|four| four == b"Talk").unwrap();
    bytes.splice(at..at + 4, *b"Caf\xc3\r\n \xa9");
    let read = read(&bytes, &reading(None, None)).unwrap();
    assert_eq!(read.entries[0].title, "Café");
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(120))]

    /// A house's own times go out in one zone and come in again at the same hours, in a house of the same zone.
    #[test]
    fn what_goes_out_comes_in_at_the_same_hours(
        zone in 0..chrono_tz::TZ_VARIANTS.len(),
        bookings in proptest::collection::vec((0..900_i64, 0..96_i64, 1..200_i64, proptest::bool::ANY), 1..12),
    ) {
        let zone = chrono_tz::TZ_VARIANTS[zone];
        let first = parse_date("2030-01-01").unwrap();
        let day = |days: i64| day_start(first + chrono::TimeDelta::days(days), zone);
        let booking = |(number, (date, quarter, length, is_days)): (usize, &(i64, i64, i64, bool))| Exported {
            uid: format!("{number}@willcall"),
            slot: if *is_days {
                Slot::new(day(*date), day(date + 1 + length % 20)).unwrap()
            } else {
                let from = day(*date) + Span::minutes(quarter * 15);
                Slot::new(from, from + Span::minutes(length * 15)).unwrap()
            },
            title: format!("Booking {number}"),
            note: String::new(),
            place: "Room".into(),
            category: "booking".into(),
            changed_at: day(0),
            sequence: 0,
        };
        let out: Vec<Exported> = bookings.iter().enumerate().map(booking).collect();
        let file = write("Room", zone, (&out, Privacy::Open));
        let reading = Reading { zone, window: Window::default(), free: FreeTime::LeaveOut };
        let read = read(file.as_bytes(), &reading).unwrap();
        proptest::prop_assert_eq!((read.problems, read.notes, read.cut_off), (Vec::new(), Vec::new(), None));
        let came: Vec<(String, Slot)> = read.entries.into_iter().map(|entry| (entry.uid, entry.slot)).collect();
        let went: Vec<(String, Slot)> = out.into_iter().map(|one| (one.uid, one.slot)).collect();
        proptest::prop_assert_eq!(came, went);
    }

    /// Whatever is cut out of a file, put in or repeated, it is read or refused.
    #[test]
    fn no_file_is_too_odd(
        (which, at, gone) in (0..3_usize, 0..2000_usize, 0..60_usize),
        put in "[A-Z0-9;:=,TZ/\"\\\\\r\n -]{0,24}|DURATION:P9999999999W|RRULE:FREQ=[A-Z]{1,8};COUNT=[0-9]{1,9}",
    ) {
        let mut bytes = [GOOGLE, OUTLOOK, CALCURSE][which].as_bytes().to_vec();
        let at = at.min(bytes.len());
        let end = (at + gone).min(bytes.len());
        bytes.splice(at..end, put.into_bytes());
        let _ = read(&bytes, &reading(None, Some("2027-01-01")));
    }
}

#[test]
fn whole_days_are_the_zones_own_and_a_night_is_a_night() {
    let read = open(&event("DTSTART;VALUE=DATE:20261025\r\nDTEND;VALUE=DATE:20261026"));
    assert_eq!(read.entries[0].slot.span().millis(), 25 * 3_600_000);
    let read = open(&event("DTSTART;VALUE=DATE:20261025\r\nDTEND;VALUE=DATE:20261025"));
    assert_eq!(read.entries[0].slot.span().millis(), 25 * 3_600_000);
}

#[test]
fn dates_that_are_added_and_taken_away_count() {
    let read = open(&event(
        "DTSTART:20261201T100000\r\nDURATION:PT1H\r\nRRULE:FREQ=DAILY;COUNT=3\r\nRDATE:20261210T120000,20261211T120000\r\nRDATE;VALUE=PERIOD:20261212T110000Z/PT1H\r\nEXDATE;VALUE=DATE:20261202\r\nEXDATE:20261211T120000",
    ));
    assert_eq!(
        starts(&read),
        [
            "2026-12-01T10:00:00+01:00",
            "2026-12-03T10:00:00+01:00",
            "2026-12-10T12:00:00+01:00",
            "2026-12-12T12:00:00+01:00"
        ]
    );
}

#[test]
fn a_recurrence_that_would_be_half_understood_is_told_with_its_line() {
    for (lines, line, part) in [
        (
            "DTSTART:20261201T100000\r\nDURATION:PT1H\r\nRRULE:FREQ=DAILY;COUNT=2\r\nRRULE:FREQ=WEEKLY;COUNT=2",
            9,
            "more than one rule",
        ),
        (
            "DTSTART:20261201T100000\r\nDURATION:PT1H\r\nRRULE:FREQ=DAILY;COUNT=9\r\nEXRULE:FREQ=WEEKLY;COUNT=2",
            9,
            "an EXRULE",
        ),
        (
            "DTSTART:20261201T100000\r\nDURATION:PT1H\r\nRECURRENCE-ID;RANGE=THISANDPRIOR:20261130T100000",
            8,
            "changes times before it too",
        ),
        ("DTSTART:20261201T100000\r\nDURATION:PT1H\r\nRRULE:FREQ=DAILY;UNTIL=99991231T000000Z", 3, "with --until"),
    ] {
        let read = open(&event(lines));
        assert_eq!(read.entries.len(), 0, "{lines}");
        assert_eq!(read.problems[0].line, line, "{lines}");
        assert!(read.problems[0].what.contains(part), "{:?}", read.problems);
    }
}

#[test]
fn what_ends_when_it_starts_takes_no_time() {
    for lines in [
        "DTSTART:20261201T100000\r\nDTEND:20261201T100000",
        "DTSTART:20261201T100000\r\nDURATION:P0DT0H0M0S",
        "DTSTART:20261201T100000",
    ] {
        let read = open(&event(lines));
        assert_eq!((read.entries.len(), read.problems.len()), (0, 0));
        assert!(read.left_out[0].what.contains("takes no time"), "{lines}");
    }
}

#[test]
fn a_changed_time_is_known_in_whichever_zone_it_names_it() {
    let part = |lines: &str| format!("BEGIN:VEVENT\r\nUID:s\r\nDURATION:PT1H\r\n{lines}\r\nEND:VEVENT\r\n");
    let series = part("DTSTART;TZID=Europe/Berlin:20261201T180000\r\nRRULE:FREQ=DAILY;COUNT=3");
    let moved =
        part("DTSTART;TZID=America/New_York:20261202T130000\r\nRECURRENCE-ID;TZID=Europe/Berlin:20261202T180000");
    let gone = part("DTSTART:20261203T170000Z\r\nRECURRENCE-ID:20261203T170000Z\r\nSTATUS:CANCELLED");
    let read = open(&calendar(&format!("{moved}{gone}{series}")));
    assert_eq!(starts(&read), ["2026-12-02T19:00:00+01:00", "2026-12-01T18:00:00+01:00"]);
    // as it would be called if it had not been changed
    assert_eq!(read.entries[0].uid, "s/20261202T180000");
}

#[test]
fn a_zone_that_ended_its_summer_time_long_ago_stays_in_its_last_offset() {
    let zone = "BEGIN:VTIMEZONE\r\nTZID:Inselzeit\\, Süd\r\n\
        BEGIN:STANDARD\r\nDTSTART:19921025T030000\r\nTZOFFSETFROM:+0300\r\nTZOFFSETTO:+0200\r\nRRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU;UNTIL=20161030T000000Z\r\nEND:STANDARD\r\n\
        BEGIN:DAYLIGHT\r\nDTSTART:19930328T020000\r\nTZOFFSETFROM:+0200\r\nTZOFFSETTO:+0300\r\nRRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU;UNTIL=20160327T000000Z\r\nEND:DAYLIGHT\r\nEND:VTIMEZONE\r\n";
    let talk = "BEGIN:VEVENT\r\nDTSTART;TZID=\"Inselzeit, Süd\":20260701T120000\r\nDURATION:PT1H\r\nEND:VEVENT\r\n";
    let read = open(&calendar(&format!("{zone}{talk}")));
    // noon there is ten in UTC, noon in Berlin
    assert_eq!(starts(&read), ["2026-07-01T12:00:00+02:00"]);
}

#[test]
fn whole_days_that_are_written_as_times_and_zones_by_a_path_are_understood() {
    let read = open(&event(
        "DTSTART;TZID=W. Europe Standard Time:20261201T000000\r\nDTEND;TZID=W. Europe Standard Time:20261203T000000\r\nX-MICROSOFT-CDO-ALLDAYEVENT:TRUE",
    ));
    assert!(matches!(read.entries[0].local, LocalSlot::Days(..)));
    let read = open(&event("DTSTART;TZID=\"tzone://Microsoft/Utc\":20261201T080000\r\nDURATION:PT1H"));
    assert_eq!(starts(&read), ["2026-12-01T09:00:00+01:00"]);
}

#[test]
fn a_calendar_that_is_taken_back_takes_back_each_of_its_events() {
    let file =
        event("DTSTART:20261201T100000\r\nDURATION:PT1H").replace("BEGIN:VEVENT", "METHOD:CANCEL\r\nBEGIN:VEVENT");
    let read = open(&file);
    assert_eq!((read.entries.len(), read.left_out.len()), (0, 1));
}

#[test]
fn canceled_events_and_canceled_times_of_recurrences_are_left_out() {
    let series = "BEGIN:VEVENT\r\nUID:s\r\nDTSTART:20261201T100000\r\nDURATION:PT1H\r\nRRULE:FREQ=DAILY;COUNT=2\r\nEND:VEVENT\r\n";
    let gone = "BEGIN:VEVENT\r\nUID:s\r\nSTATUS:CANCELLED\r\nRECURRENCE-ID:20261202T100000\r\nDTSTART:20261202T100000\r\nDURATION:PT1H\r\nEND:VEVENT\r\n";
    let read = open(&calendar(&format!("{gone}{series}")));
    assert_eq!(starts(&read), ["2026-12-01T10:00:00+01:00"]);
    assert_eq!(read.left_out.len(), 1);
}

#[test]
fn what_is_written_reads_back_and_keeps_to_the_format() {
    let booking = Exported {
        uid: "0192-b@willcall".into(),
        slot: slot("2026-12-01T10:05", "2026-12-01T11:30"),
        title: "Strings; brass, \\o/ and \u{1b}[2J woodwind 劇場の席劇場の席劇場の席劇場の席劇場の席劇場の席".into(),
        note: "first\nBEGIN:VEVENT".into(),
        place: "Hall, left".into(),
        category: "booking".into(),
        changed_at: at("2026-11-01T10:00"),
        sequence: 2,
    };
    let night = Exported { slot: slot("2026-12-01T00:00", "2026-12-03T00:00"), uid: "night".into(), ..booking.clone() };
    let all = [booking, night];
    let file = write("Room: 1", Europe::Berlin, (&all, Privacy::Open));
    assert!(file.ends_with("END:VCALENDAR\r\n") && !file.replace("\r\n", "").contains(['\r', '\n']));
    assert!(file.lines().all(|line| line.len() <= 75), "{file}");
    assert!(
        file.contains("DTSTART;VALUE=DATE:20261201\r\n") && file.contains("DTSTART:20261201T090500Z\r\n"),
        "{file}"
    );
    assert_eq!(file.matches("\r\nBEGIN:VEVENT\r\n").count(), 2, "{file}");
    let read = open(&file);
    let first = &read.entries[0];
    assert_eq!((first.uid.as_str(), first.slot), ("0192-b@willcall", all[0].slot));
    assert!(first.title.starts_with("Strings; brass, \\o/ and [2J woodwind 劇場の席"));
    assert_eq!(first.note, "Hall, left · first BEGIN:VEVENT");
    assert_eq!(read.entries[1].slot, all[1].slot);
    assert_eq!(file, write("Room: 1", Europe::Berlin, (&all, Privacy::Open)));

    let private = write("Room", Europe::Berlin, (&all, Privacy::Busy));
    for word in ["Strings", "Hall", "first"] {
        assert!(!private.contains(word), "{private}");
    }
    assert_eq!(private.matches("SUMMARY:busy").count(), 2);
}

/// Times of a room in Berlin, unless another zone is named.
fn times_in(zone: Tz, file: &str) -> Vec<String> {
    let day = |text: &str| Some(day_start(parse_date(text).unwrap(), zone));
    let window = Window { from: day("2030-01-01"), until: day("2033-01-01") };
    let found = read(file.as_bytes(), &Reading { zone, window, free: FreeTime::LeaveOut }).unwrap();
    found.entries.iter().map(|entry| entry.slot.words(zone, day("2030-06-01").unwrap())).collect()
}

fn times(file: &str) -> Vec<String> {
    times_in(Europe::Berlin, file)
}

/// A calendar of events named `a@b`, of the lines of each.
fn versions(events: &[&str]) -> String {
    let one = |lines: &&str| format!("BEGIN:VEVENT\r\nUID:a@b\r\nSUMMARY:Choir\r\n{lines}\r\nEND:VEVENT\r\n");
    calendar(&events.iter().map(one).collect::<String>())
}

const BERLIN: &str = ";TZID=Europe/Berlin";

#[test]
fn of_two_versions_the_newer_counts_in_either_order() {
    let old = "SEQUENCE:0\r\nDTSTAMP:20300101T000000Z\r\nDTSTART:20301202T100000\r\nDURATION:PT1H";
    let new = "SEQUENCE:2\r\nDTSTAMP:20300105T000000Z\r\nDTSTART:20301203T150000\r\nDURATION:PT2H";
    for events in [[old, new], [new, old]] {
        let file = versions(&events);
        assert_eq!(times(&file), ["Tue 3 Dec 15:00-17:00"]);
        let read = open(&file);
        assert!(read.left_out[0].what.contains("twice in the file; the newer version is that on line"), "{read:?}");
    }
    // of equal numbers the later one; of equal times too they are two events
    let later = new.replace("SEQUENCE:2", "SEQUENCE:0");
    assert_eq!(times(&versions(&[&later, old])), ["Tue 3 Dec 15:00-17:00"]);
    let same = later.replace("20300105", "20300101");
    assert_eq!(times(&versions(&[&same, old])), [""; 0]);
    let read = open(&versions(&[&same, old]));
    assert!(read.problems[0].what.contains("its UID is that of the event on line"), "{read:?}");
    assert_eq!((read.unread.len(), read.left_out.len()), (1, 0), "what it brought before stays");
    let worded = old.replace("DTSTART", "DESCRIPTION:loud\r\nDTSTART");
    assert_eq!(times(&versions(&[old, &worded])), ["Mon 2 Dec 10:00-11:00"], "other words are a version");
    // a newer version that is canceled, or that nobody can read, leaves no time of the older
    assert_eq!(times(&versions(&[old, &format!("{new}\r\nSTATUS:CANCELLED")])), [""; 0]);
    assert_eq!(times(&versions(&[old, &new.replace("DURATION:PT2H", "DURATION:two")])), [""; 0]);
}

#[test]
fn of_two_versions_of_a_series_or_of_one_of_its_times_the_newer_counts() {
    let days = "DTSTART;VALUE=DATE:20301202\r\nRRULE:FREQ=WEEKLY;COUNT=3\r\nSEQUENCE:";
    let file = versions(&[&format!("{days}2\r\nEXDATE;VALUE=DATE:20301209"), &format!("{days}1")]);
    assert_eq!(times(&file), ["Mon 2 Dec", "Mon 16 Dec"]);
    let series = format!("DTSTART{BERLIN}:20301202T100000\r\nDURATION:PT1H\r\nRRULE:FREQ=WEEKLY;COUNT=3");
    let moved = |sequence: u8, zone: &str, id: &str, hour: u8| {
        format!("SEQUENCE:{sequence}\r\nRECURRENCE-ID{zone}:{id}\r\nDTSTART:20301210T{hour}0000\r\nDURATION:PT1H")
    };
    // two spellings of one time
    let file = versions(&[&series, &moved(2, "", "20301209T090000Z", 16), &moved(1, BERLIN, "20301209T100000", 14)]);
    assert_eq!(times(&file), ["Mon 2 Dec 10:00-11:00", "Mon 16 Dec 10:00-11:00", "Tue 10 Dec 16:00-17:00"]);
}

#[test]
fn a_length_in_hours_goes_by_and_days_are_on_the_calendar() {
    for (start, length, time) in [
        ("20310329T230000", "PT5H", "Sat 29 Mar 2031 23:00 - Sun 30 Mar 2031 05:00"),
        ("20310329T120000", "PT24H", "Sat 29 Mar 2031 12:00 - Sun 30 Mar 2031 13:00"),
        ("20310329T120000", "P1D", "Sat 29 Mar 2031 12:00 - Sun 30 Mar 2031 12:00"),
        ("20310329T120000", "P1DT6H", "Sat 29 Mar 2031 12:00 - Sun 30 Mar 2031 18:00"),
        ("20311025T120000", "PT24H", "Sat 25 Oct 2031 12:00 - Sun 26 Oct 2031 11:00"),
    ] {
        let file = event(&format!("DTSTART{BERLIN}:{start}\r\nDURATION:{length}"));
        assert_eq!(times(&file), [time], "{length}");
    }
    // each time of a series by itself
    let file = event(&format!("DTSTART{BERLIN}:20310328T230000\r\nDURATION:PT5H\r\nRRULE:FREQ=DAILY;COUNT=2"));
    assert_eq!(
        times(&file),
        ["Fri 28 Mar 2031 23:00 - Sat 29 Mar 2031 04:00", "Sat 29 Mar 2031 23:00 - Sun 30 Mar 2031 05:00"]
    );
}

#[test]
fn further_dates_have_lengths_of_their_own() {
    let file = event(&format!(
        "DTSTART{BERLIN}:20301202T100000\r\nDTEND{BERLIN}:20301202T110000\r\nRDATE{BERLIN};VALUE=PERIOD:20301209T100000/PT3H,20301216T100000/20301216T140000,20301202T100000/PT2H"
    ));
    assert_eq!(times(&file), ["Mon 2 Dec 10:00-12:00", "Mon 9 Dec 10:00-13:00", "Mon 16 Dec 10:00-14:00"]);
    let alone = event("DTSTART:20301202T100000\r\nRDATE;VALUE=PERIOD:20301209T100000/PT3H");
    assert_eq!(times(&alone), ["Mon 9 Dec 10:00-13:00"]);
    let odd = open(&event("DTSTART:20301202T100000\r\nDURATION:PT1H\r\nRDATE;VALUE=PERIOD:20301209T100000/soon"));
    assert!(odd.entries.is_empty() && odd.problems[0].what.contains("'soon' is no length"), "{odd:?}");
}

#[test]
fn of_whole_days_a_date_counts_as_it_is_written() {
    let weekly = "DTSTART;VALUE=DATE:20301202\r\nRRULE:FREQ=WEEKLY;COUNT=3\r\nEXDATE:20301209T000000Z";
    assert_eq!(times(&event(weekly)), ["Mon 2 Dec", "Mon 16 Dec"]);
    let daily = "DTSTART;VALUE=DATE:20310216\r\nRRULE:FREQ=DAILY;COUNT=4\r\nEXDATE;TZID=W. Europe Standard Time:20310218T000000";
    let london = times_in(Europe::London, &event(daily));
    assert_eq!(london.len(), 3, "{london:?}");
    assert!(!london.iter().any(|time| time.starts_with("Tue 18")), "{london:?}");
    // so do an end and the name of a changed time
    let until = event("DTSTART;VALUE=DATE:20301202\r\nRRULE:FREQ=WEEKLY;UNTIL=20301216T000000Z");
    assert_eq!(times_in(chrono_tz::America::New_York, &until).len(), 3);
    let moved = "RECURRENCE-ID:20301209T000000Z\r\nDTSTART;VALUE=DATE:20301210";
    let series = "DTSTART;VALUE=DATE:20301202\r\nRRULE:FREQ=WEEKLY;COUNT=2";
    assert_eq!(times(&versions(&[series, moved])), ["Mon 2 Dec", "Tue 10 Dec"]);
}

#[test]
fn times_without_a_zone_are_on_the_wall_of_their_start_or_series() {
    let new_york = chrono_tz::America::New_York;
    let file = event(&format!("DTSTART{BERLIN}:20310206T200000\r\nDTEND:20310206T220000"));
    assert_eq!(times_in(new_york, &file), ["Thu 6 Feb 2031 14:00-16:00"]);
    let file = event("DTSTART;TZID=America/New_York:20310206T090000\r\nDTEND:20310206T100000");
    assert_eq!(times(&file), ["Thu 6 Feb 2031 15:00-16:00"]);
    let series = format!(
        "DTSTART{BERLIN}:20310206T200000\r\nDURATION:PT1H\r\nRRULE:FREQ=DAILY;COUNT=3\r\nEXDATE:20310207T200000"
    );
    let moved = "RECURRENCE-ID:20310208T200000\r\nDTSTART:20310208T210000\r\nDTEND:20310208T220000";
    let file = versions(&[&series, moved]);
    assert_eq!(times_in(new_york, &file), ["Thu 6 Feb 2031 14:00-15:00", "Sat 8 Feb 2031 15:00-16:00"]);
}

const SUMMER: &str = "BEGIN:VTIMEZONE\r\nTZID:GMT\r\n\
    BEGIN:STANDARD\r\nDTSTART:20001029T020000\r\nRRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10\r\nTZOFFSETFROM:+0100\r\nTZOFFSETTO:+0000\r\nEND:STANDARD\r\n\
    BEGIN:DAYLIGHT\r\nDTSTART:20000326T010000\r\nRRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3\r\nTZOFFSETFROM:+0000\r\nTZOFFSETTO:+0100\r\nEND:DAYLIGHT\r\nEND:VTIMEZONE\r\n";

#[test]
fn a_zone_is_as_its_file_describes_it() {
    let talk = "BEGIN:VEVENT\r\nDTSTART;TZID=GMT:20310723T102000\r\nDTEND;TZID=GMT:20310723T105000\r\nEND:VEVENT\r\n";
    assert_eq!(times_in(Europe::London, &calendar(&format!("{SUMMER}{talk}"))), ["Wed 23 Jul 2031 10:20-10:50"]);
    assert_eq!(times_in(Europe::London, &calendar(talk)), ["Wed 23 Jul 2031 11:20-11:50"]);
    // one that lists the changes of a few years alone says nothing of later ones
    let past = SUMMER.replace("RRULE", "X-RRULE").replace("TZID:GMT", "TZID:Europe/London");
    let talk = talk.replace("TZID=GMT", "TZID=Europe/London");
    assert_eq!(times_in(Europe::London, &calendar(&format!("{past}{talk}"))), ["Wed 23 Jul 2031 10:20-10:50"]);
    // macOS has written the mean time of the 19th century for zones of today
    let mean = "BEGIN:VTIMEZONE\r\nTZID:Europe/London\r\nBEGIN:STANDARD\r\nDTSTART:20010101T000000\r\n\
        TZOFFSETFROM:+023017\r\nTZOFFSETTO:+023017\r\nEND:STANDARD\r\nEND:VTIMEZONE\r\n";
    assert_eq!(times_in(Europe::London, &calendar(&format!("{mean}{talk}"))), ["Wed 23 Jul 2031 10:20-10:50"]);
}

#[test]
fn a_change_of_all_later_times_is_read_or_leaves_none_at_the_old_time() {
    let series =
        format!("DTSTART{BERLIN}:20301202T100000\r\nDTEND{BERLIN}:20301202T110000\r\nRRULE:FREQ=WEEKLY;COUNT=4");
    let later = |lines: &str| format!("RECURRENCE-ID;RANGE=THISANDFUTURE{BERLIN}:20301216T100000\r\n{lines}");
    let file = versions(&[&series, &later("DTSTART:20301216T150000\r\nDTEND:20301216T170000")]);
    let all = ["Mon 2 Dec 10:00-11:00", "Mon 9 Dec 10:00-11:00", "Mon 16 Dec 15:00-17:00", "Mon 23 Dec 15:00-17:00"];
    let mut found = times(&file);
    found.sort_by_key(|time| all.iter().position(|one| one == time));
    assert_eq!(found, all);
    assert_eq!(open(&file).entries[3].uid, "a@b/20301216T100000");
    let file = versions(&[&series, &later("DTSTART:soon")]);
    assert_eq!(times(&file), all[..2]);
    assert_eq!(open(&file).problems.len(), 2);
    let file = versions(&[&series, &later("STATUS:CANCELLED\r\nDTSTART:20301216T100000\r\nDURATION:PT1H")]);
    assert_eq!(times(&file), all[..2]);
    // a change of which nobody knows the time leaves nothing of the series
    let file = versions(&[&series, "RECURRENCE-ID:soon\r\nDTSTART:20301216T150000\r\nDURATION:PT1H"]);
    assert_eq!(times(&file), [""; 0]);
}

#[test]
fn a_broken_line_spoils_its_own_event_alone_and_only_if_it_gives_time() {
    let talk = "DTSTART:20310206T100000\r\nDURATION:PT1H";
    for line in ["X-APPLE-RADIUS=49.91", "ORGANIZER;CN=Hire SE", "some words", "X;P=\"a"] {
        let read = open(&event(&format!("{line}\r\n{talk}")));
        assert_eq!((read.entries.len(), read.problems.len()), (1, 0), "{line}");
        assert_eq!((read.notes[0].line, read.notes[0].title.as_str()), (6, "Talk"), "{line}");
        assert!(read.notes[0].what.contains("is not read"), "{read:?}");
    }
    for line in
        ["EXDATE;TZID=Europe/Berlin", "RRULE=FREQ=DAILY", "STATUS", "DTEND=20310206T110000", "EXDATE 20310206T100000"]
    {
        let other = "BEGIN:VEVENT\r\nUID:other\r\nDTSTART:20310207T100000\r\nDURATION:PT1H\r\nEND:VEVENT\r\n";
        let spoiled = event(&format!("{line}\r\n{talk}")).replace("END:VCALENDAR", &format!("{other}END:VCALENDAR"));
        let read = open(&spoiled);
        assert_eq!(read.entries.iter().map(|entry| entry.uid.as_str()).collect::<Vec<_>>(), ["other"], "{line}");
        assert_eq!((read.problems[0].line, read.unread.as_slice()), (6, &["a@b".to_owned()][..]), "{line}");
    }
    let twice = open(&event("DTSTART:20310206T100000\r\nDTSTART:20310207T100000\r\nDURATION:PT1H"));
    assert!(twice.entries.is_empty() && twice.problems[0].what.contains("another DTSTART"), "{twice:?}");
}

#[test]
fn a_night_that_does_not_exist_is_left_out_of_its_series() {
    let file =
        event(&format!("DTSTART{BERLIN}:20310328T023000\r\nDTEND{BERLIN}:20310328T033000\r\nRRULE:FREQ=DAILY;COUNT=4"));
    let days = ["Fri 28 Mar 2031 02:30-03:30", "Sat 29 Mar 2031 02:30-03:30", "Mon 31 Mar 2031 02:30-03:30"];
    assert_eq!(times(&file), days);
    let read = open(&file);
    assert_eq!(read.problems, []);
    assert!(read.left_out[0].what.contains("does not exist in Europe/Berlin"), "{read:?}");
}

#[test]
fn small_words_are_understood_or_told() {
    assert_eq!(times(&event("DTSTART;VALUE=DATE:20310301\r\nRRULE:")), ["Sat 1 Mar 2031"]);
    for (zone, time) in [
        ("UTC+01", "Thu 6 Feb 2031 09:00-10:00"),
        ("\"GMT-05:30\"", "Thu 6 Feb 2031 15:30-16:30"),
        ("Etc/GMT-1", "Thu 6 Feb 2031 09:00-10:00"),
        ("\"(UTC-05:00) Eastern Time (US & Canada)\"", "Thu 6 Feb 2031 15:00-16:00"),
        ("\"(UTC+01:00) Amsterdam, Berlin, Bern, Rome\"", "Thu 6 Feb 2031 09:00-10:00"),
        ("\"(UTC+10:00) Canberra, Melbourne, Sydney\"", "Wed 5 Feb 2031 23:00-24:00"),
    ] {
        let file = event(&format!("DTSTART;TZID={zone}:20310206T090000\r\nDTEND;TZID={zone}:20310206T100000"));
        assert_eq!(times(&file), [time], "{zone}");
    }
    for zone in ["\"(UTC+01:00) New York\"", "\"(UTC+01:00) Atlantis\"", "UTC+99", "UTC+"] {
        let read = open(&event(&format!("DTSTART;TZID={zone}:20310206T090000\r\nDURATION:PT1H")));
        assert!(read.problems[0].what.contains("nobody knows the time zone"), "{zone}");
    }
    let named = |zone: &str| {
        let file = event("DTSTART:20301202T100000\r\nDURATION:PT1H");
        open(&file.replace("VERSION:2.0", &format!("VERSION:2.0\r\nX-WR-TIMEZONE:{zone}"))).notes
    };
    assert_eq!(named("Europe/Berlin"), []);
    let note = &named("America/New_York")[0];
    assert_eq!((note.line, note.title.as_str()), (3, "America/New_York"));
    assert!(note.what.contains("read in Europe/Berlin, not in this one"), "{note:?}");
}

#[test]
fn of_a_file_that_is_cut_off_what_is_whole_is_read_and_that_is_told() {
    let whole = event("DTSTART:20301202T100000\r\nDURATION:PT1H");
    assert_eq!(open(&whole).cut_off, None);
    let cut = whole.replace("END:VCALENDAR", "BEGIN:VEVENT\r\nDTSTART:20301203T100000");
    let read = open(&cut);
    assert_eq!(read.entries.len(), 1);
    assert!(read.cut_off.unwrap().to_string().contains("VEVENT that begins on line 9 does not end"));
    let read = open(whole.strip_suffix("END:VCALENDAR\r\n").unwrap());
    assert_eq!((read.entries.len(), read.cut_off.unwrap().line()), (1, Some(1)));
}
