//! A desk for the stories: it takes keys and the mouse, waits for every answer, and says what is on its screen.

use std::cell::Cell;
use std::collections::{BTreeMap, VecDeque};
use std::panic::{catch_unwind, resume_unwind};
use std::sync::Arc;

use parking_lot::Mutex;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect, Size};
use ratatui::style::Style;

use crate::cluster::Cluster;
use crate::domain::house::Settings;
use crate::domain::ids::PerformanceId;
use crate::domain::plan::Plan;
use crate::domain::time::Span;
use crate::engine::clock::{Clock, ManualClock};
use crate::engine::ops::{
    AddPerformance, AddTheater, AnyOperation, DisableSeats, HoldSeats, HouseSeats, NamedPrice, SeatChoice, Which,
};
use crate::engine::reads::carts::ReadOpenCarts;
use crate::engine::reads::catalog::ReadSettings;
use crate::engine::reads::journal::ReadJournal;
use crate::engine::reads::receipts::ReadReceipts;
use crate::engine::{Actor, Config, Desk, Engine, Location, Missing};
use crate::formats::rows;
use crate::tui::app::App;
use crate::tui::app::frame;
use crate::tui::data::left::LeftAt;
use crate::tui::data::msg::{Answer, Changed, Effect, Msg, Query};
use crate::tui::data::reads::TYPED_WAIT;
use crate::tui::data::runtime::blocking::BlockingRuntime;
use crate::tui::kit::input::{Key, Pointer, PointerAct};
use crate::tui::kit::screen::Screen;
use crate::tui::kit::shared::Shared;
use crate::tui::kit::targets::Target;
use crate::tui::widgets::testing::{lines, now, shared};

use super::NOON;

/// Answers that a test makes up; none for what the house answers.
type MadeUp = Box<dyn FnMut(&Query) -> Option<Answer>>;

pub(in crate::tui) struct Till {
    pub(crate) app: App,
    asked: BlockingRuntime,
    made_up: MadeUp,
    /// Answers that were made up.
    answers: VecDeque<Msg>,
    questions: Vec<String>,
    /// Operations that were sent, but for the presence of this station.
    pub(crate) ran: Vec<AnyOperation>,
    /// True while a typed question waits for the next key.
    typing: bool,
    pub(super) quit: bool,
    pub(super) clock: Arc<ManualClock>,
    pub(super) show: PerformanceId,
    pub(super) engine: Engine,
    _folder: tempfile::TempDir,
}

pub(super) fn actor(operator: &str, station: &str) -> Actor {
    Actor { operator: operator.into(), station: station.into() }
}

pub(super) fn price(ticket_type: Option<&str>, minor: i64) -> NamedPrice {
    NamedPrice { ticket_type: ticket_type.map(str::to_owned), ..NamedPrice::all(minor) }
}

/// The desk of ada at till-2, in The Royal (5 rows of 16), "Hamlet" tonight at 10.00, children 5.00.
pub(super) fn desk() -> Till {
    desk_in("5x16")
}

/// [`desk`] in a house of these rows.
pub(super) fn desk_in(house: &str) -> Till {
    desk_of(rows::parse(house).unwrap())
}

thread_local! {
    /// Server of the houses that this test makes; `None` for files.
    static SERVER: Cell<Option<&'static Cluster>> = const { Cell::new(None) };
}

/// Runs a test whose houses stand on a server; skipped, with a line that says so, when none can be started.
pub(super) fn on_a_server(test: fn()) {
    let Some(cluster) = Cluster::shared() else { return };
    SERVER.set(Some(cluster));
    let tried = catch_unwind(test);
    SERVER.set(None);
    tried.unwrap_or_else(|panic| resume_unwind(panic));
}

