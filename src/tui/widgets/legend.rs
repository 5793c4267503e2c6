//! Price list with free seats by category, which is the legend of the map's colours, and its signs.

use ratatui::layout::Rect;

use crate::domain::money::{Currency, grouped};
use crate::domain::performance::{ADULT, PerformanceState};
use crate::domain::text::{clean, fit, width};
use crate::engine::reads::seat_map::SeatMap;
use crate::tui::kit::canvas::{Canvas, after, cells, first_columns, row};
use crate::tui::widgets::padded;
use crate::tui::widgets::seat_map::{FreeSigns, SignsSeen, number};

/// Maximum width of a category's name.
const NAME_MAX: usize = 20;
/// Columns of a sign with its words, where two stand side by side.
const SIGN_COLUMNS: u16 = 15;
/// Least width of a list with names.
const NAMES_FROM: u16 = 26;

/// A price category with its number of free seats.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CategoryLeft {
    /// Index in the plan.
    pub category: u16,
    /// Name in the plan.
    pub name: String,
    /// The price of an adult ticket, in minor units; none when it is not sold.
    pub price: Option<i64>,
    /// Number of free seats.
    pub free: u32,
}

/// Free seats by category, in the order of the plan; none of a performance that does not take place.
#[must_use]
pub fn left(map: &SeatMap) -> Vec<CategoryLeft> {
    let is_open = map.performance.state == PerformanceState::Open;
    (0u16..)
        .zip(map.plan.categories.iter().zip(&map.free_of))
        .map(|(category, (of, free))| CategoryLeft {
            category,
            name: of.name.clone(),
            price: map.performance.price(category, ADULT),
            free: if is_open { *free } else { 0 },
        })
        .collect()
}

/// Colour and sign of the seats of a price list.
#[derive(Clone, Copy, Debug, Default)]
pub struct PriceChoice {
    /// The category that the map keeps to.
    pub category: Option<u16>,
    /// Signs of free seats.
    pub free: FreeSigns,
}

/// Draws the price list, one category a line, as many as fit; returns the lines used. Sold out categories are left out,
/// unless one is chosen.
pub fn prices(
    area: Rect,
    (left, currency): (&[CategoryLeft], Currency),
    chosen: PriceChoice,
    canvas: &mut Canvas<'_>,
) -> u16 {
    let shown: Vec<&CategoryLeft> =
        left.iter().filter(|one| one.free > 0 || chosen.category == Some(one.category)).collect();
    let names = shown.iter().map(|one| width(&clean(&one.name))).max().unwrap_or(0).min(NAME_MAX);
    let has_names = area.width >= NAMES_FROM;
    let money = |minor| grouped(minor, currency);
    let is_round = shown.iter().filter_map(|one| one.price).all(|minor| money(minor).ends_with(".00"));
    let (look, theme) = (canvas.look, canvas.look.theme);
    let is_told = chosen.free == FreeSigns::Shapes && !look.is_plain() && theme.tells_apart(left.len());
    for (of, line) in shown.iter().zip(area.rows()) {
        let sign = match number(of.category).filter(|_| !is_told) {
            Some(digit) => [digit, ' '],
            None => look.glyphs.seat,
        };
        canvas.text(line, &String::from_iter(sign), theme.floor.patch(theme.category(of.category)));
        let unsold = if has_names { "not sold" } else { "–" };
        let price = of.price.map_or(unsold.to_owned(), money);
        let price = if has_names || !is_round { price } else { price.trim_end_matches(".00").to_owned() };
        let rest = after(first_columns(line, line.width - u16::from(has_names)), 3);
        let column = if has_names {
            canvas.text(rest, &padded(&fit(&of.name, names), names), theme.text);
            after(rest, cells(names) + 1)
        } else {
            rest
        };
        let style =
            if chosen.category == Some(of.category) { theme.strong.patch(theme.selection) } else { theme.strong };
        let price_columns = if has_names { 9 } else { 5 };
        canvas.text_right(first_columns(column, price_columns), &price, style);
        canvas.text_right(after(column, price_columns), &of.free.to_string(), theme.text);
    }
    cells(shown.len()).min(area.height)
}

/// Draws the meaning of the signs in view, two a line where they have room, as many as fit; returns the lines used.
pub fn signs(area: Rect, seen: SignsSeen, canvas: &mut Canvas<'_>) -> u16 {
    let theme = canvas.look.theme;
    let columns = if area.width >= 2 * SIGN_COLUMNS { 2 } else { 1 };
    let mut count = 0;
    for (sign, style, words) in seen.words(canvas.look) {
        let line = row(area, count / columns);
        if line.height == 0 {
            break;
        }
        let place = after(line, count % columns * SIGN_COLUMNS);
        canvas.text(place, &String::from_iter(sign), style);
        canvas.text(first_columns(after(place, 3), SIGN_COLUMNS - 4), words, theme.quiet);
        count += 1;
    }
    count.div_ceil(columns)
}

#[cfg(test)]
mod tests {
    use super::{PriceChoice, left, prices};
    use crate::tui::kit::theme::GlyphSet;
    use crate::tui::widgets::testing::{House, drawn};

    #[test]
    fn the_price_list_names_categories_where_they_fit_and_cuts_no_number() {
        let house = House::new(&["A oo..o", "B 22~2", "C 333333333333"]);
        let left = left(&house.map);
        let currency = house.map.performance.currency;
        let lines = |width, set| {
            let (shown, _) = drawn((width, 3), set, |_, area, canvas| {
                prices(area, (&left, currency), PriceChoice::default(), canvas);
            });
            shown
        };
        assert_eq!(
            lines(34, GlyphSet::Unicode),
            [
                "▗▖ Front      68.00             3",
                "▗▖ Middle     54.00             3",
                "▗▖ Back       38.00            12"
            ]
        );
        assert_eq!(lines(13, GlyphSet::Unicode), ["▗▖    68    3", "▗▖    54    3", "▗▖    38   12"]);
        assert_eq!(lines(13, GlyphSet::Ascii)[0], "1     68    3", "a digit where no colour tells");
    }
}
