//! The tour and crowd bar of the demo, one line above the key bar.

use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::tui::canvas::{Canvas, row};
use crate::tui::msg::DemoState;
use crate::tui::shared::Shared;

/// What the demo does now, in a few words.
#[must_use]
pub fn words(state: &DemoState) -> String {
    let crowd = match (state.paused, state.crowd_speed) {
        (true, _) => "paused".to_owned(),
        (false, 0) => "no crowd".to_owned(),
        (false, speed) => format!("crowd x{speed}"),
    };
    state
        .step
        .map_or(crowd.clone(), |(at, of)| format!("tour {at}/{of}, {crowd}"))
}

/// Draws the tour's caption over the foot of an area, as wide as it is.
pub fn caption(shared: &Shared, area: Rect, canvas: &mut Canvas<'_>) {
    let Some(text) = shared
        .demo
        .as_ref()
        .and_then(|state| state.caption.as_deref())
    else {
        return;
    };
    let line = Line::from(vec![
        Span::styled(" tour ", shared.theme.tab_on),
        Span::styled(format!(" {text} "), shared.theme.demo),
    ]);
    canvas.cover(row(area, 0));
    canvas.line(row(area, 0), &line);
}
