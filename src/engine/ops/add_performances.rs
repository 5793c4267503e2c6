//! Adds many performances in one act: the dates of a repeat, or copies of one at other starts.

use serde::{Deserialize, Serialize};

use crate::domain::house::Keep;
use crate::domain::ids::{PerformanceId, TheaterId};
use crate::domain::performance::{Performance, Theater};
use crate::domain::refusal::{Limit, Problem, Refusal};
use crate::domain::time::{Instant, Slot};
use crate::engine::ops::booking::Past;
use crate::engine::ops::keeps::{self, KeepTerms};
use crate::engine::ops::seats;
use crate::engine::ops::{AddPerformance, NamedPrice, Opened};
use crate::engine::work::{Failure, Operation, UnitOfWork};

/// Most performances of one act.
const NIGHTS_MAX: usize = 400;

/// Opens a performance, and others like it at other times, all or none. Closed days of the house are left out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AddPerformances {
    pub first: AddPerformance,
    pub others: Vec<Slot>,
}

/// Opens performances like another at other starts, all or none: with its title, description, length, prices, and the
/// seats that the house keeps there, until as long before the start. Closed days of the house are left out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CopyPerformance {
    pub performance: PerformanceId,
    pub starts: Vec<Instant>,
}

/// Opened performances.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Nights {
    /// In the order of their dates.
    pub opened: Vec<Opened>,
    /// Dates left out because the house is closed.
    pub closed: Vec<Slot>,
}

impl Operation for AddPerformances {
    const VERB: &'static str = "add_performances";
    type Answer = Nights;

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<Nights, Failure> {
        let first = Slot::new(self.first.start, self.first.end).map_err(|_| Refusal::EndsBeforeStart)?;
        if self.others.len() >= NIGHTS_MAX {
            return Err(Refusal::bad("repeat", Problem::AtMost(NIGHTS_MAX, Limit::Repeats)).into());
        }
        let slots = std::iter::once(first).chain(self.others.iter().copied());
        let (closed, open) = parted(work, self.first.theater, slots)?;
        let each =
            open.into_iter().map(|slot| AddPerformance { start: slot.from(), end: slot.until(), ..self.first.clone() });
        let opened = all_or_none(work, each)?;
        Ok(Nights { opened, closed })
    }
}

impl Operation for CopyPerformance {
    const VERB: &'static str = "copy_performance";
    type Answer = Nights;

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<Nights, Failure> {
        if self.starts.len() > NIGHTS_MAX {
            return Err(Refusal::bad("start", Problem::AtMost(NIGHTS_MAX, Limit::Repeats)).into());
        }
        let model: Performance = work.get(self.performance)?;
        let seating = work.seating(model.plan)?;
        let prices: Vec<NamedPrice> = model.prices.iter().map(|price| NamedPrice::of(price, &seating.plan)).collect();
        let slots = self.starts.iter().map(|start| Slot::new(*start, model.end.moved(model.start, *start)));
        let slots: Vec<Slot> = slots.collect::<Result<_, _>>().map_err(|_| Refusal::EndsBeforeStart)?;
        let (closed, open) = parted(work, model.theater, slots.into_iter())?;
        let each = open.into_iter().map(|slot| AddPerformance {
            theater: model.theater,
            title: model.title.clone(),
            description: model.description.clone(),
            start: slot.from(),
            end: slot.until(),
            currency: Some(model.currency),
            prices: prices.clone(),
            list: None,
            past: Past::Refuse,
        });
        let opened = all_or_none(work, each)?;
        let kept = "WHERE performance = $1 AND live > 0 ORDER BY key";
        let kept: Vec<Keep> = work.select(kept, &[model.id.to_string().into()])?;
        for Opened { performance, .. } in &opened {
            for keep in &kept {
                keep_again(work, keep, (&model, performance))?;
            }
        }
        Ok(Nights { opened, closed })
    }
}

/// Slots on days on which the house is closed, and the others; refused when none is left.
fn parted(
    work: &mut UnitOfWork<'_>,
    theater: TheaterId,
    slots: impl Iterator<Item = Slot>,
) -> Result<(Vec<Slot>, Vec<Slot>), Failure> {
    let theater: Theater = work.get(theater)?;
    let settings = work.settings()?;
    let days = &settings.closed_days;
    let (closed, open): (Vec<Slot>, Vec<Slot>) = slots.partition(|slot| days.contains(&theater.day_of(slot.from())));
    match closed.first() {
        Some(first) if open.is_empty() => Err(Refusal::HouseClosed { day: theater.day_of(first.from()) }.into()),
        _ => Ok((closed, open)),
    }
}

/// Opens each performance. A refusal names all dates on which the hall is taken.
fn all_or_none(work: &mut UnitOfWork<'_>, each: impl Iterator<Item = AddPerformance>) -> Result<Vec<Opened>, Failure> {
    let (mut opened, mut refused) = (Vec::new(), None);
    for add in each {
        match work.attempt(|work| add.run(work))? {
            Ok(one) => opened.push(one),
            Err(refusal @ Refusal::Taken { .. }) => refused = Some(Refusal::join(refused, refusal)),
            Err(refusal) => return Err(refusal.into()),
        }
    }
    match refused {
        Some(refusal) => Err(refusal.into()),
        None if opened.is_empty() => Err(Refusal::NothingChosen.into()),
        None => Ok(opened),
    }
}

/// Keeps the seats of a keep in a copy too; not those that would be free by now.
fn keep_again(
    work: &mut UnitOfWork<'_>,
    keep: &Keep,
    (model, copy): (&Performance, &Performance),
) -> Result<(), Failure> {
    let until = keep.until.moved(model.start, copy.start);
    if until <= work.now() {
        return Ok(());
    }
    let names = work.seating(model.plan)?.wishes(&keep.live);
    let seating = work.seating(copy.plan)?;
    let seats = seats::named(work, (&seating, copy.id), &names, seats::FREE)?;
    let terms = KeepTerms { reason: keep.reason.clone(), until };
    keeps::keep(work, (copy.id, seats), &terms)?;
    Ok(())
}
