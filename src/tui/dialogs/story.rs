//! A seat with its history.

use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::domain::text::{clean, fit};
use crate::engine::reads::inspect::{ReadSeatStory, SeatStory};
use crate::tui::action::Action;
use crate::tui::canvas::{Canvas, centred, row};
use crate::tui::context::Context;
use crate::tui::dialogs::dialog::{Dialog, Flow};
use crate::tui::go::Go;
use crate::tui::keymap::KeyPlace;
use crate::tui::msg::Answer;
use crate::tui::remote::Remote;
use crate::tui::shared::Shared;

/// A seat's story, on its way or here.
#[derive(Debug, Default)]
pub(crate) struct Story {
    story: Remote<ReadSeatStory, SeatStory>,
}

impl Story {
    /// Asks for the story of a seat.
    pub(crate) fn open(query: ReadSeatStory, context: &mut Context<'_>) -> Self {
        let mut story = Self::default();
        context.load(&mut story.story, query);
        story
    }
}

impl Dialog for Story {
    fn place(&self) -> Option<KeyPlace> {
        Some(KeyPlace::Story)
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "few actions are of a story")]
    fn act(&mut self, action: Action, _context: &mut Context<'_>) -> Flow {
        match action {
            Action::Main => {
                let order = self.story.value().and_then(SeatStory::order);
                order.map_or(Flow::Close, |order| Flow::Go(Go::order(order)))
            }
            Action::Close | Action::Quit | Action::Inspect => Flow::Close,
            _ => Flow::Stay,
        }
    }

    fn answer(&mut self, number: u64, answer: Answer, context: &mut Context<'_>) -> Flow {
        if let Answer::Story(story) = answer {
            context.settle(&mut self.story, number, story);
        }
        Flow::Stay
    }

    fn view(&self, shared: &Shared, area: Rect, canvas: &mut Canvas<'_>) {
        let theme = &shared.theme;
        let events = self.story.value().map_or(0, |story| story.events.len());
        let height = u16::try_from(events + 6)
            .unwrap_or(area.height)
            .min(area.height);
        let area = centred(area, 66, height);
        let order = self.story.value().and_then(SeatStory::order);
        let keys = if order.is_some() {
            " <story.main> its order  <story.close> closes "
        } else {
            " <story.close> closes "
        };
        let seat = self.story.value().map_or("", |story| story.seat.as_str());
        let inner = canvas.dialog(
            area,
            shared.glyphs.dialog,
            (
                format!(" Seat {seat} "),
                Line::styled(shared.keyed(keys), theme.hint),
            ),
        );
        let Some(story) = self.story.value() else {
            let note = shared.placeholder(&self.story).unwrap_or_default();
            canvas.text(row(inner, 1), &format!(" {note}"), theme.quiet);
            return;
        };
        let receipt = story
            .receipt
            .as_ref()
            .map(|(_, number)| format!("receipt {number}"));
        let now = [
            Some(story.now.clone()),
            receipt,
            Some(clean(&story.customer)),
            Some(clean(&story.phone)),
        ];
        let now: Vec<String> = now
            .into_iter()
            .flatten()
            .filter(|words| !words.is_empty())
            .collect();
        let room = usize::from(inner.width).saturating_sub(2);
        canvas.text(
            row(inner, 1),
            &format!(" {}", fit(&now.join("   "), room)),
            theme.strong,
        );
        for (line, event) in (3..).zip(&story.events) {
            let text = Line::from(vec![
                Span::styled(
                    format!(" {}  ", event.at.format(shared.zone, "%a %-d %b %H:%M:%S")),
                    theme.quiet,
                ),
                Span::styled(format!("{:<9} ", event.state), theme.strong),
                Span::raw(format!("{} at {}", event.operator, event.station)),
            ]);
            canvas.line(row(inner, line), &text);
        }
        if story.events.is_empty() {
            canvas.text(row(inner, 3), " nothing has happened to it", theme.quiet);
        }
    }
}
