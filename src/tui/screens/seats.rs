//! Seats: the live map of a house, with the cart beside it.
//!
//! The screen owns the cursor and the marks; the state of each seat comes only from the engine. Changes to the cart
//! go through the shared cart, which Tonight and Pay show too.

use std::sync::Arc;

use crate::domain::ids::{CartId, PerformanceId, PlanId};
use crate::domain::layout::{Direction, Layout};
use crate::domain::plan::SeatRef;
use crate::domain::text::fit;
use crate::domain::time::{Instant, Local, Span};
use crate::engine::reads::seat_map::{ReadSeatMap, SeatMap, SeatState};
use crate::engine::reads::tonight::{PerformanceRow, ReadPerformances};
use crate::tui::data::left::ChosenZoom;
use crate::tui::data::msg::{Query, Readable as _};
use crate::tui::data::reads::Needs;
use crate::tui::data::shown_list::ShownList;
use crate::tui::kit::action::Action;
use crate::tui::kit::canvas::Canvas;
use crate::tui::kit::context::{Context, Go};
use crate::tui::kit::keymap::KeyPlace;
use crate::tui::kit::line::PromptPurpose;
use crate::tui::kit::list::Cursor;
use crate::tui::kit::prompt::Prompt;
use crate::tui::kit::screen::{Click, Handled};
use crate::tui::kit::screen_state::ScreenState;
use crate::tui::kit::shared::Shared;
use crate::tui::kit::targets::Target;
use crate::tui::screens::seats::holder::Buyer;
use crate::tui::widgets::cart_panel::CartPlace;
use crate::tui::widgets::seat_map::{Chart, FreeSeats, FreeSigns, MapZoom};
use ratatui::layout::Rect;

mod areas;
mod aside;
pub(crate) mod best_seats;
mod hall;
mod holder;
mod house_seats;
mod marking;
pub(crate) mod named_seats;
mod out_of_use;
mod overview;
mod panel;
mod picking;
mod seat_mouse;
mod seat_words;
mod story;
pub(crate) mod typed;
mod waiting_here;

/// Time that a started performance stays in the list for `<` and `>`.
const STARTED_SHOWN: Span = Span::minutes(6 * 60);
/// An hour, in milliseconds.
const HOUR: i64 = 3_600_000;

/// Question for the performances of `<` and `>`, the same for an hour.
fn programme(shared: &Shared) -> ReadPerformances {
    let from = (shared.now - STARTED_SHOWN).millis();
    ReadPerformances { from: Some(Instant::from_millis(from - from.rem_euclid(HOUR))), ..ReadPerformances::default() }
}

/// State of the screen Seats.
#[derive(Debug, Default)]
pub(crate) struct Seats {
    performance: Option<PerformanceId>,
    /// Map as it was read, with the last answer about the cart on it.
    map: Option<SeatMap>,
    chart: Option<(PlanId, Chart)>,
    /// Free seats of the map.
    counted: FreeSeats,
    /// Seats of a cart on the map; none of a map that nothing is on yet.
    overlaid: Option<(CartId, Vec<SeatRef>)>,
    cursor: Option<SeatRef>,
    marking: Option<SeatRef>,
    marked: Vec<SeatRef>,
    lit: Option<best_seats::SuggestedSeats>,
    /// First suggested seat when typing last rested; the viewport follows it.
    followed: Option<SeatRef>,
    category: Option<u16>,
    free: FreeSigns,
    zoom: Option<ChosenZoom>,
    /// Performance and zoom that this station left, until one is opened.
    left: Option<(PerformanceId, Option<ChosenZoom>)>,
    stop: SeatsFocus,
    /// Seat or slot with the focus in the cart panel.
    in_cart: Cursor<CartPlace>,
    pressed: Option<SeatRef>,
    /// Clicked seat, and the seat that the viewport followed before the click.
    clicked: Option<(SeatRef, SeatRef)>,
    buyer: Buyer,
}

/// Part of the screen with the keyboard focus.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum SeatsFocus {
    #[default]
    Map,
    /// Cart panel.
    Cart,
}

