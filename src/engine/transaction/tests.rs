//! Batches that are decided before their transaction begins, beside another writer of the file.

use std::sync::Arc;

use super::{ChainName, SideWrites, Transaction, WARY_FOR};
use crate::domain::house::Station;
use crate::engine::cache::version;
use crate::store::document::{By, ChangedDocument, DocKind, spell};
use crate::store::job::SideEffects;
use crate::store::journal::NewEntry;
use crate::store::sqlite::SqliteFile;
use crate::store::{Database, Fault, Missing};

/// Writer on a connection of its own.
struct Writer(Transaction);

impl Writer {
    fn of(database: &Arc<dyn Database>) -> Self {
        let transaction = Transaction::new(database, &Arc::default(), ChainName::Only);
        let mut writer = Self(transaction.unwrap());
        for _ in 0..WARY_FOR {
            writer.0.begin().unwrap();
            writer.0.end();
        }
        writer
    }

    /// Version of a station that a decision rests on now.
    fn read(&mut self, name: &str) -> i64 {
        let found = self.0.load(DocKind::Station, vec![name.into()]).unwrap();
        version(&found[0].1)
    }

    /// Changes a station by a command.
    fn change(&mut self, name: &str, command: &str) {
        let found = self.0.load(DocKind::Station, vec![name.into()]).unwrap();
        let before = found[0].1.clone();
        let station = Station {
            name: name.into(),
            receipts: version(&before).try_into().unwrap(),
        };
        let by = By {
            command,
            at: 1,
            operator: "ada",
            station: name,
        };
        let placed = (name.to_owned(), spell(&station).unwrap());
        let changes = vec![ChangedDocument::of(&station, placed, before, by)];
        let texts = ("{}".to_owned(), "null".to_owned());
        let entry = NewEntry::of(by, texts, (&changes, &SideEffects::default()));
        self.0.add(changes, SideWrites::default(), Some(entry));
    }

    /// Decides, changes and commits in one transaction.
    fn put(&mut self, name: &str, command: &str) {
        self.0.begin().unwrap();
        self.change(name, command);
        self.0.commit().unwrap();
    }
}

/// House with the stations `till-1` and `till-2`, and two writers.
fn two_writers() -> (tempfile::TempDir, [Writer; 2]) {
    let folder = tempfile::tempdir().unwrap();
    let file = SqliteFile::open(&folder.path().join("house.db"), Missing::Create).unwrap();
    let database: Arc<dyn Database> = Arc::new(file);
    let mut one = Writer::of(&database);
    one.put("till-1", "a");
    one.put("till-2", "b");
    // its absence is cached
    assert_eq!(one.read("till-3"), 0);
    one.0.end();
    (folder, [one, Writer::of(&database)])
}

#[test]
fn a_batch_is_decided_while_another_process_writes_other_documents() {
    let (_folder, [mut one, mut other]) = two_writers();
    for command in ["c", "d", "e"] {
        one.0.begin_optimistic().unwrap();
        one.change("till-1", command);
        other.put("till-2", &format!("{command} of the other"));
        assert!(!one.0.has_begun(), "decided before its transaction");
        assert_eq!(one.0.commit(), Ok(()));
    }
}

#[test]
fn a_batch_whose_document_another_process_changed_conflicts() {
    let (_folder, [mut one, mut other]) = two_writers();
    one.0.begin_optimistic().unwrap();
    one.change("till-1", "c");
    other.put("till-1", "d");
    assert_eq!(one.0.commit(), Err(Fault::Contended));
    one.0.begin_anew().unwrap();
    assert_eq!(one.read("till-1"), 2);
    one.change("till-1", "c");
    assert_eq!(one.0.commit(), Ok(()));
}

#[test]
fn a_batch_that_only_read_what_another_process_changed_conflicts() {
    for (read, added) in [("till-2", 1), ("till-3", 0)] {
        let (_folder, [mut one, mut other]) = two_writers();
        one.0.begin_optimistic().unwrap();
        assert_eq!(one.read(read), added);
        one.change("till-1", "c");
        other.put(read, "d");
        assert_eq!(one.0.commit(), Err(Fault::Contended), "{read}");
        // nor may a refusal rest on it
        one.0.rollback();
        one.0.begin_optimistic().unwrap();
        assert_eq!(one.read(read), added + 1);
        one.0.end();
    }
}

#[test]
fn a_stale_document_is_read_again_within_the_transaction() {
    let (_folder, [mut one, mut other]) = two_writers();
    other.put("till-2", "c");
    one.0.begin_optimistic().unwrap();
    one.change("till-1", "d");
    one.0.flushed().unwrap();
    assert_eq!(one.read("till-2"), 2);
    assert_eq!(one.read("till-1"), 2, "its own change");
    assert_eq!(one.0.commit(), Ok(()));
    // before the transaction the stale version would do, and be compared
    other.put("till-2", "e");
    one.0.begin_optimistic().unwrap();
    assert_eq!(one.read("till-2"), 2);
    assert_eq!(one.0.in_transaction().err(), Some(Fault::Contended));
}

#[test]
fn the_journal_of_two_writers_is_one_chain() {
    let (folder, [mut one, mut other]) = two_writers();
    for command in ["c", "d", "e"] {
        one.0.begin_optimistic().unwrap();
        one.change("till-1", command);
        other.put("till-2", &format!("{command} of the other"));
        assert_eq!(one.0.commit(), Ok(()));
    }
    let file = SqliteFile::open(&folder.path().join("house.db"), Missing::Refuse).unwrap();
    let mut reader = file.reader().unwrap();
    let links = reader.query("SELECT link FROM journal ORDER BY seq", &[]);
    let links: Vec<i64> = links.unwrap().iter().map(|row| row.int(0)).collect();
    assert_eq!(links, (1..=8).collect::<Vec<_>>());
    let ends = reader.query("SELECT version FROM chain", &[]).unwrap();
    assert_eq!(ends[0].int(0), 8);
}
