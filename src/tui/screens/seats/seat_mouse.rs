//! Mouse clicks on Seats, and small actions on the seat under the cursor.

use crate::domain::plan::SeatRef;
use crate::engine::reads::inspect::ReadSeatStory;
use crate::tui::kit::action::Action;
use crate::tui::kit::context::Context;
use crate::tui::kit::prompt::Prompt;
use crate::tui::kit::screen::Click;
use crate::tui::kit::screen_state::ScreenState;
use crate::tui::kit::targets::Target;
use crate::tui::screens::seats::story::Story;
use crate::tui::screens::seats::{Seats, SeatsFocus};
use crate::tui::widgets::cart_panel::CartPlace;
use crate::tui::widgets::seat_map::MapZoom;
use crate::words;

impl Seats {
    pub(super) fn clicked(&mut self, target: &Target, click: Click, context: &mut Context<'_>) {
        match (target, click) {
            (Target::Seat(seat), Click::Single) => {
                context.shared.cart.close_refusal();
                self.stop = SeatsFocus::Map;
                self.let_go();
                self.pressed = Some(*seat);
                self.clicked = self.stands_by().map(|by| (*seat, by));
                self.cursor = Some(*seat);
            }
            (Target::Seat(seat), Click::Drag) => self.drag(*seat),
            (Target::Seat(seat), Click::Release) => self.release(*seat, context),
            (_, Click::Release) => self.let_go(),
            (Target::Block(index), Click::Single) => self.go_to_block(*index, context.shared),
            (Target::CartSeat(line, seat), Click::Single) => {
                let view = context.shared.cart.view();
                let found = view.and_then(|view| view.lines.iter().find(|found| found.id == *line)?.performance());
                if let Some(label) = found {
                    self.stand_in_cart(CartPlace::Seat(label.id, *seat), context.shared);
                }
            }
            (Target::CartTime(line), Click::Single) => {
                self.stand_in_cart(CartPlace::Slot(*line), context.shared);
            }
            (Target::CartSeat(..) | Target::CartTime(_), Click::Double) => {
                self.act(Action::Main, context);
            }
            (Target::Seat(_) | Target::Block(_) | Target::Map, Click::WheelUp) => {
                self.zoom_by(MapZoom::closer, context.shared);
            }
            (Target::Seat(_) | Target::Block(_) | Target::Map, Click::WheelDown) => {
                self.zoom_by(MapZoom::farther, context.shared);
            }
            _ => {}
        }
    }

    /// Seat that the viewport follows: the cursor, or its seat before a click, so that the seats do not move under
    /// the pointer.
    pub(super) fn stands_by(&self) -> Option<SeatRef> {
        let cursor = self.cursor?;
        let by = self.clicked.filter(|(clicked, _)| *clicked == cursor);
        Some(by.map_or(cursor, |(_, by)| by))
    }

    /// Opens the printing of the last sale's tickets.
    pub(super) fn print_again(context: &mut Context<'_>) {
        if let Some(sold) = context.shared.cart.sold() {
            let receipt = sold.receipt.id;
            context.open(Prompt::tickets_again(receipt, context.shared));
        }
    }

    pub(super) fn theater_seats(&self, seats: &[SeatRef]) -> String {
        self.map()
            .map_or_else(String::new, |map| words::seats(seats.iter().map(|seat| (*seat, map.plan.seat_name(*seat)))))
    }

    pub(super) fn inspect(&self, context: &mut Context<'_>) {
        if let (Some(performance), Some(seat)) = (self.performance, self.cursor) {
            let query = ReadSeatStory { performance, seat };
            context.open(Story::new(query));
        }
    }

    pub(super) fn copy(&self, context: &mut Context<'_>) {
        let name = self.cursor.and_then(|seat| Some(self.map()?.plan.seat_name(seat).to_owned()));
        if let Some(name) = name {
            context.copy(name);
        }
    }
}
