//! Customers: a list, those who are meant by typed words, and one with the history.

use chrono_tz::Tz;
use serde::Deserialize;

use crate::domain::booking::Booking;
use crate::domain::cart::{Cart, CartState};
use crate::domain::correction::ReceiptKind;
use crate::domain::credit::{Credit, CreditCode};
use crate::domain::customer::CustomerRecord;
use crate::domain::ids::CustomerId;
use crate::domain::money::Price;
use crate::domain::performance::Performance;
use crate::domain::receipt::Receipt;
use crate::domain::time::Instant;
use crate::domain::waiting::{WaitState, Waiting};
use crate::engine::ops::{CustomersImported, ImportCustomers};
use crate::engine::reads::bookings::view as booking_view;
use crate::engine::reads::carts::title;
use crate::engine::reads::customers::matching::{ENOUGH, NameMatch, Sought, keys};
use crate::engine::reads::names::{Meant, Named};
use crate::engine::reads::receipts::row;
use crate::engine::reads::{PAGE_MAX, Question, Snapshot};
use crate::engine::work::Failure;
use crate::store::document::DocKind;
use crate::store::kinds::WITHOUT_WORDS;

/// Lists customers by name, or finds those meant by typed words, the likeliest first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub struct ReadKnownCustomers {
    /// Words of a name, digits of a phone in any spelling, or a mail; empty for all.
    pub text: String,
    /// Only those behind this one, in the list of all.
    pub after: Option<CustomerId>,
}

/// Reads a customer with the history.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReadKnownCustomer(pub CustomerId);

/// Tells what an import would do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadImport(pub Vec<ImportCustomers>);

/// Reads whether the bytes of a forgotten customer are still in the database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReadScrubDue;

impl Question for ReadScrubDue {
    type Answer = bool;

    fn ask(&self, snapshot: &mut Snapshot<'_>) -> Result<bool, Failure> {
        let emptied: Vec<CustomerRecord> = snapshot.select(WITHOUT_WORDS, &[])?;
        Ok(emptied.iter().any(|record| record.scrub_due))
    }
}

/// Customer with the history.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownCustomer {
    pub record: CustomerRecord,
    /// Newest first.
    pub history: Vec<HistoryLine>,
    /// Time zone of the house.
    pub zone: Tz,
}

/// Line of a customer's history.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HistoryLine {
    pub at: Instant,
    pub what: HistoryKind,
    /// Title of the performance or booking, or name of the resource.
    pub title: String,
    pub price: Option<Price>,
}

/// Kind of a line of a customer's history.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HistoryKind {
    Receipt {
        number: String,
        kind: ReceiptKind,
        seats: usize,
        /// Why it corrects another receipt.
        reason: String,
    },
    Cart {
        id: String,
        state: CartState,
        reserved: bool,
        until: Instant,
    },
    Booking {
        id: String,
        stands: bool,
        /// Time of it, in words.
        when: String,
    },
    Waiting {
        id: String,
        state: WaitState,
        seats: u32,
    },
    Credit {
        code: CreditCode,
    },
}

impl Named for CustomerId {
    const KIND: DocKind = DocKind::Customer;

    fn by_name(text: &str, snapshot: &mut Snapshot<'_>) -> Result<Vec<Meant>, Failure> {
        let found = found(snapshot, text)?.into_iter().take(9);
        let meant = found.map(|record| Meant {
            told: format!("{} ({})", record.customer.name, record.id),
            key: record.id.to_string(),
        });
        Ok(meant.collect())
    }
}

impl Question for ReadKnownCustomers {
    type Answer = Vec<CustomerRecord>;

    fn ask(&self, snapshot: &mut Snapshot<'_>) -> Result<Vec<CustomerRecord>, Failure> {
        if !self.text.trim().is_empty() {
            return found(snapshot, &self.text);
        }
        let mut last = (String::new(), String::new());
        if let Some(after) = self.after {
            let record: CustomerRecord = snapshot.get(after)?;
            last = (record.customer.searched(), after.to_string());
        }
        let page = format!(
            "WHERE searched > '' AND searched >= $1 AND (searched > $1 OR key > $2) ORDER BY searched, key LIMIT {PAGE_MAX}"
        );
        snapshot.select(&page, &[last.0.into(), last.1.into()])
    }
}

/// Customers meant by typed words, the likeliest first.
fn found(snapshot: &mut Snapshot<'_>, text: &str) -> Result<Vec<CustomerRecord>, Failure> {
    let sought = Sought::of(text);
    if sought.is_empty() {
        return Ok(Vec::new());
    }
    let mut found: Vec<CustomerRecord> = Vec::new();
    for reach in [NameMatch::Start, NameMatch::Slip, NameMatch::Within] {
        // all names are read only for what no index finds
        if reach == NameMatch::Within && !found.is_empty() {
            break;
        }
        let mut keys = keys(snapshot, &sought, reach)?;
        keys.retain(|key| found.iter().all(|known| known.id.to_string() != *key));
        keys.truncate(PAGE_MAX - found.len());
        let mut more: Vec<CustomerRecord> = snapshot.all(&keys)?;
        more.sort_by_cached_key(|record| record.customer.searched());
        found.extend(more);
        if found.len() >= ENOUGH {
            break;
        }
    }
    Ok(found)
}

impl Question for ReadImport {
    type Answer = CustomersImported;

