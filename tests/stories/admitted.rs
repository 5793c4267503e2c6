//! Tickets at the door: each code is admitted once, and a dead one never.

use willcall::domain::back::Share;
use willcall::domain::correction::BackBy;
use willcall::domain::receipt::{Papers, Receipt};
use willcall::domain::refusal::{Refusal, TicketRefusal};
use willcall::domain::ticket_code::{TicketCode, TicketKey};
use willcall::domain::time::Span;
use willcall::engine::ops::{
    CheckTicket, CorrectReceipt, CorrectionAct, HoldSeats, MakeTicketKey, PrintPapers, ReissueTickets, SeatChoice,
    UndoTicketCheck,
};
use willcall::engine::reads::Rehearse;
use willcall::engine::reads::journal::ReadJournal;
use willcall::engine::reads::receipts::ReadReceipt;
use willcall::engine::{Desk, Engine, Failure};
use willcall::formats::rows;
use willcall::words;

use super::exchanges::exchange;
use super::races::Rivals;
use super::support::{HERE, House, NOON, actor, no, seat};
use crate::limit;

/// The doors open: half past seven is near.
const DOORS: Span = Span::minutes(420);

/// Codes of a receipt's tickets, in the order of its seats.
fn codes(house: &House, receipt: &Receipt) -> Vec<TicketCode> {
    house.desk.run(MakeTicketKey).unwrap();
    let view = house.desk.read(ReadReceipt(receipt.id)).unwrap();
    view.codes.into_iter().map(|(_, code)| code).collect()
}

const fn check(code: TicketCode) -> CheckTicket {
    CheckTicket { code, performance: None }
}

/// The sentence that the door shows instead of an admission.
fn said(house: &House, code: TicketCode) -> String {
    words::refusal(&no(&house.desk, check(code)), HERE)
}

fn refund(of: &Receipt) -> CorrectReceipt {
    CorrectReceipt {
        receipt: of.id,
        act: CorrectionAct::Refund { cells: None, back: BackBy::Cash.into(), share: Share::All },
        reason: "ill".into(),
        keep: None,
    }
}

#[test]
fn a_ticket_is_admitted_once_and_again_after_it_was_undone() {
    let house = House::royal();
    let sold = house.sold("A1 A2");
    let [one, two] = codes(&house, &sold)[..] else { panic!("two tickets") };
    house.pass(DOORS);
    let door = house.at("door-2");
    let done = door.run(check(one)).unwrap();
    assert_eq!((done.seat.as_str(), done.used, done.of), ("Seat A1", 1, 2));
    assert_eq!(
        words::tickets::admitted(&done, HERE),
        "Seat A1, Adult: Action Movie 5, Sat 21 Nov 19:30; 1 of 2 of till-1/1 are in"
    );
    house.pass(Span::minutes(12));
    assert_eq!(said(&house, one), "Seat A1 was admitted Sat 21 Nov 19:00 at door-2. Nobody else goes in with it.");
    house.desk.run(UndoTicketCheck { code: one }).unwrap();
    assert_eq!(
        no(&house.desk, UndoTicketCheck { code: one }),
        TicketRefusal::TicketNotUsed { seat: "Seat A1".into() }.into()
    );
    assert_eq!(house.desk.read(Rehearse(check(one))).unwrap().used, 1, "a look admits nobody");
    for (code, used) in [(one, 1), (two, 2)] {
        assert_eq!(house.desk.run(check(code)).unwrap().used, used);
    }
    house.verified();
}

#[test]
fn a_ticket_is_for_its_night_from_twelve_hours_before_it_until_its_end() {
    let house = House::royal();
    let late = house.performance_at(NOON + Span::minutes(60 * 24 * 3), "Matinee", &[(None, None, 1000)]);
    let [code] = codes(&house, &house.sold("A1"))[..] else { panic!("one ticket") };
    let cart = house.open_cart();
    house.desk.run(HoldSeats { performance: late, ..house.holding(cart, "A1") }).unwrap();
    let [other] = codes(&house, &house.pay(cart, 1000).unwrap())[..] else { panic!("one ticket") };
    assert_eq!(said(&house, other), "The ticket is for another night: Matinee, Tue 24 Nov 12:00.");
    let at_that_door = CheckTicket { code, performance: Some(late) };
    assert!(matches!(no(&house.desk, at_that_door), Refusal::Ticket(TicketRefusal::TicketOfAnother { .. })));
    let at_its_door = CheckTicket { code: other, performance: Some(late) };
    house.desk.run(at_its_door).unwrap();
    house.pass(Span::minutes(450 + 120));
    assert_eq!(said(&house, code), "The ticket is for Action Movie 5, Sat 21 Nov 19:30; that is over.");
    house.verified();
}

