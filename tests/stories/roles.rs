//! Operators: who may do what, proven by a PIN, approved by another.

use willcall::domain::back::{ReturnTerms, Share};
use willcall::domain::booking::Cause;
use willcall::domain::calendar::State;
use willcall::domain::correction::BackBy;
use willcall::domain::ids::CartId;
use willcall::domain::job::JobKind;
use willcall::domain::operator::{Hands, Operator};
use willcall::domain::receipt::Tender;
use willcall::domain::refusal::{OperatorRefusal, Refusal};
use willcall::domain::rights::{self, StaffRole, least};
use willcall::domain::time::Span;
use willcall::engine::ops::{
    AddJob, AddOperator, BePresent, ChangePin, ChangeSettings, CheckTicket, Checkout, ControlJob, CorrectReceipt,
    CorrectionAct, DisableOperator, DisableSeats, EnableSeats, EnableSlot, HoldSeats, ItemAct, JobAct, MakeTicketKey,
    OpenCart, OutOfUse, ReissueTickets, SettleItem, Take, TakeOut, UndoOutOfUse, Which, Whose,
};
use willcall::engine::reads::Rehearse;
use willcall::engine::reads::catalog::ReadSettings;
use willcall::engine::reads::jobs::ReadJob;
use willcall::engine::reads::jobs::runs::ReadRuns;
use willcall::engine::reads::journal::ReadJournal;
use willcall::engine::reads::receipts::ReadReceipt;
use willcall::engine::reads::seat_map::{ReadSeatMap, SeatState};
use willcall::engine::reads::worklist::ReadWorklist;
use willcall::engine::{Desk, Failure, Operation};
use willcall::formats::rows;
use willcall::words;

use super::calendar::{booking, room, slot, view};
use super::exchanges::exchange;
use super::support::{HERE, House, NOON, actor, names, no, seat};

const OFFICE: &str = "4711";
const SELLER: &str = "1234";
const SUPERVISOR: &str = "2345";

#[track_caller]
fn adding(desk: &Desk, name: &str, (role, pin): (StaffRole, &str)) -> AddOperator {
    AddOperator { name: name.into(), role, pin: desk.new_pin(pin).unwrap() }
}

/// The Royal with olga of the office, the supervisor bea and the seller sam; the desk of each.
fn staffed() -> (House, [Desk; 3]) {
    with_staff(House::royal())
}

fn with_staff(house: House) -> (House, [Desk; 3]) {
    house.desk.run(adding(&house.desk, "olga", (StaffRole::Office, OFFICE))).unwrap();
    let olga = house.desk.signed_in(OFFICE, None).unwrap();
    olga.run(adding(&olga, "bea", (StaffRole::Supervisor, SUPERVISOR))).unwrap();
    olga.run(adding(&olga, "sam", (StaffRole::Seller, SELLER))).unwrap();
    let [bea, sam] = [SUPERVISOR, SELLER].map(|pin| house.desk.signed_in(pin, None).unwrap());
    (house, [sam, bea, olga])
}

fn leak(house: &House, seats: &str) -> DisableSeats {
    DisableSeats { which: Which::Performance(house.show), seats: names(seats), reason: "broken".into() }
}

fn words_of(refusal: &Refusal) -> String {
    words::refusal(refusal, HERE)
}

#[track_caller]
fn refused<T>(done: Result<T, Failure>) -> OperatorRefusal {
    match done {
        Err(Failure::Refused(Refusal::Operator(refusal))) => refusal,
        Err(other) => panic!("{other:?}"),
        Ok(_) => panic!("it was done"),
    }
}

/// Whether an act is refused to a desk because of its role, as an act and rehearsed.
fn is_refused<O: Operation + Clone>(desk: &Desk, act: O) -> bool {
    let of_role =
        |failure: &Failure| matches!(failure, Failure::Refused(Refusal::Operator(OperatorRefusal::NotAllowed { .. })));
    let tried = desk.read(Rehearse(act.clone())).err().is_some_and(|failure| of_role(&failure));
    let done = desk.run(act).err().is_some_and(|failure| of_role(&failure));
    assert_eq!(tried, done, "a rehearsal answers as the act");
    done
}

