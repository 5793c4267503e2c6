//! A house drawn whole in a panel, as large as it fits; the screen that shows it keeps its chart.

use std::cell::RefCell;
use std::sync::Arc;

use ratatui::layout::Rect;

use crate::domain::ids::PlanId;
use crate::domain::layout::Layout;
use crate::engine::reads::seat_map::{SeatMap, SeatState};
use crate::tui::kit::canvas::Canvas;
use crate::tui::widgets::seat_map::{Chart, FreeSeats, MapZoom, Marks, SeatMapWidget, Stand};

/// Chart of the plan that was drawn last, and the free seats of the map.
#[derive(Debug, Default)]
pub struct WholeHouse {
    chart: Option<(PlanId, Chart)>,
    counted: RefCell<Option<CountedRows>>,
}

/// Free seats of some rows, which are counted once.
#[derive(Debug)]
struct CountedRows {
    rows: Vec<Arc<[SeatState]>>,
    free: FreeSeats,
}

impl CountedRows {
    fn of(chart: &Chart, map: &SeatMap) -> Self {
        Self { rows: map.rows.clone(), free: FreeSeats::count(chart, map) }
    }

    fn are_of(&self, map: &SeatMap) -> bool {
        let mut rows = self.rows.iter().zip(&map.rows);
        self.rows.len() == map.rows.len() && rows.all(|(own, row)| Arc::ptr_eq(own, row))
    }
}

impl WholeHouse {
    /// Computes the layout, once per plan.
    pub fn keep(&mut self, map: &SeatMap) {
        let plan = map.performance.plan;
        if self.chart.as_ref().is_none_or(|(of, _)| *of != plan) {
            self.chart = Some((plan, Chart::new(&map.plan, Arc::new(Layout::new(&map.plan)))));
            self.counted.take();
        }
    }

    /// True if this house can be drawn.
    pub fn knows(&self, map: &SeatMap) -> bool {
        self.chart.as_ref().is_some_and(|(of, _)| *of == map.performance.plan)
    }

    /// Draws the house with its marks.
    pub fn draw(&self, (map, marks): (&SeatMap, Marks<'_>), area: Rect, canvas: &mut Canvas<'_>) {
        let Some((_, chart)) = self.chart.as_ref().filter(|_| self.knows(map)) else {
            return;
        };
        let stand = Stand { chart, area, cursor: None };
        let curved = if MapZoom::Quadrants.fits(stand) { MapZoom::Quadrants } else { MapZoom::Dots };
        let zoom = Some(MapZoom::opening(stand)).filter(|zoom| *zoom != MapZoom::Fisheye).unwrap_or(curved);
        let mut counted = self.counted.borrow_mut();
        let CountedRows { free, .. } = match &mut *counted {
            Some(counted) if counted.are_of(map) => counted,
            counted => counted.insert(CountedRows::of(chart, map)),
        };
        SeatMapWidget { chart, map, free, marks, zoom, look: canvas.look }.draw(area, canvas);
    }
}
