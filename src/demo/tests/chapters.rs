//! Each chapter by itself, in a house furnished for it: what the operator reads at its end.

use std::fmt::Write as _;

use ratatui::buffer::Buffer;
use ratatui::layout::Size;

use crate::demo::film::{Film, Shot};
use crate::demo::house::FurnishedHouse;
use crate::demo::script::CHAPTERS;
use crate::domain::time::Instant;
use crate::engine::verify::Verify;
use crate::tui::ScreenOptions;
use crate::tui::kit::shared::Tone;

/// Six in the evening of 21 November 2026.
const EVENING: Instant = Instant::from_millis(1_795_284_000_000);

fn text(buffer: &Buffer) -> String {
    let rows = buffer.content().chunks(usize::from(buffer.area.width));
    rows.map(|row| row.iter().map(ratatui::buffer::Cell::symbol).collect::<String>() + "\n").collect()
}

/// Plays a chapter; gives the refusals that were said, and all that stood on the screen at the end of its steps.
fn played(house: &FurnishedHouse, (title, size): (&str, (u16, u16))) -> (Vec<String>, String) {
    let chapter = CHAPTERS.iter().position(|chapter| chapter.title == title).unwrap();
    let looks = ScreenOptions::default();
    let shot = Shot { chapter, at: None, seed: 1, looks, size: Size::new(size.0, size.1) };
    let mut film = Film::of(house, shot).unwrap();
    let mut screens = String::new();
    let mut last = String::new();
    while film
        .go_on(&mut |at, drawn| {
            let now = text(&drawn);
            if now != last {
                let _ = write!(screens, "--- {at:?}\n{now}");
                last = now;
            }
        })
        .unwrap()
    {}
    let says = &film.screen.app.shared.says;
    let refused = says.newest_first().filter(|message| message.tone == Tone::Refused);
    let refused = refused.map(|message| message.text.clone()).collect();
    let report = film.desk.read(Verify::default()).unwrap();
    assert!(report.violations.is_empty(), "{title}: {:#?}", report.violations);
    (refused, screens)
}

#[test]
fn every_chapter_comes_to_its_refusal_by_itself() {
    let house = FurnishedHouse::at(EVENING).unwrap();
    let chapters: [(&str, &str, &[&str]); 14] = [
        ("A sale", "", &["Sold: receipt till-2/1"]),
        ("A lost race", "till-1 holds them", &["2 Adult    GBP 108.00"]),
        ("Expiry and undo", "The hold has ended", &["4 Adult    GBP 216.00"]),
        ("A reservation nobody pays", "", &["2 seats of Okafor went back: not paid"]),
        ("Swap and refund", "", &["till-2/2", "till-2/3"]),
        (
            "A canceled night",
            "Hamlet was canceled",
            &["To call: 186 orders", "ada is a supervisor and may not do this", "orders to settle"],
        ),
        ("A till's close", "", &["Cash in the drawer", "366.00", "counted and closed: GBP 0.50 is missing"]),
        ("A scan at the door", "", &["█████   █████", "was admitted", "20 letters", "this has 8"]),
        (
            "An approval",
            "",
            &["This desk is locked", "ben@till-2", "ben is a seller and may not do this", "by ben, approved by ada,"],
        ),
        ("Rooms: 10:05 against 11:25", "booked, Budget. Nothing was booked", &["takes 11:00-12:30"]),
        ("January of Apartment X", "", &["Thu 7 Jan 16:00 - Wed 13 Jan 12:00 Alice Johnson"]),
        ("The hotel, both ways", "", &["1 night in Thu 3 Dec out Fri 4 Dec", "This time is taken"]),
        ("A leak", "", &["1 booking in the way", "lost Dance loft", "undo: move Ballet class"]),
        ("An opera of 3,006 seats", "", &["Parterre  524", "Parterre  520"]),
    ];
    assert_eq!(chapters.map(|(title, ..)| title), CHAPTERS.iter().skip(1).map(|one| one.title).collect::<Vec<_>>()[..]);
    for (title, refusal, shown) in chapters {
        let (refused, screens) = played(&house, (title, (100, 30)));
        for words in shown {
            assert!(screens.contains(words), "{title} never shows {words:?}, but at last\n{}", last_of(&screens));
        }
        assert_eq!(refused.iter().any(|said| said.contains(refusal)), !refusal.is_empty(), "{title}: {refused:?}");
    }
}

fn last_of(screens: &str) -> &str {
    screens.rsplit("--- ").next().unwrap_or_default()
}
