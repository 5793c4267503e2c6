//! Sentences of a house on several servers.

use crate::engine::house_files::Misplaced;

/// Sentence of what is not as the recipe makes it, and what to do.
#[must_use]
pub fn misplaced(problem: &Misplaced) -> String {
    match problem {
        Misplaced::Whole => {
            "No table is distributed: all of it is on this one server. See willcall server distribute".into()
        }
        Misplaced::Table { table, key, by, statement } => {
            let wanted = if key.is_empty() { "copied to each".into() } else { format!("spread by {key}") };
            format!("{table} {}, not {wanted}: {statement}", lies(by.as_deref()))
        }
        Misplaced::Inactive(node) => format!("{node} is not active: SELECT citus_activate_node('HOST', PORT)"),
        Misplaced::Silent { to, node } if to.is_empty() => {
            format!("{node} does not answer: start it, or mend the way to it")
        }
        Misplaced::Silent { to, node } => format!("{node} does not answer {to}: mend the way between them"),
        Misplaced::Seldom(interval) => format!(
            "rows of a commit that a crash interrupted are locked for up to {interval}: \
             ALTER SYSTEM SET citus.recover_2pc_interval = '2s'; SELECT pg_reload_conf()"
        ),
        Misplaced::Undone(statement) => format!("a statement was left out: {statement}"),
    }
}

/// Where a table is, from its shard key.
fn lies(key: Option<&str>) -> String {
    match key {
        None => "is on the coordinator alone".into(),
        Some("") => "is copied to each machine".into(),
        Some(key) => format!("is spread by {key}"),
    }
}
