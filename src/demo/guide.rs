//! The guide: plays chapters and sets the crowd's speed, as the operator asks.
//!
//! The guide presses keys through the screen's inbox, and drives a real rival at another till. State of the house is
//! read from the desk, never from the screen.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant as Moment};

use crossterm::event::{KeyCode, KeyModifiers};
use tempfile::TempDir;

use crate::demo::clock::DemoClock;
use crate::demo::crowd::{LiveCrowd, Speed};
use crate::demo::incidents;
use crate::demo::promises::{self, Times};
use crate::demo::script::{Act, CHAPTERS};
use crate::demo::staff;
use crate::demo::tour::{Beat, Tour};
use crate::domain::best::{SeatSearch, SeatWish, best};
use crate::domain::correction::ReceiptKind;
use crate::domain::ids::PerformanceId;
use crate::domain::layout::Layout;
use crate::domain::plan::SeatRef;
use crate::domain::time::{Instant, Span};
use crate::engine::ops::{HoldSeats, SeatChoice};
use crate::engine::reads::carts::ReadOpenCarts;
use crate::engine::reads::receipts::{ReadReceipt, ReadReceipts};
use crate::engine::reads::seat_map::ReadSeatMap;
use crate::engine::reads::tonight::ReadPerformances;
use crate::engine::{Desk, Failure};
use crate::tui::data::msg::{DemoCommand, DemoState, Msg};
use crate::tui::kit::input::Key;

/// Operator and station of the rival, and of the office.
const RIVAL: (&str, &str) = ("ben", "till-1");
const OFFICE: (&str, &str) = ("dora", "office");

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

/// Time without a key after which a stand plays its chapter again.
const IDLE: Duration = Duration::from_mins(1);
/// Longest delay between two acts on the way back to a step.
const HURRY: Duration = Duration::from_millis(60);
/// Jump of the clock on that way.
const LEAP: Span = Span::seconds(20);

/// Plays chapters and sets the crowd's speed.
pub(super) struct Guide<F> {
    ground: Ground,
    rival: Desk,
    /// Makes the furnished house anew; none where a chapter goes on in the house that there is.
    stage: Option<Stage>,
    plays: Plays,
    speed: Speed,
    walk: Walk,
    breath: Breath,
    /// Place of the chapter in the list.
    chapter: usize,
    tour: Option<Tour>,
    /// Step that is hurried to.
    hurry: Option<usize>,
    said: Option<(String, (u32, u32))>,
    typing: VecDeque<Key>,
    pair: Option<(PerformanceId, Vec<SeatRef>)>,
    /// Pay-by time of the tour's reservation.
    reserved: Option<Instant>,
    /// Time of the last key or click.
    touched: Moment,
    tell: F,
}

/// Number of times that a chapter plays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Plays {
    #[default]
    Once,
    /// On a stand: again and again, and anew after a minute in which nobody touched a key.
    Forever,
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
}

/// A furnished house with its clock and its crowd.
pub(super) struct Ground {
    pub(super) desk: Desk,
    pub(super) clock: Arc<DemoClock>,
    /// The crowd, paused; none where another steps it.
    pub(super) crowd: Option<LiveCrowd>,
    /// Folder of the house, removed with it.
    pub(super) _folder: Option<TempDir>,
}

/// Makes the furnished house anew, and shows it.
pub(super) type Stage = Box<dyn FnMut() -> Option<Ground> + Send>;

impl<F: FnMut(Msg)> Guide<F> {
    /// A guide that sends messages to the screen by `tell`.
    pub(super) fn new(ground: Ground, (speed, plays): (Speed, Plays), tell: F) -> Self {
        Self {
            rival: staff::at(&ground.desk, RIVAL),
            ground,
            stage: None,
            plays,
            speed,
            walk: Walk::Going,
            breath: Breath::Free,
            chapter: 0,
            tour: None,
            hurry: None,
            said: None,
            typing: VecDeque::new(),
            pair: None,
            reserved: None,
            touched: Moment::now(),
            tell,
        }
    }

