//! Drawing of the whole frame: tabs and cart on top, the screen, messages, and the key bar.
//!
//! Drawing changes no state; it fills the table of hit targets.

use std::fmt::Write;

use ratatui::buffer::{Buffer, Cell};
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::{Line, Span as Styled};

use crate::domain::cart::CartState;
use crate::domain::text::{fit, width};
use crate::domain::time::Span;
use crate::engine::reads::carts::LineView;
use crate::tui::app::demo_bar;
use crate::tui::app::{App, SMALLEST};
use crate::tui::data::msg::ClockJump;
use crate::tui::kit::action::Action;
use crate::tui::kit::canvas::{Canvas, after, cells, first_columns, last_columns, row};
use crate::tui::kit::dialog::Dialog;
use crate::tui::kit::keymap::{KeyEntry, KeyPlace};
use crate::tui::kit::screen::Screen;
use crate::tui::kit::shared::{Shared, Tone};
use crate::tui::kit::targets::{Target, Targets};
use crate::tui::widgets::paragraph;

/// Length of a wait from which its duration is shown.
const LONG_WAIT: Span = Span::seconds(1);

/// Minimum width of the undo hint.
const UNDO_LEAST: usize = 16;

/// Minimum width for names on all tabs; below, only the current tab has its name.
const NAMES_FROM: u16 = 76;

/// Draws the whole frame; returns the hit targets of its cells.
pub(crate) fn draw(app: &App, area: Rect, buffer: &mut Buffer) -> Targets {
    let mut targets = Targets::new(area);
    let mut canvas = Canvas { buffer, targets: &mut targets, look: app.shared.look() };
    canvas.style(area, app.shared.theme.ground);
    if app.is_too_small() {
        too_small(app, area, &mut canvas);
        return targets;
    }
    let [header, body, status, keys] =
        Layout::vertical([Constraint::Length(1), Constraint::Fill(1), Constraint::Length(1), Constraint::Length(1)])
            .areas(area);
    tabs(app, header, &mut canvas);
    screen!(app).view(&app.shared, body, &mut canvas);
    said(app, status, &mut canvas);
    let free = if app.at == Screen::Calendar {
        app.calendar.beside_line(&app.shared, body)
    } else {
        app.shown().map_or(body, |dialog| beside_cart(app, (body, dialog.beside()), canvas.targets))
    };
    if app.modal.is_some() {
        // cells beside a dialog hit nothing
        canvas.targets.clear(area);
    }
    key_bar(app, keys, &mut canvas);
    if let Some(dialog) = app.shown() {
        let area = if dialog.at_foot() { status } else { free };
        dialog.view(&app.shared, area, &mut canvas);
    }
    let below_header = Rect { height: body.height + status.height, ..body };
    demo_bar::view(app, (below_header, status.height), &mut canvas);
    if let Some(cut) = app.shared.glyphs.cut {
        for cell in &mut buffer.content {
            match cell.symbol() {
                "…" => cell.set_char(cut),
                "·" => cell.set_char('.'),
                "–" => cell.set_char('-'),
                _ => cell,
            };
        }
    }
    targets
}

/// Area of a dialog that takes columns at its right: the left of the body if fewer seats of the cart stand under that.
fn beside_cart(app: &App, (body, columns): (Rect, u16), targets: &Targets) -> Rect {
    let (left, right) = (first_columns(body, columns), last_columns(body, columns));
    let Some((map, view)) = app.seats.map().zip(app.shared.cart.view()).filter(|_| app.at == Screen::Seats) else {
        return body;
    };
    let lines = view.lines.iter().filter(|line| line.is_of(map.performance.id));
    let mine: Vec<_> = lines.flat_map(LineView::seats).map(|(seat, _)| *seat).collect();
    let is_mine = |at| matches!(targets.at(at), Some(Target::Seat(seat)) if mine.contains(seat));
    // the row of the cursor below the map is not the map
    let seats = app.seats.map_area(&app.shared);
    let covered = |part: Rect| part.intersection(seats).positions().filter(|at| is_mine(*at)).count();
    if covered(left) < covered(right) { left } else { body }
}