#[test]
fn a_dead_ticket_says_what_became_of_it() {
    let house = House::royal();
    let (back, swapped, lives) = (house.sold("A1"), house.sold("B1"), house.sold("C1"));
    let dead = [&back, &swapped, &lives].map(|one| codes(&house, one)[0]);
    house.desk.run(refund(&back)).unwrap();
    house.desk.run(exchange(&house, &swapped, &[seat(1, 0)], "B2")).unwrap();
    assert_eq!(
        said(&house, dead[0]),
        "Seat A1 was given back Sat 21 Nov 12:00 by receipt till-1/4; this ticket is dead. Sell another one."
    );
    assert_eq!(
        said(&house, dead[1]),
        "Seat B1 was exchanged; this ticket is dead. Ask for the tickets of receipt till-1/5."
    );
    let kept = house.desk.read(Rehearse(check(dead[2])));
    assert!(kept.is_ok(), "{kept:?}");
    house.cancel_show();
    assert_eq!(said(&house, dead[2]), "Action Movie 5, Sat 21 Nov 19:30, was canceled. Send the customer to the desk.");
    house.verified();
}

#[test]
fn tickets_that_are_issued_anew_kill_those_before_and_are_no_copies() {
    let house = House::royal();
    let sold = house.sold("A1 A2");
    let first = codes(&house, &sold);
    let print = PrintPapers::new(sold.id, Papers::Tickets);
    house.desk.run(print.clone()).unwrap();
    house.desk.run(check(first[0])).unwrap();
    let anew = |reason: &str| ReissueTickets { receipt: sold.id, reason: reason.into() };
    assert!(matches!(no(&house.desk, anew(" ")), Refusal::BadValue { .. }));
    house.desk.run(anew("lost at home")).unwrap();
    assert_eq!(house.desk.run(print).unwrap().tickets_printed, 1);
    let second = codes(&house, &sold);
    assert!(first.iter().all(|code| !second.contains(code)));
    assert_eq!(
        said(&house, first[1]),
        "ada issued the tickets of Seat A2 anew Sat 21 Nov 12:00; this one is dead. Ask for the new ticket."
    );
    assert!(matches!(no(&house.desk, check(second[0])), Refusal::Ticket(TicketRefusal::TicketUsed { .. })), "is in");
    house.desk.run(check(second[1])).unwrap();
    let all = format!("{:?}", house.desk.read(ReadJournal::default()).unwrap());
    assert!(!all.contains("lost at home"), "a reason is private");
    house.desk.run(refund(&sold)).unwrap();
    assert!(matches!(no(&house.desk, anew("again")), Refusal::Ticket(TicketRefusal::NoTickets { .. })));
    house.verified();
}

#[test]
fn a_copy_has_a_reason_that_is_kept_and_stays_private() {
    let house = House::royal();
    let sold = house.sold("A1");
    let print = |papers, reason: &str| PrintPapers { receipt: sold.id, papers, reason: reason.into() };
    house.desk.run(print(Papers::Tickets, "")).unwrap();
    house.desk.run(print(Papers::Receipt, "")).unwrap();
    for papers in [Papers::Tickets, Papers::Receipt, Papers::Both] {
        let refused = no(&house.desk, print(papers, " "));
        assert_eq!(
            words::refusal(&refused, HERE),
            "The papers of till-1/1 were printed before. Say why there is to be a copy."
        );
    }
    assert_eq!(house.desk.read(ReadReceipt(sold.id)).unwrap().receipt.reprints(), 0, "nothing was counted");
    house.at("till-2").run(print(Papers::Both, "the printer jammed")).unwrap();
    let view = house.desk.read(ReadReceipt(sold.id)).unwrap();
    let told: Vec<String> = words::history(&view, NOON).collect();
    assert_eq!(told, ["Copy Sat 21 Nov 12:00 by ben. The printer jammed"]);
    let all = format!("{:?}", house.desk.read(ReadJournal::default()).unwrap());
    assert!(!all.contains("jammed"), "a reason is private");
    house.verified();
}

#[test]
fn codes_of_another_house_and_forged_ones_admit_nobody() {
    let house = House::royal();
    let sold = house.sold("A1");
    let before = Rehearse(check("0000-0000-0000-0000-0000".parse().unwrap()));
    assert!(matches!(house.desk.read(before), Err(Failure::Refused(Refusal::Ticket(TicketRefusal::TicketForeign)))));
    let good = codes(&house, &sold)[0];
    let place = house.desk.read(ReadReceipt(sold.id)).unwrap().codes[0].0;
    let foreign = TicketKey::random().code(&place, 1).unwrap();
    assert_eq!(
        said(&house, foreign),
        "That code is wrong: no ticket of this house has it. Read it again; if it stays, it is forged."
    );
    let letters = good.letters();
    let other = if letters.starts_with('0') { "1" } else { "0" };
    let unknown: TicketCode = format!("{other}{}", &letters[1..]).parse().unwrap();
    assert!(said(&house, unknown).starts_with("No ticket of this house has that code."));
    for letter in 7..20 {
        let mut forged = letters.clone();
        let instead = if &letters[letter..=letter] == "7" { "8" } else { "7" };
        forged.replace_range(letter..=letter, instead);
        assert_eq!(no(&house.desk, check(forged.parse().unwrap())), TicketRefusal::TicketForged.into());
    }
    house.desk.run(check(good)).unwrap();
    assert_eq!(place.seat, seat(0, 0));
    house.verified();
}

