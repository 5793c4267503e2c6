//! Seals of the journal.

use serde::{Deserialize, Serialize};

use crate::engine::work::{Failure, Operation, UnitOfWork};
use crate::store::kinds::Chain;

/// Records the newest entry of each journal chain. The entry of this command is the seal: its hash
/// covers all of them, and everything before them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SealJournal;

/// Newest entries of the chains.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sealed {
    /// Chains with their numbers and hashes.
    pub heads: Vec<ChainHead>,
}

/// Newest entry of a chain.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChainHead {
    pub chain: String,
    pub number: i64,
    pub hash: String,
}

impl Operation for SealJournal {
    const VERB: &'static str = "seal_journal";
    type Answer = Sealed;

    fn run(&self, work: &mut UnitOfWork<'_>) -> Result<Sealed, Failure> {
        work.keep_answer();
        let rows = work.query("SELECT key, version, body FROM chain ORDER BY key", &[])?;
        let mut heads = Vec::with_capacity(rows.len());
        for row in rows {
            let head: Chain = crate::store::document::parse(row.text(0), (row.text(2), ""))?;
            heads.push(ChainHead { chain: head.name, number: row.int(1), hash: head.hash });
        }
        Ok(Sealed { heads })
    }
}
