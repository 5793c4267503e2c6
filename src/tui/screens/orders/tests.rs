use crate::domain::cart::{AlertRaised, CartState, Reservation};
use crate::domain::correction::ReceiptKind;
use crate::domain::customer::Customer;
use crate::domain::ids::{CartId, ReceiptId};
use crate::domain::line::Line;
use crate::domain::loss::CellGroup;
use crate::domain::paper::Letterhead;
use crate::domain::plan::SeatRef;
use crate::domain::receipt::{Means, Payment, Receipt, Tickets};
use crate::domain::refusal::Refusal;
use crate::domain::time::Span;
use crate::engine::ops::{AnyOperation, TicketsTo};
use crate::engine::reads::carts::{CartRow, ReadReservations};
use crate::engine::reads::receipts::{ReadReceipts, ReceiptRow, ReceiptView};
use crate::tui::app::tests::till::{Till, desk_told};
use crate::tui::data::msg::{Answer, Query};
use crate::tui::kit::screen::Screen;
use crate::tui::widgets::testing::{SIZES, cart_view, now, numbers};

/// Orders that the house tells of.
#[derive(Clone)]
struct Told {
    rows: Vec<ReceiptRow>,
    reserved: Vec<CartRow>,
    view: ReceiptView,
}

impl Told {
    fn of(rows: Vec<ReceiptRow>, reserved: Vec<CartRow>) -> Self {
        Self { rows, reserved, view: view() }
    }

    fn answer(&self, query: &Query) -> Option<Answer> {
        match Some(query) {
            Some(Query::Receipts(ReadReceipts { after, .. })) => {
                let after = after.and_then(|after| self.rows.iter().position(|row| row.id == after));
                let rows = self.rows.iter().skip(after.map_or(0, |at| at + 1));
                Some(Answer::Receipts(Ok(rows.take(100).cloned().collect())))
            }
            Some(Query::Reservations(ReadReservations { after })) => {
                let after = after.and_then(|after| self.reserved.iter().position(|row| row.id == after));
                let rows = self.reserved.iter().skip(after.map_or(0, |at| at + 1));
                Some(Answer::Reservations(Ok(rows.take(100).cloned().collect())))
            }
            Some(Query::Cart(_)) => {
                let row = self.reserved.first()?;
                let mut cart = cart_view(&["F9", "F10"]);
                cart.cart.id = row.id;
                cart.customer.name = "Weber".into();
                cart.cart.expires_at = now() + Span::minutes(60);
                cart.cart.reservation = row.reservation;
                Some(Answer::Cart(Ok(Box::new(cart))))
            }
            Some(Query::SeatMap(_)) => Some(Answer::SeatMap(Err(Refusal::NothingChosen.into()))),
            Some(Query::Receipt(_)) => Some(Answer::Receipt(Ok(Box::new(self.view.clone())))),
            _ => None,
        }
    }
}

fn desk_of(size: (u16, u16), told: Told) -> Till {
    desk_told((size, Screen::Orders), move |query| told.answer(query))
}

fn desk_at(size: (u16, u16), rows: Vec<ReceiptRow>) -> Till {
    desk_of(size, Told::of(rows, Vec::new()))
}

/// The house tells of other orders.
fn changes(desk: &mut Till, told: Told) -> &mut Till {
    desk.tells(move |query| told.answer(query)).notice().wait(Span::seconds(1))
}

fn row(number: u32, minutes_ago: i64, customer: &str) -> ReceiptRow {
    ReceiptRow {
        id: ReceiptId::random(),
        kind: ReceiptKind::Sale,
        number: format!("till-2/{number}"),
        issued_at: now() - Span::minutes(minutes_ago),
        station: "till-2".into(),
        operator: "ada".into(),
        customer: customer.into(),
        seats: 4,
        lost: usize::from(number == 456),
        to_collect: number == 455,
        title: "Hamlet".into(),
        total: 16_200,
        cash: 16_200,
        card: 0,
        owed: 0,
        currency: "GBP".parse().unwrap(),
    }
}

fn rows() -> Vec<ReceiptRow> {
    vec![row(457, 5, "Ann Lee"), row(456, 70, ""), row(455, 60 * 20, "Zoe")]
}

