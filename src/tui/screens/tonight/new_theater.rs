//! A theater that is added: from the lengths of its rows with standing room, or from a seating plan's file, with what is odd
//! in it; or one that is renamed or retired.

use std::borrow::Cow;

use ratatui::style::Style;

use crate::domain::plan::Plan;
use crate::engine::ops::{AddTheater, ChangeTheater, TheaterPatch};
use crate::engine::reads::catalog::ReadTheaters;
use crate::formats::{Oddity, rows};
use crate::tui::data::compound::ReadPlanFile;
use crate::tui::data::msg::Query;
use crate::tui::data::reads::Needs;
use crate::tui::kit::context::Context;
use crate::tui::kit::dialog::Flow;
use crate::tui::kit::form::{Form, FormRow};
use crate::tui::kit::shared::Shared;
use crate::tui::kit::sheet::{FormSheet, Sent, form_of};
use crate::words;

const ACT: usize = 0;
const NAME: usize = 1;
const ROWS: usize = 2;
const FILE: usize = 3;
const OTHER: usize = 4;

/// Places of the acts.
const ADD: usize = 0;
const RENAME: usize = 1;

/// A theater being added, renamed or retired.
#[derive(Debug)]
pub(super) struct TheaterForm {
    form: Form,
    /// Names of the theaters that there are.
    names: Vec<String>,
}

impl TheaterForm {
    pub(super) fn new() -> Self {
        let mut rows = vec![FormRow::Pick("Do", &["add", "rename", "retire"], 0)];
        rows.extend(["Name", "Rows", "or file", "New name"].map(|label| FormRow::text(label, "")));
        rows.push(FormRow::Button);
        let mut form = Form::new(rows, NAME);
        form.skip(&[OTHER]);
        Self { form, names: Vec::new() }
    }

    /// Changes the theater that is named.
    fn change(&self, shared: &Shared) -> Result<Sent, (usize, String)> {
        let typed = self.form.clean(NAME).to_lowercase();
        let all = shared.reads.get(&ReadTheaters::default()).map_or(&[][..], Vec::as_slice);
        let found = all.iter().find(|(theater, _)| theater.name.to_lowercase() == typed);
        let (theater, _) = found.ok_or_else(|| (NAME, "Type the name of one that there is".to_owned()))?;
        let (name, retired) = match self.form.picked(ACT) {
            RENAME => (Some(self.form.clean(OTHER)), None),
            _ => (None, Some(true)),
        };
        if name.as_ref().is_some_and(String::is_empty) {
            return Err((OTHER, "Type its new name".to_owned()));
        }
        let patch = TheaterPatch { name, retired, ..TheaterPatch::default() };
        Ok(Sent::run(ChangeTheater { theater: theater.id, patch }))
    }

    fn file(&self) -> Option<ReadPlanFile> {
        Some(self.form.clean(FILE)).filter(|path| !path.is_empty()).map(ReadPlanFile)
    }

    /// Plan that is typed, with the oddities of its file.
    fn plan(&self, shared: &Shared) -> Result<(Plan, Vec<Oddity>), (usize, String)> {
        let Some(file) = self.file() else {
            let text = self.form.clean(ROWS);
            let plan = rows::parse(&text).map_err(|error| (ROWS, words::capital(&error.to_string())))?;
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

    form_of!(form);

    fn title(&self, _shared: &Shared) -> String {
        if self.form.picked(ACT) == ADD { "New theater" } else { "Theater" }.to_owned()
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
        let name = if self.form.picked(ACT) == ADD { "needed" } else { "Left and Right: another" };
        vec![(ACT, "".into()), (NAME, name.into()), (ROWS, rows), (FILE, file), (OTHER, "its hall has it too".into())]
    }

    fn does(&self) -> &'static str {
        match self.form.picked(ACT) {
            ADD => "add it",
            RENAME => "rename it",
            _ => "retire it",
        }
    }

    fn then(&self) -> &'static str {
        match self.form.picked(ACT) {
            ADD => "Its hall is added too; the time zone is the house's.",
            RENAME => "Papers that were printed keep the old name.",
            _ => "It is gone from all lists, and its hall too; its history stays.",
        }
    }

    fn operation(&self, shared: &Shared) -> Result<Sent, (usize, String)> {
        if self.form.picked(ACT) != ADD {
            return self.change(shared);
        }
        let (plan, _) = self.plan(shared)?;
        let typed = self.form.clean(NAME);
        let name = if typed.is_empty() { plan.name.clone() } else { typed };
        if name.is_empty() || self.file().is_none() && self.form.clean(NAME).is_empty() {
            return Err((NAME, "Type the name".to_owned()));
        }
        Ok(Sent::run(AddTheater { name, plan, time_zone: None }))
    }

    fn refused_at(&self) -> usize {
        NAME
    }

    fn edited(&mut self, row: usize) {
        if row == ACT {
            let act = self.form.picked(ACT);
            let names = if act == ADD { vec![String::new()] } else { self.names.clone() };
            self.form.put(NAME, FormRow::among("Name", names));
            self.form.skip(match act {
                ADD => &[OTHER],
                RENAME => &[ROWS, FILE],
                _ => &[ROWS, FILE, OTHER],
            });
        }
    }

    fn came(&mut self, question: &Query, context: &mut Context<'_>) -> Flow {
        if let Query::Theaters(of) = question
            && let Some(all) = context.shared.reads.get(of)
        {
            self.names = all.iter().map(|(theater, _)| theater.name.clone()).collect();
        }
        Flow::Stay
    }

    fn needs(&self, _shared: &Shared, needs: &mut Needs) {
        needs.of(ReadTheaters::default());
        if let Some(file) = self.file() {
            needs.typed(file);
        }
    }

    fn below(&self, shared: &Shared, (_, room): (usize, usize)) -> Option<(Vec<String>, Style)> {
        if self.form.picked(ACT) != ADD {
            return Some((Vec::new(), shared.theme.text));
        }
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
            Err((FILE, problem)) if self.form.note.is_none() => vec![problem],
            Err(_) => Vec::new(),
        };
        if lines.len() > room {
            let more = lines.split_off(room.saturating_sub(1)).len();
            lines.push(format!("  and {more} more"));
        }
        Some((lines, shared.theme.text))
    }
}
