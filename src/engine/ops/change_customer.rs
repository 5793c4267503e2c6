//! Changes the words of a customer.

use serde::Serialize;

use crate::domain::customer::{Customer, CustomerRecord};
use crate::domain::ids::CustomerId;
use crate::domain::refusal::CustomerRefusal;
use crate::domain::text::clean;
use crate::engine::ops::customers;
use crate::engine::work::{Failure, Operation, UnitOfWork};

/// Words of a customer's record; absent ones stay as they are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CustomerWords {
    pub name: Option<String>,
    pub phone: Option<String>,
    pub mail: Option<String>,
    pub note: Option<String>,
}

/// Changes name, phone, mail or note of a customer, everywhere at once.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ChangeCustomer {
    customer: CustomerId,
    #[serde(skip)]
    words: CustomerWords,
    /// All words in one, for the seal of the request.
    #[serde(skip)]
    sealed: Customer,
}

impl ChangeCustomer {
    /// Changes words of a customer.
    pub fn new(customer: CustomerId, words: CustomerWords) -> Self {
        let all = [&words.name, &words.phone, &words.mail, &words.note];
        let sealed = Customer { name: format!("{all:?}"), phone: String::new() };
        Self { customer, words, sealed }
    }
}

impl Operation for ChangeCustomer {
    const VERB: &'static str = "change_customer";
    type Answer = CustomerId;

    fn customer(&self) -> Option<&Customer> {
        Some(&self.sealed)
    }

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<CustomerId, Failure> {
        let record = customers::record(work, self.customer)?;
        let said = |told: &Option<String>, before: &str| told.as_deref().map_or_else(|| before.to_owned(), clean);
        let words = &self.words;
        let changed = CustomerRecord {
            customer: Customer {
                name: said(&words.name, &record.customer.name),
                phone: said(&words.phone, &record.customer.phone),
            },
            mail: said(&words.mail, &record.mail),
            note: said(&words.note, &record.note),
            ..record
        };
        if changed.customer.is_unknown() && changed.mail.is_empty() {
            return Err(CustomerRefusal::WithoutWords.into());
        }
        work.put(&changed)?;
        work.note_customer(changed);
        Ok(self.customer)
    }
}
