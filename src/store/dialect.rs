//! Every difference between the databases, and nothing else.

/// The database that the SQL is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// The embedded one.
    Sqlite,
}

impl Dialect {
    /// A migration as this database spells it.
    #[must_use]
    pub fn migration(self, text: &str) -> String {
        let Self::Sqlite = self;
        // BIGINT is an alias that STRICT tables do not know; INTEGER has 64 bits here.
        text.replace("{table}", " STRICT, WITHOUT ROWID")
            .replace("{rows}", " STRICT")
            .replace("{serial}", "INTEGER PRIMARY KEY AUTOINCREMENT")
            .replace("BIGINT", "INTEGER")
    }
}
