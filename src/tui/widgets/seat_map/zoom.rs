//! How large a map is drawn.

use ratatui::layout::Rect;

use crate::domain::layout::Layout;

/// A house of more screens than this, one below the other, is opened on its blocks.
const SCREENS_MAX: u16 = 3;

/// The smallest map is as wide as the word on its stage.
const STAGE_COLUMNS: u16 = 9;

/// How large a map is drawn, largest first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum MapZoom {
    /// Two columns a seat.
    #[default]
    Wide,
    /// One column a seat.
    Narrow,
    /// Two seats a cell, one above the other.
    Half,
    /// Eight seats a cell.
    Dots,
    /// Only the named blocks, with how full they are.
    Blocks,
}

impl MapZoom {
    const LADDER: [Self; 5] = [
        Self::Wide,
        Self::Narrow,
        Self::Half,
        Self::Dots,
        Self::Blocks,
    ];

    /// One step larger, at most two columns a seat; from its blocks one looks at a house's seats.
    #[must_use]
    pub fn closer(self) -> Self {
        if self == Self::Blocks {
            return Self::Narrow;
        }
        let before = |zoom: &&Self| **zoom < self;
        Self::LADDER.iter().rfind(before).copied().unwrap_or(self)
    }

    /// One step smaller, at most only blocks.
    #[must_use]
    pub fn farther(self) -> Self {
        let after = |zoom: &&Self| **zoom > self;
        Self::LADDER.iter().find(after).copied().unwrap_or(self)
    }

    /// The zoom a house is opened at: the largest that shows every seat as a sign of its own, scrolled a little
    /// if need be. A house that is larger, or stands around its stage, is opened on its blocks.
    #[must_use]
    pub fn opening(layout: &Layout, area: Rect) -> Self {
        let size = |zoom: Self| zoom.size(layout);
        let fits = |zoom: &&Self| size(**zoom).0 <= area.width && size(**zoom).1 <= area.height;
        let squares = [Self::Wide, Self::Narrow];
        if let Some(zoom) = squares.iter().find(fits) {
            return *zoom;
        }
        let scrolls = layout.height <= area.height.saturating_mul(SCREENS_MAX);
        let with_bar = |zoom: &Self| size(*zoom).0 < area.width;
        squares
            .into_iter()
            .find(|zoom| with_bar(zoom) && scrolls && faces_one_way(layout))
            .unwrap_or(if layout.blocks.len() > 1 {
                Self::Blocks
            } else {
                Self::Narrow
            })
    }

    /// The columns and lines a house takes; those of blocks fit any room.
    #[must_use]
    pub fn size(self, layout: &Layout) -> (u16, u16) {
        let (width, height) = (layout.width, layout.height);
        match self {
            Self::Wide => (width.saturating_mul(2).saturating_add(1), height),
            Self::Narrow => (width, height),
            Self::Half => (width, height.div_ceil(2) + 1),
            Self::Dots => (width.div_ceil(2).max(STAGE_COLUMNS), height.div_ceil(4) + 1),
            Self::Blocks => (0, 0),
        }
    }
}

/// Whether all seats stand on one side of the stage.
fn faces_one_way(layout: &Layout) -> bool {
    let Some(stage) = &layout.stage else {
        return true;
    };
    let above = layout.places.iter().any(|place| place.line < stage.line);
    let below = layout.places.iter().any(|place| place.line > stage.line);
    above != below
}
