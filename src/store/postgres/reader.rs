//! Snapshots on a connection.

use std::sync::Arc;

use crate::store::postgres::bell::CHANNEL;
use crate::store::postgres::line::Line;
use crate::store::postgres::login::Login;
use crate::store::postgres::wire::Part;
use crate::store::{Fault, Reader, Row, Sql, Value};

const BEGIN: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";

/// A connection that reads snapshots.
pub(super) struct PgReader {
    line: Line,
    /// Whether questions are asked of one snapshot.
    within: bool,
    /// Whether the server says how far it has written.
    has_log: bool,
    /// Whether the server passes words on.
    rings: bool,
    /// By what this process knows its own words again.
    own: String,
}

impl PgReader {
    pub(super) fn on(login: Arc<Login>, own: String) -> Self {
        Self {
            line: Line::on(login, None),
            within: false,
            has_log: true,
            rings: true,
            own,
        }
    }
}

impl Sql for PgReader {
    fn query(&mut self, sql: &str, params: &[Value<'_>]) -> Result<Vec<Row>, Fault> {
        let parts = [Part::Prepared(sql, params)];
        let given = if self.within {
            self.line.send(&parts)?
        } else {
            self.line.send_alone(&parts)?
        };
        let mut answer = Vec::new();
        for given in given {
            answer = given?.0;
        }
        Ok(answer)
    }
}

impl Reader for PgReader {
    fn begin(&mut self) -> Result<(), Fault> {
        self.end();
        self.line.want(BEGIN);
        self.within = true;
        Ok(())
    }

    fn end(&mut self) -> bool {
        self.within = false;
        self.line.end()
    }

    fn pulse(&mut self) -> Result<i64, Fault> {
        // how far the server has written; it moves a moment before a commit is to be seen
        let text = "SELECT CAST(pg_current_wal_lsn() - '0/0' AS BIGINT)";
        if !self.has_log {
            return Ok(0);
        }
        match self.query(text, &[]) {
            Ok(rows) => Ok(rows.first().map_or(0, |row| row.int(0))),
            Err(fault @ Fault::Unreachable(_)) => Err(fault),
            Err(_) => {
                // a server that only speaks the same language has no such log
                self.has_log = false;
                Ok(0)
            }
        }
    }

    fn ring(&mut self) -> Result<(), Fault> {
        if !self.rings {
            return Ok(());
        }
        let text = "SELECT CAST(pg_notify($1, current_schema() || '/' || $2) AS TEXT)";
        let own = self.own.clone();
        match self.query(text, &[CHANNEL.into(), own.into()]) {
            Ok(_) => Ok(()),
            Err(fault @ Fault::Unreachable(_)) => Err(fault),
            Err(_) => {
                // a server that only speaks the same language may know no such thing
                self.rings = false;
                Ok(())
            }
        }
    }

    fn tidy(&mut self) -> Result<(), Fault> {
        // the server tidies by itself
        Ok(())
    }

    fn damage(&mut self) -> Result<Vec<String>, Fault> {
        let mut damage = Vec::new();
        for (setting, promise) in [
            ("fsync", "a power loss may damage it"),
            ("full_page_writes", "a power loss may damage it"),
            (
                "synchronous_commit",
                "a power loss may undo what was shown as done",
            ),
        ] {
            let rows = self.query("SELECT current_setting($1)", &[setting.into()])?;
            if rows.first().is_some_and(|row| row.text(0) == "off") {
                damage.push(format!("the server runs with {setting} off: {promise}"));
            }
        }
        Ok(damage)
    }
}
