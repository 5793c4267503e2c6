//! Movement: refused seats blink once, a long wait shows itself, then the desk rests.

use super::till::{Till, desk};
use crate::domain::time::Span;
use crate::tui::data::msg::{Effect, Msg};
use crate::tui::kit::theme::{Background, Depth, Theme, ThemeName};

/// The sign of a seat on the screen.
fn sign(till: &mut Till, seat: &str) -> String {
    let at = till.seat_cell(seat);
    let screen = till.draw();
    let line: Vec<char> = screen.lines().nth(usize::from(at.y)).unwrap().chars().collect();
    let cells = usize::from(at.x)..=usize::from(at.x) + 1;
    cells.filter_map(|x| line.get(x)).collect::<String>().trim_matches([' ', '[']).to_owned()
}

#[test]
fn refused_seats_blink_once() {
    let mut till = desk();
    till.burst("2");
    till.ben_holds(&["C7"]);
    till.burst("g").types("c7").burst("Enter").burst("Left");
    till.click("C7");
    till.said("C7 is gone");
    assert_eq!(sign(&mut till, "C7"), "!");
    assert_eq!(till.app.moves_in(), Some(Span::from_millis(250)));
    till.notice().wait(Span::from_millis(250));
    assert_eq!(sign(&mut till, "C7"), "◔", "its own sign, for a moment");
    assert_eq!(till.app.moves_in(), Some(Span::from_millis(250)));
    till.wait(Span::from_millis(250));
    assert_eq!(sign(&mut till, "C7"), "!");
    assert_eq!(till.app.moves_in(), None, "and the desk is at rest");
    till.wait(Span::seconds(60));
    assert_eq!(sign(&mut till, "C7"), "!", "until it is closed");
    till.burst("Esc");
    assert_eq!(sign(&mut till, "C7"), "◔");
}

/// A key whose questions nobody answers yet.
fn unanswered(till: &mut Till, key: &str) -> Vec<Effect> {
    till.app.update(Msg::Key(key.parse().unwrap()))
}

/// Time goes on, and nothing is answered: what is asked meanwhile comes to what was asked before.
fn passes(till: &mut Till, (asked, millis): (&mut Vec<Effect>, i64)) {
    let now = till.app.shared.now + Span::from_millis(millis);
    asked.extend(till.app.update(Msg::Tick(now)));
}

#[test]
fn a_wait_shows_itself_after_150_milliseconds_and_never_before() {
    let mut till = desk();
    assert_eq!(till.app.moves_in(), None);
    let mut asked = unanswered(&mut till, "4");
    assert!(!asked.is_empty());
    till.hides("the house is asked");
    passes(&mut till, (&mut asked, 149));
    till.hides("the house is asked");
    assert_eq!(till.app.moves_in(), Some(Span::from_millis(1)));
    passes(&mut till, (&mut asked, 1));
    till.shows("⠁ the house is asked");
    assert_eq!(till.app.moves_in(), Some(Span::from_millis(125)));
    passes(&mut till, (&mut asked, 125));
    till.shows("⠂ the house is asked").hides(", for");
    passes(&mut till, (&mut asked, 875));
    till.shows("the house is asked, for 1 s");
    till.carry_out(asked);
    till.settle();
    till.hides("the house is asked");
    assert_eq!(till.app.moves_in(), None, "and the desk is at rest");
}

#[test]
fn keys_queued_behind_a_wait_can_be_dropped() {
    let mut till = desk();
    till.burst("2");
    let mut asked = unanswered(&mut till, "Space");
    asked.extend(unanswered(&mut till, "Down"));
    asked.extend(unanswered(&mut till, "Space"));
    passes(&mut till, (&mut asked, 2000));
    till.shows("Ctrl-C drops what waits behind it");
    asked.extend(unanswered(&mut till, "Ctrl-C"));
    till.carry_out(asked);
    till.settle();
    let seats = till.app.shared.cart.view().unwrap().cart.seat_count();
    assert_eq!(seats, 1, "what was asked is answered");
}

#[test]
fn the_theme_follows_the_terminal_background_unless_one_is_chosen() {
    let mut till = desk();
    let mono = Theme::named(ThemeName::Mono).unwrap();
    till.send(Msg::Background(Background::Light));
    assert_eq!(till.app.shared.theme, mono);
    till.app.follow_ground(Depth::Many);
    till.send(Msg::Background(Background::Light));
    assert_eq!(till.app.shared.theme, Theme::named(ThemeName::Light).unwrap());
    till.send(Msg::Background(Background::Dark));
    assert_eq!(till.app.shared.theme, Theme::named(ThemeName::Dark).unwrap());
}
