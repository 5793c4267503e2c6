//! What waits for the commit and goes with it: changes, and what they rest on.

use std::fmt::Write as _;

use crate::store::document::{DocKind, INSERT_ENTRY};
use crate::store::postgres::DIALECT;
use crate::store::postgres::wire::Part;
use crate::store::{Rows, Value, schema};

/// A change that waits for the commit.
pub(super) struct Waiting {
    text: String,
    params: Vec<Value<'static>>,
    /// The document that it writes.
    document: Option<(DocKind, String)>,
    /// Whether it is an entry of the journal.
    is_entry: bool,
}

/// A document that is relied on.
pub(super) struct Relied {
    pub(super) kind: DocKind,
    pub(super) key: String,
    pub(super) version: i64,
}

/// How many documents that are relied on are looked at by one statement.
pub(super) const RELIED_AT_ONCE: usize = 4;

impl Waiting {
    pub(super) fn new(sql: &str, params: &[Value<'_>], rows: Rows) -> Self {
        let params = params.iter().cloned().map(Value::into_owned).collect();
        Self {
            text: DIALECT.change(sql, rows),
            params,
            document: None,
            is_entry: sql == INSERT_ENTRY,
        }
    }

    pub(super) fn part(&self) -> Part<'_> {
        Part::Prepared(&self.text, &self.params)
    }

    /// The same, as the write of a document.
    pub(super) fn of(mut self, kind: DocKind, key: &str) -> Self {
        self.document = Some((kind, key.to_owned()));
        self
    }

    pub(super) fn writes(&self, kind: DocKind, key: &str) -> bool {
        let document = self.document.as_ref();
        document.is_some_and(|(other, name)| *other == kind && name == key)
    }

    /// Documents first and in one order, so that no two transactions wait for each other; then the rest as it came, and
    /// the journal last: it tells only of what stands before it.
    pub(super) fn in_order(mut waiting: Vec<Self>) -> Vec<Self> {
        waiting.sort_by(|one, other| match (&one.document, &other.document) {
            (Some(one), Some(other)) => one.cmp(other),
            (None, None) => one.is_entry.cmp(&other.is_entry),
            (one, other) => other.is_some().cmp(&one.is_some()),
        });
        waiting
    }
}

impl Relied {
    /// A statement that fails by itself when one of the documents has not the version that it should have.
    pub(super) fn check(relied: &[Self]) -> Waiting {
        let mut text = format!(
            "SELECT 1 / CAST((SELECT version FROM house_schema WHERE id = 1) <= {}",
            schema::known_version()
        );
        let mut params = Vec::with_capacity(relied.len() * 2);
        for (one, place) in relied.iter().zip((1..).step_by(2)) {
            // writing to a String cannot fail
            let _ = write!(
                text,
                " AND COALESCE((SELECT version FROM {} WHERE key = ${place}), 0) = ${}",
                one.kind.word(),
                place + 1
            );
            params.push(Value::from(one.key.clone()));
            params.push(Value::from(one.version));
        }
        text.push_str(" AS INTEGER)");
        Waiting {
            text,
            params,
            document: None,
            is_entry: false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_go_first_in_one_order_and_the_journal_last() {
        let write = |text: &str| Waiting::new(text, &[], Rows::Any);
        let waiting = vec![
            write(INSERT_ENTRY),
            write("job 1"),
            write("cart 1").of(DocKind::Cart, "b"),
            write("job 2"),
            write("chunk").of(DocKind::Chunk, "z"),
            write("cart 2").of(DocKind::Cart, "b"),
            write("other cart").of(DocKind::Cart, "a"),
        ];
        let texts: Vec<_> = Waiting::in_order(waiting)
            .into_iter()
            .map(|waiting| waiting.text)
            .collect();
        let order = ["chunk", "other cart", "cart 1", "cart 2", "job 1", "job 2"];
        let (journal, before) = texts.split_last().unwrap();
        assert_eq!(before, order);
        assert!(journal.starts_with("INSERT INTO journal"));
    }
}
