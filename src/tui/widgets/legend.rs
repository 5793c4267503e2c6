//! Legend of the map's signs, and price list with free seats by category.

use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use crate::domain::money::{Currency, grouped};
use crate::domain::performance::ADULT;
use crate::domain::text;
use crate::engine::reads::seat_map::SeatMap;
use crate::tui::action::Action;
use crate::tui::canvas::{Canvas, after, cells, first_columns, row};
use crate::tui::targets::Target;
use crate::tui::widgets::Look;
use crate::tui::widgets::seat_map::{FreeSigns, MapZoom, claims, number};

/// Maximum number of lines of the price list.
const LEFT_LINES_MAX: usize = 2;
/// Words of the sign that is in the legend whether it is on the map or not: dots stand for free seats in many ways.
const FREE: &str = "free";
/// Gap between two categories.
const ENTRY_GAP: &str = "   ";

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

/// Free seats by category, in the order of the plan.
#[must_use]
pub fn left(map: &SeatMap) -> Vec<CategoryLeft> {
    (0u16..)
        .zip(map.plan.categories.iter().zip(&map.free_of))
        .map(|(category, (of, free))| CategoryLeft {
            category,
            name: of.name.clone(),
            price: map.performance.price(category, ADULT),
            free: *free,
        })
        .collect()
}

/// The price list: `■ Premium 68.00  14 left   ■ Stalls 54.00  43`.
#[derive(Debug)]
pub struct LeftLines<'a> {
    lines: Vec<Line<'a>>,
}

/// Level of detail of a category, most first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Detail {
    NamePriceFree,
    PriceFree,
}

impl<'a> LeftLines<'a> {
    /// One line with names where all fits, else one line without names, else two lines; categories that do not fit
    /// are
    /// counted as `+2`. Sold out categories are left out; the chosen category stands out.
    #[must_use]
    pub fn new(
        columns: u16,
        (left, currency): (&[CategoryLeft], Currency),
        (chosen, free): (Option<u16>, FreeSigns),
        look: Look<'a>,
    ) -> Self {
        let columns = usize::from(columns);
        let shown: Vec<&CategoryLeft> =
            left.iter().filter(|category| category.free > 0 || chosen == Some(category.category)).collect();
        let by_colour = free == FreeSigns::Shapes && look.theme.tells_apart(left.len());
        let sign = |category| match number(category) {
            Some(digit) if !by_colour => digit.to_string(),
            Some(_) | None => look.glyphs.free.to_string(),
        };
        let details = [(Detail::NamePriceFree, 1), (Detail::PriceFree, 1), (Detail::NamePriceFree, LEFT_LINES_MAX)];
        let ways = details.map(|(detail, lines)| {
            let entries: Vec<Line<'a>> = (0..)
                .zip(&shown)
                .map(|(at, left)| {
                    let unit = if at == 0 { " left" } else { "" };
                    let sign = sign(left.category);
                    entry(left, (sign, unit), (currency, detail), (chosen, look))
                })
                .collect();
            (lines, entries)
        });
        let fits = |(lines, entries): &&(usize, Vec<Line<'_>>)| wrapped(entries, columns) <= *lines;
        if let Some((_, entries)) = ways.iter().find(fits) {
            return Self { lines: in_lines(entries, columns) };
        }
        let [_, (_, entries), _] = ways;
        let mut count = entries.len();
        loop {
            let rest = Line::styled(format!("+{}", entries.len() - count), look.theme.quiet);
            let kept = entries.iter().take(count).cloned();
            let kept: Vec<Line<'a>> = kept.chain((count < entries.len()).then_some(rest)).collect();
            if count == 0 || wrapped(&kept, columns) <= LEFT_LINES_MAX {
                return Self { lines: in_lines(&kept, columns) };
            }
            count -= 1;
        }
    }

    /// Number of lines.
    #[must_use]
    pub fn count(&self) -> u16 {
        cells(self.lines.len())
    }

    /// Draws as many lines as fit.
    pub fn draw(&self, area: Rect, canvas: &mut Canvas<'_>) {
        canvas.lines(area, self.lines.iter().cloned());
    }
}

/// Wraps entries into as many lines as they need.
fn in_lines<'a>(entries: &[Line<'a>], columns: usize) -> Vec<Line<'a>> {
    let mut lines = vec![Line::default()];
    for entry in entries {
        let used = lines.last().map_or(0, Line::width);
        if used > 0 && used + ENTRY_GAP.len() + entry.width() > columns {
            lines.push(Line::default());
        } else if used > 0
            && let Some(line) = lines.last_mut()
        {
            line.push_span(ENTRY_GAP);
        }
        if let Some(line) = lines.last_mut() {
            line.spans.extend(entry.spans.iter().cloned());
        }
    }
    lines
}

