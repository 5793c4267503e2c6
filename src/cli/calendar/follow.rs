//! Follows calendars of others: a portal's file is the truth about what it brought.

use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, ValueEnum};
use serde_json::{Value, json};

use crate::cli::answers::{day_time, object};
use crate::cli::call::{Call, Done};
use crate::cli::out::{AsCsv, Rendered};
use crate::cli::stop::{Cannot, REFUSED, Stop};
use crate::cli::table::Table;
use crate::cli::values;
use crate::domain::followed::{Followed, Following, Vanished};
use crate::domain::recurrence::Window;
use crate::domain::refusal::Refusal;
use crate::domain::text::clean;
use crate::domain::time::{Slot, Span};
use crate::engine::ops::{CalendarFollowed, ChangeFollowed, ForeignTime};
use crate::engine::reads::followed::{ReadDiffering, ReadToFollow, ToFollow};
use crate::engine::reads::resources::ReadResource;
use crate::formats::ical::{CalendarEntry, FreeTime, ImportedCalendar, Reading, read};
use crate::words;

use super::book::left_out;
use super::import::{bytes, problem_json, problem_words, refused};

/// Time back over which a stay that has begun may reach.
const BACK: Span = Span::minutes(400 * 24 * 60);

/// Exit code by which the command of a job asks for another check.
const AGAIN: u8 = 75;

/// Fewer that vanish are believed without a word.
const GONE_LEAST: usize = 5;

#[derive(Debug, Args)]
pub(in crate::cli) struct Follow {
    /// A name for the calendar: Airbnb, Booking.com
    #[arg(required_unless_present = "job")]
    name: Option<String>,
    /// Its file, each time the same (default: the one it follows)
    file: Option<PathBuf>,
    /// The resource that it is about: id or name; each time the same
    #[arg(long)]
    resource: Option<String>,
    /// Text in the titles of blocks, which are no bookings and cost nothing: "not available"
    #[arg(long, value_name = "TEXT")]
    blocks: Option<String>,
    /// Treatment of those that vanish from the file (default: ask about stays, free blocks)
    #[arg(long, value_enum, value_name = "WHAT")]
    gone: Option<GoneWord>,
    /// How far ahead the file speaks: 90d (default: 2 years)
    #[arg(long, value_name = "SPAN")]
    until: Option<String>,
    /// Price of a stay (default: 0, the portal took the money)
    #[arg(long, allow_hyphen_values = true)]
    price: Option<String>,
    /// Also a file that is cut off, older than the last, or lacks more than half of what it brought
    #[arg(long)]
    force: bool,
    /// Also read the file again by itself, as a job: 15m; 0 for no more
    #[arg(long, value_name = "SPAN")]
    every: Option<String>,
    /// As the command of that job, which stands on standard input
    #[arg(long, hide = true, conflicts_with = "name")]
    job: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum GoneWord {
    /// Free their time
    Free,
    /// Keep them
    Keep,
    /// Keep them, and ask on the worklist
    Ask,
}

/// Result of following one file.
#[derive(Default)]
struct Effect {
    effects: Following,
    names: Vec<String>,
    taken: Vec<(String, Slot, Refusal)>,
}

impl Follow {
    pub(super) fn run(&self, call: &mut Call<'_>) -> Result<ExitCode, Stop> {
        let name = &self.name()?;
        if self.job && !call.settings.followed.contains_key(name) {
            // its job ends with it
            return call.answer(&ended(name)).map(|()| ExitCode::SUCCESS);
        }
        let mut followed = self.followed(call, name)?;
        let path = PathBuf::from(&followed.file);
        let file = self.read(call, &followed, &path)?;
        let job = match followed.every.filter(|_| self.every.is_some()) {
            Some(every) => {
                let run = if call.settings.own_jobs.contains_key(Followed::JOB) {
                    None
                } else {
                    Some(ChangeFollowed::command(call.desk.place())?)
                };
                Some(ChangeFollowed::reader(name, call.present() + every, run))
            }
            None => None,
        };
        if !self.job {
            let (calendar, begun) = (name.to_owned(), Some(followed.clone()));
            call.desk.run(ChangeFollowed { calendar, followed: begun, differing: None, job })?;
        }
        let changes = self.compare(call, (name, &file), &path)?;
        let mut done = Effect::default();
        done.effects.own = u32::try_from(changes.own.len()).unwrap_or(u32::MAX);
        let acts = changes.acts(name);
        let is_parted = acts.len() > 1;
        for act in acts {
            done.add(call.desk.run(act)?);
        }
        if is_parted && !done.names.is_empty() {
            // time that a later act freed may be free for an earlier one
            done = Effect { effects: Following { echoes: 0, differing: 0, ..done.effects }, ..Effect::default() };
            for act in self.compare(call, (name, &file), &path)?.acts(name) {
                done.add(call.desk.run(act)?);
            }
        }
        followed.stamp = file.stamp.or(followed.stamp);
        followed.followed_at = Some(call.present());
        followed.last = done.effects;
        let every = followed.every;
        let differing = Some(done.names.clone());
        call.desk.run(ChangeFollowed { calendar: name.to_owned(), followed: Some(followed), differing, job: None })?;
        let mut answer = done.render(call, name, (&file, &changes));
        if let Some(every) = every.filter(|_| self.job) {
            // a time that differs waits on the worklist, and is no reason to read it later
            answer.people = format!("{}\n+{}s", answer.people, every.millis() / 1000);
            return call.answer(&answer).map(|()| ExitCode::from(AGAIN));
        }
        call.answer(&answer)?;
        let is_whole = done.names.is_empty() && file.problems.is_empty();
        Ok(if is_whole { ExitCode::SUCCESS } else { ExitCode::from(REFUSED) })
    }

