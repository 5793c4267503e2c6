//! Questions of the screens that are made of several of the engine's, each answered of one moment.

use std::path::Path;
use std::{fs, io};

use crate::domain::house::WorkKind;
use crate::domain::loss::CellGroup;
use crate::domain::money::Currency;
use crate::domain::refusal::Alternative;
use crate::domain::resource::{Resource, ResourceId};
use crate::domain::time::{Slot, Span};
use crate::engine::Failure;
use crate::engine::reads::calendar::{Check, ReadCheck};
use crate::engine::reads::carts::{CartRow, ReadOpenCarts};
use crate::engine::reads::catalog::ReadSettings;
use crate::engine::reads::free_time::{FreeResource, ReadFree};
use crate::engine::reads::instead::{ReadInstead, WantedTime};
use crate::engine::reads::resources::{ReadResources, ResourceFilter};
use crate::engine::reads::worklist::{ReadWorklist, WorkView};
use crate::engine::reads::{Question, Snapshot};
use crate::formats::{FILE_BYTES_MAX, ImportedPlan, Strictness, pretix};

/// Distance from the wanted time to search for free time.
const AROUND: Span = Span::minutes(7 * 24 * 60);

/// Maximum number of resources whose calendars are read all at once; of more, only those in view are read.
pub(crate) const READ_WHOLE_MAX: usize = 150;

/// Reads all resources, and the default currency.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ReadAllResources;

/// All resources, and the default currency.
#[derive(Clone, Debug)]
pub(crate) struct ResourceList {
    pub resources: Vec<Resource>,
    /// Currency of the house.
    pub currency: Currency,
}

impl Question for ReadAllResources {
    type Answer = ResourceList;

    fn ask(&self, snapshot: &mut Snapshot<'_>) -> Result<ResourceList, Failure> {
        Ok(ResourceList {
            resources: ReadResources(ResourceFilter::default()).ask(snapshot)?,
            currency: ReadSettings.ask(snapshot)?.currency,
        })
    }
}

/// Reads a seating plan from a file of this machine, with what is odd in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ReadPlanFile(pub String);

/// Seating plan of a file, or why there is none.
pub(crate) type PlanRead = Result<ImportedPlan, String>;

impl Question for ReadPlanFile {
    type Answer = PlanRead;

    fn ask(&self, _snapshot: &mut Snapshot<'_>) -> Result<PlanRead, Failure> {
        let (path, most) = (Path::new(&self.0), u64::try_from(FILE_BYTES_MAX).unwrap_or(u64::MAX));
        // a device or a pipe might never end
        let bytes = match fs::metadata(path) {
            Ok(found) if found.is_file() && found.len() <= most => fs::read(path).map_err(|error| error.to_string()),
            Ok(_) => Err("it is no file, or too large".to_owned()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Err(format!("There is no file {:?}", self.0)),
            Err(error) => Err(error.to_string()),
        };
        Ok(bytes.and_then(|bytes| pretix::import(&bytes, Strictness::Lenient).map_err(|error| error.to_string())))
    }
}

/// Reads the carts set aside, without reservations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ReadAside(pub ReadOpenCarts);

impl Question for ReadAside {
    type Answer = Vec<CartRow>;

    fn ask(&self, snapshot: &mut Snapshot<'_>) -> Result<Vec<CartRow>, Failure> {
        let mut rows = self.0.ask(snapshot)?;
        rows.retain(|row| row.set_aside && row.reservation.is_none());
        Ok(rows)
    }
}

/// Reads the displaced bookings on the worklist.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ReadDisplacedTime;

impl Question for ReadDisplacedTime {
    type Answer = Vec<WorkView>;

    fn ask(&self, snapshot: &mut Snapshot<'_>) -> Result<Vec<WorkView>, Failure> {
        let mut items = ReadWorklist.ask(snapshot)?;
        items.retain(|view| {
            matches!(&view.item.what, WorkKind::Displaced { loss, .. } if matches!(loss.cells, CellGroup::Time { .. }))
        });
        Ok(items)
    }
}

/// Checks whether slots can be booked, each by itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ReadChecks(pub Vec<ReadCheck>);

impl ReadChecks {
    /// Checks each slot for each resource.
    pub(crate) fn of<'r>(
        slots: impl IntoIterator<Item = Slot>,
        resources: &(impl Iterator<Item = &'r ResourceId> + Clone),
    ) -> Self {
        let check = |wanted| {
            resources.clone().map(move |resource| ReadCheck { resource: resource.clone(), wanted, count: None })
        };
        Self(slots.into_iter().flat_map(check).collect())
    }

    /// Asks for a number of units of each.
    pub(crate) fn count(mut self, of: impl Fn(&ResourceId) -> Option<u32>) -> Self {
        for check in &mut self.0 {
            check.count = of(&check.resource);
        }
        self
    }
}

impl Question for ReadChecks {
    type Answer = Vec<Check>;

    fn ask(&self, snapshot: &mut Snapshot<'_>) -> Result<Vec<Check>, Failure> {
        self.0.iter().map(|check| check.ask(snapshot)).collect()
    }
}

/// Searches free time in place of a taken slot, or of the same slot on all dates of a repeat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ReadElsewhere {
    pub resource: Box<Resource>,
    /// Wanted slot; the first of a repeat.
    pub slot: Slot,
    /// All dates of a repeat; none for a single slot.
    pub dates: Vec<Slot>,
}

impl Question for ReadElsewhere {
    type Answer = Vec<FreeResource>;

    fn ask(&self, snapshot: &mut Snapshot<'_>) -> Result<Vec<FreeResource>, Failure> {
        if !self.dates.is_empty() {
            return self.on_all(snapshot);
        }
        let around = Slot::new(self.slot.from() - AROUND, self.slot.until() + AROUND);
        let to_come = |slot| self.resource.to_come(slot, snapshot.now());
        let Some(window) = around.ok().and_then(to_come) else {
            return Ok(Vec::new());
        };
        ReadFree {
            count: None,
            filter: ResourceFilter { kind: Some(self.resource.kind.clone()), ..ResourceFilter::default() },
            window,
            span: Some(self.slot.span()),
        }
        .ask(snapshot)
    }
}

impl ReadElsewhere {
    /// Resources that are free on all dates, each with its first slot.
    fn on_all(&self, snapshot: &mut Snapshot<'_>) -> Result<Vec<FreeResource>, Failure> {
        let wanted = WantedTime { resources: vec![self.resource.id.clone()], any: None, slots: self.dates.clone() };
        let facts = ReadInstead::Time(wanted).ask(snapshot)?;
        let all = ReadResources(ResourceFilter::default()).ask(snapshot)?;
        let free = |free: Alternative| {
            let at = free.slot()?;
            let resource = all.iter().find(|one| one.name == at.resource)?.clone();
            let slots = vec![Slot::new(at.from, at.until).ok()?];
            Some(FreeResource { resource, slots })
        };
        Ok(facts.into_iter().filter_map(free).collect())
    }
}
