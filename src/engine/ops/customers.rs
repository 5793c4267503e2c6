//! Customers of operations: the record of a told name and phone, and the text of a record.
//!
//! Equal names with equal phones are one customer, and without a phone those with equal mails. A name alone says too little:
//! it gets a record of its own.

use crate::domain::booking::{Booking, Series};
use crate::domain::cart::Cart;
use crate::domain::customer::{Customer, CustomerRecord, Gone, is_mail};
use crate::domain::ids::CustomerId;
use crate::domain::receipt::Receipt;
use crate::domain::refusal::{CustomerRefusal, Limit, Problem, Refusal};
use crate::domain::text::{TEXT_LENGTH_MAX, clean, folded};
use crate::domain::waiting::Waiting;
use crate::engine::work::{Failure, UnitOfWork};

/// Finds or makes the record of the name, phone and mail that were entered: `present` if it has the same. `None` if nothing
/// was entered. An entered mail replaces the record's.
pub(super) fn named(
    work: &mut UnitOfWork<'_>,
    told: &Customer,
    present: Option<CustomerId>,
) -> Result<Option<CustomerId>, Failure> {
    for (field, text) in [("name", &told.name), ("phone", &told.phone), ("mail", &told.mail)] {
        if text.chars().count() > TEXT_LENGTH_MAX {
            return Err(Refusal::bad(field, Problem::AtMost(TEXT_LENGTH_MAX, Limit::Letters)).into());
        }
    }
    let customer = Customer { name: clean(&told.name), phone: clean(&told.phone), mail: address(&told.mail)? };
    if customer.is_unknown() {
        return Ok(None);
    }
    let record = match known(work, &customer, present)? {
        Some(record) if customer.mail.is_empty() || customer.mail == record.customer.mail => record,
        Some(mut record) => {
            record.customer.mail = customer.mail;
            work.put(&record)?;
            record
        }
        None => created(work, customer)?,
    };
    let id = record.id;
    work.note_customer(id);
    Ok(Some(id))
}

/// An address of mail without control letters; empty for none.
pub(super) fn address(text: &str) -> Result<String, Refusal> {
    let mail = clean(text);
    if mail.is_empty() || is_mail(&mail) { Ok(mail) } else { Err(Refusal::bad("mail", Problem::NoMail)) }
}

/// Record that is told again: of the name with the phone, or without a phone with the mail; `present` also by the name alone.
fn known(
    work: &mut UnitOfWork<'_>,
    customer: &Customer,
    present: Option<CustomerId>,
) -> Result<Option<CustomerRecord>, Failure> {
    let is_mail = |one: &Customer| !one.mail.is_empty() && folded(&one.mail) == folded(&customer.mail);
    let other_mail = |one: &Customer| !one.mail.is_empty() && !customer.mail.is_empty() && !is_mail(one);
    let has_phone = !customer.phone.is_empty();
    let mut found: Vec<CustomerRecord> = Vec::new();
    if let Some(id) = present {
        found.extend(work.find(&id.to_string())?);
        found.retain(|one| has_phone || !other_mail(&one.shown()));
    }
    if has_phone {
        let same = "WHERE searched = $1 ORDER BY key";
        found.extend(work.select::<CustomerRecord>(same, &[customer.searched().into()])?);
    } else if !customer.mail.is_empty() {
        let same = of_name(work, &folded(&customer.name))?;
        found.extend(same.into_iter().filter(|one| is_mail(&one.customer)));
    }
    let is_told = |one: &CustomerRecord| {
        let shown = one.shown();
        shown.name == customer.name && (shown.phone == customer.phone || !has_phone && is_mail(&shown))
    };
    Ok(found.into_iter().find(is_told))
}

/// Records with a folded name.
pub(super) fn of_name(work: &mut UnitOfWork<'_>, name: &str) -> Result<Vec<CustomerRecord>, Failure> {
    // behind the name is a space, then the phone
    let same = "WHERE searched = $1 OR searched >= $2 AND searched < $3 ORDER BY key";
    let (from, until) = (format!("{name} "), format!("{name}!"));
    let found: Vec<CustomerRecord> = work.select(same, &[name.into(), from.into(), until.into()])?;
    let has_name = |one: &CustomerRecord| folded(&one.customer.name) == name;
    Ok(found.into_iter().filter(has_name).collect())
}

fn created(work: &mut UnitOfWork<'_>, customer: Customer) -> Result<CustomerRecord, Failure> {
    let record = CustomerRecord { customer, ..blank() };
    work.create(&record)?;
    Ok(record)
}

/// A new record without words.
pub(super) fn blank() -> CustomerRecord {
    CustomerRecord {
        id: CustomerId::random(),
        customer: Customer::default(),
        note: String::new(),
        gone: None,
        named_in: Vec::new(),
        scrub_due: false,
    }
}

/// Loads a record that has words.
pub(super) fn record(work: &mut UnitOfWork<'_>, customer: CustomerId) -> Result<CustomerRecord, Failure> {
    let record: CustomerRecord = work.get(customer)?;
    match record.gone {
        None => Ok(record),
        Some(Gone::Forgotten) => Err(CustomerRefusal::Forgotten.into()),
        Some(Gone::Merged(into)) => Err(CustomerRefusal::Merged { into }.into()),
    }
}

/// Documents that name a customer.
pub(super) struct Named {
    pub(super) carts: Vec<Cart>,
    pub(super) receipts: Vec<Receipt>,
    pub(super) bookings: Vec<Booking>,
    pub(super) waiting: Vec<Waiting>,
    pub(super) series: Vec<Series>,
}

impl Named {
    /// Keys of the orders.
    pub(super) fn keys(&self) -> Vec<String> {
        let carts = self.carts.iter().map(|cart| cart.id.to_string());
        let receipts = self.receipts.iter().map(|receipt| receipt.id.to_string());
        carts.chain(receipts).chain(self.bookings.iter().map(|booking| booking.id.to_string())).collect()
    }

    /// Loads them.
    pub(super) fn load(work: &mut UnitOfWork<'_>, customer: CustomerId) -> Result<Self, Failure> {
        let customer = customer.to_string();
        let by_index = "WHERE customer > '' AND customer = $1 ORDER BY key";
        // both tables are short
        let by_body = "WHERE body LIKE $1 ORDER BY key";
        let within = format!("%{customer}%");
        Ok(Self {
            carts: work.select(by_index, &[customer.as_str().into()])?,
            receipts: work.select(by_index, &[customer.as_str().into()])?,
            bookings: work.select(by_index, &[customer.as_str().into()])?,
            waiting: work.select(by_body, &[within.as_str().into()])?,
            series: work.select(by_body, &[within.as_str().into()])?,
        })
    }
}

/// Name, phone and mail of a customer; empty if there is none.
pub(super) fn told(work: &mut UnitOfWork<'_>, customer: Option<CustomerId>) -> Result<Customer, Failure> {
    let Some(id) = customer else {
        return Ok(Customer::default());
    };
    let record = work.find::<CustomerRecord>(&id.to_string())?;
    Ok(record.map(|record| record.shown()).unwrap_or_default())
}

/// Title of a booking: its own, or its customer's name.
pub(super) fn title(work: &mut UnitOfWork<'_>, booking: &Booking) -> Result<String, Failure> {
    let customer = told(work, booking.customer)?;
    Ok(booking.title_for(&customer).to_owned())
}