impl ScreenState for Seats {
    fn place(&self, _shared: &Shared) -> KeyPlace {
        match self.stop {
            SeatsFocus::Map => KeyPlace::Map,
            SeatsFocus::Cart => KeyPlace::Cart,
        }
    }

    fn act(&mut self, action: Action, context: &mut Context<'_>) -> Handled {
        if !picking::answers_refusal(action) {
            context.shared.cart.close_refusal();
        }
        if self.stop == SeatsFocus::Cart {
            if let Some(handled) = self.act_in_cart(action, context) {
                return handled;
            }
        } else if let Some(handled) = self.act_on_zones(action, context.shared) {
            return handled;
        } else if let Some(handled) = self.act_on_map(action, context) {
            return handled;
        }
        self.act_anywhere(action, context)
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "the rest is always of use")]
    fn offers(&self, action: Action, shared: &Shared) -> bool {
        let (is_full, is_marking) = (shared.cart.has_seats(), self.has_marks());
        match action {
            _ if self.stop == SeatsFocus::Cart => true,
            Action::OutOfUse => is_marking,
            Action::Mark | Action::Best => !is_marking,
            Action::TicketType => is_full,
            Action::NextCustomer if shared.cart.sold().is_some() => !is_marking,
            Action::Pay | Action::Reserve | Action::Extend | Action::NextCustomer => is_full && !is_marking,
            Action::Category | Action::GoTo | Action::WaitingList => !is_full && !is_marking,
            _ => true,
        }
    }

    fn click(&mut self, target: &Target, click: Click, context: &mut Context<'_>) {
        self.clicked(target, click, context);
    }

    fn needs(&self, shared: &Shared, needs: &mut Needs) {
        needs.of(programme(shared));
        needs.of(aside::question(shared));
        if let Some(performance) = self.performance {
            needs.of(ReadSeatMap(performance));
        }
        self.buyer.needs(needs);
    }

    fn is_unread(&self, shared: &Shared) -> bool {
        match self.performance {
            Some(performance) => self.map.is_none() && shared.reads.is_unread(&ReadSeatMap(performance)),
            None => shared.reads.is_unread(&programme(shared)),
        }
    }

    fn came(&mut self, question: &Query, context: &mut Context<'_>) {
        if self.performance.is_some_and(|performance| ReadSeatMap(performance).is(question)) {
            self.map_came(context.shared);
        } else if matches!(question, Query::Performances(_)) {
            self.programme_came(context.shared);
        } else if matches!(question, Query::Story(_)) {
            self.buyer_came(question, context);
        }
    }

    fn counts(&self, _shared: &Shared) -> bool {
        let state = self.map().zip(self.cursor).and_then(|(map, seat)| map.state(seat));
        matches!(state, Some(SeatState::Held(_)))
    }

    fn showing(&self, now: Instant) -> Option<String> {
        let map = self.map()?;
        let when = crate::words::day_time(map.performance.start, Local { now, zone: map.zone });
        Some(format!("{} {when}", fit(&map.performance.title, 20).trim_end()))
    }

    fn as_list(&self, _shared: &Shared) -> Option<ShownList> {
        self.map().map(|map| ShownList::Seats(Box::new(map.clone())))
    }

    fn view(&self, shared: &Shared, area: Rect, canvas: &mut Canvas<'_>) {
        self.draw(shared, area, canvas);
    }
}

impl Seats {
    /// Performance on the screen.
    pub(crate) const fn performance(&self) -> Option<PerformanceId> {
        self.performance
    }

    /// Zoom that the operator chose.
    pub(crate) const fn zoom(&self) -> Option<ChosenZoom> {
        self.zoom
    }

    /// Opens what this station left, if it is still in the programme.
    pub(crate) const fn restore(&mut self, performance: PerformanceId, zoom: Option<ChosenZoom>) {
        self.left = Some((performance, zoom));
    }

    /// Loaded map of the performance.
    pub(crate) const fn map(&self) -> Option<&SeatMap> {
        self.map.as_ref()
    }

