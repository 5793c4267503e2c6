//! Reads beside a commit in flight, on a connection of their own.

use std::sync::Arc;

use crate::store::{Database, Fault, Reader};

/// Connection for single reads, opened when it is first needed.
pub(super) struct SideReader {
    database: Arc<dyn Database>,
    reader: Option<Box<dyn Reader>>,
}

impl SideReader {
    pub(super) fn new(database: &Arc<dyn Database>) -> Self {
        Self { database: Arc::clone(database), reader: None }
    }

    /// Reads what is committed. No snapshot stays open: one keeps the log from being reused, and a checkpoint waiting.
    /// Whether the file is still there is left to the commit.
    pub(super) fn read<T>(&mut self, read: impl FnOnce(&mut dyn Reader) -> Result<T, Fault>) -> Result<T, Fault> {
        let reader = match &mut self.reader {
            Some(reader) => reader,
            none => none.insert(self.database.reader()?),
        };
        read(reader.as_mut())
    }
}
