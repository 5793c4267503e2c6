//! Calendars of the house in a folder, for any web server to hand out.

use std::fs;
use std::path::{Path, PathBuf};

use chrono_tz::Tz;
use clap::Args;
use serde_json::json;

use crate::cli::call::{Call, Done};
use crate::cli::out::Rendered;
use crate::cli::stop::{Cannot, Stop};
use crate::engine::Desk;
use crate::engine::output::{Existing, OutputFile};
use crate::engine::reads::resources::{Filter, ReadResources};
use crate::engine::reads::taken::ReadTaken;
use crate::formats::ical::{Privacy, write};
use crate::words::count;

use super::export::events;

#[derive(Debug, Args)]
pub(in crate::cli) struct Publish {
    /// The folder
    folder: PathBuf,
    /// With titles and customers; a file with busy times only is beside each
    #[arg(long)]
    titles: bool,
}

impl Publish {
    pub(super) fn run(&self, call: &mut Call<'_>) -> Done {
        let written = publish(&call.desk, (&self.folder, self.titles), call.out.zone)?;
        let people = format!("{} written into {}.", count(written.len(), "calendar"), self.folder.display());
        call.answer(&Rendered::new(json!({ "folder": self.folder, "written": written }), people))
    }
}

/// Writes a calendar of each resource into a folder, and returns the names of the files that changed. Each is replaced as a
/// whole.
pub(in crate::cli) fn publish(desk: &Desk, (folder, titles): (&Path, bool), zone: Tz) -> Result<Vec<String>, Stop> {
    fs::create_dir_all(folder).map_err(|problem| Cannot::not_writable(folder, problem))?;
    let mut written = Vec::new();
    for resource in desk.read(ReadResources(Filter::default()))? {
        let taken = desk.read(ReadTaken { resources: vec![resource.id.clone()], window: None })?;
        let mut files = vec![(format!("{}.ics", resource.id), if titles { Privacy::Open } else { Privacy::Busy })];
        if titles {
            files.push((format!("{}-busy.ics", resource.id), Privacy::Busy));
        }
        for (name, privacy) in files {
            let text = write(&resource.name, zone, (&events(taken.clone(), privacy), privacy));
            let path = folder.join(&name);
            if fs::read(&path).is_ok_and(|before| before == text.as_bytes()) {
                continue;
            }
            let file = OutputFile::begin(&path, Existing::Replace, desk.place()).map_err(Cannot::Output)?;
            file.finish(text.as_bytes()).map_err(Cannot::Output)?;
            written.push(name);
        }
    }
    Ok(written)
}