/// Draws the hint that the terminal is below the minimum size, and the key to quit.
fn too_small(app: &App, area: Rect, canvas: &mut Canvas<'_>) {
    let theme = &app.shared.theme;
    let size = format!("{}x{}", area.width, area.height);
    let smallest = format!("{}x{}", SMALLEST.width, SMALLEST.height);
    let (keys, few_keys) = if app.asks_to_quit() {
        ("your cart is open: Esc stay, k keep it, g give it back", "quit? Esc k g")
    } else {
        ("<quit> quits", "<quit> quits")
    };
    let ways = [
        format!("{size} is too small\nmake it {smallest} or more\n{keys}"),
        format!("make it {smallest}\n{few_keys}"),
        format!("{smallest}\n{few_keys}"),
    ];
    let ways = ways.map(|way| app.shared.keyed(&way));
    let wrapped = |way: &String| wrapped(way, usize::from(area.width));
    let fits = |lines: &Vec<String>| lines.len() <= usize::from(area.height);
    let lines = ways.iter().map(wrapped).find(fits);
    let lines = lines.unwrap_or_else(|| vec![fit(&smallest, usize::from(area.width))]);
    for (line, text) in (0..).zip(lines) {
        canvas.text(row(area, line), &text, theme.strong);
    }
}

/// Lines of a text, wrapped between words.
fn wrapped(text: &str, columns: usize) -> Vec<String> {
    let lines = text.lines();
    lines.flat_map(|line| paragraph(line, columns, usize::MAX)).collect()
}

fn tabs(app: &App, area: Rect, canvas: &mut Canvas<'_>) {
    let theme = &app.shared.theme;
    canvas.style(area, theme.head);
    let mut rest = area;
    for &screen in Screen::ALL {
        let on = app.at == screen;
        let key = app.shared.keymap.key_text(KeyPlace::Everywhere, screen.action());
        let tab = format!("{key} {}", screen.name());
        let text = match (on, area.width < NAMES_FROM) {
            (true, _) if theme.tab_on.bg.is_some() => format!(" {tab} "),
            (true, _) => format!("[{tab}]"),
            (false, false) => format!(" {tab} "),
            (false, true) => format!(" {key} "),
        };
        let took = canvas.text(rest, &text, if on { theme.tab_on } else { theme.tab });
        canvas.hit(first_columns(rest, took), Target::Tab(screen));
        rest = after(rest, took);
    }
    let room = usize::from(rest.width.saturating_sub(1));
    let right = Detail::ALL.map(|detail| header_right(&app.shared, detail));
    let [.., least] = &right;
    let right = right.iter().find(|line| line.width() <= room);
    let right = right.unwrap_or(least);
    canvas.line(last_columns(rest, cells(right.width())), right);
}

/// Level of detail of the header.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Detail {
    All,
    /// Time without the day.
    TimeOnly,
    /// Figures without words.
    Figures,
    /// Without the demo.
    NoDemo,
    /// Without operator and station.
    Nobody,
}

impl Detail {
    const ALL: [Self; 5] = [Self::All, Self::TimeOnly, Self::Figures, Self::NoDemo, Self::Nobody];
}

