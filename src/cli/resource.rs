//! Resources: added, listed, looked at, opened, closed, and out of service.

use std::collections::BTreeMap;

use chrono_tz::Tz;
use clap::{Args, Subcommand};

use crate::cli::answers::{self, out_of_use};
use crate::cli::call::{Call, Done};
use crate::cli::out::AsCsv;
use crate::cli::stop::Stop;
use crate::cli::{times, values};
use crate::domain::booking::Cause;
use crate::domain::refusal::Refusal;
use crate::domain::resource::{Count, OpenHours, Policy, ResourceId};
use crate::domain::time::{Grid, Segment, Span, day_start};
use crate::engine::ops::{AddResource, CloseHorizon, Displace, Horizon, InService, OpenHorizon, Past, TakeOut};
use crate::engine::reads::resources::{ReadChunks, ReadResources, ResourceFilter};

mod change;
mod filter;

pub(super) use filter::filter;

#[derive(Debug, Subcommand)]
pub(super) enum ResourceVerb {
    /// Add something that is booked by time
    Add(Box<AddResourceArgs>),
    /// Change what was entered. What is booked or held keeps its time and its price
    Change(Box<change::ChangeResourceArgs>),
    /// Take one that nothing is booked in from now on out of all lists; its history stays
    Retire {
        /// Id or name
        resource: String,
    },
    /// Resources, each part after its parent
    List {
        /// Only of this kind
        #[arg(long)]
        kind: Option<String>,
        /// Only parts of this resource
        #[arg(long = "in", value_name = "RESOURCE")]
        within: Option<String>,
        /// Only those after this one
        #[arg(long, value_name = "ID")]
        after: Option<String>,
        /// Those that were retired
        #[arg(long)]
        retired: bool,
        #[command(flatten)]
        csv: AsCsv,
    },
    /// One resource
    Show {
        /// Id or name
        resource: String,
    },
    /// Open the days of a preallocated resource and its parts
    Open {
        /// Id or name
        resource: String,
        /// The first day that is not open: 2027-12-31
        #[arg(long, value_name = "DATE")]
        until: String,
    },
    /// Close its days again
    Close {
        /// Id or name
        resource: String,
        /// The first day that is closed
        #[arg(long, value_name = "DATE")]
        from: String,
    },
    /// Out of use until further notice; asks first
    OutOfService(Out),
    /// Put it back in service
    InService {
        /// Id or name
        resource: String,
        /// Also if another operator took it out
        #[arg(long = "override")]
        anybody: bool,
    },
    /// Stored days of a resource
    Chunks(Chunks),
}

#[derive(Debug, Args)]
pub(super) struct AddResourceArgs {
    /// The name; the id is made from it
    name: String,
    /// hall, room, hotel, hotel-room, car, equipment, or any word
    #[arg(long)]
    kind: String,
    /// The unit of time, in minutes; 1440 is a night
    #[arg(long, value_name = "MINUTES", allow_hyphen_values = true)]
    segment: String,
    /// The local time zone: Europe/London (default: its parent's, or the house's)
    #[arg(long, value_name = "ZONE")]
    time_zone: Option<String>,
    /// The parent, as the hotel of a room: id or name
    #[arg(long, value_name = "RESOURCE")]
    parent: Option<String>,
    /// open-ended, or preallocated: only days that were opened can be booked
    #[arg(long, default_value = "open-ended")]
    policy: String,
    /// Hours that can be booked: 08:00-23:00
    #[arg(long, value_name = "HOURS")]
    open_hours: Option<String>,
    /// Taken home, as a van: hand-over and return lie in the open hours, and the closed ones between are taken too
    #[arg(long, requires = "open_hours")]
    hire: bool,
    /// Setup time before each booking: 30m
    #[arg(long, value_name = "TIME", allow_hyphen_values = true)]
    before: Option<String>,
    /// Setup time after each booking: 15m
    #[arg(long, value_name = "TIME", allow_hyphen_values = true)]
    after: Option<String>,
    /// The price of one unit of time
    #[arg(long, allow_hyphen_values = true)]
    price: Option<String>,
    /// The price list that prices it
    #[arg(long, value_name = "LIST")]
    prices: Option<String>,
    /// A number of equal things, booked by number: "200 chairs"
    #[arg(long, value_name = "COUNT", allow_hyphen_values = true)]
    count: Option<String>,
    /// A property to search by: beds=2; may come several times
    #[arg(long, value_name = "NAME=VALUE")]
    set: Vec<String>,
    /// Days from today that a job keeps open
    #[arg(long, value_name = "DAYS", allow_hyphen_values = true)]
    roll: Option<String>,
}

