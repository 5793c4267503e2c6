//! Free seats of a map, counted once for it, with the cells of its last drawing.

use crate::engine::reads::seat_map::{SeatMap, SeatState};
use crate::tui::widgets::seat_map::cells::CellCache;
use crate::tui::widgets::seat_map::chart::Chart;

/// Free seats of each block by category, counted once for a map.
#[derive(Clone, Debug, Default)]
pub struct FreeSeats {
    pub(super) counts: Vec<u32>,
    pub(super) cells: CellCache,
}

impl FreeSeats {
    /// Counts the free seats of a map.
    #[must_use]
    pub fn count(chart: &Chart, map: &SeatMap) -> Self {
        let categories = map.plan.categories.len();
        let mut free = vec![0_u32; chart.layout().blocks.len() * categories];
        chart.each_seat(map, |place, state, make| {
            let at = usize::from(place.block) * categories + usize::from(make.category);
            if let (Some(SeatState::Free), Some(free)) = (state, free.get_mut(at)) {
                *free += 1;
            }
        });
        Self { counts: free, cells: CellCache::default() }
    }
}
