//! Calendars of the house in a folder, for any web server to hand out.

use std::fs;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use chrono_tz::Tz;
use clap::Args;
use serde_json::json;
use tokio::sync::broadcast::error::RecvError;

use crate::cli::call::{Call, Done};
use crate::cli::out::Rendered;
use crate::cli::stop::{Cannot, Stop};
use crate::engine::Desk;
use crate::engine::output::{Existing, OutputFile};
use crate::engine::reads::catalog::ReadSettings;
use crate::engine::reads::resources::{ReadResources, ResourceFilter};
use crate::engine::reads::taken::ReadTaken;
use crate::formats::ical::{Privacy, write};
use crate::words::count;

use super::export::events;

/// Pause between two writes of the published calendars.
pub(in crate::cli) const PUBLISHED_EVERY: Duration = Duration::from_secs(2);

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
    for resource in desk.read(ReadResources(ResourceFilter::default()))? {
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

/// Keeps the calendars in a folder as long as this process lives; what cannot be written later is tried again after the
/// next change.
pub(in crate::cli) fn keep_published(desk: &Desk, folder: &Path) -> Result<(), Stop> {
    let (desk, folder, zone) = (desk.clone(), folder.to_owned(), desk.read(ReadSettings)?.time_zone);
    publish(&desk, (&folder, false), zone)?;
    thread::Builder::new().name("publish".to_owned()).spawn(move || {
        loop {
            let mut notices = desk.watch();
            let _ = publish(&desk, (&folder, false), zone);
            thread::sleep(PUBLISHED_EVERY);
            // a notice that was missed is a change too
            if matches!(notices.blocking_recv(), Err(RecvError::Closed)) {
                return;
            }
        }
    })?;
    Ok(())
}
