//! Sets of cells, checked once when they are made.

use crate::domain::availability::ChunkKey;

/// Neighbouring cells of one chunk, `from..=to`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct CellRange {
    pub chunk: ChunkKey,
    pub from: u32,
    /// The last, inclusive.
    pub to: u32,
}

impl CellRange {
    /// The cells one by one.
    pub fn cells(&self) -> impl Iterator<Item = u32> {
        self.from..=self.to
    }
}

/// A set of cells, at least one, sorted and distinct, over any number of chunks and resources.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CellSet(Vec<CellRange>);

/// Why cells make no set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CellSetError {
    Empty,
    Repeated(ChunkKey, u32),
    Backwards(ChunkKey, u32),
}

impl CellSet {
    /// Sorts and joins ranges.
    ///
    /// # Errors
    /// No cell at all, one that was named twice, or a range that ends before it begins.
    pub fn new(mut ranges: Vec<CellRange>) -> Result<Self, CellSetError> {
        ranges.sort();
        let mut joined: Vec<CellRange> = Vec::with_capacity(ranges.len());
        for range in ranges {
            if range.to < range.from {
                return Err(CellSetError::Backwards(range.chunk, range.from));
            }
            match joined.last_mut() {
                Some(last) if last.chunk == range.chunk && range.from <= last.to => {
                    return Err(CellSetError::Repeated(range.chunk, range.from));
                }
                Some(last) if last.chunk == range.chunk && range.from == last.to + 1 => {
                    last.to = range.to;
                }
                _ => joined.push(range),
            }
        }
        if joined.is_empty() { Err(CellSetError::Empty) } else { Ok(Self(joined)) }
    }

    /// The ranges, sorted and disjoint.
    pub fn ranges(&self) -> &[CellRange] {
        &self.0
    }

    /// The keys of the chunks they lie in, sorted, each once.
    pub fn chunk_keys(&self) -> Vec<ChunkKey> {
        let mut keys: Vec<ChunkKey> = self.0.iter().map(|range| range.chunk.clone()).collect();
        keys.dedup();
        keys
    }

    /// Number of cells.
    pub fn count(&self) -> u32 {
        self.0.iter().map(|range| range.to - range.from + 1).sum()
    }
}
