//! A house drawn whole in a panel, as large as it fits; the screen that shows it keeps its chart.

use std::sync::Arc;

use ratatui::layout::Rect;

use crate::domain::ids::PlanId;
use crate::domain::layout::Layout;
use crate::engine::reads::seat_map::SeatMap;
use crate::tui::kit::canvas::Canvas;
use crate::tui::widgets::seat_map::{Chart, FreeSeats, MapZoom, Marks, SeatMapWidget, Stand};

/// Chart of the plan that was drawn last.
#[derive(Debug, Default)]
pub struct WholeHouse(Option<(PlanId, Chart)>);

impl WholeHouse {
    /// Computes the layout, once per plan.
    pub fn keep(&mut self, map: &SeatMap) {
        let plan = map.performance.plan;
        if self.0.as_ref().is_none_or(|(of, _)| *of != plan) {
            self.0 = Some((plan, Chart::new(&map.plan, Arc::new(Layout::new(&map.plan)))));
        }
    }

    /// True if this house can be drawn.
    pub fn knows(&self, map: &SeatMap) -> bool {
        self.0.as_ref().is_some_and(|(of, _)| *of == map.performance.plan)
    }

    /// Draws the house with its marks.
    pub fn draw(&self, (map, marks): (&SeatMap, Marks<'_>), area: Rect, canvas: &mut Canvas<'_>) {
        let Some((_, chart)) = self.0.as_ref().filter(|_| self.knows(map)) else {
            return;
        };
        let stand = Stand { chart, area, cursor: None };
        let curved = if MapZoom::Quadrants.fits(stand) { MapZoom::Quadrants } else { MapZoom::Dots };
        let zoom = Some(MapZoom::opening(stand)).filter(|zoom| *zoom != MapZoom::Fisheye).unwrap_or(curved);
        let free = FreeSeats::count(chart, map);
        SeatMapWidget { chart, map, free: &free, marks, zoom, look: canvas.look }.draw(area, canvas);
    }
}
