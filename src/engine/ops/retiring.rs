//! Retirement of resources, and their way back.

use crate::domain::availability::Grip;
use crate::domain::job::JobKind;
use crate::domain::performance::Theater;
use crate::domain::refusal::Ahead;
use crate::domain::resource::Resource;
use crate::engine::ops::changes::nothing_ahead;
use crate::engine::ops::claims;
use crate::engine::ops::resources::{join, keep_open};
use crate::engine::ops::taking::claims_from;
use crate::engine::work::{Failure, UnitOfWork};

/// Retires a resource that nothing needs from now on, and takes it out of its parent.
pub(super) fn retire(work: &mut UnitOfWork<'_>, resource: &mut Resource) -> Result<(), Failure> {
    let mut ahead = Vec::new();
    for part in &resource.children {
        ahead.push(Ahead::Part(work.get::<Resource>(part)?.name));
    }
    let theaters: Vec<Theater> = work.select("ORDER BY key", &[])?;
    let is_hall = |theater: &&Theater| theater.hall == resource.id && !theater.retired;
    ahead.extend(theaters.iter().filter(is_hall).map(|theater| Ahead::HallOf(theater.name.clone())));
    let settings = work.settings()?;
    let followed = settings.followed.iter().filter(|(_, one)| one.resource == resource.id);
    ahead.extend(followed.map(|(calendar, _)| Ahead::Followed(calendar.clone())));
    let (now, late_at) = (work.now(), work.late_at());
    let mut claims = claims_from(work, resource, now)?;
    claims.retain(|(_, claim)| claim.grip != Grip::Disabled && !claim.is_late(late_at));
    let facts = claims::told(work, (None, std::slice::from_ref(resource)), &claims)?;
    ahead.extend(facts.into_iter().map(Ahead::Taken));
    nothing_ahead("resource", &resource.name, ahead)?;
    if let Some(parent) = &resource.parent {
        let mut parent: Resource = work.get(parent)?;
        parent.children.retain(|part| *part != resource.id);
        work.put(&parent)?;
    }
    work.end_job(JobKind::Horizon, &resource.id);
    resource.retired = true;
    Ok(())
}

/// Brings a retired resource back, into its parent too.
pub(super) fn bring_back(work: &mut UnitOfWork<'_>, resource: &mut Resource) -> Result<(), Failure> {
    resource.retired = false;
    if let Some(parent) = resource.parent.clone() {
        let own = resource.marks.iter().filter(|mark| mark.of == resource.id).cloned().collect::<Vec<_>>();
        join(work, resource, &parent)?;
        resource.marks.extend(own);
    }
    work.put(&*resource)?;
    keep_open(work, resource)?;
    *resource = work.get(&resource.id)?;
    Ok(())
}
