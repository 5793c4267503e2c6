//! Picking and giving back, ticket types, and what a refusal offers.

use crate::domain::cart::CartState;
use crate::domain::ids::{LineId, PerformanceId};
use crate::domain::plan::SeatRef;
use crate::domain::refusal::Refusal;
use crate::domain::time::Instant;
use crate::engine::reads::seat_map::{Holder, SeatMap, SeatState};
use crate::tui::msg::{BestWish, WantedSeats};
use crate::tui::own_cart::{OwnCart, Wish};
use crate::tui::screens::seats::best::{Lit, read_wish};
use crate::tui::screens::seats::{Seats, Stop, goto};
use crate::tui::shared::{Context, Go, Shared, Tone};
use crate::tui::wording;

/// A seat of the cart, as the panel lists them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct CartPlace {
    pub(super) performance: PerformanceId,
    pub(super) line: LineId,
    pub(super) seat: SeatRef,
}

impl Seats {
    /// The seats that a command is about: the marked ones, else the one under the cursor.
    fn chosen(&self) -> Vec<SeatRef> {
        if self.marked.is_empty() {
            self.cursor.into_iter().collect()
        } else {
            self.marked.clone()
        }
    }

    /// Space: gives back what is all this desk's, else takes what is not.
    pub(super) fn pick(&mut self, context: &mut Context<'_>) {
        let Some(performance) = self.performance else {
            return;
        };
        let chosen = self.chosen();
        let cart = &context.shared.cart;
        let (mine, others): (Vec<SeatRef>, Vec<SeatRef>) = chosen
            .into_iter()
            .partition(|seat| cart.will_have(performance, *seat));
        if others.is_empty() {
            if !mine.is_empty() {
                context.want(Wish::GiveBack {
                    performance,
                    seats: mine,
                });
            }
        } else {
            self.hold(others, context);
        }
        self.drop_marks();
    }

    fn hold(&self, seats: Vec<SeatRef>, context: &mut Context<'_>) {
        if let Some(performance) = self.performance {
            context.want(Wish::Hold {
                performance,
                seats: WantedSeats::Seats(seats),
                ticket_type: None,
            });
        }
    }

    /// Enter: takes what is free; never gives back.
    pub(super) fn main(&mut self, context: &mut Context<'_>) {
        let (Some(performance), Some(seat)) = (self.performance, self.cursor) else {
            return;
        };
        let chosen = self.chosen();
        let cart = &context.shared.cart;
        let wanted: Vec<SeatRef> = chosen
            .iter()
            .filter(|seat| !cart.will_have(performance, **seat))
            .copied()
            .collect();
        if chosen.len() > 1 {
            if !wanted.is_empty() {
                self.hold(wanted, context);
            }
            self.drop_marks();
            return;
        }
        if wanted.is_empty() {
            let at = self
                .cart_seats(context.shared)
                .iter()
                .position(|place| place.seat == seat);
            self.stop = at.map_or(Stop::Map, Stop::Cart);
            return;
        }
        match self.whose(seat, context.shared) {
            Some(sentence) => context.say(Tone::Note, sentence),
            None => self.hold(wanted, context),
        }
        self.drop_marks();
    }

    /// Who has a seat that is not free, in a sentence; none when it is free.
    pub(super) fn whose(&self, seat: SeatRef, shared: &Shared) -> Option<String> {
        let map = self.map()?;
        let name = map.plan.seat_name(seat);
        match map.state(seat)? {
            SeatState::Free => None,
            SeatState::Held(holder) => {
                let aside = if holder.set_aside { ", set aside" } else { "" };
                let left = holder.until.since(shared.now).clock();
                Some(format!(
                    "{name} is held by {} at {}{aside}, {left} left",
                    holder.operator, holder.station
                ))
            }
            SeatState::Kept { reason, until } => Some(format!(
                "{name} is kept by the house ({reason}) until {}",
                wording::day_time(*until, map.zone)
            )),
            SeatState::Booked { .. } => Some(format!("{name} is sold; i shows its story")),
            SeatState::Disabled {
                operator, reason, ..
            } => Some(format!("{name} is out of use ({reason}), by {operator}")),
        }
    }

    /// The seats of the cart in the order of its panel.
    pub(super) fn cart_seats(&self, shared: &Shared) -> Vec<CartPlace> {
        shared.cart.view().map_or_else(Vec::new, |view| {
            view.lines
                .iter()
                .flat_map(|line| {
                    line.seats.iter().map(|(seat, _)| CartPlace {
                        performance: line.performance.id,
                        line: line.id,
                        seat: *seat,
                    })
                })
                .collect()
        })
    }

    pub(super) fn cart_seat(&self, at: usize, shared: &Shared) -> Option<(PerformanceId, SeatRef)> {
        self.cart_seats(shared)
            .get(at)
            .map(|place| (place.performance, place.seat))
    }

