//! Taking seats out of use and putting them back, with the bookings this displaces.

use crate::domain::ids::PerformanceId;
use crate::domain::plan::SeatRef;
use crate::domain::text::clean;
use crate::engine::ops::{DisableSeats, EnableSeats, Which, Whose};
use crate::engine::reads::seat_map::{SeatMap, SeatState};
use crate::tui::kit::context::{Context, Go, Sent};
use crate::tui::kit::prompt::{Prompt, PromptWords};
use crate::tui::kit::question::QuestionDialog;
use crate::tui::screens::seats::Seats;

/// Seats that `D` acts on, and the effect.
#[derive(Clone, Debug, PartialEq, Eq)]
struct OutOfUseChoice {
    performance: PerformanceId,
    /// Names of the seats.
    names: Vec<String>,
    /// Names of the seats as spoken, with ranges.
    words: String,
    /// True if all are out of use already, so that `D` puts them back.
    all_out: bool,
    /// Operators who took them out of use.
    operators: Vec<String>,
    /// Displaced bookings, one sentence each.
    displaced: Vec<String>,
}

const OUT_OF_USE: PromptWords =
    ("out of use, because", "broken, reserved for the camera, ...", &[("Enter", "go on: asks"), ("Esc", "close")]);

impl Seats {
    /// Asks why the seats go out of use, or whether they come back.
    pub(super) fn out_of_use(&self, context: &mut Context<'_>) {
        let Some(choice) = self.out_of_use_choice() else {
            context.note("Put the cursor on a seat, or mark some, first");
            return;
        };
        if !choice.all_out {
            context.open(Prompt::new(OUT_OF_USE, "", context.shared, move |reason, context| {
                let reason = clean(reason);
                if reason.is_empty() {
                    return Err("say why, so that others know".to_owned());
                }
                context.open(disabling(&choice, reason));
                Ok(())
            }));
            return;
        }
        let mut others = choice.operators;
        others.retain(|name| *name != context.shared.operator);
        let enable = EnableSeats {
            which: Which::Performance(choice.performance),
            seats: choice.names,
            whose: if others.is_empty() { Whose::Mine } else { Whose::Anybody },
        };
        context.open(QuestionDialog::enable(enable, &choice.words, &others));
    }

    /// Seats that `D` acts on, with the effect; none without a seat under the cursor or marked.
    fn out_of_use_choice(&self) -> Option<OutOfUseChoice> {
        let (performance, map) = (self.performance?, self.map()?);
        let seats = self.chosen();
        let out = |seat: &SeatRef| matches!(map.state(*seat), Some(SeatState::Disabled { .. }));
        if seats.is_empty() {
            return None;
        }
        Some(OutOfUseChoice {
            performance,
            all_out: seats.iter().all(out),
            operators: seats
                .iter()
                .filter_map(|seat| match map.state(*seat) {
                    Some(SeatState::Disabled { operator, .. }) => Some(operator.clone()),
                    _ => None,
                })
                .collect(),
            displaced: seats.iter().filter_map(|seat| displaced(map, *seat)).collect(),
            words: self.theater_seats(&seats),
            names: seats.iter().map(|seat| map.plan.seat_name(*seat).to_owned()).collect(),
        })
    }
}

fn displaced(map: &SeatMap, seat: SeatRef) -> Option<String> {
    let name = map.plan.seat_name(seat);
    match map.state(seat)? {
        SeatState::Booked { .. } => Some(format!("{name} is sold: its buyer goes on the worklist")),
        SeatState::Held(holder) => Some(match &holder.reserved {
            Some(customer) => {
                format!("{name} is reserved for {customer}: it goes on the worklist")
            }
            None => format!("{name} is held by {} at {}: it leaves that cart", holder.operator, holder.station),
        }),
        SeatState::Kept { reason, .. } => Some(format!("{name} is kept by the house ({reason})")),
        SeatState::Free | SeatState::Disabled { .. } => None,
    }
}

/// Question before seats go out of use.
fn disabling(choice: &OutOfUseChoice, reason: String) -> QuestionDialog {
    let mut text = vec![format!("{} can't be sold then: {reason}.", choice.words)];
    text.extend(choice.displaced.iter().take(6).cloned());
    let more = choice.displaced.len().saturating_sub(6);
    if more > 0 {
        text.push(format!("and {more} more"));
    }
    let done = format!("{} out of use", choice.words);
    let disable = DisableSeats { which: Which::Performance(choice.performance), seats: choice.names.clone(), reason };
    QuestionDialog::new("Out of use?", text, ('n', "no, keep on sale")).choice(
        'd',
        "out of use",
        Go::Send(Sent::worded(disable, done)),
    )
}