    fn name(&self) -> Result<String, Stop> {
        let name = if let Some(name) = &self.name {
            clean(name)
        } else {
            let job: Result<Value, _> = serde_json::from_reader(io::stdin());
            let job = job.map_err(|error| values::bad("job", error))?;
            clean(job.get("subject").and_then(Value::as_str).unwrap_or_default())
        };
        if name.is_empty() || name.contains('/') {
            return Err(values::bad("name", "it needs a name without /, like Airbnb").into());
        }
        Ok(name)
    }

    /// The calendar as it was followed before, with what is said anew; name, file and resource belong together.
    fn followed(&self, call: &mut Call<'_>, name: &str) -> Result<Followed, Stop> {
        let before = call.settings.followed.get(name).cloned();
        let file = match (&self.file, &before) {
            (Some(file), _) => std::path::absolute(file)?.to_string_lossy().into_owned(),
            (None, Some(before)) => before.file.clone(),
            (None, None) => return Err(values::bad("file", "say which file it is: calendar follow NAME FILE").into()),
        };
        let resource = match (&self.resource, &before) {
            (Some(resource), _) => call.resource(resource)?,
            (None, Some(before)) => call.resource(before.resource.as_str())?,
            (None, None) => return Err(values::bad("resource", "say what it is about, with --resource").into()),
        };
        if let Some(before) = before.as_ref().filter(|before| before.file != file || before.resource != resource.id) {
            let owner: String = call.read(ReadResource(before.resource.to_string()))?.name;
            let problem = format!("{name} follows {} for {owner}; choose another name for another one", before.file);
            return Err(values::bad("name", problem).into());
        }
        let currency = call.settings.currency;
        let new = Followed::new(file, resource.id, currency);
        let mut followed = before.unwrap_or(new);
        if let Some(text) = &self.blocks {
            followed.blocks = Some(text.trim().to_lowercase()).filter(|text| !text.is_empty());
        }
        if let Some(gone) = self.gone {
            followed.gone = Some(match gone {
                GoneWord::Free => Vanished::Free,
                GoneWord::Keep => Vanished::Keep,
                GoneWord::Ask => Vanished::Ask,
            });
        }
        if let Some(ahead) = values::some(self.until.as_ref(), |text| values::span("until", text))? {
            followed.ahead = ahead;
        }
        if let Some(text) = &self.every {
            let every = Some(text).filter(|text| text.trim() != "0");
            followed.every = values::some(every, |text| values::span("every", text))?;
            if followed.every.is_some_and(|every| !Followed::EVERY.contains(&every)) {
                let (least, most) = Followed::EVERY.into_inner();
                return Err(values::bad("every", format!("from {least} to {most}, or 0")).into());
            }
        }
        if let Some(price) = values::own_price(self.price.as_ref(), currency)? {
            followed.price = price;
        }
        Ok(followed)
    }

    fn read(&self, call: &Call<'_>, followed: &Followed, path: &Path) -> Result<ImportedCalendar, Stop> {
        let now = call.present();
        let window = Window { from: Some(now - BACK), until: Some(now + followed.ahead) };
        let reading = Reading { zone: call.out.zone, window, free: FreeTime::LeaveOut };
        let file = read(&bytes(path)?, &reading).map_err(|error| refused(path, &error))?;
        let cannot = |problem: String| Cannot::Calendar { path: path.to_owned(), line: None, problem };
        if let Some(error) = file.cut_off.as_ref().filter(|_| !self.force) {
            return Err(cannot(format!("{error} Nothing was changed; follow it all the same with --force.")).into());
        }
        if file.stamp.is_some_and(|stamp| Some(stamp) < followed.stamp) && !self.force {
            let problem = "It is older than the file that was followed last. Nothing was changed; fetch it again, or follow it all the same with --force.";
            return Err(cannot(problem.to_owned()).into());
        }
        Ok(file)
    }

