//! Drawing of Tonight.

use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use crate::domain::text::{clean, fit, width};
use crate::domain::time::Instant;
use crate::engine::reads::tonight::{Need, NeedKind, PerformanceRow};
use crate::tui::kit::action::Action;
use crate::tui::kit::canvas::{Canvas, Focus, after, cells, from_row, last_row, row};
use crate::tui::kit::hints::hints;
use crate::tui::kit::keymap::KeyPlace;
use crate::tui::kit::list::LazyLine;
use crate::tui::kit::shared::Shared;
use crate::tui::kit::targets::RowList;
use crate::tui::screens::tonight::columns::{RowColumns, THEATER, selling, title};
use crate::tui::screens::tonight::house_picture::has_picture;
use crate::tui::screens::tonight::performance_order::{PerformanceFilter, Sort};
use crate::tui::screens::tonight::{Panel, TonightScreen, needs};
use crate::tui::widgets::{padded, paragraph};

/// Maximum number of lines for the need under the cursor; others have one.
const NEED_LINES: usize = 3;
/// Minimum height of the latest sales.
const LATEST_MIN: u16 = 5;
/// Width from which the lists have more of it than they need for their numbers.
const WIDE_LISTS: u16 = 110;
/// Width below which the picture has columns for the letters of a small house's rows.
const NARROW: u16 = 90;
/// Height below which the takings are short.
const LOW: u16 = 24;
/// Minimum width for blanks between the keys of a need.
const AIRY_FROM: u16 = 30;
/// Columns of a need's words from which its key stands behind them.
const WITH_VERB: usize = 36;
/// Notice in a house where nobody signs in.
const NO_OPERATORS: &str = "No operators: all may do anything";
/// Width of a need's due time, in columns.
const NEED_WHEN: usize = 10;

impl TonightScreen {
    /// Draws the screen: with a picture of the selected house where it has room, else with its tally.
    pub(super) fn draw(&self, shared: &Shared, area: Rect, canvas: &mut Canvas<'_>) {
        if has_picture(shared) {
            self.view_with_picture(shared, area, canvas);
        } else {
            self.view_with_tally(shared, area, canvas);
        }
    }

    fn view_with_picture(&self, shared: &Shared, area: Rect, canvas: &mut Canvas<'_>) {
        let [wide, narrow] = match area.width {
            ..NARROW => [8, 7],
            NARROW..WIDE_LISTS => [6, 5],
            _ => [4, 3],
        };
        let beside = [Constraint::Fill(wide), Constraint::Length(1), Constraint::Fill(narrow)];
        let [left, _, right] = area.layout(&Layout::horizontal(beside));
        let lines = cells(self.rows(shared).len() + 3);
        let free = left.height.saturating_sub(lines.max(6));
        let needs = self.needs_height(shared, (left.width, free)).min(left.height / 2);
        let latest = left.height.saturating_sub(needs + lines.max(6));
        let latest = if latest < LATEST_MIN { 0 } else { latest };
        let [performances, needs, latest] = left.layout(&Layout::vertical([
            Constraint::Fill(1),
            Constraint::Length(needs),
            Constraint::Length(latest),
        ]));
        let takings = if area.height < LOW { 6 } else { (area.height / 4).clamp(8, 14) };
        let [picture, takings] = right.layout(&Layout::vertical([Constraint::Fill(1), Constraint::Length(takings)]));
        self.performances(shared, performances, canvas);
        self.needs_panel(shared, needs, canvas);
        self.latest_panels(shared, latest, canvas);
        self.picture_panel(shared, picture, canvas);
        self.takings_panel(shared, takings, canvas);
    }

    /// Lines of the needs, whole where so many are free.
    fn needs_height(&self, shared: &Shared, (columns, free): (u16, u16)) -> u16 {
        let needs = self.open_needs(shared);
        let notice = u16::from(shared.operators.is_empty());
        let about = if self.panel == Panel::Needs { cells(NEED_LINES) } else { 0 };
        let whole = cells(self.need_lines(shared, &needs, (columns.saturating_sub(2), true)).len());
        let each = cells(needs.len()).saturating_add(about);
        let lines = if whole.saturating_add(2 + notice) <= free { whole.max(each) } else { each };
        lines.saturating_add(2 + notice).max(4 + notice)
    }

