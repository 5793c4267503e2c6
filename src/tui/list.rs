//! Cursor of a list: keys, actions, and the rows in view.

use crossterm::event::KeyCode;
use ratatui::layout::Rect;

use crate::tui::action::Action;
use crate::tui::canvas::row;
use crate::tui::input::Key;

/// Rows a page of a list.
const PAGE: isize = 10;

/// Stop `by` steps further in a cycle of stops; an unknown stop counts as the first.
pub(crate) fn around<T: Copy + PartialEq>(stops: &[T], stop: T, by: isize) -> T {
    let count = isize::try_from(stops.len()).unwrap_or(1).max(1);
    let at = stops.iter().position(|one| *one == stop).unwrap_or(0);
    let next = (isize::try_from(at).unwrap_or(0) + by).rem_euclid(count);
    let next = usize::try_from(next).ok().and_then(|next| stops.get(next));
    next.copied().unwrap_or(stop)
}

/// Cursor in a list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Cursor(pub usize);

impl Cursor {
    /// Moves the cursor by a list key, in a list of this length; false for any other key.
    #[expect(clippy::wildcard_enum_match_arm, reason = "few keys move in a list")]
    pub(crate) fn key(&mut self, key: Key, count: usize) -> bool {
        let by = match key.code {
            KeyCode::Up => -1,
            KeyCode::Down => 1,
            KeyCode::PageUp => -PAGE,
            KeyCode::PageDown => PAGE,
            _ => return false,
        };
        self.step(by, count);
        true
    }

    /// Moves the cursor by an action, in a list of this length; false for any other action.
    #[expect(clippy::wildcard_enum_match_arm, reason = "few actions move in a list")]
    pub(crate) fn act(&mut self, action: Action, count: usize) -> bool {
        let by = match action {
            Action::Up => -1,
            Action::Down => 1,
            Action::PageUp => -PAGE,
            Action::PageDown => PAGE,
            Action::First => isize::MIN,
            Action::Last => isize::MAX,
            _ => return false,
        };
        self.step(by, count);
        true
    }

    /// Moves the cursor by some rows, in a list of this length.
    pub(crate) fn step(&mut self, by: isize, count: usize) {
        self.0 = self
            .0
            .saturating_add_signed(by)
            .min(count.saturating_sub(1));
    }

    /// Rows in view, each with its line of the area and its index.
    pub(crate) fn in_view<T>(
        self,
        rows: &[T],
        area: Rect,
    ) -> impl Iterator<Item = (Rect, usize, &T)> {
        let first = self.first_in_view(usize::from(area.height));
        let shown = rows.iter().enumerate().skip(first);
        let lines = (0..area.height).map(move |at| row(area, at));
        lines
            .zip(shown)
            .map(|(line, (index, one))| (line, index, one))
    }

    /// First row to draw so that the cursor is in view.
    #[must_use]
    pub(crate) const fn first_in_view(self, rows: usize) -> usize {
        if rows == 0 {
            0
        } else {
            (self.0 + 1).saturating_sub(rows)
        }
    }
}