/// Thousands of codes that a forger tries, or as many as `WILLCALL_ROUNDS` says: 1000 are a million.
const THOUSANDS: u32 = 2;

/// A forger knows when a ticket was sold, from a photograph of its beginning, and guesses the rest.
#[test]
fn guessed_codes_admit_nobody() {
    let thousands = std::env::var("WILLCALL_ROUNDS").map_or(THOUSANDS, |rounds| rounds.parse().unwrap()).min(1000);
    let house = House::royal();
    let sold = house.sold("A1 A2");
    let good = codes(&house, &sold);
    let place = house.desk.read(ReadReceipt(sold.id)).unwrap().codes[0].0;
    let letters: Vec<char> = good[0].letters().chars().collect();
    let door = house.at("door-1");
    for _ in 0..thousands {
        limit::step();
        let forger = TicketKey::random();
        for issue in 1..=1000 {
            let guess = forger.code(&place, issue).unwrap().letters();
            let known: String =
                letters.iter().take(issue % 7).chain(&guess.chars().collect::<Vec<_>>()[issue % 7..]).collect();
            let code: TicketCode = known.parse().unwrap();
            assert!(!good.contains(&code), "guessed");
            let tried = door.read(Rehearse(check(code)));
            assert!(
                matches!(
                    tried,
                    Err(Failure::Refused(Refusal::Ticket(TicketRefusal::TicketForged | TicketRefusal::TicketForeign)))
                ),
                "{tried:?}"
            );
        }
    }
    let used: Vec<usize> = good.iter().map(|code| house.desk.run(check(*code)).unwrap().used).collect();
    assert_eq!(used, [1, 2], "nobody was in before");
    house.verified();
}

#[test]
fn eight_doors_admit_each_ticket_once() {
    let rivals = Rivals::of(8);
    rivals.race(
        |house, round| {
            let at =
                format!("{}{}", ["A", "B", "C", "D", "E"][usize::try_from(round / 16 % 5).unwrap()], round % 16 + 1);
            codes(house, &house.sold(&at))[0]
        },
        |desk, _, code| desk.run(check(*code)).map(drop),
        |done, _| assert_eq!(done.iter().filter(|done| **done).count(), 1, "{done:?}"),
    );
}

/// Whether a door admits a ticket; another refusal than that it was used is a mistake.
fn is_admitted(door: &Desk, code: TicketCode) -> bool {
    match door.run(check(code)) {
        Ok(_) => true,
        Err(Failure::Refused(Refusal::Ticket(TicketRefusal::TicketUsed { .. }))) => false,
        Err(other) => panic!("{other:?}"),
    }
}

/// Rows of 200 tickets, or as many as `WILLCALL_ROUNDS` says: 100 are 20,000 tickets.
const ROWS: u32 = 2;

#[test]
fn many_tickets_are_admitted_once_each_by_eight_doors_that_scan_all_of_them() {
    let rows = std::env::var("WILLCALL_ROUNDS").map_or(ROWS, |rounds| rounds.parse().unwrap()).min(100);
    let house = House::of(rows::parse(&format!("{rows}x200")).unwrap(), &[(None, None, 1000)]);
    let mut all = Vec::new();
    for (row, first) in (0..rows).flat_map(|row| (0..200).step_by(20).map(move |first| (row, first))) {
        limit::step();
        let seats = SeatChoice::Seats((first..first + 20).map(|at| seat(row, at)).collect());
        let cart = house.open_cart();
        house.desk.run(HoldSeats { seats, ..house.holding(cart, "") }).unwrap();
        all.extend(codes(&house, &house.pay(cart, 20_000).unwrap()));
    }
    let engines: Vec<Engine> = (0..8).map(|_| house.second()).collect();
    let began = std::time::Instant::now();
    let admitted: usize = std::thread::scope(|scope| {
        let doors = engines.iter().enumerate().map(|(number, engine)| {
            let (door, mine) = (engine.desk(actor("ben", &format!("door-{number}"))), all.iter().cycle());
            let mine = mine.skip(number * all.len() / 8).take(all.len());
            scope.spawn(move || mine.filter(|code| is_admitted(&door, **code)).count())
        });
        let doors: Vec<_> = doors.collect();
        doors.into_iter().map(|door| door.join().unwrap()).sum()
    });
    assert_eq!((all.len(), admitted), (200 * usize::try_from(rows).unwrap(), all.len()));
    let line = format!("{} checks of {admitted} tickets by 8 doors in {:.1?}\n", 8 * admitted, began.elapsed());
    let _ = std::io::Write::write_all(&mut std::io::stderr(), line.as_bytes());
    house.verified();
}
