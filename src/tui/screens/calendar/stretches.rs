//! Columns of the periods on a line, for drawing and for hit tests; a column shared by several periods belongs to
//! one.

use crate::domain::calendar::{CalendarView, Period};
use crate::domain::time::{Instant, Slot};
use crate::engine::reads::worklist::WorkView;
use crate::tui::screens::calendar::displaced::{drawn_as, loss};
use crate::tui::screens::calendar::geometry::{columns, on_screen};
use crate::tui::screens::calendar::view::bar_text;
use crate::tui::screens::calendar::{Calendar, is_bar};
use crate::tui::shared::Shared;
use crate::tui::widgets::timeline::{Bar, Chosen, Columns, Kind, Scale, shares};

/// Period with its own columns.
#[derive(Debug)]
pub(super) struct Stretch<'p> {
    pub(super) period: &'p Period,
    pub(super) kind: Kind,
    pub(super) columns: Columns,
}

/// Data of a line.
pub(super) struct LineData<'a> {
    /// Calendar of the resource.
    pub(super) view: &'a CalendarView,
    /// Zone of the resource.
    pub(super) zone: chrono_tz::Tz,
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
            Some(Stretch {
                period,
                kind,
                columns,
            })
        };
        let all = self.view.periods.iter().filter_map(stretch);
        let (mut out, mut bars): (Vec<_>, Vec<_>) = all.partition(|one| one.kind.is_ground());
        let touched: Vec<_> = bars.iter().map(|one| one.columns.columns.clone()).collect();
        let must = bars
            .iter()
            .position(|one| Some(one.period.slot) == self.chosen);
        for (one, own) in bars.iter_mut().zip(shares(&touched, must)) {
            one.columns.columns = own;
        }
        bars.retain(|one| !one.columns.columns.is_empty());
        out.extend(bars);
        out
    }

    /// Bars to draw.
    pub(super) fn bars(&self, (scale, shared): (&Scale, &Shared)) -> Vec<Bar> {
        let stretches = self.stretches((scale, shared));
        let bar = |one: Stretch<'_>| Bar {
            text: self.text(&one),
            chosen: if Some(one.period.slot) == self.chosen {
                Chosen::Yes
            } else {
                Chosen::No
            },
            columns: one.columns,
            kind: one.kind,
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

impl Calendar {
    /// Data of a line with a resource.
    pub(super) fn line_data(&self, line: usize, chosen: Option<Slot>) -> Option<LineData<'_>> {
        let one = self.line_resource(line)?;
        Some(LineData {
            view: self.calendar(&one.id)?,
            zone: one.zone(),
            displaced: self.waiting(),
            chosen,
        })
    }

    /// Displaced bookings.
    pub(super) fn waiting(&self) -> &[WorkView] {
        self.displaced.value().map_or(&[], Vec::as_slice)
    }

    /// Periods of a line that the cursor can select; the bar under the cursor always has a column.
    pub(super) fn stretches(
        &self,
        line: usize,
        (scale, shared): (&Scale, &Shared),
    ) -> Vec<Stretch<'_>> {
        let here = self.bar(shared).filter(|_| line == self.cursor.line);
        let data = self.line_data(line, here.map(|period| period.slot));
        let mut stretches = data.map_or_else(Vec::new, |data| data.stretches((scale, shared)));
        stretches.retain(|one| is_bar(one.period));
        stretches
    }

    /// Time of the cursor at a column of a line: in the column's bar, else at the column's start.
    pub(super) fn stand_at(
        &self,
        (line, column): (usize, u16),
        (scale, shared): (&Scale, &Shared),
    ) -> Instant {
        let start = scale.start_of(column);
        let Some(one) = self.line_resource(line) else {
            return start;
        };
        let stretches = self.stretches(line, (scale, shared));
        // the bar drawn last is the visible one
        let whose = stretches
            .iter()
            .rfind(|one| one.columns.columns.contains(&column));
        whose.map_or(start, |bar| {
            on_screen(bar.period.slot.from(), (one.zone(), shared.zone)).max(start)
        })
    }
}
