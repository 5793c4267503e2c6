//! The cart beside the map: countdown, seats, total and keys.
//!
//! Two forms: about 30 columns with everything, and one line. Neighbours of one price are one line, until the focus is in
//! the cart.

use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use crate::domain::cart::CartState;
use crate::domain::ids::{LineId, PerformanceId};
use crate::domain::money::{grouped, priced};
use crate::domain::plan::{SeatRef, area_in};
use crate::domain::text;
use crate::domain::time::Instant;
use crate::engine::reads::carts::{
    CartView, GoodsView, LineView, LossView, PerformanceLabel, ReturnedCells, ReturnedView, TimeView,
};
use crate::tui::kit::action::Action;
use crate::tui::kit::canvas::{Canvas, after, cells, first_columns, first_rows, from_row, last_columns, last_row, row};
use crate::tui::kit::targets::Target;
use crate::tui::kit::theme::boxed;
use crate::tui::widgets::Look;
use crate::tui::widgets::countdown::Countdown;
use crate::tui::widgets::lines::key_lines;

mod line_words;

pub use line_words::count_words;
use line_words::{cut, foot_lines, lost_lines, name_columns, performance_words, slot_line};

/// Panels with fewer columns inside the frame use short words.
const WIDE_COLUMNS: u16 = 24;

/// Most columns of seats' names that come before buttons.
const BUTTONS_AFTER: u16 = 20;

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
    Seats {
        line: &'a LineView,
        /// Seats of one ticket type and price, with their names.
        seats: Vec<(SeatRef, &'a str)>,
    },
}

