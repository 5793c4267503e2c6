//! Overview of a large house: its blocks in place, each with name and fill.

use ratatui::layout::Rect;
use ratatui::text::Line;

use crate::domain::layout::{Block, Direction, Layout};
use crate::domain::performance::ADULT;
use crate::domain::text;
use crate::tui::canvas::{Canvas, Focus, centred, from_row, row};
use crate::tui::targets::Target;
use crate::tui::widgets::bar::fill_bar;
use crate::tui::widgets::first_in_view;
use crate::tui::widgets::seat_map::squares::stage_line;
use crate::tui::widgets::seat_map::{Make, SeatMapWidget, SeatSign};

/// Minimum width of a box with text; with narrower boxes the blocks are drawn as a list.
const BOX_COLUMNS_MIN: u16 = 5;
/// Maximum scale of a box against its seats.
const SCALE_MAX: u16 = 2;

/// A block with its numbers of seats by state.
#[derive(Clone, Copy, Default)]
pub(super) struct Count {
    pub(super) free: u32,
    mine: u32,
    marked: u32,
    /// Lowest and highest price of the free seats.
    pub(super) prices: Option<(i64, i64)>,
}

pub(super) fn draw(widget: &SeatMapWidget<'_>, signs: &[(SeatSign, Make)], area: Rect, canvas: &mut Canvas<'_>) {
    let layout = widget.chart.layout();
    let counts = counts(widget, signs);
    let current = widget.marks.cursor.and_then(|seat| layout.place(seat)).map(|place| usize::from(place.block));
    let scale = Scale::new(layout.width, layout.height, area);
    let boxes: Vec<Rect> = layout.blocks.iter().map(|block| scale.block(block)).collect();
    let fits = boxes.iter().all(|area| area.width >= BOX_COLUMNS_MIN && area.height > 0);
    let sheet = Sheet { widget, current };
    if !fits {
        sheet.list(area, &counts, canvas);
        return;
    }
    if let Some(stage) = &layout.stage {
        let at = scale.area((stage.column, stage.line), (stage.width, 1));
        let text = stage_line(&stage.text, at.width, widget.look.glyphs.stage);
        canvas.text(row(at, 0), &text, widget.look.theme.stage);
    }
    for (index, ((block, area), count)) in layout.blocks.iter().zip(boxes).zip(counts).enumerate() {
        let part = Part { index, block, count };
        sheet.block(&part, area, canvas);
    }
}

/// Seat counts of each block, in the order of the layout, from the signs of all seats.
pub(super) fn counts(widget: &SeatMapWidget<'_>, signs: &[(SeatSign, Make)]) -> Vec<Count> {
    let layout = widget.chart.layout();
    let mut counts = vec![Count::default(); layout.blocks.len()];
    let categories = (0..).zip(&widget.map.plan.categories);
    let prices: Vec<Option<i64>> =
        categories.map(|(category, _)| widget.map.performance.price(category, ADULT)).collect();
    for (place, (sign, make)) in layout.places.iter().zip(signs) {
        if let Some(count) = counts.get_mut(usize::from(place.block)) {
            if sign.is_free() {
                count.free += 1;
                let price = prices.get(usize::from(make.category)).copied().flatten();
                count.prices = price.map_or(count.prices, |price| {
                    let (low, high) = count.prices.unwrap_or((price, price));
                    Some((low.min(price), high.max(price)))
                });
            }
            count.mine += u32::from(*sign == SeatSign::Mine);
        }
    }
    for (seat, _) in widget.overlays() {
        let place = layout.place(seat);
        if let Some(count) = place.and_then(|at| counts.get_mut(usize::from(at.block))) {
            count.marked += 1;
        }
    }
    counts
}

/// Scale from the layout's cells to the screen's.
struct Scale {
    size: (u16, u16),
    room: Rect,
}

impl Scale {
    fn new(width: u16, height: u16, area: Rect) -> Self {
        let room = (area.width.min(width.saturating_mul(SCALE_MAX)), area.height.min(height.saturating_mul(SCALE_MAX)));
        Self { size: (width.max(1), height.max(1)), room: centred(area, room.0, room.1.into()) }
    }

    fn block(&self, block: &Block) -> Rect {
        self.area((block.left, block.top), (block.width, block.height))
    }

    fn area(&self, (left, top): (u16, u16), (width, height): (u16, u16)) -> Rect {
        let along = |at: u16, size: u16, room: u16| {
            let scaled = u32::from(at) * u32::from(room) / u32::from(size);
            u16::try_from(scaled).unwrap_or(u16::MAX)
        };
        let x = |at| along(at, self.size.0, self.room.width);
        let y = |at| along(at, self.size.1, self.room.height);
        Rect {
            x: self.room.x + x(left),
            y: self.room.y + y(top),
            width: x(left + width) - x(left),
            height: (y(top + height) - y(top)).max(1),
        }
    }
}

/// Drawing of one block.
struct Part<'a> {
    index: usize,
    block: &'a Block,
    count: Count,
}

struct Sheet<'a> {
    widget: &'a SeatMapWidget<'a>,
    current: Option<usize>,
}

