//! Lines of the calendar: groups of resources, folded or open, and the resources that match the filter.

use crate::domain::resource::{Resource, ResourceId};
use crate::domain::text::{clean, width};

/// Order of the groups by kind; other kinds follow by name.
const KINDS: [&str; 9] =
    ["hall", "room", "studio", "apartment", "meeting-room", "hotel", "hotel-room", "car", "equipment"];

/// Kind that is never booked as a whole: its group shows only its parts.
const HOTEL: &str = "hotel";

/// Line of the calendar, by what stands on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum LineKey {
    /// Head of a group, by the group's title.
    Group(String),
    Resource(ResourceId),
    /// Numbers of free resources of a group, by night.
    Sums(String),
}

impl LineKey {
    /// Resource of a line with time.
    pub(super) const fn resource(&self) -> Option<&ResourceId> {
        match self {
            Self::Resource(id) => Some(id),
            Self::Group(_) | Self::Sums(_) => None,
        }
    }
}

/// Group of resources.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Group {
    /// Title, also the key of its folding.
    pub(super) title: String,
    /// Indices of its resources that match the filter.
    pub(super) members: Vec<usize>,
    /// Number of its resources without the filter.
    pub(super) all: usize,
    /// True if the cells of all members are nights.
    pub(super) nights: bool,
}

/// Groups with their lines.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct ResourceLines {
    pub(super) groups: Vec<Group>,
    /// Lines, from top to bottom.
    pub(super) shown: Vec<LineKey>,
    /// Width of the longest name, in columns.
    pub(super) longest: u16,
}

impl ResourceLines {
    /// Builds the lines of resources that pass the filter; with `sums`, groups of nights end with numbers of free
    /// resources.
    pub(super) fn of(
        resources: &[Resource],
        passes: impl Fn(&Resource) -> bool,
        is_folded: impl Fn(&Group) -> bool,
        sums: bool,
    ) -> Self {
        let mut groups: Vec<(usize, Group)> = Vec::new();
        for (place, one) in resources.iter().enumerate() {
            let (rank, title) = group_of(one, resources);
            let at = groups.iter().position(|(_, group)| group.title == title);
            let at = at.unwrap_or_else(|| {
                let (members, all) = (Vec::new(), 0);
                groups.push((rank, Group { title, members, all, nights: true }));
                groups.len() - 1
            });
            let Some((_, group)) = groups.get_mut(at).filter(|_| !is_head(one, resources)) else {
                continue;
            };
            group.all += 1;
            group.nights &= one.grid.segment.is_day();
            if passes(one) {
                group.members.push(place);
            }
        }
        groups.sort_by(|(one, a), (two, b)| (one, &a.title).cmp(&(two, &b.title)));
        let groups: Vec<Group> =
            groups.into_iter().map(|(_, group)| group).filter(|group| !group.members.is_empty()).collect();
        let mut shown = Vec::new();
        let mut longest = 0;
        for group in &groups {
            shown.push(LineKey::Group(group.title.clone()));
            if is_folded(group) {
                continue;
            }
            for one in group.members.iter().filter_map(|place| resources.get(*place)) {
                longest = longest.max(width(&clean(&one.name)));
                shown.push(LineKey::Resource(one.id.clone()));
            }
            if sums && group.members.len() > 1 && group.nights {
                shown.push(LineKey::Sums(group.title.clone()));
            }
        }
        let longest = u16::try_from(longest).unwrap_or(u16::MAX / 2);
        Self { groups, shown, longest }
    }

    pub(super) fn group(&self, title: &str) -> Option<&Group> {
        self.groups.iter().find(|group| group.title == title)
    }

    /// Indices of the lines of some resources.
    pub(super) fn of_resources(&self, ids: &[ResourceId]) -> Vec<usize> {
        let of = |(_, line): &(usize, &LineKey)| line.resource().is_some_and(|id| ids.contains(id));
        self.shown.iter().enumerate().filter(of).map(|(index, _)| index).collect()
    }
}

/// True if a resource is only the head of its group.
fn is_head(one: &Resource, all: &[Resource]) -> bool {
    one.kind == HOTEL && has_parts(&one.id, all)
}

fn has_parts(id: &ResourceId, all: &[Resource]) -> bool {
    all.iter().any(|other| other.parent.as_ref() == Some(id))
}

/// Group of a resource: its whole, else its kind.
fn group_of(one: &Resource, all: &[Resource]) -> (usize, String) {
    let whole = one.parent.as_ref().and_then(|parent| all.iter().find(|other| other.id == *parent));
    let head = whole.or_else(|| has_parts(&one.id, all).then_some(one));
    let kind = head.map_or(one.kind.as_str(), |head| head.kind.as_str());
    let rank = KINDS.iter().position(|known| *known == kind);
    let rank = rank.unwrap_or(KINDS.len());
    match head {
        Some(head) => (rank, head.name.to_uppercase()),
        None => (rank, plural(kind)),
    }
}

/// Title of a kind's group: `ROOMS`, `EQUIPMENT`.
fn plural(kind: &str) -> String {
    let word = kind.replace(['-', '_'], " ").to_uppercase();
    if word.ends_with('S') || word == "EQUIPMENT" { word } else { format!("{word}S") }
}
