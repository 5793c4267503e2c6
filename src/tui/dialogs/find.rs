//! Search dialog: finds anything by what people remember of it; Enter opens it.

use crossterm::event::KeyCode;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::domain::ids::PerformanceId;
use crate::domain::text::width;
use crate::engine::reads::find::{HITS_MAX, Hit, HitTarget, ReadFind};
use crate::tui::data::msg::{Query, Readable as _};
use crate::tui::data::reads::Needs;
use crate::tui::kit::canvas::{Canvas, centred, from_row, row};
use crate::tui::kit::context::{Context, Go};
use crate::tui::kit::dialog::{Dialog, Flow};
use crate::tui::kit::field::{Field, FieldEdit};
use crate::tui::kit::input::Key;
use crate::tui::kit::list::Cursor;
use crate::tui::kit::screen::Click;
use crate::tui::kit::shared::Shared;
use crate::tui::kit::table::{Column, Table};
use crate::tui::kit::targets::{RowList, Target};

/// Columns of a hit's kind.
const KIND: usize = 13;
/// The dialog is at most this wide.
const COLUMNS_MAX: u16 = 112;

/// Search text and its hits.
#[derive(Debug, Default)]
pub(crate) struct Finder {
    performance: Option<PerformanceId>,
    field: Field,
    /// Question whose hits are listed: until its answer is there, not the one that is typed.
    listed: Option<ReadFind>,
    cursor: Cursor<HitTarget>,
    entered: bool,
}

impl Finder {
    /// Looks for a text, beside the performance on the screen.
    pub(crate) fn new(performance: Option<PerformanceId>) -> Self {
        Self { performance, ..Self::default() }
    }

    /// Question for what is typed; none while nothing is.
    fn question(&self, shared: &Shared) -> Option<ReadFind> {
        let question = || ReadFind { text: self.field.text(), performance: self.performance, zone: shared.zone };
        (!self.field.is_empty()).then(question)
    }

    /// True while the hits are those of what was typed before.
    fn is_behind(&self, shared: &Shared) -> bool {
        self.listed != self.question(shared)
    }

    fn look(&mut self) {
        self.cursor = Cursor::default();
        self.entered = false;
        self.listed.take_if(|_| self.field.is_empty());
    }

    fn hits<'s>(&self, shared: &'s Shared) -> &'s [Hit] {
        let hits = self.listed.as_ref().and_then(|listed| shared.reads.get(listed));
        hits.map_or(&[], Vec::as_slice)
    }

    fn targets(&self, shared: &Shared) -> Vec<HitTarget> {
        self.hits(shared).iter().map(|hit| hit.target.clone()).collect()
    }

    /// Opens the row under the cursor.
    fn open(&mut self, context: &mut Context<'_>) -> Flow {
        let Some(target) = self.cursor.key().cloned().filter(|_| context.aims(&mut self.cursor)) else {
            return Flow::Stay;
        };
        Flow::Go(Go::Show(target))
    }
}

impl Dialog for Finder {
    fn key(&mut self, key: Key, context: &mut Context<'_>) -> Flow {
        if key.code == KeyCode::Esc {
            return Flow::Close;
        }
        if key.code == KeyCode::Enter {
            // typed ahead of the answer, it opens what is found first
            self.entered = self.question(context.shared).is_some_and(|typed| context.shared.reads.awaits(&typed));
            if self.entered {
                return Flow::Stay;
            }
            return self.open(context);
        }
        if !self.cursor.press(key, self.targets(context.shared)) && self.field.key(key) == FieldEdit::Changed {
            self.look();
        }
        Flow::Stay
    }

    fn click(&mut self, target: &Target, click: Click, context: &mut Context<'_>) -> Flow {
        if let Some(index) = target.dialog_row().filter(|_| !self.is_behind(context.shared)) {
            self.cursor.click((index, click), self.targets(context.shared));
            return self.open(context);
        }
        Flow::Stay
    }

    fn paste(&mut self, text: &str, _context: &mut Context<'_>) {
        self.field.paste(text);
        self.look();
    }

    fn needs(&self, shared: &Shared, needs: &mut Needs) {
        if let Some(question) = self.question(shared) {
            needs.typed(question);
        }
    }

    fn came(&mut self, question: &Query, context: &mut Context<'_>) -> Flow {
        let typed = self.question(context.shared).filter(|typed| typed.is(question));
        if typed.is_some() {
            self.listed = typed;
            self.cursor.keep(self.targets(context.shared));
            if std::mem::take(&mut self.entered) {
                return self.open(context);
            }
        }
        Flow::Stay
    }

    fn view(&self, shared: &Shared, area: Rect, canvas: &mut Canvas<'_>) {
        let theme = &shared.theme;
        let hits = self.hits(shared);
        let area = centred(area, COLUMNS_MAX, (hits.len() + 4).max(7));
        let found = match hits.len() {
            0 => String::new(),
            HITS_MAX => format!(" the first {HITS_MAX} "),
            count => format!(" {count} found "),
        };
        let inner = canvas.dialog_with(area, "Find", Line::styled(found, theme.hint));
        let room = usize::from(inner.width.saturating_sub(3));
        let typed = self.field.span(shared, room);
        let typed = Line::from(vec![Span::styled(" / ", theme.key), typed]);
        canvas.line(row(inner, 0), &typed);
        let list = from_row(inner, 2);
        if hits.is_empty() {
            let note = match self.question(shared) {
                None => "words of a name, a title, a day; a number, a phone, a seat".to_owned(),
                Some(typed) => shared.in_place_of(&typed).unwrap_or_else(|| "nothing found".to_owned()),
            };
            canvas.text(row(list, 0), &format!("   {note}"), theme.quiet);
        }
        let table = table(hits, list.width);
        let view = self.cursor.view(RowList::Dialog, list, self.targets(shared));
        let is_behind = self.is_behind(shared);
        view.draw(canvas, hits.iter().enumerate(), |hit| {
            let style = |style| if is_behind { theme.quiet } else { style };
            table.line([
                (hit.target.word(), theme.quiet),
                (&hit.name, style(theme.strong)),
                (&hit.what, style(theme.text)),
                (&hit.when, style(theme.text)),
            ])
        });
    }
}

/// Columns of the widest hit, less where there is no room.
fn table(hits: &[Hit], columns: u16) -> Table<4> {
    let widest = |of: fn(&Hit) -> &str| hits.iter().map(|hit| width(of(hit))).max().unwrap_or(0);
    let room = usize::from(columns).saturating_sub(3);
    let most = (room - KIND.min(room)) * 2 / 5;
    let columns = [
        Column::text("", KIND),
        Column::text("", 8).up_to(widest(|hit| &hit.name)),
        Column::text("", widest(|hit| &hit.what).min(most)),
        Column::text("", widest(|hit| &hit.when).min(most)),
    ];
    Table::new(columns, room)
}