impl Sheet<'_> {
    fn block(&self, part: &Part<'_>, area: Rect, canvas: &mut Canvas<'_>) {
        let Part { index, block, count } = *part;
        canvas.hit(area, Target::Block(index));
        let look = self.widget.look;
        let is_current = self.current == Some(index);
        let framed = area.height >= 3;
        let room = usize::from(area.width).saturating_sub(2);
        let brackets = if is_current { 2 } else { 0 };
        let name = short_name(&block.name, room.saturating_sub(brackets));
        let name = if is_current && text::width(&name) + brackets <= room {
            format!("[{name}]")
        } else {
            text::fit(&name, room)
        };
        let style = if is_current { look.theme.cursor } else { look.theme.title };
        let inner = if framed {
            let titles = [Line::styled(name, style), Line::default()];
            canvas.frame(area, titles, Focus::when(is_current))
        } else {
            area
        };
        let inner = from_row(inner, inner.height.saturating_sub(2) / 2);
        let words = self.words(count, inner.width);
        let named = format!("{}  {words}", text::clean(&block.name));
        let fits = !framed && text::width(&named) <= usize::from(inner.width);
        let words = if fits { named } else { words };
        canvas.text(row(inner, 0), &words, look.theme.text);
        if area.height > 1 {
            let taken = block.seats - count.free.min(block.seats);
            fill_bar(row(inner, 1), (taken, block.seats), canvas);
        } else if is_current {
            canvas.style(area, look.theme.selection);
        }
    }

    /// `36 free`, preceded by own or marked seats, as much as fits.
    fn words(&self, count: Count, columns: u16) -> String {
        let glyphs = self.widget.look.glyphs;
        let mut words = String::new();
        if count.mine > 0 {
            words = format!("{}{} ", glyphs.yours, count.mine);
        } else if count.marked > 0 {
            words = format!("{}{} ", glyphs.marked, count.marked);
        }
        let long = format!("{words}{} free", count.free);
        if text::width(&long) <= usize::from(columns) {
            long
        } else {
            text::fit(&format!("{words}{}", count.free), usize::from(columns))
        }
    }

    fn list(&self, area: Rect, counts: &[Count], canvas: &mut Canvas<'_>) {
        let look = self.widget.look;
        let blocks = &self.widget.chart.layout().blocks;
        let current = self.current.unwrap_or(0);
        let first = first_in_view(current, blocks.len(), usize::from(area.height));
        let rows = blocks.iter().zip(counts).enumerate().skip(first);
        for ((index, (block, count)), line) in rows.zip(area.rows()) {
            let [name, words, bar] = list_columns(line);
            canvas.text(name, &block.name, look.theme.text);
            canvas.text_right(words, &self.words(*count, words.width), look.theme.text);
            let taken = block.seats - count.free.min(block.seats);
            fill_bar(bar, (taken, block.seats), canvas);
            canvas.hit(line, Target::Block(index));
            if self.current == Some(index) {
                canvas.style(line, look.theme.selection);
            }
        }
    }
}

fn list_columns(line: Rect) -> [Rect; 3] {
    let name = line.width.saturating_sub(12) / 2;
    let words = 11.min(line.width - name);
    let bar = line.width.saturating_sub(name + words + 1);
    [
        Rect { width: name, ..line },
        Rect { x: line.x + name, width: words, ..line },
        Rect { x: line.right() - bar, width: bar, ..line },
    ]
}

/// Nearest block in a direction; blocks straight ahead come before blocks to the side.
#[must_use]
pub fn block_towards(layout: &Layout, from: usize, to: Direction) -> Option<usize> {
    let middle = |block: &Block| {
        let across = i32::from(block.left) * 2 + i32::from(block.width);
        // a line is about as high as two columns are wide
        (across, (i32::from(block.top) * 2 + i32::from(block.height)) * 2)
    };
    let (x, y) = middle(layout.blocks.get(from)?);
    let ahead = |block: &Block| {
        let (across, down) = middle(block);
        match to {
            Direction::Left => (x - across, down - y),
            Direction::Right => (across - x, down - y),
            Direction::Up => (y - down, across - x),
            Direction::Down => (down - y, across - x),
        }
    };
    let blocks = layout.blocks.iter().map(ahead).enumerate();
    blocks
        .filter(|(index, (ahead, _))| *index != from && *ahead > 0)
        .min_by_key(|(_, (ahead, aside))| ahead + 2 * aside.abs())
        .map(|(index, _)| index)
}

/// A block's name where it fits, else the initials of its words with its number: `Ground floor 3`, `GF3`.
fn short_name(name: &str, columns: usize) -> String {
    let name = text::clean(name);
    if text::width(&name) <= columns {
        return name;
    }
    name.split(' ')
        .map(|word| {
            if word.chars().all(|letter| letter.is_ascii_digit()) {
                word.to_owned()
            } else {
                word.chars().take(1).flat_map(char::to_uppercase).collect()
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::short_name;

    #[test]
    fn a_long_name_keeps_its_number() {
        assert_eq!(short_name("Ground floor 3", 14), "Ground floor 3");
        assert_eq!(short_name("Ground floor 3", 6), "GF3");
        assert_eq!(short_name("Stalls", 3), "S");
    }
}
