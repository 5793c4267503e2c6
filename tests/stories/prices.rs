//! Prices of time by rule: the first that fits, the stamp that stays, and what comes back of it.

use std::collections::BTreeMap;

use willcall::domain::cart::Cart;
use willcall::domain::ids::PerformanceId;
use willcall::domain::loss::CellGroup;
use willcall::domain::money::Price;
use willcall::domain::performance::Performance;
use willcall::domain::prices::PriceRule;
use willcall::domain::refusal::Refusal;
use willcall::domain::resource::ResourceId;
use willcall::domain::time::{Slot, parse_local};
use willcall::engine::ops::{
    AddPerformance, AddResource, ApplyPrices, CancelCart, ChangePerformance, ChangeResource, ChangeSettings, GiveBack,
    HoldSeats, HoldSlot, NamedOfPrices, NamedPrice, OpenCart, Past, Patched, PerformancePatch, PriceName,
    PricesChanged, RenamePrices, ResourcePatch, ReturnCells, ReviveCart, SetPrices, SlotWanted,
};
use willcall::engine::reads::Rehearse;
use willcall::engine::reads::catalog::{ReadPerformance, ReadSettings};
use willcall::engine::reads::prices::{ReadPrice, WorkedPrice};
use willcall::engine::reads::receipts::ReadReceipt;
use willcall::words;

use super::calendar::{add, resource};
use super::support::{HERE, House, named, no};

const WEEK: [&str; 4] = [
    "Late, Fri-Sat, 22:00-02:00: EUR 25.00",
    "Weekend, Fri-Sun: EUR 14.00, USD 16.00",
    "Advent, 2026-12-01..2026-12-24: EUR 12.00",
    "Base: EUR 10.00, USD 11.00",
];

fn rules(texts: &[&str]) -> Vec<PriceRule> {
    texts.iter().map(|text| text.parse().unwrap()).collect()
}

fn set(house: &House, list: &str, texts: &[&str]) {
    house.desk.run(SetPrices { list: list.into(), rules: rules(texts) }).unwrap();
}

fn priced_by(house: &House, resource: &ResourceId, list: &str) {
    let patch = ResourcePatch { prices: Patched::Set(list.into()), ..ResourcePatch::default() };
    house.desk.run(ChangeResource { resource: resource.clone(), patch }).unwrap();
}

fn slot(from: &str, until: &str) -> Slot {
    let zone = chrono_tz::Tz::UTC;
    Slot::new(parse_local(from, zone).unwrap(), parse_local(until, zone).unwrap()).unwrap()
}

fn held(house: &House, resource: &ResourceId, slot: Slot) -> Cart {
    let wants = vec![SlotWanted { count: None, resource: resource.clone(), slot }];
    house.desk.run(HoldSlot { cart: None, wants, past: Past::Refuse }).unwrap()
}

fn explained(house: &House, resource: &ResourceId, slot: Slot) -> WorkedPrice {
    house.desk.read(ReadPrice { resource: resource.clone(), slot, currency: None }).unwrap()
}

/// `rule count x each` of each part.
fn told(cart: &Cart) -> Vec<String> {
    let parts = cart.lines.iter().flat_map(|line| &line.parts);
    parts.map(|part| format!("{} {} x {}", part.rule, part.count, part.each)).collect()
}

#[test]
fn the_first_rule_that_fits_prices_each_segment_and_hours_past_midnight_are_of_the_day_before() {
    let house = House::royal();
    let studio = add(&house, resource("Studio", 60));
    set(&house, "Week", &WEEK);
    priced_by(&house, &studio, "Week");
    // Thursday to Sunday: 3 December 2026 is a Thursday
    let across = slot("2026-12-03T22:00", "2026-12-05T03:00");
    let cart = held(&house, &studio, across);
    assert_eq!(told(&cart), ["Advent 2 x 1200", "Weekend 22 x 1400", "Late 4 x 2500", "Weekend 1 x 1400"]);
    assert_eq!(cart.total().unwrap(), 2 * 1200 + 23 * 1400 + 4 * 2500);
    let worked = explained(&house, &studio, across);
    assert_eq!(worked.total, cart.total().unwrap());
    assert_eq!(worked.parts[2].also, ["Weekend", "Advent", "Base"], "those that fit too and did not count");
    house.verified();
}

