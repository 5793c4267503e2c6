//! The waiting list of the performance.

use crate::domain::refusal::{Refusal, WantedCells};
use crate::tui::dialogs::waiting_list::{WaitingList, WaitlistSubject};
use crate::tui::kit::context::Context;
use crate::tui::screens::seats::Seats;
use crate::words;

impl Seats {
    /// Opens the list; what was just refused says for how many seats somebody would wait.
    pub(super) fn open_waiting(&self, context: &mut Context<'_>) {
        let Some(map) = self.map() else {
            context.note("Choose a performance on Tonight first: <tonight>");
            return;
        };
        let show = &map.performance;
        let when = words::day_time(show.start, context.shared.here().in_zone(map.zone));
        let categories = map.plan.categories.iter();
        let refused = context.shared.cart.refused().map(|refused| &refused.refusal);
        let of = WaitlistSubject {
            performance: show.id,
            title: format!("{}  {when}", show.title),
            categories: categories.map(|category| category.name.clone()).collect(),
            wanted: refused.and_then(wanted),
        };
        context.open(WaitingList::new(of));
    }
}

/// Number of seats in a refusal.
fn wanted(refusal: &Refusal) -> Option<usize> {
    if let Refusal::NoSeatsTogether { count, .. } = refusal {
        return usize::try_from(*count).ok();
    }
    if let Refusal::Taken { wanted: WantedCells::Seats, facts, .. } = refusal {
        return Some(facts.len());
    }
    None
}
