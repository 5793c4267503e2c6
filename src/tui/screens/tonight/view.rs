//! Drawing of Tonight.

use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use crate::domain::text::{clean, fit, width};
use crate::domain::time::Instant;
use crate::engine::reads::tonight::{Need, NeedKind, PerformanceRow};
use crate::engine::reads::waitlist::WaitlistLength as Waiting;
use crate::tui::canvas::{Canvas, Frame, row};
use crate::tui::screens::tonight::columns::{RowColumns, selling};
use crate::tui::screens::tonight::hints::key_hints;
use crate::tui::screens::tonight::listing::{Filter, Sort};
use crate::tui::screens::tonight::picture::has_picture;
use crate::tui::screens::tonight::{Panel, TonightScreen, needs};
use crate::tui::shared::Shared;
use crate::tui::targets::List;
use crate::tui::widgets::table::{Keys, Table};
use crate::tui::widgets::{padded, paragraph};
use crate::tui::wording;

/// Indent of the waiting customers: the columns of the time.
const WAITING_INDENT: usize = 15;
/// Maximum number of lines for a need.
const NEED_LINES: usize = 3;
/// Minimum height of the latest sales.
const LATEST_MIN: u16 = 5;
/// Width of a need's due time, in columns.
const NEED_WHEN: usize = 10;

impl TonightScreen {
    /// Draws the screen: on a large terminal with a picture of the selected house, else with its tally.
    pub(crate) fn view(&self, shared: &Shared, area: Rect, canvas: &mut Canvas<'_>) {
        if has_picture(shared) {
            self.view_with_picture(shared, area, canvas);
        } else {
            self.view_with_tally(shared, area, canvas);
        }
    }

    fn view_with_picture(&self, shared: &Shared, area: Rect, canvas: &mut Canvas<'_>) {
        let [left, _, right] = area.layout(&Layout::horizontal([
            Constraint::Fill(11),
            Constraint::Length(1),
            Constraint::Fill(10),
        ]));
        let needs = u16::try_from(self.needs(shared.now).len()).unwrap_or(u16::MAX);
        let needs = needs.saturating_mul(2).saturating_add(2);
        let needs = needs.clamp(4, left.height / 2);
        let waiting = |row: &&PerformanceRow| usize::from(row.waiting.people > 0);
        let rows = self.rows(shared.now);
        let lines = rows.len() + rows.iter().map(waiting).sum::<usize>() + 3;
        let lines = u16::try_from(lines).unwrap_or(u16::MAX);
        let latest = left.height.saturating_sub(needs + lines.max(6));
        let latest = if latest < LATEST_MIN { 0 } else { latest };
        let [performances, needs, latest] = left.layout(&Layout::vertical([
            Constraint::Fill(1),
            Constraint::Length(needs),
            Constraint::Length(latest),
        ]));
        let takings = (area.height / 4).clamp(8, 14);
        let [picture, takings] = right.layout(&Layout::vertical([
            Constraint::Fill(1),
            Constraint::Length(takings),
        ]));
        self.performances(shared, performances, canvas);
        self.needs_panel(shared, needs, canvas);
        self.latest_panels(shared, latest, canvas);
        self.picture_panel(shared, picture, canvas);
        self.takings_panel(shared, takings, canvas);
    }

    fn view_with_tally(&self, shared: &Shared, area: Rect, canvas: &mut Canvas<'_>) {
        let zones = self.tally.value().map_or(3, Vec::len);
        let below = u16::try_from(zones + 5)
            .unwrap_or(9)
            .clamp(8, 12)
            .min(area.height / 2);
        let [above, below] = area.layout(&Layout::vertical([
            Constraint::Min(6),
            Constraint::Length(below),
        ]));
        let needs_columns = (area.width * 38 / 100).clamp(28, 60);
        let [performances, needs] = above.layout(&Layout::horizontal([
            Constraint::Min(30),
            Constraint::Length(needs_columns),
        ]));
        let [tally, takings] = below.layout(&Layout::horizontal([
            Constraint::Min(40),
            Constraint::Length((area.width / 4).clamp(22, 36)),
        ]));
        self.performances(shared, performances, canvas);
        self.needs_panel(shared, needs, canvas);
        self.tally_panel(shared, tally, canvas);
        self.takings_panel(shared, takings, canvas);
    }

