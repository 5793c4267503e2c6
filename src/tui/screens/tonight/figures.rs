//! Figures on Tonight: sales of the selected performance by zone, and today's takings by station.

use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::domain::money::Currency;
use crate::domain::presence::Present;
use crate::domain::text::{clean, fit, width};
use crate::domain::time::{Instant, Local};
use crate::engine::reads::tonight::{MoneyByMeans, PerformanceRow, Takings};
use crate::tui::kit::canvas::{Canvas, Focus, cells, first_rows, from_row, inset, row};
use crate::tui::kit::shared::Shared;
use crate::tui::kit::theme::Theme;
use crate::tui::screens::tonight::TonightScreen;
use crate::tui::screens::tonight::tally_columns::{TallyColumns, sum};
use crate::tui::widgets::padded;
use crate::words;

/// Minimum width of a station's name; where the name would be shorter, its number of seats goes.
const STATION_MIN: usize = 7;
/// Lines needed for the takings.
const TAKINGS_MIN: u16 = 5;

impl TonightScreen {
    /// Title of the selected performance's panel: the performance, and its share of taken seats.
    pub(super) fn heading(&self, shared: &Shared) -> [String; 2] {
        let rows = self.rows(shared);
        let of = rows.iter().find(|row| Some(&row.id) == self.selected.key());
        of.map_or_else(|| ["How it sells".to_owned(), String::new()], |of| heading(of, shared.now))
    }

    pub(super) fn tally_panel(&self, shared: &Shared, area: Rect, canvas: &mut Canvas<'_>) {
        let inner = canvas.panel(area, self.heading(shared), Focus::Elsewhere);
        let Some(zones) = self.tally(shared) else {
            return;
        };
        let columns = TallyColumns::new(zones, inner.width);
        canvas.line(row(inner, 0), &columns.head(shared));
        let room = usize::from(inner.height).saturating_sub(3);
        let shown = if zones.len() > room { room.saturating_sub(1) } else { zones.len() };
        let (shown, rest) = zones.split_at(shown);
        let mut at = 1;
        for (zone, tally) in shown {
            canvas.line(row(inner, at), &columns.line(shared, zone, tally));
            at += 1;
        }
        if !rest.is_empty() {
            let sum = sum(rest.iter().map(|(_, tally)| tally));
            let words = format!("{} more", rest.len());
            canvas.line(row(inner, at), &columns.line(shared, &words, &sum));
            at += 1;
        }
        if zones.len() > 1 {
            let rule = shared.rule(cells(columns.width()));
            canvas.text(row(inner, at), &format!("  {rule}"), shared.theme.border);
            let all = sum(zones.iter().map(|(_, tally)| tally));
            canvas.line(row(inner, at + 1), &columns.line(shared, "House", &all));
        }
    }

    pub(super) fn takings_panel(&self, shared: &Shared, area: Rect, canvas: &mut Canvas<'_>) {
        let page = self.page(shared);
        let takings = page.map_or(&[][..], |page| page.takings.as_slice());
        let area = stations(shared, area, canvas);
        let totals = totals(takings);
        let only = match totals.as_slice() {
            [(currency, _)] => Some(*currency),
            _ => None,
        };
        let words = only.map_or_else(String::new, |currency| currency.to_string());
        let inner = inset(canvas.panel(area, ["Taken today", &words], Focus::Elsewhere));
        if takings.is_empty() {
            let words = if page.is_some() { "nothing yet" } else { "" };
            canvas.text(row(inner, 0), words, shared.theme.quiet);
            return;
        }
        let widths = totals.iter().map(|(currency, total)| words::money(*total, *currency).len());
        let sums = Sums { shared, widest: widths.max().unwrap_or(0), totals, only };
        let used = sums.draw(inner, takings, canvas);
        if let [means] = page.map_or(&[][..], |page| page.means.as_slice()) {
            means_line(shared, row(inner, used), means, canvas);
        }
    }
}

/// Draws the stations on line, when there are others, above the takings, where both fit; returns the remaining area.
fn stations(shared: &Shared, area: Rect, canvas: &mut Canvas<'_>) -> Rect {
    let present = shared.stations.present();
    let lines = cells(present.len()).min(area.height.saturating_sub(TAKINGS_MIN + 2));
    let alone = present.iter().all(|on| on.station == shared.station);
    if alone || lines == 0 {
        return area;
    }
    let titles = ["Stations", &format!("{} on", present.len())];
    let inner = canvas.panel(first_rows(area, lines + 2), titles, Focus::Elsewhere);
    let name = present.iter().map(|on| width(&clean(&on.station))).max();
    let name = name.unwrap_or(0).min(usize::from(inner.width) / 2);
    let line = |on: &Present| {
        let mine = on.station == shared.station;
        let style = if mine { shared.theme.text } else { shared.theme.title };
        let words = format!(" {} {}", fit(&on.station, name), clean(&on.operator));
        let room = usize::from(inner.width).saturating_sub(width(&words) + 2);
        let place = fit(&clean(&on.place), room);
        Line::from(vec![Span::styled(words, style), Span::styled(format!("  {place}"), shared.theme.quiet)])
    };
    canvas.lines(inner, present.iter().map(line));
    from_row(area, lines + 2)
}

