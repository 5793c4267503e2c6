//! Undo, closed and opened days, imports, repeats, jobs steered by hand, and names of nothing.

use std::collections::BTreeSet;

use chrono::{Days, NaiveDate};
use willcall::domain::booking::Cause;
use willcall::domain::house::WorklistItem;
use willcall::domain::ids::{BookingId, PerformanceId, ReceiptId, TheaterId, WaitId, WorkId};
use willcall::domain::job::JobKind;
use willcall::domain::money::{Currency, Price};
use willcall::domain::receipt::Papers;
use willcall::domain::resource::{Policy, ResourceId};
use willcall::domain::time::{Instant, Slot, Span};
use willcall::engine::Desk;
use willcall::engine::ops::{
    AddJob, AddTheater, AddToSeries, BePresent, BeginTidying, BookSlot, CancelPerformance, ChangeBooking, ChangePlan,
    ChangeSettings, CloseDays, CloseHorizon, Conflicts, ControlJob, EndHearing, ForeignTime, HandOver, HearEvent,
    ImportTimes, ItemAct, JobAct, MoveBooking, OpenHorizon, OutOfUse, Past, PrintPapers, Reach, RemoveWaiting,
    RestoreBooking, ReturnToWorklist, SealJournal, SetHall, SettleItem, TicketsTo, UndoOutOfUse, Want, WhatStands,
    Whose,
};
use willcall::engine::reads::bookings::ReadBooking;
use willcall::engine::reads::catalog::ReadSettings;
use willcall::engine::reads::resources::ReadResource;
use willcall::formats::rows;

use super::acts::details;
use super::cells::{Booked, For, Owner, ROOMS, Stretch, cell_at, is_over, is_past};
use super::place::{FIRST, Rooms, room};
use crate::world::{Step, ensure, same};

/// The day of the cells, or a later one.
fn day(later: i64) -> NaiveDate {
    let first = FIRST.in_zone(chrono_tz::Tz::UTC).date_naive();
    first + Days::new(u64::try_from(later).unwrap())
}

/// The number of the day of an instant.
fn day_at(now: Instant) -> i64 {
    cell_at(now.millis()).div_euclid(96)
}

fn theater(name: &str) -> AddTheater {
    AddTheater { name: name.into(), plan: rows::parse("2x4").unwrap(), time_zone: None }
}

/// The most days that are opened by hand.
const DAYS: i64 = 6;

/// The days from today on that a job keeps open, and the most that it opens at once.
const ROLLED: i64 = 2;
const ROLLED_MAX: i64 = 1100;

impl Rooms {
    /// Restores a canceled booking, where its time is free.
    pub(super) fn restore(&mut self) -> Step {
        let canceled = |booked: &Booked| !booked.stands && booked.was.is_some();
        let Some(booking) = self.one_of(canceled) else {
            return Ok(());
        };
        let Some(was) = self.cells.bookings[booking].was else {
            return Ok(());
        };
        let bookings = vec![self.cells.bookings[booking].id];
        let operator = self.operator();
        let restored = self.ask(operator, &RestoreBooking { bookings });
        let now = restored.at.millis();
        let may = self.cells.is_free(was, now) && !is_over(was, now);
        if restored.judge(may)?.is_some() {
            self.cells.take(was, (Owner::Booking(booking), now));
            let booked = &mut self.cells.bookings[booking];
            (booked.stands, booked.was) = (true, None);
        }
        Ok(())
    }

    /// Takes time out of use, moves somebody whom that displaced and puts them back on the worklist, and undoes it all.
    pub(super) fn displace_and_undo(&mut self) -> Step {
        let (stretch, operator) = (self.stretch(), self.operator());
        let other = if operator == "ada" { "ben" } else { "ada" };
        if self.cells.has_act(stretch, self.now()) || self.cells.is_closed(stretch) {
            return Ok(());
        }
        let out = self.ask(operator, &self.leak(stretch));
        let now = out.at.millis();
        let owners = stretch.from..stretch.from + stretch.count;
        let owners = owners.map(|cell| self.cells.owner(stretch.room, cell, now));
        let before: Vec<Owner> = owners.collect();
        let (booking, displaced) = match out.judge(!is_past(stretch, now))? {
            None => return Ok(()),
            Some(OutOfUse::Slot { booking, displaced, .. }) => (booking, displaced),
            Some(OutOfUse::Marked { .. }) => return Err("a mark instead of a slot".into()),
        };
        self.cells.meet(stretch, now);
        let of_bookings: BTreeSet<usize> = before
            .iter()
            .filter_map(|owner| match owner {
                Owner::Booking(booking) => Some(*booking),
                Owner::Nobody | Owner::Cart(_) => None,
            })
            .collect();
        if let Some(lost) = of_bookings.first() {
            self.move_and_return(*lost, (stretch, &displaced))?;
        }
        let undo = UndoOutOfUse { id: booking.id, displaced: displaced.iter().map(|item| item.id).collect() };
        self.ask(other, &undo).judge(false)?;
        let still = self.ask(operator, &undo).judge(true)?.ok_or("refused")?;
        let of_others = displaced.len() - of_bookings.len();
        same("those who wait", &still.len(), &of_others)?;
        for (cell, owner) in (stretch.from..).zip(before) {
            let one = Stretch { from: cell, count: 1, ..stretch };
            match owner {
                Owner::Booking(_) => self.cells.set(one, owner),
                // a cart has lost what was taken from it
                Owner::Cart(_) | Owner::Nobody => self.cells.set(one, Owner::Nobody),
            }
        }
        self.settle(&still)
    }

