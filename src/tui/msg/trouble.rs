//! What comes instead of an answer.

use crate::domain::refusal::Refusal;

/// Why something did not happen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// The house says no.
    Refused(Refusal),
    /// Machinery failed: what to do, in a sentence.
    Fault(String),
}

impl Trouble {
    /// In a sentence, times in UTC; a screen that knows the zone has it told.
    #[must_use]
    pub fn sentence(&self) -> String {
        self.told(chrono_tz::Tz::UTC)
    }

    /// In a sentence, times in a zone.
    #[must_use]
    pub fn told(&self, zone: chrono_tz::Tz) -> String {
        match self {
            Self::Refused(refusal) => crate::tui::wording::refusal(refusal, zone),
            Self::Fault(text) => text.clone(),
        }
    }

    /// An answer of another kind than the question; only a defect of the program causes it.
    #[must_use]
    pub fn wrong_answer() -> Self {
        Self::Fault("The desk got an answer to another question. Please report this.".into())
    }
}

/// What a question's answer holds; a fault when it answers another question.
macro_rules! only {
    ($answer:expr, $pattern:pat => $value:expr) => {
        $answer.and_then(|answer| {
            if let $pattern = answer {
                Ok($value)
            } else {
                Err($crate::tui::msg::Trouble::wrong_answer())
            }
        })
    };
}

pub(in crate::tui) use only;
