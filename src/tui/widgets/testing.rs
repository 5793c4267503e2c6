//! Test helpers: houses drawn as letters, and screens read back as text.

use std::sync::{Arc, LazyLock};

use ratatui::buffer::Buffer;
use ratatui::layout::{Rect, Size};

use crate::domain::cart::{Cart, CartState};
use crate::domain::customer::Customer;
use crate::domain::ids::{CartId, LineId, PerformanceId, PlanId, TheaterId};
use crate::domain::layout::Layout;
use crate::domain::money::Currency;
use crate::domain::performance::{Performance, PerformanceState, TicketPrice};
use crate::domain::plan::{Area, Category, Plan, PlanRow, Point, Seat, SeatKind, SeatRef, Zone};
use crate::domain::time::{Instant, Span, parse_local};
use crate::engine::reads::carts::{CartView, GoodsView, LineView, PerformanceLabel};
use crate::engine::reads::seat_map::{Holder, SeatMap, SeatState};
use crate::tui::data::msg::Mouse;
use crate::tui::data::own_cart::OwnCart;
use crate::tui::data::reads::Reads;
use crate::tui::data::stations::Stations;
use crate::tui::data::ticket::TicketCounter;
use crate::tui::kit::canvas::Canvas;
use crate::tui::kit::keymap::Keymap;
use crate::tui::kit::shared::{Says, Shared};
use crate::tui::kit::targets::Targets;
use crate::tui::kit::theme::{GlyphSet, Glyphs, Theme, ThemeName};
use crate::tui::widgets::Look;
use crate::tui::widgets::seat_map::{Chart, FreeSeats};

/// Themes of the tests, read once.
pub(crate) static DARK: LazyLock<Theme> = LazyLock::new(|| Theme::named(ThemeName::Dark).unwrap());
pub(crate) static MONO: LazyLock<Theme> = LazyLock::new(|| Theme::named(ThemeName::Mono).unwrap());

/// Distance between two seats, in hundredths.
const PITCH: i32 = 2500;

/// Current time of every test: Saturday 21 November 2026, 18:00 in London.
pub(crate) fn now() -> Instant {
    parse_local("2026-11-21T18:00", chrono_tz::Europe::London).unwrap()
}

/// A house with its map and chart.
pub(crate) struct House {
    pub(crate) map: SeatMap,
    pub(crate) chart: Chart,
    pub(crate) free: FreeSeats,
    pub(crate) mine: CartId,
}

impl House {
    /// Builds a house from lines `A oo..  ##`: the row's label, then one letter a seat as in the plain glyphs, `_`
    /// for an aisle's column. Digits are free seats of category 2 and above.
    pub(crate) fn new(rows: &[&str]) -> Self {
        let mine = CartId::random();
        let mut states = Vec::new();
        let mut plan_rows = Vec::new();
        for (row, y) in rows.iter().zip(1i32..) {
            let (label, letters) = row.split_once(' ').unwrap();
            let seats: Vec<(char, i32)> = letters.chars().zip(0i32..).filter(|(letter, _)| *letter != '_').collect();
            let seat = |((letter, x), number): ((char, i32), usize)| Seat {
                label: number.to_string(),
                name: format!("{label}{number}"),
                words: String::new(),
                category: u16::try_from(letter.to_digit(10).unwrap_or(1)).unwrap() - 1,
                at: Point { x: x * PITCH, y: y * PITCH },
                kind: match letter {
                    'w' => SeatKind::Wheelchair,
                    'c' => SeatKind::Companion,
                    'v' => SeatKind::Restricted,
                    _ => SeatKind::Standard,
                },
            };
            states.push(seats.iter().map(|(letter, _)| state(*letter, mine)).collect());
            plan_rows.push(PlanRow { label: label.to_owned(), seats: seats.into_iter().zip(1..).map(seat).collect() });
        }
        let plan = plan(vec![Zone { name: "Stalls".into(), rows: plan_rows }]);
        Self::of(plan, states, mine)
    }

    /// House of a plan with all seats free.
    pub(crate) fn empty(plan: Plan) -> Self {
        Self::all(plan, 'o')
    }

    /// House of a plan with all seats in the state of a letter.
    pub(crate) fn all(plan: Plan, letter: char) -> Self {
        let mine = CartId::random();
        let states = plan.rows().map(|(_, _, row)| row.seats.iter().map(|_| state(letter, mine)).collect()).collect();
        Self::of(plan, states, mine)
    }

