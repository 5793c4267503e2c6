//! List: a cursor on the key of a row, and the lines in view with mark, selection, hit targets and scroll bar.
//!
//! A screen or dialog owns a [`Cursor`], hands it keys, actions and clicks with the keys of its rows, and draws by
//! [`Cursor::view`] and [`ListView::draw`]. Lines are built only where they are in view; the view follows from the
//! cursor alone, and a click moves the cursor without scrolling.

use crossterm::event::KeyCode;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::Line;
use strum::IntoEnumIterator;

use crate::tui::kit::action::Action;
use crate::tui::kit::canvas::{Canvas, Focus, last_columns};
use crate::tui::kit::input::Key;
use crate::tui::kit::screen::Click;
use crate::tui::kit::targets::{RowList, Target};
use crate::tui::widgets::first_in_view;

/// Rows a page of a list.
const PAGE: isize = 10;

/// The value after one, in the order of its kind; after the last, the first.
pub(crate) fn next<T: IntoEnumIterator + PartialEq + Default + Copy>(of: T) -> T {
    T::iter().skip_while(|one| *one != of).nth(1).unwrap_or_default()
}

/// Marks a line that belongs to no row; the mouse does not hit it.
pub(crate) const HEADING: usize = usize::MAX;

/// Line of a list, built when it is in view.
pub(crate) type LazyLine<'a> = Box<dyn Fn() -> Line<'static> + 'a>;

/// Line of a list that belongs to no row.
pub(crate) fn heading<'a>(words: impl Into<String>, style: Style) -> (usize, LazyLine<'a>) {
    let words = words.into();
    (HEADING, Box::new(move || Line::styled(words.clone(), style)))
}

/// Cursor in a list, by a key that its row keeps while other rows come and go.
///
/// When its row goes, the cursor is on the row in its place, and the first act after that is told so and does nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Cursor<K> {
    key: Option<K>,
    /// Index at the last look, where the cursor stays when its row is gone.
    index: usize,
    /// Row that the view follows after a click instead of the cursor's.
    by: Option<K>,
    stands: CursorBond,
}

/// Bond of the cursor with its row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum CursorBond {
    /// The row may go without a word: it was not seen yet, or an act of this desk may take it away.
    #[default]
    Loosely,
    /// The operator sees the row, and the next act is meant for it.
    Firmly,
    /// The row has gone, and neither a move nor an act came since.
    Elsewhere,
}

impl<K> Default for Cursor<K> {
    fn default() -> Self {
        Self { key: None, index: 0, by: None, stands: CursorBond::default() }
    }
}

impl<K> Cursor<K> {
    /// Cursor on the row with this key.
    pub(crate) fn on(key: K) -> Self {
        Self { key: Some(key), ..Self::default() }
    }

    /// Key of the row under the cursor.
    pub(crate) const fn key(&self) -> Option<&K> {
        self.key.as_ref()
    }

    /// True if an act is meant for the row under the cursor; false for the first one after its row has gone.
    pub(crate) fn aims(&mut self) -> bool {
        let aims = self.stands != CursorBond::Elsewhere;
        self.stands = if aims { CursorBond::Loosely } else { CursorBond::Firmly };
        aims
    }

    /// Has the next act told that it was meant for something else, which is gone.
    pub(crate) const fn miss(&mut self) {
        self.stands = CursorBond::Elsewhere;
    }
}

impl<K: Clone + PartialEq> Cursor<K> {
    /// Index of the cursor's row, or of the place where it was.
    pub(crate) fn place(&self, rows: &[K]) -> usize {
        self.find(rows).unwrap_or(self.index).min(rows.len().saturating_sub(1))
    }

    fn find(&self, rows: &[K]) -> Option<usize> {
        rows.iter().position(|row| Some(row) == self.key.as_ref())
    }

    /// Finds the row again among rows that have changed; when it is gone, takes the one in its place.
    pub(crate) fn keep(&mut self, rows: impl IntoIterator<Item = K>) {
        let rows: Vec<K> = rows.into_iter().collect();
        let is_gone = self.key.is_some() && self.find(&rows).is_none();
        let stands = match self.stands {
            _ if rows.is_empty() => CursorBond::Loosely,
            CursorBond::Firmly if is_gone => CursorBond::Elsewhere,
            CursorBond::Elsewhere => CursorBond::Elsewhere,
            CursorBond::Loosely | CursorBond::Firmly => CursorBond::Firmly,
        };
        let by = self.by.take();
        self.stand(self.place(&rows), rows);
        (self.by, self.stands) = (by, stands);
    }

    /// Puts the cursor on a row, or on the last.
    pub(crate) fn stand(&mut self, index: usize, rows: Vec<K>) {
        self.index = index.min(rows.len().saturating_sub(1));
        self.key = rows.into_iter().nth(self.index);
        (self.by, self.stands) = (None, CursorBond::Firmly);
    }

    /// Moves the cursor by some rows.
    pub(crate) fn step(&mut self, by: isize, rows: impl IntoIterator<Item = K>) {
        let rows: Vec<K> = rows.into_iter().collect();
        self.stand(self.place(&rows).saturating_add_signed(by), rows);
    }