    /// A booking that lost time gets other time, which is taken back at once.
    fn move_and_return(&mut self, lost: usize, (out, items): (Stretch, &[WorklistItem])) -> Step {
        let now = self.now();
        let id = self.cells.bookings[lost].id;
        let room = (0..ROOMS).find(|room| *room != out.room && self.cells.closed[*room].is_none());
        let free = room.and_then(|room| self.cells.run_of(room, (1, now)));
        let Some(free) = free.filter(|_| self.chance(60)) else {
            return Ok(());
        };
        let taken = self.desk(0, "eve").read(ReadBooking(id)).unwrap().booking.taken;
        let wanted = MoveBooking {
            booking: id,
            from: None,
            to: Some(self.ids[free.room].clone()),
            part: None,
            slot: Self::slot(free),
            reach: Reach::This,
            past: Past::Closed,
            whose: Whose::Mine,
        };
        let operator = self.operator();
        let moved = self.ask(operator, &wanted);
        let now = moved.at.millis();
        let may = self.cells.can_book(free, now);
        if moved.judge(may)?.is_none() {
            return Ok(());
        }
        self.cells.meet(free, now);
        let mine = format!("{id}");
        let items = items.iter().filter(|item| {
            let facts = serde_json::to_string(item).unwrap();
            facts.contains(&mine)
        });
        let back = ReturnToWorklist { booking: id, taken, items: items.map(|item| item.id).collect() };
        self.ask(operator, &back).judge(true).map(|_| ())
    }

    /// Waives an item of the worklist, which is done once.
    fn settle(&mut self, items: &[WorklistItem]) -> Step {
        let Some(item) = items.first().map(|item| item.id) else {
            return Ok(());
        };
        let waive = waive(item);
        let operator = self.operator();
        self.ask(operator, &waive).judge(true)?;
        self.ask(operator, &waive).judge(false).map(|_| ())
    }

    /// The house closes on the day of the cells, or opens again; more days than a list may have are refused.
    pub(super) fn close_day(&mut self) -> Step {
        let operator = self.operator();
        let today = vec![day(0)];
        let beyond = (1..2500).map(day).collect();
        let (close, open) = match (self.chance(20), self.cells.is_closed_day) {
            (true, _) => (beyond, Vec::new()),
            (false, true) => (Vec::new(), today),
            (false, false) => (today, Vec::new()),
        };
        let may = close.len() < 2;
        let settings = self.ask(operator, &CloseDays { close, open, stands: WhatStands::Stays });
        if let Some(settings) = settings.judge(may)? {
            self.cells.is_closed_day = !self.cells.is_closed_day;
            let expected = if self.cells.is_closed_day { vec![day(0)] } else { Vec::new() };
            same("closed days", &settings.closed_days, &expected)?;
            let settings = self.desk(0, "eve").read(ReadSettings).unwrap();
            same("closed days", &settings.closed_days, &expected)?;
        }
        Ok(())
    }

    fn some_day(&mut self) -> i64 {
        i64::from(self.dice.below(u32::try_from(DAYS).unwrap()))
    }

    fn studio(&mut self) -> ResourceId {
        if let Some(studio) = &self.opened {
            return studio.clone();
        }
        let mut add = room("Studio");
        add.policy = Policy::Preallocated { horizon: None, roll_days: Some(u32::try_from(ROLLED).unwrap()) };
        let today = day_at(self.desk(0, "ada").now());
        let studio = self.tell(&add).unwrap().id;
        self.cells.days.open_until(today + ROLLED, today);
        self.opened = Some(studio.clone());
        studio
    }

