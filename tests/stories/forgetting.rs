//! Names, notes and reasons of a customer are erased with him, wherever they stand; `verify` excuses nothing.

use willcall::domain::booking::{Booking, Details};
use willcall::domain::correction::BackBy;
use willcall::domain::customer::{Customer, CustomerRecord};
use willcall::domain::ids::{CommandId, CustomerId};
use willcall::domain::job::{JobKind, PolicyChange};
use willcall::domain::receipt::Tender;
use willcall::domain::resource::ResourceId;
use willcall::domain::time::Span;
use willcall::engine::ops::{
    AddJob, BookSeries, BookSlot, CancelBooking, ChangeBooking, ChangeCustomer, Checkout, Conflicts, ControlJob,
    CorrectReceipt, CustomerWords, ForgetCustomer, ItemAct, JobAct, KeepTerms, Past, Reach, SealJournal, SettleItem,
    Want, Whose,
};
use willcall::engine::reads::bookings::ReadBooking;
use willcall::engine::reads::customers::known::ReadKnownCustomer;
use willcall::engine::reads::journal::ReadJournal;
use willcall::engine::verify::Verify;

use super::after_sale::refund;
use super::calendar::{room, slot};
use super::known_customers::{AllTexts, customer, sold_to};
use super::support::{House, NOON, paying, receipt};

fn weber() -> Customer {
    customer("Ada Weberknecht", "0171 9876543210")
}

const WORDS: [&str; 5] = ["weberknecht", "9876543210", "987 65432", "adaw@b.example", "row of plums"];

/// Words that stand in a house: in the rows, and in the bytes of a file once it is scrubbed.
fn words_in(house: &House) -> Vec<&'static str> {
    let mut texts = house.desk.read(AllTexts).unwrap();
    if let Some(folder) = house.ground.folder() {
        let bytes = std::fs::read(folder.path().join("house.db")).unwrap();
        texts += &String::from_utf8_lossy(&bytes).to_lowercase();
    }
    let there = WORDS.into_iter().filter(|word| texts.contains(word));
    there.collect()
}

fn forget(house: &House, customer: CustomerId) {
    house.desk.run(ForgetCustomer { customer }).unwrap();
    house.desk.scrub().unwrap();
}

/// A known customer with mail and note.
fn known(house: &House, customer: CustomerId) {
    let words = CustomerWords {
        mail: Some("adaw@b.example".into()),
        note: Some("Row of Plums".into()),
        ..CustomerWords::default()
    };
    house.desk.run(ChangeCustomer::new(customer, words)).unwrap();
}

fn details(title: &str, note: &str) -> Details {
    Details { title: title.into(), note: note.into(), customer: weber(), ..Details::default() }
}

fn booked(house: &House, room: &ResourceId, when: &str, details: Details) -> Booking {
    let book = BookSlot { wants: vec![Want::all(vec![room.clone()], slot(when))], details, past: Past::Refuse };
    house.desk.run(book).unwrap()
}

fn canceled(house: &House, booking: &Booking, reach: Reach) {
    let cancel = CancelBooking { booking: booking.id, reach, whose: Whose::Mine };
    house.desk.run(cancel).unwrap();
}

/// A card's slip, a reason of a refund, of kept seats and of a waiver that name the customer.
fn sales(house: &House) -> CustomerId {
    let sale = Checkout {
        customer: Some(weber()),
        tenders: vec![Tender::Card { reference: "slip 4711".into(), charged: None }],
        ..paying(house.cart_with("A1 A2"), 0)
    };
    let sold = receipt(house.desk.run(sale).unwrap());
    known(house, sold.customer.unwrap());
    let back = CorrectReceipt {
        reason: "ADA WEBERKNECHT rang from 0171/987 65432-10".into(),
        keep: Some(KeepTerms { reason: "an aunt of Weberknecht's".into(), until: NOON + Span::minutes(300) }),
        ..refund(&sold, None, BackBy::Card { reference: "slip 4711".into() })
    };
    house.desk.run(back).unwrap();
    sold_to(house, "C1", weber());
    house.disable("C1");
    let items = house.desk.read(willcall::engine::reads::worklist::ReadWorklist).unwrap();
    let waive = SettleItem {
        item: items.first().unwrap().item.id,
        act: ItemAct::Waive,
        reason: "Mrs Weberknecht does not mind".into(),
    };
    house.desk.run(waive).unwrap();
    sold.customer.unwrap()
}

/// Bookings that were changed and canceled, and a repeat, whose texts name the customer.
fn bookings(house: &House, room: &ResourceId) -> Booking {
    let feast =
        booked(house, room, "2026-12-01 10:00 11:00", details("Party of Ada Weberknecht", "bills to adaw@b.example"));
    for note in ["likes the row of plums", "Weberknecht, 8 guests", "no guests"] {
        let change = ChangeBooking { note: Some(note.into()), ..ChangeBooking::of(feast.id) };
        house.desk.run(change).unwrap();
    }
    canceled(house, &feast, Reach::This);
    let slots = ["2026-12-07 18:00 19:00", "2026-12-14 18:00 19:00"].map(slot);
    let repeat = BookSeries {
        resources: vec![room.clone()],
        any: None,
        slots: slots.to_vec(),
        details: details("Weberknecht weekly", "key: 0171 9876543210"),
        conflicts: Conflicts::Refuse,
        past: Past::Refuse,
    };
    let made = house.desk.run(repeat).unwrap();
    canceled(house, made.bookings.first().unwrap(), Reach::All);
    feast
}