#[test]
fn a_house_without_operators_asks_nobody_and_one_with_them_everybody() {
    let house = House::royal();
    house.desk.run(OpenCart::default()).unwrap();
    assert!(matches!(refused(house.desk.signed_in("4711", None).map(drop)), OperatorRefusal::NoOperators));
    house.desk.run(adding(&house.desk, "olga", (StaffRole::Office, OFFICE))).unwrap();
    let unproven = no(&house.desk, OpenCart::default());
    assert_eq!(words_of(&unproven), "ada is not signed in. Sign in with a PIN: at the desk, or in WILLCALL_PIN.");
    // a name that is an operator's proves nothing either
    let named = house.desk.with_actor(actor("olga", "till-1"));
    assert!(matches!(refused(named.run(OpenCart::default())), OperatorRefusal::SignInFirst { .. }));
    house.desk.run(BePresent::Off).unwrap();
    let olga = house.desk.signed_in(OFFICE, Some("Olga")).unwrap();
    assert_eq!(olga.actor().operator, "olga");
    olga.run(OpenCart::default()).unwrap();
    house.verified();
}

#[test]
fn each_act_is_done_from_its_role_on_and_refused_below() {
    let (house, desks) = staffed();
    let receipt = {
        let cart = desks[0].run(HoldSeats { cart: None, ..house.holding(CartId::random(), "B6 B7") }).unwrap().id;
        let sold = desks[0].run(Checkout::new(cart, vec![Tender::Cash { given: None }])).unwrap();
        super::support::receipt(sold)
    };
    let refund = CorrectReceipt {
        receipt: receipt.id,
        act: CorrectionAct::Refund { cells: None, back: BackBy::Cash.into(), share: Share::All },
        reason: "ill".into(),
        keep: None,
    };
    let refusals = |desk: &Desk| {
        [
            is_refused(desk, OpenCart::default()),
            is_refused(desk, refund.clone()),
            is_refused(desk, leak(&house, "D1")),
            is_refused(desk, ChangeSettings::to("hold", "20m")),
            is_refused(desk, DisableOperator { name: "nobody".into() }),
        ]
    };
    let expected = |role: StaffRole| {
        ["open_cart", "correct_receipt", "disable_seats", "change_settings", "disable_operator"]
            .map(|act| least(act).unwrap() > role)
    };
    let roles = [StaffRole::Seller, StaffRole::Supervisor, StaffRole::Office];
    for (desk, role) in desks.iter().zip(roles) {
        assert_eq!(refusals(desk), expected(role), "{role:?}");
    }
    assert_eq!(
        words_of(&no(&desks[0], ChangeSettings::to("hold", "20m"))),
        "sam is a seller and may not do this (change settings): the office may. Ask for that PIN."
    );
    // what was taken out of use, a seller does not take back
    let act = desks[1].run(leak(&house, "D2")).unwrap().disables[0].id;
    assert!(is_refused(&desks[0], UndoOutOfUse { id: act, displaced: Vec::new() }));
    house.verified();
}

#[test]
fn parts_of_a_sale_that_need_more_are_refused_to_a_seller_and_change_nothing() {
    let types = [(None, None, 1000), (None, Some("Child"), 500), (None, Some("Press"), 1000)];
    let (house, [sam, bea, olga]) = with_staff(House::of(rows::parse("5x16").unwrap(), &types));
    olga.run(ChangeSettings::to("comps", "Press")).unwrap();
    let held = |seats: &str, ticket_type: Option<&str>| {
        let hold = HoldSeats { cart: None, ..house.holding(CartId::random(), seats) };
        sam.run(HoldSeats { ticket_type: ticket_type.map(str::to_owned), ..hold }).unwrap().id
    };
    let sale = Checkout::new(held("B6", None), vec![Tender::Cash { given: None }]);
    let sold = super::support::receipt(sam.run(sale).unwrap());
    let mut cheaper = exchange(&house, &sold, &[seat(1, 5)], "C1");
    let Take::Seats { ticket_type, .. } = &mut cheaper.take else { panic!("it takes seats") };
    *ticket_type = Some("Child".into());
    let terms = ReturnTerms { reason: "the Times".into(), ..ReturnTerms::default() };
    let gift = Checkout { returns: Some(terms), ..Checkout::new(held("D1", Some("Press")), vec![]) };
    let stored = || (house.free(), house.desk.read(ReadJournal::default()).unwrap().len());
    let before = stored();
    let act = |refusal: OperatorRefusal| {
        let OperatorRefusal::NotAllowed { act, needs: StaffRole::Supervisor, .. } = refusal else {
            panic!("{refusal:?}")
        };
        act
    };
    assert!(is_refused(&sam, cheaper.clone()) && is_refused(&sam, gift.clone()));
    let acts = [act(refused(sam.run(cheaper.clone()))), act(refused(sam.run(gift.clone())))];
    assert_eq!((acts, stored()), ([rights::PAY_BACK.to_owned(), rights::GIVE_AWAY.to_owned()], before));
    let own = super::support::receipt(bea.run(cheaper).unwrap());
    let given = super::support::receipt(sam.approved_by(SUPERVISOR).unwrap().run(gift).unwrap());
    assert_eq!(
        [own, given].map(|receipt| (receipt.operator, receipt.approved)),
        [("bea".into(), None), ("sam".into(), Some("bea".into()))]
    );
    house.verified();
}

