use crate::domain::correction::ReceiptKind;
use crate::domain::customer::Customer;
use crate::domain::event::Event;
use crate::domain::house::{WorkKind, WorkState, WorklistItem};
use crate::domain::ids::{CartId, KeepId, LineId, PerformanceId, ReceiptId, WorkId};
use crate::domain::job::ParkReason;
use crate::domain::loss::{CellGroup, Loss};
use crate::domain::money::Currency;
use crate::domain::owner::Owner;
use crate::domain::plan::SeatRef;
use crate::domain::time::Span;
use crate::engine::reads::events::EventView;
use crate::engine::reads::jobs::{JobSubject, JobView};
use crate::engine::reads::receipts::ReceiptRow;
use crate::engine::reads::tonight::{
    MoneyByMeans, MoneyTaken, Need, NeedKind, Pace, PerformanceRow, SoldByHour, Takings, Tally, Tonight as Page,
};
use crate::engine::reads::waitlist::WaitlistLength;
use crate::engine::reads::worklist::{OrderId, WorkView};
use crate::tui::app::tests::till::{Till, desk_told};
use crate::tui::data::msg::{Answer, Changed, Msg, Query};
use crate::tui::kit::input::PointerAct;
use crate::tui::kit::screen::Screen;
use crate::tui::kit::targets::{RowList, Target};
use crate::tui::widgets::testing::{SIZES, now, numbers};

/// An evening that the house tells of.
fn told(page: Page, tally: Vec<(String, Tally)>) -> impl FnMut(&Query) -> Option<Answer> {
    let beyond = performance("Revue", 24 * 20, (80, 80));
    move |query| match Some(query) {
        Some(Query::Tonight(_)) => Some(Answer::Tonight(Ok(Box::new(page.clone())))),
        Some(Query::Performances(_)) => Some(Answer::Performances(Ok(vec![beyond.clone()]))),
        Some(Query::Tally(_)) => Some(Answer::Tally(Ok(tally.clone()))),
        Some(Query::Receipts(_)) => Some(Answer::Receipts(Ok(vec![sold()]))),
        _ => None,
    }
}

fn desk_at(size: (u16, u16), page: Page) -> Till {
    desk_told((size, Screen::Tonight), told(page, tally()))
}

fn performance(title: &str, hours: i64, (seats, free): (u32, u32)) -> PerformanceRow {
    let start = now() + Span::minutes(hours * 60);
    PerformanceRow {
        id: PerformanceId::random(),
        title: title.into(),
        theater: "Main".into(),
        zone: chrono_tz::Europe::London,
        start,
        end: start + Span::minutes(150),
        canceled: false,
        seats,
        free,
        waiting: WaitlistLength::default(),
    }
}

fn tally() -> Vec<(String, Tally)> {
    let zone = |name: &str, free, booked| {
        let tally = Tally { free, held: 6, reserved: 8, kept: 4, booked, disabled: 0, free_by_category: vec![free, 0] };
        (name.to_owned(), tally)
    };
    vec![zone("Stalls", 41, 213), zone("Circle", 28, 196)]
}

fn displaced(performance: &PerformanceRow) -> Need {
    let seat = SeatRef { row: 2, seat: 2 };
    let owner = Owner::Line(LineId { cart: CartId::random(), number: 1 });
    Need {
        at: None,
        what: NeedKind::Work(Box::new(WorkView {
            item: WorklistItem {
                id: WorkId::random(),
                what: WorkKind::Displaced {
                    owner,
                    loss: Loss {
                        cells: CellGroup::Seats { performance: performance.id, seats: vec![seat] },
                        units: None,
                        of: None,
                        reason: "leak".into(),
                    },
                    paid: None,
                },
                since: now(),
                state: WorkState::Open,
            },
            performance: Some(performance.id),
            title: performance.title.clone(),
            seats: vec!["C3".into()],
            owner: "receipt till-2/457".into(),
            order: None,
            customer: Customer { name: "Dubois".into(), phone: "07700 900417".into(), ..Customer::default() },
            price: None,
        })),
    }
}

