//! Finding anything by what people remember of it; Enter opens it.

use crossterm::event::KeyCode;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::domain::ids::PerformanceId;
use crate::domain::text::width;
use crate::engine::reads::find::{HITS_MAX, Hit, ReadFind};
use crate::tui::canvas::{Canvas, Frame, centred, row};
use crate::tui::dialogs::Cursor;
use crate::tui::field::{Field, FieldEdit};
use crate::tui::input::Key;
use crate::tui::msg::Query;
use crate::tui::remote::{Again, Remote};
use crate::tui::shared::{Context, Shared};
use crate::tui::targets::{List, Target};
use crate::tui::widgets::padded;

/// Columns of a hit's kind.
const KIND: usize = 13;
/// The dialog is at most this wide.
const COLUMNS_MAX: u16 = 112;

/// What somebody looks for, and what was found.
#[derive(Debug, Default)]
pub struct Finder {
    /// What was found.
    pub hits: Remote<Vec<Hit>>,
    performance: Option<PerformanceId>,
    field: Field,
    cursor: Cursor,
    entered: bool,
}

/// What a key did to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// It stays open.
    Open,
    /// It closes.
    Close,
    /// This is opened.
    Hit(Hit),
}

impl Finder {
    /// Looks for a text, beside the performance on the screen.
    #[must_use]
    pub fn new(performance: Option<PerformanceId>) -> Self {
        Self {
            performance,
            ..Self::default()
        }
    }

    /// A key.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "keys that mean nothing here are many"
    )]
    pub fn key(&mut self, key: Key, context: &mut Context<'_>) -> Found {
        let count = self.hits.value().map_or(0, Vec::len);
        match key.code {
            KeyCode::Esc => return Found::Close,
            KeyCode::Enter => return self.enter(),
            KeyCode::Up => self.cursor.step(-1, count),
            KeyCode::Down => self.cursor.step(1, count),
            KeyCode::PageUp => self.cursor.step(-10, count),
            KeyCode::PageDown => self.cursor.step(10, count),
            _ => {
                if self.field.key(key) == FieldEdit::Changed {
                    self.look(context);
                }
            }
        }
        Found::Open
    }

    /// Text that was pasted.
    pub fn paste(&mut self, text: &str, context: &mut Context<'_>) {
        self.field.paste(text);
        self.look(context);
    }

    fn look(&mut self, context: &mut Context<'_>) {
        self.cursor = Cursor::default();
        self.entered = false;
        if self.field.is_empty() {
            self.hits.forget();
        } else if let Some(ticket) = self.hits.want(&mut context.shared.tickets) {
            let text = self.field.text();
            context.read_with(
                ticket,
                Query::Find(ReadFind {
                    text,
                    performance: self.performance,
                    zone: context.shared.zone,
                }),
            );
        }
    }

    /// Enter opens what is selected; typed ahead of the answer, it opens what is found first.
    fn enter(&mut self) -> Found {
        if matches!(self.hits, Remote::Waiting(..) | Remote::Stale(..)) {
            self.entered = true;
            return Found::Open;
        }
        self.open(self.cursor.0)
    }

    /// Opens the row with this number.
    #[must_use]
    pub fn open(&self, index: usize) -> Found {
        self.hits
            .value()
            .and_then(|hits| hits.get(index))
            .map_or(Found::Open, |hit| Found::Hit(hit.clone()))
    }

    /// The answer came.
    pub fn came(&mut self, again: Again, context: &mut Context<'_>) -> Found {
        if again == Again::Yes {
            let entered = self.entered;
            self.look(context);
            self.entered = entered;
            return Found::Open;
        }
        if std::mem::take(&mut self.entered) {
            return self.open(0);
        }
        Found::Open
    }

    /// Draws it.
    pub fn view(&self, shared: &Shared, area: Rect, canvas: &mut Canvas<'_>) {
        let theme = &shared.theme;
        let hits = self.hits.value().map_or(&[][..], Vec::as_slice);
        let height = u16::try_from(hits.len().max(1) + 4)
            .unwrap_or(area.height)
            .min(area.height);
        let area = centred(area, COLUMNS_MAX, height.max(7));
        canvas.cover(area);
        let found = match hits.len() {
            0 => String::new(),
            HITS_MAX => format!(" the first {HITS_MAX} "),
            count => format!(" {count} found "),
        };
        let inner = canvas.panel(
            area,
            Frame {
                title: Line::styled(" Find ", theme.title),
                right: Line::styled(found, theme.hint),
                set: shared.glyphs.dialog,
                style: theme.focus,
            },
        );
        let room = usize::from(inner.width.saturating_sub(3));
        let typed = self.field.with_caret(shared.glyphs.caret, room);
        let typed = Line::from(vec![
            Span::styled(" / ", theme.key),
            Span::styled(typed, theme.field),
        ]);
        canvas.line(row(inner, 0), &typed);
        let list = Rect {
            y: inner.y + 2,
            height: inner.height.saturating_sub(2),
            ..inner
        };
        if hits.is_empty() {
            let asked = shared.still_to_come();
            let note = match &self.hits {
                Remote::Unasked => "words of a name, a title, a day; a number, a phone, a seat",
                Remote::Waiting(..) => &asked,
                Remote::Failed(problem) => problem,
                Remote::Here(_) | Remote::Stale(..) => "nothing found",
            };
            canvas.text(row(list, 0), &format!("   {note}"), theme.quiet);
        }
        let columns = Columns::of(hits, list.width);
        for (area, index, hit) in self.cursor.in_view(hits, list) {
            canvas.line(area, &columns.line(shared, (hit, index == self.cursor.0)));
            if index == self.cursor.0 {
                canvas.style(area, theme.selection);
            }
            canvas.hit(area, Target::Row(List::Dialog, index));
        }
    }
}

/// Columns of the widest hit, less where there is no room.
struct Columns {
    name: usize,
    what: usize,
    when: usize,
}

impl Columns {
    fn of(hits: &[Hit], columns: u16) -> Self {
        let widest =
            |of: fn(&Hit) -> &str| hits.iter().map(|hit| width(of(hit))).max().unwrap_or(0);
        let room = usize::from(columns).saturating_sub(3 + KIND + 4);
        let when = widest(|hit| &hit.when).min(room * 2 / 5);
        let what = widest(|hit| &hit.what).min(room * 2 / 5);
        Self {
            name: room
                .saturating_sub(what + when)
                .min(widest(|hit| &hit.name).max(8)),
            what,
            when,
        }
    }

    fn line(&self, shared: &Shared, (hit, on): (&Hit, bool)) -> Line<'static> {
        let theme = &shared.theme;
        Line::from(vec![
            Span::styled(if on { " > " } else { "   " }, theme.strong),
            Span::styled(padded(hit.target.word(), KIND), theme.quiet),
            Span::styled(format!("{}  ", padded(&hit.name, self.name)), theme.strong),
            Span::styled(format!("{}  ", padded(&hit.what, self.what)), theme.text),
            Span::styled(padded(&hit.when, self.when), theme.text),
        ])
    }
}