fn view() -> ReceiptView {
    let cart = cart_view(&["F9", "F10", "F11 Child", "F12 Child"]);
    let lines = cart.lines.iter().map(|view| {
        let performance = view.performance().unwrap().id;
        let seats: Vec<SeatRef> = view.named().map(|(seat, _)| seat).collect();
        let mut line =
            Line { number: view.id.number, ..Line::of_seats(performance, (&view.kind, view.unit_price), seats) };
        let lost = view.named().filter(|(_, name)| *name == "F10");
        let seats: Vec<SeatRef> = lost.map(|(seat, _)| seat).collect();
        line.goods.lose(&CellGroup::Seats { performance, seats });
        line
    });
    let receipt = Receipt {
        id: ReceiptId::random(),
        number: "till-2/457".into(),
        station: "till-2".into(),
        operator: "ada".into(),
        approved: None,
        issued_at: now(),
        cart: CartId::random(),
        customer: None,
        currency: "GBP".parse().unwrap(),
        lines: lines.collect(),
        total: 16_200,
        payments: vec![Payment { means: Means::Cash { given: 20_000 }, minor: 16_200 }],
        taxes: vec![],
        comp: String::new(),
        correction: None,
        corrected_by: vec![],
        credited: 0,
        tickets_printed: 0,
        receipt_printed: 0,
        printed_at: None,
        tickets: Tickets::Given,
        used: Vec::new(),
        reissues: Vec::new(),
        copies: Vec::new(),
    };
    ReceiptView {
        booking: None,
        receipt,
        customer: Customer { name: "Ann Lee".into(), phone: "0123".into(), ..Customer::default() },
        lines: cart.lines,
        returned: vec![],
        of: vec![],
        corrected_by: vec![],
        lost: vec!["F10".into()],
        codes: vec![],
        void: vec![],
        zone: chrono_tz::Europe::London,
        paper: Letterhead::default().paper("till-1"),
    }
}

#[test]
fn receipts_are_listed_newest_first_under_their_days() {
    let mut desk = desk_at((96, 30), rows());
    desk.shows("Today, Saturday 21 November 2026");
    desk.shows("> 17:55 Ann Lee");
    desk.shows("till-2/457  Hamlet");
    desk.shows("total GBP");
    desk.shows("   162.00");
    desk.shows("-1");
    desk.shows("Yesterday, Friday 20 November 2026");
    desk.shows("3 receipts");
}

#[test]
fn the_list_is_complete_at_eighty_columns() {
    let mut desk = desk_at((80, 24), rows());
    desk.shows("> 17:55 Ann Lee");
    desk.shows("till-2/457  Hamlet");
    desk.shows("total GBP");
    desk.shows("   162.00");
}

#[test]
fn an_order_opens_with_its_seats_and_paper() {
    let mut desk = desk_at((96, 30), rows());
    desk.keys("Enter");
    desk.shows("Order till-2/457");
    desk.shows("Ann Lee 0123");
    desk.shows("! lost F10: out of use");
    desk.shows(">F9");
    desk.shows("RECEIPT till-2/457");
    desk.keys("Tab");
    desk.shows("Seat F9");
    desk.keys("Down Enter").shows("[2 Seats]");
    desk.keys("4 Esc").shows("Today, Saturday");
}

#[test]
fn a_wide_terminal_shows_the_receipt_of_the_selected_row_beside_the_list() {
    let mut desk = desk_of((120, 36), Told::of(rows(), vec![reserved(AlertRaised::Nothing)]));
    desk.keys("Down").shows("> 17:55 Ann Lee");
    desk.shows("Orders | all days");
    desk.hides("customerorder");
    desk.shows("till-2/457");
    desk.shows("Order till-2/457");
    desk.shows("Ann Lee 0123");
    desk.shows("RECEIPT till-2/457");
    desk.hides(">F9");
    desk.keys("Home");
    desk.shows("Reservation Weber");
    desk.shows("pay by Sat 21 Nov 19:00");
    desk.shows("p  pay it now");
    desk.keys("Enter");
    desk.keys("Esc");
    desk.shows(">       Weber");
}

