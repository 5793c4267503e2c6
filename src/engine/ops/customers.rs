//! Customers of operations: the record of a told name and phone, and the text of a record.
//!
//! Equal names with equal phones are one customer. A name alone says too little: it gets a record of its own.

use uuid::Uuid;

use crate::domain::booking::Booking;
use crate::domain::customer::{Customer, CustomerRecord};
use crate::domain::ids::CustomerId;
use crate::domain::text::clean;
use crate::engine::work::{Failure, UnitOfWork};

/// Returns the record of a told customer, and makes one if there is none: `present` if that tells the same. `None` if
/// nothing is told.
pub(super) fn named(
    work: &mut UnitOfWork<'_>,
    told: &Customer,
    present: Option<CustomerId>,
) -> Result<Option<CustomerId>, Failure> {
    let customer = Customer {
        name: clean(&told.name),
        phone: clean(&told.phone),
    };
    if customer.is_unknown() {
        return Ok(None);
    }
    let record = match known(work, &customer, present)? {
        Some(record) => record,
        None => created(work, customer)?,
    };
    let id = record.id;
    work.note_customer(record);
    Ok(Some(id))
}

fn known(
    work: &mut UnitOfWork<'_>,
    customer: &Customer,
    present: Option<CustomerId>,
) -> Result<Option<CustomerRecord>, Failure> {
    let mut found: Vec<CustomerRecord> = Vec::new();
    if let Some(id) = present {
        found.extend(work.find(&id.to_string())?);
    }
    if !customer.phone.is_empty() {
        let same = "WHERE searched = $1 ORDER BY key";
        found.extend(work.select::<CustomerRecord>(same, &[customer.searched().into()])?);
    }
    Ok(found.into_iter().find(|one| one.customer == *customer))
}

fn created(work: &mut UnitOfWork<'_>, customer: Customer) -> Result<CustomerRecord, Failure> {
    let record = CustomerRecord {
        id: CustomerId::random(),
        salt: Uuid::new_v4().simple().to_string(),
        customer,
        mail: String::new(),
        note: String::new(),
    };
    work.create(&record)?;
    Ok(record)
}

/// Name and phone of a customer; empty if there is none.
pub(super) fn told(
    work: &mut UnitOfWork<'_>,
    customer: Option<CustomerId>,
) -> Result<Customer, Failure> {
    let Some(id) = customer else {
        return Ok(Customer::default());
    };
    let record = work.find::<CustomerRecord>(&id.to_string())?;
    Ok(record.map(|record| record.customer).unwrap_or_default())
}

/// Title of a booking: its own, or its customer's name.
pub(super) fn title(work: &mut UnitOfWork<'_>, booking: &Booking) -> Result<String, Failure> {
    let customer = told(work, booking.customer)?;
    Ok(booking.title_for(&customer).to_owned())
}
