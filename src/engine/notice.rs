//! What changed: kinds, keys and nothing else, so that screens read again only what they show.

use serde::Deserialize;

use crate::engine::reads::events::EventView;
use crate::store::document::DocKind;
use crate::store::{Fault, Sql, Value};

/// Documents that somebody, here or in another process, has changed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Notice {
    /// Which; a chunk's key starts with its resource's.
    pub changed: Vec<(DocKind, String)>,
    /// More than can be named: read everything again.
    pub everything: bool,
    /// What was told meanwhile; of very many at once only the first.
    pub events: Vec<EventView>,
}

impl Notice {
    /// Whether a document may have changed.
    #[must_use]
    pub fn touches(&self, kind: DocKind, key: &str) -> bool {
        self.everything
            || self
                .changed
                .iter()
                .any(|(changed, which)| *changed == kind && which.starts_with(key))
    }
}

/// Beyond so many commands at once a notice says only "everything".
const COMMANDS_NAMED_MAX: i64 = 200;

#[derive(Deserialize)]
struct ChangeName {
    kind: String,
    key: String,
}

/// What the journal says after a place in it, and the place that was reached.
pub(crate) fn since(sql: &mut dyn Sql, seq: i64) -> Result<(Notice, i64), Fault> {
    let newest = newest(sql)?;
    if newest - seq > COMMANDS_NAMED_MAX {
        return Ok((
            Notice {
                everything: true,
                ..Notice::default()
            },
            newest,
        ));
    }
    let rows = sql.query(
        "SELECT seq, changes FROM journal WHERE seq > $1 ORDER BY seq",
        &[Value::Int(seq)],
    )?;
    let mut notice = Notice::default();
    let mut reached = seq;
    for row in &rows {
        reached = row.int(0);
        let Ok(names) = serde_json::from_str::<Vec<ChangeName>>(row.text(1)) else {
            notice.everything = true;
            continue;
        };
        for name in names {
            match DocKind::from_word(&name.kind) {
                Some(kind) => notice.changed.push((kind, name.key)),
                None => notice.everything = true,
            }
        }
    }
    Ok((notice, reached))
}

/// The last place in the journal.
pub(crate) fn newest(sql: &mut dyn Sql) -> Result<i64, Fault> {
    Ok(sql
        .query("SELECT seq FROM journal ORDER BY seq DESC LIMIT 1", &[])?
        .first()
        .map_or(0, |row| row.int(0)))
}