fn evening() -> Page {
    let hamlet = performance("Hamlet", 2, (652, 84));
    let jazz = performance("Jazz trio", 3, (120, 2));
    let family = performance("Family", 24, (652, 404));
    let needs = vec![
        displaced(&family),
        Need { at: Some(now() + Span::seconds(28)), what: NeedKind::CartsRunOut { carts: 3, seats: 9 } },
        Need {
            at: Some(now() + Span::minutes(60)),
            what: NeedKind::KeepEnds {
                keep: KeepId::random(),
                performance: hamlet.id,
                title: "Hamlet".into(),
                seats: ["D9", "D10", "D11", "D12"].map(String::from).to_vec(),
                reason: "guests".into(),
            },
        },
    ];
    Page {
        at: now(),
        zone: chrono_tz::Europe::London,
        performances: vec![hamlet, jazz, family],
        needs,
        takings: vec![Takings {
            station: "till-2".into(),
            receipts: 4,
            seats: 11,
            money: vec![MoneyTaken { currency: "GBP".parse().unwrap(), cash: 19_400, card: 40_000 }],
        }],
        means: vec![MoneyByMeans { currency: "GBP".parse().unwrap(), cash: 19_400, card: 40_000, owed: 10_800 }],
        sold: SoldByHour {
            from: now() - Span::minutes((13 * 24 + 18) * 60),
            hours: [vec![0; 13 * 24 + 17], vec![8, 1]].concat(),
        },
        has_theater: true,
    }
}

#[test]
fn the_screen_shows_sales_and_the_most_urgent_need_first() {
    let mut desk = desk_at((100, 30), evening());
    desk.shows("start show       free taken");
    desk.shows(">  TONIGHT  20:00 Hamlet");
    desk.shows("            21:00 Jazz trio");
    desk.shows("TOMORROW 18:00 Family");
    desk.shows("!");
    desk.shows("now       C3 lost: Dubois");
    desk.shows("a accept");
    desk.shows("in 28s    3 carts run out, 9");
    desk.shows("at 19:00  4 house seats, D9-D12");
    desk.shows("84 free");
    desk.shows("Stalls");
    desk.shows("House");
    desk.shows("till-2");
    desk.shows("all            11  194.00  400.00  594.00");
    let mut desk = desk_at((120, 36), evening());
    desk.shows("owed 108.00").hides("cash 194.00");
}

#[test]
fn the_screen_is_complete_on_a_small_terminal() {
    let mut desk = desk_at((80, 24), evening());
    desk.shows(">  TONIGHT  20:00 Hamlet");
    desk.shows("   84 ");
    desk.shows("now       C3 lost:");
    desk.shows("in 28s");
    desk.shows("House");
    desk.shows("594.00");
}

#[test]
fn enter_sells_and_b_goes_straight_to_the_best() {
    let page = evening();
    let jazz = page.performances[1].id;
    let mut desk = desk_at((100, 30), page);
    desk.keys("Down Enter").shows("[2 Seats]").keys("1 b").shows("best seats");
    assert_eq!(desk.app.seats.performance(), Some(jazz));
}

#[test]
fn tab_and_enter_open_the_screen_of_the_first_need() {
    let mut desk = desk_at((100, 30), evening());
    desk.keys("Tab i").shows("[2 Seats]").keys("1 Down Enter").shows("Open carts");
}

#[test]
fn a_need_is_settled_by_a_dialog_or_snoozed_on_this_desk() {
    let mut desk = desk_at((100, 30), evening());
    desk.keys("Tab Down e");
    desk.shows("> 18:10");
    desk.keys("e");
    desk.shows("> 19:00");
    desk.keys("Home Space").said("There is no worklist item");
}

#[test]
fn carts_that_run_out_after_those_seen_are_listed_again() {
    let mut desk = desk_at((100, 30), evening());
    desk.keys("Tab Down Space");
    desk.shows("seen      3 carts run out");
    let mut page = evening();
    page.needs[1] = Need { at: Some(now() + Span::seconds(90)), what: NeedKind::CartsRunOut { carts: 1, seats: 2 } };
    let rest = (now() + Span::seconds(30)).since(desk.app.shared.now);
    desk.tells(told(page, tally())).notice().wait(rest);
    desk.shows("in 1m00s  1 cart runs out");
}

fn told_of(event: &Event, minutes_ago: i64) -> Need {
    let at = now() - Span::minutes(minutes_ago);
    Need {
        at: Some(at),
        what: NeedKind::Told(Box::new(EventView {
            seq: minutes_ago,
            at,
            customer: Customer { name: "Weber".into(), ..Customer::default() },
            word: event.word().into(),
            body: serde_json::to_string(event).unwrap(),
            operator: "ada".into(),
            station: "till-2".into(),
            command: String::new(),
        })),
    }
}

