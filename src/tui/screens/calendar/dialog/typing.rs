//! A line that is typed at the calendar: where to find room, where to go, what to show.

use crossterm::event::{KeyCode, KeyModifiers};

use crate::tui::field::FieldEdit;
use crate::tui::input::Key;
use crate::tui::screens::calendar::Calendar;
use crate::tui::screens::calendar::dialog::Dialog;
use crate::tui::shared::Context;

/// Purpose of a prompt on the calendar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Typing {
    /// Best free time.
    Best,
    /// A day or a resource.
    GoTo,
    /// Filter of the shown resources.
    Filter,
}

impl Typing {
    /// Label of the prompt.
    #[must_use]
    pub(crate) const fn label(self) -> &'static str {
        match self {
            Self::Best => "find free",
            Self::GoTo => "go to",
            Self::Filter => "show only",
        }
    }

    /// Example input.
    #[must_use]
    pub(crate) const fn example(self) -> &'static str {
        match self {
            Self::Best => "2h   90m   3 nights   any 8 for 5 nights",
            Self::GoTo => "fri   27 nov 14:00   tomorrow   studio",
            Self::Filter => {
                "room   studio   lotus   free   out   guests>=3   (nothing: everything)"
            }
        }
    }

    /// Its keys, with what they do.
    #[must_use]
    pub(crate) const fn keys(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Self::Best => &[
                ("Enter", "mark it"),
                ("Tab", "next choice"),
                ("Esc", "close"),
            ],
            Self::GoTo => &[("Enter", "go"), ("Esc", "close")],
            Self::Filter => &[("Enter", "show"), ("Esc", "close")],
        }
    }
}

impl Calendar {
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "keys that mean nothing here are many"
    )]
    pub(super) fn typing_key(&mut self, key: Key, context: &mut Context<'_>) {
        let Some(Dialog::Typing(typing, prompt)) = &mut self.dialog else {
            return;
        };
        let typing = *typing;
        match key.code {
            KeyCode::Esc => self.dialog = None,
            KeyCode::Enter => self.typed(context),
            KeyCode::Tab if typing == Typing::Best && key.modifiers == KeyModifiers::NONE => {
                self.best.next();
            }
            _ => {
                if prompt.field.key(key) == FieldEdit::Changed {
                    self.typing_changed(context);
                }
            }
        }
    }

    fn typing_changed(&mut self, context: &mut Context<'_>) {
        let Some(Dialog::Typing(typing, prompt)) = &self.dialog else {
            return;
        };
        let (typing, text) = (*typing, prompt.field.text());
        let note = match typing {
            Typing::Best => self.light(&text, context),
            Typing::GoTo | Typing::Filter => String::new(),
        };
        if let Some(Dialog::Typing(_, prompt)) = &mut self.dialog {
            prompt.note = note;
        }
    }

    fn typed(&mut self, context: &mut Context<'_>) {
        let Some(Dialog::Typing(typing, prompt)) = &self.dialog else {
            return;
        };
        let (typing, text) = (*typing, prompt.field.text());
        let done = match typing {
            Typing::Best => self.take_best(context),
            Typing::GoTo => self.go_to(&text, context),
            Typing::Filter => {
                self.set_filter(&text, context);
                Ok(())
            }
        };
        match (done, &mut self.dialog) {
            (Ok(()), dialog) => *dialog = None,
            (Err(problem), Some(Dialog::Typing(_, prompt))) => prompt.note = problem,
            (Err(_), _) => {}
        }
    }

    pub(super) fn paste_typed(&mut self, text: &str, context: &mut Context<'_>) {
        match &mut self.dialog {
            Some(Dialog::Typing(_, prompt)) => {
                prompt.field.paste(text);
                self.typing_changed(context);
            }
            Some(Dialog::Form(form)) => form.paste(text, context),
            Some(Dialog::Out(out)) => out.paste(text, context),
            _ => {}
        }
    }
}
