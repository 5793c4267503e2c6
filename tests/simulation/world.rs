//! The house that the clerks work in: engines, a clock, the model, and what was done so far.

use std::collections::{BTreeMap, BTreeSet};

use chrono_tz::Tz;
use willcall::bench::Dice;
use willcall::domain::cart::{Cart, CartState};
use willcall::domain::ids::{CartId, CommandId, PerformanceId, TheaterId};
use willcall::domain::plan::{Category, Plan, SeatRef};
use willcall::domain::refusal::Refusal;
use willcall::domain::time::{Instant, Span};
use willcall::engine::ops::{AddTheater, CancelCart, OpenCart};
use willcall::engine::{Actor, Desk, Failure, Operation};
use willcall::formats::rows;

use crate::coverage::{self, Coverage};
use crate::ground::Ground;
use crate::model::Model;
use crate::stations::{Clocks, Ran, Stations};

/// How an act went: what the model did not expect, in words.
pub(crate) type Step = Result<(), String>;

/// How many of the last acts are told when something is wrong.
const TRAIL_MAX: usize = 25;

/// How much of an act is told.
const ACT_CHARS_MAX: usize = 330;

/// Sends a command again and gives its answer as JSON.
type Again = Box<dyn Fn(&Desk, CommandId) -> Result<String, Failure>>;

/// A command that was done, to be sent again.
struct Done {
    actor: Actor,
    id: CommandId,
    answer: String,
    again: Again,
}

pub(crate) struct World {
    pub(crate) seed: u64,
    pub(crate) dice: Dice,
    pub(crate) met: Coverage,
    pub(crate) model: Model,
    pub(crate) theater: TheaterId,
    pub(crate) stations: Stations,
    done: Vec<Done>,
    trail: Vec<String>,
}

/// A plan of row lengths whose last two rows are dearer.
pub(crate) fn plan(lengths: &str) -> (Plan, Vec<u32>) {
    let mut plan = rows::parse(lengths).unwrap();
    plan.categories.push(Category { name: "Dear".into(), color: None });
    let rows = &mut plan.zones[0].rows;
    let dear = rows.len() - 2;
    for seat in rows.iter_mut().skip(dear).flat_map(|row| &mut row.seats) {
        seat.category = 1;
    }
    let lengths = rows.iter().map(|row| u32::try_from(row.seats.len()).unwrap()).collect();
    (plan, lengths)
}

pub(crate) fn ensure(holds: bool, problem: impl FnOnce() -> String) -> Step {
    if holds { Ok(()) } else { Err(problem()) }
}

pub(crate) fn same<T: PartialEq + std::fmt::Debug>(what: &str, is: &T, expected: &T) -> Step {
    ensure(is == expected, || format!("{what} is\n  {is:?}\nbut should be\n  {expected:?}"))
}

impl World {
    pub(crate) fn new(seed: u64, clocks: Clocks, ground: Ground) -> Self {
        let mut dice = Dice(seed);
        let mut stations = Stations::new(ground, Clocks::Forward);
        for place in 0..=dice.below(3) {
            stations.start(usize::try_from(place).unwrap(), &mut dice);
        }
        stations.clocks = clocks;
        let (plan, rows) = plan("2x8,2x6");
        let add = AddTheater { name: "The Royal".into(), plan, time_zone: Some(Tz::UTC) };
        let model = Model {
            shows: Vec::new(),
            rows,
            carts: std::collections::BTreeMap::default(),
            customers: std::collections::BTreeMap::default(),
            keeps: std::collections::BTreeMap::default(),
            sold: std::collections::BTreeMap::default(),
            disabled: std::collections::BTreeMap::default(),
            broken: std::collections::BTreeMap::default(),
            acts: 0,
            tills: std::collections::BTreeMap::default(),
            work: std::collections::BTreeMap::default(),
            waits: BTreeMap::new(),
            returned: BTreeSet::new(),
            unissued: 0,
            corrections: 0,
            hold: Span::minutes(30),
            hold_cap: Span::minutes(60),
            seats_max: 20,
        };
        let theater = stations.desk(0, "ada", "office").run(add).unwrap().id;
        let mut world = Self {
            seed,
            dice,
            met: Coverage::default(),
            model,
            theater,
            stations,
            done: Vec::new(),
            trail: Vec::new(),
        };
        for place in 0..world.stations.count() {
            world.first_command(place).unwrap();
        }
        for minutes in [150, 60 * 27] {
            world.open_performance(minutes).unwrap();
        }
        world
    }