    /// Opens days of the studio, or closes them where nobody has booked.
    pub(super) fn open_days(&mut self) -> Step {
        let (resource, operator) = (self.studio(), self.operator());
        let other = self.ids[0].clone();
        let days = self.some_day();
        if self.chance(15) {
            let (resource, until) = (other, day(days));
            let opened = self.ask(operator, &OpenHorizon { resource, until });
            return opened.judge(false).map(|_| ());
        }
        if self.chance(20) {
            // by hand: seldom does a day pass
            let desk = self.some_desk(operator);
            let rolled = desk.run_job(JobKind::Horizon, resource.to_string());
            self.note("roll", &rolled);
            return self.rolled(&desk);
        }
        if self.chance(50) {
            let until = day(days);
            let opened = self.ask(operator, &OpenHorizon { resource, until });
            let today = day_at(opened.at);
            opened.judge(true)?;
            self.cells.days.open_until(days, today);
            return Ok(());
        }
        let from = day(days);
        let may = self.cells.days.booked.range(days..).next().is_none();
        let closed = self.ask(operator, &CloseHorizon { resource, from });
        if closed.judge(may)?.is_some() {
            self.cells.days.close_from(days);
        }
        Ok(())
    }

    /// A job keeps two days open from today, and only ever opens more.
    pub(super) fn rolled(&mut self, desk: &Desk) -> Step {
        let Some(studio) = self.opened.clone() else {
            return Ok(());
        };
        let found = desk.read(ReadResource(studio.to_string()));
        let Policy::Preallocated { horizon, .. } = found.unwrap().policy else {
            return Err("the studio is open-ended".into());
        };
        let horizon = horizon.map(|until| (until - day(0)).num_days());
        let days = &mut self.cells.days;
        let before = days.horizon;
        if horizon != before {
            let today = day_at(desk.now());
            let most = before.unwrap_or(today) + ROLLED_MAX;
            days.open_until((today + ROLLED).min(most), today);
        }
        same("the horizon", &horizon, &days.horizon)
    }

    /// Books the studio on a day, which has to be open.
    pub(super) fn book_opened(&mut self) -> Step {
        let (studio, operator, later) = (self.studio(), self.operator(), self.some_day());
        let ten = FIRST + Span::minutes(later * 24 * 60 + 600);
        let booked = self.ask(
            operator,
            &BookSlot {
                wants: vec![Want::all(vec![studio], Slot::new(ten, ten + Span::minutes(60)).unwrap())],
                details: details(),
                past: Past::Closed,
            },
        );
        let days = &self.cells.days;
        let may = days.open.contains(&later)
            && !days.booked.contains(&later)
            && cell_at(booked.at.millis()) <= cell_at(ten.millis());
        if booked.judge(may)?.is_some() {
            self.cells.days.booked.insert(later);
        }
        Ok(())
    }

    pub(super) fn import(&mut self) -> Step {
        let (stretch, operator) = (self.stretch(), self.operator());
        let imported = self.ask(
            operator,
            &ImportTimes {
                resource: self.ids[stretch.room].clone(),
                cause: Cause::Booking,
                times: vec![ForeignTime {
                    uid: format!("{}@elsewhere", self.commands()),
                    title: "Yoga".into(),
                    note: String::new(),
                    slot: Self::slot(stretch),
                }],
                conflicts: Conflicts::Refuse,
                past: Past::Closed,
                count: None,
            },
        );
        let now = imported.at.millis();
        let may = self.cells.can_book(stretch, now);
        if let Some(imported) = imported.judge(may)? {
            let [booking] = imported.bookings.as_slice() else {
                return Err(format!("{imported:?}"));
            };
            self.cells.book(Self::booked(booking, For::Customer), (&[stretch], now));
        }
        Ok(())
    }

    /// Adds a date to a repeat.
    pub(super) fn add_date(&mut self) -> Step {
        let repeats = self.cells.repeats.len();
        if repeats == 0 {
            return Ok(());
        }
        let place = self.below(repeats);
        let (series, room) = self.cells.repeats[place];
        let (mut stretch, operator) = (self.stretch(), self.operator());
        stretch.room = room;
        let (slot, past) = (Self::slot(stretch), Past::Closed);
        let added = self.ask(operator, &AddToSeries { series, slot, past });
        self.booked_free(added, stretch)
    }

    /// Changes what a booking says.
    pub(super) fn change(&mut self) -> Step {
        let customers = |one: &Booked| one.purpose == For::Customer;
        let Some(booking) = self.one_of(customers) else {
            return Ok(());
        };
        let (operator, minor) = (self.operator(), i64::from(self.dice.below(5)) - 1);
        let may = self.cells.bookings[booking].stands && minor >= 0;
        let mut change = ChangeBooking::of(self.cells.bookings[booking].id);
        change.note = Some(format!("note {}", self.commands()));
        change.price = Some(Price { minor, currency: Currency::EUR });
        self.ask(operator, &change).judge(may).map(|_| ())
    }

