//! Tills: opened, moved cash in and out of, counted and closed; every receipt of their station counts on them.

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use willcall::domain::back::{Back, ReturnTerms, Share};
use willcall::domain::correction::BackBy;
use willcall::domain::customer::Customer;
use willcall::domain::money::{Currency, Price};
use willcall::domain::receipt::{Papers, Receipt, Tender};
use willcall::domain::refusal::{Problem, Refusal, TillRefusal};
use willcall::domain::till::{CashWay, Drawer, MeansKind, Till, flows};
use willcall::domain::time::{Instant, Span};
use willcall::engine::ops::{
    BeginPayment, ChangeSettings, Checkout, CloseTill, CorrectReceipt, CorrectionAct, ForgetCustomer, HoldSeats,
    MoveCash, OpenTill, PrintPapers, ReturnCells, SetAside,
};
use willcall::engine::reads::customers::known::ReadKnownCustomer;
use willcall::engine::reads::journal::ReadJournal;
use willcall::engine::reads::sums::{ReadSums, Sum, SumBy, SumOf};
use willcall::engine::reads::tills::{ReadOpenTill, ReadTill, ReadTills};
use willcall::engine::{Desk, Failure};
use willcall::formats::rows;
use willcall::words;

use super::support::{HERE, House, NOON, named, no, paying, receipt, reserving_for_ida};

const EUR: Currency = Currency::EUR;

fn eur(minor: i64) -> Price {
    Price { minor, currency: EUR }
}

fn usd(minor: i64) -> Price {
    Price { minor, currency: "USD".parse().unwrap() }
}

fn opening(floats: &[Price]) -> OpenTill {
    OpenTill { floats: floats.to_vec() }
}

fn moving(way: CashWay, minor: i64) -> MoveCash {
    MoveCash { way, amount: eur(minor), reason: "to the bank".into() }
}

fn closing(counted: &[Price]) -> CloseTill {
    CloseTill { counted: counted.to_vec() }
}

fn refund(of: &Receipt, by: BackBy) -> CorrectReceipt {
    CorrectReceipt {
        receipt: of.id,
        act: CorrectionAct::Refund { cells: None, back: Back::from(by), share: Share::All },
        reason: "ill".into(),
        keep: None,
    }
}

fn sums(house: &House) -> Vec<Sum> {
    let (from, until) = (NOON, NOON + Span::minutes(60 * 24 * 400));
    house.desk.read(ReadSums { from, until, station: None, operator: None }).unwrap()
}

/// Totals of the sums of a group, in minor units.
fn total(sums: &[Sum], by: &[SumBy]) -> i64 {
    sums.iter().filter(|sum| by.contains(&sum.by)).map(|sum| sum.money.net()).sum()
}

/// Receipts as the journal tells them: each as it was issued.
fn journaled(desk: &Desk) -> Vec<Receipt> {
    let (mut after, mut receipts) = (0, Vec::new());
    loop {
        let entries = desk.read(ReadJournal { after, ..ReadJournal::default() }).unwrap();
        let Some(last) = entries.last() else { return receipts };
        after = last.seq;
        for change in entries.iter().flat_map(|entry| &entry.changes) {
            if change.kind.word() == "receipt" && change.version == 1 {
                receipts.push(serde_json::from_str(&change.body).unwrap());
            }
        }
    }
}

fn words_of(refusal: &Refusal) -> String {
    words::refusal(refusal, HERE)
}

