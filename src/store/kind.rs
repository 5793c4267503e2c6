//! Kinds of documents: their tables, columns, and SQL.

use std::sync::LazyLock;

use crate::store::dialect::RowWrite;

/// Kind of document, in the order of writing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, strum::VariantArray)]
pub enum DocKind {
    /// House settings.
    Settings,
    /// Theater.
    Theater,
    /// Plan version.
    Plan,
    /// Performance.
    Performance,
    /// Resource booked by time.
    Resource,
    /// Chunk: a row of seats, or a day of a resource.
    Chunk,
    /// Customer.
    Customer,
    /// Cart.
    Cart,
    /// Receipt.
    Receipt,
    /// Station.
    Station,
    /// Seats kept by the house.
    Keep,
    /// Seats out of use.
    Disable,
    /// Booking of resources.
    Booking,
    /// Repeat of bookings.
    Series,
    /// Waiting list entry.
    Waiting,
    /// Worklist item.
    Work,
    /// End of a journal chain; the only kind that the journal does not record.
    Chain,
}

impl DocKind {
    /// All kinds, in the order of writing.
    pub const ALL: &'static [Self] = <Self as strum::VariantArray>::VARIANTS;

    /// Table of the kind, also its word in the journal.
    #[must_use]
    pub const fn word(self) -> &'static str {
        self.table().0
    }

    /// Finds a kind by word; `None` for one of a newer program.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|kind| kind.word() == word)
    }

    /// Letter in the journal; stored, so it never changes.
    pub(super) const fn code(self) -> char {
        match self {
            Self::Settings => 'S',
            Self::Theater => 't',
            Self::Plan => 'p',
            Self::Performance => 'f',
            Self::Resource => 'o',
            Self::Chunk => 'h',
            Self::Customer => 'u',
            Self::Cart => 'c',
            Self::Receipt => 'r',
            Self::Station => 's',
            Self::Keep => 'k',
            Self::Disable => 'd',
            Self::Booking => 'b',
            Self::Series => 'e',
            Self::Waiting => 'w',
            Self::Work => 'W',
            Self::Chain => 'n',
        }
    }

    /// Returns whether the journal has only the hash of its bodies: they can be deleted, and each entry still holds.
    #[must_use]
    pub const fn is_private(self) -> bool {
        matches!(self, Self::Customer)
    }

    /// Finds a kind by letter; `None` for one of a newer program.
    pub(super) fn from_code(code: &str) -> Option<Self> {
        let is_its = |kind: &Self| code.strip_prefix(kind.code()) == Some("");
        Self::ALL.iter().copied().find(is_its)
    }

    /// Indexed columns, in addition to the common ones.
    pub(crate) const fn columns(self) -> &'static [&'static str] {
        self.table().1
    }

    /// Table and indexed columns.
    pub(super) const fn table(self) -> (&'static str, &'static [&'static str]) {
        match self {
            Self::Settings => ("settings", &[]),
            Self::Theater => ("theater", &["name"]),
            Self::Plan => ("plan", &["theater"]),
            Self::Performance => ("performance", &["theater", "start_at", "title"]),
            Self::Resource => ("resource", &["name", "kind", "parent", "marks"]),
            Self::Chunk => ("chunk", &["cells", "free"]),
            Self::Customer => ("customer", &["searched"]),
            Self::Cart => (
                "cart",
                &[
                    "state",
                    "expires_at",
                    "customer",
                    "reserved",
                    "station",
                    "set_aside",
                    "currency",
                    "owed",
                ],
            ),
            Self::Receipt => (
                "receipt",
                &[
                    "number",
                    "cart",
                    "issued_at",
                    "station",
                    "customer",
                    "currency",
                    "seats",
                    "total",
                    "card",
                ],
            ),
            Self::Station => ("station", &[]),
            Self::Keep => ("keep", &["performance", "until_at", "live"]),
            Self::Disable => ("disable", &["performance", "live"]),
            Self::Booking => (
                "booking",
                &[
                    "from_at",
                    "until_at",
                    "title",
                    "customer",
                    "series",
                    "performance",
                    "live",
                    "imported_as",
                ],
            ),
            Self::Series => ("series", &[]),
            Self::Waiting => ("waiting", &["performance", "state", "since", "seats"]),
            Self::Work => ("work", &["state", "kind", "since", "owner"]),
            Self::Chain => ("chain", &[]),
        }
    }

    /// Index in [`DocKind::ALL`].
    #[expect(
        clippy::as_conversions,
        reason = "the number of a variant, of which there are few"
    )]
    pub(crate) const fn place(self) -> usize {
        self as usize
    }

    pub(super) fn sql(self) -> &'static KindSql {
        SQL.get(self.place())
            .unwrap_or_else(|| unreachable!("every kind stands in ALL"))
    }
}

/// SQL that loads and writes a kind.
pub(super) struct KindSql {
    pub(super) load: String,
    pub(super) insert: RowWrite,
    pub(super) update: RowWrite,
}

static SQL: LazyLock<Vec<KindSql>> =
    LazyLock::new(|| DocKind::ALL.iter().copied().map(KindSql::of).collect());

/// Common columns, before those of the kind.
const COMMON: [&str; 4] = ["version", "recorded_at", "written_by", "body"];

impl KindSql {
    fn of(kind: DocKind) -> Self {
        let (table, own) = kind.table();
        let columns = [&COMMON, own].concat();
        Self {
            load: format!(
                "SELECT key, version, recorded_at, written_by, body FROM {table} WHERE key IN "
            ),
            insert: RowWrite::insert(table, &[&columns[..], &["key"]].concat()),
            update: RowWrite::update_document(table, &columns),
        }
    }
}
