//! Changes the words of a customer.

use serde::{Deserialize, Serialize};

use crate::domain::customer::{Customer, CustomerRecord};
use crate::domain::ids::CustomerId;
use crate::domain::private;
use crate::domain::refusal::CustomerRefusal;
use crate::domain::text::clean;
use crate::engine::ops::customers;
use crate::engine::work::{Failure, Operation, UnitOfWork};

/// Words of a customer's record; absent ones stay as they are.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CustomerWords {
    #[serde(serialize_with = "private::optional::serialize")]
    pub name: Option<String>,
    #[serde(serialize_with = "private::optional::serialize")]
    pub phone: Option<String>,
    #[serde(serialize_with = "private::optional::serialize")]
    pub mail: Option<String>,
    #[serde(serialize_with = "private::optional::serialize")]
    pub note: Option<String>,
}

/// Changes name, phone, mail or note of a customer, everywhere at once.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChangeCustomer {
    customer: CustomerId,
    words: CustomerWords,
}

impl ChangeCustomer {
    /// Changes words of a customer.
    pub const fn new(customer: CustomerId, words: CustomerWords) -> Self {
        Self { customer, words }
    }
}

impl Operation for ChangeCustomer {
    const VERB: &'static str = "change_customer";
    type Answer = CustomerId;

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<CustomerId, Failure> {
        let record = customers::record(work, self.customer)?;
        let said = |told: &Option<String>, before: &str| told.as_deref().map_or_else(|| before.to_owned(), clean);
        let words = &self.words;
        let changed = CustomerRecord {
            customer: Customer {
                name: said(&words.name, &record.customer.name),
                phone: said(&words.phone, &record.customer.phone),
                mail: words.mail.as_deref().map_or_else(|| Ok(record.customer.mail.clone()), customers::address)?,
            },
            note: said(&words.note, &record.note),
            ..record
        };
        if changed.customer.is_unknown() {
            return Err(CustomerRefusal::WithoutWords.into());
        }
        work.put(&changed)?;
        work.note_customer(self.customer);
        Ok(self.customer)
    }
}
