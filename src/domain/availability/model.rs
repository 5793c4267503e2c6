//! The kernel against a naive model: a map from cell to claim.

use std::collections::BTreeMap;

use proptest::prelude::{Just, ProptestConfig, Strategy, any, prop_oneof, proptest};

use super::{Act, CellRange, CellSet, Chunk, ChunkKey, Chunks, Claim, Grip, RefusedWhy, apply, free_of};
use crate::domain::ids::{BookingId, CartId, KeepId, LineId};
use crate::domain::owner::Owner;
use crate::domain::time::Instant;

const RESOURCES: [&str; 2] = ["one", "two"];
const CHUNKS: u32 = 2;
const CELLS: u32 = 9;

type Cell = (usize, u32, u32);

#[derive(Default)]
struct Model(BTreeMap<Cell, Claim>);

/// The domain's table of one cell, row by row: the reference model.
#[expect(clippy::match_same_arms, reason = "an arm is a cell of the table")]
fn table(act: Act, owner: &Owner, claim: Option<&Claim>, now: Instant) -> Result<Option<Claim>, RefusedWhy> {
    let new = |grip, until| Ok(Some(Claim { owner: owner.clone(), grip, until }));
    let same = || Ok(claim.cloned());
    let state = match claim {
        None => "free",
        Some(c) if c.grip == Grip::Disabled && c.owner.acts_as(owner) => "disabled by owner",
        Some(c) if c.grip == Grip::Disabled => "disabled",
        Some(c) if c.until.is_some_and(|u| u <= now) && c.owner.acts_as(owner) => "own late",
        Some(c) if c.until.is_some_and(|u| u <= now) => "late",
        Some(c) if c.owner.acts_as(owner) && c.grip == Grip::Held => "held by owner",
        Some(c) if c.owner.acts_as(owner) => "booked by owner",
        Some(_) => "another's",
    };
    match (act, state) {
        (Act::Hold { until }, "free" | "late" | "own late") => new(Grip::Held, Some(until)),
        (Act::Hold { .. }, "held by owner" | "booked by owner") => same(),
        (Act::Book { until }, "free" | "late" | "own late" | "held by owner") => new(Grip::Booked, until),
        (Act::Book { .. }, "booked by owner") => same(),
        (Act::Hold { .. } | Act::Book { .. }, "another's") => Err(RefusedWhy::Taken),
        (Act::Extend { until }, "held by owner") => new(Grip::Held, claim.and_then(|c| c.until).max(Some(until))),
        (Act::Settle, "held by owner") => new(Grip::Booked, None),
        (Act::Settle, "booked by owner") => same(),
        (Act::Release, "held by owner" | "booked by owner") => Ok(None),
        (Act::Extend { .. } | Act::Settle | Act::Release, "own late") => Err(RefusedWhy::Expired),
        (Act::Disable, "disabled by owner") => same(),
        (Act::Disable, "disabled") => Err(RefusedWhy::Disabled),
        (Act::Disable, _) => new(Grip::Disabled, None),
        (Act::Enable, "disabled by owner") => Ok(None),
        (Act::Enable, _) => Err(RefusedWhy::NotYours),
        (_, "disabled" | "disabled by owner") => Err(RefusedWhy::Disabled),
        _ => Err(RefusedWhy::NotYours),
    }
}

impl Model {
    fn apply(
        &mut self,
        cells: &[Cell],
        owner: &Owner,
        (act, now): (Act, Instant),
    ) -> Result<(), BTreeMap<Cell, RefusedWhy>> {
        let mut refused = BTreeMap::new();
        let mut next = self.0.clone();
        for cell in cells {
            match table(act, owner, self.0.get(cell), now) {
                Ok(Some(claim)) => drop(next.insert(*cell, claim)),
                Ok(None) => drop(next.remove(cell)),
                Err(why) => drop(refused.insert(*cell, why)),
            }
        }
        if refused.is_empty() {
            self.0 = next;
            return Ok(());
        }
        Err(refused)
    }
}

fn key(resource: usize, number: u32) -> ChunkKey {
    ChunkKey { resource: RESOURCES[resource].to_owned(), number }
}

fn set_of(cells: &[Cell]) -> CellSet {
    CellSet::new(cells.iter().map(|&(r, n, c)| CellRange { chunk: key(r, n), from: c, to: c }).collect()).unwrap()
}

fn check(chunks: &Chunks, model: &Model) {
    for (resource, _) in RESOURCES.iter().enumerate() {
        for number in 0..CHUNKS {
            let chunk = &chunks[&key(resource, number)];
            for cell in 0..CELLS {
                assert_eq!(chunk.claim(cell), model.0.get(&(resource, number, cell)));
            }
            let covered: u32 = chunk.runs.iter().map(|run| run.to - run.from + 1).sum();
            assert_eq!(chunk.free, CELLS - covered);
            for pair in chunk.runs.windows(2) {
                assert!(pair[0].to < pair[1].from, "sorted and disjoint");
                assert!(pair[0].to + 1 < pair[1].from || pair[0].claim != pair[1].claim, "merged");
            }
        }
    }
}

