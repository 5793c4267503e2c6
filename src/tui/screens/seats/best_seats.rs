//! Best seats after `b`: the typed wish `4`, `2 aisle`, `2 wheelchair`, `3 stalls 38`, and the suggested seats.

use crate::domain::best::{Access, Aisle, Choice, SeatSearch, SeatWish, choices};
use crate::domain::layout::Layout;
use crate::domain::money::parse_amount;
use crate::domain::performance::{ADULT, Performance};
use crate::domain::plan::{Plan, SeatRef};
use crate::engine::ops::BestSeats;
use crate::engine::reads::seat_map::SeatMap;

/// Number of suggestions that Tab cycles through.
const CHOICES_MAX: usize = 5;

/// Suggested seats for the typed wish.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct SuggestedSeats {
    choices: Vec<Choice>,
    at: usize,
}

impl SuggestedSeats {
    /// Seats of the current suggestion.
    pub(crate) fn seats(&self) -> &[SeatRef] {
        self.choices.get(self.at).map_or(&[], |choice| choice.seats.as_slice())
    }

    /// Number of the current suggestion, and of all.
    pub(crate) const fn place(&self) -> (usize, usize) {
        (self.at + 1, self.choices.len())
    }

    /// True if the suggested seats leave a single seat alone.
    pub(crate) fn leaves_single(&self) -> bool {
        self.choices.get(self.at).is_some_and(|choice| choice.leaves_single)
    }

    /// Goes to the next or previous suggestion.
    pub(crate) fn step(&mut self, back: bool) {
        let count = self.choices.len().max(1);
        self.at = (self.at + if back { count - 1 } else { 1 }) % count;
    }

    /// Best choices for a wish, computed from the map on the screen.
    pub(crate) fn of(map: &SeatMap, layout: &Layout, wish: &BestSeats) -> Self {
        let house = SeatSearch { plan: &map.plan, layout, free: &map.on_sale(ADULT) };
        let category = wish.category.as_ref().and_then(|name| {
            let index = map.plan.categories.iter().position(|category| category.name == *name)?;
            u16::try_from(index).ok()
        });
        let wish =
            SeatWish { count: wish.count, category, zone: wish.zone.clone(), aisle: wish.aisle, access: wish.access };
        Self { choices: choices(&house, &wish, CHOICES_MAX), at: 0 }
    }
}

/// Parses a wish for the house on the screen; without a house only the number and `aisle` are understood.
pub(crate) fn read_wish(text: &str, house: Option<(&Plan, &Performance)>) -> Result<BestSeats, String> {
    let mut wish = BestSeats::default();
    for word in text.split_whitespace() {
        let number = word.parse::<u32>().ok();
        if let Some(count) = number.filter(|_| wish.count == 0) {
            wish.count = count;
        } else if !word.is_empty() && "aisle".starts_with(&word.to_lowercase()) {
            wish.aisle = Aisle::Near;
        } else if word.len() > 1 && "wheelchair".starts_with(&word.to_lowercase()) {
            wish.access = Access::Wheelchair;
        } else if let Some(name) = house.and_then(|(plan, _)| zone_named(plan, word)) {
            wish.zone = Some(name);
        } else if let Some(name) = house.and_then(|house| category_named(house, word)) {
            wish.category = Some(name);
        } else {
            return Err(format!("{word:?} is no zone, category or price here"));
        }
    }
    if wish.count == 0 {
        return Err("how many? 4, 2 aisle, 3 stalls 38".to_owned());
    }
    Ok(wish)
}

fn zone_named(plan: &Plan, word: &str) -> Option<String> {
    let word = word.to_lowercase();
    let named = |name: &&crate::domain::plan::Zone| name.name.to_lowercase().starts_with(&word);
    plan.zones.iter().find(named).map(|zone| zone.name.clone())
}

/// Category by its number on the screen, its price, or the start of its name.
fn category_named((plan, performance): (&Plan, &Performance), word: &str) -> Option<String> {
    let by_price = parse_amount(word, performance.currency).ok().and_then(|minor| {
        (0u16..).zip(&plan.categories).find(|(index, _)| performance.price(*index, ADULT) == Some(minor))
    });
    let by_number = || {
        let number: usize = word.parse().ok()?;
        let index = number.checked_sub(1)?;
        Some((0, plan.categories.get(index)?))
    };
    let by_name = || {
        let word = word.to_lowercase();
        plan.categories
            .iter()
            .find(|category| category.name.to_lowercase().starts_with(&word))
            .map(|category| (0, category))
    };
    by_price.or_else(by_number).or_else(by_name).map(|(_, category)| category.name.clone())
}
