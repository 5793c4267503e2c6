//! Rights at the desk: each act that needs more than a seller is tried at a desk of one who may not do it.

use std::collections::BTreeSet;
use std::path::Path;

use super::after_sale::sold;
use super::calendar::displaced::two_displaced;
use super::calendar::{at, calendar};
use super::dialogs::sources;
use super::hands::{self, OFFICE, SELLER, SUPERVISOR, office};
use super::till::{Till, actor, desk, on_a_server};
use crate::domain::booking::Cause;
use crate::domain::money::{Currency, Price};
use crate::domain::rights::{GIVE_AWAY, PAY_BACK, StaffRole, least};
use crate::domain::time::Span;
use crate::engine::ops::{
    AddOperator, AddPerformance, ChangeBooking, ChangeSettings, DisableOperator, Displace, OpenTill, Past, SetPrices,
    TakeOut,
};
use crate::engine::reads::bookings::ReadBookings;
use crate::engine::reads::catalog::ReadPerformance;
use crate::engine::reads::jobs::runs::{ReadRuns, WhichRuns};
use crate::engine::reads::journal::ReadJournal;
use crate::tui::data::msg::{ClockJump, Msg};

/// Act at a desk, as the keys that ask for it.
struct Row {
    act: &'static str,
    /// House in which it can be done, before it has operators.
    house: fn() -> Till,
    /// Keys before the last one; what stands between quotes is typed.
    way: &'static str,
    last: &'static str,
    /// Act that its undo asks for, if it has one.
    undo: Option<&'static str>,
}

const fn row(act: &'static str, house: fn() -> Till, way: &'static str, last: &'static str) -> Row {
    Row { act, house, way, last, undo: None }
}

impl Row {
    const fn undone_by(self, act: &'static str) -> Self {
        Self { undo: Some(act), ..self }
    }

    fn is_part(&self) -> bool {
        self.act != self.verb()
    }

    /// Verb of the operation that the act is, or is a part of.
    fn verb(&self) -> &'static str {
        match self.act {
            PAY_BACK | GIVE_AWAY => "checkout",
            act => act,
        }
    }
}

/// Acts that a desk can do, but `move_booking` each above a seller's.
fn rows() -> Vec<Row> {
    vec![
        row(
            "add_performances",
            desk,
            "1 N 'Lear' Enter Enter 'fri 19:30' Enter '21:30' Enter '12' Enter Enter",
            "Enter",
        )
        .undone_by("change_performances"),
        row("add_resource", calendar_desk, "3 N 'Studio' Tab 'room' Tab '1h' Shift-Tab Shift-Tab Shift-Tab", "Enter")
            .undone_by("change_resource"),
        row("add_theater", desk, "1 T 'Studio' Tab '2x4' Tab Tab", "Enter").undone_by("change_theater"),
        row(
            "apply_prices",
            listed,
            "1 : 'price lists' Enter Shift-Tab Right Right Right Right Right Tab 'Week' Enter",
            "Enter",
        ),
        row("cancel_performance", desk, "1 C 'ill' Enter", "Enter"),
        row("change_followed", calendar_desk, "3 Down Down : 'follow' Enter 'A' Tab '/srv/a.ics' Tab Tab Tab", "Enter"),
        row("change_performance", desk, "1 E 'Macbeth' Shift-Tab", "Enter").undone_by("change_performance"),
        row("change_performances", repeated, "1 j E 'Lear' Shift-Tab Shift-Tab a Tab", "Enter")
            .undone_by("change_performances"),
        row("change_resource", calendar_desk, "3 Down Down E 'Loft'", "Enter").undone_by("change_resource"),
        row("change_settings", desk, "1 : 'price lists' Enter Shift-Tab Right Right Tab 'Press' Enter", "Enter"),
        row("change_theater", studio, "1 T Shift-Tab r Tab Tab 'Attic' Tab", "Enter").undone_by("change_theater"),
        row("close_days", desk, "1 : 'closed days' Enter '24 dec'", "Enter"),
        row("confirm_clock", desk, ":confirm-clock Enter", "f"),
        row("control_job", desk, "5 Home D 'lunch'", "Enter"),
        row("copy_performance", desk, "1 c 'fri 19:30'", "Enter").undone_by("change_performances"),
        row("correct_receipt", sold, "4 Enter R Right", "Enter"),
        row("disable_seats", desk, "2 g 'b6' Enter D 'leak' Enter", "d").undone_by("undo_out_of_use"),
        row("enable_seats", leaking, "2 g 'b6' Enter D", "o"),
        row("enable_slot", room_out, "3 Down Down g '18:00 today' Enter D", "o"),
        row(GIVE_AWAY, comps, "2 b 1 Enter t p Enter 'press' Shift-Tab", "Enter"),
        row("keep_seats", desk, "2 g 'c8' Enter K 'press' Tab '18:30' Enter", "Enter").undone_by("unkeep_seats"),
        row("move_booking", two_displaced, "3 d", "a").undone_by("return_to_worklist"),
        row("move_cash", till_open, "1 t Shift-Tab Right Tab '50' Enter 'bank' Enter", "Enter"),
        row(PAY_BACK, sold, "4 Enter Space m b 1 Enter t p Right Enter", "Enter"),
        row("postpone_performance", desk, "1 m 'mon' Enter 'ill' Enter", "Enter"),
        row("refund_booking", overpaid, "3 Down Down Tab Enter R Right", "Enter"),
        row(
            "rename_prices",
            listed,
            "1 : 'price lists' Enter Shift-Tab Right Right Right Tab 'Week' Enter 'Winter' Enter",
            "Enter",
        ),
        row("set_prices", desk, "1 : 'price lists' Enter 'Week' Enter 'Base: EUR 10.00' Enter", "Enter"),
        row("settle_item", displaced, "1 Tab Enter Right Right", "Enter"),
        row("take_out", calendar_desk, "3 Down Down g '18:00 today' Enter D 'leak' Up Up", "Enter")
            .undone_by("undo_out_of_use"),
        row("unkeep_seats", kept, "2 g 'c8' Enter K", "s"),
    ]
}

