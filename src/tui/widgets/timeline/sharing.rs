//! Chooses which bar is drawn where several share a column.
//!
//! Neighbours that are shorter than a column touch the same one. The longer bar gives way, so that a short
//! maintenance between two long stays is seen.

use std::ops::Range;

/// Assigns each column to one bar. `touched` holds the columns of each bar, in time order. As many bars as possible
/// get a column; a bar left without one has an empty range, except `must`, which always gets one.
#[must_use]
pub fn shares(touched: &[Range<u16>], must: Option<usize>) -> Vec<Range<u16>> {
    let columns = touched.iter().map(|one| one.end).max().unwrap_or(0);
    let mut whose: Vec<Option<usize>> = vec![None; usize::from(columns)];
    let mut of_whom: Vec<Option<u16>> = vec![None; touched.len()];
    let mut order: Vec<(usize, &Range<u16>)> = touched.iter().enumerate().collect();
    // the bar that ends first has the least choice
    order.sort_by_key(|(_, one)| (one.end, one.start));
    for (at, one) in order {
        let is_free = |column: &u16| whose.get(usize::from(*column)) == Some(&None);
        if let Some(column) = one.clone().find(is_free) {
            claim((column, at), &mut whose, &mut of_whom);
        }
    }
    if let Some(at) = must.filter(|at| of_whom.get(*at) == Some(&None))
        && let Some(one) = touched.get(at).filter(|one| !one.is_empty())
    {
        claim((one.start, at), &mut whose, &mut of_whom);
    }
    let grown = touched.iter().zip(&of_whom);
    grown.map(|(one, first)| first.map_or(one.start..one.start, |first| grown_from(first, one, &whose))).collect()
}

/// Assigns a column to a bar and takes it from its previous owner.
fn claim((column, at): (u16, usize), whose: &mut [Option<usize>], of_whom: &mut [Option<u16>]) {
    let Some(owner) = whose.get_mut(usize::from(column)) else {
        return;
    };
    let before = owner.replace(at);
    if let Some(lost) = before.and_then(|before| of_whom.get_mut(before)) {
        *lost = None;
    }
    if let Some(mine) = of_whom.get_mut(at) {
        *mine = Some(column);
    }
}

/// Extends a bar from its first column over the unclaimed columns it touches.
fn grown_from(first: u16, touched: &Range<u16>, whose: &[Option<usize>]) -> Range<u16> {
    let is_free = |column: &u16| whose.get(usize::from(*column)) == Some(&None);
    let before = (touched.start..first).rev().take_while(is_free).count();
    let behind = (first + 1..touched.end).take_while(is_free).count();
    let columns = |count| u16::try_from(count).unwrap_or(0);
    first - columns(before)..first + 1 + columns(behind)
}

#[cfg(test)]
mod tests {
    use super::shares;

    #[test]
    fn a_short_stretch_between_two_long_ones_keeps_the_column_that_all_three_touch() {
        // a column a day: maintenance on the 3rd, a guest, maintenance on the 7th, a guest, maintenance on the 13th
        let january = [2..3, 2..7, 6..7, 6..13, 12..13];
        let seen = shares(&january, None);
        assert_eq!(seen, [2..3, 3..6, 6..7, 7..12, 12..13]);
    }

    #[test]
    fn as_many_bars_as_possible_are_seen_where_not_all_fit() {
        let crowded = [4..5, 4..5, 4..6, 5..6];
        assert_eq!(shares(&crowded, None), [4..5, 4..4, 5..6, 5..5]);
        // the bar under the cursor is always seen
        assert_eq!(shares(&crowded, Some(1)), [4..4, 4..5, 5..6, 5..5]);
        assert_eq!(shares(&crowded, Some(3)), [4..5, 4..4, 4..4, 5..6]);
    }

    #[test]
    fn a_bar_without_neighbours_keeps_all_columns() {
        assert_eq!(shares(&[0..3, 3..4, 8..20], None), [0..3, 3..4, 8..20]);
        assert_eq!(shares(&[], None), []);
    }
}
