//! Carts set aside, summed up beside the cart.

use crate::domain::time::Instant;
use crate::engine::Failure;
use crate::engine::reads::carts::{CartRow, ReadOpenCarts};
use crate::tui::context::Context;
use crate::tui::msg::{Changed, Subject};
use crate::tui::remote::Remote;
use crate::tui::shared::Shared;

/// Carts set aside, as last read.
#[derive(Debug, Default)]
pub(super) struct Aside {
    rows: Remote<ReadOpenCarts, Vec<CartRow>>,
}

impl Aside {
    pub(super) fn ask(&mut self, context: &mut Context<'_>) {
        let question = context.shared.open_carts();
        context.load(&mut self.rows, question);
    }

    pub(super) fn answer(&mut self, number: u64, rows: Result<Vec<CartRow>, Failure>, context: &mut Context<'_>) {
        let waits = |row: &CartRow| row.set_aside && row.reservation.is_none();
        let rows = rows.map(|rows| rows.into_iter().filter(waits).collect());
        context.settle(&mut self.rows, number, rows);
    }

    /// Handles a change to a cart set aside: it was taken over, or has ended.
    pub(super) fn changed(&mut self, changed: &Changed, context: &mut Context<'_>) {
        let mine = |subject| {
            let waits = |row: &CartRow| subject == Subject::Cart(row.id);
            self.rows.value().is_some_and(|rows| rows.iter().any(waits))
        };
        if changed.touches(mine) {
            self.ask(context);
        }
    }

    /// Number of carts set aside and, where it fits, the first one's end; none if there are none.
    pub(super) fn words(&self, shared: &Shared, columns: u16) -> Option<String> {
        let waiting = |row: &&CartRow| row.expires_at > shared.now;
        let rows = self.rows.value()?.iter().filter(waiting);
        let until: Vec<Instant> = rows.map(|row| row.expires_at).collect();
        let first = until.iter().min()?;
        let ends = first.format(shared.zone, "%H:%M");
        let short = shared.keyed(&format!("<open-carts>  {} on hold", until.len()));
        let whole = format!("{short}, first ends {ends}");
        let has_room = whole.len() <= usize::from(columns);
        Some(if has_room { whole } else { short })
    }
}
