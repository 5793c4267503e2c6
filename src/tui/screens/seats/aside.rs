//! Carts set aside, summed up beside the cart.

use crate::domain::time::Instant;
use crate::engine::reads::carts::CartRow;
use crate::tui::data::questions::ReadAside;
use crate::tui::kit::shared::Shared;

pub(super) fn question(shared: &Shared) -> ReadAside {
    ReadAside(shared.open_carts())
}

/// Number of carts set aside and, where it fits, the first one's end; none if there are none.
pub(super) fn words(shared: &Shared, columns: u16) -> Option<String> {
    let waiting = |row: &&CartRow| row.expires_at > shared.now;
    let rows = shared.reads.get(&question(shared))?.iter().filter(waiting);
    let until: Vec<Instant> = rows.map(|row| row.expires_at).collect();
    let first = until.iter().min()?;
    let ends = first.format(shared.zone, "%H:%M");
    let short = shared.keyed(&format!("<open-carts>  {} on hold", until.len()));
    let whole = format!("{short}, first ends {ends}");
    let has_room = whole.len() <= usize::from(columns);
    Some(if has_room { whole } else { short })
}