    /// Moves the cursor by a list key; false for any other key.
    #[expect(clippy::wildcard_enum_match_arm, reason = "few keys move in a list")]
    pub(crate) fn press(&mut self, key: Key, rows: impl IntoIterator<Item = K>) -> bool {
        let action = match key.code {
            KeyCode::Up => Action::Up,
            KeyCode::Down => Action::Down,
            KeyCode::PageUp => Action::PageUp,
            KeyCode::PageDown => Action::PageDown,
            _ => return false,
        };
        self.act(action, rows)
    }

    /// Moves the cursor by an action; false for any other action.
    #[expect(clippy::wildcard_enum_match_arm, reason = "few actions move in a list")]
    pub(crate) fn act(&mut self, action: Action, rows: impl IntoIterator<Item = K>) -> bool {
        let by = match action {
            Action::Up => -1,
            Action::Down => 1,
            Action::PageUp => -PAGE,
            Action::PageDown => PAGE,
            Action::First => isize::MIN,
            Action::Last => isize::MAX,
            _ => return false,
        };
        self.step(by, rows);
        true
    }

    /// Moves the cursor to a row that was clicked, or by the wheel; true for a double click, which opens the row,
    /// unless another row has come under the pointer meanwhile.
    pub(crate) fn click(&mut self, (index, click): (usize, Click), rows: impl IntoIterator<Item = K>) -> bool {
        match click {
            Click::Single | Click::Double => {
                let rows: Vec<K> = rows.into_iter().collect();
                let Some(row) = rows.get(index) else {
                    return false;
                };
                let is_again = Some(row) == self.key.as_ref();
                let by = self.by.take().or_else(|| rows.get(self.place(&rows)).cloned());
                self.stand(index, rows);
                self.by = by;
                return is_again && click == Click::Double;
            }
            Click::WheelUp => self.step(-1, rows),
            Click::WheelDown => self.step(1, rows),
            Click::Drag | Click::Release => {}
        }
        false
    }

    /// The list in an area, with the keyboard focus.
    pub(crate) fn view(&self, list: RowList, area: Rect, rows: impl IntoIterator<Item = K>) -> ListView {
        let rows: Vec<K> = rows.into_iter().collect();
        let by = self.by.as_ref().and_then(|by| rows.iter().position(|row| row == by));
        ListView { list, area, cursor: Some(self.place(&rows)), by, focus: Focus::Here }
    }
}

/// List to be drawn.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ListView {
    /// List that the hit targets name.
    pub list: RowList,
    /// Area of the lines.
    pub area: Rect,
    /// Index of the row under the cursor; none in a list without one.
    pub cursor: Option<usize>,
    /// Index of the row that the view follows instead, as long as the cursor is in view.
    pub by: Option<usize>,
    /// With the focus the row under the cursor is highlighted.
    pub focus: Focus,
}

impl ListView {
    /// Draws the lines in view, each with the index of its row, or [`HEADING`]; a row may have several lines. The
    /// first column is the cursor's mark.
    pub(crate) fn draw<'l, T>(
        &self,
        canvas: &mut Canvas<'_>,
        lines: impl IntoIterator<Item = (usize, T)>,
        line_of: impl Fn(T) -> Line<'l>,
    ) {
        let lines: Vec<(usize, T)> = lines.into_iter().collect();
        let (count, room) = (lines.len(), usize::from(self.area.height));
        let first = self.first(&lines, room);
        let mut marked = None;
        for ((index, what), cells) in lines.into_iter().skip(first).zip(self.area.rows()) {
            canvas.line(cells, &line_of(what));
            if index == HEADING {
                continue;
            }
            canvas.hit(cells, Target::Row(self.list, index));
            if self.cursor == Some(index) {
                if marked.replace(index).is_none() {
                    canvas.text(cells, ">", canvas.look.theme.strong);
                }
                if self.focus == Focus::Here {
                    canvas.select(cells);
                }
            }
        }
        if count > room {
            canvas.scroll_bar(last_columns(self.area, 1), first, count);
        }
    }

    /// First line in view.
    fn first<T>(&self, lines: &[(usize, T)], room: usize) -> usize {
        let last_of = |wanted: Option<usize>| {
            let is_of = |(index, _): &(usize, T)| Some(*index) == wanted;
            lines.iter().rposition(is_of).unwrap_or(0)
        };
        let cursor = last_of(self.cursor);
        let first = |at| first_in_view(at, lines.len(), room);
        let stands = self.by.map(|by| first(last_of(Some(by))));
        let is_in_view = |first: &usize| (*first..first + room).contains(&cursor);
        stands.filter(is_in_view).unwrap_or_else(|| first(cursor))
    }
}

#[cfg(test)]
mod tests {
    use ratatui::layout::Rect;
    use ratatui::text::{Line, Span};

    use super::{Cursor, ListView};
    use crate::tui::kit::action::Action;
    use crate::tui::kit::canvas::Canvas;
    use crate::tui::kit::screen::Click;
    use crate::tui::kit::targets::{RowList, Target};
    use crate::tui::kit::theme::GlyphSet;
    use crate::tui::widgets::testing::drawn;