#[test]
fn a_shift_is_opened_sold_on_counted_and_closed() {
    let house = House::royal();
    let till = house.desk.run(opening(&[eur(10_000)])).unwrap();
    assert_eq!((till.key().as_str(), till.drawers[0].expected()), ("till-1/1", 10_000));
    let again = no(&house.desk, opening(&[eur(5000)]));
    assert_eq!(
        words_of(&again),
        "The till of till-1 is open since Sat 21 Nov 12:00, by ada. Count and close it first, or add to it."
    );
    let three = house.sold("B6 B7 B8");
    let cart = house.cart_with("C1 C2");
    let by_card = Tender::Card { reference: "A7".into(), charged: None };
    house.desk.run(Checkout::new(cart, vec![by_card])).unwrap();
    house.desk.run(refund(&three, BackBy::Cash)).unwrap();
    house.sold("D1");
    house.at("till-2").run(Checkout::new(house.cart_with("E1"), vec![Tender::Cash { given: None }])).unwrap();
    house.desk.run(moving(CashWay::Add, 2000)).unwrap();
    house.desk.run(moving(CashWay::Drop, 4000)).unwrap();
    let read = house.desk.read(ReadOpenTill).unwrap().open.unwrap().till;
    let drawer = &read.drawers[0];
    assert_eq!((drawer.cash.taken, drawer.cash.back, drawer.card.taken), (4000, 3000, 2000), "till-2 is not in it");
    assert_eq!(drawer.expected(), 10_000 + 4000 - 3000 + 2000 - 4000);
    let too_much = no(&house.desk, moving(CashWay::Drop, 9001));
    assert_eq!(words_of(&too_much), "Only EUR 90.00 is in the till. Take out no more than that.");
    house.pass(Span::minutes(60));
    let closed = house.desk.run(closing(&[eur(8800)])).unwrap();
    assert_eq!(closed.drawers[0].difference(), Some(-200));
    assert_eq!((closed.receipts(), closed.closed.unwrap().at), (4, NOON + Span::minutes(60)));
    assert_eq!(
        words_of(&no(&house.desk, closing(&[eur(0)]))),
        "The till of till-1 is closed. Open it with its float first: willcall till open --float 100.00"
    );
    assert!(matches!(no(&house.desk, moving(CashWay::Add, 1)), Refusal::Till(TillRefusal::TillClosed { .. })));
    house.sold("D2");
    let next = house.desk.run(opening(&[])).unwrap();
    assert_eq!((next.number, next.after), (2, 5), "what was sold between two tills is of neither");
    let all = house.desk.read(ReadTills::default()).unwrap();
    assert_eq!(all.iter().map(|view| view.till.number).collect::<Vec<_>>(), [2, 1]);
    let one = ReadTill { station: "till-1".into(), number: 1 };
    assert_eq!(house.desk.read(one).unwrap().till.moves[1].reason, "to the bank");
    house.verified();
}

#[test]
fn a_till_counts_each_currency_apart() {
    let house = House::royal();
    let twice = no(&house.desk, opening(&[eur(100), usd(100), eur(50)]));
    assert_eq!(words_of(&twice), "Float: EUR is given twice; add it up.");
    assert!(matches!(no(&house.desk, opening(&[eur(-1)])), Refusal::BadValue { problem: Problem::Negative, .. }));
    house.desk.run(opening(&[eur(10_000), usd(5000)])).unwrap();
    assert_eq!(
        words_of(&no(&house.desk, closing(&[eur(10_000)]))),
        "Cash in USD went through the till, and was not counted. Count it too."
    );
    let negative = no(&house.desk, closing(&[eur(-1), usd(0)]));
    assert_eq!(words_of(&negative), "Counted: an amount is not below zero.");
    assert_eq!(words_of(&no(&house.desk, moving(CashWay::Add, -1))), "Amount: an amount is not below zero.");
    assert!(matches!(no(&house.desk, moving(CashWay::Drop, 0)), Refusal::BadValue { problem: Problem::Nothing, .. }));
    let nameless = MoveCash { reason: " ".into(), ..moving(CashWay::Add, 1) };
    assert!(matches!(no(&house.desk, nameless), Refusal::BadValue { .. }));
    assert_eq!(house.desk.read(ReadOpenTill).unwrap().open.unwrap().till.moves, [], "nothing of it was done");
    let closed = house.desk.run(closing(&[usd(5100), eur(10_000)])).unwrap();
    let differences: Vec<Option<i64>> = closed.drawers.iter().map(Drawer::difference).collect();
    assert_eq!(differences, [Some(0), Some(100)]);
    house.verified();
}

