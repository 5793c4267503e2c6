//! Customers: one record that carts, receipts, bookings and waiting lists name by id; the journal has no name.

use willcall::domain::booking::Details;
use willcall::domain::customer::Customer;
use willcall::domain::ids::{CartId, CommandId, CustomerId};
use willcall::domain::receipt::Tender;
use willcall::domain::refusal::{Problem, Refusal};
use willcall::domain::resource::ResourceId;
use willcall::domain::time::Span;
use willcall::engine::ops::{
    AddWaiting, BookSlot, ChangeBooking, ChangeCustomer, Checkout, CustomerWords, ForgetCustomer, NameCustomer, Past,
    PayBy, ReserveCart, TicketsTo, Want,
};
use willcall::engine::reads::bookings::{ReadAgenda, ReadBooking};
use willcall::engine::reads::customers::known::ReadKnownCustomers;
use willcall::engine::reads::events::ReadEvents;
use willcall::engine::reads::find::ReadFind;
use willcall::engine::reads::journal::ReadJournal;
use willcall::engine::reads::receipts::ReadReceipt;
use willcall::engine::reads::{Question, Snapshot};
use willcall::engine::{Desk, Failure};

use super::calendar::{room, slot};
use super::support::{House, NOON, no, paying, receipt};

fn customer(name: &str, phone: &str) -> Customer {
    Customer { name: name.into(), phone: phone.into(), ..Customer::default() }
}

/// Every text that a house has stored, but for the records of customers.
struct StoredTexts;

impl Question for StoredTexts {
    type Answer = Vec<String>;

    fn ask(&self, snapshot: &mut Snapshot<'_>) -> Result<Vec<String>, Failure> {
        let mut texts = Vec::new();
        for select in [
            "SELECT body, customer, written_by FROM cart",
            "SELECT body, customer, number FROM receipt",
            "SELECT body, customer, title FROM booking",
            "SELECT body, key, written_by FROM series",
            "SELECT body, key, written_by FROM waiting",
            "SELECT body, word, command FROM event",
        ] {
            for row in snapshot.query(select, &[])? {
                texts.extend((0..3).map(|column| row.text(column).to_owned()));
            }
        }
        let entries = ReadJournal::default().ask(snapshot)?;
        texts.extend(entries.iter().map(|entry| format!("{} {:?}", entry.request, entry.changes)));
        Ok(texts)
    }
}

fn found(house: &House, text: &str) -> Vec<String> {
    let find = ReadFind { text: text.into(), performance: None, zone: chrono_tz::Tz::UTC };
    let hits = house.desk.read(find).unwrap();
    hits.into_iter().map(|hit| hit.name).collect()
}

fn naming(desk: &Desk, cart: CartId, customer: Customer) -> Option<CustomerId> {
    desk.run(NameCustomer { cart, customer }).unwrap().customer
}

fn booking(room: &ResourceId, details: Details) -> BookSlot {
    BookSlot { wants: vec![Want::all(vec![room.clone()], slot("2026-12-01 10:00 11:00"))], details, past: Past::Refuse }
}

#[test]
fn a_name_with_a_phone_is_one_customer_and_a_name_alone_is_not() {
    let house = House::royal();
    let weber = || customer("  Ada   Weber ", "0171 555");
    let (first, second) = (house.cart_with("A1"), house.cart_with("B1"));
    let id = naming(&house.desk, first, weber());
    assert!(id.is_some());
    assert_eq!(naming(&house.at("till-2"), second, weber()), id, "one customer");
    assert_eq!(naming(&house.desk, first, weber()), id, "told again");
    let other = naming(&house.desk, second, customer("Ada Weber", "0171 556"));
    assert!(other.is_some() && other != id, "another phone");
    let (ann, anns) = (house.cart_with("C1"), house.cart_with("C2"));
    let ann = naming(&house.desk, ann, customer("Ann", ""));
    assert_ne!(naming(&house.desk, anns, customer("Ann", "")), ann, "two of one name");
    assert_eq!(naming(&house.desk, anns, Customer::default()), None);
    assert_eq!(house.cart(first).customer, customer("Ada Weber", "0171 555"));
    house.verified();
}