#[test]
fn a_supervisor_approves_one_act_and_the_journal_names_both() {
    let (house, [sam, bea, _]) = staffed();
    let leak = leak(&house, "C1");
    assert!(matches!(refused(sam.run(leak.clone())), OperatorRefusal::NotAllowed { needs: StaffRole::Supervisor, .. }));
    let approved = sam.approved_by(SUPERVISOR).unwrap();
    approved.run(leak.clone()).unwrap();
    let entries = house.desk.read(ReadJournal::default()).unwrap();
    let last = entries.last().unwrap();
    assert_eq!((last.operator.as_str(), last.approved.as_deref()), ("sam", Some("bea")));
    // the next act is the seller's own, and one that needs nobody names nobody
    assert!(matches!(refused(sam.run(leak)), OperatorRefusal::NotAllowed { .. }));
    approved.run(OpenCart::default()).unwrap();
    let entries = house.desk.read(ReadJournal::default()).unwrap();
    assert_eq!(entries.last().unwrap().approved, None);
    // another seller, or a supervisor for an act of the office, is not enough
    let settings = ChangeSettings::to("hold", "20m");
    let by = |pin| sam.approved_by(pin).unwrap().run(settings.clone());
    let OperatorRefusal::NotAllowed { operator, needs: StaffRole::Office, .. } = refused(by(SUPERVISOR)) else {
        panic!("not by its role")
    };
    assert_eq!(operator, "bea");
    by(OFFICE).unwrap();
    assert!(matches!(refused(house.desk.approved_by(OFFICE).map(drop)), OperatorRefusal::SignInFirst { .. }));
    bea.run(OpenCart::default()).unwrap();
    house.verified();
}

/// The journal has an act on a job where another approved it only: its history has every one.
#[test]
fn what_is_done_to_jobs_with_an_approval_names_who_approved() {
    let (house, [sam, bea, olga]) = staffed();
    let adding = |subject: &str, run: Option<&str>| AddJob {
        kind: "order_shipped".into(),
        subject: subject.into(),
        due: house.desk.now() + Span::minutes(60),
        run: run.map(str::to_owned),
        ..AddJob::default()
    };
    olga.run(adding("1", Some("true"))).unwrap();
    let kind = JobKind::from_word("order_shipped").unwrap();
    let control = |act| ControlJob { kind, subject: "1".into(), act };
    let entries = || house.desk.read(ReadJournal::default()).unwrap();
    let why = || {
        let job = house.desk.read(ReadJob { kind: kind.word().into(), subject: "1".into() }).unwrap();
        job.parked.map(|reason| reason.to_string())
    };
    let before = entries().len();
    bea.run(control(JobAct::Park("stocktaking".into()))).unwrap();
    assert_eq!((why().as_deref(), entries().len()), (Some("bea parked it: stocktaking"), before));
    let approved = sam.approved_by(SUPERVISOR).unwrap();
    let before = entries().len();
    approved.run(control(JobAct::Park("lunch".into()))).unwrap();
    assert_eq!(why().as_deref(), Some("sam, approved by bea, parked it: lunch"));
    approved.run(control(JobAct::Park(String::new()))).unwrap();
    assert_eq!(why().as_deref(), Some("sam, approved by bea, parked it"));
    for act in [JobAct::Retry, JobAct::Later(house.desk.now() + Span::minutes(60)), JobAct::Prioritize(Some(3))] {
        approved.run(control(act)).unwrap();
    }
    approved.run(adding("2", None)).unwrap();
    approved.run(control(JobAct::End)).unwrap();
    let said = entries().split_off(before);
    let both: Vec<_> = said.iter().map(|entry| (entry.operator.as_str(), entry.approved.as_deref())).collect();
    assert_eq!(both, [("sam", Some("bea")); 7], "{said:#?}");
    assert!(said.iter().all(|entry| !entry.request.contains("lunch")), "{said:#?}");
    let runs = house.desk.read(ReadRuns::default()).unwrap();
    let details: Vec<&str> = runs.iter().rev().map(|run| run.detail.as_str()).collect();
    let acts = ["parked it: lunch", "parked it", "let it try again", "put it off", "gave it priority 3", "ended it"];
    let by_both = acts.map(|act| format!("sam, approved by bea, {act}"));
    assert_eq!(details[0], "bea parked it: stocktaking");
    assert_eq!(details[1..], by_both);
    house.verified();
}

