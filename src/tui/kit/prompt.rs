//! Prompt: one line to type at the foot of the screen. Every character is text; Enter does it, Esc closes it.

use crossterm::event::{KeyCode, KeyModifiers};
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::domain::text::width;
use crate::domain::time::Instant;
use crate::tui::kit::canvas::Canvas;
use crate::tui::kit::context::Context;
use crate::tui::kit::dialog::{Dialog, Flow};
use crate::tui::kit::field::{Field, FieldEdit};
use crate::tui::kit::go::{Go, JobPrompt, PromptPurpose, Typed};
use crate::tui::kit::input::Key;
use crate::tui::kit::shared::Shared;

/// Keys and their effects.
type KeyWords = &'static [(&'static str, &'static str)];

const GO: KeyWords = &[("Enter", "go"), ("Up", "as before"), ("Esc", "close")];

impl PromptPurpose {
    /// Label, example input and keys.
    const fn words(&self) -> (&'static str, &'static str, KeyWords) {
        match self {
            Self::Best => (
                "best seats",
                "how many?   4   2 aisle   3 stalls 38",
                &[("Enter", "pick"), ("Tab", "next choice"), ("Up", "as before"), ("Esc", "close")],
            ),
            Self::GoTo => ("go to", "f9   f9-12   112 14 21   fri   27 nov 14:00", GO),
            Self::Day => ("go to", "fri   27   27 nov   2026-12-01", GO),
            Self::Order => ("go to", "457   till-2/457   fri   19 nov   today", GO),
            Self::Print(_) => (
                "print the tickets to",
                "|lp   tickets.txt   nothing: only show them",
                &[("Enter", "print, it is counted"), ("Esc", "close")],
            ),
            Self::SetAside => {
                ("set aside for", "a name, or nothing", &[("Enter", "set the cart aside"), ("Esc", "close")])
            }
            Self::OutOfUse(_) => (
                "out of use, because",
                "broken, reserved for the camera, ...",
                &[("Enter", "go on: asks"), ("Esc", "close")],
            ),
            Self::Job(JobPrompt::Later(_)) => {
                ("run it later", "+15m   20:30   fri 14:00", &[("Enter", "later"), ("Esc", "close")])
            }
            Self::Job(JobPrompt::Park(_)) => {
                ("park it, because", "what it waits for; may be empty", &[("Enter", "park it"), ("Esc", "close")])
            }
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

/// One line to type.
#[derive(Clone, Debug)]
pub(crate) struct Prompt {
    pub purpose: PromptPurpose,
    pub field: Field,
    /// Problem of the text.
    pub note: String,
    /// Preview of the effect of Enter.
    pub lit: String,
    /// Time of the last change.
    pub changed_at: Instant,
    /// Text typed here last time; Up brings it back.
    pub before: String,
}

impl Prompt {
    /// A prompt with a prefilled text.
    pub(crate) fn new(purpose: PromptPurpose, text: &str, now: Instant) -> Self {
        Self {
            purpose,
            field: Field::with(text),
            note: String::new(),
            lit: String::new(),
            changed_at: now,
            before: String::new(),
        }
    }

    /// Label of the prompt.
    pub(crate) const fn label(&self) -> &'static str {
        self.purpose.words().0
    }
}

impl Dialog for Prompt {
    fn key_bar(&self) -> KeyWords {
        self.purpose.words().2
    }

    fn at_foot(&self) -> bool {
        true
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "few keys mean something")]
    fn key(&mut self, key: Key, context: &mut Context<'_>) -> Flow {
        let chooses = matches!(self.purpose, PromptPurpose::Best | PromptPurpose::FreeTime);
        let typed = match key.code {
            KeyCode::Esc => return Flow::Close,
            KeyCode::Enter => Typed::Entered,
            KeyCode::Tab if chooses && key.modifiers.contains(KeyModifiers::SHIFT) => Typed::Previous,
            KeyCode::Tab if chooses => Typed::Next,
            KeyCode::Up if self.field.is_empty() => {
                self.field.paste(&self.before);
                Typed::Changed
            }
            _ if self.field.key(key) == FieldEdit::Changed => Typed::Changed,
            _ => return Flow::Stay,
        };
        context.go(Go::Typed(typed));
        Flow::Stay
    }

    fn wheel(&mut self, _code: KeyCode, _context: &mut Context<'_>) -> Flow {
        Flow::Stay
    }

    fn paste(&mut self, text: &str, context: &mut Context<'_>) {
        self.field.paste(text);
        context.go(Go::Typed(Typed::Changed));
    }

    fn view(&self, shared: &Shared, area: Rect, canvas: &mut Canvas<'_>) {
        let theme = &shared.theme;
        let (label, example, _) = self.purpose.words();
        canvas.cover(area);
        let room = usize::from(area.width).saturating_sub(width(label) + 5);
        let note = if !self.note.is_empty() {
            Span::styled(&self.note, theme.warning)
        } else if self.field.is_empty() {
            Span::styled(example, theme.quiet)
        } else {
            Span::styled(&self.lit, theme.marked)
        };
        let spans = vec![
            Span::styled(format!(" {label} "), theme.key),
            Span::raw(" "),
            self.field.span(shared, room),
            Span::raw("   "),
            note,
        ];
        canvas.line(area, &Line::from(spans));
    }
}