/// [`desk`] in a house with a plan.
pub(super) fn desk_of(plan: Plan) -> Till {
    let folder = crate::limit::scratch();
    let clock = Arc::new(ManualClock::at(NOON));
    let (engine, show) = if let Some(cluster) = SERVER.get() {
        let engine = open(Location::parse(&cluster.address(&cluster.new_schema("house"))).unwrap(), &clock);
        let show = furnish(&engine, plan);
        (engine, show)
    } else {
        let (file, show) = made(plan);
        let path = folder.path().join("house.db");
        std::fs::write(&path, file).unwrap();
        (open(path.into(), &clock), show)
    };
    let handle = engine.desk(actor("ada", "till-2"));
    let mut till = Till {
        app: App::new(at_noon(&handle)),
        asked: BlockingRuntime::of(handle).unwrap(),
        made_up: Box::new(|_| None),
        answers: VecDeque::new(),
        questions: Vec::new(),
        ran: Vec::new(),
        typing: false,
        quit: false,
        clock,
        show,
        engine,
        _folder: folder,
    };
    till.restart(LeftAt::default());
    till
}

fn open(place: Location, clock: &Arc<ManualClock>) -> Engine {
    let clock = Arc::<ManualClock>::clone(clock);
    Engine::open(Config { missing: Missing::Create, clock, ..Config::new(place) }).unwrap()
}

/// Adds The Royal with a plan, and "Hamlet".
fn furnish(engine: &Engine, plan: Plan) -> PerformanceId {
    let handle = engine.desk(actor("ada", "till-2"));
    let theater =
        handle.run(AddTheater { name: "The Royal".into(), plan, time_zone: Some(chrono_tz::Tz::UTC) }).unwrap();
    let start = NOON + Span::minutes(450);
    let opened = handle.run(AddPerformance::new(
        theater.id,
        "Hamlet",
        (start, start + Span::minutes(150)),
        vec![price(None, 1000), price(Some("Child"), 500)],
    ));
    opened.unwrap().performance.id
}

/// File of a house with a plan, made once by this process, and its performance: each desk has a copy.
fn made(plan: Plan) -> (Vec<u8>, PerformanceId) {
    static MADE: Mutex<BTreeMap<String, (Vec<u8>, PerformanceId)>> = Mutex::new(BTreeMap::new());
    let name = serde_json::to_string(&plan).unwrap();
    if let Some(known) = MADE.lock().get(&name) {
        return known.clone();
    }
    let folder = crate::limit::scratch();
    let path = folder.path().join("house.db");
    let engine = open(path.clone().into(), &Arc::new(ManualClock::at(NOON)));
    let show = furnish(&engine, plan);
    drop(engine);
    let made = (std::fs::read(path).unwrap(), show);
    MADE.lock().insert(name, made.clone());
    made
}

/// [`desk`] on a screen, in the evening, that reads what a test makes up.
pub(in crate::tui) fn desk_told(
    (size, screen): ((u16, u16), Screen),
    made_up: impl FnMut(&Query) -> Option<Answer> + 'static,
) -> Till {
    let mut till = desk();
    till.clock.set(now());
    till.app = App::new(shared(size));
    till.app.restore(LeftAt { screen, ..LeftAt::default() });
    till.tells(made_up);
    let effects = till.app.start();
    till.carry_out(effects);
    till.settle();
    till
}

/// As a desk begins in a house.
fn at_noon(house: &Desk) -> Shared {
    let Settings { time_zone: zone, reasons, operators, lock_after, .. } = house.read(ReadSettings).unwrap();
    Shared { now: NOON, zone, reasons, operators, lock_after, ..shared((100, 30)) }
}

impl Till {
    /// Starts the desk anew where its station left it.
    pub(super) fn restart(&mut self, left: LeftAt) -> &mut Self {
        self.first_frame(left);
        self.settle();
        self
    }

    /// First frame of a desk that starts anew, before the house has answered.
    pub(super) fn first_frame(&mut self, left: LeftAt) -> String {
        self.app = App::new(at_noon(&self.engine.desk(actor("ada", "till-2"))));
        self.app.restore(left);
        let effects = self.app.start();
        let frame = self.draw();
        self.carry_out(effects);
        frame
    }

    /// From now on reads what a test makes up.
    pub(crate) fn tells(&mut self, made_up: impl FnMut(&Query) -> Option<Answer> + 'static) -> &mut Self {
        self.made_up = Box::new(made_up);
        self
    }