    /// The last acts, one per line.
    pub(crate) fn last_acts(&self) -> String {
        self.trail.join("\n")
    }

    pub(crate) fn note(&mut self, act: &str) {
        let act = act.chars().take(ACT_CHARS_MAX).collect();
        if self.trail.len() == TRAIL_MAX {
            self.trail.remove(0);
        }
        self.trail.push(act);
    }

    /// The right time.
    pub(crate) const fn now(&self) -> Instant {
        self.stations.now()
    }

    /// A desk to read at.
    pub(crate) fn any_desk(&self) -> Desk {
        self.stations.desk(0, "eve", "office")
    }

    /// Somebody's desk somewhere.
    pub(crate) fn some_desk(&mut self) -> Desk {
        let place = self.some_place();
        self.somebodys_desk(place)
    }

    fn somebodys_desk(&mut self, place: usize) -> Desk {
        let operator = self.one_of(&["ada", "ben", "cy"]);
        let station = self.one_of(&["till-1", "till-2", "till-3"]);
        self.stations.desk(place, operator, station)
    }

    fn some_place(&mut self) -> usize {
        self.dice_place(u32::try_from(self.stations.count()).unwrap())
    }

    pub(crate) fn dice_place(&mut self, end: u32) -> usize {
        usize::try_from(self.dice.below(end)).unwrap()
    }

    pub(crate) fn one_of<T: Clone>(&mut self, from: &[T]) -> T {
        let place = self.dice_place(u32::try_from(from.len()).unwrap());
        from[place].clone()
    }

    pub(crate) fn chance(&mut self, percent: u32) -> bool {
        self.dice.below(100) < percent
    }

    pub(crate) fn some_show(&mut self) -> PerformanceId {
        let shows: Vec<PerformanceId> = self.model.shows.iter().map(|show| show.id).collect();
        self.one_of(&shows)
    }

    /// A cart, mostly one that is open or was lately.
    pub(crate) fn some_cart(&mut self) -> Option<CartId> {
        let now = self.now();
        let live: Vec<CartId> = self
            .model
            .carts
            .values()
            .filter(|cart| cart.state_at(now) == CartState::Active)
            .map(|cart| cart.id)
            .collect();
        let all: Vec<CartId> = self.model.carts.keys().copied().collect();
        if !live.is_empty() && self.chance(75) {
            return Some(self.one_of(&live));
        }
        let lately = &all[all.len().saturating_sub(8)..];
        (!lately.is_empty()).then(|| self.one_of(lately))
    }

    /// Some seats of a row, or of anywhere in the house.
    pub(crate) fn some_seats(&mut self, rows: &[u32]) -> Vec<SeatRef> {
        let row = self.dice.below(u32::try_from(rows.len()).unwrap());
        let length = rows[usize::try_from(row).unwrap()];
        let count = 1 + self.dice.below(4);
        let from = self.dice.below(length);
        let mut seats: Vec<SeatRef> = (from..length.min(from + count)).map(|seat| SeatRef { row, seat }).collect();
        if self.chance(20) {
            let row = self.dice.below(u32::try_from(rows.len()).unwrap());
            let seat = SeatRef { row, seat: 0 };
            if !seats.contains(&seat) {
                seats.push(seat);
            }
        }
        seats
    }

    /// Runs an operation at somebody's desk.
    pub(crate) fn run<O: Operation + Clone + std::fmt::Debug>(&mut self, operation: O) -> Ran<O::Answer> {
        let desk = self.some_desk();
        self.run_at(&desk, operation)
    }

    /// Runs an operation at a desk.
    pub(crate) fn run_at<O: Operation + Clone + std::fmt::Debug>(
        &mut self,
        desk: &Desk,
        operation: O,
    ) -> Ran<O::Answer> {
        let id = CommandId::random();
        let answer = desk.run_as(id, operation.clone());
        let ran = self.stations.ran(answer, desk, (id, &[desk.now()]));
        self.remember(&ran, id, operation);
        ran
    }