/// Jobs whose commands name the customer: one that is done, one that fails and is parked, and one parked by hand.
fn jobs(house: &House) {
    let folder = tempfile::tempdir().unwrap();
    let said = folder.path().join("said");
    std::fs::write(&said, "paper for ada weberknecht\n").unwrap();
    let said = said.display();
    for (kind, run) in [
        ("paper_printed", format!("cat '{said}'")),
        ("paper_missing", format!("cat '{said}' >&2; exit 3")),
        ("paper_waits", "exit 0".into()),
    ] {
        let add = AddJob {
            kind: kind.into(),
            subject: "Paper-1".into(),
            due: NOON + Span::minutes(10),
            run: Some(run),
            policy: PolicyChange { tries: Some(1), ..PolicyChange::default() },
            ..AddJob::default()
        };
        house.desk.run(add).unwrap();
    }
    let park = ControlJob {
        kind: JobKind::from_word("paper_waits").unwrap(),
        subject: "Paper-1".into(),
        act: JobAct::Park("call 0171 9876543210 first".into()),
    };
    house.desk.run(park).unwrap();
    house.pass(Span::minutes(12));
    house.desk.sweep().unwrap();
}

#[test]
fn texts_that_name_a_forgotten_customer_are_erased_wherever_they_stand() {
    let mut house = House::royal();
    let id = sales(&house);
    let room = room(&house, "Room", 15);
    let feast = bookings(&house, &room);
    jobs(&house);
    let other = booked(
        &house,
        &room,
        "2026-12-02 10:00 11:00",
        Details { customer: customer("Otto Weber", "0172 555"), title: "Ada's class".into(), ..Details::default() },
    );
    assert_eq!(words_in(&house), WORDS, "all of them are found");
    house.verified();

    forget(&house, id);
    assert_eq!(words_in(&house), [""; 0]);
    let texts = |booking: &Booking| {
        let view = house.desk.read(ReadBooking(booking.id)).unwrap();
        (view.booking.title, view.booking.note)
    };
    let text = |title: &str, note: &str| (title.to_owned(), note.to_owned());
    assert_eq!(texts(&feast), text("", ""));
    assert_eq!(texts(&other), text("Ada's class", ""), "of somebody else");
    house.verified();
    house.restart();
    house.verified();
    let record: CustomerRecord = house.desk.read(ReadKnownCustomer(id)).unwrap().record;
    assert!(record.gone.is_some());
}

/// Regression: an entry that says other than its hash was excused where a forged *forget* named what it says.
#[test]
fn a_sealed_sale_is_not_rewritten_by_a_forged_forget() {
    let house = House::royal();
    let id = sales(&house);
    house.sold("D1");
    house.desk.run(SealJournal).unwrap();
    let seal = house.desk.read(ReadJournal::default()).unwrap().last().unwrap().seal();
    forget(&house, id);
    let report = |seal: &str| house.desk.read(Verify { seal: Some(seal.to_owned()) }).unwrap().violations;
    assert_eq!(report(&seal), []);
    house.ground.meddle("UPDATE journal SET operator = 'eve' WHERE seq = 6");
    let violations = report(&seal);
    let says = "its hash is not that of what it says and of the entry before";
    assert!(violations.iter().any(|one| one.subject == "journal 6" && one.detail == says), "{violations:#?}");
}

/// Texts of others stay, and are listed with what is public; so it is when the same is said again.
#[test]
fn what_still_names_a_forgotten_customer_is_listed() {
    let house = House::royal();
    let card = Checkout {
        tenders: vec![Tender::Card { reference: "Ada Weberknecht 4711".into(), charged: None }],
        ..paying(house.cart_with("E1"), 0)
    };
    let sold = receipt(house.desk.run(card).unwrap());
    let room = room(&house, "Room", 15);
    let other =
        Details { customer: customer("Otto", "0172 555"), note: "with ADA WEBERKNECHT".into(), ..Details::default() };
    let other = booked(&house, &room, "2026-12-02 10:00 11:00", other);
    let id = sold_to(&house, "C1", weber()).customer.unwrap();
    for _ in 0..2 {
        forget(&house, id);
        let record = house.desk.read(ReadKnownCustomer(id)).unwrap().record;
        let listed = [format!("receipt {}", sold.id), format!("booking {}", other.id)];
        assert!(listed.iter().all(|one| record.named_in.contains(one)), "{record:?}");
    }
    let kept = house.desk.read(ReadBooking(other.id)).unwrap().booking.note;
    assert_eq!(kept, "with ADA WEBERKNECHT");
    house.verified();
}

#[test]
fn a_request_sent_again_after_its_customer_was_forgotten_is_answered_with_what_is_left() {
    let house = House::royal();
    let room = room(&house, "Room", 15);
    let command = CommandId::random();
    let book = |title: &str| BookSlot {
        wants: vec![Want::all(vec![room.clone()], slot("2026-12-01 10:00 11:00"))],
        details: details(title, ""),
        past: Past::Refuse,
    };
    let first = house.desk.run_as(command, book("Party")).unwrap();
    let change = ChangeBooking { title: Some("Feast".into()), ..ChangeBooking::of(first.id) };
    house.desk.run(change).unwrap();
    assert_eq!(house.desk.run_as(command, book("Party")).unwrap().title, "Feast", "the present words");
    assert!(house.desk.run_as(command, book("Wake")).is_err(), "another request");
    canceled(&house, &first, Reach::This);
    forget(&house, first.customer.unwrap());
    let again = house.desk.run_as(command, book("Party")).unwrap();
    assert_eq!((again.id, again.title.as_str()), (first.id, ""));
    house.verified();
}
