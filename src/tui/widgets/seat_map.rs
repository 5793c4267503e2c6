//! The seat map of a house: each seat with its state, the cursor and the marks.
//!
//! The map has its own zoom: three columns a seat, two columns, one column, half blocks, dots, or only the named blocks
//! with their fill. Hit targets are reported for each drawn cell, so that the mouse hits exactly what is shown.
//!
//! # Invariants
//! - Shape tells state, colour tells price; without colour no state is lost.
//! - Brackets mark only the cursor; where a seat has no room for them the cursor is reversed.
//! - The cursor is always in view. The viewport follows from the cursor alone, except after a click: then it stays
//!   where it was.

use std::sync::Arc;

use ratatui::buffer::Cell;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style};

use crate::domain::ids::CartId;
use crate::domain::layout::{Layout, SeatPlace};
use crate::domain::plan::{Plan, SeatKind, SeatRef};
use crate::engine::reads::seat_map::{SeatMap, SeatState};
use crate::tui::canvas::Canvas;
use crate::tui::theme::Theme;
use crate::tui::widgets::Look;

mod blocks;
mod dots;
mod gutters;
mod labels;
mod minimap;
mod signs;
mod squares;
mod view;
mod zone_list;
mod zoom;

#[cfg(test)]
mod tests;

pub use blocks::block_towards;
use signs::SeatSign;
pub(super) use signs::{claims, number};
pub use zoom::MapZoom;

/// A plan with its layout, prepared once for drawing.
#[derive(Clone, Debug)]
pub struct Chart {
    layout: Arc<Layout>,
    /// Fixed properties of each seat, in the order of [`Layout::places`].
    makes: Vec<Make>,
    /// For each label of the layout, true if it stands left of its row.
    left_labels: Vec<bool>,
}

/// Fixed properties of a seat.
#[derive(Clone, Copy, Debug)]
struct Make {
    category: u16,
    kind: SeatKind,
}

impl Chart {
    /// Prepares a plan and its layout.
    #[must_use]
    pub fn new(plan: &Plan, layout: Arc<Layout>) -> Self {
        let makes = plan.seats().map(|(_, seat)| Make { category: seat.category, kind: seat.kind }).collect();
        let left_labels = layout.labels.iter().map(|label| squares::is_left_of_its_row(&layout, label)).collect();
        Self { layout, makes, left_labels }
    }

    /// Positions of the seats.
    #[must_use]
    pub fn layout(&self) -> &Layout {
        &self.layout
    }
}

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
    /// Cursor and marks.
    pub marks: Marks<'a>,
    /// Zoom of the map.
    pub zoom: MapZoom,
    /// Styles and signs.
    pub look: Look<'a>,
}

impl<'a> SeatMapWidget<'a> {
    /// Draws the map and reports the hit target of each seat's or block's cells.
    pub fn draw(&self, area: Rect, canvas: &mut Canvas<'_>) {
        if area.is_empty() {
            return;
        }
        let signs: Vec<_> = self.signs().collect();
        match self.zoom {
            MapZoom::Large | MapZoom::Wide | MapZoom::Narrow => {
                squares::draw(self, &signs, area, canvas);
            }
            MapZoom::Half | MapZoom::Dots => dots::draw(self, &signs, area, canvas),
            MapZoom::Blocks => blocks::draw(self, &signs, area, canvas),
        }
    }

    /// Seat that has to be in view: the cursor, or the first seat marked elsewhere.
    fn anchor(&self) -> Option<SeatRef> {
        let Marks { cursor, typing, marked, .. } = self.marks;
        let marked_cursor = cursor.filter(|cursor| marked.contains(cursor));
        let marked = || marked.first().copied();
        typing.or(marked_cursor).or_else(marked).or(cursor)
    }

    /// Viewport on a map of this size, given the position of each seat.
    fn view(&self, area: Rect, size: (u16, u16), at: impl Fn(SeatPlace) -> (u16, u16)) -> view::View {
        let place = |seat: SeatRef| self.chart.layout().place(seat).map(&at);
        let anchor = self.anchor().and_then(place);
        let cursor = || self.marks.cursor.and_then(place);
        let by = self.marks.by.and_then(place).or_else(cursor).or(anchor);
        let stands = view::View::new(area, size, by);
        match anchor {
            Some((x, y)) if stands.at(x, y).is_none() => view::View::new(area, size, anchor),
            _ => stands,
        }
    }

    /// Sign of each seat, in the order of [`Layout::places`]; a seat unknown to the map is not on sale.
    fn signs(&self) -> impl Iterator<Item = (SeatSign, Make)> {
        let free = self.free_sign();
        self.chart.makes.iter().zip(self.map.rows.iter().flatten().map(Some).chain(std::iter::repeat(None))).map(
            move |(make, state)| {
                let sign = state.map_or(SeatSign::NotOnSale, |state| self.sign(*make, state, &free));
                (sign, *make)
            },
        )
    }

    /// For each category, true if any ticket type is sold.
    fn on_sale(&self) -> Vec<bool> {
        (0u16..)
            .zip(&self.map.plan.categories)
            .map(|(category, _)| {
                let prices = &self.map.performance.prices;
                prices.iter().any(|price| price.category.is_none_or(|only| only == category))
            })
            .collect()
    }

    fn sign(&self, make: Make, state: &SeatState, free: &impl Fn(Make) -> SeatSign) -> SeatSign {
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
    fn free_sign(&self) -> impl Fn(Make) -> SeatSign {
        let on_sale = self.on_sale();
        let Marks { category, free, .. } = self.marks;
        let by_colour = self.look.theme.tells_apart(on_sale.len());
        move |Make { category: own, kind }| {
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
        let make = Make { category: place.category, kind: place.kind };
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
        let Marks { marked, asked, refused, bought, .. } = self.marks;
        let with = |seats: &'a [SeatRef], sign| seats.iter().map(move |seat| (*seat, sign));
        let marked = marked.iter();
        with(bought, SeatSign::Bought)
            .chain(marked.map(move |seat| (*seat, self.marked_sign(*seat))))
            .chain(with(asked, SeatSign::Asked))
            .chain(with(refused, SeatSign::Refused))
    }
}

/// Sets the cursor's background below a seat that keeps its own sign and colour, and any background of its own.
fn ground(cell: &mut Cell, theme: &Theme) {
    let is_bare = cell.bg == Color::Reset || Some(cell.bg) == theme.ground.bg;
    if let Some(ground) = theme.cursor.bg.filter(|_| is_bare) {
        cell.set_bg(ground);
    }
}

/// Draws the cursor on a cell without room for brackets: the sign stays, its colour goes.
fn reverse(cell: &mut Cell, theme: &Theme) {
    let cursor = Style::reset().patch(theme.cursor);
    cell.set_style(cursor.add_modifier(Modifier::UNDERLINED));
}
