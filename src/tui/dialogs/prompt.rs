//! One line to type, at the foot of the screen. Every character is text; Enter does it, Esc closes it.

use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::domain::ids::ReceiptId;
use crate::domain::text::width;
use crate::domain::time::Instant;
use crate::tui::canvas::{Canvas, row};
use crate::tui::dialogs::key_line;
use crate::tui::field::Field;
use crate::tui::screens::calendar::Typing;
use crate::tui::screens::jobs::JobPrompt;
use crate::tui::screens::seats::Seats;
use crate::tui::screens::seats::out_of_use::OutOfUseChoice;
use crate::tui::shared::Shared;

/// Purpose of a prompt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum PromptPurpose {
    /// The best seats.
    Best,
    /// Somewhere on the map.
    GoTo,
    /// A day of the programme.
    Day,
    /// A receipt by number, or a day of receipts.
    Order,
    /// Printer for a receipt's tickets.
    Print(ReceiptId),
    /// Why seats go out of use.
    OutOfUse(Box<OutOfUseChoice>),
    /// Change of a job.
    Job(JobPrompt),
    /// Something on the calendar.
    Calendar(Typing),
}

/// One line to type.
#[derive(Clone, Debug)]
pub(crate) struct Prompt {
    /// Purpose.
    pub purpose: PromptPurpose,
    /// Typed text.
    pub field: Field,
    /// Problem of the text, or a preview of its effect.
    pub note: String,
    /// Time of the last change.
    pub changed_at: Instant,
    /// Text typed here last time; Up brings it back.
    pub before: String,
}

impl Prompt {
    /// A prompt with nothing typed.
    #[must_use]
    pub(crate) fn new(purpose: PromptPurpose, before: String, now: Instant) -> Self {
        Self {
            purpose,
            field: Field::default(),
            note: String::new(),
            changed_at: now,
            before,
        }
    }

    /// Label of the prompt.
    #[must_use]
    pub(crate) const fn label(&self) -> &'static str {
        match &self.purpose {
            PromptPurpose::Best => "best seats",
            PromptPurpose::GoTo | PromptPurpose::Day | PromptPurpose::Order => "go to",
            PromptPurpose::Print(_) => "print the tickets to",
            PromptPurpose::OutOfUse(_) => "out of use, because",
            PromptPurpose::Job(JobPrompt::Later(_)) => "run it later",
            PromptPurpose::Job(JobPrompt::Park(_)) => "park it, because",
            PromptPurpose::Calendar(typing) => typing.label(),
        }
    }

    const fn example(&self) -> &'static str {
        match &self.purpose {
            PromptPurpose::Best => "how many?   4   2 aisle   3 stalls 38",
            PromptPurpose::GoTo => "f9   f9-12   112 14 21   fri   27 nov 14:00",
            PromptPurpose::Day => "fri   27   27 nov   2026-12-01",
            PromptPurpose::Order => "457   till-2/457   fri   19 nov   today",
            PromptPurpose::Print(_) => "|lp   tickets.txt   nothing: only show them",
            PromptPurpose::OutOfUse(_) => "broken, reserved for the camera, ...",
            PromptPurpose::Job(JobPrompt::Later(_)) => "+15m   20:30   fri 14:00",
            PromptPurpose::Job(JobPrompt::Park(_)) => "what it waits for; may be empty",
            PromptPurpose::Calendar(typing) => typing.example(),
        }
    }

    /// Draws it over two lines: what is typed, and what it would do.
    pub(crate) fn view(&self, (shared, lit): (&Shared, &str), area: Rect, canvas: &mut Canvas<'_>) {
        let theme = &shared.theme;
        canvas.cover(area);
        let room = usize::from(area.width).saturating_sub(width(self.label()) + 5);
        let mut spans = vec![
            Span::styled(format!(" {} ", self.label()), theme.key),
            Span::raw(" "),
            self.field.span(shared, room),
            Span::raw("   "),
        ];
        if !self.note.is_empty() {
            spans.push(Span::styled(self.note.clone(), theme.warning));
        } else if self.field.is_empty() {
            spans.push(Span::styled(self.example(), theme.quiet));
        } else {
            spans.push(Span::styled(lit.to_owned(), theme.marked));
        }
        canvas.line(row(area, 0), &Line::from(spans));
        let keys: &[(&str, &str)] = match &self.purpose {
            PromptPurpose::Best => &[
                ("Enter", "pick"),
                ("Tab", "next choice"),
                ("Up", "as before"),
                ("Esc", "close"),
            ],
            PromptPurpose::GoTo | PromptPurpose::Day | PromptPurpose::Order => {
                &[("Enter", "go"), ("Up", "as before"), ("Esc", "close")]
            }
            PromptPurpose::Print(_) => &[("Enter", "print, it is counted"), ("Esc", "close")],
            PromptPurpose::OutOfUse(_) => &[("Enter", "go on: asks"), ("Esc", "close")],
            PromptPurpose::Job(JobPrompt::Later(_)) => &[("Enter", "later"), ("Esc", "close")],
            PromptPurpose::Job(JobPrompt::Park(_)) => &[("Enter", "park it"), ("Esc", "close")],
            PromptPurpose::Calendar(typing) => typing.keys(),
        };
        key_line((row(area, 1), keys), shared, canvas);
    }

    /// Lit seats of the map in words.
    #[must_use]
    pub(crate) fn lit(&self, seats: &Seats) -> String {
        if self.purpose != PromptPurpose::Best {
            return String::new();
        }
        seats.lit().map_or_else(String::new, |lit| {
            let (at, of) = lit.place();
            let lone = if lit.leaves_single() {
                "  leaves a single seat"
            } else {
                ""
            };
            format!("{}  choice {at} of {of}{lone}", seats.offer(lit.seats()))
        })
    }
}
