//! Zoom steps of a map.

use ratatui::layout::Rect;
use serde::{Deserialize, Serialize};

use crate::domain::layout::Layout;
use crate::tui::widgets::Look;

/// Minimum width of a map: the word on its stage.
const STAGE_COLUMNS: u16 = 9;
/// Minimum width of an area where a map opens with three columns a seat.
const LARGE_FROM: u16 = 120;

/// Zoom step of a map, largest first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum MapZoom {
    /// Three columns a seat.
    Large,
    /// Two columns a seat.
    #[default]
    Wide,
    /// One column a seat.
    Narrow,
    /// Two seats a cell, one above the other.
    Half,
    /// Eight seats a cell.
    Dots,
    /// Only the named blocks, with their fill.
    Blocks,
}

impl MapZoom {
    const LADDER: [Self; 6] = [Self::Large, Self::Wide, Self::Narrow, Self::Half, Self::Dots, Self::Blocks];

    /// Next larger zoom, up to three columns a seat.
    #[must_use]
    pub fn closer(self) -> Self {
        let before = |zoom: &&Self| **zoom < self;
        Self::LADDER.iter().rfind(before).copied().unwrap_or(self)
    }

    /// Next smaller zoom, down to blocks.
    #[must_use]
    pub fn farther(self) -> Self {
        let after = |zoom: &&Self| **zoom > self;
        Self::LADDER.iter().find(after).copied().unwrap_or(self)
    }

    /// Largest zoom that shows the whole house; named blocks where even dots do not fit.
    #[must_use]
    pub fn opening(layout: &Layout, area: Rect) -> Self {
        let zoom = Self::LADDER
            .iter()
            .filter(|zoom| **zoom != Self::Large || area.width >= LARGE_FROM)
            .find(|zoom| zoom.fits(layout, area))
            .copied();
        zoom.filter(|zoom| *zoom != Self::Blocks || layout.blocks.len() > 1).unwrap_or(Self::Dots)
    }

    /// True if this zoom shows the whole house.
    #[must_use]
    pub fn fits(self, layout: &Layout, area: Rect) -> bool {
        let (columns, lines) = self.size(layout);
        columns <= area.width && lines <= area.height
    }

    /// Columns and lines of a house at this zoom; blocks fit any area.
    #[must_use]
    pub fn size(self, layout: &Layout) -> (u16, u16) {
        let (width, height) = (layout.width, layout.height);
        match self {
            Self::Large | Self::Wide | Self::Narrow => (self.columns(width), height),
            Self::Half => (width, height.div_ceil(2) + 1),
            Self::Dots => (width.div_ceil(2).max(STAGE_COLUMNS), height.div_ceil(4) + 1),
            Self::Blocks => (0, 0),
        }
    }

    /// True where each of a cell's two seats has its own colour, which tells its state.
    pub(in crate::tui::widgets) fn is_coloured(self, look: Look<'_>) -> bool {
        self == Self::Half && look.glyphs.dots.is_none() && look.theme.taken.bg.is_some()
    }

    /// Columns a seat, the gap before it included; one for several seats a cell.
    pub(super) const fn step(self) -> u16 {
        match self {
            Self::Large => 3,
            Self::Wide => 2,
            Self::Narrow | Self::Half | Self::Dots | Self::Blocks => 1,
        }
    }

    /// Column where the sign of a seat begins, after the gap before it; for the width of a map, that map's.
    pub(super) fn columns(self, column: u16) -> u16 {
        let gap = u16::from(self.step() > 1);
        column.saturating_mul(self.step()).saturating_add(gap)
    }
}
