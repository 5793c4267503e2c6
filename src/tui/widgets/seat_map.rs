//! The seat map of a house: each seat with its state, the cursor and the marks.
//!
//! The map has its own zoom: two lines a seat, three columns, squares, squares in one zone beside folded ones, quadrants,
//! dots, or a table of zones. Hit targets are reported for each drawn cell, so that the mouse hits exactly what is shown.
//!
//! # Invariants
//! - Colour tells price, letters tell states; without colour no state and no price is lost.
//! - The cursor is always in view. The viewport follows from the cursor alone, except after a click: then it stays
//!   where it was.

use ratatui::buffer::Cell;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};

use crate::domain::ids::CartId;
use crate::domain::layout::SeatPlace;
use crate::domain::performance::PerformanceState;
use crate::domain::plan::{SeatKind, SeatRef};
use crate::engine::reads::seat_map::{SeatMap, SeatState};
use crate::tui::kit::canvas::Canvas;
use crate::tui::kit::theme::Theme;
use crate::tui::widgets::Look;

mod cells;
mod chart;
mod fisheye;
mod free_seats;
mod grid;
mod gutters;
mod house;
mod signs;
mod squares;
mod stand;
mod strip;
mod viewport;
mod zones;
mod zoom;

#[cfg(test)]
mod tests;

pub use chart::Chart;
use chart::SeatTraits;
pub use free_seats::FreeSeats;
pub use house::WholeHouse;
use signs::SeatSign;
pub use signs::SignsSeen;
pub(in crate::tui) use signs::number;
pub(in crate::tui) use squares::stage_line;
pub use stand::Stand;
pub use zoom::MapZoom;

/// Cursor and marks over the seats' own states.
#[derive(Clone, Copy, Debug, Default)]
pub struct Marks<'a> {
    /// The seat under the cursor.
    pub cursor: Option<SeatRef>,
    /// Seat that the viewport is computed from instead of the cursor: a click moves the cursor without scrolling.
    pub by: Option<SeatRef>,
    /// Seat to keep in view while suggested seats change with each key.
    pub typing: Option<SeatRef>,
    /// Marked or suggested seats.
    pub marked: &'a [SeatRef],
    /// Seats of a request that is not answered yet.
    pub asked: &'a [SeatRef],
    /// Seats of the last refusal.
    pub refused: &'a [SeatRef],
    /// Seats of the order on the screen.
    pub lit: &'a [SeatRef],
    /// Seats of the last sale on this screen.
    pub bought: &'a [SeatRef],
    /// The cart on this screen.
    pub mine: Option<CartId>,
    /// Station; seats in its carts set aside have a sign of their own.
    pub station: &'a str,
    /// Category filter: other seats are dimmed.
    pub category: Option<u16>,
    /// Signs of free seats.
    pub free: FreeSigns,
}

/// Signs of free seats.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FreeSigns {
    /// Squares, or the sign of the seat's kind.
    #[default]
    Shapes,
    /// Number of the category.
    Numbers,
}

/// A map to be drawn.
#[derive(Clone, Copy, Debug)]
pub struct SeatMapWidget<'a> {
    /// The house.
    pub chart: &'a Chart,
    /// State of the seats.
    pub map: &'a SeatMap,
    /// Free seats of that state.
    pub free: &'a FreeSeats,
    /// Cursor and marks.
    pub marks: Marks<'a>,
    /// Zoom of the map.
    pub zoom: MapZoom,
    /// Styles and signs.
    pub look: Look<'a>,
}

impl<'a> SeatMapWidget<'a> {
    /// Draws the map and reports the hit target of each seat's or zone's cells; returns the signs in view.
    pub fn draw(&self, area: Rect, canvas: &mut Canvas<'_>) -> SignsSeen {
        if area.is_empty() {
            return SignsSeen::default();
        }
        let (chart, cursor) = (self.chart, self.marks.cursor);
        let folded = Some(self.zoom).filter(|zoom| *zoom == MapZoom::Fisheye);
        match (self.zoom, folded.and_then(|_| fisheye::grid(chart, cursor, area))) {
            (_, Some(grid)) => squares::draw((self, &grid), area, canvas),
            (MapZoom::Quadrants | MapZoom::Dots, _) => cells::draw(self, area, canvas),
            (MapZoom::Zones, _) => {
                zones::table(self, area, canvas);
                SignsSeen::default()
            }
            (MapZoom::Numbered | MapZoom::Three | MapZoom::Squares | MapZoom::Fisheye, None) => {
                let grid = grid::Grid::new(chart, self.zoom, area);
                squares::draw((self, &grid), area, canvas)
            }
        }
    }

    /// Draws the cursor's row in one line; returns the columns used.
    pub fn draw_strip(&self, area: Rect, canvas: &mut Canvas<'_>) -> u16 {
        strip::draw(self, area, canvas)
    }

    /// Draws the zones with their free seats, one a line, as many as fit; returns their number.
    pub fn draw_zones(&self, area: Rect, canvas: &mut Canvas<'_>) -> u16 {
        zones::draw(self, area, canvas)
    }

    /// Signs of some seats, marks included, with their categories.
    fn signs_of(&self, seats: impl Iterator<Item = SeatRef>) -> Vec<(SeatSign, u16)> {
        let free = self.free_sign();
        let overlays: Vec<_> = self.overlays().collect();
        let sign = |seat| {
            let (own, category) = self.sign_at(seat, &free);
            let over = overlays.iter().rfind(|(marked, _)| *marked == seat).map(|(_, sign)| *sign);
            (over.unwrap_or(own), category)
        };
        seats.map(sign).collect()
    }

