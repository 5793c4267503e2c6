//! Calendars of others: one is followed from now on, by a job that reads its file again and again, or no more.

use std::borrow::Cow;

use ratatui::style::Style;

use crate::domain::followed::Followed;
use crate::domain::money::Currency;
use crate::domain::resource::Resource;
use crate::domain::text::{clean, fit};
use crate::domain::time::Span;
use crate::engine::ops::ChangeFollowed;
use crate::engine::reads::catalog::ReadSettings;
use crate::tui::data::compound::ReadAllResources;
use crate::tui::data::msg::{Query, Readable as _};
use crate::tui::data::reads::Needs;
use crate::tui::kit::context::Context;
use crate::tui::kit::dialog::Flow;
use crate::tui::kit::form::{Form, FormRow};
use crate::tui::kit::shared::Shared;
use crate::tui::kit::sheet::{FormSheet, Sent, form_of};
use crate::tui::widgets::paragraph;
use crate::words;

const ACT: usize = 0;
const NAME: usize = 1;
const FILE: usize = 2;
const BLOCKS: usize = 3;
const EVERY: usize = 4;

/// A calendar that is to be followed for a resource, or no more.
#[derive(Debug)]
pub(super) struct FollowForm {
    resource: Resource,
    form: Form,
    /// Names of the calendars that are followed, those of the resource first.
    names: Vec<String>,
}

impl FollowForm {
    pub(super) fn new(resource: Resource) -> Self {
        let mut rows = vec![FormRow::Pick("Do", &["follow", "no more"], 0)];
        rows.extend(["Name", "File", "Blocks"].map(|label| FormRow::text(label, "")));
        rows.extend([FormRow::text("Every", "15m"), FormRow::Button]);
        Self { resource, form: Form::new(rows, NAME), names: Vec::new() }
    }

    fn ends(&self) -> bool {
        self.form.picked(ACT) == 1
    }

    /// Ends the following of the named calendar.
    fn end(&self) -> Result<Sent, (usize, String)> {
        let calendar = self.form.clean(NAME);
        if !self.names.contains(&calendar) {
            return Err((NAME, "Type the name of one that is followed".to_owned()));
        }
        let done = format!("{calendar} is followed no more; its bookings stay");
        let end = ChangeFollowed { calendar, followed: None, differing: Some(Vec::new()), job: None };
        Ok(Sent::worded(end, done))
    }

    /// Time between two readings, as typed.
    fn every(&self) -> Result<Span, String> {
        let every = Span::parse(&self.form.clean(EVERY)).map_err(|error| words::capital(&error.to_string()))?;
        if Followed::EVERY.contains(&every) {
            Ok(every)
        } else {
            Err(format!("From {} to {}", Followed::EVERY.start(), Followed::EVERY.end()))
        }
    }
}

impl FormSheet for FollowForm {
    const SIZE: (u16, usize) = (74, 20);

    form_of!(form);

    fn title(&self, _shared: &Shared) -> String {
        format!("Follow a calendar   {}", fit(&self.resource.name, 40))
    }

    fn hints(&self, _shared: &Shared) -> Vec<(usize, Cow<'static, str>)> {
        let every = self.every().map_or_else(Cow::from, |every| format!("read again after {every}").into());
        vec![
            (ACT, "".into()),
            (NAME, "of the portal: Airbnb".into()),
            (FILE, "a whole path: /srv/feeds/room-103.ics".into()),
            (BLOCKS, "text in titles that are no bookings".into()),
            (EVERY, every),
        ]
    }

