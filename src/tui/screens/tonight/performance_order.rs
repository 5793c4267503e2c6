//! Filter and sort order of the performances on Tonight.
//!
//! Import cycle with [`tonight`](super): methods of the screen that owns it.

use crate::domain::ids::PerformanceId;
use crate::domain::time::Instant;
use crate::engine::reads::tonight::{Need, NeedKind, PerformanceRow};
use crate::tui::kit::context::Context;
use crate::tui::kit::list::{Cursor, next};
use crate::tui::kit::shared::Shared;
use crate::tui::screens::tonight::TonightScreen;
use crate::tui::screens::tonight::needs::NeedKey;

/// Sort order of performances.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, strum::EnumIter)]
pub(super) enum Sort {
    #[default]
    Start,
    FewestFree,
    Title,
}

impl Sort {
    pub(super) const fn words(self) -> &'static str {
        match self {
            Self::Start => "by start",
            Self::FewestFree => "fewest free first",
            Self::Title => "by title",
        }
    }
}

/// Filter of performances.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) enum PerformanceFilter {
    #[default]
    All,
    /// Performances that have not begun, are not canceled, and have a free seat.
    WithSeats,
    /// Performances of one theater.
    Theater(String),
}

impl PerformanceFilter {
    pub(super) fn lets(&self, row: &PerformanceRow, now: Instant) -> bool {
        match self {
            Self::All => true,
            Self::WithSeats => !row.canceled && row.start > now && row.free > 0,
            Self::Theater(name) => row.theater == *name,
        }
    }

    pub(super) fn words(&self) -> String {
        match self {
            Self::All => String::new(),
            Self::WithSeats => "with free seats".to_owned(),
            Self::Theater(name) => name.clone(),
        }
    }
}

impl TonightScreen {
    /// Performances, filtered and sorted.
    pub(super) fn rows<'s>(&self, shared: &'s Shared) -> Vec<&'s PerformanceRow> {
        let now = shared.now;
        let mut rows: Vec<&PerformanceRow> =
            self.listed(shared).iter().filter(|row| self.filter.lets(row, now)).collect();
        match self.sort {
            Sort::Start => {}
            Sort::FewestFree => rows.sort_by_key(|row| (row.canceled, row.start <= now, row.free)),
            Sort::Title => rows.sort_by(|one, other| one.title.cmp(&other.title)),
        }
        rows
    }

    /// Needs in list order, snoozed ones last; of house seats that go on sale, the first alone.
    pub(super) fn open_needs<'s>(&self, shared: &'s Shared) -> Vec<&'s Need> {
        let needs = self.page(shared).map_or(&[][..], |page| page.needs.as_slice());
        let mut sorted = self.put_off.sorted(needs, shared.now);
        let mut has_release = false;
        sorted.retain(|need| !is_release(need) || !std::mem::replace(&mut has_release, true));
        sorted
    }

    /// Number of times at which house seats go on sale and that are not snoozed.
    pub(super) fn releases(&self, shared: &Shared) -> usize {
        let needs = self.page(shared).map_or(&[][..], |page| page.needs.as_slice());
        needs.iter().filter(|need| is_release(need) && self.put_off.until(need, shared.now).is_none()).count()
    }

    /// Keys of the performances.
    pub(super) fn ids(&self, shared: &Shared) -> Vec<PerformanceId> {
        self.rows(shared).iter().map(|row| row.id).collect()
    }

    /// Keys of the needs.
    pub(super) fn need_keys(&self, shared: &Shared) -> Vec<NeedKey> {
        self.open_needs(shared).into_iter().map(NeedKey::of).collect()
    }

    /// Need that an act is meant for.
    pub(super) fn aimed_need(&mut self, context: &mut Context<'_>) -> Option<Need> {
        if !context.aims(&mut self.need) {
            return None;
        }
        let needs = self.open_needs(context.shared);
        let is_chosen = |need: &&&Need| Some(&NeedKey::of(need)) == self.need.key();
        needs.iter().find(is_chosen).copied().cloned()
    }

    pub(super) fn resort(&mut self, context: &mut Context<'_>) {
        self.sort = next(self.sort);
        context.note(format!("Sorted {}", self.sort.words()));
    }

    pub(super) fn refilter(&mut self, context: &mut Context<'_>) {
        let page = self.page(context.shared);
        let mut theaters: Vec<String> =
            page.map_or(&[][..], |page| page.performances.as_slice()).iter().map(|row| row.theater.clone()).collect();
        theaters.sort();
        theaters.dedup();
        let after = |name: &str| theaters.iter().find(|theater| theater.as_str() > name).cloned();
        self.filter = match &self.filter {
            PerformanceFilter::All => PerformanceFilter::WithSeats,
            PerformanceFilter::WithSeats if theaters.len() > 1 => {
                theaters.first().cloned().map_or(PerformanceFilter::All, PerformanceFilter::Theater)
            }
            PerformanceFilter::WithSeats => PerformanceFilter::All,
            PerformanceFilter::Theater(name) => after(name).map_or(PerformanceFilter::All, PerformanceFilter::Theater),
        };
        let words = self.filter.words();
        let shown = if words.is_empty() { "all performances".to_owned() } else { words };
        context.note(format!("Shown: {shown}; <filter> goes on"));
        if !self.selected.key().is_some_and(|id| self.ids(context.shared).contains(id)) {
            self.selected = Cursor::default();
        }
        self.page_came(context.shared);
    }
}

const fn is_release(need: &Need) -> bool {
    matches!(need.what, NeedKind::KeepEnds { .. })
}
