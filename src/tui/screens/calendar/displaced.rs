//! Displaced bookings: their lost time on the calendar, and how it is drawn.

use crate::domain::calendar::{CalendarView, Period, State};
use crate::domain::house::WorkKind;
use crate::domain::loss::CellGroup;
use crate::domain::owner::Owner;
use crate::domain::resource::ResourceId;
use crate::domain::time::Slot;
use crate::engine::reads::worklist::WorkView;
use crate::tui::kit::shared::Shared;
use crate::tui::screens::calendar::period_bars::kind;
use crate::tui::widgets::timeline::Kind;

/// Time lost by a booking.
#[derive(Clone, Copy, Debug)]
pub(super) struct Loss<'w> {
    /// Worklist entry of the loss.
    pub(super) view: &'w WorkView,
    /// Owner of the booking.
    pub(super) owner: &'w Owner,
    pub(super) resource: &'w ResourceId,
    pub(super) slots: &'w [Slot],
    /// Reason for the loss.
    pub(super) reason: &'w str,
}

impl<'w> Loss<'w> {
    /// Loss of a worklist entry; none for an entry about something else.
    pub(super) fn of(view: &'w WorkView) -> Option<Self> {
        let WorkKind::Displaced { owner, loss, .. } = &view.item.what else {
            return None;
        };
        let CellGroup::Time { resource, slots } = &loss.cells else {
            return None;
        };
        Some(Self { view, owner, resource, slots, reason: &loss.reason })
    }

    /// True if a period of the resource is lost time that is out of use.
    fn is_lost(&self, period: &Period) -> bool {
        is_taken_over(period) && self.slots.iter().any(|slot| slot.overlaps(&period.slot))
    }

    /// True if a period is what the owner still has.
    fn is_left(&self, period: &Period) -> bool {
        period.owner.as_ref() == Some(self.owner)
    }
}

/// True if a period is out of use by an act that displaces bookings.
pub(super) const fn is_taken_over(period: &Period) -> bool {
    matches!(period.state, State::Disabled | State::OutOfService)
}

/// Loss that a period of a resource belongs to, as lost time or as its remainder; the latest loss takes precedence.
pub(super) fn loss<'w>((period, resource): (&Period, &ResourceId), items: &'w [WorkView]) -> Option<Loss<'w>> {
    items
        .iter()
        .rev()
        .filter_map(Loss::of)
        .find(|loss| loss.resource == resource && (loss.is_lost(period) || loss.is_left(period)))
}

/// Kind of a period's bar, with losses taken into account.
pub(super) fn drawn_as(
    (period, resource): (&Period, &ResourceId),
    items: &[WorkView],
    shared: &Shared,
) -> Option<Kind> {
    let plain = kind(period, shared)?;
    let told = || loss((period, resource), items);
    Some(match plain {
        Kind::Booked | Kind::Unpaid | Kind::Ours if told().is_some() => Kind::Displaced,
        Kind::Out | Kind::Maintenance | Kind::Relocation if told().is_some() => Kind::Lost,
        Kind::Booked
        | Kind::Unpaid
        | Kind::Ours
        | Kind::Show
        | Kind::Held
        | Kind::Yours
        | Kind::Displaced
        | Kind::Lost
        | Kind::Partly
        | Kind::Turnaround
        | Kind::Out
        | Kind::Maintenance
        | Kind::Relocation
        | Kind::Closed
        | Kind::NotOpen => plain,
    })
}

/// Calendar with periods split at losses; none when there is no loss.
pub(super) fn cut(view: &CalendarView, items: &[WorkView]) -> Option<CalendarView> {
    let losses = items.iter().filter_map(Loss::of);
    let slots: Vec<Slot> =
        losses.filter(|loss| *loss.resource == view.resource).flat_map(|loss| loss.slots.iter().copied()).collect();
    (!slots.is_empty()).then(|| view.cut(&slots, is_taken_over))
}
