//! The front page of the demo house.

use ratatui::layout::Size;

use super::Desk;
use crate::demo::testing::furnished;
use crate::tui::data::msg::Msg;
use crate::tui::kit::theme::{Theme, ThemeName};

#[test]
fn only_urgent_words_have_the_ground_of_danger() {
    let (house, _) = furnished();
    let mut desk = Desk::at(&house.desk);
    let theme = Theme::named(ThemeName::Dark).unwrap();
    let ground = theme.danger.bg;
    desk.app.shared.theme = theme;
    for (width, height) in [(80, 24), (120, 36), (200, 60)] {
        desk.send(Msg::Resize(Size::new(width, height)));
        let drawn = desk.drawn();
        let urgent = drawn.content().iter().filter(|cell| Some(cell.bg) == ground);
        let urgent: String = urgent.map(ratatui::buffer::Cell::symbol).collect();
        assert!(urgent.contains("now"), "{urgent:?}");
        assert!(!urgent.contains(' '), "{urgent:?}");
    }
}