    fn performances(&self, shared: &Shared, area: Rect, canvas: &mut Canvas<'_>) {
        let focused = self.panel == Panel::Performances;
        let titles = ("Performances".to_owned(), self.window_words(shared));
        let inner = panel(shared, (area, focused), titles, canvas);
        let rows = self.rows(shared.now);
        if rows.is_empty() {
            self.no_performances(shared, inner, canvas);
            return;
        }
        let mut lines = Vec::new();
        for (index, row) in rows.iter().enumerate() {
            lines.push((index, self.performance(shared, row, inner.width)));
            if let Some(words) = waiting_words(row) {
                let room = usize::from(inner.width).saturating_sub(WAITING_INDENT + 1);
                let words = " ".repeat(WAITING_INDENT) + &paragraph(&words, room, 1).concat();
                lines.push((index, Line::styled(words, shared.theme.strong)));
            }
        }
        let table = Table {
            lines,
            cursor: rows.iter().position(|row| Some(row.id) == self.selected),
            keys: if focused { Keys::Here } else { Keys::Elsewhere },
            list: List::Performances,
        };
        canvas.line(row(inner, 0), &RowColumns::new(inner.width).head(shared));
        let list = Rect {
            y: inner.y + 1,
            height: inner.height.saturating_sub(1),
            ..inner
        };
        table.draw(list, shared.look(), canvas);
    }

    fn window_words(&self, shared: &Shared) -> String {
        let week = if self.weeks == 0 {
            "next 7 days".to_owned()
        } else {
            let (from, before) = self.window(shared.now, shared.zone);
            let last = before - crate::domain::time::Span::minutes(60);
            let day = |at: Instant| at.format(shared.zone, "%-d %b");
            format!("{} to {}", day(from), day(last))
        };
        let sort = if self.sort == Sort::Start {
            ""
        } else {
            self.sort.words()
        };
        let all = [week, self.filter.words(), sort.to_owned()];
        let said: Vec<String> = all.into_iter().filter(|words| !words.is_empty()).collect();
        said.join(", ")
    }

    fn no_performances(&self, shared: &Shared, area: Rect, canvas: &mut Canvas<'_>) {
        let filtered = self.filter != Filter::All;
        let next = self.beyond.value().and_then(|rows| rows.first());
        let page = self.page.value();
        let text = if let Some(words) = shared.placeholder(&self.page) {
            words
        } else if filtered && page.is_some_and(|page| !page.performances.is_empty()) {
            shared.keyed(
                "No performance of these days matches this filter. <filter>: the next filter.",
            )
        } else if page.is_some_and(|page| !page.has_theater) {
            "There is no theater yet. `willcall theater add` makes one.".to_owned()
        } else if let Some(next) = next {
            let when = wording::day_time(next.start, next.zone);
            let title = clean(&next.title);
            shared.keyed(&format!(
                "No performance in these days. The next is {title}, {when}: <later> goes there."
            ))
        } else {
            "No performance in these days. `willcall performance add` plans one.".to_owned()
        };
        let columns = usize::from(area.width.saturating_sub(4));
        for (line, at) in paragraph(&text, columns, 4).iter().zip(1..) {
            canvas.text(row(area, at), &format!("  {line}"), shared.theme.quiet);
        }
    }

