//! The connection that writes, with its turn among processes.

use std::path::Path;

use super::attached::Attached;
use super::turnstile::{Turn, Turnstile};
use super::{data_version, execute};
use crate::store::Fault;

/// A connection that writes, one transaction at a time.
#[derive(Debug)]
pub(super) struct Writing {
    pub(super) connection: Attached,
    turnstile: Turnstile,
    turn: Option<Turn>,
    /// A number that has changed when another connection has committed before the last transaction began.
    pulse: i64,
}

impl Writing {
    /// On a connection that is open.
    ///
    /// # Errors
    /// The files of the turnstile cannot be made.
    pub(super) fn new(connection: Attached, path: &Path) -> Result<Self, Fault> {
        Ok(Self {
            connection,
            turnstile: Turnstile::open(path)?,
            turn: None,
            pulse: 0,
        })
    }

    /// Puts another connection in the place of this, and lets its turn go.
    pub(super) fn replace(&mut self, connection: Attached) {
        self.connection = connection;
        self.turn = None;
    }

    pub(super) const fn pulse(&self) -> i64 {
        self.pulse
    }

    /// Waits its turn and begins.
    ///
    /// # Errors
    /// The file is gone, its turn does not come, or a fault of the database; then nothing has begun.
    pub(super) fn begin(&mut self) -> Result<(), Fault> {
        self.connection.was_there()?;
        self.turn = Some(self.turnstile.enter()?);
        let begun = execute(&self.connection, "BEGIN IMMEDIATE", &[])
            .and_then(|_| self.connection.still_there())
            .and_then(|()| data_version(&self.connection));
        self.pulse = begun.inspect_err(|_| self.rollback())?;
        Ok(())
    }

    /// Begins where the last transaction left off.
    ///
    /// # Errors
    /// [`Fault::Contended`] when another connection has committed since, and what [`Writing::begin`] meets.
    pub(super) fn go_on(&mut self) -> Result<(), Fault> {
        let before = self.pulse;
        self.begin()?;
        if self.pulse == before {
            return Ok(());
        }
        self.rollback();
        Err(Fault::Contended)
    }

    /// Commits, and lets its turn go.
    ///
    /// # Errors
    /// The database's fault, and then nothing was stored; [`Fault::Replaced`] where it went into files that
    /// are gone; else [`Fault::Full`] or [`Fault::Unsure`].
    pub(super) fn commit(&mut self) -> Result<(), Fault> {
        let committed = execute(&self.connection, "COMMIT", &[]);
        if committed.is_err() && !self.connection.is_autocommit() {
            self.rollback();
            return committed.map(|_| ());
        }
        let still_there = self.connection.still_there();
        self.turn = None;
        still_there?;
        committed.map(|_| ()).map_err(|fault| {
            if fault == Fault::Full {
                fault
            } else {
                Fault::Unsure
            }
        })
    }

    pub(super) fn rollback(&mut self) {
        if !self.connection.is_autocommit() {
            // a failed rollback leaves a connection that the next BEGIN refuses
            let _ = execute(&self.connection, "ROLLBACK", &[]);
        }
        self.turn = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::Missing;
    use crate::store::sqlite::SqliteFile;

    fn writing(file: &SqliteFile) -> Writing {
        Writing::new(file.connect().unwrap(), file.path()).unwrap()
    }

    fn write(writing: &mut Writing) {
        writing.begin().unwrap();
        execute(&writing.connection, "CREATE TABLE IF NOT EXISTS a (b)", &[]).unwrap();
        execute(&writing.connection, "INSERT INTO a VALUES (1)", &[]).unwrap();
        writing.commit().unwrap();
    }

    #[test]
    fn a_commit_into_a_log_that_was_deleted_meanwhile_is_not_acknowledged() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("house.db");
        let file = SqliteFile::open(&path, Missing::Create).unwrap();
        let mut one = writing(&file);
        write(&mut one);
        one.begin().unwrap();
        execute(&one.connection, "INSERT INTO a VALUES (2)", &[]).unwrap();
        std::fs::remove_file(folder.path().join("house.db-wal")).unwrap();
        assert_eq!(one.commit(), Err(Fault::Replaced));
        assert_eq!(one.begin(), Err(Fault::Replaced));
    }

    #[test]
    fn who_goes_on_where_they_left_off_hears_of_what_was_written_between() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("house.db");
        let file = SqliteFile::open(&path, Missing::Create).unwrap();
        let (mut first, mut second) = (writing(&file), writing(&file));
        write(&mut first);
        first.go_on().unwrap();
        first.commit().unwrap();
        write(&mut second);
        assert_eq!(first.go_on(), Err(Fault::Contended));
        // its turn is over, and it may begin anew
        write(&mut second);
        write(&mut first);
    }
}
