//! Opens and corrects the nights of a list, all or none.

use std::collections::HashMap;
use std::collections::btree_map::{BTreeMap, Entry};
use std::sync::Arc;

use chrono_tz::Tz;
use serde::{Deserialize, Serialize};

use crate::domain::house::Settings;
use crate::domain::ids::{PerformanceId, TheaterId};
use crate::domain::money::Currency;
use crate::domain::performance::{Performance, PerformanceState, Theater, TicketPrice};
use crate::domain::refusal::{
    ChangeRefusal, Limit, NightRefusal, Problem, Refusal, SeasonRefusal, WrongLine, WrongWhy,
};
use crate::domain::season::{NIGHTS_MAX, SeasonLine};
use crate::domain::text::clean;
use crate::domain::time::Instant;
use crate::domain::time::typed::{whole, whole_end};
use crate::domain::typed;
use crate::engine::ops::add_performance::{AddPerformance, NamedPrice};
use crate::engine::ops::change_performance::{ChangePerformance, PerformancePatch};
use crate::engine::ops::price_lists::{self, known};
use crate::engine::ops::pricing::each_once;
use crate::engine::ops::texts::named;
use crate::engine::plans::SeatingPlan;
use crate::engine::work::{Failure, Operation, UnitOfWork};

/// Opens the nights of a list that the house does not have, and corrects those that differ, as [`ChangePerformance`]
/// does: all or none. A refusal names every wrong line.
///
/// A night is known by its theater and start, or by an id. One that was canceled or moved since is left alone, and a
/// night that the list does not have is too, so that a list changes nothing the second time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ImportSeason {
    pub lines: Vec<SeasonLine>,
}

/// Result of an import.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeasonImported {
    /// In the order of the list.
    pub nights: Vec<NightImported>,
}

/// Night of a line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NightImported {
    pub line: u64,
    pub performance: PerformanceId,
    pub done: NightDone,
}

/// Result for a night.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, strum::IntoStaticStr)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum NightDone {
    New,
    /// Corrected; the patch undoes it.
    Changed(Box<PerformancePatch>),
    Same,
    /// Left alone: canceled since.
    Canceled,
    /// Left alone: moved to another start since.
    Postponed,
}

/// Column and reason why a line is wrong.
type Wrong = (&'static str, WrongWhy);

/// Line that can be done.
struct Night {
    line: u64,
    zone: Tz,
    act: Act,
}

enum Act {
    Leave(PerformanceId, NightDone),
    Open(Box<AddPerformance>, Vec<(String, u32)>),
    Change(PerformanceId, Box<PerformancePatch>),
}

/// Theaters of the house, and what is known of their nights.
struct Known {
    theaters: Vec<Theater>,
    settings: Arc<Settings>,
    /// Nights by theater.
    nights: BTreeMap<TheaterId, Vec<Performance>>,
    /// Lines by the place or id of their night.
    seen: HashMap<String, u64>,
}

/// Line with its place, and the night of the house that it means.
struct Placed<'l> {
    line: &'l SeasonLine,
    theater: Theater,
    start: Instant,
    end: Instant,
    night: Option<Performance>,
}

impl Operation for ImportSeason {
    const VERB: &'static str = "import_season";
    type Answer = SeasonImported;

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<SeasonImported, Failure> {
        if self.lines.is_empty() {
            return Err(Refusal::NothingChosen.into());
        }
        if self.lines.len() > NIGHTS_MAX {
            return Err(Refusal::bad("lines", Problem::AtMost(NIGHTS_MAX, Limit::Nights)).into());
        }
        let mut known = Known::load(work)?;
        let (mut nights, mut wrong) = (Vec::new(), Vec::new());
        for line in &self.lines {
            let zone = known.theater(&line.theater).ok().map(|theater| theater.time_zone);
            match known.act(work, line)? {
                Ok(act) => nights.push(Night { line: line.number, zone: zone.unwrap_or(Tz::UTC), act }),
                Err((column, why)) => {
                    wrong.push(WrongLine { line: line.number, column: column.to_owned(), why, zone });
                }
            }
        }
        let done = all_or_some(work, &nights, &mut wrong)?;
        if wrong.is_empty() {
            return Ok(SeasonImported { nights: done });
        }
        wrong.sort_by_key(|one| one.line);
        Err(Refusal::from(SeasonRefusal::SeasonWrong { lines: wrong }).into())
    }
}

