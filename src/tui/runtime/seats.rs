//! The seats that a screen wants, as the engine takes them.

use crate::domain::ids::PerformanceId;
use crate::engine::Desk;
use crate::engine::ops::Wanted;
use crate::engine::reads::names::ReadSeatNames;
use crate::tui::msg::WantedSeats;

/// The names of wanted seats, so that others can be offered instead; asked for only after a refusal.
pub(super) fn names(
    performance: PerformanceId,
    seats: &WantedSeats,
) -> impl FnOnce(&Desk) -> Vec<String> + use<> {
    let (named, choices) = match seats {
        WantedSeats::Seats(seats) => (Vec::new(), vec![seats.clone()]),
        WantedSeats::Named(names) => (names.clone(), Vec::new()),
        WantedSeats::Best(_) => (Vec::new(), Vec::new()),
    };
    move |desk| {
        if choices.is_empty() {
            return named;
        }
        let question = ReadSeatNames {
            performance,
            choices,
        };
        desk.read(question)
            .map_or_else(|_| Vec::new(), |names| names.concat())
    }
}

pub(super) fn wanted(seats: WantedSeats) -> Wanted {
    match seats {
        WantedSeats::Seats(seats) => Wanted::Seats(seats),
        WantedSeats::Named(names) => Wanted::Named(names),
        WantedSeats::Best(wish) => Wanted::Best {
            count: wish.count,
            category: wish.category,
            zone: wish.zone,
            aisle: wish.aisle,
        },
    }
}
