//! Figures on Tonight: sales of the selected performance by zone, and today's takings by station.

use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::domain::money::Currency;
use crate::domain::presence::Present;
use crate::domain::text::{clean, fit, width};
use crate::domain::time::Instant;
use crate::engine::reads::tonight::{MoneyByMeans, MoneyTaken, PerformanceRow, Takings};
use crate::tui::kit::canvas::{Canvas, Focus, cells, first_rows, from_row, inset, row};
use crate::tui::kit::shared::Shared;
use crate::tui::screens::tonight::TonightScreen;
use crate::tui::screens::tonight::columns::near;
use crate::tui::screens::tonight::tally_columns::{TallyColumns, sum};
use crate::tui::widgets::padded;
use crate::words;

/// Minimum width of a station's name; where it would be shorter, columns go.
const STATION_MIN: usize = 8;
/// Lines needed for the takings.
const TAKINGS_MIN: u16 = 5;

impl TonightScreen {
    /// Title of the selected performance's panel: the performance, and its share of taken seats.
    pub(super) fn heading(&self, shared: &Shared, columns: u16) -> [String; 2] {
        let rows = self.rows(shared);
        let of = rows.iter().find(|row| Some(&row.id) == self.selected.key());
        of.map_or_else(|| ["How it sells".to_owned(), String::new()], |of| heading(of, shared, columns))
    }

    pub(super) fn tally_panel(&self, shared: &Shared, area: Rect, canvas: &mut Canvas<'_>) {
        let inner = canvas.panel(area, self.heading(shared, area.width), Focus::Elsewhere);
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
        let all = totals(takings);
        let only = if let [total] = all.as_slice() { Some(total.currency) } else { None };
        let words = only.map_or_else(String::new, |currency| currency.to_string());
        let inner = inset(canvas.panel(area, ["Taken today", &words], Focus::Elsewhere));
        if takings.is_empty() {
            let words = if page.is_some() { "nothing yet" } else { "" };
            canvas.text(row(inner, 0), words, shared.theme.quiet);
            return;
        }
        let (used, has_means) = Sums { shared, only }.draw(inner, (takings, &all), canvas);
        if let [means] = page.map_or(&[][..], |page| page.means.as_slice()) {
            means_lines(shared, from_row(inner, used), (means, has_means), canvas);
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

/// Takings in lines.
struct Sums<'a> {
    shared: &'a Shared,
    /// Common currency of all takings, named in the panel's title.
    only: Option<Currency>,
}

/// Columns behind the station's name.
const WORDS: [&str; 4] = ["seats", "cash", "card", "total"];

/// Columns that are shown where they fit, the most first.
const SHOWN: [[bool; 4]; 3] = [[true; 4], [true, false, false, true], [false, false, false, true]];

/// Line of takings: name, and a text for each column.
type Figures = (String, [String; 4]);

impl Sums<'_> {
    /// Draws the sums; returns the number of lines used, and whether cash and card have columns.
    fn draw(&self, area: Rect, (takings, all): (&[Takings], &[MoneyTaken]), canvas: &mut Canvas<'_>) -> (u16, bool) {
        let theme = &self.shared.theme;
        let has_head = area.height > 3;
        let below = all.len() + 1 + usize::from(has_head);
        let room = usize::from(area.height).saturating_sub(below);
        let mut rows: Vec<Figures> = takings.iter().flat_map(|one| self.rows_of(one)).collect();
        // stations without a line of their own share the last one, so that the lines add up to the total
        if rows.len() > room {
            let alone = room.saturating_sub(1);
            let rest: Vec<&Takings> = takings.iter().skip(alone).collect();
            let name = format!("{} others", rows.len() - alone);
            rows.truncate(alone);
            // others alone would say the total twice
            let room = if alone == 0 { 0 } else { room };
            let seats = rest.iter().map(|one| one.seats).sum();
            if let ([_], true) = (all, room > 0) {
                let sum = totals(rest).into_iter().next();
                rows.extend(sum.map(|sum| (name, self.figures(Some(seats), sum))));
            } else if room > 0 {
                rows.push((name, [seats.to_string(), String::new(), String::new(), String::new()]));
            }
        }
        let seats: i64 = takings.iter().map(|one| one.seats).sum();
        let sums: Vec<Figures> =
            all.iter().map(|total| ("all".to_owned(), self.figures(Some(seats), *total))).collect();
        let widths = widths(rows.iter().chain(&sums));
        let room = usize::from(area.width);
        let columns =
            |shown: [bool; 4]| widths.into_iter().zip(shown).map(|(width, shown)| if shown { width + 2 } else { 0 });
        let fits = |shown: &[bool; 4]| columns(*shown).sum::<usize>() + STATION_MIN <= room;
        let shown = SHOWN.into_iter().find(fits).unwrap_or([false, false, false, true]);
        let line = |(name, figures): &Figures| {
            let figures = figures.iter().zip(columns(shown)).filter(|(_, columns)| *columns > 0);
            let figures: Vec<String> = figures.map(|(figure, columns)| format!("{figure:>columns$}")).collect();
            let figures = figures.concat();
            (padded(name, room.saturating_sub(width(&figures))), figures)
        };
        let mut at = 0;
        if has_head {
            let (name, figures) = line(&("station".to_owned(), WORDS.map(str::to_owned)));
            canvas.text(row(area, at), &format!("{name}{figures}"), theme.quiet);
            at += 1;
        }
        for one in &rows {
            let (name, figures) = line(one);
            canvas.text(row(area, at), &name, theme.text);
            canvas.text_right(row(area, at), &figures, theme.money);
            at += 1;
        }
        if !rows.is_empty() {
            canvas.text(row(area, at), &self.shared.rule(area.width), theme.border);
            at += 1;
        }
        for one in &sums {
            let (name, figures) = line(one);
            canvas.text(row(area, at), &name, theme.text);
            canvas.text_right(row(area, at), &figures, theme.money);
            at += 1;
        }
        let [_, has_cash, ..] = shown;
        (at, has_head && has_cash)
    }

    /// A line for each currency of a station; its seats stand in the first.
    fn rows_of(&self, of: &Takings) -> Vec<Figures> {
        let seats = std::iter::once(Some(of.seats)).chain(std::iter::repeat(None));
        let rows = of.money.iter().zip(seats);
        rows.map(|(money, seats)| (of.station.clone(), self.figures(seats, *money))).collect()
    }

    fn figures(&self, seats: Option<i64>, of: MoneyTaken) -> [String; 4] {
        let seats = seats.map_or_else(String::new, |seats| seats.to_string());
        let currency = if self.only.is_some() { String::new() } else { format!("{} ", of.currency) };
        let money = |minor: i64| words::money(minor, of.currency);
        [seats, money(of.cash), money(of.card), format!("{currency}{}", money(of.total()))]
    }
}

/// Widths of the columns, with their heads.
fn widths<'f>(rows: impl Iterator<Item = &'f Figures>) -> [usize; 4] {
    let heads = WORDS.map(width);
    rows.fold(heads, |widest, (_, figures)| {
        let mut figures = figures.iter();
        widest.map(|columns| figures.next().map_or(columns, |text| columns.max(width(text))))
    })
}

