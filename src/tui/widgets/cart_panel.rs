//! The cart beside the map: countdown, seats, total and keys.
//!
//! Three forms: about 30 columns with everything, 17 columns with the same in short, and one line.

use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::domain::cart::CartState;
use crate::domain::ids::{LineId, PerformanceId};
use crate::domain::money::grouped;
use crate::domain::plan::SeatRef;
use crate::domain::text;
use crate::domain::time::Instant;
use crate::engine::reads::carts::{
    CartView, GoodsView, LineView, LossView, PerformanceLabel, ReturnedCells, ReturnedView, TimeView,
};
use crate::tui::action::Action;
use crate::tui::canvas::{Canvas, Focus, after, cells, first_columns, first_rows, from_row, last_row, row};
use crate::tui::targets::Target;
use crate::tui::widgets::Look;
use crate::tui::widgets::countdown::Countdown;
use crate::tui::widgets::key_lines::key_lines;

mod words;

pub use words::count_words;
use words::{cut, foot_lines, lost_lines, name_columns, performance_words, seats, slot_line, times, total_words};

/// Panels with fewer columns inside the frame use short words.
const WIDE_COLUMNS: u16 = 24;

/// Lines kept for keys below the seats, however many seats there are.
const KEYS_MIN: u16 = 2;

/// Seat or slot of a cart, by what stays while lines are split and given back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CartPlace {
    /// Seat of a performance.
    Seat(PerformanceId, SeatRef),
    /// Slot, by its line.
    Slot(LineId),
}

/// A cart to be drawn.
#[derive(Clone, Copy, Debug)]
pub struct CartPanel<'a> {
    /// Current time.
    pub now: Instant,
    /// The cart; none before the first pick.
    pub cart: Option<&'a CartView>,
    /// Losses of the cart, also shown when the cart is empty.
    pub lost: &'a [LossView],
    /// Countdown to the end of the hold.
    pub countdown: Option<Countdown>,
    /// The seat under the map's cursor.
    pub cursor: Option<(PerformanceId, SeatRef)>,
    /// Focused seat or slot; none when the map has the focus.
    pub selected: Option<CartPlace>,
    /// Keys with their labels, most important first.
    pub keys: &'a [(String, String)],
    /// Summary of carts set aside: `o  1 set aside until 19:50`.
    pub aside: Option<&'a str>,
    /// Key that extends the hold.
    pub extend: &'a str,
    /// Key that takes the seats of an ended hold again.
    pub undo: &'a str,
}

