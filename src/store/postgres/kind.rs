//! Kinds of servers, and the tables that a distributed one spreads over its machines.

/// Kind of a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// One machine has all rows.
    One,
    /// Citus, of a version.
    Citus(String),
    /// Another one that splits tables, by name.
    Other(&'static str),
}

impl Kind {
    /// Kind by the server's version and the version of its Citus, empty for none.
    pub(super) fn of(version: &str, citus: &str) -> Self {
        let others = [("CockroachDB", "CockroachDB"), ("-YB-", "YugabyteDB")];
        match others.into_iter().find(|(sign, _)| version.contains(sign)) {
            Some((_, name)) => Self::Other(name),
            None if citus.is_empty() => Self::One,
            None => Self::Citus(citus.to_owned()),
        }
    }

    /// Returns whether a statement costs least if it goes to one machine.
    pub(super) fn is_distributed(&self) -> bool {
        *self != Self::One
    }

    /// Returns whether numbers of the journal come from one place, so that the newest is known without asking each shard.
    pub(super) const fn has_one_sequence(&self) -> bool {
        matches!(self, Self::Citus(_))
    }
}

/// Tables spread over the machines, each with its shard key. Rows with the same key lie together: a cart and its jobs.
/// All other tables are small or hardly change, and each machine has a copy.
pub(super) const SPREAD: [(&str, &str); 10] = [
    ("cart", "key"),
    ("job", "subject"),
    ("chunk", "key"),
    ("booking", "key"),
    ("receipt", "key"),
    ("customer", "key"),
    ("credit", "key"),
    ("journal", "command"),
    ("chain", "key"),
    ("station", "key"),
];

/// Returns whether the rows of a table are spread over the machines.
pub(super) fn is_spread(table: &str) -> bool {
    SPREAD.iter().any(|(name, _)| *name == table)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_is_known_by_its_version_and_its_extension() {
        let citus = Kind::of("PostgreSQL 15.4 on x86_64", "13.2-1");
        assert_eq!(citus, Kind::Citus("13.2-1".into()));
        assert!(citus.is_distributed() && citus.has_one_sequence());
        let cockroach = Kind::of("CockroachDB CCL v24.1.0", "");
        assert!(cockroach.is_distributed() && !cockroach.has_one_sequence());
        assert_eq!(Kind::of("PostgreSQL 11.2-YB-2.21.0.0-b0", ""), Kind::Other("YugabyteDB"));
        assert!(!Kind::of("PostgreSQL 15.4", "").is_distributed());
    }
}
