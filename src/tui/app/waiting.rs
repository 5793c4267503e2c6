//! The waiting list of the performance on Seats.

use crate::domain::refusal::{Refusal, WantedCells};
use crate::tui::app::App;
use crate::tui::dialogs::waiting::{WaitingList, WaitlistSubject};
use crate::words;

impl App {
    /// Opens the list; what was just refused says for how many seats somebody would wait.
    pub(super) fn open_waiting(&mut self) {
        let Some(map) = self.seats.map() else {
            self.note("Choose a performance on Tonight first: <tonight>");
            return;
        };
        let show = &map.performance;
        let when = words::day_time(show.start, self.shared.here().in_zone(map.zone));
        let categories = map.plan.categories.iter();
        let refused = self.shared.cart.refused().map(|refused| &refused.refusal);
        let of = WaitlistSubject {
            performance: show.id,
            title: format!("{}  {when}", show.title),
            categories: categories.map(|category| category.name.clone()).collect(),
            wanted: refused.and_then(wanted),
        };
        self.open(WaitingList::new(of));
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
