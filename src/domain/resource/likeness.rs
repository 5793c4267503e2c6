//! Which resource stands in for another, and how well.

use crate::domain::resource::Resource;
use crate::domain::time::Span;

/// Ranks a resource's time as a substitute for another's; the least is the best. A customer who wants the van at ten is
/// better off with a smaller one at ten than with a larger one on another day.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Fit {
    /// Distance from the wanted time.
    pub away: Span,
    pub likeness: Likeness,
}

/// Ranks a resource as a substitute for another; the least is the best.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Likeness {
    /// By how much it is smaller than it should be, in all that is counted, as beds, guests or seats.
    smaller_by: u64,
    /// Whether it is part of something else: another hotel.
    elsewhere: bool,
    /// Number of text properties that differ: another city.
    other_words: usize,
    /// By how much it is larger than it has to be, in all that is counted.
    larger_by: u64,
}

impl Likeness {
    /// Returns whether it has less of a counted property, which an operator has to know beforehand.
    pub const fn is_smaller(self) -> bool {
        self.smaller_by > 0
    }
}

impl Resource {
    /// Ranks another resource as a substitute for this one; `None` if it is of another kind.
    pub fn likeness(&self, other: &Self) -> Option<Likeness> {
        let mut likeness =
            Likeness { smaller_by: 0, elsewhere: self.parent != other.parent, other_words: 0, larger_by: 0 };
        if self.kind != other.kind {
            return None;
        }
        for (name, mine) in &self.properties {
            let theirs = other.properties.get(name).map(String::as_str);
            match (mine.parse::<u64>(), theirs.map(str::parse::<u64>)) {
                (Ok(mine), Some(Ok(theirs))) => {
                    let (larger, smaller) = (theirs.saturating_sub(mine), mine.saturating_sub(theirs));
                    likeness.larger_by = likeness.larger_by.saturating_add(larger);
                    likeness.smaller_by = likeness.smaller_by.saturating_add(smaller);
                }
                (Ok(mine), None | Some(Err(_))) => {
                    likeness.smaller_by = likeness.smaller_by.saturating_add(mine);
                }
                (Err(_), _) if theirs == Some(mine) => {}
                (Err(_), _) => likeness.other_words += 1,
            }
        }
        Some(likeness)
    }
}

#[cfg(test)]
mod tests {
    use chrono_tz::Tz;

    use super::*;
    use crate::domain::resource::Policy;
    use crate::domain::time::{Grid, Segment, Span};

    fn room(line: &str) -> Resource {
        let mut words = line.split(' ');
        let mut next = || words.next().unwrap();
        let (name, kind, parent) = (next(), next(), next());
        let property = |word: &str| {
            let (name, value) = word.split_once('=').unwrap();
            (name.to_owned(), value.to_owned())
        };
        Resource {
            id: name.parse().unwrap(),
            name: name.to_owned(),
            kind: kind.to_owned(),
            parent: Some(parent.parse().unwrap()),
            children: Vec::new(),
            grid: Grid { zone: Tz::UTC, segment: Segment::DAY },
            policy: Policy::OpenEnded,
            hours: None,
            before: Span::default(),
            after: Span::default(),
            price: None,
            prices: None,
            count: None,
            properties: words.map(property).collect(),
            marks: Vec::new(),
            retired: false,
        }
    }

    #[test]
    fn a_room_of_the_house_before_one_elsewhere_and_a_smaller_one_last() {
        let lost = room("r1 room ritz guests=3 view=sea");
        let mut best: Vec<(Likeness, String)> = [
            "r2 room ritz guests=6 view=sea",
            "r3 room ritz guests=4 view=sea",
            "r4 room ritz guests=3 view=yard",
            "r5 room ritz guests=2 view=sea",
            "r6 room ritz view=sea",
            "r7 suite ritz guests=3 view=sea",
            "r8 room plaza guests=3 view=sea",
        ]
        .into_iter()
        .map(room)
        .filter_map(|other| Some((lost.likeness(&other)?, other.name)))
        .collect();
        best.sort();
        let names: Vec<&str> = best.iter().map(|(_, name)| name.as_str()).collect();
        assert_eq!(names, ["r3", "r2", "r4", "r8", "r5", "r6"]);
        let is_smaller = |(likeness, _): &&(Likeness, String)| likeness.is_smaller();
        assert_eq!(best.iter().filter(is_smaller).count(), 2);
        // the wanted time comes before everything
        let (large, small) = (best[0].0, best[5].0);
        let fit = |minutes, likeness| Fit { away: Span::minutes(minutes), likeness };
        assert!(fit(0, small) < fit(15, large) && fit(0, large) < fit(0, small));
    }
}