/// One line of the panel's middle.
enum Entry<'a> {
    Lost(String),
    /// Amount of the total that is of no line, in minor units.
    Beside(String, i64),
    Performance(&'a PerformanceLabel),
    Resource(&'a str),
    Slot {
        line: &'a LineView,
        time: &'a TimeView,
    },
    Seat {
        line: &'a LineView,
        seat: SeatRef,
        name: &'a str,
    },
}

impl CartPanel<'_> {
    /// Draws the panel with its frame.
    pub fn draw(&self, area: Rect, canvas: &mut Canvas<'_>) {
        let titles = self.titles(area.width, canvas.look);
        let focus = Focus::when(self.selected.is_some());
        let inner = after(canvas.frame(area, titles, focus), 1);
        if inner.width == 0 {
            return;
        }
        let Some(cart) = self.cart.filter(|cart| !cart.is_empty()) else {
            self.empty(inner, canvas);
            return;
        };
        let [head, middle, foot, keys] = self.parts(inner, cart);
        self.head(head, cart, canvas);
        self.seats(middle, cart, canvas);
        foot_lines(foot, cart, canvas);
        self.keys(keys, canvas);
    }

    /// Draws the cart in one line: seats, total, countdown.
    pub fn draw_line(&self, area: Rect, canvas: &mut Canvas<'_>) {
        let look = canvas.look;
        let Some(cart) = self.cart.filter(|cart| !cart.is_empty()) else {
            let words = match self.lost {
                [] => " cart: no seats yet".to_owned(),
                lost => format!(" cart: no seats   {}", lost_lines(lost, usize::MAX).join("; ")),
            };
            canvas.text(area, &words, look.theme.quiet);
            return;
        };
        let names: Vec<&str> = seats(cart).chain(times(cart).map(|(_, time)| time.name.as_str())).collect();
        let mut line = Line::from(vec![
            Span::styled(format!(" {}  ", total_words(cart)), look.theme.strong),
            Span::styled(text::clean(&names.join(" ")), look.theme.text),
        ]);
        for words in lost_lines(self.lost, usize::MAX) {
            line.push_span(Span::styled(format!("  {words}"), look.theme.danger));
        }
        if let Some(countdown) = self.countdown {
            let left = format!(" {} ", countdown.left().clock());
            let room = usize::from(area.width).saturating_sub(left.len());
            line = cut(line, room);
            canvas.text_right(area, &left, countdown.style(look));
        }
        canvas.line(area, &line);
    }

    fn titles<'a>(&self, width: u16, look: Look<'_>) -> [Line<'a>; 2] {
        let title = self.cart.map_or("Cart".to_owned(), |view| {
            let tail = view.cart.id.tail();
            if width >= WIDE_COLUMNS { format!("Cart {tail}") } else { tail }
        });
        let right = self.countdown.filter(|_| self.cart.is_some()).map_or_else(Line::default, |countdown| {
            let clock = format!(" {} ", countdown.left().clock());
            Line::styled(clock, countdown.style(look))
        });
        [Line::styled(format!(" {title} "), look.theme.title), right]
    }

    /// Areas of head, seats, total and keys, from top to bottom. When lines are short, blanks go first, then keys,
    /// then
    /// seats.
    fn parts(&self, area: Rect, cart: &CartView) -> [Rect; 4] {
        let wanted = self.entries(cart, area.width).count();
        let wanted = cells(wanted);
        let keys = cells(self.keys.len()) + if self.aside.is_some() { 2 } else { 0 };
        let (head, foot) = (2, 2);
        let room = area.height.saturating_sub(head + foot);
        let middle = wanted.min(room.saturating_sub(keys.min(KEYS_MIN)));
        let blanks = room.saturating_sub(middle.saturating_add(keys));
        let mut y = area.y;
        let mut take = |height: u16, blank: bool| {
            y += u16::from(blank);
            let height = height.min(area.bottom().saturating_sub(y));
            let part = Rect { y, height, ..area };
            y += height;
            part
        };
        [take(head, blanks > 2), take(middle, blanks > 1), take(foot, blanks > 3), take(area.height, blanks > 0)]
    }

    fn head(&self, area: Rect, cart: &CartView, canvas: &mut Canvas<'_>) {
        let look = canvas.look;
        if cart.state == CartState::Expired {
            canvas.text(row(area, 0), "the hold has ended", look.theme.danger);
            canvas.text(row(area, 1), &format!("{} takes them again", self.undo), look.theme.text);
            return;
        }
        let Some(countdown) = self.countdown else {
            return;
        };
        countdown.draw(right_margin(row(area, 0)), canvas);
        let words = countdown.words(self.extend);
        let fits = words.iter().find(|words| text::width(words) <= usize::from(area.width));
        let words = fits.or(words.last()).map_or("", String::as_str);
        canvas.text(row(area, 1), words, countdown.style(look));
    }

    fn seats(&self, area: Rect, cart: &CartView, canvas: &mut Canvas<'_>) {
        let entries: Vec<Entry<'_>> = self.entries(cart, area.width).collect();
        let room = usize::from(area.height);
        let at = entries.iter().position(|entry| self.is_current(entry));
        let first =
            at.map_or(0, |at| (at + 1).saturating_sub(room.saturating_sub(1))).min(entries.len().saturating_sub(room));
        for (entry, y) in entries.iter().skip(first).zip(0..area.height) {
            let more = entries.len().saturating_sub(first + room);
            if y + 1 == area.height && more > 0 {
                let words = format!("and {} more", more + 1);
                canvas.text(row(area, y), &words, canvas.look.theme.quiet);
            } else {
                self.entry(entry, cart, (row(area, y), canvas));
            }
        }
    }

    /// Lines of the middle, losses first.
    fn entries<'c>(&self, cart: &'c CartView, width: u16) -> impl Iterator<Item = Entry<'c>> + use<'c> {
        let lost = lost_lines(self.lost, usize::from(width));
        lost.into_iter().map(Entry::Lost).chain(entries(cart, self.now))
    }

    fn is_current(&self, entry: &Entry<'_>) -> bool {
        let cursor = || self.cursor.map(|(performance, seat)| CartPlace::Seat(performance, seat));
        match (self.selected.or_else(cursor), entry) {
            (Some(CartPlace::Seat(performance, at)), Entry::Seat { line, seat, .. }) => {
                line.is_of(performance) && at == *seat
            }
            (Some(CartPlace::Slot(at)), Entry::Slot { line, .. }) => line.id == at,
            _ => false,
        }
    }

    fn entry(&self, entry: &Entry<'_>, cart: &CartView, (area, canvas): (Rect, &mut Canvas<'_>)) {
        let look = canvas.look;
        let (line, seat, name) = match entry {
            Entry::Lost(words) => {
                canvas.text(area, words, look.theme.danger);
                return;
            }
            Entry::Beside(words, minor) => {
                let area = right_margin(area);
                canvas.text(area, words, look.theme.warning);
                if let Some(currency) = cart.cart.currency {
                    canvas.text_right(area, &grouped(*minor, currency), look.theme.money);
                }
                return;
            }
            Entry::Performance(label) => {
                let words = performance_words(label, area.width, self.now);
                canvas.text(area, &words, look.theme.title);
                return;
            }
            Entry::Resource(name) => {
                canvas.text(area, &text::clean(name), look.theme.title);
                return;
            }
            Entry::Slot { line, time, .. } => {
                let line_area = right_margin(area);
                slot_line((line, time.when(self.now)), cart.cart.currency, (line_area, canvas));
                if self.is_current(entry) {
                    canvas.text(line_area, ">", look.theme.strong);
                    canvas.style(line_area, look.theme.selection);
                }
                canvas.hit(area, Target::CartTime(line.id));
                return;
            }
            Entry::Seat { line, seat, name, .. } => (line, *seat, *name),
        };
        let currency = cart.cart.currency;
        let price = currency.map_or(String::new(), |currency| grouped(line.unit_price, currency));
        let columns = usize::from(area.width);
        let mark = if self.is_current(entry) { ">" } else { " " };
        let rest = columns.saturating_sub(text::width(&price) + 2);
        let name_columns = name_columns(cart).min(rest * 2 / 3);
        let words =
            format!("{:<name_columns$} {}", text::fit_end(&text::clean(name), name_columns), text::clean(&line.kind));
        let line_area = right_margin(area);
        canvas.text(line_area, mark, look.theme.strong);
        canvas.text(after(line_area, 1), &text::fit(&words, rest), look.theme.text);
        canvas.text_right(line_area, &price, look.theme.money);
        if self.selected.is_some() && self.is_current(entry) {
            canvas.style(line_area, look.theme.selection);
        }
        canvas.hit(area, Target::CartSeat(line.id, seat));
    }

    fn keys(&self, area: Rect, canvas: &mut Canvas<'_>) {
        let aside = self.aside.filter(|_| area.height > 4);
        let room = area.height.saturating_sub(if aside.is_some() { 2 } else { 0 });
        key_lines(first_rows(area, room), self.keys, canvas);
        if let Some(words) = aside {
            let line = last_row(area);
            canvas.text(line, &text::clean(words), canvas.look.theme.quiet);
            canvas.hit(line, Target::Act(Action::OpenCarts));
        }
    }

    fn empty(&self, area: Rect, canvas: &mut Canvas<'_>) {
        let theme = canvas.look.theme;
        let top = u16::from(area.height > 10);
        let (words, lost) = match self.lost {
            [] => ("no seats yet", Vec::new()),
            lost => ("no seats", lost_lines(lost, usize::from(area.width))),
        };
        canvas.text(row(area, top), words, theme.quiet);
        let below = top + 1 + cells(lost.len());
        let lost = lost.into_iter();
        let lost = lost.map(|line| Line::styled(line, theme.danger));
        canvas.lines(from_row(area, top + 1), lost);
        self.keys(from_row(area, below + 1), canvas);
    }
}

