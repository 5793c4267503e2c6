//! What is free.

use chrono_tz::Tz;
use serde::Serialize;

use crate::cli::out::Answer;
use crate::cli::table::{Table, words};
use crate::domain::time::Slot;
use crate::engine::reads::free_time::FreeResource;

/// A free slot.
#[derive(Serialize)]
pub(in crate::cli) struct SlotAnswer {
    from: String,
    until: String,
    #[serde(skip)]
    when: String,
}

/// The local time in which slots are told.
#[derive(Clone, Copy)]
pub(in crate::cli) struct SlotZone {
    pub(in crate::cli) zone: Tz,
    /// Whether people are told its name: where several meet, or one was asked for.
    pub(in crate::cli) named: bool,
}

impl SlotAnswer {
    pub(in crate::cli) fn new(slot: Slot, SlotZone { zone, named }: SlotZone) -> Self {
        let when = slot.dated(zone);
        Self {
            from: slot.from().rfc3339(zone),
            until: slot.until().rfc3339(zone),
            when: if named {
                format!("{when} {zone}")
            } else {
                when
            },
        }
    }
}

/// A resource that is free.
#[derive(Serialize)]
pub(in crate::cli) struct FreeAnswer {
    resource: String,
    name: String,
    kind: String,
    slots: Vec<SlotAnswer>,
}

impl FreeAnswer {
    pub(in crate::cli) fn new(free: &FreeResource, zone: SlotZone) -> Self {
        Self {
            resource: free.resource.id.to_string(),
            name: free.resource.name.clone(),
            kind: free.resource.kind.clone(),
            slots: free
                .slots
                .iter()
                .map(|slot| SlotAnswer::new(*slot, zone))
                .collect(),
        }
    }
}

/// Resources that are free.
#[derive(Serialize)]
#[serde(transparent)]
pub(in crate::cli) struct FreeList(pub(in crate::cli) Vec<FreeAnswer>);

impl Answer for FreeList {
    fn people(&self) -> String {
        let mut table = Table::new([words("RESOURCE"), words("KIND"), words("FREE"), words("ID")]);
        for free in &self.0 {
            let slots: Vec<&str> = free.slots.iter().map(|slot| slot.when.as_str()).collect();
            table.row([
                free.name.clone(),
                free.kind.clone(),
                slots.join(", "),
                free.resource.clone(),
            ]);
        }
        table.text_or(
            "Nothing is free then. Ask for another time, a shorter one, or fewer conditions.",
        )
    }
}

/// Slots in which all that was asked for is free.
#[derive(Serialize)]
#[serde(transparent)]
pub(in crate::cli) struct SlotList(pub(in crate::cli) Vec<SlotAnswer>);

impl Answer for SlotList {
    fn people(&self) -> String {
        let mut table = Table::new([words("ALL ARE FREE")]);
        for slot in &self.0 {
            table.row([slot.when.clone()]);
        }
        table.text_or(
            "There is no time at which all of them are free. Ask for a longer window, or for less.",
        )
    }
}
