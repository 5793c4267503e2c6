//! Question with a few answers, the first of which is the safe one: Enter is the marked one, Esc the safe one.

use crossterm::event::KeyCode;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::engine::ops::{CancelCart, EnableSeats, Whose};
use crate::tui::data::own_cart::CartWish;
use crate::tui::kit::canvas::{Canvas, cells, centred, from_row, inset};
use crate::tui::kit::context::{Context, Go, Leaving, Sent};
use crate::tui::kit::dialog::{Dialog, Flow};
use crate::tui::kit::input::Key;
use crate::tui::kit::screen::Click;
use crate::tui::kit::shared::Shared;
use crate::tui::kit::targets::Target;
use crate::tui::widgets::paragraph;

/// Maximum width of a question, in columns.
const COLUMNS: u16 = 66;
/// Most lines of a sentence.
const LINES_MAX: usize = 4;

#[derive(Debug)]
pub(crate) struct QuestionDialog {
    title: String,
    text: Vec<String>,
    choices: Vec<QuestionChoice>,
    selected: usize,
}

/// One answer: a letter, words, and what follows.
#[derive(Debug)]
struct QuestionChoice {
    letter: char,
    words: String,
    /// None after the safe answer.
    then: Option<Go>,
}

impl QuestionDialog {
    /// A question with its safe answer, after which nothing happens.
    pub(crate) fn new(title: impl Into<String>, text: Vec<String>, (letter, words): (char, &str)) -> Self {
        let words = words.to_owned();
        let safe = QuestionChoice { letter, words, then: None };
        Self { title: title.into(), text, choices: vec![safe], selected: 0 }
    }

    pub(crate) fn choice(mut self, letter: char, words: impl Into<String>, then: Go) -> Self {
        self.choices.push(QuestionChoice { letter, words: words.into(), then: Some(then) });
        self
    }

    /// Asks whether to quit with a cart open.
    pub(crate) fn quit(seats: &str) -> Self {
        Self::new("Quit?", vec![format!("Your cart has {seats}.")], ('s', "stay"))
            .choice('k', "keep the seats and quit", Go::Quit(Leaving::Held))
            .choice('g', "give back and quit", Go::Quit(Leaving::GivenBack))
    }

    /// Asks whether to cancel the cart.
    pub(crate) fn cancel(seats: &str) -> Self {
        Self::new(
            "Cancel the cart?",
            vec![format!("{seats} go back; undo brings them back while they are free.")],
            ('k', "keep the cart"),
        )
        .choice('c', "cancel it", Go::Send(Sent::Want(CartWish::of_cart(|cart| CancelCart { cart }))))
    }

    /// Asks whether to put seats back into use that other operators took out.
    pub(crate) fn enable(enable: EnableSeats, words: &str, others: &[String]) -> Self {
        let (text, letter, answer) = match enable.whose {
            Whose::Mine => (format!("{words} can be sold again."), 'b', "back into use"),
            Whose::Anybody => (
                format!(
                    "{words} were taken out of use by {}. It is written down that you override it.",
                    others.join(", ")
                ),
                'o',
                "override",
            ),
        };
        Self::new("Back into use?", vec![text], ('n', "no, leave it")).choice(
            letter,
            answer,
            Go::Send(Sent::worded(enable, "Back into use")),
        )
    }

    /// The answer with this number.
    fn answered(&mut self, index: usize) -> Flow {
        let choice = self.choices.get_mut(index);
        choice.map_or(Flow::Stay, |choice| choice.then.take().map_or(Flow::Close, Flow::Go))
    }
}

impl Dialog for QuestionDialog {
    #[expect(clippy::wildcard_enum_match_arm, reason = "few keys mean something")]
    fn key(&mut self, key: Key, _context: &mut Context<'_>) -> Flow {
        let count = self.choices.len().max(1);
        let step = match key.code {
            KeyCode::Enter => return self.answered(self.selected),
            KeyCode::Esc => return self.answered(0),
            KeyCode::Right => Some(1),
            KeyCode::Left => Some(-1),
            _ => key.step(),
        };
        if let Some(step) = step {
            let on = if step > 0 { 1 } else { count - 1 };
            self.selected = (self.selected + on) % count;
            return Flow::Stay;
        }
        let letter = key.text();
        let chosen = self.choices.iter().position(|choice| Some(choice.letter) == letter);
        chosen.map_or(Flow::Stay, |index| self.answered(index))
    }

    fn click(&mut self, target: &Target, _click: Click, _context: &mut Context<'_>) -> Flow {
        if let Target::Choice(index) = *target {
            return self.answered(index);
        }
        Flow::Stay
    }

    fn wheel(&mut self, _code: KeyCode, _context: &mut Context<'_>) -> Flow {
        Flow::Stay
    }

    fn asks_to_quit(&self) -> bool {
        let quits = |choice: &QuestionChoice| matches!(choice.then, Some(Go::Quit(_)));
        self.choices.iter().any(quits)
    }

    fn view(&self, shared: &Shared, area: Rect, canvas: &mut Canvas<'_>) {
        let theme = &shared.theme;
        let columns = usize::from(COLUMNS.min(area.width).saturating_sub(4));
        let lines = self.text.iter();
        let lines: Vec<String> = lines.flat_map(|text| paragraph(text, columns, LINES_MAX)).collect();
        let area = centred(area, COLUMNS, lines.len() + self.choices.len() + 4);
        let inner = inset(canvas.dialog(area, &self.title, ""));
        let choices = from_row(inner, cells(lines.len() + 2));
        let lines = lines.into_iter();
        let lines = lines.map(|text| Line::styled(text, theme.text));
        canvas.lines(from_row(inner, 1), lines);
        for ((index, choice), cells) in self.choices.iter().enumerate().zip(choices.rows()) {
            let selected = index == self.selected;
            let mark = if selected { "> " } else { "  " };
            let style = if selected { theme.selection } else { theme.text };
            let line = Line::from(vec![
                Span::styled(mark, theme.strong),
                Span::styled(format!(" {} ", choice.letter), theme.key),
                Span::styled(choice.words.clone(), style),
            ]);
            canvas.line(cells, &line);
            canvas.hit(cells, Target::Choice(index));
        }
    }
}
