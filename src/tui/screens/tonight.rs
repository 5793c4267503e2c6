//! Tonight: performances with their sales, needs with their deadlines, and today's takings.
//!
//! The screen shows one snapshot from the engine and computes no figures. The snapshot is read again after a change
//! that touches it, and from time to time, as carts run out by the clock. A snooze holds for this screen only.

use chrono::NaiveDate;

use crate::domain::house::WorkKind;
use crate::domain::ids::PerformanceId;
use crate::engine::reads::seat_map::ReadSeatMap;
use crate::engine::reads::tonight::{Need, NeedKind, PerformanceRow, ReadPace, ReadTally, Tonight as Page};
use crate::tui::data::msg::{Query, Readable};
use crate::tui::data::reads::Needs;
use crate::tui::data::shown_list::ShownList;
use crate::tui::kit::action::Action;
use crate::tui::kit::canvas::Canvas;
use crate::tui::kit::context::{Context, Go};
use crate::tui::kit::keymap::KeyPlace;
use crate::tui::kit::line::PromptPurpose;
use crate::tui::kit::list::Cursor;
use crate::tui::kit::prompt::Prompt;
use crate::tui::kit::roster::RosterDialog;
use crate::tui::kit::screen::{Click, Handled};
use crate::tui::kit::screen_state::ScreenState;
use crate::tui::kit::shared::Shared;
use crate::tui::kit::targets::{RowList, Target};
use crate::tui::screens::tonight::needs::NeedKey;
use crate::tui::screens::tonight::night::{NightAct, NightDialog};
use crate::tui::screens::tonight::price_lists::PriceLists;
use crate::tui::screens::tonight::till::TillDialog;
use crate::tui::widgets::seat_map::WholeHouse;
use crate::words::day_time;

mod columns;
mod door;
mod figures;
mod house_picture;
mod latest;
mod mending;
mod needs;
mod new_theater;
mod night;
mod panels;
mod performance_order;
mod planning;
mod price_lists;
mod scan;
mod tally_columns;
#[cfg(test)]
mod tests;
mod till;
mod tonight_questions;

use door::Door;
use needs::{PutOff, Seen};
use new_theater::TheaterForm;
use performance_order::{PerformanceFilter, Sort};
use planning::{NightForm, Planning};
use ratatui::layout::Rect;
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
    filter: PerformanceFilter,
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

impl ScreenState for TonightScreen {
    fn place(&self, _shared: &Shared) -> KeyPlace {
        match self.panel {
            Panel::Needs => KeyPlace::Needs,
            Panel::Performances => KeyPlace::Tonight,
        }
    }

    fn act(&mut self, action: Action, context: &mut Context<'_>) -> Handled {
        match (action, self.panel) {
            (Action::NextStop | Action::PreviousStop, _) => self.next_panel(context),
            (Action::Main, _) => self.main(context),
            (Action::Best, _) => {
                if self.sell(context) {
                    context.go(Go::Act(Action::Best));
                }
            }
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
            (Action::Who, _) => {
                if let Some((performance, title)) = self.door(context) {
                    context.open(RosterDialog::new(Door { performance, title }));
                }
            }
            (Action::Scan, _) => {
                if let Some(night) = self.door(context) {
                    context.open(Scan::new(night));
                }
            }
            (Action::Postpone, _) => self.night(NightAct::Postpone, context),
            (Action::PriceLists, _) => context.open(PriceLists::new(context.shared)),
            (Action::Till, _) => context.open(TillDialog::new(context.shared)),
            (Action::CancelNight, _) => self.night(NightAct::Cancel, context),
            (Action::Left | Action::Right, _) => {}
            _ => return self.step(action, context),
        }
        Handled::Yes
    }

    fn offers(&self, action: Action, shared: &Shared) -> bool {
        let night = || self.rows(shared).into_iter().find(|row| Some(&row.id) == self.selected.key());
        let need = || self.open_needs(shared).into_iter().find(|need| Some(&NeedKey::of(need)) == self.need.key());
        match (action, self.panel) {
            (Action::Main | Action::Best, Panel::Performances) => night().is_some_and(|row| !row.canceled),
            (Action::Who | Action::Change, Panel::Performances) => night().is_some(),
            (Action::Accept, Panel::Needs) => need().is_some_and(is_lost),
            _ => true,
        }
    }