/// Header at the right: cart and countdown, operator and station, time.
fn header_right(shared: &Shared, detail: Detail) -> Line<'static> {
    let theme = &shared.theme;
    let wide = detail < Detail::Figures;
    let mut spans = Vec::new();
    if let Some(state) = shared.demo.as_ref().filter(|_| detail < Detail::NoDemo) {
        spans.push(Styled::styled(format!("{} {}  ", shared.keyed("<demo>"), demo_bar::words(state)), theme.demo));
    }
    if let Some(view) = shared.cart.view().filter(|view| !view.is_empty()) {
        let text = match (view.state == CartState::Active, wide) {
            (false, _) => "hold ended".to_owned(),
            (true, true) => format!("cart {}", view.cart.expires_at.since(shared.now).clock()),
            (true, false) => view.cart.expires_at.since(shared.now).clock(),
        };
        let seconds = view.cart.expires_at.since(shared.now).millis() / 1000;
        spans.push(Styled::styled(text, theme.countdown(seconds)));
        spans.push(Styled::raw("  "));
    }
    if let Some(since) = shared.away {
        let away = shared.now.since(since).clock();
        let text = match detail {
            Detail::All | Detail::TimeOnly => format!("no database for {away}  "),
            Detail::Figures | Detail::NoDemo => format!("no database {away}  "),
            Detail::Nobody => "no database  ".to_owned(),
        };
        spans.push(Styled::styled(text, theme.warning));
    }
    if shared.clock_jump != ClockJump::None {
        spans.push(Styled::styled("clock?  ", theme.warning));
    }
    if detail < Detail::Nobody {
        let is_locked = !shared.operators.is_empty() && shared.signed_in.is_none();
        let at = if is_locked { shared.station.clone() } else { format!("{}@{}", shared.operator, shared.station) };
        let who = fit(&at, 24);
        spans.push(Styled::styled(format!("{who}  "), theme.quiet));
    }
    let pattern = if detail == Detail::All { "%a %-d %b %H:%M " } else { "%H:%M " };
    spans.push(Styled::raw(shared.now.format(shared.zone, pattern)));
    Line::from(spans)
}

/// True if a line of the screen above an area has a text.
fn is_said(text: &str, area: Rect, canvas: &Canvas<'_>) -> bool {
    let buffer = &canvas.buffer;
    let cells = |y| (area.left()..area.right()).filter_map(move |x| buffer.cell((x, y)));
    (0..area.y).any(|y| cells(y).map(Cell::symbol).collect::<String>().contains(text))
}

/// Draws the last message and the undo hint. What the screen says itself is not repeated.
fn said(app: &App, area: Rect, canvas: &mut Canvas<'_>) {
    let shared = &app.shared;
    let theme = &shared.theme;
    let key = shared.keymap.key_text(KeyPlace::Everywhere, Action::Undo);
    let here = Some(&app.tonight).filter(|_| app.at == Screen::Tonight);
    let undo = here
        .and_then(crate::tui::screens::tonight::TonightScreen::would_undo)
        .or_else(|| shared.cart.would_undo(app.at, shared.now).map(str::to_owned))
        .map(|words| format!("{key} undo: {} ", fit(&words, 24)));
    let stands = app.at == Screen::Seats && shared.cart.refused().is_some();
    let toast = shared.says.toast(shared.now);
    let message =
        toast.filter(|message| !(stands && message.tone == Tone::Refused || is_said(&message.text, area, canvas)));
    // the message takes precedence over the undo hint
    let undo = undo.map(|text| {
        let said = message.map_or(0, |message| width(&message.text) + 4);
        match usize::from(area.width).saturating_sub(said) {
            room if room >= width(&text) => text,
            room @ UNDO_LEAST.. => format!("{} ", fit(text.trim_end(), room - 1)),
            _ => format!("{key} undo "),
        }
    });
    let undo_width = undo.map_or(0, |text| canvas.text_right(area, &text, theme.quiet));
    let Some(message) = message else {
        waiting(app, area, canvas);
        return;
    };
    let (sign, style) = shared.tone(message.tone);
    let room = usize::from(area.width.saturating_sub(undo_width + 4));
    let line = Line::from(vec![
        Styled::styled(format!(" {sign} "), style),
        Styled::styled(fit(&message.text, room), if message.tone == Tone::Refused { style } else { theme.text }),
    ]);
    canvas.line(area, &line);
}

