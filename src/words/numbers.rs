//! Counts with their nouns.

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