#[test]
fn a_changed_list_reaches_no_stamped_line() {
    let house = House::royal();
    let studio = add(&house, resource("Studio", 60));
    set(&house, "Week", &WEEK);
    priced_by(&house, &studio, "Week");
    let cart = held(&house, &studio, slot("2026-12-03T22:00", "2026-12-04T02:00"));
    let stamped = told(&cart);
    assert_eq!(stamped, ["Advent 2 x 1200", "Weekend 2 x 1400"]);
    set(&house, "Week", &["Dear: EUR 99.00"]);
    assert_eq!(told(&house.cart(cart.id).cart), stamped);
    let receipt = house.pay(cart.id, 5200).unwrap();
    assert_eq!(receipt.total, 5200);
    let parts: Vec<&str> = receipt.lines[0].parts.iter().map(|part| part.rule.as_str()).collect();
    assert_eq!(parts, ["Advent", "Weekend"]);
    // what comes back is worth what was paid for it: of the night that is dearer
    let cells = CellGroup::Time { resource: studio.clone(), slots: vec![slot("2026-12-04T01:00", "2026-12-04T02:00")] };
    let back = house.desk.run(ReturnCells { cart: None, receipt: receipt.id, cells: Some(vec![cells]) }).unwrap();
    assert_eq!(back.total().unwrap(), -1400);
    house.desk.run(CancelCart { cart: back.id }).unwrap();
    let later = held(&house, &studio, slot("2026-12-10T22:00", "2026-12-10T23:00"));
    assert_eq!(told(&later), ["Dear 1 x 9900"]);
    house.verified();
}

#[test]
fn a_rule_that_lacks_what_it_needs_says_so_by_name() {
    let house = House::royal();
    let room = add(&house, resource("Room", 60));
    set(&house, "Family", &["Family, by guests: EUR 5.00"]);
    set(&house, "Dollars", &["Tour, Mon-Fri: USD 16.00, CHF 15.00"]);
    let refused = |cart, from: &str, until: &str| {
        let wants = vec![SlotWanted { count: None, resource: room.clone(), slot: slot(from, until) }];
        words::refusal(&no(&house.desk, HoldSlot { cart, wants, past: Past::Refuse }), HERE)
    };
    priced_by(&house, &room, "Family");
    let said = refused(None, "2026-12-03T10:00", "2026-12-03T11:00");
    assert!(said.starts_with("Family needs guests, a number that Room does not have."), "{said}");
    let guests = BTreeMap::from([("guests".to_owned(), Some("3".to_owned()))]);
    let patch = ResourcePatch { properties: guests, ..ResourcePatch::default() };
    house.desk.run(ChangeResource { resource: room.clone(), patch }).unwrap();
    let euros = held(&house, &room, slot("2026-12-03T10:00", "2026-12-03T11:00"));
    assert_eq!(told(&euros), ["Family 1 x 1500"]);
    priced_by(&house, &room, "Dollars");
    let said = refused(Some(euros.id), "2026-12-03T12:00", "2026-12-03T13:00");
    assert!(said.contains("Tour has no price in EUR. It has one in USD, CHF."), "{said}");
    let said = refused(None, "2026-12-05T12:00", "2026-12-05T13:00");
    assert!(said.contains("No rule of Dollars fits Room at Sat 5 Dec 2026 12:00."), "{said}");
    let cart = held(&house, &room, slot("2026-12-04T12:00", "2026-12-04T13:00"));
    assert_eq!((cart.currency.map(|one| one.to_string()).as_deref(), cart.total().unwrap()), (Some("USD"), 1600));
    let said = words::refusal(&no(&house.desk, SetPrices { list: "Dollars".into(), rules: vec![] }), HERE);
    assert!(said.contains("Dollars prices Room."), "{said}");
    house.desk.run(SetPrices { list: "Family".into(), rules: vec![] }).unwrap();
    let patch = ResourcePatch { prices: Patched::Set("Family".into()), ..ResourcePatch::default() };
    let gone = no(&house.desk, ChangeResource { resource: room.clone(), patch });
    assert!(matches!(gone, Refusal::NotFound { .. }), "{gone:?}");
    let twice = SetPrices { list: "Twice".into(), rules: rules(&["Base: EUR 1.00", "base: EUR 2.00"]) };
    assert!(words::refusal(&no(&house.desk, twice), HERE).contains("stands twice"));
    house.verified();
}

