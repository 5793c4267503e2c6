//! Stories of a desk: keys in, screen out, on a real engine whose clock stands still until it is moved.

use std::sync::Arc;

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect, Size};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

use crate::domain::ids::PerformanceId;
use crate::domain::time::{Instant, Span};
use crate::engine::clock::ManualClock;
use crate::engine::ops::{
    AddPerformance, AddTheater, BePresent, DisableSeats, HoldSeats, Kept, NamedPrice, Wanted, Which,
};
use crate::engine::reads::carts::ReadOpenCarts;
use crate::engine::reads::receipts::ReadReceipts;
use crate::engine::{Actor, Config, Engine};
use crate::formats::rows;
use crate::store::Missing;
use crate::tui::app::App;
use crate::tui::input::{Key, Pointer, PointerAct};
use crate::tui::keymap::Keymap;
use crate::tui::msg::{Changed, ClockJump, Effect, Mouse, Msg, Subject};
use crate::tui::own_cart::OwnCart;
use crate::tui::printing::Printer;
use crate::tui::remote::Tickets;
use crate::tui::runtime::Runtime;
use crate::tui::shared::{Says, Shared};
use crate::tui::stations::Stations;
use crate::tui::targets::Target;
use crate::tui::theme::{GlyphSet, Glyphs, Theme, ThemeName};
use crate::tui::view;

mod calendar;
mod reserving;

/// Saturday 21 November 2026, noon in UTC.
const NOON: Instant = Instant::from_millis(1_795_262_400_000);

struct Till {
    app: App,
    runtime: Runtime,
    inbox: UnboundedReceiver<Msg>,
    under_way: usize,
    quit: bool,
    clock: Arc<ManualClock>,
    show: PerformanceId,
    engine: Engine,
    _tokio: tokio::runtime::Runtime,
    _folder: tempfile::TempDir,
}

fn actor(operator: &str, station: &str) -> Actor {
    Actor {
        operator: operator.into(),
        station: station.into(),
    }
}

fn price(ticket_type: Option<&str>, minor: i64) -> NamedPrice {
    NamedPrice {
        category: None,
        ticket_type: ticket_type.map(str::to_owned),
        minor,
    }
}

/// The desk of ada at till-2, in The Royal (5 rows of 16), "Hamlet" tonight at 10.00, children 5.00.
fn desk() -> Till {
    let folder = tempfile::tempdir().unwrap();
    let clock = Arc::new(ManualClock::at(NOON));
    let engine = Engine::open(Config {
        missing: Missing::Create,
        clock: clock.clone(),
        ..Config::new(folder.path().join("house.db"))
    })
    .unwrap();
    let handle = engine.desk(actor("ada", "till-2"));
    let theater = handle
        .run(AddTheater {
            name: "The Royal".into(),
            plan: rows::parse("5x16").unwrap(),
            time_zone: Some(chrono_tz::Tz::UTC),
        })
        .unwrap();
    let start = NOON + Span::minutes(450);
    let opened = handle
        .run(AddPerformance {
            theater: theater.id,
            title: "Hamlet".into(),
            description: String::new(),
            start,
            end: start + Span::minutes(150),
            currency: None,
            prices: vec![price(None, 1000), price(Some("Child"), 500)],
        })
        .unwrap();
    let (sender, inbox) = unbounded_channel();
    let tokio = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .build()
        .unwrap();
    let runtime = Runtime::new(handle, sender, tokio.handle().clone());
    let mut till = Till {
        app: App::new(shared(Size::new(100, 30))),
        runtime,
        inbox,
        under_way: 0,
        quit: false,
        clock,
        show: opened.performance.id,
        engine,
        _tokio: tokio,
        _folder: folder,
    };
    let effects = till.app.start();
    till.carry_out(effects);
    till.settle();
    till
}

fn shared(size: Size) -> Shared {
    Shared {
        now: NOON,
        clock_jump: crate::tui::msg::ClockJump::None,
        printer: None,
        away: None,
        zone: chrono_tz::Tz::UTC,
        operator: "ada".into(),
        station: "till-2".into(),
        size,
        theme: Theme::named(ThemeName::Mono).unwrap(),
        glyphs: Glyphs::of(GlyphSet::Unicode),
        keymap: Keymap::standard().unwrap(),
        cart: OwnCart::default(),
        mouse: Mouse::On,
        says: Says::default(),
        stations: Stations::default(),
        demo: None,
        tickets: Tickets::default(),
    }
}

