//! Seats that are kept, out of use, or back on sale.

use serde::Serialize;

use crate::cli::answers::day_time;
use crate::cli::answers::out_of_use::lost_by;
use crate::cli::answers::worklist::{WorkAnswer, WorkList};
use crate::cli::out::Answer;
use crate::domain::house::{Disable, Keep};
use crate::domain::text::clean;
use crate::engine::ops::StillOut;
use crate::engine::reads::catalog::PerformanceView;
use crate::tui::wording;

/// Seats that the house keeps.
#[derive(Serialize)]
pub(in crate::cli) struct KeepAnswer {
    id: String,
    performance: String,
    seats: Vec<String>,
    reason: String,
    operator: String,
    until: String,
    #[serde(skip)]
    when: String,
}

impl KeepAnswer {
    pub(in crate::cli) fn new(keep: &Keep, view: &PerformanceView) -> Self {
        Self {
            id: keep.id.to_string(),
            performance: keep.performance.to_string(),
            seats: view.house.names(&keep.live),
            reason: keep.reason.clone(),
            operator: keep.operator.clone(),
            until: keep.until.rfc3339(view.theater.time_zone),
            when: day_time(keep.until, view.theater.time_zone),
        }
    }
}

impl Answer for KeepAnswer {
    fn people(&self) -> String {
        format!(
            "{} kept until {}: {}",
            self.seats.join(","),
            self.when,
            clean(&self.reason)
        )
    }
}

/// Seats that were kept or out of use and are not any more.
#[derive(Serialize)]
pub(in crate::cli) struct FreedAnswer {
    id: String,
    seats: Vec<String>,
    /// Seats that another act keeps out of use, with its reason.
    #[serde(skip_serializing_if = "Option::is_none")]
    still_out: Option<StillOut>,
    #[serde(skip)]
    state: &'static str,
}

impl FreedAnswer {
    /// Of a performance or theater, and what the seats are now.
    pub(in crate::cli) const fn new(id: String, seats: Vec<String>, state: &'static str) -> Self {
        Self {
            id,
            seats,
            still_out: None,
            state,
        }
    }

    /// Without the seats that another act keeps out of use.
    pub(in crate::cli) fn with_still(mut self, still: StillOut) -> Self {
        self.seats.retain(|name| !still.seats.contains(name));
        self.still_out = Some(still);
        self
    }
}

impl Answer for FreedAnswer {
    fn people(&self) -> String {
        let mut lines = Vec::new();
        if !self.seats.is_empty() {
            lines.push(format!("{} {}", clean(&self.seats.join(",")), self.state));
        }
        lines.extend(self.still_out.as_ref().map(wording::still_out));
        lines.join("\n")
    }
}

/// What taking seats out of use did.
#[derive(Serialize)]
pub(in crate::cli) struct DisabledAnswer {
    disables: Vec<DisableAnswer>,
    displaced: Vec<WorkAnswer>,
    /// The open carts that lost seats.
    pub(in crate::cli) carts: Vec<String>,
    unknown: Vec<String>,
}

#[derive(Serialize)]
struct DisableAnswer {
    id: String,
    performance: String,
    title: String,
    seats: Vec<String>,
    reason: String,
    operator: String,
    #[serde(skip)]
    when: String,
}

impl DisabledAnswer {
    pub(in crate::cli) fn new(
        disables: &[(Disable, PerformanceView)],
        displaced: Vec<WorkAnswer>,
        unknown: Vec<String>,
    ) -> Self {
        let disables = disables.iter().map(|(disable, view)| DisableAnswer {
            id: disable.id.to_string(),
            performance: disable.performance.to_string(),
            title: view.performance.title.clone(),
            seats: view.house.names(&disable.seats()),
            reason: disable.reason.clone(),
            operator: disable.operator.clone(),
            when: day_time(view.performance.start, view.theater.time_zone),
        });
        Self {
            disables: disables.collect(),
            displaced,
            carts: Vec::new(),
            unknown,
        }
    }
}

impl Answer for DisabledAnswer {
    fn people(&self) -> String {
        let mut lines: Vec<String> = self
            .disables
            .iter()
            .map(|disable| {
                format!(
                    "{} out of use: {}, {}",
                    disable.seats.join(","),
                    disable.title,
                    disable.when
                )
            })
            .collect();
        if lines.is_empty() {
            lines.push("Nothing changed in the performances that are open.".to_owned());
        }
        if !self.unknown.is_empty() {
            let lacking = clean(&self.unknown.join(","));
            lines.push(format!("Older plans have no {lacking}."));
        }
        if !self.carts.is_empty() {
            lines.push(lost_by(&self.carts));
        }
        if !self.displaced.is_empty() {
            lines.push(format!(
                "\nOn the worklist now:\n{}",
                WorkList::table(&self.displaced)
            ));
        }
        lines.join("\n")
    }
}