#[test]
fn a_cart_opened_in_a_currency_is_priced_in_it_also_when_it_was_empty_or_ended() {
    let house = House::royal();
    let room = add(&house, resource("Room", 60));
    set(&house, "Guests", &["Base: EUR 9.00, USD 10.00, BTC 0.00015"]);
    priced_by(&house, &room, "Guests");
    let open = |code: &str| OpenCart { currency: Some(code.parse().unwrap()), ..OpenCart::default() };
    let hold = |cart: &Cart, hour: u32| {
        let slot = slot(&format!("2026-12-03T{hour}:00"), &format!("2026-12-03T{}:00", hour + 1));
        let wants = vec![SlotWanted { count: None, resource: room.clone(), slot }];
        HoldSlot { cart: Some(cart.id), wants, past: Past::Refuse }
    };
    let sum = |cart: &Cart| (cart.currency.map(|one| one.to_string()).unwrap(), cart.total().unwrap());
    let dollars = house.desk.run(open("USD")).unwrap();
    assert_eq!(sum(&dollars), ("USD".into(), 0));
    assert_eq!(sum(&house.desk.run(hold(&dollars, 10)).unwrap()), ("USD".into(), 1000));
    let emptied = house.desk.run(GiveBack::line(dollars.id, 1, None)).unwrap();
    assert_eq!(sum(&emptied), ("USD".into(), 0), "it was opened in it");
    assert_eq!(sum(&house.desk.run(hold(&dollars, 10)).unwrap()), ("USD".into(), 1000));
    let coins = house.desk.run(open("BTC")).unwrap();
    assert_eq!(sum(&house.desk.run(hold(&coins, 11)).unwrap()), ("BTC".into(), 15_000));
    house.desk.run(CancelCart { cart: coins.id }).unwrap();
    let revived = house.desk.run(ReviveCart { cart: coins.id }).unwrap();
    assert_eq!(sum(&revived), ("BTC".into(), 15_000), "what was said to the customer");
    let pounds = house.desk.run(open("GBP")).unwrap();
    let said = words::refusal(&no(&house.desk, hold(&pounds, 12)), HERE);
    assert!(said.contains("Base has no price in GBP. It has one in EUR, USD, BTC."), "{said}");
    let seats = HoldSeats { cart: Some(dollars.id), ..HoldSeats::new(house.show, named("A1")) };
    assert_eq!(no(&house.desk, seats).kind(), "other_currency");
    let receipt = house.pay(dollars.id, 1000).unwrap();
    assert_eq!((receipt.currency.to_string().as_str(), receipt.total), ("USD", 1000));
    house.verified();
}

