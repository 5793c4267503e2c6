//! Exports all taken time as an iCalendar file.

use std::collections::BTreeMap;

use clap::Args;

use crate::cli::answers::object;
use crate::cli::call::{Call, Done};
use crate::cli::find::named;
use crate::cli::out::{Format, Rendered};
use crate::cli::printing::To;
use crate::cli::times;
use crate::domain::calendar::Period;
use crate::domain::owner::Owner;
use crate::domain::time::{Slot, joined};
use crate::engine::ops::OWN;
use crate::engine::reads::resources::{ReadResource, ReadResources, ResourceFilter};
use crate::engine::reads::taken::{ReadTaken, TakenTime};
use crate::formats::ical::{Exported, Privacy, write};
use crate::words::count;

#[derive(Debug, Args)]
pub(in crate::cli) struct Export {
    /// Ids or names (default: all of the house)
    resources: Vec<String>,
    /// Only from a time or a date on
    #[arg(long, value_name = "TIME", requires = "until")]
    from: Option<String>,
    /// Only until a time or a date
    #[arg(long, value_name = "TIME", requires = "from")]
    until: Option<String>,
    /// Show only "busy"
    #[arg(long)]
    private: bool,
    #[command(flatten)]
    to: To,
}

impl Export {
    pub(super) fn run(&self, call: &mut Call<'_>) -> Done {
        let target = self.to.begin(call)?;
        let resources = if self.resources.is_empty() {
            let all = call.read(ReadResources(ResourceFilter::default()))?;
            all.into_iter().map(|one| one.id).collect()
        } else {
            named(call, &self.resources)?
        };
        let zone = call.out.zone;
        let now = call.now_in(zone);
        let window = times::some_slot(self.from.as_ref(), self.until.as_ref(), now)?;
        let taken = call.read(ReadTaken { resources: resources.clone(), window })?;
        let privacy = if self.private { Privacy::Busy } else { Privacy::Open };
        let written = events(taken, privacy);
        let name = match resources.as_slice() {
            [one] => call.read(ReadResource(one.to_string()))?.name,
            _ => "Willcall".to_owned(),
        };
        let text = write(&name, zone, (&written, privacy));
        if target.is_none() && call.out.format == Format::People {
            // other programs read this file: its line ends follow the format
            return call.out.bytes(text.as_bytes());
        }
        let calendar = target.is_none().then_some(text.as_str());
        if let Some(target) = target {
            target.print(&text)?;
        }
        let path = self.to.to.as_ref().map(|path| path.to_string_lossy());
        let shown = path.clone().unwrap_or_default();
        let json = object!("bookings": written.len(), ? "path": path, ? "calendar": calendar);
        let people = format!("{} written to {shown}.", count(written.len(), "booking"));
        call.answer(&Rendered::new(json, people))
    }
}

/// All slots of one owner on the exported resources.
struct Owned {
    /// The first slot; its words stand for all.
    first: TakenTime,
    /// The requested slots; in a busy-only export everything taken.
    slots: Vec<Slot>,
    /// The buffers before and after.
    around: Vec<Slot>,
    names: Vec<String>,
}

/// Converts taken time to events, one for each stretch of an owner. A full export has the requested time, with
/// buffers as events of their own; a busy-only export has everything taken.
pub(super) fn events(taken: Vec<TakenTime>, privacy: Privacy) -> Vec<Exported> {
    let mut owned: BTreeMap<String, Owned> = BTreeMap::new();
    for time in taken {
        let entry = owned.entry(stem(&time)).or_insert_with(|| Owned {
            first: time.clone(),
            slots: Vec::new(),
            around: Vec::new(),
            names: Vec::new(),
        });
        match privacy {
            Privacy::Busy => entry.slots.push(time.period.slot),
            Privacy::Open if time.period.is_buffer => entry.around.push(time.period.slot),
            Privacy::Open => entry.slots.push(asked(&time.period)),
        }
        let (id, name) = &time.resource;
        let booking = time.booking.as_ref();
        let is_asked = booking.is_none_or(|booking| booking.asked().any(|one| one.resource == *id));
        if (is_asked || entry.names.is_empty()) && !entry.names.contains(name) {
            entry.names.push(name.clone());
        }
    }
    let mut out: Vec<Exported> = Vec::new();
    for (stem, owned) in owned {
        let around = owned.around.iter().copied();
        let slots = (1..).zip(joined(owned.slots.clone()));
        out.extend(slots.map(|(number, slot)| owned.event((&stem, number), slot)));
        for (number, slot) in (1..).zip(joined(around.collect())) {
            let mut event = owned.event((&format!("{stem}.around"), number), slot);
            event.title = format!("{} (before and after)", event.title);
            out.push(event);
        }
    }
    out.sort_by(|a, b| (a.slot, &a.uid).cmp(&(b.slot, &b.uid)));
    out
}

/// The requested stretch, where whole segments take more.
fn asked(period: &Period) -> Slot {
    let Some(wanted) = period.wanted else {
        return period.slot;
    };
    period.slot.meet(&wanted).unwrap_or(period.slot)
}

/// The UID of an owner, the same in every file.
fn stem(time: &TakenTime) -> String {
    match &time.period.owner {
        Some(Owner::Line(line)) => format!("{}.line-{}", line.cart, line.number),
        Some(Owner::Keep(keep)) => keep.to_string(),
        Some(Owner::Booking(_, id) | Owner::Disable(id, _)) => id.to_string(),
        None => format!("{}.{}", time.resource.0, time.period.slot.from().millis()),
    }
}

impl Owned {
    fn event(&self, (stem, number): (&str, u32), slot: Slot) -> Exported {
        let TakenTime { period, booking, changed: (version, changed_at), .. } = &self.first;
        let note = booking.as_ref().map_or("", |booking| booking.note.as_str());
        let note: Vec<&str> = [period.customer.as_str(), note].into_iter().filter(|part| !part.is_empty()).collect();
        let state = period.state.word().replace('_', " ");
        let category = booking.as_ref().map(|one| one.cause.word().to_owned());
        Exported {
            uid: match number {
                1 => format!("{stem}{OWN}"),
                _ => format!("{stem}.{number}{OWN}"),
            },
            slot,
            title: if period.title.is_empty() { state.clone() } else { period.title.clone() },
            note: note.join(" · "),
            place: self.names.join(", "),
            category: category.unwrap_or(state),
            changed_at: *changed_at,
            sequence: version.saturating_sub(1),
        }
    }
}