    /// Seat that has to be in view: the cursor, or the first seat marked elsewhere.
    fn anchor(&self) -> Option<SeatRef> {
        let Marks { cursor, typing, marked, .. } = self.marks;
        let marked_cursor = cursor.filter(|cursor| marked.contains(cursor));
        let marked = || marked.first().copied();
        typing.or(marked_cursor).or_else(marked).or(cursor)
    }

    /// Viewport on a map of this size, given the position of each seat.
    fn view(&self, area: Rect, size: (u16, u16), at: impl Fn(SeatPlace) -> (u16, u16)) -> viewport::View {
        let place = |seat: SeatRef| self.chart.layout().place(seat).map(&at);
        let anchor = self.anchor().and_then(place);
        let cursor = || self.marks.cursor.and_then(place);
        let by = self.marks.by.and_then(place).or_else(cursor).or(anchor);
        let stands = viewport::View::new(area, size, by);
        match anchor {
            Some((x, y)) if stands.at(x, y).is_none() => viewport::View::new(area, size, anchor),
            _ => stands,
        }
    }

    /// Sign of a seat without its marks, with its category.
    fn sign_at(&self, seat: SeatRef, free: &impl Fn(SeatTraits) -> SeatSign) -> (SeatSign, u16) {
        let make = self.chart.layout().position(seat).and_then(|at| self.chart.makes.get(at));
        let found = self.map.state(seat).zip(make);
        let sign = found.map_or(SeatSign::NotOnSale, |(state, make)| self.sign(*make, state, free));
        (sign, make.map_or(0, |make| make.category))
    }

    /// For each category, true if any ticket type is sold; nothing is of a performance that does not take place.
    fn on_sale(&self) -> Vec<bool> {
        let of = &self.map.performance;
        (0u16..)
            .zip(&self.map.plan.categories)
            .map(|(category, _)| {
                let has_price = of.prices.iter().any(|price| price.category.is_none_or(|only| only == category));
                of.state == PerformanceState::Open && has_price
            })
            .collect()
    }

    fn sign(&self, make: SeatTraits, state: &SeatState, free: &impl Fn(SeatTraits) -> SeatSign) -> SeatSign {
        match state {
            SeatState::Free => free(make),
            SeatState::Held(holder) if Some(holder.cart) == self.marks.mine => SeatSign::Mine,
            SeatState::Held(holder) if holder.reserved.is_some() => SeatSign::Reserved,
            SeatState::Held(holder) if holder.set_aside && holder.station == self.marks.station => SeatSign::Aside,
            SeatState::Held(_) => SeatSign::Held,
            SeatState::Kept { .. } => SeatSign::Kept,
            SeatState::Booked { .. } => SeatSign::Sold,
            SeatState::Disabled { displaced: true, .. } => SeatSign::Refused,
            SeatState::Disabled { .. } => SeatSign::OutOfUse,
        }
    }

    /// Sign of a free seat, as a function of its make.
    fn free_sign(&self) -> impl Fn(SeatTraits) -> SeatSign {
        let on_sale = self.on_sale();
        let Marks { category, free, .. } = self.marks;
        let by_colour = !self.look.is_plain() && self.look.theme.tells_apart(on_sale.len());
        move |SeatTraits { category: own, kind }| {
            if on_sale.get(usize::from(own)) == Some(&false) {
                SeatSign::NotOnSale
            } else if category.is_some_and(|only| only != own) {
                SeatSign::OtherCategory
            } else if free == FreeSigns::Numbers || kind == SeatKind::Standard && !by_colour {
                SeatSign::Number(own)
            } else {
                SeatSign::Free(kind)
            }
        }
    }

    /// Sign of a marked seat; a seat taken by others keeps its own sign, so that the mark promises nothing.
    fn marked_sign(&self, seat: SeatRef) -> SeatSign {
        let (Some(state), Some(place)) = (self.map.state(seat), self.map.plan.seat(seat)) else {
            return SeatSign::Marked;
        };
        let make = SeatTraits { category: place.category, kind: place.kind };
        let sign = self.sign(make, state, &self.free_sign());
        let is_to_have = matches!(sign, SeatSign::Mine | SeatSign::OtherCategory);
        if is_to_have || sign.is_free() {
            SeatSign::Marked
        } else {
            SeatSign::MarkedTaken(sign.glyph(self.look.glyphs))
        }
    }

    /// Marks drawn over the seats' own signs, topmost last.
    fn overlays(&self) -> impl Iterator<Item = (SeatRef, SeatSign)> {
        let Marks { marked, asked, refused, bought, lit, .. } = self.marks;
        let with = |seats: &'a [SeatRef], sign| seats.iter().map(move |seat| (*seat, sign));
        let marked = marked.iter();
        with(bought, SeatSign::Bought)
            .chain(with(lit, SeatSign::Mine))
            .chain(marked.map(move |seat| (*seat, self.marked_sign(*seat))))
            .chain(with(asked, SeatSign::Asked))
            .chain(with(refused, SeatSign::Refused))
    }
}

/// Draws the cursor on a cell without room for brackets: the sign stays, its colour goes.
fn reverse(cell: &mut Cell, theme: &Theme) {
    let cursor = Style::reset().patch(theme.cursor);
    cell.set_style(cursor.add_modifier(Modifier::UNDERLINED));
}