/// Does the nights that can be done, and adds the others to the wrong lines. One attempt for many is much cheaper than
/// one for each; those in which something is wrong are parted until it stands alone.
fn all_or_some(
    work: &mut UnitOfWork<'_>,
    nights: &[Night],
    wrong: &mut Vec<WrongLine>,
) -> Result<Vec<NightImported>, Failure> {
    let all = |work: &mut UnitOfWork<'_>| nights.iter().map(|night| night.done(work)).collect::<Result<_, _>>();
    match (work.attempt(all)?, nights) {
        (Ok(done), _) => Ok(done),
        (Err(refusal), [night]) => {
            wrong.push(night.refused(refusal));
            Ok(Vec::new())
        }
        (Err(_), several) => {
            let (first, rest) = several.split_at(several.len() / 2);
            let mut done = all_or_some(work, first, wrong)?;
            done.extend(all_or_some(work, rest, wrong)?);
            Ok(done)
        }
    }
}

impl Known {
    fn load(work: &mut UnitOfWork<'_>) -> Result<Self, Failure> {
        let mut theaters: Vec<Theater> = work.select("ORDER BY name, key", &[])?;
        theaters.retain(|theater| !theater.retired);
        let settings = work.settings()?;
        Ok(Self { theaters, settings, nights: BTreeMap::new(), seen: HashMap::new() })
    }

    /// Theater of a name, or the only one.
    fn theater(&self, name: &str) -> Result<&Theater, Refusal> {
        let is_named = |theater: &&Theater| theater.name.to_lowercase() == name.to_lowercase();
        let found = match self.theaters.as_slice() {
            [only] if name.is_empty() => Some(only),
            all => all.iter().find(is_named),
        };
        found.ok_or_else(|| Refusal::none_of("theater", name, self.theaters.iter().map(|theater| &theater.name)))
    }

    /// The act that makes the house as a line says.
    fn act(&mut self, work: &mut UnitOfWork<'_>, line: &SeasonLine) -> Result<Result<Act, Wrong>, Failure> {
        let mut placed = match self.placed(line) {
            Ok(placed) => placed,
            Err(wrong) => return Ok(Err(wrong)),
        };
        placed.night = self.night(work, &placed)?;
        if let Err(wrong) = self.once(&placed) {
            return Ok(Err(wrong));
        }
        if let Some((night, done)) = placed.night.as_ref().zip(placed.left()) {
            return Ok(Ok(Act::Leave(night.id, done)));
        }
        let seating = work.seating(placed.night.as_ref().map_or(placed.theater.plan, |night| night.plan))?;
        Ok(placed.act(&seating, &self.settings))
    }

