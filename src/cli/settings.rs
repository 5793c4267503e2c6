//! The house's settings.

use chrono::{Days, NaiveDate};
use clap::{Args, Subcommand};
use serde_json::{Value, json};

use crate::cli::call::{Call, Done};
use crate::cli::out::{AsCsv, Rendered};
use crate::cli::table::Table;
use crate::cli::times;
use crate::domain::event::Event;
use crate::domain::house::Settings;
use crate::domain::refusal::Refusal;
use crate::domain::settings::{BACKUP_FOLDER, OF_HOUSE, OF_JOB, Setting};
use crate::domain::time::{Slot, day_start};
use crate::engine::ops::{ChangeSettings, CloseDays, WhatStands};

#[derive(Debug, Subcommand)]
pub(super) enum SettingsVerb {
    /// All settings
    List(AsCsv),
    /// Set one; carts that are open keep what they were opened with
    Set(Set),
    /// Days on which the house is closed: nothing is booked then, unless it is said
    ClosedDays(ClosedDays),
}

#[derive(Debug, Args)]
pub(super) struct ClosedDays {
    /// Closed on this day: 2026-12-25; may come several times
    #[arg(long, value_name = "DATE")]
    close: Vec<String>,
    /// Open on this day after all
    #[arg(long, value_name = "DATE")]
    open: Vec<String>,
    /// Close it also where something is booked, which stays
    #[arg(long, requires = "close")]
    force: bool,
}

impl ClosedDays {
    fn run(&self, call: &mut Call<'_>) -> Done {
        let now = call.now_in(call.settings.time_zone);
        let dates = |field: &str, texts: &[String]| {
            let dates = texts.iter().map(|text| times::date(field, text, now));
            dates.collect::<Result<Vec<_>, Refusal>>()
        };
        let (close, open) = (dates("close", &self.close)?, dates("open", &self.open)?);
        if !(close.is_empty() && open.is_empty()) {
            let stands = if self.force { WhatStands::Stays } else { WhatStands::Refuse };
            call.settings = call.run(CloseDays { close, open, stands })?;
        }
        let days = call.settings.closed_days.iter().map(ToString::to_string);
        let days: Vec<String> = days.collect();
        let people = match days.as_slice() {
            [] => "The house is closed on no day.".to_owned(),
            days => format!("Closed on {}.", days.join(", ")),
        };
        call.answer(&Rendered::new(days, people))
    }
}

/// Tells on which days of a window the house is closed.
pub(super) fn note_closed(call: &Call<'_>, window: Slot) {
    let zone = call.out.zone;
    let day = |date: NaiveDate| Slot::new(day_start(date, zone), day_start(date + Days::new(1), zone)).ok();
    let closed = call.settings.closed_days.iter().filter(|date| day(**date).is_some_and(|day| day.overlaps(&window)));
    let closed: Vec<String> = closed.map(|date| date.format("%a %-d %b %Y").to_string()).collect();
    if !closed.is_empty() {
        call.out.note(&format!("The house is closed on {}.", closed.join(", ")));
    }
}

#[derive(Debug, Args)]
pub(super) struct Set {
    #[arg(value_parser = setting, help = format!("Which: {}", which()))]
    setting: Setting,
    /// The value: 30m, 20, EUR, "EUR 2.00", Europe/London; "usual" for a kind of job; a shell command, or none, for a listener
    #[arg(allow_hyphen_values = true)]
    value: String,
}

/// Names of all settings.
fn which() -> String {
    let own = OF_HOUSE.each_ref().map(|row| row.word).join(", ");
    let of_job = OF_JOB.each_ref().map(|row| row.word).join(", ");
    format!("{own}, job.KIND.X ({of_job}), listener.EVENT")
}

fn setting(text: &str) -> Result<Setting, String> {
    let events = || Event::words().join(", ");
    Setting::named(text).ok_or_else(|| format!("there is no such setting; there are {} ({})", which(), events()))
}

impl SettingsVerb {
    pub(super) fn run(&self, call: &mut Call<'_>) -> Done {
        match self {
            Self::List(csv) => {
                csv.choose(call.out);
                let listed = Setting::listed(&call.settings).into_iter();
                let list: Vec<(String, String)> = listed.map(|setting| of(setting, &call.settings)).collect();
                let table =
                    Table::of(&list).words("SETTING", |(id, _)| id.clone()).words("VALUE", |(_, value)| value.clone());
                call.answer(&Rendered::list(&list, json, table.text()).columns("id value"))
            }
            Self::ClosedDays(days) => days.run(call),
            Self::Set(set) => {
                if set.setting.word() == BACKUP_FOLDER && !set.value.trim().is_empty() {
                    let checked = call.desk.check_backup_folder(set.value.trim());
                    checked.map_err(|problem| Refusal::unread(BACKUP_FOLDER, &problem))?;
                }
                let settings = call.run(ChangeSettings::to(&set.setting.word(), &set.value))?;
                let setting = of(set.setting, &settings);
                let people = format!("{} is {} now.", setting.0, setting.1);
                call.answer(&Rendered::new(json(&setting), people))
            }
        }
    }
}

fn of(setting: Setting, settings: &Settings) -> (String, String) {
    (setting.word(), setting.get(settings))
}

fn json((id, value): &(String, String)) -> Value {
    json!({ "id": id, "value": value })
}
