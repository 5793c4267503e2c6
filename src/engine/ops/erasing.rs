//! Erasure of a customer's words from the free text of his orders, from its earlier versions, and from the output of jobs.

use std::collections::{BTreeMap, BTreeSet};

use crate::domain::customer::{CustomerRecord, Erasure};
use crate::domain::house::{Keep, WorklistItem};
use crate::engine::ops::customers::Named;
use crate::engine::work::{Failure, UnitOfWork};
use crate::store::document::{DocKind, Document, parse, spell};
use crate::store::journal::redaction::{self, RedactedEntry, Redaction};
use crate::store::journal::{self, Content, Entry};

/// Kind and key of a document.
type Place = (DocKind, String);

/// Words to erase, and the orders whose texts lose each of them.
struct Eraser {
    /// For texts of the orders.
    own: Erasure,
    /// For other output of jobs.
    elsewhere: Erasure,
    /// Keys of the orders, and of what depends on them.
    places: BTreeSet<Place>,
    /// Commands that wrote them.
    commands: BTreeSet<String>,
    /// Bodies of redacted documents, by command.
    bodies: BTreeMap<(String, Place), String>,
}

/// Erases the words of a customer. Other documents than the given ones keep their text.
pub(super) fn erase(work: &mut UnitOfWork<'_>, record: &CustomerRecord, named: &Named) -> Result<(), Failure> {
    let mut eraser = Eraser {
        own: Erasure::of(record),
        elsewhere: Erasure::of_whole_name(record),
        places: BTreeSet::new(),
        commands: BTreeSet::new(),
        bodies: BTreeMap::new(),
    };
    eraser.documents(work, &named.carts)?;
    eraser.documents(work, &named.receipts)?;
    eraser.documents(work, &named.bookings)?;
    eraser.documents(work, &named.waiting)?;
    eraser.documents(work, &named.series)?;
    // a cart that was paid under a name given then does not name the customer
    let paid = named.receipts.iter().map(|one| one.cart.to_string());
    eraser.places.extend(paid.map(|cart| (DocKind::Cart, cart)));
    let items = eraser.items(work)?;
    eraser.documents(work, &items)?;
    let kept = eraser.keeps(work)?;
    eraser.documents(work, &kept)?;
    let redaction = eraser.redaction(work)?;
    work.redact(redaction);
    Ok(())
}

impl Eraser {
    /// Erases the text of documents, and collects their earlier versions.
    fn documents<D: Document>(&mut self, work: &mut UnitOfWork<'_>, documents: &[D]) -> Result<(), Failure> {
        for document in documents {
            let place = (D::KIND, document.key());
            self.past(work, &place)?;
            if let Some(body) = self.own.within(&spell(document)?) {
                work.put(&parse::<D>(&place.1, &body)?)?;
            }
            self.places.insert(place);
        }
        Ok(())
    }

    /// Collects the commands that wrote a document, and its bodies if one of them has a word.
    fn past(&mut self, work: &mut UnitOfWork<'_>, (kind, key): &Place) -> Result<(), Failure> {
        let versions = journal::history(work.sql()?, (*kind, key), usize::MAX)?;
        let has_words = versions.iter().any(|one| self.own.within(&one.body).is_some());
        for version in versions {
            if has_words {
                let body = self.own.within(&version.body).unwrap_or(version.body);
                let at = (version.command.clone(), (*kind, key.clone()));
                self.bodies.insert(at, body);
            }
            self.commands.insert(version.command);
        }
        Ok(())
    }

    /// Loads the items of the worklist about the orders.
    fn items(&self, work: &mut UnitOfWork<'_>) -> Result<Vec<WorklistItem>, Failure> {
        let rows = work.query("SELECT key, body FROM work ORDER BY key", &[])?;
        let theirs = rows.iter().filter(|row| self.is_own(row.text(1)));
        theirs.map(|row| work.get(row.text(0))).collect()
    }

    /// Loads the keeps that corrections of the orders made.
    fn keeps(&self, work: &mut UnitOfWork<'_>) -> Result<Vec<Keep>, Failure> {
        let mut kept = Vec::new();
        for command in &self.commands {
            let Some(entry) = redaction::entry(work.sql()?, command)? else {
                continue;
            };
            let changes = entry.changes.iter().filter(|_| self.is_own(&entry.request));
            for change in changes.filter(|one| one.kind == DocKind::Keep && one.version == 1) {
                kept.push(work.get(&change.key)?);
            }
        }
        Ok(kept)
    }

    /// Returns whether a text names one of the orders.
    fn is_own(&self, text: &str) -> bool {
        self.places.iter().any(|(_, key)| text.contains(key))
    }

    /// Collects what is to be rewritten.
    fn redaction(&self, work: &mut UnitOfWork<'_>) -> Result<Redaction, Failure> {
        let mut entries = Vec::new();
        for command in &self.commands {
            let entry = redaction::entry(work.sql()?, command)?;
            entries.extend(entry.and_then(|entry| self.entry(entry)));
        }
        redaction::each_telling(work.sql()?, &mut |entry| {
            if !self.commands.contains(&entry.command) {
                entries.extend(self.entry(entry));
            }
        })?;
        let runs = redaction::runs(work.sql()?)?.into_iter();
        let runs = runs.filter_map(|(seq, subject, detail)| Some((seq, self.of(&subject).text(&detail)?)));
        let parked = redaction::parked(work.sql()?)?.into_iter();
        let parked = parked.filter_map(|mut job| {
            job.parked = self.of(&job.subject).within(&job.parked)?;
            Some(job)
        });
        Ok(Redaction { entries, runs: runs.collect(), parked: parked.collect() })
    }

    /// Words that a text of a subject loses.
    fn of(&self, text: &str) -> &Erasure {
        if self.is_own(text) { &self.own } else { &self.elsewhere }
    }

    /// An entry without the words; `None` if it has none.
    fn entry(&self, mut entry: Entry) -> Option<RedactedEntry> {
        let mut is_redacted = false;
        let mut redact = |text: &mut String, erased: Option<String>| {
            is_redacted |= erased.as_ref().is_some_and(|erased| erased != text);
            *text = erased.unwrap_or_else(|| std::mem::take(text));
        };
        let is_order =
            |kind: DocKind| matches!(kind, DocKind::Booking | DocKind::Receipt | DocKind::Series | DocKind::Waiting);
        let mut changes = entry.changes.iter();
        let made = changes.any(|change| {
            let place = (change.kind, change.key.clone());
            change.version == 1 && is_order(change.kind) && self.places.contains(&place)
        });
        let of = if made { &self.own } else { self.of(&entry.request) };
        let request = of.within(&entry.request);
        redact(&mut entry.request, request);
        let answer = of.within(&entry.answer);
        redact(&mut entry.answer, answer);
        let mut events = Vec::new();
        for (_, body) in &mut entry.events {
            if let Some(erased) = self.of(body).within(body) {
                events.push((body.clone(), erased.clone()));
                redact(body, Some(erased));
            }
        }
        for change in &mut entry.changes {
            let place = (entry.command.clone(), (change.kind, change.key.clone()));
            if let Some(body) = self.bodies.get(&place) {
                change.content = Content::Body(body.clone());
                is_redacted = true;
            }
        }
        is_redacted.then_some(RedactedEntry { entry, events })
    }
}
