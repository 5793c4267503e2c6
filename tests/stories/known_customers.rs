//! Customers as people know them: found in any spelling, made one of two, imported from a list, forgotten.

use std::fmt::Write as _;

use willcall::domain::booking::Details;
use willcall::domain::correction::BackBy;
use willcall::domain::customer::{Customer, CustomerLine, CustomerRecord, LineProblem};
use willcall::domain::ids::CustomerId;
use willcall::domain::receipt::Receipt;
use willcall::domain::refusal::{CustomerRefusal, OpenMatter, Refusal};
use willcall::domain::time::Span;
use willcall::engine::ops::{
    AddWaiting, BookSlot, CancelCart, ChangeCustomer, Checkout, CustomerWords, CustomersImported, ForgetCustomer,
    ImportCustomers, MergeCustomers, NameCustomer, Past, PayBy, RemoveWaiting, ReserveCart, Want,
};
use willcall::engine::reads::carts::ReadCart;
use willcall::engine::reads::customers::known::{
    HistoryKind, HistoryLine, KnownCustomer, ReadImport, ReadKnownCustomer, ReadKnownCustomers,
};
use willcall::engine::reads::find::ReadFind;
use willcall::engine::reads::journal::ReadJournal;
use willcall::engine::reads::receipts::{ReadReceipt, ReadReceipts};
use willcall::engine::reads::{Question, Snapshot};
use willcall::engine::{Desk, Failure};

use super::after_sale::refund;
use super::calendar::{room, slot};
use super::support::{House, NOON, no, paying, receipt};

pub(super) fn customer(name: &str, phone: &str) -> Customer {
    Customer { name: name.into(), phone: phone.into(), ..Customer::default() }
}

/// `Ada Weber, 0171 555, ada@b.org, aisle` as a line of a list.
fn line(number: u64, text: &str) -> CustomerLine {
    let mut fields = text.split(',').map(|field| field.trim().to_owned());
    let mut next = || fields.next().unwrap_or_default();
    CustomerLine { number, name: next(), phone: next(), mail: next(), note: next() }
}

fn import(desk: &Desk, lines: &[&str]) -> CustomersImported {
    let lines: Vec<_> = (2..).zip(lines).map(|(at, text)| line(at, text)).collect();
    let mut all = CustomersImported::default();
    for part in ImportCustomers::of(&lines) {
        all.add(desk.run(part).unwrap());
    }
    all
}

fn counts(done: &CustomersImported) -> (u32, u32, u32, usize) {
    (done.new, done.changed, done.known, done.refused.len())
}

fn found(house: &House, text: &str) -> Vec<String> {
    let asked = ReadKnownCustomers { text: text.into(), after: None };
    let found = house.desk.read(asked).unwrap();
    found.into_iter().map(|one| one.customer.name).collect()
}

fn record(house: &House, id: CustomerId) -> CustomerRecord {
    house.desk.read(ReadKnownCustomer(id)).unwrap().record
}

/// The only customer that a text means.
fn one(house: &House, text: &str) -> CustomerId {
    let asked = ReadKnownCustomers { text: text.into(), after: None };
    let found = house.desk.read(asked).unwrap();
    assert_eq!(found.len(), 1, "{text}: {found:?}");
    found.first().unwrap().id
}

pub(super) fn sold_to(house: &House, seats: &str, customer: Customer) -> Receipt {
    let cart = house.cart_with(seats);
    let price = 1000 * i64::try_from(seats.split(' ').count()).unwrap();
    let sale = Checkout { customer: Some(customer), ..paying(cart, price) };
    receipt(house.desk.run(sale).unwrap())
}

