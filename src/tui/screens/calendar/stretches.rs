//! Columns of the periods on a line, for drawing and for hit tests; a column shared by several periods belongs to
//! one.

use crate::domain::calendar::{CalendarView, Period};
use crate::domain::resource::Resource;
use crate::domain::time::Slot;
use crate::engine::reads::worklist::WorkView;
use crate::tui::kit::shared::Shared;
use crate::tui::screens::calendar::displaced::{drawn_as, loss};
use crate::tui::screens::calendar::filter::CalendarFilter;
use crate::tui::screens::calendar::geometry::columns;
use crate::tui::screens::calendar::period_bars::{bar_text, is_bar};
use crate::tui::widgets::timeline::{Bar, Columns, Kind, MarkedBar, Scale, shares};

/// Period with its own columns.
#[derive(Debug)]
pub(super) struct Stretch<'p> {
    pub(super) period: &'p Period,
    pub(super) kind: Kind,
    pub(super) columns: Columns,
}

pub(super) struct LineData<'a> {
    /// Calendar of the resource.
    pub(super) view: &'a CalendarView,
    /// Zone of the resource.
    pub(super) zone: chrono_tz::Tz,
    /// Filter and resource that bars of others are left out by.
    pub(super) only: Option<(&'a CalendarFilter, &'a Resource)>,
    /// Displaced bookings.
    pub(super) displaced: &'a [WorkView],
    /// Period under the cursor.
    pub(super) chosen: Option<Slot>,
}

impl<'a> LineData<'a> {
    /// Periods in view, in drawing order.
    pub(super) fn stretches(&self, (scale, shared): (&Scale, &Shared)) -> Vec<Stretch<'a>> {
        let stretch = |period: &'a Period| {
            let of = (period, &self.view.resource);
            let kind = drawn_as(of, self.displaced, shared)?;
            let mut columns = columns(scale, period.slot, self.zone)?;
            columns.from_before |= period.from_before;
            columns.until_after |= period.until_after;
            Some(Stretch { period, kind, columns })
        };
        let shows =
            |period: &&Period| !is_bar(period) || self.only.is_none_or(|(filter, one)| filter.shows(one, period));
        let all = self.view.periods.iter().filter(shows).filter_map(stretch);
        let (mut out, mut bars): (Vec<_>, Vec<_>) = all.partition(|one| one.kind.is_ground());
        let touched: Vec<_> = bars.iter().map(|one| one.columns.columns.clone()).collect();
        let must = bars.iter().position(|one| Some(one.period.slot) == self.chosen);
        for (one, own) in bars.iter_mut().zip(shares(&touched, must)) {
            one.columns.columns = own;
        }
        bars.retain(|one| !one.columns.columns.is_empty());
        out.extend(bars);
        out
    }

    pub(super) fn bars(&self, (scale, shared): (&Scale, &Shared)) -> Vec<Bar> {
        let stretches = self.stretches((scale, shared));
        let bar = |one: Stretch<'_>| Bar {
            text: self.text(&one),
            chosen: if Some(one.period.slot) == self.chosen { MarkedBar::Yes } else { MarkedBar::No },
            columns: one.columns,
            kind: one.kind,
            repeats: one.period.repeats && !one.period.is_buffer,
        };
        stretches.into_iter().map(bar).collect()
    }
}

impl LineData<'_> {
    /// Text of a bar; for lost time, its owner.
    fn text(&self, one: &Stretch<'_>) -> String {
        let told = loss((one.period, &self.view.resource), self.displaced);
        match told.filter(|_| one.kind == Kind::Lost) {
            Some(loss) => loss.view.owner.clone(),
            None => bar_text(one.period),
        }
    }
}
