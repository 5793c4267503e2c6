//! The calendars, the replayed journal and the house's invariants against the cells.

use std::collections::{BTreeMap, BTreeSet};

use willcall::domain::calendar::State;
use willcall::engine::Desk;
use willcall::engine::reads::calendar::{ReadCalendar, Words};
use willcall::engine::reads::journal::{EntryView, ReadJournal};
use willcall::engine::verify::Verify;
use willcall::store::document::DocKind;

use super::cells::{CELLS, For, Owner, Stretch};
use super::place::Rooms;
use crate::world::{Step, ensure, same};

impl Rooms {
    pub(super) fn is_as_modelled(&mut self) -> Step {
        let desk = self.some_desk("eve");
        self.check_calendars(&desk)?;
        self.check_chairs(&desk)?;
        self.check_journal(&desk)?;
        self.check_shows(&desk)?;
        let report = desk.read(Verify::default()).map_err(|failure| format!("{failure:?}"))?;
        ensure(report.violations.is_empty(), || format!("{:#?}", report.violations))
    }

    fn check_calendars(&self, desk: &Desk) -> Step {
        let window = Self::slot(Stretch { room: 0, from: 0, count: CELLS });
        let views = desk.read(ReadCalendar { resources: self.ids.clone(), window, words: Words::Titles });
        let views = views.map_err(|failure| format!("{failure:?}"))?;
        for (room, view) in views.iter().enumerate() {
            for cell in 0..CELLS {
                let one = Stretch { room, from: cell, count: 1 };
                let at = Self::slot(one).from();
                let period = view.periods.iter().find(|period| period.slot.has(at));
                let state = period.ok_or("a hole in the calendar")?.state;
                let expected = self.expected((room, cell), desk.now().millis());
                let closed = self.cells.is_closed(one) && expected == State::Free;
                ensure(closed && state != State::Free || state == expected, || {
                    format!("cell {cell} of room {room} is {state:?}, and should be {expected:?}")
                })?;
            }
        }
        Ok(())
    }

    fn expected(&self, (room, cell): (usize, usize), now: i64) -> State {
        match self.cells.owner(room, cell, now) {
            Owner::Nobody => State::Free,
            Owner::Cart(cart) if self.cells.is_live(cart, now) => State::Held,
            Owner::Cart(_) => State::Booked,
            Owner::Booking(booking) => match self.cells.bookings[booking].purpose {
                For::Customer => State::Booked,
                For::Service => State::Maintenance,
                For::Disable => State::Disabled,
            },
        }
    }

    /// Each command that was done is in the journal once, and the last version of each booking there has its cells.
    fn check_journal(&self, desk: &Desk) -> Step {
        let entries = journal(desk);
        let commands: Vec<&str> = entries.iter().map(|entry| entry.command.as_str()).collect();
        let once: BTreeSet<&str> = commands.iter().copied().collect();
        same("commands, each once", &commands.len(), &once.len())?;
        for done in &self.done {
            ensure(once.contains(done.as_str()), || format!("{done} is lost"))?;
        }
        let mut bookings: BTreeMap<&str, String> = BTreeMap::new();
        let changes = entries.iter().flat_map(|entry| &entry.changes);
        for change in changes.filter(|change| change.kind == DocKind::Booking) {
            bookings.insert(&change.key, change.body.clone());
        }
        for (place, booked) in self.cells.bookings.iter().enumerate() {
            let after = bookings.get(booked.id.to_string().as_str());
            let after = after.ok_or("a booking without a journal")?;
            let minutes = minutes_of(after);
            let cells = i64::try_from(self.cells.count(Owner::Booking(place))).unwrap();
            same(&format!("the minutes of {after}"), &minutes, &(cells * 15))?;
        }
        Ok(())
    }
}

/// How much time a booking has, as its document says.
fn minutes_of(document: &str) -> i64 {
    let booking: serde_json::Value = serde_json::from_str(document).unwrap();
    let taken = booking["taken"].as_array().unwrap().iter();
    let live = taken.flat_map(|taken| taken["live"].as_array().unwrap());
    let millis = |slot: &serde_json::Value| slot["until"].as_i64().unwrap() - slot["from"].as_i64().unwrap();
    live.map(millis).sum::<i64>() / 60_000
}

pub(super) fn journal(desk: &Desk) -> Vec<EntryView> {
    let mut all: Vec<EntryView> = Vec::new();
    loop {
        let after = all.last().map_or(0, |entry| entry.seq);
        let page = desk.read(ReadJournal { after, ..ReadJournal::default() }).unwrap();
        if page.is_empty() {
            return all;
        }
        all.extend(page);
    }
}

/// What a journal says, with its ids as numbers in the order in which they appear: ids alone are chance.
pub(super) fn renamed(entries: &[EntryView]) -> Vec<String> {
    let mut names: BTreeMap<String, usize> = BTreeMap::new();
    let mut rename = |text: &str| {
        let mut out = String::new();
        for part in text.split_inclusive(['"', '/', ':']) {
            let end = part.chars().next_back().filter(|end| "\"/:".contains(*end));
            let part = end.map_or(part, |_| &part[..part.len() - 1]);
            // spelled out, or packed into a claim
            let of_id = |char: char| char.is_ascii_alphanumeric() || "-_.".contains(char);
            let is_id = part.len() >= 22 && part.chars().all(of_id);
            let next = names.len();
            if is_id {
                let number = names.entry(part.to_owned()).or_insert(next);
                out.push('#');
                out.push_str(&number.to_string());
            } else {
                out.push_str(part);
            }
            out.extend(end);
        }
        out
    };
    let line = |entry: &EntryView| {
        let head = format!("{:?} {} {} {}", entry.at, entry.operator, entry.station, entry.request);
        let changes = entry.changes.iter();
        let changes = changes.map(|change| format!("{} \"{}\" {}", change.kind.word(), change.key, change.body));
        let line: Vec<String> = std::iter::once(head).chain(changes).collect();
        rename(&line.join(" "))
    };
    entries.iter().map(line).collect()
}