    fn performance(&self, shared: &Shared, of: &PerformanceRow, columns: u16) -> Line<'static> {
        let theme = &shared.theme;
        let selected = Some(of.id) == self.selected;
        let alarm = self.page.value().is_some_and(|page| {
            page.needs.iter().any(|need| {
                matches!(&need.what, NeedKind::Work(work) if work.performance == Some(of.id))
            })
        });
        let over = of.canceled || of.end <= shared.now;
        let text = if over { theme.quiet } else { theme.text };
        let when = of.start.format(of.zone, "%a %-d %H:%M");
        let RowColumns {
            title,
            theater,
            bar,
        } = RowColumns::new(columns);
        let mut line = Line::from(vec![
            Span::styled(if selected { ">" } else { " " }, theme.strong),
            if alarm {
                Span::styled("!", theme.danger)
            } else {
                Span::raw(" ")
            },
            Span::styled(format!("{when:>12} "), text),
            Span::styled(
                padded(&of.title, title),
                if over { text } else { theme.strong },
            ),
            Span::raw(" "),
        ]);
        if theater > 0 {
            let place = padded(&of.theater, theater - 1);
            line.push_span(Span::styled(format!("{place} "), theme.quiet));
        }
        line.spans.extend(selling(shared, (of, bar), text));
        line
    }

    fn needs_panel(&self, shared: &Shared, area: Rect, canvas: &mut Canvas<'_>) {
        let theme = &shared.theme;
        let focused = self.panel == Panel::Needs;
        let needs = self.needs(shared.now);
        let count = if needs.is_empty() {
            String::new()
        } else {
            needs.len().to_string()
        };
        let inner = panel(
            shared,
            (area, focused),
            ("Needs you".to_owned(), count),
            canvas,
        );
        if needs.is_empty() {
            let words = if self.page.value().is_some() {
                "  Nothing now."
            } else {
                "  ..."
            };
            canvas.text(row(inner, 1), words, theme.quiet);
            return;
        }
        let lines = self.need_lines(shared, &needs, inner.width);
        let (list, hint) = if focused && inner.height > 4 {
            let height = inner.height - 1;
            (Rect { height, ..inner }, row(inner, height))
        } else {
            (inner, row(inner, inner.height))
        };
        let gap = if inner.width < 30 { "" } else { " " };
        let hints = key_hints(shared, gap, hint.width);
        canvas.line(hint, &hints);
        let table = Table {
            lines,
            cursor: Some(self.need),
            keys: if focused { Keys::Here } else { Keys::Elsewhere },
            list: List::Needs,
        };
        table.draw(list, shared.look(), canvas);
    }

    fn need_lines(
        &self,
        shared: &Shared,
        needs: &[&Need],
        columns: u16,
    ) -> Vec<(usize, Line<'static>)> {
        let columns = usize::from(columns).saturating_sub(NEED_WHEN + 2);
        let mut lines = Vec::new();
        for (index, need) in needs.iter().enumerate() {
            let (when, urgent, words) = self.need_when(shared, need);
            let selected = self.panel == Panel::Needs && index == self.need;
            let text = paragraph(&clean(&needs::words(need)), columns, NEED_LINES);
            for (at, part) in text.into_iter().enumerate() {
                let mark = if at == 0 && selected { ">" } else { " " };
                let when = if at == 0 { when.as_str() } else { "" };
                let line = Line::from(vec![
                    Span::styled(mark, shared.theme.strong),
                    Span::styled(when.to_owned(), urgent),
                    Span::raw(" ".repeat(NEED_WHEN.saturating_sub(width(when)))),
                    Span::styled(part, words),
                ]);
                lines.push((index, line));
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
        let when = needs::when(need, shared.now, shared.zone);
        (fit(&when, NEED_WHEN - 1), style, theme.text)
    }
}

/// Customers waiting for seats of a performance; none if there are none.
fn waiting_words(of: &PerformanceRow) -> Option<String> {
    let Waiting { people, seats } = of.waiting;
    let crowd = if people == 1 { "person" } else { "people" };
    (people > 0).then(|| {
        format!(
            "waiting list: {people} {crowd}, {}",
            wording::count(seats, "seat")
        )
    })
}

/// Draws a panel with a title at each side; returns its inside.
pub(super) fn panel(
    shared: &Shared,
    (area, focused): (Rect, bool),
    (title, right): (String, String),
    canvas: &mut Canvas<'_>,
) -> Rect {
    let theme = &shared.theme;
    let right = if right.is_empty() {
        right
    } else {
        format!(" {right} ")
    };
    let room = usize::from(area.width).saturating_sub(width(&right) + 5);
    canvas.panel(
        area,
        Frame {
            title: Line::styled(format!(" {} ", fit(&title, room)), theme.title),
            right: Line::styled(right, theme.quiet),
            set: shared.glyphs.frame,
            style: if focused { theme.focus } else { theme.border },
        },
    )
}