#[test]
fn parked_jobs_and_events_are_needs_and_enter_opens_their_screen() {
    let mut page = evening();
    let expired = CartId::random();
    let parked = JobView {
        kind: "tidying".into(),
        subject: "house".into(),
        first_check_at: now(),
        next_check_at: now(),
        check_count: 0,
        failures: 5,
        parked: Some(ParkReason::Failed { tries: 5, problem: "no room".into() }),
        priority: 9,
        about: JobSubject::House,
    };
    let ran_out = Event::CartExpired {
        cart: expired,
        operator: "ada".into(),
        station: "till-2".into(),
        customer: None,
        seats: 2,
        expired_at: now(),
    };
    let taken = Event::TakenOver {
        cart: CartId::random(),
        from_operator: "ada".into(),
        from_station: "till-2".into(),
        operator: "ben".into(),
        station: "till-1".into(),
    };
    page.needs =
        vec![Need { at: None, what: NeedKind::Parked(Box::new(parked)) }, told_of(&ran_out, 12), told_of(&taken, 3)];
    let mut desk = desk_at((100, 30), page);
    desk.shows("now       parked: the house");
    desk.shows("at 17:48  2 seats of Weber went");
    desk.shows("at 17:57  ben at till-1 took over");
    desk.keys("Tab Enter").shows("[5 Jobs]").keys("1 Down Enter").shows("Take its seats again?");
    desk.keys("Esc Down Enter").shows("Open carts").keys("Esc Space");
    desk.shows("seen      ben at till-1");
}

/// The count of those who wait for one night had a column on every other.
#[test]
fn waiting_customers_are_counted_beside_the_performance_and_cut_no_other_title() {
    let mut page = evening();
    page.performances[1].waiting = WaitlistLength { people: 2, seats: 3 };
    page.performances[2].title = "The Big Wolf and Red".into();
    for (size, titles) in [
        ((60, 18), ["Hamlet", "Ja… 2 wait", "The Big W…"]),
        ((80, 24), ["Hamlet", "Jazz tr", "The Big Wolf "]),
        ((100, 30), ["Hamlet", "Jazz trio", "The Big Wolf and Red"]),
        ((120, 36), ["Hamlet", "Jazz trio", "The Big Wolf and Red"]),
        ((200, 60), ["Hamlet", "Jazz trio", "The Big Wolf and Red"]),
    ] {
        let mut desk = desk_at(size, page.clone());
        desk.shows(" 2 wait");
        for title in titles {
            desk.shows(title);
        }
        desk.keys("Down").shows("21:00 Ja");
    }
}

#[test]
fn house_seats_that_go_on_sale_share_a_line_and_a_snoozed_one_gives_way_to_the_next() {
    let mut page = evening();
    let release = page.needs.iter().find(|need| matches!(need.what, NeedKind::KeepEnds { .. })).cloned().unwrap();
    let mut next = release.clone();
    next.at = release.at.map(|at| at + Span::minutes(15));
    if let NeedKind::KeepEnds { keep, .. } = &mut next.what {
        *keep = KeepId::random();
    }
    page.needs.push(next);
    let mut desk = desk_at((100, 30), page);
    desk.shows("at 19:00  2 releases, first 4 house seats");
    desk.hides("at 19:15");
    desk.keys("Tab End e");
    desk.shows("at 19:15  4 house seats, D9-D12");
}

#[test]
fn e_snoozes_only_while_the_needs_have_the_focus() {
    let mut desk = desk_at((100, 30), evening());
    desk.keys("e").said("There is no hold to extend");
}

#[test]
fn filter_sort_and_week_are_named_on_the_screen() {
    let mut desk = desk_at((100, 30), evening());
    desk.keys("s");
    desk.shows("next 7 days, fewest free first");
    let text = desk.draw();
    assert!(text.find("Jazz trio") < text.find("Family"));
    desk.keys("s s f");
    desk.shows("next 7 days, with free seats");
    desk.keys(">");
    desk.shows("28 Nov to 4 Dec");
    desk.keys("<");
    desk.shows("next 7 days");
}

