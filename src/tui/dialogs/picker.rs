//! Keys of a place, or every action of every screen in words: filtered while typed, Enter runs one.

use std::cmp::Reverse;
use std::fmt;

use crossterm::event::KeyCode;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::domain::fuzzy::Fuzzy;
use crate::domain::text::width;
use crate::tui::kit::action::Action;
use crate::tui::kit::canvas::{Canvas, centred, from_row, row};
use crate::tui::kit::context::{Context, Go};
use crate::tui::kit::dialog::{Dialog, Flow};
use crate::tui::kit::field::{Field, FieldEdit};
use crate::tui::kit::input::Key;
use crate::tui::kit::keymap::{KeyEntry, KeyPlace, Keymap};
use crate::tui::kit::list::{Cursor, HEADING};
use crate::tui::kit::screen::Click;
use crate::tui::kit::shared::Shared;
use crate::tui::kit::targets::{RowList, Target};
use crate::tui::widgets::padded;

/// Columns of the keys of a place.
const KEYS: usize = 15;

/// Words of the sale that a typed line makes, or why it makes none.
type SaleWords = dyn Fn(&str) -> Result<String, String>;

/// Sale that a typed line makes, in words.
pub(crate) struct SaleLine(Box<SaleWords>);

impl SaleLine {
    /// As a function of the line.
    pub(crate) fn new(words: impl Fn(&str) -> Result<String, String> + 'static) -> Self {
        Self(Box::new(words))
    }
}

impl fmt::Debug for SaleLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SaleLine")
    }
}

/// List to choose from.
#[derive(Debug)]
pub(crate) enum Shows {
    /// The keys of a place.
    Keys,
    /// Actions of this place, then those of others, below a heading of where they live; a line that begins with a number
    /// sells.
    Commands(SaleLine),
}

/// A filtered list of actions.
#[derive(Debug)]
pub(crate) struct Picker {
    shows: Shows,
    place: KeyPlace,
    field: Field,
    cursor: Cursor<Command>,
}

/// Action, and the place where it is done.
type Command = (KeyPlace, Action);

/// An action, or the place that heads its actions.
type PickerLine<'a> = Result<(KeyPlace, &'a KeyEntry), KeyPlace>;

impl Picker {
    /// The list for a place.
    pub(crate) fn new(shows: Shows, place: KeyPlace) -> Self {
        Self { shows, place, field: Field::default(), cursor: Cursor::default() }
    }

    const fn has_commands(&self) -> bool {
        matches!(self.shows, Shows::Commands(_))
    }

