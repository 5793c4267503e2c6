//! Enter pressed twice where it is meant once, in whatever stands over a screen.

use super::till::{Till, actor, desk};
use super::waiting::sell_out;
use crate::domain::time::Span;
use crate::engine::ops::KeepSeats;
use crate::words::printing::Printer;

/// Two seats of this desk, with the cursor on a free one: Enter on the map would take it.
fn picked() -> Till {
    let mut till = desk();
    till.keys("2 b 2 Enter").types("ge1").keys("Enter").free(78);
    till
}

/// Weber's two seats, whose time is asked for.
fn reserving() -> Till {
    let mut till = picked();
    till.keys("r").types("Weber").keys("Tab Tab");
    till
}

/// Enter comes twice, before the house has answered and just after: the house does this for it and no more.
#[track_caller]
fn doubled(open: impl Fn() -> Till, done: &[&str], then: impl Fn(&mut Till)) {
    for answered_between in [false, true] {
        let mut till = open();
        let before = till.asked_for().len();
        if answered_between {
            till.burst("Enter").wait(Span::from_millis(150));
            till.burst("Enter");
        } else {
            till.burst("Enter Enter");
        }
        till.wait(Span::seconds(1));
        let after = till.asked_for().split_off(before);
        let screen = till.draw();
        assert_eq!(after, done, "answered between: {answered_between}\n{screen}");
        then(&mut till);
    }
}

#[test]
fn a_sale_shows_its_change_and_picks_nothing() {
    let pay = || {
        let mut till = picked();
        till.keys("p 5 0");
        till
    };
    doubled(pay, &["checkout"], |till| {
        till.shows("CHANGE").shows("30.00").free(78);
    });
}

#[test]
fn a_cart_that_ran_out_is_taken_again_once() {
    let asked = || {
        let mut till = reserving();
        till.types("+1h").keys("Enter Enter");
        till.wait(Span::minutes(61));
        till.engine.desk(actor("ben", "till-1")).sweep().unwrap();
        till.keys("1").notice().wait(Span::seconds(1));
        till.keys("Tab Enter Tab").shows("Take its seats again?");
        till
    };
    doubled(asked, &["revive_cart"], |till| {
        till.hides("Take its seats again?").shows("cart 29m5");
        till.keys("2").free(78);
        assert_eq!(till.open_carts(), 1);
    });
}

#[test]
fn kept_seats_are_named_and_stay_kept() {
    let kept = || {
        let mut till = desk();
        let keep = KeepSeats {
            performance: till.show,
            seats: vec!["E1".into()],
            reason: "press".into(),
            until: super::NOON + Span::minutes(60),
        };
        till.engine.desk(actor("ada", "till-2")).run(keep).unwrap();
        till.keys("2").types("ge1").keys("Enter");
        till
    };
    doubled(kept, &[], |till| {
        till.said("press").free(79);
    });
}

#[test]
fn a_cart_is_reserved_once_and_no_new_cart_is_opened() {
    let button = || {
        let mut till = reserving();
        till.types("18:30").keys("Enter");
        till
    };
    doubled(button, &["reserve_cart"], |till| {
        till.hides("Reserve   2 seats").free(78);
        assert_eq!(till.open_carts(), 1);
    });
    let later = || {
        let mut till = button();
        till.keys("Enter 4 Enter e").types("+6h");
        till
    };
    doubled(later, &["reserve_cart"], |till| {
        till.hides("Later pay-by").shows("Reservation Weber");
    });
}

#[test]
fn a_customer_joins_the_waiting_list_once_and_the_offer_is_only_shown() {
    let button = || {
        let mut till = desk();
        sell_out(&mut till);
        till.keys("2").notice().keys("W").types("Ann");
        till.keys("Tab Tab").types("2").keys("Enter Enter");
        till
    };
    doubled(button, &["add_waiting"], |till| {
        till.shows("1   Ann").hides("2   Ann");
    });
    let offered = || {
        let mut till = button();
        till.keys("Enter").wait(Span::minutes(31));
        for _ in 0..2 {
            till.engine.desk(actor("ben", "till-1")).sweep().unwrap();
            till.notice().wait(Span::seconds(2));
        }
        till.keys("Shift-Tab").shows("Enter what is held for them");
        till
    };
    doubled(offered, &[], |till| {
        till.shows("Open carts");
    });
}

