//! What clerks do to the house: seats kept and out of use, performances, plans, settings, the worklist.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{Days, NaiveDate};
use chrono_tz::Tz;
use willcall::domain::back::{Back, Share};
use willcall::domain::cart::{Cart, CartState};
use willcall::domain::customer::Customer;
use willcall::domain::house::{WorkKind, WorklistItem};
use willcall::domain::ids::{LineId, PerformanceId};
use willcall::domain::job::JobKind;
use willcall::domain::loss::CellGroup;
use willcall::domain::owner::Owner;
use willcall::domain::plan::SeatRef;
use willcall::domain::receipt::Papers;
use willcall::domain::time::{Instant, Span, day_start};
use willcall::engine::ops::{
    AddPerformance, CancelPerformance, ChangePlan, ChangeSettings, DisableSeats, EnableSeats, ItemAct, KeepSeats,
    NameCustomer, NamedPrice, PrintPapers, SettleItem, UnkeepSeats, Which, Whose,
};
use willcall::engine::reads::carts::ReadCart;

use crate::model::{Broken, Keep, Out, Show, Stand, has, name};
use crate::world::{Step, World, ensure, plan, same};

/// Who waits on the worklist, with which seats.
type Waits = BTreeMap<LineId, BTreeSet<SeatRef>>;

impl World {
    /// Opens a performance so many minutes from now.
    pub(crate) fn open_performance(&mut self, minutes: i64) -> Step {
        let price = |category: Option<&str>, ticket_type: Option<&str>, minor| NamedPrice {
            category: category.map(Into::into),
            ticket_type: ticket_type.map(Into::into),
            ..NamedPrice::all(minor)
        };
        let start = self.now() + Span::minutes(minutes);
        let add = AddPerformance::new(
            self.theater,
            &format!("Show {}", self.model.shows.len() + 1),
            (start, start + Span::minutes(120)),
            vec![
                price(None, None, 1000),
                price(Some("dear"), None, 2050),
                price(None, Some("Child"), 550),
                price(None, Some("Guest"), 0),
            ],
        );
        let ran = self.run(add);
        let may = ran.at < start && self.model.hall_is_free(start);
        let Some(opened) = ran.judge(may)? else {
            return Ok(());
        };
        let rows = self.model.rows.clone();
        let id = opened.performance.id;
        let day = start.in_zone(Tz::UTC).date_naive();
        for (seat, acts) in &self.model.broken {
            let acts = acts.iter().filter(|act| act.from <= day);
            let out: Vec<Out> = acts.map(Broken::out).collect();
            if !out.is_empty() && has(&rows, *seat) {
                self.model.disabled.insert((id, *seat), out);
            }
        }
        self.model.shows.push(Show { id, start, canceled: false, rows });
        Ok(())
    }

    pub(crate) fn keep(&mut self) -> Step {
        let performance = self.some_show();
        let rows = self.model.show(performance).rows.clone();
        let seats = self.some_seats(&rows);
        let until = self.now() + Span::minutes(i64::from(self.dice.below(90)));
        let ran = self.run(KeepSeats {
            performance,
            seats: seats.iter().copied().map(name).collect(),
            reason: "press".into(),
            until,
        });
        let at = ran.at;
        let free = seats.iter().all(|seat| self.model.is_free((performance, *seat), at));
        let may = self.model.show(performance).on_sale(at) && at < until && free;
        let Some(keep) = ran.judge(may)? else {
            return Ok(());
        };
        self.model.meet((performance, &seats), at);
        self.model.keeps.insert(keep.id, Keep { show: performance, seats, until });
        Ok(())
    }