/// An act that a seller may not do alone is told with who approved it.
#[test]
fn tickets_issued_anew_name_who_approved_at_the_door_and_in_the_story_of_their_receipt() {
    let house = House::royal();
    let sold = house.sold("A1");
    house.desk.run(MakeTicketKey).unwrap();
    let (house, [sam, ..]) = with_staff(house);
    let view = || house.desk.read(ReadReceipt(sold.id)).unwrap();
    let (_, first) = view().codes[0];
    let anew = ReissueTickets { receipt: sold.id, reason: "lost at home".into() };
    sam.approved_by(SUPERVISOR).unwrap().run(anew).unwrap();
    let story: Vec<String> = words::history(&view(), NOON).collect();
    assert_eq!(story, ["Issued anew Sat 21 Nov 12:00 by sam, approved by bea. Lost at home"]);
    assert_eq!(
        words_of(&no(&sam, CheckTicket { code: first, performance: None })),
        "sam, approved by bea, issued the tickets of Seat A1 anew Sat 21 Nov 12:00; this one is dead. Ask for the new ticket."
    );
    house.verified();
}

#[test]
fn seats_out_of_use_name_who_approved_to_whoever_wants_them() {
    let (mut house, [sam, bea, olga]) = staffed();
    let approved = sam.approved_by(SUPERVISOR).unwrap();
    approved.run(leak(&house, "C1")).unwrap();
    let broken = Which::Theater { theater: house.theater, from: None };
    approved.run(DisableSeats { which: broken.clone(), ..leak(&house, "C2") }).unwrap();
    let wanted = words_of(&no(&sam, HoldSeats { cart: None, ..house.holding(CartId::random(), "C1") }));
    assert_eq!(wanted, "C1 is gone: out of use by sam, approved by bea (broken). Nothing was taken.");
    let back = |which, seats: &str| EnableSeats { which, seats: names(seats), whose: Whose::Mine };
    for (which, seat) in [(Which::Performance(house.show), "C1"), (broken, "C2")] {
        assert_eq!(
            words_of(&no(&bea, back(which, seat))),
            format!("{seat} is out of use by sam, approved by bea; they put it back, or you override it.")
        );
    }
    // a night that is added later has what is broken
    house.desk = olga;
    let later = house.performance("Lear", &[(None, None, 1000)]);
    for (show, seat) in [(house.show, seat(2, 0)), (house.show, seat(2, 1)), (later, seat(2, 1))] {
        let map = house.desk.read(ReadSeatMap(show)).unwrap();
        let Some(SeatState::Disabled { operator, approved, .. }) = map.state(seat) else { panic!("it is in use") };
        assert_eq!((operator.as_str(), approved.as_deref()), ("sam", Some("bea")));
    }
    house.verified();
}

