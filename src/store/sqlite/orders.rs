//! Writes that are to be executed one after the other, all in the same memory: nothing of a write is made on one
//! thread and freed on another, which costs more than the write.

use std::ops::Range;

use rusqlite::Connection;

use super::execute;
use crate::store::{Fault, Rows, Value};

/// How many bytes of text are kept for the next writes at most.
const TEXT_KEPT: usize = 1 << 20;

/// Writes, in the order that they came in.
#[derive(Debug, Default)]
pub(super) struct Orders {
    text: String,
    values: Vec<Placed>,
    writes: Vec<Write>,
}

#[derive(Debug)]
struct Write {
    sql: Range<usize>,
    values: Range<usize>,
    rows: Rows,
}

/// A value, of which the text lies with all other text.
#[derive(Debug)]
enum Placed {
    Null,
    Int(i64),
    Text(Range<usize>),
}

impl Orders {
    pub(super) fn push(&mut self, sql: &str, params: &[Value<'_>], rows: Rows) {
        let sql = self.place(sql);
        let from = self.values.len();
        for value in params {
            let placed = match value {
                Value::Null => Placed::Null,
                Value::Int(number) => Placed::Int(*number),
                Value::Text(text) => Placed::Text(self.place(text)),
            };
            self.values.push(placed);
        }
        let values = from..self.values.len();
        self.writes.push(Write { sql, values, rows });
    }

    fn place(&mut self, text: &str) -> Range<usize> {
        let from = self.text.len();
        self.text.push_str(text);
        from..self.text.len()
    }

    fn text(&self, place: &Range<usize>) -> &str {
        self.text.get(place.clone()).unwrap_or_default()
    }

    pub(super) const fn len(&self) -> usize {
        self.writes.len()
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.writes.is_empty()
    }

    /// Forgets the writes, and keeps the memory.
    pub(super) fn clear(&mut self) {
        self.text.clear();
        self.text.shrink_to(TEXT_KEPT);
        self.values.clear();
        self.writes.clear();
    }

    /// Executes them.
    ///
    /// # Errors
    /// What the first one met that was not executed as it should be; those after it were not.
    pub(super) fn carry_out(&self, connection: &Connection) -> Result<(), Fault> {
        let mut params = Vec::new();
        for write in &self.writes {
            let placed = self.values.get(write.values.clone()).unwrap_or_default();
            params.clear();
            params.extend(placed.iter().map(|value| match value {
                Placed::Null => Value::Null,
                Placed::Int(number) => Value::Int(*number),
                Placed::Text(place) => self.text(place).into(),
            }));
            let changed = execute(connection, self.text(&write.sql), &params)?;
            if write.rows == Rows::One && changed != 1 {
                return Err(Fault::Contended);
            }
        }
        Ok(())
    }
}