    fn view_with_tally(&self, shared: &Shared, area: Rect, canvas: &mut Canvas<'_>) {
        let zones = self.tally(shared).map_or(3, Vec::len);
        let below = cells(zones + 5).clamp(8, 12).min(area.height / 2);
        let [above, below] = area.layout(&Layout::vertical([Constraint::Min(6), Constraint::Length(below)]));
        let needs_columns = (area.width * 38 / 100).clamp(24, 60);
        let [performances, needs] =
            above.layout(&Layout::horizontal([Constraint::Min(30), Constraint::Length(needs_columns)]));
        let [tally, takings] = below
            .layout(&Layout::horizontal([Constraint::Min(40), Constraint::Length((area.width / 4).clamp(22, 36))]));
        self.performances(shared, performances, canvas);
        self.needs_panel(shared, needs, canvas);
        self.tally_panel(shared, tally, canvas);
        self.takings_panel(shared, takings, canvas);
    }

    fn performances(&self, shared: &Shared, area: Rect, canvas: &mut Canvas<'_>) {
        let focus = Focus::when(self.panel == Panel::Performances);
        let titles = ["Performances", &self.window_words(shared)];
        let inner = canvas.panel(area, titles, focus);
        let rows = self.rows(shared);
        if rows.is_empty() {
            self.no_performances(shared, inner, canvas);
            return;
        }
        let columns = &RowColumns::new(&rows, inner.width, shared);
        let mut lines: Vec<(usize, LazyLine<'_>)> = Vec::new();
        for (index, (row, day)) in rows.iter().copied().zip(&columns.days).enumerate() {
            let line = move || self.performance(shared, (row, day), columns);
            lines.push((index, Box::new(line)));
        }
        canvas.line(row(inner, 0), &columns.head(shared));
        let ids = rows.iter().map(|row| row.id);
        let mut view = self.selected.view(RowList::Performances, from_row(inner, 1), ids);
        view.focus = focus;
        view.draw(canvas, lines, |line| line());
    }

    fn window_words(&self, shared: &Shared) -> String {
        let week = if self.weeks == 0 {
            "next 7 days".to_owned()
        } else {
            let (from, before) = self.window(shared.now, shared.zone);
            let last = before - crate::domain::time::Span::minutes(60);
            let day = |at: Instant| shared.here().format(at, "%-d %b");
            format!("{} to {}", day(from), day(last))
        };
        let week = if self.lists_next(shared) { format!("none in {week}: the next") } else { week };
        let sort = if self.sort == Sort::Start { "" } else { self.sort.words() };
        let all = [week, self.filter.words(), sort.to_owned()];
        let said: Vec<String> = all.into_iter().filter(|words| !words.is_empty()).collect();
        said.join(", ")
    }

    fn no_performances(&self, shared: &Shared, area: Rect, canvas: &mut Canvas<'_>) {
        let filtered = self.filter != PerformanceFilter::All && self.next(shared).is_some();
        let page = self.page(shared);
        let text = if let Some(words) = shared.in_place_of(&self.question(shared)) {
            words
        } else if filtered || page.is_some_and(|page| !page.performances.is_empty()) {
            shared.keyed("No performance of these days matches this filter. <filter>: the next filter.")
        } else if page.is_some_and(|page| !page.has_theater) {
            shared.keyed("There is no theater yet. <new-theater> adds one.")
        } else {
            shared.keyed("No performance in these days. <new-night> adds one.")
        };
        canvas.note(area, &text);
    }

    fn performance(&self, shared: &Shared, (of, day): (&PerformanceRow, &str), columns: &RowColumns) -> Line<'static> {
        let theme = &shared.theme;
        let alarm = self.page(shared).is_some_and(|page| {
            page.needs.iter().any(|need| matches!(&need.what, NeedKind::Work(work) if work.performance == Some(of.id)))
        });
        let over = of.canceled || of.end <= shared.now;
        let text = if over { theme.quiet } else { theme.text };
        let start = of.start.format(of.zone, "%H:%M");
        let alarm = if alarm { Span::styled("!", theme.danger) } else { Span::raw(" ") };
        let mut line = Line::from(vec![Span::raw(" "), alarm, Span::raw(" ")]);
        line.extend(columns.table.cells(0, [(day, theme.title), (start.as_str(), text)]));
        line.extend(title(of, columns, (if over { text } else { theme.strong }, theme.warning)));
        line.push_span(Span::raw(" "));
        line.extend(columns.table.cells(THEATER, [(&of.theater, theme.quiet)]));
        line.spans.extend(selling(shared, (of, columns), text));
        line
    }

