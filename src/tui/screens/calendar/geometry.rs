//! Where things stand on the calendar in a terminal of some size, and which column is which time of a resource.

use chrono::NaiveTime;
use chrono_tz::Tz;
use ratatui::layout::Rect;

use crate::domain::time::{Instant, Slot, local_at};
use crate::tui::screens::calendar::Calendar;
use crate::tui::shared::Shared;
use crate::tui::widgets::timeline::{Columns, HEAD_LINES, Scale, TimeWindow, TimeZoom};

/// From this width on names are indented below their groups.
const WIDE_FROM: u16 = 96;
/// From this width on there is room to spare.
const HUGE_FROM: u16 = 140;
/// From this height on the foot has all of its lines.
const TALL_FROM: u16 = 28;
/// Columns right of the nights: how many are free.
const TAIL: u16 = 5;
/// The house's day begins.
const OPENS: (u32, u32) = (8, 0);

/// The parts of the panel.
#[derive(Clone, Copy, Debug)]
pub(super) struct Parts {
    /// The timeline with its head.
    pub(super) time: Rect,
    /// What is under the cursor, and what can be done with it.
    pub(super) foot: Rect,
}

/// The parts of what is inside the frame.
pub(super) fn parts(shared: &Shared, inner: Rect) -> Parts {
    let wanted = if shared.size.height >= TALL_FROM {
        7
    } else {
        6
    };
    let foot = wanted.min(inner.height.saturating_sub(HEAD_LINES + 1));
    let height = inner.height - foot;
    Parts {
        time: Rect { height, ..inner },
        foot: Rect {
            y: inner.y + height,
            height: foot,
            ..inner
        },
    }
}

/// The inside of the calendar's frame in a terminal of this size.
pub(super) fn inside(shared: &Shared) -> Rect {
    Rect::new(
        1,
        2,
        shared.size.width.saturating_sub(2),
        shared.size.height.saturating_sub(5),
    )
}

/// How far names stand from the left: below their groups where there is room.
pub(super) const fn indent(shared: &Shared) -> u16 {
    if shared.size.width < WIDE_FROM { 0 } else { 2 }
}

/// The fewest and the most columns that names have.
const fn names_bounds(shared: &Shared) -> (u16, u16) {
    match shared.size.width {
        HUGE_FROM.. => (20, 36),
        WIDE_FROM.. => (16, 26),
        80.. => (12, 18),
        _ => (10, 14),
    }
}

/// When the house's day begins.
pub(super) fn opens() -> NaiveTime {
    NaiveTime::from_hms_opt(OPENS.0, OPENS.1, 0).unwrap_or(NaiveTime::MIN)
}

impl Calendar {
    /// How many lines are in view.
    pub(super) fn room(shared: &Shared) -> usize {
        let time = parts(shared, inside(shared)).time;
        usize::from(time.height.saturating_sub(HEAD_LINES))
    }

    /// How many columns names have: as many as the longest on a line needs, within bounds.
    pub(super) fn names_columns(&self, shared: &Shared) -> u16 {
        let (least, most) = names_bounds(shared);
        // the cursor before it, a blank behind it
        (self.lines.longest + indent(shared) + 2).clamp(least, most)
    }

    /// The columns on the screen with what they stand for.
    pub(super) fn scale(&self, shared: &Shared) -> Scale {
        let width = inside(shared)
            .width
            .saturating_sub(self.names_columns(shared));
        let columns = match self.zoom {
            TimeZoom::Nights => width.saturating_sub(TAIL),
            TimeZoom::Hours | TimeZoom::Day | TimeZoom::Week | TimeZoom::Month => width,
        };
        Scale::new(TimeWindow {
            zoom: self.zoom,
            from: self.from,
            zone: shared.zone,
            columns,
        })
    }

    /// The first line in view: the cursor's line stands in it.
    pub(super) fn first_line(&self, shared: &Shared) -> usize {
        let room = Self::room(shared).max(1);
        let furthest = self.lines.shown.len().saturating_sub(room);
        let least = (self.cursor.line + 1).saturating_sub(room);
        self.top
            .clamp(least, self.cursor.line.max(least))
            .min(furthest)
    }
}

/// The instant of the screen's zone that shows what a clock in another zone shows: a resource's lines tell its own
/// local time.
pub(super) fn on_screen(at: Instant, (theirs, screen): (Tz, Tz)) -> Instant {
    if theirs == screen {
        return at;
    }
    local_at(at.in_zone(theirs).naive_local(), screen)
}

/// The instant of a resource that an instant of the screen stands for.
pub(super) fn of_resource(at: Instant, (theirs, screen): (Tz, Tz)) -> Instant {
    on_screen(at, (screen, theirs))
}

/// The columns of a slot of a resource.
pub(super) fn columns(scale: &Scale, slot: Slot, theirs: Tz) -> Option<Columns> {
    let zones = (theirs, scale.window.zone);
    scale.columns_of(
        on_screen(slot.from(), zones),
        on_screen(slot.until(), zones),
    )
}
