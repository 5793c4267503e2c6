//! Parsers of typed values; a refusal names the field, and says what to write instead.

use chrono_tz::Tz;

use crate::domain::money::{Currency, Price, parse_amount};
use crate::domain::refusal::Refusal;
use crate::domain::text::clean;
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

/// The most places of one area.
pub const PLACES_MAX: u32 = 100_000;

/// Reads an area with its number of places: `Floor=300`.
pub fn places(field: &str, text: &str) -> Result<(String, u32), Refusal> {
    let (name, places) = of_area(field, text)?;
    if places == 0 {
        let none = format!("{name} with no place at all is none; write it like Floor=300");
        return Err(Refusal::unread(field, &none));
    }
    Ok((name, places))
}

/// Reads how many places of an area somebody wants: `Floor=3`.
pub fn wanted_places(field: &str, text: &str) -> Result<(String, u32), Refusal> {
    let (name, wanted) = of_area(field, text)?;
    if wanted == 0 {
        return Err(Refusal::unread(field, &format!("no place of {name} is wanted; name 1 or more")));
    }
    Ok((name, wanted))
}

fn of_area(field: &str, text: &str) -> Result<(String, u32), Refusal> {
    let like = "write it like Floor=300";
    let wrong = |problem: String| Refusal::unread(field, &problem);
    let (name, number) = text.rsplit_once('=').ok_or_else(|| wrong(format!("{text:?} has no number; {like}")))?;
    let (name, number) = (clean(name), number.trim());
    if name.is_empty() || name.contains([',', '/', '=']) {
        return Err(wrong(format!("{text:?} names no area, or one with a comma, a stroke or an equals sign; {like}")));
    }
    let large = || wrong(format!("{number} places are too many; an area has at most {PLACES_MAX}"));
    match number.parse::<u64>().map(u32::try_from) {
        Err(_) => Err(wrong(format!("{number:?} is not a whole number of places; {like}"))),
        Ok(Ok(places)) if places <= PLACES_MAX => Ok((name, places)),
        Ok(_) => Err(large()),
    }
}
