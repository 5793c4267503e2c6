//! Question with a few answers, the first of which is the safe one. See [`dialogs::question`](crate::tui::dialogs::question).

use crate::engine::ops::{AnyOperation, CancelCart, EnableSeats, Whose};
use crate::tui::own_cart::{CartWish, UndoNumber};
use crate::tui::time::TimeAct;

#[derive(Clone, Debug)]
pub(crate) struct QuestionDialog {
    pub(super) title: String,
    pub(super) text: Vec<String>,
    pub(super) choices: Vec<QuestionChoice>,
    pub(super) selected: usize,
}

/// One answer: a letter, words, and what follows.
#[derive(Clone, Debug)]
pub(crate) struct QuestionChoice {
    pub(super) letter: char,
    pub(super) words: String,
    pub(super) then: Then,
}

/// Consequence of an answer.
#[derive(Clone, Debug)]
pub(crate) enum Then {
    Nothing,
    /// The program ends; a cart keeps its hold.
    Quit,
    /// The cart is canceled, then the program ends.
    GiveBackAndQuit,
    /// A wish about the cart.
    Want(CartWish),
    /// An act is undone, while it is the newest one.
    Undo(UndoNumber),
    /// A command to the house, and what is said once it is done.
    Run(AnyOperation, String),
    /// Something about time, which the calendar does.
    Time(TimeAct),
}

impl QuestionDialog {
    /// A question with its safe answer, after which nothing happens.
    pub(crate) fn new(
        title: impl Into<String>,
        text: Vec<String>,
        (letter, words): (char, &str),
    ) -> Self {
        let question = Self {
            title: title.into(),
            text,
            choices: Vec::new(),
            selected: 0,
        };
        question.choice(letter, words, Then::Nothing)
    }

    pub(crate) fn choice(mut self, letter: char, words: impl Into<String>, then: Then) -> Self {
        self.choices.push(QuestionChoice {
            letter,
            words: words.into(),
            then,
        });
        self
    }

    /// Asks whether to quit with a cart open.
    pub(crate) fn quit(seats: &str) -> Self {
        Self::new(
            "Quit?",
            vec![format!("Your cart has {seats}.")],
            ('s', "stay"),
        )
        .choice('k', "keep the seats and quit", Then::Quit)
        .choice('g', "give back and quit", Then::GiveBackAndQuit)
    }

    /// True if an answer ends the program.
    pub(crate) fn asks_to_quit(&self) -> bool {
        let quits = |choice: &QuestionChoice| matches!(choice.then, Then::Quit);
        self.choices.iter().any(quits)
    }

    /// Asks whether to cancel the cart.
    pub(crate) fn cancel(seats: &str) -> Self {
        Self::new(
            "Cancel the cart?",
            vec![format!(
                "{seats} go back; undo brings them back while they are free."
            )],
            ('k', "keep the cart"),
        )
        .choice(
            'c',
            "cancel it",
            Then::Want(CartWish::of_cart(|cart| CancelCart { cart })),
        )
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
            Then::Run(enable.into(), "Back into use".to_owned()),
        )
    }
}