#[test]
fn names_and_phones_are_stored_only_in_the_records_of_customers() {
    // so many that no random id has them
    const DIGITS: &str = "9876543210";
    const PHONE: &str = "0171 9876543210";
    let house = House::royal();
    let weber = customer("Weberknecht", PHONE);
    let cart = house.cart_with("A1 A2");
    house
        .desk
        .run(ReserveCart {
            cart,
            customer: Some(weber.clone()),
            pay_by: PayBy::At(NOON + Span::minutes(300)),
            alert: None,
            last: None,
        })
        .unwrap();
    house.pass(Span::minutes(200));
    house.desk.sweep().unwrap();
    let sold = house.cart_with("B1");
    house
        .desk
        .run(Checkout {
            customer: Some(weber.clone()),
            tickets: TicketsTo::Desk,
            ..Checkout::new(sold, vec![Tender::Cash { given: None }])
        })
        .unwrap();
    house
        .desk
        .run(AddWaiting { performance: house.show, customer: weber.clone(), seats: 17, category: None, priority: None })
        .unwrap();
    let room = room(&house, "Room", 15);
    let details = Details { customer: weber.clone(), ..Details::default() };
    house.desk.run(booking(&room, details)).unwrap();
    let texts = house.desk.read(StoredTexts).unwrap();
    assert!(texts.len() > 20);
    for text in texts {
        let lower = text.to_lowercase();
        assert!(!lower.contains("weberknecht") && !lower.contains(DIGITS), "{text}");
    }
    let told = house.desk.read(ReadEvents::default()).unwrap();
    assert!(told.iter().any(|event| event.customer == weber), "{told:?}");
    let told = told.iter().map(|event| event.told(chrono_tz::Tz::UTC));
    assert!(told.clone().any(|event| event["customer"] == "Weberknecht" && event["phone"] == PHONE));
    // its reservation, its receipt and its booking
    for (words, hits) in [("weberknecht", 3), ("01719", 3), ("knecht action", 2)] {
        assert_eq!(found(&house, words), vec!["Weberknecht"; hits], "{words}");
    }
    house.verified();
}

#[test]
fn a_sale_prints_its_customer_and_another_name_is_another_request() {
    let house = House::royal();
    let cart = house.cart_with("A1");
    let named = |name: &str| NameCustomer { cart, customer: customer(name, "0171 555") };
    let id = CommandId::random();
    let first = house.desk.run_as(id, named("Ada")).unwrap();
    assert_eq!(house.desk.run_as(id, named("Ada")).unwrap(), first, "sent again");
    let other = house.desk.run_as(id, named("Ida")).unwrap_err();
    assert!(matches!(other, Failure::Refused(Refusal::CommandReused { .. })), "{other:?}");
    let receipt = house.pay(cart, 1000).unwrap();
    assert_eq!(receipt.customer, first.customer);
    let view = house.desk.read(ReadReceipt(receipt.id)).unwrap();
    assert_eq!(view.customer, customer("Ada", "0171 555"));
    house.verified();
}

#[test]
fn a_booking_without_a_title_shows_its_customer_also_after_a_change() {
    let house = House::royal();
    let room = room(&house, "Room", 15);
    let details = Details { customer: customer("Ada Weber", "0171 555"), ..Details::default() };
    let booked = house.desk.run(booking(&room, details)).unwrap();
    let title = || house.desk.read(ReadBooking(booked.id)).unwrap().title().to_owned();
    assert_eq!(title(), "Ada Weber");
    let listed = ReadAgenda { text: Some("weber".into()), ..ReadAgenda::default() };
    assert_eq!(house.desk.read(listed).unwrap().bookings.len(), 1);
    assert_eq!(found(&house, "weber"), ["Ada Weber"]);
    house
        .desk
        .run(ChangeBooking { customer: Some(customer("Ida Weber", "0171 555")), ..ChangeBooking::of(booked.id) })
        .unwrap();
    assert_eq!(title(), "Ida Weber");
    let again = booking(&room, Details::default());
    let refused = format!("{:?}", house.desk.run(again).unwrap_err());
    assert!(refused.contains("Ida Weber"), "{refused}");
    house.verified();
}

