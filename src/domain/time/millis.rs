//! Instants and lengths of time as they are read: milliseconds, or the text of a program that has none.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, Visitor};

use crate::domain::time::{Instant, Span, parse_offset};

/// Reads a number, or a text by a parser.
struct Millis {
    expecting: &'static str,
    text: fn(&str) -> Result<i64, String>,
    least: i64,
}

impl Visitor<'_> for Millis {
    type Value = i64;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.expecting)
    }

    fn visit_i64<E: Error>(self, millis: i64) -> Result<i64, E> {
        Ok(millis.max(self.least))
    }

    fn visit_u64<E: Error>(self, millis: u64) -> Result<i64, E> {
        i64::try_from(millis).map_err(|_| E::custom(format!("{millis} milliseconds are too many")))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<i64, E> {
        (self.text)(text).map_err(E::custom)
    }
}

impl<'de> Deserialize<'de> for Instant {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let text = |text: &str| {
            let wrong = || format!("{text:?} is not a time with its offset; write it like 2030-12-01T19:30+01:00");
            parse_offset(text).map(Self::millis).ok_or_else(wrong)
        };
        let expecting = "a time: RFC 3339 with its offset, or milliseconds since 1970";
        from.deserialize_any(Millis { expecting, text, least: i64::MIN }).map(Self)
    }
}

impl<'de> Deserialize<'de> for Span {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let text = |text: &str| Self::parse(text).map(Self::millis).map_err(|error| error.to_string());
        from.deserialize_any(Millis { expecting: "a length of time: 90s, 2h30m, or milliseconds", text, least: 0 })
            .map(Self)
    }
}
