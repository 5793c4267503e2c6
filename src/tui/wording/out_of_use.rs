//! Seats taken out of use and put back, in words.

use crate::domain::text::clean;
use crate::engine::ops::StillOut;
use crate::tui::msg::DisabledAnswer;
use crate::tui::wording::{count, list};

/// Seats that another act keeps out of use: `A1 is still out of use: inspection`.
#[must_use]
pub fn still_out(still: &StillOut) -> String {
    let reasons: Vec<String> = still.reasons.iter().map(|reason| clean(reason)).collect();
    let are = if still.seats.len() == 1 { "is" } else { "are" };
    format!(
        "{} {are} still out of use: {}",
        list(&still.seats),
        list(&reasons)
    )
}

/// Seats out of use, with who lost them: `Out of use; taken from 1 open cart`.
#[must_use]
pub fn out_of_use(done: &str, disabled: &DisabledAnswer) -> String {
    let mut lost = Vec::new();
    if !disabled.carts.is_empty() {
        let carts = count(disabled.carts.len(), "open cart");
        lost.push(format!("taken from {carts}"));
    }
    match disabled.displaced.len() {
        0 => {}
        items => lost.push(format!("{items} displaced, see Needs you")),
    }
    if lost.is_empty() {
        lost.push("nobody is displaced".to_owned());
    }
    format!("{done}; {}", lost.join("; "))
}
