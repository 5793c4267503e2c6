//! Reads beside a commit in flight, on a connection of their own.

use std::sync::Arc;

use crate::store::{Database, Fault, Reader};

/// Connection for one snapshot at a time, opened when it is first needed.
pub(super) struct SideReader {
    database: Arc<dyn Database>,
    reader: Option<Box<dyn Reader>>,
    has_begun: bool,
}

impl SideReader {
    pub(super) fn new(database: &Arc<dyn Database>) -> Self {
        Self {
            database: Arc::clone(database),
            reader: None,
            has_begun: false,
        }
    }

    /// Reads what is committed, in the snapshot of the first read since [`Self::end`].
    pub(super) fn read<T>(
        &mut self,
        read: impl FnOnce(&mut dyn Reader) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        let reader = match &mut self.reader {
            Some(reader) => reader,
            none => none.insert(self.database.reader()?),
        };
        if !self.has_begun {
            reader.begin()?;
            self.has_begun = true;
        }
        read(reader.as_mut())
    }

    /// Ends the snapshot: an open one keeps the log from being reused.
    pub(super) fn end(&mut self) {
        if let Some(reader) = self.reader.as_mut().filter(|_| self.has_begun) {
            reader.end();
        }
        self.has_begun = false;
    }
}
