//! Taking seats out of use and putting them back, with the bookings this displaces.

use crate::domain::ids::PerformanceId;
use crate::domain::plan::SeatRef;
use crate::engine::reads::seat_map::{SeatMap, SeatState};
use crate::tui::screens::seats::Seats;

/// Seats that `D` acts on, and the effect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct OutOfUseChoice {
    pub performance: PerformanceId,
    /// Names of the seats.
    pub names: Vec<String>,
    /// Names of the seats as spoken, with ranges.
    pub words: String,
    /// True if all are out of use already, so that `D` puts them back.
    pub all_out: bool,
    /// Operators who took them out of use.
    pub operators: Vec<String>,
    /// Displaced bookings, one sentence each.
    pub displaced: Vec<String>,
}

impl Seats {
    /// Seats that `D` acts on, with the effect; none without a seat under the cursor or marked.
    pub(crate) fn out_of_use_choice(&self) -> Option<OutOfUseChoice> {
        let (performance, map) = (self.performance?, self.map()?);
        let seats = self.chosen();
        let out = |seat: &SeatRef| matches!(map.state(*seat), Some(SeatState::Disabled { .. }));
        if seats.is_empty() {
            return None;
        }
        Some(OutOfUseChoice {
            performance,
            all_out: seats.iter().all(out),
            operators: seats
                .iter()
                .filter_map(|seat| match map.state(*seat) {
                    Some(SeatState::Disabled { operator, .. }) => Some(operator.clone()),
                    _ => None,
                })
                .collect(),
            displaced: seats.iter().filter_map(|seat| displaced(map, *seat)).collect(),
            words: self.theater_seats(&seats),
            names: seats.iter().map(|seat| map.plan.seat_name(*seat).to_owned()).collect(),
        })
    }
}

fn displaced(map: &SeatMap, seat: SeatRef) -> Option<String> {
    let name = map.plan.seat_name(seat);
    match map.state(seat)? {
        SeatState::Booked { .. } => Some(format!("{name} is sold: its buyer goes on the worklist")),
        SeatState::Held(holder) => Some(match &holder.reserved {
            Some(customer) => {
                format!("{name} is reserved for {customer}: it goes on the worklist")
            }
            None => format!("{name} is held by {} at {}: it leaves that cart", holder.operator, holder.station),
        }),
        SeatState::Kept { reason, .. } => Some(format!("{name} is kept by the house ({reason})")),
        SeatState::Free | SeatState::Disabled { .. } => None,
    }
}