/// Acts above a seller's without a key of their own at the desk, and why.
const NO_KEY: [(&str, &str); 21] = [
    ("add_job", "programs add jobs"),
    ("add_operator", "operators are the command line's"),
    ("add_performance", "the desk adds several, or one of several"),
    ("change_pin", "operators are the command line's"),
    ("change_plan", "a plan comes from a file"),
    ("close_horizon", "stock of nights is the command line's"),
    ("close_sales", "a job does it"),
    ("disable_operator", "operators are the command line's"),
    ("follow_calendar", "a job does it"),
    ("forget_customer", "customers are the command line's"),
    ("import_customers", "a list comes from a file"),
    ("import_season", "a list comes from a file"),
    ("import_times", "a calendar comes from a file"),
    ("in_service", "a resource goes back into service by the bar that is under the cursor"),
    ("merge_customers", "customers are the command line's"),
    ("open_horizon", "stock of nights is the command line's"),
    ("reissue_tickets", "the command line's"),
    ("release_keep", "a job does it"),
    ("return_to_worklist", "an undo, of other time for what was displaced"),
    ("set_hall", "the command line's"),
    ("undo_out_of_use", "an undo"),
];

fn calendar_desk() -> Till {
    calendar().0
}

fn dora(till: &Till) -> crate::engine::Desk {
    till.engine.desk(actor("dora", "office"))
}

/// A house with the price list "Week", which became dearer after a night was priced by it.
fn listed() -> Till {
    let till = desk();
    let dora = dora(&till);
    let set = |rule: &str| dora.run(SetPrices { list: "Week".into(), rules: vec![rule.parse().unwrap()] }).unwrap();
    set("Base: EUR 10.00");
    let theater = dora.read(ReadPerformance(till.show)).unwrap().performance.theater;
    let lear = AddPerformance::new(theater, "Lear", (at(30), at(32)), Vec::new());
    dora.run(AddPerformance { list: Some("Week".into()), ..lear }).unwrap();
    set("Base: EUR 12.00");
    till
}

/// A house with "Lera" on 3 Fridays.
fn repeated() -> Till {
    let mut till = desk();
    till.keys("1 N").types("Lera").keys("Enter Enter").types("fri 19:30").keys("Enter").types("21:30");
    till.keys("Enter").types("12").keys("Enter").types("x3").keys("Enter Enter").newest("Lera opened on 3 dates");
    till
}

fn studio() -> Till {
    let mut till = desk();
    till.keys("1 T").types("Studio").keys("Tab").types("2x4").keys("Tab Tab Enter").newest("Studio added");
    till
}

fn leaking() -> Till {
    let mut till = desk();
    till.disable(&["B6"]);
    till
}

/// A house whose room is out of use in the evening.
fn room_out() -> Till {
    let (till, one, _) = calendar();
    let out = TakeOut {
        resources: vec![one.id],
        count: None,
        from: Some(at(6)),
        until: Some(at(7)),
        cause: Cause::Disable,
        reason: "leak".into(),
        displace: Displace::Ask,
        past: Past::Refuse,
    };
    dora(&till).run(out).unwrap();
    till
}

/// A house that gives tickets of children away.
fn comps() -> Till {
    let till = desk();
    dora(&till).run(ChangeSettings::to("comps", "Child")).unwrap();
    till
}

fn till_open() -> Till {
    let till = desk();
    let floats = vec![Price { minor: 10_000, currency: Currency::EUR }];
    till.engine.desk(actor("ada", "till-2")).run(OpenTill { floats }).unwrap();
    till
}