#[test]
fn a_customer_is_found_by_name_phone_and_mail_in_any_spelling() {
    let house = House::royal();
    let lines = [
        "Zoë Weberknecht, +44 20 7946 0958, zoe@lotus.example",
        "Anna Maria Schäfer, 0171 555 1234,",
        "Ida Berg, , ida.berg@post.example",
        "Otto Bergmann, 030/123456,",
    ];
    assert_eq!(counts(&import(&house.desk, &lines)), (4, 0, 0, 0));
    for (text, name) in [
        ("weberk", "Zoë Weberknecht"),
        ("knecht zoe", "Zoë Weberknecht"),
        ("WEBRKNECHT", "Zoë Weberknecht"),
        ("weberkencht", "Zoë Weberknecht"),
        ("eberknecht", "Zoë Weberknecht"),
        ("weberknechtt", "Zoë Weberknecht"),
        ("xeberknecht zoe", "Zoë Weberknecht"),
        ("schäfre", "Anna Maria Schäfer"),
        ("anan schafer", "Anna Maria Schäfer"),
        ("schafer maria", "Anna Maria Schäfer"),
        ("otot", "Otto Bergmann"),
        ("020 7946 0958", "Zoë Weberknecht"),
        ("0044-20-79460958", "Zoë Weberknecht"),
        ("7946", "Zoë Weberknecht"),
        ("+49 (171) 5551234", "Anna Maria Schäfer"),
        ("0171 555", "Anna Maria Schäfer"),
        ("1234", "Anna Maria Schäfer"),
        ("maria 1234", "Anna Maria Schäfer"),
        ("IDA.BERG@post.example", "Ida Berg"),
        ("ida.b", "Ida Berg"),
        ("zoe@", "Zoë Weberknecht"),
    ] {
        assert_eq!(found(&house, text), [name], "{text}");
    }
    assert_eq!(found(&house, "berg"), ["Ida Berg", "Otto Bergmann"]);
    for text in ["hamlet", "webxyknecht", "0172 555 1234", "maria 0958", "%"] {
        assert_eq!(found(&house, text), [""; 0], "{text}");
    }
    assert_eq!(found(&house, ""), ["Anna Maria Schäfer", "Ida Berg", "Otto Bergmann", "Zoë Weberknecht"]);
    house.verified();
}

#[test]
fn an_order_is_found_by_a_name_with_a_slip() {
    let house = House::royal();
    sold_to(&house, "A1", customer("Zoë Weberknecht", "+44 20 7946 0958"));
    for text in ["webreknecht", "weberknect action", "0958"] {
        let find = ReadFind { text: text.into(), performance: None, zone: chrono_tz::Tz::UTC };
        let hits = house.desk.read(find).unwrap();
        let names: Vec<&str> = hits.iter().map(|hit| hit.name.as_str()).collect();
        assert_eq!(names, ["Zoë Weberknecht"], "{text}");
    }
}

#[test]
fn a_slip_anywhere_in_the_first_or_the_last_word_is_forgiven() {
    let house = House::royal();
    let lines = ["Tilmann Brechtler, 0171 1111111", "Otto Kaminski, 0171 2222222"];
    import(&house.desk, &lines);
    for name in ["tilmann", "brechtler", "otto"] {
        for at in 0..name.len() {
            let (start, rest) = name.split_at(at);
            let (letter, end) = rest.split_at(1);
            let mut slips = vec![
                format!("{start}{end}"),
                format!("{start}x{end}"),
                format!("{start}x{rest}"),
                format!("{start}{letter}{rest}"),
            ];
            if let Some(next) = end.get(..1) {
                slips.push(format!("{start}{next}{letter}{}", &end[1..]));
            }
            // shorter words must be typed as they are
            for slip in slips.iter().filter(|slip| slip.len() > 3) {
                assert_eq!(found(&house, slip).len(), 1, "{slip}");
            }
        }
    }
}

#[test]
fn a_list_is_imported_once_and_each_bad_line_is_named() {
    let house = House::royal();
    sold_to(&house, "A1", customer("Ada Weber", "0171 555 1234"));
    let ada = one(&house, "ada");
    let lines = [
        "ADA WEBER, +49 171 5551234, ada@b.example, aisle",
        "Ada Weber, 0172 9999999,",
        "Ida, , ida@b.example",
        ", 0171 555",
        "Ben, 12",
        "Ben, , ben at b",
        "Cleo,,,",
    ];
    let bad = |done: &CustomersImported| -> Vec<(u64, LineProblem)> {
        let bad = done.refused.iter();
        bad.map(|one| (one.line, one.problem.clone())).collect()
    };
    let lines_of =
        |lines: &[&str]| -> Vec<CustomerLine> { (2..).zip(lines).map(|(at, text)| line(at, text)).collect() };
    let dry = ReadImport(ImportCustomers::of(&lines_of(&lines)));
    let would = house.desk.read(dry).unwrap();
    assert_eq!(counts(&would), (3, 1, 0, 3));
    assert_eq!(found(&house, ""), ["Ada Weber"], "a dry run changes nothing");

    let done = import(&house.desk, &lines);
    assert_eq!(done, would);
    assert_eq!(bad(&done), [(5, LineProblem::NoName), (6, LineProblem::NoPhone), (7, LineProblem::NoMail)]);
    let known = record(&house, ada);
    let ada = || Customer { mail: "ada@b.example".into(), ..customer("Ada Weber", "0171 555 1234") };
    assert_eq!((known.customer, &*known.note), (ada(), "aisle"), "known words stay");

    let again = import(&house.desk, &lines);
    assert_eq!(counts(&again), (0, 0, 4, 3), "again");
    let both = ["Ada Weber, 0172 9999999, ada@b.example"];
    let several = import(&house.desk, &both);
    assert!(
        matches!(&bad(&several)[..], [(2, LineProblem::Several { customers })] if customers.len() == 2),
        "{several:?}"
    );
    house.verified();
}

