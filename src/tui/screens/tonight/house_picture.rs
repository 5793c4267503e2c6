//! Small picture of the selected performance's house, with prices and free seats.

use ratatui::layout::Rect;

use crate::domain::text::width;
use crate::engine::reads::tonight::Tally;
use crate::tui::kit::canvas::{Canvas, Focus, after, cells, first_columns, first_rows, from_row, last_row};
use crate::tui::kit::shared::Shared;
use crate::tui::screens::tonight::TonightScreen;
use crate::tui::screens::tonight::tally_columns::sum;
use crate::tui::widgets::legend::{PriceChoice, left, prices};
use crate::tui::widgets::seat_map::Marks;

/// Minimum terminal size for a picture.
const PICTURE_FROM: (u16, u16) = (76, 22);
/// Maximum width of the prices: numbers stand near their names.
const PRICES_MAX: u16 = 48;
/// Height of a panel below which prices stand beside one another.
const TALL: u16 = 20;

/// True if the terminal has room for a picture of a house.
pub(super) const fn has_picture(shared: &Shared) -> bool {
    shared.size.width >= PICTURE_FROM.0 && shared.size.height >= PICTURE_FROM.1
}

impl TonightScreen {
    /// Draws the house above its prices and seat counts; until its seats are loaded, the tally.
    pub(super) fn picture_panel(&self, shared: &Shared, area: Rect, canvas: &mut Canvas<'_>) {
        let Some(map) = self.map(shared).filter(|map| self.house.knows(map)) else {
            self.tally_panel(shared, area, canvas);
            return;
        };
        let inner = canvas.panel(area, self.heading(shared, area.width), Focus::Elsewhere);
        let of = left(map);
        let lists = if inner.height < TALL { 2 } else { 1 };
        let in_list = of.len().div_ceil(lists);
        let lines = cells(in_list + 2).min(inner.height / 2);
        let house = first_rows(inner, inner.height - lines);
        let marks = Marks { station: &shared.station, ..Marks::default() };
        self.house.draw((map, marks), house, canvas);
        let foot = after(from_row(inner, house.height), 2);
        let list =
            first_columns(first_rows(foot, lines.saturating_sub(2)), foot.width.saturating_sub(2).min(PRICES_MAX));
        let beside = list.width / cells(lists);
        for (of, at) in of.chunks(in_list.max(1)).zip(0..) {
            let list = first_columns(after(list, at * beside), beside.saturating_sub(2));
            prices(list, (of, map.performance.currency), PriceChoice::default(), canvas);
        }
        if let Some(zones) = self.tally(shared) {
            let all = sum(zones.iter().map(|(_, tally)| tally));
            canvas.text(last_row(foot), &taken_words(&all, foot.width.into()), shared.theme.quiet);
        }
    }
}

/// Counts of seats that are not free, without the zero ones, with the air that fits; where none does, all but the sold
/// ones as one.
fn taken_words(all: &Tally, room: usize) -> String {
    let counts = [
        (all.booked, "sold"),
        (all.held, "held"),
        (all.reserved, "reserved"),
        (all.kept, "house"),
        (all.disabled, "out of use"),
    ];
    let counts = counts.iter().filter(|(count, _)| *count > 0);
    let words: Vec<String> = counts.map(|(count, word)| format!("{count} {word}")).collect();
    let airy = ["   ", "  ", " "].into_iter().map(|air| words.join(air)).find(|line| width(line) <= room);
    airy.unwrap_or_else(|| {
        let others = all.held + all.reserved + all.kept + all.disabled;
        format!("{} sold  {others} not on sale", all.booked)
    })
}