/// A house in which Yoga was paid, and costs less now.
fn overpaid() -> Till {
    let (mut till, _, _) = calendar();
    let costs = |till: &Till, minor| {
        let all = dora(till).read(ReadBookings { text: Some("Yoga".into()), ..ReadBookings::default() }).unwrap();
        let price = Some(Price { minor, currency: Currency::EUR });
        dora(till).run(ChangeBooking { price, ..ChangeBooking::of(all[0].id) }).unwrap();
    };
    costs(&till, 8000);
    till.notice().keys("Tab Enter p Enter").newest("Sold: receipt till-2/1");
    costs(&till, 5000);
    till
}

/// A house in which the seats of an order are out of use.
fn displaced() -> Till {
    let mut till = sold();
    till.disable(&["B7", "B8", "B9"]).notice().wait(Span::seconds(1));
    till
}

fn kept() -> Till {
    let mut till = desk();
    till.keys("2 g").types("c8").keys("Enter K").types("press").keys("Tab").types("18:30").keys("Enter Enter");
    till.newest("C8 kept for press");
    till
}

impl Till {
    /// Keys with texts between quotes.
    fn goes(&mut self, way: &str) -> &mut Self {
        for (number, part) in way.split('\'').enumerate() {
            match part.trim() {
                _ if number % 2 == 1 => self.types(part),
                "" => self,
                keys => self.keys(keys),
            };
        }
        self
    }

    fn signs_in(&mut self, pin: &str) -> &mut Self {
        self.shows("This desk is locked").types(pin).keys("Enter").hides("This desk is locked")
    }

    /// A desk of this house, one key before an act of whoever has the PIN.
    fn stands_before(row: &Row, pin: &str) -> Self {
        let mut till = hands::staffed((row.house)());
        till.signs_in(pin);
        if row.act == "confirm_clock" {
            till.send(Msg::ClockJumped(ClockJump::of_millis(3_660_000)));
            till.types(":confirm-clock").keys("Enter");
        } else {
            till.goes(row.way);
        }
        till
    }

    /// Acts that are stored, but sign-ins, and what was done to jobs: operator, who approved, request. What was done to
    /// jobs by right is in their history only.
    fn stored(&self) -> Vec<(String, Option<String>, String)> {
        let entries = dora(self).read(ReadJournal::default()).unwrap();
        let entries = entries.into_iter().map(|entry| (entry.operator, entry.approved, entry.request));
        let runs = dora(self).read(ReadRuns { which: WhichRuns::Rare, ..ReadRuns::default() }).unwrap();
        let runs = runs.into_iter().map(|run| (run.operator, None, run.detail));
        entries.filter(|(_, _, request)| !request.starts_with("{\"sign_in\"")).chain(runs).collect()
    }

    /// Asserts that an approval of an act is asked for.
    #[track_caller]
    fn asks(&mut self, act: &str) -> &mut Self {
        self.shows("Approve?").shows("and may not do this (");
        let dialog = format!("{:?}", self.app.modal);
        assert!(dialog.contains(&format!("act: \"{act}\"")), "not {act}: {dialog}");
        self
    }
}

/// Tries each row, and names those that failed.
fn each(rows: impl Iterator<Item = Row>, tried: impl Fn(&Row)) {
    let fails = |row: &Row| std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| tried(row))).is_err();
    let failed: Vec<&str> = rows.filter(fails).map(|row| row.act).collect();
    assert!(failed.is_empty(), "{failed:?}");
}

fn above_a_seller(act: &str) -> bool {
    least(act) > Some(StaffRole::Seller)
}

/// Acts above a seller's, of operations that stand in the sources.
fn acts() -> BTreeSet<String> {
    let below = |folder: &str| {
        let files = sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join(folder));
        files.iter().map(|file| std::fs::read_to_string(file).unwrap()).collect::<String>()
    };
    let operations = below("src/engine/ops");
    let verbs = operations.split("const VERB: &'static str = \"").skip(1).filter_map(|rest| rest.split('"').next());
    verbs.filter(|verb| above_a_seller(verb)).map(str::to_owned).collect()
}

#[test]
fn every_act_above_a_sellers_has_its_keys_here_or_a_reason_for_having_none() {
    let rows = rows();
    let listed = rows.iter().map(Row::verb).chain(NO_KEY.iter().map(|(act, _)| *act));
    let listed: BTreeSet<String> = listed.filter(|act| above_a_seller(act)).map(str::to_owned).collect();
    assert_eq!(listed, acts());
    let parts = rows.iter().filter(|row| row.is_part()).count();
    assert_eq!(parts, 2, "parts of an act that need more");
}