#[test]
fn a_click_selects_and_a_second_one_sells() {
    let mut desk = desk_at((100, 30), evening());
    let row = Target::Row(RowList::Performances, 2);
    desk.point(PointerAct::Press, &row).shows(">! TOMORROW 18:00 Family");
    desk.point(PointerAct::Press, &row).shows("[2 Seats]");
}

/// The wheel moved the cursor of the panel with the focus, wherever it turned.
#[test]
fn the_wheel_moves_the_list_under_the_mouse() {
    let mut desk = desk_at((100, 30), evening());
    desk.point(PointerAct::WheelDown, &Target::Row(RowList::Needs, 0)).shows(">  TONIGHT  20:00 Hamlet");
    let keys = desk.app.tonight.need_keys(&desk.app.shared);
    assert_eq!(desk.app.tonight.need.key(), keys.get(1));
}

#[test]
fn changes_are_read_again_at_most_once_a_second() {
    let mut desk = desk_at((100, 30), evening());
    let mut reads = |does: fn(&mut Till)| desk.questions(does).iter().filter(|asked| *asked == "Tonight").count();
    let changes = |desk: &mut Till| (0..5).for_each(|_| desk.send(Msg::Changed(Changed::Everything)));
    let second = |desk: &mut Till| _ = desk.wait(Span::seconds(1));
    assert_eq!(reads(second), 0);
    assert_eq!(reads(changes), 1);
    assert_eq!(reads(changes), 0);
    assert_eq!(reads(second), 1);
    assert_eq!(reads(second), 0);
}

#[test]
fn stations_without_a_line_share_one_so_that_takings_add_up() {
    let mut page = evening();
    let till = page.takings[0].clone();
    page.takings = (1..=9).map(|number| Takings { station: format!("till-{number}"), ..till.clone() }).collect();
    let mut desk = desk_at((100, 30), page);
    desk.shows("7 others");
    desk.shows("4,158.00");
    desk.shows("5,346.00");
}

#[test]
fn an_empty_house_says_what_to_do() {
    let mut page = evening();
    page.performances.clear();
    page.needs.clear();
    page.takings.clear();
    let mut desk = desk_at((100, 30), page);
    desk.shows("none in next 7 days: the next");
    desk.shows("18:00 Revue");
    desk.shows("Nothing now.");
    desk.shows("nothing yet");
    desk.keys(">");
    desk.shows("5 Dec to 11 Dec");
}

#[test]
fn a_house_without_a_theater_says_to_make_one_first() {
    let mut page = evening();
    page.performances.clear();
    page.has_theater = false;
    let mut desk = desk_at((100, 30), page);
    desk.shows("There is no theater yet. T adds one.");
}

#[test]
fn wide_and_hostile_titles_break_nothing() {
    let mut page = evening();
    page.performances[0].title = "劇場の\u{1b}[31m席\u{202e}名前と長い題名と長い題名と長い題名".into();
    for size in [(60, 18), (80, 24), (100, 30), (200, 60)] {
        let text = desk_at(size, page.clone()).draw();
        assert!(!text.contains(['\u{1b}', '\u{202e}']));
        let columns = usize::from(size.0);
        assert!(text.lines().all(|line| crate::domain::text::width(line) <= columns));
        assert!(text.lines().nth(1).unwrap().ends_with('─'), "{text}");
    }
}

#[test]
fn space_on_a_need_about_money_asks_before_settling_it() {
    let mut page = evening();
    let item = WorklistItem {
        id: WorkId::random(),
        what: WorkKind::UnissuedPayment {
            cart: CartId::random(),
            reference: "004417".into(),
            minor: 2000,
            currency: Currency::EUR,
            station: "till-2".into(),
        },
        since: page.at,
        state: WorkState::Open,
    };
    let work = WorkView {
        item,
        performance: None,
        title: String::new(),
        seats: Vec::new(),
        owner: "cart ..3fa2c1".into(),
        order: None,
        customer: Customer::default(),
        price: None,
    };
    let need = Need { at: None, what: NeedKind::Work(Box::new(work)) };
    page.needs.insert(0, need);
    let mut desk = desk_at((100, 30), page);
    desk.keys("Tab Space").said("There is no worklist item");
}

