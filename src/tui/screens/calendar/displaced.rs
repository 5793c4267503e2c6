//! Who lost time and waits for other: where on the calendar that stands, and what it is drawn as.

use crate::domain::calendar::{CalendarView, Period, State};
use crate::domain::house::WorkKind;
use crate::domain::loss::LostCells;
use crate::domain::owner::Owner;
use crate::domain::resource::ResourceId;
use crate::domain::time::Slot;
use crate::engine::reads::worklist::WorkView;
use crate::tui::screens::calendar::view::kind;
use crate::tui::shared::Shared;
use crate::tui::widgets::timeline::Kind;

/// Time that was taken from its owner.
#[derive(Clone, Copy, Debug)]
pub(super) struct Loss<'w> {
    /// The item that waits.
    pub(super) view: &'w WorkView,
    /// Who had it.
    pub(super) owner: &'w Owner,
    pub(super) resource: &'w ResourceId,
    /// What was taken.
    pub(super) slots: &'w [Slot],
    /// Why.
    pub(super) reason: &'w str,
}

impl<'w> Loss<'w> {
    /// What an item tells of lost time, if that is what it is about.
    pub(super) fn of(view: &'w WorkView) -> Option<Self> {
        let WorkKind::Displaced { owner, loss } = &view.item.what else {
            return None;
        };
        let LostCells::Time { resource, slots } = &loss.cells else {
            return None;
        };
        Some(Self {
            view,
            owner,
            resource,
            slots,
            reason: &loss.reason,
        })
    }

    /// Whether a period of its resource is a part of what was lost that is out of use since.
    fn is_lost(&self, period: &Period) -> bool {
        is_taken_over(period) && self.slots.iter().any(|slot| slot.overlaps(&period.slot))
    }

    /// Whether a period is what its owner still has.
    fn is_left(&self, period: &Period) -> bool {
        period.owner.as_ref() == Some(self.owner)
    }
}

/// Whether a period is out of use by an act that takes over.
pub(super) const fn is_taken_over(period: &Period) -> bool {
    matches!(period.state, State::Disabled | State::OutOfService)
}

/// Who lost time of a resource, as a period of it tells: that time, or what is left beside it. The last to lose it is
/// told.
pub(super) fn loss<'w>(
    (period, resource): (&Period, &ResourceId),
    items: &'w [WorkView],
) -> Option<Loss<'w>> {
    items
        .iter()
        .rev()
        .filter_map(Loss::of)
        .find(|loss| loss.resource == resource && (loss.is_lost(period) || loss.is_left(period)))
}

/// What a period is drawn as, where somebody may wait for other time.
pub(super) fn drawn_as(
    (period, resource): (&Period, &ResourceId),
    items: &[WorkView],
    shared: &Shared,
) -> Option<Kind> {
    let plain = kind(period, shared)?;
    let told = || loss((period, resource), items);
    Some(match plain {
        Kind::Booked if told().is_some() => Kind::Displaced,
        Kind::Out if told().is_some() => Kind::Lost,
        Kind::Booked
        | Kind::Show
        | Kind::Held
        | Kind::Yours
        | Kind::Displaced
        | Kind::Lost
        | Kind::Turnaround
        | Kind::Out
        | Kind::Closed
        | Kind::NotOpen => plain,
    })
}

/// A calendar with periods of their own for what somebody lost and waits for; nothing when nobody does.
pub(super) fn cut(view: &CalendarView, items: &[WorkView]) -> Option<CalendarView> {
    let losses = items.iter().filter_map(Loss::of);
    let slots: Vec<Slot> = losses
        .filter(|loss| *loss.resource == view.resource)
        .flat_map(|loss| loss.slots.iter().copied())
        .collect();
    (!slots.is_empty()).then(|| view.cut(&slots, is_taken_over))
}
