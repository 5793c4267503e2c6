//! House seats, closed days, a followed calendar and lists in files, without a shell.

use super::calendar::calendar;
use super::till::{Till, actor, desk};
use crate::domain::customer::Customer;
use crate::domain::time::Span;
use crate::engine::ops::KeepSeats;
use crate::engine::reads::catalog::ReadSettings;
use crate::engine::reads::customers::known::ReadKnownCustomers;
use crate::engine::reads::jobs::{ReadJobs, WhichJobs};

#[test]
fn seats_are_kept_for_somebody_and_put_on_sale_again() {
    let mut till = desk();
    till.keys("2 g").types("c8-9").keys("Enter K").shows("Keep for the house   C8-C9");
    till.keys("Enter Enter Enter").shows("Type for whom they are kept").types("the press").keys("Tab").types("18:30");
    till.shows("Sat 21 Nov 18:30").keys("Enter Enter").newest("C8-C9 kept for the press");
    till.shows("78 of 80 free");
    till.keys("u").newest("Undone: keep C8-C9").free(80);
    till.keys("g").types("c8-9").keys("Enter K").types("press").keys("Tab").types("never").shows("18:30, fri 12:00");
    till.keys("Enter Enter").shows("never").keys("Esc");
    let (performance, reason) = (till.show, "the band".to_owned());
    let until = crate::tui::app::tests::NOON + Span::minutes(60);
    let keep = KeepSeats { performance, seats: vec!["C8".into(), "C9".into()], reason, until };
    till.engine.desk(actor("dora", "office")).run(keep).unwrap();
    till.notice().keys("Esc g").types("c8-9").keys("Enter K").shows("Put on sale?").shows("kept for the band");
    till.keys("n").shows("78 of 80 free").keys("K s").newest("C8-C9 on sale").free(80);
    till.keys("1 :").types("house seats").keys("Enter").shows("Keep for the house");
}

