//! Tonight: performances with their sales, needs with their deadlines, and today's takings.
//!
//! The screen shows one snapshot from the engine and computes no figures. The snapshot is read again after a change
//! that touches it, and from time to time, as carts run out by the clock. A snooze holds for this screen only.

use chrono::NaiveDate;

use crate::domain::ids::{PerformanceId, PlanId};
use crate::engine::reads::receipts::{ReadReceipts, ReceiptRow};
use crate::engine::reads::seat_map::{ReadSeatMap, SeatMap};
use crate::engine::reads::tonight::{
    Need, PerformanceRow, ReadPerformances, ReadTally, ReadTonight, Tally, Tonight as Page,
};
use crate::tui::action::Action;
use crate::tui::context::Context;
use crate::tui::dialogs::night::{NightAct, NightDialog};
use crate::tui::go::{Go, PromptPurpose};
use crate::tui::keymap::KeyPlace;
use crate::tui::list::Cursor;
use crate::tui::msg::{Answer, Changed, Subject};
use crate::tui::remote::Remote;
use crate::tui::screens::{Click, Handled};
use crate::tui::shared::Shared;
use crate::tui::stale::Stale;
use crate::tui::targets::{List, Target};
use crate::tui::widgets::seat_map::Chart;

mod columns;
mod figures;
mod hints;
mod latest;
mod listing;
mod mending;
mod needs;
mod picture;
mod reading;
mod tally_columns;
#[cfg(test)]
mod tests;
mod view;

use listing::{Filter, Sort};
use mending::Seen;
use needs::{NeedKey, PutOff};

/// State of the screen Tonight.
#[derive(Debug, Default)]
pub(crate) struct TonightScreen {
    page: Remote<ReadTonight, Box<Page>>,
    tally: Remote<ReadTally, Vec<(String, Tally)>>,
    /// Seats of the selected performance, read where the terminal has room for a picture of the house.
    map: Remote<ReadSeatMap, Box<SeatMap>>,
    chart: Option<(PlanId, Chart)>,
    /// Latest receipts, read where the terminal has room for them.
    latest: Remote<ReadReceipts, Vec<ReceiptRow>>,
    /// Performances after a window without one.
    beyond: Remote<ReadPerformances, Vec<PerformanceRow>>,
    stale: Stale,
    weeks: i64,
    panel: Panel,
    selected: Cursor<PerformanceId>,
    need: Cursor<NeedKey>,
    put_off: PutOff,
    sort: Sort,
    filter: Filter,
    /// Day whose first performance is to be selected.
    wanted: Option<NaiveDate>,
    /// Last need marked as seen, for `u`.
    seen: Option<Seen>,
}

/// Panel with the keyboard focus.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Panel {
    #[default]
    Performances,
    Needs,
}

impl TonightScreen {
    pub(crate) fn enter(&mut self, context: &mut Context<'_>) {
        self.ask_page(context);
    }

    /// Reads what a large terminal shows besides, once there is room for it.
    pub(crate) fn resized(&mut self, context: &mut Context<'_>) {
        if self.map.value().is_none() {
            self.ask_page(context);
        }
    }

    pub(crate) fn place(&self) -> KeyPlace {
        match self.panel {
            Panel::Needs => KeyPlace::Needs,
            Panel::Performances => KeyPlace::Tonight,
        }
    }

    /// True while a countdown is on the screen.
    pub(crate) fn counts(&self, shared: &Shared) -> bool {
        let counted = |need: &Need| needs::is_counted_down(need, shared.now);
        self.page.value().is_some_and(|page| page.needs.iter().any(counted))
    }

    /// Handles the one-second tick: reads again what has changed.
    pub(crate) fn tick(&mut self, context: &mut Context<'_>) {
        let now = context.shared.now;
        self.stale.look(now);
        if let Some(changed) = self.stale.due(now) {
            self.ask_again(&changed, context);
        }
    }

    pub(crate) fn act(&mut self, action: Action, context: &mut Context<'_>) -> Handled {
        match (action, self.panel) {
            (Action::NextStop | Action::PreviousStop, _) => self.next_panel(context),
            (Action::Main, _) => self.main(context),
            (Action::Best, _) => self.sell(Go::SellBest, context),
            (Action::Seen, _) => self.seen(context),
            (Action::Accept, Panel::Needs) => self.accept(context),
            (Action::Inspect, Panel::Needs) => self.inspect(context),
            (Action::Undo, _) if self.would_undo().is_some() => self.undo(context),
            (Action::PutOff, Panel::Needs) => self.later(context),
            (Action::GoTo, _) => context.go(Go::Ask(PromptPurpose::Day)),
            (Action::Sort, _) => self.resort(context),
            (Action::Filter, _) => self.refilter(context),
            (Action::Earlier, _) => self.turn(-1, context),
            (Action::Later, _) => self.turn(1, context),
            (Action::Postpone, _) => self.night(NightAct::Postpone, context),
            (Action::CancelNight, _) => self.night(NightAct::Cancel, context),
            (Action::Left | Action::Right, _) => {}
            _ => return self.step(action, context),
        }
        Handled::Yes
    }

