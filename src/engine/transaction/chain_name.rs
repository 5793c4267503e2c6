//! Name of the journal chain that a writer continues.

use crate::store::journal::ONLY_CHAIN;

/// Name of a journal chain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ChainName {
    /// The one chain of a file, whose writers take turns.
    Only,
    /// Chain of one writing connection among several, so that none waits for another.
    Numbered(usize),
    /// Chain of a connection that has written.
    Named(String),
}

impl ChainName {
    /// Name for the chain of a writer, by number.
    pub(crate) const fn of_writer(number: usize, writers: usize) -> Self {
        if writers > 1 {
            Self::Numbered(number)
        } else {
            Self::Only
        }
    }

    /// Returns the name; a numbered chain takes the first station that writes.
    pub(super) fn of(&mut self, station: &str) -> String {
        if let Self::Numbered(number) = self {
            *self = Self::Named(format!("{station}/{number}"));
        }
        match self {
            Self::Named(name) => name.clone(),
            Self::Only | Self::Numbered(_) => ONLY_CHAIN.to_owned(),
        }
    }
}
