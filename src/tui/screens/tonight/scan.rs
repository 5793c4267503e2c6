//! Scan prompt at the door: codes are typed or scanned, and the answer stands in letters that are read from afar.

use std::collections::VecDeque;

use crossterm::event::KeyCode;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use crate::domain::ids::PerformanceId;
use crate::domain::refusal::Refusal;
use crate::domain::text::{clean, wrap};
use crate::domain::ticket_code::TicketCode;
use crate::engine::Failure;
use crate::engine::ops::CheckTicket;
use crate::tui::data::desk_act::DeskAct;
use crate::tui::kit::canvas::{Canvas, centred, from_row, inset, row};
use crate::tui::kit::context::Context;
use crate::tui::kit::dialog::{Dialog, Flow};
use crate::tui::kit::field::Field;
use crate::tui::kit::input::Key;
use crate::tui::kit::shared::Shared;
use crate::words;

/// Columns and lines.
const SIZE: (u16, usize) = (64, 15);

const YES: [&str; 5] = [
    "█   █   █████   █████",
    " █ █    █       █    ",
    "  █     ████    █████",
    "  █     █           █",
    "  █     █████   █████",
];

const NO: [&str; 5] = ["█   █   █████", "██  █   █   █", "█ █ █   █   █", "█  ██   █   █", "█   █   █████"];

/// Answer of the door.
#[derive(Debug)]
enum Verdict {
    /// The newest message says who is admitted.
    Yes,
    /// Nobody is admitted, for a reason.
    No(String),
}

/// Door of a performance.
#[derive(Debug)]
pub(super) struct Scan {
    performance: PerformanceId,
    title: String,
    field: Field,
    /// Codes that came while the house was asked about another one.
    next: VecDeque<String>,
    flight: Option<u64>,
    verdict: Option<Verdict>,
}

impl Scan {
    pub(super) fn new((performance, title): (PerformanceId, String)) -> Self {
        let (field, next) = (Field::default(), VecDeque::new());
        Self { performance, title, field, next, flight: None, verdict: None }
    }

    /// Takes what is typed for a code; the field is free for the next one.
    fn enter_code(&mut self, context: &mut Context<'_>) {
        if !self.field.is_empty() {
            self.next.push_back(self.field.text());
            self.field.clear();
            self.check_next(context);
        }
    }

    /// Asks the house about the next code, unless it is asked about one.
    fn check_next(&mut self, context: &mut Context<'_>) {
        while self.flight.is_none()
            && let Some(text) = self.next.pop_front()
        {
            match text.parse::<TicketCode>() {
                Ok(code) => {
                    let check = CheckTicket { code, performance: Some(self.performance) };
                    self.flight = Some(context.act(DeskAct::run(check)));
                }
                Err(problem) => {
                    let refusal = Refusal::unread("code", &problem);
                    self.verdict = Some(Verdict::No(words::refusal(&refusal, context.shared.here())));
                }
            }
        }
    }
}

impl Dialog for Scan {
    fn key_bar(&self) -> &'static [(&'static str, &'static str)] {
        &[("Enter", "checks the code"), ("scan or type", "a ticket's code"), ("Esc", "closes")]
    }

    fn key(&mut self, key: Key, context: &mut Context<'_>) -> Flow {
        if key.code == KeyCode::Esc {
            return Flow::Close;
        }
        if key.code == KeyCode::Enter {
            self.enter_code(context);
        } else {
            self.field.key(key);
        }
        Flow::Stay
    }

    /// Takes a text from a scanner, which may end it with Enter.
    fn paste(&mut self, text: &str, context: &mut Context<'_>) {
        self.field.paste(text.trim_end());
        if text.ends_with(['\n', '\r']) {
            self.enter_code(context);
        }
    }

    fn flight(&mut self) -> Option<&mut Option<u64>> {
        Some(&mut self.flight)
    }

    fn acted(&mut self, done: Result<(), &Failure>, context: &mut Context<'_>) -> Flow {
        let here = context.shared.here();
        self.verdict = Some(done.map_or_else(|failure| Verdict::No(words::failure(failure, here)), |()| Verdict::Yes));
        self.check_next(context);
        Flow::Stay
    }

    fn view(&self, shared: &Shared, area: Rect, canvas: &mut Canvas<'_>) {
        let theme = &shared.theme;
        let inner = inset(canvas.dialog(centred(area, SIZE.0, SIZE.1), &format!("Door: {}", clean(&self.title)), ""));
        let columns = usize::from(inner.width);
        let typed =
            Line::from(vec![Span::styled("Code ", theme.key), self.field.span(shared, columns.saturating_sub(6))]);
        canvas.line(row(inner, 1), &typed);
        let (letters, style, said) = match (&self.verdict, self.flight) {
            (_, Some(_)) => return canvas.lines(row(inner, 3), [Line::styled("...  the house is asked", theme.key)]),
            (None, None) => {
                let words = "Scan a ticket, or type its code. Each is admitted once.";
                return canvas.lines(row(inner, 3), [Line::styled(words, theme.quiet)]);
            }
            (Some(Verdict::Yes), None) => {
                let said = shared.says.newest_first().next().map_or_else(String::new, |said| said.text.clone());
                (&YES[..], theme.done, said)
            }
            (Some(Verdict::No(why)), None) => {
                // letters are blocks of the colour that its words would stand on
                let ink = theme.danger.bg.map_or(theme.danger, |ground| Style::new().fg(ground));
                (&NO[..], ink, why.clone())
            }
        };
        canvas.lines(from_row(inner, 3), letters.iter().map(|line| Line::styled(*line, style)));
        let said = said.split_inclusive("; ").flat_map(|part| wrap(part.trim_end(), columns));
        canvas.lines(from_row(inner, 9), said.map(|line| Line::styled(line, theme.strong)));
    }
}