/// Draws the wait spinner; from a second on, with the duration.
fn waiting(app: &App, area: Rect, canvas: &mut Canvas<'_>) {
    let shared = &app.shared;
    let Some((waited, sign)) = shared.waits().zip(shared.waiting_sign()) else {
        return;
    };
    let mut words = format!(" {sign} the house is asked");
    if waited >= LONG_WAIT {
        let _ = write!(words, ", for {} s", waited.millis() / 1000);
    }
    if shared.cart.has_queued() {
        let key = shared.keymap.key_text(KeyPlace::Everywhere, Action::Interrupt);
        let _ = write!(words, "; {key} drops what waits behind it");
    }
    canvas.text(area, &words, shared.theme.quiet);
}

/// Draws the keys in force, as many as fit; help is always shown.
fn key_bar(app: &App, area: Rect, canvas: &mut Canvas<'_>) {
    let Some(place) = app.bar_place() else {
        let keys = app.shown().map_or(&[][..], Dialog::key_bar);
        let enter = app.shown().and_then(|dialog| dialog.enter(&app.shared));
        let words = |(key, words): &(&'static str, &'static str)| match &enter {
            Some(enter) if *key == "Enter" => (*key, enter.clone()),
            _ => (*key, (*words).to_owned()),
        };
        key_line(area, &keys.iter().map(words).collect::<Vec<_>>(), canvas);
        return;
    };
    let keymap = &app.shared.keymap;
    let enter = app.shown().and_then(|dialog| dialog.enter(&app.shared));
    let of_moment = if place == app.screen_place() { screen!(app).of_moment(&app.shared) } else { Vec::new() };
    let at_moment = |entry: &KeyEntry| of_moment.iter().position(|(action, _)| *action == entry.action);
    let words = |entry: &KeyEntry| match (&enter, at_moment(entry).and_then(|at| of_moment.get(at))) {
        (Some(enter), _) if entry.action == Action::Main => enter.clone(),
        (_, Some((_, words))) => (*words).to_owned(),
        (_, None) => entry.bar.clone(),
    };
    let is_meant = |entry: &&KeyEntry| {
        let is_of_use = place != app.screen_place() || screen!(app).offers(entry.action, &app.shared);
        !entry.bar.is_empty() && is_of_use || at_moment(entry).is_some()
    };
    let mut own: Vec<&KeyEntry> = keymap.of(place).filter(is_meant).collect();
    // one word in place of another moves nothing
    if of_moment.len() > 1 {
        own.sort_by_key(|entry| at_moment(entry).unwrap_or(usize::MAX));
    }
    let everywhere: Vec<&KeyEntry> =
        keymap.all(place).filter(|entry| entry.place != place && !entry.bar.is_empty()).collect();
    let columns = |entry: &KeyEntry| {
        let keys = entry.keys.first().map_or(0, |key| width(&key.to_string()));
        cells(keys + width(&words(entry)) + 3)
    };
    let kept: u16 = everywhere.iter().map(|entry| columns(entry)).sum();
    let mut rest = after(area, 1);
    for (entry, reserved) in own.iter().map(|entry| (entry, kept)).chain(everywhere.iter().map(|entry| (entry, 0))) {
        let Some(key) = entry.keys.first() else {
            continue;
        };
        let wanted = columns(entry);
        if wanted.saturating_add(reserved) > rest.width + 2 {
            continue;
        }
        let target = Target::Act(entry.action);
        canvas.key(rest, (&key.to_string(), &words(entry)), target);
        rest = after(rest, wanted);
    }
}

/// Draws keys with their labels in one line; a click on one presses it.
fn key_line(area: Rect, keys: &[(&str, String)], canvas: &mut Canvas<'_>) {
    let mut rest = after(area, 1);
    for (name, words) in keys {
        if let Ok(key) = name.parse() {
            let took = canvas.key(rest, (name, words), Target::Key(key));
            rest = after(rest, took + 2);
        }
    }
}
