use ratatui::layout::Size;

use super::Orders;
use crate::domain::cart::{AlertRaised, CartState, Reservation};
use crate::domain::correction::ReceiptKind;
use crate::domain::customer::Customer;
use crate::domain::ids::{CartId, ReceiptId};
use crate::domain::line::Line;
use crate::domain::loss::CellGroup;
use crate::domain::paper::Letterhead;
use crate::domain::plan::SeatRef;
use crate::domain::receipt::{Means, Payment, Receipt, Tickets};
use crate::domain::time::Span;
use crate::engine::ops::{AnyOperation, TicketsTo};
use crate::engine::reads::carts::{CartRow, ReadReservations};
use crate::engine::reads::receipts::{ReadReceipts, ReceiptRow, ReceiptView};
use crate::tui::data::msg::{Answer, Changed, Effect, Finished, Query, Subject};
use crate::tui::data::reads::Reads;
use crate::tui::data::reads::testing::{answered, asked};
use crate::tui::data::ticket::TicketOwner;
use crate::tui::data::told::told;
use crate::tui::kit::context::Context;
use crate::tui::kit::go::Go;
use crate::tui::kit::keymap::KeyPlace;
use crate::tui::kit::screen::Handled;
use crate::tui::kit::shared::Shared;
use crate::tui::kit::theme::GlyphSet;
use crate::tui::widgets::testing::{SIZES, cart_view, drawn, now, numbers, shared};

struct Desk {
    shared: Shared,
    orders: Orders,
    rows: Vec<ReceiptRow>,
    reserved: Vec<CartRow>,
    view: ReceiptView,
    asked: Vec<ReadReceipts>,
    ran: Vec<AnyOperation>,
    goes: Vec<Go>,
}

impl Desk {
    fn at(size: (u16, u16), rows: Vec<ReceiptRow>) -> Self {
        let mut desk = Self {
            shared: shared(size),
            orders: Orders::default(),
            rows,
            reserved: Vec::new(),
            view: view(),
            asked: Vec::new(),
            ran: Vec::new(),
            goes: Vec::new(),
        };
        desk.look();
        desk
    }

