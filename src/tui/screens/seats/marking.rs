//! Cursor moves and marks on the map.

use crate::domain::best::{SeatSearch, SeatWish, best};
use ratatui::layout::Rect;

use crate::domain::ids::PerformanceId;
use crate::domain::layout::Direction;
use crate::domain::performance::ADULT;
use crate::domain::plan::{SeatKind, SeatRef};
use crate::engine::reads::tonight::PerformanceRow;
use crate::tui::data::left::ChosenZoom;
use crate::tui::kit::context::Context;
use crate::tui::kit::shared::Shared;
use crate::tui::screens::seats::{Seats, programme};
use crate::tui::widgets::seat_map::{FreeSigns, MapZoom, Stand};

impl Seats {
    /// First position of the cursor: the best free seat of the dearest category that has one, else any seat.
    pub(super) fn first_cursor(&self) -> Option<SeatRef> {
        let (map, layout) = (self.map()?, self.layout()?);
        let house = SeatSearch { plan: &map.plan, layout, free: &map.on_sale(ADULT) };
        let free = (0u16..).zip(&map.free_of).filter(|(_, free)| **free > 0);
        let mut categories: Vec<u16> = free.map(|(category, _)| category).collect();
        categories.sort_by_key(|category| std::cmp::Reverse(map.performance.price(*category, ADULT)));
        let found = categories.into_iter().find_map(|category| {
            let wish = SeatWish { count: 1, category: Some(category), ..SeatWish::default() };
            best(&house, &wish)?.seats.first().copied()
        });
        found.or_else(|| layout.places.first().map(|place| place.seat))
    }

    pub(super) fn step(&mut self, to: Direction) {
        let next = self.cursor.and_then(|seat| self.layout()?.neighbour(seat, to));
        if let Some(next) = next {
            self.move_to(next);
        }
    }

    pub(super) fn edge(&mut self, to: Direction) {
        let next = self.cursor.and_then(|seat| self.layout()?.edge(seat, to));
        if let Some(next) = next {
            self.move_to(next);
        }
    }

    pub(super) fn extend(&mut self, to: Direction) {
        if self.marking.is_none() {
            self.mark();
        }
        self.step(to);
    }

    fn move_to(&mut self, seat: SeatRef) {
        self.cursor = Some(seat);
        if let Some(from) = self.marking {
            self.marked = self.between(from, seat);
        }
    }

    /// Starts a mark at the cursor, or drops the current mark.
    pub(super) fn mark(&mut self) {
        if self.marking.is_some() {
            self.drop_marks();
        } else if let Some(seat) = self.cursor {
            self.marking = Some(seat);
            self.marked = vec![seat];
        }
    }

    pub(in crate::tui) fn has_marks(&self) -> bool {
        !self.marked.is_empty()
    }

    pub(super) fn drop_marks(&mut self) {
        self.marking = None;
        self.marked.clear();
    }

    /// Marks seats, with the cursor at the first.
    pub(super) fn mark_all(&mut self, seats: Vec<SeatRef>) {
        self.cursor = seats.first().copied().or(self.cursor);
        self.marking = None;
        self.marked = if seats.len() > 1 { seats } else { Vec::new() };
    }

    /// Seats between two seats: along a row, or the same columns of all rows between.
    fn between(&self, from: SeatRef, to: SeatRef) -> Vec<SeatRef> {
        if from.row == to.row {
            let (low, high) = (from.seat.min(to.seat), from.seat.max(to.seat));
            return (low..=high).map(|seat| SeatRef { row: from.row, seat }).collect();
        }
        let Some((layout, a, b)) =
            self.layout().and_then(|layout| Some((layout, layout.place(from)?, layout.place(to)?)))
        else {
            return vec![from];
        };
        let columns = a.column.min(b.column)..=a.column.max(b.column);
        let lines = a.line.min(b.line)..=a.line.max(b.line);
        layout
            .places
            .iter()
            .filter(|place| columns.contains(&place.column) && lines.contains(&place.line))
            .map(|place| place.seat)
            .collect()
    }

    /// Marks up to a seat; a drag that began beside the seats marks nothing.
    pub(super) fn drag(&mut self, seat: SeatRef) {
        let Some(pressed) = self.pressed else {
            return;
        };
        let from = *self.marking.get_or_insert(pressed);
        self.cursor = Some(seat);
        self.marked = self.between(from, seat);
    }

    /// Handles the mouse button's release away from the seats: dragged seats stay marked.
    pub(super) fn let_go(&mut self) {
        if self.pressed.take().is_some() {
            self.marking = None;
        }
    }