    fn does(&self) -> &'static str {
        if self.ends() { "follow it no more" } else { "follow it" }
    }

    fn then(&self) -> &'static str {
        if self.ends() {
            "Its file is read no more. What it brought stays booked, and is the house's own."
        } else {
            "A job reads the file in a minute, and again; what differs or cannot be read is told in Needs you."
        }
    }

    fn operation(&self, shared: &Shared) -> Result<Sent, (usize, String)> {
        if self.ends() {
            return self.end();
        }
        let (name, file) = (self.form.clean(NAME), self.form.clean(FILE));
        if name.is_empty() || name.contains('/') {
            return Err((NAME, "Type its name, without /".to_owned()));
        }
        if !std::path::Path::new(&file).is_absolute() {
            return Err((FILE, "Type the whole path, beginning with /".to_owned()));
        }
        let every = self.every().map_err(|problem| (EVERY, problem))?;
        let settings = shared.reads.get(&ReadSettings);
        if settings.is_some_and(|settings| settings.followed.contains_key(&name)) {
            return Err((NAME, format!("{name} is followed already; choose another name for another file")));
        }
        let currency = settings.map_or(Currency::EUR, |settings| settings.currency);
        let blocks = Some(self.form.clean(BLOCKS).to_lowercase()).filter(|text| !text.is_empty());
        let followed =
            Followed { blocks, every: Some(every), ..Followed::new(file, self.resource.id.clone(), currency) };
        let known = settings.is_some_and(|settings| settings.own_jobs.contains_key(Followed::JOB));
        let job =
            ChangeFollowed::reader(&name, shared.now + Span::minutes(1), (!known).then(|| shared.follows.clone()));
        let done = format!("{name} is followed for {}; its file is read every {every}", self.resource.name);
        let follow = ChangeFollowed { calendar: name, followed: Some(followed), differing: None, job: Some(job) };
        Ok(Sent::worded(follow, done))
    }

    fn refused_at(&self) -> usize {
        NAME
    }

    fn edited(&mut self, row: usize) {
        if row == ACT {
            let names = if self.ends() { self.names.clone() } else { vec![String::new()] };
            self.form.put(NAME, FormRow::among("Name", names));
            self.form.skip(if self.ends() { &[FILE, BLOCKS, EVERY] } else { &[] });
        }
    }

    fn needs(&self, _shared: &Shared, needs: &mut Needs) {
        needs.of(ReadSettings);
    }

    fn came(&mut self, question: &Query, context: &mut Context<'_>) -> Flow {
        if ReadSettings.is(question)
            && let Some(settings) = context.shared.reads.get(&ReadSettings)
        {
            let mut followed: Vec<_> = settings.followed.iter().collect();
            followed.sort_by_key(|(_, one)| one.resource != self.resource.id);
            self.names = followed.into_iter().map(|(name, _)| name.clone()).collect();
        }
        Flow::Stay
    }

    fn below(&self, shared: &Shared, (columns, lines): (usize, usize)) -> Option<(Vec<String>, Style)> {
        let settings = shared.reads.get(&ReadSettings);
        let told = self.names.iter().filter_map(|name| {
            let followed = settings?.followed.get(name)?;
            Some(paragraph(&followed_words((name, followed), shared), columns, 2))
        });
        let mut told: Vec<String> = told.flatten().take(lines).collect();
        if told.is_empty() {
            told.push("No calendar is followed yet.".to_owned());
        }
        Some((told, shared.theme.text))
    }
}

/// A followed calendar: its resource, how often its file is read, when it was last, with what effect.
fn followed_words((name, followed): (&str, &Followed), shared: &Shared) -> String {
    let all = shared.reads.get(&ReadAllResources);
    let resource = all.and_then(|all| all.resources.iter().find(|one| one.id == followed.resource));
    let resource = resource.map_or_else(|| followed.resource.to_string(), |one| clean(&one.name));
    let every = followed.every.map_or_else(|| "by hand".to_owned(), |every| format!("every {every}"));
    let last = followed.followed_at.map_or_else(
        || "not read yet".to_owned(),
        |at| format!("read {}: {}", words::day_time(at, shared.here()), words::followed(&followed.last)),
    );
    format!("{name}: {resource}, {every}, {last}")
}
