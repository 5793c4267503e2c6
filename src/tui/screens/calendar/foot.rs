//! Foot below the timeline: the cursor's period, keys, refusal, cart and legend.

use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span as Text};

use crate::domain::text::{clean, fit, width};
use crate::engine::reads::carts::LineView;
use crate::tui::data::msg::Mouse;
use crate::tui::kit::action::Action;
use crate::tui::kit::canvas::{Canvas, after, cells, from_row, inset, last_columns, row};
use crate::tui::kit::keymap::KeyPlace;
use crate::tui::kit::shared::Shared;
use crate::tui::kit::targets::Target;
use crate::tui::screens::calendar::Calendar;
use crate::tui::screens::calendar::calendar_questions::waiting;
use crate::tui::screens::calendar::geometry::Parts;
use crate::tui::widgets::timeline::{Kind, sample};
use crate::words;

/// Indent of the text.
const INDENT: u16 = 10;

impl Calendar {
    pub(super) fn foot(&self, (shared, kinds): (&Shared, &[Kind]), parts: &Parts, canvas: &mut Canvas<'_>) {
        let (theme, area) = (&shared.theme, parts.foot);
        let rule = shared.glyphs.rule.to_string();
        let rule = rule.repeat(usize::from(area.width));
        canvas.text(row(area, 0), &rule, theme.border);
        let seen = self.first_line(shared) + Self::room(shared);
        let below = self.lines.shown.len().saturating_sub(seen);
        if below > 0 {
            let words = format!(" {below} more below ");
            let right = last_columns(row(area, 0), cells(words.len()) + 1);
            canvas.text(right, &words, theme.strong);
        }
        // a legend without a line of its own stands on the panel's lower edge
        let height = area.height + 1;
        let inset = inset(Rect { height, ..area });
        let line = |at| row(inset, at);
        let mut at = 1;
        if parts.side.is_empty() {
            let (head, phrases, _) = self.said(shared);
            canvas.text(line(1), head, theme.label);
            phrase_line(after(line(1), INDENT), &phrases, shared, canvas);
            at = 2;
        }
        // most urgent first; what has no line waits
        let first = at;
        at += u16::from(self.refused_line(line(at), shared, canvas));
        at += u16::from(cart_line(line(at), shared, canvas));
        at += u16::from(at < first + 2 && Self::displaced_line(line(at), shared, canvas));
        if at == first && shared.mouse == Mouse::On {
            canvas.text(line(at), &shared.keyed(self.mouse_words(shared)), theme.quiet);
            at += 1;
        }
        legend(from_row(inset, at), (shared, kinds), canvas);
    }

    /// Hint on the mouse.
    fn mouse_words(&self, shared: &Shared) -> &'static str {
        if self.ghost.is_some() {
            "Drag it where it is to be; <moving.main> puts it there"
        } else if self.mark.is_some() {
            "Click the mark, or one of the keys below"
        } else if shared.size.width < 76 {
            "Drag free time to mark it; click the mark to book"
        } else if shared.size.width < 96 {
            "Drag over free time, click the mark to book; drag a bar to move it"
        } else {
            "Drag over free time to mark it, click the mark to book; drag a bar to move it"
        }
    }

    /// Draws the refusal and its alternatives; false if there is none.
    fn refused_line(&self, area: Rect, shared: &Shared, canvas: &mut Canvas<'_>) -> bool {
        let refused = self.refused.as_ref();
        let Some(refused) = refused.filter(|refused| !refused.sentence.is_empty()) else {
            return false;
        };
        let key = shared.keymap.key_text(KeyPlace::Calendar, Action::Accept);
        let offer = refused.places.chosen(shared);
        let offer = offer.map_or(String::new(), |place| format!("{key}  {}", place.offer(shared.now)));
        let room = usize::from(area.width).saturating_sub(width(&offer) + 3);
        let words = format!("{} {}", shared.glyphs.cross, refused.sentence);
        let took = canvas.text(area, &fit(&words, room), shared.theme.warning);
        let right = after(area, took + 3);
        canvas.text(right, &offer, shared.theme.key);
        canvas.hit(right, Target::Act(Action::Accept));
        true
    }

    /// Draws the first displaced booking, and the number of all; false if there is none.
    fn displaced_line(area: Rect, shared: &Shared, canvas: &mut Canvas<'_>) -> bool {
        let waiting = waiting(shared);
        let Some(first) = waiting.first() else {
            return false;
        };
        let count = waiting.len();
        let key = shared.keymap.key_text(KeyPlace::Calendar, Action::Displaced);
        let count = match (count, shared.size.width < 96) {
            (1, true) => String::new(),
            (count, true) => format!("{count}: "),
            (count, false) => format!("{count} displaced   "),
        };
        let words =
            format!("! {count}{} lost {}, {}", clean(&first.owner), clean(&first.title), first.seats.join(", "));
        let deal = format!("{key}  deal with it");
        let room = usize::from(area.width).saturating_sub(width(&deal) + 3);
        let took = canvas.text(area, &fit(&words, room), shared.theme.warning);
        canvas.text(after(area, took + 3), &deal, shared.theme.key);
        canvas.hit(area, Target::Act(Action::Displaced));
        true
    }
}

