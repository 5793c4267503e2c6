//! Prompt: one line to type at the foot of the screen. Every character is text; Enter does it, Esc closes it.

use std::fmt;

use crossterm::event::{KeyCode, KeyModifiers};
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::domain::ids::ReceiptId;
use crate::domain::receipt::Papers;
use crate::domain::text::width;
use crate::engine::ops::PrintPapers;
use crate::tui::data::ticket::TicketOwner;
use crate::tui::kit::canvas::Canvas;
use crate::tui::kit::context::{Context, Go};
use crate::tui::kit::dialog::{Dialog, Flow};
use crate::tui::kit::field::{Field, FieldEdit};
use crate::tui::kit::input::Key;
use crate::tui::kit::line::{PromptPurpose, Typed, TypedLine};
use crate::tui::kit::shared::Shared;
use crate::words::printing::Printer;

/// Keys and their effects.
type KeyWords = &'static [(&'static str, &'static str)];

const GO: KeyWords = &[("Enter", "go"), ("Up", "as before"), ("Esc", "close")];

const PRINT: PromptWords = (
    "print the tickets to",
    "|lp   tickets.txt   nothing: only show them",
    &[("Enter", "print, it is counted"), ("Esc", "close")],
);

/// Label, example input and keys.
pub(crate) type PromptWords = (&'static str, &'static str, KeyWords);

impl PromptPurpose {
    const fn words(self) -> PromptWords {
        match self {
            Self::Best => (
                "best seats",
                "how many?   4   2 aisle   3 stalls 38",
                &[("Enter", "pick"), ("Tab", "next choice"), ("Up", "as before"), ("Esc", "close")],
            ),
            Self::GoTo => (
                "go to",
                "f9   f9-12   112 14 21   fri   27 nov 14:00",
                &[("Enter", "go"), ("Tab", "take the seats, to pay"), ("Up", "as before"), ("Esc", "close")],
            ),
            Self::Day => ("go to", "fri   27   27 nov   2026-12-01", GO),
            Self::Order => ("go to", "457   till-2/457   fri   19 nov   today", GO),
            Self::FreeTime => (
                "find free",
                "2h   90m   3 nights   any 8 for 5 nights",
                &[("Enter", "mark it"), ("Tab", "next choice"), ("Up", "as before"), ("Esc", "close")],
            ),
            Self::Time => ("go to", "fri   27 nov 14:00   tomorrow   studio", GO),
            Self::Filter => (
                "show only",
                "room   studio   lotus   free   out   guests>=3   (empty: all)",
                &[("Enter", "show"), ("Esc", "close")],
            ),
        }
    }
}

/// Deed of Enter with the typed line; a problem keeps the prompt open.
type Entered = Box<dyn FnMut(&str, &mut Context<'_>) -> Result<(), String>>;

/// Receiver of the typed line.
enum Then {
    Screen(PromptPurpose),
    Run(Entered),
}

impl fmt::Debug for Then {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Then")
    }
}

/// One line to type.
#[derive(Debug)]
pub(crate) struct Prompt {
    words: PromptWords,
    then: Then,
    line: TypedLine,
    /// Text typed here last time; Up brings it back.
    before: String,
}

impl Prompt {
    /// Opens a prefilled prompt whose line the screen takes.
    pub(crate) fn ask(purpose: PromptPurpose, text: &str, context: &mut Context<'_>) {
        context.open(Self::with((purpose.words(), Then::Screen(purpose)), text, context.shared));
    }

