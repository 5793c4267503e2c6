//! A refusal's word for programs, its purpose, and refusals of several acts as one.

use crate::domain::refusal::{Fact, Lack, Purpose, Refusal, WantedCells};

impl Refusal {
    /// Refusal of a name that nothing has.
    pub fn not_found(what: &str, name: impl Into<String>) -> Self {
        Self::NotFound { what: what.to_owned(), name: name.into(), known: Vec::new() }
    }

    /// Refusal of a name that is none of a few.
    pub fn none_of<'n>(what: &str, name: &str, known: impl Iterator<Item = &'n String>) -> Self {
        Self::NotFound { what: what.to_owned(), name: name.to_owned(), known: known.cloned().collect() }
    }

    /// Refusal of a name that several things have, each told by a longer one.
    pub fn ambiguous(what: &str, name: impl Into<String>, which: Vec<String>) -> Self {
        Self::Ambiguous {
            what: what.to_owned(),
            name: name.into(),
            count: u32::try_from(which.len()).unwrap_or(u32::MAX),
            which,
        }
    }

    /// Refusal of taken cells, without alternatives.
    pub fn taken(wanted: WantedCells, facts: Vec<Fact>) -> Self {
        let instead = Vec::new();
        Self::Taken { wanted, facts, instead }
    }

    /// Replaces the purpose of the refused time.
    #[must_use]
    pub fn wanted_for(mut self, purpose: Purpose) -> Self {
        if let Self::Taken { wanted: WantedCells::Time(wanted), .. } = &mut self {
            *wanted = purpose;
        }
        self
    }

    /// Adds the facts of another refusal; resources have to be free every time.
    pub fn join(before: Option<Self>, more: Self) -> Self {
        let Some(mut before) = before else {
            return more;
        };
        if let (Self::Taken { wanted, facts, .. }, Self::Taken { wanted: then, facts: others, .. }) =
            (&mut before, more)
            && (*wanted == WantedCells::Seats) == (then == WantedCells::Seats)
        {
            if let (WantedCells::AnyOf { free, .. }, WantedCells::AnyOf { free: then, .. }) = (wanted, then) {
                free.retain(|name| then.contains(name));
            }
            facts.extend(others);
        }
        before
    }

    /// The refusal's one word, as programs read it: `seats_taken`.
    pub fn kind(&self) -> String {
        let word = if let Self::Taken { wanted, .. } = self {
            match wanted {
                WantedCells::Seats => "seats_taken",
                WantedCells::Time(_) => "slot_taken",
                WantedCells::AnyOf { .. } => "too_few_free",
            }
        } else if let Self::NotYours { lack: Lack::InBooking, .. } = self {
            "slot_not_yours"
        } else if let Self::DisabledByAnother { facts } = self
            && facts.iter().any(|one| one.slot().is_some())
        {
            "time_disabled_by_another"
        } else {
            return self.variant();
        };
        word.to_owned()
    }

    fn variant(&self) -> String {
        let value = serde_json::to_value(self).unwrap_or_default();
        let kind = value.get("kind").and_then(|kind| kind.as_str());
        kind.unwrap_or_default().to_owned()
    }
}
