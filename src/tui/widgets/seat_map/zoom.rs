//! Zoom steps of a map.

use ratatui::layout::Rect;
use serde::{Deserialize, Serialize};

use crate::domain::plan::SeatRef;
use crate::tui::widgets::seat_map::cells::Grain;
use crate::tui::widgets::seat_map::chart::Chart;
use crate::tui::widgets::seat_map::fisheye;
use crate::tui::widgets::seat_map::grid::Grid;

/// Most seats of a house that opens with two lines a seat.
const NUMBERED_MAX: usize = 120;
/// Most seats of a house that opens with its zones folded rather than in quadrants.
const FOLDED_MAX: usize = 1_500;

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

/// House in an area, with the seat under the cursor.
#[derive(Clone, Copy, Debug)]
pub struct Stand<'a> {
    /// The house.
    pub chart: &'a Chart,
    /// Cells of the map.
    pub area: Rect,
    /// The seat under the cursor.
    pub cursor: Option<SeatRef>,
}

impl MapZoom {
    const LADDER: [Self; 7] =
        [Self::Numbered, Self::Three, Self::Squares, Self::Fisheye, Self::Quadrants, Self::Dots, Self::Zones];

    /// Next larger zoom; folded zones only where they fit.
    #[must_use]
    pub fn closer(self, at: Stand<'_>) -> Self {
        let before = |zoom: &&Self| **zoom < self && zoom.is_step(at);
        Self::LADDER.iter().rfind(before).copied().unwrap_or(self)
    }

    /// Next smaller zoom, down to the table of zones; folded zones only where they fit.
    #[must_use]
    pub fn farther(self, at: Stand<'_>) -> Self {
        let after = |zoom: &&Self| **zoom > self && zoom.is_step(at);
        Self::LADDER.iter().find(after).copied().unwrap_or(self)
    }

    fn is_step(self, at: Stand<'_>) -> bool {
        self != Self::Fisheye || !Self::Squares.fits(at) && self.fits(at)
    }

    /// Largest zoom that shows the whole house, or the whole but for folded zones; a big one rather in quadrants.
    #[must_use]
    pub fn opening(at: Stand<'_>) -> Self {
        let seats = at.chart.layout().places.len();
        let opens = |zoom: &&Self| match **zoom {
            Self::Numbered if seats > NUMBERED_MAX => false,
            Self::Fisheye if seats > FOLDED_MAX => false,
            Self::Zones => at.chart.zones.len() > 1,
            zoom => zoom.fits(at),
        };
        Self::LADDER.iter().find(opens).copied().unwrap_or(Self::Dots)
    }

    /// True if this zoom shows the whole house, zones folded or not.
    #[must_use]
    pub fn fits(self, at: Stand<'_>) -> bool {
        let Stand { chart, area, cursor } = at;
        let fits = |(columns, lines): (u16, u16)| columns <= area.width && lines <= area.height;
        match self {
            Self::Numbered | Self::Three | Self::Squares => fits(Grid::new(chart, self, area).size),
            Self::Fisheye => fisheye::grid(chart, cursor, area).is_some(),
            Self::Quadrants | Self::Dots => fits(Grain::new(chart, self, area).size),
            Self::Zones => true,
        }
    }

    /// Columns and lines a seat.
    pub(super) const fn step(self) -> (u16, u16) {
        match self {
            Self::Numbered => (4, 2),
            Self::Three => (3, 1),
            Self::Squares | Self::Fisheye | Self::Quadrants | Self::Dots | Self::Zones => (2, 1),
        }
    }
}