impl Till {
    fn carry_out(&mut self, effects: Vec<Effect>) {
        for effect in effects {
            match effect {
                Effect::Read(ticket, query) => {
                    self.under_way += 1;
                    self.runtime.read(ticket, query);
                }
                Effect::Run(ticket, command) => {
                    self.under_way += 1;
                    self.runtime.run(ticket, command);
                }
                Effect::Print(ticket, printer, text) => {
                    self.under_way += 1;
                    self.runtime.print(ticket, printer, text);
                }
                Effect::Quit => self.quit = true,
                Effect::Copy(_)
                | Effect::Mouse(_)
                | Effect::Redraw
                | Effect::Suspend
                | Effect::Demo(_) => {}
            }
        }
    }

    fn send(&mut self, msg: Msg) {
        let effects = self.app.update(msg);
        self.carry_out(effects);
    }

    /// Waits until everything asked is answered.
    fn settle(&mut self) {
        while self.under_way > 0 {
            let msg = self.inbox.blocking_recv().unwrap();
            self.under_way -= usize::from(matches!(msg, Msg::Answer(..)));
            self.send(msg);
        }
        self.draw();
    }

    /// Keys one after the other, each answered before the next.
    fn keys(&mut self, keys: &str) -> &mut Self {
        for key in keys.split(' ') {
            self.burst(key);
            self.wait(Span::from_millis(500));
        }
        self
    }

    /// Keys that arrive together, before anything is answered.
    fn burst(&mut self, keys: &str) -> &mut Self {
        for key in keys.split(' ') {
            self.send(Msg::Key(key.parse::<Key>().unwrap()));
        }
        self.settle();
        self
    }

    fn types(&mut self, text: &str) -> &mut Self {
        for letter in text.chars() {
            self.send(Msg::Key(Key::plain(crossterm::event::KeyCode::Char(
                letter,
            ))));
        }
        self.settle();
        self
    }

    /// Time goes on.
    fn wait(&mut self, span: Span) -> &mut Self {
        self.clock.set(self.runtime.now() + span);
        self.send(Msg::Tick(self.runtime.now()));
        self.settle();
        self
    }

    /// Another station does something, and this one is told.
    fn notice(&mut self) -> &mut Self {
        self.send(Msg::Changed(Changed::Everything));
        self.settle();
        self
    }

    fn ben_holds(&mut self, seats: &[&str]) -> &mut Self {
        let ben = self.engine.desk(actor("ben", "till-1"));
        ben.run(HoldSeats {
            cart: None,
            performance: self.show,
            seats: Wanted::Named(seats.iter().map(|seat| (*seat).to_owned()).collect()),
            ticket_type: None,
            kept: Kept::Refuse,
        })
        .unwrap();
        self
    }

    fn disable(&mut self, seats: &[&str]) -> &mut Self {
        let ada = self.engine.desk(actor("ada", "till-2"));
        ada.run(DisableSeats {
            which: Which::Performance(self.show),
            seats: seats.iter().map(|seat| (*seat).to_owned()).collect(),
            reason: "leak".into(),
        })
        .unwrap();
        self
    }

    fn resize(&mut self, width: u16, height: u16) -> &mut Self {
        self.send(Msg::Resize(Size::new(width, height)));
        self.settle();
        self
    }

    fn click(&mut self, seat: &str) -> &mut Self {
        let at = self.seat_cell(seat);
        for what in [PointerAct::Press, PointerAct::Release] {
            self.send(Msg::Pointer(Pointer { at, what }));
        }
        self.settle();
        self
    }

    fn seat_cell(&mut self, seat: &str) -> Position {
        self.draw();
        let plan = self.app.seats.map().unwrap().plan.clone();
        let (seat, _) = plan.seats().find(|(_, found)| found.name == seat).unwrap();
        self.app.targets().find(&Target::Seat(seat)).unwrap()
    }

    fn draw(&mut self) -> String {
        let size = self.app.shared.size;
        let area = Rect::new(0, 0, size.width, size.height);
        let mut buffer = Buffer::empty(area);
        let targets = view::draw(&self.app, area, &mut buffer);
        self.app.drawn(targets);
        let line = |y| {
            let cells = (0..size.width).map(|x| buffer[(x, y)].symbol());
            cells.collect::<String>().trim_end().to_owned()
        };
        (0..size.height).map(line).collect::<Vec<_>>().join("\n")
    }

