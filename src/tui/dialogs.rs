//! Dialogs over a screen: at most one is open, and it has the keyboard focus.

pub(crate) mod demo_bar;
pub(crate) mod dialog;
pub(crate) mod find;
pub(crate) mod form;
pub(crate) mod messages;
pub(crate) mod open_carts;
pub(crate) mod picker;
pub(crate) mod prompt;
pub(crate) mod question;
pub(crate) mod reserve;
pub(crate) mod story;
pub(crate) mod waiting;

use crossterm::event::KeyCode;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::tui::action::Action;
use crate::tui::canvas::{Canvas, after, row};
use crate::tui::dialogs::dialog::Dialog;
use crate::tui::dialogs::find::Finder;
use crate::tui::dialogs::messages::MessageList;
use crate::tui::dialogs::open_carts::OpenCarts;
use crate::tui::dialogs::picker::Picker;
use crate::tui::dialogs::prompt::Prompt;
use crate::tui::dialogs::question::QuestionDialog;
use crate::tui::dialogs::reserve::Reserve;
use crate::tui::dialogs::story::Story;
use crate::tui::dialogs::waiting::WaitingList;
use crate::tui::input::Key;
use crate::tui::screens::calendar::Calendar;
use crate::tui::screens::pay::Pay;
use crate::tui::shared::Shared;
use crate::tui::targets::Target;

/// Rows a page of a list.
const PAGE: isize = 10;

/// Open dialog.
#[derive(Debug)]
pub(crate) enum Modal {
    /// Payment.
    Pay(Box<Pay>),
    /// Prompt for one line.
    Prompt(Prompt),
    /// Question with a few answers.
    Question(QuestionDialog),
    /// List of keys or commands.
    Picker(Picker),
    /// Past messages.
    Messages(MessageList),
    /// List of open carts.
    OpenCarts(OpenCarts),
    /// Search.
    Find(Finder),
    /// History of a seat.
    Story(Story),
    /// Reservation.
    Reserve(Box<Reserve>),
    /// Waiting list.
    Waiting(Box<WaitingList>),
    /// Dialog of the calendar, stored there.
    Calendar,
}

impl Modal {
    /// Dialog that handles keys, clicks and answers.
    pub(crate) fn dialog<'a>(&'a mut self, calendar: &'a mut Calendar) -> &'a mut dyn Dialog {
        match self {
            Self::Pay(pay) => pay.as_mut(),
            Self::Question(question) => question,
            Self::Picker(picker) => picker,
            Self::Messages(list) => list,
            Self::OpenCarts(carts) => carts,
            Self::Find(find) => find,
            Self::Story(story) => story,
            Self::Reserve(reserve) => reserve.as_mut(),
            Self::Waiting(list) => list.as_mut(),
            Self::Calendar => calendar,
            Self::Prompt(prompt) => prompt,
        }
    }

    /// Dialog to draw.
    #[must_use]
    pub(crate) fn shown<'a>(&'a self, calendar: &'a Calendar) -> &'a dyn Dialog {
        match self {
            Self::Pay(pay) => pay.as_ref(),
            Self::Question(question) => question,
            Self::Picker(picker) => picker,
            Self::Messages(list) => list,
            Self::OpenCarts(carts) => carts,
            Self::Find(find) => find,
            Self::Story(story) => story,
            Self::Reserve(reserve) => reserve.as_ref(),
            Self::Waiting(list) => list.as_ref(),
            Self::Calendar => calendar,
            Self::Prompt(prompt) => prompt,
        }
    }
}

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

/// Draws keys with their labels in one line; a click on one presses it.
pub(crate) fn key_line(
    (area, keys): (Rect, &[(&str, &str)]),
    shared: &Shared,
    canvas: &mut Canvas<'_>,
) {
    let theme = &shared.theme;
    let mut rest = after(area, 1);
    for (key, words) in keys {
        let line = Line::from(vec![
            Span::styled((*key).to_owned(), theme.key),
            Span::styled(format!(" {words}"), theme.hint),
        ]);
        let columns = u16::try_from(line.width()).unwrap_or(rest.width);
        canvas.line(rest, &line);
        if let Ok(key) = key.parse() {
            let cells = Rect {
                width: columns.min(rest.width),
                ..rest
            };
            canvas.hit(cells, Target::Key(key));
        }
        rest = after(rest, columns.saturating_add(2));
    }
}
