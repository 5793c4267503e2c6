//! Columns of a performance's row on Tonight, and its sales bar.

use ratatui::style::Style;
use ratatui::text::{Line, Span};

use crate::domain::text::{clean, width};
use crate::engine::reads::tonight::PerformanceRow;
use crate::tui::kit::shared::Shared;
use crate::tui::widgets::bar::fill_spans;
use crate::tui::widgets::padded;

/// Minimum width at which the list of performances names theaters.
const WITH_THEATER: u16 = 56;
/// Minimum width of a start; one in another year needs more.
const WHEN_MIN: usize = 12;
/// Maximum width of a title, of a theater's name, and of a bar.
const TITLE_MAX: usize = 36;
const THEATER_MAX: usize = 24;
const BAR_MAX: usize = 40;
const TITLE_MIN: usize = 4;
const BAR_MIN: usize = 5;

/// Widths of the parts of a performance's row, in columns.
pub(super) struct RowColumns {
    pub(super) when: usize,
    pub(super) title: usize,
    pub(super) theater: usize,
    /// Width of the bar, where bar and percentage fit.
    pub(super) bar: Option<u16>,
}

impl RowColumns {
    /// Names have the columns that they need, and the bar has the rest.
    pub(super) fn new(rows: &[&PerformanceRow], columns: u16, shared: &Shared) -> Self {
        let when = rows.iter().map(|row| width(&start(row, shared))).max().unwrap_or(0).max(WHEN_MIN);
        let longest = |name: fn(&PerformanceRow) -> &str| {
            let names = rows.iter().map(|row| width(&clean(name(row))));
            names.max().unwrap_or(0)
        };
        let theater =
            if columns >= WITH_THEATER { longest(|row| &row.theater).clamp(TITLE_MIN, THEATER_MAX) + 1 } else { 0 };
        let columns = usize::from(columns);
        let fixed = 3 + when + 1 + 1 + theater + 5 + 1 + 6;
        let rest = columns.saturating_sub(fixed);
        if rest < TITLE_MIN + BAR_MIN {
            // free seats, and one column for the scroll bar
            let fixed = 3 + when + 1 + 1 + theater + 5 + 3 + 1;
            return Self { when, title: columns.saturating_sub(fixed).max(1), theater, bar: None };
        }
        let title = longest(|row| &row.title).clamp(TITLE_MIN, TITLE_MAX);
        let bar = rest.saturating_sub(title).clamp(BAR_MIN, BAR_MAX);
        Self { when, title: rest.saturating_sub(bar).min(TITLE_MAX), theater, bar: u16::try_from(bar).ok() }
    }

    pub(super) fn head(&self, shared: &Shared) -> Line<'static> {
        let Self { when, title, theater, .. } = *self;
        let place = if theater > 0 { "where" } else { "" };
        let taken = if self.bar.is_some() { "  taken" } else { " +1" };
        let text = format!("   {:<when$} {} {place:<theater$} free{taken}", "when", padded("show", title));
        Line::styled(text, shared.theme.quiet)
    }
}

/// Start of a performance where it plays, with the year if it is another than the present.
pub(super) fn start(of: &PerformanceRow, shared: &Shared) -> String {
    shared.here().in_zone(of.zone).format(of.start, "%a %-d %H:%M")
}

/// Free seats with a bar of the taken ones, or the reason why none are on sale.
pub(super) fn selling(shared: &Shared, (of, bar): (&PerformanceRow, Option<u16>), text: Style) -> Vec<Span<'static>> {
    let theme = &shared.theme;
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
        let indent = if bar.is_some() { "      " } else { "" };
        return vec![Span::styled(format!("{indent}{note}"), theme.quiet)];
    }
    let taken = of.seats.saturating_sub(of.free);
    let free = if of.free == 0 { " none".to_owned() } else { format!("{:>5}", of.free) };
    let share = u64::from(taken) * 100 / u64::from(of.seats.max(1));
    let free = Span::styled(free, if of.free == 0 { text } else { theme.strong });
    let Some(bar) = bar else {
        return vec![free];
    };
    let mut spans = vec![free, Span::raw(" ")];
    spans.extend(fill_spans(bar, (taken, of.seats), shared.look()));
    spans.push(Span::styled(format!(" {share:>3}%"), text));
    spans
}