    pub(crate) fn unkeep(&mut self) -> Step {
        let kept: Vec<(PerformanceId, Vec<SeatRef>)> =
            self.model.keeps.values().map(|keep| (keep.show, keep.seats.clone())).collect();
        if kept.is_empty() {
            return Ok(());
        }
        let (performance, mut seats) = self.one_of(&kept);
        if self.chance(20) {
            seats.push(SeatRef { row: 0, seat: 0 });
            seats.sort_unstable();
            seats.dedup();
        }
        let desk = self.some_desk();
        let now = desk.now();
        let over = |keep: &&Keep| keep.show == performance && keep.until <= now;
        let mut past = self.model.keeps.values().filter(over);
        if past.any(|keep| keep.seats.iter().any(|seat| seats.contains(seat))) {
            // released already, or about to be: either answer is right
            return Ok(());
        }
        let unkeep = UnkeepSeats { performance, seats: seats.iter().copied().map(name).collect() };
        let ran = self.run_at(&desk, unkeep);
        let ours = |seat: &SeatRef| {
            self.model.keeps.values().any(|keep| keep.show == performance && keep.seats.contains(seat))
        };
        let may = !seats.is_empty() && seats.iter().all(ours);
        if ran.judge(may)?.is_some() {
            self.model.unkeep((performance, &seats));
        }
        Ok(())
    }

    fn is_foreign(&self, (show, seats): (PerformanceId, &[SeatRef]), operator: &str) -> bool {
        seats
            .iter()
            .any(|seat| self.model.disabled.get(&(show, *seat)).is_some_and(|acts| acts[0].operator != operator))
    }

    /// Takes seats out of use in the model; gives who waits on the worklist for it.
    fn disabled(&mut self, (show, seats): (PerformanceId, &[SeatRef]), out: &Out, at: Instant) -> Waits {
        let new: Vec<SeatRef> =
            seats.iter().copied().filter(|seat| !self.model.disabled.contains_key(&(show, *seat))).collect();
        self.model.meet((show, &new), at);
        let waits = self.model.displace((show, &new), at);
        for seat in seats {
            let acts = self.model.disabled.entry((show, *seat)).or_default();
            acts.push(out.clone());
            acts.sort_by_key(|act| act.listed);
        }
        waits
    }

    /// The worklist has exactly those who have to wait.
    fn waiting(&mut self, items: &[WorklistItem], expected: &Waits) -> Step {
        let mut found = Waits::new();
        for item in items {
            let WorkKind::Displaced { owner: Owner::Line(line), loss, .. } = &item.what else {
                return Err(format!("{item:?}"));
            };
            let CellGroup::Seats { seats, .. } = &loss.cells else {
                return Err(format!("{item:?}"));
            };
            found.entry(*line).or_default().extend(seats);
            self.model.work.insert(item.id, 0);
            let waits = (*line, seats.iter().copied().collect());
            self.model.waits.insert(item.id, waits);
        }
        same("who is displaced", &found, expected)
    }

    pub(crate) fn disable(&mut self) -> Step {
        let show = self.some_show();
        let rows = self.model.show(show).rows.clone();
        let seats = self.some_seats(&rows);
        let ran = self.run(DisableSeats {
            which: Which::Performance(show),
            seats: seats.iter().copied().map(name).collect(),
            reason: "broken".into(),
        });
        let (at, operator) = (ran.at, ran.actor.operator.clone());
        let may = !self.is_foreign((show, &seats), &operator);
        let Some(done) = ran.judge(may)? else {
            return Ok(());
        };
        let out = Out { operator, listed: None };
        let waits = self.disabled((show, &seats), &out, at);
        self.waiting(&done.displaced, &waits)
    }

    pub(crate) fn disable_everywhere(&mut self) -> Step {
        let rows = self.model.rows.clone();
        let seats = self.some_seats(&rows);
        let today = self.now().in_zone(Tz::UTC).date_naive();
        let from = self.one_of(&[None, Some(today), today.checked_add_days(Days::new(1))]);
        let ran = self.run(DisableSeats {
            which: Which::Theater { theater: self.theater, from },
            seats: seats.iter().copied().map(name).collect(),
            reason: "wet".into(),
        });
        let (at, operator) = (ran.at, ran.actor.operator.clone());
        let from: NaiveDate = from.unwrap_or_else(|| at.in_zone(Tz::UTC).date_naive());
        let shows = self.model.to_come(day_start(from, Tz::UTC).max(at));
        let of = |model: &crate::model::Model, show| -> Vec<SeatRef> {
            seats.iter().copied().filter(|seat| model.show(show).has(*seat)).collect()
        };
        let listed = |seat| self.model.broken.get(seat).cloned();
        let foreign = seats.iter().filter_map(listed).any(|acts| acts[0].operator != operator)
            || shows.iter().any(|show| self.is_foreign((*show, &of(&self.model, *show)), &operator));
        let Some(done) = ran.judge(!foreign)? else {
            return Ok(());
        };
        let mut waits = Waits::new();
        self.model.acts += 1;
        let broken = Broken { from, operator, act: self.model.acts };
        for show in shows {
            let some = of(&self.model, show);
            for (line, lost) in self.disabled((show, &some), &broken.out(), at) {
                waits.entry(line).or_default().extend(lost);
            }
        }
        for seat in seats {
            let acts = self.model.broken.entry(seat).or_default();
            acts.push(broken.clone());
        }
        self.waiting(&done.displaced, &waits)
    }