#[test]
fn nights_of_a_hotel_are_priced_by_weekday_and_season_and_a_resource_has_its_list_from_the_start() {
    let house = House::royal();
    set(
        &house,
        "Rates",
        &["Advent, 2026-12-12..2026-12-13, for room: EUR 120.00", "Weekend, Fri, Sat: EUR 90.00", "Base: EUR 70.00"],
    );
    let wanted = AddResource { kind: "room".into(), prices: Some("Rates".into()), ..resource("Room 7", 1440) };
    let room = add(&house, wanted.clone());
    let unknown = AddResource { name: "Room 8".into(), prices: Some("Ratse".into()), ..wanted };
    let said = words::refusal(&no(&house.desk, unknown), HERE);
    assert!(said.contains("price list \"Ratse\"") && said.contains("Rates"), "{said}");
    let stay = slot("2026-12-10T15:00", "2026-12-14T11:00");
    assert_eq!(explained(&house, &room, stay).total, 7000 + 9000 + 2 * 12_000);
    assert_eq!(told(&held(&house, &room, stay)), ["Base 1 x 7000", "Weekend 1 x 9000", "Advent 2 x 12000"]);
    house.verified();
}

#[test]
fn a_list_prices_each_performance_by_its_start_and_what_is_held_keeps_its_price() {
    let house = House::royal();
    set(
        &house,
        "Season",
        &[
            "Late child, 22:00-02:00, for */Child: EUR 4.00",
            "Weekend, Fri-Sun, for The Royal: EUR 14.00, USD 16.00",
            "Guests, by guests: EUR 1.00",
            "Child, for */Child: EUR 6.00",
            "Base, Mon-Thu: EUR 10.00",
        ],
    );
    let night = |day: &str, prices: &[NamedPrice]| {
        let slot = slot(&format!("{day}T19:30"), &format!("{day}T21:30"));
        let add = AddPerformance::new(house.theater, day, (slot.from(), slot.until()), prices.to_vec());
        house.desk.run(AddPerformance { list: Some("Season".into()), ..add }).unwrap().performance
    };
    let told = |one: &Performance| {
        let prices =
            one.prices.iter().map(|price| format!("{}={}", price.ticket_type.as_deref().unwrap_or("all"), price.minor));
        prices.collect::<Vec<_>>().join(" ")
    };
    // a Thursday and a Friday
    let (thursday, friday) = (night("2026-12-03", &[]), night("2026-12-04", &[NamedPrice::all(9900)]));
    assert_eq!(told(&thursday), "Child=600 all=1000");
    assert_eq!(told(&friday), "all=9900 Child=600", "a price that is named goes before the list");
    let sold = house.desk.run(HoldSeats { performance: friday.id, ..house.holding(house.open_cart(), "B6") }).unwrap();
    let change = |performance, patch| house.desk.run(ChangePerformance { performance, patch });
    let by = |list: &str| PerformancePatch { list: Some(list.into()), ..PerformancePatch::default() };
    let changed = change(friday.id, by("Season")).unwrap();
    assert_eq!((told(&changed.after), house.cart(sold.id).cart.total().unwrap()), ("all=1400 Child=600".into(), 9900));
    let back = change(friday.id, changed.back).unwrap();
    assert_eq!(told(&back.after), "all=9900 Child=600");
    set(&house, "Rest", &["Sundays, Sun: EUR 3.00"]);
    let late = slot("2026-12-03T22:30", "2026-12-03T23:59");
    let moved = PerformancePatch { start: Some(late.from()), end: Some(late.until()), ..by("Season") };
    assert_eq!(told(&change(thursday.id, moved).unwrap().after), "Child=400 all=1000", "by the start that it gets");
    let refused = |list: &str| {
        words::refusal(&no(&house.desk, ChangePerformance { performance: thursday.id, patch: by(list) }), HERE)
    };
    let said = refused("Rest");
    assert!(said.contains("No rule of Rest fits 2026-12-03 at Thu 3 Dec 2026 22:30"), "{said}");
    set(&house, "Dollars", &["Base: USD 16.00"]);
    let said = refused("Dollars");
    assert!(said.contains("Base has no price in EUR. It has one in USD."), "{said}");
    assert!(matches!(
        no(&house.desk, ChangePerformance { performance: thursday.id, patch: by("None") }),
        Refusal::NotFound { .. }
    ));
    house.verified();
}