    /// The seat under the cursor.
    #[cfg(test)]
    pub(in crate::tui) const fn cursor(&self) -> Option<SeatRef> {
        self.cursor
    }

    /// Returns whether a seat has a place on the map, which standing room has not.
    fn is_on_map(&self, seat: SeatRef) -> bool {
        self.layout().is_some_and(|layout| layout.place(seat).is_some())
    }

    fn layout(&self) -> Option<&Layout> {
        self.chart.as_ref().map(|(_, chart)| chart.layout())
    }

    /// Handles a changed cart.
    pub(crate) fn cart_answered(&mut self, context: &mut Context<'_>) {
        if let Some((performance, seats)) = context.shared.cart.take_chosen() {
            self.seats_came(performance, &seats);
        }
        self.in_cart.keep(Self::cart_places(context.shared));
        if self.in_cart.key().is_none() {
            self.stop = SeatsFocus::Map;
        }
    }

    /// Opens a performance, perhaps the current one.
    pub(crate) fn open(&mut self, performance: PerformanceId) {
        if self.performance != Some(performance) {
            self.performance = Some(performance);
            self.map = None;
            self.cursor = None;
            self.category = None;
            self.zoom = None;
            self.drop_marks();
        }
        self.stop = SeatsFocus::Map;
    }

    /// Opens a performance with a seat under the cursor.
    pub(crate) fn show(&mut self, performance: PerformanceId, seat: SeatRef) {
        self.open(performance);
        if self.layout().is_none() || self.is_on_map(seat) {
            self.cursor = Some(seat);
        }
    }

    /// Shows the first seat of a cart that was taken over: on the map as it is, if the cart has one there.
    pub(crate) fn show_cart(&mut self, shared: &Shared) {
        let seat = |place| match place {
            CartPlace::Seat(performance, seat) => Some((performance, seat)),
            CartPlace::Slot(_) => None,
        };
        let seats: Vec<_> = Self::cart_places(shared).into_iter().filter_map(seat).collect();
        let here = seats.iter().find(|(performance, _)| Some(*performance) == self.performance);
        if let Some((performance, seat)) = here.or(seats.first()) {
            self.show(*performance, *seat);
        }
    }

    fn programme_came(&mut self, shared: &Shared) {
        if self.performance.is_some() {
            return;
        }
        let now = shared.now;
        let left = self.left.take();
        let next = shared.reads.get(&programme(shared)).and_then(|rows| {
            let was_left =
                |row: &&PerformanceRow| !row.canceled && left.is_some_and(|(performance, _)| performance == row.id);
            let on_sale = |row: &&PerformanceRow| !row.canceled && row.start > now;
            rows.iter().find(was_left).or_else(|| rows.iter().find(on_sale)).or_else(|| rows.last()).map(|row| row.id)
        });
        if let Some(performance) = next {
            self.open(performance);
            let left = left.filter(|(left, _)| *left == performance);
            self.zoom = left.and_then(|(_, zoom)| zoom);
        }
    }

    fn map_came(&mut self, shared: &Shared) {
        let map = self.performance.and_then(|performance| shared.reads.get(&ReadSeatMap(performance)));
        let Some(map) = map else {
            return;
        };
        let plan = map.performance.plan;
        if self.chart.as_ref().is_none_or(|(charted, _)| *charted != plan) {
            let layout = Arc::new(Layout::new(&map.plan));
            let before = self.chart.replace((plan, Chart::new(&map.plan, layout)));
            self.zoom = self.zoom.filter(|_| before.is_none());
        }
        let known = self.cursor.is_some_and(|seat| self.is_on_map(seat));
        self.map = Some((**map).clone());
        self.overlaid = None;
        if !known {
            self.cursor = self.first_cursor();
        }
        self.follow_cart(shared);
        self.count_free();
    }

    fn count_free(&mut self) {
        if let (Some(map), Some((_, chart))) = (&self.map, &self.chart) {
            self.counted = FreeSeats::count(chart, map);
        }
    }

