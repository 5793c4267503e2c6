//! Kinds of documents: the table of their keys and indexed columns, and the SQL made of it.
//!
//! Import cycle with [`super::document`]: each entry of the table is an `impl Document`.

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use crate::domain::availability::Chunk;
use crate::domain::booking::{Booking, Series};
use crate::domain::cart::Cart;
use crate::domain::credit::Credit;
use crate::domain::customer::CustomerRecord;
use crate::domain::house::{Keep, Settings, Station, WorklistItem};
use crate::domain::ids::{PlanId, TheaterId};
use crate::domain::operator::Pins;
use crate::domain::performance::{Performance, Theater};
use crate::domain::plan::Plan;
use crate::domain::receipt::Receipt;
use crate::domain::resource::Resource;
use crate::domain::text::folded;
use crate::domain::ticket_code::TicketKey;
use crate::domain::till::Till;
use crate::domain::waiting::Waiting;
use crate::store::chunks::{chunk_at, chunk_key};
use crate::store::dialect::RowWrite;
use crate::store::document::{self, Document};
use crate::store::fault::Fault;
use crate::store::value::Value;

/// Key of the one settings document, and of the PINs.
pub const SETTINGS_KEY: &str = "house";

/// Key of the one document with the secret of the codes.
pub const TICKET_KEY: &str = "house";

/// One immutable version of a theater's plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlanVersion {
    pub id: PlanId,
    /// Theater the plan belongs to.
    pub theater: TheaterId,
    pub plan: Plan,
}

/// End of a journal chain: the newest entry, whose number is the document's version.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Chain {
    pub name: String,
    /// Hash of the newest entry.
    pub hash: String,
}

