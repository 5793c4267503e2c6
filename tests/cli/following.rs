//! Calendars of portals are followed: their files are the truth about what they brought.

use std::process::Stdio;
use std::time::Instant;

use chrono::{Days, NaiveDate};
use chrono_tz::Tz;
use serde_json::{Value, json};
use willcall::engine::clock::{Clock, SystemClock};

use crate::ground::Ground;
use crate::support::{House, Ran, split};

struct Portal {
    house: House,
    /// Day from which nights are counted.
    first: NaiveDate,
}

/// A stay: name, title, first and last night, counted from a day next month.
type Stay<'a> = (&'a str, &'a str, u64, u64);

impl Portal {
    fn new() -> Self {
        let house = House::empty();
        house.json("resource add Nights --kind room --segment 1440 --price 80.00 --time-zone Europe/Berlin").done();
        Self { house, first: SystemClock::default().now().in_zone(Tz::UTC).date_naive() + Days::new(30) }
    }

    fn day(&self, number: u64) -> NaiveDate {
        self.first + Days::new(number)
    }

    fn file(&self, stays: &[Stay<'_>], stamp: &str) -> String {
        let event = |(name, title, from, until): &Stay<'_>| {
            let [from, until] = [from, until].map(|number| self.day(*number).format("%Y%m%d").to_string());
            format!(
                "BEGIN:VEVENT\r\nUID:{name}@portal\r\nDTSTAMP:{stamp}T000000Z\r\nSUMMARY:{title}\r\nDTSTART;VALUE=DATE:{from}\r\nDTEND;VALUE=DATE:{until}\r\nEND:VEVENT\r\n"
            )
        };
        let events: String = stays.iter().map(event).collect();
        self.house.write("portal.ics", &format!("BEGIN:VCALENDAR\r\nVERSION:2.0\r\n{events}END:VCALENDAR\r\n"))
    }