    pub(super) fn release(&mut self, seat: SeatRef, context: &mut Context<'_>) {
        let Some(pressed) = self.pressed.take() else {
            return;
        };
        if pressed == seat && (self.marked.len() <= 1 || self.marked.contains(&seat)) {
            self.pick(context);
        }
        self.marking = None;
    }

    pub(super) fn step_block(&mut self, by: isize) {
        let next = self.layout().and_then(|layout| {
            let here = self.cursor.and_then(|seat| layout.place(seat)).map_or(0, |place| usize::from(place.block));
            let count = isize::try_from(layout.blocks.len()).ok()?;
            let here = isize::try_from(here).ok()?;
            usize::try_from((here + by).rem_euclid(count.max(1))).ok()
        });
        if let Some(index) = next {
            self.cursor_to_block(index);
        }
    }

    pub(super) fn cursor_to_block(&mut self, index: usize) {
        let seat = self.layout().and_then(|layout| {
            let of_block = |place: &&crate::domain::layout::SeatPlace| usize::from(place.block) == index;
            let free = layout
                .places
                .iter()
                .filter(of_block)
                .find(|place| self.map().is_some_and(|map| map.is_free(place.seat)));
            free.or_else(|| layout.places.iter().find(of_block)).map(|place| place.seat)
        });
        if let Some(seat) = seat {
            self.move_to(seat);
        }
    }

    pub(super) fn next_wheelchair(&mut self, context: &mut Context<'_>) {
        let Some(map) = self.map() else {
            return;
        };
        let free: Vec<SeatRef> = map
            .plan
            .seats()
            .filter(|(at, seat)| seat.kind == SeatKind::Wheelchair && map.is_free(*at))
            .map(|(at, _)| at)
            .collect();
        let here = self.cursor;
        let next = free.iter().find(|seat| here.is_none_or(|here| **seat > here)).or_else(|| free.first()).copied();
        match next {
            Some(seat) => self.move_to(seat),
            None => context.note("No wheelchair place is free here"),
        }
    }

    /// Zoom of the drawing: the operator's choice at this size, else the largest that shows the house.
    pub(super) fn zoom_in_area(&self, area: Rect, shared: &Shared) -> MapZoom {
        let chosen = self.zoom.filter(|chosen| chosen.size == shared.size.into());
        let opening = || self.stand(area).map_or(MapZoom::default(), MapZoom::opening);
        chosen.map_or_else(opening, |chosen| chosen.zoom)
    }

    /// The house in an area.
    fn stand(&self, area: Rect) -> Option<Stand<'_>> {
        let (_, chart) = self.chart.as_ref()?;
        Some(Stand { chart, area, cursor: self.cursor })
    }

    pub(super) fn zoom_by(&mut self, next: fn(MapZoom, Stand<'_>) -> MapZoom, shared: &Shared) {
        let area = self.map_area(shared);
        let zoom = self.zoom_in_area(area, shared);
        if let Some(stand) = self.stand(area) {
            self.zoom = Some(ChosenZoom { zoom: next(zoom, stand), size: shared.size.into() });
        }
    }

    pub(super) fn next_category(&mut self, context: &mut Context<'_>) {
        let Some(map) = self.map.as_ref() else {
            return;
        };
        let count = u16::try_from(map.plan.categories.len()).unwrap_or(u16::MAX);
        self.category = match self.category {
            None if count > 0 => Some(0),
            Some(shown) if shown + 1 < count => Some(shown + 1),
            None | Some(_) => None,
        };
        let shown = self.category.and_then(|shown| map.plan.categories.get(usize::from(shown)));
        let text = shown.map_or_else(
            || "All categories".to_owned(),
            |category| format!("Only {}; <category> goes on, best keeps to it", category.name),
        );
        context.note(text);
    }

    pub(super) fn toggle_numbers(&mut self) {
        self.free = match self.free {
            FreeSigns::Shapes => FreeSigns::Numbers,
            FreeSigns::Numbers => FreeSigns::Shapes,
        };
    }

    pub(super) fn step_performance(&mut self, by: isize, context: &mut Context<'_>) {
        let Some(rows) = context.shared.reads.get(&programme(context.shared)) else {
            return;
        };
        let here = rows.iter().find(|row| Some(row.id) == self.performance);
        let is_here = |row: &&PerformanceRow| here.is_none_or(|here| row.theater == here.theater);
        let same: Vec<PerformanceId> = rows.iter().filter(is_here).map(|row| row.id).collect();
        let at = same.iter().position(|id| Some(*id) == self.performance);
        let next = at.unwrap_or(0).checked_add_signed(by);
        let next = next.and_then(|at| same.get(at)).copied();
        match next {
            Some(id) => self.open(id),
            None if by < 0 => {
                context.note("This is the first performance in this house");
            }
            None => context.note("This is the last performance in this house"),
        }
    }
}
