//! Stories of time that a booking lost: it is seen on the timeline, in the month, and told in words.

use ratatui::style::Color;

use super::{at, book, calendar};
use crate::domain::booking::Cause;
use crate::domain::resource::Resource;
use crate::engine::ops::{Displace, Past, TakeOut};
use crate::tui::app::tests::{Till, actor};
use crate::tui::kit::theme::{Theme, ThemeName};

/// Takes hours of a room out of use, whoever stands there.
pub(super) fn leak(till: &mut Till, of: &Resource, (from, until): (i64, i64)) {
    let disable = TakeOut {
        resources: vec![of.id.clone()],
        count: None,
        from: Some(at(from)),
        until: Some(at(until)),
        cause: Cause::Disable,
        reason: "leak".into(),
        displace: Displace::Ask,
        past: Past::Refuse,
    };
    till.engine.desk(actor("ben", "till-1")).run(disable).unwrap();
    till.notice();
}

/// A desk on the lost time of Yoga; it and Choir can have other rooms.
pub(in crate::tui::app::tests) fn two_displaced() -> Till {
    let (mut till, one, _) = calendar();
    super::book_choir(&till, &one);
    for name in ["Rehearsal 3", "Rehearsal 4"] {
        super::room(&till, name, 15);
    }
    leak(&mut till, &one, (1, 8));
    till.types("g14:30 today").keys("Enter");
    till
}

#[test]
fn a_booking_displaced_by_a_disable_is_drawn_at_its_old_time() {
    let (mut till, one, _) = calendar();
    leak(&mut till, &one, (1, 6));
    let line = till.line("Rehearsal 1");
    assert!(line.contains("✗╱╱╱✗!Yoga╱╱✗leak╱╱"), "{line}");
    till.shows("! displaced");
    till.types("g14:30 today").keys("Enter");
    let said = till.line("  Displaced");
    for words in ["Yoga", "lost Rehearsal 1, Sat 21 Nov 14:00-16:00", "leak"] {
        assert!(said.contains(words), "{said}");
    }
    till.shows("d deal with it").shows("D back into use");
    assert!(till.line("Rehearsal 1").contains("✗╱╱╱[!Yoga╱]✗leak╱╱"));
    till.keys("i").shows("✗!✗").shows("! Yoga lost it: leak");
    till.keys("Esc Enter").shows("nothing any more").keys("Esc");
    // once it has other time, the room is out of use and no more
    till.keys("d").shows(">Yoga   lost Rehearsal 1").keys("a Esc");
    let line = till.line("Rehearsal 1");
    assert!(line.contains("leak╱") && !line.contains('!'), "{line}");
    assert!(till.line("Rehearsal 2").contains("-Yoga▒▒▒"));
}

#[test]
fn the_rest_of_a_displaced_booking_names_the_lost_time() {
    let (mut till, one, _) = calendar();
    leak(&mut till, &one, (3, 5));
    let line = till.line("Rehearsal 1");
    assert!(line.contains("▎!▒▒✗!╱╱✗╱╱╱"), "{line}");
    till.types("g14:00 today").keys("Enter");
    let said = till.line("  Displaced");
    assert!(said.contains("lost Rehearsal 1, Sat 21 Nov 15:00-16:00"), "{said}");
    assert!(said.contains("left Sat 21 Nov 14:00-15:00"), "{said}");
    till.keys("i").shows("! Yoga, displaced from a part");
    till.keys("Esc Enter").shows("lost").shows("Sat 21 Nov 15:00-16:00");
}

#[test]
fn out_of_service_draws_displaced_bookings_too() {
    let (mut till, one, _) = calendar();
    book(&till, &one, (5, 7), "Choir");
    let out = TakeOut {
        resources: vec![one.id.clone()],
        count: None,
        from: Some(at(1)),
        until: None,
        cause: Cause::OutOfService,
        reason: "wiring".into(),
        displace: crate::engine::ops::Displace::Take,
        past: Past::Refuse,
    };
    till.engine.desk(actor("ben", "till-1")).run(out).unwrap();
    till.notice();
    let line = till.line("Rehearsal 1");
    assert!(line.contains("✗╱╱╱✗!Yoga╱╱✗╱╱╱✗!Choir╱✗wiring"), "{line}");
}

#[test]
fn displaced_bookings_have_a_shape_of_their_own_in_every_theme() {
    let (mut till, one, _) = calendar();
    leak(&mut till, &one, (1, 6));
    for name in [ThemeName::Terminal, ThemeName::Dark, ThemeName::Light, ThemeName::Mono] {
        till.app.shared.theme = Theme::named(name).unwrap();
        let sign = till.cell_of("!Yoga");
        let theme = till.app.shared.theme.clone();
        let style = till.style_at(sign);
        let colour = theme.warning.fg.unwrap_or(Color::Reset);
        assert_eq!(style.fg, Some(colour), "{name:?}");
        assert_ne!(theme.warning, theme.disabled, "{name:?}");
    }
}

/// Screens B4: Shift-Tab went forward among the places for a displaced booking.
#[test]
fn shift_tab_goes_back_among_the_offers() {
    let mut till = two_displaced();
    till.keys("d");
    let chosen = till.line("  a  Rehearsal");
    till.keys("Tab");
    assert_ne!(till.line("  a  Rehearsal"), chosen);
    till.keys("Shift-Tab");
    assert_eq!(till.line("  a  Rehearsal"), chosen);
}