#[test]
fn the_explained_price_is_the_stamped_price() {
    let house = House::royal();
    let studio = add(
        &house,
        AddResource { price: Some(Price { minor: 700, currency: "EUR".parse().unwrap() }), ..resource("Studio", 30) },
    );
    // any order of any of these rules, any time of a fortnight
    let all = [
        "A, Mon-Wed: EUR 3.00",
        "B, 18:00-02:00: EUR 5.00",
        "C, Sat, Sun, 09:00-12:00: EUR 7.00",
        "D, 2026-12-05..2026-12-09: EUR 11.00",
        "E, for studio, Thu-Mon, 06:00-22:30: EUR 13.00",
        "F, for other: EUR 17.00",
    ];
    let mut seed: usize = 41;
    let mut next = move |below: usize| {
        seed = seed.wrapping_mul(1_103_515_245).wrapping_add(12_345) % 2_147_483_648;
        (seed >> 8) % below
    };
    for round in 0..40 {
        let from = next(all.len());
        let chosen: Vec<&str> = all.iter().cycle().skip(from).step_by(1 + next(2)).take(1 + next(3)).copied().collect();
        let chosen: Vec<&str> = all.iter().filter(|rule| chosen.contains(rule)).copied().collect();
        set(&house, "Any", &chosen);
        priced_by(&house, &studio, "Any");
        let start = parse_local("2026-12-01T00:00", chrono_tz::Tz::UTC).unwrap();
        let at = |halves: usize| start + willcall::domain::time::Span::minutes(i64::try_from(30 * halves).unwrap());
        let begin = 16 * round;
        let wanted = Slot::new(at(begin), at(begin + 1 + next(16))).unwrap();
        let worked = explained(&house, &studio, wanted);
        let cart = held(&house, &studio, wanted);
        let (line, parts) = (&cart.lines[0], worked.parts.iter().map(|one| one.part.clone()).collect::<Vec<_>>());
        assert_eq!((&line.parts, line.total().unwrap()), (&parts, worked.total), "{chosen:?} {wanted:?}");
        assert_eq!(line.count, parts.iter().map(|part| part.count).sum::<u32>());
    }
    house.verified();
}

/// A night at The Royal at half past seven, priced by a list but for what is named.
fn night_by(house: &House, (day, list): (&str, &str), prices: &[NamedPrice]) -> Performance {
    let slot = slot(&format!("{day}T19:30"), &format!("{day}T21:30"));
    let add = AddPerformance::new(house.theater, day, (slot.from(), slot.until()), prices.to_vec());
    house.desk.run(AddPerformance { list: Some(list.into()), ..add }).unwrap().performance
}

/// Prices of a night as it is now: `Child=600 all=1000 (Season)`.
fn priced_now(house: &House, night: PerformanceId) -> String {
    let night = house.desk.read(ReadPerformance(night)).unwrap().performance;
    let told = night.prices.iter().map(|price| {
        let list = price.list.as_ref().map_or_else(String::new, |list| format!(" ({list})"));
        format!("{}={}{list}", price.ticket_type.as_deref().unwrap_or("all"), price.minor)
    });
    told.collect::<Vec<_>>().join(", ")
}

fn extent(house: &House, done: &PricesChanged) -> Vec<String> {
    words::prices::changed(done, house.desk.now())
}