    /// Moves the cursor of the panel with the focus.
    fn step(&mut self, action: Action, context: &mut Context<'_>) -> Handled {
        let now = context.shared.now;
        let moved = match self.panel {
            Panel::Needs => self.need.act(action, self.need_keys(now)),
            Panel::Performances => self.selected.act(action, self.ids(now)),
        };
        self.selected(context);
        if moved { Handled::Yes } else { Handled::No }
    }

    pub(crate) fn click(&mut self, target: &Target, click: Click, context: &mut Context<'_>) {
        let Target::Row(list, index) = target else {
            return;
        };
        let now = context.shared.now;
        let at = (*index, click);
        let (panel, opens) = if *list == List::Needs {
            (Panel::Needs, self.need.click(at, self.need_keys(now)))
        } else {
            let opens = self.selected.click(at, self.ids(now));
            (Panel::Performances, opens)
        };
        self.selected(context);
        if matches!(click, Click::Single | Click::Double) {
            self.panel = panel;
        }
        if opens {
            self.main(context);
        }
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "it asks a few of all")]
    pub(crate) fn answer(&mut self, number: u64, answer: Answer, context: &mut Context<'_>) {
        match answer {
            Answer::Tonight(page) => {
                let came = context.settle(&mut self.page, number, page);
                if came {
                    self.page_came(context);
                }
            }
            Answer::Tally(tally) => {
                context.settle(&mut self.tally, number, tally);
            }
            Answer::SeatMap(map) => {
                context.settle(&mut self.map, number, map);
                self.chart_map();
            }
            Answer::Receipts(rows) => {
                context.settle(&mut self.latest, number, rows);
            }
            Answer::Performances(rows) => {
                context.settle(&mut self.beyond, number, rows);
            }
            _ => {}
        }
    }

    /// Handles a change in the house: what it touches is read again within a second.
    pub(crate) fn changed(&mut self, changed: &Changed, context: &mut Context<'_>) {
        let rows = self.page.value().map_or(&[][..], |page| &page.performances);
        let listed = |id| rows.iter().any(|row| row.id == id);
        let touches = |subject| match subject {
            Subject::Seats(id) => listed(id),
            Subject::Day(..) | Subject::Resource(_) | Subject::Booking(_) => false,
            Subject::Performance(_)
            | Subject::Cart(_)
            | Subject::Receipt(_)
            | Subject::Customer
            | Subject::Worklist
            | Subject::Settings
            | Subject::Other => true,
        };
        if changed.touches(touches) {
            self.stale.add(changed);
            self.tick(context);
        }
    }

    /// Reads the tally of another performance under the cursor.
    fn selected(&mut self, context: &mut Context<'_>) {
        if self.tally.asked().map(|question| &question.0) != self.selected.key() {
            self.ask_tally(context);
        }
    }

    fn next_panel(&mut self, context: &mut Context<'_>) {
        let needs = self.needs(context.shared.now).len();
        self.panel = match self.panel {
            Panel::Performances if needs == 0 => {
                context.note("Nothing needs you now");
                Panel::Performances
            }
            Panel::Performances => Panel::Needs,
            Panel::Needs => Panel::Performances,
        };
    }

    fn main(&mut self, context: &mut Context<'_>) {
        match self.panel {
            Panel::Performances => self.sell(Go::Sell, context),
            Panel::Needs => {
                if let Some(need) = self.aimed_need(context) {
                    Self::open(&need, context);
                }
            }
        }
    }

    /// Opens the dialog that postpones or cancels the performance under the cursor.
    fn night(&mut self, act: NightAct, context: &mut Context<'_>) {
        if !context.aims(&mut self.selected) {
            return;
        }
        let rows = self.rows(context.shared.now);
        let found = rows.iter().find(|row| Some(&row.id) == self.selected.key());
        match found {
            Some(row) if row.canceled => context.note(format!("{} was canceled", row.title)),
            Some(row) => {
                let row = PerformanceRow::clone(row);
                context.open(NightDialog::new(act, row));
            }
            None => context.note("No performance is listed; <later> shows the next week"),
        }
    }

    fn sell(&mut self, go: impl FnOnce(PerformanceId) -> Go, context: &mut Context<'_>) {
        if !context.aims(&mut self.selected) {
            return;
        }
        match self.selected.key().copied() {
            Some(performance) => context.go(go(performance)),
            None => context.note("No performance is listed; <later> shows the next week"),
        }
    }
}
