//! The one unique name of every seat, as people name it.
//!
//! `B7` where the whole plan has only one; else `Ground floor/A/12`; where that still repeats the geometric
//! blocks are numbered: `Ground floor/3/A/12`. A zone's seats are all named alike. A ticket has the house's own words for a
//! seat where they are as unique. What even then repeats gets
//! a number behind it, so names are unique always, and so they are without regard to case.

use std::collections::{HashMap, HashSet};

use crate::domain::layout::Layout;
use crate::domain::plan::{Plan, PlanRow, Seat, Zone};

/// Parts of a seat's place that its name contains.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Depth {
    /// `B7`
    Row,
    /// `Ground floor/A/12`
    Zone,
    /// `Ground floor/3/A/12`
    Block,
}

pub(super) fn name_seats(plan: &mut Plan) {
    let blocks = block_numbers(plan);
    let mut depths = vec![Depth::Row; plan.zones.len()];
    for deeper in [Depth::Zone, Depth::Block] {
        for zone in repeating(plan, &depths, &blocks) {
            if let Some(depth) = depths.get_mut(zone) {
                *depth = deeper;
            }
        }
    }
    let mut names = names(plan, &depths, &blocks).into_iter();
    let mut taken = HashSet::new();
    for (zone, depth) in plan.zones.iter_mut().zip(depths) {
        for seat in zone.rows.iter_mut().flat_map(|row| &mut row.seats) {
            let (_, wanted) = names.next().unwrap_or_default();
            seat.name = unique(wanted.clone(), &mut taken);
            if depth == Depth::Block || seat.name != wanted {
                seat.words.clear();
            } else if depth == Depth::Zone && !seat.words.is_empty() {
                seat.words = format!("{}, {}", zone.name, seat.words);
            }
        }
    }
}

/// Each seat's block, counted within its zone from 1, in chunk order.
fn block_numbers(plan: &Plan) -> Vec<usize> {
    let layout = Layout::new(plan);
    let zones = plan.zones.iter().enumerate();
    let zone_of_rows: Vec<usize> =
        zones.flat_map(|(index, zone)| std::iter::repeat_n(index, zone.rows.len())).collect();
    let mut numbers: HashMap<(usize, u16), usize> = HashMap::new();
    let mut counts: HashMap<usize, usize> = HashMap::new();
    layout
        .places
        .iter()
        .map(|place| {
            let row = usize::try_from(place.seat.row).unwrap_or(usize::MAX);
            let zone = zone_of_rows.get(row).copied().unwrap_or_default();
            *numbers.entry((zone, place.block)).or_insert_with(|| {
                let count = counts.entry(zone).or_default();
                *count += 1;
                *count
            })
        })
        .collect()
}

/// The zones that share a name with any seat, their own or another's.
fn repeating(plan: &Plan, depths: &[Depth], blocks: &[usize]) -> HashSet<usize> {
    let mut first: HashMap<String, usize> = HashMap::new();
    let mut repeating = HashSet::new();
    for (zone, name) in names(plan, depths, blocks) {
        if let Some(other) = first.insert(name.to_lowercase(), zone) {
            repeating.extend([zone, other]);
        }
    }
    repeating
}

/// Each seat's zone and name, in chunk order.
fn names(plan: &Plan, depths: &[Depth], blocks: &[usize]) -> Vec<(usize, String)> {
    let seats = plan.zones.iter().enumerate().flat_map(|(index, zone)| {
        let rows = zone.rows.iter();
        rows.flat_map(move |row| row.seats.iter().map(move |seat| (index, zone, row, seat)))
    });
    seats
        .zip(blocks)
        .map(|((index, zone, row, seat), block)| {
            let depth = depths.get(index).copied().unwrap_or(Depth::Block);
            (index, name((depth, *block), zone, row, seat))
        })
        .collect()
}

fn name((depth, block): (Depth, usize), zone: &Zone, row: &PlanRow, seat: &Seat) -> String {
    let name = match depth {
        Depth::Row => short(&row.label, &seat.label),
        Depth::Zone => format!("{}/{}/{}", zone.name, row.label, seat.label),
        Depth::Block => format!("{}/{block}/{}/{}", zone.name, row.label, seat.label),
    };
    // A comma parts names where several are given.
    name.replace(',', ";")
}

/// `B7`; with a stroke where letters and digits would run together: `Box 1/2`, `12/b`.
fn short(row: &str, seat: &str) -> String {
    let ends_in_letter = row.chars().last().is_some_and(char::is_alphabetic);
    let starts_with_digit = seat.chars().next().is_some_and(|first| first.is_ascii_digit());
    if ends_in_letter && starts_with_digit { format!("{row}{seat}") } else { format!("{row}/{seat}") }
}

/// The name, or the name with the first number that makes it unique.
fn unique(wanted: String, taken: &mut HashSet<String>) -> String {
    if taken.insert(wanted.to_lowercase()) {
        return wanted;
    }
    let mut number = 2;
    loop {
        let numbered = format!("{wanted}#{number}");
        if taken.insert(numbered.to_lowercase()) {
            return numbered;
        }
        number += 1;
    }
}