    /// Theater and time of a line.
    fn placed<'l>(&self, line: &'l SeasonLine) -> Result<Placed<'l>, Wrong> {
        if let Some(problem) = &line.problem {
            return Err(("", WrongWhy::Unread(problem.clone())));
        }
        let theater = self.theater(&line.theater).map_err(|no| refused("theater", no))?.clone();
        let start = whole(&line.start, theater.time_zone);
        let start = start.map_err(|error| refused("start", Refusal::unread("start", &error)))?;
        let end = whole_end(&line.end, start, theater.time_zone);
        let end = end.map_err(|error| refused("end", Refusal::unread("end", &error)))?;
        Ok(Placed { line, theater, start, end, night: None })
    }

    /// Night of the house that a line means: that of its id, or of its theater and start. One that was canceled or moved
    /// is known by its title too, for another may have its place now.
    fn night(&mut self, work: &mut UnitOfWork<'_>, placed: &Placed<'_>) -> Result<Option<Performance>, Failure> {
        let id = placed.line.id.as_deref().and_then(|id| id.parse::<PerformanceId>().ok());
        let by_id = id.map(|id| work.find(&id.to_string())).transpose()?.flatten();
        if by_id.is_some() {
            return Ok(by_id);
        }
        let (theater, start) = (placed.theater.id, placed.start);
        if let Entry::Vacant(vacant) = self.nights.entry(theater) {
            // a night that moved may start long before
            let all = "WHERE theater = $1 ORDER BY start_at, key";
            vacant.insert(work.select(all, &[theater.to_string().into()])?);
        }
        let nights = self.nights.get(&theater).map_or(&[][..], Vec::as_slice);
        let title = clean(&placed.line.title);
        let is_open = |one: &&Performance| one.state == PerformanceState::Open && one.start == start;
        let was = |one: &&Performance| {
            one.title == title
                && one.state != PerformanceState::Retired
                && (one.start == start || moved_from(one, start))
        };
        Ok(nights.iter().find(is_open).or_else(|| nights.iter().find(was)).cloned())
    }

    /// Refuses a night that another line has, and one of another theater.
    fn once(&mut self, placed: &Placed<'_>) -> Result<(), Wrong> {
        let (theater, line) = (placed.theater.id, placed.line.number);
        let place = format!("{theater} {}", placed.start.millis());
        let id = placed.night.as_ref().map(|night| night.id.to_string());
        for name in std::iter::once(place).chain(id) {
            if let Some(other) = self.seen.insert(name, line).filter(|other| *other != line) {
                return Err(("start", WrongWhy::SameAs(other)));
            }
        }
        let elsewhere = placed.night.as_ref().filter(|night| night.theater != theater);
        elsewhere.map_or(Ok(()), |night| {
            let its = self.theaters.iter().find(|one| one.id == night.theater);
            Err(("theater", WrongWhy::StaysIn(its.map_or_else(String::new, |one| one.name.clone()))))
        })
    }
}

fn moved_from(night: &Performance, start: Instant) -> bool {
    night.start != start && night.postponed.iter().any(|moved| moved.from == start)
}

fn refused(column: &'static str, refusal: Refusal) -> Wrong {
    (column, WrongWhy::Refused(Box::new(refusal)))
}

impl Placed<'_> {
    /// Reason why its night is left alone.
    fn left(&self) -> Option<NightDone> {
        let night = self.night.as_ref()?;
        match night.state {
            PerformanceState::Canceled => Some(NightDone::Canceled),
            PerformanceState::Open | PerformanceState::Retired => {
                moved_from(night, self.start).then_some(NightDone::Postponed)
            }
        }
    }

    /// Opens the night, or makes the one that there is as the line says.
    fn act(&self, seating: &SeatingPlan, settings: &Settings) -> Result<Act, Wrong> {
        let line = self.line;
        let title = named("title", &line.title).map_err(|no| refused("title", no))?;
        let said = line.currency.as_deref().filter(|text| !text.trim().is_empty());
        let said = said.map(typed::currency).transpose().map_err(|no| refused("currency", no))?;
        let currency = said.or(self.night.as_ref().map(|night| night.currency)).unwrap_or(settings.currency);
        let list = line.list.as_deref().map(str::trim).filter(|list| !list.is_empty());
        let list = list.map(|list| known(settings, list)).transpose().map_err(|no| refused("list", no))?;
        let (named, prices) = prices(&line.price, currency, seating).map_err(|no| refused("price", no))?;
        if list.is_none() || !prices.is_empty() {
            each_once(&prices).map_err(|no| refused("price", no))?;
        }
        let areas = line.capacity.iter().flat_map(|text| text.split([';', ','])).filter(|area| !area.trim().is_empty());
        let capacity = areas.map(|area| typed::places("capacity", area)).collect::<Result<Vec<_>, _>>();
        let capacity = capacity.map_err(|no| refused("capacity", no))?;
        let description = line.description.as_deref().map(clean);
        let Some(night) = &self.night else {
            let description = description.unwrap_or_default();
            let list = list.map(|(name, _)| name.to_owned());
            let open = AddPerformance::new(self.theater.id, &title, (self.start, self.end), named);
            return Ok(Act::Open(Box::new(AddPerformance { description, currency: said, list, ..open }), capacity));
        };
        let state = if night.state == PerformanceState::Retired { PerformanceState::Open } else { night.state };
        let mut wanted = Performance {
            title,
            description: description.unwrap_or_else(|| night.description.clone()),
            start: self.start,
            end: self.end,
            currency,
            prices,
            state,
            ..night.clone()
        };
        if let Some(list) = list {
            let is_priced = night.price_list() == Some(list.0)
                && night.own_prices().eq(&wanted.prices)
                && (night.start, night.currency) == (wanted.start, wanted.currency);
            if is_priced {
                wanted.prices.clone_from(&night.prices);
            } else {
                let filled = price_lists::add(list, (&mut wanted, &self.theater), &seating.plan);
                filled.map_err(|no| refused("list", no))?;
            }
        }
        let capacity = capacity.into_iter().filter(|area| !has_places(night, seating, area)).collect();
        let mut patch = PerformancePatch { capacity, ..PerformancePatch::between(night, &wanted, &seating.plan) };
        // an empty cell takes the night off its list: what the line names is its own price, also where that is the same
        if line.list.is_some() && list.is_none() && night.price_list().is_some() {
            patch.prices = wanted.prices.iter().map(|price| NamedPrice::of(price, &seating.plan)).collect();
        }
        Ok(if patch == PerformancePatch::default() {
            Act::Leave(night.id, NightDone::Same)
        } else {
            Act::Change(night.id, Box::new(patch))
        })
    }
}

