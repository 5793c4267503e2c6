//! State of the tour, and its next beat.

use std::time::Duration;

use crate::demo::script::{Act, STEPS};

/// Delay between a caption and its first act.
const READ_FIRST: Duration = Duration::from_millis(1500);

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tour {
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
    /// End of the tour; the last caption stays.
    Over,
}

impl Tour {
    /// Gives the next beat; after a rest, the first one of the next step.
    pub(super) fn next(&mut self) -> Beat {
        let Some(step) = STEPS.get(self.step) else {
            return Beat::Over;
        };
        let beat = self.beat;
        self.beat += 1;
        match (beat.checked_sub(1), self.step + 1 == STEPS.len()) {
            (None, _) => Beat::Say(READ_FIRST),
            (Some(act), last) => match (step.acts.get(act), last) {
                (Some(act), _) => Beat::Do(*act),
                (None, true) => Beat::Over,
                (None, false) => {
                    *self = Self { step: self.step + 1, beat: 0 };
                    Beat::Rest(Duration::from_secs(step.rest_seconds))
                }
            },
        }
    }

    pub(super) fn again(&mut self) {
        self.beat = self.beat.saturating_sub(1);
    }
}

/// A step's caption, its number, and the number of steps.
pub(super) fn caption(step: usize) -> (String, (u32, u32)) {
    let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
    let text = STEPS.get(step).map_or("", |step| step.caption);
    (text.to_owned(), (number(step + 1), number(STEPS.len())))
}

impl Tour {
    pub(super) const fn step(self) -> usize {
        self.step
    }
}
