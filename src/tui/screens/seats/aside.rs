//! Carts set aside, summed up beside the cart.

use crate::domain::time::Instant;
use crate::engine::reads::carts::CartRow;
use crate::tui::context::Context;
use crate::tui::msg::{Answer, Answered, Changed, Query, Subject, only};
use crate::tui::remote::{Again, Remote, Ticket};
use crate::tui::shared::Shared;

/// Carts set aside, as last read.
#[derive(Debug, Default)]
pub(super) struct Aside {
    rows: Remote<Vec<CartRow>>,
}

impl Aside {
    pub(super) fn ask(&mut self, context: &mut Context<'_>) {
        context.load(&mut self.rows, Query::OpenCarts);
    }

    pub(super) fn awaits(&self, ticket: Ticket) -> bool {
        self.rows.awaits(ticket)
    }

    pub(super) fn answer(&mut self, answer: Answered, context: &mut Context<'_>) {
        let rows = only!(answer, Answer::OpenCarts(rows) => rows.into_iter().filter(|row| row.set_aside && row.reservation.is_none()).collect());
        if self.rows.settle(rows) == Again::Yes {
            self.ask(context);
        }
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
