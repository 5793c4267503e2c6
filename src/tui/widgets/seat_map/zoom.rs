//! Zoom steps of a map.

use serde::{Deserialize, Serialize};

/// Zoom step of a map, largest first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum MapZoom {
    /// Four columns and two lines a seat, with its number.
    Numbered,
    /// Three columns a seat, with its number.
    Three,
    /// A square of two columns a seat.
    #[default]
    Squares,
    /// Squares in the zone with the cursor, half blocks in the others.
    Fisheye,
    /// Two seats a column and two rows a line, at the house's real curves.
    Quadrants,
    /// Eight seats a cell.
    Dots,
    /// A table of the zones.
    Zones,
}

impl MapZoom {
    /// Columns and lines a seat.
    pub(super) const fn step(self) -> (u16, u16) {
        match self {
            Self::Numbered => (4, 2),
            Self::Three => (3, 1),
            Self::Squares | Self::Fisheye | Self::Quadrants | Self::Dots | Self::Zones => (2, 1),
        }
    }
}
