//! Carts set aside, summed up beside the cart.

use crate::domain::text::{clean, width};
use crate::engine::reads::carts::CartRow;
use crate::tui::data::compound::ReadAside;
use crate::tui::kit::shared::Shared;
use crate::words;

pub(super) fn question(shared: &Shared) -> ReadAside {
    ReadAside(shared.open_carts())
}

/// Number of carts set aside and, as far as they fit, whose they are and when they end; none if there are none.
pub(super) fn words(shared: &Shared, columns: u16) -> Option<String> {
    let waiting = |row: &&CartRow| row.expires_at > shared.now;
    let rows = shared.reads.get(&question(shared))?.iter().filter(waiting);
    let mut rows: Vec<&CartRow> = rows.collect();
    rows.sort_by_key(|row| row.expires_at);
    let mut words = shared.keyed(&format!("<open-carts>  {} on hold", rows.len()));
    rows.first()?;
    for (row, sign) in rows.iter().zip(std::iter::once(":").chain(std::iter::repeat(","))) {
        let seats = words::count(row.seats, "seat");
        let whose = Some(clean(&row.customer.name)).filter(|name| !name.is_empty()).unwrap_or(seats);
        let more = format!("{sign} {whose} {}", row.expires_at.format(shared.zone, "%H:%M"));
        if width(&words) + width(&more) > usize::from(columns) {
            break;
        }
        words += &more;
    }
    Some(words)
}
