//! Kinds of job: built in, or a house's own.

use std::fmt;

use serde::{Deserialize, Serialize};
use strum::IntoEnumIterator as _;

/// Kind of a job, by what is checked.
///
/// An own kind without a command in the settings is left alone and shown by its word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
#[derive(strum::IntoStaticStr, strum::EnumIter)]
#[strum(serialize_all = "snake_case")]
pub enum JobKind {
    /// An active cart past its deadline ends.
    CartExpiry,
    /// A cart that was set aside is about to expire.
    CartWarning,
    /// A reservation that is not paid: alerts, then its release.
    Reservation,
    /// Paid tickets that nobody has collected before the curtain.
    TicketsUncollected,
    /// House seats become free at their time.
    KeepRelease,
    /// A performance is no longer sold.
    SalesClose,
    /// Days are opened up to the horizon.
    Horizon,
    /// Seats that came free are offered to who waits.
    Waitlist,
    /// A listener was called, and its station has not said how that ended.
    ListenerCall,
    Tidying,
    /// The house is written into a file each night.
    Backup,
    /// A kind of the house's own: its command decides.
    #[strum(disabled)]
    Own(OwnKind),
}

impl JobKind {
    /// Subject of a job of the whole house.
    pub const HOUSE: &str = "house";

    /// The built-in kinds.
    pub fn built_in() -> impl Iterator<Item = Self> {
        Self::iter()
    }

    /// Its name in the store and on the command line.
    pub fn word(&self) -> &str {
        if let Self::Own(own) = self { own.word() } else { self.into() }
    }

    /// The kind with a word, built in or own; `None` if no kind can be named so.
    pub fn from_word(word: &str) -> Option<Self> {
        let built_in = Self::built_in().find(|kind| kind.word() == word);
        built_in.or_else(|| OwnKind::new(word).map(Self::Own))
    }

    /// The word of a kind as people type it: `Cart-Expiry`, `cart expiry`.
    pub fn typed(text: &str) -> String {
        text.trim().to_lowercase().replace(['-', ' '], "_")
    }

    /// True for a kind whose check runs beside the writer: a command of the house, or a backup of it.
    pub const fn runs_beside(self) -> bool {
        matches!(self, Self::Own(_) | Self::Backup)
    }

    /// True for a kind that the house added.
    pub const fn is_own(self) -> bool {
        matches!(self, Self::Own(_))
    }
}

impl From<JobKind> for String {
    fn from(kind: JobKind) -> Self {
        kind.word().to_owned()
    }
}

impl TryFrom<String> for JobKind {
    type Error = String;

    fn try_from(word: String) -> Result<Self, String> {
        Self::from_word(&word).ok_or_else(|| format!("{word:?} is no kind of job"))
    }
}

/// The word of an own kind, stored inline so that kinds stay `Copy`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OwnKind([u8; OwnKind::LENGTH_MAX]);

impl OwnKind {
    /// Most letters of the word.
    pub const LENGTH_MAX: usize = 32;

    /// Reads a word of lower-case letters, digits and underscores that begins with a letter.
    fn new(word: &str) -> Option<Self> {
        let is_plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
        let begins = word.starts_with(|letter: char| letter.is_ascii_lowercase());
        let mut bytes = [0; Self::LENGTH_MAX];
        bytes.get_mut(..word.len())?.copy_from_slice(word.as_bytes());
        (begins && word.bytes().all(is_plain)).then_some(Self(bytes))
    }

    fn word(&self) -> &str {
        // the bytes are ASCII, padded with zeros
        let padded = str::from_utf8(&self.0).unwrap_or_default();
        padded.trim_end_matches('\0')
    }
}

impl fmt::Debug for OwnKind {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.word().fmt(out)
    }
}

#[cfg(test)]
mod tests {
    use super::JobKind;

    #[test]
    fn a_word_names_a_built_in_kind_or_an_own_one_and_nothing_else() {
        for kind in JobKind::built_in() {
            assert_eq!(JobKind::from_word(kind.word()), Some(kind));
            assert!(!kind.is_own());
        }
        let own = JobKind::from_word(&JobKind::typed(" Order-Shipped ")).unwrap();
        assert_eq!((own.word(), own.is_own()), ("order_shipped", true));
        let stored = serde_json::to_string(&own).unwrap();
        assert_eq!(stored, "\"order_shipped\"");
        assert_eq!(serde_json::from_str::<JobKind>(&stored).unwrap(), own);
        let longest = "x".repeat(32);
        assert_eq!(JobKind::from_word(&longest).unwrap().word(), longest);
        for wrong in ["", "7up", "_a", "a.b", "Ä", "a b", "A", &"x".repeat(33)] {
            assert_eq!(JobKind::from_word(wrong), None, "{wrong:?}");
        }
    }
}