    fn of(plan: Plan, states: Vec<Vec<SeatState>>, mine: CartId) -> Self {
        let plan = Arc::new(plan);
        let chart = Chart::new(&plan, Arc::new(Layout::new(&plan)));
        let map = seat_map(plan, states);
        Self { free: FreeSeats::count(&chart, &map), chart, map, mine }
    }

    /// Seat by name.
    pub(crate) fn seat(&self, name: &str) -> SeatRef {
        self.map.plan.by_name()[&name.to_lowercase()]
    }
}

fn plan(zones: Vec<Zone>) -> Plan {
    let category = |name: &str| Category { name: name.into(), color: None };
    Plan {
        name: "Test house".into(),
        categories: ["Front", "Middle", "Back"].map(category).to_vec(),
        zones,
        areas: vec![Area {
            at: Point { x: 3 * PITCH, y: -PITCH },
            extent: Point { x: 3 * PITCH, y: PITCH / 2 },
            text: "Stage".into(),
        }],
    }
}

fn seat_map(plan: Arc<Plan>, rows: Vec<Vec<SeatState>>) -> SeatMap {
    let start = now() + Span::minutes(90);
    let price = |(category, minor)| TicketPrice { category: Some(category), ticket_type: None, minor, list: None };
    let mut map = SeatMap {
        performance: Performance {
            capacity: Vec::new(),
            hall: None,
            id: PerformanceId::random(),
            theater: TheaterId::random(),
            plan: PlanId::random(),
            title: "Hamlet".into(),
            description: String::new(),
            start,
            end: start + Span::minutes(150),
            currency: "GBP".parse::<Currency>().unwrap(),
            prices: [(0, 6800), (1, 5400), (2, 3800)].map(price).to_vec(),
            postponed: Vec::new(),
            state: PerformanceState::Open,
            retired_from: None,
        },
        theater: "Main".into(),
        zone: chrono_tz::Europe::London,
        at: now(),
        free: 0,
        free_of: Vec::new(),
        plan,
        waiting: crate::engine::reads::waitlist::WaitlistLength::default(),
        rows: rows.into_iter().map(Arc::from).collect(),
    };
    map.count();
    map
}

fn state(letter: char, mine: CartId) -> SeatState {
    let holder = |cart, station: &str, set_aside| {
        SeatState::Held(Box::new(Holder {
            cart,
            line: 1,
            operator: "ben".into(),
            station: station.into(),
            set_aside,
            reserved: None,
            offered_to: None,
            until: now() + Span::seconds(151),
        }))
    };
    match letter {
        '.' => SeatState::Booked { line: LineId { cart: CartId::random(), number: 1 } },
        '#' => holder(mine, "till-2", false),
        '~' => holder(CartId::random(), "till-1", false),
        '%' => holder(CartId::random(), "till-2", true),
        'r' => SeatState::Held(Box::new(Holder {
            cart: CartId::random(),
            line: 1,
            operator: "ben".into(),
            station: "till-1".into(),
            set_aside: true,
            reserved: Some("Weber".into()),
            offered_to: None,
            until: now() + Span::minutes(600),
        })),
        'h' => SeatState::Kept { reason: "director's guests".into(), until: now() + Span::minutes(60) },
        'x' | '!' => SeatState::Disabled {
            operator: "ada".into(),
            approved: None,
            reason: "broken armrest".into(),
            displaced: letter == '!',
        },
        _ => SeatState::Free,
    }
}

/// Draws a screen of this size; returns its lines without trailing blanks, and each cell's hit target.
pub(crate) fn drawn(
    (width, height): (u16, u16),
    set: GlyphSet,
    draw: impl FnOnce(Look<'_>, Rect, &mut Canvas<'_>),
) -> (Vec<String>, Targets) {
    let (buffer, targets) = painted((width, height), set, draw);
    (lines(&buffer), targets)
}

/// [`drawn`] with styles.
pub(crate) fn painted(
    (width, height): (u16, u16),
    set: GlyphSet,
    draw: impl FnOnce(Look<'_>, Rect, &mut Canvas<'_>),
) -> (Buffer, Targets) {
    let area = Rect::new(0, 0, width, height);
    let mut buffer = Buffer::empty(area);
    let mut targets = Targets::new(area);
    let glyphs = Glyphs::of(set);
    let look = Look { theme: &DARK, glyphs: &glyphs };
    let mut canvas = Canvas { buffer: &mut buffer, targets: &mut targets, look };
    draw(look, area, &mut canvas);
    (buffer, targets)
}