#[test]
fn no_till_is_closed_while_somebody_is_being_sold_to() {
    let house = House::royal();
    house.desk.run(opening(&[eur(0)])).unwrap();
    let cart = house.cart_with("A1 A2");
    let empty = house.open_cart();
    let there = no(&house.desk, closing(&[eur(0)]));
    assert_eq!(
        words_of(&there),
        "A sale is under way at till-1: a cart with 2 seats. Sell it, set it aside or cancel it, then close the till."
    );
    house.desk.run(BeginPayment { cart }).unwrap();
    let in_terminal = "A card is being charged at till-1. End that sale, then close the till.";
    assert_eq!(words_of(&no(&house.desk, closing(&[eur(0)]))), in_terminal);
    house.desk.run(Checkout::new(cart, vec![Tender::Card { reference: "A7".into(), charged: None }])).unwrap();
    let (aside, reserved) = (house.cart_with("B1"), house.cart_with("B2"));
    house.desk.run(BeginPayment { cart: aside }).unwrap();
    house.desk.run(SetAside { cart: aside }).unwrap();
    assert_eq!(words_of(&no(&house.desk, closing(&[eur(0)]))), in_terminal, "set aside, and its card is charged");
    house.desk.run(Checkout::new(aside, vec![Tender::Card { reference: "A8".into(), charged: None }])).unwrap();
    house.desk.run(reserving_for_ida(reserved)).unwrap();
    house.desk.run(BeginPayment { cart: reserved }).unwrap();
    assert_eq!(words_of(&no(&house.desk, closing(&[eur(0)]))), in_terminal, "reserved, and paid by card now");
    let late = house.cart_with("B3");
    house.pass(Span::minutes(31));
    assert_ne!(late, empty);
    house.desk.run(closing(&[eur(0)])).expect("a card that nobody charged after all keeps no till open");
    house.verified();
}

#[test]
fn a_house_may_refuse_sales_at_a_closed_till() {
    let house = House::royal();
    let sold = house.sold("A1");
    let unsold = house.cart_with("A2");
    house.desk.run(ChangeSettings::to("till.required", "yes")).unwrap();
    assert!(matches!(no(&house.desk, paying(unsold, 1000)), Refusal::Till(TillRefusal::TillClosed { .. })));
    assert!(matches!(no(&house.desk, BeginPayment { cart: unsold }), Refusal::Till(TillRefusal::TillClosed { .. })));
    assert!(matches!(no(&house.desk, refund(&sold, BackBy::Cash)), Refusal::Till(TillRefusal::TillClosed { .. })));
    house.desk.run(PrintPapers::new(sold.id, Papers::Both)).unwrap();
    house.desk.run(opening(&[eur(2000)])).unwrap();
    house.desk.run(refund(&sold, BackBy::Cash)).unwrap();
    house.desk.run(BeginPayment { cart: unsold }).unwrap();
    let till = house.desk.read(ReadOpenTill).unwrap().open.unwrap().till;
    assert_eq!(till.drawers[0].expected(), 1000, "it pays for what was sold before it was opened");
    let card = Tender::Card { reference: "A7".into(), charged: None };
    let owed = house.desk.run(Checkout::new(unsold, vec![card.clone()])).map(receipt).unwrap();
    house.desk.run(closing(&[eur(1000)])).unwrap();
    house.desk.run(refund(&owed, BackBy::Owed)).unwrap();
    let late = house.cart_with("A3");
    assert!(matches!(no(&house.desk, Checkout::new(late, vec![card])), Refusal::Till(TillRefusal::TillClosed { .. })));
    house.verified();
}

#[test]
fn a_till_gives_back_no_more_cash_than_is_in_it() {
    let house = House::royal();
    house.desk.run(ChangeSettings::to("till.required", "yes")).unwrap();
    house.desk.run(opening(&[eur(500)])).unwrap();
    let card = || Tender::Card { reference: "A7".into(), charged: Some(1500) };
    let sold = Checkout::new(house.cart_with("A1 A2"), vec![card(), Tender::Cash { given: None }]);
    let sold = receipt(house.desk.run(sold).unwrap());
    house.desk.run(moving(CashWay::Drop, 700)).unwrap();
    let short = no(&house.desk, refund(&sold, BackBy::Cash));
    assert!(matches!(short, Refusal::Correction(_)), "the cards' money does not go back as cash: {short:?}");
    let all = |back: Back| {
        let act = CorrectionAct::Refund { cells: None, back, share: Share::All };
        CorrectReceipt { receipt: sold.id, act, reason: "ill".into(), keep: None }
    };
    let short = no(&house.desk, all(Back::default()));
    assert_eq!(
        words_of(&short),
        "EUR 5.00 in cash would go back, and the till of till-1 has EUR 3.00. Put cash in first (willcall till add), or \
         give it back otherwise, as a credit or by card."
    );
    let till = || house.desk.read(ReadOpenTill).unwrap().open.unwrap().till;
    assert_eq!((till().receipts(), till().drawers[0].expected()), (1, 300), "nothing was given back");
    house.desk.run(moving(CashWay::Add, 200)).unwrap();
    house.desk.run(all(Back::default())).unwrap();
    assert_eq!((till().receipts(), till().drawers[0].expected()), (2, 0));
    house.desk.run(closing(&[eur(0)])).unwrap();
    house.verified();
}