/// Number of lines that entries need; above the maximum where one entry is wider than a line.
fn wrapped(entries: &[Line<'_>], columns: usize) -> usize {
    if entries.iter().any(|entry| entry.width() > columns) {
        return usize::MAX;
    }
    in_lines(entries, columns).len()
}

/// Sign of a category, name, price and free seats with their unit.
fn entry<'a>(
    category: &CategoryLeft,
    (sign, unit): (String, &str),
    (currency, detail): (Currency, Detail),
    (chosen, look): (Option<u16>, Look<'a>),
) -> Line<'a> {
    let style = look.theme.category(category.category);
    let price = category.price.map_or("not sold".to_owned(), |minor| grouped(minor, currency));
    let chosen = chosen == Some(category.category);
    let mark = |style: Style| {
        if chosen { style.patch(look.theme.selection) } else { style }
    };
    let words = match detail {
        Detail::NamePriceFree => format!(" {} {price}", text::clean(&category.name)),
        Detail::PriceFree => format!(" {price}"),
    };
    Line::from(vec![
        Span::styled(sign, style),
        Span::styled(words, mark(look.theme.text)),
        Span::styled(format!("  {}{unit}", category.free), mark(look.theme.strong)),
    ])
}

/// Key of the legend, with its words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LegendKey {
    /// Its name; empty where it is unbound.
    pub key: String,
    /// Its effect.
    pub words: &'static str,
    /// Action that a click on it runs.
    pub action: Option<Action>,
}

/// Draws the meaning of the signs in the map's cells, then some keys, as many as fit; returns the number of lines. The
/// help of the keys has the rest.
pub fn legend(area: Rect, (zoom, map): (MapZoom, Rect), keys: &[LegendKey], canvas: &mut Canvas<'_>) -> u16 {
    let look = canvas.look;
    let is_half = zoom.is_coloured(look);
    let on_map = |sign: &str, style: Style| {
        let lines = map.intersection(canvas.buffer.area).rows();
        let mut cells = lines.filter(|line| !line.is_empty()).flat_map(|line| {
            let from = canvas.buffer.index_of(line.x, line.y);
            let line = from..from + usize::from(line.width);
            canvas.buffer.content.get(line).unwrap_or_default()
        });
        cells.any(|cell| {
            let symbol = cell.symbol();
            if is_half {
                let is_worn = [cell.fg, cell.bg].map(Some).contains(&style.fg);
                is_worn
                    && match style.bg {
                        Some(_) => symbol == sign,
                        None => symbol.contains(look.glyphs.halves),
                    }
            } else {
                // the letters of zones' names are no signs
                let is_name = zoom == MapZoom::Half && cell.modifier != style.add_modifier;
                let is_sign = symbol != " " && sign.contains(symbol) && !is_name;
                is_sign || style.bg.is_some() && style.bg == Some(cell.bg)
            }
        })
    };
    let mut signs = signs(zoom, look);
    signs.retain(|(sign, style, words)| *words == FREE || on_map(sign, *style));
    signs.dedup_by_key(|(sign, style, _)| (sign.clone(), *style));
    let signs = signs.into_iter().map(|(sign, style, words)| (sign, style, words, None));
    let keys = keys.iter().filter(|of| !of.key.is_empty());
    let keys = keys.map(|of| (of.key.clone(), look.theme.key, of.words, of.action));
    let (mut at, mut line) = (0, 0);
    for (sign, style, words, action) in signs.chain(keys) {
        let words = Span::styled(format!(" {words}"), look.theme.quiet);
        let entry = Line::from(vec![Span::styled(sign, style), words]);
        let columns = cells(entry.width());
        if at > 0 && at + columns > area.width {
            (at, line) = (0, line + 1);
        }
        if line == area.height {
            return line;
        }
        let place = first_columns(after(row(area, line), at), columns);
        canvas.line(place, &entry);
        if let Some(action) = action {
            canvas.hit(place, Target::Act(action));
        }
        at += columns + 2;
    }
    line + u16::from(at > 0)
}