#[test]
fn time_out_of_use_names_who_approved_in_the_calendar_and_to_whoever_wants_it() {
    let house = House::royal();
    let [hall, car] = ["Hall", "Car"].map(|name| room(&house, name, 30));
    let (house, [sam, bea, _]) = with_staff(house);
    let approved = sam.approved_by(SUPERVISOR).unwrap();
    let when = slot("2026-12-01 10:00 12:00");
    let out = TakeOut { reason: "paint".into(), ..TakeOut::of(Cause::Disable, vec![hall.clone()], when) };
    let OutOfUse::Slot { booking: painted, .. } = approved.run(out).unwrap() else { panic!("it has an end") };
    let clutch =
        TakeOut { until: None, reason: "clutch".into(), ..TakeOut::of(Cause::OutOfService, vec![car.clone()], when) };
    let OutOfUse::Marked { mark, .. } = approved.run(clutch).unwrap() else { panic!("it has no end") };
    let wanted = words_of(&no(&sam, booking(&hall, "Talk", when)));
    assert!(wanted.contains("sam, approved by bea (paint)"), "{wanted}");
    let wanted = words_of(&no(&sam, booking(&car, "Trip", when)));
    assert!(wanted.contains("since Tue 1 Dec 2026 10:00, by sam, approved by bea (clutch)."), "{wanted}");
    for (id, name) in [(painted.id, "Hall"), (mark.id, "Car")] {
        assert_eq!(
            words_of(&no(&bea, EnableSlot { id, whose: Whose::Mine })),
            format!("{name} was taken out of use by sam, approved by bea; they put it back, or you override it.")
        );
    }
    for (resource, state) in [(hall, State::Disabled), (car, State::OutOfService)] {
        let calendar = view(&house, &resource, "2026-12-01 2026-12-02");
        let period = calendar.periods.iter().find(|period| period.state == state).unwrap();
        assert_eq!((period.operator.as_str(), period.approved.as_deref()), ("sam", Some("bea")), "{period:?}");
    }
    house.verified();
}

#[test]
fn what_is_settled_names_who_approved_to_whoever_comes_later() {
    let house = House::royal();
    house.sold("B6");
    house.disable("B6");
    let (house, [sam, bea, _]) = with_staff(house);
    let item = house.desk.read(ReadWorklist).unwrap()[0].item.id;
    let waive = SettleItem { item, act: ItemAct::Waive, reason: "sat elsewhere".into() };
    sam.approved_by(SUPERVISOR).unwrap().run(waive.clone()).unwrap();
    assert_eq!(words_of(&no(&bea, waive)), "sam, approved by bea, has dealt with it already. Nothing is left to do.");
    house.verified();
}

#[test]
fn another_pin_and_a_disabled_operator_sign_desks_out_at_once_that_other_processes_keep_open() {
    let (house, [sam, bea, olga]) = staffed();
    let other = house.second();
    let elsewhere = other.desk(actor("ada", "till-7")).signed_in(SELLER, None).unwrap();
    elsewhere.run(OpenCart::default()).unwrap();
    olga.run(ChangePin { name: "sam".into(), pin: olga.new_pin("9876").unwrap() }).unwrap();
    for desk in [&sam, &elsewhere] {
        assert!(matches!(refused(desk.run(OpenCart::default())), OperatorRefusal::SignInFirst { .. }));
    }
    assert!(matches!(refused(house.desk.signed_in(SELLER, None).map(drop)), OperatorRefusal::WrongPin { .. }));
    let again = house.desk.signed_in("9876", None).unwrap();
    again.run(OpenCart::default()).unwrap();
    olga.run(DisableOperator { name: "SAM".into() }).unwrap();
    assert!(matches!(refused(again.run(OpenCart::default())), OperatorRefusal::SignInFirst { .. }));
    // a disabled one comes back, with another role and a PIN of another number
    olga.run(adding(&olga, "Sam", (StaffRole::Supervisor, SELLER))).unwrap();
    assert!(matches!(refused(sam.run(OpenCart::default())), OperatorRefusal::SignInFirst { .. }), "signed in of old");
    let back = house.desk.signed_in(SELLER, None).unwrap();
    assert_eq!(back.actor().operator, "sam");
    back.run(leak(&house, "E1")).unwrap();
    bea.run(OpenCart::default()).unwrap();
    let stored = house.desk.read(ReadSettings).unwrap().operators;
    let known: Vec<(&str, u32)> = stored.iter().map(|one: &Operator| (one.name.as_str(), one.pin)).collect();
    assert_eq!(known, [("olga", 1), ("bea", 1), ("sam", 3)]);
    house.verified();
}