    /// Steers the check of an open cart by hand.
    pub(super) fn control(&mut self) -> Step {
        let now = self.now();
        let carts = 0..self.cells.carts.len();
        let live: Vec<usize> = carts.filter(|cart| self.cells.is_live(*cart, now)).collect();
        if live.is_empty() {
            return Ok(());
        }
        let cart = live[self.below(live.len())];
        // no clock is further behind
        let past = Instant::from_millis(now - 2 * 3_600_000);
        let (act, may) = match self.below(3) {
            0 => (JobAct::RunNow, true),
            1 => (JobAct::Retry, false),
            _ => (JobAct::Later(past), false),
        };
        let control = ControlJob { kind: JobKind::CartExpiry, subject: self.cells.carts[cart].id.to_string(), act };
        let operator = self.operator();
        self.ask(operator, &control).judge(may).map(|_| ())
    }

    /// Commands about what does not exist.
    pub(super) fn nothing_there(&mut self) -> Step {
        let (operator, nothing) = (self.operator(), ResourceId::of_name("nothing").unwrap());
        let none = match self.below(13) {
            0 => {
                let waiting = WaitId::random();
                self.ask(operator, &RemoveWaiting { waiting }).answer.err()
            }
            1 => {
                let (receipt, to) = (ReceiptId::random(), TicketsTo::Desk);
                self.ask(operator, &HandOver::new(receipt, to)).answer.err()
            }
            2 => {
                let item = WorkId::random();
                self.ask(operator, &waive(item)).answer.err()
            }
            3 => {
                let back = ReturnToWorklist { booking: BookingId::random(), taken: Vec::new(), items: Vec::new() };
                self.ask(operator, &back).answer.err()
            }
            4 => {
                let theater = self.theater.unwrap();
                let hall = nothing;
                self.ask(operator, &SetHall { theater, hall }).answer.err()
            }
            5 => self.ask(operator, &room("Room 1")).answer.err(),
            7 => self.ask(operator, &theater(" ")).answer.err(),
            8 => {
                let (theater, plan) = (TheaterId::random(), theater(" ").plan);
                self.ask(operator, &ChangePlan { theater, plan }).answer.err()
            }
            9 => {
                let receipt = ReceiptId::random();
                self.ask(operator, &PrintPapers::new(receipt, Papers::Tickets)).answer.err()
            }
            10 => {
                let performance = PerformanceId::random();
                let cancel = CancelPerformance { performance, reason: "flooded".into() };
                self.ask(operator, &cancel).answer.err()
            }
            11 => {
                let change = ChangeSettings::to("hold", "0");
                self.ask(operator, &change).answer.err()
            }
            6 => {
                let bookings = vec![BookingId::random()];
                self.ask(operator, &RestoreBooking { bookings }).answer.err()
            }
            _ => {
                let undo = UndoOutOfUse { id: BookingId::random(), displaced: Vec::new() };
                self.ask(operator, &undo).answer.err()
            }
        };
        ensure(none.is_some(), || "done on nothing".into())
    }

    /// Commands that change little or nothing; only a repeated check is refused.
    pub(super) fn small_things(&mut self) -> Step {
        let number = i64::try_from(self.commands()).unwrap();
        self.tell(&BePresent::At("Tonight".into()))?;
        self.tell(&BePresent::Off)?;
        self.tell(&BeginTidying)?;
        self.tell(&HearEvent { number })?;
        self.tell(&EndHearing {
            heard: "seats_offered".into(),
            number,
            attempt: 1,
            command: "bell".into(),
            problem: "it failed".into(),
        })?;
        let sealed = self.tell(&SealJournal)?;
        ensure(!sealed.heads.is_empty(), || "a journal without a head".into())?;
        let add = AddTheater { name: format!("Studio {number}"), ..theater(" ") };
        let theater = self.tell(&add)?.id;
        let hall = self.ids[0].clone();
        self.tell(&SetHall { theater, hall })?;
        let check = AddJob {
            kind: "order_shipped".into(),
            subject: format!("order {number}"),
            due: self.desk(0, "ada").now() + Span::minutes(365 * 24 * 60),
            run: Some("true".into()),
            ..AddJob::default()
        };
        self.tell(&check)?;
        let again = self.tell(&check);
        ensure(again.is_err(), || format!("two checks: {again:?}"))
    }
}

fn waive(item: WorkId) -> SettleItem {
    SettleItem { item, act: ItemAct::Waive, reason: "settled".into() }
}