#[test]
fn a_changed_list_is_applied_on_demand_to_nights_that_nobody_has_seats_of() {
    let house = House::royal();
    set(&house, "Season", &["Child, for */Child: EUR 6.00", "Base: EUR 10.00"]);
    let own = NamedPrice { ticket_type: Some("Press".into()), ..NamedPrice::all(500) };
    let (free, sold, other) = (
        night_by(&house, ("2026-12-03", "Season"), &[own]),
        night_by(&house, ("2026-12-04", "Season"), &[]),
        house.show,
    );
    let cart = house.desk.run(HoldSeats { performance: sold.id, ..house.holding(house.open_cart(), "B6") }).unwrap();
    house.pay(cart.id, 1000).unwrap();
    let apply = || ApplyPrices { list: "Season".into() };
    assert_eq!(extent(&house, &house.desk.run(apply()).unwrap()), ["Nothing changes."]);
    set(&house, "Season", &["Child, for */Child: EUR 7.00", "Base: EUR 12.00"]);
    assert_eq!(
        priced_now(&house, free.id),
        "Press=500, Child=600 (Season), all=1000 (Season)",
        "a list by itself reaches none"
    );
    let would = house.desk.read(Rehearse(apply())).unwrap();
    assert_eq!(priced_now(&house, free.id), "Press=500, Child=600 (Season), all=1000 (Season)");
    let done = house.desk.run(apply()).unwrap();
    assert_eq!(would, done);
    assert_eq!(
        extent(&house, &done),
        [
            "1 performance: 2026-12-03 Thu 3 Dec 19:30",
            "Left as they are, for somebody has seats: 1 performance: 2026-12-04 Fri 4 Dec 19:30"
        ]
    );
    assert_eq!(priced_now(&house, free.id), "Press=500, Child=700 (Season), all=1200 (Season)");
    assert_eq!(priced_now(&house, sold.id), "Child=600 (Season), all=1000 (Season)");
    assert_eq!(priced_now(&house, other), "all=1000");
    // a price by hand is the night's own from then on, and its undo gives it back to the list
    let dearer = PerformancePatch { prices: vec![NamedPrice::all(1500)], ..PerformancePatch::default() };
    let changed = house.desk.run(ChangePerformance { performance: free.id, patch: dearer }).unwrap();
    set(&house, "Season", &["Child, for */Child: EUR 8.00", "Base: EUR 13.00"]);
    house.desk.run(apply()).unwrap();
    assert_eq!(priced_now(&house, free.id), "Press=500, all=1500, Child=800 (Season)");
    house.desk.run(ChangePerformance { performance: free.id, patch: changed.back }).unwrap();
    house.desk.run(apply()).unwrap();
    assert_eq!(priced_now(&house, free.id), "Press=500, Child=800 (Season), all=1300 (Season)");
    // all or none: a rule that fits one night alone changes none
    set(&house, "Season", &["Fridays, Fri: EUR 9.00"]);
    let said = words::refusal(&no(&house.desk, apply()), HERE);
    assert!(said.starts_with("No rule of Season fits 2026-12-03 at Thu 3 Dec 2026 19:30"), "{said}");
    assert!(matches!(no(&house.desk, ApplyPrices { list: "Seasons".into() }), Refusal::NotFound { .. }));
    house.verified();
}

#[test]
fn a_list_has_another_name_wherever_it_prices() {
    let house = House::royal();
    set(&house, "Season", &["Base: EUR 10.00"]);
    set(&house, "Rest", &["Base: EUR 11.00"]);
    let studio = add(&house, resource("Studio", 60));
    priced_by(&house, &studio, "Season");
    let night = night_by(&house, ("2026-12-03", "Season"), &[]);
    let rename = |from: &str, to: &str| RenamePrices { what: NamedOfPrices::List, from: from.into(), to: to.into() };
    let refused = |act: RenamePrices| words::refusal(&no(&house.desk, act), HERE);
    assert_eq!(refused(rename("Season", "Rest")), "A price list named \"Rest\" exists. Choose another name.");
    assert!(refused(rename("Seasons", "New")).starts_with("There is no price list \"Seasons\"."));
    assert!(matches!(no(&house.desk, rename("Season", " ")), Refusal::BadValue { .. }));
    let would = house.desk.read(Rehearse(rename("Season", "Winter"))).unwrap();
    assert_eq!(
        extent(&house, &would),
        ["Lists: Winter", "Resources: Studio", "1 performance: 2026-12-03 Thu 3 Dec 19:30"]
    );
    assert_eq!(house.desk.run(rename("Season", "Winter")).unwrap(), would);
    assert_eq!(priced_now(&house, night.id), "all=1000 (Winter)");
    set(&house, "Winter", &["Base: EUR 12.00"]);
    house.desk.run(ApplyPrices { list: "Winter".into() }).unwrap();
    assert_eq!(priced_now(&house, night.id), "all=1200 (Winter)");
    assert_eq!(explained(&house, &studio, slot("2026-12-03T10:00", "2026-12-03T11:00")).total, 1200);
    house.verified();
}