/// Takings with the layout of their lines.
struct Sums<'a> {
    shared: &'a Shared,
    totals: Vec<(Currency, i64)>,
    /// Common currency of all takings, named in the panel's title.
    only: Option<Currency>,
    /// Columns of the widest total.
    widest: usize,
}

impl Sums<'_> {
    /// Draws the sums; returns the number of lines used.
    fn draw(&self, area: Rect, takings: &[Takings], canvas: &mut Canvas<'_>) -> u16 {
        let theme = &self.shared.theme;
        let amounts = self.totals.iter().map(|total| width(&self.money(*total)));
        let beside = amounts.max().unwrap_or(0) + STATION_MIN + 7;
        let shown = |seats: u32| (usize::from(area.width) >= beside).then_some(seats);
        let below = cells(self.totals.len() + 1);
        let room = area.height.saturating_sub(below);
        let rows: Vec<(&Takings, (Currency, i64))> =
            takings.iter().flat_map(|station| station.totals.iter().map(move |total| (station, *total))).collect();
        // stations without a line of their own share the last one, so that the lines add up to the total
        let room = usize::from(room);
        let alone = if rows.len() > room { room.saturating_sub(1) } else { room };
        let mut at = 0;
        for (station, total) in rows.iter().take(alone) {
            let money = self.money(*total);
            let figures = (shown(station.seats), &*money);
            taking(&station.station, figures, theme, (row(area, at), canvas));
            at += 1;
        }
        let rest = rows.get(alone..).unwrap_or_default();
        if !rest.is_empty() && room > 0 {
            let seats = rest.iter().map(|(station, _)| station.seats).sum();
            let sum = rest.iter().map(|(_, (_, minor))| minor).sum();
            let money = self.only.map(|currency| self.money((currency, sum)));
            let name = format!("{} others", rest.len());
            let money = money.unwrap_or_default();
            taking(&name, (shown(seats), &money), theme, (row(area, at), canvas));
            at += 1;
        }
        canvas.text(row(area, at), &self.shared.rule(area.width), theme.border);
        let seats = takings.iter().map(|station| station.seats).sum();
        for total in &self.totals {
            at += 1;
            let money = self.money(*total);
            taking("all", (shown(seats), &money), theme, (row(area, at), canvas));
        }
        at + 1
    }

    /// Amount, as wide as the widest total.
    fn money(&self, (currency, minor): (Currency, i64)) -> String {
        let amount = format!("{:>1$}", words::money(minor, currency), self.widest);
        if self.only.is_some() { amount } else { format!("{currency} {amount}") }
    }
}

/// Draws the money by means of payment where all of it fits.
fn means_line(shared: &Shared, area: Rect, of: &MoneyByMeans, canvas: &mut Canvas<'_>) {
    let theme = &shared.theme;
    let parts = [("cash", of.cash), ("card", of.card), ("owed", of.owed)];
    let mut line = Line::default();
    for (word, minor) in parts.into_iter().filter(|(_, minor)| *minor != 0) {
        let gap = if line.spans.is_empty() { "" } else { "   " };
        line.push_span(Span::styled(format!("{gap}{word} "), theme.quiet));
        let money = words::money(minor, of.currency);
        line.push_span(Span::styled(money, theme.text));
    }
    if line.width() <= usize::from(area.width) {
        canvas.line(area, &line);
    }
}

/// Takings of all stations, by currency.
fn totals(takings: &[Takings]) -> Vec<(Currency, i64)> {
    let mut totals: Vec<(Currency, i64)> = Vec::new();
    for (currency, minor) in takings.iter().flat_map(|station| &station.totals) {
        match totals.iter_mut().find(|(known, _)| known == currency) {
            Some((_, total)) => *total = total.saturating_add(*minor),
            None => totals.push((*currency, *minor)),
        }
    }
    totals
}

fn heading(of: &PerformanceRow, now: Instant) -> [String; 2] {
    let taken = of.seats.saturating_sub(of.free);
    let title =
        format!("{} | {} | {}", clean(&of.title), words::day_time(of.start, Local { now, zone: of.zone }), of.theater);
    let right = format!("{}  {taken} of {} taken", until_words(of, now), of.seats);
    [title, right]
}

fn until_words(of: &PerformanceRow, now: Instant) -> String {
    if of.canceled {
        return "canceled".to_owned();
    }
    if of.start <= now {
        return "has begun".to_owned();
    }
    let minutes = of.start.since(now).millis() / 60_000;
    match minutes {
        0..60 => format!("in {minutes} min"),
        60..600 => format!("in {} h {:02}", minutes / 60, minutes % 60),
        600..2880 => format!("in {} h", minutes / 60),
        _ => format!("in {} days", minutes / 1440),
    }
}

/// Line of a station: name, seats where all names fit beside them, and money.
fn taking(name: &str, (seats, money): (Option<u32>, &str), theme: &Theme, (area, canvas): (Rect, &mut Canvas<'_>)) {
    let seats = seats.map_or(String::new(), |seats| format!("{seats:>5}"));
    let room = usize::from(area.width).saturating_sub(width(money) + seats.len() + 2);
    canvas.text(area, &format!("{}{seats}", padded(name, room)), theme.text);
    canvas.text_right(area, money, theme.money);
}
