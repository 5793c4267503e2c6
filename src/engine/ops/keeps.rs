//! Seats kept by the house until a time.

use serde::{Deserialize, Serialize};

use crate::domain::availability::Act;
use crate::domain::house::Keep;
use crate::domain::ids::{KeepId, PerformanceId};
use crate::domain::job::JobKind;
use crate::domain::owner::Owner;
use crate::domain::plan::SeatRef;
use crate::domain::private;
use crate::domain::refusal::Refusal;
use crate::domain::time::Instant;
use crate::engine::ops::claims;
use crate::engine::ops::texts::reasoned;
use crate::engine::work::{Failure, UnitOfWork};

/// Reason and end of a keep.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeepTerms {
    /// Reason or person.
    #[serde(with = "private")]
    pub reason: String,
    /// Time the seats become free.
    pub until: Instant,
}

/// Claims free seats for the house.
pub(super) fn keep(
    work: &mut UnitOfWork<'_>,
    (performance, seats): (PerformanceId, Vec<SeatRef>),
    terms: &KeepTerms,
) -> Result<Keep, Failure> {
    if terms.until <= work.now() {
        return Err(Refusal::InThePast { at: terms.until }.into());
    }
    let id = KeepId::random();
    let act = Act::Book { until: Some(terms.until) };
    claims::act(work, (performance, &seats), (&Owner::Keep(id), act))?;
    let keep = Keep {
        id,
        performance,
        live: seats,
        reason: reasoned(&terms.reason)?,
        operator: work.actor().operator.clone(),
        until: terms.until,
    };
    work.put_job(JobKind::KeepRelease, keep.id, keep.until)?;
    work.create(&keep)?;
    Ok(keep)
}