#[test]
fn an_exchange_at_an_empty_till_keeps_its_cart() {
    let house = House::of(rows::parse("5x16").unwrap(), &[(None, None, 1000), (None, Some("Child"), 400)]);
    house.desk.run(opening(&[])).unwrap();
    let sold = house.sold("A1");
    house.desk.run(moving(CashWay::Drop, 1000)).unwrap();
    let cart = house.open_cart();
    let child = HoldSeats { ticket_type: Some("Child".into()), ..house.holding(cart, "A2") };
    house.desk.run(child).unwrap();
    house.desk.run(ReturnCells { cart: Some(cart), receipt: sold.id, cells: None }).unwrap();
    let terms = |back: Back| ReturnTerms { reason: "ill".into(), back, ..ReturnTerms::default() };
    let exchange = |back: Back| Checkout { returns: Some(terms(back)), ..Checkout::new(cart, vec![]) };
    assert!(matches!(no(&house.desk, exchange(Back::default())), Refusal::Till(TillRefusal::TillShort { .. })));
    let done = receipt(house.desk.run(exchange(BackBy::Owed.into())).unwrap());
    assert_eq!(done.total, -600);
    house.verified();
}

#[test]
fn a_charged_card_waits_for_the_till_to_be_opened() {
    let house = House::royal();
    let cart = house.cart_with("A1");
    house.desk.run(BeginPayment { cart }).unwrap();
    house.desk.run(ChangeSettings::to("till.required", "yes")).unwrap();
    let paid = Checkout::new(cart, vec![Tender::Card { reference: "A7".into(), charged: None }]);
    assert!(matches!(no(&house.desk, paid.clone()), Refusal::Till(TillRefusal::TillClosed { .. })));
    house.desk.run(opening(&[])).unwrap();
    assert_eq!(receipt(house.desk.run(paid).unwrap()).total, 1000);
    house.verified();
}

#[test]
fn comps_want_a_reason_and_are_never_takings() {
    let house = House::of(rows::parse("5x16").unwrap(), &[(None, None, 1000), (None, Some("Press"), 1000)]);
    house.desk.run(ChangeSettings::to("comps", "press, Guest")).unwrap();
    let press = |seats: &str| {
        let cart = house.open_cart();
        let hold = HoldSeats { ticket_type: Some("Press".into()), ..house.holding(cart, seats) };
        assert_eq!(house.desk.run(hold).unwrap().total().unwrap(), 0, "they cost nothing, whatever the price");
        cart
    };
    let cart = press("A1 A2");
    let silent = Checkout::new(cart, vec![]);
    assert_eq!(words_of(&no(&house.desk, silent.clone())), "Press is given away for a reason only. Say why.");
    let terms = ReturnTerms { reason: " the Times ".into(), ..ReturnTerms::default() };
    let given = receipt(house.desk.run(Checkout { returns: Some(terms), ..silent }).unwrap());
    assert_eq!((given.total, given.comp.as_str()), (0, "the Times"));
    house.desk.run(ChangeSettings::to("comps", "Adult")).unwrap();
    house.desk.run(ChangeSettings::to("comps", "Guest")).unwrap();
    house.sold("B1");
    let sums = sums(&house);
    let kinds: Vec<(&SumOf, i64, i64, i64)> = sums
        .iter()
        .filter(|sum| sum.by == SumBy::TicketType)
        .map(|sum| (&sum.of, sum.seats, sum.comps, sum.money.net()))
        .collect();
    let (adult, press) = (SumOf::Named("Adult".into()), SumOf::Named("Press".into()));
    assert_eq!(kinds, [(&adult, 1, 0, 1000), (&press, 0, 2, 0)]);
    house.verified();
}

