//! Words of the house on its papers, and the width of the paper at each station.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::domain::text::clean;

/// Usual width of paper, in columns.
pub const COLUMNS: usize = 48;

/// Widths of paper that printers have, in columns.
const WIDTHS: [usize; 3] = [32, 42, COLUMNS];

/// Words of the house on its papers; an empty one is left out.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Letterhead {
    pub name: String,
    /// Lines, parted by `;`.
    pub address: String,
    pub tax_number: String,
    pub footer: String,
    pub columns: PaperColumns,
    /// Stations whose printer speaks ESC/POS; `all` for all of them.
    pub escpos: Vec<String>,
}

/// Paper of a station.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Paper {
    pub letterhead: Letterhead,
    /// Width in columns.
    pub columns: usize,
    pub form: PaperForm,
}

/// Form of what a printer reads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum PaperForm {
    #[default]
    Text,
    Escpos,
}

impl Letterhead {
    /// Paper of a station.
    pub fn paper(&self, station: &str) -> Paper {
        let is_escpos = self.escpos.iter().any(|name| name == station || name == "all");
        let form = if is_escpos { PaperForm::Escpos } else { PaperForm::Text };
        Paper { letterhead: self.clone(), columns: self.columns.of(station), form }
    }
}

/// Width of paper, and of the stations that have another.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PaperColumns(Vec<(String, usize)>);

stored_as_text!(PaperColumns);

impl PaperColumns {
    /// Columns of the paper at a station.
    pub fn of(&self, station: &str) -> usize {
        let of = |name: &str| self.0.iter().find(|(known, _)| known == name).map(|(_, columns)| *columns);
        of(station).or_else(|| of("")).unwrap_or(COLUMNS)
    }
}

impl fmt::Display for PaperColumns {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let own = self.0.iter().filter(|(station, _)| !station.is_empty());
        let own = own.map(|(station, columns)| format!(", {station}={columns}"));
        write!(out, "{}{}", self.of(""), own.collect::<String>())
    }
}

impl FromStr for PaperColumns {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut columns: Vec<(String, usize)> = Vec::new();
        for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
            let (station, width) = part.rsplit_once('=').unwrap_or(("", part));
            let station = clean(station);
            let width = width.trim().parse().ok().filter(|width| WIDTHS.contains(width));
            let width = width.ok_or_else(|| format!("{part:?} is no width of paper; choose 32, 42 or 48"))?;
            columns.retain(|(known, _)| *known != station);
            columns.push((station, width));
        }
        Ok(Self(columns))
    }
}

#[cfg(test)]
mod tests {
    use super::PaperColumns;

    #[test]
    fn paper_is_as_wide_as_the_station_says_or_the_house() {
        let columns: PaperColumns = "42, till-2=32".parse().unwrap();
        assert_eq!((columns.of("till-1"), columns.of("till-2")), (42, 32));
        assert_eq!(columns.to_string(), "42, till-2=32");
        assert_eq!((PaperColumns::default().of("till-1"), PaperColumns::default().to_string().as_str()), (48, "48"));
        assert!("40".parse::<PaperColumns>().unwrap_err().contains("32, 42 or 48"));
    }
}
