//! Keys typed before their screen was read.

use super::till::{Till, desk};
use crate::domain::time::Span;
use crate::engine::clock::Clock as _;
use crate::tui::data::left::LeftAt;
use crate::tui::data::msg::Msg;
use crate::tui::kit::input::Key;
use crate::tui::kit::screen::Screen;

/// A desk at its first frame, with the answers that it waits for.
fn unread(screen: Screen) -> (Till, Vec<Msg>) {
    let mut till = desk();
    till.first_frame(LeftAt { screen, ..LeftAt::default() });
    let answers = till.keeps_back();
    (till, answers)
}

impl Till {
    /// Keys while the house does not answer, with a time between them.
    fn early(&mut self, keys: &str, between: Span) -> &mut Self {
        for key in keys.split(' ') {
            self.send(Msg::Key(key.parse::<Key>().unwrap()));
            self.clock.set(self.clock.now() + between);
            self.send(Msg::Tick(self.clock.now()));
        }
        self
    }

    fn answered(&mut self, answers: Vec<Msg>) -> &mut Self {
        for answer in answers {
            self.send(answer);
        }
        self.settle();
        self
    }
}

/// `b` said that no performance is listed, `4` showed Orders, and Enter opened the newest of them.
#[test]
fn four_seats_asked_for_before_the_programme_came_are_four_seats() {
    for between in [0, 400] {
        let (mut till, answers) = unread(Screen::Tonight);
        till.early("b 4 Enter", Span::from_millis(between));
        assert_eq!(till.app.at, Screen::Tonight, "{between} ms between the keys");
        till.answered(answers).shows("4 seats");
        assert_eq!((till.app.at, till.asked_for().pop().as_deref()), (Screen::Seats, Some("hold_seats")));
    }
}

#[test]
fn a_first_key_does_on_each_screen_what_it_does_once_all_is_read() {
    for &screen in Screen::ALL {
        for key in ["b", "Enter", "Space", "Down", "n", "i", "f", "4"] {
            let (mut early, answers) = unread(screen);
            early.early(key, Span::default()).answered(answers);
            let (mut late, answers) = unread(screen);
            late.answered(answers).burst(key);
            assert_eq!(early.draw(), late.draw(), "{key} on {screen:?}");
        }
    }
}

#[test]
fn keys_whose_screen_does_not_come_are_dropped_with_a_sentence() {
    let (mut till, answers) = unread(Screen::Tonight);
    let before = till.asked_for();
    till.early("b 4 Enter p Enter", Span::from_millis(900)).hides("is not read yet");
    till.early("Enter", Span::from_millis(900));
    till.newest("Tonight is not read yet, so nothing was done; press again when it is: b 4 Enter p Enter Enter");
    till.answered(answers).wait(Span::seconds(1));
    assert_eq!((till.app.at, till.asked_for(), till.sales()), (Screen::Tonight, before, 0));
    till.keys("b 4 Enter").shows("4 seats");
}

#[test]
fn escape_and_quitting_need_no_waiting() {
    for key in ["Esc", "Ctrl-c"] {
        let (mut till, answers) = unread(Screen::Tonight);
        till.early("b 4", Span::default()).early(key, Span::default()).newest("Dropped: b 4");
        till.answered(answers);
        assert_eq!(till.app.at, Screen::Tonight);
    }
    let (mut till, _) = unread(Screen::Tonight);
    till.early("b q", Span::default());
    assert!(till.quit);
}
