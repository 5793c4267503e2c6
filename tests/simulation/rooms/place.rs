//! The house of the rooms: stations behind wires that fail, and the cells.

use chrono_tz::Tz;
use willcall::bench::Dice;
use willcall::domain::ids::{CommandId, TheaterId};
use willcall::domain::money::{Currency, Price};
use willcall::domain::resource::{Policy, ResourceId};
use willcall::domain::time::{Grid, Instant, Segment, Slot, Span};
use willcall::engine::ops::{AddResource, OpenCart};
use willcall::engine::{Desk, Failure, Operation};

use super::cells::{Cells, Ends, InCart, ROOMS, Stretch};
use super::chairs::Chairs;
use super::check;
use crate::coverage::{self, Coverage};
use crate::ground::Ground;
use crate::stations::{Clocks, NOON, Ran, Stations};
use crate::wire::Trouble;
use crate::world::{Step, ensure};

/// When the first cell begins: in half a day.
pub(super) const FIRST: Instant = Instant::from_millis(NOON.millis() + 12 * 3_600_000);

/// How many of a hundred commands meet a fault, and at which of their calls at the latest.
const FAULTS: u32 = 25;
const CALLS: u32 = 14;

/// How many of the last commands a failure tells.
const TRAIL: usize = 4;

const TROUBLES: [Trouble; 5] =
    [Trouble::Full, Trouble::Contended, Trouble::CutBefore, Trouble::CutAfter, Trouble::Away];

pub(super) struct Rooms {
    pub(super) dice: Dice,
    pub(super) cells: Cells,
    pub(super) ids: Vec<ResourceId>,
    pub(super) chairs: Chairs,
    /// The room whose days are opened.
    pub(super) opened: Option<ResourceId>,
    pub(super) theater: Option<TheaterId>,
    pub(super) met: Coverage,
    /// Whether those who want the same at once are asked in turn.
    pub(super) in_turn: bool,
    pub(super) seed: u64,
    pub(super) stations: Stations,
    /// The commands that were done.
    pub(super) done: Vec<String>,
    trail: Vec<String>,
}

pub(super) fn room(name: &str) -> AddResource {
    AddResource {
        name: name.into(),
        kind: "room".into(),
        parent: None,
        grid: Grid { zone: Tz::UTC, segment: Segment::of_minutes(15).unwrap() },
        policy: Policy::OpenEnded,
        hours: None,
        before: Span::default(),
        after: Span::default(),
        price: Some(Price { minor: 500, currency: Currency::EUR }),
        prices: None,
        count: None,
        properties: std::collections::BTreeMap::default(),
    }
}

impl Rooms {
    pub(super) fn new(seed: u64, clocks: Clocks, ground: Ground) -> Self {
        let mut rooms = Self {
            dice: Dice(seed),
            cells: Cells::new(),
            ids: Vec::new(),
            chairs: Chairs::default(),
            opened: None,
            theater: None,
            met: Coverage::default(),
            in_turn: false,
            seed,
            stations: Stations::new(ground, Clocks::Forward),
            done: Vec::new(),
            trail: Vec::new(),
        };
        for place in 0..2 {
            rooms.start(place).unwrap();
        }
        rooms.stations.clocks = clocks;
        let desk = rooms.desk(0, "ada");
        let ids = (0..ROOMS).map(|number| desk.run(room(&format!("Room {number}"))).unwrap().id);
        rooms.ids = ids.collect();
        rooms.chairs = Chairs::new(&desk);
        rooms.open_shows(&desk);
        rooms
    }

    pub(super) fn last_acts(&self) -> String {
        let skipped = self.trail.len().saturating_sub(TRAIL);
        self.trail[skipped..].join("\n")
    }

    /// The journal, its ids in the order in which they appear.
    pub(super) fn journal(&self) -> Vec<String> {
        check::renamed(&check::journal(&self.desk(0, "ada")))
    }

    /// The right time.
    pub(super) const fn now(&self) -> i64 {
        self.stations.now().millis()
    }

    pub(super) fn below(&mut self, end: usize) -> usize {
        let number = self.dice.below(u32::try_from(end).unwrap());
        usize::try_from(number).unwrap()
    }

    pub(super) fn chance(&mut self, percent: u32) -> bool {
        self.dice.below(100) < percent
    }