#[test]
fn tax_is_within_the_price_by_rate_and_goes_back_as_it_came() {
    let house = House::of(rows::parse("5x16").unwrap(), &[(None, None, 1000), (None, Some("Child"), 333)]);
    house.desk.run(ChangeSettings::to("tax.rates", "Child=7, 19")).unwrap();
    let cart = house.cart_with("A1 A2");
    let child = HoldSeats { ticket_type: Some("Child".into()), ..house.holding(cart, "A3 A4") };
    house.desk.run(child).unwrap();
    let sold = house.pay(cart, 2666).unwrap();
    let taxes =
        |of: &Receipt| of.taxes.iter().map(|one| (one.rate.to_string(), one.gross, one.tax)).collect::<Vec<_>>();
    assert_eq!(taxes(&sold), [("7".to_owned(), 666, 44), ("19".to_owned(), 2000, 319)]);
    house.desk.run(ChangeSettings::to("tax.rates", "21")).unwrap();
    let back = house.desk.run(refund(&sold, BackBy::Cash)).unwrap();
    assert_eq!(taxes(&back), [("7".to_owned(), -666, -44), ("19".to_owned(), -2000, -319)], "as it was sold");
    let sums = sums(&house);
    let tax: Vec<i64> = sums.iter().filter(|sum| sum.by == SumBy::Tax).map(|sum| sum.tax).collect();
    assert_eq!(tax, [0, 0]);
    house.desk.run(ChangeSettings::to("tax.rates", "")).unwrap();
    assert_eq!(taxes(&house.sold("B1")), []);
    house.verified();
}

#[test]
fn a_kept_fee_and_goodwill_have_the_rates_of_all_that_they_are_for() {
    let house = House::of(rows::parse("5x16").unwrap(), &[(None, None, 1000), (None, Some("Child"), 500)]);
    house.desk.run(ChangeSettings::to("tax.rates", "Child=7, 20")).unwrap();
    let taxes =
        |of: &Receipt| of.taxes.iter().map(|one| (one.rate.to_string(), one.gross, one.tax)).collect::<Vec<_>>();
    let sale = |row: &str, child_first: bool| {
        let cart = house.open_cart();
        let adult = house.holding(cart, &format!("{row}1"));
        let seats = ["2", "3", "4", "5"].map(|seat| format!("{row}{seat}")).join(" ");
        let child = HoldSeats { ticket_type: Some("Child".into()), ..house.holding(cart, &seats) };
        for hold in if child_first { [child, adult] } else { [adult, child] } {
            house.desk.run(hold).unwrap();
        }
        house.pay(cart, 3000).unwrap()
    };
    let act = |of: &Receipt, act: CorrectionAct| {
        let correct = CorrectReceipt { receipt: of.id, act, reason: "cold hall".into(), keep: None };
        house.desk.run(correct).unwrap()
    };
    for (row, child_first) in [("A", false), ("B", true)] {
        let sold = sale(row, child_first);
        assert_eq!(taxes(&sold), [("7".to_owned(), 2000, 131), ("20".to_owned(), 1000, 167)]);
        let given = act(&sold, CorrectionAct::Goodwill { back: Back::default(), amount: 3000 });
        assert_eq!(taxes(&given), [("7".to_owned(), -2000, -131), ("20".to_owned(), -1000, -167)]);
    }
    for (row, child_first) in [("C", false), ("D", true)] {
        let sold = sale(row, child_first);
        let share = Share::AllBut(100);
        let kept = act(&sold, CorrectionAct::Refund { cells: None, back: Back::default(), share });
        assert_eq!(taxes(&kept), [("7".to_owned(), 67 - 2000, -126), ("20".to_owned(), 33 - 1000, -161)]);
        let fee = act(&sold, CorrectionAct::Goodwill { back: Back::default(), amount: 100 });
        assert_eq!(taxes(&fee), [("7".to_owned(), -67, -4), ("20".to_owned(), -33, -6)], "nothing is left");
    }
    house.verified();
}

#[test]
fn a_business_day_begins_at_five_also_where_the_clocks_change() {
    let house = House::royal();
    house.desk.run(ChangeSettings::to("time-zone", "Europe/Berlin")).unwrap();
    let settings = house.desk.run(ChangeSettings::to("day.starts", "05:00")).unwrap();
    let day = |text: &str| settings.day_at(text.parse::<chrono::DateTime<chrono::Utc>>().map(at).unwrap()).to_string();
    let at_five = "2026-11-21T04:00:00Z";
    assert_eq!((day("2026-11-21T03:59:59Z"), day(at_five)), ("2026-11-20".into(), "2026-11-21".into()));
    for starts in ["02:30", "00:00", "03:00", "23:59"] {
        let settings = house.desk.run(ChangeSettings::to("day.starts", starts)).unwrap();
        for first in ["2026-03-28", "2026-10-24"] {
            let first: chrono::NaiveDate = first.parse().unwrap();
            let mut before = settings.day_at(settings.day_from(first));
            let hours = Span::minutes(72 * 60).millis();
            for minute in 0..hours / 60_000 {
                let at = settings.day_from(first) + Span::minutes(minute);
                let day = settings.day_at(at);
                assert!(settings.day_from(day) <= at && at < settings.day_from(day.succ_opt().unwrap()), "{at:?}");
                assert!(day >= before, "days go on");
                before = day;
            }
        }
    }
    let refused = no(&house.desk, ChangeSettings::to("day.starts", "25:00"));
    assert_eq!(words_of(&refused), "Day.starts: \"25:00\" is no time of day; write it like 05:00.");
}