#[test]
fn bad_pins_and_operators_are_told_each_with_its_own_sentence_and_change_nothing() {
    let house = House::royal();
    let first = adding(&house.desk, "sam", (StaffRole::Seller, SELLER));
    assert_eq!(
        words_of(&no(&house.desk, first)),
        "The first operator adds the others. Add one of the office first: --role office"
    );
    for bad in ["", "123", "1234567890123", "12a4", " 1234"] {
        let none = refused(house.desk.new_pin(bad).map(drop));
        assert_eq!(words_of(&none.into()), "A PIN has 4 to 12 digits. Choose one.");
    }
    house.desk.run(adding(&house.desk, "olga", (StaffRole::Office, OFFICE))).unwrap();
    let olga = house.desk.signed_in(OFFICE, None).unwrap();
    let said = |add: AddOperator| words_of(&no(&olga, add));
    assert_eq!(said(adding(&olga, "sam", (StaffRole::Seller, OFFICE))), "This PIN is taken. Choose another one.");
    let sam = olga.run(adding(&olga, "sam", (StaffRole::Seller, SELLER))).unwrap();
    let change = ChangePin { name: "sam".into(), pin: olga.new_pin(OFFICE).unwrap() };
    assert_eq!(words_of(&no(&olga, change)), "This PIN is taken. Choose another one.");
    assert!(said(adding(&olga, " ", (StaffRole::Seller, SUPERVISOR))).starts_with("Name: it needs a name"));
    assert!(matches!(no(&olga, adding(&olga, "Olga", (StaffRole::Seller, SELLER))), Refusal::Exists { .. }));
    assert_eq!(
        words_of(&no(&olga, DisableOperator { name: "olga".into() })),
        "olga is the last of the office. Add another one first: --role office"
    );
    assert!(matches!(no(&olga, DisableOperator { name: "eve".into() }), Refusal::NotFound { .. }));
    let stored = house.desk.read(ReadSettings).unwrap().operators;
    assert_eq!((stored.len(), &stored[1]), (2, &sam), "nothing was changed");
    house.desk.signed_in(SELLER, Some("sam")).unwrap();
    house.verified();
}

#[test]
fn five_wrong_pins_make_their_station_wait_whatever_process_typed_them() {
    let (house, _) = staffed();
    let wrong = |desk: &Desk, pin: &str| words_of(&refused(desk.signed_in(pin, None).map(drop)).into());
    assert_eq!(
        wrong(&house.desk, "0000"),
        "This PIN is wrong. Type it again; after 4 more wrong ones the station waits a minute."
    );
    // one that is right begins anew; another's PIN is wrong for a name
    house.desk.signed_in(SELLER, None).unwrap();
    assert!(wrong(&house.desk, "0000").contains("after 4 more"));
    let other = house.second();
    let there = other.desk(actor("ada", "till-1"));
    assert!(matches!(refused(there.signed_in(SELLER, Some("olga")).map(drop)), OperatorRefusal::WrongPin { left: 3 }));
    assert!(wrong(&there, "").contains("after 2 more"));
    assert!(wrong(&there, "12").contains("after 1 more"));
    assert_eq!(wrong(&house.desk, "0001"), "This PIN is wrong. The station waits a minute now.");
    assert!(wrong(&there, SELLER).starts_with("Too many wrong PINs at this station. Try again after "));
    house.at("till-2").signed_in(SELLER, None).unwrap();
    house.pass(Span::minutes(1));
    there.signed_in(SELLER, None).unwrap();
    house.verified();
}

#[test]
fn of_desks_that_make_their_first_operator_at_once_one_does() {
    for _ in 0..5 {
        let house = House::royal();
        let engines: Vec<_> = (0..4).map(|_| house.second()).collect();
        let added = std::thread::scope(|scope| {
            let desks = engines.iter().enumerate().map(|(number, engine)| {
                let desk = engine.desk(actor("ada", &format!("till-{number}")));
                scope.spawn(move || {
                    let name = format!("office {number}");
                    let add = adding(&desk, &name, (StaffRole::Office, &format!("471{number}")));
                    desk.run(add).map(|one| one.name)
                })
            });
            let desks: Vec<_> = desks.collect();
            desks.into_iter().map(|desk| desk.join().unwrap()).collect::<Vec<_>>()
        });
        let (first, rest): (Vec<_>, Vec<_>) = added.into_iter().partition(Result::is_ok);
        assert_eq!((first.len(), rest.len()), (1, 3));
        for refused_one in rest {
            assert!(matches!(refused(refused_one), OperatorRefusal::SignInFirst { .. }));
        }
        let stored = house.desk.read(ReadSettings).unwrap().operators;
        assert_eq!(stored.iter().map(|one| &one.name).collect::<Vec<_>>(), [first[0].as_ref().unwrap()]);
        house.verified();
    }
}

