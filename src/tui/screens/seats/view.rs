//! Drawing of Seats: the map with prices and the seat under the cursor, and the cart beside it.

use ratatui::layout::{Constraint, Layout, Margin, Rect};

use crate::domain::plan::SeatRef;
use crate::domain::refusal::Refusal;
use crate::engine::reads::carts::LineView;
use crate::engine::reads::seat_map::{SeatMap, SeatState};
use crate::tui::action::Action;
use crate::tui::canvas::{Canvas, Focus, after, first_columns, first_rows, from_row, inset, last_row, row};
use crate::tui::keymap::KeyPlace;
use crate::tui::screens::seats::panel::{self, Pointing};
use crate::tui::screens::seats::{Seats, Stop};
use crate::tui::shared::Shared;
use crate::tui::targets::Target;
use crate::tui::widgets::legend::{self, LeftLines, LegendKey};
use crate::tui::widgets::seat_map::{MapZoom, Marks, SeatMapWidget};

/// Width of the cart panel in a wide terminal, and in a narrow one.
const CART_COLUMNS: (u16, u16) = (34, 19);
/// Minimum terminal width for the wide cart panel.
const WIDE_FROM: u16 = 96;
/// Minimum terminal width for a cart panel; below, the cart is one line.
const PANEL_FROM: u16 = 80;
/// Minimum terminal height for the whole legend.
const TALL_FROM: u16 = 28;

impl Seats {
    pub(crate) fn view(&self, shared: &Shared, area: Rect, canvas: &mut Canvas<'_>) {
        let (map, cart) = parts(shared, area);
        self.map_panel(shared, map, canvas);
        let aside = self.aside.words(shared, cart.width.saturating_sub(4));
        let pointing = Pointing {
            aside: aside.as_deref(),
            selected: self.in_cart.key().copied().filter(|_| self.stop == Stop::Cart),
            cursor: self.performance.zip(self.cursor),
        };
        panel::view(shared, pointing, cart, canvas);
    }

    /// True if a countdown other than the cart's is on the screen.
    pub(crate) fn counts(&self, _shared: &Shared) -> bool {
        let state = self.map().zip(self.cursor).and_then(|(map, seat)| map.state(seat));
        matches!(state, Some(SeatState::Held(_)))
    }

    /// Cells of the map in a terminal of this size.
    pub(super) fn map_area(shared: &Shared) -> Rect {
        let body = Rect::new(0, 1, shared.size.width, shared.size.height.saturating_sub(3 + shared.bar_lines));
        let (map, _) = parts(shared, body);
        split(shared, map.inner(Margin::new(1, 1))).0
    }

    fn map_panel(&self, shared: &Shared, area: Rect, canvas: &mut Canvas<'_>) {
        let right = self.other_night(shared, area.width).unwrap_or_else(|| self.free_words(shared));
        let titles = [self.title(shared, (area.width, right.width())), right];
        let inner = canvas.frame(area, titles, Focus::when(self.stop == Stop::Map));
        canvas.edge(area, &self.others_words(shared, area.width));
        let (Some(map), Some((_, chart))) = (self.map.value(), &self.chart) else {
            self.no_map(shared, inner, canvas);
            return;
        };
        let (seats, foot) = split(shared, inner);
        let asked: Vec<SeatRef> = self.performance.iter().flat_map(|id| shared.cart.asked(*id)).collect();
        let refused = if shared.cart.refused_blink(shared.now) { Vec::new() } else { self.refused_seats(map, shared) };
        let marks = Marks {
            cursor: self.cursor,
            by: self.stands_by(),
            typing: self.followed.or(self.lit.as_ref().and(self.cursor)),
            marked: self.lit.as_ref().map_or(&self.marked, |lit| lit_seats(lit)),
            asked: &asked,
            refused: &refused,
            bought: &self.bought(shared),
            mine: shared.cart.view().map(|view| view.cart.id),
            station: &shared.station,
            category: self.category,
            free: self.free,
        };
        canvas.hit(seats, Target::Map);
        let zoom = self.zoom_in_area(seats);
        SeatMapWidget { chart, map, marks, zoom, look: shared.look() }.draw(seats, canvas);
        self.foot((map, zoom), [seats, foot], (shared, canvas));
    }

