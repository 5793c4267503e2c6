//! Which lines the calendar has: groups of resources, each folded or open, and the resources that pass the filter.

use crate::domain::resource::{Resource, ResourceId};
use crate::domain::text::{clean, width};

/// Kinds in the order in which their groups stand; the others come after, by name.
const KINDS: [&str; 9] = [
    "hall",
    "room",
    "studio",
    "apartment",
    "meeting-room",
    "hotel",
    "hotel-room",
    "car",
    "equipment",
];

/// The kind whose group shows its parts only: nobody books a whole hotel by one line.
const HOTEL: &str = "hotel";

/// A line of the calendar.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Shown {
    /// The head of a group, by its place.
    Group(usize),
    /// A resource, by its place in the list.
    Resource(usize),
    /// How many of a group are free each night.
    Sums(usize),
}

/// Resources that stand together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Group {
    /// What it is called; also what it is remembered by when it is folded.
    pub(super) title: String,
    /// Its resources that pass the filter, by their places in the list.
    pub(super) members: Vec<usize>,
    /// How many it has in all.
    pub(super) all: usize,
    /// Whether a cell of each is a night.
    pub(super) nights: Nights,
}

/// Whether a cell of every member of a group is a night.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Nights {
    /// It is.
    All,
    /// Of some it is shorter.
    Not,
}

/// The groups with their lines.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Lines {
    /// The groups.
    pub(super) groups: Vec<Group>,
    /// All lines, from the first to the last.
    pub(super) shown: Vec<Shown>,
    /// How many columns the longest name on a line has.
    pub(super) longest: u16,
}

/// What is to be shown of the groups.
pub(super) struct Showing<'a> {
    /// Whether a group is folded.
    pub(super) folded: &'a dyn Fn(&Group) -> bool,
    /// Whether a resource passes the filter.
    pub(super) passes: &'a dyn Fn(&Resource) -> bool,
    /// Whether groups of nights end with how many are free.
    pub(super) sums: Sums,
}

/// Whether groups end with how many of them are free.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sums {
    /// They do, where a cell is a night.
    Shown,
    /// They do not.
    Hidden,
}

impl Lines {
    /// The lines of resources.
    pub(super) fn of(resources: &[Resource], showing: &Showing<'_>) -> Self {
        let mut groups: Vec<(usize, Group)> = Vec::new();
        for (place, one) in resources.iter().enumerate() {
            let (rank, title) = group_of(one, resources);
            let at = groups.iter().position(|(_, group)| group.title == title);
            let at = at.unwrap_or_else(|| {
                let (members, all) = (Vec::new(), 0);
                groups.push((
                    rank,
                    Group {
                        title,
                        members,
                        all,
                        nights: Nights::All,
                    },
                ));
                groups.len() - 1
            });
            let Some((_, group)) = groups.get_mut(at).filter(|_| !is_head(one, resources)) else {
                continue;
            };
            group.all += 1;
            if !one.grid.segment.is_day() {
                group.nights = Nights::Not;
            }
            if (showing.passes)(one) {
                group.members.push(place);
            }
        }
        groups.sort_by(|(one, a), (two, b)| (one, &a.title).cmp(&(two, &b.title)));
        let groups: Vec<Group> = groups
            .into_iter()
            .map(|(_, group)| group)
            .filter(|group| !group.members.is_empty())
            .collect();
        let mut shown = Vec::new();
        for (place, group) in groups.iter().enumerate() {
            shown.push(Shown::Group(place));
            if (showing.folded)(group) {
                continue;
            }
            shown.extend(group.members.iter().map(|member| Shown::Resource(*member)));
            if showing.sums == Sums::Shown && group.members.len() > 1 && group.nights == Nights::All
            {
                shown.push(Shown::Sums(place));
            }
        }
        let names = shown.iter().filter_map(|line| match line {
            Shown::Resource(place) => resources.get(*place).map(|one| width(&clean(&one.name))),
            Shown::Group(_) | Shown::Sums(_) => None,
        });
        let longest = u16::try_from(names.max().unwrap_or(0)).unwrap_or(u16::MAX / 2);
        Self {
            groups,
            shown,
            longest,
        }
    }
}

/// Whether a resource is only the head of its group.
fn is_head(one: &Resource, all: &[Resource]) -> bool {
    one.kind == HOTEL && has_parts(&one.id, all)
}

fn has_parts(id: &ResourceId, all: &[Resource]) -> bool {
    all.iter().any(|other| other.parent.as_ref() == Some(id))
}

/// The group of a resource: what it is a part of, else its kind.
fn group_of(one: &Resource, all: &[Resource]) -> (usize, String) {
    let whole = one
        .parent
        .as_ref()
        .and_then(|parent| all.iter().find(|other| other.id == *parent));
    let head = whole.or_else(|| has_parts(&one.id, all).then_some(one));
    let kind = head.map_or(one.kind.as_str(), |head| head.kind.as_str());
    let rank = KINDS.iter().position(|known| *known == kind);
    let rank = rank.unwrap_or(KINDS.len());
    match head {
        Some(head) => (rank, head.name.to_uppercase()),
        None => (rank, plural(kind)),
    }
}

/// `ROOMS`, `EQUIPMENT`.
fn plural(kind: &str) -> String {
    let word = kind.replace(['-', '_'], " ").to_uppercase();
    if word.ends_with('S') || word == "EQUIPMENT" {
        word
    } else {
        format!("{word}S")
    }
}
