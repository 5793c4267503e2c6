//! The guide: plays the tour and sets the crowd's speed, as the operator asks.
//!
//! The guide presses keys through the screen's inbox, and drives a real rival at another till. State of the house is
//! read from the desk, never from the screen.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant as Moment};

use crossterm::event::{KeyCode, KeyModifiers};

use crate::demo::clock::DemoClock;
use crate::demo::crowd::{LiveCrowd, Speed};
use crate::demo::promises::{self, Times};
use crate::demo::script::Act;
use crate::demo::tour::{Beat, Tour, caption};
use crate::domain::best::{SeatSearch, SeatWish, best};
use crate::domain::ids::PerformanceId;
use crate::domain::layout::Layout;
use crate::domain::plan::SeatRef;
use crate::domain::time::{Instant, Span};
use crate::engine::ops::{HoldSeats, SeatChoice};
use crate::engine::reads::carts::ReadOpenCarts;
use crate::engine::reads::seat_map::ReadSeatMap;
use crate::engine::reads::tonight::ReadPerformances;
use crate::engine::{Desk, Failure};
use crate::tui::data::msg::{DemoCommand, DemoState, Msg};
use crate::tui::kit::input::Key;

const KEY_GAP: Duration = Duration::from_millis(600);
const LETTER_GAP: Duration = Duration::from_millis(180);
/// Jump of the clock, and its interval, while time runs ahead: three minutes take six seconds.
const JUMP: Span = Span::seconds(3);
const JUMP_EVERY: Duration = Duration::from_millis(100);

/// Jump of the clock while a reservation is watched.
const STEP: Span = Span::seconds(1);
/// Terms of the tour's reservation.
const IN_THE_TOUR: Times = Times { alert: Span::seconds(20), last: Span::seconds(40), pay_by: Span::seconds(60) };
/// Least time until the start of the reserved performance.
const RESERVED_FOR_LATER: Span = Span::minutes(40);

