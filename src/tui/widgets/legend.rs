//! What the signs of the map mean, and what is left of each price.

use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use crate::domain::money::{Currency, grouped};
use crate::domain::performance::ADULT;
use crate::domain::text;
use crate::engine::reads::seat_map::{SeatMap, SeatState};
use crate::tui::canvas::{Canvas, row};
use crate::tui::widgets::Look;
use crate::tui::widgets::seat_map::{MapZoom, number};

/// The most lines of the seats left by category.
const LEFT_LINES_MAX: usize = 2;

/// A price category with what is left of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CategoryLeft {
    /// Its index in the plan.
    pub category: u16,
    /// What an adult pays, in minor units; none when it is not sold.
    pub price: Option<i64>,
    /// How many seats can be taken.
    pub free: u32,
}

/// Seats left by category, in the order of the plan.
#[must_use]
pub fn left(map: &SeatMap) -> Vec<CategoryLeft> {
    let mut left: Vec<CategoryLeft> = (0u16..)
        .zip(&map.plan.categories)
        .map(|(category, _)| CategoryLeft {
            category,
            price: map.performance.price(category, ADULT),
            free: 0,
        })
        .collect();
    let states = map.rows.iter().flatten();
    for (state, (_, seat)) in states.zip(map.plan.seats()) {
        if *state == SeatState::Free
            && let Some(left) = left.get_mut(usize::from(seat.category))
        {
            left.free += 1;
        }
    }
    left
}

/// Seats left by category, as drawn: `left  1 68.00  14   2 54.00  43`.
#[derive(Debug)]
pub struct LeftLines<'a> {
    lines: Vec<Line<'a>>,
}

impl<'a> LeftLines<'a> {
    /// In one line where all fits, with less air where it has to, else in two; what has no room there is counted as
    /// `+2`. Sold out categories have none; the chosen category stands out.
    #[must_use]
    pub fn new(
        columns: u16,
        (left, currency, chosen): (&[CategoryLeft], Currency, Option<u16>),
        look: Look<'a>,
    ) -> Self {
        let columns = usize::from(columns);
        let entries: Vec<[Span<'a>; 3]> = left
            .iter()
            .filter(|category| category.free > 0 || chosen == Some(category.category))
            .map(|category| entry(category, currency, (chosen, look)))
            .collect();
        let title = Span::styled("left", look.theme.quiet);
        let mut airy = Line::from(title.clone());
        for [digit, price, free] in entries.clone() {
            let air = |before: &str, span: Span<'a>, columns: usize| {
                Span::styled(format!("{before}{:>columns$}", span.content), span.style)
            };
            airy.push_span(air("  ", digit, 0));
            airy.push_span(air(" ", price, 0));
            airy.push_span(air(" ", free, 3));
            airy.push_span(" ");
        }
        if airy.width() <= columns {
            return Self { lines: vec![airy] };
        }
        let mut lines = vec![Line::default()];
        let mut rest = entries.len();
        for entry in entries {
            // the last place in two lines is for what has no room
            let kept = if lines.len() == LEFT_LINES_MAX && rest > 1 {
                4
            } else {
                0
            };
            let width = entry.iter().map(|span| span.width() + 1).sum::<usize>();
            let used = lines.last().map_or(0, Line::width);
            if used + width + kept > columns + 1 {
                if lines.len() == LEFT_LINES_MAX {
                    break;
                }
                lines.push(Line::default());
            }
            if let Some(line) = lines.last_mut() {
                for span in entry {
                    line.push_span(span);
                    line.push_span(" ");
                }
            }
            rest -= 1;
        }
        if let Some(line) = lines.last_mut() {
            let more = if rest > 0 {
                format!("+{rest} ")
            } else {
                String::new()
            };
            line.push_span(Span::styled(more, look.theme.quiet));
            if line.width() + title.width() <= columns {
                line.push_span(title);
            }
        }
        Self { lines }
    }

    /// How many lines they are.
    #[must_use]
    pub fn count(&self) -> u16 {
        u16::try_from(self.lines.len()).unwrap_or(1)
    }

    /// Draws as many as there is room for.
    pub fn draw(&self, area: Rect, canvas: &mut Canvas<'_>) {
        for (line, at) in self.lines.iter().zip(0..area.height) {
            canvas.line(row(area, at), line);
        }
    }
}

/// A category's digit, price and free seats.
fn entry<'a>(
    category: &CategoryLeft,
    currency: Currency,
    (chosen, look): (Option<u16>, Look<'a>),
) -> [Span<'a>; 3] {
    let digit = number(category.category).map_or(String::new(), |digit| digit.to_string());
    let price = category
        .price
        .map_or("not sold".to_owned(), |minor| grouped(minor, currency));
    let chosen = chosen == Some(category.category);
    let mark = |style: Style| {
        if chosen {
            style.patch(look.theme.selection)
        } else {
            style
        }
    };
    [
        Span::styled(digit, look.theme.category(category.category)),
        Span::styled(price, mark(look.theme.text)),
        Span::styled(category.free.to_string(), mark(look.theme.strong)),
    ]
}

/// Draws what the signs at a zoom mean, the needed ones first, as many as fit; `? keys` has the rest.
pub fn legend(area: Rect, zoom: MapZoom, look: Look<'_>, canvas: &mut Canvas<'_>) {
    let entries = entries(zoom, look);
    let mut rest = entries.as_slice();
    for at in 0..area.height {
        let (line, taken) = packed(rest, area.width, look);
        canvas.line(row(area, at), &line);
        rest = rest.get(taken..).unwrap_or_default();
    }
}