/// Seats below their performance, which is named once for neighbouring lines; then slots below their resource.
fn entries(cart: &CartView, now: Instant) -> Vec<Entry<'_>> {
    let mut before = None;
    let mut entries = Vec::new();
    for line in &cart.lines {
        match &line.goods {
            GoodsView::Seats { performance, .. } => {
                if before.replace(performance.id) != Some(performance.id) {
                    entries.push(Entry::Performance(performance));
                }
                for (seat, name) in line.named() {
                    entries.push(Entry::Seat { line, seat, name });
                }
            }
            GoodsView::Time(time) => {
                entries.push(Entry::Resource(&time.name));
                entries.push(Entry::Slot { line, time });
            }
        }
    }
    let returns = cart.returns.iter();
    entries.extend(returns.map(|back| Entry::Beside(format!("back {}", seats_of(back, now)), -back.total)));
    let fee = cart.cart.fee().ok().filter(|fee| *fee > 0);
    entries.extend(fee.map(|fee| Entry::Beside("fee for the exchange".to_owned(), fee)));
    entries
}

/// Cells that come back, in few words.
fn seats_of(returned: &ReturnedView, now: Instant) -> String {
    match &returned.cells {
        ReturnedCells::Seats(_) => crate::words::seats(returned.seats()),
        ReturnedCells::Time(..) => returned.names(now).join(", "),
    }
}

