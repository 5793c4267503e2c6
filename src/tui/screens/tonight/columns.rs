//! Columns of a performance's row on Tonight, and its sales bar.

use chrono::Timelike as _;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use crate::domain::text::{clean, width};
use crate::engine::reads::tonight::{PerformanceRow, ReadPace};
use crate::tui::kit::shared::Shared;
use crate::tui::kit::table::{Column, Table};
use crate::tui::widgets::bar::{curve, fill_spans};
use crate::tui::widgets::padded;
use crate::words;

/// Minimum width at which the list of performances names theaters.
const WITH_THEATER: u16 = 56;
/// Minimum width at which the list of performances says the date of tomorrow, and the word for it.
const WITH_DATE: u16 = 80;
const WITH_WORD: u16 = 40;
/// Minimum width of the list, and of the terminal, for the sales of the last days, and their width.
const WITH_PACE: u16 = 60;
pub(super) const PACE_FROM: u16 = 110;
const PACE: usize = 6 + 4;
/// Hour from which a performance of today is tonight's.
const EVENING: u32 = 17;
/// Maximum width of a title, of a theater's name, and of a bar.
const TITLE_MAX: usize = 36;
const THEATER_MAX: usize = 24;
const BAR_MAX: usize = 40;
const TITLE_MIN: usize = 4;
/// Columns of a title that come before a bar.
const TITLE_FIRST: usize = 12;
const BAR_MIN: usize = 5;

/// Column of the theater.
pub(super) const THEATER: usize = 3;

/// Widths of the parts of a performance's row, in columns.
pub(super) struct RowColumns {
    /// Days of the rows: of a row of the same day as the one above, nothing.
    pub(super) days: Vec<String>,
    /// Day, start, title and theater.
    pub(super) table: Table<4>,
    title: usize,
    /// Width of the bar, where it fits.
    pub(super) bar: Option<u16>,
    /// True if sales of the last days stand behind the bar.
    paced: bool,
}

impl RowColumns {
    /// Names have the columns that they need, and the bar has the rest.
    pub(super) fn new(rows: &[&PerformanceRow], columns: u16, shared: &Shared) -> Self {
        let paced = shared.size.width >= PACE_FROM && columns >= WITH_PACE;
        let longest = |of: fn(&PerformanceRow) -> usize| rows.iter().map(|row| of(row)).max().unwrap_or(0);
        let behind = if paced { longest(|row| width(&waiting(row))).max(PACE) } else { 0 };
        let theater = longest(|row| width(&clean(&row.theater))).clamp(TITLE_MIN, THEATER_MAX) + 1;
        let theater = if columns >= WITH_THEATER { theater } else { 0 };
        let named = if paced { longest(|row| width(&clean(&row.title))) } else { longest(with_waiting) };
        let title = named.clamp(TITLE_MIN, TITLE_MAX);
        // one column for the scroll bar
        let fixed = 3 + 1 + 5 + 1 + 1 + theater + 5 + 1 + behind + 1;
        let days = |within: u16| -> Vec<String> { rows.iter().map(|row| day(row, shared, within)).collect() };
        let rest = |days: &[String]| {
            let day = days.iter().map(|day| width(day)).max().unwrap_or(0);
            (day, usize::from(columns).saturating_sub(fixed + day))
        };
        let mut all = days(columns);
        if columns < WITH_DATE && rest(&all).1 + 1 < title {
            // a title is worth more than a word for its day
            all = days(WITH_WORD - 1);
        }
        let (day, rest) = rest(&all);
        let above = std::iter::once(None).chain(all.iter().map(Some));
        let once =
            |(day, above): (&String, Option<&String>)| if Some(day) == above { String::new() } else { day.clone() };
        let days: Vec<String> = all.iter().zip(above).map(once).collect();
        let (bar, title) = if rest < title.min(TITLE_FIRST) + BAR_MIN {
            (None, rest + 1)
        } else {
            let bar = rest.saturating_sub(title).clamp(BAR_MIN, BAR_MAX);
            (u16::try_from(bar).ok(), rest.saturating_sub(bar))
        };
        let title = title.min(TITLE_MAX);
        let named = [
            Column::text("", day),
            Column::text("start", 5),
            Column::text("show", title),
            Column::text("where", theater.saturating_sub(1)),
        ];
        Self { days, table: Table::new(named, usize::MAX), title, bar, paced }
    }

