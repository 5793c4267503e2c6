//! Free time.

use serde_json::json;

use crate::cli::answers::slots;
use crate::cli::out::Rendered;
use crate::cli::table::Table;
use crate::domain::time::{Slot, Wall};
use crate::engine::reads::free_time::FreeResource;

/// The wall that slots are told by.
#[derive(Clone, Copy)]
pub(in crate::cli) struct SlotWall {
    pub(in crate::cli) wall: Wall,
    /// Adds the zone's name for people: set where several zones meet, or one was asked for.
    pub(in crate::cli) named: bool,
}

impl SlotWall {
    fn dated(self, slot: &Slot) -> String {
        let when = slot.dated(self.wall);
        if self.named { format!("{when} {}", self.wall.zone) } else { when }
    }
}

/// Resources that are free, each in a local time.
pub(in crate::cli) fn resources(free: &[(FreeResource, SlotWall)]) -> Rendered {
    let one = |(free, at): &(FreeResource, SlotWall)| {
        json!({
            "resource": free.resource.id,
            "name": free.resource.name,
            "kind": free.resource.kind,
            "slots": slots(&free.slots, at.wall.zone),
        })
    };
    let table = Table::of(free)
        .words("RESOURCE", |(free, _)| free.resource.name.clone())
        .words("KIND", |(free, _)| free.resource.kind.clone())
        .words("FREE", |(free, at)| {
            let slots: Vec<String> = free.slots.iter().map(|slot| at.dated(slot)).collect();
            slots.join(", ")
        })
        .words("ID", |(free, _)| free.resource.id.clone());
    let people = "Nothing is free then. Ask for another time, a shorter one, or fewer conditions.";
    Rendered::list(free, one, table.text_or(people))
}

/// Slots in which every requested resource is free.
pub(in crate::cli) fn common(free: &[Slot], at: SlotWall) -> Rendered {
    let table = Table::of(free).words("ALL ARE FREE", |slot| at.dated(slot));
    let none = "There is no time at which all of them are free. Ask for a longer window, or for less.";
    Rendered::new(slots(free, at.wall.zone), table.text_or(none))
}
