//! Lines of a list of customers, and why one is not imported.

use serde::{Deserialize, Serialize};

use crate::domain::customer::is_mail;
use crate::domain::text::{TEXT_LENGTH_MAX, clean, digits};

/// Fewest digits of a phone.
const DIGITS_LEAST: usize = 3;

/// Line of a list of customers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct CustomerLine {
    /// Number in the list.
    pub number: u64,
    pub name: String,
    pub phone: String,
    pub mail: String,
    pub note: String,
}

/// Line that was not imported.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LineRefused {
    pub line: u64,
    pub problem: LineProblem,
}

/// Reason why a line was not imported.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "problem", rename_all = "snake_case")]
pub enum LineProblem {
    NoName,
    NoPhone,
    NoMail,
    TooLong {
        field: String,
    },
    /// Not as many fields as the list has columns.
    Fields {
        fields: u64,
        columns: u64,
    },
    /// A quote opens a text, and none closes it.
    OpenQuote,
    /// The name with the phone is one customer, the name with the mail another.
    Several {
        customers: Vec<String>,
    },
}

impl CustomerLine {
    /// The line with clean words.
    pub fn read(&self) -> Result<Self, LineProblem> {
        for (field, text) in [("name", &self.name), ("phone", &self.phone), ("mail", &self.mail), ("note", &self.note)]
        {
            if text.chars().count() > TEXT_LENGTH_MAX {
                let field = field.to_owned();
                return Err(LineProblem::TooLong { field });
            }
        }
        let [name, phone, mail, note] = [&self.name, &self.phone, &self.mail, &self.note].map(|text| clean(text));
        if name.is_empty() {
            return Err(LineProblem::NoName);
        }
        if !phone.is_empty() && digits(&phone).len() < DIGITS_LEAST {
            return Err(LineProblem::NoPhone);
        }
        if !mail.is_empty() && !is_mail(&mail) {
            return Err(LineProblem::NoMail);
        }
        let number = self.number;
        Ok(Self { number, name, phone, mail, note })
    }
}