/// An act that a seller asks for waits for a PIN, and nothing is stored until it is given.
#[test]
fn every_act_at_a_sellers_desk_is_done_once_it_is_approved_and_not_before() {
    each(rows().into_iter().filter(|row| above_a_seller(row.act)), |row| {
        let mut till = Till::stands_before(row, SELLER);
        let before = till.stored();
        till.keys(row.last).asks(row.act);
        assert_eq!(till.stored(), before, "{}", row.act);
        let of_office = least(row.act) == Some(StaffRole::Office);
        for (below, role) in [(SELLER, "sam is a seller"), (SUPERVISOR, "bea is a supervisor")] {
            if below == SELLER || of_office {
                till.types(below).keys("Enter").asks(row.act).shows(role);
                assert_eq!(till.stored(), before, "{}", row.act);
            }
        }
        let (pin, approver) = if of_office { (OFFICE, "olga") } else { (SUPERVISOR, "bea") };
        till.types(pin).keys("Enter").hides("Approve?");
        let after = till.stored();
        let verb = format!("{{\"{}\"", row.verb());
        let new = after[before.len()..].iter().filter(|(_, _, request)| request.starts_with(&verb));
        let by: Vec<_> = new.map(|(operator, approved, _)| (operator.as_str(), approved.as_deref())).collect();
        assert_eq!(by, [("sam", Some(approver))], "{}: {:?}\n{}", row.act, &after[before.len()..], till.draw());
    });
}

/// A switch while a dialog is open leaves it to the next, who may do less.
#[test]
fn every_act_that_waits_for_its_last_key_asks_the_next_operator_for_an_approval() {
    each(rows().into_iter().filter(|row| above_a_seller(row.act)), |row| {
        let mut till = Till::stands_before(row, OFFICE);
        till.wait(Span::minutes(10)).signs_in(SELLER).shows("sam@till-2");
        if row.act == "confirm_clock" {
            till.send(Msg::ClockJumped(ClockJump::of_millis(3_660_000)));
        }
        let before = till.stored();
        if row.is_part() {
            // the cart of the one before was set aside, and its payment with it
            till.hides("╭ Pay").keys(row.last).hides("Approve?");
        } else {
            till.keys(row.last).asks(row.act);
        }
        assert_eq!(till.stored(), before, "{}", row.act);
        till.keys("Esc").hides("Approve?");
        assert_eq!(till.stored(), before, "{}", row.act);
    });
}

/// Another station makes the operator a seller while the dialog is open.
#[test]
fn every_act_that_waits_for_its_last_key_locks_the_desk_of_one_who_may_do_it_no_more() {
    each(rows().into_iter().filter(|row| above_a_seller(row.act)), |row| {
        let mut till = Till::stands_before(row, OFFICE);
        let first = office(&till);
        let adding =
            |name: &str, role, pin: &str| AddOperator { name: name.into(), role, pin: first.new_pin(pin).unwrap() };
        first.run(adding("eva", StaffRole::Office, "8642")).unwrap();
        let eva = till.engine.desk(actor("ada", "till-1")).signed_in("8642", None).unwrap();
        eva.run(DisableOperator { name: "olga".into() }).unwrap();
        eva.run(adding("olga", StaffRole::Seller, "9753")).unwrap();
        let before = till.stored();
        till.keys(row.last).shows("This desk is locked. Type your PIN.");
        assert_eq!(till.stored(), before, "{}", row.act);
        till.signs_in("9753").newest("olga is signed in");
    });
}

/// An act of one who may is not undone by the next, who may not.
#[test]
fn every_undo_asks_the_next_operator_for_an_approval() {
    each(rows().into_iter(), |row| {
        let mut till = Till::stands_before(row, OFFICE);
        let at_first = till.stored().len();
        till.keys(row.last);
        let before = till.stored();
        assert!(before.len() > at_first, "{} is not done:\n{}", row.act, till.draw());
        till.keys("Esc Esc L").signs_in(SELLER).keys("u");
        if till.draw().contains("Undo: ") {
            till.keys("u");
        }
        match row.undo {
            Some(undo) => till.asks(undo).keys("Esc").hides("Approve?"),
            None => till.hides("Approve?"),
        };
        assert_eq!(till.stored(), before, "{}", row.act);
    });
}

/// The tests of each act, of houses on a server.
macro_rules! on_a_server {
    ($($test:ident)+) => { mod of_a_server { $(#[test] fn $test() { super::on_a_server(super::$test); })+ } };
}

on_a_server! {
    every_act_at_a_sellers_desk_is_done_once_it_is_approved_and_not_before
    every_act_that_waits_for_its_last_key_asks_the_next_operator_for_an_approval
    every_act_that_waits_for_its_last_key_locks_the_desk_of_one_who_may_do_it_no_more
    every_undo_asks_the_next_operator_for_an_approval
}
