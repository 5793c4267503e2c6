//! Parsers of typed values; a refusal names the field, and says what to write instead.

use chrono_tz::Tz;

use crate::domain::money::{Currency, Price, parse_amount};
use crate::domain::refusal::Refusal;
use crate::domain::time::{Span, parse_zone};

/// An amount in minor units.
pub fn money(field: &str, text: &str, currency: Currency) -> Result<i64, Refusal> {
    parse_amount(text, currency).map_err(|error| Refusal::unread(field, &error))
}

/// Reads an amount with its currency before it, or in another one: `USD 20.00`, `20.00`.
pub fn price(field: &str, text: &str, usual: Currency) -> Result<Price, Refusal> {
    let named = text.trim().split_once(' ').and_then(|(code, amount)| Some((code.parse().ok()?, amount)));
    let (currency, amount) = named.unwrap_or((usual, text));
    Ok(Price { minor: money(field, amount, currency)?, currency })
}

/// Reads a length of time, as `20m`.
pub fn span(field: &str, text: &str) -> Result<Span, Refusal> {
    Span::parse(text).map_err(|error| Refusal::unread(field, &error))
}

/// Reads the name of a time zone.
pub fn zone(text: &str) -> Result<Tz, Refusal> {
    parse_zone(text).map_err(|error| Refusal::unread("time-zone", &error))
}

/// Reads the code of a currency.
pub fn currency(text: &str) -> Result<Currency, Refusal> {
    text.parse().map_err(|error| Refusal::unread("currency", &error))
}

/// Reads a number.
pub fn count(field: &str, text: &str) -> Result<u32, Refusal> {
    let wrong = || format!("{text:?} is not a whole number; write it like 4");
    text.trim().parse().map_err(|_| Refusal::unread(field, &wrong()))
}
