//! Money: whole minor units of one currency, checked arithmetic, no floating point.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// No single amount of this house is larger, in minor units.
pub const AMOUNT_MINOR_MAX: i64 = 1_000_000_000_000;

/// A currency by its three-letter code.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Currency([u8; 3]);

impl Currency {
    /// Euro, the house's currency unless set.
    pub const EUR: Self = Self(*b"EUR");

    /// How many decimals people write it with (ISO 4217).
    #[must_use]
    pub fn decimals(self) -> usize {
        match &self.0 {
            b"JPY" | b"KRW" | b"ISK" | b"CLP" | b"VND" | b"XAF" | b"XOF" | b"UGX" | b"PYG" => 0,
            b"BHD" | b"KWD" | b"OMR" | b"JOD" | b"TND" | b"IQD" | b"LYD" => 3,
            _ => 2,
        }
    }
}

impl fmt::Display for Currency {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(std::str::from_utf8(&self.0).unwrap_or("???"))
    }
}

impl fmt::Debug for Currency {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, out)
    }
}

impl FromStr for Currency {
    type Err = MoneyError;

    fn from_str(text: &str) -> Result<Self, MoneyError> {
        let bytes: [u8; 3] = text
            .trim()
            .as_bytes()
            .try_into()
            .map_err(|_| MoneyError::Currency(text.to_owned()))?;
        if !bytes.iter().all(u8::is_ascii_alphabetic) {
            return Err(MoneyError::Currency(text.to_owned()));
        }
        Ok(Self(bytes.map(|byte| byte.to_ascii_uppercase())))
    }
}

impl TryFrom<String> for Currency {
    type Error = MoneyError;

    fn try_from(text: String) -> Result<Self, MoneyError> {
        text.parse()
    }
}

impl From<Currency> for String {
    fn from(currency: Currency) -> Self {
        currency.to_string()
    }
}

/// An amount as people read it, without its currency: `30.00`.
#[must_use]
pub fn amount(minor: i64, currency: Currency) -> String {
    let decimals = currency.decimals();
    let sign = if minor < 0 { "-" } else { "" };
    let digits = format!("{:0>width$}", minor.unsigned_abs(), width = decimals + 1);
    let (whole, part) = digits.split_at(digits.len() - decimals);
    if decimals == 0 {
        format!("{sign}{whole}")
    } else {
        format!("{sign}{whole}.{part}")
    }
}

/// An amount with its currency in front: `EUR 30.00`.
#[must_use]
pub fn priced(minor: i64, currency: Currency) -> String {
    format!("{currency} {}", amount(minor, currency))
}

/// Reads `30`, `30.5`, `30.00` or `30,00` as minor units of a currency.
///
/// # Errors
/// Anything else: letters, a sign, too many decimals, more than [`AMOUNT_MINOR_MAX`].
pub fn parse_amount(text: &str, currency: Currency) -> Result<i64, MoneyError> {
    let wrong = || MoneyError::Amount {
        text: text.to_owned(),
        example: amount(3000, currency),
    };
    let trimmed = text.trim();
    let (whole, part) = trimmed.split_once(['.', ',']).unwrap_or((trimmed, ""));
    let decimals = currency.decimals();
    let digits_only = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || !digits_only(whole) || !digits_only(part) || part.len() > decimals {
        return Err(wrong());
    }
    let minor: i64 = format!("{whole}{part:0<decimals$}")
        .parse()
        .map_err(|_| wrong())?;
    if minor > AMOUNT_MINOR_MAX {
        Err(wrong())
    } else {
        Ok(minor)
    }
}

/// Adds amounts, or says that the sum is out of range.
///
/// # Errors
/// [`MoneyError::TooMuch`] when the sum leaves the range of an amount.
pub fn sum(amounts: impl IntoIterator<Item = i64>) -> Result<i64, MoneyError> {
    amounts
        .into_iter()
        .try_fold(0_i64, i64::checked_add)
        .filter(|total| total.abs() <= AMOUNT_MINOR_MAX)
        .ok_or(MoneyError::TooMuch)
}

/// An amount so many times, or says that it is out of range.
///
/// # Errors
/// [`MoneyError::TooMuch`] when the product leaves the range of an amount.
pub fn times(minor: i64, count: u32) -> Result<i64, MoneyError> {
    minor
        .checked_mul(i64::from(count))
        .filter(|total| total.abs() <= AMOUNT_MINOR_MAX)
        .ok_or(MoneyError::TooMuch)
}

/// What can be wrong with money that somebody typed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MoneyError {
    /// Not an amount.
    #[error("{text:?} is not an amount; write it like {example}")]
    Amount {
        /// What was typed.
        text: String,
        /// An amount in the currency asked for.
        example: String,
    },
    /// Not a currency.
    #[error("{0:?} is not a currency; use a three-letter code like EUR")]
    Currency(String),
    /// Beyond what this house counts.
    #[error("the sum is larger than this desk counts")]
    TooMuch,
}

#[cfg(test)]
mod tests {
    use super::{AMOUNT_MINOR_MAX, Currency, amount, parse_amount, priced, sum};

    #[test]
    fn amounts_read_as_they_print() {
        let yen: Currency = "jpy".parse().unwrap();
        for (text, currency, minor, shown) in [
            ("30", Currency::EUR, 3000, "30.00"),
            ("30,5", Currency::EUR, 3050, "30.50"),
            ("0.07", Currency::EUR, 7, "0.07"),
            ("500", yen, 500, "500"),
        ] {
            assert_eq!(parse_amount(text, currency), Ok(minor));
            assert_eq!(amount(minor, currency), shown);
        }
        assert_eq!(priced(-5, Currency::EUR), "EUR -0.05");
    }

    #[test]
    fn what_is_not_money_is_refused() {
        for text in [
            "",
            "-3",
            "3.005",
            "3,0,0",
            "ten",
            "+1",
            "1e3",
            "9999999999999999999",
        ] {
            assert!(parse_amount(text, Currency::EUR).is_err(), "{text:?}");
        }
        assert!("EURO".parse::<Currency>().is_err());
        assert!("€€€".parse::<Currency>().is_err());
        assert!(sum([AMOUNT_MINOR_MAX, 1]).is_err());
        assert!(sum([i64::MAX, i64::MAX]).is_err());
    }
}