    /// Applies the engine's last answer about the cart to the map, before the map is read again.
    pub(crate) fn follow_cart(&mut self, shared: &Shared) {
        let (Some(performance), Some(map)) = (self.performance, &mut self.map) else {
            return;
        };
        if picking::overlay(map, (performance, &shared.cart), &mut self.overlaid) {
            self.count_free();
        }
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "the rest is passed on")]
    fn act_anywhere(&mut self, action: Action, context: &mut Context<'_>) -> Handled {
        match action {
            Action::NextStop | Action::PreviousStop => self.next_stop(context),
            Action::Accept => Self::accept(context),
            Action::GoTo => Prompt::ask(PromptPurpose::GoTo, "", context),
            Action::Best if self.performance.is_some() => Prompt::ask(PromptPurpose::Best, "", context),
            Action::Best => context.note("Choose a performance on Tonight first: <tonight>"),
            Action::OutOfUse => self.out_of_use(context),
            Action::HouseSeats => self.house_seats(context),
            Action::WaitingList => self.open_waiting(context),
            Action::TicketType => self.next_ticket_type(context),
            Action::GiveBack => self.give_back(context),
            Action::Earlier => self.step_performance(-1, context),
            Action::Later => self.step_performance(1, context),
            _ => return Handled::No,
        }
        Handled::Yes
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "the rest is passed on")]
    fn act_on_map(&mut self, action: Action, context: &mut Context<'_>) -> Option<Handled> {
        match action {
            Action::Left => self.step(Direction::Left),
            Action::Right => self.step(Direction::Right),
            Action::Up => self.step(Direction::Up),
            Action::Down => self.step(Direction::Down),
            Action::ExtendLeft => self.extend(Direction::Left),
            Action::ExtendRight => self.extend(Direction::Right),
            Action::ExtendUp => self.extend(Direction::Up),
            Action::ExtendDown => self.extend(Direction::Down),
            Action::First => self.edge(Direction::Left),
            Action::Last => self.edge(Direction::Right),
            Action::PageUp => self.step_block(-1),
            Action::PageDown => self.step_block(1),
            Action::Pick => self.pick(context),
            Action::Main => self.main(context),
            Action::Mark => self.mark(),
            Action::Category => self.next_category(context),
            Action::Numbers => self.toggle_numbers(),
            Action::Wheelchair => self.next_wheelchair(context),
            Action::ZoomIn => self.zoom_by(MapZoom::closer, context.shared),
            Action::ZoomOut => self.zoom_by(MapZoom::farther, context.shared),
            Action::Inspect => self.inspect(context),
            Action::Copy => self.copy(context),
            Action::Close if self.has_marks() => self.drop_marks(),
            _ => return None,
        }
        Some(Handled::Yes)
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "the rest is passed on")]
    fn act_in_cart(&mut self, action: Action, context: &mut Context<'_>) -> Option<Handled> {
        let places = Self::cart_places(context.shared);
        match action {
            Action::Left => self.in_cart.step(-1, places),
            Action::Right => self.in_cart.step(1, places),
            Action::Close => self.stop = SeatsFocus::Map,
            Action::Main | Action::Pick | Action::TicketType | Action::GiveBack if !context.aims(&mut self.in_cart) => {
            }
            Action::Main | Action::Pick => {
                if let Some((_, time)) = self.cart_time(context.shared) {
                    let (resource, from) = (time.resource.clone(), time.core.from());
                    context.go(Go::Time(resource, from));
                } else if let Some(CartPlace::Seat(performance, seat)) = self.in_cart.key().copied() {
                    self.show(performance, seat);
                }
            }
            _ => return self.in_cart.act(action, places).then_some(Handled::Yes),
        }
        Some(Handled::Yes)
    }

    fn next_stop(&mut self, context: &mut Context<'_>) {
        let places = Self::cart_places(context.shared);
        self.stop = match self.stop {
            SeatsFocus::Map if places.is_empty() => {
                context.note("The cart is empty; pick seats first");
                SeatsFocus::Map
            }
            SeatsFocus::Map => SeatsFocus::Cart,
            SeatsFocus::Cart => SeatsFocus::Map,
        };
        self.in_cart.stand(0, places);
    }
}
