//! Overview of a large house: arrows choose a block, Enter or Space goes to its seats.
//!
//! No seat can be picked in the overview, as none is shown.

use crate::domain::layout::Direction;
use crate::tui::action::Action;
use crate::tui::screens::Handled;
use crate::tui::screens::seats::Seats;
use crate::tui::shared::Shared;
use crate::tui::widgets::seat_map::{MapZoom, block_towards};

impl Seats {
    /// Handles a key while only blocks are drawn; none at other zooms, or for a key of the map.
    pub(super) fn act_on_blocks(&mut self, action: Action, shared: &Shared) -> Option<Handled> {
        let zoom = self.zoom_in_area(Self::map_area(shared));
        if zoom != MapZoom::Blocks || self.has_marks() {
            return None;
        }
        match Some(action) {
            Some(Action::Left) => self.step_towards(Direction::Left),
            Some(Action::Right) => self.step_towards(Direction::Right),
            Some(Action::Up) => self.step_towards(Direction::Up),
            Some(Action::Down) => self.step_towards(Direction::Down),
            Some(Action::Main | Action::Pick | Action::Mark | Action::ZoomIn) => {
                self.look_at_seats(shared);
            }
            _ => return None,
        }
        Some(Handled::Yes)
    }

    /// Handles a click on a block: scrolls to its seats.
    pub(super) fn go_to_block(&mut self, index: usize, shared: &Shared) {
        self.cursor_to_block(index);
        self.look_at_seats(shared);
    }

    fn step_towards(&mut self, to: Direction) {
        let here = self.current_block().unwrap_or(0);
        let next = self.layout().and_then(|layout| block_towards(layout, here, to));
        if let Some(next) = next {
            self.cursor_to_block(next);
        }
    }

    /// Zooms in on the block under the cursor, to two columns a seat where the block then fits.
    fn look_at_seats(&mut self, shared: &Shared) {
        let area = Self::map_area(shared);
        let block = self.layout().and_then(|layout| {
            let block = self.current_block()?;
            layout.blocks.get(block)
        });
        let fits = block.is_some_and(|block| block.width.saturating_mul(2) + 8 <= area.width);
        self.zoom = Some(if fits { MapZoom::Wide } else { MapZoom::Narrow });
    }

    fn current_block(&self) -> Option<usize> {
        let place = self.layout()?.place(self.cursor?)?;
        Some(usize::from(place.block))
    }
}
