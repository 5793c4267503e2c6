//! Theaters: added from row lengths or from a plan file, listed and shown.

use std::path::{Path, PathBuf};

use chrono_tz::Tz;
use clap::{Args, Subcommand};

use crate::cli::answers::theater::{self, Detail};
use crate::cli::call::{Call, Done};
use crate::cli::out::AsCsv;
use crate::cli::stop::{Cannot, Stop};
use crate::cli::{reading, values};
use crate::domain::ids::TheaterId;
use crate::domain::performance::Theater;
use crate::domain::plan::{Plan, SeatKind};
use crate::domain::refusal::Refusal;
use crate::domain::typed;
use crate::engine::Failure;
use crate::engine::ops::{AddTheater, ChangePlan, SetHall};
use crate::engine::reads::catalog::{ReadTheater, ReadTheaters};
use crate::formats::{FILE_BYTES_MAX, ImportedPlan, PlanError, Strictness, pretix, rows};

mod change;

#[derive(Debug, Subcommand)]
pub(super) enum TheaterVerb {
    /// Add a theater from row lengths
    Add(AddTheaterArgs),
    /// Add a theater from a pretix seating plan, or give one a new plan
    Import(ImportTheaterArgs),
    /// Change its name or time zone
    Change(change::ChangeTheaterArgs),
    /// Take one that nothing is planned in out of all lists; its history stays
    Retire {
        /// Id, end of an id, or name
        theater: String,
    },
    /// Theaters by name
    List {
        /// Only those after this one
        #[arg(long, value_name = "ID")]
        after: Option<String>,
        /// Those that were retired
        #[arg(long)]
        retired: bool,
        #[command(flatten)]
        csv: AsCsv,
    },
    /// One theater with its plan
    Show {
        /// Id, end of an id, or name
        theater: String,
    },
    /// Choose another resource as its hall: its future performances move there
    Hall {
        /// Id, end of an id, or name
        theater: String,
        /// The hall: id or name of a resource
        #[arg(value_name = "HALL")]
        resource: String,
    },
}

#[derive(Debug, Args)]
pub(super) struct AddTheaterArgs {
    /// The name
    name: String,
    /// Row lengths and standing room: 5x16, or "1,2,3,4,5, Floor=300"
    #[arg(long, allow_hyphen_values = true, required_unless_present = "area")]
    rows: Option<String>,
    /// Standing room with a number of places: "Floor=300"; may come several times
    #[arg(long, value_name = "AREA=PLACES")]
    area: Vec<String>,
    /// Wheelchair places, parted by commas: A1,A2
    #[arg(long, value_name = "SEATS")]
    wheelchair: Vec<String>,
    /// Companion seats beside them, parted by commas
    #[arg(long, value_name = "SEATS")]
    companion: Vec<String>,
    /// The time zone (default: the house's)
    #[arg(long, value_name = "TZ")]
    time_zone: Option<String>,
}

#[derive(Debug, Args)]
pub(super) struct ImportTheaterArgs {
    /// The seating plan, as JSON
    pub(super) file: PathBuf,
    /// The theater's name (default: the plan's). An existing theater gets a new version of its plan
    #[arg(long)]
    name: Option<String>,
    /// The time zone (default: the house's)
    #[arg(long, value_name = "TZ")]
    time_zone: Option<String>,
    /// Refuse a plan with anything odd in it
    #[arg(long)]
    strict: bool,
    /// List every oddity with its position, not only counts and examples
    #[arg(long)]
    verbose: bool,
}

impl TheaterVerb {
    pub(super) fn run(&self, call: &mut Call<'_>) -> Done {
        match self {
            Self::Add(add) => add.run(call),
            Self::Import(import) => import.run(call),
            Self::Change(change) => change.run(call),
            Self::Retire { theater } => change::retire(call, theater),
            Self::List { after, retired, csv } => {
                csv.choose(call.out);
                let after = values::some(after.as_ref(), |text| call.named(text))?;
                let listed = values::listed(*retired);
                let theaters = call.pages(after, |after| ReadTheaters { after, listed }, |(theater, _)| theater.id)?;
                let list: Vec<(&Theater, &Plan)> =
                    theaters.iter().map(|(theater, house)| (theater, &*house.plan)).collect();
                call.answer(&theater::list(&list))
            }
            Self::Show { theater } => {
                let id: TheaterId = call.named(theater)?;
                let (theater, house) = call.read(ReadTheater(id))?;
                call.answer(&theater::theater(&theater, &house.plan))
            }
            Self::Hall { theater, resource } => {
                let theater: TheaterId = call.named(theater)?;
                let hall = call.resource(resource)?.id;
                call.run(SetHall { theater, hall })?;
                let (theater, house) = call.read(ReadTheater(theater))?;
                call.answer(&theater::theater(&theater, &house.plan))
            }
        }
    }
}

