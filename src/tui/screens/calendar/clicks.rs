//! Mouse on the calendar: a click moves the cursor, a drag marks, a dragged bar becomes a ghost.

use crate::tui::action::Action;
use crate::tui::context::Context;
use crate::tui::screens::Click;
use crate::tui::screens::calendar::Calendar;
use crate::tui::screens::calendar::lines::Shown;
use crate::tui::screens::calendar::state::{Cursor, Mark, Press};
use crate::tui::targets::{List, Target};

/// Lines that a step of the wheel scrolls.
const WHEEL_LINES: isize = 3;

impl Calendar {
    pub(crate) fn click(&mut self, target: &Target, click: Click, context: &mut Context<'_>) {
        match (target, click) {
            (Target::Time(line, column), _) => self.click_time((*line, *column), click, context),
            (_, Click::Release) => self.release(context),
            (Target::Row(List::Lines, line), Click::Single) => {
                self.press = None;
                if matches!(self.lines.shown.get(*line), Some(Shown::Group(_))) {
                    self.fold(*line, context);
                    self.cursor.line = *line;
                } else {
                    self.stand(Cursor { line: *line, at: self.cursor.at });
                }
            }
            (Target::Row(List::Lines, line), Click::Double) => {
                if matches!(self.lines.shown.get(*line), Some(Shown::Resource(_))) {
                    self.act(Action::Inspect, context);
                }
            }
            (Target::Map, Click::WheelUp) => {
                self.act(Action::ZoomIn, context);
            }
            (Target::Map, Click::WheelDown) => {
                self.act(Action::ZoomOut, context);
            }
            (Target::Row(List::Lines, _), Click::WheelUp) => self.step_lines(-WHEEL_LINES, context),
            (Target::Row(List::Lines, _), Click::WheelDown) => {
                self.step_lines(WHEEL_LINES, context);
            }
            _ => {}
        }
    }

    fn click_time(&mut self, (line, column): (usize, u16), click: Click, context: &mut Context<'_>) {
        let scale = self.scale(context.shared);
        let at = Cursor { line, at: self.stand_at((line, column), (&scale, context.shared)) };
        match click {
            Click::Single => self.press(at, context),
            Click::Double => {
                self.press = None;
                self.act(Action::Main, context);
            }
            Click::Drag => self.drag(at, context),
            Click::Release => self.release(context),
            Click::WheelUp => self.step_lines(-WHEEL_LINES, context),
            Click::WheelDown => self.step_lines(WHEEL_LINES, context),
        }
    }

    fn stand(&mut self, at: Cursor) {
        self.mark = None;
        self.ghost = None;
        self.cursor = at;
    }

    /// Handles a press: on the mark it books; anywhere else it moves the cursor, and a drag may follow.
    fn press(&mut self, at: Cursor, context: &mut Context<'_>) {
        if self.ghost.is_some() {
            self.ghost_to(at, context.shared);
            self.press = Some(Press { at, dragged: true });
            return;
        }
        let in_mark = self.marked(context.shared).is_some_and(|marked| {
            let here = self.line_resource(at.line);
            let of_it = |id| marked.resources.iter().any(|one| one.id == id);
            marked.from <= at.at && at.at < marked.until && here.is_some_and(|one| of_it(one.id.clone()))
        });
        if in_mark {
            self.press = None;
            self.act(Action::Main, context);
            return;
        }
        self.stand(at);
        self.press = Some(Press { at, dragged: false });
    }

    fn drag(&mut self, at: Cursor, context: &mut Context<'_>) {
        let Some(press) = &mut self.press else {
            return;
        };
        let (begun, was) = (press.at, press.dragged);
        press.dragged = true;
        if self.ghost.is_some() {
            self.ghost_to(at, context.shared);
            return;
        }
        if !was && self.bar(context.shared).is_some() {
            if self.begin_ghost(context) {
                self.ghost_to(at, context.shared);
            } else {
                self.press = None;
            }
            return;
        }
        if self.line_resource(at.line).is_none() {
            return;
        }
        self.mark = Some(Mark { anchor: begun, only: None });
        self.cursor = at;
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
