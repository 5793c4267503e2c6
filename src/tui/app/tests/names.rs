//! Names of 60 columns, in wide letters and from right to left: they are cut, and nothing beside them is.

use super::NOON;
use super::calendar::{book, room};
use super::counter::kept;
use super::till::{Till, actor, desk, price};
use crate::domain::customer::Customer;
use crate::domain::text::width;
use crate::domain::time::Span;
use crate::engine::ops::{AddPerformance, AddTheater};
use crate::formats::rows;
use crate::tui::widgets::contact;
use crate::tui::widgets::testing::numbers;

const SIZES: [(u16, u16); 5] = [(60, 18), (80, 24), (100, 30), (120, 36), (200, 60)];
/// The ways to screens that show names, and the widest terminal: the house beside an order has titles of zones whole or not
/// at all.
const WAYS: [(&str, u16); 5] = [("1", 200), ("1 Down", 120), ("1 Down Enter", 200), ("4", 120), ("5", 200)];

/// A desk whose second house, night, room, booking and customer have this name.
fn named(name: &str) -> Till {
    let mut till = desk();
    let office = till.engine.desk(actor("dora", "office"));
    let mut plan = rows::parse("3x12").unwrap();
    plan.zones[0].name = name.to_owned();
    let theater = AddTheater { name: name.to_owned(), plan, time_zone: Some(chrono_tz::Tz::UTC) };
    let theater = office.run(theater).unwrap();
    let start = NOON + Span::minutes(500);
    let night = AddPerformance::new(theater.id, name, (start, start + Span::minutes(150)), vec![price(None, 1000)]);
    till.show = office.run(night).unwrap().performance.id;
    let room = room(&till, &format!("{name} room"), 15);
    book(&till, &room, (2, 4), name);
    kept(&till, name, ["A1", "A2"]);
    till.notice();
    till
}

#[test]
fn long_wide_and_right_to_left_names_cut_no_number_beside_them() {
    let names = ["Die Frau ohne Schatten ".repeat(3), "東京物語と夏の夜の夢".repeat(3), "شرفة العليا جدا ".repeat(4)];
    let mut cut = Vec::new();
    let mut plain = named("Lear");
    let mut long = names.map(|name| named(name.trim()));
    for (way, widest) in WAYS {
        for (columns, lines) in SIZES.into_iter().filter(|(columns, _)| *columns <= widest) {
            let wanted = numbers(&plain.resize(columns, lines).keys(way).draw());
            for till in &mut long {
                let screen = till.resize(columns, lines).keys(way).draw();
                let lost: Vec<String> = wanted.difference(&numbers(&screen)).cloned().collect();
                let wide = screen.lines().any(|line| width(line) > usize::from(columns));
                if !lost.is_empty() || wide {
                    cut.push(format!("{way} at {columns}x{lines}: {lost:?} {wide} in\n{screen}"));
                }
            }
        }
    }
    assert!(cut.is_empty(), "{}\n{}", cut.len(), cut.join("\n"));
}

/// A phone longer than two lines of a narrow panel.
#[test]
fn a_contact_is_told_in_any_width() {
    let of = Customer { name: "Ann".into(), phone: "0".repeat(60), ..Customer::default() };
    for columns in 0..90 {
        assert_eq!(contact(&of, columns).concat().matches('0').count(), 60, "{columns}");
    }
}
