//! Tonight: performances with their sales, needs with their deadlines, and today's takings.
//!
//! The screen shows one snapshot from the engine and computes no figures. The snapshot is read again after a change
//! that touches it, and from time to time, as carts run out by the clock. A snooze holds for this screen only.

use chrono::NaiveDate;

use crate::domain::ids::PerformanceId;
use crate::engine::reads::tonight::Need;
use crate::tui::kit::action::Action;
use crate::tui::kit::context::Context;
use crate::tui::kit::go::Go;
use crate::tui::kit::keymap::KeyPlace;
use crate::tui::kit::line::PromptPurpose;
use crate::tui::kit::list::Cursor;
use crate::tui::kit::prompt::Prompt;
use crate::tui::kit::roster::RosterDialog;
use crate::tui::kit::screen::{Click, Handled};
use crate::tui::kit::shared::Shared;
use crate::tui::kit::targets::{List, Target};
use crate::tui::screens::tonight::night::{NightAct, NightDialog};
use crate::tui::screens::tonight::price_lists::PriceLists;
use crate::tui::screens::tonight::till::TillDialog;
use crate::tui::widgets::seat_map::WholeHouse;
use crate::words::day_time;

mod columns;
mod door;
mod figures;
mod latest;
mod listing;
mod mending;
mod needs;
mod new_theater;
mod night;
mod picture;
mod planning;
mod price_lists;
mod reading;
mod scan;
mod tally_columns;
#[cfg(test)]
mod tests;
mod till;
mod view;

use door::Door;
use listing::{Filter, Sort};
use mending::Seen;
use needs::{NeedKey, PutOff};
use new_theater::TheaterForm;
use planning::{NightForm, Planning};
use scan::Scan;

/// State of the screen Tonight.
#[derive(Debug, Default)]
pub(crate) struct TonightScreen {
    house: WholeHouse,
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
    pub(crate) fn place(&self) -> KeyPlace {
        match self.panel {
            Panel::Needs => KeyPlace::Needs,
            Panel::Performances => KeyPlace::Tonight,
        }
    }

    /// True while a countdown is on the screen.
    pub(crate) fn counts(&self, shared: &Shared) -> bool {
        let counted = |need: &Need| needs::is_counted_down(need, shared.now);
        self.page(shared).is_some_and(|page| page.needs.iter().any(counted))
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
            (Action::GoTo, _) => Prompt::ask(PromptPurpose::Day, "", context),
            (Action::Sort, _) => self.resort(context),
            (Action::Filter, _) => self.refilter(context),
            (Action::Earlier, _) => self.turn(-1, context),
            (Action::Later, _) => self.turn(1, context),
            (Action::NewNight, _) => context.open(NightForm::new(Planning::New)),
            (Action::NewTheater, _) => context.open(TheaterForm::new()),
            (Action::Change, _) => self.plan(Planning::Change, context),
            (Action::CopyNight, _) => self.plan(Planning::Copy, context),
            (Action::Who, _) => self.door(context, |(performance, title), context| {
                context.open(RosterDialog::new(Door { performance, title }));
            }),
            (Action::Scan, _) => self.door(context, |of, context| context.open(Scan::new(of))),
            (Action::Postpone, _) => self.night(NightAct::Postpone, context),
            (Action::PriceLists, _) => context.open(PriceLists::new(context.shared)),
            (Action::Till, _) => context.open(TillDialog::new(context.shared)),
            (Action::CancelNight, _) => self.night(NightAct::Cancel, context),
            (Action::Left | Action::Right, _) => {}
            _ => return self.step(action, context),
        }
        Handled::Yes
    }

    /// Moves the cursor of the panel with the focus.
    fn step(&mut self, action: Action, context: &mut Context<'_>) -> Handled {
        let moved = match self.panel {
            Panel::Needs => self.need.act(action, self.need_keys(context.shared)),
            Panel::Performances => self.selected.act(action, self.ids(context.shared)),
        };
        if moved { Handled::Yes } else { Handled::No }
    }

    pub(crate) fn click(&mut self, target: &Target, click: Click, context: &mut Context<'_>) {
        let Target::Row(list, index) = target else {
            return;
        };
        let at = (*index, click);
        let (panel, opens) = if *list == List::Needs {
            (Panel::Needs, self.need.click(at, self.need_keys(context.shared)))
        } else {
            let opens = self.selected.click(at, self.ids(context.shared));
            (Panel::Performances, opens)
        };
        if matches!(click, Click::Single | Click::Double) {
            self.panel = panel;
        }
        if opens {
            self.main(context);
        }
    }

    fn next_panel(&mut self, context: &mut Context<'_>) {
        let needs = self.open_needs(context.shared).len();
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
        let rows = self.rows(context.shared);
        let found = rows.into_iter().find(|row| Some(&row.id) == self.selected.key()).cloned();
        match found {
            Some(row) if row.canceled => context.note(format!("{} was canceled", row.title)),
            Some(row) => context.open(NightDialog::new(act, row)),
            None => context.note("No performance is listed; <later> shows the next week"),
        }
    }

    /// Opens the form that changes or copies the performance under the cursor.
    fn plan(&mut self, what: impl FnOnce(PerformanceId) -> Planning, context: &mut Context<'_>) {
        if !context.aims(&mut self.selected) {
            return;
        }
        match self.selected.key().copied() {
            Some(performance) => context.open(NightForm::new(what(performance))),
            None => context.note("No performance is listed; <new-night> adds one"),
        }
    }

    /// Opens the will-call list or the door of the performance under the cursor.
    fn door(&mut self, context: &mut Context<'_>, open: impl FnOnce((PerformanceId, String), &mut Context<'_>)) {
        if !context.aims(&mut self.selected) {
            return;
        }
        let rows = self.rows(context.shared);
        let here = context.shared.here();
        let night = rows.into_iter().find(|row| Some(&row.id) == self.selected.key());
        match night.map(|row| (row.id, format!("{}, {}", row.title, day_time(row.start, here.in_zone(row.zone))))) {
            Some(of) => open(of, context),
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
