//! A seat with its history.

use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::domain::operator::acting;
use crate::domain::text::clean;
use crate::engine::reads::inspect::{ReadSeatStory, SeatEvent, SeatStory};
use crate::tui::data::reads::Needs;
use crate::tui::kit::action::Action;
use crate::tui::kit::canvas::{Canvas, centred, first_rows, from_row, row};
use crate::tui::kit::context::{Context, Go};
use crate::tui::kit::dialog::{Dialog, Flow};
use crate::tui::kit::keymap::KeyPlace;
use crate::tui::kit::list::Cursor;
use crate::tui::kit::screen::Click;
use crate::tui::kit::shared::Shared;
use crate::tui::kit::targets::{RowList, Target};

/// A seat's story, on its way or here.
#[derive(Debug)]
pub(crate) struct Story {
    of: ReadSeatStory,
    cursor: Cursor<SeatChange>,
}

/// Change of the seat, counted from its first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct SeatChange(usize);

impl Story {
    pub(crate) fn new(of: ReadSeatStory) -> Self {
        Self { of, cursor: Cursor::default() }
    }

    fn story<'s>(&self, shared: &'s Shared) -> Option<&'s SeatStory> {
        shared.reads.get(&self.of)
    }

    /// The changes that are listed, newest first.
    fn changes(&self, shared: &Shared) -> impl Iterator<Item = SeatChange> + use<> {
        let count = self.story(shared).map_or(0, |story| story.events.len());
        (0..count).rev().map(SeatChange)
    }
}

impl Dialog for Story {
    fn place(&self) -> Option<KeyPlace> {
        Some(KeyPlace::Story)
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "few actions are of a story")]
    fn act(&mut self, action: Action, context: &mut Context<'_>) -> Flow {
        match action {
            Action::Main => {
                let order = self.story(context.shared).and_then(SeatStory::order);
                order.map_or(Flow::Close, |order| Flow::Go(Go::order(order)))
            }
            Action::Close | Action::Quit | Action::Inspect => Flow::Close,
            _ => {
                self.cursor.act(action, self.changes(context.shared));
                Flow::Stay
            }
        }
    }

    fn click(&mut self, target: &Target, click: Click, context: &mut Context<'_>) -> Flow {
        if let Some(index) = target.dialog_row() {
            self.cursor.click((index, click), self.changes(context.shared));
        }
        Flow::Stay
    }

    fn needs(&self, _shared: &Shared, needs: &mut Needs) {
        needs.of(self.of);
    }

    fn view(&self, shared: &Shared, area: Rect, canvas: &mut Canvas<'_>) {
        let theme = &shared.theme;
        let told = self.story(shared);
        let events = told.map_or(0, |story| story.events.len());
        let area = centred(area, 66, events + 6);
        let order = told.and_then(SeatStory::order);
        let keys =
            if order.is_some() { " <story.main> its order  <story.close> closes " } else { " <story.close> closes " };
        let seat = told.map_or("", |story| story.seat.as_str());
        let inner = canvas.dialog(area, &format!("Seat {seat}"), &shared.keyed(keys));
        let Some(story) = told else {
            let note = shared.in_place_of(&self.of).unwrap_or_default();
            canvas.text(row(inner, 1), &format!(" {note}"), theme.quiet);
            return;
        };
        let receipt = story.receipt.as_ref().map(|(_, number)| format!("receipt {number}"));
        let mut now = vec![
            state_word(&story.now).to_owned(),
            receipt.unwrap_or_default(),
            clean(&story.customer),
            clean(&story.phone),
        ];
        now.retain(|words| !words.is_empty());
        let now = format!(" {}", now.join("   "));
        canvas.text(row(inner, 1), &now, theme.strong);
        let event_line = |event: &SeatEvent| {
            let at = shared.here().format(event.at, "%a %-d %b %H:%M:%S");
            Line::from(vec![
                Span::styled(format!(" {at}  "), theme.quiet),
                Span::styled(format!("{:<10} ", state_word(&event.state)), theme.strong),
                Span::raw(format!("{} at {}", acting(&event.operator, event.approved.as_deref()), event.station)),
            ])
        };
        let list = from_row(first_rows(inner, inner.height.saturating_sub(1)), 3);
        let view = self.cursor.view(RowList::Dialog, list, self.changes(shared));
        view.draw(canvas, story.events.iter().enumerate(), event_line);
        if story.events.is_empty() {
            canvas.text(row(inner, 3), " nothing has happened to it", theme.quiet);
        }
    }
}

/// A state's word in the words of the map's legend.
fn state_word(state: &str) -> &str {
    match state {
        "booked" => "sold",
        "disabled" => "out of use",
        "kept" => "house",
        other => other,
    }
}