    /// Each later chapter begins in a house that `stage` makes.
    pub(super) fn on(self, stage: Stage) -> Self {
        Self { stage: Some(stage), ..self }
    }

    /// Begins a chapter in the house that there is.
    pub(super) fn begin(&mut self, chapter: usize) {
        self.chapter = chapter;
        self.tour = CHAPTERS.get(chapter).map(Tour::of);
    }

    /// Begins a chapter in the furnished house.
    fn begin_anew(&mut self, chapter: usize) {
        // where no other house can be made, the chapter plays in this one
        if let Some(ground) = self.stage.as_mut().and_then(|stage| stage()) {
            self.rival = staff::at(&ground.desk, RIVAL);
            self.ground = ground;
        }
        self.leave();
        self.begin(chapter);
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
                },
                Err(RecvTimeoutError::Timeout) => {
                    due = self.advance().map(|wait| Moment::now() + wait);
                }
                Err(RecvTimeoutError::Disconnected) => return,
            }
        }
    }

    pub(super) fn obey(&mut self, command: DemoCommand) -> Due {
        match command {
            DemoCommand::Touched => {
                self.touched = Moment::now();
                return Due::AsItWas;
            }
            DemoCommand::Pause if self.walk == Walk::Standing => self.walk = Walk::Going,
            DemoCommand::Pause => self.walk = Walk::Standing,
            DemoCommand::Step if self.tour.is_none() => {
                self.begin(0);
                self.walk = Walk::Going;
            }
            DemoCommand::Step if self.walk == Walk::Standing => self.walk = Walk::OneStep,
            DemoCommand::Step => {}
            DemoCommand::Back => self.step_back(),
            DemoCommand::Chapter(chapter) => self.begin_anew(chapter),
            DemoCommand::Faster => self.speed = self.speed.faster(),
            DemoCommand::Slower => self.speed = self.speed.slower(),
            DemoCommand::Leave => self.leave(),
        }
        self.announce();
        if matches!(command, DemoCommand::Faster | DemoCommand::Slower) { Due::AsItWas } else { Due::Now }
    }

    /// Plays the chapter anew up to the step before, without its waits.
    fn step_back(&mut self) {
        let said = self.said.clone();
        let Some((_, (at, _))) = &said else { return };
        let before = usize::try_from(at.saturating_sub(2)).unwrap_or_default();
        self.begin_anew(self.chapter);
        self.hurry = (before > 0).then_some(before);
        self.said = said;
    }

    fn leave(&mut self) {
        self.tour = None;
        self.hurry = None;
        self.said = None;
        self.typing.clear();
        self.reserved = None;
        self.breath = Breath::Free;
        self.walk = Walk::Going;
    }

    /// Speed of the crowd; none while it stands.
    pub(super) fn pace(&self) -> Option<Speed> {
        let still = self.walk == Walk::Standing || self.breath == Breath::Held;
        (!still).then_some(self.speed)
    }

    /// Sets the crowd's speed, and sends the state of the demo to the screen.
    fn announce(&mut self) {
        if let Some(crowd) = &self.ground.crowd {
            crowd.pace(self.pace());
        }
        let (caption, step) = self.said.clone().unzip();
        (self.tell)(Msg::Demo(DemoState {
            crowd: self.speed.to_string(),
            paused: self.walk == Walk::Standing,
            caption,
            step,
            chapter: self.tour.and_then(Tour::title),
            chapters: CHAPTERS.iter().map(|chapter| chapter.title).collect(),
            pins: staff::pins(),
            gives_way: self.plays == Plays::Forever,
        }));
    }

    /// Performs the next beat; gives the delay until the one after, `None` while a message is awaited.
    pub(super) fn advance(&mut self) -> Option<Duration> {
        let hurries = self.hurry.is_some();
        let wait = self.beat()?;
        let step = self.tour.map(Tour::step);
        self.hurry = self.hurry.filter(|to| step.is_some_and(|step| step < *to));
        Some(if hurries { wait.min(HURRY) } else { wait })
    }

    fn beat(&mut self) -> Option<Duration> {
        if self.walk == Walk::Standing {
            return self.idle();
        }
        if let Some(key) = self.typing.pop_front() {
            (self.tell)(Msg::Typed(key));
            return Some(LETTER_GAP);
        }
        let Some(tour) = self.tour.as_mut() else { return self.idle() };
        let caption = tour.caption();
        match tour.next() {
            Beat::Say(wait) => {
                if self.hurry.is_none() {
                    self.said = Some(caption);
                    self.announce();
                }
                Some(wait)
            }
            // a failed read was already reported to the operator
            Beat::Do(act) => Some(self.act(act).unwrap_or(KEY_GAP)),
            Beat::Rest(_) if self.walk == Walk::OneStep => {
                self.walk = Walk::Standing;
                self.announce();
                self.idle()
            }
            Beat::Rest(wait) => Some(wait),
            Beat::Over if self.plays == Plays::Forever => {
                self.begin_anew(self.chapter);
                Some(Duration::ZERO)
            }
            Beat::Over => None,
        }
    }

    /// On a stand that nobody touches: waits, then plays its chapter anew.
    fn idle(&mut self) -> Option<Duration> {
        if self.plays == Plays::Once {
            return None;
        }
        let left = IDLE.saturating_sub(self.touched.elapsed());
        if left.is_zero() {
            self.begin_anew(self.chapter);
            self.announce();
        }
        Some(left)
    }

    fn act(&mut self, act: Act) -> Result<Duration, Failure> {
        match act {
            Act::Key(text) => {
                if let Ok(key) = text.parse() {
                    (self.tell)(Msg::Played(key));
                }
                Ok(KEY_GAP)
            }
            Act::Type(text) => Ok(self.type_text(text)),
            Act::TypeSeat => self.type_seat(),
            Act::TypeCode => self.type_code(),
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
            Act::OfficeWants(days) => {
                if let Some(no) = incidents::want_hotel(&self.rival, days)? {
                    self.add_to_caption(&no);
                }
                Ok(KEY_GAP)
            }
            Act::OperaOpens => {
                incidents::open_opera(&staff::at(&self.ground.desk, OFFICE))?;
                Ok(KEY_GAP)
            }
        }
    }

    fn add_to_caption(&mut self, words: &str) {
        if let Some((caption, _)) = &mut self.said {
            *caption = format!("{caption} {words}");
        }
        self.announce();
    }

    fn type_text(&mut self, text: &str) -> Duration {
        let key = |letter| Key { code: KeyCode::Char(letter), modifiers: KeyModifiers::NONE };
        self.typing.extend(text.chars().map(key));
        LETTER_GAP
    }

    fn breathe(&mut self, breath: Breath) -> Duration {
        self.breath = breath;
        self.announce();
        Duration::ZERO
    }

    /// Finds two good seats side by side in the next performance, and types the name of the left one.
    fn type_seat(&mut self) -> Result<Duration, Failure> {
        let question = ReadPerformances { from: Some(self.ground.desk.now()), ..ReadPerformances::default() };
        let Some(next) = self.ground.desk.read(question)?.into_iter().next() else {
            return Ok(Duration::ZERO);
        };
        let map = self.ground.desk.read(ReadSeatMap(next.id))?;
        let layout = Layout::new(&map.plan);
        let house = SeatSearch { plan: &map.plan, layout: &layout, free: &|seat| map.is_free(seat) };
        let wish = SeatWish { count: 2, ..SeatWish::default() };
        let seats = best(&house, &wish).map(|choice| choice.seats).unwrap_or_default();
        if let Some(first) = seats.first() {
            self.type_text(map.plan.seat_name(*first));
        }
        self.pair = Some((next.id, seats));
        Ok(LETTER_GAP)
    }

    /// Types the code of a ticket of the next performance.
    fn type_code(&mut self) -> Result<Duration, Failure> {
        let desk = &self.ground.desk;
        let question = ReadPerformances { from: Some(desk.now()), ..ReadPerformances::default() };
        let next = desk.read(question)?.into_iter().next().map(|row| row.id);
        let sold = desk.read(ReadReceipts { performance: next, ..ReadReceipts::default() })?;
        let Some(receipt) = sold.iter().find(|row| row.kind == ReceiptKind::Sale) else {
            return Ok(Duration::ZERO);
        };
        let codes = desk.read(ReadReceipt(receipt.id))?.codes;
        Ok(codes.first().map_or(Duration::ZERO, |(_, code)| self.type_text(&code.letters())))
    }

    /// Lets the house's clock jump towards the deadline of the operator's cart; repeats until the cart is late.
    fn run_time(&mut self) -> Result<Duration, Failure> {
        let Some(deadline) = self.deadline()? else {
            return Ok(KEY_GAP);
        };
        self.ground.clock.run_ahead(deadline.since(self.ground.desk.now()).min(if self.hurry.is_some() {
            LEAP
        } else {
            JUMP
        }));
        (self.tell)(Msg::Tick(self.ground.desk.now()));
        if let Some(tour) = &mut self.tour {
            tour.again();
        }
        Ok(JUMP_EVERY)
    }

    /// Lets the rival reserve two seats of the next performance that is not too near.
    fn reserve(&mut self) -> Result<Duration, Failure> {
        let question =
            ReadPerformances { from: Some(self.ground.desk.now() + RESERVED_FOR_LATER), ..ReadPerformances::default() };
        if let Some(show) = self.ground.desk.read(question)?.into_iter().next() {
            promises::reserve(&self.rival, show.id, ("Okafor", IN_THE_TOUR))?;
            self.reserved = Some(self.ground.desk.now() + IN_THE_TOUR.pay_by);
        }
        Ok(Duration::ZERO)
    }

    /// Moves the house's clock by a second; repeats until the reservation is over.
    fn pass_time(&mut self) -> Duration {
        let over = self.reserved.map(|pay_by| pay_by + STEP);
        if over.is_none_or(|over| self.ground.desk.now() >= over) {
            self.reserved = None;
            return KEY_GAP;
        }
        self.ground.clock.run_ahead(if self.hurry.is_some() { LEAP } else { STEP });
        (self.tell)(Msg::Tick(self.ground.desk.now()));
        if let Some(tour) = &mut self.tour {
            tour.again();
        }
        JUMP_EVERY
    }

    /// Deadline of the operator's cart.
    fn deadline(&self) -> Result<Option<Instant>, Failure> {
        let carts = self.ground.desk.read(ReadOpenCarts::default())?.into_iter();
        let mine = carts.filter(|cart| cart.station == self.ground.desk.actor().station);
        Ok(mine.filter(|cart| !cart.set_aside && cart.seats > 0).map(|cart| cart.expires_at).max())
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;
    use std::sync::Arc;
    use std::sync::mpsc::{Receiver, channel};
    use std::time::Duration;

    use super::{Ground, Guide, IDLE, Plays};
    use crate::demo::clock::DemoClock;
    use crate::demo::crowd::{Crowd, LiveCrowd, Speed};
    use crate::demo::furnish::Furnished;
    use crate::demo::house::FurnishedHouse;
    use crate::demo::testing::{House, NOON, furnished_at};
    use crate::domain::time::Instant;
    use crate::engine::ops::{HoldSeats, SeatChoice};
    use crate::engine::reads::carts::ReadOpenCarts;
    use crate::tui::data::msg::{DemoCommand, DemoState, Msg};

    struct Stage {
        house: House,
        furnished: Furnished,
        clock: Arc<DemoClock>,
    }

    fn stage() -> Stage {
        let clock = Arc::new(DemoClock::from(NOON));
        let (house, furnished) = furnished_at(Arc::<DemoClock>::clone(&clock));
        Stage { house, furnished, clock }
    }

    impl Stage {
        fn guide<F: FnMut(Msg)>(&self, tell: F) -> Guide<F> {
            let desk = self.house.desk.clone();
            let crowd = Crowd::new(&desk, 1).unwrap();
            let crowd = Some(LiveCrowd::start(crowd, None).unwrap());
            let ground = Ground { desk, clock: Arc::clone(&self.clock), crowd, _folder: None };
            Guide::new(ground, (Speed::default(), Plays::Once), tell)
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
        guide.ground.crowd.as_ref().unwrap().pace(None);
        guide.begin(0);
        let mut steps = 0;
        while guide.advance().is_some() && steps < 500 {
            guide.ground.crowd.as_ref().unwrap().pace(None);
            steps += 1;
        }
        drop(guide);
        let told = told(&messages);
        assert!(told.starts_with("(1) 1 Home (2) Enter (3) (3) b 4 (4) Enter (5) (5) g "), "{told}");
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
        guide.begin(0);
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

    /// Acts until a step is said; gives the keys that were pressed, and how long it takes.
    fn until(guide: &mut Guide<impl FnMut(Msg)>, messages: &Receiver<Msg>, step: u32) -> (String, Duration) {
        let (mut heard, mut took) = (Vec::new(), Duration::ZERO);
        loop {
            took += guide.advance().unwrap();
            for msg in messages.try_iter() {
                let there = matches!(&msg, Msg::Demo(DemoState { step: Some((at, _)), .. }) if *at == step);
                heard.push(msg);
                if there {
                    return (told(&heard), took);
                }
            }
        }
    }

    fn on_stand(plays: Plays) -> (Guide<impl FnMut(Msg)>, Receiver<Msg>) {
        let house = FurnishedHouse::at(Instant::from_millis(1_795_284_000_000)).unwrap();
        let (out, messages) = channel();
        let tell = move |msg| out.send(msg).unwrap();
        let mut guide = Guide::new(house.still().unwrap(), (Speed::default(), plays), tell);
        guide.begin(1);
        (guide.on(Box::new(move || house.still().ok())), messages)
    }

    #[test]
    fn left_plays_the_chapter_up_to_the_step_before_in_a_house_like_the_first() {
        let (mut guide, messages) = on_stand(Plays::Once);
        until(&mut guide, &messages, 4);
        guide.obey(DemoCommand::Back);
        let file = guide.ground.desk.place().clone();
        messages.try_iter().for_each(drop);
        let (told, took) = until(&mut guide, &messages, 3);
        assert_eq!(told, "1 Home Enter (3) ");
        assert!(took < Duration::from_secs(3), "{took:?}");
        let (told, _) = until(&mut guide, &messages, 4);
        assert_eq!(told, "(3) b 4 (4) ");
        guide.obey(DemoCommand::Back);
        assert_ne!(guide.ground.desk.place(), &file, "each has a house of its own");
        guide.obey(DemoCommand::Chapter(2));
        assert_eq!(until(&mut guide, &messages, 2).0.matches("(2)").count(), 1);
    }

    #[test]
    fn a_stand_plays_again_at_the_end_and_after_a_minute_without_a_key() {
        let (mut guide, messages) = on_stand(Plays::Forever);
        until(&mut guide, &messages, 6);
        until(&mut guide, &messages, 1);
        guide.obey(DemoCommand::Leave);
        guide.obey(DemoCommand::Touched);
        let wait = guide.advance().unwrap();
        assert!(wait > Duration::from_secs(50), "{wait:?}");
        assert!(guide.tour.is_none());
        // a visitor pauses the house and goes away
        guide.obey(DemoCommand::Pause);
        guide.touched = guide.touched.checked_sub(IDLE).unwrap();
        assert_eq!(guide.advance(), Some(Duration::ZERO));
        until(&mut guide, &messages, 1);
    }
}