/// Kinds of the lines of a history, sorted.
fn kinds(known: &KnownCustomer) -> Vec<&'static str> {
    let kind = |line: &HistoryLine| match &line.what {
        HistoryKind::Receipt { .. } => "receipt",
        HistoryKind::Cart { .. } => "cart",
        HistoryKind::Booking { .. } => "booking",
        HistoryKind::Waiting { .. } => "waiting",
        HistoryKind::Credit { .. } => "credit",
    };
    let mut kinds: Vec<&str> = known.history.iter().map(kind).collect();
    kinds.sort_unstable();
    kinds
}

#[test]
fn a_merged_customer_has_the_orders_of_both() {
    let house = House::royal();
    let sold = sold_to(&house, "A1 A2", customer("Ada Weber", "0171 555"));
    let (cart, other) = (house.cart_with("B1"), customer("Ada Webber", ""));
    let name = |customer| NameCustomer { cart, customer };
    let from = house.desk.run(name(other.clone())).unwrap().customer.unwrap();
    let room = room(&house, "Room", 15);
    let details = Details { customer: customer("A. Weber", "0171 777"), ..Details::default() };
    let booked =
        BookSlot { wants: vec![Want::all(vec![room], slot("2026-12-01 10:00 11:00"))], details, past: Past::Refuse };
    let booking = house.desk.run(booked).unwrap();
    let waits = house
        .desk
        .run(AddWaiting {
            performance: house.show,
            customer: customer("A. Weber", "0171 777"),
            seats: 17,
            category: None,
            priority: None,
        })
        .unwrap();
    assert_eq!(booking.customer, Some(waits.customer));
    let words =
        CustomerWords { mail: Some("ada@b.example".into()), note: Some("aisle".into()), ..CustomerWords::default() };
    house.desk.run(ChangeCustomer::new(from, words)).unwrap();
    let into = sold.customer.unwrap();
    for from in [from, waits.customer] {
        house.desk.run(MergeCustomers { into, from }).unwrap();
    }
    let known = house.desk.read(ReadKnownCustomer(into)).unwrap();
    let ada = Customer { mail: "ada@b.example".into(), ..customer("Ada Weber", "0171 555") };
    assert_eq!((&known.record.customer, &*known.record.note), (&ada, "aisle"), "its own words");
    assert_eq!(kinds(&known), ["booking", "cart", "receipt", "waiting"]);
    assert_eq!(house.desk.read(ReadCart(cart)).unwrap().customer.name, "Ada Weber");
    assert_eq!(found(&house, "web"), ["Ada Weber"]);
    let same = no(&house.desk, MergeCustomers { into, from: into });
    assert_eq!(same, CustomerRefusal::Same.into());
    let gone = no(&house.desk, MergeCustomers { into, from });
    assert_eq!(gone, CustomerRefusal::Merged { into }.into());
    assert_eq!(no(&house.desk, ForgetCustomer { customer: from }), CustomerRefusal::Merged { into }.into());
    house.verified();
}

/// Every text of the tables that may have words of customers.
pub(super) struct AllTexts;

impl Question for AllTexts {
    type Answer = String;

    fn ask(&self, snapshot: &mut Snapshot<'_>) -> Result<String, Failure> {
        let mut texts = String::new();
        for (table, columns) in [
            ("customer", "body, words, searched, mail"),
            ("cart", "body, words, customer"),
            ("receipt", "body, words, customer"),
            ("booking", "body, words, title"),
            ("series", "body, words"),
            ("waiting", "body"),
            ("work", "body, words"),
            ("event", "body"),
            ("job", "parked"),
            ("job_run", "detail"),
            ("keep", "body, words"),
        ] {
            for row in snapshot.query(&format!("SELECT {columns} FROM {table}"), &[])? {
                for column in 0..columns.split(',').count() {
                    texts.push_str(row.text(column));
                    texts.push('\n');
                }
            }
        }
        let mut after = 0;
        loop {
            let entries = ReadJournal { after, ..ReadJournal::default() }.ask(snapshot)?;
            let Some(last) = entries.last() else {
                return Ok(texts.to_lowercase());
            };
            after = last.seq;
            for entry in entries {
                // the events are read from their table
                writeln!(texts, "{} {:?}", entry.request, entry.changes).unwrap();
            }
        }
    }
}