#[test]
fn no_pin_and_no_hash_is_in_the_journal() {
    let (house, [sam, ..]) = staffed();
    let _ = refused(house.desk.signed_in("5555", None).map(drop));
    let hash = sam.new_pin(SELLER).unwrap().hash;
    for entry in house.desk.read(ReadJournal::default()).unwrap() {
        let bodies: String = entry.changes.iter().map(|change| change.body.clone()).collect();
        for secret in [hash.as_str(), SELLER, "5555"] {
            assert!(!entry.request.contains(&format!("\"{secret}\"")) && !bodies.contains(&hash), "{entry:?}");
        }
    }
    house.verified();
}

/// Verbs of all operations, from their sources.
fn verbs() -> Vec<String> {
    let files = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/src/engine/ops")).unwrap();
    let paths = files.map(|file| file.unwrap().path()).filter(|path| path.is_file());
    let texts: Vec<String> = paths.map(|path| std::fs::read_to_string(path).unwrap()).collect();
    let lines = texts.iter().flat_map(|text| text.lines());
    let verb = |line: &str| {
        let verb = line.trim().strip_prefix("const VERB: &'static str = \"")?;
        Some(verb.strip_suffix("\";")?.to_owned())
    };
    let mut verbs: Vec<String> = lines.filter_map(verb).collect();
    verbs.sort();
    verbs
}

#[test]
fn every_operation_stands_in_the_table_of_rights() {
    let verbs = verbs();
    let of = |role| verbs.iter().filter(|verb| least(verb) == Some(role)).collect::<Vec<_>>();
    // whoever adds an operation says here, or in the table, who may do it
    assert_eq!(
        of(StaffRole::Office),
        [
            "add_operator",
            "add_performance",
            "add_performances",
            "add_resource",
            "add_theater",
            "apply_prices",
            "cancel_performance",
            "change_followed",
            "change_performance",
            "change_performances",
            "change_pin",
            "change_plan",
            "change_resource",
            "change_settings",
            "change_theater",
            "close_days",
            "close_horizon",
            "copy_performance",
            "disable_operator",
            "follow_calendar",
            "forget_customer",
            "import_customers",
            "import_season",
            "import_times",
            "merge_customers",
            "open_horizon",
            "postpone_performance",
            "rename_prices",
            "set_hall",
            "set_prices",
        ]
    );
    for role in [StaffRole::Seller, StaffRole::Supervisor] {
        let parts = [rights::PAY_BACK, rights::GIVE_AWAY];
        let mut named: Vec<&str> = rights::of(role).iter().filter(|act| !parts.contains(act)).copied().collect();
        named.sort_unstable();
        assert_eq!(of(role), named, "the table names what is no operation");
    }
    assert_eq!([rights::PAY_BACK, rights::GIVE_AWAY].map(least), [Some(StaffRole::Supervisor); 2]);
}

#[test]
fn every_act_is_allowed_from_its_role_on_alone_or_by_who_approves() {
    let roles = [StaffRole::Seller, StaffRole::Supervisor, StaffRole::Office];
    let of = |role: StaffRole| Operator { name: role.word().into(), role, pin: 1, disabled: false };
    let operators = roles.map(of);
    for verb in verbs() {
        let Some(needs) = least(&verb) else { continue };
        for own in &operators {
            let hands = |approver| Hands { operator: &own.name, pin: Some(1), approver };
            let alone = hands(None).allowed(&operators, (&verb, needs));
            assert_eq!(alone.is_ok(), own.role >= needs, "{verb} by {own:?}");
            for approver in &operators {
                let by = hands(Some(approver)).allowed(&operators, (&verb, needs));
                let expected = if own.role >= needs {
                    Some(None)
                } else {
                    (approver.role >= needs).then(|| Some(approver.name.clone()))
                };
                assert_eq!(by.ok(), expected, "{verb} by {own:?}, approved by {approver:?}");
            }
        }
    }
}
