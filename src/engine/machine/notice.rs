//! Change notices: kinds and keys only, so that each screen reloads only the documents it shows.

pub use crate::store::chunks::chunk_at;
pub use crate::store::document::DocKind;

use crate::engine::machine::gaps::Gaps;
use crate::store::document::by_keys;
use crate::store::journal::{COLUMNS, Entry, LAST_NUMBER};
use crate::store::{Fault, Row, Sql, Value};

/// Documents changed by this process or another one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Notice {
    /// Kind and key of each; a chunk's key starts with its resource's.
    pub changed: Vec<(DocKind, String)>,
    /// Too many changes to list: read everything again.
    pub everything: bool,
}

impl Notice {
    /// Returns whether a document may have changed.
    pub fn touches(&self, kind: DocKind, key: &str) -> bool {
        self.everything || self.changed.iter().any(|(changed, which)| *changed == kind && which.starts_with(key))
    }
}

/// Most commands in one notice; beyond, only [`Notice::everything`] is set.
const COMMANDS_NAMED_MAX: i64 = 200;

/// Most gaps looked up again; beyond, everything is read again.
const GAPS_MAX: usize = 200;

/// Journal position up to which notices were sent. Concurrent writers may commit a later position
/// before an earlier one, so gaps are looked up again.
#[derive(Debug)]
pub(crate) struct Reached {
    newest: i64,
    gaps: Gaps,
}

impl Reached {
    pub(crate) fn at(newest: i64) -> Self {
        Self { newest, gaps: Gaps::default() }
    }

    /// Reads the changes since the last call.
    pub(crate) fn tell(&mut self, sql: &mut dyn Sql) -> Result<Notice, Fault> {
        let newest = newest(sql)?;
        let mut notice = Notice::default();
        if newest - self.newest > COMMANDS_NAMED_MAX {
            *self = Self::at(newest);
            notice.everything = true;
            return Ok(notice);
        }
        let rows = if newest <= self.newest {
            Vec::new()
        } else {
            sql.query(
                &format!("SELECT {COLUMNS} FROM journal WHERE seq > $1 ORDER BY seq"),
                &[Value::Int(self.newest)],
            )?
        };
        for row in rows {
            let seq = row.int(0);
            self.gaps.pass(self.newest + 1..seq);
            self.newest = seq;
            notice.add(row);
        }
        self.fill(sql, &mut notice)?;
        Ok(notice)
    }

    /// Reads entries that fill earlier gaps.
    fn fill(&mut self, sql: &mut dyn Sql, notice: &mut Notice) -> Result<(), Fault> {
        let open = self.gaps.open();
        if open.len() > GAPS_MAX {
            self.gaps = Gaps::default();
            notice.everything = true;
            return Ok(());
        }
        for row in at_places(sql, &open)? {
            self.gaps.fill(row.int(0));
            notice.add(row);
        }
        Ok(())
    }
}

impl Notice {
    /// Adds the changes of a journal entry.
    fn add(&mut self, row: Row) {
        match Entry::from_row(row) {
            Ok(entry) => {
                let changes = entry.said.changes.into_iter();
                self.changed.extend(changes.map(|change| (change.kind, change.key)));
            }
            // written by a newer program
            Err(_) => self.everything = true,
        }
    }
}

/// Journal rows at some positions, in order.
pub(crate) fn at_places(sql: &mut dyn Sql, places: &[i64]) -> Result<Vec<Row>, Fault> {
    let select = format!("SELECT {COLUMNS} FROM journal WHERE seq IN ");
    let places: Vec<Value> = places.iter().copied().map(Value::Int).collect();
    let mut rows = by_keys(&mut |text, params| sql.query(text, params), &select, &places)?;
    rows.sort_by_key(|row| row.int(0));
    Ok(rows)
}

/// Last position in the journal; on a distributed server the last that was given to an entry, stored or not.
pub(crate) fn newest(sql: &mut dyn Sql) -> Result<i64, Fault> {
    let in_table = "SELECT seq FROM journal ORDER BY seq DESC LIMIT 1";
    let text = if sql.is_distributed() { LAST_NUMBER } else { in_table };
    Ok(sql.query(text, &[])?.first().map_or(0, |row| row.int(0)))
}