impl CartPanel<'_> {
    /// Draws the panel below its title.
    pub fn draw(&self, area: Rect, canvas: &mut Canvas<'_>) {
        self.title(row(area, 0), canvas);
        let inner = from_row(area, 1);
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

    /// Draws the cart in one line: seats, total, buttons, countdown.
    pub fn draw_line(&self, area: Rect, canvas: &mut Canvas<'_>) {
        let look = canvas.look;
        let style = if self.selected.is_some() { look.theme.tab_on } else { look.theme.selection };
        let used = canvas.text(area, &boxed("Cart", style), style);
        let mut rest = after(area, used + 1);
        let Some(cart) = self.cart.filter(|cart| !cart.is_empty()) else {
            let words = match self.lost {
                [] => "no seats yet".to_owned(),
                lost => format!("no seats   {}", lost_lines(lost, usize::MAX).join("; ")),
            };
            let used = canvas.text(rest, &words, look.theme.quiet);
            if let Some(aside) = self.aside {
                let place = last_columns(after(rest, used + 2), cells(text::width(aside) + 1));
                canvas.text(place, aside, look.theme.quiet);
                canvas.hit(place, Target::Act(Action::OpenCarts));
            }
            return;
        };
        if let Some(countdown) = self.countdown {
            let left = format!(" {} ", countdown.left().clock());
            canvas.text_right(rest, &left, countdown.style(look));
            rest.width = rest.width.saturating_sub(cells(left.len()));
        }
        let buttons: u16 = self.buttons(look).map(|(_, words, _)| cells(text::width(&words)) + 1).sum();
        let total = cart.cart.currency.map_or(String::new(), |currency| priced(cart.total, currency));
        let words = self.line_words(cart, look);
        let kept = cells(text::width(&total)) + 4;
        let has_buttons = rest.width >= buttons + kept + cells(words.width()).min(BUTTONS_AFTER);
        let room = rest.width.saturating_sub(kept + if has_buttons { buttons } else { 0 });
        let words = cut(words, room.into());
        canvas.line(first_columns(rest, room), &words);
        let mut rest = after(rest, cells(words.width()) + 2);
        let used = canvas.text(rest, &total, look.theme.strong);
        rest = after(rest, used + 2);
        if has_buttons {
            rest = self.draw_buttons(rest, canvas);
        }
        if let Some(countdown) = self.countdown.filter(|_| rest.width >= 12) {
            countdown.draw(last_columns(rest, rest.width.min(24) - 2), canvas);
        }
    }

    /// Seats of the line by price, or the one with the focus; losses last.
    fn line_words(&self, cart: &CartView, look: Look<'_>) -> Line<'static> {
        let mut line = Line::default();
        let lost = lost_lines(self.lost, usize::MAX).into_iter().map(Entry::Lost);
        for entry in entries(cart, self.now, self.selected.is_none()).into_iter().chain(lost) {
            let words = match &entry {
                Entry::Seats { line, seats } => {
                    format!("{}  {} {}  ", names(seats), seats.len(), text::clean(&line.kind))
                }
                Entry::Slot { time, .. } => format!("{}  ", text::clean(&time.name)),
                Entry::Beside(words, _) | Entry::Lost(words) => format!("{words}  "),
                Entry::Performance(_) | Entry::Resource(_) => continue,
            };
            let style = if matches!(entry, Entry::Lost(_)) {
                look.theme.danger
            } else if self.selected.is_some() && self.is_current(&entry) {
                look.theme.selection
            } else {
                look.theme.text
            };
            line.push_span(Span::styled(words, style));
        }
        line
    }

    /// The first two keys as buttons, with their words.
    fn buttons(&self, look: Look<'_>) -> impl Iterator<Item = (&str, String, Style)> {
        let styles = [look.theme.button_on, look.theme.button];
        self.keys.iter().zip(styles).map(|((key, words), style)| {
            let words = words.split(',').next().unwrap_or_default();
            (key.as_str(), boxed(&format!("{key}  {words}"), style), style)
        })
    }

    /// Draws the buttons side by side; returns the rest of the line.
    fn draw_buttons(&self, area: Rect, canvas: &mut Canvas<'_>) -> Rect {
        let mut rest = area;
        for (key, words, style) in self.buttons(canvas.look) {
            let took = canvas.text(rest, &words, style);
            if let Ok(key) = key.parse() {
                canvas.hit(first_columns(rest, took), Target::Key(key));
            }
            rest = after(rest, took + 1);
        }
        rest
    }

    fn title(&self, area: Rect, canvas: &mut Canvas<'_>) {
        let look = canvas.look;
        let style = if self.selected.is_some() { look.theme.tab_on } else { look.theme.title };
        canvas.text(area, "Cart", style);
        if let Some(countdown) = self.countdown.filter(|_| self.cart.is_some()) {
            canvas.text_right(right_margin(area), &countdown.left().clock(), countdown.style(look));
        }
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
        lost.into_iter().map(Entry::Lost).chain(entries(cart, self.now, self.selected.is_none()))
    }

    fn is_current(&self, entry: &Entry<'_>) -> bool {
        let cursor = || self.cursor.map(|(performance, seat)| CartPlace::Seat(performance, seat));
        match (self.selected.or_else(cursor), entry) {
            (Some(CartPlace::Seat(performance, at)), Entry::Seats { line, seats }) => {
                line.is_of(performance) && seats.iter().any(|(seat, _)| at == *seat)
            }
            (Some(CartPlace::Slot(at)), Entry::Slot { line, .. }) => line.id == at,
            _ => false,
        }
    }

    fn entry(&self, entry: &Entry<'_>, cart: &CartView, (area, canvas): (Rect, &mut Canvas<'_>)) {
        let look = canvas.look;
        let (line, seats) = match entry {
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
            Entry::Seats { line, seats } => (line, seats),
        };
        let currency = cart.cart.currency;
        let count = i64::try_from(seats.len()).unwrap_or(i64::MAX);
        let total = line.unit_price.saturating_mul(count);
        let price = currency.map_or(String::new(), |currency| grouped(total, currency));
        let columns = usize::from(area.width);
        let mark = if self.is_current(entry) { ">" } else { " " };
        let rest = columns.saturating_sub(text::width(&price) + 2);
        let name_columns = name_columns(cart).min(rest * 2 / 3);
        let (name, kind) = (names(seats), text::clean(&line.kind));
        let counted = format!("{count} {kind}");
        let fits = |kind: &str| text::width(&name) + text::width(kind) < rest;
        // the name of standing room has the number too
        let kind = if seats.len() < 2 || (!fits(&counted) && fits(&kind)) { kind } else { counted };
        let name_columns = name_columns.max(text::width(&name).min(rest.saturating_sub(text::width(&kind) + 2)));
        let words = format!("{:<name_columns$} {kind}", text::fit_end(&text::clean(&name), name_columns));
        let line_area = right_margin(area);
        canvas.text(line_area, mark, look.theme.strong);
        canvas.text(after(line_area, 1), &text::fit(&words, rest), look.theme.text);
        canvas.text_right(line_area, &price, look.theme.money);
        if self.selected.is_some() && self.is_current(entry) {
            canvas.style(line_area, look.theme.selection);
        }
        if let Some((seat, _)) = seats.first() {
            canvas.hit(area, Target::CartSeat(line.id, *seat));
        }
    }

    fn keys(&self, area: Rect, canvas: &mut Canvas<'_>) {
        let aside = self.aside.filter(|_| area.height > 4);
        let room = area.height.saturating_sub(if aside.is_some() { 2 } else { 0 });
        let has_buttons = self.cart.is_some_and(|cart| !cart.is_empty());
        let (keys, lines) = if has_buttons {
            self.draw_buttons(row(area, 0), canvas);
            (self.keys.get(2..).unwrap_or_default(), from_row(first_rows(area, room), 1))
        } else {
            (self.keys, first_rows(area, room))
        };
        key_lines(lines, keys, canvas);
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

/// Seats below their performance, which is named once for neighbouring lines, and those of one price in one, but standing
/// room apart from seats; then slots below their resource.
fn entries(cart: &CartView, now: Instant, is_joined: bool) -> Vec<Entry<'_>> {
    let mut before = None;
    let mut entries = Vec::new();
    for line in &cart.lines {
        match &line.goods {
            GoodsView::Seats { performance, .. } => {
                if before.replace(performance.id) != Some(performance.id) {
                    entries.push(Entry::Performance(performance));
                }
                for named in line.named() {
                    match entries.last_mut() {
                        Some(Entry::Seats { line: last, seats })
                            if is_joined
                                && (&last.kind, last.unit_price) == (&line.kind, line.unit_price)
                                && seats.first().and_then(|(_, name)| area_in(name)) == area_in(named.1) =>
                        {
                            seats.push(named);
                        }
                        Some(_) | None => entries.push(Entry::Seats { line, seats: vec![named] }),
                    }
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

/// Names of seats, runs joined.
fn names(seats: &[(SeatRef, &str)]) -> String {
    text::clean(&crate::words::seats(seats.iter().copied()))
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
    use crate::tui::kit::targets::Target;
    use crate::tui::kit::theme::GlyphSet;
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
        lines
    }

    #[test]
    fn the_wide_panel_tells_everything() {
        let seats = ["F9", "F10", "F11 Child", "F12 Child"];
        assert_eq!(
            shown((34, 19), &seats, GlyphSet::Unicode),
            [
                "Cart                        7m41s",
                "",
                "━━━━━━━━━━━━━━━━━━━━━━━━━┅┅┅┅┅┅┅┅",
                "held until 18:07:41  e extends",
                "",
                "Hamlet   Sat 21 Nov 19:30",
                ">F9-F10 2 Adult            108.00",
                " F11-F12 2 Child            54.00",
                "",
                "─────────────────────────────────",
                "4 seats          TOTAL GBP 162.00",
                "",
                " p  pay   t  ticket type",
                "x  give this seat back",
                "e  extend the hold",
                "",
                "",
                "",
                "",
            ]
        );
    }

    #[test]
    fn twenty_seats_leave_room_for_the_total() {
        let names: Vec<String> = (1..=20).map(|seat| format!("F{seat}")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let shown = shown((34, 16), &names, GlyphSet::Unicode);
        let text = shown.join("\n");
        assert!(text.contains("20 seats       TOTAL GBP 1,080.00"), "{text}");
        assert!(text.contains(">F1-F20 20 Adult"), "{text}");
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
        assert_eq!(shown, [" Cart  F9-F10  2 A…  GBP 135.00   1m01s"]);
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