fn owners() -> Vec<Owner> {
    let cart = CartId::random();
    vec![
        Owner::Line(LineId { cart, number: 1 }),
        Owner::Line(LineId { cart, number: 2 }),
        Owner::Keep(KeepId::random()),
        Owner::Disable(BookingId::random(), "ada".into()),
        Owner::Disable(BookingId::random(), "ada".into()),
        Owner::Disable(BookingId::random(), "ben".into()),
    ]
}

fn acts() -> impl Strategy<Value = Act> {
    let soon = (0_i64..60).prop_map(Instant::from_millis);
    prop_oneof![
        4 => soon.clone().prop_map(|until| Act::Hold { until }),
        2 => proptest::option::of(soon.clone()).prop_map(|until| Act::Book { until }),
        1 => soon.prop_map(|until| Act::Extend { until }),
        2 => Just(Act::Settle),
        2 => Just(Act::Release),
        1 => Just(Act::Disable),
        1 => Just(Act::Enable),
    ]
}

type Step = (Act, usize, i64, Vec<Cell>, bool);

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let cell = (0..RESOURCES.len(), 0..CHUNKS, 0..CELLS);
    let cells = proptest::collection::btree_set(cell, 1..7).prop_map(|set| set.into_iter().collect::<Vec<_>>());
    proptest::collection::vec((acts(), 0_usize..6, 0_i64..4, cells, any::<bool>()), 1..40)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 10_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_kernel_agrees_with_a_map_of_cells(steps in steps()) {
        let owners = owners();
        let mut chunks: Chunks = (0..RESOURCES.len())
            .flat_map(|r| (0..CHUNKS).map(move |n| (key(r, n), Chunk::empty(key(r, n), CELLS))))
            .collect();
        let mut model = Model::default();
        let mut now = 0;
        for (act, who, passed, cells, free) in steps {
            now += passed;
            let (owner, at) = (&owners[who], Instant::from_millis(now));
            if free && matches!(act, Act::Release) {
                free_of(&mut chunks, &set_of(&cells), owner);
                model.0.retain(|cell, claim| !(cells.contains(cell) && claim.owner == *owner));
                continue;
            }
            let before = chunks.clone();
            let answer = apply(&mut chunks, &set_of(&cells), owner, (act, at));
            let expected = model.apply(&cells, owner, (act, at));
            match (answer, expected) {
                (Ok(_), Ok(())) => {}
                (Err(refused), Err(expected)) => {
                    assert_eq!(chunks, before, "a refused act changed something");
                    let named: BTreeMap<Cell, RefusedWhy> = refused.iter().flat_map(|r| {
                        let resource = RESOURCES.iter().position(|name| *name == r.cells.chunk.resource).unwrap();
                        r.cells.cells().map(move |cell| ((resource, r.cells.chunk.number, cell), r.why))
                    }).collect();
                    assert_eq!(named, expected);
                }
                (answer, expected) => panic!("{act:?}: {answer:?} but the table says {expected:?}"),
            }
            check(&chunks, &model);
        }
    }
}

#[test]
fn a_taker_is_told_of_every_late_owner_and_a_disable_of_every_displaced_one() {
    let owners = owners();
    let mut chunks: Chunks = [(key(0, 0), Chunk::empty(key(0, 0), CELLS))].into();
    let hold = |until| Act::Hold { until: Instant::from_millis(until) };
    apply(&mut chunks, &set_of(&[(0, 0, 1)]), &owners[0], (hold(5), Instant::from_millis(0))).unwrap();
    apply(&mut chunks, &set_of(&[(0, 0, 3)]), &owners[1], (hold(50), Instant::from_millis(0))).unwrap();
    let refused = apply(
        &mut chunks,
        &set_of(&[(0, 0, 1), (0, 0, 2), (0, 0, 3)]),
        &owners[2],
        (hold(90), Instant::from_millis(5)),
    )
    .unwrap_err();
    assert_eq!(refused.len(), 1, "only the live hold stands in the way");
    let done = apply(
        &mut chunks,
        &set_of(&[(0, 0, 1), (0, 0, 2), (0, 0, 3)]),
        &owners[3],
        (Act::Disable, Instant::from_millis(5)),
    )
    .unwrap();
    assert_eq!(done.late, [owners[0].clone()].into());
    assert_eq!(done.displaced.len(), 1);
    assert_eq!(done.displaced[0].1.owner, owners[1]);
    let missing =
        apply(&mut chunks, &set_of(&[(1, 1, 0)]), &owners[0], (hold(9), Instant::from_millis(0))).unwrap_err();
    assert_eq!(missing[0].why, RefusedWhy::NotOpen);
}