#[test]
fn a_ticket_type_has_another_name_from_now_on_and_what_is_sold_keeps_its_words() {
    let house = House::royal();
    set(&house, "Season", &["Child, for */Child: EUR 6.00", "Base: EUR 10.00"]);
    house.desk.run(ChangeSettings::to("comps", "Press").and("tax.rates", "19, Child=7")).unwrap();
    let (free, sold) =
        (night_by(&house, ("2026-12-03", "Season"), &[]), night_by(&house, ("2026-12-04", "Season"), &[]));
    let hold =
        HoldSeats { performance: sold.id, ticket_type: Some("Child".into()), ..house.holding(house.open_cart(), "B6") };
    let cart = house.desk.run(hold).unwrap();
    let receipt = house.pay(cart.id, 600).unwrap();
    let rename =
        |from: &str, to: &str| RenamePrices { what: NamedOfPrices::TicketType, from: from.into(), to: to.into() };
    let refused = |act: RenamePrices| words::refusal(&no(&house.desk, act), HERE);
    for act in [rename("adult", "Full"), rename("Child", "Adult")] {
        assert_eq!(refused(act), "Adult is meant where nobody names a type, and keeps its name. Choose another type.");
    }
    assert_eq!(refused(rename("Chlid", "Youth")), "There is no ticket type \"Chlid\". Choose Adult, Child.");
    let would = house.desk.read(Rehearse(rename("child", "Youth"))).unwrap();
    assert_eq!(house.desk.run(rename("child", "Youth")).unwrap(), would);
    assert_eq!(
        extent(&house, &would),
        [
            "Lists: Season",
            "Settings: tax.rates",
            "1 performance: 2026-12-03 Thu 3 Dec 19:30",
            "Left as they are, for somebody has seats: 1 performance: 2026-12-04 Fri 4 Dec 19:30"
        ]
    );
    assert_eq!(priced_now(&house, free.id), "Youth=600 (Season), all=1000 (Season)");
    assert_eq!(priced_now(&house, sold.id), "Child=600 (Season), all=1000 (Season)");
    assert_eq!(house.desk.read(ReadReceipt(receipt.id)).unwrap().receipt.lines[0].kind, "Child");
    let settings = house.desk.read(ReadSettings).unwrap();
    assert_eq!(settings.prices["Season"][0].to_string(), "Child, for */Youth: EUR 6.00");
    assert_eq!(settings.tax_rates.to_string(), "19, Child=7, Youth=7");
    // a comp stays one under both names, for what was given away
    assert_eq!(extent(&house, &house.desk.run(rename("Press", "Media")).unwrap()), ["Settings: comps"]);
    assert_eq!(house.desk.read(ReadSettings).unwrap().comps, ["Press", "Media"]);
    // the type cannot be taken away either, where somebody has a seat as it
    let gone = PriceName { category: None, ticket_type: Some("Child".into()) };
    let patch = PerformancePatch { no_prices: vec![gone], ..PerformancePatch::default() };
    let said = words::refusal(&no(&house.desk, ChangePerformance { performance: sold.id, patch }), HERE);
    assert!(said.contains("Child") && said.contains("B6"), "{said}");
    house.verified();
}