    pub(crate) fn enable(&mut self) -> Step {
        let now = self.now();
        let show = self.some_show();
        let out: Vec<SeatRef> = self
            .model
            .show(show)
            .seats()
            .filter(|seat| matches!(self.model.stand((show, *seat), now), Stand::Disabled(_)))
            .collect();
        let mut seats: Vec<SeatRef> = out.into_iter().filter(|_| self.chance(60)).collect();
        if self.chance(15) {
            seats.push(SeatRef { row: 0, seat: 0 });
            seats.dedup();
        }
        seats.sort_unstable();
        seats.dedup();
        let whose = self.one_of(&[Whose::Mine, Whose::Anybody]);
        let ran = self.run(EnableSeats {
            which: Which::Performance(show),
            seats: seats.iter().copied().map(name).collect(),
            whose,
        });
        let all = seats.iter().all(|seat| self.model.disabled.contains_key(&(show, *seat)));
        let foreign = whose == Whose::Mine && self.is_foreign((show, &seats), &ran.actor.operator);
        if ran.judge(!seats.is_empty() && all && !foreign)?.is_some() {
            for seat in seats {
                self.model.enable((show, seat), None);
            }
        }
        Ok(())
    }

    pub(crate) fn enable_everywhere(&mut self) -> Step {
        let known: Vec<SeatRef> = self.model.broken.keys().copied().collect();
        let seats: Vec<SeatRef> = known.into_iter().filter(|_| self.chance(60)).collect();
        let whose = self.one_of(&[Whose::Mine, Whose::Anybody]);
        let which = Which::Theater { theater: self.theater, from: None };
        let ran = self.run(EnableSeats { which, seats: seats.iter().copied().map(name).collect(), whose });
        let operator = ran.actor.operator.clone();
        let shows = self.model.to_come(ran.at);
        let foreign = seats.iter().any(|seat| self.model.broken[seat][0].operator != operator);
        let may = !seats.is_empty() && (whose == Whose::Anybody || !foreign);
        if ran.judge(may)?.is_some() {
            for seat in seats {
                let ended = self.model.broken.get_mut(&seat).unwrap().remove(0);
                for show in &shows {
                    self.model.enable((*show, seat), Some(ended.act));
                }
            }
            self.model.broken.retain(|_, acts| !acts.is_empty());
        }
        Ok(())
    }

    /// A performance is canceled, another opened, or the theater gets another plan.
    pub(crate) fn change_house(&mut self) -> Step {
        match self.dice.below(4) {
            0 => self.cancel_performance(),
            1 => {
                let (plan, rows) = plan(self.one_of(&["2x8,2x6", "4x7", "3x9"]));
                let ran = self.run(ChangePlan { theater: self.theater, plan });
                ran.judge(true)?;
                self.model.rows = rows;
                Ok(())
            }
            _ if self.model.shows.len() < 6 => {
                let minutes = i64::from(self.dice.below(60 * 30)) + 1;
                self.open_performance(minutes)
            }
            _ => Ok(()),
        }
    }

    fn cancel_performance(&mut self) -> Step {
        let performance = self.some_show();
        let ran = self.run(CancelPerformance { performance, reason: "flooded".into() });
        let at = ran.at;
        let items = ran.judge(true)?.ok_or("refused")?.displaced;
        let seats: Vec<SeatRef> = self.model.show(performance).seats().collect();
        self.model.meet((performance, &seats), at);
        let mut waits = self.model.displace((performance, &seats), at);
        self.model.end_unpaid(&mut waits);
        for show in self.model.shows.iter_mut().filter(|show| show.id == performance) {
            show.canceled = true;
        }
        self.waiting(&items, &waits)
    }

