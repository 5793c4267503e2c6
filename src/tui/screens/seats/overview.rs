//! Keys on the table of zones: arrows step from zone to zone, and Enter goes to its seats.

use crate::tui::data::left::ChosenZoom;
use crate::tui::kit::action::Action;
use crate::tui::kit::screen::Handled;
use crate::tui::kit::shared::Shared;
use crate::tui::screens::seats::Seats;
use crate::tui::widgets::seat_map::MapZoom;

impl Seats {
    /// Handles a key on the table of zones; none at other zooms, or for a key of the map.
    pub(super) fn act_on_zones(&mut self, action: Action, shared: &Shared) -> Option<Handled> {
        let zoom = self.zoom_in_area(self.map_area(shared), shared);
        if zoom != MapZoom::Zones || self.has_marks() {
            return None;
        }
        match Some(action) {
            Some(Action::Left | Action::Up) => self.step_block(-1),
            Some(Action::Right | Action::Down) => self.step_block(1),
            Some(Action::Main | Action::Pick | Action::Mark) => self.look_at_seats(shared),
            _ => return None,
        }
        Some(Handled::Yes)
    }

    /// Handles a click on a zone: goes to its seats.
    pub(super) fn go_to_block(&mut self, index: usize, shared: &Shared) {
        self.cursor_to_block(index);
        if self.zoom_in_area(self.map_area(shared), shared) == MapZoom::Zones {
            self.look_at_seats(shared);
        }
    }

    fn look_at_seats(&mut self, shared: &Shared) {
        self.zoom = Some(ChosenZoom { zoom: MapZoom::Squares, size: shared.size.into() });
    }
}