/// Declares [`DocKind`] and the documents, in the order of writing: `table: Kind(Type) letter by key => { column:
/// value, .. }`, where `table` also names the document in the expressions. The letter stands in the journal, and the
/// columns in the schema, so neither ever changes.
macro_rules! documents {
    ($(
        $(#[$doc:meta])*
        $table:ident: $kind:ident($document:ty) $letter:literal by $key:expr $(, restored by $restore:path)? => {
            $($column:ident: $value:expr,)*
        }
    )*) => {
        /// Kind of document, in the order of writing.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, strum::VariantArray)]
        pub enum DocKind {
            $($(#[$doc])* $kind,)*
        }

        impl DocKind {
            /// Table, and indexed columns in addition to the common ones.
            pub(crate) const fn table(self) -> (&'static str, &'static [&'static str]) {
                match self {
                    $(Self::$kind => (stringify!($table), &[$(stringify!($column)),*]),)*
                }
            }

            /// Letter in the journal.
            pub(super) const fn code(self) -> char {
                match self {
                    $(Self::$kind => $letter,)*
                }
            }

            /// Serializes a stored document anew, and computes its columns.
            pub(crate) fn respelled(
                self,
                stored: &document::Stored,
            ) -> Result<(document::Spelled, Vec<Value<'static>>), Fault> {
                match self {
                    $(Self::$kind => {
                        let $table: $document = stored.parse()?;
                        Ok((document::spell(&$table, None)?, $table.columns()))
                    })*
                }
            }

            /// Computes a document's key and columns from its body and words.
            pub(crate) fn indexed(
                self,
                key: &str,
                spelled: (&str, &str),
            ) -> Result<(String, Vec<Value<'static>>), Fault> {
                match self {
                    $(Self::$kind => {
                        let $table: $document = document::parse(key, spelled)?;
                        Ok((Document::key(&$table), $table.columns()))
                    })*
                }
            }
        }

        $(impl Document for $document {
            const KIND: DocKind = DocKind::$kind;

            fn key(&self) -> String {
                let $table = self;
                let _ = $table;
                $key.to_string()
            }

            $(fn stored_at(&mut self, key: &str) -> Result<(), Fault> {
                $restore(self, key)
            })?

            fn columns(&self) -> Vec<Value<'static>> {
                let $table = self;
                let _ = $table;
                vec![$(Value::from($value)),*]
            }
        })*
    };
}

/// Condition for customers without words.
pub const WITHOUT_WORDS: &str = "WHERE searched = '' ORDER BY key";

documents! {
    /// House settings.
    settings: Settings(Settings) 'S' by SETTINGS_KEY => {}
    theater: Theater(Theater) 't' by theater.id => {
        name: theater.name.to_lowercase(),
    }
    /// Plan version.
    plan: Plan(PlanVersion) 'p' by plan.id => {
        theater: plan.theater.to_string(),
    }
    performance: Performance(Performance) 'f' by performance.id => {
        theater: performance.theater.to_string(),
        start_at: performance.start.millis(),
        title: performance.title.to_lowercase(),
    }
    resource: Resource(Resource) 'o' by resource.id => {
        name: resource.name.to_lowercase(),
        kind: resource.kind.clone(),
        parent: or_empty(resource.parent.as_ref()),
        marks: resource.marks.len(),
    }
    /// Chunk: a row of seats, or a day of a resource.
    chunk: Chunk(Chunk) 'h' by chunk_key(&Chunk::key(chunk)), restored by chunk_stored_at => {
        cells: chunk.cells,
        free: chunk.free,
    }
    customer: Customer(CustomerRecord) 'u' by customer.id => {
        searched: customer.customer.searched(),
        mail: folded(&customer.customer.mail),
    }
    cart: Cart(Cart) 'c' by cart.id => {
        state: cart.state.word(),
        expires_at: cart.expires_at.millis(),
        customer: or_empty(cart.customer),
        reserved: cart.reservation.is_some(),
        station: cart.station.clone(),
        set_aside: cart.set_aside,
        currency: or_empty(cart.currency),
        // a total beyond all numbers is refused when it is to be paid
        owed: cart.reservation.and(cart.total().ok()).unwrap_or_default(),
    }
    receipt: Receipt(Receipt) 'r' by receipt.id => {
        number: receipt.number.clone(),
        cart: receipt.cart.to_string(),
        issued_at: receipt.issued_at.millis(),
        station: receipt.station.clone(),
        customer: or_empty(receipt.customer),
        currency: receipt.currency.to_string(),
        seats: receipt.seat_count(),
        cash: receipt.in_cash(),
        card: receipt.by_card(),
    }
    credit: Credit(Credit) 'm' by credit.code => {
        remaining: credit.left(),
    }
    station: Station(Station) 's' by station.name => {}
    till: Till(Till) 'T' by till.key() => {
        station: till.station.clone(),
        opened_at: till.opened_at.millis(),
        closed_at: till.closed.as_ref().map_or(0, |closing| closing.at.millis()),
    }
    /// Seats kept by the house.
    keep: Keep(Keep) 'k' by keep.id => {
        performance: keep.performance.to_string(),
        until_at: keep.until.millis(),
        live: keep.live.len(),
    }
    /// Booking of resources, or disable of seats.
    booking: Booking(Booking) 'b' by booking.id => {
        from_at: booking.extent().map_or(0, |slot| slot.from().millis()),
        until_at: booking.extent().map_or(0, |slot| slot.until().millis()),
        title: folded(&booking.title),
        customer: or_empty(booking.customer),
        series: or_empty(booking.series),
        performance: or_empty(booking.cause.performance()),
        live: booking.stands(),
        imported_as: booking.imported_as.clone().unwrap_or_default(),
    }
    series: Series(Series) 'e' by series.id => {}
    waiting: Waiting(Waiting) 'w' by waiting.id => {
        performance: waiting.performance.to_string(),
        state: waiting.state.word(),
        since: waiting.since.millis(),
        seats: waiting.seats,
    }
    work: Work(WorklistItem) 'W' by work.id => {
        state: <&'static str>::from(&work.state),
        kind: <&'static str>::from(&work.what),
        since: work.since.millis(),
        owner: work.what.owner_key(),
        performance: or_empty(work.what.performance()),
    }
    /// PINs of the operators.
    pins: Pins(Pins) 'P' by SETTINGS_KEY => {}
    /// Secret of the codes of tickets.
    ticket_key: TicketKey(TicketKey) 'K' by TICKET_KEY => {}
    /// End of a journal chain; the only kind that the journal does not record.
    chain: Chain(Chain) 'n' by chain.name => {}
}

/// Text of a value; empty for none.
fn or_empty(value: Option<impl ToString>) -> String {
    value.map(|value| value.to_string()).unwrap_or_default()
}

fn chunk_stored_at(chunk: &mut Chunk, key: &str) -> Result<(), Fault> {
    let broken = || Fault::Broken(format!("{key} is no place of a chunk"));
    chunk.set_key(chunk_at(key).ok_or_else(broken)?);
    Ok(())
}

impl DocKind {
    /// All kinds, in the order of writing.
    pub const ALL: &'static [Self] = <Self as strum::VariantArray>::VARIANTS;

    /// Table of the kind, also its word in the journal.
    pub const fn word(self) -> &'static str {
        self.table().0
    }

    /// Finds a kind by word; `None` for one of a newer program.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|kind| kind.word() == word)
    }

    /// Returns whether its documents may have private texts, which stand in a column of their own.
    pub const fn has_words(self) -> bool {
        matches!(
            self,
            Self::Booking
                | Self::Cart
                | Self::Customer
                | Self::Keep
                | Self::Pins
                | Self::Receipt
                | Self::Series
                | Self::TicketKey
                | Self::Till
                | Self::Work
        )
    }

    /// Common columns, in the order read by [`document::Stored::from_row`].
    pub(crate) fn stored_columns(self) -> String {
        let words = if self.has_words() { "words" } else { "''" };
        format!("key, version, recorded_at, written_by, body, {words}")
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

    /// Index in [`DocKind::ALL`].
    #[expect(clippy::as_conversions, reason = "the number of a variant, of which there are few")]
    pub(crate) const fn place(self) -> usize {
        self as usize
    }

    pub(super) fn sql(self) -> &'static KindSql {
        SQL.get(self.place()).unwrap_or_else(|| unreachable!("every kind stands in ALL"))
    }
}

pub(super) struct KindSql {
    pub(super) load: String,
    pub(super) insert: RowWrite,
    pub(super) update: RowWrite,
}

static SQL: LazyLock<Vec<KindSql>> = LazyLock::new(|| DocKind::ALL.iter().copied().map(KindSql::of).collect());

/// Common columns, before those of the kind.
const COMMON: [&str; 4] = ["version", "recorded_at", "written_by", "body"];

impl KindSql {
    /// Documents over which customers meet.
    const MET: DocKind = DocKind::Chunk;

    fn of(kind: DocKind) -> Self {
        let (table, own) = kind.table();
        let words: &[&str] = if kind.has_words() { &["words"] } else { &[] };
        let columns = [&COMMON, words, own].concat();
        let update = RowWrite::update_document(table, &columns);
        Self {
            load: format!("SELECT {} FROM {table} WHERE key IN ", kind.stored_columns()),
            insert: RowWrite::insert(table, &[&columns[..], &["key"]].concat()),
            update: if kind == Self::MET { update.in_order() } else { update },
        }
    }
}