    fn needs_panel(&self, shared: &Shared, area: Rect, canvas: &mut Canvas<'_>) {
        let focus = Focus::when(self.panel == Panel::Needs);
        let needs = self.open_needs(shared);
        let count = match needs.len() {
            0 => String::new(),
            count => count.to_string(),
        };
        let inner = canvas.panel(area, ["Needs you", &count], focus);
        let inner = self.without_notice(shared, inner, canvas);
        if needs.is_empty() {
            let words = if self.page(shared).is_some() { "Nothing now." } else { "..." };
            canvas.note(inner, words);
            return;
        }
        let mut list = inner;
        if focus == Focus::Here && inner.height > 4 {
            list.height -= 1;
            let keys = [(Action::Main, "open"), (Action::Seen, "seen"), (Action::PutOff, "later")];
            let gap = if inner.width < AIRY_FROM { 1 } else { 2 };
            hints(shared, (KeyPlace::Needs, &keys), (after(last_row(inner), 1), gap), canvas);
        }
        let mut view = self.need.view(RowList::Needs, list, self.need_keys(shared));
        view.cursor = view.cursor.filter(|_| focus == Focus::Here);
        let whole = self.need_lines(shared, &needs, (inner.width, true));
        let fits = whole.len() <= usize::from(list.height);
        let lines = if fits { whole } else { self.need_lines(shared, &needs, (inner.width, false)) };
        view.draw(canvas, lines, |line| line);
    }

    /// Says in the last line whether nobody signs in here; returns what is left above it.
    fn without_notice(&self, shared: &Shared, mut inner: Rect, canvas: &mut Canvas<'_>) -> Rect {
        let room = if self.panel == Panel::Needs { 4 } else { 2 };
        if shared.operators.is_empty() && inner.height > room {
            let words = fit(NO_OPERATORS, usize::from(inner.width.saturating_sub(2)));
            canvas.line(after(last_row(inner), 1), &Line::styled(words, shared.theme.quiet));
            inner.height -= 1;
        }
        inner
    }

    /// Lines of the needs: each in one, but for that under the cursor, or all whole.
    fn need_lines(
        &self,
        shared: &Shared,
        needs: &[&Need],
        (columns, is_whole): (u16, bool),
    ) -> Vec<(usize, Line<'static>)> {
        let columns = usize::from(columns).saturating_sub(NEED_WHEN + 2);
        let releases = self.releases(shared);
        let mut lines = Vec::new();
        for (index, need) in needs.iter().enumerate() {
            let verb = if columns < WITH_VERB { String::new() } else { shared.keyed(needs::verb(need)) };
            let columns = columns.saturating_sub(if verb.is_empty() { 0 } else { width(&verb) + 2 });
            let (mut when, urgent, words) = self.need_when(shared, need);
            let is_here = self.panel == Panel::Needs && self.need.key() == Some(&needs::NeedKey::of(need));
            let is_whole = is_whole || is_here;
            let mut said = clean(&needs::words(need, shared.now));
            if releases > 1 && matches!(need.what, NeedKind::KeepEnds { .. }) {
                said = format!("{releases} releases, first {said}");
            }
            let mut verb = verb.split_once(' ').map(|(key, words)| (key.to_owned(), format!(" {words}")));
            let parts = if is_whole { paragraph(&said, columns, NEED_LINES) } else { vec![fit(&said, columns)] };
            for part in parts {
                let blank = " ".repeat(NEED_WHEN.saturating_sub(width(&when)));
                let mut line = Line::from(vec![
                    Span::raw(" "),
                    Span::styled(when.clone(), urgent),
                    Span::raw(blank),
                    Span::styled(padded(&part, columns), words),
                ]);
                if let Some((key, does)) = verb.take() {
                    line.spans.extend([
                        Span::raw("  "),
                        Span::styled(key, shared.theme.key),
                        Span::styled(does, shared.theme.hint),
                    ]);
                }
                lines.push((index, line));
                when.clear();
            }
        }
        lines
    }

    /// A need's due time, the style of that time, and the style of the need's words.
    fn need_when(&self, shared: &Shared, need: &Need) -> (String, Style, Style) {
        let theme = &shared.theme;
        if let Some(until) = self.put_off.until(need, shared.now) {
            let words = if until == Instant::from_millis(i64::MAX) {
                "seen".to_owned()
            } else {
                until.format(shared.zone, "> %H:%M")
            };
            return (words, theme.quiet, theme.quiet);
        }
        let style = if need.at.is_none() {
            theme.danger
        } else if needs::is_counted_down(need, shared.now) {
            theme.warning
        } else {
            theme.strong
        };
        let when = needs::when(need, shared.here());
        (fit(&when, NEED_WHEN - 1), style, theme.text)
    }
}
