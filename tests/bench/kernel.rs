//! Time of one kernel decision and change, seats in rows and slots over days, and of laying out a plan.
//!
//! A refusal is measured beside an act that is done, because a busy house refuses as often as it sells.

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use willcall::domain::availability::{Act, CellRange, CellSet, Chunk, ChunkKey, Chunks, apply, free_of};
use willcall::domain::ids::{CartId, LineId};
use willcall::domain::layout::Layout;
use willcall::domain::owner::Owner;
use willcall::domain::time::{Instant, Span};

const NOW: Instant = Instant::from_millis(1_795_262_400_000);

/// Neighbouring chunks of one resource, half of their cells sold to many owners.
struct Ground {
    chunks: u32,
    cells: u32,
}

/// Thirty rows of thirty seats.
const HOUSE: Ground = Ground { chunks: 30, cells: 30 };

/// Thirty days of quarter hours.
const MONTH: Ground = Ground { chunks: 30, cells: 96 };

fn owner() -> Owner {
    Owner::Line(LineId { cart: CartId::random(), number: 1 })
}

fn range(chunk: u32, (from, to): (u32, u32)) -> CellRange {
    CellRange { chunk: ChunkKey { resource: "hall".into(), number: chunk }, from, to }
}

fn set(ranges: Vec<CellRange>) -> CellSet {
    CellSet::new(ranges).expect("distinct cells")
}

impl Ground {
    /// The first half of each chunk is sold, five cells to an owner; the second half is free.
    fn half_sold(&self) -> Chunks {
        let mut chunks: Chunks = (0..self.chunks)
            .map(|number| {
                let key = range(number, (0, 0)).chunk;
                (key.clone(), Chunk::empty(key, self.cells))
            })
            .collect();
        for number in 0..self.chunks {
            for from in (0..self.cells / 2 - 4).step_by(5) {
                let cells = set(vec![range(number, (from, from + 4))]);
                let book = (Act::Book { until: None }, NOW);
                apply(&mut chunks, &cells, &owner(), book).expect("free cells");
            }
        }
        chunks
    }

    /// Five free cells of so many chunks.
    fn free(&self, chunks: u32) -> CellSet {
        let from = self.cells / 2;
        set((0..chunks).map(|number| range(number, (from, from + 4))).collect())
    }

    /// As many cells, of which the first chunk's are sold.
    fn taken(&self, chunks: u32) -> CellSet {
        let from = self.cells / 2;
        set((0..chunks).map(|number| range(number, if number == 0 { (0, 4) } else { (from, from + 4) })).collect())
    }
}

/// What a cart does to its cells: holds them, and settles at checkout or gives them back.
fn hold_settle_and_release(criterion: &mut Criterion) {
    for (name, ground) in [("house", HOUSE), ("month", MONTH)] {
        for chunks in [1, 30] {
            let before = ground.half_sold();
            let (cells, owner) = (ground.free(chunks), owner());
            let until = NOW + Span::minutes(30);
            let steps = [
                ("hold", vec![], Act::Hold { until }),
                ("book", vec![], Act::Book { until: None }),
                ("settle", vec![Act::Hold { until }], Act::Settle),
                ("release", vec![Act::Hold { until }], Act::Release),
            ];
            for (verb, first, act) in steps {
                let mut ready = before.clone();
                for act in first {
                    apply(&mut ready, &cells, &owner, (act, NOW)).expect("free cells");
                }
                criterion.bench_function(&format!("{verb}, {name}, chunks: {chunks}"), |bench| {
                    bench.iter_batched_ref(
                        || ready.clone(),
                        |chunks| assert!(apply(chunks, &cells, &owner, (act, NOW)).is_ok()),
                        BatchSize::SmallInput,
                    );
                });
            }
        }
    }
}

/// A hold that meets one sold stretch changes nothing, so it can be asked again and again.
fn refuse(criterion: &mut Criterion) {
    for (name, ground) in [("house", HOUSE), ("month", MONTH)] {
        let (mut chunks, cells, owner) = (ground.half_sold(), ground.taken(30), owner());
        let act = Act::Hold { until: NOW + Span::minutes(30) };
        criterion.bench_function(&format!("refused hold, {name}, chunks: 30"), |bench| {
            bench.iter(|| assert!(apply(&mut chunks, &cells, &owner, (act, NOW)).is_err()));
        });
    }
}

/// What the end of an owner costs, where nothing is refused.
fn free_what_is_left(criterion: &mut Criterion) {
    let (cells, owner) = (HOUSE.free(30), owner());
    let mut before = HOUSE.half_sold();
    let act = Act::Hold { until: NOW + Span::minutes(30) };
    apply(&mut before, &cells, &owner, (act, NOW)).expect("free cells");
    criterion.bench_function("free what is left, house, chunks: 30", |bench| {
        bench.iter_batched_ref(|| before.clone(), |chunks| free_of(chunks, &cells, &owner), BatchSize::SmallInput);
    });
}

/// The character grid of a seating plan: rows of 100 seats.
fn lay_out(criterion: &mut Criterion) {
    for rows in [10, 100, 1000] {
        let plan = willcall::formats::rows::parse(&format!("{rows}x100")).expect("a plan");
        let name = format!("layout, seats: {}", rows * 100);
        let mut group = criterion.benchmark_group("layout");
        group.sample_size(10);
        group.bench_function(name, |bench| bench.iter(|| Layout::new(&plan)));
        group.finish();
    }
}

criterion_group!(benches, hold_settle_and_release, refuse, free_what_is_left, lay_out);
criterion_main!(benches);
