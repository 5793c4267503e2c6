//! Standing room below the map: a line for each area with its name, a bar, and the number of places left.
//!
//! A number after `b` adds places: `3 floor`, or `3` where a house has nothing but one area.

use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::domain::plan::Zone;
use crate::domain::text::clean;
use crate::engine::ops::BestSeats;
use crate::engine::reads::seat_map::SeatMap;
use crate::tui::kit::action::Action;
use crate::tui::kit::canvas::{Canvas, after, cells, first_rows, from_row};
use crate::tui::kit::shared::Shared;
use crate::tui::kit::targets::Target;
use crate::tui::screens::seats::Seats;
use crate::tui::widgets::bar::fill_spans;

/// Most areas that are shown below a map with seats.
const AREAS_MAX: usize = 4;

/// Least and most columns of the bar.
const BAR_COLUMNS: (u16, u16) = (6, 24);

impl Seats {
    /// Splits the area of the map: above the seats, below them the standing room.
    pub(super) fn with_areas(&self, map: Rect) -> [Rect; 2] {
        let areas = self.map().map_or(0, |map| map.plan.standing().len().min(AREAS_MAX));
        let lines = cells(areas).min(map.height / 2);
        [first_rows(map, map.height - lines), from_row(map, map.height - lines)]
    }

    /// Draws the standing room; a click on it asks for the number.
    pub(super) fn draw_areas(&self, area: Rect, shared: &Shared, canvas: &mut Canvas<'_>) {
        let Some(map) = self.map() else { return };
        let areas = map.plan.standing();
        let width = areas.iter().map(|area| area.name.chars().count() + ", standing".len()).max().unwrap_or(0);
        for (of, line) in areas.iter().zip(area.rows()) {
            let tally = map.tally(of);
            let theme = &shared.theme;
            let (name, left) = (clean(of.name), format!("  {} of {} left", tally.free, tally.places));
            let how = shared.keyed(&format!("  <best> 2 {} adds 2", name.to_lowercase()));
            let room = usize::from(line.width).saturating_sub(width + left.len() + how.len() + 4);
            let bar = cells(room).clamp(BAR_COLUMNS.0, BAR_COLUMNS.1);
            let mut spans = vec![Span::styled(format!("{:<width$}  ", format!("{name}, standing")), theme.strong)];
            spans.extend(fill_spans(bar, (tally.places - tally.free, tally.places), canvas.look));
            spans.extend([Span::raw(left), Span::styled(how, theme.quiet)]);
            canvas.line(after(line, 1), &Line::from(spans));
            canvas.hit(line, Target::Act(Action::Best));
        }
    }

    /// Name of the standing room that a wish for best seats means.
    pub(super) fn area_wanted(&self, wish: &BestSeats) -> Option<String> {
        let plan = &self.map()?.plan;
        match &wish.zone {
            Some(zone) => plan.area(zone).map(|area| area.name.clone()),
            None if plan.zones.iter().all(Zone::is_standing) => plan.standing().first().map(|area| area.name.clone()),
            None => None,
        }
    }

    /// Says how many places are left, where a wish is for more.
    pub(super) fn too_many(map: &SeatMap, area: &str, wish: &BestSeats) -> Option<String> {
        let left = map.tally(&map.plan.area(area)?).free;
        (left < wish.count).then(|| format!("{area} has {left} places left; ask for fewer"))
    }
}