    pub(super) fn head(&self, shared: &Shared) -> Line<'static> {
        let taken = self.bar.map_or_else(String::new, |bar| format!(" {}", padded("taken", bar.into())));
        let sold = if self.paced { "  sold" } else { "" };
        let mut line = Line::raw(" ");
        line.extend(self.table.heading(shared.theme.quiet));
        line.push_span(Span::styled(format!(" free{taken}{sold}"), shared.theme.quiet));
        line
    }
}

/// Day of a performance where it plays, with the year if it is another than the present.
fn day(of: &PerformanceRow, shared: &Shared, columns: u16) -> String {
    let is_near = of.start.since(shared.now) < words::jobs::WEEK;
    let date = shared.here().in_zone(of.zone).format(of.start, if is_near { "%a %-d" } else { "%a %-d %b" });
    match near(of, shared) {
        Some("tomorrow") if columns >= WITH_DATE => format!("TOMORROW {date}"),
        Some("tomorrow") if columns < WITH_WORD => date,
        Some(near) => near.to_uppercase(),
        None => date,
    }
}

/// Word for the day of a performance, if it is today or tomorrow where it plays.
pub(super) fn near(of: &PerformanceRow, shared: &Shared) -> Option<&'static str> {
    let start = of.start.in_zone(of.zone);
    match (start.date_naive() - shared.here().in_zone(of.zone).today()).num_days() {
        0 if start.hour() >= EVENING => Some("tonight"),
        0 => Some("today"),
        1 => Some("tomorrow"),
        _ => None,
    }
}

/// Customers waiting for seats of a performance; empty if there are none.
fn waiting(of: &PerformanceRow) -> String {
    match of.waiting.people {
        0 => String::new(),
        1 => " 1 waits".to_owned(),
        people => format!(" {people} wait"),
    }
}

/// Width of a title and of who waits behind it.
fn with_waiting(of: &PerformanceRow) -> usize {
    width(&clean(&of.title)) + width(&waiting(of))
}

/// Title of a performance; who waits for seats stands at its end where no column behind the bar has room for it.
pub(super) fn title(of: &PerformanceRow, columns: &RowColumns, (text, waits): (Style, Style)) -> [Span<'static>; 2] {
    let waiting = if columns.paced { String::new() } else { waiting(of) };
    let room = columns.title.saturating_sub(width(&waiting));
    [Span::styled(padded(&of.title, room), text), Span::styled(waiting, waits)]
}

/// Seats sold today, and on each of the days before as a curve; empty where nothing was.
fn pace(of: &PerformanceRow, shared: &Shared) -> [String; 2] {
    let paces = shared.reads.get(&ReadPace).map_or(&[][..], Vec::as_slice);
    let days = paces.iter().find(|one| one.performance == of.id).map(|one| one.days);
    let Some([before @ .., today]) = days else {
        return [String::new(), String::new()];
    };
    let today = if today == 0 { String::new() } else { format!("{today:+}") };
    let before = before.map(|seats| u32::try_from(seats).unwrap_or(0));
    [format!(" {today:>4} "), curve(&before, (1, 1), &shared.glyphs).concat()]
}

/// Free seats with a bar of the taken ones and what was sold lately, or the reason why none are on sale.
pub(super) fn selling(
    shared: &Shared,
    (of, columns): (&PerformanceRow, &RowColumns),
    text: Style,
) -> Vec<Span<'static>> {
    let (theme, bar) = (&shared.theme, columns.bar);
    let note = if of.canceled {
        Some("canceled")
    } else if of.end <= shared.now {
        Some("over")
    } else if of.start <= shared.now {
        Some("has begun")
    } else {
        None
    };
    if let Some(note) = note {
        let indent = if bar.is_some() { 6 } else { 0 };
        return vec![Span::styled(format!("{:indent$}{note}", ""), theme.quiet)];
    }
    let taken = of.seats.saturating_sub(of.free);
    let free = if of.free == 0 { " none".to_owned() } else { format!("{:>5}", of.free) };
    let free = Span::styled(free, if of.free == 0 { text } else { theme.strong });
    let mut spans = vec![free, Span::raw(" ")];
    spans.extend(bar.into_iter().flat_map(|bar| fill_spans(bar, (taken, of.seats), shared.look())));
    if columns.paced && of.waiting.people > 0 {
        spans.push(Span::styled(waiting(of), theme.warning));
    } else if columns.paced {
        let [today, before] = pace(of, shared);
        spans.extend([Span::styled(today, text), Span::styled(before, theme.quiet)]);
    }
    spans
}
