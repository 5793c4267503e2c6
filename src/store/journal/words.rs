//! Dictionary of the journal's texts: member names, and words of states and kinds.

use std::collections::HashMap;
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

static PLACES: LazyLock<HashMap<&'static str, u8>> =
    LazyLock::new(|| WORDS.iter().copied().zip(0..).collect());

/// Word at an index.
pub(super) fn at(place: usize) -> Option<&'static str> {
    WORDS.get(place).copied()
}

/// Finds the quoted word at the start of a text; returns its index and length.
pub(super) fn find(text: &str) -> Option<(u8, usize)> {
    let inside = text.get(1..)?;
    let mut letters = inside.bytes().take(LENGTH_MAX + 1);
    let length = letters.position(|letter| letter == b'"')?;
    let place = PLACES.get(inside.get(..length)?)?;
    Some((*place, length))
}