/// Draws the money by means of payment, as much beside one another as fits; cash and card where no column has them.
fn means_lines(shared: &Shared, area: Rect, (of, has_means): (&MoneyByMeans, bool), canvas: &mut Canvas<'_>) {
    let theme = &shared.theme;
    let taken = |minor| if has_means { 0 } else { minor };
    let parts = [("cash", taken(of.cash)), ("card", taken(of.card)), ("owed", of.owed)];
    let mut lines: Vec<Line<'_>> = Vec::new();
    for (word, minor) in parts.into_iter().filter(|(_, minor)| *minor != 0) {
        let part = [format!("{word} "), words::money(minor, of.currency)];
        let wide: usize = part.iter().map(|text| width(text)).sum();
        let [word, money] = part;
        match lines.last_mut().filter(|line| line.width() + 3 + wide <= usize::from(area.width)) {
            Some(line) => line.push_span(Span::styled(format!("   {word}"), theme.quiet)),
            None => lines.push(Line::from(Span::styled(word, theme.quiet))),
        }
        if let Some(line) = lines.last_mut() {
            line.push_span(Span::styled(money, theme.text));
        }
    }
    canvas.lines(area, lines);
}

/// Takings of stations, by currency.
fn totals<'t>(takings: impl IntoIterator<Item = &'t Takings>) -> Vec<MoneyTaken> {
    let mut totals: Vec<MoneyTaken> = Vec::new();
    for one in takings.into_iter().flat_map(|station| &station.money) {
        match totals.iter_mut().find(|known| known.currency == one.currency) {
            Some(known) => {
                known.cash += one.cash;
                known.card += one.card;
            }
            None => totals.push(*one),
        }
    }
    totals
}

fn heading(of: &PerformanceRow, shared: &Shared, columns: u16) -> [String; 2] {
    let when = near(of, shared).map_or_else(
        || words::day_time(of.start, shared.here().in_zone(of.zone)),
        |day| format!("{day} {}", of.start.format(of.zone, "%H:%M")),
    );
    let left = if of.canceled { "none on sale".to_owned() } else { format!("{} free", of.free) };
    // the theater gives way to the free seats, and a long title leaves both and the time standing
    let room = usize::from(columns).saturating_sub(width(&left) + 7);
    let name = fit(&clean(&of.title), room.saturating_sub(width(&when) + 2));
    let title = format!("{name}  {when}");
    let whole = format!("{title} · {}", clean(&of.theater));
    let title = if width(&whole) <= room { whole } else { title };
    [title, format!("{}  of {} seats  {left}", until_words(of, shared.now), of.seats)]
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
