//! Counts with their nouns.

use crate::domain::followed::Following;

/// A count with its noun: `1 seat`, `4 seats`.
#[must_use]
pub fn count(number: usize, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}s") }
}

/// Contents of a cart or an order: `2 seats, 1 slot`, `empty`.
#[must_use]
pub fn contents(seats: usize, slots: usize) -> String {
    match (seats, slots) {
        (0, 0) => "empty".to_owned(),
        (seats, 0) => count(seats, "seat"),
        (0, slots) => count(slots, "slot"),
        (seats, slots) => format!("{}, {}", count(seats, "seat"), count(slots, "slot")),
    }
}

/// Effects of a followed file: `2 brought, 1 moved`, or that nothing changed.
#[must_use]
pub fn followed(effects: &Following) -> String {
    let Following { brought, moved, freed, own, echoes, differing } = effects;
    let counts = [
        (brought, "brought"),
        (moved, "moved"),
        (freed, "freed"),
        (own, "left alone"),
        (echoes, "of our own"),
        (differing, "on the worklist"),
    ];
    let said = counts.iter().filter(|(count, _)| **count > 0).map(|(count, word)| format!("{count} {word}"));
    let said: Vec<String> = said.collect();
    if said.is_empty() { "nothing has changed".to_owned() } else { said.join(", ") }
}