    fn click(&mut self, target: &Target, click: Click, context: &mut Context<'_>) {
        let Target::Row(list, index) = target else {
            return;
        };
        let at = (*index, click);
        let (panel, opens) = if *list == RowList::Needs {
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

    fn needs(&self, shared: &Shared, needs: &mut Needs) {
        needs.of(self.question(shared));
        if self.page(shared).is_some_and(|page| page.performances.is_empty() && page.has_theater) {
            needs.of(self.beyond(shared));
        }
        if house_picture::has_picture(shared) {
            needs.of(tonight_questions::LATEST);
        }
        if shared.size.width >= columns::PACE_FROM {
            needs.of(ReadPace);
        }
        if let Some(performance) = self.selected.key() {
            needs.typed(ReadTally(*performance));
            if house_picture::has_picture(shared) {
                needs.typed(ReadSeatMap(*performance));
            }
        }
    }

    fn is_unread(&self, shared: &Shared) -> bool {
        let is_empty = |page: &Page| page.performances.is_empty() && page.has_theater;
        shared.reads.is_unread(&self.question(shared))
            || self.page(shared).is_some_and(is_empty) && shared.reads.is_unread(&self.beyond(shared))
    }

    fn came(&mut self, question: &Query, context: &mut Context<'_>) {
        let shared = &*context.shared;
        if self.question(shared).is(question) || self.beyond(shared).is(question) {
            self.page_came(shared);
        } else if let Some(map) = self.map(shared).filter(|_| matches!(question, Query::SeatMap(_))) {
            self.house.keep(map);
        }
    }

    fn counts(&self, shared: &Shared) -> bool {
        let counted = |need: &Need| needs::is_counted_down(need, shared.now);
        self.page(shared).is_some_and(|page| page.needs.iter().any(counted))
    }

    fn as_list(&self, shared: &Shared) -> Option<ShownList> {
        Some(ShownList::Performances(self.rows(shared).into_iter().cloned().collect()))
    }

    fn view(&self, shared: &Shared, area: Rect, canvas: &mut Canvas<'_>) {
        self.draw(shared, area, canvas);
    }
}

impl TonightScreen {
    /// Moves the cursor of the panel with the focus.
    fn step(&mut self, action: Action, context: &mut Context<'_>) -> Handled {
        let moved = match self.panel {
            Panel::Needs => self.need.act(action, self.need_keys(context.shared)),
            Panel::Performances => self.selected.act(action, self.ids(context.shared)),
        };
        if moved { Handled::Yes } else { Handled::No }
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
            Panel::Performances => {
                self.sell(context);
            }
            Panel::Needs => {
                if let Some(need) = self.aimed_need(context) {
                    Self::open(&need, context);
                }
            }
        }
    }

    /// The performance that an act is meant for.
    fn night_here(&mut self, context: &mut Context<'_>) -> Option<PerformanceRow> {
        if !context.aims(&mut self.selected) {
            return None;
        }
        let rows = self.rows(context.shared);
        let night = rows.into_iter().find(|row| Some(&row.id) == self.selected.key()).cloned();
        if night.is_none() {
            context.note("No performance is listed; <later> shows the next week, <new-night> adds one");
        }
        night
    }

    /// Opens the dialog that postpones or cancels the performance under the cursor.
    fn night(&mut self, act: NightAct, context: &mut Context<'_>) {
        match self.night_here(context) {
            Some(row) if row.canceled => context.note(format!("{} was canceled", row.title)),
            Some(row) => context.open(NightDialog::new(act, row)),
            None => {}
        }
    }

    /// Opens the form that changes or copies the performance under the cursor.
    fn plan(&mut self, what: impl FnOnce(PerformanceId) -> Planning, context: &mut Context<'_>) {
        if let Some(night) = self.night_here(context) {
            context.open(NightForm::new(what(night.id)));
        }
    }

    /// The performance under the cursor with its title and time, for the will-call list or the door.
    fn door(&mut self, context: &mut Context<'_>) -> Option<(PerformanceId, String)> {
        let night = self.night_here(context)?;
        let when = day_time(night.start, context.shared.here().in_zone(night.zone));
        Some((night.id, format!("{}, {when}", night.title)))
    }

    /// Goes to the map of the performance under the cursor; false if there is none.
    fn sell(&mut self, context: &mut Context<'_>) -> bool {
        let Some(night) = self.night_here(context) else { return false };
        context.go(Go::sell(night.id));
        true
    }
}

/// True for a need whose seats or time are lost, in whose place others can be given.
fn is_lost(need: &Need) -> bool {
    matches!(&need.what, NeedKind::Work(work) if matches!(work.item.what, WorkKind::Displaced { .. }))
}
