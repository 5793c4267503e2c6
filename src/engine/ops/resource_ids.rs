//! Resource ids, derived from names.

use crate::domain::refusal::{Problem, Refusal, Requirement};
use crate::domain::resource::{Resource, ResourceId};
use crate::engine::work::{Failure, UnitOfWork};

/// Unused id derived from a name, or from the kind if the name has neither letter nor digit; a
/// number is appended if another resource has that id.
pub(super) fn free_id(work: &mut UnitOfWork<'_>, name: &str, kind: &str) -> Result<ResourceId, Failure> {
    let id = ResourceId::of_name(name).or_else(|| ResourceId::of_name(kind));
    let Some(id) = id else {
        return Err(Refusal::bad("name", Problem::Missing(Requirement::Letter)).into());
    };
    match work.find::<Resource>(id.as_str())? {
        None => Ok(id),
        Some(other) if other.name.to_lowercase() == name.to_lowercase() => {
            Err(Refusal::Exists { what: "resource".into(), name: name.to_owned() }.into())
        }
        Some(_) => {
            for number in 2..100 {
                let stem: String = id.as_str().chars().take(36).collect();
                let Ok(other) = format!("{stem}-{number}").parse::<ResourceId>() else {
                    continue;
                };
                if work.find::<Resource>(other.as_str())?.is_none() {
                    return Ok(other);
                }
            }
            Err(Refusal::bad("name", Problem::CommonName).into())
        }
    }
}
