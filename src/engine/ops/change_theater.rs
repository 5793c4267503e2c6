//! Changes what was entered of a theater, and retires it. Its plan and its hall have operations of their own.

use chrono_tz::Tz;
use serde::{Deserialize, Serialize};

use crate::domain::ids::TheaterId;
use crate::domain::performance::Theater;
use crate::domain::refusal::{Ahead, ChangeRefusal, Refusal};
use crate::domain::resource::Resource;
use crate::domain::time::Grid;
use crate::engine::ops::changes::{Revised, nothing_ahead, only_one, other};
use crate::engine::ops::halls;
use crate::engine::ops::resources::regrid;
use crate::engine::ops::texts::named;
use crate::engine::work::{Failure, Operation, UnitOfWork};

/// Changes fields of a theater. A hall that has its name is renamed with it. The hall made for it is retired with it, unless
/// something else needs it, and comes back with it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChangeTheater {
    pub theater: TheaterId,
    pub patch: TheaterPatch,
}

/// Fields of a theater; absent ones stay.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct TheaterPatch {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Time zone, while it has no performance.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time_zone: Option<Tz>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retired: Option<bool>,
}

impl Operation for ChangeTheater {
    const VERB: &'static str = "change_theater";
    type Answer = Revised<Theater, TheaterPatch>;

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<Self::Answer, Failure> {
        let before: Theater = work.get(self.theater)?;
        let mut after = before.clone();
        let mut hall: Resource = work.get(&before.hall)?;
        if let Some(name) = &self.patch.name {
            after.name = named("name", name)?;
            only_one(work, "theater", (&after.name, &after.id.to_string()))?;
            if hall.name == before.name {
                only_one(work, "resource", (&after.name, hall.id.as_str()))?;
                hall.name.clone_from(&after.name);
            }
        }
        if let Some(zone) = self.patch.time_zone.filter(|zone| *zone != before.time_zone) {
            let id = after.id.to_string();
            let played = work.query("SELECT key FROM performance WHERE theater = $1 LIMIT 1", &[id.as_str().into()])?;
            if !played.is_empty() {
                let (theater, zone) = (before.name, before.time_zone);
                return Err(Refusal::from(ChangeRefusal::ZoneStays { theater, zone }).into());
            }
            after.time_zone = zone;
            let segment = hall.grid.segment;
            regrid(work, &mut hall, Grid { zone, segment })?;
        }
        if let Some(retired) = self.patch.retired {
            if retired {
                let to_come = halls::to_come(work, &before)?.into_iter();
                let zone = before.time_zone;
                let ahead = to_come.map(|one| Ahead::Performance { title: one.title, start: one.start, zone });
                nothing_ahead("theater", &before.name, ahead.collect())?;
            }
            after.retired = retired;
        }
        work.put(&hall)?;
        work.put(&after)?;
        if after.retired != before.retired {
            halls::follow(work, &after, hall)?;
        }
        let back = TheaterPatch {
            name: other(&after.name, &before.name),
            time_zone: other(&after.time_zone, &before.time_zone),
            retired: other(&after.retired, &before.retired),
        };
        Ok(Revised { before, after, back })
    }
}
