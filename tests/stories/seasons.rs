//! A season as a list: opened once, corrected where it differs, and refused as a whole.

use chrono_tz::Tz;
use willcall::domain::ids::PerformanceId;
use willcall::domain::performance::Performance;
use willcall::domain::refusal::Refusal;
use willcall::domain::time::{Instant, Span};
use willcall::engine::ops::{
    AddTheater, CancelPerformance, ChangePerformance, ImportSeason, NightDone, PostponePerformance, SeasonImported,
};
use willcall::engine::reads::Rehearse;
use willcall::engine::reads::catalog::{ReadPerformance, ReadSeason};
use willcall::formats::{rows, season};
use willcall::words;

use super::races::Rivals;
use super::support::{HERE, House, NOON, no};

/// A list with the usual first line.
fn list(lines: &str) -> ImportSeason {
    let text = format!("title;theater;start;end;price\n{lines}\n");
    ImportSeason { lines: season::read(text.as_bytes()).unwrap().lines }
}

fn import(house: &House, lines: &str) -> SeasonImported {
    house.desk.run(list(lines)).unwrap()
}

/// Results of an import, a word a night: `new new same`.
fn done(imported: &SeasonImported) -> String {
    let words = imported.nights.iter().map(|night| <&str>::from(&night.done));
    words.collect::<Vec<_>>().join(" ")
}

fn night(house: &House, id: PerformanceId) -> Performance {
    house.desk.read(ReadPerformance(id)).unwrap().performance
}

fn nights(house: &House) -> Vec<Performance> {
    let season = house.desk.read(ReadSeason { from: Instant::default(), before: None }).unwrap();
    season.into_iter().map(|(night, ..)| night).collect()
}

/// Sentence about a list that is refused.
fn sentence(house: &House, lines: &str) -> String {
    words::refusal(&no(&house.desk, list(lines)), HERE)
}

const TWO: &str =
    "Hamlet;The Royal;2026-12-04 19:30;22:30;18.00\nLear;the royal;05.12.2026 19:30;+3h;Standard=20,00, */Child=9";

#[test]
fn a_season_is_opened_once_and_corrected_where_it_differs() {
    let house = House::royal();
    let first = import(&house, TWO);
    assert_eq!(done(&first), "new new");
    assert_eq!(done(&import(&house, TWO)), "same same");
    let [_, hamlet, lear] = nights(&house).try_into().unwrap();
    assert_eq!((hamlet.title.as_str(), hamlet.price(0, "adult")), ("Hamlet", Some(1800)));
    assert_eq!((lear.price(0, "adult"), lear.price(0, "child")), (Some(2000), Some(900)));
    assert_eq!(lear.end.since(lear.start), Span::minutes(180));

    let other = TWO.replace("Hamlet;", "Hamlet, Prince;").replace(";22:30;18.00", ";22:45;*/Child=8, 19.00");
    let second = import(&house, &other);
    assert_eq!(done(&second), "changed same");
    let after = night(&house, hamlet.id);
    assert_eq!((after.title.as_str(), after.price(0, "child")), ("Hamlet, Prince", Some(800)));
    assert_eq!(after.end.since(hamlet.end), Span::minutes(15));
    let NightDone::Changed(back) = &second.nights[0].done else { panic!("{second:?}") };
    house.desk.run(ChangePerformance { performance: hamlet.id, patch: (**back).clone() }).unwrap();
    assert_eq!(night(&house, hamlet.id), hamlet);
    house.verified();
}

#[test]
fn a_night_that_the_house_canceled_or_moved_since_stays_so() {
    let house = House::royal();
    let opened = import(&house, TWO);
    let [hamlet, lear] = [0, 1].map(|place: usize| opened.nights[place].performance);
    house.desk.run(CancelPerformance { performance: hamlet, reason: "ill".into() }).unwrap();
    let start = night(&house, lear).start + Span::DAY;
    let moved = PostponePerformance { performance: lear, start, end: None, reason: "flu".into() };
    house.desk.run(moved).unwrap();
    let before = nights(&house);
    assert_eq!(done(&import(&house, TWO)), "canceled postponed");
    assert_eq!(nights(&house), before);
    // another play has the place now
    assert_eq!(done(&import(&house, "Macbeth;;2026-12-04 19:30;22:30;18.00")), "new");
    house.verified();
}

#[test]
fn a_night_is_moved_by_its_id_until_somebody_has_seats() {
    let house = House::royal();
    let opened = import(&house, "Hamlet;;2026-12-04 19:30;22:30;18.00").nights[0].performance;
    let line = |start: &str, id: PerformanceId| {
        let text = format!("id;title;start;end;price\n{id};Hamlet;{start};+3h;18.00\n");
        ImportSeason { lines: season::read(text.as_bytes()).unwrap().lines }
    };
    let before = night(&house, opened);
    let moved = house.desk.run(line("2026-12-04 20:00", opened)).unwrap();
    assert_eq!(done(&moved), "changed");
    assert_eq!(night(&house, opened).start.since(before.start), Span::minutes(30));
    let show = night(&house, house.show);
    house.sold("B6");
    let refused = no(&house.desk, {
        let text = format!("id;title;start;end;price\n{};{};2026-12-09 20:00;22:00;10\n", house.show, show.title);
        ImportSeason { lines: season::read(text.as_bytes()).unwrap().lines }
    });
    let said = words::refusal(&refused, HERE);
    assert!(said.contains("Line 2, column start: ") && said.contains("Postpone it instead"), "{said}");
    house
        .desk
        .run(AddTheater { name: "Attic".into(), plan: rows::parse("1x4").unwrap(), time_zone: Some(Tz::UTC) })
        .unwrap();
    let text = format!("id;theater;title;start;end;price\n{opened};Attic;Hamlet;2026-12-09 20:00;22:00;10\n");
    let elsewhere = ImportSeason { lines: season::read(text.as_bytes()).unwrap().lines };
    let said = words::refusal(&no(&house.desk, elsewhere), HERE);
    assert!(said.contains("column theater: the night is in The Royal and stays there"), "{said}");
    house.verified();
}

