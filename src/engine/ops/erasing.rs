//! Erasure of what people and commands wrote about a forgotten customer.

use std::collections::BTreeSet;

use crate::domain::customer::{CustomerRecord, FORGOTTEN, Sought};
use crate::domain::event::Event;
use crate::domain::house::{Keep, WorklistItem};
use crate::domain::private;
use crate::engine::ops::customers::Named;
use crate::engine::work::{Failure, UnitOfWork};
use crate::store::document::{DocKind, Document, emptied, texts};
use crate::store::job::{Output, parked_without};
use crate::store::{Fault, journal};

/// Puts the orders of a customer without their private texts, and erases the output of commands that names him; returns the
/// kinds and keys of the documents that still name him: those of others, and public texts.
pub(super) fn erase(
    work: &mut UnitOfWork<'_>,
    record: &CustomerRecord,
    mut named: Named,
) -> Result<Vec<String>, Failure> {
    // a cart that was paid under a name given then does not name the customer
    for receipt in &named.receipts {
        named.carts.extend(work.find(&receipt.cart.to_string())?);
    }
    let keys = named.keys();
    let items: Vec<WorklistItem> = work.select("ORDER BY key", &[])?;
    let is_theirs = |item: &&WorklistItem| {
        let owner = item.what.owner_key();
        let cart = item.what.cart().map(|cart| cart.to_string());
        keys.iter().any(|key| owner.contains(key.as_str()) || cart.as_ref() == Some(key))
    };
    let items: Vec<&WorklistItem> = items.iter().filter(is_theirs).collect();
    let keeps = keeps(work, &named)?;
    put_emptied(work, &named.carts)?;
    put_emptied(work, &named.receipts)?;
    put_emptied(work, &named.bookings)?;
    put_emptied(work, &named.series)?;
    put_emptied(work, items)?;
    put_emptied(work, &keeps)?;
    let sought = Sought::of(record);
    outputs(work, &sought)?;
    still_named(work, &sought, &(DocKind::Customer, record.id.to_string()))
}

fn put_emptied<'d, D: Document>(
    work: &mut UnitOfWork<'_>,
    documents: impl IntoIterator<Item = &'d D>,
) -> Result<(), Failure> {
    documents.into_iter().try_for_each(|document| work.put(&emptied(document)?))
}

/// Loads the keeps that corrections of the orders made.
fn keeps(work: &mut UnitOfWork<'_>, named: &Named) -> Result<Vec<Keep>, Failure> {
    let mut keys = BTreeSet::new();
    for receipt in named.receipts.iter().filter(|receipt| receipt.correction.is_some()) {
        let versions = journal::history(work.sql()?, (DocKind::Receipt, &receipt.id.to_string()), usize::MAX)?;
        let Some(first) = versions.last() else {
            continue;
        };
        let entry = journal::entry(work.sql()?, &first.command)?;
        let changes = entry.into_iter().flat_map(|entry| entry.said.changes);
        keys.extend(changes.filter(|one| one.kind == DocKind::Keep && one.version == 1).map(|one| one.key));
    }
    keys.into_iter().map(|key| work.get(key)).collect()
}

/// Erases details of runs, reasons of parked jobs, and output in events, where they name a customer.
fn outputs(work: &mut UnitOfWork<'_>, sought: &Sought) -> Result<(), Failure> {
    for row in work.query("SELECT seq, detail FROM job_run WHERE detail <> '' ORDER BY seq", &[])? {
        if sought.is_in(row.text(1)) {
            work.erase(Output::Run(row.int(0)));
        }
    }
    for row in work.query("SELECT kind, subject, parked FROM job WHERE parked <> '' ORDER BY kind, subject", &[])? {
        if sought.is_in(row.text(2)) {
            let parked = parked_without(row.text(2))?;
            work.erase(Output::Parked(row.text(0).to_owned(), row.text(1).to_owned(), parked));
        }
    }
    let told = "SELECT seq, body FROM event WHERE word IN ('listener_failed', 'job_parked') ORDER BY seq";
    for row in work.query(told, &[])? {
        if sought.is_in(row.text(1)) {
            work.erase(Output::Event(row.int(0), told_without(row.text(1))?));
        }
    }
    Ok(())
}

/// An event without the output of commands.
fn told_without(body: &str) -> Result<String, Fault> {
    let broken = |error: serde_json::Error| Fault::Broken(error.to_string());
    let event: Event = serde_json::from_str(body).map_err(broken)?;
    let (apart, texts) = private::apart(|| serde_json::to_string(&event));
    let texts = vec![FORGOTTEN.to_owned(); texts.len()];
    let apart = apart.map_err(broken)?;
    let event: Event = private::together(texts, || serde_json::from_str(&apart)).map_err(broken)?;
    serde_json::to_string(&event).map_err(broken)
}

/// Documents that name a customer, other than his own record and those that were put without their texts.
fn still_named(work: &mut UnitOfWork<'_>, sought: &Sought, own: &(DocKind, String)) -> Result<Vec<String>, Failure> {
    let mut found = Vec::new();
    for kind in DocKind::ALL.iter().copied().filter(|kind| !matches!(kind, DocKind::Chain | DocKind::Chunk)) {
        let columns = kind.stored_columns();
        for row in work.query(&format!("SELECT {columns} FROM {} ORDER BY key", kind.word()), &[])? {
            let (key, body, words) = (row.text(0), row.text(4), row.text(5));
            let is_put = work.is_put(kind, key);
            let (_, texts) = texts(words);
            let is_named = !is_put && texts.iter().any(|text| sought.is_in(text)) || sought.is_in(body);
            if is_named && (kind, key) != (own.0, own.1.as_str()) {
                found.push(format!("{} {key}", kind.word()));
            }
        }
    }
    Ok(found)
}