    fn ask(&self, snapshot: &mut Snapshot<'_>) -> Result<CustomersImported, Failure> {
        let mut all = CustomersImported::default();
        for part in &self.0 {
            all.add(snapshot.rehearse(part)?);
        }
        Ok(all)
    }
}

/// Most documents of a kind in a history.
const HISTORY_MAX: i64 = 200;

impl Question for ReadKnownCustomer {
    type Answer = KnownCustomer;

    fn ask(&self, snapshot: &mut Snapshot<'_>) -> Result<KnownCustomer, Failure> {
        let record: CustomerRecord = snapshot.get(self.0)?;
        let id = self.0.to_string();
        let mut history = receipts(snapshot, &id)?;
        history.extend(carts(snapshot, &id)?);
        history.extend(bookings(snapshot, &id)?);
        history.extend(waiting(snapshot, &id)?);
        history.sort_by_key(|line| std::cmp::Reverse(line.at));
        Ok(KnownCustomer { record, history, zone: snapshot.settings()?.time_zone })
    }
}

fn receipts(snapshot: &mut Snapshot<'_>, id: &str) -> Result<Vec<HistoryLine>, Failure> {
    let newest = format!("WHERE customer > '' AND customer = $1 ORDER BY issued_at DESC LIMIT {HISTORY_MAX}");
    let receipts: Vec<Receipt> = snapshot.select(&newest, &[id.into()])?;
    let lines = snapshot.each(&receipts, |snapshot, receipt| {
        let mut lines = Vec::new();
        let correction = receipt.correction.as_ref();
        let owed = correction.map_or(&[][..], |correction| &correction.paid_back);
        for code in owed.iter().filter_map(|back| back.credit) {
            let credit: Credit = snapshot.get(code)?;
            if credit.is_open(snapshot.now()) {
                lines.push(HistoryLine {
                    at: receipt.issued_at,
                    what: HistoryKind::Credit { code },
                    title: String::new(),
                    price: Some(Price { minor: credit.left(), currency: credit.currency }),
                });
            }
        }
        let reason = correction.map_or_else(String::new, |correction| correction.reason.clone());
        let row = row(snapshot, receipt)?;
        lines.push(HistoryLine {
            at: row.issued_at,
            what: HistoryKind::Receipt { number: row.number, kind: row.kind, seats: row.seats, reason },
            title: row.title,
            price: Some(Price { minor: row.total, currency: row.currency }),
        });
        Ok(lines)
    })?;
    Ok(lines.into_iter().flatten().collect())
}

/// Carts and reservations that were not paid.
fn carts(snapshot: &mut Snapshot<'_>, id: &str) -> Result<Vec<HistoryLine>, Failure> {
    let unpaid =
        format!("WHERE customer > '' AND customer = $1 AND state <> 'done' ORDER BY key DESC LIMIT {HISTORY_MAX}");
    let carts: Vec<Cart> = snapshot.select(&unpaid, &[id.into()])?;
    let now = snapshot.now();
    snapshot.each(&carts, |snapshot, cart| {
        let total = cart.total().ok().zip(cart.currency);
        Ok(HistoryLine {
            at: cart.created_at,
            what: HistoryKind::Cart {
                id: cart.id.to_string(),
                state: cart.state_at(now),
                reserved: cart.reservation.is_some(),
                until: cart.expires_at,
            },
            title: title(snapshot, &cart.lines)?,
            price: total.map(|(minor, currency)| Price { minor, currency }),
        })
    })
}

fn bookings(snapshot: &mut Snapshot<'_>, id: &str) -> Result<Vec<HistoryLine>, Failure> {
    let newest = format!("WHERE customer > '' AND customer = $1 ORDER BY from_at DESC LIMIT {HISTORY_MAX}");
    let bookings: Vec<Booking> = snapshot.select(&newest, &[id.into()])?;
    snapshot.each(&bookings, |snapshot, booking| {
        let view = booking_view(snapshot, booking)?;
        let wanted = view.taken.first();
        let extent = booking.extent();
        let from = extent.map_or(booking.created_at, |slot| slot.from());
        Ok(HistoryLine {
            at: from,
            what: HistoryKind::Booking {
                id: booking.id.to_string(),
                stands: booking.stands(),
                when: match (wanted, extent) {
                    (Some(taken), Some(slot)) => {
                        format!("{} {}", taken.name, slot.words(taken.wall, snapshot.now()))
                    }
                    (Some(taken), None) => taken.name.clone(),
                    (None, _) => String::new(),
                },
            },
            title: view.title().to_owned(),
            price: booking.price,
        })
    })
}

fn waiting(snapshot: &mut Snapshot<'_>, id: &str) -> Result<Vec<HistoryLine>, Failure> {
    // the table is short
    let theirs = format!("WHERE body LIKE $1 ORDER BY since DESC LIMIT {HISTORY_MAX}");
    let entries: Vec<Waiting> = snapshot.select(&theirs, &[format!("%{id}%").into()])?;
    snapshot.each(&entries, |snapshot, entry| {
        let performance: Performance = snapshot.get(entry.performance)?;
        Ok(HistoryLine {
            at: entry.since,
            what: HistoryKind::Waiting { id: entry.id.to_string(), state: entry.state.clone(), seats: entry.seats },
            title: performance.title,
            price: None,
        })
    })
}
