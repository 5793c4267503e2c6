//! The published examples on the calendar of the demo house.

use ratatui::buffer::Buffer;
use ratatui::layout::{Rect, Size};

use super::Desk;
use crate::demo::testing::{Stepped, furnished};
use crate::tui::app::frame;
use crate::tui::data::msg::Msg;
use crate::tui::kit::input::Key;

/// The desk of a furnished house at noon of 21 November 2026, at the calendar.
fn at_the_calendar(width: u16, height: u16) -> (Stepped, Desk) {
    let (house, _) = furnished();
    let mut desk = Desk::at(&house.desk);
    desk.send(Msg::Resize(Size::new(width, height)));
    desk.key("3");
    (house, desk)
}

impl Desk {
    fn types(&mut self, text: &str) {
        for letter in text.chars() {
            let key = Key::plain(crossterm::event::KeyCode::Char(letter));
            self.send(Msg::Key(key));
        }
    }

    fn goes_to(&mut self, text: &str) {
        self.key("g");
        self.types(text);
        self.key("Enter");
    }

    pub(super) fn drawn(&self) -> Buffer {
        let size = self.app.shared.size;
        let area = Rect::new(0, 0, size.width, size.height);
        let mut buffer = Buffer::empty(area);
        frame::draw(&self.app, area, &mut buffer);
        buffer
    }

    fn screen(&self) -> String {
        let size = self.app.shared.size;
        let buffer = self.drawn();
        let line = |y| -> String { (0..size.width).map(|x| buffer[(x, y)].symbol()).collect() };
        (0..size.height).map(line).collect::<Vec<_>>().join("\n")
    }

    fn line(&self, of: &str) -> String {
        let screen = self.screen();
        let line = screen.lines().find(|line| line.contains(of));
        line.unwrap_or_else(|| panic!("no {of} in\n{screen}")).to_owned()
    }
}

#[test]
fn apartment_x_shows_the_seven_bars_of_its_january() {
    for size in [(80, 24), (100, 30), (200, 60)] {
        let (_house, mut desk) = at_the_calendar(size.0, size.1);
        desk.goes_to("apartment x");
        desk.goes_to("1 jan");
        desk.key("i");
        let screen = desk.screen();
        assert!(screen.contains("Apartment X | January 2027"), "{screen}");
        let told: Vec<&str> = screen
            .lines()
            .skip_while(|line| !line.contains("5 bookings and closures"))
            .skip(1)
            .map(|line| line.trim_matches(['│', ' ']))
            .take(7)
            .collect();
        let expected = [
            ("Fri 1 Jan 00:00 - Sun 3 Jan 12:00", "free"),
            ("Sun 3 Jan 12:00-16:00", "maintenance"),
            ("Sun 3 Jan 16:00 - Thu 7 Jan 12:00", "John Smith"),
            ("Thu 7 Jan 12:00-16:00", "maintenance"),
            ("Thu 7 Jan 16:00 - Wed 13 Jan 12:00", "Alice Johnson"),
            ("Wed 13 Jan 12:00-16:00", "maintenance"),
            ("Wed 13 Jan 16:00", "free"),
        ];
        for (line, (when, what)) in told.iter().zip(expected) {
            assert!(line.starts_with(when) && line.ends_with(what), "{line}\n{screen}");
        }
        assert_eq!(told.len(), 7, "{screen}");
    }
}

/// Bars of a line, without its name and margins.
fn bars_of(line: &str, name: &str) -> String {
    let (_, bars) = line.split_once(name).unwrap();
    bars.trim_matches(['│', '┊', '[', '+', ']', ' ']).to_owned()
}

#[test]
fn apartment_x_shows_its_seven_bars_on_one_line_of_the_month() {
    for size in [(80, 24), (100, 30), (132, 60)] {
        let (_house, mut desk) = at_the_calendar(size.0, size.1);
        desk.goes_to("apartment x");
        for key in ["-", "-", "-"] {
            desk.key(key);
        }
        desk.goes_to("1 jan");
        let line = desk.line("Apartment X");
        let bars = bars_of(&line, "Apartment X");
        // free, out, John, out, Alice, out, free
        assert!(bars.starts_with("%-J") && bars.ends_with("▒%"), "{line}");
        assert!(bars.contains("▒%-Alice"), "{line}");
        assert_eq!(bars.matches('%').count(), 3, "{line}");
        // Tab and the arrows visit each of them in order, and a click selects it
        let said = ["maintenance", "John Smith", "maintenance", "Alice Johnson", "maintenance"];
        for step in ["Tab", "Right"] {
            desk.key("Home");
            if step == "Right" {
                desk.key("Tab");
            }
            for (at, who) in said.iter().enumerate() {
                if at > 0 || step == "Tab" {
                    desk.key(step);
                }
                let foot = desk.screen();
                let head = if *who == "maintenance" { "  Out  " } else { "  Booked " };
                let told = foot.lines().find(|line| line.starts_with(head));
                assert!(told.is_some_and(|line| line.contains(who)), "{step} {at}\n{foot}");
            }
        }
    }
}