    pub(super) fn operator(&mut self) -> &'static str {
        ["ada", "ben"][self.below(2)]
    }

    pub(super) fn desk(&self, place: usize, operator: &str) -> Desk {
        self.stations.desk(place, operator, &till(place))
    }

    pub(super) fn some_desk(&mut self, operator: &str) -> Desk {
        let place = self.below(self.stations.count());
        self.desk(place, operator)
    }

    pub(super) fn slot(stretch: Stretch) -> Slot {
        let at = |cell: usize| FIRST + Span::minutes(15 * i64::try_from(cell).unwrap());
        Slot::new(at(stretch.from), at(stretch.from + stretch.count)).unwrap()
    }

    pub(super) fn note<A>(&mut self, verb: &'static str, answer: &Result<A, Failure>) {
        self.met.meet(verb, coverage::word(answer));
    }

    /// How many commands were answered so far.
    pub(super) fn commands(&self) -> u64 {
        self.met.commands()
    }

    /// Runs a command that may write nothing.
    pub(super) fn tell<O>(&mut self, operation: &O) -> Result<O::Answer, String>
    where
        O: Operation + Clone + std::fmt::Debug,
    {
        // a station that is on has to go off again
        let answer = self.desk(0, "ada").run(operation.clone());
        self.note(O::VERB, &answer);
        let told = answer.as_ref().err();
        self.trail.push(format!("{:?} {operation:?}: {told:?}", self.now()));
        answer.map_err(|failure| coverage::word::<()>(&Err(failure)))
    }

    /// Runs a command, which may meet a fault; then it is sent again, from any station, until it is answered.
    pub(super) fn ask<O>(&mut self, operator: &str, operation: &O) -> Ran<O::Answer>
    where
        O: Operation + Clone + std::fmt::Debug,
    {
        let id = CommandId::random();
        let place = self.below(self.stations.count());
        let troubled = self.chance(FAULTS);
        let (trouble, at) = (TROUBLES[self.below(5)], 1 + self.dice.below(CALLS));
        if troubled {
            self.stations.plan(place).arm(trouble, at);
        }
        let mut desk = self.desk(place, operator);
        let mut times = vec![desk.now()];
        let mut answer = desk.run_as(id, operation.clone());
        self.stations.plan(place).switch(false);
        self.note(O::VERB, &answer);
        if let Err(Failure::Fault(_)) = &answer {
            let other = self.below(self.stations.count());
            desk = self.stations.desk(other, operator, &till(place));
            times.push(desk.now());
            answer = desk.run_as(id, operation.clone());
            self.note(O::VERB, &answer);
        }
        let trouble = if troubled { format!("{trouble:?} at {at}") } else { String::new() };
        let ran = self.stations.ran(answer, &desk, (id, &times));
        let told = match &ran.answer {
            Ok(_) => "done".to_owned(),
            Err(failure) => format!("{failure:?}"),
        };
        self.trail.push(format!("{:?} {operator} at {place} {trouble}: {operation:?}: {told}", ran.at));
        match &ran.answer {
            Ok(_) => self.done.push(id.to_string()),
            Err(Failure::Refused(_)) => {}
            Err(Failure::Fault(fault)) => panic!("not resolved: {fault}"),
        }
        ran
    }

    /// An engine stops, and another starts.
    pub(super) fn restart(&mut self) -> Step {
        let place = self.below(self.stations.count());
        self.stations.stop(place);
        self.start(place)
    }

    /// An engine starts, and opens a cart.
    fn start(&mut self, place: usize) -> Step {
        let skew_millis = self.stations.start(place, &mut self.dice);
        self.trail.push(format!("engine {place} starts, {skew_millis} ms ahead"));
        let desk = self.desk(place, "ada");
        self.stations.admit(&desk, &mut self.met)?;
        let cart = desk.run(OpenCart::default()).map_err(|failure| format!("the first command: {failure:?}"))?;
        let ends = Ends::At(cart.expires_at.millis());
        ensure(desk.now() < cart.expires_at, || format!("{cart:?}"))?;
        self.cells.carts.push(InCart::new(cart.id, ends));
        Ok(())
    }

    /// A station comes, or goes.
    pub(super) fn come_or_go(&mut self) -> Step {
        let last = self.stations.count() - 1;
        if last < 2 {
            return self.start(last + 1);
        }
        self.stations.stop(last);
        Ok(())
    }

    /// Time passes, or is set back.
    pub(super) fn pass(&mut self, minutes: i64) {
        if self.stations.clocks == Clocks::AlsoBack && self.chance(30) {
            self.pass_seconds(-60 * minutes);
        } else {
            self.pass_seconds(60 * minutes);
        }
    }

    pub(super) fn pass_seconds(&mut self, seconds: i64) {
        self.stations.pass(Span::seconds(seconds));
        self.trail.push(format!("it is {:?}", self.stations.now()));
    }
}

/// The name of a station.
fn till(place: usize) -> String {
    format!("till-{place}")
}
