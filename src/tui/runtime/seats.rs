//! The seats that a screen wants, as the engine takes them.

use crate::engine::ops::Wanted;
use crate::tui::msg::WantedSeats;

pub(super) fn wanted(seats: WantedSeats) -> Wanted {
    match seats {
        WantedSeats::Seats(seats) => Wanted::Seats(seats),
        WantedSeats::Named(names) => Wanted::Named(names),
        WantedSeats::Best(wish) => Wanted::Best {
            count: wish.count,
            category: wish.category,
            zone: wish.zone,
            aisle: wish.aisle,
            access: wish.access,
        },
    }
}