    #[track_caller]
    fn shows(&mut self, text: &str) -> &mut Self {
        let screen = self.draw();
        assert!(screen.contains(text), "no {text:?} on\n{screen}");
        self
    }

    #[track_caller]
    fn hides(&mut self, text: &str) -> &mut Self {
        let screen = self.draw();
        assert!(!screen.contains(text), "{text:?} is on\n{screen}");
        self
    }

    /// What was said, newest first.
    #[track_caller]
    fn said(&mut self, text: &str) -> &mut Self {
        let says: Vec<String> = self
            .app
            .shared
            .says
            .newest_first()
            .map(|message| message.text.clone())
            .collect();
        assert!(
            says.iter().take(3).any(|said| said.contains(text)),
            "{text:?} is not among {says:?}"
        );
        self
    }

    fn sales(&self) -> usize {
        let ben = self.engine.desk(actor("ben", "till-1"));
        ben.read(ReadReceipts::default()).unwrap().len()
    }

    fn open_carts(&self) -> usize {
        let ben = self.engine.desk(actor("ben", "till-1"));
        ben.read(ReadOpenCarts::default()).unwrap().len()
    }

    #[track_caller]
    fn free(&mut self, count: usize) -> &mut Self {
        self.notice();
        self.shows(&format!("{count} of 80 free"))
    }
}

#[test]
fn four_best_are_sold_for_cash_in_five_keys() {
    let mut till = desk();
    till.keys("2 b 4 Enter")
        .shows("are yours until")
        .shows("TOTAL EUR 40.00");
    till.keys("p").shows("TO PAY").shows("EUR 40.00");
    till.keys("Enter")
        .shows("Sold   receipt till-2/1")
        .shows("CHANGE");
    assert_eq!(till.sales(), 1);
    till.free(76);
}

#[test]
fn the_same_typed_ahead_in_one_burst() {
    let mut till = desk();
    till.burst("2").burst("b 4 Enter p Enter");
    assert_eq!(till.sales(), 1);
    till.shows("Sold   receipt till-2/1").free(76);
}

#[test]
fn typed_ahead_from_tonight_before_anything_has_come() {
    let mut till = desk();
    till.burst("b 4 Enter p 2 0 0 Enter");
    assert_eq!(till.sales(), 1);
    till.shows("CHANGE").shows("160.00");
}

#[test]
fn the_change_stays_until_the_next_pick() {
    let mut till = desk();
    till.keys("2 b 4 Enter p 2 0 0 Enter").shows("160.00");
    till.keys("g").types("a1").keys("Enter").shows("160.00");
    till.keys("Enter Enter").shows("is yours").hides("160.00");
    assert_eq!(till.sales(), 1, "Enter on the map picks, it never pays");
}

#[test]
fn a_doubled_enter_is_harmless() {
    let mut till = desk();
    till.burst("2").burst("b 4 Enter Enter").shows("4 seats");
    till.burst("p Enter Enter Enter Enter");
    assert_eq!(till.sales(), 1);
    till.keys("g")
        .types("a1")
        .keys("Enter")
        .burst("Enter Enter");
    assert_eq!(till.open_carts(), 1, "one seat is picked, once");
    till.keys("C Enter").shows("1 seat ");
    till.keys("q Enter Enter");
    assert!(!till.quit);
}

#[test]
fn a_snatched_seat_is_named_and_replaced_with_one_key() {
    let mut till = desk();
    till.keys("2 g").types("c8-9").keys("Enter");
    till.ben_holds(&["C9"]);
    till.keys("Space")
        .shows("C9 is gone")
        .shows("till-1")
        .shows("take ");
    assert!(till.app.shared.cart.view().is_none(), "nothing was taken");
    till.wait(Span::seconds(60)).shows("C9 is gone");
    till.keys("a").shows("2 seats").hides("is gone");
}

#[test]
fn esc_closes_a_refusal_and_then_nothing() {
    let mut till = desk();
    till.keys("2 g").types("c9").keys("Enter");
    till.ben_holds(&["C9"]);
    till.keys("Space").shows("C9 is gone");
    till.keys("Esc").wait(Span::seconds(4)).hides("C9 is gone");
    till.keys("Esc").said("Nothing is open; q quits");
}