impl AddTheaterArgs {
    fn run(&self, call: &mut Call<'_>) -> Done {
        let areas: Result<Vec<_>, Refusal> = self.area.iter().map(|text| typed::places("area", text)).collect();
        let mut plan = rows::with_areas(self.rows.as_deref(), &areas?).map_err(Cannot::Rows)?;
        mark(&mut plan, &self.wheelchair, SeatKind::Wheelchair)?;
        mark(&mut plan, &self.companion, SeatKind::Companion)?;
        let theater = call.run(AddTheater {
            name: self.name.clone(),
            plan: plan.clone(),
            time_zone: values::some(self.time_zone.as_ref(), values::zone)?,
        })?;
        call.answer(&theater::theater(&theater, &plan))
    }
}

/// Sets the purpose of some seats of a plan.
fn mark(plan: &mut Plan, texts: &[String], kind: SeatKind) -> Result<(), Refusal> {
    if texts.is_empty() {
        return Ok(());
    }
    let names = values::seats(texts)?;
    let known = plan.by_name();
    let is_unknown = |name: &&String| !known.contains_key(&name.to_lowercase());
    let seats: Vec<String> = names.iter().filter(is_unknown).cloned().collect();
    if !seats.is_empty() {
        return Err(Refusal::UnknownSeat { seats });
    }
    let rows = plan.zones.iter_mut().flat_map(|zone| &mut zone.rows);
    for seat in rows.flat_map(|row| &mut row.seats) {
        if names.iter().any(|name| name.eq_ignore_ascii_case(&seat.name)) {
            seat.kind = kind;
        }
    }
    Ok(())
}

impl ImportTheaterArgs {
    fn run(&self, call: &mut Call<'_>) -> Done {
        let zone = values::some(self.time_zone.as_ref(), values::zone)?;
        let strictness = if self.strict { Strictness::Strict } else { Strictness::Lenient };
        let imported = plan(&self.file, strictness)?;
        let name = self.name.clone().unwrap_or(imported.plan.name.clone());
        let theater = stored(call, (name, zone), &imported.plan)?;
        let detail = if self.verbose { Detail::All } else { Detail::Summary };
        let read = (&theater, &imported.plan);
        call.answer(&theater::imported(read, &imported.oddities, detail))
    }
}

/// Reads the file of a seating plan.
pub(super) fn plan(path: &Path, strictness: Strictness) -> Result<ImportedPlan, Stop> {
    let imported = pretix::import(&read(path)?, strictness);
    Ok(imported.map_err(|error| Cannot::Plan { path: path.to_owned(), error })?)
}

fn read(path: &Path) -> Result<Vec<u8>, Stop> {
    reading::at_most(path, FILE_BYTES_MAX)?.ok_or_else(|| {
        let (path, what) = (path.to_owned(), "bytes");
        let error = PlanError::TooMany { what, most: FILE_BYTES_MAX };
        Cannot::Plan { path, error }.into()
    })
}

/// Adds a theater, or a new version of the plan of the theater that has the name.
fn stored(call: &Call<'_>, (name, time_zone): (String, Option<Tz>), plan: &Plan) -> Result<Theater, Stop> {
    let added = call.try_run(AddTheater { name: name.clone(), plan: plan.clone(), time_zone });
    let refusal = match added {
        // a repeated command may have been either
        Err(Failure::Refused(refusal @ (Refusal::Exists { .. } | Refusal::CommandReused { .. }))) => refusal,
        other => return Ok(other?),
    };
    let Ok(id) = call.named::<TheaterId>(&name) else {
        return Err(refusal.into());
    };
    let (before, _) = call.read(ReadTheater(id))?;
    if time_zone.is_some_and(|zone| zone != before.time_zone) {
        let problem = format!("{name} stays in {}; leave --time-zone out", before.time_zone);
        return Err(values::bad("time-zone", problem).into());
    }
    call.run(ChangePlan { theater: id, plan: plan.clone() })
}
