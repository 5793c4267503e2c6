//! A calendar of others that is followed from now on, by a job that reads its file again and again.

use std::borrow::Cow;

use ratatui::style::Style;

use crate::domain::followed::Followed;
use crate::domain::money::Currency;
use crate::domain::resource::Resource;
use crate::domain::time::Span;
use crate::engine::ops::ChangeFollowed;
use crate::engine::reads::catalog::ReadSettings;
use crate::tui::data::reads::Needs;
use crate::tui::kit::form::{Form, FormRow};
use crate::tui::kit::shared::Shared;
use crate::tui::kit::sheet::{FormSheet, Sent};
use crate::tui::widgets::paragraph;
use crate::words;

const NAME: usize = 0;
const FILE: usize = 1;
const BLOCKS: usize = 2;
const EVERY: usize = 3;

/// A calendar that is to be followed for a resource.
#[derive(Debug)]
pub(super) struct FollowForm {
    resource: Resource,
    form: Form,
}

impl FollowForm {
    pub(super) fn new(resource: Resource) -> Self {
        let rows = ["Name", "File", "Blocks"].map(|label| FormRow::text(label, ""));
        let rows = rows.into_iter().chain([FormRow::text("Every", "15m"), FormRow::Button]);
        Self { resource, form: Form::new(rows.collect(), NAME) }
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
    const SIZE: (u16, usize) = (74, 18);

    fn form(&self) -> &Form {
        &self.form
    }

    fn form_mut(&mut self) -> &mut Form {
        &mut self.form
    }

    fn title(&self, _shared: &Shared) -> String {
        format!("Follow a calendar   {}", crate::domain::text::fit(&self.resource.name, 40))
    }

    fn hints(&self, _shared: &Shared) -> Vec<(usize, Cow<'static, str>)> {
        let every = self.every().map_or_else(Cow::from, |every| format!("read again after {every}").into());
        vec![
            (NAME, "of the portal: Airbnb".into()),
            (FILE, "a whole path: /srv/feeds/room-103.ics".into()),
            (BLOCKS, "text in titles that are no bookings".into()),
            (EVERY, every),
        ]
    }

    fn does(&self) -> &'static str {
        "follow it"
    }

    fn then(&self) -> &'static str {
        "A job reads the file in a minute, and again; what differs or cannot be read is told in Needs you."
    }

    fn operation(&self, shared: &Shared) -> Result<Sent, (usize, String)> {
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

    fn needs(&self, _shared: &Shared, needs: &mut Needs) {
        needs.of(ReadSettings);
    }

    fn below(&self, shared: &Shared, (columns, lines): (usize, usize)) -> Option<(Vec<String>, Style)> {
        let settings = shared.reads.get(&ReadSettings);
        let followed = settings.iter().flat_map(|settings| &settings.followed);
        let names: Vec<&str> = followed.map(|(name, _)| name.as_str()).collect();
        let said = match names.as_slice() {
            [] => "No calendar is followed yet.".to_owned(),
            names => format!("Followed: {}.", names.join(", ")),
        };
        Some((paragraph(&said, columns, lines), shared.theme.text))
    }
}