fn at(time: chrono::DateTime<chrono::Utc>) -> Instant {
    Instant::from_millis(time.timestamp_millis())
}

/// An act of a shift, by numbers that are read as far as they fit.
#[derive(Clone, Debug)]
enum Act {
    Sell { station: usize, cash: i64, ended_by_card: bool },
    Refund { sold: usize, by: usize },
    Move { station: usize, add: bool, minor: i64 },
    Open { station: usize, float: i64 },
    Close { station: usize, counted: i64 },
    Crash,
}

fn act() -> impl Strategy<Value = Act> {
    prop_oneof![
        6 => (0..2_usize, 0..=1000_i64, any::<bool>())
            .prop_map(|(station, cash, ended_by_card)| Act::Sell { station, cash, ended_by_card }),
        2 => (any::<usize>(), 0..3_usize).prop_map(|(sold, by)| Act::Refund { sold, by }),
        2 => (0..2_usize, any::<bool>(), 0..3000_i64).prop_map(|(station, add, minor)| Act::Move { station, add, minor }),
        2 => (0..2_usize, 0..9000_i64).prop_map(|(station, float)| Act::Open { station, float }),
        2 => (0..2_usize, 0..9000_i64).prop_map(|(station, counted)| Act::Close { station, counted }),
        1 => Just(Act::Crash),
    ]
}

/// Drawer of a naive clerk: cash in it, and the sums of the sales while it is open.
#[derive(Clone, Debug, Default)]
struct Naive {
    open: bool,
    number: u64,
    cash: i64,
    sums: [i64; 3],
}

#[test]
fn a_drawer_has_what_went_in_less_what_went_out_and_its_sums_are_those_of_its_receipts() {
    let cases = std::env::var("WILLCALL_ROUNDS").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(12);
    let mut runner = TestRunner::new(Config { cases, failure_persistence: None, ..Config::default() });
    runner.run(&prop::collection::vec(act(), 1..40), |acts| play(&acts)).unwrap();
}