/// As many entries as fit into one line, and how many these are.
fn packed<'a>(
    entries: &[(String, Style, &'a str)],
    columns: u16,
    look: Look<'_>,
) -> (Line<'a>, usize) {
    let mut line = Line::default();
    let mut taken = 0;
    for (sign, style, words) in entries {
        let width = text::width(sign) + 1 + text::width(words) + if taken == 0 { 0 } else { 2 };
        if line.width() + width > usize::from(columns) {
            break;
        }
        if taken > 0 {
            line.push_span(Span::raw("  "));
        }
        line.push_span(Span::styled(sign.clone(), *style));
        line.push_span(Span::styled(format!(" {words}"), look.theme.quiet));
        taken += 1;
    }
    (line, taken)
}

fn entries(zoom: MapZoom, look: Look<'_>) -> Vec<(String, Style, &'static str)> {
    let (glyphs, theme) = (look.glyphs, look.theme);
    let yours = (glyphs.yours.to_string(), theme.yours, "yours");
    let marked = (glyphs.marked.to_string(), theme.marked, "marked");
    let refused = (glyphs.refused.to_string(), theme.refused, "refused");
    let free = theme.category(0);
    match zoom {
        MapZoom::Wide | MapZoom::Narrow => vec![
            (glyphs.free.to_string(), free, "free"),
            marked,
            yours,
            (glyphs.held.to_string(), theme.held, "held by another"),
            (glyphs.sold.to_string(), theme.sold, "sold"),
            (glyphs.reserved.to_string(), theme.held, "reserved"),
            (glyphs.asked.to_string(), theme.asked, "asked"),
            (glyphs.kept.to_string(), theme.kept, "house"),
            (glyphs.disabled.to_string(), theme.disabled, "out of use"),
            (glyphs.wheelchair.to_string(), free, "wheelchair"),
            (glyphs.companion.to_string(), free, "companion"),
            (glyphs.restricted.to_string(), free, "restricted"),
            (glyphs.aside.to_string(), theme.aside, "set aside"),
        ],
        MapZoom::Half => {
            let [both, upper, lower] = glyphs.halves;
            vec![
                (format!("{both}{upper}{lower}"), free, "free"),
                (":".to_owned(), theme.sold, "taken"),
                yours,
                marked,
                ("+".to_owned(), theme.key, "zooms in"),
                refused,
            ]
        }
        MapZoom::Dots => {
            let free_sign = glyphs
                .dots
                .map_or("⣿⡇⠁".to_owned(), |signs| signs.iter().rev().collect());
            vec![
                (free_sign, free, "free"),
                (".".to_owned(), theme.sold, "taken"),
                yours,
                marked,
                ("+".to_owned(), theme.key, "zooms in"),
                refused,
            ]
        }
        MapZoom::Blocks => vec![
            (glyphs.fill.to_string(), theme.bar, "taken"),
            (glyphs.fill_rest.to_string(), theme.bar_rest, "free"),
            yours,
            ("arrows".to_owned(), theme.key, "choose"),
            ("+".to_owned(), theme.key, "zooms in"),
        ],
    }
}

#[cfg(test)]
mod tests {
    use super::{LeftLines, left, legend};
    use crate::tui::theme::GlyphSet;
    use crate::tui::widgets::seat_map::MapZoom;
    use crate::tui::widgets::testing::{House, drawn};

    #[test]
    fn what_is_left_is_told_per_category() {
        let house = House::new(&["A oo..o", "B 22~2", "C 333333333333"]);
        let left = left(&house.map);
        let currency = house.map.performance.currency;
        let lines = |width| {
            let view = (left.as_slice(), currency, None);
            let (shown, _) = drawn((width, 2), GlyphSet::Unicode, |look, area, canvas| {
                LeftLines::new(width, view, look).draw(area, canvas);
            });
            shown
        };
        assert_eq!(
            lines(60)[0],
            "left  1 68.00   3   2 54.00   3   3 38.00  12"
        );
        assert_eq!(lines(40)[0], "1 68.00 3 2 54.00 3 3 38.00 12 left");
        let both = ["1 68.00 3 2 54.00 3", "3 38.00 12 left"];
        assert_eq!(lines(24), both);
        assert_eq!(
            lines(16),
            ["1 68.00 3", "2 54.00 3 +1"],
            "a number is whole or absent"
        );
    }

    #[test]
    fn the_legend_fills_its_lines_and_cuts_no_word() {
        for (width, set) in [(58, GlyphSet::Unicode), (62, GlyphSet::Ascii)] {
            let (shown, _) = drawn((width, 2), set, |look, area, canvas| {
                legend(area, MapZoom::Wide, look, canvas);
            });
            assert!(shown[0].contains("yours") && shown[0].contains("held by another"));
            assert!(
                ["wheelchair", "companion"]
                    .iter()
                    .any(|word| shown[1].ends_with(word)),
                "{shown:?}"
            );
        }
        let (shown, _) = drawn((60, 1), GlyphSet::Ascii, |look, area, canvas| {
            legend(area, MapZoom::Dots, look, canvas);
        });
        assert_eq!(
            shown[0],
            "8o- free  . taken  # yours  + marked  + zooms in  ! refused"
        );
    }
}
