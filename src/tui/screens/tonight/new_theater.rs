//! A theater that is added: from the lengths of its rows with standing room, or from a seating plan's file, with what is odd in it.

use std::borrow::Cow;

use ratatui::style::Style;

use crate::domain::plan::Plan;
use crate::engine::ops::AddTheater;
use crate::formats::{Oddity, rows};
use crate::tui::data::questions::ReadPlanFile;
use crate::tui::data::reads::Needs;
use crate::tui::kit::form::{Form, FormRow};
use crate::tui::kit::shared::Shared;
use crate::tui::kit::sheet::{FormSheet, Sent, form_of};
use crate::words;

const NAME: usize = 0;
const ROWS: usize = 1;
const FILE: usize = 2;

/// A theater being added.
#[derive(Debug)]
pub(super) struct TheaterForm(Form);

impl TheaterForm {
    pub(super) fn new() -> Self {
        let rows = ["Name", "Rows", "or file"].map(|label| FormRow::text(label, ""));
        Self(Form::new(rows.into_iter().chain([FormRow::Button]).collect(), NAME))
    }

    fn file(&self) -> Option<ReadPlanFile> {
        Some(self.0.clean(FILE)).filter(|path| !path.is_empty()).map(ReadPlanFile)
    }

    /// Plan that is typed, with the oddities of its file.
    fn plan(&self, shared: &Shared) -> Result<(Plan, Vec<Oddity>), (usize, String)> {
        let Some(file) = self.file() else {
            let text = self.0.clean(ROWS);
            let plan = rows::described(&text).map_err(|error| (ROWS, words::capital(&error.to_string())))?;
            return Ok((plan, Vec::new()));
        };
        match shared.reads.get(&file).map(|read| &**read) {
            Some(Ok(imported)) => Ok((imported.plan.clone(), imported.oddities.clone())),
            Some(Err(problem)) => Err((FILE, words::capital(problem))),
            None => Err((FILE, "The file is being read".to_owned())),
        }
    }
}

impl FormSheet for TheaterForm {
    const SIZE: (u16, usize) = (74, 20);

    form_of!(0);

    fn title(&self, _shared: &Shared) -> String {
        "New theater".to_owned()
    }

    fn hints(&self, shared: &Shared) -> Vec<(usize, Cow<'static, str>)> {
        let seats = self.plan(shared).map(|(plan, _)| {
            let seats = usize::try_from(plan.seat_count()).unwrap_or(usize::MAX);
            Cow::from(words::count(seats, "seat"))
        });
        let (rows, file) = ("5x16, or 1,2,3; Gallery=60".into(), "a path: plan.json, as pretix writes it".into());
        let (rows, file) = match (seats, self.file()) {
            (Ok(seats), None) => (seats, file),
            (Ok(seats), Some(_)) => ("".into(), seats),
            (Err(_), _) => (rows, file),
        };
        vec![(NAME, "needed".into()), (ROWS, rows), (FILE, file)]
    }

    fn does(&self) -> &'static str {
        "add it"
    }

    fn then(&self) -> &'static str {
        "Its hall is added too; the time zone is the house's."
    }

    fn operation(&self, shared: &Shared) -> Result<Sent, (usize, String)> {
        let (plan, _) = self.plan(shared)?;
        let typed = self.0.clean(NAME);
        let name = if typed.is_empty() { plan.name.clone() } else { typed };
        if name.is_empty() || self.file().is_none() && self.0.clean(NAME).is_empty() {
            return Err((NAME, "Type the name".to_owned()));
        }
        Ok(Sent::run(AddTheater { name, plan, time_zone: None }))
    }

    fn refused_at(&self) -> usize {
        NAME
    }

    fn needs(&self, _shared: &Shared, needs: &mut Needs) {
        if let Some(file) = self.file() {
            needs.typed(file);
        }
    }

    fn below(&self, shared: &Shared, (_, room): (usize, usize)) -> Option<(Vec<String>, Style)> {
        let mut lines: Vec<String> = match self.plan(shared) {
            Ok((_, oddities)) => {
                let head = match oddities.len() {
                    0 => None,
                    1 => Some("One thing in it is odd:".to_owned()),
                    odd => Some(format!("{odd} things in it are odd:")),
                };
                let each = oddities.iter().map(|one| format!("  {}: {}", one.place, one.what));
                head.into_iter().chain(each).collect()
            }
            // a refusal stands in the form
            Err((FILE, problem)) if self.0.note.is_none() => vec![problem],
            Err(_) => Vec::new(),
        };
        if lines.len() > room {
            let more = lines.split_off(room.saturating_sub(1)).len();
            lines.push(format!("  and {more} more"));
        }
        Some((lines, shared.theme.text))
    }
}