#[test]
fn seats_go_out_of_use_and_back_once() {
    let asked = || {
        let mut till = picked();
        till.types("Dleak").keys("Enter Tab").shows("Out of use?");
        till
    };
    doubled(asked, &["disable_seats"], |till| {
        till.hides("Out of use?").hides("is gone").free(77);
    });
    let back = || {
        let mut till = asked();
        till.keys("Enter").notice();
        till.keys("D Tab").shows("Back into use?");
        till
    };
    doubled(back, &["enable_seats"], |till| {
        till.free(78);
    });
    let reason = || {
        let mut till = picked();
        till.types("Dleak");
        till
    };
    doubled(reason, &[], |till| {
        till.shows(">  n no").shows("Out of use?");
    });
}

#[test]
fn a_cart_is_taken_over_once_and_never_another_stations() {
    let aside = || {
        let mut till = picked();
        till.keys("n Enter o").shows("set aside till-2");
        till
    };
    doubled(aside, &["take_over"], |till| {
        till.hides("Open carts").shows("2 seats").free(78);
    });
    let bens = || {
        let mut till = desk();
        till.ben_holds(&["A1", "A2"]);
        till.keys("2").types("ge1").keys("Enter o").shows("ben@till-1");
        till
    };
    doubled(bens, &[], |till| {
        till.shows("ben at till-1 works on it now").free(78);
    });
    let asked = || {
        let mut till = bens();
        till.keys("Enter Tab");
        till
    };
    doubled(asked, &["take_over"], |till| {
        till.hides("works on it now").shows("2 seats").free(78);
    });
}

#[test]
fn a_cart_and_a_reservation_are_canceled_once_and_nothing_is_picked_again() {
    let cart = || {
        let mut till = picked();
        till.types("gc8").keys("Enter C Tab");
        till
    };
    doubled(cart, &["cancel_cart"], |till| {
        till.free(80);
        assert_eq!(till.open_carts(), 0);
    });
    let reservation = || {
        let mut till = reserving();
        till.keys("Enter Enter 4 Enter C Tab");
        till.shows("Cancel the reservation?");
        till
    };
    doubled(reservation, &["cancel_cart"], |till| {
        till.notice().shows("canceled: its seats went back");
    });
}

#[test]
fn tickets_are_printed_again_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tickets.txt");
    let sold = || {
        let mut till = picked();
        till.keys("p Enter");
        till.app.shared.printer = Printer::named(&path.display().to_string());
        till
    };
    for to in ["t", "4 Enter t"] {
        let asked = || {
            let mut till = sold();
            till.keys(to).shows("print the tickets to");
            till
        };
        doubled(asked, &["print_papers"], |till| {
            till.said("2 tickets of till-2/1 printed");
        });
    }
}

#[test]
fn a_screen_opened_by_enter_ignores_the_second_press() {
    doubled(desk, &[], |till| {
        till.shows("[2 Seats]").free(80);
    });
    let listed = || {
        let mut till = picked();
        till.keys("p Enter 4");
        till
    };
    doubled(listed, &[], |till| {
        till.shows("Order till-2/1").shows("[4 Orders]");
    });
}

#[test]
fn enter_works_again_after_a_moment_or_another_key() {
    let mut till = desk();
    till.burst("Enter").wait(Span::from_millis(300));
    till.burst("Enter").free(79);
    let mut till = desk();
    till.burst("Enter").burst("Right").burst("Enter").free(79);
    till.types("ge1").burst("Enter Enter").free(78);
}
