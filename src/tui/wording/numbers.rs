//! Counts with their nouns, and amounts.

use crate::domain::money::{Currency, amount};

/// A count with its noun: `1 seat`, `4 seats`.
#[must_use]
pub fn count(number: usize, noun: &str) -> String {
    if number == 1 {
        format!("1 {noun}")
    } else {
        format!("{number} {noun}s")
    }
}

/// An amount with thousands parted, without its currency: `1,500.00`.
#[must_use]
pub fn money(minor: i64, currency: Currency) -> String {
    let text = amount(minor, currency);
    let (whole, part) = text
        .split_once('.')
        .map_or((text.as_str(), None), |(whole, part)| (whole, Some(part)));
    let (sign, digits) = whole
        .strip_prefix('-')
        .map_or(("", whole), |digits| ("-", digits));
    let mut parted = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            parted.push(',');
        }
        parted.push(digit);
    }
    part.map_or_else(
        || format!("{sign}{parted}"),
        |part| format!("{sign}{parted}.{part}"),
    )
}