    const LIST: RowList = RowList::Receipts;

    fn draw(cursor: &Cursor<usize>, area: Rect, canvas: &mut Canvas<'_>) {
        let rows = (0..20).map(|at| (at, at));
        let view = cursor.view(LIST, area, 0..20);
        view.draw(canvas, rows, |at| Line::from(format!(" row {at}")));
    }

    #[test]
    fn the_row_under_the_cursor_is_in_view_and_the_mouse_hits_rows() {
        for at in 0..20 {
            let (shown, targets) = drawn((12, 5), GlyphSet::Unicode, |_, area, canvas| {
                draw(&Cursor::on(at), area, canvas);
            });
            let wanted = format!(">row {at} ");
            assert!(shown.iter().any(|line| line.starts_with(&wanted)), "{at} {shown:#?}");
            assert!(targets.find(&Target::Row(LIST, at)).is_some());
        }
    }

    /// The second click of a double click hit another row, after the first had scrolled the list.
    #[test]
    fn a_click_does_not_scroll() {
        let mut cursor = Cursor::<usize>::default();
        let rows = |cursor: &Cursor<usize>| {
            let (shown, _) = drawn((12, 5), GlyphSet::Unicode, |_, area, canvas| {
                draw(cursor, area, canvas);
            });
            let rows = shown.iter().map(|line| line[1..7].trim().to_owned());
            rows.collect::<Vec<String>>()
        };
        let before = rows(&cursor);
        assert!(!cursor.click((4, Click::Single), 0..20));
        assert_eq!(rows(&cursor), before);
        assert!(cursor.click((4, Click::Double), 0..20));
        assert!(cursor.act(Action::Down, 0..20));
        assert_ne!(rows(&cursor), before);
        assert_eq!(cursor.key(), Some(&5));
    }

    #[test]
    fn the_cursor_stays_on_its_row_or_in_its_place() {
        let mut cursor = Cursor::on("c");
        for (rows, key) in [
            (&["a", "b", "c", "d"][..], Some("c")),
            (&["b", "c", "d"], Some("c")),
            (&["b", "d"], Some("d")),
            (&["b"], Some("b")),
            (&[], None),
            (&["e"], Some("e")),
        ] {
            cursor.keep(rows.iter().copied());
            assert_eq!(cursor.key().copied(), key);
        }
    }

    /// An act hit the row that had come into the place of the one that it was meant for.
    #[test]
    fn the_first_act_after_the_row_has_gone_is_for_nothing() {
        let mut cursor = Cursor::on("b");
        cursor.keep(["a", "b", "c"]);
        cursor.keep(["a", "c"]);
        assert!(cursor.key() == Some(&"c") && !cursor.aims(), "b went by itself");
        assert!(cursor.aims(), "the second act is for c");
        cursor.keep(["a", "d"]);
        assert!(cursor.key() == Some(&"d") && cursor.aims(), "an act on c took it away");
        cursor.keep(["a", "d"]);
        cursor.keep(["a"]);
        cursor.step(-1, ["a"]);
        assert!(cursor.aims(), "the operator moved");
        cursor.keep(["a"]);
        cursor.keep([]);
        cursor.keep(["e"]);
        assert!(cursor.aims(), "nothing was under the cursor");
        let mut cursor = Cursor::on("b");
        cursor.keep(["a"]);
        assert!(cursor.aims(), "b was never seen");
    }

    #[test]
    fn a_double_click_opens_only_the_row_of_its_first_click() {
        let mut cursor = Cursor::default();
        cursor.click((1, Click::Single), ["a", "b", "c"]);
        assert!(!cursor.click((1, Click::Double), ["b", "c"]), "c came under the pointer");
        assert!(cursor.click((1, Click::Double), ["b", "c"]));
    }

    #[test]
    fn a_list_that_fits_has_no_scroll_bar() {
        let (shown, _) = drawn((12, 20), GlyphSet::Unicode, |_, area, canvas| {
            draw(&Cursor::on(3), area, canvas);
        });
        assert_eq!(shown[3], ">row 3");
        assert_eq!(shown[19], " row 19");
    }

    /// The bar of the selected row lost the colour that tells how full it is.
    #[test]
    fn the_bar_of_the_selected_row_keeps_its_colours() {
        drawn((12, 1), GlyphSet::Unicode, |look, area, canvas| {
            let bar = look.theme.bar_high;
            let line = || Line::from(vec![Span::raw("row "), Span::styled("██", bar)]);
            let view: ListView = Cursor::on(0).view(LIST, area, 0..1);
            view.draw(canvas, [(0, ())], |()| line());
            let colours = |x| {
                let cell = &canvas.buffer[(x, 0)];
                (Some(cell.fg), Some(cell.bg))
            };
            let selection = look.theme.selection;
            assert_eq!(colours(4), (bar.fg, bar.bg));
            assert_eq!(colours(1), (selection.fg, selection.bg));
        });
    }
}