#[test]
fn wrong_lines_change_nothing_and_each_is_named_with_what_helps() {
    let house = House::royal();
    let zone = Some(Tz::Europe__Berlin);
    house.desk.run(AddTheater { name: "Attic".into(), plan: rows::parse("1x4").unwrap(), time_zone: zone }).unwrap();
    let before = nights(&house);
    let lines = "Fine;The Royal;2026-12-01 19:30;22:00;10\n\
        Lear;Globe;2026-12-02 19:30;22:00;10\n\
        Lear;The Royal;2026-12-03;22:00;10\n\
        Lear;The Royal;2026-12-04 19:30;22:00;Gold=10\n\
        ;The Royal;2026-12-05 19:30;22:00;10\n\
        Lear;The Royal;2026-12-01 19:30;22:00;10\n\
        Lear;The Royal;2026-12-01 21:00;23:00;10\n\
        Lear;Attic;2027-03-28 02:30;05:00;10\n\
        Lear;The Royal;2026-12-06 19:30;22:00;cheap\n\
        Lear;The Royal;2026-12-07 19:30\n\
        Lear;The Royal;2026-11-20 19:30;22:00;10\n\
        Lear;The Royal;2026-12-08 19:30;2026-12-08 19:00;10\n\
        Lear;The Royal;2026-12-09 19:30;22:00;10, 12";
    let said = sentence(&house, lines);
    let told: Vec<&str> = said.lines().collect();
    assert_eq!(told[0], "12 lines are wrong, and nothing was changed:");
    for (number, words) in [
        "Line 3, column theater: There is no theater \"Globe\". Choose Attic, The Royal.",
        "Line 4, column start: \"2026-12-03\" is no date with a time; write it like 2026-12-01 19:30.",
        "Line 5, column price: There is no category \"Gold\". Choose Standard.",
        "Line 6, column title: it needs a name.",
        "Line 7, column start: line 2 has the same night; leave one of them out.",
        "Line 8, column start: The Royal Tue 1 Dec 21:00-22:00: booked, Fine. The hall is taken then",
        "Line 9, column start: 2027-03-28 02:30:00 does not exist in Europe/Berlin: the clocks go forward over it; choose another time.",
        "Line 10, column price: \"cheap\" is not an amount; write it like 30.00.",
        "Line 11: it has 3 fields, and the first line names 5; put texts with commas into quotes.",
        "Line 12, column start: Fri 20 Nov 2026 19:30 is past. Choose a time to come.",
        "Line 13, column end: It ends before it starts, or with it. Choose a later end.",
        "Line 14, column price: two prices are for the same category and ticket type; give each once.",
    ]
    .iter()
    .enumerate()
    {
        assert!(told[number + 1].starts_with(words), "{:?} is not {words:?}", told[number + 1]);
    }
    assert!(told[6].contains("Fine"), "{said}");
    assert_eq!(nights(&house), before);
    assert!(matches!(no(&house.desk, ImportSeason { lines: vec![] }), Refusal::NothingChosen));
    house.verified();
}

#[test]
fn a_list_can_be_tried_and_then_is_the_same_from_two_desks() {
    let house = House::royal();
    let before = nights(&house);
    let would = house.desk.read(Rehearse(list(TWO))).unwrap();
    assert_eq!((done(&would).as_str(), nights(&house)), ("new new", before));
    import(&house, TWO);
    let second = house.second();
    let there = second.desk(super::support::actor("ben", "till-2"));
    assert_eq!(done(&there.run(list(TWO)).unwrap()), "same same");
    assert!(house.desk.now() >= NOON);
    house.verified();
}

#[test]
fn offices_that_import_one_season_at_once_open_each_night_once() {
    let rivals = Rivals::of(4);
    rivals.race(
        |_, round| {
            let day = NOON + Span::minutes(1440 * i64::from(round + 2));
            let day = day.format(Tz::UTC, "%Y-%m-%d");
            let text = format!("Hamlet;;{day} 15:00;17:00;18.00\nLear;;{day} 19:30;22:00;20.00");
            list(&text)
        },
        |desk, office, season: &ImportSeason| {
            let mut season = season.clone();
            if office % 2 == 1 {
                season.lines.iter_mut().for_each(|line| line.price = "9.00".into());
            }
            desk.run(season).map(drop)
        },
        |done, _| assert_eq!(done, [true; 4], "each finds what the others made"),
    );
    let mut starts: Vec<Instant> = nights(&rivals.house).iter().map(|night| night.start).collect();
    let all = starts.len();
    starts.dedup();
    assert_eq!(starts.len(), all, "no night twice");
    for pair in nights(&rivals.house)[1..].chunks(2) {
        assert_eq!((pair[0].title.as_str(), pair[1].title.as_str()), ("Hamlet", "Lear"));
        let prices = pair.iter().map(|night| night.price(0, "adult").unwrap()).collect::<Vec<_>>();
        assert!(
            prices == [1800, 2000] || prices == [900, 900],
            "one list or the other, never a part of both: {prices:?}"
        );
    }
}
