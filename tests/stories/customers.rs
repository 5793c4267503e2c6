//! Customers: one record that carts, receipts, bookings and waiting lists name by id; the journal has no name.

use willcall::domain::booking::Details;
use willcall::domain::customer::Customer;
use willcall::domain::ids::{CartId, CommandId, CustomerId};
use willcall::domain::receipt::Tender;
use willcall::domain::refusal::Refusal;
use willcall::domain::resource::ResourceId;
use willcall::domain::time::Span;
use willcall::engine::ops::{
    AddWaiting, BookSlot, ChangeBooking, Checkout, NameCustomer, Past, PayBy, ReserveCart, TicketsTo, Want,
};
use willcall::engine::reads::bookings::{ReadAgenda, ReadBooking};
use willcall::engine::reads::events::ReadEvents;
use willcall::engine::reads::find::ReadFind;
use willcall::engine::reads::journal::ReadJournal;
use willcall::engine::reads::receipts::ReadReceipt;
use willcall::engine::reads::{Question, Snapshot};
use willcall::engine::{Desk, Failure};

use super::calendar::{room, slot};
use super::support::{House, NOON};

fn customer(name: &str, phone: &str) -> Customer {
    Customer { name: name.into(), phone: phone.into() }
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
    house.desk.run(AddWaiting { performance: house.show, customer: weber.clone(), seats: 17, category: None }).unwrap();
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