    fn rows<'a>(&self, keymap: &'a Keymap) -> Vec<(KeyPlace, &'a KeyEntry)> {
        let typed = self.field.text();
        let mut fuzzy = Fuzzy::of(&typed);
        let others = KeyPlace::listed().filter(|place| self.has_commands() && *place != self.place);
        let others = others.flat_map(|place| keymap.of(place).map(move |entry| (place, entry)));
        let others = others.filter(|(_, entry)| entry.help != "close");
        let all = keymap.all(self.place).map(|entry| (self.place, entry)).chain(others);
        let scored = all.filter_map(|(place, entry)| {
            let is_key = entry.keys.iter().any(|key| key.to_string() == typed);
            let is_name = entry.action.word().starts_with(&typed) && !typed.is_empty();
            let help = keymap.fill(place, &entry.help);
            let score = fuzzy.score(&format!("{} {help}", entry.action.word()));
            let score = score.or_else(|| is_key.then_some(0))?;
            Some((Reverse((is_key && place == self.place, is_name, score)), (place, entry)))
        });
        let mut scored: Vec<_> = scored.collect();
        scored.sort_by_key(|(score, _)| *score);
        let mut rows: Vec<_> = scored.into_iter().map(|(_, row)| row).collect();
        if self.has_commands() {
            // the place of the best row comes first
            let places: Vec<KeyPlace> = rows.iter().map(|(_, entry)| entry.place).collect();
            rows.sort_by_key(|(_, entry)| places.iter().position(|place| *place == entry.place));
        }
        rows
    }

    /// Rows with their numbers; commands below the place where they live.
    fn lines<'a>(&self, rows: Vec<(KeyPlace, &'a KeyEntry)>) -> Vec<(usize, PickerLine<'a>)> {
        let (mut lines, mut before) = (Vec::new(), None);
        for (index, (place, entry)) in rows.into_iter().enumerate() {
            if self.has_commands() && before.replace(entry.place) != Some(entry.place) {
                lines.push((HEADING, Err(entry.place)));
            }
            lines.push((index, Ok((place, entry))));
        }
        lines
    }

    fn commands(&self, keymap: &Keymap) -> Vec<Command> {
        self.rows(keymap).iter().map(|(place, entry)| (*place, entry.action)).collect()
    }

    /// Runs the row under the cursor; a line that begins with a number sells.
    fn run(&self, keymap: &Keymap) -> Flow {
        if let Some(sale) = self.sale() {
            return sale.map_or(Flow::Stay, |_| Flow::Go(Go::SellLine(self.field.text())));
        }
        let commands = self.commands(keymap);
        let chosen = commands.get(self.cursor.place(&commands)).copied();
        chosen.map_or(Flow::Stay, |(place, action)| {
            Flow::Go(if place == self.place { Go::Act(action) } else { Go::ActAt(place, action) })
        })
    }

    /// Words of the sale that the line makes, or why it makes none; nothing for a line that looks for commands.
    fn sale(&self) -> Option<Result<String, String>> {
        let text = self.field.text();
        let Shows::Commands(SaleLine(words)) = &self.shows else { return None };
        text.split_whitespace().next()?.parse::<u32>().ok().map(|_| words(&text))
    }

    /// Text in place of the list: the sale that Enter makes, or that nothing matches.
    fn instead(&self, rows: &[(KeyPlace, &KeyEntry)]) -> Option<String> {
        let none = if self.has_commands() {
            "No command has these words. To sell, begin with how many seats: 4 stalls"
        } else {
            "No key here has these words"
        };
        let sale = self.sale().map(|sale| sale.unwrap_or_else(|problem| problem));
        let words = sale.or_else(|| rows.is_empty().then(|| none.to_owned()))?;
        Some(format!(" {words}"))
    }

    /// Row of an action: its keys and its help; of a command its help, and its keys at the right.
    fn line(&self, shared: &Shared, (place, entry): (KeyPlace, &KeyEntry), columns: u16) -> Line<'static> {
        let theme = &shared.theme;
        let keys: Vec<String> = entry.keys.iter().map(ToString::to_string).collect();
        let keys = keys.join(" ");
        let (left, right) = if self.has_commands() {
            ("   ".to_owned(), format!(" {keys} "))
        } else {
            (format!(" {keys:<KEYS$} "), String::new())
        };
        let room = usize::from(columns).saturating_sub(width(&left) + width(&right));
        let help = padded(&shared.keymap.fill(place, &entry.help), room);
        Line::from(vec![Span::styled(left, theme.key), Span::styled(help, theme.text), Span::styled(right, theme.key)])
    }
}

impl Dialog for Picker {
    fn key(&mut self, key: Key, context: &mut Context<'_>) -> Flow {
        let keymap = &context.shared.keymap;
        if key.code == KeyCode::Esc {
            return Flow::Close;
        }
        if key.code == KeyCode::Enter {
            return self.run(keymap);
        }
        if !self.cursor.press(key, self.commands(keymap)) && self.field.key(key) == FieldEdit::Changed {
            self.cursor = Cursor::default();
        }
        Flow::Stay
    }

    fn click(&mut self, target: &Target, click: Click, context: &mut Context<'_>) -> Flow {
        if let Some(index) = target.dialog_row() {
            let keymap = &context.shared.keymap;
            self.cursor.click((index, click), self.commands(keymap));
            return self.run(keymap);
        }
        Flow::Stay
    }

    fn paste(&mut self, text: &str, _context: &mut Context<'_>) {
        self.field.paste(text);
        self.cursor = Cursor::default();
    }

    fn view(&self, shared: &Shared, area: Rect, canvas: &mut Canvas<'_>) {
        let theme = &shared.theme;
        let rows = self.rows(&shared.keymap);
        let instead = self.instead(&rows);
        let lines = self.lines(rows);
        let area = centred(area, 92, (lines.len() + 5).max(8));
        let title = if self.has_commands() {
            "Commands, or one line to sell: 4, 2 aisle, 3 stalls 38".to_owned()
        } else {
            format!("Keys | {}", self.place.title())
        };
        let inner = canvas.dialog(area, &title, " Enter runs it ");
        let typed = Line::from(vec![
            Span::styled(" : ", theme.key),
            self.field.span(shared, usize::from(inner.width.saturating_sub(3))),
        ]);
        canvas.line(row(inner, 0), &typed);
        let list = from_row(inner, 2);
        if let Some(words) = instead {
            canvas.line(row(list, 0), &Line::styled(words, theme.text));
            return;
        }
        let view = self.cursor.view(RowList::Dialog, list, self.commands(&shared.keymap));
        view.draw(canvas, lines, |line| match line {
            Ok(row) => self.line(shared, row, list.width.saturating_sub(1)),
            Err(place) => Line::styled(format!(" {}", place.title()), theme.title),
        });
    }
}
