//! Stories of what another operator took out of use: it is named, and changed only on purpose.

use super::{at, calendar};
use crate::domain::booking::{Booking, Cause};
use crate::domain::ids::{BookingId, SeriesId};
use crate::domain::resource::Resource;
use crate::engine::ops::{Displace, OutOfUse, Past, TakeOut};
use crate::engine::{Failure, Operation, UnitOfWork};
use crate::tui::app::tests::{Till, actor};

/// Another operator takes a room for maintenance.
fn maintain(till: &mut Till, of: &Resource, from: i64, until: Option<i64>) {
    let desk = till.engine.desk(actor("cleo", "office"));
    desk.run(maintenance(of, from, until)).unwrap();
    till.notice();
}

fn maintenance(of: &Resource, from: i64, until: Option<i64>) -> TakeOut {
    TakeOut {
        resources: vec![of.id.clone()],
        count: None,
        from: Some(at(from)),
        until: until.map(at),
        cause: Cause::Maintenance,
        reason: "lamp".into(),
        displace: Displace::Ask,
        past: Past::Refuse,
    }
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
fn maintenance_without_an_end_is_shown_with_its_operator() {
    let (mut till, one, _) = calendar();
    maintain(&mut till, &one, 5, None);
    till.types("g19:00 today").keys("Enter").shows("from Sat 21 Nov 17:00 until further notice").shows("by cleo");
    till.types("g25 nov 19:00").keys("Enter").shows("from Sat 21 Nov 17:00 until further notice");
    till.keys("i").shows("until further notice").keys("Esc");
    till.keys("D").shows("cleo took it out").keys("o");
    assert!(!till.draw().contains("lamp"));
}

#[test]
fn another_operators_maintenance_is_canceled_only_on_purpose() {
    let (mut till, one, _) = calendar();
    maintain(&mut till, &one, 5, Some(7));
    till.types("g18:00 today").keys("Enter C");
    till.shows("Cancel the booking?").shows("cleo took it out");
    till.keys("k");
    assert!(till.line("Rehearsal 1").contains("lamp"));
    till.keys("C o").newest("lamp canceled");
    assert!(!till.line("Rehearsal 1").contains("lamp"));
    till.keys("u");
    assert!(till.line("Rehearsal 1").contains("lamp"), "it stands again");
}

#[test]
fn another_operators_maintenance_that_was_displaced_moves_only_on_purpose() {
    let (mut till, one, _) = calendar();
    maintain(&mut till, &one, 5, Some(7));
    super::displaced::leak(&mut till, &one, (4, 8));
    till.types("g18:00 today").keys("Enter d").shows("lost");
    till.keys("a").shows("cleo took it out").keys("n");
    assert!(!till.line("Rehearsal 2").contains("lamp"));
    till.keys("d a o").newest("lamp moved to Rehearsal 2");
    assert!(till.line("Rehearsal 2").contains("lamp"));
}

/// Two operators whose names differ by what no screen shows.
#[test]
fn operators_with_lookalike_names_are_distinct() {
    let (mut till, one, _) = calendar();
    till.app.shared.operator = "cleo".into();
    let care = maintenance(&one, 5, Some(7));
    let desk = till.engine.desk(actor("cl\u{200b}eo", "office"));
    desk.run(care).unwrap();
    till.notice();
    till.types("g18:00 today").keys("Enter D");
    till.shows("took it out");
}

/// Makes one repeat of some bookings.
#[derive(serde::Serialize)]
struct Repeat(Vec<BookingId>);

impl Operation for Repeat {
    const VERB: &'static str = "repeat";
    type Answer = ();

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<(), Failure> {
        let series = Some(SeriesId::random());
        for id in &self.0 {
            let booking: Booking = work.get(*id)?;
            work.put(&Booking { series, ..booking })?;
        }
        Ok(())
    }
}

#[test]
fn another_operators_maintenance_series_asks_for_the_override_and_the_reach_of_the_move() {
    let (mut till, one, _) = calendar();
    let desk = till.engine.desk(actor("cleo", "office"));
    let dates = [5, 24 + 5].map(|from| desk.run(maintenance(&one, from, Some(from + 2))));
    let dates = dates.map(|done| match done.unwrap() {
        OutOfUse::Slot { booking, .. } => booking.id,
        OutOfUse::Marked { .. } => panic!("it has an end"),
    });
    desk.run(Repeat(dates.to_vec())).unwrap();
    till.notice().types("g18:00 today").keys("Enter m Down Enter");
    till.shows("How much of it moves?").shows("cleo took it out");
    till.keys("a").newest("lamp moved to Rehearsal 2");
    till.keys("C").shows("cleo took it out").keys("a");
    till.newest("2 dates of lamp canceled");
}
