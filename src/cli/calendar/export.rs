//! Bookings as an iCalendar file.

use std::path::PathBuf;

use clap::Args;
use serde::Serialize;

use crate::cli::call::{Call, Done};
use crate::cli::find::named;
use crate::cli::out::{Answer, Format};
use crate::cli::printing::To;
use crate::cli::times;
use crate::domain::booking::{Booking, Taken};
use crate::domain::resource::{Resource, ResourceId};
use crate::domain::time::{Slot, joined};
use crate::engine::ops::import_times::OWN;
use crate::engine::reads::bookings::{ReadBookings, ReadVersion};
use crate::engine::reads::resources::{Filter, ReadResource, ReadResources};
use crate::formats::ical::{Exported, Privacy, write};

#[derive(Debug, Args)]
pub(in crate::cli) struct Export {
    /// Ids or names; all of the house unless said
    resources: Vec<String>,
    /// Only from a time or a date on
    #[arg(long, value_name = "TIME", requires = "until")]
    from: Option<String>,
    /// Only until a time or a date
    #[arg(long, value_name = "TIME", requires = "from")]
    until: Option<String>,
    /// Show only that it is busy
    #[arg(long)]
    private: bool,
    #[command(flatten)]
    to: To,
}

/// What was exported.
#[derive(Serialize)]
struct ExportAnswer {
    bookings: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<PathBuf>,
    #[serde(skip_serializing_if = "Option::is_none")]
    calendar: Option<String>,
}

impl Answer for ExportAnswer {
    fn people(&self) -> String {
        match (&self.calendar, &self.path) {
            (Some(text), _) => text.trim_end().to_owned(),
            (None, path) => {
                let path = path.as_ref().map(|path| path.display().to_string());
                format!(
                    "{} bookings are in {}.",
                    self.bookings,
                    path.unwrap_or_default()
                )
            }
        }
    }
}

impl Export {
    pub(super) fn run(&self, call: &mut Call<'_>) -> Done {
        let target = self.to.begin(call)?;
        let resources = if self.resources.is_empty() {
            let all = call.read(ReadResources(Filter::default()))?;
            all.into_iter().map(|one| one.id).collect()
        } else {
            named(call, &self.resources)?
        };
        let zone = call.out.zone;
        let bounds = self.from.as_deref().zip(self.until.as_deref());
        let window = bounds
            .map(|(from, until)| times::slot(from, until, call.now_in(zone)))
            .transpose()?;
        let mut bookings: Vec<Booking> = Vec::new();
        for resource in &resources {
            bookings.extend(call.read(ReadBookings {
                window,
                resource: Some(resource.clone()),
                ..ReadBookings::default()
            })?);
        }
        bookings.sort_by_key(|booking| (booking.extent(), booking.id));
        bookings.dedup_by_key(|booking| booking.id);
        let mut written = Vec::new();
        for booking in &bookings {
            written.extend(exported(call, (booking, &resources))?);
        }
        let privacy = if self.private {
            Privacy::Busy
        } else {
            Privacy::Open
        };
        let name = match resources.as_slice() {
            [one] => call.read(ReadResource(one.to_string()))?.name,
            _ => "Willcall".to_owned(),
        };
        let text = write(&name, zone, (&written, privacy));
        if target.is_none() && call.out.format() == Format::People {
            // a file for other programs: its line ends are theirs
            return call.out.bytes(text.as_bytes());
        }
        let answer = ExportAnswer {
            bookings: written.len(),
            path: self.to.to.clone(),
            calendar: target.is_none().then(|| text.clone()),
        };
        if let Some(target) = target {
            target.print(&text)?;
        }
        call.answer(&answer)
    }
}

/// A booking as events, one for each stretch that it still has in the resources that are meant.
fn exported(
    call: &Call<'_>,
    (booking, resources): (&Booking, &[ResourceId]),
) -> Result<Vec<Exported>, crate::cli::stop::Stop> {
    let mut names = Vec::new();
    let mut slots: Vec<Slot> = Vec::new();
    let meant = |taken: &&Taken| !taken.live.is_empty() && resources.contains(&taken.resource);
    for taken in booking.taken.iter().filter(meant) {
        let resource: Resource = call.read(ReadResource(taken.resource.to_string()))?;
        if taken.part_of.is_none() || names.is_empty() {
            names.push(resource.name);
        }
        let kept = taken.kept().into_iter();
        slots.extend(kept.map(|stretch| taken.as_wanted(stretch)));
    }
    let (version, changed_at) = call.read(ReadVersion(booking.id))?;
    let note = [booking.customer.name.as_str(), booking.note.as_str()];
    let note: Vec<&str> = note.into_iter().filter(|part| !part.is_empty()).collect();
    let event = |(number, slot): (usize, Slot)| Exported {
        uid: match number {
            1 => format!("{}{OWN}", booking.id),
            _ => format!("{}.{number}{OWN}", booking.id),
        },
        slot,
        title: booking.title.clone(),
        note: note.join(" · "),
        place: names.join(", "),
        category: booking.cause.word().to_owned(),
        changed_at,
        sequence: version.saturating_sub(1),
    };
    Ok((1..).zip(joined(slots)).map(event).collect())
}