fn right_margin(area: Rect) -> Rect {
    first_columns(area, area.width - u16::from(area.width > WIDE_COLUMNS))
}

#[cfg(test)]
mod tests {
    use super::{CartPanel, CartPlace};
    use crate::domain::time::Span;
    use crate::engine::reads::carts::GoodsView;
    use crate::tui::targets::Target;
    use crate::tui::theme::GlyphSet;
    use crate::tui::widgets::countdown::Countdown;
    use crate::tui::widgets::testing::{cart_view, drawn, now};

    fn keys() -> Vec<(String, String)> {
        [("p", "pay"), ("t", "ticket type"), ("x", "give this seat back"), ("e", "extend the hold")]
            .map(|(key, words)| (key.to_owned(), words.to_owned()))
            .to_vec()
    }

    fn shown(size: (u16, u16), seats: &[&str], set: GlyphSet) -> Vec<String> {
        let cart = cart_view(seats);
        let keys = keys();
        let panel = CartPanel {
            now: now(),
            cart: Some(&cart),
            lost: &[],
            countdown: Some(Countdown {
                now: now(),
                until: now() + Span::seconds(461),
                whole: Span::minutes(10),
                zone: chrono_tz::Europe::London,
            }),
            cursor: Some((cart.lines[0].performance().unwrap().id, cart.lines[0].seats()[0].0)),
            selected: None,
            keys: &keys,
            aside: None,
            extend: "e",
            undo: "u",
        };
        let draw = |size| {
            drawn(size, set, |_, area, canvas| {
                panel.draw(area, canvas);
            })
        };
        let (lines, targets) = draw(size);
        let first = Target::CartSeat(cart.lines[0].id, cart.lines[0].seats()[0].0);
        assert!(targets.find(&first).is_some());
        lines.iter().map(|line| line.replace(&cart.cart.id.tail(), "4471ab")).collect()
    }

