//! Head of a group of lines: sign, title, and words or a rule.

use ratatui::layout::Rect;

use crate::domain::text::{clean, fit, width};
use crate::tui::kit::canvas::{Canvas, after};
use crate::tui::widgets::timeline::{Fold, LineKind, Timeline, TimelineRow};

impl Timeline<'_> {
    /// Column where the words of groups begin: after the names, and after the longest title that has words.
    fn words_from(&self) -> u16 {
        let titles = self.lines.iter().filter_map(|line| match &line.what {
            LineKind::Group(_, words) if !words.is_empty() => Some(width(&clean(&line.name)) + 5),
            LineKind::Group(..) | LineKind::Time(_) | LineKind::Sums(_) => None,
        });
        let longest = titles.max().and_then(|longest| u16::try_from(longest).ok());
        self.names.max(longest.unwrap_or(0))
    }

    pub(super) fn group(
        &self,
        (line, here): (&TimelineRow, bool),
        (fold, words): (Fold, &str),
        (place, canvas): (Rect, &mut Canvas<'_>),
    ) {
        let theme = self.look.theme;
        let [open, folded] = self.look.glyphs.fold;
        let sign = match fold {
            Fold::Open => open,
            Fold::Folded => folded,
        };
        let pointer = if here { '>' } else { ' ' };
        let name = clean(&line.name);
        let style = if here { theme.strong } else { theme.title };
        let took = canvas.text(place, &format!("{pointer}{sign} {name}"), style);
        // this line has no bars: a long name continues, and the words come after it
        let right = after(place, self.words_from().max(took + 2));
        let room = usize::from(right.width).saturating_sub(1);
        if words.is_empty() {
            let rule = self.look.glyphs.rule.to_string();
            let right = after(place, took + 1);
            canvas.text(right, &rule.repeat(usize::from(right.width)), theme.hour);
        }
        canvas.text(right, &fit(words, room), theme.quiet);
    }
}
