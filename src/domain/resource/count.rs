//! Counts of equal things: `200 chairs`.

use std::fmt;
use std::str::FromStr;

use crate::domain::text::clean;

/// Number of equal units, with the word for them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Count {
    pub number: u32,
    pub unit: String,
}

stored_as_text!(Count);

impl Count {
    /// Most units of a resource.
    pub const MOST: u32 = 10_000;

    /// Parses a number of units, whose word may be left out: `40`, `40 chairs`.
    ///
    /// # Errors
    /// The text is no whole number from 1 to [`Self::MOST`], or names more than one unit.
    pub fn parse(text: &str) -> Result<(u32, Option<String>), String> {
        let text = clean(text);
        let (number, unit) = text.split_once(' ').unwrap_or((&text, ""));
        let is_whole = !number.is_empty() && number.bytes().all(|sign| sign.is_ascii_digit());
        if !is_whole {
            return Err(format!("{number:?} is no whole number; write it like \"40 chairs\""));
        }
        let most = Self::MOST;
        let number = number.parse().ok().filter(|number| (1..=most).contains(number));
        let number = number.ok_or_else(|| format!("it has to be from 1 to {most}"))?;
        if unit.contains(|sign: char| sign.is_ascii_digit() || ",;+&".contains(sign)) {
            return Err(format!("{unit:?} is not one unit; give each thing a resource of its own"));
        }
        Ok((number, Some(unit.to_owned()).filter(|unit| !unit.is_empty())))
    }

    /// Parses a number of these units.
    ///
    /// # Errors
    /// The text is no count, or one of another unit.
    pub fn of_these(&self, text: &str) -> Result<u32, String> {
        let (number, unit) = Self::parse(text)?;
        match unit {
            Some(other) if !other.eq_ignore_ascii_case(&self.unit) => {
                Err(format!("these are {}, not {other}", self.unit))
            }
            Some(_) | None => Ok(number),
        }
    }
}

impl FromStr for Count {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (number, unit) = Self::parse(text)?;
        let unit = unit.ok_or("it lacks the word for what is counted; write it like \"200 chairs\"")?;
        Ok(Self { number, unit })
    }
}

impl fmt::Display for Count {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} {}", self.number, self.unit)
    }
}

#[cfg(test)]
mod tests {
    use super::Count;

    #[test]
    fn a_count_reads_as_it_prints_and_nonsense_says_what_is_wrong() {
        let chairs: Count = " 200  chairs ".parse().unwrap();
        assert_eq!((chairs.number, chairs.to_string().as_str()), (200, "200 chairs"));
        assert_eq!((chairs.of_these("40"), chairs.of_these("40 Chairs")), (Ok(40), Ok(40)));
        for (text, why) in [
            ("200", "lacks the word"),
            ("0 chairs", "from 1 to 10000"),
            ("1000000000 chairs", "from 1 to 10000"),
            ("99999999999999 chairs", "from 1 to 10000"),
            ("half a chair", "\"half\" is no whole number"),
            ("0.5 chairs", "\"0.5\" is no whole number"),
            ("-1 chairs", "\"-1\" is no whole number"),
            ("", "is no whole number"),
            ("40 chairs, 3 tables", "is not one unit"),
            ("40 chairs + tables", "is not one unit"),
        ] {
            let said = text.parse::<Count>().unwrap_err();
            assert!(said.contains(why), "{text:?}: {said}");
        }
        assert_eq!(chairs.of_these("40 tables").unwrap_err(), "these are chairs, not tables");
    }
}
