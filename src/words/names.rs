//! Names of seats and other things in a row, shortened.

use crate::domain::plan::{SeatRef, counted};

/// Maximum number of seats named before "and 7 more".
const NAMED_MAX: usize = 6;

/// Names of seats with runs joined: `F9-F12, G3`; always in the order of the plan.
#[must_use]
pub fn seats<'a>(named: impl IntoIterator<Item = (SeatRef, &'a str)>) -> String {
    let mut named: Vec<(SeatRef, &str)> = named.into_iter().collect();
    named.sort_unstable_by_key(|(seat, _)| *seat);
    let beside =
        |(one, _): &(SeatRef, &str), (other, _): &(SeatRef, &str)| one.row == other.row && one.seat + 1 == other.seat;
    joined(&named, |(_, name)| *name, beside)
}

/// Names of seats in the given order, with runs joined as in [`seats`]: `G8-G11, G14`.
#[must_use]
pub fn span_of(names: &[String]) -> String {
    joined(names, String::as_str, |_, _| true)
}

/// Run of neighbouring seats, written as its first and last.
struct SeatRun<'a> {
    first: &'a str,
    last: &'a str,
    /// Step from one number to the next, known from two seats on.
    step: Option<i64>,
}

/// Joins neighbours whose numbers differ by one; `P2-P6` would be read as five seats where a side has only even
/// numbers.
fn joined<'a, T>(seats: &'a [T], name: impl Fn(&'a T) -> &'a str, beside: impl Fn(&T, &T) -> bool) -> String {
    let mut runs: Vec<SeatRun<'a>> = Vec::new();
    let before = std::iter::once(None).chain(seats.iter().map(Some));
    for (seat, before) in seats.iter().zip(before) {
        let this = name(seat);
        let step = before.filter(|before| beside(before, seat)).and_then(|before| step(name(before), this));
        match runs.last_mut() {
            Some(run) if step.is_some() && (run.step.is_none() || run.step == step) => {
                (run.last, run.step) = (this, step);
            }
            _ => runs.push(SeatRun { first: this, last: this, step: None }),
        }
    }
    let written: Vec<String> = runs.iter().map(SeatRun::words).collect();
    list(&written)
}

impl SeatRun<'_> {
    fn words(&self) -> String {
        match self.step {
            None => self.first.to_owned(),
            Some(_) => format!("{}-{}", self.first, short(self.first, self.last)),
        }
    }
}

/// Step of the number at the end of a name to the next name's: 1 or -1; none otherwise.
fn step(before: &str, name: &str) -> Option<i64> {
    let parted = |name: &'_ str| -> Option<(usize, i64)> {
        let letters = name.trim_end_matches(|char: char| char.is_ascii_digit()).len();
        Some((letters, name.get(letters..)?.parse().ok()?))
    };
    let ((letters, from), (same, to)) = (parted(before)?, parted(name)?);
    let alike = before.get(..letters) == name.get(..same);
    (alike && (to - from).abs() == 1).then_some(to - from)
}

/// Last name of a run without the prefix it shares with the first: `Stalls/A/4` after `Stalls/A/1` is `4`.
fn short<'a>(first: &str, last: &'a str) -> &'a str {
    match (first.rsplit_once('/'), last.rsplit_once('/')) {
        (Some((before, _)), Some((same, number))) if before == same => number,
        _ => last,
    }
}

/// First few of some names: `F9, F10 and 3 more`.
#[must_use]
pub fn list(names: &[String]) -> String {
    let names = counted(names);
    let more = names.len().saturating_sub(NAMED_MAX);
    let text = names.iter().take(NAMED_MAX).map(String::as_str).collect::<Vec<_>>().join(", ");
    if more > 0 { format!("{text} and {more} more") } else { text }
}

/// Verb of a count.
pub(super) const fn is_are(count: usize) -> &'static str {
    if count == 1 { "is" } else { "are" }
}
