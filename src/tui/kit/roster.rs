//! Lists at the counter: typing filters the rows, Enter acts on one of them, and the list stays for the next in line.

use std::fmt::Debug;

use crossterm::event::KeyCode;
use ratatui::layout::{Margin, Rect};
use ratatui::text::{Line, Span};

use crate::domain::text::folded;
use crate::engine::Failure;
use crate::tui::data::msg::{Query, Readable};
use crate::tui::data::reads::Needs;
use crate::tui::kit::canvas::{Canvas, centred, last_row, row};
use crate::tui::kit::context::Context;
use crate::tui::kit::dialog::{Dialog, Flow};
use crate::tui::kit::field::{Field, FieldEdit};
use crate::tui::kit::input::Key;
use crate::tui::kit::list::Cursor;
use crate::tui::kit::screen::Click;
use crate::tui::kit::shared::Shared;
use crate::tui::kit::table::{Column, Table};
use crate::tui::kit::targets::{RowList, Target};

/// Most columns of a list.
const COLUMNS_MAX: u16 = 110;

/// Contents of a list at the counter.
pub(crate) trait Roster: Debug + 'static {
    /// Question for its rows.
    type Question: Readable<Value = Vec<Self::Row>>;
    type Row: Clone + 'static;
    /// Key of a row.
    type Key: Clone + PartialEq + Debug + 'static;

    /// Keys of the key bar, with their effect.
    const KEYS: &'static [(&'static str, &'static str)];
    const COLUMNS: [Column; 6];

    fn question(&self) -> Self::Question;
    fn title(&self, shared: &Shared) -> String;
    fn key(row: &Self::Row) -> Self::Key;
    /// Text that typed words are looked for in.
    fn text(row: &Self::Row) -> String;
    /// Rank of a row: those with something to do first.
    fn rank(row: &Self::Row) -> u8;
    fn cells(row: &Self::Row, shared: &Shared) -> [String; 6];
    /// Effect of Enter on a row.
    fn enter(row: &Self::Row) -> &'static str;
    /// Acts on a row; returns the number that the answer will carry.
    fn press(&mut self, row: &Self::Row, context: &mut Context<'_>) -> Result<u64, Flow>;
    /// Words below the list.
    fn sum(rows: &[&Self::Row]) -> String;

    /// Turns to the next of several lists.
    fn turn(&mut self) {}

    /// Follows up a refused act.
    fn refused(&mut self, failure: &Failure, context: &mut Context<'_>) -> Flow {
        context.refuse(failure);
        Flow::Stay
    }
}

/// A list at the counter, with what is typed.
#[derive(Debug)]
pub(crate) struct RosterDialog<R: Roster> {
    roster: R,
    field: Field,
    cursor: Cursor<R::Key>,
    flight: Option<u64>,
    /// Enter was pressed before the rows were there.
    entered: bool,
}

impl<R: Roster> RosterDialog<R> {
    pub(crate) fn new(roster: R) -> Self {
        Self { roster, field: Field::default(), cursor: Cursor::default(), flight: None, entered: false }
    }

    /// Rows that have all the words that are typed.
    fn rows<'s>(&self, shared: &'s Shared) -> Vec<&'s R::Row> {
        let typed = folded(&self.field.text());
        let is_meant = |row: &&R::Row| {
            let text = folded(&R::text(row));
            typed.split_whitespace().all(|word| text.contains(word))
        };
        let all = shared.reads.rows(&self.roster.question());
        let mut rows: Vec<&R::Row> = all.iter().filter(is_meant).collect();
        rows.sort_by_key(|row| R::rank(row));
        rows
    }

    fn keys(&self, shared: &Shared) -> Vec<R::Key> {
        self.rows(shared).into_iter().map(R::key).collect()
    }

    fn here<'s>(&self, shared: &'s Shared) -> Option<&'s R::Row> {
        self.rows(shared).into_iter().find(|row| Some(&R::key(row)) == self.cursor.key())
    }

    /// Acts on the row under the cursor; the next letter typed begins another name.
    fn press_here(&mut self, context: &mut Context<'_>) -> Flow {
        self.entered = is_behind(&self.roster.question(), context.shared);
        if self.entered || self.flight.is_some() || !context.aims(&mut self.cursor) {
            return Flow::Stay;
        }
        let Some(row) = self.here(context.shared).cloned() else {
            return Flow::Stay;
        };
        match self.roster.press(&row, context) {
            Ok(number) => {
                self.flight = Some(number);
                self.field = Field::with(&self.field.text());
                Flow::Stay
            }
            Err(flow) => flow,
        }
    }

    /// Puts the cursor on the first of the rows for another text.
    fn look(&mut self, shared: &Shared) {
        self.cursor = Cursor::default();
        self.cursor.keep(self.keys(shared));
    }
}