#[test]
fn the_month_of_apartment_x_draws_its_seven_periods() {
    for size in [(80, 24), (100, 30), (200, 60)] {
        let (_house, mut desk) = at_the_calendar(size.0, size.1);
        desk.goes_to("apartment x");
        desk.goes_to("1 jan");
        desk.key("i");
        let weeks = desk.screen();
        let mut lines = weeks.lines();
        let mut weeks: Vec<&str> = Vec::new();
        while lines.any(|line| line.contains("week ")) {
            // its bars are below the hours
            weeks.extend(lines.find(|line| !line.contains('┬')));
        }
        let all = weeks.concat();
        assert_eq!(all.matches('%').count(), 3, "{all}");
        assert!(weeks[0].contains("-Jo") || weeks[0].contains('-'), "{all}");
        assert!(weeks[1].contains("▒%") && weeks[1].contains("-Alice"), "{all}");
    }
}

#[test]
fn hotel_1_shows_its_rooms_night_by_night() {
    let (_house, mut desk) = at_the_calendar(200, 60);
    desk.key("-");
    desk.key("-");
    let screen = desk.screen();
    assert!(screen.contains("▾ HOTEL_1"), "{screen}");
    for room in 0..10 {
        let line = desk.line(&format!("room_{room} "));
        assert!(line.contains(['▎', '!', '-']), "a night every 25 days, paid or not: {line}");
    }
    // of the nights in view one is taken of the last room, and two of the first: today's, and that in 25 days
    for (room, free) in [("room_9 ", " 25"), ("room_0 ", " 24")] {
        let tail = desk.line(room);
        assert!(tail.trim_end_matches(['│', ' ']).ends_with(free), "{tail}");
    }
    let free = screen.lines().rfind(|line| line.trim_matches(['│', ' ']).starts_with("free ")).unwrap();
    let free: Vec<&str> = free.trim_matches(['│', ' ']).split_whitespace().skip(1).collect();
    for (night, rooms) in [(0, "9"), (1, "9"), (9, "9"), (10, "10"), (12, "10"), (25, "9")] {
        assert_eq!(free.get(night), Some(&rooms), "{night}: {screen}");
    }
}

#[test]
fn the_meeting_room_refuses_what_shares_half_an_hour() {
    let (house, mut desk) = at_the_calendar(100, 30);
    let before = house.desk.read(crate::engine::reads::bookings::ReadBookings::default());
    let before = before.unwrap().len();
    desk.goes_to("meeting");
    desk.goes_to("22 nov 13:00");
    desk.key("n");
    desk.types("Reviews");
    for (tabs, text) in [(3, "sun 22 nov 11:25"), (1, "12:11")] {
        for _ in 0..tabs {
            desk.key("Tab");
        }
        desk.key("Ctrl-u");
        desk.types(text);
    }
    let screen = desk.screen();
    assert!(screen.contains("takes 11:00-12:30"), "{screen}");
    assert!(screen.contains("taken by Budget"), "{screen}");
    for _ in 0..4 {
        desk.key("Tab");
    }
    desk.key("Enter");
    let screen = desk.screen();
    assert!(screen.contains("Meeting room Sun 22 Nov"), "{screen}");
    assert!(screen.contains("Nothing was booked"), "{screen}");
    assert!(screen.contains("a  "), "another place is offered: {screen}");
    let after = house.desk.read(crate::engine::reads::bookings::ReadBookings::default());
    assert_eq!(after.unwrap().len(), before);
}

#[test]
fn no_name_is_cut_in_a_small_terminal() {
    let (_house, mut desk) = at_the_calendar(80, 24);
    for key in ["-", "-", "-", "+", "+", "+", "+"] {
        let screen = desk.screen();
        let names = screen.lines().filter(|line| {
            let name: String = line.chars().skip(1).take(20).collect();
            name.contains('…')
        });
        assert_eq!(names.collect::<Vec<_>>(), Vec::<&str>::new(), "{screen}");
        desk.key(key);
    }
    assert!(desk.screen().contains("Hall, right"));
}

#[test]
fn when_a_booking_is_stands_whole_in_a_small_terminal() {
    let (_house, mut desk) = at_the_calendar(80, 24);
    desk.goes_to("rehearsal 1");
    desk.goes_to("23 nov 15:00");
    let said = desk.line("  Booked");
    assert!(said.contains("Hamlet understudies  Mon 23 Nov 14:30-17:30"), "{said}");
}

#[test]
fn of_the_dates_without_room_is_told_how_many_are_free() {
    let (_house, mut desk) = at_the_calendar(80, 24);
    desk.goes_to("rehearsal 1");
    desk.goes_to("22 nov 14:30");
    desk.key("n");
    for _ in 0..2 {
        desk.key("Shift-Tab");
    }
    desk.types("daily x6");
    let screen = desk.screen();
    assert!(screen.contains("6 dates, 4 free"), "{screen}");
    assert!(screen.contains("and 5 more, 4 of them free"), "{screen}");
}

#[test]
fn two_weeks_of_one_resource_fill_the_room_below_the_timeline() {
    let (_house, mut desk) = at_the_calendar(200, 60);
    desk.goes_to("great hall");
    desk.goes_to("25 nov");
    let screen = desk.screen();
    assert!(screen.contains("Great Hall, two weeks"), "{screen}");
    assert!(screen.contains(">Wed 25 Nov "), "{screen}");
    // the other half of the hall has a booking in the middle of it
    let told = "Wed 25 Nov 14:00-23:00";
    assert_eq!(screen.matches(told).count(), 1, "{screen}");
    desk.goes_to("apartment x");
    let screen = desk.screen();
    assert!(screen.contains("Apartment X, two weeks"), "{screen}");
    desk.key("-");
    assert!(!desk.screen().contains("two weeks"), "a week has its own");
}
