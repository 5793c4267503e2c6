//! Prompts after `b` and `g` on the map.

use std::sync::Arc;

use crate::domain::plan::SeatRef;
use crate::domain::text::clean;
use crate::domain::time::Local;
use crate::engine::ops::{BestSeats, HoldSeats, SeatChoice};
use crate::tui::data::own_cart::CartWish;
use crate::tui::dialogs::picker::SaleLine;
use crate::tui::kit::context::{Context, Go};
use crate::tui::kit::shared::Shared;
use crate::tui::screens::seats::best_seats::{SuggestedSeats, read_wish};
use crate::tui::screens::seats::{Seats, SeatsFocus, named_seats, programme};
use crate::words;

/// Tells whether the suggested seats were drawn before Enter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Seen {
    /// Drawn at least once.
    Yes,
    /// Typed ahead, not drawn yet.
    No,
}

impl Seats {
    /// Handles a change of the text after `b`: suggests the best seats, and returns the error of a wish that has none.
    pub(crate) fn light(&mut self, text: &str) -> Option<String> {
        self.lit = None;
        if text.trim().is_empty() {
            return None;
        }
        let (Some(map), Some((_, chart))) = (self.map.as_ref(), &self.chart) else {
            return read_wish(text, None).err().map(|_| "the map is on its way".to_owned());
        };
        match self.wish(text) {
            Ok(wish) => {
                if let Some(area) = self.area_wanted(&wish) {
                    return Self::too_many(map, &area, &wish);
                }
                let lit = SuggestedSeats::of(map, chart.layout(), &wish);
                let none = lit.seats().is_empty();
                self.lit = Some(lit);
                none.then(|| {
                    let count = wish.count;
                    let within = wish.category.map(|name| format!(" in {name}"));
                    let within = within.unwrap_or_default();
                    format!("no {count} free seats together{within}; fewer, or pick them one by one")
                })
            }
            Err(problem) => Some(problem),
        }
    }

    /// Words about the suggested seats: names, price, choice, and a single seat left over.
    pub(crate) fn lit_words(&self) -> String {
        let Some(lit) = &self.lit else {
            return String::new();
        };
        let (at, of) = lit.place();
        let lone = if lit.leaves_single() { "  leaves a single seat" } else { "" };
        format!("{}  choice {at} of {of}{lone}", self.offer(lit.seats()))
    }

    /// Words of the sale that a line typed on any screen makes.
    pub(crate) fn sale_line(&self, shared: &Shared) -> SaleLine {
        let house = self.map().map(|map| (Arc::clone(&map.plan), map.performance.clone()));
        let here = self.map().map_or_else(String::new, |map| {
            let here = Local { now: shared.now, zone: map.zone };
            format!(": {} {}", clean(&map.performance.title), words::day_time(map.performance.start, here))
        });
        SaleLine::new(move |text| {
            let wish = read_wish(text, house.as_ref().map(|(plan, performance)| (plan.as_ref(), performance)))?;
            let within: Vec<&str> = [&wish.zone, &wish.category].into_iter().flatten().map(String::as_str).collect();
            let within = if within.is_empty() { String::new() } else { format!(" in {}", within.join(", ")) };
            Ok(format!(
                "Takes the best {}{within}{here}",
                words::count(usize::try_from(wish.count).unwrap_or(usize::MAX), "seat")
            ))
        })
    }

    fn wish(&self, text: &str) -> Result<BestSeats, String> {
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

    /// Suggested seats, to cycle through.
    pub(crate) const fn lit_mut(&mut self) -> Option<&mut SuggestedSeats> {
        self.lit.as_mut()
    }

    /// True if seats are suggested and all of them are still free.
    pub(crate) fn lit_stands(&self) -> bool {
        let (Some(lit), Some(map)) = (&self.lit, self.map()) else {
            return false;
        };
        !lit.seats().is_empty() && lit.seats().iter().all(|seat| map.is_free(*seat))
    }

    /// Scrolls to the suggested seats, because typing rests; false if the viewport follows them already.
    pub(crate) fn follow_lit(&mut self) -> bool {
        let first = self.lit.as_ref().and_then(|lit| lit.seats().first().copied());
        first.is_some() && std::mem::replace(&mut self.followed, first) != first
    }

    /// Drops the suggestion when the prompt closes.
    pub(crate) fn unlight(&mut self) {
        (self.lit, self.followed) = (None, None);
    }

    /// Handles Enter after `b`: takes the suggested seats; if they were never drawn, the engine chooses.
    pub(crate) fn take_best(&mut self, text: &str, seen: Seen, context: &mut Context<'_>) -> Result<(), String> {
        let performance = self.performance.ok_or("no performance is chosen")?;
        let wish = self.wish(text)?;
        let lit: Vec<SeatRef> = self.lit.as_ref().map_or_else(Vec::new, |lit| lit.seats().to_vec());
        let seats = match seen {
            Seen::Yes if !lit.is_empty() => {
                self.cursor = lit.first().copied();
                SeatChoice::Seats(lit)
            }
            Seen::Yes | Seen::No => match self.area_wanted(&wish) {
                Some(area) => SeatChoice::Named(vec![format!("{area}={}", wish.count)]),
                None => SeatChoice::Best(wish),
            },
        };
        self.unlight();
        self.drop_marks();
        context.want(CartWish::Hold(HoldSeats::new(performance, seats)));
        Ok(())
    }

    /// True for a text after `g` that names seats.
    pub(crate) fn names_seats(&self, text: &str) -> bool {
        self.map().is_some_and(|map| named_seats::seats(text, &map.plan).is_some())
    }

    /// Handles Enter after `g`.
    pub(crate) fn go_to(&mut self, text: &str, context: &mut Context<'_>) -> Result<(), String> {
        context.shared.cart.close_refusal();
        let seats = self.map().and_then(|map| named_seats::seats(text, &map.plan));
        if let Some(seats) = seats {
            self.stop = SeatsFocus::Map;
            self.mark_all(seats);
            return Ok(());
        }
        let today = context.shared.here().today();
        let rows = context.shared.reads.rows(&programme(context.shared));
        let here = rows.iter().find(|row| Some(row.id) == self.performance).map(|row| row.theater.clone());
        let (same, others): (Vec<_>, Vec<_>) =
            rows.iter().cloned().partition(|row| here.as_ref().is_none_or(|here| row.theater == *here));
        let found =
            named_seats::performance(text, &same, today).or_else(|| named_seats::performance(text, &others, today));
        match found {
            Some(performance) => {
                context.go(Go::sell(performance));
                Ok(())
            }
            None => Err(format!("there is no seat and no performance {text:?} here")),
        }
    }
}
