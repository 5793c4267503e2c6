//! Choice of a zoom for a house in an area.

use ratatui::layout::Rect;

use crate::domain::plan::SeatRef;
use crate::tui::widgets::seat_map::cells::Grain;
use crate::tui::widgets::seat_map::chart::Chart;
use crate::tui::widgets::seat_map::fisheye;
use crate::tui::widgets::seat_map::grid::Grid;
use crate::tui::widgets::seat_map::zoom::MapZoom;

/// Most seats of a house that opens with two lines a seat.
const NUMBERED_MAX: usize = 120;
/// Most seats of a house that opens with its zones folded rather than in quadrants.
const FOLDED_MAX: usize = 1_500;

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
        let most = |zoom| match zoom {
            Self::Numbered => NUMBERED_MAX,
            Self::Fisheye => FOLDED_MAX,
            Self::Three | Self::Squares | Self::Quadrants | Self::Dots | Self::Zones => usize::MAX,
        };
        let has_zones = at.chart.zones.len() > 1;
        let opens = |zoom: &&Self| seats <= most(**zoom) && zoom.fits(at) && (**zoom != Self::Zones || has_zones);
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
}
