//! Money: whole minor units of one currency, checked arithmetic, no floating point.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// No single amount of this house is larger, in minor units.
pub const AMOUNT_MINOR_MAX: i64 = 1_000_000_000_000;

/// Currency codes of ISO 4217, and BTC; a mistyped code is refused.
const CODES: &str = "AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTC BTN BWP \
    BYN BZD CAD CDF CHF CLP CNY COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF \
    GTQ GYD HKD HNL HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD \
    LSL LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR \
    PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY \
    TTD TWD TZS UAH UGX USD UYU UZS VED VES VND VUV WST XAF XCD XCG XOF XPF YER ZAR ZMW ZWG";

/// A currency by its three-letter code.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Currency([u8; 3]);

stored_as_text!(Currency);

impl Currency {
    /// Euro, the house's currency unless set.
    pub const EUR: Self = Self(*b"EUR");

    /// Number of decimals (ISO 4217).
    pub fn decimals(self) -> usize {
        match &self.0 {
            b"BIF" | b"CLP" | b"DJF" | b"GNF" | b"ISK" | b"JPY" | b"KMF" | b"KRW" | b"PYG" | b"RWF" | b"UGX"
            | b"VND" | b"VUV" | b"XAF" | b"XOF" | b"XPF" => 0,
            b"BTC" => 8,
            b"BHD" | b"IQD" | b"JOD" | b"KWD" | b"LYD" | b"OMR" | b"TND" => 3,
            _ => 2,
        }
    }
}

/// An amount with its currency.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Price {
    /// Amount in minor units.
    pub minor: i64,
    pub currency: Currency,
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
        let wrong = || MoneyError::Currency(text.to_owned());
        let code = text.trim().to_ascii_uppercase();
        let bytes: [u8; 3] = code.as_bytes().try_into().map_err(|_| wrong())?;
        if CODES.as_bytes().chunks(4).any(|known| known.starts_with(&bytes)) { Ok(Self(bytes)) } else { Err(wrong()) }
    }
}

/// An amount as people read it, without its currency: `30.00`.
pub fn amount(minor: i64, currency: Currency) -> String {
    let decimals = currency.decimals();
    let sign = if minor < 0 { "-" } else { "" };
    let digits = format!("{:0>width$}", minor.unsigned_abs(), width = decimals + 1);
    let (whole, part) = digits.split_at(digits.len() - decimals);
    if decimals == 0 { format!("{sign}{whole}") } else { format!("{sign}{whole}.{part}") }
}

/// An amount as people read it, with thousands parted: `1,500.00`.
pub fn grouped(minor: i64, currency: Currency) -> String {
    let text = amount(minor, currency);
    let (whole, part) = text.split_once('.').map_or((text.as_str(), None), |(whole, part)| (whole, Some(part)));
    let (sign, digits) = whole.strip_prefix('-').map_or(("", whole), |digits| ("-", digits));
    let mut parted = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            parted.push(',');
        }
        parted.push(digit);
    }
    part.map_or_else(|| format!("{sign}{parted}"), |part| format!("{sign}{parted}.{part}"))
}

/// An amount with its currency in front, as people read it: `EUR 1,500.00`.
pub fn priced(minor: i64, currency: Currency) -> String {
    format!("{currency} {}", grouped(minor, currency))
}

/// Reads `30`, `30.5`, `30.00` or `30,00` as minor units of a currency.
///
/// # Errors
/// Anything else, each in its own words: letters, a sign, a currency beside it, too many decimals, more than
/// [`AMOUNT_MINOR_MAX`].
pub fn parse_amount(text: &str, currency: Currency) -> Result<i64, MoneyError> {
    let trimmed = text.trim();
    let (whole, part) = trimmed.split_once(['.', ',']).unwrap_or((trimmed, ""));
    let decimals = currency.decimals();
    let digits_only = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || !digits_only(whole) || !digits_only(part) {
        return Err(no_amount(trimmed, currency));
    }
    if part.len() > decimals {
        return Err(MoneyError::Decimals { text: trimmed.to_owned(), currency, example: amount(3000, currency) });
    }
    format!("{whole}{part:0<decimals$}")
        .parse()
        .ok()
        .filter(|minor| *minor <= AMOUNT_MINOR_MAX)
        .ok_or_else(|| MoneyError::TooLarge { text: trimmed.to_owned(), most: amount(AMOUNT_MINOR_MAX, currency) })
}