/// Plays the tour and sets the crowd's speed.
pub(super) struct Guide<F> {
    desk: Desk,
    rival: Desk,
    clock: Arc<DemoClock>,
    crowd: LiveCrowd,
    speed: Speed,
    walk: Walk,
    breath: Breath,
    tour: Option<Tour>,
    said: Option<(String, (u32, u32))>,
    typing: VecDeque<Key>,
    pair: Option<(PerformanceId, Vec<SeatRef>)>,
    /// Pay-by time of the tour's reservation.
    reserved: Option<Instant>,
    tell: F,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Walk {
    Going,
    /// Playing to the end of this step, then pausing.
    OneStep,
    Standing,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Breath {
    Free,
    Held,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Due {
    AsItWas,
    Now,
    WhenTold,
}

pub(super) struct Ground {
    pub(super) desk: Desk,
    pub(super) clock: Arc<DemoClock>,
    /// The crowd, paused.
    pub(super) crowd: LiveCrowd,
    pub(super) speed: Speed,
}

impl<F: FnMut(Msg)> Guide<F> {
    /// A guide that sends messages to the screen by `tell`.
    pub(super) fn new(ground: Ground, tell: F) -> Self {
        let Ground { desk, clock, crowd, speed } = ground;
        Self {
            rival: desk.working_as("ben", "till-1"),
            desk,
            clock,
            crowd,
            speed,
            walk: Walk::Going,
            breath: Breath::Free,
            tour: None,
            said: None,
            typing: VecDeque::new(),
            pair: None,
            reserved: None,
            tell,
        }
    }

    pub(super) fn begin_tour(&mut self) {
        self.tour = Some(Tour::default());
    }

    /// Runs until every sender of messages is gone.
    pub(super) fn work(mut self, commands: &Receiver<DemoCommand>) {
        self.announce();
        let mut due = Some(Moment::now());
        loop {
            let received = match due {
                Some(due) => commands.recv_timeout(due.saturating_duration_since(Moment::now())),
                None => commands.recv().map_err(|_| RecvTimeoutError::Disconnected),
            };
            match received {
                Ok(command) => match self.obey(command) {
                    Due::AsItWas => {}
                    Due::Now => due = Some(Moment::now()),
                    Due::WhenTold => due = None,
                },
                Err(RecvTimeoutError::Timeout) => {
                    due = self.advance().map(|wait| Moment::now() + wait);
                }
                Err(RecvTimeoutError::Disconnected) => return,
            }
        }
    }

    pub(super) fn obey(&mut self, command: DemoCommand) -> Due {
        let due = match command {
            DemoCommand::Pause if self.walk == Walk::Standing => {
                self.walk = Walk::Going;
                Due::Now
            }
            DemoCommand::Pause => {
                self.walk = Walk::Standing;
                Due::WhenTold
            }
            DemoCommand::Step => {
                if self.tour.is_none() {
                    self.begin_tour();
                    self.walk = Walk::Going;
                } else if self.walk == Walk::Standing {
                    self.walk = Walk::OneStep;
                }
                Due::Now
            }
            DemoCommand::Faster => {
                self.speed = self.speed.faster();
                Due::AsItWas
            }
            DemoCommand::Slower => {
                self.speed = self.speed.slower();
                Due::AsItWas
            }
            DemoCommand::Leave => {
                self.leave();
                Due::WhenTold
            }
        };
        self.announce();
        due
    }

    fn leave(&mut self) {
        self.tour = None;
        self.said = None;
        self.typing.clear();
        self.breath = Breath::Free;
        self.walk = Walk::Going;
    }

    /// Sets the crowd's speed, and sends the state of the demo to the screen.
    fn announce(&mut self) {
        let paused = self.walk == Walk::Standing;
        let still = paused || self.breath == Breath::Held;
        self.crowd.pace((!still).then_some(self.speed));
        let (caption, step) = self.said.clone().unzip();
        (self.tell)(Msg::Demo(DemoState { crowd: self.speed.to_string(), paused, caption, step }));
    }

    /// Performs the next beat; gives the delay until the one after, `None` while a message is awaited.
    pub(super) fn advance(&mut self) -> Option<Duration> {
        if self.walk == Walk::Standing {
            return None;
        }
        if let Some(key) = self.typing.pop_front() {
            (self.tell)(Msg::Played(key));
            return Some(LETTER_GAP);
        }
        let tour = self.tour.as_mut()?;
        let step = tour.step();
        match tour.next() {
            Beat::Say(wait) => {
                self.said = Some(caption(step));
                self.announce();
                Some(wait)
            }
            // a failed read was already reported to the operator
            Beat::Do(act) => Some(self.act(act).unwrap_or(KEY_GAP)),
            Beat::Rest(_) if self.walk == Walk::OneStep => {
                self.walk = Walk::Standing;
                self.announce();
                None
            }
            Beat::Rest(wait) => Some(wait),
            Beat::Over => None,
        }
    }

    fn act(&mut self, act: Act) -> Result<Duration, Failure> {
        match act {
            Act::Key(text) => {
                if let Ok(key) = text.parse() {
                    (self.tell)(Msg::Played(key));
                }
                Ok(KEY_GAP)
            }
            Act::TypeSeat => {
                self.type_seat()?;
                Ok(LETTER_GAP)
            }
            Act::RivalTakes => {
                if let Some((performance, seats)) = self.pair.take() {
                    let hold = HoldSeats::new(performance, SeatChoice::Seats(seats));
                    self.rival.run(hold)?;
                }
                Ok(Duration::ZERO)
            }
            Act::Hush => Ok(self.breathe(Breath::Held)),
            Act::GoOn => Ok(self.breathe(Breath::Free)),
            Act::TimeRunsOut => self.run_time(),
            Act::RivalReserves => self.reserve(),
            Act::TimePasses => Ok(self.pass_time()),
        }
    }

    fn breathe(&mut self, breath: Breath) -> Duration {
        self.breath = breath;
        self.announce();
        Duration::ZERO
    }

    /// Finds two good seats side by side in the next performance, and types the name of the left one.
    fn type_seat(&mut self) -> Result<(), Failure> {
        let question = ReadPerformances { from: Some(self.desk.now()), ..ReadPerformances::default() };
        let Some(next) = self.desk.read(question)?.into_iter().next() else {
            return Ok(());
        };
        let map = self.desk.read(ReadSeatMap(next.id))?;
        let layout = Layout::new(&map.plan);
        let house = SeatSearch { plan: &map.plan, layout: &layout, free: &|seat| map.is_free(seat) };
        let wish = SeatWish { count: 2, ..SeatWish::default() };
        let seats = best(&house, &wish).map(|choice| choice.seats).unwrap_or_default();
        if let Some(first) = seats.first() {
            let letters = map.plan.seat_name(*first).chars();
            self.typing
                .extend(letters.map(|letter| Key { code: KeyCode::Char(letter), modifiers: KeyModifiers::NONE }));
        }
        self.pair = Some((next.id, seats));
        Ok(())
    }

    /// Lets the house's clock jump towards the deadline of the operator's cart; repeats until the cart is late.
    fn run_time(&mut self) -> Result<Duration, Failure> {
        let Some(deadline) = self.deadline()? else {
            return Ok(KEY_GAP);
        };
        self.clock.run_ahead(deadline.since(self.desk.now()).min(JUMP));
        (self.tell)(Msg::Tick(self.desk.now()));
        if let Some(tour) = &mut self.tour {
            tour.again();
        }
        Ok(JUMP_EVERY)
    }

    /// Lets the rival reserve two seats of the next performance that is not too near.
    fn reserve(&mut self) -> Result<Duration, Failure> {
        let question =
            ReadPerformances { from: Some(self.desk.now() + RESERVED_FOR_LATER), ..ReadPerformances::default() };
        if let Some(show) = self.desk.read(question)?.into_iter().next() {
            promises::reserve(&self.rival, show.id, ("Okafor", IN_THE_TOUR))?;
            self.reserved = Some(self.desk.now() + IN_THE_TOUR.pay_by);
        }
        Ok(Duration::ZERO)
    }

    /// Moves the house's clock by a second; repeats until the reservation is over.
    fn pass_time(&mut self) -> Duration {
        let over = self.reserved.map(|pay_by| pay_by + STEP);
        if over.is_none_or(|over| self.desk.now() >= over) {
            self.reserved = None;
            return KEY_GAP;
        }
        self.clock.run_ahead(STEP);
        (self.tell)(Msg::Tick(self.desk.now()));
        if let Some(tour) = &mut self.tour {
            tour.again();
        }
        JUMP_EVERY
    }

    /// Deadline of the operator's cart.
    fn deadline(&self) -> Result<Option<Instant>, Failure> {
        let carts = self.desk.read(ReadOpenCarts::default())?.into_iter();
        let mine = carts.filter(|cart| cart.station == self.desk.actor().station);
        Ok(mine.filter(|cart| !cart.set_aside && cart.seats > 0).map(|cart| cart.expires_at).max())
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;
    use std::sync::Arc;
    use std::time::Duration;

    use super::{Ground, Guide};
    use crate::demo::clock::DemoClock;
    use crate::demo::crowd::{Crowd, LiveCrowd, Speed};
    use crate::demo::furnish::{Furnished, furnish};
    use crate::demo::testing::{House, house_at};
    use crate::engine::ops::{HoldSeats, SeatChoice};
    use crate::engine::reads::carts::ReadOpenCarts;
    use crate::tui::data::msg::{DemoCommand, DemoState, Msg};

    struct Stage {
        house: House,
        furnished: Furnished,
        clock: Arc<DemoClock>,
    }

    fn stage() -> Stage {
        let clock = Arc::new(DemoClock::default());
        let house = house_at(Arc::<DemoClock>::clone(&clock));
        let furnished = furnish(&house.desk, &house.past).unwrap();
        Stage { house, furnished, clock }
    }

    impl Stage {
        fn guide<F: FnMut(Msg)>(&self, tell: F) -> Guide<F> {
            let desk = self.house.desk.clone();
            let crowd = Crowd::new(&desk, 1).unwrap();
            Guide::new(
                Ground {
                    desk,
                    clock: Arc::clone(&self.clock),
                    crowd: LiveCrowd::start(crowd, None).unwrap(),
                    speed: Speed::default(),
                },
                tell,
            )
        }

        fn stations(&self) -> Vec<(String, usize)> {
            let carts = self.house.desk.read(ReadOpenCarts::default()).unwrap().into_iter();
            carts.filter(|cart| !cart.set_aside).map(|cart| (cart.station, cart.seats)).collect()
        }
    }

    /// Keys and step numbers sent to the screen.
    fn told(messages: &[Msg]) -> String {
        let mut text = String::new();
        for message in messages {
            if let Msg::Played(key) = message {
                write!(text, "{key} ").unwrap();
            }
            if let Msg::Demo(DemoState { step: Some((at, _)), .. }) = message {
                write!(text, "({at}) ").unwrap();
            }
        }
        text
    }

    #[test]
    fn the_tour_presses_keys_and_its_rival_takes_what_the_operator_is_about_to_take() {
        let stage = stage();
        let mut messages = Vec::new();
        let mut guide = stage.guide(|msg| messages.push(msg));
        guide.crowd.pace(None);
        guide.begin_tour();
        let mut steps = 0;
        while guide.advance().is_some() && steps < 500 {
            guide.crowd.pace(None);
            steps += 1;
        }
        drop(guide);
        let told = told(&messages);
        assert!(told.starts_with("(1) 1 Home (2) Enter (3) (3) b 4 (4) Enter (5) g "), "{told}");
        assert!(told.ends_with("(17) (18) 1 Tab Home Down Down Down (19) Tab 3 (20) - - (21) + + (22) 1 "), "{told}");
        assert!(stage.stations().contains(&("till-1".to_owned(), 2)), "{:?}", stage.stations());
    }

    #[test]
    fn time_runs_ahead_until_the_operators_cart_is_late() {
        let stage = stage();
        let royal =
            stage.furnished.performances.iter().rfind(|performance| performance.title == "Action Movie 5").unwrap();
        let hold = HoldSeats::new(royal.id, SeatChoice::Named(vec!["A1".into()]));
        let cart = stage.house.desk.run(hold);
        let deadline = cart.unwrap().expires_at;
        let mut guide = stage.guide(|_| {});
        guide.begin_tour();
        let mut jumps = 0;
        while guide.run_time().unwrap() < Duration::from_millis(500) {
            jumps += 1;
        }
        assert!((55..65).contains(&jumps), "{jumps}");
        let now = stage.house.desk.now();
        assert!(now >= deadline && now.since(deadline).millis() < 3000);
    }

    #[test]
    fn space_stands_right_goes_one_step_and_enter_leaves() {
        let stage = stage();
        let states = std::cell::RefCell::new(Vec::new());
        let mut guide = stage.guide(|msg| {
            if let Msg::Demo(state) = msg {
                states.borrow_mut().push(state);
            }
        });
        let last = || states.borrow().last().cloned().unwrap();
        guide.obey(DemoCommand::Step);
        guide.advance().unwrap();
        assert_eq!((last().step, last().paused), (Some((1, 22)), false));
        guide.obey(DemoCommand::Pause);
        assert_eq!((guide.advance(), last().paused), (None, true));
        guide.obey(DemoCommand::Step);
        while guide.advance().is_some() {}
        assert_eq!((last().step, last().paused), (Some((1, 22)), true));
        guide.obey(DemoCommand::Faster);
        assert_eq!(last().crowd, "x2");
        guide.obey(DemoCommand::Leave);
        assert_eq!((last().step, last().caption, last().paused), (None, None, false));
    }
}