/// An order that its preview had read was opened without a cursor, so that Space picked nothing and all was given back.
#[test]
fn a_previewed_order_opens_with_the_cursor_on_its_first_seat() {
    for size in [(100, 30), (160, 45)] {
        let mut desk = desk_at(size, rows());
        desk.shows("17:55 Ann Lee");
        desk.shows("Order till-2/457");
        desk.keys("Enter");
        desk.shows(">F9");
    }
}

#[test]
fn a_narrow_terminal_reads_no_preview_until_it_is_made_wide() {
    let mut desk = desk_at((96, 30), rows());
    desk.hides("Order till-2/457");
    desk.resize(200, 60).shows("Order till-2/457");
    desk.shows("RECEIPT till-2/457");
    desk.shows("2 receipts     324.00");
}

fn reserved(told: AlertRaised) -> CartRow {
    let made_at = now() - Span::minutes(240);
    CartRow {
        id: CartId::random(),
        state: CartState::Active,
        operator: "ben".into(),
        station: "till-1".into(),
        set_aside: true,
        reservation: Some(Reservation {
            made_at,
            alert_at: now() - Span::minutes(60),
            final_at: now() + Span::minutes(30),
            told,
        }),
        customer: Customer { name: "Weber".into(), phone: "030".into(), ..Customer::default() },
        created_at: made_at,
        expires_at: now() + Span::minutes(60),
        seats: 2,
        total: 10_800,
        currency: "GBP".parse().ok(),
        title: "Hamlet".into(),
    }
}

#[test]
fn reservations_are_listed_first_and_open_with_their_keys() {
    let mut desk = desk_of((96, 30), Told::of(rows(), vec![reserved(AlertRaised::Alert)]));
    desk.shows("Unpaid reservations");
    desk.shows("pay by Sat 21 Nov 19:00 ! ");
    desk.shows("17:55 Ann Lee");
    desk.shows("till-2/457");
    desk.keys("f");
    desk.shows("1 reservation");
    desk.hides("till-2/457");
    desk.keys("Enter");
    desk.shows("Reservation Weber");
    desk.shows("pay by Sat 21 Nov 19:00, in 59 min");
    desk.shows("! reminder Sat 21 Nov 17:00");
    desk.shows("p  pay it now");
    desk.keys("e").shows("Pay by").keys("Esc C").shows("Cancel the reservation?").keys("Esc Esc");
    desk.shows("| not paid").keys("Enter p").shows("[2 Seats]");
    assert!(matches!(&desk.ran[..], [AnyOperation::TakeOver(_)]), "{:?}", desk.ran);
}

#[test]
fn reservations_are_complete_at_eighty_columns() {
    let mut desk = desk_of((80, 24), Told::of(rows(), vec![reserved(AlertRaised::Final)]));
    desk.shows("pay by 21 Nov 19:00 !! ");
    desk.shows("customer");
    desk.shows("Weber");
    desk.shows("   108.00");
    desk.keys("f Enter");
    desk.shows("C  cancel it, asks");
}

#[test]
fn tickets_are_shown_before_they_are_printed_again() {
    let mut desk = desk_at((96, 30), rows());
    desk.keys("Enter t").shows("print the tickets to");
    assert!(desk.ran.is_empty(), "nothing is counted before it is printed");
    desk.shows("Tickets").shows("1 of");
}

#[test]
fn tickets_kept_for_collection_are_handed_over_with_one_key() {
    let to = |desk: &Till| match desk.ran.last() {
        Some(AnyOperation::HandOver(over)) => over.to,
        other => panic!("{other:?}"),
    };
    let mut told = Told::of(rows(), Vec::new());
    told.view.receipt.tickets = Tickets::Waiting { told: None };
    let mut desk = desk_of((96, 30), told.clone());
    desk.keys("Enter").shows("! its tickets wait here to be collected").keys("c");
    assert_eq!(to(&desk), TicketsTo::Customer);
    told.view.receipt.tickets = Tickets::Given;
    changes(&mut desk, told).keys("c");
    assert_eq!(to(&desk), TicketsTo::Desk);
}