    /// The seats of the cart that `t` and `x` are about.
    fn meant(&self, shared: &Shared) -> Option<(PerformanceId, Vec<SeatRef>)> {
        if let Stop::Cart(at) = self.stop {
            return self
                .cart_seat(at, shared)
                .map(|(performance, seat)| (performance, vec![seat]));
        }
        let performance = self.performance?;
        let mine = |seat: &SeatRef| shared.cart.line_of(performance, *seat).is_some();
        let seats: Vec<SeatRef> = self.chosen().into_iter().filter(mine).collect();
        (!seats.is_empty()).then_some((performance, seats))
    }

    pub(super) fn give_back(&mut self, context: &mut Context<'_>) {
        match self.meant(context.shared) {
            Some((performance, seats)) => {
                context.want(Wish::GiveBack { performance, seats });
                self.drop_marks();
            }
            None => context.say(Tone::Note, "This seat is not in your cart"),
        }
    }

    pub(super) fn next_ticket_type(&mut self, context: &mut Context<'_>) {
        let Some((performance, seats)) = self.meant(context.shared) else {
            if context.shared.cart.sold().is_some() {
                self.print_again(context);
            } else {
                context.say(
                    Tone::Note,
                    "The ticket type is changed on seats of your cart",
                );
            }
            return;
        };
        let next = self.type_after(performance, &seats, context.shared);
        match next {
            Some(ticket_type) => context.want(Wish::Retype {
                performance,
                seats,
                ticket_type,
            }),
            None => context.say(Tone::Note, "This seat is sold as one ticket type only"),
        }
    }

    fn type_after(
        &self,
        performance: PerformanceId,
        seats: &[SeatRef],
        shared: &Shared,
    ) -> Option<String> {
        let first = *seats.first()?;
        let map = self.map().filter(|map| map.performance.id == performance)?;
        let types = map.performance.ticket_types(map.plan.seat(first)?.category);
        let now = &shared.cart.line_of(performance, first)?.ticket_type;
        let at = types.iter().position(|one| one == now).unwrap_or(0);
        let next = types.get((at + 1) % types.len().max(1))?;
        (next != now).then(|| (*next).to_owned())
    }

    /// `a`: takes the first alternative that the refusal offers.
    pub(super) fn accept(&mut self, context: &mut Context<'_>) {
        let offer = context.shared.cart.refused().and_then(|refused| {
            let Refusal::SeatsTaken { alternatives, .. } = &refused.refusal else {
                return None;
            };
            Some((
                refused.performance?,
                alternatives.first()?.clone(),
                refused.ticket_type.clone(),
            ))
        });
        match offer {
            Some((performance, names, ticket_type)) => context.want(Wish::Hold {
                performance,
                seats: WantedSeats::Named(names),
                ticket_type,
            }),
            None => context.say(Tone::Note, "Nothing is offered here"),
        }
    }

    /// What is typed after `b` changed: lights up the best seats. Says what is wrong with it.
    pub fn light(&mut self, text: &str) -> Option<String> {
        self.lit = None;
        if text.trim().is_empty() {
            return None;
        }
        let (Some(map), Some((_, chart))) = (self.map.value(), &self.chart) else {
            return read_wish(text, None)
                .err()
                .map(|_| "the map is on its way".to_owned());
        };
        match self.wish(text) {
            Ok(wish) => {
                let lit = Lit::of(map, chart.layout(), &wish);
                let none = lit.seats().is_empty();
                self.lit = Some(lit);
                none.then(|| {
                    format!(
                        "no {} free seats together; fewer, or pick them one by one",
                        wish.count
                    )
                })
            }
            Err(problem) => Some(problem),
        }
    }

    fn wish(&self, text: &str) -> Result<BestWish, String> {
        let house = self.map().map(|map| (map.plan.as_ref(), &map.performance));
        let mut wish = read_wish(text, house)?;
        if wish.category.is_none() {
            wish.category = self.category.and_then(|shown| {
                let map = self.map()?;
                Some(map.plan.categories.get(usize::from(shown))?.name.clone())
            });
        }
        Ok(wish)
    }

    /// The seats that are lit, the next choice, the one before.
    pub const fn lit_mut(&mut self) -> Option<&mut Lit> {
        self.lit.as_mut()
    }

    /// The seats that are lit.
    #[must_use]
    pub const fn lit(&self) -> Option<&Lit> {
        self.lit.as_ref()
    }

    /// The prompt is closed: nothing is lit.
    pub fn unlight(&mut self) {
        self.lit = None;
    }

    /// Enter after `b`: takes the seats that are lit; what nobody can have seen lit yet, the house chooses.
    ///
    /// # Errors
    /// What is wrong with the text, in a sentence.
    pub fn take_best(
        &mut self,
        text: &str,
        seen: Seen,
        context: &mut Context<'_>,
    ) -> Result<(), String> {
        let performance = self.performance.ok_or("no performance is chosen")?;
        let wish = self.wish(text)?;
        let lit: Vec<SeatRef> = self
            .lit
            .as_ref()
            .map_or_else(Vec::new, |lit| lit.seats().to_vec());
        let seats = match seen {
            Seen::Yes if !lit.is_empty() => {
                self.cursor = lit.first().copied();
                WantedSeats::Seats(lit)
            }
            Seen::Yes | Seen::No => WantedSeats::Best(wish),
        };
        self.lit = None;
        self.drop_marks();
        context.want(Wish::Hold {
            performance,
            seats,
            ticket_type: None,
        });
        Ok(())
    }