    #[test]
    fn the_wide_panel_tells_everything() {
        let seats = ["F9", "F10", "F11 Child", "F12 Child"];
        assert_eq!(
            shown((34, 19), &seats, GlyphSet::Unicode),
            [
                "─ Cart 4471ab ──────────── 7m41s ─",
                "",
                "  ━━━━━━━━━━━━━━━━━━━━━━━┅┅┅┅┅┅┅",
                "  held until 18:07:41  e extends",
                "",
                "  Hamlet   Sat 21 Nov 19:30",
                "  >F9  Adult               54.00",
                "   F10 Adult               54.00",
                "   F11 Child               27.00",
                "   F12 Child               27.00",
                "",
                "  ──────────────────────────────",
                "  4 seats       TOTAL GBP 162.00",
                "",
                "  p  pay",
                "  t  ticket type",
                "  x  give this seat back",
                "  e  extend the hold",
                "",
            ]
        );
    }

    #[test]
    fn the_narrow_panel_keeps_time_seats_and_total() {
        let seats = ["F9", "F10", "F11 Child", "F12 Child"];
        assert_eq!(
            shown((19, 13), &seats, GlyphSet::Ascii),
            [
                "+ 4471ab -- 7m41s +",
                "| ============----|",
                "| until 18:07:41  |",
                "| Sat 21 19:30    |",
                "| >F9  Adult 54.00|",
                "|  F10 Adult 54.00|",
                "|  F11 Child 27.00|",
                "|  F12 Child 27.00|",
                "| ----------------|",
                "| 4 seats   162.00|",
                "| p pay           |",
                "| t ticket type   |",
                "+-----------------+",
            ]
        );
    }

    #[test]
    fn twenty_seats_leave_room_for_the_total() {
        let names: Vec<String> = (1..=20).map(|seat| format!("F{seat}")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let shown = shown((34, 16), &names, GlyphSet::Unicode);
        let text = shown.join("\n");
        assert!(text.contains("20 seats    TOTAL GBP 1,080.00"), "{text}");
        assert!(text.contains("more"), "{text}");
        assert!(text.contains("p  pay"), "{text}");
    }

    #[test]
    fn one_line_is_enough_on_a_small_terminal() {
        let cart = cart_view(&["F9", "F10", "F11 Child"]);
        let panel = CartPanel {
            now: now(),
            cart: Some(&cart),
            lost: &[],
            countdown: Some(Countdown {
                now: now(),
                until: now() + Span::seconds(61),
                whole: Span::minutes(10),
                zone: chrono_tz::Europe::London,
            }),
            cursor: None,
            selected: None,
            keys: &[],
            aside: None,
            extend: "e",
            undo: "u",
        };
        let (shown, _) = drawn((40, 1), GlyphSet::Unicode, |_, area, canvas| {
            panel.draw_line(area, canvas);
        });
        assert_eq!(shown, [" 3 seats  GBP 135.00  F9 F10 F11  1m01s"]);
    }

    #[test]
    fn wide_and_odd_text_stays_inside_the_frame() {
        let mut cart = cart_view(&["劇場の席の名前12", "F2"]);
        if let GoodsView::Seats { performance, .. } = &mut cart.lines[0].goods {
            performance.title = "\u{1b}[31m劇場\u{202e}Hamlet and a very long title".into();
        }
        let panel = CartPanel {
            now: now(),
            cart: Some(&cart),
            lost: &[],
            countdown: None,
            cursor: None,
            selected: Some(CartPlace::Seat(cart.lines[1].performance().unwrap().id, cart.lines[1].seats()[0].0)),
            keys: &[],
            aside: Some("1 set aside"),
            extend: "e",
            undo: "u",
        };
        for width in 3..40 {
            let (shown, _) = drawn((width, 12), GlyphSet::Unicode, |_, area, canvas| {
                panel.draw(area, canvas);
            });
            assert!(shown.iter().all(|line| crate::domain::text::width(line) <= usize::from(width)), "{shown:#?}");
            assert!(!shown.concat().contains(['\u{1b}', '\u{202e}']));
        }
    }
}