#[test]
fn a_refusal_closes_pay_and_drops_what_was_typed_behind_it() {
    let mut till = desk();
    till.keys("2 Space").shows("1 seat");
    till.keys("g").types("c9").keys("Enter");
    till.ben_holds(&["C9"]);
    till.burst("Space p 2 0 0 Enter")
        .said("Not paid")
        .hides("TO PAY");
    assert_eq!(till.sales(), 0);
    till.burst("Enter q").hides("Quit?");
    till.wait(Span::seconds(1));
    till.keys("p")
        .shows("nothing typed means exact")
        .shows("Given      _");
}

#[test]
fn esc_leaves_pay_and_loses_nothing() {
    let mut till = desk();
    till.keys("2 b 2 Enter p 5 0 Esc")
        .hides("TO PAY")
        .shows("2 seats");
    till.keys("p").shows("50_").shows("30.00");
}

#[test]
fn a_closed_prompt_gives_its_text_back() {
    let mut till = desk();
    till.keys("2 b")
        .types("3 aisle")
        .keys("Esc b")
        .hides("3 aisle_");
    till.keys("Up").shows("3 aisle_");
}

#[test]
fn part_amounts_may_be_mixed() {
    let mut till = desk();
    till.keys("2 b 4 Enter p 1 5 Enter")
        .shows("STILL TO PAY of EUR 40.00")
        .shows("EUR 25.00");
    till.keys("d")
        .shows("Take 25.00 on the card terminal")
        .types("R77")
        .keys("Enter Enter");
    till.shows("Sold").shows("card R77");
    assert_eq!(till.sales(), 1);
}

#[test]
fn a_card_sale_goes_by_reference_and_two_enters() {
    let mut till = desk();
    till.keys("2 b 2 Enter p d")
        .types("004417")
        .keys("Enter Enter")
        .shows("Sold")
        .shows("card 004417");
}

#[test]
fn the_hold_ends_while_the_card_terminal_works_and_no_money_is_lost() {
    let mut till = desk();
    till.keys("2 b 2 Enter p d");
    till.wait(Span::minutes(61))
        .shows("If the card was charged");
    till.types("004417").keys("Enter Enter").shows("Sold");
    assert_eq!(till.sales(), 1);
}

#[test]
fn the_hold_ends_and_u_brings_the_cart_back() {
    let mut till = desk();
    till.keys("2 b 2 Enter p")
        .wait(Span::minutes(31))
        .hides("TO PAY")
        .said("the hold has ended");
    till.wait(Span::seconds(1)).free(80).keys("Enter").free(79);
    till.keys("u u").free(78).shows("2 seats");
}

#[test]
fn picks_and_gifts_back_are_undone() {
    let mut till = desk();
    till.keys("2 Space")
        .shows("u undo: pick")
        .keys("u")
        .free(80);
    till.keys("Space Space").shows("u undo: give back").free(80);
    till.keys("u").free(79);
    till.keys("t")
        .shows("Child")
        .shows("5.00")
        .keys("u")
        .shows("Adult");
}

#[test]
fn the_next_customer_keeps_the_seats_of_the_one_before() {
    let mut till = desk();
    till.keys("2 b 3 Enter n")
        .said("Set aside")
        .shows("no seats yet")
        .free(77);
    till.shows("1 set aside until 12:3");
    till.keys("o")
        .shows("set aside till-2")
        .keys("Enter")
        .shows("3 seats");
}

#[test]
fn another_stations_cart_is_taken_over_only_on_purpose() {
    let mut till = desk();
    till.ben_holds(&["A1", "A2"]);
    till.keys("2 o Enter")
        .shows("ben at till-1 works on it now")
        .keys("Enter")
        .hides("2 seats  ");
    till.keys("o Enter t").shows("2 seats").shows("A1");
}

#[test]
fn quitting_with_a_cart_asks_and_staying_is_the_answer_of_enter() {
    let mut till = desk();
    till.keys("2 Space q")
        .shows("Quit?")
        .keys("Enter")
        .hides("Quit?");
    assert!(!till.quit);
    till.keys("q g");
    assert!(till.quit);
    assert_eq!(till.open_carts(), 0);
    let mut other = desk();
    other.keys("2 Space q k");
    assert!(other.quit);
    assert_eq!(other.open_carts(), 1);
    let mut empty = desk();
    empty.keys("q");
    assert!(empty.quit, "without a cart nobody is asked");
}