    fn remember<O: Operation + Clone + std::fmt::Debug>(&mut self, ran: &Ran<O::Answer>, id: CommandId, operation: O) {
        self.met.meet(O::VERB, coverage::word(&ran.answer));
        let went = match &ran.answer {
            Ok(_) => "done".to_owned(),
            Err(failure) => format!("{failure:?}"),
        };
        let Actor { operator, station } = &ran.actor;
        self.note(&format!("{:?} {operator} at {station}: {operation:?}: {went}", ran.at));
        let Some(answer) = ran.answer.as_ref().ok().filter(|_| ran.written) else {
            return;
        };
        let answer = serde_json::to_string(answer).unwrap();
        let again = move |desk: &Desk, id| {
            let answer = desk.run_as(id, operation.clone())?;
            Ok(serde_json::to_string(&answer).unwrap())
        };
        self.done.push(Done { actor: ran.actor.clone(), id, answer, again: Box::new(again) });
    }

    /// A command that was done is sent again, as it was or with other contents.
    pub(crate) fn send_again(&mut self) -> Step {
        let count = u32::try_from(self.done.len()).unwrap();
        if count == 0 {
            return Ok(());
        }
        let place = self.dice_place(count);
        let desk = self.some_desk().with_actor(self.done[place].actor.clone());
        let done = &self.done[place];
        let again = (done.again)(&desk, done.id).map_err(|failure| format!("sent again: {failure:?}"))?;
        same("the answer to a command sent again", &again, &done.answer)?;
        let id = done.id;
        let canceled = self.some_cart();
        let other = canceled.map_or_else(
            || desk.run_as(id, OpenCart { hold: Some(Span::minutes(7)), ..OpenCart::default() }),
            |cart| desk.run_as(id, CancelCart { cart }),
        );
        let reused = |failure: &Failure| matches!(failure, Failure::Refused(Refusal::CommandReused { .. }));
        let again_the_same = format!("{other:?}");
        match other {
            Err(failure) if reused(&failure) => Ok(()),
            Ok(cart) if self.is_cancel(place, &cart) => Ok(()),
            _ => Err(format!("a command id was used for something else: {again_the_same}")),
        }
    }

    fn is_cancel(&self, place: usize, cart: &Cart) -> bool {
        let answer = serde_json::to_string(cart).unwrap();
        self.done[place].answer == answer
    }

    /// An engine stops and another opens on the same house; its clock may be another one.
    pub(crate) fn restart(&mut self) -> Step {
        let place = self.some_place();
        self.stations.stop(place);
        let skew_millis = self.stations.start(place, &mut self.dice);
        self.note(&format!("an engine restarts, {skew_millis} ms ahead"));
        self.first_command(place)
    }

    fn first_command(&mut self, place: usize) -> Step {
        let desk = self.somebodys_desk(place);
        self.stations.admit(&desk, &mut self.met)?;
        self.open_at(&desk, None)
    }

    /// Time passes, or is set back.
    pub(crate) fn pass(&mut self) {
        let minutes = i64::from(self.dice.below(12));
        let span = if self.stations.clocks == Clocks::AlsoBack && self.chance(30) {
            Span::minutes(-i64::from(self.dice.below(50)))
        } else if self.chance(15) {
            Span::minutes(31 + minutes)
        } else {
            Span::from_millis(60_000 * minutes + i64::from(self.dice.below(60_000)))
        };
        self.stations.pass(span);
        self.note(&format!("it is {:?}", self.now()));
    }

    /// All clocks are right: every machine sells at once, every till goes on, and the house holds together.
    pub(crate) fn clocks_are_right_again(&mut self) -> Step {
        self.stations.set_right();
        self.open_performance(60 * 24 * 40)?;
        let show = self.model.shows.last().ok_or("no performance")?.id;
        for place in 0..self.stations.count() {
            let station = self.one_of(&["till-1", "till-2", "till-3"]);
            let desk = self.stations.desk(place, "ada", station);
            self.sell_at(&desk, show)?;
        }
        self.is_as_modelled()
    }
}