/// Draws phrases in a row, as many as fit; the last one is cut.
fn phrase_line(area: Rect, phrases: &[(String, Style)], shared: &Shared, canvas: &mut Canvas<'_>) {
    let mut at = 0;
    for (text, style) in phrases.iter().filter(|(text, _)| !text.is_empty()) {
        let room = after(area, at);
        // a word or two at the edge are no help
        if room.width < 4 || at > 0 && room.width < 12 && width(text) > usize::from(room.width) {
            break;
        }
        at += canvas.text(room, text, *style) + if shared.size.width < 96 { 2 } else { 3 };
    }
}

/// Draws the cart in one line: slots, seats, total; false if it is empty.
fn cart_line(area: Rect, shared: &Shared, canvas: &mut Canvas<'_>) -> bool {
    let theme = &shared.theme;
    let Some(view) = shared.cart.view().filter(|view| !view.is_empty()) else {
        return false;
    };
    canvas.text(area, "Cart", theme.label);
    let times = view.lines.iter().filter_map(LineView::time);
    let mut phrases: Vec<(String, Style)> =
        times.map(|time| (format!("{} {}", clean(&time.name), time.when(shared.now)), theme.text)).collect();
    let seats = view.cart.seat_count();
    if seats > 0 {
        phrases.push((words::count(seats, "seat"), theme.text));
    }
    if let Some(currency) = view.cart.currency {
        let total = crate::domain::money::priced(view.total, currency);
        phrases.insert(0, (total, theme.money));
    }
    let pay = shared.keymap.key_text(KeyPlace::Calendar, Action::Pay);
    phrases.insert(1.min(phrases.len()), (format!("{pay} pay"), theme.key));
    phrase_line(after(area, INDENT), &phrases, shared, canvas);
    canvas.hit(area, Target::Act(Action::Pay));
    true
}

/// Draws the legend of the bars on the screen, in the available lines.
fn legend(area: Rect, (shared, kinds): (&Shared, &[Kind]), canvas: &mut Canvas<'_>) {
    let is_wide = shared.size.width >= 96;
    let (held, yours, between) = if is_wide { ("held by another", "in your cart", 3) } else { ("held", "yours", 2) };
    let entries = [
        (Kind::Booked, "booked"),
        (Kind::Unpaid, "not paid"),
        (Kind::Ours, "no charge"),
        (Kind::Show, "performance"),
        (Kind::Held, held),
        (Kind::Yours, yours),
        (Kind::Partly, "some taken"),
        (Kind::Turnaround, "turnaround"),
        (Kind::Maintenance, "maintenance"),
        (Kind::Relocation, "relocation"),
        (Kind::Out, "out of use"),
        (Kind::Displaced, "displaced"),
        (Kind::Closed, "closed"),
    ];
    let is_shown = |kind: &Kind| {
        let is_part_of_it = *kind == Kind::Displaced && kinds.contains(&Kind::Lost);
        kinds.contains(kind) || is_part_of_it
    };
    let shown = entries.into_iter().filter(|(kind, _)| is_shown(kind));
    let (mut at, mut line) = (0, 0);
    for (kind, words) in shown {
        let signs = sample(kind, shared.look()).map(|(sign, style)| Text::styled(sign.to_string(), style));
        let words = Text::styled(format!(" {words}"), shared.theme.quiet);
        let text: Line<'_> = signs.into_iter().chain([words]).collect();
        let columns = cells(text.width());
        if at + columns > area.width {
            (at, line) = (0, line + 1);
        }
        canvas.line(after(row(area, line), at), &text);
        at += columns + between;
    }
}
