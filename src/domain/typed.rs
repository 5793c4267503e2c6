//! Parsers of typed values; a refusal names the field, and says what to write instead.

use chrono_tz::Tz;

use crate::domain::money::{Currency, parse_amount};
use crate::domain::refusal::Refusal;
use crate::domain::time::{Span, parse_zone};

/// An amount in minor units.
pub fn money(field: &str, text: &str, currency: Currency) -> Result<i64, Refusal> {
    parse_amount(text, currency).map_err(|error| Refusal::unread(field, &error))
}

pub fn span(field: &str, text: &str) -> Result<Span, Refusal> {
    Span::parse(text).map_err(|error| Refusal::unread(field, &error))
}

pub fn zone(text: &str) -> Result<Tz, Refusal> {
    parse_zone(text).map_err(|error| Refusal::unread("time-zone", &error))
}

pub fn currency(text: &str) -> Result<Currency, Refusal> {
    text.parse().map_err(|error| Refusal::unread("currency", &error))
}

pub fn count(field: &str, text: &str) -> Result<u32, Refusal> {
    let wrong = || format!("{text:?} is not a whole number; write it like 4");
    text.trim().parse().map_err(|_| Refusal::unread(field, &wrong()))
}
