//! Countdown of a hold: a bar, and words for the coming end.
//!
//! The last two minutes warn, the last thirty seconds alarm, each in shape and word as well as in colour.

use chrono_tz::Tz;
use ratatui::layout::Rect;
use ratatui::style::Style;

use crate::domain::time::{Instant, Span};
use crate::tui::kit::canvas::Canvas;
use crate::tui::widgets::Look;
use crate::tui::widgets::bar::{bar, filled};

/// Remaining time from which the countdown warns.
pub const WARNING: Span = Span::seconds(120);
/// Remaining time from which the countdown alarms.
pub const DANGER: Span = Span::seconds(30);

const _: () = assert!(DANGER.millis() < WARNING.millis());

/// A deadline, measured against the current time.
#[derive(Clone, Copy, Debug)]
pub struct Countdown {
    /// Current time.
    pub now: Instant,
    /// The deadline.
    pub until: Instant,
    /// Length of the hold when it began.
    pub whole: Span,
    /// Time zone of the words.
    pub zone: Tz,
}

impl Countdown {
    /// Remaining time.
    #[must_use]
    pub fn left(&self) -> Span {
        self.until.since(self.now)
    }

    /// Style for the remaining time.
    #[must_use]
    pub fn style(&self, look: Look<'_>) -> Style {
        look.theme.countdown(self.left().millis().saturating_add(999) / 1000)
    }

    /// The coming end and its time with the key that extends, longest wording first; draw the first that fits.
    #[must_use]
    pub fn words(&self, extend: &str) -> [String; 3] {
        let at = self.until.format(self.zone, "%H:%M:%S");
        if self.left() <= DANGER {
            [
                format!("! seats go back at {at}  {extend} extends"),
                format!("! seats go back {at}"),
                format!("! free {at}"),
            ]
        } else if self.left() <= WARNING {
            [
                format!("seats go back at {at}  {extend} extends"),
                format!("seats go back at {at}"),
                format!("free at {at}"),
            ]
        } else {
            [format!("held until {at}  {extend} extends"), format!("held until {at}"), format!("until {at}")]
        }
    }

    /// Draws the bar.
    pub fn draw(&self, area: Rect, canvas: &mut Canvas<'_>) {
        let look = canvas.look;
        let seconds = |span: Span| u32::try_from(span.millis() / 1000).unwrap_or(u32::MAX);
        let full = filled(area.width, (seconds(self.left()), seconds(self.whole)));
        let held = if self.left() <= WARNING { self.style(look) } else { look.theme.bar };
        let signs = [(look.glyphs.bar, held), (look.glyphs.bar_rest, look.theme.bar_rest)];
        bar(area, full, signs, canvas);
    }
}

#[cfg(test)]
mod tests {
    use super::Countdown;
    use crate::domain::time::Span;
    use crate::tui::kit::theme::GlyphSet;
    use crate::tui::widgets::testing::{drawn, now, painted};

    fn countdown(seconds: i64) -> Countdown {
        Countdown {
            now: now(),
            until: now() + Span::seconds(seconds),
            whole: Span::minutes(10),
            zone: chrono_tz::Europe::London,
        }
    }

    #[test]
    fn the_bar_shrinks_and_the_words_get_urgent() {
        for (seconds, bar, words) in [
            (600, "━━━━━━━━━━", "held until 18:10:00  e extends"),
            (300, "━━━━━┅┅┅┅┅", "held until 18:05:00  e extends"),
            (120, "━━┅┅┅┅┅┅┅┅", "seats go back at 18:02:00  e extends"),
            (30, "━┅┅┅┅┅┅┅┅┅", "! seats go back at 18:00:30  e extends"),
            (0, "┅┅┅┅┅┅┅┅┅┅", "! seats go back at 18:00:00  e extends"),
        ] {
            let count = countdown(seconds);
            let (shown, _) = drawn((10, 1), GlyphSet::Unicode, |_, area, canvas| {
                count.draw(area, canvas);
            });
            assert_eq!(shown, [bar]);
            assert_eq!(count.words("e")[0], words);
        }
    }

    #[test]
    fn the_colour_changes_at_two_minutes_and_at_thirty_seconds() {
        let styles: Vec<_> = [121, 120, 31, 30]
            .map(|seconds| {
                let (buffer, _) = painted((10, 1), GlyphSet::Ascii, |_, area, canvas| {
                    countdown(seconds).draw(area, canvas);
                });
                buffer[(0, 0)].style()
            })
            .to_vec();
        assert_ne!(styles[0], styles[1]);
        assert_eq!(styles[1], styles[2]);
        assert_ne!(styles[2], styles[3]);
    }
}