/// True until the rows are there for the first time.
fn is_behind<Q: Readable>(question: &Q, shared: &Shared) -> bool {
    shared.reads.get(question).is_none() && shared.reads.awaits(question)
}

impl<R: Roster> Dialog for RosterDialog<R> {
    fn key_bar(&self) -> &'static [(&'static str, &'static str)] {
        R::KEYS
    }

    fn enter(&self, shared: &Shared) -> Option<String> {
        self.here(shared).map(|row| R::enter(row).to_owned())
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "few keys are no text")]
    fn key(&mut self, key: Key, context: &mut Context<'_>) -> Flow {
        match key.code {
            KeyCode::Esc => return Flow::Close,
            KeyCode::Enter => return self.press_here(context),
            KeyCode::Tab => {
                self.roster.turn();
                self.look(context.shared);
            }
            _ if self.cursor.press(key, self.keys(context.shared)) => {}
            _ if self.field.key(key) == FieldEdit::Changed => self.look(context.shared),
            _ => {}
        }
        Flow::Stay
    }

    fn click(&mut self, target: &Target, click: Click, context: &mut Context<'_>) -> Flow {
        match target.dialog_row() {
            Some(index) if self.cursor.click((index, click), self.keys(context.shared)) => self.press_here(context),
            Some(_) | None => Flow::Stay,
        }
    }

    fn paste(&mut self, text: &str, context: &mut Context<'_>) {
        self.field.paste(text);
        self.look(context.shared);
    }

    fn needs(&self, _shared: &Shared, needs: &mut Needs) {
        needs.of(self.roster.question());
    }

    fn came(&mut self, question: &Query, context: &mut Context<'_>) -> Flow {
        if self.roster.question().is(question) {
            self.cursor.keep(self.keys(context.shared));
            if std::mem::take(&mut self.entered) {
                return self.press_here(context);
            }
        }
        Flow::Stay
    }

    fn flight(&mut self) -> Option<&mut Option<u64>> {
        Some(&mut self.flight)
    }

    fn acted(&mut self, done: Result<(), &Failure>, context: &mut Context<'_>) -> Flow {
        done.map_or_else(|failure| self.roster.refused(failure, context), |()| Flow::Stay)
    }

    fn view(&self, shared: &Shared, area: Rect, canvas: &mut Canvas<'_>) {
        let (theme, rows) = (&shared.theme, self.rows(shared));
        let area = centred(area, COLUMNS_MAX, (rows.len() + 7).max(9));
        let inner = canvas.dialog(area, &self.roster.title(shared), "");
        let columns = usize::from(inner.width).saturating_sub(4);
        let typed = Line::from(vec![Span::styled(" / ", theme.key), self.field.span(shared, columns)]);
        canvas.line(row(inner, 0), &typed);
        let none = || if self.field.is_empty() { "Nobody is on the list" } else { "Nobody is called so" }.to_owned();
        if let Some(note) = shared.in_place_of(&self.roster.question()).or_else(|| rows.is_empty().then(none)) {
            canvas.text(row(inner, 2), &format!("  {note}"), theme.quiet);
            return;
        }
        let table = Table::new(R::COLUMNS, columns);
        canvas.line(row(inner, 2), &table.heading(theme.quiet));
        canvas.text(last_row(inner), &format!("  {}", R::sum(&rows)), theme.text);
        let list = inner.inner(Margin::new(0, 1));
        let list = Rect { y: list.y + 2, height: list.height.saturating_sub(2), ..list };
        let view = self.cursor.view(RowList::Dialog, list, rows.iter().map(|row| R::key(row)));
        view.draw(canvas, rows.into_iter().enumerate(), |row| {
            let style = if R::rank(row) < 2 { theme.text } else { theme.quiet };
            table.line(R::cells(row, shared).map(|cell| (cell, style)))
        });
    }
}
