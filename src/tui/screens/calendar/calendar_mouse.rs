//! Mouse on the calendar: a click moves the cursor, a drag marks, a dragged bar becomes a ghost.

use crate::domain::time::Instant;
use crate::tui::kit::action::Action;
use crate::tui::kit::context::Context;
use crate::tui::kit::screen::Click;
use crate::tui::kit::screen_state::ScreenState;
use crate::tui::kit::targets::{RowList, Target};
use crate::tui::screens::calendar::Calendar;
use crate::tui::screens::calendar::state::{Mark, Press, TimelineSpot};

/// Lines that a step of the wheel scrolls.
const WHEEL_LINES: isize = 3;

impl Calendar {
    pub(super) fn clicked(&mut self, target: &Target, click: Click, context: &mut Context<'_>) {
        match (target, click) {
            (Target::Time(line, column), _) => self.click_time((*line, *column), click, context),
            (_, Click::Release) => self.release(context),
            (Target::Row(RowList::Lines, line), Click::Single) => {
                self.press = None;
                if self.lines.shown.get(*line).is_some_and(|line| line.resource().is_none()) {
                    self.stand_on_line(*line);
                    self.fold(context);
                } else {
                    self.stand(*line, self.at);
                }
            }
            (Target::Row(RowList::Lines, _), Click::Double) if self.here().is_some() => {
                self.act(Action::Inspect, context);
            }
            (Target::Map, Click::WheelUp) => {
                self.act(Action::ZoomIn, context);
            }
            (Target::Map, Click::WheelDown) => {
                self.act(Action::ZoomOut, context);
            }
            (Target::Row(RowList::Lines, _), Click::WheelUp) => self.step_lines(-WHEEL_LINES, context),
            (Target::Row(RowList::Lines, _), Click::WheelDown) => {
                self.step_lines(WHEEL_LINES, context);
            }
            _ => {}
        }
    }

    fn click_time(&mut self, (line, column): (usize, u16), click: Click, context: &mut Context<'_>) {
        let scale = self.scale(context.shared);
        let spot = self.lines.shown.get(line).map(|key| {
            let one = key.resource().and_then(|id| self.resource(id));
            TimelineSpot { line: key.clone(), at: self.stand_at((one, column), (&scale, context.shared)) }
        });
        match (click, spot) {
            (Click::Single, Some(spot)) => self.press((line, spot), context),
            (Click::Double, _) => {
                self.press = None;
                self.act(Action::Main, context);
            }
            (Click::Drag, Some(spot)) => self.drag((line, spot), context),
            (Click::Release, _) => self.release(context),
            (Click::WheelUp, _) => self.step_lines(-WHEEL_LINES, context),
            (Click::WheelDown, _) => self.step_lines(WHEEL_LINES, context),
            (Click::Single | Click::Drag, None) => {}
        }
    }

    fn stand(&mut self, line: usize, at: Instant) {
        self.mark = None;
        self.ghost = None;
        self.stand_on_line(line);
        self.at = at;
    }

    /// Handles a press: on the mark it books; anywhere else it moves the cursor, and a drag may follow.
    fn press(&mut self, (line, at): (usize, TimelineSpot), context: &mut Context<'_>) {
        if self.ghost.is_some() {
            self.ghost_to(&at, context.shared);
            self.press = Some(Press { at, dragged: true });
            return;
        }
        let in_mark = self.marked(context.shared).is_some_and(|marked| {
            let of_it = marked.resources.iter().any(|one| Some(&one.id) == at.line.resource());
            marked.from <= at.at && at.at < marked.until && of_it
        });
        if in_mark {
            self.press = None;
            self.act(Action::Main, context);
            return;
        }
        self.stand(line, at.at);
        self.press = Some(Press { at, dragged: false });
    }

    fn drag(&mut self, (line, at): (usize, TimelineSpot), context: &mut Context<'_>) {
        let Some(press) = &mut self.press else {
            return;
        };
        let (anchor, was) = (press.at.clone(), press.dragged);
        press.dragged = true;
        if self.ghost.is_some() {
            self.ghost_to(&at, context.shared);
            return;
        }
        if !was && self.bar(context.shared).is_some() {
            if self.begin_ghost(context) {
                self.ghost_to(&at, context.shared);
            } else {
                self.press = None;
            }
            return;
        }
        if at.line.resource().is_none() {
            return;
        }
        self.stand(line, at.at);
        self.mark = Some(Mark { anchor, resources: Vec::new(), only: None });
        self.mark_lines();
    }

    fn release(&mut self, context: &mut Context<'_>) {
        let Some(press) = self.press.take() else {
            return;
        };
        if !press.dragged {
            return;
        }
        if self.ghost.is_some() {
            context.note("<moving.main> puts it there, <moving.close> leaves it where it is");
        } else if let Some((tone, words)) = self.mark_words(context.shared) {
            context.say(tone, words);
        }
    }
}
