//! Stories of what another operator took out of use: it is named, and changed only on purpose.

use super::{at, calendar};
use crate::domain::booking::Cause;
use crate::domain::resource::Resource;
use crate::engine::ops::{Occupy, Past};
use crate::tui::app::tests::{Till, actor};

/// Another operator takes a room for maintenance.
fn maintain(till: &mut Till, of: &Resource, from: i64, until: Option<i64>) {
    let care = Occupy {
        resources: vec![of.id.clone()],
        from: at(from),
        until: until.map(at),
        cause: Cause::Maintenance,
        reason: "lamp".into(),
        past: Past::Refuse,
    };
    let desk = till.engine.desk(actor("cleo", "office"));
    desk.run(care).unwrap();
    till.notice();
}

/// F16.
#[test]
fn another_operators_maintenance_moves_and_comes_back_only_on_purpose() {
    let (mut till, one, _) = calendar();
    maintain(&mut till, &one, 5, Some(7));
    till.types("g18:00 today").keys("Enter").shows("by cleo");
    till.keys("m Down Enter").shows("cleo took it out");
    till.keys("n Up");
    assert!(till.line("Rehearsal 1").contains("lamp"));
    till.keys("m Down Enter o");
    assert!(till.line("Rehearsal 2").contains("lamp"));
    till.keys("D").shows("cleo took it out").keys("o");
    assert!(!till.line("Rehearsal 2").contains("lamp"));
}

/// F16.
#[test]
fn maintenance_without_an_end_is_told_with_its_operator_and_no_end() {
    let (mut till, one, _) = calendar();
    maintain(&mut till, &one, 5, None);
    till.types("g19:00 today")
        .keys("Enter")
        .shows("from Sat 21 Nov 17:00 until further notice")
        .shows("by cleo");
    till.keys("i").shows("until further notice").keys("Esc");
    till.keys("D").shows("cleo took it out").keys("o");
    assert!(!till.draw().contains("lamp"));
}