    fn follow(&self, stays: &[Stay<'_>], rest: &str) -> Ran {
        let file = self.file(stays, "20260101");
        let line = format!("calendar follow Airbnb {file} --resource Nights --blocks 'not available' {rest}");
        self.house.json(&line)
    }

    fn book(&self, (from, until): (u64, u64), title: &str) -> Ran {
        let (from, until) = (self.day(from), self.day(until));
        self.house.json(&format!("calendar book Nights --from {from} --until {until} --title {title}"))
    }

    /// `Reserved 10-16` of each booking, by its start.
    fn nights(&self) -> Vec<String> {
        let list = self.house.json("calendar list").done();
        let day = |value: &Value| {
            let date: NaiveDate = value.as_str().unwrap()[..10].parse().unwrap();
            (date - self.first).num_days()
        };
        let row =
            |one: &Value| format!("{} {}-{}", one["title"].as_str().unwrap(), day(&one["from"]), day(&one["until"]));
        list.as_array().unwrap().iter().map(row).collect()
    }

    fn differing(&self) -> usize {
        self.house.json("worklist --kind differs").done().as_array().unwrap().len()
    }
}

const STAY: Stay<'_> = ("r1", "Reserved", 10, 16);

#[test]
fn what_moved_vanished_and_came_is_so_here_in_one_act() {
    let portal = Portal::new();
    let done = portal.follow(&[STAY, ("n1", "Portal (Not available)", 29, 33)], "").done();
    assert_eq!(done["effects"]["brought"], 2);
    assert_eq!(portal.nights(), ["Reserved 10-16", "Portal (Not available) 29-33"]);
    let next = [("r1", "Reserved", 9, 17), ("r2", "Reserved", 20, 22), ("n2", "Portal (Not available)", 30, 34)];
    let done = portal.follow(&next, "").done();
    assert_eq!(done["effects"], json!({ "brought": 2, "moved": 1, "freed": 1, "own": 0, "echoes": 0, "differing": 0 }));
    assert_eq!(portal.nights(), ["Reserved 9-17", "Reserved 20-22", "Portal (Not available) 30-34"]);
    // stays cost what the portal took, blocks nothing; and the file again changes nothing
    let list = portal.house.json("calendar list").done();
    assert_eq!(list[0]["price"], "0.00");
    assert!(list[2].get("price").is_none(), "{list}");
    let again = portal.house.json("calendar follow Airbnb").done();
    assert_eq!(again["effects"]["brought"], 0);
    assert_eq!(portal.nights(), ["Reserved 9-17", "Reserved 20-22", "Portal (Not available) 30-34"]);
    let follows = portal.house.json("calendar follows").done();
    assert_eq!((&follows[0]["name"], &follows[0]["differing"]), (&json!("Airbnb"), &json!(0)));
    portal.house.verified();
}

#[test]
fn stays_that_change_places_are_no_clash() {
    let portal = Portal::new();
    portal.follow(&[STAY, ("r2", "Second", 16, 20)], "").done();
    portal.follow(&[("r1", "Reserved", 16, 20), ("r2", "Second", 10, 16)], "").done();
    assert_eq!(portal.nights(), ["Second 10-16", "Reserved 16-20"]);
    portal.house.verified();
}

#[test]
fn a_clash_stands_on_the_worklist_with_both_times_until_it_is_settled() {
    let portal = Portal::new();
    portal.follow(&[STAY], "").done();
    portal.book((17, 19), "Walk-in").done();
    let ran = portal.follow(&[("r1", "Reserved", 10, 18)], "");
    assert_eq!(ran.code, 3, "{ran:?}");
    assert_eq!(portal.nights(), ["Reserved 10-16", "Walk-in 17-19"]);
    let item = &portal.house.json("worklist --kind differs").done()[0];
    assert_eq!((&item["kind"], &item["calendar"]), (&json!("differs"), &json!("Airbnb")));
    assert!(item["here"].is_object() && item["there"].is_object(), "{item}");
    // told once, and gone when it fits
    assert_eq!(portal.follow(&[("r1", "Reserved", 10, 18)], "").code, 3);
    assert_eq!(portal.differing(), 1);
    portal.follow(&[("r1", "Reserved", 10, 17)], "").done();
    assert_eq!((portal.differing(), portal.nights()), (0, vec!["Reserved 10-17".into(), "Walk-in 17-19".into()]));
    // settled by hand, the same times are asked about no more
    portal.follow(&[("r1", "Reserved", 10, 18)], "");
    let item = portal.house.json("worklist --kind differs").done()[0]["id"].as_str().unwrap().to_owned();
    portal.house.json(&format!("worklist waive {item} --reason phoned")).done();
    assert_eq!(portal.follow(&[("r1", "Reserved", 10, 18)], "").code, 0);
    portal.house.verified();
}

#[test]
fn what_was_changed_or_canceled_here_is_the_houses_own() {
    let portal = Portal::new();
    portal.follow(&[STAY, ("r2", "Second", 20, 22)], "").done();
    let list = portal.house.json("calendar list").done();
    let id = |number: usize| list[number]["booking"].as_str().unwrap().to_owned();
    let (from, until) = (portal.day(1), portal.day(7));
    portal.house.json(&format!("calendar move {} --from {from} --until {until}", id(0))).done();
    portal.house.json(&format!("calendar cancel {}", id(1))).done();
    let done = portal.follow(&[("r1", "Reserved", 10, 17), ("r2", "Second", 20, 23)], "").done();
    assert_eq!((&done["effects"]["own"], &done["effects"]["brought"]), (&json!(2), &json!(0)));
    assert_eq!(portal.nights(), ["Reserved 1-7"]);
    portal.house.verified();
}

#[test]
fn a_stay_that_vanished_is_asked_about() {
    let portal = Portal::new();
    portal.follow(&[STAY, ("r2", "Second", 20, 22)], "").done();
    assert_eq!(portal.follow(&[STAY], "").code, 3);
    assert_eq!((portal.nights().len(), portal.differing()), (2, 1));
    // it is back
    portal.follow(&[STAY, ("r2", "Second", 20, 22)], "").done();
    assert_eq!(portal.differing(), 0);
    portal.follow(&[STAY], "--gone free").done();
    assert_eq!(portal.nights(), ["Reserved 10-16"]);
    portal.follow(&[], "--gone keep").done();
    assert_eq!(portal.nights(), ["Reserved 10-16"]);
    portal.house.verified();
}

#[test]
fn a_file_that_cannot_be_the_truth_needs_force() {
    let portal = Portal::new();
    let names: Vec<String> = (0..8).map(|number| format!("s{number}")).collect();
    let all: Vec<Stay<'_>> = (0..8).zip(&names).map(|(at, name)| (name.as_str(), "Reserved", at, at + 1)).collect();
    portal.follow(&all, "--gone free").done();
    let missing = portal.follow(&all[..3], "");
    assert!(missing.refused("bad_calendar")["problem"].as_str().unwrap().contains("5 of the 8"), "{missing:?}");
    let older = portal.file(&all, "20250101");
    let older = portal.house.json(&format!("calendar follow Airbnb {older}"));
    assert!(older.refused("bad_calendar")["problem"].as_str().unwrap().contains("older than the file"), "{older:?}");
    let file = portal.file(&all, "20260101");
    let text = std::fs::read_to_string(portal.house.path("portal.ics")).unwrap();
    portal.house.write("portal.ics", text.strip_suffix("END:VCALENDAR\r\n").unwrap());
    let cut = portal.house.json(&format!("calendar follow Airbnb {file}"));
    assert!(cut.refused("bad_calendar")["problem"].as_str().unwrap().contains("--force"), "{cut:?}");
    assert_eq!(portal.nights().len(), 8);
    portal.follow(&all[..3], "--force").done();
    assert_eq!(portal.nights().len(), 3);
    portal.house.verified();
}

#[test]
fn what_cannot_be_read_frees_nothing_and_is_told() {
    let portal = Portal::new();
    portal.follow(&[STAY], "--gone free").done();
    let file = portal.file(&[STAY], "20260101");
    let text = std::fs::read_to_string(portal.house.path("portal.ics")).unwrap();
    portal.house.write("portal.ics", &text.replace("DTEND;VALUE=DATE:", "DTEND;VALUE=DATE:x"));
    let ran = portal.house.run(&format!("calendar follow Airbnb {file}"));
    assert_eq!(ran.code, 3, "{ran:?}");
    assert!(ran.out.contains("Not understood: line 8 (Reserved):"), "{ran:?}");
    assert_eq!(portal.nights(), ["Reserved 10-16"]);
}

#[test]
fn the_very_time_of_a_booking_here_is_our_own_calendar_that_comes_back() {
    let portal = Portal::new();
    portal.book((10, 16), "Ida").done();
    let done = portal.follow(&[STAY], "").done();
    assert_eq!((&done["effects"]["echoes"], portal.differing()), (&json!(1), 0));
    assert_eq!(portal.follow(&[("r1", "Reserved", 10, 17)], "").code, 3);
    assert_eq!(portal.nights(), ["Ida 10-16"]);
}

#[test]
fn name_file_and_resource_belong_together() {
    let portal = Portal::new();
    portal.follow(&[STAY], "").done();
    portal.house.json("resource add Other --kind room --segment 1440 --time-zone Europe/Berlin").done();
    let file = portal.house.path("portal.ics");
    let other = portal.house.json(&format!("calendar follow Airbnb {} --resource Other", file.display()));
    assert!(other.refused("bad_value")["problem"].as_str().unwrap().contains("for Nights"), "{other:?}");
    portal.house.json("calendar unfollow Airbnb").done();
    assert_eq!(portal.house.json("calendar follows").done(), json!([]));
    assert_eq!(portal.nights(), ["Reserved 10-16"]);
}

#[test]
fn what_was_imported_once_is_followed_from_then_on() {
    let portal = Portal::new();
    let file = portal.file(&[STAY, ("r2", "Second", 20, 22)], "20260101");
    portal.house.json(&format!("calendar import {file} --resource Nights")).done();
    let done = portal.follow(&[("r1", "Reserved", 12, 18), ("r2", "Second", 20, 22)], "").done();
    assert_eq!((&done["effects"]["moved"], &done["effects"]["brought"]), (&json!(1), &json!(0)));
    assert_eq!(portal.nights(), ["Reserved 12-18", "Second 20-22"]);
    portal.follow(&[("r2", "Second", 20, 21)], "--gone free").done();
    assert_eq!(portal.nights(), ["Second 20-21"]);
    portal.house.verified();
}

#[test]
fn a_job_reads_the_file_again_until_it_is_followed_no_more() {
    let portal = Portal::new();
    portal.follow(&[STAY], "--every 15m").done();
    assert_eq!(portal.house.json("calendar follows").done()[0]["every"], "15m");
    let job = "calendar-follow Airbnb";
    let run = || portal.house.json(&format!("job run {job}")).done();
    portal.file(&[("r1", "Reserved", 10, 17)], "20260101");
    assert_eq!(run()["outcome"], "again");
    assert_eq!(portal.nights(), ["Reserved 10-17"]);
    // a clash waits on the worklist, and the job goes on
    portal.book((17, 19), "Walk-in").done();
    portal.file(&[("r1", "Reserved", 10, 18)], "20260101");
    for _ in 0..7 {
        assert_eq!(run()["outcome"], "again");
    }
    assert_eq!(portal.differing(), 1);
    // a file that cannot be the truth is tried again, with the reason in the history
    portal.house.write("portal.ics", "BEGIN:VCALENDAR\r\nVERSION:2.0\r\n");
    assert_eq!(portal.house.json(&format!("job run {job}")).code, 3);
    let history = portal.house.run("job history --kind calendar-follow").text().to_owned();
    assert!(history.contains("does not end"), "{history}");
    portal.house.json("calendar unfollow Airbnb").done();
    assert_eq!(run()["outcome"], "done");
    assert_eq!(portal.house.json("job list --kind calendar-follow").done(), json!([]));
    portal.house.verified();
}

#[test]
fn intervals_that_make_no_sense_are_refused_and_nothing_is_followed() {
    let portal = Portal::new();
    for (every, words) in [("5s", "from 1m to"), ("soon", "is not a length of time"), ("60d", "from 1m to"), ("''", "")]
    {
        let ran = portal.follow(&[STAY], &format!("--every {every}"));
        let problem = ran.refused("bad_value");
        assert_eq!(problem["field"], "every", "{ran:?}");
        assert!(ran.err.contains(words), "{ran:?}");
    }
    assert_eq!(portal.house.run("calendar follow").code, 2);
    assert_eq!(portal.house.run("calendar follow Airbnb --job").code, 2);
    assert_eq!(portal.house.run("calendar follow --job").code, 3);
    assert_eq!(portal.house.json("calendar follows").done(), json!([]));
    assert_eq!(portal.nights(), Vec::<String>::new());
}

/// A file of single nights, a series among them, that needs several acts.
fn large(first: NaiveDate) -> String {
    let day = |number: u64| (first + Days::new(number)).format("%Y%m%d").to_string();
    let night = |number: u64| {
        let (from, until) = (day(number * 2), day(number * 2 + 1));
        format!(
            "BEGIN:VEVENT\r\nUID:n{number}\r\nSUMMARY:Reserved\r\nDTSTART;VALUE=DATE:{from}\r\nDTEND;VALUE=DATE:{until}\r\nEND:VEVENT\r\n"
        )
    };
    let series = format!(
        "BEGIN:VEVENT\r\nUID:weekly\r\nSUMMARY:Weekly\r\nDTSTART;VALUE=DATE:{}\r\nRRULE:FREQ=DAILY;INTERVAL=14;COUNT=20\r\nEND:VEVENT\r\n",
        day(1)
    );
    let nights: String = (0..320).map(night).collect();
    format!("BEGIN:VCALENDAR\r\nVERSION:2.0\r\n{series}{nights}END:VCALENDAR\r\n")
}

#[test]
fn killed_in_the_middle_and_followed_again_it_is_the_same() {
    let server = Ground::server();
    let house = House::none();
    let first = SystemClock::default().now().in_zone(Tz::UTC).date_naive() + Days::new(30);
    let file = house.write("portal.ics", &large(first));
    let places = [house.path("house.db").display().to_string(), server.place().spelled()];
    for place in &places {
        let command = |line: &str| {
            let mut command = house.command();
            command.args(["--db", place, "--json"]).args(split(line));
            command
        };
        let run = |line: &str| Ran::of(line, command(line).output().unwrap());
        run("init").done();
        let mut whole = None;
        for moment in 0..6 {
            let name = format!("Nights{moment}");
            run(&format!("resource add {name} --kind room --segment 1440 --time-zone UTC")).done();
            let follow = format!("calendar follow {name} {file} --resource {name}");
            let started = Instant::now();
            if moment > 0 {
                let mut child = command(&follow).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
                std::thread::sleep(whole.unwrap_or_default() * moment / 6);
                child.kill().unwrap();
                child.wait().unwrap();
            }
            run(&follow).done();
            whole.get_or_insert_with(|| started.elapsed());
            let list = run(&format!("calendar list --resource {name}")).done();
            assert_eq!(list.as_array().unwrap().len(), 340, "{place} {moment}");
            let again = run(&follow).done();
            assert_eq!(again["effects"]["brought"], 0);
        }
        let report = run("verify").done();
        assert_eq!(report["ok"], true, "{report}");
    }
}