const WORDS: [&str; 4] = ["weberknecht", "9876543210", "adaw@b.example", "row of plums"];

#[test]
fn a_forgotten_customer_leaves_no_words_and_every_order() {
    let house = House::royal();
    let weber = || customer("Weberknecht", "0171 9876543210");
    let sold = sold_to(&house, "A1 A2", weber());
    let id = sold.customer.unwrap();
    let words = CustomerWords {
        mail: Some("adaw@b.example".into()),
        note: Some("Row of Plums".into()),
        ..CustomerWords::default()
    };
    house.desk.run(ChangeCustomer::new(id, words)).unwrap();
    let before = house.desk.read(AllTexts).unwrap();
    for word in WORDS {
        assert!(before.contains(word), "the search finds {word}");
    }
    house.desk.run(ForgetCustomer { customer: id }).unwrap();
    house.desk.scrub().unwrap();
    let texts = house.desk.read(AllTexts).unwrap();
    for word in WORDS {
        assert!(!texts.contains(word), "{word}");
    }
    let view = house.desk.read(ReadReceipt(sold.id)).unwrap();
    assert_eq!(view.receipt, sold, "the receipt stays");
    assert_eq!(view.customer, customer("(forgotten)", ""));
    let listed = house.desk.read(ReadReceipts::default()).unwrap();
    assert_eq!(listed[0].customer, "(forgotten)");
    assert_eq!(found(&house, ""), [""; 0]);
    house.verified();

    // the same words are a new customer, and to forget again is no harm
    let again = sold_to(&house, "B1", weber());
    assert_ne!(again.customer, Some(id));
    house.desk.run(ForgetCustomer { customer: id }).unwrap();
    let change = ChangeCustomer::new(id, CustomerWords::default());
    assert_eq!(no(&house.desk, change), CustomerRefusal::Forgotten.into());
    house.verified();
}

/// The words of what is open.
fn open(house: &House, customer: CustomerId) -> Vec<OpenMatter> {
    let refusal = no(&house.desk, ForgetCustomer { customer });
    let Refusal::Customer(CustomerRefusal::Open { what }) = refusal else {
        panic!("{refusal:?}");
    };
    what
}

#[test]
fn a_customer_with_something_open_is_not_forgotten() {
    let house = House::royal();
    let weber = || customer("Weber", "0171 555");
    let reserved = house.cart_with("A1");
    let until = NOON + Span::minutes(300);
    let reserve =
        ReserveCart { cart: reserved, customer: Some(weber()), pay_by: PayBy::At(until), alert: None, last: None };
    let id = house.desk.run(reserve).unwrap().customer.unwrap();
    let waits = house
        .desk
        .run(AddWaiting { performance: house.show, customer: weber(), seats: 17, category: None, priority: None })
        .unwrap();
    let sold = sold_to(&house, "B1", weber());
    let back = refund(&sold, None, BackBy::Owed);
    let owed = house.desk.run(back).unwrap();
    let code = owed.correction.as_ref().unwrap().paid_back[0].credit.unwrap();
    assert_eq!(
        open(&house, id),
        [
            OpenMatter::Cart { id: reserved.to_string(), until },
            OpenMatter::Waiting { id: waits.id.to_string() },
            OpenMatter::Credit { code: code.to_string() },
        ]
    );
    house.desk.run(CancelCart { cart: reserved }).unwrap();
    house.desk.run(RemoveWaiting { waiting: waits.id }).unwrap();
    assert_eq!(open(&house, id).len(), 1);
    let cart = house.cart_with("C1");
    let spend = Checkout {
        tenders: vec![willcall::domain::receipt::Tender::Owed { credit: code, amount: None }],
        customer: Some(weber()),
        ..paying(cart, 0)
    };
    house.desk.run(spend).unwrap();
    let room = room(&house, "Room", 15);
    let booking = BookSlot {
        wants: vec![Want::all(vec![room], slot("2026-11-21 13:00 14:00"))],
        details: Details { customer: weber(), ..Details::default() },
        past: Past::Refuse,
    };
    house.desk.run(booking).unwrap();
    assert!(matches!(open(&house, id)[..], [OpenMatter::Booking { .. }]));
    house.pass(Span::minutes(130));
    house.desk.run(ForgetCustomer { customer: id }).unwrap();
    house.verified();
}