#[test]
fn days_are_closed_and_opened_again() {
    let mut till = desk();
    let closed = |till: &super::till::Till| {
        let settings = till.engine.desk(actor("dora", "office")).read(ReadSettings).unwrap();
        settings.closed_days.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    till.keys("1 :").types("closed days").keys("Enter").shows("No day to come is closed.");
    till.types("24 dec, 25 dec").shows("Meant: Thu 24 Dec 2026, Fri 25 Dec 2026.").keys("Enter");
    till.newest("The house is closed on Thu 24 Dec 2026, Fri 25 Dec 2026");
    assert_eq!(closed(&till), ["2026-12-24", "2026-12-25"]);
    till.keys(":").types("closed days").keys("Enter").shows("Closed: Thu 24 Dec 2026, Fri 25 Dec 2026.");
    till.keys("Shift-Tab o Tab").types("24 dec").keys("Enter").newest("The house is open on Thu 24 Dec 2026");
    assert_eq!(closed(&till), ["2026-12-25"]);
    // tonight's hall is booked
    till.keys(":").types("closed days").keys("Enter").types("today").keys("Enter").shows("Hamlet").shows("Closed days");
    till.keys("Tab Right Tab Enter").newest("The house is closed on Sat 21 Nov 2026");
    till.keys(":").types("closed days").keys("Enter").types("someday").keys("Tab Tab Enter").shows("someday");
}

#[test]
fn a_portals_calendar_is_followed_from_the_line_of_its_room() {
    let (mut till, one, _) = calendar();
    till.keys("3 :").types("follow").keys("Enter").shows("Follow a calendar").shows("No calendar is followed yet.");
    till.types("Airbnb").keys("Tab").types("feed.ics").keys("Tab Tab Tab Enter").shows("Type the whole path");
    till.keys("Backspace Backspace Backspace Backspace Backspace Backspace Backspace Backspace").types("/srv/feed.ics");
    till.keys("Tab").types("not available").keys("Tab Tab Enter").newest("Airbnb is followed for");
    let office = till.engine.desk(actor("dora", "office"));
    let settings = office.read(ReadSettings).unwrap();
    let followed = &settings.followed["Airbnb"];
    assert_eq!((followed.file.as_str(), &followed.resource), ("/srv/feed.ics", &one.id));
    assert_eq!((followed.blocks.as_deref(), followed.every), (Some("not available"), Some(Span::minutes(15))));
    let jobs = office.read(ReadJobs { which: WhichJobs::All, kind: Some("calendar_follow".into()) }).unwrap();
    assert_eq!(jobs.iter().map(|job| job.subject.as_str()).collect::<Vec<_>>(), ["Airbnb"]);
    till.keys(":").types("follow").keys("Enter").types("Airbnb").keys("Tab").types("/x.ics").keys("Tab Tab Tab Enter");
    till.shows("Airbnb is followed already");
    // from now on it is told of there, and can be ended
    till.keys("Esc :").types("follow").keys("Enter").shows("Airbnb: Rehearsal 1, every 15m, not read yet");
    till.keys("Shift-Tab Right Tab").shows("Name      Airbnb_").hides("File  ").keys("Enter");
    till.newest("Airbnb is followed no more; its bookings stay").hides("Follow a calendar");
    assert!(office.read(ReadSettings).unwrap().followed.is_empty());
    till.keys(":").types("follow").keys("Enter Shift-Tab Right Tab").types("Booking").keys("Tab Enter");
    till.shows("Type the name of one that is followed");
}

/// Phone and mail of the one customer who is found so.
fn contact_of(till: &Till, text: &str) -> [String; 2] {
    let found = ReadKnownCustomers { text: text.to_owned(), after: None };
    let mut found = till.engine.desk(actor("dora", "office")).read(found).unwrap();
    assert_eq!(found.len(), 1, "{found:?}");
    let Customer { phone, mail, .. } = found.remove(0).customer;
    [phone, mail]
}

#[test]
fn each_form_that_asks_for_a_customer_takes_phone_and_mail() {
    let mut till = desk();
    let no_mail = "It is no address of mail; write it like ada@example.org";
    till.keys("2 b 2 Enter r").types("Ida").keys("Tab").types("030 1234, ida@").keys("Tab Tab Enter").shows(no_mail);
    till.shows(">Contact   030 1234, ida@_").types("example.org").keys("Enter Enter Enter").newest("Reserved for Ida");
    // the order is paid by the customer that it has
    till.keys("4 Enter p").shows("Contact   030 1234 ida@examp").keys("Esc");
    till.keys("2 C c b 2 Enter p Tab").types("Bob").keys("Tab").types("bob@a.b c@d.e");
    till.keys("Tab Tab Tab Enter").shows("It is no address of mail;").keys("Ctrl-U").types("bob@example.org");
    till.keys("Tab Tab Tab Enter").shows("Sold   receipt till-2/1");
    till.keys("2 W").types("Cleo").keys("Tab").types("cleo@example.org").keys("Tab").types("4");
    till.keys("Enter Enter Enter").newest("Cleo is on the waiting list");
    assert_eq!(contact_of(&till, "ida"), ["030 1234", "ida@example.org"]);
    assert_eq!(contact_of(&till, "bob"), ["", "bob@example.org"]);
    assert_eq!(contact_of(&till, "cleo"), ["", "cleo@example.org"]);
    let (mut till, _, _) = calendar();
    till.types("g19:00 today").keys("Enter n").types("Choir").keys("Tab").types("Dora").keys("Tab").types("@dora");
    till.keys("Shift-Tab Shift-Tab Enter").shows(no_mail).keys("Ctrl-U").types("dora@example.org 0171");
    till.keys("Shift-Tab Shift-Tab Enter").newest("Booked: Choir");
    assert_eq!(contact_of(&till, "dora"), ["0171", "dora@example.org"]);
}

#[test]
fn the_list_that_is_shown_is_written_where_it_says() {
    let mut till = desk();
    let folder = crate::limit::scratch();
    till.app.shared.folder = folder.path().to_owned();
    till.keys("2 b 2 Enter p Enter 4 F").shows("write the list to").keys("Enter").newest("1 row written to ");
    let path = folder.path().join("orders-2026-11-21.csv");
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(text.starts_with("id,number,kind,issued_at,station,") && text.contains(",till-2/1,"), "{text}");
    till.keys("F Enter").newest("Not written: There is a file at ").said("F asks again");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
    till.keys("1 F Enter").newest("1 row written to ");
    let nights = std::fs::read_to_string(folder.path().join("performances-2026-11-21.csv")).unwrap();
    assert!(nights.contains("Hamlet"), "{nights}");
    till.keys("5 F Enter").said("jobs-2026-11-21.csv");
    till.keys("2 g").types("c8").keys("Enter K").types("the press").keys("Tab").types("18:30").keys("Enter Enter");
    till.keys("F Enter").newest("80 rows written to ");
    let seats = std::fs::read_to_string(folder.path().join("seats-2026-11-21.csv")).unwrap();
    assert!(
        seats.starts_with("zone,row,seat,kind,category,price,state,owner,approved,until,reason,places,free\n"),
        "{seats}"
    );
    let kept: Vec<&str> = seats.lines().filter(|line| line.contains("the press")).collect();
    assert_eq!(kept, ["Stalls,C,C8,standard,Standard,10.00,booked,house,,2026-11-21T18:30:00Z,the press,,"]);
    assert_eq!(seats.lines().filter(|line| line.contains(",free,")).count(), 77, "{seats}");
    std::fs::remove_file(&path).unwrap();
    till.keys("3 F Enter").newest("1 row written to ");
    let time = std::fs::read_to_string(folder.path().join("calendar-2026-11-21.csv")).unwrap();
    assert!(time.contains(",2026-11-21T19:30:00Z,2026-11-21T22:00:00Z,booked,Hamlet,"), "{time}");
    till.keys("4 f F Enter").newest("0 rows written").keys("1 F Backspace Backspace").types("/no/where.csv");
    till.keys("Enter").newest("Not written: ");
}

#[test]
fn a_price_list_is_made_changed_and_taken_away_and_comps_are_chosen() {
    let mut till = desk();
    let settings = |till: &super::till::Till| till.engine.desk(actor("ada", "till-1")).read(ReadSettings).unwrap();
    let open = |till: &mut super::till::Till| {
        till.keys("1 :").types("price lists").keys("Enter").shows("Price lists and comps");
    };
    open(&mut till);
    till.shows("There is no price list yet.").types("Week").keys("Enter").types("Base: EUR ten").keys("Enter Enter");
    till.shows("Price lists and comps").keys("Ctrl-U").types("Weekend, Fri-Sun: EUR 14.00; Base: EUR 10.00");
    till.keys("Enter Enter").newest("Week prices by 2 rules");
    assert_eq!(settings(&till).prices["Week"].len(), 2);
    // its rules come back with its name
    open(&mut till);
    till.shows("Week: Weekend, Fri-Sun: EUR 14.00; Base: EUR 10.00").types("Week").keys("Enter End");
    till.types("; Late, 22:00-24:00: EUR 5.00").keys("Enter Enter").newest("Week prices by 3 rules");
    open(&mut till);
    till.keys("Shift-Tab Right Right Right Tab").types("Week").keys("Enter").types("Winter");
    till.shows("Lists: Winter").keys("Enter Enter").newest("Week is called Winter now");
    open(&mut till);
    till.keys("Shift-Tab Right Right Right Right Right Tab").types("Winter").shows("Nothing changes.");
    till.keys("Enter Enter").newest("Winter is applied");
    open(&mut till);
    till.keys("Shift-Tab Right Right Right Right Tab").types("Chlid").keys("Enter").types("Youth").keys("Enter Enter");
    till.shows("There is no ticket type \"Chlid\"").keys("Esc");
    open(&mut till);
    till.keys("Shift-Tab Right Right Right Right Tab").types("Child").keys("Enter").types("Youth");
    till.shows("1 performance: Hamlet").keys("Enter Enter").newest("Child is called Youth now");
    open(&mut till);
    till.keys("Shift-Tab Right Right Right Tab").types("Winter").keys("Enter").types("Week").keys("Enter Enter");
    till.newest("Winter is called Week now");
    open(&mut till);
    till.keys("Shift-Tab Right").shows("A list by which something is priced stays.").keys("Tab").types("Weak");
    till.keys("Enter Enter").shows("There is no price list \"Weak\"").keys("Ctrl-U").types("Week");
    till.keys("Enter Enter").newest("Week is taken away");
    assert!(settings(&till).prices.is_empty());
    open(&mut till);
    till.keys("Shift-Tab Right Right Tab").types("Press, Guest").keys("Enter Enter").newest("Comps: Press, Guest");
    assert_eq!(settings(&till).comps, ["Press", "Guest"]);
}