    /// Answers what a test makes up; returns what the house is asked.
    fn make_up(&mut self, effect: Effect) -> Option<Effect> {
        if let Effect::Run(_, operation) = &effect
            && !matches!(operation, AnyOperation::BePresent(_))
        {
            self.ran.push(operation.clone());
        }
        let Effect::Read(ticket, query) = effect else { return Some(effect) };
        match (self.made_up)(&query) {
            Some(answer) => self.answers.push_back(Msg::Answer(ticket, answer)),
            None => return Some(Effect::Read(ticket, query)),
        }
        None
    }

    pub(super) fn carry_out(&mut self, effects: Vec<Effect>) {
        for effect in &effects {
            if let Effect::Read(_, query) = effect {
                self.questions.extend(format!("{query:?}").split('(').next().map(str::to_owned));
            }
        }
        let effects = effects.into_iter().filter_map(|effect| self.make_up(effect)).collect();
        let rest = self.asked.carry_out(effects);
        self.typing |= rest.iter().any(|effect| matches!(effect, Effect::TickIn(TYPED_WAIT)));
        self.quit |= rest.iter().any(|effect| matches!(effect, Effect::Quit));
    }

    pub(crate) fn send(&mut self, msg: Msg) {
        let effects = self.app.update(msg);
        self.carry_out(effects);
    }

    /// Names of the questions that are asked while something happens, in order.
    pub(crate) fn questions(&mut self, does: impl FnOnce(&mut Self)) -> Vec<String> {
        self.questions.clear();
        does(self);
        std::mem::take(&mut self.questions)
    }

    /// Answers of everything asked so far, kept back.
    pub(super) fn keeps_back(&mut self) -> Vec<Msg> {
        std::iter::from_fn(|| self.asked.answer()).collect()
    }

    /// Waits until everything asked is answered.
    pub(crate) fn settle(&mut self) {
        while let Some(msg) = self.answers.pop_front().or_else(|| self.asked.answer()) {
            self.send(msg);
        }
        if std::mem::take(&mut self.typing) {
            self.wait(TYPED_WAIT);
        }
        self.drawn();
    }

    /// Keys one after the other, each answered before the next.
    pub(crate) fn keys(&mut self, keys: &str) -> &mut Self {
        for key in keys.split(' ') {
            self.burst(key);
            self.wait(Span::from_millis(500));
        }
        self
    }

    /// Keys that arrive together, before anything is answered.
    pub(crate) fn burst(&mut self, keys: &str) -> &mut Self {
        for key in keys.split(' ') {
            self.send(Msg::Key(key.parse::<Key>().unwrap()));
        }
        self.settle();
        self
    }

    pub(crate) fn types(&mut self, text: &str) -> &mut Self {
        for letter in text.chars() {
            self.send(Msg::Key(Key::plain(crossterm::event::KeyCode::Char(letter))));
        }
        self.settle();
        self
    }

    /// Time goes on.
    pub(crate) fn wait(&mut self, span: Span) -> &mut Self {
        self.clock.set(self.clock.now() + span);
        self.send(Msg::Tick(self.clock.now()));
        self.settle();
        self
    }

    /// Another station does something, and this one is told.
    pub(crate) fn notice(&mut self) -> &mut Self {
        self.send(Msg::Changed(Changed::Everything));
        self.settle();
        self
    }

    pub(super) fn ben_holds(&mut self, seats: &[&str]) -> &mut Self {
        let ben = self.engine.desk(actor("ben", "till-1"));
        ben.run(HoldSeats {
            cart: None,
            performance: self.show,
            seats: SeatChoice::Named(seats.iter().map(|seat| (*seat).to_owned()).collect()),
            ticket_type: None,
            kept: HouseSeats::Refuse,
        })
        .unwrap();
        self
    }