    /// Compares a file with what its calendar brought.
    fn compare(&self, call: &Call<'_>, (name, file): (&str, &ImportedCalendar), path: &Path) -> Result<ToFollow, Stop> {
        let times = file.entries.iter().map(time).collect();
        let changes = call.read(ReadToFollow { calendar: name.to_owned(), times, unread: file.unread.clone() })?;
        let ToFollow { gone, ahead, .. } = changes;
        if gone >= GONE_LEAST && gone * 2 > ahead && !self.force {
            let problem = format!(
                "{gone} of the {ahead} bookings that it brought are missing. Nothing was changed; fetch it again, or follow it all the same with --force."
            );
            return Err(Cannot::Calendar { path: path.to_owned(), line: None, problem }.into());
        }
        Ok(changes)
    }
}

fn ended(name: &str) -> Rendered {
    Rendered::new(json!({ "name": name }), format!("{name} is followed no more. Its bookings stay."))
}

fn time(entry: &CalendarEntry) -> ForeignTime {
    ForeignTime { uid: entry.uid.clone(), title: entry.title.clone(), note: entry.note.clone(), slot: entry.slot }
}

impl Effect {
    fn add(&mut self, part: CalendarFollowed) {
        let sum = &mut self.effects;
        sum.brought += part.effects.brought;
        sum.moved += part.effects.moved;
        sum.freed += part.effects.freed;
        sum.own += part.effects.own;
        sum.echoes += part.effects.echoes;
        sum.differing += part.effects.differing;
        self.names.extend(part.names);
        self.taken.extend(part.taken);
    }

    fn render(&self, call: &Call<'_>, name: &str, (file, changes): (&ImportedCalendar, &ToFollow)) -> Rendered {
        let taken: Vec<Rendered> =
            self.taken.iter().map(|(_, slot, refusal)| left_out(call, *slot, Some(refusal))).collect();
        let mut lines = vec![format!("{name}: {}.", words::followed(&self.effects))];
        lines.extend(taken.iter().map(|one| format!("Not free: {}", one.people)));
        let asked = changes.asked.len();
        if asked > 0 {
            lines
                .push(format!("Vanished there, and still booked here: {asked}. See: willcall worklist --kind differs"));
        }
        let now = call.present();
        lines.extend(
            changes.own.iter().map(|slot| format!("Left alone, changed here: {}", slot.words(call.out.wall(), now))),
        );
        lines.extend(file.problems.iter().map(|one| format!("Not understood: {}", problem_words(one))));
        lines.extend(file.notes.iter().map(|one| format!("Note: {}", problem_words(one))));
        let problems: Vec<Value> = file.problems.iter().map(problem_json).collect();
        let json = object! {
            "calendar": name,
            "effects": self.effects,
            "taken": taken.iter().map(|one| &one.json).collect::<Vec<_>>(),
            "differing": self.names,
            ? "problems": problems,
        };
        Rendered::new(json, lines.join("\n"))
    }
}

/// Lists the calendars that are followed.
pub(super) fn list(call: &mut Call<'_>, csv: &AsCsv) -> Done {
    csv.choose(call.out);
    let differing = call.read(ReadDiffering)?;
    let mut rows = Vec::new();
    for (name, followed) in call.settings.followed.clone() {
        let resource = call.read(ReadResource(followed.resource.to_string()))?.name;
        let differs = differing.iter().filter(|(calendar, _)| *calendar == name).count();
        rows.push((name, followed, resource, differs));
    }
    let zone = call.out.zone;
    let last = |followed: &Followed| followed.followed_at.map_or_else(|| "never".to_owned(), |at| day_time(at, zone));
    let people = Table::of(&rows)
        .words("NAME", |(name, ..)| name.clone())
        .words("FOR", |(_, _, resource, _)| resource.clone())
        .words("LAST", |(_, followed, ..)| last(followed))
        .words("EVERY", |(_, followed, ..)| followed.every.map(|every| every.to_string()).unwrap_or_default())
        .words("CHANGED", |(_, followed, ..)| words::followed(&followed.last))
        .words("DIFFERS", |(.., differs)| differs.to_string())
        .words("FILE", |(_, followed, ..)| followed.file.clone())
        .text_or("No calendar is followed.");
    let json = |(name, followed, resource, differs): &(String, Followed, String, usize)| {
        object! {
            "name": name,
            "resource": followed.resource,
            "resource_name": resource,
            "file": followed.file,
            "followed_at": followed.followed_at.map(|at| at.rfc3339(zone)),
            "last": followed.last,
            "differing": differs,
            ? "every": followed.every.map(|every| every.to_string()),
        }
    };
    let columns = "name resource resource_name file followed_at last differing";
    call.answer(&Rendered::list(&rows, json, people).columns(columns))
}

/// Ends the following of a calendar.
pub(super) fn end(call: &mut Call<'_>, name: &str) -> Done {
    let name = name.trim();
    if !call.settings.followed.contains_key(name) {
        return Err(Refusal::not_found("followed calendar", name).into());
    }
    call.desk.run(ChangeFollowed {
        calendar: name.to_owned(),
        followed: None,
        differing: Some(Vec::new()),
        job: None,
    })?;
    call.answer(&ended(name))
}