    pub(crate) fn small_things(&mut self) -> Step {
        match self.dice.below(6) {
            0 => self.change_settings(),
            1 => self.resolve(),
            2 => self.refund(),
            3 => self.bring_back(),
            4 => {
                let Some(cart) = self.some_cart() else {
                    return Ok(());
                };
                let customer = Customer {
                    name: self.one_of(&["Ms Black", "Mr White"]).into(),
                    phone: "12".into(),
                    ..Customer::default()
                };
                let ran = self.run(NameCustomer { cart, customer: customer.clone() });
                let may = self.model.is_live(cart, ran.at);
                let Some(answer) = ran.judge(may)? else {
                    return Ok(());
                };
                let id = answer.customer.ok_or("a named cart has no customer")?;
                let known = self.model.customers.entry(customer.name).or_insert(id);
                same("the customer", &id, known)?;
                self.model.carts.insert(cart, answer);
                Ok(())
            }
            _ => {
                let done = |cart: &willcall::domain::cart::Cart| match cart.state {
                    CartState::Done(receipt) => Some(receipt),
                    CartState::Active | CartState::Canceled | CartState::Expired => None,
                };
                let receipts: Vec<_> = self.model.carts.values().filter_map(done).collect();
                if receipts.is_empty() {
                    return Ok(());
                }
                let receipt = self.one_of(&receipts);
                self.run(PrintPapers { receipt, papers: Papers::Tickets, reason: "lost".into() })
                    .judge(true)
                    .map(|_| ())
            }
        }
    }

    fn change_settings(&mut self) -> Step {
        let hold = Span::minutes(i64::from(5 + self.dice.below(40)));
        let hold_cap = Span::minutes(i64::from(20 + self.dice.below(60)));
        let seats_max = 4 + self.dice.below(16);
        let ran = self.run(ChangeSettings::to("hold", &hold).and("hold-cap", &hold_cap).and("seats-max", &seats_max));
        if ran.judge(hold <= hold_cap)?.is_some() {
            (self.model.hold, self.model.hold_cap) = (hold, hold_cap);
            self.model.seats_max = usize::try_from(seats_max).unwrap();
        }
        Ok(())
    }

    fn resolve(&mut self) -> Step {
        let items: Vec<_> = self.model.work.keys().copied().collect();
        if items.is_empty() {
            return Ok(());
        }
        let item = self.one_of(&items);
        let act = match self.model.work.remove(&item) {
            Some(0) | None => ItemAct::Waive,
            Some(_) => ItemAct::Refund { back: Back::default(), share: Share::All },
        };
        let settle = SettleItem { item, act, reason: "settled".into() };
        let ran = self.run(settle.clone());
        let station = ran.actor.station.clone();
        let settled = ran.judge(true)?.ok_or("nothing settled")?;
        for receipt in settled.receipts {
            same("what was paid less what was given back", &receipt.total, &0)?;
            let till = self.model.tills.entry(station.clone()).or_default();
            till.receipts += 1;
            till.numbers.push(receipt.number);
            self.model.corrections += 1;
        }
        if let Some((line, seats)) = self.model.waits.remove(&item) {
            self.model.returned.extend(seats.into_iter().map(|seat| (line, seat)));
        }
        let again = self.run(settle);
        ensure(again.judge(false)?.is_none(), || "settled twice".into())
    }

    /// What came due is ended; nothing else is.
    pub(crate) fn sweep(&mut self) -> Step {
        let desk = self.some_desk();
        let now = desk.now();
        desk.sweep().map_err(|failure| format!("{failure:?}"))?;
        self.note(&format!("{now:?} sweep"));
        let due = |kind: JobKind, at: Instant| at.round_up(kind.policy().slot) <= now;
        self.model.keeps.retain(|_, keep| !due(JobKind::KeepRelease, keep.until));
        let over = |cart: &&mut Cart| cart.state == CartState::Active && cart.expires_at <= now;
        for cart in self.model.carts.values_mut().filter(over) {
            // an earlier check of a cart whose deadline has moved may end it before its own is due
            let ended = || desk.read(ReadCart(cart.id)).map(|view| view.cart.state);
            if due(JobKind::CartExpiry, cart.expires_at) || ended() == Ok(CartState::Expired) {
                cart.state = CartState::Expired;
            }
        }
        Ok(())
    }
}