    pub(super) fn disable(&mut self, seats: &[&str]) -> &mut Self {
        let ada = self.engine.desk(actor("ada", "till-2"));
        ada.run(DisableSeats {
            which: Which::Performance(self.show),
            seats: seats.iter().map(|seat| (*seat).to_owned()).collect(),
            reason: "leak".into(),
        })
        .unwrap();
        self
    }

    pub(crate) fn resize(&mut self, width: u16, height: u16) -> &mut Self {
        self.send(Msg::Resize(Size::new(width, height)));
        self.settle();
        self
    }

    /// The mouse does something on a target.
    pub(crate) fn point(&mut self, what: PointerAct, target: &Target) -> &mut Self {
        self.draw();
        let at = self.app.targets().find(target).unwrap();
        self.send(Msg::Pointer(Pointer { at, what }));
        self.settle();
        self
    }

    pub(super) fn click(&mut self, seat: &str) -> &mut Self {
        let at = self.seat_cell(seat);
        for what in [PointerAct::Press, PointerAct::Release] {
            self.send(Msg::Pointer(Pointer { at, what }));
        }
        self.settle();
        self
    }

    pub(super) fn seat_cell(&mut self, seat: &str) -> Position {
        self.draw();
        let plan = self.app.seats.map().unwrap().plan.clone();
        let (seat, _) = plan.seats().find(|(_, found)| found.name == seat).unwrap();
        self.app.targets().find(&Target::Seat(seat)).unwrap()
    }

    pub(super) fn drawn(&mut self) -> Buffer {
        let size = self.app.shared.size;
        let area = Rect::new(0, 0, size.width, size.height);
        let mut buffer = Buffer::empty(area);
        let targets = frame::draw(&self.app, area, &mut buffer);
        self.app.drawn(targets);
        buffer
    }

    /// Style of a cell of the screen.
    pub(super) fn style_at(&mut self, at: Position) -> Style {
        self.drawn()[at].style()
    }

    pub(crate) fn draw(&mut self) -> String {
        lines(&self.drawn()).join("\n")
    }

    #[track_caller]
    pub(crate) fn shows(&mut self, text: &str) -> &mut Self {
        let screen = self.draw();
        assert!(screen.contains(text), "no {text:?} on\n{screen}");
        self
    }

    #[track_caller]
    pub(crate) fn hides(&mut self, text: &str) -> &mut Self {
        let screen = self.draw();
        assert!(!screen.contains(text), "{text:?} is on\n{screen}");
        self
    }

    /// Checks a message, newest first.
    #[track_caller]
    pub(crate) fn said(&mut self, text: &str) -> &mut Self {
        let says: Vec<String> = self.app.shared.says.newest_first().map(|message| message.text.clone()).collect();
        assert!(says.iter().take(3).any(|said| said.contains(text)), "{text:?} is not among {says:?}");
        self
    }

    /// The last message.
    #[track_caller]
    pub(super) fn newest(&mut self, text: &str) -> &mut Self {
        let newest = self.app.shared.says.newest_first().next().unwrap();
        assert!(newest.text.starts_with(text), "{:?} was said, not {text:?}", newest.text);
        self
    }

    pub(super) fn sales(&self) -> usize {
        let ben = self.engine.desk(actor("ben", "till-1"));
        ben.read(ReadReceipts::default()).unwrap().len()
    }

    /// Operations that this desk ran, by name.
    pub(super) fn asked_for(&self) -> Vec<String> {
        let ben = self.engine.desk(actor("ben", "till-1"));
        let entries = ben.read(ReadJournal::default()).unwrap();
        let own = entries.iter().filter(|entry| entry.station == "till-2");
        let verb = |request: &str| request.split('"').nth(1).unwrap().to_owned();
        own.map(|entry| verb(&entry.request)).collect()
    }

    pub(super) fn open_carts(&self) -> usize {
        let ben = self.engine.desk(actor("ben", "till-1"));
        ben.read(ReadOpenCarts::default()).unwrap().len()
    }

    #[track_caller]
    pub(super) fn free(&mut self, count: usize) -> &mut Self {
        self.notice();
        self.shows(&format!("{count} of 80 free"))
    }
}
