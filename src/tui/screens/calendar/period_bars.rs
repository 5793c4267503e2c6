//! Bars of the timeline: which periods have one, of which kind, with which text.

use crate::domain::calendar::{Period, State};
use crate::domain::owner::{Owner, Use};
use crate::domain::time::Slot;
use crate::tui::kit::shared::Shared;
use crate::tui::widgets::timeline::{Kind, Scale};

/// True if a period is drawn as a bar, which the cursor can select.
pub(super) const fn is_bar(period: &Period) -> bool {
    !matches!(period.state, State::Free | State::Closed | State::NotOpen)
}

/// Kind of a period's bar; none for time that is wholly free.
pub(super) fn kind(period: &Period, shared: &Shared) -> Option<Kind> {
    let mine = |owner: &Owner| match (owner, shared.cart.view()) {
        (Owner::Line(line), Some(view)) => line.cart == view.cart.id,
        _ => false,
    };
    Some(match period.state {
        State::Free => return period.part_taken().map(|_| Kind::Partly),
        _ if period.is_buffer => Kind::Turnaround,
        State::Held if period.owner.as_ref().is_some_and(mine) => Kind::Yours,
        State::Held => Kind::Held,
        State::Booked if matches!(period.owner, Some(Owner::Booking(Use::Performance, _))) => Kind::Show,
        State::Booked if period.unpaid => Kind::Unpaid,
        State::Booked if period.ours => Kind::Ours,
        State::Booked => Kind::Booked,
        State::Maintenance => Kind::Maintenance,
        State::Relocation => Kind::Relocation,
        State::Occupied | State::Disabled | State::OutOfService => Kind::Out,
        State::Closed => Kind::Closed,
        State::NotOpen => Kind::NotOpen,
    })
}

/// Text of a bar: title and customer; for time out of use, the reason; the units left where some are taken.
pub(super) fn bar_text(period: &Period) -> String {
    if let Some((left, _)) = period.part_taken() {
        return format!("{left} left");
    }
    match (period.title.is_empty(), period.customer.is_empty()) {
        (true, true) if is_bar(period) && period.state != State::Held => period.state.word().replace('_', " "),
        (true, _) => period.customer.clone(),
        (false, true) => period.title.clone(),
        (false, false) if period.title == period.customer => period.title.clone(),
        (false, false) => format!("{}, {}", period.title, period.customer),
    }
}

/// Columns of a slot in the screen's zone.
pub(super) fn slot_columns(scale: &Scale, slot: Slot) -> Option<std::ops::Range<u16>> {
    Some(scale.columns_of(slot.from(), slot.until())?.columns)
}
