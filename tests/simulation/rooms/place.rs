//! The house of the rooms: engines behind wires that fail, a clock, and the cells.

use std::sync::Arc;

use chrono_tz::Tz;
use willcall::bench::Dice;
use willcall::domain::ids::{CommandId, TheaterId};
use willcall::domain::money::{Currency, Price};
use willcall::domain::resource::{Policy, ResourceId};
use willcall::domain::time::{Grid, Instant, Segment, Slot, Span};
use willcall::engine::clock::ManualClock;
use willcall::engine::ops::AddResource;
use willcall::engine::{Actor, Config, Desk, Engine, Failure, Operation};
use willcall::store::Missing;

use super::cells::{Cells, ROOMS, Stretch};
use super::check;
use crate::coverage::{self, Coverage};
use crate::ground::Ground;
use crate::wire::{Frail, Plan, Trouble};

/// Noon of 21 November 2026.
pub(super) const NOON: Instant = Instant::from_millis(1_795_262_400_000);

/// When the first cell begins: in half a day.
pub(super) const FIRST: Instant = Instant::from_millis(NOON.millis() + 12 * 3_600_000);

/// How many of a hundred commands meet a fault, and at which of their calls at the latest.
const FAULTS: u32 = 25;
const CALLS: u32 = 14;

/// How many of the last commands a failure tells.
const TRAIL: usize = 4;

const TROUBLES: [Trouble; 5] = [
    Trouble::Full,
    Trouble::Contended,
    Trouble::CutBefore,
    Trouble::CutAfter,
    Trouble::Away,
];

struct Machine {
    engine: Engine,
    plan: Arc<Plan>,
}

pub(super) struct Rooms {
    pub(super) dice: Dice,
    pub(super) cells: Cells,
    pub(super) ids: Vec<ResourceId>,
    /// The room whose days are opened.
    pub(super) opened: Option<ResourceId>,
    pub(super) theater: Option<TheaterId>,
    pub(super) met: Coverage,
    /// Whether those who want the same at once are asked in turn.
    pub(super) in_turn: bool,
    pub(super) seed: u64,
    time: Instant,
    clock: Arc<ManualClock>,
    ground: Ground,
    machines: Vec<Machine>,
    /// The commands that were done.
    pub(super) done: Vec<String>,
    trail: Vec<String>,
}

fn open(ground: &Ground, clock: &Arc<ManualClock>) -> Machine {
    let place = ground.place();
    let plan = Plan::new(Trouble::Full, 0);
    let frail = Frail {
        database: place.open(Missing::Create).unwrap(),
        plan: Arc::clone(&plan),
    };
    let config = Config {
        clock: Arc::<ManualClock>::clone(clock),
        ..Config::new(place)
    };
    let engine = Engine::open_on(Arc::new(frail), config).unwrap();
    Machine { engine, plan }
}

pub(super) fn room(name: &str) -> AddResource {
    AddResource {
        name: name.into(),
        kind: "room".into(),
        parent: None,
        grid: Grid {
            zone: Tz::UTC,
            segment: Segment::of_minutes(15).unwrap(),
        },
        policy: Policy::OpenEnded,
        hours: None,
        before: Span::default(),
        after: Span::default(),
        price: Some(Price {
            minor: 500,
            currency: Currency::EUR,
        }),
        properties: std::collections::BTreeMap::default(),
    }
}

impl Rooms {
    pub(super) fn new(seed: u64, ground: Ground) -> Self {
        let clock = Arc::new(ManualClock::at(NOON));
        let machines: Vec<Machine> = (0..2).map(|_| open(&ground, &clock)).collect();
        let mut rooms = Self {
            dice: Dice(seed),
            cells: Cells::new(),
            ids: Vec::new(),
            opened: None,
            theater: None,
            met: Coverage::default(),
            in_turn: false,
            seed,
            time: NOON,
            clock,
            ground,
            machines,
            done: Vec::new(),
            trail: Vec::new(),
        };
        let desk = rooms.desk(0, "ada");
        let ids = (0..ROOMS).map(|number| desk.run(room(&format!("Room {number}"))).unwrap().id);
        rooms.ids = ids.collect();
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

    pub(super) const fn now(&self) -> i64 {
        self.time.millis()
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

    pub(super) fn desk(&self, machine: usize, operator: &str) -> Desk {
        self.machines[machine].engine.desk(Actor {
            operator: operator.into(),
            station: format!("till-{machine}"),
        })
    }

    pub(super) const fn machines(&self) -> usize {
        self.machines.len()
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
        self.trail
            .push(format!("{:?} {operation:?}: {told:?}", self.time));
        answer.map_err(|failure| coverage::word::<()>(&Err(failure)))
    }

    /// Runs a command, which may meet a fault; then it is sent again, from any machine, until it is answered.
    pub(super) fn ask<O>(&mut self, operator: &str, operation: &O) -> Result<O::Answer, String>
    where
        O: Operation + Clone + std::fmt::Debug,
    {
        let id = CommandId::random();
        let machine = self.below(self.machines.len());
        let troubled = self.chance(FAULTS);
        let (trouble, at) = (TROUBLES[self.below(5)], 1 + self.dice.below(CALLS));
        if troubled {
            self.machines[machine].plan.arm(trouble, at);
        }
        let station = format!("till-{machine}");
        let mut answer = self.desk(machine, operator).run_as(id, operation.clone());
        self.machines[machine].plan.switch(false);
        self.note(O::VERB, &answer);
        if let Err(Failure::Fault(_)) = &answer {
            let other = self.below(self.machines.len());
            let desk = self.machines[other].engine.desk(Actor {
                operator: operator.into(),
                station,
            });
            answer = desk.run_as(id, operation.clone());
            self.note(O::VERB, &answer);
        }
        let told = match &answer {
            Ok(_) => "done".to_owned(),
            Err(failure) => format!("{failure:?}"),
        };
        let trouble = if troubled {
            format!("{trouble:?} at {at}")
        } else {
            String::new()
        };
        self.trail.push(format!(
            "{:?} {operator} at {machine} {trouble}: {operation:?}: {told}",
            self.time
        ));
        match answer {
            Ok(answer) => {
                self.done.push(id.to_string());
                Ok(answer)
            }
            Err(Failure::Refused(refusal)) => Err(format!("{refusal:?}")),
            Err(Failure::Fault(fault)) => panic!("not resolved: {fault}"),
        }
    }

    /// An engine stops, and another starts.
    pub(super) fn restart(&mut self) {
        let place = self.below(self.machines.len());
        drop(self.machines.remove(place));
        let machine = open(&self.ground, &self.clock);
        self.machines.insert(place, machine);
        self.trail.push("an engine restarts".into());
    }

    /// A station comes, or goes.
    pub(super) fn come_or_go(&mut self) {
        if self.machines.len() < 3 {
            let machine = open(&self.ground, &self.clock);
            self.machines.push(machine);
        } else {
            self.machines.pop();
        }
        self.trail.push(format!("{} engines", self.machines.len()));
    }

    pub(super) fn pass(&mut self, minutes: i64) {
        self.pass_seconds(60 * minutes);
    }

    pub(super) fn pass_seconds(&mut self, seconds: i64) {
        self.time = self.time + Span::seconds(seconds);
        self.clock.set(self.time);
        self.trail.push(format!("it is {:?}", self.time));
    }
}