#[test]
fn seats_go_out_of_use_only_after_a_reason_and_a_question() {
    let mut till = desk();
    till.keys("2 g").types("c3").keys("Enter");
    till.ben_holds(&["C3"]);
    till.notice()
        .keys("D")
        .types("broken")
        .keys("Enter")
        .shows("C3 is held by ben at till-1");
    till.keys("Enter")
        .free(79)
        .keys("D")
        .types("broken")
        .keys("Enter d")
        .said("Out of use");
    till.notice().shows("C3 is out of use (broken), by ada");
    till.keys("D")
        .shows("Back into use?")
        .keys("b")
        .said("Back into use")
        .free(80);
}

#[test]
fn a_total_that_changed_is_not_taken() {
    let mut till = desk();
    till.keys("2 b 2 Enter p").shows("EUR 20.00");
    let first = till.app.shared.cart.view().unwrap().lines[0].seats[0]
        .1
        .clone();
    till.engine
        .desk(actor("ben", "till-1"))
        .run(DisableSeats {
            which: Which::Performance(till.show),
            seats: vec![first],
            reason: "leak".into(),
        })
        .unwrap();
    till.keys("Enter");
    assert_eq!(till.sales(), 0);
    till.shows("EUR 10.00").keys("Enter");
    assert_eq!(till.sales(), 1);
}

#[test]
fn a_key_that_means_nothing_says_so() {
    let mut till = desk();
    till.keys("2 B")
        .shows("B does nothing here (Caps Lock?); ? shows keys");
    till.keys("z").shows("z does nothing here; ? shows keys");
}

#[test]
fn below_the_smallest_size_nothing_is_pressed_blindly() {
    let mut till = desk();
    till.keys("2 b 2 Enter p");
    till.send(Msg::Resize(Size::new(50, 12)));
    till.keys("Enter").shows("50x12 is too small");
    assert_eq!(till.sales(), 0);
    till.send(Msg::Resize(Size::new(100, 30)));
    till.keys("Enter");
    assert_eq!(till.sales(), 1);
}

#[test]
fn a_click_picks_and_a_double_click_does_not_give_back() {
    let mut till = desk();
    till.keys("2")
        .click("B7")
        .click("B7")
        .shows("1 seat ")
        .shows("B7 is yours");
    till.wait(Span::seconds(2))
        .click("B7")
        .shows("B7 given back");
}

#[test]
fn dragging_marks_and_a_click_on_the_mark_picks() {
    let mut till = desk();
    till.keys("2");
    let (from, to) = (till.seat_cell("B3"), till.seat_cell("B6"));
    for (at, what) in [
        (from, PointerAct::Press),
        (to, PointerAct::Drag),
        (to, PointerAct::Release),
    ] {
        till.send(Msg::Pointer(Pointer { at, what }));
    }
    till.shows("B3-B6   4 seats").free(80);
    till.wait(Span::seconds(1))
        .click("B4")
        .shows("B3-B6 are yours");
}

#[test]
fn a_paste_on_a_screen_looks_for_it() {
    let mut till = desk();
    till.send(Msg::Paste("\u{1b}hamlet\u{7}".into()));
    till.settle();
    till.shows("Find:")
        .shows("Hamlet")
        .keys("Enter")
        .shows("[2 Seats]");
}

#[test]
fn another_stations_hold_is_on_the_map_when_it_is_told() {
    let mut till = desk();
    till.keys("2 g")
        .types("d4")
        .keys("Enter")
        .ben_holds(&["D4"]);
    till.notice().shows("D4 is held by ben at till-1");
}

#[test]
fn every_screen_and_dialog_draws_at_every_size() {
    for (width, height) in [(60, 18), (80, 24), (100, 30), (200, 60), (40, 10), (1, 1)] {
        let mut till = desk();
        till.send(Msg::Resize(Size::new(width, height)));
        for keys in [
            "1",
            "4",
            "2",
            "b 2 Enter",
            "?",
            "Esc :",
            "Esc !",
            "Esc o",
            "Esc /",
            "Esc i",
            "Esc p",
            "d",
            "Esc Tab",
            "q",
        ] {
            till.keys(keys);
        }
        till.draw();
    }
}

#[test]
fn nothing_is_drawn_for_a_tick_that_changes_nothing() {
    let mut till = desk();
    till.keys("2").wait(Span::seconds(60));
    till.app.take_dirty();
    till.wait(Span::seconds(1));
    assert!(!till.app.take_dirty(), "an idle desk draws nothing");
    till.keys("Space");
    till.app.take_dirty();
    till.wait(Span::seconds(1));
    assert!(till.app.take_dirty(), "a countdown draws once a second");
}