/// Records of all customers, by name: phone and mail.
fn known(house: &House) -> Vec<String> {
    let all = house.desk.read(ReadKnownCustomers::default()).unwrap();
    all.iter().map(|one| format!("{} {}", one.customer, one.customer.mail)).collect()
}

#[test]
fn a_mail_is_told_with_a_sale_a_reservation_or_a_booking_and_is_the_customers() {
    let house = House::royal();
    let mailed = |name: &str, phone: &str, mail: &str| Customer { mail: mail.into(), ..customer(name, phone) };
    let sale = |seats: &str, customer| Checkout { customer: Some(customer), ..paying(house.cart_with(seats), 1000) };
    let sold = receipt(house.desk.run(sale("A1", mailed("Ida", "0171 555", " ida@example.org "))).unwrap());
    assert_eq!(house.desk.read(ReadReceipt(sold.id)).unwrap().customer.mail, "ida@example.org");
    let again = receipt(house.desk.run(sale("A2", customer("Ida", "0171 555"))).unwrap());
    assert_eq!(again.customer, sold.customer);
    assert_eq!(known(&house), ["Ida 0171 555 ida@example.org"], "who says no mail keeps it");
    let reserve = ReserveCart {
        cart: house.cart_with("B1"),
        customer: Some(mailed("Ida", "0171 555", "ida@b.example")),
        pay_by: PayBy::Usual,
        alert: None,
        last: None,
    };
    assert_eq!(house.desk.run(reserve).unwrap().customer, sold.customer);
    assert_eq!(known(&house), ["Ida 0171 555 ida@b.example"], "the last that was said");
    let studio = room(&house, "Studio", 60);
    let details = Details { customer: mailed("Ida", "", "IDA@b.example"), ..Details::default() };
    let booked = house.desk.run(booking(&studio, details)).unwrap();
    assert_eq!(booked.customer, sold.customer, "a name with the mail is one customer");
    let stays = house.desk.run(sale("C1", mailed("Ida", "", "ida@other.example")));
    assert_ne!(receipt(stays.unwrap()).customer, sold.customer, "another mail may be another Ida");
    let cart = house.cart_with("D1");
    let alone = naming(&house.desk, cart, customer("Ben", ""));
    assert_eq!(naming(&house.desk, cart, mailed("Ben", "", "ben@example.org")), alone, "the cart's own");
    assert_ne!(naming(&house.desk, cart, mailed("Ben", "", "ben@other.example")), alone);
    house.verified();
}

#[test]
fn what_is_no_mail_is_refused_and_a_forgotten_one_is_nowhere() {
    let house = House::royal();
    let cart = house.cart_with("A1");
    let pays = |mail: &str| Checkout {
        customer: Some(Customer { mail: mail.into(), ..customer("Ida", "0171 555") }),
        ..paying(cart, 1000)
    };
    for wrong in ["ida", "ida@home", "@b.example", "ida b@c.example"] {
        assert_eq!(no(&house.desk, pays(wrong)), Refusal::bad("mail", Problem::NoMail), "{wrong}");
    }
    let words = CustomerWords { mail: Some("ida".into()), ..CustomerWords::default() };
    assert_eq!(known(&house), [""; 0]);
    let sold = receipt(house.desk.run(pays("ida@plum.example")).unwrap());
    let id = sold.customer.unwrap();
    assert_eq!(no(&house.desk, ChangeCustomer::new(id, words)), Refusal::bad("mail", Problem::NoMail));
    house.desk.run(ForgetCustomer { customer: id }).unwrap();
    assert_eq!(house.desk.read(ReadReceipt(sold.id)).unwrap().customer, customer("(forgotten)", ""));
    let texts = house.desk.read(StoredTexts).unwrap();
    assert!(texts.iter().all(|text| !text.contains("plum.example")), "{texts:?}");
    house.verified();
}
