//! Everything that people can get wrong, a test for each: it has its own sentence that says what to do, its exit code,
//! and changes nothing.
//!
//! More of it stands where it belongs: plans in `theaters`, calendars in `calendar` and `ical`, servers in `servers`,
//! names in `words`, and a terminal that is too small among the stories of the terminal.

use serde_json::Value;

use crate::support::{House, Ran};

mod booking;
mod calendars;
mod changing;
mod counted;
mod mounted;
mod options;
mod own_jobs;
mod places;
mod prices;
mod programs;
mod selling;
mod standing;

/// A line that is refused, as a table and as JSON alike: with exit code 3, in one sentence that has these words, and
/// with nothing changed. Gives its facts.
#[track_caller]
fn refused(house: &House, line: &str, (kind, words): (&str, &str)) -> Value {
    let before = house.json("verify").done();
    let people = house.run(line);
    assert_eq!((people.code, people.out.as_str()), (3, ""), "{people:#?}");
    let programs = house.json(line);
    let facts = programs.refused(kind);
    assert_eq!(people.err, programs.err);
    is_a_sentence(&people, words);
    assert_eq!(before["ok"], true, "{before}");
    assert_eq!(house.json("verify").done(), before, "{line} changed something");
    facts
}

/// It begins as a sentence does or with a name, ends as one does or with a command, and has these words.
#[track_caller]
fn is_a_sentence(ran: &Ran, words: &str) {
    let said = ran.err.trim();
    assert_eq!(said.lines().count(), 1, "{ran:#?}");
    assert!(said.contains(words), "no {words:?} in {said:?}");
    assert!(!said.contains("os error"), "{said:?}");
    let first = said.split(' ').next().unwrap();
    let is_name = first.contains(['/', '.', ':']) || first.contains(|c: char| c.is_ascii_digit());
    assert!(is_name || first.starts_with(|c: char| !c.is_lowercase()), "{said:?}");
    assert!(said.ends_with('.') || said.contains(": willcall"), "{said:?}");
}