/// The error for a text that is no bare number.
fn no_amount(text: &str, currency: Currency) -> MoneyError {
    let (text, example) = (text.to_owned(), amount(3000, currency));
    let number = |text: &str| !text.is_empty() && text.trim().parse::<f64>().is_ok();
    let is_currency = |word: &str| word.parse::<Currency>().is_ok() || ["€", "$", "£", "¥"].contains(&word);
    if text.strip_prefix('-').is_some_and(number) {
        return MoneyError::Negative { text, example };
    }
    let bare = text.trim_matches(|letter: char| !letter.is_ascii_digit());
    let beside = text.replacen(bare, " ", 1);
    if number(bare) && beside.split_whitespace().any(is_currency) {
        MoneyError::Named { text, currency, example }
    } else {
        MoneyError::Amount { text, example }
    }
}

/// Adds amounts, or says that the sum is out of range.
pub fn sum(amounts: impl IntoIterator<Item = i64>) -> Result<i64, MoneyError> {
    amounts
        .into_iter()
        .try_fold(0_i64, i64::checked_add)
        .filter(|total| total.abs() <= AMOUNT_MINOR_MAX)
        .ok_or(MoneyError::TooMuch)
}

/// Multiplies an amount, or says that it is out of range.
pub fn times(minor: i64, count: u32) -> Result<i64, MoneyError> {
    minor.checked_mul(i64::from(count)).filter(|total| total.abs() <= AMOUNT_MINOR_MAX).ok_or(MoneyError::TooMuch)
}

/// Errors of a typed amount.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MoneyError {
    #[error("{text:?} is not an amount; write it like {example}")]
    Amount { text: String, example: String },
    #[error("{text:?} is below zero; write it like {example}")]
    Negative { text: String, example: String },
    #[error("{text:?} has more decimals than {currency} has; write it like {example}")]
    Decimals { text: String, currency: Currency, example: String },
    #[error("{text:?} names a currency; amounts here are in {currency}, write the number alone, like {example}")]
    Named { text: String, currency: Currency, example: String },
    #[error("{text:?} is too large an amount; write at most {most}")]
    TooLarge { text: String, most: String },
    #[error("{0:?} is not a currency; use a three-letter code like EUR")]
    Currency(String),
    #[error("the sum is too large")]
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
        for text in ["", "-3", "3.005", "3,0,0", "ten", "+1", "1e3", "9999999999999999999"] {
            assert!(parse_amount(text, Currency::EUR).is_err(), "{text:?}");
        }
        for (text, why) in [
            ("ten", "is not an amount"),
            ("-3", "below zero"),
            ("3.005", "more decimals than EUR"),
            ("99999999999", "at most 10000000000.00"),
            ("9999999999999999999", "at most"),
            ("10 USD", "in EUR"),
            ("EUR 10", "in EUR"),
            ("€10", "in EUR"),
            ("10 people", "is not an amount"),
        ] {
            let said = parse_amount(text, Currency::EUR).unwrap_err().to_string();
            assert!(said.contains(why), "{said}");
        }
        for wrong in ["EURO", "ERU", "EU ", "E R", ""] {
            assert!(wrong.parse::<Currency>().is_err(), "{wrong}");
        }
        assert!("€€€".parse::<Currency>().is_err());
        assert!(sum([AMOUNT_MINOR_MAX, 1]).is_err());
        assert!(sum([i64::MAX, i64::MAX]).is_err());
    }
}