#[test]
fn filters_and_days_narrow_the_query() {
    let mut desk = desk_at((96, 30), rows());
    desk.keys("f");
    desk.shows("Nothing is reserved.");
    desk.keys("f");
    desk.shows("till-2 only");
    desk.keys("f");
    desk.shows("lost a seat");
    desk.shows("till-2/456");
    desk.hides("till-2/457");
    desk.keys("f");
    desk.shows("to be collected");
    desk.shows("till-2/455");
    desk.hides("till-2/456");
    desk.keys("f <");
    desk.shows("Orders | Sat 21 Nov");
    desk.keys("< > >");
    desk.shows("Orders | all days");
}

#[test]
fn moving_past_the_hundredth_receipt_reads_the_next_page() {
    let many = (0..130).map(|at| row(1000 - at, i64::from(at), "")).collect();
    let mut desk = desk_at((96, 30), many);
    desk.shows("latest 100 receipts");
    desk.keys("End End").shows("till-2/871").shows("> 15:51 ").shows("130 receipts");
    desk.notice().wait(Span::seconds(1)).shows("130 receipts");
}

#[test]
fn reservations_past_the_hundredth_are_read_before_the_receipts() {
    let mut told = Told::of(rows(), (0..130).map(|_| reserved(AlertRaised::Nothing)).collect());
    told.reserved[129].customer.name = "Yaeger".into();
    let mut desk = desk_of((96, 30), told.clone());
    desk.shows("first 100 reservations  End for more");
    desk.keys("End").hides("Today,");
    desk.keys("End");
    desk.shows("Yaeger");
    desk.shows("Yesterday, Friday");
    desk.shows("130 reservations  3 receipts");
    desk.keys("f End");
    desk.shows("130 reservations");
    told.reserved.pop();
    changes(&mut desk, told).shows("129 reservations").hides("Yaeger");
}

#[test]
fn a_filter_without_a_match_says_how_to_read_on() {
    let sold = (0..130).map(|at| row(if at == 120 { 456 } else { 1000 - at }, 1, ""));
    let mut desk = desk_at((96, 30), sold.collect());
    desk.keys("f f f");
    desk.shows("None among the latest receipts. End reads on");
    desk.keys("End");
    desk.shows("till-2/456");
    desk.shows("1 receipt");
}

#[test]
fn sorted_by_customer_nameless_receipts_come_last() {
    let mut desk = desk_at((96, 30), rows());
    desk.keys("s");
    let text = desk.draw();
    assert!(text.find("Ann Lee") < text.find("Zoe"));
    assert!(text.find("Zoe") < text.find("till-2/456"));
    assert!(!text.contains("Today"));
}

#[test]
fn an_empty_list_says_where_receipts_come_from() {
    let mut desk = desk_at((80, 24), Vec::new());
    desk.shows("No receipt yet.");
}

#[test]
fn every_amount_is_whole_at_every_size_and_the_currency_is_named_once() {
    let mut many = rows();
    many.push(ReceiptRow {
        number: "office-left/1457".into(),
        total: 1_234_567,
        ..row(454, 60 * 22, "Orchestra friends")
    });
    let with_reservation =
        |size, many: &[ReceiptRow]| desk_of(size, Told::of(many.to_vec(), vec![reserved(AlertRaised::Alert)])).draw();
    let whole = numbers(&with_reservation((300, 90), &many));
    for size in SIZES {
        let seen = with_reservation(size, &many);
        assert!(numbers(&seen).is_subset(&whole), "{:?} in\n{seen}", numbers(&seen).difference(&whole));
        assert_eq!(seen.matches("total GBP").count(), 1, "{seen}");
        assert!(seen.contains("12,345.67") && seen.contains("   108.00"), "{seen}");
    }
    many[0].currency = "EUR".parse().unwrap();
    let seen = with_reservation((60, 18), &many);
    assert!(seen.contains("EUR 162.00") && seen.contains("GBP 108.00"), "{seen}");
}

#[test]
fn a_name_and_a_title_stand_whole_beside_the_preview() {
    for size in [(80, 24), (100, 30), (120, 36)] {
        let rows = vec![ReceiptRow { title: "The Big Wolf".into(), ..row(458, 5, "Lindqvist") }, row(455, 70, "Zoe")];
        let mut desk = desk_at(size, rows);
        desk.shows("Lindqvist ").shows("The Big Wolf ");
    }
}
