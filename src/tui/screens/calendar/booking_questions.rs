//! Questions before an act on a booking: override of another operator, how much of a series.

use crate::domain::booking::Booking;
use crate::domain::text::clean;
use crate::engine::ops::{Reach, Whose};
use crate::tui::data::desk_act::{DeskAct, Moving};
use crate::tui::kit::context::{Go, Sent};
use crate::tui::kit::question::QuestionDialog;
use crate::tui::kit::shared::Shared;

/// Sentence for a moved booking, with its new place.
pub(super) fn moved_words(title: &str, place: &str) -> String {
    format!("{} moved to {place}", clean(title))
}

/// Question for an override, where another operator took a booking's time out of use.
pub(super) fn overriding(booking: &Booking, shared: &Shared) -> Option<String> {
    let is_anothers = booking.cause.is_out_of_use() && booking.operator != shared.operator;
    is_anothers.then(|| override_words(&booking.title, &booking.operator))
}

/// Question for an override.
pub(super) fn override_words(title: &str, operator: &str) -> String {
    format!("{}: {} took it out. It is written down that you override it.", clean(title), clean(operator))
}

/// Question dialog before moving a booking that another operator took out of use.
pub(super) fn override_move(words: String, moving: Moving) -> QuestionDialog {
    let text = vec![words, format!("{}.", moving.words)];
    let mut moving = moving;
    moving.operation.whose = Whose::Anybody;
    let then = Go::Send(Sent::Act(DeskAct::Move(Box::new(moving))));
    QuestionDialog::new("Move it?", text, ('n', "no, leave it")).choice('o', "override", then)
}

/// Question before a booking moves: override of another operator, or the dates of a series to move.
pub(super) fn asked_first(booking: &Booking, moving: &Moving, shared: &Shared) -> Option<QuestionDialog> {
    let overriding = overriding(booking, shared);
    if booking.series.is_none() {
        return overriding.map(|words| override_move(words, moving.clone()));
    }
    let whose = match overriding {
        Some(_) => Whose::Anybody,
        None => moving.operation.whose,
    };
    let then = |reach| {
        let mut moving = moving.clone();
        (moving.operation.reach, moving.operation.whose) = (reach, whose);
        Go::Send(Sent::Act(DeskAct::Move(Box::new(moving))))
    };
    let series = [
        "It is one of a series.".to_owned(),
        format!("{}.", moving.words),
        "The others go by as many days, to the same time of day.".to_owned(),
    ];
    Some(
        QuestionDialog::new(
            "How much of it moves?",
            overriding.into_iter().chain(series).collect(),
            ('k', "none, it stays where it is"),
        )
        .choice('t', "this date", then(Reach::This))
        .choice('f', "from here on", then(Reach::FromHere))
        .choice('a', "all dates", then(Reach::All)),
    )
}
