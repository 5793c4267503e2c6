//! Chain checks of the journal: the hash and number of each entry against the one before, and the end of each chain.

use std::collections::BTreeMap;

use super::report::{Invariant, Report};
use crate::engine::Failure;
use crate::engine::ops::{SealJournal, Sealed};
use crate::engine::reads::Snapshot;
use crate::engine::work::Operation;
use crate::store::document::Stored;
use crate::store::journal::{Entry, ONLY_CHAIN, hash};
use crate::store::kinds::Chain;
use crate::store::{Row, Sql};

/// Newest entry of a chain.
#[derive(Default)]
struct ChainEnd {
    /// Number in the chain.
    link: i64,
    hash: String,
    command: String,
    /// Newest time of the chain's entries, in milliseconds.
    recorded_at: i64,
    /// Journal position minus chain number.
    offset: i64,
}

/// State of all chains while the journal is read in order.
#[derive(Default)]
pub(super) struct Chains {
    /// Journal positions have no gap: true for a database with one chain.
    is_gapless: bool,
    /// Newest entry read of each chain.
    ends: BTreeMap<String, ChainEnd>,
}

impl Chains {
    pub(super) fn new(is_gapless: bool) -> Self {
        Self { is_gapless, ..Self::default() }
    }

    pub(super) fn follow(&mut self, row: &Row, report: &mut Report) {
        let (seq, chain, link, hash) = (row.int(0), row.text(5), row.int(6), row.text(7));
        let subject = format!("journal {seq}");
        let is_only = chain == ONLY_CHAIN && self.ends.keys().all(|name| name == chain);
        let end = self.ends.entry(chain.to_owned()).or_default();
        report.expect(link == end.link + 1, (Invariant::Journal, &subject), || {
            format!("it is number {link} of its chain, behind number {}", end.link)
        });
        let offset = seq - link;
        let stands = !self.is_gapless || !is_only || end.link == 0 || offset == end.offset;
        report.expect(stands, (Invariant::Journal, &subject), || {
            format!("number {link} of the chain is not at its place")
        });
        report.expect(Entry::hash_of(row, &end.hash) == *hash, (Invariant::Journal, &subject), || {
            "its hash is not that of what it says and of the entry before".into()
        });
        *end = ChainEnd {
            link,
            hash: hash.to_owned(),
            command: row.text(1).to_owned(),
            recorded_at: row.int(2).max(end.recorded_at),
            offset,
        };
    }

    /// Compares the chain ends that a seal names.
    pub(super) fn note(&mut self, entry: &Entry, report: &mut Report) {
        if entry.is_of(SealJournal::VERB) {
            let sealed: Sealed = serde_json::from_str(&entry.said.answer).unwrap_or_default();
            for head in sealed.heads {
                let end = self.ends.get(&head.chain);
                // other stations may have added entries meanwhile
                let stands =
                    end.is_some_and(|end| end.link > head.number || end.link == head.number && end.hash == head.hash);
                let is_own = head.chain == entry.chain;
                let subject = format!("chain {}", head.chain);
                report.expect(stands || is_own, (Invariant::Journal, &subject), || {
                    format!("seal {} names an end that it has not", entry.seq)
                });
            }
        }
    }

    /// Compares the chain ends with the rows that store them, since the last entries may be missing.
    pub(super) fn check_ends(self, snapshot: &mut Snapshot<'_>, report: &mut Report) -> Result<(), Failure> {
        let Self { is_gapless: _, mut ends } = self;
        let columns = "SELECT key, version, recorded_at, written_by, body FROM chain ORDER BY key";
        for row in snapshot.query(columns, &[])? {
            let stored = Stored::from_row(row);
            let end = ends.remove(&stored.key).unwrap_or_default();
            let head: Chain = stored.parse()?;
            let stands = (end.link, &end.hash) == (stored.version, &head.hash);
            let stands = stands && head.name == stored.key;
            let stands = stands && (&end.command, end.recorded_at) == (&stored.written_by, stored.recorded_at);
            let subject = format!("chain {}", stored.key);
            report.expect(stands, (Invariant::Journal, &subject), || {
                let (newest, version) = (end.link, stored.version);
                format!("its end, number {version}, is not that of its newest entry, number {newest}")
            });
        }
        for chain in ends.keys() {
            let detail = "nothing says with which entry it ends";
            report.violation(Invariant::Journal, format!("chain {chain}"), detail);
        }
        Ok(())
    }
}

/// Checks that the journal has an entry with the hash `seal`.
pub(super) fn check_seal(sql: &mut dyn Sql, seal: &str, report: &mut Report) -> Result<(), Failure> {
    let rows = sql.query("SELECT seq FROM journal WHERE hash = $1", &[seal.into()])?;
    let subject = format!("seal {}", hash::grouped(seal));
    report.expect(!rows.is_empty(), (Invariant::Journal, &subject), || {
        "no entry of the journal has it: what was sealed was changed or cut off since".into()
    });
    Ok(())
}