/// Signs of a zoom with their words, on the map or not.
fn signs(zoom: MapZoom, look: Look<'_>) -> Vec<(String, Style, &'static str)> {
    let (glyphs, theme) = (look.glyphs, look.theme);
    let mut signs = match zoom {
        MapZoom::Large | MapZoom::Wide | MapZoom::Narrow => return claims(zoom, look),
        MapZoom::Half => {
            let cursor = theme.half_cursor.bg.map(|ground| Style::new().fg(ground));
            let cursor = cursor.map(|style| (glyphs.free.to_string(), style, "cursor"));
            cursor.into_iter().collect()
        }
        MapZoom::Dots => {
            let free_sign = glyphs.dots.map_or("⣿".to_owned(), |signs| signs.iter().rev().collect());
            vec![(free_sign, theme.text, FREE), (".".to_owned(), theme.sold, "taken")]
        }
        MapZoom::Blocks => vec![
            (glyphs.fill.to_string(), theme.bar, "taken"),
            (glyphs.fill_rest.to_string(), theme.bar_rest, FREE),
            (glyphs.yours.to_string(), theme.text, "yours"),
        ],
    };
    if zoom != MapZoom::Blocks {
        signs.extend(claims(zoom, look));
    }
    signs
}

#[cfg(test)]
mod tests {
    use super::{LeftLines, LegendKey, left, legend};
    use crate::tui::canvas::row;
    use crate::tui::theme::GlyphSet;
    use crate::tui::widgets::seat_map::{FreeSigns, MapZoom};
    use crate::tui::widgets::testing::{House, drawn};

    #[test]
    fn the_price_list_names_categories_where_they_fit_and_cuts_no_number() {
        let house = House::new(&["A oo..o", "B 22~2", "C 333333333333"]);
        let left = left(&house.map);
        let currency = house.map.performance.currency;
        let lines = |width| {
            let left = (left.as_slice(), currency);
            let (shown, _) = drawn((width, 2), GlyphSet::Unicode, |look, area, canvas| {
                LeftLines::new(width, left, (None, FreeSigns::Shapes), look).draw(area, canvas);
            });
            shown
        };
        let names = house.map.plan.categories.iter().map(|one| &one.name);
        let [one, two, three] = names.collect::<Vec<_>>()[..] else { panic!("three categories") };
        assert_eq!(lines(90)[0], format!("■ {one} 68.00  3 left   ■ {two} 54.00  3   ■ {three} 38.00  12"));
        assert_eq!(lines(44)[0], "■ 68.00  3 left   ■ 54.00  3   ■ 38.00  12");
        assert_eq!(lines(18), ["■ 68.00  3 left", "■ 54.00  3   +1"], "a number is whole or absent");
    }

    /// Legend below a map of these signs.
    fn below(signs: &str, (zoom, set): (MapZoom, GlyphSet)) -> String {
        let (shown, _) = drawn((70, 2), set, |look, area, canvas| {
            let [map, words] = [0, 1].map(|at| row(area, at));
            canvas.text(map, signs, look.theme.text);
            let zooms = LegendKey { key: "Z".to_owned(), words: "zooms in", action: None };
            legend(words, (zoom, map), &[zooms], canvas);
        });
        shown[1].clone()
    }

    #[test]
    fn the_legend_lists_exactly_the_signs_on_the_map_and_then_its_keys() {
        let wide = |signs| below(signs, (MapZoom::Wide, GlyphSet::Unicode));
        assert_eq!(wide("■ · ✓"), "✓ yours  · sold  Z zooms in");
        assert_eq!(wide("w r ✗"), "r reserved  ✗ out of use  w wheelchair  Z zooms in");
        assert_eq!(wide(""), "Z zooms in");
        let dots = below("8 . o", (MapZoom::Dots, GlyphSet::Ascii));
        assert_eq!(dots, "8o- free  . taken  Z zooms in");
    }
}