    fn no_map(&self, shared: &Shared, area: Rect, canvas: &mut Canvas<'_>) {
        let empty = self.programme.value().is_some_and(Vec::is_empty);
        let failed = self.map.problem().is_some();
        let lines: &[&str] = if empty && !failed {
            &["No performance is planned.", "willcall performance add --theater T --title X --start ... --price 10.00"]
        } else {
            &[&shared.placeholder(&self.map).unwrap_or_default()]
        };
        for (line, text) in (1..).zip(lines) {
            canvas.text(after(row(area, line), 2), text, shared.theme.quiet);
        }
    }

    fn refused_seats(&self, map: &SeatMap, shared: &Shared) -> Vec<SeatRef> {
        let Some(refused) = shared.cart.refused().filter(|refused| refused.performance == self.performance) else {
            return Vec::new();
        };
        let Refusal::Taken { facts, .. } = &refused.refusal else {
            return Vec::new();
        };
        let named = |name: &str| facts.iter().any(|gone| gone.seat() == Some(name));
        map.plan.seats().filter(|(_, seat)| named(&seat.name)).map(|(at, _)| at).collect()
    }

    /// Seats of the last sale, for as long as the panel shows it.
    fn bought(&self, shared: &Shared) -> Vec<SeatRef> {
        let lines = shared.cart.sold().map_or(&[][..], |sold| &sold.lines);
        let here = |line: &&LineView| self.performance.is_some_and(|id| line.is_of(id));
        let seats = lines.iter().filter(here).flat_map(LineView::seats);
        seats.map(|(seat, _)| *seat).collect()
    }

    fn foot(
        &self,
        (map, zoom): (&SeatMap, MapZoom),
        [seats, area]: [Rect; 2],
        (shared, canvas): (&Shared, &mut Canvas<'_>),
    ) {
        let look = shared.look();
        let left = legend::left(map);
        let left = (left.as_slice(), map.performance.currency);
        let area = inset(area);
        let left = LeftLines::new(area.width, left, (self.category, self.free), look);
        let [prices, rest] = Layout::vertical([Constraint::Length(left.count()), Constraint::Fill(1)]).areas(area);
        left.draw(prices, canvas);
        let refusal = self.refusal(shared);
        if refusal.is_some() && shared.size.height < TALL_FROM {
            // where lines are few, a refusal and its keys come before the legend
            if let Some(refusal) = refusal {
                refusal.draw(from_row(area, prices.height), canvas);
            }
            return;
        }
        let room = if refusal.is_some() || rest.height < 4 { 1 } else { 2 };
        let signs = legend::legend(first_rows(rest, room), (zoom, seats), &legend_keys(zoom, shared), canvas);
        let lines = from_row(rest, signs);
        if let Some(refusal) = refusal {
            refusal.draw(lines, canvas);
            return;
        }
        self.seat_lines(map, shared, (lines, canvas));
    }
}

/// Keys of a zoom that shows no single seats.
fn legend_keys(zoom: MapZoom, shared: &Shared) -> Vec<LegendKey> {
    let key = shared.keymap.key_text(KeyPlace::Map, Action::ZoomIn);
    let zooms = LegendKey { key, words: "zooms in", action: Some(Action::ZoomIn) };
    match zoom {
        MapZoom::Large | MapZoom::Wide | MapZoom::Narrow => Vec::new(),
        MapZoom::Half | MapZoom::Dots => vec![zooms],
        MapZoom::Blocks => {
            vec![LegendKey { key: shared.keymap.arrows(KeyPlace::Map), words: "choose", action: None }, zooms]
        }
    }
}

fn lit_seats(lit: &super::best::Lit) -> &[SeatRef] {
    lit.seats()
}

/// Areas of map and cart.
fn parts(shared: &Shared, area: Rect) -> (Rect, Rect) {
    if area.width < PANEL_FROM {
        let height = area.height.saturating_sub(1);
        return (first_rows(area, height), last_row(area));
    }
    let columns = if shared.size.width >= WIDE_FROM { CART_COLUMNS.0 } else { CART_COLUMNS.1 };
    let width = area.width - columns;
    (first_columns(area, width), after(area, width))
}

/// Areas of the seats and of the lines below them.
fn split(shared: &Shared, inner: Rect) -> (Rect, Rect) {
    let wanted = if shared.size.height >= TALL_FROM { 5 } else { 4 };
    let seats = inner.height.saturating_sub(wanted);
    (first_rows(inner, seats), from_row(inner, seats))
}