    fn step(&mut self, act: impl FnOnce(&mut Orders, &mut Context<'_>)) {
        let mut context = Context::new(&mut self.shared);
        act(&mut self.orders, &mut context);
        let asked = context.finish();
        self.goes.extend(asked.goes);
        for effect in asked.effects {
            let Effect::Run(ticket, command) = effect else { continue };
            let TicketOwner::Act(sent) = ticket.owner else { panic!("{ticket:?}") };
            self.view.receipt.tickets_printed += 1;
            self.ran.push(command);
            let told = told(&sent.act, &Finished::Receipt(Box::new(self.view.clone())), self.shared.here());
            self.shared.say(told.tone, told.words);
            self.shared.reads.changed(&Changed::Everything);
        }
        self.look();
    }

    /// Something changed, a second after the last read.
    fn changes(&mut self, changed: &Changed) {
        self.shared.now = self.shared.now + Span::seconds(1);
        self.shared.reads.changed(changed);
        self.look();
    }

    /// The screen is opened anew.
    fn begins(&mut self) {
        self.shared.reads = Reads::default();
        self.look();
    }

    /// Answers what the screen needs.
    fn look(&mut self) {
        let asked = asked(&mut self.shared, |shared, needs| self.orders.needs(shared, needs));
        let is_done = asked.is_empty();
        // the house of an order has tests of its own
        for (number, query) in asked.into_iter().filter(|(_, query)| !matches!(query, Query::SeatMap(_))) {
            let answer = self.answer(query);
            if let Some(question) = answered(&mut self.shared, number, answer) {
                self.orders.came(&question, &self.shared);
            }
        }
        if !is_done {
            self.look();
        }
    }

    fn answer(&mut self, query: Query) -> Answer {
        match Some(query) {
            Some(Query::Receipts(query)) => {
                let after = query.after.and_then(|after| self.rows.iter().position(|row| row.id == after));
                let from = after.map_or(0, |at| at + 1);
                let rows = self.rows.iter().skip(from).take(100).cloned().collect();
                self.asked.push(query);
                Answer::Receipts(Ok(rows))
            }
            Some(Query::Reservations(ReadReservations { after })) => {
                let after = after.and_then(|after| self.reserved.iter().position(|row| row.id == after));
                let rows = self.reserved.iter().skip(after.map_or(0, |at| at + 1));
                Answer::Reservations(Ok(rows.take(100).cloned().collect()))
            }
            Some(Query::Cart(_)) => {
                let mut cart = cart_view(&["F9", "F10"]);
                cart.cart.id = self.reserved[0].id;
                cart.customer.name = "Weber".into();
                cart.cart.expires_at = now() + Span::minutes(60);
                cart.cart.reservation = self.reserved[0].reservation;
                Answer::Cart(Ok(Box::new(cart)))
            }
            Some(Query::Receipt(_)) => Answer::Receipt(Ok(Box::new(self.view.clone()))),
            other => panic!("asked for {other:?}"),
        }
    }

    fn keys(&mut self, keys: &str) {
        for key in keys.split(' ') {
            let key = key.parse().unwrap();
            let action = self.shared.keymap.action(self.orders.place(&self.shared), key).unwrap();
            self.step(|orders, context| {
                assert_eq!(orders.act(action, context), Handled::Yes, "{key}");
            });
        }
    }

    fn seen(&self) -> String {
        let Size { width, height } = self.shared.size;
        let (lines, _) = drawn((width, height - 3), GlyphSet::Unicode, |_, area, canvas| {
            self.orders.view(&self.shared, area, canvas);
        });
        lines.join("\n")
    }

    fn shows(&self, wanted: &str) {
        let text = self.seen();
        assert!(text.contains(wanted), "no {wanted:?} in\n{text}");
    }
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
    let desk = Desk::at((96, 30), rows());
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
    let desk = Desk::at((80, 24), rows());
    desk.shows("> 17:55 Ann Lee");
    desk.shows("till-2/457  Hamlet");
    desk.shows("total GBP");
    desk.shows("   162.00");
}

#[test]
fn an_order_opens_with_its_seats_and_paper() {
    let mut desk = Desk::at((96, 30), rows());
    desk.keys("Enter");
    assert_eq!(desk.orders.place(&desk.shared), KeyPlace::Order);
    desk.shows("Order till-2/457");
    desk.shows("Ann Lee 0123");
    desk.shows("! lost F10: out of use");
    desk.shows(">F9");
    desk.shows("RECEIPT till-2/457");
    desk.keys("Tab");
    desk.shows("Seat F9");
    desk.keys("Down Enter");
    assert!(matches!(desk.goes[..], [Go::Seat(_, seat)] if seat.seat == 2));
    desk.keys("Esc");
    desk.shows("Today, Saturday");
}

#[test]
fn a_wide_terminal_shows_the_receipt_of_the_selected_row_beside_the_list() {
    let mut desk = Desk::at((120, 36), rows());
    desk.reserved = vec![reserved(AlertRaised::Nothing)];
    desk.begins();
    desk.shows("> 17:55 Ann Lee");
    desk.shows("Orders | all days");
    assert!(!desk.seen().contains("customerorder"), "{}", desk.seen());
    desk.shows("till-2/457");
    desk.shows("Order till-2/457");
    desk.shows("Ann Lee 0123");
    desk.shows("RECEIPT till-2/457");
    assert!(!desk.seen().contains(">F9"), "the cursor is in the list");
    desk.keys("Home");
    desk.shows("Reservation Weber");
    desk.shows("pay by Sat 21 Nov 19:00");
    desk.shows("p  pay it now");
    desk.keys("p");
    let id = desk.reserved[0].id;
    assert!(matches!(&desk.goes[..], [Go::PayReservation(cart)] if *cart == id), "{:?}", desk.goes);
    assert_eq!(desk.orders.place(&desk.shared), KeyPlace::Reservation);
    desk.keys("Esc");
    desk.shows(">       Weber");
}

/// An order that its preview had read was opened without a cursor, so that Space picked nothing and all was given back.
#[test]
fn a_previewed_order_opens_with_the_cursor_on_its_first_seat() {
    for size in [(100, 30), (160, 45)] {
        let mut desk = Desk::at(size, rows());
        desk.shows("17:55 Ann Lee");
        desk.shows("Order till-2/457");
        desk.keys("Enter");
        desk.shows(">F9");
    }
}

#[test]
fn a_narrow_terminal_reads_no_preview_until_it_is_made_wide() {
    let mut desk = Desk::at((96, 30), rows());
    assert!(!desk.seen().contains("Order till-2/457"));
    desk.shared.size = Size::new(200, 60);
    desk.look();
    desk.shows("Order till-2/457");
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
    let mut desk = Desk::at((96, 30), rows());
    desk.reserved = vec![reserved(AlertRaised::Alert)];
    desk.begins();
    desk.shows("Unpaid reservations");
    desk.shows("pay by Sat 21 Nov 19:00 ! ");
    desk.shows("> 17:55 Ann Lee");
    desk.shows("till-2/457");
    desk.keys("f");
    desk.shows("1 reservation");
    assert!(!desk.seen().contains("till-2/457"));
    desk.keys("Enter");
    assert_eq!(desk.orders.place(&desk.shared), KeyPlace::Reservation);
    desk.shows("Reservation Weber");
    desk.shows("pay by Sat 21 Nov 19:00, in 60 min");
    desk.shows("! reminder Sat 21 Nov 17:00");
    desk.shows("p  pay it now");
    desk.keys("p e C");
    let id = desk.reserved[0].id;
    assert!(matches!(&desk.goes[..], [Go::PayReservation(cart), Go::Open(_), Go::Open(_)] if *cart == id));
    let changed = Changed::These(vec![Subject::Cart(id)]);
    desk.changes(&changed);
    desk.keys("Esc");
    desk.shows("| not paid");
}

#[test]
fn reservations_are_complete_at_eighty_columns() {
    let mut desk = Desk::at((80, 24), rows());
    desk.reserved = vec![reserved(AlertRaised::Final)];
    desk.begins();
    desk.shows("pay by 21 Nov 19:00 !! ");
    desk.shows("customer");
    desk.shows("Weber");
    desk.shows("   108.00");
    desk.keys("f Enter");
    desk.shows("C  cancel it, asks");
}

#[test]
fn tickets_are_shown_before_they_are_printed_again() {
    let mut desk = Desk::at((96, 30), rows());
    desk.keys("Enter t");
    assert!(desk.ran.is_empty(), "nothing is counted before it is printed");
    assert!(matches!(desk.goes[..], [Go::PrintAgain(_)]));
    desk.shows("Tickets");
    desk.shows("1 of");
}

#[test]
fn tickets_kept_for_collection_are_handed_over_with_one_key() {
    let mut desk = Desk::at((96, 30), rows());
    desk.view.receipt.tickets = Tickets::Waiting { told: None };
    desk.keys("Enter");
    desk.shows("! its tickets wait here to be collected");
    desk.keys("c");
    assert!(matches!(
        &desk.ran[..],
        [AnyOperation::HandOver(over)] if over.to == TicketsTo::Customer
    ));
    desk.view.receipt.tickets = Tickets::Given;
    let changed = Changed::Everything;
    desk.changes(&changed);
    desk.keys("c");
    assert!(matches!(
        &desk.ran[1..],
        [AnyOperation::HandOver(over)] if over.to == TicketsTo::Desk
    ));
}

#[test]
fn filters_and_days_narrow_the_query() {
    let mut desk = Desk::at((96, 30), rows());
    desk.keys("f");
    desk.shows("Nothing is reserved.");
    desk.keys("f");
    assert_eq!(desk.asked.last().unwrap().station.as_deref(), Some("till-2"));
    desk.shows("till-2 only");
    desk.keys("f");
    desk.shows("lost a seat");
    desk.shows("till-2/456");
    assert!(!desk.seen().contains("till-2/457"));
    desk.keys("f");
    desk.shows("to be collected");
    desk.shows("till-2/455");
    assert!(!desk.seen().contains("till-2/456"));
    desk.keys("f <");
    desk.shows("Orders | Sat 21 Nov");
    let query = desk.asked.last().unwrap();
    assert_eq!(query.before.unwrap().since(query.from.unwrap()), Span::minutes(24 * 60));
    desk.keys("< > >");
    desk.shows("Orders | all days");
}

#[test]
fn moving_past_the_hundredth_receipt_reads_the_next_page() {
    let many = (0..130).map(|at| row(1000 - at, i64::from(at), "")).collect();
    let mut desk = Desk::at((96, 30), many);
    desk.shows("latest 100 receipts");
    desk.keys("End");
    desk.keys("End");
    desk.shows("till-2/871");
    desk.shows("> 15:51 ");
    desk.shows("130 receipts");
    let changed = Changed::These(vec![Subject::Receipt(ReceiptId::random())]);
    desk.changes(&changed);
    desk.shows("130 receipts");
}

#[test]
fn reservations_past_the_hundredth_are_read_before_the_receipts() {
    let mut desk = Desk::at((96, 30), rows());
    desk.reserved = (0..130).map(|_| reserved(AlertRaised::Nothing)).collect();
    desk.reserved[129].customer.name = "Yaeger".into();
    desk.begins();
    desk.shows("first 100 reservations  End for more");
    desk.keys("End");
    assert!(!desk.seen().contains("Today"), "the list has no hole");
    desk.keys("End");
    desk.shows("Yaeger");
    desk.shows("Yesterday, Friday");
    desk.shows("130 reservations  3 receipts");
    desk.keys("f End");
    desk.shows("130 reservations");
    let id = desk.reserved[129].id;
    desk.reserved.pop();
    let changed = Changed::These(vec![Subject::Cart(id)]);
    desk.changes(&changed);
    desk.shows("129 reservations");
    assert!(!desk.seen().contains("Yaeger"), "what was paid is gone");
}

#[test]
fn a_filter_without_a_match_says_how_to_read_on() {
    let sold = (0..130).map(|at| row(if at == 120 { 456 } else { 1000 - at }, 1, ""));
    let mut desk = Desk::at((96, 30), sold.collect());
    desk.keys("f f f");
    desk.shows("None among the latest receipts. End reads on");
    desk.keys("End");
    desk.shows("till-2/456");
    desk.shows("1 receipt");
}

#[test]
fn sorted_by_customer_nameless_receipts_come_last() {
    let mut desk = Desk::at((96, 30), rows());
    desk.keys("s");
    let text = desk.seen();
    assert!(text.find("Ann Lee") < text.find("Zoe"));
    assert!(text.find("Zoe") < text.find("till-2/456"));
    assert!(!text.contains("Today"));
}

#[test]
fn an_empty_list_says_where_receipts_come_from() {
    let desk = Desk::at((80, 24), Vec::new());
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
    let with_reservation = |size, many: &[ReceiptRow]| {
        let mut desk = Desk::at(size, many.to_vec());
        desk.reserved = vec![reserved(AlertRaised::Alert)];
        desk.begins();
        desk.seen()
    };
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
