//! The tour, played to its end on the real desk with simulated time.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use ratatui::layout::{Position, Size};

use crate::demo::clock::DemoClock;
use crate::demo::crowd::{Crowd, LiveCrowd};
use crate::demo::guide::{Ground, Guide, Plays};
use crate::demo::testing::{House, NOON, furnished_at};
use crate::domain::correction::ReceiptKind;
use crate::domain::plan::SeatRef;
use crate::domain::time::Span;
use crate::engine::reads::carts::LineView;
use crate::engine::reads::receipts::ReadReceipts;
use crate::engine::verify::Verify;
use crate::tui::app::demo_bar::DemoBar;
use crate::tui::data::msg::{Changed, DemoCommand, Effect, Msg};
use crate::tui::desk::offscreen::Offscreen;
use crate::tui::kit::input::{Pointer, PointerAct};
use crate::tui::kit::shared::{Shared, Tone};
use crate::tui::kit::targets::Target;
use crate::tui::widgets::testing::{DARK, shared};

mod calendar;
mod chapters;
mod tonight;

/// The desk without its terminal.
struct Desk {
    screen: Offscreen,
    wanted: Vec<DemoCommand>,
}

impl std::ops::Deref for Desk {
    type Target = Offscreen;

    fn deref(&self) -> &Offscreen {
        &self.screen
    }
}

impl std::ops::DerefMut for Desk {
    fn deref_mut(&mut self) -> &mut Offscreen {
        &mut self.screen
    }
}

impl Desk {
    fn open(house: &House) -> Self {
        Self::at(&house.desk)
    }

    fn at(house: &crate::engine::Desk) -> Self {
        let shared = Shared { now: house.now(), ..shared((100, 30)) };
        Self { screen: Offscreen::open(house.clone(), shared).unwrap(), wanted: Vec::new() }
    }

    fn send(&mut self, msg: Msg) {
        for effect in self.screen.send(msg) {
            if let Effect::Demo(command) = effect {
                self.wanted.push(command);
            }
        }
    }

    fn key(&mut self, key: &str) {
        self.send(Msg::Key(key.parse().unwrap()));
    }
}

/// A running tour.
struct Touring<F> {
    house: House,
    clock: Arc<DemoClock>,
    guide: Guide<F>,
    told: Rc<RefCell<Vec<Msg>>>,
    desk: Desk,
}

fn touring() -> Touring<impl FnMut(Msg)> {
    let clock = Arc::new(DemoClock::from(NOON));
    let (house, _) = furnished_at(Arc::<DemoClock>::clone(&clock));
    let told = Rc::new(RefCell::new(Vec::new()));
    let tell = {
        let told = Rc::clone(&told);
        move |msg| told.borrow_mut().push(msg)
    };
    let crowd = Crowd::new(&house.desk, 1).unwrap();
    let ground = Ground {
        desk: house.desk.clone(),
        clock: Arc::clone(&clock),
        crowd: Some(LiveCrowd::start(crowd, None).unwrap()),
        _folder: None,
    };
    let mut guide = Guide::new(ground, ("0.25".parse().unwrap(), Plays::Once), tell);
    guide.begin(0);
    Touring { desk: Desk::open(&house), house, clock, guide, told }
}

impl<F: FnMut(Msg)> Touring<F> {
    /// Lets the guide act once and advances time; false at the end of the tour.
    fn go_on(&mut self) -> bool {
        let wait = self.guide.advance();
        let told: Vec<Msg> = self.told.borrow_mut().drain(..).collect();
        for msg in told {
            self.desk.send(msg);
        }
        let millis = wait.map_or(0, |wait| i64::try_from(wait.as_millis()).unwrap());
        if millis > 0 {
            self.clock.run_ahead(Span::from_millis(millis));
            self.desk.send(Msg::Tick(self.house.desk.now()));
            self.desk.send(Msg::Changed(Changed::Everything));
        }
        wait.is_some()
    }
}

#[test]
fn the_tour_loses_a_race_lets_a_cart_run_out_and_ends_with_a_sale() {
    let mut tour = touring();
    while tour.go_on() {}
    let says = &tour.desk.app.shared.says;
    let refusals: Vec<&str> = says
        .newest_first()
        .filter(|message| message.tone == Tone::Refused)
        .map(|message| message.text.as_str())
        .collect();
    let [ended, gone] = refusals.as_slice() else { panic!("{refusals:?}") };
    assert!(gone.contains("till-1 holds them"), "{gone}");
    assert!(ended.contains("The hold has ended"), "{ended}");
    let receipts = tour.house.desk.read(ReadReceipts::default()).unwrap();
    let sold: Vec<usize> =
        receipts.iter().filter(|receipt| receipt.number == "till-2/1").map(|receipt| receipt.seats).collect();
    assert_eq!(sold, [6]);
    let after: Vec<ReceiptKind> = ["till-2/2", "till-2/3"]
        .iter()
        .filter_map(|number| receipts.iter().find(|receipt| receipt.number == *number))
        .map(|receipt| receipt.kind)
        .collect();
    assert_eq!(after, [ReceiptKind::Exchange, ReceiptKind::Refund]);
    let report = tour.house.desk.read(Verify::default()).unwrap();
    assert!(report.violations.is_empty(), "{:#?}", report.violations);
}

