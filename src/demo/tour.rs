//! State of a chapter that is played, and its next beat.

use std::time::Duration;

use crate::demo::script::{Act, CHAPTERS, Chapter};

/// Delay between a caption and its first act.
const READ_FIRST: Duration = Duration::from_millis(1500);

#[derive(Clone, Copy)]
pub(super) struct Tour {
    chapter: &'static Chapter,
    step: usize,
    beat: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Beat {
    /// Show the caption, then wait.
    Say(Duration),
    Do(Act),
    /// Wait, then end the step.
    Rest(Duration),
    /// End of the chapter; the last caption stays.
    Over,
}

impl Tour {
    pub(super) const fn of(chapter: &'static Chapter) -> Self {
        Self { chapter, step: 0, beat: 0 }
    }

    /// Gives the next beat; after a rest, the first one of the next step.
    pub(super) fn next(&mut self) -> Beat {
        let Some(step) = self.chapter.steps.get(self.step) else {
            return Beat::Over;
        };
        let beat = self.beat;
        self.beat += 1;
        let Some(act) = beat.checked_sub(1) else {
            return Beat::Say(READ_FIRST);
        };
        if let Some(act) = step.acts.get(act) {
            return Beat::Do(*act);
        }
        *self = Self { step: self.step + 1, beat: 0, ..*self };
        Beat::Rest(Duration::from_secs(step.rest_seconds))
    }

    pub(super) fn again(&mut self) {
        self.beat = self.beat.saturating_sub(1);
    }

    pub(super) const fn step(self) -> usize {
        self.step
    }

    /// Title of the chapter; none of the whole tour.
    pub(super) fn title(self) -> Option<&'static str> {
        let is_tour = CHAPTERS.first().is_some_and(|tour| tour.title == self.chapter.title);
        (!is_tour).then_some(self.chapter.title)
    }

    /// Caption of the present step, its number, and the number of steps.
    pub(super) fn caption(self) -> (String, (u32, u32)) {
        let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        let steps = self.chapter.steps;
        let text = steps.get(self.step).map_or("", |step| step.caption);
        (text.to_owned(), (number(self.step + 1), number(steps.len())))
    }
}