    /// A prefilled prompt, with what Enter does.
    pub(crate) fn new(
        words: PromptWords,
        text: &str,
        shared: &Shared,
        entered: impl FnMut(&str, &mut Context<'_>) -> Result<(), String> + 'static,
    ) -> Self {
        Self::with((words, Then::Run(Box::new(entered))), text, shared)
    }

    /// Asks for a printer for tickets; their print is counted, and without a printer they are only shown.
    pub(crate) fn tickets_again(receipt: ReceiptId, shared: &Shared) -> Self {
        let printer = shared.printer.as_ref().map(ToString::to_string).unwrap_or_default();
        Self::new(PRINT, &printer, shared, move |to, context| {
            match Printer::named(to) {
                Some(printer) => {
                    let print = PrintPapers::new(receipt, Papers::Tickets);
                    context.run(TicketOwner::Counted(printer, print.clone().into()), print);
                }
                None => context.note("Shown, not printed; that is not counted"),
            }
            Ok(())
        })
    }

    fn with((words, then): (PromptWords, Then), text: &str, shared: &Shared) -> Self {
        Self {
            words,
            then,
            line: TypedLine {
                field: Field::with(text),
                note: String::new(),
                lit: String::new(),
                changed_at: shared.now,
            },
            before: shared.typed_before.get(words.0).cloned().unwrap_or_default(),
        }
    }

    fn typed(&mut self, typed: Typed, context: &mut Context<'_>) -> Flow {
        match (&mut self.then, typed) {
            (Then::Screen(_), _) => context.go(Go::Typed(typed)),
            (Then::Run(entered), Typed::Entered) => match entered(&self.line.field.text(), context) {
                Ok(()) => return Flow::Close,
                Err(problem) => self.line.note = problem,
            },
            (Then::Run(_), _) => self.line.note.clear(),
        }
        Flow::Stay
    }
}

impl Dialog for Prompt {
    fn key_bar(&self) -> KeyWords {
        self.words.2
    }

    fn at_foot(&self) -> bool {
        true
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "few keys mean something")]
    fn key(&mut self, key: Key, context: &mut Context<'_>) -> Flow {
        let chooses =
            matches!(self.then, Then::Screen(PromptPurpose::Best | PromptPurpose::FreeTime | PromptPurpose::GoTo));
        let typed = match key.code {
            KeyCode::Esc => return Flow::Close,
            KeyCode::Enter => Typed::Entered,
            KeyCode::Tab if chooses && key.modifiers.contains(KeyModifiers::SHIFT) => Typed::Previous,
            KeyCode::Tab if chooses => Typed::Next,
            KeyCode::Up if self.line.field.is_empty() => {
                self.line.field.paste(&self.before);
                Typed::Changed
            }
            _ if self.line.field.key(key) == FieldEdit::Changed => Typed::Changed,
            _ => return Flow::Stay,
        };
        self.typed(typed, context)
    }

    fn wheel(&mut self, _code: KeyCode, _context: &mut Context<'_>) -> Flow {
        Flow::Stay
    }

    fn paste(&mut self, text: &str, context: &mut Context<'_>) {
        self.line.field.paste(text);
        self.typed(Typed::Changed, context);
    }

    fn line(&mut self) -> Option<(PromptPurpose, &mut TypedLine)> {
        match self.then {
            Then::Screen(purpose) => Some((purpose, &mut self.line)),
            Then::Run(_) => None,
        }
    }

    fn closed(&self, shared: &mut Shared) {
        let text = self.line.field.text();
        if !text.is_empty() {
            shared.typed_before.insert(self.words.0, text);
        }
    }

    fn view(&self, shared: &Shared, area: Rect, canvas: &mut Canvas<'_>) {
        let theme = &shared.theme;
        let (label, example, _) = self.words;
        canvas.cover(area);
        let room = usize::from(area.width).saturating_sub(width(label) + 5);
        let note = if !self.line.note.is_empty() {
            Span::styled(&self.line.note, theme.warning)
        } else if self.line.field.is_empty() {
            Span::styled(example, theme.quiet)
        } else {
            Span::styled(&self.line.lit, theme.marked)
        };
        let spans = vec![
            Span::styled(format!(" {label} "), theme.key),
            Span::raw(" "),
            self.line.field.span(shared, room),
            Span::raw("   "),
            note,
        ];
        canvas.line(area, &Line::from(spans));
    }
}
