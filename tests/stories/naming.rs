//! Names as people type them: performances by title and day, resources in any script.

use chrono_tz::Tz;
use willcall::domain::ids::PerformanceId;
use willcall::domain::refusal::Refusal;
use willcall::domain::time::{Span, parse_local};
use willcall::engine::ops::{AddTheater, CancelPerformance};
use willcall::engine::reads::names::ReadNamed;
use willcall::engine::reads::resources::{ReadChunks, ReadResource};
use willcall::formats::rows;

use super::calendar::{book, room, slot};
use super::support::{House, refused};

/// A house with nights of Hamlet; it is Saturday 21 November 2026.
struct Run {
    house: House,
    nights: Vec<PerformanceId>,
}

impl Run {
    fn of(starts: &[&str]) -> Self {
        let house = House::royal();
        let opened = |start: &&str| {
            let start = parse_local(start, Tz::UTC).unwrap();
            house.performance_at(start, "Hamlet", &[(None, None, 1000)])
        };
        let nights = starts.iter().map(opened).collect();
        Self { house, nights }
    }

    fn named(&self, text: &str) -> Option<usize> {
        let id = self.house.desk.read(ReadNamed::<PerformanceId>::new(text));
        let night = |id| self.nights.iter().position(|night| *night == id);
        id.ok().and_then(night)
    }

    /// The names that a refusal offers for one that means several.
    fn which(&self, text: &str) -> Vec<String> {
        let asked = ReadNamed::<PerformanceId>::new(text);
        let Refusal::Ambiguous { which, .. } = refused(self.house.desk.read(asked)) else {
            panic!("{text} means one thing or none");
        };
        which
    }
}

#[test]
fn a_performance_is_named_by_its_title_and_day() {
    let run = Run::of(&["2026-11-27T19:30", "2026-11-26T15:00", "2026-11-26T19:30", "2027-11-27T19:30"]);
    for (text, night) in [
        ("Hamlet fri", 0),
        ("hamlet  fri 19:30", 0),
        ("Hamlet@2026-11-27T19:30", 0),
        ("Hamlet 27 nov", 0),
        ("Hamlet@27nov", 0),
        ("Hamlet 15:00", 1),
        ("Hamlet thu 15:00", 1),
        ("Hamlet@2026-11-26 19:30", 2),
        ("Hamlet 27 nov 2027", 3),
    ] {
        assert_eq!(run.named(text), Some(night), "{text}");
    }
    for nothing in ["Hamlet wed", "Hamlet fri 15:00", "Macbeth fri", "Hamlet soon", "fri"] {
        assert_eq!(run.named(nothing), None, "{nothing}");
    }
    let thursday = ["Hamlet@2026-11-26T15:00", "Hamlet@2026-11-26T19:30"];
    assert_eq!(run.which("Hamlet thu"), thursday);
    assert_eq!(run.which("Hamlet").len(), 4);
    for name in run.which("Hamlet") {
        assert!(run.named(&name).is_some(), "{name} names one of them");
    }
}

#[test]
fn a_title_alone_means_the_next_night_when_only_one_is_to_come() {
    let run = Run::of(&["2026-11-22T19:30", "2026-11-27T19:30"]);
    assert_eq!(run.named("Hamlet"), None);
    let cancel = CancelPerformance { performance: run.nights[0], reason: "flooded".into() };
    run.house.desk.run(cancel).unwrap();
    assert_eq!(run.named("Hamlet"), Some(1), "the other was canceled");
    assert_eq!(run.named("Hamlet sun"), Some(0), "a canceled one is named too");
    run.house.pass(Span::minutes(7 * 24 * 60));
    assert_eq!(run.which("Hamlet"), ["Hamlet@2026-11-22T19:30", "Hamlet@2026-11-27T19:30"], "both are over");
}

#[test]
fn performances_that_start_together_are_told_apart_by_theater() {
    let mut run = Run::of(&["2026-11-27T19:30"]);
    let add = AddTheater { name: "Studio".into(), plan: rows::parse("1x4").unwrap(), time_zone: None };
    run.house.theater = run.house.desk.run(add).unwrap().id;
    let start = parse_local("2026-11-27T19:30", Tz::UTC).unwrap();
    let studio = run.house.performance_at(start, "Hamlet", &[(None, None, 500)]);
    run.nights.push(studio);
    let which = run.which("Hamlet");
    assert!(which[0].ends_with("(Hamlet, The Royal, 2026-11-27T19:30)"), "{which:?}");
    assert!(which[1].contains("Studio"), "{which:?}");
    let tail = which[1].split_whitespace().next().unwrap();
    assert_eq!(run.named(tail), Some(1));
}

#[test]
fn a_resource_has_a_readable_id_in_any_script() {
    let house = House::royal();
    for (name, id) in [
        ("日本", "日本"),
        ("Малый зал", "малый-зал"),
        ("Größe Übung", "größe-übung"),
        ("U\u{308}bung 7", "ubung-7"),
        ("حجرة", "حجرة"),
        ("Ωδείο", "ωδείο"),
        ("Room 7", "room-7"),
        ("🎭", "room"),
        ("???", "room-2"),
    ] {
        let made = room(&house, name, 30);
        assert_eq!(made.as_str(), id, "{name}");
        let day = slot("2026-12-01 10:00 11:00");
        book(&house, &made, "Choir", "2026-12-01 10:00 11:00");
        for text in [name, id] {
            let found = house.desk.read(ReadResource(text.into())).unwrap();
            assert_eq!(found.id, made, "{text}");
        }
        let chunks = house.desk.read(ReadChunks {
            resource: made,
            from: day.from().in_zone(Tz::UTC).date_naive(),
            until: day.from().in_zone(Tz::UTC).date_naive().succ_opt().unwrap(),
        });
        assert_eq!(chunks.unwrap()[0].key, format!("{id}_2026_12_01"));
    }
    house.verified();
}