#[derive(Debug, Args)]
pub(super) struct Out {
    /// Id or name
    resource: String,
    /// Start (default: now)
    #[arg(long, value_name = "TIME")]
    from: Option<String>,
    /// The reason
    #[arg(long, default_value = "")]
    reason: String,
    /// Even with bookings: they go to the worklist
    #[arg(long)]
    displace: bool,
}

#[derive(Debug, Args)]
pub(super) struct Chunks {
    /// Id or name
    resource: String,
    /// The first day
    #[arg(long, value_name = "DATE")]
    from: String,
    /// The first day after
    #[arg(long, value_name = "DATE")]
    until: String,
}

impl ResourceVerb {
    pub(super) fn run(&self, call: &mut Call<'_>) -> Done {
        match self {
            Self::Add(add) => add.run(call),
            Self::Change(change) => change.run(call),
            Self::Retire { resource } => change::retire(call, resource),
            Self::List { kind, within, after, retired, csv } => {
                csv.choose(call.out);
                let filter = filter(call, kind.as_deref(), (within.as_deref(), &[]))?;
                let all = call.read(ReadResources(ResourceFilter { listed: values::listed(*retired), ..filter }))?;
                let all = call.page(all, after.as_deref(), |one| one.id.clone())?;
                call.answer(&answers::resource::list(&all))
            }
            Self::Show { resource } => {
                let resource = call.resource(resource)?;
                call.answer(&answers::resource::shown(&resource))
            }
            Self::Open { resource, until } => {
                let resource = call.resource(resource)?.id;
                let until = times::date("until", until, call.now_in(call.out.zone))?;
                let opened = call.run(OpenHorizon { resource, until })?;
                horizons(call, &opened)
            }
            Self::Close { resource, from } => {
                let resource = call.resource(resource)?.id;
                let from = times::date("from", from, call.now_in(call.out.zone))?;
                let closed = call.run(CloseHorizon { resource, from })?;
                horizons(call, &closed)
            }
            Self::OutOfService(out) => out.run(call),
            Self::InService { resource, anybody } => {
                let resource = call.resource(resource)?.id;
                let whose = values::whose(*anybody);
                let resource = call.run(InService { resource, whose })?;
                call.answer(&answers::resource::resource(&resource))
            }
            Self::Chunks(chunks) => chunks.run(call),
        }
    }
}

impl AddResourceArgs {
    fn run(&self, call: &mut Call<'_>) -> Done {
        let parent = values::some(self.parent.as_ref(), |text| self.whole(call, text))?;
        let zone = match (&self.time_zone, &parent) {
            (Some(name), _) => values::zone(name)?,
            (None, Some((_, zone))) => *zone,
            (None, None) => call.settings.time_zone,
        };
        let segment = segment(&self.segment)?;
        let hours = values::some(self.open_hours.as_ref(), open_hours)?;
        let resource = call.run(AddResource {
            name: self.name.clone(),
            kind: self.kind.clone(),
            parent: parent.map(|(id, _)| id),
            grid: Grid { zone, segment },
            policy: self.policy()?,
            hours: hours.map(|hours| OpenHours { hire: self.hire, ..hours }),
            before: around("before", self.before.as_deref())?,
            after: around("after", self.after.as_deref())?,
            price: values::own_price(self.price.as_ref(), call.settings.currency)?,
            prices: self.prices.clone(),
            count: values::some(self.count.as_ref(), count)?,
            properties: self.properties()?,
        })?;
        call.answer(&answers::resource::resource(&resource))
    }

