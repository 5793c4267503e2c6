//! Seats out of use against a naive model: whatever is disabled and enabled, in one performance or in all of a
//! theater, in any order, a seat is out of use exactly while an act wants it.

#![expect(clippy::indexing_slicing, reason = "a model that lacks what it should have fails at once")]

use std::collections::BTreeSet;

use proptest::prelude::{ProptestConfig, Strategy, any, prop_oneof, proptest};
use willcall::engine::Desk;
use willcall::engine::ops::Which;

use super::seat_acts::{back, everywhere, out, tonight};
use super::support::{House, refused};

/// Who acts, on the whole theater or not, and on which of the seats A1 to A6.
#[derive(Clone, Debug)]
enum Step {
    Disable(usize, bool, BTreeSet<usize>),
    Enable(usize, bool, BTreeSet<usize>),
}

/// An act of the model with the seats that it wants.
struct Act {
    operator: usize,
    /// The seats that the theater's list has for it; none for an act on tonight alone.
    listed: BTreeSet<usize>,
    /// The seats that it keeps out of use tonight.
    wants: BTreeSet<usize>,
    everywhere: bool,
}

struct Tried {
    house: House,
    operators: [Desk; 2],
    acts: Vec<Act>,
}

fn told(seats: &BTreeSet<usize>) -> String {
    let names: Vec<String> = seats.iter().map(|seat| format!("A{}", seat + 1)).collect();
    names.join(" ")
}

impl Tried {
    fn which(&self, listed: bool) -> Which {
        if listed { everywhere(&self.house) } else { tonight(&self.house) }
    }

    fn step(&mut self, step: &Step) {
        match step {
            Step::Disable(operator, listed, seats) => {
                let act = out(self.which(*listed), &told(seats), "broken");
                let mut others = self.acts.iter().filter(|act| act.operator != *operator);
                let foreign = others.any(|act| {
                    let on_list = *listed && !act.listed.is_disjoint(seats);
                    on_list || !act.wants.is_disjoint(seats)
                });
                let done = self.operators[*operator].run(act);
                assert_eq!(done.is_err(), foreign, "{step:?}: {done:?}");
                if done.is_ok() {
                    let on_list = if *listed { seats.clone() } else { BTreeSet::new() };
                    self.acts.push(Act {
                        operator: *operator,
                        listed: on_list,
                        wants: seats.clone(),
                        everywhere: *listed,
                    });
                }
            }
            Step::Enable(operator, listed, seats) => {
                let ends: Vec<Option<usize>> = seats.iter().map(|seat| self.ends(*seat, *listed)).collect();
                let mine = |act: &Option<usize>| act.is_some_and(|act| self.acts[act].operator == *operator);
                let may = ends.iter().all(mine);
                let done = self.operators[*operator].run(back(self.which(*listed), &told(seats)));
                assert_eq!(done.is_ok(), may, "{step:?}: {done:?}");
                let Ok(left) = done else { return };
                for (seat, act) in seats.iter().zip(ends) {
                    let act = &mut self.acts[act.unwrap()];
                    act.wants.remove(seat);
                    if *listed {
                        act.listed.remove(seat);
                    }
                }
                let still: BTreeSet<usize> = seats.intersection(&self.out()).copied().collect();
                let left = left.map(|left| left.seats).unwrap_or_default();
                assert_eq!(left.join(" "), told(&still), "{step:?}");
            }
        }
    }

    /// The act that ends on a seat: the oldest on the list when that is asked for; else the oldest on tonight alone,
    /// then the oldest.
    fn ends(&self, seat: usize, listed: bool) -> Option<usize> {
        let first = |is: &dyn Fn(&Act) -> bool| self.acts.iter().position(is);
        let on_list = first(&|act| listed && act.listed.contains(&seat));
        let alone = || first(&|act| !act.everywhere && act.wants.contains(&seat));
        let any = || first(&|act| act.wants.contains(&seat));
        on_list.or_else(alone).or_else(any)
    }

    fn out(&self) -> BTreeSet<usize> {
        self.acts.iter().flat_map(|act| act.wants.clone()).collect()
    }

    fn agrees(&self) {
        let out = self.out();
        assert_eq!(usize::try_from(self.house.free()).unwrap(), 80 - out.len());
        for seat in out {
            let name = format!("A{}", seat + 1);
            refused(self.house.hold(self.house.open_cart(), &name));
        }
        self.house.verified();
    }
}

fn step() -> impl Strategy<Value = Step> {
    let seats = || proptest::collection::btree_set(0..6_usize, 1..5);
    // mostly one operator: it is they who can have several acts over a seat
    let operator = || (0..5_usize).prop_map(|number| usize::from(number == 0));
    prop_oneof![
        (operator(), any::<bool>(), seats()).prop_map(|(by, all, of)| Step::Disable(by, all, of)),
        (operator(), any::<bool>(), seats()).prop_map(|(by, all, of)| Step::Enable(by, all, of)),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn whatever_is_disabled_and_enabled_a_seat_is_out_of_use_while_an_act_wants_it(
        steps in proptest::collection::vec(step(), 1..20),
    ) {
        let house = House::royal();
        let operators = [house.desk.clone(), house.at("office")];
        let mut tried = Tried { house, operators, acts: Vec::new() };
        for step in &steps {
            tried.step(step);
        }
        tried.agrees();
    }
}