/// Lines of a buffer without trailing blanks; the second cell of a wide character is left out.
pub(crate) fn lines(buffer: &Buffer) -> Vec<String> {
    let width = usize::from(buffer.area.width).max(1);
    buffer
        .content()
        .chunks(width)
        .map(|cells| {
            let mut line = String::new();
            let mut skip = 0;
            for cell in cells {
                if skip == 0 {
                    line.push_str(cell.symbol());
                    skip = crate::domain::text::width(cell.symbol()).max(1);
                }
                skip -= 1;
            }
            line.trim_end().to_owned()
        })
        .collect()
}

/// Cart with one line for each of `F9` or `F11 Child`, held by this desk.
pub(crate) fn cart_view(seats: &[&str]) -> CartView {
    let id = CartId::random();
    let performance = PerformanceLabel {
        id: PerformanceId::random(),
        title: "Hamlet".into(),
        theater: "Main".into(),
        start: now() + Span::minutes(90),
        zone: chrono_tz::Europe::London,
    };
    let lines: Vec<LineView> = seats
        .iter()
        .zip(1u32..)
        .map(|(seat, number)| {
            let (name, kind) = seat.split_once(' ').unwrap_or((seat, "Adult"));
            let price = if kind == "Child" { 2700 } else { 5400 };
            let at = SeatRef { row: 0, seat: number };
            LineView {
                id: LineId { cart: id, number },
                goods: GoodsView::Seats {
                    performance: performance.clone(),
                    seats: vec![(at, name.into())],
                    on_ticket: vec![format!("Seat {name}")],
                },
                kind: kind.into(),
                comp: false,
                unit_price: price,
                parts: Vec::new(),
                count: 1,
                total: price,
            }
        })
        .collect();
    CartView {
        returns: Vec::new(),
        lost: Vec::new(),
        customer: Customer::default(),
        cart: Cart {
            id,
            hold_cap_at: now() + Span::minutes(60),
            currency: "GBP".parse().ok(),
            ..Cart::empty(("ada", "till-2"), now(), Span::minutes(10))
        },
        state: CartState::Active,
        receipt: None,
        total: lines.iter().map(|line| line.total).sum(),
        lines,
    }
}

/// State shared by all screens, at till-2 in a terminal of this size.
pub(crate) fn shared((width, height): (u16, u16)) -> Shared {
    Shared {
        now: now(),
        on: crate::tui::kit::screen::Screen::default(),
        clock_jump: crate::tui::data::msg::ClockJump::None,
        printer: None,
        to_csv: Some(crate::cli::csv_of),
        folder: std::path::PathBuf::from("/nowhere"),
        follows: "willcall calendar follow --job".to_owned(),
        away: None,
        zone: chrono_tz::Europe::London,
        operator: "ada".into(),
        operators: Vec::new(),
        lock_after: crate::domain::time::Span::minutes(10),
        signed_in: None,
        station: "till-2".into(),
        size: Size { width, height },
        theme: MONO.clone(),
        glyphs: Glyphs::of(GlyphSet::Unicode),
        keymap: Keymap::standard().unwrap(),
        cart: OwnCart::default(),
        mouse: Mouse::On,
        says: Says::default(),
        stations: Stations::default(),
        reasons: crate::domain::house::Settings::default().reasons,
        demo: None,
        typed_before: std::collections::HashMap::new(),
        tickets: TicketCounter::default(),
        reads: Reads::default(),
    }
}

/// Terminal sizes at which every number has to be whole.
pub(crate) const SIZES: [(u16, u16); 9] =
    [(60, 18), (66, 20), (72, 24), (80, 24), (90, 26), (96, 28), (100, 30), (120, 36), (200, 60)];

/// Numbers on a screen, amounts and times included, without numbers cut by `…`.
pub(crate) fn numbers(screen: &str) -> std::collections::BTreeSet<String> {
    let is_part = |letter: char| letter.is_ascii_digit() || ".,:…".contains(letter);
    screen
        .split(|letter| !is_part(letter))
        .filter(|part| !part.contains('…'))
        .map(|part| part.trim_matches(['.', ',', ':']).to_owned())
        .filter(|part| !part.is_empty())
        .collect()
}