    /// Finds the parent resource and its zone. A name that equals the new resource's own is passed on: the operation
    /// refuses a resource as its own parent.
    fn whole(&self, call: &mut Call<'_>, text: &str) -> Result<(ResourceId, Tz), Stop> {
        let itself = ResourceId::of_name(&self.name)
            .filter(|id| text.trim() == id.as_str() || text.trim().to_lowercase() == self.name.to_lowercase());
        match (call.resource(text), itself) {
            (Err(Stop::Refused(Refusal::NotFound { .. })), Some(id)) => Ok((id, call.settings.time_zone)),
            (found, _) => found.map(|parent| (parent.id.clone(), parent.zone())),
        }
    }

    fn policy(&self) -> Result<Policy, Refusal> {
        let roll_days = values::some(self.roll.as_ref(), |text| values::count("roll", text))?;
        match (self.policy.as_str(), roll_days) {
            ("open-ended", None) => Ok(Policy::OpenEnded),
            ("open-ended", Some(_)) => {
                Err(values::bad("roll", "its days exist by themselves; only a preallocated resource is opened"))
            }
            ("preallocated", roll_days) => Ok(Policy::Preallocated { horizon: None, roll_days }),
            (other, _) => Err(values::bad("policy", format!("{other:?} is none; write open-ended or preallocated"))),
        }
    }

    fn properties(&self) -> Result<BTreeMap<String, String>, Refusal> {
        self.set.iter().map(|text| property(text)).collect()
    }
}

/// Parses a unit of time in minutes.
fn segment(text: &str) -> Result<Segment, Refusal> {
    Segment::of_minutes(values::count("segment", text)?).map_err(|error| values::bad("segment", error))
}

/// Parses a count: `200 chairs`.
fn count(text: &str) -> Result<Count, Refusal> {
    text.parse().map_err(|error: String| values::bad("count", error))
}

/// Parses opening hours: `08:00-23:00`.
fn open_hours(text: &str) -> Result<OpenHours, Refusal> {
    OpenHours::parse(text).map_err(|error| values::bad("open-hours", error))
}

/// Parses a property: `beds=2`.
fn property(text: &str) -> Result<(String, String), Refusal> {
    let pair = text.split_once('=').filter(|(name, _)| !name.trim().is_empty());
    let (name, value) =
        pair.ok_or_else(|| values::bad("set", format!("{text:?} is no property; write it like beds=2")))?;
    Ok((name.trim().to_owned(), value.trim().to_owned()))
}

/// Parses setup time before or after; none is like `0`.
fn around(field: &str, text: Option<&str>) -> Result<Span, Refusal> {
    match text.map(str::trim) {
        None | Some("0" | "0m") => Ok(Span::default()),
        Some(text) => values::span(field, text),
    }
}

fn horizons(call: &mut Call<'_>, list: &[Horizon]) -> Done {
    call.answer(&answers::resource::horizons(list))
}

impl Out {
    fn run(&self, call: &mut Call<'_>) -> Done {
        let resource = call.resource(&self.resource)?;
        let from = times::some_moment("from", self.from.as_ref(), call.now_in(resource.zone()))?;
        let done = call.run(TakeOut {
            resources: vec![resource.id],
            count: None,
            from,
            until: None,
            cause: Cause::OutOfService,
            reason: self.reason.clone(),
            displace: if self.displace { Displace::Take } else { Displace::Ask },
            past: Past::Refuse,
        })?;
        let answer = out_of_use::act(call, &done)?;
        call.answer(&answer)
    }
}

impl Chunks {
    fn run(&self, call: &mut Call<'_>) -> Done {
        let resource = call.resource(&self.resource)?;
        let here = call.now_in(resource.zone());
        let from = times::date("from", &self.from, here)?;
        let until = times::last_date("until", &self.until, (from, here))?;
        times::of_bounds(day_start(from, here.zone), day_start(until, here.zone))?;
        let rows = call.read(ReadChunks { resource: resource.id, from, until })?;
        call.answer(&answers::resource::chunks(&rows))
    }
}