#[test]
fn a_lost_seat_leads_to_its_order() {
    let mut page = evening();
    if let NeedKind::Work(work) = &mut page.needs[0].what {
        work.order = Some(OrderId::Receipt(ReceiptId::random()));
    }
    let mut desk = desk_at((100, 30), page);
    desk.keys("Tab i").shows("[4 Orders]");
}

#[test]
fn every_number_is_whole_or_absent_at_every_size() {
    let categories = vec![41_234, 11_119, 700, 65, 4, 3_000];
    let stands = Tally {
        free: 56_122,
        held: 1_206,
        reserved: 812,
        kept: 104,
        booked: 11_536,
        disabled: 117,
        free_by_category: categories,
    };
    let at = |size| {
        let mut page = evening();
        page.performances[0].seats = 69_897;
        page.performances[0].free = 56_122;
        let tally = ["Stands north", "Stands"].map(|name| (name.to_owned(), stands.clone()));
        desk_told((size, Screen::Tonight), told(page, tally.to_vec())).draw()
    };
    let whole = numbers(&at((300, 90)));
    assert!(whole.contains("23072") && whole.contains("82468"), "{whole:?}");
    for size in SIZES {
        let seen = at(size);
        let strange: Vec<String> = numbers(&seen).difference(&whole).cloned().collect();
        assert!(strange.iter().all(|number| seen.contains(&format!(" +{number}"))), "{strange:?} in\n{seen}");
        assert!(seen.contains("112244"), "what is free in the house\n{seen}");
    }
    let small = at((60, 18));
    assert!(small.contains("free") && small.contains(" +"), "{small}");
}

fn sold() -> ReceiptRow {
    ReceiptRow {
        id: ReceiptId::random(),
        kind: ReceiptKind::Sale,
        number: "till-1/123".into(),
        issued_at: now() - Span::minutes(2),
        station: "till-1".into(),
        operator: "ben".into(),
        customer: "Rossi".into(),
        seats: 6,
        lost: 0,
        to_collect: false,
        title: "Jazz".into(),
        total: 12_100,
        cash: 12_100,
        card: 0,
        owed: 0,
        currency: "GBP".parse().unwrap(),
    }
}

#[test]
fn a_large_terminal_shows_what_was_just_sold_and_how_it_sold_in_the_last_hours() {
    let mut desk = desk_at((200, 60), evening());
    desk.shows("Just sold");
    desk.shows("17:58  till-1/123");
    desk.shows("6 seats");
    desk.shows("121.00");
    desk.shows("Sold by hour");
    desk.shows("9 seats in 24 hours");
    desk.shows("19:00");
    desk.shows("███");
    desk.hides("Sold by day");
    let mut page = evening();
    page.sold.hours[40] = 40;
    let mut desk = desk_at((200, 60), page);
    desk.shows("Sold by day");
    desk.shows("49 seats in 14 days");
    desk.shows("8 Nov");
    let mut desk = desk_at((70, 20), evening());
    desk.hides("Just sold");
}

#[test]
fn the_pace_of_sales_stands_behind_the_bar_where_it_fits() {
    let page = evening();
    let paces = vec![Pace { performance: page.performances[0].id, days: [1, 2, 4, 8, 18] }];
    let mut rest = told(page, tally());
    let mut desk = desk_told(((120, 36), Screen::Tonight), move |query| {
        let is_pace = matches!(query, Query::Pace(_));
        if is_pace { Some(Answer::Pace(Ok(paces.clone()))) } else { rest(query) }
    });
    desk.shows("  sold");
    desk.shows(" +18 ▁▂▄█");
    desk.resize(100, 30).hides("+18");
}

/// Needs have the lines that are free below the list.
#[test]
fn a_need_is_told_whole_where_lines_are_free() {
    for size in [(80, 24), (100, 30), (120, 36)] {
        let screen = desk_at(size, evening()).draw();
        let needs = screen.lines().skip_while(|line| !line.contains("Needs you")).skip(1);
        let needs: Vec<String> = needs.take(6).map(|line| line.chars().take(40).collect()).collect();
        assert!(!needs.concat().contains('…'), "{screen}");
    }
}

#[test]
fn money_by_means_is_told_once() {
    for size in [(80, 24), (100, 30), (160, 45)] {
        let screen = desk_at(size, evening()).draw();
        assert!(screen.matches("cash").count() < 2, "{screen}");
    }
}