#[test]
fn while_a_tour_plays_a_persons_keys_steer_it_and_the_tours_keys_work_the_desk() {
    let mut tour = touring();
    for _ in 0..12 {
        assert!(tour.go_on());
    }
    assert!(tour.desk.app.modal.is_some(), "the tour asks for the best seats");
    assert_eq!(tour.desk.app.bar, DemoBar::Open);
    for key in ["Space", "Right", "+", "x", "Enter"] {
        tour.desk.key(key);
    }
    assert_eq!(tour.desk.wanted, [DemoCommand::Pause, DemoCommand::Step, DemoCommand::Faster, DemoCommand::Leave]);
    assert!(tour.desk.app.modal.is_some(), "none of them reached the prompt");
    assert_eq!(tour.desk.app.bar, DemoBar::Closed);
    tour.desk.key("Esc");
    assert!(tour.desk.app.modal.is_none(), "and now the keys are the desk's");
}

#[test]
fn a_caption_takes_no_line_from_the_screen_and_shows_the_pressed_keys_until_esc_ends_the_tour() {
    let mut tour = touring();
    for _ in 0..12 {
        assert!(tour.go_on());
    }
    let [first, .., last] = &tour.desk.app.pressed[..] else { panic!("{:?}", tour.desk.app.pressed) };
    assert_eq!((first.as_str(), last.as_str()), ("b", "4"));
    for size in [(20, 6), (60, 18), (160, 45), (100, 30)] {
        tour.desk.send(Msg::Resize(Size::new(size.0, size.1)));
        tour.desk.drawn();
    }
    let toured = tour.desk.drawn();
    let shows = |buffer: &ratatui::buffer::Buffer, words: &str| {
        buffer.content().iter().map(ratatui::buffer::Cell::symbol).collect::<String>().contains(words)
    };
    assert!(shows(&toured, " tour 3/22 ") && shows(&toured, " b 4 "));
    tour.desk.key("Esc");
    assert_eq!(tour.desk.wanted, [DemoCommand::Leave]);
    tour.guide.obey(DemoCommand::Leave);
    tour.go_on();
    let left = tour.desk.drawn();
    assert!(!shows(&left, " tour 3/22 "));
    let below = |buffer: &ratatui::buffer::Buffer| {
        let rows = (3..26).flat_map(|y| (0..100).map(move |x| (x, y)));
        rows.map(|at| buffer[at].symbol().to_owned()).collect::<String>()
    };
    assert_eq!(below(&toured), below(&left), "the rest stands where it stood");
}

/// Sizes from the smallest to the largest, one after the other, so that each step is drawn at two.
#[test]
fn each_step_of_the_tour_is_drawn_at_whatever_size_the_terminal_gets() {
    let mut tour = touring();
    let mut sizes = [(20, 6), (300, 90), (60, 18), (80, 24), (33, 9), (200, 60), (100, 30)].into_iter().cycle();
    let mut captions = 0;
    while tour.go_on() {
        for (width, height) in sizes.by_ref().take(2) {
            tour.desk.send(Msg::Resize(Size::new(width, height)));
            let drawn = tour.desk.drawn();
            let rows = drawn.content().chunks(usize::from(width));
            let rows: Vec<String> = rows.map(|row| row.iter().map(ratatui::buffer::Cell::symbol).collect()).collect();
            assert_eq!(rows.len(), usize::from(height));
            captions += usize::from(rows.iter().any(|row| row.contains("/22 ")));
            if width >= 80 {
                assert!(rows[0].contains("2 Seats"), "{width}x{height} {rows:#?}");
                assert!(!rows[rows.len() - 1].trim().is_empty(), "{width}x{height} {rows:#?}");
            }
        }
    }
    assert!(captions > 20, "{captions}");
}

/// The map at each size that the terminal gets while the tour plays.
#[test]
fn a_resize_amid_the_tour_leaves_the_map_readable_and_a_click_hits_what_it_shows() {
    let mut tour = touring();
    tour.desk.app.shared.theme = DARK.clone();
    let own = |desk: &Desk| -> Vec<SeatRef> {
        let lines = desk.app.shared.cart.view().map_or(&[][..], |view| &view.lines);
        lines.iter().flat_map(LineView::seats).map(|(seat, _)| *seat).collect()
    };
    while own(&tour.desk).is_empty() {
        assert!(tour.go_on());
    }
    for (width, height) in [(80, 24), (200, 60), (60, 18), (120, 36), (33, 9), (100, 30)] {
        tour.desk.send(Msg::Resize(Size::new(width, height)));
        let drawn = tour.desk.draw();
        let mut seats: BTreeMap<(SeatRef, u16), (Vec<Position>, String)> = BTreeMap::new();
        for at in drawn.area.positions() {
            if let Some(Target::Seat(seat)) = tour.desk.app.targets().at(at) {
                let (cells, text) = seats.entry((*seat, at.y)).or_default();
                cells.push(at);
                text.push_str(drawn[at].symbol());
            }
        }
        let map = tour.desk.app.seats.map().unwrap();
        let mut numbers = 0;
        for ((seat, _), (_, text)) in &seats {
            let number: String = text.chars().filter(char::is_ascii_digit).collect();
            let label = &map.plan.seat(*seat).unwrap().label;
            assert!(label.ends_with(&number), "{width}x{height} {label} {text:?}");
            numbers += usize::from(!number.is_empty());
        }
        if width < 60 {
            continue;
        }
        assert!(numbers >= own(&tour.desk).len(), "{width}x{height}: {numbers} of one's own seats have their number");
        let ((seat, _), (cells, _)) = seats.iter().rfind(|((seat, _), _)| map.is_free(*seat)).unwrap();
        let (seat, at) = (*seat, *cells.last().unwrap());
        for what in [PointerAct::Press, PointerAct::Release] {
            tour.desk.send(Msg::Pointer(Pointer { at, what }));
        }
        assert!(own(&tour.desk).contains(&seat), "{width}x{height} {seat:?} at {at}");
    }
}
