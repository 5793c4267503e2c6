//! Seats that the house keeps back for somebody, and puts on sale again.

use std::borrow::Cow;

use crate::domain::ids::PerformanceId;
use crate::domain::plan::SeatRef;
use crate::domain::time::{Instant, Local, typed};
use crate::engine::ops::{KeepSeats, UnkeepSeats};
use crate::engine::reads::seat_map::SeatState;
use crate::tui::data::desk_act::DeskAct;
use crate::tui::kit::context::{Context, Go};
use crate::tui::kit::form::{Form, FormRow};
use crate::tui::kit::question::QuestionDialog;
use crate::tui::kit::shared::Shared;
use crate::tui::kit::sheet::{FormSheet, Sent, form_of};
use crate::tui::screens::seats::Seats;
use crate::words;

const REASON: usize = 0;
const UNTIL: usize = 1;

/// Seats that are to be kept.
#[derive(Debug)]
pub(super) struct KeepForm {
    performance: PerformanceId,
    /// Names of the seats.
    names: Vec<String>,
    zone: chrono_tz::Tz,
    form: Form,
}

impl Seats {
    /// Asks for whom the seats are kept; or whether kept ones go on sale.
    pub(super) fn house_seats(&self, context: &mut Context<'_>) {
        let seats = self.chosen();
        let (Some(performance), Some(map)) = (self.performance.filter(|_| !seats.is_empty()), self.map()) else {
            context.note("Put the cursor on a seat, or mark some, first");
            return;
        };
        let names: Vec<String> = seats.iter().map(|seat| map.plan.seat_name(*seat).to_owned()).collect();
        let reason = |seat: &SeatRef| match map.state(*seat) {
            Some(SeatState::Kept { reason, .. }) => Some(reason.clone()),
            _ => None,
        };
        let kept: Option<Vec<String>> = seats.iter().map(reason).collect();
        let Some(mut reasons) = kept else {
            context.open(KeepForm::new(performance, names, map.zone));
            return;
        };
        reasons.sort_unstable();
        reasons.dedup();
        let words = words::span_of(&names);
        let text = vec![format!("{words}: kept for {}. Everybody may buy them then.", words::list(&reasons))];
        let done = format!("{words} on sale");
        let release = DeskAct::worded(UnkeepSeats { performance, seats: names }, done);
        let question = QuestionDialog::new("Put on sale?", text, ('n', "no, keep them"));
        context.open(question.choice('s', "on sale", Go::Send(Sent::Act(release))));
    }
}

impl KeepForm {
    fn new(performance: PerformanceId, names: Vec<String>, zone: chrono_tz::Tz) -> Self {
        let rows = vec![FormRow::text("For", ""), FormRow::text("Until", ""), FormRow::Button];
        Self { performance, names, zone, form: Form::new(rows, REASON) }
    }

    fn until(&self, shared: &Shared) -> Result<Instant, String> {
        let text = self.form.clean(UNTIL);
        if text.is_empty() {
            return Err("Type when they go on sale, such as 18:30".to_owned());
        }
        typed::deadline(&text, FormSheet::here(self, shared)).map_err(|error| words::capital(&error.to_string()))
    }
}

impl FormSheet for KeepForm {
    const SIZE: (u16, usize) = (64, 11);

    form_of!(form);

    fn title(&self, _shared: &Shared) -> String {
        format!("Keep for the house   {}", crate::domain::text::fit(&words::span_of(&self.names), 34))
    }

    fn hints(&self, shared: &Shared) -> Vec<(usize, Cow<'static, str>)> {
        let until = self.until(shared).map(|at| words::day_time(at, FormSheet::here(self, shared)).into());
        vec![(REASON, "whom: press, the director".into()), (UNTIL, until.unwrap_or("18:30, fri 12:00, +2h".into()))]
    }

    fn does(&self) -> &'static str {
        "keep them"
    }

    fn then(&self) -> &'static str {
        "Sold only by who says so; from that time on, to everybody."
    }

    fn operation(&self, shared: &Shared) -> Result<Sent, (usize, String)> {
        let reason = self.form.needed(REASON, "Type for whom they are kept")?;
        let until = self.until(shared).map_err(|problem| (UNTIL, problem))?;
        Ok(Sent::run(KeepSeats { performance: self.performance, seats: self.names.clone(), reason, until }))
    }

    fn refused_at(&self) -> usize {
        REASON
    }

    /// The present at the theater.
    fn here(&self, shared: &Shared) -> Local {
        shared.here().in_zone(self.zone)
    }
}