#[expect(clippy::indexing_slicing, reason = "a station is below two, a row below five")]
fn play(acts: &[Act]) -> Result<(), TestCaseError> {
    let mut house = House::royal();
    let mut naive = [Naive::default(), Naive::default()];
    let mut sold: Vec<Receipt> = Vec::new();
    let mut seats = (0..).map(|seat| format!("{}{}", ["A", "B", "C", "D", "E"][seat / 16 % 5], seat % 16 + 1));
    for act in acts {
        let desks = [house.desk.clone(), house.at("till-2")];
        match *act {
            Act::Sell { station, cash, ended_by_card } => {
                let hold = HoldSeats::new(house.show, named(&seats.next().unwrap()));
                let cart = desks[station].run(hold).unwrap().id;
                let charged = Some(if ended_by_card { 1000 - cash } else { 0 });
                let mut tenders = vec![Tender::Card { reference: "A7".into(), charged }];
                tenders.push(Tender::Cash { given: None });
                let done = receipt(desks[station].run(Checkout::new(cart, tenders)).unwrap());
                naive[station].count(&done);
                sold.push(done);
            }
            Act::Refund { .. } if sold.is_empty() => {}
            Act::Refund { sold: place, by } => {
                let of = sold.swap_remove(place % sold.len());
                let back = match by {
                    0 => Back::default(),
                    1 => BackBy::Owed.into(),
                    _ => Back::from(BackBy::Cash),
                };
                let act = CorrectionAct::Refund { cells: None, back, share: Share::All };
                let correct = CorrectReceipt { receipt: of.id, act, reason: "ill".into(), keep: None };
                if let Ok(done) = desks[place % 2].run(correct) {
                    naive[place % 2].count(&done);
                }
            }
            Act::Move { station, add, minor } => {
                let (way, signed) = if add { (CashWay::Add, minor) } else { (CashWay::Drop, -minor) };
                let done = desks[station].run(moving(way, minor));
                let naive = &mut naive[station];
                let may = naive.open && minor > 0 && (add || minor <= naive.cash);
                prop_assert_eq!(done.is_ok(), may, "{:?}", done);
                naive.cash += if may { signed } else { 0 };
            }
            Act::Open { station, float } => {
                let done = desks[station].run(opening(&[eur(float)]));
                let naive = &mut naive[station];
                prop_assert_eq!(done.is_ok(), !naive.open);
                if let Ok(till) = done {
                    *naive = Naive { open: true, number: naive.number + 1, cash: float, sums: [0; 3] };
                    prop_assert_eq!(till.number, naive.number, "without gaps");
                }
            }
            Act::Close { station, counted } => {
                let done: Result<Till, Failure> = desks[station].run(closing(&[eur(counted)]));
                let naive = &mut naive[station];
                prop_assert_eq!(done.is_ok(), naive.open);
                if let Ok(till) = done {
                    let drawer = &till.drawers[0];
                    prop_assert_eq!(drawer.difference(), Some(counted - naive.cash));
                    prop_assert_eq!(drawer.flows().map(|(_, flow)| flow.net()), naive.sums);
                    naive.open = false;
                }
            }
            Act::Crash => house.restart(),
        }
        prop_assert!(naive.iter().all(|one| !one.open || one.cash >= 0), "{:?}", naive);
    }
    summed(&house)?;
    house.verified();
    Ok(())
}

/// Sums of the day are those of the receipts in the journal.
fn summed(house: &House) -> Result<(), TestCaseError> {
    let issued = journaled(&house.desk);
    let in_journal: i64 = issued.iter().map(|receipt| receipt.total).sum();
    let sums = sums(house);
    for by in [&[SumBy::Station][..], &[SumBy::Operator], &[SumBy::Means], &[SumBy::TicketType], &[SumBy::Tax]] {
        prop_assert_eq!(total(&sums, by), in_journal, "{:?}", by);
    }
    prop_assert_eq!(total(&sums, &[SumBy::Performance, SumBy::Resource, SumBy::Fee]), in_journal);
    for (kind, place) in [(MeansKind::Cash, 0), (MeansKind::Card, 1), (MeansKind::Owed, 2)] {
        let flows = issued.iter().flat_map(flows).filter(|(means, _)| *means == kind);
        let net: i64 = flows.map(|(_, flow)| flow.net()).sum();
        let told = sums.iter().find(|sum| sum.of == SumOf::Means(kind)).map_or(0, |sum| sum.money.net());
        prop_assert_eq!(told, net, "{}", place);
    }
    Ok(())
}

impl Naive {
    /// Counts money as somebody would who looks at each receipt.
    #[expect(clippy::indexing_slicing, reason = "the place is one of three")]
    fn count(&mut self, receipt: &Receipt) {
        for (means, flow) in flows(receipt).filter(|_| self.open) {
            let place =
                [MeansKind::Cash, MeansKind::Card, MeansKind::Owed].iter().position(|one| *one == means).unwrap();
            self.sums[place] += flow.net();
            self.cash += if means == MeansKind::Cash { flow.net() } else { 0 };
        }
    }
}

#[test]
fn forgotten_people_are_looked_for_in_reasons_of_cash_too() {
    let house = House::royal();
    house.desk.run(opening(&[eur(0)])).unwrap();
    let named = MoveCash { reason: "change for Ida Wolf".into(), ..moving(CashWay::Add, 100) };
    house.desk.run(named).unwrap();
    let customer = Customer { name: "Ida Wolf".into(), ..Customer::default() };
    let sale = Checkout { customer: Some(customer), ..paying(house.cart_with("A1"), 1000) };
    let sold = receipt(house.desk.run(sale).unwrap());
    house.desk.run(closing(&[eur(1100)])).unwrap();
    let id = sold.customer.unwrap();
    house.desk.run(ForgetCustomer { customer: id }).unwrap();
    let record = house.desk.read(ReadKnownCustomer(id)).unwrap().record;
    assert_eq!(record.named_in, ["till till-1/1"]);
    house.verified();
}
