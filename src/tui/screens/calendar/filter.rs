//! Filter of the resources: by kind, name, customer, and state at a time.

use crate::domain::calendar::{CalendarView, Period, State};
use crate::domain::resource::Resource;
use crate::domain::time::Slot;
use crate::engine::reads::resources::Condition;

/// Filter typed after `f`: every word has to match.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct CalendarFilter {
    words: Vec<Word>,
    text: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Word {
    /// The resource is in one of these states in the marked time.
    State(Vec<State>),
    /// The resource has this property.
    Property(Condition),
    /// The text is in the resource's name, kind, or customers in this window.
    Text(String),
}

impl CalendarFilter {
    /// Parses a filter; empty text matches everything.
    pub(super) fn parse(text: &str) -> Self {
        let words = text.to_lowercase();
        let words = words.split_whitespace().filter(|word| *word != "all");
        Self { words: words.map(word).collect(), text: text.trim().to_owned() }
    }

    /// Text as typed; empty when everything is shown.
    pub(super) fn text(&self) -> &str {
        if self.words.is_empty() { "" } else { &self.text }
    }

    /// True if the filter looks at bookings.
    pub(super) fn needs_calendars(&self) -> bool {
        !self.words.is_empty()
    }

    /// True if a resource matches, given its calendar in view and the marked time.
    pub(super) fn passes(&self, one: &Resource, (view, window): (Option<&CalendarView>, Option<Slot>)) -> bool {
        self.words.iter().all(|word| match word {
            Word::Property(condition) => condition.holds(one),
            Word::State(states) => is_so(states, (view, window)),
            Word::Text(text) => {
                is_named(one, text) || view.is_some_and(|view| view.periods.iter().any(|period| of(period, text)))
            }
        })
    }

    /// Returns whether a period is drawn: a resource that only its bookings name, shows only those.
    pub(super) fn shows(&self, one: &Resource, period: &Period) -> bool {
        self.words.iter().all(|word| match word {
            Word::Text(text) => is_named(one, text) || of(period, text),
            Word::State(_) | Word::Property(_) => true,
        })
    }
}

/// Returns whether a text is in the name or kind of a resource.
fn is_named(one: &Resource, text: &str) -> bool {
    one.name.to_lowercase().contains(text) || one.kind.to_lowercase().contains(text)
}

fn word(word: &str) -> Word {
    if let Ok(condition) = Condition::parse(word) {
        return Word::Property(condition);
    }
    let out = vec![State::Maintenance, State::Relocation, State::Occupied, State::Disabled, State::OutOfService];
    match word {
        "out" => Word::State(out),
        "taken" => Word::State(vec![State::Booked, State::Held]),
        other => other.parse().map_or_else(|_| Word::Text(other.to_owned()), |state| Word::State(vec![state])),
    }
}

/// True if a state matches: free for the whole time, any other state for part of it.
fn is_so(states: &[State], (view, window): (Option<&CalendarView>, Option<Slot>)) -> bool {
    let (Some(view), Some(window)) = (view, window) else {
        return false;
    };
    let Ok(mut periods) = view.periods_in(window) else {
        return false;
    };
    if states == [State::Free] {
        return periods.all(|period| period.state == State::Free);
    }
    periods.any(|period| states.contains(&period.state))
}

fn of(period: &Period, text: &str) -> bool {
    period.title.to_lowercase().contains(text) || period.customer.to_lowercase().contains(text)
}
