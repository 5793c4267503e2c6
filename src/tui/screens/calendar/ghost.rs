//! Ghost of a booking being moved: Enter confirms the new place, Esc drops it.

use crate::domain::calendar::State;
use crate::domain::owner::{Owner, Use};
use crate::domain::resource::ResourceId;
use crate::domain::time::{Slot, Span};
use crate::tui::kit::context::Context;
use crate::tui::kit::shared::Shared;
use crate::tui::screens::calendar::Calendar;
use crate::tui::screens::calendar::displaced::is_taken_over;
use crate::tui::screens::calendar::geometry::{Towards, of_resource, on_screen, slot_on_screen};
use crate::tui::screens::calendar::period_bars::slot_columns;
use crate::tui::screens::calendar::phrases::length_words;
use crate::tui::screens::calendar::resource_lines::LineKey;
use crate::tui::screens::calendar::state::{Ghost, TimelineSpot};
use crate::tui::widgets::timeline::{Marked, Scale};

impl Calendar {
    /// Starts a move of the bar under the cursor; tells the reason if it cannot be moved.
    pub(super) fn begin_ghost(&mut self, context: &mut Context<'_>) -> bool {
        let shared = &*context.shared;
        let Some(one) = self.here() else {
            return false;
        };
        let Some(period) = self.bar(shared) else {
            context.note("Put the cursor on a booking first; <next-stop> goes to the next");
            return false;
        };
        let waits = self.loss_here(shared).is_some_and(|_| is_taken_over(period));
        let booking = match &period.owner {
            _ if waits => Err("It waits for other time: <displaced> finds some"),
            Some(Owner::Booking(Use::Performance, _)) => Err("A performance moves with its house: change its time"),
            Some(Owner::Booking(_, id)) => Ok(*id),
            Some(Owner::Line(_)) => {
                Err("Time in a cart or sold with one can't be moved; give it back and take other time")
            }
            Some(Owner::Keep(_) | Owner::Disable(..)) | None => {
                Err("What is out of use can't be moved; <out-of-use> ends it")
            }
        };
        let (title, zones) = (period.title.clone(), (one.zone(), shared.zone));
        let slot = if period.state == State::Booked { period.wanted.unwrap_or(period.slot) } else { period.slot };
        match booking {
            Ok(booking) => {
                let from = on_screen(slot.from(), zones);
                self.ghost = Some(Ghost {
                    booking,
                    title,
                    resource: one.id.clone(),
                    slot,
                    to: one.id.clone(),
                    from,
                    grip: self.at.since(from),
                });
                true
            }
            Err(why) => {
                context.note(why);
                false
            }
        }
    }

    /// Moves the ghost with the mouse, by cells.
    pub(super) fn ghost_to(&mut self, spot: &TimelineSpot, shared: &Shared) {
        let Some(ghost) = &self.ghost else {
            return;
        };
        let to = spot.line.resource().unwrap_or(&ghost.to).clone();
        let from = spot.at - ghost.grip;
        let cell = self.resource(&to).and_then(|one| self.cell(one, from, shared));
        let from = cell.map_or(from, |cell| cell.from());
        if let Some(ghost) = &mut self.ghost {
            (ghost.to, ghost.from) = (to, from);
        }
    }

    /// Moves the ghost a cell earlier or later.
    pub(super) fn ghost_time(&mut self, to: Towards, context: &mut Context<'_>) {
        let shared = &*context.shared;
        let over = self.ghost.as_ref().and_then(|ghost| Some((self.resource(&ghost.to)?, ghost.from)));
        let Some((one, cell)) = over.and_then(|(one, from)| Some((one, self.cell(one, from, shared)?))) else {
            return;
        };
        let next = match to {
            Towards::Earlier => {
                let before = cell.from() - Span::from_millis(1);
                self.cell(one, before, shared).map(|cell| cell.from())
            }
            Towards::Later => Some(cell.until()),
        };
        if let (Some(next), Some(ghost)) = (next, &mut self.ghost) {
            ghost.from = next;
        }
        if let Some(next) = next {
            self.put_cursor(next, context);
        }
    }

    /// Moves the ghost to another line.
    pub(super) fn ghost_lines(&mut self, by: isize, context: &mut Context<'_>) {
        let Some(ghost) = &mut self.ghost else {
            return;
        };
        let is_over = |line: &LineKey| line.resource() == Some(&ghost.to);
        let here = self.lines.shown.iter().position(is_over).unwrap_or(0);
        let mut lines = self.lines.shown.iter().enumerate().filter_map(|(line, key)| Some((line, key.resource()?)));
        let next = if by < 0 { lines.rfind(|(line, _)| *line < here) } else { lines.find(|(line, _)| *line > here) };
        let Some((line, to)) = next else {
            return;
        };
        ghost.to = to.clone();
        self.stand_on_line(line);
        self.top = self.first_line(context.shared);
    }

    /// Target of the ghost: the resource, and the slot in its zone.
    pub(super) fn ghost_goal(&self, shared: &Shared) -> Option<(ResourceId, Slot)> {
        let ghost = self.ghost.as_ref()?;
        let one = self.resource(&ghost.to)?;
        let from = of_resource(ghost.from, (one.zone(), shared.zone));
        // a booking off the grid keeps its distance to the grid
        let old = self.resource(&ghost.resource)?;
        let floor = old.grid.normalise(ghost.slot).from();
        let beside = if one.grid == old.grid && !one.grid.segment.is_day() {
            ghost.slot.from().since(floor)
        } else {
            Span::default()
        };
        let until = if one.grid.segment.is_day() {
            let nights = i64::from(old.grid.segments(ghost.slot));
            let days = u64::try_from(nights).unwrap_or(1);
            let date = from.in_zone(one.zone()).date_naive() + chrono::Days::new(days);
            crate::domain::time::day_start(date, one.zone())
        } else {
            from + beside + ghost.slot.span()
        };
        Some((one.id.clone(), Slot::new(from + beside, until).ok()?))
    }

    pub(super) fn ghost_columns(&self, scale: &Scale, shared: &Shared) -> Option<Marked> {
        if let Some((resources, slot, collides)) = &self.typed {
            let one = self.resource(resources.first()?)?;
            let shown = slot_on_screen(*slot, (one.zone(), shared.zone))?;
            let (lines, columns) = (self.lines.of_resources(resources), slot_columns(scale, shown)?);
            return Some(Marked { lines, columns, says: length_words(one, *slot), collides: *collides });
        }
        let ghost = self.ghost.as_ref()?;
        let one = self.resource(&ghost.to)?;
        let (_, wanted) = self.ghost_goal(shared)?;
        let taken = one.grid.normalise(wanted);
        let slot = slot_on_screen(taken, (one.zone(), shared.zone))?;
        let lines = self.lines.of_resources(std::slice::from_ref(&ghost.to));
        Some(Marked { lines, columns: slot_columns(scale, slot)?, says: length_words(one, wanted), collides: false })
    }
}
