//! Dictionary of the journal's texts: member names, and words of states and kinds.

use std::sync::LazyLock;

/// Most frequent words of bodies, requests and answers, one for each index letter. Indexes are
/// stored: a word never changes its place.
const ALL: &str = "id state active done canceled expired operator station created_at modified_at expires_at hold hold_cap_at \
    currency next_line lines number performance ticket_type unit_price seats live cart issued_at total payments \
    means cash card given minor reprints name receipts slots customer phone reservation tickets goods receipt \
    payment_began_at seen tenders kept refuse used_at imported_as performances held alert_at slot \
    maintenance resource taken wanted count from until kind cause booking series title description start end open \
    prices category theater plan hall zone segment policy open_ended before after parent hold_seats properties \
    marks price open_cart note checkout line EUR Adult disabled segments hold_cap since";

/// Length of the longest word.
const LENGTH_MAX: usize = 20;

static WORDS: LazyLock<Vec<&'static str>> = LazyLock::new(|| ALL.split(' ').collect());

/// Indexes of the words of each [`group`].
static GROUPS: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    let mut groups = vec![Vec::new(); (LENGTH_MAX + 1) * LETTERS];
    for (word, place) in WORDS.iter().zip(0..) {
        if let Some(group) = groups.get_mut(group(word.as_bytes())) {
            group.push(place);
        }
    }
    groups
});

/// Number of groups of one length.
const LETTERS: usize = 32;

/// Group of a word, by its length and the low bits of its first letter; few words share one.
fn group(word: &[u8]) -> usize {
    let first = word.first().copied().unwrap_or_default();
    word.len() * LETTERS + usize::from(first) % LETTERS
}

/// Word at an index.
pub(super) fn at(place: usize) -> Option<&'static str> {
    WORDS.get(place).copied()
}

/// Finds the quoted word at the start of a text; returns its index and length.
pub(super) fn find(text: &[u8]) -> Option<(u8, usize)> {
    let inside = text.get(1..)?;
    let inside = inside.get(..=LENGTH_MAX).unwrap_or(inside);
    let length = inside.iter().position(|letter| *letter == b'"')?;
    let word = inside.get(..length)?;
    let is_word = |place: &u8| at((*place).into()).is_some_and(|known| known.as_bytes() == word);
    let mut group = GROUPS.get(group(word))?.iter().copied();
    Some((group.find(is_word)?, length))
}
