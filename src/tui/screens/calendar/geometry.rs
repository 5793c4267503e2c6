//! Geometry of the calendar in a terminal of a given size, and conversion between columns and a resource's time.

use chrono::NaiveTime;
use chrono_tz::Tz;
use ratatui::layout::Rect;

use crate::domain::time::{Instant, Slot, local_at};
use crate::tui::kit::canvas::{first_columns, first_rows, from_row, last_columns};
use crate::tui::kit::shared::Shared;
use crate::tui::widgets::timeline::{Columns, HEAD_LINES, Scale};

/// Minimum width for names indented below their groups.
const WIDE_FROM: u16 = 96;
/// Minimum width for generous columns.
const HUGE_FROM: u16 = 140;
/// Columns of the panel with the chosen booking.
const SIDE: u16 = 40;
/// Minimum height for all lines of the foot.
const TALL_FROM: u16 = 28;
/// Width of the numbers of free resources, right of the nights.
pub(super) const TAIL: u16 = 5;
/// Start of the house's day, as hour and minute.
const OPENS: (u32, u32) = (8, 0);

/// Areas of the panel.
#[derive(Clone, Copy, Debug)]
pub(super) struct Parts {
    /// Timeline with its head.
    pub(super) time: Rect,
    pub(super) foot: Rect,
    /// Panel with the chosen booking; empty in a terminal without room for it, where the foot tells of it.
    pub(super) side: Rect,
}

/// Areas inside the frame.
pub(super) fn parts(shared: &Shared, inner: Rect) -> Parts {
    let side = if shared.size.width >= HUGE_FROM && shared.size.height >= TALL_FROM { SIDE } else { 0 };
    let wanted = match shared.size.height {
        _ if side > 0 => 4,
        TALL_FROM.. => 5,
        _ => 4,
    };
    let foot = wanted.min(inner.height.saturating_sub(HEAD_LINES + 1));
    let height = inner.height - foot;
    let above = first_rows(inner, height);
    Parts {
        time: first_columns(above, inner.width - side),
        foot: from_row(inner, height),
        side: last_columns(above, side),
    }
}

/// Area inside the calendar's frame in a terminal of this size.
pub(super) fn inside(shared: &Shared) -> Rect {
    Rect::new(1, 2, shared.size.width.saturating_sub(2), shared.size.height.saturating_sub(5))
}

/// Indent of names below their groups, where it fits.
pub(super) const fn indent(shared: &Shared) -> u16 {
    if shared.size.width < WIDE_FROM { 0 } else { 2 }
}

/// Minimum and maximum width of names, in columns.
pub(super) const fn names_bounds(shared: &Shared) -> (u16, u16) {
    match shared.size.width {
        HUGE_FROM.. => (20, 36),
        WIDE_FROM.. => (16, 26),
        80.. => (12, 18),
        _ => (10, 14),
    }
}

/// Start of the house's day.
pub(super) fn opens() -> NaiveTime {
    NaiveTime::from_hms_opt(OPENS.0, OPENS.1, 0).unwrap_or(NaiveTime::MIN)
}

/// Direction in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Towards {
    Earlier,
    Later,
}

/// Converts an instant of a resource's zone to the screen's zone with the same local time, as lines show their
/// resource's local time.
pub(super) fn on_screen(at: Instant, (theirs, screen): (Tz, Tz)) -> Instant {
    if theirs == screen {
        return at;
    }
    local_at(at.in_zone(theirs).naive_local(), screen)
}

/// Converts a slot as [`on_screen`] its ends; none where no time is left of it.
pub(super) fn slot_on_screen(slot: Slot, zones: (Tz, Tz)) -> Option<Slot> {
    Slot::new(on_screen(slot.from(), zones), on_screen(slot.until(), zones)).ok()
}

/// Converts an instant of the screen back to the resource's zone.
pub(super) fn of_resource(at: Instant, (theirs, screen): (Tz, Tz)) -> Instant {
    on_screen(at, (screen, theirs))
}

/// Columns of a resource's slot.
pub(super) fn columns(scale: &Scale, slot: Slot, theirs: Tz) -> Option<Columns> {
    let slot = slot_on_screen(slot, (theirs, scale.window.zone))?;
    scale.columns_of(slot.from(), slot.until())
}
