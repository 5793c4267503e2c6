//! Summary on the head of a group: for a folded one, the numbers of taken and free members.

use crate::domain::calendar::CalendarView;
use crate::domain::resource::Resource;
use crate::domain::time::{Slot, Span};
use crate::tui::kit::action::Action;
use crate::tui::kit::keymap::KeyPlace;
use crate::tui::kit::shared::Shared;
use crate::tui::screens::calendar::Calendar;
use crate::tui::screens::calendar::geometry::slot_on_screen;
use crate::tui::screens::calendar::period_bars::kind;
use crate::tui::screens::calendar::resource_lines::Group;
use crate::tui::widgets::timeline::{Fold, Kind, LineKind, TimeZoom, TimelineRow};

/// State of a group's member for a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Is {
    Free,
    Taken,
    Out,
    /// Closed or not open yet, for the whole time.
    Closed,
}

impl Calendar {
    pub(super) fn group_line(&self, group: &Group, shared: &Shared) -> TimelineRow {
        let folded = self.is_folded(group);
        let words = if folded { self.group_words(group, shared) } else { shown_words(group) };
        TimelineRow {
            name: group.title.clone(),
            what: LineKind::Group(if folded { Fold::Folded } else { Fold::Open }, words),
            tail: String::new(),
        }
    }

    /// Summary `12 on Sat 21 Nov, 20:00: 8 taken, 1 out of use, 3 free`; of the whole day where columns are longer
    /// than an hour.
    pub(super) fn group_words(&self, group: &Group, shared: &Shared) -> String {
        let (slot, when) = self.told_time(shared);
        let members = group.members.iter().filter_map(|place| self.resources.as_ref()?.get(*place));
        let (mut taken, mut out, mut closed, mut free) = (0, 0, 0, 0);
        for one in members {
            match self.is(one, slot, shared) {
                Is::Free => free += 1,
                Is::Taken => taken += 1,
                Is::Out => out += 1,
                Is::Closed => closed += 1,
            }
        }
        let mut words = vec![format!("{taken} taken")];
        for (count, what) in [(out, "out of use"), (closed, "closed")] {
            if count > 0 {
                words.push(format!("{count} {what}"));
            }
        }
        words.push(format!("{free} free"));
        let more = if group.nights && self.zoom < TimeZoom::Nights {
            let key = shared.keymap.key_text(KeyPlace::Calendar, Action::ZoomOut);
            format!("   ({key} shows nights)")
        } else {
            String::new()
        };
        let all = group.members.len();
        format!("{all} on {when}: {}{more}", words.join(", "))
    }

    /// Time that a summary covers, in the screen's zone, and its wording.
    fn told_time(&self, shared: &Shared) -> (Option<Slot>, String) {
        let zone = shared.zone;
        let at = self.at;
        if self.zoom <= TimeZoom::Day {
            let slot = Slot::new(at, at + Span::from_millis(1)).ok();
            return (slot, shared.here().format(at, "%a %-d %b, %H:%M"));
        }
        let date = at.in_zone(zone).date_naive();
        let until = crate::domain::time::day_start(date + chrono::Days::new(1), zone);
        let slot = Slot::new(crate::domain::time::day_start(date, zone), until).ok();
        (slot, shared.here().format(at, "%a %-d %b"))
    }

    /// State of a resource for a time: taken or out of use if any part is.
    fn is(&self, one: &Resource, slot: Option<Slot>, shared: &Shared) -> Is {
        let zones = (shared.zone, one.zone());
        let slot = slot.and_then(|slot| slot_on_screen(slot, zones));
        let (Some(slot), Some(view)) = (slot, self.calendar(&one.id)) else {
            return Is::Free;
        };
        is_in(view, slot, shared)
    }
}

fn is_in(view: &CalendarView, slot: Slot, shared: &Shared) -> Is {
    let overlapping = view.periods.iter().filter(|period| period.slot.overlaps(&slot));
    let kinds: Vec<Option<Kind>> = overlapping.map(|period| kind(period, shared)).collect();
    let closed = |kind: &Option<Kind>| matches!(kind, Some(Kind::Closed | Kind::NotOpen));
    let taken = |kind: &Option<Kind>| kind.is_some_and(|of| !of.is_out() && of != Kind::Partly) && !closed(kind);
    if kinds.iter().any(taken) {
        Is::Taken
    } else if kinds.iter().flatten().any(|of| of.is_out()) {
        Is::Out
    } else if !kinds.is_empty() && kinds.iter().all(closed) {
        Is::Closed
    } else {
        Is::Free
    }
}

fn shown_words(group: &Group) -> String {
    if group.members.len() == group.all {
        String::new()
    } else {
        format!("{} of {} shown", group.members.len(), group.all)
    }
}
