//! Search of texts for a forgotten customer: for the whole name, the phone in any spelling, and the mail.

use crate::domain::customer::{CustomerRecord, PHONE_END, PHONE_LEAST};
use crate::domain::text::{digits, folded};

/// Words of a customer, in the form in which texts are searched for them.
#[derive(Clone, Debug)]
pub struct Sought {
    /// Words of the name, in order.
    name: Vec<String>,
    /// Digits of the phone.
    phone: String,
    /// Mail, without case; empty for none.
    mail: String,
}

impl Sought {
    /// Words of a record.
    pub fn of(record: &CustomerRecord) -> Self {
        Self {
            name: words(&record.customer.name),
            phone: digits(&record.customer.phone),
            mail: record.customer.mail.to_ascii_lowercase(),
        }
    }

    /// Returns whether a text names the customer.
    pub fn is_in(&self, text: &str) -> bool {
        let is_name = |run: &[String]| !run.is_empty() && run == self.name;
        let has_name = words(text).windows(self.name.len().max(1)).any(is_name);
        let has_mail = !self.mail.is_empty() && text.to_ascii_lowercase().contains(&self.mail);
        has_name || has_mail || self.has_phone(text)
    }

    fn has_phone(&self, text: &str) -> bool {
        let end = self.phone.len().saturating_sub(PHONE_END);
        let end = self.phone.get(end..).unwrap_or_default();
        let is_phone = |number: &str| {
            let digits = digits(number);
            digits == self.phone || end.len() >= PHONE_LEAST && digits.contains(end)
        };
        let is_part = |letter: char| letter.is_ascii_digit() || "+-/(). ".contains(letter);
        !self.phone.is_empty() && text.split(|letter| !is_part(letter)).any(is_phone)
    }
}

/// Words of a text, folded.
fn words(text: &str) -> Vec<String> {
    let is_mark = |letter: char| ('\u{300}'..='\u{36f}').contains(&letter);
    let words = text.split(|letter: char| !letter.is_alphanumeric() && !is_mark(letter));
    words.filter(|word| !word.is_empty()).map(folded).collect()
}

#[cfg(test)]
mod tests {
    use super::Sought;
    use crate::domain::customer::{Customer, CustomerRecord};
    use crate::domain::ids::CustomerId;

    #[test]
    fn a_customer_is_found_in_any_spelling_and_nobody_else() {
        let ada = CustomerRecord {
            id: CustomerId::random(),
            customer: Customer {
                name: "Ada Bö Weber".into(),
                phone: "+49 171 5551234".into(),
                mail: "ada@b.example".into(),
            },
            note: String::new(),
            gone: None,
            named_in: Vec::new(),
            scrub_due: false,
        };
        let sought = Sought::of(&ada);
        for text in [
            "party of Ada Bö Weber, 8 seats",
            r#"{"title":"ADA BO WEBER"}"#,
            "call 0171/555 12 34 today",
            "call +49 (171) 5551234",
            "to ADA@b.example, twice",
        ] {
            assert!(sought.is_in(text), "{text}");
        }
        for other in ["Weber", "Ada Weber", "Adamant", "0171 555", ""] {
            assert!(!sought.is_in(other), "{other}");
        }
        let nobody = CustomerRecord { customer: Customer::default(), ..ada };
        assert!(!Sought::of(&nobody).is_in("Ada 0171"));
    }
}