#[test]
fn on_the_overview_space_goes_to_the_seats_and_picks_nothing() {
    let mut till = desk();
    till.keys("Enter - - - -").shows("80 free").shows("╭[");
    till.keys("Space").hides("╭[").shows("S T A G E").free(80);
    till.keys("Space").free(79);
}

#[test]
fn one_line_sells() {
    let mut till = desk();
    till.keys("2 :")
        .types("3 aisle")
        .keys("Enter")
        .shows("3 seats");
    till.keys(":")
        .types("3 balcony")
        .keys("Enter")
        .said("\"balcony\" is no zone");
    till.keys(":").types("und").keys("Enter").free(80);
}

#[test]
fn a_doubled_enter_behind_a_part_amount_does_not_take_the_rest() {
    let mut till = desk();
    till.keys("2 b 4 Enter p 1 5")
        .shows("STILL TO PAY")
        .shows("take the part 15");
    till.burst("Enter Enter Enter").shows("STILL TO PAY of");
    assert_eq!(till.sales(), 0, "the rest is asked for, not taken");
    till.keys("c Enter").shows("Sold   receipt");
    assert_eq!(till.sales(), 1);
}

#[test]
fn what_one_customer_gave_never_counts_for_the_next() {
    let mut till = desk();
    till.keys("2 b 4 Enter p 1 5 Enter Esc n")
        .keys("b 2 Enter p")
        .hides("STILL TO PAY")
        .shows("take 20.00");
}

#[test]
fn a_mark_says_which_of_its_seats_are_not_free() {
    let mut till = desk();
    till.ben_holds(&["C9"]).notice();
    till.keys("2 g")
        .types("c8-10")
        .keys("Enter")
        .shows("C9 is held by ben")
        .shows("C8, C10   2 seats   20.00");
}

#[test]
fn below_the_smallest_size_q_asks_even_over_pay_and_pay_is_kept() {
    let mut till = desk();
    till.keys("2 b 4 Enter p 5");
    till.resize(59, 17).hides("k keep").keys("Enter q");
    assert_eq!(till.sales(), 0);
    till.shows("k keep").keys("Esc").resize(60, 18);
    till.keys("p").shows("5_").shows("Phone");
}

#[test]
fn seats_that_are_set_aside_wear_their_own_sign_as_soon_as_it_is_told() {
    let mut till = desk();
    till.keys("2 b 4 Enter n").shows("Set aside");
    let cart = till.engine.desk(actor("ben", "till-1"));
    let id = cart.read(ReadOpenCarts::default()).unwrap()[0].id;
    till.send(Msg::Changed(Changed::These(vec![Subject::Cart(id)])));
    till.settle();
    till.shows("[%]% % %");
}

#[test]
fn a_desk_that_was_lost_is_told_of_its_cart_and_o_takes_it() {
    let mut till = desk();
    till.keys("2 b 4 Enter").shows("4 seats");
    till.app = App::new(shared(Size::new(100, 30)));
    let effects = till.app.start();
    till.carry_out(effects);
    till.settle();
    till.said("Your cart from before is held until");
    till.keys("o Enter")
        .shows("[2 Seats]")
        .shows("TOTAL EUR 40.00");
}

#[test]
fn a_clock_that_jumped_is_told_of_and_followed_only_on_purpose() {
    let mut till = desk();
    till.types(":confirm-clock").keys("Enter").said("agree");
    till.send(Msg::ClockJumped(ClockJump::of_millis(3_660_000)));
    till.shows("Clock jumped 61 min ahead (13:01); this desk keeps 12:00. : confirm-clock");
    till.wait(Span::seconds(10)).shows("clock?");
    till.types(":confirm-clock")
        .keys("Enter")
        .shows("Holds whose time is over then end at once");
    till.keys("Enter").hides("it is right").shows("clock?");
    till.types(":confirm-clock")
        .keys("Enter f")
        .said("follows its machine's clock again");
    till.send(Msg::ClockJumped(ClockJump::None));
    till.said("agree again").hides("clock?");
}