    /// Enter after `g`.
    ///
    /// # Errors
    /// What is wrong with the text, in a sentence.
    pub fn go_to(&mut self, text: &str, context: &mut Context<'_>) -> Result<(), String> {
        let seats = self.map().and_then(|map| goto::seats(text, &map.plan));
        if let Some(seats) = seats {
            self.stop = Stop::Map;
            self.mark_all(seats);
            return Ok(());
        }
        let when = (context.shared.now, context.shared.zone);
        let rows = self.programme.value().map_or(&[][..], Vec::as_slice);
        let here = rows
            .iter()
            .find(|row| Some(row.id) == self.performance)
            .map(|row| row.theater.clone());
        let (same, others): (Vec<_>, Vec<_>) = rows
            .iter()
            .cloned()
            .partition(|row| here.as_ref().is_none_or(|here| row.theater == *here));
        let found =
            goto::performance(text, &same, when).or_else(|| goto::performance(text, &others, when));
        match found {
            Some(performance) => {
                context.go(Go::Sell(performance));
                Ok(())
            }
            None => Err(format!("there is no seat and no performance {text:?} here")),
        }
    }

    /// The seats that `D` is about, and whether all of them are out of use already.
    #[must_use]
    pub fn out_of_use_choice(&self) -> Option<OutOfUse> {
        let (performance, map) = (self.performance?, self.map()?);
        let seats = self.chosen();
        let out = |seat: &SeatRef| matches!(map.state(*seat), Some(SeatState::Disabled { .. }));
        if seats.is_empty() {
            return None;
        }
        Some(OutOfUse {
            performance,
            all_out: seats.iter().all(out),
            operators: seats
                .iter()
                .filter_map(|seat| match map.state(*seat) {
                    Some(SeatState::Disabled { operator, .. }) => Some(operator.clone()),
                    _ => None,
                })
                .collect(),
            displaced: seats
                .iter()
                .filter_map(|seat| displaced(map, *seat))
                .collect(),
            words: self.theater_seats(&seats),
            names: seats
                .iter()
                .map(|seat| map.plan.seat_name(*seat).to_owned())
                .collect(),
        })
    }
}

/// What `D` would do to the chosen seats.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutOfUse {
    /// The performance.
    pub performance: PerformanceId,
    /// The seats' names.
    pub names: Vec<String>,
    /// The same as people say them.
    pub words: String,
    /// Whether they are out of use already: then they are put back.
    pub all_out: bool,
    /// Who took them out of use.
    pub operators: Vec<String>,
    /// Whom it would displace, a sentence each.
    pub displaced: Vec<String>,
}

/// Whether somebody can have seen what is lit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seen {
    /// It has been on the screen.
    Yes,
    /// It was typed ahead.
    No,
}

fn displaced(map: &SeatMap, seat: SeatRef) -> Option<String> {
    let name = map.plan.seat_name(seat);
    match map.state(seat)? {
        SeatState::Booked { .. } => Some(format!("{name} is sold: its buyer goes on the worklist")),
        SeatState::Held(holder) => Some(format!(
            "{name} is held by {} at {}: it leaves that cart",
            holder.operator, holder.station
        )),
        SeatState::Kept { reason, .. } => Some(format!("{name} is kept by the house ({reason})")),
        SeatState::Free | SeatState::Disabled { .. } => None,
    }
}

/// Whether a hold on the map has reached its end.
pub(super) fn a_hold_ended(map: &SeatMap, now: Instant) -> bool {
    map.rows.iter().flatten().any(|state| match state {
        SeatState::Held(Holder { until, .. }) | SeatState::Kept { until, .. } => {
            *until > map.at && *until <= now
        }
        SeatState::Free | SeatState::Booked { .. } | SeatState::Disabled { .. } => false,
    })
}

/// Puts the cart as the house last answered it onto a map that was read before.
pub(super) fn overlay(map: &mut SeatMap, performance: PerformanceId, cart: &OwnCart) {
    let Some(view) = cart.view() else {
        return;
    };
    let live = view.state == CartState::Active;
    for row in &mut map.rows {
        for state in row {
            if matches!(state, SeatState::Held(holder) if holder.cart == view.cart.id) {
                *state = SeatState::Free;
            }
        }
    }
    let lines = view
        .lines
        .iter()
        .filter(|line| live && line.performance.id == performance);
    for (line, seat) in lines.flat_map(|line| line.seats.iter().map(move |(seat, _)| (line, *seat)))
    {
        let (Ok(row), Ok(at)) = (usize::try_from(seat.row), usize::try_from(seat.seat)) else {
            continue;
        };
        if let Some(state) = map.rows.get_mut(row).and_then(|row| row.get_mut(at)) {
            *state = SeatState::Held(Holder {
                cart: view.cart.id,
                line: line.id.number,
                operator: view.cart.operator.clone(),
                station: view.cart.station.clone(),
                set_aside: false,
                until: view.cart.expires_at,
            });
        }
    }
}