/// Prices of a line, as they are named and as the plan has them.
fn prices(
    text: &str,
    currency: Currency,
    seating: &SeatingPlan,
) -> Result<(Vec<NamedPrice>, Vec<TicketPrice>), Refusal> {
    let named = NamedPrice::list(text, currency, &seating.plan)?;
    let prices = named.iter().map(|price| price.on(seating)).collect::<Result<Vec<_>, _>>()?;
    Ok((named, prices))
}

/// Returns whether standing room of a night has a number of places.
fn has_places(night: &Performance, seating: &SeatingPlan, (name, places): &(String, u32)) -> bool {
    seating.plan.area(name).is_some_and(|area| {
        let own = night.capacity.iter().find(|one| one.area == *area.name);
        own.map_or(area.places, |own| own.places) == *places
    })
}

impl Night {
    fn done(&self, work: &mut UnitOfWork<'_>) -> Result<NightImported, Failure> {
        let (performance, done) = match &self.act {
            Act::Leave(performance, done) => (*performance, done.clone()),
            Act::Open(add, capacity) => {
                let performance = add.run(work)?.performance.id;
                if !capacity.is_empty() {
                    let patch = PerformancePatch { capacity: capacity.clone(), ..PerformancePatch::default() };
                    ChangePerformance { performance, patch }.run(work)?;
                }
                (performance, NightDone::New)
            }
            Act::Change(performance, patch) => {
                let patch = PerformancePatch::clone(patch);
                let changed = ChangePerformance { performance: *performance, patch }.run(work)?;
                (*performance, NightDone::Changed(Box::new(changed.back)))
            }
        };
        Ok(NightImported { line: self.line, performance, done })
    }

    /// The line as one that is wrong: at the column that the refusal is about.
    fn refused(&self, refusal: Refusal) -> WrongLine {
        let column = if let Refusal::BadValue { field, .. } = &refusal {
            field
        } else if let Refusal::EndsBeforeStart = refusal {
            "end"
        } else if let Refusal::Change(ChangeRefusal::CurrencyStays { .. }) = refusal {
            "currency"
        } else if let Refusal::Price(_) = refusal {
            "list"
        } else if let Refusal::Change(ChangeRefusal::TypeStays { .. }) = refusal {
            "price"
        } else if let Refusal::NotFound { .. } | Refusal::Night(NightRefusal::CapacityTaken { .. }) = refusal {
            "capacity"
        } else {
            "start"
        };
        let (line, column, zone) = (self.line, column.to_owned(), Some(self.zone));
        WrongLine { line, column, why: WrongWhy::Refused(Box::new(refusal)), zone }
    }
}