#[test]
fn a_station_sees_who_else_is_on_and_where_until_they_go_or_fall_silent() {
    let mut till = desk();
    till.keys("2").hides("also here");
    let here = till.app.seats.showing().unwrap();
    let ben = till.engine.desk(actor("ben", "till-1"));
    ben.run(BePresent::At(here.clone())).unwrap();
    till.send(Msg::Changed(Changed::These(Vec::new())));
    till.settle();
    till.shows("also here: till-1 (ben)");
    till.keys("1").shows("Stations").shows("till-1  ben");
    ben.run(BePresent::Off).unwrap();
    till.wait(Span::seconds(11)).hides("till-1  ben");
    ben.run(BePresent::At(here)).unwrap();
    till.wait(Span::seconds(11)).shows("till-1  ben");
    till.wait(Span::seconds(26)).hides("till-1  ben");
}

#[test]
fn a_click_or_enter_on_a_sold_seat_says_to_whom_and_takes_nothing() {
    let mut till = desk();
    till.keys("2")
        .types("gc8")
        .keys("Enter Space p Tab")
        .types("Mrs Smith");
    till.keys("Shift-Tab Enter")
        .shows("Sold   receipt till-2/1");
    till.keys("Right Left")
        .shows("C8 is sold; Enter says to whom");
    till.keys("Enter")
        .said("C8 is sold: receipt till-2/1, Mrs Smith");
    till.click("C8")
        .said("C8 is sold: receipt till-2/1, Mrs Smith");
    till.hides("is gone");
    till.ben_holds(&["D1"])
        .notice()
        .click("D1")
        .said("D1 is held by ben at till-1");
    assert_eq!((till.sales(), till.open_carts()), (1, 1));
}

#[test]
fn what_was_seen_leaves_at_once_and_u_brings_it_back() {
    let mut till = desk();
    till.keys("2").types("gc8").keys("Enter Space p Enter 1");
    till.disable(&["C8"]);
    till.notice().wait(Span::seconds(2)).shows("C8 out of use");
    till.burst("Tab")
        .burst("Space")
        .shows("Nothing now.")
        .shows("u undo: seen, C8");
    till.burst("u")
        .shows("C8 out of use")
        .hides("Nothing now.")
        .hides("undo: seen");
    till.keys("2")
        .types("gc8")
        .keys("Enter")
        .shows("C8 is sold, and out of use (leak) by ada");
}

#[test]
fn g_goes_to_a_day_of_the_programme_and_to_a_receipt() {
    let mut till = desk();
    till.types("g5 dec").keys("Enter").shows("5 Dec to 11 Dec");
    till.types("gnever")
        .keys("Enter")
        .shows("is no day")
        .keys("Esc");
    till.keys("2 b 2 Enter p Enter 4")
        .types("g1")
        .keys("Enter")
        .shows("Order till-2/1");
    till.types("gtill-2/7")
        .keys("Enter")
        .said("There is no receipt till-2/7");
    till.types("gtoday")
        .keys("Enter")
        .shows("Today, Saturday")
        .shows("till-2/1");
    till.types("gfri")
        .keys("Enter")
        .shows("20 Nov")
        .hides("till-2/1");
}

#[test]
fn every_way_out_of_a_refusal_is_read_in_a_small_terminal() {
    let mut till = desk();
    till.resize(80, 24).keys("2").types("gc9").keys("Enter");
    till.ben_holds(&["C9"]).keys("Space").shows("C9 is gone");
    till.shows("  a  take").shows("  b  others");
}

#[test]
fn a_sale_prints_what_pay_says_and_tickets_again_are_counted() {
    let mut till = desk();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tickets.txt");
    let printed = || std::fs::read_to_string(&path).unwrap_or_default();
    till.app.shared.printer = Printer::named(&path.display().to_string());
    till.keys("2 b 2 Enter p")
        .shows("[x] tickets   [ ] receipt");
    till.keys("Shift-Tab Space Space")
        .shows("[x] tickets   [x] receipt");
    till.keys("Tab Enter")
        .said("2 tickets and the receipt of till-2/1 printed");
    assert_eq!(printed().matches("of 2").count(), 2, "{}", printed());
    till.keys("t").shows("print the tickets to").keys("Enter");
    till.said("2 tickets of till-2/1 printed");
    assert!(printed().contains("COPY 1"), "{}", printed());
    till.keys("4 Enter t")
        .shows("Tickets")
        .keys("Ctrl-U")
        .types("|exit 3")
        .keys("Enter");
    till.said("Not printed: exit 3 ended with");
    till.keys("t Ctrl-U Enter").said("Shown, not printed");
}
