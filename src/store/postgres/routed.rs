//! Statements for a distributed server, each of one row, which it finds by its key, or an insert of several, which it
//! splits by their keys: any other statement is planned anew and sent to all machines. Whoever sends them compares their
//! answers, before the commit.

use crate::store::dialect::Write;
use crate::store::document::DocKind;
use crate::store::postgres::wire::Part;
use crate::store::value::{Row, Value};

/// Most rows of an insert, which have a power of two, so that few statements are prepared.
const ROWS_MAX: usize = 32;

/// Statement with the answer without which it is in conflict with another writer.
pub(super) struct Routed {
    text: String,
    params: Vec<Value<'static>>,
    wants: Wants,
}

/// Answer that a statement wants.
enum Wants {
    Anything,
    Rows(u64),
    /// Version of a document; 0 for none.
    Version(i64),
}

impl Routed {
    /// Version of a document in the read set.
    pub(super) fn version(kind: DocKind, key: String, version: i64) -> Self {
        let text = format!("SELECT version FROM {} WHERE key = $1", kind.word());
        Self { text, params: vec![key.into()], wants: Wants::Version(version) }
    }

    fn of(write: &Write) -> Self {
        let wants = if write.row.is_done_by(0) { Wants::Anything } else { Wants::Rows(1) };
        Self { text: write.row.routed().to_owned(), params: write.params.clone(), wants }
    }

    pub(super) fn part(&self) -> Part<'_> {
        Part::Prepared(&self.text, &self.params)
    }

    pub(super) fn is_met(&self, (rows, changed): &(Vec<Row>, u64)) -> bool {
        match self.wants {
            Wants::Anything => true,
            Wants::Rows(rows) => *changed == rows,
            Wants::Version(version) => rows.first().map_or(0, |row| row.int(0)) == version,
        }
    }
}

/// Statements of writes, in order.
pub(super) fn writes(writes: &[Write]) -> Vec<Routed> {
    let mut routed = Vec::with_capacity(writes.len());
    for same in writes.chunk_by(|one, next| std::ptr::eq(one.row, next.row) && further(one) == further(next)) {
        let mut rest = same;
        while !rest.is_empty() {
            let (some, others) = rest.split_at(1 << rest.len().min(ROWS_MAX).ilog2());
            if let Some(several) = several(some) {
                routed.push(several);
            } else {
                routed.extend(some.iter().map(Routed::of));
            }
            rest = others;
        }
    }
    routed
}

/// How many versions an update goes on.
fn further(write: &Write) -> Option<i64> {
    write.row.relisted(1)?;
    match (write.params.first(), write.params.last()) {
        (Some(Value::Int(new)), Some(Value::Int(loaded))) => Some(new - loaded),
        _ => None,
    }
}

/// Statement of several rows of a table; `None` where each is written by itself.
fn several(some: &[Write]) -> Option<Routed> {
    let [first, _, ..] = some else {
        return None;
    };
    if let Some(text) = first.row.listed(some.len()) {
        let params = some.iter().flat_map(|one| one.params.iter().cloned()).collect();
        return Some(Routed { text, params, wants: Wants::Anything });
    }
    let text = first.row.relisted(some.len())?;
    let columns = some.iter().flat_map(|one| one.params.iter().rev().skip(1).rev());
    let params = columns.cloned().chain(further(first).map(Value::Int)).collect();
    Some(Routed { text, params, wants: Wants::Rows(u64::try_from(some.len()).unwrap_or(u64::MAX)) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::house::Station;
    use crate::store::document::{By, ChangedDocument, Spelled};

    /// A station at a version, over the one that was loaded.
    fn station(name: &str, version: i64, loaded: i64) -> Write {
        let by = By { command: "c", at: 1, operator: "ada", station: name };
        let placed = (name.to_owned(), Spelled { body: "{}".into(), words: String::new() });
        ChangedDocument::of(&Station { name: name.into(), receipts: 0, tills: 0 }, placed, None, by)
            .at_version(version)
            .write_over(loaded, 1)
    }

    #[test]
    fn several_rows_are_of_one_statement_whose_rows_are_counted() {
        let new: Vec<Write> = (0..5).map(|number| station(&format!("till-{number}"), 1, 0)).collect();
        let statements = writes(&new);
        let [four, one] = &statements[..] else { unreachable!("{} statements", statements.len()) };
        assert!(four.text.ends_with("($11, $12, $13, $14, $15), ($16, $17, $18, $19, $20)"), "{}", four.text);
        assert_eq!(four.params.len(), 20);
        assert!(one.text.starts_with("INSERT INTO station"), "{}", one.text);
        let changed = writes(&[station("till-1", 2, 1), station("till-2", 2, 1), station("till-3", 4, 1)]);
        let [two, one] = &changed[..] else { unreachable!("{} statements", changed.len()) };
        let condition = "recorded_at ELSE excluded.recorded_at END, written_by = excluded.written_by, \
                         body = excluded.body WHERE station.version = excluded.version - $11";
        assert!(two.text.ends_with(condition), "{}", two.text);
        assert_eq!(two.params.len(), 11);
        assert!(
            two.is_met(&(Vec::new(), 2)) && !two.is_met(&(Vec::new(), 1)),
            "each was at the version that was loaded"
        );
        assert!(one.text.starts_with("UPDATE station") && !one.text.contains("COUNT"), "{}", one.text);
        assert!(one.is_met(&(Vec::new(), 1)) && !one.is_met(&(Vec::new(), 0)));
    }

    #[test]
    fn a_read_set_wants_the_versions_that_were_loaded() {
        let loaded = Routed::version(DocKind::Cart, "c1".into(), 3);
        let answer = |version: i64| (vec![Row(vec![version.into()])], 1);
        assert!(loaded.is_met(&answer(3)) && !loaded.is_met(&answer(4)));
        let absent = Routed::version(DocKind::Cart, "c1".into(), 0);
        assert!(absent.is_met(&(Vec::new(), 0)) && !absent.is_met(&answer(1)));
    }
}
